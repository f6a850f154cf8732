"""Faults that other scoring software was reported to have, each as a test that they cannot happen here.

The numbers are those of the list of reports the project was begun with. Here stands what concerns the rules
and the fold of a match; desk, server and paper have their own share where they are tested.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import reduce

import pytest
from hypothesis import given, settings

from fivepins.errors import IllegalEvent
from fivepins.events import (
    End,
    Event,
    Fix,
    Good,
    How,
    Lag,
    Late,
    Lost,
    Note,
    Resume,
    SetStart,
    Suspend,
    Terms,
    Turn,
    Undo,
    Unrecorded,
)
from fivepins.lines import parse_event
from fivepins.match import NEVER_UNDONE, Phase, State, replay
from fivepins.rulebook import FIBIS_2022, UMB_1997, Rulebook
from fivepins.rules import Receiver
from fivepins.stats import DEFINITIONS, Figures, of_match
from fivepins.stroke import Stroke
from fivepins.table import Colour, Pair, Side
from fivepins.testing import Match, matches
from fivepins.tokens import format_action, parse_stroke

SHORT = Terms(distance=Pair(8, 8), sets=3, clock=(40, 20))


def after(terms: Terms, *lines: str) -> State:
    """The state after these lines of notation."""
    return on(State.start(terms), *lines)


def on(state: State, *lines: str) -> State:
    """The state after some more lines."""
    return reduce(State.then, map(parse_event, lines), state)


def fold(state: State) -> State:
    """The state computed anew from the events in force."""
    return replay(state.terms, state.log).state


# -- undo and correction -------------------------------------------------------------------------


def test_b01_undoing_the_start_of_a_set_leads_back_to_the_break() -> None:
    """The pause after set 1: no clock runs, and the same side is to open."""
    pause = after(SHORT, "lag A", "set 1 B", "1. B o /5", "good B 0-8")
    started = on(pause, "set 2 A")
    assert started.limit is not None
    back = on(started, 'undo "not yet"')
    assert back == pause
    assert (back.phase, back.limit, back.to_play) == (Phase.BETWEEN, None, None)
    assert back.next_opener is Side.A
    assert on(back, "set 2 A") == started
    with pytest.raises(IllegalEvent, match="opened by A"):
        on(back, "set 2 B")


POOL = [
    parse_stroke(text)
    for text in (
        "o", "-", "o /1", "o /13", "o r", "o o-r /5", "o /5", "o r /1234", "r", "r o", "r /4 o", "c/2 o",
        "o c/2", "o r /1 c/2", "o c^", "o o^", "o !foot", "o r !touched.12", "x !touched", "x c/1 !motion",
        "off/1 o /25", "o u/3 /3", "o /..", "| o o| r",
    )
]  # fmt: skip


class Scribble:
    """One random sequence of strokes, fouls, limits, undo, redo and corrections."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        distance = chance.choice([6, 12, 30])
        book = chance.choice([UMB_1997, FIBIS_2022])
        terms = Terms(book=book, distance=Pair(distance, distance), sets=chance.choice([None, 3]))
        self.state = State.start(terms)
        self.undone: list[Event] = []
        self.done: Counter[str] = Counter()

    def step(self) -> None:
        """One more event, whichever."""
        kind = self.chance.choices(["on", "undo", "redo", "correct"], [9, 4, 8, 4])[0]
        if kind == "undo" and self.state.log:
            self.undone.append(self.state.log[-1])
            self.state = self.state.then(Undo("a slip"))
        elif kind == "redo" and self.undone:
            self.state = self.state.then(self.undone.pop())
        else:
            if kind == "correct" and self.state.phase in (Phase.PLAY, Phase.DISTANCE):
                events = self.corrections()
            else:
                kind, events = "on", list(allowed(self.state))
            if not events:
                return
            self.state = self.state.then(self.chance.choice(events))
            self.undone.clear()
        self.done[kind] += 1

    def corrections(self) -> list[Event]:
        """A correction of a random turn, if the referee may make it."""
        turns = [one for one in self.state.sets[-1].turns if isinstance(one.turn.action, Stroke)]
        if not turns:
            return []
        event = Fix(self.chance.choice(turns).turn.number, self.chance.choice(POOL), reason="seen wrongly")
        try:
            self.state.then(event)
        except IllegalEvent as error:
            if "before what follows" not in error.message:
                raise
            return []
        return [event]


