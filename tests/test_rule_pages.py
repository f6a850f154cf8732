"""The rule book runs: every example of `docs/rules/`, its table of differences, and its map.

`docs/rules/README.md` defines the two small languages of the examples; this module plays them.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from datetime import date
from enum import Enum
from pathlib import Path
from typing import NamedTuple

import pytest

from fivepins.equipment import questions
from fivepins.errors import FivePinsError, NotationError
from fivepins.events import Terms
from fivepins.language import language
from fivepins.lines import WORDS, parse_event
from fivepins.match import State
from fivepins.notation import HEADERS, parse_file
from fivepins.rulebook import FIBIS_2022, RULEBOOKS, UMB_1997, Adding, Rulebook
from fivepins.rules import Occasion, rule
from fivepins.stroke import Foul
from fivepins.table import Pair, Side
from fivepins.tokens import parse_stroke

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "rules"
GOLDEN = Path(__file__).parent / "golden"
PAGES = sorted(FOLDER.glob("*.md"))
SIDES = {side.value: side for side in Side}


class Block(NamedTuple):
    """A fenced block: its page, and its lines with their numbers."""

    page: str
    lines: tuple[tuple[int, str], ...]


def blocks(language: str) -> Iterator[Block]:
    """Every block of a language, page by page."""
    for page in PAGES:
        inside: list[tuple[int, str]] | None = None
        fence = ""
        for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
            if not line.startswith("```"):
                if inside is not None and fence == language:
                    inside.append((number, line))
            elif inside is None:
                fence, inside = line.removeprefix("```").strip(), []
            else:
                if fence == language:
                    yield Block(page.stem, tuple(inside))
                inside = None


def rows(path: Path) -> list[list[str]]:
    """The rows of a table of tab-separated values; `#` begins a remark."""
    lines = path.read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


# -- rulings -------------------------------------------------------------------------------------

_VERDICT = r'(?:error|0|[1-9]\d*|-[1-9]\d*(?: hand)?)(?: "[^"]+")?'
_RULING = re.compile(
    r"(?P<opening>opening: )?(?:\[(?P<adding>each|distinct|never)\] )?(?P<facts>[^=\[]+?)"
    rf" => (?P<first>{_VERDICT})(?:; FIBiS-2022: (?P<second>{_VERDICT}))?(?: +# .+)?"
)


class Example(NamedTuple):
    """One line of a block of rulings, under one book."""

    facts: str
    occasion: Occasion
    book: Rulebook
    verdict: str

    def told(self) -> tuple[str, str]:
        """The ruling as an example writes it, and all the words that belong to it."""
        try:
            ruling = rule(parse_stroke(self.facts), self.occasion, self.book)
        except FivePinsError as error:
            return "error", error.message
        return f"{ruling.signed}{' hand' * ruling.ball_in_hand}", ruling.say()


def read_ruling(line: str) -> list[Example]:
    """A line of a block of rulings: an example for each book."""
    found = _RULING.fullmatch(line.rstrip())
    if found is None:
        raise ValueError(f"not a ruling as docs/rules/README.md defines it: {line!r}")
    occasion = Occasion.OPENING if found["opening"] else Occasion.ORDINARY
    examples = []
    for book, verdict in ((UMB_1997, found["first"]), (FIBIS_2022, found["second"] or found["first"])):
        used = replace(book, adding=Adding(found["adding"])) if found["adding"] else book
        examples.append(Example(found["facts"].strip(), occasion, used, verdict))
    return examples


def disagreement(example: Example) -> str | None:
    """What the engine says instead; None if it agrees."""
    ruling, _, words = example.verdict.partition(' "')
    told, said = example.told()
    if told == ruling and words.rstrip('"').lower() in said.lower():
        return None
    return f"{example.book.id}: '{example.facts}' => {example.verdict}, but it is {told}: {said}"


RULINGS = [
    pytest.param(line, id=f"{block.page}:{number}")
    for block in blocks("fpn-rulings")
    for number, line in block.lines
    if line.strip()
]


@pytest.mark.parametrize("line", RULINGS)
def test_the_ruling_is_as_the_page_says(line: str) -> None:
    wrong = [told for example in read_ruling(line) if (told := disagreement(example))]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "line",
    [
        "o /1 => 4",
        "o /1 => -2",
        "o c/1 => -2 hand",
        "r o => -4",
        "o => 2",
        "o /1 => error",
        "o |r => 0",
        "o /5 => 8",
        "o /5 => 8; FIBiS-2022: 8",
        "opening: o /5 => 8; FIBiS-2022: 10",
        "[each] r => -4 hand",
        'r o => -4 hand "object-ball"',
        'o |r => error "twice"',
    ],
)
def test_a_wrong_ruling_is_noticed(line: str) -> None:
    assert any(disagreement(example) for example in read_ruling(line))


@pytest.mark.parametrize(
    "line", ["o /1", "o /1 = 2", "o /1 => 02", "o /1 => 2 hand", "o => 0; UMB-1997: 0", "[some] o => 0"]
)
def test_a_ruling_that_is_written_wrongly_is_noticed(line: str) -> None:
    with pytest.raises(ValueError, match="not a ruling"):
        read_ruling(line)


# -- matches -------------------------------------------------------------------------------------


HEAD = {"A": "A", "B": "B", "Rules": "UMB-1997", "Distance": "60", "Result": "*"}
"""The head of a block that says nothing else."""


def header(line: str) -> tuple[str, str] | None:
    """The key and the text of a line that is a header."""
    key, colon, text = line.partition(": ")
    return (key, text.strip()) if colon and key in HEADERS else None


def terms(headers: Mapping[str, str]) -> Terms:
    """What a head comes to; raises `NotationError` where something in it is wrong."""
    lines = ["FPN 1", *(f"{key}: {text}" for key, text in {**HEAD, **headers}.items()), ""]
    read = parse_file("\n".join(lines)).records[0].terms
    assert read is not None  # a strict reader has raised
    return read


def choice(state: State) -> str:
    """Whose choice the opener is."""
    return state.lag.chooser.value if state.lag.chooser else "open"


def over(state: State) -> str | None:
    """For whom the match has ended; None while it goes on."""
    return (state.winner.value if state.winner else "nobody") if state.is_over else None


def shown(pair: Pair[int] | None) -> str | None:
    """A pair as matches write it."""
    return None if pair is None else f"{pair.a}-{pair.b}"


def limit(state: State) -> str | None:
    """The seconds that run."""
    return str(state.limit.seconds) if state.limit else None


def colour(state: State, side: str) -> str | None:
    """Which ball a side plays."""
    return state.colours[SIDES[side]].value if state.colours else None


_ASSERTIONS: dict[str, Callable[[State, str], bool]] = {
    r"(A|B|nobody) to play": lambda s, x: (s.to_play.value if s.to_play else "nobody") == x,
    r"score (\d+-\d+)": lambda s, x: shown(s.score) == x,
    r"(opening)": lambda s, _: s.situation is not None and s.situation.occasion is Occasion.OPENING,
    r"(no opening)": lambda s, _: s.situation is not None and s.situation.occasion is Occasion.ORDINARY,
    r"(hand)": lambda s, _: s.to_play is not None and s.ball_in_hand,
    r"(no hand)": lambda s, _: s.to_play is not None and not s.ball_in_hand,
    r"choice (A|B|open)": lambda s, x: choice(s) == x,
    r"(A|B) white": lambda s, x: colour(s, x) == "white",
    r"limit (\d+)": lambda s, x: limit(s) == x,
    r"(no limit)": lambda s, _: limit(s) is None,
    r"break (due|offered)": lambda s, x: s.pause.value == x,
    r"(no break)": lambda s, _: s.pause.value == "none",
    r"(distance)": lambda s, _: s.phase.value == "distance",
    r"sets (\d+-\d+)": lambda s, x: shown(s.sets_won) == x,
    r"over (A|B|nobody)": lambda s, x: over(s) == x,
    r"(not over)": lambda s, _: over(s) is None,
    r"match points (\d+-\d+)": lambda s, x: shown(s.match_points) == x,
    r"(no match points)": lambda s, _: s.match_points is None,
    r"set points (\d+-\d+)": lambda s, x: shown(s.set_points) == x,
    r"(no set points)": lambda s, _: s.set_points is None,
}


def holds(assertion: str, state: State) -> bool:
    """Whether an assertion holds."""
    for pattern, test in _ASSERTIONS.items():
        if found := re.fullmatch(pattern, assertion):
            return test(state, found[1])
    raise ValueError(f"not an assertion as docs/rules/README.md defines it: {assertion!r}")


def split(line: str) -> tuple[str, list[str], str]:
    """A line of a block: the event, the assertions, and the words of the refusal that is expected."""
    text, arrow, told = (f" {line}" if line.startswith("=> ") else line).partition(" => ")
    told, _, refusal = re.sub(r"\s+# .*$", "", told).strip().partition("illegal: ")
    assertions = [one.strip() for one in told.split(";") if one.strip()]
    if arrow and not assertions and not refusal:
        raise ValueError(f"nothing is asserted: {line!r}")
    return text.strip(), assertions, refusal


def refused(told: str | None, refusal: str) -> list[str]:
    """What is wrong with a refusal, or with the lack of one."""
    if told is None:
        return [f"legal, but expected illegal: {refusal}"] if refusal else []
    if refusal and refusal in told:
        return []
    return [f"illegal: {told}"]


def play(lines: list[str]) -> list[str]:
    """Play a block; what its last line says and does not hold."""
    heads = [found for line in lines if (found := header(line))]
    body = lines[len(heads) :]
    try:
        state = State.start(terms(dict(heads)))
    except NotationError as error:
        return refused(error.message, split(body[0])[2])
    wrong: list[str] = []
    for line in body:
        text, assertions, refusal = split(line)
        told = None
        try:
            state = state.then(parse_event(text)) if text else state
        except FivePinsError as error:
            told = error.message
        wrong = refused(told, refusal) + [f"not true: {one}" for one in assertions if not holds(one, state)]
    return wrong


MATCHES = [
    pytest.param([line for _, line in block.lines[: place + 1]], id=f"{block.page}:{number}")
    for block in blocks("fpn-match")
    for place, (number, line) in enumerate(block.lines)
    if not header(line)
]


@pytest.mark.parametrize("lines", MATCHES)
def test_the_match_is_as_the_page_says(lines: list[str]) -> None:
    wrong = play(lines)
    assert not wrong, f"{lines[-1]}\n  " + "\n  ".join(wrong)


_START = ["Distance: 4", "Sets: 3", "set 1 A"]
_WON = ["Distance: 4", "set 1 A", "1. A o r"]


@pytest.mark.parametrize(
    ("lines", "assertion"),
    [
        (_START, "B to play"),
        (_START, "nobody to play"),
        (_WON, "B to play"),
        (_START, "score 0-2"),
        (_START, "no opening"),
        ([*_START, "1. A o"], "opening"),
        (_START, "hand"),
        ([*_START, "1. A -"], "no hand"),
        (_WON, "no hand"),
        (_WON, "no opening"),
        (["lag A"], "choice B"),
        (["lag A"], "choice open"),
        (["lag repeat"], "choice A"),
        (_START, "B white"),
        (["lag B"], "A white"),
        (_START, "limit 40"),
        (["Clock: 40+20", "set 1 A"], "limit 20"),
        (["Clock: 40+20", "set 1 A"], "no limit"),
        (_START, "break due"),
        (_START, "break offered"),
        (["Sets: 3", "result 1 A 60-0", "result 2 B 0-60"], "no break"),
        (_START, "distance"),
        (_START, "sets 1-0"),
        (_START, "over A"),
        ([*_WON, "good A 4-0"], "over B"),
        ([*_WON, "good A 4-0"], "not over"),
        (["set 1 A", 'end - abandoned "rain"'], "over A"),
        ([*_WON, "good A 4-0"], "match points 0-1"),
        ([*_WON, "good A 4-0"], "no match points"),
        ([*_WON, "good A 4-0"], "set points 1-0"),
        (["Sets: 3", "result 1 A 60-0", "result 2 A 60-0"], "no set points"),
        (_START, "illegal: belongs to"),
        ([*_START[:-1], "set 2 A"], "illegal: belongs to"),
        (["Sets: 4", ""], "illegal: odd one out"),
    ],
)
def test_every_assertion_can_fail(lines: list[str], assertion: str) -> None:
    assert play([*lines[:-1], f"{lines[-1]} => {assertion}".strip()])


def test_every_assertion_is_shown_to_fail_and_used_and_documented() -> None:
    told = [line for block in blocks("fpn-match") for _, line in block.lines if "=> " in line]
    used = {one.strip() for line in told for one in re.sub(r"\s+# .*$", "", line.split("=> ")[1]).split(";")}
    readme = (FOLDER / "README.md").read_text("utf-8")
    documented = set(re.findall(r"`([^`]+)`", "\n".join(re.findall(r"^\| (.*?) \|", readme, re.MULTILINE))))
    for pattern in _ASSERTIONS:
        assert any(re.fullmatch(pattern, one) for one in used), f"no page uses {pattern}"
        assert any(re.fullmatch(pattern, one) for one in documented), f"the README does not explain {pattern}"


@pytest.mark.parametrize("line", ["=> A wins", "set 1 A => score 0", "set 1 A => A to play, hand"])
def test_an_assertion_that_is_written_wrongly_is_noticed(line: str) -> None:
    with pytest.raises(ValueError, match="not an assertion"):
        play([line])


def test_a_line_that_is_illegal_unasked_is_noticed() -> None:
    assert play(["set 1 A", "1. B o"]) == ["illegal: turn 1 belongs to A"]


def test_no_fence_of_the_pages_is_of_an_unknown_language() -> None:
    fences = {
        line.removeprefix("```").strip()
        for page in PAGES
        for line in page.read_text("utf-8").splitlines()
        if line.startswith("```")
    }
    assert fences == {"", "python", "fpn-rulings", "fpn-match"}


# -- every paragraph has its place -----------------------------------------------------------------

PARAGRAPHS: dict[str, str] = dict(rows(GOLDEN / "paragraphs.tsv"))
MAP = rows(FOLDER / "map.tsv")
HEADINGS = {
    found[1]: page.name
    for page in PAGES
    for found in re.finditer(r"^#{2,4} (\d+(?:\.\d+)?[a-g]?) .+$", page.read_text("utf-8"), re.MULTILINE)
}
KINDS = ("code", "event", "equipment", "eye", "statutes")


def test_the_list_of_paragraphs_is_sound() -> None:
    assert len(PARAGRAPHS) == len(rows(GOLDEN / "paragraphs.tsv"))
    assert [number for number, topic in PARAGRAPHS.items() if not 1 <= len(topic.split()) <= 5] == []


@pytest.mark.parametrize("number", PARAGRAPHS)
def test_the_paragraph_has_a_heading(number: str) -> None:
    assert number in HEADINGS, f"no page of docs/rules/ has a heading '{number} …'"


@pytest.mark.parametrize("number", PARAGRAPHS)
def test_the_paragraph_is_on_the_map(number: str) -> None:
    assert any(row[0] == number for row in MAP), f"docs/rules/map.tsv does not say where {number} lives"


def test_the_map_and_the_headings_know_no_other_paragraph() -> None:
    articles = {number.partition(".")[0] for number in PARAGRAPHS}
    assert {row[0] for row in MAP} <= set(PARAGRAPHS)
    assert [row[0] for row in MAP] == sorted((row[0] for row in MAP), key=list(PARAGRAPHS).index)
    assert set(HEADINGS) <= set(PARAGRAPHS) | articles


def resolve(name: str) -> object:
    """What a name inside the package stands for: `rules.rule`, `rulebook.Rulebook.casin`."""
    module, *path = name.split(".")
    thing: object = importlib.import_module(f"fivepins.{module}")
    for part in path:
        thing = getattr(thing, part)
    return thing


@pytest.mark.parametrize("row", [pytest.param(row, id=" ".join(row[:3])) for row in MAP])
def test_the_map_leads_somewhere(row: list[str]) -> None:
    assert len(row) == 4, "paragraph, kind, place, words"
    number, kind, place, words = row
    assert kind in KINDS
    assert words.strip()
    if kind == "code":
        resolve(place)
    elif kind == "event":
        assert place in WORDS
    elif kind == "equipment":
        assert place == number
        assert all(number in {asked.paragraph for asked in questions(book)} for book in RULEBOOKS.values())
    else:
        assert place == "-"


@pytest.mark.parametrize("book", RULEBOOKS.values(), ids=lambda book: book.id)
def test_every_paragraph_of_the_equipment_report_is_on_the_map(book: Rulebook) -> None:
    assert {asked.paragraph for asked in questions(book)} == {row[0] for row in MAP if row[1] == "equipment"}


def test_every_event_and_every_foul_is_on_the_map() -> None:
    always = {"score", "result", "award", "penalty", "suspend", "resume"}  # the match paper's own words
    assert set(WORDS) - always == {row[2] for row in MAP if row[1] == "event"}
    named = {row[2].removeprefix("stroke.Foul.") for row in MAP if row[2].startswith("stroke.Foul.")}
    assert {foul.name for foul in Foul} == named


# -- the glossary ----------------------------------------------------------------------------------

GLOSSARY = {
    cells[0]: dict(zip(("it", "es", "fr", "de"), cells[1:], strict=True))
    for cells in (
        [part.strip() for part in line.strip("|").split("|")]
        for line in (FOLDER / "README.md").read_text("utf-8").partition("## Words")[2].splitlines()
        if line.startswith("| ")
    )
}
SPOKEN = {
    "cannon": "cannon",
    "casin": "casin",
    "centre pin": "centre pin",
    "ball in hand": "Ball in hand",
    "object ball": "object-ball",
    "red": "red ball",
}
"""Words of the glossary that the referee's announcements use too."""


