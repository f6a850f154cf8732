"""What can happen in a match: one frozen record an event, as FPN writes one line an event.

An event says nothing of its consequences; `fivepins.match` folds events into a `State`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from fivepins.errors import Fault
from fivepins.message import Message
from fivepins.rulebook import UMB_1997, Rulebook
from fivepins.stroke import Stroke
from fivepins.table import Colour, Pair, Side


@dataclass(frozen=True, slots=True)
class Terms:
    """What was agreed before the match: the head of the match paper as far as the rules need it.

    `sets` is the number of sets at most, None for a single distance; `start` the points each side has
    at the start of every set (a handicap); `clock` the two time limits in seconds, None without a clock.
    `balls` is None where they follow from who opens the first set (25.2).
    """

    players: Pair[str] = Pair("A", "B")
    book: Rulebook = UMB_1997
    distance: Pair[int] = Pair(60, 60)
    sets: int | None = None
    start: Pair[int] = Pair(0, 0)
    clock: tuple[int, int] | None = None
    balls: Pair[Colour] | None = None

    def problems(self) -> list[Fault]:
        """Every reason why no match can be played on these terms."""
        faults = []
        for side in Side:
            if self.distance[side] < 1:
                faults.append(Fault("the distance is 0", "write the points to reach, for example 60"))
            elif self.start[side] >= self.distance[side]:
                faults.append(
                    Fault(
                        Message(
                            "{side} starts with {start} of {distance} points",
                            side=side.value,
                            start=self.start[side],
                            distance=self.distance[side],
                        ),
                        "a handicap is smaller than the distance",
                    )
                )
        if self.sets is not None and self.sets % 2 == 0:
            faults.append(
                Fault(
                    Message("{sets} sets: the number is odd (21.1)", sets=self.sets),
                    "3, 5 or 7; none for a single distance",
                )
            )
        return faults

    @property
    def majority(self) -> int:
        """The sets that win the match."""
        return (self.sets or 1) // 2 + 1


class How(Enum):
    """How a match ended before its last point; the value is the FPN word."""

    LEFT = "left"
    REFUSED = "refused"
    FORFEIT = "forfeit"
    WALKOVER = "walkover"
    INJURY = "injury"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class Unrecorded:
    """A stroke of which only the points are known (FPN `?`)."""


@dataclass(frozen=True, slots=True)
class Lost:
    """No stroke within the second time limit: the turn passes (49.2)."""


Action: TypeAlias = Stroke | Unrecorded | Lost


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What stands beside the facts of a turn.

    `check` is the redundant result: points to the striker, negative to the opponent. `hand` belongs to
    an unrecorded stroke only. `pos` and `cue` are codes, kept as written.
    """

    check: int | None = None
    hand: bool = False
    seconds: float | None = None
    pos: str | None = None
    cue: str | None = None


NO_MARKS = Marks()


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """What every event has: `at`, the time of day (hh:mm or hh:mm:ss) if it was noted."""

    at: str | None = None


@dataclass(frozen=True, slots=True)
class Lag(Happening):
    """The ball of `side` came to rest nearer to the bottom cushion: the choice is its (24.6)."""

    side: Side


@dataclass(frozen=True, slots=True)
class LagRepeat(Happening):
    """The lag is played again, because of `side` or of nobody (24.2, 24.4)."""

    side: Side | None = None


@dataclass(frozen=True, slots=True)
class LagForfeit(Happening):
    """`side` loses the choice by a fault in the lag (24.3, 24.5)."""

    side: Side


@dataclass(frozen=True, slots=True)
class SetStart(Happening):
    """A set begins: the balls are placed and `side` opens (23, 25)."""

    number: int
    side: Side


@dataclass(frozen=True, slots=True)
class Turn(Happening):
    """A side had its one stroke (21.2)."""

    number: int
    side: Side
    action: Action
    marks: Marks = NO_MARKS


@dataclass(frozen=True, slots=True)
class Late(Happening):
    """The first time limit passed: 2 points to the other side, and the second limit runs (49.2)."""

    side: Side


@dataclass(frozen=True, slots=True)
class Extra(Happening):
    """The side takes its extra time (2022 book)."""

    side: Side


@dataclass(frozen=True, slots=True)
class Fix(Happening):
    """The facts of a turn of the open set are corrected; turn order stays."""

    number: int
    action: Action
    marks: Marks = NO_MARKS
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Undo(Happening):
    """The last event still in force is taken back."""

    reason: str


@dataclass(frozen=True, slots=True)
class Score(Happening):
    """A redundant figure: the score of the open set where the line stands."""

    score: Pair[int]


@dataclass(frozen=True, slots=True)
class Good(Happening):
    """The referee says "good": the set is over (28.2). `short` is the reason where points were missing."""

    side: Side
    score: Pair[int]
    short: str | None = None


@dataclass(frozen=True, slots=True)
class AwardSet(Happening):
    """The open set is given to a side by decision."""

    side: Side
    reason: str


@dataclass(frozen=True, slots=True)
class SetResult(Happening):
    """A set of which only the score is known."""

    number: int
    side: Side
    score: Pair[int]


@dataclass(frozen=True, slots=True)
class Penalty(Happening):
    """Points to the other side outside a stroke; with `hand` it also plays next, with ball in hand."""

    side: Side
    points: int
    hand: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Pause(Happening):
    """A pause the referee grants; `seconds` long, at the wish of `side` if one asked."""

    seconds: int
    side: Side | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class PauseRefused(Happening):
    """The side refused the break and so loses its claim to one (2022 book)."""

    side: Side


@dataclass(frozen=True, slots=True)
class Suspend(Happening):
    """The match is interrupted."""

    reason: str


@dataclass(frozen=True, slots=True)
class Resume(Happening):
    """The interruption is over."""


@dataclass(frozen=True, slots=True)
class Place(Happening):
    """The referee placed balls and pins: `restored`, `start`, or a position code (62)."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class Swap(Happening):
    """The two balls exchange places, because both sides had played the wrong one (25.9)."""

    reason: str


@dataclass(frozen=True, slots=True)
class RefereeChange(Happening):
    """Another referee takes over."""

    name: str


@dataclass(frozen=True, slots=True)
class Note(Happening):
    """Anything worth writing down."""

    text: str


@dataclass(frozen=True, slots=True)
class Protest(Happening):
    """A side protests."""

    side: Side
    text: str


@dataclass(frozen=True, slots=True)
class Decision(Happening):
    """An exceptional decision, with who took it (1.2, 1.3, 71)."""

    text: str
    by: str | None = None


@dataclass(frozen=True, slots=True)
class End(Happening):
    """The match ends before its last point; `side` wins, None for nobody."""

    side: Side | None
    how: How
    reason: str


Event: TypeAlias = (
    Lag
    | LagRepeat
    | LagForfeit
    | SetStart
    | Turn
    | Late
    | Extra
    | Fix
    | Undo
    | Score
    | Good
    | AwardSet
    | SetResult
    | Penalty
    | Pause
    | PauseRefused
    | Suspend
    | Resume
    | Place
    | Swap
    | RefereeChange
    | Note
    | Protest
    | Decision
    | End
)
