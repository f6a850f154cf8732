"""What an archive refuses: conditions of PDF/A-2a (ISO 19005-2) which the objects of a file can be asked for.

This is no validation, for which there is no package: the font programs, and whether tags make sense, are not
looked at. Each condition names its clause. (Poppler says of every tagged paper "Suspects object is wrong type
(boolean)": a boolean is what ISO 32000 wants there, and poppler takes it for wrong whenever it is false.)
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any, Final

from pypdf import PdfReader
from pypdf.generic import ArrayObject, ContentStream, DictionaryObject, IndirectObject, StreamObject

ACTIONS: Final = {
    "/GoTo3DView", "/Hide", "/ImportData", "/JavaScript", "/Launch", "/Movie", "/Rendition", "/ResetForm",
    "/SetOCGState", "/Sound", "/Trans",
}  # fmt: skip
"""What no paper may do (6.5.1)."""
ANNOTATIONS: Final = {"/Link"}
RGB: Final = b"RGB "


def faults(pdf: bytes) -> list[str]:
    """The conditions that a document breaks."""
    reader = PdfReader(io.BytesIO(pdf))
    found = {fault for one in _objects(reader) for holds, fault in OBJECTS if not holds(one)}
    return sorted(found | {fault for holds, fault in DOCUMENT if not holds(pdf, reader)})


def _objects(reader: PdfReader) -> Iterator[DictionaryObject]:
    """Every dictionary and stream of a document, however deep."""
    size: Any = reader.trailer["/Size"]
    queue: list[Any] = [IndirectObject(number, 0, reader) for number in range(1, size)]
    while queue:
        one = queue.pop()
        one = one.get_object() if isinstance(one, IndirectObject) else one
        if isinstance(one, DictionaryObject):
            yield one
            queue += [value for value in one.values() if not isinstance(value, IndirectObject)]
        elif isinstance(one, ArrayObject):
            queue += [value for value in one if not isinstance(value, IndirectObject)]


def _filters(one: Any) -> set[str]:
    named = one.get("/Filter", [])
    return {named} if isinstance(named, str) else set(named)


def _embedded(one: DictionaryObject) -> bool:
    descriptor: Any = one.get("/FontDescriptor", DictionaryObject()).get_object()
    return any(f"/FontFile{kind}" in descriptor for kind in ("", "2", "3"))


def _is(one: DictionaryObject, kind: str) -> bool:
    return one.get("/Type") == kind


OBJECTS: Final[tuple[tuple[Callable[[Any], object], str], ...]] = (
    (lambda one: not _filters(one) & {"/LZWDecode", "/Crypt"}, "6.1.7 a stream is packed as none may be"),
    (lambda one: not (isinstance(one, StreamObject) and {"/F", "/FFilter"} & set(one)), "6.1.7 data outside"),
    (lambda one: "/EF" not in one and "/EmbeddedFiles" not in one, "6.8 a file within the file"),
    (lambda one: one.get("/Subtype") not in ("/CIDFontType2", "/CIDFontType0", "/TrueType", "/Type1")
     or _embedded(one), "6.2.11.4 a font that is not embedded"),
    (lambda one: one.get("/Subtype") != "/Type0" or "/ToUnicode" in one, "6.2.11.7 glyphs without letters"),
    (lambda one: one.get("/S") not in ACTIONS, "6.5.1 an action"),
    (lambda one: not {"/JavaScript", "/JS", "/AA", "/XFA"} & set(one), "6.5 a script or a trigger"),
    (lambda one: not _is(one, "/Annot") or one["/Subtype"] in ANNOTATIONS, "6.3.1 an annotation"),
    (lambda one: not {"/OPI", "/Ref", "/Alternates", "/PS"} & set(one), "6.2.8 a picture by reference"),
    (lambda one: one.get("/Interpolate") in (None, False), "6.2.8 a picture that is smoothed"),
    (lambda one: "/OCProperties" not in one or "/D" in one["/OCProperties"], "6.9 layers without an order"),
)  # fmt: skip


def _intent(reader: PdfReader) -> bool:
    """Whether one output intent says by an ICC profile which red, green and blue are meant."""
    intents = reader.root_object.get("/OutputIntents", [])
    found = [one.get_object() for one in intents if one.get_object()["/S"] == "/GTS_PDFA1"]
    if len(found) != 1 or "/DestOutputProfile" not in found[0]:
        return False
    profile = found[0]["/DestOutputProfile"].get_object()
    data = profile.get_data()
    size = int.from_bytes(data[:4], "big")
    return (profile["/N"], data[16:20], data[36:40], data[8] <= 4, size) == (3, RGB, b"acsp", True, len(data))


def _shown(reader: PdfReader) -> Iterator[tuple[bytes, Any]]:
    """The operators of all pages, with what they are given."""
    for page in reader.pages:
        for given, operator in ContentStream(page["/Contents"].get_object(), reader).operations:
            yield operator, given


def _drawn_glyphs(reader: PdfReader) -> Iterator[bytes]:
    for operator, given in _shown(reader):
        if operator in (b"Tj", b"TJ"):
            texts = given[0] if isinstance(given[0], list) else given
            for text in (one.original_bytes for one in texts if hasattr(one, "original_bytes")):
                yield from (text[at : at + 2] for at in range(0, len(text), 2))


def _said(xmp: str, name: str) -> str:
    found = re.search(rf"<{name}>(?:<rdf:\w+><rdf:li[^>]*>)?([^<]*)<", xmp)
    return found[1] if found else ""


def _same_in_both(_: bytes, reader: PdfReader) -> bool:
    """Whether the metadata say of the document what its Info says."""
    info, xmp = reader.metadata, reader.xmp_metadata
    if info is None or xmp is None or info.creation_date is None or info.modification_date is None:
        return False
    text = xmp.stream.get_data().decode()
    dates = [re.sub(r"[-:]", "", _said(text, f"xmp:{name}Date"))[:15] for name in ("Create", "Modify")]
    told = [f"{day:%Y%m%dT%H%M%S}" for day in (info.creation_date, info.modification_date)]
    title = unescape(_said(text, "dc:title"))
    return (dates, title, _said(text, "xmp:CreatorTool")) == (told, info.title, info.creator)


def _claims(_: bytes, reader: PdfReader) -> bool:
    text = reader.xmp_metadata.stream.get_data().decode() if reader.xmp_metadata else ""
    packet = re.match(r"<\?xpacket [^>]*\?>", text)
    plain = packet is not None and "bytes=" not in packet[0] and "encoding=" not in packet[0]
    return plain and (_said(text, "pdfaid:part"), _said(text, "pdfaid:conformance")) == ("2", "A")


DOCUMENT: Final[tuple[tuple[Callable[[bytes, PdfReader], object], str], ...]] = (
    (lambda pdf, _: re.match(rb"%PDF-1\.[0-7]\n%[\x80-\xff]{4}", pdf), "6.1.2 the first two lines"),
    (lambda _, reader: "/ID" in reader.trailer and "/Encrypt" not in reader.trailer, "6.1.3 the trailer"),
    (lambda _, reader: _intent(reader), "6.2.3 no profile for its colours"),
    (lambda _, reader: not {b"k", b"K"} & {one for one, _ in _shown(reader)}, "6.2.4.3 colours of a press"),
    (lambda _, reader: b"\0\0" not in set(_drawn_glyphs(reader)), "6.2.11.8 an empty box for a letter"),
    (lambda _, reader: not {"/OpenAction", "/AcroForm", "/Requirements"} & set(reader.root_object), "6.5.2"),
    (_claims, "6.6.4 it does not say that it is PDF/A-2a"),
    (_same_in_both, "6.6.3 its metadata and its Info differ"),
    (lambda _, reader: reader.root_object.get("/MarkInfo", {}).get("/Marked"), "6.7.2 it is not tagged"),
    (lambda _, reader: "/StructTreeRoot" in reader.root_object, "6.7.3 its tags are in no order"),
    (lambda _, reader: reader.root_object.get("/Lang"), "6.7.4 its language is not told"),
)  # fmt: skip
