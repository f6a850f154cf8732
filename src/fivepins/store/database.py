"""Statements: what one transaction does with the tables, on a connection that the store has opened."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import takewhile
from typing import NamedTuple

import sqlalchemy as sa

from fivepins.errors import StoreError
from fivepins.language import N_
from fivepins.match import Phase, State
from fivepins.message import Message
from fivepins.notation import Record
from fivepins.sheet import Sheet
from fivepins.store import hall
from fivepins.store.log import CLOSED, OPEN, Entry, further, is_header, renamed, sheet_of, state_of
from fivepins.store.schema import log, matches, metadata, scores
from fivepins.table import Pair

ALREADY = "already done"
"""What a command that comes a second time is told beside its first answer."""


class NoSuchMatch(StoreError):
    """A match that the store does not have."""


class Reused(StoreError):
    """A command id that was used for something else before."""


class Closed(StoreError):
    """A match that takes no more lines until a director opens it again."""


class Stale(StoreError):
    """A command that was given without knowing the newest lines; `missing` holds them."""

    def __init__(self, expected: int, seq: int, missing: tuple[Entry, ...]) -> None:
        super().__init__(
            Message("the log is at {seq}, not at {expected}", seq=seq, expected=expected),
            hint=N_("look at the missing lines first"),
        )
        self.seq = seq
        self.missing = missing


@dataclass(frozen=True, slots=True)
class Appended:
    """The answer to a command: the match, and the row its last line has. `note` tells a repetition."""

    match_id: str
    seq: int
    line: str
    note: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Scoreline:
    """What the read tables say of a match after row `seq`."""

    match_id: str
    seq: int
    phase: Phase
    score: Pair[int]
    sets_won: Pair[int]
    place: str = ""
    """The table it is played at."""
    closed: bool = False

    @classmethod
    def of(cls, one: Snapshot) -> Scoreline:
        """What a match comes to."""
        state, place = one.state, one.value("Table")[:16]
        return cls(
            one.match_id, one.seq, state.phase, state.score, state.sets_won, place, closed=one.is_closed
        )


@dataclass(frozen=True, slots=True)
class Command:
    """Who asks for something: `id` is the same whenever the same wish is sent again."""

    id: str
    by: str
    device: str
    at: datetime

    def __post_init__(self) -> None:
        if self.at.tzinfo is None:
            raise StoreError("a time without its zone", hint="datetime.now(UTC)")
        if not 1 <= len(self.id) <= 128:
            raise StoreError("a command id has 1 to 128 characters", hint="a UUID will do")

    def rows(self, match_id: str, seq: int, lines: Sequence[str]) -> list[dict[str, object]]:
        """The rows that lines are stored as, from `seq` on."""
        fixed = {"match_id": match_id, "at": stamp(self.at), "by": self.by, "device": self.device}
        return [
            fixed | {"seq": seq + place, "line": line, "command_id": None if place else self.id}
            for place, line in enumerate(lines)
        ]


def stamp(at: datetime) -> str:
    """A time as it is stored: UTC, so that texts sort as times."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def entries(connection: sa.Connection, match_id: str, since: int = 0) -> tuple[Entry, ...]:
    """The rows of a match behind row `since`."""
    wanted = log.c.match_id == match_id, log.c.seq > since
    found = connection.execute(sa.select(log).where(*wanted).order_by(log.c.seq))
    return tuple(
        Entry(row.seq, row.line, datetime.fromisoformat(row.at), row.by, row.device, row.command_id)
        for row in found
    )


def lock(connection: sa.Connection, match_id: str) -> None:
    """Keep other writers away from a match until the transaction ends."""
    wanted = sa.select(matches.c.id).where(matches.c.id == match_id).with_for_update()
    if connection.execute(wanted).first() is None:
        raise no_such(match_id)


def no_such(match_id: str) -> NoSuchMatch:
    """The error for a match that is not there."""
    return NoSuchMatch(Message("there is no match {match!r}", match=match_id))


