"""Folders of FPN files: a store as text, a file a match."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from fivepins.errors import FivePinsError, StoreError
from fivepins.message import Message
from fivepins.notation import Record, format_record, parse_file, read_file
from fivepins.store.database import Appended, NoSuchMatch
from fivepins.store.log import rows_of


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of one match of a folder: `new`, or there before, or `error`."""

    file: str
    match_id: str
    new: bool = False
    error: str = ""


class _Store(Protocol):
    def record(self, match_id: str) -> Record: ...

    def create_match(
        self, record: Record, *, command_id: str, at: datetime, by: str = "", match_id: str | None = None
    ) -> Appended: ...


def write_folder(folder: Path, records: Mapping[str, Record]) -> list[Path]:
    """Write each record into a file of its own; a file is replaced in one step."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, record in records.items():
        path, draft = folder / f"{name}.fpn", folder / f".{name}.draft"
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            file.write(format_record(record))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        paths.append(path)
    return paths


def read_folder(store: _Store, folder: Path, *, at: datetime, by: str) -> list[Imported]:
    """Store every match of the files of a folder, in the order of their names."""
    if not folder.is_dir():
        raise StoreError(
            Message("there is no folder {folder}", folder=folder), hint="name the folder that holds the files"
        )
    done = []
    for path in sorted(folder.glob("*.fpn")):
        try:
            named = list(_named(path))
        except (FivePinsError, OSError) as error:
            done.append(Imported(path.name, "", error=str(error)))
            continue
        for match_id, record in named:
            try:
                new = _stored(store, match_id, record, at=at, by=by)
                done.append(Imported(path.name, match_id, new=new))
            except FivePinsError as error:
                done.append(Imported(path.name, match_id, error=str(error)))
    return done


def _named(path: Path) -> Iterator[tuple[str, Record]]:
    """The matches of a file; where there are several, each gets a number."""
    records = parse_file(read_file(path)).records
    name = re.sub("[^a-z0-9_-]+", "-", path.stem.lower()).strip("-_")[:60] or "match"
    for number, record in enumerate(records, start=1):
        yield name if len(records) == 1 else f"{name}-{number}", record


def _stored(store: _Store, match_id: str, record: Record, *, at: datetime, by: str) -> bool:
    """Whether a match had to be stored; raises where another one has its name."""
    try:
        there = rows_of(store.record(match_id))
    except NoSuchMatch:
        store.create_match(record, command_id=f"import {match_id}", at=at, by=by, match_id=match_id)
        return True
    if there != rows_of(record):
        raise StoreError(
            Message("there is another match {match!r}", match=match_id),
            hint="give this file another name",
        )
    return False
