"""What can go wrong because of a caller: one small tree.

    FivePinsError
    ├── NotationError      (ValueError)   a line that is not FPN: line, column, token, hint
    ├── ImpossibleStroke   (ValueError)   facts that cannot have happened, or not under this rule book
    ├── ImpossiblePosition (ValueError)   balls or pins where they cannot be
    ├── IllegalEvent       (ValueError)   an event the state of the match does not allow
    │   └── CheckFailed                   a redundant figure (check, score) that disagrees with the facts
    ├── SimulationError    (RuntimeError) a stroke the simulator cannot play
    └── StoreError         (RuntimeError) a store that cannot be read, or does not take what it is given

A foul is no error: it is data (see `fivepins.rules`).
"""

from __future__ import annotations

from dataclasses import dataclass

from fivepins.message import Message


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, with the way out.

    `index` counts the facts of a stroke, or is None where the fault is not one fact's.
    """

    message: str
    hint: str = ""
    index: int | None = None

    def __str__(self) -> str:
        return self.message


class FivePinsError(Exception):
    """The root: everything this package raises on purpose. `hint` says what to do about it."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message: str = Message(message)
        self.hint: str = Message(hint)


class NotationError(FivePinsError, ValueError):
    """A text that is not FPN, with its place: `line` and `column` count from 1."""

    def __init__(self, message: str, *, line: int = 1, column: int = 1, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.line = line
        self.column = column


class _FaultsError(FivePinsError, ValueError):
    """Raised with every fault at once, so that nobody mends them one by one."""

    def __init__(self, faults: list[Fault], subject: str = "") -> None:
        words = Message.joined("; ", (fault.message for fault in faults))
        hints = Message.joined(" · ", (fault.hint for fault in faults if fault.hint))
        told = Message("{words}: {subject!r}", words=words, subject=subject) if subject else words
        super().__init__(told, hint=hints)
        self.faults = tuple(faults)


class ImpossibleStroke(_FaultsError):
    """Facts that cannot have happened in this order, or that the rule book does not know."""


class ImpossiblePosition(_FaultsError):
    """A position that no table can show."""


class IllegalEvent(FivePinsError, ValueError):
    """An event that the state of the match does not allow; the message says what was expected.

    `part` names the part of the event that is wrong: event, number, side, action, check, score or where;
    `index` counts the facts of its action where one of them is.
    """

    def __init__(
        self, message: str, *, hint: str = "", part: str = "event", index: int | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.part = part
        self.index = index


class CheckFailed(IllegalEvent):
    """A figure written as a check that the facts do not give; the facts themselves are legal."""


class SimulationError(FivePinsError, RuntimeError):
    """A stroke that the simulator cannot play."""


class StoreError(FivePinsError, RuntimeError):
    """A store of matches that cannot be read or written, or does not take what it is given."""