def earlier(connection: sa.Connection, command: Command, lines: Sequence[str]) -> Appended | None:
    """The answer a command was given before; raises where its id was used for something else."""
    first = connection.execute(sa.select(log).where(log.c.command_id == command.id)).first()
    if first is None:
        return None
    _, *rest = entries(connection, first.match_id, first.seq - 1)
    stored = [first.line, *(row.line for row in takewhile(lambda row: row.command_id is None, rest))]
    if stored != list(lines):
        raise Reused(
            Message(
                "the command id {id!r} was used for another line: {line!r}", id=command.id, line=first.line
            ),
            hint="every command has an id of its own",
        )
    return Appended(first.match_id, first.seq + len(lines) - 1, lines[-1], ALREADY)


def create(connection: sa.Connection, match_id: str, lines: Sequence[str], command: Command) -> Appended:
    """Store a new match."""
    if (done := earlier(connection, command, lines)) is not None:
        return done
    if connection.execute(sa.select(matches.c.id).where(matches.c.id == match_id)).first() is not None:
        raise StoreError(
            Message("there is a match {match!r} already", match=match_id),
            hint="give this one another name",
        )
    number = (connection.scalar(sa.select(sa.func.max(matches.c.number))) or 0) + 1
    connection.execute(matches.insert(), {"id": match_id, "created_at": stamp(command.at), "number": number})
    connection.execute(log.insert(), command.rows(match_id, 1, lines))
    remember(connection, Scoreline.of(snapshot(connection, match_id, None)))
    return Appended(match_id, len(lines), lines[-1])


class Wish(NamedTuple):
    """What a command wants: lines in a match, behind the row its sender believes to be the newest."""

    match_id: str
    lines: tuple[str, ...]
    expected_seq: int
    desk: str | None = None
    """The device that must be the desk of the match, if one has to be."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A match after row `seq`: its head as it is by now, its state, and when the newest row came.

    Rows never change, so a snapshot stays true; more may follow.
    """

    match_id: str
    seq: int
    head: Record
    state: State
    at: datetime

    @property
    def is_closed(self) -> bool:
        """Whether nothing may be written until a director opens the match again."""
        return self.head.value("Status") == CLOSED

    @property
    def under_way(self) -> bool:
        """Whether it is being played: it is neither over nor closed."""
        return not (self.state.is_over or self.is_closed)

    def refuse_closed(self, lines: Sequence[str] = ()) -> None:
        """Raise `Closed` where nothing may be written, unless the lines begin with opening it again."""
        if self.is_closed and list(lines[:1]) != [f"Status: {OPEN}"]:
            raise Closed(
                Message("match {match!r} is closed", match=self.match_id),
                hint="a director opens it again, with a reason",
            )

    def value(self, key: str) -> str:
        """The text of a header, empty where the head has none."""
        return self.head.value(key) or ""

    def after(self, lines: Sequence[str], at: datetime) -> Snapshot:
        """The match after more lines; raises where one of them cannot stand there."""
        head, state = self.head, self.state
        for line in lines:
            if is_header(line):
                head = renamed(head, line)
                assert head.terms is not None  # a strict reader has raised otherwise
                state = replace(state, terms=head.terms)  # the names in them: nothing else may change
            else:
                state = further(state, [line])
        head = head.with_header("Result", Sheet(head, state).result)
        return replace(self, seq=self.seq + len(lines), head=head, state=state, at=at)


def snapshot(connection: sa.Connection, match_id: str, known: Snapshot | None) -> Snapshot:
    """A match after its newest row, from an earlier snapshot if there is one."""
    rows = entries(connection, match_id, known.seq if known else 0)
    if known is not None:
        return known.after([row.line for row in rows], rows[-1].at) if rows else known
    if not rows:
        raise no_such(match_id)
    sheet = sheet_of(row.line for row in rows)
    return Snapshot(match_id, len(rows), replace(sheet.record, lines=()), state_of(sheet), rows[-1].at)


def append(
    connection: sa.Connection, wish: Wish, command: Command, known: Snapshot | None
) -> tuple[Appended, Snapshot | None]:
    """Store more lines, if they are still wanted and legal there; also tells what the match came to."""
    match_id, lines, expected_seq, desk = wish
    lock(connection, match_id)
    if (done := earlier(connection, command, lines)) is not None:
        if done.match_id != match_id:
            raise Reused(
                Message(
                    "the command id {id!r} was used in match {match!r}",
                    id=command.id,
                    match=done.match_id,
                )
            )
        return done, known
    now = snapshot(connection, match_id, known)
    if desk is not None:
        hall.refuse_unless_desk(connection, match_id, desk)
    now.refuse_closed(lines)
    if expected_seq != now.seq:
        raise Stale(expected_seq, now.seq, entries(connection, match_id, max(expected_seq, 0)))
    after = now.after(lines, command.at)
    connection.execute(log.insert(), command.rows(match_id, now.seq + 1, lines))
    remember(connection, Scoreline.of(after))
    return Appended(match_id, after.seq, lines[-1]), after


