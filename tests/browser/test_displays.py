"""The displays of a hall follow what is written: moves, corrections, a server that dies and comes back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, WebSocket, expect

from browser.conftest import NewContext, NewPage, Serve, served
from browser.desk import new_match, signed_in, until, written
from fivepins.store import Store
from serving import Served

CROWDED: Final = (Path(__file__).parent / "crowded.js").read_text("utf-8")
LOST: Final = "ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|WebSocket connection to"


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for the matches of this file, whose tables are all that a hall display may show."""
    yield from served(tmp_path_factory.mktemp("hall"))


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
        ends = {"Marco Rossi": a, "Luca Bianchi": b}
        higher_first = sorted(ends, key=lambda name: -ends[name])
        expect(page.locator(".end-label")).to_have_text([f"{ends[name]}{name}" for name in higher_first])

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


SCREENS: Final = ((390, 844), (800, 1280), (1280, 800), (1920, 1080))
DIGITS: Final = """() => {
  const score = getComputedStyle(document.querySelector(".b-score"));
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${score.fontWeight} ${score.fontSize} ${score.fontFamily}`;
  return pen.measureText("0").actualBoundingBoxAscent;
}"""
OUTSIDE: Final = """all => all.filter(one => {
  const range = document.createRange();
  range.selectNodeContents(one);
  const [text, side] = [range.getBoundingClientRect(), one.closest(".b-side").getBoundingClientRect()];
  return text.left < side.left || text.right > side.right;
}).map(one => one.textContent)"""


def _tables(office: BrowserContext, hall: Served, count: int) -> list[str]:
    """Set up the hall with so many tables."""
    tables = [f"D{number}" for number in range(1, count + 1)]
    wanted = {"hall": "Club", "zone": "UTC", "tables": tables, "language": "en", "last": {}}
    assert office.request.post(f"{hall.url}/settings", data=wanted, headers={"Origin": hall.url}).ok
    return tables


def test_b52_the_tables_of_a_hall_stand_in_the_order_of_their_numbers(
    serve: Serve, new_context: NewContext, new_page: NewPage
) -> None:
    served = serve()
    office = signed_in(new_context(), served)
    for table in ("T10", "T9", "T12", "T1"):
        new_match(office, served.url, Table=table)
    page = new_page(f"{served.url}/hall")
    names = [f"T{number}" for number in (1, 2, 3, 4, 9, 10, 12)]
    shown = page.locator(".one :is(.free:visible span, .board:visible [data-put='table'])")
    expect(shown).to_have_text(names)


LEAST: Final = {1: 1 / 6, 2: 1 / 6, 3: 1 / 6, 4: 1 / 6, 5: 0.115, 8: 0.115, 12: 0.088}
"""By the number of tables: how high a digit is at least, as a part of the height of a screen that lies. With
the widest digits that a font may have, the best grid comes to no more."""


def test_the_digits_of_a_hall_are_as_large_as_its_tables_allow(serve: Serve, new_context: NewContext) -> None:
    """They never leave their side either."""
    served = serve()
    office = signed_in(new_context(), served)
    page = office.new_page()
    for count, least in LEAST.items():
        for table in _tables(office, served, count)[-4:]:
            new_match(office, served.url, "lag A", "set 1 A", "1. A o /....5 =12", Table=table)
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            page.goto(f"{served.url}/hall")
            expect(page.locator(".one")).to_have_count(count)
            expect(page.locator(".b-score:visible").last).not_to_be_empty()
            if width > height:
                assert page.evaluate(DIGITS) >= least * height, count
            assert page.locator(".b-score:visible").evaluate_all(OUTSIDE) == [], count
            assert page.evaluate(CROWDED) == [], count


@pytest.mark.parametrize("size", SCREENS)
def test_what_a_side_is_to_do_touches_nothing_on_a_display(
    size: tuple[int, int], office: BrowserContext, new_page: NewPage, hall: Served
) -> None:
    """And neither does a score of three digits."""
    _tables(office, hall, 4)
    new_match(office, hall.url, "lag A", "set 1 A", Table="D3", Distance="120", Start="108-110")
    new_match(office, hall.url, "lag A", "set 1 A", "1. A - =-2", Table="D4")
    for path in ("/tables/D4", "/hall"):
        page = new_page(hall.url + path, size=size)
        board = page.locator(".board", has=page.locator("[data-put='table']", has_text="D4"))
        expect(board.locator("[data-put='B.needs']")).to_have_text("needs 28")
        above = board.locator("[data-put='B.turn']").bounding_box()
        below = board.locator("[data-put='B.needs']").bounding_box()
        assert above is not None
        assert below is not None
        assert above["y"] + above["height"] + 2 <= below["y"], path
        assert page.evaluate(CROWDED) == [], path
    page = new_page(f"{hall.url}/tables/D3", size=size)
    shows(page, 108, 110)
    assert page.evaluate(CROWDED) == []
    assert page.locator(".b-score").evaluate_all(OUTSIDE) == []


