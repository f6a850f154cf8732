"""The equipment report: every sentence of 11 to 15, at its limits, in both books."""

from __future__ import annotations

import tomllib
from copy import deepcopy
from html import unescape
from json import dumps, loads
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader, StrictUndefined
from starlette.testclient import TestClient
from typer.testing import CliRunner

from fivepins.cli import app
from fivepins.desk.equipment_form import router
from fivepins.desk.press import Press
from fivepins.equipment import Limit, Line, Report, Status, questions, report, template
from fivepins.errors import FivePinsError
from fivepins.language import LANGUAGES, language
from fivepins.paper import equipment_paper
from fivepins.rulebook import FIBIS_2022, RULEBOOKS, UMB_1997, Rulebook

ROOT = Path(__file__).parent.parent
EXAMPLE: dict[str, Any] = tomllib.loads((ROOT / "examples" / "equipment.toml").read_text("utf-8"))
BOOKS = pytest.mark.parametrize("book", RULEBOOKS.values(), ids=RULEBOOKS)


def answer(key: str, value: object) -> dict[str, Any]:
    """A report with one answer."""
    section, _, name = key.partition(".")
    return {section: {name: value}}


def line(key: str, made: Report) -> Line:
    """The line of a key."""
    return next(one for one in made.lines if one.key == key)


def passing(book: Rulebook) -> dict[str, Any]:
    """The example, with what the other book wants otherwise."""
    data = deepcopy(EXAMPLE)
    if book is FIBIS_2022:
        data["pins"]["head"] = [7, 7, 7, 7, 7]
        data["floor"]["lines"] = 0
        data["light"]["humidity"] = 40
    return data


def faults(data: dict[str, Any]) -> tuple[str, str]:
    """What is said about answers that cannot be used."""
    with pytest.raises(FivePinsError) as caught:
        report(data)
    return caught.value.message, caught.value.hint


# -- the questions -------------------------------------------------------------------------------------


@BOOKS
def test_every_paragraph_on_the_map_of_the_rules_has_its_lines(book: Rulebook) -> None:
    rows = (ROOT / "docs" / "rules" / "map.tsv").read_text("utf-8").splitlines()
    mapped = {row.split("\t")[0] for row in rows if "\tequipment\t" in row}
    asked = {question.paragraph for question in questions(book)}
    assert mapped <= asked
    assert asked - mapped <= {"13.4"}  # where the spots lie: the map sends it to the code that holds them


@BOOKS
def test_keys_and_texts_are_not_shared(book: Rulebook) -> None:
    asked = questions(book)
    assert (
        len({question.key for question in asked}) == len({question.text for question in asked}) == len(asked)
    )


def test_only_the_2022_book_asks_for_humidity() -> None:
    one, other = ({question.key for question in questions(book)} for book in (UMB_1997, FIBIS_2022))
    assert other - one == {"light.humidity"}
    assert not one - other
    data = answer("light.humidity", 20)
    assert "light.humidity" not in {line.key for line in report(data, UMB_1997).lines}
    assert line("light.humidity", report(data, FIBIS_2022)).status is Status.FAILS


# -- the template --------------------------------------------------------------------------------------


@BOOKS
@pytest.mark.parametrize("code", LANGUAGES)
def test_an_unfilled_template_is_a_report_where_nothing_is_checked(book: Rulebook, code: str) -> None:
    made = report(tomllib.loads(template(book, code)))
    assert made.rules == book.id
    assert {line.status for line in made.lines} == {Status.NOT_CHECKED}
    assert {line.answer() for line in made.lines} == {"–"}
    assert made.verdict is Status.NOT_CHECKED
    assert not made.fit
    assert made.about == ()
    assert made.lines == report({}, book).lines


@BOOKS
def test_the_template_asks_every_question_with_its_limit(book: Rulebook) -> None:
    text = template(book)
    data = tomllib.loads(text)
    for question in questions(book):
        section, _, name = question.key.partition(".")
        if question.key == "balls.spread":
            assert name not in data[section]
            continue
        assert data[section][name] == ("" if question.things == 1 else [""] * question.things)
        assert f"# {question.paragraph} {question.text}" in text
        assert question.limit is None or question.limit.say() in text


