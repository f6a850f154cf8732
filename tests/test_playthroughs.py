"""Playthroughs: small matches, each about one theme, with a transcript of what the engine made of them.

`scripts/transcripts` writes the transcripts anew. A transcript changes only on purpose: look at the
difference, and say in the commit which rule or reading moved it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from fivepins.events import End, Event, Fix, How, Lost, Turn, Unrecorded
from fivepins.lines import WORDS, format_line
from fivepins.match import WORD, BreakState, State
from fivepins.notation import HEADERS, Record, format_file, parse_file, read_file
from fivepins.rules import Derived
from fivepins.sets import Entry, Source
from fivepins.sheet import score
from fivepins.stroke import Cause, Contact, Cushion, Foul, Out, Pins, Seen, Stroke
from fivepins.table import Ball, Pin

ROOT = Path(__file__).parent.parent
PLAYTHROUGHS = sorted((ROOT / "tests" / "playthroughs").glob("*.fpn"))
EXAMPLES = sorted((ROOT / "examples").glob("*.fpn"))
MATCHES = EXAMPLES + PLAYTHROUGHS


def records(path: Path) -> tuple[Record, ...]:
    """The matches of a file."""
    return parse_file(read_file(path)).records


# -- the transcript ------------------------------------------------------------------------------


def transcript(path: Path) -> str:
    """Every line of a file with what it came to: ruling, other points, and the state after it."""
    return "\n".join(line for record in records(path) for line in _record(record))


def _record(record: Record) -> Iterator[str]:
    assert record.terms is not None
    terms = record.terms
    yield f"{terms.players.a} – {terms.players.b}, {terms.book.id}, to {record.value('Distance')}, " + (
        f"{terms.sets} sets" if terms.sets else "single distance"
    )
    state = State.start(terms)
    yield f"      {_state(state)}"
    for line in record.events():
        assert line.event is not None
        after = state.then(line.event)
        yield f"{line.number:4}  {format_line(line)}"
        for told in (*_ruling(line.event, after), *_points(state, after)):
            yield f"      {told}"
        yield f"      {_state(after)}"
        state = after
    yield ""


def _ruling(event: Event, after: State) -> Iterator[str]:
    """What the referee announces of a stroke, and each award with its article."""
    if not isinstance(event, Turn | Fix):
        return
    ruling = after.sets[-1].turns[event.number - 1].ruling
    if ruling is None:
        return
    yield ruling.say()
    if ruling.fouls:
        yield "fouls: " + ", ".join(f"{one.foul.value} ({one.article})" for one in ruling.offences)
    for award in ruling.awards:
        yield f"{award.points:+} {award.reason} ({award.article})"


def _points(before: State, after: State) -> Iterator[str]:
    """Points that came without a stroke: for time, or as a penalty."""
    if len(after.sets) != len(before.sets) or not after.sets or len(after.log) <= len(before.log):
        return
    for entry in after.sets[-1].ledger[len(before.sets[-1].ledger) :]:
        if entry.source is not Source.STROKE:
            yield _entry(entry)


def _entry(entry: Entry) -> str:
    return f"{entry.points:+} to {entry.to.value}: {entry.source.value}"


def _state(state: State) -> str:
    """The score, and who plays what next."""
    words = [f"{state.score.a}-{state.score.b}"]
    if state.terms.sets is not None:
        words.append(f"sets {state.sets_won.a}-{state.sets_won.b}")
    words.append(state.phase.value)
    if state.to_play is not None and state.situation is not None:
        words.append(f"{state.to_play.value} to play, {state.situation.occasion.value}")
    if state.ball_in_hand:
        words.append("ball in hand")
    if state.limit is not None:
        words.append(f"{state.limit.seconds} s ({state.limit.period})")
    if state.pause is not BreakState.NONE:
        words.append(f"break {state.pause.value}")
    if state.lag.chooser is not None and not state.sets:
        words.append(f"choice of {state.lag.chooser.value}")
    if state.is_over:
        words.append(f"winner {state.winner.value if state.winner else '-'}")
    return "= " + " · ".join(words)


def write() -> None:
    """Write every transcript anew."""
    for path in PLAYTHROUGHS:
        path.with_suffix(".txt").write_text(transcript(path), "utf-8")


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: path.stem)
def test_a_transcript_is_what_the_engine_says_today(path: Path) -> None:
    written = path.with_suffix(".txt").read_text("utf-8")
    assert written == transcript(path), "make transcripts writes them anew"


def test_no_transcript_is_left_over() -> None:
    written = {path.stem for path in (ROOT / "tests" / "playthroughs").glob("*.txt")}
    assert written == {path.stem for path in PLAYTHROUGHS}


# -- the files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_a_match_is_canonical_and_replays_without_a_fault(path: Path) -> None:
    text = read_file(path)
    found = records(path)
    assert format_file(found) == text
    for record in found:
        sheet = score(record)
        assert not sheet.problems
        assert record.value("Result") == sheet.result


# -- nothing of the notation is left out ---------------------------------------------------------


def every_event() -> Iterator[Event]:
    """The events of all matches."""
    for path in MATCHES:
        for record in records(path):
            for line in record.events():
                assert line.event is not None
                yield line.event


def committed() -> Iterator[Foul | Derived]:
    """The fouls of all matches as the engine ruled on them, seen and derived."""
    for path in MATCHES:
        for record in records(path):
            state = score(record).state
            assert state is not None
            for one in state.sets:
                for played in one.turns:
                    if played.ruling:
                        yield from (offence.foul for offence in played.ruling.offences)


def strokes() -> Iterator[Stroke]:
    """The strokes of all matches."""
    for event in every_event():
        if isinstance(event, Turn | Fix) and isinstance(event.action, Stroke):
            yield event.action


def test_every_foul_occurs() -> None:
    assert {*Foul, *Derived} - set(committed()) == set()


def test_every_event_occurs() -> None:
    found = {type(event) for event in every_event()}
    assert set(WORD) - found == set()
    words = {format_line_word(path_line) for path in MATCHES for path_line in body(path)}
    assert set(WORDS) - words == set()


def body(path: Path) -> Iterator[str]:
    """The events of a file as written."""
    for record in records(path):
        yield from (format_line(line) for line in record.events())


def format_line_word(line: str) -> str:
    """The word of a line; a turn begins with its number."""
    word = line.split(maxsplit=1)[0]
    return "turn" if word.endswith(".") else word


def test_every_end_occurs() -> None:
    assert {event.how for event in every_event() if isinstance(event, End)} == set(How)


def test_every_optional_part_of_an_event_occurs_with_and_without_it() -> None:
    def filled(value: object) -> set[tuple[str, str, bool]]:
        assert is_dataclass(value)
        kind = type(value).__name__
        return {
            (kind, field.name, getattr(value, field.name) not in (None, False, ""))
            for field in fields(value)
            if getattr(value, field.name) in (None, False) or field.name in ("short", "by", "hand", "at")
        }

    found = set().union(*map(filled, every_event()))
    for kind, name in (("Good", "short"), ("Decision", "by"), ("Penalty", "hand")):
        assert {(kind, name, True), (kind, name, False)} <= found, (kind, name)


def test_every_header_occurs() -> None:
    found = {header.key for path in MATCHES for record in records(path) for header in record.headers}
    assert set(HEADERS) - found == set()


def test_every_kind_of_action_occurs() -> None:
    actions = [event.action for event in every_event() if isinstance(event, Turn | Fix)]
    assert {type(action) for action in actions} == {Stroke, Unrecorded, Lost}
    found = list(strokes())
    assert {stroke.played for stroke in found} == {True, False}
    assert any(stroke.touched_nothing for stroke in found)
    assert any(stroke.off for stroke in found)
    assert any(stroke.spot for stroke in found)
    assert any(stroke.sideways for stroke in found)


def test_every_kind_of_fact_occurs() -> None:
    facts = [fact for stroke in strokes() for fact in stroke.facts]
    assert {fact for fact in facts if isinstance(fact, Contact)} == set(Contact)
    pins = [fact for fact in facts if isinstance(fact, Pins)]
    assert {fact.cause for fact in pins} == set(Cause)
    assert {fact.by for fact in pins} == {None, *Ball}
    assert {fact.upright for fact in pins} == {True, False}
    assert {pin for fact in pins for pin in fact.pins} == set(Pin)
    outs = [fact for fact in facts if isinstance(fact, Out)]
    assert {fact.ball for fact in outs} == set(Ball)
    assert {fact.back for fact in outs} == {True, False}
    assert {fact.ball for fact in facts if isinstance(fact, Cushion)} == set(Ball)
    assert {fact.paragraph for fact in facts if isinstance(fact, Seen)} >= {None, 10, 11, 12, 17}


def test_every_mark_occurs() -> None:
    marks = [event.marks for event in every_event() if isinstance(event, Turn | Fix)]
    for name in ("check", "hand", "seconds", "pos", "cue"):
        assert any(getattr(mark, name) not in (None, False) for mark in marks), name


if __name__ == "__main__":
    write()
