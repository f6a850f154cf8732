"""Disks that take nothing: a small one that is really full, and one that refuses all a process writes."""

from __future__ import annotations

import contextlib
import functools
import resource
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol

SMALL: Final = 4
"""Megabytes of the disk that is filled."""
SIZE: Final = 16 * 1024 * 1024
"""Bytes of the disk that fails."""


class Room(Protocol):
    """What takes the room away from a server that runs, and gives it back."""

    def take(self, process: int) -> None: ...

    def give(self, process: int) -> None: ...


class Refusing:
    """A limit on what a process may write into files: to it, the disk fails at once. It needs no rights."""

    def take(self, process: int) -> None:
        """Refuse every write."""
        self._limit(process, 0)

    def give(self, process: int) -> None:
        """Let it write again."""
        self._limit(process, resource.RLIM_INFINITY)

    def _limit(self, process: int, most: int) -> None:
        _, hard = resource.prlimit(process, resource.RLIMIT_FSIZE)
        resource.prlimit(process, resource.RLIMIT_FSIZE, (most, hard))


class Full:
    """A mounted disk of a few megabytes, filled to the last byte."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def take(self, _process: int = 0) -> None:
        """Fill it."""
        with self._ballast.open("ab", buffering=0) as file:
            for size in (65_536, 4_096, 1):
                with contextlib.suppress(OSError):
                    while file.write(bytes(size)):
                        pass

    def give(self, _process: int = 0) -> None:
        """Make room."""
        self._ballast.unlink()


@contextlib.contextmanager
def mounted(folder: Path) -> Iterator[Path]:
    """A small disk of its own at a folder; raises `CalledProcessError` where nobody may mount."""
    folder.mkdir(exist_ok=True)
    run("mount", "-t", "tmpfs", "-o", f"size={SMALL}m", "none", str(folder))
    try:
        yield folder
    finally:
        run("umount", str(folder))


class Failing:
    """A disk in a file, which the system locks in mid-write as it does when the hardware fails."""

    def __init__(self, image: Path, folder: Path) -> None:
        self._image, self._folder = image, folder
        image.write_bytes(bytes(SIZE))
        run("mkfs.ext4", "-q", str(image))
        folder.mkdir(exist_ok=True)
        self.mount()

    def mount(self) -> None:
        """Put it in."""
        run("mount", "-o", "loop", str(self._image), str(self._folder))

    def fail(self) -> None:
        """From here on it takes nothing, not even into files that are open."""
        run("mount", "-o", "remount,abort", str(self._folder))

    def remove(self) -> None:
        """Take it out."""
        run("umount", str(self._folder))

    def repair(self) -> None:
        """Look through it, as a system does at its next start."""
        subprocess.run(["e2fsck", "-fy", str(self._image)], check=False, capture_output=True)


def run(*words: str) -> None:
    """A command of the system."""
    subprocess.run(words, check=True, capture_output=True)


@functools.cache
def mountable() -> bool:
    """Whether this process may mount a disk: root may, and not in every container."""
    try:
        with tempfile.TemporaryDirectory() as folder, mounted(Path(folder)):
            return True
    except (OSError, subprocess.CalledProcessError):
        return False


@functools.cache
def breakable() -> bool:
    """Whether this process may mount a disk that is a file, and so break one."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            Failing(Path(folder, "image"), Path(folder, "disk")).remove()
            return True
    except (OSError, subprocess.CalledProcessError):
        return False
