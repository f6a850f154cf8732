"""The press: papers are set one at a time, once each, and only who wants one waits for those of others."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import pytest
from fastapi.testclient import TestClient

from fivepins.desk.app import create_app
from fivepins.desk.hall import Hall
from fivepins.desk.press import WAITING, Busy, Press
from fivepins.desk.rights import Role
from fivepins.language import language
from fivepins.notation import parse_file
from serving import PATIENCE, run

T = TypeVar("T")

EXAMPLE: Final = Path(__file__).parent.parent / "examples" / "corrections.fpn"
PAPERS: Final = ("/matches/m1/paper.pdf", "/matches/m1/paper", "/sheet.pdf?match=m1", "/sheet.pdf")


class Printer:
    """Papers to be set, each of which waits until all may be; tells how many were begun, and at once."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.begun = self.now = self.most = 0

    def make(self, content: bytes = b"paper") -> Callable[[], bytes]:
        def made() -> bytes:
            self.begun += 1
            self.now += 1
            self.most = max(self.most, self.now)
            assert self.gate.wait(PATIENCE)
            self.now -= 1
            return content

        return made


@pytest.fixture(name="printer")
def _printer() -> Iterator[Printer]:
    printer = Printer()
    yield printer
    printer.gate.set()


# -- the press alone -----------------------------------------------------------------------------


def test_a_paper_is_set_once_however_many_ask_for_it(printer: Printer) -> None:
    async def ask() -> None:
        press = Press()
        asked = [asyncio.create_task(press.paper("one", printer.make())) for _ in range(3 * WAITING)]
        await asyncio.sleep(0)
        asked.pop().cancel()
        printer.gate.set()
        assert await asyncio.gather(*asked) == [b"paper"] * len(asked)
        assert await press.paper("one", printer.make()) == b"paper"
        press.close()

    run(ask())
    assert printer.begun == 1


def test_papers_are_set_one_at_a_time_and_too_many_are_refused(printer: Printer) -> None:
    async def ask() -> None:
        press = Press(waiting=3)
        asked = [asyncio.create_task(press.paper(key, printer.make())) for key in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await press.paper("another", printer.make())
        with pytest.raises(Busy):
            await press.once(printer.make())
        printer.gate.set()
        await asyncio.gather(*asked)
        assert await press.paper("another", printer.make(b"later")) == b"later"
        press.close()

    run(ask())
    assert (printer.begun, printer.most) == (4, 1)


def test_papers_are_kept_as_far_as_there_is_room(printer: Printer) -> None:
    printer.gate.set()

    async def ask(press: Press, *keys: str) -> list[int]:
        """How many papers had been begun after each."""
        begun = []
        for key in keys:
            await press.paper(key, printer.make(b"x" * 40))
            begun.append(printer.begun)
        await press.once(printer.make(b"x" * 40))
        press.close()
        return begun

    assert run(ask(Press(room=100), *"abacab")) == [1, 2, 2, 3, 3, 4]
    printer.begun = 0
    assert run(ask(Press(room=30), *"aa")) == [1, 2], "a paper that is larger than the room"


def test_a_paper_that_cannot_be_set_is_tried_again() -> None:
    async def ask() -> bytes:
        press = Press()
        with pytest.raises(ZeroDivisionError):
            await press.paper("one", lambda: bytes(1 // 0))
        made = await press.paper("one", lambda: b"paper")
        press.close()
        return made

    assert run(ask()) == b"paper"


# -- in the hall ---------------------------------------------------------------------------------


class Printing(NamedTuple):
    """A hall with the example match as m1, asked over the real application."""

    hall: Hall
    client: TestClient
    press: Press

    def hold(self, printer: Printer, papers: int = WAITING) -> None:
        """Give the press so many papers that wait."""
        assert self.client.portal is not None
        for _ in range(papers):
            self.client.portal.start_task_soon(self.press.once, printer.make())


@pytest.fixture(name="printing")
def _printing(tmp_path: Path) -> Iterator[Printing]:
    hall = Hall.open(f"sqlite:///{tmp_path / 'hall.db'}")
    record = parse_file(EXAMPLE.read_text("utf-8")).records[0]
    hall.store.create_match(record, command_id="m1", at=hall.now(), match_id="m1")
    app = create_app(hall)
    with TestClient(app) as client:
        yield Printing(hall, client, app.state.press)
    hall.close()


def note(printing: Printing, text: str) -> None:
    """Write into the match, as a referee does."""
    grant = printing.hall.rights.give(Role.REFEREE, label="Neri", at=printing.hall.now())
    seq = printing.client.get("/matches/m1/board").json()["seq"]
    answer = printing.client.post(
        "/matches/m1/log",
        json={"command_id": "note", "expected_seq": seq, "lines": [f'note "{text}"']},
        headers={"authorization": f"Bearer {printing.hall.rights.link(grant)}"},
    )
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("paper", PAPERS)
def test_a_paper_that_was_set_is_given_out_while_the_press_is_busy(
    printing: Printing, printer: Printer, paper: str
) -> None:
    first = printing.client.get(paper)
    assert first.status_code == 200
    printing.hold(printer)
    again = printing.client.get(paper)
    assert (again.status_code, again.content) == (200, first.content)


@pytest.mark.parametrize("paper", PAPERS)
def test_too_many_papers_are_refused_in_the_language_of_the_page_and_stall_nothing_else(
    printing: Printing, printer: Printer, paper: str
) -> None:
    printing.hold(printer)
    refused = printing.client.get(paper, headers={"accept": "text/html", "accept-language": "it"})
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "2")
    for text in ("Too many papers at once", "those of others are being made", "ask again in a moment"):
        assert language("it").say(text) in unescape(refused.text)
    told = printing.client.get(paper)
    assert (told.status_code, told.json()["error"]) == (503, "busy")
    equipment = printing.client.post("/equipment.pdf", json={}, headers={"origin": "http://testserver"})
    assert (equipment.status_code, equipment.json()["error"]) == (503, "busy")
    note(printing, "the match goes on")
    assert printing.client.get("/matches/m1").status_code == 200
    printer.gate.set()
    deadline = time.monotonic() + PATIENCE
    while printing.client.get(paper).status_code != 200:
        assert time.monotonic() < deadline, "the press goes on"


def test_a_paper_is_that_of_the_newest_row(printing: Printing) -> None:
    address = "/matches/m1/paper"
    before = printing.client.get(address).text
    note(printing, "the light went out")
    assert "the light went out" not in before
    assert "the light went out" in printing.client.get(address).text
    assert printing.client.get(address, headers={"accept-language": "it"}).text != before


@pytest.mark.parametrize("paper", [paper.replace("m1", "m9") for paper in PAPERS[:3]])
def test_a_match_that_is_not_there_has_no_paper(printing: Printing, paper: str) -> None:
    assert printing.client.get(paper).status_code == 404
