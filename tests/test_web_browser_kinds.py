"""The Watch panel, and files that are more than a table, in a real browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from test_web_browser import HACK, ROOT, Visit, axe, lab  # noqa: F401  # the fixture
from test_web_kinds import FILMS, RAIN, RUN
from test_web_sharing import downloaded

pytestmark = pytest.mark.xdist_group("browser")

Lab = str
SLOW = 20_000  # milliseconds for work on a file


def button(page: Page, name: str) -> Any:
    return page.get_by_role("button", name=name, exact=True)


# ---------------------------------------------------------------------- the Watch panel


def test_a_run_is_watched(browser: Browser, lab: Lab) -> None:  # noqa: F811
    with Visit(browser, lab) as visit:
        page = visit.page
        page.get_by_role("link", name="Watch").click()
        said = page.locator(".watch .lead")
        expect(said).to_contain_text(re.compile(r"After [2-9] cases he has"))  # it goes on by itself
        button(page, "Pause").click()
        expect(button(page, "Go on")).to_be_visible()
        page.emulate_media(reduced_motion="reduce")  # nothing moves by itself
        page.reload()
        expect(said).to_contain_text("After 1 case he has")
        button(page, "One look").click()
        expect(said).to_contain_text("After 2 cases he has")
        button(page, "To the end").click()
        expect(said).to_contain_text("After 1 000 cases he has more than a million")
        expect(page.locator(".verdicts")).to_contain_text(re.compile(r"had 20 after \d+ cases: it knows something"))
        expect(button(page, "One look")).to_be_disabled()
        button(page, "Another run").click()
        expect(page).to_have_url(re.compile(r"#watch\?seed=2$"))
        expect(said).to_contain_text("After 1 case he has")

        page.get_by_label("What the system knows").select_option("0")
        page.get_by_label("The positive class is").select_option("0.2")
        page.get_by_label("Declared beforehand").select_option("0.3")
        expect(page).to_have_url(re.compile(r"#watch\?knows=0&prevalence=0.2&expect=0.3&seed=2$"))
        button(page, "To the end").click()
        before = said.inner_text()
        page.reload()  # the address holds the run
        expect(page.get_by_label("What the system knows")).to_have_value("0")
        button(page, "To the end").click()
        expect(said).to_have_text(before)
        button(page, "20 runs at once").click()
        expect(page.locator(".tally .note")).to_contain_text("Of 20 runs", timeout=SLOW)
        expect(page.locator(".tally .note")).to_contain_text("Every one of them is a false alarm.")
        page.go_back()
        expect(page.get_by_label("Declared beforehand")).to_have_value("")


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_nothing_of_it_is_hard_to_read(browser: Browser, lab: Lab, scheme: str, width: int) -> None:  # noqa: F811
    with Visit(browser, lab, width, scheme) as visit:
        page = visit.page
        page.emulate_media(reduced_motion="reduce")
        for place in ("#watch", "#watch?knows=0&seed=4"):
            visit.to(place)
            page.wait_for_selector(".watched")
            button(page, "To the end").click()
            assert axe(page) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_watched_run_is_shared(browser: Browser, lab: Lab, tmp_path: Path) -> None:  # noqa: F811
    with Visit(browser, lab) as visit:
        page = visit.page
        page.emulate_media(reduced_motion="reduce")
        visit.to("#watch?knows=0.5&seed=7")
        page.wait_for_selector(".watched")
        button(page, "To the end").click()
        said = page.locator(".watch .lead").inner_text()
        path = downloaded(page, "Share this page", tmp_path)
        assert path.name == "informed-watch.html"

    context = browser.new_context(offline=True, viewport={"width": 390, "height": 844}, color_scheme="dark")
    alone = context.new_page()
    alone.emulate_media(reduced_motion="reduce")
    alone.goto(path.as_uri())
    expect(alone.locator(".lead").first).to_have_text(said)
    expect(alone.locator("svg.watched, img.drawing").first).to_be_visible()
    assert alone.locator("button, script").count() == 0
    assert alone.evaluate("document.documentElement.scrollWidth") <= 390
    assert axe(alone) == []
    context.close()


# ---------------------------------------------------------------------- files of other kinds


def given(page: Page, name: str, text: str) -> None:
    """Choose a file with this content, and wait until the form is filled."""
    page.get_by_label("Choose files").set_input_files({"name": name, "mimeType": "text/csv", "buffer": text.encode()})
    expect(page.get_by_role("heading", name=f"{name}: which columns?")).to_be_visible(timeout=SLOW)


def answered(page: Page, press: str, heading: str | re.Pattern[str]) -> str:
    """Press the button; what is said first, after the page in the frame and the downloads are there."""
    button(page, press).click()
    lead = page.locator(".found .lead")
    expect(lead).to_be_visible(timeout=SLOW)
    expect(page.frame_locator("iframe").get_by_role("heading", level=1)).to_contain_text(heading)
    expect(page.frame_locator("iframe").locator("svg").first).to_be_visible()
    with page.expect_download() as found:
        page.get_by_role("link", name="JSON", exact=True).click()
    assert Path(found.value.path()).read_text(encoding="utf-8").startswith("{")
    return lead.inner_text()


def test_tags_are_recognised_and_the_radio_goes_back_and_forth(browser: Browser, lab: Lab) -> None:  # noqa: F811
    with Visit(browser, lab) as visit:
        page = visit.to("#data")
        given(page, "films.csv", FILMS)
        expect(page.get_by_label("several labels a case")).to_be_checked()
        expect(page.get_by_label("Real tags")).to_have_value("genre")
        expect(page.locator(".rivals input:checked")).to_have_count(2)

        page.get_by_label("a judge's verdicts").check()
        expect(page.get_by_label("What the judge said")).to_have_value("")
        expect(button(page, "Find the true rate")).to_be_disabled()
        page.get_by_label("compare systems").check()
        expect(button(page, "Compare the systems")).to_be_disabled()
        expect(page.locator(".preview th.used")).to_have_count(0)  # nothing of the tags is left
        page.get_by_label("a run, watched").check()
        page.get_by_label("a report of one system").check()
        expect(page.get_by_label("Real classes")).to_have_value("")
        expect(page.locator(".preview th.used")).to_have_text(["answerpredictions"])  # as its name says
        page.get_by_label("several labels a case").check()
        expect(page.get_by_label("Real tags")).to_have_value("genre")
        expect(page.locator(".rivals input:checked")).to_have_count(2)
        assert axe(page) == []

        page.get_by_label("other", exact=True).uncheck()
        assert "30 items, 4 labels" in answered(page, "Make the report", "films.csv")
        expect(page).to_have_url(re.compile("as=tags"))


def test_probabilities_are_recognised(browser: Browser, lab: Lab) -> None:  # noqa: F811
    with Visit(browser, lab) as visit:
        page = visit.to("#data")
        given(page, "rain.csv", RAIN)
        expect(page.get_by_label("probabilities", exact=True)).to_be_checked()
        expect(page.get_by_label("Real classes")).to_have_value("rain")
        page.get_by_label("Class that they are of").select_option("yes")
        said = answered(page, "What are they worth?", "Probabilities on the same cases")
        assert "log skill" in said
        assert "model" in said


def test_the_example_of_a_judge(browser: Browser, lab: Lab) -> None:  # noqa: F811
    with Visit(browser, lab) as visit:
        page = visit.to("#data")
        page.get_by_role("button", name="Answers graded by a judge").click()
        lead = page.locator(".found .lead")
        expect(lead).to_be_visible(timeout=SLOW)
        expect(lead).to_contain_text("good")
        expect(page.get_by_label("a judge's verdicts")).to_be_checked()
        gold = page.get_by_label("What people found (blank")
        expect(gold).to_have_value("human")
        page.get_by_label("answers, of which people verified some").check()
        expect(gold).to_have_value("human")
        expect(page.get_by_label("What a judge said")).to_have_value("judge")
        page.get_by_label("a judge's verdicts").check()
        expect(page.get_by_label("Whose rate")).to_have_value("good")


def test_a_file_of_ones_own_is_watched(browser: Browser, lab: Lab) -> None:  # noqa: F811
    with Visit(browser, lab) as visit:
        page = visit.to("#data")
        given(page, "run.csv", RUN)
        page.get_by_label("a run, watched").check()
        expect(page.get_by_label("Real classes")).to_have_value("real")
        page.get_by_label("Predictions", exact=True).select_option("new")
        page.get_by_label("The bar").fill("0.2")
        assert axe(page) == []
        said = answered(page, "Watch it", "A watched run")
        assert "0.2" in said
        expect(page).to_have_url(re.compile("as=watch.*against=0.2"))
        page.go_back()
        expect(page.locator(".found")).to_have_count(0)
        page.go_forward()  # the address holds the question
        expect(page.locator(".found .lead")).to_have_text(said, timeout=SLOW)
        expect(page.get_by_label("The bar")).to_have_value("0.2")


def test_labels_are_ordered_in_the_form(browser: Browser, lab: Lab) -> None:  # noqa: F811
    with Visit(browser, lab) as visit:
        page = visit.to("#data")
        page.get_by_role("button", name="How urgent is the call?").click()
        misses = page.frame_locator("iframe").get_by_role("heading", name="Near and far misses")
        expect(misses).to_be_attached(timeout=SLOW)
        order = page.get_by_label("Order of the labels")
        expect(order).to_have_value("none, low, high, acute")
        order.fill("")
        order.press_sequentially("none, low")  # a comma is not taken away while one types
        expect(order).to_have_value("none, low")
        button(page, "Make the report").click()
        expect(page.get_by_role("alert").filter(has_text="“Order of the labels”")).to_be_visible(timeout=SLOW)


def test_hostile_names_and_labels_stay_data(browser: Browser, lab: Lab) -> None:  # noqa: F811
    quoted = '"' + HACK.replace('"', '""') + '"'
    column = HACK.replace('"', "'")
    rows = f"{quoted};b,{quoted}\nb,{quoted};b\n{quoted},b\nb,b\n".replace(f"{quoted};b", quoted[:-1] + ';b"')
    with Visit(browser, lab) as visit:
        page = visit.to("#data")
        given(page, "<b>x<b>.csv", f"tags,{column}\n" + rows * 10)
        expect(page.get_by_label("several labels a case")).to_be_checked()
        answered(page, "Make the report", "<b>x<b>.csv")
        page.get_by_label("a run, watched").check()
        page.get_by_label("Real classes").select_option("tags")
        page.get_by_label("Predictions", exact=True).select_option(column)
        expect(page.get_by_label("Classes, where there are more than two")).to_be_visible()
        assert page.locator("img, .data b:text-is('x')").count() == 0
        assert page.evaluate("window.hacked") is None
        assert page.frames[1].evaluate("window.hacked") is None
