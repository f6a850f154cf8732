"""From the lag to the signatures: who opens, "good", the breaks, and the ways in which a match ends."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import NewDesk, NewPage
from browser.desk import OPEN_PAD, ids, written
from serving import Served

OPENED: Final = ("lag A", "set 1 A")
FULL: Final = "1. A o /....5 =12"
WON: Final = (*OPENED, FULL, "good A 12-0")


def test_a_club_plays_its_first_match_after_five_taps_and_two_names(
    demo_server: Served, new_page: NewPage
) -> None:
    """The link of the director, two names, lag, opener, strokes: each tap is counted, none is spare."""
    taps = 0

    def tap(page: Page, selector: str) -> None:
        nonlocal taps
        page.tap(selector)
        taps += 1

    page = new_page(demo_server.director, touch=True)
    tap(page, "a[href='/matches/new'] >> nth=0")
    expect(page.locator("#A")).to_be_focused()  # whoever types has seen the form
    page.keyboard.type("Ada")
    page.keyboard.press("Tab")
    page.keyboard.type("Bruno")
    tap(page, "form#new button.big")
    tap(page, "[data-do='lag A']")
    tap(page, "[data-do='open A']")
    expect(page.locator(OPEN_PAD)).to_be_visible()
    tap(page, "[data-pins='2']")
    expect(page.locator("[data-put='A.score']")).to_have_text("4")
    expect(page.locator("#strokes .queued")).to_have_count(0)
    assert taps == 5


def test_a_match_begins_beside_another_at_its_table_only_when_it_is_sent_twice(new_desk: NewDesk) -> None:
    page = new_desk("lag A", Table="T77").page
    page.goto("/".join((*page.url.split("/")[:3], "matches", "new")))
    page.fill("#A", "Ada")
    page.fill("#B", "Bruno")
    page.select_option("#Table", "T77")
    page.tap("form#new button.big")
    expect(page.locator("#Table-wrong")).to_contain_text("Marco Rossi – Luca Bianchi is still under way")
    page.tap("form#new button.big")
    page.wait_for_url("**/desk")
    expect(page.locator("[data-put='A.name']").first).to_have_text("Ada")


def test_the_player_who_caused_two_repeats_loses_the_choice(new_desk: NewDesk) -> None:
    """Repeats by nobody's fault do not count; the words say how many each has caused."""
    desk = new_desk()
    repeats = ("lag repeat", "lag repeat B", "lag repeat A", "lag repeat B")
    for count in range(3):
        desk.tap(repeats[count]).wrote(*repeats[: count + 1])
    expect(desk.key("lag repeat B")).to_have_text("Repeat because of Luca Bianchi (1)")
    expect(desk.key("lag repeat A")).to_have_text("Repeat because of Marco Rossi (1)")
    desk.tap("lag repeat B")
    expect(desk.at("[data-put='chooses']")).to_have_text("Marco Rossi chooses who opens.")
    expect(desk.key("open A")).to_contain_text("and plays with the white ball")
    expect(desk.key("open B")).to_contain_text("Opponent Luca Bianchi opens")
    desk.tap("open B").ready()
    expect(desk.at("[data-side='B'] [data-put='B.ball']")).to_have_text("white ball")
    desk.wrote(*repeats, "set 1 B")


@pytest.mark.parametrize(("do", "line"), [("lag B", "lag B"), ("lag forfeit A", "lag forfeit A")])
def test_who_is_nearer_or_has_not_forfeited_chooses(do: str, line: str, new_desk: NewDesk) -> None:
    desk = new_desk().tap(do)
    expect(desk.at("[data-put='chooses']")).to_have_text("Luca Bianchi chooses who opens.")
    desk.wrote(line)


def test_a_match_without_a_lag_asks_who_opens(new_desk: NewDesk) -> None:
    new_desk().tap("nolag").pick("Luca Bianchi").ready().wrote("set 1 B")


def test_b73_where_no_referee_is_named_the_lag_asks_who_and_waits_for_nothing(new_desk: NewDesk) -> None:
    desk = new_desk(Referee="")
    who = desk.at(".panel[data-phase='lag'] [data-do='referee']")
    expect(who).to_have_text("Who referees?")
    expect(desk.key("lag A")).to_be_visible()
    desk.tap("referee").typed(name="Anna Verdi").alone()
    expect(desk.at("#top")).to_contain_text("Referee: Anna Verdi")
    expect(who).to_be_hidden()
    desk.wrote('referee "Anna Verdi"')


