"""The waist of the hourglass: what happened in one stroke, fact by fact, in the order of time.

A `Stroke` says nothing of points. The referee's keys, a line of notation and a simulated trace all end
in this record, and the rules read nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from fivepins.errors import Fault, ImpossibleStroke
from fivepins.language import N_
from fivepins.message import Message
from fivepins.table import Ball, Pin


class Contact(Enum):
    """Two balls touch; the value is the FPN token. Contact at rest before the stroke is none (41)."""

    __hash__ = object.__hash__

    CUE_OBJECT = "o"
    CUE_RED = "r"
    OBJECT_RED = "o-r"


class Cause(Enum):
    """Why a pin fell; the value is the letter FPN writes before the slash."""

    STROKE = ""
    LEANING = "l"
    """It leaned on the cue ball and fell as that left (43.5)."""
    UNRELATED = "u"
    """It fell for no reason of the stroke (43.7)."""


class Foul(Enum):
    """A foul the referee saw and contacts cannot show; the value is the FPN word."""

    __hash__ = object.__hash__

    WRONG_BALL = "wrong-ball"
    MOTION = "motion"
    TIP = "tip"
    TOUCHED = "touched"
    CONTACT = "contact"
    FOOT = "foot"
    JUMP = "jump"
    PUSH = "push"
    HALF = "half"
    LINE = "line"
    CONDUCT = "conduct"
    PARTNER = "partner"


@dataclass(frozen=True, slots=True)
class Pins:
    """Pins that fell together, ascending, unidentified outer ones first.

    `by` names the ball that felled them or began the chain; None is the object ball or the red, which
    of them not said. `upright` pins were pushed wholly off their seats but stand (43.4).
    """

    pins: tuple[Pin, ...]
    by: Ball | None = None
    cause: Cause = Cause.STROKE
    upright: bool = False


@dataclass(frozen=True, slots=True)
class Out:
    """A ball left the table (42.1); `back` if it touched the frame and came back: outside all the same."""

    ball: Ball
    back: bool = False


@dataclass(frozen=True, slots=True)
class Cushion:
    """A ball touched a cushion; told for the record, without effect on points."""

    ball: Ball


@dataclass(frozen=True, slots=True)
class Seen:
    """A foul the referee saw; `paragraph` of article 61 where the word alone does not say it."""

    foul: Foul
    paragraph: int | None = None


Fact: TypeAlias = Contact | Pins | Out | Cushion | Seen

OWN_PARAGRAPH = {
    Foul.WRONG_BALL: (3,),
    Foul.MOTION: (8,),
    Foul.TIP: (9,),
    Foul.TOUCHED: (10, 11, 12, 15, 17),
    Foul.CONTACT: (13,),
    Foul.FOOT: (14,),
    Foul.JUMP: (16,),
    Foul.PUSH: (18,),
    Foul.HALF: (),
    Foul.LINE: (),
    Foul.CONDUCT: (),
    Foul.PARTNER: (),
}
"""The paragraphs of article 61 that each word may stand for."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """One stroke: its facts in order, and what held before it.

    `played` is False where no stroke was played and only a foul is recorded (FPN `x`). `off` are pins
    not in play because a ball covers their seat (43.8). `spot`: the striker asked for the object ball
    on its spot (44.5). `sideways`: played sideways from a frozen object ball (2022 book).

    >>> Stroke((Contact.CUE_OBJECT, Pins((Pin.TOP, Pin.BOTTOM)))).problems()
    []
    """

    facts: tuple[Fact, ...] = ()
    played: bool = True
    off: tuple[Pin, ...] = ()
    spot: bool = False
    sideways: bool = False

    @property
    def touched_nothing(self) -> bool:
        """Whether the cue ball touched neither a ball nor a pin: what FPN writes as `-`."""
        return self.played and not any(
            isinstance(fact, Contact) or (isinstance(fact, Pins) and fact.by is Ball.CUE)
            for fact in self.facts
        )

    @property
    def outs(self) -> frozenset[Ball]:
        """The balls that ended outside, whether they came back or not (42.1)."""
        return frozenset(fact.ball for fact in self.facts if isinstance(fact, Out))

    def problems(self) -> list[Fault]:
        """Every reason why these facts cannot have happened; empty if they can."""
        return _Reader(self).read()

    def validate(self) -> Stroke:
        """The stroke itself; raises `ImpossibleStroke` with every problem."""
        faults = self.problems()
        if faults:
            raise ImpossibleStroke(faults)
        return self


class _Reader:
    """Follows the facts through time and remembers what has moved, left or fallen."""

    def __init__(self, stroke: Stroke) -> None:
        self.stroke = stroke
        # Without a stroke the player's hand or cue moved things: any ball may then have been reached.
        self.moved = {Ball.CUE} if stroke.played else set(Ball)
        self.gone: set[Ball] = set()
        self.fallen: set[Pin] = set()
        self.upright: set[Pin] = set()
        self.outer_left = self.seated = 4 - sum(pin is not Pin.CENTRE for pin in stroke.off)
        self.fouls: set[tuple[Foul, int | None]] = set()
        self.index: int | None = None
        self.faults: list[Fault] = []

    def read(self) -> list[Fault]:
        stroke = self.stroke
        if stroke.off:
            self._off(stroke.off)
        if not stroke.played and not any(isinstance(fact, Seen) for fact in stroke.facts):
            self._fault(
                "no stroke and no foul", "x needs the foul that was committed, for example x !touched"
            )
        for self.index, fact in enumerate(stroke.facts):
            if isinstance(fact, Contact):
                self._contact(fact)
            elif isinstance(fact, Pins):
                self._pins(fact)
            elif isinstance(fact, Seen):
                self._seen(fact)
            elif isinstance(fact, Out):
                self._acts(fact.ball, _LEAVES)
                if not fact.back:
                    self.gone.add(fact.ball)
            else:
                self._acts(fact.ball, _TOUCHES)
        return self.faults

    def _fault(self, message: str, hint: str) -> None:
        self.faults.append(Fault(message, hint, self.index))

    def _off(self, off: tuple[Pin, ...]) -> None:
        numbered = [pin for pin in off if pin is not Pin.OUTER]
        if len(set(numbered)) != len(numbered) or self.outer_left < 0:
            self._fault("a pin is named twice as not in play", "name each covered pin once")

    def _contact(self, fact: Contact) -> None:
        if not self.stroke.played:
            self._fault("no stroke was played, so no balls can meet", "leave x out if the stroke was played")
        one, other = _MEETING[fact]
        if one not in self.moved and other not in self.moved:
            self._fault(
                "object ball and red meet before anything has touched either",
                "write first which ball the cue ball met: o o-r, or r o-r",
            )
        if self.gone & {one, other}:
            gone = one if one in self.gone else other
            self._fault(
                Message("{ball} touches a ball after it has left the table", ball=_NAME[gone]), _IN_ORDER
            )
        self.moved.add(one)
        self.moved.add(other)

    def _acts(self, ball: Ball, deed: Message) -> None:
        if ball in self.gone:
            self._fault(
                Message("{ball} {deed} after it has left the table", ball=_NAME[ball], deed=deed), _IN_ORDER
            )
        elif ball not in self.moved:
            self._fault(
                Message("{ball} {deed} before anything has touched it", ball=_NAME[ball], deed=deed),
                Message("write first what met {ball}", ball=_NAME[ball]),
            )

    def _pins(self, fact: Pins) -> None:
        if fact.cause is Cause.STROKE:
            self._feller(fact.by)
        off, fallen = self.stroke.off, self.fallen
        for pin in fact.pins:
            known = pin is not Pin.OUTER
            if known and pin in off:
                self._fault(
                    Message("pin {pin} falls but is not in play", pin=pin.value),
                    "a pin in off/ cannot fall (43.8)",
                )
            if known and pin in fallen:
                self._fault(
                    Message("pin {pin} falls twice", pin=pin.value), "a pin counts once a stroke (43.2)"
                )
            if fact.cause is Cause.UNRELATED:
                continue  # put back on its seat: it can yet be felled (43.7)
            if fact.upright:
                if known and pin in self.upright:
                    self._fault(
                        Message("pin {pin} is pushed off its seat twice", pin=pin.value), "name it once"
                    )
                self.upright.add(pin)  # still on its base: it can yet be felled (43.4)
                continue
            fallen.add(pin)
            self.outer_left -= pin is not Pin.CENTRE
        if fact.upright:
            # What has fallen cannot stand beside its seat, and nothing leaves its seat twice.
            outer = sum(pin is not Pin.CENTRE for pin in fact.pins)
            self.seated = min(self.seated, self.outer_left) - outer
        if self.outer_left < 0 or self.seated < 0:
            self.outer_left = self.seated = 0
            self._fault(
                "more outer pins fall than are in play", "four outer pins at most, and fewer with off/"
            )

    def _feller(self, by: Ball | None) -> None:
        if by is not None:
            self._acts(by, _FELLS)
        elif not (_OTHERS & self.moved) - self.gone:
            if _OTHERS & self.gone:
                self._fault("a pin falls after the ball that could fell it has left the table", _IN_ORDER)
            else:
                self._fault(
                    "a pin falls before object ball or red has been touched",
                    "was it the cue ball? write c/ before the pins",
                )

    def _seen(self, fact: Seen) -> None:
        own = OWN_PARAGRAPH[fact.foul]
        if fact.paragraph is not None and fact.paragraph not in own:
            known = ", ".join(map(str, own)) or "–"
            self._fault(
                Message(
                    "'{foul}' is not paragraph {number} of article 61",
                    foul=fact.foul.value,
                    number=fact.paragraph,
                ),
                Message("paragraphs of this word: {known}", known=known),
            )
        key = (fact.foul, paragraph(fact, played=self.stroke.played))
        if key in self.fouls:
            self._fault(
                Message("the same foul twice: '{foul}'", foul=fact.foul.value),
                "a foul counts once: name another paragraph, or leave it out",
            )
        self.fouls.add(key)


def paragraph(seen: Seen, *, played: bool) -> int | None:
    """The paragraph of article 61 a seen foul falls under; None for the words of the 2022 book.

    A plain `touched` is 61.17, without a stroke 61.15.

    >>> paragraph(Seen(Foul.TOUCHED), played=False)
    15
    """
    if seen.paragraph is not None:
        return seen.paragraph
    own = OWN_PARAGRAPH[seen.foul]
    if seen.foul is Foul.TOUCHED:
        return 17 if played else 15
    return own[0] if own else None


_MEETING = {
    Contact.CUE_OBJECT: (Ball.CUE, Ball.OBJECT),
    Contact.CUE_RED: (Ball.CUE, Ball.RED),
    Contact.OBJECT_RED: (Ball.OBJECT, Ball.RED),
}
_OTHERS = {Ball.OBJECT, Ball.RED}
_IN_ORDER = N_("order the facts as they happened")
_NAME = {
    Ball.CUE: Message("the cue ball"),
    Ball.OBJECT: Message("the object ball"),
    Ball.RED: Message("the red"),
}
_LEAVES, _TOUCHES, _FELLS = Message("leaves the table"), Message("touches a cushion"), Message("fells a pin")
