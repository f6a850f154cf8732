# ruff: noqa: PLR0912, PLR0915 - lists of cases; the audit is one loop to compile
"""Seeded strokes, ordinary and hard, as the arrays of `simulate_many`, and an audit of every step of them.

`random`: three balls anywhere, any direction, 1 to 6 m/s, offsets up to 0.4 R.
`aimed`: the same, the cue ball aimed at another ball with an offset of the lines up to two radii.
`hard`: what breaks simulators: frozen balls, corners, rings of pins, axes, cradles, tangents, extremes.
"""

from __future__ import annotations

import math
import types
from typing import Any

import numpy as np
import numpy.typing as npt

from fivepins.physics import kernel
from fivepins.physics.batch import compiled
from fivepins.physics.model import STANDARD, Model
from fivepins.physics.simulate import parameters
from fivepins.table import PINS, TABLE

Floats = npt.NDArray[np.float64]
R, WIDTH, LENGTH = TABLE.radius, TABLE.width, TABLE.length
SEATS = np.array([TABLE.seat(pin) for pin in PINS])
COVER = R + TABLE.pin_base


def _clear(p: Floats, others: list[Floats]) -> bool:
    """Whether a ball fits there, off every seat."""
    on = R <= p[0] <= WIDTH - R and R <= p[1] <= LENGTH - R
    free = all(np.hypot(*(p - o)) >= 2 * R for o in others)
    return bool(on and free and (np.hypot(*(SEATS - p).T) >= COVER).all())


def _somewhere(rng: np.random.Generator, others: list[Floats]) -> Floats:
    while True:
        p = rng.uniform((R, R), (WIDTH - R, LENGTH - R))
        if _clear(p, others):
            return p


def _row(balls: list[Floats], seats: Floats = SEATS) -> Floats:
    return np.concatenate([*balls, seats.ravel()])


def random_strokes(n: int, seed: int = 1) -> tuple[Floats, Floats]:
    """n ordinary strokes: tables (n, 16) and shots (n, 5)."""
    rng = np.random.default_rng(seed)
    tables = np.empty((n, 16))
    for i in range(n):
        balls: list[Floats] = []
        for _ in range(3):
            balls.append(_somewhere(rng, balls))
        tables[i] = _row(balls)
    offset, turn = 0.4 * np.sqrt(rng.uniform(0, 1, n)), rng.uniform(0, 2 * np.pi, n)
    shots = np.stack(
        [
            rng.uniform(1, 6, n),
            rng.uniform(0, 360, n),
            offset * np.cos(turn),
            offset * np.sin(turn),
            np.zeros(n),
        ],
        axis=1,
    )
    return tables, shots


def aimed_strokes(n: int, seed: int = 2) -> tuple[Floats, Floats]:
    """n strokes aimed at a ball."""
    tables, shots = random_strokes(n, seed)
    rng = np.random.default_rng(seed + 100)
    target = rng.integers(1, 3, n)
    way = tables.reshape(n, 8, 2)[np.arange(n), target] - tables[:, :2]
    off = np.arcsin(np.clip(2 * R * rng.uniform(-1, 1, n) / np.hypot(*way.T), -1, 1))
    shots[:, 1] = np.degrees(np.arctan2(way[:, 1], way[:, 0]) + off) % 360
    return tables, shots


def _toward(a: Floats, b: Floats) -> float:
    return math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))


def _beside(rng: np.random.Generator, p: Floats, others: list[Floats], distance: float) -> Floats:
    """A place for a ball that far from p."""
    while True:
        turn = rng.uniform(0, 2 * np.pi)
        q = p + distance * np.array([math.cos(turn), math.sin(turn)])
        if _clear(q, others):
            return q


