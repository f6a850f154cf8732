"""The papers: all that was noted stands on them, the same bytes every time, whatever people are called."""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from pypdf import PdfReader
from typer.testing import CliRunner

from fivepins.cli import app
from fivepins.equipment import report
from fivepins.errors import FivePinsError
from fivepins.language import LANGUAGES, language
from fivepins.notation import Record, parse_file
from fivepins.paper import equipment_paper, match_html, match_paper
from fivepins.paper.content import match_content
from fivepins.paper.figures import LABELS
from fivepins.paper.typeset import printable
from fivepins.stats import DEFINITIONS

ROOT = Path(__file__).parent.parent
FILES = sorted([*(ROOT / "examples").glob("*.fpn"), *(ROOT / "tests" / "playthroughs").glob("*.fpn")])
HOSTILE = ("O'Brien", "Peña & Söhne", "<b>x</b>", "#set text", '"]} $x$ \\ *a* _b_ @c `d` {{ e }} {% f %}')
HEAD = "FPN 1\nA: {a}\nB: {b}\nRules: UMB-1997\nDistance: 60\nResult: {result}\n"


def first(text: str) -> Record:
    return parse_file(text).records[0]


def example(name: str) -> Record:
    return first((ROOT / "examples" / f"{name}.fpn").read_text("utf-8"))


def match(a: str = "Rossi", b: str = "Bianchi", lines: str = "", result: str = "*") -> Record:
    return first(HEAD.format(a=a, b=b, result=result) + "\n" + lines)


def pages(pdf: bytes) -> list[str]:
    """The text of every page; where a line was broken counts for nothing."""
    return [
        "".join(page.extract_text().replace("\u200b", "").split())
        for page in PdfReader(io.BytesIO(pdf)).pages
    ]


