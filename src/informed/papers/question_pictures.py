"""The pictures of the open questions, drawn from the rows of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from informed.documents.charts.chart import Chart, Panels
from informed.documents.charts.marks import Cells, Mark, Ranges, Rules, Texts, names, scale
from informed.papers.drawing import (
    BLUE,
    COLOURS,
    ORANGE,
    WIDE,
    bars,
    chart,
    dots,
    kinds,
    level,
    line,
    panels,
)
from informed.papers.question import Answer, Row, distinct, least, question
from informed.papers.questions_generators import FINDINGS
from informed.papers.texts import chosen, estimate

Picture: TypeAlias = Callable[[Answer], Chart | Panels]

PICTURES: dict[str, Picture] = {}


def picture(name: str) -> Callable[[Picture], Picture]:
    """Register the picture of a question under its name."""

    def add(drawn: Picture) -> Picture:
        PICTURES[name] = drawn
        return drawn

    return add


def _column(rows: list[Row], name: str) -> list[float]:
    return [estimate(r[name]).value for r in rows]


# ------------------------------------------------------------------ lines and bars, as data


def simple(answer: Answer, spec: Mapping[str, Any]) -> Chart:
    """Columns or groups of rows as lines over a column of numbers, or as bars over one of names.

    ``lines`` and ``bars`` name columns, or say ``{of = column, by = groups}``.
    """
    rows = chosen(answer.rows, **spec.get("where", {}))
    at = distinct(rows, spec["x"]["of"])
    nominal = [level(0.05, spec["nominal"])] if "nominal" in spec else []

    marks: list[Mark]
    if "bars" in spec:
        across = kinds(at, spec["x"].get("title", ""))
        marks = [*bars(_series(spec["bars"], rows)), *nominal]
    else:
        low, high = spec["x"].get("reach", (min(at), max(at)))
        log = spec["x"].get("log", False)
        across = scale(low, high, spec["x"]["title"], at=at if log else None, log=log)
        marks = [*nominal, *_lines(spec, rows, at)]

    low, high = spec["y"]["reach"]
    up = scale(low, high, spec["y"]["title"])
    return chart(spec["title"], across, up, marks, wide=spec.get("wide", WIDE))


def _lines(spec: Mapping[str, Any], rows: list[Row], at: list[float]) -> Iterator[Mark]:
    if "beside" in spec:  # a line that all groups share
        y = _column(rows, spec["beside"]["of"])[: len(at)]
        yield line(at, y, "", spec["beside"]["name"], "dashed")
    less = np.array(at) if spec.get("less_x") else 0.0
    for (name, y), colour in zip(_series(spec["lines"], rows).items(), COLOURS, strict=False):
        yield line(at, y - less, colour, name, "thick" if name == spec.get("thick") else "")


def _series(asked: Any, rows: list[Row]) -> dict[str, Any]:
    """Values by name: of columns, or of one column by groups."""
    if isinstance(asked, list):
        return {column: np.array(_column(rows, column)) for column in asked}
    head, by = asked.get("head", "{}"), asked["by"]
    return {
        head.format(group): np.array(_column(chosen(rows, **{by: group}), asked["of"]))
        for group in distinct(rows, by)
    }


for _name, _text in question.texts.items():
    if "picture" in _text:
        PICTURES[_name] = partial(simple, spec=_text["picture"])


# ------------------------------------------------------------------ measures


@picture("rankers")
def _rankers(answer: Answer) -> Panels:
    """A map for each measure: how often it is wrong, by prevalence and by the gap in bias."""
    plots = []
    for short, wrong in answer.beside.items():
        steps = len(wrong["map"])
        row, column = np.indices((steps, steps))
        x, y, share = column.ravel() / steps, row.ravel() / steps * 2 - 1, wrong["map"].ravel()
        x, y, share = x[share > 0], y[share > 0], share[share > 0]
        marks: list[Mark] = [Cells(x, y, x + 1 / steps, y + 2 / steps, "mark c1 crisp", share**0.8)]
        if not len(x):
            marks.append(Texts([0.5], [0.0], ["never"], "tot"))
        up = "more “positive” from the worse one" if short == "accuracy" else ""
        head = f"{short}: {100 * wrong['share']:.0f} %"
        across = scale(0, 1, "prevalence", at=(0, 0.5, 1))
        plots.append(
            chart(head, across, scale(-1, 1, up, at=(-1, 0, 1)), marks, wide=170, tall=180)
        )
    words = question.texts["rankers"]["words"]
    return panels(plots, len(plots), words["title"], words["foot"])


@picture("kappa")
def _kappa(answer: Answer) -> Chart:
    marks: list[Mark] = [level(0.5, "informedness")]
    for q, colour in zip(distinct(answer.rows, "prevalence"), COLOURS, strict=False):
        guesses, kappa, mcc = answer.beside[q]
        marks.append(line(guesses, kappa, colour, f"prevalence {q:g}"))
        marks.append(line(guesses, mcc, colour, style="dashed"))
    return chart(
        "Kappa (line) and MCC (dashed) at informedness .5",
        scale(0, 1, "share of guesses that say positive"),
        scale(0, 0.75, "value"),
        marks,
    )


@picture("naming")
def _naming(answer: Answer) -> Chart:
    some = chosen(answer.rows, known=0)
    cases = [f"{r['clusters']}→{r['classes']}, N={r['N']}" for r in some]
    marks: list[Mark] = [
        *bars({name: _column(some, name) for name in ("named", "corrected")}),
        Rules([6.0], "here"),
        Texts([6.0], [0.46], ["one-to-one"], "tiny", "end", -6),
        Texts([6.0], [0.46], ["many-to-one"], "tiny", "start", 6),
    ]
    return chart(
        "Clusters that know nothing, named at their best (red) and corrected (blue)",
        kinds(cases),
        scale(-0.05, 0.5, "mean informedness"),
        marks,
        wide=1000,
        legend="below",
    )


# ------------------------------------------------------------------ intervals


@picture("coverage")
def _coverage(answer: Answer) -> Panels:
    """A panel for each number of classes: least coverage over the truths against cases a class."""
    some = chosen(answer.rows, measure="informedness")
    methods = ("arc", "plus-four", "wald", "powers-0", "powers-1", "powers-2")
    plots = []
    for k in distinct(some, "K"):
        marks: list[Mark] = [level(0.95)]
        for method, colour in zip(methods, COLOURS, strict=False):
            of = chosen(some, K=k, method=method)
            each = sorted(distinct(of, "N/K"))
            y = [least([r["coverage"] for r in of if r["N/K"] == m]).value for m in each]
            style = "thick" if method == "arc" else "thin"
            marks.append(line(each, y, colour, method if k == 2 else "", style))
        x = scale(2, 512, "cases a class", at=[2**i for i in range(1, 10)], log=True)
        y_axis = scale(0, 1.02, "least coverage over the truths")
        plots.append(chart(f"K = {k}", x, y_axis, marks, wide=330, tall=230, legend="below"))
    return panels(plots, 3, "Least coverage of 95 % intervals of informedness")


@picture("bars")
def _bars(answer: Answer) -> Panels:
    """Least to greatest coverage of each combination, a column for each number of classes."""
    divisors = distinct(answer.rows, "divisor")
    forms = [(root, d) for root in distinct(answer.rows, "√sse") for d in divisors]
    rows = [f"{root}, {d}" for root, d in forms]
    plots = []
    for k in distinct(answer.rows, "K"):
        marks: list[Mark] = [level(0.95, upright=True)]
        for y, (root, d) in enumerate(forms):
            found = _column(chosen(answer.rows, **{"√sse": root, "divisor": d, "K": k}), "coverage")
            colour = COLOURS[divisors.index(d)]
            low, high = min(found), max(found)
            marks.append(Ranges([low], [y], [high], [y], f"curve {colour}"))
            marks.append(dots([low, float(np.mean(found)), high], y, colour))
        x = scale(0, 1, "coverage over ten truths")
        plots.append(chart(f"K = {k}", x, names(rows), marks, wide=240, tall=16 * len(rows)))
    return panels(plots, 3, "Coverage of the papers' error bars by √sse and divisor")


@picture("evenness")
def _evenness(answer: Answer) -> Chart:
    classes = distinct(answer.rows, "K")
    marks: list[Mark] = [level(0.0)]
    for c, column in enumerate(("by (63)", "with K − 1 for 2", "by V₀")):
        x, y = [], []
        for i, k in enumerate(classes):
            of = chosen(answer.rows, K=k)
            x += (i + 0.22 + 0.28 * c + np.linspace(-0.08, 0.08, len(of))).tolist()
            y += np.log2(np.maximum(_column(of, column), 1e-3)).tolist()
        marks.append(dots(x, y, COLOURS[c], column, size=3.4))
    ratios = ("1/64", "1/16", "1/4", "1", "4")
    return chart(
        "True variance of B at B = 0, divided by what a formula says (right: 1)",
        kinds(classes, "classes"),
        scale(-7.5, 2.5, "ratio", at=(-6, -4, -2, 0, 2), said=ratios),
        marks,
        wide=700,
        legend="below",
    )


# ------------------------------------------------------------------ tests


@picture("conditioning")
def _conditioning(answer: Answer) -> Panels:
    """Size over the worlds of guessing, and power, side by side, at the largest N."""
    n = max(distinct(answer.rows, "N"))
    methods = [c for c, cell in answer.rows[0].items() if not isinstance(cell, (int, float, str))]
    plots = []
    for what, top in (("size", 0.07), ("power", 1.0)):
        of = [r for r in chosen(answer.rows, N=n) if (r["informedness"] == 0) == (what == "size")]
        marks: list[Mark] = [level(0.05, upright=True)] if what == "size" else []
        for y, m in enumerate(methods):
            colour = BLUE if m.startswith("fisher") else ORANGE
            marks.append(dots(_column(of, m), y, colour, size=4))
        head = f"{what} at N = {n}" + (", informedness .5" if what == "power" else "")
        x = scale(0, top, "share of p < .05")
        plots.append(chart(head, x, names(methods), marks, wide=300, tall=30 * len(methods)))
    return panels(plots, 2, "Conditional (blue) and unconditional (orange) tests, bias free")


# ------------------------------------------------------------------ systems


@picture("freedoms")
def _freedoms(answer: Answer) -> Panels:
    """Error rates against informedness, one panel for each kind of cases, at the largest K."""
    k = max(k for k in distinct(answer.rows, "K") if k <= 5)
    plots = []
    for cases in ("independent", "same"):
        marks: list[Mark] = [level(0.05, "nominal .05")]
        of = chosen(answer.rows, cases=cases, K=k)
        for n, style in zip(distinct(of, "N"), ("", "dashed"), strict=False):
            some = chosen(of, N=n)
            x = [r["informedness"] for r in some]
            columns = ("kbm, K − 1", "xbm, (K − 1)²", "compare")
            marks += [
                line(x, _column(some, column), colour, f"{column}, N = {n}", style)
                for column, colour in zip(columns, COLOURS, strict=False)
            ]
        across, up = scale(0, 0.9, "informedness of both"), "equal systems declared different"
        head = f"{cases} cases, K = {k}"
        plots.append(
            chart(head, across, scale(0, 1, up), marks, wide=380, tall=260, legend="below")
        )
    return panels(plots, 2, "Differences of χ² read with the papers' degrees of freedom")


# ------------------------------------------------------------------ generators


@picture("generators")
def _generators(answer: Answer) -> Panels:
    """A square for each finding and way of drawing: dark where it is so."""
    classes, ways = distinct(answer.rows, "K"), distinct(answer.rows, "way")
    plots = []
    for k in classes:
        rows = chosen(answer.rows, K=k)
        held = [(i, j, f.holds(r)) for i, r in enumerate(rows) for j, f in enumerate(FINDINGS)]
        marks = []
        for so, role, depth in ((True, "mark c2", 1.0), (False, "mark c4", 0.25)):
            x, y = ([float(h[axis]) for h in held if h[2] == so] for axis in (0, 1))
            left, top = np.array(x), np.array(y) - 0.5
            marks.append(Cells(left, top, left + 1, top + 1, role, [depth] * len(x), gap=1.5))
        says = [f.says if k == classes[0] else "" for f in FINDINGS]
        numbers = kinds(range(1, len(ways) + 1))
        tall = 26 * len(FINDINGS)
        plots.append(chart(f"K = {k}", numbers, names(says), marks, wide=26 * len(ways), tall=tall))
    listed = "; ".join(f"{i + 1} {way}" for i, way in enumerate(ways))
    return panels(plots, len(plots), "Blue: it is so", listed)
