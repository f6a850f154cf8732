"""The table: a simulator of five-pin strokes that knows no rules.

>>> from fivepins.table import START
>>> trace = simulate(START, Cue(speed=3.0, aim=88.5))
>>> [event.kind.name for event in trace.events[:2]]
['STRUCK', 'PIN_FELL']
"""

from fivepins.codes import Cue
from fivepins.physics.batch import Outcomes, simulate_compiled, simulate_many
from fivepins.physics.model import MATHAVAN, STANDARD, STRONGE, Band, CushionLaw, Model
from fivepins.physics.simulate import simulate
from fivepins.physics.trace import (
    Arc,
    Event,
    EventKind,
    Fact,
    Fall,
    FallenPin,
    Motion,
    Phase,
    Rail,
    Trace,
    read_code,
    read_key,
    roles,
)

__all__ = [
    "MATHAVAN",
    "STANDARD",
    "STRONGE",
    "Arc",
    "Band",
    "Cue",
    "CushionLaw",
    "Event",
    "EventKind",
    "Fact",
    "Fall",
    "FallenPin",
    "Model",
    "Motion",
    "Outcomes",
    "Phase",
    "Rail",
    "Trace",
    "read_code",
    "read_key",
    "roles",
    "simulate",
    "simulate_compiled",
    "simulate_many",
]
