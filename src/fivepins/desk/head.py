"""The head of a match as a form, a file or a row of the log may say it, and in which words it is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date
from typing import Final

from fivepins.desk.names import table_name
from fivepins.errors import FivePinsError, IllegalEvent, NotationError
from fivepins.language import LANGUAGES
from fivepins.message import Message
from fivepins.notation import HEADERS, Record, parse_file
from fivepins.store import FIXED, is_header

LONGEST: Final = 200
"""Letters of a header."""
CHANGING: Final = ("A", "B", "Event", "Site", "Date", "Round", "Referee", "Table", "Language", "Status")
"""The headers that a row of the log may change."""


def from_form(fields: Mapping[str, str]) -> Record:
    """The head that the fields of a form come to; raises `IllegalEvent` with the `part` at fault."""
    given = {"Result": "*"} | dict(fields)
    order = [*(key for key in HEADERS if key in given), *(key for key in given if key not in HEADERS)]
    keys = [key for key in order if given[key] or key in ("A", "B")]
    for key in keys:
        refuse_value(key, given[key])
    try:
        return parse_file("\n".join(["FPN 1", *(f"{key}: {given[key]}" for key in keys), ""])).records[0]
    except NotationError as error:
        raise _named(error, keys) from error


def from_file(text: str) -> Record:
    """The one match of a file; raises where there are more, or its head would be refused in a form."""
    found = parse_file(text)
    if len(found.records) != 1:
        raise FivePinsError(
            Message("the file holds {count} matches", count=len(found.records)), hint="send them one by one"
        )
    record = found.records[0]
    for header in record.headers:
        if header.key != "Date":  # old sheets know only the month, or the year
            refuse_value(header.key, header.value)
    twice = [key for key, times in Counter(header.key for header in record.headers).items() if times > 1]
    if twice:
        raise IllegalEvent(
            Message("'{key}' stands twice", key=twice[0]), hint="leave one of them out", part=twice[0]
        )
    return record


def refuse_row(line: str) -> None:
    """Raise `IllegalEvent` where a row would change a header into what no form could have sent."""
    key, _, value = line.partition(":")
    if key in FIXED:
        return  # the store says why
    if key not in CHANGING:
        raise IllegalEvent(
            Message("a match has no '{key}' that could change", key=key[:40]),
            hint=Message("what can: {names}", names=", ".join(CHANGING)),
            part=key[:40],
        )
    refuse_value(key, value.strip())


def refuse_value(key: str, value: str) -> None:
    """Raise where a header would not stay the one line it is, or says what no form could have sent."""
    if "\r" in value or not is_header(f"{key}: {value}".strip()):
        raise IllegalEvent(
            Message("'{key}' is no header of one line", key=key[:40]),
            hint="a name, a colon, and one line of text",
            part=key[:40],
        )
    if len(value) > LONGEST:
        raise IllegalEvent(
            Message("'{key}' has {length} letters", key=key, length=len(value)),
            hint=Message("at most {longest}", longest=LONGEST),
            part=key,
        )
    if key == "Language" and value not in LANGUAGES:
        raise IllegalEvent(
            Message("unknown language: {value!r}", value=value),
            hint=Message("known are {names}", names=", ".join(LANGUAGES)),
            part=key,
        )
    if key == "Date" and not _is_day(value):
        raise IllegalEvent(
            Message("no day is called {value!r}", value=value), hint="year, month, day: 2026-12-31", part=key
        )
    if key == "Table" and value:
        table_name(value)


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _named(error: NotationError, keys: list[str]) -> IllegalEvent:
    """A fault of the head with the header's name, so that a form can show it beside the field."""
    part = keys[error.line - 2] if 2 <= error.line < len(keys) + 2 else "head"
    return IllegalEvent(error.message, hint=error.hint, part=part)
