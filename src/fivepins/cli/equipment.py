"""`fivepins equipment`: the report of articles 11–15, pass or fail a paragraph."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from fivepins.cli.output import (
    FAULTS,
    JsonOption,
    LanguageOption,
    RulesOption,
    book_of,
    data,
    fail,
    print_json,
)
from fivepins.equipment import Report, Status, report, template
from fivepins.errors import FivePinsError
from fivepins.language import language
from fivepins.paper import equipment_paper
from fivepins.rulebook import RULEBOOKS

_STYLES = {Status.PASSES: "green", Status.APPROVED: "green", Status.FAILS: "bold red"}


def equipment_command(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The answers, as TOML.")] = None,
    blank: Annotated[bool, typer.Option("--template", help="Print an empty form to fill in.")] = False,
    rules: RulesOption = None,
    lang: LanguageOption = "en",
    json: JsonOption = False,
    pdf: Annotated[
        Path | None, typer.Option("--pdf", metavar="OUT", help="Write the report there, to be signed.")
    ] = None,
) -> None:
    """Report on table, balls, pins and lighting; exit 1 unless all is checked and fit."""
    if blank:
        data.print(template(book_of(rules), lang), markup=False, end="")
        return
    if file is None:
        raise typer.BadParameter("name a file, or ask for an empty form with --template")
    done = _read(file, rules)
    if pdf is not None:
        pdf.write_bytes(equipment_paper(done, lang))
    if json:
        print_json(_as_json(done, lang))
    else:
        _print(done, lang)
    raise typer.Exit(0 if done.fit else FAULTS)


def _read(file: Path, rules: str | None) -> Report:
    try:
        answers = tomllib.loads(file.read_text(encoding="utf-8"))
        return report(answers, RULEBOOKS[rules] if rules else None)
    except OSError as error:
        fail(f"{file}  the file cannot be read: {error.strerror}", "is the name right?")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        fail(f"{file}  is not TOML: {error}", "fivepins equipment --template prints an empty form")
    except FivePinsError as error:
        fail(f"{file}  {error.message}", error.hint)


def _print(done: Report, lang: str) -> None:
    say = language(lang).say
    data.print(f"[bold]{done.rules}[/]  " + escape(" · ".join(text for _, text in done.about)))
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for line in done.lines:
        verdict = say(line.status.value) + (f" ({line.approved_by})" if line.approved_by else "")
        table.add_row(
            line.paragraph,
            say(line.question),
            line.answer(lang),
            line.limit.say(lang) if line.limit else "",
            f"[{_STYLES.get(line.status, 'yellow')}]{escape(verdict)}[/]",
        )
    data.print(table)
    for paragraph, status in done.paragraphs.items():
        data.print(f"{paragraph}  [{_STYLES.get(status, 'yellow')}]{say(status.value)}[/]")
    data.print(f"[bold]{say(done.verdict.value)}[/]")


def _as_json(done: Report, lang: str) -> dict[str, object]:
    return {
        "rules": done.rules,
        "about": dict(done.about),
        "verdict": done.verdict.value,
        "fit": done.fit,
        "paragraphs": {number: status.value for number, status in done.paragraphs.items()},
        "lines": [
            {
                "paragraph": line.paragraph,
                "key": line.key,
                "question": language(lang).say(line.question),
                "answer": line.answer(lang),
                "limit": line.limit.say(lang) if line.limit else None,
                "status": line.status.value,
                "approved_by": line.approved_by or None,
            }
            for line in done.lines
        ],
    }
