"""The guard before the real application: who asks, from which page, and what every answer says."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import fivepins
from fivepins.desk.app import create_app
from fivepins.desk.guard import COOKIE, LARGEST, POLICY
from fivepins.desk.hall import Hall
from fivepins.desk.rights import FREE, Role

OWN = {"origin": "http://testserver"}
FOREIGN = (
    {"origin": "http://evil.example"},
    {"origin": "http://testserver.evil.example"},
    {"origin": "http://testserver:81"},
    {"origin": "null"},
    {"origin": "http://testserver", "sec-fetch-site": "cross-site"},
    {"origin": "http://testserver", "sec-fetch-site": "same-site"},
)
PIN = "271828"
TEMPLATES = sorted((Path(fivepins.__file__).parent / "desk" / "templates").rglob("*.html"))


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    opened = Hall.open(f"sqlite:///{tmp_path / 'hall.db'}")
    yield opened
    opened.close()


@pytest.fixture
def client(hall: Hall) -> Iterator[TestClient]:
    with TestClient(create_app(hall)) as opened:
        yield opened


def token_of(hall: Hall, role: Role = Role.DIRECTOR) -> str:
    """The token of a new grant."""
    return hall.rights.link(hall.rights.give(role, label="Anna", at=hall.now()))


# -- where a request comes from ------------------------------------------------------------------


@pytest.mark.parametrize("headers", FOREIGN)
def test_a_page_of_another_site_can_send_nothing(
    client: TestClient, hall: Hall, headers: dict[str, str]
) -> None:
    entered = client.post("/enter", json={"token": token_of(hall)}, headers=OWN)
    assert entered.status_code == 200
    answer = client.post("/grants", json={"role": "referee"}, headers=headers)
    assert (answer.status_code, answer.json()["error"]) == (403, "forbidden")
    assert client.post("/grants", json={"role": "referee"}, headers=OWN).status_code == 201


def test_a_cookie_without_an_origin_can_send_nothing(client: TestClient, hall: Hall) -> None:
    client.post("/enter", json={"token": token_of(hall)}, headers=OWN)
    assert client.post("/grants", json={"role": "referee"}).status_code == 403
    assert client.get("/grants").status_code == 200


@pytest.mark.parametrize("headers", FOREIGN)
def test_a_page_of_another_site_gets_no_feed(client: TestClient, headers: dict[str, str]) -> None:
    with pytest.raises(WebSocketDisconnect) as caught, client.websocket_connect("/live", headers=headers):
        pass
    assert caught.value.code == 1008


@pytest.mark.parametrize("headers", [OWN, {}])
def test_a_page_of_this_hall_and_a_program_get_one(client: TestClient, headers: dict[str, str]) -> None:
    with client.websocket_connect("/live?hall=1", headers=headers) as feed:
        assert feed.receive_json()["boards"] == {}


def test_a_program_with_a_token_needs_no_origin_and_no_cookie(client: TestClient, hall: Hall) -> None:
    bearer = {"authorization": f"Bearer {token_of(hall)}"}
    assert client.get("/grants", headers=bearer).status_code == 200
    assert client.post("/grants", json={"role": "referee"}, headers=bearer).status_code == 201
    forged = {"authorization": f"Bearer {token_of(hall)[:-2]}"}
    assert client.get("/grants", headers=forged).status_code == 403


def test_a_foreign_page_reads_what_everybody_may_and_nothing_with_a_cookie(client: TestClient) -> None:
    answer = client.get("/matches.json", headers={"origin": "http://overlay.example"})
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in answer.headers
    assert "access-control-allow-origin" not in client.get("/", headers={"accept": "text/html"}).headers
    asked = {"origin": "http://overlay.example", "access-control-request-method": "POST"}
    assert "access-control-allow-origin" not in client.options("/matches", headers=asked).headers


@pytest.mark.parametrize("name", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8421"])
def test_the_loopback_answers_to_its_own_names_alone(hall: Hall, name: str) -> None:
    with TestClient(create_app(hall), base_url="http://127.0.0.1:8421") as client:
        assert client.get("/matches.json", headers={"host": name}).status_code == 421
        for own in ("localhost:8421", "127.0.0.1:8421", "[::1]:8421", "LOCALHOST"):
            assert client.get("/matches.json", headers={"host": own}).status_code == 200
        hall.address = "https://hall.example:8421"
        assert client.get("/matches.json", headers={"host": "hall.example:8421"}).status_code == 200


# -- bodies --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_a_body_that_a_foreign_form_could_send_is_refused(client: TestClient, kind: str) -> None:
    answer = client.post("/enter", content=b'{"token":"x"}', headers=OWN | {"content-type": kind})
    assert (answer.status_code, answer.json()["error"]) == (415, "malformed")


def test_a_large_body_is_refused_by_its_head(client: TestClient) -> None:
    headers = OWN | {"content-type": "application/json"}
    answer = client.post("/enter", content=b" " * (LARGEST + 1), headers=headers)
    assert (answer.status_code, answer.json()["error"]) == (413, "too large")
    assert client.post("/matches", content=b" " * (LARGEST + 1), headers=headers).status_code == 422
    words = headers | {"content-length": "many"}
    assert client.post("/enter", content=b"{}", headers=words).status_code == 400


# -- what every answer says ----------------------------------------------------------------------

PAGES = ("/", "/enter", "/help", "/rights", "/settings", "/matches/new", "/hall", "/tables/T1", "/overlay/T1",
         "/api", "/equipment", "/nowhere")  # fmt: skip


@pytest.mark.parametrize("path", [*PAGES, "/matches.json", "/openapi.json", "/worker.js"])
def test_every_answer_says_what_a_page_may_load(client: TestClient, hall: Hall, path: str) -> None:
    client.post("/enter", json={"token": token_of(hall)}, headers=OWN)
    headers = client.get(path, headers={"accept": "text/html"}).headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "strict-transport-security" not in headers


@pytest.mark.parametrize(
    ("base", "said"), [("http://hall.example", None), ("https://hall.example", "same-origin")]
)
def test_windows_are_kept_apart_where_a_browser_can_do_it(hall: Hall, base: str, said: str | None) -> None:
    with TestClient(create_app(hall), base_url=base) as client:
        assert client.get("/").headers.get("cross-origin-opener-policy") == said


def test_the_policy_allows_no_script_and_no_style_that_stands_in_a_page() -> None:
    assert "unsafe" not in POLICY
    assert "default-src 'none'" in POLICY
    assert "frame-ancestors 'none'" in POLICY


INLINE = re.compile(
    r"<script(?![^>]*\bsrc=)(?![^>]*type=\"application/json\")|<style|\sstyle\s*=|\son[a-z]+\s*=|javascript:",
    re.IGNORECASE,
)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_no_template_holds_a_script_or_a_style(template: Path) -> None:
    assert not INLINE.findall(template.read_text("utf-8"))


@pytest.mark.parametrize(
    "text", ["<script>x</script>", "<p style='x'>", '<a onclick="x">', "<style>", '<a href="javascript:x">']
)
def test_an_inline_script_would_be_found(text: str) -> None:
    assert INLINE.search(text)


# -- cookies, and what must never be told --------------------------------------------------------


@pytest.mark.parametrize(("base", "secure"), [("http://hall.example", False), ("https://hall.example", True)])
def test_the_cookie_is_for_this_site_and_for_no_script(hall: Hall, base: str, secure: bool) -> None:
    with TestClient(create_app(hall), base_url=base) as client:
        first = client.get("/", headers={"accept": "text/html"}).headers["set-cookie"]
        entered = client.post("/enter", json={"token": token_of(hall)}, headers={"origin": base})
        for said in (first, entered.headers["set-cookie"]):
            name, *flags = re.split(r"; |=", said, maxsplit=1)
            assert name == f"{COOKIE}-{443 if secure else 80}"
            words = flags[0].split("; ")
            assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(words)
            assert ("Secure" in words) is secure
            assert not any(word.startswith("Domain") for word in words)


def test_a_device_keeps_its_id_when_it_enters_and_leaves(client: TestClient, hall: Hall) -> None:
    def device() -> str:
        visitor = hall.rights.visitor(client.cookies[f"{COOKIE}-80"], "", hall.now())
        assert visitor is not None
        return visitor.device

    client.get("/", headers={"accept": "text/html"})
    before = device()
    client.post("/device", json={"name": "Tablet 2"}, headers=OWN)
    client.post("/enter", json={"token": token_of(hall)}, headers=OWN)
    assert device() == before
    assert client.post("/leave", json={}, headers=OWN).status_code == 200
    assert device() == before
    assert client.get("/grants").status_code == 403


def test_a_revoked_right_ends_with_the_next_request(client: TestClient, hall: Hall) -> None:
    bearer = {"authorization": f"Bearer {token_of(hall)}"}
    given = client.post("/grants", json={"role": "director", "label": "Bruno"}, headers=bearer).json()
    client.post("/enter", json={"token": given["token"]}, headers=OWN)
    assert client.get("/grants").status_code == 200
    path = f"/grants/{given['grant']['id']}/revoke"
    assert client.post(path, json={}, headers=bearer).json()["grant"]["in_force"] is False
    assert client.get("/grants").status_code == 403
    answer = client.post("/enter", json={"token": given["token"]}, headers=OWN)
    assert (answer.status_code, answer.json()["error"]) == (403, "forbidden")


def test_a_pin_opens_the_door_until_too_many_were_wrong(client: TestClient, hall: Hall) -> None:
    grant = hall.rights.give(Role.REFEREE, label="Table T3", at=hall.now(), scope="table:T3", pin=PIN)
    assert "Table T3" in client.get("/enter", headers={"accept": "text/html"}).text
    body = {"grant": grant.id, "pin": PIN}
    assert client.post("/enter", json=body, headers=OWN).json()["role"] == "referee"
    for _ in range(FREE):
        assert client.post("/enter", json=body | {"pin": "000000"}, headers=OWN).status_code == 403
    refused = client.post("/enter", json=body, headers=OWN)
    assert (refused.status_code, refused.json()["error"]) == (429, "too many")
    assert 1 <= int(refused.headers["retry-after"]) <= 2


def test_no_answer_and_no_log_tells_a_secret(
    client: TestClient, hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    director = token_of(hall)
    client.post("/enter", json={"token": director}, headers=OWN)
    wanted = {"role": "referee", "scope": "table:T3", "label": "Anna", "pin": PIN}
    made = client.post("/grants", json=wanted, headers=OWN).json()
    assert made["link"].partition("#")[2] == made["token"], "a server never sees a fragment"
    secret = hall.rights.grants()[made["grant"]["id"]].secret
    paths = [*PAGES, "/grants", "/matches.json", "/openapi.json"]
    told = [
        client.get(path, headers={"accept": kind}).text for path in paths for kind in ("text/html", "*/*")
    ]
    told += [client.post("/grants", json=wanted | {"pin": "1"}, headers=OWN).text]
    told += [record.getMessage() for record in caplog.records]
    for hidden in (director, made["token"], PIN, secret):
        assert not [text for text in told if hidden in text]
