"""The stroke clock of a live match: a stopwatch with two periods, read from a monotonic clock."""

from __future__ import annotations

from collections.abc import Callable

from fivepins.match import Limit


class StrokeClock:
    """Counts the seconds of one stroke; `read` tells the seconds of a clock that never jumps."""

    def __init__(self, read: Callable[[], float]) -> None:
        self._read = read
        self._since: float | None = None
        self._held = 0.0
        self._period = 0.0
        self._reset_at = read()
        self.whole = False
        """Whether it has run from the beginning of the stroke, so that its seconds can be written down."""

    @property
    def running(self) -> bool:
        """Whether it runs."""
        return self._since is not None

    @property
    def total(self) -> float:
        """Seconds of this stroke."""
        return self._held + (self._read() - self._since if self._since is not None else 0.0)

    @property
    def in_period(self) -> float:
        """Seconds since the limit that is in force began."""
        return self.total - self._period

    def start(self, *, whole: bool) -> None:
        """Start it, or let it go on after `hold`."""
        if not self.running:
            self.whole = self.whole or (whole and not self._held)
            self._since = self._read()

    def hold(self) -> None:
        """Stop it; a later start goes on."""
        self._held, self._since = self.total, None

    def hold_at(self, seconds: float, *, whole: bool) -> None:
        """Stop it at what has been used already: of the whole stroke, or of the limit in force."""
        self._held, self._since, self.whole = seconds, None, whole

    def begin_period(self) -> None:
        """Another limit begins; the seconds of the stroke go on."""
        self._period = self.total
        self.start(whole=False)

    def reset(self) -> None:
        """The stroke is over, or something came between: back to nothing, stopped."""
        self._since, self._held, self._period, self.whole = None, 0.0, 0.0, False
        self._reset_at = self._read()

    def words(self, limit: Limit | None) -> str:
        """What it shows."""
        of = f" of {minutes(limit.seconds)} ({limit.period} limit)" if limit else ""
        if not self.running and not self._held:
            ready = f", Enter starts it: 0:00{of}" if limit else ""
            return f"stopped {minutes(self._read() - self._reset_at)} ago{ready}"
        over = limit is not None and self.in_period >= limit.seconds
        late = f"  TIME: {'late' if limit and limit.period != 'second' else 'lost'}" if over else ""
        return f"{'' if self.running else 'held at '}{minutes(self.in_period)}{of}{late}"


def minutes(seconds: float) -> str:
    """Seconds as m:ss."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
