# ruff: noqa: PLR0917 - a ball has seven numbers
"""What the physics tests share: balls set in motion without a cue, on a table of any size."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fivepins.physics import kernel
from fivepins.physics.kernel import Ball, Castle, Event, Params, World
from fivepins.physics.model import STANDARD, Model
from fivepins.physics.simulate import parameters
from fivepins.table import PINS, Pin, Point, Position, Table

R = 0.03075
NAN5 = (math.nan, math.nan, math.nan, math.nan, math.nan)
MEADOW = replace(STANDARD, table=Table(width=2e6, length=2e6))
"""A table without end, for what has nothing to do with cushions."""


def bare(model: Model = STANDARD) -> tuple[Params, Castle]:
    """Parameters and a castle without pins."""
    params = parameters(model)
    return params, kernel.make_castle(params, NAN5, NAN5)


def ball(
    x: float, y: float, vx: float = 0.0, vy: float = 0.0, wx: float = 0.0, wy: float = 0.0, wz: float = 0.0
) -> Ball:
    """A ball at a place (m) with velocities (m/s, rad/s), its arc not yet found."""
    params, castle = bare()
    return kernel.moving(kernel.resting_ball(params, castle, x, y), vx, vy, wx, wy, wz)


def rolling(x: float, y: float, vx: float, vy: float, wz: float = 0.0) -> Ball:
    """A ball that rolls."""
    return ball(x, y, vx, vy, -vy / R, vx / R, wz)


def absent() -> Ball:
    """A ball that is not there."""
    params, castle = bare()
    return kernel.resting_ball(params, castle, math.nan, math.nan)


def world(params: Params, castle: Castle, *balls: Ball) -> World:
    """One to three balls in motion."""
    three = [kernel.settle(params, castle, castle.standing, b) if b.state else b for b in balls]
    three += [absent()] * (3 - len(three))
    never = kernel.NEVER
    first, second, third = three
    w = World(
        first,
        second,
        third,
        never,
        never,
        never,
        0.0,
        castle.standing,
        (never, never, never, never, never),
        0,
        never,
        0,
    )
    return kernel.with_meetings(params, w, 7)


def played(params: Params, castle: Castle, w: World) -> Iterator[tuple[World, Event]]:
    """The worlds and events until rest."""
    for _ in range(params.most_events):
        w, event = kernel.step(params, castle, w)
        if event.kind == kernel.NOTHING:
            return
        yield w, event
    raise AssertionError("the stroke does not end")


def rolled(b: Ball) -> tuple[float, float]:
    """The velocity with which a ball will roll once it has stopped sliding."""
    return (5 * b.vx + 2 * R * b.wy) / 7, (5 * b.vy - 2 * R * b.wx) / 7


def energy(b: Ball) -> float:
    """Kinetic energy with spin, per mass."""
    return 0.5 * (b.vx**2 + b.vy**2) + 0.2 * R**2 * (b.wx**2 + b.wy**2 + b.wz**2)


def angle(x: float, y: float) -> float:
    """Degrees of a direction."""
    return math.degrees(math.atan2(y, x))


def three_balls(places: Sequence[Point | None], pins: frozenset[Pin] = frozenset(PINS)) -> Position:
    """White, yellow and red at these places, the castle on its seats."""
    white, yellow, red = places
    return Position(white, yellow, red, pins)
