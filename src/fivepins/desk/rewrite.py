"""A stroke that was forgotten: back to its place, in with it, and the rest written again.

Each stroke that follows was the other player's, since they alternate; its facts stay as they were told. A
correction stands right behind the stroke it is about, or before the forgotten one: what it has put right must
not decide a set on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fivepins.errors import IllegalEvent
from fivepins.events import Event, Extra, Fix, Late, Marks, Turn, Undo, Unrecorded
from fivepins.lines import format_event, parse_event
from fivepins.match import NEVER_UNDONE, State
from fivepins.message import Message


def rewrite(state: State, before: int, action: str, reason: str) -> list[str]:
    """The lines that put a stroke in front of turn `before` of the open set.

    `action` is the stroke as FPN, with its marks. Raises `IllegalEvent` where there is no such turn,
    `NotationError` where the stroke cannot be read. Whether the lines are legal is for the match to say.
    """
    one = state.set
    if one is None or not 1 <= before <= len(one.turns):
        raise IllegalEvent(
            Message("there is no turn {before} in the open set", before=before),
            hint="a stroke at the end is simply entered",
        )
    undone = [event for event in state.log[_place(state, before) :] if not isinstance(event, NEVER_UNDONE)]
    side = one.turns[before - 1].turn.side
    inserted = parse_event(f"{before}. {side.value} {action}")
    corrected = [event for event in undone if isinstance(event, Fix) and event.number < before]
    later = [_shifted(event) for event in _beside_their_turns(undone)]
    events: list[Event] = [*(Undo(reason) for _ in undone), *corrected, inserted, *later]
    return [format_event(event) for event in events]


def _beside_their_turns(undone: Sequence[Event]) -> list[Event]:
    """What was taken back, each correction of a turn among it right behind that turn."""
    ordered: list[Event] = []
    for event in undone:
        if not isinstance(event, Fix):
            ordered.append(event)
        if isinstance(event, Turn):
            ordered += [fix for fix in undone if isinstance(fix, Fix) and fix.number == event.number]
    return ordered


def _place(state: State, before: int) -> int:
    """Where in the log that turn began: behind the turn before it, or behind the start of the set."""
    count = len(state.sets[-1].turns)
    for place in range(len(state.log) - 1, -1, -1):
        if isinstance(state.log[place], Turn):
            if count == before:
                return _with_its_time(state, place)
            count -= 1
    raise AssertionError("a turn of the open set is in the log")


def _with_its_time(state: State, place: int) -> int:
    """A time limit that passed, or extra time, belongs to the turn behind it."""
    while isinstance(state.log[place - 1], Late | Extra):
        place -= 1
    return place


def _shifted(event: Event) -> Event:
    """The event one turn later, and the other player's."""
    match event:
        case Turn(number=number, side=side):
            return replace(event, number=number + 1, side=side.other, marks=_unchecked(event))
        case Late(side=side) | Extra(side=side):
            return replace(event, side=side.other)
        case Fix(number=number):
            return replace(event, number=number + 1, marks=_unchecked(event))
        case _:
            return event


def _unchecked(event: Turn | Fix) -> Marks:
    """Without the check: an opening stroke that is none any more may be ruled otherwise."""
    return event.marks if isinstance(event.action, Unrecorded) else replace(event.marks, check=None)
