"""What a caller sees: single strokes, batches, frozen balls, leaning pins, falls by pins, refusals."""

from __future__ import annotations

import math
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import FrozenInstanceError, replace
from multiprocessing import get_context

import numpy as np
import pytest
from hard_strokes import aimed_strokes

from fivepins.errors import ImpossiblePosition, SimulationError
from fivepins.physics import (
    STANDARD,
    Band,
    Cue,
    CushionLaw,
    EventKind,
    Fall,
    Model,
    Phase,
    Rail,
    Trace,
    kernel,
    read_code,
    simulate,
    simulate_many,
)
from fivepins.physics.batch import cue_table, position_table
from fivepins.table import PINS, START, TABLE, Ball, Colour, Pin, Point, Position

BARE = replace(START, standing=frozenset())


# ── refusals ─────────────────────────────────────────────────────────────────────────────────────────


def test_every_reason_is_given() -> None:
    cue = Cue(-1.0, math.nan, side=0.5, height=0.5, elevation=95)
    with pytest.raises(SimulationError) as caught:
        simulate(START.put(Colour.YELLOW, Point(710, 720)), cue)
    words = caught.value.message
    for part in ("overlap", "aim is nan", "negative", "would slip", "elevation"):
        assert part in words


@pytest.mark.parametrize(
    ("position", "word"),
    [
        (START.put(Colour.RED, Point(710, 2730)), "overlap"),
        (START.put(Colour.RED, Point(10, 2000)), "not on the bed"),
        (START.put(Colour.RED, Point(math.nan, 2000)), "no place"),
        (START.put(Colour.RED, Point(710, 1500)), "pin 1 stands where"),
        (
            replace(START.put(Colour.RED, Point(710, 1510)), displaced=((Pin.TOP, Point(710, 1490)),)),
            "pin 1 stands 20.00 mm from the centre of the red ball",
        ),
    ],
)
def test_impossible_positions(position: Position, word: str) -> None:
    with pytest.raises(ImpossiblePosition, match=word):
        simulate(position, Cue(1, 90))


def test_who_may_be_struck() -> None:
    with pytest.raises(SimulationError, match="nobody's"):
        simulate(START, Cue(1, 90), striker=Colour.RED)
    with pytest.raises(SimulationError, match="not on the table"):
        simulate(START.put(Colour.YELLOW, None), Cue(1, 90), striker=Colour.YELLOW)


def test_a_batch_names_the_strokes_it_refuses() -> None:
    cues = [Cue(1, 90), Cue(-1, 90), Cue(1, math.inf), Cue(1, 0, side=0.9)]
    with pytest.raises(
        SimulationError, match=r"stroke 1: .*negative \| stroke 2: aim .* \| stroke 3: .*slip"
    ):
        simulate_many(START, cues)
    tables = np.repeat(position_table([START]), 9, axis=0)
    tables[2:9, 0] = 10.0
    with pytest.raises(SimulationError, match=r"stroke 2: the white ball .* … and 2 more"):
        simulate_many(tables, cue_table([Cue(1, 90)] * 9))
    with pytest.raises(SimulationError, match="2 positions for 3 cues"):
        simulate_many([START, START], [Cue(1, 90)] * 3)
    with pytest.raises(SimulationError, match="shape"):
        simulate_many(np.zeros((1, 3)), cue_table([Cue(1, 90)]))


def test_a_model_is_checked_and_named() -> None:
    bad = replace(STANDARD, gravity=math.nan, ball_restitution=1.5, rolling=(Band(0.1, -1.0),))
    with pytest.raises(SimulationError, match=r"gravity .*; ball_restitution .*; rolling .*; a rolling ball"):
        simulate(START, Cue(1, 90), bad)
    assert Model() == STANDARD
    assert Model().id == "standard-1"
    assert replace(STANDARD, spin_decay=9.0).id == replace(STANDARD, spin_decay=9.0).id != STANDARD.id
    with pytest.raises(FrozenInstanceError):
        STANDARD.gravity = 1.0  # type: ignore[misc]


