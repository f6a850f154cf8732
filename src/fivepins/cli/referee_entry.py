"""What the referee types, completed to a line of FPN: number, side, score and quotes are filled in.

Completing knows the state but no rules; whether the line is right is asked of `lines` and `match`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from fivepins.errors import FivePinsError
from fivepins.lines import WORDS
from fivepins.match import Phase, State

HELP = """\
A stroke is typed as its facts, in the order of time:
  o r           cue ball touches the object ball, the red       o-r  object ball touches the red
  /13 /5 /..5   pins felled: 1 top 2 right 3 bottom 4 left 5 centre, . an outer one you did not note
  c/2           felled by the cue ball                          c^ o^ r^   that ball left the table
  -             nothing was touched                             !foot !push …   a foul you saw
  spot          first word: object ball on its spot (44.5)      x !touched.12   no stroke, only a foul
Every line is shown with its ruling first: Enter saves it, another line replaces it, ! drops it.
Enter with nothing to save: starts the clock; at the end of a set proposes what comes next.
  lag A, lag repeat B, lag forfeit A · A or B: who was nearer, who opens · set A · good
  late · extra · lost · clock (stops and goes on) · undo [reason] · fix 7 o r /13 [reason]
  pause [5:00] · suspend reason · resume · referee NAME · note TEXT · decision TEXT · protest A TEXT
  penalty A 2 [hand] reason · place start reason · swap reason · award A reason · end A left reason
  log · help · quit        Any event line of FPN will do as well, a comment behind # is kept."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A line to be read: `shift` characters were put before what was typed; `wants` is the missing text."""

    text: str
    shift: int = 0
    wants: str = ""
    default: str = ""

    @property
    def whole(self) -> str:
        """The line, with some text in the place of the missing one."""
        return f'{self.text} "-"' if self.wants else self.text

    def given(self, text: str) -> Draft:
        """The line with the missing text."""
        return Draft(f"{self.text} {quoted(text)}", self.shift)


_REASON = "reason"
# How many words stand before the text that ends the line; the text is quoted if it was not.
_BEFORE_TEXT = {
    "undo": (1, _REASON, "undo"),
    "suspend": (1, _REASON, ""),
    "swap": (1, _REASON, ""),
    "note": (1, "note", ""),
    "referee": (1, "referee", ""),
    "decision": (1, "decision", ""),
    "award": (2, _REASON, ""),
    "protest": (2, "protest", ""),
    "place": (2, _REASON, ""),
    "end": (3, _REASON, ""),
}


def draft(typed: str, state: State) -> Draft:
    """The line that was meant; raises `FivePinsError` where that cannot be told."""
    if typed.startswith("#"):
        return Draft(typed)
    word = typed.split(maxsplit=1)[0]
    if word in _BEFORE_TEXT:
        return _with_text(typed, *_BEFORE_TEXT[word])
    if word == "penalty":
        return _with_text(typed, 4 if typed.split()[3:4] == ["hand"] else 3, _REASON, "")
    if word == "fix":
        return _fix(typed)
    bare, comment = _uncommented(typed)
    words = bare.split()
    if state.phase in (Phase.LAG, Phase.BETWEEN) and (choice := _choice(words, state)):
        return Draft(choice + comment)
    if word in WORDS:
        return Draft(_event_words(bare, words, state) + comment)
    if re.match("[0-9]+[.]", word):
        return Draft(typed)
    if state.set is None:
        raise FivePinsError(f"no set is open: expected {state.expected}", hint="help lists the words")
    before = f"{len(state.set.turns) + 1}. {state.set.to_play.value} "
    return Draft(before + typed, len(before))


def _uncommented(typed: str) -> tuple[str, str]:
    """What was typed, and the comment behind it with the blanks before."""
    found = re.fullmatch(r'((?:[^"#]|"(?:[^"\\]|\\.)*")*?)( +#.*)?', typed)
    return (found[1], found[2] or "") if found else (typed, "")


def _event_words(bare: str, words: list[str], state: State) -> str:
    """An event that was written out, or the one a word stands for."""
    if words[0] == "good":
        return _good(bare, words, state)
    if len(words) == 1:
        return _completed(words[0], state)
    return _numbered_set(words, state) or bare


def proposed(state: State) -> str:
    """What comes next as a matter of course; empty where that is the referee's to say."""
    if state.phase is Phase.DISTANCE:
        return _completed("good", state)
    if state.phase is Phase.BETWEEN and state.next_opener is not None:
        return _completed("set", state)
    return ""


def _choice(words: list[str], state: State) -> str:
    """Short answers around the lag: who was nearer, then who opens."""
    word, rest = words[0], [one.upper() for one in words[1:2]]
    if word in ("repeat", "forfeit"):
        return " ".join(["lag", word, *rest])
    if word.upper() in ("A", "B") and len(words) == 1:
        decided = state.phase is Phase.BETWEEN or state.lag.chooser is not None
        return f"set {len(state.sets) + 1} {word.upper()}" if decided else f"lag {word.upper()}"
    return ""


def _numbered_set(words: list[str], state: State) -> str:
    """`set B` without the number."""
    if words[0] == "set" and words[1] in ("A", "B"):
        return " ".join(["set", str(len(state.sets) + 1), *words[1:]])
    return ""


def _completed(word: str, state: State) -> str:
    """The line that a word alone stands for."""
    one = state.set
    side = one.to_play.value if one is not None else ""
    match word:
        case "late" | "extra" if side:
            return f"{word} {side}"
        case "score":
            return f"score {state.score.a}-{state.score.b}"
        case "pause":
            return f"pause {state.terms.book.pause.minutes}:00"
        case "good" if one is not None and (winner := one.reached(state.terms)):
            return f"good {winner.value} {state.score.a}-{state.score.b}"
        case "good" if one is not None:
            raise FivePinsError(
                "nobody has reached the distance", hint="if good was said all the same: good A short reason"
            )
        case "set" if state.next_opener is not None:
            return f"set {len(state.sets) + 1} {state.next_opener.value}"
        case "set":
            raise FivePinsError("who opens?", hint="set A or set B")
        case _:
            return word


def _good(typed: str, words: list[str], state: State) -> str:
    """`good`, `good A` and `good A short why` with the score as it is."""
    if len(words) == 1:
        return _completed("good", state)
    if len(words) > 2 and words[2] != "short":
        return typed
    score = f"{state.score.a}-{state.score.b}"
    if len(words) <= 3:
        return " ".join(["good", words[1], score, *words[2:]])
    return f"good {words[1]} {score} short {quoted(typed.split(maxsplit=3)[3])}"


def _with_text(typed: str, before: int, wants: str, default: str) -> Draft:
    parts = typed.split(maxsplit=before)
    if len(parts) > before and not parts[before].startswith(('"', "at=", "#")):
        return Draft(f"{' '.join(parts[:before])} {quoted(parts[before])}")
    missing = len(parts) == before
    return Draft(typed, wants=wants if missing else "", default=default if missing else "")


def _fix(typed: str) -> Draft:
    """A correction; its reason stands in quotes behind the facts, or is asked for."""
    if '"' in typed or len(typed.split()) < 3:
        return Draft(typed)
    return Draft(typed, wants=_REASON, default="corrected")


def quoted(text: str) -> str:
    """A text as FPN writes it; control characters are left for the notation to refuse."""
    return text if re.fullmatch('"[^"]*"', text) else '"' + text.replace('"', '\\"') + '"'
