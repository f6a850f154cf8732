"""The process around the desk: its doors, its signals, its end.

`docs/decisions/033-serve.md` tells which doors there are, and why.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import HANDLED_SIGNALS

from fivepins.desk import addresses, demo
from fivepins.desk.app import create_app
from fivepins.desk.certificate import Certificate, context, given, made
from fivepins.desk.doors import EVERYWHERE, LOOPBACK, Door, open_door
from fivepins.desk.hall import Hall
from fivepins.errors import FivePinsError
from fivepins.store import Keeper

if TYPE_CHECKING:
    import ssl

    from uvicorn._types import ASGIApplication

PORT: Final = 8421
LARGEST_HEAD: Final = 32_768
"""Bytes a request may have before its body begins; a browser with all its cookies sends a tenth."""
LARGEST_MESSAGE: Final = 4_096
"""Bytes of a message on a WebSocket: a client has nothing to say but what it has seen."""
GRACE: Final = 1
"""Seconds that requests under way have when the server ends."""
FILES: Final = 65_536
"""How many sockets and files to ask the system for, if it gives so many."""


@dataclass(frozen=True, slots=True)
class Service:
    """What is to be served, where, and how.

    Without `host` the loopback alone is served, with `lan` every address of the machine. `lan` speaks TLS
    unless `plain` says otherwise, under the certificate of `tls` (file, key) or one that is made.
    """

    folder: Path
    db: str = ""
    host: str = ""
    port: int = PORT
    lan: bool = False
    plain: bool = False
    tls: tuple[Path, Path] | None = None
    demo: bool = False
    backup: Path | None = None
    """Where copies go; into the data folder if nobody says otherwise."""


class Open(NamedTuple):
    """Where a server that has started is found, and what its director needs."""

    here: str
    hall: tuple[str, ...]
    """For tablets; empty where only this machine is served."""
    plain: tuple[str, ...]
    """For screens that cannot be made to trust a certificate."""
    director: str
    certificate: Certificate | None
    folder: Path


def data_folder() -> Path:
    """Where data lies if nobody says otherwise: the user's data folder, as the XDG rules have it."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "fivepins"


def serve(service: Service, ready: Callable[[Open], None]) -> None:
    """Serve a hall until a signal ends it; `ready` is told once, when it answers.

    Raises `FivePinsError` where the folder, the port, the certificate or the database is no good.
    """
    _more_files()
    _make(service.folder)
    certificate = _certificate(service)
    doors = _doors(service, context(certificate) if certificate else None)
    with contextlib.ExitStack() as end:
        hall = end.enter_context(contextlib.closing(Hall.open(_database(service))))
        found = _found(service, doors, certificate)
        hall.address = found.hall[0] if found.hall else None
        if not service.demo:
            hall.keeper = end.enter_context(contextlib.closing(_keeper(service, hall)))
        app = create_app(hall)
        app.state.certificate, app.state.host = certificate, service.host

        def tell() -> None:
            if service.demo:
                app.state.demo = asyncio.create_task(demo.play(hall))  # kept, or it may be collected
            ready(found._replace(director=hall.director_link(found.director)))

        Server(cast("ASGIApplication", app), doors, tell).run()


# -- before ------------------------------------------------------------------------------------------------


