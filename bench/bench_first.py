"""The first match of a club: seconds from the first page to the first stroke that is saved."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from serving import Served

ROOT: Final = Path(__file__).resolve().parents[1]
NAMES: Final = ("Giovanni Bianchi", "Francesca Esposito")
LETTERS: Final = 8
"""A second, typed by somebody who is used to a tablet."""
TAP: Final = 0.5
"""Seconds from one tap to the next."""
TIMES: Final = 5
WANTED: Final = 30


def main() -> None:
    """Print the table."""
    chromium = subprocess.run(
        ["sh", ROOT / "scripts" / "chromium"], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.strip()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        served = Served(Path(folder) / "hall")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        found = sorted(_first_match(browser, served) for _ in range(TIMES))
        browser.close()
        served.stop()
    typed = sum(map(len, NAMES)) / LETTERS
    print("| first match, s | median | worst | asked |\n|---|---:|---:|---:|")
    print(f"| from `/` to the first stroke saved | {found[TIMES // 2]:.1f} | {found[-1]:.1f} | {WANTED} |")
    print(f"\n{typed:.1f} s of it go by in typing two names, {TAP} s before each of six taps.")


def _first_match(browser: Browser, served: Served) -> float:
    """The seconds that a device which has never been here needs."""
    context = browser.new_context(has_touch=True, viewport={"width": 1280, "height": 800}, locale="en")
    token = served.director.partition("#")[2]
    context.request.post(f"{served.url}/enter", data={"token": token}, headers={"Origin": served.url})
    page = context.new_page()
    begun = time.monotonic()
    page.goto(served.url)
    _tap(page, "main a[href='/matches/new']")
    page.keyboard.type(NAMES[0], delay=1000 / LETTERS)
    _tap(page, "#B")
    page.keyboard.type(NAMES[1], delay=1000 / LETTERS)
    _tap(page, "#new .big")
    for key in ("[data-do='lag A']", "[data-do='open A']", "[data-pins='2']"):
        _tap(page, f"{key}:visible")
    expect(page.locator("#strokes li")).to_have_count(1)
    expect(page.locator("#strokes .queued")).to_have_count(0)
    taken = time.monotonic() - begun
    context.close()
    return taken


def _tap(page: Page, place: str) -> None:
    page.wait_for_timeout(1000 * TAP)
    page.locator(place).first.tap()