@pytest.mark.parametrize("path", ["/tables/E1", "/hall", "/overlay/E1", "/", "match"])
def test_a_page_keeps_one_socket_and_no_more(
    path: str, office: BrowserContext, new_page: NewPage, hall: Served
) -> None:
    match = new_match(office, hall.url, "lag A", "set 1 A", Table="E1")
    sockets: list[str] = []
    page = new_page()
    page.on("websocket", lambda socket: sockets.append(socket.url))
    page.goto(hall.url + (path if path != "match" else f"/matches/{match}"))
    written(office, hall.url, match, "1. A o /....5 =12")
    place = page.locator(f"[data-match='{match}'], .board:has([data-put='table']:text-is('E1'))")
    expect(place.locator("[data-put='A.score']").first).to_have_text("12")
    assert len(sockets) == 1, sockets


def test_what_happened_beside_the_strokes_is_told_in_words_and_with_names(
    office: BrowserContext, new_page: NewPage, hall: Served
) -> None:
    """A walk-over is called one, wherever the match is shown."""
    match = new_match(
        office, hall.url, "lag A", "set 1 A", "1. A o /. =2", "2. B o =0", 'fix 1 o /.. =4 "seen later"',
        'protest A "the clock"', 'end B walkover "did not come" at=10:52:00', Table="E2",
    )  # fmt: skip
    page = new_page(f"{hall.url}/matches/{match}")
    expect(page.locator(".remarks li")).to_have_text([
        "Set 1 · correction of turn 1: seen later",
        "Set 1 · protest of Marco Rossi: the clock",
        "Set 1 · 10:52:00 · match ended early, won by Luca Bianchi, walk-over: did not come",
    ])  # fmt: skip
    expect(page.locator(".b-last")).to_have_text("walk-over: did not come")
    expect(new_page(f"{hall.url}/tables/E2").locator(".b-last")).to_have_text("walk-over: did not come")
    desk = office.new_page()
    desk.goto(f"{hall.url}/matches/{match}/desk")
    expect(desk.locator(".panel[data-phase='over']")).to_contain_text(
        "Luca Bianchi has won: walk-over: did not come"
    )


def test_a_set_that_was_awarded_is_not_told_as_won(
    office: BrowserContext, new_page: NewPage, hall: Served
) -> None:
    match = new_match(office, hall.url, "lag A", "set 1 A", "1. A o /. =2", 'award B "left the table"')
    page = new_page(f"{hall.url}/matches/{match}")
    expect(page.locator(".set-title")).to_contain_text("awarded to Luca Bianchi")
    expect(page.locator(".remarks li")).to_have_text(["Set 1 · set awarded to Luca Bianchi: left the table"])


@pytest.mark.parametrize("skin", ["dark", "light", "minimal", "broadcast"])
def test_an_overlay_has_room_for_its_names_and_figures(
    skin: str, office: BrowserContext, new_context: NewContext, hall: Served
) -> None:
    """In every size of a picture, in the language of the longest words, with the ball in hand."""
    new_match(office, hall.url, "lag A", "set 1 A", "1. A - =-2", B="Elena Marrone", Table="E3", Event="Open")
    for size in SCREENS:
        page = new_context(size=size, locale="de").new_page()
        page.goto(f"{hall.url}/overlay/E3?skin={skin}")
        shows(page, 0, 2)
        assert page.evaluate(CROWDED) == [], size


def test_an_overlay_that_was_seen_once_opens_before_its_server(
    desk_server: Served, new_context: NewContext, allowed: list[str]
) -> None:
    """A stream is started before the hall: the picture stays clear, and the match comes with the server."""
    allowed.append("ERR_|WebSocket connection to")
    context = signed_in(new_context(), desk_server)
    new_match(context, desk_server.url, "lag A", "set 1 A", "1. A o /. =2", Table="T5")
    address = f"{desk_server.url}/overlay/T5?skin=broadcast&delay=0"
    page = context.new_page()
    page.goto(address)
    shows(page, 2, 0)
    kept = "() => caches.match(location.href).then(Boolean)"
    until(page, lambda: bool(page.evaluate(kept)), "the page is kept")
    page.close()
    desk_server.kill()
    page = context.new_page()
    page.goto(address)
    expect(page.locator(".board")).to_have_attribute("data-link", "stale")
    for place in ("html", "body"):
        expect(page.locator(place)).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    expect(page.locator(".b-score").first).to_be_hidden()
    desk_server.start()
    shows(page, 2, 0)
