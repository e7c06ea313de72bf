"""The open question about the lab itself: what depends on how tables are drawn?"""

from __future__ import annotations

from typing import Any

import numpy as np

from informed.evidence.table import Table
from informed.inference.tests import test
from informed.measures import find
from informed.papers import plot as draw
from informed.papers.question import (
    COARSE,
    Answer,
    Rng,
    Row,
    chosen,
    estimate,
    question,
    span,
    values,
)
from informed.papers.questions_intervals import covered
from informed.simulation.estimates import Estimate, correlation, mean, quotient, rms, share, spread
from informed.simulation.generators import GENERATORS

WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "multinomial": ("multinomial", {}),
    "multinomial, long-tailed, guessed evenly": (
        "multinomial", {"prevalence": "long-tailed", "guess": "even"}),
    "fixed-classes": ("fixed-classes", {}),
    "class-specific": ("class-specific", {}),
    "noise-everywhere": ("noise-everywhere", {}),
    "uniform-cells": ("uniform-cells", {}),
    "premarginal (the figures)": ("premarginal", {}),
    "premarginal, binomial": ("premarginal", {"cells": "binomial"}),
    "premarginal, real-valued": ("premarginal", {"real_valued": True}),
    "perfect-plus-chance": ("perfect-plus-chance", {}),
}  # fmt: skip

# What was found, as a column, and when it counts as so
FINDINGS: dict[str, Any] = {
    "rms error of B": lambda v, row: v < 0.1,
    "… of kappa": lambda v, row: v < 0.1,
    "… of accuracy": lambda v, row: v > 1.5 * estimate(row["rms error of B"]).value,
    "sd of B at .9 ÷ at 0": lambda v, row: v < 0.3,
    "B in CI_B1 at .5": lambda v, row: v > 0.93,
    "B in CI_B2 at .9": lambda v, row: v > 0.93,
    "arc holds .5": lambda v, row: v > 0.93,
    "arc holds .9": lambda v, row: v > 0.93,
    "size of permutation-z": lambda v, row: 0.02 < v < 0.08,
    "size of Pearson": lambda v, row: 0.02 < v < 0.08,
    "size of G": lambda v, row: 0.02 < v < 0.08,
    "size of KB": lambda v, row: v < 0.02,
    "corr(B, M) at .5": lambda v, row: v > 0.9,
    "det^(2/K) at .5": lambda v, row: v < 0.42,
    "V at 0": lambda v, row: v > 0.05,
}
SAYS = (
    "B right to .1", "kappa right to .1", "accuracy 1.5 times as far off",
    "error of B vanishes at .9",
    "CI_B1 covers at .5", "CI_B2 covers at .9", "arc covers at .5", "arc covers at .9",
    "permutation-z has its size", "Pearson has its size", "G has its size", "KB never rejects",
    "B and M nearly one", "det^(2/K) below .42 at .5", "V above .05 at 0",
)  # fmt: skip


KINDS = {"honest (1–4)": slice(0, 4), "noise everywhere (5)": slice(4, 5),
         "the papers' (6–10)": slice(5, 10)}  # fmt: skip


def _by_finding(rows: list[Row]) -> list[Row]:
    """Least to greatest over the honest ways and over the papers', for each finding."""
    ways = list(WAYS)
    out: list[Row] = []
    for finding in FINDINGS:
        for k in dict.fromkeys(r["K"] for r in rows):
            of = {r["way"]: r[finding] for r in chosen(rows, K=k)}
            kinds = {name: span([of[w] for w in ways[some]]) for name, some in KINDS.items()}
            out.append({"finding": finding, "K": k} | kinds)
    return out


