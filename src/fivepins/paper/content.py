"""What stands on a match paper, in words: the head, the sets row by row, the figures, the result.

Everything here is text in one language, ready to be set; how it looks is the business of whoever sets it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from fivepins.errors import FivePinsError
from fivepins.events import RefereeChange
from fivepins.language import N_, Language, language
from fivepins.match import State
from fivepins.notation import Record
from fivepins.paper.course import Moment, Section, course, sections
from fivepins.paper.figures import Figure, figures
from fivepins.paper.remarks import ENDS
from fivepins.sheet import Sheet, score
from fivepins.table import Colour, Side

COLOURS = {Colour.WHITE: N_("white ball"), Colour.YELLOW: N_("yellow ball")}


@dataclass(frozen=True, slots=True)
class Player:
    """One side in the head of the paper."""

    side: str
    name: str
    ball: str
    sets: int
    won: bool


@dataclass(frozen=True, slots=True)
class Words:
    """The headings of the paper, translated."""

    title: str
    statistics: str
    definition: str
    result: str
    signatures: tuple[str, ...]
    page: str


@dataclass(frozen=True, slots=True)
class Content:
    """A match paper. `head` and `result` are pairs of a label and what stands behind it."""

    code: str
    date: date | None
    words: Words
    head: tuple[tuple[str, str], ...]
    players: tuple[Player, ...]
    sections: tuple[Section, ...]
    figures: tuple[Figure, ...]
    result: tuple[tuple[str, str], ...]


def match_content(match: Record | Sheet, code: str = "en") -> Content:
    """The content of the paper of a match; raises `FivePinsError` where the record has faults.

    >>> from fivepins.notation import parse_file
    >>> head = "FPN 1\\nA: Rossi\\nB: Bianchi\\nRules: UMB-1997\\nDistance: 60\\nResult: *\\n"
    >>> match_content(parse_file(head + '\\nend A walkover "ill"\\n').records[0]).result[-1]
    ('Ended early', 'walk-over: ill')
    """
    sheet = score(match) if isinstance(match, Record) else match
    state = _sound(sheet)
    speech = language(code)
    moments = course(sheet.record, state)
    return Content(
        code,
        _date(sheet.record),
        _words(speech),
        tuple(_head(sheet.record, state, moments, speech)),
        tuple(_players(state, speech)),
        sections(moments, state, speech),
        figures(state, speech),
        tuple(_result(state, speech)),
    )


def _sound(sheet: Sheet) -> State:
    """The state of a record without faults."""
    if sheet.problems:
        first = sheet.problems[0]
        raise FivePinsError(f"line {first.line}: {first.message}", hint=first.hint)
    if sheet.state is None:
        raise FivePinsError("the head of the match cannot be used", hint="fivepins score tells what is wrong")
    return sheet.state


def _date(record: Record) -> date | None:
    """The day of the match as its head has it."""
    try:
        return date.fromisoformat(record.value("Date") or "")
    except ValueError:
        return None


def _words(speech: Language) -> Words:
    say = speech.say
    return Words(
        say(N_("Match paper")),
        say(N_("Statistics")),
        say(N_("Definition")),
        say(N_("Result")),
        (say(N_("Player A")), say(N_("Player B")), say(N_("Referee"))),
        say(N_("page")),
    )


def _head(
    record: Record, state: State, moments: tuple[Moment, ...], speech: Language
) -> list[tuple[str, str]]:
    """What was agreed and who was there; what the head does not name has a dash."""
    terms, say = state.terms, speech.say
    distance = " / ".join(map(str, dict.fromkeys(terms.distance)))
    length = speech.count("best of {n} set", "best of {n} sets", terms.sets) if terms.sets else ""
    clock = say(N_("none"))
    if terms.clock:
        clock = f"{terms.clock[0]} s + {terms.clock[1]} s"
    handicap = f"A {terms.start.a}, B {terms.start.b}" if any(terms.start) else say(N_("none"))
    changes = [one.event.name for one in moments if isinstance(one.event, RefereeChange)]
    referees = " → ".join([record.value("Referee") or "–", *changes])
    named = (("Event", N_("Event")), ("Site", N_("Site")), ("Date", N_("Date")), ("Round", N_("Round")))
    return [
        *((say(label), record.value(key) or "–") for key, label in named),
        (say(N_("Rules")), f"{terms.book.id} · {terms.book.title}"),
        (say(N_("Distance")), distance),
        (say(N_("Sets")), length or say(N_("single distance"))),
        (say(N_("Clock")), clock),
        (say(N_("Handicap")), handicap),
        (say(N_("Referee")), referees),
    ]


def _players(state: State, speech: Language) -> list[Player]:
    colours = state.colours
    return [
        Player(
            side.value,
            state.terms.players[side],
            speech.say(COLOURS[colours[side]]) if colours else "–",
            state.sets_won[side],
            state.winner is side,
        )
        for side in Side
    ]


def _result(state: State, speech: Language) -> list[tuple[str, str]]:
    """The winner, the sets with their scores, the points of the table, and how it ended early."""
    say = speech.say
    winner = (
        f"{state.winner.value} · {state.terms.players[state.winner]}" if state.winner else say(N_("nobody"))
    )
    won = state.sets_won
    scores = ", ".join(f"{one.score.a}–{one.score.b}" for one in state.sets)
    found = [
        (say(N_("Winner")), winner if state.is_over else say(N_("the match is not finished"))),
        (say(N_("Sets won")), f"{won.a}–{won.b}" + (f" ({scores})" if scores else "")),
    ]
    for label, points in ((N_("Match points"), state.match_points), (N_("Set points"), state.set_points)):
        if points is not None:
            found.append((say(label), f"{points.a}–{points.b}"))
    if state.end is not None:
        found.append((say(N_("Ended early")), f"{say(ENDS[state.end.how])}: {state.end.reason}"))
    return found
