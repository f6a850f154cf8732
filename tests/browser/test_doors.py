"""What a browser makes of the doors: where a page is in a secure context, and what a restart does to it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Error

from browser.conftest import NAME, SECURE_NAME, NewPage, Serve
from serving import Served


def test_over_tls_a_name_that_is_not_localhost_is_a_secure_context(serve: Serve, new_page: NewPage) -> None:
    page = new_page(serve("--lan").named(SECURE_NAME))
    assert page.evaluate("isSecureContext && 'wakeLock' in navigator && 'serviceWorker' in navigator")


def test_without_tls_it_is_none_and_the_page_is_there_all_the_same(serve: Serve, new_page: NewPage) -> None:
    page = new_page(serve("--lan", "--plain").named(NAME))
    assert not page.evaluate("isSecureContext || 'wakeLock' in navigator || 'randomUUID' in crypto")
    assert page.locator("h1").count() == 1


def test_a_server_that_was_killed_comes_back_at_the_same_address(
    desk_server: Served, new_page: NewPage, allowed: list[str]
) -> None:
    allowed.append("ERR_|WebSocket connection to")  # what a cut line sounds like
    page = new_page(desk_server.url)
    desk_server.kill()
    with pytest.raises(Error, match="ERR_CONNECTION_REFUSED"):
        page.reload()
    desk_server.start()
    answer = page.goto(desk_server.url)
    assert answer is not None
    assert answer.ok