@question(
    "generators",
    "13",
    asks="Which of the findings depend on how the tables are drawn?",
    ran="ten ways to draw, K = 4 with N = 128, K = 30 with N = 960 and K = 102 with N = 3264: "
    "accuracy of the measures over levels 0, .3, .5, .7 and .9, the papers' bands around the "
    "level, arc intervals, sizes of tests where nothing is known. For recipes without a "
    "population the level is the truth. 4,000 tables (K = 30: 400, K = 102: 200; arc 1,000, 200 "
    "and 40). The picture says whether each finding is so; the table, least to "
    "greatest over the ways of a kind, and the data hold all with their errors",
    says="Some findings are so however tables are drawn: B and kappa are near the level, the "
    "papers' KB never rejects, det^(2/K) reads far too low in the middle, V reads high where "
    "nothing is known. What belongs to the papers' recipes (6 to 10) is that the error of B "
    "vanishes as the level rises, and with it that CI_B1 covers: .97 to .99 (7 to 10) against "
    ".69 to .75 in honest samples at K = 4; CI_B2 does not cover at .9 even there. Tests have "
    "their size in honest samples. In recipes that scatter every cell by itself Pearson "
    "rejects chance in .08 of the tables at K = 4 and in nearly all at K = 102: their scatter "
    "is not that of counts. G fails at K = 30 and beyond, however tables are drawn. The arc "
    "interval covers in honest samples, is wider than needed in the papers' recipes, and "
    "fails where noise is added on top of sampling (5): no interval from one table can know "
    "of it. With many classes the real-valued recipe (9) drifts away from its level "
    "altogether. The handicap of accuracy goes with its chance level, 1/K.",
    condense=_by_finding,
)
def _generators(rng: Rng, size: int) -> Answer:
    rows: list[Row] = []
    worlds = {4: (128, 1.0, 1 / 4), 30: (960, 1 / 10, 1 / 20), 102: (3264, 1 / 20, 1 / 100)}
    for k, (n, part, of_arc) in list(worlds.items())[: 1 if size < COARSE else 3]:
        for way in WAYS:
            many, few = (max(round(size * x), 40) for x in (part, of_arc))
            rows.append({"way": way, "K": k} | _found(rng, way, k, n, many, few))
    return rows, _picture(rows)


def _found(rng: Rng, way: str, k: int, n: int, many: int, few: int) -> dict[str, Estimate]:
    name, options = WAYS[way]
    recipe = GENERATORS[name]

    def drawn(level: float) -> tuple[Table, float]:
        t = recipe.draw(rng, level, k=k, n=n, size=many, **options)
        truth = recipe.truth(level, k=k, n=n, **options)
        return t, level if truth is None else float(values(truth, "informedness"))

    tables = {level: drawn(level) for level in (0.0, 0.3, 0.5, 0.7, 0.9)}

    def off(measure: str) -> Estimate:
        return rms(np.concatenate([values(t, measure) - aim for t, aim in tables.values()]))

    def band(level: float, root: float) -> Estimate:
        t, aim = tables[level]
        scale = 1.96 / np.sqrt(2 * np.maximum(values(t, "evenness_factor"), 1e-12) * (n - 1))
        return share(np.abs(values(t, "informedness") - aim) <= scale * root)

    def arc(level: float) -> Estimate:
        t, aim = tables[level]
        sampling = "fixed-reals" if name == "fixed-classes" else "multinomial"
        return share(covered(t[:few], "informedness", "arc", aim, sampling=sampling)[0])

    def rejected(method: str) -> Estimate:
        p = np.asarray(test(tables[0.0][0], method=method).pvalue)
        return share(np.where(np.isnan(p), 1.0, p) < 0.05)

    half, zero, top = tables[0.5][0], tables[0.0][0], tables[0.9][0]
    b = [values(t, "informedness") for t in (zero, half, top)]
    found = (
        off("informedness"), off("cohen_kappa"), off("accuracy"),
        quotient(spread(b[2]), spread(b[0])),
        band(0.5, 0.5), band(0.9, 0.1), arc(0.5), arc(0.9),
        rejected("permutation-z"), rejected("pearson"), rejected("g"), rejected("kb"),
        correlation(b[1], values(half, "markedness")),
        mean(np.abs(np.asarray(find("informedness_det(exponent='2/K')")(half)))),
        mean(values(zero, "cramers_v")),
    )  # fmt: skip
    return dict(zip(FINDINGS, found, strict=True))


def _picture(rows: list[Row]) -> str:
    """A square for each finding and way of drawing: dark where it is so."""
    classes = list(dict.fromkeys(r["K"] for r in rows))
    plots = []
    for k in classes:
        of = chosen(rows, K=k)
        p = draw.Plot(f"K = {k}", (0, len(WAYS)), (0, len(FINDINGS)),
                      width=560 if k == classes[0] else 370, height=520,
                      x_ticks=[i + 0.5 for i in range(len(WAYS))],
                      x_names=[str(i + 1) for i in range(len(WAYS))],
                      y_ticks=[len(FINDINGS) - i - 0.5 for i in range(len(FINDINGS))],
                      y_names=SAYS if k == classes[0] else [""] * len(SAYS))  # fmt: skip
        for i, r in enumerate(of):
            for j, (column, holds) in enumerate(FINDINGS.items()):
                value = estimate(r[column]).value
                top = len(FINDINGS) - j
                colour = draw.BLUE if holds(value, r) else "#f3d9c6"
                p.box(i + 0.06, i + 0.94, top - 0.94, top - 0.06, colour)
        plots.append(p)
    ways = "; ".join(f"{i + 1} {way}" for i, way in enumerate(WAYS))
    return draw.row(plots, title="Blue: it is so", foot=ways)
