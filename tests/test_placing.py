"""Where balls and pins go after a stroke: every sentence of the rules on placing, in both books.

White has played and yellow comes in; that the same holds with the colours exchanged is a property below.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations, product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fivepins.errors import IllegalEvent, ImpossiblePosition
from fivepins.placing import (
    BALL_TO_TOP,
    DISPLACED_BACK,
    DISPLACED_STAY,
    IN_LOWER,
    MAKES_ROOM,
    NEAREST,
    PINS_BACK,
    PINS_OFF,
    PINS_RETURN,
    RED_TO_UPPER,
    TOUCHING,
    Half,
    Hand,
    Placed,
    disturbed,
    exchange,
    opening,
    restore_pins,
    settle,
    take_spot,
)
from fivepins.rulebook import FIBIS_2022, UMB_1997, Rulebook
from fivepins.table import PINS, START, TABLE, Colour, Pin, Point, Position

WHITE, YELLOW, RED = Colour
BOOKS = [pytest.param(book, id=book.id) for book in (UMB_1997, FIBIS_2022)]
ALL = frozenset(PINS)
LOW = Point(300, 700)
HIGH = Point(1000, 2000)
ASIDE = Point(1300, 300)
MID = Point(200, 1420)
LIMIT = TABLE.radius + TABLE.pin_base
"""How near to a seat a ball covers it."""


def foul(
    white: Point | None,
    yellow: Point | None,
    red: Point | None,
    book: Rulebook = UMB_1997,
    *,
    missing: str = "",
) -> Placed:
    """White has fouled, yellow comes in; balls that are None are outside, unless named as missing."""
    rest = Position(white, yellow, red)
    outs = frozenset(colour for colour in Colour if rest[colour] is None and colour.value not in missing)
    return settle(rest, striker=WHITE, outs=outs, ball_in_hand=True, book=book)


def fair(rest: Position, book: Rulebook = UMB_1997, felled: frozenset[Pin] | None = None) -> Position:
    """The position after a stroke of white's without ball in hand."""
    placed = settle(rest, striker=WHITE, outs=frozenset(), ball_in_hand=False, felled=felled, book=book)
    assert placed.hand is None
    return placed.position


def near(place: Point, distance: float, degrees: float = 180) -> Point:
    """A place at this distance from another; to the left, if not told otherwise."""
    turn = math.radians(degrees)
    return Point(place.x + distance * math.cos(turn), place.y + distance * math.sin(turn))


def half(placed: Placed) -> Half:
    assert placed.hand is not None
    return placed.hand.half


def articles(placed: Placed) -> list[str]:
    return [step.article for step in placed.steps]


def words(placed: Placed) -> list[str]:
    return [step.words for step in placed.steps]


# Balls outside (42.3)


@pytest.mark.parametrize("book", BOOKS)
def test_42_3c_the_red_goes_to_the_second_highest_spot(book: Rulebook) -> None:
    placed = foul(LOW, HIGH, None, book)
    assert placed.position == Position(LOW, HIGH, TABLE.upper_spot)
    assert articles(placed) == ["42.3c", "44.2"]


@pytest.mark.parametrize("book", BOOKS)
def test_42_3c_the_striker_on_it_sends_the_red_to_the_second_lowest(book: Rulebook) -> None:
    assert foul(near(TABLE.upper_spot, 40), LOW, None, book).position.red == TABLE.lower_spot


def test_42_3c_any_ball_keeps_the_red_from_its_spot() -> None:
    assert foul(LOW, TABLE.upper_spot, None).position == Position(LOW, TABLE.upper_spot, TABLE.lower_spot)


def test_42_3c_fibis_only_the_striker_keeps_the_red_from_its_spot_the_ball_in_hand_makes_room() -> None:
    placed = foul(LOW, TABLE.upper_spot, None, FIBIS_2022)
    assert placed.position == Position(LOW, None, TABLE.upper_spot)
    assert words(placed)[:2] == [MAKES_ROOM, RED_TO_UPPER]


@pytest.mark.parametrize(("distance", "blocked"), [(61.49, True), (61.5, False), (61.51, False)])
def test_42_3_blocked_is_closer_than_one_ball(distance: float, blocked: bool) -> None:
    red = foul(near(TABLE.upper_spot, distance), LOW, None).position.red
    assert red == (TABLE.lower_spot if blocked else TABLE.upper_spot)


