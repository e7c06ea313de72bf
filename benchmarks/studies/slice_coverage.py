"""How often intervals of slices hold the mean of these slices, and that of slices like these."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from study import Part, Row, Study, bare

from informed import Table, find
from informed._arrays import Array
from informed.inference.heterogeneity import group_spread, heterogeneity
from informed.inference.hypothesis import chi2_tail
from informed.inference.sample import Sample

SEED = 25
MEASURES = ("informedness", "accuracy", "matthews", "precision")
SLICES = ((5, 40, 0.1), (6, 60, 0.1), (10, 25, 0.1), (3, 30, 0.1), (20, 25, 0.1), (5, 40, 0.5), (5, 200, 0.05))
LEVELS = (0.05, 0.01, 0.001)
RATES = ((0.8, 0.1), (0.9, 0.05), (0.6, 0.3), (0.98, 0.02))


def tables(rng: Any, recall: Array, fallout: Array, n: int, prevalence: float) -> tuple[Table, Table]:
    """Tables of slices with these rates, and those that they are drawn from."""
    positive = rng.binomial(n, prevalence, recall.shape)
    hit, alarm = rng.binomial(positive, recall), rng.binomial(n - positive, fallout)
    drawn = [[hit, alarm], [positive - hit, n - positive - alarm]]
    one, other = prevalence, 1 - prevalence
    true = [[one * recall, other * fallout], [one * (1 - recall), other * (1 - fallout)]]
    drawn_, true_ = (Table.from_counts(np.moveaxis(np.array(x, float), (0, 1), (-2, -1))) for x in (drawn, true))
    return drawn_, true_


def stratified(runs: int) -> Iterator[Row]:
    """Slices that are alike, and slices whose rates are drawn: the mean of those that have a value."""
    for slices, n, prevalence in SLICES:
        for varied in (False, True):
            found: dict[str, list[float]] = {m: [] for m in MEASURES}
            for recall, fallout in RATES:
                rng = np.random.default_rng([SEED, slices, n, round(100 * recall), varied])
                rates = [np.full((runs, slices), x) for x in (recall, fallout)]
                if varied:
                    rates = [
                        rng.beta(5 * x, 5 * (1 - x), (runs, slices)).clip(1e-6, 1 - 1e-6) for x in (recall, fallout)
                    ]
                drawn, true = tables(rng, rates[0], rates[1], n, prevalence)
                for m in MEASURES:
                    each, own = np.asarray(find(m)(drawn)), np.asarray(find(m)(true))
                    known = np.isfinite(each)
                    truth = np.where(known, own, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
                    h = heterogeneity(drawn, m)
                    held = (h.low <= truth + 1e-12) & (truth <= h.high + 1e-12)
                    found[m].append(float(held[known.any(axis=1)].mean()))
            said = {"slices × cases": f"{slices} × {n}", "prevalence": bare(prevalence)}
            yield {**said, "rates": "drawn" if varied else "alike", **{m: min(x) for m, x in found.items()}}


def new(runs: int) -> Iterator[Row]:
    """Sites whose recall and fallout are drawn: the mean over all sites, and one new site."""
    for sites, n, prevalence in ((3, 100, 0.5), (5, 100, 0.5), (5, 60, 0.2), (10, 60, 0.2), (20, 40, 0.2)):
        for spread in (0, 40, 10):
            rng = np.random.default_rng([SEED, sites, n, spread])
            rates = [np.full((runs, sites + 1), x) for x in (0.8, 0.15)]
            if spread:
                rates = [rng.beta(spread * x, spread * (1 - x), (runs, sites + 1)) for x in (0.8, 0.15)]
            drawn, true = tables(rng, rates[0][:, :-1], rates[1][:, :-1], n, prevalence)
            h = heterogeneity(drawn, "informedness")
            mean, one = 0.65, rates[0][:, -1] - rates[1][:, -1]
            ends: list[Array] = [np.asarray(x) for x in (h.low, h.high, h.new_low, h.new_high)]
            predicted = [np.asarray(x) for x in (h.predicted_low, h.predicted_high)]
            these = np.asarray(find("informedness")(true)).mean(axis=1)
            differs = "no" if not spread else f"{np.std(rates[0] - rates[1]):.2f}"
            share = float(((predicted[0] <= one) & (one <= predicted[1])).mean())
            yield {
                "sites × cases": f"{sites} × {n}",
                "prevalence": bare(prevalence),
                "standard deviation between sites": differs,
                "these sites, their mean": float(((ends[0] <= these) & (these <= ends[1])).mean()),
                "these sites, mean of all sites": float(((ends[0] <= mean) & (mean <= ends[1])).mean()),
                "new site, mean of all sites": float(((ends[2] <= mean) & (mean <= ends[3])).mean()),
                "prediction, one new site": share if np.isfinite(predicted[0]).any() else "–",
            }


WORLDS = (
    ((0.98,) * 5, (40,) * 5),
    ((0.98,) * 10, (20,) * 10),
    ((0.9,) * 10, (25,) * 10),
    ((0.95,) * 4, (20, 20, 100, 300)),
    ((0.7,) * 5, (40,) * 5),
    ((0.5,) * 5, (200,) * 5),
    ((0.99,) * 4 + (0.85,), (40,) * 5),
    ((0.98,) * 9 + (0.8,), (20,) * 10),
    ((0.9,) * 9 + (0.5,), (25,) * 10),
    ((0.999,) * 4 + (0.96,), (100,) * 5),
    ((0.7,) * 4 + (0.4,), (40,) * 5),
)


def rates(runs: int) -> Iterator[Row]:
    """Slices that share an accuracy, and slices of which one is less accurate: how often the tests tell."""
    for place, (shares, cases) in enumerate(WORLDS):
        rng = np.random.default_rng([SEED, 46, place])
        right = rng.binomial(cases, shares, (runs, len(cases)))
        hit, alarm = rng.binomial(right, 0.5), rng.binomial(np.array(cases) - right, 0.5)
        cells = np.array([[hit, alarm], [cases - right - alarm, right - hit]], float)
        t = Table.from_counts(np.moveaxis(cells, (0, 1), (-2, -1)))
        statistic = group_spread(Sample(find("accuracy"), t, 0.95)).contrasted(np.ones(right.shape, bool))
        tests = {"": np.asarray(heterogeneity(t, "accuracy").pvalue)}
        tests[", Cochran's Q"] = chi2_tail(statistic, np.full(runs, len(cases) - 1.0))
        last = f", last {bare(shares[-1])}" if shares[-1] != shares[0] else ""
        yield {
            "slices × cases": f"{len(cases)} × {cases[0]}" if len(set(cases)) == 1 else ", ".join(map(str, cases)),
            "accuracy": f"{bare(shares[0])}{last}",
            **{f"at {bare(level)}{name}": float((p <= level).mean()) for name, p in tests.items() for level in LEVELS},
        }


STUDY = Study(
    "slice_coverage",
    {
        "stratified": Part(
            "Coverage of the 95% confidence interval of the size-weighted mean of these slices. The share is the least "
            "over four pairs of recall and false positive rate, from 0.6 and 0.3 to 0.98 and 0.02:",
            stratified,
            "leaderboards.md",
            runs=2000,
        ),
        "new": Part(
            "Coverage of the 95% intervals for sites with a recall around 0.8 and a false positive rate around 0.15. "
            "The interval of these sites holds their own mean, and not the mean of all sites they are a sample of:",
            new,
            "leaderboards.md",
            runs=4000,
        ),
        "rates": Part(
            "How often slices are found to differ in accuracy. Where they share one accuracy, this is the rate of "
            "false positives; where the last slice is less accurate, it is the power. The last three columns are "
            "Cochran's Q after four pseudo-cases per slice, which is not used for rates:",
            rates,
            "leaderboards.md",
            runs=2000,
            errors=((0.05, 1.0), (0.001, 1.0)),
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
