"""The course of a match: a `State` is a value, and every event gives the next one.

    State.start(terms) ── then(event) ──► State ── then(event) ──► State …

`then` raises `IllegalEvent` where the state does not allow the event and `CheckFailed` where a figure
disagrees with the facts. The state keeps the log of the events in force, so an undo is a replay of what
came before. `replay` folds a whole list and tells every fault.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple, assert_never

from fivepins.errors import CheckFailed, IllegalEvent
from fivepins.events import (
    AwardSet,
    Decision,
    End,
    Event,
    Extra,
    Fix,
    Good,
    Lag,
    LagForfeit,
    LagRepeat,
    Late,
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
from fivepins.lag import LagState
from fivepins.language import N_
from fivepins.message import Message
from fivepins.rulebook import Scale
from fivepins.sets import Closing, Played, Set, Situation, opened, verify
from fivepins.table import BALL_NAMES, Colour, Pair, Side

NEVER_UNDONE = (Note, Decision, Protest, RefereeChange, Score)
"""What an undo passes over: words for the paper, and checks."""

WORDS = (Note, Decision, Protest)
"""What may be written down whatever the state."""


class Phase(Enum):
    """Where the match is."""

    LAG = "lag"
    """Before the first set; the lag may be under way."""
    BETWEEN = "between"
    """After a set, before the next."""
    PLAY = "play"
    """A set is open and a stroke is expected."""
    DISTANCE = "distance"
    """A side has reached its distance, and the referee has not said "good" yet."""
    SUSPENDED = "suspended"
    OVER = "over"


class Limit(NamedTuple):
    """The time limit that runs for the next stroke (49): its seconds, and the word for it."""

    seconds: int
    period: str


class BreakState(Enum):
    """Whether the pause of article 26 can be taken now."""

    NONE = "none"
    OFFERED = "offered"
    DUE = "due"


@dataclass(frozen=True, slots=True)
class State:
    """Everything that is true of a match after the events of its log.

    `log` holds the events in force, corrections as they were made. `rescored` is set where a file is
    scored under another rule book than its own: checks and totals are then not verified, and "good"
    closes a set where it stands.

    >>> from fivepins.events import SetStart, Turn
    >>> from fivepins.stroke import Contact, Stroke
    >>> state = State.start(Terms()).then(SetStart(1, Side.A))
    >>> state.then(Turn(1, Side.A, Stroke((Contact.CUE_OBJECT, Contact.CUE_RED)))).score
    Pair(a=4, b=0)
    """

    terms: Terms
    log: tuple[Event, ...] = ()
    lag: LagState = LagState()
    sets: tuple[Set, ...] = ()
    suspended: bool = False
    end: End | None = None
    break_taken: bool = False
    break_refused: Pair[bool] = Pair(False, False)
    rescored: bool = False

    @classmethod
    def start(cls, terms: Terms, *, rescored: bool = False) -> State:
        """The state before anything has happened."""
        return cls(terms, rescored=rescored)

    # -- questions -------------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """Where the match is."""
        if self.is_over:
            return Phase.OVER
        if self.suspended:
            return Phase.SUSPENDED
        if self.set is not None:
            reached = not self.rescored and self.set.reached(self.terms) is not None
            return Phase.DISTANCE if reached else Phase.PLAY
        return Phase.BETWEEN if self.sets else Phase.LAG

    @property
    def set(self) -> Set | None:
        """The open set."""
        return self.sets[-1] if self.sets and self.sets[-1].is_open else None

    @property
    def score(self) -> Pair[int]:
        """The score of the open or last set."""
        return self.sets[-1].score if self.sets else self.terms.start

    @property
    def sets_won(self) -> Pair[int]:
        """Sets won, counted afresh from the sets themselves."""
        winners = [one.winner for one in self.sets]
        return Pair(winners.count(Side.A), winners.count(Side.B))

    @property
    def is_over(self) -> bool:
        """Whether the match is finished (28.2, 28.3b)."""
        majority = self.terms.majority
        return self.end is not None or (len(self.sets) >= majority and max(self.sets_won) >= majority)

    @property
    def winner(self) -> Side | None:
        """Who has won the match; None while it goes on, or where it ended without a winner."""
        if self.end is not None:
            return self.end.side
        for side in Side:
            if self.sets_won[side] >= self.terms.majority:
                return side
        return None

    @property
    def to_play(self) -> Side | None:
        """Who is to play the next stroke."""
        return self.set.to_play if self.set is not None and self.phase is Phase.PLAY else None

    @property
    def situation(self) -> Situation | None:
        """What the next stroke starts from: opening or not, ball in hand or not."""
        return self.set.next if self.set is not None and self.phase is Phase.PLAY else None

    @property
    def ball_in_hand(self) -> bool:
        """Whether the side to play has ball in hand."""
        return self.situation is not None and self.situation.ball_in_hand

    @property
    def colours(self) -> Pair[Colour] | None:
        """Who plays with which ball all match: the opener of the first set with the white one (25.2)."""
        if self.terms.balls is not None:
            return self.terms.balls
        if not self.sets or self.sets[0].opener is None:
            return None
        colours = Pair(Colour.WHITE, Colour.YELLOW)
        return colours if self.sets[0].opener is Side.A else colours.swap()

    @property
    def next_opener(self) -> Side | None:
        """Who must open the next set (25.7); None where that is free."""
        if not self.sets or self.sets[-1].opener is None:
            return None
        return self.sets[-1].opener.other

    @property
    def missing(self) -> Pair[int]:
        """The points each side still needs in the open or last set."""
        return Pair(*(self.terms.distance[side] - self.score[side] for side in Side))

    @property
    def limit(self) -> Limit | None:
        """The time limit that runs for the next stroke; None without a clock or a stroke to play."""
        if self.terms.clock is None or self.set is None or self.phase is not Phase.PLAY:
            return None
        if self.set.late:
            return Limit(self.terms.clock[1], "second")
        if self.set.extra_time:
            # the extra seconds first, and then the whole procedure from its beginning (49, 2022 book)
            return Limit(self.terms.book.time.extra + self.terms.clock[0], "extra")
        return Limit(self.terms.clock[0], "first")

    @property
    def extra_left(self) -> Pair[int]:
        """Extra times each side may still take in the open set."""
        if self.set is None or not self.terms.book.time.extra:
            return Pair(0, 0)
        return self.set.extra_used.map(lambda used: 0 if used else 1)

    @property
    def pause(self) -> BreakState:
        """Whether the break of article 26 is due, or can be asked for."""
        if self.break_taken or self.is_over or all(self.break_refused):
            return BreakState.NONE
        rule = self.terms.book.pause
        if self.terms.sets is not None:
            after = rule.after_sets.get(self.terms.sets, ())
            between = self.set is None and len(self.sets) in after
            return BreakState.OFFERED if between else BreakState.NONE
        if self.set is None or self.phase is not Phase.PLAY:
            return BreakState.NONE
        half = any(2 * self.score[side] >= self.terms.distance[side] for side in Side)
        if rule.on_request:
            return BreakState.OFFERED if half else BreakState.NONE
        if not _in_the_middle(self.score, self.terms):
            return BreakState.NONE
        minutes = _minutes_played(self)
        return BreakState.DUE if minutes >= rule.after_minutes else BreakState.NONE

    @property
    def scale(self) -> Scale | None:
        """Match and set points, for winner and loser; None while open and after an early end."""
        if not self.is_over or self.end is not None or self.winner is None:
            return None
        won, lost = self.sets_won[self.winner], self.sets_won[self.winner.other]
        return self.terms.book.scale(self.terms.sets or 1, won, lost)

    @property
    def match_points(self) -> Pair[int] | None:
        """Match points (28.4–5); None while open and after an early end."""
        return self._shared(self.scale.match_points if self.scale else None)

    @property
    def set_points(self) -> Pair[int] | None:
        """Set points (28.4–5); None also where the format has none."""
        return self._shared(self.scale.set_points if self.scale else None)

    def _shared(self, points: tuple[int, int] | None) -> Pair[int] | None:
        if points is None:
            return None
        return Pair(*points) if self.winner is Side.A else Pair(*points).swap()

    @property
    def expected(self) -> str:
        """What may come next, in words for a message."""
        match self.phase:
            case Phase.LAG:
                return Message("the lag or 'set 1'")
            case Phase.BETWEEN:
                opener = f" {self.next_opener.value}" if self.next_opener else ""
                return f"'set {len(self.sets) + 1}{opener}'"  # notation, the same in every language
            case Phase.PLAY:
                assert self.set is not None
                number = len(self.set.turns) + 1
                return Message("turn {number} of {side}", number=number, side=self.set.to_play.value)
            case Phase.DISTANCE:
                assert self.set is not None
                side = self.set.reached(self.terms)
                assert side is not None
                return f"'good {side.value} {self.score.a}-{self.score.b}'"
            case Phase.SUSPENDED:
                return "'resume'"
            case Phase.OVER:
                return Message("nothing but a note, a decision, a protest or an undo")
        assert_never(self.phase)

    # -- change ----------------------------------------------------------------------------------

    def then(self, event: Event) -> State:
        """The state after one more event.

        Raises `IllegalEvent` where the state does not allow it, `CheckFailed` where only a figure is
        wrong; `unverified` takes the event without comparing figures.
        """
        after = self.unverified(event)
        if not self.rescored:
            _verify(event, self, after)
        return after

    def unverified(self, event: Event) -> State:
        """The state after one more event, whatever its redundant figures say."""
        if isinstance(event, Undo):
            return self._undo()
        _refuse_in(self, event)
        after = _apply(self, event)
        return replace(after, log=(*self.log, event))

    def _undo(self) -> State:
        """Take back the last event in force; what an undo passes over stays."""
        for place in range(len(self.log) - 1, -1, -1):
            if not isinstance(self.log[place], NEVER_UNDONE):
                kept = self.log[:place] + self.log[place + 1 :]
                return _fold(State(self.terms, rescored=self.rescored), kept)
        raise IllegalEvent("there is nothing to undo", hint="notes and decisions stay; write another one")


def _fold(state: State, events: Iterable[Event]) -> State:
    """Replay events that were legal once; words keep their place, also where an undo changed the phase."""
    for event in events:
        if isinstance(event, NEVER_UNDONE):
            state = replace(state, log=(*state.log, event))
        else:
            state = state.unverified(event)
    return state


# -- what each event does ------------------------------------------------------------------------


def _refuse_in(state: State, event: Event) -> None:
    """Refuse what the phase does not allow, saying what was expected."""
    if isinstance(event, WORDS):
        return
    phase = state.phase
    if not isinstance(event, _ALLOWED[phase]):
        raise IllegalEvent(
            Message(
                "{event} cannot come here: expected {expected}", event=_named(event), expected=state.expected
            ),
            hint=_HINTS.get(phase, ""),
        )


_ALLOWED: dict[Phase, tuple[type[Event], ...]] = {
    Phase.LAG: (
        Lag,
        LagRepeat,
        LagForfeit,
        SetStart,
        SetResult,
        Pause,
        PauseRefused,
        Suspend,
        RefereeChange,
        End,
    ),
    Phase.BETWEEN: (SetStart, SetResult, Pause, PauseRefused, Suspend, RefereeChange, Score, End),
    Phase.PLAY: (
        Turn,
        Late,
        Extra,
        Fix,
        Score,
        Good,
        AwardSet,
        Penalty,
        Pause,
        PauseRefused,
        Suspend,
        Place,
        Swap,
        RefereeChange,
        End,
    ),
    Phase.DISTANCE: (Good, Fix),
    Phase.SUSPENDED: (Resume, RefereeChange, Score, Place, End),
    Phase.OVER: (),
}

_HINTS = {
    Phase.DISTANCE: N_("the distance is reached: only 'good', 'fix', 'undo' and words may follow"),
    Phase.OVER: N_("the match is over: 'undo' takes its last word back"),
    Phase.SUSPENDED: N_("the match is interrupted: 'resume' goes on"),
}


def _named(event: Event) -> str:
    match event:
        case Turn():
            return Message("turn {number}", number=event.number)
        case SetStart():
            return f"'set {event.number}'"
        case SetResult():
            return f"'result {event.number}'"
        case _:
            return f"'{WORD[type(event)]}'"


WORD: dict[type[Event], str] = {
    Lag: "lag",
    LagRepeat: "lag repeat",
    LagForfeit: "lag forfeit",
    Late: "late",
    Extra: "extra",
    Fix: "fix",
    Undo: "undo",
    Score: "score",
    Good: "good",
    AwardSet: "award",
    Penalty: "penalty",
    Pause: "pause",
    PauseRefused: "pause refused",
    Suspend: "suspend",
    Resume: "resume",
    Place: "place",
    Swap: "swap",
    RefereeChange: "referee",
    Note: "note",
    Protest: "protest",
    Decision: "decision",
    End: "end",
}
"""The FPN word of each event."""


def _apply(state: State, event: Event) -> State:  # noqa: PLR0912 - one branch an event
    match event:
        case Place() if not state.sets:
            return state
        case Turn() | Late() | Extra() | Fix() | Penalty() | Place() | Good() | AwardSet():
            return _in_set(state, event)
        case SetStart():
            return _open_set(state, event)
        case SetResult():
            return _record_result(state, event)
        case Lag(side=side):
            return replace(state, lag=state.lag.nearer(side))
        case LagRepeat(side=side):
            any_second = state.terms.book.any_second_repeat_loses
            return replace(state, lag=state.lag.repeat(side, any_second=any_second))
        case LagForfeit(side=side):
            return replace(state, lag=state.lag.forfeit(side))
        case Pause():
            return replace(state, break_taken=state.break_taken or state.pause is not BreakState.NONE)
        case PauseRefused(side=side):
            return replace(state, break_refused=state.break_refused.put(side, True))
        case Suspend():
            return replace(state, suspended=True)
        case Resume():
            return replace(state, suspended=False)
        case End():
            return replace(state, end=event, suspended=False)
        case Score() | Swap() | RefereeChange() | Note() | Protest() | Decision():
            return state
        case Undo():
            raise AssertionError("an undo is no event in force")
    assert_never(event)


def _in_set(state: State, event: Turn | Late | Extra | Fix | Penalty | Place | Good | AwardSet) -> State:
    """What happens within the open set."""
    one, terms, rescored = state.sets[-1], state.terms, state.rescored
    match event:
        case Turn():
            one = one.play(event, terms, rescored=rescored)
        case Late(side=side):
            one = one.overstep(side, terms)
        case Extra(side=side):
            one = one.extend(side, terms.book, rescored=rescored)
        case Fix():
            one = one.fix(event, terms, rescored=rescored)
        case Penalty(side=side, points=points, hand=hand):
            one = one.penalise(side, points, terms, hand=hand)
        case Place(where=where):
            one = one.place_start() if where == "start" and one.is_open else one
        case Good():
            return _close(state, one.close(event.side, _closing(state, event)))
        case AwardSet(side=side):
            return _close(state, one.close(side, Closing.AWARD))
    return replace(state, sets=(*state.sets[:-1], one))


def _closing(state: State, event: Good) -> Closing:
    """Whether "good" was said rightly, or too early (28.2)."""
    one = state.sets[-1]
    reached = one.reached(state.terms)
    if event.short is not None:
        if reached is not None:
            raise IllegalEvent(
                "no points are missing",
                hint="leave 'short' and its reason out",
                part="score",
            )
        return Closing.SHORT
    if state.rescored:
        return Closing.GOOD
    if reached is None:
        raise IllegalEvent(
            Message(
                "{side} has {score} of {distance}, {missing} missing",
                side=event.side.value,
                score=one.score[event.side],
                distance=state.terms.distance[event.side],
                missing=state.missing[event.side],
            ),
            hint='if the referee did say good, write the reason: good … short "…" (28.2)',
        )
    if reached is not event.side:
        raise IllegalEvent(
            Message(
                "{reached} has reached the distance, not {side}", reached=reached.value, side=event.side.value
            ),
            part="side",
        )
    return Closing.GOOD


def _close(state: State, one: Set) -> State:
    return replace(state, sets=(*state.sets[:-1], one), break_taken=False)


def _open_set(state: State, event: SetStart) -> State:
    _refuse_number(state, event.number)
    if not state.sets and state.lag.played and state.lag.chooser is None:
        raise IllegalEvent("the lag is not decided", hint="'lag A' or 'lag B': whose ball was nearer?")
    opener = state.next_opener
    if opener is not None and event.side is not opener:
        raise IllegalEvent(
            Message("set {number} is opened by {opener}", number=event.number, opener=opener.value),
            hint="the opener alternates set by set, whatever happened in them (25.7)",
            part="side",
        )
    return replace(state, sets=(*state.sets, opened(event.number, event.side, state.terms)))


def _record_result(state: State, event: SetResult) -> State:
    _refuse_number(state, event.number)
    one = Set(event.number, None, event.side, event.score).close(event.side, Closing.RESULT)
    return replace(state, sets=(*state.sets, one), break_taken=False)


def _refuse_number(state: State, number: int) -> None:
    if number != len(state.sets) + 1:
        raise IllegalEvent(
            Message("set {wanted} expected, not {number}", wanted=len(state.sets) + 1, number=number),
            hint="sets are counted from 1",
            part="number",
        )


# -- redundant figures ---------------------------------------------------------------------------


def _verify(event: Event, before: State, after: State) -> None:
    """Compare what an event says twice with the facts; raises `CheckFailed`."""
    match event:
        case Turn() | Fix():
            played: Played = after.sets[-1].turns[event.number - 1]
            verify(event.action, event.marks, played.ruling, before.terms.book.time.penalty)
        case Score(score=score):
            _compare(score, before.score)
        case Good(score=score):
            _compare(score, before.score)
        case SetStart(number=1, side=side):
            balls = before.terms.balls
            if balls is not None and balls[side] is not Colour.WHITE:
                raise CheckFailed(
                    Message(
                        "'Balls' gives {side} the {ball}, but who opens plays white",
                        side=side.value,
                        ball=BALL_NAMES[balls[side]],
                    ),
                    hint="correct the header or the opener (25.2)",
                    part="side",
                )
        case SetResult():
            _verify_result(event, before.terms)


def _compare(written: Pair[int], counted: Pair[int]) -> None:
    if written != counted:
        raise CheckFailed(
            Message(
                "the score is {a}-{b}, not {written}",
                a=counted.a,
                b=counted.b,
                written=f"{written.a}-{written.b}",
            ),
            hint="A's points come first; was a stroke left out or noted wrongly?",
            part="score",
        )


def _verify_result(event: SetResult, terms: Terms) -> None:
    won, lost = event.score[event.side], event.score[event.side.other]
    if won != terms.distance[event.side] or lost >= terms.distance[event.side.other]:
        raise CheckFailed(
            Message(
                "{a}-{b} is no set won by {side}", a=event.score.a, b=event.score.b, side=event.side.value
            ),
            hint="the winner has the distance, the other side less; A's points come first",
            part="score",
        )


# -- the break -----------------------------------------------------------------------------------


def _in_the_middle(score: Pair[int], terms: Terms) -> bool:
    """Whether the side nearest to its distance has half of it and not three quarters (26)."""
    made, distance = max(
        ((score[side], terms.distance[side]) for side in Side), key=lambda one: one[0] / one[1]
    )
    return 2 * made >= distance and 4 * made < 3 * distance


def _minutes_played(state: State) -> float:
    """Minutes since the balls were placed (23): by the times of day, else at least those of the strokes."""
    starts = [event.at for event in state.log if isinstance(event, SetStart) and event.at]
    turns = [event.at for event in state.log if isinstance(event, Turn) and event.at]
    if starts and turns:
        return (_seconds(turns[-1]) - _seconds(starts[0])) % 86_400 / 60
    return sum(p.turn.marks.seconds or 0 for one in state.sets for p in one.turns) / 60


def _seconds(at: str) -> int:
    hours, minutes, *seconds = map(int, at.split(":"))
    return hours * 3600 + minutes * 60 + sum(seconds)


# -- whole matches -------------------------------------------------------------------------------


class Misfit(NamedTuple):
    """An event that did not fit, by its place in the list."""

    place: int
    error: IllegalEvent


class Replay(NamedTuple):
    """What a list of events came to: the state reached, what was wrong, and whether all of it was taken."""

    state: State
    faults: tuple[Misfit, ...] = ()
    whole: bool = True


def replay(terms: Terms, events: Iterable[Event], *, lenient: bool = False, rescored: bool = False) -> Replay:
    """Fold events into a state.

    Strict, it stops before the first event that is at fault. Lenient, it goes on where only a figure is
    wrong and keeps the facts, and stops at the first illegal event.
    """
    state = State.start(terms, rescored=rescored)
    faults: list[Misfit] = []
    for place, event in enumerate(events):
        try:
            state = state.then(event)
        except CheckFailed as error:
            faults.append(Misfit(place, error))
            if not lenient:
                return Replay(state, tuple(faults), whole=False)
            state = state.unverified(event)
        except IllegalEvent as error:
            return Replay(state, (*faults, Misfit(place, error)), whole=False)
    return Replay(state, tuple(faults))
