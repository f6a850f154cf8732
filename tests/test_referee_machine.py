"""Hypothesis plays the referee against a model of two integers and a letter.

Strokes, time limits, corrections, "good", the next set, and now and then the desk is switched off and the
match resumed from its lines.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from hypothesis import assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fivepins import rules
from fivepins.errors import IllegalEvent
from fivepins.events import Event, Fix, Good, Late, Lost, Marks, Note, SetStart, Terms, Turn, Undo
from fivepins.lines import Line, format_line, parse_line
from fivepins.match import Phase, State, replay
from fivepins.rulebook import FIBIS_2022, UMB_1997, Rulebook
from fivepins.stroke import Stroke
from fivepins.table import Pair, Side
from fivepins.testing import strokes
from slate import Model, Points, other


@dataclass
class Slate:
    """The sets so far, and the slates as they were before each event, for an undo."""

    sets: list[Model] = field(default_factory=list)
    won: list[str] = field(default_factory=list)


class Referee(RuleBasedStateMachine):
    """Everything a referee does to one match."""

    @initialize(
        book=st.sampled_from([UMB_1997, FIBIS_2022]),
        distance=st.integers(4, 24),
        sets=st.sampled_from([None, 3]),
    )
    def begin(self, book: Rulebook, distance: int, sets: int | None) -> None:
        self.terms = Terms(book=book, distance=Pair(distance, distance), sets=sets, clock=(40, 20))
        self.state = State.start(self.terms)
        self.lines: list[str] = []
        self.slate = Slate()
        self.earlier: list[Slate] = []

    # -- helpers ---------------------------------------------------------------------------------

    @property
    def model(self) -> Model:
        return self.slate.sets[-1]

    def write(self, event: Event) -> None:
        """One more line of the match, read back as a desk would read it."""
        line = format_line(Line(event))
        parsed = parse_line(line).event
        assert parsed == event
        self.state = self.state.then(event)
        self.lines.append(line)

    def happens(self, event: Event, after: Model | None = None, *, won: str = "") -> None:
        """An event that an undo takes back, and the slate after it."""
        self.write(event)
        self.earlier.append(self.slate)
        sets = self.slate.sets if after is None else [*self.slate.sets[:-1], after]
        self.slate = Slate(sets, [*self.slate.won, *won])

    def in_play(self) -> bool:
        return len(self.slate.sets) > len(self.slate.won) and not self.model.full

    def at_the_distance(self) -> bool:
        return len(self.slate.sets) > len(self.slate.won) and self.model.full

    def between_sets(self) -> bool:
        majority = 2 if self.terms.sets else 1
        return len(self.slate.sets) == len(self.slate.won) and all(
            self.slate.won.count(side) < majority for side in "AB"
        )

    def worth(self, stroke: Stroke, turn: int, letter: str) -> Points:
        """What a stroke gives, to whom."""
        opening = self.model.opens(turn)
        occasion = rules.Occasion.OPENING if opening else rules.Occasion.ORDINARY
        ruling = rules.rule(stroke, occasion, self.terms.book)
        given = ruling.to is rules.Receiver.OPPONENT
        return Points(other(letter) if given else letter, ruling.points, turn)

    # -- what the referee does -------------------------------------------------------------------

    @precondition(between_sets)
    @rule(side=st.sampled_from("AB"))
    def set_start(self, side: str) -> None:
        number = len(self.slate.sets) + 1
        if self.slate.sets:
            first = "A" if self.state.sets[0].opener is Side.A else "B"
            expected = first if number % 2 else other(first)
            if side != expected:
                with pytest.raises(IllegalEvent, match="opened by"):
                    self.state.then(SetStart(number, Side(side)))
                side = expected
        before = self.slate
        self.write(SetStart(number, Side(side)))
        self.earlier.append(before)
        self.slate = Slate([*before.sets, Model(side, self.terms.distance.a)], before.won)

    @precondition(in_play)
    @rule(data=st.data(), seconds=st.sampled_from([None, 12.5, 31.0]))
    def some_strokes(self, data: st.DataObject, seconds: float | None) -> None:
        for stroke in data.draw(st.lists(strokes(self.terms.book), min_size=1, max_size=4)):
            if not self.in_play():
                return
            number, letter = self.model.turns + 1, self.model.letter
            points = self.worth(stroke, number, letter)
            check = points.points if points.to == letter else -points.points
            event = Turn(number, Side(letter), stroke, Marks(check=check, seconds=seconds))
            with pytest.raises(IllegalEvent, match="belongs to"):
                self.state.then(replace(event, side=event.side.other))
            self.happens(event, self.model.give(points).turn_over())

    @precondition(in_play)
    @rule()
    def late(self) -> None:
        event = Late(Side(self.model.letter))
        with pytest.raises(IllegalEvent, match="can only be"):
            self.state.then(Late(event.side.other))
        if self.model.late:
            with pytest.raises(IllegalEvent, match="late already"):
                self.state.then(event)
            return
        self.happens(event, replace(self.model.give(Points(other(self.model.letter), 2)), late=True))

    @precondition(in_play)
    @rule()
    def lost(self) -> None:
        event = Turn(self.model.turns + 1, Side(self.model.letter), Lost())
        if not self.model.late:
            with pytest.raises(IllegalEvent, match="cannot lose the turn"):
                self.state.then(event)
            return
        self.happens(event, self.model.give(Points(other(self.model.letter), 2)).turn_over())

    @precondition(lambda self: self.in_play() or self.at_the_distance())
    @rule(data=st.data())
    def fix(self, data: st.DataObject) -> None:
        struck = [place for place, one in enumerate(self.model.given) if one.turn]
        assume(struck)
        place = data.draw(st.sampled_from(struck))
        number = self.model.given[place].turn
        letter = self.state.sets[-1].turns[number - 1].turn.side.value
        stroke = data.draw(strokes(self.terms.book))
        points = self.worth(stroke, number, letter)
        given = (*self.model.given[:place], points, *self.model.given[place + 1 :])
        event = Fix(number, stroke, reason="seen wrongly")
        ends = [
            count
            for count in range(len(given))
            if self.terms.distance.a in (self.model.points(side, given[: count + 1]) for side in "AB")
        ]
        if ends and ends[0] < len(given) - 1:
            with pytest.raises(IllegalEvent, match="would have reached"):
                self.state.then(event)
            return
        self.happens(event, replace(self.model, given=given))

    @precondition(at_the_distance)
    @rule(slip=st.booleans())
    def good(self, slip: bool) -> None:
        score = Pair(self.model.points("A"), self.model.points("B"))
        winner = "A" if score.a == self.model.distance else "B"
        if slip:
            with pytest.raises(IllegalEvent, match="has reached the distance"):
                self.state.then(Good(Side(other(winner)), score))
        self.happens(Good(Side(winner), score), won=winner)

    @precondition(lambda self: self.earlier)
    @rule()
    def undo(self) -> None:
        self.write(Undo("not so"))
        self.slate = self.earlier.pop()

    @precondition(lambda self: self.in_play() or self.at_the_distance())
    @rule()
    def note(self) -> None:
        self.write(Note('said "no"'))

    @precondition(lambda self: self.earlier)
    @rule()
    def resume(self) -> None:
        """The desk comes up again and reads the lines it had written."""
        events = [parse_line(line, number).event for number, line in enumerate(self.lines, 1)]
        replayed = replay(self.terms, [event for event in events if event is not None])
        assert not replayed.faults
        assert replayed.state == self.state
        self.state = replayed.state

    # -- what the board shows --------------------------------------------------------------------

    @invariant()
    def the_board_shows_the_slate(self) -> None:
        if self.slate.sets:
            assert self.state.score == Pair(self.model.points("A"), self.model.points("B"))
        assert len(self.state.sets) == len(self.slate.sets)
        assert self.state.sets_won == Pair(self.slate.won.count("A"), self.slate.won.count("B"))

    @invariant()
    def the_phase_is_that_of_the_slate(self) -> None:
        if self.in_play():
            assert self.state.phase is Phase.PLAY
            assert self.state.to_play is Side(self.model.letter)
            assert self.state.limit is not None
            assert self.state.limit.seconds == (20 if self.model.late else 40)
        elif self.at_the_distance():
            assert self.state.phase is Phase.DISTANCE
        elif self.between_sets():
            assert self.state.phase is (Phase.BETWEEN if self.slate.sets else Phase.LAG)
        else:
            assert self.state.phase is Phase.OVER
            assert self.state.winner is Side(self.slate.won[-1])


TestReferee = Referee.TestCase
TestReferee.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
