# ruff: noqa: PLR0913, PLR0917 - what a batch is made of is passed, not kept
"""Many strokes at once: the kernel compiled with numba on first use, on threads or on any executor.

The compiled functions are copies of those in `kernel.py` that call one another; the module itself stays
plain Python. Compiled code is kept in the user's cache folder, so only the first batch ever waits for it.
"""

from __future__ import annotations

import hashlib
import importlib
import math
import os
import sys
import tempfile
import types
from array import array
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

from fivepins.codes import Cue
from fivepins.errors import SimulationError
from fivepins.physics import kernel
from fivepins.physics.model import STANDARD, Model
from fivepins.physics.simulate import checked_row, finished, numbers, position_faults, rest_position, row_of
from fivepins.physics.trace import Trace
from fivepins.table import PINS, Colour, Pin, Position

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats: TypeAlias = npt.NDArray[np.float64]

CHUNK = 2048
"""Strokes a worker plays in one go, and the check looks at: their rows fit into a core's own cache, and at
the end of a batch no worker waits long for another."""

Message: TypeAlias = Callable[[str], None]
"""What is called with a line of text before a wait."""


def tell(text: str) -> None:
    """Writes a line to standard error: what `simulate_many` does before it compiles."""
    print(f"fivepins: {text}", file=sys.stderr, flush=True)


@dataclass(frozen=True, eq=False)
class Outcomes:
    """What came of n strokes, as arrays.

    >>> from fivepins.table import START
    >>> outcomes = simulate_many(START, [Cue(2.5, 90.0), Cue(2.5, 30.0)])
    >>> len(outcomes), outcomes.codes_of(1)[:1] == b"\\x10"
    (2, True)
    """

    codes: npt.NDArray[np.uint8]
    """Fact codes of all strokes, one stroke after the other: see `read_code`."""
    ends: npt.NDArray[np.int64]
    """Where each stroke's codes end, (n,)."""
    keys: npt.NDArray[np.int64]
    """What a ruling can depend on, packed, (n,): see `read_key`. Strokes with one key are ruled alike, so a
    batch is ruled by ruling its distinct keys."""
    rest: Floats
    """Centres of cue ball, object ball and red at rest in mm, (n, 6); NaN for a ball not on the table."""
    standing: npt.NDArray[np.uint8]
    """Pins standing at rest, bit 0 pin 1, (n,)."""
    leaning: npt.NDArray[np.uint16]
    """Pins leaning on a ball at rest, bit 5 ball + pin, (n,)."""
    counts: npt.NDArray[np.int32]
    """Events of each stroke, (n,)."""
    durations: Floats
    """Seconds until rest, (n,)."""
    flagged: npt.NDArray[np.bool_]
    """Strokes cut short because they had too many events; not to be ruled on, (n,)."""

    def __len__(self) -> int:
        return len(self.ends)

    def codes_of(self, n: int) -> bytes:
        """The fact codes of stroke n, those of its `Trace.codes`."""
        first = int(self.ends[n - 1]) if n else 0
        return self.codes[first : int(self.ends[n])].tobytes()

    @cached_property
    def fallen(self) -> npt.NDArray[np.int8]:
        """Which ball felled which pin, (n, 5): -1 none, 0 cue ball, 1 object ball, 2 red; chains included.

        Add nothing for a pin that had leaned: the codes tell how each fell.
        """
        import numpy as np  # noqa: PLC0415 - loaded by the batch that made this

        felled = np.full((len(self), 5), -1, dtype=np.int8)
        places = np.flatnonzero(self.codes >= kernel.CODE_PIN)
        rest = (self.codes[places] - kernel.CODE_PIN) % 15
        felled[np.searchsorted(self.ends, places, side="right"), rest % 5] = rest // 5
        return felled

    def position(
        self, n: int, before: Position, model: Model = STANDARD, *, striker: Colour = Colour.WHITE
    ) -> tuple[Position, tuple[tuple[Pin, Colour], ...]]:
        """The rest position of stroke n, played from `before`, and the pins that lean: as in its trace."""
        centres = [float(v) for v in self.rest[n]]
        return rest_position(before, striker, model, centres, int(self.standing[n]), int(self.leaning[n]))


