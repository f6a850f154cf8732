"""The mathematics of one stroke: motion, contacts, pins and the order of events.

Everything here is written in the subset of Python that numba compiles: scalars and named tuples go in
and out, arrays appear only in `play_many` at the end. Run as plain Python it plays a single stroke and can be
debugged line by line; `simulate.py` compiles the very same source for batches, with equal bits.

Units: metres, seconds, radians a second; impulses and energies are per unit of ball mass. x runs across,
y along the table, z up. A ball rolls when its slip u = (vx - R wy, vy + R wx) is zero. The module knows no
rules: it returns events and, for batches, their codes.

    numbers ── begin ──► World ── step ──► World, Event ── step ──► …   until nothing moves

The motion is planar. Flight would be one more state in `settle`, one more end in `end_of_state` and a
height in `Ball`; no contact law below would change its place.
"""

# ruff: noqa: PLR0913, PLR0917 - formulas take the quantities they take; records of them would cost time
from __future__ import annotations

import math
from typing import Any, NamedTuple

NEVER = 1e30
"""A time that does not come."""
TIE = 1e-12
"""Seconds within which two events count as simultaneous."""
APART = 5e-3
"""Least normal speed (m/s) at which balls separate: a ball that drives another would else bounce for ever."""
AT_REST = 1e-9
"""Normal speed (m/s) below which touching balls are not approaching."""

STILL = 1e-6
"""Speed and slip (m/s) below which a ball lies still: it would roll on for 1e-11 m."""
GRAZE = 1e-11
"""Depth (m) to which touching balls may graze each other without a contact."""

# States of a ball, slowest first; what is ROLLING or more moves.
ABSENT, RESTING, SPINNING, ROLLING, SLIDING = 0, 1, 2, 3, 4

# What ends a ball's present arc.
ARC_STATE, ARC_CUSHION, ARC_PIN, ARC_RING = 0, 1, 2, 3

# Kinds of event, as in trace.EventKind.
NOTHING, STRUCK, BALLS, CUSHION, PIN_TOUCHED, PIN_FELL, ROLLS, SLOWS, STOPS, RESTS, RING_LEFT = range(11)

# Causes of a fall, as in trace.Fall.
HIT, KNOCKED, LEANED = 0, 1, 2

# Rails, as in trace.Rail.
RIGHT, LEFT, TOP, BOTTOM = 0, 1, 2, 3

HAN, MATHAVAN, STRONGE = 0, 1, 2

CODE_CUSHION, CODE_FROZEN_CUSHION, CODE_PIN = 16, 28, 64

KEY_FROZEN_CUSHION, KEY_PIN = 6, 10
RAIL_SEEN = 1 << 4

# Momentum a falling pin takes, |dv| = K(beta) m_pin/m v with beta = offset / contact distance.
K_BETA = (0.0, 0.2, 0.4, 0.55, 0.7, 0.8, 0.85, 0.9, 0.95, 1.0)
K_VALUE = (1.236, 1.201, 1.096, 0.948, 0.702, 0.435, 0.333, 0.276, 0.194, 0.0)
# Least loss of speed of a slow ball (m/s for a pin of 2 g) by its offset (m): it pushes the lying pin.
PUSH_OFFSET = (0.0, 0.002, 0.004, 0.008, 0.014, 0.020, 0.025)
PUSH_VALUE = (0.0175, 0.0125, 0.0085, 0.0056, 0.0032, 0.0016, 0.0008)


class Params(NamedTuple):
    """A `Model` as the kernel wants it: numbers only, derived ones worked out."""

    radius: float
    right: float
    top: float
    slide: float
    spin_decay: float
    band_1: float
    band_2: float
    band_3: float
    roll_0: float
    roll_1: float
    roll_2: float
    roll_3: float
    ball_e: float
    ball_mu_floor: float
    ball_mu_slow: float
    ball_mu_rate: float
    nose_sin: float
    nose_cos: float
    cushion: int
    cushion_e: float
    cushion_e_slope: float
    cushion_mu: float
    cushion_cloth_mu: float
    cushion_ratio: float
    squirt: float
    touch: float
    topple: float
    topple_speed: float
    pin_ratio: float
    pin_push: float
    knock_width: float
    knock_drag: float
    knock_free: float
    knock_least: float
    frozen: float
    most_events: int


Five = tuple[float, float, float, float, float]


class Castle(NamedTuple):
    """Where the pins stand (m), which do at the start (bit 0 = pin 1), and the box around all of them."""

    x: Five
    y: Five
    standing: int
    left: float
    right: float
    bottom: float
    top: float


class Layout(NamedTuple):
    """Centres of cue ball, object ball and red (m); NaN for a ball that is not on the table."""

    cue_x: float
    cue_y: float
    object_x: float
    object_y: float
    red_x: float
    red_y: float


class Shot(NamedTuple):
    """The tip's work: ball speed (m/s), aim (rad), offsets right and up (radii), elevation (rad)."""

    speed: float
    aim: float
    side: float
    height: float
    elevation: float


class Ball(NamedTuple):
    """One ball on its present arc, which began at t0 with these values.

    ax, ay accelerate the centre, bx, by the spin. `state_ends` is when the state changes, `ends` when
    the arc does, for reason `why` at rail or pin `at`. `ring` are the pins (bits) within whose ring of
    contact the ball lies, `lean` those of them that lean on it.
    """

    x: float
    y: float
    vx: float
    vy: float
    wx: float
    wy: float
    wz: float
    ax: float
    ay: float
    bx: float
    by: float
    t0: float
    state_ends: float
    ends: float
    state: int
    why: int
    at: int
    ring: int
    lean: int


class World(NamedTuple):
    """Everything that changes: the balls, their next meetings, the pins still up, the falls to come.

    `falls` are the times at which pins thrown by others arrive, `throwers` by whom (4 bits a pin: the
    throwing pin's index times 3 plus the ball). `frozen` are the partners of the cue ball (bit 0 object,
    1 red, 2… rails) that it lay frozen to and is played into.
    """

    cue: Ball
    object: Ball
    red: Ball
    cue_object: float
    cue_red: float
    object_red: float
    now: float
    standing: int
    falls: Five
    throwers: int
    next_fall: float
    frozen: int


class Event(NamedTuple):
    """One event. `ball` acts on `partner` (ball, rail or pin) and, in the same instant, on `also` (or -1).

    `cause` is that of a fall, `by` the pin that threw it (or -1), `frozen` marks contacts at rest that
    the stroke was played into (41; bit 0 with `partner`, bit 1 with `also`), `touched` are the balls (bits)
    whose arcs begin anew.
    """

    kind: int
    time: float
    ball: int
    partner: int
    also: int
    cause: int
    by: int
    frozen: int
    touched: int


# ── roots ────────────────────────────────────────────────────────────────────────────────────────────


def first_crossing(c0: float, c1: float, c2: float, c3: float, c4: float) -> float:
    """Where the quartic first falls through zero in (0, 1]; 2.0 if nowhere.

    A Newton step on a lower bound, f + f'h + min(f'')h²/2: it cannot jump a root, classifies no complex
    ones and needs no degree. f'' is a parabola, so its least value ahead is known in closed form.
    """
    a, f, d = 0.0, c0, c1
    if c4 > 0.0:
        lowest = min(1.0, -c3 / (4.0 * c4))
    elif c3 < 0.0:
        lowest = 1.0
    else:
        lowest = -1.0
    for _ in range(200):
        s = max(lowest, a)
        least = 2.0 * c2 + s * (6.0 * c3 + s * 12.0 * c4)
        if least >= 0.0:
            if d >= 0.0:
                return 2.0
            h = f / -d
        else:
            root = math.sqrt(d * d - 2.0 * least * f)
            h = 2.0 * f / (root - d) if d < 0.0 else (d + root) / -least
        a += h
        if a > 1.0:
            return 2.0
        f = c0 + a * (c1 + a * (c2 + a * (c3 + a * c4)))
        if f <= 0.0:
            return a
        d = c1 + a * (2.0 * c2 + a * (3.0 * c3 + a * 4.0 * c4))
        if h < 1e-11 and d < 0.0:
            return a - f / d
        if h < 1e-15:
            return a if d < 0.0 else 2.0
    return a if d < 0.0 else 2.0


