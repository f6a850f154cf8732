"""Screens that sleep, in real time. The tests are for workers that sleep at the same time: `pytest -n 4`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any, Final

import pytest
from httpx2 import Client

from asleep.chromium import Chromium, Tab, started
from serving import Served

HEAD: Final = {
    "A": "Marco Rossi", "B": "Luca Bianchi", "Rules": "UMB-1997", "Distance": "60", "Clock": "120+20",
    "Table": "T1",
}  # fmt: skip
STROKES: Final = 10
"""How many are played while a screen sleeps."""

HEART: Final = """
  window.heart = {beats: 0, last: Date.now(), gap: 0, woke: 0, wokeAt: 0};
  setInterval(() => {
    const now = Date.now();
    if (now - heart.last > heart.gap)
      Object.assign(heart, {gap: now - heart.last, woke: heart.beats, wokeAt: now});
    heart.last = now;
    heart.beats += 1;
  }, 100);
  window.sockets = [];
  window.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      const mine = {beats: heart.beats, at: Date.now(), boards: []};
      sockets.push(mine);
      this.addEventListener("message", ({data}) => {
        const {board} = JSON.parse(data);
        if (board) mine.boards.push({seq: board.seq, at: Date.now()});
      });
    }
  };
"""
"""Counts the tenths of a second in which the page was awake, and keeps when it asked anew and what it heard.

A machine too busy for the page is too busy for its heart, so what is counted in beats needs no patience.
"""
AT_ONCE: Final = 20
"""Beats: two seconds."""

ENDS: Final = """
  window.ends = [];
  addEventListener("DOMContentLoaded", () => {
    const clock = document.querySelector("[data-clock]");
    new MutationObserver(() => ends.push({
      at: Date.now(), seen: document.visibilityState,
      end: Date.now() + 120_000 * clock.style.getPropertyValue("--left"),
    })).observe(clock, {attributes: true, attributeFilter: ["style"]});
  });
"""
"""Keeps, each time a screen draws the clock, the instant at which that will be nothing.

Two screens that agree on it show the same seconds at any time, whenever each of them draws.
"""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A server."""
    served = Served(tmp_path / "data")
    yield served
    served.stop()
    assert "Traceback" not in served.errors


@pytest.fixture
def client(served: Served) -> Iterator[Client]:
    """The tablet of another person, who stays awake."""
    token = served.director.partition("#")[2]
    with Client(base_url=served.url, headers={"authorization": f"Bearer {token}"}) as client:
        yield client


@pytest.fixture
def chromium(tmp_path: Path) -> Iterator[Chromium]:
    """The device that sleeps."""
    with started(tmp_path) as chromium:
        yield chromium


def post(client: Client, path: str, **body: object) -> Any:
    return client.post(path, json={"command_id": f"{time.monotonic_ns()}", **body}).raise_for_status().json()


def begun(client: Client) -> str:
    """A match whose first set is opened."""
    made = post(client, "/matches", head=HEAD)
    match = str(made["match"])
    post(client, f"/matches/{match}/log", expected_seq=made["seq"], lines=["lag A", "set 1 A"])
    return match


def board(client: Client, match: str) -> Any:
    return client.get(f"/matches/{match}/board").raise_for_status().json()


def played(client: Client, match: str, seconds: float) -> None:
    """The match goes on so long."""
    for number in range(1, STROKES + 1):
        time.sleep(seconds / STROKES)
        line = f"{number}. {'BA'[number % 2]} o /. =2"
        post(client, f"/matches/{match}/log", expected_seq=board(client, match)["seq"], lines=[line])


@pytest.mark.parametrize(
    ("sleep", "seconds"),
    [
        pytest.param(
            lambda chromium, _: chromium.stopped(), 300, id="b31 the browser is stopped for 5 minutes"
        ),
        pytest.param(
            lambda chromium, _: chromium.stopped("renderer"), 70, id="what draws is stopped for 70 s"
        ),
        pytest.param(lambda _, tab: tab.frozen(), 70, id="the page is frozen for 70 s"),
    ],
)
def test_a_screen_that_slept_asks_at_once_and_shows_the_newest_board(
    sleep: Callable[[Chromium, Tab], AbstractContextManager[None]],
    seconds: int, served: Served, client: Client, chromium: Chromium,
) -> None:  # fmt: skip
    """Its socket may still call itself open, and what it held back may come first: neither is believed."""
    match = begun(client)
    screens = [chromium.tab(served.url + path, HEART) for path in ("/tables/T1", f"/matches/{match}")]
    for screen in screens:
        screen.until("document.querySelector(\"[data-put='A.score']\")?.textContent === '0'")
        screen.until("sockets[0]?.boards.length === 1 && heart.beats > 5")
    with ExitStack() as stack:
        for screen in screens:
            stack.enter_context(sleep(chromium, screen))
        played(client, match, seconds)
        woken = 1000 * time.time()
    now = board(client, match)
    for screen in screens:
        anew = f"sockets.find(({{at, boards}}) => at >= {int(woken)} && boards.length)"
        asked = screen.until(anew)
        heart = screen.ask("heart")
        assert heart["gap"] >= 900 * seconds
        assert asked["beats"] - heart["woke"] <= AT_ONCE
        assert asked["boards"][0]["seq"] == now["seq"]
        for side, one in now["sides"].items():
            shown = f"document.querySelector(\"[data-put='{side}.score']\").textContent"
            screen.until(f"{shown} === '{one['score']}'")
        assert screen.until("document.querySelector('.link-lost').hidden")
        first = asked["boards"][0]["at"]
        print(f"slept {heart['gap'] / 1000:.1f} s; asked anew {asked['at'] - woken:.0f} ms and had")
        print(f"line {now['seq']} {first - woken:.0f} ms after it was woken")


def test_b25_a_display_in_a_hidden_tab_for_a_minute_tells_the_same_time_when_it_is_back(
    served: Served, client: Client, chromium: Chromium
) -> None:
    """The clock was started, stopped and started again while nobody looked."""
    match = begun(client)
    hidden = chromium.tab(f"{served.url}/tables/T1", ENDS)
    cover = chromium.tab("about:blank", apart=False)
    seen = chromium.tab(f"{served.url}/tables/T1", ENDS)
    for screen in (hidden, seen):
        screen.until("document.querySelector(\"[data-put='A.score']\")?.textContent === '0'")
    cover.front()
    hidden.until("document.visibilityState === 'hidden'")
    for action, pause in (("start", 10), ("stop", 5), ("start", 45)):
        post(client, f"/matches/{match}/clock", action=action)
        time.sleep(pause)
    assert seen.ask("ends.at(-1).seen") == "visible"
    assert hidden.ask("ends.every(({seen}) => seen === 'hidden')")
    back = int(1000 * time.time())
    hidden.front()
    # the least of a few: between drawing and noting it a busy machine may have done something else
    drawn = f"ends.filter(({{at}}) => at > {back}).map(({{end}}) => end)"
    few = f"(few => few.length >= 5 && Math.min(...few))({drawn})"
    one, other = hidden.until(few), seen.until(few)
    assert hidden.ask("ends.at(-1).seen") == "visible"
    print(f"the clocks differ by {one - other:.0f} ms")
    assert abs(one - other) <= 200