def test_a_stroke_cut_short_says_so() -> None:
    model = replace(STANDARD, most_events=10)
    trace = simulate(START, Cue(4, 70), model)
    assert "10 events" in trace.flag
    assert simulate_many(START, [Cue(4, 70), Cue(0, 70)], model).flagged.tolist() == [True, False]


@pytest.mark.parametrize("damage", ["{}", "[]", "x", '{"format": 2}'])
def test_what_is_no_trace_is_refused(damage: str) -> None:
    with pytest.raises(SimulationError, match="no trace"):
        Trace.from_json(damage)
    with pytest.raises(SimulationError, match="no trace"):
        Trace.from_bytes(damage.encode())
    whole = simulate(START, Cue(2, 90)).to_bytes()
    with pytest.raises(SimulationError, match="no trace"):
        Trace.from_bytes(whole[:-8])


# ── traces ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_trace_reads_well() -> None:
    model = replace(STANDARD, cushion=CushionLaw.STRONGE, rolling=(Band(0, 0.05),))
    trace = simulate(START, Cue(3.0, 91.0, 0.2, 0.1, 3.0), model, striker=Colour.YELLOW)
    assert trace.colours == (Colour.YELLOW, Colour.WHITE, Colour.RED)
    assert trace.events[0].kind is EventKind.STRUCK
    assert trace.arc_table(Colour.YELLOW).shape == (len(trace.arcs(Colour.YELLOW)), 14)
    assert trace.arcs(Colour.WHITE)[0].phase == Phase.RESTING
    assert trace.rest.white == START.white
    motion = trace.at(Colour.WHITE, 1e9)
    assert motion
    assert (motion.x, motion.y, motion.vx) == (0.71, 0.71, 0.0)
    assert trace.at(Colour.YELLOW, trace.duration) is not None
    for other in (Trace.from_json(trace.to_json()), Trace.from_bytes(trace.to_bytes())):
        assert other == trace
        assert other.events == trace.events
    assert len(trace.to_bytes()) < 20_000


def test_no_stroke_moves_nothing() -> None:
    trace = simulate(START, Cue(0.0, 33.0))
    assert [e.kind for e in trace.events] == [EventKind.STRUCK]
    assert trace.rest == START
    assert trace.duration == 0.0


def test_decimals_of_untouched_balls_are_kept() -> None:
    position = Position(Point(355.1, 200.3), Point(700.7, 2700.9), Point(123.45, 2000.1))
    trace = simulate(position, Cue(0.3, 270))
    assert (trace.rest.yellow, trace.rest.red) == (position.yellow, position.red)
    assert simulate_many(position, [Cue(0.3, 270)]).rest[0, 2:].tolist() == [700.7, 2700.9, 123.45, 2000.1]


def test_codes_are_read() -> None:
    assert read_code(3) == (Ball.OBJECT, Ball.RED, None, False)
    assert read_code(5) == (Ball.CUE, Ball.RED, None, True)
    assert read_code(16 + 4 + 3) == (Ball.OBJECT, Rail.BOTTOM, None, False)
    assert read_code(29) == (Ball.CUE, Rail.LEFT, None, True)
    assert read_code(64 + 15 * 2 + 5 * 1 + 4) == (Ball.OBJECT, Pin.CENTRE, Fall.LEANED, False)


# ── frozen balls (41) ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("gap", [0.0, 0.05, -0.005])
def test_a_frozen_ball_played_into_is_marked(gap: float) -> None:
    position = Position(Point(500, 500), Point(500, 561.5 + gap), Point(1000, 2000), frozenset())
    trace = simulate(position, Cue(2, 90))
    first = trace.events[1]
    assert (first.kind, first.partner, first.frozen) == (EventKind.BALLS, Colour.YELLOW, True)
    assert first.time <= 0.05e-3 / 1.9
    assert trace.codes[0] == 4
    later = [e for e in trace.events[2:] if e.kind is EventKind.BALLS]
    assert not any(e.frozen for e in later)


@pytest.mark.parametrize("aim", [0.0, 180.0, 270.0, 200.0, 359.0])
def test_contact_at_rest_is_no_touch(aim: float) -> None:
    position = Position(Point(500, 500), Point(500, 561.5), Point(1000, 2000), frozenset())
    trace = simulate(position, Cue(0.2, aim))
    assert not any(e.kind is EventKind.BALLS for e in trace.events)


