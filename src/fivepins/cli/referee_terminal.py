"""The terminal of a live match: lines in, texts out on stderr, and a clock that ticks in the top row.

Without a terminal at either end (a pipe, a test) lines are read as they come and nothing ticks.
"""

from __future__ import annotations

import contextlib
import importlib
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator

from rich.console import Console
from rich.text import Text

UNREADABLE = "\ufffd"
"""Stands for bytes that are no text, so that the notation refuses them at their place."""


class Leave(Exception):
    """Nobody will type any more: the end of the input, or Ctrl-C."""


class Terminal:
    """Where the referee types and reads."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
        self._live = sys.stdin.isatty() and sys.stdout.isatty()
        if self._live:
            with contextlib.suppress(ImportError):
                importlib.import_module("readline")  # gives input() editing and history

    def show(self, rows: Iterable[Text | str]) -> None:
        """Print some rows."""
        for row in rows:
            self._console.print(row)

    def read(self, prompt: str) -> str:
        """One line, without its end; raises `Leave` where there is none."""
        try:
            return self._typed(prompt) if self._live else self._piped(prompt)
        except (EOFError, KeyboardInterrupt):
            raise Leave from None

    def _typed(self, prompt: str) -> str:
        try:
            return input(prompt)
        except UnicodeDecodeError:
            return UNREADABLE

    def _piped(self, prompt: str) -> str:
        self._console.print(prompt, end="")
        line = sys.stdin.buffer.readline()
        if not line:
            raise EOFError
        # Echo what a terminal would have shown, so that the transcript reads like a session.
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        if not sys.stdin.isatty():
            self._console.print(Text(text))
        return text

    @contextlib.contextmanager
    def ticking(self, words: Callable[[], str]) -> Iterator[None]:
        """Show some words in the top row of the screen, anew every half second, while a line is typed.

        Empty words leave the row alone. A bell rings as soon as the words say TIME.
        """
        if not (self._live and sys.stderr.isatty()):
            yield
            return
        done = threading.Event()
        ticker = threading.Thread(target=self._tick, args=(words, done), daemon=True)
        ticker.start()
        try:
            yield
        finally:
            done.set()
            ticker.join()

    def _tick(self, words: Callable[[], str], done: threading.Event) -> None:
        if sys.platform != "win32":  # Ctrl-C is for the thread that reads
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        rung, shown = "TIME" in words(), False
        while not done.wait(0.5):
            if not (now := words()):
                continue
            shown = True
            bell = "\a" if "TIME" in now and not rung else ""
            rung = rung or bool(bell)
            # Save the cursor, write the top row in reverse, clear its rest, put the cursor back.
            sys.stderr.write(f"\0337\033[1;1H\033[7m {now} \033[0m\033[K\0338{bell}")
            sys.stderr.flush()
        if shown:  # a clock that stands must not be taken for one that runs
            sys.stderr.write("\0337\033[1;1H\033[K\0338")
            sys.stderr.flush()
