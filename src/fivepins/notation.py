"""FPN files: text ⇄ records, one record a match.

Reading happens in two phases: here the syntax, which knows no rules; then `fivepins.match.replay`, which
knows no text. Strict reading stops at the first fault; lenient reading tells every one and keeps the
lines it could not read, so that nothing is lost on the way back to text.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from fivepins.errors import FivePinsError, NotationError
from fivepins.events import How, Terms
from fivepins.lines import Line, format_line, parse_line
from fivepins.message import Message
from fivepins.rulebook import rulebook
from fivepins.scan import CONTROL, DIGITS
from fivepins.table import BALL_NAMES, Colour, Pair, Side
from fivepins.tokens import quote

VERSION = "1"
"""The version of FPN this program reads and writes."""

LARGEST = 32 * 1024 * 1024
"""Bytes of a file at most: a hundred times the longest season of one hall."""

LONGEST = 20_000
"""Lines of one match at most: a hundred times the longest that was played."""

HEADERS = (
    "Event", "Site", "Date", "Round", "A", "B", "Balls", "Rules",
    "Distance", "Start", "Sets", "Clock", "Referee", "Result",
)  # fmt: skip
"""The headers that mean something here, in canonical order."""

REQUIRED = ("A", "B", "Rules", "Distance", "Result")

_HEADER = re.compile(r"([A-Za-z][A-Za-z0-9-]*):([ \t]*)(.*)")
_VERSION = re.compile(r"FPN[ \t]+(\S+)[ \t]*")
_HOW = "|".join(how.value for how in How)
_RESULT = rf"\*|[AB] {DIGITS}-{DIGITS}(?: (?:{_HOW}))?|- (?:{_HOW})"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a file, with its place; `line` and `column` count from 1."""

    line: int
    column: int
    message: str
    hint: str = ""

    @classmethod
    def of(cls, error: NotationError) -> Problem:
        """The problem that an error tells of."""
        return cls(error.line, error.column, error.message, error.hint)

    def to_json(self) -> dict[str, object]:
        """Line, column, message and hint."""
        return {"line": self.line, "column": self.column, "message": self.message, "hint": self.hint}


@dataclass(frozen=True, slots=True)
class Header:
    """One line of the head; `number` is its line in the file, `column` where its value begins."""

    key: str
    value: str
    number: int = field(default=1, compare=False)
    column: int = field(default=1, compare=False)

    def fault(self, message: str, hint: str = "", *, column: int | None = None) -> NotationError:
        """An error at this header's value, or at a column of its line."""
        return NotationError(message, line=self.number, column=column or self.column, hint=hint)


@dataclass(frozen=True, slots=True)
class Record:
    """One match of a file: its head in canonical order, its lines, and the terms the head comes to.

    `terms` is None where a lenient reader could not make sense of the head. `version` is what stands
    behind `FPN`; a lenient reader keeps the lines of another version as they are.
    """

    headers: tuple[Header, ...]
    lines: tuple[Line, ...]
    terms: Terms | None = field(default=None, compare=False)
    number: int = field(default=1, compare=False)
    version: str = VERSION

    def __post_init__(self) -> None:
        object.__setattr__(self, "headers", tuple(sorted(self.headers, key=_rank)))

    def header(self, key: str) -> Header | None:
        """The first header of that key."""
        return next((header for header in self.headers if header.key == key), None)

    def value(self, key: str) -> str | None:
        """The text of the first header of that key."""
        header = self.header(key)
        return header.value if header else None

    def with_header(self, key: str, value: str) -> Record:
        """The record with one header replaced or added."""
        new = Header(key, value)
        if self.header(key) is None:
            return replace(self, headers=(*self.headers, new))
        return replace(self, headers=tuple(new if header.key == key else header for header in self.headers))

    def events(self) -> Iterator[Line]:
        """The lines that hold an event."""
        return (line for line in self.lines if line.event is not None)


class Parsed(NamedTuple):
    """What a file holds, and what was wrong with it."""

    records: tuple[Record, ...]
    problems: tuple[Problem, ...] = ()


def read_file(path: Path) -> str:
    """The text of a file; raises `NotationError` where it is none, `OSError` where it cannot be read."""
    with path.open("rb") as file:
        return decode(file.read(LARGEST + 1))  # a size can lie, and a device has none


