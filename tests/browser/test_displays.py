"""The displays of a hall follow what is written: moves, corrections, a server that dies and comes back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from typing import Final

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, WebSocket, expect

from browser.conftest import NewContext, NewPage
from browser.desk import new_match, signed_in, until, written
from fivepins.store import Store
from serving import Served

LOST: Final = "ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|WebSocket connection to"


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for the matches of this file."""
    served = Served(tmp_path_factory.mktemp("hall") / "data")
    yield served
    served.stop()
    assert "Traceback" not in served.errors


@pytest.fixture
def office(new_context: NewContext, hall: Served) -> BrowserContext:
    """The director's device, without a page: it only writes."""
    return signed_in(new_context(), hall)


def shows(root: Page | Locator, a: int, b: int) -> None:
    """Wait for a score."""
    expect(root.locator("[data-put='A.score']")).to_have_text(str(a))
    expect(root.locator("[data-put='B.score']")).to_have_text(str(b))


def test_a_table_display_follows_the_next_match_and_a_match_that_moves(
    office: BrowserContext, new_page: NewPage, hall: Served
) -> None:
    first, second = new_page(f"{hall.url}/tables/T1"), new_page(f"{hall.url}/tables/T2")
    expect(first.locator(".free")).to_be_visible()
    early = new_match(office, hall.url, "lag A", "set 1 A", "1. A o /. =2")
    shows(first, 2, 0)
    written(office, hall.url, early, 'end B left "ill"')
    expect(first.locator("[data-put='B.turn']")).to_have_text("winner")
    late = new_match(office, hall.url, "lag B", "set 1 B", "1. B o =0", A="Ada <i>Neri</i>")
    name = first.locator("[data-put='A.name']")
    expect(name).to_have_text("Ada <i>Neri</i>")
    written(office, hall.url, late, "Table: T2")
    expect(second.locator("[data-put='A.name']")).to_have_text("Ada <i>Neri</i>")
    expect(name).not_to_have_text("Ada <i>Neri</i>")
    written(office, hall.url, late, "2. A o /.. =4")
    shows(second, 4, 0)
    expect(name).not_to_have_text("Ada <i>Neri</i>")


def test_a_dead_server_is_seen_on_every_screen_and_its_return_too(
    office: BrowserContext, new_page: NewPage, hall: Served, allowed: list[str]
) -> None:
    """What stands there is marked as old and stays; what happened meanwhile, a table made free, is shown."""
    allowed.append(LOST)
    match = new_match(office, hall.url, "lag A", "set 1 A", "1. A o /. =2", Table="T3")
    table, tables, watched = (
        new_page(hall.url + path) for path in ("/tables/T3", "/hall", f"/matches/{match}")
    )
    place = tables.locator(".one", has=tables.locator("[data-put='table']", has_text="T3"))
    screens: list[Page | Locator] = [table, place, watched]
    for screen in screens:
        shows(screen, 2, 0)
    hall.kill()
    for page in (table, tables, watched):
        expect(page.locator(".link-lost")).to_be_visible()
    for screen in screens:
        shows(screen, 2, 0)
    _written_elsewhere(hall, match, "2. B o /.. =4", "Table: T4")
    hall.start()
    for page in (table, tables, watched):
        expect(page.locator(".link-lost")).to_be_hidden(timeout=20_000)
    shows(watched, 2, 4)
    expect(table.locator(".free")).to_be_visible()
    expect(tables.locator(".free:visible", has_text="T3")).to_be_visible()
    shows(tables.locator(".one", has=tables.locator("[data-put='table']", has_text="T4")), 2, 4)


def _written_elsewhere(hall: Served, match: str, *lines: str) -> None:
    """Lines that another process stores while the server is dead."""
    with closing(Store.open(f"sqlite:///{hall.folder / 'hall.db'}", create=False)) as store:
        seq = store.lines(match)[-1].seq
        store.append(match, lines, expected_seq=seq, command_id="elsewhere", at=datetime.now(UTC))


def test_a_spectator_sees_strokes_corrections_and_a_set_that_is_no_more(
    office: BrowserContext, new_page: NewPage, hall: Served
) -> None:
    """Scores of three digits too; the chart ends where the score stands."""
    head = {"Distance": "120", "Start": "96-98", "Table": "T7"}
    match = new_match(office, hall.url, "lag A", "set 1 A", **head)
    page = new_page(f"{hall.url}/matches/{match}", size=(390, 844))
    expect(page.locator(".no-strokes")).to_have_text("No strokes yet")

    def runs(a: int, b: int) -> None:
        shows(page, a, b)
        expect(page.locator(".end-label")).to_have_text([f"A {a}", f"B {b}"])

    written(office, hall.url, match, "1. A o /. =2", "2. B o r /5 =12", "3. A o /....5 =12")
    runs(110, 110)
    first = page.locator(".strokes tbody tr").last
    expect(first).to_contain_text("98–98")
    written(office, hall.url, match, 'fix 1 o c/. =-2 "seen later"')
    expect(first).to_contain_text("96–100")
    expect(first.locator(".foul")).to_be_visible()
    runs(108, 112)
    written(office, hall.url, match, "4. B o /...5 =10", "good B 108-120", "set 2 B", "1. B o /. =2")
    tabs = page.get_by_role("tab")
    expect(tabs).to_have_text(["Set 1 · 108–120", "Set 2 · 96–100"])
    runs(96, 100)
    tabs.first.click()
    expect(page.locator(".strokes tbody tr")).to_have_count(4)
    tabs.last.click()
    written(office, hall.url, match, *['undo "wrong"'] * 4)
    expect(page.locator(".set-tabs")).to_be_hidden()
    runs(108, 112)
    expect(page.locator(".strokes tbody tr")).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_an_overlay_is_as_late_as_its_picture(
    office: BrowserContext, new_page: NewPage, hall: Served
) -> None:
    match = new_match(office, hall.url, "lag A", "set 1 A", Table="T8")
    page = new_page()
    heard: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: heard.append(str(frame)))

    page.on("websocket", listen)
    page.clock.install(time="2026-01-01T10:00:00Z")
    page.goto(f"{hall.url}/overlay/T8?delay=2&skin=light")
    shows(page, 0, 0)
    page.clock.pause_at("2026-01-01T10:00:10Z")
    written(office, hall.url, match, "1. A o /....5 =12")
    until(page, lambda: any('"score":12' in one.replace(" ", "") for one in heard))
    page.clock.run_for(1_900)
    shows(page, 0, 0)
    page.clock.run_for(200)
    shows(page, 12, 0)
