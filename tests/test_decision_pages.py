"""Pages of curves, bets, clusters and published figures, in a real browser where it matters."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

import informed
from command_line import ok, refused
from informed import Table
from informed.decisions.chosen import chosen
from informed.decisions.costs import cost_curve, decision_curve
from informed.decisions.curve import Curve
from informed.decisions.rejection import chow, market, reject_curve
from informed.documents.blocks import Grid, Section
from informed.documents.document import Document
from informed.documents.pages import odds as bookmaking
from informed.documents.pages.decisions import label_section, threshold_section
from test_cli_decisions import ASKED, asked_json, cases
from test_report_html import AXE, opened

__all__ = ["cases"]  # a fixture
NASTY = '"><img src=x onerror="window.hacked=1">'


@pytest.fixture(scope="module")
def curve() -> Curve:
    rng = np.random.default_rng(7)
    real = np.repeat([0, 1], [80, 40])
    return informed.roc(real=real, score=np.round(rng.normal(real, 1), 1))


def written(section: Section) -> str:
    return Document("", "", (section,)).text(full=True, width=10_000)


def seen(browser: Browser, tmp_path: Path, page: str, scheme: str = "light") -> Page:
    """The page as a reader opens it, after axe has found nothing wrong with it."""
    file = tmp_path / "page.html"
    file.write_text(page, encoding="utf-8")
    found = opened(browser, file.as_uri(), 390, scheme)
    assert found.evaluate("document.documentElement.scrollWidth") <= 390
    found.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    found.evaluate(AXE.read_text(encoding="utf-8"))
    held = found.evaluate("axe.run()")
    assert len(held["passes"]) > 15
    assert [(v["id"], v["nodes"][0]["html"]) for v in held["violations"]] == []
    return found


def test_the_slider_shows_the_table_of_its_threshold(
    browser: Browser, tmp_path: Path, cases: tuple[list[bool], list[float]]
) -> None:
    ok(*ASKED, "--cost", "5:1", "-o", str(tmp_path / "roc.html"))
    page = seen(browser, tmp_path, (tmp_path / "roc.html").read_text(encoding="utf-8"))
    slider = page.locator("input[type=range]")
    slider.focus()
    slider.press("Home")
    assert page.locator(".slider label output").inner_text() == "none"
    slider.fill("60")
    cut = float(page.locator(".slider label output").inner_text())
    assert slider.get_attribute("aria-valuetext") == f"{cut:g}"
    named = [("malignant" if r else "benign") for r in cases[0]]
    called = [("malignant" if s >= cut else "benign") for s in cases[1]]
    t = Table.from_labels(predicted=called, real=named, positive="malignant")
    shown = [float(x) for x in page.locator(".slider td output").all_inner_texts()]
    assert shown == t.counts.ravel().tolist()
    names = page.locator(".readout b").all_inner_texts()
    read = dict(zip(names, page.locator(".readout output").all_inner_texts(), strict=True))
    for name in ("informedness", "markedness", "accuracy", "f1", "recall", "precision"):
        title = informed.find(name).facts.title
        assert float(read[title]) == pytest.approx(informed.find(name)(t), abs=5.1e-4)
    price = (5 * float(t.fn) + float(t.fp)) / t.n
    assert float(read["cost a case at 5:1"]) == pytest.approx(price, rel=1e-3)
    ring = page.locator("circle.moving").first
    assert float(ring.get_attribute("cy") or 0) == pytest.approx(300 * (1 - informed.recall(t)), abs=0.06)
    page.close()


def test_the_spreadsheet_computes_as_the_library_does(browser: Browser, tmp_path: Path) -> None:
    page = seen(browser, tmp_path, ok("odds", "--models", "--format", "html"), "dark")
    third = page.locator(".sheet").nth(2)

    def shown() -> dict[str, str]:
        found: dict[str, str] = third.locator("output[data-is]").evaluate_all(
            "all => Object.fromEntries(all.map(x => [x.dataset.is, x.textContent]))"
        )
        return found

    before = shown()
    third.locator("input").first.fill("58.1")  # the same: now the script has written it
    assert shown() == before
    assert before["won.plus"] == "1.50"
    third.locator("input").first.fill("30")
    t = Table.from_counts([[30, 20.4], [11.9, 9.6]])
    after = shown()
    expected = bookmaking._numbers(t)
    for name in expected.keys() - {"odds.plus", "odds.minus"}:
        ours, theirs = (float(x[name].replace("−", "-")) for x in (expected, after))
        assert theirs == pytest.approx(ours, abs=0.0101), name
    assert after["odds.plus"] == f"{300 / 71.9:.2f} : {419 / 71.9:.2f}"
    third.locator("input").first.fill("")  # nothing is 0
    assert shown()["share.recall"] == "0.00"
    page.close()


@pytest.mark.parametrize("page", ["assign", "recover", "nasty"])
def test_every_page_is_whole_and_accessible(browser: Browser, tmp_path: Path, page: str) -> None:
    labels = ["safe", NASTY, "שלום"]
    t = Table.from_counts([[8, 1, 4], [1, 9, 4], [3, 2, 1]], labels=labels)
    made = {
        "assign": lambda: informed.report(informed.assign(t, n_draws=19)).html(),
        "recover": lambda: ok("recover", "-n", "50", "recall=0.8", "f1=0.7", "--format", "html"),
        "nasty": lambda: informed.report(informed.payoffs(t), title=NASTY).html(),
    }[page]()
    shown = seen(browser, tmp_path, made)
    assert shown.evaluate("window.hacked") is None
    assert shown.locator("main img").count() == 0
    shown.close()


def test_a_section_of_thresholds_for_any_page(curve: Curve) -> None:
    section = threshold_section(chosen(curve, cost="3:1"))
    text = written(section)
    assert "by the method cost" in text
    assert "cost a case at 3:1" in text
    empty = informed.roc(real=[1, 1], score=[0, 1], positive=1)
    with pytest.raises(informed.InformedError, match="no case is really negative"):
        chosen(empty)


def test_labels_that_lose_are_named_for_the_report() -> None:
    t = Table.from_counts([[80, 10, 40], [10, 90, 40], [30, 20, 0]], labels=["a", "b", "c"])
    found = market(t)
    assert found is not None
    said = written(label_section(found))
    assert "\nWithout an answer instead of 'c'" in said
    assert re.search(r"^c( +-0\.\d+){3} +harmful$", said, re.MULTILINE)
    assert market(Table.from_counts([[1, 2], [3, 4]])) is None


def test_every_result_has_a_page_in_every_format(curve: Curve, tmp_path: Path) -> None:
    t = Table.from_counts([[30, 5], [6, 20]])
    pages = {
        "curve": informed.report(curve, cost="3:1", price=0.2),
        "odds": informed.report(informed.odds(t)),
        "payoffs": informed.report(informed.payoffs(t, stakes=[1, 0])),
        "assign": informed.report(informed.assign(t, n_draws=9)),
        "recover": informed.report(informed.recover(n=9, recall="0.5"), ranges=["mcc"]),
    }
    for name, page in pages.items():
        for suffix in ("html", "md", "json", "txt"):
            said = page.save(tmp_path / f"{name}.{suffix}").read_text(encoding="utf-8")
            assert page.answer[:30].replace("'", "") in said.replace("'", "").replace("&#x27;", "")
    drawn = pages["curve"].pictures()
    assert {"threshold/ROC plane", "threshold/PN plane", "costs/Cost curve"} <= drawn.keys()
    for picture in drawn.values():
        assert ElementTree.fromstring(picture).tag.endswith("svg")
    empty = informed.report(informed.roc(real=[1, 1], score=[0, 1], positive=1))
    assert "no case is really negative" in empty.answer
    assert empty.answer in empty.text(full=True, width=500)


def test_coverage_is_chows_rule_at_every_price(curve: Curve) -> None:
    found = reject_curve(curve, cost="3:1")
    assert found.coverage[-1] == 1
    assert (np.diff(found.coverage) > 0).all()
    assert (np.diff(found.prices) >= 0).all()
    for price in (0.05, 0.2, 0.4, 0.7, 2.0):
        one = chow(curve, cost="3:1", abstain=price)
        i = max(int(np.searchsorted(found.prices, price)) - 1, 0)
        assert one.expected_cost == pytest.approx(found.expected_cost[i] + price * (1 - found.coverage[i]))
        assert one.coverage == pytest.approx(found.coverage[i])
        assert informed.informedness(one.table.answered) == pytest.approx(found.informedness[i])


def test_notebooks_show_pictures(curve: Curve) -> None:
    t = Table.from_counts([[8, 1, 4], [1, 9, 4], [3, 2, 1]], labels=["a", NASTY, "c"])
    probable = informed.roc(real=[0, 1, 0, 1, 1], score=[0.1, 0.2, 0.3, 0.6, 0.9])
    drawn = (curve, cost_curve(curve), decision_curve(probable), reject_curve(curve))
    for shown in drawn:
        assert "<svg" in shown._repr_html_()
    assert "on new cases" in informed.threshold(curve, n_draws=20)._repr_html_()
    assert "<svg" in informed.assign(t, n_draws=9)._repr_html_()
    for table in (informed.odds(t), informed.payoffs(t), informed.recover(n=9, recall="0.5")):
        assert "<table" in table._repr_html_()
        assert "<img" not in table._repr_html_()


# ---------------------------------------------------------------------- odds and recover


def test_odds_of_probabilities_counts_and_files() -> None:
    held = asked_json("odds", ".7", ".3", "--labels", "first,second")
    assert held["labels"] == ["first", "second"]
    assert held["odds"]["reduced"] == [[3, 7], [7, 3]]
    held = asked_json("odds", "56 20 / 12 12", "--method", "unit")
    t = Table.from_counts([[56, 20], [12, 12]])
    assert held["rows"] == pytest.approx([informed.informedness(t)] * 2)
    assert held["kelly"] == pytest.approx([(56 / 76 - 0.68) / 0.32, (0.5 - 0.32) / 0.68])
    assert held["guessing"] == pytest.approx(0, abs=1e-12)
    held = asked_json("odds", "8 1 4 / 1 9 4 / 3 2 1", "--stakes", "1,1,0")
    assert held["expected_value"] == pytest.approx(sum(held["rows"][:2]))
    assert "With stakes of 1 on 0" in ok("odds", "8 1 4 / 1 9 4 / 3 2 1", "--stakes", "1,1,0", "--full")
    said = ok("odds", "examples/digits.csv", "--real", "digit", "--predicted", "predicted", "--full")
    assert "Kelly fraction" in said
    assert re.search(r"guessed with the same margins( +0\.000){4,}", said)
    assert "| class | per cent |" in ok("odds", "0.5,0.5", "--format", "markdown")


def test_the_four_models_are_those_of_the_paper() -> None:
    held = asked_json("odds", "--models")
    second, fourth = held["2. knows"], held["4. knows 15 % and says the opposite"]
    assert second["weighted"] == pytest.approx([0.7, 0.3])
    assert 100 * fourth["measures"]["avG"] == pytest.approx(46.4102, abs=5e-5)
    said = ok("odds", "--models", "--full")
    assert said.count("3 : 7") == 4
    assert re.search(r"Average F over classes +63\.30", said)


def test_published_figures_on_the_command_line() -> None:
    held = asked_json("recover", "-n", "100", "recall=0.82", "precision=0.74", "accuracy=0.68")
    assert held["tables"] == [[[56, 20], [12, 12]]]
    assert held["informedness"]["low"] == pytest.approx(0.19853, abs=1e-5)
    said = " ".join(ok("recover", "n=200", "recall=82%", "precision=74%", "f1=90%").split())
    assert "No table of whole counts agrees with n = 200" in said
    assert "without tables recall = 82% none precision = 74% 435 f1 = 90% 191" in said
    many = asked_json("recover", "-n", "300", "recall=0.9")
    assert many["count"] > 100_000
    assert many["ranges"].keys() == {"informedness"}  # known over all, not over the first
    said = ok("recover", "-n", "500", "recall=0.90", "precision=0.60", "--range", "jaccard")
    assert said.startswith("2,558 tables agree")
    assert "Jaccard" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["odds"], "--models"),
        (["odds", ".7", ".4"], "adds up to 1.1"),
        (["odds", ".7", ".3", "--stakes", "1,1"], "give counts or a file"),
        (["odds", "1 2 / 3 4", "--stakes", "1"], "one number a label"),
        (["odds", "1 2 / 3 4", "--stakes", "a,b"], "a number for each label"),
        (["odds", "1 2 / 3"], "every row needs"),
        (["odds", "10 0 / 5 0"], "no fair odds"),
        (["odds", "0 0 / 0 0"], "no fair odds"),
        (["odds", "1", "two"], "'two' is not a number"),
        (["odds", "nowhere.csv"], "nowhere.csv"),
        (["odds", "--models", "3"], "take nothing else"),
        (["odds", "1 2 / 3 4", "--real", "x"], "--labels and --positive only"),
        (["odds", "1 2 3 / 4 5 6 / 7 8 9", "--method", "table"], "two classes"),
        (["recover", "recall=0.8"], "number of cases"),
        (["recover", "-n", "10", "recall"], "NAME=PRINTED"),
        (["recover", "-n", "10", "recall=0.8", "recall=0.7"], "twice"),
        (["recover", "n=ten", "recall=0.8"], "whole number"),
        (["recover", "-n", "10", "nonsense=0.8"], "nonsense"),
        (["recover", "-n", "10", "recall=80"], "80 %"),
    ],
)
def test_a_bad_call_is_one_sentence(words: list[str], said: str) -> None:
    assert said in refused(*words)


def test_a_label_that_ends_as_titles_of_text_do_keeps_its_end() -> None:
    """A title of ours ends in "|" where its column is text; a label is no title of ours."""
    t = Table.from_counts([[56, 24], [14, 6]], labels=["a|", "b|"], positive="a|")
    page = informed.report(informed.payoffs(t))
    heads = [c.title for block in page.flow() if isinstance(block, Grid) for c in block.columns]
    assert "a|" in heads
    assert "a" not in heads


def test_two_classes_of_which_none_is_positive_have_a_page_without_the_spreadsheet() -> None:
    t = Table.from_counts([[56, 24], [14, 6]], labels=["cat", "dog"])
    assert t.positive is None
    keys = [section.key for section in informed.report(informed.payoffs(t)).sections]
    assert keys == ["odds", "winnings", "labels", "guessing"]
