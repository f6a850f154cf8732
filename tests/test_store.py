"""The store: commands once and in order, nothing lost in a crash, copies that are equal."""

from __future__ import annotations

import random
import resource
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy.dialects import postgresql
from typer.testing import CliRunner

from fivepins.cli import app
from fivepins.errors import FivePinsError, IllegalEvent, NotationError, StoreError
from fivepins.match import Phase
from fivepins.notation import Record, parse_file, read_file
from fivepins.sheet import score
from fivepins.store import (
    ALREADY,
    Appended,
    ClockRow,
    Closed,
    Desk,
    Grant,
    NoSuchMatch,
    Stale,
    Store,
    Unavailable,
)
from fivepins.store import backup as backing_up
from fivepins.store.schema import log, matches, metadata
from fivepins.table import Pair
from killing import killed_store
from postgres import Postgres

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
NOW = datetime(2026, 5, 1, 14, 5, 10, tzinfo=UTC)
HEAD = "FPN 1\nA: Rossi\nB: O'Brien <b>x</b>\nRules: UMB-1997\nDistance: 60\nResult: *\n"
ROWS = 7
"""The rows of that head, with the empty one that ends it."""


def head() -> Record:
    return parse_file(HEAD).records[0]


def url(path: Path) -> str:
    return f"sqlite:///{path}"


def add(store: Store, line: str, seq: int, command: str, match: str = "m") -> Appended:
    return store.append(match, line, expected_seq=seq, command_id=command, at=NOW, by="R", device="T1")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "matches.db"


@pytest.fixture(params=["sqlite", "postgresql"])
def db(request: pytest.FixtureRequest, path: Path) -> str:
    """The URL of a database of each kind; what holds in one holds in the other."""
    if request.param == "sqlite":
        return url(path)
    server: Postgres = request.getfixturevalue("postgres")
    return server.new()


in_a_file = pytest.mark.parametrize("db", ["sqlite"], indirect=True)
"""For what only a database that is a file can do, or suffer."""


@pytest.fixture(name="store")
def _store(db: str) -> Iterator[Store]:
    """A store with one match, whose first set is open."""
    one = Store.open(db)
    one.create_match(head(), command_id="head", at=NOW, match_id="m")
    add(one, "set 1 A", ROWS, "set")
    yield one
    one.close()


# -- commands ------------------------------------------------------------------------------------


def test_a_line_is_stored_with_who_when_and_from_where(store: Store) -> None:
    assert add(store, "1.  A o r /13   # so", 8, "c") == Appended("m", 9, "1. A o r /13  # so")
    entry = store.lines("m", since=8)[0]
    assert (entry.seq, entry.line, entry.at) == (9, "1. A o r /13  # so", NOW)
    assert (entry.by, entry.device, entry.command_id) == ("R", "T1", "c")
    assert store.state("m").score == Pair(8, 0)
    assert [entry.seq for entry in store.lines("m")] == [*range(1, 10)]


def test_the_rows_from_the_top_are_the_file(store: Store) -> None:
    text = "".join(f"{entry.line}\n" for entry in store.lines("m"))
    assert text == f"{HEAD}\nset 1 A\n"
    assert parse_file(text).records[0] == store.record("m")


def test_a_command_that_comes_again_gets_its_answer_and_is_stored_once(store: Store) -> None:
    first = add(store, "1. A o", 8, "c")
    add(store, "2. B o", 9, "d")
    again = add(store, "1.  A o", 8, "c")
    assert again == first
    assert (first.note, again.note) == ("", ALREADY)
    assert len(store.lines("m")) == 10
    created = store.create_match(head(), command_id="head", at=NOW)
    assert (created.match_id, created.seq, created.note) == ("m", ROWS, ALREADY)
    assert store.matches() == ["m"]


def test_a_command_id_belongs_to_one_command(store: Store) -> None:
    add(store, "1. A o", 8, "c")
    with pytest.raises(StoreError, match="used for another line"):
        add(store, "2. B o", 9, "c")
    store.create_match(head(), command_id="other", at=NOW, match_id="n")
    with pytest.raises(StoreError, match="used in match 'm'"):
        add(store, "set 1 A", ROWS, "set", "n")


