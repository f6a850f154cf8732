"""What other processes write into the same database, told as it happens.

PostgreSQL says so itself: every transaction that writes sends a notice, and it travels if and only if the
transaction is committed. SQLite only tells that somebody has written, and is asked twice a second.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Any, Final, NamedTuple, Protocol

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

CHANNEL: Final = "fivepins"
PATIENCE: Final = 0.5
"""Seconds between two looks: at a SQLite file, at whether to end, and after a connection that failed."""


class Notice(NamedTuple):
    """Something that another process wrote.

    `kind` is `match` (a new one), `log`, `clock`, `desk`, `rights` or `settings`; or `lost`: anything may
    have been written. `match_id` and `seq`, the newest row, are empty where they do not apply.
    """

    kind: str
    match_id: str = ""
    seq: int = 0


LOST: Final = Notice("lost")


class Listener:
    """A thread that gives every notice to `callback`, in that thread, until `close`.

    What is committed after it was made is not missed: where the connection was lost meanwhile, it comes
    to a `lost`.
    """

    def __init__(self, source: Source, callback: Callable[[Notice], None]) -> None:
        self._source = source
        self._callback = callback
        self._ended = threading.Event()
        source.begin()
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End it; takes half a second at most."""
        self._ended.set()
        self._thread.join()
        self._source.end()

    def _run(self) -> None:
        lost = False
        while not self._ended.is_set():
            try:
                if lost:
                    self._source.begin()
                    lost = False
                    self._callback(LOST)
                for notice in self._source.heard(self._ended):
                    self._callback(notice)
            except self._source.failures:
                self._source.end()
                lost = True
                self._ended.wait(PATIENCE)


class Source(Protocol):
    """Where notices come from: begun, heard for a while again and again, ended."""

    failures: tuple[type[Exception], ...]

    def begin(self) -> None: ...

    def heard(self, ended: threading.Event) -> Iterable[Notice]: ...

    def end(self) -> None: ...


def tell(connection: sa.Connection, sender: str, notice: Notice) -> None:
    """Send a notice with the transaction, where the database can."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_notify(CHANNEL, json.dumps([sender, *notice]))))


def source(writer: sa.Engine, sender: str) -> Source:
    """The source of a database, without what `sender` itself writes."""
    return Told(writer, sender) if writer.dialect.name == "postgresql" else Asked(writer)


class Told:
    """PostgreSQL: a connection of its own that listens."""

    def __init__(self, engine: sa.Engine, sender: str) -> None:
        self.failures = _failures(engine)
        self._engine = engine
        self._sender = sender
        self._connection: Any = None

    def begin(self) -> None:
        """Listen."""
        pooled = self._engine.raw_connection()
        self._connection = pooled.dbapi_connection
        pooled.detach()  # it is busy for good: no connection for the pool to lend
        self._connection.autocommit = True
        self._connection.execute(f"LISTEN {CHANNEL}")

    def heard(self, ended: threading.Event) -> Iterable[Notice]:  # noqa: ARG002 - the driver waits, not the event
        """Wait for what comes."""
        for told in self._connection.notifies(timeout=PATIENCE, stop_after=1):
            sender, *notice = json.loads(told.payload)
            if sender != self._sender:
                yield Notice(*notice)

    def end(self) -> None:
        """Hang up."""
        if self._connection is not None:
            self._connection.close()


class Asked:
    """SQLite: the one connection that writes sees the version of the file move when others write."""

    def __init__(self, writer: sa.Engine) -> None:
        self.failures = _failures(writer)
        self._writer = writer
        self._version = 0

    def begin(self) -> None:
        """Note the version."""
        self._version = self._now()

    def heard(self, ended: threading.Event) -> Iterable[Notice]:
        """Look, after a while, whether it moved."""
        ended.wait(PATIENCE)
        before, self._version = self._version, self._now()
        if self._version != before:
            yield LOST

    def end(self) -> None:
        """Nothing is held open."""

    def _now(self) -> int:
        with closing(
            self._writer.raw_connection()
        ) as connection:  # to look takes no lock, a transaction would
            cursor = connection.cursor()
            cursor.execute("PRAGMA data_version")
            (version,) = cursor.fetchone() or (0,)
            return int(version)


def _failures(engine: sa.Engine) -> tuple[type[Exception], ...]:
    """What can go wrong with a connection."""
    return SQLAlchemyError, engine.dialect.loaded_dbapi.Error
