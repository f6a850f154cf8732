"""Who may do what: roles, grants, links, PINs, and a limit on guessing. No web in here.

A grant gives a role in the whole hall, at one table or in one match. Whoever has its link, or knows its PIN,
has the role until the grant is revoked or runs out. Without one, everybody is a spectator.
"""

from __future__ import annotations

import contextlib
import ipaddress
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from itsdangerous import BadSignature, URLSafeSerializer

from fivepins.errors import FivePinsError, StoreError
from fivepins.language import N_
from fivepins.message import Message
from fivepins.store import Grant, Store


class Role(Enum):
    """What somebody is in the hall."""

    DIRECTOR = N_("director")
    REFEREE = N_("referee")
    TIMEKEEPER = N_("timekeeper")
    SPECTATOR = N_("spectator")


class Right(Enum):
    """What an address asks for."""

    READ = "read"
    CLOCK = "clock"
    WRITE = "write"
    CREATE = "create"
    CLOSE = "close"
    REOPEN = "reopen"
    NAME = "name"
    GRANT = "grant"
    SETTINGS = "settings"


ALLOWED: Final = {
    Role.DIRECTOR: frozenset(Right),
    Role.REFEREE: frozenset({Right.READ, Right.CLOCK, Right.WRITE, Right.CREATE, Right.CLOSE}),
    Role.TIMEKEEPER: frozenset({Right.READ, Right.CLOCK}),
    Role.SPECTATOR: frozenset({Right.READ}),
}
"""What each role may do, where its grant holds."""

FIRST: Final = N_("director, first start")
"""What the grant is called whose link the server prints: whoever owns the process owns the hall."""

_SCOPE = re.compile(r"(match:[a-z0-9][a-z0-9_-]{0,63}|table:[A-Za-z0-9-]{1,16})?")
LONGEST_LABEL: Final = 60

PIN_LENGTH: Final = 6
PASSWORD_LENGTH: Final = 8
"""The least a director's password has: his role is worth more guesses than a table's."""

FREE: Final = 5
"""Wrong PINs that cost nothing but themselves."""
LONGEST: Final = 60.0
"""Seconds: a right PIN is never refused for longer, whoever else has been guessing."""
FORGOTTEN: Final = 900.0
"""Seconds after which a wrong PIN is forgotten."""


class Forbidden(FivePinsError):
    """Somebody asked for what his role does not allow."""


class Unrecognised(FivePinsError):
    """A link or a PIN that opens nothing."""


class NoSuchGrant(FivePinsError):
    """A right that was never given."""


