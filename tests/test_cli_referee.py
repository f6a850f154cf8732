"""The terminal referee: sessions typed into a pipe or a pseudo-terminal, killed, resumed, starved."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple, Self

import pytest
import typer
from typer.testing import CliRunner

from fivepins.cli.referee import referee
from fivepins.cli.referee_clock import StrokeClock
from fivepins.cli.referee_head import ask_head, format_lines
from fivepins.cli.referee_log import Log, LogError
from fivepins.cli.referee_session import Match, Session
from fivepins.cli.referee_terminal import Leave, Terminal
from fivepins.errors import FivePinsError
from fivepins.events import Terms
from fivepins.match import Limit, Phase, State, replay
from fivepins.notation import format_record, parse_file
from fivepins.rulebook import FIBIS_2022, UMB_1997
from fivepins.table import Colour, Pair, Side

if TYPE_CHECKING:
    from rich.text import Text

# The command on an app of its own, so that these tests need nothing else of the command line.
PROGRAM = """
import typer
from fivepins.cli.output import run
from fivepins.cli.referee import referee
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
app.command()(referee)
run(app)
"""
# So that Ctrl-C is a signal to the program, also where the tests themselves run in the background.
ON_A_TERMINAL = """
import fcntl, signal, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGINT, signal.default_int_handler)
"""
COMMAND = [sys.executable, "-W", "error", "-c", PROGRAM]

HEAD = ["Open di Primavera", "Marco Rossi", "Luca Bianchi", "", "3", "30", "", "40+20", "Anna Verdi"]
"""The answers to the questions of the head."""

EXAMPLE = """\
lag B
set 1 B at=14:05:10  # B won the lag, chose to open and so plays white
1. B o /1 =2 @21
2. A o r /13 =8 @34  # cannon, then two outer pins
3. B | o o-r /5 =11 @28  # off a cushion; casin, and the centre pin alone
4. A o =0 @19
5. B o c/2 =-2 @30  # own ball into the pins: points to A, no ball in hand
6. A r /4 o =-6 @37  # red ball first
7. B o r =4 @25  # from ball in hand
late A  # 40 seconds gone: 2 points to B
8. A o /25 =6 @52
9. B - =-2 @18  # object ball missed
fix 2 o r /135 =12 "centre pin had fallen too; both players agree"
10. A spot o c^ =-2 @33  # A asked for the object ball on its spot
score 22-27
11. B o /5 =8 @22
undo "entered for the wrong table"
11. B o /.. =4 @24  # two outer pins, which ones not noted
good B 22-30
pause 5:00
set 2 A
1. A o !foot =-2 @17
2. B ? =6  # the referee noted only the points
late A
3. A lost =-2 @60  # 60 seconds gone: 2 more, and the turn passes
note "A warned for leaving his chair (47)"
score 0-12
""".splitlines()

SHORT = """\
FPN 1
A: Rossi
B: Bianchi
Rules: UMB-1997
Distance: 4
Sets: 3
Result: *

