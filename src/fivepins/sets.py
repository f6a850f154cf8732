"""The course of one set: turns, points in the order they were made, who plays next and from where.

A `Set` is a value; each method returns the set after one more thing has happened, or raises
`IllegalEvent`. What may happen between sets is `fivepins.match`'s business.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

from fivepins.errors import CheckFailed, IllegalEvent, ImpossibleStroke
from fivepins.events import Action, Fix, Lost, Marks, Terms, Turn, Unrecorded
from fivepins.language import N_
from fivepins.message import Message
from fivepins.rulebook import Rulebook, SpotChoice
from fivepins.rules import Occasion, Receiver, Ruling, reachable, rule
from fivepins.stroke import Foul, Seen, Stroke
from fivepins.table import Ball, Pair, Side


class Source(Enum):
    """Where points came from."""

    STROKE = "stroke"
    LATE = "late"
    LOST = "lost"
    PENALTY = "penalty"


class Closing(Enum):
    """How a set was closed."""

    GOOD = "good"
    SHORT = "short"
    AWARD = "award"
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class Entry:
    """Points in the order they were made; `turn` is the number of the turn they belong to, if any."""

    source: Source
    to: Side
    points: int
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class Situation:
    """What a turn starts from: opening stroke or not, ball in hand or not.

    `may_spot`: whether the object ball may be asked for on its spot (44.5).
    """

    occasion: Occasion = Occasion.OPENING
    ball_in_hand: bool = False
    may_spot: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """A turn in force, with what it started from and its ruling (None where the turn was lost)."""

    turn: Turn
    before: Situation
    ruling: Ruling | None


@dataclass(frozen=True, slots=True)
class Set:
    """One set, open or closed.

    `opener` is None where only the score is known. `late` tells that the first time limit of this turn
    has passed; `extra_used` who has had his extra time.
    """

    number: int
    opener: Side | None
    to_play: Side
    score: Pair[int]
    turns: tuple[Played, ...] = ()
    ledger: tuple[Entry, ...] = ()
    next: Situation = Situation()
    late: bool = False
    extra_time: bool = False
    extra_used: Pair[bool] = Pair(False, False)
    winner: Side | None = None
    closing: Closing | None = None
    placed_since: bool = False
    """Whether something other than the last turn decides what the next one starts from."""

    @property
    def is_open(self) -> bool:
        """Whether strokes may still count."""
        return self.closing is None

    def reached(self, terms: Terms) -> Side | None:
        """The side that has reached its distance."""
        for side in Side:
            if self.score[side] >= terms.distance[side]:
                return side
        return None

    def play(self, turn: Turn, terms: Terms, *, rescored: bool) -> Set:
        """The set after a turn; raises `IllegalEvent` where it is not this side's, or not possible."""
        if turn.side is not self.to_play:
            raise IllegalEvent(
                Message("turn {number} belongs to {side}", number=turn.number, side=self.to_play.value),
                hint=Message(
                    "{side} is to play: was a stroke left out, or entered twice?",
                    side=self.to_play.value,
                ),
                part="side",
            )
        if turn.number != len(self.turns) + 1:
            raise IllegalEvent(
                Message(
                    "turn {wanted} expected, not {number}", wanted=len(self.turns) + 1, number=turn.number
                ),
                hint="turns are counted from 1 in each set",
                part="number",
            )
        if isinstance(turn.action, Lost):
            return self._lose(turn, terms)
        ruling = ruled(turn.action, turn.marks, self.next, terms.book, rescored=rescored)
        entry = _entry(turn, ruling)
        return replace(
            self,
            turns=(*self.turns, Played(turn, self.next, ruling)),
            ledger=(*self.ledger, entry),
            score=add(self.score, (entry,), terms),
            to_play=turn.side.other,
            next=_after(turn.action, ruling, terms.book),
            late=False,
            extra_time=False,
            placed_since=False,
        )

    def _lose(self, turn: Turn, terms: Terms) -> Set:
        """No stroke within the second limit (49.2): the penalty again, and the turn passes."""
        if not self.late:
            raise IllegalEvent(
                Message(
                    "{side} cannot lose the turn before the first time limit has passed", side=turn.side.value
                ),
                hint=Message("write 'late {side}' first (49.2)", side=turn.side.value),
                part="action",
            )
        time = terms.book.time
        entry = Entry(Source.LOST, turn.side.other, time.penalty, turn.number)
        passed = self.next
        if passed.occasion is not Occasion.OPENING and time.hand_when_lost:
            passed = Situation(Occasion.ORDINARY, ball_in_hand=True, may_spot=True)
        return replace(
            self,
            turns=(*self.turns, Played(turn, self.next, None)),
            ledger=(*self.ledger, entry),
            score=add(self.score, (entry,), terms),
            to_play=turn.side.other,
            next=passed,
            late=False,
            extra_time=False,
        )

    def overstep(self, side: Side, terms: Terms) -> Set:
        """The set after the first time limit of a turn has passed (49.2)."""
        self._on_turn(side, "'late'")
        if self.late:
            raise IllegalEvent(
                Message("{side} is late already", side=side.value),
                hint=Message(
                    "if no stroke came in time either: '{number}. {side} lost'",
                    number=len(self.turns) + 1,
                    side=side.value,
                ),
            )
        entry = Entry(Source.LATE, side.other, terms.book.time.penalty, len(self.turns) + 1)
        return replace(self, late=True, ledger=(*self.ledger, entry), score=add(self.score, (entry,), terms))

    def extend(self, side: Side, book: Rulebook, *, rescored: bool) -> Set:
        """The set after a side has taken its extra time."""
        self._on_turn(side, "'extra'")
        if not book.time.extra and not rescored:
            raise IllegalEvent(
                Message("{book} knows no extra time", book=book.id),
                hint="leave the line out, or write a note",
            )
        if self.late:
            raise IllegalEvent("extra time is asked for before the first time limit ends")
        if self.extra_used[side]:
            raise IllegalEvent(
                Message("{side} has had the extra time of this set", side=side.value), part="side"
            )
        return replace(self, extra_time=True, extra_used=self.extra_used.put(side, True))

    def penalise(self, side: Side, points: int, terms: Terms, *, hand: bool) -> Set:
        """The set after points to the other side outside a stroke; with `hand` that side plays next."""
        entry = Entry(Source.PENALTY, side.other, points)
        after = replace(self, ledger=(*self.ledger, entry), score=add(self.score, (entry,), terms))
        if not hand:
            return after
        in_hand = Situation(Occasion.ORDINARY, ball_in_hand=True, may_spot=True)
        return replace(
            after, to_play=side.other, next=in_hand, late=False, extra_time=False, placed_since=True
        )

    def place_start(self) -> Set:
        """The set after the starting position was ordered (62): whoever is on turn places his ball."""
        if self.next.occasion is Occasion.OPENING:
            return self
        return replace(
            self, next=Situation(Occasion.ORDINARY, ball_in_hand=True, may_spot=True), placed_since=True
        )

    def fix(self, event: Fix, terms: Terms, *, rescored: bool) -> Set:
        """The set with the facts of one turn replaced; turn order and later lines stay."""
        if not 1 <= event.number <= len(self.turns):
            raise IllegalEvent(
                Message("there is no turn {number} in the open set", number=event.number),
                hint=(
                    Message("its turns are 1 to {last}", last=len(self.turns))
                    if self.turns
                    else "no turn has been played in it"
                ),
                part="number",
            )
        old = self.turns[event.number - 1]
        if isinstance(event.action, Lost) or isinstance(old.turn.action, Lost):
            raise IllegalEvent(
                "a fix neither gives nor takes 'lost'",
                hint="undo back to that turn instead",
                part="action",
            )
        turn = replace(old.turn, action=event.action, marks=_kept(event.marks, old.turn.marks))
        ruling = ruled(turn.action, turn.marks, old.before, terms.book, rescored=rescored)
        ledger = tuple(
            _entry(turn, ruling) if entry.source is Source.STROKE and entry.turn == turn.number else entry
            for entry in self.ledger
        )
        if not rescored:
            _refuse_early_end(ledger, terms)
        last = event.number == len(self.turns) and not self.placed_since
        return replace(
            self,
            turns=(
                *self.turns[: event.number - 1],
                Played(turn, old.before, ruling),
                *self.turns[event.number :],
            ),
            ledger=ledger,
            score=add(terms.start, ledger, terms),
            next=_after(turn.action, ruling, terms.book) if last else self.next,
        )

    def close(self, winner: Side, closing: Closing) -> Set:
        """The set closed, with its winner."""
        return replace(self, winner=winner, closing=closing, late=False, extra_time=False)

    def _on_turn(self, side: Side, what: str) -> None:
        if side is not self.to_play:
            raise IllegalEvent(
                Message("{what} can only be {side}'s, who is to play", what=what, side=self.to_play.value),
                hint=Message(
                    "turn {number} belongs to {side}", number=len(self.turns) + 1, side=self.to_play.value
                ),
                part="side",
            )


