# ruff: noqa: PLR0912, PLR0915, PLR0917 - one loop over time, written to be compiled
"""The engine against two things that share nothing with it: roots in high precision, and small time steps."""

from __future__ import annotations

import math
import types
from dataclasses import replace
from typing import Any

import mpmath  # type: ignore[import-untyped]
import numba
import numpy as np
import pytest
from hard_strokes import aimed_strokes, random_strokes
from physics_helpers import R
from test_physics_laws import position_of

from fivepins.physics import Cue, EventKind, Trace, simulate
from fivepins.physics.model import STANDARD
from fivepins.physics.trace import Rail
from fivepins.table import PINS, TABLE, Colour, Pin, Point

CONTACTS = (EventKind.BALLS, EventKind.CUSHION, EventKind.PIN_FELL, EventKind.PIN_TOUCHED)


def first_contact(trace: Trace) -> mpmath.mpf:
    """Seconds to the first contact of the cue ball, from its arcs' polynomials in 50 digits."""
    with mpmath.workdps(50):
        mp = mpmath.mpf
        targets = [(mp(p.x) / 1000, mp(p.y) / 1000, mp("0.0615"))
                   for c in (Colour.YELLOW, Colour.RED) if (p := trace.position[c])]  # fmt: skip
        targets += [(mp(s.x) / 1000, mp(s.y) / 1000, mp("0.0326")) for s in map(TABLE.seat, PINS)]
        for arc in trace.arcs(Colour.WHITE):
            x, y, vx, vy, ax, ay = (mp(v) for v in arc[2:8])
            times = []
            for place, v, a, low, high in ((x, vx, ax, R, 1.42 - R), (y, vy, ay, R, 2.84 - R)):
                for wall, sign in ((mp(low), -1), (mp(high), 1)):
                    times += [t for t in roots([a / 2, v, place - wall]) if sign * (v + a * t) > 0]
            for tx, ty, distance in targets:
                dx, dy = x - tx, y - ty
                quartic = [
                    (ax * ax + ay * ay) / 4,
                    vx * ax + vy * ay,
                    vx * vx + vy * vy + dx * ax + dy * ay,
                    2 * (dx * vx + dy * vy),
                    dx * dx + dy * dy - distance**2,
                ]
                slope = [4 * quartic[0], 3 * quartic[1], 2 * quartic[2], quartic[3]]
                times += [
                    t for t in roots(quartic) if ((slope[0] * t + slope[1]) * t + slope[2]) * t + slope[3] < 0
                ]
            times = [t for t in times if t < mp(arc.duration) + mp(1e-9)]
            if times:
                return mp(arc.start) + min(times)
    return mpmath.inf


def roots(coefficients: list[Any]) -> list[Any]:
    """Real positive roots."""
    while coefficients and coefficients[0] == 0:
        coefficients = coefficients[1:]
    if len(coefficients) < 2:
        return []
    found = mpmath.polyroots(coefficients[::-1], asc=True, maxsteps=200, extraprec=200)
    return [mpmath.re(t) for t in found if abs(mpmath.im(t)) < 1e-25 and mpmath.re(t) > 0]


@pytest.mark.parametrize("kind", ["random", "aimed"])
def test_first_contact_in_high_precision(kind: str) -> None:
    tables, shots = (random_strokes if kind == "random" else aimed_strokes)(80, 31)
    for row, shot in zip(tables, shots, strict=True):
        trace = simulate(position_of(row), Cue(*map(float, shot)))
        hit = next(event for event in trace.events if event.kind in CONTACTS)
        assert abs(hit.time - float(first_contact(trace))) < 1e-12


# ── small steps ──────────────────────────────────────────────────────────────────────────────────────