def meeting(
    dx: float, dy: float, vx: float, vy: float, ax: float, ay: float, distance: float, window: float
) -> float:
    """Seconds until |d + v t + a t²/2| falls to `distance` within the window, or NEVER.

    Touching and approaching is a meeting now; touching and parting is none: then the root at zero is
    divided out. The values of the Bernstein polygon reject most quartics before any is solved.
    """
    c0 = dx * dx + dy * dy - distance * distance
    closing = dx * vx + dy * vy
    t2 = window * window
    c1 = 2.0 * closing * window
    c2 = (vx * vx + vy * vy + dx * ax + dy * ay) * t2
    c3 = (vx * ax + vy * ay) * t2 * window
    c4 = 0.25 * (ax * ax + ay * ay) * t2 * t2
    if c0 <= 0.0:
        if closing < AT_REST * distance:
            # Closing, or pressing; a graze no deeper than GRAZE, on a way that bends apart, is neither.
            if c2 <= 0.0 and (c2 < 0.0 or closing < -AT_REST * distance):
                return 0.0
            if closing < 0.0 and closing * closing * t2 > 2.0 * GRAZE * distance * c2:
                return 0.0
            c1 = max(c1, 0.0)
        c0, c1, c2, c3, c4 = c1, c2, c3, c4, 0.0
    if (
        c0 + 0.25 * c1 > 0.0
        and c0 + 0.5 * c1 + c2 * (1.0 / 6.0) > 0.0
        and c0 + 0.75 * c1 + 0.5 * c2 + 0.25 * c3 > 0.0
        and c0 + c1 + c2 + c3 + c4 > 0.0
    ):
        return NEVER
    s = first_crossing(c0, c1, c2, c3, c4)
    return s * window if s <= 1.0 else NEVER


def parting(
    dx: float, dy: float, vx: float, vy: float, ax: float, ay: float, distance: float, window: float
) -> float:
    """Seconds until |d + v t + a t²/2| grows to `distance` within the window, or NEVER."""
    c0 = distance * distance - dx * dx - dy * dy
    opening = dx * vx + dy * vy
    t2 = window * window
    c1 = -2.0 * opening * window
    c2 = -(vx * vx + vy * vy + dx * ax + dy * ay) * t2
    c3 = -(vx * ax + vy * ay) * t2 * window
    c4 = -0.25 * (ax * ax + ay * ay) * t2 * t2
    if c0 <= 0.0:
        if opening > AT_REST * distance:
            return 0.0
        if opening > -AT_REST * distance:
            if c2 < 0.0:
                return 0.0
            c1 = max(c1, 0.0)
        c0, c1, c2, c3, c4 = c1, c2, c3, c4, 0.0
    s = first_crossing(c0, c1, c2, c3, c4)
    return s * window if s <= 1.0 else NEVER


def meeting_straight(
    dx: float, dy: float, vx: float, vy: float, slowing: float, distance: float, window: float
) -> float:
    """`meeting` of a ball that rolls, slowing on a straight line, with something at rest at d from it."""
    along = dx * vx + dy * vy
    if along <= 0.0:
        return NEVER
    across = dx * vy - dy * vx
    v2 = vx * vx + vy * vy
    h2 = distance * distance * v2 - across * across
    if h2 <= 0.0:
        return NEVER
    v = math.sqrt(v2)
    way = (along - math.sqrt(h2)) / v
    if way <= 0.0:
        return 0.0 if h2 > 2.0 * GRAZE * distance * v2 else NEVER
    left = v2 - 2.0 * slowing * way
    if left < 0.0:
        return NEVER
    t = 2.0 * way / (v + math.sqrt(left))
    return t if t <= window else NEVER


def reaching(gap: float, v: float, a: float, window: float) -> float:
    """Seconds until a rail is reached, `gap` away in the direction of v and a, or NEVER."""
    if gap <= 0.0:
        if v > 0.0 or (v == 0.0 and a > 0.0):
            return 0.0
        if a <= 0.0:
            return NEVER
        t = -2.0 * v / a
        return t if t <= window else NEVER
    end = v * window + 0.5 * a * window * window
    if a < 0.0:
        if v <= 0.0 or (end < gap and v + a * window > 0.0):
            return NEVER
    elif end < gap:
        return NEVER
    discriminant = v * v + 2.0 * a * gap
    if discriminant < 0.0:
        return NEVER
    root = math.sqrt(discriminant)
    t = 2.0 * gap / (v + root) if v > 0.0 else (root - v) / a
    return t if t <= window else NEVER


# ── motion on the cloth ──────────────────────────────────────────────────────────────────────────────


def decayed(spin: float, loss: float) -> float:
    """Spin about the vertical after the cloth has taken `loss` of it; it stops at zero."""
    if spin > loss:
        return spin - loss
    return spin + loss if spin < -loss else 0.0


def advance(p: Params, b: Ball, time: float) -> Ball:
    """The ball further along its arc; its acceleration is constant there, so this is exact."""
    h = max(time - b.t0, 0.0)
    return Ball(
        b.x + h * (b.vx + 0.5 * b.ax * h),
        b.y + h * (b.vy + 0.5 * b.ay * h),
        b.vx + b.ax * h,
        b.vy + b.ay * h,
        b.wx + b.bx * h,
        b.wy + b.by * h,
        decayed(b.wz, p.spin_decay * h),
        b.ax,
        b.ay,
        b.bx,
        b.by,
        time,
        b.state_ends,
        b.ends,
        b.state,
        b.why,
        b.at,
        b.ring,
        b.lean,
    )


def moving(b: Ball, vx: float, vy: float, wx: float, wy: float, wz: float) -> Ball:
    """The ball with other velocities."""
    return Ball(
        b.x, b.y, vx, vy, wx, wy, wz, b.ax, b.ay, b.bx, b.by,
        b.t0, b.state_ends, b.ends, b.state, b.why, b.at, b.ring, b.lean,
    )  # fmt: skip


def placed(b: Ball, x: float, y: float) -> Ball:
    """The ball elsewhere."""
    return Ball(
        x, y, b.vx, b.vy, b.wx, b.wy, b.wz, b.ax, b.ay, b.bx, b.by,
        b.t0, b.state_ends, b.ends, b.state, b.why, b.at, b.ring, b.lean,
    )  # fmt: skip


def ringed(b: Ball, ring: int, lean: int) -> Ball:
    """The ball within the rings of other pins."""
    return Ball(
        b.x, b.y, b.vx, b.vy, b.wx, b.wy, b.wz, b.ax, b.ay, b.bx, b.by,
        b.t0, b.state_ends, b.ends, b.state, b.why, b.at, ring, lean,
    )  # fmt: skip


def rolling_band(p: Params, v: float) -> tuple[float, float]:
    """Deceleration of a ball that rolls at v, and the speed at which the next slower band begins.

    A speed on the edge, up to rounding, belongs to the slower band.
    """
    v *= 1.0 - 1e-9
    if v > p.band_3:
        return p.roll_3, p.band_3
    if v > p.band_2:
        return p.roll_2, p.band_2
    if v > p.band_1:
        return p.roll_1, p.band_1
    return p.roll_0, 0.0


def settle(p: Params, castle: Castle, standing: int, b: Ball) -> Ball:
    """The arc that begins where the ball is now: its state, accelerations and end.

    Sliding has a constant acceleration -mu g u/|u| and ends when u, which falls by 7/2 mu g a second, is
    zero; rolling slows by a constant in each band of speed; spin about the vertical decays steadily.
    """
    vx, vy, wx, wy = b.vx, b.vy, b.wx, b.wy
    ux = vx - p.radius * wy
    uy = vy + p.radius * wx
    u2 = ux * ux + uy * uy
    v2 = vx * vx + vy * vy
    ax, ay, bx, by = 0.0, 0.0, 0.0, 0.0
    lasts = NEVER
    slowing = 0.0
    if u2 > 1e-18 * v2 + 1e-24 and max(u2, v2) > STILL * STILL:
        u = math.sqrt(u2)
        k = p.slide / u
        q = 2.5 * k / p.radius
        state = SLIDING
        ax, ay, bx, by = -k * ux, -k * uy, -q * uy, q * ux
        lasts = 2.0 * u / (7.0 * p.slide)
    elif v2 > STILL * STILL:
        v = math.sqrt(v2)
        slowing, edge = rolling_band(p, v)
        k = slowing / v
        state = ROLLING
        ax, ay = -k * vx, -k * vy
        wx, wy, bx, by = -vy / p.radius, vx / p.radius, -ay / p.radius, ax / p.radius
        lasts = (v - edge) / slowing
    else:
        vx, vy, wx, wy = 0.0, 0.0, 0.0, 0.0
        state = RESTING
        if b.wz != 0.0:
            state = SPINNING
            lasts = abs(b.wz) / p.spin_decay
    state_ends = b.t0 + lasts if lasts < NEVER else NEVER
    ends, why, at = state_ends, ARC_STATE, 0
    if state >= ROLLING:
        window, why, at = next_obstacle(p, castle, standing, b.x, b.y, vx, vy, ax, ay, slowing, b.ring, lasts)
        if why != ARC_STATE:
            ends = b.t0 + window
    return Ball(
        b.x, b.y, vx, vy, wx, wy, b.wz, ax, ay, bx, by,
        b.t0, state_ends, ends, state, why, at, b.ring, b.lean,
    )  # fmt: skip


