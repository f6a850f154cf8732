"""Everything there is, counted: strokes by outcome, scores of a set, lines of a match, lines of notation.

The counts lie in `tests/golden` as data for other implementations; `make golden` writes them anew. They keep
true what `test_oracle_agrees.py` has shown to be true.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from fivepins.errors import NotationError
from fivepins.events import Event, Late, Lost, SetResult, SetStart, Terms, Turn
from fivepins.lines import Line, format_line, parse_line
from fivepins.match import Phase, State
from fivepins.perft import OpenState, open_states, outcomes, strokes
from fivepins.rulebook import FIBIS_2022, RULEBOOKS, UMB_1997, Adding, Rulebook
from fivepins.rules import Occasion, Receiver, rule
from fivepins.stroke import Stroke
from fivepins.table import Pair, Side
from fivepins.tokens import format_action, parse_stroke

GOLDEN = Path(__file__).parent / "golden"
BOOKS = tuple(RULEBOOKS.values())

# -- golden tables -------------------------------------------------------------------------------

STROKES_HEAD = (
    "# How many strokes of the complete enumeration come to each outcome (see fivepins.perft).",
    "# strokes: 69680 with balls off the table, 8710 without; hand = y when the incoming player has it.",
    "# rules\tadding\toccasion\tstrokes\tto\tpoints\thand\tcount",
)
MATCH_HEAD = (
    "# Counts of a set with this distance, A to open, every distinct result of a stroke one line.",
    "# open-states: scores with the side to play. lines-open, lines-ended: sequences of depth strokes that",
    "# leave the set open, and sequences of at most depth strokes that have ended it. -clock: events instead",
    "# of strokes, late and lost among them. courses: sequences of set winners, depth being the sets.",
    "# what\trules\tdistance\tdepth\tcount",
)


def stroke_rows() -> Iterator[str]:
    """The rows of `golden/strokes.tsv`."""
    for book in BOOKS:
        for adding in Adding:
            for occasion, outs in ((Occasion.ORDINARY, True), (Occasion.OPENING, False)):
                counts = outcomes(strokes(outs=outs), replace(book, adding=adding), occasion)
                for (to, points, hand), count in sorted(counts.items()):
                    total = counts.total()
                    yield _row(book.id, adding.value, occasion.value, total, to, points, "ny"[hand], count)


def match_rows() -> Iterator[str]:
    """The rows of `golden/match.tsv`."""
    for book in BOOKS:
        for distance in (8, 60):
            yield _row("open-states", book.id, distance, "-", len(states(book, distance)))
        for distance, depths in ((8, (1, 2, 3, 4)), (60, (4, 6))):
            for depth in depths:
                still, ended = lines_by_state(book, distance, depth, clock=False)
                yield _row("lines-open", book.id, distance, depth, still)
                yield _row("lines-ended", book.id, distance, depth, ended)
        for depth in (1, 2, 3):
            still, ended = lines_by_state(book, 8, depth, clock=True)
            yield _row("lines-open-clock", book.id, 8, depth, still)
            yield _row("lines-ended-clock", book.id, 8, depth, ended)
    for sets in (1, 3, 5, 7):
        yield _row("courses", "-", "-", sets, courses(State.start(Terms(sets=sets))))


@cache
def _states(name: str, distance: int) -> set[OpenState]:
    return open_states(RULEBOOKS[name], distance)


def states(book: Rulebook, distance: int) -> set[OpenState]:
    """The open states of a set, counted once."""
    return _states(book.id, distance)


def _row(*cells: object) -> str:
    return "\t".join(map(str, cells))


def write_golden() -> None:
    """Write both tables anew."""
    for name, head, rows in (
        ("strokes.tsv", STROKES_HEAD, stroke_rows()),
        ("match.tsv", MATCH_HEAD, match_rows()),
    ):
        (GOLDEN / name).write_text("\n".join((*head, *rows)) + "\n", encoding="utf-8")


def breakdown(name: str, counted: list[str]) -> str:
    """What differs from the golden table, row by row; empty if nothing does."""
    text = (GOLDEN / name).read_text(encoding="utf-8")
    golden = [line for line in text.splitlines() if not line.startswith("#")]
    missing = [f"- {row}" for row in golden if row not in set(counted)]
    added = [f"+ {row}" for row in counted if row not in set(golden)]
    if not missing and not added and golden != counted:
        return "the rows are the same, their order or number is not"
    return "\n".join(sorted([*missing, *added], key=lambda row: row[2:].split("\t")))


@pytest.mark.parametrize(("name", "rows"), [("strokes.tsv", stroke_rows), ("match.tsv", match_rows)])
def test_counts_are_those_of_the_golden_table(name: str, rows: Callable[[], Iterator[str]]) -> None:
    different = breakdown(name, list(rows()))
    assert not different, f"golden/{name}: - golden, + counted\n{different}"


def test_a_breakdown_names_the_row_that_differs() -> None:
    rows = list(match_rows_of_golden())
    assert breakdown("match.tsv", rows) == ""
    assert breakdown("match.tsv", [*rows[1:], "courses\t-\t-\t9\t252"]).splitlines() == [
        "+ courses\t-\t-\t9\t252",
        f"- {rows[0]}",
    ]
    assert breakdown("match.tsv", rows[::-1]) != ""


def match_rows_of_golden() -> Iterator[str]:
    """The rows as they lie in the file."""
    for line in (GOLDEN / "match.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            yield line


@pytest.mark.parametrize("book", BOOKS, ids=RULEBOOKS)
def test_figures_known_by_hand(book: Rulebook) -> None:
    """59 × 59 scores, 1 being out of reach, with either side to play."""
    assert len(states(book, 60)) == 59 * 59 * 2 == 6_962
    assert len(states(book, 8)) == 7 * 7 * 2 == 98
    fair = outcomes(strokes(), book)
    assert sum(count for outcome, count in fair.items() if outcome.to == "nobody") == 1, "only a bare hit"
    striker = {o.points: n for o, n in fair.items() if o.to == "striker"}
    assert sum(striker.values()) == 159, "five orders with the object ball first, 32 sets of pins"
    assert set(striker) == set(range(2, 17))


# -- lines of a match: by arithmetic over states, and by walking the tree with the match itself ----


class Node(NamedTuple):
    """All that the number of lines depends on."""

    score: Pair[int]
    to_play: Side
    opening: bool
    late: bool


def results(book: Rulebook, occasion: Occasion) -> dict[tuple[int, int], Stroke]:
    """Every distinct (striker, opponent) result a stroke can have, with a stroke that has it."""
    return _results(book.id, occasion)


@cache
def _results(name: str, occasion: Occasion) -> dict[tuple[int, int], Stroke]:
    book = RULEBOOKS[name]
    found: dict[tuple[int, int], Stroke] = {}
    for stroke in strokes(outs=False):
        ruling = rule(stroke, occasion, book)
        given = ruling.to is Receiver.OPPONENT
        found.setdefault((0, ruling.points) if given else (ruling.points, 0), stroke)
    return found


def lines_by_state(book: Rulebook, distance: int, depth: int, *, clock: bool) -> tuple[int, int]:
    """Lines still open after that many events and lines ended by then, counted state by state."""
    results_of = {occasion: list(results(book, occasion)) for occasion in Occasion}
    level = Counter({Node(Pair(0, 0), Side.A, opening=True, late=False): 1})
    ended = 0
    for _ in range(depth):
        following: Counter[Node] = Counter()
        for node, count in level.items():
            for after in _after(node, results_of, distance, clock=clock):
                if max(after.score) >= distance:
                    ended += count
                else:
                    following[after] += count
        level = following
    return level.total(), ended


def _after(
    node: Node, results_of: dict[Occasion, list[tuple[int, int]]], distance: int, *, clock: bool
) -> Iterator[Node]:
    striker = node.to_play
    for mine, theirs in results_of[Occasion.OPENING if node.opening else Occasion.ORDINARY]:
        score = node.score.put(striker, min(node.score[striker] + mine, distance))
        score = score.put(striker.other, min(score[striker.other] + theirs, distance))
        yield Node(score, striker.other, opening=False, late=False)
    if clock:
        score = node.score.put(striker.other, min(node.score[striker.other] + 2, distance))
        if node.late:
            yield Node(score, striker.other, opening=node.opening, late=False)
        else:
            yield Node(score, striker, opening=node.opening, late=True)


def lines_by_walking(book: Rulebook, distance: int, depth: int, *, clock: bool) -> tuple[int, int]:
    """The same, counted by playing every line to its end."""
    alphabet = {occasion: list(results(book, occasion).values()) for occasion in Occasion}
    level = [State.start(Terms(book=book, distance=Pair(distance, distance))).then(SetStart(1, Side.A))]
    ended = 0
    for _ in range(depth):
        following = []
        for state in level:
            for event in _possible(state, alphabet, clock=clock):
                after = state.then(event)
                assert max(after.score) <= distance
                if after.phase is Phase.DISTANCE:
                    ended += 1
                else:
                    following.append(after)
        level = following
    return len(level), ended


def _possible(state: State, alphabet: dict[Occasion, list[Stroke]], *, clock: bool) -> Iterator[Event]:
    one = state.set
    assert one is not None
    number = len(one.turns) + 1
    for stroke in alphabet[one.next.occasion]:
        yield Turn(number, one.to_play, stroke)
    if clock:
        yield Turn(number, one.to_play, Lost()) if one.late else Late(one.to_play)


@pytest.mark.parametrize(("clock", "deepest"), [(False, 4), (True, 3)], ids=["strokes", "clock"])
@pytest.mark.parametrize("book", BOOKS, ids=RULEBOOKS)
def test_walking_the_tree_counts_as_many_lines_as_the_states_say(
    book: Rulebook, clock: bool, deepest: int
) -> None:
    for depth in range(1, deepest + 1):
        walked = lines_by_walking(book, 8, depth, clock=clock)
        assert walked == lines_by_state(book, 8, depth, clock=clock), f"depth {depth}: (open, ended)"


@pytest.mark.parametrize("book", BOOKS, ids=RULEBOOKS)
def test_a_match_visits_the_states_the_enumeration_knows(book: Rulebook) -> None:
    """Every score of a set to 8, reached by strokes of a match with either side to open, and no other."""
    alphabet = {occasion: list(results(book, occasion).values()) for occasion in Occasion}
    start = State.start(Terms(book=book, distance=Pair(8, 8)))
    waiting = [start.then(SetStart(1, side)) for side in Side]
    expanded: set[tuple[OpenState, Occasion]] = set()
    while waiting:
        state = waiting.pop()
        assert state.to_play is not None
        assert state.situation is not None
        here = (OpenState(state.score, state.to_play), state.situation.occasion)
        if here not in expanded:
            expanded.add(here)
            after = [state.then(event) for event in _possible(state, alphabet, clock=False)]
            waiting += [one for one in after if one.phase is Phase.PLAY]
            assert {one.phase for one in after} <= {Phase.PLAY, Phase.DISTANCE}
    assert {visited for visited, _ in expanded} == states(book, 8)


def courses(state: State) -> int:
    """In how many ways the sets can fall until the match is over."""
    if state.is_over:
        return 1
    number, full = len(state.sets) + 1, state.terms.distance.a
    scores = {Side.A: Pair(full, 0), Side.B: Pair(0, full)}
    return sum(courses(state.then(SetResult(number, side, scores[side]))) for side in Side)


def test_the_courses_of_sets_known_by_hand() -> None:
    counts = [courses(State.start(Terms(sets=sets))) for sets in (1, 3, 5, 7)]
    assert counts == [2, 6, 20, 70], "the middle figures of Pascal's triangle"


# -- notation ------------------------------------------------------------------------------------


def test_every_stroke_is_printed_and_read_back() -> None:
    refused = 0
    for stroke in strokes():
        text = format_action(stroke)
        if stroke.problems():
            refused += 1
            with pytest.raises(NotationError) as caught:
                parse_stroke(text)
            assert 1 <= caught.value.column <= len(text)
        else:
            read = parse_stroke(text)
            assert read == stroke, text
            assert format_action(read) == text
    assert refused == 5_260


LINES = (
    "lag B",
    "lag repeat A",
    "lag forfeit B at=14:05",
    "set 1 B at=14:05:10  # B won the lag",
    "1. B o /1 =2 @21",
    "2. A o r /13 =8 @34  # cannon, then two outer pins",
    "3. B | o o-r /5 =11 @28.5",
    "6. A r /4 o =-6 @37",
    "7. A off/1 spot o r c^b r^ =-6",
    "8. B x c/1 !touched.12 !foot",
    "9. A ? =-6 hand @12",
    "10. B lost =-2 @60",
    "11. A o l/3 u/45 /2~ pos=355.0:710.0/710.0:2740.0/710.0:2130.0/12345",
    "12. B - cue=v3.20,a92.50,x-0.20,y0.35,e4.0",
    "late A",
    "extra B",
    'fix 2 o r /135 =12 "centre pin had fallen too"',
    'undo "entered for the wrong table"',
    "score 22-27",
    "good B 22-30",
    'good B 22-28 short "counted wrongly"',
    'award A "B left the hall"',
    "result 1 A 60-47",
    'penalty B 2 hand "touched the ball"',
    'pause 5:00 A "a cramp"',
    "pause refused B",
    'suspend "light"',
    "resume",
    'place start "a child took the red"',
    'swap "both had the wrong ball"',
    'referee "Anna Verdi"',
    'note "A said \\"no\\"" # quoted',
    'protest A "the pin stood"',
    'decision "played on" by "the director"',
    'end A left "went home"',
    "# a comment alone",
)


def mutated(text: str, chance: random.Random) -> str:
    """The line with one character deleted, doubled, or exchanged with its neighbour."""
    place = chance.randrange(len(text))
    match chance.randrange(3):
        case 0:
            return text[:place] + text[place + 1 :]
        case 1:
            return text[: place + 1] + text[place:]
        case _:
            return text[:place] + text[place + 1 : place + 2] + text[place] + text[place + 2 :]


def sample() -> Iterator[str]:
    """Lines of every kind, and turns from all over the enumeration, mutated once or twice."""
    chance = random.Random(1997)
    turns = [f"{chance.randrange(1, 99)}. {chance.choice('AB')} {format_action(s)}" for s in strokes()][::17]
    for text in (*(line for line in LINES for _ in range(150)), *turns):
        once = mutated(text, chance)
        yield once
        if once:
            yield mutated(once, chance)


@pytest.mark.parametrize("text", LINES)
def test_the_lines_to_be_mutated_are_themselves_legal(text: str) -> None:
    line = parse_line(text)
    assert parse_line(format_line(line)) == line


def test_a_mutated_line_is_read_canonically_or_refused_at_a_place_inside_it() -> None:
    read, refused = 0, 0
    for text in sample():
        line = _read(text)
        if isinstance(line, NotationError):
            refused += 1
            assert 1 <= line.column <= len(text) + 1, (text, line.column)
            assert line.message, text
        else:
            read += 1
            canonical = format_line(line)
            assert parse_line(canonical) == line, text
            assert format_line(parse_line(canonical)) == canonical, text
    assert read > 1_000
    assert refused > 1_000


def _read(text: str) -> Line | NotationError:
    try:
        return parse_line(text)
    except NotationError as error:
        return error


# -- settings that a histogram alone would not tell apart ----------------------------------------


def test_each_setting_of_each_book_has_a_histogram_of_its_own() -> None:
    tables = [
        frozenset(outcomes(strokes(outs=False), replace(book, adding=adding)).items())
        for book in (UMB_1997, FIBIS_2022)
        for adding in Adding
    ]
    assert len(set(tables)) == len(tables)
