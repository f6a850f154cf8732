"""The match of examples/primavera.fpn, played on the desk: its log comes out as the file."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, Protocol

import pytest
from playwright.sync_api import Page, Route, expect

from browser.conftest import ROOT, NewContext, NewPage
from browser.desk import PINS, Desk, Travel, asked, ids, signed_in, until
from conftest import SITES
from serving import Site

FILE = ROOT / "examples" / "primavera.fpn"


class Hand(Protocol):
    """How a referee enters things."""

    def clock(self) -> None: ...
    def late(self) -> None: ...
    def named(self, *keys: str, pins: str) -> None: ...
    def stroke(self, *keys: str) -> None: ...
    def facts(self, text: str) -> None: ...
    def fix(self, *keys: str, turn: int, pins: str, reason: str) -> None: ...
    def undo(self, reason: str) -> None: ...
    def pause(self) -> None: ...
    def go(self, act: str) -> None: ...
    def note(self, text: str) -> None: ...


class Touch:
    """Taps alone, with the tablet's own keyboard for texts."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.page = desk.page

    def clock(self) -> None:
        self.desk.tap("clock")

    def late(self) -> None:
        self.desk.tap("time")

    def castle(self, *keys: str, pins: str) -> None:
        self.desk.ready().tap(*keys, "castle")
        for pin in pins:
            self.page.tap(f".pin-{pin}")
        self.page.tap("dialog .go")

    def named(self, *keys: str, pins: str) -> None:
        self.castle(*keys, pins=pins)

    def stroke(self, *keys: str) -> None:
        self.desk.ready()
        for key in keys:
            if key in (*PINS, "cannon", "missed", "spot"):
                self.desk.tap(key)
            else:
                self.desk.tap("off" if key == "Own ball off" else "other")
                self.page.get_by_role("dialog").get_by_text(key, exact=True).tap()

    def facts(self, text: str) -> None:
        self.desk.ready().tap("facts")
        self.page.fill("dialog input", text)
        self.page.tap("dialog .go:enabled")

    def fix(self, *keys: str, turn: int, pins: str, reason: str) -> None:
        self.page.locator("#strokes button", has=self.page.get_by_text(str(turn), exact=True)).first.tap()
        self.page.get_by_text("Correct it").tap()
        self.castle(*keys, pins=pins)
        self.page.fill("dialog input", reason)
        self.page.tap("dialog .go")

    def menu(self, item: str) -> None:
        self.desk.tap("menu")
        self.page.get_by_role("dialog").get_by_role("button", name=item).tap()

    def pause(self) -> None:
        self.menu("Break")
        self.page.get_by_role("dialog").get_by_role("button", name="Break all the same").tap()

    def undo(self, reason: str) -> None:
        self.menu("Undo with a reason")
        self.page.fill("dialog input", reason)
        self.page.tap("dialog .go")

    def go(self, act: str) -> None:
        self.desk.tap(act)

    def note(self, text: str) -> None:
        self.desk.ready().tap("note")
        self.page.fill("dialog input", text)
        self.page.tap("dialog .go")


class Keypad:
    """Keys alone."""

    KEYS: ClassVar = {
        "cannon": "NumpadAdd", "missed": "NumpadDivide", "spot": "s", "Own ball off": "d Numpad1",
        "Foot": "o", "0": "Numpad0", "2": "Numpad2", "R": "Numpad5",
    }  # fmt: skip

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.page = desk.page

    def clock(self) -> None:
        self.desk.keypad("NumpadEnter")

    def late(self) -> None:
        self.desk.keypad("t")

    def stroke(self, *keys: str) -> None:
        self.desk.ready()
        for key in keys:
            self.desk.keypad(*self.KEYS[key].split())
            if key == "Foot":
                self.page.get_by_role("dialog").get_by_text(key, exact=True).press("Enter")
            expect(self.page.locator("dialog")).to_have_count(0)

    def typed(self, text: str) -> None:
        expect(self.page.locator("dialog input")).to_be_focused()
        self.desk.keypad("ControlOrMeta+a")
        self.page.keyboard.type(text)
        expect(self.page.locator("dialog .go")).to_be_enabled()
        self.desk.keypad("Enter")
        expect(self.page.locator("dialog .facts-words")).to_have_count(0)

    def named(self, *keys: str, pins: str) -> None:
        by = "c/" if "cue" in keys else "/"
        self.facts(" ".join(["o", *("r" for key in keys if key == "cannon"), by + pins]))

    def facts(self, text: str) -> None:
        self.desk.ready().keypad("f")
        self.typed(text)

    def fix(self, *keys: str, turn: int, pins: str, reason: str) -> None:
        self.menu("Correct a stroke")
        self.page.get_by_role("dialog").locator("button", has_text=f"{turn} Marco Rossi").press("Enter")
        expect(self.page.locator("#purpose")).to_contain_text(f"Correct stroke {turn}")
        self.facts(" ".join(["o", *("r" for _ in keys), "/" + pins]))
        self.typed(reason)

    def menu(self, item: str) -> None:
        self.desk.keypad("m")
        self.page.get_by_role("dialog").get_by_role("button", name=item).press("Enter")

    def pause(self) -> None:
        self.menu("Break")
        expect(self.page.get_by_role("dialog")).to_contain_text("Break all the same")
        self.desk.keypad("Numpad1")

    def undo(self, reason: str) -> None:
        self.menu("Undo with a reason")
        self.typed(reason)

    def go(self, act: str) -> None:
        if act in ("good", "open A"):
            self.desk.keypad("NumpadEnter")
        else:
            self.desk.key(act).press("Enter")

    def note(self, text: str) -> None:
        self.desk.ready().keypad("n")
        self.typed(text)


