"""Initial conditions that broke a well-known event-based simulator, each with the outcome that must hold.

White is struck; a ball not named is not on the table. T9, T13 and the like were variations of these.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hard_strokes import audited
from physics_helpers import MEADOW, R, angle, ball, bare, energy, played, rolling, three_balls, world

from fivepins.physics import Cue, EventKind, Trace, kernel, simulate
from fivepins.physics.batch import cue_table, position_table
from fivepins.physics.kernel import Ball, World
from fivepins.physics.model import STANDARD
from fivepins.physics.simulate import parameters
from fivepins.table import Colour, Point, Position, Table

W, L, RMM = 1420.0, 2840.0, 30.75


def on(white: tuple[float, float], *others: tuple[float, float]) -> Position:
    """Balls at places in metres, no pins."""
    places = [Point(1000 * x, 1000 * y) for x, y in (white, *others)]
    return three_balls([*places, None, None][:3], frozenset())


def play(position: Position, cue: Cue) -> Trace:
    """The trace, audited: nothing overlaps, leaves the bed or gains energy."""
    worst = audited(position_table([position]), cue_table([cue]))[0]
    assert worst[0] <= 1e-9
    assert worst[1] <= 1e-9
    assert worst[2] <= 1e-9
    trace = simulate(position, cue)
    assert trace.flag == ""
    return trace


def test_t1_into_the_exact_corner_of_a_square_table() -> None:
    params, castle = bare(replace(STANDARD, table=Table(width=4500, length=4500)))
    v = 2 / math.sqrt(2)
    for start in (rolling(1, 1, v, v), ball(1, 1, v, v)):
        w = world(params, castle, start)
        steps = list(played(params, castle, w))
        events, last = [event for _, event in steps], steps[-1][0]
        corner = next(event for event in events if event.kind == kernel.CUSHION)
        assert {corner.partner, corner.also} == {kernel.RIGHT, kernel.TOP}
        assert last.cue.x == pytest.approx(last.cue.y, abs=1e-12)


def test_t2_frozen_to_the_cushion_and_into_it() -> None:
    trace = play(on((1.42 - R, 1.0)), Cue(2, 0))
    first = trace.events[1]
    assert (first.kind, first.time, first.frozen) == (EventKind.CUSHION, 0.0, True)


@pytest.mark.parametrize(("x", "y", "aim"), [(1.42 - R, 1.0, 30), (1.42 - R, 2.84 - R, 45)])
def test_t3_frozen_to_cushions_and_obliquely_into_them(x: float, y: float, aim: float) -> None:
    play(on((x, y)), Cue(2, aim))


def test_t4_a_ball_frozen_to_the_cushion_is_hit() -> None:
    play(on((0.5, 1.2), (1.42 - R, 1.2)), Cue(4, 0))


def test_t5_a_frozen_pair_is_driven_into_the_cushion() -> None:
    play(on((1.42 - R, 1.2), (1.42 - 3 * R, 1.2)), Cue(3, 0))


def test_t6_a_row_against_the_cushion() -> None:
    play(on((0.5, 1.2), (1.42 - 3 * R, 1.2), (1.42 - R, 1.2)), Cue(4, 0))


def contacts(*balls: Ball) -> tuple[list[float], World]:
    params, castle = bare(MEADOW)
    w = last = world(params, castle, *balls)
    times = []
    for after, event in played(params, castle, w):
        last = after
        if event.kind == kernel.BALLS:
            times.append(event.time)
    return times, last


def test_t8_equal_accelerations_apart() -> None:
    assert contacts(ball(100.4, 100.3, vy=2), ball(100.9, 100.3, vy=2))[0] == []


def test_t10_equal_accelerations_touching() -> None:
    times, last = contacts(ball(100.7, 100.3, vy=2), ball(100.7 + 2 * R, 100.3, vy=2))
    assert times == []
    assert last.cue.y == pytest.approx(last.object.y, abs=1e-12)
    assert last.cue.y > 110


def test_t11_rolling_one_behind_the_other() -> None:
    assert contacts(rolling(100.7, 100.3, 0, 1), rolling(100.7, 100.3 + 2 * R + 1e-3, 0, 1))[0] == []


def test_t12_a_straight_draw() -> None:
    def draw(x: float) -> Trace:
        return play(on((x, 0.9), (0.71, 1.2), (0.3, 2.5)), Cue(3, 90, height=-0.54))

    trace, moved = draw(0.71), draw(0.71 + 1e-7)
    assert len(trace.events) < 25
    assert trace.rest.white is not None
    assert moved.rest.white is not None
    assert trace.rest.white.distance(moved.rest.white) < 1
    assert [e.kind for e in trace.events[:8]] == [e.kind for e in moved.events[:8]]


def test_t14_a_frozen_pair_in_line() -> None:
    trace = play(on((0.71, 0.5), (0.71, 1.2), (0.71, 1.2 + 2 * R)), Cue(4, 90))
    # The cue ball, rolling by then, drives the yellow on until it has lost its spin: hence the contacts.
    assert len(trace.events) < 80


def test_t15_momentum_runs_through_a_row() -> None:
    # This table has three balls: the row is two of them, the cue ball the third.
    trace = play(on((0.71, 0.4), (0.71, 0.8), (0.71, 0.8 + 2 * R)), Cue(3, 90))
    first = next(e for e in trace.events if e.kind is EventKind.BALLS)
    just_after = {c: trace.at(c, first.time + 1e-6) for c in Colour}
    speeds = {c: m.vy for c, m in just_after.items() if m}
    assert speeds[Colour.RED] > 0.94 * 3 * 0.7
    assert speeds[Colour.YELLOW] < 0.1
    assert len(trace.events) < 80


def test_t18_two_balls_met_in_the_same_instant() -> None:
    trace = play(on((0.71, 0.5), (0.71 - R, 1.2), (0.71 + R, 1.2)), Cue(4, 90))
    rest = trace.rest
    assert rest.white
    assert rest.yellow
    assert rest.red
    assert rest.white.x == pytest.approx(710, abs=1e-6)
    assert rest.yellow.x + rest.red.x == pytest.approx(1420, abs=1e-6)
    assert rest.yellow.y == pytest.approx(rest.red.y, abs=1e-6)
    for t in np.linspace(0, trace.duration, 100):
        left, right = trace.at(Colour.YELLOW, t), trace.at(Colour.RED, t)
        assert left
        assert right
        assert left.x + right.x == pytest.approx(1.42, abs=1e-9)
        assert left.y == pytest.approx(right.y, abs=1e-9)


@pytest.mark.parametrize("aim", [90, 0])
def test_t19_parallel_to_a_rail(aim: float) -> None:
    trace = play(on((0.7, 1.0)), Cue(3, aim))
    assert trace.rest.white is not None
    across = trace.rest.white.x - 700 if aim == 90 else trace.rest.white.y - 1000
    assert abs(across) < 1e-9


@pytest.mark.parametrize("v", [1, 10, 100, 1000])
def test_t20_where_a_fast_ball_meets_the_cushion(v: float) -> None:
    trace = simulate(on((0.5, 0.25)), Cue(v, -90))
    hit = next(e for e in trace.events if e.kind is EventKind.CUSHION)
    motion = trace.at(Colour.WHITE, hit.time)
    assert motion
    assert motion.y == pytest.approx(R, rel=1e-12)
    arc = next(
        a for a in trace.arcs(Colour.WHITE) if a.start + a.duration == pytest.approx(hit.time, rel=1e-14)
    )
    end = arc.y + arc.duration * (arc.vy + 0.5 * arc.ay * arc.duration)
    assert end == pytest.approx(R, rel=1e-12)


def test_t22_mirrored_pairs() -> None:
    rng = np.random.default_rng(22)
    compared = 0
    for _ in range(200):
        places = rng.uniform((RMM, RMM), (W - RMM, L - RMM), (3, 2))
        position = three_balls([Point(float(x), float(y)) for x, y in places])
        if position.problems():
            continue
        v, aim, side, height = (
            rng.uniform(1, 5),
            rng.uniform(0, 360),
            rng.uniform(-0.3, 0.3),
            rng.uniform(-0.3, 0.3),
        )
        mirrored = three_balls([Point(W - float(x), float(y)) for x, y in places])
        one = simulate(position, Cue(v, aim, side, height))
        two = simulate(mirrored, Cue(v, 180 - aim, -side, height))
        calm = _calm_until(one)
        for c in Colour:
            a, b = one.at(c, calm), two.at(c, calm)
            assert a
            assert b
            assert abs(1.42 - a.x - b.x) < 1e-9
            assert abs(a.y - b.y) < 1e-9
        compared += 1
    assert compared > 150


def _calm_until(trace: Trace) -> float:
    """Until the third contact of balls: each one multiplies rounding errors by tens to thousands."""
    times = [e.time for e in trace.events if e.kind is EventKind.BALLS]
    return times[2] if len(times) > 2 else trace.duration


def test_t30_one_ball_alone() -> None:
    trace = play(on((0.71, 0.71)), Cue(3, 33))
    assert set(trace.raw_arcs) == {Colour.WHITE}
    assert trace.events[-1].kind is EventKind.RESTS


def test_the_drive_of_a_ball_that_presses_another_costs_no_energy() -> None:
    params, castle = parameters(MEADOW), bare(MEADOW)[1]
    w = world(params, castle, ball(100, 100, wx=-200.0), ball(100, 100 + 2 * R))
    had, count = energy(w.cue), 0
    for after, event in played(params, castle, w):
        w = after
        now = energy(kernel.advance(params, w.cue, w.now)) + energy(kernel.advance(params, w.object, w.now))
        assert now <= had * (1 + 1e-12)
        had = now
        count += event.kind == kernel.BALLS
    assert 1 < count < 400
    assert w.object.y > w.cue.y
    assert angle(w.object.x - w.cue.x, w.object.y - w.cue.y) == pytest.approx(90, abs=1e-6)