lag A
set 1 A
1. A o /1 =2
"""


def timeless(lines: Iterable[str]) -> list[str]:
    """The lines without the times of day."""
    return [re.sub(r" at=\S+", "", line) for line in lines]


def body(path: Path) -> list[str]:
    """The lines behind the head."""
    return path.read_text("utf-8").partition("\n\n")[2].splitlines()


class Done(NamedTuple):
    """What a session left behind."""

    returncode: int
    stdout: str
    stderr: str


def piped(lines: Iterable[str], *options: str | Path) -> Done:
    """A whole session from a pipe, in this process."""
    app = typer.Typer(add_completion=False)
    app.command()(referee)
    result = CliRunner().invoke(app, [*map(str, options)], "".join(f"{line}\n" for line in lines))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Done(result.exit_code, result.stdout, result.stderr)


def process(lines: Iterable[str], *options: str | Path, before: str = "") -> Done:
    """A whole session from a pipe, in a process of its own that runs `before` first."""
    run = subprocess.run(
        [*COMMAND[:-1], before + PROGRAM, *map(str, options)],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        encoding="utf-8",
        timeout=30,
        check=False,
    )
    return Done(run.returncode, run.stdout, run.stderr)


def saved(lines: Iterable[str]) -> list[str]:
    """Lines as typed by somebody who presses Enter after each."""
    return [typed for line in lines for typed in (line, "")]


class Script(Terminal):
    """A terminal whose lines are known beforehand; a number lets that many seconds pass."""

    def __init__(self, *typed: str | float) -> None:
        super().__init__()
        self.typed = list(typed)
        self.seconds = 1000.0
        self.shown: list[str] = []

    def show(self, rows: Iterable[Text | str]) -> None:
        self.shown.extend(map(str, rows))

    def read(self, prompt: str) -> str:
        self.shown.append(prompt)
        while self.typed:
            item = self.typed.pop(0)
            if isinstance(item, str):
                return item
            self.seconds += item
        raise Leave

    @property
    def transcript(self) -> str:
        return "\n".join(self.shown)


def sit(path: Path, *typed: str | float, terms: Terms | None = None) -> tuple[Session, Script]:
    """A session in this process, to its end."""
    terminal = Script(*typed)
    log = Log.create(path, "FPN 1\nResult: *\n\n")
    terms = terms or Terms(players=Pair("Rossi", "Bianchi"), distance=Pair(30, 30), sets=3, clock=(40, 20))
    session = Session(
        Match(log, State.start(terms), "Open", "Verdi"),
        terminal,
        read=lambda: terminal.seconds,
        now=lambda: datetime(2026, 3, 14, 14, 5, 10, tzinfo=UTC),
    )
    with log, contextlib.suppress(Leave):
        session.run()
    return session, terminal


OPEN = ("lag A", "", "A", "")
"""A wins the lag and opens."""


# -- whole sessions ------------------------------------------------------------------------------


def test_the_example_of_the_notation_typed_in_gives_that_log(tmp_path: Path) -> None:
    path = tmp_path / "example.fpn"
    run = process([*HEAD, *saved(EXAMPLE), "quit"], "--out", path)
    assert run.returncode == 0, run.stderr
    assert run.stdout == ""
    assert timeless(body(path)) == timeless(EXAMPLE)
    assert body(path)[1] == EXAMPLE[1]
    record = parse_file(path.read_text("utf-8")).records[0]
    assert format_record(record) == path.read_text("utf-8")
    assert [record.value(key) for key in ("Event", "A", "B", "Rules", "Distance", "Sets", "Clock")] == [
        "Open di Primavera",
        "Marco Rossi",
        "Luca Bianchi",
        "UMB-1997",
        "30",
        "3",
        "40+20",
    ]


def shorthand(line: str, used: float) -> list[str | float]:
    """What a referee types, and how long he waits, for a line of the example."""
    text, _, comment = line.partition("  # ")
    comment = f"  # {comment}" if comment else ""
    word = text.split()[0]
    if word == "late":
        return ["", 40, f"late{comment}", ""]
    if word in ("set", "good", "score"):
        given = {"set 1": "B", "set 2": ""}.get(text[:5], word)
        return [f"{text}{comment}" if comment else given, ""]
    if word == "note":
        return [text.replace('"', ""), ""]
    found = re.fullmatch(r"\d+\. [AB] (.+?)(?: =(-?\d+))?(?: @(\d+))?", text)
    if not found:
        return [line, ""]
    facts = f"{found[1]} =6" if found[1] == "?" else found[1]
    wait: list[str | float] = [*([""] if not used else []), float(found[3]) - used] if found[3] else []
    return [*wait, f"{facts}{comment}", ""]


def test_facts_and_short_words_give_the_same_log(tmp_path: Path) -> None:
    typed: list[str | float] = []
    used = 0.0
    for line in EXAMPLE:
        typed += shorthand(line, used)
        used = 40.0 if line.startswith("late") else 0.0
    session, terminal = sit(tmp_path / "m.fpn", *typed)
    assert timeless(body(tmp_path / "m.fpn")) == timeless(EXAMPLE), terminal.transcript
    assert session.state.score == Pair(0, 12)
    assert session.state.sets_won == Pair(0, 1)


class Pty:
    """A session on a pseudo-terminal."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.master, slave = os.openpty()
        self.process = subprocess.Popen(
            [*COMMAND[:-1], ON_A_TERMINAL + PROGRAM, *options],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm"},
        )
        os.close(slave)
        self.seen = ""

    def until(self, words: str) -> None:
        """Read until the words appear; what comes before them is forgotten."""
        end = time.monotonic() + 15
        while words not in self.seen:
            ready, _, _ = select.select([self.master], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"{words!r} did not appear:\n{self.seen}"
            try:
                self.seen += os.read(self.master, 4096).decode("utf-8", "replace")
            except OSError:  # the other end was closed
                pytest.fail(f"{words!r} did not appear:\n{self.seen}")
        self.seen = self.seen.partition(words)[2]

    def type(self, text: str, answer: str) -> None:
        """Type a line, and wait for an answer."""
        os.write(self.master, f"{text}\n".encode())
        self.until(answer)

    def end(self) -> int:
        """Wait for the end; the exit code."""
        return self.process.wait(15)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)


