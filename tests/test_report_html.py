"""The page in a real browser: no network, no violations, light and dark, desktop and phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

import informed
from informed import Table
from informed.documents.document import Document as Made

AXE = Path(__file__).parent / "browser" / "node_modules" / "axe-core" / "axe.min.js"
NASTY = ["<script>window.hacked=1</script>", '"><img src=x onerror="window.hacked=1">', "שלום", "\n"]
WIDTHS = {"desktop": 1280, "phone": 390}


def scores() -> Any:
    rng = np.random.default_rng(11)
    real = rng.integers(0, 2, 80)
    return informed.roc(real=real, score=real + rng.normal(0, 1, 80).round(1))


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Pages on disk, as a reader opens them."""
    rng = np.random.default_rng(3)
    ten = rng.poisson(3, (10, 10)) + np.diag(np.arange(5, 55, 5))
    curve = scores()
    tables: dict[str, tuple[Table, dict[str, Any]]] = {
        "two": (
            Table.from_counts([[56, 20], [12, 12]]),
            {"prevalence": 0.1, "cost": "5:1", "tests": "all", "command": "informed table"},
        ),
        "ten": (Table.from_counts(ten, rows="predicted"), {}),
        "groups": (
            Table.from_counts(
                rng.poisson([[30, 9, 3], [5, 20, 4], [4, 2, 9]], (5, 3, 3)),
                names=["north", "east", "south", "west", "<b>centre</b>"],
            ),
            {},
        ),
        "nasty": (Table.from_counts(np.eye(4) * 9 + 2, labels=NASTY), {"title": NASTY[1]}),
        "scored": (curve.table_at(0.5), {"scores": curve}),
        "many": (Table.from_counts(rng.poisson(0.2, (45, 45)) + np.eye(45) * 20), {}),
    }
    folder = tmp_path_factory.mktemp("pages")
    found = {}
    for name, (t, how) in tables.items():
        path = informed.report(t, **how).save(folder / f"{name}.html")
        found[name] = path.as_uri()
    path = board_page().save(folder / "board.html")
    return {**found, "board": path.as_uri()}


def board_page() -> Made:
    """A leaderboard with everything under it, of systems whose names are hostile."""
    rng = np.random.default_rng(8)
    real = rng.integers(0, 2, 240)
    answers = {
        name: np.where(rng.random(240) < skill, real, 1 - real).astype(object)
        for name, skill in zip([*NASTY, "a name that goes on and on " * 3], (0.9, 0.85, 0.6, 0.5, 0.8), strict=True)
    }
    answers[NASTY[0]][:30] = None
    board = informed.leaderboard(real=real, predictions=answers, baseline=NASTY[1], missing="abstain")
    t = Table.from_counts(rng.poisson(9, (5, 8, 2, 2)) + 5 * np.eye(2), names=[[*answers], None])
    made = informed.report(board).and_(informed.report(informed.folds(t, test_share=0.1)), "folds")
    made = made.and_(informed.report(informed.slices(t), name=NASTY[1], key="by-"), "slices")
    pair = informed.compare.paired(
        real=real, a=answers[NASTY[0]], b=answers[NASTY[1]], names=(NASTY[0], NASTY[1]), missing="abstain"
    )
    return made.and_(informed.report(pair, margin=0.1, key="pair-"), "pair")


def opened(browser: Browser, url: str, width: int = 1280, scheme: str = "light") -> Page:
    """A page on which nothing complains and nothing is asked of any network."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]  # it is one of its literals
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda r: None if r.url == url else complaints.append(f"asks for {r.url}"))
    page.goto(url)
    assert not complaints
    return page


@pytest.mark.parametrize(
    ("name", "scheme"),
    [
        ("two", "light"),
        ("two", "dark"),
        ("groups", "dark"),
        ("nasty", "light"),
        ("many", "light"),
        ("scored", "light"),
        ("board", "light"),
        ("board", "dark"),
    ],
)
def test_no_violation_of_any_accessibility_rule(
    browser: Browser, pages: dict[str, str], name: str, scheme: str
) -> None:
    page = opened(browser, pages[name], scheme=scheme)
    page.evaluate(
        "for (const part of document.querySelectorAll('details')) part.open = "
        "!part.classList.contains('group') || part.id.endsWith('-0')"
    )
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run({resultTypes: ['violations']})")
    assert len(found["passes"]) > 15  # it did look
    assert [(v["id"], v["nodes"][0]["html"], v["nodes"][0]["failureSummary"]) for v in found["violations"]] == []
    page.close()


@pytest.mark.parametrize("name", ["two", "ten", "groups", "nasty", "board"])
def test_a_phone_scrolls_only_down(browser: Browser, pages: dict[str, str], name: str) -> None:
    page = opened(browser, pages[name], WIDTHS["phone"])
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTHS["phone"]
    page.close()


def test_dark_is_dark_and_print_is_light(browser: Browser, pages: dict[str, str]) -> None:
    page = opened(browser, pages["two"], scheme="dark")
    paper = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(paper) == "rgb(18, 23, 30)"
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(paper) == "rgb(255, 255, 255)"
    assert not page.locator("nav").is_visible()
    page.close()


def test_names_of_systems_do_not_run(browser: Browser, pages: dict[str, str]) -> None:
    page = opened(browser, pages["board"])
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0
    assert page.locator("svg.chart").count() >= 8
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))
    page.close()


def test_labels_do_not_run(browser: Browser, pages: dict[str, str]) -> None:
    page = opened(browser, pages["nasty"])
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0
    assert page.get_by_role("heading", level=1).inner_text().lower() == NASTY[1].lower()
    page.close()


def test_the_policy_forbids_other_scripts_and_styles(browser: Browser, pages: dict[str, str]) -> None:
    page = opened(browser, pages["two"])
    page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.hacked = 1";
          document.body.append(script);
          document.querySelector("h1").setAttribute("style", "color: rgb(1, 2, 3)");
        }"""
    )
    assert page.evaluate("window.hacked") is None
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).color") != "rgb(1, 2, 3)"
    page.close()


