"""The feeds of real servers: what screens are told, and what they are not."""

from __future__ import annotations

import json
import random
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from documented import held_against, valid
from serving import PATIENCE, Site, told, until

if TYPE_CHECKING:
    from httpx2 import Client, Response
    from websockets.sync.client import ClientConnection

HEAD = {"A": "Rossi", "B": "Bianchi", "Rules": "UMB-1997", "Distance": "60", "Clock": "40+20"}
QUIET = 1.0
"""Seconds in which nothing comes, where nothing may come."""


@pytest.fixture(scope="module")
def client(site: Site) -> Iterator[Client]:
    with site.client() as program:
        yield held_against(program)


def post(client: Client, path: str, **body: object) -> Any:
    return client.post(path, json=body).raise_for_status().json()


def begin(site: Site, client: Client, name: str, **head: str) -> tuple[str, int]:
    """A match that every server has been asked about, and so knows of as it is."""
    made = post(client, "/matches", command_id=f"new-{name}", head=HEAD | head)
    done = post(
        client, f"/matches/{made['match']}/log",
        command_id=f"set-{name}", expected_seq=made["seq"], lines=["set 1 A"],
    )  # fmt: skip
    for _ in site.servers:
        assert client.get(f"/matches/{made['match']}/board").json()["seq"] == done["seq"]
    return made["match"], done["seq"]


def stroke(client: Client, match: str, seq: int, number: int) -> int:
    line = f"{number}. {'AB'[(number - 1) % 2]} o /."
    body = {"command_id": f"{match}-{seq}", "expected_seq": seq, "lines": [line]}
    return int(post(client, f"/matches/{match}/log", **body)["seq"])


def runs(told: Any) -> bool:
    """Whether a message tells of a running clock."""
    return bool(told["board"]["clock"]["running"])


def stands(told: Any) -> bool:
    """Whether it tells of one that stands."""
    return not runs(told)


def test_a_running_clock_sends_nothing(site: Site, client: Client) -> None:
    """B26: only what happens to a clock travels, to five screens, and never a tick."""
    match, _ = begin(site, client, "ticks")
    with ExitStack() as stack:
        screens = [stack.enter_context(site.feed(f"match={match}")) for _ in range(5)]
        for screen in screens:
            told(screen)
        post(client, f"/matches/{match}/clock", command_id="start", action="start")
        since = {until(screen, runs)["board"]["clock"]["since"] for screen in screens}
        assert len(since) <= len(site.servers), "each server tells of it by its own clock"
        for screen in screens:
            with pytest.raises(TimeoutError):
                screen.recv(QUIET)


def test_a_stroke_stops_the_clock_on_every_screen(site: Site, client: Client) -> None:
    """B23: no clock runs once the stroke is entered, whatever it was held for."""
    match, seq = begin(site, client, "stops")
    with site.feed(f"match={match}") as screen:
        for action in ("start", "stop", "start"):
            post(client, f"/matches/{match}/clock", command_id=f"c-{time.monotonic()}", action=action)
            until(screen, runs if action == "start" else stands)
        seq = stroke(client, match, seq, 1)
        clock = until(screen, lambda told: told["board"]["seq"] == seq)["board"]["clock"]
        assert (clock["running"], clock["held"], clock["ask"]) == (False, 0, False)


def test_after_a_restart_the_clock_stands_and_asks(site: Site, client: Client) -> None:
    match, seq = begin(site, client, "asks")
    post(client, f"/matches/{match}/clock", command_id="runs", action="start", elapsed=7)
    site.cut()
    clock = client.get(f"/matches/{match}/board").json()["clock"]
    assert (clock["running"], clock["held"], clock["ask"]) == (False, 7, True)
    stroke(client, match, seq, 1)
    assert client.get(f"/matches/{match}/board").json()["clock"]["ask"] is False


