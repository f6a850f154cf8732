"""What stands on the paper of an equipment report."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from fivepins.equipment import Report, Status
from fivepins.language import N_, language
from fivepins.paper.day import day_of, written
from fivepins.rulebook import RULEBOOKS

_ABOUT = {"place": N_("Site"), "table": N_("Table"), "date": N_("Date"), "by": N_("Measured by")}


@dataclass(frozen=True, slots=True)
class Check:
    """A line of the report: paragraph, question, limit, answer, and how it stands."""

    paragraph: str
    question: str
    limit: str
    answer: str
    status: str
    bad: bool


@dataclass(frozen=True, slots=True)
class EquipmentContent:
    """An equipment report as it is printed."""

    code: str
    date: date | None
    title: str
    head: tuple[tuple[str, str], ...]
    columns: tuple[str, ...]
    checks: tuple[Check, ...]
    verdict: tuple[str, str]
    signatures: tuple[str, ...]
    page: str


def equipment_content(report: Report, code: str = "en") -> EquipmentContent:
    """The report in words.

    >>> from fivepins.equipment import report
    >>> equipment_content(report({})).verdict
    ('Verdict', 'not checked')
    """
    say = language(code).say
    about = dict(report.about)
    day = about.get("date", "–")
    about["date"] = written(day, code)
    book = RULEBOOKS.get(report.rules)
    rules = f"{report.rules} · {book.title}" if book else report.rules
    columns = (N_("Article"), N_("Question"), N_("Limit"), N_("Answer"), N_("Status"))
    return EquipmentContent(
        code,
        day_of(day),
        say(N_("Equipment report")),
        (*((say(label), about.get(key, "–")) for key, label in _ABOUT.items()), (say(N_("Rules")), rules)),
        tuple(map(say, columns)),
        tuple(_checks(report, code)),
        (say(N_("Verdict")), say(report.verdict.value)),
        (say(N_("Measured by")), say(N_("Director"))),
        say(N_("page")),
    )


def _checks(report: Report, code: str) -> list[Check]:
    say = language(code).say
    return [
        Check(
            line.paragraph,
            say(line.question),
            line.limit.say(code) if line.limit else "",
            line.answer(code),
            say(line.status.value) + (f" ({line.approved_by})" if line.approved_by else ""),
            line.status in (Status.FAILS, Status.NOT_CHECKED),
        )
        for line in report.lines
    ]
