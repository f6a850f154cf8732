"""The record of a simulated stroke: events in order, arcs in closed form, what fell and what remains.

Arrays inside, small readable objects outside. Times are seconds from the tip's impulse; positions are mm
wherever a `Position` or `Point` is given and metres in the arcs, with velocities in m/s and spins in rad/s.
Nothing here knows a rule, and nothing is called back while the balls run: a `Trace` is made after the run.
"""

from __future__ import annotations

import json
import struct
from array import array
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from fivepins.codes import Cue
from fivepins.errors import SimulationError
from fivepins.physics import kernel
from fivepins.physics.model import Band, CushionLaw, Model
from fivepins.table import Ball, Colour, Pin, Point, Position, Table

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class EventKind(IntEnum):
    """What happens in an event."""

    STRUCK = kernel.STRUCK
    """The tip strikes the cue ball, at time 0."""
    BALLS = kernel.BALLS
    """Two balls meet."""
    CUSHION = kernel.CUSHION
    """A ball meets a rail."""
    PIN_TOUCHED = kernel.PIN_TOUCHED
    """A ball touches a pin too slowly to fell it there."""
    PIN_FELL = kernel.PIN_FELL
    """A pin falls."""
    ROLLS = kernel.ROLLS
    """A sliding ball begins to roll."""
    SLOWS = kernel.SLOWS
    """A rolling ball slows into the next band of speed."""
    STOPS = kernel.STOPS
    """A ball stops where it is and still spins."""
    RESTS = kernel.RESTS
    """A ball comes to rest."""
    RING_LEFT = kernel.RING_LEFT
    """A ball leaves a pin it had touched and not felled."""
    OUT = kernel.RING_LEFT + 1
    """A ball leaves the table; the planar model has no such event yet."""


class Rail(IntEnum):
    """The four cushions, seen from the bottom."""

    RIGHT = kernel.RIGHT
    LEFT = kernel.LEFT
    TOP = kernel.TOP
    BOTTOM = kernel.BOTTOM


class Fall(IntEnum):
    """Why a pin fell."""

    HIT = kernel.HIT
    """A ball felled it."""
    KNOCKED = kernel.KNOCKED
    """Another pin, thrown by a ball, felled it (43.3)."""
    LEANED = kernel.LEANED
    """It leaned on a ball, which left (43.5, 43.6)."""


class Phase(IntEnum):
    """What a ball does on an arc."""

    ABSENT = kernel.ABSENT
    RESTING = kernel.RESTING
    SPINNING = kernel.SPINNING
    ROLLING = kernel.ROLLING
    SLIDING = kernel.SLIDING


@dataclass(frozen=True, slots=True)
class Event:
    """One event: `ball` and what it meets, `partner`.

    `fall` and `thrown_by` (a pin) belong to PIN_FELL; `frozen` marks a contact at rest before the stroke into
    which the cue ball is played directly (41).
    """

    time: float
    kind: EventKind
    ball: Colour
    partner: Colour | Rail | Pin | None = None
    fall: Fall | None = None
    thrown_by: Pin | None = None
    frozen: bool = False


@dataclass(frozen=True, slots=True)
class FallenPin:
    """A pin that fell, with the ball that felled it or began the chain."""

    pin: Pin
    by: Colour
    fall: Fall
    time: float
    thrown_by: Pin | None = None


class Arc(NamedTuple):
    """A stretch of constant acceleration: the ball is at x + vx t + ax t²/2, t seconds after `start`.

    Metres, m/s, m/s², rad/s, rad/s². `wx`, `wy` change by `bx`, `by`; `wz` moves towards zero at the model's
    spin decay and stays there.
    """

    start: float
    duration: float
    x: float
    y: float
    vx: float
    vy: float
    ax: float
    ay: float
    wx: float
    wy: float
    wz: float
    bx: float
    by: float
    phase: float


class Motion(NamedTuple):
    """Where a ball is (m), how fast (m/s) and with what spin (rad/s)."""

    x: float
    y: float
    vx: float
    vy: float
    wx: float
    wy: float
    wz: float