def test_the_example_is_the_template_filled_in() -> None:
    empty = tomllib.loads(template(UMB_1997))
    assert {name: list(section) for name, section in EXAMPLE.items()} == {
        name: list(section) for name, section in empty.items()
    }
    comments = [row for row in template(UMB_1997).splitlines() if row.startswith("#")]
    text = (ROOT / "examples" / "equipment.toml").read_text("utf-8")
    assert [row for row in text.splitlines() if row.startswith("#")] == comments


# -- a hall --------------------------------------------------------------------------------------------


@BOOKS
def test_a_hall_that_passes(book: Rulebook) -> None:
    made = report(passing(book), book)
    assert [line.key for line in made.lines if line.status is not Status.PASSES] == []
    assert made.verdict is Status.PASSES
    assert made.fit
    assert set(made.paragraphs.values()) == {Status.PASSES}
    assert dict(made.about)["date"] == "2026-05-08"


def test_what_was_good_in_1997_is_not_all_good_in_2022() -> None:
    made = report(EXAMPLE, FIBIS_2022)
    assert {line.key for line in made.lines if line.status is Status.FAILS} == {"pins.head", "floor.lines"}
    assert {line.key for line in made.lines if line.status is Status.NOT_CHECKED} == {"light.humidity"}
    assert made.verdict is Status.FAILS


def test_a_book_that_is_handed_over_wins_over_the_one_in_the_file() -> None:
    data = {"report": {"rules": "FIBiS-2022"}}
    assert report(data).rules == "FIBiS-2022"
    assert report(data, UMB_1997).rules == "UMB-1997"
    assert report({}).rules == "UMB-1997"
    with pytest.raises(FivePinsError, match="unknown rule book"):
        report({"report": {"rules": "UMB-2001"}})


SEEN = [question.key for question in questions(FIBIS_2022) if question.limit is None]


@BOOKS
@pytest.mark.parametrize("key", SEEN)
def test_what_is_seen_passes_or_fails_alone(key: str, book: Rulebook) -> None:
    data = passing(book)
    assert line(key, report(data, book)).answer() == "yes"
    section, _, name = key.partition(".")
    data[section][name] = False
    made = report(data, book)
    assert [(line.key, line.answer()) for line in made.lines if line.status is Status.FAILS] == [(key, "no")]
    assert made.verdict is made.paragraphs[line(key, made).paragraph] is Status.FAILS
    data[section][name] = ""
    made = report(data, book)
    assert [line.key for line in made.lines if line.status is Status.NOT_CHECKED] == [key]
    assert made.verdict is Status.NOT_CHECKED


# -- the limits ----------------------------------------------------------------------------------------

LIMITS: dict[str, tuple[float | None, float | None]] = {
    "table.thickness": (45, None),
    "table.cushion_height": (36, 38),
    "table.length": (2835, 2845),
    "table.width": (1415, 1425),
    "table.frame_width": (125, None),
    "table.diamonds": (354, 356),
    "table.height": (750, 800),
    "balls.diameter": (61, 61.5),
    "balls.weight": (205, 220),
    "pins.height": (24.5, 25.5),
    "pins.head": (5.5, 6.5),
    "pins.ring": (9.5, 10.5),
    "pins.base": (6.5, 7.5),
    "light.bed": (520, None),
    "light.lamp": (1000, None),
    "light.hall": (50, None),
    "floor.lines": (95, 105),
}
"""The lowest and the highest measure that passes in UMB-1997, written from the chapter."""

OTHERWISE: dict[str, tuple[float | None, float | None]] = {
    "table.frame_width": (125, 150),
    "balls.weight": (205, 215),
    "pins.head": (6.5, 7.5),
    "light.bed": (500, None),
    "light.humidity": (30, 45),
    "floor.lines": (0, 5),
}
"""The same in FIBiS-2022, where it differs."""

EDGES = [
    *((UMB_1997, key, *limits) for key, limits in LIMITS.items()),
    *((FIBIS_2022, key, *limits) for key, limits in {**LIMITS, **OTHERWISE}.items()),
]


