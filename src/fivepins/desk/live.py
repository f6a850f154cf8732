"""The feed of a page: one WebSocket, on which the server speaks."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query, WebSocket
from starlette.websockets import WebSocketDisconnect, WebSocketState

from fivepins.desk.feed import Reader, Topic
from fivepins.desk.hall import Hall
from fivepins.desk.rights import Right, Visitor, may
from fivepins.errors import StoreError
from fivepins.language import LANGUAGES
from fivepins.store import NoSuchMatch

router = APIRouter()

BEAT: Final = 10.0
"""Seconds after which a quiet feed says that it lives."""


@router.websocket("/live")
async def live(  # noqa: PLR0913, PLR0917 - what a feed can be asked for
    socket: WebSocket,
    match: Annotated[str, Query(pattern="^[!-~]*$")] = "",
    table: Annotated[str, Query(pattern="^[!-~]*$")] = "",
    kind: Literal["board", "sheet", "desk"] = "board",
    lang: str = "en",
    since: Annotated[int, Query(ge=-1)] = -1,
) -> None:
    """The boards of a match, a table or the hall, newest only."""
    the_hall: Hall = socket.app.state.hall
    visitor: Visitor = socket.state.visitor
    what, name = ("match", match) if match else ("table", table) if table else ("hall", "")
    if kind == "desk" and not await _works(the_hall, visitor, match):
        kind = "board"
    topic = Topic(what, name, kind, lang if lang in LANGUAGES else "en")
    await socket.accept()
    reader = Reader(topic, visitor.device)
    the_hall.hub.join(reader)  # before the first message is made: nothing can be missed between the two
    try:
        reader.begin(await the_hall.first(topic, since))
    except NoSuchMatch:
        the_hall.hub.leave(reader)
        await socket.close(4404, "there is no such match")
        return
    await _tell_presence(the_hall, topic)
    speaking = asyncio.create_task(_speak(socket, the_hall, reader, visitor))
    try:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:  # nothing is expected; to listen is how the end is noticed
                await socket.receive_text()
    finally:
        speaking.cancel()
        the_hall.hub.leave(reader)
        await _tell_presence(the_hall, topic)


async def _tell_presence(hall: Hall, topic: Topic) -> None:
    """Tell the desk of the match that is looked at, or of the match at that table, who looks."""
    with contextlib.suppress(StoreError):  # a store that is away is told of by its desk
        match_id = topic.name if topic.what == "match" else await hall.at(topic.name) if topic.name else None
        if match_id:
            hall.presence(match_id)


async def _works(hall: Hall, visitor: Visitor, match_id: str) -> bool:
    """Whether a visitor works at a match: nobody else is told who sits at its desk."""
    with contextlib.suppress(NoSuchMatch):  # the feed itself will say so
        table = (await hall.match(match_id)).now.value("Table")
        return may(visitor, Right.CLOCK, match_id, table)
    return False


async def _speak(socket: WebSocket, hall: Hall, reader: Reader, visitor: Visitor) -> None:
    """Send what there is, and from time to time that there is nothing."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
        while socket.application_state is WebSocketState.CONNECTED:
            waiting = await reader.take(BEAT)
            if reader.topic.kind == "desk" and not hall.rights.stands(visitor, hall.now()):
                await socket.close(4403, "this right has ended")
                return
            for text in waiting or (hall.message(),):
                await socket.send_text(text)
