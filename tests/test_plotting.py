"""The displays draw the numbers that they say."""

from __future__ import annotations

from collections.abc import Iterator

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")

import matplotlib.pyplot as plt
from scipy.stats import chi2_contingency
from sklearn.dummy import DummyClassifier

import informed.sklearn as ours
from informed.errors import InformedError, TableError
from informed.evidence.table import Table
from informed.inference.intervals import interval
from informed.measures import MEASURES
from informed.plotting import (
    ForestDisplay,
    PowerDisplay,
    PrevalenceDisplay,
    RocPlaneDisplay,
    TableDisplay,
)

T = Table.from_counts([[56, 20], [12, 12]])
THREE = Table.from_counts([[40, 5, 3], [6, 30, 9], [2, 8, 37]], labels=["cat", "a $x$", "<b>"])
STACK = Table.from_counts([[[56, 20], [12, 12]], [[60, 10], [8, 22]]], names=["tree", "forest"])
ALL = (TableDisplay, RocPlaneDisplay, ForestDisplay, PrevalenceDisplay, PowerDisplay)


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    plt.close("all")


@pytest.mark.parametrize("display", ALL)
def test_a_display_is_made_from_a_table_predictions_or_an_estimator(display: type) -> None:
    real = [1] * 68 + [0] * 32
    predicted = [1] * 56 + [0] * 12 + [1] * 20 + [0] * 12
    made = display.from_predictions(real, predicted)  # type: ignore[attr-defined]  # all have it
    assert made.table.tp == 56
    made.figure_.draw_without_rendering()
    model = DummyClassifier(strategy="stratified", random_state=0).fit(np.zeros((100, 1)), real)
    assert display.from_estimator(model, np.zeros((100, 1)), real).table.n == 100  # type: ignore[attr-defined]  # all have it
    _, ax = plt.subplots()
    assert display.from_table(T, ax=ax).ax_ is ax  # type: ignore[attr-defined]  # all have it
    assert getattr(ours, display.__name__) is display


def test_a_table_shows_its_counts_and_is_coloured_by_the_adjusted_residual() -> None:
    ax = TableDisplay.from_table(T).ax_
    assert [x.get_text() for x in ax.texts][::2] == ["56", "20", "12", "12"]
    # for 2x2 every adjusted residual is ±√χ², Pearson's statistic
    chi2 = chi2_contingency([[56, 20], [12, 12]], correction=False).statistic
    colours = np.asarray(ax.images[0].get_array())
    assert colours == pytest.approx(np.sqrt(chi2) * np.array([[1, -1], [-1, 1]]))


def test_labels_are_text_and_never_formulas() -> None:
    ax = TableDisplay.from_table(THREE).ax_
    ax.figure.draw_without_rendering()
    assert ax.get_xticklabels()[1].get_text() == "a \\$x\\$\n43"


def test_a_system_stands_at_its_fallout_and_recall() -> None:
    def points(display: RocPlaneDisplay) -> list[tuple[float, float]]:
        lines = [line for line in display.ax_.lines if line.get_marker() == "o"]
        return [(float(x.get_xdata()[0]), float(x.get_ydata()[0])) for x in lines]

    rates = points(RocPlaneDisplay.from_table(STACK))
    assert rates == [pytest.approx((20 / 32, 56 / 68)), pytest.approx((10 / 32, 60 / 68))]
    counts = points(RocPlaneDisplay.from_table(STACK, plane="pn"))
    assert counts == [pytest.approx((20, 56)), pytest.approx((10, 60))]
    classes = points(RocPlaneDisplay.from_table(THREE))
    assert classes[0] == pytest.approx((8 / 92, 40 / 48))
    with pytest.raises(TableError, match="equally many positives"):
        RocPlaneDisplay.from_table(THREE, plane="pn")


def test_a_forest_has_the_interval_and_the_chance_level_of_each_measure() -> None:
    ax = ForestDisplay.from_table(T, measures=["informedness", "f1"], level=0.9).ax_
    assert [x.get_text() for x in ax.get_yticklabels()] == ["informedness", "f1"]
    for row, name in enumerate(["informedness", "f1"]):
        bar, point, tick = ax.lines[3 * row : 3 * row + 3]
        found = interval(T, name, level=0.9)
        assert list(bar.get_xdata()) == [found.low, found.high]
        assert point.get_xdata()[0] == MEASURES[name](T)
        assert tick.get_xdata()[0] == pytest.approx(MEASURES[name].chance(T))
    several = ForestDisplay.from_table(THREE).ax_
    assert [x.get_text() for x in several.get_yticklabels()][-1] == "accuracy"


def test_a_prevalence_curve_goes_through_the_table_itself() -> None:
    display = PrevalenceDisplay.from_table(
        T, measures=["precision", "informedness"], prevalence=0.1
    )
    precision, informedness = display.ax_.lines[:2]
    at = np.interp(0.68, precision.get_xdata(), precision.get_ydata())
    assert at == pytest.approx(56 / 76, abs=1e-5)
    assert np.ptp(informedness.get_ydata()) < 1e-12
    assert [x.get_text() for x in display.ax_.texts] == ["this table 0.68", "field 0.1"]


def test_the_power_is_the_share_of_samples_that_the_test_rejects() -> None:
    display = PowerDisplay.from_table(T)
    n, draws = 200, 4000
    samples = np.random.default_rng(3).multinomial(n, T.counts.ravel() / 100, draws)
    a, b, c, d = samples.T
    statistic = n * (a * d - b * c) ** 2 / ((a + b) * (c + d) * (a + c) * (b + d))
    rejected = np.mean(statistic > 3.841458820694124)
    error = np.sqrt(0.25 / draws)
    assert display.power(n) == pytest.approx(rejected, abs=4 * error)
    assert display.power(3) < display.power(30) < display.power(n)
    needed = display.needed()
    assert display.power(needed) >= 0.8 > display.power(needed - 1)


def test_a_stack_is_refused_where_one_table_is_drawn() -> None:
    with pytest.raises(TableError, match="draws one table"):
        TableDisplay.from_table(STACK)


def test_a_table_of_guesses_never_has_the_power() -> None:
    display = PowerDisplay.from_table(Table.from_counts([[30, 30], [20, 20]]))
    assert display.needed() == np.inf
    with pytest.raises(InformedError, match="no test"):
        PowerDisplay.from_table(Table.from_counts([[30, 30], [0, 0]]))
