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
from functools import cache
from itertools import chain, combinations
from typing import NamedTuple

from fivepins import events as ev
from fivepins.errors import CheckFailed, IllegalEvent
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

_SIDES = st.sampled_from(Side)
_TEXTS = st.text("abz é世'\"#=@/\\", max_size=8).filter(lambda text: not text.endswith("\\"))
_TIMES = st.sampled_from([None, None, "14:05", "14:05:10"])
_MARKS = st.sampled_from([ev.Marks(seconds=seconds) for seconds in (None, None, 0.0, 21.0, 28.5)])

# -- strokes -------------------------------------------------------------------------------------

_SETS = list(chain.from_iterable(combinations(PINS, count) for count in range(1, 6)))
_DOTS = [(Pin.OUTER,) * dots + rest for dots in range(1, 4) for rest in ((), (Pin.TOP,), (Pin.CENTRE,))]
_PINS = [Pins(pins, by) for pins in _SETS for by in (None, None, Ball.CUE, Ball.OBJECT)]
_ODD_PINS = [
    *(Pins(pins, by) for pins in _DOTS for by in (None, Ball.CUE)),
    *(Pins(pins, by, upright=True) for pins in _SETS for by in (None, Ball.CUE)),
    *(Pins(pins, None, cause) for pins in _SETS for cause in (Cause.LEANING, Cause.UNRELATED)),
]  # fmt: skip
_RESULTS = [(Receiver.STRIKER, False), (Receiver.OPPONENT, False), (Receiver.OPPONENT, True)]
_OUTS = [Out(ball, back) for ball in Ball for back in (False, True)]


@cache
def _seen(book: str) -> st.SearchStrategy[Seen]:
    words = [Seen(foul) for foul in Foul if foul in RULEBOOKS[book].words]
    return st.sampled_from(words + [Seen(Foul.TOUCHED, number) for number in OWN_PARAGRAPH[Foul.TOUCHED]])


@cache
def _facts(book: str) -> st.SearchStrategy[list[Fact]]:
    contacts: st.SearchStrategy[Fact] = st.sampled_from(Contact)
    odd: st.SearchStrategy[Fact] = st.sampled_from([*_ODD_PINS, *_OUTS * 10, *map(Cushion, Ball)])
    return st.lists(st.one_of(contacts, contacts, st.sampled_from(_PINS), odd, _seen(book)), max_size=7)


@st.composite
def strokes(draw: st.DrawFn, book: Rulebook = UMB_1997, *, spot: bool = False) -> Stroke:
    """A stroke that can have happened and that the book knows; with `spot`, 44.5 may have been asked for."""
    heads = [Stroke()] * 8 + [
        Stroke(played=False),
        Stroke(off=(Pin.TOP,)),
        Stroke(off=(Pin.LEFT, Pin.CENTRE)),
    ]
    heads += [Stroke(spot=True)] * spot + [Stroke(sideways=True)] * book.sideways_play  # fmt: skip
    stroke = draw(st.sampled_from(heads))
    if not stroke.played:
        stroke = replace(stroke, facts=(draw(_seen(book.id)),))
    for fact in draw(_facts(book.id)):
        longer = replace(stroke, facts=(*stroke.facts, fact))
        stroke = stroke if longer.problems() else longer
    return stroke


def actions(book: Rulebook = UMB_1997) -> st.SearchStrategy[ev.Action]:
    """What a side can do in its turn: a stroke, one not recorded, or none in time."""
    return st.one_of(strokes(book), st.sampled_from([ev.Unrecorded(), ev.Lost()]))


def points() -> st.SearchStrategy[Point]:
    """A place on the bed where a ball can lie, on tenths of a millimetre."""
    low = round(10 * TABLE.radius + 1)
    right, top = (round(10 * (edge - TABLE.radius)) for edge in (TABLE.width, TABLE.length))
    return st.builds(lambda x, y: Point(x / 10, y / 10), st.integers(low, right), st.integers(low, top))


@st.composite
def _positions(draw: st.DrawFn) -> Position:
    balls = [draw(st.one_of(points(), points(), st.none())) for _ in range(3)]
    free = [pin for pin in PINS if not any(ball and TABLE.covers(ball, pin) for ball in balls)]
    standing = draw(st.sets(st.sampled_from(free)))
    moved = draw(st.sets(st.sampled_from(sorted(standing)), max_size=1)) if standing else set()
    displaced = tuple((pin, draw(points())) for pin in moved)
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


@st.composite
def terms(draw: st.DrawFn, *, longest: int = 60) -> ev.Terms:
    """What a match may be played on: any book, distances to `longest`, handicaps, sets, clock or none."""
    distance = Pair(draw(st.integers(1, longest)), draw(st.integers(1, longest)))
    book = draw(st.sampled_from(tuple(RULEBOOKS.values())))
    sets, clock = draw(st.sampled_from([(None, None), (None, (40, 20)), (3, None), (5, (40, 20))]))
    start = Pair(draw(st.integers(0, distance.a - 1)), 0) if draw(st.booleans()) else Pair(0, 0)
    return ev.Terms(book=book, distance=distance, sets=sets, start=start, clock=clock)


