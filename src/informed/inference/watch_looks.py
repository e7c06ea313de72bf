"""Looks at a stream: when a watch looks by itself, what it sees, and what holds at all looks together.

A watch looks at every item up to 50, and from there whenever there are 2 % more. The counts of each such look are kept,
and all that wait are worked out at once when somebody asks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed.inference.asymptotic_sequence import approximate
from informed.inference.betting import Counts
from informed.inference.betting_benchmark import Benchmark
from informed.inference.watch_cases import Kinds
from informed.inference.watch_settings import Settings

EVERY, MORE = 50, 1.02
GRID = 1200  # steps from 0 to 1 that scores are counted on, once there are more different ones
ROUNDING = 1e-9  # by which limits may cross that are equal
FUTILE = 0.2  # the share of good systems that a futile stop may lose


def next_look(n: int) -> int:
    """After a look at n items, how many the next look has."""
    return n + 1 if n < EVERY else math.ceil(n * MORE - 1e-9)


@dataclass(frozen=True)
class Look:
    """What is seen at one moment, and the best that was seen until then. Wealth is by its logarithm."""

    n: int
    estimate: float
    current_low: float
    current_high: float
    above: float  # wealth of who bets that it is above the bar
    below: float
    hopeless: float  # of who bets that it is below what was expected
    low: float = -math.inf  # the highest so far
    high: float = math.inf
    best_above: float = -math.inf
    best_below: float = -math.inf
    best_hopeless: float = -math.inf
    best_both: float = -math.inf  # of who puts half of his money on each side of the bar

    def after(self, last: Look | None) -> Look:
        """The same, with the best of those before it."""
        held = (
            (-math.inf, math.inf, *[-math.inf] * 4)
            if last is None
            else (last.low, last.high, last.best_above, last.best_below, last.best_hopeless, last.best_both)
        )
        new = self.current_low, self.current_high, self.above, self.below, self.hopeless
        both = math.nan if math.isnan(self.above) else np.logaddexp(self.above, self.below) - math.log(2)
        best = [_best(x, y, least=i == 1) for i, (x, y) in enumerate(zip(held, (*new, float(both)), strict=True))]
        if 0 < best[0] - best[1] < ROUNDING:  # a benchmark that is over
            best[0] = best[1]
        return Look(self.n, self.estimate, *new, *best)

    def to_list(self) -> list[float | str | None]:
        """As JSON can hold it."""
        return [_plain(getattr(self, f.name)) for f in fields(self)]

    @classmethod
    def from_list(cls, held: Sequence[Any]) -> Look:
        """What `to_list` gave."""
        n, *rest = held
        return cls(int(n), *(math.nan if x is None else float(x) for x in rest))


def _best(x: float, y: float, *, least: bool) -> float:
    if math.isnan(y):
        return x
    return min(x, y) if least else max(x, y)


def _plain(x: float) -> float | str | None:
    return None if math.isnan(x) else x if math.isfinite(x) else str(x)


@dataclass
class Stream:
    """The counts of a stream, and the looks at it."""

    settings: Settings
    kinds: Kinds
    n: int = 0
    counts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    last: Look | None = None  # whose best values hold
    path: list[Look] = field(default_factory=list)
    looked: int = 0  # when the watch last looked by itself
    order: list[int] = field(default_factory=list)  # kinds as they came, of a benchmark
    _waiting: list[tuple[int, NDArray[np.int64]]] = field(default_factory=list)
    _running: Benchmark | None = None
    _played: int = 0  # items that the benchmark has seen

    def add(self, kinds: NDArray[np.intp]) -> None:
        """Count items in their order."""
        if not len(kinds):
            return
        size = len(self.kinds)
        ends = self._looks_until(self.n + len(kinds))
        segment = np.searchsorted(np.asarray(ends) - self.n, np.arange(len(kinds)), side="right")
        held = np.bincount(segment * size + kinds, minlength=(len(ends) + 1) * size).reshape(-1, size)
        base = np.zeros(size, np.int64)
        base[: len(self.counts)] = self.counts
        sums = base + np.cumsum(held, axis=0)

        self._waiting += [(n, sums[i].copy()) for i, n in enumerate(ends)]
        self.n, self.counts = self.n + len(kinds), sums[-1].copy()
        if self.settings.benchmark is not None:
            self.order += kinds.tolist()
            self._refine()

    def add_one(self, kind: int) -> None:
        """Count one item of a kind that came before."""
        self.n += 1
        if kind >= len(self.counts):
            self.counts = np.append(self.counts, np.zeros(kind + 1 - len(self.counts), np.int64))
        self.counts[kind] += 1
        if self.n >= next_look(self.looked):
            self.looked = self.n
            self._waiting.append((self.n, self.counts.copy()))

    def _looks_until(self, n: int) -> list[int]:
        found = []
        while (at := next_look(self.looked)) <= n:
            found.append(at)
            self.looked = at
        return found

    def look(self) -> Look:
        """What is seen now."""
        self._work_out()
        if self.last is None or self.last.n != self.n:
            (now,) = self._seen([(self.n, self.counts)])
            self.last = now.after(self.last)
        return self.last

    def _work_out(self) -> None:
        """The looks that wait."""
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        for one in self._seen(waiting):
            self.last = one.after(self.last)
            self.path.append(self.last)

    def looked_at(self) -> list[Look]:
        """The looks of the watch itself, and the last."""
        now = self.look()
        return self.path if self.path and self.path[-1].n == now.n else [*self.path, now]

    def again(self) -> None:
        """Count what is now there as a look, as after a merge; nothing waits."""
        self.look()
        while next_look(self.looked) <= self.n:
            self.looked = next_look(self.looked)

    # ------------------------------------------------------------------ what is seen

    def _seen(self, looks: list[tuple[int, NDArray[np.int64]]]) -> list[Look]:
        ns = [n for n, _ in looks]
        counts = np.zeros((len(looks), len(self.kinds)), np.int64)
        for i, (_, held) in enumerate(looks):
            counts[i, : len(held)] = held
        if self.settings.game is None:
            found = approximate(self.settings, self.kinds, counts)
        elif self.settings.benchmark is not None:
            found = np.array([self._of_benchmark(n, one) for n, one in zip(ns, counts, strict=True)])
        else:
            found = exact(self.settings, self.histogram(counts))
        return [Look(n, *row) for n, row in zip(ns, found.tolist(), strict=True)]

    def histogram(self, counts: NDArray[np.int64]) -> Counts:
        """How often each arm had each value."""
        game = self.settings.game
        assert game is not None
        arms, x = self.kinds.values(game.value, game.arm, paired=self.settings.paired)
        if self.settings.scores:
            return on_grid(counts, x)
        values = [np.unique(x[arms == k]) for k in range(game.arms)]
        width = max(map(len, values), default=0) or 1
        held, h = np.zeros((game.arms, width)), np.zeros((len(counts), game.arms, width))
        for k, each in enumerate(values):
            held[k, : len(each)] = each
        for i in np.flatnonzero(arms >= 0):
            h[:, arms[i], np.searchsorted(values[arms[i]], x[i])] += counts[:, i]
        return Counts(held, h)

    def _of_benchmark(self, n: int, counts: NDArray[np.int64]) -> list[float]:
        s, game = self.settings, self.settings.game
        assert game is not None
        running = self._play(n)
        calm, bold = s.bettors
        estimate = _estimates(s, self.histogram(counts[None]))[0]
        low, high = (
            running.limit(bettor, limit, lower=lower) if bettor is not None else game.bounds[not lower]
            for lower, (bettor, limit) in zip((True, False), _sides(s), strict=True)
        )
        up, down = (calm, bold) if s.alternative == "less" else (bold, calm)
        above, below = running.wealth(up, s.against, above=True), running.wealth(down, s.against, above=False)
        hopeless = math.nan
        if s.expect is not None:
            hopeless = running.wealth(bold, s.expect, above=s.alternative == "less")
        return [estimate, low, high, above, below, hopeless]

    def _steps(self) -> tuple[int, bool]:
        """How many steps an item has, and whether all values that came lie on them."""
        game, steps = self.settings.game, 2 if self.settings.paired else 1
        assert game is not None
        _, x = self.kinds.values(game.value, game.arm, paired=self.settings.paired)
        return steps, bool(np.all(np.abs(x * steps - np.round(x * steps)) < 1e-12))

    def _refine(self) -> None:
        """Look at all again on a finer grid, once an item has a value between the steps of those before."""
        if self._steps()[1] or (self._running is not None and not self._running.exact):
            return
        looks = [look.n for look in self.path] + [n for n, _ in self._waiting]
        order, size = np.asarray(self.order, np.intp), len(self.kinds)
        self._waiting = [(n, np.bincount(order[:n], minlength=size)) for n in looks]
        self._running, self.last, self.path = None, None, []

    def _play(self, n: int) -> Benchmark:
        """The benchmark after n items; played again on a finer grid once an item has a value between the steps."""
        s, game = self.settings, self.settings.game
        assert game is not None
        assert s.benchmark is not None
        arms, x = self.kinds.values(game.value, game.arm, paired=s.paired)
        steps, exact_ = self._steps()
        if self._running is None:
            sizes = np.zeros(game.arms)
            np.add.at(sizes, game.arm[game.arm >= 0], np.asarray(s.benchmark)[game.arm >= 0])
            self._running, self._played = Benchmark(game, sizes, steps, exact=exact_), 0
        new = np.asarray(self.order[self._played : n], np.intp)
        self._running.add(arms[new], x[new])
        self._played = n
        return self._running


def on_grid(counts: NDArray[np.int64], x: Array) -> Counts:
    """Counts of values from 0 to 1; of more than a grid has, each divided between its two neighbours there.

    The mean stays the same, and no bettor gets richer by it: the logarithm of what a value pays is concave in it.
    """
    values, at = np.unique(x, return_inverse=True)
    h = np.zeros((len(counts), len(values)))
    np.add.at(h.T, at, counts.T)
    if len(values) > GRID:
        low = np.minimum(np.floor(values * GRID + 1e-9), GRID - 1).astype(np.int64)
        part = np.clip(values * GRID - low, 0.0, 1.0)
        divided = np.zeros((len(counts), GRID + 1))
        np.add.at(divided.T, low, (h * (1 - part)).T)
        np.add.at(divided.T, low + 1, (h * part).T)
        values, h = np.arange(GRID + 1) / GRID, divided
    return Counts(values[None], h[:, None])


def _sides(s: Settings) -> tuple[tuple[Any, float], tuple[Any, float]]:
    """Who bets for the lower and for the upper limit, and how far; nobody where it is not asked."""
    calm, bold = s.bettors
    alpha = 1 - s.level
    if s.alternative == "two-sided":
        return (calm, math.log(2 / alpha)), (calm, math.log(2 / alpha))
    asked, nobody = (bold, math.log(1 / alpha)), (None, 0.0)
    return (asked, nobody) if s.alternative == "greater" else (nobody, asked)


def _estimates(s: Settings, counts: Counts) -> Array:
    assert s.game is not None
    return np.asarray((s.game.a * counts.means()).sum(axis=-1) + s.game.const)


def exact(s: Settings, counts: Counts) -> Array:
    """Estimate, limits and log wealths at each look, by bets."""
    game = s.game
    assert game is not None
    least, most = game.bounds
    mirror, looks = counts.mirrored(), len(counts.h)
    (lower, low_limit), (upper, high_limit) = _sides(s)
    low = np.full(looks, least) if lower is None else least + lower.lowest(counts, low_limit).log
    high = np.full(looks, most) if upper is None else most - upper.lowest(mirror, high_limit).log

    def wealth(bettor: Any, value: float, *, above: bool) -> Array:
        total = np.full(looks, value - least if above else most - value)
        return np.asarray(bettor.least(counts if above else mirror, total).log)

    calm, bold = s.bettors
    up, down = (calm, bold) if s.alternative == "less" else (bold, calm)
    above, below = wealth(up, s.against, above=True), wealth(down, s.against, above=False)
    hopeless = np.full(looks, np.nan)
    if s.expect is not None:
        hopeless = wealth(bold, s.expect, above=s.alternative == "less")
    return np.column_stack([_estimates(s, counts), low, high, above, below, hopeless])
