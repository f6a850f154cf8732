"""One line of FPN: text ⇄ `Line`, an event with its time of day and its comment.

Reading knows no rules: whose turn it is, and what a stroke was worth, is asked of `fivepins.match`. A
line remembers its text, so that what the match finds wrong is shown at the right column.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NoReturn, TypeAlias, assert_never

from fivepins.codes import parse_cue, parse_position, shortest
from fivepins.errors import Fault, NotationError
from fivepins.events import (
    NO_MARKS,
    Action,
    AwardSet,
    Decision,
    End,
    Event,
    Extra,
    Fix,
    Good,
    How,
    Lag,
    LagForfeit,
    LagRepeat,
    Late,
    Marks,
    Note,
    Pause,
    PauseRefused,
    Penalty,
    Place,
    Protest,
    RefereeChange,
    Resume,
    Score,
    SetResult,
    SetStart,
    Suspend,
    Swap,
    Turn,
    Undo,
    Unrecorded,
)
from fivepins.language import N_
from fivepins.message import Message
from fivepins.scan import CONTROL, DIGITS, SIDES, UNFIT, Cursor, whole
from fivepins.table import Pair, Side
from fivepins.tokens import Token, format_action, quote, read_text, read_tokens


@dataclass(frozen=True, slots=True)
class Line:
    """One line: an event, a comment, both, or nothing (a blank line).

    `comment` is what follows the `#` and one space. `unknown` holds the text of a line that could not be
    read, which a lenient reader keeps. `number` counts from 1 in the file; `text` is the line as found.
    Neither of the two takes part in comparisons.
    """

    event: Event | None = None
    comment: str | None = None
    unknown: str | None = None
    number: int = field(default=1, compare=False)
    text: str = field(default="", compare=False, repr=False)

    @property
    def is_blank(self) -> bool:
        """Whether nothing stands on it."""
        return self.event is None and self.comment is None and self.unknown is None

    def column(self, part: str = "event", index: int | None = None) -> int:
        """Where a part of the event stands, from 1; the event's own column where it has no such part.

        Parts are event, number, side, action, check, hand, seconds, pos, cue, score, points, where, how,
        clock, text, by, reason and at. `index` counts the facts of the action.

        >>> line = parse_line("12. B o /1 =4")
        >>> line.column("side"), line.column("check"), line.column("action", 1)
        (5, 12, 9)
        """
        if self.event is None:
            return 1
        cursor = Cursor(self.text or format_line(self))
        _read_event(cursor)
        if index is not None and index < len(cursor.facts):
            return cursor.facts[index]
        return cursor.places.get(part, cursor.places["event"])


def parse_line(text: str, number: int = 1) -> Line:
    """Read one line of the body of a match.

    Raises `NotationError` with line and column.

    >>> line = parse_line("2. A o r /13 =8 @34  # cannon, then two outer pins")
    >>> line.event.marks.check, line.comment
    (8, 'cannon, then two outer pins')
    """
    found = _PLAIN_TURN.fullmatch(text)
    if found is not None:
        turn = _plain_turn(found)
        if turn is not None:
            return Line(turn, found[6], None, number, text)
    try:
        return _read_line(text.rstrip("\r\n"), number)
    except NotationError as error:
        error.line = number
        raise


def parse_event(text: str) -> Event:
    """Read one line that must hold an event.

    >>> parse_event("late A").side
    <Side.A: 'A'>
    """
    event = parse_line(text).event
    if event is None:
        raise NotationError("an event is missing", hint=_EVENTS_HINT)
    return event


# -- the fast path -------------------------------------------------------------------------------


# Nearly every line of a match is one of these; anything else, and every fault, takes the long way.
_CLOCK_TIME = "(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?"
_PLAIN_TURN = re.compile(
    rf'({DIGITS})\. ([AB]) ([^"#=@]*[^"#=@ ])((?: =-?{DIGITS})?(?: @{DIGITS}(?:\.{DIGITS})?)?)'
    rf"(?: at=({_CLOCK_TIME}))?(?:  # ([^{UNFIT}]*[^\s{UNFIT}]))?"
)


def _plain_turn(found: re.Match[str]) -> Turn | None:
    number, side, facts, marks, at, _ = found.groups()
    try:
        action = read_text(facts).action
    except NotationError:
        return None  # the long way finds the column
    if isinstance(action, Unrecorded) and "=" not in marks:
        return None
    return Turn(int(number), SIDES[side], action, _plain_marks(marks), at=at)


@lru_cache(maxsize=1 << 12)
def _plain_marks(text: str) -> Marks:
    check, seconds = None, None
    for word in text.split():
        if word[0] == "=":
            check = int(word[1:])
        else:
            seconds = float(word[1:])
    return Marks(check=check, seconds=seconds) if text else NO_MARKS


# -- reading an event ----------------------------------------------------------------------------


def _read_line(text: str, number: int) -> Line:
    cursor = Cursor(text)
    event = _read_event(cursor) if cursor.tokens else None
    return Line(event, cursor.comment, None, number, text)


def _read_event(cursor: Cursor) -> Event:
    word = cursor.take("event", N_("the event"))
    read = _READERS.get(word.text)
    if read is not None:
        event = read(cursor)
    elif re.fullmatch(r"[0-9]+\.", word.text):
        event = _turn(cursor, word)
    else:
        _refuse_word(word)
    if cursor.next.startswith("at="):
        event = replace(event, at=_time(cursor.take("at", N_("the time"))))
    if cursor.next:
        _refuse_rest(cursor.take("rest", ""))
    return event


def _turn(cursor: Cursor, word: Token) -> Turn:
    cursor.places["number"] = word.column
    number = whole(word, word.text[:-1], "the turn is no number")
    side = cursor.side()
    return Turn(number, side, *_action(cursor))


def _fix(cursor: Cursor) -> Fix:
    number = cursor.number("number", N_("the turn"))
    action, marks = _action(cursor)
    return Fix(number, action, marks, cursor.reason())


def _lag(cursor: Cursor) -> Lag | LagRepeat | LagForfeit:
    match cursor.next:
        case "repeat":
            cursor.take("how", "")
            return LagRepeat(cursor.side_if_any())
        case "forfeit":
            cursor.take("how", "")
            return LagForfeit(cursor.side())
        case "A" | "B" | "":
            return Lag(cursor.side())
        case _:
            return cursor.take("how", "").fail(
                "not an outcome of the lag", "lag B, lag repeat, lag forfeit A"
            )


def _good(cursor: Cursor) -> Good:
    side, score = cursor.side(), cursor.score()
    if cursor.next != "short":
        return Good(side, score)
    cursor.take("how", "")
    return Good(side, score, cursor.reason())


def _penalty(cursor: Cursor) -> Penalty:
    side, points = cursor.side(), cursor.number("points", N_("the number of points"))
    hand = cursor.next == "hand"
    if hand:
        cursor.take("hand", "")
    return Penalty(side, points, hand, cursor.reason())


def _pause(cursor: Cursor) -> Pause | PauseRefused:
    if cursor.next == "refused":
        cursor.take("how", "")
        return PauseRefused(cursor.side())
    token = cursor.take("clock", N_("how long"), N_("minutes and seconds: 5:00"))
    found = _CLOCK.fullmatch(token.text)
    if found is None:
        token.fail("not a length of time", "minutes and seconds: 5:00")
    side = cursor.side_if_any()
    reason = cursor.reason() if cursor.next.startswith('"') else None
    return Pause(int(found[1]) * 60 + int(found[2]), side, reason)


def _place(cursor: Cursor) -> Place:
    token = cursor.take("where", N_("the place"), N_("restored, start, or a position code"))
    if token.text not in ("restored", "start"):
        if "/" not in token.text:
            token.fail("no such place", "restored, start, or a position code")
        _position(token, token.text)
    return Place(token.text, cursor.reason())


def _decision(cursor: Cursor) -> Decision:
    text = cursor.quoted("text", N_("the decision"))
    if cursor.next != "by":
        return Decision(text)
    cursor.take("how", "")
    return Decision(text, cursor.quoted("by", N_("the name")))


def _end(cursor: Cursor) -> End:
    token = cursor.take("side", N_("the winner"), N_("A, B, or - for nobody"))
    if token.text != "-" and token.text not in SIDES:
        token.fail("not a winner", "A, B, or - for nobody")
    how = cursor.take("how", N_("how it ended"), _HOW_HINT)
    if how.text not in _HOWS:
        how.fail("no such end", _HOW_HINT)
    return End(SIDES.get(token.text), _HOWS[how.text], cursor.reason())


_CLOCK = re.compile(rf"({DIGITS}):([0-5][0-9])")
_TIME = re.compile(_CLOCK_TIME)
_HOWS = {how.value: how for how in How}
_HOW_HINT = Message("one of {words}", words=" ".join(_HOWS))

_READERS: dict[str, Callable[[Cursor], Event]] = {
    "lag": _lag,
    "set": lambda c: SetStart(c.number("number", N_("the set")), c.side()),
    "late": lambda c: Late(c.side()),
    "extra": lambda c: Extra(c.side()),
    "fix": _fix,
    "undo": lambda c: Undo(c.reason()),
    "score": lambda c: Score(c.score()),
    "good": _good,
    "award": lambda c: AwardSet(c.side(), c.reason()),
    "result": lambda c: SetResult(c.number("number", N_("the set")), c.side(), c.score()),
    "penalty": _penalty,
    "pause": _pause,
    "suspend": lambda c: Suspend(c.reason()),
    "resume": lambda _: Resume(),
    "place": _place,
    "swap": lambda c: Swap(c.reason()),
    "referee": lambda c: RefereeChange(c.quoted("text", N_("the name"))),
    "note": lambda c: Note(c.quoted("text", N_("the note"))),
    "protest": lambda c: Protest(c.side(), c.quoted("text", N_("the protest"))),
    "decision": _decision,
    "end": _end,
}

WORDS = ("turn", *_READERS)
"""The words of events; a turn begins with its number instead."""

_EVENTS_HINT = Message(
    "a turn begins with its number, '1. A o'; else one of {words}", words=" ".join(_READERS)
)


_HEADER = re.compile("[A-Za-z][A-Za-z0-9-]*:")


def _refuse_word(word: Token) -> NoReturn:
    text = word.text
    if found := re.match(r"([0-9]+)\.?([AB]?)", text):
        word.fail(
            "not a turn",
            Message(
                "number, full stop, space, side: {number}. {side} o",
                number=found[1][:9],
                side=found[2] or "A",
            ),
        )
    if text == "FPN":
        word.fail("not an event", "'FPN 1' alone on a line begins a match")
    if _HEADER.match(text):
        word.fail(
            "a header after the first line of the body",
            "headers stand together below 'FPN 1'",
        )
    if text.lower() in _READERS:
        word.fail("events are written in small letters", Message("write {text}", text=text.lower()))
    word.fail("not an event", _EVENTS_HINT)


def _refuse_rest(token: Token) -> NoReturn:
    if token.text.startswith("at="):
        token.fail("a second time of day", "one is enough")
    if _rank(token.text) is not None or token.text == "hand":
        token.fail(
            "a mark out of place",
            "marks follow the facts of a turn, before a reason and at=",
        )
    if token.text.startswith('"'):
        token.fail("a text that does not belong to this event", "write a comment: # …")
    token.fail("not understood, the event is complete before it", "a comment begins with #")


def _time(token: Token) -> str:
    time = token.text[3:]
    if not _TIME.fullmatch(time):
        token.fail("not a time of day", "hh:mm or hh:mm:ss: at=14:05:10")
    return time


# -- action and marks ----------------------------------------------------------------------------

_ORDER = ("=", "hand", "@", "pos=", "cue=")
_ORDER_HINT = N_("check, hand, @, pos=, cue=: in this order, each once")


def _rank(text: str) -> int | None:
    """Which mark a token is, by its place in the fixed order."""
    for rank, start in enumerate(_ORDER):
        if text == start if start == "hand" else text.startswith(start):
            return rank
    return None


def _action(cursor: Cursor) -> tuple[Action, Marks]:
    """The action of a turn and the marks beside it."""
    first = cursor.place
    while cursor.next and _rank(cursor.next) is None and not cursor.next.startswith(('"', "at=")):
        cursor.take("action", "")
    tokens = cursor.tokens[first : cursor.place]
    if not tokens:
        token = cursor.take("action", N_("the stroke"), _NOTHING_HINT)
        token.fail("the stroke is missing before this", _NOTHING_HINT)
    action, cursor.facts = read_tokens(tokens)
    return action, _marks(cursor, action, tokens[0])


_NOTHING_HINT = N_("- if nothing was touched, ? if only the points are known")


def _marks(cursor: Cursor, action: Action, start: Token) -> Marks:
    marks: dict[str, Token] = {}
    last = -1
    while (rank := _rank(cursor.next)) is not None:
        token = cursor.take(_PARTS[rank], "")
        if rank == last or _PARTS[rank] in marks:
            token.fail("a mark twice", _ORDER_HINT)
        if rank < last:
            token.fail("a mark out of order", _ORDER_HINT)
        last = rank
        marks[_PARTS[rank]] = token
    unrecorded = isinstance(action, Unrecorded)
    if unrecorded and "check" not in marks:
        start.fail("the points are missing", "? needs a check: ? =6")
    if not unrecorded and "hand" in marks:
        marks["hand"].fail("hand beside facts", "only beside ?; the facts tell who has ball in hand")
    return Marks(
        check=_check(marks["check"]) if "check" in marks else None,
        hand="hand" in marks,
        seconds=_seconds(marks["seconds"]) if "seconds" in marks else None,
        pos=_position(marks["pos"], marks["pos"].text[4:]) if "pos" in marks else None,
        cue=_cue(marks["cue"]) if "cue" in marks else None,
    )


_PARTS = ("check", "hand", "seconds", "pos", "cue")


def _check(token: Token) -> int:
    found = re.fullmatch(rf"=(-?{DIGITS})", token.text)
    if found is None:
        token.fail("not a check", "=8 to the striker, =-4 to the opponent, =0 none")
    return int(found[1])


def _seconds(token: Token) -> float:
    found = re.fullmatch(rf"@({DIGITS}(?:\.{DIGITS})?)", token.text)
    if found is None:
        token.fail("not a number of seconds", "@34 or @34.5")
    return float(found[1])


def _position(token: Token, code: str) -> str:
    """A position code, kept as written, after a look at whether a table can show it."""
    _code(token, code, lambda: parse_position(code).problems())
    return code


def _cue(token: Token) -> str:
    code = token.text[4:]
    _code(token, code, lambda: parse_cue(code).problems())
    return code


def _code(token: Token, code: str, problems: Callable[[], list[Fault]]) -> None:
    start = token.column + len(token.text) - len(code)
    try:
        faults = problems()
    except NotationError as error:
        raise NotationError(error.message, column=start + error.column - 1, hint=error.hint) from None
    for fault in faults:
        raise NotationError(
            Message("{message}: {code}", message=Message(fault.message), code=quote(code)),
            column=start,
            hint=fault.hint,
        )


# -- writing -------------------------------------------------------------------------------------


def format_line(line: Line) -> str:
    """Write a line in its canonical form, without its line end.

    Raises `NotationError` where a text cannot stand on a line.

    >>> format_line(parse_line("1.  A o   /5 =8 #alone"))
    '1. A o /5 =8  # alone'
    """
    if line.unknown is not None:
        return line.unknown
    event = "" if line.event is None else format_event(line.event)
    if line.comment is None:
        return event
    comment = f"# {_fit(line.comment)}".rstrip()
    return f"{event}  {comment}" if event else comment


def format_event(event: Event) -> str:
    r"""Write an event in its canonical form.

    >>> format_event(Note('he said "no"', at="14:05"))
    'note "he said \\"no\\"" at=14:05'
    """
    words = _event_words(event)
    if event.at is not None:
        words.append(f"at={event.at}")
    return " ".join(words)


def _event_words(event: Event) -> list[str]:
    match event:
        case Turn():
            return [
                f"{event.number}.",
                event.side.value,
                format_action(event.action),
                *_mark_words(event.marks),
            ]
        case Fix():
            action = format_action(event.action)
            return ["fix", str(event.number), action, *_mark_words(event.marks), _text(event.reason)]
        case Undo():
            return ["undo", _text(event.reason)]
        case Late() | Extra():
            return ["late" if isinstance(event, Late) else "extra", event.side.value]
        case Penalty():
            hand = ["hand"] * event.hand
            return ["penalty", event.side.value, str(event.points), *hand, _text(event.reason)]
        case Place():
            return ["place", event.where, _text(event.reason)]
        case Swap():
            return ["swap", _text(event.reason)]
        case _:
            return _course_words(event)


_Course: TypeAlias = (
    Lag
    | LagRepeat
    | LagForfeit
    | SetStart
    | Score
    | Good
    | AwardSet
    | SetResult
    | Pause
    | PauseRefused
    | Suspend
    | Resume
    | End
    | RefereeChange
    | Note
    | Protest
    | Decision
)


def _course_words(event: _Course) -> list[str]:
    """Events between the strokes: lag, sets and interruptions."""
    match event:
        case Lag():
            return ["lag", event.side.value]
        case LagRepeat():
            return ["lag", "repeat", *_side_words(event.side)]
        case LagForfeit():
            return ["lag", "forfeit", event.side.value]
        case SetStart():
            return ["set", str(event.number), event.side.value]
        case Score():
            return ["score", _score(event.score)]
        case Good(side, score, short):
            return [
                "good",
                side.value,
                _score(score),
                *(["short", _text(short)] if short is not None else []),
            ]
        case AwardSet():
            return ["award", event.side.value, _text(event.reason)]
        case SetResult():
            return ["result", str(event.number), event.side.value, _score(event.score)]
        case End(side, how, reason):
            return ["end", side.value if side else "-", how.value, _text(reason)]
        case _:
            return _word_words(event)


def _word_words(
    event: Pause | PauseRefused | Suspend | Resume | RefereeChange | Note | Protest | Decision,
) -> list[str]:
    """Interruptions, and words for the paper."""
    match event:
        case Pause(seconds, side, reason):
            clock = f"{seconds // 60}:{seconds % 60:02}"
            return ["pause", clock, *_side_words(side), *([_text(reason)] if reason is not None else [])]
        case PauseRefused():
            return ["pause", "refused", event.side.value]
        case Suspend():
            return ["suspend", _text(event.reason)]
        case Resume():
            return ["resume"]
        case RefereeChange():
            return ["referee", _text(event.name)]
        case Note():
            return ["note", _text(event.text)]
        case Protest():
            return ["protest", event.side.value, _text(event.text)]
        case Decision(text, by):
            return ["decision", _text(text), *(["by", _text(by)] if by is not None else [])]
    assert_never(event)


def _mark_words(marks: Marks) -> list[str]:
    words = []
    if marks.check is not None:
        words.append(f"={marks.check}")
    if marks.hand:
        words.append("hand")
    if marks.seconds is not None:
        words.append(f"@{shortest(marks.seconds)}")
    if marks.pos is not None:
        words.append(f"pos={marks.pos}")
    if marks.cue is not None:
        words.append(f"cue={marks.cue}")
    return words


def _side_words(side: Side | None) -> list[str]:
    return [side.value] if side else []


def _score(score: Pair[int]) -> str:
    return f"{score.a}-{score.b}"


def _text(text: str) -> str:
    """A text in quotes."""
    if text.endswith("\\"):
        raise NotationError(
            Message("a text cannot end with a backslash: {text}", text=quote(text)),
            hint="let another character follow it",
        )
    escaped = _fit(text).replace('"', '\\"')
    return f'"{escaped}"'


def _fit(text: str) -> str:
    """The text itself, if a line can hold it."""
    if unfit := CONTROL.search(text):
        raise NotationError(
            Message(
                "a text of a line cannot hold {character!a}: {text}", character=unfit[0], text=quote(text)
            ),
            hint="write two lines, or a space instead",
        )
    return text
