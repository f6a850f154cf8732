"""The feeds: who looks at what, and the newest message for each of them.

A reader holds no queue. What it has not taken yet is replaced by what is newer, so a slow screen costs
nothing and shows the truth when it comes back.
"""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple
from zlib import crc32


class Topic(NamedTuple):
    """What a reader looks at: a `match`, a `table` or the `hall`; as boards, sheet or desk; in a language."""

    what: str
    name: str
    kind: str
    lang: str


class Reader:
    """One screen: the newest message of each kind that it has not been sent."""

    __slots__ = ("_event", "_waiting", "device", "topic")

    def __init__(self, topic: Topic, device: str) -> None:
        self.topic = topic
        self.device = device
        self._waiting: dict[str, str] = {}
        self._event = asyncio.Event()

    def give(self, kind: str, text: str) -> None:
        """Put a message in the place of an older one of its kind."""
        self._waiting[kind] = text
        self._event.set()

    def begin(self, text: str) -> None:
        """Put the first message in the place of whatever came while it was made: it has all of that."""
        self._waiting = {"board": text}
        self._event.set()

    def wake(self) -> None:
        """Let whoever waits for a message look around, though there is none."""
        self._event.set()

    async def take(self, patience: float) -> Iterable[str]:
        """Everything that is waiting; nothing where nothing came within `patience` seconds."""
        if not self._waiting:
            try:
                async with asyncio.timeout(patience):
                    await self._event.wait()
            except TimeoutError:
                return ()
        waiting, self._waiting = self._waiting, {}
        self._event.clear()
        return waiting.values()


class Seen:
    """What a program has been shown of a feed of boards, as an id: who comes back names it.

    It begins with the newest row, of the hall with the sum of all; behind it is a sum of what was shown, for
    a clock moves without a row, and another process has another clock.

    >>> seen = Seen()
    >>> seen.after('{"now": 1, "board": {"seq": 7}}'), seen.after('{"now": 2, "board": {"seq": 8}}')
    ('7-590f6e7b', '8-52532946')
    """

    def __init__(self) -> None:
        self._boards: dict[str, Any] = {}

    def after(self, text: str) -> str:
        """The id of a message."""
        told = json.loads(text)
        self._boards |= told.get("boards", {"": told.get("board")})
        rows = sum(board["seq"] for board in self._boards.values() if board)
        return f"{rows}-{crc32(json.dumps(self._boards, sort_keys=True).encode()):08x}"


class Hub:
    """The readers of one process, by what they look at."""

    def __init__(self) -> None:
        self._readers: defaultdict[Topic, set[Reader]] = defaultdict(set)

    def join(self, reader: Reader) -> None:
        """Begin to give a reader what it looks at."""
        self._readers[reader.topic].add(reader)

    def leave(self, reader: Reader) -> None:
        """Forget a reader."""
        readers = self._readers[reader.topic]
        readers.discard(reader)
        if not readers:
            del self._readers[reader.topic]

    def topics(self, what: str, name: str) -> list[Topic]:
        """The topics of a match, a table or the hall that somebody looks at."""
        return [topic for topic in self._readers if topic.what == what and topic.name == name]

    def publish(self, topic: Topic, kind: str, text: str) -> None:
        """Give a message to everyone who looks there."""
        for reader in self._readers.get(topic, ()):
            reader.give(kind, text)

    def wake(self, kind: str) -> None:
        """Wake every reader of a kind."""
        for topic, readers in self._readers.items():
            if topic.kind == kind:
                for reader in readers:
                    reader.wake()

    def devices(self, match_id: str, table: str) -> int:
        """How many devices look at a match: at itself, or at its table."""
        looked_at = {("match", match_id), ("table", table)}
        return len(
            {
                reader.device
                for topic, readers in self._readers.items()
                if topic[:2] in looked_at
                for reader in readers
            }
        )
