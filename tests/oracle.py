"""The ruling of one stroke, read a second time.

This is a second author's reading of articles 22, 43 and 61, written from the readings and the notation alone,
without a look at the engine. It is slow and literal on purpose: a stroke is the list of its tokens in time
order, and every article is one small function over that list. Where the engine and this page disagree, one of
the two has misread the rules.
"""

import re
from typing import Literal, NamedTuple

Adding = Literal["distinct", "each", "never"]
Receiver = Literal["striker", "opponent"]


class Outcome(NamedTuple):
    """What the referee says after the stroke."""

    points: int
    to: Receiver | None
    ball_in_hand: bool
    fouls: tuple[str, ...]


class Book(NamedTuple):
    """The values in which the two rule books differ, as far as one stroke is concerned."""

    centre_alone: int  # 22.1c
    displaced_pin_has_fallen: bool  # 43.4, `~`
    leaning_pin_counts: bool  # 43.5, `l/`: counts, and is a foul
    red_is_two_once: bool  # 22.5: on a ball-in-hand foul the red is worth 2, touched first or in a cannon
    adding: Adding  # 61.1
    opening_scores: bool  # 25.4
    sideways_play: bool  # 41, `side`
    own_words: tuple[str, ...]  # fouls only this book names


BOOKS = {
    "UMB-1997": Book(
        centre_alone=8,
        displaced_pin_has_fallen=False,
        leaning_pin_counts=False,
        red_is_two_once=False,
        adding="distinct",
        opening_scores=True,
        sideways_play=False,
        own_words=(),
    ),
    "FIBiS-2022": Book(
        centre_alone=10,
        displaced_pin_has_fallen=True,
        leaning_pin_counts=True,
        red_is_two_once=True,
        adding="never",
        opening_scores=False,
        sideways_play=True,
        own_words=("half", "line", "conduct", "partner"),
    ),
}

# The place of every foul in the announcement: its paragraph of article 61; those of 2022 alone come last.
PLACE = {
    "own-pins": 2,
    "wrong-ball": 3,
    "red-ball": 4,
    "pins": 5,
    "object-ball": 6,
    "outside": 7,
    "motion": 8,
    "tip": 9,
    "contact": 13,
    "foot": 14,
    "jump": 16,
    "push": 18,
    "half": 101,
    "line": 102,
    "conduct": 103,
    "partner": 104,
}
CALLED_WORDS = ("wrong-ball", "motion", "tip", "contact", "foot", "jump", "push")
TOUCHED_PARAGRAPHS = (10, 11, 12, 15, 17)

CONTACT = re.compile(r"o|r|o-r")
PINS = re.compile(r"(?P<by>[corlu]?)/(?P<pins>\.*1?2?3?4?5?)(?P<upright>~?)")
OFF = re.compile(r"off/(?P<pins>\.*1?2?3?4?5?)")
OUT = re.compile(r"[cor]\^b?")
CUSHION = re.compile(r"[or]?\|")
FOUL = re.compile(r"!(?P<word>[a-z-]+)(?:\.(?P<paragraph>[0-9]+))?")


class Stroke(NamedTuple):
    """The tokens of an action: what stands before the facts, then the facts in time order."""

    off: str  # the pins not in play (43.8)
    side: bool  # played sideways from a frozen object ball
    played: bool  # False for `x`
    facts: tuple[str, ...]


# --- reading the tokens (notation, grammar) ---------------------------------------------------------------


def read(action: str, book: Book, *, opening: bool) -> Stroke:
    """Split an action into its tokens and refuse what the grammar does not know."""
    tokens = [token for token in action.split(" ") if token]
    off = ""
    if tokens and tokens[0].startswith("off/"):
        off = pins_not_in_play(tokens.pop(0))
    side = False
    if tokens and tokens[0] in {"spot", "side"}:
        word = tokens.pop(0)
        side = word == "side"
        if side and not book.sideways_play:
            raise ValueError("this rule book knows no sideways play: 'side'")
        if word == "spot" and opening:
            raise ValueError("44.5 is no choice on an opening stroke: 'spot'")
    head = tokens.pop(0) if tokens and tokens[0] in {"-", "x"} else ""
    for token in tokens:
        check_token(token, may_touch=head == "")
    played = head != "x"
    if head == "" and not tokens:
        raise ValueError(f"no facts: {action!r}")
    if not played and not any(token.startswith("!") for token in tokens):
        raise ValueError("no stroke and no foul called: 'x'")
    stroke = Stroke(off, side, played, tuple(tokens))
    check_called_words(stroke, book)
    check_pins_possible(stroke)
    return stroke


def pins_not_in_play(token: str) -> str:
    """43.8: `off/1`."""
    match = OFF.fullmatch(token)
    if match is None:
        raise ValueError(f"not a list of pins: {token!r}")
    check_pin_list(match["pins"], token)
    return match["pins"]


