"""The language that a request is answered in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fivepins.language import LANGUAGES

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection


def spoken(lang: str) -> str:
    """The language asked for, or English."""
    return lang if lang in LANGUAGES else LANGUAGES[0]


def spoken_by(request: HTTPConnection) -> str:
    """The visitor's language: as asked for or chosen, else the first one of the browser's that we speak."""
    wanted = request.query_params.get("lang") or request.cookies.get("lang", "")
    if wanted in LANGUAGES:
        return wanted
    for part in request.headers.get("accept-language", "").split(","):
        code = part.strip()[:2].lower()
        if code in LANGUAGES:
            return code
    return LANGUAGES[0]