def position_table(
    positions: Sequence[Position], model: Model = STANDARD, *, striker: Colour = Colour.WHITE
) -> Floats:
    """Positions as rows of 16 numbers in mm: cue ball, object ball, red, pins 1 to 5, each x and y.

    NaN stands for a ball or pin that is not in play. Raises `ImpossiblePosition` for the first bad one.
    """
    import numpy as np  # noqa: PLC0415 - a single stroke does without numpy

    return np.array([row_of(p.validate(model.table), striker, model) for p in positions]).reshape(-1, 16)


def cue_table(cues: Sequence[Cue]) -> Floats:
    """Cues as rows of speed, aim, side, height and elevation."""
    import numpy as np  # noqa: PLC0415

    return np.array([(c.speed, c.aim, c.side, c.height, c.elevation) for c in cues], float).reshape(-1, 5)


def simulate_many(
    positions: Position | Sequence[Position] | Floats,
    cues: Sequence[Cue] | Floats,
    model: Model = STANDARD,
    *,
    striker: Colour = Colour.WHITE,
    executor: Executor | None = None,
    threads: int | None = None,
    message: Message = tell,
    progress: Callable[[int], None] | None = None,
) -> Outcomes:
    """Plays many strokes, each with the very result of `simulate`, in any number of threads.

    `positions` is one for all cues or one each; arrays are those of `position_table` and `cue_table`.
    Without an executor `threads` (by default all cores) share the work; with one, it gets chunks of strokes.
    `progress` is called with the number of strokes each chunk has added. Raises `SimulationError` naming the
    strokes that cannot be played.
    """
    import numpy as np  # noqa: PLC0415

    q = _numbers(model)
    if isinstance(positions, Position):
        positions = [positions]
    tables = (
        positions if isinstance(positions, np.ndarray) else position_table(positions, model, striker=striker)
    )
    shots = cues if isinstance(cues, np.ndarray) else cue_table(cues)
    _check_tables(tables, shots, model)
    n = len(shots)
    out = Outcomes(
        codes=np.empty(0, np.uint8),
        ends=np.empty(n, np.int64),
        keys=np.empty(n, np.int64),
        rest=np.empty((n, 6)),
        standing=np.empty(n, np.uint8),
        leaning=np.empty(n, np.uint16),
        counts=np.empty(n, np.int32),
        durations=np.empty(n),
        flagged=np.empty(n, np.bool_),
    )
    pieces, filled = [], 0
    for first, played in _played(q, tables, shots, executor, threads, message):
        codes, ends, *rest = played
        last = first + len(ends)
        out.ends[first:last] = ends + filled
        wholes: tuple[npt.NDArray[Any], ...] = (
            out.keys, out.rest, out.standing, out.leaning, out.counts, out.durations
        )  # fmt: skip
        for whole, part in zip(wholes, rest, strict=True):
            whole[first:last] = part
        filled += len(codes)
        pieces.append(codes)
        if progress is not None:
            progress(len(ends))
    np.greater_equal(out.counts, model.most_events, out=out.flagged)
    joined = np.concatenate(pieces) if pieces else np.empty(0, np.uint8)
    return replace(out, codes=joined)


def _played(
    q: Floats, tables: Floats, shots: Floats, executor: Executor | None, threads: int | None, message: Message
) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """The chunks' results in order, with the number of their first stroke."""
    starts = range(0, len(shots), CHUNK)
    if executor is not None:
        yield from _through(executor, q, tables, shots, starts, ahead=1_000_000)
        return
    compiled(message)
    workers = min(threads or os.cpu_count() or 1, max(1, len(starts)))
    if workers == 1:
        for first in starts:
            yield first, play_chunk(q, *_chunk(tables, shots, first))
        return
    with ThreadPoolExecutor(workers) as pool:
        yield from _through(pool, q, tables, shots, starts, ahead=2 * workers)


def _through(
    pool: Executor, q: Floats, tables: Floats, shots: Floats, starts: range, ahead: int
) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """The same from an executor, with no more than `ahead` chunks in flight."""
    waiting: list[tuple[int, Future[tuple[Any, ...]]]] = []
    for first in starts:
        waiting.append((first, pool.submit(play_chunk, q, *_chunk(tables, shots, first))))
        if len(waiting) > ahead:
            start, future = waiting.pop(0)
            yield start, future.result()
    for start, future in waiting:
        yield start, future.result()