def test_42_3c_both_spots_blocked_the_ball_in_hand_makes_room() -> None:
    placed = foul(TABLE.lower_spot, TABLE.upper_spot, None)
    assert placed.position == Position(TABLE.lower_spot, None, TABLE.upper_spot)
    placed = foul(TABLE.upper_spot, TABLE.lower_spot, None)
    assert placed.position == Position(TABLE.upper_spot, None, TABLE.lower_spot)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(
    ("incoming", "spot", "half_"),
    [(LOW, TABLE.top_spot, Half.LOWER), (HIGH, TABLE.bottom_spot, Half.UPPER)],
)
def test_42_3a_the_striker_goes_to_the_end_spot_opposite_to_the_incoming_ball(
    book: Rulebook, incoming: Point, spot: Point, half_: Half
) -> None:
    placed = foul(None, incoming, ASIDE, book)
    assert placed.position == Position(spot, incoming, ASIDE)
    assert half(placed) is half_
    assert articles(placed) == ["42.3a", "44.2"]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(
    ("incoming", "red", "spot"),
    [
        (LOW, TABLE.top_spot, TABLE.bottom_spot),
        (HIGH, TABLE.bottom_spot, TABLE.top_spot),
    ],
)
def test_42_3a_blocked_by_the_red_it_goes_to_the_other_end_spot(
    book: Rulebook, incoming: Point, red: Point, spot: Point
) -> None:
    placed = foul(None, incoming, red, book)
    assert placed.position == Position(spot, incoming, red)
    assert half(placed) is (Half.UPPER if spot == TABLE.bottom_spot else Half.LOWER)


@pytest.mark.parametrize("book", BOOKS)
def test_42_3a_both_end_spots_blocked_the_ball_in_hand_makes_room(book: Rulebook) -> None:
    placed = foul(None, TABLE.bottom_spot, TABLE.top_spot, book)
    assert placed.position == Position(TABLE.bottom_spot, None, TABLE.top_spot)
    assert half(placed) is Half.UPPER


@pytest.mark.parametrize("book", BOOKS)
def test_42_3_the_red_is_placed_before_the_striker(book: Rulebook) -> None:
    placed = foul(None, LOW, None, book)
    assert placed.position == Position(TABLE.top_spot, LOW, TABLE.upper_spot)
    assert articles(placed) == ["42.3c", "42.3a", "44.2"]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(("striker", "half_"), [(LOW, Half.UPPER), (HIGH, Half.LOWER)])
def test_42_3b_the_incoming_ball_is_in_hand(book: Rulebook, striker: Point, half_: Half) -> None:
    placed = foul(striker, None, ASIDE, book)
    assert placed.position == Position(striker, None, ASIDE)
    assert placed.hand == Hand(half_, YELLOW, may_spot=True)
    assert articles(placed) == ["42.3b"]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("incoming", [None, MID, Point(200, 1420.5), Point(200, 1419.5)])
def test_42_3_both_white_balls_out_or_the_incoming_astride(book: Rulebook, incoming: Point | None) -> None:
    placed = foul(None, incoming, ASIDE, book)
    assert placed.position == Position(TABLE.top_spot, incoming, ASIDE)
    assert half(placed) is Half.LOWER


@pytest.mark.parametrize("book", BOOKS)
def test_42_3_just_beyond_the_central_line_is_not_astride(book: Rulebook) -> None:
    placed = foul(None, Point(200, 1420.51), ASIDE, book)
    assert (placed.position.white, half(placed)) == (TABLE.bottom_spot, Half.UPPER)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("incoming", [LOW, HIGH, MID, None])
def test_44_6_the_offenders_ball_was_in_hand_itself(book: Rulebook, incoming: Point | None) -> None:
    placed = foul(None, incoming, ASIDE, book, missing="white yellow")
    assert placed.position == Position(TABLE.top_spot, incoming, ASIDE)
    assert placed.hand == Hand(Half.LOWER, YELLOW, may_spot=True)
    assert (articles(placed)[0], words(placed)) == ("44.6", [BALL_TO_TOP, IN_LOWER])


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("missing", ["", "white"])
def test_42_3_the_red_on_the_top_spot_as_in_44_5(book: Rulebook, missing: str) -> None:
    placed = foul(None, None, TABLE.top_spot, book, missing=missing)
    assert placed.position == Position(TABLE.bottom_spot, None, TABLE.top_spot)
    assert half(placed) is Half.UPPER


def test_42_1_a_ball_that_came_back_is_outside_all_the_same() -> None:
    placed = settle(
        Position(LOW, HIGH, ASIDE), striker=WHITE, outs=frozenset({RED, YELLOW}), ball_in_hand=True
    )
    assert placed.position == Position(LOW, None, TABLE.upper_spot)


