"""A desk without a network goes on over the end of a set; its log is that of a match typed with one."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import BrowserContext, expect

import fivepins
from browser.conftest import NewContext
from browser.desk import Desk, new_match, signed_in, until, written
from serving import Served

OFFLINE: Final = "ERR_INTERNET_DISCONNECTED|ERR_FAILED|when fetching the script"
KEPT: Final = """async () => {
  const loaded = performance.getEntriesByType("resource").map(({name}) => name);
  const parts = loaded.filter(name => /\\/(static|keys)\\//.test(name));
  const kept = await Promise.all([location.href, ...parts].map(name => caches.match(name)));
  return parts.length > 20 && kept.every(Boolean) && navigator.serviceWorker.controller !== null;
}"""
"""Whether the worker has all this page is made of."""
KEPT_PATHS: Final = """async () => {
  const caches_ = await Promise.all((await caches.keys()).map(name => caches.open(name)));
  const kept = (await Promise.all(caches_.map(one => one.keys()))).flat();
  return kept.map(({url}) => new URL(url).pathname);
}"""
LINKED: Final = "all => all.map(one => new URL(one.href || one.src).pathname)"
STATIC: Final = Path(fivepins.__file__).parent / "desk" / "static"
Device = Callable[[], BrowserContext]


@pytest.fixture
def device(new_context: NewContext, hall: Served, allowed: list[str]) -> Device:
    """Tablets of the director."""
    allowed.append(OFFLINE)
    return lambda: signed_in(new_context(touch=True), hall)


HEAD: Final[dict[str, Any]] = {"Rules": "FIBiS-2022", "Start": "2-0", "Distance": "14"}
BEGUN: Final = (
    "lag B", "set 1 A", "1. A o =0", "2. B o =0", "3. A o /....5 =12", "good A 14-0",
    "set 2 B", "1. B o =0", "2. A o =0",
)  # fmt: skip
"""A best of three with a handicap, so that scores do not start alike, and a break after its second set."""


def _over_the_end_of_a_set(one: Desk, other: Desk) -> None:
    """The end of the second set, the break and the first strokes of the third, each step looked at."""

    def both(step: Callable[[Desk], object]) -> None:
        step(one)
        step(other)

    both(lambda desk: desk.shows(2, 0).strokes("R+3").shows(2, 10))
    both(lambda desk: desk.strokes("1").shows(4, 10))
    both(lambda desk: desk.strokes("2").shows(4, 14).phase("distance"))
    both(lambda desk: desk.tap("undo").shows(4, 10).phase("play"))
    both(lambda desk: desk.strokes("R").shows(4, 14).phase("distance"))
    both(lambda desk: desk.tap("good").phase("between"))
    both(lambda desk: desk.tap("undo").phase("distance").tap("good").phase("between"))
    both(lambda desk: expect(desk.page.locator("[data-put='sets']")).to_have_text("1 : 1"))
    both(lambda desk: desk.tap("pause"))
    both(lambda desk: expect(desk.page.locator(".panel .break-timer")).to_contain_text(re.compile(r"[54]:")))
    both(lambda desk: expect(desk.page.locator("[data-do='open B']:visible")).to_have_count(0))
    both(lambda desk: desk.tap("open A").phase("play").shows(2, 0))
    both(lambda desk: expect(desk.page.locator("[data-put='A.turn']")).to_have_text("to play"))
    both(lambda desk: expect(desk.page.locator("#clock [data-seconds]")).to_have_text("40"))
    both(lambda desk: desk.strokes("0").tap("extra"))
    both(lambda desk: expect(desk.page.locator("#extra")).to_contain_text("Rossi 1 · Bianchi 0"))
    both(lambda desk: expect(desk.page.locator("#clock [data-seconds]")).to_have_text("1:40"))
    both(lambda desk: desk.ready().tap("missed", "0").shows(4, 0))
    both(lambda desk: expect(desk.page.locator("[data-put='A.hand']")).to_have_text("ball in hand"))
    both(lambda desk: desk.strokes("R").shows(14, 0).phase("distance"))


def test_a_set_ends_and_the_next_begins_without_a_network_as_with_one(device: Device, hall: Served) -> None:
    online = _begun(device(), hall)
    context = device()
    desk = _begun(context, hall)
    context.set_offline(True)
    _over_the_end_of_a_set(online, desk)
    expect(desk.page.locator("#unsent")).to_contain_text("NOT SENT: 14")
    assert len(online.saved().plain()) == len(BEGUN) + 14
    context.set_offline(False)
    assert desk.saved().shows(14, 0).plain() == online.plain()


def test_a_saved_line_is_taken_back_without_a_network(device: Device, hall: Served) -> None:
    """The board from before it is shown, the row is gone, the undo listed as not sent; the match goes on."""
    context = device()
    desk = _begun(context, hall).strokes("R+2", "1").shows(4, 8).saved()
    context.set_offline(True)
    desk.tap("undo").shows(2, 8).tap("undo").shows(2, 0)
    expect(desk.page.locator("#strokes .queued")).to_have_text(["not sent Undo"] * 2)
    expect(desk.page.locator("#strokes li:not(.queued)")).to_have_count(2)
    desk.strokes("4").shows(2, 8)
    context.set_offline(False)
    undo = 'undo "undo"'
    assert desk.saved().plain()[-5:] == ["3. B o /..5 =8", "4. A o /. =2", undo, undo, "3. B o /.... =8"]


def test_an_undo_behind_what_this_device_has_seen_is_queued_in_order(device: Device, hall: Served) -> None:
    """What only the server can tell is said to wait for it; further undos and notes are taken."""
    context = device()
    desk = _begun(context, hall)
    context.set_offline(True)
    desk.tap("undo")
    expect(desk.page.locator("[data-phase='waiting']")).to_be_visible()
    desk.tap("undo")
    desk.keypad("n")
    desk.page.keyboard.type("lamp")
    desk.page.keyboard.press("Enter")
    expect(desk.page.locator("#strokes .queued")).to_have_count(3)
    context.set_offline(False)
    assert desk.saved().ready().plain()[-3:] == ['undo "undo"', 'undo "undo"', 'note "lamp"']
    desk.strokes("0").saved()
    assert desk.plain()[-1] == "1. B o =0"


def test_a_desk_opened_again_without_a_network_goes_on_where_it_was(device: Device, hall: Served) -> None:
    """The page comes out of the cache, older than the match: what was seen since then is kept beside it."""
    context = device()
    desk = _begun(context, hall)
    until(desk.page, lambda: bool(desk.page.evaluate(KEPT)))
    desk.strokes("R+2", "1").shows(4, 8).saved()
    context.set_offline(True)
    desk.page.reload()
    desk.shows(4, 8).strokes("2").shows(4, 12).tap("undo").shows(4, 8).tap("undo").shows(2, 8)
    desk.strokes("0")
    context.set_offline(False)
    undo = 'undo "undo"'
    assert desk.saved().plain()[-4:] == ["5. B o /.. =4", undo, undo, "4. A o =0"]


def test_b35_every_part_of_a_desk_is_there_without_a_network(device: Device, hall: Served) -> None:
    """What its scripts import now or later, its styles, its rulings; sounds are made, not loaded."""
    context = device()
    desk = _begun(context, hall)
    until(desk.page, lambda: bool(desk.page.evaluate(KEPT)))
    linked = desk.page.eval_on_selector_all("link[rel=stylesheet], script[src]", LINKED)
    kept = desk.page.evaluate(KEPT_PATHS)
    assert [one for one in (*linked, *_imported(linked)) if one not in kept] == []
    failed: list[str] = []
    desk.page.on("requestfailed", lambda request: failed.append(request.url))
    context.set_offline(True)
    desk.page.reload()
    desk.ready().tap("menu").keypad("Escape").alone().strokes("R+2").shows(2, 8)
    assert [one for one in failed if re.search("/static/|/keys/", one)] == []
    loaded = desk.page.evaluate(
        "performance.getEntriesByType('resource').map(({name}) => new URL(name).pathname)"
    )
    assert {*linked, *_imported(linked)} <= {*loaded}


def _imported(linked: list[str]) -> set[str]:
    """The scripts that scripts import, by their addresses."""
    found: set[str] = set()
    queue = [one for one in linked if one.endswith(".js")]
    while queue:
        one = queue.pop()
        text = (STATIC / one.split("/", 3)[3]).read_text("utf-8")
        for other in re.findall(r'(?:from |await import\()"(\.[^"]+)"', text):
            address = posixpath.normpath(posixpath.join(posixpath.dirname(one), other))
            queue += {address} - found
            found.add(address)
    return found


def test_the_break_goes_on_over_a_reload(device: Device, hall: Served) -> None:
    desk = _begun(device(), hall)
    ago = _in_the_hall(desk, datetime.now(UTC) - timedelta(seconds=100))
    lines = ("3. B o /....5 =12", "4. A o =0", "5. B o /. =2", "good B 2-14", f"pause 5:00 at={ago}")
    written(desk.page.context, hall.url, desk.match, *lines)
    desk.phase("between")
    timer = desk.page.locator(".panel .break-timer")
    expect(timer).to_contain_text(re.compile(r"^3:[12]\d$"))
    desk.page.reload()
    expect(timer).to_contain_text(re.compile(r"^3:[012]\d$"))
    desk.live().tap("open A").phase("play")
    expect(timer).to_be_hidden()


def test_a_closed_match_is_opened_again_from_a_page_that_does_not_keep_it(
    device: Device, hall: Served
) -> None:
    match = new_match(device(), hall.url, "lag A", "set 1 A", 'end B left "ill"', "Status: closed")
    desk = Desk(device().new_page(), hall.url, match=match)
    desk.tap("reopen")
    desk.page.fill("dialog input", "wrong result")
    desk.page.tap("dialog .go")
    expect(desk.page.locator("[data-do='close']")).to_be_visible()
    assert any("wrong result" in line for line in desk.log())


def _begun(context: BrowserContext, hall: Served) -> Desk:
    """A match under way on a tablet that is its desk: before that, none may write without a network."""
    return Desk(context.new_page(), hall.url, *BEGUN, **HEAD).ready()


def _in_the_hall(desk: Desk, at: datetime) -> str:
    """A time of day as the hall's clock shows it."""
    boot = desk.page.evaluate("() => JSON.parse(document.querySelector('#boot').textContent)")
    return at.astimezone(ZoneInfo(boot["zone"])).strftime("%H:%M:%S")
