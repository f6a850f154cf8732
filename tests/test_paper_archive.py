"""Papers are kept for years: none holds what an archive refuses; `archive.py` says what that is."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    DecodedStreamObject,
    DictionaryObject,
    NameObject,
    NumberObject,
    PdfObject,
    create_string_object,
)

from archive import faults
from fivepins.equipment import report
from fivepins.notation import Record, parse_file
from fivepins.paper import equipment_paper, match_paper, match_papers, sheet_paper

EXAMPLES = Path(__file__).parent.parent / "examples"
STRANGE = "O'Brien <b>&amp; #set 王小明 محمد علي Жуков 🎱"


def example(name: str) -> Record:
    return parse_file((EXAMPLES / f"{name}.fpn").read_text("utf-8")).records[0]


def named(name: str) -> Record:
    head = f"FPN 1\nA: {name}\nB: x\nRules: UMB-1997\nDistance: 60\nResult: *\n"
    return parse_file(f'{head}\nset 1 A\n1. A o r\nnote "{name}"\n').records[0]


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: match_paper(example("corrections"), "de"), id="match"),
        pytest.param(lambda: match_paper(named(STRANGE)), id="strange names"),
        pytest.param(lambda: match_papers([example("five-sets"), named("x")]), id="bundle"),
        pytest.param(lambda: sheet_paper("es", example("corrections")), id="blank sheet"),
        pytest.param(lambda: equipment_paper(report({"report": {"place": STRANGE}}), "it"), id="equipment"),
    ],
)
def test_a_paper_holds_nothing_that_an_archive_refuses(make: Callable[[], bytes]) -> None:
    assert faults(make()) == []


def script(paper: PdfWriter) -> None:
    act(paper, S=NameObject("/JavaScript"), JS=create_string_object("app.alert('x')"))


def file(paper: PdfWriter) -> None:
    paper.add_attachment("x.txt", b"x")


def encryption(paper: PdfWriter) -> None:
    paper.encrypt("", "x", algorithm="RC4-128")


def launch(paper: PdfWriter) -> None:
    act(paper, S=NameObject("/Launch"), F=create_string_object("x"))


def act(paper: PdfWriter, **words: PdfObject) -> None:
    """Give it an action to begin with."""
    action = {NameObject(f"/{name}"): value for name, value in words.items()}
    paper.root_object[NameObject("/OpenAction")] = DictionaryObject(action)


def fontless(paper: PdfWriter) -> None:
    for one in paper._objects:
        if isinstance(one, DictionaryObject):
            one.pop("/FontFile2", None)


def letterless(paper: PdfWriter) -> None:
    for one in paper._objects:
        if isinstance(one, DictionaryObject):
            one.pop("/ToUnicode", None)


def colourless(paper: PdfWriter) -> None:
    del paper.root_object["/OutputIntents"]


def another_profile(paper: PdfWriter) -> None:
    intents: Any = paper.root_object["/OutputIntents"]
    intents[0].get_object()["/DestOutputProfile"].get_object()[NameObject("/N")] = NumberObject(4)


def untagged(paper: PdfWriter) -> None:
    del paper.root_object["/MarkInfo"], paper.root_object["/StructTreeRoot"], paper.root_object["/Lang"]


def renamed(paper: PdfWriter) -> None:
    paper.add_metadata({"/Title": "another"})


def drawn(text: bytes) -> Callable[[PdfWriter], None]:
    def draw(paper: PdfWriter) -> None:
        stream = DecodedStreamObject()
        stream.set_data(text)
        paper.pages[0][NameObject("/Contents")] = paper._add_object(stream)

    return draw


@pytest.mark.parametrize(
    ("spoil", "wanted"),
    [
        (script, {"6.5 a script or a trigger"}),
        (file, {"6.8 a file within the file"}),
        (encryption, {"6.1.3 the trailer"}),
        (launch, {"6.5.1 an action", "6.5.2"}),
        (fontless, {"6.2.11.4 a font that is not embedded"}),
        (letterless, {"6.2.11.7 glyphs without letters"}),
        (colourless, {"6.2.3 no profile for its colours"}),
        (another_profile, {"6.2.3 no profile for its colours"}),
        (
            untagged,
            {"6.7.2 it is not tagged", "6.7.3 its tags are in no order", "6.7.4 its language is not told"},
        ),
        (renamed, {"6.6.3 its metadata and its Info differ"}),
        (drawn(b"BT /F0 9 Tf <0000> Tj ET"), {"6.2.11.8 an empty box for a letter"}),
        (drawn(b"0 0 0 1 k"), {"6.2.4.3 colours of a press"}),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_what_an_archive_refuses_is_found(spoil: Callable[[PdfWriter], None], wanted: set[str]) -> None:
    assert wanted <= set(faults(_written(spoil))) - set(faults(_written()))


@cache
def _plain() -> bytes:
    return match_paper(named("Rossi"))


def _written(change: Callable[[PdfWriter], None] = lambda _: None) -> bytes:
    """A paper that another program has written anew, changed."""
    paper = PdfWriter(clone_from=PdfReader(io.BytesIO(_plain())))
    change(paper)
    out = io.BytesIO()
    paper.write(out)
    return out.getvalue()