def opened(number: int, opener: Side, terms: Terms) -> Set:
    """A set with the balls placed and nothing played."""
    return Set(number, opener, opener, terms.start)


def add(score: Pair[int], entries: Iterable[Entry], terms: Terms) -> Pair[int]:
    """The score after these entries, cut at the distance (21.1)."""
    for entry in entries:
        total = min(score[entry.to] + entry.points, terms.distance[entry.to])
        score = score.put(entry.to, total)
    return score


def ruled(action: Action, marks: Marks, before: Situation, book: Rulebook, *, rescored: bool) -> Ruling:
    """The ruling on an action from a situation; of an unrecorded stroke the points stand as noted."""
    match action:
        case Unrecorded():
            return _noted(marks, before, book, rescored=rescored)
        case Lost():
            raise AssertionError("a lost turn has no ruling")
        case Stroke():
            if action.spot and not rescored:
                _refuse_spot(before)
            try:
                return rule(action, before.occasion, book)
            except ImpossibleStroke as error:
                fault = error.faults[0]
                raise IllegalEvent(
                    fault.message, hint=fault.hint, part="action", index=fault.index
                ) from error


def verify(action: Action, marks: Marks, ruling: Ruling | None, penalty: int) -> None:
    """Compare a check with what the facts give; raises `CheckFailed`."""
    if marks.check is None:
        return
    signed = ruling.signed if ruling else -penalty
    if signed != marks.check:
        pins = isinstance(action, Stroke) and abs(marks.check) - abs(signed) == 2
        raise CheckFailed(
            Message(
                "check says {check}, the facts give {facts}",
                check=_worded(marks.check),
                facts=_worded(signed, marks.check),
            ),
            hint=(
                "was a second pin felled? write /13, or /.. if you do not know which"
                if pins
                else "correct the facts, or leave the check out"
            ),
            part="check",
        )


