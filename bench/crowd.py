"""A hall full of screens: a real server in a process of its own, desks that write, spectators that read."""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from serving import Served

STROKES = ("o", "o /.", "o r", "o o-r /..", "o c/.", "-", "o /5", "r")
"""What the desks write, over and over; none of it ends a set to 9,000."""


def trusting() -> ssl.SSLContext:
    """A client's side of TLS that takes any certificate: it is the cost that is measured."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


@dataclass(slots=True)
class Desk:
    """One match that is written through HTTP, as a tablet does."""

    url: str
    token: str
    match: str = ""
    seq: int = 0
    turn: int = 0
    sent: dict[int, float] = field(default_factory=dict)
    """When each row was sent, by its number."""
    took: list[float] = field(default_factory=list)
    line: HTTPConnection | None = None

    def post(self, path: str, body: dict[str, object]) -> dict[str, object]:
        """Send a command on a line that stays open, as a browser's does, and read the answer."""
        headers = {"content-type": "application/json", "authorization": f"Bearer {self.token}"}
        if self.line is None:
            parts = urlsplit(self.url)
            host, port = str(parts.hostname), parts.port
            tls = parts.scheme == "https"
            self.line = HTTPSConnection(host, port, context=trusting()) if tls else HTTPConnection(host, port)
        self.line.request("POST", path, json.dumps(body), headers)
        answer = self.line.getresponse()
        told: dict[str, object] = json.loads(answer.read())
        if answer.status >= 400:
            raise RuntimeError(f"{path}: {answer.status} {told}")
        return told

    def begin(self, table: int, name: str) -> None:
        """Make a match at a table and open its first set."""
        head = {"A": f"Anna {name}", "B": f"Bruno {name}", "Rules": "UMB-1997", "Distance": "9000"}
        made = self.post("/matches", {"command_id": f"new-{name}", "head": head | {"Table": f"L{table}"}})
        self.match, self.seq = str(made["match"]), int(str(made["seq"]))
        self.write("set 1 A")

    def write(self, line: str) -> None:
        """Store one line, and note how long that took."""
        before = time.perf_counter()
        self.sent[self.seq + 1] = before
        body: dict[str, object] = {
            "command_id": f"{self.match}-{self.seq}",
            "expected_seq": self.seq,
            "lines": [line],
        }
        self.seq = int(str(self.post(f"/matches/{self.match}/log", body)["seq"]))
        self.took.append(time.perf_counter() - before)

    def stroke(self) -> None:
        """Play one stroke."""
        self.turn += 1
        self.write(f"{self.turn}. {'AB'[(self.turn - 1) % 2]} {STROKES[self.turn % len(STROKES)]}")


@dataclass(slots=True)
class Crowd:
    """Spectators of a hall's matches, and how long each message took to reach them."""

    desks: Sequence[Desk]
    delays: list[float] = field(default_factory=list)
    sockets: list[ClientConnection] = field(default_factory=list)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def come(self, count: int) -> None:
        """Connect so many spectators, spread over the matches, fifty at a time."""
        for start in range(0, count, 50):
            await asyncio.gather(*(self._join(place) for place in range(start, min(start + 50, count))))

    async def _join(self, place: int) -> None:
        desk = self.desks[place % len(self.desks)]
        url = desk.url.replace("http", "ws", 1) + f"/live?match={desk.match}&kind=sheet"
        context = trusting() if url.startswith("wss") else None
        socket = await connect(url, compression=None, ssl=context, ping_interval=None, open_timeout=60)
        await socket.recv()
        self.sockets.append(socket)
        self.tasks.append(asyncio.create_task(self._read(socket, desk)))

    async def _read(self, socket: ClientConnection, desk: Desk) -> None:
        with contextlib.suppress(Exception):
            async for message in socket:
                now, text = time.perf_counter(), str(message)
                place = text.find('"seq":')
                if place >= 0:
                    seq = int(text[place + 6 : place + 16].partition(",")[0])
                    self.delays.append(now - desk.sent[seq])

    async def go(self) -> None:
        """Everybody leaves."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*(socket.close() for socket in self.sockets), return_exceptions=True)


def memory(process: int) -> int:
    """Resident memory of a process in bytes."""
    pages = int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1])
    return pages * 4096


@contextlib.contextmanager
def hall(folder: Path, *arguments: str) -> Iterator[Served]:
    """A server on a free port, ended with a signal."""
    served = Served(folder, *arguments)
    try:
        yield served
    finally:
        served.kill()


def centile(values: Sequence[float], part: float) -> float:
    """The value that a part of all values does not exceed, in milliseconds."""
    return 1000 * sorted(values)[min(len(values) - 1, int(part * len(values)))]


def summary(values: Sequence[float]) -> str:
    """Median, p95 and p99 in milliseconds."""
    middle = 1000 * statistics.median(values)
    return f"{middle:.1f} / {centile(values, 0.95):.1f} / {centile(values, 0.99):.1f} ms"