def test_a_match_on_a_terminal_from_the_lag_to_its_end(tmp_path: Path) -> None:
    with Pty(tmp_path, "--rules", "FIBiS-2022", "--lang", "en") as desk:
        desk.until("Event")
        for answer, question in zip(
            ["", "Rossi", "[red]O'Brien", "-", "4/2", "", "", "Verdi"],
            ["Player A", "Player B", "Sets", "Distance", "Handicap", "Clock", "Referee", "lag>"],
            strict=True,
        ):
            desk.type(answer, question)
        desk.type("A", "Enter saves it")
        desk.type("", "who opens?")
        desk.type("B", "Enter saves it")
        desk.type("", "opening stroke")
        desk.type("", "0:00 of 0:40")
        desk.type("o /1", "save? ")
        desk.type("", "saved line")
        desk.type("o o-r /9", "no such pin")
        desk.type("o r", "4 to A Rossi")
        desk.type("", "good A")
        desk.type("", "save? ")
        desk.type("", "expected nothing but")
        desk.type("quit", ".fpn")
        assert desk.end() == 0
    (path,) = tmp_path.glob("match-*.fpn")
    assert "Result: A 1-0" in path.read_text("utf-8")
    assert "B: [red]O'Brien" in path.read_text("utf-8")
    record = parse_file(path.read_text("utf-8")).records[0]
    assert record.terms is not None
    done = replay(record.terms, [line.event for line in record.events() if line.event])
    assert not done.faults
    assert done.state.winner is Side.A


def test_ctrl_c_on_a_terminal_tells_how_to_go_on(tmp_path: Path) -> None:
    (tmp_path / "m.fpn").write_text(SHORT)
    with Pty(tmp_path, "--resume", "m.fpn") as desk:
        desk.until("B> ")
        time.sleep(0.5)  # the prompt is there a moment before readline listens to signals
        os.write(desk.master, b"\x03")
        desk.until("--resume m.fpn")
        assert desk.end() == 0
    assert (tmp_path / "m.fpn").read_text() == SHORT


def test_the_head_refuses_what_no_match_can_be_played_on() -> None:
    script = Script(
        "-", "", "A'", "B' [b]", "UMB", "", "4", "3", "0", "x", "60/50", "60-0", "5-0", "40", "-", "", "V"
    )
    head, terms = ask_head(
        lambda words, default: script.read(f"{words} {default}"),
        lambda error: script.show([error.message]),
        {"Date": "2026-03-14"},
    )
    assert format_lines(head).splitlines() == [
        "FPN 1",
        "Date: 2026-03-14",
        "A: A'",
        "B: B' [b]",
        "Rules: UMB-1997",
        "Distance: 60/50",
        "Start: 5-0",
        "Sets: 3",
        "Referee: V",
        "Result: *",
        "",
    ]
    assert (terms.distance, terms.start, terms.sets, terms.clock) == (Pair(60, 50), Pair(5, 0), 3, None)
    for refused in ("needed", "unknown rule book", "odd", "distance is 0", "'x'", "starts with 60", "'40'"):
        assert refused in script.transcript, refused


# -- what is shown -------------------------------------------------------------------------------


def test_the_board_shows_what_the_referee_must_see(tmp_path: Path) -> None:
    session, terminal = sit(tmp_path / "m.fpn", *OPEN, "", 12.0, "o c^", "", "board")
    board = terminal.transcript.rpartition("Open  ·")[2]
    for words in (
        "referee Verdi",
        "A white",
        "B yellow",
        "28 missing",
        "sets 0",
        "TO PLAY",
        "line 6 at 14:05:10",
        "ball outside 2 (61.7) = 2 to B Bianchi; ball in hand for B",
        "expected turn 2 of B, BALL IN HAND ('spot' if asked for, 44.5)",
        "stopped 0:00 ago",
    ):
        assert words in board, words
    assert session.state.colours == Pair(Colour.WHITE, Colour.YELLOW)
    assert "say: Ball outside. 2 points to the opponent. Ball in hand." in terminal.transcript
    assert body(tmp_path / "m.fpn")[-1] == "1. A o c^ =-2 @12"


