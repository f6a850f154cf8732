"""One sitting at the terminal: lines typed, shown with their ruling, saved.

The state on the screen is always the fold of what is on the disk.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from fivepins.cli import referee_screen as screen
from fivepins.cli.referee_clock import StrokeClock, minutes
from fivepins.cli.referee_entry import HELP, draft, proposed
from fivepins.cli.referee_log import Log, LogError
from fivepins.cli.referee_terminal import Terminal
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
    Turn,
    Undo,
)
from fivepins.lines import Line, format_line, parse_line
from fivepins.match import Phase, State

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
        """The clock for the top row; empty while it stands, or the stroke has been played."""
        played = self.pending is not None and isinstance(self.pending.line.event, Turn)
        if not self.clock.running or played:
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
