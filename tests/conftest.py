"""What tests of several files share, made once a run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from postgres import Postgres, served
from serving import Site

SITES = ("a server on sqlite", "two servers on postgresql")


@pytest.fixture(scope="session", name="postgres")
def _postgres() -> Iterator[Postgres]:
    """A PostgreSQL server, for whichever tests ask for it."""
    with served() as server:
        yield server


@pytest.fixture(scope="module", name="site", params=SITES)
def _site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Real servers: what is asked of one and of two is the same, and so must the answers be."""
    folder = tmp_path_factory.mktemp("site")
    if request.param == SITES[0]:
        site = Site(folder, f"sqlite:///{folder / 'hall.db'}", 1)
    else:
        site = Site(folder, request.getfixturevalue("postgres").new(), 2)
    yield site
    site.stop()
