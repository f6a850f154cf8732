"""`fivepins referee`: a live match, refereed in a terminal.

Every line typed is shown with its ruling before it counts; Enter saves it. A line is on the disk before it
is called saved. The header `Result` stays `*` until a finished match is left with quit; that header is all
that is ever rewritten (see `referee_log`), canonical form is left to `fivepins fmt`.
"""

from __future__ import annotations

import os
import shlex
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from fivepins.cli import referee_screen as screen
from fivepins.cli.output import FAULTS, USAGE, LanguageOption, RulesOption, complain, fail
from fivepins.cli.referee_head import ask_head, format_lines
from fivepins.cli.referee_log import Log, LogError
from fivepins.cli.referee_session import Match, Session
from fivepins.cli.referee_terminal import Leave, Terminal
from fivepins.errors import FivePinsError, IllegalEvent, NotationError
from fivepins.events import RefereeChange
from fivepins.lines import parse_line
from fivepins.match import Phase, State
from fivepins.notation import Record, decode, parse_file, result_text


def referee(
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The new file; match-DATE-TIME.fpn here where none is named."),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with the match in this file.")
    ] = None,
    rules: RulesOption = None,
    lang: LanguageOption = "en",
) -> None:
    """Referee a live match: lag, strokes as FPN facts, clock, corrections; saved line by line.

    Type help for the words. A terminal that was killed goes on with --resume.
    """
    if resume is not None and (out is not None or rules is not None):
        fail("--resume goes with neither --out nor --rules", "the file has its own rule book", USAGE)
    terminal = Terminal()
    path = resume or out
    try:
        if resume is not None:
            match = _resumed(resume, terminal)
        else:
            match = _begun(out, {"Rules": rules} if rules else {}, terminal)
        path = match.log.path
        left = _referee(match, terminal, lang, resumed=resume is not None)
    except NotationError as error:
        fail(f"{path}:{error.line}:{error.column}  {error.message}", error.hint)
    except LogError as error:
        fail(error.message, error.hint)
    except Leave:
        fail("\nleft before the match was begun: nothing was saved")
    except KeyboardInterrupt:
        fail(f"\nleft: what was called saved is in {path}", _how_to_resume(path))
    raise typer.Exit(left)


def _referee(match: Match, terminal: Terminal, lang: str, *, resumed: bool) -> int:
    """Run a session to its end; the exit code."""
    session = Session(match, terminal, code=lang)
    with match.log:
        try:
            if resumed:
                ask_clock(session)
            session.run()
        except Leave:
            terminal.show([""])
        return _leave(session)


def _leave(session: Session) -> int:
    """Say what is saved and how to go on; a finished match gets its result."""
    match, state = session.match, session.state
    log = match.log
    if session.pending is not None:
        complain(f"not saved: {session.pending.line.text}", "it was shown, but Enter did not follow")
    if not state.is_over:
        complain(f"saved to line {log.lines}: {log.path}", _how_to_resume(log.path))
        return FAULTS if session.pending is not None else 0
    how = state.end.how if state.end is not None else None
    try:
        log.set_result(result_text(state.winner, state.sets_won, how, over=True))
    except LogError as error:
        complain(f"the match is saved, its header 'Result' is not: {error.message}", _how_to_resume(log.path))
        return FAULTS
    typer.echo(os.fsencode(log.path))  # a path need not be text
    return FAULTS if session.pending is not None else 0


def _how_to_resume(path: Path | None) -> str:
    return f"go on with: fivepins referee --resume {shlex.quote(str(path))}"


