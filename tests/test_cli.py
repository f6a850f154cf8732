"""The command line: what is printed where, exit codes, and that nothing ends in a traceback."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner, Result

from fivepins import __version__
from fivepins.cli import app
from fivepins.language import LANGUAGES
from fivepins.notation import LARGEST
from fivepins.stats import DEFINITIONS

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.fpn"))
PRIMAVERA = ROOT / "examples" / "primavera.fpn"
PROGRAM = Path(sys.executable).parent / "fivepins"
HEAD = "FPN 1\nA: Rossi\nB: Bianchi\nRules: UMB-1997\nDistance: 30\nResult: *\n"


def command(*arguments: str | Path, given: bytes | str | None = None) -> Result:
    """A command run in this process; anything but an exit is a bug and comes through."""
    result = CliRunner().invoke(app, [str(one) for one in arguments], input=given)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def process(*arguments: str | Path, given: bytes = b"", **environment: str) -> tuple[int, str, str]:
    """The program itself: exit code, stdout, stderr."""
    done = subprocess.run(
        [PROGRAM, *arguments],
        input=given,
        capture_output=True,
        timeout=60,
        check=False,
        env=os.environ | environment,
    )
    assert b"Traceback" not in done.stderr
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def told(*arguments: str | Path, given: bytes | str | None = None) -> tuple[int, list[Any]]:
    """Exit code and the JSON lines of stdout, with nothing on stderr."""
    result = command(*arguments, given=given)
    assert result.stderr == ""
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def match(tmp_path: Path) -> Path:
    """A small match, not canonical and without its result."""
    path = tmp_path / "match.fpn"
    path.write_text(f"{HEAD}\nset 1  A\n1. A o /5 #alone\n", encoding="utf-8")
    return path


# -- the program as installed ------------------------------------------------------------------------


def test_version() -> None:
    assert process("--version") == (0, f"fivepins {__version__}\n", "")


def test_called_wrongly() -> None:
    for arguments in (
        ["score"],
        ["score", "--nothing", PRIMAVERA],
        ["nothing"],
        ["rule", "--lang", "xx", "o"],
    ):
        code, out, err = process(*arguments)
        assert (code, out) == (2, "")
        assert err


def test_data_on_stdout_and_faults_on_stderr(tmp_path: Path) -> None:
    code, out, err = process("score", PRIMAVERA)
    assert (code, err) == (0, "")
    assert "Marco Rossi" in out
    wrong = tmp_path / "wrong.fpn"
    wrong.write_text(f"{HEAD}\nset 1 A\n1. A o /11\n", encoding="utf-8")
    code, out, err = process("score", wrong)
    assert (code, out) == (1, "")
    assert err == f"{wrong}:9:8  pin named twice: '/11'\n  hint: each pin once: /1\n"


def test_arguments_that_begin_with_a_dash() -> None:
    code, out, err = process("rule", "--json", "-", "c^")
    assert (code, err) == (0, "")
    assert json.loads(out)["facts"] == "- c^"
    assert process("rule", "-x")[0] == 1
    assert "no such option" in process("rule", "--nothing", "o")[2]


def test_strokes_from_stdin_that_are_not_utf8() -> None:
    code, out, err = process("rule", "--json", "-", given=b"o\no \xff\n", LC_ALL="C.UTF-8")
    good, bad = map(json.loads, out.splitlines())
    assert (code, good["facts"], bad["column"], err) == (1, "o", 3, "")


@pytest.mark.parametrize("arguments", [("--json",), ()])
def test_a_stdout_that_is_not_utf8(arguments: tuple[str, ...]) -> None:
    code, out, err = process("rule", "--lang", "es", *arguments, "o", "/13", PYTHONIOENCODING="ascii")
    assert (code, err) == (0, "")
    assert out.isascii()
    if arguments:
        assert json.loads(out)["say"] == "Válido, 4 puntos."


@pytest.mark.parametrize("arguments", [("score", "--json"), ("score",), ("export", "--jsonl")])
def test_a_reader_that_goes_away(arguments: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [PROGRAM, *arguments, *EXAMPLES], stdout=writing, stderr=subprocess.PIPE, timeout=60, check=False
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_a_disk_that_is_full() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [PROGRAM, "rule", "--json", "o"], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False
        )
    assert (done.returncode, done.stderr) == (1, b"error: No space left on device\n")


# -- rule --------------------------------------------------------------------------------------------

RULING: dict[str, Any] = {
    "type": "object",
    "properties": {
        "facts": {"type": "string"},
        "points": {"type": "integer", "minimum": 0},
        "to": {"enum": ["striker", "opponent", None]},
        "ball_in_hand": {"type": "boolean"},
        "fouls": {"type": "array", "items": {"type": "string"}},
        "awards": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "reason": {"type": "string"},
                    "article": {"type": "string"},
                    "points": {"type": "integer"},
                },
                "required": ["reason", "article", "points"],
                "additionalProperties": False,
            },
        },
        "say": {"type": "string"},
    },
    "additionalProperties": False,
}
RULING["required"] = list(RULING["properties"])


@pytest.mark.parametrize(
    ("arguments", "points", "to", "hand", "fouls"),
    [
        (["o", "/13"], 4, "striker", False, []),
        (["o /13"], 4, "striker", False, []),
        (["o"], 0, None, False, []),
        (["-"], 2, "opponent", True, ["object-ball"]),  # with --json a lone - would be stdin
        (["o", "c/2"], 2, "opponent", False, ["own-pins"]),
        (["r", "o"], 4, "opponent", True, ["red-ball"]),
        (["o", "c^"], 2, "opponent", True, ["outside"]),
        (["o", "!foot"], 2, "opponent", True, ["foot"]),
        (["x", "!touched"], 2, "opponent", True, ["touched"]),
        (["--rules", "FIBiS-2022", "o", "/3~"], 2, "striker", False, []),
        (["--rules", "UMB-1997", "o", "/3~"], 0, None, False, []),
        (["--adding", "each", "o", "!foot", "!push"], 4, "opponent", True, ["foot", "push"]),
        (["--adding", "distinct", "o", "!foot", "!push"], 4, "opponent", True, ["foot", "push"]),
        (["--adding", "never", "o", "!foot", "!push"], 2, "opponent", True, ["foot", "push"]),
        (["--opening", "--rules", "FIBiS-2022", "o", "/13"], 4, "opponent", False, []),
    ],
)
def test_rulings(arguments: list[str], points: int, to: str | None, *, hand: bool, fouls: list[str]) -> None:
    given = "-\n" if arguments == ["-"] else None
    code, (value,) = told("rule", "--json", *arguments, given=given)
    Draft202012Validator(RULING).validate(value)
    assert (code, value["points"], value["to"], value["fouls"]) == (0, points, to, fouls)
    assert value["ball_in_hand"] is hand
    assert sum(award["points"] for award in value["awards"]) == points


def test_a_ruling_explained() -> None:
    result = command("rule", "o", "/13")
    assert (result.exit_code, result.stderr) == (0, "")
    assert re.findall(r"\S.*\S", result.stdout) == [
        "o /13   UMB-1997",
        "2  outer pin       22.1a",
        "2  outer pin       22.1a",
        "4  to the striker",
        "“Valid, 4 points.”",
    ]
    assert "Object-ball" in command("rule", "-").stdout  # without --json a miss


def test_every_language_says_something_of_its_own() -> None:
    said = {told("rule", "--json", "--lang", code, "o", "c^")[1][0]["say"] for code in LANGUAGES}
    assert len(said) == len(LANGUAGES)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("o /11", 3, "pin named twice: '/11'"),
        ("o  /1 c", 7, "this is no fact here: 'c'"),
        ("?", 1, "there is nothing to rule in '?'"),
        ("  lost", 3, "there is nothing to rule in 'lost'"),
        ("", 1, "no stroke is written"),
        ("o pos=-/1:1/2:2/1", 3, "a mark is no fact: 'pos=-/1:1/2:2/1'"),
        ("| o !partner", 5, "UMB-1997 names no foul 'partner'"),
    ],
)
def test_strokes_that_cannot_be_ruled(text: str, column: int, message: str) -> None:
    code, values = told("rule", "--json", "-", given=f"o\n{text}\n- \n")
    assert code == 1
    assert values[1] == {"facts": text, "error": message, "column": column}
    assert [value["facts"] for value in values[::2]] == ["o", "-"]
    result = command("rule", text)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.split("\n")[:2] == [text, f"{' ' * (column - 1)}^ {message}"]
    assert "hint: " in result.stderr


def test_no_strokes_from_stdin() -> None:
    assert told("rule", "--json", "-", given="") == (0, [])


@pytest.mark.parametrize(
    "option", [("--rules", "UMB-2099"), ("--adding", "often"), ("--lang", "xx"), ("--nothing",)]
)
def test_options_that_are_not_known(option: tuple[str, ...]) -> None:
    result = command("rule", *option, "o")
    assert (result.exit_code, result.stdout) == (2, "")
    assert option[-1] in result.stderr


# -- score -------------------------------------------------------------------------------------------

WHOLE = {"type": "integer", "minimum": 0}
NUMBERS = {
    "type": "object",
    "properties": {"A": WHOLE, "B": WHOLE},
    "required": ["A", "B"],
    "additionalProperties": False,
}
SIDE = {"enum": ["A", "B", None]}


def exactly(**properties: object) -> dict[str, object]:
    """An object with these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def or_null(schema: object) -> dict[str, object]:
    return {"anyOf": [schema, {"type": "null"}]}