def next_obstacle(  # noqa: PLR0912 - four rails and two circles a pin
    p: Params, castle: Castle, standing: int,
    x: float, y: float, vx: float, vy: float, ax: float, ay: float, slowing: float, ring: int, window: float,
) -> tuple[float, int, int]:  # fmt: skip
    """The first rail or pin on an arc: seconds to it, why the arc ends there and where.

    `slowing` is the deceleration of a straight arc, 0 for a curved one.
    """
    why, at = ARC_STATE, 0
    t = reaching(p.right - x, vx, ax, window)
    if t < window:
        window, why, at = t, ARC_CUSHION, RIGHT
    t = reaching(x - p.radius, -vx, -ax, window)
    if t < window:
        window, why, at = t, ARC_CUSHION, LEFT
    t = reaching(p.top - y, vy, ay, window)
    if t < window:
        window, why, at = t, ARC_CUSHION, TOP
    t = reaching(y - p.radius, -vy, -ay, window)
    if t < window:
        window, why, at = t, ARC_CUSHION, BOTTOM
    # The arc lies within the triangle of its Bézier points: where that misses the castle, no pin is tried.
    mid_x, mid_y = x + 0.5 * vx * window, y + 0.5 * vy * window
    end_x = mid_x + 0.5 * (vx + ax * window) * window
    end_y = mid_y + 0.5 * (vy + ay * window) * window
    if (
        (x < castle.left and mid_x < castle.left and end_x < castle.left)
        or (x > castle.right and mid_x > castle.right and end_x > castle.right)
        or (y < castle.bottom and mid_y < castle.bottom and end_y < castle.bottom)
        or (y > castle.top and mid_y > castle.top and end_y > castle.top)
    ):
        return window, why, at
    for k in range(5):
        if standing >> k & 1:
            dx, dy = castle.x[k] - x, castle.y[k] - y
            if ring >> k & 1:
                closing = dx * vx + dy * vy
                distance = math.sqrt(dx * dx + dy * dy)
                if closing >= p.topple_speed * distance:
                    return 0.0, ARC_PIN, k
                t = meeting(-dx, -dy, vx, vy, ax, ay, p.topple, window)
                if t < window:
                    window, why, at = t, ARC_PIN, k
                t = parting(-dx, -dy, vx, vy, ax, ay, p.touch, window)
                if t < window:
                    window, why, at = t, ARC_RING, k
            else:
                if slowing > 0.0:
                    t = meeting_straight(dx, dy, vx, vy, slowing, p.touch, window)
                else:
                    t = meeting(-dx, -dy, vx, vy, ax, ay, p.touch, window)
                if t < window:
                    window, why, at = t, ARC_PIN, k
    return window, why, at


def next_meeting(p: Params, a: Ball, b: Ball, now: float) -> float:
    """When two balls touch, if they do before either's arc ends; only until then are the arcs valid."""
    if (a.state < ROLLING and b.state < ROLLING) or ABSENT in (a.state, b.state):
        return NEVER
    window = min(a.ends, b.ends) - now
    if window <= 0.0:
        return NEVER
    ha, hb = now - a.t0, now - b.t0
    dx = b.x + hb * (b.vx + 0.5 * b.ax * hb) - (a.x + ha * (a.vx + 0.5 * a.ax * ha))
    dy = b.y + hb * (b.vy + 0.5 * b.ay * hb) - (a.y + ha * (a.vy + 0.5 * a.ay * ha))
    ax, ay = a.vx + a.ax * ha, a.vy + a.ay * ha
    bx, by = b.vx + b.ax * hb, b.vy + b.ay * hb
    both = 2.0 * p.radius
    if a.state == ROLLING and b.state < ROLLING:
        t = meeting_straight(dx, dy, ax, ay, math.sqrt(a.ax * a.ax + a.ay * a.ay), both, window)
    elif b.state == ROLLING and a.state < ROLLING:
        t = meeting_straight(-dx, -dy, bx, by, math.sqrt(b.ax * b.ax + b.ay * b.ay), both, window)
    else:
        t = meeting(dx, dy, bx - ax, by - ay, b.ax - a.ax, b.ay - a.ay, both, window)
    return now + t if t < NEVER else NEVER


def end_of_state(p: Params, standing: int, b: Ball) -> tuple[Ball, int]:
    """The ball in its next state, its spin made exact, and the kind of the event.

    A ball that stops within the ring of a pin it did not fell has the pin leaning on it.
    """
    v2 = b.vx * b.vx + b.vy * b.vy
    if b.state == SLIDING and v2 > STILL * STILL:
        return moving(b, b.vx, b.vy, -b.vy / p.radius, b.vx / p.radius, b.wz), ROLLS
    if b.state == ROLLING and v2 > 0.25 * p.band_1 * p.band_1:
        return b, SLOWS  # at the edge of a band, not at a standstill
    ring = b.ring & standing
    if b.state >= ROLLING and b.wz != 0.0:
        return ringed(moving(b, 0.0, 0.0, 0.0, 0.0, b.wz), ring, ring), STOPS
    return ringed(moving(b, 0.0, 0.0, 0.0, 0.0, 0.0), ring, ring), RESTS


# ── contacts ─────────────────────────────────────────────────────────────────────────────────────────


def strike(p: Params, b: Ball, shot: Shot) -> Ball:
    """The tip's impulse along the cue, its offset giving spin and squirt (Alciatore TP A.30, A.31).

    With the cue along c and offsets a right and b up, w = 5/2 v/R (a cos th z + a sin th f - b r); the part
    of the impulse into the slate is lost. Squirt turns the ball away from the side that is struck.
    """
    fx, fy = math.cos(shot.aim), math.sin(shot.aim)
    level, steep = math.cos(shot.elevation), math.sin(shot.elevation)
    k = 2.5 * shot.speed / p.radius
    wx = k * (shot.side * steep * fx - shot.height * fy)
    wy = k * (shot.side * steep * fy + shot.height * fx)
    wz = k * shot.side * level
    rest = 1.0 - shot.side * shot.side
    turn = 2.5 * shot.side * math.sqrt(rest) / (1.0 + p.squirt + 2.5 * rest)
    v = shot.speed * level / math.sqrt(1.0 + turn * turn)
    return moving(b, v * (fx - turn * fy), v * (fy + turn * fx), wx, wy, wz)


def rubbing(
    p: Params, a: Ball, b: Ball, nx: float, ny: float, normal: float, most: float
) -> tuple[float, float, float, float, float]:
    """Friction between two balls (Alciatore TP A.14 after Marlow): impulse x, y on b, spin given to each.

    The impulse opposes the slip at the contact, mu falls with its speed, and it never turns the slip
    round: `most` is that part of it, 1/7 for two free balls.
    """
    wx, wy, wz = a.wx + b.wx, a.wy + b.wy, a.wz + b.wz
    sx, sy = a.vx - b.vx, a.vy - b.vy
    along = sx * nx + sy * ny
    sx, sy = sx - along * nx - p.radius * wz * ny, sy - along * ny + p.radius * wz * nx
    sz = p.radius * (wx * ny - wy * nx)
    slip = math.sqrt(sx * sx + sy * sy + sz * sz)
    if slip < 1e-12:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    mu = p.ball_mu_floor + p.ball_mu_slow * math.exp(-p.ball_mu_rate * slip)
    k = min(mu * normal, most * slip) / slip
    fx, fy, fz = k * sx, k * sy, k * sz
    q = -2.5 / p.radius
    return fx, fy, q * ny * fz, -q * nx * fz, q * (nx * fy - ny * fx)