def allowed(state: State) -> Iterator[Event]:
    """Events that the phase allows, whatever has gone before."""
    one = state.set
    if state.phase is Phase.PLAY and one is not None:
        number, side = len(one.turns) + 1, one.to_play
        yield Turn(number, side, POOL[number * 7 % len(POOL)])
        yield Turn(number, side, POOL[(number * 5 + sum(state.score)) % len(POOL)])
        yield Turn(number, side, Lost()) if one.late else Late(side)
        yield Suspend("the lamp is out")
    elif state.phase is Phase.SUSPENDED:
        yield Resume()
    elif state.phase is Phase.DISTANCE and one is not None:
        winner = one.reached(state.terms)
        assert winner is not None
        yield Good(winner, state.score)
    elif state.phase in (Phase.LAG, Phase.BETWEEN):
        yield SetStart(len(state.sets) + 1, state.next_opener or Side.A)


def test_b02_no_button_is_dead_after_any_sequence_of_corrections() -> None:
    """2,000 sequences: every event that the phase allows is taken, and the state is the fold of its log."""
    done: Counter[str] = Counter()
    phases: Counter[Phase] = Counter()
    for seed in range(2_000):
        scribble = Scribble(random.Random(seed))
        for _ in range(14):
            scribble.step()
            state = scribble.state
            phases[state.phase] += 1
            for event in (*allowed(state), Note("at any time")):
                assert state.then(event).log[-1] == event
            if state.log:
                shorter = state.then(Undo("a slip"))
                assert shorter.log == state.log[:-1]
        assert fold(scribble.state) == scribble.state
        done += scribble.done
    assert set(phases) == set(Phase)
    assert min(done.values()) > 1_000, done


def test_b03_the_very_first_event_can_be_undone_once() -> None:
    for first in ("lag A", "lag repeat", "set 1 B", "result 1 A 8-2"):
        state = on(after(SHORT, first), 'undo "wrong table"')
        assert state == State.start(SHORT)
        with pytest.raises(IllegalEvent, match="nothing to undo"):
            on(state, 'undo "again"')


COURSE = ("1. A o /1", "2. B r", "3. A o", "4. B o r", "5. A o c/3", "6. B -", "7. A o /13 {}", "8. B o /2")


@pytest.mark.parametrize("book", [UMB_1997, FIBIS_2022], ids=lambda book: book.id)
@pytest.mark.parametrize("right", ["", "!tip", "!touched.12", "!foot !tip", "c^", "c/4"])
def test_b04_a_corrected_foul_is_what_it_would_have_been_when_typed(book: Rulebook, right: str) -> None:
    """Only the kind of foul of stroke 7 changes; nothing but the log tells the two matches apart."""
    terms = Terms(book=book)
    typed = after(terms, "set 1 A", *(line.format(right).rstrip() for line in COURSE))
    wrong = after(terms, "set 1 A", *(line.format("!foot") for line in COURSE))
    fixed = on(wrong, f'fix 7 {"o /13 " + right} "another foul"'.replace('  "', ' "'))
    rulings = [one.ruling for one in fixed.sets[0].turns]
    assert rulings == [one.ruling for one in typed.sets[0].turns]
    assert (fixed.score, fixed.set and fixed.set.ledger) == (typed.score, typed.set and typed.set.ledger)
    assert (fixed.situation, fixed.to_play) == (typed.situation, typed.to_play)
    last = after(terms, "set 1 A", *(line.format("!foot") for line in COURSE[:7]))
    corrected = on(last, f'fix 7 {"o /13 " + right} "another foul"'.replace('  "', ' "'))
    same = after(terms, "set 1 A", *(line.format(right).rstrip() for line in COURSE[:7]))
    assert replace(corrected, log=()) == replace(same, log=()), "also who has ball in hand"


def test_b04_a_correction_is_cut_at_the_distance_as_a_first_entry_is() -> None:
    typed = after(SHORT, "set 1 A", "1. A o /5 r")
    fixed = on(after(SHORT, "set 1 A", "1. A o /1"), 'fix 1 o /5 r "the centre pin"')
    assert fixed.score == typed.score == Pair(8, 0)
    assert fixed.phase is typed.phase is Phase.DISTANCE
    assert fixed.expected == typed.expected


