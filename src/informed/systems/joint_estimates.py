"""Estimates of many systems on the same items, and how they vary together.

Systems that are right and wrong on the same items vary together, and one matrix product of what
units add to their estimates says how much; what weights and units leave of the items is told for
each system and for each difference by the rule of `inference.worth`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import InferenceError
from informed.evidence.paired import Paired
from informed.evidence.table import Table
from informed.evidence.units import Ints
from informed.inference.influence import (
    Functional,
    cells_of,
    functional,
    group_sums,
    influence,
    pattern_of,
    weighed_cells_of,
    with_four,
)
from informed.inference.sides import cells_given, places
from informed.inference.worth import Worth, worth
from informed.measures import Measure
from informed.systems.item_effects import ItemEffects, item_effects
from informed.systems.pair_worth import gap_class_df, pair_worth, steadied

Smoothing = Literal["smoothed", "delta"]
PSEUDO = 4.0  # cases that every smoothed estimate is helped by
_MOST_CELLS = 2000  # beyond it, slopes by trying every cell cost too much


@dataclass(frozen=True)
class GapTests:
    """Two-sided p-values of no difference, of every two systems, and the error with which their limits agree."""

    pvalue: Array  # (systems, systems)
    error: Array

    def of(self, place: Any) -> GapTests:
        """Those of some pairs."""
        return GapTests(self.pvalue[place], self.error[place])


@dataclass(frozen=True)
class JointEstimates:
    """Estimates of systems, the covariance of their errors, and the errors of their differences."""

    values: Array  # as counted, NaN where undefined
    centres: Array  # with pseudo-cases, where they were asked for
    covariance: Array  # (systems, systems)
    gap_variance: Array  # (systems, systems), of the differences
    gap_df: Array  # their degrees of freedom
    class_df: Array  # (systems,): how well the classes, the rare ones most of all, tell the spread
    gap_class_df: Array  # (systems, systems): the same of the differences
    worth: Worth | None = None  # of each system, where items are weighted or belong together
    gap_tests: GapTests | None = None  # where differences have tests of their own

    @property
    def errors(self) -> Array:
        """Standard errors of the systems."""
        return np.sqrt(np.diagonal(self.covariance))

    @property
    def df(self) -> Array:
        """Degrees of freedom of each system; infinite where every item is its own unit."""
        return np.full(len(self.values), np.inf) if self.worth is None else self.worth.df

    @property
    def all_df(self) -> Array:
        """Those of units and classes together, of each system."""
        return _together(self.df, self.class_df)

    @property
    def all_gap_df(self) -> Array:
        """The same of each difference."""
        return _together(self.gap_df, self.gap_class_df)

    @property
    def least_df(self) -> float:
        """The fewest of any system and any difference."""
        return float(np.fmin(np.fmin.reduce(self.df), np.fmin.reduce(self.gap_df, axis=None)))


def _together(one: Array, other: Array) -> Array:
    """Degrees of freedom of a spread that is known by two ways, each in part."""
    both = 1 / one + 1 / other
    return np.where(both > 0, ratio(1.0, both), np.inf)


def joint_estimates(p: Paired, t: Table, m: Measure, *, method: Smoothing, discounted: bool) -> JointEstimates:
    """A measure of every system with the joint covariance over items.

    "delta" takes the slopes at the counts; "smoothed" after four pseudo-cases in which every
    system is right or wrong by the toss of a coin of its own, so that systems without an error,
    or without a difference, are not without uncertainty.
    """
    pseudo = PSEUDO if method == "smoothed" else 0.0
    t = t if discounted else t.answered
    f = _discounted(m, t) if discounted else functional(m, t)
    counts, share = cells_of(t), pattern_of(t)[:, None]
    if not f.exact and len(counts) > _MOST_CELLS:
        raise InferenceError(
            f"The slopes of {m.name} for {len(p.labels)} classes are found by trying every cell, which is too "
            "much; informedness, markedness, accuracy, cohen_kappa and matthews are quick."
        )

    whole = counts.sum(axis=0)
    values = np.asarray(f.value(counts / whole, whole))
    base = items_worth(p)
    smooth = (counts / whole * base + pseudo * share) / (base + pseudo)
    x = item_effects(p, f, smooth, base + pseudo, scale=base)
    class_df = _class_df(f, counts / whole * base, share, places(t)[1])
    if p.weights is None and not p.groups:
        centres = np.asarray(f.value(smooth, np.full(whole.shape, base + pseudo))) if pseudo else values
        covariance = (x.mean.T @ x.mean + x.pseudo.covariance(pseudo)) / (base + pseudo) ** 2
        unbounded = np.full(covariance.shape, np.inf)
        known = (class_df, gap_class_df(x, pseudo))
        return JointEstimates(values, centres, covariance, of_gaps(covariance), unbounded, *known)

    each = _worth_of(m, t, f, counts, by_real=discounted and not m.facts.abstentions)
    each = replace(each, effective_n=steadied(each.effective_n, each.repetition))
    n = each.effective_n
    centres = values
    if pseudo:
        centres = np.asarray(f.value((counts / whole * n + pseudo * share) / (n + pseudo), n + pseudo))
    covariance = _of_units(x, base, pseudo, n)
    gaps, df = _gaps_of_units(x, base, pseudo, covariance, each, p)
    return JointEstimates(values, centres, covariance, gaps, df, class_df, gap_class_df(x, pseudo), each)


def items_worth(p: Paired) -> float:
    """Items that there are, or equally weighted ones worth as much."""
    if p.weights is None:
        return float(p.n_items)
    w = p.weights if p.item is None else np.bincount(p.item, p.weights) / np.maximum(np.bincount(p.item), 1)
    return float(w.sum() ** 2 / (w**2).sum())


def _worth_of(m: Measure, t: Table, f: Functional, counts: Array, *, by_real: bool) -> Worth:
    squares, cases = weighed_cells_of(t)
    return worth(f, counts, cells_given(m, t, by_real=by_real), squares=squares, rows=cases, units=t.units)


def _of_units(x: ItemEffects, base: float, pseudo: float, n: Array) -> Array:
    """Covariance between units, brought to what each system's items are worth."""
    together = x.by_unit.T @ x.by_unit + x.pseudo.covariance(pseudo)
    squared = x.mean**2 if x.square is None else x.square
    own = x.weight @ squared + np.diagonal(x.pseudo.covariance(pseudo))
    variance = own / (base + pseudo) / (n + pseudo)
    change = np.sqrt(np.where(np.diagonal(together) > 0, ratio(variance, np.diagonal(together)), 0.0))
    covariance = together * change * change[:, None]
    covariance[np.diag_indices(len(covariance))] = variance
    return np.asarray(covariance)