def remember(connection: sa.Connection, one: Scoreline) -> None:
    """Write a row of the read table."""
    connection.execute(scores.delete().where(scores.c.match_id == one.match_id))
    connection.execute(
        scores.insert(),
        {
            "match_id": one.match_id, "seq": one.seq, "phase": one.phase.value,
            "a": one.score.a, "b": one.score.b, "sets_a": one.sets_won.a, "sets_b": one.sets_won.b,
            "place": one.place, "closed": one.closed,
        },
    )  # fmt: skip


_ENDED = sa.or_(scores.c.phase == Phase.OVER.value, scores.c.closed)
"""A match that is over, or that a director closed before it was."""


def scorelines(connection: sa.Connection) -> Iterator[Scoreline]:
    """The read table."""
    for row in connection.execute(sa.select(scores).order_by(scores.c.match_id)):
        score, sets_won = Pair(row.a, row.b), Pair(row.sets_a, row.sets_b)
        yield Scoreline(
            row.match_id, row.seq, Phase(row.phase), score, sets_won, row.place, closed=row.closed
        )


def match_ids(connection: sa.Connection) -> list[str]:
    """Every match, oldest first."""
    return list(connection.scalars(sa.select(matches.c.id).order_by(matches.c.number)))


def newest(connection: sa.Connection, limit: int, skip: int, *, under_way: bool | None) -> list[str]:
    """Matches, newest first: those under way, those that are not, or all."""
    wanted = sa.select(matches.c.id).order_by(matches.c.number.desc()).offset(skip).limit(limit)
    if under_way is not None:
        wanted = wanted.join(scores).where(sa.not_(_ENDED) if under_way else _ENDED)
    return list(connection.scalars(wanted))


def count(connection: sa.Connection) -> int:
    """How many matches there are."""
    return connection.scalar(sa.select(sa.func.count()).select_from(matches)) or 0


def seq(connection: sa.Connection, match_id: str) -> int:
    """The newest row of a match."""
    found = connection.scalar(sa.select(scores.c.seq).where(scores.c.match_id == match_id))
    if found is None:
        raise no_such(match_id)
    return int(found)


def match_at(connection: sa.Connection, place: str) -> str | None:
    """The match of a table: the one that is under way, the newest of them; else the newest there was."""
    wanted = (
        sa.select(scores.c.match_id)
        .join(matches, matches.c.id == scores.c.match_id)
        .where(scores.c.place == place)
        .order_by(_ENDED, matches.c.number.desc())
    )
    return connection.scalars(wanted.limit(1)).first()


def places(connection: sa.Connection) -> list[str]:
    """Every table that a match was played at."""
    wanted = sa.select(scores.c.place).where(scores.c.place != "").distinct().order_by(scores.c.place)
    return list(connection.scalars(wanted))


def last_saved(connection: sa.Connection) -> datetime | None:
    """When the newest row of any match came."""
    newest = sa.and_(log.c.match_id == scores.c.match_id, log.c.seq == scores.c.seq)
    at = connection.scalar(sa.select(sa.func.max(log.c.at)).join(scores, newest))
    return None if at is None else datetime.fromisoformat(at)


def sums(connection: sa.Connection) -> dict[str, str]:
    """Of each table, how many rows it has and a sum of what they say.

    A sum of hashes, because databases differ in how they put texts in order.
    """
    return {table.name: _sum(connection, table) for table in metadata.sorted_tables}


def _sum(connection: sa.Connection, table: sa.Table) -> str:
    hashes = [
        int.from_bytes(hashlib.sha256(json.dumps([*row], ensure_ascii=False).encode()).digest())
        for row in connection.execute(sa.select(table))
    ]
    return f"{len(hashes)} {sum(hashes) % 2**256:064x}"


def digest(sums: Mapping[str, str]) -> str:
    """One word for all that is stored, the read table left out: it comes from the log."""
    told = {name: one for name, one in sums.items() if name != scores.name}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
