"""What happened beside the strokes, in words: the lag, time, breaks, decisions, the end."""

from __future__ import annotations

from typing import Final

from fivepins.events import (
    AwardSet,
    Decision,
    End,
    Event,
    Extra,
    Fix,
    Good,
    How,
    Lag,
    LagForfeit,
    LagRepeat,
    Late,
    Note,
    Pause,
    PauseRefused,
    Penalty,
    Place,
    Protest,
    RefereeChange,
    Resume,
    Suspend,
    Swap,
)
from fivepins.language import N_, Language
from fivepins.table import Pair

ENDS = {
    How.LEFT: N_("left the match"),
    How.REFUSED: N_("refused to play on"),
    How.FORFEIT: N_("forfeit"),
    How.WALKOVER: N_("walk-over"),
    How.INJURY: N_("injury"),
    How.ABANDONED: N_("abandoned"),
}
"""How a match ended before its last point."""


LETTERS: Final = Pair("A", "B")
"""What the paper calls the sides: their names stand over its columns."""


def remark(event: Event, speech: Language, penalty: int = 0, names: Pair[str] = LETTERS) -> str:
    """An event that is no stroke, as a remark; `penalty` is what overstepping the time costs.

    >>> from fivepins.language import language
    >>> from fivepins.table import Side
    >>> remark(Late(Side.A), language("en"), 2)
    'A: first time limit overstepped, 2 points to the opponent'
    """
    text = _plain(event, speech, names)
    points = event.points if isinstance(event, Penalty) else penalty if isinstance(event, Late) else 0
    if points:
        text += ", " + speech.count("{n} point to the opponent", "{n} points to the opponent", points)
    if isinstance(event, Penalty) and event.hand:
        text += f", {speech.say('ball in hand')}"
    reason = getattr(event, "reason", None) or getattr(event, "short", None)
    return f"{text}: {reason}" if reason else text


def _plain(event: Event, speech: Language, names: Pair[str]) -> str:  # noqa: PLR0912 - one branch an event
    """The remark without points and reason."""
    say = speech.say
    match event:
        case Lag():
            return say(N_("lag: the choice is with {side}")).format(side=names[event.side])
        case LagRepeat(side=None):
            return say(N_("lag repeated"))
        case LagRepeat(side=side):
            return say(N_("lag repeated because of {side}")).format(side=names[side] if side else "")
        case LagForfeit():
            return say(N_("lag: {side} loses the choice by a fault")).format(side=names[event.side])
        case Late():
            return f"{names[event.side]}: {say(N_('first time limit overstepped'))}"
        case Penalty():
            return f"{names[event.side]}: {say(N_('penalty'))}"
        case Extra():
            return f"{names[event.side]}: {say(N_('extra time'))}"
        case Good():
            return say(N_("set closed short of the distance"))
        case Fix():
            return say(N_("correction of turn {number}")).format(number=event.number)
        case AwardSet():
            return say(N_("set awarded to {side}")).format(side=names[event.side])
        case Pause():
            length = f"{event.seconds // 60}:{event.seconds % 60:02}"
            asked = f" ({names[event.side]})" if event.side else ""
            return say(N_("break of {length} min")).format(length=length) + asked
        case PauseRefused():
            return f"{names[event.side]}: {say(N_('break refused'))}"
        case Suspend():
            return say(N_("match interrupted"))
        case Resume():
            return say(N_("match resumed"))
        case Place():
            return _placed(event, speech)
        case Swap():
            return say(N_("the two balls exchange places"))
        case RefereeChange():
            return say(N_("referee from here on: {name}")).format(name=event.name)
        case _:
            return _words(event, speech, names)


def _words(event: Event, speech: Language, names: Pair[str]) -> str:
    """What somebody said, and the end."""
    say = speech.say
    match event:
        case Note():
            return f"{say(N_('note'))}: {event.text}"
        case Protest():
            return f"{say(N_('protest of {side}')).format(side=names[event.side])}: {event.text}"
        case Decision():
            by = f" ({event.by})" if event.by else ""
            return f"{say(N_('decision (1.2)'))}: {event.text}{by}"
        case End():
            winner = names[event.side] if event.side else say(N_("nobody"))
            return (
                f"{say(N_('match ended early, won by {side}')).format(side=winner)}, {say(ENDS[event.how])}"
            )
        case _:
            raise AssertionError(f"no remark: {event}")


def _placed(event: Place, speech: Language) -> str:
    match event.where:
        case "restored":
            return speech.say(N_("position restored by the referee"))
        case "start":
            return speech.say(N_("starting position placed by the referee"))
        case code:
            return speech.say(N_("position placed by the referee: {code}")).format(code=code)
