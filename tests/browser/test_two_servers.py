"""Two servers on one PostgreSQL: the desk at one of them, the screens and the second tablet at the other."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import expect

from browser.conftest import NewContext, NewPage
from browser.desk import Desk, log, signed_in, until
from conftest import SITES
from serving import Served, Site

OPENED: Final = ("lag A", "set 1 A")

pytestmark = pytest.mark.parametrize("site", SITES[1:], indirect=True)


def tablet(new_context: NewContext, server: Served, *lines: str, match: str = "") -> Desk:
    """A desk at one of the servers."""
    page = signed_in(new_context(touch=True), server).new_page()
    return Desk(page, server.url, *lines, match=match)


def stands(desk: Desk, *lines: str) -> None:
    """Wait until these strokes, and no others, are in the log of a desk's own server."""
    until(desk.page, lambda: desk.plain()[len(OPENED) :] == list(lines), str(lines))


def test_b17_a_tablet_at_the_other_server_reads_until_it_takes_over_and_the_first_sees_it(
    site: Site, new_context: NewContext, new_page: NewPage
) -> None:
    one, two = site.servers
    first = tablet(new_context, one, *OPENED).ready()
    display = new_page(f"{two.url}/matches/{first.match}")
    first.strokes("2")
    expect(display.locator("[data-put='A.score']").first).to_have_text("4")
    second = tablet(new_context, two, match=first.match)
    expect(second.page.locator("#reader")).to_contain_text("Also open on")
    expect(second.page.locator("#pad")).to_be_hidden()
    second.tap("take").ready()
    expect(first.page.locator("#reader")).to_contain_text("Here it can only be read")
    expect(first.page.locator("#pad")).to_be_hidden()
    assert any("takes over" in line for line in log(first.page.context, one.url, first.match))
    second.strokes("1")
    first.shows(4, 2)
    for desk in (first, second):
        stands(desk, "1. A o /.. =4", "2. B o /. =2")


def test_b18_of_two_tablets_at_two_servers_that_write_at_once_one_is_told_and_nothing_is_lost_or_doubled(
    site: Site, new_context: NewContext, allowed: list[str]
) -> None:
    allowed.extend(["409", "ERR_FAILED"])
    one, two = site.servers
    first = tablet(new_context, one, *OPENED).ready()
    second = tablet(new_context, two, match=first.match)
    first.page.route("**/log?*", lambda route: route.abort())
    first.tap("2")
    expect(first.page.locator("#strokes .queued")).to_have_count(1)
    second.tap("take").strokes("1")
    stands(second, "1. A o /. =2")
    first.page.unroute_all()
    expect(first.page.locator("#stopped")).to_contain_text("NOT SENT: 1")
    first.tap("stopped")
    expect(first.page.get_by_role("dialog")).to_contain_text("1. A o /.. =4")
    stands(first, "1. A o /. =2")


def test_a_clock_that_one_server_starts_runs_on_the_screens_of_the_other_until_the_stroke(
    site: Site, new_context: NewContext, new_page: NewPage
) -> None:
    """B23"""
    one, two = site.servers
    desk = tablet(new_context, one, *OPENED).ready()
    timekeeper = signed_in(new_context(touch=True), two).new_page()
    timekeeper.goto(f"{two.url}/matches/{desk.match}/desk?role=timekeeper")
    expect(timekeeper.locator(".t-link")).to_have_attribute("data-link", "live")

    def running(server: Served) -> bool:
        address = f"{server.url}/matches/{desk.match}/board"
        return bool(desk.page.context.request.get(address).json()["clock"]["running"])

    timekeeper.locator("[data-do='clock']:visible").tap()
    until(desk.page, lambda: running(one) and running(two))
    display = new_page(f"{two.url}/tables/T1")
    expect(display.locator("[data-put='A.score']")).to_have_text("0")
    desk.strokes("2")
    expect(display.locator("[data-put='A.score']")).to_have_text("4")
    assert not running(one)
    assert not running(two)
