"""What the lab opens with and what is taken along from it: the guess, pages that are shared, pictures."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, Request, expect

from test_web_browser import HACK, ROOT, Visit, axe, lab  # noqa: F401  # the fixture

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


@dataclass(frozen=True)
class Kind:
    """A page of the lab: where it is, what shows that it is there, and what its file is called."""

    place: str
    there: str
    file: str
    heading: str
    example: str = ""  # of the Data panel: the button that is pressed


KINDS = {
    "start": Kind("#start?said=b", ".guesser svg", "informed-start", "Accuracy rewards guessing"),
    "table": Kind(
        f"#table?t=5,1,0;2,6,1;0,1,4&l=cat,{HACK.replace('=', '%3D').replace(' ', '%20')},fox",
        ".measures td b",
        "informed-table",
        "The plane",
    ),
    "threshold": Kind("#threshold?abstain=0.3", ".measures td b", "informed-threshold", "Where to draw the line"),
    "monte": Kind(
        "#monte?replicates=20&n=32&levels=0:1:0.5", ".series", "informed-monte", "Tables whose truth is known"
    ),
    "figure": Kind("#monte?figure=iccs-1", ".downloads", "iccs-1-monte", "The spreadsheet of 2003"),
    "learn": Kind("#learn?step=2&said=1", ".measures td b", "informed-learn", "Informedness is a bet"),
    "report": Kind(
        "#data",
        ".found .lead",
        "report-of-tree-on-breast-cancer-csv-data",
        "breast-cancer.csv",
        "Is the lump malignant?",
    ),
    "comparison": Kind(
        "#data",
        ".board .lead",
        "reviews-new-and-reviews-old-on-the-same-items-reviews-csv-reviews-new-csv-reviews-old-csv-data",
        "The systems, compared",
        "Reviews, the old and the new system",
    ),
}
TEXTS = ".lead, .measures td b, .standing td, .monte tbody td"


@dataclass
class Shared:
    """What was seen of each kind of page in the lab, the file that it became, and its pictures."""

    texts: dict[str, list[str]]
    files: dict[str, Path]
    pictures: dict[str, list[Path]]  # all of it as SVG, the first as PNG


@pytest.fixture(scope="module")
def shared(browser: Browser, lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Shared:  # noqa: F811
    """Every kind of page, shared on one visit."""
    made, asked = Shared({}, {}, {}), set[Request]()
    with Visit(browser, lab) as visit:
        visit.page.on("request", lambda request: asked.add(request))  # Playwright takes no method of a set
        visit.page.on("requestfinished", lambda request: asked.discard(request))
        visit.page.on("requestfailed", lambda request: asked.discard(request))
        for name, kind in KINDS.items():
            page, to = visit.to(kind.place), tmp_path_factory.mktemp(name)
            if kind.example:
                page.get_by_role("button", name=kind.example).click()
            page.wait_for_selector(kind.there, timeout=60_000)
            settled(page, asked)
            if name == "threshold":
                expect(page.locator(".measures td b").first).to_have_text("0.521")  # of the example, not of its start
            if name == "monte":
                expect(page.locator(".progress")).to_have_text("60 of 60 tables", timeout=60_000)
            if name == "report":
                expect(page.locator(".preview")).to_contain_text("0.945003")
                expect(page.get_by_label("Positive class")).to_have_value("malignant")
            made.texts[name] = page.locator(TEXTS).all_inner_texts()
            made.files[name] = downloaded(page, "Share this page", to)
            made.pictures[name] = [taken(picture, "SVG", to) for picture in page.locator(".picture").all()]
            made.pictures[name] += [taken(page.locator(".picture").first, "PNG", to)] if made.pictures[name] else []
            if name == "report":
                visit.to("#start")  # else the panel of the next would show this one

        visit.to("#learn")
        given = page.evaluate_handle(
            """(text) => {
              const data = new DataTransfer();
              data.items.add(new File([text], "informed-table.html", { type: "text/html" }));
              return data;
            }""",
            made.files["table"].read_text(encoding="utf-8"),
        )
        page.dispatch_event("body", "drop", {"dataTransfer": given})
        expect(page.get_by_label("Said cat, really cat")).to_have_value("5")  # the lab takes it back
    return made


def settled(page: Page, asked: set[Request]) -> None:
    """Wait until nothing is still being counted: nothing was asked for a while, and all is answered."""
    calm, end = 0, time.monotonic() + 60
    while calm < 4:
        page.wait_for_timeout(50)
        calm = 0 if asked else calm + 1
        assert time.monotonic() < end, [request.url for request in asked]


def taken(picture: Locator, kind: str, to: Path) -> Path:
    with picture.page.expect_download() as found:
        picture.get_by_role("button", name=f"as {kind}").click()
    path = to / found.value.suggested_filename
    found.value.save_as(path)
    return path


@pytest.fixture(scope="module")
def alone(browser: Browser) -> Iterator[Page]:
    """A page that reaches nobody."""
    context = browser.new_context(offline=True, reduced_motion="reduce")  # colours are there at once
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", KINDS)
def test_a_shared_page_is_whole_without_a_network_in_light_in_dark_and_on_a_phone(
    alone: Page, shared: Shared, name: str
) -> None:
    path, asked = shared.files[name], []
    assert path.name == f"{KINDS[name].file}.html"
    listening: list[tuple[Any, Any]] = [
        ("request", lambda request: asked.append(request.url)),
        ("console", lambda message: asked.append(message.text)),
        ("pageerror", lambda error: asked.append(str(error))),
    ]
    for event, on in listening:
        alone.on(event, on)
    alone.set_viewport_size({"width": 1280, "height": 900})
    alone.emulate_media(color_scheme="light")
    alone.goto(path.as_uri())
    expect(alone.get_by_role("heading", name=KINDS[name].heading).first).to_be_visible()
    assert alone.locator(TEXTS).all_inner_texts() == shared.texts[name]
    assert alone.locator("button, script").count() == 0
    assert alone.locator("svg, img.drawing, iframe").count() > 0
    assert alone.evaluate("window.hacked") is None
    assert axe(alone) == []

    alone.emulate_media(color_scheme="dark")
    assert axe(alone, "color-contrast") == []
    alone.set_viewport_size({"width": 390, "height": 844})
    assert alone.evaluate("document.documentElement.scrollWidth") <= 390
    assert axe(alone, "scrollable-region-focusable", "target-size") == []  # what its width changes
    assert [x for x in asked if x != "about:srcdoc" and not x.startswith("data:")] == [path.as_uri()]
    if name == "report":
        assert "0.945003" not in path.read_text(encoding="utf-8")  # no row of the data
        report = alone.frame_locator("iframe")
        expect(report.get_by_role("heading", level=1)).to_contain_text("breast-cancer.csv")
        expect(report.locator("svg").first).to_be_visible()
    for event, on in listening:
        alone.remove_listener(event, on)


# ---------------------------------------------------------------------- pictures


@pytest.mark.parametrize("name", [name for name in KINDS if name != "report"])
def test_every_picture_can_be_taken_along(shared: Shared, name: str) -> None:
    stem = KINDS[name].file.rpartition("-")[0]
    *drawn, png = shared.pictures[name]
    assert all(path.name.startswith(f"{stem}-") for path in (*drawn, png))
    roots = [ElementTree.parse(path).getroot() for path in drawn]
    assert {root.tag for root in roots} == {"{http://www.w3.org/2000/svg}svg"}
    with Image.open(png) as image:
        assert image.size == tuple(round(2 * float(roots[0].attrib[x])) for x in ("width", "height"))
        assert len(set(image.convert("L").tobytes())) > 20  # something is drawn
    if name == "table":
        assert drawn[0].stem == "informed-roc-plane"
        assert "equal cost" in "".join(roots[0].itertext())  # the legend comes along
        assert "var(" not in drawn[0].read_text(encoding="utf-8")
