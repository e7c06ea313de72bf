"""What is bet on what: the value of each answer, the arms, and the weights of the shares.

All of it is fixed before the first case.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from informed._arrays import Array
from informed.evidence.units import Ints
from informed.inference.betting import SHARES, Counts, Least, Pair, Single
from informed.inference.betting_classes import Separate

MOST = 0.9  # of his money that the bettor puts on one case
EVEN = np.full((len(SHARES), len(SHARES)), 1 / len(SHARES) ** 2)


class Bettor(Protocol):
    """Shares with their weights: what they have made of some counts."""

    @property
    def weights(self) -> Array:
        """Of the shares of each arm, or of all pairs of shares."""

    def least(self, counts: Counts, total: Array, start: Array | None = None) -> Least:
        """The least wealth over all means with a given Σ a μ."""

    def lowest(self, counts: Counts, limit: float, start: Least | None = None) -> Least:
        """The smallest Σ a μ at which the wealth is below a limit."""


@dataclass(frozen=True)
class Game:
    """How answers become values from 0 to 1 in arms, and how the means of these make the measure: Σ a μ + const."""

    value: Array  # (real, said), and no answer in the last column
    arm: Ints  # of each real class; −1 where it is not watched
    a: Array
    const: float
    shares: Array  # of the classes, as declared; even where nothing was
    declared: bool = False
    odds: Array | None = None  # 1 + g of each class, where classes are arms of informedness

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the most that can be."""
        return self.const, self.const + float(self.a.sum())

    @property
    def arms(self) -> int:
        return len(self.a)

    def paired(self) -> Game:
        """The same for the difference of two systems: x is (x of one − x of the other + 1)/2."""
        return Game(self.value, self.arm, 2 * self.a, -float(self.a.sum()), self.shares, self.declared, self.odds)


def by_class(shares: Array, *, declared: bool) -> Game:
    """Informedness with an arm a class: right pays 1, wrong loses the odds of what was said, no answer nothing."""
    k = len(shares)
    odds = shares / (1 - shares)
    g = np.array([np.delete(odds, i).max() for i in range(k)])
    pays = np.where(np.eye(k, dtype=bool), 1.0, -odds)  # (real, said)
    value = np.column_stack([(pays + g[:, None]) / (1 + g[:, None]), g / (1 + g)])
    a, const = shares * (1 + g), -float((shares * g).sum())
    if k == 2:  # whatever the shares are, but for rounding
        value = np.array([[1.0, 0.0, 1 - shares[0]], [0.0, 1.0, 1 - shares[1]]])
        a, const = np.ones(2), -1.0
    return Game(np.clip(value, 0, 1), np.arange(k), a, const, shares, declared, 1 + g)


def pooled(shares: Array) -> Game:
    """Informedness with one arm, at odds that are known to be the true ones."""
    k = len(shares)
    odds = shares / (1 - shares)
    g = float(odds.max())
    pays = np.where(np.eye(k, dtype=bool), 1.0, -odds)
    value = np.column_stack([(pays + g) / (1 + g), np.full(k, g / (1 + g))])
    return Game(np.clip(value, 0, 1), np.zeros(k, np.intp), np.array([1 + g]), -g, shares, True)


def of_rights(k: int, classes: list[int], *, apart: bool) -> Game:
    """The share of right answers in some classes, or (`apart`) the mean of their shares; no answer is not right."""
    arm = np.full(k, -1)
    arm[classes] = np.arange(len(classes)) if apart else 0
    arms = len(classes) if apart else 1
    value = np.column_stack([np.eye(k), np.zeros(k)])
    return Game(value, arm, np.full(arms, 1 / arms), 0.0, np.full(k, 1 / k))


def of_scores() -> Game:
    """The mean of scores from 0 to 1: one arm, whose values are the scores themselves."""
    return Game(np.zeros((1, 2)), np.zeros(1, np.intp), np.ones(1), 0.0, np.ones(1))


# ---------------------------------------------------------------------- weights


def unplanned(game: Game) -> Bettor:
    """Even weights; with shares declared, half of them where both arms bet the same on the whole."""
    if game.arms == 2:
        return Pair(game.a, _declared(game) if game.declared else EVEN)
    weights = np.full((game.arms, len(SHARES)), 1 / len(SHARES))
    return Single(game.a, weights) if game.arms == 1 else Separate(game.a, weights)


def planned(game: Game, bar: float, expect: float, disagree: float | None) -> Bettor:
    """Half of the weight on the shares that win most where the measure is what is expected."""
    at = [_nearest(c) for c in _kelly(game, bar, abs(expect - bar), disagree)]
    if game.arms == 2:
        weights = _declared(game) / 2
        weights[at[0], at[1]] += 0.5
        return Pair(game.a, weights)
    weights = np.full((game.arms, len(SHARES)), 0.5 / len(SHARES))
    weights[np.arange(game.arms), at] += 0.5
    return Single(game.a, weights) if game.arms == 1 else Separate(game.a, weights)


def _declared(game: Game) -> Array:
    """Half even, half on the ridge of the grid where share times number of cases is equal in both arms."""
    size = len(SHARES)
    step = np.log(SHARES[1] / SHARES[0])
    s = int(np.clip(np.round(np.log(game.shares[0] / game.shares[1]) / step), 1 - size, size - 1))
    ridge = np.eye(size, k=s)
    return np.asarray(EVEN / 2 + ridge / ridge.sum() / 2)


def _kelly(game: Game, bar: float, edge: float, disagree: float | None) -> Array:
    """The shares that grow fastest at an edge over the bar, an arm each; `disagree` of two systems."""
    k = len(game.shares)
    if game.odds is not None:
        single = edge * game.odds * float((game.shares * (1 - game.shares)).sum())
        return np.asarray(single * (1 - 1 / k) / disagree if disagree else single)
    if disagree:
        each = 2 * edge / float(game.a.sum()) / disagree
    else:
        each = edge if game.declared else edge / max(1 - bar, 1e-9)  # of right answers, at the price of the bar
    return np.full(game.arms, each)


def _nearest(share: float) -> int:
    """The place of the share that is nearest on the logarithmic scale."""
    held = np.clip(share, SHARES[0], MOST)
    return int(np.abs(np.log(SHARES) - np.log(held)).argmin())
