"""The pages: HTML from templates, and the files they need."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Annotated, Final

import segno
from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from fivepins.desk.answers import HTML, PDF, sends
from fivepins.desk.api import IdOrNothing, MatchId, TheHall, TheVisitor, hall_of, need, visitor_of
from fivepins.desk.board import Json
from fivepins.desk.document import for_people
from fivepins.desk.guard import with_style
from fivepins.desk.hall import Hall
from fivepins.desk.names import table_name
from fivepins.desk.press import press_of
from fivepins.desk.rights import Forbidden, Right, may
from fivepins.desk.spoken import spoken_by
from fivepins.desk.statics import FOR_EVER, NOT_KEPT, Statics
from fivepins.desk.words import BOARD, DESK, FORM, SHEET
from fivepins.language import Language, language
from fivepins.notation import Record
from fivepins.paper import match_html, match_paper, sheet_paper
from fivepins.paper.day import written
from fivepins.rulebook import RULEBOOKS

router = APIRouter(include_in_schema=False)
papers = APIRouter(tags=["papers"])
"""What is for programs too, and so stands in their document."""
statics = Statics()

OWN_NAMES: Final = {"en": "English", "it": "Italiano", "es": "Español", "fr": "Français", "de": "Deutsch"}
"""The languages, each in its own."""
THEMES: Final = ("dark", "light", "auto")
PLAYING: Final = 100
RECENT: Final = 12
"""Matches under way, and matches that have ended, that a page lists at most; the API has all."""

_templates = Environment(
    loader=PackageLoader("fivepins.desk"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def page(  # noqa: PLR0913 - what a page is made of
    request: Request,
    template: str,
    context: Mapping[str, object],
    *,
    words: tuple[str, ...] = (),
    boot: Mapping[str, object] | None = None,
    status: int = 200,
) -> HTMLResponse:
    """A page in the visitor's language and colours; `words` and `boot` are its scripts'."""
    hall, visitor, lang = hall_of(request), visitor_of(request), spoken_by(request)
    speech = language(lang)
    begin = {
        "lang": lang,
        "languages": OWN_NAMES,
        "zone": hall.settings.zone,
        "statics": statics.address(""),
        "words": {text: speech.say(text) for text in words if speech.say(text) != text},
        "secure": request.url.scheme == "https" or request.url.hostname in ("localhost", "127.0.0.1", "::1"),
        "role": visitor.role.value,
        "me": {"device": visitor.device, "name": visitor.name},
        **(boot or {}),
    }
    theme = request.cookies.get("theme", "")
    text = _templates.get_template(template).render(
        {
            "say": speech.say,
            "static": statics.address,
            "lang": lang,
            "languages": OWN_NAMES,
            "theme": theme if theme in THEMES else THEMES[0],
            "role": visitor.role.value,
            "hall": hall.settings.hall,
            "path": request.url.path,
            "boot": safe_json(begin),
            **context,
        }
    )
    return HTMLResponse(text, status, {"cache-control": "no-store", "vary": "Cookie, Accept-Language"})


def to_the_entrance() -> Response:
    """The way of whoever has no right for a page; the entrance says that this is why."""
    return RedirectResponse("/enter?why=right", 303)


def safe_json(content: object) -> Markup:
    """JSON that may stand in a page: nothing in it can end its element."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


# -- what is on ----------------------------------------------------------------------------------


@router.get("/")
async def index(request: Request, hall: TheHall, visitor: TheVisitor) -> Response:
    """Tables, live matches, and a new one."""
    lang = spoken_by(request)
    at_tables = await hall.boards(lang)
    live = await hall.do(lambda: hall.store.newest(PLAYING, under_way=True))
    recent = await hall.do(lambda: hall.store.newest(RECENT, under_way=False))
    context = {
        "tables": _tables(await hall.tables(), at_tables),
        "live": [await hall.board(match_id, lang) for match_id in live],
        "recent": [await hall.board(match_id, lang) for match_id in recent],
        "may_write": may(visitor, Right.CREATE),
        "saved": await _last_saved(hall, lang),
        "backup": _backup(hall, language(lang), why=may(visitor, Right.SETTINGS)),
        "address": hall.address,
        "qr": _code(hall.address) if hall.address else None,
    }
    return page(request, "index.html", context, words=BOARD)


