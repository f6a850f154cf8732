"""Copies that are made by themselves: when they are made, which are kept, and what is told when they fail."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from fivepins.notation import parse_file
from fivepins.store import ClockRow, Desk, Grant, Keeper, Store
from serving import PATIENCE, Served

NOW = datetime(2026, 5, 1, 14, 5, 10, tzinfo=UTC)
HEAD = parse_file("FPN 1\nA: Rossi\nB: Bianchi\nRules: UMB-1997\nDistance: 60\nResult: *\n").records[0]


@pytest.fixture(name="store")
def _store(tmp_path: Path) -> Iterator[Store]:
    store = Store.open(f"sqlite:///{tmp_path / 'hall.db'}")
    store.create_match(HEAD, command_id="m", at=NOW, match_id="m")
    yield store
    store.close()


class Times:
    """A time of day that moves by a minute whenever it is asked for."""

    def __init__(self) -> None:
        self.at = NOW

    def __call__(self) -> datetime:
        self.at += timedelta(minutes=1)
        return self.at


def note(store: Store, number: int) -> None:
    store.append("m", f'note "{number}"', expected_seq=6 + number, command_id=f"{number}", at=NOW)


def test_a_copy_is_made_when_something_was_written_and_the_newest_are_kept(
    tmp_path: Path, store: Store
) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    keeper = Keeper(store, folder, kept=2, now=Times())
    seen = []
    for number in range(1, 5):
        note(store, number)
        for _ in range(2):
            keeper.look()
            seen.append(sorted(path.name for path in folder.iterdir()))
    assert [len(names) for names in seen] == [1, 1, 2, 2, 2, 2, 2, 2]
    assert seen[-2] == seen[-1], "nothing new, no copy"
    assert seen[-1] == ["hall-20260501T141010.000000Z.db", "hall-20260501T141210.000000Z.db"]
    copy = Store.open(f"sqlite:///{folder / seen[-1][-1]}", create=False)
    assert copy.digest() == store.digest()
    copy.close()
    assert keeper.error == ""
    assert keeper.age(NOW + timedelta(minutes=10)) == timedelta(minutes=2)


def test_a_second_path_that_fails_is_told_and_comes_back(tmp_path: Path, store: Store) -> None:
    """B38: a copy that silently stopped is seen."""
    folder = tmp_path / "stick"
    keeper = Keeper(store, folder, now=Times())
    keeper.look()
    assert "there is no folder" in keeper.error
    assert (keeper.last, keeper.age(NOW)) == (None, None)
    assert not folder.exists(), "a stick that is not there is not made up"
    folder.mkdir()
    keeper.look()
    first = keeper.last
    assert (keeper.error, first is not None) == ("", True)
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    note(store, 1)
    keeper.look()
    assert keeper.error
    assert keeper.last == first, "the age goes on"


def test_what_stands_beside_the_logs_is_in_the_newest_copy_too(tmp_path: Path, store: Store) -> None:
    """A hall that is set up anew from its copy has its rights and its settings."""
    keeper = Keeper(store, tmp_path, now=Times())
    keeper.look()
    changes: tuple[Callable[[], object], ...] = (
        lambda: store.put_clock(ClockRow("m", 6, "clock", running=True, held=1.5, begun=0.0)),
        lambda: store.take_desk(Desk("m", "tablet", "Tablet", "Rossi", NOW)),
        lambda: store.add_grant(Grant("g", "referee", "", "Anna", NOW)),
        lambda: store.set_secret("g", "hash"),
        lambda: store.revoke_grant("g", NOW),
        lambda: store.set_setting("hall", "Sala"),
    )
    for number, change in enumerate(changes, start=2):
        change()
        keeper.look()
        keeper.look()
        assert len(list(tmp_path.glob("hall-*Z.db"))) == number
    copy = Store.open(f"sqlite:///{max(tmp_path.glob('hall-*Z.db'))}", create=False)
    assert (copy.clock("m"), copy.desk("m")) == (store.clock("m"), store.desk("m"))
    assert (copy.grants(), copy.setting("hall")) == (store.grants(), "Sala")
    copy.close()


CUT_OFF = """
import os, signal, sys
from pathlib import Path
from urllib.request import Request, urlopen
import sqlalchemy as sa
from fivepins.store import ClockRow, Desk, Grant, Keeper, Store

