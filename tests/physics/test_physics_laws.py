"""What must hold for every stroke: conservation, no overlap, on the bed, an end, symmetry, equal bits."""

from __future__ import annotations

import hashlib
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hard_strokes import Floats, aimed_strokes, audited, hard_strokes, random_strokes
from hypothesis import given, settings
from hypothesis import strategies as st
from physics_helpers import three_balls

from fivepins.physics import (
    Cue,
    EventKind,
    Outcomes,
    Trace,
    read_key,
    simulate,
    simulate_compiled,
    simulate_many,
)
from fivepins.physics.batch import position_table
from fivepins.physics.model import MATHAVAN, STANDARD, STRONGE, Model
from fivepins.table import PINS, TABLE, Colour, Point, Position

W, L = TABLE.width, TABLE.length


def position_of(row: Floats) -> Position:
    """A table row as a position, white as cue ball."""
    places = [Point(float(row[2 * i]), float(row[2 * i + 1])) for i in range(8)]
    up = [(pin, place) for pin, place in zip(PINS, places[3:], strict=True) if not math.isnan(place.x)]
    moved = tuple((pin, place) for pin, place in up if place != TABLE.seat(pin))
    return replace(three_balls(places[:3], frozenset(pin for pin, _ in up)), displaced=moved)


def traces(tables: Floats, shots: Floats, model: Model = STANDARD) -> list[Trace]:
    """The strokes played one by one, as plain Python."""
    return [
        simulate(position_of(row), Cue(*(float(v) for v in shot)), model)
        for row, shot in zip(tables, shots, strict=True)
    ]


