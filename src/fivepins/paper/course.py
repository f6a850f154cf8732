"""The course of a match as rows of its paper: strokes of both sides beside each other, remarks between.

What was taken back stands where it was taken back, and what was corrected says what it had been.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fivepins.events import Event, Fix, Good, Late, Penalty, Score, SetResult, SetStart, Turn, Undo
from fivepins.language import N_, Language
from fivepins.match import NEVER_UNDONE, State
from fivepins.notation import Record
from fivepins.paper.remarks import remark
from fivepins.sets import Closing, Played, Set
from fivepins.sheet import Row, rows
from fivepins.stroke import Stroke
from fivepins.table import Side


@dataclass(frozen=True, slots=True)
class Moment:
    """An event that stands on the paper.

    Of an undo, `taken` is what it took back; of a fix or an undone turn, `before` is the turn as it was.
    """

    event: Event
    taken: Event | None = None
    before: Played | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """A stroke: its number, what it was in words, its points with their sign, the striker's score after."""

    turn: int
    words: str
    points: str
    foul: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A row: up to two strokes with the score after them, or a remark over the whole width."""

    a: Cell | None = None
    b: Cell | None = None
    score: tuple[str, str] = ("", "")
    remark: str = ""
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A set, or what came before the first one."""

    title: str
    outcome: str
    names: tuple[str, str]
    lines: tuple[Line, ...]


def course(record: Record, state: State) -> tuple[Moment, ...]:
    """Every event of a sound record in its order, what was taken back only as taken back."""
    now, moments = State.start(state.terms, rescored=state.rescored), list[Moment]()
    for line in record.events():
        event = line.event
        assert event is not None
        if isinstance(event, Undo):
            place = max(
                i for i, one in enumerate(moments) if not isinstance(one.event, (*NEVER_UNDONE, Undo))
            )
            taken = moments.pop(place).event
            moments.append(Moment(event, taken, _turn(now, taken)))
        elif not isinstance(event, Score):
            moments.append(Moment(event, None, _turn(now, event) if isinstance(event, Fix) else None))
        now = now.unverified(event)
    return tuple(moments)


def _turn(state: State, event: Event) -> Played | None:
    """The turn an event is about, as it stands now."""
    if not isinstance(event, (Turn, Fix)) or not state.sets:
        return None
    return state.sets[-1].turns[event.number - 1]


def sections(moments: tuple[Moment, ...], state: State, speech: Language) -> tuple[Section, ...]:
    """The moments by sets."""
    groups: list[list[Moment]] = [[]]
    for moment in moments:
        if isinstance(moment.event, (SetStart, SetResult)):
            groups.append([])
        groups[-1].append(moment)
    found = [_set(one, group, state, speech) for one, group in zip(state.sets, groups[1:], strict=True)]
    if groups[0]:
        lines = tuple(_lines(groups[0], iter(()), speech, 0))
        found.insert(0, Section(speech.say(N_("Before the first set")), "", _names(state), lines))
    return tuple(found)


def _set(one: Set, group: list[Moment], state: State, speech: Language) -> Section:
    say = speech.say
    title = say(N_("Set {number}")).format(number=one.number)
    if (at := group[0].event.at) is not None:
        title += f" · {at}"
    parts = [f"{one.score.a}–{one.score.b}"]
    if one.opener is not None:
        parts.append(say(N_("opened by {side}")).format(side=one.opener.value))
    if one.winner is not None:
        parts.append(say(N_("won by {side}")).format(side=one.winner.value))
    if one.closing is None and not state.is_over:
        parts.append(say(N_("not finished")))
    if one.closing is Closing.RESULT:
        parts.append(say(N_("only the score is known")))
    lines = tuple(
        _lines(group, rows(one, state.terms, speech.code), speech, state.terms.book.time.penalty, one)
    )
    return Section(title, " · ".join(parts), _names(state), lines)


