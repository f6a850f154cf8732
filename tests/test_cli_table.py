"""`fivepins simulate`, `draw`, `check` and `bench`, as a shell sees them."""

from __future__ import annotations

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest
from rich.console import Console
from typer.testing import CliRunner

from fivepins.cli import app, table
from fivepins.codes import format_position, parse_cue, parse_position
from fivepins.events import Turn
from fivepins.lines import parse_line
from fivepins.physics import MATHAVAN, STANDARD, simulate
from fivepins.referee import judge
from fivepins.rules import Receiver, rule
from fivepins.tokens import parse_stroke

POS = "500:560/640:980/760:1700/12345"
CUE = "v2.5,a69.6"
HEAD = "FPN 1\nA: Rossi\nB: Bianchi\nRules: UMB-1997\nDistance: 60\nResult: *\n\nlag B\nset 1 B\n"


class Answer(NamedTuple):
    """What a shell sees of a command."""

    exit_code: int
    stdout: str
    stderr: str


def run(*words: str, stdin: str | None = None) -> Answer:
    result = CliRunner().invoke(app, list(words), input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return Answer(result.exit_code, result.stdout, result.stderr)


def fine(*words: str, stdin: str | None = None) -> str:
    result = run(*words, stdin=stdin)
    assert result.exit_code == 0, result.stderr
    assert not result.stderr
    return result.stdout


# -- simulate ------------------------------------------------------------------------------------


def test_the_json_of_a_stroke() -> None:
    answer = json.loads(fine("simulate", POS, CUE, "--json"))
    trace = simulate(parse_position(POS), parse_cue(CUE))
    stroke = judge(trace)
    assert list(answer) == [
        "position", "cue", "model", "facts", "pins", "events", "rest", "next", "hand", "ruling",
    ]  # fmt: skip
    assert answer["position"] == POS
    assert parse_cue(answer["cue"]) == parse_cue(CUE)
    assert answer["model"] == "standard-1"
    assert parse_stroke(answer["facts"]) == stroke
    assert answer["pins"] == [fall.pin.value for fall in trace.fallen]
    assert answer["rest"] == format_position(trace.rest)
    assert answer["next"].endswith("/12345")
    assert answer["next"].split("/")[:3] == answer["rest"].split("/")[:3]
    assert answer["hand"] is None
    assert answer["ruling"] == json.loads(fine("rule", *answer["facts"].split(), "--json"))


def test_the_events_of_the_json() -> None:
    events = json.loads(fine("simulate", POS, CUE, "--json"))["events"]
    assert events[0] == {"t": 0.0, "kind": "struck", "who": ["white"]}
    assert [event["t"] for event in events] == sorted(event["t"] for event in events)
    assert {"white", "yellow"} in [set(event["who"]) for event in events if event["kind"] == "balls"]
    assert {event["who"][1] for event in events if event["kind"] == "cushion"} <= {
        "left", "right", "top", "bottom",
    }  # fmt: skip
    felled = [event["who"] for event in events if event["kind"] == "pin-fell"]
    assert sorted(who[1] for who in felled) == [1, 2, 3, 5]
    assert all(who[0] == "yellow" for who in felled)
    assert any(len(who) == 3 for who in felled)  # by way of another pin
    assert events[-1]["kind"] == "rests"


def test_where_the_balls_are_put_differs_from_where_they_rest() -> None:
    hand = json.loads(fine("simulate", POS, "v0.5,a-90", "--json"))
    assert hand["ruling"]["fouls"] == ["object-ball"]
    assert hand["hand"] == "upper"
    covered = json.loads(fine("simulate", "710:710/400:2740/400:2130/12345", "v1.04,a90", "--json"))
    assert covered["pins"]
    assert covered["rest"].rpartition("/")[2] != covered["next"].rpartition("/")[2]


def test_a_missing_ball_leaves_no_next_position() -> None:
    answer = json.loads(fine("simulate", "710:710/710:2740/-/12345", "v3,a90", "--json"))
    assert answer["next"] is None
    assert answer["rest"].split("/")[2] == "-"


def test_options_reach_the_stroke() -> None:
    yellow = json.loads(fine("simulate", POS, "v3,a90", "--to-move", "yellow", "--json"))
    assert yellow["events"][0]["who"] == ["yellow"]
    other = json.loads(fine("simulate", POS, CUE, "--model", "mathavan", "--json"))
    assert other["model"] == MATHAVAN.id != STANDARD.id
    opening = json.loads(fine("simulate", POS, CUE, "--opening", "--rules", "FIBiS-2022", "--json"))
    stroke = judge(simulate(parse_position(POS), parse_cue(CUE)))
    assert opening["ruling"]["to"] == "opponent"
    assert rule(stroke).to is Receiver.STRIKER
    german = json.loads(fine("simulate", POS, CUE, "--lang", "de", "--json"))
    assert german["ruling"]["say"] == rule(stroke).say("de") != rule(stroke).say("en")


def test_codes_may_begin_with_a_dash() -> None:
    answer = json.loads(
        fine("simulate", "-/710:2740/710:2130/12345", "v2,a90", "--to-move", "yellow", "--json")
    )
    assert answer["position"].startswith("-/")
    assert "<svg" in fine("draw", "-/710:2740/-/-")


def test_a_stroke_in_words() -> None:
    told = fine("simulate", POS, CUE)
    ruling = rule(judge(simulate(parse_position(POS), parse_cue(CUE))))
    assert told.startswith("o ")
    assert ruling.explain() in told
    assert ruling.say() in told
    for words in (
        "white meets yellow",
        "yellow fells pin 3",
        "by way of pin",
        "comes to rest",
        "at rest",
        "next",
    ):
        assert words in told
    hand = fine("simulate", POS, "v0.5,a-90")
    assert "the yellow ball in hand, from the upper half" in hand


def test_a_leaning_pin_and_a_frozen_ball_in_words() -> None:
    leaning = fine("simulate", "710:1324/400:700/1000:2300/1245,3@710:1354", "v0.6,a-100")
    assert "white fells pin 3, which had leaned on it" in leaning
    frozen = fine("simulate", "400:700/400:761.5/1000:2300/12345", "v2,a90")
    assert "white meets yellow, from the contact it lay in" in frozen


def test_the_line_of_a_turn_is_fpn() -> None:
    text = fine("simulate", POS, CUE, "--fpn").rstrip("\n")
    event = parse_line(f"1. A {text}").event
    assert isinstance(event, Turn)
    assert event.marks.check == rule(judge(simulate(parse_position(POS), parse_cue(CUE)))).signed
    assert event.marks.pos == POS
    assert event.marks.cue == "v2.5,a69.6,x0,y0,e0"
    other = parse_line(f"1. A {fine('simulate', POS, CUE, '--fpn', '--model', 'stronge').rstrip()}")
    assert other.comment is not None
    assert other.comment.startswith("model-")


def test_drawings_are_written_beside_the_ruling(tmp_path: Path) -> None:
    svg, png, moving = (tmp_path / name for name in ("a.svg", "a.png", "b.svg"))
    told = fine("simulate", POS, CUE, "--svg", str(svg), "--png", str(png), "--animate", str(moving))
    assert "Valid" in told
    assert "<title>o " in svg.read_text("utf-8")
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "animateTransform" in moving.read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("710:710/710:x/710:2130/12345", CUE),
            ["\n        ^ no place for the yellow ball: '710:x'", "hint: x:y"],
        ),
        (("710:710/710:2740/12345", CUE), ["^ a position has four parts, not 3"]),
        (
            ("710:710/710:2740/710:2130/1236", CUE),
            ["\n                             ^ not a standing pin: '6'"],
        ),
        ((POS, "v4;a76"), ["v4;a76\n^ not a cue code: 'v4;a76'", "hint: speed, aim"]),
        (
            ("710:710/710:720/5:2130/12345", "v-3,a270,x0.9"),
            ["red ball at 5:2130 is not on the bed", "overlap", "speed -3", "would slip", "hint:"],
        ),
        (("-/710:2740/710:2130/12345", CUE), ["the white ball is to be struck and is not on the table"]),
    ],
)
def test_what_cannot_be_played_is_told_with_every_reason(words: tuple[str, ...], told: list[str]) -> None:
    result = run("simulate", *words)
    assert (result.exit_code, result.stdout) == (1, "")
    for part in told:
        assert part in result.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((POS,), "CUE is missing"),
        ((POS, "--jsn"), "no such option"),
        ((POS, CUE, "--json", "--fpn"), "either --json or --fpn"),
        ((POS, CUE, "--model", "slate"), "unknown model: 'slate'"),
        ((POS, CUE, "--to-move", "red"), "unknown cue ball: 'red'"),
        (("-", "--fpn"), "strokes from stdin are printed as JSON"),
    ],
)
def test_a_wrong_call_is_told_so(words: tuple[str, ...], told: str) -> None:
    result = run("simulate", *words)
    assert result.exit_code == 2
    assert told in " ".join(result.stderr.replace("│", " ").split())


