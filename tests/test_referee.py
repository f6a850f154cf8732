"""The referee of simulated strokes: what a trace comes to, one by one and in batches."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from fivepins.errors import SimulationError
from fivepins.physics import (
    STANDARD,
    Cue,
    Outcomes,
    Trace,
    kernel,
    simulate,
    simulate_compiled,
    simulate_many,
)
from fivepins.referee import judge, judge_many, rule_many, settle
from fivepins.rulebook import FIBIS_2022, UMB_1997, Rulebook
from fivepins.rules import Occasion, Receiver, rule
from fivepins.stroke import Contact, Cushion, Fact, Pins, Stroke
from fivepins.table import PINS, START, TABLE, Colour, Pin, Point, Position
from fivepins.tokens import format_action, parse_stroke

sys.path.append(str(Path(__file__).parent / "physics"))
from hard_strokes import Floats, aimed_strokes, hard_strokes, random_strokes

BOOKS = (UMB_1997, FIBIS_2022)
R = TABLE.radius


class Batch(NamedTuple):
    """The same strokes both ways: as one batch, and each with its whole trace."""

    tables: Floats
    shots: Floats
    outcomes: Outcomes
    traces: tuple[Trace, ...]


def position_of(row: Sequence[float]) -> Position:
    """A row of `simulate_many` as a position, the cue ball white."""
    points = [None if math.isnan(row[i]) else Point(row[i], row[i + 1]) for i in range(0, 16, 2)]
    white, yellow, red = points[:3]
    pins = {pin: place for pin, place in zip(PINS, points[3:], strict=True) if place is not None}
    moved = tuple((pin, place) for pin, place in pins.items() if place != TABLE.seat(pin))
    return Position(white, yellow, red, frozenset(pins), moved)


@cache
def batch() -> Batch:
    """A thousand strokes of each kind, and some more hard ones."""
    kinds = aimed_strokes(1200), random_strokes(700), hard_strokes(1500)
    tables, shots = (np.concatenate(parts) for parts in zip(*kinds, strict=True))
    traces = tuple(
        simulate_compiled(position_of(row), Cue(*shot))
        for row, shot in zip(tables.tolist(), shots.tolist(), strict=True)
    )
    return Batch(tables, shots, simulate_many(tables, shots), traces)


def canonical(stroke: Stroke) -> tuple[Fact, ...]:
    """Facts that a ruling can depend on, pins of one feller together.

    Left out are cushions and contacts that repeat; meeting the object ball begins anew, and of what follows
    it only the first contact with the red counts (22.2).
    """
    facts: list[Fact] = []
    told: set[Contact] = set()
    for fact in stroke.facts:
        last = facts[-1] if facts else None
        if isinstance(fact, Cushion) or (isinstance(fact, Contact) and fact in told):
            continue
        if fact is Contact.CUE_OBJECT:
            told = {fact}
        elif isinstance(fact, Contact):
            told |= set(Contact) if Contact.CUE_OBJECT in told else {fact}
        if isinstance(fact, Pins) and isinstance(last, Pins) and replace(last, pins=fact.pins) == fact:
            facts[-1] = replace(fact, pins=tuple(sorted(fact.pins + last.pins)))
        else:
            facts.append(fact)
    return tuple(facts)


def hand_made(*events: kernel.Event, striker: Colour = Colour.WHITE) -> Trace:
    """A trace with these events."""
    still = simulate(START, Cue(0.0, 0.0), striker=striker)
    return replace(still, raw_events=array("d", [float(value) for event in events for value in event]))


def event(
    kind: int, ball: int, partner: int, *, also: int = -1, cause: int = 0, by: int = -1, frozen: int = 0
) -> kernel.Event:
    """An event in kernel numbers: balls 0 to 2, rails 0 to 3, pins 0 to 4."""
    return kernel.Event(kind, 0.5, ball, partner, also, cause, by, frozen, 0)


def facts_of(position: Position, cue: Cue, striker: Colour = Colour.WHITE) -> str:
    """The facts of one simulated stroke, in FPN."""
    return format_action(judge(simulate(position, cue, striker=striker)))


# -- hand-made traces ----------------------------------------------------------------------------

MEETS, BOUNCES, FELLS = kernel.BALLS, kernel.CUSHION, kernel.PIN_FELL
EVERYTHING = (
    event(BOUNCES, 0, kernel.LEFT),
    event(MEETS, 0, 1),
    event(FELLS, 1, 2),
    event(FELLS, 1, 0, cause=kernel.KNOCKED, by=2),
    event(BOUNCES, 1, kernel.TOP),
    event(FELLS, 1, 4),
    event(MEETS, 1, 2),
    event(BOUNCES, 2, kernel.RIGHT),
    event(FELLS, 2, 1),
    event(MEETS, 0, 2),
    event(FELLS, 0, 3),
)


@pytest.mark.parametrize("striker", [Colour.WHITE, Colour.YELLOW])
def test_order_and_identity_are_kept(striker: Colour) -> None:
    stroke = judge(hand_made(*EVERYTHING, striker=striker))
    assert format_action(stroke) == "| o o/13 o| o/5 o-r r| r/2 r c/4"
    assert stroke.problems() == []


@pytest.mark.parametrize(
    ("events", "facts"),
    [
        ((), "-"),
        ((event(BOUNCES, 0, kernel.TOP),), "- |"),
        ((event(MEETS, 0, 1, also=2),), "o r"),  # both in the same instant
        ((event(MEETS, 0, 1, frozen=1),), "o !contact"),
        ((event(MEETS, 0, 1, also=2, frozen=2),), "o r !contact"),
        ((event(MEETS, 0, 1, also=2, frozen=3),), "o !contact r"),  # one foul, named once
        ((event(BOUNCES, 0, kernel.LEFT, frozen=1),), "- | !contact"),
        ((event(FELLS, 0, 2, cause=kernel.LEANED),), "- l/3"),
        ((event(MEETS, 0, 1), event(FELLS, 1, 2, cause=kernel.LEANED)), "o o/3"),  # 43.6: it counts
        ((event(FELLS, 0, 2, cause=kernel.LEANED), event(FELLS, 0, 0)), "l/3 c/1"),
        ((event(MEETS, 0, 1), event(FELLS, 1, 0), event(FELLS, 0, 2), event(FELLS, 1, 4)), "o o/1 c/3 o/5"),
        ((event(kernel.ROLLS, 0, -1), event(kernel.PIN_TOUCHED, 0, 2), event(kernel.RESTS, 0, -1)), "-"),
    ],
)
def test_each_event_is_the_fact_it_shows(events: tuple[kernel.Event, ...], facts: str) -> None:
    assert format_action(judge(hand_made(*events))) == facts


# -- simulated strokes ---------------------------------------------------------------------------

FROZEN = Position(Point(400, 700), Point(400, 700 + 2 * R), Point(1000, 2300))
"""The cue ball frozen to the object ball, which lies straight above it."""


@pytest.mark.parametrize(
    ("aim", "foul"), [(90.0, True), (60.0, True), (120.0, True), (-90.0, False), (0.0, False), (200.0, False)]
)
def test_played_into_the_frozen_ball_is_a_foul_and_away_from_it_is_none(aim: float, foul: bool) -> None:
    stroke = judge(simulate(FROZEN, Cue(2.0, aim)))
    assert [format_action(stroke).split().count("!contact")] == [int(foul)]
    for book in BOOKS:
        assert ("contact" in rule(stroke, book=book).fouls) is foul


def test_played_into_the_frozen_cushion_is_a_foul_and_along_it_is_none() -> None:
    lying = Position(Point(R, 1000), Point(700, 400), Point(1000, 2300))
    assert facts_of(lying, Cue(1.0, 180.0)).startswith("- | !contact")
    assert "!contact" not in facts_of(lying, Cue(1.0, 90.0))
    assert "!contact" not in facts_of(lying, Cue(1.0, 30.0))


LEANT_ON = Point(710.0, 1354.0 - 30.0)
"""A ball on which the bottom pin, still on its seat, leans."""
LEANING = ((Pin.BOTTOM, TABLE.seat(Pin.BOTTOM)),)


def test_a_pin_that_leaned_on_the_cue_ball_falls_as_it_leaves() -> None:
    lying = Position(LEANT_ON, Point(400, 700), Point(1000, 2300), displaced=LEANING)
    stroke = judge(simulate(lying, Cue(0.6, -100.0)))
    assert format_action(stroke) == "- l/3 |"
    assert (rule(stroke, book=UMB_1997).points, rule(stroke, book=FIBIS_2022).points) == (2, 4)
    assert rule(stroke, book=FIBIS_2022).fouls == ("pins",)


def test_a_pin_that_leaned_on_the_object_ball_counts() -> None:
    lying = Position(Point(400, 1324), LEANT_ON, Point(1000, 2300), displaced=LEANING)
    stroke = judge(simulate(lying, Cue(1.0, 0.0)))
    assert format_action(stroke).startswith("o o/3")
    assert rule(stroke).points == 2
    assert rule(stroke).to is Receiver.STRIKER


def test_pins_that_are_absent_are_off() -> None:
    bare = replace(START, standing=frozenset({Pin.TOP, Pin.RIGHT, Pin.CENTRE}))
    stroke = judge(simulate(bare, Cue(3.0, 90.0)))
    assert stroke.off == (Pin.BOTTOM, Pin.LEFT)
    assert format_action(stroke).startswith("off/34 c/15 r")


def test_a_stroke_that_was_cut_short_is_not_ruled() -> None:
    short = replace(STANDARD, most_events=12)
    tables, shots = batch().tables[:200], batch().shots[:200]
    outcomes = simulate_many(tables, shots, short)
    rulings = rule_many(outcomes)
    cut = np.flatnonzero(outcomes.flagged)
    assert 0 < len(cut) < 200
    assert not rulings.points[cut].any()
    assert not rulings.to[cut].any()
    assert not rulings.ball_in_hand[cut].any()
    trace = simulate(position_of(tables[cut[0]].tolist()), Cue(*shots[cut[0]].tolist()), short)
    with pytest.raises(SimulationError, match="cut short"):
        judge(trace)
    whole = rule_many(simulate_many(tables, shots))
    kept = ~outcomes.flagged
    assert (rulings.points[kept] == whole.points[kept]).all()


# -- many strokes, both ways ---------------------------------------------------------------------


def test_the_facts_of_a_batch_are_those_of_its_traces() -> None:
    strokes, which = judge_many(batch().outcomes)
    assert len(which) == len(batch().traces) >= 3000
    for trace, number in zip(batch().traces, which, strict=True):
        assert canonical(judge(trace)) == canonical(strokes[number]), (trace.position, trace.cue)
    assert any("!contact" in format_action(stroke) for stroke in strokes)
    assert any("l/" in format_action(stroke) for stroke in strokes)


def touches_red_again(stroke: Stroke) -> bool:
    """Whether the red was met before the object ball was, and once more after it, in the same way."""
    contacts = [fact for fact in stroke.facts if isinstance(fact, Contact)]
    if Contact.CUE_OBJECT not in contacts:
        return False
    first = contacts.index(Contact.CUE_OBJECT)
    again = next((contact for contact in contacts[first:] if contact is not Contact.CUE_OBJECT), None)
    return again in contacts[:first]


@pytest.mark.parametrize("occasion", Occasion, ids=lambda occasion: occasion.value)
@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_a_batch_is_ruled_like_its_strokes_one_by_one(book: Rulebook, occasion: Occasion) -> None:
    rulings = rule_many(batch().outcomes, occasion, book)
    signs = {Receiver.STRIKER: 1, Receiver.OPPONENT: -1, None: 0}
    pure = [
        (number, rule(stroke, occasion, book)) for number, stroke in enumerate(map(judge, batch().traces))
    ]
    assert len(pure) >= 3000
    numbers = [number for number, _ in pure]
    assert rulings.points[numbers].tolist() == [ruling.points for _, ruling in pure]
    assert rulings.to[numbers].tolist() == [signs[ruling.to] for _, ruling in pure]
    assert rulings.ball_in_hand[numbers].tolist() == [ruling.ball_in_hand for _, ruling in pure]
    assert len({ruling.signed for _, ruling in pure}) > 12  # else these strokes show nothing


def test_the_red_met_first_and_again_after_the_object_ball_is_ruled_alike() -> None:
    rulings = rule_many(batch().outcomes)
    strokes = [(number, judge(trace)) for number, trace in enumerate(batch().traces)]
    again = [(number, stroke) for number, stroke in strokes if touches_red_again(stroke)]
    assert again
    assert [rulings.points[number] for number, _ in again] == [rule(stroke).points for _, stroke in again]


def test_every_judged_stroke_can_have_happened_and_is_written_and_read() -> None:
    for trace in batch().traces:
        stroke = judge(trace)
        assert stroke.problems() == []
        assert parse_stroke(format_action(stroke)) == stroke


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_what_the_referee_leaves_is_a_position_to_play_from(book: Rulebook) -> None:
    for trace in batch().traces:
        ruling = rule(judge(trace), book=book)
        placed = settle(trace, ruling, book)
        lying = placed.position
        assert lying.problems() == [], (trace.position, trace.cue)
        assert (placed.hand is not None) is ruling.ball_in_hand
        for pin in set(PINS) - lying.standing:
            near = [place.distance(TABLE.seat(pin)) for _, place in lying.balls()]
            near += [place.distance(TABLE.seat(pin)) for _, place in lying.displaced]
            assert min(near) < R + TABLE.pin_base, f"pin {pin.value} is off, and nothing lies there"


# -- symmetry ------------------------------------------------------------------------------------

SWAPPED = {Pin.LEFT: Pin.RIGHT, Pin.RIGHT: Pin.LEFT}


def mirrored_position(position: Position) -> Position:
    """Left and right exchanged."""

    def across(place: Point | None) -> Point | None:
        return None if place is None else Point(TABLE.width - place.x, place.y)

    return replace(
        position, white=across(position.white), yellow=across(position.yellow), red=across(position.red)
    )


def mirrored_stroke(stroke: Stroke) -> Stroke:
    """The facts with the left and the right pin exchanged."""
    return replace(
        stroke,
        facts=tuple(
            replace(fact, pins=tuple(sorted(SWAPPED.get(pin, pin) for pin in fact.pins)))
            if isinstance(fact, Pins)
            else fact
            for fact in stroke.facts
        ),
    )


def test_the_mirrored_stroke_has_the_mirrored_facts() -> None:
    changed = 0
    for trace in batch().traces[:600]:
        cue, stroke = trace.cue, judge(trace)
        mirror = simulate_compiled(
            mirrored_position(trace.position), replace(cue, aim=180.0 - cue.aim, side=-cue.side)
        )
        assert judge(mirror) == mirrored_stroke(stroke)
        changed += stroke != mirrored_stroke(stroke)
    assert changed > 30  # left and right pins did fall


def test_it_is_all_the_same_which_colour_is_struck() -> None:
    for trace in batch().traces[:300]:
        lying = trace.position
        other = replace(lying, white=lying.yellow, yellow=lying.white)
        stroke = judge(trace)
        played = simulate_compiled(other, trace.cue, striker=Colour.YELLOW)
        assert judge(played) == stroke
        placed, swapped = (settle(one, rule(stroke)).position for one in (trace, played))
        assert (placed.white, placed.yellow, placed.red) == (swapped.yellow, swapped.white, swapped.red)
