"""The press: sets papers one at a time, beside everything else, and keeps those that were asked for last."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Final

from fivepins.errors import FivePinsError
from fivepins.language import N_

if TYPE_CHECKING:
    from fastapi import Request

ROOM: Final = 16 * 2**20
"""Bytes of papers that are kept: a hundred and fifty or so."""
WAITING: Final = 16
"""Papers that may wait for the press: it sets them within a second or two."""


class Busy(FivePinsError):
    """Too many papers wait already; `wait` are seconds after which one may ask again."""

    wait = 1.0

    def __init__(self) -> None:
        super().__init__(N_("those of others are being made"), hint=N_("ask again in a moment"))


class Press:
    """One thread that sets papers in turn: a visitor who asks for many stalls nobody.

    A press belongs to one event loop. `room` bytes of papers are kept, `waiting` may be under way.
    """

    def __init__(self, room: int = ROOM, waiting: int = WAITING) -> None:
        self._room = room
        self._waiting = waiting
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="press")
        self._under_way: set[asyncio.Future[bytes]] = set()
        self._asked: dict[Hashable, asyncio.Future[bytes]] = {}
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()

    def close(self) -> None:
        """End the thread once it has set the paper it is at."""
        self._thread.shutdown(cancel_futures=True)

    async def paper(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        """The paper of a key, set if it is not kept, and once however many ask for it; raises `Busy`."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if key not in self._asked:
            self._asked[key] = made = self._begin(make)
            made.add_done_callback(partial(self._keep, key))
        return await asyncio.shield(self._asked[key])  # who goes away takes it from nobody else

    async def once(self, make: Callable[[], bytes]) -> bytes:
        """A paper that is not kept; raises `Busy`."""
        return await self._begin(make)

    def _begin(self, make: Callable[[], bytes]) -> asyncio.Future[bytes]:
        if len(self._under_way) >= self._waiting:
            raise Busy
        made = asyncio.get_running_loop().run_in_executor(self._thread, make)
        self._under_way.add(made)
        made.add_done_callback(self._under_way.discard)
        return made

    def _keep(self, key: Hashable, made: asyncio.Future[bytes]) -> None:
        """Keep a paper that could be set, and let go of those that were not asked for the longest."""
        del self._asked[key]
        if made.cancelled() or made.exception() is not None:
            return
        self._kept[key] = made.result()
        while sum(map(len, self._kept.values())) > self._room:
            self._kept.popitem(last=False)


def press_of(request: Request) -> Press:
    """The press of the application that is asked."""
    press: Press = request.app.state.press
    return press
