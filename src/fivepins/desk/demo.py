"""The demo hall: four tables, a match on each, to try everything on.

T1 is in its second set, T2 has been played, T3 waits for the lag, and T4 plays by itself.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from importlib.resources import files
from itertools import takewhile
from pathlib import Path
from typing import Final

from fivepins.lines import Line, format_line
from fivepins.notation import Record, parse_file
from fivepins.store import Store

MATCHES: Final = ("demo1", "demo2", "demo3", "demo4")
"""The ids of the matches, so that a link into the demo stays good."""
ITSELF: Final = "demo4"
"""The match that plays by itself."""
_GOES_ON = "from here on the demo plays by itself"


def hall(folder: Path, now: datetime) -> str:
    """The URL of the demo's database, made anew unless another server has it open.

    Raises `StoreError` where it cannot be written.
    """
    path = folder / "demo.db"
    url = f"sqlite:///{path}"
    if not _in_use(path):
        for name in (path, path.with_name("demo.db-wal"), path.with_name("demo.db-shm")):
            name.unlink(missing_ok=True)
        with closing(Store.open(url)) as store:
            fill(store, now)
    return url


def fill(store: Store, now: datetime) -> None:
    """Put the matches into an empty store."""
    for match_id, record in zip(MATCHES, _records(), strict=True):
        so_far = replace(record, lines=tuple(takewhile(_is_told, record.lines)))
        store.create_match(so_far, command_id=f"demo {match_id}", at=now, by="demo", match_id=match_id)


def rest() -> tuple[str, ...]:
    """The lines that the match which plays by itself has yet to play."""
    record = _records()[MATCHES.index(ITSELF)]
    told = len(tuple(takewhile(_is_told, record.lines)))
    return tuple(map(format_line, record.lines[told + 1 :]))


def _records() -> tuple[Record, ...]:
    text = files("fivepins.desk").joinpath("demo.fpn").read_text("utf-8")
    return tuple(parse_file(text).records)


def _is_told(line: Line) -> bool:
    return line.comment != _GOES_ON


def _in_use(path: Path) -> bool:
    """Whether a server has the database open: only then is its lock not to be had."""
    if not path.exists():
        return False
    with closing(sqlite3.connect(path, timeout=0)) as connection:
        try:
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            return True
        except sqlite3.DatabaseError:  # no database at all: nobody can be using it
            return False
    return False
