"""The lab in a real browser, driven as a person would: mouse, keyboard, phone, light and dark."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import informed
from command_line import PACKAGES
from informed import Table
from informed.papers.figures import reproduce, to_png
from informed.web.curves import example
from test_report_html import AXE

pytestmark = pytest.mark.xdist_group("browser")

ROOT = Path(__file__).parents[1]
THREE = "#table?t=50,3,2;4,45,6;1,7,32&l=cat,dog,fox"
HACK = '<img src=x onerror="window.hacked=1">'


@contextmanager
def running(*words: str) -> Iterator[str]:
    """The address of a lab that runs as a person runs it."""
    command = [sys.executable, "-m", "informed", "lab", "--no-browser", "--port", "0", *words]
    environment = {**os.environ, "PYTHONPATH": PACKAGES, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.send_signal(signal.SIGINT)  # Ctrl+C
        assert process.wait(20) == 0


@pytest.fixture(scope="module")
def lab() -> Iterator[str]:
    with running() as address:
        yield address


class Visit:
    """A page on which nothing complains and which asks nobody but the lab."""

    def __init__(
        self, browser: Browser, lab: str, width: int = 1280, scheme: Any = "light", at: str = "#table"
    ) -> None:
        self.context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.expected: tuple[str, ...] = ()
        self.lab = lab.partition("#")[0]
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._asked)
        self.page.goto(lab)
        expect(self.page.locator("h1").first).to_be_attached(timeout=20_000)
        if self.page.url.endswith("#start"):
            self.to(at)
            expect(self.page.locator("h1").first).to_be_attached()

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.lab, "data:")):
            self.complaints.append(f"asks for {request.url}")

    def to(self, hash_: str) -> Page:
        self.page.goto(self.lab + hash_)
        return self.page

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *problem: object) -> None:
        self.context.close()
        if problem[0] is None:
            assert [x for x in self.complaints if not x.startswith(self.expected)] == []


def counts(page: Page) -> list[float]:
    return [float(x.input_value()) for x in page.locator("input[data-cell]").all()]


def value(page: Page, title: str) -> str:
    row = page.locator(".measures tbody tr").filter(has=page.get_by_role("rowheader", name=title, exact=True))
    return row.locator("td").first.inner_text()


def shown(x: float) -> str:
    return f"{x:.3f}".replace("-", "−")


# ---------------------------------------------------------------------- the table


def test_the_first_paint_is_there_within_a_second(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        visit.page.reload()
        visit.page.wait_for_selector(".measures")
        paint = visit.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        assert 0 < paint < 1000


def test_typing_updates_everything_and_the_back_button_goes_back(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        page = visit.page
        assert counts(page) == [56, 20, 12, 12]
        assert value(page, "Informedness") == "0.199"
        cell = page.get_by_label("Said +, really +")
        cell.fill("60")
        t = Table.from_counts([[60, 20], [12, 12]])
        expect(page.locator(".measures tbody tr").first).to_contain_text(shown(informed.informedness(t)))
        cell.press("Tab")
        expect(page).to_have_url(visit.lab + "#table?t=60,20;12,12")
        expect(page.locator(".lead")).to_have_text(informed.report(t).answer[0])
        page.go_back()
        expect(cell).to_have_value("56")
        expect(page).to_have_url(visit.lab + "#table?t=56,20;12,12")
        again = visit.context.new_page()  # an address can be shared
        again.goto(visit.lab + "#table?t=60,20;12,12")
        expect(again.get_by_label("Said +, really +")).to_have_value("60")


def test_plus_and_minus_keys_and_enter(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        page = visit.page
        page.get_by_label("Said +, really −").focus()
        page.keyboard.press("+")
        expect(page.get_by_label("Said +, really −")).to_have_value("21")
        page.keyboard.press("Shift+ArrowDown")
        expect(page.get_by_label("Said +, really −")).to_have_value("11")
        page.keyboard.press("Enter")
        expect(page.get_by_label("Said −, really −")).to_be_focused()
        page.keyboard.press("-")
        expect(page).to_have_url(visit.lab + "#table?t=56,11;12,11")


def paste(page: Page, text: str) -> None:
    page.get_by_label("Said +, really +").evaluate(
        """(cell, text) => {
          const data = new DataTransfer();
          data.setData("text/plain", text);
          const how = { clipboardData: data, bubbles: true, cancelable: true };
          cell.dispatchEvent(new ClipboardEvent("paste", how));
        }""",
        text,
    )


def test_a_block_of_a_spreadsheet_is_pasted_and_its_names_are_text(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        page = visit.page
        paste(page, f"\tcat\t{HACK}\tfox\ncat\t5\t1\t0\n{HACK}\t1\t6\t2\nfox\t0\t2\t7\n")
        expect(page.locator("input[data-cell]")).to_have_count(9)
        assert counts(page) == [5, 1, 0, 1, 6, 2, 0, 2, 7]
        expect(page.get_by_label("Name of class 2")).to_have_value(HACK)
        assert page.locator("img").count() == 0
        assert page.evaluate("window.hacked") is None
        expect(page).to_have_url(re.compile("l=cat,"))
        page.reload()  # the names are in the address
        expect(page.get_by_label("Name of class 2")).to_have_value(HACK)
        assert page.evaluate("window.hacked") is None


def test_a_paste_that_is_no_table_says_so(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        paste(visit.page, "1\t2\t3\n4\t5\t6")
        expect(visit.page.locator(".problem").first).to_contain_text("a table is square")
        assert counts(visit.page) == [56, 20, 12, 12]


def test_classes_are_added_up_to_twelve_and_removed(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        page = visit.page
        add = page.get_by_role("button", name="Add a class")
        for k in range(3, 13):
            add.click()
            expect(page.locator("input[data-cell]")).to_have_count(k * k)
        expect(add).to_be_disabled()
        expect(page.locator(".classes tbody tr")).to_have_count(12)
        page.get_by_role("button", name="Remove the last").click()
        expect(page.locator("input[data-cell]")).to_have_count(121)


def test_every_example_opens(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        page = visit.page
        chips = page.locator(".presets button")
        for i in range(chips.count()):
            chips.nth(i).click()
            expect(chips.nth(i)).to_have_attribute("aria-pressed", "true")
            expect(page.locator(".problem").first).to_be_empty()
        page.get_by_role("button", name="Always says yes").click()
        expect(page.locator(".measures")).to_contain_text("no case was predicted 'no'")
        assert value(page, "Informedness") == "0.000"


def drag(page: Page, fallout: float, recall: float) -> None:
    box = page.locator(".plane .paper").bounding_box()
    dot = page.locator(".point .dot").bounding_box()
    assert box is not None
    assert dot is not None
    page.mouse.move(dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2)
    page.mouse.down()
    to = (box["x"] + box["width"] * fallout, box["y"] + box["height"] * (1 - recall))
    page.mouse.move(to[0], to[1], steps=8)
    page.mouse.up()


def test_the_table_follows_the_dragged_point(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        page = visit.page
        page.locator(".plane").scroll_into_view_if_needed()
        drag(page, 0.25, 0.75)
        expect(page.get_by_label("Said +, really +")).to_have_value("51")  # of 68
        expect(page.get_by_label("Said +, really −")).to_have_value("8")  # of 32
        expect(page).to_have_url(visit.lab + "#table?t=51,8;17,24")
        expect(page.locator(".measures tbody tr").first).to_contain_text("0.500")


def test_the_point_moves_by_keys_and_says_where_it_is(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        page = visit.to("#table?t=50,50;50,50")
        point = page.get_by_role("slider", name="Point of class +")
        expect(point).to_have_attribute("aria-valuetext", re.compile("recall 0.500"))
        point.focus()
        page.keyboard.press("Shift+ArrowUp")
        expect(page.get_by_label("Said +, really +")).to_have_value("60")
        page.keyboard.press("ArrowLeft")
        expect(page.get_by_label("Said +, really −")).to_have_value("48")
        expect(point).to_have_attribute("aria-valuetext", "recall 0.600, fallout 0.480, informedness 0.120")


def test_informedness_is_kept_while_the_point_is_dragged(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        page = visit.page
        page.get_by_role("radio", name="informedness").check()
        page.locator(".plane").scroll_into_view_if_needed()
        drag(page, 0.2, 0.7)
        expect(page.get_by_label("Said +, really −")).not_to_have_value("20")
        expect(page.locator(".lead")).to_contain_text("95 % interval")
        assert value(page, "Informedness") == "0.199"
        expect(page).to_have_url(re.compile("keep=informedness"))


def test_sliders_move_the_table(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        page = visit.page
        slider = page.get_by_label("Prevalence", exact=True)
        slider.focus()
        slider.press("Home")
        expect(page.locator("output[for=prevalence]")).to_have_text("0.5 %")
        slider.fill("0.1")
        expect(page.locator("output[for=prevalence]")).to_have_text("10 %")
        t = Table.from_counts([[56, 20], [12, 12]]).at_prevalence(0.1)
        expect(page.locator(".measures")).to_contain_text(shown(informed.precision(t)))
        assert value(page, "Informedness") == "0.199"
        page.get_by_label("What a miss costs").fill("8")
        expect(page.locator("output[for=cost]")).to_have_text("5 : 1")
        expect(page).to_have_url(re.compile("cost=5:1"))


def test_a_table_from_three_ratios(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        page = visit.page
        page.get_by_role("button", name="Make the table").click()
        expect(page.get_by_label("Said +, really +")).to_have_value("16")
        assert counts(page) == [16, 24, 4, 56]
        visit.expected = ("Failed to load resource: the server responded with a status of 400",)
        page.get_by_label("Ratio 1").select_option("inverse_recall")
        page.get_by_role("button", name="Make the table").click()
        expect(page.locator(".solve .problem")).not_to_be_empty()


def test_the_pn_plane_and_another_class(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        page = visit.to(THREE)
        page.get_by_role("button", name="Look at class fox").click()
        expect(page.get_by_role("heading", name="The plane of fox")).to_be_visible()
        page.get_by_role("button", name="PN", exact=True).click()
        expect(page.locator(".plane")).to_contain_text("true positives")
        expect(page).to_have_url(re.compile("f=2&pn=1"))


def test_the_report_of_a_table_is_downloaded(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        page = visit.page
        page.get_by_role("button", name="Make the report").click()
        with page.expect_download() as found:
            page.get_by_role("link", name="JSON").click()
        text = Path(found.value.path()).read_text(encoding="utf-8")
        assert '"informedness"' in text


# ---------------------------------------------------------------------- data


def drop(page: Page, *paths: Path) -> None:
    """Drop files of the disk onto the page, as a file manager does."""
    session = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(p) for p in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        if kind == "drop":
            expect(page.locator(".drop-zone")).to_have_class(re.compile("over"))
        session.send("Input.dispatchDragEvent", {"type": kind, "x": 300, "y": 250, "data": data})


def test_a_dropped_file_becomes_a_report_and_an_example(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        page = visit.page
        page.get_by_role("link", name="Data").click()
        drop(page, ROOT / "examples" / "breast-cancer.csv")
        expect(page.get_by_label("Real classes")).to_have_value("diagnosis", timeout=20_000)  # guessed, and not `guess`
        expect(page.get_by_label("Predictions")).to_have_value("logistic")
        expect(page.locator(".preview tbody tr")).to_have_count(6)
        expect(page.locator(".preview th.used")).to_have_text(["diagnosisreal", "logisticpredictions"])
        page.get_by_label("Predictions").select_option("tree")
        page.get_by_label("Groups").select_option("fold")
        page.get_by_label("Positive class").select_option("malignant")
        page.get_by_role("button", name="Make the report").click()
        asked: Any = {"real": "diagnosis", "predicted": "tree", "positive": "malignant"}
        t = informed.read(ROOT / "examples" / "breast-cancer.csv", by="fold", **asked)
        expect(page.locator(".found .lead")).to_have_text(informed.report(t).answer[0], timeout=20_000)
        frame = page.frame_locator("iframe")
        expect(frame.get_by_role("heading", level=1)).to_contain_text("breast-cancer.csv")
        expect(frame.locator("svg").first).to_be_visible()
        assert axe(page) == []
        for name, begins in (("CSV", "group,"), ("LaTeX", "%"), ("Text", "")):
            with page.expect_download() as found:
                page.get_by_role("link", name=name, exact=True).click()
            assert Path(found.value.path()).read_text(encoding="utf-8").startswith(begins)
        page.get_by_role("link", name="Table", exact=True).click()
        page.get_by_role("button", name="Your file").click()  # it is an example now
        expect(page.locator(".note").first).to_contain_text("As counted in breast-cancer.csv")
        assert sorted(counts(page)) == sorted(t.sum().counts.ravel().tolist())


def test_the_file_of_the_command_line_is_opened(browser: Browser) -> None:
    with running(str(ROOT / "examples" / "digits.csv")) as lab, Visit(browser, lab) as visit:
        page = visit.page
        expect(page.get_by_role("heading", name="digits.csv: which columns?")).to_be_visible(timeout=20_000)
        expect(page.get_by_label("Predictions")).to_have_value("predicted")
        page.get_by_role("link", name="Table", exact=True).click()
        expect(page.get_by_role("link", name="Your file: digits.csv…")).to_be_visible()
        session = page.context.new_cdp_session(page)  # a file that misses its place
        data = {"items": [], "files": [str(ROOT / "README.md")], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            told = {"type": kind, "x": 300, "y": 250, "data": data}
            session.send("Input.dispatchDragEvent", told)
        expect(page.get_by_role("heading", name="The plane")).to_be_visible()  # it stays


def test_what_is_sent_shows_its_progress_and_can_be_stopped(browser: Browser, lab: str, tmp_path: Path) -> None:
    with Visit(browser, lab) as visit:
        page = visit.to("#data")
        big = tmp_path / "big.csv"
        big.write_bytes(b"truth,answer\n" + b"a,b\n" * (1 << 20))
        session = page.context.new_cdp_session(page)
        slow = {"offline": False, "latency": 0, "downloadThroughput": -1}
        session.send("Network.emulateNetworkConditions", {**slow, "uploadThroughput": 1 << 20})
        drop(page, big)
        expect(page.get_by_role("status")).to_have_text("Sending big.csv…")
        expect(page.locator(".doing")).to_contain_text(re.compile(r"\d+ %, .* MB of 4.0 MB"))
        page.get_by_role("button", name="Stop").click()
        expect(page.get_by_role("alert")).to_have_text("Stopped.")
        expect(page.locator("progress")).to_have_count(0)


def test_a_file_that_is_none_is_one_sentence(browser: Browser, lab: str, tmp_path: Path) -> None:
    with Visit(browser, lab) as visit:
        page = visit.to("#data")
        bad = tmp_path / "broken.parquet"
        bad.write_bytes(b"PAR1 this is no table")
        with page.expect_file_chooser() as chooser:
            page.get_by_label("Choose files").press("Space")
        chooser.value.set_files(bad)
        expect(page.get_by_role("alert")).not_to_be_empty(timeout=20_000)
        assert "Traceback" not in page.get_by_role("alert").inner_text()


def test_logs_of_marks_are_compared_by_their_scores(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        page = visit.to("#data")
        agents = sorted((ROOT / "tests/samples/cases/inspect").glob("*_agent_*"))
        page.get_by_label("Choose files").set_input_files(agents)
        expect(page.get_by_label("compare systems")).to_be_checked(timeout=20_000)
        page.get_by_role("button", name="Compare the systems").click()
        expect(page.locator(".board .lead")).to_contain_text("agent-a is better than agent-b", timeout=20_000)
        expect(page.locator(".standing thead")).to_contain_text("score")
        expect(page.locator(".standing thead")).not_to_contain_text("guessing")
        assert axe(page) == []


def test_what_a_log_holds_is_chosen_and_not_typed(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        page = visit.to("#data")
        page.get_by_label("Choose files").set_input_files(ROOT / "tests/samples/promptfoo/sentiment.json")
        expect(page.get_by_label("compare the systems in it")).to_be_checked(timeout=20_000)  # it holds two
        expect(page.get_by_label("System", exact=True)).to_have_count(0)
        page.get_by_label("a report").check()
        expect(page.locator(".asking input[type=text]")).to_have_count(0)
        page.get_by_label("System", exact=True).select_option("model-a")
        page.get_by_label("Scorer").select_option("exact")
        page.get_by_role("button", name="Make the report").click()
        expect(page.locator(".found .lead")).to_contain_text("On 5 questions this model", timeout=20_000)
        expect(page).to_have_url(re.compile("option=system%3Dmodel-a,scorer%3Dexact"))
        page.reload()  # the address holds what was chosen
        expect(page.get_by_label("Scorer")).to_have_value("exact", timeout=20_000)


def test_systems_of_a_file_are_compared(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        page = visit.to("#data")
        page.get_by_label("Choose files").set_input_files(ROOT / "examples" / "breast-cancer.csv")
        page.get_by_label("compare systems").check(timeout=20_000)
        compare = page.get_by_role("button", name="Compare the systems")
        expect(page.locator(".rivals input:checked")).to_have_count(6)  # all that answer as the real column does
        for name in ("logistic", "neighbours", "guess", "tree", "bayes"):
            page.get_by_label(name, exact=True).uncheck()
        expect(compare).to_be_disabled()  # two systems at least
        for name in ("tree", "bayes"):
            page.get_by_label(name, exact=True).check()
        compare.click()
        rows = page.locator(".standing tbody tr")
        expect(rows).to_have_count(3, timeout=20_000)
        expect(rows.nth(0)).to_contain_text("1 to 2")
        expect(rows.nth(2)).to_contain_text("majority")
        expect(page.locator(".board .lead")).to_contain_text("2 systems may be the best (bayes, tree)")
        expect(page.locator(".forest")).to_have_count(2)
        expect(page.locator(".tie")).to_have_count(1)  # bayes and tree
        assert axe(page) == []
        with page.expect_download() as found:
            page.get_by_role("link", name="Markdown").click()
        assert "bayes" in Path(found.value.path()).read_text(encoding="utf-8")
        page.go_back()
        expect(page.locator(".board")).to_have_count(0)
        page.go_forward()  # what was compared is not compared again
        expect(rows).to_have_count(3, timeout=2_000)


def test_files_of_several_systems_are_joined(browser: Browser, lab: str, tmp_path: Path) -> None:
    real = "aabb" * 10
    said = {"gold": real, "new": real, "old": "abab" * 10}
    for name, answers in said.items():
        column = "truth" if name == "gold" else "answer"
        rows = "".join(f"{i},{x}\n" for i, x in enumerate(answers))
        (tmp_path / f"{name}.csv").write_text(f"id,{column}\n{rows}")
    with Visit(browser, lab) as visit:
        page = visit.to("#data")
        drop(page, *(tmp_path / f"{name}.csv" for name in said))
        where = page.get_by_label("Real classes are in")
        expect(where).to_be_visible(timeout=20_000)
        expect(where.locator("option:checked")).to_have_text("gold.csv only")
        page.get_by_role("button", name="Compare the systems").click()
        expect(page.locator(".board .lead")).to_contain_text("new is better than old", timeout=20_000)
        page.reload()  # the address holds what was asked
        expect(page.locator(".standing tbody tr")).to_have_count(2, timeout=20_000)


# ---------------------------------------------------------------------- thresholds, Monte Carlo


def test_a_threshold_is_slid_and_the_best_one_found(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        page = visit.to("#threshold")
        expect(page.locator(".measures")).to_be_visible()
        page.get_by_label("What a miss costs").fill("8")
        best = example().best(cost=(5, 1))
        expect(page.locator(".least")).to_contain_text(f"from {best.threshold:g}")
        page.get_by_role("button", name="Go there").click()
        expect(page.locator("output[for=threshold]")).to_have_text(f"{best.threshold:g}")
        expect(page.locator(".counts")).to_contain_text(f"{best.table.tp:g} of 120 ill")
        page.get_by_label("What no answer costs").fill("0.4")
        expect(page.locator(".reject")).to_contain_text("Leave")
        expect(page).to_have_url(re.compile("cost=5:1&abstain=0.4"))
        page.get_by_label("Choose a file").set_input_files(ROOT / "examples" / "breast-cancer.csv")
        expect(page.get_by_label("Real classes")).to_have_value("diagnosis", timeout=20_000)
        expect(page.get_by_label("Score", exact=True)).to_have_value("score")
        page.get_by_label("Class of high scores").select_option("malignant")
        page.get_by_role("button", name="Draw the curve").click()
        expect(page.get_by_role("heading", name="breast-cancer.csv", exact=True)).to_be_visible(timeout=20_000)
        expect(page.locator(".curve-panel")).to_contain_text("of 212 malignant found")
        with page.expect_download() as found:
            page.get_by_role("link", name="Text").click()
        assert "AUC" in Path(found.value.path()).read_text(encoding="utf-8")
        assert axe(page) == []
        page.get_by_label("Cases belong together").select_option("fold")
        page.get_by_role("button", name="Draw the curve").click()
        expect(page.locator(".curve-panel")).to_contain_text("Cases of one fold belong together", timeout=20_000)


def test_the_back_button_takes_a_threshold_back(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        page = visit.to("#threshold")
        place = page.locator("output[for=threshold]")
        expect(page.locator(".scores")).to_be_visible()
        best = place.inner_text()
        page.get_by_label("Say ill from").press("ArrowRight")
        expect(place).not_to_have_text(best)
        assert float(place.inner_text()) > float(best)  # to the right is higher
        page.get_by_label("What no answer costs").fill("0.3")
        expect(page.locator(".scores .open")).to_have_count(1)
        expect(page).to_have_url(re.compile("abstain=0.3"))
        page.go_back()
        expect(page.locator(".scores .open")).to_have_count(0)
        page.go_back()
        expect(place).to_have_text(best)
        visit.expected = ("Failed to load resource: the server responded with a status of 404",)
        visit.to("#threshold?c=gone")
        page.reload()
        expect(page.locator(".curve-panel .problem").first).to_contain_text("not here any more")


def test_simulated_tables_come_in_and_the_picture_builds(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        page = visit.to("#monte?replicates=200&n=64")
        expect(page.locator(".progress")).to_have_text("2 200 of 2 200 tables", timeout=20_000)
        expect(page.locator(".series")).to_have_count(5)
        page.get_by_role("button", name="Their 16 cases").click()
        expect(page).to_have_url(re.compile("generator=premarginal&k=4&n=16"))
        expect(page.locator(".problem[role=alert]")).to_be_empty()
        page.get_by_label("Levels of informedness").fill("nonsense")
        visit.expected = ("Failed to load resource: the server responded with a status of 400",)
        page.get_by_role("button", name="Run").click()
        expect(page.locator(".problem[role=alert]")).to_contain_text("cannot be read")


def test_the_figures_of_the_papers_are_drawn(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        page = visit.to("#monte?figure=fig-6")
        picture = page.locator(".drawing").first
        expect(picture).to_be_visible(timeout=20_000)
        wide = picture.evaluate("image => image.decode().then(() => image.naturalWidth)")
        made = reproduce("fig-6")
        drawn = re.search(r'width="([\d.]+)"', made.paper)
        assert drawn is not None
        assert round(float(drawn[1])) == wide
        with page.expect_download(timeout=30_000) as found:
            page.get_by_role("link", name="Numbers").click(timeout=30_000)
        assert Path(found.value.path()).read_text(encoding="utf-8") == made.csv()
        for name, title in (("2003, figure 1", "The spreadsheet"), ("Figure 4", "χ² against")):
            page.get_by_role("button", name=name).click()
            expect(page.locator("#monte-h")).to_contain_text(title)
            expect(page.locator(".drawing")).to_have_count(2)
        page.go_back()
        expect(page.locator("#monte-h")).to_contain_text("The spreadsheet")


# ---------------------------------------------------------------------- learn


def test_the_tour_asks_before_it_tells_and_ends_with_what_to_do(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        page = visit.page
        page.get_by_role("link", name="Learn").click()
        for step in range(1, 9):
            expect(page.get_by_role("heading", level=1)).to_contain_text(f"Step {step} of 8")
            expect(page.locator("input[data-cell]").first).to_be_visible()
            expect(page.locator(".measures, .told")).to_have_count(0)  # nothing is told yet
            page.locator(".choice").nth(step % 3).click()
            expect(page.locator(".told")).to_be_focused()
            expect(page.locator(".choice.right")).to_have_count(1)
            expect(page.locator(".measures").first).to_be_visible()
            for chip in page.locator(".tries button").all():
                chip.click()
                expect(chip).to_have_attribute("aria-pressed", "true")
            expect(page.locator(".problem").first).to_be_empty()
            if step < 8:
                page.get_by_role("button", name="Next").click()
        expect(page.locator(".next a")).to_have_count(4)
        page.go_back()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Step 7 of 8")
        expect(page.locator(".told")).to_be_visible()  # what was said is not asked again
        page.goto(visit.lab + "#learn?step=4&said=1")
        slider = page.get_by_label("Prevalence")
        slider.fill("0.05")
        kappa = informed.cohen_kappa(Table.from_counts([[80, 20], [20, 80]]).at_prevalence(0.05))
        expect(page.locator(".measures")).to_contain_text(shown(kappa))
        assert value(page, "Informedness") == "0.600"


# ---------------------------------------------------------------------- for everybody


def axe(page: Page, *rules: str) -> list[tuple[str, str]]:
    """Violations of any accessibility rule, or of these: the rule and where."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE.read_text(encoding="utf-8"))
    asked = {"iframes": False, "resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    found = page.evaluate("asked => axe.run(document, asked)", asked)
    assert rules or len(found["passes"]) > 12  # it did look
    return [(v["id"], v["nodes"][0]["html"] + v["nodes"][0]["failureSummary"]) for v in found["violations"]]


WHOLE = """[...document.querySelectorAll(".measures")].every((x) => x.offsetWidth <= x.parentElement.clientWidth)"""
PLACES = {
    "start": "#start",
    "guessed": "#start?said=a&knows=0.3",
    "table": "#table",
    "three": THREE,
    "extreme": "#table?t=500,1;1,500&l=a,b",
    "empty": "#table?t=0,0;0,0",
    "data": "#data",
    "threshold": "#threshold?abstain=0.3",
    "monte": "#monte?replicates=50",
    "figure": "#monte?figure=iccs-1",
    "learn": "#learn?step=3",
    "told": "#learn?step=2&said=0",
    "last": "#learn?step=8&said=1",
}


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_no_violation_of_any_accessibility_rule_and_no_sideways_scroll(
    browser: Browser, lab: str, scheme: str, width: int
) -> None:
    with Visit(browser, lab, width, scheme) as visit:
        visit.page.emulate_media(reduced_motion="reduce")  # colours are there at once
        for place in PLACES.values():
            page = visit.to(place)
            page.wait_for_selector(".measures, .drop-zone, .series, .drawing, .big, .editor")
            assert axe(page) == [], place
            assert page.evaluate("document.documentElement.scrollWidth") <= width, place
            assert page.evaluate(WHOLE), place


def test_a_visitor_without_the_token_sees_a_door(browser: Browser, lab: str) -> None:
    address, token = lab.split("#token=")
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    expect(page.get_by_role("heading", name="Which lab is this?")).to_be_visible()
    page.get_by_label("Token").fill("wrong")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_label("Token")).to_be_visible()
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("heading", name="Accuracy rewards guessing")).to_be_visible()
    context.close()


