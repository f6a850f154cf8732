"""`fivepins simulate`, `draw`, `check`, `bench`: strokes that are played here instead of watched.

Physics and drawings are imported where they are used: the other commands start without them, and a
single stroke is simulated, ruled and printed without numpy.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Annotated, NamedTuple, NoReturn, TypeVar

import typer
from rich.table import Table

from fivepins.cli.files import FilesArgument, parse, report
from fivepins.cli.output import (
    FAULTS,
    JsonOption,
    LanguageOption,
    RulesOption,
    book_of,
    data,
    fail,
    notes,
    one_of,
    print_json,
)
from fivepins.cli.rule import ruling_json
from fivepins.codes import Cue, format_cue, format_position, parse_cue, parse_position
from fivepins.errors import FivePinsError, NotationError
from fivepins.events import Fix, SetStart, Turn
from fivepins.lines import Line
from fivepins.notation import Problem, Record
from fivepins.rulebook import Rulebook
from fivepins.rules import Occasion, Ruling, rule
from fivepins.sheet import Sheet, score
from fivepins.stroke import Cause, Contact, Cushion, Fact, Foul, Out, Pins, Seen, Stroke
from fivepins.table import Ball, Colour, Pin, Position
from fivepins.tokens import format_action

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from rich.progress import Progress

    from fivepins.physics import Event, Model, Trace
    from fivepins.placing import Placed

    Floats = npt.NDArray[np.float64]

Item = TypeVar("Item")

MODELS = ("standard", "mathavan", "stronge")
"""The tables that have a name; they differ in their cushions."""

ModelOption = Annotated[
    str,
    typer.Option(
        "--model",
        metavar="NAME",
        help=f"The table played on: {', '.join(MODELS)}.",
        callback=one_of(MODELS, "model"),
    ),
]
PositionArgument = Annotated[
    str,
    typer.Argument(
        metavar="POS",
        help="White x:y / yellow x:y / red x:y / pins standing, in mm: 355:710/710:2740/710:2130/12345.",
    ),
]
PngOption = Annotated[Path | None, typer.Option("--png", metavar="FILE", help="Draw a PNG image.")]


def model_of(name: str) -> Model:
    """The model of an option."""
    from fivepins import physics  # noqa: PLC0415

    models: dict[str, Model] = {
        "standard": physics.STANDARD,
        "mathavan": physics.MATHAVAN,
        "stronge": physics.STRONGE,
    }
    return models[name]


# -- one stroke ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Played:
    """A stroke as it ran, what it comes to, and what the referee leaves behind.

    `placed` is None where a ball was missing from the start, so that there is no match to go on with.
    """

    trace: Trace
    stroke: Stroke
    ruling: Ruling
    placed: Placed | None


@dataclass(frozen=True, slots=True)
class Match:
    """What a stroke is played and ruled by, besides position and cue."""

    model: Model
    striker: Colour
    occasion: Occasion
    book: Rulebook
    lang: str

    def play(self, position: Position, cue: Cue) -> Played:
        """Simulate and rule; raises `FivePinsError` with every reason why it cannot be done."""
        from fivepins.physics import simulate  # noqa: PLC0415
        from fivepins.referee import judge, settle  # noqa: PLC0415

        trace = simulate(position, cue, self.model, striker=self.striker)
        stroke = judge(trace)
        ruling = rule(stroke, self.occasion, self.book)
        whole = all(position[colour] for colour in Colour)
        return Played(trace, stroke, ruling, settle(trace, ruling, self.book) if whole else None)

    def as_json(self, played: Played) -> dict[str, object]:
        """The stroke as `--json` prints it.

        `rest` is where everything lies before the referee touches it, `next` after he has put back what
        has to be put back (42–44), with a ball in hand still where it lay; `hand` is the half it is
        played from.
        """
        trace, placed = played.trace, played.placed
        return {
            "position": format_position(trace.position),
            "cue": format_cue(trace.cue),
            "model": trace.model.id,
            "facts": format_action(played.stroke),
            "pins": [fall.pin.value for fall in trace.fallen],
            "events": [event_json(event) for event in trace.events],
            "rest": format_position(trace.rest),
            "next": format_position(placed.position) if placed else None,
            "hand": placed.hand.half.value if placed and placed.hand else None,
            "ruling": ruling_json(played.stroke, played.ruling, self.lang),
        }


def event_json(event: Event) -> dict[str, object]:
    """An event: `t` in seconds, and `who` took part.

    Balls by their colour, cushions by their side, pins by their number; a pin that another one felled is
    followed by that one.
    """
    from fivepins.physics import Rail  # noqa: PLC0415

    partner = event.partner
    who: list[object] = [event.ball.value]
    if isinstance(partner, Rail):
        who.append(partner.name.lower())
    elif partner is not None:
        who.append(partner.value)
    if event.thrown_by is not None:
        who.append(event.thrown_by.value)
    return {"t": event.time, "kind": event.kind.name.lower().replace("_", "-"), "who": who}


def simulate_command(
    position: PositionArgument,
    cue: Annotated[
        str,
        typer.Argument(
            metavar="CUE",
            help="Speed in m/s, aim in degrees (0 = to the right, counter-clockwise), tip right and up "
            "in radii, elevation: v3.2,a92.5,x-0.2,y0.35,e4.",
        ),
    ] = "",
    model: ModelOption = "standard",
    to_move: Annotated[
        str,
        typer.Option(
            "--to-move",
            metavar="COLOUR",
            help="The ball that is struck: white or yellow.",
            callback=one_of((Colour.WHITE.value, Colour.YELLOW.value), "cue ball"),
        ),
    ] = Colour.WHITE.value,
    rules: RulesOption = None,
    opening: Annotated[bool, typer.Option("--opening", help="It is the opening stroke.")] = False,
    json: JsonOption = False,
    fpn: Annotated[bool, typer.Option("--fpn", help="Print facts and marks of a turn, in FPN.")] = False,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Draw the stroke.")] = None,
    png: PngOption = None,
    animate: Annotated[
        Path | None, typer.Option("--animate", metavar="FILE", help="Draw an SVG that plays the stroke.")
    ] = None,
    lang: LanguageOption = "en",
) -> None:
    """Play a stroke and rule on it.

    With - instead of POS and CUE, reads both from stdin, a stroke a line, and prints a JSON object a line.
    The JSON has the position at `rest`, and the `next` one, after the referee has put back what has to be.
    """
    _refuse_options(position, cue)
    occasion = Occasion.OPENING if opening else Occasion.ORDINARY
    match = Match(model_of(model), Colour(to_move), occasion, book_of(rules), lang)
    if json and fpn:
        raise typer.BadParameter("either --json or --fpn")
    if position == "-" and not cue:
        if fpn or svg or png or animate:
            raise typer.BadParameter("strokes from stdin are printed as JSON, and not drawn")
        _stream(match)
        return
    if not cue:
        raise typer.BadParameter("CUE is missing: how the ball is struck, for example v3.2,a92.5")
    played = _played(match, position, cue)
    _write_drawings(played, svg, png, animate, lang)
    if json:
        print_json(match.as_json(played))
    elif fpn:
        data.print(fpn_line(played), markup=False)
    else:
        _explain(match, played)


def _refuse_options(*words: str) -> None:
    """Codes may begin with a dash, so the parser lets unknown options through to here."""
    for word in words:
        if word.startswith("--"):
            raise typer.BadParameter(f"no such option: {word}")


def _played(match: Match, position: str, cue: str) -> Played:
    """The stroke of two codes, or a complaint and the end."""
    places = _position(position)
    try:
        shot = parse_cue(cue)
    except NotationError as error:
        _point_at(cue, error)
    try:
        return match.play(places, shot)
    except FivePinsError as error:
        fail(error.message, error.hint)


def _position(code: str) -> Position:
    try:
        return parse_position(code)
    except NotationError as error:
        _point_at(code, error)


def _point_at(code: str, error: NotationError) -> NoReturn:
    """The code with a mark below the column where it goes wrong."""
    fail(f"{code}\n{' ' * (error.column - 1)}^ {error.message}", error.hint)


def fpn_line(played: Played) -> str:
    """Facts and marks, as they stand in the line of a turn; another model than the standard in a comment."""
    from fivepins.physics import STANDARD  # noqa: PLC0415

    trace = played.trace
    marks = f"={played.ruling.signed} pos={format_position(trace.position)} cue={format_cue(trace.cue)}"
    comment = "" if trace.model == STANDARD else f"  # {trace.model.id}"
    return f"{format_action(played.stroke)} {marks}{comment}"


def _write_drawings(
    played: Played, svg: Path | None, png: Path | None, animate: Path | None, lang: str
) -> None:
    if not (svg or png or animate):
        return
    from fivepins import drawing  # noqa: PLC0415

    title = f"{format_action(played.stroke)}: {played.ruling.say(lang)}"
    if svg or png:
        picture = drawing.draw(played.trace, title=title)
        if svg:
            svg.write_text(picture, encoding="utf-8")
        if png:
            png.write_bytes(drawing.png(picture))
    if animate:
        animate.write_text(drawing.animate(played.trace, title=title), encoding="utf-8")


def _explain(match: Match, played: Played) -> None:
    """The ruling in words, then what happened when, and where everything lies."""
    ruling, trace = played.ruling, played.trace
    data.print(f"[bold]{format_action(played.stroke)}[/]   {match.book.id}")
    if ruling.awards:
        data.print(ruling.explain(match.lang), markup=False)
    data.print(f"“{ruling.say(match.lang)}”", markup=False)
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(justify="right")
    for event in trace.events:
        if words := _told(event):
            table.add_row(f"{event.time:.3f} s", words)
    data.print()
    data.print(table)
    data.print(f"\nat rest  {format_position(trace.rest)}", markup=False)
    if played.placed is None:
        return
    data.print(f"next     {format_position(played.placed.position)}", markup=False)
    if hand := played.placed.hand:
        data.print(f"         the {hand.colour.value} ball in hand, from the {hand.half.value} half")


def _told(event: Event) -> str:
    """An event in words; nothing for what only the simulator cares about."""
    from fivepins.physics import EventKind, Fall, Rail  # noqa: PLC0415

    partner = event.partner
    if isinstance(partner, Rail):
        met = f"the {partner.name.lower()} cushion"
    else:
        met = f"pin {partner.value}" if isinstance(partner, Pin) else f"{partner.value if partner else ''}"
    verbs = {
        EventKind.STRUCK: "is struck",
        EventKind.BALLS: f"meets {met}",
        EventKind.CUSHION: f"meets {met}",
        EventKind.PIN_TOUCHED: f"touches {met}, which stands",
        EventKind.PIN_FELL: f"fells {met}",
        EventKind.RESTS: "comes to rest",
        EventKind.OUT: "leaves the table",
    }
    if event.kind not in verbs:
        return ""
    words = f"{event.ball.value} {verbs[event.kind]}"
    if event.thrown_by is not None:
        words += f", by way of pin {event.thrown_by.value}"
    if event.fall is Fall.LEANED:
        words += ", which had leaned on it"
    return words + (", from the contact it lay in" if event.frozen else "")


def _stream(match: Match) -> None:
    """Strokes from stdin, as long as there are any; exit 1 if one of them could not be played."""
    visible = not sys.stdout.isatty()  # on a terminal the lines themselves show how far it is
    lines = (line.strip() for line in sys.stdin)
    strokes = _watched((line for line in lines if line), "strokes", visible=visible)
    answers = [_print_answer(match, line) for line in strokes]
    raise typer.Exit(0 if all(answers) else FAULTS)


def _print_answer(match: Match, line: str) -> bool:
    """One JSON object for one line; whether the stroke could be played."""
    position, _, cue = line.partition(" ")
    cue = cue.strip()
    try:
        if not cue:
            raise NotationError("a line is a position and a cue, with a space between")
        print_json(match.as_json(match.play(parse_position(position), parse_cue(cue))))
    except FivePinsError as error:
        print_json({"position": position, "cue": cue, "error": error.message})
        return False
    return True


def _watched(
    items: Iterable[Item], what: str, *, total: int | None = None, visible: bool = True
) -> Iterator[Item]:
    """The items, with a bar on a terminal's stderr once they have taken a second."""
    began, bar = monotonic(), None
    try:
        for number, item in enumerate(items, 1):
            yield item
            if bar is None and visible and notes.is_terminal and monotonic() - began > 1:
                bar = _bar()
                bar.start()
                task = bar.add_task(what, total=total)
            if bar is not None:
                bar.update(task, completed=number)
    finally:
        if bar is not None:
            bar.stop()