PROBLEM = exactly(
    line={"type": "integer", "minimum": 1},
    column={"type": "integer", "minimum": 1},
    message={"type": "string", "minLength": 1},
    hint={"type": "string"},
)
MATCH = exactly(
    file={"type": "string"},
    rules=or_null({"type": "string"}),
    sides=exactly(A=or_null({"type": "string"}), B=or_null({"type": "string"})),
    sets={
        "type": "array",
        "items": exactly(number=WHOLE, opener=SIDE, A=WHOLE, B=WHOLE, winner=SIDE, turns=WHOLE),
    },
    score=or_null(NUMBERS),
    sets_won=or_null(NUMBERS),
    winner=SIDE,
    over=or_null({"type": "boolean"}),
    match_points=or_null(NUMBERS),
    set_points=or_null(NUMBERS),
    statistics=or_null(exactly(A={"type": "object"}, B={"type": "object"}, sets={"type": "array"})),
    problems={"type": "array", "items": PROBLEM},
)
MATCHES = Draft202012Validator({"type": "array", "items": MATCH})


def scored(*arguments: str | Path) -> tuple[int, list[dict[str, Any]]]:
    code, (values,) = told("score", "--json", *arguments)
    MATCHES.validate(values)
    return code, values


def test_the_score_of_the_example() -> None:
    code, (value,) = scored(PRIMAVERA)
    statistics = value.pop("statistics")
    assert code == 0
    assert value == {
        "file": str(PRIMAVERA),
        "rules": "UMB-1997",
        "sides": {"A": "Marco Rossi", "B": "Luca Bianchi"},
        "sets": [
            {"number": 1, "opener": "B", "A": 22, "B": 30, "winner": "B", "turns": 11},
            {"number": 2, "opener": "A", "A": 0, "B": 12, "winner": None, "turns": 3},
        ],
        "score": {"A": 0, "B": 12},
        "sets_won": {"A": 0, "B": 1},
        "winner": None,
        "over": False,
        "match_points": None,
        "set_points": None,
        "problems": [],
    }
    assert set(statistics["A"]) == set(statistics["B"]) == set(DEFINITIONS)
    assert [one["number"] for one in statistics["sets"]] == [1, 2]


