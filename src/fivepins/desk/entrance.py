"""The entrance: a link or a PIN becomes a cookie, and a device gets a name."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import Field, field_validator

from fivepins.desk.answers import Entered, Left, Named, sends
from fivepins.desk.api import Body, TheHall, TheVisitor
from fivepins.desk.guard import set_cookie
from fivepins.desk.pages import page
from fivepins.desk.rights import Visitor
from fivepins.desk.words import FORM
from fivepins.store import Grant

router = APIRouter(tags=["rights"])


class Enter(Body):
    """The token of a link; or a grant and its PIN."""

    token: Annotated[str, Field(max_length=200)] = ""
    grant: Annotated[str, Field(max_length=64)] = ""
    pin: Annotated[str, Field(max_length=200)] = ""


class Device(Body):
    """What a device is called."""

    name: Annotated[str, Field(max_length=40, description="It has a letter, and signs that can be printed.")]

    @field_validator("name")
    @classmethod
    def _printable(cls, name: str) -> str:
        name = " ".join(name.split())
        if not (name and name.isprintable()):
            raise ValueError("a device has a name that can be printed")
        return name


@router.get("/enter", include_in_schema=False)
async def entrance(request: Request, hall: TheHall, visitor: TheVisitor, why: str = "") -> Response:
    """Where a link leads, where a PIN is typed, and where whoever may not go on is told `why`."""
    known = await hall.do(lambda: hall.rights.doors(hall.now()))
    doors = [{"id": grant.id, "label": grant.label, "role": grant.role} for grant in known]
    context = {"doors": doors, "by": visitor.by, "device": visitor.name, "why": why}
    return page(request, "enter.html", context, words=FORM)


@router.post("/enter", **sends(Entered, "too many"))
async def enter(body: Enter, request: Request, hall: TheHall, visitor: TheVisitor) -> Response:
    """Enter with the token of a link, or with a grant's PIN; the answer sets a cookie."""
    address = request.client.host if request.client else ""
    if body.token:
        grant = await hall.do(lambda: hall.rights.by_link(body.token, hall.now()))
    else:
        grant = await hall.do(lambda: hall.rights.by_pin(body.grant, body.pin, address, hall.now()))
    answer = JSONResponse({"role": grant.role, "scope": grant.scope, "label": grant.label, "to": _to(grant)})
    return _with_cookie(answer, request, hall.rights.cookie(visitor.device, visitor.name, grant.id))


def _to(grant: Grant) -> str:
    """Where to go from the entrance: a referee of one match sits down at its desk."""
    kind, _, name = grant.scope.partition(":")
    return f"/matches/{name}/desk" if kind == "match" else "/"


@router.post("/leave", **sends(Left))
async def leave(request: Request, hall: TheHall, visitor: TheVisitor) -> Response:
    """Give the right of this device back; it stays known as a device."""
    return _with_cookie(JSONResponse({}), request, hall.rights.cookie(visitor.device, visitor.name))


@router.post("/device", **sends(Named))
async def name_device(body: Device, request: Request, hall: TheHall, visitor: TheVisitor) -> Response:
    """Give this device a name that others see."""
    told: dict[str, Any] = {"name": body.name}
    return _with_cookie(JSONResponse(told), request, _renamed(hall, visitor, body.name))


def _renamed(hall: TheHall, visitor: Visitor, name: str) -> str:
    return hall.rights.cookie(visitor.device, name, visitor.grant_id)


def _with_cookie(answer: Response, request: Request, value: str) -> Response:
    answer.headers.append("set-cookie", set_cookie(request.scope, value))
    return answer
