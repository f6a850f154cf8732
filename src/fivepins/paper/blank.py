"""What stands on the sheet for a pencil: the head, as far as it is known, and the signs of the notation.

The signs are those of FPN, so what was written by hand during an outage can be typed in as it stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from fivepins.events import Terms
from fivepins.language import N_, Language, language
from fivepins.notation import Record
from fivepins.paper.content import COLOURS, agreed
from fivepins.paper.day import day_of, written
from fivepins.rulebook import UMB_1997, Rulebook
from fivepins.table import Pair, Side

_MOST_SETS = 7
"""Boxes for set scores where the number of sets is not known."""

_SIGNS = (
    ("o · r", N_("object ball, red ball touched")),
    ("o-r", N_("object ball touched the red")),
    ("/13", N_("pins fallen, see the drawing")),
    (".", N_("an outer pin, not noted which")),
    ("c/2", N_("pin felled by the cue ball")),
    ("-", N_("nothing touched")),
    ("c^ o^ r^", N_("ball off the table")),
    ("!foot", N_("foul seen: foot, jump, push, tip …")),
    ("spot", N_("object ball on its spot (44.5)")),
    ("x", N_("no stroke, only the foul noted")),
    ("late", N_("first time limit overstepped")),
    ("lost", N_("turn lost on time")),
)
"""The signs a pencil needs; those of cushions and positions are left to machines."""


@dataclass(frozen=True, slots=True)
class Blank:
    """The sheets of a match, one a set.

    `head` are pairs of a label and what stands behind it, empty where it is written by hand; `titles` are the
    sets' own; `players` are pairs of name and ball.
    """

    code: str
    date: date | None
    title: str
    head: tuple[tuple[str, str], ...]
    titles: tuple[str, ...]
    players: tuple[tuple[str, str], ...]
    balls: tuple[str, ...]
    boxes: int
    columns: tuple[str, ...]
    """number, facts, points, seconds, score"""
    opens: str
    set_score: str
    remarks: str
    signs: tuple[tuple[str, str], ...]
    values: tuple[tuple[str, str], ...]
    fixing: str
    signatures: tuple[str, ...]
    page: str


def blank_content(code: str = "en", match: Record | None = None, book: Rulebook = UMB_1997) -> Blank:
    """The words of the sheet.

    >>> blank_content().titles
    ('Set',)
    """
    speech, terms = language(code), match.terms if match else None
    say, sets = speech.say, terms.sets if terms else None
    known = match.value("Date") if match and terms else None
    return Blank(
        code,
        day_of(known),
        say(N_("Score sheet")),
        _head(match, terms, book, speech),
        tuple(f"{say(N_('Set'))} {number} / {sets}" for number in range(1, (sets or 0) + 1))
        or (say(N_("Set")),),
        _players(terms, speech),
        (say(N_("white ball")), say(N_("yellow ball"))),
        sets or (1 if terms else _MOST_SETS),
        tuple(map(say, (N_("no."), N_("facts"), N_("pts"), N_("s"), N_("score")))),
        say(N_("opens")),
        say(N_("Set scores")),
        say(N_("Remarks, decisions (1.2), breaks, extra time")),
        tuple((sign, say(words)) for sign, words in _SIGNS),
        _values(terms.book if terms else book, speech),
        say(N_("A slip: strike the line out, write it anew, give the reason under the remarks.")),
        (say(N_("Player A")), say(N_("Player B")), say(N_("Referee"))),
        say(N_("page")),
    )


def _head(
    match: Record | None, terms: Terms | None, book: Rulebook, speech: Language
) -> tuple[tuple[str, str], ...]:
    """What a record's head says; where there is none, only the rules are printed."""
    say, read = speech.say, match.value if match and terms else lambda _: None
    rules = terms.book if terms else book
    return (
        (say(N_("Event")), read("Event") or ""),
        (say(N_("Round")), read("Round") or ""),
        (say(N_("Site")), read("Site") or ""),
        (say(N_("Table")), read("Table") or ""),
        (say(N_("Date")), written(read("Date") or "", speech.code)),
        (say(N_("Referee")), read("Referee") or ""),
        *agreed(terms, speech),
        (say(N_("Rules")), f"{rules.id} · {rules.title}"),
    )


def _players(terms: Terms | None, speech: Language) -> tuple[tuple[str, str], ...]:
    """Name and ball by side; without a ball in the head it follows from who opens (25.2)."""
    names = terms.players if terms else Pair("", "")
    balls = terms.balls if terms else None
    return tuple((names[side], speech.say(COLOURS[balls[side]]) if balls else "") for side in Side)


def _values(book: Rulebook, speech: Language) -> tuple[tuple[str, str], ...]:
    """What a stroke is worth in a book."""
    say = speech.say
    return (
        (say(N_("outer pin")), str(book.outer)),
        (say(N_("centre pin, alone")), f"{book.centre}, {book.lone_centre}"),
        (say(N_("cannon")), str(book.cannon)),
        (say(N_("casin")), str(book.casin)),
        (say(N_("foul, to the opponent")), str(book.foul)),
        (say(N_("red ball first")), f"{book.foul} + {book.red_complement}"),
        (say(N_("overstepped time")), str(book.time.penalty)),
    )
