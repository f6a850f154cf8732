"""Drawings: XML, to scale, the paths where the balls ran, and the same bytes every time."""

from __future__ import annotations

import math
import re
import struct
import zlib
from collections.abc import Iterator
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from fivepins.codes import parse_position
from fivepins.drawing import FRAME, PRINT, SCREEN, Palette, animate, draw, png
from fivepins.errors import FivePinsError
from fivepins.physics import Cue, Trace, simulate
from fivepins.table import PINS, START, TABLE, Colour, Point, Position

SVG = "{http://www.w3.org/2000/svg}"
ODD = parse_position("600:600/710:1100/710:2130/12345")
"""A position without symmetry; the stroke below fells four pins and meets five cushions."""
STROKE = simulate(ODD, Cue(4.0, 76.0, -0.2, 0.3))
BOTH_WAYS = pytest.mark.parametrize("upright", [False, True], ids=["lying", "upright"])
PALETTES = pytest.mark.parametrize("palette", [SCREEN, PRINT], ids=["screen", "print"])
NUMBER = r"-?\d+(?:\.\d+)?"


def tree(text: str) -> ET.Element:
    return ET.fromstring(text)  # our own text


def spot(place: Point, *, upright: bool) -> tuple[float, float]:
    """Where a place must lie: upright, y runs upwards; else the table is turned clockwise by a quarter."""
    if upright:
        return FRAME + place.x, FRAME + TABLE.length - place.y
    return FRAME + place.y, FRAME + place.x


def circles(root: ET.Element, radius: float) -> list[tuple[float, float]]:
    """The centres of all circles of that radius."""
    return [
        (float(one.attrib["cx"]), float(one.attrib["cy"]))
        for one in root.iter(f"{SVG}circle")
        if float(one.attrib["r"]) == radius
    ]


