"""A real server for tests: the program itself, to be killed and started again on the same data and port."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import signal
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

import httpx2
from websockets.sync.client import ClientConnection, connect

T = TypeVar("T")

PROGRAM: Final = Path(sys.executable).with_name("fivepins")
PATIENCE: Final = 60
"""Seconds after which a test gives up on a process. It says nothing about how fast one should be."""


class Served:
    """`fivepins serve` in a process of its own."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        self.said = ""
        """What it printed until it was ready."""
        self.arguments = arguments
        self._port = "0"
        self._errors = folder.with_name(f"{folder.name}.stderr")
        self._process: subprocess.Popen[str]
        self.start()

    def start(self) -> None:
        """Start it, on the port it had before if there was one, and wait until it answers."""
        words = ["serve", "--data", str(self.folder), "--port", self._port, *self.arguments]
        with self._errors.open("w", encoding="utf-8") as errors:
            self._process = subprocess.Popen(
                [PROGRAM, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True
            )
        assert self._process.stdout is not None
        self.said = ""
        while "Ctrl-C" not in self.said:
            line = self._process.stdout.readline()
            if not line:
                raise AssertionError(f"it ended with {self.ended()} before it was ready: {self.errors}")
            self.said += line
        self._port = str(self.port)

    def printed(self, title: str) -> list[str]:
        """What it printed behind a title, such as `The hall`; nothing where it did not print it."""
        found = re.search(rf"^{title} +(.*(?:\n {{15}}.*)*)", self.said, flags=re.MULTILINE)
        return [line.strip() for line in found[1].splitlines()] if found else []

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    @property
    def url(self) -> str:
        """Where this machine finds it."""
        return self.printed("This machine")[0]

    @property
    def port(self) -> int:
        """The port of that address."""
        return int(self.url.rpartition(":")[2])

    @property
    def director(self) -> str:
        """The link that makes a director."""
        return self.printed("Director")[0]

    @property
    def errors(self) -> str:
        """What it wrote to stderr since it was started."""
        return self._errors.read_text("utf-8")

    def named(self, host: str) -> str:
        """Its address under another name."""
        return re.sub(r"//[^/]*:", f"//{host}:", self.url)

    def get(self, path: str = "/", url: str = "", trusted: ssl.SSLContext | None = None) -> bytes:
        """The body of a page; raises where there is none."""
        with urllib.request.urlopen((url or self.url) + path, timeout=PATIENCE, context=trusted) as answer:
            body: bytes = answer.read()
        return body

    def feed(self, query: str) -> ClientConnection:
        """A feed, such as that of `match=m1`."""
        return connect(f"{self.url.replace('http', 'ws', 1)}/live?{query}", open_timeout=PATIENCE)

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self._process.send_signal(number)

    def ended(self) -> int:
        """Wait for its end; the exit code."""
        code = self._process.wait(PATIENCE)
        if self._process.stdout is not None:
            self._process.stdout.close()
        return code

    def stop(self) -> int:
        """End it as a service manager would; the exit code."""
        if self._process.poll() is None:
            self.signal(signal.SIGTERM)
        return self.ended()

    def kill(self) -> None:
        """End it as a power cut would."""
        self._process.kill()
        self.ended()

    def cut(self) -> None:
        """A power cut, and it comes back."""
        self.kill()
        self.start()


def run(work: Coroutine[None, None, T]) -> T:
    """What comes of work in a loop of its own: tests of pages leave one running in this thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def told(feed: ClientConnection) -> Any:
    """The next message of a feed."""
    return json.loads(feed.recv(PATIENCE))


def until(feed: ClientConnection, holds: Callable[[Any], object]) -> Any:
    """The first message of which something holds."""
    while not holds(message := told(feed)):
        pass
    return message


class Site:
    """A hall as the world finds it: one server, or several on one database, each asked in its turn.

    What one of them keeps to itself is missing at the next, where the next request arrives.
    """

    def __init__(self, folder: Path, url: str, count: int) -> None:
        self.url = url
        """The database."""
        self.servers = [Served(folder / f"server{number}", "--db", url) for number in range(count)]
        self._turns = itertools.cycle(self.servers)

    def next(self) -> Served:
        """The server whose turn it is."""
        return next(self._turns)

    def client(self, headers: dict[str, str] | None = None) -> httpx2.Client:
        """A program at an address that is the same whoever answers; a director's, unless headers come."""
        token = self.servers[0].director.partition("#")[2]
        headers = headers or {"authorization": f"Bearer {token}"}
        transport = _InTurns(self)
        return httpx2.Client(
            base_url="http://localhost", headers=headers, transport=transport, timeout=PATIENCE
        )

    def feed(self, query: str) -> ClientConnection:
        """A feed of the server whose turn it is; so it is another one that the next request goes to."""
        return self.next().feed(query)

    def cut(self) -> None:
        """A power cut for all of them."""
        for server in self.servers:
            server.kill()
        for server in self.servers:
            server.start()

    def stop(self) -> None:
        """End it well."""
        codes = [server.stop() for server in self.servers]
        assert (set(codes), "".join(server.errors for server in self.servers)) == ({0}, "")


class _InTurns(httpx2.HTTPTransport):
    """A way to a site, for which no two requests that follow each other need mean the same process."""

    def __init__(self, site: Site) -> None:
        super().__init__(verify=False)  # without TLS: no certificates have to be read
        self._site = site

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request to the server whose turn it is, under the name it was meant for."""
        request.url = request.url.copy_with(host="127.0.0.1", port=self._site.next().port)
        return super().handle_request(request)
