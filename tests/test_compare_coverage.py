"""How often paired intervals hold the true difference, and how often their test rejects wrongly.

The acceptance bar of the paired Fisher arc, by seeded simulation over families of truths: two
systems that share what they know, items of different difficulty, near-identical and near-perfect
systems, a good one against chance, the same law twice, opposite biases, equal informedness with
different bias. `INFORMED_FULL_COVERAGE=1` takes 3000 tables of 320 truths for each measure
(minutes); the default run takes 1200 of 160, and holds them to the same bars.
`pytest -s` prints the tables of docs/comparing.md.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pytest
from scipy.special import gammaln

from informed import Table, compare, find
from informed._arrays import Array
from informed.evidence.joint import Joint
from informed.systems.paired_arc import PairedContrast, arc_limits
from informed.systems.paired_methods import METHODS, default
from informed.systems.tails import ComparisonOptions, quantile
from informed.systems.unpaired import UnpairedContrast
from informed.systems.unpaired import mover_limits as unpaired_limits

FULL = os.environ.get("INFORMED_FULL_COVERAGE") == "1"
SEED = 20110
FAMILIES = (
    "mixtures",
    "difficulty",
    "near-identical",
    "near-perfect",
    "good v chance",
    "same law",
    "opposite biases",
    "equal informedness",
)
MEASURES = ("informedness", "markedness", "matthews", "cohen_kappa", "accuracy")
NULLS = ("same law", "equal informedness")
FAST = 4  # steps of the walk; 16 move no coverage by more than .0001 (checked below)


@dataclass(frozen=True)
class Truth:
    """A distribution over (real, a, b), and how many items are drawn from it."""

    family: str
    p: Array  # (real, a, b)
    n: int


def coupled(prevalence: float, a: Sequence[float], b: Sequence[float], shared: float) -> Array:
    """Two systems that answer 1 with these rates in each class; a share of items is answered from
    one and the same uniform number, the rest independently."""
    p = np.zeros((2, 2, 2))
    for c, weight in enumerate((1 - prevalence, prevalence)):
        x, y = a[c], b[c]
        apart = np.array([[(1 - x) * (1 - y), (1 - x) * y], [x * (1 - y), x * y]])
        both = min(x, y)
        together = np.array([[1 - max(x, y), y - both], [x - both, both]])
        p[c] = weight * (shared * together + (1 - shared) * apart)
    return p


def truth(family: str, n: int, rng: np.random.Generator) -> Truth:
    least = max(0.05, 5 / n)
    prevalence = rng.uniform(least, 1 - least)
    shared = rng.uniform(0, 0.9)

    def rates(informedness: float, bias: float) -> tuple[float, float]:
        """Fallout and recall of a system that knows so often and else says 1 so often."""
        return (1 - informedness) * bias, informedness + (1 - informedness) * bias

    def any_rates() -> tuple[float, float]:
        return rates(rng.uniform(0.05, 0.9), rng.uniform(0.15, 0.85))

    a, b = any_rates(), any_rates()
    if family == "difficulty":
        ease = rng.dirichlet(np.ones(3))
        parts = [
            coupled(prevalence, rates(i, rng.uniform(0.3, 0.7)), rates(j, rng.uniform(0.3, 0.7)), 0)
            for i, j in zip(rng.uniform(0, 1, 3), rng.uniform(0, 1, 3), strict=True)
        ]
        return Truth(family, np.tensordot(ease, np.array(parts), 1), n)
    if family == "near-identical":
        flips = rng.dirichlet(np.full(4, 0.5)) * rng.uniform(0.1, 3) / n
        p = coupled(prevalence, a, a, 1.0)
        for flip, (c, label) in zip(flips, np.ndindex(2, 2), strict=True):
            moved = min(flip, p[c, label, label])
            p[c, label, label] -= moved
            p[c, label, 1 - label] += moved
        return Truth(family, p, n)
    if family == "near-perfect":
        wrong = rng.uniform(0.002, 0.05, 4)
        a, b = (wrong[0], 1 - wrong[1]), (wrong[2], 1 - wrong[3])
    elif family == "good v chance":
        g = rng.uniform(0.1, 0.9)
        a, b = rates(rng.uniform(0.5, 0.95), rng.uniform(0.2, 0.8)), (g, g)
    elif family == "same law":
        b = a
    elif family == "opposite biases":
        a = rates(rng.uniform(0.1, 0.8), rng.uniform(0.7, 0.95))
        b = rates(rng.uniform(0.1, 0.8), rng.uniform(0.05, 0.3))
    elif family == "equal informedness":
        same = rng.uniform(0.1, 0.8)
        a, b = rates(same, rng.uniform(0.5, 0.95)), rates(same, rng.uniform(0.05, 0.5))
    return Truth(family, coupled(prevalence, a, b, shared), n)


def truths(each: int, sizes: Iterable[int] = (40, 120), seed: int = SEED) -> list[Truth]:
    rng = np.random.default_rng(seed)
    return [truth(f, n, rng) for f in FAMILIES for n in sizes for _ in range(each)]


def extremes(each: int, seed: int = SEED + 1) -> list[Truth]:
    """A near-perfect system against a perverse one, chance or a constant, and a rare class."""
    rng = np.random.default_rng(seed)
    found = []
    for n in (40, 100, 200):
        for _ in range(each):
            good = (rng.uniform(0, 0.02), 1 - rng.uniform(0, 0.02))
            for other in ((0.97, 0.03), (0.5, 0.5), (0.01, 0.01), (0.99, 0.99)):
                p = coupled(rng.uniform(5 / n, 0.5), good, other, rng.uniform(0, 0.5))
                found.append(Truth("extreme", p, n))
    return found


def drawn(t: Truth, size: int, rng: np.random.Generator) -> Joint:
    cells = rng.multinomial(t.n, t.p.ravel(), size=size)
    return Joint.from_counts(cells.reshape(-1, *t.p.shape), labels=range(len(t.p)))


def true_difference(measure: str, p: Array) -> float:
    joint = Joint.from_counts(p, labels=range(len(p)))
    m = find(measure)
    return float(m(joint.a) - m(joint.b))


@dataclass(frozen=True)
class Study:
    """Coverage at each truth, and at the truths without a difference the size of the test."""

    measure: str
    coverages: Array
    sizes: Array
    undefined: float

    def line(self, name: str = "") -> str:
        least, low, mean = self.summary
        size = f"{self.sizes.max():.3f}" if len(self.sizes) else "–"
        return (
            f"| {name or self.measure} | {len(self.coverages)} | {mean:.3f} | {least:.3f} | "
            f"{low:.3f} | {size} | {self.undefined:g} |"
        )

    @property
    def summary(self) -> tuple[float, float, float]:
        """Least, 5th percentile, mean."""
        c = self.coverages
        return float(c.min()), float(np.quantile(c, 0.05)), float(c.mean())


def study(
    measure: str, chosen: Sequence[Truth], size: int, *, level: float = 0.95, fixed: bool = False, seed: int = SEED + 2
) -> Study:
    rng = np.random.default_rng(seed)
    z = quantile(level)
    coverages, sizes, undefined = [], [], 0.0
    for t in chosen:
        s = PairedContrast(find(measure), drawn(t, size, rng), fixed)
        low, high = arc_limits(s, z, steps=FAST)
        true = true_difference(measure, t.p)
        defined = ~np.isnan(s.estimate)
        held = (low <= true + 1e-12) & (true - 1e-12 <= high)
        undefined += float(np.isnan(low + high).sum())
        coverages.append(held[defined].mean())
        if abs(true) < 1e-12:
            sizes.append(1 - held[defined].mean())
    return Study(measure, np.array(coverages), np.array(sizes), undefined)


def show(*lines: str) -> None:
    sys.stdout.write("\n".join(("", *lines, "")))


HEAD = "| measure | truths | mean | least | 5th pct | largest size | NaN |\n|---|---|---|---|---|---|---|"


# ---------------------------------------------------------------------- more than two classes


def coupled_classes(prevalence: Array, a: Array, b: Array, shared: float) -> Array:
    """As `coupled`, for any number of classes: answers agree as far as the rates let them."""
    k = len(prevalence)
    p = np.zeros((k, k, k))
    for c in range(k):
        both = np.minimum(a[c], b[c])
        left = 1 - both.sum()
        apart = np.outer(a[c], b[c])
        together = np.diag(both)
        if left > 1e-12:
            together = together + np.outer(a[c] - both, b[c] - both) / left
        p[c] = prevalence[c] * (shared * together + (1 - shared) * apart)
    return p


def class_truths(k: int, sizes: Sequence[int], each: int, seed: int = SEED + 3) -> list[Truth]:
    rng = np.random.default_rng(seed)
    found = []
    for n in sizes:
        for i in range(each):
            prevalence = rng.dirichlet(np.full(k, 5.0)) if i % 2 else np.full(k, 1 / k)

            def system(knows: float, share: Array = prevalence) -> Array:
                guess = rng.dirichlet(np.full(k, 2.0)) if rng.random() < 0.5 else share
                return knows * np.eye(k) + (1 - knows) * guess

            a = system(rng.choice([0.0, 0.3, 0.6, 0.9, 0.98]))
            kind = i % 4
            if kind == 0:  # the same law
                b = a
            elif kind == 1:  # near-identical
                flip = rng.uniform(0.1, 3) / n
                b = (1 - flip) * a + flip * system(0.0)
            else:
                b = system(rng.choice([0.0, 0.3, 0.6, 0.9, 0.98]))
            shared = 1.0 if kind == 1 else rng.uniform(0, 0.9)
            found.append(Truth(f"K = {k}", coupled_classes(prevalence, a, b, shared), n))
    return found


# ---------------------------------------------------------------------- the acceptance bar

TABLES = 3000 if FULL else 1200
EACH = 20 if FULL else 10


@pytest.mark.slow
@pytest.mark.parametrize("measure", MEASURES)
def test_paired_arcs_hold_the_true_difference(measure: str) -> None:
    found = study(measure, truths(EACH), TABLES)
    show(HEAD, found.line())
    least, low, mean = found.summary
    assert len(found.coverages) >= 160
    assert least >= 0.925
    assert low >= 0.945
    assert 0.955 <= mean <= 0.978
    assert found.undefined == 0
    if measure in ("informedness", "accuracy"):
        assert found.sizes.max() <= 0.065


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["informedness", "matthews"])
def test_three_classes_and_extremes_reach_their_bars(measure: str) -> None:
    three = study(measure, class_truths(3, (60, 120), 32 if FULL else 16), 1000)
    far = study(measure, extremes(9 if FULL else 3), 2000)
    show(HEAD, three.line(f"{measure}, K = 3"), far.line(f"{measure}, extremes"))
    assert min(three.coverages.min(), far.coverages.min()) >= 0.915
    assert three.undefined == far.undefined == 0


def test_every_null_keeps_its_size() -> None:
    nulls = [t for t in truths(EACH, seed=SEED + 4) if t.family in NULLS]
    found = study("informedness", nulls, TABLES)
    show(HEAD, found.line("nulls"))
    assert len(found.sizes) == len(nulls)
    assert found.sizes.max() <= 0.065


def test_other_levels_keep_theirs() -> None:
    chosen = truths(2, seed=SEED + 5)
    for level, least in ((0.9, 0.88), (0.99, 0.975)):
        found = study("informedness", chosen, 1500, level=level)
        show(HEAD, found.line(f"level {level}"))
        assert found.coverages.min() >= least
        assert found.coverages.mean() >= level


def test_few_steps_cover_as_many_do() -> None:
    """The simulations above walk in 4 steps; 16 change hardly a verdict."""
    rng = np.random.default_rng(SEED)
    for t in truths(1, (40,)):
        s = PairedContrast(find("informedness"), drawn(t, 500, rng))
        true, z = true_difference("informedness", t.p), quantile(0.95)
        few, many = ((low <= true) & (true <= high) for low, high in (arc_limits(s, z, steps=n) for n in (FAST, 16)))
        assert np.mean(few != many) <= 0.004


# ---------------------------------------------------------------------- what had been left open


def test_few_items_and_more_classes_are_covered() -> None:
    """benchmarks/studies/compare_coverage.py has more truths and tables; these would show a break."""
    rng = np.random.default_rng(SEED + 6)
    few = [truth(f, 16, rng) for f in FAMILIES for _ in range(2)]
    few = [t for t in few if t.n * t.p.sum(axis=(1, 2)).min() >= 3]
    five = class_truths(5, (100,), 8)
    for chosen, least, mean in ((few, 0.93, 0.97), (five, 0.905, 0.955)):
        found = study("informedness", chosen, 500)
        assert found.coverages.min() >= least
        assert found.coverages.mean() >= mean
        assert found.undefined == 0


def test_fixed_class_sizes_are_covered_and_narrower() -> None:
    rng = np.random.default_rng(SEED + 7)
    wide: list[float] = []
    for t in [x for x in truths(2, (120,)) if 0.2 < x.p.sum(axis=(1, 2))[0] < 0.8][:10]:
        sizes = np.round(t.p.sum(axis=(1, 2)) * t.n).astype(int)
        p = t.p * (sizes / sizes.sum() / t.p.sum(axis=(1, 2)))[:, None, None]
        cells = np.stack(
            [
                rng.multinomial(m, q.ravel() / q.sum(), size=400).reshape(400, 2, 2)
                for m, q in zip(sizes, p, strict=True)
            ],
            axis=1,
        )
        joint = Joint.from_counts(cells, labels=[0, 1])
        true = true_difference("accuracy", p)
        found = [
            arc_limits(PairedContrast(find("accuracy"), joint, fixed), quantile(0.95), steps=FAST)
            for fixed in (True, False)
        ]
        (low, high), (far, away) = found
        assert np.mean((low <= true + 1e-12) & (true - 1e-12 <= high)) >= 0.915, t.family
        wide.append(float(np.mean(high - low) / np.mean(away - far)))
    assert max(wide) <= 1.001
    assert min(wide) < 0.97


def test_the_root_of_both_is_covered_by_mover_for_three_classes() -> None:
    rng = np.random.default_rng(SEED + 8)
    found = []
    for t in class_truths(3, (60,), 8):
        s = PairedContrast(find("correlation"), drawn(t, 200, rng))
        assert default(s) == "mover"
        low, high = METHODS["mover"].limits(s, 0.95, ComparisonOptions())
        true = true_difference("correlation", t.p)
        found.append(np.mean((low <= true + 1e-12) & (true - 1e-12 <= high)))
    assert min(found) >= 0.9
    assert np.mean(found) >= 0.95


# ---------------------------------------------------------------------- by enumeration


def all_joints(n: int) -> Array:
    """Every joint table of n items and two classes, ``(tables, 8)``."""
    bars = np.array(list(combinations(range(n + 7), 7)))
    ends = np.concatenate([np.full((len(bars), 1), -1), bars, np.full((len(bars), 1), n + 7)], 1)
    return np.asarray(np.diff(ends, axis=1) - 1, dtype=np.float64)


def probability(tables: Array, p: Array) -> Array:
    with np.errstate(divide="ignore"):
        logs = np.where(tables > 0, tables * np.log(p), 0.0).sum(axis=1)
    total = gammaln(tables.sum(axis=1) + 1) - gammaln(tables + 1).sum(axis=1)
    return np.asarray(np.exp(total + logs))


@pytest.mark.parametrize("n", [6, 10])
def test_size_is_kept_exactly_for_few_items(n: int) -> None:
    """All joint tables of n items, weighted with their probabilities: no simulation."""
    tables = all_joints(n)
    joint = Joint.from_counts(tables.reshape(-1, 2, 2, 2), labels=[0, 1])
    rejected = {}
    for measure in ("informedness", "accuracy"):
        s = PairedContrast(find(measure), joint)
        low, high = arc_limits(s, quantile(0.95), steps=FAST)
        rejected[measure] = (low > 0) | (high < 0)
    exact = compare.paired(joint=joint, method="mcnemar-exact")["accuracy"]
    rejected["exact McNemar"] = np.asarray(exact.pvalue) <= 0.05
    rng = np.random.default_rng(SEED)
    for family in NULLS * 10:
        p = truth(family, 40, rng).p
        weight = probability(tables, p.ravel())
        assert weight.sum() == pytest.approx(1)
        assert weight[rejected["informedness"]].sum() <= 0.05
        if abs(true_difference("accuracy", p)) < 1e-12:
            assert weight[rejected["accuracy"]].sum() <= 0.05
            assert weight[rejected["exact McNemar"]].sum() <= 0.05


# ---------------------------------------------------------------------- different items


def test_unpaired_intervals_hold_the_true_difference() -> None:
    rng = np.random.default_rng(SEED + 6)
    coverages = []
    for family in FAMILIES:
        one, other = (truth(family, 60, rng).p for _ in range(2))
        a, b = (
            Table.from_counts(rng.multinomial(60, p.ravel(), size=1500).reshape(-1, 2, 2), labels=[0, 1])
            for p in (one.sum(axis=2).T, other.sum(axis=1).T)
        )
        true = [
            find("informedness")(Table.from_counts(p, labels=[0, 1])) for p in (one.sum(axis=2).T, other.sum(axis=1).T)
        ]
        low, high = unpaired_limits(UnpairedContrast(find("informedness"), a, b), np.full(1500, quantile(0.95)))
        coverages.append(np.mean((low <= true[0] - true[1]) & (true[0] - true[1] <= high)))
    assert min(coverages) >= 0.92
    assert 0.94 <= np.mean(coverages) <= 0.98
