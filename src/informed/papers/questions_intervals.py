"""Open questions about intervals: which of them cover, and what the margins do to the error."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from informed.papers.published import half_width
from informed.papers.questions import COARSE, Row, Rows, condensed, least, pivot, question, span
from informed.papers.register import MARGINS, Trial
from informed.papers.texts import chosen, estimate
from informed.simulation.estimates import mean, quotient, share
from informed.simulation.generators import population
from informed.simulation.judging import judged, statistics, values

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


@question("coverage")
def coverage(trial: Trial) -> Iterator[Row]:
    classes, each = ((2, 5), (2, 32)) if trial.size < COARSE else (CLASSES, EACH)
    for k, m, level in product(classes, each, TRUTHS):
        truth, asked = population(level, k=k), _asked_of(trial, k, m, level)
        t = trial.draw(level, k=k, n=k * m, size=max(many for *_, many in asked))
        for measure, method, many in asked:
            how: dict[str, Any] = {"rng": trial.rng, "n_draws": 1000} if method in DRAWN else {}
            aim = float(values(truth, measure))
            found = judged(t[:many], measure, aim, method=method, **how)
            world = {"measure": measure, "method": method, "K": k, "N/K": m, "level": level}
            held = {"coverage": share(found.covered), "width": mean(found.widths)}
            yield {**world, **held, "tables": len(found.covered)}


def _asked_of(trial: Trial, k: int, each: int, level: float) -> list[tuple[str, str, int]]:
    """Measure, method and tables for a world."""

    def ask(cost: str, *methods: str, of: tuple[str, ...] = ("informedness",)) -> None:
        asked.extend((m, method, trial.part(SHARE[cost][k])) for method in methods for m in of)

    asked: list[tuple[str, str, int]] = []
    if k <= 30 or each in (2, 8, 32, 128, 512):
        ask("arc", "arc")
    ask("closed", *CLOSED)
    if k == 2:
        ask("closed", *OF_TWO)
    if k <= 10 and each in (2, 8, 32, 128) and level < 0.98 and trial.size >= COARSE:
        ask("drawn", *DRAWN)
        if k == 2:
            ask("exact", "score-exact")
    if k <= 30 and each in (4, 32) and level in (0.5, 0.9):
        ask("arc", "arc", of=("markedness", "correlation"))
        ask("closed", "powers-1", of=("markedness", "correlation"))
    return asked


@condensed("coverage")
def _of_methods(rows: Rows) -> Rows:
    """Least coverage over the truths, by method and classes, for some cases a class."""
    by, some = ("measure", "method", "K"), (2, 4, 8, 32, 128, 512)
    out = pivot(chosen(rows, **{"N/K": some}), by, "coverage", least, **{"N/K": "N/K = {}"})
    for row in out:
        of = chosen(rows, **{c: row[c] for c in by})
        row["mean of all"] = f"{np.mean([estimate(r['coverage']).value for r in of]):.3f}"
    return out


# ------------------------------------------------------------------ the papers' error bars


def _parts(trial: Trial) -> dict[int, int]:
    """Tables by number of classes."""
    if trial.size < COARSE:
        return dict.fromkeys((2, 5), trial.part(1))
    return {**dict.fromkeys(CLASSES, trial.part(1)), 30: trial.part(1 / 4), 102: trial.part(1 / 16)}


@question("bars")
def error_bars(trial: Trial) -> Iterator[Row]:
    grid = question.grid("bars")
    worlds = product(_parts(trial).items(), grid["margins"], grid["level"])
    for (k, many), name, level in worlds:
        how = MARGINS[name]
        aim = float(values(population(level, k=k, **how), "informedness"))
        t = trial.draw(level, k=k, n=32 * k, size=many, **how)
        divisors = (("2E", 2.0, "margins"), ("1", 1.0, "even"), ("(K − 1)E", k - 1.0, "margins"))
        for (root, sse), (divisor, factor, evenness) in product(grid["roots"].items(), divisors):
            own = {"sse": sse, "factor": factor, "evenness": evenness}
            held = judged(t, "informedness", aim, method="powers-1", **own).covered
            world = {"√sse": root, "divisor": divisor, "K": k, "margins": name, "level": level}
            yield {**world, "coverage": share(held)}


@condensed("bars")
def _spans(rows: Rows) -> Rows:
    """Least to greatest coverage over truths and margins."""
    return pivot(rows, ("√sse", "divisor"), "coverage", span, K="K = {}")


# ------------------------------------------------------------------ margins


@question("evenness")
def evenness(trial: Trial) -> Iterator[Row]:
    grid = question.grid("evenness")["margins"]
    for (k, many), margins in product(_parts(trial).items(), grid):
        t = trial.draw(0.0, k=k, n=32 * k, size=many, **MARGINS[margins])
        b = values(t, "informedness")
        known = (values(t, "evenness_factor") > 0) & np.isfinite(b)
        b, z = b[known], statistics(t, "permutation-z")[known]
        true, said = mean((b - b.mean()) ** 2), mean(half_width(t[known], 32 * k, x=1) ** 2)
        fair = said.times(2 / (k - 1))
        ratios = {"by (63)": quotient(true, said), "with K − 1 for 2": quotient(true, fair)}
        yield {"K": k, "margins": margins, **ratios, "by V₀": mean(z**2), "tables": int(known.sum())}