def test_a_gap_is_not_frozen() -> None:
    position = Position(Point(500, 500), Point(500, 561.7), Point(1000, 2000), frozenset())
    assert not any(e.frozen for e in simulate(position, Cue(2, 90)).events)


def test_frozen_to_a_rail_and_along_it_touches_it_not() -> None:
    position = Position(Point(30.75, 500), Point(900, 500), None, frozenset())
    assert [e.kind for e in simulate(position, Cue(0.5, 90)).events if e.kind is EventKind.CUSHION] == []
    into = simulate(position, Cue(0.5, 135)).events[1]
    assert (into.partner, into.frozen) == (Rail.LEFT, True)


def test_two_frozen_balls_met_at_once_are_both_marked() -> None:
    apart = 61.5 * math.sqrt(3) / 2
    position = Position(
        Point(500, 500), Point(530.75, 500 + apart), Point(469.25, 500 + apart), frozenset({Pin.CENTRE})
    )
    assert simulate(position, Cue(2, 90)).codes[:2] in (b"\x04\x05", b"\x05\x04")
    corner = Position(Point(30.75, 30.75), Point(900, 500), None, frozenset())
    assert sorted(simulate(corner, Cue(2, 225)).codes[:2]) == [29, 31]


def test_a_frozen_red_is_marked_too() -> None:
    position = Position(Point(500, 500), Point(1000, 2000), Point(500, 561.5), frozenset())
    assert simulate(position, Cue(2, 60)).codes[0] == 5


# ── pins ─────────────────────────────────────────────────────────────────────────────────────────────


def only(pin: Pin, white: Point) -> Position:
    return Position(white, Point(100, 2700), Point(300, 2700), frozenset({pin}))


@pytest.mark.parametrize(
    ("offset", "v", "falls"), [(0, 0.6, True), (31, 3, True), (32.7, 3, False), (28, 0.1, False)]
)
def test_which_balls_fell_a_pin(offset: float, v: float, falls: bool) -> None:
    # At 200 mm the ball has slid and rolls slowly.
    position = only(Pin.CENTRE, Point(710 + offset, 1420 - (200 if v > 0.2 else 50)))
    trace = simulate(position, Cue(v, 90, height=0.4))
    assert bool(trace.fallen) == falls


def test_a_ball_that_stops_at_a_pin_has_it_leaning_and_leaves_it() -> None:
    # 0.08 m/s rolls 76 mm: from 105 mm it stops within the ring.
    position = only(Pin.CENTRE, Point(710, 1420 - 105))
    trace = simulate(position, Cue(0.08, 90, height=0.4))
    assert trace.fallen == ()
    assert trace.leaning == ((Pin.CENTRE, Colour.WHITE),)
    assert trace.rest.displaced == ((Pin.CENTRE, TABLE.seat(Pin.CENTRE)),)
    assert trace.rest.problems() == []
    away = simulate(trace.rest, Cue(1.0, 270))
    assert [(p.pin, p.by, p.fall) for p in away.fallen] == [(Pin.CENTRE, Colour.WHITE, Fall.LEANED)]
    into = simulate(trace.rest, Cue(1.0, 90))
    assert [(p.pin, p.by, p.fall) for p in into.fallen] == [(Pin.CENTRE, Colour.WHITE, Fall.HIT)]
    # Leaning on the object ball, which is driven away (43.6).
    swapped = replace(trace.rest, white=Point(900, 1480), yellow=trace.rest.white)
    aim = math.degrees(math.atan2(trace.rest.white.y - 1480, trace.rest.white.x - 900))  # type: ignore[union-attr]
    driven = simulate(swapped, Cue(1.0, aim))
    assert [(p.by, p.fall) for p in driven.fallen] == [(Colour.YELLOW, Fall.LEANED)]
    still = simulate(swapped, Cue(0.3, 0))
    assert still.fallen == ()
    assert still.leaning == ((Pin.CENTRE, Colour.YELLOW),)


