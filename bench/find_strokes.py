"""The typical strokes of the game, found by the simulator, and the page that shows them.

    python -m bench.find_strokes           # the page and its drawings anew from the codes on it
    python -m bench.find_strokes search    # with codes found anew

A stroke is known by the cushions its balls meet: those of the cue ball before it meets the object ball, and
those of the object ball from there to its first pin; `s` a short one, `l` a long one. Positions and cues are
drawn from boxes with a fixed seed; of those that score with that pattern the one that keeps both most often
under small errors of execution is shown.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fivepins import format_action, rule
from fivepins.codes import Cue, format_cue, format_position, parse_cue, parse_position
from fivepins.drawing import draw
from fivepins.physics import Rail, Trace, read_code, simulate, simulate_many
from fivepins.physics.batch import cue_table, position_table
from fivepins.referee import judge, rule_many
from fivepins.table import PINS, Ball, Colour, Pin, Point, Position

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = DOCS / "strokes.md"
SEED = 5
DRAWN, ROUNDS, COPIES, TRIED = 200_000, 6, 200, 150
NOISE = (0.01, 0.1, 0.02, 0.02)
"""Spread of an execution: share of the speed, degrees of aim, radii of offset sideways and upwards."""

Box = tuple[float, float, float, float]
"""Least and most x, least and most y of a ball's centre in mm."""


@dataclass(frozen=True)
class Typical:
    """A stroke to look for: its pattern, where the balls lie, how it may be struck, what it must score."""

    name: str
    words: str
    cue_rails: tuple[str, ...]
    object_rails: tuple[str, ...]
    white: Box
    yellow: Box
    speed: tuple[float, float]
    side: float = 0.5
    least: int = 6
    along: float = 0.0
    """How far from the long axis the object ball may get before its first pin, mm; 0 for anywhere."""


RED: Box = (60, 1360, 60, 2780)

STROKES = (
    Typical(
        "filotto",
        "In one line: the cue ball meets the object ball nearly full and sends it to the short cushion, from "
        "where it comes straight back through the castle. The cue ball must not follow into the pins.",
        ("",), ("s",), (450, 970, 1560, 1900), (560, 860, 2050, 2500), (1.5, 4.0), 0.3, 8,
    ),
    Typical(
        "traversino",
        "The filotto turned by a quarter: the object ball crosses the short way, off a long cushion and back "
        "into the castle.",
        ("",), ("l",), (500, 1300, 1200, 1640), (900, 1300, 1250, 1590), (1.2, 3.5), 0.4, 6,
    ),
    Typical(
        "angolo",
        "Out of the corner: the object ball meets the short cushion first, then the long one, and returns "
        "through the castle.",
        ("",), ("sl",), (100, 1320, 1700, 2400), (200, 1220, 2100, 2700), (1.5, 4.0),
    ),
    Typical(
        "striscio",
        "The angolo the other way round: the object ball, taken thin or along the rail, meets the long "
        "cushion first, then the short one, and comes back through the castle.",
        ("",), ("ls",), (100, 1320, 1500, 2300), (60, 500, 1900, 2600), (1.5, 4.5),
    ),
    Typical(
        "rinquarto",
        "Once round: the object ball meets four cushions, long and short by turns, before it reaches the "
        "castle.",
        ("",), ("slsl", "lsls"), (100, 1320, 1500, 2600), (100, 1320, 1700, 2700), (3.0, 7.0), 0.5, 4,
    ),
    Typical(
        "tre sponde",
        "The cue ball takes three cushions, long, short and long, before it meets the object ball and drives "
        "it into the pins. After a cushion the object ball may go there directly.",
        ("lsl",), ("",), (100, 1320, 300, 1200), (250, 1170, 900, 1300), (2.0, 5.0),
    ),
    Typical(
        "garuffa",
        "A kick short, long, short: the cue ball meets the near or far short cushion, a long one, the other "
        "short one, then the object ball, which goes into the pins.",
        ("sls",), ("",), (100, 1320, 500, 2400), (250, 1170, 900, 1940), (2.5, 6.0),
    ),
    Typical(
        "candela",
        "Straight as a candle: the object ball lies on the long axis, runs along it to the far short cushion "
        "and comes back along it into the castle, never further than 40 mm from the axis.",
        ("",), ("s",), (300, 1120, 1560, 2000), (680, 740, 2200, 2600), (1.2, 3.5), 0.3, 8, 40.0,
    ),
)  # fmt: skip


# ── what a stroke did ────────────────────────────────────────────────────────────────────────────────


