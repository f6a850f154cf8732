"""Strokes on the desk: every row of its table of keys, by touch and by keypad, and what is said."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import expect

from browser.conftest import NewDesk
from browser.desk import PINS, PREFIXES, Desk, held_back

OPENED: Final = ("lag A", "set 1 A")

ROWS: Final = (
    ("2", "o /..", 4, -4),  # the starting stroke: in 2022 its points are the opponent's
    ("0", "o", 0, 0),
    ("1", "o /.", 2, 2),
    ("2", "o /..", 4, 4),
    ("3", "o /...", 6, 6),
    ("4", "o /....", 8, 8),
    ("R", "o /5", 8, 10),
    ("R+1", "o /.5", 6, 6),
    ("R+2", "o /..5", 8, 8),
    ("R+3", "o /...5", 10, 10),
    ("R+4", "o /....5", 12, 12),
    ("cannon 0", "o r", 4, 4),
    ("casin 0", "o o-r", 3, 3),
    ("cannon R", "o r /5", 12, 14),
    ("cannon R+1", "o r /.5", 10, 10),
    ("cannon 2", "o r /..", 8, 8),
    ("casin R+3", "o o-r /...5", 13, 13),
    ("cue 2", "o c/..", -4, -4),
    ("cannon cue 2", "o r c/..", -8, -8),
    ("missed 0", "-", -2, -2),
    ("missed 1", "c/.", -4, -4),
    ("red 0", "r", -4, -4),
    ("red 2", "r o /..", -8, -8),
    ("red red 2", "r r/..", -8, -8),  # pressed again, it is the red ball alone
    ("off-own 1", "o /. c^", -4, -4),
    ("off-other 0", "o o^", -2, -2),
    ("cannon off-red 0", "o r r^", -6, -4),  # the red ball counts 2 in 2022
    ("first 1", "c/. o", -4, -4),
    ("wrong-ball 0", "o !wrong-ball", -2, -2),
    ("motion 0", "o !motion", -2, -2),
    ("tip 0", "o !tip", -2, -2),
    ("touched 0", "o !touched", -2, -2),
    ("contact 0", "o !contact", -2, -2),
    ("foot 0", "o !foot", -2, -2),
    ("jump 0", "o !jump", -2, -2),
    ("push 1", "o /. !push", -4, -4),
    ("missed off-own 0", "- c^", -4, -2),  # distinct fouls add up in the older book alone
    ("red off-own R+1", "r o /.5 c^", -12, -10),
)
"""Keys, facts, and points to the striker in UMB 1997 and FIBiS 2022; below nothing, the opponent's."""

OFF: Final = {"off-own": "Own ball off", "off-other": "Object ball off", "off-red": "Red ball off"}
OTHER: Final = {
    "first": "Pins first", "wrong-ball": "Wrong ball", "motion": "Balls in motion", "tip": "Leather tip",
    "touched": "Touched", "contact": "Ball in contact", "foot": "Foot", "jump": "Jump",
    "push": "Pushed through",
}  # fmt: skip
KEYPAD: Final = {
    **{pins: f"Numpad{place}" for place, pins in enumerate(PINS)},
    "cannon": "NumpadAdd", "casin": "NumpadSubtract", "cue": "NumpadDecimal", "missed": "NumpadDivide",
    "red": "NumpadMultiply",
}  # fmt: skip


def by_touch(desk: Desk, key: str) -> None:
    if key in PREFIXES or key in PINS:
        desk.tap(key)
    else:
        desk.tap("off" if key in OFF else "other").pick((OFF | OTHER)[key]).alone()


def by_keypad(desk: Desk, key: str) -> None:
    if key in KEYPAD:
        desk.keypad(KEYPAD[key])
        return
    fouls = OFF if key in OFF else OTHER
    desk.keypad("d" if key in OFF else "o")
    expect(desk.dialog).to_be_visible()
    desk.keypad(f"Numpad{[*fouls].index(key) + 1}").alone()


@pytest.mark.parametrize("book", ["UMB-1997", "FIBiS-2022"])
@pytest.mark.parametrize("press", [by_touch, by_keypad])
def test_every_row_of_the_key_table_is_the_stroke_it_says(
    press: Callable[[Desk, str], None], book: str, new_desk: NewDesk
) -> None:
    """The pin key says the points before it is pressed; the log has facts, points and side."""
    desk = new_desk(*OPENED, stepped=True, Rules=book, Sets="", Distance="400", Clock="").ready()
    desk.skip(11)  # the rulings of two fouls are fetched when nothing is in a hurry any more
    expected = []
    for turn, (keys, facts, *points) in enumerate(ROWS, 1):
        *before, pins = keys.split()
        worth = points[book == "FIBiS-2022"]
        for key in before:
            press(desk, key)
        expect(desk.key(pins).locator("[data-points]")).to_contain_text(f"{abs(worth)} p")
        press(desk, pins)
        desk.skip(1).ready()
        expected.append(f"{turn}. {'BA'[turn % 2]} {facts} ={worth}")
    desk.wrote(*expected)


