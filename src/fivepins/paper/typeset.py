"""From content to PDF/A: the typesetter gets data as JSON and never as source.

The fonts are shipped with the package and those of the system ignored; the date is the paper's, not the
clock's. So the same content gives the same bytes, on every machine.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, date, datetime
from functools import cache
from itertools import groupby
from pathlib import Path
from struct import unpack_from
from typing import TYPE_CHECKING

from fivepins.errors import FivePinsError
from fivepins.message import Message

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_FOLDER = Path(__file__).parent
_FONT = _FOLDER / "fonts" / "DejaVuSansCondensed.ttf"
_JOINERS = "\u200c\u200d"
"""What cannot be seen and yet belongs to the spelling of names in Arabic letters."""


def typeset(template: str, content: DataclassInstance, day: date | None) -> bytes:
    """The PDF/A of some content, set by a template of this package; raises `FivePinsError` if it cannot be.

    Without a day, the document tells none.
    """
    import typst  # noqa: PLC0415 - who never prints needs no typesetter

    data = json.dumps(_clean(asdict(content)), default=str)
    stamp = datetime(day.year, day.month, day.day, tzinfo=UTC) if day else datetime(1970, 1, 1, tzinfo=UTC)
    try:
        made = typst.compile(
            _FOLDER / template,
            root=_FOLDER,
            font_paths=[_FOLDER / "fonts"],
            ignore_system_fonts=True,
            format="pdf",
            pdf_standards="a-2a",
            sys_inputs={"data": data},
            timestamp=int(stamp.timestamp()),
        )
    except RuntimeError as error:
        raise FivePinsError(Message("the paper cannot be set: {error}", error=error)) from error
    if not isinstance(made, bytes):
        raise FivePinsError("the typesetter gave no document")
    return made


def _clean(value: object) -> object:
    """Data with every text in it printable."""
    match value:
        case str():
            return printable(value)
        case list() | tuple():
            return [_clean(one) for one in value]
        case dict():
            return {key: _clean(one) for key, one in value.items()}
        case _:
            return value


def printable(text: str) -> str:
    """The text with the characters the font lacks as their numbers, for PDF/A must not hold an empty box.

    So are those that cannot be seen: a mark that turns the order of letters would turn what is signed.

    >>> printable("Peña 王小明")
    'Peña [U+738B U+5C0F U+660E]'
    """
    known = _characters()
    parts = groupby(text, lambda char: ord(char) in known and (char in _JOINERS or char.isprintable()))
    return "".join(
        "".join(run) if seen else f"[{' '.join(f'U+{ord(char):04X}' for char in run)}]" for seen, run in parts
    )


@cache
def _characters() -> frozenset[int]:
    """The characters of the shipped font: format 12 of its character map, groups of (first, last, glyph)."""
    font = _FONT.read_bytes()
    tables = (unpack_from(">4s4xI", font, 12 + 16 * place) for place in range(unpack_from(">H", font, 4)[0]))
    start = next(offset for tag, offset in tables if tag == b"cmap")
    maps = (
        unpack_from(">4xI", font, start + 4 + 8 * i)[0] for i in range(unpack_from(">H", font, start + 2)[0])
    )
    full = next(start + offset for offset in maps if unpack_from(">H", font, start + offset)[0] == 12)
    groups = (
        unpack_from(">II", font, full + 16 + 12 * i) for i in range(unpack_from(">I", font, full + 12)[0])
    )
    return frozenset(char for first, last in groups for char in range(first, last + 1))
