"""The catalogues of `fivepins.language`, from the source: extract, update, compile.

`make catalogues` runs this file; `test_language.py` reads the catalogues with the same functions. Nothing
that is written depends on the day, the machine or the version of Babel.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import TypeAlias

from babel.messages import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment, nodes

from fivepins.language import LANGUAGES

SOURCE = Path(__file__).parent.parent / "src" / "fivepins"
TRANSLATED = LANGUAGES[1:]
PLURALS = {"it": "(n != 1)", "es": "(n != 1)", "fr": "(n > 1)", "de": "(n != 1)"}
"""When the plural is used. Newer tables add a form for whole millions, which no score will see."""

Key: TypeAlias = str | tuple[str, str]
"""A text, or the singular and the plural of a text with a number."""


class Plain(Catalog):
    """A catalogue whose header holds what gettext needs and nothing that changes by itself."""

    @property
    def num_plurals(self) -> int:
        """One form for one thing, one for several."""
        return 2

    @property
    def plural_expr(self) -> str:
        """Which form a number takes."""
        return PLURALS[str(self.locale_identifier)]

    @property
    def plural_forms(self) -> str:
        """Both, as the header says them."""
        return f"nplurals={self.num_plurals}; plural={self.plural_expr};"

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """Language, character set and plural forms."""
        return [
            ("Language", str(self.locale_identifier)),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Plural-Forms", self.plural_forms),
        ]

    @mime_headers.setter
    def mime_headers(self, headers: object) -> None:
        """Ignored: the constructor of the base class sets what it knows."""


def path(code: str, suffix: str = ".po") -> Path:
    """Where the catalogue of a language lies."""
    return SOURCE / "locale" / code / "LC_MESSAGES" / f"fivepins{suffix}"


TERMINAL = re.compile(
    "(cli|physics)/.*|(drawing|testing|perft|referee)[.]py|desk/(addresses|certificate|demo|doors|serve)[.]py"
)
"""Files whose faults are told in a terminal only, in English."""


def extract() -> dict[Key, list[str]]:
    """Every text of the source, in its order, with the files it stands in."""
    found: dict[Key, list[str]] = {}
    for pattern, texts in (("*.py", marked), ("*.html", templated)):
        for file in sorted(SOURCE.rglob(pattern)):
            place = file.relative_to(SOURCE).as_posix()
            code = file.read_text("utf-8")
            faults = pattern == "*.py" and not TERMINAL.fullmatch(place)
            for key in (*texts(code), *(faulted(code) if faults else ())):
                places = found.setdefault(key, [])
                if place not in places:
                    places.append(place)
    return found


def templated(template: str) -> Iterator[Key]:
    """The texts that a template says."""
    for call in Environment(autoescape=True).parse(template).find_all(nodes.Call):
        match call:
            case nodes.Call(node=nodes.Name(name="say"), args=[nodes.Const(value=str(text)), *_]):
                yield text


def scripted() -> set[str]:
    """The texts that page scripts say: `say("…")`, on one line."""
    said = re.compile(r'\bsay\("((?:[^"\\]|\\.)*)"')
    scripts = (SOURCE / "desk" / "static").rglob("*.js")
    return {text for file in scripts for text in said.findall(file.read_text("utf-8"))}


FAULTS = re.compile(
    "FivePinsError|NotationError|IllegalEvent|CheckFailed|Fault|Unavailable|StoreError|Closed|Reused|Forbidden"
    "|Unrecognised|NoSuch[A-Z][a-z]+|fail|_?fault"
)
"""What is given a message and a hint: a text that stands there plainly is one of ours."""


def marked(code: str) -> Iterator[Key]:
    """The texts that some Python marks.

    `N_("…")`, `Message("…")`, `.say("…")` and `.count("…", "…", number)`.
    Babel's own extractor reads tokens and takes `data.count(b"…")` for a mark; the syntax tree cannot err.
    """
    for call in calls(code):
        name = called(call)
        texts = [
            arg.value for arg in call.args[:2] if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
        ]
        if name == "count" and len(texts) == 2:
            yield texts[0], texts[1]
        # `ruling.say("it")` asks for a language and speaks no text.
        elif name in ("N_", "say", "Message") and texts and texts[0] not in LANGUAGES:
            yield texts[0]


def faulted(code: str) -> Iterator[Key]:
    """The messages and hints of faults that stand in some Python as they are."""
    for call in calls(code):
        if FAULTS.fullmatch(called(call)):
            yield from (str(text.value) for text in told(call) if isinstance(text, ast.Constant))


def calls(code: str) -> list[ast.Call]:
    """Every call, in the order of the text."""
    found = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def called(call: ast.Call) -> str:
    """The name of what is called."""
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def told(call: ast.Call) -> Iterator[ast.expr]:
    """What a fault tells: its message and its hint; of a choice, both."""
    waiting = [*call.args[:2], *(keyword.value for keyword in call.keywords if keyword.arg == "hint")]
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, ast.IfExp):
            waiting[:0] = [one.body, one.orelse]
        elif not isinstance(one, ast.Constant) or (isinstance(one.value, str) and one.value):
            yield one


def read(code: str) -> Catalog:
    """The catalogue of a language as it is written."""
    with path(code).open("rb") as file:
        return read_po(file, locale=code)


def updated(code: str) -> Plain:
    """The texts of the source with the translations there are; those of texts that are gone are dropped."""
    old = read(code) if path(code).exists() else Catalog(code)
    new = Plain(code, header_comment="", fuzzy=False)
    for key, places in extract().items():
        known = old.get(key if isinstance(key, str) else key[0])
        # A text that got a plural, or lost it, is another text.
        string = known.string if known and isinstance(known.string, str) == isinstance(key, str) else None
        new.add(key, string, locations=[(place, 1) for place in places])
    return new


def written(catalogue: Catalog) -> bytes:
    """The catalogue as the text of a .po file."""
    buffer = BytesIO()
    write_po(buffer, catalogue, width=100, include_lineno=False)
    return buffer.getvalue().strip() + b"\n"


def compiled(code: str) -> bytes:
    """The .mo file that the .po file of a language compiles to."""
    plain = Plain(code, header_comment="", fuzzy=False)
    for message in read(code):
        if message.id:
            plain.add(message.id, message.string)
    buffer = BytesIO()
    write_mo(buffer, plain)
    return buffer.getvalue()


def strings(message: Message) -> list[str]:
    """The translations of a message: one, or singular and plural."""
    return [message.string] if isinstance(message.string, str) else list(message.string or [""])


def missing(code: str) -> Iterator[str]:
    """The texts that a language lacks, or has in part."""
    for message in read(code):
        if message.id and not all(strings(message)):
            yield str(message.id)


def main() -> int:
    """Update and compile all; returns 1 if a translation is missing."""
    lacking: dict[str, list[str]] = {}
    for code in TRANSLATED:
        text = written(updated(code))
        path(code).parent.mkdir(parents=True, exist_ok=True)
        path(code).write_bytes(text)
        path(code, ".mo").write_bytes(compiled(code))
        for message in missing(code):
            lacking.setdefault(message, []).append(code)
    for message, codes in lacking.items():
        print(f"not translated ({' '.join(codes)}): {message}", file=sys.stderr)
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
