"""Whom a judge favours: verdicts on equally good answers of two systems that differ.

With recall r, fallout f and rate θ of each system, and their means, the judge's difference is B·Δ + θ(r₁ − r₂) +
(1 − θ)(f₁ − f₂) exactly: a judge that errs alike for both only blurs the true difference Δ, and what is left is its
favour. Its standard error is that of a large sample, by what each labelled answer adds to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from informed._arrays import Array
from informed.evidence.label_policy import Mask
from informed.evidence.units import Ints, sums
from informed.inference.given import students
from informed.systems.judge_strata import varied
from informed.systems.judged_sorts import JudgedPair, two_sided
from informed.systems.row_units import RowGroups, design_effect, row_effects


@dataclass(frozen=True, eq=False)
class Cells:
    """Verdicts and truth of labelled rows by what the judge said of all: strata, and kinds of truth within them."""

    stratum: Ints  # of each row
    truth: Ints  # of each row, of no meaning where it is not known
    known: Mask
    rows: RowGroups | None
    weight: Array  # of each row
    kinds: int

    @cached_property
    def several(self) -> int:
        return int(self.stratum.max()) + 1

    @cached_property
    def cases(self) -> Array:
        return sums(self.stratum, self.weight, self.several)

    @cached_property
    def labelled(self) -> Array:
        return sums(self.stratum, self.weight * self.known, self.several)

    def given(self) -> Array:
        """Shares of the truth in each stratum, helped by one case that is as all labelled ones are."""
        k, on = self.kinds, self.known
        x = sums(self.stratum[on] * k + self.truth[on], self.weight[on], self.several * k).reshape(-1, k)
        all_ = (x.sum(axis=0) + 0.5) / (x.sum() + k / 2)
        return np.asarray((x + all_) / (x.sum(axis=1, keepdims=True) + 1))

    def variance(self, q: Array, effect: Array) -> tuple[float, float]:
        """Of an estimate that each (stratum, kind) has this effect on: its variance, and its degrees of freedom."""
        found = varied(q, effect, self.cases, self.labelled)
        if self.rows is None:
            return found.whole, np.inf
        value = effect[self.stratum, np.where(self.known, self.truth, 0)]
        phi = row_effects(value, found.mean, self.stratum, self.known, self.cases, self.labelled)
        root, df = design_effect(phi, self.rows.unit, self.known, self.weight)
        return found.whole * root**2, df


@dataclass(frozen=True)
class Rates:
    """A system's true rate, and how often the judge calls its good (recall) and its bad answers (fallout) good."""

    rate: float
    recall: float
    fallout: float

    @classmethod
    def of(cls, share: Array, said: Array, real: Array) -> Rates:
        """From the shares of cells, with verdict and truth of each."""
        good, bad = float((share * real).sum()), float((share * (1 - real)).sum())
        held = (share * said * real).sum() / good, (share * said * (1 - real)).sum() / bad
        return cls(good, float(held[0]), float(held[1]))

    def helped(self, good: float, bad: float) -> Rates:
        """With one verdict of each kind more on the labelled good answers, and on the bad ones."""
        return Rates(self.rate, (self.recall * good + 1) / (good + 2), (self.fallout * bad + 1) / (bad + 2))

    def hidden(self, good: float, bad: float, slopes: tuple[float, float, float]) -> float:
        """What so few labelled answers leave open of both rates."""
        parts = zip(slopes[1:], (self.recall, self.fallout), (good, bad), strict=True)
        return sum(slope**2 * x * (1 - x) / (n + 2) for slope, x, n in parts)

    def effect(self, said: Array, real: Array, slopes: tuple[float, float, float]) -> Array:
        """What a cell adds to a number that answers so to the rate, to recall and to fallout."""
        of_rate, of_recall, of_fallout = slopes
        found = of_rate * (real - self.rate) + of_recall * real * (said - self.recall) / self.rate
        return np.asarray(found + of_fallout * (1 - real) * (said - self.fallout) / (1 - self.rate))


