"""How often raters who guess are found to agree, and how often confidence intervals of their agreement cover it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from study import Part, Row, Study, bare

from informed import Table, test
from informed.inference.influence import influence
from informed.systems.intraclass import intraclass_correlation
from informed.systems.rated import RatedGroups
from informed.systems.rater_arcs import Items, arc_limits, functional_of
from informed.systems.rater_chance import COEFFICIENTS, Ratings
from informed.systems.rater_evidence import RaterEvidence

SEED = 2031
DRAWS = 999
TIMES = 10  # more runs of two raters, whose tests are found all at once
Z = 1.959963984540054
KAPPAS = (0.0, 0.4, 0.8, 0.95)
MANY = ("conger", "fleiss", "krippendorff", "gwet_ac1", "brennan_prediger", "percent")


# ---------------------------------------------------------------------- sizes


def sizes(runs: int) -> Iterator[Row]:
    """Raters who rate independently, each by the prevalences alone."""
    for m, k, n, prevalence, design in (
        *((2, 2, *x, "") for x in ((20, 0.1), (50, 0.02), (50, 0.1), (100, 0.05), (200, 0.1), (200, 0.5))),
        *((3, 2, *x, "") for x in ((20, 0.1), (50, 0.02), (50, 0.1), (200, 0.1), (50, 0.5))),
        (5, 2, 50, 0.1, ""),
        (3, 3, 50, 0.1, ""),
        (5, 5, 50, 0.1, ""),
        (2, 5, 50, 0.1, "linear weights"),
        (3, 5, 50, 0.1, "linear weights"),
        (3, 2, 50, 0.1, "30% missing"),
        (2, 2, 200, 0.2, "40 clusters of 5"),
        (3, 2, 200, 0.2, "40 clusters of 5"),
    ):
        rng = np.random.default_rng([SEED, m, k, n, round(1000 * prevalence)])
        p = _pvalues(rng, m, k, n, prevalence, design, runs)
        said: Row = {"raters": m, "classes": k, "items": n, "prevalence": bare(prevalence), "design": design}
        yield said | {f"rejects at {alpha:g}": float((p <= alpha).mean()) for alpha in (0.05, 0.01, 0.001)}


def _shares(k: int, prevalence: float) -> Any:
    return np.array([prevalence, *[(1 - prevalence) / (k - 1)] * (k - 1)])


def _pvalues(rng: Any, m: int, k: int, n: int, prevalence: float, design: str, runs: int) -> Any:
    shares = _shares(k, prevalence)
    unit = np.arange(n) // 5 if "clusters" in design else None
    if m == 2 and not design:
        tables = rng.multinomial(n, np.outer(shares, shares).ravel(), size=TIMES * runs).reshape(-1, k, k)
        return np.asarray(test(Table.from_counts(tables), "cohen_kappa").pvalue)
    found = []
    for _ in range(runs):
        given = rng.choice(k, (n if unit is None else int(unit.max()) + 1, m), p=shares)
        codes = given if unit is None else given[unit]
        if "missing" in design:
            codes = np.where((rng.random(codes.shape) < 0.3) & (np.arange(m) > 0), -1, codes)
        found.append(_evidence(codes, k, unit, "weights" in design).test(int(rng.integers(2**31)), DRAWS).pvalue)
    return np.array(found)


def _evidence(codes: Any, k: int, unit: Any, weighted: bool = False) -> RaterEvidence:
    weight = 1 - np.abs(np.subtract.outer(np.arange(k), np.arange(k))) / (k - 1) if weighted else np.eye(k)
    groups = RatedGroups(np.arange(len(codes))) if unit is None else RatedGroups(unit, name="cluster")
    two = codes.shape[1] == 2 and not weighted
    order = list(range(k))
    table = Table.from_labels(predicted=codes[:, 0], real=codes[:, 1], labels=order, unit=unit) if two else None
    return RaterEvidence(Ratings(codes, weight, np.ones(len(codes))), groups, table)


# ---------------------------------------------------------------------- intervals


def intervals(runs: int) -> Iterator[Row]:
    """Raters who know a share √κ of the true classes and guess the others by the prevalences."""
    for m, k, n, prevalence, design in (
        *((m, 2, n, p, "") for m, n, p in product((2, 3, 5), (20, 50, 200), (0.02, 0.1, 0.5))),
        *((m, 3, n, p, "") for m, n, p in product((2, 3), (20, 200), (0.02, 0.2))),
        *((m, 5, n, 0.05, "") for m, n in product((2, 3), (20, 200))),
        *((3, 5, n, 0.05, "linear weights") for n in (20, 200)),
        *((3, 2, n, 0.1, "30% missing") for n in (20, 50, 200)),
    ):
        least: dict[str, float] = {}
        many = 4 * runs if n == 20 and prevalence <= 0.05 else runs  # of which some have no coefficient
        for kappa in KAPPAS:
            rng = np.random.default_rng([SEED, m, k, n, round(1000 * prevalence), round(100 * kappa)])
            for name, share in _covered(rng, m, k, n, _shares(k, prevalence), kappa, design, many).items():
                least[name] = min(share, least.get(name, 1.0))
        said: Row = {"raters": m, "classes": k, "items": n, "prevalence": bare(prevalence), "design": design}
        names = {"conger": "Cohen / Conger", "fleiss": "Scott / Fleiss", "krippendorff": "Krippendorff"}
        names |= {"gwet_ac1": "Gwet", "brennan_prediger": "Brennan–Prediger", "percent": "percent"}
        of_tables = ("percent", "brennan_prediger") if m == 2 else ()  # proportions, which have another interval
        shown = {title: "" if name in of_tables else least[name] for name, title in names.items()}
        yield said | shown | {"linearised Krippendorff": least["linearised"]}


def _covered(rng: Any, m: int, k: int, n: int, shares: Any, kappa: float, design: str, runs: int) -> dict[str, float]:
    """Shares of runs whose limits hold the coefficient of the population, among runs in which it is defined."""
    lost = 0.3 if "missing" in design else 0.0
    labels = range(-1, k) if lost else range(k)
    codes = np.array([x for x in product(labels, repeat=m) if max(x) >= 0])
    skill = np.sqrt(kappa)
    given = skill * np.eye(k) + (1 - skill) * shares  # (truth, label)
    each = np.concatenate([given * (1 - lost), np.full((k, 1), lost)], axis=1)  # a missing rating stands last
    chances = shares @ np.prod(each[:, codes], axis=2)
    chances /= chances.sum()
    seen = rng.multinomial(n, chances, size=runs).T.astype(float)
    weight = 1 - np.abs(np.subtract.outer(range(k), range(k))) / (k - 1) if "weights" in design else np.eye(k)
    items, at = Items.of(Ratings(codes, weight, np.ones(len(codes))))
    counts, truth = np.zeros((len(items.pattern), runs)), np.zeros(len(items.pattern))
    counts[at], truth[at] = seen, chances

    found: dict[str, float] = {}
    for name in MANY:
        way, presence = COEFFICIENTS[name], np.full(m, 1 - lost)
        read = items.read(way, presence)
        value = float(way.value(read.sums(truth * 1e12), weight))
        with np.errstate(all="ignore"):
            estimate = way.value(read.sums(counts.T), weight)
        known = np.isfinite(estimate) & (counts.T @ read.weight > 0)
        f = functional_of(way, read, weight)
        low, high = arc_limits(items, f, counts, n, Z)
        high = np.where(estimate > 1 - 1e-12, 1.0, high)
        held = (np.fmin(low, estimate) <= value + 1e-12) & (value - 1e-12 <= np.fmax(high, estimate))
        found[name] = float(held[known].mean())
        if name == "krippendorff":
            found["linearised"] = _linearised(f, counts[:, known], n, estimate[known], value)
    return found


def _linearised(f: Any, counts: Any, n: int, estimate: Any, value: float) -> float:
    """Gwet's standard error with Student's t."""
    from scipy.special import stdtrit

    p, told = counts / n, np.full(counts.shape[1], float(n))
    _, v = influence(p, f.gradient(p, told))
    reach = stdtrit(n - 1, 0.975) * np.sqrt(v / (n - 1))
    return float((np.abs(estimate - value) <= reach + 1e-12).mean())


# ---------------------------------------------------------------------- clusters


def clusters(runs: int) -> Iterator[Row]:
    """Raters of a coin who slip on whole clusters; Fleiss' kappa is covered or not."""
    for m, units, size, noise in (
        (2, 40, 6, 0.25),
        (2, 20, 10, 0.25),
        (3, 40, 6, 0.25),
        (3, 20, 10, 0.25),
        (3, 100, 3, 0.1),
    ):
        rng, found = np.random.default_rng([SEED, m, units]), []
        unit = np.repeat(np.arange(units), size)
        truth = 2 * ((1 - noise) ** 2 + noise**2) - 1
        for _ in range(runs):
            real = rng.random(len(unit)) < 0.5
            codes = (real[:, None] ^ (rng.random((units, m))[unit] < noise)).astype(int)
            both = [_evidence(codes, 2, known).limits("scott" if m == 2 else "fleiss", 0.95) for known in (unit, None)]
            found.append([low <= truth <= high for low, high, _ in both])
        told, blind = map(float, np.mean(found, axis=0))
        said: Row = {"raters": m, "clusters × items": f"{units} × {size}", "errors": bare(noise)}
        yield said | {"covers": told, "without `unit=`": blind}


