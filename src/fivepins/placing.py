"""Where balls and pins go after a stroke (42–44), after a disturbance (62) and for the opening (25).

Pure: a position goes in, a position comes out, with the steps the referee takes and their articles. What
the rules leave open is decided in `docs/decisions/011-placing-holes.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from enum import Enum

from fivepins.errors import Fault, IllegalEvent, ImpossiblePosition
from fivepins.language import N_
from fivepins.message import Message
from fivepins.rulebook import UMB_1997, AfterDisturbance, Blocking, Rulebook, SpotChoice
from fivepins.table import BALL_NAMES, OVERLAP, PINS, START, TABLE, Colour, Pin, Point, Position

ASTRIDE = 0.5
"""Millimetres from the central line within which a ball's centre is on it (44.4): as fine as a line is drawn.
The same for a pin and its seat."""

TOUCHING = 32.6 + 0.1
"""Millimetres between the centres of a ball and a pin that touch: where a ball meets a pin's head, plus the
gap that still counts as none, as between frozen balls (41)."""

NEAREST = 25.0
"""Millimetres between the centres of a ball and the base of a pin that leans on it; nearer, it has fallen."""

PIN_WIDTH = 10.0
"""Millimetres across a pin at its widest ring: two pins stand no closer (12.2)."""


class Half(Enum):
    """A half of the table; the lower one is where the opening stroke is played from."""

    LOWER = "lower"
    UPPER = "upper"

    @property
    def other(self) -> Half:
        """The half opposite.

        >>> Half.LOWER.other
        <Half.UPPER: 'upper'>
        """
        return Half.UPPER if self is Half.LOWER else Half.LOWER


@dataclass(frozen=True, slots=True)
class Step:
    """One thing the referee does: the article that says so, and the words, to be translated.

    `ball` goes to `place`, or off the table where that is None; `pins` are those the step is about.
    """

    article: str
    words: str
    ball: Colour | None = None
    place: Point | None = None
    pins: tuple[Pin, ...] = ()


RED_TO_UPPER = N_("The red ball goes to the second highest spot")
RED_TO_LOWER = N_("The red ball goes to the second lowest spot")
BALL_TO_TOP = N_("The opponent's ball goes to the top spot")
BALL_TO_BOTTOM = N_("The opponent's ball goes to the bottom spot")
MAKES_ROOM = N_("The ball in hand makes room")
PINS_BACK = N_("Fallen pins go back to their seats")
PINS_RETURN = N_("Pins whose seats are free again come back")
PINS_OFF = N_("Pins stay off while a ball lies on their seats")
DISPLACED_BACK = N_("Displaced pins go back to their seats")
DISPLACED_STAY = N_("Displaced pins that touch a ball stay where they are")
IN_UPPER = N_("Ball in hand in the upper half")
IN_LOWER = N_("Ball in hand in the lower half")


@dataclass(frozen=True, slots=True)
class Hand:
    """A ball in hand: whose colour it is and the half it is played from (44.2–44.4).

    `may_spot`: its player may first ask for the object ball on its spot (44.5), see `take_spot`.

    >>> Hand(Half.LOWER, Colour.WHITE).place(START, Point(400, 1000)).white
    Point(x=400, y=1000)
    """

    half: Half
    colour: Colour
    may_spot: bool = False

    def problems(self, point: Point, position: Position) -> list[Fault]:
        """Every reason why the ball may not be placed there; empty if it may.

        Where it lay before does not count: it is lifted, and pins it kept off or displaced go back first.

        >>> for fault in Hand(Half.LOWER, Colour.WHITE).problems(Point(710, 1400), START):
        ...     print(fault)
        the white ball at 710:1400 is over the central line
        the white ball at 710:1400 would stand on pin 5
        """
        without = position.put(self.colour, None)
        lifted = _return_pins(without)
        bare = replace(lifted, standing=frozenset(), displaced=()).put(self.colour, point)
        faults = [*self._over_the_line(point), *_faults(without), *bare.problems()]
        faults.extend(
            Fault(
                Message(
                    "the {ball} at {x:g}:{y:g} would stand on pin {pin}",
                    ball=BALL_NAMES[self.colour],
                    x=point.x,
                    y=point.y,
                    pin=pin.value,
                ),
                Message("{least:g} mm between their centres at least", least=TABLE.radius + TABLE.pin_base),
            )
            for pin, place in lifted.pins()
            if point.distance(place) < TABLE.radius + TABLE.pin_base
        )
        return list(dict.fromkeys(faults))

    def place(self, position: Position, point: Point) -> Position:
        """The position with the ball placed; raises `ImpossiblePosition` with every reason against it."""
        _refuse(self.problems(point, position))
        return _return_pins(position.put(self.colour, None)).put(self.colour, point)

    def _over_the_line(self, point: Point) -> Iterator[Fault]:
        line, radius = TABLE.centre_line, TABLE.radius
        lower = self.half is Half.LOWER
        if (point.y + radius > line + OVERLAP) if lower else (point.y - radius < line - OVERLAP):
            yield Fault(
                Message(
                    "the {ball} at {x:g}:{y:g} is over the central line",
                    ball=BALL_NAMES[self.colour],
                    x=point.x,
                    y=point.y,
                ),
                Message("the whole ball below it: y = {limit:g} at the most", limit=line - radius)
                if lower
                else Message("the whole ball above it: y = {limit:g} at the least", limit=line + radius),
            )


@dataclass(frozen=True, slots=True)
class Placed:
    """What the referee leaves behind: the position, the ball in hand if there is one, and the steps he took.

    A ball in hand is still in `position` where it lay, unless it was outside or had to make room.
    """

    position: Position
    hand: Hand | None = None
    steps: tuple[Step, ...] = ()


def settle(  # noqa: PLR0913 - a stroke has so many ends; all but the first are keywords
    rest: Position,
    *,
    striker: Colour,
    outs: frozenset[Colour],
    ball_in_hand: bool,
    felled: frozenset[Pin] | None = None,
    book: Rulebook = UMB_1997,
) -> Placed:
    """Place what has to be placed after a stroke: balls outside, pins, ball in hand, in this order (42–44).

    `rest` is what lies at rest, `standing` the pins still upright; balls in `outs` are outside wherever they
    ended (42.1). `felled` are the pins that fell in this stroke: needed where one stands up again (43.2),
    else every pin that does not stand counts as fallen. A striker's ball that was itself in hand (44.6) is
    None in `rest`. Raises `ImpossiblePosition` with every reason.

    >>> rest = Position(None, Point(300, 700), TABLE.upper_spot, frozenset({Pin.TOP}))
    >>> placed = settle(rest, striker=Colour.WHITE, outs=frozenset({Colour.WHITE}), ball_in_hand=True)
    >>> placed.position.white, placed.hand.half, len(placed.position.standing)
    (Point(x=710.0, y=2740.0), <Half.LOWER: 'lower'>, 5)
    """
    lying = _lying(rest, outs, felled)
    _refuse([*_misuse(lying, striker, outs, ball_in_hand=ball_in_hand), *_faults(lying)])
    work = _Referee(lying, striker.other)
    if Colour.RED in outs:
        work.put_red(book)
    if lying[striker] is None:
        work.put_strikers_ball(missing=striker not in outs)
    # 43.4b asks what a pin touches at the end of the stroke, so the balls just placed have no part in it.
    settled = _return_pins(work.position, may_stay=book.displaced_may_stay, touching=lying)
    work.put_pins(settled, frozenset(PINS) if felled is None else felled)
    if not ball_in_hand:
        return work.done(None)
    may_spot = book.spot_choice is SpotChoice.ALWAYS or outs != {striker}
    return work.done(work.hand_over(may_spot=may_spot, outside=striker.other in outs))


def take_spot(placed: Placed) -> Placed:
    """The incoming player asks for the object ball on its spot (44.5): the top one, and plays from below.

    With the red on it: the bottom one, and from above. Raises `IllegalEvent` where he has no such choice.

    >>> lying = Position(Point(300, 700), Point(900, 1900), TABLE.upper_spot)
    >>> placed = settle(lying, striker=Colour.WHITE, outs=frozenset(), ball_in_hand=True)
    >>> placed.hand.half, take_spot(placed).hand.half, take_spot(placed).position.white
    (<Half.UPPER: 'upper'>, <Half.LOWER: 'lower'>, Point(x=710.0, y=2740.0))
    """
    hand = placed.hand
    if hand is None:
        raise IllegalEvent(
            "'spot' without ball in hand",
            hint="44.5 belongs to a ball in hand",
            part="action",
        )
    if not hand.may_spot:
        raise IllegalEvent("'spot' is not allowed here", hint="play from the half as it is", part="action")
    work = _Referee(placed.position, hand.colour, placed.steps)
    work.put_on_top_spot("44.5")
    work.put_pins(_return_pins(work.position), frozenset())
    return work.done(work.hand_over("44.5"))


def restore_pins(position: Position) -> Position:
    """The pins for the stroke to come: those whose seats are free again are back (43.4, 43.8).

    To be asked before each stroke; raises `ImpossiblePosition` with every reason.

    >>> sorted(restore_pins(replace(START, standing=frozenset())).standing) == sorted(PINS)
    True
    """
    _refuse(_faults(position))
    return _return_pins(position)


def disturbed(
    before: Position,
    would_be: Position | None = None,
    book: Rulebook = UMB_1997,
    *,
    start: Colour | None = None,
) -> Position:
    """Where everything lies after a third person moved something (62).

    `before` is the position that was disturbed, `would_be` where the stroke would have come to rest, if that
    can be told: settle it like any other rest. `start` is the ball of the player on turn where the referee
    orders the starting position. Raises `ImpossiblePosition` with every reason.

    >>> would_be = START.put(Colour.RED, Point(300, 300))
    >>> disturbed(START, would_be).red
    Point(x=300, y=300)
    """
    if start is not None:
        return opening(opener=start)
    if would_be is None or book.after_disturbance is AfterDisturbance.POSITION_BEFORE:
        position = before
    else:
        position = would_be
    _refuse(_faults(position))
    return position


def exchange(position: Position) -> Position:
    """The two white balls change places: both players had played the wrong one (25.9).

    >>> exchange(START).yellow == START.white
    True
    """
    return replace(position, white=position.yellow, yellow=position.white)


def opening(at: Point | None = None, *, opener: Colour = Colour.WHITE) -> Position:
    """The position of the opening stroke, the opener's ball where he wants it in the lower half (25.1, 25.2).

    `at` None: on the second lowest spot. From the second set on the opener may own the yellow ball (25.8).
    Raises `ImpossiblePosition` with every reason against the place.

    >>> opening(Point(355, 710), opener=Colour.YELLOW).yellow
    Point(x=355, y=710)
    """
    if opener is Colour.RED:
        raise ImpossiblePosition([_NO_PLAYER])
    start = START if opener is Colour.WHITE else exchange(START)
    return Hand(Half.LOWER, opener).place(start, TABLE.lower_spot if at is None else at)


_NO_PLAYER = Fault("the red ball has no player", "name the white or the yellow ball")


def _lying(rest: Position, outs: AbstractSet[Colour], felled: AbstractSet[Pin] | None) -> Position:
    """What really lies and stands: no ball that was outside (42.1), no pin that fell and stood up (43.2)."""
    for colour in outs:
        rest = rest.put(colour, None)
    fallen = felled or frozenset()
    displaced = tuple(entry for entry in rest.displaced if entry[0] not in fallen)
    return replace(rest, standing=rest.standing - fallen, displaced=displaced)


def _misuse(
    lying: Position, striker: Colour, outs: AbstractSet[Colour], *, ball_in_hand: bool
) -> Iterator[Fault]:
    """What cannot be asked for, whatever the position."""
    if striker is Colour.RED:
        yield _NO_PLAYER
    if outs and not ball_in_hand:
        yield Fault(
            "a ball outside without ball in hand",
            "it is a foul that gives ball in hand (61.7)",
        )
    for colour in Colour:
        # With ball in hand only the red has to be: one white ball is in hand, the other has its spot (44.6).
        told = colour in outs or (ball_in_hand and colour is not Colour.RED)
        if lying[colour] is None and not told:
            yield Fault(
                Message("the {ball} is not on the table", ball=BALL_NAMES[colour]),
                "name it among those outside",
            )


class _Referee:
    """Puts one thing after the other in its place and remembers the steps; `incoming` plays next."""

    def __init__(self, position: Position, incoming: Colour, steps: tuple[Step, ...] = ()) -> None:
        self.position = position
        self.incoming = incoming
        self.lay = position[incoming]  # it counts for the striker's ball even if it has made room for the red
        self.steps = list(steps)

    def done(self, hand: Hand | None) -> Placed:
        return Placed(self.position, hand, tuple(self.steps))

    def put_red(self, book: Rulebook) -> None:
        blockers = {self.incoming.other} if book.blocking is Blocking.CROSSWISE else set(Colour)
        self._put(Colour.RED, self._free((TABLE.upper_spot, TABLE.lower_spot), blockers), "42.3c")

    def put_strikers_ball(self, *, missing: bool) -> None:
        if missing or self.lay is None or _astride(self.lay):
            self.put_on_top_spot("44.6" if missing else "42.3a")
            return
        ends = (TABLE.top_spot, TABLE.bottom_spot)
        # Who blocks is all one here: the ball in hand is never near the first spot, and on the second, with
        # the red on the first, it makes room in either book.
        spot = self._free(ends if _half(self.lay) is Half.LOWER else ends[::-1], set(Colour))
        self._put(self.incoming.other, spot, "42.3a")

    def put_on_top_spot(self, article: str) -> None:
        """The object ball of the incoming player on the top spot, or with the red on it on the bottom one."""
        red = self.position.red
        taken = red is not None and TABLE.blocks(red, TABLE.top_spot)
        self._put(self.incoming.other, TABLE.bottom_spot if taken else TABLE.top_spot, article)

    def put_pins(self, settled: Position, felled: AbstractSet[Pin]) -> None:
        self.steps.extend(_pin_steps(self.position, settled, felled))
        self.position = settled

    def hand_over(self, article: str = "", *, may_spot: bool = False, outside: bool = False) -> Hand:
        """Ball in hand opposite to the striker's ball, which by now lies on the table."""
        theirs = self.position[self.incoming.other]
        assert theirs is not None
        half = Half.LOWER if _astride(theirs) else _half(theirs).other
        article = article or ("44.4" if _astride(theirs) else "42.3b" if outside else "44.2")
        words = IN_LOWER if half is Half.LOWER else IN_UPPER
        self.steps.append(Step(article, words, self.incoming))
        return Hand(half, self.incoming, may_spot)

    def _free(self, spots: tuple[Point, ...], blockers: AbstractSet[Colour]) -> Point:
        """The first spot that no blocker lies on.

        Where all are blocked the ball in hand is overlooked: it is taken up anyway, and the one ball that
        is left cannot lie on two spots.
        """
        balls = list(self.position.balls())
        return next(
            spot
            for colours in (blockers, blockers - {self.incoming})
            for spot in spots
            if not any(colour in colours and TABLE.blocks(place, spot) for colour, place in balls)
        )

    def _put(self, ball: Colour, spot: Point, article: str) -> None:
        theirs = self.position[self.incoming]
        if theirs is not None and TABLE.blocks(theirs, spot):
            self.position = self.position.put(self.incoming, None)
            self.steps.append(Step("44.2", MAKES_ROOM, self.incoming))
        self.steps.append(Step(article, _WORDS[spot], ball, spot))
        self.position = self.position.put(ball, spot)


