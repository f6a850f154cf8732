"""The validation table V1 to V20 of the physics: what theory, measurements and other codes say.

V19, replays of 434 recorded rail contacts, is left out: origin and licence of the recordings are not clear,
so they are in no repository of ours. Their summary, V12 and V13, is here. Speed bands replace the rolling law
a0 + a1 v; with four of them V3 and V4 both hold, V3 within its 7 %.
"""

from __future__ import annotations

import math
import random
import statistics
from dataclasses import replace

import pytest
from physics_helpers import MEADOW, R, angle, ball, bare, energy, played, rolled, rolling, world

from fivepins.physics import kernel
from fivepins.physics.kernel import Ball
from fivepins.physics.model import MATHAVAN, STANDARD, STRONGE, CushionLaw, Model
from fivepins.physics.simulate import parameters

SMOOTH = replace(STANDARD, ball_friction_floor=0.0, ball_friction_slow=0.0)


def test_v1_a_stunned_ball_slides_and_then_rolls() -> None:
    params, castle = bare(MEADOW)
    w = world(params, castle, ball(100, 100, vy=2.0))
    w, event = kernel.step(params, castle, w)
    assert event.kind == kernel.ROLLS
    assert event.time == pytest.approx(0.3329, abs=5e-5)
    assert event.time == pytest.approx(2 * 2.0 / (7 * 0.175 * 9.81), rel=1e-9)
    assert w.cue.y - 100 == pytest.approx(0.5706, abs=5e-5)
    assert w.cue.vy == pytest.approx(2.0 * 5 / 7, rel=1e-9)


@pytest.mark.parametrize(("spin", "ratio"), [(-1.0, 3 / 7), (1.25, 15 / 14)])
def test_v2_draw_and_follow(spin: float, ratio: float) -> None:
    params, castle = bare(MEADOW)
    w = world(params, castle, ball(100, 100, vy=1.7, wx=-spin * 1.7 / R))
    w, event = kernel.step(params, castle, w)
    assert event.kind == kernel.ROLLS
    assert w.cue.vy == pytest.approx(1.7 * ratio, rel=1e-9)


@pytest.mark.parametrize(
    ("v", "way", "time"), [(0.25, 0.777, 6.33), (0.5, 2.907, 12.04), (1.0, 10.32, 22.0), (2.0, 33.9, 38.0)]
)
def test_v3_way_and_time_of_a_rolling_ball(v: float, way: float, time: float) -> None:
    params, castle = bare(MEADOW)
    *_, (w, event) = played(params, castle, world(params, castle, rolling(100, 100, 0, v)))
    assert event.kind == kernel.RESTS
    assert w.cue.y - 100 == pytest.approx(way, rel=0.07)
    assert event.time == pytest.approx(time, rel=0.07)


@pytest.mark.parametrize(("v", "slowing"), [(0.25, 0.042), (0.5, 0.045), (0.9, 0.055), (1.15, 0.060)])
def test_v4_deceleration_of_a_rolling_ball(v: float, slowing: float) -> None:
    params, castle = bare(MEADOW)
    b = world(params, castle, rolling(100, 100, v, 0)).cue
    assert -b.ax == pytest.approx(slowing, abs=0.003 + 1e-12)


def collide(model: Model, v: float, cut: float, spin: float = 0.0, side: float = 0.0) -> tuple[Ball, Ball]:
    """Cue ball along +x onto an object ball in direction `cut`; spin and side as R w/v."""
    phi = math.radians(cut)
    first = ball(0, 0, vx=v, wy=spin * v / R, wz=side * v / R)
    second = ball(2 * R * math.cos(phi), 2 * R * math.sin(phi))
    return kernel.hit_balls(parameters(model), first, second)


def between(a: Ball, b: Ball) -> float:
    return abs(angle(b.vx, b.vy) - angle(a.vx, a.vy))


