"""A disk that takes nothing: the server says so, loses nothing that it acknowledged, and goes on.

Where a disk may be mounted, it is a small one and really full; everywhere it is one that refuses whatever the
server writes. The names of the tests tell which ones ran.
"""

from __future__ import annotations

import json
import time
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final

import pytest

from disks import Failing, Full, Refusing, Room, breakable, mountable, mounted, run
from fivepins.language import language
from fivepins.store import Store
from fivepins.store.dialect import damage
from serving import PATIENCE, Served

HEAD: Final = {"A": "Rossi", "B": "Bianchi", "Rules": "UMB-1997", "Distance": "60", "Table": "T1"}
LONG: Final = f'note "{"x" * 3000}"'
ENOUGH: Final = 2 * 1024
"""Lines of that length that no small disk holds."""


class Program:
    """A director's program at a server."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.match = ""
        self.seq = 0

    def ask(self, method: str, path: str, body: object = None, accept: str = "") -> tuple[int, Any]:
        """Status and body of an answer; a page comes as text."""
        token = self.served.director.partition("#")[2]
        headers = {"authorization": f"Bearer {token}", "accept": accept or "application/json"}
        if body is not None:
            headers["content-type"] = "application/json"
        with closing(HTTPConnection("127.0.0.1", self.served.port, timeout=PATIENCE)) as line:
            line.request(method, path, None if body is None else json.dumps(body), headers)
            answer = line.getresponse()
            text = answer.read().decode()
        return answer.status, text if accept else json.loads(text)

    def begin(self) -> None:
        """Make a match and open its first set."""
        code, made = self.ask("POST", "/matches", {"command_id": "new", "head": HEAD})
        assert code == 201, made
        self.match, self.seq = made["match"], made["seq"]
        assert self.write("set 1 A")[0] == 200

    def write(self, line: str) -> tuple[int, Any]:
        """Send a line behind the last one that was acknowledged, under the id of that place."""
        body = {"command_id": f"line-{self.seq}", "expected_seq": self.seq, "lines": [line]}
        code, told = self.ask("POST", f"/matches/{self.match}/log", body)
        self.seq = told["seq"] if code == 200 else self.seq
        return code, told

    def lines(self) -> list[str]:
        """The log as the server tells it."""
        code, told = self.ask("GET", f"/matches/{self.match}/log")
        assert code == 200
        return [row["line"] for row in told["lines"]]


@pytest.mark.parametrize("kind", [*(["full"] if mountable() else []), "refusing"])
def test_b38_a_disk_that_takes_nothing_is_told_and_loses_nothing(kind: str, tmp_path: Path) -> None:
    with ExitStack() as end:
        folder = tmp_path / "hall"
        room: Room = Refusing() if kind == "refusing" else Full(end.enter_context(mounted(folder)))
        served = Served(folder)
        end.callback(served.kill)
        program = Program(served)
        program.begin()
        room.take(served.pid)
        acknowledged, told = _until_refused(program)
        assert (told["error"], "the database refuses" in told["message"]) == ("storage", True)
        assert "disk" in told["hint"]
        assert program.lines()[-len(acknowledged) :] == acknowledged
        _refuses_to_write(program)
        _goes_on_showing(program)
        room.give(served.pid)
        assert program.write(LONG)[0] == 200, "the command that was refused, sent again"
        assert program.write("1. A o r /13")[1]["board"]["sides"]["A"]["score"] == 8
        assert program.lines()[-len(acknowledged) - 2 :] == [*acknowledged, LONG, "1. A o r /13"]
        assert served.stop() == 0
        assert "Traceback" not in served.errors
        _whole(served.folder, program)


def _until_refused(program: Program) -> tuple[list[str], Any]:
    """Write until it is refused: what was acknowledged, and the answer that was none."""
    acknowledged = ["set 1 A"]
    for _ in range(ENOUGH):
        code, told = program.write(LONG)
        if code != 200:
            assert code == 503, told
            return acknowledged, told
        acknowledged.append(LONG)
    raise AssertionError("the disk took everything")


def _refuses_to_write(program: Program) -> None:
    """Whatever else would be stored is refused in the same word."""
    match = f"/matches/{program.match}"
    for path, body in {
        "/matches": {"command_id": "another", "head": HEAD},
        f"{match}/clock": {"command_id": "clock", "action": "start", "elapsed": 3.0},
        f"{match}/desk": {"take": True},
        "/grants": {"role": "referee", "label": "Anna"},
    }.items():
        code, told = program.ask("POST", path, body)
        assert (code, told["error"]) == (503, "storage"), (path, told)


def _goes_on_showing(program: Program) -> None:
    """Boards, the log, the pages and a preview are as before."""
    match = f"/matches/{program.match}"
    for path in ("/", match, f"{match}/desk", f"{match}/paper", "/hall", "/tables/T1", "/rights"):
        code, page = program.ask("GET", path, accept="text/html")
        assert code == 200, path
        assert "Rossi" in page or path in ("/hall", "/tables/T1", "/rights"), path
    assert "Last saved" in program.ask("GET", "/", accept="text/html")[1]
    code, board = program.ask("GET", f"{match}/board")
    assert (code, board["seq"], board["phase"]) == (200, program.seq, "play")
    code, seen = program.ask("POST", f"{match}/preview", {"expected_seq": program.seq, "lines": ["1. A o r"]})
    assert (code, seen["points"]) == (200, 4)


def _whole(folder: Path, program: Program) -> None:
    with closing(Store.open(f"sqlite:///{folder / 'hall.db'}", create=False)) as store:
        assert damage(store._engine) == []
        assert store.scores() == store.rebuild()
        assert len(store.lines(program.match)) == program.seq
        assert len(store.matches()) == 1


@pytest.mark.skipif(not breakable(), reason="a disk of its own has to be mounted, and nobody may")
def test_b38_a_disk_that_the_system_locks_under_a_server_loses_nothing(tmp_path: Path) -> None:
    """The server shows what it has until the disk is looked through; then it goes on."""
    folder = tmp_path / "hall"
    disk = Failing(tmp_path / "image", folder)
    with ExitStack() as end:
        end.callback(disk.remove)
        served = Served(folder)
        end.callback(served.kill)
        program = Program(served)
        program.begin()
        assert program.write(LONG)[0] == 200
        disk.fail()
        code, told = program.write("1. A o r /13")
        assert (code, told["error"]) == (503, "storage")
        assert told["hint"]
        _refuses_to_write(program)
        _goes_on_showing(program)
        served.kill()
        disk.remove()
        disk.repair()
        disk.mount()
        served.start()
        assert program.lines()[-2:] == ["set 1 A", LONG]
        assert program.write("1. A o r /13")[1]["board"]["sides"]["A"]["score"] == 8
        assert served.stop() == 0
        _whole(folder, program)


def test_b38_a_database_that_is_read_only_is_shown_and_not_written(tmp_path: Path) -> None:
    served = Served(tmp_path / "hall")
    program = Program(served)
    program.begin()
    assert served.stop() == 0
    before = program.seq
    database = f"sqlite:///file:{served.folder / 'hall.db'}?mode=ro&uri=true"
    locked = Served(served.folder, "--db", database)
    try:
        program.served = locked
        code, told = program.write("1. A o r /13")
        assert (code, told["error"], "readonly" in told["message"]) == (503, "storage", True)
        assert "cannot be written" in told["hint"]
        _told_in_italian(program, told)
        _refuses_to_write(program)
        _goes_on_showing(program)
        assert locked.stop() == 0
    finally:
        locked.kill()
    served.start()
    try:
        program.served = served
        assert program.write("1. A o r /13")[1]["seq"] == before + 1
        assert served.stop() == 0
        _whole(served.folder, program)
    finally:
        served.kill()


def _told_in_italian(program: Program, told: dict[str, str]) -> None:
    """The same refusal, as an Italian reads it; what the database itself says stays as it says it."""
    say, words = language("it").say, told["message"].partition(": ")[2]
    body = {"command_id": "it", "expected_seq": program.seq, "lines": [LONG]}
    code, italian = program.ask("POST", f"/matches/{program.match}/log?lang=it", body)
    assert code == 503
    assert italian["message"] == say("the database refuses: {words}").format(words=words)
    assert italian["hint"] == say(told["hint"])


@pytest.mark.parametrize("kind", [*(["full", "read-only"] if mountable() else []), "nowhere"])
def test_b38_a_second_path_that_takes_nothing_is_told_and_stops_nobody(kind: str, tmp_path: Path) -> None:
    """A full stick, a locked one, or a folder in which nobody can write; copied as soon as it may be."""
    with ExitStack() as end:
        stick = Path("/proc") if kind == "nowhere" else end.enter_context(mounted(tmp_path / "stick"))
        _lock(kind, stick)
        served = Served(tmp_path / "hall", "--backup", str(stick))
        end.callback(served.kill)
        program = Program(served)
        program.begin()
        assert "copying fails" in _start_page(program, "copying fails")
        assert program.write("1. A o r /13")[0] == 200
        assert served.stop() == 0
        assert served.errors == ""
        assert not list(stick.glob("*hall-*")), "no half copy lies about"
        if kind != "nowhere":
            _unlock(kind, stick)
            served.start()
            page = _start_page(program, "minutes ago")
            assert ("minutes ago" in page, "copying fails" in page) == (True, False)
            assert served.stop() == 0
            (copy,) = stick.glob("hall-*.db")
            assert _digest(copy) == _digest(served.folder / "hall.db")


def _lock(kind: str, stick: Path) -> None:
    match kind:
        case "full":
            Full(stick).take()
        case "read-only":
            run("mount", "-o", "remount,ro", str(stick))


def _unlock(kind: str, stick: Path) -> None:
    match kind:
        case "full":
            Full(stick).give()
        case "read-only":
            run("mount", "-o", "remount,rw", str(stick))


def _start_page(program: Program, wanted: str) -> str:
    """The start page, once it tells that; or as it is when a test should give up."""
    deadline = time.monotonic() + PATIENCE
    while True:
        code, page = program.ask("GET", "/", accept="text/html")
        assert code == 200
        if wanted in page or time.monotonic() > deadline:
            return str(page)
        time.sleep(0.1)


def _digest(file: Path) -> str:
    with closing(Store.open(f"sqlite:///{file}", create=False)) as store:
        return store.digest()
