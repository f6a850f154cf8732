"""The file of a live match: every line is on the disk before anybody is told that it is saved.

A line is appended with one write, flushed and fsynced; what could not be written whole is cut off again,
so the file always ends with the last line that was acknowledged. The header `Result` stays `*` while the
match is open. It is the one thing that is ever rewritten: a copy is written beside the file, fsynced and
renamed over it, all other bytes as they were. Canonical form is the business of `fivepins fmt`.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

from fivepins.errors import FivePinsError

if sys.platform != "win32":
    import fcntl

LARGEST = 4_000_000
"""Bytes a file may have to be resumed; a live match has some ten thousand."""

_RESULT = re.compile(rb"^Result:[^\r\n]*", re.MULTILINE)
_DISK_HINT = "nothing was changed: make room or give permission, then enter it again"


class LogError(FivePinsError):
    """The file cannot be read or written; what it holds is as it was."""


class Log:
    """An open match file that lines are appended to; one program at a time holds it."""

    def __init__(self, path: Path, handle: int, size: int, lines: int) -> None:
        self.path = path
        self.lines = lines
        """The number of the last line in the file."""
        self._handle = handle
        self._size = size
        self._torn = False

    @classmethod
    def create(cls, path: Path, head: str) -> Self:
        """A new file with its head; an existing one is never touched."""
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644)
        except FileExistsError:
            raise LogError(f"{path} exists already", hint=_EXISTS_HINT) from None
        except OSError as error:
            raise LogError(f"{path} cannot be created: {_reason(error)}", hint=_PLACE_HINT) from error
        log = cls(path, handle, 0, 0)
        try:
            log._lock()
            log._write(head.encode())
            _sync_folder(path)
        except OSError as error:
            log.close()
            with contextlib.suppress(OSError):
                path.unlink()
            raise LogError(f"{path} cannot be written: {_reason(error)}", hint=_PLACE_HINT) from error
        return log

    @classmethod
    def open(cls, path: Path) -> Self:
        """The file of a match that goes on."""
        try:
            if not stat.S_ISREG(path.stat().st_mode):
                raise LogError(f"{path} is no file that can be written line by line")
            handle = os.open(path, os.O_RDWR)
            log = cls(path, handle, os.fstat(handle).st_size, 0)
        except (OSError, ValueError) as error:  # a NUL in a path is a ValueError
            raise LogError(f"{path} cannot be opened: {_reason(error)}", hint="which file was it?") from error
        try:
            log._lock()
            if log._size > LARGEST:
                raise LogError(f"{path} is too large for a match: {log._size} bytes")
            log.lines = log.read().count(b"\n")
        except OSError as error:
            log.close()
            raise LogError(f"{path} cannot be read: {_reason(error)}") from error
        except LogError:
            log.close()
            raise
        return log

    def read(self) -> bytes:
        """Everything in the file."""
        os.lseek(self._handle, 0, os.SEEK_SET)
        parts = []
        while part := os.read(self._handle, 1 << 20):
            parts.append(part)
        return b"".join(parts)[: self._size]

    def append(self, line: str) -> None:
        """Put one more line on the disk; raises `LogError` with the file as it was before."""
        try:
            self._unchanged()
            self._write(f"{line}\n".encode())
        except OSError as error:
            raise LogError(f"not saved: {_reason(error)} ({self.path})", hint=_DISK_HINT) from error

    def set_result(self, result: str) -> None:
        """Write the header `Result`, if it says something else."""
        before = self.read()
        after = _RESULT.sub(lambda _: f"Result: {result}".encode(), before, count=1)
        if after != before:
            self._replace(after)

    def keep_tail_as_comment(self) -> str:
        """Turn a last line that was cut off into a comment, and give that comment."""
        whole, _, tail = self.read().rpartition(b"\n")
        comment = f"# cut off: {printable(tail)}"
        self._replace(whole + b"\n" + comment.encode() + b"\n")
        return comment

    def complete_tail(self) -> None:
        """Give a last line without line end its line end."""
        self.append("")

    def close(self) -> None:
        """Let the file go."""
        with contextlib.suppress(OSError):
            os.close(self._handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- the disk --------------------------------------------------------------------------------

    def _lock(self) -> None:
        """Two desks on one file would write over each other's turns."""
        if sys.platform != "win32":
            try:
                fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise LogError(
                    f"{self.path} is being refereed in another terminal", hint="leave that one first: quit"
                ) from None

    def _unchanged(self) -> None:
        """Refuse to write where somebody else wrote, renamed or deleted; cut off what we left torn."""
        here = os.fstat(self._handle)
        try:
            there = self.path.stat()
        except FileNotFoundError:
            raise LogError(
                f"not saved: {self.path} is no longer there",
                hint="put the file back, or start anew from the paper",
            ) from None
        if self._torn and here.st_size > self._size:
            os.ftruncate(self._handle, self._size)
            self._torn = False
        elif (here.st_dev, here.st_ino) != (there.st_dev, there.st_ino) or here.st_size != self._size:
            raise LogError(
                f"not saved: {self.path} was changed by another program",
                hint=f"quit and look at it, then: fivepins referee --resume {self.path}",
            )

    def _write(self, data: bytes) -> None:
        try:
            os.lseek(self._handle, self._size, os.SEEK_SET)
            written = 0
            while written < len(data):
                written += os.write(self._handle, data[written:])
            os.fsync(self._handle)
        except OSError:
            self._torn = True
            with contextlib.suppress(OSError):
                os.ftruncate(self._handle, self._size)
                self._torn = False
            raise
        self._size += len(data)
        self.lines += data.count(b"\n")

    def _replace(self, data: bytes) -> None:
        """Put other contents in the place of the file's, all or nothing."""
        temporary = None
        try:
            self._unchanged()
            handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")
            temporary = Path(name)
            fresh = Log(self.path, handle, 0, 0)
            fresh._lock()
            temporary.chmod(os.fstat(self._handle).st_mode & 0o777)
            fresh._write(data)
            temporary.replace(self.path)
            _sync_folder(self.path)
        except OSError as error:
            if temporary is not None:
                with contextlib.suppress(OSError):
                    os.close(handle)
                    temporary.unlink()
            raise LogError(f"not saved: {_reason(error)} ({self.path})", hint=_DISK_HINT) from error
        self.close()
        self._handle, self._size, self.lines = handle, len(data), fresh.lines


_EXISTS_HINT = "name another with --out, or go on with it: --resume"
_PLACE_HINT = "name a file in a folder that can be written to: --out"


def printable(data: bytes) -> str:
    """Bytes as text for one line, whatever they are."""
    text = data.decode("utf-8", "backslashreplace")
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()


def _sync_folder(path: Path) -> None:
    """A new name is on the disk only when its folder is."""
    if sys.platform == "win32":
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
