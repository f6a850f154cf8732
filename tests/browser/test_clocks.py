"""Clocks, beeps, wake locks and silent lines. Screens that really sleep are in tests/asleep."""

from __future__ import annotations

import re
import signal

import pytest
from playwright.sync_api import expect

from browser.conftest import NewContext
from browser.desk import COUNT_TONES, Desk, asked, holds, ids, new_match, signed_in, written
from serving import Served

OPENED = ("lag A", "set 1 A")
JUST_BEFORE = """() => new Promise(done => {
  const bar = document.querySelector("#clock");
  const end = performance.now() + 10_000;
  const look = () => {
    const left = 40 * bar.style.getPropertyValue("--left");
    if (performance.now() > end) return done(NaN);
    if (bar.dataset.running !== "true" || left > 0.4) return setTimeout(look, 10);
    document.querySelector("[data-pins='0']").click();
    done(left);
  };
  look();
})"""
"""Enter a stroke of the running clock just before its end; how many seconds were left."""
GRANT = """window.asked = 0;
  Object.defineProperty(navigator, "wakeLock", {value: {request: async () => {
    asked += 1;
    if (window.refuse) throw new DOMException("no", "NotAllowedError");
    return Object.assign(new EventTarget(), {release: async () => {}});
  }}});"""
RETURN = "document.dispatchEvent(new Event('visibilitychange'))"


def desk_of(served: Served, new_context: NewContext, *scripts: str, match: str = "", path: str = "") -> Desk:
    """A desk; `path` such as `?role=timekeeper` makes it another page of the match."""
    context = signed_in(new_context(touch=True), served)
    for script in scripts:
        context.add_init_script(script)
    desk = Desk(context.new_page(), served.url, *OPENED, match=match)
    if path:
        desk.page.goto(f"{served.url}/matches/{desk.match}/desk{path}")
        desk.live()
    return desk


def test_b24_label_and_seconds_are_of_one_clock_in_every_phase(
    demo_server: Served, new_context: NewContext
) -> None:
    desk = desk_of(demo_server, new_context).ready()
    bar = desk.page.locator("#clock")
    expect(bar).to_have_text(re.compile(r"40\s+tap: balls at rest"))
    desk.tap("clock")
    expect(bar).to_have_text(re.compile(r"(40|3\d)\s+tap: stop"))
    desk.tap("clock")
    expect(bar).to_have_text(re.compile(r"(40|3\d)\s+stopped: tap to go on"))
    written(desk.page.context, demo_server.url, desk.match, "late A")
    expect(bar).to_have_text(re.compile(r"20\s+stopped: tap to go on"))
    expect(desk.page.locator("#time")).to_have_text("Time +2, turn passes")
    desk.strokes("0").ready()
    expect(bar).to_have_text(re.compile(r"40\s+tap: balls at rest"))


def test_b24_label_and_seconds_are_of_one_clock_in_extra_time_a_break_and_the_warm_up(
    demo_server: Served, new_context: NewContext
) -> None:
    context = signed_in(new_context(touch=True), demo_server)
    desk = Desk(context.new_page(), demo_server.url, Rules="FIBiS-2022", Sets="", Distance="8").tap("warmup")
    warmup = desk.at(".warmup-dialog")
    expect(warmup).to_contain_text(re.compile(r"Warm-up.*Marco Rossi\s*5:00\s*Start", re.DOTALL))
    desk.dialog.get_by_role("button", name="Start").first.tap()
    expect(warmup).to_contain_text(re.compile(r"Marco Rossi\s*(5:00|4:5\d)\s*Stop"))
    desk.pick("Close").alone().tap("lag A").tap("open A").ready()
    bar = desk.at("#clock")
    expect(bar).to_have_text(re.compile(r"40\s+tap: balls at rest"))
    desk.tap("clock").clock(running=True).tap("extra")
    expect(bar).to_have_text(re.compile(r"1:(40|3\d)\s+tap: stop"))
    desk.tap("2").ready().tap("pause")  # half of the distance
    expect(desk.at("#break-bar")).to_have_text(re.compile(r"Break (5:00|4:5\d)"))
    expect(bar).to_have_text(re.compile(r"40\s+tap: balls at rest"))


