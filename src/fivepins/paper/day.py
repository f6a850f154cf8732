"""The day as a language writes it."""

from __future__ import annotations

from datetime import date

_FORMS = {"it": "%d/%m/%Y", "es": "%d/%m/%Y", "fr": "%d/%m/%Y", "de": "%d.%m.%Y"}
"""English has two ways to write a day in figures, so there it stays as the notation has it."""


def day_of(text: str | None) -> date | None:
    """The day a header names; None where it names none, or not a whole one."""
    try:
        return date.fromisoformat(text or "")
    except ValueError:
        return None


def written(text: str, code: str) -> str:
    """A header's day in a language; what is no day stays as it was written.

    >>> written("2026-02-08", "de"), written("2026-02-08", "en"), written("spring", "it")
    ('08.02.2026', '2026-02-08', 'spring')
    """
    day = day_of(text)
    return text if day is None else day.strftime(_FORMS.get(code, "%Y-%m-%d"))
