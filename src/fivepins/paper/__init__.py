"""What is signed and filed: the match paper, the blank sheet and the equipment report, as PDF/A.

`content`, `blank` and `equipment` say in words what stands on a paper, in the language asked for; `typeset`
makes a PDF of it, `html` a page. Both get the same content as data, so neither can say what the other does
not. All of it may be called from several threads at once.
"""

from __future__ import annotations

from collections.abc import Iterable

from fivepins.equipment import Report
from fivepins.notation import Record
from fivepins.paper.blank import blank_content
from fivepins.paper.content import bundle, match_content
from fivepins.paper.equipment import equipment_content
from fivepins.paper.html import page
from fivepins.paper.typeset import typeset
from fivepins.rulebook import UMB_1997, Rulebook
from fivepins.sheet import Sheet

__all__ = ["equipment_paper", "match_html", "match_paper", "match_papers", "sheet_paper"]


def match_paper(match: Record | Sheet, language: str = "en") -> bytes:
    """The paper of a match as PDF/A, the same bytes every time.

    Raises `FivePinsError` where the record has faults: a paper is made of a sound record only.

    >>> from fivepins.notation import parse_file
    >>> head = "FPN 1\\nA: Rossi\\nB: Bianchi\\nRules: UMB-1997\\nDistance: 60\\nResult: *\\n"
    >>> match_paper(parse_file(head + "\\nset 1 A\\n1. A o r\\n").records[0])[:5]
    b'%PDF-'
    """
    return match_papers([match], language)


def match_papers(matches: Iterable[Record | Sheet], language: str = "en") -> bytes:
    """The papers of several matches as one PDF/A, each on pages of its own with numbers of its own.

    Raises `FivePinsError` where a record has faults, and where there is no match.
    """
    content = bundle(tuple(match_content(match, language) for match in matches), language)
    return typeset("match.typ", content, content.date)


def match_html(match: Record | Sheet, language: str = "en") -> str:
    """The same content as a page of HTML that needs no other file.

    >>> from fivepins.notation import parse_file
    >>> text = "FPN 1\\nA: <b>x</b>\\nB: Bianchi\\nRules: UMB-1997\\nDistance: 60\\nResult: *\\n"
    >>> "&lt;b&gt;x&lt;/b&gt;" in match_html(parse_file(text).records[0])
    True
    """
    return page(match_content(match, language))


def sheet_paper(language: str = "en", match: Record | None = None, book: Rulebook = UMB_1997) -> bytes:
    """The sheet to go on with by pencil, a page a set: the head of a match filled in, or left empty.

    Of a record only the head is read, so one whose lines are at fault will do; a head without terms counts as
    none. The book is that of the match where there is one.

    >>> sheet_paper("it")[:5]
    b'%PDF-'
    """
    content = blank_content(language, match, book)
    return typeset("blank.typ", content, content.date)


def equipment_paper(report: Report, language: str = "en") -> bytes:
    """The equipment report as PDF/A, to be signed.

    >>> from fivepins.equipment import report
    >>> equipment_paper(report({"report": {"date": "2026-02-08"}}))[:5]
    b'%PDF-'
    """
    content = equipment_content(report, language)
    return typeset("equipment.typ", content, content.date)
