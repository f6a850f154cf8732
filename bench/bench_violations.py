"""A million seeded strokes, random, aimed and hard, audited: none may break a law.

Between all events of every stroke 17 instants are looked at: balls that overlap or leave the bed, energy that
rises, momentum lost where balls meet, strokes that do not end (tests/physics/hard_strokes.py).
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "physics"))
from hard_strokes import aimed_strokes, audited, hard_strokes, random_strokes

STROKES, BLOCK = 1_000_000, 50_000
MOST_EVENTS = 5000
TOLERANCES = (1e-9, 1e-9, 1e-9, 2e-6)
"""Of overlap, way off the bed, gain of energy, change of momentum: a ball slower than 1e-6 m/s lies still."""


def main(count: int = STROKES) -> None:
    """Audit in blocks, each with another seed, and print the worst of each kind."""
    worst, broken, begun = np.zeros(5), 0, time.perf_counter()
    for seed in range(count // BLOCK):
        fifth = BLOCK // 5
        sets = (
            random_strokes(fifth, 2 * seed),
            aimed_strokes(fifth, 2 * seed + 1),
            hard_strokes(BLOCK - 2 * fifth, seed),
        )
        found = audited(np.concatenate([s[0] for s in sets]), np.concatenate([s[1] for s in sets]))
        worst = np.maximum(worst, found.max(axis=0))
        broken += int(((found[:, 4] >= MOST_EVENTS) | (found[:, :4] > TOLERANCES).any(axis=1)).sum())
        print(f"\r{(seed + 1) * BLOCK:,} strokes, {broken} violations", end="", file=sys.stderr)
    print(file=sys.stderr)
    print(f"| {count:,} strokes, {time.perf_counter() - begun:.0f} s | worst |\n|---|---|")
    print(f"| strokes with a violation | {broken} |")
    names = ("overlap, m", "off the bed, m", "relative gain of energy", "change of momentum, m/s", "events")
    for name, value in zip(names, worst, strict=True):
        print(f"| {name} | {value:.2g} |" if name != "events" else f"| {name} | {value:.0f} |")


if __name__ == "__main__":
    main()
