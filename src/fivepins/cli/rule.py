"""`fivepins rule`: a ruling, explained."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import Annotated

import typer
from rich.table import Table

from fivepins.cli.output import (
    FAULTS,
    JsonOption,
    LanguageOption,
    RulesOption,
    book_of,
    complain,
    data,
    one_of,
    print_json,
)
from fivepins.errors import ImpossibleStroke, NotationError
from fivepins.language import N_, language
from fivepins.rulebook import Adding, Rulebook
from fivepins.rules import Occasion, Receiver, Ruling, rule
from fivepins.stroke import Stroke
from fivepins.tokens import format_action, read_text


@dataclass(frozen=True, slots=True)
class Question:
    """What a stroke is ruled by: book, occasion, and the language of the announcement."""

    book: Rulebook
    occasion: Occasion
    code: str

    def answer(self, text: str) -> tuple[Stroke, Ruling]:
        """The stroke and its ruling; raises `NotationError` at the token that is wrong."""
        reading = read_text(text)
        stroke = reading.action
        if not isinstance(stroke, Stroke):
            raise NotationError(
                f"there is nothing to rule in '{text.strip()}'",
                column=len(text) - len(text.lstrip()) + 1,
                hint="a ruling needs facts: what touched what, for example o r /13",
            )
        try:
            return stroke, rule(stroke, self.occasion, self.book)
        except ImpossibleStroke as error:
            fault = error.faults[0]
            column = 1 if fault.index is None else reading.columns[fault.index]
            raise NotationError(fault.message, column=column, hint=fault.hint) from error


def ruling_json(stroke: Stroke, ruling: Ruling, code: str = "en") -> dict[str, object]:
    """A ruling as the commands print it."""
    return {
        "facts": format_action(stroke),
        "points": ruling.points,
        "to": ruling.to.value if ruling.to else None,
        "ball_in_hand": ruling.ball_in_hand,
        "fouls": list(ruling.fouls),
        "awards": [award._asdict() for award in ruling.awards],
        "say": ruling.say(code),
    }


def rule_command(
    facts: Annotated[
        list[str],
        typer.Argument(metavar="FACTS", help="What happened, in FPN: o r /13. With --json, - reads stdin."),
    ],
    rules: RulesOption = None,
    adding: Annotated[
        str | None,
        typer.Option(
            help="How fouls add up, where not as the book says: each, distinct or never.",
            callback=one_of(tuple(adding.value for adding in Adding), "way of adding"),
        ),
    ] = None,
    opening: Annotated[bool, typer.Option("--opening", help="It was the opening stroke.")] = False,
    lang: LanguageOption = "en",
    json: JsonOption = False,
) -> None:
    """Rule on a stroke and say why.

    Facts are FPN tokens in the order of time: o object ball, r red, o-r both touch, /13 pins felled, c/2 by
    the cue ball, c^ ball off the table, !foot a foul the referee saw, - nothing touched.
    """
    for word in facts:
        if word.startswith("--"):
            raise typer.BadParameter(f"no such option: {word}")
    book = book_of(rules)
    if adding is not None:
        book = replace(book, adding=Adding(adding))
    question = Question(book, Occasion.OPENING if opening else Occasion.ORDINARY, lang)
    if json:
        texts = (line.rstrip("\r\n") for line in sys.stdin or ()) if facts == ["-"] else [" ".join(facts)]
        answers = [_print_answer(question, text) for text in texts]
        raise typer.Exit(0 if all(answers) else FAULTS)
    _explain(question, " ".join(facts))


def _print_answer(question: Question, text: str) -> bool:
    """One JSON object for one stroke; whether it could be ruled."""
    try:
        stroke, ruling = question.answer(text)
    except NotationError as error:
        print_json({"facts": text, "error": error.message, "column": error.column})
        return False
    print_json(ruling_json(stroke, ruling, question.code))
    return True


def _explain(question: Question, text: str) -> None:
    try:
        stroke, ruling = question.answer(text)
    except NotationError as error:
        complain(f"{text}\n{' ' * (error.column - 1)}^ {error.message}", error.hint)
        raise typer.Exit(FAULTS) from error
    speech = language(question.code)
    data.print(f"[bold]{format_action(stroke)}[/]   {question.book.id}", markup=True)
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(justify="right")
    for award in ruling.awards:
        table.add_row(str(award.points), speech.say(award.reason), award.article)
    table.add_row(f"[bold]{ruling.points}[/]", f"[bold]{speech.say(_TO[ruling.to])}[/]", "")
    data.print(table)
    data.print(f"“{ruling.say(question.code)}”")


_TO = {
    None: N_("no points"),
    Receiver.STRIKER: N_("to the striker"),
    Receiver.OPPONENT: N_("to the opponent"),
}