def test_a_part_of_a_command_or_more_than_it_is_another_command(store: Store) -> None:
    add(store, "1. A o", 8, "c")
    add(store, "2. B o", 9, "d")
    both = ["3. A o", "4. B o"]
    store.append("m", both, expected_seq=10, command_id="e", at=NOW)
    for lines, command in [(["1. A o", "2. B o"], "c"), (both[:1], "e")]:
        with pytest.raises(StoreError, match="used for another line"):
            store.append("m", lines, expected_seq=12, command_id=command, at=NOW)
    assert store.append("m", both, expected_seq=10, command_id="e", at=NOW).note == ALREADY


def test_a_snapshot_that_is_carried_on_is_the_one_read_afresh(db: str, store: Store) -> None:
    lines = ["1. A o r /13", "Table: T2", "A: M. Rossi", "2. B o", "# so", 'end A left "so"', "Referee: X"]
    for seq, line in enumerate(lines, 8):
        add(store, line, seq, line)
        fresh = Store.open(db)
        assert (one := store.snapshot("m")) == fresh.snapshot("m")
        assert (one.head.terms, one.value("Result")) == (one.state.terms, store.record("m").value("Result"))
        fresh.close()


def test_matches_keep_their_order_when_the_clock_goes_back_an_hour_or_ahead_six(store: Store) -> None:
    """B27"""
    table = head().with_header("Table", "T1")
    for name, hours in [("now", 0), ("back", -1), ("ahead", 6), ("again", 0)]:
        at = NOW + timedelta(hours=hours)
        store.create_match(table, command_id=name, at=at, match_id=name)
        assert store.match_at("T1") == name
    assert store.matches() == ["m", "now", "back", "ahead", "again"]


def test_a_match_is_open_or_closed_from_its_head_on(store: Store) -> None:
    with pytest.raises(IllegalEvent, match="open or closed"):
        store.create_match(head().with_header("Status", "x"), command_id="x", at=NOW)


def test_a_stale_command_gets_the_lines_it_missed(store: Store) -> None:
    """B18: nobody writes over what somebody else has entered."""
    add(store, "1. A o", 8, "c")
    add(store, "2. B o", 9, "d")
    with pytest.raises(Stale) as caught:
        add(store, "1. A o /1", 8, "e")
    assert [entry.line for entry in caught.value.missing] == ["1. A o", "2. B o"]
    assert caught.value.seq == 10
    with pytest.raises(Stale) as ahead:
        add(store, "3. A o", 11, "f")
    assert ahead.value.missing == ()
    assert len(store.lines("m")) == 10


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("2. B o", IllegalEvent),
        ("1. B o", IllegalEvent),
        ("1. A o /13 =7", IllegalEvent),
        ("good A 60-0", IllegalEvent),
        ("1. A nonsense", NotationError),
        ("1. A o\n2. B o", NotationError),
        ("FPN 1", NotationError),
        ("  ", NotationError),
        ("A:", NotationError),
        ("A: x\ny", NotationError),
        ("Distance: 40", IllegalEvent),
        ("Result: A 1-0", IllegalEvent),
    ],
)
def test_what_is_illegal_is_not_stored(store: Store, line: str, error: type[FivePinsError]) -> None:
    before = store.digest()
    with pytest.raises(error):
        add(store, line, 8, "c")
    assert store.digest() == before
    assert add(store, "1. A o", 8, "c").note == ""  # its id is still free


def test_a_name_is_corrected_by_a_new_row_and_nothing_else_changes(store: Store) -> None:
    """B19"""
    add(store, "1. A o r /13", 8, "c")
    before = store.state("m"), store.record("m"), store.lines("m")
    assert add(store, "A:  M. Rossi", 9, "d").line == "A: M. Rossi"
    assert store.record("m") == before[1].with_header("A", "M. Rossi")
    assert store.state("m").log == before[0].log
    assert store.state("m").terms.players == Pair("M. Rossi", "O'Brien <b>x</b>")
    assert store.lines("m")[:9] == before[2]
    assert add(store, "2. B o", 10, "e").seq == 11


def test_of_200_commands_within_one_millisecond_an_undo_touches_its_own_match(store: Store) -> None:
    """B09"""
    names = [f"t{table}" for table in range(4)]
    for name in names:
        store.create_match(head(), command_id=name, at=NOW, match_id=name)
        add(store, "set 1 A", ROWS, f"{name} set", name)
    for turn in range(1, 51):
        for name in names:
            add(store, f"{turn}. {'BA'[turn % 2]} o", ROWS + turn, f"{name} {turn}", name)
    rows = [entry for name in names for entry in store.lines(name)]
    assert len({entry.command_id for entry in rows if entry.command_id}) == 4 * 52
    others = [store.lines(name) for name in names[1:]]
    add(store, 'undo "slip"', ROWS + 51, "undo", "t0")
    assert [store.lines(name) for name in names[1:]] == others
    assert [len(one.turns) for name in names if (one := store.state(name).set)] == [49, 50, 50, 50]