@pytest.mark.parametrize("model", [STANDARD, MATHAVAN, STRONGE], ids=["han", "mathavan", "stronge"])
def test_twenty_thousand_strokes_without_a_violation(model: Model) -> None:
    n = 20_000 if model is STANDARD else 2_000
    parts = random_strokes(n // 5, 11), aimed_strokes(n // 5, 12), hard_strokes(n * 3 // 5, 13)
    tables, shots = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
    overlap, off, gain, push, count = audited(tables, shots, model).max(axis=0)
    assert overlap <= 1e-9
    assert off <= 1e-9
    assert gain <= 1e-9
    assert push <= 1e-12
    assert count < model.most_events


def digest(codes: bytes, rest: list[float], duration: float) -> bytes:
    return codes + np.array([*rest, duration]).tobytes()


def rest_numbers(trace: Trace) -> list[float]:
    return [v for c in trace.colours if (place := trace.rest[c]) for v in place]


def hash_of(outcomes: Outcomes) -> str:
    digester = hashlib.sha256()
    for n in range(len(outcomes)):
        digester.update(digest(outcomes.codes_of(n), list(outcomes.rest[n]), outcomes.durations[n]))
    return digester.hexdigest()


def test_one_hash_single_batch_and_threads() -> None:
    parts = random_strokes(150, 5), aimed_strokes(200, 6), hard_strokes(150, 7)
    tables, shots = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
    single = hashlib.sha256()
    for trace in traces(tables, shots):
        single.update(digest(trace.codes, rest_numbers(trace), trace.duration))
    expected = single.hexdigest()
    many_tables, many_shots = np.tile(tables, (50, 1)), np.tile(shots, (50, 1))
    for threads in (1, 2):
        assert hash_of(simulate_many(tables, shots, threads=threads)) == expected
        whole = simulate_many(many_tables, many_shots, threads=threads)
        assert np.array_equal(whole.rest[:500], whole.rest[-500:])
        assert whole.codes_of(499) == whole.codes_of(24_999)
    with ThreadPoolExecutor(2) as pool:
        assert hash_of(simulate_many(tables, shots, executor=pool)) == expected


@pytest.mark.parametrize("model", [MATHAVAN, STRONGE], ids=["mathavan", "stronge"])
def test_compiled_bits_are_those_of_plain_python(model: Model) -> None:
    tables, shots = aimed_strokes(60, 8)
    outcomes = simulate_many(tables, shots, model)
    for n, trace in enumerate(traces(tables, shots, model)):
        assert trace.codes == outcomes.codes_of(n)
        assert rest_numbers(trace) == list(outcomes.rest[n])


def matters(codes: bytes) -> list[int]:
    """Codes that a ruling can depend on: pins, the first frozen rail, and of the contacts those before the
    object ball is met, that meeting, and the first with the red after it; none of them twice."""
    kept: list[int] = []
    told: set[int] = set()
    for code in codes:
        pair = code - 3 if 3 < code < 16 else code
        if 16 <= code < 28 or pair in told:
            continue
        if 28 <= code < 64:
            told |= {28, 29, 30, 31}
        elif pair == 1:
            told = {1} | {rail for rail in told if rail >= 28}
        elif pair < 16:
            told |= {2, 3} if 1 in told else {pair}
        kept.append(code)
    return kept


def test_the_batch_says_what_the_trace_says() -> None:
    tables, shots = hard_strokes(240, 9)
    outcomes = simulate_many(tables, shots)
    for n, trace in enumerate(traces(tables, shots)):
        assert outcomes.position(n, trace.position) == (trace.rest, trace.leaning)
        felled = {pin.pin: trace.colours.index(pin.by) for pin in trace.fallen}
        assert [felled.get(pin, -1) for pin in PINS] == list(outcomes.fallen[n])
        assert trace.key == outcomes.keys[n]
        assert list(read_key(trace.key)) == matters(trace.codes)
        assert outcomes.counts[n] == len(trace.raw_events) // 9


def test_rotated_by_half_a_turn() -> None:
    tables, shots = random_strokes(150, 10)
    for row, shot in zip(tables, shots, strict=True):
        position, cue = position_of(row), Cue(*map(float, shot))
        turned = three_balls([Point(W - p.x, L - p.y) for _, p in position.balls()])
        one = simulate(position, cue)
        two = simulate(turned, Cue(cue.speed, cue.aim + 180, cue.side, cue.height))
        met = [e.time for e in one.events if e.kind is EventKind.BALLS]
        until = met[2] if len(met) > 2 else one.duration
        for colour in Colour:
            a, b = one.at(colour, until), two.at(colour, until)
            assert a
            assert b
            assert abs(W / 1000 - a.x - b.x) < 1e-9
            assert abs(L / 1000 - a.y - b.y) < 1e-9


PLACES = st.builds(Point, st.floats(30.75, W - 30.75), st.floats(30.75, L - 30.75))
POSITIONS = st.builds(Position, PLACES, st.none() | PLACES, st.none() | PLACES).filter(
    lambda p: not p.problems()
)
OFFSETS = st.floats(-0.38, 0.38)
CUES = st.builds(Cue, st.floats(0, 12), st.floats(-720, 720), OFFSETS, OFFSETS, st.floats(0, 85))


@settings(max_examples=300, deadline=None)
@given(POSITIONS, CUES)
def test_any_stroke_is_orderly(position: Position, cue: Cue) -> None:
    trace = simulate(position, cue)
    assert trace.flag == ""
    times = [event.time for event in trace.events]
    assert times == sorted(times)
    assert trace.rest.problems() == []
    for colour, _ in position.balls():
        arcs = trace.arcs(colour)
        assert arcs[0].start == 0.0
        for one, two in pairwise(arcs):
            h = one.duration
            assert two.start == pytest.approx(one.start + h, abs=1e-12)
            assert two.x == pytest.approx(one.x + h * (one.vx + 0.5 * one.ax * h), abs=1e-11)
            assert two.y == pytest.approx(one.y + h * (one.vy + 0.5 * one.ay * h), abs=1e-11)
        assert arcs[-1].vx == arcs[-1].vy == 0.0
    assert Trace.from_json(trace.to_json()) == trace
    assert Trace.from_bytes(trace.to_bytes()) == trace
    assert simulate(position, cue) == trace
    assert simulate_compiled(position, cue) == trace


@settings(max_examples=60, deadline=None)
@given(POSITIONS, st.lists(CUES, min_size=1, max_size=20))
def test_any_batch_is_its_strokes(position: Position, cues: list[Cue]) -> None:
    outcomes = simulate_many(position, cues)
    assert np.array_equal(
        outcomes.rest, simulate_many(position_table([position] * len(cues)), cues).rest, equal_nan=True
    )
    for n, cue in enumerate(cues):
        assert outcomes.codes_of(n) == simulate(position, cue).codes
