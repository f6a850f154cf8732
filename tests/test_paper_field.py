"""The papers against what went wrong elsewhere: names, bulk prints, sums, languages; and the blank sheet."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader
from typer.testing import CliRunner

from fivepins.cli import app
from fivepins.errors import FivePinsError
from fivepins.language import LANGUAGES, language
from fivepins.notation import Record, parse_file
from fivepins.paper import match_html, match_paper, match_papers, sheet_paper
from fivepins.paper.blank import blank_content
from fivepins.paper.content import match_content
from fivepins.paper.typeset import printable
from fivepins.rulebook import FIBIS_2022, UMB_1997
from fivepins.sheet import score, sheet_json
from fivepins.table import Side

ROOT = Path(__file__).parent.parent
FILES = sorted([*(ROOT / "examples").glob("*.fpn"), *(ROOT / "tests" / "playthroughs").glob("*.fpn")])
RECORDS = {
    f"{file.stem}:{number}": record
    for file in FILES
    for number, record in enumerate(parse_file(file.read_text("utf-8")).records, 1)
}
"""Every match of the examples and playthroughs, by its file and its place in it."""
RECORD = next(iter(RECORDS.values()))

GOLDEN = ROOT / "tests" / "golden" / "results.tsv"
FIGURES = {"Points": "points", "Strokes": "strokes", "Best stroke": "best", "Average": "average"}
"""What the golden table holds, by what a paper calls it."""
GOLDEN_HEAD = (
    "# Who has won the matches of examples and tests/playthroughs, with which figures; the same on paper,",
    "# page and in JSON. - where there is none.",
    "# match\twinner\t" + "\t".join(f"{key} {side}" for key in FIGURES.values() for side in "AB"),
)
HEAD = "FPN 1\nDate: 2026-02-08\nA: {a}\nB: {b}\nRules: UMB-1997\nDistance: 600\nSets: 5\nResult: *\n"
NAMES = (
    "O'Brien",
    "Peña & Söhne",
    "<b>x</b>",
    "#set text",
    "$x$",
    "back\\slash",
    "W" * 200,
    "ab " * 66 + "cd",
)


def match(a: str = "Rossi", b: str = "Bianchi", lines: str = "") -> Record:
    return parse_file(HEAD.format(a=a, b=b) + "\n" + lines).records[0]


def full(name: str = "") -> Record:
    """Five sets of forty strokes a set, names of forty letters."""
    lines = []
    for number in range(1, 6):
        first, second = ("A", "B") if number % 2 else ("B", "A")
        lines.append(f"set {number} {first}")
        lines += [f"{turn}. {first if turn % 2 else second} o r /1" for turn in range(1, 41)]
        lines.append(f'award {"AB"[number % 2 == 0]} "time of the hall was over"')
    return match((name + "A" * 40)[:40], "B" * 40, "\n".join(lines) + "\n")


def words(pdf: bytes) -> list[str]:
    """The text of each page without its white space."""
    found = [page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages]
    return ["".join(text.replace("\u200b", "").split()) for text in found]


# -- many papers in one file (B68) -----------------------------------------------------------------------


def test_b68_sixty_matches_print_whole_each_on_pages_of_its_own() -> None:
    """No row is cut, no page is empty, the pages are as many as those of the papers one by one."""
    records = [full(f"{number:02}") for number in range(60)]
    alone = len(words(match_paper(records[0])))
    found = words(match_papers(records))
    assert alone <= 4
    assert len(found) == 60 * alone
    assert min(map(len, found)) > 100
    for number in range(60):
        one = found[number * alone : (number + 1) * alone]
        assert f"A·{number:02}AAA" in one[0]
        assert [text.endswith(f"page{page}/{alone}") for page, text in enumerate(one, 1)] == [True] * alone
        strokes = re.findall(r"cannon4\+outerpin2=6", "".join(one))
        assert len(strokes) == 200
        assert not [text for text in one if text.count("cannon4") != text.count("cannon4+outerpin2=6")]


def test_a_bundle_has_the_day_of_its_latest_match_and_the_same_bytes_every_time() -> None:
    records = [parse_file(HEAD.format(a=a, b="x").replace("02-08", day)).records[0] for a, day in
               (("one", "03-01"), ("two", "05-02"), ("three", "04-01"))]  # fmt: skip
    pdf = match_papers(records)
    assert pdf == match_papers(records)
    about = PdfReader(io.BytesIO(pdf)).metadata
    assert about is not None
    assert about.creation_date is not None
    assert about.creation_date.date().isoformat() == "2026-05-02"
    assert about.title == "Match paper: 3"
    with pytest.raises(FivePinsError, match="no match to print"):
        match_papers([])


def test_papers_made_in_several_threads_are_the_same() -> None:
    record = RECORD
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: match_paper(record), range(12))) == {match_paper(record)}
        assert set(pool.map(lambda _: sheet_paper("it", record), range(12))) == {sheet_paper("it", record)}


# -- names (B71) -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES, ids=lambda name: name[:12])
def test_b71_a_name_is_printed_literally_on_every_paper(name: str) -> None:
    record = match(name, "Bianchi", 'set 1 A\n1. A o r\nnote "' + name.replace('"', "") + '"\n')
    literal = "".join(name.split())
    assert literal in "".join(words(match_paper(record)))
    assert literal in "".join(words(sheet_paper("en", record)))
    assert "<b>x" not in match_html(record)


def test_b71_two_hundred_wide_letters_are_broken_into_lines() -> None:
    """A W is 10 pt wide in the head, so 41 of them, the most that stand anywhere in a line, fill a page."""
    text = PdfReader(io.BytesIO(match_paper(match("W" * 200, "M" * 200)))).pages[0].extract_text()
    for letter in "WM":
        lines = re.findall(rf"{letter}+", text.replace("\u200b", ""))
        assert sum(map(len, lines)) >= 200
        assert max(map(len, lines)) <= 41


@pytest.mark.parametrize(
    "name",
    ["Nguyễn Văn Đức", "Жуков", "Ωμέγα", "محمد علي", "დავით", "Աննա", "Žofie Ďurišová", "Łukasz", "İbrahim"],
)
def test_a_name_in_the_scripts_of_the_font_is_printed_in_them(name: str) -> None:
    assert printable(name) == name
    text = unicodedata.normalize("NFKC", "".join(words(match_paper(match(name)))))
    assert set(unicodedata.normalize("NFKC", name.replace(" ", ""))) <= set(text)


def test_a_name_in_other_scripts_is_printed_by_its_numbers_and_nothing_vanishes() -> None:
    assert printable("王小明 🎱") == "[U+738B U+5C0F U+660E] [U+1F3B1]"
    text = "".join(words(match_papers([match("王小明"), match("🎱")])))
    assert "[U+738BU+5C0FU+660E]" in text
    assert "[U+1F3B1]" in text
    assert "王小明" in match_html(match("王小明"))


@pytest.mark.parametrize("mark", ["\u202e", "\u2066", "\ufeff", "\x00", "\ud800"], ids=ascii)
def test_what_cannot_be_seen_is_printed_by_its_number(mark: str) -> None:
    assert printable(f"a{mark}b") == f"a[U+{ord(mark):04X}]b"


# -- lines and terms (B12, B63) ---------------------------------------------------------------------------


def test_b12_a_foul_with_points_is_one_line_whose_whole_total_is_the_opponents() -> None:
    """A cannon, two pins, and the own ball in the pins: 8 to the opponent, and the running total says so."""
    record = match(lines="set 1 A\n1. A o r /1 c/2 =-8\n")
    (section,) = match_content(record).sections
    (line,) = section.lines
    words_of_it = "own ball in the pins: cannon 4 + 2 × outer pin 4 = 8 to the opponent"
    assert line.a is not None
    assert (line.a.words, line.a.points, line.b) == (words_of_it, "−8", None)
    assert line.score == ("0", "8")
    printed = "".join(words(match_paper(record)))
    assert printed.count("−8") == 1
    assert printed.count("cannon4") == 1


def test_b63_a_handicap_stands_on_the_paper_and_is_in_its_scores_but_in_no_figure() -> None:
    """As start points and as a distance of one's own; on the paper, on its page and on the blank sheet."""
    text = HEAD.format(a="Rossi", b="Bianchi").replace("Distance: 600", "Distance: 40/30\nStart: 0-5")
    record = parse_file(text + "\nset 1 A\n1. A o /1\n2. B o /1\n").records[0]
    content = match_content(record)
    told = dict(content.head)
    assert (told["Distance"], told["Handicap"]) == ("40 / 30", "A 0, B 5")
    assert [line.score for line in content.sections[0].lines] == [("2", "7")]
    points = next(one for one in content.figures if one.label == "Points")
    assert (points.a, points.b) == ("2", "2")
    page = "".join(match_html(record).split())
    for paper in ("".join(words(match_paper(record))), "".join(words(sheet_paper("en", record)))):
        for shown in ("40/30", "A0,B5"):
            assert shown in paper
            assert shown in page


