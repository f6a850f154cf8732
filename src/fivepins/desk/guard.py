"""The guard at the door: who asks, from which page, and what every answer says to the browser.

One ASGI middleware. It reads heads and never bodies' contents, so a feed costs it nothing.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import secrets
from collections.abc import Callable, MutableMapping
from datetime import datetime
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException

from fivepins.desk.refusal import Word, refusal
from fivepins.desk.rights import Rights, Role, Visitor

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE: Final = "fivepins"
"""What the name of the cookie begins with; the port ends it. A browser keeps cookies by host alone: two halls
on one machine would sign each other out, and what the TLS door has set, the plain one could not replace.
"""
YEAR: Final = 31_536_000

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""What pages may load: their own files, and no script or style that stands in them."""

HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",  # what a board or a log says depends on when and by whom it is asked
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
"""On every answer that does not say otherwise. No HSTS, ever: it is kept for a host and not for a port, so it
would shut the door without TLS that televisions need; and a browser that insists on a certificate made here
locks a tablet out."""

PARTS: Final = ("text/css", "text/javascript")
"""What is nothing by itself: the policy of the page that asks for it holds, and forty copies of the policy
would weigh more than the styles."""

OPENER: Final = ("cross-origin-opener-policy", "same-origin")
"""Beside them where TLS is spoken: without it a browser says aloud that it does not obey."""

OPEN_KINDS: Final = ("application/json", "text/event-stream", "text/plain")
"""What pages of other sites may read, as spectators: they send no cookie (it is SameSite=Strict, and `*`
forbids them)."""

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
LARGEST: Final = 65_536
"""Bytes of a body; a command has a few hundred."""
LARGEST_FILE: Final = 4_194_304
"""Bytes of a body that may hold a file of notation."""
FILES: Final = frozenset({"/matches"})


ENDLESS: Final = "/events"
"""How addresses end whose answer has no end, and so no head without a body."""

_PORT = re.compile(r":\d+$")


class Guard:
    """Finds the visitor for `scope["state"]`, and refuses what a foreign page sends.

    `alone` tells whether this machine alone is served. Then no other name than its own, or the `host` that
    was asked for, leads here; a request that uses one comes from a page whose name server has turned it to
    the loopback.
    """

    def __init__(
        self,
        app: ASGIApp,
        rights: Rights,
        now: Callable[[], datetime],
        alone: Callable[[], bool],
        host: Callable[[], str] = lambda: "",
    ) -> None:
        self._app = app
        self._rights = rights
        self._now = now
        self._alone = alone
        self._host = host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, with its visitor, or answer it with what is wrong."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        cookie, bearer = _cookie(scope, headers), _bearer(headers)
        visitor = self._rights.visitor(cookie, bearer, self._now())
        fresh = visitor is None and not bearer
        visitor = visitor or Visitor(device=secrets.token_urlsafe(9))
        scope.setdefault("state", {})["visitor"] = visitor
        answer = _Answer(scope, send, self._rights.cookie(visitor.device) if fresh else "", visitor)
        if wrong := self._strange(scope, headers) or _wrong(scope, headers, bearer):
            await answer.refuse(*wrong)
        else:
            body = _Body(receive, _limit(scope))
            await self._app(_asked(scope), body.receive if scope["type"] == "http" else receive, answer.send)

    def _strange(self, scope: Scope, headers: Headers) -> tuple[int, Word, str] | None:
        """Status, word and message where the loopback is asked under a name that is not its own."""
        server = scope.get("server") or ("", None)
        if server[0] not in ("127.0.0.1", "::1") or not self._alone():
            return None
        name = _PORT.sub("", headers.get("host", "")).lower()
        if name in LOOPBACK or name == self._host().lower():
            return None
        return 421, "forbidden", "this machine is not called that"


def _asked(scope: Scope) -> Scope:
    """What the application is asked: HEAD is a GET whose body is left out on the way back."""
    if scope["type"] == "http" and scope["method"] == "HEAD" and not scope["path"].endswith(ENDLESS):
        return {**scope, "method": "GET"}
    return scope


