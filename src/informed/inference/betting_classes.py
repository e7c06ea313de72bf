"""Any number of arms, each bet on by itself: the wealth is the product of theirs.

The least product over all means of a given Σ a μ is where every arm falls at the same rate ν a, so that one number is
searched: as ν grows, all prices fall and the wealth rises.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from informed._arrays import Array
from informed.inference.betting import CLOSE, MOST_STEPS, Counts, Grown, Least, grown, inside, mixed

LEAST_RATE, MOST_RATE = -30.0, 45.0  # logarithms of ν


@dataclass(frozen=True)
class Separate:
    """Arms and the weights of the shares of each."""

    a: Array  # (arms,)
    weights: Array  # (arms, shares)

    def least(self, counts: Counts, total: Array, start: Array | None = None) -> Least:
        """The least wealth over prices with Σ a μ = total, each from 0 to 1."""
        rate, _prices, m = self._search(counts, start, total=total)
        return Least(m.log.sum(axis=-1), -np.exp(rate), rate)

    def lowest(self, counts: Counts, limit: float, start: Least | None = None) -> Least:
        """The smallest total at which the wealth is below a limit."""
        rate, prices, _ = self._search(counts, None if start is None else start.at, limit=limit)
        total = (self.a * prices).sum(axis=-1)
        return Least(np.where(counts.won.any(axis=-1), total, 0.0), -np.exp(rate), rate)

    def _search(
        self, counts: Counts, start: Array | None, *, total: Array | None = None, limit: float = 0.0
    ) -> tuple[Array, Array, Grown]:
        """The rate at which prices have a total, or the wealth is at a limit; with prices and wealth of each arm."""
        looks = len(counts.h)
        low, high = np.full(looks, LEAST_RATE), np.full(looks, MOST_RATE)
        at = np.log1p(counts.h.sum(axis=(1, 2))) if start is None else np.clip(start, low, high)
        prices: Array | None = None
        done, last = np.zeros(looks, np.bool_), np.full(looks, np.inf)

        for _ in range(MOST_STEPS):
            prices, m = self._prices(counts, np.exp(at), prices)
            value = m.log.sum(axis=-1) - limit if total is None else total - (self.a * prices).sum(axis=-1)
            low, high = np.where(value < 0, at, low), np.where(value < 0, high, at)
            done |= (np.abs(value) <= 1e-11) | (high - low <= CLOSE)
            if done.all():
                break
            free = (prices > 2 * CLOSE) & (prices < 1)
            with np.errstate(divide="ignore", invalid="ignore"):
                moved = np.where(free, np.exp(at)[:, None] * self.a**2 / m.bend, 0.0).sum(axis=-1)
            slope = moved * np.exp(at) if total is None else moved
            new = np.where(done, at, inside(at, value, slope, low, high, last))
            last, at = np.abs(new - at), new
            done |= last <= 1e-14 * np.abs(at)  # no nearer than numbers are
        assert done.all(), "the least wealth was not found"
        assert prices is not None
        return at, prices, m

    def _prices(self, counts: Counts, rate: Array, start: Array | None) -> tuple[Array, Grown]:
        """Where each arm's log wealth falls at the rate ν a."""
        wanted = -rate[:, None] * self.a
        low, high = np.zeros_like(wanted), np.ones_like(wanted)
        won = counts.won
        at = np.where(won, np.full_like(wanted, 0.5) if start is None else np.clip(start, 1e-9, 1 - 1e-9), 0.0)
        ends = mixed(grown(counts, np.ones_like(wanted)), self.weights)
        full = won & (ends.slope <= wanted)
        at, done, last = np.where(full, 1.0, at), full | ~won, np.full_like(wanted, np.inf)

        for _ in range(MOST_STEPS):
            m = mixed(grown(counts, at), self.weights)
            over = m.slope - wanted
            low, high = np.where(over < 0, at, low), np.where(over < 0, high, at)
            done |= (over**2 <= 1e-15 * m.bend) | (high - low <= CLOSE * np.maximum(high, 1e-3))
            if done.all():
                break
            new = np.where(done, at, inside(at, over, m.bend, low, high, last))
            last, at = np.abs(new - at), new
            done |= last <= 1e-15 * at
        assert done.all(), "prices were not found"
        return at, m