def play(desk: Desk, hand: Hand, time: Travel) -> None:
    """The match, as somebody would enter it who sees it: a line is saved before the next thing happens."""

    def do(act: Callable[..., None], *keys: str, **words: Any) -> None:
        seq = desk.board()["seq"]
        act(*keys, **words)
        expect(desk.page.locator(".t-saved")).to_contain_text(re.compile(rf"#{seq + 1}\b"))

    def after(seconds: int, act: Callable[..., None], *keys: str, limit: int = 40, **words: Any) -> None:
        hand.clock()
        time.settled(running=True)
        time.forward(seconds, limit)
        hand.clock()
        time.settled(running=False)
        do(act, *keys, **words)

    do(hand.go, "lag B")
    expect(desk.key("open B")).to_be_visible()
    desk.page.clock.set_fixed_time("2026-03-14T14:05:10Z")
    do(hand.go, "open B")
    desk.page.clock.set_system_time("2026-03-14T14:05:12Z")
    after(21, hand.named, pins="1")
    after(34, hand.named, "cannon", pins="13")
    after(28, hand.facts, "| o o-r /5")
    after(19, hand.stroke, "0")
    after(30, hand.named, "cue", pins="2")
    after(37, hand.facts, "r /4 o")
    after(25, hand.stroke, "cannon", "0")
    after(40, hand.late)
    after(12, hand.named, pins="25", limit=20)
    after(18, hand.stroke, "missed", "0")
    do(hand.fix, "cannon", turn=2, pins="135", reason="centre pin had fallen too; both players agree")
    after(33, hand.stroke, "spot", "Own ball off", "0")
    desk.shows(22, 27)
    after(22, hand.stroke, "R")
    desk.phase("distance")
    do(hand.undo, "entered for the wrong table")
    after(24, hand.stroke, "2")
    desk.phase("distance")
    do(hand.go, "good")
    desk.phase("between")
    do(hand.pause)  # the players' wish: the rule set gives none after a first set of three
    expect(desk.page.locator(".break-timer:visible")).to_be_visible()
    do(hand.go, "open A")
    after(17, hand.stroke, "Foot", "0")
    do(hand.facts, "? =6")
    after(40, hand.late)
    after(20, hand.late, limit=20)
    do(hand.note, "A warned for leaving his chair (47)")
    desk.shows(0, 12)


def events(path: Path) -> list[str]:
    """The events of the file, without its comments; a `score` is what the screen shows there."""
    lines = path.read_text("utf-8").partition("\n\n")[2].splitlines()
    bare = [re.sub(r"\s+#.*", "", line) for line in lines]
    return [line for line in bare if not line.startswith("score ")]


@pytest.mark.parametrize(
    ("how", "site"), [(Touch, SITES[0]), (Keypad, SITES[1])], indirect=["site"], ids=["touch", "keypad"]
)
def test_the_example_match_comes_out_as_its_file(
    how: type[Touch | Keypad], site: Site, new_context: NewContext, new_page: NewPage, allowed: list[str]
) -> None:
    """Of two servers, one has the desk and the other the display; their logs are the same."""
    allowed.append("422")  # facts that are half typed
    at_desk, at_display = site.servers[0], site.servers[-1]
    context = signed_in(new_context(touch=True), at_desk)
    head = FILE.read_text("utf-8").partition("\n\n")[0]
    command = {"command_id": next(ids), "fpn": head}
    match = asked(context, f"{at_desk.url}/matches", command)["match"]
    display = new_page(f"{at_display.url}/matches/{match}")
    page: Page = context.new_page()
    time = Travel(page, "2026-03-14T14:05:00Z")
    desk = Desk(page, at_desk.url, match=match)
    play(desk, how(desk), time)
    expect(display.locator("[data-put='B.score']").first).to_have_text("12")
    stamped = {"good", "pause", "set 2"}  # the desk stamps what the writer of the file has left out
    desk.url = at_display.url
    came = [re.sub(r" at=\S+", "", line) if line.startswith(tuple(stamped)) else line for line in desk.log()]
    assert came == events(FILE)


@pytest.mark.parametrize("site", SITES[:1], indirect=True)
def test_what_is_saved_is_what_was_typed_however_late_the_answer_to_less_of_it_comes(
    site: Site, new_context: NewContext
) -> None:
    context = signed_in(new_context(), site.servers[0])
    page = context.new_page()
    page.clock.install()
    desk = Desk(page, site.servers[0].url, "lag A", "set 1 A").ready().keypad("f")
    facts, save = page.locator("dialog input"), page.locator("dialog .go")
    held: list[Route] = []
    page.route("**/preview*", lambda route: held.append(route))  # noqa: PLW0108 - Playwright binds no builtin
    facts.fill("o")
    page.clock.run_for(1000)
    until(page, lambda: bool(held))
    facts.fill("o /25")
    with page.expect_response("**/preview*"):
        held[0].continue_()
    facts.press("Enter")
    page.clock.run_for(1000)
    until(page, lambda: len(held) > 1)
    held[1].continue_()
    expect(save).to_be_enabled()
    facts.press("Enter")
    until(page, lambda: desk.plain()[2:] == ["1. A o /25 =6"])
