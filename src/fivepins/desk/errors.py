"""Errors as answers: a status, a word, a message, a hint, and what a device needs to go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from fivepins.desk.hall import InUse
from fivepins.desk.press import Busy
from fivepins.desk.refusal import Word, refusal
from fivepins.desk.rights import Forbidden, NoSuchGrant, TooMany, Unrecognised
from fivepins.errors import FivePinsError, IllegalEvent, ImpossibleStroke, NotationError
from fivepins.language import N_, language
from fivepins.message import Message
from fivepins.store import Closed, Held, NoSuchMatch, Reused, Stale, Unavailable

KINDS: Final[Mapping[type[FivePinsError], tuple[int, Word]]] = {
    NoSuchMatch: (404, "unknown"),
    NoSuchGrant: (404, "unknown"),
    Closed: (423, "closed"),
    Held: (409, "held"),
    Stale: (409, "stale"),
    Reused: (409, "used"),
    InUse: (409, "in use"),
    Unavailable: (503, "storage"),
    Busy: (503, "busy"),
    Forbidden: (403, "forbidden"),
    Unrecognised: (403, "forbidden"),
    TooMany: (429, "too many"),
    NotationError: (422, "notation"),
    IllegalEvent: (422, "illegal"),
    ImpossibleStroke: (422, "illegal"),
}
"""By kind of error, the nearest one first: its status and its word. Any other is malformed."""


def answer(error: FivePinsError, lang: str) -> tuple[int, dict[str, object]]:
    """Status and body of an error, for a reader of that language.

    >>> answer(IllegalEvent("there is nothing to undo"), "it")
    (422, {'error': 'illegal', 'message': "non c'è nulla da annullare", 'hint': '', 'part': 'event'})
    """
    tell = language(lang).tell
    kind = next((kind for kind in type(error).__mro__ if kind in KINDS), None)
    status, word = KINDS[kind] if kind else (422, "malformed")
    told = refusal(word, tell(error.message), tell(error.hint))
    match error:
        case Stale():
            told |= {"seq": error.seq, "missing": [_row(row.seq, row.line, row.by) for row in error.missing]}
        case Held():
            holder = error.holder
            told |= {"holder": {"device": holder.device, "name": holder.name, "by": holder.by}}
        case InUse():
            told |= {"match": error.match}
        case TooMany():
            told |= {"wait": round(error.wait, 1)}
        case NotationError() if error.column:
            told |= {"column": error.column}
        case IllegalEvent() if error.part:
            told |= {"part": error.part}
    return status, told


def malformed(faults: Sequence[Mapping[str, Any]]) -> FivePinsError:
    """The error for a body that is not what the address reads; its first fault is named.

    >>> malformed([{"loc": ("body", "seq"), "msg": "Field required"}]).message
    'body.seq: Field required'
    """
    where = ".".join(str(part) for part in faults[0]["loc"]) or "body"
    told = Message("{where}: {fault}", where=_plain(where), fault=_plain(faults[0]["msg"]))
    return FivePinsError(told, hint=N_("/api says what is expected"))


def _plain(text: str) -> str:
    """A text that can be sent, whatever was sent here."""
    return text.encode("utf-8", "backslashreplace").decode()


def _row(seq: int, line: str, by: str) -> dict[str, object]:
    return {"seq": seq, "line": line, "by": by}
