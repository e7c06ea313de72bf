"""Do groups differ by more than sampling? Cochran's Q, over units where there are, or an exact test of rates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from informed._arrays import Array, Floats, Limits, plain, ratio
from informed._numbers import percent, probability, rate, span
from informed.errors import InferenceError
from informed.evidence.table import Table
from informed.evidence.units import Units
from informed.inference.answers import Interval
from informed.inference.equal_rates import equal_rates, rates_of
from informed.inference.given import checked_level, students
from informed.inference.hypothesis import chi2_tail
from informed.inference.influence import cells_of, group_sums, influence, weighed_cells_of, with_four
from informed.inference.interval_methods import why_none
from informed.inference.intervals import interval
from informed.inference.random_effects import new_group
from informed.inference.sample import Sample
from informed.inference.two_proportions import recovered
from informed.measures import MeasureLike, find
from informed.results import Result


@dataclass(frozen=True, repr=False)
class Heterogeneity(Result):
    """What the groups share, and how much they differ."""

    estimate: Floats  # stratified: the mean of the groups, by size
    low: Floats
    high: Floats
    level: float
    statistic: Floats  # Cochran's Q, or Pearson's χ² of rates
    df: Floats
    pvalue: Floats
    inconsistency: Floats  # I², the share of the spread that sampling does not explain
    hypothesis: str = "the groups share one value"
    method: str = "cochran-q"
    df_within: Floats = np.inf  # of the spread of units, where there are
    new_estimate: Floats = np.nan  # of groups like these: the mean of a random-effects analysis, of three or more
    new_low: Floats = np.nan
    new_high: Floats = np.nan
    predicted_low: Floats = np.nan  # where one new group may lie
    predicted_high: Floats = np.nan
    tau: Floats = np.nan  # standard deviation between groups

    def sentence(self) -> str:
        """What the groups share, and whether they differ by more than sampling."""
        return (
            f"{rate(self.estimate)} {span(self.low, self.high)} in the groups together; that "
            f"{self.hypothesis}: {probability(self.pvalue)}, I² {percent(self.inconsistency)}"
        )


def difference(new: Interval, old: Interval) -> Interval:
    """Difference of two independent estimates, from their intervals alone.

    Notes
    -----
    Square and add (MOVER, Newcombe 1998 method 10; Zou & Donner 2008):
    low = d − √((x₁−l₁)² + (u₂−x₂)²), high = d + √((u₁−x₁)² + (x₂−l₂)²).

    Examples
    --------
    >>> a, b = Interval(0.5, 0.4, 0.6, 0.95, ""), Interval(0.2, 0.1, 0.3, 0.95, "")
    >>> found = difference(a, b)
    >>> [round(x, 4) for x in (found.estimate, found.low, found.high)]
    [0.3, 0.1586, 0.4414]
    """
    d = new.estimate - old.estimate
    low, high = recovered((new.estimate, old.estimate), (new.low, new.high), (old.low, old.high))
    return Interval(plain(d), plain(low), plain(high), new.level, "mover", new.measure)


def heterogeneity(t: Table, measure: MeasureLike, *, level: float = 0.95) -> Heterogeneity:
    """Mean of the groups by size with its interval, and a test that they share one value.

    Parameters
    ----------
    t
        A stack whose last axis runs over the groups; leading axes give arrays.
    measure
        Any measure; one without an interval that is known to cover gets no limits and no test.
    level
        Of the interval of the mean.

    Returns
    -------
    Heterogeneity
        Groups in which the measure is undefined take no part.

    Notes
    -----
    The limits of the mean are as far from it as those of all groups pooled into one table are from their estimate,
    times how much larger its standard error is than that of the pool, were the groups alike but for their sizes and
    prevalences. They are about these groups. `new_low` and `new_high` are about groups like these, of
    which these are a sample: Hartung, Knapp, Sidik and Jonkman's interval around the random-effects mean.

    Values x and their covariances Σ are those after four pseudo-cases a group. Q = (Cx)ᵀ(CΣCᵀ)⁻Cx with C the
    contrasts of the groups: Cochran's Q where the groups are independent, I² = max(0, 1 − (L−1)/Q) (Cochran
    1954; Higgins & Thompson 2002). Where cases belong to units, Σ is that of the contributions of units, which
    tie together groups that share them; Q(d−L+2)/((L−1)d) is then an F of L−1 and d−L+2 degrees of freedom, d
    the harmonic mean over the groups of even units less one, times L where no unit is in two groups.

    Rates (accuracy, recall and other shares) of cases that count once each have Pearson's χ² in the place of Q, with
    its distribution given the number of successes of all groups, from 10,000 draws where fewer than 20 successes or
    failures are expected in a group. Rates of few errors rarely differ significantly by Q.

    Examples
    --------
    >>> two = Table.from_counts([[[40, 10], [10, 40]], [[45, 5], [5, 45]]])
    >>> h = heterogeneity(two, "informedness")
    >>> round(h.estimate, 6), round(h.statistic, 2), round(h.pvalue, 3)
    (0.7, 3.58, 0.059)
    """
    if not t.shape:
        raise InferenceError("Groups are the last axis of a stack, and this is one table.")
    m = find(measure)
    t = t if m.facts.abstentions else t.answered
    s = Sample(m, t, checked_level(level))
    pool = interval(t.sum(-1), m, level=level)
    known, share = shares_of(s.estimate, s.n)
    alike, apart, whole = _variances(s, known)
    larger = np.fmax(*((share**2 * x).sum(axis=-1) for x in (alike, apart)))
    stretch = np.sqrt(ratio(larger, whole))
    stretch = np.where(np.isfinite(stretch), stretch, 1.0)
    arms = (pool.estimate - pool.low) * stretch, (pool.high - pool.estimate) * stretch
    spread = group_spread(s)
    if s.units is not None:
        alike, apart = (np.fmax(x, spread.standard_error**2) for x in (alike, apart))
    found = differing(s.estimate, s.n, spread, level, m.bounds(t), arms, (apart, alike))
    if (rates := rates_of(m, t)) is not None:
        found = _by_rates(found, *rates, known)
    if not why_none(m, len(t.real_labels)):
        return found
    new = ("new_estimate", "new_low", "new_high", "predicted_low", "predicted_high", "tau")
    numbers = ("low", "high", "statistic", "pvalue", "inconsistency", *new)
    return replace(found, **{name: plain(np.full(np.shape(found.estimate), np.nan)) for name in numbers})


def _by_rates(found: Heterogeneity, successes: Array, trials: Array, known: Any) -> Heterogeneity:
    """The same with the test of rates in the place of Cochran's."""
    several = known.sum(axis=-1) > 1
    statistic, pvalue = (np.where(several, x, np.nan) for x in equal_rates(successes, trials, known))
    inside = np.where(statistic > 0, np.fmax(0.0, 1 - ratio(found.df, statistic)), np.where(several, 0.0, np.nan))
    told = {"statistic": plain(statistic), "pvalue": plain(pvalue), "inconsistency": plain(inside)}
    return replace(found, **told, method="exact-rates")