def test_strokes_from_stdin() -> None:
    lines = f"{POS} {CUE}\n\n{POS}\n1:2/3 {CUE}\n{POS}   v9,a0,x0.9\r\n{POS}  {CUE}\n"
    result = run("simulate", "-", stdin=lines)
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 1
    assert [set(answer) == {"position", "cue", "error"} for answer in answers] == [
        False,
        True,
        True,
        True,
        False,
    ]
    assert answers[0] == answers[4] == json.loads(fine("simulate", POS, CUE, "--json"))
    assert answers[1]["error"] == "a line is a position and a cue, with a space between"
    assert answers[2] == {
        "position": "1:2/3", "cue": CUE, "error": "a position has four parts, not 2: '1:2/3'",
    }  # fmt: skip
    assert "would slip" in answers[3]["error"]
    assert run("simulate", "-", stdin=f"{POS} {CUE}\n").exit_code == 0


def test_a_bar_shows_after_a_second_and_not_before(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = StringIO()
    monkeypatch.setattr(table, "notes", Console(file=screen, force_terminal=True, width=80))
    clock = iter([0.0, *[0.1] * 3])
    monkeypatch.setattr(table, "monotonic", lambda: next(clock))
    assert list(table._watched("abc", "letters")) == ["a", "b", "c"]
    assert not screen.getvalue()
    clock = iter([0.0, *[1.5] * 3])
    assert list(table._watched("abc", "letters", total=3)) == ["a", "b", "c"]
    assert "letters" in screen.getvalue()


# -- draw ----------------------------------------------------------------------------------------


def test_draw_a_position(tmp_path: Path) -> None:
    lying = fine("draw", POS)
    assert lying.startswith("<svg ")
    assert lying.endswith("</svg>\n")
    views = [
        fine("draw", POS, *words) for words in ((), ("--print",), ("--upright",), ("--print", "--upright"))
    ]
    assert len(set(views)) == 4
    svg, png = tmp_path / "a.svg", tmp_path / "a.png"
    assert not fine("draw", POS, "--svg", str(svg), "--png", str(png))
    assert svg.read_text("utf-8") == lying
    assert png.read_bytes().startswith(b"\x89PNG")


def test_draw_refuses_what_no_table_shows() -> None:
    result = run("draw", "710:710/710:720/5:2130/12345")
    assert result.exit_code == 1
    assert "overlap" in result.stderr
    assert "not on the bed" in result.stderr
    assert run("draw", "710:710/710").exit_code == 1
    assert run("draw", "--sgv").exit_code == 2


# -- check ---------------------------------------------------------------------------------------


def simulated(side: str, number: int, pos: str, cue: str, *words: str) -> str:
    return f"{number}. {side} {fine('simulate', pos, cue, '--fpn', *words).rstrip()}\n"


@pytest.fixture
def match_file(tmp_path: Path) -> Path:
    """Two simulated turns: B opened, so B has the white ball and A the yellow one."""
    first = simulated("B", 1, POS, CUE, "--opening")
    second = simulated("A", 2, POS, "v2.5,a90", "--to-move", "yellow")
    path = tmp_path / "match.fpn"
    path.write_text(HEAD + first + second, encoding="utf-8")
    return path


def test_what_was_simulated_checks(match_file: Path) -> None:
    assert not fine("check", "--simulate", str(match_file))
    assert not fine("check", str(match_file))


def test_other_facts_are_found_at_their_place(match_file: Path) -> None:
    text = match_file.read_text("utf-8")
    before, _, marks = text.partition("2. A ")
    match_file.write_text(f"{before}2. A c/5 {marks[marks.index('pos=') :]}", encoding="utf-8")
    result = run("check", "--simulate", str(match_file))
    assert result.exit_code == 1
    assert f"{match_file}:11:6  the line says 'c/5', the stroke gives" in result.stderr
    assert "played with the yellow ball on standard-1" in result.stderr


def test_another_model_gives_other_facts(tmp_path: Path) -> None:
    path = tmp_path / "match.fpn"
    path.write_text(HEAD + simulated("B", 1, POS, "v6,a20", "--model", "mathavan"), encoding="utf-8")
    assert not fine("check", "--simulate", "--model", "mathavan", str(path))
    assert f"{path}:10:6  " in run("check", "--simulate", str(path)).stderr


def test_impossible_codes_are_found_at_their_place(match_file: Path) -> None:
    turn = "2. A o pos={} cue=v2,a90\n"
    before = match_file.read_text("utf-8").partition("2. A ")[0]
    match_file.write_text(before + turn.format("1:1/710:1100/710:2130/12345"), encoding="utf-8")
    result = run("check", "--simulate", str(match_file))
    assert result.exit_code == 1
    assert f"{match_file}:11:12  the white ball at 1:1 is not on the bed" in result.stderr
    near = "710:1324/400:700/1000:2300/1245,3@710:1340"  # a position, but not one to play from
    match_file.write_text(before + turn.format(near), encoding="utf-8")
    result = run("check", "--simulate", str(match_file))
    assert result.exit_code == 1
    assert f"{match_file}:11:8  pin 3 stands 16.00 mm from the centre of the white ball" in result.stderr


def test_a_fixed_turn_is_compared_as_fixed_and_an_undone_one_not(match_file: Path) -> None:
    lines = match_file.read_text("utf-8").splitlines()
    facts = lines[10].partition(" =")[0].removeprefix("2. A ")
    marks = lines[10][lines[10].index(" pos=") :]
    mistaken = [*lines[:10], f"2. A o /.{marks}"]
    fixed = "\n".join([*mistaken, f'fix 2 {facts} "as the table has it"']) + "\n"
    match_file.write_text(fixed, encoding="utf-8")
    assert not fine("check", "--simulate", str(match_file))
    match_file.write_text("\n".join([*mistaken, 'undo "mistaken"']) + "\n", encoding="utf-8")
    assert not fine("check", "--simulate", str(match_file))
    worse = "\n".join([*lines[:11], 'fix 2 o /. "wrongly"']) + "\n"
    match_file.write_text(worse, encoding="utf-8")
    result = run("check", "--simulate", str(match_file))
    assert f"{match_file}:12:7  the line says 'o /.'" in result.stderr


def test_files_that_cannot_be_read_or_replayed(tmp_path: Path) -> None:
    path = tmp_path / "bad.fpn"
    path.write_text(HEAD + "1. A o =4\n", encoding="utf-8")
    result = run("check", "--simulate", str(path), str(tmp_path / "none.fpn"))
    assert result.exit_code == 1
    assert f"{path}:10:" in result.stderr
    assert "cannot be read" in result.stderr


@pytest.mark.parametrize(
    ("written", "played", "verdict"),
    [
        ("o r", "o r", True),
        ("o", "o r", False),
        ("o r", "o | o| r r|", True),  # no cushion is written: none is compared
        ("o | r", "o | r", True),
        ("o | r", "o r", False),
        ("o r o", "o r", True),  # only first contacts count
        ("o /13", "o o/1 o/3", True),
        ("o /13", "o o/13", True),
        ("o o/13", "o o/1 o/3", True),
        ("o r /13", "o r o/1 r/3", True),
        ("o r o/13", "o r o/1 r/3", False),
        ("o /13", "o c/13", False),
        ("o c/.", "o c/2", True),
        ("o /.", "o o/5", False),
        ("o /..", "o o/2", False),
        ("o /.", "o o/12", False),
        ("o /.1", "o o/13", True),
        ("o r r/.1", "o r r/12", True),
        ("o r /1 o/.", "o r r/1 o/2", True),
        ("o /1 r", "o r o/1", False),
        ("- l/3", "- l/3", True),
        ("c/3", "- l/3", False),
        ("off/1 -", "off/1 -", True),
        ("off/. -", "off/1 -", True),
        ("-", "off/1 -", False),
        ("o !contact", "o !contact", True),
        ("o", "o !contact", False),
        ("o !contact", "o", False),
        ("o !foot u/2 /4~", "o", True),  # what the simulator cannot show
        ("o o^", "o", False),
    ],
)
def test_written_and_played_facts(written: str, played: str, verdict: bool) -> None:
    assert table.agree(parse_stroke(written), parse_stroke(played)) is verdict


# -- bench ---------------------------------------------------------------------------------------


def test_bench_counts_strokes_by_threads() -> None:
    result = run("bench", "--strokes", "2000", "--seed", "7")
    assert result.exit_code == 0
    rows = [line.split() for line in result.stdout.splitlines()[1:-1]]
    assert [row[0] for row in rows] == [str(number + 1) for number in range(len(rows))]
    assert all(float(row[1].replace(",", "")) > 100 for row in rows)
    assert rows[0][2] == "1.00"
    assert "2,000 random strokes, seed 7, standard-1" in result.stdout


def test_random_strokes_are_seeded_and_can_be_played() -> None:
    tables, shots = table.random_strokes(500, 3)
    again, _ = table.random_strokes(500, 3)
    assert (tables == again).all()
    assert not (tables == table.random_strokes(500, 4)[0]).all()
    assert tables.shape == (500, 16)
    for row, shot in zip(tables[:100].tolist(), shots[:100].tolist(), strict=True):
        places = "/".join(f"{row[i]!r}:{row[i + 1]!r}" for i in (0, 2, 4))
        assert parse_position(f"{places}/12345").problems() == []
        assert 1 <= shot[0] <= 6
        assert shot[2] ** 2 + shot[3] ** 2 <= 0.16001


# -- the start -----------------------------------------------------------------------------------


@pytest.mark.parametrize("format_", [(), ("--json",), ("--fpn",), ("--svg", "{}")])
def test_a_single_stroke_loads_neither_numpy_nor_numba(format_: tuple[str, ...], tmp_path: Path) -> None:
    words = ["simulate", POS, CUE, *(word.format(tmp_path / "a.svg") for word in format_)]
    code = (
        "import sys; from fivepins.cli import app; app(sys.argv[1:], standalone_mode=False); "
        "print(*{'numpy', 'numba', 'llvmlite', 'typst'} & set(sys.modules), file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    assert run.stdout.strip()
    assert run.stderr.split() == []


def test_a_pipe_of_strokes_in_one_process() -> None:
    program = Path(sys.executable).with_name("fivepins")
    run = subprocess.run(
        [program, "simulate", "-"], input=f"{POS} {CUE}\n" * 50, capture_output=True, text=True, check=True
    )
    assert len(set(run.stdout.splitlines())) == 1
    assert len(run.stdout.splitlines()) == 50
    assert not run.stderr