def test_the_slider_moves_by_keyboard_and_says_the_numbers(browser: Browser, pages: dict[str, str]) -> None:
    t = Table.from_counts([[56, 20], [12, 12]])
    page = opened(browser, pages["two"])
    slider = page.locator("input[type=range]").first
    slider.focus()
    slider.press("Home")
    slider.press("ArrowRight")
    slider.press("ArrowRight")  # the third of its steps is 1 %
    assert page.locator(".slider label output").first.inner_text() == "1 %"
    precision = informed.precision(t.at_prevalence(0.01))
    assert page.locator(".readout output").first.inner_text() == f"{precision:.3f}"
    cursor = page.locator("line.cursor").first.get_attribute("x1")
    assert float(cursor or 0) == pytest.approx(460 * 0.01)
    page.close()


def test_the_slider_over_thresholds_shows_the_table_at_each(browser: Browser, pages: dict[str, str]) -> None:
    page = opened(browser, pages["scored"])
    slider = page.locator("#threshold input[type=range]").first
    slider.focus()
    slider.press("ArrowRight")
    at = float(page.locator("#threshold .slider label output").first.inner_text())
    there = scores().table_at(at)
    shown = page.locator("#threshold .readout output").first.inner_text()
    assert shown == f"{informed.informedness(there):.3f}"
    counts = page.locator("#threshold .slider table output, #threshold .slider td output")
    held = [int(x) for x in counts.all_inner_texts()]
    assert held == there.counts.astype(int).ravel().tolist()
    page.close()


def test_tables_sort(browser: Browser, pages: dict[str, str]) -> None:
    page = opened(browser, pages["ten"])
    table = page.locator("table[data-sort]").first
    table.get_by_role("button", name="cases").click()
    shown = [float(x) for x in table.locator("tbody tr td:nth-child(2)").all_inner_texts()]
    assert shown == sorted(shown, reverse=True)
    assert len(shown) == 10
    table.get_by_role("button", name="cases").press("Enter")
    again = [float(x) for x in table.locator("tbody tr td:nth-child(2)").all_inner_texts()]
    assert again == sorted(shown)
    assert table.locator("th[aria-sort=ascending]").count() == 1
    page.close()


def test_tooltips_say_what_is_under_the_pointer(browser: Browser, pages: dict[str, str]) -> None:
    page = opened(browser, pages["two"])
    page.locator("rect[data-tip]").first.hover()
    assert page.locator("#tip").inner_text() == ("predicted +, really +: 56 cases, 51.7 by chance (+4.3)")
    page.keyboard.press("Escape")
    assert not page.locator("#tip").is_visible()
    page.close()


def test_every_picture_has_a_title_and_a_description(browser: Browser, pages: dict[str, str]) -> None:
    page = opened(browser, pages["groups"])
    pictures = page.locator("svg[role=img]")
    assert pictures.count() >= 8
    for picture in pictures.all():
        for part in (picture.get_attribute("aria-labelledby") or "").split():
            assert page.locator(f"#{part}").count() == 1
            assert page.locator(f"#{part}").text_content()
    page.close()


def test_without_script_everything_is_there(browser: Browser, pages: dict[str, str]) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(pages["ten"])
    assert page.get_by_role("heading", name="Class by class").is_visible()
    assert page.locator("svg.heat").first.is_visible()
    context.close()
