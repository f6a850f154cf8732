"""The statistics of a match as the paper prints them, each with what it means."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from fivepins.language import N_, Language
from fivepins.match import State
from fivepins.rules import ANNOUNCEMENTS
from fivepins.stats import DEFINITIONS, of_match

LABELS = {
    "points": N_("Points"),
    "conceded": N_("Conceded"),
    "strokes": N_("Strokes"),
    "scored": N_("Scored"),
    "average": N_("Average"),
    "quotient": N_("Quotient"),
    "best": N_("Best stroke"),
    "cannons": N_("Cannons"),
    "casins": N_("Casins"),
    "pins": N_("Pins"),
    "lone_centres": N_("Lone centre pins"),
    "fouls": N_("Fouls"),
    "given": N_("Given"),
    "late": N_("Late"),
    "lost": N_("Lost turns"),
    "seconds": N_("Seconds"),
    "timed": N_("Timed strokes"),
    "unrecorded": N_("Unrecorded strokes"),
    "only_score": N_("Only the score"),
}
"""The name of each figure of `stats.DEFINITIONS` on paper."""

_ALWAYS = ("points", "conceded", "strokes", "scored", "average", "quotient", "best", "fouls")
"""What is printed also where it is nothing for both."""

_FOULS: dict[str, str] = {foul.value: words for foul, words in ANNOUNCEMENTS.items()}


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of both sides, and its definition."""

    label: str
    a: str
    b: str
    definition: str


def figures(state: State, speech: Language) -> tuple[Figure, ...]:
    """Every figure that says something, in the order of their definitions.

    >>> from fivepins.events import Terms
    >>> from fivepins.language import language
    >>> [one.a for one in figures(State.start(Terms()), language("en")) if one.label == "Average"]
    ['–']
    """
    values = of_match(state).map(lambda one: one.to_json())
    found = []
    for name, definition in DEFINITIONS.items():
        a, b = (_text(value[name], speech) for value in values)
        if name in _ALWAYS or {a, b} - {"0", "–"}:
            found.append(Figure(speech.say(LABELS[name]), a, b, speech.say(definition)))
    return tuple(found)


def _text(value: object, speech: Language) -> str:
    if isinstance(value, dict):
        announced = Counter[str]()  # own pins and pins first are announced by one word
        for foul, count in value.items():
            announced[speech.say(_FOULS[foul])] += count
        return ", ".join(f"{words} {count}" for words, count in announced.items()) or "–"
    if isinstance(value, float):
        text = f"{value:.3f}"
        return text if speech.code == "en" else text.replace(".", ",")
    return "–" if value is None else str(value)
