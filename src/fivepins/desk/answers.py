"""What is sent, as models: the OpenAPI document is made from them, and every test holds answers against it.

They describe; what is served is built by `board` and `hall`, and not checked once more on its way out.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from fastapi import Response
from pydantic import BaseModel, ConfigDict, Field

from fivepins.desk.keys import Key
from fivepins.desk.refusal import Word
from fivepins.desk.rights import Right
from fivepins.match import BreakState, Phase
from fivepins.rules import Occasion

STREAM: Final = "text/event-stream"
PDF: Final = "application/pdf"
HTML: Final = "text/html"
TEXT: Final = "text/plain"

Side = Literal["A", "B"]


class Sent(BaseModel):
    """An object that has all of its fields and no other."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class Both(Sent):
    """A number for each side."""

    A: int
    B: int


# -- the board -----------------------------------------------------------------------------------


class Player(Sent):
    """A side as it stands in the set that is open, or was last."""

    name: str
    colour: Literal["white", "yellow"] | None
    """Null before the first set is opened."""
    score: int
    sets: int
    """Sets won."""
    start: int
    """Points it began with."""
    distance: int
    missing: int
    average: float | None
    """Points a stroke in this match; null before the first one."""
    best: int
    fouls: int
    extra: int
    """Extra times left."""


class Players(Sent):
    """Both sides."""

    A: Player
    B: Player


class Lag(Sent):
    """The lag before the first set."""

    played: bool
    caused: Both
    """Repetitions, by who caused them."""


class Closed(Sent):
    """A set that has ended."""

    set: int
    A: int
    B: int
    winner: Side | None


class Break(Sent):
    """The break that nothing has ended yet."""

    at: str
    """The time of day at which it began."""
    seconds: int


class Limits(Sent):
    """The seconds of each period."""

    first: int
    second: int
    extra: int


class Terms(Sent):
    """What was agreed, and what the book says: what a desk without a network needs."""

    majority: int
    """Sets that win."""
    breaks: list[int]
    """Sets after which a break may come."""
    limits: Limits | None
    """Null without a clock."""
    extra: int
    """Extra times a set."""
    lost_in_hand: bool
    """Whether a turn lost on time gives ball in hand."""


class Clock(Sent):
    """The clock of the stroke that is awaited: it shows `held`, and `now - since` beside it while it runs."""

    running: bool
    since: int | None
    """Milliseconds on the clock of `now`; null while it stands."""
    held: float
    """Seconds that had elapsed when it was started or stopped last."""
    from_: Annotated[float, Field(alias="from")]
    """Seconds at which the present period began."""
    ask: bool
    """Whether a server came back and only the referee knows where the clock was."""


class Limit(Sent):
    """The limit of the stroke that is awaited."""

    seconds: int
    period: str


class Points(Sent):
    """Points that were made or given, and what happened."""

    turn: int | None
    """Null where no stroke made them."""
    side: Side
    to: Side | None
    """Who has them; null where there are none."""
    points: int
    facts: str
    words: str
    hand: bool
    foul: bool


class Last(Points):
    """The last points that were made."""

    announce: str
    """What the referee says, in the language of the match."""


class Board(Sent):
    """Everything that a screen shows of a match."""

    match: str
    seq: int
    """The newest row of its log."""
    saved: str
    """The time of day of that row, in the hall."""
    table: str
    event: str
    site: str
    date: str
    round: str
    rules: str
    """The rule book."""
    sets: int
    """Sets at most."""
    referee: str
    language: str
    """Of the referee's announcements."""
    status: Literal["open", "closed"]
    sides: Players
    phase: Phase
    set: int
    """The set that is open or was last; 0 before the first."""
    turn: int
    """The stroke that is awaited; 0 where none is."""
    to_play: Side | None
    hand: bool
    """Whether the player has ball in hand."""
    spot: bool
    """Whether the player may ask for the object ball on its spot."""
    opening: bool
    late: bool
    """Whether the first time limit of this turn has run out."""
    opener: Side | None
    """Who must open the next set."""
    chooser: Side | None
    """Who won the lag."""
    set_winner: Side | None
    winner: Side | None
    over: bool
    result: str
    """As the file of notation says it."""
    steps: int
    """Events that an undo can take back, one after the other."""
    pause: BreakState
    minutes: int
    """Of a break."""
    lag: Lag
    finished: list[Closed]
    ended: str
    """How a match ended before its last point, in words; else empty."""
    break_: Annotated[Break | None, Field(alias="break")]
    terms: Terms
    clock: Clock
    limit: Limit | None
    last: Last | None


class BoardNow(Board):
    """A board, and the server's clock that its own is read by."""

    now: int
    """Milliseconds of the server's monotonic clock."""
    epoch: str
    """Another one with each process: `now` of two epochs cannot be compared."""


class AtTable(Sent):
    """What is played at a table."""

    board: Board | None
    """Null where nothing is."""


class Matches(Sent):
    """Some of the matches."""

    count: int
    """Of all there are."""
    matches: list[Board]


# -- the sheet -----------------------------------------------------------------------------------


class Row(Points):
    """One entry of a set: a stroke, a penalty, a correction; with the score after it."""

    A: int
    B: int


