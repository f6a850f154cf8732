"""A set as a slate shows it, and a match as a list of slates: what the machines of the tests play against.

Nothing here knows the program. What a stroke is worth, the oracle says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, NamedTuple

import oracle


class Points(NamedTuple):
    """Points a side was given: for the stroke of a turn `by` a side, for time, or with the ball in `hand`."""

    to: str
    points: int
    turn: int = 0
    by: str = ""
    hand: bool = False


@dataclass(frozen=True)
class Model:
    """A set as a slate shows it: points for A, points for B, and the letter of who is to play."""

    letter: str
    distance: int
    given: tuple[Points, ...] = ()
    turns: int = 0
    late: bool = False

    def points(self, side: str, given: tuple[Points, ...] | None = None) -> int:
        mine = sum(one.points for one in (self.given if given is None else given) if one.to == side)
        return min(mine, self.distance)

    def give(self, points: Points) -> Model:
        return replace(self, given=(*self.given, points))

    def turn_over(self) -> Model:
        return replace(self, letter=other(self.letter), turns=self.turns + 1, late=False)

    def opens(self, turn: int) -> bool:
        """Whether nobody had struck, or had been given the ball in hand, before this turn."""
        return not any(one.turn or one.hand for one in takewhile(lambda one: one.turn != turn, self.given))

    @property
    def full(self) -> bool:
        return max(self.points("A"), self.points("B")) == self.distance


def other(letter: str) -> str:
    """The opponent's letter."""
    return "B" if letter == "A" else "A"


@dataclass(frozen=True)
class Match:
    """A match as its lines tell it; `earlier` is what an undo leads back to."""

    rules: str
    distance: int
    majority: int
    sets: tuple[Model, ...] = ()
    won: str = ""
    suspended: bool = False
    earlier: Match | None = None

    def after(self, line: str) -> Match:
        """The match after a line that was accepted."""
        one = self.sets[-1] if self.sets else Model("", 0)
        match re.sub(r'"[^"]*"', "", line).split():
            case ["undo"]:
                assert self.earlier is not None
                return self.earlier
            case ["set", _, side]:
                return self._then(sets=(*self.sets, Model(side, self.distance)))
            case ["good", side, _]:
                return self._then(won=self.won + side)
            case ["suspend"] | ["resume"]:
                return self._then(suspended=line.startswith("suspend"))
            case ["extra", _] | ["pause", *_]:
                return self._then()
            case ["late", side]:
                return self._set(replace(one.give(Points(other(side), 2)), late=True))
            case ["penalty", side, points, "hand"]:
                given = one.give(Points(other(side), int(points), hand=True))
                return self._set(replace(given, letter=other(side), late=False))
            case ["fix", number, *facts]:
                (old,) = [given for given in one.given if given.turn == int(number)]
                new = self._worth(facts, one, old.by, old.turn)
                return self._set(replace(one, given=tuple(new if it is old else it for it in one.given)))
            case [number, side, "lost"] if number.endswith("."):
                return self._set(one.give(Points(other(side), 2)).turn_over())
            case [number, side, *facts] if number.endswith("."):
                return self._set(one.give(self._worth(facts, one, side, int(number[:-1]))).turn_over())
        return self

    @property
    def phase(self) -> str:
        """Where it is, in the words of a board."""
        if self.suspended:
            return "suspended"
        if len(self.sets) > len(self.won):
            return "distance" if self.sets[-1].full else "play"
        if self.majority in (self.won.count(side) for side in "AB"):
            return "over"
        return "between" if self.sets else "lag"

    def _worth(self, facts: list[str], one: Model, side: str, turn: int) -> Points:
        told = oracle.ruling(" ".join(facts), self.rules, opening=one.opens(turn))
        return Points(other(side) if told.to == "opponent" else side, told.points, turn, side)

    def _set(self, one: Model) -> Match:
        return self._then(sets=(*self.sets[:-1], one))

    def _then(self, **changes: Any) -> Match:
        return replace(self, earlier=self, **changes)
