"""The hall: everything that can be done and asked, whatever it is asked through.

One process has one. Writing goes through one thread, so the event loop never waits for a disk; what screens
show is kept in memory, a snapshot and a clock a match.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import time
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Protocol, TypeVar

from fivepins.desk.board import Json, board, preview, sheet
from fivepins.desk.clock import StrokeClock
from fivepins.desk.feed import Hub, Topic
from fivepins.desk.names import in_order
from fivepins.desk.rewrite import rewrite
from fivepins.desk.rights import Rights, Visitor
from fivepins.desk.settings import Settings
from fivepins.errors import FivePinsError, IllegalEvent, StoreError
from fivepins.events import Event
from fivepins.language import N_
from fivepins.lines import parse_line
from fivepins.message import Message
from fivepins.notation import Record
from fivepins.store import (
    Appended,
    ClockRow,
    Desk,
    Entry,
    Keeper,
    Listener,
    NoSuchMatch,
    Notice,
    Snapshot,
    Stale,
    Store,
    is_header,
)

REMEMBERED: Final = 256
"""Matches kept in memory; those under way are kept however many they are."""
THERE: Final = "already there"
"""What is noted of a match that came again under another command."""
PRESENCE: Final = 1.0
"""Seconds between two messages about who looks at a match."""

_T = TypeVar("_T")


class InUse(FivePinsError):
    """Another match, `match`, is under way at the table."""

    def __init__(self, table: str, playing: Snapshot) -> None:
        super().__init__(
            Message("{table} is in use: {a} – {b}", table=table, a=playing.value("A"), b=playing.value("B")),
            hint=N_("take another table, or close that match"),
        )
        self.match = playing.match_id


class Asked(Protocol):
    """A command: `command_id` is the same whenever the same wish is sent again."""

    command_id: str
    expected_seq: int
    lines: list[str]


@dataclass(slots=True)
class Live:
    """A match in memory: its newest snapshot, its clock, and the boards made from both, by language."""

    now: Snapshot
    clock: StrokeClock
    moved: str = ""
    """The command that moved the clock last, of those that are stored."""
    boards: dict[str, Json] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Hall:
    """One hall: `store`, `rights`, `settings`, and the feeds of its screens.

    `now` tells the time of day, for what is stored; `monotonic` tells seconds that never jump, for clocks.
    """

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store = store
        self.now = now
        self.monotonic = monotonic
        self.rights = Rights(store, monotonic)
        self.settings = Settings.load(store)
        self.hub = Hub()
        self.epoch = secrets.token_urlsafe(6)
        self.address: str | None = None
        """Where tablets find the hall, if they can."""
        self.keeper: Keeper | None = None
        """What copies the hall, if anything does."""
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._live: dict[str, Live] = {}
        self._at: dict[str, str] = {}
        self._told: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @classmethod
    def open(cls, db_url: str) -> Hall:
        """The hall of a database; raises `StoreError`."""
        return cls(Store.open(db_url))

    def close(self) -> None:
        """End the thread and the store."""
        self._thread.shutdown()
        self.store.close()

    def director_link(self, base: str) -> str:
        """The link that makes a director of whoever opens it; the secret is in the fragment."""
        return f"{base}/enter#{self.rights.link(self.rights.first_director(self.now()))}"

    async def do(self, action: Callable[[], _T]) -> _T:
        """Something with the store, in its thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, action)

    # -- questions -------------------------------------------------------------------------------

    async def match(self, match_id: str) -> Live:
        """A match in memory, read from the store the first time; raises `NoSuchMatch`."""
        live = self._live.get(match_id)
        if live is None:
            now = await self.do(lambda: self.store.snapshot(match_id))
            row = await self.do(lambda: self.store.clock(match_id))
            clock = await self._clock_found(row) if row else StrokeClock()
            live = self._live.setdefault(match_id, Live(now, clock, row.command_id if row else ""))
            if live.clock.ask:
                self._later(self._ask_clock(live))
            self._forget()
        return live

    def _forget(self) -> None:
        """Let go of a match that has ended: a hall remembers an evening, its store remembers the years."""
        ended = (one for one, live in self._live.items() if not live.now.under_way)
        if len(self._live) > REMEMBERED and (oldest := next(ended, None)):
            del self._live[oldest]

    async def _clock_found(self, row: ClockRow) -> StrokeClock:
        """A clock from the store: whether it ran while no process looked is for the referee to say."""
        later = await self.do(lambda: self.store.lines(row.match_id, row.seq))
        clock = StrokeClock(held=row.held, begun=row.begun, ask=row.running)
        return clock.after(_events(later), self.monotonic())

    async def _ask_clock(self, live: Live) -> None:
        """Ask the other servers of this hall where a clock is; until one answers, the referee is asked."""
        async with live.lock:
            if live.clock.ask:
                await self._tell_clock(live, asked=True)

    async def _tell_clock(self, live: Live, *, asked: bool = False) -> None:
        """Tell the other servers where a running clock is, or ask; what the store refuses can wait."""
        row = self._row(live, live.clock, secrets.token_hex(16), asked=asked)
        with contextlib.suppress(StoreError):
            await self.do(lambda: self.store.put_clock(row))
            live.moved = row.command_id

    def _row(self, live: Live, clock: StrokeClock, command_id: str, *, asked: bool = False) -> ClockRow:
        held, running = clock.elapsed(self.monotonic()), clock.running or asked
        return ClockRow(live.now.match_id, live.now.seq, command_id, running, held, clock.begun, asked)

    async def board(self, match_id: str, lang: str) -> Json:
        """What a screen shows of a match."""
        return self.shown(await self.match(match_id), lang)

    def shown(self, live: Live, lang: str) -> Json:
        """The board of a match in memory."""
        if lang not in live.boards:
            live.boards[lang] = board(live.now, live.clock, self.settings.clock, lang)
        return live.boards[lang]

    async def sheet(self, match_id: str, lang: str) -> Json:
        """Every stroke of a match in words."""
        return sheet((await self.match(match_id)).now, lang)

    async def at(self, table: str) -> str | None:
        """The match at a table."""
        if table not in self._at and (found := await self.do(lambda: self.store.match_at(table))):
            self._at[table] = found
        return self._at.get(table)

    async def refuse_in_use(self, table: str, match_id: str) -> None:
        """Raise `InUse` where a match would go to a table at which another one is under way.

        A closed match is not refused here: that it is closed is the nearer reason.
        """
        found = await self.at(table) if table else None
        if found in (None, match_id) or (await self.match(match_id)).now.is_closed:
            return
        if (playing := (await self.match(found)).now).under_way:
            raise InUse(table, playing)

    async def tables(self) -> list[str]:
        """Every table of the hall: those of the settings, and those that were played at, T2 before T10."""
        places = await self.do(self.store.places)
        others = (place for place in places if place not in self.settings.tables)
        return [*self.settings.tables, *sorted(others, key=in_order)]

    async def boards(self, lang: str) -> dict[str, Json]:
        """The board of every table that has a match."""
        at_tables = {table: await self.at(table) for table in await self.tables()}
        matches = {table: await self.match(found) for table, found in at_tables.items() if found}
        return {table: self.shown(live, lang) for table, live in matches.items()}  # all of one moment

    async def lines(self, match_id: str, since: int) -> tuple[Entry, ...]:
        """The rows of a match behind row `since`."""
        return await self.do(lambda: self.store.lines(match_id, since))

    async def preview(self, match_id: str, expected_seq: int, lines: Sequence[str], lang: str) -> Json:
        """What lines would come to; nothing is stored."""
        live = await self.match(match_id)
        if expected_seq != live.now.seq:
            raise Stale(expected_seq, live.now.seq, await self.lines(match_id, expected_seq))
        live.now.refuse_closed(lines)
        answer, after = preview(live.now, lines, lang)
        return answer | {"board": board(after, live.clock, self.settings.clock, lang)}

    async def rewrite(  # noqa: PLR0913 - what is to be written, word by word
        self, match_id: str, expected_seq: int, *, before: int, action: str, reason: str, lang: str
    ) -> Json:
        """The lines that insert a forgotten stroke, and the board after them; nothing is stored."""
        now = (await self.match(match_id)).now
        now.refuse_closed()
        lines = rewrite(now.state, before, action, reason)
        return await self.preview(match_id, expected_seq, lines, lang)

    # -- commands --------------------------------------------------------------------------------

    async def create(
        self, record: Record, command_id: str, visitor: Visitor, *, match_id: str | None = None
    ) -> Appended:
        """Store a new match and show it at its table; if one is called `match_id` already, it is that one."""
        done = await self.do(lambda: self._created(record, command_id, visitor, match_id))
        await self._appear(done.match_id)
        return done

    def _created(self, record: Record, command_id: str, visitor: Visitor, match_id: str | None) -> Appended:
        if match_id is not None:
            with contextlib.suppress(NoSuchMatch):
                return Appended(match_id, self.store.seq(match_id), "", THERE)
        return self.store.create_match(
            record,
            command_id=command_id,
            at=self.now(),
            by=visitor.by,
            device=visitor.device,
            match_id=match_id,
        )

    async def _appear(self, match_id: str) -> None:
        """Show a match at its table that was not in memory before."""
        table = (await self.match(match_id)).now.value("Table")
        self._at.pop(table, None)
        self._show(match_id, {table})

    async def append(
        self, match_id: str, asked: Asked, visitor: Visitor, *, as_desk: bool = True
    ) -> Appended:
        """Store lines of a match, move its clock, and show them on every screen; raises as `Store.append`."""
        done = await self.do(
            lambda: self.store.append(
                match_id,
                asked.lines,
                expected_seq=asked.expected_seq,
                command_id=asked.command_id,
                at=self.now(),
                by=visitor.by,
                device=visitor.device,
                as_desk=as_desk,
            )
        )
        await self.refresh(match_id)
        return done

    async def refresh(self, match_id: str) -> None:
        """Look at what is new in a match, whoever wrote it, and show it."""
        live = await self.match(match_id)
        async with live.lock:
            before = live.now
            now = await self.do(lambda: self.store.snapshot(match_id))
            if now.seq == before.seq:
                return
            later = await self.do(lambda: self.store.lines(match_id, before.seq))
            new = [entry for entry in later if entry.seq <= now.seq]  # more may have come in between
            same_turn = _awaited(now) is not None and _awaited(before) == _awaited(now)
            clock = live.clock.after(_events(new), self.monotonic(), same_turn=same_turn)
            live.now, live.clock = now, clock
            live.boards.clear()
        tables = {before.value("Table"), now.value("Table")}
        for table in tables:
            self._at.pop(table, None)
        self._show(match_id, tables)

    async def set_clock(
        self, match_id: str, command_id: str, action: str, elapsed: float | None
    ) -> StrokeClock:
        """Start, stop or reset the clock of a match; a device that was cut off says how much has elapsed.

        The same `command_id` again does nothing, or raises `Reused` where it asks for something else.
        """
        live = await self.match(match_id)
        async with live.lock:
            if await self.do(lambda: self.store.has_moved(match_id, command_id, action)):
                return live.clock
            live.now.refuse_closed()
            clock = self._moved(live, action, elapsed)
            row = self._row(live, clock, command_id)
            await self.do(lambda: self.store.put_clock(row, action))
            live.moved = command_id
            self._set(live, clock)
        return live.clock

    def _moved(self, live: Live, action: str, elapsed: float | None) -> StrokeClock:
        """The clock of a match after an action."""
        match action:
            case "start" if live.now.state.to_play is None:
                raise IllegalEvent(
                    Message("no stroke is awaited: expected {expected}", expected=live.now.state.expected),
                    hint="the clock is for strokes; a pause is a line of the log",
                )
            case "start":
                return live.clock.start(self.monotonic(), elapsed)
            case "stop":
                return live.clock.stop(self.monotonic(), elapsed)
            case _:
                return StrokeClock()

    def _set(self, live: Live, clock: StrokeClock) -> None:
        """Give a match another clock, and show it."""
        live.clock = clock
        live.boards.clear()
        self._show(live.now.match_id, {live.now.value("Table")})

    async def take_desk(self, match_id: str, visitor: Visitor, *, take: bool) -> Json:
        """Become the desk of a match if there is none, or, with `take`, in the place of the one there is.

        To take over is written into the log, so that the paper can tell who sat at the desk.
        """
        before = await self.do(lambda: self.store.desk(match_id))
        name = visitor.name or f"device {visitor.device[:4]}"
        desk = Desk(match_id, visitor.device, name, visitor.by, self.now())
        instead_of = before.device if before and take else None
        holder = await self.do(lambda: self.store.take_desk(desk, instead_of=instead_of))
        await self.refresh(match_id)
        self.presence(match_id)
        return {"holder": holder_json(holder), "me": visitor.device, "devices": self._devices(match_id)}

    async def save_settings(self, settings: Settings) -> None:
        """Keep the settings of the hall."""
        await self.do(lambda: settings.save(self.store))
        self.settings = settings
        for live in self._live.values():
            live.boards.clear()

    async def remember(self, record: Record) -> None:
        """Keep how a match was begun, for the form of the next one."""
        settings = self.settings.after(record)
        if settings != self.settings:
            self.settings = settings
            await self.do(lambda: settings.save_last(self.store))

    # -- other servers ---------------------------------------------------------------------------

    async def listen(self) -> Listener:
        """Show what other servers of this hall write, until the listener is closed."""
        loop = asyncio.get_running_loop()

        def hear(notice: Notice) -> None:
            self._later(self._hear(notice))

        def heard(notice: Notice) -> None:
            loop.call_soon_threadsafe(hear, notice)

        return await self.do(lambda: self.store.listen(heard))

    async def catch_up(self, match_id: str) -> None:
        """Look at a match that is in memory before something is answered of it.

        Whoever was answered by another server a moment ago may come faster than its notice. Where the
        database is away, what is in memory is what there is.
        """
        if match_id in self._live:
            with contextlib.suppress(StoreError):
                await self.refresh(match_id)
                await self._hear_clock(match_id)

    async def _hear(self, notice: Notice) -> None:
        """Look at what another server wrote."""
        with contextlib.suppress(StoreError):  # a database that is away tells when it is back: `lost`
            match notice.kind:
                case "match":  # even of one in memory: whoever asked for it came before the notice
                    await self._appear(notice.match_id)
                case "log" if notice.match_id not in self._live:
                    await self._appear(notice.match_id)
                case "log":
                    await self.refresh(notice.match_id)
                case "clock":
                    await self._hear_clock(notice.match_id)
                case "desk":
                    self.presence(notice.match_id)
                case "rights":
                    self.rights_changed()
                case "settings":
                    await self._hear_settings()
                case "lost":
                    await self._hear_all()

    async def _hear_clock(self, match_id: str) -> None:
        """Take over a clock that another server moved: if it runs, it was at `held` just now."""
        live = await self.match(match_id)
        async with live.lock:
            row = await self.do(lambda: self.store.clock(match_id))
            if row is None or row.command_id == live.moved:
                return
            if row.asked:
                if live.clock.running:
                    await self._tell_clock(live)
                return
            later = await self.do(lambda: self.store.lines(match_id, row.seq))
            shown = [entry for entry in later if entry.seq <= live.now.seq]  # `refresh` brings the others
            since = self.monotonic() if row.running else None
            clock = StrokeClock(since, row.held, row.begun).after(_events(shown), self.monotonic())
            live.moved = row.command_id
            self._set(live, clock)

    async def _hear_settings(self) -> None:
        self.settings = await self.do(lambda: Settings.load(self.store))
        for live in self._live.values():
            live.boards.clear()

    async def _hear_all(self) -> None:
        """Look at everything that is shown: what was written is not known."""
        self.rights_changed()
        await self._hear_settings()
        for match_id in list(self._live):
            await self.refresh(match_id)
            await self._hear_clock(match_id)
            self.presence(match_id)
        self._at.clear()
        for table in await self.tables():
            if (found := await self.at(table)) is not None:
                self._show(found, {table})

    def rights_changed(self) -> None:
        """Look at the rights anew, and let every desk find out whether it still has its own."""
        self.rights.read_again()
        self.hub.wake("desk")

    # -- feeds -----------------------------------------------------------------------------------

    def message(self, **content: object) -> str:
        """A message of a feed, with the clock it was made by."""
        return dumped({"now": round(self.monotonic() * 1000), "epoch": self.epoch, **content})

    async def first(self, topic: Topic, since: int) -> str:
        """What a new reader is told: the board, and the sheet unless it has seen the newest row already.

        The board comes always: its clock may have moved without a row.
        """
        if topic.what == "hall":
            tables = await self.tables()
            return self.message(boards=await self.boards(topic.lang), tables=tables)
        match_id = topic.name if topic.what == "match" else await self.at(topic.name)
        if match_id is None:
            return self.message(board=None)
        live = await self.match(match_id)
        return self._told_of(live, topic._replace(kind="board") if since == live.now.seq else topic)

    def _told_of(self, live: Live, topic: Topic) -> str:
        shown = self.shown(live, topic.lang)
        if topic.kind == "sheet":
            return self.message(board=shown, sheet=sheet(live.now, topic.lang, newest=True))
        return self.message(board=shown)

    def _show(self, match_id: str, tables: set[str]) -> None:
        """Show a match on every screen, once whoever changed it has been answered."""
        self._later(self._publish(match_id, tables))

    def _later(self, work: Coroutine[None, None, None]) -> None:
        """Begin something that nobody waits for; the loop alone would forget it."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _publish(self, match_id: str, tables: set[str]) -> None:
        """Show a match on every screen that looks at it, or at one of its tables, or at the hall."""
        live = await self.match(match_id)
        for topic in self.hub.topics("match", match_id):
            self.hub.publish(topic, "board", self._told_of(live, topic))
        for table in tables - {""}:
            there = await self.at(table)
            at_table = await self.match(there) if there else None
            for topic in self.hub.topics("table", table):
                told = self._told_of(at_table, topic) if at_table else self.message(board=None)
                self.hub.publish(topic, "board", told)
            for topic in self.hub.topics("hall", ""):
                shown = self.shown(at_table, topic.lang) if at_table else None
                self.hub.publish(topic, table, self.message(boards={table: shown}))

    def presence(self, match_id: str) -> None:
        """Tell the desks of a match, in a moment, who looks at it: many who come at once are told of once."""
        if match_id in self._told or not self.hub.topics("match", match_id):
            return
        self._told.add(match_id)
        asyncio.get_running_loop().call_later(PRESENCE, self._tell_presence, match_id)

    def _tell_presence(self, match_id: str) -> None:
        self._told.discard(match_id)
        desks = [topic for topic in self.hub.topics("match", match_id) if topic.kind == "desk"]
        if desks:
            self._later(self._present(match_id, desks))

    async def _present(self, match_id: str, desks: list[Topic]) -> None:
        text = await self.present(match_id)
        for topic in desks:
            self.hub.publish(topic, "presence", text)

    async def present(self, match_id: str) -> str:
        """The message of who looks at a match, and which device is its desk."""
        desk = await self.do(lambda: self.store.desk(match_id))
        holder = holder_json(desk) if desk else None
        return self.message(presence={"devices": self._devices(match_id), "holder": holder})

    def _devices(self, match_id: str) -> int:
        live = self._live.get(match_id)
        return self.hub.devices(match_id, live.now.value("Table") if live else "")


def holder_json(desk: Desk) -> Json:
    """A desk as others are told of it."""
    return {"device": desk.device, "name": desk.name, "by": desk.by}


def dumped(content: object) -> str:
    """JSON as it is sent: no blank that nobody reads."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _awaited(one: Snapshot) -> object:
    """The turn that a match waits for; None where it waits for none."""
    state = one.state
    if state.to_play is None or state.set is None:
        return None
    return state.set.number, len(state.set.turns), state.to_play


def _events(entries: Sequence[Entry]) -> list[Event]:
    """The events among rows; headers and comments are none."""
    lines = [parse_line(entry.line) for entry in entries if entry.line and not is_header(entry.line)]
    return [line.event for line in lines if line.event is not None]