@pytest.mark.parametrize("path", ["tap", "keypad", "time", "correction"])
def test_b13_every_way_to_the_distance_asks_good(path: str, new_desk: NewDesk) -> None:
    begun = {"time": ["1. A o r /... =10", "late B"], "correction": ["1. A o /.... =8"]}.get(path, [])
    desk = new_desk(*OPENED, *begun, Distance="12")
    if path == "tap":
        desk.ready().tap("R+4")
    elif path == "keypad":
        desk.ready().keypad("Numpad9")
    elif path == "correction":
        desk.ready().row(1).pick("Correct it").tap("R+4").typed().alone()
    expect(desk.key("good")).to_contain_text("Good – set for Marco Rossi")
    expect(desk.at("#pad")).to_be_hidden()


def test_b14_a_set_confirmed_by_two_devices_at_once_is_one_set(new_desk: NewDesk, allowed: list[str]) -> None:
    allowed.append("409")
    desk = new_desk(*OPENED, FULL, Distance="12").phase("distance")
    bodies = [
        {"command_id": next(ids), "expected_seq": desk.board()["seq"], "lines": ["good A 12-0"]}
        for _ in range(2)
    ]
    assert sorted(desk.at_once("log", bodies)) == [200, 409]
    assert desk.plain().count("good A 12-0") == 1
    desk.phase("between")


def test_the_enter_key_says_good_and_begins_the_next_set(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED, FULL, Distance="12")
    expect(desk.key("good")).to_be_visible()
    desk.keypad("Enter")
    expect(desk.key("open B")).to_be_visible()
    expect(desk.at("[data-do='open A']:visible")).to_have_count(0)  # who opened set 1 does not open set 2
    desk.keypad("NumpadEnter").ready().wrote("good A 12-0", "set 2 B")


def test_a_break_is_offered_after_the_second_of_three_sets_and_may_be_refused(new_desk: NewDesk) -> None:
    desk = new_desk(*WON, Distance="12").phase("between")
    offer = desk.at(".panel [data-do='pause']")
    expect(offer).to_be_hidden()
    desk.tap("open B").strokes("R+4").tap("good").phase("between")
    played = ("set 2 B", "1. B o /....5 =12", "good B 0-12")
    expect(offer).to_have_text("Break of 5 minutes")
    expect(desk.key("pause refused B")).to_have_text("Luca Bianchi refuses the break")
    desk.tap("pause refused B").wrote(*played, "pause refused B").tap("pause refused A")
    expect(offer).to_be_hidden()
    desk.tap("undo")
    expect(offer).to_be_visible()
    desk.tap("pause")
    expect(desk.at(".panel .break-timer")).to_be_visible()
    desk.wrote(*played, "pause refused B", "pause refused A", 'undo "undo"', "pause 5:00")


def test_a_break_that_the_rule_set_does_not_give_is_asked_about(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED).ready().menu("Break")
    expect(desk.dialog).to_contain_text("The rule set gives a break only after set 2")
    desk.pick("Cancel").ready().menu("Break", "Break all the same").alone().wrote("pause 5:00")
    expect(desk.at("#break-bar")).to_be_visible()


def test_what_was_taken_back_is_not_told_over_what_comes_next(new_desk: NewDesk) -> None:
    desk = new_desk("lag A", stepped=True).tap("undo").wrote('undo "undo"')
    desk.tap("lag B").tap("open A").ready()
    expect(desk.at("#preview")).to_have_text(re.compile(r"\s*Marco Rossi · opening stroke\s*"))


def test_b73_the_referee_changes_at_the_break_and_both_are_on_the_paper(new_desk: NewDesk) -> None:
    desk = new_desk(*WON, Distance="12").phase("between").tap("referee").typed(name="Ada Neri").alone()
    expect(desk.at("#top")).to_contain_text("Referee: Ada Neri")
    desk.tap("open B").strokes("2").wrote('referee "Ada Neri"', "set 2 B", "1. B o /.. =4")
    paper = desk.page.context.request.get(f"{desk.url}/matches/{desk.match}/paper?lang=en").text()
    assert all(name in paper for name in ("Anna Verdi", "Ada Neri"))


