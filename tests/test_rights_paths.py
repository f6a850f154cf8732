"""Every right on every path that writes: a new path without a row in this table fails."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest
from fastapi.routing import iter_route_contexts

from documented import held_against
from fivepins.desk.app import create_app
from fivepins.desk.hall import Hall
from fivepins.desk.rights import Rights, Role
from fivepins.notation import parse_file
from fivepins.store import Store
from serving import Site

if TYPE_CHECKING:
    from fastapi import FastAPI

NOW: Final = datetime(2026, 5, 1, 14, 5, tzinfo=UTC)
HEAD: Final = "FPN 1\nA: Rossi\nB: Bianchi\nRules: UMB-1997\nDistance: 60\nTable: {table}\nResult: *\n"
SEQ: Final = 8
"""The rows of a match that has just begun."""

WHO: Final = {
    "director": (Role.DIRECTOR, ""),
    "referee": (Role.REFEREE, ""),
    "of T3": (Role.REFEREE, "table:T3"),
    "of T4": (Role.REFEREE, "table:T4"),
    "of the match": (Role.REFEREE, "match:{match}"),
    "of another": (Role.REFEREE, "match:{other}"),
    "timekeeper": (Role.TIMEKEEPER, ""),
    "timekeeper of T3": (Role.TIMEKEEPER, "table:T3"),
    "timekeeper of T4": (Role.TIMEKEEPER, "table:T4"),
    "spectator": None,
}
"""Who asks. The match is at table T3, another one at T4."""

ALL: Final = frozenset(WHO)
DIRECTOR: Final = frozenset({"director"})
REFEREES: Final = DIRECTOR | {"referee", "of T3", "of the match"}
KEEPERS: Final = REFEREES | {"timekeeper", "timekeeper of T3"}


class Asked(NamedTuple):
    """A request that writes, and who may send it."""

    path: str
    """As the application's table of addresses has it."""
    body: dict[str, Any]
    may: frozenset[str]
    closed: bool = False
    """Whether the match is closed before."""


def lines(*text: str) -> dict[str, Any]:
    """A command of these lines."""
    return {"command_id": "", "expected_seq": SEQ, "lines": list(text)}


def later(command: dict[str, Any]) -> dict[str, Any]:
    """The same for a match that was closed, a row further."""
    return command | {"expected_seq": SEQ + 1}


GRANT: Final = {"role": "referee", "label": "Bruno"}
SETTINGS: Final = {"hall": "Club", "zone": "UTC", "tables": ["T3"], "language": "en", "last": {}}
MATCH: Final = {"A": "Rossi", "B": "Bianchi", "Rules": "UMB-1997", "Distance": "60"}
REOPENED: Final = ("Status: open", 'decision "a stroke was wrong"')
LOG: Final = "/matches/{match_id}/log"

TABLE: Final = (
    Asked("/matches", {"command_id": "", "head": MATCH}, DIRECTOR | {"referee"}),
    Asked("/matches", {"command_id": "", "head": MATCH | {"Table": "T3"}}, DIRECTOR | {"referee", "of T3"}),
    Asked("/matches", {"command_id": "", "fpn": HEAD.format(table="T3")}, DIRECTOR | {"referee", "of T3"}),
    Asked(LOG, lines("# a note"), REFEREES),
    Asked(LOG, lines("set 1 A"), REFEREES),
    Asked(LOG, lines("Table: T4"), REFEREES),
    Asked(LOG, lines("Status: closed"), REFEREES),
    Asked(LOG, lines("A: Rossi Marco"), DIRECTOR),
    Asked(LOG, lines("B:  Bianchi Luca"), DIRECTOR),
    Asked(LOG, lines("# a note", "A: Rossi Marco"), DIRECTOR),
    Asked(LOG, later(lines(*REOPENED)), DIRECTOR, closed=True),
    Asked(LOG, later(lines("Status:   open", REOPENED[1])), DIRECTOR, closed=True),
    Asked("/matches/{match_id}/batch", {"commands": [lines("# a note")]}, REFEREES),
    Asked("/matches/{match_id}/batch", {"commands": [lines("A: Rossi Marco")]}, DIRECTOR),
    Asked("/matches/{match_id}/batch", {"commands": [later(lines(*REOPENED))]}, DIRECTOR, closed=True),
    Asked("/matches/{match_id}/clock", {"command_id": "", "action": "start"}, KEEPERS),
    Asked("/matches/{match_id}/desk", {"take": True}, REFEREES),
    Asked("/matches/{match_id}/preview", {"expected_seq": SEQ, "lines": ["set 1 A"]}, REFEREES),
    Asked("/matches/{match_id}/rewrite", {"expected_seq": SEQ, "before": 1, "action": "o"}, REFEREES),
    Asked("/equipment.pdf", {}, ALL),
    Asked("/enter", {"token": "forged"}, frozenset()),
    Asked("/leave", {}, ALL),
    Asked("/device", {"name": "Tablet 2"}, ALL),
    Asked("/grants", GRANT, DIRECTOR),
    Asked("/grants/{grant_id}/revoke", {}, DIRECTOR),
    Asked("/grants/{grant_id}/pin", {"pin": "271828"}, DIRECTOR),
    Asked("/settings", SETTINGS, DIRECTOR),
)  # fmt: skip
"""Every path that writes, or that takes a body: preview, rewrite and the equipment report store nothing."""


