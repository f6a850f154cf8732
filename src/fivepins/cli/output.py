"""What every command shares: data on stdout, everything else on stderr, and the exit codes.

Exit 0: fine · 1: faults were found · 2: the command was called wrongly.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.markup import escape

from fivepins.errors import FivePinsError
from fivepins.language import LANGUAGES
from fivepins.rulebook import RULEBOOKS, Rulebook

FAULTS = 1
USAGE = 2

data = Console(highlight=False, soft_wrap=True)
"""Where data goes: stdout."""
notes = Console(stderr=True, highlight=False, soft_wrap=True)
"""Where everything else goes: stderr."""


def one_of(names: tuple[str, ...], what: str) -> Callable[[str | None], str | None]:
    """A check for an option that must be one of a few words."""

    def check(value: str | None) -> str | None:
        if value is not None and value not in names:
            raise typer.BadParameter(f"unknown {what}: {value!r}; known are {', '.join(names)}")
        return value

    return check


RulesOption = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="BOOK",
        help=f"The rule book: {' or '.join(RULEBOOKS)}.",
        callback=one_of(tuple(RULEBOOKS), "rule book"),
    ),
]
LanguageOption = Annotated[
    str,
    typer.Option(
        "--lang",
        metavar="CODE",
        help=f"The language of the referee: {', '.join(LANGUAGES)}.",
        callback=one_of(LANGUAGES, "language"),
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def book_of(rules: str | None) -> Rulebook:
    """The rule book of an option; the UMB's where none is named."""
    return RULEBOOKS[rules or "UMB-1997"]


def print_json(value: object) -> None:
    """One JSON value on one line of stdout."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        text = json.dumps(value)
    sys.stdout.write(text + "\n")


def complain(message: str, hint: str = "") -> None:
    """A fault, and what to do about it, on stderr."""
    notes.print(escape(message))
    if hint:
        notes.print(f"  [dim]hint:[/] {escape(hint)}")


def fail(message: str, hint: str = "", code: int = FAULTS) -> NoReturn:
    """Complain and leave."""
    complain(message, hint)
    raise typer.Exit(code)


def run(app: typer.Typer) -> NoReturn:
    """Run the command line; what goes wrong ends in words and an exit code, never in a traceback."""
    _speak_utf8()
    try:
        code = _exit_code(app)
        sys.stdout.flush()
    except FivePinsError as error:
        complain(f"error: {error.message}", error.hint)
        code = FAULTS
    except BrokenPipeError:
        # The reader has gone away (`| head`): nothing is left to say, also not at interpreter exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        complain(f"error: {error.strerror or error}: {error.filename or ''}".rstrip(": "))
        code = FAULTS
    sys.exit(code)


def _speak_utf8() -> None:
    """Read what is not UTF-8 all the same, to refuse it at its place; write what no stream can as escapes.

    A stream that was closed before we began swallows what is written to it.
    """
    nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - lives as long as the process
    sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            if stream is sys.stdin:
                stream.reconfigure(encoding="utf-8", errors="replace")
            else:
                stream.reconfigure(errors="backslashreplace")


def _exit_code(app: typer.Typer) -> int | str | None:
    """What the commands left with; Typer's own exit on a closed pipe is given back as what it was."""
    try:
        app()
    except SystemExit as done:
        if isinstance(done.__context__, BrokenPipeError):
            raise done.__context__ from None
        return done.code
    return 0