def test_bad_input_is_shown_with_its_place_and_changes_nothing(tmp_path: Path) -> None:
    bad = [
        "o /11",
        "o q",
        "2. A o",
        "o r =3",
        "fix 9 o",
        "late B",
        "good",
        "hello world",
        "o\tr",
        "x",
        "resume",
        "é",
    ]
    session, terminal = sit(tmp_path / "m.fpn", *OPEN, *bad, "!")
    assert "  o /11\n    ^\n  pin named twice: '/11'\n  hint: each pin once: /1" in terminal.transcript
    assert "  2. A o\n  ^\n  turn 1 expected" in terminal.transcript
    assert "  o r =3\n      ^\n  check says 3" in terminal.transcript
    assert "'resume' cannot come here: expected turn 1 of A" in terminal.transcript
    assert terminal.transcript.count("hint: ") == len(bad) - 1
    assert session.state.set is not None
    assert not session.state.set.turns
    assert len(body(tmp_path / "m.fpn")) == 2


def test_a_preview_can_be_replaced_and_dropped(tmp_path: Path) -> None:
    sit(tmp_path / "m.fpn", *OPEN, "o /1", "o r", "!", "o /3", "o /13", "", "", "o", "!")
    assert body(tmp_path / "m.fpn")[2:] == ["1. A o /13 =4"]


def test_a_cut_at_the_distance_is_told(tmp_path: Path) -> None:
    terms = Terms(distance=Pair(6, 6))
    session, terminal = sit(tmp_path / "m.fpn", "set A", "", "o r /13", "", terms=terms)
    assert "score 0-0 -> 6-0 (cut at the distance, 21.1)" in terminal.transcript
    assert session.state.phase is Phase.DISTANCE
    assert body(tmp_path / "m.fpn")[-1] == "1. A o r /13 =8 at=14:05:10"  # the break of 26 needs the time


# -- commands ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        (['note he said "no"', ""], 'note "he said \\"no\\""'),
        (["note", "left early", ""], 'note "left early"'),
        (["referee Paolo Neri", ""], 'referee "Paolo Neri"'),
        (["penalty B 2 late to the table", ""], 'penalty B 2 "late to the table"'),
        (["penalty B 2 hand", "", "moved a ball", ""], 'penalty B 2 hand "moved a ball"'),
        (["award A misconduct", ""], 'award A "misconduct" at=14:05:10'),
        (["end A left he went home", ""], 'end A left "he went home" at=14:05:10'),
        (["decision", "play on", ""], 'decision "play on"'),
        (["protest B it was in", ""], 'protest B "it was in"'),
        (["pause", ""], "pause 5:00 at=14:05:10"),
        (["suspend power cut", ""], 'suspend "power cut" at=14:05:10'),
        (["place restored a third person", ""], 'place restored "a third person"'),
        (["swap both wrong", ""], 'swap "both wrong"'),
        (["score", ""], "score 2-0"),
        (["good A short time is up", ""], 'good A 2-0 short "time is up" at=14:05:10'),
        (["undo", "", ""], 'undo "undo"'),
        (["undo slip", ""], 'undo "slip"'),
        (["fix 1 o /13", "", ""], 'fix 1 o /13 =4 "corrected"'),
        (['fix 1 o "none fell"', ""], 'fix 1 o =0 "none fell"'),
        (["# a remark", ""], "# a remark"),
        (["late", ""], "late B"),
        (["-", ""], "2. B - =-2"),
        (["? =-4 hand", ""], "2. B ? =-4 hand"),
    ],
)
def test_every_command_becomes_its_line(tmp_path: Path, typed: list[str], line: str) -> None:
    _, terminal = sit(tmp_path / "m.fpn", *OPEN, "o /1", "", *typed)
    assert body(tmp_path / "m.fpn")[3:] == [line], terminal.transcript


def test_undo_goes_back_over_the_end_of_a_set(tmp_path: Path) -> None:
    terms = Terms(distance=Pair(4, 4), sets=3)
    before, _ = sit(tmp_path / "a.fpn", *OPEN, "o r", "", terms=terms)
    after, _ = sit(tmp_path / "b.fpn", *OPEN, "o r", "", "", "", "", "", *["undo", "", ""] * 2, terms=terms)
    assert after.state == before.state
    assert [line.split()[0] for line in body(tmp_path / "b.fpn")[3:]] == ["good", "set", "undo", "undo"]
    assert not after.clock.running


