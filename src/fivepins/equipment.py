"""The equipment report: is this table, in this hall, what chapter II asks for?

A line for every sentence of articles 11 to 15, and for the lines on the floor (45), which are drawn with the
table. Some are measured, some are seen. The answers come as TOML, in the form that `template` writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from enum import Enum
from typing import Final, TypeAlias

from fivepins.errors import FivePinsError
from fivepins.language import N_, language
from fivepins.message import Message
from fivepins.rulebook import RULEBOOKS, UMB_1997, Rulebook, rulebook
from fivepins.table import TABLE

Value: TypeAlias = bool | tuple[float | None, ...] | None
"""An answer: seen or not, or what was measured, thing by thing or place by place; None is not checked."""

_UNITS: Final = {"mm": {"cm": 10.0, "m": 1000.0}, "g": {"kg": 1000.0}, "lux": {"lx": 1.0}}
"""What people write beside the unit of the report, and how much of it that is."""

_SPREAD: Final = "balls.spread"
"""Follows from the weights, so nobody is asked for it."""

_ABOUT: Final = ("place", "table", "date", "by")
_EXCEPTIONS: Final = {"table.slate": "bed", "table.thickness": "bed", "balls.weight": "weight"}
"""The questions where a committee may approve otherwise (11.2, 12.1), and the key of who did."""

_TEXTS: Final = ("report.rules", *(f"report.{key}" for key in _ABOUT), "approved.bed", "approved.weight")


class Status(Enum):
    """How a line stands; the value is its text, for translation."""

    PASSES = N_("passes")
    APPROVED = N_("approved exception")
    NOT_CHECKED = N_("not checked")
    FAILS = N_("fails")

    @classmethod
    def worst(cls, lines: Iterable[Line]) -> Status:
        """The status that decides over several lines: the last of this list that occurs."""
        return max((line.status for line in lines), key=list(cls).index, default=cls.PASSES)


@dataclass(frozen=True, slots=True)
class Limit:
    """What a measure may be, the limits themselves included; `below` is one that is not.

    >>> Limit("mm", 36, 38).say(), Limit("lux", below=5000).say("de")
    ('36 to 38 mm', 'weniger als 5000 lux')
    """

    unit: str
    low: float | None = None
    high: float | None = None
    below: float | None = None

    def allows(self, value: float) -> bool:
        """Whether a measure keeps within it."""
        return (
            (self.low is None or value >= self.low)
            and (self.high is None or value <= self.high)
            and (self.below is None or value < self.below)
        )

    def say(self, code: str = "en") -> str:
        """The limit in words, with its unit."""
        if self.low is not None:
            text = N_("at least {low} {unit}") if self.high is None else N_("{low} to {high} {unit}")
        else:
            text = N_("at most {high} {unit}") if self.below is None else N_("less than {high} {unit}")
        low, high = (
            _number(one, code) for one in (self.low, self.high if self.below is None else self.below)
        )
        return language(code).say(text).format(low=low, high=high, unit=self.unit)


@dataclass(frozen=True, slots=True)
class Question:
    """One sentence of the chapter, as a question to whoever looks at the table.

    `limit` is None where something is seen rather than measured. `things` is how many are measured one by
    one: three balls, five pins.
    """

    paragraph: str
    key: str
    text: str
    limit: Limit | None = None
    things: int = 1


@dataclass(frozen=True, slots=True)
class Line:
    """A question with its answer."""

    paragraph: str
    key: str
    question: str
    """in English, for translation"""
    value: Value
    limit: Limit | None
    """None where the question is answered by yes or no"""
    status: Status
    approved_by: str = ""
    """who approved the exception, where the line is one"""

    def answer(self, code: str = "en") -> str:
        """The value in words: yes, no, or the measures with their unit; a dash for what is not checked."""
        if isinstance(self.value, bool):
            return language(code).say(N_("yes") if self.value else N_("no"))
        if self.value is None or self.limit is None:
            return "–"
        return f"{' · '.join(_number(one, code) for one in self.value)} {self.limit.unit}"


@dataclass(frozen=True, slots=True)
class Report:
    """The answers to all questions of a rule book."""

    rules: str
    about: tuple[tuple[str, str], ...]
    """place, table, date and by whom, as far as written"""
    lines: tuple[Line, ...]

    @property
    def verdict(self) -> Status:
        """That of the worst line: one failure fails the table, one gap leaves the report unfinished."""
        return Status.worst(self.lines)

    @property
    def fit(self) -> bool:
        """Whether the table may be played on: all is checked, and passes or is approved."""
        return self.verdict in (Status.PASSES, Status.APPROVED)

    @property
    def paragraphs(self) -> dict[str, Status]:
        """The status of every paragraph: that of its worst line."""
        numbers = dict.fromkeys(line.paragraph for line in self.lines)
        return {
            number: Status.worst(line for line in self.lines if line.paragraph == number)
            for number in numbers
        }


def _number(value: float | None, code: str) -> str:
    """A number as the language writes it."""
    text = "–" if value is None else f"{value:.10g}"
    return text if code == "en" else text.replace(".", ",")


def _about(figure: float, allowance: float = 0.5) -> Limit:
    """A figure without an allowance in the text is meant to the last digit it is written with."""
    return Limit("mm", figure - allowance, figure + allowance)


def questions(book: Rulebook = UMB_1997) -> tuple[Question, ...]:
    """Every question of the report, in the order of the chapter, with the limits of a book.

    >>> [question.limit.say() for question in questions() if question.key == "balls.weight"]
    ['205 to 220 g']
    """
    return (*_on_the_table(book), *_on_balls_and_pins(book), *_on_the_hall(book))


def _on_the_table(book: Rulebook) -> Iterator[Question]:
    ask, frame = Question, Limit("mm", *book.tolerances.frame_width)
    # The diamonds share the allowance of the length they divide, rounded up to a whole millimetre.
    diamonds = _about(TABLE.length / 8, 1)
    yield ask("11.1", "table.level", N_("Rectangular, smooth and level, of the type of the carom table"))
    yield ask("11.2", "table.slate", N_("The bed is slate"))
    yield ask("11.2", "table.thickness", N_("Thickness of the bed"), Limit("mm", 45))
    yield ask("11.3", "table.cushion_height", N_("Height of the cushions at the nose"), Limit("mm", 36, 38))
    yield ask("11.3", "table.cushions_whole", N_("No cushion has a hole"))
    yield ask("11.4", "table.length", N_("Length of the playing surface"), _about(TABLE.length, 5))
    yield ask("11.4", "table.width", N_("Width of the playing surface"), _about(TABLE.width, 5))
    yield ask("11.5", "table.cushions_fixed", N_("Cushions fixed to the whole length of the frame"))
    yield ask("11.5", "table.frame_width", N_("Width of the frame"), frame)
    yield ask("11.5", "table.frame_smooth", N_("The frame is entirely smooth"))
    yield ask("11.5", "table.frame_colour", N_("The frame is of one colour"))
    yield ask("11.5", "table.cushions_approved", N_("The make of the cushions is approved"))
    yield ask("11.6", "table.diamonds", N_("Distance from diamond to diamond"), diamonds)
    yield ask("11.6", "table.diamonds_lasting", N_("The diamonds are indelible"))
    yield ask("11.6", "table.frame_bare", N_("No maker's mark and nothing else on the frame"))
    yield ask("11.6", "table.corners", N_("Extra diamonds, if any, only two at each of the four corners"))
    yield ask("11.7", "table.cloth_new", N_("The cloth is new"))
    yield ask("11.7", "table.cloth_approved", N_("Make, quality and colour of the cloth are approved"))
    yield ask("11.7", "table.cloth_cover", N_("The cloth covers no more than slate and cushions"))
    yield ask("11.8", "table.height", N_("From the floor to the top of the frame"), Limit("mm", 750, 800))
    yield ask("11.9", "table.heater", N_("An electric heater with a thermostat"))
    yield ask("11.9", "table.heater_on", N_("The heater is on from the set-up to the end of the competition"))


def _on_balls_and_pins(book: Rulebook) -> Iterator[Question]:
    ask, measures = Question, book.tolerances
    weight, spread = Limit("g", *measures.ball_weight), Limit("g", high=measures.ball_spread)
    yield ask("12.1", "balls.approved", N_("Three balls, of approved material and colours"))
    yield ask("12.1", "balls.round", N_("The balls are perfectly round"))
    yield ask("12.1", "balls.diameter", N_("Diameter of each ball"), Limit("mm", 61, 61.5), 3)
    yield ask("12.1", "balls.weight", N_("Weight of each ball"), weight, 3)
    yield ask("12.1", _SPREAD, N_("Between the heaviest and the lightest ball"), spread)
    yield ask("12.2", "pins.approved", N_("Five pins, of approved material and colour"))
    yield ask("12.2", "pins.colours", N_("All of one colour, or four of one and the centre pin of another"))
    yield ask("12.2", "pins.round", N_("The pins are round"))
    yield ask("12.2", "pins.height", N_("Height of each pin"), _about(25), 5)
    yield ask("12.2", "pins.head", N_("Diameter of each pin at the top"), _about(measures.pin_head), 5)
    yield ask("12.2", "pins.ring", N_("Diameter of each pin at its widest, in the lower part"), _about(10), 5)
    yield ask("12.2", "pins.base", N_("Diameter of each pin at the bottom"), _about(2 * TABLE.pin_base), 5)
    yield ask("12.3", "chalk.clean", N_("The chalk does not soil the cloth too much"))


def _on_the_hall(book: Rulebook) -> Iterator[Question]:
    ask, measures = Question, book.tolerances
    floor = Limit("mm", max(0.0, measures.foot_line - 5), measures.foot_line + 5)
    yield ask("13.2", "marks.crosses", N_("The spots are crosses, as fine as possible"))
    yield ask("13.2", "marks.no_rings", N_("No spot is marked by a ring"))
    yield ask("13.3", "marks.lines", N_("The lines on the cloth are drawn as fine as possible"))
    yield ask("13.3", "marks.objects", N_("No line but those on the floor is marked by objects"))
    yield ask("13.4", "marks.places", N_("Spots and lines lie where the drawing has them"))
    yield ask("14.1", "cue.tip", N_("Every cue has one leather tip, at one end"))
    yield ask("14.2", "cue.rake", N_("A rake is at hand"))
    yield ask("15.1", "light.bed", N_("Light at the darkest place of the bed"), Limit("lux", measures.light))
    if measures.humidity is not None:
        yield ask("15.1", "light.humidity", N_("Humidity of the air"), Limit("%", *measures.humidity))
    yield ask("15.2", "light.glare", N_("Light that shines into a player's eyes"), Limit("lux", below=5000))
    yield ask("15.3", "light.lamp", N_("From the bed to the lamp"), Limit("mm", 1000))
    yield ask("15.4", "light.hall", N_("Light in the darkest part of the hall"), Limit("lux", 50))
    yield ask("45", "floor.lines", N_("From the frame to the lines on the floor"), floor)


def template(book: Rulebook = UMB_1997, code: str = "en") -> str:
    """An empty report as TOML, every question of the book a comment in that language above its key.

    >>> import tomllib
    >>> report(tomllib.loads(template())).verdict
    <Status.NOT_CHECKED: 'not checked'>
    """
    say = language(code).say
    heads = (
        N_("Equipment report, articles 11 to 15 and 45"),
        N_('Numbers without their unit; true where it is so, else false; "" for what is not checked'),
        N_("Several places or several things are measured into a list: [1, 2, 3]"),
    )
    exceptions = say(N_("Who approved another bed (11.2) or another weight of the balls (12.1)"))
    lines = [
        *(f"# {say(head)}" for head in heads),
        *("", "[report]", f'rules = "{book.id}"', *(f'{key} = ""' for key in _ABOUT)),
        *("", f"# {exceptions}", "[approved]", 'bed = ""', 'weight = ""'),
    ]
    section = ""
    for question in questions(book):
        before, _, name = question.key.partition(".")
        if question.key == _SPREAD:
            continue
        if before != section:
            lines += ["", f"[{before}]"]
            section = before
        limit = f": {question.limit.say(code)}" if question.limit else ": true | false"
        blank = ", ".join(['""'] * question.things)
        lines.append(f"# {question.paragraph} {say(question.text)}{limit}")
        lines.append(f"{name} = [{blank}]" if question.things > 1 else f"{name} = {blank}")
    return "\n".join(lines) + "\n"


def report(data: Mapping[str, object], book: Rulebook | None = None) -> Report:
    """The report on answers in the form of the template.

    Without a book, the one the data name counts (UMB-1997 if they name none). Keys that only another book
    asks for may stand there. Raises one `FivePinsError` that names every key with an unusable answer.

    >>> for line in report({"table": {"length": 2846, "slate": True}}).lines[1:6:4]:
    ...     print(line.paragraph, line.question, line.answer(), line.status.value, sep=" | ")
    11.2 | The bed is slate | yes | passes
    11.4 | Length of the playing surface | 2846 mm | fails
    """
    texts, values = _read(data, book)
    book = book or rulebook(texts["report.rules"] or UMB_1997.id)
    values[_SPREAD] = _spread(values.get("balls.weight"), book.tolerances.ball_spread)
    lines = tuple(_line(question, values.get(question.key), texts) for question in questions(book))
    about = tuple((key, texts[f"report.{key}"]) for key in _ABOUT if texts[f"report.{key}"])
    return Report(book.id, about, lines)


def _read(data: Mapping[str, object], book: Rulebook | None) -> tuple[dict[str, str], dict[str, Value]]:
    """The texts and the answers by their keys; raises `FivePinsError` with all that is wrong."""
    books = [*RULEBOOKS.values(), *([book] if book else [])]
    asked = {question.key: question for one in books for question in questions(one)}
    del asked[_SPREAD]
    texts, values, faults = dict.fromkeys(_TEXTS, ""), dict[str, Value](), list[FivePinsError]()
    for key, answer in _flat(data):
        try:
            if key in texts:
                texts[key] = _text(key, answer)
            elif key in asked:
                values[key] = _value(asked[key], answer)
            else:
                near = get_close_matches(key, [*texts, *asked], 1)
                hint = Message("is it {key}?", key=near[0]) if near else N_("the template shows every key")
                raise FivePinsError(Message("{key}: no such key", key=key), hint=hint)
        except FivePinsError as fault:
            faults.append(fault)
    if faults:
        hints = dict.fromkeys(fault.hint for fault in faults)
        messages = (fault.message for fault in faults)
        raise FivePinsError(Message.joined("; ", messages), hint=Message.joined(" · ", hints))
    return texts, values


def _flat(data: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """The answers by their full keys."""
    for section, content in data.items():
        if isinstance(content, Mapping):
            yield from ((f"{section}.{key}", answer) for key, answer in content.items())
        else:
            yield section, content


def _text(key: str, answer: object) -> str:
    if isinstance(answer, (str, date)):
        return str(answer).strip()
    raise FivePinsError(
        Message("{key}: {answer!r} is not a text", key=key, answer=answer),
        hint='write it in quotes: "…"',
    )


def _value(question: Question, answer: object) -> Value:
    """An answer, checked."""
    if answer in ("", []):
        return None
    if question.limit is None:
        if isinstance(answer, bool):
            return answer
        raise FivePinsError(
            Message("{key}: {answer!r} is no answer", key=question.key, answer=answer),
            hint='write true, false or ""',
        )
    several = answer if isinstance(answer, list) else [answer]
    if question.things > 1 and len(several) != question.things:
        hint = Message('write {things} in a list, "" for one not taken', things=question.things)
        raise FivePinsError(
            Message(
                "{key}: {several} of {things} measures",
                key=question.key,
                several=len(several),
                things=question.things,
            ),
            hint=hint,
        )
    measures = tuple(_measure(question.key, question.limit.unit, one) for one in several)
    return None if set(measures) == {None} else measures


def _measure(key: str, unit: str, answer: object) -> float | None:
    """One number; a text gets the hint how to write it."""
    if answer == "":
        return None
    if isinstance(answer, bool) or not isinstance(answer, (int, float)):
        hint = Message("write the number alone, in {unit}", unit=unit)
        if found := re.fullmatch(r"\s*(\d+(?:[.,]\d+)?)\s*([a-z%]*)\s*", str(answer)):
            factor = {"": 1.0, unit: 1.0, **_UNITS.get(unit, {})}.get(found[2])
            if factor:
                number = round(float(found[1].replace(",", ".")) * factor, 6)
                hint = Message("{hint}: {number:.10g}", hint=hint, number=number)
        raise FivePinsError(Message("{key}: {answer!r} is not a number", key=key, answer=answer), hint=hint)
    if not 0 <= answer < 1e9:  # nor is nan
        raise FivePinsError(
            Message("{key}: nothing measures {answer!r:.20}", key=key, answer=answer),
            hint="write a number from 0 up",
        )
    return float(answer)


def _spread(weights: Value, most: float) -> Value:
    """Between the heaviest and the lightest ball; two balls can show that it is too much."""
    known = [weight for weight in weights if weight is not None] if isinstance(weights, tuple) else []
    spread = round(max(known, default=0.0) - min(known, default=0.0), 6)
    return (spread,) if len(known) == 3 or spread > most else None


def _line(question: Question, value: Value, texts: Mapping[str, str]) -> Line:
    """A question with its answer, judged."""
    ask, limit, who = question, question.limit, ""
    if isinstance(value, tuple) and limit is not None:
        fails, unfinished = any(one is not None and not limit.allows(one) for one in value), None in value
    else:
        fails, unfinished = value is False, value is None
    status = Status.FAILS if fails else Status.NOT_CHECKED if unfinished else Status.PASSES
    if fails and ask.key in _EXCEPTIONS and (who := texts[f"approved.{_EXCEPTIONS[ask.key]}"]):
        status = Status.APPROVED
    return Line(ask.paragraph, ask.key, ask.text, value, limit, status, who)