LONG_COURSE = (
    "lag A", "set 1 B", "1. B o", "2. A r", "late B", "3. B spot o /1", "4. A o !foot", "good B 2-8",
    "set 2 A", "1. A o c^", "late B", "2. B lost", "late A", "3. A r", "good B 4-8",
)  # fmt: skip


def test_b06_an_undo_over_a_set_end_restores_everything() -> None:
    """Totals, sets, opener, ball in hand and time limit, step by step, deep-equal with what had been."""
    states = [State.start(SHORT)]
    for line in LONG_COURSE:
        states.append(on(states[-1], line))
    assert (states[-1].winner, len(states[-1].sets)) == (Side.B, 2)
    assert any(state.ball_in_hand for state in states)
    assert {state.limit.period for state in states if state.limit} == {"first", "second"}
    back = states[-1]
    for state in reversed(states[:-1]):
        back = back.then(Undo("one more"))
        assert back == state
        for name in ("limit", "ball_in_hand", "next_opener", "sets_won", "score", "colours", "pause"):
            assert getattr(back, name) == getattr(state, name), name


def counted(state: State) -> Pair[Figures]:
    """Part of the figures, counted from the turns one by one."""
    sides = {side: Counter[str]() for side in Side}
    fouls = {side: Counter[str]() for side in Side}
    for one in state.sets:
        for side in Side:
            sides[side]["points"] += one.score[side] - state.terms.start[side]
            sides[side]["conceded"] += one.score[side.other] - state.terms.start[side.other]
        for played in one.turns:
            action, own = played.turn.action, sides[played.turn.side]
            text = format_action(action)
            own["lost"] += text == "lost"
            own["unrecorded"] += text == "?"
            own["strokes"] += text != "lost" and text.split(" ")[0] != "x"
            if played.ruling is None:
                continue
            own["given"] += played.ruling.points if played.ruling.to is Receiver.OPPONENT else 0
            fouls[played.turn.side].update(played.ruling.fouls)
            if played.ruling.to is Receiver.STRIKER:
                own["best"] = max(own["best"], played.ruling.points)
                reasons = Counter(award.reason for award in played.ruling.awards)
                own["cannons"] += reasons["cannon"]
                own["casins"] += reasons["casin"]
                own["lone_centres"] += reasons["lone centre pin"]
                own["pins"] += reasons["lone centre pin"] + reasons["outer pin"] + reasons["centre pin"]
    return Pair(*(Figures(**sides[side], fouls=fouls[side]) for side in Side))


def common(figures: Figures) -> Figures:
    """The figures without those that need the order of the points or the clock."""
    return replace(figures, scored=0, late=0, seconds_noted=0.0, timed=0, only_score=0)


@settings(max_examples=60, deadline=None)
@given(matches())
def test_b08_statistics_after_any_correction_are_a_count_from_the_start(match: Match) -> None:
    state = State.start(match.terms)
    for event in match.events:
        state = state.then(event)
        figures = of_match(state)
        assert figures.map(common) == counted(state)
        for side in Side:
            late = sum(isinstance(e, Late) and e.side is side for e in state.log)
            assert figures[side].late == late
            assert figures[side].scored <= figures[side].points, "cut at the distance, late and fouls apart"
    in_force = [event for event in state.log if not isinstance(event, NEVER_UNDONE)]
    assert of_match(replay(match.terms, in_force).state) == of_match(state)


def test_b08_an_undo_divides_by_the_right_players_strokes() -> None:
    before = after(SHORT, "set 1 A", "1. A o /1", "2. B o r", "3. A o")
    assert (of_match(before).a.average, of_match(before).b.average) == (1.0, 4.0)
    undone = on(before, "4. B o /1", 'undo "it was A"')
    assert of_match(undone) == of_match(before)


def test_b09_an_undo_touches_its_own_match_only() -> None:
    """Four matches scored in turn: a state is a value, and none knows of another."""
    tables = [after(SHORT, f"set 1 {side}") for side in "ABAB"]
    played = [on(state, f"1. {state.to_play.value} o /1") for state in tables if state.to_play]
    undone = [on(state, 'undo "x"') if place == 2 else state for place, state in enumerate(played)]
    assert undone == [*played[:2], tables[2], played[3]]


# -- double input, turn and foul meaning, end of set ---------------------------------------------


