"""Matches as JSON Lines: one object for the head, then one an event.

The shape of every object is published as a JSON Schema, `schema/fpn-event.schema.json`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from enum import Enum

from fivepins.events import Action, Event, Marks, SetResult, SetStart, Turn
from fivepins.lines import Line
from fivepins.match import WORD
from fivepins.notation import Record
from fivepins.stroke import Contact, Cushion, Fact, Out, Pins, Seen, Stroke
from fivepins.table import Pair
from fivepins.tokens import format_action


def export(record: Record) -> Iterator[dict[str, object]]:
    """The objects of one match: its head, then its lines in order; blank lines are left out."""
    yield {
        "type": "match",
        "headers": [{"key": header.key, "value": header.value} for header in record.headers],
    }
    for line in record.lines:
        if not line.is_blank:
            yield line_json(line)


def line_json(line: Line) -> dict[str, object]:
    """One line: its event under `type`, and its comment; a line that is only a comment has that type.

    >>> from fivepins.lines import parse_line
    >>> line_json(parse_line("late A  # slow"))
    {'line': 1, 'type': 'late', 'side': 'A', 'comment': 'slow'}
    """
    if line.event is None:
        unknown = {"type": "unknown", "text": line.unknown}
        body: dict[str, object] = {"type": "comment"} if line.unknown is None else dict(unknown)
    else:
        body = event_json(line.event)
    comment: dict[str, object] = {} if line.comment is None else {"comment": line.comment}
    return {"line": line.number, **body, **comment}


def event_json(event: Event) -> dict[str, object]:
    """One event: its FPN word, then its parts; what was not noted is left out."""
    values: dict[str, object] = {"type": _word(event)}
    for one in fields(event):
        value = getattr(event, one.name)
        if isinstance(value, Marks):
            values |= _marks(value)
        elif one.name == "action":
            values |= _action(value)
        elif isinstance(value, Pair):
            values[one.name] = {"A": value.a, "B": value.b}
        elif isinstance(value, Enum):
            values[one.name] = value.value
        elif value is not None or one.name == "side":
            values[one.name] = value
    at = values.pop("at", None)
    return values if at is None else values | {"at": at}


def _word(event: Event) -> str:
    match event:
        case Turn():
            return "turn"
        case SetStart():
            return "set"
        case SetResult():
            return "result"
        case _:
            return WORD[type(event)]


def _marks(marks: Marks) -> dict[str, object]:
    noted = {one.name: getattr(marks, one.name) for one in fields(marks)}
    return {name: value for name, value in noted.items() if value is not None and value is not False}


def _action(action: Action) -> dict[str, object]:
    """An action as FPN writes it, and its facts one by one."""
    values: dict[str, object] = {"facts": format_action(action)}
    if isinstance(action, Stroke):
        values["stroke"] = {
            "played": action.played,
            "off": [_pin(pin) for pin in action.off],
            "spot": action.spot,
            "sideways": action.sideways,
            "facts": [_fact(fact) for fact in action.facts],
        }
    return values


def _fact(fact: Fact) -> dict[str, object]:
    match fact:
        case Contact():
            return {"kind": "contact", "between": fact.name.lower().split("_")}
        case Pins():
            return {
                "kind": "pins",
                "pins": [_pin(pin) for pin in fact.pins],
                "by": fact.by.name.lower() if fact.by else None,
                "cause": fact.cause.name.lower(),
                "upright": fact.upright,
            }
        case Out():
            return {"kind": "out", "ball": fact.ball.name.lower(), "back": fact.back}
        case Cushion():
            return {"kind": "cushion", "ball": fact.ball.name.lower()}
        case Seen():
            return {"kind": "foul", "foul": fact.foul.value, "paragraph": fact.paragraph}


def _pin(pin: int) -> int | None:
    """A pin's number; null for an outer pin not identified."""
    return int(pin) or None