def friction(g: float, mu: float, vx: float, vy: float, wx: float, wy: float, dt: float) -> Any:
    """One step of a ball on the cloth by force and torque."""
    ux, uy = vx - R * wy, vy + R * wx
    u = math.sqrt(ux * ux + uy * uy)
    if u > 3.5 * mu * g * dt:
        fx, fy = -mu * g * ux / u, -mu * g * uy / u
        # torque = (-R z) x F, I = 2/5 R^2 per mass
        return vx + fx * dt, vy + fy * dt, wx + 2.5 / R * fy * dt, wy - 2.5 / R * fx * dt
    v = math.sqrt(vx * vx + vy * vy)
    slowing = 0.0422 if v < 0.55 else 0.0525 if v < 1.0 else 0.058 if v < 1.5 else 0.0716
    if v <= slowing * dt:
        return 0.0, 0.0, 0.0, 0.0
    k = 1 - slowing * dt / v
    return k * vx, k * vy, -k * vy / R, k * vx / R


def cushion(n: float, t: float, wn: float, wt: float, wz: float) -> Any:
    """Han's impulse in vectors: nose at height h, contact point c from the centre, J = Jn + friction."""
    s = 37.0 / 30.75 - 1
    c = math.sqrt(1 - s * s)
    # normal from the nose to the centre, then slip of the contact point r = R (c, 0, s) in (n, t, z).
    rx, rz = R * c, R * s
    px, py, pz = n + wt * rz, t + wz * rx - wn * rz, -wt * rx
    along = px * c + pz * s
    qx, qy, qz = px - along * c, py, pz - along * s
    slip = math.sqrt(qx * qx + qy * qy + qz * qz)
    normal = (1 + 0.89 - 0.025 * n) * n * c
    k = min(0.27 * normal, slip * 2 / 7) / slip if slip > 1e-12 else 0.0
    jx, jy, jz = -normal * c - k * qx, -k * qy, -normal * s - k * qz
    # torque r x J over I
    q = 2.5 / (R * R)
    return (
        n + jx,
        t + jy,
        wn + q * (0 * jz - rz * jy),
        wt + q * (rz * jx - rx * jz),
        wz + q * (rx * jy - 0 * jx),
    )


def stepped(state: Any, pins: Any, dt: float, log: Any) -> int:
    """Three balls, rows (x, y, vx, vy, wx, wy, wz), until rest; the contacts as small codes in `log`."""
    g, mu, n = 9.81, 0.175, 0
    up = np.ones(5)
    for _ in range(int(60 / dt)):
        moving = False
        for i in range(3):
            x, y, vx, vy, wx, wy, wz = state[i]
            if vx == 0 and vy == 0 and wx == 0 and wy == 0:
                continue
            moving = True
            nvx, nvy, wx, wy = friction(g, mu, vx, vy, wx, wy, dt)
            x, y = x + dt * (vx + nvx) / 2, y + dt * (vy + nvy) / 2
            vx, vy = nvx, nvy
            wz = wz - 10 * dt if wz > 10 * dt else wz + 10 * dt if wz < -10 * dt else 0.0
            if x > 1.42 - R and vx > 0:
                vx, vy, wx, wy, wz = cushion(vx, vy, wx, wy, wz)
                log[n], n = 10 * i + 0, n + 1
            elif x < R and vx < 0:
                a, b, c, d, wz = cushion(-vx, -vy, -wx, -wy, wz)
                vx, vy, wx, wy = -a, -b, -c, -d
                log[n], n = 10 * i + 1, n + 1
            if y > 2.84 - R and vy > 0:
                a, b, c, d, wz = cushion(vy, -vx, wy, -wx, wz)
                vy, vx, wy, wx = a, -b, c, -d
                log[n], n = 10 * i + 2, n + 1
            elif y < R and vy < 0:
                a, b, c, d, wz = cushion(-vy, vx, -wy, wx, wz)
                vy, vx, wy, wx = -a, b, -c, d
                log[n], n = 10 * i + 3, n + 1
            for k in range(5):
                dx, dy = pins[k, 0] - x, pins[k, 1] - y
                d = math.sqrt(dx * dx + dy * dy)
                if up[k] and d < 0.0326 and (vx * dx + vy * dy > 0.11 * d or d < 0.025):
                    up[k] = 0
                    log[n], n = 100 + 10 * i + k, n + 1
            state[i] = (x, y, vx, vy, wx, wy, wz)
        for i in range(2):
            for j in range(i + 1, 3):
                a, b = state[i], state[j]
                dx, dy = b[0] - a[0], b[1] - a[1]
                d = math.sqrt(dx * dx + dy * dy)
                closing = ((a[2] - b[2]) * dx + (a[3] - b[3]) * dy) / d
                if d < 2 * R and closing > 0:
                    nx, ny = dx / d, dy / d
                    # velocity of i's contact point against j's, in the tangent plane
                    rvx, rvy, wz = a[2] - b[2], a[3] - b[3], a[6] + b[6]
                    sx, sy = rvx - closing * nx - R * wz * ny, rvy - closing * ny + R * wz * nx
                    sz = R * ((a[4] + b[4]) * ny - (a[5] + b[5]) * nx)
                    c = math.sqrt(sx * sx + sy * sy + sz * sz)
                    jn = 0.5 * 1.95 * closing
                    jt = min((9.951e-3 + 0.108 * math.exp(-1.088 * c)) * jn, c / 7) / max(c, 1e-12)
                    jx, jy, jz = jn * nx + jt * sx, jn * ny + jt * sy, jt * sz
                    tx, ty, tz = -2.5 / R * ny * jz, 2.5 / R * nx * jz, -2.5 / R * (nx * jy - ny * jx)
                    state[i] = (a[0], a[1], a[2] - jx, a[3] - jy, a[4] + tx, a[5] + ty, a[6] + tz)
                    state[j] = (b[0], b[1], b[2] + jx, b[3] + jy, b[4] + tx, b[5] + ty, b[6] + tz)
                    log[n], n = 200 + i + j, n + 1
        if not moving:
            return n
    return -1


