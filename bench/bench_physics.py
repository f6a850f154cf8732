"""The simulator: strokes a second, single and in batches, by threads; parts, start, memory.

Random: three balls anywhere, any direction, 1 to 6 m/s, offsets up to 0.4 R. Aimed: the same, aimed at a ball
with the lines up to two radii apart. Both seeded (tests/physics/hard_strokes.py). One thread is timed by the
processor's clock, two threads by the wall's, in turns with one; medians, least and most
of the rounds.
"""

from __future__ import annotations

import cProfile
import os
import platform
import pstats
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "physics"))
from hard_strokes import Floats, aimed_strokes, random_strokes
from test_physics_laws import position_of

from fivepins.physics import Cue, simulate, simulate_compiled, simulate_many
from fivepins.referee import rule_many
from fivepins.table import Position

SETS: dict[str, Callable[[int, int], tuple[Floats, Floats]]] = {
    "random": random_strokes,
    "aimed": aimed_strokes,
}
ROUNDS = 9
MEMORY = "--memory"
"""Asks this file, as a process of its own, for the resident memory of a million strokes."""


def main() -> None:
    """Print the tables."""
    print(f"{machine()}\n")
    throughput()
    print()
    threads()
    print()
    parts()
    print()
    start()
    print()
    # The figure is a process's highest ever, so a fresh process says it.
    print(
        subprocess.run([sys.executable, __file__, MEMORY], check=True, text=True, capture_output=True).stdout
    )


def machine() -> str:
    """What the figures were measured on."""
    cpu = Path("/proc/cpuinfo")
    lines = cpu.read_text().splitlines() if cpu.exists() else []
    name = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "")
    return (
        f"{os.cpu_count()} cores, {name or platform.machine()}, {platform.system()}, "
        f"Python {platform.python_version()}, numba {version('numba')}, numpy {np.__version__}"
    )


def rounds(work: Callable[[], object], clock: Callable[[], float], count: int) -> list[float]:
    """Microseconds a stroke in each round, sorted."""
    times = []
    for _ in range(ROUNDS):
        begun = clock()
        work()
        times.append((clock() - begun) / count * 1e6)
    return sorted(times)


def row(name: str, times: list[float]) -> str:
    """A line of the table: median, spread, strokes a second."""
    median = statistics.median(times)
    return f"| {name} | {median:.2f} | {times[0]:.2f}–{times[-1]:.2f} | {1e6 / median:,.0f} |"


def throughput() -> None:
    """One thread: single strokes plain and compiled, a batch, a batch that is ruled."""
    print("| one thread | µs a stroke | spread | strokes a second |\n|---|---|---|---|")
    for name, make in SETS.items():
        tables, shots = make(2000, 1)
        some = [(position_of(t), Cue(*map(float, s))) for t, s in zip(tables[:300], shots, strict=False)]
        many = np.tile(tables, (50, 1)), np.tile(shots, (50, 1))
        simulate_compiled(*some[0])
        events = simulate_many(*many, threads=1).counts.mean()

        def plain(strokes: list[tuple[Position, Cue]] = some) -> None:
            for stroke in strokes:
                simulate(*stroke)

        def fast(strokes: list[tuple[Position, Cue]] = some) -> None:
            for stroke in strokes:
                simulate_compiled(*stroke)

        def batch(many: tuple[Floats, Floats] = many) -> None:
            simulate_many(*many, threads=1)

        def ruled(many: tuple[Floats, Floats] = many) -> None:
            rule_many(simulate_many(*many, threads=1))

        clock, count = time.process_time, len(many[1])
        print(row(f"{name} ({events:.1f} events), `simulate`", rounds(plain, clock, len(some))))
        print(row(f"{name}, `simulate_compiled`", rounds(fast, clock, len(some))))
        print(row(f"{name}, `simulate_many`", rounds(batch, clock, count)))
        print(row(f"{name}, `simulate_many` and `rule_many`", rounds(ruled, clock, count)))


def threads() -> None:
    """Two threads against one, in turns: 200,000 aimed strokes each."""
    tables, shots = aimed_strokes(4000, 1)
    many = np.tile(tables, (50, 1)), np.tile(shots, (50, 1))
    walls: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(ROUNDS):
        for count, taken in walls.items():
            begun = time.perf_counter()
            simulate_many(*many, threads=count)
            taken.append(time.perf_counter() - begun)
    ratios = sorted(one / two for one, two in zip(*walls.values(), strict=True))
    print("| 200,000 aimed strokes, wall time | median | least–most |\n|---|---|---|")
    for count, taken in walls.items():
        speeds = sorted(len(many[1]) / seconds for seconds in taken)
        print(
            f"| {count} thread{'s' * (count > 1)}, strokes a second "
            f"| {statistics.median(speeds):,.0f} | {speeds[0]:,.0f}–{speeds[-1]:,.0f} |"
        )
    print(f"| ratio (target 1.8) | {statistics.median(ratios):.2f} | {ratios[0]:.2f}–{ratios[-1]:.2f} |")


def parts() -> None:
    """Share of time by function, in plain Python: the compiled code is one piece."""
    tables, shots = aimed_strokes(300, 2)
    strokes = [(position_of(t), Cue(*map(float, s))) for t, s in zip(tables, shots, strict=True)]
    profile = cProfile.Profile()
    profile.enable()
    for stroke in strokes:
        simulate(*stroke)
    profile.disable()
    found = pstats.Stats(profile).stats  # type: ignore[attr-defined]  # the typeshed has no `stats`
    total = sum(entry[2] for entry in found.values())
    shares = sorted(((entry[2] / total, key[2]) for key, entry in found.items()), reverse=True)[:12]
    print("| part (300 aimed strokes in plain Python, profiled) | share of time |\n|---|---|")
    for share, name in shares:
        print(f"| `{name.strip('<>')}` | {100 * share:.0f} % |")


def start() -> None:
    """A process that plays its first batch from the cache of compiled code."""
    code = (
        "from fivepins.physics import Cue, simulate_many\nfrom fivepins.table import START\n"
        "simulate_many(START, [Cue(2.5, 90.0)])"
    )
    times = []
    for _ in range(6):
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        times.append(time.perf_counter() - begun)
    later = sorted(times[1:])
    print("| process from start to end of a first batch, code in the cache | seconds |\n|---|---|")
    print(f"| median of five (target 1) | {statistics.median(later):.2f} ({later[0]:.2f}–{later[-1]:.2f}) |")


def memory() -> None:
    """Resident memory of a batch of a million strokes, inputs excluded."""
    tables, shots = aimed_strokes(1000, 3)
    many = np.tile(tables, (1000, 1)), np.tile(shots, (1000, 1))
    inputs = sum(array.nbytes for array in many)
    outcomes = simulate_many(*many)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024  # kilobytes on Linux
    print("| a million aimed strokes, all cores | MB |\n|---|---|")
    print(f"| highest resident memory without the inputs (target 400) | {(peak - inputs) / 1e6:.0f} |")
    print(f"| fact codes | {len(outcomes.codes) / 1e6:.0f} |")


if __name__ == "__main__":
    memory() if MEMORY in sys.argv else main()
