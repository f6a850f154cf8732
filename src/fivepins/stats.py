"""Statistics of a set and of a match, counted afresh from the turns in force.

Nothing is kept between strokes, so a correction cannot leave a wrong figure behind. Every figure has a
definition that is printed with it, and what could not be counted is said.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields

from fivepins.events import Terms, Unrecorded
from fivepins.language import N_
from fivepins.match import State
from fivepins.rules import CANNON, CASIN, CENTRE_PIN, LONE_CENTRE, OUTER_PIN, Award, Receiver, Ruling
from fivepins.sets import Closing, Played, Set, Source, add
from fivepins.stroke import Stroke
from fivepins.table import Pair, Side

DEFINITIONS = {
    "points": N_("points on the score, however they came, cut at the distance, without a handicap"),
    "conceded": N_("points on the opponent's score, without a handicap"),
    "strokes": N_("strokes played; a turn lost on time or a foul without a stroke is none"),
    "scored": N_("points of own strokes, as far as they counted before the distance"),
    "average": N_("scored, divided by strokes"),
    "quotient": N_("points, divided by conceded"),
    "best": N_("most points of one own stroke, before the cut at the distance"),
    "cannons": N_("cannons paid to the striker"),
    "casins": N_("casins paid to the striker"),
    "pins": N_("pins paid to the striker"),
    "lone_centres": N_("centre pins paid to the striker as felled alone"),
    "fouls": N_("fouls by the word announced, whether each cost points or not"),
    "given": N_("points given to the opponent by own strokes, as ruled"),
    "late": N_("first time limits overstepped"),
    "lost": N_("turns lost on time"),
    "seconds": N_("mean seconds of the strokes whose time was noted"),
    "timed": N_("strokes whose time was noted"),
    "unrecorded": N_(
        "strokes of which only the points are known; their pins, cannons and fouls are not counted"
    ),
    "only_score": N_("sets of which only the score is known; they count in points and conceded alone"),
}
"""What each figure means, printed with the figures."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one side; `DEFINITIONS` says what each means."""

    points: int = 0
    conceded: int = 0
    strokes: int = 0
    scored: int = 0
    best: int = 0
    cannons: int = 0
    casins: int = 0
    pins: int = 0
    lone_centres: int = 0
    fouls: Counter[str] = field(default_factory=Counter)
    given: int = 0
    late: int = 0
    lost: int = 0
    seconds_noted: float = 0.0
    timed: int = 0
    unrecorded: int = 0
    only_score: int = 0

    @property
    def average(self) -> float | None:
        """Points a stroke; None before the first one."""
        return self.scored / self.strokes if self.strokes else None

    @property
    def quotient(self) -> float | None:
        """Points made by points conceded; None while nothing is conceded."""
        return self.points / self.conceded if self.conceded else None

    @property
    def seconds(self) -> float | None:
        """Mean seconds a stroke; None where no time was noted."""
        return self.seconds_noted / self.timed if self.timed else None

    def __add__(self, other: Figures) -> Figures:
        sums = {one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(self)}
        return Figures(**(sums | {"best": max(self.best, other.best)}))

    def to_json(self) -> dict[str, object]:
        """The figures under the names of `DEFINITIONS`, rates rounded to thousandths."""
        figures: dict[str, object] = {}
        for name in DEFINITIONS:
            value = getattr(self, name)
            figures[name] = round(value, 3) if isinstance(value, float) else value
        figures["fouls"] = dict(sorted(self.fouls.items()))
        return figures


def of_set(one: Set, terms: Terms) -> Pair[Figures]:
    """The figures of one set, open or closed.

    >>> from fivepins.sets import opened
    >>> of_set(opened(1, Side.A, Terms()), Terms()).a.average is None
    True
    """
    counted = _counted(one, terms)
    return Pair(*(_side(one, side, terms, counted) for side in Side))


def of_match(state: State) -> Pair[Figures]:
    """The figures of all sets together."""
    sets = [of_set(one, state.terms) for one in state.sets]
    return Pair(*(sum((figures[side] for figures in sets), Figures()) for side in Side))


def _side(one: Set, side: Side, terms: Terms, counted: dict[int, int]) -> Figures:
    points = one.score
    only_score = one.closing is Closing.RESULT
    played = [turn for turn in one.turns if turn.turn.side is side]
    strokes = [turn for turn in played if _is_stroke(turn)]
    own = [turn for turn in played if turn.ruling is not None]
    paid = Counter(award.reason for turn in own for award in _paid(turn.ruling))
    noted = [turn.turn.marks.seconds for turn in strokes if turn.turn.marks.seconds is not None]
    return Figures(
        points=points[side] - terms.start[side],
        conceded=points[side.other] - terms.start[side.other],
        strokes=len(strokes),
        scored=sum(counted[t.turn.number] for t in own if t.ruling and t.ruling.to is Receiver.STRIKER),
        best=max((t.ruling.points for t in own if t.ruling and t.ruling.to is Receiver.STRIKER), default=0),
        cannons=paid[CANNON],
        casins=paid[CASIN],
        pins=paid[OUTER_PIN] + paid[CENTRE_PIN] + paid[LONE_CENTRE],
        lone_centres=paid[LONE_CENTRE],
        fouls=Counter(foul for turn in own if turn.ruling for foul in turn.ruling.fouls),
        given=sum(t.ruling.points for t in own if t.ruling and t.ruling.to is Receiver.OPPONENT),
        late=sum(entry.source is Source.LATE and entry.to is side.other for entry in one.ledger),
        lost=sum(turn.ruling is None for turn in played),
        seconds_noted=sum(noted),
        timed=len(noted),
        unrecorded=sum(isinstance(turn.turn.action, Unrecorded) for turn in played),
        only_score=int(only_score),
    )


def _is_stroke(played: Played) -> bool:
    action = played.turn.action
    return isinstance(action, Unrecorded) or (isinstance(action, Stroke) and action.played)


def _paid(ruling: Ruling | None) -> tuple[Award, ...]:
    """The awards of a ruling that went to the striker."""
    return ruling.awards if ruling is not None and ruling.to is Receiver.STRIKER else ()


def _counted(one: Set, terms: Terms) -> dict[int, int]:
    """By turn, the points of its stroke that counted before the distance was reached."""
    score, counted = terms.start, {}
    for entry in one.ledger:
        after = add(score, (entry,), terms)
        if entry.source is Source.STROKE and entry.turn is not None:
            counted[entry.turn] = after[entry.to] - score[entry.to]
        score = after
    return counted
