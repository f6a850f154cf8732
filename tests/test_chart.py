"""The run of the score as SVG points."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from fivepins.desk.chart import HEIGHT, WIDTH, chart
from fivepins.events import Penalty, SetResult, SetStart, Terms
from fivepins.match import State, replay
from fivepins.notation import parse_file
from fivepins.sets import Set, opened
from fivepins.sheet import score
from fivepins.table import Pair, Side
from fivepins.testing import Match, matches

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.fpn"))


def points(one: Set, terms: Terms, side: Side) -> list[tuple[float, float]]:
    """The corners of one side's line."""
    text = str(chart(one, terms)[side.value])
    return [(float(x), float(y)) for x, y in (corner.split(",") for corner in text.split())]


def drawn(one: Set, terms: Terms, side: Side) -> list[float]:
    """The scores that one side's line shows."""
    top = max(terms.distance)
    return [(HEIGHT - y) * top / HEIGHT for _, y in points(one, terms, side)]


def test_a_set_without_strokes_is_a_level_line_at_the_handicap() -> None:
    terms = Terms(distance=Pair(20, 10), start=Pair(5, 0))
    assert drawn(opened(1, Side.A, terms), terms, Side.A) == [5, 5]
    assert drawn(opened(1, Side.A, terms), terms, Side.B) == [0, 0]


def test_of_a_set_without_a_course_the_line_goes_to_its_score() -> None:
    state = State.start(Terms()).then(SetResult(1, Side.B, Pair(42, 60)))
    assert [drawn(state.sets[0], state.terms, side) for side in Side] == [[0, 42], [0, 60]]


def test_points_outside_a_stroke_are_a_step_of_their_own() -> None:
    state = State.start(Terms()).then(SetStart(1, Side.A)).then(Penalty(Side.A, 2, hand=False, reason="late"))
    assert drawn(state.sets[0], state.terms, Side.B) == [0, 2]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_lines_of_the_examples_fill_the_width_and_end_at_the_score(path: Path) -> None:
    for record in parse_file(path.read_text("utf-8"), lenient=True).records:
        state = score(record, lenient=True).state
        assert state is not None
        for one in state.sets:
            for side in Side:
                corners = points(one, state.terms, side)
                assert (corners[0][0], corners[-1][0]) == (0, WIDTH)
                assert len(corners) == max(len(one.ledger), 1) + 1
                assert drawn(one, state.terms, side)[-1] == pytest.approx(one.score[side], abs=0.05)


@given(matches())
def test_no_line_ever_falls_or_leaves_its_frame(match: Match) -> None:
    for one in replay(match.terms, match.events).state.sets:
        for side in Side:
            corners = points(one, match.terms, side)
            assert corners == sorted(corners, key=lambda corner: (corner[0], -corner[1]))
            assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in corners)
            assert drawn(one, match.terms, side)[-1] == pytest.approx(one.score[side], abs=0.05)