class TooMany(FivePinsError):
    """Too many wrong PINs; `wait` seconds until the next one is looked at."""

    def __init__(self, wait: float) -> None:
        super().__init__(
            N_("too many wrong PINs"), hint=Message("try again in {wait:.0f} seconds", wait=wait)
        )
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks: a role and where it holds, by which grant, under which name, from which device."""

    role: Role = Role.SPECTATOR
    scope: str = ""
    grant_id: str = ""
    by: str = ""
    device: str = ""
    name: str = ""
    """What the device is called."""


@dataclass(slots=True)
class _Guesses:
    """Wrong PINs by who guessed and by what was guessed at."""

    failed: dict[str, list[float]] = field(default_factory=dict)

    def refuse(self, keys: tuple[str, ...], now: float) -> None:
        """Raise `TooMany` while one of the keys has to wait."""
        for key in keys:
            past = [at for at in self.failed.get(key, []) if now - at < FORGOTTEN]
            over = len(past) - FREE
            if over >= 0 and (wait := past[-1] + min(2.0**over, LONGEST) - now) > 0:
                raise TooMany(wait)

    def failure(self, keys: tuple[str, ...], now: float) -> None:
        """Count a wrong PIN; what is old enough goes, so that the count does not grow for ever."""
        for key in keys:
            self.failed[key] = [*(at for at in self.failed.get(key, [])[-50:] if now - at < FORGOTTEN), now]
        self.failed = {key: past for key, past in self.failed.items() if now - past[-1] < FORGOTTEN}


class Rights:
    """The grants of one hall, and the signatures under its links and cookies.

    `monotonic` tells seconds; grants are read again when the last look is a second old, so a grant that
    another server revokes ends within that second.
    """

    def __init__(self, store: Store, monotonic: Callable[[], float]) -> None:
        self._store = store
        self._monotonic = monotonic
        secret = store.settle("secret", secrets.token_urlsafe(32))
        self._links = URLSafeSerializer(secret, salt="link")
        self._cookies = URLSafeSerializer(secret, salt="cookie")
        self._hasher = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
        self._guesses = _Guesses()
        self._grants: dict[str, Grant] = {}
        self._read_at = float("-inf")

    # -- grants ----------------------------------------------------------------------------------

    def grants(self) -> dict[str, Grant]:
        """All grants by id, at most a second old; those read last while the store refuses to be read.

        So a disk that fails does not turn every screen of the hall into an error. It refuses lines too, and
        nobody writes with a right that ended meanwhile.
        """
        now = self._monotonic()
        if now - self._read_at >= 1:
            self._read_at = now  # before it is read: what is revoked meanwhile is read again at once
            with contextlib.suppress(StoreError):
                self._grants = {grant.id: grant for grant in self._store.grants()}
        return self._grants

    def read_again(self) -> None:
        """Another server has given or taken a right: look at once."""
        self._read_at = float("-inf")

    def _signed(self, grant_id: str) -> Grant | None:
        """A grant that a link or a cookie of this hall names; perhaps another server gave it a moment ago."""
        if grant_id not in self.grants():
            self.read_again()
        return self.grants().get(grant_id)

    def doors(self, at: datetime) -> list[Grant]:
        """The grants in force that a PIN or password opens."""
        return [grant for grant in self.grants().values() if grant.secret and holds(grant, at)]

    def give(  # noqa: PLR0913 - what a grant says, word by word
        self,
        role: Role,
        *,
        label: str,
        at: datetime,
        scope: str = "",
        expires_at: datetime | None = None,
        pin: str = "",
    ) -> Grant:
        """Give a right; raises `FivePinsError` where something of it is no good, and stores nothing then."""
        label = " ".join(label.split()) or role.value
        if role is Role.SPECTATOR:
            raise FivePinsError("everybody is a spectator", hint="nothing has to be given for that")
        if role is Role.DIRECTOR and scope:
            raise FivePinsError("a director directs the whole hall", hint="leave the scope out")
        if not _SCOPE.fullmatch(scope):
            raise FivePinsError(
                Message("a right cannot hold in {scope!r}", scope=scope[:80]),
                hint="table:T3, match:m1 or nothing",
            )
        if len(label) > LONGEST_LABEL or not label.isprintable():
            raise FivePinsError(Message("a right is called by 1 to {longest} letters", longest=LONGEST_LABEL))
        if expires_at is not None and expires_at <= at:
            raise FivePinsError("this right would have ended already", hint="name a later time")
        grant = Grant(
            id=secrets.token_urlsafe(9),
            role=role.value,
            scope=scope,
            label=label,
            created_at=at,
            expires_at=expires_at,
            secret=self._hashed(role, pin) if pin else "",
        )
        self._store.add_grant(grant)
        self.read_again()
        return grant

    def revoke(self, grant_id: str, at: datetime) -> Grant:
        """Take a right back at once; raises `NoSuchGrant`."""
        self._known(grant_id)
        self._store.revoke_grant(grant_id, at)
        return self._known(grant_id)

    def set_pin(self, grant_id: str, pin: str) -> Grant:
        """Give a grant another PIN, or none; whoever has entered with the old one stays.

        Raises `NoSuchGrant`, and `FivePinsError` where the PIN is no good.
        """
        role = Role(self._known(grant_id).role)
        self._store.set_secret(grant_id, self._hashed(role, pin) if pin else "")
        return self._known(grant_id)

    def _known(self, grant_id: str) -> Grant:
        self.read_again()  # another server may have given it a moment ago
        grant = self.grants().get(grant_id)
        if grant is None:
            raise NoSuchGrant(Message("there is no right {grant_id!r}", grant_id=grant_id[:64]))
        return grant

    def first_director(self, at: datetime) -> Grant:
        """The grant that the server prints at its start; made anew if the last one was revoked.

        It is never the grant of somebody else: the log would tell of one director where another one wrote.
        """
        for grant in self.grants().values():
            if grant.role == Role.DIRECTOR.value and grant.label == FIRST and holds(grant, at):
                return grant
        return self.give(Role.DIRECTOR, label=FIRST, at=at)

    def _hashed(self, role: Role, pin: str) -> str:
        if role is Role.DIRECTOR:
            if len(pin) < PASSWORD_LENGTH:
                raise FivePinsError(
                    Message(
                        "a director's password has at least {length} characters",
                        length=PASSWORD_LENGTH,
                    )
                )
        elif not (len(pin) == PIN_LENGTH and pin.isascii() and pin.isdigit()):
            raise FivePinsError(Message("a PIN has {length} digits", length=PIN_LENGTH))
        return self._hasher.hash(pin)

    # -- links, PINs, cookies --------------------------------------------------------------------

    def link(self, grant: Grant) -> str:
        """The token of a grant, for the fragment of a link or for a program's `Authorization: Bearer`."""
        return str(self._links.dumps(grant.id))

    def by_link(self, token: str, at: datetime) -> Grant:
        """The grant of a token; raises `Unrecognised`."""
        try:
            grant_id = self._links.loads(token)
        except BadSignature:
            raise Unrecognised("this link opens nothing", hint="ask the director for a new one") from None
        return self._in_force(grant_id, at)

    def by_pin(self, grant_id: str, pin: str, address: str, at: datetime) -> Grant:
        """The grant whose PIN was typed; raises `Unrecognised`, or `TooMany` after too many wrong ones.

        Every address and every grant has a count of its own, so nobody locks another one out for long.
        """
        now, grant = self._monotonic(), self.grants().get(grant_id)
        keys: tuple[str, ...] = (f"address {_network(address)}",)
        if grant is not None:
            keys += (f"grant {grant_id}",)
        self._guesses.refuse(keys, now)
        try:
            if grant is None or not grant.secret:
                raise VerificationError
            self._hasher.verify(grant.secret, pin)
        except VerificationError:
            self._guesses.failure(keys, now)
            raise Unrecognised("this PIN is wrong", hint="ask the director") from None
        return self._in_force(grant_id, at)

    def cookie(self, device: str, name: str = "", grant_id: str = "") -> str:
        """What a device keeps: who it is, and which grant it has entered with."""
        return str(self._cookies.dumps([device, name, grant_id]))

    def visitor(self, cookie: str, bearer: str, at: datetime) -> Visitor | None:
        """Who asks, by the cookie or the bearer token; None where there is neither, or a forged one."""
        if bearer:
            try:
                return _visitor(self.by_link(bearer, at), device="")
            except Unrecognised:
                return None
        try:
            device, name, grant_id = self._cookies.loads(cookie)
        except (BadSignature, ValueError, TypeError):
            return None
        grant = self._signed(grant_id) if grant_id else None
        if grant is None or not holds(grant, at):
            return Visitor(device=device, name=name)
        return _visitor(grant, device, name)

    def stands(self, visitor: Visitor, at: datetime) -> bool:
        """Whether what a visitor entered with is still in force; feeds ask, being let in only once."""
        grant = self.grants().get(visitor.grant_id)
        return grant is not None and holds(grant, at)

    def _in_force(self, grant_id: str, at: datetime) -> Grant:
        grant = self._signed(grant_id)
        if grant is None or not holds(grant, at):
            raise Unrecognised("this right has ended", hint="ask the director for a new link")
        return grant