def strokes(client: Client, match: str, seq: int, number: int, count: int) -> int:
    """So many strokes of nothing, each a command and a line of its own, sent together."""
    commands = [
        {"command_id": f"{match}-{seq + n}", "expected_seq": seq + n, "lines": [f"{turn}. {side} o"]}
        for n, turn, side in ((n, number + n, "BA"[(number + n) % 2]) for n in range(count))
    ]
    items = post(client, f"/matches/{match}/batch", commands=commands)["items"]
    assert [item["seq"] for item in items] == [*range(seq + 1, seq + count + 1)]
    return seq + count


def heard(screen: ClientConnection, match: str, last: int) -> list[int]:
    """The lines after which a screen was told of its match, to the last one; it must hear of no other."""
    seqs = [0]
    while seqs[-1] < last:
        board = told(screen).get("board")
        if board is not None:
            assert board["match"] == match
            seqs.append(board["seq"])
    return seqs


def test_no_display_is_told_of_another_table_nor_twice_of_its_own_in_1000_events(
    site: Site, client: Client
) -> None:
    """B21: eight tables, a screen at each; others come late and at random, and are there at once."""
    chance = random.Random(21)
    begun = {f"D{place}": begin(site, client, f"d{place}", Table=f"D{place}") for place in range(8)}
    plan = [chance.choice([*begun]) for _ in range(40)]
    now = dict(begun)
    with ThreadPoolExecutor(len(begun)) as pool, ExitStack() as stack:
        listening = {}
        for table, (match, seq) in begun.items():
            screen = stack.enter_context(site.feed(f"table={table}"))
            listening[table] = pool.submit(heard, screen, match, seq + 25 * plan.count(table))
        for table in plan:
            match, seq = now[table]
            now[table] = match, strokes(client, match, seq, seq - begun[table][1] + 1, 25)
            looked_at = chance.choice([*begun])
            with site.feed(f"table={looked_at}") as screen:
                until(screen, partial(shows, *now[looked_at]))
        for one in listening.values():
            seqs = one.result()
            assert seqs == sorted(set(seqs))
    for match, seq in now.values():
        rows = client.get(f"/matches/{match}/log").json()["lines"]
        assert [row["seq"] for row in rows] == [*range(1, seq + 1)]
    assert sum(seq for _, seq in now.values()) - sum(seq for _, seq in begun.values()) == 1_000


def shows(match: str, seq: int, told: Any) -> bool:
    """Whether a message shows a match at that row; it must show that match."""
    assert told["board"]["match"] == match
    return bool(told["board"]["seq"] == seq)


def test_a_hall_is_told_of_each_table_that_changes(site: Site, client: Client) -> None:
    match, seq = begin(site, client, "hall", Table="H1")
    with site.feed("hall=1") as screen:
        first = told(screen)
        valid(first, "Told")
        assert first["boards"]["H1"]["match"] == match
        assert {"T1", "H1"} <= set(first["tables"])
        stroke(client, match, seq, 1)
        assert set(told(screen)["boards"]) == {"H1"}