def test_a_break_within_a_single_distance_has_a_key_of_its_own(new_desk: NewDesk) -> None:
    """It commits, and so is as large as what commits; without a break to come it is not there."""
    desk = new_desk(*OPENED, Rules="FIBiS-2022", Sets="", Distance="20").ready()
    expect(desk.at("#break")).to_be_hidden()
    desk.tap("R+4")  # of a starting stroke: the opponent's, and half the distance
    expect(desk.at("#break")).to_be_visible()
    width, height = desk.at("#break").evaluate("one => [one.offsetWidth, one.offsetHeight]")
    assert width >= 177
    assert height >= 106
    desk.tap("pause").wrote("1. A o /....5 =-12", "pause 5:00")
    expect(desk.at("#break-bar")).to_be_visible()
    expect(desk.at("#break")).to_be_hidden()


@pytest.mark.parametrize(
    ("how", "line"),
    [("Walk-over", "walkover"), ("Left", "left"), ("Refused", "refused"), ("Injury", "injury")],
)
def test_a_match_ends_by_walk_over_and_the_like_only_when_it_is_held(
    how: str, line: str, new_desk: NewDesk
) -> None:
    desk = new_desk(*OPENED).ready().tap("menu").held("Walk-over, leaving, other end")
    desk.pick(re.compile(f"^. ?{how}|^{how}"), "Luca Bianchi").typed(reason="did not come")
    desk.pick("End the match")  # a tap alone does nothing
    expect(desk.dialog).to_contain_text("did not come")
    desk.held("End the match").alone().phase("over")
    expect(desk.at("#p-over")).to_contain_text("Luca Bianchi has won")
    desk.wrote(f'end B {line} "did not come"')


def test_an_abandoned_match_has_no_winner_and_a_set_can_be_given(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED).ready().tap("menu").held("Give the set to a player")
    desk.pick("Luca Bianchi").typed(text="lights out").alone().phase("between")
    desk.tap("menu").held("Walk-over, leaving, other end").pick("Abandoned").typed(reason="lights out")
    desk.held("End the match").alone().phase("over")
    expect(desk.at("#p-over")).to_have_text("The match is over: abandoned: lights out")
    desk.wrote('award B "lights out"', 'end - abandoned "lights out"')


def test_good_that_was_said_too_early_ends_the_set_all_the_same(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED, "1. A o /.... =8").ready().tap("menu").held("“Good” was said too early")
    desk.pick("Marco Rossi").typed(reason="both had counted wrongly").alone().phase("between")
    desk.wrote('good A 8-0 short "both had counted wrongly"')


def test_a_match_is_closed_and_who_has_not_signed_is_written_down(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED, "1. A o /. =2", Sets="", Distance="2").tap("good").phase("over")
    for name in ("A", "referee"):
        desk.at(f".signatures [name='{name}']").tap()
    desk.tap("close").held("Close the match").alone()
    expect(desk.key("reopen")).to_be_visible()
    desk.wrote("good A 2-0", 'note "Not signed: Luca Bianchi"')
    assert desk.board()["status"] == "closed"
    expect(desk.key("undo")).to_be_disabled()
    desk.keypad("Backspace").wrote("good A 2-0", 'note "Not signed: Luca Bianchi"')
    expect(desk.at("#stopped")).to_be_hidden()


def test_a_match_opens_again_past_what_a_tablet_could_not_send(new_desk: NewDesk, allowed: list[str]) -> None:
    """Strokes entered without a network, in a match that the office has closed meanwhile."""
    allowed += ["ERR_INTERNET_DISCONNECTED", "status of 423"]
    desk = new_desk(*OPENED).ready()
    desk.page.context.set_offline(True)
    desk.strokes("1")
    assert written(desk.page.context, desk.url, desk.match, "Status: closed")["code"] == 200
    desk.page.context.set_offline(False)
    expect(desk.at("#stopped")).to_contain_text("is closed")
    desk.tap("reopen").typed(reason="too early").alone()
    expect(desk.at("[data-do='reopen']")).to_be_hidden()
    desk.at("#stopped button").tap()
    desk.pick("Send again").alone().saved()
    assert [line.partition(" by ")[0] for line in desk.plain()[-2:]] == [
        'decision "too early"',
        "1. A o /. =2",
    ]
    assert desk.board()["status"] == "open"


def test_a_match_that_is_over_stays_open_to_who_must_close_it(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED, 'end B left "ill"')
    desk.page.goto(desk.url)
    card = desk.at(f"section[aria-labelledby='recent'] [data-match='{desk.match}']")
    expect(card.get_by_role("link", name="Desk")).to_be_visible()
    assert written(desk.page.context, desk.url, desk.match, "Status: closed")["code"] == 200
    desk.page.reload()
    expect(card).to_be_visible()
    expect(card.get_by_role("link", name="Desk")).to_be_hidden()
