"""The rows of a match as text: read from the top they are its file.

The head comes first, an empty row ends it, the events follow. A header further down changes one of the
head. The result is never stored: it is what the events come to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from fivepins.errors import IllegalEvent, NotationError, StoreError
from fivepins.lines import format_line, parse_line
from fivepins.match import State
from fivepins.message import Message
from fivepins.notation import Record, format_head, format_record, parse_file
from fivepins.sheet import Sheet, score

_HEADER = re.compile(r"([A-Za-z][A-Za-z0-9-]*):(?: .*)?")

OPEN, CLOSED = "open", "closed"
"""What `Status` may say; a match without it is open."""

FIXED = ("Rules", "Distance", "Start", "Sets", "Clock", "Balls", "Result")
"""The headers that no later row may change: what the match is played under, and what it comes to."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of a log: a line, when it came, from whom and from which device."""

    seq: int
    line: str
    at: datetime
    by: str
    device: str
    command_id: str | None


def rows_of(record: Record) -> list[str]:
    """The rows that a record is stored as; raises `StoreError` where it has a fault."""
    sheet = score(record)
    if sheet.state is None or sheet.problems:
        problem = sheet.problems[0] if sheet.problems else None
        if problem is None:
            raise StoreError("the head does not say what is played")
        words = Message("line {line}: {message}", line=problem.line, message=Message(problem.message))
        raise StoreError(Message("the match has a fault, {words}", words=words), hint=problem.hint)
    allowed(f"Status: {record.value('Status') or OPEN}")
    open_head = record.with_header("Result", "*").headers
    rows = [f"FPN {record.version}", *format_head(open_head), "", *map(format_line, record.lines)]
    if parse_file("\n".join(rows)).records[0] != record.with_header("Result", "*"):
        raise StoreError("the match does not come back from its text", hint="read it from a file first")
    return rows


def sheet_of(rows: Iterable[str]) -> Sheet:
    """The match that rows come to, with its result."""
    text = list(rows)
    end = text.index("")
    head, body = text[: end + 1], []
    for line in text[end + 1 :]:
        if is_header(line):
            head = _changed(head, line)
        else:
            body.append(line)
    sheet = score(parse_file("\n".join([*head, *body])).records[0])
    if sheet.state is None or sheet.problems:
        raise StoreError(
            Message(
                "the log has a fault, {words}",
                words=Message.joined("; ", (problem.message for problem in sheet.problems)),
            )
        )
    return Sheet(sheet.record.with_header("Result", sheet.result), sheet.state)


def _changed(head: list[str], line: str) -> list[str]:
    key = line.partition(":")[0] + ":"
    return [*(one for one in head[:-1] if not one.startswith(key)), line, ""]


def renamed(head: Record, line: str) -> Record:
    """A head after a row that changes one of its headers; raises where that may not be."""
    rows = _changed([f"FPN {head.version}", *format_head(head.headers), ""], allowed(line))
    return parse_file("\n".join(rows)).records[0]


def canonical(line: str) -> str:
    """A line as it is stored; raises `NotationError`.

    >>> canonical("1. A   o r  # so"), canonical("A:  Rossi")
    ('1. A o r  # so', 'A: Rossi')
    """
    if found := _HEADER.fullmatch(line):
        return f"{found[1]}: {line.partition(':')[2].strip()}".rstrip()
    parsed = parse_line(line)
    if parsed.is_blank:
        raise NotationError("nothing stands on the line", hint="an event, or a comment that begins with #")
    return format_line(parsed)


def is_header(line: str) -> bool:
    """Whether a row below the head changes a header."""
    return _HEADER.fullmatch(line) is not None


def allowed(header: str) -> str:
    """A header that may change during a match; raises `IllegalEvent` for the others."""
    key, _, value = header.partition(":")
    if key in FIXED:
        raise IllegalEvent(Message("'{key}' cannot change in a match", key=key), hint="begin another match")
    if key == "Status" and value.strip() not in (OPEN, CLOSED):
        raise IllegalEvent(
            Message(
                "a match is {open} or {closed}, not '{value}'", open=OPEN, closed=CLOSED, value=value.strip()
            )
        )
    return header


def further(state: State, lines: Iterable[str]) -> State:
    """The state after more lines; raises `IllegalEvent` where one cannot stand there."""
    for line in lines:
        event = parse_line(line).event
        state = state if event is None else state.then(event)
    return state


def state_of(sheet: Sheet) -> State:
    """The state of a sheet that has one."""
    assert sheet.state is not None
    return sheet.state


def text_of(rows: Iterable[str]) -> str:
    """The match as a file."""
    return format_record(sheet_of(rows).record)
