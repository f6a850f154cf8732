"""The names that stand in addresses: what is allowed, and in which words others are refused."""

from __future__ import annotations

import re

from fivepins.errors import FivePinsError
from fivepins.message import Message

_TABLE = re.compile(r"[A-Za-z0-9-]{1,16}")


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
