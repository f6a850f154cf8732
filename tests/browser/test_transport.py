"""The transport modules of the pages, in a real browser and against a real server that fails on demand."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

HALL = Path(__file__).parent / "transport" / "hall.py"
EMPTY = "outbox.pending.length === 0"
STORED = "n => outbox.pending.length === n && outbox.storing.size === 0"
KEPT = """Promise.all([location.href, ...performance.getEntriesByType("resource").map(one => one.name)]
  .filter(address => !address.endsWith("/worker.js") && !address.endsWith("/favicon.ico"))
  .map(address => caches.match(address))).then(kept => kept.every(Boolean))"""
TAP = "lines => { outbox.send({lines}).catch(() => {}); return outbox.pending.length; }"
LISTEN = """asked => {
  window.heard = []; window.states = [];
  window.feed = connect({kind: "board", lang: "en", ...asked},
    {message: m => heard.push(m), status: s => states.push(s)});
}"""


class Hall:
    """A server process on a port of its own, with a log that outlives it."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.log = folder / "log"
        self.address = f"http://127.0.0.1:{self.port}/"
        self.start()

    def start(self) -> None:
        """Start it, and wait until it listens."""
        self.process = subprocess.Popen([sys.executable, HALL, str(self.port), self.log])
        while self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except ConnectionRefusedError:
                pass
        pytest.fail("the hall does not start")

    def stop(self) -> None:
        """Kill it."""
        self.process.kill()
        self.process.wait()

    def ask(self, path: str, body: object = None) -> Any:
        """Look at it, or tell it what to do."""
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(self.address + path, data) as answer:
            return json.load(answer)

    @property
    def lines(self) -> list[str]:
        """What is stored, in order."""
        return [line for command in self.ask("look")["log"] for line in command["lines"]]


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    yield context
    context.close()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    hall = Hall(tmp_path)
    yield hall
    hall.stop()


def until(page: Page, holds: str, arg: object = None) -> None:
    """Wait for it to hold. Playwright's own way is eval, which the pages' content policy forbids."""
    end = time.monotonic() + 30
    while not page.evaluate(holds, arg):
        if time.monotonic() > end:
            pytest.fail(f"never: {holds}")
        page.wait_for_timeout(50)


def opened(context: BrowserContext, hall: Hall) -> Page:
    """A page with the modules ready."""
    page = context.new_page()
    page.goto(hall.address)
    until(page, "window.outbox !== undefined")
    return page


def test_taps_without_a_network_arrive_once_and_in_order(context: BrowserContext, hall: Hall) -> None:
    page = opened(context, hall)
    context.set_offline(True)
    assert [page.evaluate(TAP, [f"{n}"]) for n in range(5)] == [1, 2, 3, 4, 5]
    page.wait_for_timeout(5000)
    assert hall.lines == []
    context.set_offline(False)
    until(page, EMPTY)
    assert hall.lines == ["0", "1", "2", "3", "4"]


def test_a_server_that_dies_between_storing_and_answering_has_the_line_once(
    context: BrowserContext, hall: Hall
) -> None:
    page = opened(context, hall)
    hall.ask("fail", {"die": 1})
    page.evaluate(TAP, ["a"])
    page.evaluate(TAP, ["b"])
    hall.process.wait()
    hall.start()
    until(page, EMPTY)
    assert hall.lines == ["a", "b"]


def test_a_line_whose_answer_was_lost_is_stored_once(context: BrowserContext, hall: Hall) -> None:
    page = opened(context, hall)
    hall.ask("fail", {"late": 6})
    page.evaluate(TAP, ["a"])
    until(page, EMPTY)
    assert hall.lines == ["a"]
    assert len(hall.ask("look")["posts"]) == 2


def test_a_closed_tab_leaves_its_queue_to_the_next(context: BrowserContext, hall: Hall) -> None:
    page = opened(context, hall)
    context.set_offline(True)
    page.evaluate(TAP, ["a"])
    until(page, "outbox.storing.size === 0")
    page.close()
    context.set_offline(False)
    until(opened(context, hall), EMPTY)
    assert hall.lines == ["a"]


@pytest.mark.parametrize("locks", [True, False], ids=["locks", "lease"])
def test_two_tabs_send_each_line_once(context: BrowserContext, hall: Hall, *, locks: bool) -> None:
    if not locks:
        context.add_init_script("Object.defineProperty(Navigator.prototype, 'locks', {value: undefined})")
    pages = [opened(context, hall), opened(context, hall)]
    context.set_offline(True)
    for n in range(6):
        page = pages[n % 2]
        page.evaluate(TAP, [f"{n}"])
        for other in pages:
            until(other, STORED, arg=n + 1)
    context.set_offline(False)
    for page in pages:
        until(page, EMPTY)
    assert hall.lines == [f"{n}" for n in range(6)]
    assert len(hall.ask("look")["posts"]) == 6