def test_extra_time_late_and_lost_with_the_clock(tmp_path: Path) -> None:
    terms = Terms(book=FIBIS_2022, distance=Pair(30, 30), sets=3, clock=(40, 20))
    _, terminal = sit(
        tmp_path / "m.fpn",
        *OPEN,
        "",
        35.0,
        "extra",
        "",
        101.0,
        "clock",
        "clock",
        "late",
        "",
        21.0,
        "lost",
        "",
        terms=terms,
    )
    assert body(tmp_path / "m.fpn")[2:] == ["extra A", "late A", "1. A lost =-2 @157"]
    assert "held at 1:41 of 1:40 (extra limit)  TIME: late" in terminal.transcript


def test_the_clock_counts_to_the_first_preview_and_not_while_it_is_held(tmp_path: Path) -> None:
    typed = (*OPEN, "", 10.0, "clock", 100.0, "clock", 5.9, "o", 30.0, "o /1", 30.0, "", "-", "")
    sit(tmp_path / "m.fpn", *typed)
    assert body(tmp_path / "m.fpn")[2:] == ["1. A o /1 =2 @15", "2. B - =-2"]


def test_no_clock_runs_after_a_pause(tmp_path: Path) -> None:
    session, _ = sit(tmp_path / "m.fpn", *OPEN, "", 10.0, "pause", "", 60.0, "o", "")
    assert not session.clock.running
    assert body(tmp_path / "m.fpn")[-1] == "1. A o =0"


def test_the_words_of_the_clock() -> None:
    now = [0.0]
    clock = StrokeClock(lambda: now[0])
    now[0] = 72.0
    assert clock.words(Limit(40, "first")) == "stopped 1:12 ago, Enter starts it: 0:00 of 0:40 (first limit)"
    clock.start(whole=True)
    now[0] += 41
    assert clock.words(Limit(40, "first")) == "0:41 of 0:40 (first limit)  TIME: late"
    clock.begin_period()
    assert (clock.in_period, clock.total, clock.whole) == (0, 41, True)


# -- the disk ------------------------------------------------------------------------------------


def acknowledged(shown: str) -> list[tuple[int, str]]:
    """The lines that were called saved, with their numbers."""
    return [(int(n), text) for n, text in re.findall(r"^saved line (\d+): (.*)$", shown, re.MULTILINE)]


@pytest.mark.parametrize("count", [1, 4, 11, 19])
def test_what_was_called_saved_survives_kill_9(tmp_path: Path, count: int) -> None:
    path = tmp_path / "m.fpn"
    typed = "".join(f"{line}\n" for line in [*HEAD, *saved(EXAMPLE)])
    with subprocess.Popen(
        [*COMMAND, "--out", str(path)],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        assert process.stdin
        assert process.stderr
        process.stdin.write(typed)
        process.stdin.flush()
        shown = ""
        while len(acknowledged(shown)) < count:
            shown += process.stderr.readline()
        process.send_signal(signal.SIGKILL)
        shown += process.stderr.read()
    lines = path.read_text("utf-8").splitlines()
    promised = acknowledged(shown)
    assert len(promised) >= count
    assert [lines[number - 1] for number, _ in promised] == [text for _, text in promised]
    assert len(lines) - promised[-1][0] <= 1  # at most the line that was being acknowledged
    before = path.read_bytes()
    again = piped(["0", "quit"], "--resume", path)
    assert again.returncode == 0, again.stderr
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("tail", "answer", "kept"),
    [
        (b"2. B o /1", "", "# cut off: 2. B o /1"),
        (b"2. B o /1", "y", "2. B o /1"),
        (b"2. B o /", "y", "# cut off: 2. B o /"),
        (b"2. A o", "y", "# cut off: 2. A o"),  # not A's turn
        (b'note "\xc3', "", '# cut off: note "\\xc3'),
        (b"\0\0\0", "", r"# cut off: \x00\x00\x00"),
    ],
)
def test_a_line_cut_off_is_kept(tmp_path: Path, tail: bytes, answer: str, kept: str) -> None:
    path = tmp_path / "m.fpn"
    path.write_bytes(SHORT.encode() + tail)
    run = piped([answer, "note going on", "", "quit"], "--resume", path)
    assert run.returncode == 0, run.stderr
    assert path.read_text("utf-8") == f'{SHORT}{kept}\nnote "going on"\n'
    assert list(tmp_path.iterdir()) == [path]