def _chunk(tables: Floats, shots: Floats, first: int) -> tuple[Floats, Floats]:
    """The rows of one chunk, copied only where compiled code could not take them; one table serves all."""
    import numpy as np  # noqa: PLC0415

    # Another layout or a read-only array is another type to numba, for which all would be compiled again.
    part = np.require(shots[first : first + CHUNK], np.float64, ["C", "W", "A"])
    if len(tables) == 1:
        return np.repeat(np.asarray(tables, dtype=np.float64), len(part), axis=0), part
    return np.require(tables[first : first + CHUNK], np.float64, ["C", "W", "A"]), part


def play_chunk(q: Floats, tables: Floats, shots: Floats) -> tuple[Any, ...]:
    """Plays one chunk with compiled code: codes, ends, keys, rest, standing, leaning, counts, durations.

    An executor runs this in its workers; it takes and returns arrays only.
    """
    import numpy as np  # noqa: PLC0415

    play_many = compiled()["play_many"]
    n = len(shots)
    room = 2 * int(q[-1])
    codes = np.empty(16 * n + room, np.uint8)
    ends, keys, counts = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int32)
    rest, times = np.empty((n, 6)), np.empty(n)
    standing, lean = np.empty(n, np.uint8), np.empty(n, np.uint16)
    pieces, first, filled_before = [], 0, 0
    while first < n:
        begun = first
        first, filled = play_many(
            q, tables, shots, first, codes, ends, keys, rest, standing, lean, counts, times
        )
        ends[begun:first] += filled_before
        filled_before += filled
        pieces.append(codes[:filled].copy())
    joined = np.concatenate(pieces) if pieces else codes[:0]
    return joined, ends, keys, rest, standing, lean, counts, times


def simulate_compiled(
    position: Position,
    cue: Cue,
    model: Model = STANDARD,
    *,
    striker: Colour = Colour.WHITE,
    message: Message = tell,
) -> Trace:
    """The very trace of `simulate`, played by compiled code: for searches that need many whole traces."""
    import numpy as np  # noqa: PLC0415

    play = compiled(message)["record"]
    row = np.array(checked_row(position, cue, model, striker))
    shot = np.array((cue.speed, cue.aim, cue.side, cue.height, cue.elevation))
    room = 256
    while True:
        events, ends = array("d", bytes(72 * room)), array("d", bytes(104))
        arcs = [array("d", bytes(112 * room)) for _ in range(3)]
        buffers = [np.frombuffer(rows) for rows in (events, *arcs, ends)]
        if play(_numbers(model), row, shot, *buffers):
            return finished(position, cue, model, striker, events, arcs, ends)
        room *= 4


@lru_cache(maxsize=32)
def _numbers(model: Model) -> Floats:
    import numpy as np  # noqa: PLC0415

    return np.array(numbers(model))


# ── input ────────────────────────────────────────────────────────────────────────────────────────────


def _check_tables(tables: Floats, shots: Floats, model: Model) -> None:
    """Raises `SimulationError` with the first strokes that cannot be played and every reason of each."""
    import numpy as np  # noqa: PLC0415

    if tables.ndim != 2 or tables.shape[1] != 16 or shots.ndim != 2 or shots.shape[1] != 5:
        raise SimulationError(
            f"positions have shape {tables.shape}, cues {shots.shape}",
            hint="(n, 16) or (1, 16) and (n, 5): see position_table and cue_table",
        )
    if len(tables) not in (1, len(shots)):
        raise SimulationError(
            f"{len(tables)} positions for {len(shots)} cues", hint="one for all, or one each"
        )
    bad = _in_chunks(tables, model, _bad_tables)
    if len(tables) == 1:
        bad = np.repeat(bad, len(shots))
    bad |= _in_chunks(shots, model, _bad_shots)
    if not bad.any():
        return
    bad_ones = [int(n) for n in np.flatnonzero(bad)]
    reasons = [
        f"stroke {n}: " + "; ".join(_reasons(tables[n if len(tables) > 1 else 0], shots[n], model))
        for n in bad_ones[:5]
    ]
    more = f" … and {len(bad_ones) - 5} more" if len(bad_ones) > 5 else ""
    raise SimulationError(" | ".join(reasons) + more, hint="leave these strokes out or mend them")


def _in_chunks(
    rows: Floats, model: Model, bad: Callable[[Floats, Model], npt.NDArray[np.bool_]]
) -> npt.NDArray[np.bool_]:
    """What `bad` says of all rows, a chunk at a time: the threads wait for it, and the cache is quicker."""
    import numpy as np  # noqa: PLC0415

    found = np.zeros(len(rows), np.bool_)
    with np.errstate(invalid="ignore"):  # what is not finite is bad, and no news
        for first in range(0, len(rows), CHUNK):
            found[first : first + CHUNK] = bad(rows[first : first + CHUNK], model)
    return found