class Scene(NamedTuple):
    """Two matches that have just begun, on servers that know neither of them nor who comes."""

    site: Site
    store: Store
    rights: Rights
    match: str
    other: str

    def bearer(self, who: str) -> dict[str, str]:
        """What a visitor sends along; a spectator comes with the page's origin alone."""
        if (given := WHO[who]) is None:
            return {"origin": "http://localhost"}
        role, scope = given
        scope = scope.format(match=self.match, other=self.other)
        grant = self.rights.give(role, label=who, at=datetime.now(UTC), scope=scope)
        return {"authorization": f"Bearer {self.rights.link(grant)}"}

    def close(self) -> None:
        """Close the match."""
        self.store.append(
            self.match, "Status: closed", expected_seq=SEQ, command_id=f"close-{self.match}", at=NOW
        )

    def stored(self) -> object:
        """All that could have been changed."""
        store, match = self.store, self.match
        logs = [store.lines(one) for one in (match, self.other)]
        beside = store.desk(match), store.clock(match), store.grants(), store.setting("hall")
        return store.matches(), logs, beside


@pytest.fixture(scope="module")
def store(site: Site) -> Iterator[Store]:
    """What the servers have stored, through a process that is none of them."""
    with closing(Store.open(site.url)) as opened:
        yield opened


@pytest.fixture
def scene(site: Site, store: Store) -> Scene:
    number = len(store.matches())
    made = []
    for table in ("T3", "T4"):
        record = parse_file(HEAD.format(table=table)).records[0]
        begun = store.create_match(record, command_id=f"new-{number}-{table}", at=NOW)
        assert begun.seq == SEQ
        made.append(begun.match_id)
    return Scene(site, store, Rights(store, time.monotonic), *made)


@pytest.fixture(scope="module")
def app() -> FastAPI:
    return create_app(Hall(Store.open("sqlite://")))


def test_every_path_that_writes_has_a_row(app: FastAPI) -> None:
    known = {("POST", asked.path) for asked in TABLE}
    found = {
        (method, context.path)
        for context in iter_route_contexts(app.routes)
        for method in (context.methods or ())
        if method not in ("GET", "HEAD", "OPTIONS")
    }
    assert found == known


def test_the_paths_are_all_that_the_document_names(app: FastAPI) -> None:
    """The walk over the routes would notice a path; here the OpenAPI document is its witness."""
    walked = {context.path for context in iter_route_contexts(app.routes)}
    assert set(app.openapi()["paths"]) <= walked
    assert "/live" in walked


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("asked", TABLE, ids=lambda asked: f"{asked.path} {str(asked.body)[:60]}")
def test_who_may_write_what(scene: Scene, asked: Asked, who: str) -> None:
    if asked.closed:
        scene.close()
    given = scene.rights.give(Role.REFEREE, label="other", at=datetime.now(UTC))
    headers = scene.bearer(who)
    before = scene.stored()
    with held_against(scene.site.client(headers)) as client:
        path = asked.path.format(match_id=scene.match, grant_id=given.id)
        answer = client.post(path, json=named(asked.body, scene.match))
    status = (
        answer.json()["items"][0].get("status", 200) if asked.path.endswith("batch") else answer.status_code
    )
    if who in asked.may:
        assert status != 403, answer.text
        assert status < 500
    else:
        assert status == 403, answer.text
        assert scene.stored() == before


def named(body: dict[str, Any], name: str) -> dict[str, Any]:
    """A body whose commands have an id that no other test uses."""
    if "commands" in body:
        return {"commands": [named(one, name) for one in body["commands"]]}
    return body | ({"command_id": name} if "command_id" in body else {})


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/grants", DIRECTOR),
        ("/rights", DIRECTOR),
        ("/settings", DIRECTOR),
        ("/matches/{match}/office", DIRECTOR),
        ("/matches/{match}/desk", KEEPERS),
    ],
)
def test_who_may_see_what_is_not_for_everybody(
    scene: Scene, path: str, allowed: frozenset[str], who: str
) -> None:
    with scene.site.client(scene.bearer(who)) as client:
        status = client.get(path.format(match=scene.match)).status_code
    assert status == 200 if who in allowed else status in (303, 403)


@pytest.mark.parametrize("who", sorted(ALL - DIRECTOR))
def test_a_closed_match_is_closed_on_every_path(scene: Scene, who: str) -> None:
    scene.close()
    headers, before = scene.bearer(who), scene.store.lines(scene.match)
    with held_against(scene.site.client(headers)) as client:
        for asked in TABLE:
            if asked.path.startswith("/matches/") and asked.path.rpartition("/")[2] in (
                "log",
                "batch",
                "clock",
            ):
                body = _later(named(asked.body, scene.match))
                told = client.post(asked.path.format(match_id=scene.match), json=body)
                items = told.json().get("items", [told.json()])
                assert items[0].get("error") in ("closed", "forbidden", "illegal"), (asked, told.text)
    assert scene.store.lines(scene.match) == before


def _later(body: dict[str, Any]) -> dict[str, Any]:
    """A body that knows the newest row."""
    if "commands" in body:
        return {"commands": [_later(one) for one in body["commands"]]}
    return body | ({"expected_seq": SEQ + 1} if "expected_seq" in body else {})
