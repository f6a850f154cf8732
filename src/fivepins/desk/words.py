"""The texts that page scripts say, so that the catalogues have them.

A page gets the texts of its own group: a display that must open at once carries no desk.
"""

from __future__ import annotations

from fivepins.language import N_
from fivepins.paper.figures import LABELS

BOARD: tuple[str, ...] = (
    N_("best of {sets} to {distance}"),
    N_("one set to {distance}"),
    N_("white ball"),
    N_("yellow ball"),
    N_("needs {n}"),
    N_("start {n}"),
    N_("average {value}"),
    N_("best {value}"),
    N_("fouls {value}"),
    N_("to play"),
    N_("opens"),
    N_("ball in hand"),
    N_("set won"),
    N_("winner"),
    N_("Set {number}"),
    N_("Lag"),
    N_("Between the sets"),
    N_("Distance reached"),
    N_("Interrupted"),
    N_("Over"),
    N_("{n} s"),
)
"""What every page with a board says."""

SHEET: tuple[str, ...] = (
    *BOARD,
    *LABELS.values(),
    N_("foul"),
    N_("not finished"),
    N_("only the score is known"),
    N_("No strokes yet"),
    N_("won by {name}"),
    N_("opened by {name}"),
    N_("Run of the score: {a} {points_a}, {b} {points_b}"),
)
"""What the page of a match says."""

FORM: tuple[str, ...] = (
    N_("This is needed"),
    N_("The server does not answer: is this device still in the hall's network?"),
)
"""What the form of a new match says."""

SCRIPT: tuple[str, ...] = tuple(dict.fromkeys((*SHEET, *FORM)))
"""All of them, each once."""
