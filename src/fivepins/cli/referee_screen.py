"""What the referee sees: the state of a live match in words.

Everything is built as `Text`, never as markup, so a player may be called `[bold]`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from rich.text import Text

from fivepins.cli.referee_entry import proposed
from fivepins.errors import FivePinsError
from fivepins.events import Fix, Late, Penalty, Terms, Turn, Undo
from fivepins.lines import format_event
from fivepins.match import NEVER_UNDONE, BreakState, Phase, State
from fivepins.rules import Receiver, Ruling
from fivepins.sets import Played
from fivepins.table import Side


class Saved(NamedTuple):
    """The last line on the disk, and when it got there."""

    line: int
    at: str


@dataclass(frozen=True, slots=True)
class Board:
    """Everything that must be in sight at every moment."""

    state: State
    title: str
    referee: str
    clock: str
    saved: Saved

    def rows(self) -> list[Text]:
        """The board, a text a row."""
        rows = [Text(f"{self.title}  ·  referee {self.referee}", style="dim")]
        rows += [self._side(side) for side in Side]
        if self.state.set is not None or self.state.terms.clock is not None:
            rows.append(Text(f"clock    {self.clock}"))
        rows.append(Text(f"last     {last_words(self.state)}"))
        rows += [Text(f"break    {words}", style="yellow") for words in _break(self.state)]
        rows.append(Text(f"saved    line {self.saved.line} at {self.saved.at}"))
        rows.append(Text(f"expected {expected(self.state)}", style="bold"))
        return rows

    def _side(self, side: Side) -> Text:
        state = self.state
        turn = state.to_play is side
        colour = state.colours[side].value if state.colours else "–"
        text = Text("> " if turn else "  ", style="bold" if turn else "")
        text.append(f"{side.value} {colour:<7}{cut(state.terms.players[side], 24):<25}")
        text.append(f"{state.score[side]:>4}", style="bold")
        text.append(f"  {state.missing[side]:>3} missing  sets {state.sets_won[side]}")
        if turn:
            text.append("  TO PLAY")
        return text


def title(terms: Terms, event: str) -> str:
    """The match in one line."""
    distance = (
        str(terms.distance.a) if terms.distance.a == terms.distance.b else "/".join(map(str, terms.distance))
    )
    sets = f"best of {terms.sets} to {distance}" if terms.sets else f"single distance to {distance}"
    start = f"start {terms.start.a}-{terms.start.b}" if any(terms.start) else ""
    return "  ·  ".join(part for part in (event, sets, start, terms.book.id) if part)


def situation(state: State) -> str:
    """What the next stroke starts from."""
    now = state.situation
    if now is None:
        return ""
    if now.ball_in_hand:
        return ", BALL IN HAND" + (" ('spot' if asked for, 44.5)" if now.may_spot else " (no spot, 44.5)")
    return ", opening stroke" if state.set is not None and now.occasion.value == "opening" else ""


def expected(state: State) -> str:
    """What may come next, in words that can be typed."""
    match state.phase:
        case Phase.LAG if state.lag.chooser is not None:
            chooser = state.lag.chooser
            return f"who opens? {state.terms.players[chooser]} ({chooser.value}) chooses: A or B; plays white"
        case Phase.LAG:
            return "the lag: whose ball was nearer? A or B; repeat [A|B], forfeit A|B"
        case Phase.DISTANCE | Phase.BETWEEN if proposed(state):
            return f"{state.expected} (Enter proposes it)"
        case Phase.PLAY:
            extra = state.extra_left
            left = f"; extra time left {extra.a}-{extra.b}" if state.terms.book.time.extra else ""
            return state.expected + situation(state) + left
        case _:
            return state.expected


def last_words(state: State) -> str:
    """The last stroke in words, over the end of a set too."""
    played = next((one.turns[-1] for one in reversed(state.sets) if one.turns), None)
    return "no stroke yet" if played is None else turn_words(played, state)


def turn_words(played: Played, state: State) -> str:
    """A turn and its ruling."""
    side = played.turn.side
    words = f"{side.value}, turn {played.turn.number}: "
    if played.ruling is None:
        other = side.other
        penalty = state.terms.book.time.penalty
        return words + f"no stroke in time, {penalty} to {other.value} {state.terms.players[other]} (49.2)"
    return words + ruling_words(played.ruling, side, state.terms)


def ruling_words(ruling: Ruling, side: Side, terms: Terms) -> str:
    """Awards with their articles, the total, to whom, ball in hand.

    Like awards are one item: `2 x outer pin 4 (22.1a)`.
    """
    items = []
    for award in dict.fromkeys(ruling.awards):
        times = ruling.awards.count(award)
        count = f"{times} x " if times > 1 else ""
        items.append(f"{count}{award.reason} {award.points * times} ({award.article})")
    unpaid = {offence.article for offence in ruling.offences} - {award.article for award in ruling.awards}
    fouls = [f"foul: {one.announcement} ({one.article})" for one in ruling.offences if one.article in unpaid]
    to = side.other if ruling.to is Receiver.OPPONENT else side
    sum_words = " + ".join(items) if items else "as noted" if ruling.points else "nothing"
    words = "; ".join([*fouls, sum_words]) + f" = {ruling.points}"
    if ruling.points:
        words += f" to {to.value} {terms.players[to]}"
    return words + (f"; ball in hand for {side.other.value}" if ruling.ball_in_hand else "")


def preview(event: object, before: State, after: State, code: str) -> list[Text]:
    """What an event will do, before it is saved."""
    rows = []
    if isinstance(event, Turn | Fix):
        played = after.sets[-1].turns[event.number - 1]
        rows.append(Text(f"  {turn_words(played, after)}"))
        if played.ruling is not None:
            rows.append(Text(f"  say: {played.ruling.say(code)}", style="bold"))
    elif isinstance(event, Undo):
        taken = next(one for one in reversed(before.log) if not isinstance(one, NEVER_UNDONE))
        rows.append(Text(f"  takes back: {format_event(taken)}"))
    elif isinstance(event, Late):
        penalty = before.terms.book.time.penalty
        rows.append(Text(f"  first time limit over: {penalty} to {event.side.other.value} (49.2)"))
    if after.score != before.score or isinstance(event, Turn | Fix | Late | Penalty):
        cut_off = " (cut at the distance, 21.1)" if _is_cut(event, before, after) else ""
        rows.append(
            Text(f"  score {before.score.a}-{before.score.b} -> {after.score.a}-{after.score.b}{cut_off}")
        )
    if after.phase is not before.phase:
        rows.append(Text(f"  then: {expected(after)}"))
    return rows


def _is_cut(event: object, before: State, after: State) -> bool:
    """Whether a stroke was worth more than what was missing."""
    if not isinstance(event, Turn):
        return False
    entry = after.sets[-1].ledger[-1]
    return entry.points > before.missing[entry.to]


def caret(typed: str, column: int, error: FivePinsError) -> list[Text]:
    """What is wrong, under the place where it is wrong."""
    place = min(max(column, 1), len(typed) + 1)
    rows = [Text(f"  {typed}"), Text(f"  {' ' * (place - 1)}^", style="red")] if typed else []
    return [*rows, *refusal(error)]


def refusal(error: FivePinsError) -> list[Text]:
    """What is wrong, and the way out."""
    rows = [Text(f"  {error.message}", style="red")]
    return rows + ([Text(f"  hint: {error.hint}")] if error.hint else [])


def _break(state: State) -> list[str]:
    """The pause of article 26, where it can be taken now."""
    minutes = state.terms.book.pause.minutes
    words = {BreakState.DUE: "is due", BreakState.OFFERED: "may be taken"}
    return [f"{minutes} minutes {words[state.pause]} (26): pause"] if state.pause in words else []


def cut(text: str, width: int) -> str:
    """Text shortened to a column."""
    return text if len(text) <= width else f"{text[: width - 1]}…"
