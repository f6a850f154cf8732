"""The tokens of one line of FPN, and a cursor that takes them from the left.

A quoted text is one token with its quotes; a comment begins with `#` at the start or behind a space.
"""

from __future__ import annotations

import re
from typing import NoReturn

from fivepins.errors import NotationError
from fivepins.language import N_
from fivepins.message import Message
from fivepins.table import Pair, Side
from fivepins.tokens import LONGEST_NUMBER, Token, quote

DIGITS = rf"[0-9]{{1,{LONGEST_NUMBER}}}"
UNFIT = "\x00-\x08\x0a-\x1f\x7f\ud800-\udfff"
"""What no line can hold: control characters, and halves of characters."""

SIDES = {side.value: side for side in Side}
CONTROL = re.compile(f"[{UNFIT}]")
_QUOTED = re.compile(r'"((?:[^"\\]++|\\"|\\(?!"))*+)"')
_WORD = re.compile("[^ ]+")
_MEANT = dict.fromkeys("–—−", "-") | dict.fromkeys("“”„«»", '"') | {"\u00a0": Message("an ordinary space")}


def _scan(text: str) -> tuple[list[Token], str | None]:
    """The tokens of a line and its comment; quoted texts are tokens with their quotes."""
    if unfit := CONTROL.search(text):
        raise NotationError(
            Message("a control character: {character!a}", character=unfit[0]),
            column=unfit.start() + 1,
            hint="take it out",
        )
    tokens: list[Token] = []
    place = 0
    while True:
        while text.startswith(" ", place):
            place += 1
        if place >= len(text):
            return tokens, None
        if text[place] == "#":
            return tokens, text[place + 1 :].removeprefix(" ").rstrip()
        token = _scan_quoted(text, place) if text[place] == '"' else _scan_word(text, place)
        tokens.append(token)
        place += len(token.text)


def _scan_quoted(text: str, place: int) -> Token:
    found = _QUOTED.match(text, place)
    if found is None:
        Token(place + 1, text[place:]).fail("a text without its closing quote", _ESCAPE)
    if text[found.end() : found.end() + 1].strip(" "):
        Token(found.end() + 1, text[found.end() :]).fail("a space is missing after a text", _ESCAPE)
    return Token(place + 1, found[0])


def _scan_word(text: str, place: int) -> Token:
    found = _WORD.match(text, place)
    assert found is not None  # the caller saw a character that is no space
    word = found[0]
    for index, character in enumerate(word, place):
        if not "!" <= character <= "~":
            _refuse_character(character, index + 1)
        if character in '"#':
            Token(index + 1, text[index:]).fail(
                "a space is missing here", "texts and comments follow a space"
            )
    return Token(place + 1, word)


def _refuse_character(character: str, column: int) -> NoReturn:
    if character == "\t":
        raise NotationError("a tab between tokens", column=column, hint="separate them by spaces")
    raise NotationError(
        Message("a character that FPN has only in texts: {character}", character=quote(character)),
        column=column,
        hint=(
            Message("write {text}", text=_MEANT[character])
            if character in _MEANT
            else "names and remarks stand in headers, quotes and comments"
        ),
    )


_ESCAPE = N_('a quote inside a text is written \\"')


class Cursor:
    """Takes the tokens of a line from the left and remembers where each part began."""

    def __init__(self, text: str) -> None:
        self.tokens, self.comment = _scan(text)
        self.place = 0
        self.places: dict[str, int] = {}
        self.facts: tuple[int, ...] = ()

    @property
    def next(self) -> str:
        """The text of the next token; empty at the end."""
        return self.tokens[self.place].text if self.place < len(self.tokens) else ""

    def take(self, part: str, missing: str, hint: str = "") -> Token:
        """The next token as a part of the event; an error just behind the last one if there is none."""
        if self.place == len(self.tokens):
            last = self.tokens[-1]
            raise NotationError(
                Message("{missing} is missing", missing=Message(missing)),
                column=last.column + len(last.text),
                hint=hint,
            )
        token = self.tokens[self.place]
        self.place += 1
        self.places.setdefault(part, token.column)
        return token

    def side(self) -> Side:
        token = self.take("side", N_("the side"), N_("A or B"))
        if token.text not in SIDES:
            token.fail("not a side", "A or B, as in the head")
        return SIDES[token.text]

    def side_if_any(self) -> Side | None:
        return self.side() if self.next in SIDES else None

    def number(self, part: str, name: str) -> int:
        token = self.take(part, name, N_("a whole number"))
        return whole(token, token.text, Message("{name} is no number", name=Message(name)))

    def score(self) -> Pair[int]:
        token = self.take("score", N_("the score"), N_("A's points first: 22-27"))
        found = _SCORE.fullmatch(token.text)
        if found is None:
            token.fail("not a score", "A's points first: 22-27")
        return Pair(int(found[1]), int(found[2]))

    def quoted(self, part: str, name: str) -> str:
        token = self.take(part, name, Message('{name} stands in quotes: "…"', name=Message(name)))
        found = _QUOTED.fullmatch(token.text)
        if found is None:
            token.fail(
                Message("{name} is not in quotes", name=Message(name)),
                Message('write "{text}"', text=token.text),
            )
        return found[1].replace('\\"', '"')

    def reason(self) -> str:
        return self.quoted("reason", N_("the reason"))


_SCORE = re.compile(rf"({DIGITS})-({DIGITS})")


def whole(token: Token, digits: str, message: str) -> int:
    if not re.fullmatch("[0-9]+", digits):
        token.fail(message, "digits only")
    if len(digits) > LONGEST_NUMBER:
        token.fail(
            "a number too long",
            Message("{longest} digits at most", longest=LONGEST_NUMBER),
        )
    return int(digits)
