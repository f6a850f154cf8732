"""The table and what stands on it: balls, pins, the two sides, positions.

Lengths are millimetres. The origin is the bottom left corner of the playing surface, x runs across
(0 … 1420), y along (0 … 2840); the bottom is the side the opening stroke is played from.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum
from typing import Final, Generic, NamedTuple, TypeVar

from fivepins.errors import Fault, ImpossiblePosition
from fivepins.message import Message

T = TypeVar("T")
U = TypeVar("U")


class Ball(Enum):
    """A ball by its part in a stroke; the value is its letter in FPN."""

    # Members are single objects; the hash that Enum defines is slow where strokes are ruled by the million.
    __hash__ = object.__hash__

    CUE = "c"
    OBJECT = "o"
    RED = "r"


class Colour(Enum):
    """A ball by its colour, which it keeps all match (25.8)."""

    WHITE = "white"
    YELLOW = "yellow"
    RED = "red"

    @property
    def other(self) -> Colour:
        """The other player's ball.

        >>> Colour.WHITE.other
        <Colour.YELLOW: 'yellow'>
        """
        return {Colour.WHITE: Colour.YELLOW, Colour.YELLOW: Colour.WHITE, Colour.RED: Colour.RED}[self]


BALL_NAMES: Final = {
    Colour.WHITE: Message("white ball"),
    Colour.YELLOW: Message("yellow ball"),
    Colour.RED: Message("red ball"),
}


class Pin(IntEnum):
    """A pin by its number in FPN, seen from the bottom; OUTER is an outer pin not identified (`.`)."""

    __hash__ = int.__hash__

    OUTER = 0
    TOP = 1
    RIGHT = 2
    BOTTOM = 3
    LEFT = 4
    CENTRE = 5


PINS = (Pin.TOP, Pin.RIGHT, Pin.BOTTOM, Pin.LEFT, Pin.CENTRE)
"""The five pins that have a seat."""


class Side(Enum):
    """One of the two players or pairs, by the order of their names in the head of the match."""

    A = "A"
    B = "B"

    @property
    def other(self) -> Side:
        """The opponent.

        >>> Side.A.other
        <Side.B: 'B'>
        """
        return Side.B if self is Side.A else Side.A


@dataclass(frozen=True, slots=True)
class Pair(Generic[T]):
    """Something that each side has one of: names, scores, sets won.

    >>> score = Pair(22, 27)
    >>> score[Side.B], score.swap(), score.put(Side.A, 24)
    (27, Pair(a=27, b=22), Pair(a=24, b=27))
    """

    a: T
    b: T

    def __getitem__(self, side: Side) -> T:
        return self.a if side is Side.A else self.b

    def __iter__(self) -> Iterator[T]:
        yield self.a
        yield self.b

    def put(self, side: Side, value: T) -> Pair[T]:
        """The pair with one side's value replaced."""
        return Pair(value, self.b) if side is Side.A else Pair(self.a, value)

    def swap(self) -> Pair[T]:
        """The pair with the sides exchanged."""
        return Pair(self.b, self.a)

    def map(self, function: Callable[[T], U]) -> Pair[U]:
        """The pair of the function's values."""
        return Pair(function(self.a), function(self.b))


class Point(NamedTuple):
    """A place on the cloth, in millimetres."""

    x: float
    y: float

    def distance(self, other: Point) -> float:
        """Millimetres between two places.

        >>> Point(0, 0).distance(Point(3, 4))
        5.0
        """
        return math.hypot(self.x - other.x, self.y - other.y)


@dataclass(frozen=True, slots=True)
class Table:
    """Measures of table, balls and castle in millimetres, with the spots and lines of article 13.

    `pitch` is the distance from the centre pin to each outer pin. Source: 11.4, 12.1 and 12.2; the
    castle and the spots from the drawings of the national editions.
    """

    width: float = 1420.0
    length: float = 2840.0
    radius: float = 30.75
    pitch: float = 66.0
    pin_base: float = 3.5

    @property
    def centre_line(self) -> float:
        """y of the central line: half of the length."""
        return self.length / 2

    @property
    def bottom_spot(self) -> Point:
        """The end spot of the lower half."""
        return Point(self.width / 2, 100.0)

    @property
    def lower_spot(self) -> Point:
        """The second lowest spot, on the starting line."""
        return Point(self.width / 2, self.length / 4)

    @property
    def upper_spot(self) -> Point:
        """The second highest spot: the red's at the start (25.1c)."""
        return Point(self.width / 2, self.length * 3 / 4)

    @property
    def top_spot(self) -> Point:
        """The end spot of the upper half: the object ball's at the start (25.1b)."""
        return Point(self.width / 2, self.length - 100.0)

    @property
    def lag_spots(self) -> Pair[Point]:
        """Where the lag is played from (24.1): left (the yellow ball), right (the white one)."""
        y = self.lower_spot.y
        return Pair(Point(300.0, y), Point(self.width - 300.0, y))

    def seat(self, pin: Pin) -> Point:
        """The seat of a pin.

        >>> TABLE.seat(Pin.TOP)
        Point(x=710.0, y=1486.0)
        """
        x, y = self.width / 2, self.length / 2
        across, along = {
            Pin.TOP: (0, 1),
            Pin.RIGHT: (1, 0),
            Pin.BOTTOM: (0, -1),
            Pin.LEFT: (-1, 0),
            Pin.CENTRE: (0, 0),
        }[pin]
        return Point(x + across * self.pitch, y + along * self.pitch)

    def covers(self, ball: Point, pin: Pin) -> bool:
        """Whether a ball lies on a pin's seat: its centre within R + 3.5 mm of it."""
        return ball.distance(self.seat(pin)) < self.radius + self.pin_base

    def blocks(self, ball: Point, spot: Point) -> bool:
        """Whether a ball keeps another from a spot: centres closer than two radii."""
        return ball.distance(spot) < 2 * self.radius


