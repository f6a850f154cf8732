"""`fivepins score`, `fmt`: what is done with files of matches."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from fivepins.cli.output import FAULTS, JsonOption, LanguageOption, RulesOption, complain, data, print_json
from fivepins.errors import NotationError
from fivepins.language import language
from fivepins.notation import Parsed, Problem, Record, format_file, parse_file, read_file
from fivepins.rulebook import RULEBOOKS
from fivepins.sheet import Sheet, for_the_paper, rows, score, sheet_json
from fivepins.stats import DEFINITIONS, of_match
from fivepins.table import Side

FilesArgument = Annotated[
    list[Path], typer.Argument(metavar="FILE", readable=False, help="FPN files, each with one match or more.")
]


def score_command(
    files: FilesArgument,
    rules: RulesOption = None,
    json: JsonOption = False,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Tell every fault and go on where only a figure is wrong.")
    ] = False,
    lang: LanguageOption = "en",
) -> None:
    """Replay matches: score sheet, sets, statistics."""
    book = RULEBOOKS[rules] if rules else None
    matches: list[dict[str, object]] = []
    faulty = False
    for path in files:
        parsed = parse(path, lenient=lenient)
        sheets = [score(record, book=book, lenient=lenient) for record in parsed.records]
        faulty |= bool(parsed.problems) or any(sheet.problems for sheet in sheets)
        if json:
            matches.extend(_as_json(path, parsed, sheets, rules))
        else:
            report(path, parsed.problems)
            for sheet in sheets:
                _print_sheet(sheet, lang)
                report(path, sheet.problems)
    if json:
        print_json(matches)
    raise typer.Exit(FAULTS if faulty else 0)


def parse(path: Path, *, lenient: bool) -> Parsed:
    """The matches of a file; where it cannot be read as one, the problem alone."""
    try:
        return parse_file(read_file(path), lenient=lenient)
    except NotationError as error:
        return Parsed((), (Problem.of(error),))
    except OSError as error:
        return Parsed(
            (), (Problem(1, 1, f"the file cannot be read: {error.strerror}", "is the name right?"),)
        )


def _as_json(path: Path, parsed: Parsed, sheets: list[Sheet], rules: str | None) -> list[dict[str, object]]:
    """One object a match; each problem of reading stands with the match it lies in."""
    if not sheets:
        sheets = [Sheet(Record((), ()), None)]
    starts = [sheet.record.number for sheet in sheets[1:]]
    matches = []
    for place, sheet in enumerate(sheets):
        below = starts[place] if place < len(starts) else None
        above = sheet.record.number if place else 0
        own = [p for p in parsed.problems if p.line >= above and (below is None or p.line < below)]
        one = sheet_json(sheet, str(path), own)
        matches.append(one | ({"rules": rules} if rules else {}))
    return matches


def report(path: Path, problems: Iterable[Problem]) -> None:
    """Tell what is wrong with a file, each problem with its place."""
    for problem in problems:
        complain(f"{path}:{problem.line}:{problem.column}  {problem.message}", problem.hint)


def _print_sheet(sheet: Sheet, lang: str) -> None:
    state = sheet.state
    if state is None:
        return
    names = {side: escape(sheet.record.value(side.value) or side.value) for side in Side}
    title = " · ".join(filter(None, (sheet.record.value(key) for key in ("Event", "Round", "Date"))))
    length = f"best of {state.terms.sets}" if state.terms.sets else "single distance"
    data.print(f"\n[bold]{names[Side.A]} – {names[Side.B]}[/]   {escape(title)}")
    data.print(
        f"{state.terms.book.id}, {length}, to {' / '.join(map(str, dict.fromkeys(state.terms.distance)))}"
    )
    for one in state.sets:
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        for heading in ("", "", "facts", "", "A", "B"):
            table.add_column(heading, justify="right" if heading in ("A", "B") else "left")
        for row in rows(one, state.terms, lang):
            number = "" if row.turn is None else f"{row.turn}."
            table.add_row(
                number, row.side.value, escape(row.facts), row.words, str(row.score.a), str(row.score.b)
            )
        won = f", won by {names[one.winner]}" if one.winner else ", open"
        data.print(f"\n[bold]Set {one.number}[/]  {one.score.a}–{one.score.b}{won}")
        if one.ledger:
            data.print(table)
    words = list(for_the_paper(state))
    if words:
        data.print("\n" + "\n".join(words), markup=False)
    _print_result(sheet, names)
    _print_statistics(sheet, names, lang)


def _print_result(sheet: Sheet, names: dict[Side, str]) -> None:
    state = sheet.state
    assert state is not None
    won = f"{state.sets_won.a}–{state.sets_won.b}"
    if not state.is_over:
        data.print(f"\nNot finished; sets {won}; expected now: {state.expected}")
        return
    winner = names[state.winner] if state.winner else "nobody"
    how = f" ({state.end.how.value}: {escape(state.end.reason)})" if state.end else ""
    points = ""
    if state.match_points:
        points = f"; match points {state.match_points.a}–{state.match_points.b}"
    if state.set_points:
        points += f", set points {state.set_points.a}–{state.set_points.b}"
    data.print(f"\n[bold]Won by {winner}[/], sets {won}{how}{points}")


def _print_statistics(sheet: Sheet, names: dict[Side, str], lang: str) -> None:
    """The figures of the match with their definitions; figures that are nothing for both are left out."""
    assert sheet.state is not None
    figures = of_match(sheet.state).map(lambda one: one.to_json())
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("")
    for side in Side:
        table.add_column(names[side], justify="right", overflow="fold")
    definitions: list[str] = []
    for name, definition in DEFINITIONS.items():
        values = [_figure(figures[side][name]) for side in Side]
        if any(value not in ("0", "–") for value in values):
            table.add_row(name.replace("_", " "), *values)
            definitions.append(f"{name.replace('_', ' ')}: {language(lang).say(definition)}")
    if definitions:
        data.print()
        data.print(table)
        data.print("\n".join(definitions), style="dim")


def _figure(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{word} {count}" for word, count in value.items()) or "–"
    return "–" if value is None else str(value)


def fmt_command(
    files: FilesArgument,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit 1 where a file is not canonical.")
    ] = False,
) -> None:
    """Write files in canonical form, with the result the lines come to."""
    faulty = False
    for path in files:
        parsed = parse(path, lenient=False)
        sheets = [score(record) for record in parsed.records]
        problems = [
            *parsed.problems,
            *(p for sheet in sheets for p in sheet.problems if not _about_result(p, sheet)),
        ]
        if problems:
            report(path, problems)
            faulty = True
            continue
        text = format_file(sheet.record.with_header("Result", sheet.result) for sheet in sheets)
        if text.encode() == path.read_bytes():
            continue
        if check:
            complain(f"{path}  is not canonical", "fivepins fmt writes it so")
            faulty = True
        else:
            faulty |= not _write(path, text)
    raise typer.Exit(FAULTS if faulty else 0)


def _about_result(problem: Problem, sheet: Sheet) -> bool:
    """Whether a problem is the `Result` header, which fmt writes itself."""
    header = sheet.record.header("Result")
    return header is not None and problem.line == header.number


def _write(path: Path, text: str) -> bool:
    """Write a file in canonical form, and say so, or why it could not be; whether it could."""
    if not os.access(path, os.W_OK):
        complain(f"{path}  is read-only, and not in canonical form", "make it writable, or leave it")
        return False
    try:
        _overwrite(path, text)
    except OSError as error:
        complain(
            f"{path}  cannot be written: {error.strerror}", "it is as it was; is there room in its folder?"
        )
        return False
    complain(f"{path}  written in canonical form")
    return True


def _overwrite(path: Path, text: str) -> None:
    """Replace a file in one step, so that a crash leaves the old one or the new one."""
    path = path.resolve()
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(path.stat().st_mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
