"""Complete enumerations, in the manner of chess perft: every stroke, every score a set can show.

Only first contacts matter to a ruling, so the strokes there are can be listed: an order of first
contacts, for each pin how it fell, and which balls left the table. Counts over such lists are golden
data (`tests/golden`), and a second reading of the rules is compared with the engine over all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, combinations, permutations, product
from typing import NamedTuple

from fivepins.errors import ImpossibleStroke
from fivepins.rulebook import Rulebook
from fivepins.rules import Occasion, Receiver, rule
from fivepins.stroke import Contact, Fact, Foul, Out, Pins, Seen, Stroke
from fivepins.table import PINS, Ball, Pair, Pin, Side

ORDERS = tuple(
    order
    for count in range(4)
    for order in permutations((Contact.CUE_OBJECT, Contact.CUE_RED, Contact.OBJECT_RED), count)
    if order[:1] != (Contact.OBJECT_RED,)  # somebody must have set the two in motion
)
"""The eleven orders of first contacts."""

SEEN = (
    Foul.WRONG_BALL,
    Foul.MOTION,
    Foul.TIP,
    Foul.TOUCHED,
    Foul.CONTACT,
    Foul.FOOT,
    Foul.JUMP,
    Foul.PUSH,
)
"""The seen fouls that both books name."""


def strokes(*, outs: bool = True, fouls: bool = False) -> Iterator[Stroke]:
    """Every stroke there is: 8,710, with balls off the table 69,680, with at most one seen foul 627,120.

    Among those with balls off the table are some that cannot have happened, such as an object ball that
    left untouched; `rule` refuses them.
    """
    leaving = [subset for count in range(4 if outs else 1) for subset in combinations(Ball, count)]
    seen: list[tuple[Fact, ...]] = [(), *((Seen(foul),) for foul in SEEN if fouls)]
    for order in ORDERS:
        for pins in _falls(order):
            for balls in leaving:
                for foul in seen:
                    yield Stroke((*pins, *map(Out, balls), *foul))


def _falls(order: tuple[Contact, ...]) -> Iterator[tuple[Fact, ...]]:
    """An order of contacts with each pin standing, or felled in one of the ways that order allows."""
    standing, by_others, before, after = range(4)
    ways = [standing, before]
    if order:
        ways.append(by_others)
    if Contact.CUE_OBJECT in order:
        ways.append(after)
    for fates in product(ways, repeat=len(PINS)):
        fallen = {
            way: tuple(pin for pin, fate in zip(PINS, fates, strict=True) if fate == way) for way in ways
        }
        yield (
            *_pins(fallen[before], Ball.CUE),
            *order,
            *_pins(fallen.get(by_others, ()), None),
            *_pins(fallen.get(after, ()), Ball.CUE),
        )


def _pins(pins: tuple[Pin, ...], by: Ball | None) -> tuple[Fact, ...]:
    return (Pins(pins, by),) if pins else ()


class Outcome(NamedTuple):
    """What a stroke comes to for the score: `to` is striker, opponent or nobody."""

    to: str
    points: int
    ball_in_hand: bool


IMPOSSIBLE = Outcome("impossible", 0, False)


def outcomes(
    enumeration: Iterable[Stroke], book: Rulebook, occasion: Occasion = Occasion.ORDINARY
) -> Counter[Outcome]:
    """How many strokes of an enumeration come to each outcome under a book."""
    counts: Counter[Outcome] = Counter()
    for stroke in enumeration:
        try:
            ruling = rule(stroke, occasion, book)
        except ImpossibleStroke:
            counts[IMPOSSIBLE] += 1
        else:
            to = ruling.to.value if ruling.to else "nobody"
            counts[Outcome(to, ruling.points, ruling.ball_in_hand)] += 1
    return counts


class OpenState(NamedTuple):
    """A score with the side to play, while the set is open."""

    score: Pair[int]
    to_play: Side


def open_states(book: Rulebook, distance: int) -> set[OpenState]:
    """Every score a set can show before either side has reached the distance, with either side to play.

    The strokes are all that the enumeration without balls off the table knows; the set opens with A.

    >>> from fivepins.rulebook import UMB_1997
    >>> len(open_states(UMB_1997, 8))
    98
    """
    results = {
        (0, points) if to == Receiver.OPPONENT.value else (points, 0)
        for to, points, _ in outcomes(strokes(outs=False), book)
    }
    start = {OpenState(Pair(0, 0), side) for side in Side}
    seen, new = set(start), start
    while new:
        new = set(chain.from_iterable(_following(state, results, distance) for state in new)) - seen
        seen |= new
    return seen


def _following(state: OpenState, results: set[tuple[int, int]], distance: int) -> Iterator[OpenState]:
    striker = state.to_play
    for mine, theirs in results:
        score = state.score.put(striker, state.score[striker] + mine)
        score = score.put(striker.other, score[striker.other] + theirs)
        if max(score) < distance:
            yield OpenState(score, striker.other)