def test_one_array_of_all_matches() -> None:
    code, values = scored(*EXAMPLES)
    assert code == 0
    assert {value["file"] for value in values} == set(map(str, EXAMPLES))
    over = [value for value in values if value["over"]]
    assert any(value["match_points"] for value in over)
    assert all((value["match_points"] is None) or value["over"] for value in values)
    semi = next(value for value in values if "semi-final" in value["file"])
    assert (semi["winner"], semi["sets_won"], semi["sets"][0]["opener"]) == ("A", {"A": 4, "B": 0}, None)
    absent = next(value for value in values if "walk-over" in value["file"])
    assert (absent["winner"], absent["match_points"], absent["sets"]) == ("A", None, [])


def test_several_matches_in_a_file_have_their_own_problems(tmp_path: Path) -> None:
    path = tmp_path / "two.fpn"
    path.write_text(f"{HEAD}\nset 1 A\n1. A o =2\n\n{HEAD}\nset 1 A\nhuh\n", encoding="utf-8")
    code, values = scored("--lenient", path)
    assert code == 1
    assert [[p["line"] for p in value["problems"]] for value in values] == [[9], [19]]


def test_problems_are_told_and_facts_kept(tmp_path: Path) -> None:
    path = tmp_path / "faulty.fpn"
    path.write_text(f"{HEAD}\nset 1 A\n1. A o /1 =4\n2. B o\n3. B o\n", encoding="utf-8")
    assert scored(path)[1][0]["sets"][0]["turns"] == 0
    code, (value,) = scored("--lenient", path)
    assert (code, value["score"], value["sets"][0]["turns"]) == (1, {"A": 2, "B": 0}, 2)
    assert value["problems"] == [
        {
            "line": 9,
            "column": 11,
            "message": "check says 4 to the striker, the facts give 2: '1. A o /1 =4'",
            "hint": "was a second pin felled? write /13, or /.. if you do not know which",
        },
        {
            "line": 11,
            "column": 4,
            "message": "turn 3 belongs to A",
            "hint": "A is to play: was a stroke left out, or entered twice?",
        },
    ]
    result = command("score", "--lenient", path)
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        text
        for one in value["problems"]
        for text in (f"{path}:{one['line']}:{one['column']}  {one['message']}", f"  hint: {one['hint']}")
    ]
    assert "Set 1" in result.stdout


