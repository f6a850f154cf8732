"""`fivepins perft`: the complete enumerations, counted here and now."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer
from rich.table import Table

from fivepins.cli.output import FAULTS, RulesOption, book_of, complain, data
from fivepins.errors import NotationError
from fivepins.perft import IMPOSSIBLE, open_states, outcomes, strokes
from fivepins.rulebook import Rulebook
from fivepins.tokens import format_action, parse_stroke


class Enumeration(StrEnum):
    """What can be enumerated."""

    STROKES = "strokes"
    MATCH = "match"
    NOTATION = "notation"


def perft_command(
    what: Annotated[Enumeration, typer.Argument(help="strokes, match or notation.")],
    rules: RulesOption = None,
    distance: Annotated[int, typer.Option(min=1, max=200, help="Of a set, for match.")] = 60,
    fouls: Annotated[
        bool, typer.Option("--fouls", help="With at most one seen foul: nine times as many.")
    ] = False,
) -> None:
    """Count every stroke, every score of a set, or print and parse every stroke."""
    book = book_of(rules)
    match what:
        case Enumeration.STROKES:
            _strokes(book, fouls=fouls)
        case Enumeration.MATCH:
            count = len(open_states(book, distance))
            data.print(f"{book.id}: {count:,} open score states of a set to {distance}")
        case Enumeration.NOTATION:
            _notation(fouls=fouls)


def _strokes(book: Rulebook, *, fouls: bool) -> None:
    counts = outcomes(strokes(fouls=fouls), book)
    impossible = counts.pop(IMPOSSIBLE, 0)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for heading in ("to", "points", "ball in hand", "strokes"):
        table.add_column(heading, justify="right" if heading in ("points", "strokes") else "left")
    for outcome, count in sorted(counts.items()):
        table.add_row(outcome.to, str(outcome.points), "yes" if outcome.ball_in_hand else "", f"{count:,}")
    data.print(table)
    total = counts.total() + impossible
    data.print(
        f"{book.id}: {total:,} strokes, {len(counts)} outcomes, "
        f"{impossible:,} impossible (a ball out that was never touched)"
    )


def _notation(*, fouls: bool) -> None:
    """Print and parse every stroke that can have happened."""
    count = 0
    for stroke in strokes(fouls=fouls):
        if stroke.problems():
            continue
        count += 1
        text = format_action(stroke)
        try:
            back = parse_stroke(text)
        except NotationError as error:
            complain(f"{text}: {error.message}")
            raise typer.Exit(FAULTS) from error
        if back != stroke:
            complain(f"{text}: comes back as {format_action(back)}")
            raise typer.Exit(FAULTS)
    data.print(f"{count:,} strokes printed and parsed back")
