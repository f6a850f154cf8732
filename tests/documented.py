"""What servers answer, held against the OpenAPI document: whatever a program of a test is sent is checked."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from jsonschema import Draft202012Validator

from fivepins.desk.app import create_app
from fivepins.desk.hall import Hall
from fivepins.store import Store

if TYPE_CHECKING:
    from httpx2 import Client, Response

C = TypeVar("C", bound="Client")


@cache
def document() -> dict[str, Any]:
    """The document of the application."""
    return create_app(Hall(Store.open("sqlite://"))).openapi()


def held_against(client: C) -> C:
    """The client, which fails where an answer is not documented."""
    client.event_hooks["response"].append(_hold)
    return client


def valid(message: object, name: str) -> None:
    """Fail where something is not what a schema of the document says."""
    _validator(json.dumps({"$ref": f"#/components/schemas/{name}"})).validate(message)


def operation(method: str, path: str) -> dict[str, Any] | None:
    """What the document says of a request; nothing of a page, which is for people."""
    for pattern, methods in _patterns():
        if pattern.fullmatch(path):
            found: dict[str, Any] | None = methods.get(method.lower())
            return found
    return None


def _hold(response: Response) -> None:
    request = response.request
    said = operation(request.method, request.url.path)
    if said is None or "text/html" in request.headers.get("accept", ""):
        return
    where = f"{request.method} {request.url.path} answered {response.status_code}"
    assert str(response.status_code) in said["responses"], f"{where}, which the document does not know"
    content = said["responses"][str(response.status_code)]["content"]
    kind = response.headers["content-type"].partition(";")[0]
    assert kind in content, f"{where} with {kind}"
    if kind == "application/json":
        response.read()
        _validator(json.dumps(content[kind]["schema"])).validate(response.json())


@cache
def _validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema) | {"components": document()["components"]})


@cache
def _patterns() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    return [
        (re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path))), methods)
        for path, methods in document()["paths"].items()
    ]
