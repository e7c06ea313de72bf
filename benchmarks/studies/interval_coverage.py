"""How often intervals of single cases hold the truth, by method: every table weighed where there are two classes.

Truths and tables are those of tests/test_coverage.py.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
from scipy.stats import binom
from study import Part, Row, Study

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

import test_coverage as lab
from informed import Table, find, interval
from informed._arrays import Array

SEED = 31
METHODS = {
    "informedness": (
        "arc", "plus-four", "agresti-caffo", "miettinen-nurminen", "mover-jeffreys", "newcombe", "wald",
        "powers-0", "powers-1", "powers-2", "powers-fitted",
    ),
    "accuracy": ("mid-p", "clopper-pearson", "jeffreys", "wilson"),
}  # fmt: skip
RATIOS = {
    "lr": ("mover-ratio", "arc", "log", "miettinen-nurminen"),
    "nlr": ("mover-ratio", "arc", "miettinen-nurminen"),
    "odds_ratio": ("arc", "mid-p", "log", "conditional-exact"),
    "cramers_v": ("arc",),
    "mutual_information": ("arc",),
}


def summed(said: Row, held: list[float], **more: float) -> Row:
    c = np.array(held)
    found = {"mean": c.mean(), "least": c.min(), "5th percentile": np.quantile(c, 0.05), **more}
    return {**said, "truths": len(c), **{name: float(x) for name, x in found.items()}}


def weighed(measure: str, method: str, sizes: tuple[int, ...] = (32, 64)) -> Row:
    """All tables of these sizes, five or more expected in each class; the geometric mean of the width."""
    held, widths = [], []
    for n in sizes:
        low, high = lab.ends(n, measure, method)
        defined = ~np.isnan(np.asarray(find(measure)(lab.every_table(n))))
        for p in lab.grid(n, least=5):
            weight = lab.probabilities(n, p) * defined
            weight, true = weight / weight.sum(), lab.value_at(measure, p)
            with np.errstate(invalid="ignore"):
                held.append(float(weight[(low <= true + 1e-12) & (true - 1e-12 <= high)].sum()))
            widths.append(float((weight * np.nan_to_num(high - low)).sum()))
    width = {"width": float(np.exp(np.mean(np.log(widths))))} if measure in METHODS else {}
    return summed({"measure": measure, "method": f"`{method}`"}, held, **width)


def methods(_runs: int) -> Iterator[Row]:
    for measure, several in METHODS.items():
        yield from (weighed(measure, method, (32, 64, 128)) for method in several)


def ratios(_runs: int) -> Iterator[Row]:
    for measure, several in RATIOS.items():
        yield from (weighed(measure, method) for method in several)


RATES = (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98)
PAIRS = ((1, 5), (2, 10), (3, 3), (3, 30), (4, 60), (5, 5), (5, 50), (10, 10), (10, 40), (20, 20), (20, 60), (40, 40))


def few(_runs: int) -> Iterator[Row]:
    """Likelihood ratios of two class sizes and two rates, all outcomes weighed."""
    for method in ("mover-ratio", "arc", "log"):
        held: dict[bool, list[float]] = {True: [], False: []}
        for n1, n0 in PAIRS:
            x1, x0 = (x.ravel() for x in np.meshgrid(np.arange(n1 + 1), np.arange(n0 + 1)))
            t = Table.from_counts(np.stack([x1, x0, n1 - x1, n0 - x0], axis=-1).reshape(-1, 2, 2))
            found = interval(t, "lr", method=method)
            low, high = np.nan_to_num(np.asarray(found.low)), np.asarray(found.high)
            for hit, alarm in product(RATES, RATES):
                weight, true = binom.pmf(x1, n1, hit) * binom.pmf(x0, n0, alarm), hit / alarm
                inside = (low <= true * (1 + 1e-9)) & ~(high < true * (1 - 1e-9))
                held[min(n1, n0) < 5].append(float(weight[inside].sum()))
        for small, said in ((True, "fewer than 5 in a class"), (False, "5 and more in each")):
            yield summed({"method": f"`{method}`", "cases": said}, held[small])


def macro(runs: int) -> Iterator[Row]:
    """Macro-averaged F1 of systems of any skill."""
    for each in (4, 8, 32):
        held = []
        for i in range(30):
            k = (3, 5, 10)[i % 3]
            rng = np.random.default_rng([SEED, i])
            prevalence = rng.dirichlet(np.full(k, 5.0))
            p = _system(prevalence, rng.uniform(0.3, 0.95, k))
            t = Table.from_counts(rng.multinomial(each * k, p.ravel(), runs).reshape(-1, k, k))
            found, true = interval(t, "f1(average='macro')"), float(find("f1(average='macro')")(Table.from_counts(p)))
            held.append(float(np.mean((found.low <= true) & (true <= found.high))))
        yield summed({"cases a class": each}, held)


def _system(prevalence: Array, recalls: Array) -> Array:
    """Shares (predicted, real); errors go evenly to the other labels."""
    k = len(prevalence)
    return np.asarray(np.where(np.eye(k, dtype=bool), recalls, (1 - recalls) / (k - 1)) * prevalence)


PAGE = "intervals.md"
STUDY = Study(
    "interval_coverage",
    {
        "methods": Part(
            "The same truths, other methods (width: geometric mean of the expected width):", methods, PAGE, errors=()
        ),
        "ratios": Part("Ratios and measures that are never negative, N = 32 and 64:", ratios, PAGE, errors=()),
        "few": Part(
            "Likelihood ratios by class sizes from 1 to 60 and rates from .02 to .98, all outcomes weighed:",
            few,
            PAGE,
            errors=(),
        ),
        "macro": Part(
            "Macro-averaged F1, `plus-four`, 30 systems of 3, 5 and 10 classes:",
            macro,
            PAGE,
            runs=400,
            run="tables a truth",
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