def may(visitor: Visitor, right: Right, match_id: str = "", table: str = "") -> bool:
    """Whether a visitor may do that, in that match at that table.

    >>> referee = Visitor(Role.REFEREE, "table:T3")
    >>> may(referee, Right.WRITE, "m1", "T3"), may(referee, Right.WRITE, "m2", "T4"), may(referee, Right.READ)
    (True, False, True)
    """
    if right is Right.READ:
        return True
    if right not in ALLOWED[visitor.role]:
        return False
    kind, _, name = visitor.scope.partition(":")
    return not kind or (kind == "match" and name == match_id) or (kind == "table" and name == table)


def require(visitor: Visitor, right: Right, match_id: str = "", table: str = "") -> None:
    """Raise `Forbidden` where a visitor may not do that."""
    if not may(visitor, right, match_id, table):
        raise Forbidden(
            Message("a {role} may not do this here", role=Message(visitor.role.value)),
            hint="sign in with a link or a PIN that the director gives",
        )


def holds(grant: Grant, at: datetime) -> bool:
    """Whether a grant is in force: not revoked, and not run out."""
    return grant.revoked_at is None and (grant.expires_at is None or at < grant.expires_at)


def _network(address: str) -> str:
    """Whose guesses count as one: a host of IPv6 has as many addresses as it likes, within its network."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(ipaddress.ip_network((found, 64), strict=False)) if found.version == 6 else str(found)


def _visitor(grant: Grant, device: str, name: str = "") -> Visitor:
    by = grant.label if grant.role in grant.label else f"{grant.role} {grant.label}"
    return Visitor(Role(grant.role), grant.scope, grant.id, by, device or f"program {grant.id}", name)
