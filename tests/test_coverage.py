"""How often intervals hold the truth: the acceptance bar, measured and printed.

Two classes by exact enumeration: every table of N cases with its probability. More classes by
seeded simulation. `INFORMED_FULL_COVERAGE=1` runs the whole grid of the K classes (minutes); the
default run takes a part of it. `pytest -s` prints the tables, and docs/intervals.md keeps them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from informed._arrays import Array
from informed.evidence.table import Table
from informed.inference.intervals import interval
from informed.measures import find

Flags = NDArray[np.bool_]

FULL = os.environ.get("INFORMED_FULL_COVERAGE") == "1"
CHANCE_CORRECTED = ("informedness", "markedness", "matthews", "cohen_kappa")
PROPORTIONS = ("accuracy", "recall", "precision", "f1")


@dataclass
class Study:
    """Coverages of one measure, collected over truths."""

    measure: str
    coverages: list[float] = field(default_factory=list)
    undefined_limits: float = 0.0

    def add(self, defined: Flags, weights: Array, value: float, low: Array, high: Array) -> None:
        """The coverage of this truth, among the tables that define the estimate."""
        with np.errstate(invalid="ignore"):
            held = (low <= value + 1e-12) & (value - 1e-12 <= high)
        self.coverages.append(float(weights[defined & held].sum() / weights[defined].sum()))
        self.undefined_limits += float(weights[defined & np.isnan(low)].sum())

    @property
    def mean(self) -> float:
        return float(np.mean(self.coverages))

    @property
    def least(self) -> float:
        return float(np.min(self.coverages))

    def percentile(self, q: float) -> float:
        return float(np.quantile(self.coverages, q))

    def line(self) -> str:
        """The row of docs/intervals.md."""
        return (
            f"| {self.measure} | {len(self.coverages)} | {self.mean:.3f} | {self.least:.3f} | "
            f"{self.percentile(0.01):.3f} | {self.percentile(0.05):.3f} |"
        )


def defines(t: Table, measure: str) -> Flags:
    """Which tables define the measure."""
    return np.asarray(~np.isnan(np.asarray(find(measure)(t))))


def say(text: str) -> None:
    sys.stdout.write(text + "\n")


def show(title: str, studies: dict[str, Study], documented: bool = True) -> None:
    """Print the table; what is documented must be what was measured."""
    say(f"\n{title}\n")
    say("| measure | truths | mean | min | 1st pct | 5th pct | NaN |\n|---|---|---|---|---|---|---|")
    page = (Path(__file__).parents[1] / "docs" / "intervals.md").read_text(encoding="utf-8")
    for study in studies.values():
        say(f"{study.line()} {study.undefined_limits:.1g} |")
        assert not documented or study.line() in page, f"docs/intervals.md lacks {study.line()}"


# ---------------------------------------------------------------------- two classes, exactly


def truth(prevalence: float, b: float, guess: float) -> Array:
    """Cells (+ +, + −, − +, − −) of a system that knows with probability b and else guesses."""
    hit, alarm = b + (1 - b) * guess, (1 - b) * guess
    real, unreal = prevalence, 1 - prevalence
    return np.array([real * hit, unreal * alarm, real * (1 - hit), unreal * (1 - alarm)])


def grid(n: int, least: float = 0.0) -> list[Array]:
    """The truths of the study whose rare class has this many cases at least, expected."""
    return [
        truth(prevalence, b, guess)
        for prevalence in (0.5, 0.2, 0.05)
        for b in (0, 0.3, 0.6, 0.9, 0.98)
        for guess in (0.5, 0.2, 0.05)
        if n * prevalence >= least
    ]


@cache
def every_table(n: int) -> Table:
    """All 2x2 tables of n cases."""
    a, b, c = (x.ravel() for x in np.meshgrid(*[np.arange(n + 1)] * 3, indexing="ij"))
    keep = a + b + c <= n
    a, b, c = a[keep], b[keep], c[keep]
    return Table.from_counts(np.stack([a, b, c, n - a - b - c], axis=-1).reshape(-1, 2, 2))


@cache
def arrangements(n: int) -> Array:
    """Logarithm of the number of orders in which each table can come about."""
    from scipy.special import gammaln

    t = every_table(n)
    return np.asarray(gammaln(n + 1) - gammaln(t.cells + 1).sum(axis=(0, 1)))


def probabilities(n: int, p: Array) -> Array:
    """Multinomial probability of each table."""
    with np.errstate(divide="ignore"):
        logs = np.maximum(np.log(p), -1e4)
    return np.exp(arrangements(n) + logs @ every_table(n).cells.reshape(4, -1))


@cache
def ends(n: int, measure: str, method: str = "auto", level: float = 0.95) -> tuple[Array, Array]:
    found = interval(every_table(n), measure, method=method, level=level)
    return np.asarray(found.low), np.asarray(found.high)


def value_at(measure: str, p: Array) -> float:
    return float(find(measure)(Table.from_counts(p.reshape(2, 2))))


def exact(measures: tuple[str, ...], truths: dict[int, list[Array]]) -> dict[str, Study]:
    """Only tables that some truth gives once in 10⁹ times: all others together move no coverage by 10⁻⁵."""
    studies = {m: Study(m) for m in measures}
    for n, ps in truths.items():
        kept = np.any([probabilities(n, p) > 1e-9 for p in ps], axis=0)
        t = every_table(n)[kept]
        found = {m: interval(t, m) for m in measures}
        defined = {m: defines(t, m) for m in measures}
        for p in ps:
            weights = probabilities(n, p)[kept]
            for m in measures:
                studies[m].add(defined[m], weights, value_at(m, p), found[m].low, found[m].high)
    return studies


@pytest.mark.slow
def test_two_classes_core() -> None:
    """Bars 1 and 5: every cell of the core grid, and no wider than Miettinen–Nurminen."""
    sizes = (32, 64, 128)
    studies = exact(CHANCE_CORRECTED + PROPORTIONS, {n: grid(n, least=5) for n in sizes})
    show("Two classes, exact, N 32 64 128, 5 or more expected in each class", studies)
    for m in CHANCE_CORRECTED:
        assert len(studies[m].coverages) == 105
        assert studies[m].least >= 0.94
        assert 0.945 <= studies[m].mean <= 0.967
        assert studies[m].undefined_limits == 0
    for m in PROPORTIONS:
        assert studies[m].least >= 0.93
        assert studies[m].mean <= 0.972
    logs = []
    for n in (32, 64):
        arc, score = (ends(n, "informedness", how) for how in ("auto", "miettinen-nurminen"))
        defined = ~np.isnan(score[0])
        for p in grid(n, least=5):
            weights = probabilities(n, p)[defined]
            widths = [(weights * (e[1] - e[0])[defined]).sum() for e in (arc, score)]
            logs.append(np.log(widths[0] / widths[1]))
    say(f"\nwidth against Miettinen–Nurminen, geometric mean: {np.exp(np.mean(logs)):.3f}")
    assert np.exp(np.mean(logs)) <= 1


@pytest.mark.slow
def test_two_classes_small_and_rare() -> None:
    """Bar 2: all 135 cells down to N = 16 and less than one expected case of a class."""
    studies = exact(CHANCE_CORRECTED, {n: grid(n) for n in (16, 32, 64)})
    show("Two classes, exact, N 16 32 64, prevalence down to .05", studies)
    for m in CHANCE_CORRECTED:
        assert len(studies[m].coverages) == 135
        assert studies[m].least >= 0.91


def systems(prevalence: Array, hit: Array, alarm: Array) -> list[Array]:
    real, unreal = prevalence, 1 - prevalence
    return list(np.array([real * hit, unreal * alarm, real * (1 - hit), unreal * (1 - alarm)]).T)


def random_truths(rng: np.random.Generator, size: int) -> list[Array]:
    """Any prevalence and, a fifth each: any recall and fallout; near perfect, with many error rates
    almost 0; near chance; one kind of error only, or almost; worse than chance."""
    prevalence = rng.uniform(0.1, 0.9, size)
    hit, alarm = rng.uniform(size=(2, size))
    kind = rng.integers(5, size=size)
    near = rng.beta(0.5, 8, size=(2, size))
    hit, alarm = (np.where(kind == 1, x, y) for x, y in ((1 - near[0], hit), (near[1], alarm)))
    alarm = np.where(kind == 2, np.clip(hit + rng.normal(0, 0.03, size), 0.001, 0.999), alarm)
    few = rng.choice([0, 0.001, 0.01], size)
    misses = rng.uniform(size=size) < 0.5
    hit = np.where((kind == 3) & ~misses, 1 - few, hit)
    alarm = np.where((kind == 3) & misses, few, alarm)
    alarm = np.where(kind == 4, hit + (1 - hit) * alarm, alarm)
    return systems(prevalence, hit, alarm)


@pytest.mark.slow
def test_random_truths() -> None:
    """Bar 4: 800 seeded truths for each of N = 40 and 60."""
    rng = np.random.default_rng(4060)
    studies = exact(CHANCE_CORRECTED, {n: random_truths(rng, 800) for n in (40, 60)})
    show("Two classes, exact, random truths, N 40 60", studies)
    for m in CHANCE_CORRECTED:
        assert studies[m].percentile(0.01) >= 0.94
        assert studies[m].least >= 0.925


@pytest.mark.slow
def test_fixed_class_sizes() -> None:
    """Bar 7: class sizes fixed beforehand, exactly."""
    from scipy.stats import binom

    measures = (*CHANCE_CORRECTED, "accuracy", "f1", "precision")
    studies = {m: Study(m) for m in measures}
    sizes = [(n, round(n * q)) for n in (32, 64, 128) for q in (0.5, 0.2, 0.05)]
    for n, n1 in sizes:
        if n1 < 5:
            continue
        n0 = n - n1
        x1, x0 = (x.ravel() for x in np.meshgrid(np.arange(n1 + 1), np.arange(n0 + 1)))
        t = Table.from_counts(np.stack([x1, x0, n1 - x1, n0 - x0], axis=-1).reshape(-1, 2, 2))
        found = {m: interval(t, m, sampling="fixed-reals") for m in measures}
        defined = {m: defines(t, m) for m in measures}
        for b in (0, 0.3, 0.6, 0.9, 0.98):
            for guess in (0.5, 0.2, 0.05):
                p = truth(n1 / n, b, guess)
                hit, alarm = b + (1 - b) * guess, (1 - b) * guess
                weights = binom.pmf(x1, n1, hit) * binom.pmf(x0, n0, alarm)
                for m in measures:
                    studies[m].add(defined[m], weights, value_at(m, p), found[m].low, found[m].high)
    show("Two classes, class sizes fixed, exact, N 32 64 128", studies)
    for m in measures:
        assert studies[m].least >= 0.91
        assert 0.945 <= studies[m].mean <= 0.967


# ---------------------------------------------------------------------- more classes, simulated


def geometric(k: int) -> Array:
    """Prevalences of which the first is ten times the last."""
    p = 10.0 ** -np.linspace(0, 1, k)
    return np.asarray(p / p.sum())


def confusions(k: int, prevalence: Array) -> Iterator[Array]:
    """Thirteen systems: (predicted, real) shares."""
    uneven = geometric(k)[::-1]
    for share in (0, 0.3, 0.6, 0.9, 0.98):
        for guess in (prevalence, uneven):
            yield share * np.diag(prevalence) + (1 - share) * np.outer(guess, prevalence)
    for know in (np.linspace(0.95, 0.2, k), np.linspace(0.2, 0.95, k)):
        yield np.diag(know * prevalence) + np.outer(prevalence, (1 - know) * prevalence)
    near = 0.7 * np.eye(k) + 0.15 * (np.eye(k, k=1) + np.eye(k, k=-1))
    yield near / near.sum(axis=0) * prevalence


@pytest.mark.slow
def test_more_classes() -> None:
    """Bar 3: K 3 4 5 10, N/K 4 8 32; the default run takes every 23rd of the 312 cells, each system once."""
    replicates = 2000
    measures = (*CHANCE_CORRECTED, "correlation")
    studies = {m: Study(m) for m in measures}
    cells = [
        (k, share, p)
        for k in (3, 4, 5, 10)
        for share in (4, 8, 32)
        for prevalence in (np.full(k, 1 / k), geometric(k))
        for p in confusions(k, prevalence)
    ]
    assert len(cells) == 312
    even = np.full(replicates, 1 / replicates)
    for number in range(0, 312, 1 if FULL else 23):
        k, share, p = cells[number]
        rng = np.random.default_rng([31050, number])
        t = Table.from_counts(rng.multinomial(k * share, p.ravel(), replicates).reshape(-1, k, k))
        for m in measures:
            if m == "cohen_kappa" and (k, share) == (10, 32):
                continue
            found = interval(t, m)
            value = float(find(m)(Table.from_counts(p)))
            studies[m].add(defines(t, m), even, value, found.low, found.high)
    show(f"K classes, {replicates} tables a truth", studies, documented=FULL)
    for m in measures:
        assert studies[m].least >= 0.93
        assert studies[m].percentile(0.05) >= 0.94
        spread = np.std(studies[m].coverages) / np.sqrt(len(studies[m].coverages))  # of the mean of some cells
        slack = 0 if FULL else 2 * spread
        assert 0.945 - slack <= studies[m].mean <= 0.967 + slack
        assert studies[m].undefined_limits == 0
