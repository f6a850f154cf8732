"""Two server processes on one database serve one hall: what is said to one shows on the other's screens."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from websockets.sync.client import ClientConnection, connect

from postgres import Postgres
from serving import PATIENCE, Served

HEAD = {"A": "Rossi", "B": "Bianchi", "Rules": "UMB-1997", "Distance": "60", "Clock": "40+20"}


@pytest.fixture(scope="module", name="servers", params=["postgresql", "sqlite"])
def _servers(
    request: pytest.FixtureRequest, postgres: Postgres, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Served]]:
    folder = tmp_path_factory.mktemp("servers")
    url = postgres.new() if request.param == "postgresql" else f"sqlite:///{folder / 'hall.db'}"
    servers = [Served(folder / name, "--db", url) for name in ("one", "two")]
    yield servers
    for server in servers:
        assert server.stop() == 0
        assert server.errors == ""


def post(server: Served, path: str, **body: object) -> dict[str, Any]:
    headers = {"content-type": "application/json", "authorization": f"Bearer {server.director.split('#')[1]}"}
    request = Request(server.url + path, json.dumps(body).encode(), headers)
    with urlopen(request, timeout=PATIENCE) as answer:
        told: dict[str, Any] = json.load(answer)
    return told


def create(server: Served, table: str) -> tuple[str, int]:
    made = post(server, "/matches", command_id=f"new-{table}", head=HEAD | {"Table": table})
    return made["match"], made["seq"]


def write(server: Served, match: str, seq: int, *lines: str, command: str = "") -> dict[str, Any]:
    command = command or f"{match}-{seq}"
    return post(server, f"/matches/{match}/log", command_id=command, expected_seq=seq, lines=lines)


def feed(server: Served, question: str) -> ClientConnection:
    return connect(f"{server.url.replace('http', 'ws', 1)}/live?{question}", open_timeout=PATIENCE)


def until(socket: ClientConnection, holds: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """The first message of which something holds."""
    while True:
        told: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
        if holds(told):
            return told


def test_what_is_said_to_one_server_shows_on_the_screens_of_the_other(servers: list[Served]) -> None:
    one, two = servers
    with feed(two, "table=T1") as table:
        assert until(table, lambda told: "board" in told)["board"] is None
        match, seq = create(one, "T1")
        assert until(table, lambda told: told.get("board"))["board"]["seq"] == seq
        with feed(two, f"match={match}") as socket:
            done = write(one, match, seq, "set 1 A", "1. A o r /13")
            assert (
                until(socket, lambda told: (told.get("board") or {}).get("seq") == done["seq"])["board"][
                    "sides"
                ]["A"]["score"]
                == 8
            )
            post(one, f"/matches/{match}/clock", command_id=f"start-{match}", action="start", elapsed=7.0)
            clock = until(socket, lambda told: told.get("board", {}).get("clock", {}).get("running"))["board"]
            assert (clock["clock"]["held"], clock["clock"]["ask"]) == (7.0, False)
            write(two, match, done["seq"], "2. B o")
            assert not until(socket, lambda told: told["board"]["seq"] > done["seq"])["board"]["clock"][
                "running"
            ]
        write(one, match, done["seq"] + 1, "Table: T9", command="move")
        assert until(table, lambda told: "board" in told and told["board"] is None)


def test_two_servers_refuse_what_the_other_has_overtaken_and_answer_the_same_command_alike(
    servers: list[Served],
) -> None:
    """B14, B18: the same command is answered as before, and a stale one is told what it missed."""
    one, two = servers
    match, seq = create(one, "T2")
    seq = write(one, match, seq, "set 1 A")["seq"]
    first = write(one, match, seq, "1. A o", command="tap")
    again = write(two, match, seq, "1. A o", command="tap")
    assert (again["seq"], first["note"], again["note"]) == (first["seq"], "", "already done")
    with pytest.raises(HTTPError) as refused:
        write(two, match, seq, "1. A o /1", command="other")
    assert refused.value.code == 409
    missing = json.load(refused.value)["missing"]
    assert [row["line"] for row in missing] == ["1. A o"]


def test_a_server_that_comes_later_learns_where_a_running_clock_is(
    servers: list[Served], tmp_path: Path
) -> None:
    """It has only found in the store that the clock was started; who saw it start tells where it is now."""
    one = servers[0]
    match, seq = create(one, "T3")
    write(one, match, seq, "set 1 A")
    post(one, f"/matches/{match}/clock", command_id=f"start-{match}", action="start", elapsed=7.0)
    three = Served(tmp_path / "three", *one.arguments)
    try:
        with feed(three, f"match={match}") as socket:
            clock = until(socket, lambda told: told.get("board", {}).get("clock", {}).get("running"))["board"]
            assert clock["clock"]["held"] > 7.0
            assert not clock["clock"]["ask"]
    finally:
        assert three.stop() == 0