def hit_balls(p: Params, a: Ball, b: Ball) -> tuple[Ball, Ball]:
    """Two balls meet: restitution along the line of centres, friction across it.

    Balls part with `APART` at least, since one that drives the other would bounce for ever; what that
    costs in energy is taken from the spins, a quarter of theirs at most; without spin they part as they met.
    """
    nx, ny = b.x - a.x, b.y - a.y
    distance = math.sqrt(nx * nx + ny * ny)
    nx, ny = nx / distance, ny / distance
    closing = (a.vx - b.vx) * nx + (a.vy - b.vy) * ny  # of pressing balls it may be a hair below zero
    leaving = p.ball_e * closing
    spin_left = 1.0
    if leaving < APART:
        spins = a.wx * a.wx + a.wy * a.wy + a.wz * a.wz + b.wx * b.wx + b.wy * b.wy + b.wz * b.wz
        spins *= 0.2 * p.radius * p.radius
        leaving = min(APART, math.sqrt(closing * closing + spins))
        if leaving > abs(closing):
            spin_left = math.sqrt(1.0 - 0.25 * (leaving * leaving - closing * closing) / spins)
    normal = 0.5 * (closing + leaving)
    fx, fy, tx, ty, tz = rubbing(p, a, b, nx, ny, normal, 1.0 / 7.0)
    if spin_left < 1.0:  # the spin has paid already: friction, of no account here, must not draw on it too
        fx, fy, tx, ty, tz = 0.0, 0.0, 0.0, 0.0, 0.0
    jx, jy = normal * nx + fx, normal * ny + fy
    s = spin_left
    return (
        moving(a, a.vx - jx, a.vy - jy, s * a.wx + tx, s * a.wy + ty, s * a.wz + tz),
        moving(b, b.vx + jx, b.vy + jy, s * b.wx + tx, s * b.wy + ty, s * b.wz + tz),
    )


def hit_three(p: Params, hub: Ball, a: Ball, b: Ball) -> tuple[bool, Ball, Ball, Ball]:
    """One ball meets two in the same instant: both normal impulses at once, so neither comes first.

    Newton's restitution holds for both contacts. False where one impulse would have to pull or a contact
    is slow: then the contacts are taken one after the other.
    """
    mx, my, nx, ny = a.x - hub.x, a.y - hub.y, b.x - hub.x, b.y - hub.y
    m, n = math.sqrt(mx * mx + my * my), math.sqrt(nx * nx + ny * ny)
    mx, my, nx, ny = mx / m, my / m, nx / n, ny / n
    to_a = (hub.vx - a.vx) * mx + (hub.vy - a.vy) * my
    to_b = (hub.vx - b.vx) * nx + (hub.vy - b.vy) * ny
    c = mx * nx + my * ny
    k = (1.0 + p.ball_e) / (4.0 - c * c)
    push_a, push_b = k * (2.0 * to_a - c * to_b), k * (2.0 * to_b - c * to_a)
    if to_a < APART or to_b < APART or push_a <= 0.0 or push_b <= 0.0:
        return False, hub, a, b
    vx, vy = hub.vx - push_a * mx - push_b * nx, hub.vy - push_a * my - push_b * ny
    hub = moving(hub, vx, vy, hub.wx, hub.wy, hub.wz)
    a = moving(a, a.vx + push_a * mx, a.vy + push_a * my, a.wx, a.wy, a.wz)
    b = moving(b, b.vx + push_b * nx, b.vy + push_b * ny, b.wx, b.wy, b.wz)
    # Half the clip each: the mean of two steps that lose energy loses energy.
    fx, fy, fs, ft, fz = rubbing(p, hub, a, mx, my, push_a, 1.0 / 14.0)
    gx, gy, gs, gt, gz = rubbing(p, hub, b, nx, ny, push_b, 1.0 / 14.0)
    return (
        True,
        moving(hub, vx - fx - gx, vy - fy - gy, hub.wx + fs + gs, hub.wy + ft + gt, hub.wz + fz + gz),
        moving(a, a.vx + fx, a.vy + fy, a.wx + fs, a.wy + ft, a.wz + fz),
        moving(b, b.vx + gx, b.vy + gy, b.wx + gs, b.wy + gt, b.wz + gz),
    )


Velocities = tuple[float, float, float, float, float]
"""Normal (into the cushion) and tangential speed; spin about these two axes and about the vertical."""


def restitution(p: Params, v: float) -> float:
    """Restitution of the cushion for a ball that meets it with normal speed v."""
    return min(1.0, max(0.0, p.cushion_e - p.cushion_e_slope * v))


def nose_impulse(
    p: Params, vn: float, vt: float, wn: float, wt: float, wz: float, px: float, py: float, pz: float
) -> Velocities:
    """What an impulse at the nose does: pz along its normal, px and py along the slips there."""
    s, c = p.nose_sin, p.nose_cos
    k = 2.5 / p.radius
    return vn - px * s - pz * c, vt + py, wn - k * py * s, wt - k * px, wz + k * py * c


def han(p: Params, vn: float, vt: float, wn: float, wt: float, wz: float) -> Velocities:
    """Cushion after Han, "Dynamics in carom and three cushion billiards" (2005): one impulse.

    The nose meets the ball above its centre; friction either stops the slip there or is mu times the
    normal impulse.
    """
    s, c = p.nose_sin, p.nose_cos
    slip_x = vn * s + p.radius * wt
    slip_y = -vt - p.radius * wz * c + p.radius * wn * s
    pz = (1.0 + restitution(p, vn)) * vn * c
    slip = math.sqrt(slip_x * slip_x + slip_y * slip_y)
    if slip < 1e-12:
        return nose_impulse(p, vn, vt, wn, wt, wz, 0.0, 0.0, pz)
    k = min(2.0 / 7.0, p.cushion_mu * pz / slip)
    return nose_impulse(p, vn, vt, wn, wt, wz, k * slip_x, k * slip_y, pz)


def stronge(p: Params, vn: float, vt: float, wn: float, wt: float, wz: float) -> Velocities:
    """Cushion after Stronge, "Impact Mechanics" (2000), ch. 5: a tangential spring beside the normal one.

    The normal force is half a sine, shortened by e on the way out; the spring drags along its line of
    first slip, and slips where it would pull more than mu times the normal force.
    """
    s, c = p.nose_sin, p.nose_cos
    slip_x = vn * s + p.radius * wt
    slip_y = -vt - p.radius * wz * c + p.radius * wn * s
    slip = math.sqrt(slip_x * slip_x + slip_y * slip_y)
    e = restitution(p, vn)
    into = vn * c
    stiffness = p.cushion_ratio * p.cushion_ratio / 3.5
    steps = 64
    h = 0.5 * math.pi / steps
    stretch, u, dragged = 0.0, slip, 0.0
    for i in range(2 * steps):
        h_i = h * e if i >= steps else h
        force = into * math.sin((i + 0.5) * h)
        stretch += u * h_i
        pull = stiffness * stretch
        if abs(pull) > p.cushion_mu * force:
            pull = p.cushion_mu * force if pull > 0.0 else -p.cushion_mu * force
            stretch = pull / stiffness
        u -= 3.5 * pull * h_i
        dragged += pull * h_i
    k = dragged / slip if slip > 1e-12 else 0.0
    return nose_impulse(p, vn, vt, wn, wt, wz, k * slip_x, k * slip_y, (1.0 + e) * into)