def contact_list(trace: Trace) -> list[int]:
    """The same small codes from a trace; falls through other pins left out."""
    codes = []
    order = trace.colours
    for event in trace.events:
        i = order.index(event.ball)
        if isinstance(event.partner, Rail):
            codes.append(10 * i + event.partner)
        elif event.kind is EventKind.PIN_FELL and event.thrown_by is None and isinstance(event.partner, Pin):
            codes.append(100 + 10 * i + event.partner - 1)
        elif isinstance(event.partner, Colour):
            codes.append(200 + i + order.index(event.partner))
    return codes


def test_small_steps_come_to_the_same_rest() -> None:
    # Pins take no momentum and throw no other here: what is compared is motion, contacts and falls by balls.
    model = replace(STANDARD, pin_mass_ratio=0.0, knock_width=0.0)
    names = globals() | {"friction": numba.njit(friction), "cushion": numba.njit(cushion)}
    run: Any = numba.njit(types.FunctionType(stepped.__code__, names, "stepped"))
    pins = np.array([TABLE.seat(pin) for pin in PINS]) / 1000
    tables, shots = aimed_strokes(40, 41)
    same, calm = 0, 0
    for row, shot in zip(tables, shots, strict=True):
        position, cue = position_of(row), Cue(*map(float, shot))
        trace = simulate(position, cue, model)
        state = np.zeros((3, 7))
        for i, colour in enumerate(trace.colours):
            arc = trace.arcs(colour)[0]
            state[i] = arc.x, arc.y, arc.vx, arc.vy, arc.wx, arc.wy, arc.wz
        log = np.zeros(1000, np.int64)
        count = run(state, pins, 1e-5, log)
        assert count >= 0
        error = max(math.dist(state[i, :2] * 1000, trace.rest[c] or ()) for i, c in enumerate(trace.colours))
        # How far the engine's own rest moves when the start moves by what one step covers.
        shift = 0.0
        for dx, turn in ((0.02, 0.0), (-0.02, 0.0), (0.0, 0.003), (0.0, -0.003)):
            assert position.white
            moved = position.put(Colour.WHITE, Point(position.white.x + dx, position.white.y))
            if moved.problems():
                continue
            other = simulate(moved, replace(cue, aim=cue.aim + turn), model)
            shift = max(shift, *(math.dist(other.rest[c], trace.rest[c]) for c in trace.colours))  # type: ignore[arg-type]
        assert error < 2.0 + 3 * shift
        if shift < 10:
            calm += 1
            same += list(log[:count]) == contact_list(trace)
    assert calm >= 10
    assert same >= 0.9 * calm
