"""B27: the time of day jumps while a set is played. Only what tells a time of day may tell of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest
import time_machine
from starlette.testclient import TestClient, WebSocketTestSession

from fivepins.desk.app import create_app
from fivepins.desk.hall import Hall
from fivepins.store import Store

NOON: Final = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
HOURS: Final = (-1, 6)
HEAD: Final = {"A": "Rossi", "B": "Bianchi", "Rules": "UMB-1997", "Distance": "60", "Table": "T1"}
BEFORE: Final = ("set 1 A", "1. A o r /13", "2. B o", "3. A o /5")
AFTER: Final = ("4. B o r", "5. A -", 'undo "slip"', "5. A o")


class Play:
    """A hall in which one match is played, seen as a program and a display see it."""

    def __init__(self, hall: Hall, client: TestClient) -> None:
        self.hall = hall
        self.client = client
        self.matches: list[str] = []

    def begin(self) -> str:
        """A match at the table."""
        name = f"new-{len(self.matches)}"
        made = self.client.post("/matches", json={"command_id": name, "head": HEAD})
        assert made.status_code == 201, made.text
        self.matches.append(made.json()["match"])
        return self.matches[-1]

    def write(self, match: str, *lines: str) -> None:
        """Lines, a command each."""
        for line in lines:
            seq = self.board(match)["seq"]
            body = {"command_id": f"{match}-{seq}", "expected_seq": seq, "lines": [line]}
            answer = self.client.post(f"/matches/{match}/log", json=body)
            assert answer.status_code == 200, answer.text

    def clock(self, match: str, action: str) -> None:
        """Move the clock of the stroke."""
        body = {"command_id": f"{action}-{match}", "action": action, "elapsed": None}
        assert self.client.post(f"/matches/{match}/clock", json=body).status_code == 200

    def board(self, match: str) -> dict[str, Any]:
        """What a screen shows."""
        board: dict[str, Any] = self.client.get(f"/matches/{match}/board").json()
        return board


@contextmanager
def played(folder: Path) -> Iterator[Play]:
    """A hall of its own, asked as its director."""
    hall = Hall(Store.open(f"sqlite:///{folder / 'hall.db'}"))
    token = hall.director_link("").partition("#")[2]
    headers = {"authorization": f"Bearer {token}"}
    try:
        with TestClient(create_app(hall), base_url="http://localhost", headers=headers) as client:
            yield Play(hall, client)
    finally:
        hall.close()


@pytest.fixture(name="day")
def _day() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOON) as traveller:
        yield traveller


@pytest.fixture(name="play")
def _play(tmp_path: Path, day: time_machine.Traveller) -> Iterator[Play]:  # noqa: ARG001 - it is noon there
    with played(tmp_path) as play:
        yield play


def told(feed: WebSocketTestSession, seq: int) -> dict[str, Any]:
    """The message of a feed that shows row `seq`."""
    while True:
        message: dict[str, Any] = json.loads(feed.receive_text())
        if (message.get("board") or {}).get("seq") == seq:
            return message


def shown(board: dict[str, Any]) -> dict[str, Any]:
    """A board without the time of day, and without what names the hall and its process."""
    return {key: value for key, value in board.items() if key not in ("match", "saved", "now", "epoch")}


@pytest.mark.parametrize("hours", HOURS)
def test_b27_a_display_goes_on_as_if_the_time_of_day_had_not_jumped(
    hours: int, play: Play, tmp_path: Path, day: time_machine.Traveller
) -> None:
    """Board by board the same as in a hall whose time did not jump, `saved` left out."""
    calm_folder = tmp_path / "calm"
    calm_folder.mkdir()
    expected = []
    with played(calm_folder) as calm:
        twin = calm.begin()
        calm.write(twin, *BEFORE)
        for line in AFTER:
            calm.write(twin, line)
            expected.append(shown(calm.board(twin)))
    match = play.begin()
    play.write(match, *BEFORE)
    with play.client.websocket_connect("/live?table=T1") as feed:
        last = told(feed, play.board(match)["seq"])
        day.shift(timedelta(hours=hours))
        for line, board in zip(AFTER, expected, strict=True):
            play.write(match, line)
            before, last = last, told(feed, last["board"]["seq"] + 1)
            assert shown(last["board"]) == board
            assert last["now"] >= before["now"], "the clock of the feeds never goes back"
            assert last["epoch"] == before["epoch"], "no display is told to begin anew"
    assert last["board"]["saved"].partition(":")[0] == f"{12 + hours:02}"


@pytest.mark.parametrize("hours", HOURS)
def test_b27_rows_keep_their_order_and_tell_the_time_they_were_given(
    hours: int, play: Play, day: time_machine.Traveller
) -> None:
    match = play.begin()
    play.write(match, *BEFORE)
    day.shift(timedelta(hours=hours))
    play.write(match, *AFTER)
    day.shift(timedelta(hours=-hours))
    play.write(match, "6. B o")
    rows = play.client.get(f"/matches/{match}/log").json()["lines"]
    assert [row["seq"] for row in rows] == [*range(1, len(rows) + 1)]
    assert [row["line"] for row in rows][-9:] == [*BEFORE, *AFTER, "6. B o"]
    stored = play.hall.store.lines(match)
    jumps = [(after.at - before.at) / timedelta(hours=1) for before, after in pairwise(stored)]
    assert [round(jump) for jump in jumps if abs(jump) > 0.5] == [hours, -hours]
    fresh = Store.open(str(play.hall.store._engine.url))
    assert fresh.scores() == fresh.rebuild()
    assert fresh.state(match) == play.hall.store.state(match)
    fresh.close()


@pytest.mark.parametrize("hours", HOURS)
def test_b27_a_stroke_clock_that_runs_is_not_touched(
    hours: int, play: Play, day: time_machine.Traveller
) -> None:
    """Neither its start nor what it has counted; and when it is stopped, no hour is in it."""
    match = play.begin()
    play.write(match, *BEFORE)
    play.clock(match, "start")
    before = play.board(match)["clock"]
    day.shift(timedelta(hours=hours))
    assert before["running"]
    assert play.board(match)["clock"] == before
    play.write(match, 'note "the clock of the hall is set"')
    assert play.board(match)["clock"] == before
    play.clock(match, "stop")
    assert 0 <= play.board(match)["clock"]["held"] < 1800


@pytest.mark.parametrize("hours", HOURS)
def test_b27_a_table_shows_its_newest_match_whatever_the_time_says(
    hours: int, play: Play, day: time_machine.Traveller
) -> None:
    first = play.begin()
    day.shift(timedelta(hours=hours))
    second = play.begin()
    day.shift(timedelta(hours=-hours))
    assert play.hall.store.match_at("T1") == second
    newest = [board["match"] for board in play.client.get("/matches.json").json()["matches"]]
    assert newest == [second, first]
    play.write(second, 'end A walkover "nobody came"')
    assert play.hall.store.match_at("T1") == first


def test_b27_a_right_ends_by_the_time_of_day_and_one_taken_back_stays_taken_back(
    play: Play, day: time_machine.Traveller
) -> None:
    """Days are what a director gives: a jump of hours moves the end by hours, setting it right undoes that.

    A right without an end, the director's own among them, is not touched: nobody is locked out.
    """
    match = play.begin()
    seq = play.board(match)["seq"]
    give = {"role": "referee", "label": "Anna"}
    grants = {
        name: play.client.post("/grants", json=give | {"days": days}).json()
        for name, days in {"a day": 1, "no end": None, "taken back": None}.items()
    }

    def may(name: str) -> bool:
        headers = {"authorization": f"Bearer {grants[name]['token']}"}
        look = {"expected_seq": seq, "lines": ["set 1 A"]}
        answer = play.client.post(f"/matches/{match}/preview", json=look, headers=headers)
        assert answer.status_code in (200, 403), answer.text
        return answer.status_code == 200

    play.client.post(f"/grants/{grants['taken back']['grant']['id']}/revoke")
    assert [may(name) for name in grants] == [True, True, False]
    day.shift(timedelta(hours=-1))
    assert [may(name) for name in grants] == [True, True, False]
    day.shift(timedelta(hours=1 + 20))
    assert may("a day")
    day.shift(timedelta(hours=6))
    assert [may(name) for name in grants] == [False, True, False]
    day.shift(timedelta(hours=-6))
    assert may("a day"), "set right again, it holds until its day is over"
    assert play.begin(), "the director may go on through all of it"
