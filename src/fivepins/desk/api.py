"""The routes that speak JSON: commands in, boards and lines out; feeds for third parties."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Mapping
from functools import lru_cache, partial
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from fivepins.desk.answers import (
    STREAM,
    TEXT,
    Answers,
    AtTable,
    Begun,
    BoardNow,
    ClockMoved,
    DeskTaken,
    Log,
    Matches,
    Preview,
    Rulings,
    Sheet,
    Stored,
    sends,
)
from fivepins.desk.errors import answer, malformed
from fivepins.desk.feed import Reader, Seen, Topic
from fivepins.desk.hall import Hall, dumped
from fivepins.desk.head import from_file, from_form, refuse_row
from fivepins.desk.keys import facts, table
from fivepins.desk.live import BEAT
from fivepins.desk.names import table_name
from fivepins.desk.refusal import Word
from fivepins.desk.rights import ALLOWED, Right, Role, Visitor, may, require
from fivepins.desk.spoken import spoken, spoken_by
from fivepins.errors import FivePinsError
from fivepins.events import Decision
from fivepins.lines import parse_line
from fivepins.message import Message
from fivepins.notation import Record, format_record
from fivepins.rulebook import rulebook
from fivepins.rules import Occasion
from fivepins.store import CLOSED, OPEN, Entry, is_header
from fivepins.store.log import canonical

router = APIRouter()

MatchId = Annotated[str, Path(pattern="^[a-z0-9][a-z0-9_-]{0,63}$", description="The id of a match.")]
IdOrNothing = Query(
    pattern="^([a-z0-9][a-z0-9_-]{0,63})?$", description="The id of a match, if one is meant."
)
CommandId = Annotated[
    str,
    Field(
        min_length=1, max_length=128, pattern=r"^[\x21-\x7e]+$",
        description="The same whenever the same wish is sent again; any unique word.",
    ),
]  # fmt: skip
Lang = Annotated[str, Query(description="The language of words: en, it, es, fr or de.")]
Seq = Annotated[int, Field(ge=0, le=2**31 - 1, description="The newest row its sender knows.")]
Text = Annotated[str, Field(max_length=4000)]

SEEN: Final[tuple[Word, ...]] = ("stale", "illegal", "notation", "in use", "closed")
"""What lines are refused with that are only looked at."""
REFUSED: Final[tuple[Word, ...]] = (*SEEN, "held", "used")
"""And those that are to be stored."""


RETRY: Final = 2000
"""Milliseconds after which a program comes back whose line was cut."""


class Body(BaseModel):
    """A body knows every field it has."""

    model_config = ConfigDict(extra="forbid")


class Command(Body):
    """Lines for the log of a match, one or several in one step."""

    command_id: CommandId
    expected_seq: Seq
    lines: Annotated[list[Text], Field(min_length=1, max_length=500)]


def _or_why_not(given: object, read: ValidatorFunctionWrapHandler) -> object:
    """A command, or the error for what is none: the others of its batch are commands all the same."""
    try:
        return read(given)
    except ValidationError as error:
        return malformed(error.errors())


class Batch(Body):
    """Commands that were made one after the other; each is answered for itself."""

    commands: Annotated[
        list[Annotated[Command, WrapValidator(_or_why_not)]], Field(min_length=1, max_length=500)
    ]


class NewMatch(Body):
    """A match: its head, or a file of notation that holds one match."""

    command_id: CommandId
    head: dict[str, Text] = {}
    """Without a `Date`, it is today in the hall."""
    fpn: Annotated[str, Field(max_length=2_000_000)] = ""


class Look(Body):
    """Lines, or the keys of one stroke, to be looked at before they are stored."""

    expected_seq: Seq
    lines: Annotated[list[Text], Field(max_length=500)] = []
    keys: Annotated[str, Field(max_length=400, description="Presses of the desk, such as `cannon R+1`.")] = ""


class Forgotten(Body):
    """A stroke to be put before a turn of the open set."""

    expected_seq: Seq
    before: Annotated[int, Field(ge=1, le=10_000)]
    action: Text
    reason: Text = "forgotten"


class ClockCommand(Body):
    """What happens to the clock of a match."""

    command_id: CommandId
    action: Literal["start", "stop", "reset"]
    elapsed: Annotated[float | None, Field(ge=0, le=3600, description="Seconds counted so far.")] = None


class DeskCommand(Body):
    """To become the desk of a match; `take`: in the place of another device."""

    take: bool = False


def hall_of(request: Request) -> Hall:
    """The hall of this process."""
    hall: Hall = request.app.state.hall
    return hall


def visitor_of(request: Request) -> Visitor:
    """Who asks, as the guard found out."""
    visitor: Visitor = request.state.visitor
    return visitor


async def caught_up(request: Request) -> Hall:
    """The hall of this process, which knows of the match it is asked about what any server has stored."""
    hall = hall_of(request)
    await hall.catch_up(request.path_params.get("match_id", ""))
    return hall


TheHall = Annotated[Hall, Depends(caught_up)]
TheVisitor = Annotated[Visitor, Depends(visitor_of)]


async def need(hall: Hall, visitor: Visitor, right: Right, match_id: str) -> None:
    """Raise `Forbidden` where a visitor may not do that in that match, `NoSuchMatch` where there is none."""
    live = await hall.match(match_id)
    require(visitor, right, match_id, live.now.value("Table"))


# -- matches -------------------------------------------------------------------------------------


@router.post(
    "/matches",
    tags=["matches"],
    **sends(Begun, "illegal", "notation", "used", right=Right.CREATE, status=201),
)
async def create(body: NewMatch, hall: TheHall, visitor: TheVisitor) -> dict[str, Any]:
    """Begin a match, with a head or with a whole file.

    A file with lines is one match however often it is sent, by whomever: it is answered with the match that
    it made the first time, wherever that has gone from there. A head alone begins another match each time.
    """
    if Right.CREATE not in ALLOWED[visitor.role]:
        require(visitor, Right.CREATE)
    record = _record(body, hall)
    place = record.value("Table") or ""
    require(visitor, Right.CREATE, "", place)
    done = await hall.create(record, body.command_id, visitor, match_id=_of_its_text(record))
    await hall.remember(record)
    return {"match": done.match_id, "seq": done.seq, "note": done.note}


def _record(body: NewMatch, hall: Hall) -> Record:
    if bool(body.fpn) == bool(body.head):
        raise FivePinsError("a match is a head or a file", hint="send `head` or `fpn`, one of them")
    if body.fpn:
        return from_file(body.fpn)
    today = hall.now().astimezone(hall.settings.clock).date().isoformat()
    return from_form({"Date": today} | body.head)


def _of_its_text(record: Record) -> str | None:
    """The id of a match that came as a file, the same for the same file; none for a head."""
    if not record.lines:
        return None
    text = format_record(record.with_header("Result", "*"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@router.get("/matches.json", tags=["matches"], **sends(Matches))
async def matches(
    hall: TheHall,
    lang: Lang = "en",
    skip: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> dict[str, Any]:
    """The boards of matches, newest first: `limit` behind the first `skip`, and the `count` of all."""
    newest = await hall.do(lambda: hall.store.newest(limit, skip=skip))
    boards = [await hall.board(match_id, spoken(lang)) for match_id in newest]
    return {"count": await hall.do(hall.store.count), "matches": boards}


@router.get("/matches/{match_id}/board", tags=["matches"], **sends(BoardNow))
async def board(match_id: MatchId, hall: TheHall, lang: Lang = "en") -> dict[str, Any]:
    """Everything a screen shows of a match; what the feeds send, whole."""
    shown = await hall.board(match_id, spoken(lang))
    return shown | {"now": round(hall.monotonic() * 1000), "epoch": hall.epoch}


@router.get("/tables/{place}/board", tags=["matches"], **sends(AtTable))
async def table_board(place: str, hall: TheHall, lang: Lang = "en") -> dict[str, Any]:
    """The board of the match at a table; null where there is none."""
    match_id = await hall.at(table_name(place))
    return {"board": await hall.board(match_id, spoken(lang)) if match_id else None}


@router.get("/matches/{match_id}/sheet", tags=["matches"], **sends(Sheet))
async def sheet(match_id: MatchId, hall: TheHall, lang: Lang = "en") -> dict[str, Any]:
    """Every stroke of a match in words, with statistics and their definitions."""
    return await hall.sheet(match_id, spoken(lang))


@router.get("/matches/{match_id}/match.fpn", tags=["matches"], **sends(TEXT))
async def notation(match_id: MatchId, hall: TheHall) -> Response:
    """The match as a file of notation."""
    record = await hall.do(lambda: hall.store.record(match_id))
    name = {"content-disposition": f'attachment; filename="{match_id}.fpn"'}
    return Response(format_record(record), media_type="text/plain; charset=utf-8", headers=name)


# -- the log -------------------------------------------------------------------------------------


@router.get("/matches/{match_id}/log", tags=["log"], **sends(Log))
async def log(
    match_id: MatchId,
    hall: TheHall,
    visitor: TheVisitor,
    since: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
) -> dict[str, Any]:
    """The rows of a match behind row `since`. Only those who work at it are told who wrote them.

    To everybody else a player has had the present name from the beginning.
    """
    now = (await hall.match(match_id)).now
    works = may(visitor, Right.CLOCK, match_id, now.value("Table"))
    told = _whole if works else partial(_public, {side: now.value(side) for side in ("A", "B")})
    return {"seq": now.seq, "lines": [told(row) for row in await hall.lines(match_id, since)]}


def _whole(row: Entry) -> dict[str, Any]:
    return {"seq": row.seq, "line": row.line, "at": row.at.isoformat(), "by": row.by, "device": row.device}


def _public(names: Mapping[str, str], row: Entry) -> dict[str, Any]:
    key, colon, _ = row.line.partition(":")
    line = f"{key}: {names[key]}" if colon and key in names else row.line
    return _whole(row) | {"line": line, "by": "", "device": ""}


@router.post("/matches/{match_id}/log", tags=["log"], **sends(Stored, *REFUSED, right=Right.WRITE))
async def append(
    match_id: MatchId, body: Command, hall: TheHall, visitor: TheVisitor, lang: Lang = "en"
) -> dict[str, Any]:
    """Store lines. The same command again gets the same answer and stores nothing.

    To correct a name, and to open a closed match again, is a director's right alone.
    """
    return await _append(match_id, body, hall, visitor, lang)


async def _append(match_id: str, body: Command, hall: Hall, visitor: Visitor, lang: str) -> dict[str, Any]:
    lines = [canonical(line) for line in body.lines]
    await _refuse(match_id, lines, hall, visitor)
    from_office = visitor.role is Role.DIRECTOR and all(
        is_header(line) or _is_decision(line) for line in lines
    )
    done = await hall.append(match_id, body, visitor, as_desk=not from_office)
    shown = await hall.board(match_id, spoken(lang))
    return {"seq": done.seq, "lines": body.lines, "note": done.note, "board": shown}


async def _refuse(match_id: str, lines: list[str], hall: Hall, visitor: Visitor) -> None:
    """Raise where a visitor may not write such lines, or a row of the head says what none may."""
    await need(hall, visitor, right_for(lines), match_id)
    for line in filter(is_header, lines):
        refuse_row(line)
        if line.startswith("Table:") and visitor.role is not Role.DIRECTOR:
            await hall.refuse_in_use(line.partition(":")[2].strip(), match_id)


def right_for(lines: list[str]) -> Right:
    """What lines ask for, in whatever spelling: a name, the end or a new beginning are more than a stroke.

    >>> right_for(["1. A o"]), right_for(["A: Rossi"]), right_for(["Status: open", 'decision "so"'])
    (<Right.WRITE: 'write'>, <Right.NAME: 'name'>, <Right.REOPEN: 'reopen'>)
    """
    lines = [canonical(line) for line in lines]
    if lines[:1] == [f"Status: {OPEN}"]:
        if not any(_is_decision(line) for line in lines[1:]):
            raise FivePinsError("a match is opened again with a reason", hint='a second line: decision "why"')
        return Right.REOPEN
    if f"Status: {CLOSED}" in lines[:-1]:
        raise FivePinsError("nothing follows the line that closes a match", hint="let it be the last one")
    if any(line.startswith(("A:", "B:")) for line in lines):
        return Right.NAME
    return Right.CLOSE if lines[-1:] == [f"Status: {CLOSED}"] else Right.WRITE


def _is_decision(line: str) -> bool:
    """Whether a line is a decision that says something."""
    event = None if is_header(line) else parse_line(line).event
    return isinstance(event, Decision) and bool(event.text.strip())


@router.post("/matches/{match_id}/batch", tags=["log"], **sends(Answers, right=Right.WRITE))
async def batch(  # noqa: PLR0913, PLR0917 - what a command needs, word by word
    match_id: MatchId, body: Batch, request: Request, hall: TheHall, visitor: TheVisitor, lang: Lang = "en"
) -> dict[str, Any]:
    """Store what was kept while the line was down: every command gets its own answer or error."""
    items: list[dict[str, Any]] = []
    for one in body.commands:
        try:
            if isinstance(one, FivePinsError):
                raise one
            items.append(await _append(match_id, one, hall, visitor, lang))
        except FivePinsError as error:
            status, told = answer(error, spoken_by(request))
            items.append({"status": status} | told)
    return {"items": items}


@router.post("/matches/{match_id}/preview", tags=["log"], **sends(Preview, *SEEN, right=Right.WRITE))
async def preview(
    match_id: MatchId, body: Look, hall: TheHall, visitor: TheVisitor, lang: Lang = "en"
) -> dict[str, Any]:
    """What lines, or the keys of one stroke, would come to, for those who could store them. Nothing is."""
    lines = [canonical(line) for line in body.lines]
    await _refuse(match_id, lines, hall, visitor)
    if body.keys:
        state = (await hall.match(match_id)).now.state
        if state.to_play is None or state.set is None:
            raise FivePinsError(
                Message("no stroke is expected: expected {expected}", expected=state.expected)
            )
        lines = [f"{len(state.set.turns) + 1}. {state.to_play.value} {facts(body.keys.split())}"]
    return await hall.preview(match_id, body.expected_seq, lines, spoken(lang))


@router.post("/matches/{match_id}/rewrite", tags=["log"], **sends(Preview, *SEEN, right=Right.WRITE))
async def rewrite(
    match_id: MatchId, body: Forgotten, hall: TheHall, visitor: TheVisitor, lang: Lang = "en"
) -> dict[str, Any]:
    """The lines that insert a forgotten stroke; send them to the log to confirm."""
    await need(hall, visitor, Right.WRITE, match_id)
    return await hall.rewrite(
        match_id, body.expected_seq,
        before=body.before, action=body.action, reason=body.reason, lang=spoken(lang),
    )  # fmt: skip


# -- clock and desk ------------------------------------------------------------------------------


@router.post(
    "/matches/{match_id}/clock", tags=["desk"],
    **sends(ClockMoved, "illegal", "used", "closed", right=Right.CLOCK),
)  # fmt: skip
async def clock(match_id: MatchId, body: ClockCommand, hall: TheHall, visitor: TheVisitor) -> dict[str, Any]:
    """Start, stop or reset the clock of the stroke that is awaited."""
    await need(hall, visitor, Right.CLOCK, match_id)
    await hall.set_clock(match_id, body.command_id, body.action, body.elapsed)
    return {"clock": (await hall.board(match_id, "en"))["clock"]}


@router.post("/matches/{match_id}/desk", tags=["desk"], **sends(DeskTaken, "closed", right=Right.WRITE))
async def desk(match_id: MatchId, body: DeskCommand, hall: TheHall, visitor: TheVisitor) -> dict[str, Any]:
    """Become the desk of a match, the one device that writes it."""
    await need(hall, visitor, Right.WRITE, match_id)
    return await hall.take_desk(match_id, visitor, take=body.take)


@router.get("/keys/{book}.json", tags=["desk"], **sends(Rulings))
def keys(
    book: str,
    occasion: Literal["opening", "ordinary"] = "ordinary",
    fouls: Literal["1", "2"] = "1",
    lang: Lang = "en",
    say: Lang = "en",
) -> Response:
    """The ruling of every stroke that keys can enter: with at most one foul, or all those with two."""
    text = _rulings(book, occasion, int(fouls), spoken(lang), spoken(say))
    # a book's rulings never change under its id, but our words for them may
    return Response(text, media_type="application/json", headers={"cache-control": "max-age=3600"})


@lru_cache(maxsize=16)  # half a second's work, and every desk that opens asks for it
def _rulings(book: str, occasion: str, fouls: int, lang: str, say: str) -> str:
    found = table(rulebook(book), Occasion(occasion), fouls=fouls, lang=lang, say=say)
    return dumped({"book": book, "occasion": occasion, "rulings": found})


# -- feeds for third parties ---------------------------------------------------------------------


LastId = Annotated[str, Header(alias="Last-Event-ID", description="Of the last event that was received.")]


@router.get("/matches/{match_id}/events", tags=["feeds"], **sends(STREAM))
async def match_events(
    match_id: MatchId, hall: TheHall, lang: Lang = "en", last_id: LastId = ""
) -> StreamingResponse:
    """Server-sent events: the board of a match after each change."""
    await hall.match(match_id)
    return _stream(hall, Topic("match", match_id, "board", spoken(lang)), last_id)


@router.get("/tables/{place}/events", tags=["feeds"], **sends(STREAM))
async def table_events(
    place: str, hall: TheHall, lang: Lang = "en", last_id: LastId = ""
) -> StreamingResponse:
    """Server-sent events: the board of whatever is played at a table."""
    return _stream(hall, Topic("table", table_name(place), "board", spoken(lang)), last_id)


@router.get("/events", tags=["feeds"], **sends(STREAM))
async def hall_events(hall: TheHall, lang: Lang = "en", last_id: LastId = "") -> StreamingResponse:
    """Server-sent events: the boards of all tables."""
    return _stream(hall, Topic("hall", "", "board", spoken(lang)), last_id)


def _stream(hall: Hall, topic: Topic, last_id: str) -> StreamingResponse:
    return StreamingResponse(
        _events(hall, topic, last_id), media_type=STREAM, headers={"cache-control": "no-store"}
    )


async def _events(hall: Hall, topic: Topic, last_id: str) -> AsyncIterator[str]:
    """A feed as server-sent events; a comment line keeps it open.

    What the program was shown last, in this connection or before, is not sent again.
    """
    reader, seen = Reader(topic, ""), Seen()
    hall.hub.join(reader)
    try:
        reader.begin(await hall.first(topic, -1))
        yield f"retry: {RETRY}\n\n"
        while True:
            for text in await reader.take(BEAT):
                if (told := seen.after(text)) != last_id:
                    yield f"id: {told}\ndata: {text}\n\n"
                last_id = told
            yield ":\n\n"
    finally:
        hall.hub.leave(reader)
