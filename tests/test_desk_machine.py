"""Whatever is sent to a hall: its log is what was acknowledged, and its boards are what a slate says.

The model is a list of lines and the slate they come to; everything else is asked of the server over HTTP.
"""

from __future__ import annotations

import itertools
import shutil
import tempfile
from contextlib import closing
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from starlette.testclient import TestClient

from conftest import SITES
from fivepins.desk.app import create_app
from fivepins.desk.hall import Hall
from fivepins.notation import parse_file
from fivepins.sheet import score
from fivepins.store import CLOSED, OPEN, Store
from serving import Site
from slate import Match

if TYPE_CHECKING:
    from httpx2 import Client

HEAD = {
    "A": "Rossi", "B": "Bianchi", "Rules": "UMB-1997", "Distance": "16", "Sets": "3", "Clock": "40+20",
}  # fmt: skip
STROKES = ("o", "o r", "o o-r /.", "o /5", "o c/..", "-", "c/.", "r o", "o r /..5 c^", "x", "o /11")
LINES = (
    "{turn}. {side} lost",
    "{turn}. {other} o",
    "late {side}",
    "extra {side}",
    'undo "so"',
    'fix 1 o r "seen again"',
    "score {a}-{b}",
    "good {side} {a}-{b}",
    "set {set} {side}",
    "pause 5:00",
    'note "n"',
    'penalty A 2 hand "p"',
    "Table: T2",
    'referee "Neri"',
    'suspend "s"',
    "resume",
    "nonsense",
)


