"""Rules, notation and import: how long they take, and the enumeration with one seen foul.

Times are the processor's, best of five, because the machine may be shared.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from fivepins import FIBIS_2022, UMB_1997, Adding, format_action, parse_file, rule, score
from fivepins.perft import IMPOSSIBLE, outcomes, strokes
from fivepins.stroke import Stroke

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from oracle import ruling


def main() -> None:
    """Print the figures as a table, then the enumeration with one seen foul against the second reading."""
    everything = list(strokes())
    possible = [stroke for stroke in everything if not stroke.problems()]
    print("| what | figure | target |\n|---|---|---|")
    ruled = _best(lambda: outcomes(everything, UMB_1997))
    print(f"| {len(everything):,} strokes ruled | {ruled:.2f} s | ≤ 1.0 s |")
    text = _thousand_turns(possible)
    print(f"| 1,000 turns parsed and replayed | {1000 * _best(lambda: _replay(text)):.0f} ms | ≤ 50 ms |")
    print(f"| `import fivepins` beyond `pass` | {_import_cost():.0f} ms | ≤ 60 ms |")
    _one_seen_foul()


def _best(work: Callable[[], object]) -> float:
    times = []
    for _ in range(5):
        before = time.process_time()
        work()
        times.append(time.process_time() - before)
    return min(times)


def _thousand_turns(possible: list[Stroke]) -> str:
    """A set of 1,000 turns, drawn from all strokes; the distance is out of reach."""
    chance = random.Random(5)
    head = "FPN 1\nA: A\nB: B\nRules: UMB-1997\nDistance: 900000\nResult: *\n\nset 1 A\n"
    turns = (chance.choice(possible) for _ in range(1000))
    return head + "".join(
        f"{number}. {'BA'[number % 2]} {format_action(stroke)} ={rule(stroke).signed} @{number % 40}\n"
        for number, stroke in enumerate(turns, 1)
    )


def _replay(text: str) -> None:
    sheet = score(parse_file(text).records[0])
    assert not sheet.problems


def _import_cost() -> float:
    """Milliseconds, the difference of two medians over twenty processes each, taken in turns."""
    times: dict[str, list[float]] = {"pass": [], "import fivepins": []}
    for _ in range(20):
        for code, taken in times.items():
            before = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            taken.append(time.perf_counter() - before)
    bare, loaded = (statistics.median(taken) for taken in times.values())
    return 1000 * (loaded - bare)


def _one_seen_foul() -> None:
    print("\n| book | adding | strokes | outcomes | impossible | unlike the second reading |")
    print("|---|---|---|---|---|---|")
    for book in (UMB_1997, FIBIS_2022):
        for adding in Adding:
            counts = outcomes(strokes(fouls=True), replace(book, adding=adding))
            unlike = _unlike(book.id, adding) if book.adding is adding else "not compared"
            print(
                f"| {book.id} | {adding.value} | {counts.total():,} | {len(counts) - 1} "
                f"| {counts[IMPOSSIBLE]:,} | {unlike} |"
            )


def _unlike(book: str, adding: Adding) -> int:
    """Strokes whose ruling differs from the oracle's."""
    count = 0
    chosen = replace(UMB_1997 if book == UMB_1997.id else FIBIS_2022, adding=adding)
    for stroke in strokes(fouls=True):
        if stroke.problems():
            continue
        ours, theirs = rule(stroke, book=chosen), ruling(format_action(stroke), book, adding.value)
        to = ours.to.value if ours.to else None
        count += (ours.points, to, ours.ball_in_hand, ours.fouls) != (
            theirs.points,
            theirs.to,
            theirs.ball_in_hand,
            theirs.fouls,
        )
    return count


if __name__ == "__main__":
    main()