def _tables(names: list[str], boards: dict[str, Json]) -> list[dict[str, object]]:
    """Every table with what is being played at it."""
    playing = {name: one for name, one in boards.items() if not one["over"] and one["status"] == "open"}
    return [{"name": name, "board": playing.get(name)} for name in names]


async def _last_saved(hall: Hall, lang: str) -> str | None:
    """When the newest row of any match was stored."""
    at = await hall.do(hall.store.last_saved)
    if at is None:
        return None
    at = at.astimezone(hall.settings.clock)
    return f"{written(at.date().isoformat(), lang)} {at:%H:%M:%S} {hall.settings.zone}"


def _backup(hall: Hall, speech: Language, *, why: bool) -> str | None:
    """How old the newest copy is and whether the next one fails; `why` names paths, so it is not for all."""
    if (keeper := hall.keeper) is None:
        return None
    age = keeper.age(hall.now())
    minutes = int(age.total_seconds() // 60) if age is not None else 0
    told = (
        speech.count("{n} minute ago", "{n} minutes ago", minutes)
        if age is not None
        else speech.say("nothing yet")
    )
    if why and keeper.on_the_same_disk:
        told = speech.say("{last}, on the same disk").format(last=told)
    if not keeper.error:
        return told
    return speech.say("{last}; copying fails: {reason}").format(
        last=told, reason=speech.tell(keeper.error) if why else speech.say("the director can see why")
    )


def _code(address: str) -> Markup:
    """An address as a QR code, to be scanned from the screen."""
    drawn = segno.make(address, micro=False).svg_inline(scale=4, border=2, omitsize=True)
    return Markup(drawn)


@router.get("/matches/new")
async def new(request: Request, hall: TheHall, visitor: TheVisitor) -> Response:
    """The form of a new match."""
    if not may(visitor, Right.CREATE) and not visitor.scope.startswith("table:"):
        return to_the_entrance()
    lang = spoken_by(request)
    tables = _tables(await hall.tables(), await hall.boards(lang))
    free = [str(one["name"]) for one in tables if one["board"] is None]
    last = hall.settings.last.get("Table", "")
    context = {
        "tables": tables,
        "table": last if last in free else next(iter(free), ""),
        "last": hall.settings.last,
        "books": {book.id: book.title for book in RULEBOOKS.values()},
    }
    return page(request, "new.html", context, words=FORM)


# -- a match -------------------------------------------------------------------------------------


@router.get("/matches/{match_id}")
async def watch(match_id: MatchId, request: Request, hall: TheHall) -> Response:
    """A match for those who watch."""
    lang = spoken_by(request)
    board, sheet = await hall.board(match_id, lang), await hall.sheet(match_id, lang)
    boot = {"match": match_id, "board": board, "sheet": sheet}
    return page(request, "match.html", {"board": board}, words=SHEET, boot=boot)


@router.get("/matches/{match_id}/desk")
async def desk(match_id: MatchId, request: Request, hall: TheHall, visitor: TheVisitor) -> Response:
    """The desk of a match; who may not write it is asked to sign in."""
    try:
        await need(hall, visitor, Right.CLOCK, match_id)
    except Forbidden:
        return to_the_entrance()
    lang = spoken_by(request)
    board = await hall.board(match_id, lang)
    keys = {
        occasion: f"/keys/{board['rules']}.json?occasion={occasion}&lang={lang}&say={board['language']}"
        for occasion in ("opening", "ordinary")
    }
    only_clock = request.query_params.get("role") == "timekeeper"
    tables = await hall.tables()
    boot: dict[str, object] = {"match": match_id, "board": board, "keys": keys, "tables": tables}
    if only_clock:
        boot["role"] = "timekeeper"
    return page(request, "desk.html", {"board": board}, words=DESK, boot=boot)


@papers.get("/matches/{match_id}/paper", **sends(HTML, "busy"))
async def paper(match_id: MatchId, request: Request, hall: TheHall) -> Response:
    """The match paper as a page, in the language of `?lang=` or of the reader."""
    text = (await _set(request, hall, match_id, _as_page)).decode()
    return HTMLResponse(text, headers={"content-security-policy": with_style(text)})


@papers.get("/matches/{match_id}/paper.pdf", **sends(PDF, "busy"))
async def paper_pdf(match_id: MatchId, request: Request, hall: TheHall) -> Response:
    """The match paper, to be signed, in the language of `?lang=` or of the reader."""
    content = await _set(request, hall, match_id, match_paper)
    name = {"content-disposition": f'inline; filename="{match_id}.pdf"'}
    return Response(content, media_type="application/pdf", headers=name)


@papers.get("/sheet.pdf", **sends(PDF, "busy", "unknown"))
async def blank(request: Request, hall: TheHall, match: Annotated[str, IdOrNothing] = "") -> Response:
    """The sheet for emergencies, with the head of a match where one is named."""
    press, lang = press_of(request), spoken_by(request)
    content = await (
        _set(request, hall, match, _as_sheet)
        if match
        else press.paper((_as_sheet, lang), lambda: sheet_paper(lang))
    )
    return Response(content, media_type="application/pdf")


async def _set(request: Request, hall: Hall, match_id: str, make: Callable[[Record, str], bytes]) -> bytes:
    """A paper of a match as it is now, in the visitor's language."""
    press, lang = press_of(request), spoken_by(request)
    seq = await hall.do(lambda: hall.store.seq(match_id))
    return await press.paper((make, match_id, seq, lang), lambda: make(hall.store.record(match_id), lang))


def _as_page(record: Record, lang: str) -> bytes:
    return match_html(record, lang).encode()


def _as_sheet(record: Record, lang: str) -> bytes:
    return sheet_paper(lang, record)


# -- displays ------------------------------------------------------------------------------------


@router.get("/hall")
async def all_tables(request: Request) -> Response:
    """Every table on one screen."""
    return page(request, "hall.html", {}, words=BOARD)


@router.get("/tables/{place}")
async def one_table(place: str, request: Request, hall: TheHall) -> Response:
    """The display of a table."""
    table = table_name(place)
    match_id = await hall.at(table)
    board = await hall.board(match_id, spoken_by(request)) if match_id else None
    return page(request, "table.html", {"table": table}, words=BOARD, boot={"board": board})


@router.get("/overlay/{place}")
async def overlay(place: str, request: Request) -> Response:
    """What a stream lays over its picture."""
    return page(request, "overlay.html", {"table": table_name(place)}, words=BOARD)


# -- for programs --------------------------------------------------------------------------------


@router.get("/api")
async def api(request: Request) -> Response:
    """The API, read by people."""
    return page(request, "api.html", for_people(request.app.openapi()))


# -- files ---------------------------------------------------------------------------------------


@router.get("/static/{digest}/{name:path}")
async def static(digest: str, name: str, request: Request) -> Response:
    """A file of the pages. Under an old digest it is the new file, and not kept."""
    return _file(request, name, FOR_EVER if digest == statics.digest else NOT_KEPT)


@router.get("/favicon.ico")
async def icon(request: Request) -> Response:
    """The picture that a browser asks for where a page names none, as the paper does not."""
    return _file(request, "favicon.svg", NOT_KEPT)


@router.get("/worker.js")
async def worker(request: Request) -> Response:
    """The service worker, at the root because it looks after all pages."""
    return _file(request, "worker.js", NOT_KEPT)


def _file(request: Request, name: str, kept: str) -> Response:
    one = statics.files.get(name)
    if one is None:
        return Response("there is no such file", 404, media_type="text/plain")
    packed = "gzip" in request.headers.get("accept-encoding", "") and len(one.packed) < len(one.plain)
    headers = {"cache-control": kept, "vary": "Accept-Encoding"}
    if packed:
        headers["content-encoding"] = "gzip"
    return Response(one.packed if packed else one.plain, media_type=one.kind, headers=headers)
