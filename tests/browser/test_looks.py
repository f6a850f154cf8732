"""What the other pages look like: the colours of the themes, room for fingers, names that are whole."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import expect

import fivepins
from browser.conftest import NewContext, NewDesk
from browser.desk import new_match, signed_in
from serving import Served

STATIC: Final = Path(fivepins.__file__).parent / "desk" / "static"
SMALL: Final = """() => [...document.querySelectorAll("button, .button, summary, nav a")]
  .filter(one => one.checkVisibility() && (one.offsetWidth < 44 || one.offsetHeight < 44))
  .map(one => one.textContent.trim())"""
CUT: Final = """all => all
  .filter(one => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight)
  .map(one => one.textContent)"""


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_every_target_of_the_pages_around_the_desk_can_be_hit_with_a_finger(
    size: tuple[int, int], new_desk: NewDesk
) -> None:
    desk = new_desk(size=size)
    for path in (f"/matches/{desk.match}", "/", "/matches/new", "/rights", "/settings", "/equipment"):
        desk.page.goto(f"{desk.url}{path}")
        expect(desk.at("main")).to_be_visible()
        assert desk.page.evaluate(SMALL) == [], path


def test_ordinary_names_are_whole_on_the_display_of_four_tables(
    desk_server: Served, new_context: NewContext
) -> None:
    context = signed_in(new_context(), desk_server)
    names = ["Elena Marrone", "Giulia Bianchini", "Alessandro Dell'Acqua", "Óscar Fernández"]
    for number, name in enumerate(names, 1):
        new_match(context, desk_server.url, A=name, B=names[-number], Table=f"T{number}")
    page = context.new_page()
    page.goto(f"{desk_server.url}/hall")
    expect(page.locator("[data-put='A.name']:visible")).to_have_text(names)
    assert page.locator(".b-name:visible").evaluate_all(CUT) == []


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