_WORDS = {
    TABLE.upper_spot: RED_TO_UPPER,
    TABLE.lower_spot: RED_TO_LOWER,
    TABLE.top_spot: BALL_TO_TOP,
    TABLE.bottom_spot: BALL_TO_BOTTOM,
}


def _astride(place: Point) -> bool:
    return abs(place.y - TABLE.centre_line) <= ASTRIDE


def _half(place: Point) -> Half:
    return Half.LOWER if place.y < TABLE.centre_line else Half.UPPER


def _return_pins(position: Position, *, may_stay: bool = True, touching: Position | None = None) -> Position:
    """The pins as they stand for the next stroke; `touching` has the balls that can hold a displaced one."""
    balls = [place for _, place in position.balls()]
    holding = [place for _, place in (touching or position).balls()]
    home: set[Pin] = set()
    staying: dict[Pin, Point] = {}
    for pin, place in _known_pins(position):
        if place.distance(TABLE.seat(pin)) <= ASTRIDE:
            # It never left its seat, so no ball takes it off, not even one that it leans on.
            home.add(pin)
            if any(TABLE.covers(ball, pin) for ball in balls):
                staying[pin] = place
        elif may_stay and any(ball.distance(place) <= TOUCHING for ball in holding):
            staying[pin] = place
    for pin in PINS:
        seat = TABLE.seat(pin)
        others = (place for other, place in staying.items() if other is not pin)
        if not any(TABLE.covers(ball, pin) for ball in balls) and not any(
            place.distance(seat) < PIN_WIDTH for place in others
        ):
            home.add(pin)
    return replace(position, standing=frozenset(home | set(staying)), displaced=tuple(staying.items()))


