"""Tables from known truths: every 2x2 table with its probability, or random ones."""

from __future__ import annotations

import numpy as np

from informed._arrays import Array
from informed.evidence.table import Table


def every_two_by_two(n: int) -> Array:
    """All tables of n cases in two classes, cells (predicted, real, tables).

    >>> every_two_by_two(1).shape
    (2, 2, 4)
    """
    a, b, c = (x.ravel() for x in np.mgrid[: n + 1, : n + 1, : n + 1])
    room = a + b + c <= n
    a, b, c = a[room], b[room], c[room]
    return np.array([[a, b], [c, n - a - b - c]], dtype=np.float64)


def chance_of(cells: Array, truth: Array) -> Array:
    """Probability of each table when cases fall into cells with these probabilities."""
    from scipy.special import gammaln, xlogy

    n = cells[..., :1].sum(axis=(0, 1))
    log = gammaln(n + 1) - gammaln(cells + 1).sum(axis=(0, 1))
    return np.asarray(np.exp(log + xlogy(cells, truth[..., None]).sum(axis=(0, 1))))


def drawn(rng: np.random.Generator, n: int, truth: Array, size: int) -> Array:
    """Tables of n cases from this truth, cells (..., tables) in the truth's own layout."""
    flat = rng.multinomial(n, (truth / truth.sum()).ravel(), size=size)
    return np.moveaxis(flat, 0, -1).reshape(*truth.shape, size).astype(np.float64)


def tables(cells: Array) -> Table:
    """A stack of square tables from cells (predicted, real, tables)."""
    labels = ("+", "−") if len(cells) == 2 else tuple(range(len(cells)))
    return Table(
        cells=cells,
        predicted_labels=labels,
        real_labels=labels,
        positive="+" if len(cells) == 2 else None,
        axes=(None,) * (cells.ndim - 2),
    )
