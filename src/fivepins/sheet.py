"""A match scored from its record: where text and state meet.

`score` replays a record and brings every fault back to its line and column; a `Sheet` is what the score
sheet, the JSON and the paper are made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from fivepins.errors import IllegalEvent
from fivepins.events import (
    AwardSet,
    Decision,
    End,
    Event,
    Fix,
    Good,
    Note,
    Pause,
    PauseRefused,
    Penalty,
    Place,
    Protest,
    RefereeChange,
    Resume,
    SetResult,
    SetStart,
    Suspend,
    Swap,
    Terms,
)
from fivepins.language import N_, language
from fivepins.lines import Line, format_event, format_line
from fivepins.match import State, replay
from fivepins.message import Message
from fivepins.notation import Problem, Record, result_text
from fivepins.rulebook import Rulebook
from fivepins.sets import Set, Source, add
from fivepins.stats import Figures, of_match, of_set
from fivepins.table import Pair, Side
from fivepins.tokens import format_action, quote


@dataclass(frozen=True, slots=True)
class Sheet:
    """A record, the state its lines come to, and what was wrong; `state` is None without usable terms."""

    record: Record
    state: State | None
    problems: tuple[Problem, ...] = ()

    @property
    def result(self) -> str:
        """What the `Result` header should say."""
        if self.state is None:
            return "*"
        end = self.state.end.how if self.state.end else None
        return result_text(self.state.winner, self.state.sets_won, end, over=self.state.is_over)


def score(record: Record, *, book: Rulebook | None = None, lenient: bool = False) -> Sheet:
    """Replay a record, under its own rule book or another.

    Strict, it stops before the first line at fault; lenient, it goes on where only a figure is wrong.
    """
    if record.terms is None:
        return Sheet(record, None)
    rescored = book is not None and book != record.terms.book
    terms = record.terms if book is None else replace(record.terms, book=book)
    lines = [line for line in record.lines if line.event is not None]
    done = replay(
        terms, (line.event for line in lines if line.event is not None), lenient=lenient, rescored=rescored
    )
    problems = tuple(_problem(lines[fault.place], fault.error) for fault in done.faults)
    sheet = Sheet(record, done.state, problems)
    if rescored or not done.whole:
        return sheet
    return replace(sheet, problems=(*problems, *_wrong_result(sheet)))


def _problem(line: Line, error: IllegalEvent) -> Problem:
    """An illegal event at its place; a failed check quotes its line."""
    message = error.message
    if error.part == "check":
        text = quote(format_line(replace(line, comment=None)))
        message = Message("{message}: {text}", message=message, text=text)
    return Problem(line.number, line.column(error.part, error.index), message, error.hint)


def _wrong_result(sheet: Sheet) -> Iterator[Problem]:
    """The `Result` header where it says something else than the lines; never while it is `*`."""
    header = sheet.record.header("Result")
    if header is not None and header.value not in ("*", sheet.result):
        yield Problem(
            header.number,
            len("Result: ") + 1,
            f"the lines come to '{sheet.result}', the head says '{header.value}'",
            "fivepins fmt writes the result, or write *",
        )


class Row(NamedTuple):
    """One line of the score sheet: what happened, why it counts, and the score after it."""

    turn: int | None
    side: Side
    facts: str
    words: str
    score: Pair[int]


def rows(one: Set, terms: Terms, code: str = "en") -> Iterator[Row]:
    """The lines of a set's score sheet, in the order in which points were made."""
    played = {turn.turn.number: turn for turn in one.turns}
    speech = language(code)
    score = terms.start
    for entry in one.ledger:
        score = add(score, (entry,), terms)
        turn = None if entry.turn is None else played.get(entry.turn)
        if entry.source is Source.STROKE and turn is not None and turn.ruling is not None:
            facts, words, side = format_action(turn.turn.action), turn.ruling.explain(code), turn.turn.side
            words = words or speech.say(N_("no points"))
            hand = f", {speech.say(N_('ball in hand'))}" if turn.ruling.ball_in_hand else ""
            yield Row(entry.turn, side, facts, words + hand, score)
        else:
            words = f"{speech.say(_SOURCES[entry.source])} {entry.points}"
            yield Row(entry.turn, entry.to.other, entry.source.value, words, score)


_SOURCES = {
    Source.LATE: N_("first time limit overstepped"),
    Source.LOST: N_("turn lost on time"),
    Source.PENALTY: N_("penalty"),
}


_PAPER = (
    Note,
    Protest,
    Decision,
    RefereeChange,
    Suspend,
    Resume,
    Place,
    Swap,
    Penalty,
    Pause,
    PauseRefused,
    AwardSet,
    Fix,
    End,
)


def noted(state: State) -> Iterator[tuple[int, Event]]:
    """What is told beside the strokes (1.2), each with its set, 0 before the first: decisions, breaks …"""
    number = 0
    for event in state.log:
        if isinstance(event, SetStart | SetResult):
            number = event.number
        if isinstance(event, _PAPER) or (isinstance(event, Good) and event.short is not None):
            yield number, event


def for_the_paper(state: State) -> Iterator[str]:
    """What is told beside the strokes, as it is written."""
    for number, event in noted(state):
        yield f"set {number}: {format_event(event)}" if number else format_event(event)


def sheet_json(sheet: Sheet, file: str, problems: Iterable[Problem] = ()) -> dict[str, object]:
    """A match as `fivepins score --json` prints it; `problems` are those of reading the file."""
    record, state = sheet.record, sheet.state
    faults = [problem.to_json() for problem in (*problems, *sheet.problems)]
    sides = {side.value: record.value(side.value) for side in Side}
    if state is None:
        nothing = dict.fromkeys(
            ("score", "sets_won", "winner", "over", "match_points", "set_points", "statistics")
        )
        return (
            {"file": file, "rules": record.value("Rules"), "sides": sides, "sets": []}
            | nothing
            | {"problems": faults}
        )
    return {
        "file": file,
        "rules": state.terms.book.id,
        "sides": sides,
        "sets": [_set_json(one) for one in state.sets],
        "score": _sides(state.score),
        "sets_won": _sides(state.sets_won),
        "winner": state.winner.value if state.winner else None,
        "over": state.is_over,
        "match_points": _sides(state.match_points) if state.match_points else None,
        "set_points": _sides(state.set_points) if state.set_points else None,
        "statistics": _statistics(state),
        "problems": faults,
    }


def _set_json(one: Set) -> dict[str, object]:
    return {
        "number": one.number,
        "opener": one.opener.value if one.opener else None,
        "A": one.score.a,
        "B": one.score.b,
        "winner": one.winner.value if one.winner else None,
        "turns": len(one.turns),
    }


def _statistics(state: State) -> dict[str, object]:
    def figures(pair: Pair[Figures]) -> dict[str, object]:
        return {side.value: pair[side].to_json() for side in Side}

    sets = [{"number": one.number} | figures(of_set(one, state.terms)) for one in state.sets]
    return figures(of_match(state)) | {"sets": sets}


def _sides(pair: Pair[int]) -> dict[str, int]:
    return {"A": pair.a, "B": pair.b}