# -- figures (B41, B44, B45, B50) ------------------------------------------------------------------------


def result_rows() -> Iterator[str]:
    """The rows of the golden table."""
    for name, record in RECORDS.items():
        told = sheet_json(score(record), "match.fpn")
        figures: Any = told["statistics"]
        cells = [name, told["winner"] or "-"]
        for key in FIGURES.values():
            cells += [
                "-" if (one := figures[side.value][key]) is None else str(round(one, 3)) for side in Side
            ]
        yield "\t".join(map(str, cells))


def write_golden() -> None:
    """Write the table anew."""
    GOLDEN.write_text("\n".join((*GOLDEN_HEAD, *result_rows())) + "\n", "utf-8")


def test_b50_the_json_is_the_golden_table() -> None:
    rows = [row for row in GOLDEN.read_text("utf-8").splitlines() if not row.startswith("#")]
    assert rows == [*result_rows()]


@pytest.mark.parametrize("name", RECORDS)
def test_b50_pdf_and_page_have_the_winner_and_the_figures_of_the_same_golden_table(name: str) -> None:
    (row,) = [one for one in GOLDEN.read_text("utf-8").splitlines() if one.startswith(f"{name}\t")]
    _, winner, *cells = row.split("\t")
    content = match_content(RECORDS[name])
    pdf, html = "".join(words(match_paper(RECORDS[name]))), "".join(match_html(RECORDS[name]).split())
    assert [one.side for one in content.players if one.won] == [winner][: winner != "-"]
    for label, value in content.result:
        shown = "".join((label + value).split())
        assert shown in pdf
        assert winner == "-" or label != "Winner" or shown.startswith(f"Winner{winner}·")
    for place, label in enumerate(FIGURES):
        a, b = map(partial(printed, label), cells[2 * place : 2 * place + 2])
        assert f"{label.replace(' ', '')}{a}{b}" in pdf
        assert f'{label.replace(" ", "")}</td><tdclass="n">{a}</td><tdclass="n">{b}</td>' in html


