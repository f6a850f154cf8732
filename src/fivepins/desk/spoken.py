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
    """The visitor's language: as asked for or chosen, else of ours the one its browser prefers."""
    wanted = request.query_params.get("lang") or request.cookies.get("lang", "")
    if wanted in LANGUAGES:
        return wanted
    wishes = [_wish(part) for part in request.headers.get("accept-language", "").split(",")]
    known = [wish for wish in wishes if wish[1] in LANGUAGES and wish[0] > 0]
    return max(known, key=lambda wish: wish[0], default=(0, LANGUAGES[0]))[1]


def _wish(part: str) -> tuple[float, str]:
    """How much a language is wanted, and its code: `de-CH;q=0.7`.

    >>> _wish(" de-CH;q=0.7"), _wish("it")
    ((0.7, 'de'), (1.0, 'it'))
    """
    tag, _, weight = part.partition(";")
    try:
        wanted = float(weight.strip().removeprefix("q=")) if weight.strip() else 1.0
    except ValueError:
        wanted = 0.0
    return wanted, tag.strip()[:2].lower()