def test_what_a_key_comes_to_and_what_to_say_are_shown_before_it_commits(new_desk: NewDesk) -> None:
    """Under the finger, at the mouse and at the focus; the announcement in the language of the match."""
    desk = new_desk(*OPENED, "1. A o =0", Rules="FIBiS-2022").ready().tap("cannon")
    desk.says("Cannon …").says("then the pins that fell")
    words = "cannon 4 + lone centre pin 10 = 14 → Luca Bianchi"
    for begins, ends in (("pointerdown", "pointerup"), ("focus", "blur")):
        if begins == "focus":
            desk.keypad("Tab")
            desk.key("R").focus()
        else:
            desk.key("R").dispatch_event(begins)
        desk.says(words)
        expect(desk.at(".p-announce")).to_have_attribute("lang", "it")
        expect(desk.at(".p-announce")).to_contain_text("14 punti")
        if begins == "focus":
            desk.key("R").blur()
        else:
            desk.key("R").dispatch_event(ends)
        desk.says("Cannon …")
    desk.tap("cue")
    desk.key("2").hover()
    desk.says("→ Marco Rossi")
    assert desk.log() == [*OPENED, "1. A o =0"]
    desk.tap("R").says("Marco Rossi +14 → 14")
    desk.shows(14, 0)


def test_an_announcement_is_spoken_by_a_screen_reader(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED).strokes("2")
    live = desk.page.get_by_role("region", name="Stroke").locator("[aria-live='polite']")
    expect(live.filter(has_text="4 punti")).to_have_attribute("lang", "it")
    expect(live.filter(has_text="Marco Rossi +4 → 4")).to_have_attribute("aria-atomic", "true")


def test_ball_in_hand_offers_the_object_ball_on_its_spot_44_5(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED).ready()
    expect(desk.at("[data-key='spot']")).to_be_hidden()
    desk.tap("missed", "0")
    expect(desk.at("[data-put='B.hand']")).to_have_text("ball in hand")
    expect(desk.key("spot")).to_contain_text("object ball on its spot (44.5)")
    desk.ready().tap("spot")
    expect(desk.key("spot")).to_have_attribute("aria-pressed", "true")
    desk.says("object ball on its spot").tap("cannon", "R").ready()
    expect(desk.at("[data-key='spot']")).to_be_hidden()
    desk.wrote("1. A - =-2", "2. B spot o r /5 =12")


def test_pins_are_named_on_the_castle_and_those_that_are_covered_are_not_in_play(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED).ready().tap("castle")
    desk.pick(re.compile("^1"), re.compile("^3"), "Save this stroke")
    desk.ready().key("R+1").dispatch_event("pointerdown")  # and stays down
    desk.pick("A ball covers a seat", re.compile("^4"), "A ball covers a seat", re.compile("^2"))
    desk.pick("Save this stroke").ready()
    desk.wrote("1. A o /13 =4", "2. B off/4 o /2 =2")


def test_a_covered_seat_greys_the_keys_that_became_impossible_and_is_not_forgotten(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED).ready().tap("castle")
    desk.pick("A ball covers a seat", re.compile("^5"), re.compile("^4"), "Cancel").alone()
    desk.says("pins out of play: 45 … 0–6 p → Marco Rossi")
    for pins in PINS:
        can = "false" if pins in "0123" else "true"
        expect(desk.key(pins)).to_have_attribute("aria-disabled", can)
    desk.key("R").dispatch_event("click")
    desk.tap("3").ready()
    expect(desk.key("R")).to_have_attribute("aria-disabled", "false")
    desk.wrote("1. A off/45 o /... =6").row(1).pick("Correct it").says("pins out of play: 45")
    desk.tap("2").typed().ready().wrote("1. A off/45 o /... =6", 'fix 1 off/45 o /.. =4 "entered wrongly"')


def test_a_key_that_is_held_saves_nothing_before_a_pin_is_named(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED).ready()
    desk.key("2").dispatch_event("pointerdown")
    expect(desk.dialog.get_by_role("button", name="Save this stroke")).to_be_disabled()
    desk.pick(re.compile("^1"), re.compile("^3"), "Save this stroke").ready().wrote("1. A o /13 =4")


