"""A benchmark of known size in random order: the price of the next item follows what is left.

For each total T that an arm of N items may have, the price is (T − won so far)/(N − seen so far): at the true total it
is the mean of what is left, so that nobody gains by it (Waudby-Smith and Ramdas 2020). Wealth falls in T. Where no item
can have a value between the steps of T this is exact; otherwise limits and bar are moved outward by one step.
"""

from __future__ import annotations

import numpy as np

from informed._arrays import Array
from informed.evidence.units import Ints
from informed.inference.betting import SHARES
from informed.inference.betting_plan import Bettor, Game

MOST_TOTALS = 1000
ALIKE = 1e-9
CHUNK = 24  # items whose factors are multiplied before a logarithm is taken


class Arm:
    """What each share has grown to against each total that an arm may have."""

    def __init__(self, n: int, totals: Array) -> None:
        self.n, self.totals = n, totals
        self.seen, self.won = 0, 0.0
        self.log = np.zeros((len(totals), len(SHARES)))  # infinite where the total is no longer possible

    def add(self, x: Array) -> None:
        """Items in their order."""
        for start in range(0, len(x), CHUNK):
            self._add(x[start : start + CHUNK])

    def _add(self, x: Array) -> None:
        before = self.won + np.concatenate([[0.0], np.cumsum(x)[:-1]])
        left = self.n - self.seen - np.arange(len(x))
        alive = np.flatnonzero(np.isfinite(self.log[:, 0]))
        rest = self.totals[alive, None] - before
        with np.errstate(divide="ignore", invalid="ignore"):
            paid = np.where(rest > ALIKE, x * left / rest, 0.0)
        self.log[alive] += np.log((1 - SHARES + SHARES * paid[..., None]).prod(axis=1))

        self.seen += len(x)
        self.won += float(x.sum())
        self.log[self.totals < self.won - ALIKE] = np.inf


class Benchmark:
    """Arms of known size, bet on from both sides."""

    def __init__(self, game: Game, sizes: Array, steps: int, *, exact: bool) -> None:
        self.game, self.sizes, self.exact = game, sizes, exact
        fits = [exact and n * steps <= MOST_TOTALS for n in sizes]
        grids = [
            np.arange(n * steps + 1) / steps if fit else np.linspace(0, n, MOST_TOTALS + 1)
            for n, fit in zip(sizes.astype(int), fits, strict=True)
        ]
        self.shift = float(sum(a / MOST_TOTALS for a, fit in zip(game.a, fits, strict=True) if not fit))
        self.up = [Arm(int(n), grid) for n, grid in zip(sizes, grids, strict=True)]
        self.down = [Arm(int(n), grid) for n, grid in zip(sizes, grids, strict=True)]

    def add(self, arm: Ints, x: Array) -> None:
        """Items in their order."""
        for k in range(len(self.up)):
            self.up[k].add(x[arm == k])
            self.down[k].add(1 - x[arm == k])

    def wealth(self, bettor: Bettor, value: float, *, above: bool) -> float:
        """The logarithm of the least wealth of who bets that the measure is above, or below, a value."""
        low, high = self.game.bounds
        arms, total = (self.up, value - low) if above else (self.down, high - value)
        return _least(arms, self._parts(), bettor, total + self.shift)

    def limit(self, bettor: Bettor, limit: float, *, lower: bool) -> float:
        """The lower or the upper limit: the first value at which the wealth is below a limit."""
        low, high = self.game.bounds
        arms = self.up if lower else self.down
        known = float(sum(part * arm.won for part, arm in zip(self._parts(), arms, strict=True)))
        total = max(_lowest(arms, self._parts(), bettor, limit) - self.shift, known)
        return low + total if lower else high - total

    def _parts(self) -> Array:
        return np.asarray(self.game.a / self.sizes)


def _joint(bettor: Bettor, arms: list[Arm], at: list[Array]) -> Array:
    """Log wealth at these totals, by their places in each arm."""
    logs = [arm.log[i] for arm, i in zip(arms, at, strict=True)]
    impossible = np.logical_or.reduce([np.isinf(log[:, 0]) for log in logs])
    logs = [np.where(impossible[:, None], 0.0, log) for log in logs]
    tops = [log.max(axis=1, keepdims=True) for log in logs]
    e = [np.exp(log - top) for log, top in zip(logs, tops, strict=True)]
    weights = bettor.weights
    total = (e[0] * (weights[0] if len(arms) == 1 else e[1] @ weights.T)).sum(axis=1)
    found = sum(top[:, 0] for top in tops) + np.log(total)
    return np.where(impossible, np.inf, found)


def _least(arms: list[Arm], parts: Array, bettor: Bettor, total: float) -> float:
    """The least log wealth over totals that add up to at most this."""
    first = np.arange(len(arms[0].totals))
    rest = total - parts[0] * arms[0].totals
    at = [first[rest >= -ALIKE]]
    if len(arms) == 1:
        at = [at[0][-1:]]
    else:
        room = rest[rest >= -ALIKE] / parts[1] + ALIKE
        at.append(np.searchsorted(arms[1].totals, room, side="right") - 1)
    return float(_joint(bettor, arms, at).min(initial=np.inf))


def _lowest(arms: list[Arm], parts: Array, bettor: Bettor, limit: float) -> float:
    """The least sum of totals at which the wealth is below a limit."""
    last = arms[-1].totals
    first = np.arange(len(arms[0].totals)) if len(arms) == 2 else np.zeros(1, np.intp)
    low, high = np.full(len(first), -1), np.full(len(first), len(last))  # not below; below, or none
    while (high - low > 1).any():
        middle = np.clip((low + high) // 2, 0, len(last) - 1)
        at = [first, middle] if len(arms) == 2 else [middle]
        below = _joint(bettor, arms, at) < limit
        open_ = high - low > 1
        low, high = np.where(open_ & ~below, middle, low), np.where(open_ & below, middle, high)

    found = high < len(last)
    sums = parts[-1] * last[high[found]]
    if len(arms) == 2:
        sums = sums + parts[0] * arms[0].totals[first[found]]
    return float(sums.min())