# ---------------------------------------------------------------------- intraclass correlation


def measured(runs: int) -> Iterator[Row]:
    """Normal items, raters and errors, of variances that make the correlations."""
    for k, n, value, raters in product((2, 4), (10, 50), (0.3, 0.9), (0.0, 0.1)):
        rng, size = np.random.default_rng([SEED, k, n, round(10 * value), round(10 * raters)]), (runs, n, k)
        error = 1 - value - raters * (1 - value)
        of_raters = np.sqrt(raters * (1 - value)) * rng.standard_normal((runs, 1, k))
        y = np.sqrt(value) * rng.standard_normal((runs, n, 1)) + of_raters + np.sqrt(error) * rng.standard_normal(size)
        truth = {"ICC(2,1)": value, "ICC(3,1)": value / (value + error)}
        truth |= {} if raters else {"ICC(1,1)": value}  # whose model has no raters
        held: dict[str, list[bool]] = {name: [] for name in truth}
        for one in y:
            found = intraclass_correlation(one)
            for name, x in truth.items():
                held[name].append(found[name].low <= x <= found[name].high)
        said: Row = {"raters": k, "items": n, "ICC(2,1)": bare(value), "share of raters in the error": bare(raters)}
        yield said | {f"{name} covers": float(np.mean(x)) for name, x in held.items()}


