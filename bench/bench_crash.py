"""Five hundred power cuts: processes killed at random moments while they write, and what is left of it.

The whole server is killed while four tablets write through HTTP, or, which is quicker to start again, a
process that writes through the store alone. What was acknowledged has to be there, one line more at most, the
file sound, the scores what the log comes to; the command that was lost is sent again. One miss ends the run.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from fivepins.notation import parse_file
from fivepins.store import Store

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from killing import Tablets, killed_store
from serving import Served

SERVER, STORE = 50, 450
"""How often each is killed."""
TABLETS = 4
OLD = 25
"""Kills after which the store is a new one: each looks through all that it holds."""
HEAD = "FPN 1\nA: Rossi\nB: Bianchi\nRules: UMB-1997\nDistance: 60\nResult: *\n"


def main() -> None:
    """Print the figures of five hundred."""
    run(SERVER, STORE)


def run(server: int, store: int) -> None:
    """Print the figures of so many."""
    print("| killed | kills | lines acknowledged | lines missing | time |")
    print("|---|---|---|---|---|")
    chance = random.Random(datetime.now(UTC).date().toordinal())  # another day, other moments
    with tempfile.TemporaryDirectory() as folder:
        _server(Path(folder), server, chance)
        _store(Path(folder), store, chance)


def _server(folder: Path, kills: int, chance: random.Random) -> None:
    served = Served(folder / "hall")
    try:
        tablets = Tablets(served, TABLETS)
        _row(f"server, {TABLETS} tablets", kills, lambda: tablets.killed(chance))
    finally:
        served.kill()


def _store(folder: Path, kills: int, chance: random.Random) -> None:
    numbers = count()
    _row("store, one writer", kills, lambda: killed_store(_url(folder, next(numbers) // OLD), chance))


def _url(folder: Path, number: int) -> str:
    """A store with a match; made where it is not there yet."""
    db = f"sqlite:///{folder / f'{number}.db'}"
    with closing(Store.open(db)) as store:
        store.create_match(parse_file(HEAD).records[0], command_id="m", at=datetime.now(UTC), match_id="m")
    return db


def _row(name: str, kills: int, kill: Callable[[], int]) -> None:
    """One row; a line that is missing is an `AssertionError`, so none is when the row is printed."""
    before = time.perf_counter()
    acknowledged = sum(kill() for _ in range(kills))
    print(f"| {name} | {kills} | {acknowledged:,} | 0 | {time.perf_counter() - before:.0f} s |", flush=True)