def _gaps_of_units(
    x: ItemEffects, base: float, pseudo: float, covariance: Array, each: Worth, p: Paired
) -> tuple[Array, Array]:
    """Variances of the differences and their degrees of freedom, each by what the items are worth to it."""
    asked = p.item is not None and p.unit is None
    found = pair_worth(x, pseudo, asked=asked)
    if found is None:  # too many: the least of the systems
        return of_gaps(covariance), np.full(covariance.shape, np.min(each.df))
    n, df = found
    squared = x.mean**2 if x.square is None else x.square
    moments = (x.mean * x.weight[:, None]).T @ x.mean
    moments[np.diag_indices(len(moments))] = x.weight @ squared
    plain = of_gaps(moments + x.pseudo.covariance(pseudo))
    return np.where(np.isinf(n), 0.0, plain / (base + pseudo) / (n + pseudo)), df


def of_gaps(covariance: Array) -> Array:
    """Variances of all differences; 0 for what rounding leaves of nothing."""
    own = np.diagonal(covariance)
    both = own[:, None] + own
    square = both - 2 * covariance
    return np.where(square > 1e-12 * both, square, 0.0)


def _class_df(f: Functional, counts: Array, share: Array, real: Ints) -> Array:
    """Degrees of freedom of the variance of each system, which is one of class sizes that are seen:
    2(ΣV)²/Σ(V²/n), V the part of each real class and n its cases."""
    classes = int(real.max()) + 1
    p = with_four(counts, share[:, 0])
    with np.errstate(divide="ignore", invalid="ignore"):
        u, _ = influence(p, f.gradient(p, np.maximum(counts.sum(axis=0), 1.0)), real)
    part, n = (group_sums(x, real)[:classes] for x in (p * np.nan_to_num(u) ** 2, counts))
    spread = np.where(n > 0, ratio(part**2, n), 0.0).sum(axis=0)
    return np.where(spread > 0, ratio(2 * part.sum(axis=0) ** 2, spread), np.inf)


# ---------------------------------------------------------------------- coverage discount


def _discounted(m: Measure, t: Table) -> Functional:
    """A measure to which no answer adds nothing, as a function of all cells.

    Informedness and accuracy over all cases are such; any other measure is that of the answered
    cases times coverage.
    """
    k = len(t.real_labels)
    if t.unanswered is None or m.facts.abstentions:
        return functional(m, t)
    base = functional(m, t.answered)
    size = k * k

    def value(p: Array, n: Array) -> Array:
        share = p[:size].sum(axis=0)
        return np.asarray(share * base.value(ratio(p[:size], share), share * n))

    def gradient(p: Array, n: Array) -> Array:
        share = p[:size].sum(axis=0)
        q = ratio(p[:size], share)
        u, _ = influence(q, base.gradient(q, share * n))
        return np.concatenate([base.value(q, share * n) + u, np.zeros((k, *p.shape[1:]))])

    return Functional(value, gradient, exact=base.exact)