def _bar() -> Progress:
    """A bar on stderr that leaves no trace, and stdout to the data."""
    from rich.progress import Progress  # noqa: PLC0415

    return Progress(console=notes, transient=True, redirect_stdout=False)


# -- a drawing -----------------------------------------------------------------------------------


def draw_command(
    position: PositionArgument,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Into this file, not to stdout.")
    ] = None,
    png: PngOption = None,
    black_and_white: Annotated[bool, typer.Option("--print", help="In black and white, for paper.")] = False,
    upright: Annotated[bool, typer.Option("--upright", help="The table stands on its short side.")] = False,
) -> None:
    """Draw a position to scale, as SVG."""
    _refuse_options(position)
    from fivepins import drawing  # noqa: PLC0415

    places = _position(position)
    try:
        places.validate()
    except FivePinsError as error:
        fail(error.message, error.hint)
    palette = drawing.PRINT if black_and_white else drawing.SCREEN
    picture = drawing.draw(places, palette=palette, upright=upright)
    if svg:
        svg.write_text(picture, encoding="utf-8")
    if png:
        png.write_bytes(drawing.png(picture))
    if not (svg or png):
        sys.stdout.write(picture)


# -- files of simulated strokes ------------------------------------------------------------------


def check_command(
    files: FilesArgument,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Play every turn with pos= and cue= again, and compare.")
    ] = False,
    model: ModelOption = "standard",
) -> None:
    """Check that files are read and replayed without a fault.

    With --simulate, turns in force that tell position and cue are played again, and must give the facts
    that are written. Not compared is what the table cannot show: fouls that the referee saw, pins that fell
    for no reason of the stroke or stand off their seats; and cushions, where a line writes none.
    """
    faulty = False
    for path in files:
        parsed = parse(path, lenient=True)
        problems = list(parsed.problems)
        for record in parsed.records:
            sheet = score(record, lenient=True)
            problems.extend(sheet.problems)
            if simulate:
                problems.extend(resimulated(sheet, model_of(model)))
        report(path, sorted(problems, key=lambda problem: (problem.line, problem.column)))
        faulty |= bool(problems)
    raise typer.Exit(FAULTS if faulty else 0)


