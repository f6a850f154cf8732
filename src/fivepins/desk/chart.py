"""The run of the score in a set, as the points of two SVG lines."""

from __future__ import annotations

from fivepins.events import Terms
from fivepins.sets import Set, add
from fivepins.table import Pair, Side

WIDTH, HEIGHT = 600, 240
"""The frame of the lines, in SVG units; the distance is its upper edge."""


def chart(one: Set, terms: Terms) -> dict[str, object]:
    """Both lines of a set, a step to the right for each entry of its ledger; `distance` is the greater one.

    >>> from fivepins.sets import opened
    >>> chart(opened(1, Side.A, Terms()), Terms())["A"]
    '0,240 600,240'
    """
    scores = [terms.start]
    for entry in one.ledger:
        scores.append(add(scores[-1], (entry,), terms))
    if len(scores) == 1:  # nothing played, or only the score is known: a line to where it stands
        scores.append(one.score)
    top = max(terms.distance)
    lines: dict[str, object] = {side.value: _line(scores, side, top) for side in Side}
    return lines | {"width": WIDTH, "height": HEIGHT, "distance": top}


def _line(scores: list[Pair[int]], side: Side, top: int) -> str:
    """The `points` attribute of one side's polyline."""
    step = WIDTH / (len(scores) - 1)
    return " ".join(
        f"{place * step:.4g},{HEIGHT - score[side] * HEIGHT / top:.4g}" for place, score in enumerate(scores)
    )