def _worded(points: int, beside: int = 0) -> str:
    """Points of a check in words; the receiver is left out where the figure beside it has the same."""
    if points * beside > 0 or not points:
        return str(abs(points))
    told = N_("{points} to the striker") if points > 0 else N_("{points} to the opponent")
    return Message(told, points=abs(points))


def _noted(marks: Marks, before: Situation, book: Rulebook, *, rescored: bool) -> Ruling:
    assert marks.check is not None  # the notation does not read a '?' without a check
    to = Receiver.OPPONENT if marks.check < 0 else Receiver.STRIKER
    points = abs(marks.check)
    if not rescored and points not in reachable(book, to, before.occasion, hand=marks.hand):
        given = _NO_STROKE_IN_HAND if marks.hand else _NO_STROKE
        raise IllegalEvent(
            Message(given, book=book.id, points=_worded(marks.check)),
            hint=(
                "with 'hand' behind the check where the incoming player had ball in hand"
                if to is Receiver.OPPONENT and not marks.hand
                else "was it noted rightly?"
            ),
            part="check",
        )
    return Ruling(points, to if points else None, marks.hand, (), ())


_NO_STROKE = N_("{book}: no stroke gives {points}")
_NO_STROKE_IN_HAND = N_("{book}: no stroke gives {points} with ball in hand")


def _refuse_spot(before: Situation) -> None:
    if before.occasion is Occasion.OPENING:
        raise IllegalEvent(
            "'spot' on an opening stroke",
            hint="the object ball is on its spot already",
            part="action",
        )
    if not before.ball_in_hand:
        raise IllegalEvent(
            "'spot' without ball in hand",
            hint="44.5 belongs to a ball in hand",
            part="action",
        )
    if not before.may_spot:
        raise IllegalEvent(
            "'spot' is not allowed here: only the opponent's own ball had left the table",
            hint="this book gives the choice of 44.5 only where another ball was out, or none",
            part="action",
        )


def _after(action: Action, ruling: Ruling, book: Rulebook) -> Situation:
    """What the next turn starts from."""
    if not ruling.ball_in_hand:
        return Situation(Occasion.ORDINARY)
    may_spot = book.spot_choice is SpotChoice.ALWAYS or not (
        isinstance(action, Stroke) and action.outs == {_own_ball(action)}
    )
    return Situation(Occasion.ORDINARY, ball_in_hand=True, may_spot=may_spot)


def _own_ball(stroke: Stroke) -> Ball:
    """The striker's own ball: the object ball of a stroke in which he struck the wrong one."""
    wrong = any(isinstance(fact, Seen) and fact.foul is Foul.WRONG_BALL for fact in stroke.facts)
    return Ball.OBJECT if wrong else Ball.CUE


def _entry(turn: Turn, ruling: Ruling) -> Entry:
    """The ledger's line of a stroke, also where it brought nothing, so that every turn has its place."""
    to = turn.side.other if ruling.to is Receiver.OPPONENT else turn.side
    return Entry(Source.STROKE, to, ruling.points, turn.number)


def _kept(new: Marks, old: Marks) -> Marks:
    """The marks of a fixed turn: those not repeated are kept, except the check and `hand`."""
    return Marks(
        check=new.check,
        hand=new.hand,
        seconds=old.seconds if new.seconds is None else new.seconds,
        pos=new.pos or old.pos,
        cue=new.cue or old.cue,
    )


def _refuse_early_end(ledger: tuple[Entry, ...], terms: Terms) -> None:
    """A corrected stroke must not have ended the set before something that followed it."""
    score = terms.start
    for entry, following in pairwise(ledger):
        score = add(score, (entry,), terms)
        if score[entry.to] >= terms.distance[entry.to]:
            raise IllegalEvent(
                Message(
                    "with this fix {side} would have reached {distance} earlier, before what follows",
                    side=entry.to.value,
                    distance=terms.distance[entry.to],
                ),
                hint=(
                    Message("undo back to turn {turn} first", turn=following.turn)
                    if following.turn
                    else "undo what follows first"
                ),
                part="number",
            )
