"""`fivepins rebuild`, `backup`, `import`: what is done with a store of matches."""

from __future__ import annotations

import getpass
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fivepins.cli.output import FAULTS, complain

if TYPE_CHECKING:
    from fivepins.store import Store

DATABASE = typer.Option("--db", metavar="URL", help="The database, such as sqlite:///matches.db.")
DbOption = Annotated[str, DATABASE]


def opened(url: str, *, create: bool = False) -> closing[Store]:
    """A store for as long as a block lasts."""
    from fivepins.store import Store  # noqa: PLC0415 - no other command waits for a database to load

    return closing(Store.open(url, create=create))


def rebuild_command(db: DbOption) -> None:
    """Make the read tables of a store again from its log."""
    with opened(db) as store:
        complain(f"{len(store.rebuild())} matches replayed")


def backup_command(
    db: DbOption, file: Annotated[Path, typer.Argument(metavar="FILE", help="The copy, a SQLite file.")]
) -> None:
    """Copy a store while it is in use, and verify the copy."""
    with opened(db) as store:
        backup = store.backup(file)
    complain(f"{file}  {backup.matches} matches, verified, {backup.digest[:12]}")


def import_command(
    db: DbOption, folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder of FPN files.")]
) -> None:
    """Store the matches of a folder of FPN files; what is there already stays."""
    with opened(db, create=True) as store:
        done = store.import_folder(folder, at=datetime.now(UTC), by=_user())
    for one in done:
        if one.error:
            complain(f"{folder / one.file}  {one.error}")
    complain(f"{sum(one.new for one in done)} of {len(done)} matches are new")
    raise typer.Exit(FAULTS if any(one.error for one in done) else 0)


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container without a name for its user
        return ""