def _bad_shots(shots: Floats, model: Model) -> npt.NDArray[np.bool_]:
    """Which rows are no cue."""
    import numpy as np  # noqa: PLC0415

    speed, aim, side, height, elevation = np.array(shots.T, dtype=np.float64, order="C")
    # What is not finite fails one of these comparisons.
    fine = (speed >= 0) & (speed < math.inf) & (np.abs(aim) < math.inf) & (elevation >= 0) & (elevation < 90)
    fine &= side * side + height * height <= (model.miscue_limit + 1e-12) ** 2
    return np.asarray(~fine, dtype=np.bool_)


def _bad_tables(tables: Floats, model: Model) -> npt.NDArray[np.bool_]:
    """Which rows are no position: a look at all, and a close one at the few that may be bad."""
    import numpy as np  # noqa: PLC0415

    bad = ~_plain_tables(tables, model)
    bad[bad] = _closely_bad(tables[bad], model)
    return np.asarray(bad, dtype=np.bool_)


def _plain_tables(tables: Floats, model: Model) -> npt.NDArray[np.bool_]:
    """Rows with three balls on the bed, well apart, and far from five pins on their seats."""
    import numpy as np  # noqa: PLC0415

    table = model.table
    seats = np.array([table.seat(pin) for pin in PINS]).ravel()
    rows = np.array(tables[:, :6].T, dtype=np.float64, order="C")  # one column after the other
    x, y = rows[0::2], rows[1::2]
    left, width = table.radius, table.width - table.radius
    low, length = table.radius, table.length - table.radius
    clear = table.pitch + table.radius + table.pin_base
    off_x, off_y = np.abs(x - table.width / 2), np.abs(y - table.length / 2)
    fine = (x >= left) & (x <= width) & (y >= low) & (y <= length) & ((off_x > clear) | (off_y > clear))
    plain: Any = fine[0] & fine[1] & fine[2]
    for i, j in ((0, 1), (0, 2), (1, 2)):
        plain &= (x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2 >= 4 * table.radius * table.radius
    return np.asarray(plain & (tables[:, 6:] == seats).all(axis=1), dtype=np.bool_)


def _closely_bad(tables: Floats, model: Model) -> npt.NDArray[np.bool_]:
    """Which rows are no position; written with comparisons that NaN, a ball not there, passes."""
    import numpy as np  # noqa: PLC0415

    table, slack = model.table, 0.01
    x, y = tables[:, 0::2], tables[:, 1::2]
    bx, by = x[:, :3], y[:, :3]
    low, right, top = (
        table.radius - slack,
        table.width - table.radius + slack,
        table.length - table.radius + slack,
    )
    bad: Any = np.isinf(tables).any(axis=1)
    bad |= np.isnan(tables[:, :2]).any(axis=1)
    bad |= (np.isnan(x) != np.isnan(y)).any(axis=1)
    bad |= ((bx < low) | (bx > right) | (by < low) | (by > top)).any(axis=1)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        bad |= np.hypot(bx[:, i] - bx[:, j], by[:, i] - by[:, j]) < 2 * table.radius - slack
    seats = np.array([table.seat(pin) for pin in PINS])
    for k in range(5):
        px, py = x[:, 3 + k], y[:, 3 + k]
        seated = (px == seats[k, 0]) & (py == seats[k, 1])
        bad |= (px < 0) | (px > table.width) | (py < 0) | (py > table.length)
        for i in range(3):
            distance = np.hypot(bx[:, i] - px, by[:, i] - py)
            bad |= distance < np.where(seated, table.radius + table.pin_base, model.pin_topple)
    return np.asarray(bad, dtype=np.bool_)


def _reasons(table: Floats, shot: Floats, model: Model) -> list[str]:
    """Every reason why one row cannot be played, in the words of a single stroke's errors."""
    from fivepins.table import Point  # noqa: PLC0415

    places = [Point(float(table[2 * i]), float(table[2 * i + 1])) for i in range(8)]
    on = [None if place.x != place.x else place for place in places]
    up = [(pin, place) for pin, place in zip(PINS, on[3:], strict=True) if place is not None]
    moved = tuple((pin, place) for pin, place in up if place != model.table.seat(pin))
    position = Position(on[0], on[1], on[2], frozenset(pin for pin, _ in up), moved)
    reasons = [fault.message for fault in position_faults(position, model)]
    if on[0] is None:
        reasons.append("the cue ball is not on the table")
    faults = Cue(*(float(v) for v in shot)).problems(model.miscue_limit)
    return reasons + [fault.message for fault in faults]


# ── compiling ────────────────────────────────────────────────────────────────────────────────────────

_functions: dict[str, Any] = {}
_lock = Lock()


def compiled(message: Message = tell) -> dict[str, Any]:
    """The kernel's functions compiled for this machine, by name; `message` is told before a long wait."""
    with _lock:
        if not _functions:
            _functions.update(_compile(message))
    return _functions


def cache_folder() -> Path:
    """Where compiled code is kept: `$XDG_CACHE_HOME/fivepins`, `~/.cache/fivepins` or a temporary folder.

    The folder is named after the sources, since numba notices a change of neither options nor callees.
    """
    sources = Path(kernel.__file__).read_bytes() + Path(__file__).read_bytes()
    name = hashlib.sha256(sources).hexdigest()[:12]
    base = os.environ.get("XDG_CACHE_HOME")
    folder = (Path(base) if base else Path.home() / ".cache") / "fivepins" / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.gettempdir()) / "fivepins" / name
    return folder if os.access(folder, os.W_OK) else Path(tempfile.gettempdir()) / "fivepins" / name