def mathavan(p: Params, vn: float, vt: float, wn: float, wt: float, wz: float) -> Velocities:
    """Cushion after Mathavan, Jackson, Parkin, IMechE C 224 (2010): impulse by impulse, cloth included.

    Compression lasts until the ball no longer approaches, restitution until e² of the work has come back.
    The last step of each is cut exactly, which makes 50 steps as good as a thousand.
    """
    s, c, r = p.nose_sin, p.nose_cos, p.radius
    e = restitution(p, vn)
    h = vn / 50.0
    k = 2.5 / r
    work, target, back = 0.0, 0.0, False
    # The paper's axes: x along the rail to the right of the way in, y into it.
    vx, vy, wx, wy = -vt, vn, -wt, wn
    for _ in range(1000):
        nose_x, nose_y = vx + r * (wy * s - wz * c), -vy * s + r * wx
        cloth_x, cloth_y = vx - r * wy, vy + r * wx
        nose, cloth = nose_x * nose_x + nose_y * nose_y, cloth_x * cloth_x + cloth_y * cloth_y
        on_nose = p.cushion_mu / math.sqrt(nose) if nose > 1e-24 else 0.0
        on_cloth = p.cushion_cloth_mu / math.sqrt(cloth) if cloth > 1e-24 else 0.0
        fx, fy = on_nose * nose_x, on_nose * nose_y
        load = max(0.0, s + fy * c)
        gx, gy = on_cloth * cloth_x * load, on_cloth * cloth_y * load
        a = -(c - s * fy + gy)
        after = vy + h * a
        step, done = h, False
        if not back:
            if after <= 0.0:
                step, after = -vy / a, 0.0
            work += 0.5 * c * step * (vy + after)
            if after == 0.0:
                back, target, work = True, e * e * work, 0.0
        else:
            gain = -0.5 * c * h * (vy + after)
            if work + gain >= target:
                half, missing = 0.5 * (vy - after), (target - work) / (c * h)
                step = (
                    h * 2.0 * missing / (-vy + math.sqrt(max(0.0, vy * vy + 4.0 * half * missing)) + 1e-300)
                )
                after, done = vy + step * a, True
            work += gain
        vx -= step * (fx + gx)
        vy = after
        wx -= step * k * (fy + gy)
        wy -= step * k * (fx * s - gx)
        wz += step * k * fx * c
        if done:
            break
    return vy, -vx, wy, -wx, wz


def hit_cushion(p: Params, b: Ball, rail: int) -> Ball:
    """A ball meets a rail under the model's law; slower than `APART` it stays there and slips no more."""
    nx, ny, x, y = 0.0, 0.0, b.x, b.y
    if rail == RIGHT:
        nx, x = 1.0, p.right
    elif rail == LEFT:
        nx, x = -1.0, p.radius
    elif rail == TOP:
        ny, y = 1.0, p.top
    else:
        ny, y = -1.0, p.radius
    tx, ty = -ny, nx
    vn, vt = b.vx * nx + b.vy * ny, b.vx * tx + b.vy * ty
    wn, wt, wz = b.wx * nx + b.wy * ny, b.wx * tx + b.wy * ty, b.wz
    if vn < APART:
        vn, wt = 0.0, 0.0
    elif p.cushion == HAN:
        vn, vt, wn, wt, wz = han(p, vn, vt, wn, wt, wz)
    elif p.cushion == MATHAVAN:
        vn, vt, wn, wt, wz = mathavan(p, vn, vt, wn, wt, wz)
    else:
        vn, vt, wn, wt, wz = stronge(p, vn, vt, wn, wt, wz)
    vn = min(vn, 0.0)
    return moving(
        placed(b, x, y), vn * nx + vt * tx, vn * ny + vt * ty, wn * nx + wt * tx, wn * ny + wt * ty, wz
    )


def hit_corner(p: Params, b: Ball, first: int, second: int) -> Ball:
    """A ball meets two rails in the same instant: the mean of both orders, so neither comes first."""
    one = hit_cushion(p, hit_cushion(p, b, first), second)
    two = hit_cushion(p, hit_cushion(p, b, second), first)
    return moving(
        one,
        0.5 * (one.vx + two.vx),
        0.5 * (one.vy + two.vy),
        0.5 * (one.wx + two.wx),
        0.5 * (one.wy + two.wy),
        0.5 * (one.wz + two.wz),
    )


def other_rail(p: Params, b: Ball, rail: int) -> int:
    """The rail that a ball at `rail` reaches in the same instant, or -1."""
    if rail in (RIGHT, LEFT):
        if b.vy > APART and p.top - b.y <= b.vy * TIE:
            return TOP
        return BOTTOM if b.vy < -APART and b.y - p.radius <= -b.vy * TIE else -1
    if b.vx > APART and p.right - b.x <= b.vx * TIE:
        return RIGHT
    return LEFT if b.vx < -APART and b.x - p.radius <= -b.vx * TIE else -1


# ── pins ─────────────────────────────────────────────────────────────────────────────────────────────


def pin_momentum(beta: float) -> float:
    """K(beta): speed of a pin, and momentum it takes, by how far off its centre it is hit."""
    for i in range(9):
        if beta < K_BETA[i + 1]:
            part = (beta - K_BETA[i]) / (K_BETA[i + 1] - K_BETA[i])
            return K_VALUE[i] + part * (K_VALUE[i + 1] - K_VALUE[i])
    return 0.0


def pin_push(offset: float) -> float:
    """Speed (m/s) that a slow ball loses to a pin of 2 g that it pushes over, by its offset (m)."""
    for i in range(6):
        if offset < PUSH_OFFSET[i + 1]:
            part = (offset - PUSH_OFFSET[i]) / (PUSH_OFFSET[i + 1] - PUSH_OFFSET[i])
            return PUSH_VALUE[i] + part * (PUSH_VALUE[i + 1] - PUSH_VALUE[i])
    return 0.0


def throw_angle(alpha: float) -> float:
    """Direction (rad, from the ball's way) in which a pin leaves, by the angle of the contact normal."""
    degrees = alpha * 180.0 / math.pi
    if degrees < 50.0:
        turned = 1.09 * degrees
    elif degrees < 56.0:
        turned = 54.5 + (degrees - 50.0) * (-0.8 / 6.0)
    elif degrees < 67.0:
        turned = 53.7 + (degrees - 56.0) * (9.9 / 11.0)
    elif degrees < 79.0:
        turned = 63.6 + (degrees - 67.0) * (9.3 / 12.0)
    else:
        turned = 72.9 + (degrees - 79.0) * (17.1 / 11.0)
    return turned * math.pi / 180.0


def topple(p: Params, b: Ball, pin_x: float, pin_y: float) -> tuple[Ball, float, float, float]:
    """A ball fells a pin: the ball after it, and the pin's way (unit x, y) and speed.

    Two circles and a momentum table, fitted to a rigid-body simulation of the castle (docs/physics).
    """
    v = math.sqrt(b.vx * b.vx + b.vy * b.vy)
    if v < 1e-9:
        return b, 1.0, 0.0, 0.0
    ux, uy = b.vx / v, b.vy / v
    dx, dy = pin_x - b.x, pin_y - b.y
    distance = math.sqrt(dx * dx + dy * dy)
    across = ux * dy - uy * dx
    sign = 1.0 if across >= 0.0 else -1.0
    offset = abs(across)
    psi = throw_angle(math.asin(min(1.0, offset / distance)))
    along, aside = math.cos(psi), sign * math.sin(psi)
    to_x, to_y = along * ux - aside * uy, along * uy + aside * ux
    speed = pin_momentum(offset / p.touch) * v
    loss = min(max(speed * p.pin_ratio, pin_push(offset) * p.pin_push), v * along)
    return moving(b, b.vx - loss * to_x, b.vy - loss * to_y, b.wx, b.wy, b.wz), to_x, to_y, speed


def knocked_on(
    p: Params, castle: Castle, pin: int, other: int, to_x: float, to_y: float, speed: float
) -> float:
    """Seconds after which a thrown pin fells another, or NEVER: the ray rule (43.3).

    The other's axis must lie within 10 mm of the way, and the pin must still have speed there after
    sliding on the cloth.
    """
    dx, dy = castle.x[other] - castle.x[pin], castle.y[other] - castle.y[pin]
    along = dx * to_x + dy * to_y
    if along <= 0.0 or abs(dx * to_y - dy * to_x) >= p.knock_width:
        return NEVER
    if speed * speed <= p.knock_drag * (along - p.knock_free) + p.knock_least:
        return NEVER
    return along / speed


def put_five(values: Five, i: int, value: float) -> Five:
    """Five values with one replaced."""
    return (
        value if i == 0 else values[0],
        value if i == 1 else values[1],
        value if i == 2 else values[2],
        value if i == 3 else values[3],
        value if i == 4 else values[4],
    )


def next_fall(falls: Five, standing: int) -> float:
    """The earliest of the falls to come of pins that still stand."""
    first = NEVER
    for k in range(5):
        if standing >> k & 1 and falls[k] < first:
            first = falls[k]
    return first


