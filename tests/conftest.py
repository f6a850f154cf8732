"""What tests of several files share, made once a run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from postgres import Postgres, served


@pytest.fixture(scope="session", name="postgres")
def _postgres() -> Iterator[Postgres]:
    """A PostgreSQL server, for whichever tests ask for it."""
    with served() as server:
        yield server