class Desk(RuleBasedStateMachine):
    """One hall, one match, a desk that sends what it likes, a server that is now and then started again."""

    client: Client

    @initialize()
    def open(self) -> None:
        self.start()
        made = self.client.post("/matches", json={"command_id": self.named("new"), "head": HEAD})
        assert made.status_code == 201, made.text
        self.match: str = made.json()["match"]
        self.lines: list[str] = [row["line"] for row in self.log()["lines"]]
        self.commands: list[tuple[dict[str, Any], Any]] = []
        self.clocks: list[dict[str, Any]] = []
        self.slate = Match(HEAD["Rules"], int(HEAD["Distance"]), 2)
        self.send("set 1 A")

    def start(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.serve()

    def serve(self) -> None:
        self.hall = Hall.open(f"sqlite:///{self.folder / 'hall.db'}")
        token = self.hall.director_link("").partition("#")[2]
        headers = {"authorization": f"Bearer {token}"}
        self.client = TestClient(create_app(self.hall), base_url="http://localhost", headers=headers)
        self.client.__enter__()

    def stop(self) -> None:
        self.client.__exit__(None, None, None)
        self.hall.close()

    def restart(self) -> None:
        self.stop()
        self.serve()

    def lose_power(self) -> None:
        """Another process finds the files as they are now, with nothing closed."""
        before, self.folder = self.folder, Path(tempfile.mkdtemp())
        shutil.copytree(before, self.folder, dirs_exist_ok=True)
        self.restart()
        shutil.rmtree(before)

    def teardown(self) -> None:
        if hasattr(self, "hall"):
            self.stop()
            shutil.rmtree(self.folder)

    def named(self, command: str) -> str:
        """The id of a command, of this hall alone."""
        return command

    def store(self) -> Store:
        """What is behind the server."""
        return self.hall.store

    def board(self) -> Any:
        return self.client.get(f"/matches/{self.match}/board").json()

    def log(self) -> Any:
        return self.client.get(f"/matches/{self.match}/log").json()

    def send(self, *lines: str, seq: int | None = None) -> Any:
        """Send a command; the model keeps its lines if they were acknowledged."""
        newest = len(self.lines)
        body = {
            "command_id": self.named(f"c{len(self.commands)}"),
            "expected_seq": newest if seq is None else seq,
            "lines": list(lines),
        }
        answer = self.client.post(f"/matches/{self.match}/log", json=body)
        assert answer.status_code in (200, 409, 422, 423), answer.text
        self.commands.append((body, answer))
        if answer.status_code == 200:
            assert answer.json()["seq"] == newest + len(lines)
            self.acknowledged(*lines)
        return answer

    def acknowledged(self, *lines: str) -> None:
        """The model has them too."""
        self.lines += lines
        self.slate = reduce(Match.after, lines, self.slate)

    def filled(self, line: str) -> str:
        board = self.board()
        side = board["set_winner"] or board["to_play"] or board["opener"] or "A"
        return line.format(
            side=side, other="B" if side == "A" else "A", turn=board["turn"], set=board["set"] + 1,
            a=board["sides"]["A"]["score"], b=board["sides"]["B"]["score"],
        )  # fmt: skip

    @rule(stroke=st.sampled_from(STROKES))
    def play(self, stroke: str) -> None:
        self.send(self.filled(f"{{turn}}. {{side}} {stroke}"))

    @rule(line=st.sampled_from(LINES))
    def write(self, line: str) -> None:
        self.send(self.filled(line))

    @rule(lines=st.lists(st.sampled_from(LINES), min_size=2, max_size=3))
    def write_several(self, lines: list[str]) -> None:
        self.send(*map(self.filled, lines))

    @rule(lines=st.lists(st.sampled_from(LINES), min_size=2, max_size=3))
    def write_a_batch(self, lines: list[str]) -> None:
        """As a tablet that was cut off sends them: each is a command that counts on those before it."""
        newest, first = len(self.lines), len(self.commands)
        commands: list[dict[str, Any]] = [
            {"command_id": self.named(f"b{first}-{n}-{newest}"), "expected_seq": newest + n, "lines": [line]}
            for n, line in enumerate(map(self.filled, lines))
        ]
        answer = self.client.post(f"/matches/{self.match}/batch", json={"commands": commands})
        assert answer.status_code in (200, 423), answer.text
        for command, item in zip(commands, answer.json().get("items", ()), strict=False):
            if "error" not in item:
                assert item["seq"] == len(self.lines) + 1
                self.acknowledged(*command["lines"])

    @rule(action=st.sampled_from(["start", "stop", "reset"]), elapsed=st.sampled_from([None, 0, 12.5]))
    def move_the_clock(self, action: str, elapsed: float | None) -> None:
        command = {"command_id": self.named(f"k{len(self.clocks)}"), "action": action, "elapsed": elapsed}
        answer = self.client.post(f"/matches/{self.match}/clock", json=command)
        assert answer.status_code in (200, 409, 422, 423), answer.text
        if answer.status_code == 200:
            again = self.client.post(f"/matches/{self.match}/clock", json=command)
            for one in (answer, again):
                assert one.json()["clock"]["running"] is (action == "start")
            self.clocks.append(command)

    @precondition(lambda self: self.clocks)
    @rule(data=st.data())
    def repeat_a_clock(self, data: st.DataObject) -> None:
        """It was done once and moves nothing now, whichever process is asked, and after a power cut."""
        runs = self.board()["clock"]["running"]
        command = data.draw(st.sampled_from(self.clocks))
        answer = self.client.post(f"/matches/{self.match}/clock", json=command)
        assert answer.status_code == 200, answer.text
        assert self.board()["clock"]["running"] is runs

    @rule(behind=st.integers(1, 4))
    def be_late(self, behind: int) -> None:
        answer = self.send('note "late"', seq=max(len(self.lines) - behind, 0))
        assert answer.json()["error"] in ("stale", "closed")

    @precondition(lambda self: self.commands)
    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        body, first = data.draw(st.sampled_from(self.commands))
        if first.status_code == 200:
            again = self.client.post(f"/matches/{self.match}/log", json=body)
            assert (again.json()["seq"], again.json()["note"]) == (first.json()["seq"], "already done")

    @rule()
    def close_the_match(self) -> None:
        self.send(f"Status: {CLOSED}")

    @rule()
    def open_it_again(self) -> None:
        self.send(f"Status: {OPEN}", 'decision "wrongly closed"')

    @rule()
    def start_again(self) -> None:
        self.restart()

    @rule()
    def cut_the_power(self) -> None:
        self.lose_power()

    @invariant()
    def the_log_is_what_was_acknowledged(self) -> None:
        if hasattr(self, "match"):
            told = self.log()
            assert [row["line"] for row in told["lines"]] == self.lines
            assert [row["seq"] for row in told["lines"]] == list(range(1, len(self.lines) + 1))

    @invariant()
    def board_and_file_are_the_slate(self) -> None:
        if not hasattr(self, "match"):
            return
        board = self.board()
        sets = self.slate.sets
        assert board["phase"] == self.slate.phase
        assert board["set"] == len(sets)
        assert [board["sides"][side]["sets"] for side in "AB"] == [
            self.slate.won.count(side) for side in "AB"
        ]
        assert [board["sides"][side]["score"] for side in "AB"] == [
            sets[-1].points(s) if sets else 0 for s in "AB"
        ]
        if self.slate.phase == "play":
            assert (board["to_play"], board["turn"]) == (sets[-1].letter, sets[-1].turns + 1)
        sheet = score(parse_file(self.client.get(f"/matches/{self.match}/match.fpn").text).records[0])
        assert (sheet.problems, sheet.result) == ((), board["result"])
        assert board["status"] == next(
            (line[8:] for line in reversed(self.lines) if line.startswith("Status: ")), OPEN
        )

    @invariant()
    def the_read_table_can_be_made_again(self) -> None:
        if hasattr(self, "match"):
            before = self.store().scores()
            assert self.store().rebuild() == before


class DeskOfTwo(Desk):
    """The same hall, served by real processes in turns; a match of it, and one power cut at most."""

    site: Site
    stored: Store
    numbers = itertools.count()

    def __init__(self) -> None:
        super().__init__()
        self.number = next(self.numbers)
        self.cuts = 0

    def start(self) -> None:
        self.client = self.site.client()

    def restart(self) -> None:
        if not self.cuts:  # the next ones would show nothing that the first has not
            self.site.next().cut()
        self.cuts += 1

    def lose_power(self) -> None:
        self.restart()

    def teardown(self) -> None:
        if hasattr(self, "client"):
            self.client.close()

    def named(self, command: str) -> str:
        return f"{self.number}-{command}"

    def store(self) -> Store:
        return self.stored


def test_a_server_says_what_its_log_says() -> None:
    run_state_machine_as_test(Desk, settings=settings(max_examples=25, stateful_step_count=25, deadline=None))


@pytest.mark.parametrize("site", SITES[1:], indirect=True)
def test_two_servers_say_what_their_log_says(site: Site) -> None:
    with closing(Store.open(site.url)) as store:
        DeskOfTwo.site, DeskOfTwo.stored = site, store  # Hypothesis itself makes the desks
        run_state_machine_as_test(
            DeskOfTwo, settings=settings(max_examples=6, stateful_step_count=25, deadline=None)
        )
