"""Streams for the study of `watch`: many at once, as arms and values, with the means that are true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from informed.inference.betting import SHARES, Counts, Pair
from informed.inference.betting_plan import Bettor, Game
from informed.inference.watch import watch
from informed.inference.watch_looks import next_look
from informed.inference.watch_settings import Settings


@dataclass(frozen=True)
class World:
    """Classes with their shares in the stream, and what each system says of them: ``(real, said)``."""

    name: str
    shares: Any
    says: Any
    other: Any = None  # what the second system says; it is asked the same way in seven of ten cases
    benchmark: int = 0  # items of each class alike, drawn without replacement

    @property
    def k(self) -> int:
        return len(self.shares)

    def drawn(self, streams: int, n: int, seed: int) -> tuple[Any, Any, Any]:
        """Real classes and answers of many streams."""
        rng = np.random.default_rng([seed, streams, n])
        real = (rng.random((streams, n))[..., None] > np.cumsum(self.shares)[:-1]).sum(axis=-1)
        u = rng.random((streams, n))
        said = self._said(self.says, real, u)
        if self.other is None:
            return real, said, None
        same = rng.random((streams, n)) < 0.7
        return real, said, self._said(self.other, real, np.where(same, u, rng.random((streams, n))))

    def _said(self, says: Any, real: Any, u: Any) -> Any:
        """Right first, so that two systems that are asked the same way err on the same items."""
        k = self.k
        order = np.array([[r, *(x for x in range(k) if x != r)] for r in range(k)])
        ends = np.cumsum(np.take_along_axis(np.asarray(says, float), order, axis=1), axis=1)
        return np.take_along_axis(order[real], (u[..., None] >= ends[real][..., :-1]).sum(axis=-1)[..., None], -1)[
            ..., 0
        ]

    def means(self, s: Settings) -> Any:
        """The true mean of each arm."""
        game = s.game
        assert game is not None
        each = [
            (np.asarray(says, float) * game.value[:, :-1]).sum(axis=1)
            for says in (self.says, self.other)
            if says is not None
        ]
        x = each[0] if len(each) == 1 else (each[0] - each[1] + 1) / 2
        weight = np.array(
            [[self.shares[r] if game.arm[r] == a else 0.0 for r in range(self.k)] for a in range(game.arms)]
        )
        return (weight @ x) / weight.sum(axis=1)

    def truth(self, s: Settings) -> float:
        """What is watched, as it is."""
        assert s.game is not None
        return float((s.game.a * self.means(s)).sum() + s.game.const)


def arms_and_values(s: Settings, real: Any, said: Any, other: Any) -> tuple[Any, Any]:
    """The arm and the value of each case."""
    game = s.game
    assert game is not None
    x = game.value[real, said]
    return game.arm[real], x if other is None else (x - game.value[real, other] + 1) / 2


def gains(arm: Any, x: Any, means: Any) -> list[Any]:
    """What a case adds to a share of 1, in each arm: ``(streams, cases)`` each."""
    with np.errstate(invalid="ignore", divide="ignore"):
        paid = np.where(x > 0, x / means[arm], 0.0) - 1
    return [np.where(arm == k, paid, 0.0) for k in range(len(means))]


def gains_of_what_is_left(arm: Any, x: Any, arms: int) -> list[Any]:
    """The same for the items of a benchmark in some orders, at the price of what is left."""
    found = []
    for k in range(arms):
        mine = arm == k
        value = np.where(mine, x, 0.0)
        left = value.sum(axis=1, keepdims=True) - np.cumsum(value, axis=1) + value
        items = mine.sum(axis=1, keepdims=True) - np.cumsum(mine, axis=1) + mine
        with np.errstate(divide="ignore", invalid="ignore"):
            paid = np.where(left > 1e-9, value * items / left, 0.0) - 1
        found.append(np.where(mine, paid, 0.0))
    return found


def most(bettors: list[Bettor], gained: list[Any]) -> list[Any]:
    """The most that each bettor ever has after any case, at the true prices: no wealth of a watch is more.

    Money is no logarithm here: at the true prices nobody is rich, and what is lost is nothing.
    """
    streams, cases = gained[0].shape
    held = [np.ones((streams, len(SHARES))) for _ in gained]
    best = [np.ones(streams) for _ in bettors]
    columns = [np.ascontiguousarray(g.T) for g in gained]
    for t in range(cases):
        for money, column in zip(held, columns, strict=True):
            money *= 1 + column[t][:, None] * SHARES
        for i, bettor in enumerate(bettors):
            np.maximum(best[i], _has(bettor, held), out=best[i])
    return best


def _has(bettor: Bettor, held: list[Any]) -> Any:
    if isinstance(bettor, Pair):
        return (held[0] @ bettor.weights * held[1]).sum(axis=-1)
    return np.prod([money @ w for money, w in zip(held, bettor.weights, strict=True)], axis=0)


def looks_until(n: int) -> list[int]:
    """When a watch looks by itself."""
    found = [1]
    while (at := next_look(found[-1])) <= n:
        found.append(at)
    return found


def counted(game: Game, arm: Any, x: Any, looks: list[int]) -> Counts:
    """Counts of all streams at all looks, streams first: ``(streams × looks, arms, values)``."""
    values = np.unique(x)
    code = arm * len(values) + np.searchsorted(values, x)
    held = np.zeros((len(arm), len(looks), game.arms * len(values)))
    for c in range(held.shape[2]):
        held[:, :, c] = np.cumsum(code == c, axis=1)[:, np.asarray(looks) - 1]
    return Counts(np.tile(values, (game.arms, 1)), held.reshape(-1, game.arms, len(values)))


def settled(**how: Any) -> Settings:
    """Settings as `watch` makes them."""
    return watch(**how).settings
