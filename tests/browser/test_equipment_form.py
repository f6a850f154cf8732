"""The equipment report in a browser: judged while it is filled in, kept over another book, printed."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from browser.conftest import NewPage
from serving import Served


def _status(page: Page, key: str) -> object:
    return page.locator(f"[data-key='{key}'] output").get_attribute("data-status")


def test_the_report_is_judged_kept_over_another_book_cleared_and_printed(
    new_page: NewPage, demo_server: Served, tmp_path: Path
) -> None:
    """Nothing that was written is lost by another book, and nothing is left once the form is cleared."""
    page = new_page(f"{demo_server.url}/equipment", accept_downloads=True)
    page.get_by_label("Site").fill("Circolo <b>Primavera</b>")
    weights = page.locator("[name='balls.weight']")
    for place, grams in enumerate(("210", "211,5", "260")):
        weights.nth(place).fill(grams)
    assert _status(page, "balls.weight") == "fails"
    assert _status(page, "balls.spread") == "fails"
    expect(page.locator("#verdict")).to_have_text("fails")
    weights.nth(2).fill("heavy")
    assert _status(page, "balls.weight") == "words"
    weights.nth(2).fill("210")
    assert _status(page, "balls.weight") == "passes"
    yes = page.locator("fieldset.question input[type=radio][value=true]").first
    yes.check()
    page.get_by_label("Rules", exact=True).select_option("FIBiS-2022")
    expect(page).to_have_url(f"{demo_server.url}/equipment?rules=FIBiS-2022")
    expect(page.get_by_label("Site")).to_have_value("Circolo <b>Primavera</b>")
    assert [one.input_value() for one in weights.all()] == ["210", "211,5", "210"]
    expect(page.locator("fieldset.question input[type=radio]:checked[value=true]")).to_have_count(1)
    assert _status(page, "balls.weight") == "passes"
    with page.expect_download() as printed:
        page.get_by_role("button", name="The report as PDF").click()
    printed.value.save_as(tmp_path / "report.pdf")
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF-")
    page.get_by_role("button", name="Clear the form").click()
    expect(weights.first).to_have_value("210")
    page.get_by_role("button", name="Yes, clear it").click()
    expect(weights.first).to_have_value("")
    page.reload()
    expect(weights.first).to_have_value("")
    expect(page.get_by_label("Rules", exact=True)).to_have_value("FIBiS-2022")
