"""Open questions about intervals: which of them cover, and what the margins do to the error."""

from __future__ import annotations

from typing import Any

import numpy as np

from informed.evidence.table import Table
from informed.inference.intervals import interval
from informed.inference.tests import test
from informed.papers import plot as draw
from informed.papers.question import (
    COARSE,
    Answer,
    Rng,
    Row,
    chosen,
    estimate,
    least,
    question,
    span,
    values,
)
from informed.simulation.estimates import Estimate, mean, quotient, share
from informed.simulation.generators import multinomial, population

CLASSES = (2, 3, 5, 10, 30, 102)
EACH = (2, 4, 8, 16, 32, 64, 128, 256, 512)  # cases a class
TRUTHS = (0.0, 0.5, 0.9, 0.98)

CLOSED = ("plus-four", "wald", "powers-0", "powers-1", "powers-2")
OF_TWO = ("newcombe", "mover-jeffreys", "miettinen-nurminen", "agresti-caffo")
DRAWN = ("dirichlet", "bootstrap-percentile", "bootstrap-bca", "bootstrap-t")
SHARE = {  # of the tables, by classes: what a method costs grows with the cells
    "closed": {2: 1, 3: 1, 5: 1, 10: 1, 30: 1 / 2, 102: 1 / 16},
    "arc": {2: 1, 3: 1, 5: 1 / 2, 10: 1 / 4, 30: 1 / 10, 102: 3 / 200},
    "drawn": {2: 1 / 20, 3: 1 / 20, 5: 1 / 20, 10: 1 / 40},
    "exact": {2: 1 / 40},
}


def covered(t: Table, measure: str, method: str, truth: float, **how: Any) -> tuple[Any, Any]:
    """Whether the interval of each table holds the truth, and its width; undefined tables left out.

    A defined table without a finite interval is one that does not hold it.
    """
    found = interval(t, measure, method=method, **how)
    low, high = np.asarray(found.low), np.asarray(found.high)
    defined = ~np.isnan(np.asarray(found.estimate))
    held = np.isfinite(low) & np.isfinite(high) & (low <= truth + 1e-12) & (high >= truth - 1e-12)
    return held[defined], (high - low)[defined & np.isfinite(high - low)]


def _worlds(coarse: bool) -> list[tuple[int, int, float]]:
    classes, each = ((2, 5), (2, 32)) if coarse else (CLASSES, EACH)
    return [(k, m, g) for k in classes for m in each for g in TRUTHS]


def _asked_of(k: int, each: int, level: float, size: int) -> list[tuple[str, str, int]]:
    """Measure, method and tables for a world."""

    def many(cost: str) -> int:
        return max(round(size * SHARE[cost][k]), 40)

    slow = k > 30 and each not in (2, 8, 32, 128, 512)
    asked = [] if slow else [("informedness", "arc", many("arc"))]
    asked += [("informedness", m, many("closed")) for m in CLOSED]
    if k == 2:
        asked += [("informedness", m, many("closed")) for m in OF_TWO]
    if k <= 10 and each in (2, 8, 32, 128) and level < 0.98 and size >= COARSE:
        asked += [("informedness", m, many("drawn")) for m in DRAWN]
        if k == 2:
            asked.append(("informedness", "score-exact", many("exact")))
    if k <= 30 and each in (4, 32) and level in (0.5, 0.9):
        asked += [(m, "arc", many("arc")) for m in ("markedness", "correlation")]
        asked += [(m, "powers-1", many("closed")) for m in ("markedness", "correlation")]
    return asked


def _of_methods(rows: list[Row]) -> list[Row]:
    """Least coverage over the truths, by method and classes, for some cases a class."""
    out: list[Row] = []
    for measure in ("informedness", "markedness", "correlation"):
        some = chosen(rows, measure=measure)
        for method in dict.fromkeys(r["method"] for r in some):
            for k in CLASSES:
                of = chosen(some, method=method, K=k)
                if not of:
                    continue
                row: Row = {"measure": measure, "method": method, "K": k}
                for each in (2, 4, 8, 32, 128, 512):
                    at = [r["coverage"] for r in of if r["N/K"] == each]
                    row[f"N/K = {each}"] = least(at) if at else ""
                held = [estimate(r["coverage"]).value for r in of]
                row["mean of all"] = f"{np.mean(held):.3f}"
                out.append(row)
    return out


