"""`fivepins referee`: a live match, refereed in a terminal.

Every line typed is shown with its ruling before it counts; Enter saves it. A line is on the disk before it
is called saved (see `referee_log`), and the state on the screen is always the fold of what is on the disk.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from fivepins.cli import referee_screen as screen
from fivepins.cli.output import FAULTS, USAGE, LanguageOption, RulesOption, complain, fail
from fivepins.cli.referee_clock import StrokeClock, minutes
from fivepins.cli.referee_entry import HELP, draft, proposed
from fivepins.cli.referee_head import ask_head, format_lines
from fivepins.cli.referee_log import Log, LogError
from fivepins.cli.referee_terminal import Leave, Terminal
from fivepins.errors import FivePinsError, IllegalEvent, NotationError
from fivepins.events import (
    AwardSet,
    End,
    Event,
    Extra,
    Fix,
    Good,
    Late,
    Lost,
    Pause,
    Penalty,
    Place,
    RefereeChange,
    Resume,
    SetStart,
    Suspend,
    Terms,
    Turn,
    Undo,
)
from fivepins.lines import Line, format_line, parse_line
from fivepins.match import Phase, State
from fivepins.notation import Record, decode, parse_file, result_text

STAMPED = (SetStart, Good, AwardSet, Pause, Suspend, Resume, End)
"""Events that get the time of day; a turn does only where the break depends on it (26)."""

STOPS_THE_CLOCK = (
    Turn,
    Undo,
    SetStart,
    Good,
    AwardSet,
    Pause,
    Suspend,
    Resume,
    Penalty,
    Place,
    End,
)


class Pending(NamedTuple):
    """A line that was shown but not saved yet."""

    line: Line
    after: State


@dataclass(slots=True)
class Match:
    """What a session starts from: the open file, the state it comes to, and words of its head."""

    log: Log
    state: State
    event: str
    referee: str
    result: str = "*"


class Session:
    """One sitting at the terminal: from the first line typed to the last.

    `read` is a clock that never jumps, in seconds; `now` tells the time of day.
    """

    def __init__(
        self,
        match: Match,
        terminal: Terminal,
        *,
        code: str = "en",
        read: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
    ) -> None:
        self.match = match
        self.terminal = terminal
        self.code = code
        self.clock = StrokeClock(read)
        self.pending: Pending | None = None
        self._now = now
        self._stroke: float | None = None  # seconds when the facts of this stroke were first typed
        self._saved = screen.Saved(match.log.lines, self._time())

    @property
    def state(self) -> State:
        """The match as it is on the disk."""
        return self.match.state

    def run(self) -> None:
        """Take lines until nobody types any more."""
        self.show_board()
        while True:
            with self.terminal.ticking(self._ticking):
                typed = self.terminal.read(self._prompt()).strip()
            if typed in ("quit", "exit", "q"):
                return
            self.take(typed)

    def take(self, typed: str) -> None:
        """Do what one line says."""
        match typed:
            case "":
                self._enter()
            case "!" | "\x1b":
                self._drop()
            case "help" | "h":
                self.terminal.show([HELP])
            case "board":
                self.show_board()
            case "log":
                self.terminal.show(self.match.log.read().decode("utf-8", "replace").splitlines()[-15:])
            case "clock":
                self._toggle_clock()
            case _:
                self._prepare(typed)

    def show_board(self) -> None:
        """Everything that must be in sight."""
        board = screen.Board(
            self.state,
            screen.title(self.state.terms, self.match.event),
            self.match.referee,
            self.clock.words(self.state.limit),
            self._saved,
        )
        self.terminal.show(["", *board.rows()])

    # -- single keys -----------------------------------------------------------------------------

    def _enter(self) -> None:
        if self.pending is not None:
            self._commit(self.pending)
        elif proposal := proposed(self.state):
            self._prepare(proposal)
        elif self.state.phase is not Phase.PLAY:
            self.terminal.show([f"  expected {screen.expected(self.state)}"])
        elif self.clock.running:
            self._show_clock()
        else:
            self._toggle_clock()

    def _toggle_clock(self) -> None:
        if self.state.phase is not Phase.PLAY:
            self.terminal.show(["  no stroke is expected, so no clock runs"])
            return
        if self.clock.running:
            self.clock.hold()
        else:
            assert self.state.set is not None  # strokes are played in a set
            self.clock.start(whole=not self.state.set.late)
        self._show_clock()

    def _show_clock(self) -> None:
        self.terminal.show([f"  clock {self.clock.words(self.state.limit)}"])

    def _drop(self) -> None:
        self.terminal.show(["  dropped" if self.pending else "  nothing to drop"])
        self.pending = self._stroke = None

    # -- a line: prepared, then saved ------------------------------------------------------------

    def _prepare(self, typed: str) -> None:
        """Read a line and show what it will do; what is wrong is shown under what was typed."""
        shift = 0
        try:
            meant = draft(typed, self.state)
            shift = meant.shift
            line = self._legal(meant.whole)
            if meant.wants:
                text = self._ask_text(meant.wants, meant.default)
                if text is None:
                    return
                line = self._legal(meant.given(text).text)
            self.pending = self._filled(line)
        except NotationError as error:
            self.terminal.show(screen.caret(typed, error.column - shift, error))
        except FivePinsError as error:
            self.terminal.show(screen.caret(typed, 1, error))
        else:
            self._show_pending(self.pending)

    def _legal(self, text: str) -> Line:
        """The line, if the state allows it; raises `NotationError` with the column where it does not."""
        line = parse_line(text)
        if line.event is not None:
            try:
                self.state.then(line.event)
            except IllegalEvent as error:
                column = line.column(error.part, error.index)
                raise NotationError(error.message, column=column, hint=error.hint) from None
        return line

    def _ask_text(self, wants: str, default: str) -> str | None:
        """The reason or text that was not typed; None where the line is given up."""
        while True:
            text = self.terminal.read(f"{wants}{f' [{default}]' if default else ''}: ").strip() or default
            if text == "!":
                self._drop()
                return None
            if text:
                return text
            self.terminal.show([f"  the {wants} is needed; ! gives up"])

    def _filled(self, line: Line) -> Pending:
        """The line with what the program knows: the check, the seconds, the time of day."""
        event = line.event
        if event is None:
            return Pending(line, self.state)
        if isinstance(event, Turn):
            event = self._timed(event)
        if isinstance(event, Turn | Fix):
            event = _checked(event, self.state)
        if event.at is None and self._is_stamped(event):
            event = replace(event, at=self._time())
        line = Line(event, line.comment)
        return Pending(parse_line(format_line(line)), self.state.then(event))

    def _timed(self, turn: Turn) -> Turn:
        if self._stroke is None and self.clock.whole:
            self._stroke = self.clock.total
        if self._stroke is None or turn.marks.seconds is not None:
            return turn
        return replace(turn, marks=replace(turn.marks, seconds=float(int(self._stroke))))

    def _is_stamped(self, event: Event) -> bool:
        return isinstance(event, STAMPED) or (isinstance(event, Turn) and self.state.terms.sets is None)

    def _show_pending(self, pending: Pending) -> None:
        event = pending.line.event
        rows = screen.preview(event, self.state, pending.after, self.code) if event is not None else []
        self.terminal.show([f"  {pending.line.text}", *rows, "  Enter saves it, ! drops it"])

    def _commit(self, pending: Pending) -> None:
        """Save a line; until it is on the disk nothing has changed."""
        log = self.match.log
        try:
            if self.match.result != "*":
                log.set_result("*")
                self.match.result = "*"
            log.append(pending.line.text)
        except LogError as error:
            self.terminal.show([*screen.refusal(error), "  Enter tries again, ! drops it"])
            return
        self.match.state = pending.after
        self.pending = self._stroke = None
        self._saved = screen.Saved(log.lines, self._time())
        self.terminal.show([f"saved line {log.lines}: {pending.line.text}"])
        self._after(pending.line.event)
        self.show_board()

    def _after(self, event: Event | None) -> None:
        """What a saved event does to the clock and the name of the referee."""
        if isinstance(event, RefereeChange):
            self.match.referee = event.name
        elif isinstance(event, Late | Extra):
            self.clock.begin_period()
        elif isinstance(event, STOPS_THE_CLOCK):
            self.clock.reset()

    # -- words -----------------------------------------------------------------------------------

    def _prompt(self) -> str:
        if self.pending is not None:
            return "save? "
        clock = f" {minutes(self.clock.in_period)}" if self.clock.running else ""
        side = self.state.to_play
        return f"{side.value if side else self.state.phase.value}{clock}> "

    def _ticking(self) -> str:
        """The clock for the top row; empty while it stands."""
        if not self.clock.running:
            return ""
        side = self.state.to_play
        name = f"{self.state.terms.players[side]}  " if side else ""
        return f"{name}{self.clock.words(self.state.limit)}"

    def _time(self) -> str:
        return f"{self._now():%H:%M:%S}"


def _checked(event: Turn | Fix, state: State) -> Turn | Fix:
    """The event with its ruling as a check, so that the file says what was announced."""
    if event.marks.check is not None:
        return event
    ruling = state.then(event).sets[-1].turns[event.number - 1].ruling
    lost = isinstance(event.action, Lost)
    check = ruling.signed if ruling is not None else -state.terms.book.time.penalty if lost else None
    return replace(event, marks=replace(event.marks, check=check))


# -- the command ---------------------------------------------------------------------------------


def referee(
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The new file; match-DATE-TIME.fpn here where none is named."),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with the match in this file.")
    ] = None,
    rules: RulesOption = None,
    lang: LanguageOption = "en",
) -> None:
    """Referee a live match: lag, strokes as FPN facts, clock, corrections; saved line by line.

    Type help for the words. A terminal that was killed goes on with --resume.
    """
    if resume is not None and (out is not None or rules is not None):
        fail("--resume goes with neither --out nor --rules", "the file has its own rule book", USAGE)
    terminal = Terminal()
    path = resume or out
    try:
        if resume is not None:
            match = _resumed(resume, terminal)
        else:
            match = _begun(out, {"Rules": rules} if rules else {}, terminal)
        path = match.log.path
        left = _referee(match, terminal, lang, resumed=resume is not None)
    except NotationError as error:
        fail(f"{path}:{error.line}:{error.column}  {error.message}", error.hint)
    except LogError as error:
        fail(error.message, error.hint)
    except Leave:
        fail("\nleft before the match was begun: nothing was saved")
    except KeyboardInterrupt:
        fail(f"\nleft: what was called saved is in {path}", _how_to_resume(path))
    raise typer.Exit(left)


def _referee(match: Match, terminal: Terminal, lang: str, *, resumed: bool) -> int:
    """Run a session to its end; the exit code."""
    session = Session(match, terminal, code=lang)
    with match.log:
        try:
            if resumed:
                ask_clock(session)
            session.run()
        except Leave:
            terminal.show([""])
        return _leave(session)


def _leave(session: Session) -> int:
    """Say what is saved and how to go on; a finished match gets its result."""
    match, state = session.match, session.state
    log = match.log
    if session.pending is not None:
        complain(f"not saved: {session.pending.line.text}", "it was shown, but Enter did not follow")
    if not state.is_over:
        complain(f"saved to line {log.lines}: {log.path}", _how_to_resume(log.path))
        return FAULTS if session.pending is not None else 0
    how = state.end.how if state.end is not None else None
    try:
        log.set_result(result_text(state.winner, state.sets_won, how, over=True))
    except LogError as error:
        complain(f"the match is saved, its header 'Result' is not: {error.message}", _how_to_resume(log.path))
        return FAULTS
    typer.echo(log.path)
    return FAULTS if session.pending is not None else 0


def _how_to_resume(path: Path | None) -> str:
    return f"go on with: fivepins referee --resume {shlex.quote(str(path))}"


def _begun(out: Path | None, known: dict[str, str], terminal: Terminal) -> Match:
    """A new match: its head asked for, its file created."""
    now = datetime.now().astimezone()
    if out is not None and (out.exists() or out.is_symlink()):
        raise LogError(f"{out} exists already", hint="name another, or go on with it: --resume")
    terminal.show(["A new match. An empty answer takes what stands in brackets."])
    head, terms = ask_head(
        lambda words, default: terminal.read(f"{words}{f' [{default}]' if default else ''}: "),
        lambda error: terminal.show(screen.refusal(error)),
        {"Date": f"{now:%Y-%m-%d}", **known},
    )
    log = Log.create(out or _free_name(now), format_lines(head))
    terminal.show([f"The match is kept in {log.path}. Type help for the words."])
    return Match(log, State.start(terms), head.get("Event", ""), head["Referee"])


def _free_name(now: datetime) -> Path:
    """A name in this folder that nothing has yet."""
    name = f"match-{now:%Y%m%d-%H%M}"
    path, number = Path(f"{name}.fpn"), 1
    while path.exists():
        number += 1
        path = Path(f"{name}-{number}.fpn")
    return path


# -- going on ------------------------------------------------------------------------------------


def _resumed(path: Path, terminal: Terminal) -> Match:
    """A match that goes on; a last line that was cut off is dealt with first."""
    log = Log.open(path)
    try:
        record, state = _replayed(log.read().rpartition(b"\n"))
        tail = log.read().rpartition(b"\n")[2]
        if tail:
            _settle_tail(log, tail, state, terminal)
            record, state = _replayed(log.read().rpartition(b"\n"))
    except BaseException:
        log.close()
        raise
    names = [line.event.name for line in record.events() if isinstance(line.event, RefereeChange)]
    referee = names[-1] if names else record.value("Referee") or "–"
    terminal.show([f"Going on with {path}."])
    return Match(log, state, record.value("Event") or "", referee, record.value("Result") or "*")


def _replayed(content: tuple[bytes, bytes, bytes]) -> tuple[Record, State]:
    """The match up to the last line end; raises `NotationError` at the first line that is wrong."""
    records = parse_file(decode(content[0] + content[1])).records
    if len(records) > 1:
        raise NotationError(
            "a second match begins here", line=records[1].number, hint="a file of one match can be resumed"
        )
    record = records[0]
    assert record.terms is not None  # strict reading raises instead
    state = State.start(record.terms)
    for line in record.events():
        assert line.event is not None  # as asked for
        try:
            state = state.then(line.event)
        except IllegalEvent as error:
            column = line.column(error.part, error.index)
            raise NotationError(error.message, line=line.number, column=column, hint=error.hint) from None
    return record, state


def _settle_tail(log: Log, tail: bytes, state: State, terminal: Terminal) -> None:
    """Ask what to do with a last line that has no line end: it was never called saved."""
    shown = tail.decode("utf-8", "backslashreplace")
    terminal.show([f"The last line was cut off, and was never called saved: {shown!r}"])
    try:
        event = parse_line(tail.decode()).event
        whole = event is not None and bool(state.then(event))
    except (FivePinsError, UnicodeDecodeError):
        whole = False
    if whole:
        answer = terminal.read("It can be read. Is it complete? y keeps it, Enter makes it a comment: ")
        if answer.strip().lower() in ("y", "yes"):
            log.complete_tail()
            return
    else:
        terminal.read("It is no complete line. Enter makes it a comment: ")
    terminal.show([f"kept as: {log.keep_tail_as_comment()}"])


def ask_clock(session: Session) -> None:
    """After a restart nobody knows how long the stroke has lasted: the clock stands, and asks."""
    terms: Terms = session.state.terms
    if terms.clock is None or session.state.phase is not Phase.PLAY:
        return
    while True:
        answer = session.terminal.read(
            "The clock is paused. Seconds already used for this stroke [0]: "
        ).strip()
        if not answer or (answer.isascii() and answer.isdigit() and len(answer) < 5):
            break
        session.terminal.show(["  a whole number of seconds, or Enter"])
    if int(answer or 0):
        session.clock.hold(float(answer))
