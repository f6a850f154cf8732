"""The parameters of table, balls, cushions and pins: one frozen record, each field with unit and source.

There is no global configuration: a `Model` is an argument, `STANDARD` its default, and `Model.id` is
written with every simulated stroke. Sources: "carom tracks" are 182 recorded three-cushion shots on a
tournament table, fitted for this project; "rigid body" is a MuJoCo simulation of ball, pin and castle.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, fields, replace
from enum import Enum

from fivepins.table import TABLE, Table


class CushionLaw(Enum):
    """How a cushion answers; the three agree within what the carom tracks can tell."""

    HAN = "han"
    """One impulse at the nose in closed form (Han 2005): the default."""
    MATHAVAN = "mathavan"
    """Integrated in impulse with the cloth's reaction (Mathavan, Jackson, Parkin 2010); 8 times the work."""
    STRONGE = "stronge"
    """A tangential spring beside the normal one (Stronge 2000)."""


@dataclass(frozen=True, slots=True)
class Band:
    """A ball that rolls faster than `above` (m/s) slows by `deceleration` (m/s²)."""

    above: float
    deceleration: float


ROLLING = (Band(0.0, 0.0422), Band(0.55, 0.0525), Band(1.0, 0.058), Band(1.5, 0.0716))
"""The rolling law 0.0374 + 0.0171 v of the carom tracks as four constants: within 5 % of its way and time
at 0.25, 0.5, 1 and 2 m/s, and within 0.003 m/s² of the measured decelerations."""


@dataclass(frozen=True, slots=True)
class Model:
    """Everything a stroke depends on besides position and cue.

    >>> STANDARD.id
    'standard-1'
    >>> from dataclasses import replace
    >>> replace(STANDARD, ball_restitution=0.93).id != STANDARD.id
    True
    """

    table: Table = field(default=TABLE)
    """Measures of table, balls and castle in mm (rules 11, 12)."""
    gravity: float = 9.81
    """m/s²."""
    nose_height: float = 37.0
    """Height of the cushion's nose above the cloth in mm (11.3)."""

    sliding_friction: float = 0.175
    """Ball on cloth, sliding. Carom tracks: 0.175 ± 0.008 (46 fits)."""
    rolling: tuple[Band, ...] = ROLLING
    """One to four bands of speed with constant deceleration, slowest first, the first above 0."""
    spin_decay: float = 10.0
    """rad/s²: spin about the vertical. Usual for cloth, 5 to 15; not measurable from the tracks."""

    ball_restitution: float = 0.95
    """Ball on ball; measured values lie between 0.92 and 0.98."""
    ball_friction_floor: float = 9.951e-3
    """Ball on ball at high slip speeds: mu = floor + slow exp(-rate c), c in m/s (Alciatore after Marlow)."""
    ball_friction_slow: float = 0.108
    """What is added to it at no slip."""
    ball_friction_rate: float = 1.088
    """s/m: how fast that falls with slip speed."""

    cushion: CushionLaw = CushionLaw.HAN
    """Which law the cushions follow."""
    cushion_restitution: float = 0.89
    """At no normal speed. Carom tracks, 434 contacts: 0.89 with Han."""
    cushion_restitution_slope: float = 0.025
    """s/m: its loss with normal speed. Carom tracks, with Han."""
    cushion_friction: float = 0.27
    """Nose on ball. Carom tracks, with Han."""
    cushion_stiffness_ratio: float = 1.75
    """Tangential to normal frequency of the nose; only Stronge's law uses it."""

    squirt_mass_ratio: float = 30.0
    """Mass of the ball over the end mass of the cue: 1.9° of squirt at half a radius of side."""
    miscue_limit: float = 0.55
    """Radii: the furthest tip offset that holds (Alciatore TP 2.1: 0.55 at most, 0.5 recommended)."""

    pin_mass_ratio: float = 0.002 / 0.2125
    """Pin over ball: 2 g over 212.5 g. Plastics weigh 1.3 to 1.6 g, bone 2 g; only the loss of speed is
    in proportion to it."""
    pin_touch: float = 32.6
    """mm between ball centre and pin axis where they touch, for a ball on a spherical top of 3 mm radius."""
    pin_topple: float = 25.0
    """mm between them at which a pin that is pushed slowly falls. Rigid body, 2022 runs."""
    pin_topple_speed: float = 0.11
    """m/s towards the axis that fells a pin at the touch. Rigid body, 2022 runs."""
    pin_cloth_friction: float = 0.25
    """Thrown pin on cloth: slows it on the way to the next."""
    knock_width: float = 10.0
    """mm off the way of a thrown pin within which another falls. Rigid body, 5446 castle shots."""
    knock_free: float = 8.0
    """mm that a thrown pin flies before the cloth slows it."""
    knock_speed: float = 0.2
    """m/s a thrown pin must still have to fell another."""

    frozen_gap: float = 0.1
    """mm: balls or ball and cushion no further apart count as frozen for article 41."""
    most_events: int = 5000
    """Events after which a stroke is cut short and flagged; ordinary ones need some tens."""

    @property
    def id(self) -> str:
        """A short name of these values: `standard-1`, or a digest where any differs."""
        if self == STANDARD:
            return "standard-1"
        text = repr([(f.name, getattr(self, f.name)) for f in fields(self)])
        return "model-" + hashlib.sha256(text.encode()).hexdigest()[:10]

    def problems(self) -> list[str]:
        """Every reason why these values describe no table; empty if they do."""
        reasons = [
            f"{name} is {getattr(self, name)}: it must lie between {low:g} and {high:g}"
            for name, (low, high) in _BOUNDS.items()
            if not low <= getattr(self, name) <= high
        ]
        edges = [band.above for band in self.rolling]
        if not 1 <= len(edges) <= 4 or edges[:1] != [0.0] or edges != sorted(set(edges)):
            reasons.append(f"rolling needs one to four bands, the first above 0, not {edges}")
        if not 0 <= self.nose_height - self.table.radius < self.table.radius:
            reasons.append("the nose must meet the ball between its centre and its top")
        if not all(band.deceleration > 0 for band in self.rolling):
            reasons.append("a rolling ball must slow down in every band")
        return reasons


