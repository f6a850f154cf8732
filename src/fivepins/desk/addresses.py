"""Where a tablet in the hall finds this machine: its names, its addresses, and the URLs they make."""

from __future__ import annotations

import contextlib
import ctypes
import ipaddress
import re
import socket
import sys
from collections.abc import Iterator
from typing import NamedTuple

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_INSIDE = re.compile(r"docker|br-|veth|virbr|vmnet|vboxnet|cni|flannel|podman|lxc|lxd|awdl|llw")
"""How interfaces are named that lead to machines inside this one, or to no hall network at all."""

_UP, _LOOPBACK = 0x1, 0x8


def names() -> tuple[str, ...]:
    """What this machine is called: its host name, and the name others in the network look up by multicast.

    A host name that no certificate can hold is left out.
    """
    full = socket.gethostname().strip(".").lower()
    short = full.partition(".")[0]
    found = dict.fromkeys((full, short, f"{short}.local"))
    return tuple(name for name in found if re.fullmatch(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?", name))


def addresses() -> tuple[Address, ...]:
    """The addresses others in the network can reach, the likeliest first.

    Loopback, link-local addresses, containers and virtual machines are left out.
    """
    found = {one.address for one in _interfaces() if one.up and not _INSIDE.match(one.name)}
    usable = (address for address in found if not (address.is_loopback or address.is_link_local))
    way_out = _way_out()
    return tuple(sorted(usable, key=lambda one: (one != way_out, one.version, not one.is_private, int(one))))


def url(scheme: str, host: object, port: int) -> str:
    """The URL of a host at a port.

    >>> url("https", ipaddress.ip_address("fd00::2"), 8421), url("http", "hall.local", 80)
    ('https://[fd00::2]:8421', 'http://hall.local')
    """
    bracketed = f"[{host}]" if ":" in str(host) else str(host)
    return f"{scheme}://{bracketed}" + ("" if port == {"http": 80, "https": 443}[scheme] else f":{port}")


class _Interface(NamedTuple):
    name: str
    up: bool
    address: Address


class _Ifaddrs(ctypes.Structure):
    """`struct ifaddrs`, as far as Linux, macOS and the BSDs agree on it."""


_Ifaddrs._fields_ = [
    ("next", ctypes.POINTER(_Ifaddrs)),
    ("name", ctypes.c_char_p),
    ("flags", ctypes.c_uint),
    ("address", ctypes.POINTER(ctypes.c_ubyte)),
]


def _interfaces() -> Iterator[_Interface]:
    """Every address of every interface; where the system has no `getifaddrs`, what the host name leads to."""
    try:
        system = ctypes.CDLL(None)
        first = ctypes.POINTER(_Ifaddrs)()
        failed = system.getifaddrs(ctypes.byref(first))
    except (TypeError, AttributeError, OSError):  # Windows
        failed = True
    if failed:
        yield from _by_name()
        return
    try:
        one = first
        while one:
            entry = one.contents
            address = _address(entry.address)
            if address is not None:
                flags = entry.flags & (_UP | _LOOPBACK)
                yield _Interface(entry.name.decode(errors="replace"), flags == _UP, address)
            one = entry.next
    finally:
        system.freeifaddrs(first)


def _address(raw: ctypes._Pointer[ctypes.c_ubyte]) -> Address | None:
    """The address inside a `struct sockaddr`, if it is one of the Internet's."""
    if not raw:
        return None
    # The BSDs put a length of one byte before a family of one byte; elsewhere the family has two.
    bsd = sys.platform == "darwin" or "bsd" in sys.platform
    family = raw[1] if bsd else int.from_bytes(bytes(raw[0:2]), sys.byteorder)
    if family == socket.AF_INET:
        return ipaddress.IPv4Address(bytes(raw[4:8]))
    if family == socket.AF_INET6:
        return ipaddress.IPv6Address(bytes(raw[8:24]))
    return None


def _by_name() -> Iterator[_Interface]:
    with contextlib.suppress(OSError):
        for *_, place in socket.getaddrinfo(socket.gethostname(), None):
            yield _Interface("", True, ipaddress.ip_address(str(place[0]).partition("%")[0]))


def _way_out() -> Address | None:
    """The address this machine would speak from to a far one.

    Nothing is sent: a datagram socket only looks up the way.
    """
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("203.0.113.1", 9))
        return ipaddress.ip_address(probe.getsockname()[0])
    return None
