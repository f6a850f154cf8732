"""What others write is told: by PostgreSQL line by line, by SQLite as a fact."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fivepins.errors import IllegalEvent
from fivepins.notation import parse_file
from fivepins.store import ClockRow, Desk, Grant, Notice, Store, Unavailable
from postgres import Postgres

NOW = datetime(2026, 5, 1, 14, 5, 10, tzinfo=UTC)
HEAD = parse_file("FPN 1\nA: Rossi\nB: Bianchi\nRules: UMB-1997\nDistance: 60\nResult: *\n").records[0]
PATIENCE = 30
LOST = Notice("lost")


class Pair:
    """Two stores of one database; what the second is told lies in `told`."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.told: queue.Queue[Notice] = queue.Queue()
        self.one, self.two = Store.open(url), Store.open(url)
        self.listener = self.two.listen(self.told.put)

    def next(self) -> Notice:
        return self.told.get(timeout=PATIENCE)

    def close(self) -> None:
        self.listener.close()
        self.one.close()
        self.two.close()


@pytest.fixture(name="pair")
def _pair(postgres: Postgres) -> Iterator[Pair]:
    pair = Pair(postgres.new())
    yield pair
    pair.close()


def create(store: Store, name: str = "m") -> None:
    store.create_match(HEAD, command_id=f"create {name}", at=NOW, match_id=name)


def test_every_kind_of_writing_is_told_with_its_match_and_row(pair: Pair) -> None:
    one = pair.one
    create(one)
    assert pair.next() == ("match", "m", 7)
    one.append("m", ["set 1 A", "1. A o"], expected_seq=7, command_id="c", at=NOW)
    assert pair.next() == ("log", "m", 9)
    one.put_clock(ClockRow("m", 9, "k", running=True, held=0, begun=0))
    assert pair.next() == ("clock", "m", 9)
    one.take_desk(Desk("m", "d1", "Tablet", "", NOW))
    assert pair.next() == ("desk", "m", 0)
    one.add_grant(Grant("g", "referee", "", "Anna", NOW))
    one.set_secret("g", "x")
    one.revoke_grant("g", NOW)
    assert [pair.next() for _ in range(3)] == [("rights", "", 0)] * 3
    one.set_setting("hall", "{}")
    one.settle("secret", "s")
    assert [pair.next() for _ in range(2)] == [("settings", "", 0)] * 2


def test_what_a_store_writes_itself_and_what_is_refused_is_not_told(pair: Pair) -> None:
    create(pair.two)
    with pytest.raises(IllegalEvent):
        pair.one.append("m", "1. B o", expected_seq=7, command_id="c", at=NOW)
    create(pair.one, "n")
    assert pair.next() == ("match", "n", 7)


def test_a_lost_connection_comes_back_and_is_told_as_lost(pair: Pair, postgres: Postgres) -> None:
    create(pair.one)
    assert pair.next().kind == "match"
    assert postgres.hang_up(pair.url) >= 2
    assert pair.next() == LOST
    create(pair.one, "n")
    assert pair.next() == ("match", "n", 7)


def test_a_sqlite_file_tells_that_another_store_wrote_and_nothing_of_its_own(tmp_path: Path) -> None:
    pair = Pair(f"sqlite:///{tmp_path / 'hall.db'}")
    create(pair.two)
    pair.two.append("m", "set 1 A", expected_seq=7, command_id="c", at=NOW)
    with pytest.raises(queue.Empty):
        pair.told.get(timeout=1.2)
    pair.one.append("m", "1. A o", expected_seq=8, command_id="d", at=NOW)
    assert pair.next() == LOST
    assert pair.told.empty()
    pair.close()


def test_a_store_goes_on_after_its_connections_were_cut(pair: Pair, postgres: Postgres) -> None:
    create(pair.one)
    assert postgres.hang_up(pair.url) >= 2
    assert pair.one.append("m", "set 1 A", expected_seq=7, command_id="c", at=NOW).seq == 8


def test_a_server_that_is_away_refuses_in_words_and_what_was_stored_is_there_when_it_is_back(
    pair: Pair, postgres: Postgres
) -> None:
    create(pair.one)
    assert pair.next().kind == "match"
    postgres.stop()
    try:
        with pytest.raises(Unavailable):
            pair.one.append("m", "set 1 A", expected_seq=7, command_id="c", at=NOW)
    finally:
        postgres.start()
    assert pair.one.append("m", "set 1 A", expected_seq=7, command_id="c", at=NOW).note == ""
    assert [entry.line for entry in pair.two.lines("m", since=7)] == ["set 1 A"]
    assert pair.next() == LOST
