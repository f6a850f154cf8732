"""The clock of a stroke (49): a value that events move, read from a clock that never jumps.

Nothing here ticks. Screens are told when the clock starts and stops, and count for themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from fivepins.events import (
    Decision,
    Event,
    Extra,
    Fix,
    Late,
    Note,
    Pause,
    Protest,
    RefereeChange,
    Score,
    Suspend,
    Undo,
)

_RUNS_ON = (Note, Decision, Protest, RefereeChange, Score, Fix)
"""What may be written while a player thinks."""


@dataclass(frozen=True, slots=True)
class StrokeClock:
    """Seconds of the stroke that is awaited.

    `since` is the moment it was started, in seconds of the reader's monotonic clock, None while it is
    stopped; `held` the seconds counted before that; `begun` where among them the present limit began.
    `ask` tells that the process has found the clock in the store: whether it ran meanwhile is not known.

    >>> from fivepins.table import Side
    >>> clock = StrokeClock().start(100.0)
    >>> clock.elapsed(131.0), clock.after([Late(Side.A)], 140.0).in_limit(145.0)
    (31.0, 5.0)
    """

    since: float | None = None
    held: float = 0.0
    begun: float = 0.0
    ask: bool = False

    @property
    def running(self) -> bool:
        """Whether it runs."""
        return self.since is not None

    def elapsed(self, now: float) -> float:
        """Seconds of this stroke."""
        return self.held + (now - self.since if self.since is not None else 0.0)

    def in_limit(self, now: float) -> float:
        """Seconds since the limit in force began."""
        return self.elapsed(now) - self.begun

    def start(self, now: float, elapsed: float | None = None) -> StrokeClock:
        """Balls at rest, or on it goes; a device that noticed later says how much has elapsed."""
        held = self.elapsed(now) if elapsed is None else elapsed
        return replace(self, since=now, held=held, ask=False)

    def stop(self, now: float, elapsed: float | None = None) -> StrokeClock:
        """Hold it; a later start goes on."""
        return replace(self, since=None, held=self.elapsed(now) if elapsed is None else elapsed, ask=False)

    def after(self, events: Iterable[Event], now: float, *, same_turn: bool = False) -> StrokeClock:
        """The clock after events of the match: a limit begins, or the stroke it belonged to is over.

        `same_turn`: the turn that was awaited before is awaited afterwards. An undo then took back what
        had begun another limit, or words, and the first limit goes on.
        """
        clock = self
        for event in events:
            if isinstance(event, Undo) and same_turn:
                clock = replace(clock, begun=0.0)
            elif isinstance(event, Late | Extra):
                clock = replace(clock, begun=clock.elapsed(now))
            elif isinstance(event, Pause | Suspend):
                clock = clock.stop(now)
            elif not isinstance(event, _RUNS_ON):
                clock = StrokeClock()
        return clock