def throw_pin(
    p: Params, castle: Castle, w: World, ball: int, pin: int, to_x: float, to_y: float, speed: float
) -> tuple[Five, int]:
    """The falls to come after a ball has thrown a pin that way: their times and throwers."""
    falls, throwers = w.falls, w.throwers
    for k in range(5):
        if w.standing >> k & 1 and k != pin:
            t = w.now + knocked_on(p, castle, pin, k, to_x, to_y, speed)
            if t < falls[k]:
                falls = put_five(falls, k, t)
                throwers = (throwers & ~(15 << 4 * k)) | (pin * 3 + ball) << 4 * k
    return falls, throwers


# ── the order of events ──────────────────────────────────────────────────────────────────────────────

FIRST = (0, 0, 1)
SECOND = (1, 2, 2)
"""The two balls of each pair."""


def get_ball(w: World, i: int) -> Ball:
    """Ball i of the world."""
    if i == 0:
        return w.cue
    return w.object if i == 1 else w.red


def put_ball(w: World, i: int, b: Ball) -> World:
    """The world with ball i replaced."""
    return World(
        b if i == 0 else w.cue,
        b if i == 1 else w.object,
        b if i == 2 else w.red,
        w.cue_object, w.cue_red, w.object_red, w.now, w.standing, w.falls, w.throwers, w.next_fall, w.frozen,
    )  # fmt: skip


def with_pins(w: World, standing: int, falls: Five, throwers: int) -> World:
    """The world with other pins up and other falls to come."""
    return World(
        w.cue, w.object, w.red, w.cue_object, w.cue_red, w.object_red, w.now,
        standing, falls, throwers, next_fall(falls, standing), w.frozen,
    )  # fmt: skip


def at_time(w: World, now: float, frozen: int) -> World:
    """The world at another time."""
    return World(
        w.cue, w.object, w.red, w.cue_object, w.cue_red, w.object_red, now,
        w.standing, w.falls, w.throwers, w.next_fall, frozen,
    )  # fmt: skip


def with_meetings(p: Params, w: World, touched: int) -> World:
    """The world with the meetings of all touched balls found anew."""
    return World(
        w.cue,
        w.object,
        w.red,
        next_meeting(p, w.cue, w.object, w.now) if touched & 3 else w.cue_object,
        next_meeting(p, w.cue, w.red, w.now) if touched & 5 else w.cue_red,
        next_meeting(p, w.object, w.red, w.now) if touched & 6 else w.object_red,
        w.now, w.standing, w.falls, w.throwers, w.next_fall, w.frozen,
    )  # fmt: skip


def without_pin(
    p: Params, castle: Castle, w: World, pin: int, falls: Five, throwers: int
) -> tuple[World, int]:
    """The world after a pin fell; balls whose arcs ended at it begin new ones (bits returned)."""
    w = with_pins(w, w.standing & ~(1 << pin), falls, throwers)
    touched = 0
    for i in range(3):
        b = get_ball(w, i)
        if b.at == pin and (b.why in (ARC_PIN, ARC_RING)):
            w = put_ball(w, i, settle(p, castle, w.standing, advance(p, b, w.now)))
            touched |= 1 << i
    return w, touched


def choose(w: World, limit: float) -> int:
    """Which event comes first among those up to `limit`.

    0-2 state of a ball, 3-5 pair, 6-8 cushion, 9-11 pin or ring, 12 a thrown pin arrives. Simultaneous
    ones go in this order.
    """
    if w.cue.ends <= limit and w.cue.why == ARC_STATE:
        return 0
    if w.object.ends <= limit and w.object.why == ARC_STATE:
        return 1
    if w.red.ends <= limit and w.red.why == ARC_STATE:
        return 2
    if w.cue_object <= limit:
        return 3
    if w.cue_red <= limit:
        return 4
    if w.object_red <= limit:
        return 5
    if w.cue.ends <= limit:
        return 6 if w.cue.why == ARC_CUSHION else 9
    if w.object.ends <= limit:
        return 7 if w.object.why == ARC_CUSHION else 10
    if w.red.ends <= limit:
        return 8 if w.red.why == ARC_CUSHION else 11
    return 12


def step(p: Params, castle: Castle, w: World) -> tuple[World, Event]:
    """The world after its next event, and that event; kind NOTHING when all is at rest."""
    first = min(w.cue.ends, w.object.ends, w.red.ends)
    first = min(first, w.cue_object, w.cue_red, w.object_red)
    first = min(first, w.next_fall)
    if first >= NEVER:
        return w, Event(NOTHING, w.now, 0, -1, -1, 0, -1, 0, 0)
    which = choose(w, first + TIE)
    w = at_time(w, max(first, w.now), w.frozen)
    if which < 3:
        w, event = state_step(p, castle, w, which)
    elif which < 6:
        w, event = pair_step(p, castle, w, which - 3, first + TIE)
    elif which < 9:
        w, event = cushion_step(p, castle, w, which - 6)
    elif which < 12:
        w, event = pin_step(p, castle, w, which - 9)
    else:
        w, event = fall_step(p, castle, w)
    return with_meetings(p, w, event.touched), event


def state_step(p: Params, castle: Castle, w: World, i: int) -> tuple[World, Event]:
    """A ball begins to roll, slows into another band, stops or comes to rest."""
    b, kind = end_of_state(p, w.standing, advance(p, get_ball(w, i), w.now))
    w = put_ball(w, i, settle(p, castle, w.standing, b))
    return w, Event(kind, w.now, i, -1, -1, 0, -1, 0, 1 << i)


def pair_step(p: Params, castle: Castle, w: World, pair: int, limit: float) -> tuple[World, Event]:
    """Two balls meet, or three where one meets both others in the same instant."""
    i, j = FIRST[pair], SECOND[pair]
    k = 3 - i - j
    a, b, c = advance(p, get_ball(w, i), w.now), advance(p, get_ball(w, j), w.now), get_ball(w, k)
    hub, spoke, also, triple = i, j, -1, False
    if pair == 0 and w.cue_red <= limit:
        triple, a, b, c = hit_three(p, a, b, advance(p, c, w.now))
    elif pair == 0 and w.object_red <= limit:
        triple, b, a, c = hit_three(p, b, a, advance(p, c, w.now))
        hub, spoke = 1, 0
    elif pair == 1 and w.object_red <= limit:
        triple, b, a, c = hit_three(p, b, a, advance(p, c, w.now))
        hub, spoke = 2, 0
    if triple:
        also = k
        w = put_ball(w, k, settle(p, castle, w.standing, c))
    else:
        hub, spoke = i, j
        a, b = hit_balls(p, a, b)
    w = put_ball(w, i, settle(p, castle, w.standing, a))
    w = put_ball(w, j, settle(p, castle, w.standing, b))
    frozen = 0
    if i == 0:
        frozen = w.frozen >> (j - 1) & 1
        w = at_time(w, w.now, still_frozen(w, 1 << (j - 1)))
    if hub == 0 and triple:
        frozen |= (w.frozen >> 1 & 1) << 1
        w = at_time(w, w.now, 0)
    touched = 7 if triple else 1 << i | 1 << j
    return w, Event(BALLS, w.now, hub, spoke, also, 0, -1, frozen, touched)


def still_frozen(w: World, met: int) -> int:
    """What the cue ball is frozen to after it has met some of it; once it has moved, nothing."""
    return w.frozen & ~met if w.now <= TIE else 0


def cushion_step(p: Params, castle: Castle, w: World, i: int) -> tuple[World, Event]:
    """A ball meets a rail, or two in a corner."""
    b = advance(p, get_ball(w, i), w.now)
    rail = b.at
    also = other_rail(p, b, rail)
    b = hit_cushion(p, b, rail) if also < 0 else hit_corner(p, b, rail, also)
    w = put_ball(w, i, settle(p, castle, w.standing, b))
    frozen = 0
    if i == 0:
        frozen = w.frozen >> (rail + 2) & 1
        if also >= 0:
            frozen |= (w.frozen >> (also + 2) & 1) << 1
        w = at_time(w, w.now, still_frozen(w, 4 << rail | (4 << also if also >= 0 else 0)))
    return w, Event(CUSHION, w.now, i, rail, also, 0, -1, frozen, 1 << i)