def decode(content: bytes) -> str:
    """Bytes as text: UTF-8, a byte order mark accepted, CRLF as LF.

    >>> decode(b"\\xef\\xbb\\xbfFPN 1\\r\\n")
    'FPN 1\\n'
    """
    if len(content) > LARGEST:
        raise _too_large()
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise NotationError("this is UTF-16, not UTF-8", hint="save the file as UTF-8")
    if b"\0" in content[:8192]:
        raise NotationError(
            "this is a binary file, not FPN",
            hint="FPN is plain text that begins with 'FPN 1'",
        )
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        before = content[: error.start].decode()
        raise NotationError(
            Message("byte {place} is not UTF-8", place=error.start),
            line=before.count("\n") + 1,
            column=len(before) - before.rfind("\n"),
            hint="save the file as UTF-8",
        ) from None
    if not text.strip():
        raise NotationError("the file is empty", hint="a match begins with the line 'FPN 1'")
    return text.replace("\r\n", "\n")


def _too_large() -> NotationError:
    return NotationError(
        Message("the file is larger than {size} MB", size=LARGEST >> 20),
        hint="no match is that long: is it the right file?",
    )


def parse_file(text: str, *, lenient: bool = False) -> Parsed:
    """Read every match of a text.

    Strict, raises `NotationError` at the first fault; lenient, tells every fault.

    >>> parsed = parse_file("FPN 1\\nA: Rossi\\nB: Bianchi\\nRules: UMB-1997\\nDistance: 60\\nResult: *\\n")
    >>> parsed.records[0].terms.players
    Pair(a='Rossi', b='Bianchi')
    """
    reader = _Reader(lenient=lenient)
    lines = [line.removeprefix("\ufeff") for line in text.replace("\r\n", "\n").split("\n")]
    if lines[-1] == "":
        lines.pop()
    return reader.read(lines)


