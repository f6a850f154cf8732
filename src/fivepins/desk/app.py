"""The web application of a hall."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from fivepins import __version__
from fivepins.desk import api, entrance, equipment_form, live, office, pages
from fivepins.desk.document import completed
from fivepins.desk.errors import answer, malformed
from fivepins.desk.guard import Guard
from fivepins.desk.hall import Hall
from fivepins.desk.press import Busy, Press
from fivepins.desk.refusal import Word, refusal
from fivepins.desk.rights import TooMany
from fivepins.desk.spoken import spoken_by
from fivepins.errors import FivePinsError
from fivepins.language import N_, language

PACKED: Final = 600
"""Bytes from which an answer is worth packing."""


def create_app(hall: Hall) -> FastAPI:
    """The application that serves a hall; it holds nothing of its own."""
    app = _App(
        title="fivepins",
        version=__version__,
        docs_url=None,  # those pages load scripts of other sites; /api reads the same document
        redoc_url=None,
        lifespan=_life,
    )
    app.state.hall = hall
    app.state.page = pages.page
    app.state.press = Press()
    app.state.certificate = None  # whoever serves under one tells of it here
    app.state.host = ""  # and here under which name, if one was asked for
    for module in (api, live, pages, entrance, office, equipment_form):
        app.include_router(module.router)
    app.include_router(pages.papers)
    app.add_middleware(GZipMiddleware, minimum_size=PACKED, compresslevel=6)
    app.add_middleware(
        Guard,
        rights=hall.rights,
        now=hall.now,
        alone=lambda: hall.address is None,
        host=lambda: app.state.host,
    )
    app.add_exception_handler(FivePinsError, _ours)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _other)
    return app


class _App(FastAPI):
    """FastAPI, with the rest of what is true of it in its document."""

    def openapi(self) -> dict[str, Any]:
        """The document, made once."""
        if not self.openapi_schema:
            self.openapi_schema = completed(super().openapi())
        return self.openapi_schema


@asynccontextmanager
async def _life(app: FastAPI) -> AsyncIterator[None]:
    """While the app lives, it hears what other servers of the hall write."""
    listener = await app.state.hall.listen()
    try:
        yield
    finally:
        await asyncio.to_thread(listener.close)
        app.state.press.close()


async def _ours(request: Request, error: Exception) -> Response:
    """An error of ours, as JSON for programs and as a page for people."""
    assert isinstance(error, FivePinsError)
    status, told = answer(error, spoken_by(request))
    wait = {"retry-after": str(int(error.wait) + 1)} if isinstance(error, TooMany | Busy) else None
    return _told(request, status, told, wait)


async def _malformed(request: Request, error: Exception) -> Response:
    """A request whose parts are not what they should be: the first one is named."""
    assert isinstance(error, RequestValidationError)
    faults = error.errors()
    if request.url.path.startswith("/matches/") and faults[0]["loc"] == ("path", "match_id"):
        message = language(spoken_by(request)).say(N_("there is no such match"))
        return _told(request, 404, refusal("unknown", message))
    return _told(request, *answer(malformed(faults), spoken_by(request)))


async def _other(request: Request, error: Exception) -> Response:
    """What the framework itself refuses: an address or a method that is not there."""
    assert isinstance(error, HTTPException)
    word = _WORDS.get(error.status_code, "malformed")
    title = _TITLES.get(word)
    message = language(spoken_by(request)).say(title) if title else str(error.detail)
    return _told(request, error.status_code, refusal(word, message))


def _told(
    request: Request, status: int, told: dict[str, object], headers: dict[str, str] | None = None
) -> Response:
    if "text/html" not in request.headers.get("accept", ""):
        return JSONResponse(told, status, headers)
    words = language(spoken_by(request)).say(_TITLES.get(str(told["error"]), N_("This did not work")))
    detail = [str(one) for one in (told["message"], told["hint"]) if one and one != words]
    context = {"message": words, "hint": " – ".join(detail)}
    shown = pages.page(request, "error.html", context, status=status)
    shown.headers.update(headers or {})
    return shown


_WORDS: Final[dict[int, Word]] = {404: "unknown", 413: "too large"}
"""What the framework's own errors are called, but for malformed requests."""

_TITLES: Final[dict[str, str]] = {
    "forbidden": N_("This is not for everybody"),
    "unknown": N_("There is nothing here"),
    "closed": N_("The match is closed"),
    "too many": N_("Too many wrong PINs"),
    "storage": N_("The disk takes nothing"),
    "busy": N_("Too many papers at once"),
}
"""What a page says first, by the word of the error."""
