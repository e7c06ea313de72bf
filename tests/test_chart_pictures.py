"""Every picture: it has words, its axes hold its numbers, and both backends draw the same of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")

import matplotlib.pyplot as plt

import informed
from informed.documents.charts.chart import Chart
from informed.documents.charts.curves import curve, reaching, unit
from informed.documents.charts.forest import Row, differences, differing, forest
from informed.documents.charts.grades import Bar, by_cuts, by_distance
from informed.documents.charts.marks import Bands, Cells, Dots, Lines, Mark, Moving, Ranges, Rules, Texts, scale
from informed.documents.charts.matrix import matrix, shares, small_matrix
from informed.documents.charts.plane import PlanePoint, precision_recall, roc_plane
from informed.documents.charts.ranks import critical_difference, places, rank_intervals
from informed.documents.charts.reliability import PartsPoint, parts_plane, reliability_diagram, worth_by_cost
from informed.documents.charts.watching import closing, money
from informed.documents.pages import report_pictures
from informed.errors import TableError
from informed.evidence.table import Table
from informed.papers.drawing import bars, kinds, sheet
from informed.papers.drawing import chart as titled

NASTY = "<b>&\"x'"
ROWS = [
    Row("good", 0.5, 0.4, 0.6, 1, 0.1, "0.500"),
    Row(NASTY, -0.2, -0.7, 0.1, 0, math.nan, "-0.200"),
    Row("open", 0.9, 0.2, math.inf, -1, 0.3, "0.900"),
    Row("unknown", math.nan, said="undefined"),
]
X = np.linspace(0, 1, 30)
COUNTS = np.array([[50.0, 3, 2], [4, 45, 6], [1, 7, 32]])
EXPECTED = np.outer(COUNTS.sum(1), COUNTS.sum(0)) / COUNTS.sum()


def _shade(counts: Any, expected: Any) -> Any:
    return (counts - expected) / np.abs(counts - expected).max()


def _made() -> Iterator[tuple[str, Chart | None]]:
    """Each picture once, with labels that are hard on it and numbers at the edge."""
    yield "forest", forest(ROWS, "Measures", guide=ROWS[0], bars=True)
    yield "whole forest", forest(ROWS, "Measures", whole=True)
    gaps = [differing("a", 0.02, -0.01, 0.05, 0, "p = 0.2"), differing("b", -3, -5, -1, -1)]
    yield "differences", differences(gaps, "Differences", ends=("old", NASTY), margin=0.1)
    how: dict[str, Any] = {"predicted_labels": ["a", NASTY, "c"], "real_labels": ["a", NASTY, "c" * 30]}
    t = Table.from_counts(COUNTS, **how)
    yield "matrix", matrix(t, _shade(COUNTS, EXPECTED))
    yield "shares", matrix(t, _shade(COUNTS, EXPECTED), normalize="real")
    yield "small matrix", small_matrix(COUNTS, _shade(COUNTS, EXPECTED), NASTY)
    points = [PlanePoint(NASTY, 0.2, 0.7, (0.1, 0.3), (0.6, 0.8)), PlanePoint("other", 0.95, 0.96)]
    path, band = Lines(X, np.sqrt(X), name="curve"), Bands(X, 0.8 * np.sqrt(X), np.sqrt(X), name="band")
    plane: dict[str, Any] = {"points": points, "curves": [path], "band": band, "named": True}
    track = Moving("s", X, 3, np.sqrt(X), "ring moving")
    yield "plane", roc_plane("ROC", **plane, equal_cost=(3.0, "cost"), follows=track, stems=True)
    yield "pn", roc_plane("PN", **plane, equal_cost=(0.0, "c"), sizes=(2e6, 250), cases=True)
    yield "precision", precision_recall(Lines(X[1:], X[:0:-1], name="p"), band, prevalence=0.3, of=1)
    series = [Lines(X, 0.3 * X - 0.1, name="a"), Lines(X, X * math.nan, name="b")]
    yield "curve", curve(series, title="t", words="w", across=scale(0, 1), up=reaching(series),
                         here={"here": 0.9}, there={"there": 0.1}, wanted=0.1)  # fmt: skip
    cases = np.geomspace(4, 4000, 20)
    across = scale(4, 4000, at=(10, 100, 1000), log=True)
    yield ("power", curve([Lines(cases, X[:20], name="p")], title="t", words="w", across=across, up=unit(X)))
    seen = np.arange(1.0, 31.0)
    yield "money", money(seen, np.where(seen > 28, np.inf, 90 * seen - 200), enough=20, stop=28)
    yield "money of one item", money([1], [-0.1], enough=20)
    yield "closing", closing(seen, 0.3 - 1 / seen, X, 0.3 + 1 / seen, bar=0.2, stop=28, bounds=(-2, 2))
    blocks = np.array([0, 0.3]), np.array([0.2, 1.0]), np.array([0.1, 0.9])
    yield "reliability", reliability_diagram(blocks, (X, X * 0.9, X), np.arange(5.0), level=0.9, positive=NASTY)
    yield "parts", parts_plane([PartsPoint(NASTY, 0.4, 0.1), PartsPoint("b", 0.0, 0.02)])
    yield "worth", worth_by_cost(X, [(NASTY, X - 0.5), ("b", 0 * X)], 0.3)
    ranked = [Row("a", 1, 1, 2, 1, said="0.9"), Row("b", 2, 1, 3, said="0.8"), Row("c", 3, 2, 3, -1)]
    yield "places", rank_intervals(ranked, 3, [[0, 1], [1, 2], [2]], "Places")
    means = {NASTY: 1.4, "b": 2.1, "c": 2.5}
    yield "mean ranks", critical_difference(means, [[1.4, 2.1], [2.1, 2.5]], 9.0, "Mean ranks")
    yield "sheet", sheet([[("a", "mark c3"), (NASTY, "")], [("", ""), ("b", "")]], [40, 80], "S")
    cuts = [Bar(NASTY, 0.6, 0.5, 0.2, 0.7), Bar("b", 0.39, -0.2, -0.6, 0.3), Bar("c", 0.01, 1.0, math.nan, math.nan)]
    yield "cuts", by_cuts([*cuts, Bar("none", 0.0, *[math.nan] * 3)], 0.23, title="Cuts")
    yield "distances", by_distance(range(-2, 3), [0, 0.1, 0.8, 0.1, 0], [0.1, 0.2, 0.4, 0.2, 0.1], title="Distances")
    marks = bars({"one": [0.2, 0.4], "two": [0.1, -0.1]})
    yield "bars", titled("Bars", kinds(["x", "y"]), scale(-0.2, 0.5), marks)


MADE = {name: chart for name, chart in _made() if chart is not None}


def _points(mark: Mark) -> tuple[Any, Any]:
    """All the places of a mark, across and up."""
    match mark:
        case Bands():
            return [*mark.x, *mark.x], [*mark.low, *mark.high]
        case Ranges() | Cells():
            return [*mark.x, *mark.x2], [*mark.y, *mark.y2]
        case Rules():
            return (mark.at, []) if mark.upright else ([], mark.at)
        case Dots() | Lines() | Texts() | Moving():
            return mark.x, mark.y
    raise AssertionError(mark)


def test_every_kind_of_picture_is_here() -> None:
    assert len(MADE) == len(list(_made()))


@pytest.mark.parametrize("name", MADE)
def test_a_picture_has_words_and_well_formed_text(name: str) -> None:
    chart = MADE[name]
    svg = ElementTree.fromstring(chart.svg("k"))
    assert chart.title
    assert chart.words.strip(" .")
    assert [svg[0].text, svg[1].text] == [chart.title, chart.words]
    assert "nan" not in chart.svg("k").replace("unknown", "")
    assert ElementTree.fromstring(chart.file()).tag.endswith("svg")


@pytest.mark.parametrize("name", MADE)
def test_the_axes_hold_the_numbers(name: str) -> None:
    chart = MADE[name]
    beyond = (Texts, Ranges) if name in ("places", "mean ranks") else (Texts,)  # beside the frame
    cut = (Lines, Bands) if name == "closing" else ()  # by the frame, where the first items say little
    for mark in chart.marks:
        if not isinstance(mark, (*beyond, *cut)):
            x, y = _points(mark)
            assert chart.x.holds(x), (name, mark)
            assert chart.y.holds(y), (name, mark)


@pytest.mark.parametrize("name", MADE)
def test_both_backends_draw_the_same(name: str) -> None:
    chart = MADE[name]
    svg = ElementTree.fromstring(chart.svg("k"))
    ax: Any
    figure, ax = plt.subplots(figsize=chart.inches(), layout="constrained")
    chart.plot(ax)
    figure.draw_without_rendering()

    named = [m for m in chart.marks if not isinstance(m, (Texts, Moving)) and m.name]
    shown = len(named) if chart.legend else 0
    dots = sum(isinstance(m, Dots) for m in named) if chart.legend else 0
    rings = sum(isinstance(m, Moving) and len(m.y) > 0 for m in chart.marks)
    found = [
        (float(x), float(y))
        for line in ax.lines
        if line.get_marker() == "o"
        for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)
        if np.isfinite([float(x), float(y)]).all()
    ]
    assert len(list(svg.iter("circle"))) - dots - rings == len(found)
    at = {(round(float(c.get("cx", 0))), round(float(c.get("cy", 0)))) for c in svg.iter("circle")}
    for x, y in found:
        px = chart.width * float(chart.x.share(x)), chart.height * (1 - float(chart.y.share(y)))
        assert any(math.dist(px, there) < 1 for there in at), (name, x, y)

    said = [t.text for t in svg.iter("text")]
    written = [t.get_text() for t in ax.texts if t.get_text()]
    legend = ax.get_legend()
    assert (len(legend.get_texts()) if legend else 0) == shown
    assert set(written) <= set(said)
    plt.close(figure)


@pytest.mark.parametrize("name", MADE)
def test_words_stay_inside_the_picture(name: str) -> None:
    svg = ElementTree.fromstring(MADE[name].svg("k"))
    x, y, wide, tall = map(float, (svg.get("viewBox") or "").split())
    for text in svg.iter("text"):
        a, b = float(text.get("x", 0)), float(text.get("y", 0))
        assert x <= a <= x + wide
        assert y <= b <= y + tall


def test_an_open_interval_ends_at_the_edge_and_an_unknown_row_is_left_out() -> None:
    chart = MADE["forest"]
    whiskers = next(m for m in chart.marks if isinstance(m, Ranges))
    assert list(whiskers.x2)[-1] == chart.x.end
    assert [t.near for t in chart.y.ticks] == ["good", NASTY, "open"]
    assert [t.far for t in MADE["whole forest"].y.ticks][-1] == "undefined"
    assert forest([ROWS[-1]], "nothing") is None


def test_shares_sum_to_one_along_what_is_normalised() -> None:
    assert shares(COUNTS, "real").sum(axis=0) == pytest.approx(1)
    assert shares(COUNTS, "predicted").sum(axis=1) == pytest.approx(1)
    assert shares(COUNTS, "all").sum() == pytest.approx(1)
    assert np.array_equal(shares(COUNTS, "true"), shares(COUNTS, "real"))
    with pytest.raises(TableError, match="`normalize` is 'columns'; it can be 'real', 'predicted'"):
        shares(COUNTS, "columns")


def test_there_is_no_picture_of_too_much_or_of_nothing() -> None:
    many = np.ones((41, 41))
    assert matrix(Table.from_counts(many), 0 * many) is None
    assert matrix(Table.from_counts(many), 0 * many, most=None) is not None
    assert matrix(Table.from_counts(0 * many), many) is None
    assert critical_difference({str(i): i for i in range(41)}, [], 1.0, "t") is None
    assert rank_intervals([], 3, [], "t") is None
    assert places(2000)[:3] == [1, 200, 400]
    nothing = [Lines(X, X * math.nan)]
    assert curve(nothing, title="t", words="w", across=scale(0, 1), up=unit(X)) is None


def test_the_pictures_of_a_report_are_charts() -> None:
    stack = Table.from_counts([[[56, 20], [12, 12]], [[60, 10], [8, 22]]], names=["tree", "forest"], positive="+")
    report = informed.report(stack)
    held = report_pictures.groups(report), report_pictures.small_tables(report)
    assert all(chart is not None and chart.words for chart in held)
    alone = informed.report(stack[0])
    drawn = report_pictures.prevalence(alone, "key")
    assert drawn.count('data-follows="key-range"') == drawn.count('<input type="range" id="key-range"') == 1


def test_levels_of_skill_are_not_written_where_a_name_stands() -> None:
    far = [PartsPoint("new", 0.338, 0.029), PartsPoint("z", 0.395, 0.01)]
    for points, written in (
        (far, ["0", "0.1", "0.2", "0.3"]),
        ([*far, PartsPoint("older one", 0.27, 0.076)], ["0", "0.1", "0.3"]),
        ([*far, PartsPoint("on it", 0.191, 0.078)], ["0", "0.2", "0.3"]),  # its dot covers 0.1
    ):
        chart = parts_plane([*points, PartsPoint("tall", 0.02, 0.08)])
        assert chart is not None
        assert [x for m in chart.marks if isinstance(m, Texts) and m.role == "tick" for x in m.words] == written


@pytest.mark.parametrize(
    ("rows", "reach"),
    [
        ([Row("a", 0.2, 0.13, 0.25), Row("b", -0.1, -0.17, 0.02)], (-0.2, 0.3)),
        ([Row("a", 0.2, 0.1, 0.3)], (0.0, 0.4)),  # 0 stays
        ([Row("a", 0.2, 0.1, 0.3, chance=0.5)], (0.0, 1.0)),  # and so does chance
        ([Row("a", 0.2, 0.1, 0.5)], (0.0, 1.0)),
        ([Row("a", 0.2, -0.1, 0.5)], (-0.5, 1.0)),
        ([Row("a", 0.2, -0.7, 0.5)], (-1.0, 1.0)),
        ([Row("a", -math.inf, -math.inf, math.nan), Row("b", 0.1, 0.05, 0.2)], (0.0, 0.25)),
        ([Row("a", -0.1, -0.15, -0.05)], (-0.2, 0.0)),
        ([Row("a", 0.0, 0.0, 0.0)], (0.0, 1.0)),
    ],
)
def test_the_axis_of_a_forest_fits_what_would_be_specks(rows: list[Row], reach: tuple[float, float]) -> None:
    chart = forest(rows, "Measures")
    assert chart is not None
    assert (chart.x.start, chart.x.end) == reach
    assert {reach[0], 0.0, reach[1]} <= {tick.at for tick in chart.x.ticks}
    assert [tick.near for tick in chart.y.ticks] == [row.name for row in rows]
