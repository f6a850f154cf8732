"""A hall for one match by decision 032 that can be told to fail: `hall.py PORT FILE`."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import uvicorn
from starlette.applications import Starlette
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

if TYPE_CHECKING:
    from starlette.requests import Request

HERE = Path(__file__).parent
STATIC = HERE.parents[2] / "src/fivepins/desk/static"
LOG = Path(sys.argv[2])
EPOCH = uuid4().hex
QUIET = 10.0

trouble: dict[str, int] = {}
listeners: dict[WebSocket, asyncio.Queue[dict[str, Any]]] = {}
posts: list[str] = []
openings: list[str] = []


def log() -> list[dict[str, Any]]:
    """Commands that are stored."""
    return [json.loads(row) for row in LOG.read_text().splitlines()] if LOG.exists() else []


def seq() -> int:
    """The newest line."""
    return sum(len(command["lines"]) for command in log())


def message(match: str = "m1") -> dict[str, Any]:
    """What the feed says."""
    board = {"match": match, "seq": seq(), "table": "T1"}
    return {"now": time.monotonic() * 1000, "epoch": EPOCH, "board": board}


async def page(_: Request) -> Response:
    """The page of the tests."""
    return FileResponse(HERE / "hall.html", headers={"Content-Security-Policy": "default-src 'self'"})


async def script(_: Request) -> Response:
    """Its script."""
    return FileResponse(HERE / "page.js")


async def worker(_: Request) -> Response:
    """The service worker, which may care for all pages."""
    return FileResponse(STATIC / "worker.js")


async def write(request: Request) -> Response:
    """Store a command once; then perhaps die, or keep the answer back."""
    command = await request.json()
    posts.append(command["command_id"])
    before = 0
    for known in log():
        before += len(known["lines"])
        if known["command_id"] == command["command_id"]:
            return JSONResponse({"seq": before, "lines": known["lines"]})
    if command["expected_seq"] != before:
        refusal = {
            "error": "stale",
            "message": "Another line came first",
            "hint": "",
            "seq": before,
            "missing": [],
        }
        return JSONResponse(refusal, 409)
    with LOG.open("a") as file:
        file.write(json.dumps(command) + "\n")
    for queue in listeners.values():
        queue.put_nowait(message())
    if trouble.pop("die", 0):
        os.kill(os.getpid(), signal.SIGKILL)
    await asyncio.sleep(trouble.pop("late", 0))
    return JSONResponse({"seq": before + len(command["lines"]), "lines": command["lines"]})


async def fail(request: Request) -> Response:
    """What shall go wrong next."""
    trouble.update(await request.json())
    return JSONResponse({})


async def publish(request: Request) -> Response:
    """Say this to every listener."""
    said = await request.json()
    for queue in listeners.values():
        queue.put_nowait(said)
    return JSONResponse({"listeners": len(listeners)})


async def look(_: Request) -> Response:
    """What happened."""
    return JSONResponse({"log": log(), "posts": posts, "listeners": len(listeners), "openings": openings})


async def live(socket: WebSocket) -> None:
    """The feed."""
    await socket.accept()
    openings.append(str(socket.url))
    queue = listeners[socket] = asyncio.Queue()
    queue.put_nowait(message())
    reader = asyncio.create_task(hear(socket))
    try:
        while not reader.done():
            try:
                said = await asyncio.wait_for(queue.get(), QUIET)
            except TimeoutError:
                said = {"now": time.monotonic() * 1000, "epoch": EPOCH}
            await socket.send_json(said)
    except (WebSocketDisconnect, RuntimeError):
        pass  # the page has gone
    finally:
        reader.cancel()
        del listeners[socket]


async def hear(socket: WebSocket) -> None:
    """Read until the page goes."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass


app = Starlette(
    routes=[
        Route("/", page),
        Route("/matches/m1/desk", page),
        Route("/worker.js", worker),
        Route("/static/1/page.js", script),
        Mount("/static/1", StaticFiles(directory=STATIC)),
        Route("/matches/m1/log", write, methods=["POST"]),
        Route("/fail", fail, methods=["POST"]),
        Route("/publish", publish, methods=["POST"]),
        Route("/look", look),
        WebSocketRoute("/live", live),
    ]
)

if __name__ == "__main__":
    uvicorn.run(app, port=int(sys.argv[1]), log_level="error")
