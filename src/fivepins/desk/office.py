"""The director's office: rights, settings, what is corrected in a match; and the help page."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Any, Final, Literal
from zoneinfo import available_timezones

import segno
from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from fivepins.desk.answers import AllGiven, NewlyGiven, OneGiven, sends
from fivepins.desk.api import Body, MatchId, TheHall, TheVisitor
from fivepins.desk.certificate import Certificate
from fivepins.desk.hall import Hall
from fivepins.desk.pages import PLAYING, page, to_the_entrance
from fivepins.desk.rights import FIRST, Right, Role, holds, may, require
from fivepins.desk.settings import BEGINNINGS, Settings
from fivepins.desk.spoken import spoken_by
from fivepins.desk.words import FORM, OFFICE
from fivepins.language import language
from fivepins.paper.day import written
from fivepins.rulebook import RULEBOOKS
from fivepins.store import Grant, NoSuchMatch

router = APIRouter()

GrantId = Annotated[str, Path(max_length=64, description="The id of a right.")]

LONGEST: Final = 366
"""Days: a right that is given for a season."""


class NewGrant(Body):
    """A right to be given."""

    role: Literal["director", "referee", "timekeeper"]
    scope: Annotated[
        str, Field(max_length=80, description="`table:T3`, `match:m1`, or nothing: the hall.")
    ] = ""
    label: Annotated[str, Field(max_length=60, description="Who or what it is for.")] = ""
    days: Annotated[int | None, Field(ge=1, le=LONGEST, description="It ends after so many days.")] = None
    pin: Annotated[str, Field(max_length=200, description="Six digits; for a director, a password.")] = ""


class NewPin(Body):
    """Another PIN for a right that was given; an empty one shuts that door."""

    pin: Annotated[str, Field(max_length=200)] = ""


class NewSettings(Body):
    """The settings of the hall, all of them."""

    hall: Annotated[str, Field(max_length=80)]
    zone: Annotated[str, Field(max_length=64)]
    tables: Annotated[list[Annotated[str, Field(max_length=16)]], Field(min_length=1, max_length=64)]
    language: Annotated[str, Field(max_length=8)]
    last: Annotated[
        dict[str, str],
        Field(default_factory=dict, description="Headers that the form of a new match begins with."),
    ]


# -- rights --------------------------------------------------------------------------------------


@router.get("/rights", include_in_schema=False)
async def rights(request: Request, hall: TheHall, visitor: TheVisitor) -> Response:
    """Who may do what, and the form of a new right."""
    if not may(visitor, Right.GRANT):
        return to_the_entrance()
    given = await hall.do(hall.rights.grants)
    lang = spoken_by(request)
    say = language(lang).say
    shown = [
        told(grant, hall)
        | {
            "label": say(FIRST) if grant.label == FIRST else grant.label,
            "until": _until(grant.expires_at, hall, lang),
        }
        for grant in given.values()
        if grant.revoked_at is None
    ]
    playing = await hall.do(lambda: hall.store.newest(PLAYING, under_way=True))
    context = {
        "grants": shown,
        "tables": await hall.tables(),
        "matches": [await hall.board(match_id, "en") for match_id in playing],
        "mine": visitor.grant_id,
    }
    return page(request, "rights.html", context, words=(*FORM, *OFFICE))


@router.get("/grants", tags=["rights"], **sends(AllGiven, "forbidden", right=Right.GRANT))
async def grants(hall: TheHall, visitor: TheVisitor) -> dict[str, Any]:
    """Every right that was given, without its secrets."""
    require(visitor, Right.GRANT)
    return {"grants": [told(grant, hall) for grant in (await hall.do(hall.rights.grants)).values()]}


@router.post("/grants", tags=["rights"], **sends(NewlyGiven, "unknown", right=Right.GRANT, status=201))
async def give(body: NewGrant, request: Request, hall: TheHall, visitor: TheVisitor) -> dict[str, Any]:
    """Give a right. Its token is told in this answer and in no other."""
    require(visitor, Right.GRANT)
    kind, _, name = body.scope.partition(":")
    if kind == "match":
        await hall.match(name)
    at = hall.now()
    expires_at = None if body.days is None else at + timedelta(days=body.days)
    grant = await hall.do(
        lambda: hall.rights.give(
            Role(body.role), scope=body.scope, label=body.label, at=at, expires_at=expires_at, pin=body.pin
        )
    )
    token = hall.rights.link(grant)
    link = f"{hall.address or str(request.base_url).rstrip('/')}/enter#{token}"
    code = segno.make(link, micro=False).svg_data_uri(scale=6, border=4)
    return {"grant": told(grant, hall), "token": token, "link": link, "code": code}


@router.post("/grants/{grant_id}/revoke", tags=["rights"], **sends(OneGiven, right=Right.GRANT))
async def revoke(grant_id: GrantId, hall: TheHall, visitor: TheVisitor) -> dict[str, Any]:
    """Take a right back: whoever has it is a spectator with the next request."""
    require(visitor, Right.GRANT)
    ended = await hall.do(lambda: hall.rights.revoke(grant_id, hall.now()))
    hall.rights_changed()
    return {"grant": told(ended, hall)}


@router.post("/grants/{grant_id}/pin", tags=["rights"], **sends(OneGiven, right=Right.GRANT))
async def set_pin(grant_id: GrantId, body: NewPin, hall: TheHall, visitor: TheVisitor) -> dict[str, Any]:
    """Give a right another PIN, or none. Whoever has entered stays: `revoke` ends that."""
    require(visitor, Right.GRANT)
    return {"grant": told(await hall.do(lambda: hall.rights.set_pin(grant_id, body.pin)), hall)}


def told(grant: Grant, hall: Hall) -> dict[str, Any]:
    """A right as directors see it; whether it has a PIN, and never the PIN."""
    return {
        "id": grant.id,
        "role": grant.role,
        "scope": grant.scope,
        "label": grant.label,
        "created_at": _local(grant.created_at, hall),
        "expires_at": _local(grant.expires_at, hall),
        "revoked_at": _local(grant.revoked_at, hall),
        "in_force": holds(grant, hall.now()),
        "pin": bool(grant.secret),
    }


def _until(at: datetime | None, hall: Hall, lang: str) -> str:
    """When a right ends, by the hall's clock and as a language writes it; nothing where it does not."""
    if at is None:
        return ""
    at = at.astimezone(hall.settings.clock)
    return f"{written(at.date().isoformat(), lang)} {at:%H:%M}"