def near(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """The same place but for the two decimals that are written."""
    return math.dist(one, other) < 0.01


def paths(root: ET.Element, colour: Colour) -> list[list[tuple[float, float]]]:
    """Start, bend and end of every stretch of a ball's path."""
    found = []
    for path in root.iter(f"{SVG}path"):
        if path.get("class") == colour.value:
            numbers = [float(text) for text in re.findall(NUMBER, path.attrib["d"])]
            found.append([(numbers[i], numbers[i + 1]) for i in (0, 2, 4)])
    return found


# -- positions -----------------------------------------------------------------------------------


@BOTH_WAYS
@PALETTES
def test_a_position_is_drawn_to_scale(upright: bool, palette: Palette) -> None:
    root = tree(draw(ODD, palette=palette, upright=upright))
    balls = circles(root, 30.75)
    assert len(balls) == 3
    for colour, place in ODD.balls():
        group = next(one for one in root.iter(f"{SVG}g") if one.get("class") == colour.value)
        (centre,) = circles(group, 30.75)
        assert near(centre, spot(place, upright=upright))
    pins = circles(root, 5.0)
    assert pins == [spot(TABLE.seat(pin), upright=upright) for pin in PINS]
    assert [math.dist(pin, pins[-1]) for pin in pins[:-1]] == [66.0] * 4
    sides = (TABLE.width + 2 * FRAME, TABLE.length + 2 * FRAME)
    assert root.attrib["viewBox"] == "0 0 {:g} {:g}".format(*(sides if upright else sides[::-1]))


def test_the_cloth_is_the_playing_surface() -> None:
    cloth = next(one for one in tree(draw(START)).iter(f"{SVG}rect") if one.get("fill") == SCREEN.cloth)
    assert [float(cloth.attrib[name]) for name in ("x", "y", "width", "height")] == [FRAME, FRAME, 2840, 1420]


@BOTH_WAYS
def test_no_orientation_is_a_mirror_image(upright: bool) -> None:
    (ax, ay), (bx, by), _, _, (x, y) = circles(tree(draw(START, upright=upright)), 5.0)
    assert (ax - x) * (by - y) - (ay - y) * (bx - x) > 0  # the right pin follows the top one clockwise


def test_what_is_not_in_play_is_not_drawn() -> None:
    root = tree(draw(parse_position("355:710/-/710:2130/3@640:1420.25,5")))
    assert len(circles(root, 30.75)) == 2
    assert circles(root, 5.0) == [(1545.25, 765.0), (1545.0, 835.0)]


def test_balls_differ_without_colour() -> None:
    root = tree(draw(START, palette=PRINT))
    inside = {group.get("class"): len(list(group)) for group in root.iter(f"{SVG}g")}
    assert inside == {"white": 1, "yellow": 7, "red": 2}


@PALETTES
def test_a_palette_uses_no_colour_of_the_other(palette: Palette) -> None:
    other = PRINT if palette is SCREEN else SCREEN
    text = draw(STROKE, palette=palette)
    assert palette.frame in text
    assert other.frame not in text
    if palette is PRINT:
        greys = re.findall(r"#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})", text)
        assert greys
        assert all(red == green == blue for red, green, blue in greys)


@pytest.mark.parametrize("make", [draw, animate])
def test_titles_are_escaped(make: object) -> None:
    title = 'Rossi & Figli <1>: o /13 "=4"'
    text = draw(STROKE, title=title) if make is draw else animate(STROKE, title=title)
    assert tree(text).findtext(f"{SVG}title") == title


def test_a_drawing_tells_a_screen_reader_what_is_on_it() -> None:
    words = tree(draw(parse_position("355:710/-/710:2130/35"))).findtext(f"{SVG}desc")
    assert words == "white at 355:710 mm, red at 710:2130 mm; pins standing: 3, 5"


# -- strokes -------------------------------------------------------------------------------------


@BOTH_WAYS
def test_paths_begin_where_the_balls_lay_and_end_where_they_rest(upright: bool) -> None:
    root = tree(draw(STROKE, upright=upright))
    for colour in (Colour.WHITE, Colour.YELLOW):
        stretches = paths(root, colour)
        lay, rests = STROKE.position[colour], STROKE.rest[colour]
        assert lay is not None
        assert rests is not None
        assert near(stretches[0][0], spot(lay, upright=upright))
        assert near(stretches[-1][2], spot(rests, upright=upright))
        for one, following in pairwise(stretches):
            assert near(one[2], following[0])
    assert paths(root, Colour.RED) == []  # it was not met


def test_the_curve_of_a_path_is_the_way_of_the_ball() -> None:
    stretches = iter(paths(tree(draw(STROKE)), Colour.WHITE))
    moving = [arc for arc in STROKE.arcs(Colour.WHITE) if arc.duration > 0 and (arc.vx or arc.vy)]
    for arc in moving:
        start, bend, end = next(stretches)
        middle = tuple(start[i] / 4 + bend[i] / 2 + end[i] / 4 for i in (0, 1))
        motion = STROKE.at(Colour.WHITE, arc.start + arc.duration / 2)
        assert motion is not None
        assert near((middle[0], middle[1]), spot(Point(1000 * motion.x, 1000 * motion.y), upright=False))


def test_a_sliding_ball_leaves_a_broken_line() -> None:
    kinds = {bool(path.get("stroke-dasharray")) for path in tree(draw(STROKE)).iter(f"{SVG}path")
             if path.get("class") == "white"}  # fmt: skip
    assert kinds == {True, False}


def test_felled_pins_are_crossed_and_lie_over_the_paths() -> None:
    drawn = list(tree(draw(STROKE)))
    crosses = [place for place, one in enumerate(drawn) if one.get("class") == "felled"]
    last_path = max(place for place, one in enumerate(drawn) if one.get("class") in ("white", "yellow")
                    and one.tag == f"{SVG}path")  # fmt: skip
    assert len(crosses) == len(STROKE.fallen) == 4
    assert min(crosses) > last_path
    for place, fall in zip(crosses, STROKE.fallen, strict=True):
        numbers = [float(text) for text in re.findall(NUMBER, drawn[place].attrib["d"])]
        middle = (sum(numbers[0::2]) / 4, sum(numbers[1::2]) / 4)
        assert near(middle, spot(TABLE.seat(fall.pin), upright=False))


def test_ghost_balls_stand_a_ball_apart() -> None:
    root = tree(draw(STROKE))
    ghosts = [one for one in root.iter(f"{SVG}circle") if one.get("stroke-dasharray")]
    places = [(float(one.attrib["cx"]), float(one.attrib["cy"])) for one in ghosts]
    assert len(places) >= 2
    for one, other in zip(places[0::2], places[1::2], strict=True):
        assert math.dist(one, other) == pytest.approx(2 * TABLE.radius, abs=0.02)


# -- animations ----------------------------------------------------------------------------------


def timelines(root: ET.Element) -> Iterator[tuple[list[float], list[str], float]]:
    """Key times, values and seconds of every animation."""
    for name in ("animate", "animateTransform"):
        for one in root.iter(f"{SVG}{name}"):
            times = [float(text) for text in one.attrib["keyTimes"].split(";")]
            yield times, one.attrib["values"].split(";"), float(one.attrib["dur"].removesuffix("s"))


@pytest.mark.parametrize(
    "trace",
    [STROKE, simulate(START, Cue(3.0, 88.5)), simulate(START, Cue(0.0, 0.0)), simulate(ODD, Cue(0.1, 10.0))],
    ids=["odd", "castle", "nothing", "slow"],
)
def test_key_times_run_from_0_to_1_and_never_back(trace: Trace) -> None:
    lines = list(timelines(tree(animate(trace))))
    assert len(lines) == 3 + len(trace.fallen)
    for times, values, seconds in lines:
        assert (times[0], times[-1]) == (0.0, 1.0)
        assert times == sorted(times)
        assert len(times) == len(values)
        assert seconds == pytest.approx(trace.duration + 1.0, abs=0.01)


@BOTH_WAYS
def test_an_animation_moves_each_ball_to_its_rest(upright: bool) -> None:
    root = tree(animate(STROKE, upright=upright))
    moves = [one.attrib["values"].split(";") for one in root.iter(f"{SVG}animateTransform")]
    for (colour, lay), values in zip(STROKE.position.balls(), moves, strict=True):
        rests = STROKE.rest[colour]
        assert rests is not None
        x0, y0 = spot(lay, upright=upright)
        dx, dy = map(float, values[-1].split())
        assert near((x0 + dx, y0 + dy), spot(rests, upright=upright))


def test_a_pin_vanishes_when_it_falls() -> None:
    root = tree(animate(STROKE))
    shares = [times[1] for times, values, _ in timelines(root) if values[0] == "1"]
    length = STROKE.duration + 1.0
    falls = {fall.pin: fall.time for fall in STROKE.fallen}
    assert shares == pytest.approx([falls[pin] / length for pin in PINS if pin in falls], abs=1e-5)


# -- bytes ---------------------------------------------------------------------------------------


def pixels(image: bytes) -> tuple[int, int, int]:
    """Width, height, and how many different bytes the raw image has."""
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", image[16:24])
    content, place = b"", 8
    while place < len(image):
        (length,) = struct.unpack(">I", image[place : place + 4])
        if image[place + 4 : place + 8] == b"IDAT":
            content += image[place + 8 : place + 8 + length]
        place += 12 + length
    return width, height, len(set(zlib.decompress(content)))


@BOTH_WAYS
def test_a_png_has_the_width_asked_for_and_is_not_blank(upright: bool) -> None:
    width, height, values = pixels(png(draw(STROKE, upright=upright), width=600))
    long, short = TABLE.length + 2 * FRAME, TABLE.width + 2 * FRAME
    assert width == 600
    assert height == pytest.approx(600 * (long / short if upright else short / long), abs=1.01)
    assert values > 20
    assert pixels(png('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>', width=60))[2] < 20


def test_what_is_no_drawing_gives_no_image() -> None:
    with pytest.raises(FivePinsError, match="cannot be made an image"):
        png("this is no drawing")


def test_drawings_are_the_same_every_time() -> None:
    again = simulate(Position(ODD.white, ODD.yellow, ODD.red), STROKE.cue)
    assert draw(again) == draw(STROKE)
    assert animate(again) == animate(STROKE)
    assert png(draw(again), width=200) == png(draw(STROKE), width=200)
