"""`fivepins export`: the matches of files as JSON Lines, those of a store as files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fivepins.cli.files import parse, report
from fivepins.cli.output import FAULTS, complain, print_json
from fivepins.cli.store import DATABASE, opened
from fivepins.export import export as export_record


def export_command(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH", readable=False, help="FPN files; with --db the folder that the matches go to."
        ),
    ],
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Print files as JSON Lines: one object an event.")
    ] = False,
    db: Annotated[str | None, DATABASE] = None,
) -> None:
    """Give matches away in another form: files as JSON Lines, or every match of a store as an FPN file."""
    if jsonl == (db is not None):
        raise typer.BadParameter("say what to export: --jsonl FILE…, or --db URL FOLDER")
    if db is None:
        _print(paths)
    elif len(paths) > 1:
        raise typer.BadParameter("the matches of a store go to one folder")
    else:
        _write(db, paths[0])


def _print(files: list[Path]) -> None:
    for path in files:
        parsed = parse(path, lenient=False)
        if parsed.problems:
            report(path, parsed.problems)
            raise typer.Exit(FAULTS)
        for record in parsed.records:
            for value in export_record(record):
                print_json(value)


def _write(db: str, folder: Path) -> None:
    with opened(db) as store:
        complain(f"{folder}  {len(store.export_folder(folder))} matches written")