class Fact(NamedTuple):
    """A fact code read: balls by their part in the stroke, `fall` None for a contact."""

    ball: Ball
    partner: Ball | Rail | Pin
    fall: Fall | None
    frozen: bool


_ROLES = (Ball.CUE, Ball.OBJECT, Ball.RED)


def read_code(code: int) -> Fact:
    """The meaning of a fact code of `Trace.codes` or `Outcomes.codes`.

    >>> read_code(1)
    Fact(ball=<Ball.CUE: 'c'>, partner=<Ball.OBJECT: 'o'>, fall=None, frozen=False)
    """
    if code >= kernel.CODE_PIN:
        cause, rest = divmod(code - kernel.CODE_PIN, 15)
        return Fact(_ROLES[rest // 5], Pin(rest % 5 + 1), Fall(cause), frozen=False)
    if code >= kernel.CODE_FROZEN_CUSHION:
        return Fact(Ball.CUE, Rail(code - kernel.CODE_FROZEN_CUSHION), None, frozen=True)
    if code >= kernel.CODE_CUSHION:
        ball, rail = divmod(code - kernel.CODE_CUSHION, 4)
        return Fact(_ROLES[ball], Rail(rail), None, frozen=False)
    frozen = code > 3
    pair = code - 3 if frozen else code
    return Fact(_ROLES[pair == 3], _ROLES[1 if pair == 1 else 2], None, frozen)


def read_key(key: int) -> bytes:
    """The fact codes packed in `Trace.key` or `Outcomes.keys`: all that a ruling can depend on.

    >>> [read_code(code).partner.name for code in read_key(1 | 2 << 6)]
    ['OBJECT', 'RED']
    """
    codes = bytearray()
    while key:
        small = key & 63
        if small >= kernel.KEY_PIN:
            small += kernel.CODE_PIN - kernel.KEY_PIN
        elif small >= kernel.KEY_FROZEN_CUSHION:
            small += kernel.CODE_FROZEN_CUSHION - kernel.KEY_FROZEN_CUSHION
        codes.append(small)
        key >>= 6
    return bytes(codes)


@dataclass(frozen=True)
class Trace:
    """One simulated stroke, from the tip's impulse to rest."""

    position: Position
    """The position before the stroke."""
    cue: Cue
    striker: Colour
    model: Model
    raw_events: array[float] = field(repr=False)
    """Rows of nine numbers, the kernel's events; `events` reads them."""
    raw_arcs: dict[Colour, array[float]] = field(repr=False)
    """Rows of `Arc` values, one after the other, for each ball on the table; `arcs` reads them."""
    rest: Position
    """Where everything lies afterwards, before the referee puts anything back. A pin that leans on a ball, or
    whose seat is covered while it stands, is listed as displaced with its place."""
    leaning: tuple[tuple[Pin, Colour], ...]
    """Pins that lean on a ball at rest (43.4)."""
    duration: float
    """Seconds until everything is at rest."""
    flag: str = ""
    """Why the simulation was cut short, empty if it was not; a flagged trace is not to be ruled on."""

    @property
    def colours(self) -> tuple[Colour, Colour, Colour]:
        """The colours of cue ball, object ball and red."""
        return roles(self.striker)

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """All events in the order in which they happened."""
        colours = self.colours
        found = [Event(0.0, EventKind.STRUCK, self.striker)]
        for raw in self._kernel_events():
            partners = (raw.partner,) if raw.also < 0 else (raw.partner, raw.also)
            found.extend(_readable(raw, partner, colours) for partner in partners)
        return tuple(found)

    def _kernel_events(self) -> Iterator[kernel.Event]:
        rows = self.raw_events
        for i in range(0, len(rows), _EVENT):
            kind, time, *numbers = rows[i : i + _EVENT]
            yield kernel.Event(int(kind), time, *map(int, numbers))

    @cached_property
    def codes(self) -> bytes:
        """Contacts, cushions and falls as fact codes (`read_code`), the very ones a batch returns."""
        codes = bytearray()
        for raw in self._kernel_events():
            one, two = kernel.fact_codes(raw)
            if one and codes[-1:] != bytes((one,)):
                codes.append(one)
            if two:
                codes.append(two)
        return bytes(codes)

    @property
    def key(self) -> int:
        """The codes without cushions and repeated contacts in one number: strokes alike are ruled alike."""
        return kernel.fact_key(self.codes, 0, len(self.codes))

    @cached_property
    def fallen(self) -> tuple[FallenPin, ...]:
        """The pins that fell, in order."""
        return tuple(
            FallenPin(event.partner, event.ball, event.fall, event.time, event.thrown_by)
            for event in self.events
            if event.fall is not None and isinstance(event.partner, Pin)
        )

    def arcs(self, ball: Colour) -> tuple[Arc, ...]:
        """The arcs of a ball in order, the first from time 0; none for a ball that is not on the table."""
        rows, width = self.raw_arcs.get(ball, array("d")), len(Arc._fields)
        return tuple(Arc(*rows[i : i + width]) for i in range(0, len(rows), width))

    def arc_table(self, ball: Colour) -> npt.NDArray[np.float64]:
        """The arcs of a ball as an array of shape (n, 14), columns as in `Arc`."""
        import numpy as np  # noqa: PLC0415 - a single stroke is simulated, ruled and printed without numpy

        rows = self.raw_arcs.get(ball, array("d"))
        return np.frombuffer(rows, dtype=np.float64).reshape(-1, len(Arc._fields))

    def at(self, ball: Colour, time: float) -> Motion | None:
        """Where a ball is and how it moves at a time; None if it is not on the table."""
        arcs = self.arcs(ball)
        if not arcs:
            return None
        arc = next((arc for arc in reversed(arcs) if arc.start <= time), arcs[0])
        h = min(max(time - arc.start, 0.0), arc.duration)
        return Motion(
            arc.x + h * (arc.vx + 0.5 * arc.ax * h),
            arc.y + h * (arc.vy + 0.5 * arc.ay * h),
            arc.vx + arc.ax * h,
            arc.vy + arc.ay * h,
            arc.wx + arc.bx * h,
            arc.wy + arc.by * h,
            kernel.decayed(arc.wz, self.model.spin_decay * h),
        )

    def to_json(self) -> str:
        """The whole trace as JSON text; `from_json` gives an equal one."""
        data = self._head()
        data["arcs"] = {ball.value: [list(arc) for arc in self.arcs(ball)] for ball in self.raw_arcs}
        return json.dumps(data)

    @classmethod
    def from_json(cls, text: str) -> Trace:
        """The trace that `to_json` wrote; raises `SimulationError` on anything else."""
        try:
            data = json.loads(text)
            arcs = {Colour(name): array("d", [v for row in rows for v in row])
                    for name, rows in data["arcs"].items()}  # fmt: skip
            return cls._from_head(data, arcs)
        except (ValueError, KeyError, TypeError) as error:
            raise SimulationError(
                f"this is no trace: {error}", hint="use what Trace.to_json wrote"
            ) from error

    def to_bytes(self) -> bytes:
        """The whole trace in a compact binary form; `from_bytes` gives an equal one."""
        head = self._head()
        head["rows"] = {ball.value: len(rows) for ball, rows in self.raw_arcs.items()}
        text = json.dumps(head, separators=(",", ":")).encode()
        numbers = b"".join(struct.pack(f"<{len(rows)}d", *rows) for rows in self.raw_arcs.values())
        return _MAGIC + struct.pack("<I", len(text)) + text + numbers

    @classmethod
    def from_bytes(cls, data: bytes) -> Trace:
        """The trace that `to_bytes` wrote; raises `SimulationError` on anything else."""
        try:
            if data[:4] != _MAGIC:
                raise ValueError("wrong first bytes")
            (length,) = struct.unpack_from("<I", data, 4)
            head = json.loads(data[8 : 8 + length])
            arcs, place = {}, 8 + length
            for name, count in head["rows"].items():
                arcs[Colour(name)] = array("d", struct.unpack_from(f"<{count}d", data, place))
                place += 8 * count
            return cls._from_head(head, arcs)
        except (ValueError, KeyError, TypeError, struct.error) as error:
            raise SimulationError(
                f"this is no trace: {error}", hint="use what Trace.to_bytes wrote"
            ) from error

    def _head(self) -> dict[str, Any]:
        """Everything but the arcs, as JSON values."""
        return {
            "format": 1,
            "position": _position_data(self.position),
            "cue": asdict(self.cue),
            "striker": self.striker.value,
            "model_id": self.model.id,
            "model": asdict(self.model) | {"cushion": self.model.cushion.value},
            "columns": list(Arc._fields),
            "events": [
                self.raw_events[i : i + _EVENT].tolist() for i in range(0, len(self.raw_events), _EVENT)
            ],
            "rest": _position_data(self.rest),
            "leaning": [[pin.value, ball.value] for pin, ball in self.leaning],
            "duration": self.duration,
            "flag": self.flag,
        }

    @classmethod
    def _from_head(cls, data: dict[str, Any], arcs: dict[Colour, array[float]]) -> Trace:
        if data["format"] != 1:
            raise ValueError(f"format {data['format']} is not known")
        model = dict(data["model"])
        model["table"] = Table(**model["table"])
        model["cushion"] = CushionLaw(model["cushion"])
        model["rolling"] = tuple(Band(**band) for band in model["rolling"])
        return cls(
            position=_read_position(data["position"]),
            cue=Cue(**data["cue"]),
            striker=Colour(data["striker"]),
            model=Model(**model),
            raw_events=array("d", [value for event in data["events"] for value in event]),
            raw_arcs=arcs,
            rest=_read_position(data["rest"]),
            leaning=tuple((Pin(pin), Colour(ball)) for pin, ball in data["leaning"]),
            duration=data["duration"],
            flag=data["flag"],
        )


_MAGIC = b"5PT1"
_EVENT = len(kernel.Event._fields)


def roles(striker: Colour) -> tuple[Colour, Colour, Colour]:
    """The colours of cue ball, object ball and red when `striker` is struck."""
    return striker, striker.other, Colour.RED


def _readable(raw: kernel.Event, partner: int, colours: tuple[Colour, Colour, Colour]) -> Event:
    met: Colour | Rail | Pin | None = None
    match EventKind(raw.kind):
        case EventKind.BALLS:
            met = colours[partner]
        case EventKind.CUSHION:
            met = Rail(partner)
        case EventKind.PIN_TOUCHED | EventKind.PIN_FELL | EventKind.RING_LEFT:
            met = Pin(partner + 1)
    fell = raw.kind == kernel.PIN_FELL
    return Event(
        raw.time,
        EventKind(raw.kind),
        colours[raw.ball],
        met,
        Fall(raw.cause) if fell else None,
        Pin(raw.by + 1) if raw.by >= 0 else None,
        bool(raw.frozen & (1 if partner == raw.partner else 2)),
    )


def _position_data(position: Position) -> dict[str, Any]:
    return {
        "balls": {colour.value: list(place) for colour, place in position.balls()},
        "standing": sorted(pin.value for pin in position.standing),
        "displaced": [[pin.value, *place] for pin, place in position.displaced],
    }


def _read_position(data: dict[str, Any]) -> Position:
    balls = {
        colour: Point(*data["balls"][colour.value]) for colour in Colour if colour.value in data["balls"]
    }
    return Position(
        balls.get(Colour.WHITE),
        balls.get(Colour.YELLOW),
        balls.get(Colour.RED),
        frozenset(Pin(pin) for pin in data["standing"]),
        tuple((Pin(pin), Point(x, y)) for pin, x, y in data["displaced"]),
    )
