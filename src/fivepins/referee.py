"""The referee of simulated strokes: from a trace to facts, and from facts to the next position.

    trace ── judge ──► Stroke ── rule ──► Ruling ── settle ──► Position

`judge` keeps order and identity and drops the physics, so that a simulated stroke is ruled by the same
rules as a watched one. For batches `rule_many` rules each distinct set of facts once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from fivepins.errors import SimulationError
from fivepins.physics import Fact as Reading
from fivepins.physics import Fall, Outcomes, Rail, Trace, read_code, read_key
from fivepins.placing import Placed
from fivepins.placing import settle as place
from fivepins.rulebook import UMB_1997, Rulebook
from fivepins.rules import Occasion, Receiver, Ruling, rule
from fivepins.stroke import Cause, Contact, Cushion, Fact, Foul, Pins, Seen, Stroke
from fivepins.table import PINS, Ball, Pin

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_CONTACTS = {
    (Ball.CUE, Ball.OBJECT): Contact.CUE_OBJECT,
    (Ball.CUE, Ball.RED): Contact.CUE_RED,
    (Ball.OBJECT, Ball.RED): Contact.OBJECT_RED,
}


def judge(trace: Trace) -> Stroke:
    """The facts of a simulated stroke, in the order of its events.

    Raises `SimulationError` for a trace that was cut short.

    >>> from fivepins.physics import Cue, simulate
    >>> from fivepins.table import START
    >>> judge(simulate(START, Cue(speed=1.0, aim=180.0))).touched_nothing
    True
    """
    if trace.flag:
        raise SimulationError(f"a stroke that was cut short cannot be ruled: {trace.flag}")
    off = tuple(pin for pin in PINS if pin not in trace.position.standing)
    return Stroke(_facts(trace.codes), off=off)


def settle(trace: Trace, ruling: Ruling, book: Rulebook = UMB_1997) -> Placed:
    """Where everything is put after a simulated stroke (42–44), and who has what in hand."""
    return place(
        trace.rest,
        striker=trace.striker,
        outs=frozenset(colour for colour, _ in trace.position.balls() if trace.rest[colour] is None),
        ball_in_hand=ruling.ball_in_hand,
        book=book,
    )


def _facts(codes: Iterable[int]) -> tuple[Fact, ...]:
    facts: list[Fact] = []
    contact = Seen(Foul.CONTACT)
    for reading in map(read_code, codes):
        fact = _fact(reading)
        last = facts[-1] if facts else None
        if (
            isinstance(fact, Pins)
            and isinstance(last, Pins)
            and (last.by, last.cause) == (fact.by, fact.cause)
        ):
            facts[-1] = Pins(tuple(sorted(last.pins + fact.pins)), fact.by, fact.cause)
        else:
            facts.append(fact)
        if reading.frozen and contact not in facts:
            facts.append(contact)  # played directly into what the cue ball was frozen to (41, 61.13)
    return tuple(facts)


def _felled_alike(one: Pins, other: Pins) -> bool:
    return (one.by, one.cause) == (other.by, other.cause)


def _fact(reading: Reading) -> Fact:
    match reading.partner:
        case Rail():
            return Cushion(reading.ball)
        case Pin():
            if reading.fall is Fall.LEANED and reading.ball is Ball.CUE:
                return Pins((reading.partner,), cause=Cause.LEANING)
            return Pins((reading.partner,), reading.ball)
        case Ball():
            return _CONTACTS[reading.ball, reading.partner]


class Judged(NamedTuple):
    """The facts of a batch: its distinct strokes, and which of them each stroke of the batch is, (n,)."""

    strokes: tuple[Stroke, ...]
    which: npt.NDArray[np.intp]


class Rulings(NamedTuple):
    """The rulings of a batch as arrays of length n.

    `points`; `to` 1 for the striker, −1 for the opponent, 0 for nobody; `ball_in_hand`. Strokes that were
    cut short (`Outcomes.flagged`) have no points and nobody.
    """

    points: npt.NDArray[np.int16]
    to: npt.NDArray[np.int8]
    ball_in_hand: npt.NDArray[np.bool_]


def judge_many(outcomes: Outcomes) -> Judged:
    """The facts of a batch as far as a ruling can depend on them: without cushions and repeated contacts."""
    import numpy as np  # noqa: PLC0415 - loaded by the batch that made these

    keys, which = np.unique(outcomes.keys, return_inverse=True)
    return Judged(tuple(Stroke(_facts(read_key(int(key)))) for key in keys), which.reshape(-1))


def rule_many(
    outcomes: Outcomes, occasion: Occasion = Occasion.ORDINARY, book: Rulebook = UMB_1997
) -> Rulings:
    """Rule on a batch: each distinct stroke once, by `rule`, and the rest is a look-up."""
    import numpy as np  # noqa: PLC0415 - loaded by the batch that made these

    judged = judge_many(outcomes)
    table = [rule(stroke, occasion, book) for stroke in judged.strokes]
    signs = {Receiver.STRIKER: 1, Receiver.OPPONENT: -1, None: 0}
    fine = ~outcomes.flagged
    points = np.array([ruling.points for ruling in table], dtype=np.int16)[judged.which] * fine
    to = np.array([signs[ruling.to] for ruling in table], dtype=np.int8)[judged.which] * fine
    hand = np.array([ruling.ball_in_hand for ruling in table], dtype=np.bool_)[judged.which] & fine
    return Rulings(points, to, hand)