_BOUNDS = {
    "gravity": (0.1, 100.0),
    "nose_height": (31.0, 60.0),
    "sliding_friction": (1e-3, 2.0),
    "spin_decay": (1e-3, 1e3),
    "ball_restitution": (0.0, 1.0),
    "ball_friction_floor": (0.0, 1.0),
    "ball_friction_slow": (0.0, 1.0),
    "ball_friction_rate": (0.0, 100.0),
    "cushion_restitution": (0.0, 1.0),
    "cushion_restitution_slope": (0.0, 1.0),
    "cushion_friction": (0.0, 2.0),
    "cushion_stiffness_ratio": (0.1, 10.0),
    "squirt_mass_ratio": (0.0, 1e9),
    "miscue_limit": (0.0, 0.99),
    "pin_mass_ratio": (0.0, 0.1),
    "pin_touch": (30.75, 40.0),
    "pin_topple": (1.0, 32.0),
    "pin_topple_speed": (0.0, 10.0),
    "pin_cloth_friction": (0.0, 2.0),
    "knock_width": (0.0, 50.0),
    "knock_free": (0.0, 100.0),
    "knock_speed": (0.0, 10.0),
    "frozen_gap": (0.0, 1.0),
    "most_events": (10, 1_000_000),
}

STANDARD = Model()
"""Table, balls and cloth of a heated tournament table: the default everywhere."""

MATHAVAN = replace(
    STANDARD,
    cushion=CushionLaw.MATHAVAN,
    cushion_restitution=0.90,
    cushion_restitution_slope=0.026,
    cushion_friction=0.225,
)
"""The standard table with Mathavan's cushions, fitted to the same tracks."""

STRONGE = replace(
    STANDARD,
    cushion=CushionLaw.STRONGE,
    cushion_restitution=0.82,
    cushion_restitution_slope=0.0,
    cushion_friction=0.24,
)
"""The standard table with Stronge's cushions, fitted to the same tracks."""
