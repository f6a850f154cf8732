"""`Store`: one database with its matches."""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as WaitedTooLong

from fivepins.errors import StoreError
from fivepins.language import N_
from fivepins.match import State
from fivepins.message import Message
from fivepins.notation import Record
from fivepins.store import database, dialect, hall, listen
from fivepins.store.backup import Backup, back_up
from fivepins.store.database import Appended, Command, Reused, Scoreline, Snapshot, Wish
from fivepins.store.folder import Imported, read_folder, write_folder
from fivepins.store.hall import ClockRow, Desk, Grant
from fivepins.store.listen import Listener, Notice
from fivepins.store.log import Entry, canonical, rows_of, sheet_of
from fivepins.store.migrate import migrate
from fivepins.store.schema import scores

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

KNOWN: Final = 256
"""Matches whose newest snapshot is remembered; the others are read from the top when they are asked for."""

_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


class Store:
    """The matches of one database; several processes may hold the same one open.

    Times are arguments: nothing here reads a clock.

    >>> from datetime import UTC, datetime
    >>> from fivepins.notation import parse_file
    >>> now = datetime(2026, 5, 1, 14, 5, tzinfo=UTC)
    >>> store = Store.open("sqlite://")
    >>> head = "FPN 1\\nA: Rossi\\nB: Bianchi\\nRules: UMB-1997\\nDistance: 60\\nResult: *\\n"
    >>> one = store.create_match(parse_file(head).records[0], command_id="c1", at=now, match_id="m1")
    >>> two = store.append("m1", "set 1 A", expected_seq=one.seq, command_id="c2", at=now)
    >>> two, store.append("m1", "set 1 A", expected_seq=one.seq, command_id="c2", at=now).note
    (Appended(match_id='m1', seq=8, line='set 1 A', note=''), 'already done')
    >>> store.append("m1", "1. A o r /13", expected_seq=two.seq, command_id="c3", at=now).seq
    9
    >>> store.state("m1").score
    Pair(a=8, b=0)
    >>> store.close()
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._writer = dialect.writer(engine)
        self._sender = secrets.token_hex(8)
        self._known: OrderedDict[str, Snapshot] = OrderedDict()

    @classmethod
    def open(cls, url: str, *, create: bool = True) -> Store:
        """Open a database, such as `sqlite:///matches.db`; an empty one gets its tables.

        Raises `StoreError` where it cannot be opened, was made by a newer program, or, without `create`,
        is not there.
        """
        engine = dialect.connect(url)
        path = dialect.file_of(engine)
        if not create and path is not None and not path.exists():
            raise StoreError(
                Message("there is no database {path}", path=path), hint="for a file: sqlite:///matches.db"
            )
        try:
            with _in_words():
                migrate(engine)
                store = cls(engine)
        except StoreError:
            engine.dispose()
            raise
        if store._has_no_scores():  # after a migration: the read table is made again from the log
            store.rebuild()
        return store

    def close(self) -> None:
        """Close every connection."""
        self._writer.dispose()
        self._engine.dispose()

    @property
    def file(self) -> Path | None:
        """The file of a database that is one."""
        return dialect.file_of(self._engine)

    def listen(self, callback: Callable[[Notice], None]) -> Listener:
        """Tell of what other processes, or other stores of this one, write from now on, until it is closed.

        `callback` runs in a thread of its own. Raises `Unavailable` where the database cannot be reached.
        """
        with _in_words():
            return Listener(listen.source(self._writer, self._sender), callback)

    # -- commands --------------------------------------------------------------------------------

    def create_match(  # noqa: PLR0913 - what a command says, word by word
        self,
        record: Record,
        *,
        command_id: str,
        at: datetime,
        by: str = "",
        device: str = "",
        match_id: str | None = None,
    ) -> Appended:
        """Store a head, and the lines below it if there are any, as a new match.

        Raises `StoreError` where the record has a fault or the match exists.
        """
        match_id = secrets.token_hex(8) if match_id is None else match_id
        if not _ID.fullmatch(match_id):
            raise StoreError(
                Message("a match cannot be named {match!r}", match=match_id),
                hint="small letters, digits, - and _, at most 64",
            )
        lines, command = rows_of(record), Command(command_id, by, device, at)
        with self._writing() as connection:
            done = database.create(connection, match_id, lines, command)
            if not done.note:
                self._tell(connection, "match", done.match_id, done.seq)
            return done

    def append(  # noqa: PLR0913 - what a command says, word by word
        self,
        match_id: str,
        lines: str | Sequence[str],
        *,
        expected_seq: int,
        command_id: str,
        at: datetime,
        by: str = "",
        device: str = "",
        as_desk: bool = False,
    ) -> Appended:
        """Store a line more, or several in one step; when this returns, they are on the disk.

        The same `command_id` again gets the same answer and stores nothing. Raises `Stale` where
        `expected_seq` is not the newest row, `NotationError` or `IllegalEvent` where a line cannot
        stand there, `Closed` where the match is closed and the first line is not `Status: open`, `Held`
        where `as_desk` is asked for and another device is the desk, `NoSuchMatch` and `StoreError`;
        nothing is stored then.
        """
        wanted = tuple(map(canonical, [lines] if isinstance(lines, str) else lines))
        if not wanted:
            raise StoreError("a command without a line", hint="send at least one")
        wish = Wish(match_id, wanted, expected_seq, device if as_desk else None)
        command = Command(command_id, by, device, at)
        try:
            return self._append(wish, command)
        except _Raced:  # another server had the same command, or the same row, a moment before
            return self._append(wish, command)

    def _append(self, wish: Wish, command: Command) -> Appended:
        with self._writing() as connection:
            done, now = self._appended(connection, wish, command)
        if now is not None:
            self._remember(now)  # only what is committed
        return done

    def _appended(
        self, connection: Connection, wish: Wish, command: Command
    ) -> tuple[Appended, Snapshot | None]:
        done, now = database.append(connection, wish, command, self._known.get(wish.match_id))
        if not done.note:
            self._tell(connection, "log", done.match_id, done.seq)
        return done, now

    def _remember(self, now: Snapshot) -> None:
        """Keep the newest snapshot of a match, and let go of the match that was not asked for the longest."""
        self._known.pop(now.match_id, None)
        self._known[now.match_id] = now
        if len(self._known) > KNOWN:
            self._known.popitem(last=False)

    def rebuild(self) -> tuple[Scoreline, ...]:
        """Throw the read tables away and make them again from the log."""
        with self._writing() as connection:
            connection.execute(scores.delete())
            for match_id in database.match_ids(connection):
                database.lock(connection, match_id)
                database.remember(connection, Scoreline.of(database.snapshot(connection, match_id, None)))
            return tuple(database.scorelines(connection))

    # -- questions -------------------------------------------------------------------------------

    def matches(self) -> list[str]:
        """Every match, oldest first."""
        with self._reading() as connection:
            return database.match_ids(connection)

    def newest(self, limit: int, *, skip: int = 0, under_way: bool | None = None) -> list[str]:
        """At most `limit` matches behind the first `skip`, newest first; if asked, those (not) under way."""
        with self._reading() as connection:
            return database.newest(connection, limit, skip, under_way=under_way)

    def count(self) -> int:
        """How many matches there are."""
        with self._reading() as connection:
            return database.count(connection)

    def lines(self, match_id: str, since: int = 0) -> tuple[Entry, ...]:
        """The rows of a match behind row `since`; raises `NoSuchMatch`."""
        with self._reading() as connection:
            found = database.entries(connection, match_id, since)
            if not found and not database.entries(connection, match_id):
                raise database.no_such(match_id)
            return found

    def record(self, match_id: str) -> Record:
        """A match as its file says it, with the result its lines come to."""
        return sheet_of(entry.line for entry in self.lines(match_id)).record

    def state(self, match_id: str) -> State:
        """The state a match is in."""
        return self.snapshot(match_id).state

    def snapshot(self, match_id: str) -> Snapshot:
        """A match as it is now: head, state and newest row; cheap where little is new."""
        with self._reading() as connection:
            now = database.snapshot(connection, match_id, self._known.get(match_id))
        self._remember(now)
        return now

    def seq(self, match_id: str) -> int:
        """The newest row of a match, without a look at its log; raises `NoSuchMatch`."""
        with self._reading() as connection:
            return database.seq(connection, match_id)

    def last_saved(self) -> datetime | None:
        """When the newest row of any match came; None in an empty store."""
        with self._reading() as connection:
            return database.last_saved(connection)

    def match_at(self, place: str) -> str | None:
        """The match of a table: the newest that is under way, else the newest there was."""
        with self._reading() as connection:
            return database.match_at(connection, place)

    def places(self) -> list[str]:
        """Every table that a match was played at."""
        with self._reading() as connection:
            return database.places(connection)

    def _has_no_scores(self) -> bool:
        with self._reading() as connection:
            return bool(database.match_ids(connection)) and not list(database.scorelines(connection))

    def scores(self) -> tuple[Scoreline, ...]:
        """The read table: where every match stands, without a replay."""
        with self._reading() as connection:
            return tuple(database.scorelines(connection))

    def digest(self) -> str:
        """One word for everything that is stored: equal if and only if all of it is."""
        with self._reading() as connection:
            return database.digest(database.sums(connection))

    # -- beside the logs -------------------------------------------------------------------------

    def clock(self, match_id: str) -> ClockRow | None:
        """Where the clock of a match was when it was last heard of."""
        with self._reading() as connection:
            return hall.clock(connection, match_id)

    def put_clock(self, row: ClockRow, action: str = "") -> None:
        """Store where a clock is, and by which action it came there if it was a command's."""
        with self._writing() as connection:
            database.lock(connection, row.match_id)
            hall.put_clock(connection, row)
            if action:
                hall.put_move(connection, row.command_id, row.match_id, action)
            self._tell(connection, "clock", row.match_id, row.seq)

    def has_moved(self, match_id: str, command_id: str, action: str) -> bool:
        """Whether a command did this to a clock before; raises `Reused` where it did something else."""
        with self._reading() as connection:
            before = hall.move(connection, command_id)
        if before not in (None, (match_id, action)):
            raise Reused(
                Message(
                    "the command id {id!r} was used for another line: {line!r}", id=command_id, line=before[1]
                ),
                hint=N_("every command has an id of its own"),
            )
        return before is not None

    def desk(self, match_id: str) -> Desk | None:
        """The device that writes a match."""
        with self._reading() as connection:
            return hall.desk(connection, match_id)

    def take_desk(self, desk: Desk, *, instead_of: str | None = None) -> Desk:
        """Make a device the desk if none is, or the one named; tells which one is it afterwards.

        Taking the place of another device is a line of the log, in the same step: no paper lacks it.
        Raises `Closed`.
        """
        with self._writing() as connection:
            database.lock(connection, desk.match_id)
            now = database.snapshot(connection, desk.match_id, self._known.get(desk.match_id))
            now.refuse_closed()
            before, holder = (
                hall.desk(connection, desk.match_id),
                hall.take_desk(connection, desk, instead_of),
            )
            self._tell(connection, "desk", desk.match_id)
            if before is not None and before.device != holder.device:
                wish = Wish(desk.match_id, (canonical(desk.told),), now.seq)
                self._appended(
                    connection, wish, Command(secrets.token_hex(16), desk.by, desk.device, desk.since)
                )
        return holder

    def grants(self) -> tuple[Grant, ...]:
        """Every right that was ever given, oldest first."""
        with self._reading() as connection:
            return hall.all_grants(connection)

    def grant(self, grant_id: str) -> Grant | None:
        """One right, if there is one of that id."""
        return next((grant for grant in self.grants() if grant.id == grant_id), None)

    def add_grant(self, grant: Grant) -> None:
        """Give a right."""
        with self._writing() as connection:
            hall.add_grant(connection, grant)
            self._tell(connection, "rights")

    def revoke_grant(self, grant_id: str, at: datetime) -> None:
        """Take a right back, for good."""
        with self._writing() as connection:
            hall.change_grant(connection, grant_id, revoked_at=at.isoformat())
            self._tell(connection, "rights")

    def set_secret(self, grant_id: str, secret: str) -> None:
        """Give a right another PIN or password; `secret` is its hash."""
        with self._writing() as connection:
            hall.change_grant(connection, grant_id, secret=secret)
            self._tell(connection, "rights")

    def setting(self, key: str) -> str | None:
        """What was set, if anything."""
        with self._reading() as connection:
            return hall.setting(connection, key)

    def set_setting(self, key: str, value: str) -> None:
        """Set something."""
        with self._writing() as connection:
            hall.put_setting(connection, key, value)
            self._tell(connection, "settings")

    def settle(self, key: str, value: str) -> str:
        """Set something unless it is set already; tells what it is. Of two servers, the first one wins."""
        try:
            with self._writing() as connection:
                if (there := hall.setting(connection, key)) is not None:
                    return there
                hall.put_setting(connection, key, value)
                self._tell(connection, "settings")
                return value
        except _Raced:
            return self.setting(key) or value

    # -- files -----------------------------------------------------------------------------------

    def export_folder(self, folder: Path) -> list[Path]:
        """Write every match into a folder, a file each, named for the match."""
        return write_folder(folder, {match_id: self.record(match_id) for match_id in self.matches()})

    def import_folder(self, folder: Path, *, at: datetime, by: str = "") -> list[Imported]:
        """Store every match of a folder of FPN files, each named for its file; what fails is told.

        A match that is there already, and is the same, stays as it is.
        """
        return read_folder(self, folder, at=at, by=by)

    def backup(self, path: Path) -> Backup:
        """Copy everything into a SQLite file while the store is in use, and verify the copy.

        The file appears, or is replaced, only when it is whole. Raises `StoreError`.
        """
        with _in_words(), self._reading() as connection:
            return back_up(connection, path)

    # -- transactions ----------------------------------------------------------------------------

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with _in_words(), self._writer.begin() as connection:
            yield connection

    def _tell(self, connection: Connection, kind: str, match_id: str = "", seq: int = 0) -> None:
        """Tell the other processes, if and when the transaction is committed."""
        listen.tell(connection, self._sender, Notice(kind, match_id, seq))

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with _in_words(), dialect.reading(self._engine).connect() as connection:
            yield connection


class _Raced(dialect.Unavailable):
    """Two transactions wanted the same row."""


@contextmanager
def _in_words() -> Iterator[None]:
    """Errors of the database as errors of this package."""
    try:
        yield
    except IntegrityError as error:
        raise _Raced(N_("another command came first"), hint=N_("send it again")) from error
    except DBAPIError as error:
        raise dialect.explained(error) from error
    except WaitedTooLong as error:
        raise dialect.Unavailable(
            N_("the database is busy with another command"), hint=N_("try again")
        ) from error