def printed(label: str, cell: str) -> str:
    """A figure of the golden table as a paper writes it."""
    return "–" if cell == "-" else f"{float(cell):.3f}" if label == "Average" else cell


def test_b41_the_printed_sums_are_those_of_the_printed_strokes() -> None:
    """Where no set reaches its distance, nothing is cut and each sum can be had by adding the cells."""
    content = match_content(full())
    sums = {"A": 0, "B": 0}
    for line in (line for section in content.sections for line in section.lines):
        for side, cell in (("A", line.a), ("B", line.b)):
            sums[side] += int(cell.points.replace("−", "-")) if cell else 0
    printed = next(one for one in content.figures if one.label == "Points")
    assert (printed.a, printed.b) == (str(sums["A"]), str(sums["B"])) == ("600", "600")
    sets = dict(content.result)["Sets won"]
    assert sets.startswith("3–2 (")


def test_b44_strokes_without_points_count_in_the_average_and_the_paper_says_so() -> None:
    record = match(lines="set 1 A\n1. A o r /1\n2. B o\n3. A o\n4. B o\n5. A -\n6. B o\n7. A o r\n")
    text = "".join(words(match_paper(record)))
    assert "Average2.5000.000scored,dividedbystrokes" in text  # (6 + 0 + foul + 4) / 4


def test_b45_a_walk_over_has_no_average_on_any_paper() -> None:
    record = match(lines='end A walkover "B did not come"\n')
    for code in LANGUAGES:
        average = "".join(language(code).say("Average").split())
        assert f"{average}––" in "".join(words(match_paper(record, code)))
    assert words(sheet_paper("en", record))


# -- languages (B67) -------------------------------------------------------------------------------------


def test_b67_every_reader_has_his_own_words_numbers_and_dates() -> None:
    record = match(lines="set 1 A\n1. A o r /1\n2. B o\n3. A o r\n4. B o\n")
    dates = {
        "en": "2026-02-08",
        "it": "08/02/2026",
        "es": "08/02/2026",
        "fr": "08/02/2026",
        "de": "08.02.2026",
    }
    for code in LANGUAGES:
        say, text = language(code).say, "".join(words(match_paper(record, code)))
        assert "".join(say("Match paper").split()) in text
        assert dates[code] in text
        assert ("5.000" if code == "en" else "5,000") in text
        assert ("5,000" if code == "en" else "5.000") not in text
        assert dates[code] in match_html(record, code)