class Claim(NamedTuple):
    """What a line says of a stroke that can be played again."""

    line: Line
    written: Stroke
    striker: Colour
    pos: str
    cue: str


def resimulated(sheet: Sheet, model: Model) -> Iterator[Problem]:
    """Every turn in force that says other facts than its position and cue give."""
    claims = list(_claims(sheet))
    for claim in _watched(claims, "turns", total=len(claims)):
        yield from _compared(claim, model)


def _claims(sheet: Sheet) -> Iterator[Claim]:
    colours = sheet.state.colours if sheet.state else None
    if sheet.state is None or colours is None:
        return
    lines = _lines_of_turns(sheet.record)
    for one in sheet.state.sets:
        for played in one.turns:
            turn, marks = played.turn, played.turn.marks
            stroke = turn.action
            if not isinstance(stroke, Stroke) or not stroke.played or not marks.pos or not marks.cue:
                continue
            # A fixed turn stands on the line that fixed it last; an undone fix does not count.
            line = [
                line
                for line in lines[one.number, turn.number]
                if isinstance(line.event, Turn | Fix) and line.event.action == stroke
            ][-1]
            own = colours[turn.side]
            wrong = any(isinstance(fact, Seen) and fact.foul is Foul.WRONG_BALL for fact in stroke.facts)
            yield Claim(line, stroke, own.other if wrong else own, marks.pos, marks.cue)