def _wrong(scope: Scope, headers: Headers, bearer: str) -> tuple[int, Word, str] | None:
    """Status, word and message where a request is not to be let through."""
    unsafe = scope["type"] == "websocket" or scope["method"] not in SAFE
    if not unsafe:
        return None
    if not bearer and not _same_origin(scope, headers):
        if "origin" in headers or "sec-fetch-site" in headers:
            return 403, "forbidden", "this was sent by a page of another site"
        return 403, "forbidden", "a program sends its token: Authorization: Bearer …"
    if scope["type"] == "websocket":
        return None
    length = headers.get("content-length", "0")
    if not length.isdigit():
        return 400, "malformed", "the length of the body is no number"
    if int(length) > _limit(scope):
        return 413, "too large", f"the body has {length} bytes, {_limit(scope)} are read"
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    has_body = length != "0" or "transfer-encoding" in headers
    if has_body and kind != "application/json":
        return 415, "malformed", "the body has to be application/json"
    return None


def _same_origin(scope: Scope, headers: Headers) -> bool:
    """Whether the request comes from a page of this server.

    Browsers name the origin of whatever is not safe. Programs name none; they may listen, and write with a
    bearer token.
    """
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin: str | None = headers.get("origin")
    if origin is None:
        listens: bool = scope["type"] == "websocket"
        return listens
    page = urlsplit(origin)
    if page.scheme == "http" and scope["scheme"] in ("https", "wss"):
        return False  # whoever can read along could have written that page
    host: str = headers.get("host", "")
    return page.netloc != "" and page.netloc.lower() == host.lower()


def _limit(scope: Scope) -> int:
    return LARGEST_FILE if scope.get("path") in FILES else LARGEST


def _cookie(scope: Scope, headers: Headers) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(cookie_name(scope))
    except CookieError:
        return ""
    return found.value if found else ""


def _bearer(headers: Headers) -> str:
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


class _Body:
    """A body that ends the request where it grows beyond its limit, whatever its head promised."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive = receive
        self._limit = self._left = limit

    async def receive(self) -> Message:
        """The next piece; raises what the application answers with 413."""
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise HTTPException(413, f"the body is longer than the {self._limit} bytes that are read")
        return message


class _Answer:
    """What goes back, with the headers of every answer and, the first time, a cookie."""

    def __init__(self, scope: Scope, send: Send, cookie: str, visitor: Visitor) -> None:
        self._scope = scope
        self._send = send
        self._cookie = cookie
        self._visitor = visitor

    async def send(self, message: MutableMapping[str, Any]) -> None:
        """Pass a message on."""
        if message["type"] == "http.response.start":
            self._head(MutableHeaders(scope=message))
        elif message["type"] == "http.response.body" and self._scope["method"] == "HEAD":
            message["body"] = b""
        await self._send(message)

    def _head(self, headers: MutableHeaders) -> None:
        kind = headers.get("content-type", "")
        part = self._scope["path"].startswith("/static/") and kind.startswith(PARTS)
        for name in ("x-content-type-options", "cache-control") if part else HEADERS:
            headers.setdefault(name, HEADERS[name])
        if self._scope["scheme"] == "https" and not part:
            headers.setdefault(*OPENER)
        if (
            self._scope["method"] == "GET"
            and self._visitor.role is Role.SPECTATOR
            and kind.startswith(OPEN_KINDS)
        ):
            headers.setdefault("access-control-allow-origin", "*")
        if self._cookie and kind.startswith("text/html") and "set-cookie" not in headers:
            headers.append("set-cookie", set_cookie(self._scope, self._cookie))

    async def refuse(self, status: int, word: Word, message: str) -> None:
        """Answer with an error of the contract; a WebSocket is refused before it is one."""
        if self._scope["type"] == "websocket":
            await self._send({"type": "websocket.close", "code": 1008, "reason": message})
            return
        body = json.dumps(refusal(word, message)).encode()
        kind = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await self.send({"type": "http.response.start", "status": status, "headers": kind})
        await self._send({"type": "http.response.body", "body": body})


def cookie_name(scope: Scope) -> str:
    """What the cookie of this door is called."""
    _, port = scope.get("server") or ("", None)
    return f"{COOKIE}-{port}"


def set_cookie(scope: Scope, value: str) -> str:
    """A `Set-Cookie` that scripts cannot read and other sites cannot use."""
    flags = "; Secure" if scope["scheme"] == "https" else ""
    return f"{cookie_name(scope)}={value}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Strict{flags}"


def with_style(page: str) -> str:
    """The policy of a page that is also a file of its own, and so has its style in it: that one and no other.

    >>> "'sha256-gG2yISYereRMiG2lMXrbiUgi0Ubw9p7QCeWcroOvy9Y='" in with_style("<style>p{}</style>")
    True
    """
    style = page.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return POLICY.replace("style-src 'self'", f"style-src 'sha256-{digest}'")