@question(
    "coverage",
    "5",
    asks="Which intervals cover, over classes and cases, and near B = 1?",
    ran="95 % intervals of informedness, K = 2, 3, 5, 10, 30 and 102, N/K = 2, 4, … 512, true "
    "informedness 0, .5, .9 and .98, even prevalences, honest sampling. Tables an entry: 4,000 "
    "for closed forms (K = 30: 2,000; 102: 250), 4,000 for arc (K = 5: 2,000; 10: 1,000; 30: 400; "
    "102: 60, every other N/K), 200 for resampling with 1,000 draws (K = 10: 100) at N/K = 2, 8, "
    "32 and 128 and informedness up to .9, 100 for score-exact; markedness and correlation at "
    "N/K = 4 and 32. The page shows the least coverage over the truths; the data hold all, with "
    "widths",
    says="The arc, the default, holds the truth in .942 or more of the samples for up to "
    "five classes, and within Monte Carlo error of .95 or above for ten, 30 and 102, from two "
    "cases a class to 512 and from B = 0 to .98; so it does for markedness and correlation. "
    "Plus-four is 1 % wider and as good from three classes up (.88 with two classes and four "
    "cases); from ten classes up it costs a fiftieth. Near B = 1 most others fail: the delta "
    "method (wald) holds .98 in 3 % of the samples with two classes and four cases, and in "
    ".88 to .94 with 128 to 512 in each; the bootstraps need 32 to 128 at K = 2 and 3, since a "
    "table without errors resamples to itself; the Dirichlet posterior is a few hundredths short. "
    "Miettinen–Nurminen, MOVER–Jeffreys and Newcombe dip to .92, .91 and .88 with two "
    "classes. Of the papers' bars CI_B0 covers too little with two classes and almost always "
    "with more, CI_B1 between .45 and 1, CI_B2 down to nothing.",
    condense=_of_methods,
)
def _coverage(rng: Rng, size: int) -> Answer:
    rows: list[Row] = []
    for k, each, level in _worlds(size < COARSE):
        truth = population(level, k=k)
        asked = _asked_of(k, each, level, size)
        t = multinomial(rng, level, k=k, n=k * each, size=max(m for *_, m in asked))
        for measure, method, many in asked:
            how = {"rng": rng, "n_draws": 1000} if method in DRAWN else {}
            aim = float(values(truth, measure))
            held, width = covered(t[:many], measure, method, aim, **how)
            rows.append(
                {"measure": measure, "method": method, "K": k, "N/K": each, "level": level,
                 "coverage": share(held), "width": mean(width), "tables": len(held)}
            )  # fmt: skip
    return rows, _coverage_picture(rows)


def _coverage_picture(rows: list[Row]) -> str:
    """A panel for each number of classes: least coverage over the truths against cases a class."""
    plots = []
    some = chosen(rows, measure="informedness")
    for k in dict.fromkeys(r["K"] for r in some):
        p = draw.Plot(f"K = {k}", (1, 9), (0, 1.02), "cases a class",
                      "least coverage over the truths", width=430, height=330,
                      x_ticks=[float(np.log2(m)) for m in EACH], x_names=[str(m) for m in EACH],
                      legend_low=True)  # fmt: skip
        p.line([1, 9], [0.95, 0.95], draw.INK, "", "4 3", 1)
        for method, colour in zip(("arc", *CLOSED), draw.COLOURS, strict=False):
            of = chosen(some, K=k, method=method)
            each = sorted({r["N/K"] for r in of})
            y = [least([r["coverage"] for r in of if r["N/K"] == m]).value for m in each]
            thick = 3.0 if method == "arc" else 1.6
            p.line(np.log2(each), y, colour, method if k == 2 else "", thick=thick)
        plots.append(p)
    return draw.grid(plots, 3, title="Least coverage of 95 % intervals of informedness")


# ------------------------------------------------------------------ the papers' error bars

ROOTS = {
    "1": "null",
    "1 − |B|": "complement",
    "1 − 2|B| + 2B²": "weighted",
    "½": "arithmetic",
    "√(|B|(1 − |B|))": "geometric",
    "2|B|(1 − |B|)": "harmonic",
    "max(|B|, 1 − |B|)": "max",
}
DIVISORS = ("2E", "1", "(K − 1)E")


