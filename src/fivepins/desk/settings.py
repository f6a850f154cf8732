"""What a hall is called, where it is, and what its matches begin with."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

from fivepins.desk.names import table_name
from fivepins.errors import FivePinsError
from fivepins.language import LANGUAGES
from fivepins.message import Message
from fivepins.notation import Record
from fivepins.rulebook import RULEBOOKS
from fivepins.store import Store

_KEY, _LAST = "hall", "last match"
_SET = ("hall", "zone", "tables", "language")
TABLES = ("T1", "T2", "T3", "T4")
"""Of a hall that has not said how many it has."""
LONGEST: Final = 80

BEGINNINGS = {
    "Sets": ("", "3", "5", "7"),
    "Clock": ("", "40+20"),
    "Language": LANGUAGES,
    "Rules": tuple(RULEBOOKS),
    "Distance": tuple(map(str, range(1, 1000))),
}
"""What the form of a new match may begin with, by header: how it is played, and nobody's name."""


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
        if not self.hall.strip() or len(self.hall) > LONGEST or not self.hall.isprintable():
            raise FivePinsError(Message("a hall has a name of 1 to {longest} letters", longest=LONGEST))
        if self.zone not in available_timezones():
            raise FivePinsError(
                Message("there is no time zone {zone!r}", zone=self.zone),
                hint="for example Europe/Rome",
            )
        if self.language not in LANGUAGES:
            raise FivePinsError(
                Message("unknown language: {language!r}", language=self.language),
                hint=Message("known are {names}", names=", ".join(LANGUAGES)),
            )
        if not self.tables or len(set(self.tables)) < len(self.tables):
            raise FivePinsError("a hall has a table or more, each with a name of its own")
        for table in self.tables:
            table_name(table)
        for key, value in self.last.items():
            if value not in BEGINNINGS.get(key, ()):
                raise FivePinsError(
                    Message("a new match cannot begin with {key}: {value}", key=key[:20], value=value[:40])
                )

    @property
    def clock(self) -> ZoneInfo:
        """The zone in which the hall tells the time."""
        return ZoneInfo(self.zone)

    @classmethod
    def load(cls, store: Store) -> Settings:
        """The settings as they were saved, or as they are in a new hall."""
        saved: dict[str, Any] = json.loads(store.setting(_KEY) or "{}")
        last = json.loads(store.setting(_LAST) or "{}")
        known = {"zone": machine_zone()} | {key: saved[key] for key in _SET if key in saved}
        return cls(
            **known | {"tables": tuple(known.get("tables", TABLES))},
            last={key: value for key, value in last.items() if value in BEGINNINGS.get(key, ())},
        )

    def save(self, store: Store) -> None:
        """Keep them all."""
        kept = {key: getattr(self, key) for key in _SET}
        store.set_setting(_KEY, json.dumps(kept, ensure_ascii=False))
        self.save_last(store)

    def after(self, record: Record) -> Settings:
        """The settings once a match has been begun: the next one begins as it did.

        >>> from fivepins.notation import parse_file
        >>> begun = parse_file("FPN 1\\nA: Rossi\\nB: Bo\\nRules: UMB-1997\\nDistance: 60/50\\nResult: *\\n")
        >>> Settings().after(begun.records[0]).last
        {'Sets': '', 'Clock': '', 'Rules': 'UMB-1997', 'Distance': '60'}
        """
        found = {key: (record.value(key) or "").partition("/")[0] for key in BEGINNINGS}
        return replace(self, last={key: value for key, value in found.items() if value in BEGINNINGS[key]})

    def save_last(self, store: Store) -> None:
        """Keep how the last match was begun, and leave alone what a director may have set elsewhere."""
        store.set_setting(_LAST, json.dumps(self.last))


def machine_zone() -> str:
    """The time zone of this machine as far as it can be told, else UTC."""
    found = next((zone for zone in _hints() if zone in available_timezones()), "UTC")
    return "UTC" if found == "Etc/UTC" else found  # the name that people know


def _hints() -> Iterator[str]:
    """Where systems say in which zone they are: POSIX, then most of them, then Debian."""
    yield os.environ.get("TZ", "").removeprefix(":")
    yield str(Path("/etc/localtime").resolve()).partition("zoneinfo/")[2]
    try:
        yield Path("/etc/timezone").read_text("utf-8").strip()
    except (OSError, ValueError):
        return