def test_two_fouls_are_told_in_words_before_and_after_the_stroke_is_saved(new_desk: NewDesk) -> None:
    """The announcement is in the language of the match; what keys that are down can come to is told too."""
    desk = new_desk(*OPENED, stepped=True).ready()
    with desk.page.expect_response("**/keys/*fouls=2*"):
        desk.skip(11)
    by_touch(desk, "foot")
    desk.says("Foot … 2–14 p → Luca Bianchi · ball in hand").tap("cue")
    desk.says("Foot + Cue ball in pins … 4–14 p → Luca Bianchi · ball in hand")
    expect(desk.key("2").locator("[data-points]")).to_have_text("6 p ▶")
    desk.key("2").dispatch_event("pointerdown")
    words, said = "2 × outer pin 4 + foot 2 = 6", "Birilli, piede. 6 punti"
    desk.says(words)
    announced = desk.at(".p-announce")
    expect(announced).to_contain_text(said)
    desk.key("2").dispatch_event("pointerup")
    desk.tap("2").says("Luca Bianchi +6 → 6").says(words)
    expect(announced).to_contain_text(said)
    desk.wrote("1. A o c/.. !foot =-6")


def test_the_keypad_reaches_every_foul_of_the_longer_list_with_a_0_before_the_tenth(
    new_desk: NewDesk,
) -> None:
    desk = new_desk(*OPENED, Rules="FIBiS-2022", Clock="").ready().keypad("o")
    digits = [*"123456789", "01", "02", "03", "04"]
    expect(desk.at("dialog .foul")).to_have_count(len(digits))
    assert desk.at("dialog .foul").evaluate_all("all => all.map(one => one.dataset.digit)") == digits
    desk.keypad("Escape").alone()
    for digit in "14":
        desk.ready().keypad("o")
        expect(desk.dialog).to_be_visible()
        desk.keypad("Numpad0", f"Numpad{digit}").alone().keypad("Numpad0")
    desk.wrote("1. A o !half =-2", "2. B o !partner =-2")


def test_three_fouls_are_asked_of_the_server_and_confirmed(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED).ready()
    for key in ("foot", "off-own", "cue"):
        by_touch(desk, key)
    desk.tap("2").pick("Save").ready()
    desk.wrote("1. A o c/.. c^ !foot =-8")


def test_b11_fifteen_taps_at_180_ms_are_one_stroke_and_an_intended_one_is_taken(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED, stepped=True).ready().tap("2")
    for _ in range(14):
        desk.skip(0.18).key("2").dispatch_event("click")
    desk.says("taps ignored: 14").skip(1).strokes("2")
    desk.wrote("1. A o /.. =4", "2. B o /.. =4")


def test_a_key_that_is_held_down_is_one_command(new_desk: NewDesk) -> None:
    """Down again while it is down: that is what a repeat is. On a button that has the focus too."""
    desk = new_desk(*OPENED).ready()
    desk.page.keyboard.down("1")
    desk.ready()
    desk.page.keyboard.down("1")
    desk.page.keyboard.up("1")
    desk.key("0").focus()
    desk.page.keyboard.down("Enter")
    desk.ready()
    desk.page.keyboard.down("Enter")
    desk.page.keyboard.up("Enter")
    desk.wrote("1. A o /. =2", "2. B o =0")


def test_a_text_field_keeps_its_letters_and_digits(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED).ready().keypad("n")
    expect(desk.at("dialog input")).to_be_focused()
    desk.page.keyboard.type("5 + t/d xo?")
    desk.keypad("9", "Enter").alone()
    desk.wrote('note "5 + t/d xo?9"')


def test_the_lists_of_fouls_open_only_while_a_stroke_is_expected(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED, stepped=True, Distance="12").ready().keypad("d")
    expect(desk.dialog).to_contain_text("Which ball left the table?")
    desk.keypad("Escape").alone().keypad("9").phase("distance").skip(1)
    for key in ("d", "o", "f", "+", "s"):
        desk.keypad(key).alone()


def test_facts_that_are_typed_while_a_line_is_sent_are_asked_for_again(
    new_desk: NewDesk, allowed: list[str]
) -> None:
    allowed.append("422")  # facts that are half typed
    desk = new_desk(*OPENED).ready()
    waiting = held_back(desk.page, "**/log?lang=*")
    desk.keypad("1").ready().keypad("f")
    expect(desk.dialog.get_by_role("button", name="!touched.10")).to_contain_text("Touched (61.10)")
    with desk.page.expect_response("**/preview*"):
        desk.at("dialog input").fill("o r /5")
    save = desk.at("dialog .go")
    expect(save).to_be_disabled()
    waiting[0].continue_()
    expect(save).to_be_enabled()
    save.tap()
    desk.ready().wrote("1. A o /. =2", "2. B o r /5 =12")