def pin_step(p: Params, castle: Castle, w: World, i: int) -> tuple[World, Event]:
    """A ball fells a pin, brushes one too slowly, or leaves one it had brushed or that leans on it."""
    b = advance(p, get_ball(w, i), w.now)
    pin = b.at
    bit = 1 << pin
    x, y = castle.x[pin], castle.y[pin]
    if b.why == ARC_RING:
        leaning = b.lean & bit
        w = put_ball(w, i, ringed(b, b.ring & ~bit, b.lean & ~bit))
        if leaning == 0:
            w = put_ball(w, i, settle(p, castle, w.standing, get_ball(w, i)))
            return w, Event(RING_LEFT, w.now, i, pin, -1, 0, -1, 0, 1 << i)
        w, touched = without_pin(p, castle, w, pin, w.falls, w.throwers)
        return w, Event(PIN_FELL, w.now, i, pin, -1, LEANED, -1, 0, touched | 1 << i)
    closing = b.vx * (x - b.x) + b.vy * (y - b.y)
    if b.ring & bit == 0 and closing < p.topple_speed * p.touch:
        w = put_ball(w, i, settle(p, castle, w.standing, ringed(b, b.ring | bit, b.lean)))
        return w, Event(PIN_TOUCHED, w.now, i, pin, -1, 0, -1, 0, 1 << i)
    b, to_x, to_y, speed = topple(p, b, x, y)
    falls, throwers = throw_pin(p, castle, w, i, pin, to_x, to_y, speed)
    w, touched = without_pin(p, castle, put_ball(w, i, b), pin, falls, throwers)
    return w, Event(PIN_FELL, w.now, i, pin, -1, HIT, -1, 0, touched | 1 << i)


def fall_step(p: Params, castle: Castle, w: World) -> tuple[World, Event]:
    """A thrown pin reaches another and fells it."""
    pin = 0
    for k in range(5):
        if w.standing >> k & 1 and w.falls[k] == w.next_fall:
            pin = k
    code = w.throwers >> 4 * pin & 15
    w, touched = without_pin(p, castle, w, pin, w.falls, w.throwers)
    return w, Event(PIN_FELL, w.now, code % 3, pin, -1, KNOCKED, code // 3, 0, touched)


# ── a whole stroke ───────────────────────────────────────────────────────────────────────────────────


def resting_ball(p: Params, castle: Castle, x: float, y: float) -> Ball:
    """A ball at rest, or absent where x is NaN, with the pins that lean on it."""
    if x != x:  # noqa: PLR0124 - NaN: the ball is not on the table
        return Ball(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
                    0.0, NEVER, NEVER, ABSENT, ARC_STATE, 0, 0, 0)  # fmt: skip
    ring = 0
    for k in range(5):
        if castle.standing >> k & 1:
            dx, dy = castle.x[k] - x, castle.y[k] - y
            if math.sqrt(dx * dx + dy * dy) < p.touch - 1e-9:
                ring |= 1 << k
    return Ball(x, y, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
                0.0, NEVER, NEVER, RESTING, ARC_STATE, 0, ring, ring)  # fmt: skip


def pushed_apart(
    p: Params, x: float, y: float, to_x: float, to_y: float
) -> tuple[float, float, float, float]:
    """Two centres, each moved half of what written decimals let them overlap."""
    dx, dy = to_x - x, to_y - y
    distance = math.sqrt(dx * dx + dy * dy)
    overlap = 2.0 * p.radius - distance
    if overlap > 1e-12 and distance > 0.0:
        k = 0.5 * (overlap + 1e-13) / distance
        return x - k * dx, y - k * dy, to_x + k * dx, to_y + k * dy
    return x, y, to_x, to_y


def inside(p: Params, x: float, y: float) -> tuple[float, float]:
    """The nearest place on the bed; NaN stays NaN."""
    if x == x:  # noqa: PLR0124 - not NaN
        return min(max(x, p.radius), p.right), min(max(y, p.radius), p.top)
    return x, y


def disentangled(p: Params, at: Layout) -> Layout:
    """The layout with the small overlaps of written decimals removed."""
    ax, ay = inside(p, at.cue_x, at.cue_y)
    bx, by = inside(p, at.object_x, at.object_y)
    cx, cy = inside(p, at.red_x, at.red_y)
    for _ in range(30):
        before = ax + ay + bx + by + cx + cy
        ax, ay, bx, by = pushed_apart(p, ax, ay, bx, by)
        ax, ay, cx, cy = pushed_apart(p, ax, ay, cx, cy)
        bx, by, cx, cy = pushed_apart(p, bx, by, cx, cy)
        ax, ay = inside(p, ax, ay)
        bx, by = inside(p, bx, by)
        cx, cy = inside(p, cx, cy)
        if before == ax + ay + bx + by + cx + cy:
            break
    return Layout(ax, ay, bx, by, cx, cy)


def frozen_partners(p: Params, cue: Ball, other: Ball, red: Ball) -> int:
    """What the cue ball lay frozen to and now moves into (41): bit 0 object, 1 red, 2-5 rails."""
    partners = 0
    for i in range(2):
        b = other if i == 0 else red
        if b.state != ABSENT:
            dx, dy = b.x - cue.x, b.y - cue.y
            distance = math.sqrt(dx * dx + dy * dy)
            if distance <= 2.0 * p.radius + p.frozen and cue.vx * dx + cue.vy * dy > AT_REST * distance:
                partners |= 1 << i
    if p.right - cue.x <= p.frozen and cue.vx > 0.0:
        partners |= 4 << RIGHT
    if cue.x - p.radius <= p.frozen and cue.vx < 0.0:
        partners |= 4 << LEFT
    if p.top - cue.y <= p.frozen and cue.vy > 0.0:
        partners |= 4 << TOP
    if cue.y - p.radius <= p.frozen and cue.vy < 0.0:
        partners |= 4 << BOTTOM
    return partners


def along_rails(p: Params, b: Ball) -> Ball:
    """A ball struck along the rail it touches, freed of the rounding that would drive it into the rail."""
    vx, vy = b.vx, b.vy
    if abs(vx) < 1e-6 and (b.x <= p.radius + 1e-9 or b.x >= p.right - 1e-9):
        vx = 0.0
    if abs(vy) < 1e-6 and (b.y <= p.radius + 1e-9 or b.y >= p.top - 1e-9):
        vy = 0.0
    return moving(b, vx, vy, b.wx, b.wy, b.wz)


def begin(p: Params, castle: Castle, layout: Layout, shot: Shot) -> World:
    """The world in the instant after the tip has left the cue ball."""
    at = disentangled(p, layout)
    cue = resting_ball(p, castle, at.cue_x, at.cue_y)
    other = resting_ball(p, castle, at.object_x, at.object_y)
    red = resting_ball(p, castle, at.red_x, at.red_y)
    cue = along_rails(p, strike(p, cue, shot))
    frozen = frozen_partners(p, cue, other, red)
    none = (NEVER, NEVER, NEVER, NEVER, NEVER)
    w = World(
        settle(p, castle, castle.standing, cue), other, red, NEVER, NEVER, NEVER,
        0.0, castle.standing, none, 0, NEVER, frozen,
    )  # fmt: skip
    return with_meetings(p, w, 7)


def make_castle(p: Params, x: Five, y: Five) -> Castle:
    """The castle of the pins that have a place; NaN for one that is not in play."""
    standing = 0
    left, right, bottom, top = NEVER, -NEVER, NEVER, -NEVER
    for k in range(5):
        if x[k] == x[k]:
            standing |= 1 << k
            left, right = min(left, x[k] - p.touch), max(right, x[k] + p.touch)
            bottom, top = min(bottom, y[k] - p.touch), max(top, y[k] + p.touch)
    return Castle(x, y, standing, left, right, bottom, top)


def pair_code(i: int, j: int) -> int:
    """1 cue ball and object ball, 2 cue ball and red, 3 object ball and red."""
    return i + j


def fact_codes(event: Event) -> tuple[int, int]:
    """An event as one or two fact codes, 0 for none.

    1-3 contact of cue ball and object ball, cue ball and red, object ball and red; 4, 5 the first two where
    they lay frozen and the stroke was played into the contact; 16 + 4 ball + rail a cushion, 28 + rail a
    frozen one of the cue ball; 64 + 15 cause + 5 ball + pin a fall.
    """
    if event.kind == BALLS:
        one = pair_code(event.ball, event.partner)
        two = pair_code(event.ball, event.also) if event.also >= 0 else 0
        return one + 3 * (event.frozen & 1), two + 3 * (event.frozen >> 1)
    if event.kind == CUSHION:
        one = CODE_CUSHION + 4 * event.ball + event.partner
        two = CODE_CUSHION + 4 * event.ball + event.also if event.also >= 0 else 0
        lies = CODE_FROZEN_CUSHION - CODE_CUSHION  # frozen codes follow those of the three balls
        return one + lies * (event.frozen & 1), two + lies * (event.frozen >> 1)
    if event.kind == PIN_FELL:
        return CODE_PIN + 15 * event.cause + 5 * event.ball + event.partner, 0
    return 0, 0


def fact_key(codes: Any, first: int, last: int) -> int:
    """What matters for a ruling in a stroke's codes, packed into 60 bits, six a fact, the first lowest.

    Kept are the first contact of each pair before the cue ball has met the object ball, that meeting, the
    first contact with the red after it (the one that makes a cannon), the first frozen rail, and every pin:
    ten facts at the most. `trace.read_key` gives the codes back.
    """
    key, shift, seen = 0, 0, 0
    for i in range(first, last):
        code = int(codes[i])
        small = 0
        if code < CODE_CUSHION:
            bit = 1 << (code - 3 if code > 3 else code)
            if seen & bit == 0:
                small = code
                if bit == 1 << 1:
                    seen = seen & RAIL_SEEN | bit
                elif seen & 1 << 1:
                    seen |= 1 << 2 | 1 << 3
                else:
                    seen |= bit
        elif code >= CODE_PIN:
            small = code - CODE_PIN + KEY_PIN
        elif code >= CODE_FROZEN_CUSHION and seen & RAIL_SEEN == 0:
            seen |= RAIL_SEEN
            small = code - CODE_FROZEN_CUSHION + KEY_FROZEN_CUSHION
        if small > 0:
            key |= small << shift
            shift += 6
    return key


def leaning(w: World) -> int:
    """Which standing pins lean on which balls, all at rest: bit 5 ball + pin."""
    return (w.cue.ring | w.object.ring << 5 | w.red.ring << 10) & w.standing * (1 + (1 << 5) + (1 << 10))


def in_mm(b: Ball, place: float, before: float) -> float:
    """A coordinate of rest (m) in mm; one that has not changed is given back as it was written."""
    if b.state == ABSENT or place == before / 1000.0:
        return before
    return place * 1000.0


# ── batches ──────────────────────────────────────────────────────────────────────────────────────────


def unpack_params(q: Any) -> Params:
    """Params from one array of floats, which is cheaper to hand to compiled code than a named tuple."""
    return Params(
        q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7], q[8], q[9], q[10], q[11], q[12], q[13], q[14], q[15],
        q[16], q[17], int(q[18]), q[19], q[20], q[21], q[22], q[23], q[24], q[25], q[26], q[27], q[28], q[29],
        q[30], q[31], q[32], q[33], q[34], int(q[35]),
    )  # fmt: skip


