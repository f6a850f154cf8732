"""Copies made by themselves, on a second path: a stick, a share, another disk."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, Protocol

from fivepins.errors import FivePinsError
from fivepins.store.backup import Backup, sweep

EVERY: Final = 300.0
"""Seconds between two looks at whether there is something to copy."""
KEPT: Final = 12
NAMES: Final = re.compile(r"hall-\d{8}T\d{6}\.\d{6}Z\.db")
"""What is counted, and cleared away, as a copy: nothing else in the folder is touched."""


class _Store(Protocol):
    @property
    def file(self) -> Path | None: ...

    def digest(self) -> str: ...

    def backup(self, path: Path) -> Backup: ...


class Keeper:
    """Copies a store into a folder from time to time, if anything has changed, and keeps the newest copies.

    Nothing it meets stops anybody: `error` says in words what is wrong with the second path, empty while
    all is well. The folder is never made here: where a stick is not plugged in, none must appear in its
    place. `now` tells the time of day, for names and ages alone.
    """

    def __init__(
        self,
        store: _Store,
        folder: Path,
        *,
        every: float = EVERY,
        kept: int = KEPT,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.last: datetime | None = None
        """When the newest copy was found to hold everything."""
        self.error = ""
        self._store = store
        self._folder = folder
        self._every = every
        self._kept = kept
        self._now = now
        self._digest = ""
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="keeper", daemon=True)

    def start(self) -> None:
        """Look at once, and again and again, in a thread."""
        self._thread.start()

    def close(self) -> None:
        """End the thread, and copy what has come since."""
        self._ended.set()
        self._thread.join()
        self.look()

    @property
    def on_the_same_disk(self) -> bool:
        """Whether one broken disk would take the store and its copies together."""
        original = self._store.file
        try:
            return original is not None and original.stat().st_dev == self._folder.stat().st_dev
        except OSError:  # one of them is not there; `error` says so
            return False

    def age(self, now: datetime) -> timedelta | None:
        """How old what the copies hold is; None where there is no copy yet."""
        return None if self.last is None else now - self.last

    def look(self) -> None:
        """Copy the store unless the newest copy, still in its place, holds the same."""
        try:
            sweep(self._folder, NAMES)
            digest, now = self._store.digest(), self._now()
            if digest != self._digest or not self._copies():
                self._digest = self._store.backup(self._folder / f"hall-{now:%Y%m%dT%H%M%S.%fZ}.db").digest
                for old in self._copies()[: -self._kept]:
                    old.unlink()
        except (FivePinsError, OSError) as error:
            self.error = error.message if isinstance(error, FivePinsError) else error.strerror or str(error)
        else:
            self.last, self.error = now, ""

    def _copies(self) -> list[Path]:
        """The copies there are, oldest first."""
        return sorted(path for path in self._folder.glob("hall-*") if NAMES.fullmatch(path.name))

    def _run(self) -> None:
        while not self._ended.is_set():
            self.look()
            self._ended.wait(self._every)
