"""What stands on a match paper, in words: the head, the sets row by row, the figures, the result.

Everything here is text in one language, ready to be set; how it looks is the business of whoever sets it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from fivepins.errors import FivePinsError
from fivepins.events import RefereeChange, Terms
from fivepins.language import N_, Language, language
from fivepins.match import State
from fivepins.message import Message
from fivepins.notation import Record
from fivepins.paper.course import Moment, Section, course, sections
from fivepins.paper.day import day_of, written
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


@dataclass(frozen=True, slots=True)
class Bundle:
    """Match papers as one document; its date is that of the latest match."""

    code: str
    date: date | None
    title: str
    matches: tuple[Content, ...]


def bundle(matches: tuple[Content, ...], code: str) -> Bundle:
    """Papers as one document; raises `FivePinsError` where there is none."""
    if not matches:
        raise FivePinsError("there is no match to print")
    first, days = matches[0], [one.date for one in matches if one.date]
    what = " – ".join(one.name for one in first.players) if len(matches) == 1 else str(len(matches))
    return Bundle(code, max(days, default=None), f"{first.words.title}: {what}", matches)


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
        day_of(sheet.record.value("Date")),
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
        raise FivePinsError(
            Message("line {line}: {message}", line=first.line, message=Message(first.message)),
            hint=first.hint,
        )
    if sheet.state is None:
        raise FivePinsError("the head of the match cannot be used", hint="fivepins score tells what is wrong")
    return sheet.state


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


def agreed(terms: Terms | None, speech: Language) -> tuple[tuple[str, str], ...]:
    """Distance, sets, clock and handicap, each behind its label; without terms nothing is behind it."""
    distance = length = clock = handicap = ""
    if terms:
        none = speech.say(N_("none"))
        distance = " / ".join(map(str, dict.fromkeys(terms.distance)))
        length = speech.say(N_("single distance"))
        if terms.sets:
            length = speech.count("best of {n} set", "best of {n} sets", terms.sets)
        clock = f"{terms.clock[0]} s + {terms.clock[1]} s" if terms.clock else none
        handicap = f"A {terms.start.a}, B {terms.start.b}" if any(terms.start) else none
    return (
        (speech.say(N_("Distance")), distance),
        (speech.say(N_("Sets")), length),
        (speech.say(N_("Clock")), clock),
        (speech.say(N_("Handicap")), handicap),
    )


def _head(
    record: Record, state: State, moments: tuple[Moment, ...], speech: Language
) -> list[tuple[str, str]]:
    """What was agreed and who was there; what the head does not name has a dash."""
    terms, say = state.terms, speech.say
    changes = [one.event.name for one in moments if isinstance(one.event, RefereeChange)]
    referees = " → ".join([record.value("Referee") or "–", *changes])
    return [
        (say(N_("Event")), record.value("Event") or "–"),
        (say(N_("Site")), record.value("Site") or "–"),
        (say(N_("Date")), written(record.value("Date") or "–", speech.code)),
        (say(N_("Round")), record.value("Round") or "–"),
        (say(N_("Rules")), f"{terms.book.id} · {terms.book.title}"),
        *agreed(terms, speech),
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