@pytest.mark.parametrize("line", ["1. A o /12", "1. A -", "1. A ? =4"])
def test_b11_a_stroke_delivered_fifteen_times_counts_once(line: str) -> None:
    """A stroke names its number and its side, so that a second delivery fits nowhere."""
    state = after(Terms(), "set 1 A")
    refused = 0
    for _ in range(15):
        try:
            state = on(state, line)
        except IllegalEvent as error:
            refused += 1
            assert "belongs to B" in error.message  # noqa: PT017 - counted as well
    assert refused == 14
    assert [len(one.turns) for one in state.sets] == [1]
    assert state == after(Terms(), "set 1 A", line)


def test_b12_a_foul_stroke_is_one_stroke_with_one_total() -> None:
    """A cannon, two pins, and the own ball in the pins: 8 to the opponent, none to the striker."""
    state = after(Terms(), "set 1 A", "1. A o r /1 c/2 =-8")
    assert state.score == Pair(0, 8)
    one = state.sets[0]
    assert [(entry.to, entry.points) for entry in one.ledger] == [(Side.B, 8)]
    assert len(one.turns) == 1
    ruling = one.turns[0].ruling
    assert ruling is not None
    assert (ruling.signed, ruling.fouls, ruling.ball_in_hand) == (-8, ("own-pins",), False)
    assert state.to_play is Side.B


@pytest.mark.parametrize(
    "path",
    [
        ("1. A o", "2. B o", "3. A o /5"),
        ("1. A o /13", "2. B o c/13"),
        ("1. A o /13", "2. B ? =-4"),
        ("1. A o r /1", "late B"),
        ("1. A o r", "late B", "2. B lost"),
        ("1. A o r /1", 'penalty B 2 "left his ball"'),
        ("1. A o", 'fix 1 o /5 "the centre pin fell"'),
        ("1. A o r", "2. B -", 'fix 2 r o "the red first"'),
    ],
    ids=["stroke", "foul", "points only", "late", "lost", "penalty", "correction", "corrected foul"],
)
def test_b13_the_distance_is_reached_alike_by_every_path(path: tuple[str, ...]) -> None:
    state = after(SHORT, "set 1 A", *path)
    assert (state.phase, state.score.a, state.to_play, state.limit) == (Phase.DISTANCE, 8, None, None)
    assert state.expected == f"'good A {state.score.a}-{state.score.b}'"
    number = len(state.sets[0].turns) + 1
    for event in (f"{number}. A o", f"{number}. B o", "late A", "late B", "pause 1:00", "set 2 B"):
        with pytest.raises(IllegalEvent, match="cannot come here: expected 'good A"):
            on(state, event)
    done = state.then(Good(Side.A, state.score))
    assert (done.phase, done.sets_won, done.next_opener) == (Phase.BETWEEN, Pair(1, 0), Side.B)


def test_b14_a_set_is_confirmed_once() -> None:
    """The second of two devices that confirm the same set is refused, and nothing is written twice."""
    done = after(SHORT, "set 1 A", "1. A o /5", "good A 8-0")
    with pytest.raises(IllegalEvent, match="cannot come here"):
        on(done, "good A 8-0")
    assert [type(event) for event in done.log].count(Good) == 1
    assert (len(done.sets), done.sets_won) == (1, Pair(1, 0))


def play_set(state: State, winner: str) -> State:
    """One more set, won by the lone centre pin or by the opponent's misses."""
    number = len(state.sets) + 1
    opener = state.next_opener.value if state.next_opener else "A"
    if opener == winner:
        return on(state, f"set {number} {opener}", f"1. {opener} o /5", f"good {winner} {_full(winner)}")
    lines = (f"1. {opener} o", f"2. {winner} o /5", f"good {winner} {_full(winner)}")
    return on(state, f"set {number} {opener}", *lines)


def _full(winner: str) -> str:
    return "8-0" if winner == "A" else "0-8"