def _lines_of_turns(record: Record) -> dict[tuple[int, int], list[Line]]:
    """The lines that tell of each turn, by the numbers of set and turn."""
    found: dict[tuple[int, int], list[Line]] = {}
    number = 0
    for line in record.events():
        event = line.event
        if isinstance(event, SetStart):
            number = event.number
        elif isinstance(event, Turn | Fix):
            found.setdefault((number, event.number), []).append(line)
    return found


def _compared(claim: Claim, model: Model) -> Iterator[Problem]:
    from fivepins.physics import simulate  # noqa: PLC0415
    from fivepins.referee import judge  # noqa: PLC0415

    line = claim.line
    try:
        position, cue = parse_position(claim.pos), parse_cue(claim.cue)
        played = judge(simulate(position, cue, model, striker=claim.striker))
    except FivePinsError as error:
        yield Problem(line.number, line.column("pos"), error.message, error.hint)
        return
    if not agree(claim.written, played):
        says, gives = format_action(claim.written), format_action(played)
        yield Problem(
            line.number,
            line.column("action"),
            f"the line says '{says}', the stroke gives '{gives}'",
            f"played with the {claim.striker.value} ball on {model.id}",
        )


def agree(written: Stroke, played: Stroke) -> bool:
    """Whether written facts are those of a simulated stroke, as far as both tell.

    >>> from fivepins.tokens import parse_stroke
    >>> agree(parse_stroke("o r /.1 !foot"), parse_stroke("o o| r o/1 r/3"))
    True
    >>> agree(parse_stroke("o /.1 r"), parse_stroke("o o| r o/1 r/3"))  # they fell after the cannon
    False
    """
    cushions = any(isinstance(fact, Cushion) for fact in written.facts)
    groups, others = _story(written, cushions=cushions), _story(played, cushions=cushions)
    return (
        [marker for marker, _ in groups] == [marker for marker, _ in others]
        and all(_same_pins(said, fell) for (_, said), (_, fell) in zip(groups, others, strict=True))
        and _same_pins([Felled(pin) for pin in written.off], [Felled(pin) for pin in played.off])
        and _touches_frozen(written) == _touches_frozen(played)
    )