@pytest.mark.parametrize(("book", "key", "low", "high"), EDGES)
def test_a_limit_passes_and_a_hair_beyond_it_fails(
    book: Rulebook, key: str, low: float | None, high: float | None
) -> None:
    things = next(question.things for question in questions(book) if question.key == key)

    def status(value: float) -> Status:
        # The last of several things is the one that is measured wrong.
        good = low if low is not None else high
        return line(key, report(answer(key, [*[good] * (things - 1), value]), book)).status

    for edge, beyond in ((low, -0.01), (high, 0.01)):
        if edge is not None:
            assert status(edge) is Status.PASSES
        if edge:  # nothing lies below 0
            assert status(edge + beyond) is Status.FAILS
    if high is None and low is not None:
        assert status(100 * low) is Status.PASSES


@BOOKS
def test_every_measure_has_its_edges_tested(book: Rulebook) -> None:
    measured = {question.key for question in questions(book) if question.limit}
    assert measured == {key for other, key, _, _ in EDGES if other is book} | {"balls.spread", "light.glare"}


@BOOKS
def test_5000_lux_are_glare_already(book: Rulebook) -> None:
    for lux, status in ((0, Status.PASSES), (4999.9, Status.PASSES), (5000, Status.FAILS)):
        assert line("light.glare", report(answer("light.glare", lux), book)).status is status


@pytest.mark.parametrize(
    ("weights", "book", "status", "shown"),
    [
        ([208.1, 210.1, 209], UMB_1997, Status.PASSES, "2 g"),
        ([208.1, 210.2, 209], UMB_1997, Status.FAILS, "2.1 g"),
        ([208.1, 209.1, 209], FIBIS_2022, Status.PASSES, "1 g"),
        ([208.1, 209.2, 209], FIBIS_2022, Status.FAILS, "1.1 g"),
        ([208, 208, ""], UMB_1997, Status.NOT_CHECKED, "–"),
        ([208, 211, ""], UMB_1997, Status.FAILS, "3 g"),  # whatever the third ball weighs
        (["", "", 211], UMB_1997, Status.NOT_CHECKED, "–"),
    ],
)
def test_the_spread_of_the_weights(weights: list[object], book: Rulebook, status: Status, shown: str) -> None:
    found = line("balls.spread", report(answer("balls.weight", weights), book))
    assert (found.status, found.answer()) == (status, shown)


@pytest.mark.parametrize(
    ("key", "value", "status", "shown"),
    [
        ("balls.diameter", [61.2, "", 61.3], Status.NOT_CHECKED, "61.2 · – · 61.3 mm"),
        ("balls.diameter", [61.2, "", 62], Status.FAILS, "61.2 · – · 62 mm"),
        ("balls.diameter", "", Status.NOT_CHECKED, "–"),
        ("pins.height", [], Status.NOT_CHECKED, "–"),
        ("light.bed", [560, 519.9, 540], Status.FAILS, "560 · 519.9 · 540 lux"),
        ("light.bed", [560, 530], Status.PASSES, "560 · 530 lux"),
    ],
)
def test_things_and_places_one_by_one(key: str, value: object, status: Status, shown: str) -> None:
    found = line(key, report(answer(key, value)))
    assert (found.status, found.answer()) == (status, shown)


# -- exceptions ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "approval"),
    [
        ("table.slate", False, "bed"),
        ("table.thickness", 30, "bed"),
        ("balls.weight", [200, 200, 200.5], "weight"),
    ],
)
def test_an_approved_exception_says_by_whom(key: str, value: object, approval: str) -> None:
    data = passing(UMB_1997)
    section, _, name = key.partition(".")
    data[section][name] = value
    assert line(key, report(data)).status is Status.FAILS
    data["approved"][approval] = "UMB committee, 2025-11-03"
    made = report(data)
    found = line(key, made)
    assert (found.status, found.approved_by) == (Status.APPROVED, "UMB committee, 2025-11-03")
    assert made.verdict is made.paragraphs[found.paragraph] is Status.APPROVED
    assert made.fit


def test_an_approval_excuses_nothing_else() -> None:
    data = passing(UMB_1997)
    data["approved"] = {"bed": "UMB committee", "weight": "UMB committee"}
    assert {line.approved_by for line in report(data).lines} == {""}  # nothing needs it
    data["table"] |= {"level": False, "thickness": ""}
    data["balls"] |= {"weight": [205, 208, 207], "diameter": [60, 61, 61]}
    statuses = {line.key: line.status for line in report(data).lines if line.status is not Status.PASSES}
    assert statuses == {
        "table.level": Status.FAILS,
        "table.thickness": Status.NOT_CHECKED,
        "balls.diameter": Status.FAILS,
        "balls.spread": Status.FAILS,
    }


