"""The director's office over the real application: names, closing and opening, and who is told what."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from documented import held_against
from fivepins.desk.app import create_app
from fivepins.desk.guard import LARGEST
from fivepins.desk.hall import Hall
from fivepins.desk.rights import FIRST, Role
from fivepins.language import LANGUAGES, language
from fivepins.notation import parse_file
from serving import PATIENCE, Served

EXAMPLE = Path(__file__).parent.parent / "examples" / "corrections.fpn"
PIN, OTHER_PIN = "271828", "314159"
OWN = {"origin": "http://testserver"}
DESK = "/live?match=m1&kind=desk"
NEW_NAME = "N. N."
REOPEN = ("Status: open", 'decision "a stroke was wrong" by "director"')


class Office(NamedTuple):
    """A hall with the example match as m1, its server, and what its visitors send along."""

    hall: Hall
    client: TestClient
    director: dict[str, str]
    referee: dict[str, str]

    def write(self, *lines: str, who: dict[str, str], command: str = "") -> Any:
        """Send lines that know the newest row."""
        seq = self.client.get("/matches/m1/board").json()["seq"]
        body = {"command_id": command or f"{seq} {lines}"[:40].replace(" ", "-"), "expected_seq": seq}
        return self.client.post("/matches/m1/log", json=body | {"lines": list(lines)}, headers=who)

    def post(self, path: str, body: dict[str, Any], who: dict[str, str]) -> Any:
        """Send a body."""
        return self.client.post(path, json=body, headers=who)


def bearer(hall: Hall, role: Role, label: str, scope: str = "") -> dict[str, str]:
    grant = hall.rights.give(role, label=label, at=hall.now(), scope=scope)
    return {"authorization": f"Bearer {hall.rights.link(grant)}"}


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    hall = Hall.open(f"sqlite:///{tmp_path / 'hall.db'}")
    record = parse_file(EXAMPLE.read_text("utf-8")).records[0]
    hall.store.create_match(record, command_id="m1", at=hall.now(), by="importer", match_id="m1")
    with held_against(TestClient(create_app(hall))) as client:
        director, referee = bearer(hall, Role.DIRECTOR, "Verdi"), bearer(hall, Role.REFEREE, "Neri")
        yield Office(hall, client, director, referee)
    hall.close()


def close(office: Office) -> None:
    answer = office.write("Status: closed", who=office.referee)
    assert answer.status_code == 200, answer.text


# -- names ---------------------------------------------------------------------------------------


def everything(office: Office) -> dict[str, Any]:
    """All that is told of the match, but its row number, the time of day, and the clock of the server."""
    told = {what: office.client.get(f"/matches/m1/{what}").json() for what in ("board", "sheet")}
    told["file"] = office.client.get("/matches/m1/match.fpn").text.splitlines()
    for key in ("seq", "saved", "now"):
        told["board"].pop(key, None)
        told["sheet"].pop(key, None)
    return told


def test_b19_a_name_that_is_corrected_changes_nothing_else(office: Office) -> None:
    before, old = everything(office), office.client.get("/matches/m1/board").json()["sides"]["A"]["name"]
    answer = office.write("A: Someone Else", who=office.director)
    assert answer.status_code == 200, answer.text
    after = everything(office)
    assert after != before
    assert renamed(after, "Someone Else", old) == before


def renamed(told: Any, name: str, old: str) -> Any:
    """The same with another name, wherever it stands."""
    match told:
        case dict():
            return {key: renamed(value, name, old) for key, value in told.items()}
        case list():
            return [renamed(value, name, old) for value in told]
        case str():
            return told.replace(name, old)
    return told


PUBLIC = ("log", "board", "match.fpn", "paper", "")


@pytest.mark.parametrize("path", PUBLIC)
def test_nobody_but_the_staff_is_told_a_name_that_was_taken_back(office: Office, path: str) -> None:
    old = office.client.get("/matches/m1/board").json()["sides"]["B"]["name"]
    address = f"/matches/m1/{path}".rstrip("/")
    assert old in office.client.get(address).text, "it was there before"
    assert office.write(f"B: {NEW_NAME}", who=office.director).status_code == 200
    assert old not in office.client.get(address).text
    assert NEW_NAME in office.client.get(address).text


def test_the_log_keeps_the_old_name_for_the_staff(office: Office) -> None:
    old = office.client.get("/matches/m1/board").json()["sides"]["B"]["name"]
    office.write(f"B: {NEW_NAME}", who=office.director)
    lines = [
        row["line"] for row in office.client.get("/matches/m1/log", headers=office.referee).json()["lines"]
    ]
    assert f"B: {old}" in lines
    assert lines[-1] == f"B: {NEW_NAME}"


def test_who_wrote_a_line_is_told_to_the_staff_of_that_match_alone(office: Office) -> None:
    office.write(f"B: {NEW_NAME}", who=office.director)
    elsewhere = bearer(office.hall, Role.REFEREE, "Gialli", "match:m2")
    for who, writer in ((office.referee, "director Verdi"), (elsewhere, ""), ({}, "")):
        last = office.client.get("/matches/m1/log", headers=who).json()["lines"][-1]
        assert last["by"] == writer


def test_a_name_is_corrected_whoever_sits_at_the_desk(office: Office) -> None:
    assert office.post("/matches/m1/desk", {"take": True}, office.referee).status_code == 200
    assert office.write("# a stroke of somebody else", who=office.director).json()["error"] == "held"
    assert office.write(f"A: {NEW_NAME}", who=office.director).status_code == 200


# -- closed and opened again ---------------------------------------------------------------------


def test_a_closed_match_answers_423_on_every_path_that_writes(office: Office) -> None:
    close(office)
    seq = office.client.get("/matches/m1/board").json()["seq"]
    command = {"command_id": "late", "expected_seq": seq, "lines": ["# late"]}
    for who in (office.referee, office.director):
        for path, body in (
            ("log", command),
            ("log", command | {"lines": [f"A: {NEW_NAME}"]} if who is office.director else command),
            ("log", command | {"lines": ["Status: closed"]}),
            ("clock", {"command_id": "late", "action": "start"}),
            ("desk", {"take": False}),
            ("desk", {"take": True}),
        ):
            answer = office.post(f"/matches/m1/{path}", body, who)
            assert (answer.status_code, answer.json()["error"]) == (423, "closed"), path
        item = office.post("/matches/m1/batch", {"commands": [command]}, who).json()["items"][0]
        assert (item["status"], item["error"]) == (423, "closed")
    assert office.client.get("/matches/m1/board").json()["seq"] == seq


def test_a_director_opens_it_again_with_a_reason_whoever_sits_at_the_desk(office: Office) -> None:
    assert office.post("/matches/m1/desk", {"take": True}, office.referee).status_code == 200
    close(office)
    assert office.write(*REOPEN, who=office.referee).status_code == 403
    assert office.write(REOPEN[0], who=office.director).status_code == 422
    assert office.client.get("/matches/m1/board").json()["status"] == "closed"
    assert office.write(*REOPEN, who=office.director).status_code == 200
    assert office.client.get("/matches/m1/board").json()["status"] == "open"
    assert office.write("# goes on", who=office.referee).status_code == 200


def test_nothing_follows_the_line_that_closes_in_one_command(office: Office) -> None:
    answer = office.write("Status: closed", "# and yet", who=office.referee)
    assert answer.status_code == 422
    assert office.client.get("/matches/m1/board").json()["status"] == "open"


def test_the_page_offers_what_can_be_done_now(office: Office) -> None:
    def forms() -> set[str]:
        page = office.client.get("/matches/m1/office", headers=office.director).text
        return set(re.findall(r'<form id="(\w+)"', page))

    assert forms() == {"names", "close"}
    close(office)
    assert forms() == {"reopen"}
    assert office.client.get("/matches/nowhere/office", headers=office.director).status_code == 404


# -- who sits at the desk ------------------------------------------------------------------------


@pytest.mark.parametrize("role", [Role.REFEREE, Role.TIMEKEEPER])
def test_who_works_at_a_match_is_told_who_sits_at_its_desk(office: Office, role: Role) -> None:
    office.post("/matches/m1/desk", {"take": True}, office.referee)
    with office.client.websocket_connect(DESK, headers=bearer(office.hall, role, "Anna", "match:m1")) as feed:
        told = feed.receive_json()
        while "presence" not in told:
            told = feed.receive_json()
    assert told["presence"]["holder"]["by"] == "referee Neri"


@pytest.mark.parametrize("scope", ["", "match:m2", "table:T9"])
def test_nobody_else_is(office: Office, scope: str) -> None:
    who = bearer(office.hall, Role.REFEREE, "Anna", scope) if scope else {}
    with office.client.websocket_connect(DESK, headers=who) as feed:
        assert feed.receive_json()["board"]["match"] == "m1"
        assert {topic.kind for topic in office.hall.hub.topics("match", "m1")} == {"board"}


def test_a_desk_feed_ends_with_the_right_that_opened_it(office: Office) -> None:
    grant = office.hall.rights.give(Role.REFEREE, label="Anna", at=office.hall.now())
    who = {"authorization": f"Bearer {office.hall.rights.link(grant)}"}
    with office.client.websocket_connect(DESK, headers=who) as feed:
        feed.receive_json()
        office.post(f"/grants/{grant.id}/revoke", {}, office.director)
        office.write("# a line", who=office.director)
        with pytest.raises(WebSocketDisconnect) as ended:
            feed.receive_json()
    assert ended.value.code == 4403


def test_a_preview_tells_nobody_else_who_wrote_or_what_a_player_was_called(office: Office) -> None:
    stale = {"expected_seq": 1, "lines": ["# late"]}
    for who, status in ((office.referee, 409), (bearer(office.hall, Role.TIMEKEEPER, "Anna"), 403)):
        assert office.post("/matches/m1/preview", stale, who).status_code == status


# -- PINs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_right_of_the_first_start_is_called_in_the_language_of_the_page(
    office: Office, lang: str
) -> None:
    office.hall.rights.first_director(office.hall.now())
    page = office.client.get(f"/rights?lang={lang}", headers=office.director).text
    assert f"<td>{language(lang).say(FIRST)}</td>" in unescape(page)
    assert "<td>Neri</td>" in page, "what a director wrote stays as he wrote it"
    given = office.client.get("/grants", headers=office.director).json()["grants"]
    assert FIRST in [grant["label"] for grant in given], "what is stored is one word for all"


def test_a_pin_is_changed_and_taken_away(office: Office) -> None:
    wanted = {"role": "referee", "label": "Anna", "pin": PIN}
    grant = office.post("/grants", wanted, office.director).json()["grant"]["id"]

    def enters(pin: str) -> bool:
        return bool(office.post("/enter", {"grant": grant, "pin": pin}, OWN).status_code == 200)

    def change(pin: str) -> Any:
        return office.post(f"/grants/{grant}/pin", {"pin": pin}, office.director)

    assert enters(PIN)
    assert change(OTHER_PIN).json()["grant"]["pin"] is True
    assert (enters(PIN), enters(OTHER_PIN)) == (False, True)
    assert change("12").status_code == 422
    assert enters(OTHER_PIN), "a PIN that was refused changes nothing"
    assert change("").json()["grant"]["pin"] is False
    assert not enters(OTHER_PIN)
    assert not enters("")
    assert office.post("/grants/nobody/pin", {"pin": PIN}, office.director).status_code == 404


# -- the door ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/", "/matches/m1", "/matches/m1/board", "/matches/m1/match.fpn", "/worker.js"]
)
def test_head_is_answered_as_get_is_without_the_body(office: Office, path: str) -> None:
    whole, head = office.client.get(path), office.client.head(path)
    assert (head.status_code, head.content) == (200, b"")
    for name in ("content-type", "content-security-policy", "cache-control"):
        assert head.headers[name] == whole.headers[name]


def test_a_body_that_grows_beyond_what_its_head_promised_is_refused(office: Office) -> None:
    headers = office.referee | {"content-type": "application/json"}
    pieces = (b" " * 1024 for _ in range(LARGEST // 1024 + 1))
    answer = office.client.post("/matches/m1/log", content=pieces, headers=headers)
    assert (answer.status_code, answer.json()["error"]) == (413, "too large")


def test_a_page_without_tls_sends_nothing_to_the_door_with_it(office: Office) -> None:
    token = office.director["authorization"].partition(" ")[2]
    for origin, status in (("http://testserver", 403), ("https://testserver", 200)):
        body, headers = {"token": token}, {"origin": origin}
        answer = office.client.post("https://testserver/enter", json=body, headers=headers)
        assert answer.status_code == status


def test_who_has_a_right_is_told_nothing_that_other_sites_may_read(office: Office) -> None:
    for who, allowed in (({}, "*"), (office.director, None)):
        answer = office.client.get("/matches/m1/log", headers=who)
        assert answer.headers.get("access-control-allow-origin") == allowed
        assert answer.headers["cache-control"] == "no-store"


def test_the_loopback_answers_to_the_host_that_was_asked_for(office: Office) -> None:
    app = create_app(office.hall)
    app.state.host = "Hall.test"
    with TestClient(app, base_url="http://127.0.0.1:8421") as client:
        for host, status in (("hall.test:8421", 200), ("evil.example", 421)):
            assert client.get("/matches.json", headers={"host": host}).status_code == status


def test_the_real_server_refuses_a_foreign_name_and_a_body_without_end(tmp_path: Path) -> None:
    served = Served(tmp_path / "data")
    try:
        calls = (
            ({"host": "evil.example"}, b"{}", (421, "forbidden")),
            ({"host": f"localhost:{served.port}"}, (b" " * 4096 for _ in range(20)), (413, "too large")),
            ({"host": f"localhost:{served.port}"}, b'{"token": "forged"}', (403, "forbidden")),
        )
        for headers, body, expected in calls:
            line = HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE)
            kind = {"content-type": "application/json", "origin": f"http://{headers['host']}"}
            line.request("POST", "/enter", body, headers | kind, encode_chunked=not isinstance(body, bytes))
            answer = line.getresponse()
            assert (answer.status, json.load(answer)["error"]) == expected
            line.close()
    finally:
        served.stop()
    assert served.errors == ""


# -- the next match ------------------------------------------------------------------------------


def test_the_next_match_begins_as_the_last_one_did_without_its_names(office: Office) -> None:
    head = {
        "A": "Rossi",
        "B": "Bianchi",
        "Rules": "FIBiS-2022",
        "Sets": "5",
        "Distance": "80/70",
        "Referee": "Neri",
    }
    made = office.post("/matches", {"command_id": "n1", "head": head}, office.director)
    assert made.status_code == 201, made.text
    kept = {"Rules": "FIBiS-2022", "Sets": "5", "Distance": "80", "Clock": ""}
    assert office.hall.settings.last == kept
    form = office.client.get("/matches/new", headers=office.director).text
    assert 'value="80"' in form
    assert not re.search("Rossi|Bianchi|Neri", form)
