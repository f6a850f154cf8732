"""The rule books, as data: every number and switch in which one differs from another.

`UMB_1997` is the text of the UMB as read in `docs/rules/`; `FIBIS_2022` is today's Italian practice.
Nothing in this package asks which book it has before it: it asks the book.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import Enum
from types import MappingProxyType

from fivepins.errors import FivePinsError
from fivepins.message import Message
from fivepins.stroke import Foul


class Adding(Enum):
    """How the 2 points of several fouls in one stroke add up (61.1)."""

    EACH = "each"
    """Every foul adds 2; a missed object ball also beside red first or pins first."""
    DISTINCT = "distinct"
    """Every distinct foul adds 2; a missed object ball is absorbed by red first and pins first."""
    NEVER = "never"
    """One 2 a stroke, whatever was committed."""


class SpotChoice(Enum):
    """When the incoming player may ask for the object ball on its spot (44.5)."""

    ALWAYS = "always"
    UNLESS_ONLY_STRIKER_OUT = "unless-only-striker-out"
    """Only if his own ball or the red left the table, or no ball did."""


class Blocking(Enum):
    """Which balls keep another from its spot when it is put back (42.3)."""

    ANY = "any"
    CROSSWISE = "crosswise"
    """Only the striker's ball keeps the red from its spot, and only the red the striker's ball."""


class AfterDisturbance(Enum):
    """Where balls go that a third person moved (62)."""

    WHERE_THEY_WOULD_BE = "where they would be"
    POSITION_BEFORE = "position before"


@dataclass(frozen=True, slots=True)
class Scale:
    """What a number of won sets is worth, for winner and loser; None where nothing is awarded (28.4–5)."""

    match_points: tuple[int, int]
    set_points: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLimit:
    """The time for a stroke in seconds, and what overstepping it costs (49)."""

    first: int = 40
    second: int = 20
    penalty: int = 2
    extra: int = 0
    """Seconds of the one extra time a player may ask for in a set; 0 where the book has none."""
    hand_when_lost: bool = False
    """Whether the turn passes with ball in hand, or with the balls as they lie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """The pause in the middle of a match (26)."""

    minutes: int = 5
    after_minutes: int = 45
    """Minutes a single-distance match must have lasted."""
    after_sets: Mapping[int, tuple[int, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """By number of sets, after which of them."""
    on_request: bool = False
    """Whether a player asks for it (and loses his claim by refusing) or the referee gives it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerances:
    """The measured limits of chapter II that a book may change, each as (lowest, highest)."""

    ball_weight: tuple[float, float]
    """grams"""
    ball_spread: float
    """grams between the heaviest and the lightest ball"""
    pin_head: float
    """millimetres"""
    frame_width: tuple[float, float | None]
    """millimetres"""
    light: float
    """lux on the bed, at least"""
    humidity: tuple[float, float] | None = None
    """per cent"""
    foot_line: float = 0.0
    """millimetres outside the frame (45)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulebook:
    """One book of rules: its id and every value in which books may differ.

    >>> UMB_1997.lone_centre, FIBIS_2022.lone_centre
    (8, 10)
    """

    id: str
    title: str
    in_force: date

    outer: int = 2
    centre: int = 4
    lone_centre: int = 8
    cannon: int = 4
    casin: int = 3
    foul: int = 2
    red_complement: int = 2
    """What the red adds when it is touched before the object ball (61.4)."""
    red_in_foul: int | None = None
    """What the red is worth, once, in a stroke with a ball-in-hand foul; None: the cannon keeps its value."""
    adding: Adding = Adding.DISTINCT
    words: frozenset[Foul]
    """The fouls this book names."""
    extra_articles: Mapping[Foul, str] = field(default_factory=lambda: MappingProxyType({}))
    """For words that no paragraph of 61 has: the article each one extends."""

    opening_scores: bool = True
    """Whether the points of the opening stroke are the striker's (25.4)."""
    sideways_play: bool = False
    """Whether a frozen object ball may be played sideways, for the opponent's points (41)."""
    upright_counts: bool = False
    """Whether a pin pushed wholly off its seat but upright is fallen (43.4)."""
    leaning_counts: bool = False
    """Whether a pin that leaned on the cue ball and falls as it leaves counts, and is a foul (43.5)."""
    displaced_may_stay: bool = True
    """Whether a displaced pin that touches a ball stays where it is, in play (43.4b)."""

    blocking: Blocking = Blocking.ANY
    spot_choice: SpotChoice = SpotChoice.ALWAYS
    after_disturbance: AfterDisturbance = AfterDisturbance.WHERE_THEY_WOULD_BE
    referee_tells_ball: bool = True
    """Whether the referee tells a player his ball on demand (46)."""
    any_second_repeat_loses: bool = False
    """Whether any second repetition of the lag loses the choice, or only the same player's (24.2)."""

    time: TimeLimit = field(default_factory=TimeLimit)
    pause: Break
    scales: Mapping[int, Mapping[tuple[int, int], Scale]]
    """By number of sets, then by sets won and lost. A single distance is one set, won 1–0."""
    tolerances: Tolerances

    def scale(self, sets: int, won: int, lost: int) -> Scale:
        """Match and set points of a finished match; where no table says more, one match point alone.

        >>> UMB_1997.scale(5, 3, 1)
        Scale(match_points=(1, 0), set_points=(4, 1))
        """
        return self.scales.get(sets, {}).get((won, lost), Scale((1, 0)))


_SCALES = MappingProxyType(
    {
        3: MappingProxyType({(2, 0): Scale((1, 0), (3, 0)), (2, 1): Scale((1, 0), (2, 1))}),
        5: MappingProxyType(
            {
                (3, 0): Scale((1, 0), (5, 0)),
                (3, 1): Scale((1, 0), (4, 1)),
                (3, 2): Scale((1, 0), (3, 2)),
            }
        ),
    }
)

UMB_1997 = Rulebook(
    id="UMB-1997",
    title="UMB World Rules of 5-Pin Billiard",
    in_force=date(1997, 8, 1),
    words=frozenset(Foul) - {Foul.HALF, Foul.LINE, Foul.CONDUCT, Foul.PARTNER},
    pause=Break(after_sets=MappingProxyType({3: (2,), 5: (2, 4)})),
    scales=_SCALES,
    tolerances=Tolerances(
        ball_weight=(205.0, 220.0),
        ball_spread=2.0,
        pin_head=6.0,
        frame_width=(125.0, None),
        light=520.0,
        foot_line=100.0,
    ),
)
"""The text of the UMB, as read in `docs/rules/`."""

FIBIS_2022 = replace(
    UMB_1997,
    id="FIBiS-2022",
    title="FIBiS five-pin rules",
    in_force=date(2022, 1, 1),
    lone_centre=10,
    red_in_foul=2,
    adding=Adding.NEVER,
    words=frozenset(Foul),
    extra_articles=MappingProxyType(
        {Foul.HALF: "44.3", Foul.LINE: "44.3", Foul.CONDUCT: "47", Foul.PARTNER: "21.2"}
    ),
    opening_scores=False,
    sideways_play=True,
    upright_counts=True,
    leaning_counts=True,
    displaced_may_stay=False,
    blocking=Blocking.CROSSWISE,
    spot_choice=SpotChoice.UNLESS_ONLY_STRIKER_OUT,
    after_disturbance=AfterDisturbance.POSITION_BEFORE,
    referee_tells_ball=False,
    any_second_repeat_loses=True,
    time=TimeLimit(extra=60, hand_when_lost=True),
    pause=Break(after_sets=MappingProxyType({3: (2,), 5: (3,), 7: (4,)}), on_request=True),
    tolerances=Tolerances(
        ball_weight=(205.0, 215.0),
        ball_spread=1.0,
        pin_head=7.0,
        frame_width=(125.0, 150.0),
        light=500.0,
        humidity=(30.0, 45.0),
        foot_line=0.0,
    ),
)
"""Today's practice of the Italian federation."""

RULEBOOKS = MappingProxyType({book.id: book for book in (UMB_1997, FIBIS_2022)})


def rulebook(id: str) -> Rulebook:  # noqa: A002 - the book's own word for its name
    """The rule book of that id; raises `FivePinsError` naming those that exist.

    >>> rulebook("UMB-1997").cannon
    4
    """
    try:
        return RULEBOOKS[id]
    except KeyError:
        raise FivePinsError(
            Message("unknown rule book: {id!r}", id=id),
            hint=Message("known are {names}", names=", ".join(RULEBOOKS)),
        ) from None
