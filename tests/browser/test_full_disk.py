"""A desk whose server cannot save: the tap waits on the tablet, in sight and with the reason."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.conftest import NewContext
from browser.desk import Desk, signed_in
from disks import Refusing
from serving import Served


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)], ids=["tablet", "phone"])
def test_b38_a_tap_that_the_disk_refuses_is_shown_and_arrives_once_when_there_is_room(
    size: tuple[int, int], desk_server: Served, new_context: NewContext, allowed: list[str]
) -> None:
    """And there is a sheet of paper to go on with."""
    allowed.append("status of 503")
    context = signed_in(new_context(touch=True, size=size), desk_server)
    desk = Desk(context.new_page(), desk_server.url, "lag A", "set 1 A").ready()
    desk.strokes("2").saved()
    disk = Refusing()
    disk.take(desk_server.pid)
    desk.strokes("1")
    unsent = desk.page.locator("#unsent")
    expect(unsent).to_contain_text("NOT SENT: 1 – The disk takes nothing")
    paper = unsent.get_by_role("link", name="Print a blank sheet").get_attribute("href")
    assert context.request.get(f"{desk_server.url}{paper}").headers["content-type"] == "application/pdf"
    desk.strokes("0")
    expect(unsent).to_contain_text("NOT SENT: 2 – The disk takes nothing")
    assert desk.plain()[2:] == ["1. A o /.. =4"]
    disk.give(desk_server.pid)
    assert desk.saved().plain()[2:] == ["1. A o /.. =4", "2. B o /. =2", "3. A o =0"]
    expect(unsent).to_be_hidden()
