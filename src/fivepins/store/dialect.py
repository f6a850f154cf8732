"""Everything that differs between databases: how one connects, and what its errors mean."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from fivepins.errors import StoreError
from fivepins.language import N_
from fivepins.message import Message

BUSY = 5.0
"""Seconds to wait for another writer before giving up."""

_WRITES = "fivepins_writes"
_POSTGRESQL = ("postgres", "postgresql")


class Unavailable(StoreError):
    """The database cannot be reached, or its disk takes nothing; what was sent may be sent again."""


def connect(url: str) -> sa.Engine:
    """An engine whose transactions are durable and whose writers wait for each other."""
    try:
        engine = _engine(make_url(url))
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        raise StoreError(
            Message("no such database: {error}", error=error), hint="for a file: sqlite:///matches.db"
        ) from None
    return engine


def _engine(url: sa.URL, **pool: float) -> sa.Engine:
    if url.drivername in _POSTGRESQL:
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() != "postgresql":
        engine = sa.create_engine(url, **pool)
        if engine.dialect.name == "sqlite":
            _prepare_sqlite(engine)
        return engine
    # A server that was started again, or went away without a word, costs no command.
    return sa.create_engine(url, pool_pre_ping=True, connect_args=_IMPATIENT)


_IMPATIENT = {
    "connect_timeout": 5, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3,
}  # fmt: skip
"""Seconds after which a PostgreSQL server is taken to be away; by itself it would be hours."""


class _SameFile:
    """Refuses to write into a file that is no longer the one at its path, taken away or replaced.

    SQLite would go on in the file that nobody can open any more, and everything would seem to be saved.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found: tuple[int, int] | None = None

    def prepare(self) -> None:
        """Before a connection: a new file is for its owner alone, since whoever reads it can make links."""
        if self._found is not None:
            self.check()
        with contextlib.suppress(OSError):  # it is there already, or SQLite tells why it cannot be made
            os.close(os.open(self._path, os.O_CREAT | os.O_EXCL, 0o600))

    def check(self) -> None:
        """Raise `Unavailable` where another file, or none, is at the path."""
        try:
            there = self._path.stat()
        except OSError:
            there = None
        now = (there.st_dev, there.st_ino) if there else None
        self._found = self._found or now
        if now != self._found:
            raise Unavailable(
                Message("the database {path} was taken away or replaced", path=self._path),
                hint=N_("put it back, or start the server again; the newest copy lies among the backups"),
            )


def _prepare_sqlite(engine: sa.Engine) -> None:
    """WAL with FULL: what was acknowledged survives a power cut. A writer takes its lock at once."""
    if (path := file_of(engine)) is not None:
        _watch(engine, _SameFile(path))

    @sa.event.listens_for(engine, "connect")
    def _(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout={BUSY * 1000:.0f}")
        if connection.execute("PRAGMA journal_mode").fetchone()[0] == "delete":
            connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")

    @sa.event.listens_for(engine, "begin")
    def _(connection: sa.Connection) -> None:
        writes = connection.get_execution_options().get(_WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _watch(engine: sa.Engine, file: _SameFile) -> None:
    @sa.event.listens_for(engine, "do_connect")
    def _(*_: object) -> None:
        file.prepare()

    @sa.event.listens_for(engine, "connect")
    def _(*_: object) -> None:
        file.check()

    @sa.event.listens_for(engine, "begin")
    def _(connection: sa.Connection) -> None:
        if connection.get_execution_options().get(_WRITES, False):
            file.check()


def writing(engine: sa.Engine) -> sa.Engine:
    """The engine for transactions that write."""
    return engine.execution_options(**{_WRITES: True})


def writer(engine: sa.Engine) -> sa.Engine:
    """The engine for every transaction of a process that writes.

    With a SQLite file it has one connection: writers wait for each other anyway, and on a connection that
    makes all the changes of its process, `PRAGMA data_version` tells of those of others.
    """
    if file_of(engine) is None:
        return writing(engine)
    one = _engine(engine.url, pool_size=1, max_overflow=0, pool_timeout=BUSY)
    one.connect().close()  # at once: it holds the file that `engine` has just looked at
    return writing(one)


def reading(engine: sa.Engine) -> sa.Engine:
    """The engine for transactions that see one moment of the database, however long they read."""
    if engine.dialect.name == "sqlite":
        return engine  # WAL gives each reader its own moment
    return engine.execution_options(isolation_level="REPEATABLE READ")


def file_of(engine: sa.Engine) -> Path | None:
    """The file of a database that is one."""
    name = engine.url.database
    if engine.dialect.name != "sqlite" or not name or name == ":memory:":
        return None
    return Path(name.removeprefix("file:").partition("?")[0])


def damage(engine: sa.Engine) -> list[str]:
    """What the database itself finds wrong with its file."""
    if engine.dialect.name != "sqlite":
        return []
    with engine.connect() as connection:
        found = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check")]
        found += [
            f"foreign key: {tuple(row)}" for row in connection.exec_driver_sql("PRAGMA foreign_key_check")
        ]
    return [] if found == ["ok"] else [word for word in found if word != "ok"]


_HINTS = {
    "disk is full": N_("make room on the disk"),
    "disk i/o error": N_("is the disk full, or broken?"),
    "readonly": N_("the file or its folder cannot be written by this program"),
    "read-only": N_("the database takes no writes"),
    "unable to open": N_("does the folder exist, and may this program write in it?"),
    "locked": N_("another program holds the database; try again"),
    "not a database": N_("is it the right file?"),
    "malformed": N_("restore the last backup"),
}


def explained(error: DBAPIError) -> Unavailable:
    """An error of the database in words; its transaction has been rolled back.

    Where even the answer to the commit was lost, the same command sent again tells what became of it.
    """
    words = str(error.orig).strip().partition("\n")[0]
    hint = next((hint for key, hint in _HINTS.items() if key in words.lower()), "")
    return Unavailable(Message("the database refuses: {words}", words=words), hint=hint)