class Chart(Sent):
    """The course of a set as the points of two polylines, in a picture of `width` by `height`."""

    A: str
    B: str
    width: int
    height: int
    distance: int


class SetSheet(Sent):
    """One set."""

    number: int
    opener: Side | None
    winner: Side | None
    awarded: bool
    score: Both
    rows: list[Row]
    chart: Chart


Figures = dict[str, float | dict[str, int] | None]


class Statistics(Sent):
    """The figures of both sides, by the names that the definitions explain."""

    A: Figures
    B: Figures


class Sheet(Sent):
    """Every stroke in words, and what they come to."""

    match: str
    seq: int
    count: int
    """Sets begun; a feed sends the newest alone."""
    sets: list[SetSheet]
    statistics: Statistics
    definitions: list[tuple[str, str]]
    """A figure's name, and what it counts."""
    remarks: list[str]


# -- the log -------------------------------------------------------------------------------------


class Begun(Sent):
    """A match that was stored."""

    match: str
    seq: int
    note: Literal["", "already done", "already there"]
    """Whether this command, or this file, had been stored before."""


class LogRow(Sent):
    """A row of a log. Only who works at the match is told `by` and `device`."""

    seq: int
    line: str
    at: str
    by: str
    device: str


class Log(Sent):
    """Rows of a match."""

    seq: int
    lines: list[LogRow]


class Stored(Sent):
    """Lines that were stored, and what the match came to."""

    seq: int
    lines: list[str]
    note: Literal["", "already done"]
    board: Board


class Answers(Sent):
    """The answers to a batch, each as if its command had come alone; an error has its `status` too."""

    items: list[Stored | dict[str, Any]]


class Preview(Sent):
    """What lines would come to."""

    lines: list[str]
    words: str
    announce: str
    points: int
    to: Literal["striker", "opponent", ""]
    hand: bool
    board: Board


# -- clock and desk ------------------------------------------------------------------------------


class ClockMoved(Sent):
    """A clock after a command."""

    clock: Clock


class Holder(Sent):
    """The device that is the desk of a match."""

    device: str
    name: str
    by: str


class DeskTaken(Sent):
    """Who is the desk by now: `me` are you, if you are."""

    holder: Holder
    me: str
    devices: int
    """Devices that look at the match."""


class Rulings(Sent):
    """Strokes by the keys that enter them, each as facts, points, to, hand, spot, words, announcement."""

    book: str
    occasion: Occasion
    rulings: dict[str, Key]


# -- feeds ---------------------------------------------------------------------------------------


class Presence(Sent):
    """Who looks at a match."""

    devices: int
    holder: Holder | None


class Told(Sent):
    """A message of a feed; with nothing but `now` and `epoch` it says that the line is alive."""

    now: int
    """Milliseconds of the server's monotonic clock, by which those of the boards are read."""
    epoch: str
    """Another one with each process: `now` of two epochs cannot be compared."""
    board: Board | None = None
    """Of a match or a table; null where the table has none."""
    sheet: Sheet | None = None
    """With `kind=sheet`."""
    boards: dict[str, Board | None] | None = None
    """Of the hall, by table: at first all, then what changed."""
    tables: list[str] | None = None
    """Of the hall, in order; with the first message alone."""
    presence: Presence | None = None
    """With `kind=desk`, to who works at the match."""


# -- rights --------------------------------------------------------------------------------------


class Given(Sent):
    """A right, without its secrets; times in the hall's zone."""

    id: str
    role: Literal["director", "referee", "timekeeper"]
    scope: str
    label: str
    created_at: str
    expires_at: str | None
    revoked_at: str | None
    in_force: bool
    pin: bool
    """Whether it has one."""


class AllGiven(Sent):
    """Every right that was given."""

    grants: list[Given]


class OneGiven(Sent):
    """A right after it was changed."""

    grant: Given


class NewlyGiven(OneGiven):
    """A right with its secrets, which are told this once."""

    token: str
    """For `Authorization: Bearer`."""
    link: str
    code: str
    """The link as a QR code, a data URI."""


class Entered(Sent):
    """With what somebody entered, and where to go from there."""

    role: Literal["director", "referee", "timekeeper"]
    scope: str
    label: str
    to: str


class Left(Sent):
    """Nothing more to say."""


class Named(Sent):
    """What a device is called by now."""

    name: str


def sends(
    answer: type[BaseModel] | str, *refuses: Word, right: Right = Right.READ, status: int = 200
) -> dict[str, Any]:
    """What a route sends, as arguments of its decorator: a model, or a media type.

    `refuses` are the words of what only this route refuses; those that the kind of request brings along
    (a body, an id in the address) come by themselves.
    """
    described: dict[str, Any] = (
        {"content": {answer: {"schema": {"type": "string"}}}}
        if isinstance(answer, str)
        else {"model": answer, "description": answer.__doc__}
    )
    return {
        "status_code": status,
        "responses": {status: described},
        "openapi_extra": {"x-right": right.value, "x-refuses": [*refuses]},
    } | ({"response_class": Response} if isinstance(answer, str) else {})
