"""The words of errors: one table for what is answered, for the OpenAPI document and for the page `/api`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple

Word = Literal[
    "malformed", "notation", "illegal", "forbidden", "unknown", "stale", "held", "used", "in use",
    "too large", "closed", "too many", "storage", "busy",
]  # fmt: skip
"""What an error is called, so that a program needs not read its message."""


class Meaning(NamedTuple):
    """When a word is said, under which statuses, and with which fields beside message and hint."""

    statuses: tuple[int, ...]
    when: str
    fields: Mapping[str, Mapping[str, Any]] = {}


_NUMBER: Final = {"type": "integer"}
_TEXT: Final = {"type": "string"}


def _object(**fields: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an object that has all of these fields and no other."""
    return {
        "type": "object", "properties": fields, "required": [*fields], "additionalProperties": False,
    }  # fmt: skip


WORDS: Final[Mapping[Word, Meaning]] = {
    "malformed": Meaning(
        (400, 405, 415, 422),
        "The request is not what the address reads, or one of its values cannot be. 415: a body is JSON.",
    ),
    "notation": Meaning((422,), "A line cannot be read; `column` is where.", {"column": _NUMBER}),
    "illegal": Meaning(
        (422,),
        "A line cannot stand there, or a head cannot begin a match; `part` names the field at fault.",
        {"part": _TEXT},
    ),
    "forbidden": Meaning(
        (403, 421),
        "Who asks has no right to that, or has it no longer; a page of another site asks; "
        "or (421) the machine is asked under a name that is not its own.",
    ),
    "unknown": Meaning((404,), "There is no such address, match or right."),
    "stale": Meaning(
        (409,),
        "Rows came that the sender has not seen: `missing` has them, and `seq` is the newest.",
        {
            "seq": _NUMBER,
            "missing": {"type": "array", "items": _object(seq=_NUMBER, line=_TEXT, by=_TEXT)},
        },
    ),
    "held": Meaning(
        (409,),
        "Another device, `holder`, is the desk of the match; `POST …/desk` takes its place.",
        {"holder": _object(device=_TEXT, name=_TEXT, by=_TEXT)},
    ),
    "used": Meaning((409,), "The command id was used for something else; nothing was stored."),
    "in use": Meaning((409,), "Another match, `match`, is under way at that table.", {"match": _TEXT}),
    "too large": Meaning((413,), "The body is longer than what is read."),
    "closed": Meaning((423,), "The match is closed; a director opens it again, with a reason."),
    "too many": Meaning(
        (429,),
        "Too many wrong PINs; the next one is looked at after `wait` seconds, as `Retry-After` says.",
        {"wait": {"type": "number"}},
    ),
    "storage": Meaning((503,), "The disk or the database refuses; nothing was stored, send it again."),
    "busy": Meaning((503,), "Too many papers wait for the press; ask again, as `Retry-After` says."),
}
"""Every word there is."""


def refusal(word: Word, message: str, hint: str = "", **fields: object) -> dict[str, object]:
    """The body of an error.

    >>> refusal("in use", "T3 is in use", match="m1")
    {'error': 'in use', 'message': 'T3 is in use', 'hint': '', 'match': 'm1'}
    """
    return {"error": word, "message": message, "hint": hint, **fields}


def schema(word: Word) -> dict[str, Any]:
    """The JSON schema of an error; in the answer to a batch it has its `status` too."""
    meaning = WORDS[word]
    always: dict[str, Mapping[str, Any]] = {"error": {"const": word}, "message": _TEXT, "hint": _TEXT}
    beside = {"status": {"enum": [*meaning.statuses], "description": "In a batch: of this command alone."}}
    found = _object(**always, **meaning.fields) | {"description": meaning.when}
    found["properties"] |= beside
    sometimes = {"part", "column"}  # where there is one
    found["required"] = [name for name in found["required"] if name not in sometimes]
    return found
