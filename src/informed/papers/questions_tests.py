"""Open questions about tests: the whole family, conditioning, posteriors, small samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from informed._arrays import Array
from informed.evidence.table import Table
from informed.inference.tests import test
from informed.papers import plot as draw
from informed.papers.point_tests import continuity_pvalue, point_probability
from informed.papers.question import (
    COARSE,
    Answer,
    Rng,
    Row,
    chosen,
    estimate,
    question,
    span,
)
from informed.papers.questions_measures import mixtures
from informed.simulation.estimates import Estimate, share
from informed.simulation.generators import multinomial

# ------------------------------------------------------------------ the whole family

ANY = (
    "permutation-z", "pearson", "pearson-n1", "yates", "g", "g-williams",
    "kb", "km", "kbm", "xb", "xm", "xbm", "b", "m", "bm",
    "b-corrected", "m-corrected", "bm-corrected", "kb-det", "km-det", "kbm-det",
)  # fmt: skip
TWO = (
    "fisher", "fisher-midp", "fisher-midp-minlike",
    "plus-p", "minus-p", "plus-r", "minus-r", "g-plus-p",
)  # fmt: skip
OURS: dict[str, Any] = {"χ², continuity": continuity_pvalue, "Fisher's point": point_probability}
FOUR: dict[str, dict[str, Any]] = {
    "even": {},
    "10:1, reversed": {"prevalence": "geometric", "guess": "reversed"},
    "10:1, evenly": {"prevalence": "geometric", "guess": "even"},
    "even, 10:1": {"guess": "geometric"},
}
CURVES = ("permutation-z", "pearson", "g", "b-corrected", "xb", "kb", "b", "χ², continuity")


def rejects(t: Table, method: str) -> Estimate:
    """Share of p < .05; a table without a p-value does not reject."""
    p = OURS[method](t) if method in OURS else np.asarray(test(t, method=method).pvalue)
    return share(np.where(np.isnan(p), 1.0, p) < 0.05)


def _tested(t: Table, world: Row, methods: tuple[str, ...]) -> list[Row]:
    return [{"method": m, **world, "rejects": rejects(t, m)} for m in methods]


def _of_family(rows: list[Row]) -> list[Row]:
    """Range of the size over sample sizes and margins, and of the power, by method."""
    out: list[Row] = []
    worlds = [r for r in rows if r["margins"] != "curve"]
    classes = list(dict.fromkeys(r["K"] for r in worlds))
    for method in dict.fromkeys(r["method"] for r in worlds):
        row: Row = {"method": method}
        for what in ("size", "power"):
            for k in classes:
                found = [r["rejects"] for r in chosen(worlds, method=method, K=k)
                         if (r["level"] == 0) == (what == "size")]  # fmt: skip
                row[f"{what}, K = {k}"] = span(found) if found else ""
        out.append(row)
    return out


@question(
    "family",
    "3",
    asks="What are the size and the power of every test, and are the papers' more reliable?",
    ran="share of p < .05, nominal .05: nothing known (size), and informedness 2.2/√(N(K − 1)), "
    "where the best should reject about six times in ten (power); K = 2, 5, 10 and 30, N = 8K and "
    "32K, even classes guessed evenly or 10:1, and classes 10:1 guessed in reverse or evenly; "
    "4,000 tables each (K = 30: 1,000), least to greatest over the eight worlds. The picture: "
    "K = 5, N = 40, even",
    says="`permutation-z`, the default, is the only one near its nominal .05 from two classes to "
    "thirty (.03 to .06, less where a margin expects a case or two), and from five classes up "
    "it has twice to ten times the power of Pearson, because it asks one question where the "
    "others ask (K − 1)². Pearson keeps its size up to ten classes and reaches .15 at K = 30 "
    "with sparse, uneven margins. G is unusable there: of tables of chance it rejects .98 in "
    "one world and none in another; Williams' divisor makes it cautious instead. The papers' "
    "statistics are reliable as someone is who always says no: KB, XB, B and their kin, and "
    "the forms by determinant, reject next to nothing beyond two classes at these effects, "
    "and the K forms with two classes have a third of the power. Read with one degree of "
    "freedom (the corrected forms) they are as powerful as `permutation-z`, but their size "
    "depends on the margins: from .001 to .29 with two classes, .005 to .08 with five. The "
    "author's continuity correction never rejects beyond two classes; Fisher's point "
    "probability always does.",
    condense=_of_family,
)
def _family(rng: Rng, size: int) -> Answer:
    rows: list[Row] = []
    for k in (2, 5) if size < COARSE else (2, 5, 10, 30):
        for n in (8 * k, 32 * k):
            for margins, how in FOUR.items():
                for level in (0.0, round(2.2 / float(np.sqrt(n * (k - 1))), 3)):
                    many = max(size // 4, 40) if k == 30 else size
                    t = multinomial(rng, level, k=k, n=n, size=many, **how)
                    world: Row = {"K": k, "N": n, "margins": margins, "level": level}
                    rows += _tested(t, world, (*ANY, *OURS, *(TWO if k == 2 else ())))
    levels = [round(x, 3) for x in np.linspace(0, 0.5, 11)]
    for level in levels[:: 5 if size < COARSE else 1]:
        t = multinomial(rng, level, k=5, n=40, size=size)
        rows += _tested(t, {"K": 5, "N": 40, "margins": "curve", "level": level}, CURVES)
    p = draw.Plot("How often each test rejects, K = 5, N = 40", (0, 0.5), (0, 1),
                  "true informedness", "share of p < .05", width=760, height=430)  # fmt: skip
    p.line([0, 0.5], [0.05, 0.05], draw.INK, "nominal .05", "4 3", 1)
    for method, colour in zip(CURVES, draw.COLOURS, strict=True):
        curve = chosen(rows, method=method, margins="curve")
        y = [estimate(r["rejects"]).value for r in curve]
        p.line([r["level"] for r in curve], y, colour, method,
               thick=3.0 if method == "permutation-z" else 1.8)  # fmt: skip
    return rows, p.svg()


# ------------------------------------------------------------------ conditioning


def every_table(n: int) -> Table:
    """All tables of two classes with n cases.

    >>> every_table(3).shape
    (20,)
    """
    a, b, c = np.meshgrid(*[np.arange(n + 1)] * 3, indexing="ij")
    d = n - a - b - c
    cells = np.stack([a, b, c, d], axis=-1)[d >= 0]
    return Table.from_counts(cells.reshape(-1, 2, 2))


def chances(t: Table, truth: Table) -> Array:
    """Probability of each table when its cases are drawn from this population."""
    from scipy.special import gammaln, xlogy

    counts = t.counts
    logs = xlogy(counts, truth.counts) - gammaln(counts + 1)
    return np.asarray(np.exp(logs.sum(axis=(-2, -1)) + gammaln(np.asarray(t.n) + 1)))


def _one_by_one(t: Table, method: str) -> Array:
    """p of a test that takes one table at a time; tables that mirror each other share theirs."""
    found: dict[tuple[float, ...], float] = {}
    out = np.empty(t.shape)
    for i, (a, b, c, d) in enumerate(t.counts.reshape(-1, 4).tolist()):
        key = max((a, b, c, d), (b, a, d, c), (c, d, a, b), (d, c, b, a))
        if key not in found:
            table = Table.from_counts(np.reshape(key, (2, 2)))
            found[key] = float(test(table, method=method).pvalue)
        out[i] = found[key]
    return out


CONDITIONAL = ("fisher", "fisher-midp", "fisher-midp-minlike")
UNCONDITIONAL = ("boschloo", "barnard", "pearson-n1", "permutation-z")


@question(
    "conditioning",
    "8",
    asks="Is Fisher's conditioning on both margins wrong for systems whose bias is free?",
    ran="K = 2, every table of N cases with its probability, nothing simulated: share of p < .05 "
    "with prevalence .5, .3 or .1 and guesses .5, .3 or .1, both margins free, N = 8, 16 and 32. "
    "Nothing known: size. Informedness .5, guesses as prevalence: power. Barnard and Boschloo fix "
    "the class sizes only",
    says="Not wrong, but costly. With both margins free Fisher's size stays below .05 in every "
    "world (.029 at most): it is cautious, because few tables share their margins, and pays "
    "with power, .76 instead of .84 with even classes and .46 instead of .72 where positives "
    "are one in ten. Boschloo and Barnard, which fix the class sizes only, give back half of "
    "that at best; so does Fisher's mid-P by likelihood, which never exceeds .05 here either. "
    "The default `permutation-z` (and Pearson with N − 1) has the most power, and exceeds .05 "
    "in small or rare worlds only: .062 with 8 cases, .067 with 32 where three positives and "
    "three positive guesses are expected. The default stays; take `barnard` or `fisher-midp- "
    "minlike` where .05 must not be exceeded.",
)
def _conditioning(rng: Rng, size: int) -> Answer:
    del rng
    coarse = size < COARSE
    methods = [*CONDITIONAL, *(m for m in UNCONDITIONAL if not (coarse and m == "barnard"))]
    rows: list[Row] = []
    for n in (8,) if coarse else (8, 16, 32):
        t = every_table(n)
        p = {m: _one_by_one(t, m) if m in ("boschloo", "barnard")
             else np.asarray(test(t, method=m).pvalue) for m in methods}  # fmt: skip
        for q in (0.5, 0.3, 0.1):
            for b, level in ((0.5, 0.0), (0.3, 0.0), (0.1, 0.0), (q, 0.5)):
                weight = chances(t, mixtures(level, q, b))
                found = {m: Estimate(float(weight @ (p[m] < 0.05))) for m in methods}
                world = {"N": n, "prevalence": q, "guesses": b, "informedness": level}
                rows.append(world | found)
    return rows, _conditioning_picture(rows, methods)


def _conditioning_picture(rows: list[Row], methods: list[str]) -> str:
    """Size over the worlds of guessing, and power, side by side, at the largest N."""
    n = max(r["N"] for r in rows)
    plots = []
    for what, top in (("size", 0.07), ("power", 1.0)):
        of = [r for r in rows if r["N"] == n and (r["informedness"] == 0) == (what == "size")]
        p = draw.Plot(f"{what} at N = {n}" + (", informedness .5" if what == "power" else ""),
                      (0, top), (0, len(methods)), "share of p < .05", width=470, height=330,
                      y_ticks=[len(methods) - i - 0.5 for i in range(len(methods))],
                      y_names=methods)  # fmt: skip
        if what == "size":
            p.line([0.05, 0.05], [0, len(methods)], draw.INK, "", "4 3", 1)
        for i, m in enumerate(methods):
            x = [estimate(r[m]).value for r in of]
            colour = draw.BLUE if m in CONDITIONAL else draw.ORANGE
            p.dots(x, np.full(len(x), len(methods) - i - 0.5), colour, r=4)
        plots.append(p)
    return draw.row(plots, title="Conditional (blue) and unconditional (orange) tests, bias free")


# ------------------------------------------------------------------ posteriors and small samples


@question(
    "posterior",
    "9",
    asks="Is Sellke's bound near the true posterior of no information?",
    ran="half of the experiments have B = 0, the others B uniform on [0, 1] or [0, .3]; K = 2, "
    "N = 100, permutation z; among experiments with p near a value, the share with B = 0",
    says="It is a lower bound on the posterior and behaves as one. Where effects range over "
    "[0, 1], the true share of no information near p = .05 is about .55, not Sellke's "
    ".29, since large effects rarely give such a p. Where effects are at most .3 the "
    "share equals the bound within error: that is nearly its worst case. It is no "
    "posterior by itself; p = .05 means at least three in ten for nothing.",
)
def _posterior(rng: Rng, size: int) -> Answer:
    count = 25 * size
    rows: list[Row] = []
    at = np.array([0.001, 0.005, 0.01, 0.02, 0.05, 0.1])
    bound = -np.exp(1) * at * np.log(at)
    bound = bound / (1 + bound)
    p_ = draw.Plot("Share of B = 0 among experiments with this p", (-3, -1), (0, 0.9), "p",
                   "share with no information", width=680, height=400,
                   x_ticks=list(np.log10(at)), x_names=[f"{x:g}" for x in at])  # fmt: skip
    p_.line(np.log10(at), bound, draw.INK, "Sellke's bound", "4 3")
    for reach, colour in ((1.0, draw.RED), (0.3, draw.BLUE)):
        g = np.where(rng.random(count) < 0.5, 0.0, rng.uniform(0, reach, count))
        cells = rng.multinomial(100, mixtures(g, 0.5, 0.5).counts.reshape(count, 4))
        p = np.asarray(test(Table.from_counts(cells.reshape(count, 2, 2))).pvalue)
        found = []
        for x, low in zip(at, bound, strict=True):
            near = (p > x / 1.3) & (p < x * 1.3)
            found.append(share(g[near] == 0))
            rows.append({"effects up to": reach, "p": float(x), "Sellke": Estimate(float(low)),
                         "true share of B = 0": found[-1],
                         "experiments": int(near.sum())})  # fmt: skip
        p_.line(np.log10(at), [e.value for e in found], colour, f"effects up to {reach:g}")
    return rows, p_.svg()


@question(
    "small",
    "10",
    asks="Where do small samples start to matter?",
    ran="K = 2 and 5, nothing known or B = .5, N from 6 to 64, even prevalences: size of tests at "
    "nominal .05, and coverage of 95 % intervals at B = .5",
    says="It depends on the method, so no single rule holds. The permutation z keeps its size "
    "from N = 8 at K = 2 and from N = 2K at K = 5 (at N = 6 it is cautious: there are few "
    "tables). Pearson is within three hundredths everywhere; G² rejects too often up "
    "to N = 16 at K = 2, and at K = 5 still twice too often at N = 16K. The delta (Wald) "
    "interval covers .72 at N = 6 and .86 at 16; the arc interval holds throughout. So N "
    "< 12, cells < 5 and N < 8K are warnings for G² and for Wald intervals, not for the "
    "defaults here. The papers' KB never errs because it hardly ever rejects.",
)
def _small(rng: Rng, size: int) -> Answer:
    from informed.inference.intervals import interval

    rows: list[Row] = []
    few = max(size // 4, 50)
    for k, ns in ((2, (6, 8, 12, 16, 32, 64)), (5, (10, 20, 40, 80))):
        for n in ns:
            null = multinomial(rng, 0.0, k=k, n=n, size=size)
            row: Row = {"K": k, "N": n}
            for method in ("permutation-z", "pearson", "g", "kb"):
                found = np.asarray(test(null, method=method).pvalue)
                row[f"size of {method}"] = share(np.where(np.isnan(found), 1.0, found) < 0.05)
            some = multinomial(rng, 0.5, k=k, n=n, size=few)
            for method in ("arc", "wald"):
                i = interval(some, "informedness", method=method)
                known = ~np.isnan(np.asarray(i.estimate))
                held = (np.asarray(i.low) <= 0.5) & (np.asarray(i.high) >= 0.5)
                row[f"coverage of {method}"] = share(held[known])
            rows.append(row)
    p = draw.Plot("Size at nominal .05, K = 2, nothing known", (np.log2(6), 6), (0, 0.16), "N",
                  "share of p < .05", width=680, height=380,
                  x_ticks=[float(np.log2(r["N"])) for r in rows[:6]],
                  x_names=[str(r["N"]) for r in rows[:6]])  # fmt: skip
    for column, colour in zip(list(rows[0])[2:6], draw.COLOURS, strict=False):
        x = [np.log2(r["N"]) for r in rows[:6]]
        p.line(x, [r[column].value for r in rows[:6]], colour, column)
    p.line([np.log2(6), 6], [0.05, 0.05], draw.INK, "", "4 3")
    return rows, p.svg()