def _known_pins(position: Position) -> Iterator[tuple[Pin, Point]]:
    """The pins in play that have a seat; `OUTER` among them is a fault that `Position.problems` tells."""
    return replace(position, standing=position.standing - {Pin.OUTER}).pins()


def _pin_steps(before: Position, after: Position, felled: AbstractSet[Pin]) -> Iterator[Step]:
    stood, stand = before.standing, after.standing
    moved = {pin for pin, place in before.displaced if place.distance(TABLE.seat(pin)) > ASTRIDE}
    stay = moved & dict(after.displaced).keys()
    for article, words, pins in (
        ("43.1", PINS_BACK, (stand - stood) & felled),
        ("43.8", PINS_RETURN, (stand - stood) - felled),
        ("43.8", PINS_OFF, set(PINS) - stood - stand),
        ("43.4a", DISPLACED_BACK, (stand & moved) - stay),
        ("43.4a", PINS_OFF, stood - stand),
        ("43.4b", DISPLACED_STAY, stay),
    ):
        if pins:
            yield Step(article, words, pins=tuple(sorted(pins)))


def _faults(position: Position) -> list[Fault]:
    """Every reason against a position, where pins may lean on balls.

    `Position.problems` wants nothing within the width of a seat, but a pin that did not fall stands there
    though a ball has come as close as its base. Such a pin is told to it as displaced onto its own seat.
    """
    balls = list(position.balls())
    moved = dict(position.displaced)
    leaning = tuple(
        (pin, place)
        for pin, place in _known_pins(position)
        if pin not in moved and all(ball.distance(place) >= NEAREST for _, ball in balls)
    )
    faults = replace(position, displaced=(*position.displaced, *leaning)).problems()
    faults.extend(
        Fault(
            Message(
                "pin {pin} stands {distance:.3f} mm from the {ball}",
                pin=pin.value,
                distance=ball.distance(place),
                ball=BALL_NAMES[colour],
            ),
            Message("nearer than {nearest:g} mm it has fallen: leave it out", nearest=NEAREST),
        )
        for pin, place in position.displaced
        for colour, ball in balls
        if ball.distance(place) < NEAREST
    )
    return faults


def _refuse(faults: list[Fault]) -> None:
    if faults:
        raise ImpossiblePosition(faults)