def _compile(message: Message) -> dict[str, Any]:
    """Copies of the kernel's functions, jitted and bound to one another; only the entries are cached.

    numba takes the cache folder from a global setting when a function is decorated: it is set for that
    moment only, and left alone where the user has set it.
    """
    numba: Any = importlib.import_module("numba")  # only batches pay for it; its settings have no types
    import numpy as np  # noqa: PLC0415

    names = dict(vars(kernel))
    common = {"nogil": True, "error_model": "numpy"}  # no fastmath: the bits must be those of plain Python
    before = numba.config.CACHE_DIR
    if not before:
        numba.config.CACHE_DIR = str(cache_folder())
    try:
        for name, function in vars(kernel).items():
            if isinstance(function, types.FunctionType) and function.__module__ == kernel.__name__:
                copy = types.FunctionType(function.__code__, names, name, function.__defaults__)
                copy.__module__, copy.__qualname__ = kernel.__name__, name
                if name in ENTRIES:
                    names[name] = numba.njit(copy, cache=True, **common)
                else:
                    names[name] = numba.njit(
                        copy,
                        forceinline=name in INLINED,
                        no_cpython_wrapper=True,
                        no_cfunc_wrapper=True,
                        **common,
                    )
        if not _is_cached(Path(numba.config.CACHE_DIR)):
            message("compiling the simulator for this machine; once, about ten seconds")
        _warm(names, np)
    finally:
        numba.config.CACHE_DIR = before
    return names


ENTRIES = ("play_many", "record")
"""The functions that Python calls; all others are compiled into them."""


INLINED = frozenset(
    (
        "step",
        "play",
        "with_meetings",
        "state_step",
        "pair_step",
        "cushion_step",
        "pin_step",
        "fall_step",
        "without_pin",
    )
)
"""What handles whole worlds: inlined, a world need not be copied at every step, which halves the time."""


def _is_cached(folder: Path) -> bool:
    """Whether the compiled entries are there."""
    return all(any(folder.glob(f"**/kernel.{name}-*.nbi")) for name in ENTRIES)


def _warm(names: dict[str, Any], np: Any) -> None:
    """Compiles, or loads from the cache, by playing no stroke."""
    names["play_many"](
        np.zeros(len(kernel.Params._fields)), np.empty((0, 16)), np.empty((0, 5)), 0, np.empty(0, np.uint8),
        np.empty(0, np.int64), np.empty(0, np.int64), np.empty((0, 6)), np.empty(0, np.uint8),
        np.empty(0, np.uint16), np.empty(0, np.int32), np.empty(0),
    )  # fmt: skip
    row = np.full(16, np.nan)
    row[:2] = 500.0
    room = np.empty(28)
    q = np.array(numbers(STANDARD))
    names["record"](q, row, np.zeros(5), np.empty(9), room, room.copy(), room.copy(), np.empty(13))
