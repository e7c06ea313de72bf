"""Charts are data: both backends draw the same marks, every chart has words, text is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")

import matplotlib.pyplot as plt

from informed.documents.charts import style, svg
from informed.documents.charts.chart import Chart, Panels
from informed.documents.charts.marks import (
    Axis,
    Bands,
    Cells,
    Dots,
    Lines,
    Moving,
    Ranges,
    Rules,
    Texts,
    Tick,
    names,
    scale,
)

X, Y = scale(0, 10, "across"), scale(-1, 1, "up")
ALL = (
    Bands([0, 5, 10], [-1, 0, 0], [0, 0.5, 1], name="a band"),
    Lines([0, 5, 6, 10], [0, 0.5, np.nan, 1], name="a line"),
    Cells([1, 3], [0, 0], [2, 4], [0.5, -0.5], ("more", "less"), depth=[0.2, 0.5], name="cells"),
    Ranges([1, 2], [0, 0.1], [3, 4], [0, 0.1], name="ranges"),
    Dots([2, 5, 8], [0.1, -0.2, 0.4], ("more-dot", "less-dot", "more-dot"), tips=["<a>", "b", "c"]),
    Rules([5], words=["here <b>"]),
    Texts([4], [0.2], ["$x$ <b>&"]),
    Moving("slide", [1, 2, 3], 1),
)
CHART = Chart("A title", "What is to be seen.", X, Y, ALL)
PIXELS = re.compile(r"-?[\d.]+")


def drawn(chart: Chart | Panels) -> ElementTree.Element:
    return ElementTree.fromstring(chart.svg("k"))


@pytest.fixture
def ax() -> Iterator[Any]:
    figure, found = plt.subplots()
    yield found
    plt.close(figure)


def test_both_backends_draw_the_same_dots_in_the_same_places(ax: Any) -> None:
    CHART.plot(ax)
    circles = list(drawn(CHART).iter("circle"))
    there = [(float(c.get("cx") or 0), float(c.get("cy") or 0)) for c in circles]
    pairs = [
        (float(x), float(y))
        for line in ax.lines
        if line.get_marker() == "o"
        for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)
    ]
    assert len(there) == len(pairs) == 3
    pixels = [(43 * x, 105 * (1 - y)) for x, y in pairs]
    assert sorted(there) == pytest.approx(np.array(sorted(pixels)), abs=0.06)


def test_both_backends_draw_as_many_lines_cells_and_words(ax: Any) -> None:
    CHART.plot(ax)
    svg = drawn(CHART)
    roles = [e.get("class") for e in svg.iter()]
    (pieces,) = (x for x in ax.lines if np.isnan(x.get_xdata()).any())
    assert roles.count("whisker") - 1 == np.isnan(pieces.get_xdata()).sum() == 2
    polygons = [c for c in ax.collections if type(c).__name__ == "PolyCollection"]
    assert roles.count("more") + roles.count("less") - 1 == sum(len(c.get_paths()) for c in polygons)
    said = {t.text for t in svg.iter("text")}
    shown = {t.get_text() for t in (*ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels())}
    legend = ax.get_legend()
    assert legend is not None
    shown |= {ax.get_xlabel(), ax.get_ylabel()} | {t.get_text() for t in legend.get_texts()}
    assert said == shown - {""}
    assert {"a band", "a line", "cells", "ranges"} <= said


def test_words_are_escaped_and_never_formulas(ax: Any) -> None:
    raw = CHART.svg("k")
    assert "<b>" not in raw
    assert "&lt;b&gt;&amp;" in raw
    CHART.plot(ax)
    ax.figure.draw_without_rendering()  # a lone formula would raise or be set in italics
    assert "$x$ <b>&" in [t.get_text() for t in ax.texts]


def test_every_picture_has_its_words() -> None:
    several = Panels("Both", "Twice the same.", (CHART, CHART), 2, head="two", foot="a note")
    for picture in (CHART, several):
        svg = drawn(picture)
        assert svg.get("role") == "img"
        held = {e.get("id"): e.text for e in svg.iter() if e.get("id")}
        assert [held[x] for x in (svg.get("aria-labelledby") or "").split()] == [picture.title, picture.words]


def test_the_box_holds_all_that_is_drawn() -> None:
    wide = Chart("t", "w", X, names(["a long name of a row", "b"], ["0.123", "0.4"]), ())
    x, y, w, h = map(float, (drawn(wide).get("viewBox") or "").split())
    assert x < -100
    assert x + w > 430 + 30
    assert y <= 0
    assert y + h > 210 + 17


def test_a_line_that_leaves_the_frame_is_cut_by_it() -> None:
    out = Chart("t", "w", X, Y, (Lines([0, 10], [0, 5]), Lines([0, 1], [0, 1])))
    cut = [p.get("clip-path") for p in drawn(out).iter("path")]
    assert cut == ["url(#k-c)", None]
    assert len(list(drawn(out).iter("clipPath"))) == 1
    assert not list(drawn(CHART).iter("clipPath"))


def test_a_line_is_broken_where_a_point_is_not_known() -> None:
    paths = [p.get("d") or "" for p in drawn(CHART).iter("path")]
    assert [d.count("M") for d in paths] == [1, 2]


def test_what_a_slider_moves_says_where_to(ax: Any) -> None:
    (cursor,) = (e for e in drawn(CHART).iter() if e.get("data-follows"))
    assert cursor.tag == "line"
    assert cursor.get("data-x") == "43 86 129"
    assert cursor.get("x1") == "86"


def test_an_axis_may_be_logarithmic_or_run_down() -> None:
    assert Axis(1, 100, log=True).share([1, 10, 100]) == pytest.approx([0, 0.5, 1])
    rows = names(["first", "second"])
    assert rows.share([0, 1]) == pytest.approx([0.75, 0.25])
    assert rows.holds([0, 1])
    assert not rows.holds([2])
    assert [t.role for t in scale(-1, 1).ticks] == ["grid"] * 2 + ["zero"] + ["grid"] * 2
    assert Tick(0.0).role == "grid"


def test_roles_are_looked_up_in_the_style_of_the_page() -> None:
    assert style.look("whisker less-line")["stroke"] == style.look("less")["fill"]
    assert style.look("whisker")["stroke-width"] == "2"


def test_a_file_brings_its_style_and_reads_alone() -> None:
    text = CHART.file()
    assert ElementTree.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"
    assert ".whisker" in text
    assert "prefers-color-scheme: dark" in text


def test_a_legend_never_stands_over_a_neighbour() -> None:
    figure, axes = plt.subplots(1, 2)
    CHART.plot(axes[0])
    right = Chart("t", "w", X, names(["a name that is long enough", "b"], ["0.1", "0.2"]), ALL[1:2])
    right.plot(axes[1])
    figure.draw_without_rendering()
    left, other = (x.get_tightbbox() for x in axes)
    assert left.x1 <= other.x0
    assert other.x1 <= figure.bbox.x1
    assert min(left.y0, other.y0) >= 0
    plt.close(figure)


@pytest.mark.parametrize("name", ["m1 − m2", "mmmm − wwww", "MMMM − WWWW", "ABCDEFGH", "Informedness", "new − old"])
def test_a_label_has_room_in_a_wide_font(name: str) -> None:
    """DejaVu Sans is the widest of the usual fonts; a label that is wider than its estimate is cut at the left."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    path = TextPath((0, 0), name, size=svg.letter("name"), prop=FontProperties(family="DejaVu Sans"))
    assert path.get_extents().width <= svg.width(name, "name")