def _spans(rows: list[Row]) -> list[Row]:
    """Least to greatest coverage over truths and margins."""
    out: list[Row] = []
    for root in ROOTS:
        for divisor in DIVISORS:
            of = chosen(rows, **{"√sse": root, "divisor": divisor})
            row: Row = {"√sse": root, "divisor": divisor}
            for k in dict.fromkeys(r["K"] for r in of):
                row[f"K = {k}"] = span([r["coverage"] for r in chosen(of, K=k)])
            out.append(row)
    return out


@question(
    "bars",
    "5",
    asks="Does any mean of |B| and 1 − |B|, with any divisor, make the papers' error bars cover?",
    ran="bars B ± 1.96·√sse/√(d(N − 1)) with every mean the papers name and d = 2E (theirs), 1 "
    "(without the factor) and (K − 1)E (right at B = 0 with even margins); N = 32K, informedness "
    "0, .3, .5, .7 and .9, even prevalences guessed evenly or 10:1 guessed in reverse; least to "
    "greatest coverage over these ten truths. 4,000 tables each, 1,000 at K = 30, 250 at K = 102",
    says="No. The error of B does not have the shape of any of these means. The recommended 1 − "
    "2|B| + 2B² over 2E covers between .58 and .98 with two classes and between .78 and 1 "
    "with 102; the divisor (K − 1)E is right at B = 0 and the worse above it the more classes "
    "there are, since the error at B = .5 hardly falls with K; the geometric and the harmonic "
    "mean vanish at 0 and at 1. Only the widest, √sse = 1 without any divisor, holds .94 or "
    "more everywhere, at a width that pays no attention to the data. None of them is a "
    "default here, and none became one.",
    condense=_spans,
)
def _bars(rng: Rng, size: int) -> Answer:
    rows: list[Row] = []
    parts = (
        {2: 1.0, 5: 1.0}
        if size < COARSE
        else {**dict.fromkeys(CLASSES, 1.0), 30: 1 / 4, 102: 1 / 16}
    )
    for k, part in parts.items():
        for margins, how in MARGINS.items():
            for level in (0.0, 0.3, 0.5, 0.7, 0.9):
                aim = float(values(population(level, k=k, **how), "informedness"))
                t = multinomial(rng, level, k=k, n=32 * k, size=max(round(size * part), 40), **how)
                for root, sse in ROOTS.items():
                    for divisor in DIVISORS:
                        own = {"sse": sse, "factor": {"2E": 2.0, "1": 1.0}.get(divisor, k - 1.0),
                               "evenness": "even" if divisor == "1" else "margins"}  # fmt: skip
                        held, _ = covered(t, "informedness", "powers-1", aim, **own)
                        rows.append({"√sse": root, "divisor": divisor, "K": k, "margins": margins,
                                     "level": level, "coverage": share(held)})  # fmt: skip
    return rows, _bars_picture(rows)


MARGINS: dict[str, dict[str, Any]] = {
    "even": {},
    "10:1, reversed": {"prevalence": "geometric", "guess": "reversed"},
}


def _bars_picture(rows: list[Row]) -> str:
    """Least to greatest coverage of each combination, a column for each number of classes."""
    classes = list(dict.fromkeys(r["K"] for r in rows))
    plots = []
    names = [f"{root}, {d}" for root in ROOTS for d in DIVISORS]
    for k in classes:
        p = draw.Plot(f"K = {k}", (0, 1), (0, len(names)), "coverage over ten truths",
                      width=420, height=400,
                      y_ticks=[len(names) - i - 0.5 for i in range(len(names))],
                      y_names=names)  # fmt: skip
        p.line([0.95, 0.95], [0, len(names)], draw.INK, "", "4 3", 1)
        for i, (root, d) in enumerate((r, d) for r in ROOTS for d in DIVISORS):
            found = [estimate(r["coverage"]).value
                     for r in chosen(rows, **{"√sse": root, "divisor": d, "K": k})]  # fmt: skip
            y, colour = len(names) - i - 0.5, draw.COLOURS[DIVISORS.index(d)]
            p.line([min(found), max(found)], [y, y], colour, thick=2)
            p.dots([min(found), float(np.mean(found)), max(found)], [y] * 3, colour, r=2.4)
        plots.append(p)
    return draw.grid(plots, 3, title="Coverage of the papers' error bars by √sse and divisor")


