"""The displays draw the numbers that they say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")

import matplotlib.pyplot as plt
from scipy.stats import chi2_contingency
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, confusion_matrix, precision_recall_curve, roc_auc_score
from sklearn.svm import LinearSVC

import informed.sklearn as ours
from informed.decisions.roc import roc
from informed.documents.charts.marks import Bands, Cells, Dots, Lines, Ranges, Rules, Texts
from informed.errors import InformedError, TableError
from informed.evidence.table import Table
from informed.inference.intervals import interval
from informed.measures import MEASURES
from informed.plotting import (
    ForestDisplay,
    PowerDisplay,
    PrecisionRecallDisplay,
    PrevalenceDisplay,
    RocCurveDisplay,
    RocPlaneDisplay,
    TableDisplay,
)

M = TypeVar("M")
T = Table.from_counts([[56, 20], [12, 12]])
THREE = Table.from_counts([[40, 5, 3], [6, 30, 9], [2, 8, 37]], labels=["cat", "a $x$", "<b>"])
STACK = Table.from_counts([[[56, 20], [12, 12]], [[60, 10], [8, 22]]], names=["tree", "forest"])
_RNG = np.random.default_rng(5)
REAL = [1] * 40 + [0] * 80
SCORE = [float(x) for x in np.round(_RNG.normal(np.array(REAL) * 1.2, 1), 1)]  # some are tied
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


def said(ax: Any) -> list[str]:
    return [x.get_text() for x in ax.texts]


def marked(display: Any, kind: type[M]) -> list[M]:
    return [mark for mark in display.chart().marks if isinstance(mark, kind)]


def test_a_table_shows_its_counts_and_is_coloured_by_the_adjusted_residual() -> None:
    display = TableDisplay.from_table(T)
    assert {"56", "20", "12", "51.7", "7.7", "76", "68", "100"} <= set(said(display.ax_))
    # for 2x2 every adjusted residual is ±√χ², Pearson's statistic
    chi2 = chi2_contingency([[56, 20], [12, 12]], correction=False).statistic
    assert display.residual() == pytest.approx(np.sqrt(chi2) * np.array([[1, -1], [-1, 1]]))
    more, less = marked(display, Cells)
    assert (more.role, less.role) == ("more", "less")
    assert list(more.depth) == pytest.approx([0.06 + 0.5 * np.sqrt(chi2) / 4] * 2)
    assert "51.7" not in said(TableDisplay.from_table(T, show_expected=False).ax_)


def test_cells_show_shares_in_our_words_and_in_those_of_scikit_learn() -> None:
    real = [1] * 68 + [0] * 32
    predicted = [1] * 56 + [0] * 12 + [1] * 20 + [0] * 12
    for ours_, theirs in (("real", "true"), ("predicted", "pred"), ("all", "all")):
        shown = TableDisplay.from_table(T, normalize=ours_)
        cells = [x for m in marked(shown, Texts) if m.role.startswith("num") for x in m.words]
        expected = confusion_matrix(real, predicted, normalize=theirs)  # rows real, 0 first
        assert sorted(cells) == sorted(f"{x:.2f}" for x in expected.ravel())
        assert said(TableDisplay.from_table(T, normalize=theirs).ax_) == said(shown.ax_)
    with pytest.raises(TableError, match="`normalize` is 'rows'"):
        TableDisplay.from_table(T, normalize="rows")


def test_a_table_of_very_many_classes_is_drawn_without_numbers() -> None:
    rng = np.random.default_rng(1)
    display = TableDisplay.from_table(Table.from_counts(rng.poisson(2, (90, 90)), rows="predicted"))
    assert len(display.ax_.get_xticklabels()) == 30
    assert not [m for m in marked(display, Texts) if m.role != "tot b"]
    with pytest.raises(TableError, match="empty"):
        TableDisplay.from_table(Table.from_counts([[0, 0], [0, 0]]))


def test_labels_are_text_and_never_formulas() -> None:
    ax = TableDisplay.from_table(THREE).ax_
    ax.figure.draw_without_rendering()
    assert [x.get_text() for x in ax.get_xticklabels()] == ["cat", "a $x$", "<b>"]
    assert not any(x.get_parse_math() for x in ax.get_xticklabels())


def test_a_system_stands_at_its_fallout_and_recall() -> None:
    def points(display: RocPlaneDisplay) -> list[tuple[float, float]]:
        lines = [line for line in display.ax_.lines if line.get_marker() == "o"]
        return sorted((float(x.get_xdata()[0]), float(x.get_ydata()[0])) for x in lines)

    rates = points(RocPlaneDisplay.from_table(STACK))
    assert rates == [pytest.approx((10 / 32, 60 / 68)), pytest.approx((20 / 32, 56 / 68))]
    counts = points(RocPlaneDisplay.from_table(STACK, plane="pn"))
    assert counts == [pytest.approx((10, 60)), pytest.approx((20, 56))]
    assert {"tree", "forest"} <= set(said(RocPlaneDisplay.from_table(STACK).ax_))
    classes = points(RocPlaneDisplay.from_table(THREE))
    assert classes[0] == pytest.approx((8 / 92, 40 / 48))
    with pytest.raises(TableError, match="equally many positives"):
        RocPlaneDisplay.from_table(THREE, plane="pn")


def test_a_forest_has_the_interval_and_the_chance_level_of_each_measure() -> None:
    wanted = ["informedness", "f1"]
    display = ForestDisplay.from_table(T, measures=wanted, level=0.9)
    assert [x.get_text() for x in display.ax_.get_yticklabels()] == wanted
    bars, ticks = marked(display, Ranges)
    (dots,) = marked(display, Dots)
    found = [interval(T, name, level=0.9) for name in wanted]
    assert list(bars.x) == [i.low for i in found]
    assert list(bars.x2) == [i.high for i in found]
    assert list(dots.x) == [MEASURES[name](T) for name in wanted]
    assert list(ticks.x) == pytest.approx([MEASURES["f1"].chance(T)])  # that of the other is 0
    several = ForestDisplay.from_table(THREE).ax_
    assert [x.get_text() for x in several.get_yticklabels()][-1] == "accuracy"


def test_a_measure_without_a_value_says_so() -> None:
    nothing = Table.from_counts([[0, 0], [5, 5]])
    display = ForestDisplay.from_table(nothing, measures=["recall", "precision"])
    assert "undefined" in said(display.ax_)


def test_a_prevalence_curve_goes_through_the_table_itself() -> None:
    display = PrevalenceDisplay.from_table(T, measures=["precision", "informedness"], prevalence=0.1)
    precision, informedness = marked(display, Lines)
    at = np.interp(0.68, precision.x, precision.y)
    assert at == pytest.approx(56 / 76, abs=1e-5)
    assert np.ptp(informedness.y) < 1e-12
    assert said(display.ax_) == ["this table 0.68", "field 0.1"]
    assert [x.get_text() for x in display.ax_.get_legend().get_texts()] == ["precision", "informedness"]


def test_a_roc_curve_has_the_band_and_the_area_of_its_curve() -> None:
    display = RocCurveDisplay.from_predictions(REAL, SCORE, name="model", level=0.9)
    found = display.curve
    assert found.auc == pytest.approx(roc_auc_score(REAL, SCORE))
    (band,) = marked(display, Bands)
    assert np.array_equal(band.low, found.band(0.9).low)
    assert np.array_equal(band.high, found.band(0.9).high)
    curve = next(m for m in marked(display, Lines) if m.name)
    assert np.array_equal(curve.x, found.fallout)
    area = found.interval(0.9)
    assert curve.name == f"model, area {found.auc:.3f} [{area.low:.3f}, {area.high:.3f}]"


def test_a_precision_recall_curve_has_an_interval_of_each_precision() -> None:
    display = PrecisionRecallDisplay.from_predictions(REAL, SCORE)
    (curve,) = marked(display, Lines)
    precision, recall, _ = precision_recall_curve(REAL, SCORE)
    for x, y in zip(recall[:-1], precision[:-1], strict=True):
        assert any(np.isclose(curve.x, x) & np.isclose(curve.y, y))
    # the stairs have the area that is called average precision
    assert np.trapezoid(curve.y, curve.x) == pytest.approx(average_precision_score(REAL, SCORE))
    (band,) = marked(display, Bands)
    where = np.asarray(band.x) == 1.0
    everything = interval(display.curve.table_at(-np.inf), "precision")
    assert np.asarray(band.low)[where][-1] == pytest.approx(everything.low)
    assert everything.method in band.name
    (guessing,) = marked(display, Rules)
    assert guessing.at == [np.mean(REAL)]


def test_a_curve_is_drawn_from_an_estimator_and_from_a_curve() -> None:
    X = np.array(SCORE)[:, None]
    for model in (LogisticRegression(), LinearSVC()):
        fitted = model.fit(X, REAL)
        display = RocCurveDisplay.from_estimator(fitted, X, REAL)
        assert display.curve.auc == pytest.approx(roc_auc_score(REAL, SCORE))
        other = PrecisionRecallDisplay.from_estimator(fitted, X, REAL, pos_label=0)
        assert other.curve.auc == pytest.approx(roc_auc_score(REAL, SCORE))
        assert other.curve.positive == 0
    _, ax = plt.subplots()
    assert RocCurveDisplay.from_curve(display.curve, ax=ax).ax_ is ax
    area = f"{display.curve.auc:.3f}"
    cases = "40 positive and 80 negative cases"
    assert repr(display) == f"RocCurveDisplay(LinearSVC: AUC {area}, {cases})"
    with pytest.raises(TableError, match="no curve"):
        RocCurveDisplay.from_curve(roc(real=[1, 1], score=[1, 2], positive=1))
    three = DummyClassifier().fit(X[:3], [0, 1, 2])
    with pytest.raises(TableError, match="knows 3 classes"):
        RocCurveDisplay.from_estimator(three, X[:3], [0, 1, 2])


def test_a_display_is_one_line() -> None:
    assert repr(TableDisplay(table=THREE)) == "TableDisplay(3 classes, 140 cases)"
    assert repr(RocPlaneDisplay(table=STACK)) == "RocPlaneDisplay(2 tables of 2 classes)"


def test_displays_beside_each_other_do_not_overlap() -> None:
    figure, axes = plt.subplots(1, 3, figsize=(12, 4))
    PrevalenceDisplay.from_table(T, ax=axes[0])
    ForestDisplay.from_table(T, ax=axes[1])
    RocCurveDisplay.from_predictions(REAL, SCORE, ax=axes[2])
    figure.draw_without_rendering()
    boxes = [ax.get_tightbbox() for ax in axes]
    assert boxes[0].x1 <= boxes[1].x0
    assert boxes[1].x1 <= boxes[2].x0
    assert boxes[2].x1 <= figure.bbox.x1


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
