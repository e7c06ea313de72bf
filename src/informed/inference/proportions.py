"""Intervals of one proportion, and of all that is a function of one.

Every method takes the number of successes and of trials, whole or not (a weighted table is worth
a fractional number of cases), and a level; all take stacks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._arrays import Array, Limits, ratio
from informed.evidence.checks import UNLABELLED, frozen
from informed.evidence.table import Table
from informed.inference.given import standard_normal
from informed.inference.roots import root
from informed.measures import Measure, find

_NEWTON, _NEAR = 20, 1e-9  # steps of a mid-P limit, and how small the last is: its square is the error that is left


@dataclass(frozen=True)
class Proportion:
    """What a measure that rises or falls with a proportion makes of it."""

    counts: Callable[[Table], tuple[Any, Any]]  # successes and trials
    image: Callable[[Array, Table], Array]  # the measure, of the proportion
    given: bool = False  # whether the trials are the cases of a real class


def proportion_of(m: Measure) -> Proportion | None:
    """The proportion behind a measure, where there is one."""
    share, quotient = m.facts.share, m.facts.of_share
    if share is None:
        return None

    asked = {key: value for key, value in m.bound if key != "undefined"}
    if asked == {"average": "micro"}:  # the classes pooled: a function of accuracy
        right = find("accuracy").facts.share
        assert right is not None
        return Proportion(right, lambda p, t: np.asarray(m.function(_pooled(p, t))))

    if not m.as_stated:
        return None
    if quotient is None:
        return Proportion(share, lambda p, t: p, m.side == "real")
    return Proportion(share, lambda p, t: ratio(*quotient(p, 1.0, t)), m.side == "real")


def _pooled(accuracy: Array, t: Table) -> Table:
    """All classes against the rest, added up: only the share of right predictions matters."""
    wrong = 1 - accuracy
    cells = frozen(np.array([[accuracy, wrong], [wrong, len(t.real_labels) - 2 + accuracy]]))
    axes = (None,) * (cells.ndim - 2)
    return Table(cells, UNLABELLED, UNLABELLED, positive=UNLABELLED[0], axes=axes)


def limits(asked: Sequence[tuple[Proportion, Table]], method: str, level: Any) -> list[Limits]:
    """Limits of several measures, those of their proportions, mapped: one search for all.

    The level is one for all, or one for each table of a stack.
    """
    pairs = [np.broadcast_arrays(*form.counts(t)) for form, t in asked]
    k, n = (np.concatenate([np.ravel(pair[side]) for pair in pairs]) for side in (0, 1))
    if np.ndim(level):
        level = np.concatenate([np.broadcast_to(level, own.shape).ravel() for own, _ in pairs])
    lows, highs = METHODS[method](k, n, level)
    found: list[Limits] = []
    start = 0
    for (form, t), (own, _) in zip(asked, pairs, strict=True):
        part, start = slice(start, start + own.size), start + own.size
        ends = [form.image(x[part].reshape(own.shape), t) for x in (lows, highs)]
        found.append((np.minimum(*ends), np.maximum(*ends)))
    return found


# ---------------------------------------------------------------------- the methods


def wald(k: Array, n: Array, level: Any) -> Limits:
    """Estimate and normal standard error; collapses at 0 and 1, kept for comparison."""
    p, z = ratio(k, n), standard_normal(level)
    half = z * np.sqrt(ratio(p * (1 - p), n))
    return np.clip(p - half, 0, 1), np.clip(p + half, 0, 1)


def wilson(k: Array, n: Array, level: Any) -> Limits:
    """Where the score test does not reject."""
    z, p = standard_normal(level), ratio(k, n)
    middle = ratio(k + z**2 / 2, n + z**2)
    half = ratio(z * np.sqrt(np.where(n > 0, n * p * (1 - p), 0) + z**2 / 4), n + z**2)
    low, high = np.maximum(middle - half, 0), np.minimum(middle + half, 1)
    return np.where(k == 0, 0.0, low), np.where(k == n, 1.0, high)


def agresti_coull(k: Array, n: Array, level: Any) -> Limits:
    """Wald after adding z²/2 successes and as many failures."""
    z = standard_normal(level)
    return wald(k + z**2 / 2, n + z**2, level)


def clopper_pearson(k: Array, n: Array, level: Any) -> Limits:
    """Both tails at most (1 − level)/2 whatever the truth: never too short, often too long."""
    return _beta_low(k, n, level), 1 - _beta_low(n - k, n, level)


def jeffreys(k: Array, n: Array, level: Any) -> Limits:
    """Equal-tailed posterior under a Beta(½, ½) prior; 0 and 1 where nothing or all succeeded."""
    return _beta_low(k, n, level, 0.5), 1 - _beta_low(n - k, n, level, 0.5)


def _beta_low(k: Array, n: Array, level: Any, shift: float = 0.0) -> Array:
    """Lower quantile of Beta(k + shift, n − k + 1 − shift), 0 where nothing succeeded."""
    from scipy.special import betaincinv

    a, b = np.where(k > 0, k, 1.0) + shift, np.maximum(n - k, 0) + 1 - shift
    return np.where(k > 0, betaincinv(a, b, (1 - level) / 2), 0.0)


def mid_p(k: Array, n: Array, level: Any) -> Limits:
    """Clopper–Pearson with half the weight of what was seen: the right length on average."""
    k, n = np.broadcast_arrays(k, n)
    if np.ndim(level):
        return _mid_p_low(k, n, level), 1 - _mid_p_low(n - k, n, level)
    # tables of a stack repeat each other, and a root is dear: find each once
    pairs, back = np.unique(k.ravel() + 1j * n.ravel(), return_inverse=True)
    seen, trials = pairs.real, pairs.imag
    ends = _mid_p_low(np.r_[seen, trials - seen], np.r_[trials, trials], level)
    low, miss = (x[back].reshape(k.shape) for x in np.split(ends, 2))
    return low, 1 - miss


def mid_p_tail(p: Array, k: Array, n: Array) -> Array:
    """P(X > k) + ½ P(X = k) for a binomial X, as the mean of two Beta distributions."""
    from scipy.special import betainc

    none, every = k <= 0, k >= n
    at_least = np.where(none, 1.0, betainc(np.where(none, 1.0, k), n - k + 1, p))
    above = np.where(every, 0.0, betainc(k + 1, np.where(every, 1.0, n - k), p))
    return np.asarray((at_least + above) / 2)


def _mid_p_low(k: Array, n: Array, level: Any) -> Array:
    """Where the tail is as small as the level says, by Newton's steps in the logarithms of both from Wilson's limit.

    The logarithm of the tail is concave in that of p, so that steps come to the root from one side; what
    rounding keeps from it is searched between the limits that count what was seen in full and not at all.
    """
    seen, all_, wanted = np.broadcast_arrays(np.clip(k, 0.0, n), n, (1 - np.asarray(level)) / 2)
    live = np.flatnonzero((seen > 0) & (all_ > 0))
    k, n, wanted = (x.ravel()[live] for x in (seen, all_, wanted))
    p = wilson(k, n, 1 - 2 * wanted)[0]
    left = np.arange(len(live))
    for _ in range(_NEWTON):
        moved = _mid_p_step(p[left], k[left], n[left], wanted[left])
        near = np.abs(moved - p[left]) <= _NEAR * moved
        p[left] = moved
        left = left[~near]
        if not left.size:
            break
    if left.size:
        p[left] = _mid_p_search(k[left], n[left], wanted[left])
    found = np.zeros(seen.size)
    found[live] = p
    return found.reshape(seen.shape)


def _mid_p_step(p: Array, k: Array, n: Array, wanted: Array) -> Array:
    """One step towards the p at which the tail is this small."""
    from scipy.special import betainc

    every = k >= n
    at_least = betainc(k, n - k + 1, p)
    above = np.where(every, 0.0, betainc(k + 1, np.where(every, 1.0, n - k), p))
    tail = (at_least + above) / 2
    with np.errstate(all="ignore"):  # what is not finite is searched
        slope = (at_least - above) / 2 * (k + np.where(every, 0.0, (n - k) * p / (1 - p)))
        return np.asarray(np.minimum(p * np.exp(np.log(wanted / tail) * tail / slope), 1.0))


def _mid_p_search(k: Array, n: Array, wanted: Array) -> Array:
    level = 1 - 2 * wanted
    start, stop = _beta_low(k, n, level), _beta_low(k, n, level, 1.0)
    return root(lambda p: mid_p_tail(p, k, n) - wanted, start, np.where(k >= n, 1.0, stop))


def not_rejected(statistic: Callable[[Array], Array], bottom: Any, middle: Array, top: Any, level: Any) -> Limits:
    """Where a normal statistic that falls from bottom to top passes its two critical values."""
    z = standard_normal(level)
    low = root(lambda x: statistic(x) - z, bottom, middle)
    return low, root(lambda x: statistic(x) + z, middle, top)


METHODS: dict[str, Callable[[Array, Array, Any], Limits]] = {
    "mid-p": mid_p,
    "wilson": wilson,
    "agresti-coull": agresti_coull,
    "clopper-pearson": clopper_pearson,
    "jeffreys": jeffreys,
}