def check_pin_list(pins: str, token: str) -> None:
    """Dots first, ascending, at least one pin, at most four outer ones."""
    if not pins:
        raise ValueError(f"no pin named: {token!r}")
    if len(outer(pins)) > 4:
        raise ValueError(f"more than four outer pins: {token!r}")


def check_token(token: str, *, may_touch: bool) -> None:
    """A token of the facts is a contact, pins, an out, a cushion or a foul, and nothing else."""
    if CONTACT.fullmatch(token):
        if not may_touch:
            raise ValueError(f"a contact where nothing was touched: {token!r}")
        return
    pins = PINS.fullmatch(token)
    if pins is not None:
        check_pin_list(pins["pins"], token)
        return
    if not (OUT.fullmatch(token) or CUSHION.fullmatch(token) or FOUL.fullmatch(token)):
        raise ValueError(f"not a token of a stroke: {token!r}")


def check_called_words(stroke: Stroke, book: Book) -> None:
    """The foul words this book knows, each once; `touched` once for every paragraph."""
    paragraphs: list[tuple[str, int]] = []
    for foul in words_called(stroke):
        word, _, paragraph = foul.partition(".")
        if word == "touched":
            known = not paragraph or int(paragraph) in TOUCHED_PARAGRAPHS
        else:
            known = not paragraph and word in CALLED_WORDS + book.own_words
        if not known:
            raise ValueError(f"a foul this rule book does not name: '!{foul}'")
        paragraphs.append((word, place(foul, stroke)))
    if len(set(paragraphs)) < len(paragraphs):
        raise ValueError("the same foul called twice")


def check_pins_possible(stroke: Stroke) -> None:
    """43.2: no pin falls twice, nor while off. One put back (43.7) or upright (43.4) may still fall."""
    fallen = ""
    for token in stroke.facts:
        match = PINS.fullmatch(token)
        if match is None:
            continue
        if set(match["pins"]) & set(stroke.off) - {"."}:
            raise ValueError(f"a pin that is not in play: {token!r}")
        if match["by"] == "u" or match["upright"]:
            continue
        if set(match["pins"]) & set(fallen) - {"."}:
            raise ValueError(f"a pin felled twice: {token!r}")
        fallen += match["pins"]
    if len(outer(stroke.off + fallen)) > 4:
        raise ValueError("more than four outer pins")


def outer(pins: str) -> str:
    """22.1a: every pin but the centre one; `.` is an outer pin too."""
    return pins.replace("5", "")


# --- what happened ----------------------------------------------------------------------------------------


def before_the_object_ball(stroke: Stroke) -> tuple[str, ...]:
    """The facts before the cue ball meets the object ball: all of them if it never does."""
    if "o" in stroke.facts:
        return stroke.facts[: stroke.facts.index("o")]
    return stroke.facts


def after_the_object_ball(stroke: Stroke) -> tuple[str, ...]:
    """The facts after the cue ball has met the object ball: none if it never does."""
    if "o" in stroke.facts:
        return stroke.facts[stroke.facts.index("o") + 1 :]
    return ()


def counts(token: str, book: Book) -> bool:
    """Article 43: do the pins of this token count as fallen?"""
    match = PINS.fullmatch(token)
    if match is None:
        return False
    if match["by"] == "u":  # 43.7: fell for no reason of the stroke
        return False
    if match["by"] == "l" and not book.leaning_pin_counts:  # 43.5
        return False
    return not match["upright"] or book.displaced_pin_has_fallen  # 43.4


def own_ball_fells(facts: tuple[str, ...], book: Book) -> bool:
    """Did the cue ball, or a chain it began, fell a pin among these facts?"""
    return any(token.startswith("c/") and counts(token, book) for token in facts)


def pins_counted(stroke: Stroke, book: Book) -> str:
    """43.1, 43.2: the pins fallen, each once a stroke; the unidentified ones are all different."""
    pins = ""
    for token in stroke.facts:
        match = PINS.fullmatch(token)
        if match is not None and counts(token, book):
            pins += "".join(pin for pin in match["pins"] if pin == "." or pin not in pins)
    if len(outer(pins)) > 4:
        raise ValueError("more than four outer pins")
    return pins


# --- article 22: the points -------------------------------------------------------------------------------


def pin_points(pins: str, book: Book) -> int:
    """22.1: outer pin 2; centre pin 4 with another counted pin; the centre alone more."""
    if pins == "5":
        return book.centre_alone
    return 2 * len(outer(pins)) + (4 if "5" in pins else 0)


def cannon_points(stroke: Stroke) -> int:
    """22.2: the object ball met, the next contact with the red decides: cue ball 4, object ball 3."""
    for token in after_the_object_ball(stroke):
        if token == "r":
            return 4
        if token == "o-r":
            return 3
    return 0


# --- article 61: the fouls --------------------------------------------------------------------------------


def own_pins(stroke: Stroke, book: Book) -> bool:
    """61.2: the own ball in the pins after the object ball was met correctly."""
    if red_ball(stroke) or pins_first(stroke, book):
        return False
    return stroke.played and own_ball_fells(after_the_object_ball(stroke), book)


