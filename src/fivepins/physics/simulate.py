"""One stroke, played by the kernel as plain Python: nothing is compiled and numpy is not loaded."""

from __future__ import annotations

import math
from array import array
from dataclasses import replace
from functools import lru_cache

from fivepins.errors import Fault, ImpossiblePosition, SimulationError
from fivepins.physics import kernel
from fivepins.physics.kernel import Castle, Five, Layout, Params, Shot, World
from fivepins.physics.model import STANDARD, Band, CushionLaw, Model
from fivepins.physics.trace import Cue, Trace, roles
from fivepins.table import PINS, Colour, Pin, Point, Position

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
    params = parameters(model)
    check(position, cue, model, striker)
    places = row_of(position, striker, model)
    castle = castle_of(params, places)
    w = kernel.begin(params, castle, Layout(*(v / 1000.0 for v in places[:6])), shot_of(cue))
    balls = (w.cue, w.object, w.red)
    arcs = [array("d"), array("d"), array("d")]
    events = []
    while len(events) < params.most_events:
        w, event = kernel.step(params, castle, w)
        if event.kind == kernel.NOTHING:
            break
        events.append(event)
        for i in range(3):
            if event.touched >> i & 1:
                _write(arcs[i], balls[i], w.now)
        balls = (
            w.cue if event.touched & 1 else balls[0],
            w.object if event.touched & 2 else balls[1],
            w.red if event.touched & 4 else balls[2],
        )
    cut = len(events) == params.most_events
    for rows, ball in zip(arcs, balls, strict=True):
        _write(rows, ball, w.now)
    rest, leaning = rest_of(position, striker, model, w, places)
    return Trace(
        position=position,
        cue=cue,
        striker=striker,
        model=model,
        raw_events=tuple(events),
        raw_arcs={c: rows for c, rows in zip(roles(striker), arcs, strict=True) if rows},
        rest=rest,
        leaning=leaning,
        duration=w.now,
        flag=f"cut short after {params.most_events} events" if cut else "",
    )


def _write(rows: array[float], b: kernel.Ball, until: float) -> None:
    """Appends a ball's arc up to a time, unless it has no length and something follows at once."""
    if b.state == kernel.ABSENT:
        return
    rows.extend((b.t0, until - b.t0, b.x, b.y, b.vx, b.vy, b.ax, b.ay, b.wx, b.wy, b.wz, b.bx, b.by, b.state))


def check(position: Position, cue: Cue, model: Model, striker: Colour) -> None:
    """Raises with every reason why this stroke cannot be played on this table."""
    faults = position_faults(position, model)
    reasons = cue.problems(model.miscue_limit)
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
            f"pin {pin.value} stands {place.distance(ball):.2f} mm from the centre of the {colour.value} ball",
            f"a pin closer than {model.pin_topple:g} mm has fallen: leave it out",
        )
        for pin, place in position.displaced
        for colour, ball in position.balls()
        if place.distance(ball) < model.pin_topple
    )
    return faults


def row_of(position: Position, striker: Colour, model: Model) -> list[float]:
    """A position as 16 numbers in mm: cue ball, object ball, red, then pins 1 to 5; NaN where absent."""
    places = [position[colour] or NOWHERE for colour in roles(striker)]
    seats = dict(position.pins(model.table))
    places.extend(seats.get(pin, NOWHERE) for pin in PINS)
    return [value for place in places for value in place]


def castle_of(params: Params, places: list[float]) -> Castle:
    """The castle of a row of places."""
    x: Five = (
        places[6] / 1000.0,
        places[8] / 1000.0,
        places[10] / 1000.0,
        places[12] / 1000.0,
        places[14] / 1000.0,
    )
    y: Five = (
        places[7] / 1000.0,
        places[9] / 1000.0,
        places[11] / 1000.0,
        places[13] / 1000.0,
        places[15] / 1000.0,
    )
    return kernel.make_castle(params, x, y)


def shot_of(cue: Cue) -> Shot:
    """The cue with its angles in radians."""
    radians = math.pi / 180.0
    return Shot(cue.speed, cue.aim * radians, cue.side, cue.height, cue.elevation * radians)


def rest_of(
    position: Position, striker: Colour, model: Model, w: World, places: list[float]
) -> tuple[Position, tuple[tuple[Pin, Colour], ...]]:
    """The position after the stroke and which pins lean on which balls."""
    numbers = []
    for i in range(3):
        b = kernel.get_ball(w, i)
        numbers += [kernel.in_mm(b, b.x, places[2 * i]), kernel.in_mm(b, b.y, places[2 * i + 1])]
    return rest_position(position, striker, model, numbers, w.standing, kernel.leaning(w))


def rest_position(
    position: Position, striker: Colour, model: Model, numbers: list[float], standing: int, lean: int
) -> tuple[Position, tuple[tuple[Pin, Colour], ...]]:
    """`rest_of` from plain numbers: three centres in mm, pins up (bits), leaning (bit 5 ball + pin)."""
    colours = roles(striker)
    after = position
    for i, colour in enumerate(colours):
        if position[colour] is not None:
            after = after.put(colour, Point(numbers[2 * i], numbers[2 * i + 1]))
    up = frozenset(pin for pin in PINS if standing >> (pin - 1) & 1)
    seats = dict(replace(after, standing=up).pins(model.table))
    moved = {pin for pin, _ in position.displaced}
    covered = tuple(
        (pin, seat)
        for pin, seat in seats.items()
        if pin in moved or any(model.table.covers(ball, pin) for _, ball in after.balls())
    )
    leaning = tuple(
        (pin, colour) for pin in PINS for i, colour in enumerate(colours) if lean >> (5 * i + pin - 1) & 1
    )
    return replace(after, standing=up, displaced=covered), leaning
