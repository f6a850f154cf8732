"""Statements for what a hall keeps beside the logs: clocks, desks, grants and settings."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime

import sqlalchemy as sa

from fivepins.errors import StoreError
from fivepins.language import N_
from fivepins.message import Message
from fivepins.store.schema import clocks, desks, grants, moves, settings


@dataclass(frozen=True, slots=True)
class ClockRow:
    """The clock of a match as it was heard of after row `seq`.

    `held` seconds had been counted then; at `begun` among them its limit began. `asked` tells that a process
    found it running and did not see it start: another one that did repeats where it is.
    """

    match_id: str
    seq: int
    command_id: str
    running: bool
    held: float
    begun: float
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Desk:
    """The device that writes a match, its name, and who sits at it."""

    match_id: str
    device: str
    name: str
    by: str
    since: datetime

    @property
    def told(self) -> str:
        """The line of the log that tells of it where it takes the place of another."""
        return f"# desk: {' '.join(self.name.split())} takes over"


@dataclass(frozen=True, slots=True)
class Grant:
    """A right that was given: a role in the hall, at one table (`table:T3`) or in one match (`match:m1`).

    `secret` is the hash of a PIN or password, empty without one.
    """

    id: str
    role: str
    scope: str
    label: str
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    secret: str = ""


class Held(StoreError):
    """Another device is the desk of the match; `holder` says which."""

    def __init__(self, holder: Desk) -> None:
        super().__init__(
            Message("{desk} is the desk of this match", desk=holder.name or Message("another device")),
            hint=N_("take over first"),
        )
        self.holder = holder


# -- clocks --------------------------------------------------------------------------------------


def clock(connection: sa.Connection, match_id: str) -> ClockRow | None:
    """The clock of a match, if one was ever started."""
    row = connection.execute(sa.select(clocks).where(clocks.c.match_id == match_id)).first()
    return None if row is None else ClockRow(**row._mapping)


def put_clock(connection: sa.Connection, new: ClockRow) -> None:
    """Store where a clock is."""
    connection.execute(clocks.delete().where(clocks.c.match_id == new.match_id))
    connection.execute(clocks.insert(), asdict(new))


def move(connection: sa.Connection, command_id: str) -> tuple[str, str] | None:
    """The match whose clock a command moved, and how."""
    wanted = sa.select(moves.c.match_id, moves.c.action).where(moves.c.command_id == command_id)
    found = connection.execute(wanted).first()
    return None if found is None else (found.match_id, found.action)


def put_move(connection: sa.Connection, command_id: str, match_id: str, action: str) -> None:
    """Store that a command has moved a clock."""
    connection.execute(moves.insert(), {"command_id": command_id, "match_id": match_id, "action": action})


# -- desks ---------------------------------------------------------------------------------------


def desk(connection: sa.Connection, match_id: str) -> Desk | None:
    """The desk of a match, if a device is one."""
    row = connection.execute(sa.select(desks).where(desks.c.match_id == match_id)).first()
    return None if row is None else Desk(**{**row._mapping, "since": datetime.fromisoformat(row.since)})


def take_desk(connection: sa.Connection, new: Desk, instead_of: str | None) -> Desk:
    """Make a device the desk, if none is or the one named; tells which one is it afterwards."""
    now = desk(connection, new.match_id)
    if now is not None and now.device not in (new.device, instead_of):
        return now
    connection.execute(desks.delete().where(desks.c.match_id == new.match_id))
    connection.execute(desks.insert(), asdict(new) | {"since": new.since.isoformat()})
    return new


def refuse_unless_desk(connection: sa.Connection, match_id: str, device: str) -> None:
    """Raise `Held` where another device is the desk; where none is, any may write."""
    now = desk(connection, match_id)
    if now is not None and now.device != device:
        raise Held(now)


# -- grants --------------------------------------------------------------------------------------


def all_grants(connection: sa.Connection) -> tuple[Grant, ...]:
    """Every right that was ever given, oldest first."""
    found = connection.execute(sa.select(grants).order_by(grants.c.created_at, grants.c.id))
    return tuple(_grant(row) for row in found)


def add_grant(connection: sa.Connection, new: Grant) -> None:
    """Store a right."""
    times = {key: _text(getattr(new, key)) for key in ("created_at", "expires_at", "revoked_at")}
    connection.execute(grants.insert(), asdict(new) | times)


def change_grant(connection: sa.Connection, grant_id: str, **values: str | None) -> None:
    """Change columns of a right; raises `StoreError` where there is none of that id."""
    done = connection.execute(grants.update().where(grants.c.id == grant_id).values(**values))
    if done.rowcount == 0:
        raise StoreError(Message("there is no grant {grant_id!r}", grant_id=grant_id))


def _grant(row: sa.Row[tuple[object, ...]]) -> Grant:
    values = dict(row._mapping)
    for key in ("created_at", "expires_at", "revoked_at"):
        values[key] = datetime.fromisoformat(values[key]) if values[key] else None
    return Grant(**values)


def _text(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


# -- settings ------------------------------------------------------------------------------------


def setting(connection: sa.Connection, key: str) -> str | None:
    """What was set, if anything."""
    return connection.scalars(sa.select(settings.c.value).where(settings.c.key == key)).first()


def put_setting(connection: sa.Connection, key: str, value: str) -> None:
    """Set something."""
    connection.execute(settings.delete().where(settings.c.key == key))
    connection.execute(settings.insert(), {"key": key, "value": value})