# ------------------------------------------------------------------ margins

UNEVEN: dict[str, dict[str, Any]] = {
    "even": {},
    "10:1, guessed alike": {"prevalence": "geometric"},
    "10:1, guessed in reverse": {"prevalence": "geometric", "guess": "reversed"},
    "10:1, guessed evenly": {"prevalence": "geometric", "guess": "even"},
    "even, guessed 10:1": {"guess": "geometric"},
    "long-tailed, guessed alike": {"prevalence": "long-tailed"},
}


@question(
    "evenness",
    "6",
    asks="Does E = PrevG·BiasG·K² say what uneven margins do to the error of informedness?",
    ran="nothing known, N = 32K: the true variance of B divided by that of (63), 1/(2E(N − 1)), "
    "by 1/((K − 1)E(N − 1)), and by the variance V₀ that shuffling the predictions of each table "
    "gives. Right is 1. 4,000 tables each, 1,000 at K = 30, 250 at K = 102; tables with an empty "
    "margin have no E and are left out",
    says="No. (63) is right for three classes with even margins and nowhere else: with two classes "
    "10:1, guessed evenly, the true variance is almost four times what it says (bars half as "
    "wide as they should be), with K = 102 about a fiftieth of it or less (bars seven times "
    "too wide). With K − 1 in the place of 2 it is right for even margins and any K, and "
    "still off by between a sixth and twice as margins part: a product of two geometric means "
    "does not know which label meets which class. The variance V₀ over shufflings of the "
    "predictions is right within its error everywhere; it is the one that `permutation-z`, "
    "the default test, uses.",
)
def _evenness(rng: Rng, size: int) -> Answer:
    rows: list[Row] = []
    parts = (
        {2: 1.0, 5: 1.0}
        if size < COARSE
        else {**dict.fromkeys(CLASSES, 1.0), 30: 1 / 4, 102: 1 / 16}
    )
    for k, part in parts.items():
        for margins, how in UNEVEN.items():
            n = 32 * k
            t = multinomial(rng, 0.0, k=k, n=n, size=max(round(size * part), 40), **how)
            b, e = values(t, "informedness"), values(t, "evenness_factor")
            known = (e > 0) & np.isfinite(b)
            b, e = b[known], e[known]
            true, said = mean((b - b.mean()) ** 2), mean(1 / (2 * e * (n - 1)))
            z = np.asarray(test(t, method="permutation-z").statistic)[known]
            rows.append({"K": k, "margins": margins, "by (63)": quotient(true, said),
                         "with K − 1 for 2": quotient(true, _times(said, 2 / (k - 1))),
                         "by V₀": mean(z**2), "tables": int(known.sum())})  # fmt: skip
    return rows, _evenness_picture(rows)


def _times(e: Estimate, by: float) -> Estimate:
    return Estimate(e.value * by, e.error * by)


def _evenness_picture(rows: list[Row]) -> str:
    classes = list(dict.fromkeys(r["K"] for r in rows))
    p = draw.Plot("True variance of B at B = 0, divided by what a formula says (right: 1)",
                  (0, len(classes)), (-7.5, 2.5), "classes", "ratio", width=900, height=430,
                  x_ticks=[i + 0.5 for i in range(len(classes))], x_names=[str(k) for k in classes],
                  y_ticks=[-6, -4, -2, 0, 2],
                  y_names=["1/64", "1/16", "1/4", "1", "4"], legend_low=True)  # fmt: skip
    p.line([0, len(classes)], [0, 0], draw.INK, "", "4 3", 1)
    for c, column in enumerate(("by (63)", "with K − 1 for 2", "by V₀")):
        p.legend.append((column, draw.COLOURS[c], "dot"))
        for i, k in enumerate(classes):
            of = chosen(rows, K=k)
            x = i + 0.22 + 0.28 * c + np.linspace(-0.08, 0.08, len(of))
            p.dots(x, np.log2([max(estimate(r[column]).value, 1e-3) for r in of]),
                   draw.COLOURS[c], r=3.4)  # fmt: skip
    return p.svg()
