"""The referee's words and every message, by language.

The catalogues lie beside this file as `locale/<language>/LC_MESSAGES/fivepins.po`; English is the
language of the source. `N_` marks a text for translation where it is defined, a `Language` speaks it.
"""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path
from typing import Final

from fivepins.errors import FivePinsError
from fivepins.message import Message

LANGUAGES: Final = ("en", "it", "es", "fr", "de")
"""The languages everything is translated into."""

_FOLDER = Path(__file__).parent / "locale"


def N_(message: str) -> str:  # noqa: N802 - gettext's own name for it
    """Mark a text for translation without translating it now."""
    return message


class Language:
    """One language: texts in, translated texts out.

    >>> Language("it").say("Ball in hand")
    'Bilia in mano'
    """

    def __init__(self, code: str) -> None:
        if code not in LANGUAGES:
            raise FivePinsError(
                Message("unknown language: {code!r}", code=code),
                hint=Message("known are {names}", names=", ".join(LANGUAGES)),
            )
        self.code = code
        self._catalogue = (
            gettext.NullTranslations() if code == "en" else gettext.translation("fivepins", _FOLDER, [code])
        )

    def say(self, message: str) -> str:
        """The text in this language."""
        return self._catalogue.gettext(message)

    def tell(self, text: str) -> str:
        """A text that was made in English, in this language: a `Message` with its values, another as it is.

        >>> from fivepins.message import Message
        >>> Language("de").tell(Message("{side} is late already", side="A"))
        'A hat die Zeit schon überschritten'
        """
        if not isinstance(text, Message):
            return text
        values = {
            name: self.tell(one) if isinstance(one, Message) else one for name, one in text.values.items()
        }
        template = self.say(text.template) if text.template else ""
        return template.format(**values) if values else template

    def count(self, one: str, many: str, number: int) -> str:
        """The text for a number of things, with `{n}` filled in."""
        return self._catalogue.ngettext(one, many, number).format(n=number)


@cache
def language(code: str) -> Language:
    """The language of that code; raises `FivePinsError` naming those that exist."""
    return Language(code)