class Felled(NamedTuple):
    """One pin of a fact."""

    pin: Pin
    by: Ball | None = None
    cause: Cause = Cause.STROKE


def _story(stroke: Stroke, *, cushions: bool) -> list[tuple[Fact | None, list[Felled]]]:
    """Contacts, outs and cushions in order, a contact once, with the pins that fell after it."""
    story: list[tuple[Fact | None, list[Felled]]] = [(None, [])]
    met: set[Contact] = set()
    for fact in stroke.facts:
        if isinstance(fact, Pins):
            if fact.cause is not Cause.UNRELATED and not fact.upright:
                story[-1][1].extend(Felled(pin, fact.by, fact.cause) for pin in fact.pins)
        elif isinstance(fact, Contact):
            if fact not in met:
                met.add(fact)
                story.append((fact, []))
        elif isinstance(fact, Out) or (cushions and isinstance(fact, Cushion)):
            story.append((fact, []))
    return story


def _same_pins(said: list[Felled], fell: list[Felled]) -> bool:
    """Whether each pin that was said fell, and no other; those that say most are matched first."""
    left = list(fell)
    for one in sorted(said, key=lambda one: (one.pin is Pin.OUTER, one.by is None)):
        match = next((other for other in left if _may_be(one, other)), None)
        if match is None:
            return False
        left.remove(match)
    return not left


