"""Power cuts: what writes is killed at a random moment, and what it had been told is looked for afterwards.

`killed_store` kills a process that writes through the store alone; `Tablets` kill the whole server while they
write through HTTP. Both raise `AssertionError` where anything is missing, or is there that nobody sent.
"""

from __future__ import annotations

import contextlib
import json
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from typing import Any, Final

from fivepins.store import ALREADY, Store
from fivepins.store.dialect import damage
from serving import PATIENCE, Served

STROKES: Final = ("o", "o r", "o r /13", "o /5", "-")
"""What tablets write, over and over; a set to 9,000 has room for all of it."""
MOMENT: Final = 0.2
"""Seconds within which the power goes: a few dozen commands."""


def whole(store: Store, *, after: str) -> None:
    """Hold a store against what a power cut must leave: a sound file, and scores that its log comes to."""
    assert damage(store._engine) == [], after
    assert store.scores() == store.rebuild(), after


# -- the store alone -----------------------------------------------------------------------------

WRITER: Final = """
import sys
from datetime import UTC, datetime
from fivepins.store import Store
store = Store.open(sys.argv[1])
seq = len(store.lines("m"))
while True:
    done = store.append("m", f'note "{seq}"', expected_seq=seq, command_id=f"n{seq}", at=datetime.now(UTC))
    seq = done.seq
    print(seq, flush=True)
"""


def killed_store(db: str, chance: random.Random) -> int:
    """Kill a process that writes notes into match `m` of a store; tells how many rows it had been told of."""
    before = _rows(db)
    writer = subprocess.Popen([sys.executable, "-c", WRITER, db], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    told = [int(writer.stdout.readline())]
    killer = threading.Timer(chance.uniform(0, MOMENT), writer.kill)
    killer.start()
    told += [int(line) for line in writer.stdout if line.endswith("\n")]
    killer.join()
    assert writer.wait() == -signal.SIGKILL
    writer.stdout.close()
    assert told == [*range(before + 1, told[-1] + 1)]
    with closing(Store.open(db)) as store:
        entries = store.lines("m")
        assert [entry.seq for entry in entries] == [*range(1, len(entries) + 1)]
        stored = len(entries) - told[-1]
        assert stored in (0, 1), "at most the command that was not answered is more"
        whole(store, after=f"row {told[-1]}")
        lost = told[-1]
        again = store.append(
            "m", f'note "{lost}"', expected_seq=lost, command_id=f"n{lost}", at=datetime.now(UTC)
        )
        assert (again.seq, again.note) == (lost + 1, ALREADY if stored else "")
    return len(told)


def _rows(db: str) -> int:
    with closing(Store.open(db)) as store:
        return len(store.lines("m"))


# -- the whole server ----------------------------------------------------------------------------


class Tablet:
    """One match, written as fast as the server answers; a line without an answer is kept and sent again."""

    def __init__(self, served: Served, number: int) -> None:
        self.served = served
        self.number = number
        self.acknowledged: list[str] = []
        names = {"A": f"Anna {number}", "B": f"Bruno {number}"}
        terms = {"Rules": "UMB-1997", "Distance": "9000", "Table": f"T{number}"}
        with closing(self._line()) as line:
            made = self._post(line, "/matches", {"command_id": f"new-{number}", "head": names | terms})
        self.match, self.head = str(made["match"]), int(made["seq"])

    @property
    def next(self) -> str:
        """The line that is to be sent, for the first time or again."""
        turn = len(self.acknowledged)
        return f"{turn}. {'BA'[turn % 2]} {STROKES[turn % len(STROKES)]}" if turn else "set 1 A"

    def send(self, line: HTTPConnection) -> str:
        """Send the next line, under an id that is the same whenever it is sent; the note of the answer."""
        turn = len(self.acknowledged)
        command = {
            "command_id": f"{self.number}-{turn}", "expected_seq": self.head + turn, "lines": [self.next],
        }  # fmt: skip
        told = self._post(line, f"/matches/{self.match}/log", command)
        self.acknowledged.append(self.next)
        return str(told["note"])

    def again(self) -> str:
        """Send the line that was not answered once more; the note of the answer."""
        with closing(self._line()) as line:
            return self.send(line)

    def write(self, begun: threading.Barrier) -> None:
        """Write until the power goes."""
        with closing(self._line()) as line:
            self.send(line)
            begun.wait(PATIENCE)
            with contextlib.suppress(OSError, HTTPException):
                while True:
                    self.send(line)

    def _line(self) -> HTTPConnection:
        return HTTPConnection("127.0.0.1", self.served.port, timeout=PATIENCE)

    def _post(self, line: HTTPConnection, path: str, body: object) -> dict[str, Any]:
        token = self.served.director.partition("#")[2]
        headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
        line.request("POST", path, json.dumps(body), headers)
        answer = line.getresponse()
        told: dict[str, Any] = json.loads(answer.read())
        assert answer.status < 300, (path, answer.status, told)
        return told


class Tablets:
    """So many tablets at one real server, whose process is killed and started again."""

    def __init__(self, served: Served, count: int) -> None:
        self.served = served
        self.tablets = [Tablet(served, number) for number in range(count)]

    def killed(self, chance: random.Random) -> int:
        """Kill the server while all write, start it, look through it; tells how much was acknowledged."""
        before = self._acknowledged()
        begun = threading.Barrier(len(self.tablets) + 1)
        with ThreadPoolExecutor(len(self.tablets)) as hands:
            writing = [hands.submit(tablet.write, begun) for tablet in self.tablets]
            begun.wait(PATIENCE)
            time.sleep(chance.uniform(0, MOMENT))
            self.served.kill()
        for work in writing:
            work.result()
        acknowledged = self._acknowledged() - before
        self.served.start()
        self._looked_through()
        return acknowledged

    def _acknowledged(self) -> int:
        return sum(len(tablet.acknowledged) for tablet in self.tablets)

    def _looked_through(self) -> None:
        db = f"sqlite:///{self.served.folder / 'hall.db'}"
        with closing(Store.open(db, create=False)) as store:
            assert sorted(store.matches()) == sorted(tablet.match for tablet in self.tablets)
            for tablet in self.tablets:
                self._looked_at(tablet, store)
            whole(store, after=f"{[len(tablet.acknowledged) for tablet in self.tablets]} lines")

    def _looked_at(self, tablet: Tablet, store: Store) -> None:
        rows = store.lines(tablet.match)
        lines = [row.line for row in rows[tablet.head :]]
        stored = lines == [*tablet.acknowledged, tablet.next]
        assert stored or lines == tablet.acknowledged, "what was acknowledged, and one line more at most"
        assert [row.seq for row in rows] == [*range(1, len(rows) + 1)]
        assert tablet.again() == (ALREADY if stored else "")
        ids = [row.command_id for row in store.lines(tablet.match, since=tablet.head)]
        assert ids == [f"{tablet.number}-{turn}" for turn in range(len(tablet.acknowledged))]
