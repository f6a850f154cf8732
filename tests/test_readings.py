"""Every reading of an unclear article is a test that bears the article's number.

The rule pages show each reading by example (`test_rule_pages.py`); here are the general statements, and what
examples cannot show.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import combinations, permutations, product
from pathlib import Path

import pytest

from fivepins.errors import IllegalEvent, ImpossibleStroke, NotationError
from fivepins.events import Late, Terms
from fivepins.lines import parse_event
from fivepins.match import BreakState, Limit, Phase, State
from fivepins.rulebook import FIBIS_2022, UMB_1997, Adding, Rulebook
from fivepins.rules import Derived, Occasion, Receiver, Ruling, reachable, rule
from fivepins.stroke import OWN_PARAGRAPH, Foul
from fivepins.table import TABLE, Colour, Pair, Pin, Point, Side
from fivepins.tokens import parse_stroke

ROOT = Path(__file__).parent.parent
READINGS = ROOT / "docs" / "decisions" / "020-readings.md"
BOOKS = [pytest.param(book, id=book.id) for book in (UMB_1997, FIBIS_2022)]
COMMON = sorted(UMB_1997.words, key=lambda foul: foul.value)
"""The fouls that both books name."""


def ruling(facts: str, book: Rulebook = UMB_1997, occasion: Occasion = Occasion.ORDINARY) -> Ruling:
    return rule(parse_stroke(facts), occasion, book)


def points(facts: str, book: Rulebook = UMB_1997) -> tuple[int, bool]:
    """Points, negative to the opponent, and ball in hand."""
    one = ruling(facts, book)
    return one.signed, one.ball_in_hand


def opening(facts: str, book: Rulebook) -> tuple[int, bool]:
    one = ruling(facts, book, Occasion.OPENING)
    return one.signed, one.ball_in_hand


def play(*lines: str, terms: Terms | None = None) -> State:
    """The state after these lines of a match."""
    state = State.start(terms or Terms())
    for line in lines:
        state = state.then(parse_event(line))
    return state


def short(distance: int = 4, sets: int | None = None, book: Rulebook = UMB_1997) -> Terms:
    """Terms of a short match."""
    return Terms(distance=Pair(distance, distance), sets=sets, book=book)


def timed(book: Rulebook = UMB_1997) -> Terms:
    """Terms with a clock."""
    return Terms(clock=(book.time.first, book.time.second), book=book)


def pin_sets() -> Iterator[str]:
    """Every set of felled pins, as digits."""
    for count in range(6):
        for chosen in combinations("12345", count):
            yield "".join(chosen)


def pin_value(pins: str, book: Rulebook) -> int:
    """What felled pins are worth, counted afresh."""
    if pins == "5":
        return book.lone_centre
    return sum(book.centre if pin == "5" else book.outer for pin in pins)


FAIR = {"o": 0, "o r": 4, "o o-r": 3, "o r o-r": 4, "o o-r r": 3}
"""Every order of first contacts without a foul, with its cannon."""


# -- the stroke ----------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_21_4a_the_object_ball_goes_into_the_pins(book: Rulebook) -> None:
    assert points("o o/1", book) == (2, False)
    assert points("o c/1", book) == (-2, False)


@pytest.mark.parametrize("book", BOOKS)
def test_21_5_only_the_object_ball_touched_is_regular(book: Rulebook) -> None:
    assert points("o", book) == (0, False)
    assert ruling("o", book).to is None
    assert ruling("o", book).offences == ()


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("contacts", FAIR)
def test_22_3_a_fair_stroke_is_worth_its_cannon_and_its_pins(contacts: str, book: Rulebook) -> None:
    for pins in pin_sets():
        facts = f"{contacts} /{pins}" if pins else contacts
        assert points(facts, book) == (FAIR[contacts] + pin_value(pins, book), False), facts


@pytest.mark.parametrize("book", BOOKS)
def test_22_1_pins_count_whoever_of_the_others_felled_them(book: Rulebook) -> None:
    told = {points(f"o o-r {by}/12", book) for by in ("o", "r", "")}
    assert told == {(7, False)}


@pytest.mark.parametrize("book", BOOKS)
def test_22_1_where_in_the_stroke_a_pin_falls_does_not_matter(book: Rulebook) -> None:
    assert {points(facts, book) for facts in ("o /15 r", "o /1 r /5", "o r /15", "o /5 r /1")} == {
        (10, False)
    }


@pytest.mark.parametrize(("book", "value"), [(UMB_1997, 8), (FIBIS_2022, 10)])
def test_22_1c_the_lone_centre_also_in_an_incomplete_castle(book: Rulebook, value: int) -> None:
    for covered in ("1", "13", "124", "1234"):
        assert points(f"off/{covered} o /5", book) == (value, False)


@pytest.mark.parametrize("felled", ["u/1", "u/1234", "l/1", "/1~"])
def test_22_1c_pins_that_are_not_counted_do_not_spoil_alone(felled: str) -> None:
    assert points(f"o {felled} /5") == (8, False)
    assert points(f"o /5 {felled}") == (8, False)


@pytest.mark.parametrize(("felled", "value"), [("u/1", 10), ("/1~", 6)])
def test_22_1c_in_the_2022_book_an_upright_pin_counts_and_spoils_alone(felled: str, value: int) -> None:
    assert points(f"o /5 {felled}", FIBIS_2022) == (value, False)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("first", ["o r", "o o-r"])
def test_22_2_once_a_cannon_is_realised_later_contacts_change_nothing(first: str, book: Rulebook) -> None:
    for count in range(1, 4):
        for later in product(("o", "r", "o-r"), repeat=count):
            assert ruling(f"{first} {' '.join(later)}", book) == ruling(first, book)


@pytest.mark.parametrize("book", BOOKS)
def test_22_2_no_cannon_before_the_object_ball_is_met(book: Rulebook) -> None:
    assert points("r o-r", book) == (-4, True)
    assert points("r o-r o", book) == (-4, True)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("foul", COMMON, ids=lambda foul: foul.value)
def test_22_5_any_foul_gives_everything_to_the_opponent(foul: Foul, book: Rulebook) -> None:
    for contacts, pins in product(FAIR, pin_sets()):
        facts = f"{contacts} /{pins}" if pins else contacts
        red = (FAIR[contacts] and book.red_in_foul) or FAIR[contacts]
        expected = 2 + red + pin_value(pins, book)
        assert points(f"{facts} !{foul.value}", book) == (-expected, True), facts


@pytest.mark.parametrize("contacts", ["r", "r o", "r o r", "r o o-r", "o r !foot", "o o-r r !foot"])
def test_22_5_in_the_2022_book_the_red_is_worth_2_once_in_a_foul(contacts: str) -> None:
    assert points(contacts, FIBIS_2022) == (-4, True)


@pytest.mark.parametrize("book", BOOKS)
def test_22_5_the_own_ball_in_the_pins_leaves_the_cannon_its_value(book: Rulebook) -> None:
    assert points("o r c/12", book) == (-8, False)
    assert points("o o-r c/12", book) == (-7, False)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("contacts", FAIR)
def test_61_2_own_pins_after_a_correct_hit_no_penalty_no_hand(contacts: str, book: Rulebook) -> None:
    for pins in pin_sets():
        if pins:
            one = ruling(f"{contacts} c/{pins}", book)
            assert (one.signed, one.ball_in_hand) == (-FAIR[contacts] - pin_value(pins, book), False)
            assert one.fouls == ("own-pins",)


@pytest.mark.parametrize("book", BOOKS)
def test_61_2_beside_another_foul_that_foul_decides(book: Rulebook) -> None:
    assert points("o c/1 !foot", book) == (-4, True)
    assert ruling("r o c/1", book).fouls == ("red-ball",)


@pytest.mark.parametrize("book", BOOKS)
def test_61_3_onwards_each_word_cites_its_paragraph(book: Rulebook) -> None:
    for foul in COMMON:
        cited = {f"61.{number}" for number in OWN_PARAGRAPH[foul]}
        assert ruling(f"o !{foul.value}", book).offences[0].article in cited
        assert ruling(f"o !{foul.value}", book).ball_in_hand


@pytest.mark.parametrize("book", BOOKS)
def test_61_4_the_red_before_or_without_the_object_ball(book: Rulebook) -> None:
    assert points("r", book) == points("r o", book) == (-4, True)
    assert [award.points for award in ruling("r", book).awards] == [2, 2]


def test_61_1_distinct_absorbs_the_missed_object_ball() -> None:
    for facts in ("r", "c/1", "r c/1"):
        assert "object-ball" not in ruling(facts).fouls
        assert "object-ball" in ruling(facts, replace(UMB_1997, adding=Adding.EACH)).fouls
    for facts in ("r o", "c/1 o", "r c/1 o"):
        assert ruling(facts) == ruling(facts, replace(UMB_1997, adding=Adding.EACH))


def test_61_1_fouls_add_up_in_1997_and_never_in_2022() -> None:
    words = [f"!{foul.value}" for foul in COMMON if foul is not Foul.PUSH]
    for count in range(1, 4):
        for chosen in combinations(words, count):
            assert points(f"o {' '.join(chosen)}") == (-2 * count, True)
            assert points(f"o {' '.join(chosen)}", FIBIS_2022) == (-2, True)


@pytest.mark.parametrize("book", BOOKS)
def test_61_5_needs_a_felled_pin(book: Rulebook) -> None:
    assert points("c/1 o", book) == (-4, True)
    assert points("| o", book) == (0, False)
    assert ruling("c/1 o", book).fouls == ("pins",)


@pytest.mark.parametrize("book", BOOKS)
def test_61_7_once_for_any_number_of_balls(book: Rulebook) -> None:
    outs = ["c^", "o^", "r^", "c^b", "o^b", "r^b"]
    for count in range(1, 4):
        for chosen in permutations(outs, count):
            if len({out[0] for out in chosen}) == count:
                assert ruling(f"o r {' '.join(chosen)}", book).points == ruling("o r c^", book).points


def test_61_7_a_ball_that_came_back_may_act() -> None:
    assert points("o o^b o-r /1") == (-7, True)
    with pytest.raises(NotationError, match="after it has left the table"):
        parse_stroke("o o^ o/1")


@pytest.mark.parametrize("facts", ["o !touched.10 !push", "o !push !touched.10"])
def test_61_10_and_61_18_are_one_act(facts: str) -> None:
    assert points(facts) == (-2, True)


@pytest.mark.parametrize("number", [11, 12, 15, 17])
def test_61_18_merges_with_no_other_touch(number: int) -> None:
    assert points(f"o !touched.{number} !push") == (-4, True)


def test_61_17_a_plain_touch_is_17_on_a_stroke_and_15_without() -> None:
    assert ruling("o !touched").offences[0].article == "61.17"
    assert ruling("x !touched").offences[0].article == "61.15"


@pytest.mark.parametrize(("book", "lone"), [(UMB_1997, 8), (FIBIS_2022, 10)])
def test_61_12_pins_felled_by_hand_count_also_without_a_stroke(book: Rulebook, lone: int) -> None:
    assert points("x !touched.12 /12", book) == (-6, True)
    assert points("x !touched.12 c/5", book) == (-2 - lone, True)
    assert ruling("x !touched.12 /12", book).fouls == ("touched",)


def test_61_12_without_a_stroke_nothing_is_derived() -> None:
    for adding in Adding:
        assert ruling("x !touched r^", replace(UMB_1997, adding=adding)).fouls == ("touched",)


def test_61_16_the_referee_calls_only_a_jump_before_the_object_ball() -> None:
    assert points("o !jump") == (-2, True)
    assert points("o r /13") == (8, False)  # a jump afterwards is not written


def test_43_1_and_43_2_fallen_once_a_stroke() -> None:
    for facts in ("o /1 /1", "o /1 o/1", "o /1 c/1"):
        with pytest.raises(NotationError, match="falls twice"):
            parse_stroke(facts)


@pytest.mark.parametrize("book", BOOKS)
def test_43_3_a_chain_belongs_to_the_ball_that_began_it(book: Rulebook) -> None:
    assert points("o o/134", book) == (6, False)
    assert points("o c/134", book) == (-6, False)


@pytest.mark.parametrize(("book", "value"), [(UMB_1997, 0), (FIBIS_2022, 2)])
def test_43_4_off_its_seat_but_upright(book: Rulebook, value: int) -> None:
    assert points("o /3~", book) == (value, False)
    assert points("o /3~ /3", book) == (2, False)


@pytest.mark.parametrize(("book", "expected"), [(UMB_1997, (0, False)), (FIBIS_2022, (-4, True))])
def test_43_5_a_pin_that_leaned_on_the_cue_ball(book: Rulebook, expected: tuple[int, bool]) -> None:
    assert points("o l/3", book) == expected


@pytest.mark.parametrize("book", BOOKS)
def test_43_5_played_into_the_pin_it_falls_before_the_object_ball(book: Rulebook) -> None:
    assert ruling("c/3 o", book).offences[0].article == "61.5"


@pytest.mark.parametrize("book", BOOKS)
def test_43_6_a_pin_that_leaned_on_another_ball_counts(book: Rulebook) -> None:
    assert points("o o/2", book) == (2, False)


@pytest.mark.parametrize("book", BOOKS)
def test_43_7_a_pin_that_falls_by_itself_and_can_be_felled_again(book: Rulebook) -> None:
    assert points("o u/12345", book) == (0, False)
    assert points("o u/1 /1", book) == (2, False)


@pytest.mark.parametrize("book", BOOKS)
def test_43_8_a_pin_that_is_off_cannot_fall(book: Rulebook) -> None:
    with pytest.raises(NotationError, match="not in play"):
        ruling("off/1 o /1", book)


@pytest.mark.parametrize("book", BOOKS)
def test_41_4_no_way_out(book: Rulebook) -> None:
    assert points("x !contact", book) == points("-", book) == (-2, True)


def test_41_1_sideways_from_a_frozen_object_ball() -> None:
    with pytest.raises(ImpossibleStroke, match="knows no sideways play"):
        ruling("side o")
    assert points("side o /12", FIBIS_2022) == (-4, False)
    assert points("side o", FIBIS_2022) == (0, False)


@pytest.mark.parametrize("contacts", FAIR)
def test_25_4_whose_the_points_of_the_opening_stroke_are(contacts: str) -> None:
    for pins in pin_sets():
        facts = f"{contacts} /{pins}" if pins else contacts
        assert opening(facts, UMB_1997) == points(facts)
        assert opening(facts, FIBIS_2022) == (-points(facts, FIBIS_2022)[0], False)


@pytest.mark.parametrize("book", BOOKS)
def test_25_3_the_opening_stroke_must_meet_the_object_ball(book: Rulebook) -> None:
    assert opening("-", book) == (-2, True)


@pytest.mark.parametrize("book", BOOKS)
def test_25_3_a_foul_without_a_stroke_uses_the_opening_up(book: Rulebook) -> None:
    state = play("set 1 A", "1. A x !touched", terms=Terms(book=book))
    assert state.situation is not None
    assert (state.to_play, state.ball_in_hand, state.situation.occasion) == (Side.B, True, Occasion.ORDINARY)


@pytest.mark.parametrize(
    "foul", [Foul.HALF, Foul.LINE, Foul.CONDUCT, Foul.PARTNER], ids=lambda one: one.value
)
def test_61_words_of_the_2022_book_alone(foul: Foul) -> None:
    with pytest.raises(ImpossibleStroke, match=f"UMB-1997 names no foul '{foul.value}'"):
        ruling(f"o !{foul.value}")
    assert points(f"o !{foul.value}", FIBIS_2022) == (-2, True)


def test_21_3_the_totals_of_a_fair_stroke() -> None:
    totals = {
        points(f"{contacts} /{pins}" if pins else contacts)[0] for contacts, pins in product(FAIR, pin_sets())
    }
    assert totals == {0, *range(2, 17)}
    assert totals == reachable(UMB_1997, Receiver.STRIKER, hand=False)


ANNOUNCED = {
    "o c/1": ("61.2", "pins"),
    "o !wrong-ball": ("61.3", "wrong ball"),
    "r o": ("61.4", "red ball"),
    "c/1 o": ("61.5", "pins"),
    "-": ("61.6", "object-ball"),
    "o c^": ("61.7", "ball outside"),
    "o !motion": ("61.8", "balls in motion"),
    "o !tip": ("61.9", "leather tip"),
    "o !touched.10": ("61.10", "touched"),
    "x !touched.11": ("61.11", "touched"),
    "x !touched.12": ("61.12", "touched"),
    "o !contact": ("61.13", "ball in contact"),
    "o !foot": ("61.14", "foot"),
    "x !touched.15": ("61.15", "touched"),
    "o !jump": ("61.16", "jump of the ball"),
    "o !touched.17": ("61.17", "touched"),
    "o !push": ("61.18", "pushed through"),
}


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("facts", ANNOUNCED)
def test_61_the_words_the_referee_announces(facts: str, book: Rulebook) -> None:
    (offence,) = ruling(facts, book).offences
    assert (offence.article, offence.announcement) == ANNOUNCED[facts]
    assert ruling(facts, book).say().lower().startswith(ANNOUNCED[facts][1])


def test_61_every_derived_foul_and_every_word_is_announced() -> None:
    announced = {offence.foul for facts in ANNOUNCED for offence in ruling(facts).offences}
    assert announced == {*Derived, *UMB_1997.words}


# -- equipment and marks that others build on ------------------------------------------------------


def test_12_1_a_ball_of_61_5_mm() -> None:
    assert 2 * TABLE.radius == 61.5


def test_13_4_the_castle_and_the_spots() -> None:
    for pin in (Pin.TOP, Pin.RIGHT, Pin.BOTTOM, Pin.LEFT):
        assert TABLE.seat(pin).distance(TABLE.seat(Pin.CENTRE)) == 66
    assert TABLE.seat(Pin.CENTRE) == Point(710, 1420)
    spots = (TABLE.bottom_spot, TABLE.lower_spot, TABLE.upper_spot, TABLE.top_spot)
    assert [spot.y for spot in spots] == [100, 710, 2130, 2740]
    assert {spot.x for spot in spots} == {710}
    assert TABLE.lag_spots == Pair(Point(300, 710), Point(1120, 710))


# -- the match -----------------------------------------------------------------------------------


def test_24_6_nearer_to_the_bottom_cushion_chooses() -> None:
    for opener in "AB":
        assert play("lag B", f"set 1 {opener}").to_play is Side(opener)


def test_24_4_level_or_nobody_at_fault_is_repeated_without_end() -> None:
    state = play(*["lag repeat"] * 5)
    assert state.lag.chooser is None
    assert state.then(parse_event("lag A")).lag.chooser is Side.A


@pytest.mark.parametrize("side", Side)
def test_24_2_the_second_repetition_by_the_same_player_loses_the_choice(side: Side) -> None:
    state = play(f"lag repeat {side.value}", f"lag repeat {side.other.value}")
    assert state.lag.chooser is None
    assert state.then(parse_event(f"lag repeat {side.value}")).lag.chooser is side.other


@pytest.mark.parametrize("side", Side)
def test_24_2_in_the_2022_book_any_second_repetition(side: Side) -> None:
    state = play(f"lag repeat {side.other.value}", f"lag repeat {side.value}", terms=Terms(book=FIBIS_2022))
    assert state.lag.chooser is side.other


def test_24_3_if_both_lose_the_choice_the_lag_is_repeated() -> None:
    for first, second in permutations("AB"):
        state = play(f"lag forfeit {first}", f"lag forfeit {second}")
        assert state.lag.chooser is None
        assert state.then(parse_event(f"lag {first}")).lag.chooser is Side(first)


@pytest.mark.parametrize("opener", Side)
def test_25_2_the_opener_of_the_first_set_plays_white_all_match(opener: Side) -> None:
    other = opener.other.value
    good = "good A 4-0" if opener is Side.A else "good B 0-4"
    state = play(
        f"set 1 {opener.value}", f"1. {opener.value} o r", good, f"set 2 {other}", terms=short(sets=3)
    )
    assert state.to_play is opener.other
    assert state.colours is not None
    assert (state.colours[opener], state.colours[opener.other]) == (Colour.WHITE, Colour.YELLOW)


@pytest.mark.parametrize("facts", ["o", "o r /12345", "-", "o c/1", "x !touched"])
def test_21_2_one_stroke_each_whatever_it_scored(facts: str) -> None:
    state = play("set 1 A", f"1. A {facts}")
    assert state.to_play is Side.B
    with pytest.raises(IllegalEvent, match="belongs to B"):
        state.then(parse_event("2. A o"))


@pytest.mark.parametrize("winners", ["".join(one) for one in product("AB", repeat=4)])
def test_25_7_the_openers_alternate_whoever_wins(winners: str) -> None:
    state = State.start(short(sets=9))
    for number, (opener, winner) in enumerate(zip("BABA", winners, strict=True), 1):
        state = state.then(parse_event(f"set {number} {opener}"))
        if winner != opener:
            state = state.then(parse_event(f"1. {opener} o"))
        turn = 1 if winner == opener else 2
        score = "4-0" if winner == "A" else "0-4"
        for line in (f"{turn}. {winner} o r", f"good {winner} {score}"):
            state = state.then(parse_event(line))
    assert state.next_opener is Side.B


def test_21_1_a_total_is_cut_at_the_distance_also_by_a_foul() -> None:
    assert play("set 1 A", "1. A o r /12345", terms=short()).score == Pair(4, 0)
    assert play("set 1 A", "1. A r c/12345", terms=short()).score == Pair(0, 4)


def test_21_1_a_time_penalty_can_end_a_set() -> None:
    state = play("set 1 A", "late A", terms=replace(short(2), clock=(40, 20)))
    assert (state.phase, state.score) == (Phase.DISTANCE, Pair(0, 2))


def test_21_1_only_the_referee_ends_what_has_reached_the_distance() -> None:
    state = play("set 1 A", "1. A o r", terms=short())
    for line in ("2. B o", "late B", "pause 5:00", 'penalty A 2 "late"'):
        with pytest.raises(IllegalEvent, match="expected 'good A 4-0'"):
            state.then(parse_event(line))


def test_28_2_good_ends_the_match_even_if_points_are_missing() -> None:
    state = play("set 1 A", "1. A o r", 'good A 4-0 short "the board showed 60"')
    assert (state.phase, state.winner) == (Phase.OVER, Side.A)


def test_28_2_later_findings_do_not_change_it() -> None:
    state = play("set 1 A", "1. A o r", "good A 4-0", terms=short())
    for line in ('fix 1 o "no cannon"', "2. B o", 'penalty A 2 "late"', "score 4-0", "set 2 B"):
        with pytest.raises(IllegalEvent):
            state.then(parse_event(line))
    for line in ('note "no cannon"', 'protest B "no cannon"', 'decision "rejected" by "referee"'):
        assert state.then(parse_event(line)).winner is Side.A


def test_28_2_a_slip_is_taken_back_while_no_turn_of_a_later_set_is_in_force() -> None:
    state = play("set 1 A", "1. A o r", "good A 4-0", "set 2 B", terms=short(sets=3))
    undone = state.then(parse_event('undo "slip"')).then(parse_event('undo "slip"'))
    assert (undone.phase, undone.sets_won) == (Phase.DISTANCE, Pair(0, 0))
    later = state.then(parse_event("1. B o")).then(parse_event('undo "slip"'))
    assert later.sets_won == Pair(1, 0)  # the turn is what was taken back


def test_28_3_the_number_of_sets_is_odd() -> None:
    assert [sets for sets in range(1, 10) if Terms(sets=sets).problems()] == [2, 4, 6, 8]


@pytest.mark.parametrize(
    ("sets", "winners", "set_points"),
    [
        (None, "A", None),
        (3, "AA", (3, 0)),
        (3, "ABA", (2, 1)),
        (3, "BAA", (2, 1)),
        (5, "AAA", (5, 0)),
        (5, "ABAA", (4, 1)),
        (5, "BBAAA", (3, 2)),
        (7, "AAAA", None),
        (7, "ABABABA", None),
    ],
)
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("book", BOOKS)
def test_28_4_and_28_5_match_and_set_points(
    sets: int | None,
    winners: str,
    set_points: tuple[int, int] | None,
    swapped: bool,
    book: Rulebook,
) -> None:
    state = State.start(Terms(sets=sets, book=book))
    for number, winner in enumerate(winners, 1):
        side = Side(winner).other if swapped else Side(winner)
        assert state.match_points is None
        score = "60-7" if side is Side.A else "7-60"
        state = state.then(parse_event(f"result {number} {side.value} {score}"))
    given = None if set_points is None else Pair(*set_points)
    assert state.match_points == (Pair(0, 1) if swapped else Pair(1, 0))
    assert state.set_points == (given.swap() if given and swapped else given)


@pytest.mark.parametrize(
    ("half", "minutes", "due"),
    [(28, 60, False), (30, 44, False), (30, 45, True), (44, 45, True), (45, 45, False), (48, 60, False)],
)
def test_26_when_the_break_of_a_single_distance_is_due(half: int, minutes: int, due: bool) -> None:
    strokes = [16] * (half // 16) + [half % 16] * (half % 16 > 0)
    lines = ["set 1 A at=14:00"]
    for place, value in enumerate(strokes):
        number = 2 * place + 1
        last = place == len(strokes) - 1
        lines.append(f"{number}. A ? ={value}" + f" at={14 + minutes // 60}:{minutes % 60:02}" * last)
        lines += [f"{number + 1}. B o"] * (not last)
    assert (play(*lines).pause is BreakState.DUE) is due


@pytest.mark.parametrize(
    ("book", "sets", "after"),
    [
        (UMB_1997, 3, [2]),
        (UMB_1997, 5, [2, 4]),
        (FIBIS_2022, 3, [2]),
        (FIBIS_2022, 5, [3]),
        (FIBIS_2022, 7, [4]),
    ],
)
def test_26_after_which_sets_a_break_is_possible(book: Rulebook, sets: int, after: list[int]) -> None:
    state = State.start(Terms(sets=sets, book=book))
    offered = []
    for number in range(1, sets):
        line = f"result {number} A 60-0" if number % 2 else f"result {number} B 0-60"
        state = state.then(parse_event(line))
        if state.pause is BreakState.OFFERED:
            offered.append(number)
    assert offered == after


def test_26_in_the_2022_book_who_refuses_has_lost_his_claim() -> None:
    lines = ("result 1 A 60-0", "result 2 B 0-60", "pause refused A")
    state = play(*lines, terms=Terms(sets=3, book=FIBIS_2022))
    assert state.pause is BreakState.OFFERED  # B may still ask
    assert state.then(parse_event("pause 5:00 B")).pause is BreakState.NONE
    assert state.then(parse_event("pause refused B")).pause is BreakState.NONE


def test_26_a_pause_is_any_pause_and_the_referee_may_change() -> None:
    state = play("set 1 A", "1. A o", 'pause 1:00 A "shoe lace"', 'referee "Anna Verdi"')
    assert state.to_play is Side.B


@pytest.mark.parametrize("how", ["left", "refused", "forfeit", "walkover", "injury", "abandoned"])
def test_27_a_match_that_ends_early_leaves_the_points_table_empty(how: str) -> None:
    state = play("set 1 A", "1. A o r", f'end B {how} "said the referee"')
    assert (state.winner, state.match_points, state.set_points) == (Side.B, None, None)


def test_1_2_and_71_decisions_stand_beside_the_score_in_every_phase() -> None:
    decision = parse_event('decision "the stroke stands" by "referee; players consulted"')
    courses: tuple[list[str], ...] = (
        [],
        ["set 1 A"],
        ["set 1 A", "1. A o r"],
        ["set 1 A", "1. A o r", "good A 4-0"],
    )
    for lines in courses:
        state = play(*lines, terms=short())
        after = state.then(decision)
        assert (after.phase, after.score, after.to_play) == (state.phase, state.score, state.to_play)
        assert after.log[-1] == decision


@pytest.mark.parametrize(("book", "hand"), [(UMB_1997, False), (FIBIS_2022, True)])
def test_49_2_both_limits_cost_2_and_the_turn_passes(book: Rulebook, hand: bool) -> None:
    state = play("set 1 A", "1. A o", "late B", terms=timed(book))
    assert (state.to_play, state.score) == (Side.B, Pair(2, 0))
    assert state.limit is not None
    assert state.limit.seconds == 20
    state = state.then(parse_event("2. B lost"))
    assert (state.to_play, state.score, state.ball_in_hand) == (Side.A, Pair(4, 0), hand)


@pytest.mark.parametrize("book", BOOKS)
def test_49_2_on_the_opening_stroke_the_other_side_then_opens(book: Rulebook) -> None:
    state = play("set 1 A", "late A", "1. A lost", terms=timed(book))
    assert state.situation is not None
    assert (state.to_play, state.situation.occasion) == (Side.B, Occasion.OPENING)


@pytest.mark.parametrize("book", BOOKS)
def test_49_2_with_ball_in_hand_the_other_side_has_ball_in_hand(book: Rulebook) -> None:
    state = play("set 1 A", "1. A -", "late B", "2. B lost", terms=timed(book))
    assert (state.to_play, state.ball_in_hand) == (Side.A, True)


def test_49_2_one_extra_time_a_player_and_set_in_the_2022_book() -> None:
    terms = replace(timed(FIBIS_2022), sets=3, distance=Pair(4, 4))
    state = play("set 1 A", "extra A", terms=terms)
    assert state.limit is not None
    assert (state.limit.seconds, state.extra_left) == (60 + 40, Pair(0, 1))
    state = state.then(Late(Side.A))
    assert state.limit == Limit(20, "second")
    state = play("set 1 A", "extra A", "1. A o", "2. B o r", "good B 0-4", "set 2 B", terms=terms)
    assert state.extra_left == Pair(1, 1)
    for lines in (["late A"], ["extra A"], ["extra A", "1. A o", "2. B o"]):
        with pytest.raises(IllegalEvent):
            play("set 1 A", *lines, "extra A", terms=terms)
    with pytest.raises(IllegalEvent, match="knows no extra time"):
        play("set 1 A", "extra A", terms=timed())


def test_49_1_who_never_uses_a_clock_has_none() -> None:
    assert play("set 1 A", "1. A o").limit is None


def test_46_the_board_knows_at_every_moment_who_plays_which_ball() -> None:
    state = play("set 1 A")
    for number in range(1, 6):
        assert state.colours == Pair(Colour.WHITE, Colour.YELLOW)
        assert state.to_play is (Side.A if number % 2 else Side.B)
        assert state.to_play is not None
        state = state.then(parse_event(f"{number}. {state.to_play.value} o"))


def test_45_47_and_48_a_breach_is_a_called_foul_or_a_note() -> None:
    state = play("set 1 A", "1. A o !foot", 'note "A spoke (47)"', 'note "A drew a mark (48)"')
    assert (state.score, state.to_play) == (Pair(0, 2), Side.B)


def test_25_9_both_wrong_and_unnoticed_the_points_stand() -> None:
    before = play("set 1 A", "1. A o /13", "2. B o r")
    after = before.then(parse_event('swap "both had played the wrong ball"'))
    assert (after.score, after.to_play, after.situation) == (before.score, before.to_play, before.situation)


def test_62_the_turn_order_goes_on_from_the_starting_position() -> None:
    state = play("set 1 A", "1. A o", 'place start "the lamp fell"')
    assert state.situation is not None
    assert (state.to_play, state.ball_in_hand) == (Side.B, True)
    assert state.situation.occasion is Occasion.ORDINARY


@pytest.mark.parametrize(
    ("facts", "allowed"),
    [
        ("-", True),
        ("o c^", False),
        ("o o^", True),
        ("o r r^", True),
        ("o c^ o^", True),
        ("o r c^ r^", True),
        ("o c^ !wrong-ball", True),  # c is then the ball he struck: the incoming player's
        ("o o^ !wrong-ball", False),
    ],
)
def test_44_5_when_the_object_ball_may_be_asked_for_on_its_spot(facts: str, allowed: bool) -> None:
    assert play("set 1 A", f"1. A {facts}", "2. B spot o").to_play is Side.A
    state = play("set 1 A", f"1. A {facts}", terms=Terms(book=FIBIS_2022))
    if allowed:
        assert state.then(parse_event("2. B spot o")).to_play is Side.A
    else:
        with pytest.raises(IllegalEvent, match="'spot' is not allowed"):
            state.then(parse_event("2. B spot o"))


# -- who decides ---------------------------------------------------------------------------------

_ENTRY = re.compile(r"^- \*\*([\d.a-g]+)\*\*((?:.|\n)*?)(?=^- |^#|\Z)", re.MULTILINE)
ENTRIES = _ENTRY.findall(READINGS.read_text("utf-8"))


def decided() -> Iterator[str]:
    """Every paragraph of the rule pages that has a reading which was decided."""
    for page in sorted((ROOT / "docs" / "rules").glob("[1-6]-*.md")):
        number = ""
        for line in page.read_text("utf-8").splitlines():
            if found := re.match(r"#{2,4} (\d+(?:\.\d+)?[a-g]?) ", line):
                number = found[1]
            if "**Decided:**" in line:
                yield number


@pytest.mark.parametrize("number", sorted(set(decided())))
def test_every_decided_reading_is_written_down(number: str) -> None:
    assert number in dict(ENTRIES), f"docs/decisions/020-readings.md has no entry for {number}"


@pytest.mark.parametrize("entry", [pytest.param(entry, id=number) for number, entry in ENTRIES])
def test_every_written_reading_has_an_alternative_a_reason_and_a_field(entry: str) -> None:
    assert [word for word in ("*Else:*", "*Why:*", "*Field:*") if word not in entry] == []
    for name in re.findall(r"`([\w.]+)`", entry.partition("*Field:*")[2]):
        if not name.startswith("Table."):
            assert_field(name)


def assert_field(name: str) -> None:
    """A value of a rule book exists by that path."""
    thing: object = UMB_1997
    for part in name.split("."):
        thing = getattr(thing, part)


def test_every_switch_of_a_rule_book_is_a_reading_or_a_difference() -> None:
    page = READINGS.read_text("utf-8") + (ROOT / "docs" / "rules" / "README.md").read_text("utf-8")
    values = {"outer", "centre", "cannon", "casin", "foul"}  # the text gives these plainly
    for field in fields(Rulebook):
        assert field.name in values or re.search(rf"`{field.name}[.`]", page), field.name
