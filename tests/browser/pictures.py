"""Takes the pictures for the documents: the pages of a demo hall. Run by scripts/screenshots."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, sync_playwright

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
"""Beside the desk: which page is on which picture."""


def take() -> None:
    """Write the pictures."""
    PICTURES.mkdir(exist_ok=True)
    chromium = subprocess.run(
        ["sh", ROOT / "scripts" / "chromium"], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.strip()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        served = Served(Path(folder) / "hall", "--demo")
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for name, size in (("desk", TABLET), ("desk-phone", PHONE)):
            context = browser.new_context(viewport={"width": size[0], "height": size[1]}, locale="en")
            desk = Desk(signed_in(context, served).new_page(), served.url, *STROKES, Table="T3").ready()
            _shoot(desk.page, name)
        context = browser.new_context(viewport={"width": TABLET[0], "height": 720}, locale="en")
        page = context.new_page()
        for name, path in SHOWN.items():
            page.goto(served.url + path)
            page.wait_for_function("() => document.querySelector('[data-put=\"A.score\"]').textContent")
            _shoot(page, name)
        page.locator(".board").screenshot(path=PICTURES / "overlay.png", omit_background=True)
        browser.close()
        served.stop()


def _shoot(page: Page, name: str) -> None:
    page.wait_for_timeout(500)  # the list of strokes and the seconds are drawn
    page.screenshot(path=PICTURES / f"{name}.png", scale="css")
