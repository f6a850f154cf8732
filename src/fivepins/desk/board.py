"""The board: what any screen shows of a match, as a JSON object. And the sheet: its strokes in words.

Pure: a snapshot and a clock go in. `docs/decisions/032-desk.md` names every field.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import tzinfo
from typing import Final

from fivepins.desk.chart import chart
from fivepins.desk.clock import StrokeClock
from fivepins.events import Event, Fix, Pause, RefereeChange, Terms, Turn
from fivepins.language import N_, Language, language
from fivepins.lines import format_line, parse_line
from fivepins.match import NEVER_UNDONE, State
from fivepins.notation import result_text
from fivepins.paper.remarks import ENDS, remark
from fivepins.rules import Receiver, Ruling
from fivepins.sets import Closing, Played, Set, Source
from fivepins.sheet import Row, noted, rows
from fivepins.stats import DEFINITIONS, Figures, of_match
from fivepins.store import CLOSED, OPEN, Snapshot, is_header
from fivepins.store.log import canonical
from fivepins.table import Pair, Side

Json = dict[str, object]

SHOWN: Final = ("event", "site", "date", "round")
"""Headers that a board repeats as they are."""


def board(one: Snapshot, clock: StrokeClock, zone: tzinfo, lang: str) -> Json:
    """A match as it stands; words in `lang`, times of day in the hall's zone."""
    state, figures = one.state, of_match(one.state)
    return {
        "match": one.match_id,
        "seq": one.seq,
        "saved": one.at.astimezone(zone).strftime("%H:%M:%S"),
        "table": one.value("Table"),
        **{key: one.value(key.title()) for key in SHOWN},
        "rules": state.terms.book.id,
        "sets": state.terms.sets or 1,
        "referee": referee(one),
        "language": announced(one),
        "status": CLOSED if one.is_closed else OPEN,
        "sides": {side.value: _side(state, side, figures[side]) for side in Side},
        **_course(state),
        "ended": _ended(state, language(lang)),
        "break": _break(one, zone),
        "terms": _terms(state.terms),
        "clock": _clock(clock),
        "limit": state.limit._asdict() if state.limit else None,
        "last": _last(one, lang),
    }


def announced(one: Snapshot) -> str:
    """The language of the referee's announcements."""
    return one.value("Language") or "en"


def referee(one: Snapshot) -> str:
    """Who is the referee by now: a change in the course of the match counts."""
    names = [event.name for event in one.state.log if isinstance(event, RefereeChange)]
    return names[-1] if names else one.value("Referee")


def _side(state: State, side: Side, figures: Figures) -> Json:
    colours = state.colours
    average = figures.average
    return {
        "name": state.terms.players[side],
        "colour": colours[side].value if colours else None,
        "score": state.score[side],
        "sets": state.sets_won[side],
        "start": state.terms.start[side],
        "distance": state.terms.distance[side],
        "missing": state.missing[side],
        "average": None if average is None else round(average, 3),
        "best": figures.best,
        "fouls": sum(figures.fouls.values()),
        "extra": state.extra_left[side],
    }


def _course(state: State) -> Json:
    """Where the match is, and what may come next."""
    one, situation = state.set, state.situation
    reached = one.reached(state.terms) if one else None
    end = state.end.how if state.end else None
    return {
        "phase": state.phase.value,
        "set": state.sets[-1].number if state.sets else 0,
        "turn": len(one.turns) + 1 if one else 0,
        "to_play": _letter(state.to_play),
        "hand": state.ball_in_hand,
        "spot": bool(situation and situation.may_spot),
        "opening": bool(situation and situation.occasion.value == "opening"),
        "late": bool(one and one.late),
        "opener": _letter(state.next_opener),
        "chooser": _letter(state.lag.chooser),
        "set_winner": _letter(reached),
        "winner": _letter(state.winner),
        "over": state.is_over,
        "result": result_text(state.winner, state.sets_won, end, over=state.is_over),
        "steps": sum(not isinstance(event, NEVER_UNDONE) for event in state.log),
        "pause": state.pause.value,
        "minutes": state.terms.book.pause.minutes,
        "lag": {"played": state.lag.played, "caused": _pair(state.lag.caused)},
        "finished": [
            {"set": done.number, **_pair(done.score), "winner": _letter(done.winner)}
            for done in state.sets
            if not done.is_open
        ],
    }


def _ended(state: State, speech: Language) -> str:
    """How a match ended before its last point, in words; empty where it did not."""
    end = state.end
    return f"{speech.say(ENDS[end.how])}: {end.reason}" if end else ""


def _break(one: Snapshot, zone: tzinfo) -> Json | None:
    """The break that was begun last and that nothing has ended: since when, and how long it is."""
    events = [event for event in one.state.log if not isinstance(event, NEVER_UNDONE)]
    if not events or not isinstance(events[-1], Pause):
        return None
    pause = events[-1]
    return {"at": pause.at or one.at.astimezone(zone).strftime("%H:%M:%S"), "seconds": pause.seconds}


