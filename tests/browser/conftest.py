"""Fixtures for the tests of the pages. Where no Chromium is to be had they fail; they never skip."""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree
from typing import Any, Final

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from browser.desk import Desk, signed_in
from fivepins.desk.addresses import addresses, names
from fivepins.desk.certificate import Certificate, made
from serving import Served

collect_ignore = ["transport/hall.py"]  # a program of its own, started by a test

ROOT = Path(__file__).parent.parent.parent

NAME: Final = "hall.test"
"""A name for a server without TLS that is not localhost, and so makes no secure context."""
SECURE_NAME: Final = names()[-1]
"""A name that is in the certificate of `--lan`."""

FLAGS: Final = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
    f"--host-resolver-rules=MAP {NAME} 127.0.0.1, MAP {SECURE_NAME} 127.0.0.1",
)  # fmt: skip

expect.set_options(timeout=15_000)  # how long a busy machine may take; what must come sooner says so itself

NewContext = Callable[..., BrowserContext]
NewPage = Callable[..., Page]
NewDesk = Callable[..., Desk]
Serve = Callable[..., Served]


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """The certificate that every server of the session shows, and that the browser trusts."""
    folder = tmp_path_factory.mktemp("tls")
    return made(folder, names=names(), addresses=addresses(), now=datetime.now(UTC))


@pytest.fixture(scope="session")
def browser(certificate: Certificate) -> Iterator[Browser]:
    """A Chromium that trusts the certificate as a tablet does whose owner followed the help page."""
    chromium = subprocess.run(
        ["sh", ROOT / "scripts" / "chromium"], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.strip()
    key = x509.load_pem_x509_certificate(certificate.chain.read_bytes()).public_key()
    pin = hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).digest()
    trust = f"--ignore-certificate-errors-spki-list={base64.b64encode(pin).decode()}"
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=[*FLAGS, trust])
        yield launched
        launched.close()


@pytest.fixture
def allowed() -> list[str]:
    """Patterns of the errors that a test provokes: a page that complains of anything else fails the test."""
    return []


@pytest.fixture
def new_context(browser: Browser, allowed: list[str]) -> Iterator[NewContext]:
    """Make devices: `new_context(size=(390, 844), theme="light", locale="de", touch=True)`.

    Further arguments go to Playwright's `new_context`. Errors in their pages and consoles fail the test.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def make(
        *, size: tuple[int, int] = (1280, 800), theme: str = "dark", locale: str = "en", touch: bool = False,
        **further: Any,
    ) -> BrowserContext:  # fmt: skip
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="light" if theme == "light" else "dark",
            locale=locale,
            has_touch=touch,
            **further,
        )
        context.set_default_timeout(10_000)
        context.on(
            "console",
            lambda said: (
                complaints.append(f"{said.location['url']}: {said.text}") if said.type == "error" else None
            ),
        )
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()
    assert not [said for said in complaints if not any(re.search(pattern, said) for pattern in allowed)]


@pytest.fixture
def new_page(new_context: NewContext) -> NewPage:
    """Make a page on a device of its own: `new_page(url, size=(390, 844), …)`, as with `new_context`."""

    def make(url: str = "", **device: Any) -> Page:
        page = new_context(**device).new_page()
        if url:
            page.goto(url)
        return page

    return make


@pytest.fixture
def new_desk(new_context: NewContext, demo_server: Served) -> NewDesk:
    """Make desks in the demo hall, each on a tablet of the director: `new_desk("lag A", Distance="12")`.

    What begins with a capital is a header, `match` one that exists; the rest goes to `new_context`. The clock
    of a `stepped` page can be put forward.
    """

    def make(
        *lines: str, match: str = "", stepped: bool = False, scripts: tuple[str, ...] = (),
        theme: str = "dark", **words: Any,
    ) -> Desk:  # fmt: skip
        head = {name: text for name, text in words.items() if name[0].isupper()}
        context = new_context(touch=True, **{name: one for name, one in words.items() if name not in head})
        page = signed_in(context, demo_server).new_page()
        for script in scripts:
            page.add_init_script(script)
        page.context.add_cookies([{"name": "theme", "value": theme, "url": demo_server.url}])
        if stepped:
            page.clock.install()
        return Desk(page, demo_server.url, *lines, match=match, **head)

    return make


@pytest.fixture
def serve(tmp_path: Path, certificate: Certificate) -> Iterator[Serve]:
    """Start servers, such as `serve("--lan")`, each with data of its own; they end with the test."""
    started: list[Served] = []

    def start(*arguments: str) -> Served:
        folder = tmp_path / f"hall{len(started)}"
        copytree(certificate.chain.parent, folder / "tls")
        served = Served(folder, *arguments)
        started.append(served)
        return served

    yield start
    for served in started:
        served.stop()
        assert "Traceback" not in served.errors


@pytest.fixture
def desk_server(serve: Serve) -> Served:
    """A server on the loopback with an empty hall."""
    return serve()


def served(folder: Path) -> Iterator[Served]:
    """A server with an empty hall, which ends well."""
    one = Served(folder / "data")
    yield one
    one.stop()
    assert "Traceback" not in one.errors


@pytest.fixture(scope="session")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all tests that make matches of their own, and leave server and settings alone."""
    yield from served(tmp_path_factory.mktemp("hall"))


@pytest.fixture(scope="session")
def demo_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server with the demo hall for all tests that only look."""
    served = Served(tmp_path_factory.mktemp("demo"), "--demo")
    yield served
    served.stop()
    assert "Traceback" not in served.errors