@pytest.mark.parametrize("course", ["ABABA", "AABBA", "BBAAB", "BAABB"])
def test_b16_a_match_of_three_to_two_has_five_sets(course: str) -> None:
    """Sets won are counted from the sets, so that nothing can count one twice."""
    state = reduce(play_set, course, State.start(Terms(distance=Pair(8, 8), sets=5)))
    assert state.is_over
    assert (state.winner, len(state.sets)) == (Side(course[-1]), 5)
    assert sorted(state.sets_won) == [2, 3]
    assert sorted(state.set_points or ()) == [2, 3]
    reopened = on(state, 'undo "one pin stood"')
    assert (reopened.sets_won, reopened.phase) == (Pair(2, 2), Phase.DISTANCE)
    again = on(reopened, f"good {course[-1]} {_full(course[-1])}")
    assert again == state


# -- starter, winner, statistics -----------------------------------------------------------------


def test_b40_the_opener_alternates_set_by_set_whatever_happened_in_them() -> None:
    """A has won the lag and lets B open; the balls are never exchanged."""
    state = on(State.start(Terms(distance=Pair(8, 8), sets=7)), "lag A", "set 1 B")
    state = on(state, "1. B o /5", "good B 0-8")
    colours = state.colours
    for winner in "ABAABA"[:5]:
        state = play_set(state, winner)
        assert state.colours == colours == Pair(Colour.YELLOW, Colour.WHITE)
    state = play_set(state, "B")
    assert [one.opener.value for one in state.sets if one.opener] == list("BABABAB")[: len(state.sets)]
    assert len(state.sets) == 7
    assert len({len(one.turns) for one in state.sets}) == 2, "the last stroke was either side's"


def test_b41_best_of_three_ends_at_two_sets_and_its_sums_are_those_of_its_strokes() -> None:
    start = State.start(Terms(distance=Pair(8, 8), sets=3))
    one = play_set(start, "A")
    assert not one.is_over
    level = play_set(one, "B")
    assert not level.is_over
    assert play_set(one, "A").is_over
    for state in (one, level, play_set(level, "B")):
        figures = of_match(state)
        for side in Side:
            entries = [e.points for s in state.sets for e in s.ledger if e.to is side]
            assert figures[side].points == sum(entries) == sum(s.score[side] for s in state.sets)
            assert figures[side].scored == sum(entries), "no fouls here: all points are one's own"
    assert play_set(level, "B").sets_won == Pair(1, 2)


def test_b44_strokes_without_points_and_fouls_count_in_the_average() -> None:
    """6, 0, a foul and 4: ten points of four strokes."""
    state = after(
        Terms(),
        *("set 1 A", "1. A o r /1", "2. B o", "3. A o", "4. B o", "5. A o !foot", "6. B o", "7. A o /12"),
    )
    figures = of_match(state).a
    assert (figures.scored, figures.strokes, figures.average) == (10, 4, 2.5)
    assert "divided by strokes" in DEFINITIONS["average"]
    assert of_match(state).b.average == 0.0


@pytest.mark.parametrize("how", [How.WALKOVER, How.INJURY, How.FORFEIT])
@pytest.mark.parametrize("before", [(), ("lag A",), ("lag A", "set 1 A")])
def test_b45_a_match_that_ends_before_its_first_stroke_has_no_average(
    before: Iterable[str], how: How
) -> None:
    state = after(SHORT, *before).then(End(Side.B, how, "did not come"))
    assert (state.winner, state.match_points) == (Side.B, None)
    for figures in of_match(state):
        assert (figures.strokes, figures.average, figures.quotient, figures.seconds) == (0, None, None, None)
        assert figures.to_json()["average"] is None


def test_b63_a_handicap_counts_in_the_score_and_not_in_the_figures() -> None:
    terms = Terms(distance=Pair(30, 25), start=Pair(0, 5), sets=3)
    state = after(terms, "set 1 B", "1. B o /1")
    assert state.score == Pair(0, 7)
    assert of_match(state).b.points == 2
    assert state.missing == Pair(30, 18)
    refused = Terms(distance=Pair(30, 25), start=Pair(0, 25)).problems()
    assert [fault.message for fault in refused] == ["B starts with 25 of 25 points"]


def test_an_unrecorded_stroke_is_a_stroke() -> None:
    state = after(Terms(), "set 1 A", "1. A ? =6")
    assert isinstance(state.sets[0].turns[0].turn.action, Unrecorded)
    assert (of_match(state).a.average, of_match(state).a.unrecorded) == (6.0, 1)
    assert state.log == (SetStart(1, Side.A), parse_event("1. A ? =6"))
    assert after(Terms(), "lag A").log == (Lag(Side.A),)