SPOTS = (TABLE.bottom_spot, TABLE.lower_spot, MID, TABLE.upper_spot, TABLE.top_spot)
OUTS = [frozenset(some) for some in chain.from_iterable(combinations(Colour, n) for n in range(4))]


def every_rest() -> Iterator[tuple[frozenset[Colour], Position]]:
    """All combinations of balls outside, with every other ball on or beside each spot that it could block."""
    for outs in OUTS:
        places = [(None,) if colour in outs else SPOTS for colour in Colour]
        for white, yellow, red in product(*places):
            on = [place for place in (white, yellow, red) if place]
            if len(set(on)) == len(on):
                yield outs, Position(white, yellow, red)


def expected_red(rest: Position, book: Rulebook) -> Point:
    """Told once more in other words: 42.3c as a table."""
    upper, lower = TABLE.upper_spot, TABLE.lower_spot
    if book is FIBIS_2022:
        return lower if rest.white == upper else upper
    on = {rest.white, rest.yellow}
    if upper not in on:
        return upper
    return lower if lower not in on or rest.white == upper else upper  # both blocked: not onto the striker


def expected_white(rest: Position, red: Point | None) -> Point:
    """42.3a as a table; the books differ only where the ball in hand makes room."""
    top, bottom = TABLE.top_spot, TABLE.bottom_spot
    if rest.yellow in {None, MID, bottom, TABLE.lower_spot}:
        return bottom if red == top else top
    return top if red == bottom else bottom


@pytest.mark.parametrize("book", BOOKS)
def test_42_3_all_combinations_of_balls_outside_and_blockers(book: Rulebook) -> None:
    seen = 0
    for outs, rest in every_rest():
        placed = settle(rest, striker=WHITE, outs=outs, ball_in_hand=True, book=book)
        red = expected_red(rest, book) if RED in outs else rest.red
        white = expected_white(rest, red) if WHITE in outs else rest.white
        yellow = None if rest.yellow in {red, white} else rest.yellow
        assert placed.position == Position(white, yellow, red), (outs, rest)
        below = white in {MID, TABLE.upper_spot, TABLE.top_spot}
        assert half(placed) is (Half.LOWER if below else Half.UPPER)
        seen += 1
    assert seen == 60 + 3 * 20 + 3 * 5 + 1


# Pins (43)


@pytest.mark.parametrize("book", BOOKS)
def test_43_felled_pins_go_back_to_their_seats(book: Rulebook) -> None:
    rest = Position(LOW, HIGH, ASIDE, frozenset({Pin.TOP}))
    placed = settle(rest, striker=WHITE, outs=frozenset(), ball_in_hand=False, book=book)
    assert placed.position == Position(LOW, HIGH, ASIDE)
    assert [(step.words, len(step.pins)) for step in placed.steps] == [(PINS_BACK, 4)]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(("distance", "covered"), [(0, True), (LIMIT - 0.001, True), (LIMIT + 0.001, False)])
def test_43_8_a_covered_seat_keeps_its_pin_off(book: Rulebook, distance: float, covered: bool) -> None:
    for pin in PINS:
        degrees = {Pin.TOP: 90, Pin.RIGHT: 0, Pin.BOTTOM: 270, Pin.LEFT: 180, Pin.CENTRE: 45}[pin]
        ball = near(TABLE.seat(pin), distance, degrees)
        standing = fair(Position(LOW, HIGH, ball, frozenset()), book).standing
        assert standing == (ALL - {pin} if covered else ALL)


@pytest.mark.parametrize("book", BOOKS)
def test_43_8_it_comes_back_before_the_first_stroke_whose_balls_leave_the_seat_free(book: Rulebook) -> None:
    seat = TABLE.seat(Pin.TOP)
    first = fair(Position(LOW, HIGH, seat, ALL - {Pin.TOP}), book)
    second = fair(first.put(WHITE, ASIDE), book)
    third = fair(second.put(RED, near(seat, 20, 90)), book)  # it moved, and covers the seat still
    assert {one.standing for one in (first, second, third)} == {ALL - {Pin.TOP}}
    placed = settle(
        third.put(RED, MID),
        striker=WHITE,
        outs=frozenset(),
        ball_in_hand=False,
        felled=frozenset(),
        book=book,
    )
    assert placed.position.standing == ALL
    assert [(step.article, step.words, step.pins) for step in placed.steps] == [
        ("43.8", PINS_RETURN, (Pin.TOP,))
    ]