def _local(at: datetime | None, hall: Hall) -> str | None:
    return at.astimezone(hall.settings.clock).isoformat(timespec="minutes") if at else None


# -- settings ------------------------------------------------------------------------------------


@router.get("/settings", include_in_schema=False)
async def settings(request: Request, hall: TheHall, visitor: TheVisitor) -> Response:
    """The settings of the hall as a form."""
    if not may(visitor, Right.SETTINGS):
        return to_the_entrance()
    context = {
        "settings": hall.settings,
        "zones": sorted(available_timezones()),
        "beginnings": BEGINNINGS,
        "books": {book.id: book.title for book in RULEBOOKS.values()},
    }
    return page(request, "settings.html", context, words=(*FORM, *OFFICE))


@router.post("/settings", tags=["rights"], **sends(NewSettings, right=Right.SETTINGS))
async def change(body: NewSettings, hall: TheHall, visitor: TheVisitor) -> dict[str, Any]:
    """Change the settings of the hall."""
    require(visitor, Right.SETTINGS)
    wanted = Settings(
        hall=body.hall.strip(),
        zone=body.zone,
        tables=tuple(body.tables),
        language=body.language,
        last=body.last,
    )
    await hall.save_settings(wanted)
    return body.model_dump()


# -- a match -------------------------------------------------------------------------------------


@router.get("/matches/{match_id}/office", include_in_schema=False)
async def match_office(match_id: MatchId, request: Request, hall: TheHall, visitor: TheVisitor) -> Response:
    """What a director corrects in a match: the names, and whether it is closed."""
    board = await hall.board(match_id, spoken_by(request))
    if not may(visitor, Right.NAME):
        return to_the_entrance()
    head = (await hall.match(match_id)).now
    boot = {"match": match_id, "names": {side: head.value(side) for side in ("A", "B")}}
    return page(request, "office.html", {"board": board}, words=(*FORM, *OFFICE), boot=boot)


# -- help ----------------------------------------------------------------------------------------


@router.get("/help", include_in_schema=False)
async def manual(request: Request, hall: TheHall) -> Response:
    """How to trust this hall, and the keys of the desk."""
    certificate: Certificate | None = request.app.state.certificate
    context = {
        "fingerprint": certificate.fingerprint if certificate else "",
        "root": bool(certificate and certificate.root),
        "address": hall.address,
        "stream": f"{request.base_url!s}overlay/{(await hall.tables())[0]}",
    }
    return page(request, "help.html", context)


@router.get("/root.crt", include_in_schema=False)
async def root(request: Request) -> Response:
    """The certificate that a tablet is told to trust: public, as certificates are."""
    certificate: Certificate | None = request.app.state.certificate
    if certificate is None or certificate.root is None:
        raise NoSuchMatch("there is no certificate of this hall's own")
    headers = {"content-disposition": 'attachment; filename="fivepins-hall.crt"'}
    return Response(certificate.root.read_bytes(), media_type="application/x-x509-ca-cert", headers=headers)
