"""What a hall is called, where it is, and what its matches begin with."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from zoneinfo import ZoneInfo, available_timezones

from fivepins.desk.names import table_name
from fivepins.errors import FivePinsError
from fivepins.language import LANGUAGES
from fivepins.rulebook import RULEBOOKS
from fivepins.store import Store

_KEY = "hall"
TABLES = ("T1", "T2", "T3", "T4")
"""Of a hall that has not said how many it has."""

BEGINNINGS = {
    "Sets": ("", "3", "5", "7"),
    "Clock": ("", "40+20"),
    "Language": LANGUAGES,
    "Rules": tuple(RULEBOOKS),
}
"""What a new match may begin with, by header, beside its distance."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a hall; `last` holds the headers that the form of a new match begins with.

    Raises `FivePinsError` where one of them is no good.
    """

    hall: str = "fivepins"
    zone: str = "UTC"
    tables: tuple[str, ...] = TABLES
    language: str = "en"
    """Of the referee's announcements, where a match does not say."""
    last: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.hall.strip() or len(self.hall) > 80:
            raise FivePinsError("a hall has a name of 1 to 80 letters")
        if self.zone not in available_timezones():
            raise FivePinsError(f"there is no time zone {self.zone!r}", hint="for example Europe/Rome")
        if self.language not in LANGUAGES:
            raise FivePinsError(
                f"unknown language: {self.language!r}", hint=f"known are {', '.join(LANGUAGES)}"
            )
        if not self.tables or len(set(self.tables)) < len(self.tables):
            raise FivePinsError("a hall has a table or more, each with a name of its own")
        for table in self.tables:
            table_name(table)
        for key, value in self.last.items():
            _check_beginning(key, value)

    @property
    def clock(self) -> ZoneInfo:
        """The zone in which the hall tells the time."""
        return ZoneInfo(self.zone)

    @classmethod
    def load(cls, store: Store) -> Settings:
        """The settings as they were saved, or as they are in a new hall."""
        saved = json.loads(store.setting(_KEY) or "{}")
        known = {one.name: saved[one.name] for one in fields(cls) if one.name in saved}
        return cls(**known | {"tables": tuple(known.get("tables", TABLES))})

    def save(self, store: Store) -> None:
        """Keep them."""
        store.set_setting(_KEY, json.dumps(asdict(self), ensure_ascii=False))


def _check_beginning(key: str, value: str) -> None:
    if key == "Distance":
        if not (value.isascii() and value.isdigit() and 1 <= int(value) <= 999):
            raise FivePinsError(f"the distance cannot be {value[:20]!r}", hint="1 to 999 points")
    elif value not in BEGINNINGS.get(key, ()):
        raise FivePinsError(f"a new match cannot begin with {key[:20]}: {value[:40]}")
