"""Statements: what one transaction does with the tables, on a connection that the store has opened."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

import sqlalchemy as sa

from fivepins.errors import StoreError
from fivepins.match import Phase, State
from fivepins.store.log import Entry, allowed, further, is_header, sheet_of, state_of
from fivepins.store.schema import log, matches, scores
from fivepins.table import Pair

ALREADY = "already done"
"""What a command that comes a second time is told beside its first answer."""


class NoSuchMatch(StoreError):
    """A match that the store does not have."""


class Stale(StoreError):
    """A command that was given without knowing the newest lines; `missing` holds them."""

    def __init__(self, expected: int, seq: int, missing: tuple[Entry, ...]) -> None:
        super().__init__(f"the log is at {seq}, not at {expected}", hint="look at the missing lines first")
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

    @classmethod
    def of(cls, match_id: str, seq: int, state: State) -> Scoreline:
        """What a state comes to."""
        return cls(match_id, seq, state.phase, state.score, state.sets_won)


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
    return NoSuchMatch(f"there is no match {match_id!r}")


def earlier(connection: sa.Connection, command: Command, lines: Sequence[str]) -> Appended | None:
    """The answer a command was given before; raises where its id was used for something else."""
    first = connection.execute(sa.select(log).where(log.c.command_id == command.id)).first()
    if first is None:
        return None
    last = first.seq + len(lines) - 1
    stored = [entry.line for entry in entries(connection, first.match_id, first.seq - 1)][: len(lines)]
    if stored != list(lines):
        raise StoreError(
            f"the command id {command.id!r} was used for another line: {first.line!r}",
            hint="every command has an id of its own",
        )
    return Appended(first.match_id, last, lines[-1], ALREADY)


def create(connection: sa.Connection, match_id: str, lines: Sequence[str], command: Command) -> Appended:
    """Store a new match."""
    if (done := earlier(connection, command, lines)) is not None:
        return done
    if connection.execute(sa.select(matches.c.id).where(matches.c.id == match_id)).first() is not None:
        raise StoreError(f"there is a match {match_id!r} already", hint="give this one another name")
    connection.execute(matches.insert(), {"id": match_id, "created_at": stamp(command.at)})
    connection.execute(log.insert(), command.rows(match_id, 1, lines))
    remember(connection, Scoreline.of(match_id, len(lines), state_of(sheet_of(lines))))
    return Appended(match_id, len(lines), lines[-1])


class Wish(NamedTuple):
    """What a command wants: a line in a match, behind the row its sender believes to be the newest."""

    match_id: str
    line: str
    expected_seq: int


class Reached(NamedTuple):
    """The state of a match after row `seq`. Rows never change, so this stays true; more may follow."""

    seq: int
    state: State


def reached(connection: sa.Connection, match_id: str, known: Reached | None) -> Reached:
    """The state after the newest row, from one reached before if there is one."""
    if known is not None:
        rows = [entry.line for entry in entries(connection, match_id, known.seq - 1)]
        if rows and not any(map(is_header, rows[1:])):
            return Reached(known.seq + len(rows) - 1, further(known.state, rows[1:]))
    rows = [entry.line for entry in entries(connection, match_id)]
    return Reached(len(rows), state_of(sheet_of(rows)))


def append(
    connection: sa.Connection, wish: Wish, command: Command, known: Reached | None
) -> tuple[Appended, Reached | None]:
    """Store one more line, if it is still wanted and legal there; also tells the state it came to."""
    match_id, line, expected_seq = wish
    lock(connection, match_id)
    if (done := earlier(connection, command, [line])) is not None:
        if done.match_id != match_id:
            raise StoreError(f"the command id {command.id!r} was used in match {done.match_id!r}")
        return done, known
    newest, state = reached(connection, match_id, known)
    if expected_seq != newest:
        raise Stale(expected_seq, newest, entries(connection, match_id, max(expected_seq, 0)))
    if is_header(line):
        rows = [entry.line for entry in entries(connection, match_id)]
        state = state_of(sheet_of([*rows, allowed(line)]))
    else:
        state = further(state, [line])
    seq = newest + 1
    connection.execute(log.insert(), command.rows(match_id, seq, [line]))
    remember(connection, Scoreline.of(match_id, seq, state))
    return Appended(match_id, seq, line), Reached(seq, state)


def remember(connection: sa.Connection, one: Scoreline) -> None:
    """Write a row of the read table."""
    connection.execute(scores.delete().where(scores.c.match_id == one.match_id))
    connection.execute(
        scores.insert(),
        {
            "match_id": one.match_id, "seq": one.seq, "phase": one.phase.value,
            "a": one.score.a, "b": one.score.b, "sets_a": one.sets_won.a, "sets_b": one.sets_won.b,
        },
    )  # fmt: skip


def scorelines(connection: sa.Connection) -> Iterator[Scoreline]:
    """The read table."""
    for row in connection.execute(sa.select(scores).order_by(scores.c.match_id)):
        score, sets_won = Pair(row.a, row.b), Pair(row.sets_a, row.sets_b)
        yield Scoreline(row.match_id, row.seq, Phase(row.phase), score, sets_won)


def match_ids(connection: sa.Connection) -> list[str]:
    """Every match, oldest first."""
    return list(connection.scalars(sa.select(matches.c.id).order_by(matches.c.created_at, matches.c.id)))


def digest(connection: sa.Connection) -> str:
    """One word for everything that is stored, caches left out."""
    sums = hashlib.sha256()
    for table, order in ((matches, (matches.c.id,)), (log, (log.c.match_id, log.c.seq))):
        for row in connection.execute(sa.select(table).order_by(*order)):
            sums.update(json.dumps([table.name, *row], ensure_ascii=False).encode())
    return sums.hexdigest()