class Reader(HTMLParser):
    """The text of a page of HTML, and the tags in it."""

    def __init__(self) -> None:
        super().__init__()
        self.text, self.tags = "", set[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def html_text(html: str) -> str:
    reader = Reader()
    reader.feed(html)
    return "".join(reader.text.split())


def long_match(a: str = "Rossi", b: str = "Bianchi", strokes: int = 40, facts: str = "o r /1") -> Record:
    """Five sets in which each side plays that many strokes."""
    lines = []
    for number in range(1, 6):
        opener, other = ("A", "B") if number % 2 else ("B", "A")
        lines.append(f"set {number} {opener}")
        for turn in range(1, 2 * strokes + 1):
            side = opener if turn % 2 else other
            lines.append(f"{turn}. {side} {facts} @20" if turn % 9 else f"{turn}. {side} o @20")
        winner = "A" if number in (1, 3, 5) else "B"
        lines.append(f'note "what happened in set {number}"')
        lines.append(f'award {winner} "time of the hall was over"')
    text = HEAD.format(a=a, b=b, result="*").replace("Distance: 60", "Distance: 600\nSets: 5")
    return first(text + "\n" + "\n".join(lines) + "\n")


# -- what stands on it ---------------------------------------------------------------------------------


def test_the_paper_says_all_that_the_log_says() -> None:
    text = "".join(pages(match_paper(example("corrections"))))
    for words in (
        "Trofeo dell'Esempio", "Example hall, table 3", "2026-02-08", "QF4", "Luigi Bianchi", "yellow ball",
        "UMB-1997 · UMB World Rules of 5-Pin Billiard", "best of 3 sets", "Anna Neri → Carlo Bruni",
        "lag: the choice is with A", "cannon 4 + outer pin 2 + centre pin 4 = 10",
        "turn 2 corrected, before: outer pin 2 (the right pin had fallen too, A pointed at it)",
        "taken back: turn 5 of B: lone centre pin 8 (entered for the wrong side of the board)",
        "taken back: end of the set at 24–30 (the referee had said good to the wrong score)",
        "note: a spectator's phone rang during turn 5", "protest of B: the noise disturbed my stroke",
        "decision (1.2): the stroke stands (Anna Neri, referee)",
        "A: penalty, 2 points to the opponent: chalked his cue over the table after a warning → 10–14",
        "match interrupted: power cut, the lamp is out", "match resumed", "referee from here on: Carlo Bruni",
        "object ball on its spot; outer pin 2", "the two balls exchange places", "red ball 1",
        DEFINITIONS["average"], "Player A", "Player B", "the match is not finished", "1–1 (28–30, 30–16)",
    ):  # fmt: skip
        assert "".join(words.split()) in text, words


def test_a_finished_match_has_its_winner_and_points() -> None:
    content = match_content(example("five-sets"))
    found = dict(content.result)
    assert found["Winner"] == "B · Marco Neri"
    assert found["Sets won"].startswith("2–3 (")
    assert (found["Match points"], found["Set points"]) == ("0–1", "2–3")
    assert [one.won for one in content.players] == [False, True]


def test_time_and_extra_time_are_noted_with_the_score() -> None:
    lines = 'set 1 A\nlate A\n1. A lost\nlate B\n2. B o r\npause 5:00 B "asked"\n'
    text = HEAD.format(a="x", b="y", result="*").replace("Rules", "Clock: 40+20\nRules")
    content = match_content(first(text + "\n" + lines))
    (section,) = content.sections
    assert [line.remark for line in section.lines if line.remark] == [
        "A: first time limit overstepped, 2 points to the opponent → 0–2",
        "B: first time limit overstepped, 2 points to the opponent → 2–4",
        "break of 5:00 min (B): asked",
    ]
    cells = [line.a or line.b for line in section.lines if not line.remark]
    assert [(cell.words, cell.points) for cell in cells if cell] == [
        ("turn lost on time", "−2"),
        ("cannon 4", "+4"),
    ]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_turn_in_force_is_a_cell_and_the_last_score_is_that_of_the_set(file: Path) -> None:
    for record in parse_file(file.read_text("utf-8")).records:
        content = match_content(record)
        for section in content.sections:
            cells = [cell for line in section.lines for cell in (line.a, line.b) if cell]
            assert sorted(cell.turn for cell in cells) == list(range(1, len(cells) + 1))
        assert match_paper(record).startswith(b"%PDF-")
        assert content.result[0][1] in match_html(record).replace("&#39;", "'")


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_paper_speaks_every_language(code: str) -> None:
    record, say = example("corrections"), language(code).say
    text, html = "".join(pages(match_paper(record, code))), html_text(match_html(record, code))
    for words in (say("Match paper"), say("Definition"), say(DEFINITIONS["average"]), say("match resumed")):
        assert "".join(words.split()) in text
        assert "".join(words.split()) in html


def test_the_page_says_what_the_paper_says() -> None:
    record = example("corrections")
    html = html_text(match_html(record))
    content = match_content(record)
    texts = [value for pair in (*content.head, *content.result) for value in pair]
    for line in (line for section in content.sections for line in section.lines):
        texts += [line.remark, *line.score, *(cell.words for cell in (line.a, line.b) if cell)]
    texts += [text for one in content.figures for text in (one.label, one.a, one.b, one.definition)]
    assert not [text for text in texts if "".join(text.split()) not in html]


def test_every_figure_has_its_name() -> None:
    assert list(LABELS) == list(DEFINITIONS)


# -- as a document -------------------------------------------------------------------------------------


def test_five_sets_of_forty_strokes_take_four_pages_at_most_and_none_is_empty() -> None:
    fouls = long_match(strokes=20, facts="r o /13 !foot")
    for record in (long_match(), long_match("A" * 40, "B" * 40), fouls):
        found = pages(match_paper(record))
        assert 2 <= len(found) <= 4
        assert all(len(text) > 100 for text in found)


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_long_list_of_fouls_leaves_the_definitions_their_room(code: str) -> None:
    record = example("five-sets")
    assert len(pages(match_paper(record, code))) <= 3
    (fouls,) = [one for one in match_content(record).figures if one.label == "Fouls"]
    for text in (fouls.a, fouls.b):
        words = [word.rpartition(" ")[0] for word in text.split(", ")]
        assert len(set(words)) == len(words)


def test_the_paper_is_an_archive_file_with_the_date_of_the_match() -> None:
    reader = PdfReader(io.BytesIO(match_paper(example("corrections"))))
    assert reader.metadata is not None
    assert reader.metadata.creation_date is not None
    assert reader.metadata.creation_date.date().isoformat() == "2026-02-08"
    assert reader.metadata.title == "Match paper: Luigi Bianchi – Elena Marrone"
    assert reader.xmp_metadata is not None
    xmp = reader.xmp_metadata.stream.get_data()
    assert b"<pdfaid:part>2</pdfaid:part>" in xmp
    assert b"<pdfaid:conformance>A</pdfaid:conformance>" in xmp


def test_two_processes_write_the_same_bytes() -> None:
    code = (
        "import hashlib, sys; from pathlib import Path; from fivepins.notation import parse_file;"
        "from fivepins.paper import match_paper, match_html;"
        "record = parse_file(Path(sys.argv[1]).read_text('utf-8')).records[0];"
        "made = (match_paper(record), match_html(record).encode());"
        "print(*(hashlib.sha256(one).hexdigest() for one in made))"
    )
    for record, file in ((example("walk-over"), "walk-over"), (example("corrections"), "corrections")):
        path = ROOT / "examples" / f"{file}.fpn"
        run = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
        here = [match_paper(record), match_html(record).encode()]
        assert run.stdout.split() == [hashlib.sha256(data).hexdigest() for data in here]


# -- names and ends ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*HOSTILE, "x" * 200, "Anna " * 39 + "Neri"])
def test_a_name_is_shown_literally(name: str) -> None:
    record = match(name, "Bianchi", "set 1 A\n1. A o r\n")
    wanted = "".join(name.split())
    assert wanted in "".join(pages(match_paper(record)))
    html = match_html(record)
    assert wanted in html_text(html)
    reader = Reader()
    reader.feed(html)
    assert "b" not in reader.tags


def test_a_character_the_font_lacks_is_printed_by_its_number() -> None:
    assert printable("Ženíšek Ωμέγα Жуков") == "Ženíšek Ωμέγα Жуков"
    assert "[U+738B]" in "".join(pages(match_paper(match("王"))))


def test_a_remark_longer_than_a_page_goes_on_over_the_page() -> None:
    found = pages(match_paper(match(lines=f'set 1 A\n1. A o r\nnote "{"ball " * 5000}end of it"\n')))
    assert "endofit" in "".join(found)
    assert "".join(found).count("ballball") >= 2400


def test_a_walk_over_before_the_first_stroke_has_a_paper() -> None:
    record = match(lines='end A walkover "B did not come"\n', result="A 0-0 walkover")
    content = match_content(record)
    assert [one.a for one in content.figures if one.label in ("Average", "Quotient")] == ["–", "–"]
    text = "".join(pages(match_paper(record)))
    assert "walk-over:Bdidnotcome" in text
    assert "A·Rossi" in text
    assert "B did not come" in match_html(record)


def test_a_record_with_a_fault_gets_no_paper() -> None:
    with pytest.raises(FivePinsError, match="line 9: check says 8"):
        match_paper(match(lines="set 1 A\n1. A o r =8\n"))
    with pytest.raises(FivePinsError, match="head of the match"):
        match_paper(Record((), ()))


# -- the equipment report and the command --------------------------------------------------------------


def test_the_equipment_report_has_a_paper() -> None:
    answers = {
        "report": {"place": "Sala <1> #x", "date": "2026-02-08", "by": "Anna Neri"},
        "table": {"slate": False, "length": 2846},
        "approved": {"bed": "the committee"},
    }
    pdf = equipment_paper(report(answers))
    text = "".join(pages(pdf))
    for words in ("Sala<1>#x", "2026-02-08", "approvedexception(thecommittee)", "2846mm", "Verdict:fails"):
        assert words in text
    assert len(pages(pdf)) <= 2
    assert pdf == equipment_paper(report(answers))
    assert "Gesamturteil" in "".join(pages(equipment_paper(report(answers), "de")))


def test_the_command_writes_both(tmp_path: Path) -> None:
    file, pdf, html = ROOT / "examples" / "corrections.fpn", tmp_path / "m.pdf", tmp_path / "m.html"
    words = ["paper", str(file), "--pdf", str(pdf), "--html", str(html), "--lang", "it"]
    run = CliRunner().invoke(app, words)
    assert run.exit_code == 0, run.output
    assert pdf.read_bytes() == match_paper(example("corrections"), "it")
    assert html.read_text("utf-8") == match_html(example("corrections"), "it")


@pytest.mark.parametrize(
    ("text", "options", "code", "told"),
    [
        (None, ["--pdf", "x.pdf"], 1, "cannot be read"),
        ("nonsense", ["--pdf", "x.pdf"], 1, "FPN 1"),
        (HEAD.format(a="a", b="b", result="B 1-0"), ["--pdf", "x.pdf"], 1, "the lines come to"),
        (HEAD.format(a="a", b="b", result="*"), ["--pdf", "x.pdf", "--match", "2"], 1, "has no match 2"),
        (HEAD.format(a="a", b="b", result="*"), [], 2, "say where to"),
    ],
)
def test_the_command_refuses_in_words(
    text: str | None, options: list[str], code: int, told: str, tmp_path: Path
) -> None:
    file = tmp_path / "match.fpn"
    if text is not None:
        file.write_text(text, "utf-8")
    run = CliRunner().invoke(app, ["paper", str(file), *options])
    assert run.exit_code == code
    assert told in " ".join(run.output.split())
    assert not Path("x.pdf").exists()