# -- what cannot be used -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "message", "hint"),
    [
        ("table.lenght", 2840, "table.lenght: no such key", "is it table.length?"),
        ("balls.spread", 1, "balls.spread: no such key", ""),
        ("zzz.qqq", 1, "zzz.qqq: no such key", "the template shows every key"),
        ("table.slate", "yes", "table.slate: 'yes' is no answer", 'write true, false or ""'),
        ("table.slate", 1, "table.slate: 1 is no answer", 'write true, false or ""'),
        ("table.slate", [True], "table.slate: [True] is no answer", 'write true, false or ""'),
        ("table.length", True, "table.length: True is not a number", "write the number alone, in mm"),
        ("table.length", [[2840]], "table.length: [2840] is not a number", "write the number alone, in mm"),
        ("table.length", "2,84 m", "table.length: '2,84 m' is not a number", "in mm: 2840"),
        ("table.height", "78.5 cm", "table.height: '78.5 cm' is not a number", "in mm: 785"),
        ("light.lamp", "1200", "light.lamp: '1200' is not a number", "in mm: 1200"),
        ("light.hall", "60 lx", "light.hall: '60 lx' is not a number", "in lux: 60"),
        ("light.hall", "bright", "light.hall: 'bright' is not a number", "write the number alone, in lux"),
        ("light.hall", "60 mm", "light.hall: '60 mm' is not a number", "write the number alone, in lux"),
        ("light.humidity", "40 %", "light.humidity: '40 %' is not a number", "in %: 40"),
        ("table.length", float("nan"), "table.length: nothing measures nan", "write a number from 0 up"),
        ("table.length", float("inf"), "table.length: nothing measures inf", "write a number from 0 up"),
        (
            "table.length",
            10**400,
            "table.length: nothing measures 10000000000000000000",
            "write a number from 0 up",
        ),
        ("table.length", -1, "table.length: nothing measures -1", "write a number from 0 up"),
        (
            "balls.diameter",
            ["61.25 cm", 61, 61],
            "balls.diameter: '61.25 cm' is not a number",
            "in mm: 612.5",
        ),
        ("balls.weight", ["0.21 kg", 1, 1], "balls.weight: '0.21 kg' is not a number", "in g: 210"),
        (
            "balls.diameter",
            61.2,
            "balls.diameter: 1 of 3 measures",
            'write 3 in a list, "" for one not taken',
        ),
        ("pins.head", [6] * 6, "pins.head: 6 of 5 measures", 'write 5 in a list, "" for one not taken'),
        ("report.place", 3, "report.place: 3 is not a text", 'write it in quotes: "…"'),
        ("approved.bed", True, "approved.bed: True is not a text", 'write it in quotes: "…"'),
    ],
)
def test_an_answer_that_cannot_be_used_names_its_key(
    key: str, value: object, message: str, hint: str
) -> None:
    said, way_out = faults(answer(key, value))
    assert said == message
    assert hint in way_out


def test_a_key_outside_every_section() -> None:
    assert faults({"length": 2840}) == ("length: no such key", "is it table.length?")


def test_all_faults_are_told_at_once() -> None:
    data = {"table": {"length": "long", "slate": 3}, "light": {"bed": "560 lux", "hall": "dark"}}
    message, hint = faults(data)
    assert [part.partition(":")[0] for part in message.split("; ")] == [
        "table.length", "table.slate", "light.bed", "light.hall"
    ]  # fmt: skip
    assert hint.count("write the number alone, in mm") == 1


# -- words ---------------------------------------------------------------------------------------------


