"""Several devices at one match, and one that is cut off: who writes, who reads, what each is told."""

from __future__ import annotations

import re
from typing import Final

from playwright.sync_api import expect

from browser.conftest import NewContext, NewDesk
from browser.desk import Desk, asked, held_back, ids, log, until, written
from serving import Served

OPENED: Final = ("lag A", "set 1 A")
CUT: Final = "ERR_"


class Unasked(Desk):
    """A desk that is looked at before it is live."""

    def live(self) -> Desk:
        return self


def test_b17_a_second_tablet_reads_until_it_takes_over_and_the_first_sees_it(new_desk: NewDesk) -> None:
    first = new_desk(*OPENED).ready()
    second = new_desk(match=first.match)
    expect(second.at("#reader")).to_contain_text("Also open on")
    expect(second.at("#pad")).to_be_hidden()
    expect(second.at("#clock")).to_be_disabled()  # it tells the time alone
    expect(second.at("#reset")).to_be_hidden()
    expect(first.at(".t-devices")).to_have_text("devices: 2")
    second.keypad("1").tap("take").ready()
    expect(first.at("#reader")).to_contain_text("Here it can only be read")
    expect(first.at("#pad")).to_be_hidden()
    lines = log(first.page.context, first.url, first.match)
    assert [line for line in lines if re.match("# desk: .* takes over", line)]
    second.strokes("2").wrote("1. A o /.. =4")
    first.shows(4, 0)


def test_b18_of_two_tablets_that_write_at_once_one_is_told_and_nothing_is_lost_or_doubled(
    new_desk: NewDesk, allowed: list[str]
) -> None:
    allowed.extend(["409", CUT])
    first = new_desk(*OPENED).ready()
    second = new_desk(match=first.match)
    expect(second.at("#reader")).to_be_visible()
    first.page.route("**/log?*", lambda route: route.abort())
    first.tap("2")
    expect(first.at("#strokes .queued")).to_have_count(1)
    second.tap("take").strokes("1").wrote("1. A o /. =2")
    first.page.unroute_all()
    expect(first.at("#stopped")).to_contain_text("NOT SENT: 1")
    first.tap("stopped")
    expect(first.dialog).to_contain_text("1. A o /.. =4")
    first.pick("Cancel").alone()
    second.wrote("1. A o /. =2")


def test_a_stale_tablet_is_told_what_was_written_meanwhile_and_may_drop_its_own(
    new_desk: NewDesk, allowed: list[str]
) -> None:
    allowed.extend(["409", CUT])
    desk = new_desk(*OPENED).ready()
    desk.page.route(f"**/matches/{desk.match}/log*", lambda route: route.abort())
    desk.keypad("1")
    expect(desk.at("#strokes .queued")).to_have_count(1)
    written(desk.page.context, desk.url, desk.match, "1. A o =0")
    desk.page.unroute_all()
    desk.tap("stopped")
    expect(desk.dialog).to_contain_text("1. A o =0")
    desk.held("Drop what was not sent").alone()
    expect(desk.at("#stopped")).to_be_hidden()
    desk.ready().keypad("2").wrote("1. A o =0", "2. B o /.. =4")


def test_a_command_that_was_already_done_is_answered_again_and_not_done_twice(new_desk: NewDesk) -> None:
    desk = new_desk(*OPENED).ready()
    body = {"command_id": next(ids), "expected_seq": desk.board()["seq"], "lines": ["1. A o =0"]}
    url = f"{desk.url}/matches/{desk.match}/log"
    assert [asked(desk.page.context, url, body)["code"] for _ in range(2)] == [200, 200]
    desk.wrote("1. A o =0")


def test_what_is_queued_is_told_in_words_and_a_desk_that_is_cut_off_does_not_say_that_it_is_connected(
    new_desk: NewDesk, allowed: list[str]
) -> None:
    allowed.append(CUT)
    desk = new_desk(*OPENED).ready()
    desk.page.context.set_offline(True)
    desk.keypad("0").ready().keypad("+", "0").ready()
    queued = desk.at("#strokes .queued")
    expect(queued.nth(1)).to_have_text("not sent Rossi: no points")
    expect(queued.nth(0)).to_have_text("not sent Bianchi: cannon 4 → Luca Bianchi")
    expect(desk.at("[data-put='last']")).to_have_text("Luca Bianchi: cannon 4")
    expect(desk.at(".t-link")).to_have_text("no connection")
    expect(desk.at(".t-devices")).to_have_text("devices: ?")
    expect(desk.at("#unsent")).to_contain_text("NOT SENT: 2")
    desk.page.context.set_offline(False)
    desk.wrote("1. A o =0", "2. B o r =4")
    expect(desk.at(".t-link")).to_have_text("connected")
    expect(desk.at(".t-devices")).to_have_text("devices: 1")
    expect(desk.at("#unsent")).to_be_hidden()


def test_a_tablet_whose_right_is_taken_back_says_so_and_takes_nothing_more(
    new_desk: NewDesk, new_context: NewContext, demo_server: Served, allowed: list[str]
) -> None:
    allowed.append("403|4403|WebSocket")
    office = new_desk(*OPENED).page.context
    grants = f"{demo_server.url}/grants"
    grant = asked(office, grants, {"role": "referee", "label": "Table 1"})
    tablet = new_context(touch=True)
    asked(tablet, f"{demo_server.url}/enter", {"token": grant["link"].partition("#")[2]})
    desk = Desk(tablet.new_page(), demo_server.url, *OPENED).ready()
    assert asked(office, f"{grants}/{grant['grant']['id']}/revoke", {})["code"] == 200
    expect(desk.at("#reader")).to_contain_text("Your right was taken back", timeout=30_000)
    expect(desk.at("#reader a")).to_have_attribute("href", "/enter")
    expect(desk.at("#reader button")).to_be_hidden()
    expect(desk.at("#pad")).to_be_hidden()


def test_before_it_is_known_who_keeps_the_match_the_keys_are_there_and_say_what_they_wait_for(
    new_desk: NewDesk,
) -> None:
    desk = new_desk(*OPENED).ready()
    page = desk.page.context.new_page()
    waiting = held_back(page, "**/desk?lang=*")
    page.route_web_socket(re.compile("/live"), lambda _: None)
    again = Unasked(page, desk.url, match=desk.match)
    expect(again.at("#pad")).to_be_visible()
    again.says("Asking for the desk …").keypad("1")
    until(page, lambda: bool(waiting))
    waiting[0].continue_()
    again.ready().wrote()