TABLE = Table()
"""The match table."""

OVERLAP = 0.01
"""Millimetres by which written decimals may let two balls overlap; more is refused."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where the balls lie and which pins stand, between two strokes.

    A ball that is not on the table is None. `standing` are the pins in play; a displaced one stands in
    `displaced` with its place as well.

    >>> START.white, sorted(START.standing)[-1].name
    (Point(x=710.0, y=710.0), 'CENTRE')
    """

    white: Point | None
    yellow: Point | None
    red: Point | None
    standing: frozenset[Pin] = frozenset(PINS)
    displaced: tuple[tuple[Pin, Point], ...] = field(default=())

    def __getitem__(self, colour: Colour) -> Point | None:
        match colour:
            case Colour.WHITE:
                return self.white
            case Colour.YELLOW:
                return self.yellow
            case Colour.RED:
                return self.red

    def put(self, colour: Colour, place: Point | None) -> Position:
        """The position with one ball moved or, with None, taken off."""
        match colour:
            case Colour.WHITE:
                return replace(self, white=place)
            case Colour.YELLOW:
                return replace(self, yellow=place)
            case Colour.RED:
                return replace(self, red=place)

    def balls(self) -> Iterator[tuple[Colour, Point]]:
        """The balls on the table."""
        for colour in Colour:
            place = self[colour]
            if place is not None:
                yield colour, place

    def pins(self, table: Table = TABLE) -> Iterator[tuple[Pin, Point]]:
        """The pins in play, with the place each stands on."""
        moved = dict(self.displaced)
        for pin in sorted(self.standing):
            yield pin, moved.get(pin) or table.seat(pin)

    def problems(self, table: Table = TABLE) -> list[Fault]:
        """Every reason why no table can show this position; empty if it can."""
        faults = [fault for colour, place in self.balls() for fault in _off_the_bed(colour, place, table)]
        balls = list(self.balls())
        faults.extend(
            Fault(
                Message(
                    "the {one} and the {other} overlap: {distance:.3f} mm between centres, {least} at least",
                    one=BALL_NAMES[first],
                    other=BALL_NAMES[second],
                    distance=there.distance(here),
                    least=2 * table.radius,
                ),
                "move one of them apart",
            )
            for i, (first, here) in enumerate(balls)
            for second, there in balls[i + 1 :]
            if there.distance(here) < 2 * table.radius - OVERLAP
        )
        faults.extend(_pin_faults(self, table))
        return faults

    def validate(self, table: Table = TABLE) -> Position:
        """The position itself; raises `ImpossiblePosition` with every problem."""
        faults = self.problems(table)
        if faults:
            raise ImpossiblePosition(faults)
        return self


def _off_the_bed(colour: Colour, place: Point, table: Table) -> Iterator[Fault]:
    low, right, top = table.radius, table.width - table.radius, table.length - table.radius
    if not (math.isfinite(place.x) and math.isfinite(place.y)):
        yield Fault(
            Message(
                "the {ball} is at {x}:{y}, which is no place",
                ball=BALL_NAMES[colour],
                x=place.x,
                y=place.y,
            ),
            "write millimetres",
        )
    elif not (low - OVERLAP <= place.x <= right + OVERLAP and low - OVERLAP <= place.y <= top + OVERLAP):
        yield Fault(
            Message(
                "the {ball} at {x:g}:{y:g} is not on the bed",
                ball=BALL_NAMES[colour],
                x=place.x,
                y=place.y,
            ),
            Message(
                "x from {low:g} to {right:g}, y from {low:g} to {top:g}; a ball off the table is '-'",
                low=low,
                right=right,
                top=top,
            ),
        )


def _pin_faults(position: Position, table: Table) -> Iterator[Fault]:
    moved = dict(position.displaced)
    if len(moved) != len(position.displaced):
        yield Fault("a pin is displaced twice", "give each displaced pin one place")
    for pin in moved:
        if pin not in position.standing:
            yield Fault(
                Message("pin {pin} is displaced but not in play", pin=pin.value),
                "name it among the standing pins",
            )
    for pin in position.standing:
        if pin is Pin.OUTER:
            yield Fault("an outer pin not identified has no seat", "say which pin stands: 1 to 5")
            continue
        for colour, place in position.balls():
            if pin not in moved and table.covers(place, pin):
                yield Fault(
                    Message("pin {pin} stands where the {ball} lies", pin=pin.value, ball=BALL_NAMES[colour]),
                    "a pin whose seat is covered is not in play (43.8): leave it out",
                )
    for pin, place in position.displaced:
        if not (0 <= place.x <= table.width and 0 <= place.y <= table.length):
            yield Fault(
                Message(
                    "the displaced pin {pin} at {x:g}:{y:g} is not on the bed",
                    pin=pin.value,
                    x=place.x,
                    y=place.y,
                )
            )


START = Position(white=TABLE.lower_spot, yellow=TABLE.top_spot, red=TABLE.upper_spot)
"""The position of the opening stroke (25.1), the opener's white ball on the second lowest spot."""
