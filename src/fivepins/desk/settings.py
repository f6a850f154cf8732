"""What a hall is called, where it is, and what its matches begin with."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from zoneinfo import ZoneInfo, available_timezones

from fivepins.desk.names import table_name
from fivepins.errors import FivePinsError
from fivepins.language import LANGUAGES
from fivepins.store import Store

_KEY = "hall"
TABLES = ("T1", "T2", "T3", "T4")
"""Of a hall that has not said how many it has."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a hall; `last` holds what the last new match was given, to begin the next with.

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
        for table in self.tables:
            table_name(table)

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