def _names(state: State) -> tuple[str, str]:
    """The names as the column heads have them, cut where they would fill the page."""
    a, b = (name if len(name) <= 40 else f"{name[:39]}…" for name in state.terms.players)
    return f"A · {a}", f"B · {b}"


def _lines(
    group: list[Moment], scored: Iterator[Row], speech: Language, penalty: int, one: Set | None = None
) -> Iterator[Line]:
    """The rows of a set; a stroke waits for its answer unless something came between."""
    waiting: Line | None = None
    for moment in group:
        event = moment.event
        row = next(scored) if isinstance(event, (Turn, Late, Penalty)) else None
        if isinstance(event, Turn) and row is not None and one is not None:
            if waiting is not None and event.side is one.opener:
                yield waiting
                waiting = None
            answered = waiting is not None
            cell = _cell(one.turns[event.number - 1], row, speech, penalty)
            waiting = _with(waiting or Line(), event.side, cell, row)
            if not answered:
                continue
        text = _remark(moment, row, speech, penalty)
        if waiting is not None and (text or isinstance(event, Turn)):
            yield waiting
            waiting = None
        if text:
            yield Line(remark=text, strong=not isinstance(event, (Fix, Undo)))
    if waiting is not None:
        yield waiting


def _with(line: Line, side: Side, cell: Cell, row: Row) -> Line:
    """A line with the stroke of one side, and the score after it."""
    score = (str(row.score.a), str(row.score.b))
    return Line(cell, line.b, score) if side is Side.A else Line(line.a, cell, score)


def _cell(played: Played, row: Row, speech: Language, penalty: int) -> Cell:
    ruling = played.ruling
    words = row.words
    if ruling is None:
        return Cell(played.turn.number, speech.say(N_("turn lost on time")), f"−{penalty}", foul=True)
    if isinstance(played.turn.action, Stroke) and played.turn.action.spot:
        words = f"{speech.say(N_('object ball on its spot'))}; {words}"
    points = f"{ruling.signed:+d}".replace("-", "−") if ruling.points else "0"
    return Cell(played.turn.number, words, points, foul=bool(ruling.offences))


def _remark(moment: Moment, row: Row | None, speech: Language, penalty: int) -> str:
    """A moment as a sentence over the whole width; empty where a stroke or the title says it."""
    event = moment.event
    at = f"{event.at} " if event.at else ""
    match event:
        case Turn() | SetStart() | Good(short=None) | SetResult():
            return ""
        case Undo():
            assert moment.taken is not None
            what = _taken(moment, speech, penalty)
            return f"{at}{speech.say(N_('taken back: {what}')).format(what=what)} ({event.reason})"
        case Fix():
            assert moment.before is not None
            was = _was(moment.before, speech)
            text = speech.say(N_("turn {number} corrected, before: {was}"))
            return f"{at}{text.format(number=event.number, was=was)} ({event.reason})"
        case _:
            score = f" → {row.score.a}–{row.score.b}" if row else ""
            return f"{at}{remark(event, speech, penalty)}{score}"


def _taken(moment: Moment, speech: Language, penalty: int) -> str:
    """What an undo took back, in words."""
    event, before = moment.taken, moment.before
    assert event is not None
    match event:
        case Turn():
            text = speech.say(N_("turn {number} of {side}"))
            was = f": {_was(before, speech)}" if before else ""
            return text.format(number=event.number, side=event.side.value) + was
        case SetStart() | SetResult():
            return speech.say(N_("start of set {number}")).format(number=event.number)
        case Good():
            return speech.say(N_("end of the set at {score}")).format(
                score=f"{event.score.a}–{event.score.b}"
            )
        case _:
            return remark(event, speech, penalty)


def _was(played: Played, speech: Language) -> str:
    """What a turn had been, in words."""
    if played.ruling is None:
        return speech.say(N_("turn lost on time"))
    return played.ruling.explain(speech.code) or speech.say(N_("no points"))
