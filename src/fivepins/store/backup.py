"""A copy of everything, made while the store is in use, and looked at before it is called one."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from fivepins.errors import StoreError
from fivepins.store import database, dialect
from fivepins.store.migrate import migrate
from fivepins.store.schema import metadata


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
        raise StoreError(f"{path.name} is a database in use", hint="name another file for the backup")
    if not path.parent.is_dir():
        raise StoreError(f"there is no folder {path.parent}", hint="make it first")
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        draft = Path(folder, "draft.db")
        _copy(source, draft)
        backup = _verified(source, draft, path)
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        draft.replace(path)
    return backup


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
    engine = dialect.connect(f"sqlite:///{draft}")
    try:
        with engine.connect() as copy:
            digest, count = database.digest(copy), len(database.match_ids(copy))
        wrong = dialect.damage(engine)
    finally:
        engine.dispose()
    if wrong or digest != database.digest(source):
        raise StoreError(f"the copy is not the same: {'; '.join(wrong) or 'other lines'}", hint="try again")
    return Backup(path, count, digest)
