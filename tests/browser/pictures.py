"""Takes the pictures for the documents, or of every page to be looked at. Run by scripts/screenshots."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, sync_playwright

from browser.conftest import FLAGS, ROOT
from browser.desk import Desk, signed_in
from serving import Served

PICTURES: Final = ROOT / "docs" / "pictures"
TABLET: Final = (1280, 800)
PHONE: Final = (390, 844)
STROKES: Final = (
    "lag A", "set 1 A", "1. A o r /5 =12", "2. B o /.. =4", "3. A o c/. =-2", "4. B o o-r /.5 =9",
    "5. A - =-2",
)  # fmt: skip
SHOWN: Final = {"hall": "/hall", "table": "/tables/T1", "match": "/matches/demo2", "overlay": "/overlay/T1"}
"""Beside the desk: which page is on which picture of the documents."""
ALL: Final = SHOWN | {
    "index": "/", "new": "/matches/new", "live": "/matches/demo1", "desk": "/matches/demo1/desk",
    "office": "/matches/demo3/office", "rights": "/rights", "enter": "/enter?why=right",
    "settings": "/settings", "equipment": "/equipment", "help": "/help", "api": "/api", "free": "/tables/T9",
    "paper": "/matches/demo2/paper", "error": "/matches/none",
}  # fmt: skip
SCREENS: Final = (TABLET, PHONE, (1920, 1080))
THEMES: Final = ("dark", "light")


@contextmanager
def _hall() -> Iterator[tuple[Browser, Served]]:
    """A browser and a demo hall."""
    chromium = subprocess.run(
        ["sh", ROOT / "scripts" / "chromium"], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.strip()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        served = Served(Path(folder) / "hall", "--demo")
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser, served
        browser.close()
        served.stop()


def take() -> None:
    """Write the pictures of the documents."""
    PICTURES.mkdir(exist_ok=True)
    with _hall() as (browser, served):
        for name, size in (("desk", TABLET), ("desk-phone", PHONE)):
            context = browser.new_context(viewport={"width": size[0], "height": size[1]}, locale="en")
            desk = Desk(signed_in(context, served).new_page(), served.url, *STROKES, Table="T3").ready()
            _shoot(desk.page, PICTURES / name)
        context = browser.new_context(viewport={"width": TABLET[0], "height": 720}, locale="en")
        page = context.new_page()
        for name, path in SHOWN.items():
            page.goto(served.url + path)
            page.wait_for_function("() => document.querySelector('[data-put=\"A.score\"]').textContent")
            _shoot(page, PICTURES / name)
        page.locator(".board").screenshot(path=PICTURES / "overlay.png", omit_background=True)


def take_all(folder: Path) -> None:
    """Write a picture of each page, in both themes and on each kind of screen, to be looked at."""
    folder.mkdir(parents=True, exist_ok=True)
    with _hall() as (browser, served):
        for theme, (width, height) in product(THEMES, SCREENS):
            context = browser.new_context(viewport={"width": width, "height": height}, locale="en")
            signed_in(context, served)
            context.add_cookies([{"name": "theme", "value": theme, "url": served.url}])
            page = context.new_page()
            for name, path in ALL.items():
                page.goto(served.url + path)
                _shoot(page, folder / f"{name}-{theme}-{width}")
            context.close()


def _shoot(page: Page, place: Path) -> None:
    page.wait_for_timeout(500)  # the list of strokes and the seconds are drawn
    page.screenshot(path=place.with_suffix(".png"), scale="css")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        take_all(Path(sys.argv[1]))
    else:
        take()