def shares_of(each: Array, n: Array) -> tuple[Any, Array]:
    """Which groups have a value, and the share of each in the cases of those."""
    known = np.isfinite(each) & (n > 0)
    held = np.where(known, n, 0.0)
    return known, ratio(held, held.sum(axis=-1, keepdims=True))


def _variances(s: Sample, known: Any) -> tuple[Array, Array, Array]:
    """Of the value of each group: as if the groups were alike, and by itself; and that of all cases in one table.

    Alike, the cases of a kind (of a real class, of a predicted one, as the measure takes them as given) go in each
    group as in all groups together, after four pseudo-cases: groups with few such cases cannot tell this by themselves.
    Where the groups differ much, the variance of the groups by themselves, each with four cases of the pool, may be
    larger.
    """
    counts = cells_of(s.t) * _scale(s)
    n = counts.sum(axis=0)
    pool = with_four(counts.sum(axis=-1), s.pattern)
    told = np.maximum(s.n, 1)
    v = influence(pool, s.f.gradient(pool, told.sum(axis=-1)), s.groups)[1]

    def variance(cells: Array) -> Array:
        p = ratio(cells, n)
        with np.errstate(all="ignore"):  # an empty margin has no slope
            own = influence(p, np.nan_to_num(s.f.gradient(p, told), posinf=0.0, neginf=0.0), s.groups)[1]
        return np.where(known & (n > 0), ratio(own, n), 0.0)

    alike, apart = [], []
    for groups in s.sides:
        kinds = np.where(groups < 0, groups.max() + 1, groups)
        unread = groups.reshape(-1, *[1] * n.ndim) < 0
        totals, within = group_sums(counts, kinds), np.nan_to_num(ratio(pool, group_sums(pool, kinds)))[..., None]
        alike.append(variance(np.where(unread, counts, totals * within)))
        apart.append(variance(np.where(unread, counts, totals * ratio(counts + 4 * within, totals + 4))))
    own, other = (np.asarray(sum(x) / len(x)) for x in (alike, apart))
    return own, other, ratio(v, n.sum(axis=-1))