@pytest.mark.parametrize("book", BOOKS)
def test_43_8_one_ball_goes_and_another_comes(book: Rulebook) -> None:
    seat = TABLE.seat(Pin.LEFT)
    position = fair(Position(seat, HIGH, ASIDE, ALL - {Pin.LEFT}), book)
    position = fair(replace(position, white=LOW, red=seat), book)
    assert position.standing == ALL - {Pin.LEFT}
    assert fair(position.put(RED, ASIDE), book).standing == ALL


def test_43_8_the_step_says_which_pins_are_off() -> None:
    rest = Position(LOW, HIGH, TABLE.seat(Pin.TOP), ALL - {Pin.TOP})
    placed = settle(rest, striker=WHITE, outs=frozenset(), ball_in_hand=False)
    assert [(step.article, step.words, step.pins) for step in placed.steps] == [
        ("43.8", PINS_OFF, (Pin.TOP,))
    ]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("distance", [NEAREST + 0.01, 30, 32.6, 33.5, LIMIT + 1])
def test_43_a_pin_still_standing_is_never_taken_off(book: Rulebook, distance: float) -> None:
    ball = near(TABLE.seat(Pin.LEFT), distance)
    position = fair(Position(LOW, HIGH, ball), book)
    assert position.standing == ALL
    assert not position.problems()
    assert fair(position, book) == position
    assert fair(position.put(RED, ASIDE), book) == Position(LOW, HIGH, ASIDE)


def test_43_a_ball_upon_a_standing_pin_is_refused() -> None:
    with pytest.raises(ImpossiblePosition, match="pin 4 stands where the red ball lies"):
        fair(Position(LOW, HIGH, TABLE.seat(Pin.LEFT)))
    displaced = ((Pin.LEFT, Point(300, 720)),)
    with pytest.raises(ImpossiblePosition, match=r"pin 4 stands 20\.000 mm from the white ball"):
        fair(Position(LOW, HIGH, ASIDE, displaced=displaced))


@pytest.mark.parametrize("book", BOOKS)
def test_43_2_a_pin_that_stood_up_again_has_fallen(book: Rulebook) -> None:
    seat = TABLE.seat(Pin.LEFT)
    place = near(seat, 20)
    rest = Position(LOW, HIGH, near(place, 32), displaced=((Pin.LEFT, place),))
    assert fair(rest, book, frozenset({Pin.LEFT})) == Position(LOW, HIGH, rest.red)
    leaning = Position(LOW, HIGH, near(seat, 30))
    assert fair(leaning, book, frozenset({Pin.LEFT})).standing == ALL - {Pin.LEFT}


@pytest.mark.parametrize("book", BOOKS)
def test_43_4a_a_displaced_pin_goes_back_the_same_way(book: Rulebook) -> None:
    displaced = ((Pin.LEFT, near(TABLE.seat(Pin.LEFT), 20)),)
    rest = Position(LOW, HIGH, ASIDE, displaced=displaced)
    placed = settle(rest, striker=WHITE, outs=frozenset(), ball_in_hand=False, book=book)
    assert placed.position == Position(LOW, HIGH, ASIDE)
    assert words(placed) == [DISPLACED_BACK]


@pytest.mark.parametrize("book", BOOKS)
def test_43_4a_with_its_seat_covered_a_displaced_pin_stays_off(book: Rulebook) -> None:
    seat = TABLE.seat(Pin.LEFT)
    rest = Position(LOW, HIGH, near(seat, 10, 0), displaced=((Pin.LEFT, near(seat, 40)),))
    placed = settle(rest, striker=WHITE, outs=frozenset(), ball_in_hand=False, book=book)
    assert placed.position.standing == ALL - {Pin.LEFT}
    assert not placed.position.displaced
    assert articles(placed) == ["43.4a"]


@pytest.mark.parametrize(
    ("distance", "touches"), [(NEAREST, True), (32.6, True), (32.69, True), (32.71, False)]
)
def test_43_4b_a_displaced_pin_that_touches_a_ball_stays_in_play(distance: float, touches: bool) -> None:
    place = near(TABLE.seat(Pin.LEFT), 20)
    rest = Position(LOW, HIGH, near(place, distance), displaced=((Pin.LEFT, place),))
    placed = settle(rest, striker=WHITE, outs=frozenset(), ball_in_hand=False)
    assert placed.position == (rest if touches else replace(rest, displaced=()))
    assert words(placed) == [DISPLACED_STAY if touches else DISPLACED_BACK]
    # … until it touches none any more.
    assert fair(placed.position.put(RED, ASIDE)) == Position(LOW, HIGH, ASIDE)