def test_two_servers_that_take_turns_agree(db: str, store: Store) -> None:
    other = Store.open(db)
    lines = ["1. A o r", "2. B o", "A: M. Rossi", "3. A o", 'fix 2 o /13 "so"', "# so", 'undo "no"', "4. B -"]
    for place, line in enumerate(lines):
        for slow in (store, other):
            with pytest.raises(IllegalEvent):
                add(slow, "good A 60-0", 8 + place, "never")
        add((store, other)[place % 3 == 0], line, 8 + place, f"c{place}")
    fresh = Store.open(db)
    add(fresh, "5. A o r", 16, "last")
    assert store.scores() == other.scores() == fresh.rebuild()
    fresh.close()
    other.close()


def test_a_match_that_is_not_there(store: Store) -> None:
    for ask in (store.lines, store.record, store.state):
        with pytest.raises(NoSuchMatch, match="no match 'x'"):
            ask("x")
    with pytest.raises(NoSuchMatch):
        add(store, "set 1 A", ROWS, "c", "x")
    assert store.lines("m", since=99) == ()


@pytest.mark.parametrize("name", ["", "../m", "M", "a b", "a" * 65, "m"])
def test_a_match_has_a_fresh_name_that_can_be_a_file(store: Store, name: str) -> None:
    with pytest.raises(StoreError):
        store.create_match(head(), command_id="c", at=NOW, match_id=name)


def test_a_time_without_its_zone_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="zone"):
        store.append("m", "1. A o", expected_seq=8, command_id="c", at=NOW.replace(tzinfo=None))