@sa.event.listens_for(sa.Engine, "before_cursor_execute")
def _(connection, cursor, statement, *rest):
    if statement.startswith("INSERT INTO log"):
        os.kill(os.getpid(), signal.SIGKILL)

Keeper(Store.open(sys.argv[1]), Path(sys.argv[2])).look()
"""
"""A copy that is killed when it has come to the log."""


def test_what_a_kill_left_of_a_copy_is_cleared_away_and_nothing_else(tmp_path: Path, store: Store) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    for _ in range(3):
        program = [sys.executable, "-c", CUT_OFF, f"sqlite:///{tmp_path / 'hall.db'}", str(folder)]
        assert subprocess.call(program) == -signal.SIGKILL
    dead, foreign, fresh = sorted(folder.iterdir())
    assert (dead / "draft.db").exists()
    (foreign / "letter.txt").write_text("not ours")
    strangers = [folder / ".hall-of-fame.db.abcdefgh", folder / ".hall-20260501T141010.000000Z.db.abcdefgh"]
    for stranger in strangers:
        stranger.write_text("not ours")
    for one in (dead, foreign, *dead.iterdir(), *foreign.iterdir(), *strangers):
        os.utime(one, (0, 0))
    keeper = Keeper(store, folder, now=Times())
    keeper.look()
    assert keeper.error == ""
    copy = folder / "hall-20260501T140610.000000Z.db"
    assert set(folder.iterdir()) == {foreign, fresh, *strangers, copy}
    assert [one.name for one in foreign.iterdir()] == ["letter.txt"]
    assert (fresh / "draft.db").exists(), "another server may be at it"


def test_a_foreign_file_is_no_copy_and_never_thrown_away(tmp_path: Path, store: Store) -> None:
    (tmp_path / "hall-A to Z.db").write_text("not ours")
    keeper = Keeper(store, tmp_path, kept=1, now=Times())
    for number in (1, 2):
        note(store, number)
        keeper.look()
    assert [path.name for path in sorted(tmp_path.glob("hall-*"))] == [
        "hall-20260501T140710.000000Z.db", "hall-A to Z.db",
    ]  # fmt: skip


def test_what_was_written_last_is_copied_at_the_end(tmp_path: Path, store: Store) -> None:
    keeper = Keeper(store, tmp_path, every=3600, now=Times())
    keeper.start()
    note(store, 1)
    keeper.close()
    newest = max(tmp_path.glob("hall-*.db"))
    copy = Store.open(f"sqlite:///{newest}", create=False)
    assert copy.digest() == store.digest()
    copy.close()


def test_the_start_page_tells_how_old_the_copy_is_and_when_it_fails(tmp_path: Path) -> None:
    """B38: on a real server, whose stick is pulled."""
    stick = tmp_path / "stick"
    stick.mkdir()
    served = Served(tmp_path / "hall", "--backup", str(stick))
    try:
        assert "0 minutes ago" in told(served, lambda page: "minutes ago" in page)
        assert len(list(stick.glob("hall-*.db"))) == 1
    finally:
        assert served.stop() == 0
    shutil.rmtree(stick)
    served.start()
    try:
        assert "the director can see why" in told(served, lambda page: "copying fails" in page)
        assert not stick.exists()
    finally:
        assert served.stop() == 0


def test_copies_on_the_disk_of_the_hall_are_told_to_its_director(tmp_path: Path) -> None:
    elsewhere = Path("/dev/shm")
    with closing(Store.open(f"sqlite:///{tmp_path / 'hall.db'}")) as store:
        assert Keeper(store, tmp_path).on_the_same_disk
        assert not Keeper(store, tmp_path / "pulled").on_the_same_disk
        other = elsewhere.stat().st_dev != tmp_path.stat().st_dev
        assert Keeper(store, elsewhere).on_the_same_disk != other
    served = Served(tmp_path / "hall")
    try:
        assert "on the same disk" not in told(served, lambda page: "minutes ago" in page)
        token = served.director.partition("#")[2]
        asked = Request(served.url, headers={"authorization": f"Bearer {token}"})
        with urlopen(asked, timeout=PATIENCE) as page:
            assert "0 minutes ago, on the same disk" in page.read().decode()
    finally:
        assert served.stop() == 0


def told(served: Served, holds: Callable[[str], bool]) -> str:
    """The start page, once the first copy has been tried."""
    deadline = time.monotonic() + PATIENCE
    while not holds(page := served.get().decode()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return page