@st.composite
def _turns(draw: st.DrawFn, before: Situation, book: Rulebook) -> tuple[ev.Action, ev.Marks]:
    """What can be done from a situation, with a check that is right or none."""
    spot = before.ball_in_hand and before.may_spot
    action = draw(st.one_of(strokes(book, spot=spot), strokes(book, spot=spot), st.just(ev.Unrecorded())))
    marks = draw(_MARKS)
    if isinstance(action, Stroke):
        signed = ruled(action, marks, before, book, rescored=False).signed
        return action, replace(marks, check=draw(st.sampled_from([None, signed])))
    to, hand = draw(st.sampled_from(_RESULTS))
    total = draw(st.sampled_from(sorted(reachable(book, to, before.occasion, hand=hand))))
    return action, replace(marks, check=-total if to is Receiver.OPPONENT else total, hand=hand)


@st.composite
def _fixes(draw: st.DrawFn, state: State) -> ev.Event:
    """A correction of a turn of the open set; a note where there is none that can be corrected."""
    played = [one for one in state.sets[-1].turns if not isinstance(one.turn.action, ev.Lost)]
    if not played:
        return ev.Note("nothing to correct")
    old = draw(st.sampled_from(played))
    action, marks = draw(_turns(old.before, state.terms.book))
    return ev.Fix(old.turn.number, action, marks, draw(_TEXTS))


def _words(state: State) -> st.SearchStrategy[ev.Event]:
    undo = [st.builds(ev.Undo, _TEXTS)] * bool(state.log)
    said = st.builds(ev.Decision, _TEXTS, st.none() | _TEXTS) | st.builds(ev.Protest, _SIDES, _TEXTS)
    return st.one_of(*undo, st.builds(ev.Note, _TEXTS, at=_TIMES), said)


def _between(state: State) -> st.SearchStrategy[ev.Event]:
    number, full = len(state.sets) + 1, state.terms.distance
    known = _SIDES.map(lambda side: ev.SetResult(number, side, state.terms.start.put(side, full[side])))
    pause = st.builds(ev.Pause, st.integers(0, 600), st.none() | _SIDES, st.none() | _TEXTS)
    if state.phase is Phase.BETWEEN:
        return known | pause
    again = st.builds(ev.LagRepeat, st.none() | _SIDES)
    return st.one_of(known, pause, st.builds(ev.Lag, _SIDES), again, st.builds(ev.LagForfeit, _SIDES))


def _in_play(state: State) -> st.SearchStrategy[ev.Event]:
    """What can happen in an open set besides its strokes."""
    one = state.sets[-1]
    clock: list[ev.Event] = [ev.Late(one.to_play)]
    if one.late:
        clock = [ev.Turn(len(one.turns) + 1, one.to_play, ev.Lost())]
    elif state.extra_left[one.to_play]:
        clock.append(ev.Extra(one.to_play))
    rare = st.one_of(
        st.builds(ev.Penalty, _SIDES, st.integers(1, 4), st.booleans(), _TEXTS),
        st.builds(ev.Place, st.sampled_from(["start", "restored"]), _TEXTS),
        st.builds(ev.RefereeChange, _TEXTS) | st.builds(ev.Swap, _TEXTS) | st.builds(ev.Suspend, _TEXTS),
        st.builds(ev.PauseRefused, _SIDES) | st.just(ev.Score(state.score)),
        st.builds(lambda side, why: ev.Good(side, state.score, why), _SIDES, _TEXTS),
        st.builds(ev.AwardSet, _SIDES, _TEXTS)
        | st.builds(ev.End, st.none() | _SIDES, st.sampled_from(ev.How), _TEXTS),
    )
    return st.one_of(st.sampled_from(clock), _fixes(state), rare)


@st.composite
def events(draw: st.DrawFn, state: State) -> ev.Event:
    """An event that fits the phase of the match; the state may yet refuse a fix that ends the set early."""
    luck = draw(st.integers(0, 11))
    if luck == 11 or state.phase is Phase.OVER:
        return draw(_words(state))
    one, number = state.set, len(state.sets) + 1
    match state.phase:
        case Phase.PLAY if luck < 8 and one is not None:
            action, marks = draw(_turns(one.next, state.terms.book))
            return ev.Turn(len(one.turns) + 1, one.to_play, action, marks, at=draw(_TIMES))
        case Phase.PLAY:
            return draw(_in_play(state))
        case Phase.SUSPENDED:
            return ev.Resume()
        case Phase.DISTANCE if luck < 9 and one is not None and (winner := one.reached(state.terms)):
            return ev.Good(winner, state.score)
        case Phase.DISTANCE:
            return draw(_fixes(state))
        case _ if luck < 9:
            return ev.SetStart(number, state.next_opener or draw(_SIDES), at=draw(_TIMES))
        case _:
            return draw(_between(state))


class Match(NamedTuple):
    """A match as far as it has gone: what was agreed, and every event in order, corrections among them."""

    terms: ev.Terms
    events: tuple[ev.Event, ...]


@st.composite
def matches(draw: st.DrawFn, agreed: ev.Terms | None = None, *, most: int = 24) -> Match:
    """A legal match on these terms, or on any, of at most that many events.

    >>> from hypothesis import given, settings
    >>> from fivepins.match import replay
    >>> @settings(max_examples=20)
    ... @given(matches())
    ... def legal(match):
    ...     assert not replay(match.terms, match.events).faults
    >>> legal()
    """
    state = State.start(draw(terms()) if agreed is None else agreed)
    happened = []
    for _ in range(draw(st.sampled_from([most, most, *range(most)]))):
        if state.is_over and draw(st.booleans()):
            break
        event = draw(events(state))
        try:
            state = state.then(event)
        except CheckFailed:
            raise
        except IllegalEvent:
            continue
        happened.append(event)
    return Match(state.terms, tuple(happened))
