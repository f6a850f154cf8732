"""The clock bar: balls at rest, the limits of 40 and 20 seconds, extra time, the presenter, the warm-up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import expect

from browser.conftest import NewContext, NewDesk
from browser.desk import Desk, Travel, signed_in
from serving import Served

OPENED: Final = ("lag A", "set 1 A")


@pytest.fixture
def travelling(new_context: NewContext, demo_server: Served) -> Callable[..., tuple[Desk, Travel]]:
    """A desk whose clock is put forward."""

    def make(**head: str) -> tuple[Desk, Travel]:
        page = signed_in(new_context(touch=True), demo_server).new_page()
        time = Travel(page, "2026-03-14T14:05:00Z")
        return Desk(page, demo_server.url, *OPENED, **head).ready(), time

    return make


@pytest.mark.parametrize("press", [Desk.tap, Desk.keypad])
def test_40_seconds_then_20_then_the_turn_is_lost(
    press: Callable[..., Desk], travelling: Callable[..., tuple[Desk, Travel]]
) -> None:
    """The bar offers what the referee confirms; before the time is over there is nothing to confirm."""
    desk, time = travelling()
    clock, late = ("clock", "time") if press is Desk.tap else ("Enter", "t")
    seconds = desk.at("#clock [data-seconds]")
    expect(desk.at("#time")).to_be_disabled()
    desk.keypad("t")
    expect(seconds).to_have_text("40")
    for limit, offer in ((40, "Time +2"), (20, "Time +2, turn passes")):
        press(desk.clock(running=False), clock)
        time.settled(running=True)
        time.forward(limit - 10, limit)
        expect(desk.at("#clock")).to_have_attribute("data-left", "little")
        time.forward(limit, limit)
        expect(desk.at("#clock")).to_have_attribute("data-left", "none")
        press(desk, clock).clock(running=False)
        time.settled(running=False)
        expect(desk.at("#time")).to_be_enabled()
        expect(desk.at("#time")).to_have_text(offer)
        press(desk, late)
        if limit == 40:
            desk.shows(0, 2)
            expect(seconds).to_have_text("20")
    desk.shows(0, 4)
    expect(seconds).to_have_text("40")
    expect(desk.at("[data-put='B.turn']")).to_have_text("to play")
    desk.wrote("late A", "1. A lost =-2")


@pytest.mark.parametrize("press", [Desk.tap, Desk.keypad])
def test_extra_time_is_taken_once_a_set_and_player_and_what_is_left_is_shown(
    press: Callable[..., Desk], new_desk: NewDesk
) -> None:
    desk = new_desk(*OPENED, Rules="FIBiS-2022").ready()
    extra = "extra" if press is Desk.tap else "x"
    expect(desk.key("extra")).to_have_text("Extra timeRossi 1 · Bianchi 1")
    press(desk, extra)
    expect(desk.key("extra")).to_contain_text("Rossi 0 · Bianchi 1")
    expect(desk.key("extra")).to_be_disabled()
    expect(desk.at("#clock [data-seconds]")).to_have_text("1:40")
    desk.keypad("x").strokes("0")
    expect(desk.key("extra")).to_be_enabled()
    expect(desk.at("#clock [data-seconds]")).to_have_text("40")
    desk.wrote("extra A", "1. A o =0")


def test_a_time_limit_that_another_watch_has_measured_is_written_from_the_menu(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED, Clock="").ready()
    expect(desk.at("#clock")).to_be_hidden()
    desk.menu("Time penalty without the clock", "Time +2").ready().shows(0, 2)
    desk.menu("Time penalty without the clock", "Time +2, turn passes").ready().shows(0, 4)
    desk.wrote("late A", "1. A lost =-2")


def test_a_presenter_moves_the_clock_and_nothing_else(new_desk: NewDesk) -> None:
    """Forwards starts and stops, backwards and B hold: what has not begun they do not begin."""
    desk = new_desk(*OPENED).ready().keypad("PageUp", "b").clock(running=False)
    for key, running in (
        ("PageDown", True), ("PageDown", False), ("PageDown", True), ("b", False),
        ("PageUp", True), ("PageUp", False),
    ):  # fmt: skip
        desk.keypad(key).clock(running=running)
    assert desk.log() == [*OPENED]


def test_b23_a_break_or_a_stroke_by_keypad_leaves_no_clock_running(new_desk: NewDesk) -> None:
    """By tap and by keypad the same board, though a break stopped the one and only the stroke the other."""
    boards = []
    for by in ("keypad", "tap"):
        desk = new_desk(*OPENED).ready().tap("clock").clock(running=True)
        if by == "tap":
            desk.menu("Break").clock(running=False).ready().tap("0")
        else:
            desk.keypad("Numpad0")
        desk.saved().clock(running=False)
        expect(desk.at("#clock [data-seconds]")).to_have_text("40")
        boards.append({key: desk.board()[key] for key in ("clock", "to_play", "turn", "phase", "limit")})
    assert boards[0] == boards[1]


def test_the_warm_up_has_a_timer_for_each_player_on_this_tablet_alone(new_desk: NewDesk) -> None:
    desk = new_desk(stepped=True).tap("warmup")
    timers = desk.at(".warmup .timer")
    expect(timers).to_have_text(["5:00", "5:00"])
    desk.at(".warmup section").filter(has_text="Luca Bianchi").get_by_role("button", name="2 min").tap()
    expect(timers).to_have_text(["5:00", "2:00"])
    desk.at(".warmup section").filter(has_text="Luca Bianchi").get_by_role("button", name="Start").tap()
    expect(desk.dialog.get_by_role("button", name="Stop")).to_have_count(1)
    desk.skip(120)
    expect(timers).to_have_text(["5:00", "0"])
    desk.pick("Cancel").alone()
    assert desk.log() == []