def test_43_4b_fibis_has_no_such_pin() -> None:
    place = near(TABLE.seat(Pin.LEFT), 20)
    rest = Position(LOW, HIGH, near(place, 32.6), displaced=((Pin.LEFT, place),))
    assert fair(rest, FIBIS_2022) == Position(LOW, HIGH, rest.red)


def test_43_4b_counts_what_lies_at_the_end_of_the_stroke_not_what_is_placed_after_it() -> None:
    place = near(TABLE.upper_spot, 32.6)
    rest = Position(LOW, HIGH, None, displaced=((Pin.TOP, place),))
    placed = settle(rest, striker=WHITE, outs=frozenset({RED}), ball_in_hand=True)
    assert placed.position == Position(LOW, HIGH, TABLE.upper_spot)


def test_43_a_seat_on_which_another_pin_stays_is_not_free() -> None:
    place = near(TABLE.seat(Pin.CENTRE), 3)
    rest = Position(LOW, HIGH, near(place, 32.6, 135), ALL - {Pin.CENTRE}, ((Pin.LEFT, place),))
    assert fair(rest).standing == ALL - {Pin.CENTRE}


@pytest.mark.parametrize(("shift", "displaced"), [(0.5, False), (0.51, True)])
def test_43_4_displaced_is_further_than_a_line_is_wide(shift: float, displaced: bool) -> None:
    place = near(TABLE.seat(Pin.LEFT), shift, 0)
    rest = Position(LOW, HIGH, near(place, 32.6), displaced=((Pin.LEFT, place),))
    assert fair(rest) == rest
    # Where displaced pins do not stay, this ball lies on the seat.
    assert fair(rest, FIBIS_2022).standing == (ALL - {Pin.LEFT} if displaced else ALL)


def test_restore_pins_brings_back_only_what_is_free() -> None:
    position = Position(LOW, TABLE.seat(Pin.TOP), ASIDE, frozenset())
    assert restore_pins(position).standing == ALL - {Pin.TOP}
    assert restore_pins(position.put(YELLOW, HIGH)).standing == ALL
    with pytest.raises(ImpossiblePosition, match="overlap"):
        restore_pins(Position(LOW, LOW, ASIDE))


# Ball in hand (44)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(
    ("striker", "half_", "article"),
    [
        (LOW, Half.UPPER, "44.2"),
        (HIGH, Half.LOWER, "44.2"),
        (MID, Half.LOWER, "44.4"),
        (Point(200, 1420.5), Half.LOWER, "44.4"),
        (Point(200, 1419.5), Half.LOWER, "44.4"),
        (Point(200, 1419.49), Half.UPPER, "44.2"),
        (Point(200, 1420.51), Half.LOWER, "44.2"),
    ],
)
def test_44_2_the_striker_stays_and_the_other_half_is_played_from(
    book: Rulebook, striker: Point, half_: Half, article: str
) -> None:
    placed = foul(striker, Point(1200, 1000), ASIDE, book)
    assert placed.position == Position(striker, Point(1200, 1000), ASIDE)
    assert (half(placed), articles(placed)) == (half_, [article])


@pytest.mark.parametrize(
    ("half_", "y", "allowed"),
    [
        (Half.LOWER, 1389.25, True),
        (Half.LOWER, 1389.259, True),  # written decimals
        (Half.LOWER, 1389.3, False),
        (Half.LOWER, 30.75, True),
        (Half.UPPER, 1450.75, True),
        (Half.UPPER, 1450.741, True),
        (Half.UPPER, 1450.7, False),
        (Half.UPPER, 700, False),
    ],
)
def test_44_3_the_whole_ball_on_its_side_of_the_central_line(half_: Half, y: float, allowed: bool) -> None:
    assert (not Hand(half_, YELLOW).problems(Point(200, y), Position(LOW, None, ASIDE))) is allowed


def test_44_3_every_reason_against_a_place_is_told() -> None:
    with pytest.raises(ImpossiblePosition) as caught:
        Hand(Half.LOWER, YELLOW).place(Position(Point(680, 1450), None, ASIDE, frozenset()), Point(700, 1400))
    assert [fault.message for fault in caught.value.faults] == [
        "the yellow ball at 700:1400 is over the central line",
        "the white ball and the yellow ball overlap: 53.852 mm between centres, 61.5 at least",
        "the yellow ball at 700:1400 would stand on pin 5",
    ]


