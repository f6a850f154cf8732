"""Table diagrams as SVG, to scale: a position, or a whole stroke with the paths of its balls.

One unit of the drawing is a millimetre. The table lies on its side, the bottom (where the opening stroke
is played from) at the left, unless `upright` is asked for. Colour is never the only sign: the yellow ball
is dotted, the red one ringed, so that a black-and-white print reads the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from fivepins.errors import FivePinsError
from fivepins.physics.trace import Arc, EventKind, Phase, Trace
from fivepins.table import PINS, TABLE, Colour, Pin, Point, Position

CUSHION = 45.0
"""Millimetres of cloth-covered rubber between the playing surface and the frame."""
FRAME = 125.0
"""Millimetres of the whole border; 11.5 asks for that much at least."""
DIAMOND = 90.0
"""Millimetres from the nose of the cushion to the diamonds."""
PIN = 5.0
"""Radius of a pin at its widest (12.2), millimetres."""
STEP = 0.04
"""Seconds between two frames of an animation, which a viewer joins by straight lines."""


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a drawing, as SVG writes them."""

    cloth: str
    cushion: str
    frame: str
    mark: str
    line: str
    balls: dict[Colour, str]
    paths: dict[Colour, str]
    outline: str
    pin: str
    centre_pin: str


SCREEN = Palette(
    cloth="#1f5f8b",
    cushion="#184c70",
    frame="#4a2f1d",
    mark="#f0e6d2",
    line="#7fa9c6",
    balls={Colour.WHITE: "#f7f5ee", Colour.YELLOW: "#f2c230", Colour.RED: "#c5283d"},
    paths={Colour.WHITE: "#ffffff", Colour.YELLOW: "#ffd75e", Colour.RED: "#ff8f9c"},
    outline="#111111",
    pin="#f0ead8",
    centre_pin="#c5283d",
)
"""In colour, for a screen."""

PRINT = Palette(
    cloth="#ffffff",
    cushion="#e6e6e6",
    frame="#c4c4c4",
    mark="#000000",
    line="#9a9a9a",
    balls={Colour.WHITE: "#ffffff", Colour.YELLOW: "#d0d0d0", Colour.RED: "#555555"},
    paths={Colour.WHITE: "#000000", Colour.YELLOW: "#777777", Colour.RED: "#444444"},
    outline="#000000",
    pin="#ffffff",
    centre_pin="#000000",
)
"""In black and white, for paper."""


def draw(
    subject: Position | Trace, *, palette: Palette = SCREEN, upright: bool = False, title: str = ""
) -> str:
    """A position, or a stroke with its paths, as an SVG document.

    Of a stroke: solid balls where they lay, paths in the colour of the ball (broken where it slides),
    outlines where a ball met another, faint balls where they came to rest, crosses on felled pins.

    >>> from fivepins.table import START
    >>> draw(START).startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    True
    """
    sheet = _Sheet(palette, upright=upright)
    if isinstance(subject, Trace):
        body = [
            *_pins(sheet, subject.position),
            *_stroke(sheet, subject),
            *_crosses(sheet, subject),
            *_balls(sheet, subject.position),
        ]
        about = f"position and paths of a stroke: {_described(subject.position)}"
    else:
        body = [*_pins(sheet, subject), *_balls(sheet, subject)]
        about = _described(subject)
    return _document(sheet, body, title or "five-pin billiard table", about)


def animate(trace: Trace, *, palette: Palette = SCREEN, upright: bool = False, title: str = "") -> str:
    """A stroke as an SVG that plays itself, over and over, with a second's rest at the end."""
    sheet = _Sheet(palette, upright=upright)
    length = trace.duration + 1.0
    falls = {fall.pin: fall.time for fall in trace.fallen}
    body = list(_pins(sheet, trace.position, falls, length))
    for colour, _ in trace.position.balls():
        body.append(_moving_ball(sheet, trace, colour, length))
    about = f"animated stroke: {_described(trace.position)}"
    return _document(sheet, body, title or "five-pin billiard stroke", about)


def png(svg: str, *, width: int = 1200) -> bytes:
    """A drawing as a PNG image, `width` pixels wide; an animation shows its first frame.

    The typesetter of the papers does the work. Raises `FivePinsError` where it cannot.
    """
    import typst  # noqa: PLC0415 - a drawing as text needs no typesetter

    page = '#set page(width: auto, height: auto, margin: 0pt)\n#image("drawing.svg", width: 600pt)\n'
    with TemporaryDirectory() as folder:
        Path(folder, "drawing.svg").write_text(svg, encoding="utf-8")
        Path(folder, "page.typ").write_text(page, encoding="utf-8")
        try:
            image = typst.compile(Path(folder, "page.typ"), format="png", ppi=width / 600 * 72)
        except RuntimeError as error:
            raise FivePinsError(f"the drawing cannot be made an image: {error}") from error
    if not isinstance(image, bytes):
        raise FivePinsError("the drawing gave no single image")
    return image