@pytest.mark.parametrize("word", SPOKEN)
@pytest.mark.parametrize("code", ["it", "es", "fr", "de"])
def test_the_glossary_has_the_words_the_referee_says(word: str, code: str) -> None:
    assert GLOSSARY[word][code].lower() == language(code).say(SPOKEN[word]).lower()


# -- the table of differences ----------------------------------------------------------------------


def differences(one: object, other: object, path: str = "") -> Iterator[tuple[str, object, object]]:
    """Every value in which two records differ, by its path."""
    assert is_dataclass(one)
    for field in fields(one):
        here, there = getattr(one, field.name), getattr(other, field.name)
        if is_dataclass(here):
            yield from differences(here, there, f"{path}{field.name}.")
        elif here != there:
            yield f"{path}{field.name}", here, there


def cell(value: object, other: object) -> str:
    """A value as the table shows it beside the other one."""
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case Enum():
            return str(value.value)
        case date() | str() | int():
            return str(value)
        case float():
            return f"{value:g}"
        case (float() as low, high):
            return f"{low:g}–" + ("" if high is None else f"{high:g}")
        case frozenset() if isinstance(other, frozenset):
            return ", ".join(sorted(word.value for word in value - other)) or "–"
        case Mapping():
            return mapping_cell(value)
    raise AssertionError(f"no way to show {value!r}: add one")


