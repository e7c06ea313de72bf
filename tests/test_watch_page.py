"""A watched run as a page and as a figure."""

from __future__ import annotations

import json
import math
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")

import matplotlib.pyplot as plt

import informed
from informed.documents.charts.marks import Texts
from informed.documents.charts.watching import closing, money
from informed.errors import InformedError
from informed.results import Plotted


def watched(n: int = 60, right: float = 0.8, **settings: Any) -> informed.Watch:
    rng = np.random.default_rng(5)
    real = rng.integers(0, 2, n)
    said = np.where(rng.random(n) < right, real, 1 - real)
    more = {"other": real} if settings.get("paired") else {}
    w = informed.watch(**settings)
    w.update(real=real, predicted=said, **more)
    return w


@pytest.mark.parametrize("form", ["text", "html", "markdown", "json", "csv", "latex", "github", "junit"])
@pytest.mark.parametrize("settings", [{}, {"paired": True}, {"expect": 0.4, "against": 0.1}, {"measure": "markedness"}])
def test_every_format(form: str, settings: dict[str, Any]) -> None:
    assert len(watched(**settings).write(form)) > 100


@pytest.mark.parametrize("n", [0, 1, 2])
def test_hardly_anything_was_counted(n: int) -> None:
    w = informed.watch()
    for _ in range(n):
        w.update(real="a", predicted="b")
    page = w.document()
    assert "nan" not in page.write("text", full=True)
    shown = [x for x in page.sections if x.key != "methods"]
    assert len(shown) == (1 if n == 0 else 2 if n < 1 else 3)
    assert json.loads(page.write("json"))["n"] == n


def test_a_page_says_what_it_needs() -> None:
    text = " ".join(watched().write("text", full=True).split())
    assert "the order of the items was fixed before the run" in text
    assert "the epochs of an item counted as one" in text


def test_the_stop_is_marked_where_the_rule_was_met() -> None:
    w = watched(400, stop="informedness.low > 0.2")
    assert w.stopped is not None
    n, rule = w.stopped
    assert n < 400
    page = w.document()
    assert page.further == f"The rule {rule!r} is met after {n} items."
    assert page.write("html").count(">stop<") == 2
    assert "the bar, 0.2" in page.write("html")
    assert watched(30).document().write("html").count(">stop<") == 0


def test_a_rule_is_seen_between_two_looks() -> None:
    """After 60 items, which is no look of its own, the rule is asked of what is there."""
    w = watched(60, stop="n >= 60")
    assert w.stopped == (60, "n >= 60")


def test_plot_draws_money_and_interval() -> None:
    figure = watched().plot()
    assert len(figure.axes) == 2
    assert [x.get_text() for x in figure.axes[0].get_yticklabels()][:3] == ["0.1", "1", "10"]
    plt.close(figure)
    figure, axes = plt.subplots(2)
    assert watched().plot(axes) is figure
    with pytest.raises(InformedError, match="2 charts are drawn, and `axes` has 1"):
        watched().plot(axes[0])
    plt.close(figure)
    figure = watched(400, measure="markedness").plot()
    assert len(figure.axes) == 1  # nobody bets on it
    plt.close(figure)


def test_infinite_wealth_is_drawn_as_far_as_it_goes() -> None:
    w = informed.watch(benchmark={"a": 20, "b": 20})
    w.update(real=["a", "b"] * 20, predicted=["a", "b"] * 20)
    assert math.isinf(w.wealth)
    assert "∞" not in w.document().answer
    assert w.write("html").count("<svg") == 2
    assert isinstance(w.result(), Plotted)


def test_wealth_beyond_what_a_float_holds_is_shown() -> None:
    w = informed.watch()
    w.update(real=["a", "b"] * 4000, predicted=["a", "b"] * 4000)
    assert math.isinf(w.wealth)
    text = w.write("text")
    assert "all there is" not in text
    assert "7e2227" in text


def test_where_wealth_becomes_infinite_is_said() -> None:
    n = np.arange(1.0, 11.0)
    early, late, never = (money(n, np.where(n >= at, math.inf, n), enough=20) for at in (5, 10, 11))
    (words,) = (m for m in early.marks if isinstance(m, Texts))
    assert (words.x, words.words, words.anchor) == ([4.0], ["from 5 items on all there is"], "start")
    (words,) = (m for m in late.marks if isinstance(m, Texts))
    assert (words.x, words.anchor) == ([9.0], "end")
    assert not any(isinstance(m, Texts) for m in never.marks)


def test_the_axis_fits_what_is_known_after_the_first_items() -> None:
    n = np.arange(1.0, 1001.0)
    half = 2 / np.sqrt(n)
    shown = closing(n, 0.07 - half, np.full(1000, 0.07), 0.07 + half, bar=0.0, bounds=(-2.0, 2.0))
    assert shown.y.holds([0.07 - half[199], 0.07 + half[199], 0.0])
    assert shown.y.end - shown.y.start < 0.6
    short = closing(n[:5], 0.07 - half[:5], n[:5] / 100, 0.07 + half[:5], bounds=(-2.0, 2.0))
    assert short.y.holds([0.07 - half[4], 0.07 + half[4]])