@pytest.mark.parametrize("cut", [1, 10, 30, 45, 70, 85])
def test_v5_stunned_balls_part_at_a_right_angle(cut: float) -> None:
    assert between(*collide(replace(SMOOTH, ball_restitution=1.0), 1.3, cut)) == pytest.approx(90, abs=1e-9)


@pytest.mark.parametrize(
    ("cut", "smooth", "rough"),
    [(15, 84.67, 81.54), (30, 87.52, 83.02), (45, 88.57, 85.05), (60, 89.17, 86.17)],
)
def test_v6_parting_angle_with_losses(cut: float, smooth: float, rough: float) -> None:
    assert between(*collide(SMOOTH, 1.0, cut)) == pytest.approx(smooth, abs=0.01)
    assert between(*collide(STANDARD, 1.0, cut)) == pytest.approx(rough, abs=0.01)


@pytest.mark.parametrize(
    ("cut", "deflection"),
    [(math.degrees(math.asin(0.25)), 27.63), (30, 33.67), (48.59, 27.27), (28.12, 33.749)],
)
def test_v7_the_thirty_degree_rule(cut: float, deflection: float) -> None:
    first, _ = collide(replace(SMOOTH, ball_restitution=1.0), 1.0, cut, spin=1.0)
    assert abs(angle(*rolled(first))) == pytest.approx(deflection, abs=0.01)


@pytest.mark.parametrize(("v", "deflection"), [(0.5, 34.80), (1, 33.84), (2, 33.00), (4, 32.64)])
def test_v8_deflection_with_losses(v: float, deflection: float) -> None:
    first, _ = collide(STANDARD, v, 30, spin=1.0)
    assert abs(angle(*rolled(first))) == pytest.approx(deflection, abs=0.05)


@pytest.mark.parametrize(
    ("v", "spin", "throws"),
    [
        (0.45, 0, {15: 2.19, 30: 4.72, 40: 5.07, 60: 4.61}),
        (0.89, 0, {15: 2.19, 30: 4.37, 45: 3.69, 60: 3.24}),
        (1.34, 0, {30: 3.55, 45: 2.78}),
        (3.2, 0, {30: 1.65, 45: 1.10}),
        (0.45, 1, {30: 2.18, 45: 3.08, 60: 3.77}),
        (0.89, 1, {30: 1.46, 45: 2.06, 60: 2.53}),
        (3.2, 1, {30: 0.38, 45: 0.54, 60: 0.66}),
    ],
)
def test_v9_throw_by_cut(v: float, spin: float, throws: dict[int, float]) -> None:
    for cut, throw in throws.items():
        _, second = collide(replace(STANDARD, ball_restitution=1.0), v, cut, spin=spin)
        assert abs(angle(second.vx, second.vy) - cut) == pytest.approx(throw, abs=0.02), cut


@pytest.mark.parametrize(
    ("v", "throws"), [(0.45, (2.05, 4.09, 4.84, 4.35)), (0.89, (2.05, 4.09, 3.56, 2.92))]
)
def test_v10_throw_by_side(v: float, throws: tuple[float, ...]) -> None:
    for side, throw in zip((0.25, 0.5, 0.75, 1.0), throws, strict=True):
        _, second = collide(replace(STANDARD, ball_restitution=1.0), v, 0, side=side)
        assert abs(angle(second.vx, second.vy)) == pytest.approx(throw, abs=0.02)


@pytest.mark.parametrize(("e", "cue", "other"), [(1.0, 0.2526, 0.6812), (0.95, 0.2713, 0.6642)])
def test_v11_a_rolling_ball_head_on(e: float, cue: float, other: float) -> None:
    first, second = collide(replace(STANDARD, ball_restitution=e), 1.0, 0, spin=1.0)
    assert rolled(first)[0] == pytest.approx(cue, abs=1e-3)
    assert rolled(second)[0] == pytest.approx(other, abs=1e-3)
    stunned = collide(replace(SMOOTH, ball_restitution=1.0), 1.0, 45)
    assert [math.hypot(b.vx, b.vy) for b in stunned] == pytest.approx([math.sqrt(0.5)] * 2, abs=1e-9)


