"""The referee's desk in a real browser, against the real server: keys, taps, phases, errors, sizes."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

import fivepins
from fivepins.desk.words import DESK
from serving import Served

STATIC = Path(fivepins.__file__).parent / "desk" / "static"
TABLET, UPRIGHT, PHONE = (1280, 800), (800, 1280), (390, 844)
OPEN_PAD = "#pad:not(.closed, .asleep)"
PATIENCE = 200
"""How often a line is looked for, every 50 ms, before a test gives up."""
HEAD = {
    "A": "Marco Rossi",
    "B": "Luca Bianchi",
    "Rules": "UMB-1997",
    "Distance": "30",
    "Sets": "3",
    "Clock": "40+20",
    "Table": "T1",
    "Referee": "Anna Verdi",
    "Language": "it",
}
ENTER = """token => fetch("/enter", {method: "POST", headers: {"Content-Type": "application/json"},
  body: JSON.stringify({token})}).then(answer => answer.status)"""
POST = """([path, body]) => fetch(path, {method: "POST", headers: {"Content-Type": "application/json"},
  body: JSON.stringify(body)}).then(answer => answer.json())"""

ROOM_ABOVE = """one => {
  const style = getComputedStyle(one), pen = document.createElement("canvas").getContext("2d");
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const line = document.createElement("i");
  line.style.display = "inline-block"; // without content its foot stands on the line
  one.prepend(line);
  const height = line.getBoundingClientRect().bottom - one.getBoundingClientRect().top;
  line.remove();
  return height - pen.measureText("ÜÑÁÓ").actualBoundingBoxAscent;
}"""
"""Pixels between the accents of capitals and where an element is cut."""

ids = map("test-{}".format, itertools.count())


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A hall of its own."""
    server = Served(tmp_path_factory.mktemp("hall") / "data")
    yield server
    server.stop()


Tablet = Callable[..., BrowserContext]


@pytest.fixture
def tablet(browser: Browser, served: Served) -> Iterator[Tablet]:
    """Makes devices that the director has let in."""
    made: list[BrowserContext] = []

    def make(size: tuple[int, int] = TABLET, **cookies: str) -> BrowserContext:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=True)
        made.append(context)
        page = context.new_page()
        page.goto(f"{served.url}/api")
        assert page.evaluate(ENTER, served.director.partition("#")[2]) == 200
        page.close()
        for name, value in cookies.items():
            context.add_cookies([{"name": name, "value": value, "url": served.url}])
        return context

    yield make
    for context in made:
        context.close()


class Desk:
    """A desk page and what is stored of its match."""

    def __init__(self, context: BrowserContext, url: str, match: str = "", **head: str) -> None:
        self.page: Page = context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(f"{url}/api")
        self.match = match or self.post("/matches", {"command_id": next(ids), "head": HEAD | head})["match"]
        self.before = len(self.rows)
        self.page.goto(f"{url}/matches/{self.match}/desk")
        expect(self.page.locator(".t-link")).to_have_attribute("data-link", "live")

    def post(self, path: str, body: object) -> Any:
        """Send a command as this device."""
        return self.page.evaluate(POST, [path, body])

    def given(self, *lines: str) -> Desk:
        """The same desk with these lines stored."""
        self.post(
            f"/matches/{self.match}/log",
            {"command_id": next(ids), "expected_seq": len(self.rows), "lines": list(lines)},
        )
        expect(self.page.locator(".t-saved")).to_contain_text(f"#{len(self.rows)}")
        return self

    @property
    def rows(self) -> list[str]:
        """All that is stored, from the head on."""
        log = self.page.evaluate(
            "path => fetch(path).then(answer => answer.json())", f"/matches/{self.match}/log"
        )
        return [row["line"] for row in log["lines"]]

    @property
    def lines(self) -> list[str]:
        """What was stored since the page was opened, without times."""
        return [re.sub(r" (@|at=)\S+", "", line) for line in self.rows[self.before :]]

    def ready(self) -> Desk:
        """Wait until the pad is open and nothing is under way."""
        expect(self.page.locator(OPEN_PAD)).to_be_attached()
        return self

    def keys(self, *names: str) -> Desk:
        """Press keys, the last of which ends a stroke."""
        self.ready()
        for name in names:
            self.page.keyboard.press(name)
        return self

    def tap(self, *selectors: str) -> Desk:
        """Touch, one after the other."""
        for selector in selectors:
            self.page.tap(selector)
        return self

    def stored(self, count: int) -> list[str]:
        """The lines once there are so many."""
        for _ in range(PATIENCE):
            if len(self.lines) >= count:
                break
            self.page.wait_for_timeout(50)
        return self.lines