class _Reader:
    """Goes through the lines of a file once, and stops or collects at what is wrong."""

    def __init__(self, *, lenient: bool) -> None:
        self.lenient = lenient
        self.problems: list[Problem] = []

    def read(self, lines: list[str]) -> Parsed:
        starts = [place for place, line in enumerate(lines) if _VERSION.fullmatch(line)]
        first = next((place for place, line in enumerate(lines) if line.strip()), 0)
        if not starts or starts[0] != first:
            self._fault(
                NotationError(
                    Message(
                        "a match begins with 'FPN {version}', not with {text}",
                        version=VERSION,
                        text=quote(lines[first] if lines else ""),
                    ),
                    line=first + 1,
                    hint=Message("write 'FPN {version}' as the first line", version=VERSION),
                )
            )
            starts = [first, *(place for place in starts if place != first)]
        ends = [*starts[1:], len(lines)]
        records = [self._record(lines, start, end) for start, end in zip(starts, ends, strict=True)]
        return Parsed(tuple(records), tuple(sorted(self.problems, key=lambda p: (p.line, p.column))))

    def _fault(self, error: NotationError) -> None:
        if not self.lenient:
            raise error
        self.problems.append(Problem.of(error))

    def _record(self, lines: list[str], start: int, end: int) -> Record:
        if end - start > LONGEST:
            self._fault(
                NotationError(
                    Message(
                        "a match of {count:,} lines: {longest:,} at most", count=end - start, longest=LONGEST
                    ),
                    line=start + 1,
                    hint="a match begins with 'FPN 1': are several written as one?",
                )
            )
            end = start + LONGEST
        version = _VERSION.fullmatch(lines[start]) if start < end else None
        place = start + 1 if version else start
        if version and version[1] != VERSION:
            self._later_version(version, start + 1)
            kept = [Line(unknown=lines[i] or None, number=i + 1, text=lines[i]) for i in range(place, end)]
            return Record((), _without_spare_blanks(kept), None, start + 1, version[1])
        headers: list[Header] = []
        kept = []
        while place < end:
            header = self._head_line(lines[place], place + 1)
            if header is None:
                break
            if isinstance(header, Header):
                headers.append(header)
            else:
                kept.append(header)
            place += 1
        for key in REQUIRED:
            if all(header.key != key for header in headers):
                self._missing(key, lines, start, end)
        terms = self._terms(headers)
        body = [*kept, *(self._line(lines[i], i + 1) for i in range(place, end))]
        return Record(tuple(headers), _without_spare_blanks(body), terms, start + 1)

    def _later_version(self, version: re.Match[str], number: int) -> None:
        self._fault(
            NotationError(
                Message(
                    "this file is FPN {version}; this program reads FPN {known}",
                    version=version[1],
                    known=VERSION,
                ),
                line=number,
                column=version.start(1) + 1,
                hint="a newer program is needed",
            )
        )

    def _head_line(self, text: str, number: int) -> Header | Line | None:
        """A header; a line that cannot be read, which does not end the head; None at the body's first."""
        found = _HEADER.fullmatch(text.rstrip())
        if found is None:
            line = self._line(text, number)
            return None if line.unknown is None else line
        header = Header(found[1], found[3].strip(), number, found.start(3) + 1)
        if unfit := CONTROL.search(found[0]):
            message = Message("a control character: {character!a}", character=unfit[0])
            self._fault(header.fault(message, "take it out", column=unfit.start() + 1))
            return Line(unknown=found[0], number=number, text=text)
        if header.value and not found[2]:
            self._fault(
                header.fault(
                    "a space is missing after the colon",
                    Message("write {text}", text=f"{header.key}: {header.value}"),
                )
            )
        return header

    def _line(self, text: str, number: int) -> Line:
        try:
            return parse_line(text.rstrip(" \t"), number)
        except NotationError as error:
            found = _HEADER.fullmatch(text)
            if found and found[1] in HEADERS:
                error.message = Message("a header behind the head: {text}", text=quote(text))
                error.column, error.hint = 1, Message("headers stand right below 'FPN 1'")
            self._fault(error)
            return Line(unknown=text.rstrip("\r"), number=number, text=text)

    def _missing(self, key: str, lines: list[str], start: int, end: int) -> None:
        """A required header is not in the head; where it stands further down, that line is the fault."""
        late = next((place for place in range(start, end) if lines[place].startswith(f"{key}:")), None)
        if late is None:
            hint = Message("write it as '{example}'", example=_EXAMPLES[key])
            self._fault(NotationError(Message("the head has no '{key}'", key=key), line=start + 1, hint=hint))
        elif not self.lenient:  # a lenient reader comes to that line in its turn
            self._line(lines[late], late + 1)

    def _terms(self, headers: list[Header]) -> Terms | None:
        """What the head comes to; None where something in it is wrong."""
        before = len(self.problems)
        known: dict[str, Header] = {}
        for header in headers:
            if header.key in known:
                self._fault(
                    header.fault(
                        Message("'{key}' stands twice", key=header.key), "leave one of them out", column=1
                    )
                )
            elif header.key in HEADERS:
                known[header.key] = header
        fields: dict[str, object] = {}
        for key, read in _READERS.items():
            if key in known:
                try:
                    fields |= read(known[key])
                except NotationError as error:
                    self._fault(error)
        if len(self.problems) > before or not known.keys() >= {*REQUIRED}:
            return None
        terms = Terms(players=Pair(known["A"].value, known["B"].value), **fields)  # type: ignore[arg-type]  # by header
        for fault in terms.problems():
            key = "Sets" if "sets" in fault.message else "Start" if "starts" in fault.message else "Distance"
            self._fault(known.get(key, known["Distance"]).fault(fault.message, fault.hint))
        return None if len(self.problems) > before else terms


# -- the head ------------------------------------------------------------------------------------

_EXAMPLES = {
    "A": "A: Marco Rossi",
    "B": "B: Luca Bianchi",
    "Balls": "Balls: A white, B yellow",
    "Rules": "Rules: UMB-1997",
    "Distance": "Distance: 60' | 'Distance: 60/50",
    "Start": "Start: 5-0",
    "Sets": "Sets: 3",
    "Clock": "Clock: 40+20",
    "Result": "Result: *' | 'Result: A 2-1' | 'Result: A 2-1 left",
}


