"""The OpenAPI document, made whole: what is refused and with which word, how one signs in, the WebSocket.

What FastAPI cannot know is added here, from the tables that the code itself uses; `/api` reads the result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from markupsafe import Markup, escape

from fivepins.desk.answers import Told
from fivepins.desk.refusal import WORDS, Word, schema
from fivepins.desk.rights import ALLOWED, Right

_REF: Final = "#/components/schemas/"

ABOUT: Final = """\
Commands in, boards and lines out. Everybody may read. To write, send the token of a right (what stands
behind `#` in its link) as `Authorization: Bearer`; a browser that has entered sends a cookie instead, and
then the `Origin` of a page of this server.

A command has an id of its own, `command_id`. Sent again under that id, it gets the same answer and does
nothing more, so whatever had no answer can be sent again. `expected_seq` is the newest row that its sender
knows; where others have written meanwhile, the answer is `stale`, with the rows that came.

Every error is an object with `error`, a word; `message` and `hint`, in the reader's language
(`Accept-Language`, or the page's cookie). Who asks for `text/html` gets a page instead.
"""

EVENTS: Final = (
    "Each event is a `Told`, as on `/live`. Its `id` begins with the newest row; who comes back with "
    "`Last-Event-ID`, as browsers do by themselves, is sent nothing until there is something newer. "
    "A line with a colon alone says every ten seconds that the feed is alive."
)

LIVE: Final[Mapping[str, Any]] = {
    "summary": "The feed of a page, a WebSocket on which the server alone speaks: the newest board at once, "
    "then after each change, each as a `Told`. Who is slow misses messages, and never the newest one.",
    "parameters": {
        "match": "The id of a match; or",
        "table": "a table, whatever is played there; with neither, the whole hall.",
        "kind": "`board`; `sheet`, with the strokes in words; `desk`, for who works at the match: "
        "who looks at it, and which device is its desk.",
        "lang": "The language of words.",
        "since": "With `kind=sheet`: the newest row that is known; then the sheet comes only if it is newer.",
    },
    "message": {"$ref": f"{_REF}Told"},
    "closes": {
        "1008": "A page of another site asks.",
        "4403": "The right that opened a feed with `kind=desk` has ended.",
        "4404": "There is no such match.",
    },
}

STORELESS: Final = ("/keys/", "/equipment")
"""Addresses that ask the rules alone."""
RETRIED: Final[frozenset[Word]] = frozenset({"too many", "busy"})
"""Words that come with the seconds after which one may try again."""

BEARER: Final = "the token of a right: what stands behind `#` in its link"
COOKIE: Final = "set by `POST /enter`; its name ends with the port of the server"


def completed(found: dict[str, Any]) -> dict[str, Any]:
    """A document of FastAPI's with all that is refused, who may ask, and the feed."""
    schemas = found["components"]["schemas"]
    for path, methods in found["paths"].items():
        for method, one in methods.items():
            _complete(one, path, method)
    for name in ("HTTPValidationError", "ValidationError"):  # of FastAPI's own, which nobody is ever sent
        schemas.pop(name, None)
    told = Told.model_json_schema(ref_template=f"{_REF}{{model}}", mode="serialization")
    schemas |= told.pop("$defs") | {"Told": told} | {_name(word): schema(word) for word in WORDS}
    items = schemas["Answers"]["properties"]["items"]
    items["items"] = {"anyOf": [{"$ref": f"{_REF}Stored"}, *({"$ref": _REF + _name(word)} for word in WORDS)]}
    found["components"]["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer", "description": BEARER},
        "cookie": {"type": "apiKey", "in": "cookie", "name": "fivepins-8421", "description": COOKIE},
    }
    found["info"]["description"] = ABOUT
    found["x-rights"] = {role.value: [one.value for one in Right if one in ALLOWED[role]] for role in ALLOWED}
    found["x-errors"] = {word: {"status": [*one.statuses], "when": one.when} for word, one in WORDS.items()}
    found["x-websocket"] = {"/live": LIVE}
    return found


def _complete(one: dict[str, Any], path: str, method: str) -> None:
    """One operation: its security, and a response for each status of what it refuses."""
    right = one["x-right"]
    one["security"] = [*([{}] if right == Right.READ.value else []), {"bearer": []}, {"cookie": []}]
    if path.endswith("/events"):
        one["description"] += f"\n\n{EVENTS}"
    kind = {*_of_its_kind(one, path, method)}
    own: set[tuple[int, Word]] = {(WORDS[word].statuses[0], word) for word in one.pop("x-refuses")}
    answers = {code: _modelled(told) for code, told in one["responses"].items() if code < "400"}
    for status, same in groupby(sorted(kind | own), itemgetter(0)):
        answers[str(status)] = _refused([word for _, word in same])
    one["responses"] = answers


