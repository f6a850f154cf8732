"""The director's pages in a browser: a right from its code to its end, names, closing and opening again."""

from __future__ import annotations

import pytest
from playwright.sync_api import Dialog, Page, expect

from browser.conftest import NewPage
from serving import Served

PAGES = ("/enter", "/rights", "/settings", "/help", "/matches/demo1/office")


@pytest.fixture
def director(demo_server: Served, new_page: NewPage) -> Page:
    """A director's page, entered by the link that the server printed."""
    page = new_page(demo_server.director)
    page.wait_for_url(f"{demo_server.url}/")
    assert "#" not in page.url
    page.on("dialog", Dialog.accept)
    return page


def test_a_right_goes_from_its_code_to_a_tablet_and_ends_when_it_is_taken_back(
    director: Page, demo_server: Served, new_page: NewPage
) -> None:
    director.goto(f"{demo_server.url}/rights")
    director.fill("#label", "Anna <b>Verdi</b>")
    director.select_option("#scope", "match:demo1")
    director.fill("#pin", "271828")
    director.click("#give .big")
    card = director.locator("#cards li")
    expect(card.locator("h3")).to_have_text("Anna <b>Verdi</b>")
    assert str(card.locator("img").get_attribute("src")).startswith("data:image/svg+xml")

    tablet = new_page(card.locator("code").inner_text())
    tablet.wait_for_url("**/matches/demo1/desk")
    card.locator("button").click()
    expect(card).to_contain_text("taken back")
    expect(card.locator("img")).to_have_count(0)
    tablet.goto(f"{demo_server.url}/matches/demo1/desk")
    assert tablet.url.endswith("/enter?why=right")


def test_a_pin_is_typed_on_the_pad_and_changed_by_the_director(
    director: Page, demo_server: Served, new_page: NewPage
) -> None:
    director.goto(f"{demo_server.url}/rights")
    director.fill("#label", "Table three")
    director.select_option("#scope", "table:T3")
    director.click("#give .big")
    expect(director.locator("#cards li")).to_have_count(1)
    director.reload()
    row = director.locator("tr", has_text="Table three")
    director.remove_listener("dialog", Dialog.accept)
    director.once("dialog", lambda asked: asked.accept("314159"))
    row.locator("[data-pin]").click()
    expect(row.locator("td:has([data-pin]) span")).to_have_text("yes")

    phone = new_page(f"{demo_server.url}/enter", size=(390, 844), touch=True)
    phone.select_option("#grant", label="Table three")
    for digit in "3141599":
        phone.locator(f'#pad button[value="{digit}"]').tap()
    phone.locator('#pad button[value="back"]').tap()
    phone.tap("#pin-form .big")
    phone.wait_for_url(f"{demo_server.url}/")
    expect(phone.locator(".enter")).to_contain_text("Referee")


def test_a_name_is_taken_back_and_a_closed_match_opened_again(director: Page, demo_server: Served) -> None:
    office = f"{demo_server.url}/matches/demo3/office"
    director.goto(office)
    name = director.locator("#A").input_value()
    director.click('button[data-side="A"]')
    with director.expect_navigation():
        director.click("#names .big")
    assert name not in director.content()

    with director.expect_navigation():
        director.click("#close button")
    director.fill("#why", 'the "last" stroke was wrong')
    with director.expect_navigation():
        director.click("#reopen .big")
    expect(director.locator("#A")).to_have_value("Player A")
    told = director.request.get(f"{demo_server.url}/matches/demo3/log").json()["lines"]
    assert [row["line"] for row in told[-3:]] == [
        "Status: closed",
        "Status: open",
        r'decision "the \"last\" stroke was wrong" by "director"',
    ]
    assert name not in str(told[-3:])


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_pages_of_the_office_fit_their_screens_in_german(
    demo_server: Served, new_page: NewPage, size: tuple[int, int], theme: str
) -> None:
    page = new_page(demo_server.director, size=size, theme=theme, locale="de-DE")
    page.wait_for_url(f"{demo_server.url}/")
    for path in PAGES:
        answer = page.goto(demo_server.url + path)
        assert answer is not None
        assert (answer.status, page.url) == (200, demo_server.url + path)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        beside = "one => one.getBoundingClientRect().right > innerWidth"
        assert not page.evaluate(f"[...document.querySelectorAll('main button')].some({beside})"), path
        small = "one => one.offsetParent && one.getBoundingClientRect().height < 43.9"
        found = page.evaluate(
            f"[...document.querySelectorAll('main button, main input')].filter({small}).length"
        )
        assert found == 0, f"{path}: something is too small for a finger"


def test_the_match_paper_keeps_its_own_style_and_no_other(
    demo_server: Served, new_page: NewPage, allowed: list[str]
) -> None:
    page = new_page(f"{demo_server.url}/matches/demo2/paper")
    expect(page.locator("body")).to_have_css("font-size", "15px")
    allowed.append("Content Security Policy")  # from here on
    blocked = page.evaluate("""() => {
      const style = document.createElement("style");
      style.textContent = "body { font-size: 99px }";
      return new Promise((answer) => {
        document.addEventListener("securitypolicyviolation", (event) => answer(event.violatedDirective));
        document.head.append(style);
      });
    }""")
    assert blocked.startswith("style-src")
    expect(page.locator("body")).to_have_css("font-size", "15px")
