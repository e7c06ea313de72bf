"""Estimates of many systems on the same items, and how they vary together.

What an item adds to a system's estimate is known in closed form (its influence); systems that are
right and wrong on the same items vary together, and one matrix product says how much.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import InferenceError
from informed.evidence.checks import frozen
from informed.evidence.paired import Paired
from informed.evidence.table import Table
from informed.inference.given import Rng, generator
from informed.inference.influence import Functional, cells_of, functional, influence, pattern_of
from informed.measures import Measure

Smoothing = Literal["smoothed", "delta"]
PSEUDO = 4.0  # cases that every smoothed estimate is helped by
_WORK = 1 << 24  # numbers in work at once
_BLOCK = 256  # draws of the largest of all pairs at once
_MOST_CELLS = 2000  # beyond it, slopes by trying every cell cost too much


@dataclass(frozen=True)
class JointEstimates:
    """Estimates of systems, and the covariance of their errors."""

    values: Array  # as counted, NaN where undefined
    centres: Array  # with pseudo-cases, where they were asked for
    covariance: Array  # (systems, systems)
    worth: float  # independent, equally weighted items that carry as much
    each_worth: Array | None = None  # the same for each system, where weights or clusters matter
    freedom: float = np.inf  # of Student's distribution, one less than clusters

    @property
    def errors(self) -> Array:
        return np.sqrt(np.diagonal(self.covariance))

    def worn(self, t: Table) -> Table:
        """The tables with what their cases are worth, for their own intervals."""
        if self.each_worth is None:
            return t
        return replace(t, squares=frozen(t.cells * ratio(t.total, self.each_worth)))


def joint_estimates(p: Paired, t: Table, m: Measure, *, method: Smoothing, discounted: bool) -> JointEstimates:
    """A measure of every system with the joint covariance over items.

    "delta" takes the slopes at the counts; "smoothed" after four pseudo-cases in which every
    system is right or wrong by the toss of a coin of its own, so that systems without an error,
    or without a difference, are not without uncertainty. Weighted items are scaled to their
    effective number; clusters, to the number of items that would vary as much.
    """
    items, systems = p.codes.shape
    k = len(p.labels)
    pseudo = PSEUDO if method == "smoothed" else 0.0
    f = _discounted(m, t) if discounted else functional(m, t.answered)
    counts = cells_of(t) if discounted else cells_of(t.answered)
    share = pattern_of(t if discounted else t.answered)[:, None]
    cells = len(counts)
    if not f.exact and cells > _MOST_CELLS:
        raise InferenceError(
            f"The slopes of {m.name} for {k} classes are found by trying every cell, which is too "
            "much; informedness, markedness, accuracy, cohen_kappa and matthews are quick."
        )

    weights = np.ones(items) if p.weights is None else p.weights
    whole = float(weights.sum())
    worth = whole**2 / float((weights**2).sum())
    each = None if p.weights is None else np.full(systems, worth)
    held = _Held(p, f, counts / whole, share, pseudo, weights / whole)

    if p.unit is not None:
        apart = held.effects(worth)[0] / worth
        together = _summed(apart, p.unit)
        within, between = (np.sum(x**2, axis=0) for x in (apart, together))
        # Few clusters say little of one system's spread: what all say together bounds it.
        pooled = min(1.0, float(ratio(within.sum(), between.sum()))) if between.any() else 1.0
        each = worth * np.where(between > 0, np.minimum(pooled, ratio(within, between)), pooled)
        worth *= pooled

    total = np.full(systems, worth)
    values = np.asarray(f.value(counts / whole, np.full(systems, whole)))
    centres = np.asarray(f.value(held.smooth(worth), total + pseudo)) if pseudo else values

    effect, mean, spread = held.effects(worth)
    freedom = np.inf
    if p.unit is not None:
        effect = _summed(effect, p.unit)
        freedom = len(effect) - 1.0
    covariance = effect.T @ effect

    # The real class of a pseudo-case is shared by all systems, its answer is each system's own.
    if pseudo:
        shared = mean.T @ mean * (pseudo / k)
        covariance += shared
        covariance[np.diag_indices(systems)] += pseudo / k * spread - np.diagonal(shared)
    return JointEstimates(values, centres, covariance / (worth + pseudo) ** 2, worth, each, freedom)


def row_effects(p: Paired, m: Measure) -> tuple[Array, Array, Array, Array]:
    """Values as counted and smoothed, what each answer adds to them ``(answers, systems)``, and the
    covariance of what the pseudo-cases add."""
    t = p.tables.answered
    f, counts, share = functional(m, t), cells_of(t), pattern_of(t)[:, None]
    systems, k = len(p.names), len(p.labels)
    weights = np.ones(len(p)) if p.weights is None else p.weights
    whole = float(weights.sum())
    held = _Held(p, f, counts / whole, share, PSEUDO, weights / whole)

    total = np.full(systems, whole)
    values = np.asarray(f.value(counts / whole, total))
    centres = np.asarray(f.value(held.smooth(whole), total + PSEUDO))
    effect, mean, spread = held.effects(whole)
    pseudo = mean.T @ mean * (PSEUDO / k)
    pseudo[np.diag_indices(systems)] = PSEUDO / k * spread
    return values, centres, effect / (whole + PSEUDO), pseudo / (whole + PSEUDO) ** 2


@dataclass(frozen=True)
class _Held:
    """What the effects of the items are found from."""

    p: Paired
    f: Functional
    observed: Array  # proportions as counted, (cells, systems)
    share: Array  # of the pseudo-cases
    pseudo: float
    weights: Array  # of the items, adding up to 1

    def smooth(self, worth: float) -> Array:
        return (self.observed * worth + self.pseudo * self.share) / (worth + self.pseudo)

    def effects(self, worth: float) -> tuple[Array, Array, Array]:
        """What each item adds to each system, and pseudo-cases of each class, for so many items."""
        p, f, smooth = self.p, self.f, self.smooth(worth)
        items, systems = p.codes.shape
        k, cells = len(p.labels), len(smooth)
        total = np.full(systems, worth + self.pseudo)
        effect = np.empty((items, systems))
        mean, spread = np.zeros((k, systems)), np.zeros(systems)
        chunk = max(1, _WORK // max(items, 1 if f.exact else 2 * cells * cells))
        for start in range(0, systems, chunk):
            part = slice(start, start + chunk)
            with np.errstate(divide="ignore", invalid="ignore"):
                u, _ = influence(smooth[:, part], f.gradient(smooth[:, part], total[part]))
            u = np.where(smooth[:, part] > 0, u, 0.0)
            answers = p.codes[:, part]
            at = np.where(answers < 0, k, answers) * k + p.real_codes[:, None]
            effect[:, part] = np.take_along_axis(u, at, axis=0)
            mean[:, part], spread[part] = _of_pseudo_cases(u[: k * k].reshape(k, k, -1))
        if p.weights is not None or p.unit is not None:
            effect *= (self.weights * worth)[:, None]
        return effect, mean, spread


def _summed(effect: Array, unit: Any) -> Array:
    """Effects of clusters: sums over their items, widened for the clusters' own mean."""
    order = np.argsort(unit, kind="stable")
    starts = np.flatnonzero(np.diff(unit[order], prepend=-1))
    sums = np.add.reduceat(effect[order], starts, axis=0)
    sums = sums - sums.mean(axis=0)
    return np.asarray(sums * np.sqrt(len(sums) / max(len(sums) - 1, 1)))