@pytest.mark.parametrize(
    ("point", "reason"),
    [
        (Point(10, 500), "not on the bed"),
        (Point(math.nan, 500), "no place"),
        (Point(340, 700), "overlap"),
        (TABLE.seat(Pin.BOTTOM), "pin 3"),
        (near(TABLE.seat(Pin.BOTTOM), LIMIT - 0.01, 270), "pin 3"),
    ],
)
def test_44_3_a_place_is_refused(point: Point, reason: str) -> None:
    with pytest.raises(ImpossiblePosition, match=reason):
        Hand(Half.LOWER, YELLOW).place(Position(LOW, HIGH, ASIDE), point)


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        (Position(LOW, HIGH, TABLE.seat(Pin.LEFT)), "pin 4 stands where the red ball lies"),
        (Position(LOW, HIGH, ASIDE, frozenset({Pin.OUTER})), "not identified has no seat"),
        (Position(LOW, HIGH, ASIDE, displaced=((Pin.TOP, Point(-5, 9)),)), "pin 1 at -5:9 is not on the bed"),
    ],
)
def test_44_3_nothing_is_placed_where_the_rest_is_impossible(position: Position, reason: str) -> None:
    with pytest.raises(ImpossiblePosition, match=reason):
        Hand(Half.LOWER, YELLOW).place(position, Point(900, 700))


def test_44_2_the_ball_in_hand_is_lifted_before_it_is_placed() -> None:
    seat = TABLE.seat(Pin.BOTTOM)
    placed = settle(
        Position(HIGH, seat, ASIDE, frozenset()), striker=WHITE, outs=frozenset(), ball_in_hand=True
    )
    assert placed.position.standing == ALL - {Pin.BOTTOM}
    assert placed.hand is not None
    assert placed.hand.place(placed.position, LOW) == Position(HIGH, LOW, ASIDE)
    assert placed.hand.place(placed.position, near(seat, 50, 270)).standing == ALL  # over where it lay
    assert placed.hand.problems(seat, placed.position)  # the pin is back before the ball


@pytest.mark.parametrize("outs", OUTS, ids=lambda outs: "+".join(sorted(one.value for one in outs)) or "none")
@pytest.mark.parametrize("book", BOOKS)
def test_44_5_who_may_ask_for_the_spot(book: Rulebook, outs: frozenset[Colour]) -> None:
    placed = settle(Position(LOW, HIGH, ASIDE), striker=WHITE, outs=outs, ball_in_hand=True, book=book)
    assert placed.hand is not None
    assert placed.hand.may_spot is (book is UMB_1997 or outs != {WHITE})
    if not placed.hand.may_spot:
        with pytest.raises(IllegalEvent, match="not allowed"):
            take_spot(placed)


@pytest.mark.parametrize("book", BOOKS)
def test_44_5_the_object_ball_to_the_top_spot_and_play_from_below(book: Rulebook) -> None:
    taken = take_spot(foul(LOW, HIGH, ASIDE, book))
    assert taken.position == Position(TABLE.top_spot, HIGH, ASIDE)
    assert taken.hand == Hand(Half.LOWER, YELLOW)
    assert articles(taken) == ["44.2", "44.5", "44.5"]


@pytest.mark.parametrize("book", BOOKS)
def test_44_5_with_the_red_on_it_the_bottom_spot_and_play_from_above(book: Rulebook) -> None:
    taken = take_spot(foul(HIGH, LOW, near(TABLE.top_spot, 61), book))
    assert taken.position.white == TABLE.bottom_spot
    assert taken.hand == Hand(Half.UPPER, YELLOW)


def test_44_5_the_ball_in_hand_makes_room_and_pins_come_back() -> None:
    seat = TABLE.seat(Pin.RIGHT)
    rest = Position(seat, TABLE.top_spot, ASIDE, frozenset())
    placed = settle(rest, striker=WHITE, outs=frozenset(), ball_in_hand=True, felled=ALL)
    assert placed.position.standing == ALL - {Pin.RIGHT}
    taken = take_spot(placed)
    assert taken.position == Position(TABLE.top_spot, None, ASIDE)
    assert words(taken)[-4:] == [MAKES_ROOM, BALL_TO_TOP, PINS_RETURN, IN_LOWER]


def test_44_5_only_once_and_only_with_ball_in_hand() -> None:
    with pytest.raises(IllegalEvent, match="not allowed"):
        take_spot(take_spot(foul(LOW, HIGH, ASIDE)))
    with pytest.raises(IllegalEvent, match="without ball in hand"):
        take_spot(Placed(START))


# What cannot be asked for