def _terms(terms: Terms) -> Json:
    """What was agreed and what the book says, as far as a desk without a network needs it."""
    time, clock = terms.book.time, terms.clock
    return {
        "majority": terms.majority,
        "breaks": list(terms.book.pause.after_sets.get(terms.sets or 1, ())),
        "limits": clock and {"first": clock[0], "second": clock[1], "extra": time.extra + clock[0]},
        "extra": 1 if time.extra else 0,
        "lost_in_hand": time.hand_when_lost,
    }


def _clock(clock: StrokeClock) -> Json:
    """The clock as screens count it on: `since` in milliseconds of the server's clock."""
    return {
        "running": clock.running,
        "since": None if clock.since is None else round(clock.since * 1000),
        "held": round(clock.held, 2),
        "from": round(clock.begun, 2),
        "ask": clock.ask,
    }


def _last(one: Snapshot, lang: str) -> Json | None:
    """The last points that were made, and what the referee says of them."""
    state = one.state
    if not state.sets or not state.sets[-1].ledger:
        return None
    last = state.sets[-1]
    row = list(rows(last, state.terms, lang))[-1]
    entry = last.ledger[-1]
    played = _played(last, entry.turn) if entry.source is Source.STROKE else None
    ruling = played.ruling if played else None
    return {
        "turn": entry.turn,
        "side": row.side.value,
        "to": entry.to.value if entry.points else None,
        "points": entry.points,
        "facts": row.facts,
        "words": row.words,
        "announce": ruling.say(announced(one)) if ruling else row.words,
        "hand": bool(ruling and ruling.ball_in_hand),
        "foul": bool(ruling and ruling.offences) or entry.source is not Source.STROKE,
    }


def _played(one: Set, turn: int | None) -> Played | None:
    return next((played for played in one.turns if played.turn.number == turn), None)


# -- the sheet -----------------------------------------------------------------------------------


def sheet(one: Snapshot, lang: str, *, newest: bool = False) -> Json:
    """Every stroke in words, with statistics; `newest`: of the sets only the last one."""
    state, speech = one.state, language(lang)
    figures = of_match(state)
    shown = state.sets[-1:] if newest else state.sets
    return {
        "match": one.match_id,
        "seq": one.seq,
        "count": len(state.sets),
        "sets": [_set(done, state, lang) for done in shown],
        "statistics": {side.value: figures[side].to_json() for side in Side},
        "definitions": [] if newest else [[key, speech.say(text)] for key, text in DEFINITIONS.items()],
        "remarks": [_remark(number, event, state, speech) for number, event in noted(state)],
    }


def _remark(number: int, event: Event, state: State, speech: Language) -> str:
    """What happened beside the strokes, as the paper says it, with the names that its columns have there."""
    text = remark(event, speech, names=state.terms.players)
    before = [speech.say(N_("Set {number}")).format(number=number)] if number else []
    return " · ".join([*before, *([event.at] if event.at else []), text])


def _set(one: Set, state: State, lang: str) -> Json:
    return {
        "number": one.number,
        "opener": _letter(one.opener),
        "winner": _letter(one.winner),
        "awarded": one.closing is Closing.AWARD,
        "score": _pair(one.score),
        "rows": [
            _row(row, entry.to, entry.points, _played(one, entry.turn))
            for row, entry in zip(rows(one, state.terms, lang), one.ledger, strict=True)
        ],
        "chart": chart(one, state.terms),
    }


def _row(row: Row, to: Side, points: int, played: Played | None) -> Json:
    ruling = played.ruling if played else None
    return {
        "turn": row.turn,
        "side": row.side.value,
        "to": to.value if points else None,
        "points": points,
        "facts": row.facts,
        "words": row.words,
        "hand": bool(ruling and ruling.ball_in_hand),
        "foul": to is not row.side,
        **_pair(row.score),
    }


# -- lines, looked at before they are stored -----------------------------------------------------


def preview(one: Snapshot, lines: Sequence[str], lang: str) -> tuple[Json, Snapshot]:
    """What lines would come to, and the match after them; raises as `Snapshot.after` does.

    Where a stroke had no check, it comes back with that of its ruling: what the referee saw is what counts.
    """
    now, written, ruling = one, [], None
    for text in map(canonical, lines):
        now = now.after([text], now.at)
        line = None if is_header(text) else parse_line(text)
        if line and isinstance(line.event, Turn | Fix):
            ruling = now.state.sets[-1].turns[line.event.number - 1].ruling
            written.append(format_line(replace(line, event=_checked(line.event, ruling))))
        else:
            written.append(text)
    to = {Receiver.STRIKER: "striker", Receiver.OPPONENT: "opponent", None: ""}[ruling.to if ruling else None]
    answer: Json = {
        "lines": written,
        "words": ruling.explain(lang) if ruling else "",
        "announce": ruling.say(announced(one)) if ruling else "",
        "points": ruling.points if ruling else 0,
        "to": to,
        "hand": bool(ruling and ruling.ball_in_hand),
    }
    return answer, now


def _checked(event: Turn | Fix, ruling: Ruling | None) -> Turn | Fix:
    if ruling is None or event.marks.check is not None:
        return event
    return replace(event, marks=replace(event.marks, check=ruling.signed))


def _letter(side: Side | None) -> str | None:
    return side.value if side else None


def _pair(pair: Pair[int]) -> Json:
    return {"A": pair.a, "B": pair.b}
