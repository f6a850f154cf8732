"""Whatever is sent to a hall: its log is what was acknowledged, and its boards are what the log says.

The model is a list of lines a match; everything else is asked of the server over HTTP and counted again here.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from starlette.testclient import TestClient

from fivepins.desk.app import create_app
from fivepins.desk.hall import Hall
from fivepins.notation import parse_file
from fivepins.sheet import score
from fivepins.store import CLOSED, OPEN, Store

HEAD = {"A": "Rossi", "B": "Bianchi", "Rules": "UMB-1997", "Distance": "16", "Sets": "3"}
STROKES = ("o", "o r", "o o-r /.", "o /5", "o c/..", "-", "c/.", "r o", "o r /..5 c^", "x", "o /11")
LINES = (
    "{turn}. {side} lost",
    "{turn}. {other} o",
    "late {side}",
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

    @initialize()
    def open(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.url = f"sqlite:///{self.folder / 'hall.db'}"
        self.start()
        made = self.client.post("/matches", json={"command_id": "new", "head": HEAD})
        assert made.status_code == 201, made.text
        self.match: str = made.json()["match"]
        self.lines: list[str] = [row["line"] for row in self.log()["lines"]]
        self.commands: list[tuple[dict[str, Any], Any]] = []
        self.send("set 1 A")

    def start(self) -> None:
        self.hall = Hall(Store.open(self.url))
        token = self.hall.director_link("").partition("#")[2]
        headers = {"authorization": f"Bearer {token}"}
        self.client = TestClient(create_app(self.hall), base_url="http://localhost", headers=headers)
        self.client.__enter__()

    def stop(self) -> None:
        self.client.__exit__(None, None, None)
        self.hall.close()

    def teardown(self) -> None:
        if hasattr(self, "hall"):
            self.stop()
            shutil.rmtree(self.folder)

    def log(self) -> Any:
        return self.client.get(f"/matches/{self.match}/log").json()

    def send(self, *lines: str, seq: int | None = None) -> Any:
        """Send a command; the model keeps its lines if they were acknowledged."""
        newest = len(self.lines)
        body = {
            "command_id": f"c{len(self.commands)}",
            "expected_seq": newest if seq is None else seq,
            "lines": list(lines),
        }
        answer = self.client.post(f"/matches/{self.match}/log", json=body)
        assert answer.status_code in (200, 409, 422, 423), answer.text
        self.commands.append((body, answer))
        if answer.status_code == 200:
            assert answer.json()["seq"] == newest + len(lines)
            self.lines += lines
        return answer

    def filled(self, line: str) -> str:
        board = self.client.get(f"/matches/{self.match}/board").json()
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
        self.stop()
        self.start()

    @invariant()
    def the_log_is_what_was_acknowledged(self) -> None:
        if hasattr(self, "match"):
            told = self.log()
            assert [row["line"] for row in told["lines"]] == self.lines
            assert [row["seq"] for row in told["lines"]] == list(range(1, len(self.lines) + 1))

    @invariant()
    def the_board_is_what_the_file_comes_to(self) -> None:
        if not hasattr(self, "match"):
            return
        board = self.client.get(f"/matches/{self.match}/board").json()
        sheet = score(parse_file(self.client.get(f"/matches/{self.match}/match.fpn").text).records[0])
        assert sheet.state is not None
        assert not sheet.problems
        state = sheet.state
        assert [board["sides"][side]["score"] for side in "AB"] == [*state.score]
        assert [board["sides"][side]["sets"] for side in "AB"] == [*state.sets_won]
        assert (board["phase"], board["result"]) == (state.phase.value, sheet.result)
        assert board["status"] == next(
            (line[8:] for line in reversed(self.lines) if line.startswith("Status: ")), OPEN
        )

    @invariant()
    def the_read_table_can_be_made_again(self) -> None:
        if hasattr(self, "match"):
            before = self.hall.store.scores()
            assert self.hall.store.rebuild() == before


TestDesk = Desk.TestCase
TestDesk.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