def red_ball(stroke: Stroke) -> bool:
    """61.4: the cue ball touches the red before, or without, the object ball."""
    return stroke.played and "r" in before_the_object_ball(stroke)


def pins_first(stroke: Stroke, book: Book) -> bool:
    """61.5: the cue ball fells a pin before the object ball; in 2022 also the pin leaning on it (43.5)."""
    return stroke.played and (
        own_ball_fells(before_the_object_ball(stroke), book)
        or any(token.startswith("l/") and counts(token, book) for token in stroke.facts)
    )


def object_ball(stroke: Stroke, book: Book, adding: Adding) -> bool:
    """61.6: the object ball not touched. 61.4 and 61.5 absorb it, except where each foul counts."""
    if not stroke.played or "o" in stroke.facts:
        return False
    absorbed = red_ball(stroke) or pins_first(stroke, book)
    return adding == "each" or not absorbed


def ball_outside(stroke: Stroke) -> bool:
    """61.7: a ball left the table, or touched its frame (42.1); once, however many."""
    return stroke.played and any(OUT.fullmatch(token) for token in stroke.facts)


def words_called(stroke: Stroke) -> list[str]:
    """The fouls the referee called, as written."""
    return [token[1:] for token in stroke.facts if token.startswith("!")]


def distinct_words_called(stroke: Stroke) -> list[str]:
    """61.10 and 61.18 describe one act: of `touched.10` and `push` the first one written stands."""
    called = words_called(stroke)
    one_act = [word for word in called if word in {"touched.10", "push"}]
    return [word for word in called if word not in one_act[1:]]


def place(foul: str, stroke: Stroke) -> int:
    """The paragraph of 61. Plain `touched` is 61.17, and 61.15 where no stroke was played."""
    word, _, paragraph = foul.partition(".")
    if word != "touched":
        return PLACE[word]
    if paragraph:
        return int(paragraph)
    return 17 if stroke.played else 15


def all_fouls(stroke: Stroke, book: Book, adding: Adding) -> tuple[str, ...]:
    """61: the fouls that follow from the facts and those called, in the order of the paragraphs."""
    derived = {
        "own-pins": own_pins(stroke, book),
        "red-ball": red_ball(stroke),
        "pins": pins_first(stroke, book),
        "object-ball": object_ball(stroke, book, adding),
        "outside": ball_outside(stroke),
    }
    fouls = [name for name, committed in derived.items() if committed] + distinct_words_called(stroke)
    return tuple(sorted(fouls, key=lambda foul: place(foul, stroke)))


def penalty(fouls: tuple[str, ...], adding: Adding) -> int:
    """61.1, 61.3-61.18: 2 points a foul, or one 2 a stroke where fouls never add up."""
    return 2 if adding == "never" else 2 * len(fouls)


def red_in_a_foul(fouls: tuple[str, ...], cannon: int, book: Book) -> int:
    """61.4 and 22.5: the complementary 2 of the red and the cannon; in 2022 one 2 for both."""
    touched_first = "red-ball" in fouls
    if book.red_is_two_once:
        return 2 if touched_first or cannon else 0
    return (2 if touched_first else 0) + cannon


# --- the ruling -------------------------------------------------------------------------------------------


def ruling(
    facts: str,
    rules: str = "UMB-1997",
    adding: str | None = None,
    opening: bool = False,
) -> Outcome:
    """Rule one stroke, written as an FPN action; `adding` None is the setting of the rule book."""
    if rules not in BOOKS:
        raise ValueError(f"no such rule book: {rules!r}")
    book = BOOKS[rules]
    setting = read_adding(adding, book)
    stroke = read(facts, book, opening=opening)
    fouls = all_fouls(stroke, book, setting)
    pins = pin_points(pins_counted(stroke, book), book)
    cannon = cannon_points(stroke)

    with_penalty = tuple(foul for foul in fouls if foul != "own-pins")
    if with_penalty:  # 61.3-61.18
        total = penalty(with_penalty, setting) + red_in_a_foul(fouls, cannon, book) + pins
        return Outcome(total, "opponent", ball_in_hand=True, fouls=fouls)
    total = pins + cannon  # 22.3
    if fouls:  # 61.2: neither penalty nor ball in hand
        return Outcome(total, "opponent", ball_in_hand=False, fouls=fouls)
    if total == 0:  # 21.5
        return Outcome(0, None, ball_in_hand=False, fouls=())
    given_away = stroke.side or (opening and not book.opening_scores)  # 41, 25.4
    return Outcome(total, "opponent" if given_away else "striker", ball_in_hand=False, fouls=())


def read_adding(adding: str | None, book: Book) -> Adding:
    """61.1: one of the three settings, or the book's own."""
    if adding is None:
        return book.adding
    if adding == "distinct":
        return "distinct"
    if adding == "each":
        return "each"
    if adding == "never":
        return "never"
    raise ValueError(f"no such way of adding fouls: {adding!r}")
