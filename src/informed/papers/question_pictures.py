"""The pictures of the open questions, drawn from the rows of a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from informed.papers import plot as draw
from informed.papers.question import Answer, Row, distinct, least
from informed.papers.questions_generators import FINDINGS
from informed.papers.texts import chosen, estimate

Picture: TypeAlias = Callable[[Answer], str]

PICTURES: dict[str, Picture] = {}


def picture(name: str) -> Callable[[Picture], Picture]:
    """Register the picture of a question under its name."""

    def add(drawn: Picture) -> Picture:
        PICTURES[name] = drawn
        return drawn

    return add


def _column(rows: list[Row], name: str) -> list[float]:
    return [estimate(r[name]).value for r in rows]


def _middles(names: Any) -> list[float]:
    """Where names stand along an axis on which each has a unit."""
    return [i + 0.5 for i in range(len(names))]


# ------------------------------------------------------------------ measures


@picture("rankers")
def _rankers(answer: Answer) -> str:
    """A map for each measure: how often it is wrong, by prevalence and by the gap in bias."""
    plots = []
    for short, wrong in answer.beside.items():
        steps = len(wrong["map"])
        p = draw.Plot(f"{short}: {100 * wrong['share']:.0f} %", (0, 1), (-1, 1), "prevalence",
                      "more “positive” from the worse one" if short == "accuracy" else "",
                      width=236, height=262, x_ticks=[0, 0.5, 1], y_ticks=[-1, 0, 1])  # fmt: skip
        for at, value in enumerate(wrong["map"].ravel().tolist()):
            if value:
                x, y = at % steps / steps, at // steps / steps * 2 - 1
                p.box(x, x + 1.04 / steps, y, y + 2.08 / steps, draw.shade(value), crisp=True)
        if short == "informedness":
            p.text(0.5, -0.06, "never", draw.FAINT, "middle")
        plots.append(p)
    return draw.row(
        plots,
        title="How often does a measure prefer the system that knows less? (share of all pairs)",
        foot="Pairs of systems for the same cases, one informed .1 more than the other. White: the "
        "measure ranks them rightly; dark: it prefers the one that knows less, every time. "
        "Upwards: the one that knows less says “positive” more often when it guesses.",
    )


@picture("weightings")
def _weightings(answer: Answer) -> str:
    worlds = distinct(answer.rows, "world")
    p = draw.Plot("Standard deviation of K-class informedness, K = 4, N = 128", (0, 4), (0, 0.32),
                  "", "standard deviation", width=860, height=400,
                  x_ticks=_middles(worlds), x_names=worlds)  # fmt: skip
    for i, weighting in enumerate(distinct(answer.rows, "weighting")):
        p.legend.append((weighting, draw.COLOURS[i], "band"))
        for j, v in enumerate(_column(chosen(answer.rows, weighting=weighting), "deviation")):
            p.box(j + 0.1 + 0.13 * i, j + 0.22 + 0.13 * i, 0, v, draw.COLOURS[i])
    return p.svg()


@picture("determinant")
def _determinant(answer: Answer) -> str:
    p = draw.Plot("Determinant estimates, K = 4, N = 128: mean − level", (0, 1), (-0.2, 0.12),
                  "true informedness", "bias", width=680, height=400,
                  legend_right=True, legend_low=True)  # fmt: skip
    p.line([0, 1], [0, 0], draw.FAINT, "", "3 3")
    some = chosen(answer.rows, N=128, classes="all alike")
    columns = ("size, 1/(K−1)", "size, 2/K", "signed, 1/(K−1)", "de-biased")
    for column, colour in zip(columns, draw.COLOURS, strict=False):
        x = np.array([r["level"] for r in some])
        p.line(x, _column(some, column) - x, colour, column)
    return p.svg()


@picture("kappa")
def _kappa(answer: Answer) -> str:
    p = draw.Plot("Kappa (line) and MCC (dashed) at informedness .5", (0, 1), (0, 0.75),
                  "share of guesses that say positive", "value", width=680, height=400,
                  legend_low=True)  # fmt: skip
    p.line([0, 1], [0.5, 0.5], draw.FAINT, "informedness", "3 3")
    for q, colour in zip(distinct(answer.rows, "prevalence"), draw.COLOURS, strict=False):
        guesses, kappa, mcc = answer.beside[q]
        p.line(guesses, kappa, colour, f"prevalence {q:g}").line(guesses, mcc, colour, "", "5 3")
    return p.svg()


@picture("cramer")
def _cramer(answer: Answer) -> str:
    p = draw.Plot("Mean − level, K = 4, N = 16", (0, 0.9), (-0.1, 0.5), "true informedness", "bias",
                  width=680, height=380, legend_right=True)  # fmt: skip
    some = chosen(answer.rows, N=16)
    levels = np.array([r["level"] for r in some])
    for short, colour in zip(("V", "corrected V", "B", "C", "R_K"), draw.COLOURS, strict=False):
        p.line(levels, _column(some, short) - levels, colour, short)
    return p.svg()


@picture("abstention")
def _abstention(answer: Answer) -> str:
    p = draw.Plot("Discounted (red) and exact (blue) informedness of all cases", (0, 3), (0, 0.5),
                  "abstains on", "informedness", width=620, height=360, x_ticks=[0.5, 1.5, 2.5],
                  x_names=distinct(answer.rows, "abstains on"))  # fmt: skip
    for j, r in enumerate(answer.rows):
        p.box(j + 0.2, j + 0.48, 0, estimate(r["discounted"]).value, draw.RED)
        p.box(j + 0.52, j + 0.8, 0, estimate(r["of all"]).value, draw.BLUE)
    return p.svg()


@picture("naming")
def _naming(answer: Answer) -> str:
    some = chosen(answer.rows, known=0)
    names = [f"{r['clusters']}→{r['classes']}, N={r['N']}" for r in some]
    p = draw.Plot("Clusters that know nothing, named at their best (red) and corrected (blue)",
                  (0, len(names)), (-0.05, 0.5), "", "mean informedness", width=1010, height=400,
                  x_ticks=_middles(names), x_names=names)  # fmt: skip
    p.line([0, len(names)], [0, 0], draw.INK, "", "4 3", 1)
    p.line([6, 6], [-0.05, 0.5], draw.FAINT, "", "2 3", 1)
    p.text(5.9, 0.46, "one-to-one", anchor="end").text(6.1, 0.46, "many-to-one")
    for i, r in enumerate(some):
        named, corrected = estimate(r["named"]).value, estimate(r["corrected"]).value
        p.box(i + 0.2, i + 0.5, 0, named, draw.RED)
        p.box(i + 0.5, i + 0.8, min(corrected, 0), max(corrected, 0), draw.BLUE)
    return p.svg()


# ------------------------------------------------------------------ intervals


@picture("coverage")
def _coverage(answer: Answer) -> str:
    """A panel for each number of classes: least coverage over the truths against cases a class."""
    plots = []
    some = chosen(answer.rows, measure="informedness")
    ticks = [2**i for i in range(1, 10)]
    methods = ("arc", "plus-four", "wald", "powers-0", "powers-1", "powers-2")
    for k in distinct(some, "K"):
        p = draw.Plot(f"K = {k}", (1, 9), (0, 1.02), "cases a class",
                      "least coverage over the truths", width=430, height=330,
                      x_ticks=[float(np.log2(m)) for m in ticks], x_names=[str(m) for m in ticks],
                      legend_low=True)  # fmt: skip
        p.line([1, 9], [0.95, 0.95], draw.INK, "", "4 3", 1)
        for method, colour in zip(methods, draw.COLOURS, strict=False):
            of = chosen(some, K=k, method=method)
            each = sorted(distinct(of, "N/K"))
            y = [least([r["coverage"] for r in of if r["N/K"] == m]).value for m in each]
            thick = 3.0 if method == "arc" else 1.6
            p.line(np.log2(each), y, colour, method if k == 2 else "", thick=thick)
        plots.append(p)
    return draw.grid(plots, 3, title="Least coverage of 95 % intervals of informedness")


@picture("bars")
def _bars(answer: Answer) -> str:
    """Least to greatest coverage of each combination, a column for each number of classes."""
    divisors = distinct(answer.rows, "divisor")
    forms = [(root, d) for root in distinct(answer.rows, "√sse") for d in divisors]
    names = [f"{root}, {d}" for root, d in forms]
    plots = []
    for k in distinct(answer.rows, "K"):
        p = draw.Plot(f"K = {k}", (0, 1), (0, len(names)), "coverage over ten truths",
                      width=420, height=400, y_ticks=_middles(names)[::-1],
                      y_names=names)  # fmt: skip
        p.line([0.95, 0.95], [0, len(names)], draw.INK, "", "4 3", 1)
        for (root, d), y in zip(forms, _middles(names)[::-1], strict=True):
            found = _column(chosen(answer.rows, **{"√sse": root, "divisor": d, "K": k}), "coverage")
            colour = draw.COLOURS[divisors.index(d)]
            p.line([min(found), max(found)], [y, y], colour, thick=2)
            p.dots([min(found), float(np.mean(found)), max(found)], [y] * 3, colour, r=2.4)
        plots.append(p)
    return draw.grid(plots, 3, title="Coverage of the papers' error bars by √sse and divisor")


@picture("evenness")
def _evenness(answer: Answer) -> str:
    classes = distinct(answer.rows, "K")
    p = draw.Plot("True variance of B at B = 0, divided by what a formula says (right: 1)",
                  (0, len(classes)), (-7.5, 2.5), "classes", "ratio", width=900, height=430,
                  x_ticks=_middles(classes), x_names=[str(k) for k in classes],
                  y_ticks=[-6, -4, -2, 0, 2],
                  y_names=["1/64", "1/16", "1/4", "1", "4"], legend_low=True)  # fmt: skip
    p.line([0, len(classes)], [0, 0], draw.INK, "", "4 3", 1)
    for c, column in enumerate(("by (63)", "with K − 1 for 2", "by V₀")):
        p.legend.append((column, draw.COLOURS[c], "dot"))
        for i, k in enumerate(classes):
            of = chosen(answer.rows, K=k)
            x = i + 0.22 + 0.28 * c + np.linspace(-0.08, 0.08, len(of))
            p.dots(x, np.log2(np.maximum(_column(of, column), 1e-3)), draw.COLOURS[c], r=3.4)
    return p.svg()


# ------------------------------------------------------------------ tests


@picture("family")
def _family(answer: Answer) -> str:
    p = draw.Plot("How often each test rejects, K = 5, N = 40", (0, 0.5), (0, 1),
                  "true informedness", "share of p < .05", width=760, height=430)  # fmt: skip
    p.line([0, 0.5], [0.05, 0.05], draw.INK, "nominal .05", "4 3", 1)
    curves = chosen(answer.rows, margins="curve")
    for method, colour in zip(distinct(curves, "method"), draw.COLOURS, strict=True):
        curve = chosen(curves, method=method)
        p.line([r["level"] for r in curve], _column(curve, "rejects"), colour, method,
               thick=3.0 if method == "permutation-z" else 1.8)  # fmt: skip
    return p.svg()


@picture("conditioning")
def _conditioning(answer: Answer) -> str:
    """Size over the worlds of guessing, and power, side by side, at the largest N."""
    n = max(distinct(answer.rows, "N"))
    methods = [c for c, cell in answer.rows[0].items() if not isinstance(cell, (int, float, str))]
    plots = []
    for what, top in (("size", 0.07), ("power", 1.0)):
        of = [r for r in chosen(answer.rows, N=n) if (r["informedness"] == 0) == (what == "size")]
        p = draw.Plot(f"{what} at N = {n}" + (", informedness .5" if what == "power" else ""),
                      (0, top), (0, len(methods)), "share of p < .05", width=470, height=330,
                      y_ticks=_middles(methods)[::-1], y_names=methods)  # fmt: skip
        if what == "size":
            p.line([0.05, 0.05], [0, len(methods)], draw.INK, "", "4 3", 1)
        for m, y in zip(methods, _middles(methods)[::-1], strict=True):
            x = _column(of, m)
            colour = draw.BLUE if m.startswith("fisher") else draw.ORANGE
            p.dots(x, np.full(len(x), y), colour, r=4)
        plots.append(p)
    return draw.row(plots, title="Conditional (blue) and unconditional (orange) tests, bias free")


@picture("posterior")
def _posterior(answer: Answer) -> str:
    at = np.log10(distinct(answer.rows, "p"))
    p = draw.Plot("Share of B = 0 among experiments with this p", (-3, -1), (0, 0.9), "p",
                  "share with no information", width=680, height=400,
                  x_ticks=list(at), x_names=[f"{10**x:g}" for x in at])  # fmt: skip
    p.line(at, _column(answer.rows, "Sellke")[: len(at)], draw.INK, "Sellke's bound", "4 3")
    for reach, colour in zip(distinct(answer.rows, "effects up to"), draw.COLOURS, strict=False):
        some = chosen(answer.rows, **{"effects up to": reach})
        p.line(at, _column(some, "true share of B = 0"), colour, f"effects up to {reach:g}")
    return p.svg()


@picture("small")
def _small(answer: Answer) -> str:
    two = chosen(answer.rows, K=2)
    at = [float(np.log2(r["N"])) for r in two]
    p = draw.Plot("Size at nominal .05, K = 2, nothing known", (np.log2(6), 6), (0, 0.16), "N",
                  "share of p < .05", width=680, height=380,
                  x_ticks=at, x_names=[str(r["N"]) for r in two])  # fmt: skip
    for method, colour in zip(("permutation-z", "pearson", "g", "kb"), draw.COLOURS, strict=False):
        p.line(at, _column(two, f"size of {method}"), colour, f"size of {method}")
    p.line([np.log2(6), 6], [0.05, 0.05], draw.INK, "", "4 3")
    return p.svg()


# ------------------------------------------------------------------ systems


@picture("outside")
def _outside(answer: Answer) -> str:
    cases = distinct(answer.rows, "cases")
    p = draw.Plot("Equal systems declared different (nominal .05)", (0, 4), (0, 0.22), "",
                  "share of comparisons", width=760, height=380, x_ticks=_middles(cases),
                  x_names=cases, legend_right=True)  # fmt: skip
    columns = ("b outside a's", "each outside the other's", "unpaired z", "compare")
    for c, column in enumerate(columns):
        p.legend.append((column, draw.COLOURS[c], "band"))
        for at, value in enumerate(_column(answer.rows, column)):
            left = at + 0.12 + 0.19 * c
            p.box(left, left + 0.17, 0, value, draw.COLOURS[c])
    p.line([0, 4], [0.05, 0.05], draw.INK, "", "4 3")
    return p.svg()


@picture("freedoms")
def _freedoms(answer: Answer) -> str:
    """Error rates against informedness, one panel for each kind of cases, at the largest K."""
    k = max(k for k in distinct(answer.rows, "K") if k <= 5)
    plots = []
    for cases in ("independent", "same"):
        p = draw.Plot(f"{cases} cases, K = {k}", (0, 0.9), (0, 1), "informedness of both",
                      "equal systems declared different", width=470, height=360)  # fmt: skip
        p.line([0, 0.9], [0.05, 0.05], draw.INK, "nominal .05", "4 3", 1)
        of = chosen(answer.rows, cases=cases, K=k)
        for n, dash in zip(distinct(of, "N"), ("", "5 3"), strict=False):
            some = chosen(of, N=n)
            columns = ("kbm, K − 1", "xbm, (K − 1)²", "compare")
            for column, colour in zip(columns, draw.COLOURS, strict=False):
                p.line([r["informedness"] for r in some], _column(some, column), colour,
                       f"{column}, N = {n}", dash)  # fmt: skip
        plots.append(p)
    return draw.row(plots, title="Differences of χ² read with the papers' degrees of freedom")


@picture("discoveries")
def _discoveries(answer: Answer) -> str:
    cases = distinct(answer.rows, "cases")
    p = draw.Plot("False discoveries at a nominal 5 % (right: below the line)", (0, 3), (0, 0.75),
                  "", "share of what is found", width=760, height=380, x_ticks=_middles(cases),
                  x_names=cases)  # fmt: skip
    for c, method in enumerate(distinct(answer.rows, "intervals")):
        p.legend.append((method, draw.COLOURS[c], "band"))
        found = _column(chosen(answer.rows, intervals=method), "false discoveries")
        for at, value in enumerate(found):
            left = at + 0.1 + 0.16 * c
            p.box(left, left + 0.14, 0, value, draw.COLOURS[c])
    p.line([0, 3], [0.05, 0.05], draw.INK, "", "4 3")
    return p.svg()


# ------------------------------------------------------------------ generators


@picture("generators")
def _generators(answer: Answer) -> str:
    """A square for each finding and way of drawing: dark where it is so."""
    classes, ways = distinct(answer.rows, "K"), distinct(answer.rows, "way")
    findings = FINDINGS
    plots = []
    for k in classes:
        first = k == classes[0]
        p = draw.Plot(f"K = {k}", (0, len(ways)), (0, len(findings)),
                      width=560 if first else 370, height=520,
                      x_ticks=_middles(ways), x_names=[str(i + 1) for i in range(len(ways))],
                      y_ticks=_middles(findings)[::-1],
                      y_names=[f.says if first else "" for f in findings])  # fmt: skip
        for i, r in enumerate(chosen(answer.rows, K=k)):
            for j, finding in enumerate(findings):
                top = len(findings) - j
                colour = draw.BLUE if finding.holds(r) else "#f3d9c6"
                p.box(i + 0.06, i + 0.94, top - 0.94, top - 0.06, colour)
        plots.append(p)
    listed = "; ".join(f"{i + 1} {way}" for i, way in enumerate(ways))
    return draw.row(plots, title="Blue: it is so", foot=listed)