def _may_be(said: Felled, fell: Felled) -> bool:
    pin = fell.pin is said.pin or (said.pin is Pin.OUTER and fell.pin is not Pin.CENTRE)
    by = fell.by is said.by or (said.by is None and fell.by is not Ball.CUE)
    return pin and by and fell.cause is said.cause


def _touches_frozen(stroke: Stroke) -> bool:
    """The one foul a simulated stroke shows: played into what the cue ball was frozen to (41)."""
    return any(isinstance(fact, Seen) and fact.foul is Foul.CONTACT for fact in stroke.facts)


# -- how fast ------------------------------------------------------------------------------------


def bench_command(
    strokes: Annotated[int, typer.Option(min=1, help="Strokes a measurement.")] = 200_000,
    seed: Annotated[int, typer.Option(help="Of the random strokes.")] = 1,
    model: ModelOption = "standard",
) -> None:
    """Count simulated and ruled strokes a second, with one thread up to all cores.

    Random strokes: three balls anywhere, any direction, 1 to 6 m/s, the tip up to 0.4 R off the centre.
    """
    from fivepins.physics import simulate_many  # noqa: PLC0415

    table = model_of(model)
    tables, shots = random_strokes(strokes, seed)
    simulate_many(tables[:1], shots[:1], table)  # announces the compilation, and has it done
    cores = os.cpu_count() or 1
    rates = [_rate(tables, shots, table, threads) for threads in range(1, cores + 1)]
    grid = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for heading in ("threads", "strokes a second", "times one thread"):
        grid.add_column(heading, justify="right")
    for threads, rate in enumerate(rates, 1):
        grid.add_row(str(threads), f"{rate:,.0f}", f"{rate / rates[0]:.2f}")
    data.print(grid)
    data.print(f"{strokes:,} random strokes, seed {seed}, {table.id}, simulated and ruled under UMB-1997")


def _rate(tables: Floats, shots: Floats, model: Model, threads: int) -> float:
    """Strokes a second with so many threads."""
    from fivepins.physics import simulate_many  # noqa: PLC0415
    from fivepins.referee import rule_many  # noqa: PLC0415

    with _bar() as bar:
        bar.disable = not notes.is_terminal
        task = bar.add_task(f"{threads} {'thread' if threads == 1 else 'threads'}", total=len(shots))
        began = perf_counter()
        outcomes = simulate_many(
            tables, shots, model, threads=threads, progress=lambda done: bar.advance(task, done)
        )
        rule_many(outcomes)
        return len(shots) / (perf_counter() - began)


def random_strokes(count: int, seed: int) -> tuple[Floats, Floats]:
    """Seeded positions and cues, as the arrays of `simulate_many`."""
    import numpy as np  # noqa: PLC0415

    from fivepins.physics.batch import position_table  # noqa: PLC0415
    from fivepins.table import START, TABLE  # noqa: PLC0415

    rng = np.random.default_rng(seed)
    radius, seats = TABLE.radius, position_table([START])[0, 6:].reshape(5, 2)
    kept = np.empty((0, 3, 2))
    while len(kept) < count:
        balls = rng.uniform(
            radius, (TABLE.width - radius, TABLE.length - radius), (count - len(kept) + 16, 3, 2)
        )
        apart = np.linalg.norm(balls - np.roll(balls, 1, axis=1), axis=2).min(axis=1) >= 2 * radius
        to_seats = np.linalg.norm(balls[:, :, None] - seats, axis=3).min(axis=(1, 2))
        kept = np.concatenate([kept, balls[apart & (to_seats >= radius + TABLE.pin_base)]])
    tables = np.empty((count, 16))
    tables[:, :6], tables[:, 6:] = kept[:count].reshape(count, 6), seats.ravel()
    offset, turn = 0.4 * np.sqrt(rng.uniform(0, 1, count)), rng.uniform(0, 2 * np.pi, count)
    speed, aim = rng.uniform(1, 6, count), rng.uniform(0, 360, count)
    tip = offset * np.cos(turn), offset * np.sin(turn)
    return tables, np.stack([speed, aim, *tip, np.zeros(count)], axis=1)
