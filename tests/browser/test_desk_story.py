"""Stories of the desk: a first match, taking back, two tablets, a burst of taps, keys that are none."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import NewContext, NewPage
from browser.desk import Desk, asked, ids, signed_in, until, written
from serving import Served

OPENED = ("lag A", "set 1 A")


@pytest.fixture
def hall(demo_server: Served) -> Served:
    """A hall in which matches of these stories are made."""
    return demo_server


def desk_of(hall: Served, new_context: NewContext, *lines: str, match: str = "", **head: str) -> Desk:
    """A desk on a device of its own."""
    context = signed_in(new_context(touch=True), hall)
    return Desk(context.new_page(), hall.url, *lines, match=match, **head)


def test_a_club_plays_its_first_match_after_five_taps_and_two_names(hall: Served, new_page: NewPage) -> None:
    """The link of the director, two names, lag, opener, strokes: each tap is counted, none is spare."""
    taps = 0

    def tap(page: Page, selector: str) -> None:
        nonlocal taps
        page.tap(selector)
        taps += 1

    page = new_page(hall.director, touch=True)
    tap(page, "a[href='/matches/new'] >> nth=0")
    expect(page.locator("#A")).to_be_focused()  # whoever types has seen the form
    page.keyboard.type("Ada")
    page.keyboard.press("Tab")
    page.keyboard.type("Bruno")
    tap(page, "form#new button.big")
    tap(page, "[data-do='lag A']")
    tap(page, "[data-do='open A']")
    expect(page.locator("#pad:not(.closed, .asleep)")).to_be_visible()
    tap(page, "[data-pins='2']")
    expect(page.locator("[data-put='A.score']")).to_have_text("4")
    expect(page.locator("#strokes .queued")).to_have_count(0)
    assert taps == 5


@pytest.mark.parametrize("how", ["tap", "Backspace", "NumLock"])
def test_b03_the_very_first_event_is_taken_back_once(how: str, hall: Served, new_context: NewContext) -> None:
    desk = desk_of(hall, new_context).tap("lag B")
    expect(desk.key("open B")).to_be_visible()
    desk.saved()
    desk.tap("undo") if how == "tap" else desk.keypad(how)
    expect(desk.key("lag B")).to_be_visible()
    assert desk.saved().log() == ["lag B", 'undo "undo"']


def test_b06_taking_back_over_the_end_of_a_set_restores_all_of_it(
    hall: Served, new_context: NewContext
) -> None:
    """Totals, sets, who is to play, ball in hand, clock; the start of set 2 likewise (B01)."""
    desk = desk_of(hall, new_context, *OPENED, Distance="14").strokes("R+3")
    desk.ready().tap("missed", "0").saved()
    before = desk.board()
    desk.ready().tap("2").phase("distance").saved()
    full = desk.board()
    desk.tap("good").phase("between").saved()
    between = desk.board()
    desk.tap("open B").ready().saved()
    for state in (between, full, before):
        desk.tap("undo").phase(state["phase"]).saved()
        board = desk.board()
        changed = {key for key in state if board.get(key) != state[key]}
        assert changed <= {"seq", "saved", "now"}, changed
        expect(desk.page.locator("#clock")).to_have_attribute("data-running", "false")


def test_b02_after_any_taking_back_and_playing_again_every_key_lives(
    hall: Served, new_context: NewContext
) -> None:
    desk = desk_of(hall, new_context, *OPENED)
    chance = random.Random(2)
    for _ in range(12):
        desk.ready()
        strokes = sum(not line.startswith(("undo", "lag", "set")) for line in desk.log()) - sum(
            line.startswith("undo") for line in desk.log()
        )
        desk.tap("undo" if strokes > 0 and chance.random() < 0.5 else chance.choice("012")).saved()
    desk.ready()
    dead = desk.page.eval_on_selector_all(
        "#pad button:not([hidden]), #undo, #clock, #menu",
        """all => all.filter(one => one.disabled || one.getAttribute("aria-disabled") === "true")
          .map(one => one.textContent.trim())""",
    )
    assert dead == ["Clear"]
    desk.tap("cannon", "R").saved()
    assert desk.plain()[-1].endswith("o r /5 =12")


def test_b17_a_second_tablet_reads_until_it_takes_over_and_the_first_sees_it(
    hall: Served, new_context: NewContext
) -> None:
    first = desk_of(hall, new_context, *OPENED).ready()
    second = desk_of(hall, new_context, match=first.match)
    expect(second.page.locator("#reader")).to_contain_text("Also open on")
    expect(second.page.locator("#pad")).to_be_hidden()
    expect(first.page.locator(".t-devices")).to_have_text("devices: 2")
    second.tap("take").ready()
    expect(first.page.locator("#reader")).to_contain_text("Here it can only be read")
    expect(first.page.locator("#pad")).to_be_hidden()
    rows = first.page.context.request.get(f"{hall.url}/matches/{first.match}/log").json()["lines"]
    assert [row["line"] for row in rows if re.match("# desk: .* takes over", row["line"])]
    second.strokes("2")
    first.shows(4, 0)


def test_b18_of_two_tablets_that_write_at_once_one_is_told_and_nothing_is_lost_or_doubled(
    hall: Served, new_context: NewContext, allowed: list[str]
) -> None:
    allowed.append("409")
    first = desk_of(hall, new_context, *OPENED).ready()
    second = desk_of(hall, new_context, match=first.match)
    first.page.route("**/log?*", lambda route: route.abort())
    allowed.append("ERR_FAILED")
    first.tap("2")
    expect(first.page.locator("#strokes .queued")).to_have_count(1)
    second.tap("take").strokes("1").saved()
    first.page.unroute_all()
    expect(first.page.locator("#stopped")).to_contain_text("NOT SENT: 1")
    assert second.plain()[2:] == ["1. A o /. =2"]
    first.tap("stopped")
    expect(first.page.get_by_role("dialog")).to_contain_text("1. A o /.. =4")
    first.page.get_by_role("dialog").get_by_role("button", name="Cancel").tap()
    assert second.plain()[2:] == ["1. A o /. =2"]


def test_b14_a_set_confirmed_by_two_devices_at_once_is_one_set(
    hall: Served, new_context: NewContext, allowed: list[str]
) -> None:
    allowed.append("409")
    desk = desk_of(hall, new_context, *OPENED, "1. A o /....5 =12", Distance="12").phase("distance")
    seq = desk.board()["seq"]
    answers = desk.page.evaluate(
        """([path, bodies]) => Promise.all(bodies.map(body => fetch(path, {method: "POST",
          headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)})
          .then(one => one.status)))""",
        [
            f"/matches/{desk.match}/log",
            [{"command_id": next(ids), "expected_seq": seq, "lines": ["good A 12-0"]} for _ in range(2)],
        ],
    )
    assert sorted(answers) == [200, 409]
    assert desk.plain().count("good A 12-0") == 1
    desk.phase("between")


def test_b11_fifteen_taps_at_180_ms_are_one_stroke_and_an_intended_one_is_taken(
    hall: Served, new_context: NewContext
) -> None:
    desk = desk_of(hall, new_context, *OPENED).ready()
    desk.key("2").evaluate(
        """async key => { for (let tap = 0; tap < 15; tap++) {
          key.click();
          await new Promise(done => setTimeout(done, 180));
        } }"""
    )
    expect(desk.page.locator("#preview")).to_contain_text("taps ignored: 14")
    desk.page.wait_for_timeout(1500)
    desk.tap("2").saved()
    assert desk.plain()[2:] == ["1. A o /.. =4", "2. B o /.. =4"]


def test_a_key_that_repeats_is_pressed_once_and_a_text_field_keeps_its_letters(
    hall: Served, new_context: NewContext
) -> None:
    desk = desk_of(hall, new_context, *OPENED).ready()
    desk.page.keyboard.down("1")
    desk.ready()
    desk.page.keyboard.down("1")
    desk.page.keyboard.up("1")
    desk.saved().keypad("n")
    desk.page.keyboard.type("5 + t/d")
    desk.keypad("Enter")
    until(desk.page, lambda: len(desk.log()) == 4)
    assert desk.plain()[2:] == ["1. A o /. =2", 'note "5 + t/d"']


def test_a_presenter_moves_the_clock_and_nothing_else(hall: Served, new_context: NewContext) -> None:
    desk = desk_of(hall, new_context, *OPENED).ready()
    clock = desk.page.locator("#clock")
    for key, running in (("PageDown", "true"), ("PageDown", "false"), ("PageDown", "true"), ("b", "false")):
        desk.keypad(key)
        expect(clock).to_have_attribute("data-running", running)
    assert len(desk.log()) == 2


def test_b23_a_break_or_a_stroke_by_keypad_leaves_no_clock_running(
    hall: Served, new_context: NewContext
) -> None:
    boards = []
    for by in ("keypad", "tap"):
        desk = desk_of(hall, new_context, *OPENED).ready()
        desk.tap("clock")
        expect(desk.page.locator("#clock")).to_have_attribute("data-running", "true")
        desk.tap("menu")
        desk.page.get_by_role("dialog").get_by_role("button", name="Break").tap()
        expect(desk.page.locator("#clock")).to_have_attribute("data-running", "false")
        desk.ready()
        desk.tap("0") if by == "tap" else desk.keypad("Numpad0")
        desk.saved()
        expect(desk.page.locator("#clock")).to_have_attribute("data-running", "false")
        expect(desk.page.locator("#clock [data-seconds]")).to_have_text("40")
        boards.append({key: desk.board()[key] for key in ("clock", "to_play", "turn", "phase", "limit")})
    assert boards[0] == boards[1]


def test_a_command_that_was_already_done_is_answered_again_and_not_done_twice(
    hall: Served, new_context: NewContext
) -> None:
    desk = desk_of(hall, new_context, *OPENED).ready()
    body = {"command_id": next(ids), "expected_seq": desk.board()["seq"], "lines": ["1. A o =0"]}
    url = f"{hall.url}/matches/{desk.match}/log"
    assert [asked(desk.page.context, url, body)["code"] for _ in range(2)] == [200, 200]
    assert desk.plain()[2:] == ["1. A o =0"]


def test_b19_a_corrected_name_changes_nothing_else(hall: Served, new_context: NewContext) -> None:
    desk = desk_of(hall, new_context, *OPENED, "1. A o /.. =4").ready()
    before = desk.board()
    written(desk.page.context, hall.url, desk.match, "A: Maria Rossi")
    expect(desk.page.locator("#board [data-put='A.name']")).to_have_text("Maria Rossi")
    after = desk.board()
    after["sides"]["A"]["name"] = before["sides"]["A"]["name"]
    assert {key for key in before if before[key] != after[key]} <= {"seq", "saved", "now"}