def differing(
    each: Array,
    n: Array,
    spread: GroupSpread,
    level: float,
    bounds: Any,
    arms: Limits | None = None,
    variances: Limits | None = None,
) -> Heterogeneity:
    """The same of values of groups ``(*stack, groups)``, their sizes, and how they vary together.

    `arms` says how far the limits of the mean are from it; without it they are normal, or Student's. `variances`
    are those of the groups, and some that do not depend on their values, by which the random-effects mean weighs them.
    """
    known, share = shares_of(each, n)
    stratified = np.where(known.any(axis=-1), (share * np.where(known, each, 0.0)).sum(axis=-1), np.nan)
    quantile = students(spread.freedoms(known), level)
    if arms is None:
        arm = quantile * np.sqrt(spread.variance_of(share))
        arms = arm, arm
    low, high = np.clip(stratified - arms[0], *bounds), np.clip(stratified + arms[1], *bounds)

    groups = known.sum(axis=-1)
    statistic = spread.contrasted(known)
    beyond, pvalue = _tail(statistic, groups, spread.freedoms(known))
    several = groups > 1
    inside = np.where(statistic > 0, np.fmax(0.0, 1 - ratio(groups - 1, statistic)), 0.0)
    tested = (np.where(several, x, np.nan) for x in (statistic, pvalue, inside))
    statistic, pvalue, inside = map(plain, tested)
    mean, low, high = map(plain, (stratified, low, high))
    df = plain(np.maximum(groups - 1.0, 0.0))
    own, alike = (spread.standard_error**2, None) if variances is None else variances
    new = new_group(each, own, known, level, bounds, alike=alike)
    return Heterogeneity(
        mean,
        low,
        high,
        level,
        statistic,
        df,
        pvalue,
        inside,
        df_within=plain(beyond),
        new_estimate=new.estimate,
        new_low=new.low,
        new_high=new.high,
        predicted_low=new.predicted_low,
        predicted_high=new.predicted_high,
        tau=new.tau,
    )


