# ruff: noqa: PLR0913, PLR0917 - a trace has these parts
"""One stroke, played by the kernel as plain Python: nothing is compiled and numpy is not loaded."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from fivepins.codes import Cue
from fivepins.errors import Fault, ImpossiblePosition, SimulationError
from fivepins.physics import kernel
from fivepins.physics.kernel import Params
from fivepins.physics.model import STANDARD, Band, CushionLaw, Model
from fivepins.physics.trace import Trace, roles
from fivepins.table import PINS, Colour, Pin, Point, Position, Table

NOWHERE = Point(math.nan, math.nan)
"""What the kernel is told of a ball or pin that is not in play."""


@lru_cache(maxsize=32)
def parameters(model: Model) -> Params:
    """The model's values as the kernel wants them: metres and seconds, derived ones worked out.

    Raises `SimulationError` with every reason where they describe no table.
    """
    reasons = model.problems()
    if reasons:
        raise SimulationError("; ".join(reasons), hint="start from STANDARD and change one field")
    radius = model.table.radius / 1000.0
    nose_sin = model.nose_height / 1000.0 / radius - 1.0
    bands = [*model.rolling] + [Band(math.inf, model.rolling[-1].deceleration)] * (4 - len(model.rolling))
    return Params(
        radius=radius,
        right=model.table.width / 1000.0 - radius,
        top=model.table.length / 1000.0 - radius,
        slide=model.sliding_friction * model.gravity,
        spin_decay=model.spin_decay,
        band_1=bands[1].above,
        band_2=bands[2].above,
        band_3=bands[3].above,
        roll_0=bands[0].deceleration,
        roll_1=bands[1].deceleration,
        roll_2=bands[2].deceleration,
        roll_3=bands[3].deceleration,
        ball_e=model.ball_restitution,
        ball_mu_floor=model.ball_friction_floor,
        ball_mu_slow=model.ball_friction_slow,
        ball_mu_rate=model.ball_friction_rate,
        nose_sin=nose_sin,
        nose_cos=math.sqrt(1.0 - nose_sin * nose_sin),
        cushion=[*CushionLaw].index(model.cushion),
        cushion_e=model.cushion_restitution,
        cushion_e_slope=model.cushion_restitution_slope,
        cushion_mu=model.cushion_friction,
        cushion_cloth_mu=model.sliding_friction,
        cushion_ratio=model.cushion_stiffness_ratio,
        squirt=model.squirt_mass_ratio,
        touch=model.pin_touch / 1000.0,
        topple=model.pin_topple / 1000.0,
        topple_speed=model.pin_topple_speed,
        pin_ratio=model.pin_mass_ratio,
        pin_push=model.pin_mass_ratio * (0.2125 / 0.002),
        knock_width=model.knock_width / 1000.0,
        knock_drag=2.0 * model.pin_cloth_friction * model.gravity,
        knock_free=model.knock_free / 1000.0,
        knock_least=model.knock_speed * model.knock_speed,
        frozen=model.frozen_gap / 1000.0,
        most_events=model.most_events,
    )


def simulate(
    position: Position, cue: Cue, model: Model = STANDARD, *, striker: Colour = Colour.WHITE
) -> Trace:
    """Plays one stroke exactly as its numbers say: the same input gives the same trace, bit by bit.

    Raises `ImpossiblePosition` or `SimulationError` with every reason.

    >>> from fivepins.table import START
    >>> trace = simulate(START, Cue(speed=2.5, aim=90.0))
    >>> [(pin.pin.name, pin.by.value) for pin in trace.fallen][:2]
    [('BOTTOM', 'white'), ('CENTRE', 'white')]
    """
    q, row = numbers(model), checked_row(position, cue, model, striker)
    shot = (cue.speed, cue.aim, cue.side, cue.height, cue.elevation)
    room = 64
    while True:
        events, ends = array("d", bytes(72 * room)), array("d", bytes(104))
        arcs = [array("d", bytes(112 * room)) for _ in range(3)]
        if kernel.record(q, row, shot, events, arcs[0], arcs[1], arcs[2], ends):
            return finished(position, cue, model, striker, events, arcs, ends)
        room *= 4


@lru_cache(maxsize=32)
def numbers(model: Model) -> tuple[float, ...]:
    """The model's parameters as plain floats, in the order of `Params`."""
    return tuple(float(value) for value in parameters(model))


def finished(
    position: Position,
    cue: Cue,
    model: Model,
    striker: Colour,
    events: array[float],
    arcs: list[array[float]],
    ends: array[float],
) -> Trace:
    """The trace of what `kernel.record` has written."""
    count = int(ends[0]) // 9
    rest, leaning = rest_position(position, striker, model, ends[6:12], int(ends[4]), int(ends[5]))
    return Trace(
        position=position,
        cue=cue,
        striker=striker,
        model=model,
        raw_events=events[: 9 * count],
        raw_arcs={
            colour: rows[: int(end)]
            for colour, rows, end in zip(roles(striker), arcs, ends[1:4], strict=True)
            if end
        },
        rest=rest,
        leaning=leaning,
        duration=ends[12],
        flag=f"cut short after {count} events" if count >= model.most_events else "",
    )