class _Sheet:
    """Where millimetres of the table come to lie on the drawing."""

    def __init__(self, palette: Palette, *, upright: bool) -> None:
        self.palette = palette
        self.upright = upright
        across, along = TABLE.width + 2 * FRAME, TABLE.length + 2 * FRAME
        self.width, self.height = (across, along) if upright else (along, across)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A place on the drawing; SVG counts downwards."""
        if self.upright:
            return x + FRAME, self.height - FRAME - y
        return y + FRAME, x + FRAME

    def text(self, x: float, y: float) -> str:
        """A place as a path writes it."""
        return "{} {}".format(*map(_short, self.at(x, y)))

    def rectangle(self, border: float, fill: str) -> str:
        inset = _short(FRAME - border)
        width, height = (_short(side - 2 * (FRAME - border)) for side in (self.width, self.height))
        return f'<rect x="{inset}" y="{inset}" width="{width}" height="{height}" fill="{fill}"/>'

    def circle(self, place: Point, radius: float, attributes: str, inside: str = "") -> str:
        x, y = map(_short, self.at(*place))
        end = f">{inside}</circle>" if inside else "/>"
        return f'<circle cx="{x}" cy="{y}" r="{_short(radius)}" {attributes}{end}'


def _short(number: float) -> str:
    """Hundredths of a millimetre are finer than any screen or printer."""
    return f"{number + 0.0:.2f}".rstrip("0").rstrip(".")


def _document(sheet: _Sheet, body: Iterable[str], title: str, about: str) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_short(sheet.width)} {_short(sheet.height)}" '
        f'role="img" font-family="sans-serif">'
    )
    words = f"<title>{_escaped(title)}</title><desc>{_escaped(about)}</desc>"
    return "\n".join([head, words, *_table(sheet), *body, "</svg>"]) + "\n"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _described(position: Position) -> str:
    """What a screen reader says of a position."""
    balls = ", ".join(
        f"{colour.value} at {place.x:.0f}:{place.y:.0f} mm" for colour, place in position.balls()
    )
    pins = ", ".join(str(pin.value) for pin in sorted(position.standing))
    return f"{balls}; pins standing: {pins or 'none'}"


# -- the table -----------------------------------------------------------------------------------


def _table(sheet: _Sheet) -> Iterator[str]:
    palette = sheet.palette
    yield sheet.rectangle(FRAME, palette.frame)
    yield sheet.rectangle(CUSHION, palette.cushion)
    yield sheet.rectangle(0, palette.cloth)
    yield from (sheet.circle(place, 7, f'fill="{palette.mark}"') for place in _diamonds())
    middle = f"M{sheet.text(0, TABLE.centre_line)} L{sheet.text(TABLE.width, TABLE.centre_line)}"
    yield f'<path d="{middle}" stroke="{palette.line}" stroke-width="2" stroke-dasharray="14 14"/>'
    for spot in (TABLE.bottom_spot, TABLE.lower_spot, TABLE.upper_spot, TABLE.top_spot):
        arms = ((spot.x - 12, spot.y, spot.x + 12, spot.y), (spot.x, spot.y - 12, spot.x, spot.y + 12))
        cross = " ".join(f"M{sheet.text(a, b)} L{sheet.text(c, d)}" for a, b, c, d in arms)
        yield f'<path d="{cross}" stroke="{palette.line}" stroke-width="3"/>'


def _diamonds() -> Iterator[Point]:
    """Every eighth of the length along all four rails (11.6)."""
    step = TABLE.length / 8
    for number in range(1, 8):
        yield Point(-DIAMOND, number * step)
        yield Point(TABLE.width + DIAMOND, number * step)
    for number in range(1, 4):
        yield Point(number * step, -DIAMOND)
        yield Point(number * step, TABLE.length + DIAMOND)


def _pins(
    sheet: _Sheet, position: Position, falls: dict[Pin, float] | None = None, length: float = 0.0
) -> Iterator[str]:
    """The pins in play; in an animation of `length` those that fall are gone from their time on."""
    palette = sheet.palette
    places = dict(position.pins())
    for pin in PINS:
        if pin not in places:
            continue
        fill = palette.centre_pin if pin is Pin.CENTRE else palette.pin
        vanish = ""
        if falls and pin in falls:
            share = _short4(falls[pin] / length)
            vanish = (
                f'<animate attributeName="opacity" values="1;0.15;0.15" keyTimes="0;{share};1" '
                f'calcMode="discrete" dur="{_short(length)}s" repeatCount="indefinite"/>'
            )
        look = f'fill="{fill}" stroke="{palette.outline}" stroke-width="1.5"'
        yield sheet.circle(places[pin], PIN, look, vanish)


def _crosses(sheet: _Sheet, trace: Trace) -> Iterator[str]:
    """A cross on each felled pin, over the paths, since it was a path that felled it."""
    palette, places = sheet.palette, dict(trace.position.pins())
    for fall in trace.fallen:
        x, y = places[fall.pin]
        cross = " ".join(
            f"M{sheet.text(x - 13, y - 13 * turn)} L{sheet.text(x + 13, y + 13 * turn)}" for turn in (1, -1)
        )
        yield f'<path d="{cross}" stroke="{palette.cloth}" stroke-width="9"/>'
        yield f'<path class="felled" d="{cross}" stroke="{palette.mark}" stroke-width="5"/>'


# -- the balls -----------------------------------------------------------------------------------


def _balls(sheet: _Sheet, position: Position) -> Iterator[str]:
    for colour, place in position.balls():
        yield _ball(sheet, colour, place)


def _ball(sheet: _Sheet, colour: Colour, place: Point, opacity: float = 1.0) -> str:
    """A ball with its second sign: the yellow one dotted, the red one ringed."""
    palette = sheet.palette
    look = f'fill="{palette.balls[colour]}" stroke="{palette.outline}" stroke-width="2"'
    parts = [sheet.circle(place, TABLE.radius, look)]
    parts += [sheet.circle(dot, radius, look) for dot, radius, look in _signs(palette, colour, place)]
    fade = f' opacity="{opacity:g}"' if opacity < 1 else ""
    return f'<g class="{colour.value}"{fade}>{"".join(parts)}</g>'


def _signs(palette: Palette, colour: Colour, place: Point) -> Iterator[tuple[Point, float, str]]:
    if colour is Colour.YELLOW:
        for number in range(6):
            angle = math.pi / 3 * number
            dot = Point(place.x + 17 * math.cos(angle), place.y + 17 * math.sin(angle))
            yield dot, 3.5, f'fill="{palette.outline}"'
    if colour is Colour.RED:
        yield place, 18.0, f'fill="none" stroke="{palette.pin}" stroke-width="3"'


def _stroke(sheet: _Sheet, trace: Trace) -> Iterator[str]:
    """Paths, ghost balls and rest positions of a stroke."""
    for colour, _ in trace.position.balls():
        for arc in trace.arcs(colour):
            yield from _path(sheet, colour, arc)
    for event in trace.events:
        if event.kind is EventKind.BALLS and event.time > 0:
            for ball in (event.ball, event.partner):
                if isinstance(ball, Colour):
                    yield _ghost(sheet, trace, ball, event.time)
    for colour, place in trace.rest.balls():
        if place != trace.position[colour]:
            yield _ball(sheet, colour, place, 0.45)


def _path(sheet: _Sheet, colour: Colour, arc: Arc) -> Iterator[str]:
    """One arc: constant acceleration is a parabola, which a quadratic Bézier curve draws exactly."""
    t = arc.duration
    if t <= 0 or (arc.vx == 0 and arc.vy == 0):
        return
    start = sheet.text(1000 * arc.x, 1000 * arc.y)
    bend = sheet.text(1000 * (arc.x + arc.vx * t / 2), 1000 * (arc.y + arc.vy * t / 2))
    end = sheet.text(
        1000 * (arc.x + t * (arc.vx + arc.ax * t / 2)), 1000 * (arc.y + t * (arc.vy + arc.ay * t / 2))
    )
    broken = ' stroke-dasharray="18 9"' if int(arc.phase) == Phase.SLIDING else ""
    yield (
        f'<path class="{colour.value}" d="M{start} Q{bend} {end}" fill="none" '
        f'stroke="{sheet.palette.paths[colour]}" stroke-width="5"{broken}/>'
    )


def _ghost(sheet: _Sheet, trace: Trace, ball: Colour, time: float) -> str:
    motion = trace.at(ball, time)
    assert motion is not None  # a ball that meets another is on the table
    look = f'fill="none" stroke="{sheet.palette.paths[ball]}" stroke-width="2.5" stroke-dasharray="7 6"'
    return sheet.circle(Point(1000 * motion.x, 1000 * motion.y), TABLE.radius, look)


def _moving_ball(sheet: _Sheet, trace: Trace, colour: Colour, length: float) -> str:
    """A ball that follows its arcs, as a group moved from frame to frame."""
    start = trace.position[colour]
    assert start is not None
    times = _frames(trace, colour)
    places = [trace.at(colour, time) for time in times]
    x0, y0 = sheet.at(*start)
    moves = []
    for motion in places:
        assert motion is not None
        x, y = sheet.at(1000 * motion.x, 1000 * motion.y)
        moves.append(f"{_short(x - x0)} {_short(y - y0)}")
    keys = ";".join(_short4(time / length) for time in times)
    values = ";".join([*moves, moves[-1]])
    motion_words = (
        f'<animateTransform attributeName="transform" type="translate" values="{values}" '
        f'keyTimes="{keys};1" dur="{_short(length)}s" repeatCount="indefinite"/>'
    )
    return f"<g>{_ball(sheet, colour, start)}{motion_words}</g>"


def _frames(trace: Trace, colour: Colour) -> list[float]:
    """The times of a ball's frames: its arcs' ends, and between them every `STEP` seconds while it moves."""
    times = [0.0]
    for arc in trace.arcs(colour):
        end = min(arc.start + arc.duration, trace.duration)
        if arc.vx or arc.vy:
            count = max(1, math.ceil((end - arc.start) / STEP))
            times += [arc.start + (end - arc.start) * number / count for number in range(1, count + 1)]
        else:
            times.append(end)
    return sorted({round(time, 6) for time in times})


def _short4(share: float) -> str:
    return f"{share:.5f}".rstrip("0").rstrip(".") or "0"