def favour_of(a: Rates, b: Rates) -> tuple[float, list[tuple[float, float, float]]]:
    """The judge's favour for the first, and how it answers to the rates of each."""
    mean = (a.rate + b.rate) / 2
    more, pass_ = a.recall - b.recall, a.fallout - b.fallout
    tilt = (more - pass_) / 2
    return mean * more + (1 - mean) * pass_, [(tilt, mean, 1 - mean), (tilt, -mean, mean - 1)]


def paired_favour(p: JudgedPair, level: float) -> dict[str, float]:
    """The judge's favour on the same items: estimate, limits and p-value."""
    _, first, stratum = np.unique(np.stack(p.said, axis=1), axis=0, return_index=True, return_inverse=True)
    c = Cells(np.asarray(stratum, np.int64).ravel(), 2 * p.real[0] + p.real[1], p.known, p.rows, p.weight, 4)
    q = c.given()
    share = (c.cases / c.cases.sum())[:, None] * q
    said = [np.asarray(x)[first][:, None] for x in p.said]
    real = [np.array([[0, 0, 1, 1]]), np.array([[0, 1, 0, 1]])]

    own = [Rates.of(share, v, g) for v, g in zip(said, real, strict=True)]
    seen = [_of_each(g, p.known, p.weight) for g in p.real]
    own, found, slopes, hidden = _with_constant(own, said, seen)
    effect = sum(x.effect(v, g, s) for x, v, g, s in zip(own, said, real, slopes, strict=True))
    variance, df = c.variance(q, np.asarray(effect))
    return _limits(found, variance + hidden, df, level)


def unpaired_favour(each: list[tuple[Array, Cells]], level: float) -> dict[str, float]:
    """The same of different items: of each system, the verdict of each stratum, and its cells."""
    shares = [c.given() for _, c in each]
    weights = [(c.cases / c.cases.sum())[:, None] for _, c in each]
    real, said = np.array([[0, 1]]), [v[:, None] for v, _ in each]
    own = [Rates.of(w * q, v, real) for w, q, v in zip(weights, shares, said, strict=True)]
    own, found, slopes, hidden = _with_constant(own, said, [_of_each(c.truth, c.known, c.weight) for _, c in each])
    parts = [
        c.variance(q, x.effect(v, real, s)) for (_, c), q, x, v, s in zip(each, shares, own, said, slopes, strict=True)
    ]
    return _limits(found, sum(v for v, _ in parts) + hidden, min(df for _, df in parts), level)


Slopes = list[tuple[float, float, float]]


def _with_constant(
    own: list[Rates], said: list[Array], seen: list[tuple[float, float]]
) -> tuple[list[Rates], float, Slopes, float]:
    """Rates, favour, its slopes and a variance, where a judge that says the same of all answers of a system shows no
    spread: its rates are those of the labelled good and bad ones with one verdict of each kind more."""
    alike = [np.ptp(v) == 0 for v in said]
    own = [x.helped(*n) if same else x for x, n, same in zip(own, seen, alike, strict=True)]
    found, slopes = favour_of(*own)
    hidden = sum(x.hidden(*n, s) for x, n, s, same in zip(own, seen, slopes, alike, strict=True) if same)
    return own, found, slopes, hidden


def _of_each(truth: Ints, known: Mask, weight: Array) -> tuple[float, float]:
    """Labelled answers that are good, and bad."""
    good = float(weight[known] @ truth[known])
    return good, float(weight[known].sum()) - good


def _limits(found: float, variance: float, df: float, level: float) -> dict[str, float]:
    error = float(np.sqrt(variance))
    reach = float(students(df, level)) * error
    ends = {"low": max(found - reach, -1.0), "high": min(found + reach, 1.0)}
    return {"estimate": found, **ends, "pvalue": two_sided(found, error, df)}