@dataclass(frozen=True)
class GroupSpread:
    """Values of the groups after four pseudo-cases, how they vary together, and how well that is known.

    The covariance matrix of the groups is never needed whole: it is diagonal where groups share no units, and
    otherwise its other entries are the products of the columns of a sparse factor.
    """

    centre: Array  # (*stack, groups)
    variance: Array  # (*stack, groups)
    even: Array  # even units of each group less one; infinite where each case is its own
    nested: Any  # whether no unit is in two groups, (*stack)
    shared: tuple[Any, ...] = ()  # of each table of the stack, where units are in two groups: (units, groups), sparse

    @property
    def standard_error(self) -> Array:
        """Of each group, ``(*stack, groups)``."""
        return np.asarray(np.sqrt(self.variance))

    def freedoms(self, known: Any) -> Array:
        """Degrees of freedom of the covariances of the groups that are known."""
        groups = known.sum(axis=-1)
        mean = ratio(groups, np.where(known, ratio(1, self.even), 0.0).sum(axis=-1))
        return np.where(self.nested, mean * groups, mean)

    def variance_of(self, weights: Array) -> Array:
        """The variance of a weighted sum of the groups."""
        own = (self.variance * weights**2).sum(axis=-1)
        if not self.shared:
            return np.asarray(own)
        flat = weights.reshape(len(self.shared), -1)
        between = [_between(x, w) for x, w in zip(self.shared, flat, strict=True)]
        return np.asarray(own + np.reshape(between, np.shape(own)))

    def contrasted(self, known: Any) -> Array:
        """Cochran's Q: the quadratic form of the contrasts of the known groups, in the inverse of their covariances."""
        x = np.where(known, self.centre, 0.0)
        if not self.shared:
            return _weighted_squares(x, self.variance, known)
        rows = [y.reshape(len(self.shared), -1) for y in (x, self.variance, known)]
        found = [_squares_of_shared(*each) for each in zip(*rows, self.shared, strict=True)]
        return np.reshape(found, x.shape[:-1])


DENSE = 300  # groups that share units, up to which their matrix is inverted as it is
ALMOST_NONE = 1e-10  # of the largest variance


def _between(factor: Any, weights: Array) -> float:
    """What the covariances of different groups add to the variance of a weighted sum."""
    return float(((factor @ weights) ** 2).sum() - (_squares(factor) * weights**2).sum())


def _squares(factor: Any) -> Array:
    return np.asarray(factor.multiply(factor).sum(axis=0)).ravel()


def _weighted_squares(x: Array, variance: Array, known: Any) -> Array:
    """Squared distances from the precision-weighted mean, of groups that vary independently."""
    v = np.where(known, variance, 0.0)
    least = ALMOST_NONE * v.max(axis=-1, keepdims=True, initial=0.0)
    w = np.where(known, ratio(1.0, np.maximum(v, least)), 0.0)
    w = np.where(np.isfinite(w), w, 0.0)
    mean = ratio((w * x).sum(axis=-1, keepdims=True), w.sum(axis=-1, keepdims=True))
    return np.asarray((w * np.where(known, x - mean, 0.0) ** 2).sum(axis=-1))


def _squares_of_shared(x: Array, variance: Array, known: Any, factor: Any) -> float:
    """The same of groups that share units, by the products of the factor with vectors alone where there are many."""
    from scipy.sparse.linalg import LinearOperator, cg

    x, variance, factor = x[known], variance[known], factor[:, known]
    extra = variance - _squares(factor)
    if len(x) <= DENSE:
        covariance = np.asarray((factor.T @ factor).todense()) + np.diag(extra)
        centring = np.eye(len(x)) - 1 / max(len(x), 1)
        off = centring @ x
        inverse = np.linalg.pinv(centring @ covariance @ centring, hermitian=True, rcond=ALMOST_NONE)
        return max(float(off @ inverse @ off), 0.0)

    scale = np.sqrt(np.maximum(variance, ALMOST_NONE * variance.max(initial=0.0)))  # to a diagonal of ones
    factor, extra = factor @ _diagonal(1 / scale), extra / scale**2
    matrix = LinearOperator((len(x), len(x)), matvec=lambda v: factor.T @ (factor @ v) + extra * v, dtype=np.float64)
    ones = 1 / scale
    solved = [cg(matrix, side, rtol=1e-11, maxiter=2000) for side in (x / scale, ones)]
    if any(code for _, code in solved):
        return float("nan")
    (a, _), (b, _) = solved
    return max(float(x / scale @ a - (ones @ a) ** 2 / (ones @ b)), 0.0)


def _diagonal(values: Array) -> Any:
    from scipy.sparse import diags_array

    return diags_array(values)


