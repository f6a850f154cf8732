"""The clock bar: balls at rest, the limits of 40 and 20 seconds, extra time, the presenter, the warm-up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import expect

from browser.conftest import NewDesk
from browser.desk import COUNT_TONES, Desk, asked, holds, ids

OPENED: Final = ("lag A", "set 1 A")


def runs(desk: Desk, seconds: float) -> None:
    """Another device starts the clock and says how much of this limit it has counted."""
    begun = desk.board()["clock"]["from"]
    body = {"command_id": next(ids), "action": "start", "elapsed": begun + seconds}
    assert asked(desk.page.context, f"{desk.url}/matches/{desk.match}/clock", body)["code"] == 200


@pytest.mark.parametrize("press", [Desk.tap, Desk.keypad])
def test_40_seconds_then_20_then_the_turn_is_lost(press: Callable[..., Desk], new_desk: NewDesk) -> None:
    """The bar offers what the referee confirms; before the time is over there is nothing to confirm."""
    desk = new_desk(*OPENED).ready()
    clock, late = ("clock", "time") if press is Desk.tap else ("Enter", "t")
    seconds = desk.at("#clock [data-seconds]")
    expect(desk.at("#time")).to_be_disabled()
    desk.keypad("t")
    expect(seconds).to_have_text("40")
    for limit, offer in ((40, "Time +2"), (20, "Time +2, turn passes")):
        press(desk.clock(running=False), clock)
        desk.clock(running=True)
        runs(desk, limit - 9)
        expect(desk.at("#clock")).to_have_attribute("data-left", "little")
        runs(desk, limit)
        expect(desk.at("#clock")).to_have_attribute("data-left", "none")
        press(desk, clock).clock(running=False)
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


def test_an_extra_time_that_is_taken_back_leaves_the_stroke_its_clock(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED, Rules="FIBiS-2022").ready().tap("clock").clock(running=True)
    desk.tap("extra")
    expect(desk.key("extra")).to_contain_text("Rossi 0 · Bianchi 1")
    desk.tap("undo").clock(running=True)
    expect(desk.key("extra")).to_contain_text("Rossi 1 · Bianchi 1")
    expect(desk.at("#clock")).to_have_attribute("data-running", "true")
    assert desk.board()["clock"]["running"]
    desk.wrote("extra A", 'undo "undo"')


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
            desk.menu("Break", "Break all the same").clock(running=False).ready().tap("0")
        else:
            desk.keypad("Numpad0")
        desk.saved().clock(running=False)
        expect(desk.at("#clock [data-seconds]")).to_have_text("40")
        boards.append({key: desk.board()[key] for key in ("clock", "to_play", "turn", "phase", "limit")})
    assert boards[0] == boards[1]


def test_the_warm_up_has_a_timer_for_each_player_on_this_tablet_alone(new_desk: NewDesk) -> None:
    """Closed and opened again, they have run on; the end of one is heard."""
    desk = new_desk(stepped=True, scripts=(COUNT_TONES,)).tap("warmup")
    timers = desk.at(".warmup .timer")
    expect(timers).to_have_text(["5:00", "5:00"])
    desk.at(".warmup section").filter(has_text="Luca Bianchi").get_by_role("button", name="2 min").tap()
    expect(timers).to_have_text(["5:00", "2:00"])
    desk.at(".warmup section").filter(has_text="Luca Bianchi").get_by_role("button", name="Start").tap()
    expect(desk.dialog.get_by_role("button", name="Stop")).to_have_count(1)
    desk.skip(30)
    expect(timers).to_have_text(["5:00", "1:30"])
    desk.pick("Close").skip(30).alone().tap("warmup")
    expect(timers).to_have_text(["5:00", "1:00"])
    holds(desk.page, "document.querySelector('#sound').hidden")
    desk.skip(60)
    expect(timers).to_have_text(["5:00", "0"])
    holds(desk.page, "tones.filter(pitch => pitch === 440).length === 1")
    desk.pick("Close").alone()
    assert desk.log() == []