def rail(model: Model, v: float, incidence: float, side: float = 0.0, spin: float = 1.0) -> Ball:
    """A ball that meets the right rail, `incidence` degrees from its normal; side as R wz/v."""
    phi = math.radians(incidence)
    vx, vy = v * math.cos(phi), v * math.sin(phi)
    b = ball(1.0, 1.0, vx, vy, -spin * vy / R, spin * vx / R, side * v / R)
    return kernel.hit_cushion(parameters(model), b, kernel.RIGHT)


@pytest.mark.parametrize("model", [STANDARD, STRONGE])
def test_v12_head_on_into_the_rail(model: Model) -> None:
    # Han is a few hundredths fast below 0.8 m/s and slow above 1.5: the fit is one for all angles.
    for v, ratio, tolerance in (
        (0.45, 0.82, 0.055),
        (0.8, 0.82, 0.045),
        (1.4, 0.84, 0.02),
        (2.0, 0.84, 0.02),
    ):
        assert -rail(model, v, 0).vx / v == pytest.approx(ratio, abs=tolerance), v
    for v, ratio in ((0.6, 0.60), (1.1, 0.588), (1.7, 0.555), (2.5, 0.59)):
        again = -rolled(rail(model, v, 0))[0] / v
        assert again == pytest.approx(ratio, abs=0.045 if model is STANDARD else 0.06), v


@pytest.mark.parametrize(
    ("low", "high", "ratio"), [(12, 25, 0.73), (25, 40, 0.77), (40, 55, 0.80), (55, 70, 0.81)]
)
def test_v13_obliquely_into_the_rail(low: float, high: float, ratio: float) -> None:
    # The measured balls carried a side nobody noted; in three-cushion strokes it runs with the rail.
    outs = [
        math.hypot(*rolled(rail(STANDARD, v, (low + high) / 2, side))) / v
        for v in (0.6, 0.95, 1.3)
        for side in (-1.0, -0.8, -0.6)
    ]
    assert statistics.median(outs) == pytest.approx(ratio, abs=0.08)


@pytest.mark.parametrize(
    ("incidence", "vn", "vt", "side", "at_impact", "again"),
    [
        (30, 0.7457, 0.3281, -0.4208, 23.75, 35.28),
        (45, 0.6115, 0.4640, -0.5950, 37.19, 50.65),
        (60, 0.4252, 0.6511, -0.5261, 56.85, 69.89),
    ],
)
def test_v14_han(  # noqa: PLR0917 - the columns of the table
    incidence: float, vn: float, vt: float, side: float, at_impact: float, again: float
) -> None:
    out = rail(STANDARD, 1.0, incidence)
    assert (-out.vx, out.vy) == pytest.approx((vn, vt), abs=1e-3)
    assert abs(R * out.wz) == pytest.approx(abs(side), abs=1e-3)
    assert angle(-out.vx, out.vy) == pytest.approx(at_impact, abs=0.06)
    x, y = rolled(out)
    assert angle(-x, y) == pytest.approx(again, abs=0.06)


SNOOKER = replace(
    STANDARD,
    cushion=CushionLaw.MATHAVAN,
    nose_height=1.4 * 30.75,
    cushion_restitution=0.98,
    cushion_restitution_slope=0.0,
    cushion_friction=0.14,
    sliding_friction=0.212,
)


def test_v15_mathavan() -> None:
    assert -rail(SNOOKER, 1.0, 0, spin=0).vx == pytest.approx(0.8373, abs=2e-3)
    assert -rail(SNOOKER, 1.0, 0).vx == pytest.approx(0.9107, abs=2e-3)
    for side, speed, out_angle in ((-1, 0.9411, 46.81), (0, 0.8476, 37.32), (1, 0.8397, 35.65)):
        out = rail(SNOOKER, 1.0, 45, side=side)
        assert math.hypot(out.vx, out.vy) == pytest.approx(speed, abs=2e-3)
        assert angle(-out.vx, out.vy) == pytest.approx(out_angle, abs=0.12)