def test_every_reason_is_told_at_once() -> None:
    with pytest.raises(ImpossiblePosition) as caught:
        settle(Position(LOW, LOW, None), striker=RED, outs=frozenset(), ball_in_hand=False)
    assert [fault.message for fault in caught.value.faults] == [
        "the red ball has no player",
        "the red ball is not on the table",
        "the white ball and the yellow ball overlap: 0.000 mm between centres, 61.5 at least",
    ]


def test_a_ball_outside_always_gives_ball_in_hand() -> None:
    with pytest.raises(ImpossiblePosition, match="without ball in hand"):
        settle(Position(LOW, HIGH, None), striker=WHITE, outs=frozenset({RED}), ball_in_hand=False)


def test_a_pin_that_nobody_can_name_has_no_seat() -> None:
    with pytest.raises(ImpossiblePosition, match="no seat"):
        fair(Position(LOW, HIGH, ASIDE, frozenset({Pin.OUTER})))


# A third person (62), the wrong balls (25.9), the opening (25.1, 25.2)

BEFORE = Position(LOW, HIGH, ASIDE)
WOULD_BE = Position(HIGH, LOW, MID, frozenset({Pin.TOP}))


@pytest.mark.parametrize(("book", "expected"), [(UMB_1997, WOULD_BE), (FIBIS_2022, BEFORE)])
def test_62_where_they_would_have_come_to_rest_or_the_position_before(
    book: Rulebook, expected: Position
) -> None:
    assert disturbed(BEFORE, WOULD_BE, book) == expected


@pytest.mark.parametrize("book", BOOKS)
def test_62_what_lay_still_goes_where_it_was(book: Rulebook) -> None:
    assert disturbed(BEFORE, None, book) == BEFORE


@pytest.mark.parametrize("book", BOOKS)
def test_62_the_starting_position_for_the_player_on_turn(book: Rulebook) -> None:
    assert disturbed(BEFORE, None, book, start=WHITE) == START
    assert disturbed(BEFORE, None, book, start=YELLOW) == exchange(START)


def test_62_an_impossible_position_is_refused() -> None:
    with pytest.raises(ImpossiblePosition, match="overlap"):
        disturbed(BEFORE, Position(LOW, LOW, ASIDE))


def test_25_9_the_white_balls_exchange_their_places() -> None:
    assert exchange(BEFORE) == Position(HIGH, LOW, ASIDE)
    assert exchange(exchange(BEFORE)) == BEFORE


def test_25_1_the_opening_position() -> None:
    assert opening() == START
    assert opening(opener=YELLOW) == Position(TABLE.top_spot, TABLE.lower_spot, TABLE.upper_spot)


@pytest.mark.parametrize("opener", [WHITE, YELLOW])
def test_25_2_the_opener_places_his_ball_in_the_lower_half(opener: Colour) -> None:
    assert opening(LOW, opener=opener)[opener] == LOW
    with pytest.raises(ImpossiblePosition) as caught:
        opening(Point(20, 1400), opener=opener)
    assert len(caught.value.faults) == 2
    with pytest.raises(ImpossiblePosition, match="over the central line"):
        opening(HIGH, opener=opener)


def test_25_2_the_red_opens_nothing() -> None:
    with pytest.raises(ImpossiblePosition, match="no player"):
        opening(opener=RED)


# Properties

PLACES = st.one_of(
    st.builds(Point, st.floats(30.75, 1389.25), st.floats(30.75, 2809.25)),
    st.builds(near, st.sampled_from(SPOTS), st.floats(0, 65), st.floats(0, 360)),
    st.builds(near, st.sampled_from([TABLE.seat(pin) for pin in PINS]), st.floats(0, 40), st.floats(0, 360)),
)


@st.composite
def rests(draw: st.DrawFn) -> Position:
    """Balls anywhere, often on spots and seats; pins standing, leaning, displaced or fallen."""
    position = Position(draw(PLACES), draw(PLACES), draw(PLACES), frozenset())
    assume(not position.problems())
    balls = [place for _, place in position.balls()]
    standing, displaced = set(), {}
    for pin in PINS:
        place = TABLE.seat(pin)
        if draw(st.booleans()):
            place = displaced[pin] = near(place, draw(st.floats(0, 30)), draw(st.floats(0, 360)))
        if draw(st.booleans()) and all(ball.distance(place) >= NEAREST for ball in balls):
            standing.add(pin)
    stay = tuple((pin, place) for pin, place in displaced.items() if pin in standing)
    return replace(position, standing=frozenset(standing), displaced=stay)


