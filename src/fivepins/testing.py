"""Hypothesis strategies for everything the rules know: strokes, actions, positions, events, whole matches.

For the tests of this package and of what is built on it. Whatever they draw is legal, so that a test need
not reject anything; it shrinks towards short matches of bare strokes.

>>> from hypothesis import given
>>> from fivepins.rules import rule
>>> @given(strokes(UMB_1997))
... def awards_add_up(stroke):
...     ruling = rule(stroke)
...     assert sum(award.points for award in ruling.awards) == ruling.points
>>> awards_add_up()
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from fivepins.errors import CheckFailed, IllegalEvent
from fivepins.events import (
    Action,
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
    Marks,
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
    Unrecorded,
)
from fivepins.match import Phase, State
from fivepins.rulebook import RULEBOOKS, UMB_1997, Rulebook
from fivepins.rules import Receiver, reachable
from fivepins.sets import Situation, ruled
from fivepins.stroke import OWN_PARAGRAPH, Cause, Contact, Cushion, Fact, Foul, Out, Pins, Seen, Stroke
from fivepins.table import PINS, TABLE, Ball, Pair, Pin, Point, Position, Side

try:
    from hypothesis import strategies as st
except ImportError as missing:  # pragma: no cover - the tests of this package have it
    raise ImportError("fivepins.testing needs Hypothesis: pip install hypothesis") from missing

SIDES = st.sampled_from(Side)
BOOKS = st.sampled_from(tuple(RULEBOOKS.values()))
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=12).filter(
    lambda text: not text.endswith("\\")
)
"""Reasons, notes and names: anything one line can hold."""

_TIMES = st.sampled_from([None, None, None, "14:05", "14:05:10"])

# -- strokes -------------------------------------------------------------------------------------


@st.composite
def _pins(draw: st.DrawFn) -> Pins:
    pins = tuple(sorted(draw(st.sets(st.sampled_from(PINS), min_size=1))))
    unknown = draw(st.sampled_from([0, 0, 0, 0, 1, 2]))
    felled = ((Pin.OUTER,) * unknown + pins)[: 4 - unknown + 1]
    cause = draw(st.sampled_from([Cause.STROKE] * 8 + [Cause.LEANING, Cause.UNRELATED]))
    by = draw(st.sampled_from([None, None, *Ball])) if cause is Cause.STROKE else None
    return Pins(felled, by, cause, draw(st.sampled_from([False] * 6 + [True])))


def _seen(book: Rulebook) -> st.SearchStrategy[Fact]:
    words: list[Fact] = [Seen(foul) for foul in Foul if foul in book.words]
    return st.sampled_from(words + [Seen(Foul.TOUCHED, number) for number in OWN_PARAGRAPH[Foul.TOUCHED]])


def facts(book: Rulebook = UMB_1997) -> st.SearchStrategy[Fact]:
    """One fact of a stroke that the book knows, whether it can come here or not."""
    contacts: st.SearchStrategy[Fact] = st.sampled_from(Contact)
    rare = st.one_of(st.builds(Out, st.sampled_from(Ball), st.booleans()), _seen(book))
    return st.one_of(contacts, contacts, _pins(), rare, st.builds(Cushion, st.sampled_from(Ball)))


@st.composite
def strokes(draw: st.DrawFn, book: Rulebook = UMB_1997, *, spot: bool = False) -> Stroke:
    """A stroke that can have happened and that the book knows; with `spot`, 44.5 may have been asked for.

    >>> from hypothesis import given
    >>> @given(strokes(spot=True))
    ... def possible(stroke):
    ...     assert not stroke.problems()
    >>> possible()
    """
    played = draw(st.sampled_from([True] * 9 + [False]))
    off = tuple(sorted(draw(st.sampled_from([(), (), (), (Pin.TOP,), (Pin.CENTRE, Pin.LEFT)]))))
    choice = draw(st.sampled_from(["", "", "spot" if spot else "", "side" if book.sideways_play else ""]))
    first = () if played else (draw(_seen(book)),)
    stroke = Stroke(first, played, off, choice == "spot", choice == "side")
    for fact in draw(st.lists(facts(book), max_size=7)):
        longer = replace(stroke, facts=(*stroke.facts, fact))
        if not longer.problems():
            stroke = longer
    return stroke


def actions(book: Rulebook = UMB_1997) -> st.SearchStrategy[Action]:
    """What a side can do in its turn: mostly a stroke, else one not recorded, or none in time."""
    other: st.SearchStrategy[Action] = st.sampled_from([Unrecorded(), Lost()])
    return st.one_of(strokes(book), strokes(book), strokes(book), other)


# -- positions -----------------------------------------------------------------------------------


def points() -> st.SearchStrategy[Point]:
    """A place on the bed where a ball can lie, on tenths of a millimetre."""
    low, right, top = (
        round(10 * edge)
        for edge in (TABLE.radius + 0.1, TABLE.width - TABLE.radius, TABLE.length - TABLE.radius)
    )
    return st.builds(lambda x, y: Point(x / 10, y / 10), st.integers(low, right), st.integers(low, top))


@st.composite
def _positions(draw: st.DrawFn) -> Position:
    balls = [draw(st.one_of(points(), points(), st.none())) for _ in range(3)]
    free = [pin for pin in PINS if not any(ball and TABLE.covers(ball, pin) for ball in balls)]
    standing = draw(st.sets(st.sampled_from(free))) if free else set()
    moved = draw(st.sets(st.sampled_from(sorted(standing)), max_size=1)) if standing else set()
    displaced = tuple((pin, draw(points())) for pin in sorted(moved))
    return Position(balls[0], balls[1], balls[2], frozenset(standing), displaced)


def positions() -> st.SearchStrategy[Position]:
    """A position some table can show: balls apart, covered seats empty, at most one pin displaced.

    >>> from hypothesis import given
    >>> from fivepins.codes import format_position, parse_position
    >>> @given(positions())
    ... def read_back(position):
    ...     assert parse_position(format_position(position)) == position
    >>> read_back()
    """
    return _positions().filter(lambda position: not position.problems())


# -- matches -------------------------------------------------------------------------------------


@st.composite
def terms(draw: st.DrawFn, book: Rulebook | None = None, *, longest: int = 30) -> Terms:
    """What a match may be played on: any book, distances to `longest`, handicaps, sets, clock or none."""
    distance = draw(st.integers(1, longest))
    other = draw(st.sampled_from([distance, distance, draw(st.integers(1, longest))]))
    start = Pair(draw(st.integers(0, distance // 2)), 0) if draw(st.booleans()) else Pair(0, 0)
    return Terms(
        book=book or draw(BOOKS),
        distance=Pair(distance, other),
        sets=draw(st.sampled_from([None, 3, 5])),
        start=start.map(lambda points: min(points, distance - 1)),
        clock=draw(st.sampled_from([None, (40, 20)])),
    )


@st.composite
def turns(draw: st.DrawFn, state: State) -> tuple[Action, Marks]:
    """An action with its marks, for the side to play; a check, where there is one, is right."""
    one = state.sets[-1]
    lost = st.just(Lost()) if one.late else st.nothing()
    return draw(_acts(one.next, state.terms.book, lost=lost, penalty=state.terms.book.time.penalty))


@st.composite
def _acts(
    draw: st.DrawFn, before: Situation, book: Rulebook, *, lost: st.SearchStrategy[Lost], penalty: int
) -> tuple[Action, Marks]:
    spot = before.ball_in_hand and before.may_spot
    played = strokes(book, spot=spot)
    other = st.one_of(st.just(Unrecorded()), lost)
    action = draw(st.one_of(played, played, played, other))
    seconds = draw(st.sampled_from([None, None, 0.0, 21.0, 28.5]))
    if isinstance(action, Lost):
        return action, Marks(check=draw(st.sampled_from([None, -penalty])), seconds=seconds)
    if isinstance(action, Unrecorded):
        to = draw(st.sampled_from(Receiver))
        hand = to is Receiver.OPPONENT and draw(st.booleans())
        totals = sorted(reachable(book, to, before.occasion, hand=hand))
        points = draw(st.sampled_from(totals))
        return action, Marks(check=-points if to is Receiver.OPPONENT else points, hand=hand, seconds=seconds)
    check = ruled(action, Marks(), before, book, rescored=False).signed
    return action, Marks(check=draw(st.sampled_from([None, check])), seconds=seconds)


@st.composite
def events(draw: st.DrawFn, state: State) -> Event:
    """An event that fits the phase of the match; the state may yet refuse it for what has gone before."""
    if draw(st.integers(0, 11)) == 11:
        return draw(_words(state))
    match state.phase:
        case Phase.PLAY if draw(st.integers(0, 9)) < 7:
            one = state.sets[-1]
            action, marks = draw(turns(state))
            return Turn(len(one.turns) + 1, one.to_play, action, marks, at=draw(_TIMES))
        case Phase.PLAY:
            return draw(_in_play(state))
        case Phase.DISTANCE:
            winner = state.sets[-1].reached(state.terms)
            assert winner is not None
            return draw(st.one_of(st.just(Good(winner, state.score)), _fixes(state)))
        case Phase.LAG | Phase.BETWEEN:
            return draw(_between(state))
        case Phase.SUSPENDED:
            return draw(st.one_of(st.just(Resume()), st.builds(RefereeChange, TEXTS)))
        case Phase.OVER:
            return draw(_words(state))


def _words(state: State) -> st.SearchStrategy[Event]:
    words: list[st.SearchStrategy[Event]] = [
        st.builds(Note, TEXTS, at=_TIMES),
        st.builds(Protest, SIDES, TEXTS),
        st.builds(Decision, TEXTS, st.none() | TEXTS),
    ]
    if state.log:
        words += [st.builds(Undo, TEXTS)]
    return st.one_of(words)


def _between(state: State) -> st.SearchStrategy[Event]:
    number = len(state.sets) + 1
    opener = SIDES if state.next_opener is None else st.just(state.next_opener)
    start: st.SearchStrategy[Event] = st.builds(SetStart, st.just(number), opener, at=_TIMES)
    rare: list[st.SearchStrategy[Event]] = [
        SIDES.map(lambda side: SetResult(number, side, _won(side, state.terms))),
        st.builds(Pause, st.integers(0, 600), st.none() | SIDES, st.none() | TEXTS),
    ]
    if state.phase is Phase.LAG:
        rare += [st.builds(Lag, SIDES), st.builds(LagRepeat, st.none() | SIDES), st.builds(LagForfeit, SIDES)]
    return st.one_of(start, start, start, *rare)


def _won(side: Side, agreed: Terms) -> Pair[int]:
    return agreed.start.put(side, agreed.distance[side])


def _in_play(state: State) -> st.SearchStrategy[Event]:
    """What can happen between two strokes of a set."""
    one = state.sets[-1]
    to_play = one.to_play
    time: list[Event] = [] if one.late else [Late(to_play)]
    time += [Extra(to_play)] if not one.late and state.extra_left[to_play] else []
    ends = st.one_of(
        st.builds(lambda side, why: Good(side, state.score, why), SIDES, TEXTS),
        st.builds(AwardSet, SIDES, TEXTS),
        st.builds(End, st.none() | SIDES, st.sampled_from(How), TEXTS),
    )
    rare: list[st.SearchStrategy[Event]] = [
        st.builds(Penalty, SIDES, st.integers(1, 4), st.booleans(), TEXTS),
        st.builds(Pause, st.integers(0, 600)),
        st.builds(PauseRefused, SIDES),
        st.builds(Suspend, TEXTS),
        st.builds(Place, st.sampled_from(["start", "restored"]), TEXTS),
        st.builds(Swap, TEXTS),
        st.builds(RefereeChange, TEXTS),
        st.just(Score(state.score)),
    ]
    limits: st.SearchStrategy[Event] = st.sampled_from(time) if time else _fixes(state)
    return st.one_of(limits, limits, _fixes(state), st.one_of(rare), st.one_of(*rare, ends))


@st.composite
def _fixes(draw: st.DrawFn, state: State) -> Event:
    """A correction of a turn of the open set; a note where there is none that can be corrected."""
    played = [p for p in state.sets[-1].turns if not isinstance(p.turn.action, Lost)]
    if not played:
        return Note("nothing to correct")
    turn = draw(st.sampled_from(played))
    acts = _acts(turn.before, state.terms.book, lost=st.nothing(), penalty=0)
    action, marks = draw(acts)
    return Fix(turn.turn.number, action, marks, draw(TEXTS))


class Match(NamedTuple):
    """A match as far as it has gone: what was agreed, and every event in order, corrections among them."""

    terms: Terms
    events: tuple[Event, ...]

    @property
    def state(self) -> State:
        """The state the events lead to."""
        state = State.start(self.terms)
        for event in self.events:
            state = state.then(event)
        return state


@st.composite
def matches(draw: st.DrawFn, agreed: Terms | None = None, *, most: int = 25) -> Match:
    """A legal match on these terms, or on any, of at most that many events.

    >>> from hypothesis import given, settings
    >>> @settings(max_examples=20)
    ... @given(matches())
    ... def nobody_exceeds_the_distance(match):
    ...     assert all(left >= 0 for left in match.state.missing)
    >>> nobody_exceeds_the_distance()
    """
    agreed = draw(terms()) if agreed is None else agreed
    state, happened = State.start(agreed), []
    for _ in range(draw(st.integers(0, most))):
        event = draw(events(state))
        try:
            state = state.then(event)
        except CheckFailed:
            raise
        except IllegalEvent:
            continue  # such as a fix that would have ended the set before what follows
        happened.append(event)
    return Match(agreed, tuple(happened))
