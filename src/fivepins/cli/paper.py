"""`fivepins paper`: the match paper of a file, as PDF/A or as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fivepins.cli.output import FAULTS, LanguageOption, complain, fail
from fivepins.errors import FivePinsError, NotationError
from fivepins.notation import Record, parse_file, read_file
from fivepins.paper import match_html, match_paper
from fivepins.sheet import Sheet, score


def paper_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An FPN file.")],
    pdf: Annotated[Path | None, typer.Option("--pdf", metavar="OUT", help="Write a PDF/A there.")] = None,
    html: Annotated[Path | None, typer.Option("--html", metavar="OUT", help="Write a page there.")] = None,
    match: Annotated[int, typer.Option("--match", min=1, help="Which match of the file.")] = 1,
    lang: LanguageOption = "en",
) -> None:
    """The paper of a match, to be signed: strokes in words, decisions, statistics, result."""
    if pdf is None and html is None:
        raise typer.BadParameter("say where to: --pdf OUT or --html OUT")
    sheet = _sheet(file, match)
    try:
        if pdf is not None:
            pdf.write_bytes(match_paper(sheet, lang))
        if html is not None:
            html.write_text(match_html(sheet, lang), encoding="utf-8", newline="\n")
    except FivePinsError as error:
        fail(f"{file}  {error.message}", error.hint)


def _sheet(file: Path, number: int) -> Sheet:
    """One match of a file, scored; leaves with every fault where it has some."""
    sheet = score(_record(file, number))
    for problem in sheet.problems:
        complain(f"{file}:{problem.line}:{problem.column}  {problem.message}", problem.hint)
    if sheet.problems:
        raise typer.Exit(FAULTS)
    return sheet


def _record(file: Path, number: int) -> Record:
    try:
        records = parse_file(read_file(file)).records
    except OSError as error:
        fail(f"{file}  the file cannot be read: {error.strerror}", "is the name right?")
    except NotationError as error:
        fail(f"{file}:{error.line}:{error.column}  {error.message}", error.hint)
    if number > len(records):
        fail(f"{file}  has no match {number}", f"it holds {len(records)}")
    return records[number - 1]