def test_scoring_under_another_book(tmp_path: Path) -> None:
    path = tmp_path / "match.fpn"
    path.write_text(f"{HEAD}\nset 1 A\n1. A o =0\n2. B o /3~ =0\n", encoding="utf-8")
    assert scored(path)[1][0]["score"] == {"A": 0, "B": 0}
    code, (value,) = scored("--rules", "FIBiS-2022", path)
    assert (code, value["rules"], value["score"]) == (0, "FIBiS-2022", {"A": 0, "B": 2})


def test_the_score_sheet() -> None:
    result = command("score", *EXAMPLES)
    assert (result.exit_code, result.stderr) == (0, "")
    for words in (
        "Marco Rossi – Luca Bianchi",
        "Set 1  22–30, won by Luca Bianchi",
        "Won by Quarta, sets 4–0",
        "Not finished; sets 0–1",
        "expected now: turn 4 of B",
    ):
        assert words in result.stdout
    assert command("score", "--lang", "it", PRIMAVERA).stdout != command("score", PRIMAVERA).stdout


# -- fmt ---------------------------------------------------------------------------------------------


def test_fmt_writes_the_canonical_form_once(match: Path) -> None:
    result = command("fmt", match)
    assert (result.exit_code, result.stdout) == (0, "")
    assert match.read_text(encoding="utf-8") == f"{HEAD}\nset 1 A\n1. A o /5  # alone\n"
    before = match.stat()
    again = command("fmt", match)
    assert (again.exit_code, again.stderr, match.stat()) == (0, "", before)


def test_fmt_check_changes_nothing(match: Path) -> None:
    before = match.read_bytes()
    result = command("fmt", "--check", match)
    assert (result.exit_code, result.stdout, match.read_bytes()) == (1, "", before)
    assert f"{match}  is not canonical" in result.stderr
    command("fmt", match)
    result = command("fmt", "--check", match)
    assert (result.exit_code, result.stderr) == (0, "")


def test_examples_are_canonical() -> None:
    result = command("fmt", "--check", *EXAMPLES)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize("found", ["*", "A 1-0", "B 0-1"])
def test_fmt_writes_the_result(tmp_path: Path, found: str) -> None:
    path = tmp_path / "match.fpn"
    path.write_text(f"{HEAD.replace('*', found)}\nresult 1 A 30-12\n", encoding="utf-8")
    assert command("fmt", path).exit_code == 0
    assert "Result: A 1-0\n" in path.read_text(encoding="utf-8")