def checked_row(position: Position, cue: Cue, model: Model, striker: Colour) -> list[float]:
    """The row of a stroke that can be played; raises with every reason if it cannot."""
    if striker is Colour.RED or position[striker] is None or cue.problems(model.miscue_limit):
        check(position, cue, model, striker)
    row = row_of(position, striker, model)
    if not _plainly_possible(row, model):
        check(position, cue, model, striker)
    return row


def _plainly_possible(row: list[float], model: Model) -> bool:
    """Whether three balls lie on the bed, apart and far from the pins: the common case, decided quickly."""
    table = model.table
    low, right, top = table.radius, table.width - table.radius, table.length - table.radius
    x, y, xx, yy, xxx, yyy = row[:6]
    near = 4 * table.radius * table.radius
    clear = table.pitch + table.radius + table.pin_base
    cx, cy = table.width / 2, table.length / 2
    return (
        row[6:] == _seats(ALL_UP, table)
        and low <= x <= right
        and low <= y <= top
        and low <= xx <= right
        and low <= yy <= top
        and low <= xxx <= right
        and low <= yyy <= top
        and (x - xx) ** 2 + (y - yy) ** 2 >= near
        and (x - xxx) ** 2 + (y - yyy) ** 2 >= near
        and (xx - xxx) ** 2 + (yy - yyy) ** 2 >= near
        and max(abs(x - cx), abs(y - cy)) > clear
        and max(abs(xx - cx), abs(yy - cy)) > clear
        and max(abs(xxx - cx), abs(yyy - cy)) > clear
    )


def check(position: Position, cue: Cue, model: Model, striker: Colour) -> None:
    """Raises with every reason why this stroke cannot be played on this table."""
    faults = position_faults(position, model)
    reasons = [fault.message for fault in cue.problems(model.miscue_limit)]
    if striker is Colour.RED:
        reasons.append("the red is nobody's cue ball: strike white or yellow")
    elif position[striker] is None:
        reasons.append(f"the {striker.value} ball is to be struck and is not on the table")
    if reasons:
        words = "; ".join([fault.message for fault in faults] + reasons)
        raise SimulationError(words, hint=" · ".join(fault.hint for fault in faults if fault.hint))
    if faults:
        raise ImpossiblePosition(faults)


def position_faults(position: Position, model: Model) -> list[Fault]:
    """Every reason why the simulator cannot start from this position."""
    faults = position.problems(model.table)
    faults.extend(
        Fault(
            f"pin {pin.value} stands {place.distance(ball):.2f} mm "
            f"from the centre of the {colour.value} ball",
            f"a pin closer than {model.pin_topple:g} mm has fallen: leave it out",
        )
        for pin, place in position.displaced
        for colour, ball in position.balls()
        if place.distance(ball) < model.pin_topple
    )
    return faults


ALL_UP = frozenset(PINS)


@lru_cache(maxsize=256)
def _seats(standing: frozenset[Pin], table: Table) -> list[float]:
    """Ten coordinates of the seats of these pins, NaN for the others; not to be changed."""
    places = [table.seat(pin) if pin in standing else NOWHERE for pin in PINS]
    return [value for place in places for value in place]


def row_of(position: Position, striker: Colour, model: Model) -> list[float]:
    """A position as 16 numbers in mm: cue ball, object ball, red, then pins 1 to 5; NaN where absent."""
    row = [value for colour in roles(striker) for value in position[colour] or NOWHERE]
    row += _seats(position.standing, model.table)
    for pin, place in position.displaced:
        row[4 + 2 * pin : 6 + 2 * pin] = place
    return row


@lru_cache(maxsize=32)
def _pins_up(standing: int) -> frozenset[Pin]:
    return frozenset(pin for pin in PINS if standing >> (pin - 1) & 1)


def rest_position(
    position: Position, striker: Colour, model: Model, numbers: Sequence[float], standing: int, lean: int
) -> tuple[Position, tuple[tuple[Pin, Colour], ...]]:
    """The position after a stroke and which pins lean on which balls.

    From three centres in mm, pins up (bits) and pins leaning (bit 5 ball + pin - 1).
    """
    colours = roles(striker)
    places: dict[Colour, Point | None] = {
        colour: Point(numbers[2 * i], numbers[2 * i + 1]) if position[colour] is not None else None
        for i, colour in enumerate(colours)
    }
    up = _pins_up(standing)
    after = Position(places[Colour.WHITE], places[Colour.YELLOW], places[Colour.RED], up)
    table, cx, cy = model.table, model.table.width / 2, model.table.length / 2
    reach = table.pitch + table.radius + table.pin_base
    if position.displaced or any(
        p is not None and abs(p.x - cx) < reach and abs(p.y - cy) < reach for p in places.values()
    ):
        moved = {pin: place for pin, place in position.displaced if pin in up}
        for pin in sorted(up):
            if any(table.covers(ball, pin) for _, ball in after.balls()):
                moved.setdefault(pin, table.seat(pin))
        after = replace(after, displaced=tuple(sorted(moved.items())))
    if not lean:
        return after, ()
    leaning = tuple(
        (pin, colour) for pin in PINS for i, colour in enumerate(colours) if lean >> (5 * i + pin - 1) & 1
    )
    return after, leaning