def _begun(out: Path | None, known: dict[str, str], terminal: Terminal) -> Match:
    """A new match: its head asked for, its file created."""
    now = datetime.now().astimezone()
    if out is not None and (out.exists() or out.is_symlink()):
        raise LogError(f"{out} exists already", hint="name another, or go on with it: --resume")
    if out is not None and not out.parent.is_dir():
        raise LogError(f"{out.parent} is no folder", hint="name a file in a folder that exists: --out")
    terminal.show(["A new match. An empty answer takes what stands in brackets."])
    head, terms = ask_head(
        lambda words, default: terminal.read(f"{words}{f' [{default}]' if default else ''}: "),
        lambda error: terminal.show(screen.refusal(error)),
        {"Date": f"{now:%Y-%m-%d}", **known},
    )
    log = Log.create(out or _free_name(now), format_lines(head))
    terminal.show([f"The match is kept in {log.path}. Type help for the words."])
    return Match(log, State.start(terms), head.get("Event", ""), head["Referee"])


def _free_name(now: datetime) -> Path:
    """A name in this folder that nothing has yet."""
    name = f"match-{now:%Y%m%d-%H%M}"
    path, number = Path(f"{name}.fpn"), 1
    while path.exists():
        number += 1
        path = Path(f"{name}-{number}.fpn")
    return path


# -- going on ------------------------------------------------------------------------------------


def _resumed(path: Path, terminal: Terminal) -> Match:
    """A match that goes on; a last line that was cut off is dealt with first."""
    log = Log.open(path)
    try:
        record, state = _replayed(log.read().rpartition(b"\n"))
        tail = log.read().rpartition(b"\n")[2]
        if tail:
            _settle_tail(log, tail, state, terminal)
            record, state = _replayed(log.read().rpartition(b"\n"))
    except BaseException:
        log.close()
        raise
    names = [line.event.name for line in record.events() if isinstance(line.event, RefereeChange)]
    referee = names[-1] if names else record.value("Referee") or "–"
    terminal.show([f"Going on with {path}."])
    return Match(log, state, record.value("Event") or "", referee, record.value("Result") or "*")


def _replayed(content: tuple[bytes, bytes, bytes]) -> tuple[Record, State]:
    """The match up to the last line end; raises `NotationError` at the first line that is wrong."""
    records = parse_file(decode(content[0] + content[1])).records
    if len(records) > 1:
        raise NotationError(
            "a second match begins here", line=records[1].number, hint="a file of one match can be resumed"
        )
    record = records[0]
    assert record.terms is not None  # strict reading raises instead
    state = State.start(record.terms)
    for line in record.events():
        assert line.event is not None  # as asked for
        try:
            state = state.then(line.event)
        except IllegalEvent as error:
            column = line.column(error.part, error.index)
            raise NotationError(error.message, line=line.number, column=column, hint=error.hint) from None
    return record, state


def _settle_tail(log: Log, tail: bytes, state: State, terminal: Terminal) -> None:
    """Ask what to do with a last line that has no line end: it was never called saved."""
    shown = tail.decode("utf-8", "backslashreplace")
    terminal.show([f"The last line was cut off, and was never called saved: {shown!r}"])
    try:
        event = parse_line(tail.decode()).event
        whole = event is not None and bool(state.then(event))
    except (FivePinsError, UnicodeDecodeError):
        whole = False
    if whole:
        answer = terminal.read("It can be read. Is it complete? y keeps it, Enter makes it a comment: ")
        if answer.strip().lower() in ("y", "yes"):
            log.complete_tail()
            return
    else:
        terminal.read("It is no complete line. Enter makes it a comment: ")
    terminal.show([f"kept as: {log.keep_tail_as_comment()}"])


def ask_clock(session: Session) -> None:
    """After a restart nobody knows how long the stroke has lasted: the clock stands, and asks."""
    one = session.state.set
    if session.state.terms.clock is None or one is None or session.state.phase is not Phase.PLAY:
        return
    while True:
        answer = session.terminal.read(
            "The clock is paused. Seconds already used of this limit [0]: "
        ).strip()
        if not answer or (answer.isascii() and answer.isdigit() and len(answer) < 5):
            break
        session.terminal.show(["  a whole number of seconds, or Enter"])
    if int(answer or 0):
        session.clock.hold_at(float(answer), whole=not (one.late or one.extra_time))