@pytest.mark.parametrize("model", [STANDARD, MATHAVAN, STRONGE])
def test_v16_no_rail_adds_energy(model: Model) -> None:
    rng, params = random.Random(16), parameters(model)
    for _ in range(20_000 if model is STANDARD else 2_000):
        v = 10 ** rng.uniform(-2, 1)
        spin = [rng.uniform(-1, 1) * 2 * v / R for _ in range(3)]
        phi = rng.uniform(-1.57, 1.57)
        b = ball(1.0, 1.0, v * math.cos(phi), v * math.sin(phi), *spin)
        assert energy(kernel.hit_cushion(params, b, kernel.RIGHT)) <= energy(b) * (1 + 1e-9)


@pytest.mark.parametrize(
    ("v", "low", "high"), [(1, 2.0, 2.0), (2, 3.1, 3.3), (3, 3.7, 4.2), (4, 4.2, 4.8), (6, 4.9, 6.0)]
)
@pytest.mark.parametrize("model", [STANDARD, MATHAVAN, STRONGE])
def test_v17_lengths_of_a_lag(model: Model, v: float, low: float, high: float) -> None:
    params, castle = bare(model)
    w = world(params, castle, rolling(0.3, R, 0, v))
    way, y = 0.0, w.cue.y
    for after, _ in played(params, castle, w):
        way, y = way + abs(after.cue.y - y), after.cue.y
    # Mathavan's law is valid to 2.5 m/s into the rail (its paper): beyond it loses a little more.
    slack = 0.4 if model is MATHAVAN and v > 5 else 0.3
    assert low - slack <= way / 2.7785 <= high + slack


def corner_five(model: Model, d: float, f: float, side: float = 1.0) -> float:
    """Third-rail diamond of a stroke from diamond d over first-rail diamond f; 5 is the corner.

    Diamonds lie 9 cm behind the nose; the ball rolls at 3 m/s with running side R wz/v.
    """
    behind, diamond = 0.09, 0.355
    start = (-behind, (5 - d) * 2 * diamond) if d <= 5 else ((d - 5) * diamond, -behind)
    first = (1.42 + behind, 2.84 - f * diamond)
    way = (first[0] - start[0], first[1] - start[1])
    length = math.hypot(*way)
    ux, uy = way[0] / length, way[1] / length
    params, castle = bare(model)
    # Where the line is far enough from the rails for a ball.
    go = max((R - start[0]) / ux, (R - start[1]) / uy) + 1e-6
    b = rolling(start[0] + go * ux, start[1] + go * uy, 3 * ux, 3 * uy, wz=-3.0 * side / R)
    rails = []
    for w, event in played(params, castle, world(params, castle, b)):
        if event.kind == kernel.CUSHION:
            rails.append((event.partner, w.cue))
        if len(rails) == 3:
            break
    assert [rail for rail, _ in rails] == [kernel.RIGHT, kernel.TOP, kernel.LEFT]
    return (2.84 - rails[-1][1].y) / diamond


@pytest.mark.parametrize(("model", "side"), [(STANDARD, 1.0), (MATHAVAN, 1.0), (STRONGE, 1.1)])
def test_v18_the_corner_five_system(model: Model, side: float) -> None:
    lines = [(d, f) for d in (3.5, 4, 4.5, 5, 6, 7) for f in (1, 2, 3, 4, 5) if 1 <= d - f <= 4]
    errors = [corner_five(model, d, f, side) - (d - f) for d, f in lines]
    assert abs(statistics.mean(errors)) <= 0.15
    assert statistics.stdev(errors) <= 0.25


def test_v20_squirt() -> None:
    struck = kernel.strike(parameters(STANDARD), ball(0.5, 0.5), kernel.Shot(2.0, 0.0, 0.5, 0.0, 0.0))
    assert angle(struck.vx, struck.vy) == pytest.approx(1.89, abs=0.01)  # to the left: struck on the right
    assert math.hypot(struck.vx, struck.vy) == pytest.approx(2.0, rel=1e-12)
