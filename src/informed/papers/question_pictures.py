"""The pictures of the open questions, drawn from the rows of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from informed.documents.charts.chart import Chart, Panels
from informed.documents.charts.marks import Cells, Mark, Ranges, Rules, Texts, names, scale
from informed.papers.drawing import BLUE, COLOURS, ORANGE, WIDE, bars, chart, dots, kinds, level, line, panels
from informed.papers.questions import Rows, distinct, least, picture, question
from informed.papers.questions_generators import FINDINGS
from informed.papers.questions_measures import GUESSES, RANKERS
from informed.papers.texts import chosen, estimate
from informed.simulation.judging import values
from informed.simulation.two_classes import mixtures


def _column(rows: Rows, name: str) -> list[float]:
    return [estimate(r[name]).value for r in rows]


# ------------------------------------------------------------------ lines and bars, as data


def simple(rows: Rows, spec: Mapping[str, Any]) -> Chart:
    """Columns or groups of rows as lines over a column of numbers, or as bars over one of names.

    ``lines`` and ``bars`` name columns, or say ``{of = column, by = groups}``.
    """
    rows = chosen(rows, **spec.get("where", {}))
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


def _lines(spec: Mapping[str, Any], rows: Rows, at: list[float]) -> Iterator[Mark]:
    if "beside" in spec:  # a line that all groups share
        y = _column(rows, spec["beside"]["of"])[: len(at)]
        yield line(at, y, "", spec["beside"]["name"], "dashed")
    less = np.array(at) if spec.get("less_x") else 0.0
    for (name, y), colour in zip(_series(spec["lines"], rows).items(), COLOURS, strict=False):
        yield line(at, y - less, colour, name, "thick" if name == spec.get("thick") else "")


def _series(asked: Any, rows: Rows) -> dict[str, Any]:
    """Values by name: of columns, or of one column by groups."""
    if isinstance(asked, list):
        return {column: np.array(_column(rows, column)) for column in asked}
    head, by = asked.get("head", "{}"), asked["by"]
    return {
        head.format(group): np.array(_column(chosen(rows, **{by: group}), asked["of"])) for group in distinct(rows, by)
    }


for _name, _text in question.texts.items():
    if "picture" in _text:
        picture(_name)(partial(simple, spec=_text["picture"]))


def multiples(rows: Rows, by: str, columns: int, title: str, draw: Callable[[Any, Rows], Chart]) -> Panels:
    """A chart for each value of a column, of the rows that have it, side by side."""
    return panels([draw(x, chosen(rows, **{by: x})) for x in distinct(rows, by)], columns, title)


# ------------------------------------------------------------------ measures


@picture("rankers")
def _rankers(rows: Rows) -> Panels:
    """A panel for each prevalence: how often each measure is wrong, against the cases."""
    return _misled(rows, "prevalence", "{:.0%} positive", "rankers", 3, wide=250)


@picture("prices")
def _prices(rows: Rows) -> Panels:
    """A panel for each prevalence and price."""
    heads = [f"{r['prevalence']:.0%} positive, a miss costs {r['price']}" for r in rows]
    return _misled([{**r, "world": h} for r, h in zip(rows, heads, strict=True)], "world", "{}", "prices", 4, wide=210)


def _misled(rows: Rows, by: str, head: str, name: str, columns: int, *, wide: int) -> Panels:
    """Lines of the measures that are asked which of two systems is better."""
    cases, worlds = distinct(rows, "N"), distinct(rows, by)
    named = worlds[(len(worlds) - 1) // columns * columns]  # the first of the last row has the names below it
    x = scale(min(cases), max(cases), "cases", at=cases, log=True)
    plots = []
    for i, world in enumerate(worlds):
        some = chosen(rows, **{by: world})
        marks: list[Mark] = []
        for short, colour in reversed(list(zip([*RANKERS, "cost"], COLOURS, strict=False))):  # informedness on top
            if short in some[0]:
                style = "thick" if short == "informedness" else "dashed" if short == "cost" else ""
                marks.append(line(cases, _column(some, short), colour, short if world == named else "", style))
        y = scale(0, 0.55, "" if i % columns else "prefers the worse", at=(0, 0.1, 0.2, 0.3, 0.4, 0.5))
        plots.append(chart(head.format(world), x, y, marks, wide=wide, tall=200, legend="below"))
    words = question.texts[name]["words"]
    return panels(plots, columns, words["title"], words["foot"])


@picture("kappa")
def _kappa(rows: Rows) -> Chart:
    marks: list[Mark] = [level(0.5, "informedness")]
    for q, colour in zip(distinct(rows, "prevalence"), COLOURS, strict=False):
        t = mixtures(0.5, q, GUESSES)
        marks.append(line(GUESSES, values(t, "cohen_kappa"), colour, f"prevalence {q:g}"))
        marks.append(line(GUESSES, values(t, "matthews"), colour, style="dashed"))
    x, y = scale(0, 1, "share of guesses that say positive"), scale(0, 0.75, "value")
    return chart("Kappa (line) and MCC (dashed) at informedness .5", x, y, marks)


@picture("naming")
def _naming(rows: Rows) -> Chart:
    some = chosen(rows, known=0)
    cases = [f"{r['clusters']}→{r['classes']}, N={r['N']}" for r in some]
    marks: list[Mark] = [
        *bars({name: _column(some, name) for name in ("named", "corrected")}),
        Rules([6.0], "here"),
        Texts([6.0], [0.46], ["one-to-one"], "tiny", "end", -6),
        Texts([6.0], [0.46], ["many-to-one"], "tiny", "start", 6),
    ]
    title = "Clusters that know nothing, named at their best (red) and corrected (blue)"
    y = scale(-0.05, 0.5, "mean informedness")
    return chart(title, kinds(cases), y, marks, wide=1000, legend="below")


# ------------------------------------------------------------------ intervals


@picture("coverage")
def _coverage(rows: Rows) -> Panels:
    """A panel for each number of classes: least coverage over the truths against cases a class."""
    methods = ("arc", "plus-four", "wald", "powers-0", "powers-1", "powers-2")
    x = scale(2, 512, "cases a class", at=[2**i for i in range(1, 10)], log=True)
    y = scale(0, 1.02, "least coverage over the truths")

    def panel(k: int, some: Rows) -> Chart:
        marks: list[Mark] = [level(0.95)]
        for method, colour in zip(methods, COLOURS, strict=False):
            of = chosen(some, method=method)
            each = sorted(distinct(of, "N/K"))
            low = [least([r["coverage"] for r in chosen(of, **{"N/K": m})]).value for m in each]
            style = "thick" if method == "arc" else "thin"
            marks.append(line(each, low, colour, method if k == 2 else "", style))
        return chart(f"K = {k}", x, y, marks, wide=330, tall=230, legend="below")

    title = "Least coverage of 95 % intervals of informedness"
    return multiples(chosen(rows, measure="informedness"), "K", 3, title, panel)


@picture("bars")
def _bars(rows: Rows) -> Panels:
    """Least to greatest coverage of each combination, a column for each number of classes."""
    divisors = distinct(rows, "divisor")
    forms = [(root, d) for root in distinct(rows, "√sse") for d in divisors]
    x, y = scale(0, 1, "coverage over ten truths"), names([f"{root}, {d}" for root, d in forms])

    def panel(k: int, some: Rows) -> Chart:
        marks: list[Mark] = [level(0.95, upright=True)]
        for at, (root, d) in enumerate(forms):
            found = _column(chosen(some, **{"√sse": root, "divisor": d}), "coverage")
            colour, low, high = COLOURS[divisors.index(d)], min(found), max(found)
            marks.append(Ranges([low], [at], [high], [at], f"curve {colour}"))
            marks.append(dots([low, float(np.mean(found)), high], at, colour))
        return chart(f"K = {k}", x, y, marks, wide=240, tall=16 * len(forms))

    return multiples(rows, "K", 3, "Coverage of the papers' error bars by √sse and divisor", panel)


@picture("evenness")
def _evenness(rows: Rows) -> Chart:
    classes = distinct(rows, "K")
    marks: list[Mark] = [level(0.0)]
    for c, column in enumerate(("by (63)", "with K − 1 for 2", "by V₀")):
        found = [_column(chosen(rows, K=k), column) for k in classes]
        x = [i + 0.22 + 0.28 * c + np.linspace(-0.08, 0.08, len(of)) for i, of in enumerate(found)]
        y = np.log2(np.maximum(np.concatenate(found), 1e-3))
        marks.append(dots(np.concatenate(x), y, COLOURS[c], column, size=3.4))
    title = "True variance of B at B = 0, divided by what a formula says (right: 1)"
    ratios = scale(-7.5, 2.5, "ratio", at=range(-6, 3, 2), said=("1/64", "1/16", "1/4", "1", "4"))
    return chart(title, kinds(classes, "classes"), ratios, marks, wide=700, legend="below")


# ------------------------------------------------------------------ tests and systems


@picture("conditioning")
def _conditioning(rows: Rows) -> Panels:
    """Size over the worlds of guessing, and power, side by side, at the largest N."""
    n = max(distinct(rows, "N"))
    methods = [c for c, cell in rows[0].items() if not isinstance(cell, (int, float, str))]

    def panel(known: float, some: Rows) -> Chart:
        marks: list[Mark] = [] if known else [level(0.05, upright=True)]
        for y, m in enumerate(methods):
            colour = BLUE if m.startswith("fisher") else ORANGE
            marks.append(dots(_column(some, m), y, colour, size=4))
        head = f"power at N = {n}, informedness .5" if known else f"size at N = {n}"
        x = scale(0, 1.0 if known else 0.07, "share of p < .05")
        return chart(head, x, names(methods), marks, wide=300, tall=30 * len(methods))

    title = "Conditional (blue) and unconditional (orange) tests, bias free"
    return multiples(chosen(rows, N=n), "informedness", 2, title, panel)


@picture("freedoms")
def _freedoms(rows: Rows) -> Panels:
    """Error rates against informedness, one panel for each kind of cases, at the largest K."""
    k = max(k for k in distinct(rows, "K") if k <= 5)
    columns = ("kbm, K − 1", "xbm, (K − 1)²", "compare")
    x, y = scale(0, 0.9, "informedness of both"), scale(0, 1, "equal systems declared different")

    def panel(cases: str, some: Rows) -> Chart:
        marks: list[Mark] = [level(0.05, "nominal .05")]
        for n, style in zip(distinct(some, "N"), ("", "dashed"), strict=False):
            of = chosen(some, N=n)
            marks += [
                line(_column(of, "informedness"), _column(of, c), colour, f"{c}, N = {n}", style)
                for c, colour in zip(columns, COLOURS, strict=False)
            ]
        head = f"{cases} cases, K = {k}"
        return chart(head, x, y, marks, wide=380, tall=260, legend="below")

    title = "Differences of χ² read with the papers' degrees of freedom"
    return multiples(chosen(rows, K=k), "cases", 2, title, panel)


# ------------------------------------------------------------------ generators


@picture("generators")
def _generators(rows: Rows) -> Panels:
    """A square for each finding and way of drawing: dark where it is so."""
    classes, ways = distinct(rows, "K"), distinct(rows, "way")
    plots = []
    for k in classes:
        so = np.array([[f.holds(r) for f in FINDINGS] for r in chosen(rows, K=k)])
        marks = []
        for these, role, depth in ((so, "mark c2", 1.0), (~so, "mark c4", 0.25)):
            x, y = (at.astype(float) for at in np.nonzero(these))
            marks.append(Cells(x, y - 0.5, x + 1, y + 0.5, role, [depth] * len(x), gap=1.5))
        axes = kinds(range(1, len(ways) + 1)), names([f.says * (k == classes[0]) for f in FINDINGS])
        wide, tall = 26.0 * len(ways), 26.0 * len(FINDINGS)
        plots.append(chart(f"K = {k}", *axes, marks, wide=wide, tall=tall))
    listed = "; ".join(f"{i + 1} {way}" for i, way in enumerate(ways))
    return panels(plots, len(plots), "Blue: it is so", listed)
