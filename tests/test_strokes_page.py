"""The page of typical strokes: every code on it is played again."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bench.find_strokes import (
    PAGE,
    STROKES,
    Typical,
    codes_on_the_page,
    drawing_of,
    drift,
    file_of,
    pattern,
    section,
)

from fivepins import rule
from fivepins.codes import Cue
from fivepins.physics import simulate
from fivepins.referee import judge
from fivepins.rules import Receiver
from fivepins.table import Position

TEXT = PAGE.read_text(encoding="utf-8")
SHOWN = list(zip(STROKES, codes_on_the_page(TEXT), strict=True))


@pytest.mark.parametrize(("typical", "codes"), SHOWN, ids=[typical.name for typical in STROKES])
def test_a_stroke_does_what_the_page_says(typical: Typical, codes: tuple[Position, Cue]) -> None:
    position, cue = codes
    trace = simulate(position, cue)
    found = pattern(trace.codes)
    assert found is not None
    assert found[0] in typical.cue_rails
    assert found[1] in typical.object_rails
    ruling = rule(judge(trace))
    assert ruling.to is Receiver.STRIKER
    assert ruling.points >= typical.least
    assert not typical.along or drift(trace) <= typical.along


@pytest.mark.parametrize(("typical", "codes"), SHOWN, ids=[typical.name for typical in STROKES])
def test_facts_ruling_and_drawing_are_those_of_the_page(
    typical: Typical, codes: tuple[Position, Cue]
) -> None:
    assert section(typical, *codes) in TEXT
    drawing = drawing_of(simulate(*codes), typical.name)
    assert file_of(typical.name).read_bytes() == drawing.encode(), "run python -m bench.find_strokes"