def _of_its_kind(one: Mapping[str, Any], path: str, method: str) -> Iterator[tuple[int, Word]]:
    """What any request like this one may be refused with."""
    yield 421, "forbidden"
    if "{" in path:
        yield 404, "unknown"
    if "parameters" in one or "requestBody" in one:
        yield 422, "malformed"
    if method == "post":
        yield from ((400, "malformed"), (403, "forbidden"), (413, "too large"), (415, "malformed"))
    if not path.startswith(STORELESS):
        yield 503, "storage"


def _modelled(told: dict[str, Any]) -> dict[str, Any]:
    """An answer by its model alone, without what FastAPI reads off the annotation that it serves by."""
    for content in told["content"].values():
        if "$ref" in content["schema"]:
            content["schema"] = {"$ref": content["schema"]["$ref"]}
    return told


def _refused(words: list[Word]) -> dict[str, Any]:
    """The response of a status that means any of these words."""
    schemas: list[dict[str, Any]] = [{"$ref": _REF + _name(word)} for word in words]
    told: dict[str, Any] = {
        "description": " ".join(f"`{word}`: {WORDS[word].when}" for word in words),
        "content": {"application/json": {"schema": {"anyOf": schemas} if len(schemas) > 1 else schemas[0]}},
    }
    if not RETRIED.isdisjoint(words):
        told["headers"] = {"Retry-After": {"schema": {"type": "string"}, "description": "Seconds."}}
    return told


def _name(word: Word) -> str:
    """What the schema of an error is called: `in use` becomes `ErrorInUse`."""
    return "Error" + word.title().replace(" ", "")


# -- for people ----------------------------------------------------------------------------------


def for_people(found: Mapping[str, Any]) -> dict[str, Any]:
    """What the page `/api` shows of a document."""
    schemas = found["components"]["schemas"]
    live = found["x-websocket"]["/live"]
    return {
        "about": [_marked(text) for text in found["info"]["description"].split("\n\n")],
        "operations": [
            _operation(method, path, one, found)
            for path, methods in found["paths"].items()
            for method, one in methods.items()
        ],
        "live": _marked(live["summary"]),
        "parameters": [
            (name, _marked(text)) for name, text in {**live["parameters"], **live["closes"]}.items()
        ],
        "fields": {name: _explained(schemas[name]) for name in ("Told", "Board", "Player", "Clock")},
        "errors": [
            (word, ", ".join(map(str, one["status"])), _marked(one["when"]))
            for word, one in found["x-errors"].items()
        ],
    }


def _operation(method: str, path: str, one: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, Any]:
    """One operation in a few lines; nobody is named where everybody may."""
    schemas, right = found["components"]["schemas"], one["x-right"]
    roles = [role for role, rights in found["x-rights"].items() if right in rights]
    (sent,) = (answer["content"] for code, answer in one["responses"].items() if code < "400")
    kind, content = next(iter(sent.items()))
    words = [
        schemas[name]["properties"]["error"]["const"]
        for code, answer in one["responses"].items()
        if code >= "400"
        for name in _names(answer["content"]["application/json"]["schema"])
    ]
    body = one.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    return {
        "method": method.upper(),
        "path": path,
        "about": [_marked(text) for text in one["description"].split("\n\n")],
        "roles": [] if right == Right.READ.value else roles,
        "body": ", ".join(_fields(body, schemas)),
        "answer": ", ".join(_fields(content["schema"], schemas)) or kind,
        "errors": ", ".join(dict.fromkeys(words)),
    }


def _names(schema: Mapping[str, Any]) -> list[str]:
    """The names of the schemas that a schema refers to."""
    return [one["$ref"].removeprefix(_REF) for one in schema.get("anyOf", [schema]) if "$ref" in one]


def _fields(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> list[str]:
    """The names of what an object has."""
    return [field for name in _names(schema) for field in schemas[name].get("properties", ())]


def _explained(schema: Mapping[str, Any]) -> list[tuple[str, Markup]]:
    """The fields of an object that their names alone do not explain."""
    told = {name: one.get("description", "") for name, one in schema["properties"].items()}
    return _rows({name: text for name, text in told.items() if text})


def _rows(texts: Mapping[str, str]) -> list[tuple[str, Markup]]:
    return [(name, _marked(text)) for name, text in texts.items()]


def _marked(text: str) -> Markup:
    """A text whose words in backticks are code."""
    return Markup(re.sub("`([^`]*)`", r"<code>\1</code>", str(escape(text))))
