"""The demo hall: four tables, a match on each, to try everything on.

T1 is in its second set, T2 has been played, T3 waits for the lag, and T4 plays by itself
until somebody else writes in it.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from importlib.resources import files
from itertools import takewhile
from pathlib import Path
from typing import Final
from uuid import uuid4

from fivepins.desk.hall import Hall
from fivepins.desk.rights import Visitor
from fivepins.errors import FivePinsError
from fivepins.lines import Line, format_line
from fivepins.notation import Record, parse_file
from fivepins.store import Store

MATCHES: Final = ("demo1", "demo2", "demo3", "demo4")
"""The ids of the matches, so that a link into the demo stays good."""
ITSELF: Final = "demo4"
"""The match that plays by itself."""
_GOES_ON = "from here on the demo plays by itself"


def database(folder: Path, now: datetime) -> str:
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


@dataclass(slots=True)
class _Line:
    """The command that writes one line."""

    command_id: str
    expected_seq: int
    lines: list[str]


async def play(hall: Hall, pause: float = 20.0) -> None:
    """Play one match on, a line every `pause` seconds, until it is over or somebody else writes in it."""
    seq = (await hall.match(ITSELF)).now.seq
    visitor = Visitor(by="demo", device="demo", name="demo")
    with contextlib.suppress(FivePinsError):  # the match is at another line: it has found a better referee
        for line in _rest():
            await asyncio.sleep(pause)
            seq = (await hall.append(ITSELF, _Line(uuid4().hex, seq, [line]), visitor)).seq


def _rest() -> tuple[str, ...]:
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
