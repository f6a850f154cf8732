"""`fivepins paper`: the papers of matches as PDF/A or as a page, and the blank sheet."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fivepins.cli.output import FAULTS, LanguageOption, RulesOption, book_of, complain, fail
from fivepins.errors import NotationError
from fivepins.notation import Record, parse_file, read_file
from fivepins.paper import match_html, match_papers, sheet_paper
from fivepins.sheet import Sheet, score


def paper_command(
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE…", help="FPN files.")] = None,
    pdf: Annotated[Path | None, typer.Option("--pdf", metavar="OUT", help="Write a PDF/A there.")] = None,
    html: Annotated[Path | None, typer.Option("--html", metavar="OUT", help="Write a page there.")] = None,
    match: Annotated[
        int | None, typer.Option("--match", min=1, help="Which match of each file; all without it.")
    ] = None,
    blank: Annotated[bool, typer.Option("--blank", help="The sheet for a pencil, head filled in.")] = False,
    rules: RulesOption = None,
    lang: LanguageOption = "en",
) -> None:
    """The papers of matches, to be signed: strokes in words, decisions, statistics, result.

    With --blank the sheet to go on with by pencil; without a file its head is empty too.
    """
    if pdf is None and html is None:
        raise typer.BadParameter("say where to: --pdf OUT or --html OUT")
    if blank and (pdf is None or html is not None):
        raise typer.BadParameter("the blank sheet is printed: --pdf OUT")
    if rules is not None and (files or not blank):
        raise typer.BadParameter("--rules is for a blank sheet without a match: a match has its own")
    records = [record for file in files or [] for record in _records(file, match)]
    if html is not None and len(records) > 1:
        raise typer.BadParameter("a page holds one match: choose it with --match")
    if blank and pdf is not None:
        if len(records) > 1:
            raise typer.BadParameter("a blank sheet is for one match: choose it with --match")
        pdf.write_bytes(sheet_paper(lang, records[0][1] if records else None, book_of(rules)))
        return
    if not records:
        raise typer.BadParameter("name a file, or ask for an empty sheet with --blank")
    sheets = [_scored(file, record) for file, record in records]
    if pdf is not None:
        pdf.write_bytes(match_papers(sheets, lang))
    if html is not None:
        html.write_text(match_html(sheets[0], lang), encoding="utf-8", newline="\n")


def _scored(file: Path, record: Record) -> Sheet:
    """A match, scored; leaves with every fault where it has some."""
    sheet = score(record)
    for problem in sheet.problems:
        complain(f"{file}:{problem.line}:{problem.column}  {problem.message}", problem.hint)
    if sheet.problems:
        raise typer.Exit(FAULTS)
    return sheet


def _records(file: Path, number: int | None) -> list[tuple[Path, Record]]:
    """The matches of a file, or one of them, each with the file it is from."""
    try:
        records = parse_file(read_file(file)).records
    except OSError as error:
        fail(f"{file}  the file cannot be read: {error.strerror}", "is the name right?")
    except NotationError as error:
        fail(f"{file}:{error.line}:{error.column}  {error.message}", error.hint)
    if number is not None and number > len(records):
        fail(f"{file}  has no match {number}", f"it holds {len(records)}")
    return [(file, record) for record in (records if number is None else records[number - 1 : number])]