def test_a_stale_line_stops_the_queue_and_keeps_it(context: BrowserContext, hall: Hall) -> None:
    page = opened(context, hall)
    hall.log.write_text(json.dumps({"command_id": "foreign", "lines": ["other"]}) + "\n")
    page.evaluate(TAP, ["a"])
    page.evaluate(TAP, ["b"])
    until(page, "outbox.stopped?.error === 'stale'")
    assert page.evaluate("outbox.pending.map(one => one.lines[0])") == ["a", "b"]
    assert hall.lines == ["other"]
    page.evaluate("outbox.again()")
    until(page, EMPTY)
    assert hall.lines == ["other", "a", "b"]


def test_a_screen_shows_no_foreign_board_and_none_that_is_old_b21(
    context: BrowserContext, hall: Hall
) -> None:
    page = opened(context, hall)
    page.evaluate(LISTEN, {"match": "m1"})
    until(page, "heard.length === 1")
    epoch = page.evaluate("heard[0].epoch")
    for match, seq in [("m1", 5), ("m2", 9), ("m1", 4), ("m1", 6)]:
        hall.ask("publish", {"now": 1, "epoch": epoch, "board": {"match": match, "seq": seq, "table": "T1"}})
    until(page, "heard.at(-1).board.seq === 6")
    assert page.evaluate("heard.map(one => one.board.seq)") == [0, 5, 6]


def test_a_killed_server_is_found_again(context: BrowserContext, hall: Hall) -> None:
    page = opened(context, hall)
    page.evaluate(LISTEN, {"match": "m1"})
    until(page, "states.at(-1) === 'live'")
    hall.stop()
    until(page, "states.at(-1) === 'stale'")
    hall.start()
    until(page, "states.at(-1) === 'live'")
    until(page, "new Set(heard.map(one => one.epoch)).size === 2")


def test_nine_tabs_of_a_browser_are_all_live(context: BrowserContext, hall: Hall) -> None:
    pages = [opened(context, hall) for _ in range(9)]
    for page in pages:
        page.evaluate(LISTEN, {"match": "m1"})
    for page in pages:
        until(page, "heard.length > 0")
    assert hall.ask("look")["listeners"] == 9


def test_label_and_value_of_the_clock_come_from_one_object_b24(context: BrowserContext, hall: Hall) -> None:
    page = opened(context, hall)
    clock = {"running": True, "since": 1000, "held": 2, "from": 1}
    assert page.evaluate("c => stopwatch.elapsed(c, 6000)", clock) == 7
    assert page.evaluate("c => stopwatch.remaining(c, {seconds: 40}, 6000)", clock) == 34
    assert page.evaluate("[stopwatch.text(-3), stopwatch.text(9.2), stopwatch.text(75)]") == [
        "0",
        "10",
        "1:15",
    ]


def test_a_page_that_slept_does_not_believe_its_socket_b31(context: BrowserContext, hall: Hall) -> None:
    page = context.new_page()
    page.clock.install()
    page.goto(hall.address)
    until(page, "window.outbox !== undefined")
    page.evaluate(LISTEN, {"match": "m1"})
    until(page, "heard.length > 0")
    page.clock.fast_forward(300_000)
    until(page, "heard.length > 1 && states.at(-1) === 'live'")
    assert page.evaluate("states") == ["live", "stale", "live"]
    assert ["since=0" in address for address in hall.ask("look")["openings"]] == [False, True]


def test_screens_agree_on_the_clock_of_the_server_b25(context: BrowserContext, hall: Hall) -> None:
    pages = [opened(context, hall), opened(context, hall)]
    for page in pages:
        page.evaluate(LISTEN, {"match": "m1"})
        until(page, "heard.length > 0")
    one, other = [page.evaluate("feed.now() - Date.now()") for page in pages]
    assert abs(one - other) <= 200


def test_a_desk_that_is_reloaded_without_a_server_opens_with_its_queue_b35(
    context: BrowserContext, hall: Hall
) -> None:
    page = context.new_page()
    page.goto(hall.address + "matches/m1/desk")
    until(page, "window.outbox !== undefined")
    page.evaluate("keepPage()")
    until(page, KEPT)
    hall.stop()
    page.evaluate(TAP, ["a"])
    until(page, STORED, 1)
    page.reload()
    until(page, "window.outbox?.pending.length === 1")
    hall.start()
    until(page, EMPTY)
    assert hall.lines == ["a"]
