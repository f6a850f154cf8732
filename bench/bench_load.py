"""A thousand spectators on eight matches: from the tap to the screen, a desk's wait, memory a client.

Server and clients share the machine, and the clients of one process wait for each other: what is measured is
an upper bound. A delay is counted from before the command is sent until its board has been read.
"""

from __future__ import annotations

import asyncio
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.crowd import Crowd, Desk, hall, memory, summary

SPECTATORS, MATCHES, ROUNDS = 1000, 8, 20
EVERY = 2.0
"""Seconds between two strokes of a match: faster than anybody plays."""


def main() -> None:
    """Print the figures, plain and over TLS."""
    print(f"{SPECTATORS:,} spectators on {MATCHES} matches, a stroke every {EVERY:.0f} s in each\n")
    print("| line | tap to screen (median / p95 / p99) | desk (median / p95 / p99) | memory a client |")
    print("|---|---|---|---|")
    for name, arguments in (("plain", ()), ("TLS", ("--lan", "--host", "127.0.0.1"))):
        with tempfile.TemporaryDirectory() as folder, hall(Path(folder, "hall"), *arguments) as served:
            token = served.director.partition("#")[2]
            desks = [Desk(served.url, token) for _ in range(MATCHES)]
            for number, desk in enumerate(desks):
                desk.begin(number, str(number))
            crowd, each = asyncio.run(_play(desks, served.pid))
        took = [one for desk in desks for one in desk.took[5:]]
        print(f"| {name} | {summary(crowd.delays)} | {summary(took)} | {each / 1000:.0f} kB |", flush=True)
    print(
        "\nTargets: tap to screen p95 ≤ 50 ms, desk p95 ≤ 25 ms, memory ≤ 60 kB plain and ≤ 100 kB over TLS."
    )


async def _play(desks: list[Desk], process: int) -> tuple[Crowd, float]:
    """Bring the spectators in and play; tells who was there, and the memory each took."""
    crowd = Crowd(desks)
    await crowd.come(40)  # what the first ones cost is not the cost of one more
    before = memory(process)
    await crowd.come(SPECTATORS - 40)
    each = (memory(process) - before) / (SPECTATORS - 40)
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(len(desks)) as hands:
        for _ in range(ROUNDS):
            writing = []
            for desk in desks:
                writing.append(loop.run_in_executor(hands, desk.stroke))
                await asyncio.sleep(EVERY / len(desks))
            await asyncio.gather(*writing)
    await asyncio.sleep(0.5)
    await crowd.go()
    return crowd, each
