"""Slopes of measures in closed form: how each answers to a small change of its cells.

Such measures are functions of the hits and the two margins alone. So a case adds something by its
prediction, something by its real class, and more if it is a hit, however many cells there are.
Everything is in proportions ``(class, *stack)`` of a table that adds up to 1, and slopes may be off
by a constant. Measures that read abstentions take those as well, by real class.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from informed._arrays import Array


class Slopes(NamedTuple):
    """What a case adds: as a hit, by its prediction, by its real class, and if it got no answer."""

    hit: Any
    predicted: Any
    real: Any
    silent: Any = None

    def cells(self) -> Array:
        """The slopes of all cells, ``(predicted, real, *stack)``."""
        found = np.asarray(self.real + self.predicted[:, None])
        diagonal(found)[...] += self.hit
        return found


Stated: TypeAlias = Callable[..., Slopes]  # of hits, predicted and real totals (, abstentions)


def diagonal(p: Array) -> Array:
    """The diagonal, as a view that can be written to."""
    view: Array = np.einsum("ll...->l...", p)
    return view


def parts(p: Array) -> tuple[Array, Array, Array]:
    """Hits, predicted and real totals of cells ``(predicted, real, *stack)``."""
    rows = np.einsum("ij...->i...", p)  # where `sum` is slow for few tables
    return diagonal(p), np.asarray(rows), np.asarray(p.sum(axis=0))


def informedness(hits: Array, predicted: Array, real: Array) -> Slopes:
    price = 1 / (1 - real)
    own = hits - predicted
    own *= price
    own *= price
    return Slopes(price, -price, own)


def markedness(hits: Array, predicted: Array, real: Array) -> Slopes:
    price, own_price, own = informedness(hits, real, predicted)[:3]
    return Slopes(price, own, own_price)


def accuracy(hits: Array, predicted: Array, real: Array) -> Slopes:
    nothing = np.zeros_like(hits)
    return Slopes(1.0, nothing, nothing)


def cohen_kappa(hits: Array, predicted: Array, real: Array) -> Slopes:
    share = 1 / (1 - (real * predicted).sum(axis=0))
    scale = (hits.sum(axis=0) - 1) * share * share
    return Slopes(share, scale * real, scale * predicted)


def matthews(hits: Array, predicted: Array, real: Array) -> Slopes:
    spread_r, spread_p = 1 - (real * real).sum(axis=0), 1 - (predicted * predicted).sum(axis=0)
    scale = 1 / np.sqrt(spread_r * spread_p)
    value = (hits.sum(axis=0) - (real * predicted).sum(axis=0)) * scale
    return Slopes(scale, (value / spread_p) * predicted - scale * real, (value / spread_r) * real - scale * predicted)


def accuracy_of_all(hits: Array, predicted: Array, real: Array, unanswered: Array) -> Slopes:
    nothing = np.zeros_like(hits)
    return Slopes(1.0, nothing, nothing, nothing)


def informedness_of_all(hits: Array, predicted: Array, real: Array, unanswered: Array) -> Slopes:
    """Informedness over all cases: hits, less false alarms at the fair price of their class."""
    every = real + unanswered
    price = every / (1 - every)
    silent = -(predicted - hits) / (1 - every) ** 2
    return Slopes(1 + price, -price, silent, silent)


def informedness_discounted(hits: Array, predicted: Array, real: Array, unanswered: Array) -> Slopes:
    """Informedness of the answered times their share."""
    coverage = real.sum(axis=0)
    hits, predicted, real = hits / coverage, predicted / coverage, real / coverage
    value = ((hits - real * predicted) / (1 - real)).sum(axis=0)
    found = informedness(hits, predicted, real)
    mean = (found.hit * hits + found.predicted * predicted + found.real * real).sum(axis=0)
    return Slopes(found.hit, found.predicted, found.real + value - mean, np.zeros_like(unanswered))
