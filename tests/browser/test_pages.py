"""All pages: strange names, German on a phone, weight, contrast, and screens with their own match alone."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import NewContext, NewPage
from browser.desk import Desk, asked, new_match, signed_in, until, written
from fivepins.language import LANGUAGES
from serving import Served

OPENED = ("lag A", "set 1 A")
NAMES = ["O'Brien", "Peña & Söhne", "<b>x</b>", "#set text", "W" * 200, "أحمد بن ماجد"]
OVERFLOW = """() => [document.documentElement, document.body].some(one => one.scrollWidth > innerWidth + 1)
  ? [...document.querySelectorAll("body *")].filter(one => one.getBoundingClientRect().right > innerWidth + 1)
    .slice(-3).map(one => one.outerHTML.slice(0, 90)) : []"""
PAGES = [
    "/", "/matches/new", "/matches/demo1", "/matches/demo2", "/matches/demo1/desk", "/matches/demo2/desk",
    "/matches/demo3/desk", "/hall", "/tables/T1", "/tables/T9", "/matches/demo1/paper", "/rights",
    "/settings", "/help", "/enter", "/equipment", "/api",
]  # fmt: skip
THIN, CROWDED = ((Path(__file__).parent / f"{name}.js").read_text("utf-8") for name in ("thin", "crowded"))
SMALL = """() => [...document.querySelectorAll("button, a[href], input, select, summary")]
  .filter(one => one.checkVisibility() && !one.closest(".skip"))
  .map(one => [one, (one.matches("[type=radio], [type=checkbox]") && one.closest("label")) || one])
  .map(([one, target]) => [one.outerHTML.slice(0, 90), target.getBoundingClientRect()])
  .filter(([, {width, height}]) => Math.min(width, height) < 44).map(([text]) => text)"""


BROKEN = """() => [...document.querySelectorAll(".strokes .n")].filter(one => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return new Set([...range.getClientRects()].map(({top}) => top)).size > 1;
}).map(one => one.textContent)"""
"""Figures in the list of strokes whose digits stand below each other."""


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_text_can_be_read_every_control_has_a_name_and_room_for_a_finger(
    theme: str, demo_server: Served, new_context: NewContext
) -> None:
    context = signed_in(new_context(theme=theme), demo_server)
    context.add_cookies([{"name": "theme", "value": theme, "url": demo_server.url}])
    page = context.new_page()
    found: dict[str, Any] = {}
    for path in PAGES:
        page.goto(demo_server.url + path)
        if path.endswith("/desk"):
            expect(page.locator(".t-devices")).to_have_text(re.compile(r" [1-9]\d*$"))
        thin = page.evaluate(THIN)
        nameless = page.eval_on_selector_all(
            "button, a[href], input:not([type=hidden]), select, summary",
            """all => all.filter(one => one.checkVisibility()).filter(one => !(one.getAttribute("aria-label")
              || one.textContent.trim() || one.title || one.labels?.length))
              .map(one => one.outerHTML.slice(0, 90))""",
        )
        small = page.evaluate(SMALL)
        if thin or nameless or small:
            found[path] = [thin, nameless, small]
    assert found == {}


def test_the_focus_can_be_seen(demo_server: Served, new_context: NewContext) -> None:
    page = signed_in(new_context(), demo_server).new_page()
    for path in ("/", "/matches/new", "/matches/demo1/desk"):
        page.goto(demo_server.url + path)
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        seen = page.evaluate(
            """() => { const style = getComputedStyle(document.activeElement);
              return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2; }"""
        )
        assert seen, path


def test_german_on_a_phone_overflows_nowhere(demo_server: Served, new_context: NewContext) -> None:
    context = signed_in(new_context(size=(390, 844), locale="de", touch=True), demo_server)
    page = context.new_page()
    found = {}
    for path in PAGES:
        page.goto(demo_server.url + path)
        if wide := page.evaluate(OVERFLOW):
            found[path] = wide
    phases = {
        "lag": (), "chosen": ("lag A",), "play": (*OPENED, "1. A - =-2"),
        "distance": (*OPENED, "1. A o /....5 =12"), "between": (*OPENED, "1. A o /....5 =12", "good A 12-0"),
        "suspended": (*OPENED, 'suspend "rain"'), "over": ('end A walkover "late"',),
    }  # fmt: skip
    for phase, lines in phases.items():
        match = new_match(context, demo_server.url, *lines, Distance="12", Language="de")
        page.goto(f"{demo_server.url}/matches/{match}/desk")
        expect(page.locator(".t-link")).to_have_attribute("data-link", "live")
        if wide := page.evaluate(OVERFLOW):
            found[phase] = wide
    assert found == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_cut_and_none_lies_over_another_on_a_phone(
    language: str, demo_server: Served, new_context: NewContext
) -> None:
    """Signed in, which gives the pages most links. What the desk shows when is looked at with the desk."""
    context = signed_in(new_context(size=(390, 844), locale=language, touch=True), demo_server)
    page = context.new_page()
    found = {}
    for path in (*(one for one in PAGES if not one.endswith("/desk")), "/overlay/T1", "/enter?why=right"):
        page.goto(demo_server.url + path)
        if path in {"/hall", "/tables/T1", "/overlay/T1"}:
            expect(page.locator("[data-put='A.score']").first).not_to_be_empty()
        if crowded := page.evaluate(CROWDED) + page.evaluate(BROKEN):
            found[path] = crowded
    assert found == {}


def test_whoever_may_not_open_a_page_is_told_why(
    demo_server: Served, new_context: NewContext, new_page: NewPage
) -> None:
    for path in ("/settings", "/matches/new", "/matches/demo1/desk", "/matches/demo1/office"):
        page = new_page(demo_server.url + path)
        expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
        expect(page.locator("main .wrong")).to_contain_text("sign in first")
    device = signed_in(new_context(), demo_server)
    right = {"role": "referee", "scope": "table:T9", "label": "A. Neri", "pin": "", "days": 1}
    link = asked(device, f"{demo_server.url}/grants", right)["link"]
    referee = new_page(link)
    referee.wait_for_url(lambda url: "/enter" not in url)
    referee.goto(f"{demo_server.url}/settings")
    expect(referee.locator("main .wrong")).to_have_text("Your right does not reach that page.")
    referee.goto(f"{demo_server.url}/enter")
    expect(referee.locator("main .wrong")).to_have_count(0)


@pytest.mark.parametrize("name", NAMES)
def test_b71_a_strange_name_is_shown_as_it_is_and_breaks_nothing(
    name: str, demo_server: Served, new_context: NewContext
) -> None:
    context = signed_in(new_context(touch=True), demo_server)
    desk = Desk(context.new_page(), demo_server.url, *OPENED, A=name, Table="T8").ready()
    desk.tap("2").saved()
    paths = (
        f"/matches/{desk.match}",
        f"/matches/{desk.match}/paper",
        "/tables/T8",
        "/hall",
        "/overlay/T8",
        "/",
    )
    page = context.new_page()
    for one, path in ((desk.page, ""), *((page, path) for path in paths)):
        if path:
            one.goto(demo_server.url + path)
        expect(one.get_by_text(name).first).to_be_attached()
        assert (
            one.locator("b", has_text="x").filter(has_text="x").locator("xpath=self::b[text()='x']").count()
            == 0
        )
        assert one.evaluate(OVERFLOW) == [], path


def test_b71_strange_names_of_rights_halls_and_those_that_a_device_remembers_are_shown_as_they_are(
    desk_server: Served, new_context: NewContext, allowed: list[str]
) -> None:
    """On the pages of the office, at the entrance, in the form of a new match and on a page that is none."""
    allowed.append("404")
    context = signed_in(new_context(size=(390, 844)), desk_server)
    hall_name = NAMES[2] + NAMES[3] + NAMES[0]
    hall = {
        "hall": hall_name,
        "zone": "UTC",
        "tables": ["T1"],
        "language": "en",
        "last": {},
    }
    assert asked(context, f"{desk_server.url}/settings", hall)["code"] == 200
    page = context.new_page()
    for number, name in enumerate(NAMES):
        right = {"role": "referee", "label": name[:60], "pin": f"31415{number}", "days": 1}
        assert "grant" in asked(context, f"{desk_server.url}/grants", right)
        page.goto(f"{desk_server.url}/matches/new")
        page.fill("#A", name)
        page.fill("#B", f"{name[:100]} 2")
        page.locator("#new .big").click()
        page.wait_for_url("**/desk")
        page.goto(page.url.replace("/desk", "/office"))
        expect(page.locator("#A")).to_have_value(name)
        expect(page.get_by_text(name).first).to_be_attached()
    pages: dict[str, list[str]] = {
        "/matches/new": [*NAMES, *(f"{name[:100]} 2" for name in NAMES)],
        "/rights": [*NAMES, *(name[:60] for name in NAMES)],
        "/enter": [name[:60] for name in NAMES],
        "/settings": [hall_name],
        "/": [*NAMES, hall_name],
        "/tables/<b>x</b>": ["<b>x</b>"],
        "/matches/<b>x</b>": ["<b>x</b>"],
    }
    for path, names in pages.items():
        page.goto(desk_server.url + path)
        shown = page.evaluate(
            """() => document.body.innerText
            + [...document.querySelectorAll("input, option")].map(one => one.value).join("|")"""
        )
        assert [name for name in names if name not in shown] == [], path
        assert (
            page.evaluate("[...document.querySelectorAll('b')].filter(b => b.textContent === 'x').length")
            == 0
        )
        assert page.evaluate(OVERFLOW) == [], path


DATES = {"en": r"\d{4}-\d\d-\d\d", "de": r"\d\d\.\d\d\.\d{4}", "it es fr": r"\d\d/\d\d/\d{4}"}


@pytest.mark.parametrize(("languages", "date"), DATES.items(), ids=DATES)
def test_b67_the_pages_write_days_and_numbers_as_their_reader_does(
    languages: str, date: str, hall: Served, new_context: NewContext
) -> None:
    """The same match and the same right to readers of each language."""
    context = signed_in(new_context(), hall)
    right = {"role": "timekeeper", "label": "Anna", "days": 3}
    assert "grant" in asked(context, f"{hall.url}/grants", right)
    played = ("1. A o r =4", "2. B o =0", "3. A o =0", "4. B o =0", "5. A o =0")
    match = new_match(context, hall.url, *OPENED, *played, Date="2026-02-08", Table="N1")
    page = context.new_page()
    for code in languages.split():
        for path in ("/", "/rights"):
            page.goto(f"{hall.url}{path}?lang={code}")
            found = re.findall(r"\d+[./-]\d\d[./-]\d+(?= \d\d:\d\d)", page.locator("main").inner_text())
            assert found, path
            assert [one for one in found if not re.fullmatch(date, one)] == [], path
        average = "1.33" if code == "en" else "1,33"
        for path, place in ((f"/matches/{match}", ".figures"), ("/tables/N1", "[data-put='A.figures']")):
            page.goto(f"{hall.url}{path}?lang={code}")
            expect(page.locator(place)).to_contain_text(average)
        assert re.search(
            rf">{date}<", page.request.get(f"{hall.url}/matches/{match}/paper?lang={code}").text()
        )


def test_seven_and_more_tabs_of_one_browser_are_all_alive(
    demo_server: Served, new_context: NewContext
) -> None:
    """HTTP/1.1 allows six connections: pages that kept one each would starve the seventh."""
    context = signed_in(new_context(touch=True), demo_server)
    desk = Desk(context.new_page(), demo_server.url, *OPENED).ready()
    tabs = [context.new_page() for _ in range(8)]
    for tab in tabs:
        tab.goto(f"{demo_server.url}/matches/{desk.match}")
    desk.page.bring_to_front()
    desk.tap("2")
    for tab in tabs:
        expect(tab.locator("[data-put='A.score']").first).to_have_text("4")


def test_b21_no_display_ever_shows_a_foreign_match(desk_server: Served, new_context: NewContext) -> None:
    """Eight tables, a stroke here and there, displays loaded anew at random."""
    context = signed_in(new_context(), desk_server)
    tables = [f"T{number}" for number in range(1, 9)]
    matches = {
        table: new_match(context, desk_server.url, *OPENED, A=f"Only {table}", Table=table, Distance="200")
        for table in tables
    }
    pages = {table: context.new_page() for table in tables}
    for table, page in pages.items():
        page.goto(f"{desk_server.url}/tables/{table}")
        page.evaluate(
            """() => { window.seen = new Set();
            const name = document.querySelector("[data-put='A.name']");
            new MutationObserver(() => seen.add(name.textContent)).observe(name, {childList: true}); }"""
        )
    chance = random.Random(21)
    scores = dict.fromkeys(tables, 0)
    strokes = dict.fromkeys(tables, 0)
    for _ in range(50):
        table = chance.choice(tables)
        strokes[table] += 1
        side = "AB"[(strokes[table] - 1) % 2]
        written(context, desk_server.url, matches[table], f"{strokes[table]}. {side} o /. =2")
        scores[table] += 2 if side == "A" else 0
        if chance.random() < 0.15:
            pages[other := chance.choice(tables)].reload()
            expect(pages[other].locator("[data-put='A.name']")).to_have_text(f"Only {other}")
    for table, page in pages.items():
        expect(page.locator("[data-put='A.score']")).to_have_text(str(scores[table]))
        assert set(page.evaluate("[...(window.seen ?? [])]")) <= {f"Only {table}"}


def test_an_overlay_is_there_before_its_match_and_lives_through_a_restart(
    desk_server: Served, new_context: NewContext, allowed: list[str]
) -> None:
    """Its ground is transparent; what it showed last stays; the skin and the delay are its address's."""
    allowed.append("ERR_|WebSocket connection to")
    context = signed_in(new_context(), desk_server)
    page = context.new_page()
    page.goto(f"{desk_server.url}/overlay/T5?skin=light")
    late = context.new_page()
    late.goto(f"{desk_server.url}/overlay/T5?delay=3")
    match = new_match(context, desk_server.url, *OPENED, "1. A o /.. =4", Table="T5")
    score = page.locator("[data-put='A.score']")
    expect(score).to_have_text("4")
    assert late.locator("[data-put='A.score']").text_content() == ""
    expect(late.locator("[data-put='A.score']")).to_have_text("4")
    clear = "rgba(0, 0, 0, 0)"
    assert (
        page.evaluate(
            "[document.documentElement, document.body].map(one => getComputedStyle(one).backgroundColor)"
        )
        == [clear] * 2
    )
    assert page.evaluate("document.documentElement.dataset.skin") == "light"
    desk_server.kill()
    expect(page.locator(".board")).to_have_attribute("data-link", "stale")
    expect(score).to_be_visible()
    desk_server.start()
    written(context, desk_server.url, match, "2. B o /. =2")
    expect(page.locator("[data-put='B.score']")).to_have_text("2")


@pytest.mark.parametrize(("path", "most"), [("/tables/T1", 15_000), ("/matches/demo1/desk", 80_000)])
def test_a_first_visit_transfers_no_more_than_it_may(
    path: str, most: int, demo_server: Served, new_context: NewContext
) -> None:
    """Headers included; the rulings behind the keys, which are data of the book, come on top."""
    context = signed_in(new_context(), demo_server)
    page: Page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    names: dict[str, str] = {}
    weights: dict[str, int] = {}
    session.on(
        "Network.requestWillBeSent",
        lambda sent: names.update({sent["requestId"]: sent["request"]["url"]}),
    )
    session.on(
        "Network.loadingFinished",
        lambda done: weights.update({done["requestId"]: int(done["encodedDataLength"])}),
    )
    page.goto(demo_server.url + path, wait_until="networkidle")
    until(page, lambda: any("favicon" in names.get(one, "") for one in weights))
    parts = [weight for one, weight in weights.items() if "fouls=2" not in names.get(one, "")]
    assert len(parts) > 5
    assert sum(parts) <= most