OUTSIDE = st.frozensets(st.sampled_from(Colour))
BOOK = st.sampled_from((UMB_1997, FIBIS_2022))


@given(rests(), OUTSIDE, st.sampled_from((WHITE, YELLOW)), BOOK, st.data())
def test_a_settled_position_has_no_problems_before_and_after_the_ball_in_hand_is_placed(
    rest: Position, outs: frozenset[Colour], striker: Colour, book: Rulebook, data: st.DataObject
) -> None:
    placed = settle(rest, striker=striker, outs=outs, ball_in_hand=True, book=book)
    if placed.hand and placed.hand.may_spot and data.draw(st.booleans()):
        placed = take_spot(placed)
    assert not placed.position.problems()
    assert placed.hand is not None
    y = st.floats(30.75, 1389.25) if placed.hand.half is Half.LOWER else st.floats(1450.75, 2809.25)
    point = Point(data.draw(st.floats(30.75, 1389.25)), data.draw(y))
    if placed.hand.problems(point, placed.position):
        with pytest.raises(ImpossiblePosition):
            placed.hand.place(placed.position, point)
        return
    played = placed.hand.place(placed.position, point)
    assert not played.problems()
    assert all(place is not None for place in (played.white, played.yellow, played.red))
    assert restore_pins(played) == played


@given(rests(), OUTSIDE, BOOK)
def test_fallen_pins_are_all_back_unless_their_seats_are_covered(
    rest: Position, outs: frozenset[Colour], book: Rulebook
) -> None:
    position = settle(rest, striker=WHITE, outs=outs, ball_in_hand=True, book=book).position
    for pin in ALL - position.standing:
        free = not any(TABLE.covers(place, pin) for _, place in position.balls())
        crowded = any(place.distance(TABLE.seat(pin)) < 10 for _, place in position.displaced)
        assert not free or crowded
    for pin in ALL - rest.standing:
        assert pin not in dict(position.displaced)


@given(rests(), OUTSIDE, BOOK)
def test_a_ball_that_was_not_out_never_moves(rest: Position, outs: frozenset[Colour], book: Rulebook) -> None:
    placed = settle(rest, striker=WHITE, outs=outs, ball_in_hand=True, book=book)
    for colour in set(Colour) - outs:
        room = any(step.words == MAKES_ROOM and step.ball is colour for step in placed.steps)
        assert placed.position[colour] == (None if room else rest[colour])
        assert not room or colour is YELLOW


@given(rests(), st.booleans(), BOOK)
def test_settling_twice_is_settling_once(rest: Position, hand: bool, book: Rulebook) -> None:
    once = settle(rest, striker=WHITE, outs=frozenset(), ball_in_hand=hand, book=book)
    twice = settle(once.position, striker=WHITE, outs=frozenset(), ball_in_hand=hand, book=book)
    assert (twice.position, twice.hand) == (once.position, once.hand)


@given(rests(), OUTSIDE, BOOK)
def test_the_colours_have_no_part_in_it(rest: Position, outs: frozenset[Colour], book: Rulebook) -> None:
    one = settle(rest, striker=WHITE, outs=outs, ball_in_hand=True, book=book)
    swapped = frozenset(colour.other for colour in outs)
    other = settle(exchange(rest), striker=YELLOW, outs=swapped, ball_in_hand=True, book=book)
    assert other.position == exchange(one.position)
    assert half(other) is half(one)


@given(rests(), OUTSIDE, BOOK)
def test_the_steps_say_what_is_done(rest: Position, outs: frozenset[Colour], book: Rulebook) -> None:
    placed = settle(rest, striker=WHITE, outs=outs, ball_in_hand=True, book=book)
    position = rest
    for colour in outs:
        position = position.put(colour, None)
    for step in placed.steps[:-1]:
        if step.ball is not None:
            position = position.put(step.ball, step.place)
    assert [position[colour] for colour in Colour] == [placed.position[colour] for colour in Colour]
    assert {step.article for step in placed.steps} <= {
        *("42.3a", "42.3c", "42.3b", "43.1", "43.8", "43.4a", "43.4b", "44.2", "44.4"),
    }


@given(rests())
def test_restoring_the_pins_moves_no_ball_and_takes_no_seated_pin_off(rest: Position) -> None:
    restored = restore_pins(rest)
    assert list(restored.balls()) == list(rest.balls())
    assert rest.standing - dict(rest.displaced).keys() <= restored.standing
    assert restore_pins(restored) == restored


def test_touching_is_a_little_more_than_meeting() -> None:
    assert math.isclose(TOUCHING, 32.7)
