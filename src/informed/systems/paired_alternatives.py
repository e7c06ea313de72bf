"""Other ways to compare two systems on the same items, each under its right name.

Tango and McNemar for shares of right answers; the bootstrap of counts; and the swap of answers within
items, which tests that the systems are exchangeable, and not that their informedness is equal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from informed._arrays import Array, Limits, ratio
from informed.errors import InferenceError
from informed.evidence.checks import frozen
from informed.evidence.table import Table
from informed.inference.given import generator
from informed.inference.mcnemar import sign_tails
from informed.inference.resampling import quantiles, resample, resampled_units
from informed.inference.roots import root
from informed.measures.headline import OVER_ALL
from informed.systems.paired_arc import PairedContrast, arc_distances, arc_limits
from informed.systems.paired_exact import MOST_ITEMS, exact_limits, exact_tails, tango
from informed.systems.tails import ComparisonOptions, quantile, tails

EXACT_SWAPS = 200_000  # ways to swap, up to which they are all tried


# ---------------------------------------------------------------------- right and wrong


def discordant(s: PairedContrast) -> tuple[Array, Array, Array]:
    """Items that only a has right, that only b has right, and items in all."""
    cells = s.counts.reshape(s.joint.cells.shape)
    real, a, b = np.indices(cells.shape[:3])
    asked = _asked(s)
    assert asked is not None
    own = asked[real]
    return (
        cells[own & (a == real) & (b != real)].sum(axis=0),
        cells[own & (a != real) & (b == real)].sum(axis=0),
        cells[own].sum(axis=0),
    )


def is_share(s: PairedContrast) -> bool:
    """Whether the measure is the share of right answers among items that are given."""
    return s.scale.kind == "difference" and _asked(s) is not None


def _asked(s: PairedContrast) -> Any:
    """Whether the items of each class are asked for, if the measure is the share of them that
    is right; from its share of every table of a single case."""
    k, share = len(s.joint.cells), s.m.facts.share
    if str(s.m) == OVER_ALL["accuracy"]:
        return np.ones(k, dtype=np.bool_)  # no answer is not right
    if share is None or s.m.facts.of_share or s.m.bound or k != s.joint.cells.shape[1]:
        return None

    if s.m.facts.classes == "two" and k > 2:
        return None

    labels, cells = s.joint.labels, frozen(np.eye(k * k).reshape(k, k, -1))
    single = Table(cells, labels, labels, positive=s.joint.positive, axes=(None,))
    right, trials = (np.broadcast_to(x, k * k).reshape(k, k) for x in share(single))
    given = (trials == trials[0]).all()  # whatever is predicted
    return trials[0] > 0 if given and (right == trials * np.eye(k)).all() else None


def tango_z(s: PairedContrast, difference: Array) -> Array:
    """Tango's score statistic (1998) of a difference of two shares of the same items."""
    only_a, only_b, n = discordant(s)
    return tango(only_a, only_b, n, difference)


def tango_limits(s: PairedContrast, z: float) -> Limits:
    """Differences that the score test does not reject."""
    estimate = s.estimate
    one = np.ones(estimate.shape)
    low = root(lambda d: tango_z(s, d) - z, -one, estimate)
    high = root(lambda d: tango_z(s, d) + z, estimate, one)
    return low, high


def tango_distances(s: PairedContrast, null: float) -> Limits:
    z = tango_z(s, np.full(s.estimate.shape, null))
    return z, -z


def guarded_tails(s: PairedContrast, null: float, _: ComparisonOptions) -> Limits:
    """The larger p-value of the arc and of the test by Tango's statistic: exact for up to 1,000 whole items."""
    both = [tails(way(s, null), s.freedom) for way in (arc_distances, tango_distances)]
    counts = discordant(s)
    if _is_exact(s, counts):
        both[1] = exact_tails(*counts, null)
    return np.fmax(both[0][0], both[1][0]), np.fmax(both[0][1], both[1][1])


def guarded_limits(s: PairedContrast, level: float, _: ComparisonOptions) -> Limits:
    """The outer limits of the same two."""
    z, counts = quantile(level, s.freedom), discordant(s)
    arc, score = arc_limits(s, z), tango_limits(s, z)
    if _is_exact(s, counts):
        score = exact_limits(*counts, (1 - level) / 2)
    return np.fmin(arc[0], score[0]), np.fmax(arc[1], score[1])


def _is_exact(s: PairedContrast, counts: tuple[Array, ...]) -> bool:
    """Whether each item counts one, and there are few enough of them to be listed."""
    plain = s.joint.squares is None and s.joint.units is None
    return plain and all((x == np.round(x)).all() for x in counts) and bool((counts[2] <= MOST_ITEMS).all())


def mcnemar_tails(s: PairedContrast, null: float, *, mid: bool) -> Limits:
    """Exact tails of the binomial of discordant items; with `mid`, half of the seen one."""
    if null != 0:
        raise InferenceError("McNemar's test is of no difference; Tango's takes any.")
    only_a, only_b, _ = discordant(s)
    if np.any((only_a != np.round(only_a)) | (only_b != np.round(only_b))):
        raise InferenceError("McNemar's exact tests need whole counts, and these are weighted or have units.")
    return sign_tails(only_a, only_b, mid=mid)


def is_predictive(s: PairedContrast) -> bool:
    """Whether the measure is the share of the answers of one kind that are right: precision, or its inverse."""
    facts = s.m.facts
    own = facts.is_share and facts.ignores == ("bias",) and facts.best == 1 and not s.m.bound
    return s.scale.kind == "difference" and own and s.joint.cells.shape[:3] == (2, 2, 2)