def mapping_cell(value: Mapping[object, object]) -> str:
    """Articles by foul, or sets by number of sets."""
    if all(isinstance(key, Foul) for key in value):
        articles = sorted(f"{key.value} {article}" for key, article in value.items() if isinstance(key, Foul))
        return ", ".join(articles) or "–"
    after = [(", ".join(map(str, sets)), key) for key, sets in value.items() if isinstance(sets, tuple)]
    return "; ".join(f"{sets} of {key}" for sets, key in after)


def table_of_differences() -> list[list[str]]:
    """The rows of the table in the README."""
    text = (FOLDER / "README.md").read_text("utf-8")
    return [
        [part.strip() for part in line.strip("|").split("|")]
        for line in text.splitlines()
        if re.match(r"\| `[a-z_.]+` \| \d", line)
    ]


def test_the_table_of_differences_is_complete_and_true() -> None:
    written = {row[0].strip("`"): (row[2], row[3]) for row in table_of_differences()}
    found = list(differences(UMB_1997, FIBIS_2022))
    actual = {name: (cell(here, there), cell(there, here)) for name, here, there in found}
    assert written == actual


def test_the_table_of_differences_cites_articles_that_exist() -> None:
    known = set(PARAGRAPHS) | {number.partition(".")[0] for number in PARAGRAPHS}
    assert not [row for row in table_of_differences() if row[1] not in known]


