"""A copy of everything, made while the store is in use, and looked at before it is called one."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from fivepins.errors import StoreError
from fivepins.message import Message
from fivepins.store import database, dialect
from fivepins.store.migrate import migrate
from fivepins.store.schema import metadata

ABANDONED: Final = 300.0
"""Seconds after which a draft that nobody has written in belongs to nobody: a copy takes a few."""
_DRAFT: Final = "draft.db"


@dataclass(frozen=True, slots=True)
class Backup:
    """A verified copy: its file, how many matches it holds, and the digest it shares with the store."""

    path: Path
    matches: int
    digest: str


def back_up(source: sa.Connection, path: Path) -> Backup:
    """Copy what a connection sees into a SQLite file; the file appears only when it is verified."""
    path = path.resolve()
    if path.with_name(f"{path.name}-wal").exists():
        raise StoreError(
            Message("{name} is a database in use", name=path.name), hint="name another file for the backup"
        )
    if not path.parent.is_dir():
        raise StoreError(Message("there is no folder {folder}", folder=path.parent), hint="make it first")
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        draft = Path(folder, _DRAFT)
        _copy(source, draft)
        backup = _verified(source, draft, path)
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        draft.replace(path)
    return backup


def sweep(folder: Path, names: re.Pattern[str]) -> None:
    """Take away the drafts of copies of such names that were cut off, by a kill or by the power.

    A fresh draft may be another server's, and is left. So is whatever is not a draft, even inside of one.
    """
    for place in folder.glob(".*"):
        name, _, mark = place.name[1:].rpartition(".")
        if names.fullmatch(name) and re.fullmatch(r"[a-z0-9_]{8}", mark):
            with contextlib.suppress(OSError):  # its owner is quicker, or something else lies in it
                _discard(place)


def _discard(place: Path) -> None:
    drafts = list(place.glob(f"{_DRAFT}*"))
    if time.time() - max(one.stat().st_mtime for one in (place, *drafts)) > ABANDONED:
        for draft in drafts:
            draft.unlink()
        place.rmdir()


def _copy(source: sa.Connection, path: Path) -> None:
    engine = dialect.connect(f"sqlite:///{path}")
    try:
        migrate(engine)
        with dialect.writing(engine).begin() as target:
            for table in metadata.sorted_tables:
                for rows in source.execute(sa.select(table)).mappings().partitions(1000):
                    target.execute(table.insert(), [dict(row) for row in rows])
    finally:
        engine.dispose()


def _verified(source: sa.Connection, draft: Path, path: Path) -> Backup:
    """Hold every table of the copy against the original."""
    engine = dialect.connect(f"sqlite:///{draft}")
    try:
        with engine.connect() as copy:
            sums, count = database.sums(copy), len(database.match_ids(copy))
        wrong = dialect.damage(engine)
    finally:
        engine.dispose()
    wrong += [f"other {name}" for name, one in database.sums(source).items() if sums[name] != one]
    if wrong:
        raise StoreError(
            Message("the copy is not the same: {wrong}", wrong="; ".join(wrong)), hint="try again"
        )
    return Backup(path, count, database.digest(sums))
