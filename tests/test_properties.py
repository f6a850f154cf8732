"""Laws that hold for every stroke and every match, looked for by Hypothesis over `fivepins.testing`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from fivepins.errors import IllegalEvent
from fivepins.events import (
    AwardSet,
    Decision,
    End,
    Event,
    Extra,
    Fix,
    Good,
    How,
    Lag,
    LagForfeit,
    LagRepeat,
    Late,
    Lost,
    Note,
    Pause,
    PauseRefused,
    Penalty,
    Place,
    Protest,
    RefereeChange,
    Resume,
    Score,
    SetResult,
    SetStart,
    Suspend,
    Swap,
    Terms,
    Turn,
    Undo,
)
from fivepins.lines import Line, format_line, parse_line
from fivepins.match import NEVER_UNDONE, WORD, Phase, State, replay
from fivepins.notation import Header, Record, format_record, parse_file
from fivepins.rulebook import RULEBOOKS, Adding, Rulebook
from fivepins.rules import CASIN, LONE_CENTRE, Occasion, Receiver, Ruling, reachable, rule
from fivepins.sets import ruled
from fivepins.stroke import Cause, Contact, Pins, Stroke
from fivepins.table import Ball, Pair, Pin, Side
from fivepins.testing import Match, actions, events, matches, strokes, terms
from fivepins.tokens import format_action, parse_action

GOLDEN = Path(__file__).parent / "golden" / "strokes.tsv"
OUTER = (Pin.TOP, Pin.RIGHT, Pin.BOTTOM, Pin.LEFT)

# Where facts are added to a drawn stroke, many of the results cannot have happened and are passed over.
every_stroke = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
every_match = settings(max_examples=60, deadline=None)

# -- strokes -------------------------------------------------------------------------------------


class Case(NamedTuple):
    """A stroke, and where it was played."""

    stroke: Stroke
    occasion: Occasion
    book: Rulebook

    def rule(self, stroke: Stroke | None = None) -> Ruling:
        """The ruling on this stroke, or on another in its place."""
        return rule(self.stroke if stroke is None else stroke, self.occasion, self.book)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    book = draw(st.sampled_from(tuple(RULEBOOKS.values())))
    book = replace(book, adding=draw(st.sampled_from(Adding)))
    return Case(draw(strokes(book)), draw(st.sampled_from(Occasion)), book)


@every_stroke
@given(cases())
def test_a_foul_gives_the_striker_nothing(case: Case) -> None:
    ruling = case.rule()
    if ruling.offences:
        assert ruling.to is not Receiver.STRIKER
        assert ruling.signed <= 0
    elif case.occasion is Occasion.ORDINARY and not case.stroke.sideways:
        assert ruling.to is not Receiver.OPPONENT
    assert (ruling.to is None) == (ruling.points == 0)
    assert not ruling.ball_in_hand or ruling.offences


@every_stroke
@given(cases())
def test_awards_sum_to_the_total_and_cite_their_articles(case: Case) -> None:
    ruling = case.rule()
    assert sum(award.points for award in ruling.awards) == ruling.points
    for award in ruling.awards:
        assert award.points > 0
        assert re.fullmatch(r"(22\.[12][a-c]|61\.\d+|43\.5|44\.3|47|21\.2)", award.article), award
    for offence in ruling.offences:
        assert re.fullmatch(r"61\.([2-9]|1[0-8])|43\.5|44\.3|47|21\.2", offence.article), offence


@every_stroke
@given(cases())
def test_the_total_is_odd_exactly_when_a_casin_was_paid_as_three(case: Case) -> None:
    ruling = case.rule()
    casins = [award for award in ruling.awards if award.reason == CASIN]
    assert ruling.points % 2 == len(casins)
    assert all(award.points == 3 for award in casins)


@every_stroke
@given(cases(), st.data())
def test_one_more_outer_pin_adds_two_except_beside_a_lone_centre(case: Case, data: st.DataObject) -> None:
    """Beside a lone centre pin the total falls: 8 (or 10) becomes 4 + 2."""
    assume(not any(isinstance(fact, Pins) and fact.upright for fact in case.stroke.facts))
    named = {felled for fact in case.stroke.facts if isinstance(fact, Pins) for felled in fact.pins}
    standing = [pin for pin in OUTER if pin not in named and pin not in case.stroke.off]
    assume(standing)
    fall = Pins((data.draw(st.sampled_from(standing)),))
    longer = replace(case.stroke, facts=(*case.stroke.facts, fall))
    assume(not longer.problems())
    before, after = case.rule(), case.rule(longer)
    alone = any(award.reason == LONE_CENTRE for award in before.awards)
    assert after.points - before.points == (4 + 2 - case.book.lone_centre if alone else 2)
    assert (after.fouls, after.ball_in_hand) == (before.fouls, before.ball_in_hand)


@every_stroke
@given(
    cases(),
    st.sampled_from([Contact.CUE_RED, Contact.OBJECT_RED]),
    st.sampled_from(Contact),
    st.integers(2, 9),
)
def test_once_a_cannon_is_counted_later_contacts_change_nothing(
    case: Case, first: Contact, later: Contact, place: int
) -> None:
    facts = (Contact.CUE_OBJECT, first, *case.stroke.facts)
    shorter = replace(case.stroke, facts=facts, played=True)
    longer = replace(shorter, facts=(*facts[:place], later, *facts[place:]))
    assume(not shorter.problems() and not longer.problems())
    assert case.rule(longer) == case.rule(shorter)


@every_stroke
@given(cases(), st.sampled_from(list(permutations(OUTER))))
def test_mirrored_and_rotated_outer_pins_rule_the_same(case: Case, order: tuple[Pin, ...]) -> None:
    turned = dict(zip(OUTER, order, strict=True))

    def turn(pins: tuple[Pin, ...]) -> tuple[Pin, ...]:
        return tuple(sorted(turned.get(pin, pin) for pin in pins))

    facts = tuple(
        replace(fact, pins=turn(fact.pins)) if isinstance(fact, Pins) else fact for fact in case.stroke.facts
    )
    mirrored = replace(case.stroke, facts=facts, off=turn(case.stroke.off))
    assert case.rule(mirrored) == case.rule()


@every_stroke
@given(cases())
def test_uncounted_pins_change_nothing(case: Case) -> None:
    """43.4, 43.5, 43.7: what the book does not count is as if it had not been written."""
    uncounted = [
        fact
        for fact in case.stroke.facts
        if isinstance(fact, Pins)
        and (
            fact.cause is Cause.UNRELATED
            or (fact.cause is Cause.LEANING and not case.book.leaning_counts)
            or (fact.upright and not case.book.upright_counts)
        )
    ]
    without = replace(case.stroke, facts=tuple(f for f in case.stroke.facts if f not in uncounted))
    assert case.rule(without) == case.rule()


@every_stroke
@given(st.sampled_from(tuple(RULEBOOKS.values())).flatmap(actions))
def test_actions_are_written_and_read_back(action: Stroke) -> None:
    text = format_action(action)
    assert parse_action(text) == action
    assert format_action(parse_action(text)) == text


# -- reachable totals ----------------------------------------------------------------------------


def enumerated() -> Iterator[tuple[Rulebook, Occasion, Receiver, bool, int]]:
    """Every outcome of the enumeration, from the golden table that test_perft keeps true."""
    for line in GOLDEN.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or "\timpossible\t" in line:
            continue
        rules, adding, occasion, _, to, points, hand, _ = line.split("\t")
        book = replace(RULEBOOKS[rules], adding=Adding(adding))
        receiver = Receiver.STRIKER if to == "nobody" else Receiver(to)
        yield book, Occasion(occasion), receiver, hand == "y", int(points)


def test_reachable_totals_hold_every_total_of_the_enumeration() -> None:
    missing = [
        (book.id, book.adding, occasion, to, hand, points)
        for book, occasion, to, hand, points in enumerated()
        if points not in reachable(book, to, occasion, hand=hand)
    ]
    assert not missing


@pytest.mark.parametrize("occasion", Occasion)
@pytest.mark.parametrize("rules", RULEBOOKS)
def test_reachable_fair_totals_are_those_of_the_enumeration(rules: str, occasion: Occasion) -> None:
    book = RULEBOOKS[rules]
    shown = {
        points
        for seen, when, to, hand, points in enumerated()
        if seen == book and when is occasion and to is Receiver.STRIKER and not hand
    }
    assert reachable(book, Receiver.STRIKER, occasion, hand=False) == shown
    if book.opening_scores or occasion is Occasion.ORDINARY:
        assert shown == {0, *range(2, 17)}, "never 1"
    assert not reachable(book, Receiver.STRIKER, occasion, hand=True)


@every_stroke
@given(cases())
def test_every_total_is_reachable(case: Case) -> None:
    ruling = case.rule()
    to = ruling.to or Receiver.STRIKER
    assert ruling.points in reachable(case.book, to, case.occasion, hand=ruling.ball_in_hand)


# -- matches -------------------------------------------------------------------------------------


def played(match: Match) -> State:
    """The state a match comes to, none of it refused."""
    reached = replay(match.terms, match.events)
    assert not reached.faults
    return reached.state


def swapped(event: Event) -> Event:
    """The event with the sides exchanged."""
    values: dict[str, Any] = {}
    for field in fields(event):
        value = getattr(event, field.name)
        if isinstance(value, Side):
            values[field.name] = value.other
        elif isinstance(value, Pair):
            values[field.name] = value.swap()
    return replace(event, **values)


def seen_from_a(state: State) -> tuple[object, ...]:
    """What a score sheet shows, A first."""
    return (
        state.phase,
        state.score,
        state.sets_won,
        state.winner,
        state.to_play,
        state.situation,
        state.colours,
        state.match_points,
        state.set_points,
        state.extra_left,
        state.next_opener,
        tuple((one.score, one.winner, one.closing) for one in state.sets),
    )


def seen_from_b(state: State) -> tuple[object, ...]:
    """The same sheet with the sides exchanged."""
    return tuple(map(_other_way, seen_from_a(state)))


def _other_way(value: object) -> object:
    if isinstance(value, Side):
        return value.other
    if isinstance(value, Pair):
        return value.swap()
    if type(value) is tuple:
        return tuple(map(_other_way, value))
    return value


@every_match
@given(matches())
def test_swapping_the_sides_swaps_the_results(match: Match) -> None:
    agreed = match.terms
    other = replace(
        agreed, players=agreed.players.swap(), distance=agreed.distance.swap(), start=agreed.start.swap()
    )
    mirrored = played(Match(other, tuple(map(swapped, match.events))))
    assert seen_from_a(mirrored) == seen_from_b(played(match))


@every_match
@given(matches())
def test_every_prefix_of_a_legal_log_is_legal_and_leads_there(match: Match) -> None:
    state = State.start(match.terms)
    for count, event in enumerate(match.events):
        assert replay(match.terms, match.events[:count]) == (state, (), True)
        state = state.then(event)
    in_force = [event for event in state.log if not isinstance(event, NEVER_UNDONE)]
    again = replay(match.terms, in_force).state
    assert replace(again, log=state.log) == state, "the state is the fold of the events in force"


@every_match
@given(matches())
def test_a_match_is_written_and_read_back(match: Match) -> None:
    text = [format_line(Line(event)) for event in match.events]
    assert [parse_line(line).event for line in text] == list(match.events)
    assert [format_line(parse_line(line)) for line in text] == text
    record = Record(headers_of(match.terms), tuple(map(Line, match.events)), match.terms)
    whole = format_record(record)
    parsed = parse_file(whole)
    assert not parsed.problems
    assert parsed.records == (record,)
    assert parsed.records[0].terms == match.terms
    assert format_record(parsed.records[0]) == whole


def headers_of(agreed: Terms) -> tuple[Header, ...]:
    """The head of a file with these terms."""
    distance = f"{agreed.distance.a}/{agreed.distance.b}"
    values = {
        "A": agreed.players.a,
        "B": agreed.players.b,
        "Rules": agreed.book.id,
        "Distance": distance,
        "Start": f"{agreed.start.a}-{agreed.start.b}",
        "Sets": str(agreed.sets) if agreed.sets else None,
        "Clock": f"{agreed.clock[0]}+{agreed.clock[1]}" if agreed.clock else None,
        "Result": "*",
    }
    return tuple(Header(key, value) for key, value in values.items() if value is not None)


@every_match
@given(matches(), st.data())
def test_an_undo_gives_back_the_state_before_whatever_was_said_meanwhile(
    match: Match, data: st.DataObject
) -> None:
    state = played(match)
    event = data.draw(events(state))
    assume(not isinstance(event, (Undo, *NEVER_UNDONE)))
    after = _tried(state, event)
    assume(after is not None)
    assert after is not None
    assert after.then(Undo("a slip")) == state
    said = after.then(Note("meanwhile")).then(Undo("a slip"))
    assert said == state.then(Note("meanwhile"))
    assert said.then(event).score == after.score, "redo is the line written again"


@pytest.mark.parametrize("kept", [RefereeChange("Anna Verdi"), Note("late"), Decision("played on")])
def test_an_undo_passes_over_words_wherever_they_stand(kept: Event) -> None:
    """A "good" said by slip is taken back although the referee has changed since (26)."""
    state = State.start(Terms(distance=Pair(2, 2), sets=3)).then(SetStart(1, Side.A))
    state = state.then(Turn(1, Side.A, Stroke((Contact.CUE_OBJECT, Pins((Pin.TOP,))))))
    closed = state.then(Good(Side.A, Pair(2, 0)))
    reopened = closed.then(kept).then(Undo("said too early"))
    assert (reopened.phase, reopened.score, reopened.set) == (Phase.DISTANCE, Pair(2, 0), state.set)
    assert reopened.log == (*state.log, kept)


def test_an_undo_passes_over_a_score_line_wherever_it_stands() -> None:
    state = State.start(Terms()).then(SetStart(1, Side.A)).then(Score(Pair(0, 0)))
    before = state.then(Undo("the wrong table"))
    assert (before.phase, before.sets) == (Phase.LAG, ())


def _tried(state: State, event: Event) -> State | None:
    try:
        return state.then(event)
    except IllegalEvent:
        return None


@every_match
@given(matches())
def test_undoing_everything_leads_back_to_the_start(match: Match) -> None:
    state = played(match)
    while any(not isinstance(event, NEVER_UNDONE) for event in state.log):
        shorter = state.then(Undo("further back"))
        assert len(shorter.log) == len(state.log) - 1
        state = shorter
    assert replace(state, log=()) == State.start(match.terms)
    with pytest.raises(IllegalEvent, match="nothing to undo"):
        state.then(Undo("once more"))


@settings(max_examples=150, deadline=None)
@given(matches(), st.data())
def test_a_fix_is_the_match_typed_rightly_from_the_start(match: Match, data: st.DataObject) -> None:
    """Wherever the match could have gone on as it did; who had ball in hand afterwards stays as played."""
    state = played(match)
    turns = [one for one in state.sets[-1].turns if isinstance(one.turn.action, Stroke)] if state.set else []
    assume(turns and state.phase in (Phase.PLAY, Phase.DISTANCE))
    old = data.draw(st.sampled_from(turns))
    book, number = match.terms.book, old.turn.number
    action = data.draw(strokes(book, spot=old.before.ball_in_hand and old.before.may_spot))
    typed = _typed(state, number, action)
    event = Fix(number, action, reason="seen wrongly")
    fixed = _tried(state, event)
    if fixed is None:
        assert typed is None, "a fix is refused only where the match could not have gone that way"
        return
    assert fixed.sets[-1].turns[number - 1].ruling == ruled(
        action, event.marks, old.before, book, rescored=False
    )
    if typed is None:
        return
    one, other = fixed.sets[-1], typed.sets[-1]
    assert (one.score, one.ledger, one.to_play, one.late) == (
        other.score,
        other.ledger,
        other.to_play,
        other.late,
    )
    assert [(p.turn.action, p.ruling) for p in one.turns] == [(p.turn.action, p.ruling) for p in other.turns]
    assert fixed.phase is typed.phase
    if number == len(one.turns):
        assert one.next == other.next
    assert fixed.then(Undo("it was right")) == state


def _typed(state: State, number: int, action: Stroke) -> State | None:
    """The same match with another action in one turn of the open set; None where it cannot go on so."""
    first = max(place for place, event in enumerate(state.log) if isinstance(event, SetStart))
    typed: State | None = State.start(state.terms)
    for place, event in enumerate(state.log):
        if isinstance(event, Score) or typed is None:
            continue
        here = place > first and isinstance(event, Turn | Fix) and event.number == number
        if here and isinstance(event, Fix):
            continue
        if here and isinstance(event, Turn):
            event = replace(event, action=action, marks=replace(event.marks, check=None))  # noqa: PLW2901
        typed = _tried(typed, event)
    return typed


@every_match
@given(matches())
def test_nobody_exceeds_the_distance_and_one_wins_at_most(match: Match) -> None:
    state = State.start(match.terms)
    for event in match.events:
        state = state.then(event)
        assert all(left >= 0 for left in state.missing)
        assert state.sets_won.a + state.sets_won.b <= (match.terms.sets or 1)
        assert min(state.sets_won) < match.terms.majority
        assert state.is_over or state.winner is None
        for one in state.sets:
            assert (one.winner is None) == one.is_open
            assert sum(one.score[side] >= match.terms.distance[side] for side in Side) <= 1
        assert [one.is_open for one in state.sets[:-1]] == [False] * (len(state.sets) - 1)
        openers = [one.opener for one in state.sets]
        for before, after in pairwise(openers):
            assert before is None or after in (None, before.other), "25.7"


NOT_AT_THE_END: tuple[Event, ...] = (
    Lag(Side.A),
    LagRepeat(),
    LagForfeit(Side.B),
    SetStart(1, Side.A),
    SetStart(2, Side.B),
    Turn(1, Side.A, Stroke((Contact.CUE_OBJECT,))),
    Turn(2, Side.B, Lost()),
    Late(Side.A),
    Extra(Side.B),
    Fix(1, Stroke((Contact.CUE_OBJECT,))),
    Score(Pair(0, 0)),
    Good(Side.A, Pair(5, 0)),
    AwardSet(Side.A, "x"),
    SetResult(2, Side.A, Pair(5, 0)),
    Penalty(Side.A, 2, hand=False, reason="x"),
    Pause(300),
    PauseRefused(Side.A),
    Suspend("x"),
    Resume(),
    Place("start", "x"),
    Swap("x"),
    RefereeChange("x"),
    End(Side.A, How.LEFT, "x"),
)


def test_the_events_refused_at_the_end_are_all_but_words_and_undo() -> None:
    assert {type(event) for event in NOT_AT_THE_END} | {Note, Decision, Protest, Undo} == {
        *WORD,
        SetStart,
        SetResult,
        Turn,
    }


@every_match
@given(matches(), st.sampled_from(Side), st.sampled_from(How))
def test_after_the_end_only_words_and_an_undo_may_follow(match: Match, side: Side, how: How) -> None:
    state = played(match)
    if not state.is_over:
        ended = _tried(state, End(side, how, "enough"))
        assume(ended is not None)
        assert ended is not None
        state = ended
    assert state.phase is Phase.OVER
    for event in NOT_AT_THE_END:
        with pytest.raises(IllegalEvent, match="nothing but a note"):
            state.then(event)
    for word in (Note("late finding"), Decision("noted", "the delegate"), Protest(side, "the pin stood")):
        assert state.then(word).winner is state.winner
    assert not state.then(Undo("said too early")).is_over


@every_match
@given(terms())
def test_drawn_terms_can_be_played_on(agreed: Terms) -> None:
    assert not agreed.problems()
    state = State.start(agreed).then(SetStart(1, Side.B))
    assert (state.to_play, state.score, state.phase) == (Side.B, agreed.start, Phase.PLAY)


@every_match
@given(matches())
def test_a_check_that_is_wrong_is_found_and_only_that(match: Match) -> None:
    """The state after a turn with a wrong check is refused, and `unverified` takes its facts."""
    state = State.start(match.terms)
    for event in match.events:
        if isinstance(event, Turn) and isinstance(event.action, Stroke):
            right = state.unverified(event).sets[-1].turns[-1].ruling
            assert right is not None
            wrong = replace(event, marks=replace(event.marks, check=right.signed + 1))
            with pytest.raises(IllegalEvent, match="check says"):
                state.then(wrong)
            assert state.unverified(wrong).score == state.unverified(event).score
        state = state.then(event)


def test_the_cue_ball_in_the_pins_is_the_only_foul_without_ball_in_hand() -> None:
    own = rule(Stroke((Contact.CUE_OBJECT, Pins((Pin.TOP,), Ball.CUE))))
    assert (own.fouls, own.ball_in_hand, own.signed) == (("own-pins",), False, -2)
