"""Five-pin billiards: rules, notation and matches.

    >>> import fivepins
    >>> fivepins.rule(fivepins.parse_stroke("o r /13")).say()
    'Valid, 8 points.'

The names below are loaded when they are first used, so that `import fivepins` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from fivepins.codes import Cue as Cue
    from fivepins.codes import format_cue as format_cue
    from fivepins.codes import format_position as format_position
    from fivepins.codes import parse_cue as parse_cue
    from fivepins.codes import parse_position as parse_position
    from fivepins.errors import CheckFailed as CheckFailed
    from fivepins.errors import FivePinsError as FivePinsError
    from fivepins.errors import IllegalEvent as IllegalEvent
    from fivepins.errors import ImpossiblePosition as ImpossiblePosition
    from fivepins.errors import ImpossibleStroke as ImpossibleStroke
    from fivepins.errors import NotationError as NotationError
    from fivepins.errors import SimulationError as SimulationError
    from fivepins.errors import StoreError as StoreError
    from fivepins.events import Terms as Terms
    from fivepins.events import Turn as Turn
    from fivepins.lines import format_line as format_line
    from fivepins.lines import parse_line as parse_line
    from fivepins.match import Phase as Phase
    from fivepins.match import State as State
    from fivepins.match import replay as replay
    from fivepins.notation import Record as Record
    from fivepins.notation import format_file as format_file
    from fivepins.notation import format_record as format_record
    from fivepins.notation import parse_file as parse_file
    from fivepins.notation import read_file as read_file
    from fivepins.rulebook import FIBIS_2022 as FIBIS_2022
    from fivepins.rulebook import UMB_1997 as UMB_1997
    from fivepins.rulebook import Adding as Adding
    from fivepins.rulebook import Rulebook as Rulebook
    from fivepins.rulebook import rulebook as rulebook
    from fivepins.rules import Award as Award
    from fivepins.rules import Occasion as Occasion
    from fivepins.rules import Receiver as Receiver
    from fivepins.rules import Ruling as Ruling
    from fivepins.rules import rule as rule
    from fivepins.sheet import Sheet as Sheet
    from fivepins.sheet import score as score
    from fivepins.stats import Figures as Figures
    from fivepins.stats import of_match as of_match
    from fivepins.stats import of_set as of_set
    from fivepins.stroke import Contact as Contact
    from fivepins.stroke import Cushion as Cushion
    from fivepins.stroke import Foul as Foul
    from fivepins.stroke import Out as Out
    from fivepins.stroke import Pins as Pins
    from fivepins.stroke import Seen as Seen
    from fivepins.stroke import Stroke as Stroke
    from fivepins.table import START as START
    from fivepins.table import TABLE as TABLE
    from fivepins.table import Ball as Ball
    from fivepins.table import Colour as Colour
    from fivepins.table import Pair as Pair
    from fivepins.table import Pin as Pin
    from fivepins.table import Point as Point
    from fivepins.table import Position as Position
    from fivepins.table import Side as Side
    from fivepins.table import Table as Table
    from fivepins.tokens import format_action as format_action
    from fivepins.tokens import parse_action as parse_action
    from fivepins.tokens import parse_stroke as parse_stroke

_HOME = {
    "codes": ("Cue", "format_cue", "format_position", "parse_cue", "parse_position"),
    "errors": (
        "CheckFailed",
        "FivePinsError",
        "IllegalEvent",
        "ImpossiblePosition",
        "ImpossibleStroke",
        "NotationError",
        "SimulationError",
        "StoreError",
    ),
    "events": ("Terms", "Turn"),
    "lines": ("format_line", "parse_line"),
    "match": ("Phase", "State", "replay"),
    "notation": ("Record", "format_file", "format_record", "parse_file", "read_file"),
    "rulebook": ("FIBIS_2022", "UMB_1997", "Adding", "Rulebook", "rulebook"),
    "rules": ("Award", "Occasion", "Receiver", "Ruling", "rule"),
    "sheet": ("Sheet", "score"),
    "stats": ("Figures", "of_match", "of_set"),
    "stroke": ("Contact", "Cushion", "Foul", "Out", "Pins", "Seen", "Stroke"),
    "table": ("START", "TABLE", "Ball", "Colour", "Pair", "Pin", "Point", "Position", "Side", "Table"),
    "tokens": ("format_action", "parse_action", "parse_stroke"),
}
_MODULE = {name: module for module, names in _HOME.items() for name in names}

__all__ = ["__version__", *sorted(_MODULE)]  # noqa: PLE0604 - names of the table above


def __getattr__(name: str) -> object:
    if name not in _MODULE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_MODULE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
