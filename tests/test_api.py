"""The API against its own description, and its promises one by one, of one server and of two."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import booleans
from jsonschema import ValidationError
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.testclient import TestClient
from websockets.exceptions import ConnectionClosed, InvalidStatus

import fivepins.desk
from documented import document, held_against
from fivepins.desk.app import create_app
from fivepins.desk.hall import REMEMBERED, Hall
from fivepins.desk.refusal import WORDS
from fivepins.notation import parse_file
from fivepins.store import Store
from serving import Site, told, until

if TYPE_CHECKING:
    from httpx2 import Client

    from fivepins.desk.refusal import Word

DESK = Path(fivepins.desk.__file__).parent
EXAMPLES = Path(__file__).parent.parent / "examples"
HEAD = {"A": "Rossi", "B": "Bianchi", "Rules": "UMB-1997", "Distance": "60", "Table": "T1"}


@pytest.fixture(scope="module")
def client(site: Site) -> Iterator[Client]:
    with site.client() as program:
        yield held_against(program)


@pytest.fixture(scope="module")
def store(site: Site) -> Iterator[Store]:
    """What the servers have stored."""
    with closing(Store.open(site.url)) as opened:
        yield opened


@contextmanager
def program_of(hall: Hall) -> Iterator[Client]:
    """A program with a director's token, in the process of a hall that has something to itself."""
    headers = {"authorization": f"Bearer {hall.director_link('').partition('#')[2]}"}
    with closing(hall), TestClient(create_app(hall), base_url="http://localhost", headers=headers) as program:
        yield held_against(program)


def new(client: Client, name: str, **head: str) -> str:
    answer = client.post("/matches", json={"command_id": f"new-{name}", "head": HEAD | head})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["match"])


def write(client: Client, match: str, seq: int, *lines: str, command: str = "") -> Any:
    body = {"command_id": command or f"{match}-{seq}", "expected_seq": seq, "lines": list(lines)}
    return client.post(f"/matches/{match}/log", json=body)


def seq_of(client: Client, match: str) -> int:
    return int(client.get(f"/matches/{match}/board").json()["seq"])


# -- whatever is sent, there is an answer --------------------------------------------------------


PATHS = sorted(
    (method, path)
    for path, methods in document()["paths"].items()
    for method in methods
    if not path.endswith("events")  # a stream has no end; the feeds are tried below
)
PROMISES = [
    not_a_server_error, status_code_conformance, content_type_conformance,
    response_headers_conformance, response_schema_conformance,
]  # fmt: skip
WHO = {"director": 10, "referee of the table": 8, "spectator": 7}
"""Who sends how many examples to each address."""


@pytest.mark.parametrize(("method", "path"), PATHS)
def test_whatever_is_sent_by_whomever_the_answer_is_as_documented(
    method: str, path: str, site: Site, client: Client
) -> None:
    """No request makes a server fail; status, kind and body of its answer are those of the document."""
    match = new(client, f"any-{method}-{path}".translate(str.maketrans("/{}", "---")))
    right = {"role": "referee", "scope": f"table:{HEAD['Table']}"}
    referee = client.post("/grants", json=right).json()["token"]
    sent = {"director": client.headers["authorization"], "referee of the table": f"Bearer {referee}"}
    operation = schemathesis.openapi.from_dict(document())[path][method]

    def send(who: str, examples: int) -> None:
        @given(operation.as_strategy(), booleans())
        @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
        def answer(case: Any, real: bool) -> None:
            if real and "match_id" in case.path_parameters:
                case.path_parameters["match_id"] = match
            address = site.next().url
            case.cookies.clear()
            case.headers.update({"authorization": sent.get(who, ""), "origin": address})
            case.validate_response(case.call(base_url=address), checks=PROMISES)

        answer()

    for who, examples in WHO.items():
        send(who, examples)


@pytest.mark.parametrize(
    "answer",
    [
        httpx2.Response(418, json={}),
        httpx2.Response(200, text="none"),
        httpx2.Response(200, json={"count": 0}),
        httpx2.Response(503, json={"error": "broken", "message": "", "hint": ""}),
    ],
    ids=["another status", "another kind", "a field is missing", "a word that nobody knows"],
)
def test_an_answer_that_is_not_documented_fails_whoever_gets_it(answer: httpx2.Response) -> None:
    line = httpx2.MockTransport(lambda _: answer)
    program = held_against(httpx2.Client(transport=line, base_url="http://localhost"))
    with pytest.raises((AssertionError, ValidationError)):
        program.get("/matches.json")