def test_a_line_cut_off_stays_as_it_is_when_nobody_answers(tmp_path: Path) -> None:
    path = tmp_path / "m.fpn"
    path.write_text(f"{SHORT}2. B o")
    assert piped([], "--resume", path).returncode == 1
    assert path.read_text() == f"{SHORT}2. B o"


def test_a_full_disk_refuses_the_line_and_the_session_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "m.fpn"
    path.write_text(SHORT)
    limit = len(SHORT) + 20

    starve = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))"
    run = process(
        ["-", "", "note too long for the disk", "", "", "!", "#", "", "quit"],
        "--resume",
        path,
        before=starve,
    )
    assert run.returncode == 0, run.stderr
    assert run.stderr.count("not saved: file too large") == 2
    assert path.read_text() == f"{SHORT}2. B - =-2\n#\n"


def test_a_line_that_was_refused_is_saved_by_the_next_enter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = os.fsync, []

    def broken(handle: int) -> None:
        calls.append(handle)
        if len(calls) in (4, 5):  # the file, its folder, the lag, and then
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(handle)

    monkeypatch.setattr(os, "fsync", broken)
    _, terminal = sit(tmp_path / "m.fpn", "lag A", "", "set A", "", "", "", "o", "")
    assert terminal.transcript.count("not saved: no space left on device") == 2
    assert timeless(body(tmp_path / "m.fpn")) == ["lag A", "set 1 A", "1. A o =0"]


def test_a_file_that_exists_is_never_touched(tmp_path: Path) -> None:
    path = tmp_path / "m.fpn"
    path.write_text("mine")
    run = piped(HEAD, "--out", path)
    assert (run.returncode, path.read_text()) == (1, "mine")
    assert "exists already" in run.stderr
    with pytest.raises(LogError, match="exists already"):
        Log.create(path, "FPN 1\n")


def test_a_file_changed_by_somebody_else_is_not_written(tmp_path: Path) -> None:
    log = Log.create(tmp_path / "m.fpn", "FPN 1\n")
    (tmp_path / "m.fpn").write_text("FPN 1\n1. A o\n")
    with log, pytest.raises(LogError, match="changed by another program"):
        log.append("late A")
    assert (tmp_path / "m.fpn").read_text() == "FPN 1\n1. A o\n"


def test_one_file_has_one_referee(tmp_path: Path) -> None:
    with Log.create(tmp_path / "m.fpn", SHORT) as log:
        with pytest.raises(LogError, match="another terminal"):
            Log.open(log.path)
        log.set_result("A 1-0")
        with pytest.raises(LogError, match="another terminal"):
            Log.open(log.path)
        log.append("late B")
    assert log.path.read_text() == SHORT.replace("*", "A 1-0") + "late B\n"
    Log.open(log.path).close()


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"", ":1:1  the file is empty"),
        (b"\0\1\2\n", "binary"),
        (b"FPN 2\nA: x\n", ":1:5  this file is FPN 2"),
        (b"FPN 1\nA: \xff\n", ":2:4  byte"),
        (b"FPN 1\nA: Rossi\nB: Bia", "the head has no 'B'"),
        (SHORT.encode() + b"1. A o\n", ":12:4  turn 1 belongs to B"),
        (SHORT.encode() + b"2. B o /11\n", ":12:8  pin named twice"),
        (SHORT.encode() * 2, "a second match"),
        (b"x" * 5_000_000, "too large"),
    ],
)
def test_a_file_that_cannot_go_on_is_refused_with_its_place(
    tmp_path: Path, content: bytes, place: str
) -> None:
    path = tmp_path / "m.fpn"
    path.write_bytes(content)
    run = piped([], "--resume", path)
    assert run.returncode == 1
    assert place in run.stderr
    assert "Traceback" not in run.stderr
    assert path.read_bytes() == content


