"""What is signed and filed: the match paper and the equipment report, as PDF/A and as HTML.

`content` says in words what stands on a paper, in the language asked for; `typeset` makes a PDF of it, `html`
a page. Both get the same content as data, so neither can say what the other does not.
"""

from __future__ import annotations

from fivepins.equipment import Report
from fivepins.notation import Record
from fivepins.paper.content import match_content
from fivepins.paper.equipment import equipment_content
from fivepins.paper.html import page
from fivepins.paper.typeset import typeset
from fivepins.sheet import Sheet

__all__ = ["equipment_paper", "match_html", "match_paper"]


def match_paper(match: Record | Sheet, language: str = "en") -> bytes:
    """The paper of a match as PDF/A, the same bytes every time.

    Raises `FivePinsError` where the record has faults: a paper is made of a sound record only.

    >>> from fivepins.notation import parse_file
    >>> head = "FPN 1\\nA: Rossi\\nB: Bianchi\\nRules: UMB-1997\\nDistance: 60\\nResult: *\\n"
    >>> match_paper(parse_file(head + "\\nset 1 A\\n1. A o r\\n").records[0])[:5]
    b'%PDF-'
    """
    content = match_content(match, language)
    return typeset("match.typ", content, content.date)


def match_html(match: Record | Sheet, language: str = "en") -> str:
    """The same content as a page of HTML that needs no other file.

    >>> from fivepins.notation import parse_file
    >>> text = "FPN 1\\nA: <b>x</b>\\nB: Bianchi\\nRules: UMB-1997\\nDistance: 60\\nResult: *\\n"
    >>> "&lt;b&gt;x&lt;/b&gt;" in match_html(parse_file(text).records[0])
    True
    """
    return page(match_content(match, language))


def equipment_paper(report: Report, language: str = "en") -> bytes:
    """The equipment report as PDF/A, to be signed.

    >>> from fivepins.equipment import report
    >>> equipment_paper(report({"report": {"date": "2026-02-08"}}))[:5]
    b'%PDF-'
    """
    content = equipment_content(report, language)
    return typeset("equipment.typ", content, content.date)