STUDY = Study(
    "rater_coverage",
    {
        "sizes": Part(
            "How often raters who guess independently are found to agree, by the p-value of `agreement` (Type I "
            "error). The first of the classes has the prevalence, and the others share the rest. Ratings in clusters "
            "are the same for all items of a cluster. Rows of two raters without a design have ten times as many runs:",
            sizes,
            "raters.md",
            runs=2000,
            errors=((0.05, 1.0), (0.01, 1.0), (0.001, 1.0)),
            run="runs per row",
        ),
        "intervals": Part(
            "Least coverage of the 95% confidence intervals over raters with Cohen's kappa of 0, 0.4, 0.8 and 0.95, "
            'among samples in which the coefficient is defined. The last column is `method="linearised"`:',
            intervals,
            "raters.md",
            runs=1500,
            run="runs per kappa (four times as many for 20 items with a prevalence of 0.05 or less)",
        ),
        "clusters": Part(
            "Coverage of the 95% confidence interval of Scott's pi and Fleiss' kappa, for raters who err on whole "
            "clusters:",
            clusters,
            "raters.md",
            runs=500,
            run="runs per row",
        ),
        "measured": Part(
            "Coverage of the 95% confidence intervals of intraclass correlations, for normal ratings:",
            measured,
            "raters.md",
            runs=1000,
            run="runs per row",
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