def test_options_that_do_not_go_together(tmp_path: Path) -> None:
    assert piped([], "--resume", tmp_path / "a", "--out", tmp_path / "b").returncode == 2
    assert piped([], "--rules", "UMB-2050").returncode == 2
    assert piped([], "--resume", tmp_path / "nowhere.fpn").returncode == 1
    assert piped([], "--resume", tmp_path).returncode == 1
    assert piped([], "--out", tmp_path / "no" / "m.fpn").returncode == 1
    assert list(tmp_path.iterdir()) == []


def test_the_end_of_the_input_leaves_cleanly(tmp_path: Path) -> None:
    path = tmp_path / "m.fpn"
    assert piped(HEAD[:3], "--out", path).returncode == 1
    assert not path.exists()
    run = piped([*HEAD, "lag A", "", "A"], "--out", path)
    assert run.returncode == 1  # a line was shown and never saved
    assert f"--resume {path}" in run.stderr
    assert "not saved: set 1 A" in run.stderr
    assert body(path) == ["lag A"]


def test_a_finished_match_goes_on_after_an_undo(tmp_path: Path) -> None:
    path = tmp_path / "m.fpn"
    path.write_text(SHORT.replace("Sets: 3", "Sets: 1"))
    run = piped([*saved(["-", ""]), "quit"], "--resume", path)
    assert (run.returncode, run.stdout) == (0, f"{path}\n"), run.stderr
    assert "Result: A 1-0" in path.read_text()
    run = piped([*saved(["undo wrong table"]), "quit"], "--resume", path)
    assert (run.returncode, run.stdout) == (0, ""), run.stderr
    assert "Result: *" in path.read_text()
    assert timeless(body(path)[2:]) == ["1. A o /1 =2", "2. B - =-2", "good A 4-0", 'undo "wrong table"']


def test_after_a_restart_the_clock_stands_and_asks(tmp_path: Path) -> None:
    path = tmp_path / "m.fpn"
    path.write_text(SHORT.replace("Result", "Clock: 40+20\nResult"))
    run = piped(["abc", "31", "", "-", "", "quit"], "--resume", path)
    assert run.returncode == 0, run.stderr
    assert "The clock is paused" in run.stderr
    assert "held at 0:31 of 0:40" in run.stderr
    assert body(path)[-1] == "2. B - =-2 @31"


def test_an_unknown_language_is_a_wrong_call() -> None:
    assert piped([], "--lang", "xx").returncode == 2
    assert issubclass(LogError, FivePinsError)


ANYTHING = (
    "o r", "o /1", "o /13", "-", "o c/2", "r", "o c^", "spot o", "x !touched.12", "? =6",
    "? =-4 hand", "late", "lost", "extra", "undo", "undo slip", "good", "good A",
    "good A short over", "set", "set A", "set 2 B", "A", "B", "a", "lag A", "lag repeat A",
    "repeat", "forfeit b", "repeat B", "pause", "pause 5:00", "pause refused A", "note x", "note",
    "referee", "fix 1 o /2", "fix 2 -", "fix", "fix 1", "penalty A 2 foul", "penalty B",
    "penalty A 2 hand no", "suspend", "suspend rain", "resume", "score", "swap both",
    "award B late", "award", "end A left ill", "end", "protest A no", "decision yes",
    "result 1 A 20-3", "clock", "!", "board", "log", "help", "# c", "#", '"', "o #", "=", "@3",
    "1. A o", "2. B o /1 =2", "o @7.5", "o /1  # why", "ü", 'note ü "', "note a\\", "undo a\\",
    "\x1b", "\x00",
)  # fmt: skip
"""What somebody may type, sense and nonsense."""


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_typed_the_state_is_the_fold_of_the_file(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    typed: list[str | float] = []
    for _ in range(400):
        typed += [
            random.choice(ANYTHING),
            random.choice(["", "", "", "!", "because"]),
            random.choice([0, 7, 41]),
        ]
    terms = Terms(
        book=random.choice([UMB_1997, FIBIS_2022]),
        distance=Pair(20, 20),
        sets=random.choice([None, 5]),
        clock=(40, 20),
    )
    session, terminal = sit(tmp_path / "m.fpn", *typed, terms=terms)
    head = format_lines({"A": "A", "B": "B", "Rules": terms.book.id, "Distance": "20", "Result": "*"})
    record = parse_file(head + (tmp_path / "m.fpn").read_text("utf-8").partition("\n\n")[2]).records[0]
    assert replay(terms, [line.event for line in record.events() if line.event]).state == session.state
    assert len(body(tmp_path / "m.fpn")) == terminal.transcript.count("\nsaved line ")