def test_fmt_keeps_mode_and_link(match: Path) -> None:
    match.chmod(0o640)
    link = match.with_name("link.fpn")
    link.symlink_to(match)
    assert command("fmt", link).exit_code == 0
    assert link.is_symlink()
    assert stat.S_IMODE(match.stat().st_mode) == 0o640
    assert "  # alone" in match.read_text(encoding="utf-8")
    assert sorted(path.name for path in match.parent.iterdir()) == ["link.fpn", "match.fpn"]


@pytest.mark.parametrize("line", ["1. A  o /11", "1.  A o =2", "1. B  o", "huh  "])
def test_fmt_never_overwrites_what_is_wrong(match: Path, line: str) -> None:
    other = match.with_name("other.fpn")
    other.write_bytes(match.read_bytes())
    match.write_text(f"{HEAD}\nset 1 A\n{line}\n", encoding="utf-8")
    before = match.read_bytes()
    result = command("fmt", match, other)
    assert (result.exit_code, match.read_bytes()) == (1, before)
    assert f"{match}:9:" in result.stderr
    assert "  # alone" in other.read_text(encoding="utf-8")  # one bad file does not keep the others


# -- export ------------------------------------------------------------------------------------------


def test_export() -> None:
    code, values = told("export", "--jsonl", PRIMAVERA, PRIMAVERA)
    assert code == 0
    assert [value["type"] for value in values].count("match") == 2
    assert values[3]["facts"] == "o /1"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([PRIMAVERA], "--jsonl FILE"),
        (["--jsonl", "--db", "sqlite:///none.db", PRIMAVERA], "--jsonl FILE"),
        (["--db", "sqlite:///none.db", "one", "two"], "one folder"),
    ],
    ids=["neither", "both", "two folders"],
)
def test_an_export_says_what_is_missing(arguments: list[str], told: str) -> None:
    result = command("export", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr


def test_the_package_is_its_program() -> None:
    asked = [sys.executable, "-m", "fivepins", "--version"]
    assert subprocess.check_output(asked, text=True) == f"fivepins {__version__}\n"


def test_export_of_what_is_wrong(match: Path) -> None:
    match.write_text(f"{HEAD}\nhuh\n", encoding="utf-8")
    result = command("export", "--jsonl", match)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"{match}:8:1  not an event: 'huh'\n")


# -- equipment ---------------------------------------------------------------------------------------


def test_equipment(tmp_path: Path) -> None:
    good = ROOT / "examples" / "equipment.toml"
    result = command("equipment", good)
    assert (result.exit_code, result.stderr) == (0, "")
    code, (value,) = told("equipment", "--json", good)
    assert (code, value["fit"]) == (0, True)
    form = tmp_path / "form.toml"
    template = command("equipment", "--template")
    assert (template.exit_code, template.stderr) == (0, "")
    form.write_text(template.stdout, encoding="utf-8")
    code, (value,) = told("equipment", "--json", form)
    assert (code, value["fit"]) == (1, False)
    assert command("equipment").exit_code == 2


