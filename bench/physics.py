"""Throughput of the simulator, memory, and a million strokes without a violation.

    uv run python bench/physics.py              # throughput, parts, memory
    uv run python bench/physics.py violations [strokes]

Random: three balls anywhere, any direction, 1 to 6 m/s, offsets up to 0.4 R. Aimed: the same, aimed at a ball
with the lines up to two radii apart. Both seeded (tests/physics/hard_strokes.py).
"""

from __future__ import annotations

import cProfile
import platform
import pstats
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "physics"))
from hard_strokes import Floats, aimed_strokes, audited, hard_strokes, random_strokes
from test_physics_laws import position_of

from fivepins.physics import Cue, simulate, simulate_compiled, simulate_many
from fivepins.physics.batch import compiled

SETS: dict[str, Callable[[int, int], tuple[Floats, Floats]]] = {
    "random": random_strokes,
    "aimed": aimed_strokes,
}


def median(work: Callable[[], object], count: int, clock: Callable[[], float], rounds: int = 5) -> float:
    """Microseconds a stroke, median of some rounds."""
    times = []
    for _ in range(rounds):
        begun = clock()
        work()
        times.append((clock() - begun) / count * 1e6)
    return statistics.median(times)


def throughput() -> None:
    """Single strokes in CPU time; batches in CPU time, and threads in wall time taken by turns."""
    begun = time.perf_counter()
    compiled()
    print(f"compiled code ready after {time.perf_counter() - begun:.2f} s")
    for name, make in SETS.items():
        tables, shots = make(2000, 1)
        strokes = [
            (position_of(row), Cue(*map(float, s))) for row, s in zip(tables[:300], shots, strict=False)
        ]
        simulate_compiled(*strokes[0])
        many = np.tile(tables, (50, 1)), np.tile(shots, (50, 1))
        outcomes = simulate_many(*many)
        plain = median(lambda s=strokes: [simulate(*one) for one in s], 300, time.thread_time)  # type: ignore[misc]
        fast = median(lambda s=strokes: [simulate_compiled(*one) for one in s], 300, time.thread_time)  # type: ignore[misc]
        batch = median(lambda m=many: simulate_many(*m, threads=1), len(many[1]), time.process_time)  # type: ignore[misc]
        walls: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(5):
            for threads, taken in walls.items():
                taken.append(median(lambda m=many, t=threads: simulate_many(*m, threads=t),  # type: ignore[misc]
                                    len(many[1]), time.perf_counter, 1))  # fmt: skip
        one, two = (min(walls[threads]) for threads in (1, 2))
        print(f"{name}: {outcomes.counts.mean():.1f} events a stroke")
        print(f"  simulate           {plain:8.1f} us  {1e6 / plain:10,.0f} strokes a second")
        print(f"  simulate_compiled  {fast:8.1f} us  {1e6 / fast:10,.0f}")
        print(f"  simulate_many      {batch:8.2f} us  {1e6 / batch:10,.0f}  one thread, CPU time")
        print(f"  two threads {1e6 / two:,.0f} a second, {one / two:.2f} times one (best wall times of five)")


def parts() -> None:
    """Share of time by part of the kernel, in plain Python: the compiled code is inlined."""
    tables, shots = aimed_strokes(300, 2)
    strokes = [(position_of(row), Cue(*map(float, shot))) for row, shot in zip(tables, shots, strict=True)]
    profile = cProfile.Profile()
    profile.enable()
    for stroke in strokes:
        simulate(*stroke)
    profile.disable()
    rows = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    total = sum(row[2] for row in rows.values())
    shares = sorted(((row[2] / total, key[2]) for key, row in rows.items()), reverse=True)[:12]
    print(
        "share of time by part: "
        + ", ".join(f"{name.strip('<>')} {100 * share:.0f} %" for share, name in shares)
    )


def memory() -> None:
    """Resident memory of a batch of a million strokes, inputs excluded."""
    tables, shots = aimed_strokes(1000, 3)
    many = np.tile(tables, (1000, 1)), np.tile(shots, (1000, 1))
    inputs = sum(array.nbytes for array in many)
    begun = time.perf_counter()
    outcomes = simulate_many(*many)
    seconds = time.perf_counter() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(
        f"a million aimed strokes: {seconds:.1f} s on all cores, {len(outcomes.codes) / 1e6:.1f} MB of codes"
    )
    print(f"  peak {(peak - inputs) / 1e6:.0f} MB resident without the inputs")


def violations(count: int) -> None:
    """Audits strokes in blocks of 50 000, each with another seed."""
    worst, flagged, begun = np.zeros(5), 0, time.perf_counter()
    for seed in range(max(1, count // 50_000)):
        size = min(50_000, count)
        halves = random_strokes(size // 5, 2 * seed), aimed_strokes(size // 5, 2 * seed + 1)
        hard = hard_strokes(size - 2 * (size // 5), seed)
        tables, shots = (np.concatenate([*(half[i] for half in halves), hard[i]]) for i in (0, 1))
        found = audited(tables, shots)
        worst = np.maximum(worst, found.max(axis=0))
        flagged += int((found[:, 4] >= 5000).sum() + (found[:, :3] > 1e-9).any(axis=1).sum())
        print(f"\r{(seed + 1) * size:,} strokes, {flagged} violations", end="", file=sys.stderr)
    print(f"\n{count:,} strokes in {time.perf_counter() - begun:.0f} s: {flagged} violations")
    print(f"  worst overlap {worst[0]:.1e} m, off the bed {worst[1]:.1e} m, gain of energy {worst[2]:.1e}")
    print(f"  change of momentum {worst[3]:.1e} m/s, {worst[4]:.0f} events")


if __name__ == "__main__":
    print(f"Python {platform.python_version()}, {platform.machine()}, numpy {np.__version__}")
    if sys.argv[1:2] == ["violations"]:
        violations(int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000)
    else:
        memory()
        throughput()
        parts()
