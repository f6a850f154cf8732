"""What the desk looks like: measures, contrast, names, whole words, on each screen and in both themes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import expect

from browser.conftest import NewDesk

OPENED: Final = ("lag A", "set 1 A")
TABLET, UPRIGHT, PHONE = (1280, 800), (800, 1280), (390, 844)
HERE: Final = Path(__file__).parent
THIN: Final = (HERE / "thin.js").read_text("utf-8")
CONTROLS: Final = (HERE / "controls.js").read_text("utf-8")
CROWDED: Final = (HERE / "crowded.js").read_text("utf-8")
SIZES: Final = "all => all.map(one => one.getBoundingClientRect()).map(({width, height}) => [width, height])"
GAPS: Final = """() => {
  const boxes = [...document.querySelectorAll("#pad button, #undo, .time button")]
    .filter(one => one.checkVisibility()).map(one => one.getBoundingClientRect());
  return Math.min(...boxes.flatMap((one, place) => boxes.slice(place + 1).map(two =>
    Math.max(two.left - one.right, one.left - two.right, two.top - one.bottom, one.top - two.bottom))));
}"""
"""The least distance between two keys."""
COMMITTING: Final = """() => {
  const acts = "clear off other castle facts note referee warmup nolag fixlast reset".split(" ");
  const free = ["header *", ".chip", ".quiet", ".target", "[data-digit]:not(.go, .late)"];
  const asked = free.map(one => `dialog ${one}`);
  const not = [...asked, "#strokes *", "#top *", "[data-key]", ...acts.map(act => `[data-do=${act}]`)].join();
  return [...document.querySelectorAll("button")].filter(one => one.checkVisibility() && !one.matches(not))
    .map(one => [one.textContent.trim(), one.offsetWidth, one.offsetHeight]);
}"""
"""All keys but those of which a tap writes nothing: what they open, or what is a part of a stroke."""
LITTLE: Final = """() => [...document.querySelectorAll("body *")]
  .filter(one => [...one.childNodes].some(node => node.nodeType === 3 && node.textContent.trim()))
  .filter(one => one.checkVisibility() && !one.matches("script"))
  .filter(one => parseFloat(getComputedStyle(one).fontSize) < 12)
  .map(one => `little: ${one.textContent.trim()}`)"""
ROLLED: Final = """() => [...document.querySelectorAll(".panel, #pad")]
  .filter(one => one.scrollHeight > one.clientHeight).map(one => `goes on below: ${one.dataset.phase}`)"""
LOOKS: Final = (CONTROLS, THIN, LITTLE, ROLLED)
APART: Final = """() => {
  const undo = document.querySelector("#undo").getBoundingClientRect();
  const pins = [...document.querySelectorAll("[data-pins]")].map(one => one.getBoundingClientRect());
  return Math.min(...pins.map(({left, right, top, bottom}) =>
    Math.max(left - undo.right, undo.left - right, top - undo.bottom, undo.top - bottom)));
}"""
"""How far Undo is from the pin keys."""
NEWEST: Final = """() => document.querySelector("#strokes li").getBoundingClientRect().bottom
  - document.querySelector("#strokes").getBoundingClientRect().bottom"""
"""By how much the newest stroke of the list is below its end."""
OUTSIDE: Final = """() => [...document.querySelectorAll("button, .board p, #top p")]
  .filter(one => one.offsetParent && !one.closest("#strokes")).filter(one => {
    const box = one.getBoundingClientRect();
    const inner = one.matches("button") && one.scrollWidth > one.clientWidth + 1;
    return inner || box.left < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
  }).map(one => one.textContent.trim())"""
CAPTIONS: Final = """() => [...document.querySelectorAll("#pad .key > *")]
  .filter(one => one.offsetParent && !one.matches(".unseen")).filter(one => {
    const [inner, key] = [one.getBoundingClientRect(), one.parentElement.getBoundingClientRect()];
    return inner.left < key.left || inner.right > key.right
      || inner.top < key.top || inner.bottom > key.bottom
      || one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline";
  }).map(one => one.textContent)"""
NO_LOCK: Final = """Object.defineProperty(navigator, "wakeLock", {value: {request: async () => {
  throw new DOMException("no", "NotAllowedError");
}}});"""
ROOM_ABOVE: Final = """one => {
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


@pytest.mark.parametrize("scripts", [(), (NO_LOCK,)], ids=["alone", "under a bar"])
def test_the_keys_have_their_millimetres_on_the_tablet(scripts: tuple[str, ...], new_desk: NewDesk) -> None:
    """149 ppi: pin keys 33 × 19 mm, prefixes 25 × 12, Undo 33 × 16, what commits 30 × 18, 8 px apart."""
    desk = (
        new_desk(*OPENED, Rules="FIBiS-2022", scripts=scripts).strokes("0").ready().tap("missed", "0").ready()
    )
    expect(desk.at("#sleep")).to_be_visible(visible=bool(scripts))
    least = {
        "[data-pins]": (196, 112), ".prefixes .key": (150, 72), "#undo": (200, 106),
        "#time, #extra": (177, 106),
    }  # fmt: skip
    for keys, (width, height) in least.items():
        sizes = desk.at(keys).evaluate_all(SIZES)
        assert sizes
        assert all(one >= width and other >= height for one, other in sizes), (keys, sizes)
    assert desk.page.evaluate(GAPS) >= 8
    assert desk.page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("size", [TABLET, UPRIGHT])
def test_what_commits_is_30_by_18_millimetres_in_every_phase(
    size: tuple[int, int], new_desk: NewDesk
) -> None:
    desk = new_desk(size=size, Distance="12")

    def looked(*what: str) -> None:
        found = desk.page.evaluate(COMMITTING)
        names = [name for name, *_ in found]
        assert all(any(text in name for name in names) for text in what), (what, names)
        assert [one for one in found if one[1] < 177 or one[2] < 106] == []

    looked("Repeat, nobody's fault", "Luca Bianchi loses the choice", "Undo")
    desk.tap("nolag")
    looked("Marco Rossi")
    desk.pick("Cancel").alone().tap("lag A")
    expect(desk.key("open A")).to_be_visible()
    looked("Opponent Luca Bianchi opens")
    desk.tap("open A").ready()
    looked("R+4", "Undo", "Time +2")
    desk.tap("castle")
    looked("Save this stroke")
    desk.pick("Cancel").ready().tap("note")
    looked("Save")
    desk.pick("Cancel").ready().menu("Break")
    expect(desk.dialog).to_contain_text("The rule set gives a break only after set 2")
    looked("Break all the same")
    desk.pick("Cancel").ready().tap("R+4").phase("distance")
    looked("Good – set for Marco Rossi")
    desk.tap("good").phase("between").tap("open B").strokes("R+4").tap("good").phase("between")
    expect(desk.key("pause")).to_be_visible()
    looked("Break of 5 minutes", "Luca Bianchi refuses the break", "Start set 3")
    desk.menu("Interrupt").typed(text="power cut").phase("suspended")
    looked("The match goes on")
    desk.tap("resume").tap("open A").strokes("R+4").tap("good").phase("over").tap("close")
    looked("Close the match")


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("size", [TABLET, PHONE])
def test_texts_keys_and_names_in_every_phase_and_question(
    size: tuple[int, int], theme: str, new_desk: NewDesk
) -> None:
    """Texts 4.5:1 and 12 px, edges of controls 3:1, 44 px for every finger, a name for every screen reader;
    nothing lies over anything else, or below the end of what does not look as if it went on.
    """
    desk = new_desk(size=size, theme=theme, Distance="12", Rules="FIBiS-2022", Referee="")
    ground = desk.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(16, 24, 20)" if theme == "dark" else "rgb(246, 245, 240)")
    found = {}

    def looked(what: str) -> None:
        looks = LOOKS if desk.dialog.is_visible() else (*LOOKS, CROWDED)
        if wrong := [one for look in looks for one in desk.page.evaluate(look)]:
            found[what] = wrong

    looked("lag")
    desk.tap("warmup")
    looked("warm-up")
    desk.pick("Close").alone().tap("lag A")
    expect(desk.key("open A")).to_be_visible()
    looked("chosen")
    desk.tap("open A").strokes("0").ready().tap("missed", "0").ready()
    looked("play")
    desk.tap("cannon", "cue")
    looked("prefixes")
    for name in ("castle", "other", "off", "facts", "note", "menu"):
        desk.alone().tap(name)
        expect(desk.dialog).to_be_visible()
        looked(name)
        desk.pick("Close" if name == "menu" else "Cancel").alone()
    desk.keypad("?")
    expect(desk.dialog).to_contain_text("outer pins that fell: the stroke is saved")
    looked("help")
    desk.pick("Close").alone()
    desk.tap("clear").row(1).pick("Correct it")
    looked("correction")
    desk.tap("purpose").ready().tap("R+4").phase("distance")
    looked("distance")
    desk.tap("good").phase("between")
    looked("between")
    assert found == {}


@pytest.mark.parametrize("size", [TABLET, UPRIGHT, PHONE])
@pytest.mark.parametrize("locale", ["en", "de"])
def test_nothing_scrolls_or_is_cut_while_strokes_are_entered(
    size: tuple[int, int], locale: str, new_desk: NewDesk
) -> None:
    """And Undo is a thumb away from every pin key."""
    name = "Maximiliane Freifrau von Droste zu Hülshoff"
    desk = new_desk(*OPENED, size=size, locale=locale, A=name).ready().tap("missed", "0").ready()
    assert desk.page.evaluate(OUTSIDE) == []
    assert desk.page.evaluate(APART) >= 88  # 15 mm on the tablet


@pytest.mark.parametrize(("size", "locale"), [(TABLET, "fr"), (UPRIGHT, "fr"), (PHONE, "fr"), (PHONE, "de")])
def test_the_longest_stroke_is_told_whole_on_the_board_in_the_list_and_above_the_keys(
    size: tuple[int, int], locale: str, new_desk: NewDesk
) -> None:
    """Before it is saved and after: no line ends in dots, nothing lies over anything else."""
    desk = new_desk(*OPENED, "1. A o =0", size=size, locale=locale, Rules="FIBiS-2022", Language=locale)
    desk.ready().tap("casin", "other")
    desk.at("dialog [data-digit='02']").tap()  # over the central line
    desk.alone().key("R+4").dispatch_event("pointerdown")
    desk.says("= 16").says("→ Marco Rossi")
    assert desk.page.evaluate(CROWDED) == []
    desk.key("R+4").dispatch_event("pointerup")
    desk.tap("R+4").says("Marco Rossi +16 → 16").saved()
    expect(desk.at(".l-words").first).to_contain_text("= 16")
    assert desk.page.evaluate(CROWDED) == []
    assert desk.page.evaluate(NEWEST) <= 0


@pytest.mark.parametrize("locale", ["en", "it"])
def test_the_captions_of_the_keys_lie_within_them_on_a_phone(locale: str, new_desk: NewDesk) -> None:
    """With the arrow too that shows whose the points are."""
    desk = new_desk(*OPENED, size=PHONE, locale=locale, Rules="FIBiS-2022").ready()
    expect(desk.key("R+4").locator("[data-points]")).to_contain_text("▶")
    assert desk.page.evaluate(CAPTIONS) == []


@pytest.mark.parametrize("size", [TABLET, UPRIGHT, PHONE])
@pytest.mark.parametrize("place", ["", "/tables/T6", "/hall", "/matches/{match}"])
def test_the_accents_of_capitals_are_not_cut_off(
    place: str, size: tuple[int, int], new_desk: NewDesk
) -> None:
    """Every letter of a name lies within the box that cuts what is too long."""
    desk = new_desk(*OPENED, size=size, A="Jörg Über-Müller", B="Ñandú Ávila", Table="T6")
    if place:
        desk.page.goto(desk.url + place.format(match=desk.match))
    name = desk.at("[data-put='A.name']").filter(has_text="Jörg Über-Müller").first
    expect(name).to_be_visible()
    assert name.evaluate("one => one.scrollHeight <= one.clientHeight")
    assert name.evaluate(ROOM_ABOVE) >= 0
    if place == "":
        desk.strokes("2").wrote("1. A o /.. =4")
        expect(desk.at(".l-side")).to_have_text("Über-Müller")
        for text in (".l-side", ".p-words", ".t-referee"):  # found anew: the list is drawn at each change
            assert desk.page.evaluate(f"({ROOM_ABOVE})(document.querySelector('{text}'))") >= 0, text


def test_the_page_shows_at_every_moment_what_a_referee_must_see(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED).ready().keypad("/", "0").wrote("1. A - =-2")
    body = desk.at("body")
    for text in ("to play", "yellow ball", "ball in hand", "needs 28", "Set 1", "connected", "devices: 1"):
        expect(body).to_contain_text(text)
    expect(body).to_contain_text("Referee: Anna Verdi")
    expect(desk.at(".t-saved")).to_have_text(re.compile(rf"saved #{desk.board()['seq']} \d\d:\d\d:\d\d"))


def test_the_first_tap_lets_the_desk_sound_and_a_screen_that_may_sleep_is_told(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED, scripts=(NO_LOCK,)).ready()
    expect(desk.at("#sound")).to_have_text("Tap for sound")
    expect(desk.at("#sleep")).to_contain_text("This screen may fall asleep")
    desk.tap("sound")
    expect(desk.at("#sound")).to_be_hidden()
    assert desk.log() == [*OPENED]


def test_the_mirrored_desk_has_undo_at_the_right_and_remembers_it(new_desk: NewDesk) -> None:
    """The sides of the players never change places."""
    desk = new_desk(*OPENED).ready()

    def left_of(one: str, other: str) -> bool:
        boxes = [desk.at(place).first.bounding_box() for place in (one, other)]
        assert boxes[0]
        assert boxes[1]
        return boxes[0]["x"] < boxes[1]["x"]

    assert left_of("#undo", "#pad")
    desk.menu("Mirror for left-handers").ready()
    for _ in range(2):
        assert left_of("#pad", "#undo")
        assert left_of("[data-side='A']", "[data-side='B']")
        desk.page.reload()
        desk.live().ready()


def test_the_menu_leads_to_the_blank_sheet_for_emergencies(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED).ready()
    # The reader of papers that a browser opens may keep its tab from ever being closed, and the test with it.
    desk.page.context.route("**/sheet.pdf", lambda route: route.fulfill(status=204))
    with desk.page.context.expect_event("request", lambda request: request.url.endswith("/sheet.pdf")):
        desk.menu("Blank sheet for emergencies")
    answer = desk.page.context.request.get(f"{desk.url}/sheet.pdf")
    assert answer.body().startswith(b"%PDF-")
