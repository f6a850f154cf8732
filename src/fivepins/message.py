"""Texts for people that are made where no language is known: errors, hints, what was expected."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self


class Message(str):
    """A text in English that remembers its `template` and its `values`, for `Language.tell`.

    It is the English text wherever a text is wanted. A value may be a `Message` itself.

    >>> told = Message("set {number} expected, not {given}", number=2, given=3)
    >>> told, told.template
    ('set 2 expected, not 3', 'set {number} expected, not {given}')
    """

    __slots__ = ("template", "values")

    template: str
    values: dict[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        """The template with its values filled in, as `str.format` does; without values, the text as it is."""
        if isinstance(template, cls) and not values:
            return template
        message = super().__new__(cls, template.format(**values) if values else template)
        message.template, message.values = template, values
        return message

    @classmethod
    def joined(cls, separator: str, texts: Iterable[str]) -> Message:
        """Several texts as one, each to be told for itself.

        >>> Message.joined("; ", ["a pin is named twice", "no pin is named"])
        'a pin is named twice; no pin is named'
        """
        values = {f"text{number}": cls(text) for number, text in enumerate(texts)}
        return cls(separator.join(f"{{{name}}}" for name in values), **values)