def test_a_brushed_pin_that_the_ball_passes_stands() -> None:
    trace = simulate(only(Pin.CENTRE, Point(710 + 30, 1420 - 60)), Cue(0.15, 90, height=0.4))
    kinds = [e.kind for e in trace.events]
    assert EventKind.PIN_TOUCHED in kinds
    assert EventKind.RING_LEFT in kinds
    assert trace.rest.standing == {Pin.CENTRE}
    assert trace.leaning == ()


def test_a_thrown_pin_fells_another() -> None:
    # A ball 23 mm off the bottom pin throws it at 45 degrees: onto a side pin.
    hits = []
    for offset in range(15, 30):
        trace = simulate(replace(START, white=Point(710.0 + offset, 1200)), Cue(3.0, 90))
        hits += [p for p in trace.fallen if p.fall is Fall.KNOCKED]
        for p in trace.fallen:
            if p.fall is Fall.KNOCKED:
                assert p.thrown_by is not None
                thrower = next(q for q in trace.fallen if q.pin is p.thrown_by)
                assert thrower.time < p.time
                assert thrower.by is p.by
    assert any(p.pin is Pin.LEFT and p.thrown_by is Pin.BOTTOM for p in hits)


def test_absent_pins_do_not_exist() -> None:
    trace = simulate(BARE, Cue(3.0, 90))
    assert trace.fallen == ()
    assert not any(isinstance(e.partner, Pin) for e in trace.events)


def test_a_displaced_pin_is_met_where_it_stands() -> None:
    position = Position(
        Point(300, 300),
        Point(100, 2700),
        Point(300, 2700),
        frozenset({Pin.LEFT}),
        ((Pin.LEFT, Point(300, 600)),),
    )
    trace = simulate(position, Cue(2, 90))
    assert [p.pin for p in trace.fallen] == [Pin.LEFT]
    missed = simulate(position, Cue(1.0, 0))
    assert missed.rest.displaced == position.displaced


def test_a_ball_passes_between_two_pins() -> None:
    # 66 mm between axes, 65.2 between the circles of contact: less than a millimetre on both sides.
    trace = simulate(replace(START, white=Point(743.0, 1200)), Cue(2.0, 90))
    assert [p for p in trace.fallen if p.time < 1] == []
    near = simulate(replace(START, white=Point(743.6, 1200)), Cue(2.0, 90))
    assert [p.pin for p in near.fallen][:1] == [Pin.RIGHT]


def test_pins_take_the_momentum_of_the_table() -> None:
    params = kernel.Params
    assert params is not None
    ball = simulate(only(Pin.CENTRE, Point(710, 1000)), Cue(3.0, 90))
    free = simulate(replace(only(Pin.CENTRE, Point(710, 1000)), standing=frozenset()), Cue(3.0, 90))
    time = ball.fallen[0].time + 1e-9
    after, before = ball.at(Colour.WHITE, time), free.at(Colour.WHITE, time)
    assert after
    assert before
    assert 1 - after.vy / before.vy == pytest.approx(1.236 * 0.002 / 0.2125, rel=1e-6)


# ── batches ──────────────────────────────────────────────────────────────────────────────────────────


def test_processes_give_the_same() -> None:
    tables, shots = aimed_strokes(40, 3)
    here = simulate_many(tables, shots)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        there = simulate_many(tables, shots, executor=pool)
    assert np.array_equal(here.rest, there.rest)
    assert np.array_equal(here.codes, there.codes)


def test_progress_and_empty_batches() -> None:
    done: list[int] = []
    tables, shots = aimed_strokes(100, 3)
    simulate_many(np.tile(tables, (200, 1)), np.tile(shots, (200, 1)), progress=done.append)
    assert sum(done) == 20_000
    assert len(simulate_many(START, [])) == 0


def test_nothing_heavy_is_loaded_before_it_is_needed() -> None:
    script = (
        "import sys, fivepins\n"
        "assert 'numpy' not in sys.modules\n"
        "from fivepins.physics import Cue, simulate\n"
        "from fivepins.table import START\n"
        "simulate(START, Cue(3, 88)).events\n"
        "assert not {'numpy', 'numba'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_all_pins_have_numbers_the_kernel_counts_from() -> None:
    assert [pin - 1 for pin in PINS] == list(range(5))
