"""What was entered wrongly: taken back, corrected, inserted, and the lines that say what else happened."""

from __future__ import annotations

import random
import re
from typing import Final

import pytest
from playwright.sync_api import expect

from browser.conftest import NewDesk
from browser.desk import written

OPENED: Final = ("lag A", "set 1 A")
THREE: Final = ("1. A o /. =2", "2. B o /.. =4", "3. A o /... =6")
UNDO: Final = 'undo "undo"'


@pytest.mark.parametrize("how", ["tap", "Backspace", "NumLock"])
def test_b03_the_very_first_event_is_taken_back_once(how: str, new_desk: NewDesk) -> None:
    desk = new_desk().tap("lag B")
    expect(desk.key("open B")).to_be_visible()
    desk.wrote("lag B")
    desk.tap("undo") if how == "tap" else desk.keypad(how)
    expect(desk.key("lag B")).to_be_visible()
    desk.wrote("lag B", UNDO)


def test_b06_taking_back_over_the_end_of_a_set_restores_all_of_it(new_desk: NewDesk) -> None:
    """Totals, sets, who is to play, ball in hand, clock; the start of set 2 likewise (B01)."""
    desk = new_desk(*OPENED, Distance="14").strokes("R+3").ready().tap("missed", "0")
    desk.shows(12, 0)
    before = desk.saved().board()
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
        desk.clock(running=False)


def test_b02_after_any_taking_back_and_playing_again_every_key_lives(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED, stepped=True).ready()
    chance = random.Random(2)
    lines: list[str] = []
    in_force: list[str] = []
    for _ in range(12):
        if in_force and chance.random() < 0.5:
            desk.tap("undo")
            in_force.pop()
            lines.append(UNDO)
        else:
            pins = chance.choice("012")
            desk.tap(pins)
            facts = f"o /{'.' * int(pins)}" if pins != "0" else "o"
            in_force.append(f"{len(in_force) + 1}. {'AB'[len(in_force) % 2]} {facts} ={2 * int(pins)}")
            lines.append(in_force[-1])
        desk.wrote(*lines).skip(1).ready()
    dead = desk.page.eval_on_selector_all(
        "#pad button:not([hidden]), #undo, #clock, #menu",
        """all => all.filter(one => one.disabled || one.getAttribute("aria-disabled") === "true")
          .map(one => one.textContent.trim())""",
    )
    assert dead == ["Clear"]
    turn = len(in_force) + 1
    desk.tap("cannon", "R").wrote(*lines, f"{turn}. {'BA'[turn % 2]} o r /5 =12")


def test_an_undo_may_give_its_reason_and_first_lets_go_of_the_keys_that_are_down(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED, THREE[0]).ready().tap("cannon", "undo")
    expect(desk.key("cannon")).to_have_attribute("aria-pressed", "false")
    desk.menu("Undo with a reason").typed(reason="wrong table").alone()
    desk.says("Taken back").shows(0, 0).wrote('undo "wrong table"')


@pytest.mark.parametrize("turn", [1, 2])
def test_any_stroke_of_the_open_set_is_corrected_with_a_reason(turn: int, new_desk: NewDesk) -> None:
    """Its line, the new keys, and the reason that is proposed; what the new keys come to is told."""
    desk = new_desk(*OPENED, *THREE).ready().row(4 - turn).pick("Correct it")
    expect(desk.at("#purpose")).to_contain_text(f"Correct stroke {turn}")
    desk.tap("cannon", "R")
    expect(desk.dialog).to_contain_text("cannon 4 + lone centre pin 8 = 12")
    desk.typed().ready()
    expect(desk.at("#purpose")).to_be_hidden()
    desk.shows(*((18, 4), (8, 12))[turn - 1]).wrote(f'fix {turn} o r /5 =12 "entered wrongly"')


def test_a_correction_is_given_up_and_nothing_is_written(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED, *THREE).ready().row(1).pick("Correct it").tap("purpose").alone()
    expect(desk.at("#purpose")).to_be_hidden()
    desk.strokes("0").wrote("4. B o =0")


