"""Every right on every path that writes: a new path without a row in this table fails."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest
from fastapi.routing import iter_route_contexts
from websockets.sync.client import ClientConnection, connect

from documented import held_against, valid
from fivepins.desk.app import create_app
from fivepins.desk.hall import Hall
from fivepins.desk.rights import ALLOWED, Right, Rights, Role
from fivepins.notation import parse_file
from fivepins.store import Grant, Store
from serving import Site, told

if TYPE_CHECKING:
    from fastapi import FastAPI
    from httpx2 import Response

WAYS: Final = ("bearer", "cookie")
PAGE: Final = {"origin": "http://localhost"}
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
    status: int = 200
    """What those are answered with."""
    but: Mapping[str, int] = {}
    """And with what some of them, for a reason that is not their right."""
    closed: bool = False
    """Whether the match is closed before."""

    def expected(self, who: str) -> int:
        """The status of the answer."""
        return self.but.get(who, self.status) if who in self.may else 403


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
AT_T3: Final = MATCH | {"Table": "T3"}
FILE: Final = HEAD.format(table="T3")
LOG: Final = "/matches/{match_id}/log"
BATCH: Final = "/matches/{match_id}/batch"

TABLE: Final = (
    Asked("/matches", {"command_id": "", "head": MATCH}, DIRECTOR | {"referee"}, 201),
    Asked("/matches", {"command_id": "", "head": AT_T3}, DIRECTOR | {"referee", "of T3"}, 201),
    Asked("/matches", {"command_id": "", "fpn": FILE}, DIRECTOR | {"referee", "of T3"}, 201),
    Asked(LOG, lines("# a note"), REFEREES),
    Asked(LOG, lines("set 1 A"), REFEREES),
    Asked(LOG, lines("Table: T4"), REFEREES, but=dict.fromkeys(REFEREES - DIRECTOR, 409)),
    Asked(LOG, lines("Status: closed"), REFEREES),
    Asked(LOG, lines("A: Rossi Marco"), DIRECTOR),
    Asked(LOG, lines("B:  Bianchi Luca"), DIRECTOR),
    Asked(LOG, lines("# a note", "A: Rossi Marco"), DIRECTOR),
    Asked(LOG, later(lines(*REOPENED)), DIRECTOR, closed=True),
    Asked(LOG, later(lines("Status:   open", REOPENED[1])), DIRECTOR, closed=True),
    Asked(BATCH, {"commands": [lines("# a note")]}, REFEREES),
    Asked(BATCH, {"commands": [lines("A: Rossi Marco")]}, DIRECTOR),
    Asked(BATCH, {"commands": [later(lines(*REOPENED))]}, DIRECTOR, closed=True),
    Asked("/matches/{match_id}/clock", {"command_id": "", "action": "reset"}, KEEPERS),
    Asked("/matches/{match_id}/desk", {"take": True}, REFEREES),
    Asked("/matches/{match_id}/preview", {"expected_seq": SEQ, "lines": ["set 1 A"]}, REFEREES),
    Asked("/matches/{match_id}/rewrite", {"expected_seq": SEQ, "before": 1, "action": "o"}, REFEREES, 422),
    Asked("/equipment.pdf", {}, ALL),
    Asked("/enter", {"token": "forged"}, frozenset()),
    Asked("/leave", {}, ALL),
    Asked("/device", {"name": "Tablet 2"}, ALL),
    Asked("/grants", GRANT, DIRECTOR, 201),
    Asked("/grants/{grant_id}/revoke", {}, DIRECTOR),
    Asked("/grants/{grant_id}/pin", {"pin": "271828"}, DIRECTOR),
    Asked("/settings", SETTINGS, DIRECTOR),
)
"""Every path that writes, or that takes a body: preview, rewrite and the equipment report store nothing.
Before the first set there is no stroke that could have been forgotten."""


class Scene(NamedTuple):
    """Two matches that have just begun, on servers that know neither of them nor who comes."""

    site: Site
    store: Store
    rights: Rights
    match: str
    other: str

    def enter(self, who: str, way: str, ends: datetime | None = None) -> dict[str, str]:
        """What a visitor sends along; a spectator comes with the page's origin alone."""
        if (given := WHO[who]) is None:
            return dict(PAGE)
        role, scope = given
        scope = scope.format(match=self.match, other=self.other)
        at = datetime.now(UTC) if ends is None else ends - timedelta(hours=1)
        grant = self.rights.give(role, label=who, scope=scope, at=at, expires_at=ends)
        return self.sent(grant, way)

    def sent(self, grant: Grant, way: str) -> dict[str, str]:
        """What somebody with that right sends along: a program's token, or a browser's cookie."""
        if way == "bearer":
            return {"authorization": f"Bearer {self.rights.link(grant)}"}
        cookie = self.rights.cookie("tablet", "", grant.id)
        names = (f"fivepins-{server.port}={cookie}" for server in self.site.servers)
        return PAGE | {"cookie": "; ".join(names)}

    def ask(self, asked: Asked, headers: dict[str, str], grant_id: str, body: dict[str, Any]) -> Response:
        """The answer to a request."""
        with held_against(self.site.client(headers)) as client:
            return client.post(asked.path.format(match_id=self.match, grant_id=grant_id), json=body)

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


