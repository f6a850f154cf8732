"""The rules of a stroke: `rule(stroke, occasion, book)` says what it is worth, to whom, and why.

Pure: a stroke goes in, a ruling comes out; nothing here knows a simulator, a clock or a score. Every
point of a ruling is an award that cites its article.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import NamedTuple

from fivepins.errors import Fault, ImpossibleStroke
from fivepins.language import N_, language
from fivepins.message import Message
from fivepins.rulebook import UMB_1997, Adding, Rulebook
from fivepins.stroke import OWN_PARAGRAPH, Cause, Contact, Foul, Out, Pins, Seen, Stroke, paragraph
from fivepins.table import Ball, Pin


class Occasion(Enum):
    """What kind of stroke it was in the course of the set."""

    ORDINARY = "ordinary"
    OPENING = "opening"


class Receiver(Enum):
    """Who receives the points of a stroke."""

    STRIKER = "striker"
    OPPONENT = "opponent"


class Derived(Enum):
    """A foul that follows from the facts and is never written in FPN."""

    __hash__ = object.__hash__

    OWN_PINS = "own-pins"
    RED_BALL = "red-ball"
    PINS = "pins"
    OBJECT_BALL = "object-ball"
    OUTSIDE = "outside"


class Offence(NamedTuple):
    """A foul that was committed, with the article that names it."""

    foul: Foul | Derived
    article: str

    @property
    def gives_hand(self) -> bool:
        """Whether it gives ball in hand: all but the own ball in the pins (61.2)."""
        return self.foul is not Derived.OWN_PINS

    @property
    def announcement(self) -> str:
        """What the referee announces (the words of 61), to be translated."""
        return ANNOUNCEMENTS[self.foul]


class Award(NamedTuple):
    """Points, with the reason in words and the article that gives them."""

    reason: str
    article: str
    points: int


ANNOUNCEMENTS: dict[Foul | Derived, str] = {
    Derived.OWN_PINS: N_("pins"),
    Foul.WRONG_BALL: N_("wrong ball"),
    Derived.RED_BALL: N_("red ball"),
    Derived.PINS: N_("pins"),
    Derived.OBJECT_BALL: N_("object-ball"),
    Derived.OUTSIDE: N_("ball outside"),
    Foul.MOTION: N_("balls in motion"),
    Foul.TIP: N_("leather tip"),
    Foul.TOUCHED: N_("touched"),
    Foul.CONTACT: N_("ball in contact"),
    Foul.FOOT: N_("foot"),
    Foul.JUMP: N_("jump of the ball"),
    Foul.PUSH: N_("pushed through"),
    Foul.HALF: N_("cushion of the own half"),
    Foul.LINE: N_("ball over the central line"),
    Foul.CONDUCT: N_("unsporting conduct"),
    Foul.PARTNER: N_("wrong partner"),
}

CANNON = N_("cannon")
CASIN = N_("casin")
OUTER_PIN = N_("outer pin")
CENTRE_PIN = N_("centre pin")
LONE_CENTRE = N_("lone centre pin")
RED_VALUE = N_("value of the red ball")


@dataclass(frozen=True, slots=True)
class Ruling:
    """What one stroke is worth.

    `awards` add up to `points`; `to` is None where there are none. `ball_in_hand` is the incoming
    player's. `offences` stand in the order of article 61.
    """

    points: int
    to: Receiver | None
    ball_in_hand: bool
    offences: tuple[Offence, ...]
    awards: tuple[Award, ...]

    @property
    def fouls(self) -> tuple[str, ...]:
        """The fouls by their words: those of FPN and the derived ones."""
        return tuple(offence.foul.value for offence in self.offences)

    @property
    def signed(self) -> int:
        """The points as FPN checks write them: to the striker positive, to the opponent negative."""
        return -self.points if self.to is Receiver.OPPONENT else self.points

    def explain(self, code: str = "en") -> str:
        """The awards in words, equal ones together.

        >>> from fivepins.stroke import Contact, Pins, Stroke
        >>> rule(Stroke((Contact.CUE_OBJECT, Contact.CUE_RED, Pins((Pin.TOP, Pin.CENTRE))))).explain()
        'cannon 4 + outer pin 2 + centre pin 4 = 10'
        """
        speech = language(code)
        terms = []
        for award, times in Counter(self.awards).items():
            name = f"{times} × {speech.say(award.reason)}" if times > 1 else speech.say(award.reason)
            terms.append(f"{name} {times * award.points}")
        if not terms and self.points:
            terms = [str(self.points)]  # an unrecorded stroke has points, but nothing that explains them
        words = " + ".join(terms) + (f" = {self.points}" if len(terms) > 1 else "")
        if self.to is Receiver.OPPONENT:
            own = (
                speech.say(N_("own ball in the pins")) + ": " if Derived.OWN_PINS.value in self.fouls else ""
            )
            words = f"{own}{words} {speech.say(N_('to the opponent'))}"
        return words

    def say(self, code: str = "en") -> str:
        """What the referee announces (22.6): validity and points, or the foul, and ball in hand.

        >>> from fivepins.stroke import Contact, Stroke
        >>> rule(Stroke((Contact.CUE_RED, Contact.CUE_OBJECT))).say()
        'Red ball. 4 points to the opponent. Ball in hand.'
        """
        speech = language(code)
        parts = [speech.say(word) for word in dict.fromkeys(one.announcement for one in self.offences)]
        words = [", ".join(parts)] if parts else [speech.say(N_("valid"))]
        if self.to is Receiver.OPPONENT:
            words.append(speech.count("{n} point to the opponent", "{n} points to the opponent", self.points))
        elif self.points:
            words[0] += ", " + speech.count("{n} point", "{n} points", self.points)
        else:
            words[0] += ", " + speech.say(N_("no points"))
        if self.ball_in_hand:
            words.append(speech.say(N_("Ball in hand")))
        return " ".join(f"{word[0].upper()}{word[1:]}." for word in words)


def rule(stroke: Stroke, occasion: Occasion = Occasion.ORDINARY, book: Rulebook = UMB_1997) -> Ruling:
    """Rule on a stroke.

    Raises `ImpossibleStroke` with every reason where the facts cannot have happened, or where the book
    does not know them.

    >>> from fivepins.stroke import Contact, Pins, Stroke
    >>> rule(Stroke((Contact.CUE_OBJECT, Contact.CUE_RED, Pins((Pin.CENTRE,))))).points
    12
    """
    faults = [*stroke.problems(), *unknown_to(stroke, occasion, book)]
    if faults:
        raise ImpossibleStroke(faults)
    story = _read(stroke, book)
    offences = _offences(stroke, story, book)
    hand = len(offences) > 1 or (len(offences) == 1 and offences[0].gives_hand)
    awards = (
        *_cannon(story, hand=hand, book=book),
        *_pins(story, book),
        *_penalties(story, offences, hand=hand, book=book),
    )
    points = sum(award.points for award in awards)
    fair = not offences and not stroke.sideways and (book.opening_scores or occasion is Occasion.ORDINARY)
    to = None if not points else Receiver.STRIKER if fair else Receiver.OPPONENT
    return Ruling(points, to, hand, offences, awards)


def unknown_to(stroke: Stroke, occasion: Occasion, book: Rulebook) -> Iterator[Fault]:
    """What a stroke says that this book, or this occasion, does not know."""
    if stroke.spot and occasion is Occasion.OPENING:
        yield Fault(
            "'spot' on an opening stroke",
            "the object ball is on its spot already (25.1b); leave 'spot' out",
        )
    if stroke.sideways and not book.sideways_play:
        yield Fault(
            Message("{book} knows no sideways play", book=book.id),
            "leave 'side' out, or rule under FIBiS-2022",
        )
    for index, fact in enumerate(stroke.facts):
        if isinstance(fact, Seen) and fact.foul not in book.words:
            yield Fault(
                Message("{book} names no foul '{foul}'", book=book.id, foul=fact.foul.value),
                Message(
                    "its words are {words}",
                    words=", ".join(word.value for word in Foul if word in book.words),
                ),
                index,
            )


class _Story(NamedTuple):
    """What the facts of a stroke come to, in the order of time."""

    met: bool
    """The cue ball touched the object ball."""
    red_first: bool
    pins_first: bool
    """The cue ball felled a pin before it met the object ball, or without (61.5)."""
    own_pins: bool
    """The cue ball felled a pin after it had met the object ball."""
    leaning: bool
    cannon: Contact | None
    """The contact with the red that decides (22.2)."""
    outer: int
    centre: bool


def _read(stroke: Stroke, book: Rulebook) -> _Story:
    met = red_first = pins_first = own_pins = leaning = False
    cannon: Contact | None = None
    counted: set[Pin] = set()
    dots = 0
    for fact in stroke.facts:
        if isinstance(fact, Contact):
            if fact is Contact.CUE_OBJECT:
                met = True
            elif met:
                cannon = cannon or fact
            elif fact is Contact.CUE_RED:
                red_first = True
        elif isinstance(fact, Pins) and _counts(fact, book):
            for pin in fact.pins:
                counted.add(pin)
                dots += pin is Pin.OUTER
            if fact.cause is Cause.LEANING:
                leaning = True
            elif fact.by is Ball.CUE and stroke.played:
                own_pins, pins_first = own_pins or met, pins_first or not met
    outer = len(counted - {Pin.OUTER, Pin.CENTRE}) + dots
    return _Story(met, red_first, pins_first, own_pins, leaning, cannon, min(outer, 4), Pin.CENTRE in counted)


def _counts(fact: Pins, book: Rulebook) -> bool:
    """Whether these pins count as fallen (43)."""
    if fact.upright and not book.upright_counts:
        return False
    return fact.cause is Cause.STROKE or (fact.cause is Cause.LEANING and book.leaning_counts)


def _offences(stroke: Stroke, story: _Story, book: Rulebook) -> tuple[Offence, ...]:
    """All that was committed, in the order of article 61; words without a paragraph of it come last."""
    derived = list(_derived(stroke, story, book)) if stroke.played else []
    seen = [
        (paragraph(fact, played=stroke.played), fact.foul) for fact in stroke.facts if isinstance(fact, Seen)
    ]
    if not seen:
        return tuple(derived)
    # 61.10 and 61.18 describe one act: of the two only the one written first is kept.
    act = [entry for entry in seen if entry[0] in (10, 18)]
    found = [
        Offence(foul, book.extra_articles[foul] if number is None else f"61.{number}")
        for number, foul in seen
        if (number, foul) not in act[1:]
    ]
    return tuple(sorted([*derived, *found], key=_rank))


def _rank(offence: Offence) -> tuple[int, int]:
    article, _, number = offence.article.partition(".")
    if offence.foul is Derived.PINS:
        return (5, 0)  # also where the pin had leaned on the ball (43.5)
    return (int(number) if article == "61" else 99, _ORDER[offence.foul])


_ORDER = {foul: rank for rank, foul in enumerate(ANNOUNCEMENTS)}


def _derived(stroke: Stroke, story: _Story, book: Rulebook) -> Iterator[Offence]:
    """The fouls that follow from the facts (61.2, 61.4–61.7)."""
    incorrect = story.red_first or story.pins_first or story.leaning
    if story.own_pins and not incorrect:
        yield Offence(Derived.OWN_PINS, "61.2")
    if story.red_first:
        yield Offence(Derived.RED_BALL, "61.4")
    if story.pins_first or story.leaning:
        yield Offence(Derived.PINS, "61.5" if story.pins_first else "43.5")
    if not story.met and (book.adding is Adding.EACH or not incorrect):
        yield Offence(Derived.OBJECT_BALL, "61.6")
    if any(isinstance(fact, Out) for fact in stroke.facts):
        yield Offence(Derived.OUTSIDE, "61.7")


def _cannon(story: _Story, *, hand: bool, book: Rulebook) -> tuple[Award, ...]:
    if story.cannon is None:
        return ()
    if hand and book.red_in_foul is not None:
        # The red counts once in such a stroke; touched first, it has its complement already.
        return () if story.red_first else (Award(RED_VALUE, "61.2", book.red_in_foul),)
    return (_cannon_award(story.cannon, book.cannon, book.casin),)


@cache
def _cannon_award(contact: Contact, cannon: int, casin: int) -> Award:
    return Award(CANNON, "22.2a", cannon) if contact is Contact.CUE_RED else Award(CASIN, "22.2b", casin)


def _pins(story: _Story, book: Rulebook) -> tuple[Award, ...]:
    return _pin_awards(story.outer, int(story.centre), book.outer, book.centre, book.lone_centre)


@cache
def _pin_awards(outer: int, centre: int, each: int, with_others: int, alone: int) -> tuple[Award, ...]:
    pins = (Award(OUTER_PIN, "22.1a", each),) * outer
    if not centre:
        return pins
    if outer:
        return (*pins, Award(CENTRE_PIN, "22.1b", with_others))
    return (Award(LONE_CENTRE, "22.1c", alone),)


def _penalties(
    story: _Story, offences: tuple[Offence, ...], *, hand: bool, book: Rulebook
) -> tuple[Award, ...]:
    if not hand:
        return ()
    fouls = tuple(offence for offence in offences if offence.foul is not Derived.OWN_PINS)
    awards = _fines(fouls[:1] if book.adding is Adding.NEVER else fouls, book.foul)
    if story.red_first:
        awards += (Award(RED_VALUE, "61.4", book.red_complement),)
    return awards


@cache
def _fines(fouls: tuple[Offence, ...], each: int) -> tuple[Award, ...]:
    return tuple(Award(offence.announcement, offence.article, each) for offence in fouls)


def reachable(
    book: Rulebook, to: Receiver, occasion: Occasion = Occasion.ORDINARY, *, hand: bool
) -> frozenset[int]:
    """Every total one stroke can give to a receiver, with or without ball in hand for the incoming player.

    >>> sorted(reachable(UMB_1997, Receiver.STRIKER, hand=False))
    [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
    """
    pins = {outer * book.outer + centre * book.centre for outer in range(1, 5) for centre in (0, 1)}
    pins.add(book.lone_centre)
    cannons = {0, book.cannon, book.casin}
    fair = {cannon + pin for cannon in cannons for pin in pins | {0}}
    if to is Receiver.STRIKER:
        theirs = not book.opening_scores and occasion is Occasion.OPENING
        return frozenset({0} if theirs else fair) - frozenset(fair if hand else ())
    if not hand:
        own_pins = {cannon + pin for cannon in cannons for pin in pins}
        given = book.sideways_play or (not book.opening_scores and occasion is Occasion.OPENING)
        return frozenset((own_pins | fair) - {0} if given else own_pins)
    acts = {
        number if number != 18 else 10 for foul in book.words for number in OWN_PARAGRAPH[foul] or (foul,)
    }
    most = 1 if book.adding is Adding.NEVER else len(acts) + len(Derived) - 1
    reds = {0, book.red_complement}
    if book.red_in_foul is not None:
        cannons, reds = {0}, reds | {book.red_in_foul}
    return frozenset(
        book.foul * fouls + red + cannon + pin
        for fouls in range(1, most + 1)
        for red in reds
        for cannon in cannons
        for pin in pins | {0}
    )
