"""An hour of a hall: matches played to their end, displays that come and go, and nothing left behind.

`make soak` runs it; `python -m bench.soak 60` runs a minute. It ends with 1 where a display was stale, or
where the server kept connections or memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from websockets.asyncio.client import connect

from bench.crowd import Desk, hall, memory

HOUR = 3600.0
TABLES, DISPLAYS = 4, 12
STAY = 90.0
"""Seconds that a display stays before it is switched off and on again."""
LAG = 2.0
"""Seconds after which a display that shows an old board is stale."""
GROWTH = 1.25
"""How much more memory than after its first minute the server may have in the end."""


@dataclass(slots=True)
class Display:
    """A screen at one table, and the newest row of the match it shows."""

    table: str
    shown: dict[str, int] = field(default_factory=dict)

    async def watch(self, url: str) -> None:
        """Look, leave, and come back, until it is cancelled."""
        address = url.replace("http", "ws", 1) + f"/live?table={self.table}"
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(STAY), connect(address, compression=None) as socket:
                    async for message in socket:
                        if board := json.loads(message).get("board"):
                            self.shown = {board["match"]: board["seq"]}


def files(process: int) -> int:
    """Open files and sockets of a process."""
    return len(list(Path(f"/proc/{process}/fd").iterdir()))


def main() -> int:
    """Run for an hour, or for as many seconds as were asked for."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else HOUR
    with tempfile.TemporaryDirectory() as folder, hall(Path(folder, "hall")) as served:
        token = served.director.partition("#")[2]
        empty = files(served.pid)
        faults, matches, sizes = asyncio.run(_run(served.url, token, served.pid, seconds))
        time.sleep(3)
        kept = files(served.pid) - empty
    if kept > 5:
        faults.append(f"{kept} files or sockets are still open")
    if sizes[-1] > GROWTH * sizes[0]:
        faults.append(f"memory grew from {sizes[0] / 1e6:.0f} to {sizes[-1] / 1e6:.0f} MB")
    print(
        f"{seconds:.0f} s, {matches} matches to their end, {DISPLAYS} displays; "
        f"memory {sizes[0] / 1e6:.0f} → {sizes[-1] / 1e6:.0f} MB; open files {kept:+d}"
    )
    for fault in faults:
        print(f"fault: {fault}")
    return 1 if faults else 0


async def _run(url: str, token: str, process: int, seconds: float) -> tuple[list[str], int, list[int]]:
    """Play on all tables at once; tells the faults, the matches, and the server's memory by time."""
    displays = [Display(f"L{place % TABLES}") for place in range(DISPLAYS)]
    watching = [asyncio.create_task(one.watch(url)) for one in displays]
    faults: list[str] = []
    end = time.monotonic() + seconds
    with ThreadPoolExecutor(TABLES) as hands:
        playing = [
            asyncio.create_task(_table(Desk(url, token), number, end, displays, faults, hands))
            for number in range(TABLES)
        ]
        await asyncio.sleep(min(60.0, seconds / 2))
        sizes = [memory(process)]
        matches = sum(await asyncio.gather(*playing))
    sizes.append(memory(process))
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    return faults, matches, sizes


async def _table(  # noqa: PLR0913, PLR0917 - one loop, given what it shares with the others
    desk: Desk, number: int, end: float, displays: list[Display], faults: list[str], hands: ThreadPoolExecutor
) -> int:
    """Play match after match at one table, and look whether its displays follow."""
    loop, played = asyncio.get_running_loop(), 0
    while time.monotonic() < end:
        desk.turn = 0
        await loop.run_in_executor(hands, desk.begin, number, f"{number}-{played}")
        for _ in range(30):
            await loop.run_in_executor(hands, desk.stroke)
            await asyncio.sleep(0.2)
        await loop.run_in_executor(hands, desk.write, 'end A left "the evening is over"')
        await asyncio.sleep(LAG)
        faults += [
            f"{desk.match}: a display shows {one.shown}, the log is at {desk.seq}"
            for one in displays
            if one.table == f"L{number}" and one.shown and one.shown.get(desk.match) != desk.seq
        ]
        played += 1
    return played


if __name__ == "__main__":
    sys.exit(main())
