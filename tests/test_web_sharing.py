"""What the lab opens with and what is taken along from it: the guess, pages that are shared, pictures."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from matplotlib.image import imread
from playwright.sync_api import Browser, Page, expect

from test_web_browser import HACK, ROOT, THREE, Visit, axe, lab  # noqa: F401  # the fixture

pytestmark = pytest.mark.xdist_group("browser")

Lab = str


def downloaded(page: Page, name: str, to: Path) -> Path:
    with page.expect_download() as found:
        page.get_by_role("button", name=name).first.click()
    path = to / found.value.suggested_filename
    found.value.save_as(path)
    return path


# ---------------------------------------------------------------------- the first page


def test_the_lab_asks_first_and_then_lets_one_be_the_guesser(browser: Browser, lab: Lab) -> None:  # noqa: F811
    with Visit(browser, lab, at="#start") as visit:
        page = visit.page
        expect(page.get_by_role("heading", level=1)).to_have_text("Accuracy rewards guessing")
        expect(page.locator(".big").first).to_have_text("right 98 % of the time")
        assert page.locator(".meter, .guesser").count() == 0  # nothing is told before the guess
        page.get_by_role("button", name="Test A").click()
        expect(page.locator(".told")).to_be_focused()
        expect(page.locator(".told")).to_contain_text("the other way round")
        expect(page.locator(".rival").nth(0).locator(".meter b")).to_have_text(["0.98", "0.00"])
        expect(page.locator(".rival").nth(1).locator(".meter b")).to_have_text(["0.90", "0.80"])
        expect(page.locator(".verdict")).to_contain_text("Right 50 % of the time, informed 0 %")
        says = page.get_by_label("it says “ill” this often")
        says.press("Home")
        expect(page.locator(".verdict")).to_contain_text("Right 98 % of the time, informed 0 %")
        box = page.locator(".catch").bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"], box["y"] + 20)  # the picture can be dragged, too
        expect(page.locator(".verdict")).to_contain_text("Right 2 % of the time, informed 0 %")
        page.get_by_label("It knows the answer this often").fill("0.3")
        expect(page.locator(".verdict")).to_contain_text("informed 30 %")
        expect(page).to_have_url(re.compile(r"#start\?said=a&says=1&knows=0.3"))
        page.reload()
        expect(page.locator(".verdict")).to_contain_text("informed 30 %")


def test_a_busy_lab_is_asked_again_and_the_page_says_so(browser: Browser, lab: Lab) -> None:  # noqa: F811
    with Visit(browser, lab, at="#start") as visit:
        page = visit.page
        visit.expected = ("Failed to load resource: the server responded with a status of 503",)
        away = {"status": 503, "headers": {"Retry-After": "1"}, "json": {"error": "Too many ask."}}
        page.route("**/api/table", lambda route: route.fulfill(**away), times=1)
        visit.to("#table")
        expect(page.get_by_role("status").filter(has_text="asked again by itself")).to_be_visible()
        expect(page.locator(".measures td b").first).to_be_visible()
        expect(page.get_by_text("asked again by itself")).to_have_count(0)
        page.route("**/api/upload*", lambda route: route.fulfill(**away), times=1)
        visit.to("#data")
        page.get_by_label("Choose files").set_input_files(ROOT / "examples" / "digits.csv")
        expect(page.get_by_role("status").filter(has_text="digits.csv is sent again by itself")).to_be_visible()
        expect(page.get_by_role("heading", name="digits.csv: which columns?")).to_be_visible(timeout=20_000)


# ---------------------------------------------------------------------- pages that are shared


SHARED = {
    "start": ("#start?said=b", "Accuracy rewards guessing", "light", 1280),
    "table": (f"#table?t=5,1;2,6&l=cat,{HACK.replace('=', '%3D').replace(' ', '%20')}", "The plane", "dark", 390),
    "threshold": ("#threshold?abstain=0.3", "Where to draw the line", "dark", 1280),
    "learn": ("#learn?step=2&said=1", "Informedness is a bet", "light", 390),
}


def alone(browser: Browser, path: Path, allowed: tuple[str, ...] = (), **how: Any) -> Page:
    """A page of the disk in a browser that reaches nobody."""
    context = browser.new_context(offline=True, **how)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: asked.append(message.text))
    page.on("pageerror", lambda error: asked.append(str(error)))
    page.goto(path.as_uri())
    assert [x for x in asked if x not in allowed] == [path.as_uri()]
    return page


def test_a_shared_page_is_whole_without_a_network_and_the_lab_takes_it_back(
    browser: Browser,
    lab: Lab,  # noqa: F811
    tmp_path: Path,
) -> None:
    with Visit(browser, lab) as visit:
        for name, (place, heading, scheme, width) in SHARED.items():
            page = visit.to(place)
            page.wait_for_selector(".measures, .series, .guesser svg")
            page.wait_for_load_state("networkidle")  # nothing is still being counted
            if name == "threshold":
                expect(page.locator(".measures td b").first).to_have_text("0.521")  # of the example, not of its start
            texts = page.locator(".lead, .measures td b").all_inner_texts()
            path = downloaded(page, "Share this page", tmp_path)
            assert path.name == f"informed-{name}.html"
            held = alone(browser, path, color_scheme=scheme, viewport={"width": width, "height": 800})
            expect(held.get_by_role("heading", name=heading).first).to_be_visible()
            assert held.locator(".lead, .measures td b").all_inner_texts() == texts
            assert held.locator("button, script").count() == 0
            assert held.locator("svg").count() > 0
            assert held.evaluate("window.hacked") is None
            assert held.evaluate("document.documentElement.scrollWidth") <= width
            assert axe(held) == [], name
            held.context.close()

        visit.to("#learn")
        given = page.evaluate_handle(
            """(text) => {
              const data = new DataTransfer();
              data.items.add(new File([text], "informed-table.html", { type: "text/html" }));
              return data;
            }""",
            (tmp_path / "informed-table.html").read_text(encoding="utf-8"),
        )
        page.dispatch_event("body", "drop", {"dataTransfer": given})
        expect(page.get_by_label("Said cat, really cat")).to_have_value("5")


def test_an_example_becomes_a_report_that_is_shared_without_its_rows(
    browser: Browser,
    lab: Lab,  # noqa: F811
    tmp_path: Path,
) -> None:
    with Visit(browser, lab, at="#data") as visit:
        page = visit.page
        page.get_by_role("button", name="Is the lump malignant?").click()
        expect(page.locator(".found .lead")).to_contain_text("84 %", timeout=30_000)
        expect(page.locator(".preview")).to_contain_text("0.945003")
        expect(page.get_by_label("Positive class")).to_have_value("malignant")
        assert axe(page) == []
        path = downloaded(page, "Share this page", tmp_path)
    assert path.name == "report-of-tree-on-breast-cancer-csv-data.html"
    text = path.read_text(encoding="utf-8")
    assert "0.945003" not in text  # no row of the data
    held = alone(browser, path, allowed=("about:srcdoc",), viewport={"width": 390, "height": 800}, color_scheme="dark")
    expect(held.locator(".found .lead")).to_contain_text("84 %")
    report = held.frame_locator("iframe")
    expect(report.get_by_role("heading", level=1)).to_contain_text("breast-cancer.csv")
    expect(report.locator("svg").first).to_be_visible()
    assert held.evaluate("document.documentElement.scrollWidth") <= 390
    assert axe(held) == []
    held.context.close()


# ---------------------------------------------------------------------- pictures


@pytest.mark.parametrize("place", [THREE, "#threshold", "#start?said=a", "#monte?figure=iccs-1"])
def test_every_picture_can_be_taken_along(browser: Browser, lab: Lab, tmp_path: Path, place: str) -> None:  # noqa: F811
    with Visit(browser, lab) as visit:
        page = visit.to(place)
        page.wait_for_selector(".picture svg, .picture img", timeout=20_000)
        pictures = page.locator(".picture")
        for picture in pictures.all():
            sizes = {}
            for kind in ("SVG", "PNG"):
                with page.expect_download() as found:
                    picture.get_by_role("button", name=f"as {kind}").click()
                sizes[kind] = tmp_path / found.value.suggested_filename
                found.value.save_as(sizes[kind])
            root = ElementTree.parse(sizes["SVG"]).getroot()
            assert root.tag == "{http://www.w3.org/2000/svg}svg"
            wide, tall = (float(root.attrib[x]) for x in ("width", "height"))
            image = imread(sizes["PNG"])
            assert image.shape[:2] == (round(2 * tall), round(2 * wide))
            assert image[..., :3].std() > 0.02  # something is drawn
        if place == THREE:
            said = "".join(ElementTree.parse(tmp_path / "informed-roc-plane.svg").getroot().itertext())
            assert "equal cost" in said  # the legend comes along
            assert "var(" not in (tmp_path / "informed-roc-plane.svg").read_text(encoding="utf-8")
