"""The store: matches as append-only logs of notation lines, in SQLite or PostgreSQL.

The rows of a match, read from the top, are its file: the head, an empty line, the events. All else is
computed; `Store.rebuild` makes the read tables again. `docs/decisions/030-store.md` tells why.
"""

from __future__ import annotations

from fivepins.store.backup import Backup
from fivepins.store.database import ALREADY, Appended, Closed, NoSuchMatch, Reused, Scoreline, Snapshot, Stale
from fivepins.store.dialect import Unavailable
from fivepins.store.folder import Imported
from fivepins.store.hall import ClockRow, Desk, Grant, Held
from fivepins.store.keeper import Keeper
from fivepins.store.listen import Listener, Notice
from fivepins.store.log import CLOSED, FIXED, OPEN, Entry, is_header
from fivepins.store.store import Store

__all__ = [
    "ALREADY",
    "CLOSED",
    "FIXED",
    "OPEN",
    "Appended",
    "Backup",
    "ClockRow",
    "Closed",
    "Desk",
    "Entry",
    "Grant",
    "Held",
    "Imported",
    "Keeper",
    "Listener",
    "NoSuchMatch",
    "Notice",
    "Reused",
    "Scoreline",
    "Snapshot",
    "Stale",
    "Store",
    "Unavailable",
    "is_header",
]