def _matched(header: Header, pattern: str) -> re.Match[str]:
    found = re.fullmatch(pattern, header.value)
    if not found:
        raise header.fault(
            Message("'{key}' cannot be {value}", key=header.key, value=quote(header.value)),
            Message("write it as '{example}'", example=_EXAMPLES[header.key]),
        )
    return found


def _name(header: Header) -> dict[str, object]:
    _matched(header, r".+")
    return {}


def _rules(header: Header) -> dict[str, object]:
    try:
        return {"book": rulebook(header.value)}
    except FivePinsError as error:
        raise header.fault(error.message, error.hint) from None


def _distance(header: Header) -> dict[str, object]:
    found = _matched(header, r"([0-9]{1,6})(?:/([0-9]{1,6}))?")
    return {"distance": Pair(int(found[1]), int(found[2] or found[1]))}


def _start(header: Header) -> dict[str, object]:
    found = _matched(header, r"([0-9]{1,6})-([0-9]{1,6})")
    return {"start": Pair(int(found[1]), int(found[2]))}


def _sets(header: Header) -> dict[str, object]:
    return {"sets": int(_matched(header, r"[1-9][0-9]?")[0])}


def _clock(header: Header) -> dict[str, object]:
    found = _matched(header, r"([1-9][0-9]{0,3})\+([0-9]{1,4})")
    return {"clock": (int(found[1]), int(found[2]))}


def _balls(header: Header) -> dict[str, object]:
    found = _matched(header, r"A (white|yellow), B (white|yellow)")
    if found[1] == found[2]:
        raise header.fault(
            Message("both sides cannot play with the {ball}", ball=BALL_NAMES[Colour(found[1])]),
            Message("write it as '{example}'", example=_EXAMPLES["Balls"]),
        )
    return {"balls": Pair(Colour(found[1]), Colour(found[2]))}


def _result(header: Header) -> dict[str, object]:
    _matched(header, _RESULT)
    return {}


_READERS = {
    "A": _name,
    "B": _name,
    "Balls": _balls,
    "Rules": _rules,
    "Distance": _distance,
    "Start": _start,
    "Sets": _sets,
    "Clock": _clock,
    "Result": _result,
}


# -- writing -------------------------------------------------------------------------------------


def format_file(records: Iterable[Record]) -> str:
    """Every match in canonical form, a blank line between two."""
    return "\n".join(format_record(record) for record in records)


def format_record(record: Record) -> str:
    """One match in canonical form: headers in order, unknown ones behind them as found."""
    head = [f"FPN {record.version}", *format_head(record.headers)]
    body = [format_line(line) for line in record.lines]
    return "\n".join([*head, *([""] if body else []), *body]) + "\n"


def format_head(headers: Iterable[Header]) -> list[str]:
    """The lines of a head; raises `NotationError` where a value cannot stand on a line."""
    words = [f"{header.key}: {header.value}".rstrip() for header in sorted(headers, key=_rank)]
    for word in words:
        if unfit := CONTROL.search(word):
            raise NotationError(
                Message("a header cannot hold {character!a}: {word}", character=unfit[0], word=quote(word)),
                hint="write a space instead",
            )
    return words


def _rank(header: Header) -> int:
    """The place of a header in canonical order; unknown ones stay behind as found."""
    return _RANKS.get(header.key, len(HEADERS))


_RANKS = {key: rank for rank, key in enumerate(HEADERS)}


def _without_spare_blanks(lines: list[Line]) -> tuple[Line, ...]:
    """Lines without blank ones at either end, and one where several stood."""
    kept: list[Line] = []
    for line in lines:
        if not line.is_blank or (kept and not kept[-1].is_blank):
            kept.append(line)
    if kept and kept[-1].is_blank:
        kept.pop()
    return tuple(kept)


def result_text(winner: Side | None, sets_won: Pair[int], how: How | None, *, over: bool) -> str:
    """The `Result` header: `*` while open, then the winner, the sets in A–B order and how it ended.

    >>> result_text(Side.B, Pair(1, 2), None, over=True)
    'B 1-2'
    """
    if not over:
        return "*"
    words = [winner.value, f"{sets_won.a}-{sets_won.b}"] if winner else ["-"]
    return " ".join([*words, how.value] if how else words)
