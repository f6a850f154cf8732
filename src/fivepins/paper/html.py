"""From content to a page of HTML that needs no other file."""

from __future__ import annotations

from pathlib import Path

from fivepins.paper.content import Content


def page(content: Content) -> str:
    """The page of a match paper; every text of the content is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - only pages need it

    loader = FileSystemLoader(Path(__file__).parent)
    shelf = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return shelf.get_template("match.html").render(paper=content)