def test_two_connections_race_for_every_row(db: str, store: Store) -> None:
    won: list[list[str]] = [[], []]

    def write(mine: int) -> None:
        other = Store.open(db)
        for number in range(25):
            while True:
                seq = len(other.lines("m"))
                try:
                    done = add(other, f'note "{mine} {number}"', seq, f"{mine} {number}")
                except Stale:
                    continue
                won[mine].append(done.line)
                break
        other.close()

    threads = [threading.Thread(target=write, args=(mine,)) for mine in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    entries = store.lines("m", since=8)
    assert [entry.seq for entry in entries] == [*range(9, 59)]
    for mine in (0, 1):
        assert [e.line for e in entries if e.line.startswith(f'note "{mine}')] == won[mine]
        assert len(won[mine]) == 25


def test_a_desk_is_taken_over_with_a_line_of_the_log_or_not_at_all(db: str, store: Store) -> None:
    one, two = (Desk("m", device, f"The {device}\none", "R", NOW) for device in ("first", "second"))
    assert (store.take_desk(one), store.take_desk(two)) == (one, one)
    assert store.snapshot("m").seq == 8  # to begin, and to be refused, are no lines
    with closing(Store.open(db)) as other:
        add(other, "1. A o =0", 8, "meanwhile")
        assert store.take_desk(two, instead_of="first") == two
        assert [entry.line for entry in other.lines("m", 9)] == ["# desk: The second one takes over"]
        assert add(other, "2. B o =0", 10, "after it").seq == 11
        add(other, 'end A walkover "did not come"', 11, "end")
        add(other, "Status: closed", 12, "close")
    with pytest.raises(Closed):
        store.take_desk(one, instead_of="second")
    assert (store.desk("m"), store.snapshot("m").seq) == (two, 13)


def test_the_same_command_at_once_is_stored_once(db: str, store: Store) -> None:
    answers: list[Appended] = []
    stores = [Store.open(db) for _ in range(4)]
    gate = threading.Barrier(4)

    def write(one: Store) -> None:
        gate.wait()
        answers.append(add(one, "1. A o", 8, "tap"))

    threads = [threading.Thread(target=write, args=(one,)) for one in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one in stores:
        one.close()
    assert answers == [Appended("m", 9, "1. A o")] * 4
    assert sorted(answer.note for answer in answers) == ["", ALREADY, ALREADY, ALREADY]
    assert len(store.lines("m")) == 9


# -- crash ---------------------------------------------------------------------------------------


@in_a_file
def test_what_was_acknowledged_is_there_after_each_of_25_kills(db: str, store: Store) -> None:
    """B37: killed at random while it writes; at most the command that was not answered is more."""
    store.close()
    chance = random.Random(4)
    assert sum(killed_store(db, chance) for _ in range(25)) >= 25


FILLER = """
import sys
from fivepins.errors import StoreError
from datetime import UTC, datetime
from fivepins.store import Store
import resource
store = Store.open(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
seq = 8
try:
    while seq < 2000:
        line = f'note "{"x" * 4000}"'
        seq = store.append("m", line, expected_seq=seq, command_id=f"f{seq}", at=datetime.now(UTC)).seq
except StoreError as error:
    print(seq, len(store.lines("m")), error.message, error.hint, sep="|")
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(store.append("m", line, expected_seq=seq, command_id=f"f{seq}", at=datetime.now(UTC)).note)
"""


@in_a_file
def test_a_full_disk_refuses_in_words_and_leaves_the_log_whole(db: str, store: Store) -> None:
    """B38: under the store alone; tests/test_disk.py fills one under the whole server."""
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    run = subprocess.run([sys.executable, "-c", FILLER, db], capture_output=True, text=True, check=True)
    refused, later = run.stdout.splitlines()
    acknowledged, there, message, hint = refused.split("|")
    assert acknowledged == there
    assert "the database refuses" in message
    assert "full" in hint
    assert later == "", "the same command, once there is room, is stored and not a repetition"
    assert len(store.lines("m")) == int(acknowledged) + 1
    assert store.scores() == store.rebuild()


@in_a_file
def test_a_database_that_cannot_be_written_is_read_and_refuses(path: Path, store: Store) -> None:
    """B38"""
    readonly = Store.open(f"sqlite:///file:{path}?mode=ro&uri=true")
    assert readonly.state("m").phase is Phase.PLAY
    with pytest.raises(StoreError, match="readonly") as caught:
        add(readonly, "1. A o", 8, "c")
    assert caught.value.hint
    readonly.close()
    assert add(store, "1. A o", 8, "c").note == ""


@in_a_file
@pytest.mark.parametrize("replaced", [False, True], ids=["taken away", "replaced"])
def test_a_database_that_is_no_longer_in_its_place_takes_nothing(
    replaced: bool, path: Path, tmp_path: Path, store: Store
) -> None:
    elsewhere = tmp_path / "elsewhere.db"
    path.rename(elsewhere)
    if replaced:
        path.touch()
    for command in ("lost", "lost again"):
        with pytest.raises(Unavailable, match="taken away or replaced"):
            add(store, "1. A o =0", 8, command)
    path.unlink(missing_ok=True)
    elsewhere.rename(path)
    assert add(store, "1. A o =0", 8, "found").seq == 9


@in_a_file
def test_a_new_database_is_for_its_owner_alone(tmp_path: Path, store: Store) -> None:
    store.backup(tmp_path / "copy.db")
    open_to_others = {one.name: one.stat().st_mode & 0o077 for one in tmp_path.iterdir()}
    names = "copy.db", "matches.db", "matches.db-shm", "matches.db-wal"
    assert open_to_others == dict.fromkeys(names, 0)


@in_a_file
def test_the_connection_is_durable(store: Store) -> None:
    wanted = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5000}
    with store._engine.connect() as connection:
        assert {n: connection.exec_driver_sql(f"PRAGMA {n}").scalar() for n in wanted} == wanted


# -- copies --------------------------------------------------------------------------------------


def test_a_folder_goes_in_and_out_unchanged(tmp_path: Path, store: Store) -> None:
    done = store.import_folder(EXAMPLES, at=NOW, by="me")
    assert all(one.new and not one.error for one in done), done
    files = store.export_folder(tmp_path / "out")
    assert {file.stem for file in files} == {one.match_id for one in done} | {"m"}
    for one in done:
        records = parse_file(read_file(EXAMPLES / one.file)).records
        if len(records) == 1:
            assert store.record(one.match_id) == records[0].with_header("Result", score(records[0]).result)
    other = Store.open(url(tmp_path / "other.db"))
    other.import_folder(tmp_path / "out", at=NOW)
    assert {m: other.record(m) for m in other.matches()} == {m: store.record(m) for m in store.matches()}
    before = other.digest()
    assert not any(one.new or one.error for one in other.import_folder(tmp_path / "out", at=NOW))
    assert other.digest() == before
    other.close()


def test_an_import_tells_what_fails_and_stores_the_rest(tmp_path: Path, store: Store) -> None:
    (tmp_path / "m.fpn").write_text(f"{HEAD}\nset 1 B\n", "utf-8")
    (tmp_path / "bad.fpn").write_text("FPN 1\nA: x\n", "utf-8")
    (tmp_path / "false.fpn").write_text(f"{HEAD}\nset 1 B\n1. A o\n", "utf-8")
    (tmp_path / "Two Good.fpn").write_text(f"{HEAD}\n{HEAD}", "utf-8")
    done = {(one.match_id, one.new): one.error for one in store.import_folder(tmp_path, at=NOW)}
    assert "no 'B'" in done["", False]
    assert "line 9: " in done["false", False]
    assert "another match" in done["m", False]
    assert done["two-good-1", True] == done["two-good-2", True] == ""


def test_a_backup_is_made_in_use_and_verified(tmp_path: Path, db: str, store: Store) -> None:
    stop = threading.Event()

    def write() -> None:
        other = Store.open(db)
        while not stop.is_set():
            seq = len(other.lines("m"))
            add(other, f'note "{seq}"', seq, f"n{seq}")
        other.close()

    writer = threading.Thread(target=write)
    writer.start()
    backups = [store.backup(tmp_path / f"copy{number}.db") for number in range(3)]
    stop.set()
    writer.join()
    for backup in [*backups, store.backup(tmp_path / "copy0.db")]:
        copy = Store.open(url(backup.path), create=False)
        assert copy.matches() == ["m"]
        entries = copy.lines("m")
        assert entries == store.lines("m")[: len(entries)]
        assert copy.scores() == copy.rebuild()
        copy.close()
    assert store.backup(tmp_path / "copy0.db").digest == store.digest()
    assert {one.name for one in tmp_path.iterdir() if "copy" in one.name} == {f"copy{n}.db" for n in range(3)}


WRONG = {
    "matches": "UPDATE matches SET created_at = ''",
    "log": "UPDATE log SET \"by\" = 'another' WHERE seq = 3",
    "scores": "DELETE FROM scores",
    "clocks": "UPDATE clocks SET held = held + 0.5",
    "moves": "UPDATE moves SET action = 'stop'",
    "desks": "UPDATE desks SET name = 'another'",
    "grants": "UPDATE grants SET revoked_at = NULL",
    "settings": "INSERT INTO settings VALUES ('zone', 'UTC')",
}
"""By table, what no copy should do to it."""


@pytest.mark.parametrize("table", metadata.tables)
def test_a_backup_that_differs_in_any_table_is_none(
    table: str, tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put_clock(ClockRow("m", 8, "clock", running=True, held=1.5, begun=0.1), "start")
    store.take_desk(Desk("m", "tablet", "Tablet", "Rossi", NOW))
    store.add_grant(Grant("g", "referee", "", "Anna", NOW, revoked_at=NOW))
    store.set_setting("hall", "Sala")
    folder = tmp_path / "copies"
    folder.mkdir()
    assert store.backup(folder / "whole.db").digest == store.digest()

    def spoilt(source: sa.Connection, draft: Path) -> None:
        copied(source, draft)
        with closing(sqlite3.connect(draft)) as copy:
            copy.execute(WRONG[table])
            copy.commit()

    copied = backing_up._copy
    monkeypatch.setattr(backing_up, "_copy", spoilt)
    with pytest.raises(StoreError, match=f"not the same: other {table}$"):
        store.backup(folder / "spoilt.db")
    assert [one.name for one in folder.iterdir()] == ["whole.db"]


def test_a_backup_whose_file_is_damaged_is_none(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every row can be read, and yet an index leads to the wrong one."""
    store.set_setting("hall", "Sala")

    def spoilt(source: sa.Connection, draft: Path) -> None:
        copied(source, draft)
        with closing(sqlite3.connect(draft)) as copy:
            index = "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_settings_1'"
            (page,), (size,) = copy.execute(index).fetchone(), copy.execute("PRAGMA page_size").fetchone()
        content = bytearray(draft.read_bytes())
        place = content.index(b"hall", (page - 1) * size, page * size)
        content[place : place + 4] = b"ball"
        draft.write_bytes(content)

    copied = backing_up._copy
    monkeypatch.setattr(backing_up, "_copy", spoilt)
    with pytest.raises(StoreError, match=r"not the same: .* missing from index"):
        store.backup(tmp_path / "spoilt.db")
    assert not (tmp_path / "spoilt.db").exists()


def test_only_the_matches_asked_for_last_are_remembered(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that runs for years does not grow; what it has forgotten it reads again."""
    monkeypatch.setattr("fivepins.store.store.KNOWN", 2)
    for name in ("n", "o"):
        store.create_match(head(), command_id=name, at=NOW, match_id=name)
    seen = {name: store.snapshot(name) for name in ("m", "n", "m", "o")}
    assert list(store._known) == ["m", "o"], "the one asked for again outlives the one that was not"
    add(store, "set 1 A", ROWS, "set n", match="n")
    assert list(store._known) == ["o", "n"]
    assert store.snapshot("m") == seen["m"]
    assert store.state("n").phase is Phase.PLAY


@in_a_file
def test_a_backup_never_goes_over_a_database_in_use(path: Path, tmp_path: Path, store: Store) -> None:
    before = store.digest()
    with pytest.raises(StoreError, match="in use"):
        store.backup(path)
    with pytest.raises(StoreError, match="no folder"):
        store.backup(tmp_path / "none" / "copy.db")
    assert store.digest() == before


def test_the_read_tables_are_what_the_log_comes_to(store: Store) -> None:
    store.import_folder(EXAMPLES, at=NOW)
    add(store, "1. A o r /13", 8, "c")
    live = store.scores()
    assert [one.match_id for one in live] == sorted(store.matches())
    for one in live:
        state = store.state(one.match_id)
        assert (one.score, one.sets_won, one.phase) == (state.score, state.sets_won, state.phase)
        assert one.seq == len(store.lines(one.match_id))
    with store._engine.begin() as connection:
        connection.execute(sa.text("UPDATE scores SET a = 99, phase = 'over'"))
    assert store.scores() != live
    assert store.rebuild() == store.scores() == live


# -- the schema ----------------------------------------------------------------------------------


def test_the_migrations_come_to_the_tables_of_the_program(store: Store) -> None:
    with store._engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert context.get_current_revision() == "0004"
        assert compare_metadata(context, metadata) == []


def test_a_newer_schema_is_refused_and_left_alone(db: str, store: Store) -> None:
    with store._engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    before = store.digest()
    with pytest.raises(StoreError, match="schema 9999, this program knows 0004") as caught:
        Store.open(db)
    assert "newer program" in caught.value.hint
    assert store.digest() == before


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("not a database, but long enough to be read as one" * 40, "utf-8")
    with sqlite3.connect(tmp_path / "foreign.db") as foreign:
        foreign.execute("CREATE TABLE t (x)")
    foreign.close()
    for name, words in [
        (url(tmp_path / "text.db"), "not a database"),
        (url(tmp_path / "foreign.db"), "another program"),
        (url(tmp_path / "none" / "x.db"), "unable to open"),
        ("nonsense", "no such database"),
        ("oracles://x", "no such database"),
    ]:
        with pytest.raises(StoreError, match=words) as caught:
            Store.open(name)
        assert caught.value.hint
    with pytest.raises(StoreError, match="there is no database"):
        Store.open(url(tmp_path / "new.db"), create=False)
    assert not (tmp_path / "new.db").exists()


def test_the_lock_on_a_match_is_one_where_the_database_has_such_locks() -> None:
    wanted = sa.select(matches.c.id).where(matches.c.id == "m").with_for_update()
    assert "FOR UPDATE" in str(wanted.compile(dialect=postgresql.dialect()))  # type: ignore[no-untyped-call]  # as shipped
    assert {constraint.name for constraint in log.constraints} >= {"log_match_seq", "log_command"}


# -- the commands --------------------------------------------------------------------------------


def test_the_commands(tmp_path: Path) -> None:
    db, run = url(tmp_path / "hall.db"), CliRunner().invoke
    first = run(app, ["import", "--db", db, str(EXAMPLES)])
    assert first.exit_code == 0, first.output
    assert "matches are new" in first.stderr
    assert run(app, ["import", "--db", db, str(EXAMPLES)]).stderr.startswith("0 of ")
    assert "matches replayed" in run(app, ["rebuild", "--db", db]).stderr
    assert "verified" in run(app, ["backup", "--db", db, str(tmp_path / "copy.db")]).stderr
    assert "matches written" in run(app, ["export", "--db", db, str(tmp_path / "out")]).stderr
    assert len(list((tmp_path / "out").glob("*.fpn"))) >= len(list(EXAMPLES.glob("*.fpn")))
    missing = run(app, ["rebuild", "--db", url(tmp_path / "typo.db")])
    assert isinstance(missing.exception, StoreError)
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "x.fpn").write_text("nonsense", "utf-8")
    assert run(app, ["import", "--db", db, str(tmp_path / "bad")]).exit_code == 1
