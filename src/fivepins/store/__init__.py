"""The store: matches as append-only logs of notation lines, in SQLite or PostgreSQL.

The rows of a match, read from the top, are its file: the head, an empty line, the events. All else is
computed; `Store.rebuild` makes the read tables again. `docs/decisions/030-store.md` tells why.
"""

from __future__ import annotations

from fivepins.store.backup import Backup
from fivepins.store.database import ALREADY, Appended, NoSuchMatch, Scoreline, Stale
from fivepins.store.folder import Imported
from fivepins.store.log import Entry
from fivepins.store.store import Store

__all__ = [
    "ALREADY",
    "Appended",
    "Backup",
    "Entry",
    "Imported",
    "NoSuchMatch",
    "Scoreline",
    "Stale",
    "Store",
]
