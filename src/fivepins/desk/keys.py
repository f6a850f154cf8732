"""The rulings behind the desk's keys: every stroke that keys alone can enter, ruled before it is played.

The tablet shows a ruling before the commit, also without a network; so it holds this table, and the rules
exist once. A stroke is entered as *presses*: a contact, the fouls, and one pin key that commits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from fivepins.errors import FivePinsError, IllegalEvent, ImpossibleStroke
from fivepins.events import Terms, Turn
from fivepins.message import Message
from fivepins.rulebook import Rulebook
from fivepins.rules import Occasion, Receiver, rule
from fivepins.sets import Situation, opened
from fivepins.stroke import Foul, Stroke
from fivepins.table import Side
from fivepins.tokens import format_action, parse_stroke

CONTACTS = ("cannon", "casin")
DERIVED = ("cue", "missed", "red", "red-only", "first", "off-own", "off-other", "off-red")
"""The keys of fouls that follow from facts: own ball in the pins, object ball missed, red ball first, red
ball only, pins first, and the ball that left the table."""
SEEN = tuple(foul.value for foul in Foul)
PINS = ("0", "1", "2", "3", "4", "R", "R+1", "R+2", "R+3", "R+4")
ORDER = (*CONTACTS, *DERIVED, *SEEN, *PINS)
"""All presses in the order in which they are written down."""

_OUTS = {"off-own": "c^", "off-other": "o^", "off-red": "r^"}
_APART = (
    {"missed", "cannon"},
    {"missed", "casin"},
    {"missed", "cue"},
    {"missed", "red"},
    {"missed", "red-only"},
    {"missed", "first"},
    {"missed", "off-other"},
    {"missed", "off-red"},
    {"red-only", "cannon"},
    {"red-only", "casin"},
    {"red-only", "cue"},
    {"red-only", "red"},
    {"red-only", "off-other"},
    {"first", "cue"},
)
"""What cannot have happened in one stroke."""


class Key(NamedTuple):
    """One stroke of the table: its facts, what they are worth and to whom, and what may be said of it.

    `to` is "striker", "opponent" or empty; `hand` and `spot` are the incoming player's.
    """

    facts: str
    points: int
    to: str
    hand: int
    spot: int
    words: str
    announce: str


def table(
    book: Rulebook, occasion: Occasion, *, fouls: int = 1, lang: str = "en", say: str = "en"
) -> dict[str, Key]:
    """Every stroke with at most one foul, or all those with two, by its presses.

    Words are in the language `lang`, announcements in `say`. Strokes with two fouls are many and rare, so
    they come as a table of their own; strokes with more are asked of the server.

    >>> from fivepins.rulebook import UMB_1997
    >>> keys = table(UMB_1997, Occasion.ORDINARY)
    >>> keys["cannon R"].facts, keys["cannon R"].points, keys["missed 0"].facts
    ('o r /5', 12, '-')
    """
    found = {}
    for presses in _combinations(book, fouls):
        if (key := _ruled(presses, book, occasion, lang, say)) is not None:
            found[" ".join(presses)] = key
    return found


def facts(presses: Sequence[str]) -> str:
    """The facts of a stroke entered by keys, in the order of time.

    Raises `FivePinsError` where a key is unknown or the keys cannot go together.

    >>> facts(["cannon", "cue", "2"]), facts(["red", "R+1"]), facts(["missed", "off-own", "0"])
    ('o r c/..', 'r o /.5', '- c^')
    """
    pressed = set(presses)
    _refuse(presses, pressed)
    pins = _pin_token(next(press for press in presses if press in PINS))
    nothing = pressed.isdisjoint({*CONTACTS, "red", "red-only"})
    tokens = [
        f"c{pins}" if "first" in pressed else "",
        "r" if pressed & {"red", "red-only"} else "",
        "" if pressed & {"missed", "red-only"} else "o",
        "r" if "cannon" in pressed else "o-r" if "casin" in pressed else "",
        "" if "first" in pressed else _after_contact(pins, pressed),
        *(out for press, out in _OUTS.items() if press in pressed),
        *(f"!{press}" for press in SEEN if press in pressed),
    ]
    if "off-red" in pressed and nothing:
        raise FivePinsError(
            "the red left the table, but nothing touched it",
            hint="cannon, casin or red ball first?",
        )
    if pressed >= {"red", "0"} and pressed.isdisjoint({*CONTACTS, "off-other"}):
        tokens[2] = ""  # nobody has to know whether the object ball was met when nothing came of it
    return format_action(parse_stroke(" ".join(filter(None, tokens))))


def _refuse(presses: Sequence[str], pressed: set[str]) -> None:
    if unknown := [press for press in presses if press not in ORDER]:
        raise FivePinsError(
            Message("there is no key {key!r}", key=unknown[0]),
            hint=Message("keys are {names}", names=" ".join(ORDER)),
        )
    if len(pressed & set(PINS)) != 1 or len(pressed) != len(presses):
        raise FivePinsError("a stroke is entered with exactly one pin key, and no key twice")
    if pressed >= set(CONTACTS):
        raise FivePinsError(
            "a cannon and a casin do not add up",
            hint="the first contact with the red counts (22.2)",
        )
    if apart := next((pair for pair in _APART if pressed >= pair), None):
        one, other = sorted(apart)
        raise FivePinsError(
            Message("{one} and {other} cannot both have happened in one stroke", one=one, other=other)
        )
    if "0" in pressed and pressed & {"cue", "first"}:
        raise FivePinsError("which pins did the cue ball fell?", hint="press a pin key other than 0")


def _after_contact(pins: str, pressed: set[str]) -> str:
    """The pins behind the contacts, with the ball named where that decides."""
    if "missed" in pressed:
        return pins.replace("/", "c/") or "-"
    by = "c" if "cue" in pressed else "r" if "red-only" in pressed else ""
    return f"{by}{pins}" if pins else ""


def _pin_token(key: str) -> str:
    """`2` → `/..`, `R+1` → `/.5`, `0` → nothing."""
    centre, _, outer = key.rpartition("R")
    count = int(outer.lstrip("+") or 0)
    token = "." * count + ("5" if "R" in key else "")
    return f"/{token}" if token and not centre else ""


def _combinations(book: Rulebook, most: int) -> Iterator[tuple[str, ...]]:
    words = (*DERIVED, *(foul.value for foul in Foul if foul in book.words))
    for contact in ((), *((contact,) for contact in CONTACTS)):
        for count in range(2) if most == 1 else (most,):
            for chosen in combinations(words, count):
                yield from ((*contact, *chosen, pin) for pin in PINS)


def _ruled(presses: tuple[str, ...], book: Rulebook, occasion: Occasion, lang: str, say: str) -> Key | None:
    """The entry of one stroke; None where it cannot have happened."""
    try:
        text = facts(presses)
        stroke = parse_stroke(text)
        ruling = rule(stroke, occasion, book)
        after = _next(stroke, book, occasion)
    except (FivePinsError, ImpossibleStroke, IllegalEvent):
        return None
    to = {Receiver.STRIKER: "striker", Receiver.OPPONENT: "opponent", None: ""}[ruling.to]
    hand, spot = int(after.ball_in_hand), int(after.may_spot)
    return Key(text, ruling.points, to, hand, spot, ruling.explain(lang), ruling.say(say))


def _next(stroke: Stroke, book: Rulebook, occasion: Occasion) -> Situation:
    """What the stroke after this one starts from."""
    terms = Terms(book=book)
    one = replace(opened(1, Side.A, terms), next=Situation(occasion))
    return one.play(Turn(1, Side.A, stroke), terms, rescored=False).next