def _hard(rng: np.random.Generator, kind: int) -> tuple[Floats, list[float]]:
    """One hard stroke of a kind: a table row and a shot."""
    touching = 2 * R + rng.choice([0.0, 1e-9, 1e-6, 0.05])
    speed = float(rng.choice([rng.uniform(0.05, 6), rng.uniform(0.05, 6), 12.0, 0.0, 0.02]))
    aim, side, height, steep = float(rng.uniform(0, 360)), 0.0, 0.0, 0.0
    seats = SEATS
    cue = _somewhere(rng, [])
    if kind == 0:  # cue ball frozen to a cushion, into it, along it or away
        cue = np.array([[R, WIDTH - R][rng.integers(2)], rng.uniform(R, LENGTH - R)])
        aim = float(rng.choice([0.0, 90.0, 180.0, 270.0, aim, 90 + 1e-9]))
        yellow = _somewhere(rng, [cue])
    elif kind == 1:  # cue ball in a corner
        cue = np.array([[R, WIDTH - R][rng.integers(2)], [R, LENGTH - R][rng.integers(2)]])
        aim = float(rng.choice([45.0, 135.0, 225.0, 315.0, 0.0, 90.0, aim]))
        yellow = _somewhere(rng, [cue])
    elif kind == 2:  # frozen to a ball, played into it, along the tangent or away
        yellow = _beside(rng, cue, [cue], touching)
        aim = _toward(cue, yellow) + float(rng.choice([0.0, 90.0, -90.0, 180.0, 45.0, 89.999999]))
    elif kind == 3:  # a ball frozen to a cushion, hit straight on
        yellow = np.array([[R, WIDTH - R][rng.integers(2)], rng.uniform(R, LENGTH - R)])
        cue = _somewhere(rng, [yellow])
        aim = _toward(cue, yellow)
    elif kind == 4:  # cradle: balls frozen in line along an axis, follow or draw
        cue = np.array([710.0, rng.uniform(R, 700)])
        yellow = np.array([710.0, rng.uniform(cue[1] + 2 * R, 1200)])
        aim, height = 90.0, float(rng.choice([0.0, 0.5, -0.5]))
        red = np.array([710.0, yellow[1] + touching])
        if _clear(yellow, [cue]) and _clear(red, [cue, yellow]):
            return _row([cue, yellow, red]), [speed, aim, side, height, steep]
        yellow = _somewhere(rng, [cue])
    elif kind == 5:  # straight draw and follow, head-on along an axis
        cue, yellow = np.array([300.0, rng.uniform(100, 900)]), np.array([300.0, rng.uniform(1000, 2500)])
        aim, height = 90.0, float(rng.choice([-0.54, 0.54, -0.3]))
    elif kind == 6:  # tangent pass
        yellow = _somewhere(rng, [cue])
        off = math.asin(
            min(1.0, (2 * R + rng.choice([0, 1e-12, -1e-12, 1e-9, -1e-9, -1e-6])) / np.hypot(*(yellow - cue)))
        )
        aim = _toward(cue, yellow) + math.degrees(off) * rng.choice([-1, 1])
    elif kind == 7:  # on a pin's ring, or a pin leaning on the cue ball
        pin = int(rng.integers(4))
        out = SEATS[pin] - SEATS[4]
        turn = math.atan2(out[1], out[0]) + rng.uniform(-1, 1)
        distance = float(rng.choice([32.6, 32.6 + 1e-9, 26.0, 30.0, 25.001]))
        cue = SEATS[pin] + distance * np.array([math.cos(turn), math.sin(turn)])
        seats = SEATS.copy()
        seats[pin, 0] = np.nextafter(seats[pin, 0], 0)  # displaced by nothing: in play beside a ball
        for k in range(5):
            if k != pin and np.hypot(*(SEATS[k] - cue)) < COVER:
                seats[k] = np.nan
        yellow = _somewhere(rng, [cue])
        aim = float(rng.choice([math.degrees(turn), math.degrees(turn) + 180, aim]))
    elif kind == 8:  # massé
        yellow = _somewhere(rng, [cue])
        side, height, steep = (
            float(rng.uniform(-0.38, 0.38)),
            float(rng.uniform(-0.38, 0.38)),
            float(rng.uniform(0, 89)),
        )
    elif kind == 9:  # two balls frozen to one another and a cushion, hit with follow
        x = R if rng.integers(2) else WIDTH - R
        yellow = np.array([x, rng.uniform(300, 2500)])
        red = yellow + np.array([touching if x == R else -touching, 0.0])
        cue = _somewhere(rng, [yellow, red])
        return _row([cue, yellow, red]), [speed, _toward(cue, red), side, 0.5, steep]
    elif kind == 10:  # two targets met in the same instant
        y = rng.uniform(300, 1200)
        cue, yellow, red = (
            np.array([400.0, y]),
            np.array([400.0 - R, y + 300]),
            np.array([400.0 + R, y + 300]),
        )
        return _row([cue, yellow, red]), [speed, 90.0, side, float(rng.uniform(-0.5, 0.5)), steep]
    else:  # through the castle, very slow to very fast
        yellow = _somewhere(rng, [cue])
        aim = _toward(cue, SEATS[rng.integers(5)] + rng.uniform(-35, 35, 2))
        speed = float(rng.choice([rng.uniform(0.1, 0.8), rng.uniform(0.8, 12)]))
    red = _somewhere(rng, [cue, yellow])
    offset = rng.uniform(0, 0.54)
    if kind in {0, 1, 2, 3, 9, 11} and rng.integers(2):
        turn = rng.uniform(0, 2 * np.pi)
        side, height = float(offset * math.cos(turn)), float(offset * math.sin(turn))
    return _row([cue, yellow, red], seats), [speed, aim, side, height, steep]


