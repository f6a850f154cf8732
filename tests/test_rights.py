"""Roles, grants, links, PINs and the limit on guessing, without a web around them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from itsdangerous import URLSafeSerializer

from fivepins.desk.api import right_for
from fivepins.desk.rights import (
    FIRST,
    FREE,
    LONGEST,
    Forbidden,
    Right,
    Rights,
    Role,
    TooMany,
    Unrecognised,
    Visitor,
    may,
    require,
)
from fivepins.errors import FivePinsError
from fivepins.store import Store

NOW = datetime(2026, 5, 1, 14, 5, tzinfo=UTC)
PIN = "271828"


class Watch:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(f"sqlite:///{tmp_path / 'hall.db'}")
    yield opened
    opened.close()


@pytest.fixture
def rights(store: Store, watch: Watch) -> Rights:
    return Rights(store, watch)


# -- roles ---------------------------------------------------------------------------------------

TABLE = """
            director referee timekeeper spectator
read        yes      yes     yes        yes
clock       yes      yes     yes        no
write       yes      yes     no         no
create      yes      yes     no         no
close       yes      yes     no         no
reopen      yes      no      no         no
name        yes      no      no         no
grant       yes      no      no         no
settings    yes      no      no         no
"""


def cells() -> Iterator[tuple[Role, Right, bool]]:
    """The table, cell by cell."""
    head, *rows = (line.split() for line in TABLE.strip().splitlines())
    for right, *values in rows:
        yield from (
            (Role(role), Right(right), value == "yes") for role, value in zip(head, values, strict=True)
        )


@pytest.mark.parametrize(("role", "right", "allowed"), list(cells()))
def test_what_each_role_may_do(role: Role, right: Right, allowed: bool) -> None:
    assert may(Visitor(role), right, "m1", "T3") is allowed


def test_the_table_names_every_role_and_every_right_once() -> None:
    assert sorted((role.value, right.value) for role, right, _ in cells()) == sorted(
        (role.value, right.value) for role in Role for right in Right
    )


@pytest.mark.parametrize(
    ("scope", "match_id", "table", "allowed"),
    [
        ("", "m1", "T3", True),
        ("match:m1", "m1", "T3", True),
        ("match:m1", "m2", "T3", False),
        ("match:m1", "", "", False),
        ("table:T3", "m2", "T3", True),
        ("table:T3", "m1", "T4", False),
        ("table:T3", "T3", "", False),  # a match that is called like a table is not at it
        ("match:T3", "m1", "T3", False),
    ],
)
def test_a_right_holds_where_it_was_given(scope: str, match_id: str, table: str, allowed: bool) -> None:
    visitor = Visitor(Role.REFEREE, scope)
    assert may(visitor, Right.WRITE, match_id, table) is allowed
    assert may(visitor, Right.READ, match_id, table)


@pytest.mark.parametrize(
    "scope", ["match:", "table:", "hall", "table:T 3", "table:T3\n", "match:m1;table:T3"]
)
def test_a_scope_that_is_none_cannot_be_given(rights: Rights, scope: str) -> None:
    with pytest.raises(FivePinsError, match="cannot hold in"):
        rights.give(Role.REFEREE, label="Anna", at=NOW, scope=scope)
    assert not rights.grants()


def test_who_may_not_is_told_what_to_do() -> None:
    with pytest.raises(Forbidden, match="a timekeeper may not") as caught:
        require(Visitor(Role.TIMEKEEPER), Right.WRITE, "m1", "T3")
    assert "PIN" in caught.value.hint


@pytest.mark.parametrize(
    ("lines", "right"),
    [
        (["1. A o"], Right.WRITE),
        (["Table: T4"], Right.WRITE),
        (["A: Rossi"], Right.NAME),
        (["# so", "B:  Bianchi"], Right.NAME),
        (["Status:   closed"], Right.CLOSE),
        (["Status:  open", 'decision "so"'], Right.REOPEN),
    ],
)
def test_no_spelling_of_a_line_asks_for_less(lines: list[str], right: Right) -> None:
    assert right_for(lines) is right


@pytest.mark.parametrize("line", ["Status: open", "Status:  open"])
def test_a_match_is_opened_again_with_a_reason_only(line: str) -> None:
    with pytest.raises(FivePinsError, match="with a reason"):
        right_for([line])


# -- grants and links ----------------------------------------------------------------------------


def test_a_link_opens_what_was_given(rights: Rights) -> None:
    grant = rights.give(Role.REFEREE, label="Anna", at=NOW, scope="table:T3")
    assert rights.by_link(rights.link(grant), NOW) == grant
    cookie = rights.cookie("d1", "Tablet 2", grant.id)
    assert rights.visitor(cookie, "", NOW) == Visitor(
        Role.REFEREE, "table:T3", grant.id, "referee Anna", "d1", "Tablet 2"
    )
    program = rights.visitor("", rights.link(grant), NOW)
    assert program is not None
    assert (program.role, program.by) == (Role.REFEREE, "referee Anna")


def forgeries(token: str) -> list[str]:
    """Tokens that were never given."""
    body, _, signature = token.partition(".")
    foreign = URLSafeSerializer("another secret", salt="link")
    return ["", ".", token[:-1], token[1:], body, f"{body}.", f"{body}A.{signature}", str(foreign.dumps("x"))]


def test_a_forged_token_opens_nothing(rights: Rights) -> None:
    token = rights.link(rights.give(Role.DIRECTOR, label="Anna", at=NOW))
    for forged in forgeries(token):
        with pytest.raises(Unrecognised):
            rights.by_link(forged, NOW)
        assert rights.visitor("", forged, NOW) is None
        assert rights.visitor(forged, "", NOW) is None


def test_a_cookie_is_no_link_and_a_link_is_no_cookie(rights: Rights) -> None:
    grant = rights.give(Role.DIRECTOR, label="Anna", at=NOW)
    with pytest.raises(Unrecognised):
        rights.by_link(rights.cookie("d1", "", grant.id), NOW)
    assert rights.visitor(rights.link(grant), "", NOW) is None


def test_a_right_that_ran_out_opens_nothing(rights: Rights) -> None:
    grant = rights.give(Role.REFEREE, label="Anna", at=NOW, expires_at=NOW + timedelta(hours=1))
    token, cookie = rights.link(grant), rights.cookie("d1", "", grant.id)
    just_before, then = NOW + timedelta(minutes=59), NOW + timedelta(hours=1)
    assert rights.by_link(token, just_before) == grant
    with pytest.raises(Unrecognised, match="has ended"):
        rights.by_link(token, then)
    assert rights.visitor(cookie, "", then) == Visitor(device="d1")
    with pytest.raises(FivePinsError, match="ended already"):
        rights.give(Role.REFEREE, label="Anna", at=NOW, expires_at=NOW)


def test_a_revoked_right_ends_at_once_here_and_within_a_second_elsewhere(store: Store, watch: Watch) -> None:
    here, there = Rights(store, watch), Rights(store, watch)
    grant = here.give(Role.REFEREE, label="Anna", at=NOW, pin=PIN)
    token = there.link(grant)
    assert there.by_link(token, NOW) == grant
    here.revoke(grant.id, NOW)
    with pytest.raises(Unrecognised):
        here.by_link(token, NOW)
    with pytest.raises(Unrecognised):
        here.by_pin(grant.id, PIN, "10.0.0.1", NOW)
    watch.seconds += 1
    with pytest.raises(Unrecognised):
        there.by_link(token, NOW)
    assert not there.doors(NOW)


def test_the_link_of_the_first_start_stays_until_it_is_revoked(store: Store, watch: Watch) -> None:
    first = Rights(store, watch).first_director(NOW)
    again = Rights(store, watch)
    again.give(Role.DIRECTOR, label="Maria", at=NOW)
    assert (again.first_director(NOW), first.label) == (first, FIRST)
    again.revoke(first.id, NOW)
    replaced = again.first_director(NOW)
    assert replaced.id != first.id
    assert replaced.label == FIRST, "never the link of another director"


def test_screens_go_on_when_the_store_cannot_be_read(tmp_path: Path, watch: Watch) -> None:
    store = Store.open(f"sqlite:///{tmp_path / 'hall.db'}")
    rights = Rights(store, watch)
    cookie = rights.cookie("d1", "", rights.give(Role.REFEREE, label="Anna", at=NOW).id)
    before = rights.visitor(cookie, "", NOW)
    store.close()
    (tmp_path / "hall.db").write_bytes(b"no database at all" * 1000)
    watch.seconds += 5
    assert before is not None
    assert rights.visitor(cookie, "", NOW) == before


@pytest.mark.parametrize("label", ["x" * 61, "a\x00b", "a\u202eb"])
def test_a_label_that_nobody_could_read_is_refused(rights: Rights, label: str) -> None:
    with pytest.raises(FivePinsError, match="is called by"):
        rights.give(Role.REFEREE, label=label, at=NOW)


def test_nobody_needs_a_right_to_watch(rights: Rights) -> None:
    with pytest.raises(FivePinsError, match="everybody is a spectator"):
        rights.give(Role.SPECTATOR, label="Anna", at=NOW)
    with pytest.raises(FivePinsError, match="whole hall"):
        rights.give(Role.DIRECTOR, label="Anna", at=NOW, scope="table:T3")


# -- PINs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "pin"),
    [
        (Role.REFEREE, "12345"),
        (Role.REFEREE, "1234567"),
        (Role.TIMEKEEPER, "12345a"),
        (Role.REFEREE, "١٢٣٤٥٦"),  # digits, but on no pad
        (Role.DIRECTOR, "1234567"),
    ],
)
def test_a_pin_that_is_too_short_is_refused(rights: Rights, role: Role, pin: str) -> None:
    with pytest.raises(FivePinsError, match=r"a PIN has 6|at least 8"):
        rights.give(role, label="Anna", at=NOW, pin=pin)
    assert not rights.grants()


def test_the_store_holds_a_pin_as_an_argon2_hash_alone(store: Store, rights: Rights, tmp_path: Path) -> None:
    grant = rights.give(Role.REFEREE, label="Anna", at=NOW, pin=PIN)
    assert grant.secret.startswith("$argon2id$")
    assert PasswordHasher().verify(grant.secret, PIN)
    assert rights.by_pin(grant.id, PIN, "10.0.0.1", NOW) == grant
    store.backup(tmp_path / "copy.db")
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert grant.secret.encode() in stored
    assert PIN.encode() not in stored
    assert rights.link(grant).encode() not in stored


@pytest.fixture
def wrong(rights: Rights) -> Callable[[str, str], None]:
    """Type a PIN that is wrong."""

    def guess(grant_id: str, address: str) -> None:
        with pytest.raises(Unrecognised):
            rights.by_pin(grant_id, "000000", address, NOW)

    return guess


def test_after_some_wrong_pins_an_address_waits_ever_longer(
    rights: Rights, watch: Watch, wrong: Callable[[str, str], None]
) -> None:
    grants = [rights.give(Role.REFEREE, label=f"T{n}", at=NOW, pin=PIN) for n in range(FREE + 8)]
    for grant in grants[:FREE]:
        wrong(grant.id, "10.0.0.9")
    waits = []
    for grant in grants[FREE:]:
        with pytest.raises(TooMany) as caught:
            rights.by_pin(grant.id, PIN, "10.0.0.9", NOW)
        waits.append(caught.value.wait)
        watch.seconds += caught.value.wait
        wrong(grant.id, "10.0.0.9")
    assert waits == [1, 2, 4, 8, 16, 32, LONGEST, LONGEST]
    assert rights.by_pin(grants[-1].id, PIN, "10.0.0.1", NOW), "another address has a count of its own"


def test_guesses_at_one_pin_count_from_wherever_they_come(
    rights: Rights, wrong: Callable[[str, str], None]
) -> None:
    grant = rights.give(Role.REFEREE, label="T3", at=NOW, pin=PIN)
    for n in range(FREE):
        wrong(grant.id, f"10.0.0.{n}")
    with pytest.raises(TooMany):
        rights.by_pin(grant.id, PIN, "10.0.0.99", NOW)


def test_the_addresses_of_one_ipv6_network_count_as_one(
    rights: Rights, wrong: Callable[[str, str], None]
) -> None:
    for n in range(FREE):
        wrong(f"unknown {n}", f"2001:db8::{n}")
    with pytest.raises(TooMany):
        rights.by_pin("unknown", PIN, "2001:db8::ffff", NOW)
    wrong("unknown", "2001:db8:0:1::1")


def test_a_right_pin_is_refused_for_a_minute_at_most_and_a_link_never(
    rights: Rights, watch: Watch, wrong: Callable[[str, str], None]
) -> None:
    grant = rights.give(Role.REFEREE, label="T3", at=NOW, pin=PIN)
    for n in range(30):
        wrong(grant.id, f"10.0.1.{n}")
        watch.seconds += LONGEST
    watch.seconds -= LONGEST
    for _ in range(1000):  # whoever is told to wait and does not makes nobody wait longer
        with pytest.raises(TooMany):
            rights.by_pin(grant.id, "111111", "10.0.2.1", NOW)
    assert rights.by_link(rights.link(grant), NOW) == grant
    watch.seconds += LONGEST
    assert rights.by_pin(grant.id, PIN, "10.0.0.1", NOW) == grant


def test_what_is_told_of_errors_holds_no_secret(rights: Rights) -> None:
    grant = rights.give(Role.REFEREE, label="Anna", at=NOW, pin=PIN)
    errors: list[FivePinsError] = []
    for action in (
        partial(rights.by_pin, grant.id, "314159", "10.0.0.1", NOW),
        partial(rights.by_link, rights.link(grant)[:-1], NOW),
        partial(rights.give, Role.REFEREE, label="Anna", at=NOW, pin="31415"),
    ):
        with pytest.raises(FivePinsError) as caught:
            action()
        errors.append(caught.value)
    told = json.dumps([[error.message, error.hint] for error in errors])
    assert "31415" not in told
    assert rights.link(grant)[:-1] not in told
