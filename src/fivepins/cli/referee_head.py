"""The head of a live match, asked for question by question."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from fivepins.errors import FivePinsError
from fivepins.events import Terms
from fivepins.notation import HEADERS, parse_file
from fivepins.rulebook import RULEBOOKS

Head = dict[str, str]
"""The headers by their keys."""


class Question(NamedTuple):
    """A header with its question; an empty answer takes the default, `-` leaves the header out."""

    key: str
    words: str
    default: str = ""
    needed: bool = False


QUESTIONS = (
    Question("Event", "Event, - for none", "-"),
    Question("A", "Player A", needed=True),
    Question("B", "Player B", needed=True),
    Question("Rules", f"Rule book: {' or '.join(RULEBOOKS)}", "UMB-1997", needed=True),
    Question("Sets", "Sets at most: 3, 5 or 7, - for a single distance", "3"),
    Question("Distance", "Distance, or two: 60/50", "60", needed=True),
    Question("Start", "Handicap, points at the start of a set: 5-0, - for none", "-"),
    Question("Clock", "Clock, seconds of both limits, - for none", "40+20"),
    Question("Referee", "Referee", needed=True),
)

_STAND_IN = {"A": "A", "B": "B", "Rules": "UMB-1997", "Distance": "60", "Result": "*"}


def ask_head(
    ask: Callable[[str, str], str], refuse: Callable[[FivePinsError], None], known: Head
) -> tuple[Head, Terms]:
    """Ask for everything that is not known yet, each question until its answer will do."""
    found = {**known, "Result": "*"}
    for question in QUESTIONS:
        while question.key not in found:
            answer = ask(question.words, question.default).strip() or question.default
            try:
                _check(question, answer, found)
            except FivePinsError as error:
                refuse(error)
            else:
                found[question.key] = "" if answer == "-" else answer
    head = {key: found[key] for key in HEADERS if found.get(key)}
    return head, _terms(head)


def _check(question: Question, answer: str, found: Head) -> None:
    """Refuse an answer that does not fit the head as far as it is known."""
    if question.needed and answer in ("", "-"):
        raise FivePinsError("this is needed", hint=f"type an answer: {question.words}")
    if not answer.isprintable():
        raise FivePinsError("a character that cannot be printed", hint="type it again")
    _terms({**_STAND_IN, **{key: text for key, text in found.items() if text}} | _answered(question, answer))


def _answered(question: Question, answer: str) -> Head:
    return {} if answer == "-" else {question.key: answer}


def _terms(head: Head) -> Terms:
    """What a head says to the rules; raises `NotationError` where it says nothing playable."""
    terms = parse_file(format_lines(head)).records[0].terms
    assert terms is not None  # strict reading raises instead
    return terms


def format_lines(head: Head) -> str:
    """The first lines of the file."""
    return "".join(["FPN 1\n", *(f"{key}: {value}\n" for key, value in head.items()), "\n"])
