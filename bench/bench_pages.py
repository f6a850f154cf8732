"""Pages: what a first visit transfers, and when something is seen, on a slow line and a slow processor."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from serving import Served

ROOT: Final = Path(__file__).resolve().parents[1]

PAGES: Final = {
    "table display": "/tables/T1", "hall display": "/hall", "overlay": "/overlay/T1",
    "spectators": "/matches/demo1", "desk": "/matches/demo1/desk", "what is on": "/",
}  # fmt: skip
BYTES_PER_SECOND: Final = 10_000_000 / 8
LATENCY: Final = 20
"""Milliseconds there and back, as in a hall with many devices."""
SLOWER: Final = 4
TIMES: Final = 5
PAINT: Final = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


def main() -> None:
    """Print the table."""
    chromium = subprocess.run(
        ["sh", ROOT / "scripts" / "chromium"], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.strip()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        served = Served(Path(folder) / "hall", "--demo")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        print("| page | kB, first visit | first paint, ms: median | worst |\n|---|---:|---:|---:|")
        for name, path in PAGES.items():
            visits = [_visit(browser, served, path) for _ in range(TIMES)]
            paints = [paint for _, paint in visits]
            weight = statistics.median(weight for weight, _ in visits) / 1000
            print(f"| {name} | {weight:.1f} | {statistics.median(paints):.0f} | {max(paints):.0f} |")
        browser.close()
        served.stop()
    print(f"\n10 Mbit/s, {LATENCY} ms, a processor {SLOWER} times slower; first visits.")


def _visit(browser: Browser, served: Served, path: str) -> tuple[int, float]:
    """The bytes a new device is sent, headers included, and the milliseconds until it shows something."""
    context = browser.new_context()
    token = served.director.partition("#")[2]
    context.request.post(f"{served.url}/enter", data={"token": token}, headers={"Origin": served.url})
    page = context.new_page()
    session = context.new_cdp_session(page)
    weights: list[int] = []
    session.on("Network.loadingFinished", lambda done: weights.append(int(done["encodedDataLength"])))
    session.send("Network.enable")
    session.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": LATENCY, "downloadThroughput": BYTES_PER_SECOND,
         "uploadThroughput": BYTES_PER_SECOND},
    )  # fmt: skip
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(served.url + path, wait_until="networkidle")
    paint = float(page.evaluate(PAINT))
    context.close()
    return sum(weights), paint
