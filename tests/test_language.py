"""Every text in every language: complete, compiled, and in the words of the sport."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from catalogues import (
    FAULTS,
    PLURALS,
    SOURCE,
    TERMINAL,
    TRANSLATED,
    called,
    calls,
    compiled,
    extract,
    faulted,
    marked,
    missing,
    path,
    read,
    scripted,
    strings,
    templated,
    told,
    updated,
    written,
)
from fivepins.desk.words import SCRIPT
from fivepins.errors import FivePinsError
from fivepins.language import LANGUAGES, Language, language
from fivepins.paper.figures import LABELS
from fivepins.rulebook import FIBIS_2022
from fivepins.rules import ANNOUNCEMENTS, Derived, rule
from fivepins.stroke import Foul
from fivepins.tokens import parse_stroke

TEXTS = extract()
MEND = "run `make catalogues` and fill in what it names"


def placeholders(text: str) -> list[str]:
    """The fields a text leaves open."""
    return sorted(re.findall(r"\{[^}]*\}", text))


def test_page_scripts_say_only_texts_that_the_pages_bring_along() -> None:
    labels = set(LABELS.values())  # said by the key of a figure
    assert scripted() | labels == set(SCRIPT)


def test_a_text_in_a_template_is_found() -> None:
    assert list(templated('{% macro x(a) %}{{ a }}{% endmacro %}{{ x(say("Lag")) }}{{ say(word) }}')) == [
        "Lag"
    ]


# -- the catalogues ----------------------------------------------------------------------------------


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_text_of_the_source_is_translated_and_no_other(code: str) -> None:
    ids = {message.id for message in read(code) if message.id}
    assert ids == set(TEXTS), MEND
    assert not list(missing(code)), MEND


@pytest.mark.parametrize("code", TRANSLATED)
def test_nothing_is_fuzzy_or_obsolete(code: str) -> None:
    catalogue = read(code)
    assert not [message.id for message in catalogue if message.id and message.fuzzy]
    assert not catalogue.obsolete
    assert "#~" not in path(code).read_text("utf-8")


@pytest.mark.parametrize("code", TRANSLATED)
def test_the_compiled_catalogue_is_what_the_written_one_says(code: str) -> None:
    assert path(code, ".mo").read_bytes() == compiled(code), MEND


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_translation_leaves_open_what_the_text_does(code: str) -> None:
    for message in read(code):
        if not message.id:
            continue
        ids = [message.id] if isinstance(message.id, str) else list(message.id)
        wrong = [text for text in strings(message) if placeholders(text) != placeholders(ids[-1])]
        assert not wrong, message.id


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_text_with_a_number_has_both_forms(code: str) -> None:
    assert f"Plural-Forms: nplurals=2; plural={PLURALS[code]};" in path(code).read_text("utf-8")
    assert all(len(strings(message)) == (1 if isinstance(message.id, str) else 2) for message in read(code))


@pytest.mark.parametrize("code", TRANSLATED)
def test_writing_again_changes_nothing_and_tells_no_date(code: str) -> None:
    text = written(updated(code))
    assert text == written(updated(code))
    assert not re.search(rb"-Date:|Generated|Babel|\d{4}-\d\d-\d\d \d\d:", text)


def test_a_translation_begins_as_its_text_does() -> None:
    """An announcement stands inside a sentence, so it has a small letter; German nouns have none."""
    for code in ("it", "es", "fr"):
        for text in (text for text in TEXTS if isinstance(text, str) and text[0].isalpha()):
            said = language(code).say(text).lstrip("¿¡")
            assert said[0].isupper() == text[0].isupper(), f"{code}: {said}"


def test_the_compiled_catalogues_are_all_there_is_to_speak() -> None:
    assert ("en", *TRANSLATED) == LANGUAGES
    for code in LANGUAGES:
        assert language(code) is language(code)
        assert Language(code).code == code


def test_an_unknown_language_is_refused_by_name() -> None:
    with pytest.raises(FivePinsError, match="unknown language: 'pt'") as caught:
        Language("pt")
    assert caught.value.hint == "known are en, it, es, fr, de"


def test_what_marks_a_text() -> None:
    code = """
