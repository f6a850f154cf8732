"""JSON Lines: every object that is exported fits the published schema, and what is wrong does not."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from fivepins.export import event_json, export, line_json
from fivepins.lines import Line, parse_line
from fivepins.notation import parse_file, read_file
from fivepins.testing import Match, matches
from fivepins.tokens import format_action, parse_action

ROOT = Path(__file__).parent.parent
FILES = sorted([*(ROOT / "examples").glob("*.fpn"), *(ROOT / "tests" / "playthroughs").glob("*.fpn")])
SCHEMA: dict[str, Any] = json.loads(
    files("fivepins").joinpath("schema/fpn-event.schema.json").read_text(encoding="utf-8")
)
VALIDATOR = Draft202012Validator(SCHEMA)

POS = "355.0:710.0/710.0:2740.0/710.0:2130.0/12345"
CUE = "v3.20,a92.50,x-0.20,y0.35,e4.0"

EXPECTED: list[tuple[str, dict[str, object]]] = [
    ("lag B", {"type": "lag", "side": "B"}),
    ("lag repeat", {"type": "lag repeat", "side": None}),
    ("lag repeat A", {"type": "lag repeat", "side": "A"}),
    ("lag forfeit A", {"type": "lag forfeit", "side": "A"}),
    ("set 1 B", {"type": "set", "number": 1, "side": "B"}),
    ("late A at=10:00", {"type": "late", "side": "A", "at": "10:00"}),
    ("extra A", {"type": "extra", "side": "A"}),
    (
        "3. A lost =-2 @60",
        {"type": "turn", "number": 3, "side": "A", "facts": "lost", "check": -2, "seconds": 60.0},
    ),
    ("3. A ? =-6 hand", {"type": "turn", "number": 3, "side": "A", "facts": "?", "check": -6, "hand": True}),
    ('fix 3 ? =0 "so"', {"type": "fix", "number": 3, "facts": "?", "check": 0, "reason": "so"}),
    ('undo "so"', {"type": "undo", "reason": "so"}),
    ("score 3-4", {"type": "score", "score": {"A": 3, "B": 4}}),
    ("good A 30-4", {"type": "good", "side": "A", "score": {"A": 30, "B": 4}}),
    ('good A 3-4 short "so"', {"type": "good", "side": "A", "score": {"A": 3, "B": 4}, "short": "so"}),
    ('award A "so"', {"type": "award", "side": "A", "reason": "so"}),
    ("result 1 A 30-4", {"type": "result", "number": 1, "side": "A", "score": {"A": 30, "B": 4}}),
    ('penalty A 2 "so"', {"type": "penalty", "side": "A", "points": 2, "hand": False, "reason": "so"}),
    ('penalty A 2 hand "so"', {"type": "penalty", "side": "A", "points": 2, "hand": True, "reason": "so"}),
    ("pause 5:00", {"type": "pause", "seconds": 300, "side": None}),
    ('pause 5:00 B "so"', {"type": "pause", "seconds": 300, "side": "B", "reason": "so"}),
    ("pause refused A", {"type": "pause refused", "side": "A"}),
    ('suspend "so"', {"type": "suspend", "reason": "so"}),
    ("resume", {"type": "resume"}),
    ('place start "so"', {"type": "place", "where": "start", "reason": "so"}),
    (f'place {POS} "so"', {"type": "place", "where": POS, "reason": "so"}),
    ('swap "so"', {"type": "swap", "reason": "so"}),
    ('referee "Anna"', {"type": "referee", "name": "Anna"}),
    ('note "so"', {"type": "note", "text": "so"}),
    ('protest A "so"', {"type": "protest", "side": "A", "text": "so"}),
    ('decision "so"', {"type": "decision", "text": "so"}),
    ('decision "so" by "Anna"', {"type": "decision", "text": "so", "by": "Anna"}),
    ('end A left "so"', {"type": "end", "side": "A", "how": "left", "reason": "so"}),
    ('end - abandoned "so"', {"type": "end", "side": None, "how": "abandoned", "reason": "so"}),
    ("# so", {"type": "comment", "comment": "so"}),
    ("#", {"type": "comment", "comment": ""}),
    ("late A  # so", {"type": "late", "side": "A", "comment": "so"}),
]


def words(schema: dict[str, Any]) -> set[str]:
    """The types that a schema knows."""
    names = [one["$ref"].rsplit("/", 1)[1] for one in schema["oneOf"]]
    return {schema["$defs"][name]["properties"]["type"]["const"] for name in names}


def everything() -> Iterator[dict[str, object]]:
    """Every object of every example and playthrough."""
    for path in FILES:
        for record in parse_file(read_file(path)).records:
            yield from export(record)


# -- what is exported --------------------------------------------------------------------------------


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize(("text", "expected"), EXPECTED, ids=[text for text, _ in EXPECTED])
def test_objects(text: str, expected: dict[str, object]) -> None:
    value = line_json(parse_line(text, 7))
    assert value == {"line": 7} | expected
    VALIDATOR.validate(value)


def test_a_stroke_fact_by_fact() -> None:
    text = f"off/.5 spot o o-r /1 c/2 o u/.~ l/3 | r| c^ o^b !foot !touched.12 =-6 @9.5 pos={POS} cue={CUE}"
    value = line_json(parse_line(f"2. B {text}"))
    VALIDATOR.validate(value)
    assert value == {
        "line": 1, "type": "turn", "number": 2, "side": "B",
        "facts": text[: text.index(" =")], "check": -6, "seconds": 9.5, "pos": POS, "cue": CUE,
        "stroke": {
            "played": True, "off": [None, 5], "spot": True, "sideways": False,
            "facts": [
                {"kind": "contact", "between": ["cue", "object"]},
                {"kind": "contact", "between": ["object", "red"]},
                {"kind": "pins", "pins": [1], "by": None, "cause": "stroke", "upright": False},
                {"kind": "pins", "pins": [2], "by": "cue", "cause": "stroke", "upright": False},
                {"kind": "contact", "between": ["cue", "object"]},
                {"kind": "pins", "pins": [None], "by": None, "cause": "unrelated", "upright": True},
                {"kind": "pins", "pins": [3], "by": None, "cause": "leaning", "upright": False},
                {"kind": "cushion", "ball": "cue"},
                {"kind": "cushion", "ball": "red"},
                {"kind": "out", "ball": "cue", "back": False},
                {"kind": "out", "ball": "object", "back": True},
                {"kind": "foul", "foul": "foot", "paragraph": None},
                {"kind": "foul", "foul": "touched", "paragraph": 12},
            ],
        },
    }  # fmt: skip


def test_figures_of_nothing_are_kept() -> None:
    """A check of 0 says that there were no points; it is not a check that was not written."""
    value = line_json(parse_line("1. A o =0 @0"))
    assert (value["check"], value["seconds"]) == (0, 0.0)


@pytest.mark.parametrize("text", ["x !touched", "side o", "- |", "r r/5 r^ o", "o /12345"])
def test_strokes_fit(text: str) -> None:
    value = line_json(parse_line(f"1. A {text}"))
    VALIDATOR.validate(value)
    assert value["facts"] == format_action(parse_action(text))


def test_a_line_that_could_not_be_read() -> None:
    value = line_json(Line(unknown="hello  there", number=3))
    assert value == {"line": 3, "type": "unknown", "text": "hello  there"}
    VALIDATOR.validate(value)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_match_fits(path: Path) -> None:
    for record in parse_file(read_file(path)).records:
        values = list(export(record))
        assert values[0]["headers"] == [{"key": h.key, "value": h.value} for h in record.headers]
        assert [value["line"] for value in values[1:]] == [
            line.number for line in record.lines if not line.is_blank
        ]
        for value in values:
            VALIDATOR.validate(json.loads(json.dumps(value)))


def test_every_type_of_the_schema_occurs() -> None:
    exported = {str(value["type"]) for value in everything()}
    assert exported == words(SCHEMA) - {"unknown"}  # that one only a lenient reader knows


@given(matches())
def test_any_match_fits(match: Match) -> None:
    for event in match.events:
        value = line_json(Line(event))
        VALIDATOR.validate(value)
        assert value == {"line": 1} | event_json(event)


# -- what does not fit -------------------------------------------------------------------------------

STROKE = line_json(parse_line("1. A o /13 o^ | !foot =8"))


@pytest.mark.parametrize("text", [*(text for text, _ in EXPECTED), "1. A o /13 o^ | !foot"])
def test_a_property_more_or_less_does_not_fit(text: str) -> None:
    value = line_json(parse_line(text))
    assert not VALIDATOR.is_valid(value | {"points": "8"})
    assert not VALIDATOR.is_valid(value | {"type": "nothing"})
    required = set(value) - {"comment", "at", "check", "hand", "seconds", "short", "by"}
    if value["type"] == "pause":
        required.discard("reason")
    if value["type"] == "comment":
        required.add("comment")
    for key in required:
        assert not VALIDATOR.is_valid({name: one for name, one in value.items() if name != key}), key


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        (("line",), 0),
        (("side",), "C"),
        (("side",), None),
        (("number",), "1"),
        (("number",), -1),
        (("facts",), "?"),  # with its facts beside it
        (("facts",), "lost"),
        (("facts",), ""),
        (("check",), None),
        (("check",), 2.5),
        (("hand",), True),  # beside facts
        (("at",), "25:00"),
        (("comment",), None),
        (("stroke", "played"), "yes"),
        (("stroke", "off"), [6]),
        (("stroke", "facts"), {}),
        (("stroke", "facts", 0, "between"), ["red", "cue"]),
        (("stroke", "facts", 0, "kind"), "touch"),
        (("stroke", "facts", 1, "pins"), []),
        (("stroke", "facts", 1, "pins"), [0]),
        (("stroke", "facts", 1, "by"), "white"),
        (("stroke", "facts", 1, "cause"), ""),
        (("stroke", "facts", 2, "ball"), "c"),
        (("stroke", "facts", 2, "back"), None),
        (("stroke", "facts", 3, "ball"), None),
        (("stroke", "facts", 4, "foul"), "object-ball"),  # follows from the facts, is never written
        (("stroke", "facts", 4, "paragraph"), "14"),
    ],
)
def test_wrong_values_do_not_fit(path: tuple[str | int, ...], wrong: object) -> None:
    value: Any = copy.deepcopy(STROKE)
    VALIDATOR.validate(value)
    place = value
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = wrong
    assert not VALIDATOR.is_valid(value)


@pytest.mark.parametrize(
    "value",
    [
        {},
        [],
        {"type": "match"},
        {"type": "match", "headers": [{"key": "A"}]},
        {"type": "match", "headers": [{"key": "A B", "value": ""}]},
        {"type": "match", "headers": [], "line": 1},
        {"line": 1, "type": "turn", "number": 1, "side": "A", "facts": "?"},  # its points are missing
        {"line": 1, "type": "turn", "number": 1, "side": "A", "facts": "o"},  # its facts are missing
        {"line": 1, "type": "score", "score": {"A": 1}},
        {"line": 1, "type": "end", "side": "A", "how": "asleep", "reason": ""},
    ],
)
def test_wrong_objects_do_not_fit(value: object) -> None:
    assert not VALIDATOR.is_valid(value)