def test_a_slow_reader_finds_the_newest_board_and_no_queue(site: Site, client: Client) -> None:
    match, seq = begin(site, client, "slow")
    port = site.next().port
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.sendall(
            f"GET /live?match={match}&kind=sheet HTTP/1.1\r\nHost: localhost:{port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        assert b"101 " in line.recv(4096)
        newest = seq
        for round_ in range(150):  # more than any buffer between the two holds: some must be left out
            lines = ["1. A o r"] if round_ % 2 == 0 else ['undo "again"']
            body = {"command_id": f"slow-{round_}", "expected_seq": newest, "lines": lines}
            newest = int(post(client, f"/matches/{match}/log", **body)["seq"])
        with site.feed(f"match={match}") as screen:
            until(screen, lambda told: told["board"]["seq"] == newest)  # nobody waits for the slow one


def events(stream: Response) -> Iterator[tuple[str, Any]]:
    """The ids and messages of server-sent events that come from now on, each as the document says."""
    lines = stream.iter_lines()
    assert next(lines).startswith("retry: ")
    return parsed(lines)


def parsed(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    """Ids and messages of events by their lines."""
    last = ""
    for line in lines:
        field, _, value = line.partition(": ")
        if field == "id":
            last = value
        elif field == "data":
            told = json.loads(value)
            valid(told, "Told")
            yield last, told


def at(table: str, message: Any) -> Any:
    """The board of a table in a message to whoever looks at its match, at it, or at the hall."""
    return message["board"] if "board" in message else message["boards"][table]


def test_events_are_served_to_programs_that_read_lines(site: Site, client: Client) -> None:
    match, seq = begin(site, client, "events")
    with client.stream("GET", f"/matches/{match}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        told = events(stream)
        assert next(told)[1]["board"]["seq"] == seq
        stroke(client, match, seq, 1)
        last, message = next(told)
        assert (message["board"]["seq"], last.partition("-")[0]) == (seq + 1, str(seq + 1))


@pytest.mark.parametrize("path", ["/matches/{match}/events", "/tables/{table}/events", "/events"])
def test_a_program_that_comes_back_is_sent_what_is_newer_and_nothing_twice(
    path: str, site: Site, client: Client
) -> None:
    table = f"E{len(path)}"
    match, seq = begin(site, client, f"back-{table}", Table=table)
    address = path.format(match=match, table=table)
    with client.stream("GET", address) as stream:
        last, _ = next(events(stream))
    with client.stream("GET", address, headers={"last-event-id": last}) as stream:
        told = events(stream)
        stroke(client, match, seq, 1)
        missed, newer = next(told)
        assert at(table, newer)["seq"] == seq + 1, "what it had seen is not sent again"
    with client.stream("GET", address, headers={"last-event-id": last}) as stream:
        again, newer = next(events(stream))
        assert (again, at(table, newer)["seq"]) == (missed, seq + 1)
    with client.stream("GET", address, headers={"last-event-id": missed}) as stream:
        told = events(stream)
        post(client, f"/matches/{match}/clock", command_id=f"start-{table}", action="start")
        moved, newer = next(told)
        assert at(table, newer)["clock"]["running"]
    assert moved != missed, "a clock moves without a row"
    post(client, f"/matches/{match}/clock", command_id=f"reset-{table}", action="reset")  # all servers agree


def test_a_reader_that_comes_back_is_sent_only_what_it_has_not_seen(site: Site, client: Client) -> None:
    match, seq = begin(site, client, "resumes")
    with site.feed(f"match={match}&kind=sheet&since={seq}") as screen:
        first = told(screen)
        assert (first["board"]["seq"], "sheet" in first) == (seq, False)
    stroke(client, match, seq, 1)
    with site.feed(f"match={match}&kind=sheet&since={seq}") as screen:
        newest = until(screen, lambda told: told["board"]["seq"] == seq + 1)
        assert newest["sheet"]["seq"] == seq + 1
        valid(newest, "Told")


def test_every_reader_is_told_in_his_own_language(site: Site, client: Client) -> None:
    """B67: the same stroke to three readers, and the referee's words in the match's language."""
    match, seq = begin(site, client, "words", Language="it")
    with ExitStack() as stack:
        screens = {
            lang: stack.enter_context(site.feed(f"match={match}&lang={lang}")) for lang in ("it", "es", "de")
        }
        for screen in screens.values():
            told(screen)
        body = {"command_id": "words-1", "expected_seq": seq, "lines": ["1. A r o"]}
        post(client, f"/matches/{match}/log", **body)
        last = {lang: told(screen)["board"]["last"] for lang, screen in screens.items()}
    assert len({one["words"] for one in last.values()}) == 3
    assert {one["announce"] for one in last.values()} == {"Pallino. 4 punti all'avversario. Bilia in mano."}
