"""The feeds of a real server: what screens are told, and what they are not."""

from __future__ import annotations

import json
import random
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from urllib.request import Request, urlopen

import pytest
from websockets.sync.client import ClientConnection, connect

from serving import PATIENCE, Served

HEAD = {"A": "Rossi", "B": "Bianchi", "Rules": "UMB-1997", "Distance": "60", "Clock": "40+20"}
QUIET = 1.0
"""Seconds in which nothing comes, where nothing may come."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("feeds") / "hall")
    yield served
    served.stop()


def post(server: Served, path: str, **body: object) -> Any:
    token = server.director.partition("#")[2]
    headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
    with urlopen(Request(server.url + path, json.dumps(body).encode(), headers), timeout=PATIENCE) as answer:
        return json.load(answer)


def begin(server: Served, name: str, **head: str) -> tuple[str, int]:
    made = post(server, "/matches", command_id=f"new-{name}", head=HEAD | head)
    done = post(
        server, f"/matches/{made['match']}/log",
        command_id=f"set-{name}", expected_seq=made["seq"], lines=["set 1 A"],
    )  # fmt: skip
    return made["match"], done["seq"]


def stroke(server: Served, match: str, seq: int, number: int) -> int:
    line = f"{number}. {'AB'[(number - 1) % 2]} o /."
    body = {"command_id": f"{match}-{seq}", "expected_seq": seq, "lines": [line]}
    return int(post(server, f"/matches/{match}/log", **body)["seq"])


def feed(server: Served, query: str) -> ClientConnection:
    return connect(f"{server.url.replace('http', 'ws', 1)}/live?{query}", open_timeout=PATIENCE)


def told(screen: ClientConnection) -> Any:
    return json.loads(screen.recv(PATIENCE))


def test_a_running_clock_sends_nothing(server: Served) -> None:
    """B26: only what happens to a clock travels, to five screens, and never a tick."""
    match, _ = begin(server, "ticks")
    with ExitStack() as stack:
        screens = [stack.enter_context(feed(server, f"match={match}")) for _ in range(5)]
        for screen in screens:
            told(screen)
        post(server, f"/matches/{match}/clock", command_id="start", action="start")
        since = {told(screen)["board"]["clock"]["since"] for screen in screens}
        assert len(since) == 1
        for screen in screens:
            with pytest.raises(TimeoutError):
                screen.recv(QUIET)


def test_a_stroke_stops_the_clock_on_every_screen(server: Served) -> None:
    """B23: no clock runs once the stroke is entered, whatever it was held for."""
    match, seq = begin(server, "stops")
    with feed(server, f"match={match}") as screen:
        told(screen)
        for action in ("start", "stop", "start"):
            post(server, f"/matches/{match}/clock", command_id=f"c-{time.monotonic()}", action=action)
            assert told(screen)["board"]["clock"]["running"] is (action == "start")
        stroke(server, match, seq, 1)
        clock = told(screen)["board"]["clock"]
        assert (clock["running"], clock["held"], clock["ask"]) == (False, 0, False)


def test_after_a_restart_the_clock_stands_and_asks(server: Served) -> None:
    match, seq = begin(server, "asks")
    post(server, f"/matches/{match}/clock", command_id="runs", action="start", elapsed=7)
    server.kill()
    server.start()
    clock = json.loads(server.get(f"/matches/{match}/board"))["clock"]
    assert (clock["running"], clock["held"], clock["ask"]) == (False, 7, True)
    stroke(server, match, seq, 1)
    assert json.loads(server.get(f"/matches/{match}/board"))["clock"]["ask"] is False


def test_no_display_is_told_of_another_table(server: Served) -> None:
    """B21: eight tables, strokes at all of them, displays that come back at random."""
    chance = random.Random(21)
    matches = {f"D{place}": begin(server, f"d{place}", Table=f"D{place}") for place in range(8)}
    turns = dict.fromkeys(matches, 0)
    for _ in range(60):
        table = chance.choice(sorted(matches))
        match, seq = matches[table]
        turns[table] += 1
        if turns[table] < 25:
            matches[table] = match, stroke(server, match, seq, turns[table])
        looked_at = chance.choice(sorted(matches))
        with feed(server, f"table={looked_at}") as screen:
            board = told(screen)["board"]
        assert (board["match"], board["seq"]) == matches[looked_at]


def test_a_hall_is_told_of_each_table_that_changes(server: Served) -> None:
    match, seq = begin(server, "hall", Table="H1")
    with feed(server, "hall=1") as screen:
        first = told(screen)
        assert first["boards"]["H1"]["match"] == match
        assert {"T1", "H1"} <= set(first["tables"])
        stroke(server, match, seq, 1)
        assert set(told(screen)["boards"]) == {"H1"}


def test_a_slow_reader_finds_the_newest_board_and_no_queue(server: Served) -> None:
    match, seq = begin(server, "slow")
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.sendall(
            f"GET /live?match={match}&kind=sheet HTTP/1.1\r\nHost: localhost:{server.port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        assert b"101 " in line.recv(4096)
        newest = seq
        for round_ in range(150):  # more than any buffer between the two holds: some must be left out
            lines = ["1. A o r"] if round_ % 2 == 0 else ['undo "again"']
            body = {"command_id": f"slow-{round_}", "expected_seq": newest, "lines": lines}
            newest = int(post(server, f"/matches/{match}/log", **body)["seq"])
        with feed(server, f"match={match}") as screen:
            assert told(screen)["board"]["seq"] == newest  # nobody waits for the slow one


def test_events_are_served_to_programs_that_read_lines(server: Served) -> None:
    match, seq = begin(server, "events")
    with urlopen(f"{server.url}/matches/{match}/events", timeout=PATIENCE) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        first = json.loads(stream.readline().removeprefix(b"data: "))
        assert first["board"]["seq"] == seq
        stroke(server, match, seq, 1)
        lines = iter(stream.readline, b"")
        after = next(line for line in lines if line.startswith(b"data: "))
        assert json.loads(after.removeprefix(b"data: "))["board"]["seq"] == seq + 1


def test_a_reader_that_comes_back_is_sent_only_what_it_has_not_seen(server: Served) -> None:
    match, seq = begin(server, "resumes")
    with feed(server, f"match={match}&kind=sheet&since={seq}") as screen:
        first = told(screen)
        assert (first["board"]["seq"], "sheet" in first) == (seq, False)
    stroke(server, match, seq, 1)
    with feed(server, f"match={match}&kind=sheet&since={seq}") as screen:
        first = told(screen)
        assert (first["board"]["seq"], first["sheet"]["seq"]) == (seq + 1, seq + 1)


def test_every_reader_is_told_in_his_own_language(server: Served) -> None:
    """B67: the same stroke to three readers, and the referee's words in the match's language."""
    match, seq = begin(server, "words", Language="it")
    with ExitStack() as stack:
        screens = {
            lang: stack.enter_context(feed(server, f"match={match}&lang={lang}"))
            for lang in ("it", "es", "de")
        }
        for screen in screens.values():
            told(screen)
        body = {"command_id": "words-1", "expected_seq": seq, "lines": ["1. A r o"]}
        post(server, f"/matches/{match}/log", **body)
        last = {lang: told(screen)["board"]["last"] for lang, screen in screens.items()}
    assert len({one["words"] for one in last.values()}) == 3
    assert {one["announce"] for one in last.values()} == {"Pallino. 4 punti all'avversario. Bilia in mano."}