def test_the_document_names_every_path_that_writes_and_whose_it_is(app: FastAPI) -> None:
    """The walk over the routes would notice a path; here the OpenAPI document is its witness."""
    walked = {context.path for context in iter_route_contexts(app.routes)}
    paths = app.openapi()["paths"]
    assert {*paths, *app.openapi()["x-websocket"]} <= walked
    assert {path for path, methods in paths.items() if "post" in methods} == {asked.path for asked in TABLE}
    rights = {who: ALLOWED[given[0] if given else Role.SPECTATOR] for who, given in WHO.items()}
    somewhere = {who for who, given in WHO.items() if given and given[1]}
    for path in {asked.path for asked in TABLE} - {"/enter"}:  # where everybody may try
        right = Right(paths[path]["post"]["x-right"])
        told = {who for who in WHO if right in rights[who]}
        may = frozenset[str]().union(*(asked.may for asked in TABLE if asked.path == path))
        assert told - somewhere <= may <= told, path


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("asked", TABLE, ids=lambda asked: f"{asked.path} {str(asked.body)[:60]}")
def test_who_may_write_what(scene: Scene, asked: Asked, who: str) -> None:
    """With a token at one site, with a cookie at the other."""
    if asked.closed:
        scene.close()
    given = scene.rights.give(Role.REFEREE, label="other", at=datetime.now(UTC))
    turn = len(scene.site.servers) + TABLE.index(asked) + [*WHO].index(who)
    headers = scene.enter(who, WAYS[turn % 2])
    before = scene.stored()
    answer = scene.ask(asked, headers, given.id, named(asked.body, scene.match))
    assert status_of(answer) == asked.expected(who), answer.text
    if who not in asked.may:
        assert scene.stored() == before


def status_of(answer: Response) -> int:
    """The status of an answer; of a batch, that of its only command."""
    told: dict[str, Any] = answer.json() if answer.headers["content-type"] == "application/json" else {}
    (item,) = told.get("items", [{}])
    return int(item.get("status", answer.status_code))


@pytest.mark.parametrize("way", WAYS)
def test_a_right_that_was_taken_back_or_ran_out_writes_nothing_anywhere(scene: Scene, way: str) -> None:
    """A director's, which was good for everything."""
    given = scene.rights.give(Role.REFEREE, label="other", at=datetime.now(UTC))
    taken = scene.rights.give(Role.DIRECTOR, label="taken back", at=datetime.now(UTC))
    ran_out = scene.enter("director", way, ends=datetime.now(UTC) - timedelta(minutes=1))
    revoked = scene.sent(taken, way)
    with scene.site.client(revoked) as client:
        for _ in scene.site.servers:
            assert client.get("/grants").status_code == 200
        with scene.site.client() as director:
            director.post(f"/grants/{taken.id}/revoke", json={}).raise_for_status()
        for _ in scene.site.servers:  # one of them has taken it back, the other one will hear of it
            while client.get("/grants").status_code != 403:
                pass
    before = scene.stored()
    for headers in (revoked, ran_out):
        for asked in TABLE:
            answer = scene.ask(asked, headers, given.id, named(asked.body, scene.match))
            assert status_of(answer) == asked.expected("spectator"), (asked, answer.text)
    assert scene.stored() == before


def test_who_is_told_by_a_feed_who_sits_at_the_desk(scene: Scene) -> None:
    server = scene.site.servers[0]
    address = f"ws://127.0.0.1:{server.port}/live?match={scene.match}&kind=desk"
    with ExitStack() as stack:
        feeds = {
            who: stack.enter_context(
                connect(address, additional_headers=scene.enter(who, "bearer") if WHO[who] else {})
            )
            for who in WHO
        }
        before = heard(feeds["director"], lambda told: told.get("presence", {}).get("devices") == len(WHO))
        scene.close()
        told_of = {who: heard(feed, is_closed) for who, feed in feeds.items()}
    told_of["director"] += before
    assert {who for who in WHO if any("presence" in message for message in told_of[who])} == KEEPERS


def heard(feed: ClientConnection, last: Callable[[Any], object]) -> list[Any]:
    """What a feed tells until something holds of a message; each is as the document says."""
    messages = [told(feed)]
    while not last(messages[-1]):
        messages.append(told(feed))
    for message in messages:
        valid(message, "Told")
    return messages


def is_closed(message: Any) -> bool:
    """Whether a message shows a closed match."""
    return bool(message.get("board", {}).get("status") == "closed")


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
    with held_against(scene.site.client(scene.enter(who, "cookie"))) as client:
        status = client.get(path.format(match=scene.match)).status_code
    refused = 403 if path == "/grants" else 303  # a page sends to the entrance
    assert status == (200 if who in allowed else refused)


@pytest.mark.parametrize("who", WHO)
def test_a_closed_match_is_closed_on_every_path(scene: Scene, who: str) -> None:
    """What is looked at is told what it would be told as a line; to open it again is tried above."""
    scene.close()
    headers, before = scene.enter(who, "bearer"), scene.stored()
    for asked in TABLE:
        if asked.path.startswith("/matches/") and not asked.closed:
            answer = scene.ask(asked, headers, "", _later(named(asked.body, scene.match)))
            assert status_of(answer) == (423 if who in asked.may else 403), (asked, answer.text)
    assert scene.stored() == before


def _later(body: dict[str, Any]) -> dict[str, Any]:
    """A body that knows the newest row."""
    if "commands" in body:
        return {"commands": [_later(one) for one in body["commands"]]}
    return body | ({"expected_seq": SEQ + 1} if "expected_seq" in body else {})
