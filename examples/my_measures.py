"""A measure and a generator of one's own, as docs/try-your-own-measure.md tries them."""

from typing import Any

import numpy as np

from informed import Table


def gmean(t: Table) -> Any:
    """Geometric mean of the shares of positives and of negatives that were found."""
    return np.sqrt(t.tp / (t.tp + t.fn) * t.tn / (t.tn + t.fp))


def moody(level: float, k: int, n: int, rng: np.random.Generator) -> Any:
    """A system that says one class, drawn anew for each table, whenever it does not know."""
    real = rng.integers(k, size=n)
    said = np.where(rng.random(n) < level, real, rng.integers(k))
    return np.histogram2d(said, real, bins=np.arange(k + 1))[0]
