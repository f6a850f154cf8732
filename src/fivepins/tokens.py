"""The tokens of a stroke: FPN text ⇄ `Action`.

One token a fact, in the order of time. Reading checks that the facts can have happened; what they are
worth, and whether a rule book knows them, is `fivepins.rules`' business.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, NoReturn, assert_never

from fivepins.errors import NotationError
from fivepins.events import Action, Lost, Unrecorded
from fivepins.language import N_
from fivepins.message import Message
from fivepins.stroke import OWN_PARAGRAPH, Cause, Contact, Cushion, Fact, Foul, Out, Pins, Seen, Stroke
from fivepins.table import Ball, Pin

LONGEST_NUMBER = 9
"""Digits a number may have; more is a slip of the keyboard, not a score."""


class Token(NamedTuple):
    """A word of a line with the column it begins at, counted from 1."""

    column: int
    text: str

    def fail(self, message: str, hint: str = "") -> NoReturn:
        """Raise `NotationError` at this token, quoting it."""
        raise NotationError(
            Message("{message}: {text}", message=Message(message), text=quote(self.text)),
            column=self.column,
            hint=hint,
        )


class Reading(NamedTuple):
    """An action with the columns of its facts."""

    action: Action
    columns: tuple[int, ...] = ()


def quote(text: str) -> str:
    """Text as a message shows it: in quotes, shortened, on one line.

    >>> print(quote("/11"), quote("o" * 99))
    '/11' 'oooooooooooooooooooooooooooooooooooooooooooooooooooooooooooo…'
    """
    shown = text if len(text) <= 60 else f"{text[:60]}…"
    return f"'{shown}'" if shown.isprintable() else ascii(shown)


def parse_action(text: str) -> Action:
    """Read what a side did in its turn: the facts of a stroke, `?` or `lost`.

    Raises `NotationError` with the column of the first token that is wrong.

    >>> parse_action("lost")
    Lost()
    >>> parse_action("o /11")
    Traceback (most recent call last):
    fivepins.errors.NotationError: pin named twice: '/11'
    """
    return read_text(text).action


def parse_stroke(text: str) -> Stroke:
    """Read the facts of a stroke, as `parse_action` does, and nothing but a stroke.

    >>> parse_stroke("o /13").facts[1]
    Pins(pins=(<Pin.TOP: 1>, <Pin.BOTTOM: 3>), by=None, cause=<Cause.STROKE: ''>, upright=False)
    """
    action = read_text(text).action
    if not isinstance(action, Stroke):
        split(text)[0].fail("facts are needed here", "what touched what, for example o /13; - for nothing")
    return action


def format_action(action: Action) -> str:
    """Write an action in its canonical form.

    >>> format_action(parse_action("c^")), format_action(parse_action("-  c/1  !foot.14"))
    ('- c^', 'c/1 !foot')
    """
    match action:
        case Unrecorded():
            return "?"
        case Lost():
            return "lost"
        case Stroke():
            return " ".join(_words(action))
    assert_never(action)


@lru_cache(maxsize=1 << 14)
def read_text(text: str) -> Reading:
    """Read an action and remember it: most strokes of a match are one of a few hundred."""
    tokens = split(text)
    if not tokens:
        raise NotationError("no stroke is written", hint="- if nothing was touched, ? if nobody noted it")
    return read_tokens(tokens)


def split(text: str) -> list[Token]:
    """The words of a text that has neither quotes nor comments."""
    return [Token(found.start() + 1, found[0]) for found in re.finditer("[^ ]+", text)]


def read_tokens(tokens: Sequence[Token]) -> Reading:
    """Read an action from its tokens, at least one; columns are those of the tokens."""
    first = tokens[0].text
    if first not in ("?", "lost"):
        return _read_stroke(tokens)
    if len(tokens) > 1:
        tokens[1].fail(
            Message("nothing can stand beside {first}", first=quote(first)),
            Message("leave {first} out, or the facts", first=first),
        )
    return Reading(Unrecorded() if first == "?" else Lost())


# -- reading a stroke ----------------------------------------------------------------------------


def _read_stroke(tokens: Sequence[Token]) -> Reading:
    rest = list(tokens)
    off: tuple[Pin, ...] = ()
    if rest[0].text.startswith("off/"):
        token = rest.pop(0)
        off = _pins(token, token.text[4:])
    choice = rest.pop(0).text if rest and rest[0].text in ("spot", "side") else ""
    if not rest:
        tokens[-1].fail("the stroke itself is missing", "facts follow, or - if nothing was touched")
    start = rest[0]
    if start.text in ("-", "x"):
        rest.pop(0)
    facts = tuple(_known_fact(token.text) or _read_fact(token) for token in rest)
    if start.text == "-":
        for token, fact in zip(rest, facts, strict=True):
            if isinstance(fact, Contact):
                token.fail("a contact where nothing was touched", "leave - out")
    stroke = Stroke(facts, start.text != "x", off, choice == "spot", choice == "side")
    for fault in stroke.problems():
        culprit = start if fault.index is None else rest[fault.index]
        culprit.fail(fault.message, fault.hint)
    return Reading(stroke, tuple(token.column for token in rest))


_PINS = re.compile(r"([corlu]?)/([.1-5]+)(~?)")
_OUT = re.compile(r"([cor])\^(b?)")
_FOUL = re.compile(rf"!([a-z-]+)(?:\.([0-9]{{1,{LONGEST_NUMBER}}}))?")
_BARE: dict[str, Fact] = {
    **{contact.value: contact for contact in Contact},
    "|": Cushion(Ball.CUE),
    "o|": Cushion(Ball.OBJECT),
    "r|": Cushion(Ball.RED),
}
_WORDS = {foul.value: foul for foul in Foul}


@lru_cache(maxsize=1 << 12)
def _known_fact(text: str) -> Fact | None:
    """The fact of a token that is right; None where something is wrong with it."""
    if text in _BARE:
        return _BARE[text]
    if found := _PINS.fullmatch(text):
        return None if _pin_fault(found[2]) else _felled(found)
    if found := _OUT.fullmatch(text):
        return Out(Ball(found[1]), back=bool(found[2]))
    if (found := _FOUL.fullmatch(text)) and found[1] in _WORDS:
        foul, number = _WORDS[found[1]], int(found[2]) if found[2] else None
        only = foul is not Foul.TOUCHED and OWN_PARAGRAPH[foul] == (number,)
        return Seen(foul, None if only else number)
    return None


def _felled(found: re.Match[str]) -> Pins:
    prefix, digits, upright = found.groups()
    pins = tuple(Pin(0 if digit == "." else int(digit)) for digit in digits)
    if prefix in ("l", "u"):
        return Pins(pins, cause=Cause(prefix), upright=bool(upright))
    return Pins(pins, by=Ball(prefix) if prefix else None, upright=bool(upright))


def _pin_fault(digits: str) -> tuple[str, str, str] | None:
    """What is wrong with the pins of one token, a hint, and the pins as they are written."""
    ordered = "".join(sorted(set(digits) - {"."}))
    once = "." * digits.count(".") + ordered
    if len(once) < len(digits):
        return N_("pin named twice"), N_("each pin once: {pins}"), once
    if len(once.replace("5", "")) > 4:
        return N_("more than four outer pins"), N_("there are four, and the centre pin"), once
    if once != digits:
        return N_("pins out of order"), N_("ascending, dots first: {pins}"), once
    return None


def _pins(token: Token, digits: str) -> tuple[Pin, ...]:
    """The pins of `off/`."""
    if not digits:
        token.fail("no pin is named", "the pins that are not in play: off/1")
    if not re.fullmatch("[.1-5]+", digits):
        token.fail("no such pin", _PIN_NAMES)
    if fault := _pin_fault(digits):
        message, hint, once = fault
        token.fail(message, Message(hint, pins=f"off/{once}"))
    return tuple(Pin(0 if digit == "." else int(digit)) for digit in digits)


# -- a token that is no fact: say why ------------------------------------------------------------

_PIN_NAMES = N_("1 top, 2 right, 3 bottom, 4 left, 5 centre, . an outer pin not identified")
_FIRST = N_("off/ stands first, then 'spot' or 'side', then the facts")
_MEANT = {
    "c": N_("what did it do? o or r a ball it touched, c/2 a pin it felled, c^ it left the table"),
    "c-o": N_("write o"),
    "o-c": N_("write o"),
    "c-r": N_("write r"),
    "r-c": N_("write r"),
    "r-o": N_("write o-r"),
    "c|": N_("write | for a cushion of the cue ball"),
    "-": N_("- stands alone, where nothing was touched"),
    "x": N_("x stands first, where no stroke was played"),
    "?": N_("? stands alone, where only the points are known"),
    "lost": N_("lost stands alone"),
    "spot": _FIRST,
    "side": _FIRST,
    "hand": N_("only beside ? and its check; facts tell who has ball in hand"),
}


def _read_fact(token: Token) -> NoReturn:
    """Explain a token that is no fact."""
    text = token.text
    if text.startswith("off/"):
        token.fail("this comes too late", _FIRST)
    if text in _MEANT:
        token.fail("this is no fact here", _MEANT[text])
    if text.startswith("!"):
        _refuse_foul(token)
    if text.startswith(("=", "@", "pos=", "cue=", "at=")):
        token.fail(
            "a mark is no fact",
            "check, hand, @, pos= and cue= follow the facts, in this order",
        )
    if "/" in text:
        _refuse_pins(token)
    if re.fullmatch("[.1-5]+~?", text):
        token.fail("pins need a slash", Message("write /{text}", text=text))
    if _known_fact(text.lower()):
        token.fail("facts are written in small letters", Message("write {text}", text=text.lower()))
    token.fail(
        "not a fact",
        "contacts o r o-r, pins /13 c/2, outs c^, cushions |, fouls !foot, nothing -",
    )


def _refuse_foul(token: Token) -> NoReturn:
    word, _, number = token.text[1:].partition(".")
    if word in _WORDS:
        token.fail(
            "no such paragraph",
            Message("a number follows the dot, not {number}", number=quote(number)),
        )
    token.fail("no such foul", Message("the words are {words}", words=" ".join(_WORDS)))


def _refuse_pins(token: Token) -> NoReturn:
    before, _, after = token.text.partition("/")
    if before not in ("", "c", "o", "r", "l", "u"):
        token.fail(
            "nothing fells pins by that name",
            "before the slash: nothing, c, o or r for a ball, l leaned and fell, u fell unrelated",
        )
    digits = after.removesuffix("~")
    if not digits:
        token.fail("no pin is named", Message("the pins follow the slash: {before}/13", before=before))
    if not re.fullmatch("[.1-5]+", digits):
        token.fail("no such pin", _PIN_NAMES)
    fault = _pin_fault(digits)
    assert fault is not None  # else it is a fact
    message, hint, once = fault
    token.fail(message, Message(hint, pins=f"{before}/{once}"))


# -- writing -------------------------------------------------------------------------------------


def _words(stroke: Stroke) -> list[str]:
    """The tokens of a stroke, canonical."""
    words = []
    if stroke.off:
        words.append(f"off/{_digits(stroke.off)}")
    if stroke.spot and stroke.sideways:
        raise NotationError("a stroke is either 'spot' or 'side'", hint="leave one of them out")
    if stroke.spot or stroke.sideways:
        words.append("spot" if stroke.spot else "side")
    if not stroke.played:
        words.append("x")
    elif stroke.touched_nothing:
        words.append("-")
    words.extend(map(format_fact, stroke.facts))
    return words


@lru_cache(maxsize=1 << 12)
def format_fact(fact: Fact) -> str:
    """Write one fact as its token.

    >>> format_fact(Out(Ball.OBJECT, back=True)), format_fact(Seen(Foul.TOUCHED, 12))
    ('o^b', '!touched.12')
    """
    match fact:
        case Contact():
            return fact.value
        case Pins(pins, by, cause, upright):
            prefix = by.value if by else cause.value
            return f"{prefix}/{_digits(pins)}{'~' * upright}"
        case Out(ball, back):
            return f"{ball.value}^{'b' * back}"
        case Cushion(ball):
            return f"{'' if ball is Ball.CUE else ball.value}|"
        case Seen(foul, number):
            only = foul is not Foul.TOUCHED and OWN_PARAGRAPH[foul] == (number,)
            return f"!{foul.value}" if number is None or only else f"!{foul.value}.{number}"
    assert_never(fact)


def _digits(pins: tuple[Pin, ...]) -> str:
    return "".join("." if pin is Pin.OUTER else str(pin.value) for pin in pins)
