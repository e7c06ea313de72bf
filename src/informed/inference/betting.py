"""A bettor's wealth against everyone who only guesses, and the limits that it leaves.

Each real class is an arm, and each item gives its arm a value x from 0 to 1; what is watched is Σ a μ + const, where μ
are the means of the arms. A bettor who holds that a mean is above μ puts the share c of his money on x at the price μ:
it is multiplied by 1 − c + c·x/μ. He plays several shares at once, so that his wealth depends on the counts of x alone,
falls in every μ, and has a convex logarithm. What he has at least, whatever the means below the bar are, is evidence
that may be looked at at any time (Ville 1939; Waudby-Smith and Ramdas 2024).

Everything is computed for many looks at once: counts are ``(looks, arms, values)``, beside values ``(arms, values)``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed.evidence.units import Ints

SHARES = np.geomspace(0.004, 0.9, 12)
LEAST_PRICE = 1e-12
CLOSE = 1e-11  # of a price or a limit that is searched
ENOUGH = 1e-12  # of a logarithm that is left to be gained
MOST_STEPS = 200


@dataclass(frozen=True)
class Counts:
    """How often each value came, at each look."""

    x: Array  # (arms, values)
    h: Array  # (looks, arms, values)

    def at(self, looks: Ints) -> Counts:
        """Some of the looks."""
        return Counts(self.x, self.h[looks])

    def mirrored(self) -> Counts:
        """What one sees who bets the other way."""
        return Counts(1 - self.x, self.h)

    def means(self) -> Array:
        """The mean of each arm; NaN where it has no case."""
        with np.errstate(invalid="ignore"):
            return np.asarray((self.h * self.x).sum(axis=-1) / self.h.sum(axis=-1))

    def spread(self) -> tuple[Array, Array]:
        """Means and their variances with half a case more on each side: a first guess of where to search."""
        n = self.h.sum(axis=-1) + 1
        means = ((self.h * self.x).sum(axis=-1) + 0.5) / n
        square = (self.h * (self.x - means[..., None]) ** 2).sum(axis=-1) + 0.25
        return means, square / n**2

    @property
    def won(self) -> NDArray[np.bool_]:
        """Whether an arm has ever won anything."""
        return np.asarray(((self.h > 0) & (self.x > 0)).any(axis=-1))


class Grown(NamedTuple):
    """The logarithm of what each share has grown to at some prices, with its first and second derivative."""

    log: Array  # (looks, arms, shares)
    slope: Array
    bend: Array


class Least(NamedTuple):
    """Log wealth at its least over the means that a value allows, its slope in that value, and where it is."""

    log: Array
    slope: Array
    at: Array


def grown(counts: Counts, price: Array) -> Grown:
    """What each share of each arm has grown to at these prices ``(looks, arms)``."""
    price = np.maximum(price, LEAST_PRICE)[..., None]
    bet = (counts.x / price)[..., None] * SHARES
    factor = bet + (1 - SHARES)
    part = bet / factor

    log = (counts.h[..., None, :] @ np.log(factor))[..., 0, :]
    slope = -(counts.h[..., None, :] @ part)[..., 0, :] / price
    bend = (counts.h[..., None, :] @ (part * (2 - part)))[..., 0, :] / price**2
    return Grown(log, slope, bend)


# ---------------------------------------------------------------------- one arm, and arms that are bet on separately


def mixed(g: Grown, weights: Array) -> Grown:
    """The wealth of each arm over its shares, with weights ``(arms, shares)``: ``(looks, arms)`` each."""
    top = g.log.max(axis=-1, keepdims=True)
    held = weights * np.exp(g.log - top)
    total = held.sum(axis=-1, keepdims=True)
    held /= total
    slope = (held * g.slope).sum(axis=-1)
    bend = (held * (g.bend + g.slope**2)).sum(axis=-1) - slope**2
    return Grown((top + np.log(total))[..., 0], slope, bend)


# ---------------------------------------------------------------------- two arms, bet on together


def together(counts: Counts, weights: Array, price: Array, ratio: float) -> tuple[Array, Array, Array, Array]:
    """Log wealth of pairs of shares at prices ``(looks, 2)``; its slope and bend along the line on which the second
    price falls by `ratio` as the first rises by one; and its slopes in both prices."""
    g = grown(counts, price)
    top = g.log.max(axis=-1, keepdims=True)
    e = np.exp(g.log - top)
    (first, second), (d, b) = (e[:, 0], e[:, 1]), (g.slope, g.bend)

    against = second @ weights.T
    total = (first * against).sum(axis=-1)
    p = first * against / total[:, None]
    q = second * (first @ weights) / total[:, None]
    slopes = np.stack([(p * d[:, 0]).sum(axis=-1), (q * d[:, 1]).sum(axis=-1)], axis=-1)

    both = ((first * d[:, 0]) * ((second * d[:, 1]) @ weights.T)).sum(axis=-1) / total
    bend = (p * (b[:, 0] + d[:, 0] ** 2)).sum(axis=-1) - 2 * ratio * both
    bend += ratio**2 * (q * (b[:, 1] + d[:, 1] ** 2)).sum(axis=-1)
    slope = slopes[:, 0] - ratio * slopes[:, 1]
    return top.sum(axis=(1, 2)) + np.log(total), slope, bend - slope**2, slopes


@dataclass(frozen=True)
class Pair:
    """Two arms and the weights of all pairs of shares."""

    a: Array  # (2,)
    weights: Array  # (shares, shares)

    def least(self, counts: Counts, total: Array, start: Array | None = None) -> Least:
        """The least wealth over prices with a₀μ₀ + a₁μ₁ = total, each from 0 to 1."""
        a0, a1 = self.a
        ends = np.maximum(0.0, (total - a1) / a0), np.minimum(1.0, total / a0)
        part = np.clip(self._guess(counts, total, ends) if start is None else start, 0.01, 0.99)
        won = counts.won
        at = np.where(won[:, 1], ends[0] + part * (ends[1] - ends[0]), ends[1])  # who never won has any price
        at = np.where(won[:, 0], at, ends[0])

        low, high = ends[0].copy(), ends[1].copy()
        todo = np.flatnonzero(won.all(axis=-1))
        tried, safe = np.zeros(len(total), np.bool_), max(a0, a1) + 1e-6  # above it no price is 0 at an end
        last = np.full(len(total), np.inf)
        for _ in range(MOST_STEPS):
            if not len(todo):
                break
            mu, held = at[todo], counts.at(todo)
            _, slope, bend, _ = together(held, self.weights, self._prices(mu, total[todo]), a0 / a1)
            low[todo], high[todo] = np.where(slope < 0, mu, low[todo]), np.where(slope < 0, high[todo], mu)
            new = inside(mu, slope, bend, low[todo], high[todo], last[todo])
            new, tried[todo] = _or_end(new, mu - slope / bend, ends, todo, tried[todo] | (total[todo] <= safe))
            last[todo], at[todo] = np.abs(new - mu), new
            left = np.minimum(slope**2 / (2 * bend), np.abs(slope) * (high[todo] - low[todo]))  # to be gained at most
            at[todo] = np.where(left <= ENOUGH, mu, at[todo])
            todo = todo[left > ENOUGH]
        assert not len(todo), "the least wealth was not found"
        log, _, _, slopes = together(counts, self.weights, self._prices(at, total), a0 / a1)
        with np.errstate(invalid="ignore", divide="ignore"):
            part = np.where(ends[1] > ends[0], (at - ends[0]) / (ends[1] - ends[0]), 0.5)
        return Least(log, self._slope(at, ends, slopes, total), part)

    def _guess(self, counts: Counts, total: Array, ends: tuple[Array, Array]) -> Array:
        """Where the least would be between the ends, were the wealth that of two normal means."""
        means, spread = counts.spread()
        short = ((self.a * means).sum(axis=-1) - total) / (self.a**2 * spread).sum(axis=-1)
        wide = np.maximum(ends[1] - ends[0], CLOSE)
        return np.asarray((means[:, 0] - short * self.a[0] * spread[:, 0] - ends[0]) / wide)

    def _prices(self, mu: Array, total: Array) -> Array:
        return np.stack([mu, np.clip((total - self.a[0] * mu) / self.a[1], 0.0, 1.0)], axis=-1)

    def _slope(self, at: Array, ends: tuple[Array, Array], slopes: Array, total: Array) -> Array:
        """How the least wealth falls as the value rises: by the price that is free to rise."""
        first, second = slopes[:, 0] / self.a[0], slopes[:, 1] / self.a[1]
        near = 1e-6 * (ends[1] - ends[0]) + 2 * CLOSE
        above, below = at >= ends[1] - near, at <= ends[0] + near
        by_first = (above & (total < self.a[0])) | (below & (total > self.a[1]))
        return np.asarray(np.where(by_first, first, np.where(above | below, second, (first + second) / 2)))

    def lowest(self, counts: Counts, limit: float, start: Least | None = None) -> Least:
        """The smallest value at which the wealth is below a limit: its total, the slope there, and where."""
        guess = None if start is None else (start.log, start.at)
        return _lowest(self.least, counts, self.a, limit, guess)


@dataclass(frozen=True)
class Single:
    """One arm and the weights of its shares."""

    a: Array  # (1,)
    weights: Array  # (1, shares)

    def least(self, counts: Counts, total: Array, start: Array | None = None) -> Least:
        """The wealth at the one price that a total leaves."""
        m = mixed(grown(counts, (total / self.a[0])[:, None]), self.weights)
        return Least(m.log[:, 0], m.slope[:, 0] / self.a[0], total / self.a[0])

    def lowest(self, counts: Counts, limit: float, start: Least | None = None) -> Least:
        """The smallest value at which the wealth is below a limit."""
        guess = None if start is None else (start.log, start.at)
        return _lowest(self.least, counts, self.a, limit, guess)


def _lowest(
    least: Callable[[Counts, Array, Array | None], Least],
    counts: Counts,
    a: Array,
    limit: float,
    start: tuple[Array, Array] | None,
) -> Least:
    """Newton's steps on a convex falling function, kept inside the bracket."""
    looks = len(counts.h)
    low, high = np.zeros(looks), np.full(looks, float(a.sum()))
    if start is None:
        means, spread = counts.spread()  # as if the wealth were that of normal means
        reach = np.sqrt(2 * (limit + 2) * (a**2 * spread).sum(axis=-1))
        at, total = None, np.clip((a * means).sum(axis=-1) - reach, low, high)
        total = np.where(total <= 0, high / 8, total)
    else:
        total, at = np.clip(start[0], 1e-9, high), start[1]

    at = np.full(looks, np.nan) if at is None else at.copy()
    last = np.full(looks, np.inf)
    near = CLOSE + 1e-14 * counts.h.sum(axis=(1, 2))  # as far as the logarithm of so many cases is exact
    slopes, todo = np.zeros(looks), np.flatnonzero(counts.won.any(axis=-1))  # else no value is excluded
    nothing = ~counts.won.any(axis=-1)
    for _ in range(MOST_STEPS):
        if not len(todo):
            break
        t = total[todo]
        found = least(counts.at(todo), t, None if np.isnan(at[todo]).any() else at[todo])
        over, at[todo], slopes[todo] = found.log - limit, found.at, found.slope
        low[todo], high[todo] = np.where(over >= 0, t, low[todo]), np.where(over >= 0, high[todo], t)
        going = (np.abs(over) > near[todo]) & (high[todo] - low[todo] > CLOSE)
        new = np.where(going, inside(t, over, found.slope, low[todo], high[todo], last[todo]), t)
        last[todo], total[todo] = np.abs(new - t), new
        todo = todo[going]
    assert not len(todo), "a limit was not found"
    return Least(np.where(nothing, 0.0, total), slopes, at)


def _or_end(
    new: Array, wanted: Array, ends: tuple[Array, Array], at: Ints, tried: NDArray[np.bool_]
) -> tuple[Array, NDArray[np.bool_]]:
    """The end that Newton's step wants to leave by, once, unless a price is 0 there; and whether it was tried."""
    leaves = (wanted <= ends[0][at]) | (wanted >= ends[1][at])
    end = np.where(wanted <= ends[0][at], ends[0][at], ends[1][at])
    return np.where(leaves & ~tried, end, new), tried | leaves


def inside(at: Array, value: Array, slope: Array, low: Array, high: Array, last: Array) -> Array:
    """Newton's step, or the middle of the bracket where that leaves it or is not half as long as the last."""
    with np.errstate(divide="ignore", invalid="ignore"):
        new = at - value / slope
    good = (new >= low) & (new <= high) & (2 * np.abs(new - at) <= last)
    return np.where(value == 0, at, np.where(good, new, (low + high) / 2))