def test_b29_both_devices_beep_at_ten_and_at_nothing_though_a_stroke_comes_at_once(
    demo_server: Served, new_context: NewContext
) -> None:
    """The clock is nearly out when it is started; the stroke is entered just after its end.

    One that is entered just before it is in time: nothing is heard, and no penalty offered.
    """
    desk = desk_of(demo_server, new_context, COUNT_TONES).ready()
    keeper = desk_of(demo_server, new_context, COUNT_TONES, match=desk.match, path="?role=timekeeper")
    for page in (desk.page, keeper.page):
        page.locator("#top").tap(position={"x": 5, "y": 5})
        holds(page, "document.querySelector('#sound').hidden")
    clock = f"{demo_server.url}/matches/{desk.match}/clock"
    command = {"command_id": next(ids), "action": "start", "elapsed": 28.0}
    assert asked(desk.page.context, clock, command)["code"] == 200
    for page in (desk.page, keeper.page):
        holds(page, "tones.filter(pitch => pitch === 880).length === 2")
    command = {"command_id": next(ids), "action": "start", "elapsed": 38.0}
    assert asked(desk.page.context, clock, command)["code"] == 200
    holds(desk.page, "document.querySelector('#clock').dataset.left === 'none'")
    desk.tap("0")
    for page in (desk.page, keeper.page):
        holds(page, "tones.filter(pitch => pitch === 440).length === 1")
    desk.wrote("1. A o =0").saved().ready()
    command = {"command_id": next(ids), "action": "start", "elapsed": 38.5}
    assert asked(desk.page.context, clock, command)["code"] == 200
    assert 0 < desk.page.evaluate(JUST_BEFORE) <= 0.4
    desk.wrote("1. A o =0", "2. B o =0").saved()
    for page in (desk.page, keeper.page):
        expect(page.locator("#clock")).to_have_attribute("data-left", "enough")
    expect(desk.at("#time")).to_be_disabled()
    assert desk.page.evaluate("tones.filter(pitch => pitch === 440).length") == 1


def test_b30_the_wake_lock_is_asked_for_at_the_start_and_at_every_return(
    demo_server: Served, new_context: NewContext
) -> None:
    page = desk_of(demo_server, new_context, GRANT).page
    expect(page.locator("#sleep")).to_be_hidden()
    before = page.evaluate("asked")
    assert before >= 1
    page.evaluate(RETURN)
    holds(page, f"asked === {before + 1}")
    page.evaluate("window.refuse = true")
    page.evaluate(RETURN)
    expect(page.locator("#sleep")).to_be_visible()


@pytest.mark.parametrize("path", ["/matches/{match}", "/tables/T7"])
def test_a_display_whose_line_is_silent_for_70_seconds_says_so_and_comes_back(
    path: str, desk_server: Served, new_context: NewContext, allowed: list[str]
) -> None:
    """The socket still calls itself open: the watchdog of 30 s does not believe it."""
    allowed.append("ERR_|WebSocket connection to")
    context = signed_in(new_context(), desk_server)
    match = new_match(context, desk_server.url, *OPENED, Table="T7")
    page = context.new_page()
    page.clock.install()
    page.goto(desk_server.url + path.format(match=match))
    expect(page.locator("[data-put='A.score']").first).to_have_text("0")
    lost = page.locator(".link-lost, [data-link='stale']").first
    desk_server.signal(signal.SIGSTOP)
    try:
        page.clock.run_for(70_000)
        expect(lost).to_be_visible()
    finally:
        desk_server.signal(signal.SIGCONT)
    written(context, desk_server.url, match, "1. A o /.. =4")
    page.clock.run_for(10_000)
    expect(page.locator("[data-put='A.score']").first).to_have_text("4")
    expect(lost).to_be_hidden()