def test_every_error_has_a_word_of_the_table_with_one_of_its_statuses() -> None:
    """Wherever the source names a status and a word side by side; scripts know the same words."""
    named = {pair for path in DESK.glob("*.py") for pair in errors_of(path)}
    assert {word for _, word in named} == set(WORDS)
    assert not {(status, word) for status, word in named if status not in WORDS[cast("Word", word)].statuses}
    scripts = "".join(path.read_text("utf-8") for path in DESK.glob("static/**/*.js"))
    asked = set(re.findall(r'\berror === "([^"]+)"', scripts))
    assert {"stale", "held"} <= asked <= set(WORDS)


def errors_of(path: Path) -> Iterator[tuple[int, str]]:
    """The statuses and words that stand side by side in a file: `403, "forbidden"` or `404: "unknown"`."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        pairs: list[tuple[ast.expr | None, ast.expr]] = []
        match node:
            case ast.Tuple(elts=[status, word, *_]) | ast.Call(args=[_, status, ast.Call(args=[word, *_])]):
                pairs = [(status, word)]
            case ast.Dict():
                pairs = [*zip(node.keys, node.values, strict=True)]
        for pair in pairs:
            match pair:
                case (ast.Constant(value=int(code)), ast.Constant(value=str(text))) if 400 <= code < 600:
                    yield code, text


# -- matches -------------------------------------------------------------------------------------


def test_a_file_goes_in_and_comes_out_the_same(client: Client) -> None:
    for path in sorted(EXAMPLES.glob("*.fpn")):
        text = path.read_text("utf-8")
        records = parse_file(text).records
        if len(records) > 1:
            continue
        answer = client.post("/matches", json={"command_id": f"in-{path.stem}", "fpn": text})
        assert answer.status_code == 201, (path.name, answer.text)
        out = client.get(f"/matches/{answer.json()['match']}/match.fpn").text
        assert parse_file(out).records[0].lines == records[0].lines


def test_a_file_that_is_sent_twice_is_one_match_and_a_head_is_two(client: Client) -> None:
    text = (EXAMPLES / "corrections.fpn").read_text("utf-8").replace("QF4", "QF5")

    def sent(command: str, **body: Any) -> Any:
        answer = client.post("/matches", json={"command_id": command, **body})
        assert answer.status_code == 201, answer.text
        return answer.json()

    first = sent("twice-1", fpn=text)
    line = write(client, first["match"], first["seq"], "# it goes on").json()
    again = sent("twice-2", fpn=text.replace("\n", "\r\n"))
    assert again == {"match": first["match"], "seq": line["seq"], "note": "already there"}
    assert sent("twice-3", fpn=text.replace("QF5", "QF6"))["match"] != first["match"]
    for body in ({"fpn": text.partition("\n\n")[0] + "\n"}, {"head": HEAD}):
        one, other = (sent(f"twice-{number}-{next(iter(body))}", **body) for number in (4, 5))
        assert one["match"] != other["match"]


def test_matches_come_newest_first_and_a_few_at_a_time(client: Client) -> None:
    made = [new(client, f"page-{number}") for number in range(3)]
    told = client.get("/matches.json?limit=2").json()
    assert [board["match"] for board in told["matches"]] == [made[2], made[1]]
    further = client.get("/matches.json?skip=2&limit=1").json()
    assert ([board["match"] for board in further["matches"]], further["count"]) == ([made[0]], told["count"])


def test_a_hall_lets_go_of_what_is_over_and_finds_it_again(tmp_path: Path) -> None:
    hall = Hall.open(f"sqlite:///{tmp_path / 'hall.db'}")
    with program_of(hall) as client:
        over = new(client, "long-over")
        write(client, over, seq_of(client, over), 'end A walkover "nobody came"')
        for number in range(REMEMBERED + 1):
            new(client, f"evening-{number}")
        assert over not in hall._live
        assert client.get(f"/matches/{over}/board").json()["result"] == "A 0-0 walkover"


def test_a_fault_in_the_head_names_its_field(client: Client) -> None:
    answer = client.post("/matches", json={"command_id": "bad-head", "head": HEAD | {"Sets": "4"}})
    assert (answer.status_code, answer.json()["part"]) == (422, "Sets")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("A", "x\r\nSet-Cookie: a=b"),
        ("A", "x\nB: y"),
        ("A", "x\ry"),
        ("B", "b" * 201),
        ("Language", "xx"),
        ("Date", "2026-13-45"),
    ],
)
def test_a_header_is_one_line_and_means_something(client: Client, key: str, value: str) -> None:
    before = client.get("/matches.json").json()["count"]
    answer = client.post("/matches", json={"command_id": "no-header", "head": HEAD | {key: value}})
    assert (answer.status_code, answer.json()["part"]) == (422, key)
    assert client.get("/matches.json").json()["count"] == before


def test_a_clock_starts_only_for_a_stroke(client: Client) -> None:
    match = new(client, "clock-in-the-lag")
    body = {"command_id": "too-early", "action": "start"}
    assert client.post(f"/matches/{match}/clock", json=body).status_code == 422
    write(client, match, seq_of(client, match), "set 1 A")
    assert client.post(f"/matches/{match}/clock", json=body).json()["clock"]["running"] is True


def test_a_command_to_a_clock_moves_it_once_however_late_it_comes_again(client: Client) -> None:
    match = new(client, "clock-twice")
    write(client, match, seq_of(client, match), "set 1 A")

    def clock(command: str, action: str, elapsed: float | None = None) -> tuple[int, Any]:
        body = {"command_id": f"{match}-{command}", "action": action, "elapsed": elapsed}
        answer = client.post(f"/matches/{match}/clock", json=body)
        return answer.status_code, answer.json()

    assert clock("one", "start", 5)[1]["clock"]["running"] is True
    stopped = clock("two", "stop", 7)[1]["clock"]
    assert stopped["running"] is False
    assert clock("two", "stop", 9)[1]["clock"] == stopped
    code, used = clock("two", "reset")
    assert (code, used["error"]) == (409, "used")
    assert clock("one", "start", 5)[1]["clock"] == stopped


def test_the_first_page_tells_the_newest_row_of_any_match(client: Client, store: Store) -> None:
    older, newer = new(client, "older-match"), new(client, "newer-match")
    answer = write(client, older, seq_of(client, older), 'note "later than all of the newer one"')
    assert answer.status_code == 200
    newest = store.last_saved()
    assert newest == store.snapshot(older).at > store.snapshot(newer).at


def test_a_table_that_cannot_stand_in_an_address_is_refused(client: Client) -> None:
    answer = client.post("/matches", json={"command_id": "bad-table", "head": HEAD | {"Table": "a/b"}})
    assert answer.status_code == 422
    assert "1 to 16 letters" in answer.json()["hint"]


# -- the log -------------------------------------------------------------------------------------


def test_a_command_sent_again_gets_its_answer_again(client: Client) -> None:
    match = new(client, "again")
    seq = seq_of(client, match)
    first, second = (write(client, match, seq, "set 1 A", command="the-same") for _ in range(2))
    assert first.json()["seq"] == second.json()["seq"] == seq + 1
    assert second.json()["note"] == "already done"


def test_a_name_that_is_corrected_during_a_match_changes_nothing_else(client: Client) -> None:
    """B19: field by field, on the board and in the sheet."""
    match = new(client, "name")
    first = seq_of(client, match)
    for seq, line in enumerate(["set 1 A", "1. A o r /13", "2. B -", "3. A o /5"], first):
        assert write(client, match, seq, line).status_code == 200
    board, sheet, log = (client.get(f"/matches/{match}/{what}").json() for what in ("board", "sheet", "log"))
    board["sides"]["A"]["name"] = "M. Rossi"
    assert write(client, match, board["seq"], "A: M. Rossi").status_code == 200
    for what, before in {"board": board, "sheet": sheet}.items():
        after = client.get(f"/matches/{match}/{what}").json()
        assert after.keys() == before.keys()
        changed = {key for key in after if after[key] != before[key]}
        assert changed <= {"seq", "saved", "now"}, "what any row changes"
    assert client.get(f"/matches/{match}/log").json()["lines"][:-1] == log["lines"]


def test_a_stale_command_is_told_what_it_missed(client: Client) -> None:
    """B18"""
    match = new(client, "stale")
    seq = seq_of(client, match)
    write(client, match, seq, "set 1 A")
    answer = write(client, match, seq, "set 1 B", command="late")
    assert (answer.status_code, answer.json()["error"]) == (409, "stale")
    assert [row["line"] for row in answer.json()["missing"]] == ["set 1 A"]


def test_an_illegal_line_says_what_was_expected_and_stores_nothing(client: Client) -> None:
    match = new(client, "illegal")
    seq = seq_of(client, match)
    answer = write(client, match, seq, "1. A o")
    assert (answer.status_code, answer.json()["error"]) == (422, "illegal")
    assert "set 1" in answer.json()["message"]
    assert seq_of(client, match) == seq


@pytest.mark.parametrize("order", [(0, 1), (1, 0), ()], ids=["one first", "the other first", "at once"])
def test_b14_a_set_that_two_devices_confirm_is_won_once(
    order: tuple[int, ...], site: Site, client: Client
) -> None:
    """The second is told that it was done already, and by which line; asked again, each answers as before."""
    match = new(client, "twice" + "".join(map(str, order)), Distance="12", Sets="3")
    done = write(client, match, seq_of(client, match), "set 1 A", "1. A o /....5 =12").json()["seq"]
    right = {"role": "referee", "scope": f"match:{match}"}
    tokens = [client.post("/grants", json=right | {"label": name}).json()["token"] for name in ("one", "two")]
    with ExitStack() as stack, ThreadPoolExecutor(2) as pool:
        devices = [stack.enter_context(site.client({"authorization": f"Bearer {token}"})) for token in tokens]

        def good(device: int) -> Any:
            return write(devices[device], match, done, "good A 12-0", command=f"{match}-good-{device}")

        answers = [good(device) for device in order] if order else list(pool.map(good, range(2)))
        first, second = sorted(answers, key=lambda answer: int(answer.status_code))
        assert (first.status_code, second.status_code, second.json()["error"]) == (200, 409, "stale")
        assert [row["line"] for row in second.json()["missing"]] == ["good A 12-0"]
        again = [good(device) for device in range(2)]
        assert sorted(answer.status_code for answer in again) == [200, 409]
        assert {answer.json().get("note", "already done") for answer in again} == {"already done"}
    board = client.get(f"/matches/{match}/board").json()
    assert (board["seq"], board["sides"]["A"]["sets"], board["phase"]) == (done + 1, 1, "between")


def test_the_check_that_the_referee_saw_is_held_against_the_ruling(client: Client) -> None:
    match = new(client, "check")
    seq = seq_of(client, match)
    write(client, match, seq, "set 1 A")
    answer = write(client, match, seq + 1, "1. A o r =3")
    assert answer.status_code == 422
    assert "check says 3" in answer.json()["message"]


def test_a_batch_answers_every_command_for_itself(client: Client) -> None:
    match = new(client, "batch")
    seq = seq_of(client, match)
    commands = [
        {"command_id": "batch-1", "expected_seq": seq, "lines": ["set 1 A"]},
        {"command_id": "batch-2", "expected_seq": seq + 1, "lines": ["1. B o"]},
        {"command_id": "batch-3", "expected_seq": seq + 1, "lines": ["1. A o r"]},
    ]
    items = client.post(f"/matches/{match}/batch", json={"commands": commands}).json()["items"]
    assert [item.get("error", item.get("seq")) for item in items] == [seq + 1, "illegal", seq + 2]
    assert "turn 1 belongs to A" in items[1]["message"]
    again = client.post(f"/matches/{match}/batch", json={"commands": commands}).json()["items"]
    assert [item.get("note") for item in again] == ["already done", None, "already done"]
    assert seq_of(client, match) == seq + 2


def test_what_is_no_command_is_told_for_itself_too(client: Client) -> None:
    match = new(client, "batch-of-rubbish")
    seq = seq_of(client, match)
    commands = [
        {"command_id": "rubbish-1", "expected_seq": seq, "lines": ["set 1 A"]},
        {"rubbish": 1},
        "rubbish",
        {"command_id": "rubbish-2", "expected_seq": seq + 1, "lines": ["1. A o =0"]},
    ]
    items = client.post(f"/matches/{match}/batch", json={"commands": commands}).json()["items"]
    told = [(item.get("status"), item.get("seq"), item.get("message")) for item in items]
    assert told == [
        (None, seq + 1, None),
        (422, None, "command_id: Field required"),
        (422, None, "body: Input should be a valid dictionary or object to extract fields from"),
        (None, seq + 2, None),
    ]


def test_a_closed_match_is_looked_at_as_it_is_written(client: Client) -> None:
    """A desk that asks first queues nothing that the server will not take."""
    match = new(client, "closed-preview")
    seq = write(client, match, seq_of(client, match), 'end - abandoned "rain"', "Status: closed").json()[
        "seq"
    ]
    asked = f"/matches/{match}/preview", {"expected_seq": seq, "lines": ['note "late"']}
    assert client.post(asked[0], json=asked[1]).status_code == 423
    opening = {"expected_seq": seq, "lines": ["Status: open", 'decision "a wrong point"']}
    assert client.post(asked[0], json=opening).json()["board"]["status"] == "open"


def test_a_preview_stores_nothing_and_says_what_would_be(client: Client) -> None:
    match = new(client, "preview")
    seq = seq_of(client, match)
    write(client, match, seq, "set 1 A")
    answer = client.post(
        f"/matches/{match}/preview", json={"expected_seq": seq + 1, "keys": "cannon R"}
    ).json()
    assert (answer["points"], answer["to"], answer["lines"]) == (12, "striker", ["1. A o r /5 =12"])
    assert answer["words"] == "cannon 4 + lone centre pin 8 = 12"
    assert answer["board"]["sides"]["A"]["score"] == 12
    assert seq_of(client, match) == seq + 1


def test_rows_of_the_head_are_looked_at_beforehand_as_they_are_when_they_are_stored(client: Client) -> None:
    """A desk that asks first has no line in its outbox that the server will never take."""
    match = new(client, "preview-head")
    seq = seq_of(client, match)

    def looked(*lines: str) -> tuple[int, Any]:
        asked = {"expected_seq": seq, "lines": list(lines)}
        answer = client.post(f"/matches/{match}/preview", json=asked)
        return answer.status_code, answer.json()

    code, answer = looked("Table:  T9", "A: Anna Neri", "set 1 B", "1. B o r  # close")
    assert (code, answer["lines"]) == (200, ["Table: T9", "A: Anna Neri", "set 1 B", "1. B o r =4  # close"])
    assert (answer["board"]["table"], answer["board"]["sides"]["A"]["name"]) == ("T9", "Anna Neri")
    for line, error in (
        ("Table: T9 x", "malformed"), ("Distance: 90", "illegal"), ("Nonsense: 1", "illegal"),
    ):  # fmt: skip
        code, answer = looked(line)
        assert (code, answer["error"]) == (422, error), answer
    assert seq_of(client, match) == seq


def test_a_forgotten_stroke_is_written_before_the_others(client: Client) -> None:
    match = new(client, "forgotten")
    seq = seq_of(client, match)
    for place, line in enumerate(("set 1 A", "1. A o r =4", "2. B o =0", "3. A o /1 =2")):
        write(client, match, seq + place, line)
    asked = {"expected_seq": seq + 4, "before": 2, "action": "o o-r", "reason": "not entered"}
    lines = client.post(f"/matches/{match}/rewrite", json=asked).json()["lines"]
    assert lines == [
        'undo "not entered"', 'undo "not entered"', "2. B o o-r =3", "3. A o =0", "4. B o /1 =2",
    ]  # fmt: skip
    answer = write(client, match, seq + 4, *lines, command="insert")
    assert answer.json()["seq"] == seq + 9
    assert [side["score"] for side in answer.json()["board"]["sides"].values()] == [4, 5]


def test_what_was_corrected_stays_so_where_a_forgotten_stroke_comes_in(client: Client) -> None:
    """Told as it was first entered, the second stroke would end the set when the fifth is written again."""
    match = new(client, "forgotten-and-corrected", Distance="20")
    lines = (
        "set 1 A", "1. A o /..", "2. B o o-r /...5", "3. A o r /5", "4. B o c^",
        'fix 3 o /. "two"', 'fix 2 o /.. "one"',
    )  # fmt: skip
    seq = write(client, match, seq_of(client, match), *lines).json()["seq"]
    asked = {"expected_seq": seq, "before": 3, "action": "o r /.", "reason": "forgotten"}
    told = client.post(f"/matches/{match}/rewrite", json=asked)
    assert told.json()["lines"] == [
        *['undo "forgotten"'] * 4, 'fix 2 o /.. =4 "one"', "3. A o r /. =6", "4. B o r /5 =12",
        'fix 4 o /. =2 "two"', "5. A o c^ =-2",
    ]  # fmt: skip
    answer = write(client, match, seq, *told.json()["lines"], command="insert-corrected")
    assert [side["score"] for side in answer.json()["board"]["sides"].values()] == [10, 8]


def test_several_lines_of_one_command_are_stored_together_or_not_at_all(client: Client) -> None:
    match = new(client, "together")
    seq = seq_of(client, match)
    answer = write(client, match, seq, "set 1 A", "1. B o")
    assert answer.status_code == 422
    assert seq_of(client, match) == seq


def test_times_are_told_by_the_clock_of_the_hall_and_its_name(tmp_path: Path) -> None:
    """B65: the hall's zone, not the server's and not UTC; whoever reads from afar is told which one."""
    noon = datetime(2026, 7, 1, 12, 0, 0, tzinfo=UTC)
    hall = Hall(Store.open(f"sqlite:///{tmp_path / 'hall.db'}"), now=lambda: noon)
    hall.settings = replace(hall.settings, zone="Europe/Rome")
    with program_of(hall) as client:
        match = new(client, "zone")
        assert client.get(f"/matches/{match}/board").json()["saved"] == "14:00:00"
        assert "2026-07-01 14:00:00 Europe/Rome" in client.get("/").text
        assert client.get(f"/matches/{match}/log").json()["lines"][0]["at"] == "2026-07-01T12:00:00+00:00"


# -- feeds ---------------------------------------------------------------------------------------


def test_a_feed_tells_the_newest_board_and_nothing_twice(site: Site, client: Client) -> None:
    match = new(client, "feed")
    seq = seq_of(client, match)
    with site.feed(f"match={match}") as feed:
        assert told(feed)["board"]["seq"] == seq
        write(client, match, seq, "set 1 A")
        assert told(feed)["board"]["seq"] == seq + 1


def test_a_table_follows_its_matches(site: Site, client: Client) -> None:
    first = new(client, "at-t9", Table="T9")
    with site.feed("table=T9") as feed:
        assert told(feed)["board"]["match"] == first
        second = new(client, "at-t9-again", Table="T9")
        until(feed, lambda told: told["board"]["match"] == second)
        write(client, second, seq_of(client, second), "Table: T8")
        until(feed, lambda told: told["board"]["match"] == first)


def test_a_feed_of_nothing_is_closed_with_the_reason(site: Site) -> None:
    with site.feed("match=nobody") as feed, pytest.raises(ConnectionClosed) as caught:
        told(feed)
    assert caught.value.rcvd is not None
    assert (caught.value.rcvd.code, caught.value.rcvd.reason) == (4404, "there is no such match")


@pytest.mark.parametrize("query", ["match=a%00b", "table=a%00b"])
def test_a_feed_of_what_can_have_no_such_name_is_refused(site: Site, query: str) -> None:
    """Also where the database would not take the question: PostgreSQL has no text with that sign."""
    with pytest.raises(InvalidStatus), site.feed(query):
        pass


def test_the_document_describes_every_address_and_nothing_that_is_never_sent(client: Client) -> None:
    served = client.get("/openapi.json").json()
    assert served == document()
    operations = [one for methods in served["paths"].values() for one in methods.values()]
    assert all(one["description"] and one["security"] for one in operations)
    assert "ValidationError" not in json.dumps(served), "what FastAPI would say, and this server does not"
    page = client.get("/api").text
    for path in (*served["paths"], *served["x-websocket"]):
        assert f"{path}</code>" in page
    for word in WORDS:
        assert f"<dt>{word}</dt>" in page