@pytest.mark.parametrize("content", [b"a = ", b"\xff\xfe", b"unknown = 1\n"])
def test_equipment_that_cannot_be_read(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    for one in (path, tmp_path, tmp_path / "none.toml"):
        result = command("equipment", one)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith(f"{one}  ")
        assert "hint: " in result.stderr


# -- perft -------------------------------------------------------------------------------------------


def test_perft() -> None:
    assert command("perft", "match").stdout == "UMB-1997: 6,962 open score states of a set to 60\n"
    assert command("perft", "match", "--distance", "5").exit_code == 0
    assert command("perft", "notation").stdout == "64,420 strokes printed and parsed back\n"
    strokes = command("perft", "strokes")
    assert (strokes.exit_code, strokes.stderr) == (0, "")
    assert "69,680 strokes" in strokes.stdout
    assert command("perft", "nothing").exit_code == 2
    assert command("perft", "match", "--distance", "0").exit_code == 2


# -- files that are no matches -----------------------------------------------------------------------

COMMANDS = [("score",), ("score", "--lenient"), ("fmt",), ("fmt", "--check"), ("export", "--jsonl")]
CONTENTS = {
    "binary": (b"\x89PNG\r\n\x1a\n\0\0", 1, 1, "this is a binary file, not FPN"),
    "empty": (b"", 1, 1, "the file is empty"),
    "latin": (b"FPN 1\nA: Pi\xe8ro\n", 2, 6, "byte 11 is not UTF-8"),
    "later": (HEAD.replace("FPN 1", "FPN 2").encode(), 1, 5, "this file is FPN 2; this program reads FPN 1"),
    "other": (b"1. e4 e5\n", 1, 1, "a match begins with 'FPN 1', not with '1. e4 e5'"),
    "rules": (HEAD.replace("1997", "2099").encode(), 4, 8, "unknown rule book: 'UMB-2099'"),
}


@pytest.mark.parametrize("name", CONTENTS)
@pytest.mark.parametrize("verb", COMMANDS, ids=" ".join)
def test_files_that_are_no_matches(tmp_path: Path, verb: tuple[str, ...], name: str) -> None:
    content, line, column, message = CONTENTS[name]
    path = tmp_path / "bad.fpn"
    path.write_bytes(content)
    result = command(*verb, path)
    assert (result.exit_code, result.stdout, path.read_bytes()) == (1, "", content)
    assert f"{path}:{line}:{column}  {message}\n  hint: " in result.stderr


@pytest.mark.parametrize("verb", COMMANDS, ids=" ".join)
def test_files_that_cannot_be_read(tmp_path: Path, verb: tuple[str, ...]) -> None:
    huge = tmp_path / "huge.fpn"
    with huge.open("wb") as file:
        file.truncate(50 << 20)
    for path, message in (
        (tmp_path, "the file cannot be read: Is a directory"),
        (tmp_path / "none.fpn", "the file cannot be read: No such file or directory"),
        (huge, f"the file is larger than {LARGEST >> 20} MB"),
    ):
        result = command(*verb, path)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith(f"{path}:1:1  {message}\n  hint: ")
    assert huge.stat().st_size == 50 << 20


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(match: Path) -> None:
    match.chmod(0)
    result = command("score", match)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "the file cannot be read: Permission denied" in result.stderr


def test_a_file_that_is_no_match_as_json(tmp_path: Path) -> None:
    code, (value,) = scored(tmp_path / "none.fpn")
    assert code == 1
    assert (value["rules"], value["score"], value["over"], value["sets"]) == (None, None, None, [])
    assert len(value["problems"]) == 1


def test_one_bad_file_among_good_ones(tmp_path: Path) -> None:
    code, values = scored(tmp_path, PRIMAVERA)
    assert (code, [len(value["problems"]) for value in values]) == (1, [1, 0])


# -- what a first user ran into ------------------------------------------------------------------


def test_a_read_only_file_is_not_rewritten(match: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match.write_text(match.read_text("utf-8").replace("FPN 1\n", "FPN  1\n", 1), "utf-8")
    before = match.read_bytes()
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everything
    result = command("fmt", match)
    assert (result.exit_code, match.read_bytes()) == (1, before)
    assert "is read-only" in result.stderr


def test_the_sheet_tells_decisions_and_the_points_of_unrecorded_strokes(tmp_path: Path) -> None:
    path = tmp_path / "m.fpn"
    path.write_text(
        "FPN 1\nA: A\nB: B\nRules: UMB-1997\nDistance: 60\nResult: *\n\nset 1 A\n1. A ? =-4 hand\n2. B ? =6\n"
        'decision "the pin is put back" by "the referee"\nprotest A "it fell"\n',
        "utf-8",
    )
    shown = command("score", path).stdout
    assert "4 to the opponent, ball in hand" in shown
    assert 'set 1: decision "the pin is put back" by "the referee"' in shown
    assert 'set 1: protest A "it fell"' in shown


def test_a_match_without_end_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "long.fpn"
    head = "FPN 1\nA: A\nB: B\nRules: UMB-1997\nDistance: 60\nResult: *\n\nset 1 A\n"
    path.write_text(head + "".join(f"{n}. {'BA'[n % 2]} o\n" for n in range(1, 100_000)), "utf-8")
    result = command("score", path)
    assert result.exit_code == 1
    assert f"{path}:1:1  a match of " in result.stderr