def pattern(codes: bytes) -> tuple[str, str] | None:
    """Cushions of the cue ball before the object ball, of the object ball before its first pin."""
    rails = {Ball.CUE: "", Ball.OBJECT: ""}
    met = False
    for fact in map(read_code, codes):
        if isinstance(fact.partner, Rail):
            if fact.ball is (Ball.OBJECT if met else Ball.CUE):
                rails[fact.ball] += "s" if fact.partner in (Rail.TOP, Rail.BOTTOM) else "l"
        elif isinstance(fact.partner, Pin):
            return (rails[Ball.CUE], rails[Ball.OBJECT]) if met and fact.ball is Ball.OBJECT else None
        elif not met:
            if (fact.ball, fact.partner) != (Ball.CUE, Ball.OBJECT):
                return None
            met = True
        else:
            return None  # a second contact spoils the picture
    return None


def fits(typical: Typical, cushions: tuple[str, str] | None) -> bool:
    """Whether these cushions are those of the stroke."""
    return cushions is not None and cushions[0] in typical.cue_rails and cushions[1] in typical.object_rails


def drift(trace: Trace) -> float:
    """How far the object ball gets from the long axis before its first pin, mm."""
    first = next(fall.time for fall in trace.fallen if fall.by is Colour.YELLOW)
    starts = [arc for arc in trace.arcs(Colour.YELLOW) if arc.start <= first]
    return max(abs(1000 * arc.x - 710) for arc in starts)


def successes(typical: Typical, tables: Floats, shots: Floats) -> npt.NDArray[np.bool_]:
    """Which strokes score enough for the striker in the pattern looked for."""
    import numpy as np  # noqa: PLC0415 - the page is drawn anew without it

    outcomes = simulate_many(tables, shots)
    rulings = rule_many(outcomes)
    good = (rulings.to == 1) & (rulings.points >= typical.least)
    for n in np.flatnonzero(good):
        good[n] = fits(typical, pattern(outcomes.codes_of(int(n))))
    return np.asarray(good, dtype=np.bool_)


# ── the search ───────────────────────────────────────────────────────────────────────────────────────


def drawn(typical: Typical, rng: np.random.Generator, count: int) -> tuple[Floats, Floats]:
    """Positions and cues from the stroke's boxes, in tidy numbers, impossible ones left out.

    Where no cushion comes first the cue ball is aimed at the object ball, else anywhere.
    """
    import numpy as np  # noqa: PLC0415 - as above

    boxes = np.array([typical.white, typical.yellow, RED])
    balls = np.round(rng.uniform(boxes[:, 0::2], boxes[:, 1::2], (count, 3, 2)))
    way = balls[:, 1] - balls[:, 0]
    distance = np.hypot(*way.T)
    aim = np.degrees(np.arctan2(way[:, 1], way[:, 0]))
    width = np.degrees(np.arcsin(np.clip(61.5 / np.maximum(distance, 62), 0, 1)))
    aim += width * rng.uniform(-1, 1, count) if "" in typical.cue_rails else rng.uniform(-180, 180, count)
    shots = np.stack([
        rng.uniform(*typical.speed, count).round(1), (aim % 360).round(1),
        rng.uniform(-typical.side, typical.side, count).round(1), rng.uniform(-0.4, 0.4, count).round(1),
        np.zeros(count),
    ], axis=1)  # fmt: skip
    apart = [np.hypot(*(balls[:, i] - balls[:, j]).T) > 90 for i, j in ((0, 1), (0, 2), (1, 2))]
    clear = np.all(np.any(np.abs(balls - (710, 1420)) > 110, axis=2), axis=1)
    possible = np.logical_and.reduce(apart) & clear & (np.hypot(shots[:, 2], shots[:, 3]) < 0.55)
    seats = position_table([Position(Point(100, 100), Point(300, 100), Point(500, 100), frozenset(PINS))])
    tables = np.concatenate([balls.reshape(count, 6), np.repeat(seats[:, 6:], count, axis=0)], axis=1)
    return tables[possible], shots[possible]


def kept(typical: Typical, tables: Floats, shots: Floats, rng: np.random.Generator) -> Floats:
    """How often each of these strokes succeeds under small errors of execution."""
    import numpy as np  # noqa: PLC0415 - as above

    noisy = np.repeat(shots, COPIES, axis=0)
    errors = rng.normal(0, 1, (len(noisy), 4)) * NOISE
    noisy[:, 0] *= 1 + errors[:, 0]
    noisy[:, 1:4] += errors[:, 1:4]
    # Beyond the limit the tip would slip: no simulator plays that.
    noisy[:, 2:4] *= np.minimum(1, 0.549 / np.maximum(np.hypot(noisy[:, 2], noisy[:, 3]), 0.1))[:, None]
    good = successes(typical, np.repeat(tables, COPIES, axis=0), noisy)
    return np.asarray(good.reshape(-1, COPIES).mean(axis=1), dtype=np.float64)


