"""Slopes of measures in closed form: how each answers to a small change of its cells.

Proportions p have the shape ``(predicted, real, *stack)`` and add up to 1; slopes have the same
shape, and may be off by a constant. Measures that read abstentions take those after the cells.
"""

from __future__ import annotations

import numpy as np

from informed._arrays import Array


def diagonal(p: Array) -> Array:
    """The diagonal, as a view that can be written to."""
    view: Array = np.einsum("ll...->l...", p)
    return view


def _rows(p: Array) -> Array:
    """Sums over the second axis, where `sum` is slow for few tables."""
    return np.asarray(np.einsum("ij...->i...", p))


def informedness(p: Array) -> Array:
    share = 1 / (1 - p.sum(axis=0))
    own = diagonal(p) - _rows(p)
    own *= share
    own *= share
    slopes = own - share[:, None]
    diagonal(slopes)[...] = own
    return np.asarray(slopes)


def markedness(p: Array) -> Array:
    return informedness(p.swapaxes(0, 1)).swapaxes(0, 1)


def accuracy(p: Array) -> Array:
    slopes = np.zeros(p.shape)
    diagonal(slopes)[...] = 1
    return slopes


def cohen_kappa(p: Array) -> Array:
    r, b = p.sum(axis=0), _rows(p)
    share = 1 / (1 - (r * b).sum(axis=0))
    scale = (diagonal(p).sum(axis=0) - 1) * share * share
    slopes = (scale * b) + (scale * r)[:, None]
    diagonal(slopes)[...] += share
    return np.asarray(slopes)


def matthews(p: Array) -> Array:
    r, b = p.sum(axis=0), _rows(p)
    spread_r, spread_b = 1 - (r * r).sum(axis=0), 1 - (b * b).sum(axis=0)
    scale = 1 / np.sqrt(spread_r * spread_b)
    value = (diagonal(p).sum(axis=0) - (r * b).sum(axis=0)) * scale
    by_real = (value / spread_r) * r - scale * b  # b of the real class, r of the predicted one
    by_predicted = (value / spread_b) * b - scale * r
    slopes = by_real + by_predicted[:, None]
    diagonal(slopes)[...] += scale
    return np.asarray(slopes)


def informedness_of_all(p: Array, unanswered: Array) -> tuple[Array, Array]:
    """Informedness over all cases: hits, less false alarms at the fair price of their class."""
    real = p.sum(axis=0) + unanswered
    false_alarms = p.sum(axis=1) - diagonal(p)
    price = real / (1 - real)
    silent = -false_alarms / (1 - real) ** 2
    slopes = silent - price[:, None]
    diagonal(slopes)[...] = 1 + silent
    return np.asarray(slopes), np.asarray(silent)


def informedness_discounted(p: Array, unanswered: Array) -> tuple[Array, Array]:
    """Informedness of the answered times their share."""
    coverage = p.sum(axis=(0, 1))
    held = p / coverage
    gain = diagonal(held) - held.sum(axis=0) * held.sum(axis=1)
    value = (gain / (1 - held.sum(axis=0))).sum(axis=0)
    slopes = informedness(held)
    slopes += value - (held * slopes).sum(axis=(0, 1))
    return np.asarray(slopes), np.zeros_like(unanswered)
