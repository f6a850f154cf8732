"""Position code and cue code: text ⇄ values. Together the two identify a simulated stroke.

    355.0:710.0/710.0:2740.0/710.0:2130.0/12345   white / yellow / red / pins standing
    v3.20,a92.50,x-0.20,y0.35,e4.0                speed, aim, tip offset right and up, elevation

What is written is exactly what is run: numbers are read as written and printed as the shortest
decimals that give the same number again.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal

from fivepins.errors import Fault, NotationError
from fivepins.message import Message
from fivepins.table import BALL_NAMES, Colour, Pin, Point, Position

MISCUE_LIMIT = 0.55
"""Tip offset in radii at which the tip slips: the most that was measured (Alciatore TP 2.1)."""


@dataclass(frozen=True, slots=True)
class Cue:
    """How the cue ball is struck.

    `speed` of the ball in m/s, `aim` in degrees (0 = +x, counter-clockwise), tip offset `side` (right)
    and `height` (up) as fractions of the radius, `elevation` of the cue in degrees.
    """

    speed: float
    aim: float
    side: float = 0.0
    height: float = 0.0
    elevation: float = 0.0

    def problems(self, miscue_limit: float = MISCUE_LIMIT) -> list[Fault]:
        """Every reason why no cue can do this; empty if one can.

        >>> [fault.message for fault in Cue(-1, 90, elevation=95).problems()]
        ['speed -1 m/s is negative', 'elevation 95 degrees is not from 0 to below 90']
        """
        names = ("speed", "aim", "side", "height", "elevation")
        faults = [
            Fault(
                Message("{name} is {value}, which is no number", name=name, value=getattr(self, name)),
                "write plain decimals",
            )
            for name in names
            if not math.isfinite(getattr(self, name))
        ]
        if self.speed < 0:
            faults.append(
                Fault(
                    Message("speed {speed:g} m/s is negative", speed=self.speed),
                    "turn the aim by 180 degrees",
                )
            )
        offset = math.hypot(self.side, self.height)
        if offset > miscue_limit + 1e-12:
            faults.append(
                Fault(
                    Message(
                        "the tip at {side:g} right, {height:g} up would slip: {offset:.3f} of {limit:g}",
                        side=self.side,
                        height=self.height,
                        offset=offset,
                        limit=miscue_limit,
                    ),
                    "strike nearer to the centre",
                )
            )
        if math.isfinite(self.elevation) and not 0 <= self.elevation < 90:
            faults.append(
                Fault(
                    Message(
                        "elevation {elevation:g} degrees is not from 0 to below 90", elevation=self.elevation
                    ),
                    "0 is a level cue",
                )
            )
        return faults


_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)"
_PLACE = re.compile(rf"({_NUMBER}):({_NUMBER})")
_DISPLACED = re.compile(rf"([1-5])@({_NUMBER}):({_NUMBER})")
_CUE = re.compile(
    rf"v(?P<speed>{_NUMBER}),a(?P<aim>{_NUMBER})"
    rf"(?:,x(?P<side>{_NUMBER}))?(?:,y(?P<height>{_NUMBER}))?(?:,e(?P<elevation>{_NUMBER}))?"
)


def parse_position(code: str) -> Position:
    """Read a position code; millimetres.

    Raises `NotationError` with the column in the code where it stops making sense. Whether a table can
    show the position is asked of `Position.problems`.

    >>> parse_position("355:710/710:2740/-/125").red is None
    True
    """
    parts = code.split("/")
    if len(parts) != 4:
        raise NotationError(
            Message("a position has four parts, not {parts}: '{code}'", parts=len(parts), code=code),
            hint="white x:y / yellow x:y / red x:y / pins standing, '-' for a ball off the table",
        )
    column = 1
    places: dict[Colour, Point | None] = {}
    for colour, part in zip(Colour, parts[:3], strict=True):
        places[colour] = _place(part, colour, column)
        column += len(part) + 1
    standing, displaced = _standing(parts[3], column)
    return Position(
        places[Colour.WHITE], places[Colour.YELLOW], places[Colour.RED], frozenset(standing), tuple(displaced)
    )


def _place(part: str, colour: Colour, column: int) -> Point | None:
    if part == "-":
        return None
    found = _PLACE.fullmatch(part)
    if not found:
        raise NotationError(
            Message("no place for the {ball}: '{part}'", ball=BALL_NAMES[colour], part=part),
            column=column,
            hint="x:y in millimetres, or '-'",
        )
    return Point(float(found[1]), float(found[2]))


def _standing(part: str, column: int) -> tuple[list[Pin], list[tuple[Pin, Point]]]:
    """Pins in play: digits for those on their seats, `3@x:y` for a displaced one, `-` for none."""
    standing: list[Pin] = []
    displaced: list[tuple[Pin, Point]] = []
    rest = "" if part == "-" else part
    while rest:
        found = _DISPLACED.match(rest)
        if not found and rest[0] not in "12345,":
            raise NotationError(
                Message("not a standing pin: '{rest}'", rest=rest),
                column=column + len(part) - len(rest),
                hint="digits 1 to 5, or 3@x:y",
            )
        if rest[0] != ",":
            pin = Pin(int(rest[0]))
            if pin in standing:
                raise NotationError(
                    Message("pin named twice: '{part}'", part=part),
                    column=column + len(part) - len(rest),
                    hint="name each standing pin once",
                )
            standing.append(pin)
            if found:
                displaced.append((pin, Point(float(found[2]), float(found[3]))))
        rest = rest[found.end() :] if found else rest[1:]
    return standing, displaced


def shortest(number: float) -> str:
    """The shortest decimals that give the same number again.

    >>> shortest(710.0), shortest(0.1), shortest(-0.0), shortest(1e-7)
    ('710', '0.1', '0', '0.0000001')
    """
    text = format(Decimal(repr(number + 0.0)), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def format_position(position: Position) -> str:
    """Write a position code.

    >>> format_position(parse_position("355.0:710/-/710:2130.50/3@640:1420.25,5"))
    '355:710/-/710:2130.5/5,3@640:1420.25'
    """

    def place(point: Point | None) -> str:
        return "-" if point is None else f"{shortest(point.x)}:{shortest(point.y)}"

    moved = dict(position.displaced)
    seated = "".join(str(pin.value) for pin in sorted(position.standing) if pin not in moved)
    pins = [seated] * bool(seated) + [f"{pin.value}@{place(moved[pin])}" for pin in sorted(moved)]
    balls = (place(position[colour]) for colour in Colour)
    return "/".join([*balls, ",".join(pins) or "-"])


def parse_cue(code: str) -> Cue:
    """Read a cue code; offsets and elevation may be left out where they are 0.

    Raises `NotationError`. Whether a player can strike like this is asked of `Cue.problems`.

    >>> parse_cue("v3.20,a92.50,y0.35")
    Cue(speed=3.2, aim=92.5, side=0.0, height=0.35, elevation=0.0)
    """
    found = _CUE.fullmatch(code)
    if not found:
        raise NotationError(
            Message("not a cue code: '{code}'", code=code),
            hint="speed, aim, offset right, offset up, elevation: v3.20,a92.50,x-0.20,y0.35,e4.0",
        )
    return Cue(**{name: float(value) for name, value in found.groupdict(default="0").items()})


def format_cue(cue: Cue) -> str:
    """Write a cue code, every part of it.

    >>> format_cue(Cue(3.2, 92.5, height=0.35))
    'v3.2,a92.5,x0,y0.35,e0'
    """
    return (
        f"v{shortest(cue.speed)},a{shortest(cue.aim)},x{shortest(cue.side)},"
        f"y{shortest(cue.height)},e{shortest(cue.elevation)}"
    )