# -- the tables that were worked out by hand ---------------------------------------------------------

WORKED = [
    pytest.param(row[0], book, row[first : first + 3], id=f"{row[0]} {book.id}")
    for row in rows(GOLDEN / "worked-strokes.tsv")
    for book, first in ((UMB_1997, 1), (FIBIS_2022, 4))
]
RECEIVERS = {"S": "striker", "O": "opponent"}


@pytest.mark.parametrize(("facts", "book", "expected"), WORKED)
def test_the_worked_stroke(facts: str, book: Rulebook, expected: list[str]) -> None:
    if expected == ["!", "!", "!"]:
        with pytest.raises(ValueError, match=r"'\|r'") as caught:
            parse_stroke(facts)
        assert getattr(caught.value, "column", None) == facts.index("|r") + 1
        return
    points, to, hand = expected
    ruling = rule(parse_stroke(facts), book=book)
    assert (ruling.points, ruling.to.value if ruling.to else None, ruling.ball_in_hand) == (
        int(points),
        RECEIVERS.get(to),
        hand == "y",
    )


def test_the_worked_strokes_are_all_there() -> None:
    worked = rows(GOLDEN / "worked-strokes.tsv")
    assert len(worked) == 28
    assert {len(row) for row in worked} == {8}
    assert worked[-1][1:7] == ["!"] * 6


ADDED = [
    ("-", 2, 2, 2),
    ("r", 4, 6, 4),
    ("r o", 4, 4, 4),
    ("c/1", 4, 6, 4),
    ("c/1 o", 4, 4, 4),
    ("r c/1", 8, 10, 6),
    ("r o r", 8, 8, 4),
    ("- c^", 4, 4, 2),
    ("o !foot !tip", 4, 4, 2),
]


@pytest.mark.parametrize(("facts", "distinct", "each", "never"), ADDED)
def test_the_table_of_adding(facts: str, distinct: int, each: int, never: int) -> None:
    stroke = parse_stroke(facts)
    assert rule(stroke).points == distinct
    assert rule(stroke, book=replace(UMB_1997, adding=Adding.DISTINCT)).points == distinct
    assert rule(stroke, book=replace(UMB_1997, adding=Adding.EACH)).points == each
    assert rule(stroke, book=FIBIS_2022).points == never
