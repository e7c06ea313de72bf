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
        self._known: dict[tuple[int, int], _Held] = {}  # until the next item
        self.down = [Arm(int(n), grid) for n, grid in zip(sizes, grids, strict=True)]

    def add(self, arm: Ints, x: Array) -> None:
        """Items in their order."""
        self._known.clear()
        for k in range(len(self.up)):
            self.up[k].add(x[arm == k])
            self.down[k].add(1 - x[arm == k])

    def _held(self, arms: list[Arm], bettor: Bettor) -> _Held:
        key = id(arms), id(bettor)
        if key not in self._known:
            self._known[key] = _Held(arms, bettor)
        return self._known[key]

    def wealth(self, bettor: Bettor, value: float, *, above: bool) -> float:
        """The logarithm of the least wealth of who bets that the measure is above, or below, a value."""
        low, high = self.game.bounds
        arms, total = (self.up, value - low) if above else (self.down, high - value)
        return self._held(arms, bettor).least(self.game.a / self.sizes, total + self.shift)

    def limit(self, bettor: Bettor, limit: float, *, lower: bool) -> float:
        """The lower or the upper limit: the first value at which the wealth is below a limit."""
        low, high = self.game.bounds
        arms, parts = self.up if lower else self.down, self.game.a / self.sizes
        known = float(sum(part * arm.won for part, arm in zip(parts, arms, strict=True)))
        total = max(self._held(arms, bettor).lowest(parts, limit) - self.shift, known)
        return low + total if lower else high - total


class _Held:
    """What a bettor has against all totals that are still possible."""

    def __init__(self, arms: list[Arm], bettor: Bettor) -> None:
        self.from_ = [int(np.isinf(arm.log[:, 0]).sum()) for arm in arms]  # totals before it are not possible
        self.totals = [arm.totals[i:] for arm, i in zip(arms, self.from_, strict=True)]
        logs = [arm.log[i:] for arm, i in zip(arms, self.from_, strict=True)]
        self.top = [log.max(axis=1) for log in logs]
        e = [np.exp(log - top[:, None]) for log, top in zip(logs, self.top, strict=True)]
        self.first = e[0]
        self.second = bettor.weights if len(arms) == 1 else e[1] @ bettor.weights.T

    def log(self, i: Ints, j: Ints) -> Array:
        """Log wealth at these places of the totals of both arms; of one arm at the first."""
        if len(self.totals) == 1:
            return np.asarray(self.top[0][i] + np.log((self.first[i] * self.second[0]).sum(axis=1)))
        both = np.einsum("ij,ij->i", self.first[i], self.second[j])
        return np.asarray(self.top[0][i] + self.top[1][j] + np.log(both))

    def least(self, parts: Array, total: float) -> float:
        """The least log wealth over totals that add up to at most this."""
        rest = total - parts[0] * self.totals[0]
        i = np.flatnonzero(rest >= -ALIKE)
        if len(self.totals) == 1:
            i, j = i[-1:], i[-1:]
        else:
            j = np.searchsorted(self.totals[1], rest[i] / parts[1] + ALIKE, side="right") - 1
            i, j = i[j >= 0], j[j >= 0]
        return float(self.log(i, j).min(initial=np.inf))

    def lowest(self, parts: Array, limit: float) -> float:
        """The least sum of totals at which the wealth is below a limit."""
        if len(self.totals) == 1:
            every = np.arange(len(self.totals[0]))
            below = np.flatnonzero(self.log(every, every) < limit)
            return float(parts[0] * self.totals[0][below[0]])

        i, size = np.arange(len(self.totals[0])), len(self.totals[1])
        low, high = np.full(len(i), -1), np.full(len(i), size)  # not below; below, or none
        for _ in range(size.bit_length() + 1):
            middle = np.minimum(np.maximum((low + high) // 2, 0), size - 1)
            now, going = self.log(i, middle) < limit, high - low > 1
            low, high = np.where(going & ~now, middle, low), np.where(going & now, middle, high)
        found = high < size
        return float((parts[0] * self.totals[0][found] + parts[1] * self.totals[1][high[found]]).min())