def test_limits_and_answers_in_other_languages() -> None:
    assert Limit("mm", 61, 61.5).say() == "61 to 61.5 mm"
    assert [Limit("mm", 61, 61.5).say(code) for code in LANGUAGES[1:]] == [
        "da 61 a 61,5 mm", "de 61 a 61,5 mm", "de 61 à 61,5 mm", "61 bis 61,5 mm"
    ]  # fmt: skip
    assert Limit("g", high=2).say("fr") == "au plus 2 g"
    assert Limit("mm", 45).say("es") == "al menos 45 mm"
    assert Limit("lux", below=5000).say("it") == "meno di 5000 lux"
    made = report({"balls": {"diameter": [61.4, "", 61]}, "table": {"slate": True}})
    assert line("balls.diameter", made).answer("de") == "61,4 · – · 61 mm"
    assert line("table.slate", made).answer("it") == "sì"


# -- on paper and on the page ---------------------------------------------------------------------------


def test_the_command_writes_the_report_on_paper(tmp_path: Path) -> None:
    file, out = ROOT / "examples" / "equipment.toml", tmp_path / "report.pdf"
    run = CliRunner().invoke(app, ["equipment", str(file), "--pdf", str(out), "--lang", "it"])
    assert run.exit_code == 0, run.output
    assert out.read_bytes() == equipment_paper(report(EXAMPLE), "it")


@pytest.fixture
def page() -> TestClient:
    """The form in an app of its own, drawn without the hall around it."""
    shelf = Environment(
        loader=ChoiceLoader(
            [
                DictLoader({"layout.html": "{% block head %}{% endblock %}{% block main %}{% endblock %}"}),
                FileSystemLoader(ROOT / "src" / "fivepins" / "desk" / "templates"),
            ]
        ),
        autoescape=True,
        undefined=StrictUndefined,
    )

    def draw(request: Request, name: str, context: dict[str, Any]) -> HTMLResponse:
        code = request.query_params.get("lang", "en")
        frame = {"say": language(code).say, "static": str, "lang": code, "theme": "dark", "hall": ""}
        return HTMLResponse(shelf.get_template(name).render(frame | context))

    hall = FastAPI()
    hall.state.page, hall.state.press = draw, Press()
    hall.include_router(router)
    return TestClient(hall)


@BOOKS
@pytest.mark.parametrize("code", LANGUAGES)
def test_the_form_asks_every_question_with_its_limit(page: TestClient, book: Rulebook, code: str) -> None:
    html = unescape(page.get("/equipment", params={"rules": book.id, "lang": code}).text)
    for question in questions(book):
        assert f"<b>{question.paragraph}</b> {language(code).say(question.text)}" in html
        assert html.count(f'data-key="{question.key}"') == 1
        assert question.limit is None or question.limit.say(code) in html
        if question.limit and question.key != "balls.spread":
            assert html.count(f'name="{question.key}"') == question.things


def test_a_form_for_an_unknown_book_is_that_of_the_umb(page: TestClient) -> None:
    assert page.get("/equipment?rules=x").text == page.get("/equipment").text


def test_the_answers_become_the_paper(page: TestClient) -> None:
    data = loads(dumps(EXAMPLE, default=str))
    answer = page.post("/equipment.pdf?lang=de", json=data)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
    assert answer.content == equipment_paper(report(data), "de")


@pytest.mark.parametrize(
    ("data", "lang", "message"),
    [
        ({"table": {"length": "7 cm"}}, "en", "table.length: '7 cm' is not a number"),
        ({"\ud800": 1}, "en", "\\ud800: no such key"),
        ({"report": {"rules": "UMB-2001"}}, "en", "unknown rule book"),
        ({}, "xx", "unknown language"),
    ],
)
def test_answers_that_cannot_be_used_are_refused_in_words(
    page: TestClient, data: dict[str, Any], lang: str, message: str
) -> None:
    headers = {"Content-Type": "application/json"}
    answer = page.post(f"/equipment.pdf?lang={lang}", content=dumps(data), headers=headers)
    assert answer.status_code == 422
    told = answer.json()
    assert told["error"] == "malformed"
    assert told["message"].startswith(message)
    assert "hint" in told


def test_texts_with_anything_in_them_are_printed(page: TestClient) -> None:
    data = {"report": {"place": "a\nb \x00 \ud800 <b> #x 王", "date": "2026-02-08"}}
    headers = {"Content-Type": "application/json"}
    answer = page.post("/equipment.pdf", content=dumps(data), headers=headers)
    assert answer.content.startswith(b"%PDF-")