def test_a_forgotten_stroke_is_inserted_after_its_lines_were_shown(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED, *THREE[:2]).ready().row(2).pick("was forgotten").tap("0").typed()
    expect(desk.at("dialog .lines li")).to_have_count(5)
    expect(desk.at("dialog .lines")).to_contain_text("2. B o /. =2")
    desk.pick("Save").ready()
    log = desk.shows(4, 2).saved().plain()[desk.given :]
    assert log[-3:] == ["1. A o =0", "2. B o /. =2", "3. A o /.. =4"]
    assert [line.split()[0] for line in log[:2]] == ["undo", "undo"]


@pytest.mark.parametrize(
    ("answers", "texts", "line"),
    [
        (["Note"], {"text": "lamp"}, 'note "lamp"'),
        (["Decision"], {"text": "replay", "by": "Jury"}, 'decision "replay" by "Jury"'),
        (["Protest", "Luca Bianchi"], {"text": "rest"}, 'protest B "rest"'),
        (["Balls were placed", "As they were before"], {"text": "a dog"}, 'place restored "a dog"'),
    ],
)
def test_the_menu_writes_what_else_happens_and_the_score_stays(
    answers: list[str], texts: dict[str, str], line: str, new_desk: NewDesk
) -> None:
    desk = new_desk(*OPENED, THREE[0]).ready().menu(*answers)
    desk.typed(**texts).ready().wrote(line).shows(2, 0)


def test_an_exchange_of_the_balls_cannot_be_written_by_accident(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED, THREE[0]).ready().alone().tap("menu").held("Balls exchanged")
    desk.typed(text="both").ready().wrote('swap "both"')


def test_a_penalty_is_the_opponents_and_its_points_are_typed(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED, THREE[0]).ready().menu(re.compile("^Penalty"), "Marco Rossi", "The turn stays")
    desk.typed(points="2", reason="late").ready().shows(2, 2).wrote('penalty A 2 "late"')


def test_another_referee_and_another_table_are_named_at_once_on_the_screen(
    new_desk: NewDesk, allowed: list[str]
) -> None:
    allowed.append("status of 422")
    desk = new_desk(*OPENED).ready().menu("Another referee").typed(name="Ada Neri").alone()
    expect(desk.at("#top")).to_contain_text("Referee: Ada Neri")
    desk.menu("Another table").typed(table="T9 x")
    expect(desk.dialog).to_contain_text("no table is called 'T9 x'")
    desk.pick("Close")
    expect(desk.dialog.locator("[name='table']")).to_have_value("T9 x")
    desk.typed(table="T9").alone()
    expect(desk.at("#stopped")).to_be_hidden()
    expect(desk.at("#top [data-put='table']")).to_have_text("T9")
    desk.wrote('referee "Ada Neri"').strokes("0").wrote('referee "Ada Neri"', "1. A o =0")
    assert desk.board()["table"] == "T9"


def test_an_interrupted_match_takes_no_stroke_until_it_goes_on(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED).ready().menu("Interrupt").typed(text="power cut").alone().phase("suspended")
    expect(desk.at("#pad")).to_be_hidden()
    desk.keypad("1").tap("resume").strokes("2").wrote('suspend "power cut"', "resume", "1. A o /.. =4")


def test_b19_a_corrected_name_changes_nothing_else(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED, "1. A o /.. =4").ready()
    before = desk.board()
    desk.menu("Correct a name", "Marco Rossi").typed(name="Maria Rossi").alone()
    expect(desk.at("#board [data-put='A.name']")).to_have_text("Maria Rossi")
    written(desk.page.context, desk.url, desk.match, "B: Luca Bianco")
    expect(desk.at("#board [data-put='B.name']")).to_have_text("Luca Bianco")
    after = desk.board()
    for side in "AB":
        after["sides"][side]["name"] = before["sides"][side]["name"]
    assert {key for key in before if before[key] != after[key]} <= {"seq", "saved", "now"}
