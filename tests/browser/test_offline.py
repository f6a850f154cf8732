"""A desk without its server: cut off, killed, closed, unheard. Each tap is counted once."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from browser.conftest import NAME, SECURE_NAME, NewContext, Serve
from browser.desk import Desk, signed_in, until
from serving import Served

OPENED = ("lag A", "set 1 A")
CUT = "ERR_|WebSocket connection to|error occurred when fetching the script"

ON_THE_SHELF = """() => new Promise(done => {
  indexedDB.open("fivepins", 1).onsuccess = ({target: {result: database}}) => {
    const request = database.transaction("outbox").objectStore("outbox").count();
    request.onsuccess = () => { database.close(); done(request.result); };
  };
})"""
"""How many commands this device keeps, whatever becomes of the tab."""


def desk_of(served: Served, new_context: NewContext, name: str = "", **head: str) -> Desk:
    """A desk with the first set opened by A."""
    context = signed_in(new_context(touch=True, ignore_https_errors=True), served, name)
    return Desk(context.new_page(), served.url, *OPENED, name=name, **head).ready()


def test_b33_25_seconds_without_a_network_are_seen_and_cost_no_tap(
    desk_server: Served, new_context: NewContext, allowed: list[str]
) -> None:
    """The bar comes within 5 s; the score goes on to the end of the set; each tap arrives once, in order."""
    allowed.append(CUT)
    desk = desk_of(desk_server, new_context, Distance="16")
    desk.page.context.set_offline(True)
    desk.strokes("2")
    expect(desk.page.locator("#unsent")).to_contain_text("NOT SENT: 1", timeout=5000)
    desk.strokes("1", "R+4")
    desk.shows(16, 2).phase("distance")
    desk.page.wait_for_timeout(25_000)
    expect(desk.page.locator("#unsent")).to_contain_text("NOT SENT: 3")
    desk.page.context.set_offline(False)
    desk.saved()
    assert desk.plain()[2:] == ["1. A o /.. =4", "2. B o /. =2", "3. A o /....5 =12"]
    expect(desk.page.locator("#unsent")).to_be_hidden()
    desk.tap("good").phase("between")


def test_taps_outlive_a_server_that_is_killed_and_a_tab_that_is_closed(
    desk_server: Served, new_context: NewContext, allowed: list[str]
) -> None:
    allowed.append(CUT)
    desk = desk_of(desk_server, new_context)
    desk.strokes("2").saved()
    desk_server.kill()
    desk.strokes("1", "0")
    expect(desk.page.locator("#strokes .queued")).to_have_count(2)
    context = desk.page.context
    until(desk.page, lambda: desk.page.evaluate(ON_THE_SHELF) == 2)  # a moment after it is shown
    desk.page.close()
    desk_server.start()
    again = Desk(context.new_page(), desk_server.url, match=desk.match)
    again.ready().saved()
    assert again.plain()[2:] == ["1. A o /.. =4", "2. B o /. =2", "3. A o =0"]
    again.shows(4, 2).strokes("3").saved()
    assert again.plain()[-1] == "4. B o /... =6"


@pytest.mark.parametrize("lost", [1, 3])
def test_a_tap_whose_answer_is_lost_is_stored_once(
    lost: int, desk_server: Served, new_context: NewContext, allowed: list[str]
) -> None:
    allowed.append(CUT)
    desk = desk_of(desk_server, new_context)
    unheard: list[int] = []

    def swallow(route: Route) -> None:
        if route.request.method != "POST" or len(unheard) == lost:
            return route.continue_()
        unheard.append(route.fetch().status)
        return route.abort()

    desk.page.route("**/log?*", swallow)
    desk.strokes("2", "1").saved()
    until(desk.page, lambda: len(unheard) == lost)
    assert set(unheard) == {200}
    assert desk.saved().plain()[2:] == ["1. A o /.. =4", "2. B o /. =2"]


@pytest.mark.parametrize("secure", [False, True], ids=["plain", "tls"])
def test_under_the_name_of_a_hall_the_desk_works_with_and_without_tls(
    secure: bool, serve: Serve, new_context: NewContext, allowed: list[str]
) -> None:
    """Plain HTTP is no secure context: no locks, no wake lock, no `randomUUID`; the page says so."""
    allowed.append(CUT)
    allowed.append("Cross-Origin-Opener-Policy header has been ignored")
    served = serve("--lan") if secure else serve("--lan", "--plain")
    desk = desk_of(served, new_context, served.named(SECURE_NAME if secure else NAME))
    page: Page = desk.page
    assert page.evaluate("[isSecureContext, 'locks' in navigator, 'randomUUID' in crypto]") == [secure] * 3
    if not secure:
        expect(page.locator("#sleep")).to_be_visible()
    page.context.set_offline(True)
    desk.strokes("2", "1")
    expect(page.locator("#strokes .queued")).to_have_count(2)
    page.context.set_offline(False)
    assert desk.saved().plain()[2:] == ["1. A o /.. =4", "2. B o /. =2"]