def group_spread(s: Sample) -> GroupSpread:
    """How the groups along the last axis of a sample vary, from their cases or from units that they may share."""
    units, n, scale = s.units, s.n, _scale(s)
    counts, n = cells_of(s.t) * scale, n * scale
    p = with_four(counts, s.pattern)
    u, v = influence(p, s.f.gradient(p, np.maximum(s.n, 1)), s.groups)
    centre = s.f.value(p, np.maximum(s.n, 1))
    if units is None:
        own = np.where(n > 0, v / (n + 4), 0.0)
        return GroupSpread(centre, own, np.full(n.shape, np.inf), np.ones(n.shape[:-1]))

    w = s.pattern.reshape(-1, *[1] * len(s.t.shape))
    held, moved, flat = units.read(scale * np.ones_like(u)), units.read(scale * u), units.table
    even = units.per_table(held**2)
    squared = ratio(even, n**2)  # of the shares of units
    contribution = moved - ratio(held, n.ravel()[flat]) * units.per_table(moved).ravel()[flat]
    contribution *= np.sqrt(ratio(1, np.fmax(1 - squared, 0.0))).ravel()[flat]
    contribution = np.where(np.isfinite(contribution), contribution, 0.0)

    pseudo = (1 + (ratio(even, n) - 1) / 4) * 4 * (w * u**2).sum(axis=0)
    own = np.maximum(units.per_table(contribution**2), (counts * u**2).sum(axis=0)) + pseudo
    variance = np.where(n > 0, own, 0.0) / (n + 4) ** 2
    shared, nested = _shared(units, contribution / (n + 4).ravel()[flat])
    return GroupSpread(centre, variance, ratio(1, squared) - 1, nested, shared)


def _scale(s: Sample) -> Any:
    """What makes the weights of each group those of as many equally weighted cases, or items that were asked, as they
    are worth."""
    if s.units is None:
        known = 1.0 if s.worth is None else ratio(s.effective_n, s.n)
    elif s.units.of == "item":  # of coarser units nobody knows what an item weighs
        known = ratio(s.n, s.units.squared(np.ones_like(cells_of(s.t)))) if s.units.name == "item" else 1.0
    else:
        squares, _ = weighed_cells_of(s.t)
        known = 1.0 if squares is None else ratio(s.n, squares.sum(axis=0))
    return np.where(s.n > 0, known, 1.0)


def _shared(units: Units, contribution: Array) -> tuple[tuple[Any, ...], Any]:
    """What units add to the groups of each table of the stack, where some are in two groups; and where none is."""
    from scipy.sparse import csr_array

    groups, stack = units.shape[-1], units.shape[:-1]
    if units.ids is None:
        return (), np.ones(stack, dtype=bool)
    _, unit = np.unique(units.ids, return_inverse=True)
    many, systems = int(unit.max(initial=0)) + 1, units.tables // groups
    rows = units.table // groups * many + unit
    several = np.bincount(rows, minlength=systems * many) > 1
    crossed = np.bincount(np.flatnonzero(several) // many, minlength=systems)
    nested = (crossed == 0).reshape(stack)
    if nested.all():
        return (), nested
    added = csr_array(
        (contribution * np.sqrt(units.mult), (rows, units.table % groups)), shape=(systems * many, groups)
    )
    return tuple(added[i * many : (i + 1) * many] for i in range(systems)), nested


def _tail(statistic: Array, groups: Array, freedoms: Array) -> tuple[Array, Array]:
    """Degrees of freedom within groups, and the probability of a larger statistic: χ², or F where units tell."""
    from scipy.special import fdtrc

    between = np.maximum(groups - 1.0, 1.0)
    within = np.where(np.isfinite(freedoms), np.fmax(freedoms - groups + 2, 1.0), np.inf)
    finite = np.isfinite(within)
    used, d = np.where(finite, within, 1.0), np.where(finite, freedoms, 1.0)
    by_units = fdtrc(between, used, ratio(statistic * used, between * d))
    return within, np.where(finite, by_units, chi2_tail(statistic, between))