N_("a" "b"), speech.say("c"), speech.count("{n} d", "{n} ds", number), Message("{h} i", h=h)
ruling.say("it"), speech.say(word), data.count(b"e"), text.count("f"), N_(f"{g}")
"""
    assert list(marked(code)) == ["ab", "c", ("{n} d", "{n} ds"), "{h} i"]


def test_what_a_fault_tells_is_found() -> None:
    code = 'IllegalEvent("a", hint="b" if c else d, part="e"); token.fail("f", G), Fault(Message("h"))'
    assert list(faulted(code)) == ["a", "b", "f"]


def test_no_fault_tells_a_text_that_cannot_be_translated() -> None:
    """A text with values is a `Message`; one that is put together otherwise stands in no catalogue."""
    composed = [
        f"{file.relative_to(SOURCE)}:{text.lineno}"
        for file in sorted(SOURCE.rglob("*.py"))
        if not TERMINAL.fullmatch(file.relative_to(SOURCE).as_posix())
        for call in calls(file.read_text("utf-8"))
        if FAULTS.fullmatch(called(call))
        for text in told(call)
        if isinstance(text, ast.JoinedStr | ast.BinOp)
    ]
    assert not composed


GLOSSARY = Path(__file__).parent.parent / "docs" / "rules" / "README.md"


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_spot_is_called_what_the_rule_pages_call_it(code: str) -> None:
    """In Italian a `penitenza`, as in the drawing and the articles of FIBiS; a `punto` is a point."""
    rows = [line.strip("| ").split(" | ") for line in GLOSSARY.read_text("utf-8").splitlines()]
    (words,) = (row for row in rows if row[0] == "spot")
    stem = words[LANGUAGES.index(code)][:-1]
    texts = [
        text
        for text in TEXTS
        if isinstance(text, str) and re.search(r"(?<!')\bspots?\b(?!')", text, re.IGNORECASE)
    ]
    assert texts
    assert not [text for text in texts if stem.lower() not in language(code).say(text).lower()]


# -- numbers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "none", "one", "two"),
    [
        ("en", "0 points", "1 point", "2 points"),
        ("it", "0 punti", "1 punto", "2 punti"),
        ("es", "0 puntos", "1 punto", "2 puntos"),
        ("fr", "0 point", "1 point", "2 points"),
        ("de", "0 Punkte", "1 Punkt", "2 Punkte"),
    ],
)
def test_the_plural_of_a_point(code: str, none: str, one: str, two: str) -> None:
    said = [language(code).count("{n} point", "{n} points", number) for number in (0, 1, 2)]
    assert said == [none, one, two]


# -- the referee -------------------------------------------------------------------------------------

SPOKEN = {
    "o": (
        "Valid, no points.",
        "Valido, nessun punto.",
        "Válido, sin puntos.",
        "Valable, aucun point.",
        "Gültig, keine Punkte.",
    ),
    "o r": (
        "Valid, 4 points.",
        "Valido, 4 punti.",
        "Válido, 4 puntos.",
        "Valable, 4 points.",
        "Gültig, 4 Punkte.",
    ),
    "o /5": (
        "Valid, 8 points.",
        "Valido, 8 punti.",
        "Válido, 8 puntos.",
        "Valable, 8 points.",
        "Gültig, 8 Punkte.",
    ),
    "o c/1": (
        "Pins. 2 points to the opponent.",
        "Birilli. 2 punti all'avversario.",
        "Quillas. 2 puntos para el contrario.",
        "Quilles. 2 points à l'adversaire.",
        "Kegel. 2 Punkte für den Gegner.",
    ),
    "r o": (
        "Red ball. 4 points to the opponent. Ball in hand.",
        "Pallino. 4 punti all'avversario. Bilia in mano.",
        "Bola roja. 4 puntos para el contrario. Bola en mano.",
        "Bille rouge. 4 points à l'adversaire. Bille en main.",
        "Roter Ball. 4 Punkte für den Gegner. Ball in Hand.",
    ),
    "r !foot": (
        "Red ball, foot. 6 points to the opponent. Ball in hand.",
        "Pallino, piede. 6 punti all'avversario. Bilia in mano.",
        "Bola roja, pie. 6 puntos para el contrario. Bola en mano.",
        "Bille rouge, pied. 6 points à l'adversaire. Bille en main.",
        "Roter Ball, Fuß. 6 Punkte für den Gegner. Ball in Hand.",
    ),
}
"""Strokes in FPN, and what is announced in the order of `LANGUAGES`."""


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("facts", SPOKEN)
def test_what_the_referee_says(facts: str, code: str) -> None:
    assert rule(parse_stroke(facts)).say(code) == SPOKEN[facts][LANGUAGES.index(code)]


ANNOUNCED = {
    Derived.OWN_PINS: ("pins", "birilli", "quillas", "quilles", "Kegel"),
    Foul.WRONG_BALL: ("wrong ball", "bilia sbagliata", "bola equivocada", "mauvaise bille", "falscher Ball"),
    Derived.RED_BALL: ("red ball", "pallino", "bola roja", "bille rouge", "roter Ball"),
    Derived.PINS: ("pins", "birilli", "quillas", "quilles", "Kegel"),
    Derived.OBJECT_BALL: (
        "object-ball",
        "bilia avversaria",
        "bola contraria",
        "bille adverse",
        "gegnerischer Ball",
    ),
    Derived.OUTSIDE: ("ball outside", "bilia fuori", "bola fuera", "bille sortie", "Ball außerhalb"),
    Foul.MOTION: (
        "balls in motion",
        "bilie in movimento",
        "bolas en movimiento",
        "billes en mouvement",
        "Bälle in Bewegung",
    ),
    Foul.TIP: ("leather tip", "cuoio", "suela", "procédé", "Leder"),
    Foul.TOUCHED: ("touched", "toccato", "tocado", "touché", "berührt"),
    Foul.CONTACT: (
        "ball in contact",
        "bilia a contatto",
        "bola en contacto",
        "bille en contact",
        "pressliegender Ball",
    ),
    Foul.FOOT: ("foot", "piede", "pie", "pied", "Fuß"),
    Foul.JUMP: (
        "jump of the ball",
        "salto della bilia",
        "salto de la bola",
        "saut de la bille",
        "Sprung des Balles",
    ),
    Foul.PUSH: ("pushed through", "spinta", "retaco", "queutage", "durchgestoßen"),
}
"""The words of article 61, in the order of `LANGUAGES`."""


@pytest.mark.parametrize("foul", ANNOUNCED)
def test_the_words_of_article_61(foul: Foul | Derived) -> None:
    said = tuple(language(code).say(ANNOUNCEMENTS[foul]) for code in LANGUAGES)
    assert said == ANNOUNCED[foul]


def test_no_other_foul_has_a_paragraph_of_61() -> None:
    assert set(ANNOUNCEMENTS) - set(ANNOUNCED) == set(FIBIS_2022.extra_articles)