def _more_files() -> None:
    """As many sockets as the system gives: its default is made for programs that open a few files."""
    try:
        import resource  # noqa: PLC0415 - Windows has none, and no such limit
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = FILES if hard == resource.RLIM_INFINITY else min(hard, FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _make(folder: Path) -> None:
    """The data folder, for its owner alone, and a file in it to see that there can be."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise FivePinsError(
            f"the data folder {folder} cannot be written: {error.strerror}", hint="name another with --data"
        ) from None


def _database(service: Service) -> str:
    if service.demo:
        return demo.database(service.folder, datetime.now(UTC))
    return service.db or f"sqlite:///{service.folder / 'hall.db'}"


def _keeper(service: Service, hall: Hall) -> Keeper:
    """Copies of the hall, from its start to its end."""
    folder = service.backup or service.folder / "backups"
    if service.backup is None:
        _make(folder)
    keeper = Keeper(hall.store, folder, now=hall.now)
    keeper.start()
    return keeper


def _certificate(service: Service) -> Certificate | None:
    if service.tls:
        return given(*service.tls, now=datetime.now(UTC))
    if not service.lan or service.plain:
        return None
    names, reachable = addresses.names(), addresses.addresses()
    return made(service.folder / "tls", names=names, addresses=reachable, now=datetime.now(UTC))


def _doors(service: Service, tls: ssl.SSLContext | None) -> tuple[Door, ...]:
    """The door, and on a network with TLS a second one without it, a port further."""
    hosts = (service.host,) if service.host else EVERYWHERE if service.lan else LOOPBACK
    first = open_door(hosts, service.port, tls)
    if not (service.lan and tls):
        return (first,)
    return first, open_door(hosts, service.port and service.port + 1, None)


def _found(service: Service, doors: Sequence[Door], certificate: Certificate | None) -> Open:
    """Where everything is found; the director is still without a link."""
    first = doors[0]
    hosts: tuple[object, ...] = ()
    if service.lan:
        hosts = (service.host,) if service.host else (*addresses.addresses(), *addresses.names()[-1:])
    here = first.url(service.host or "localhost")
    return Open(
        here=here,
        hall=tuple(map(first.url, hosts)),
        plain=tuple(door.url(host) for door in doors[1:] for host in hosts),
        director=first.url(hosts[0]) if hosts else here,
        certificate=certificate,
        folder=service.folder,
    )


# -- the server --------------------------------------------------------------------------------------------


class Server(uvicorn.Server):
    """uvicorn with doors of our own, and an end that leaves nothing to read."""

    def __init__(self, app: ASGIApplication, doors: Sequence[Door], ready: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=Requests,
                ws="websockets-sansio",
                ws_max_size=LARGEST_MESSAGE,
                ws_per_message_deflate=False,  # boards are small: deflate costs more than it saves
                log_config=None,
                log_level="warning",
                access_log=False,
                proxy_headers=False,  # nobody stands in front of a hall, so nobody is to be believed
                server_header=False,
                timeout_keep_alive=60,  # a referee's next key finds the line still open
                timeout_graceful_shutdown=GRACE,
            )
        )
        self._doors = doors
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the app, then open the doors."""
        await super().startup(sockets or [])
        loop = asyncio.get_running_loop()
        for door in self._doors:
            for listening in door.sockets:
                self.servers.append(await loop.create_server(self._answer, sock=listening, ssl=door.tls))
        self._ready()

    def _answer(self) -> asyncio.Protocol:
        return Requests(self.config, self.server_state, self.lifespan.state)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End what is under way. What is cut off then was told to end, and is not worth a word."""
        for name in ("uvicorn.error", "asyncio"):
            logging.getLogger(name).addFilter(_broke)
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End on a signal, at once on a second one, and both ways well: uvicorn would die of it then."""
        before = {number: signal.signal(number, self.handle_exit) for number in HANDLED_SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - as signals have it
        """Take note of a signal."""
        self.force_exit = self.should_exit
        self.should_exit = True


def _broke(record: logging.LogRecord) -> bool:
    """Whether a line of the log tells of something that broke, rather than of something cut off."""
    if record.exc_info is None or isinstance(record.exc_info[1], asyncio.CancelledError | OSError):
        return False
    return "clos" not in str(record.exc_info[1])  # uvloop's word for a line that is gone is a RuntimeError


class Requests(HttpToolsProtocol):
    """uvicorn's HTTP, with an end to heads: its parser would collect one for ever."""

    _collected = 0
    _in_head = True

    def data_received(self, data: bytes) -> None:
        """Read on, unless the head is too long by now."""
        super().data_received(data)
        self._collected = self._collected + len(data) if self._in_head else 0
        if self._collected > LARGEST_HEAD and not self.transport.is_closing():
            self.send_400_response("The head of the request is too large.")

    def on_message_begin(self) -> None:
        """Begin a head."""
        self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """End it."""
        self._in_head = False
        super().on_headers_complete()