def hard_strokes(n: int, seed: int = 3) -> tuple[Floats, Floats]:
    """n strokes of twelve kinds, in turn."""
    rng = np.random.default_rng(seed)
    tables, shots = np.empty((n, 16)), np.empty((n, 5))
    for i in range(n):
        tables[i], shots[i] = _hard(rng, i % 12)
    return tables, shots


def energy(p: kernel.Params, b: kernel.Ball) -> float:
    """Kinetic energy of a ball with its spin, per mass."""
    spin = b.wx * b.wx + b.wy * b.wy + b.wz * b.wz
    return 0.5 * (b.vx * b.vx + b.vy * b.vy) + 0.2 * p.radius * p.radius * spin


def audit(q: Any, tables: Any, shots: Any, worst: Any) -> None:
    """Plays strokes step by step; for each (n, 5): overlap and way off the bed (m) at 16 instants of every
    interval, gain of energy relative to it and 1e-9 J/kg (a ball at 0.04 mm/s), change of momentum where
    balls meet (m/s), number of events.

    Written in the numba subset, so that a million strokes can be audited.
    """
    p = unpack_params(q)
    for n in range(len(shots)):
        r = tables[n] / 1000.0
        s = shots[n]
        castle = make_castle(p, (r[6], r[8], r[10], r[12], r[14]), (r[7], r[9], r[11], r[13], r[15]))
        shot = Shot(s[0], s[1] * math.pi / 180.0, s[2], s[3], s[4] * math.pi / 180.0)
        w = begin(p, castle, Layout(r[0], r[1], r[2], r[3], r[4], r[5]), shot)
        overlap, off, gain, push = 0.0, 0.0, 0.0, 0.0
        count = 0
        while count < p.most_events:
            before = w
            w, event = step(p, castle, w)
            if event.kind == NOTHING:
                break
            count += 1
            for i in range(17):
                t = before.now + (w.now - before.now) * i / 16.0
                a, b, c = advance(p, before.cue, t), advance(p, before.object, t), advance(p, before.red, t)
                overlap = max(overlap, overlap_of(p, a, b), overlap_of(p, a, c), overlap_of(p, b, c))
                off = max(off, off_bed(p, a), off_bed(p, b), off_bed(p, c))
            had = energy(p, a) + energy(p, b) + energy(p, c)
            x, y, z = advance(p, w.cue, w.now), advance(p, w.object, w.now), advance(p, w.red, w.now)
            has = energy(p, x) + energy(p, y) + energy(p, z)
            gain = max(gain, (has - had) / (had + 1e-9))
            if event.kind == BALLS:
                push = max(push, abs(x.vx + y.vx + z.vx - a.vx - b.vx - c.vx))
                push = max(push, abs(x.vy + y.vy + z.vy - a.vy - b.vy - c.vy))
        worst[n, 0] = overlap
        worst[n, 1] = off
        worst[n, 2] = gain
        worst[n, 3] = push
        worst[n, 4] = count


def overlap_of(p: kernel.Params, a: kernel.Ball, b: kernel.Ball) -> float:
    """How far two balls overlap (m)."""
    if kernel.ABSENT in (a.state, b.state):
        return 0.0
    dx, dy = a.x - b.x, a.y - b.y
    return 2.0 * p.radius - math.sqrt(dx * dx + dy * dy)


def off_bed(p: kernel.Params, b: kernel.Ball) -> float:
    """How far a ball is beyond a rail (m)."""
    if b.state == kernel.ABSENT:
        return 0.0
    return max(p.radius - b.x, b.x - p.right, p.radius - b.y, b.y - p.top)


# `audit` uses the kernel's names as if it stood there, so that one namespace serves it plain and compiled.
from fivepins.physics.kernel import (  # noqa: E402
    BALLS,
    NOTHING,
    Layout,
    Shot,
    advance,
    begin,
    make_castle,
    step,
    unpack_params,
)

_compiled_audit: list[Any] = []


def audited(tables: Floats, shots: Floats, model: Model = STANDARD) -> Floats:
    """The audit of these strokes, compiled."""
    import numba  # noqa: PLC0415

    if not _compiled_audit:
        names = dict(compiled())
        names["kernel"] = kernel
        for function in (energy, overlap_of, off_bed, audit):
            copy = types.FunctionType(function.__code__, names, function.__name__)
            names[function.__name__] = numba.njit(copy, nogil=True, error_model="numpy")
        _compiled_audit.append(names["audit"])
    worst = np.empty((len(shots), 5))
    _compiled_audit[0](np.array(parameters(model)), tables, shots, worst)
    return worst