# -- the sheet for a pencil ------------------------------------------------------------------------------


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_blank_sheet_is_a_page_a_set_in_every_language(code: str) -> None:
    """Also where both names are as long as a name may be."""
    assert len(words(sheet_paper(code))) == 1
    for record in (match(), match("W" * 200, "M" * 200)):
        found = words(sheet_paper(code, record))
        assert len(found) == 5
        say = language(code).say
        for number, text in enumerate(found, 1):
            assert "".join(f"{say('Set')} {number} / 5".split()) in text
            assert "".join(say("Player B").split()) in text
            assert "c^o^r^" in text


def test_the_blank_sheet_has_the_head_of_the_match_and_the_values_of_its_book() -> None:
    content = blank_content("en", RECORD)
    terms = RECORD.terms
    assert terms is not None
    assert dict(content.head)["Date"] == (RECORD.value("Date") or "")
    assert [name for name, _ in content.players] == list(terms.players)
    for book in (UMB_1997, FIBIS_2022):
        empty = blank_content("en", None, book)
        assert {value for label, value in empty.head if label != "Rules"} == {""}
        assert book.title in dict(empty.head)["Rules"]
        assert dict(empty.values)["centre pin, alone"] == f"4, {book.lone_centre}"


def test_the_blank_sheet_is_an_archive_file_and_the_same_every_time() -> None:
    pdf = sheet_paper("de", match())
    assert pdf == sheet_paper("de", match())
    xmp = PdfReader(io.BytesIO(pdf)).xmp_metadata
    assert xmp is not None
    assert b"<pdfaid:part>2</pdfaid:part>" in xmp.stream.get_data()


def test_the_blank_sheet_needs_no_sound_lines() -> None:
    assert words(sheet_paper("en", match(lines="set 1 A\n1. A o r =8\n")))


# -- the command -----------------------------------------------------------------------------------------


def test_the_command_prints_files_and_all_their_matches_into_one(tmp_path: Path) -> None:
    two, one, out = tmp_path / "two.fpn", tmp_path / "one.fpn", tmp_path / "out.pdf"
    two.write_text(2 * HEAD.format(a="a", b="b"), "utf-8")
    one.write_text(HEAD.format(a="c", b="d"), "utf-8")
    run = CliRunner().invoke(app, ["paper", str(two), str(one), "--pdf", str(out)])
    assert run.exit_code == 0, run.output
    assert out.read_bytes() == match_papers([match("a", "b"), match("a", "b"), match("c", "d")])


def test_the_command_prints_the_blank_sheet(tmp_path: Path) -> None:
    file, out = tmp_path / "one.fpn", tmp_path / "out.pdf"
    file.write_text(HEAD.format(a="c", b="d"), "utf-8")
    for options, wanted in (
        (["--rules", "FIBiS-2022", "--lang", "it"], sheet_paper("it", None, FIBIS_2022)),
        ([str(file)], sheet_paper("en", match("c", "d"))),
    ):
        run = CliRunner().invoke(app, ["paper", "--blank", *options, "--pdf", str(out)])
        assert run.exit_code == 0, run.output
        assert out.read_bytes() == wanted


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--pdf", "x.pdf"], "name a file"),
        (["--blank", "--html", "x.html"], "the blank sheet is printed"),
        (["FILE", "--pdf", "x.pdf", "--rules", "UMB-1997"], "a match has its own"),
        (["FILE", "--html", "x.html"], "a page holds one match"),
        (["FILE", "--blank", "--pdf", "x.pdf"], "for one match"),
    ],
)
def test_the_command_refuses_what_has_no_sense(options: list[str], told: str, tmp_path: Path) -> None:
    file = tmp_path / "two.fpn"
    file.write_text(2 * HEAD.format(a="a", b="b"), "utf-8")
    run = CliRunner().invoke(app, ["paper", *(str(file) if one == "FILE" else one for one in options)])
    assert run.exit_code == 2
    assert told in " ".join(re.sub("[│╭╮╰╯─]", " ", run.output).split())
    assert not Path("x.pdf").exists()