def weighted_score(s: PairedContrast) -> Array:
    """Kosinski's weighted generalised score statistic (2013) of equal predictive values, with its sign."""
    cells, share = s.counts.reshape(s.joint.cells.shape), s.m.facts.share
    assert share is not None
    (right_a, n_a), (right_b, n_b) = (share(t) for t in s.tables)
    scaled = np.where(s.items > 0, ratio(cells.sum(axis=(0, 1, 2)), s.items), 1.0)
    right_a, n_a, right_b, n_b = (np.asarray(x) * scaled for x in (right_a, n_a, right_b, n_b))

    first = s.joint.labels.index(s.joint.positive) if s.joint.positive is not None else 0
    label = first if s.m.facts.needs == ("predicted positives",) else 1 - first
    both_right, both_wrong = cells[label, label, label], cells[1 - label, label, label]
    pooled = ratio(right_a + right_b, n_a + n_b)
    together = ratio(both_right * (1 - pooled) ** 2 + both_wrong * pooled**2, n_a + n_b)
    spread = (pooled * (1 - pooled) - 2 * together) * (ratio(1.0, n_a) + ratio(1.0, n_b))
    away = ratio(right_a, n_a) - ratio(right_b, n_b)
    return np.where(np.abs(away) < 1e-12, 0.0, ratio(away, np.sqrt(np.maximum(spread, 0.0))))


def weighted_score_distances(s: PairedContrast, null: float) -> Limits:
    """Standard errors to no difference, both ways."""
    if null != 0:
        raise InferenceError("The weighted generalised score test is of no difference; 'arc' takes any.")
    z = weighted_score(s)
    return z, -z


# ---------------------------------------------------------------------- resampling


def _drawn(s: PairedContrast, options: ComparisonOptions) -> Array:
    """The difference in resampled joint tables, ``(draws, *stack)``."""
    rng = generator(options.rng)
    if s.joint.units is not None:
        cells = np.moveaxis(resampled_units(rng, s.joint.units, options.n_draws, len(s.raw)), -1, 0)
    else:
        cells = np.moveaxis(resample(rng, s.counts, options.n_draws, s.groups), -1, 0)
    n = cells.sum(axis=0)
    return s.f.value(ratio(cells, n), n)


def bootstrap_limits(s: PairedContrast, level: float, options: ComparisonOptions) -> Limits:
    return quantiles(_drawn(s, options), (1 - level) / 2, (1 + level) / 2)


def bootstrap_tails(s: PairedContrast, null: float, options: ComparisonOptions) -> Limits:
    """Shares of resamples on the other side of the null, counted with the sample itself."""
    values = _drawn(s, options)
    known = (~np.isnan(values)).sum(axis=0)
    return (((values <= null).sum(axis=0) + 1) / (known + 1), ((values >= null).sum(axis=0) + 1) / (known + 1))


def swap_tails(s: PairedContrast, null: float, options: ComparisonOptions) -> Limits:
    """Mid-p tails over swaps of the two answers within items, each as likely as not.

    All ways where they are few, else so many drawn at random.
    """
    if null != 0:
        raise InferenceError("The swap test is of exchangeability; it has no other null.")
    if s.joint.squares is not None or s.joint.units is not None:
        raise InferenceError("Answers are swapped within single, equally weighted items.")
    cells = s.joint.cells
    real, first, second = np.nonzero(np.broadcast_to(np.triu(np.ones(cells.shape[1:3]), 1), cells.shape[:3]))
    pairs = (cells[real, first, second] + cells[real, second, first]).astype(np.int64)

    # How many items of each pair of cells are in the first, (pair, way, *stack), and how likely.
    x: Any
    if not s.joint.shape and np.prod(pairs + 1.0) <= EXACT_SWAPS:
        from scipy.special import binom

        x = np.indices(tuple(pairs + 1)).reshape(len(pairs), -1)
        weight, floor = np.prod(binom(pairs[:, None], x) / 2.0 ** pairs[:, None], axis=0), 0.0
    else:
        of = np.broadcast_to(pairs[:, None], (len(pairs), options.n_draws, *s.joint.shape))
        x = generator(options.rng).binomial(of, 0.5)
        weight, floor = np.full(x.shape[1:], 1 / options.n_draws), 0.5 / options.n_draws

    swapped = np.repeat(cells[:, :, :, None], x.shape[1], axis=3)
    swapped[real, first, second] = x
    swapped[real, second, first] = pairs[:, None] - x
    n = np.broadcast_to(s.n, x.shape[1:])
    found = s.f.value(swapped.reshape(-1, *n.shape) / n, n)

    # A swap that leaves the difference undefined speaks for neither side, and counts half on both.
    near = (np.abs(found - s.estimate) < 1e-12) | np.isnan(found)
    both = [np.where(near, 0.5, there) for there in (found > s.estimate, found < s.estimate)]
    beyond, under = (np.maximum((weight * there).sum(axis=0), floor) for there in both)
    return np.where(np.isnan(s.estimate), np.nan, beyond), np.where(np.isnan(s.estimate), np.nan, under)


def no_limits(s: PairedContrast, level: float, options: ComparisonOptions) -> Limits:
    """A test without an interval."""
    nothing = np.full(s.estimate.shape, np.nan)
    return nothing, nothing