def _of_pseudo_cases(u: Array) -> tuple[Array, Array]:
    """Mean slope of a pseudo-case of each class, and the sum over classes of the mean square."""
    k = len(u)
    right = np.einsum("ll...->l...", u)
    wrong = (u.sum(axis=0) - right) / (k - 1)
    squares = ((u**2).sum(axis=0) - right**2) / (k - 1)
    return (right + wrong) / 2, ((right**2 + squares) / 2).sum(axis=0)


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


# ---------------------------------------------------------------------- the largest of many


def normal_draws(covariance: Array, draws: int, rng: Rng, freedom: float = np.inf) -> Array:
    """Errors of all systems, drawn together: ``(draws, systems)``; Student's where few clusters
    say how large they are."""
    errors = np.sqrt(np.diagonal(covariance))
    scale = np.where(errors > 0, ratio(1.0, errors), 0.0)
    correlation = covariance * scale * scale[:, None]
    correlation[np.diag_indices(len(errors))] = 1 + 1e-9  # identical systems leave it singular
    factor = np.linalg.cholesky(correlation) * errors[:, None]
    source = generator(rng)
    drawn = source.standard_normal((draws, len(errors))) @ factor.T
    if np.isfinite(freedom):
        drawn /= np.sqrt(source.chisquare(freedom, draws) / freedom)[:, None]
    return np.asarray(drawn)


def largest_of_each(drawn: Array, errors: Array) -> Array:
    """The largest standardised error of any column, in every draw."""
    scale = np.where(errors > 0, ratio(1.0, errors), 0.0)
    return np.asarray((np.abs(drawn) * scale).max(axis=1))


def largest_of_pairs(drawn: Array, errors: Array) -> Array:
    """The largest standardised error of any difference of two systems, in every draw.

    `errors` are the standard errors of the differences, ``(systems, systems)``. Single precision
    and blocks that stay in the cache: half a million pairs by two thousand draws in seconds.
    """
    inverse = np.where(errors > 0, ratio(1.0, errors), 0.0).astype(np.float32)
    largest = np.zeros(len(drawn), np.float32)
    for start in range(0, len(drawn), _BLOCK):
        part = np.ascontiguousarray(drawn[start : start + _BLOCK].T, dtype=np.float32)
        most = largest[start : start + _BLOCK]
        for a in range(len(part) - 1):
            gap = part[a + 1 :] - part[a]
            np.abs(gap, out=gap)
            gap *= inverse[a, a + 1 :, None]
            np.maximum(most, gap.max(axis=0), out=most)
    return largest.astype(np.float64)


def exceeding(statistics: Array, largest: Array, single: Array) -> Array:
    """How often the largest of many reaches each statistic by luck.

    From draws, never 0; where these run out, Bonferroni's bound is smaller and takes over.
    """
    ordered = np.sort(largest)
    above = len(ordered) - np.searchsorted(ordered, np.abs(statistics) - 1e-6, side="left")
    drawn = (above + 1) / (len(ordered) + 1)
    found = np.minimum(drawn, single * np.count_nonzero(~np.isnan(single)))
    return np.asarray(np.where(np.isnan(statistics), np.nan, np.maximum(found, single)))
