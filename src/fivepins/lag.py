"""The lag: who chooses who opens the first set (24)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fivepins.errors import IllegalEvent
from fivepins.message import Message
from fivepins.table import Pair, Side


@dataclass(frozen=True, slots=True)
class LagState:
    """The lag as far as it has gone: repetitions caused by each side, and who has lost the choice."""

    played: bool = False
    caused: Pair[int] = Pair(0, 0)
    forfeited: Pair[bool] = Pair(False, False)
    chooser: Side | None = None

    def nearer(self, side: Side) -> LagState:
        """The ball of a side was nearer to the bottom cushion."""
        self._undecided()
        return replace(self, played=True, chooser=side)

    def repeat(self, side: Side | None, *, any_second: bool) -> LagState:
        """The lag is repeated; a second repetition may cost the choice (24.2)."""
        self._undecided()
        if side is None:
            return replace(self, played=True)
        caused = self.caused[side] + 1
        lag = replace(self, played=True, caused=self.caused.put(side, caused))
        second = sum(lag.caused) if any_second else caused
        return lag.forfeit(side) if second >= 2 else lag

    def forfeit(self, side: Side) -> LagState:
        """A side loses the choice; once both have, the lag begins anew."""
        if self.forfeited[side]:
            raise IllegalEvent(Message("{side} has lost the choice already", side=side.value), part="side")
        if self.forfeited[side.other]:
            return LagState(played=True)
        return replace(self, played=True, forfeited=self.forfeited.put(side, True), chooser=side.other)

    def _undecided(self) -> None:
        if self.chooser is not None:
            raise IllegalEvent(
                Message("the lag is decided: the choice is {chooser}'s", chooser=self.chooser.value),
                hint=Message(
                    "'set 1 {chooser}' or 'set 1 {other}' comes next",
                    chooser=self.chooser.value,
                    other=self.chooser.other.value,
                ),
            )
