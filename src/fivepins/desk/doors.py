"""Doors: the ports a server listens on."""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Sequence
from typing import NamedTuple

from fivepins.desk import addresses
from fivepins.errors import FivePinsError

LOOPBACK = ("127.0.0.1",)
EVERYWHERE = ("0.0.0.0", "::")


class Door(NamedTuple):
    """A port with what listens on it, and what it speaks TLS with if it does."""

    port: int
    sockets: tuple[socket.socket, ...]
    tls: ssl.SSLContext | None

    def url(self, host: object) -> str:
        """Where a host is found behind this door."""
        return addresses.url("https" if self.tls else "http", host, self.port)


def open_door(hosts: Sequence[str], port: int, tls: ssl.SSLContext | None) -> Door:
    """Listen on a port of several hosts; 0 is a free one, the same for all.

    Raises `FivePinsError` where the port is taken, or a host is not this machine.
    """
    listening: list[socket.socket] = []
    for family, host in _places(hosts):
        try:
            listening.append(socket.create_server((host, port), family=family, backlog=2048))
        except OSError as error:
            if listening and host == "::" and error.errno != errno.EADDRINUSE:
                continue  # a machine whose IPv6 is switched off
            raise _no_door(error, host, port) from None
        port = listening[0].getsockname()[1]
    return Door(port, tuple(listening), tls)


def _places(hosts: Sequence[str]) -> list[tuple[socket.AddressFamily, str]]:
    """What host names lead to, each address once."""
    found: dict[tuple[socket.AddressFamily, str], None] = {}
    for host in hosts:
        try:
            for family, *_, place in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM):
                found[family, str(place[0])] = None
        except socket.gaierror:
            raise FivePinsError(
                f"no such host: {host!r}", hint="--host takes an address or a name of this machine"
            ) from None
    return list(found)


def _no_door(error: OSError, host: str, port: int) -> FivePinsError:
    if error.errno == errno.EADDRINUSE:
        hint = "is fivepins running already? --port names another, --port 0 takes a free one"
        return FivePinsError(f"port {port} is in use", hint=hint)
    if error.errno == errno.EACCES:
        return FivePinsError(f"port {port} is not for everybody", hint="take one above 1023 with --port")
    if error.errno == errno.EADDRNOTAVAIL:
        return FivePinsError(f"{host} is no address of this machine", hint="--lan serves all there are")
    return FivePinsError(f"{host} port {port}: {error.strerror}")