def test_the_token_leaves_the_address_at_once(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        assert "token" not in visit.page.url
    assert len(lab.partition("#token=")[2]) == 32  # of 24 random bytes, made for this run


def test_another_site_cannot_ask_the_lab(browser: Browser, lab: str) -> None:
    address, token = lab.split("#token=")
    context = browser.new_context()
    page = context.new_page()
    page.goto("data:text/html,<p>another site</p>")
    said = page.evaluate(
        """async ([url, token]) => {
          try {
            const headers = { "X-Informed-Token": token };
            return (await fetch(url + "api/start", { method: "POST", headers })).status;
          } catch (error) { return "refused"; }
        }""",
        [address, token],
    )
    assert said == "refused"
    context.close()


def test_dragging_asks_little_and_ends_with_the_arc(browser: Browser, lab: str) -> None:
    with Visit(browser, lab) as visit:
        page = visit.page
        bodies: list[str] = []
        page.on("request", lambda r: bodies.append(r.post_data or "") if "table" in r.url else None)
        page.locator(".plane").scroll_into_view_if_needed()
        began = time.monotonic()
        drag(page, 0.1, 0.9)
        expect(page.get_by_label("Said +, really +")).to_have_value("61")
        expect(page.locator(".card").filter(has_text="Measures").first).to_contain_text("Fisher arc")
        assert time.monotonic() - began < 10
        assert '"quick":true' in bodies[0]
        assert any('"quick":false' in body for body in bodies)


# ------------------------------------------------------------------ pictures of the papers


def test_a_png_is_filled_by_its_drawing(tmp_path: Path) -> None:
    """Wider than the 800 pixels of a browser without a screen, and less tall than a window can be."""
    from matplotlib.pyplot import imread

    svg = tmp_path / "table-2.svg"
    svg.write_text(reproduce("table-2").paper, encoding="utf-8")
    light = imread(to_png(svg))[..., :3].min(axis=2)
    down, across = ((light < 0.95).any(axis=axis).nonzero()[0] for axis in (1, 0))
    assert light.shape == (212, 896)
    assert down.max() > 200
    assert across.max() > 880