def found(typical: Typical) -> tuple[Position, Cue, float]:
    """The most robust stroke of this kind among those drawn."""
    import numpy as np  # noqa: PLC0415 - as above

    rng = np.random.default_rng([SEED, len(typical.name), ord(typical.name[0])])
    best: tuple[float, Position, Cue] | None = None
    for _ in range(ROUNDS):
        tables, shots = drawn(typical, rng, DRAWN)
        good = np.flatnonzero(successes(typical, tables, shots))[:TRIED]
        shares = kept(typical, tables[good], shots[good], rng) if len(good) else np.empty(0)
        for n in np.argsort(-shares):
            row = [float(v) for v in tables[good[n]][:6]]
            position = Position(Point(*row[:2]), Point(*row[2:4]), Point(*row[4:]), frozenset(PINS))
            cue = Cue(*(float(v) for v in shots[good[n]]))
            if best is not None and shares[n] <= best[0]:
                break
            if not typical.along or drift(simulate(position, cue)) <= typical.along:
                best = (float(shares[n]), position, cue)
    assert best is not None, f"no {typical.name} found"
    return best[1], best[2], best[0]


def share_kept(typical: Typical, position: Position, cue: Cue) -> float:
    """How often a stroke keeps pattern and score; the seed makes it the same number every time."""
    import numpy as np  # noqa: PLC0415 - as above

    return float(kept(typical, position_table([position]), cue_table([cue]), np.random.default_rng(SEED))[0])


# ── the page ─────────────────────────────────────────────────────────────────────────────────────────

HEAD = """\
# Typical strokes

Eight strokes that every player knows, as positions and cues that our own simulator has found, with the facts
and the ruling it gives. Names vary from town to town; what is meant here is said by the cushions. White is
struck, yellow is the object ball, and the table lies on its side, its bottom at the left. Codes are those of
`fivepins simulate`: millimetres from the bottom left corner; metres a second, degrees, tip offsets in radii.

"Kept" is how often the stroke scores at least what is named, over the same cushions, when the execution errs:
1 % of the speed, 0.1° of the aim and 0.02 radii of the tip's place, each as a standard deviation. They are
the most robust ones of 1.2 million drawn with a fixed seed: `python -m bench.find_strokes search` finds them
again, `python -m bench.find_strokes` writes this page and its drawings from the codes on it.
"""

WORDS = {"": "none", "s": "short", "l": "long"}


def drawing_of(trace: Trace, name: str) -> str:
    """The drawing that belongs to a stroke of the page."""
    return draw(trace, title=name)


def file_of(name: str) -> Path:
    """Where a stroke's drawing is kept."""
    return DOCS / "drawings" / f"{name.replace(' ', '-')}.svg"


def rails(letters: str) -> str:
    """Cushions in words."""
    return ", ".join(WORDS[letter] for letter in letters) or "none"


def section(typical: Typical, position: Position, cue: Cue) -> str:
    """One stroke as the page shows it."""
    trace = simulate(position, cue)
    stroke = judge(trace)
    ruling = rule(stroke)
    by_cue, by_object = pattern(trace.codes) or ("", "")
    share = share_kept(typical, position, cue)
    return f"""
## {typical.name.capitalize()}

{typical.words}

![{typical.name}: paths of the balls](drawings/{file_of(typical.name).name})

| | |
|---|---|
| position | `{format_position(position)}` |
| cue | `{format_cue(cue)}` |
| cushions of the cue ball before the object ball | {rails(by_cue)} |
| cushions of the object ball before the pins | {rails(by_object)} |
| facts | `{format_action(stroke)}` |
| ruling | {ruling.explain()} |
| kept | {100 * share:.0f} % with {typical.least} points or more |
"""


def codes_on_the_page(page: str) -> Iterator[tuple[Position, Cue]]:
    """The codes of all strokes of the page, in its order."""
    for position, cue in re.findall(r"\| position \| `(.+?)` \|\n\| cue \| `(.+?)` \|", page):
        yield parse_position(position), parse_cue(cue)


def main() -> None:
    """Write the page and its drawings."""
    if sys.argv[1:] == ["search"]:
        chosen = []
        for typical in STROKES:
            position, cue, share = found(typical)
            print(f"{typical.name}: {format_cue(cue)}, kept {100 * share:.0f} %", flush=True)
            chosen.append((position, cue))
    else:
        chosen = list(codes_on_the_page(PAGE.read_text(encoding="utf-8")))
    sections = []
    for typical, (position, cue) in zip(STROKES, chosen, strict=True):
        sections.append(section(typical, position, cue))
        file = file_of(typical.name)
        file.parent.mkdir(exist_ok=True)
        file.write_text(drawing_of(simulate(position, cue), typical.name), encoding="utf-8", newline="\n")
    PAGE.write_text(HEAD + "".join(sections), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
