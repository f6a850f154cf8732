"""The files of the pages: read once, packed once, and kept by browsers for ever under their digest."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from rcssmin import cssmin
from rjsmin import jsmin

FOR_EVER: Final = "public, max-age=31536000, immutable"
NOT_KEPT: Final = "no-cache"


class File(NamedTuple):
    """A file as it is sent."""

    kind: str
    plain: bytes
    packed: bytes


class Statics:
    """Every file below `desk/static`, by its path."""

    @cached_property
    def files(self) -> dict[str, File]:
        """The files, packed."""
        return {
            name: _file(name, one.read_bytes()) for name, one in _below(files("fivepins.desk") / "static")
        }

    @cached_property
    def digest(self) -> str:
        """A word that changes when any of the files does."""
        sums = hashlib.sha256()
        for name, one in sorted(self.files.items()):
            sums.update(f"{name} {len(one.plain)} ".encode() + one.plain)
        return sums.hexdigest()[:12]

    def address(self, name: str) -> str:
        """Where a file is found; raises `KeyError` where there is none, as a page should not ask for it."""
        if name:
            self.files[name]
        return f"/static/{self.digest}/{name}"


def _below(folder: Traversable, before: str = "") -> list[tuple[str, Traversable]]:
    found = []
    for one in sorted(folder.iterdir(), key=lambda one: one.name):
        name = f"{before}{one.name}"
        found += _below(one, f"{name}/") if one.is_dir() else [(name, one)]
    return found


_SMALLER = {".js": jsmin, ".css": cssmin}
"""What takes out the comments and blanks that no browser reads: a third of what a tablet has to fetch."""


def _file(name: str, content: bytes) -> File:
    if smaller := _SMALLER.get(PurePosixPath(name).suffix):
        content = smaller(content.decode()).encode()
    kind = "application/manifest+json" if name.endswith(".webmanifest") else mimetypes.guess_type(name)[0]
    kind = "text/javascript" if name.endswith(".js") else kind or "application/octet-stream"
    return File(kind, content, gzip.compress(content, 9, mtime=0))
