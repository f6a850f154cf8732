"""The names that stand in addresses: what is allowed, and in which words others are refused."""

from __future__ import annotations

import re

from fivepins.errors import FivePinsError
from fivepins.message import Message

_PARTS = re.compile(r"(\D*)(\d*)")
_TABLE = re.compile(r"[A-Za-z0-9-]{1,16}")


def in_order(name: str) -> tuple[list[tuple[str, int]], str]:
    """The key that sorts names by their words and their numbers, not letter by letter.

    >>> sorted(["T10", "T2", "Bar", "T1"], key=in_order)
    ['Bar', 'T1', 'T2', 'T10']
    """
    return [(word.casefold(), int(digits or 0)) for word, digits in _PARTS.findall(name)], name


def table_name(text: str) -> str:
    """The name of a table; raises `FivePinsError` where it could not stand in an address.

    >>> table_name("T3")
    'T3'
    """
    if not _TABLE.fullmatch(text):
        raise FivePinsError(
            Message("no table is called {text!r}", text=text[:40]),
            hint="1 to 16 letters, digits or -, such as T3",
        )
    return text