def opened(desk: Desk) -> Desk:
    """The desk with the first set opened by A."""
    return desk.given("lag A", "set 1 A").ready()


def held_back(page: Page, address: str) -> list[Route]:
    """The first request to an address, which waits until it is let go on."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route(address, hold)
    return held


def test_a_match_is_begun_by_two_taps_and_played_on_the_keypad(tablet: Tablet, served: Served) -> None:
    desk = Desk(tablet(), served.url)
    desk.tap("[data-do='lag B']", "[data-do='open B']").ready()
    for stroke in (
        ["Numpad1"],
        ["NumpadAdd", "Numpad2"],
        ["NumpadSubtract", "Numpad5"],
        ["0"],
        [".", "Numpad1"],
        ["*", "1"],
        ["+", "0"],
        ["/", "0"],
    ):
        desk.keys(*stroke)
    desk.keys("d", "1")
    expect(desk.page.locator("dialog[open]")).to_have_count(0)
    desk.keys("NumpadMultiply")
    value = desk.page.locator("[data-pins='R+1'] [data-points]")
    expect(value).to_contain_text("12 p", timeout=20_000)  # strokes with two fouls are known last
    desk.keys("6")
    assert desk.stored(11) == [
        "lag B",
        "set 1 B",
        "1. B o /. =2",
        "2. A o r /.. =8",
        "3. B o o-r /5 =11",
        "4. A o =0",
        "5. B o c/. =-2",
        "6. A r o /. =-6",
        "7. B o r =4",
        "8. A - =-2",
        "9. B r o /.5 c^ =-12",
    ]
    assert desk.errors == []


def test_touch_enters_prefixes_the_choice_of_44_5_and_named_pins(tablet: Tablet, served: Served) -> None:
    desk = opened(Desk(tablet(), served.url))
    desk.tap("[data-key='missed']", "[data-pins='0']").ready()
    desk.tap("[data-key='spot']", "[data-key='cannon']", "[data-pins='R']").ready()
    desk.tap("[data-do='castle']", ".pin-1", ".pin-3", "dialog .go").stored(5)
    desk.ready()
    desk.tap("[data-do='other']", "dialog >> text=Foot", "[data-do='off']", "dialog >> text=Own ball")
    desk.tap("[data-key='cue']", "[data-pins='2']", "dialog .go")  # three fouls: the server was asked
    assert desk.stored(6)[2:] == [
        "1. A - =-2",
        "2. B spot o r /5 =12",
        "3. A o /13 =4",
        "4. B o c/.. c^ !foot =-8",
    ]


def test_b11_a_burst_of_taps_is_one_stroke_and_the_ignored_ones_are_counted(
    tablet: Tablet, served: Served
) -> None:
    desk = opened(Desk(tablet(), served.url))
    for _ in range(15):
        desk.tap("[data-pins='2']")
        desk.page.wait_for_timeout(100)
    expect(desk.page.locator("#preview")).to_contain_text("taps ignored: 14")
    desk.ready().tap("[data-pins='2']")
    assert desk.stored(4)[2:] == ["1. A o /.. =4", "2. B o /.. =4"]


def test_a_held_key_is_one_command(tablet: Tablet, served: Served) -> None:
    desk = opened(Desk(tablet(), served.url))
    desk.page.keyboard.down("1")
    desk.ready()
    desk.page.keyboard.down("1")  # down again while it is down: that is what a repeat is
    desk.page.keyboard.up("1")
    desk.keys("0")
    assert desk.stored(4)[2:] == ["1. A o /. =2", "2. B o =0"]


@pytest.mark.parametrize("how", ["tap", "Backspace", "NumLock"])
def test_b03_the_first_event_of_a_match_is_taken_back_once_each_way(
    how: str, tablet: Tablet, served: Served
) -> None:
    desk = Desk(tablet(), served.url)
    desk.tap("[data-do='lag B']")
    desk.page.wait_for_selector("[data-do='open B']")
    if how == "tap":
        desk.tap("#undo")
    else:
        desk.page.keyboard.press(how)
    desk.page.wait_for_selector("[data-do='lag B']")
    assert desk.stored(2) == ["lag B", 'undo "undo"']


def test_b01_undo_goes_back_over_the_start_and_the_end_of_a_set(tablet: Tablet, served: Served) -> None:
    desk = opened(Desk(tablet(), served.url, Distance="12"))
    desk.keys("9")
    for phase in ("distance", "between", "play"):
        expect(desk.page.locator("body")).to_have_attribute("data-phase", phase)
        if phase != "play":
            desk.page.keyboard.press("Enter")
    for phase in ("between", "distance", "play"):
        desk.tap("#undo")
        expect(desk.page.locator("body")).to_have_attribute("data-phase", phase)
        expect(desk.page.locator("#clock")).to_have_attribute("data-running", "false")
    assert desk.stored(8)[2:] == [
        "1. A o /....5 =12",
        "good A 12-0",
        "set 2 B",
        *['undo "undo"'] * 3,
    ]


@pytest.mark.parametrize("path", ["tap", "keypad", "time", "correction"])
def test_b13_every_way_to_the_distance_asks_good(path: str, tablet: Tablet, served: Served) -> None:
    desk = opened(Desk(tablet(), served.url, Distance="12"))
    if path == "tap":
        desk.tap("[data-pins='R+4']")
    elif path == "keypad":
        desk.keys("Numpad9")
    elif path == "time":
        desk.given("1. A o r /... =10", "late B")
    else:
        desk.keys("Numpad4").stored(3)
        desk.ready().tap("#strokes button", "dialog >> text=Correct it", "[data-pins='R+4']", "dialog .go")
    expect(desk.page.locator("[data-do='good']")).to_contain_text("Good – set for Marco Rossi")
    expect(desk.page.locator("#pad")).to_be_hidden()


def test_b17_a_second_device_reads_until_it_takes_over(tablet: Tablet, served: Served) -> None:
    first = opened(Desk(tablet(), served.url))
    second = Desk(tablet(), served.url, first.match)
    expect(second.page.locator("#reader")).to_be_visible()
    second.page.keyboard.press("1")
    expect(second.page.locator("#pad")).to_be_hidden()
    second.tap("[data-do='take']").ready()
    expect(first.page.locator("#reader")).to_be_visible()
    second.keys("2")
    assert [line for line in second.stored(2) if not line.startswith("#")] == ["1. A o /.. =4"]
    assert any(line.startswith("# desk:") for line in second.lines)


def test_b33_strokes_without_a_network_are_shown_kept_and_stored_once_in_order(
    tablet: Tablet, served: Served
) -> None:
    context = tablet()
    desk = opened(Desk(context, served.url))
    context.set_offline(True)
    desk.keys("1").keys("+", "5").keys("0")
    expect(desk.page.locator("#unsent")).to_contain_text("NOT SENT: 3")
    expect(desk.page.locator("[data-put='B.score']")).to_have_text("12")
    context.set_offline(False)
    assert desk.stored(5)[2:] == ["1. A o /. =2", "2. B o r /5 =12", "3. A o =0"]
    expect(desk.page.locator("#unsent")).to_be_hidden()


def test_a_stale_tablet_is_told_what_was_written_meanwhile(tablet: Tablet, served: Served) -> None:
    context = tablet()
    desk = opened(Desk(context, served.url))
    desk.page.route(f"**/matches/{desk.match}/log*", lambda route: route.abort())
    desk.keys("1")
    expect(desk.page.locator("#strokes .queued")).to_have_count(1)
    other = context.new_page()
    other.goto(f"{served.url}/api")
    command = {"command_id": next(ids), "expected_seq": desk.before + 2, "lines": ["1. A o =0"]}
    other.evaluate(POST, [f"/matches/{desk.match}/log", command])
    desk.page.unroute_all()
    desk.tap("#stopped button")
    expect(desk.page.locator("dialog")).to_contain_text("1. A o =0")
    desk.page.locator("dialog .hold").dispatch_event("pointerdown")
    expect(desk.page.locator("#stopped")).to_be_hidden()
    desk.keys("2")
    assert desk.stored(4)[2:] == ["1. A o =0", "2. B o /.. =4"]


def test_a_forgotten_stroke_is_inserted_after_its_lines_were_shown(tablet: Tablet, served: Served) -> None:
    desk = opened(Desk(tablet(), served.url))
    desk.keys("1").keys("2").stored(4)
    desk.ready().tap(
        "#strokes li:nth-child(2) button", "dialog >> text=was forgotten", "[data-pins='0']", "dialog .go"
    )
    expect(desk.page.locator("dialog .lines li")).to_have_count(5)
    desk.tap("dialog .go")
    assert desk.stored(9)[6:] == ["1. A o =0", "2. B o /. =2", "3. A o /.. =4"]


def test_a_presenter_moves_the_clock_alone_and_a_text_field_keeps_its_letters(
    tablet: Tablet, served: Served
) -> None:
    desk = opened(Desk(tablet(), served.url))
    clock = desk.page.locator("#clock")
    desk.page.keyboard.press("PageDown")
    expect(clock).to_have_attribute("data-running", "true")
    desk.page.keyboard.press("b")
    expect(clock).to_have_attribute("data-running", "false")
    desk.page.keyboard.press("n")
    desk.page.keyboard.type("table 4 + lamp")
    desk.page.keyboard.press("Enter")
    assert desk.stored(3)[2:] == ['note "table 4 + lamp"']


def test_b23_a_stroke_from_the_keypad_stops_the_clock(tablet: Tablet, served: Served) -> None:
    desk = opened(Desk(tablet(), served.url))
    desk.page.keyboard.press("NumpadEnter")
    expect(desk.page.locator("#clock")).to_have_attribute("data-running", "true")
    desk.keys("Numpad0").stored(3)
    expect(desk.page.locator("#clock")).to_have_attribute("data-running", "false")
    expect(desk.page.locator("#clock [data-seconds]")).to_have_text("40")


def test_a_match_is_closed_and_who_has_not_signed_is_written_down(tablet: Tablet, served: Served) -> None:
    desk = opened(Desk(tablet(), served.url, Sets="", Distance="2"))
    desk.keys("1")
    desk.tap(
        "[data-do='good']", ".signatures [name='A']", ".signatures [name='referee']", "[data-do='close']"
    )
    desk.page.locator("dialog .hold").dispatch_event("pointerdown")
    expect(desk.page.locator("[data-do='reopen']")).to_be_visible()
    assert desk.stored(6)[-2:] == ['note "Not signed: Luca Bianchi"', "Status: closed"]


@pytest.mark.parametrize("size", [TABLET, UPRIGHT, PHONE])
@pytest.mark.parametrize("lang", ["en", "de"])
def test_nothing_scrolls_or_is_cut_while_strokes_are_entered(
    size: tuple[int, int], lang: str, tablet: Tablet, served: Served
) -> None:
    desk = opened(Desk(tablet(size, lang=lang), served.url, A="Maximiliane Freifrau von Droste zu Hülshoff"))
    desk.tap("[data-key='missed']", "[data-pins='0']").ready()
    cut = desk.page.evaluate("""() => [...document.querySelectorAll("button, .board p, #top p")]
      .filter(one => one.offsetParent && !one.closest("#strokes")).filter(one => {
        const box = one.getBoundingClientRect();
        const inner = one.matches("button") && one.scrollWidth > one.clientWidth + 1;
        return inner || box.left < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
      }).map(one => one.textContent.trim())""")
    assert cut == []
    small = desk.page.evaluate("""() => [...document.querySelectorAll("button")]
      .filter(one => one.offsetParent).map(one => [one.textContent.trim(), one.offsetWidth, one.offsetHeight])
      .filter(([, width, height]) => width < 44 || height < 44)""")
    assert small == []


@pytest.mark.parametrize("size", [TABLET, UPRIGHT])
def test_what_commits_is_as_large_as_a_finger_needs_on_a_tablet(
    size: tuple[int, int], tablet: Tablet, served: Served
) -> None:
    desk = opened(Desk(tablet(size), served.url))
    sizes = desk.page.eval_on_selector_all(
        "[data-pins], #undo, #time", "all => all.map(one => [one.offsetWidth, one.offsetHeight])"
    )
    assert len(sizes) == 12
    assert all(width >= 177 and height >= 106 for width, height in sizes)  # 30 × 18 mm at 149 ppi


def test_the_page_shows_at_every_moment_what_a_referee_must_see(tablet: Tablet, served: Served) -> None:
    desk = opened(Desk(tablet(), served.url))
    desk.keys("/", "0").stored(3)
    body = desk.page.locator("body")
    for text in ("to play", "yellow ball", "ball in hand", "needs 28", "Set 1", "connected", "devices: 1"):
        expect(body).to_contain_text(text)
    expect(body).to_contain_text("Referee: Anna Verdi")
    expect(desk.page.locator(".t-saved")).to_have_text(
        re.compile(rf"saved #{desk.before + 3} \d\d:\d\d:\d\d")
    )


def test_every_button_has_a_name(tablet: Tablet, served: Served) -> None:
    desk = opened(Desk(tablet(), served.url))
    names = desk.page.eval_on_selector_all(
        "button", "all => all.map(one => one.getAttribute('aria-label') || one.textContent.trim())"
    )
    assert all(names[: names.index("Undo") + 1])


@pytest.mark.parametrize("size", [TABLET, UPRIGHT, PHONE])
@pytest.mark.parametrize("place", ["desk", "table", "hall", "match"])
def test_the_accents_of_capitals_are_not_cut_off(
    place: str, size: tuple[int, int], tablet: Tablet, served: Served
) -> None:
    """Every letter of a name lies within the box that cuts what is too long."""
    desk = opened(Desk(tablet(size), served.url, A="Jörg Über-Müller", B="Ñandú Ávila"))
    path = {"desk": "", "table": "/tables/T1", "hall": "/hall", "match": f"/matches/{desk.match}"}[place]
    if path:
        desk.page.goto(f"{served.url}{path}")
    name = desk.page.locator("[data-put='A.name']").first
    expect(name).to_have_text("Jörg Über-Müller")
    assert name.evaluate("one => one.scrollHeight <= one.clientHeight")
    assert name.evaluate(ROOM_ABOVE) >= 0


def test_the_accents_of_capitals_are_not_cut_off_in_what_the_desk_says_of_strokes(
    tablet: Tablet, served: Served
) -> None:
    desk = opened(Desk(tablet(), served.url, A="Über-Müller", B="Ávila"))
    desk.keys("2").stored(3)
    for place in (".l-side", ".p-words", ".t-referee"):
        assert desk.page.locator(place).first.evaluate(ROOM_ABOVE) >= 0, place


@pytest.mark.parametrize("lang", ["en", "it"])
def test_the_captions_of_the_keys_lie_within_them_on_a_phone(
    lang: str, tablet: Tablet, served: Served
) -> None:
    """With the arrow too that shows whose the points are."""
    desk = opened(Desk(tablet(PHONE, lang=lang), served.url, Rules="FIBiS-2022"))
    expect(desk.page.locator("[data-pins='R+4'] [data-points]")).to_contain_text("▶")
    outside = desk.page.evaluate("""() => [...document.querySelectorAll("#pad .key > *")]
      .filter(one => one.offsetParent && !one.matches(".unseen")).filter(one => {
        const [inner, key] = [one.getBoundingClientRect(), one.parentElement.getBoundingClientRect()];
        return inner.left < key.left || inner.right > key.right
          || inner.top < key.top || inner.bottom > key.bottom
          || one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline";
      }).map(one => one.textContent)""")
    assert outside == []


def test_what_is_queued_is_told_in_words_and_a_desk_that_is_cut_off_does_not_say_that_it_is_connected(
    tablet: Tablet, served: Served
) -> None:
    context = tablet()
    desk = opened(Desk(context, served.url))
    context.set_offline(True)
    desk.keys("0").keys("+", "0").ready()
    queued = desk.page.locator("#strokes .queued")
    expect(queued.nth(1)).to_have_text("not sent Rossi: no points")
    expect(queued.nth(0)).to_have_text("not sent Bianchi: cannon 4 → Luca Bianchi")
    expect(desk.page.locator("[data-put='last']")).to_have_text("Luca Bianchi: cannon 4")
    expect(desk.page.locator(".t-link")).to_have_text("no connection")
    expect(desk.page.locator(".t-devices")).to_have_text("devices: ?")
    context.set_offline(False)
    desk.stored(4)
    expect(desk.page.locator(".t-link")).to_have_text("connected")
    expect(desk.page.locator(".t-devices")).to_have_text("devices: 1")


def test_a_tablet_whose_right_is_taken_back_says_so_and_takes_nothing_more(
    tablet: Tablet, browser: Browser, served: Served
) -> None:
    office = Desk(tablet(), served.url)
    grant = office.post("/grants", {"role": "referee", "label": "Table 1"})
    context = browser.new_context(viewport={"width": 1280, "height": 800}, has_touch=True)
    page = context.new_page()
    page.goto(f"{served.url}/api")
    assert page.evaluate(ENTER, grant["link"].partition("#")[2]) == 200
    desk = opened(Desk(context, served.url))
    assert office.post(f"/grants/{grant['grant']['id']}/revoke", {})
    expect(desk.page.locator("#reader")).to_contain_text("Your right was taken back", timeout=15_000)
    expect(desk.page.locator("#reader a")).to_have_attribute("href", "/enter")
    expect(desk.page.locator("#reader button")).to_be_hidden()
    expect(desk.page.locator("#pad")).to_be_hidden()
    context.close()


def test_before_it_is_known_who_keeps_the_match_the_keys_are_there_and_say_what_they_wait_for(
    tablet: Tablet, served: Served
) -> None:
    context = tablet()
    desk = opened(Desk(context, served.url))
    again = context.new_page()
    waiting = held_back(again, "**/desk?lang=*")
    again.route_web_socket(re.compile("/live"), lambda _: None)
    again.goto(f"{served.url}/matches/{desk.match}/desk")
    expect(again.locator("#pad")).to_be_visible()
    expect(again.locator("#preview")).to_contain_text("Asking for the desk …")
    again.keyboard.press("1")
    while not waiting:
        again.wait_for_timeout(50)
    waiting[0].continue_()
    expect(again.locator(OPEN_PAD)).to_be_visible()
    assert desk.lines == ["lag A", "set 1 A"]


def test_the_lists_of_fouls_open_only_while_a_stroke_is_expected(tablet: Tablet, served: Served) -> None:
    desk = opened(Desk(tablet(), served.url, Distance="12"))
    desk.keys("d")
    expect(desk.page.locator("dialog")).to_contain_text("Which ball left the table?")
    desk.page.keyboard.press("Escape")
    expect(desk.page.locator("dialog")).to_have_count(0)
    desk.keys("9")
    expect(desk.page.locator("body")).to_have_attribute("data-phase", "distance")
    desk.page.wait_for_timeout(1000)  # the guard of the pad is open again
    for key in ("d", "o", "f", "+", "s"):
        desk.page.keyboard.press(key)
        expect(desk.page.locator("dialog")).to_have_count(0)


def test_facts_that_are_typed_while_a_line_is_sent_are_asked_for_again(
    tablet: Tablet, served: Served
) -> None:
    desk = opened(Desk(tablet(), served.url))
    waiting = held_back(desk.page, f"**/matches/{desk.match}/log?lang=*")
    desk.keys("1").ready().keys("f")
    with desk.page.expect_response("**/preview*"):
        desk.page.locator("dialog input").fill("o r /5")
    save = desk.page.locator("dialog .go")
    expect(save).to_be_disabled()
    waiting[0].continue_()
    expect(save).to_be_enabled()
    save.tap()
    assert desk.stored(4)[2:] == ["1. A o /. =2", "2. B o r /5 =12"]


def test_b73_where_no_referee_is_named_the_lag_asks_who_and_waits_for_nothing(
    tablet: Tablet, served: Served
) -> None:
    desk = Desk(tablet(), served.url, Referee="")
    who = desk.page.locator(".panel[data-phase='lag'] [data-do='referee']")
    expect(who).to_have_text("Who referees?")
    expect(desk.page.locator("[data-do='lag A']")).to_be_visible()
    who.tap()
    desk.page.locator("dialog input").fill("Anna Verdi")
    desk.page.locator("dialog .go").tap()
    expect(desk.page.locator("#top")).to_contain_text("Referee: Anna Verdi")
    expect(who).to_be_hidden()
    assert desk.stored(1) == ['referee "Anna Verdi"']


def test_a_match_that_is_over_stays_open_to_who_must_close_it(tablet: Tablet, served: Served) -> None:
    desk = opened(Desk(tablet(), served.url)).given('end B left "ill"')
    desk.page.goto(served.url)
    card = desk.page.locator(f"section[aria-labelledby='recent'] [data-match='{desk.match}']")
    expect(card.get_by_role("link", name="Desk")).to_be_visible()
    command = {"command_id": next(ids), "expected_seq": len(desk.rows), "lines": ["Status: closed"]}
    assert "seq" in desk.post(f"/matches/{desk.match}/log", command)
    desk.page.reload()
    expect(card).to_be_visible()
    expect(card.get_by_role("link", name="Desk")).to_be_hidden()


@pytest.mark.parametrize("size", [TABLET, PHONE])
def test_every_target_of_the_pages_around_the_desk_can_be_hit_with_a_finger(
    size: tuple[int, int], tablet: Tablet, served: Served
) -> None:
    desk = opened(Desk(tablet(size), served.url))
    for path in (f"/matches/{desk.match}", "/", "/matches/new", "/rights", "/settings", "/equipment"):
        desk.page.goto(f"{served.url}{path}")
        expect(desk.page.locator("main")).to_be_visible()
        small = desk.page.evaluate("""() => [...document.querySelectorAll("button, .button, summary, nav a")]
          .filter(one => one.checkVisibility() && (one.offsetWidth < 44 || one.offsetHeight < 44))
          .map(one => one.textContent.trim())""")
        assert small == [], path


def test_ordinary_names_are_whole_on_the_display_of_four_tables(tablet: Tablet, served: Served) -> None:
    desk = Desk(tablet(), served.url)
    names = ["Elena Marrone", "Giulia Bianchini", "Alessandro Dell'Acqua", "Óscar Fernández"]
    for number, name in enumerate(names, 1):
        head = HEAD | {"A": name, "B": names[-number], "Table": f"T{number}"}
        assert "match" in desk.post("/matches", {"command_id": next(ids), "head": head})
    desk.page.goto(f"{served.url}/hall")
    expect(desk.page.locator("[data-put='A.name']:visible")).to_have_text(names)
    cut = """all => all
      .filter(one => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight)
      .map(one => one.textContent)"""
    assert desk.page.locator(".b-name:visible").evaluate_all(cut) == []


def test_the_page_weighs_no_more_than_80_kilobytes(tablet: Tablet, served: Served) -> None:
    context = tablet()
    desk = opened(Desk(context, served.url))
    weights = desk.page.evaluate("""() => [...performance.getEntriesByType("navigation"),
      ...performance.getEntriesByType("resource")].filter(one => !one.name.includes("fouls=2"))
      .map(one => one.encodedBodySize)""")
    assert len(weights) > 20
    assert sum(weights) <= 80_000


def _luminance(colour: str) -> float:
    digits = colour.removeprefix("#")
    pairs = [2 * one for one in digits] if len(digits) == 3 else re.findall("..", digits)
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (int(pair, 16) / 255 for pair in pairs)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_every_colour_of_the_theme_can_be_read() -> None:
    """Text on its role 4.5:1, edges of controls 3:1, in both themes; light is written twice, the same."""
    blocks = re.findall(r"(:root[^{]*)\{([^}]*)\}", (STATIC / "theme.css").read_text("utf-8"))
    tokens = [dict(re.findall(r"(--[\w-]+): (#\w+)", block)) for _, block in blocks]
    assert tokens[1] == tokens[2]
    for theme in (tokens[0], tokens[0] | tokens[2]):
        for role in (name for name in theme if name.startswith("--on-")):
            assert _contrast(theme[role], theme["--" + role.removeprefix("--on-")]) >= 4.5, role
        for ground in ("--ground", "--panel", "--raised"):
            for text in ("--text", "--muted", "--link", "--foul-text"):
                assert _contrast(theme[text], theme[ground]) >= 4.5, (text, ground)
            assert _contrast(theme["--edge"], theme[ground]) >= 3, ground
            assert _contrast(theme["--focus"], theme[ground]) >= 3, ground


def test_every_text_of_the_desk_scripts_is_in_the_catalogues() -> None:
    scripts = "\n".join(one.read_text("utf-8") for one in (STATIC / "desk").glob("*.js"))
    said = set(re.findall(r'\bsay\(\s*"((?:[^"\\]|\\.)*)"', scripts))
    assert len(said) > 200
    assert said <= set(DESK)