def play(p: Params, castle: Castle, w: World, codes: Any, filled: int) -> tuple[World, int, int]:
    """Plays a stroke to its end; writes its fact codes and returns where they end and how many events.

    A code that repeats the one before it is written once: a ball that drives another meets it often.
    """
    count = 0
    start = filled
    while count < p.most_events:
        w, event = step(p, castle, w)
        if event.kind == NOTHING:
            break
        count += 1
        one, two = fact_codes(event)
        if one > 0 and (filled == start or codes[filled - 1] != one):
            codes[filled] = one
            filled += 1
        if two > 0:
            codes[filled] = two
            filled += 1
    return w, filled, count


def set_up(q: Any, row: Any, s: Any) -> tuple[Params, Castle, World]:
    """The beginning of a stroke from one row of a table array and one of a cue array."""
    p = unpack_params(q)
    castle = make_castle(
        p,
        (row[6] / 1000.0, row[8] / 1000.0, row[10] / 1000.0, row[12] / 1000.0, row[14] / 1000.0),
        (row[7] / 1000.0, row[9] / 1000.0, row[11] / 1000.0, row[13] / 1000.0, row[15] / 1000.0),
    )
    layout = Layout(
        row[0] / 1000.0, row[1] / 1000.0, row[2] / 1000.0, row[3] / 1000.0, row[4] / 1000.0, row[5] / 1000.0
    )
    shot = Shot(s[0], s[1] * (math.pi / 180.0), s[2], s[3], s[4] * (math.pi / 180.0))
    return p, castle, begin(p, castle, layout, shot)


def play_many(
    q: Any,
    tables: Any,
    shots: Any,
    first: int,
    codes: Any,
    ends: Any,
    keys: Any,
    rest: Any,
    standing: Any,
    lean: Any,
    counts: Any,
    times: Any,
) -> tuple[int, int]:
    """Plays strokes from number `first` until all are done or `codes` may not hold the next one.

    A row of `tables` holds cue ball, object ball and red, then the five pins, each x and y in mm, NaN where
    absent; one of `shots` speed, aim in degrees, side, height and elevation in degrees: see `Shot`. Returns
    the number of the next stroke and how much of `codes` is filled.
    """
    filled = 0
    for n in range(first, len(shots)):
        row = tables[n]
        p, castle, w = set_up(q, row, shots[n])
        if filled + 2 * p.most_events > len(codes):
            return n, filled
        begun = filled
        w, filled, count = play(p, castle, w, codes, filled)
        ends[n] = filled
        keys[n] = fact_key(codes, begun, filled)
        for i in range(3):
            b = get_ball(w, i)
            rest[n, 2 * i] = in_mm(b, b.x, row[2 * i])
            rest[n, 2 * i + 1] = in_mm(b, b.y, row[2 * i + 1])
        standing[n] = w.standing
        lean[n] = leaning(w)
        counts[n] = count
        times[n] = w.now
    return len(shots), filled


def write_arc(b: Ball, until: float, arcs: Any, place: int) -> int:
    """Writes a ball's arc up to a time as 14 numbers; nothing for a ball that is not there."""
    if b.state == ABSENT:
        return place
    arcs[place] = b.t0
    arcs[place + 1] = until - b.t0
    arcs[place + 2] = b.x
    arcs[place + 3] = b.y
    arcs[place + 4] = b.vx
    arcs[place + 5] = b.vy
    arcs[place + 6] = b.ax
    arcs[place + 7] = b.ay
    arcs[place + 8] = b.wx
    arcs[place + 9] = b.wy
    arcs[place + 10] = b.wz
    arcs[place + 11] = b.bx
    arcs[place + 12] = b.by
    arcs[place + 13] = b.state
    return place + 14


def write_event(event: Event, events: Any, place: int) -> int:
    """Writes an event as 9 numbers."""
    events[place] = event.kind
    events[place + 1] = event.time
    events[place + 2] = event.ball
    events[place + 3] = event.partner
    events[place + 4] = event.also
    events[place + 5] = event.cause
    events[place + 6] = event.by
    events[place + 7] = event.frozen
    events[place + 8] = event.touched
    return place + 9


def record(
    q: Any, row: Any, s: Any, events: Any, cue_arcs: Any, object_arcs: Any, red_arcs: Any, ends: Any
) -> bool:
    """Plays one stroke and writes its events and arcs; False if the room for them was too small.

    `ends` receives how far the four arrays are filled, then the pins standing and leaning and the rest: six
    coordinates in mm and the time.
    """
    p, castle, w = set_up(q, row, s)
    a, b, c, e = 0, 0, 0, 0
    count = 0
    while count < p.most_events:
        before = w
        w, event = step(p, castle, w)
        if event.kind == NOTHING:
            break
        count += 1
        if e + 9 > len(events) or max(a, b, c) + 28 > len(cue_arcs):
            return False
        e = write_event(event, events, e)
        if event.touched & 1:
            a = write_arc(before.cue, w.now, cue_arcs, a)
        if event.touched & 2:
            b = write_arc(before.object, w.now, object_arcs, b)
        if event.touched & 4:
            c = write_arc(before.red, w.now, red_arcs, c)
    ends[0], ends[1] = e, write_arc(w.cue, w.now, cue_arcs, a)
    ends[2], ends[3] = write_arc(w.object, w.now, object_arcs, b), write_arc(w.red, w.now, red_arcs, c)
    ends[4], ends[5] = w.standing, leaning(w)
    for i in range(3):
        ball = get_ball(w, i)
        ends[6 + 2 * i] = in_mm(ball, ball.x, row[2 * i])
        ends[7 + 2 * i] = in_mm(ball, ball.y, row[2 * i + 1])
    ends[12] = w.now
    return True
