"""The equipment report as a page: the questions of articles 11 to 15, and the PDF of the answers.

Nothing is stored: whoever measures prints, signs and files. The app draws the page by `app.state.page`
and sets the paper by `app.state.press`.
"""

from __future__ import annotations

from itertools import groupby
from typing import Annotated, Any

from fastapi import APIRouter, Body, Request, Response
from fastapi.responses import JSONResponse

from fivepins.desk.answers import PDF, sends
from fivepins.desk.errors import answer
from fivepins.desk.press import press_of
from fivepins.desk.spoken import spoken
from fivepins.equipment import Question, questions, report
from fivepins.errors import FivePinsError
from fivepins.language import N_
from fivepins.paper import equipment_paper
from fivepins.rulebook import RULEBOOKS, UMB_1997, Rulebook

router = APIRouter()

_SECTIONS = {
    "table": N_("Table"),
    "balls": N_("Balls"),
    "pins": N_("Pins"),
    "chalk": N_("Chalk"),
    "marks": N_("Spots and lines"),
    "cue": N_("Cues"),
    "light": N_("Light and air"),
    "floor": N_("Floor"),
}
"""What the first word of a question's key is about."""

APPROVALS = {"bed": ("table.slate", "table.thickness"), "weight": ("balls.weight",)}
"""The exceptions a committee may approve, and the questions they excuse."""


@router.get("/equipment", include_in_schema=False)
def form(request: Request, rules: str = UMB_1997.id) -> Response:
    """The form, with the limits of a book; an unknown book is answered with the UMB's."""
    book = RULEBOOKS.get(rules, UMB_1997)
    excused = {key: approval for approval, keys in APPROVALS.items() for key in keys}
    context = {"book": book, "books": RULEBOOKS.values(), "sections": _sections(book), "excused": excused}
    drawn: Response = request.app.state.page(request, "equipment.html", context)
    return drawn


def _sections(book: Rulebook) -> list[tuple[str, list[Question]]]:
    """The questions under the headings of the form."""
    groups = groupby(questions(book), lambda one: one.key.partition(".")[0])
    return [(_SECTIONS[name], list(group)) for name, group in groups]


@router.post("/equipment.pdf", tags=["papers"], **sends(PDF, "busy"))
async def report_pdf(
    request: Request, answers: Annotated[dict[str, Any], Body()], lang: str = "en"
) -> Response:
    """The report on answers in the form of `fivepins equipment --template`, as JSON."""
    try:
        pdf = await press_of(request).once(lambda: equipment_paper(report(answers), lang))
    except FivePinsError as error:
        status, told = answer(error, spoken(lang))
        # A key may hold half a character, which JSON can say and UTF-8 cannot.
        shown = {name: str(text).encode("utf-8", "backslashreplace").decode() for name, text in told.items()}
        return JSONResponse(shown, status)
    headers = {"Content-Disposition": 'attachment; filename="equipment.pdf"'}
    return Response(pdf, media_type="application/pdf", headers=headers)
