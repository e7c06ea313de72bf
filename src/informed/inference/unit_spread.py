"""How far a sum of means may be off by the units of its cases, from what each case adds to it.

Sums over units vary as the units do, whatever happens inside of them; what is known of few or unequal
units enters by a leverage and by degrees of freedom.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from informed._arrays import Array, ratio
from informed.evidence.units import Ints

MOST_LEVERAGE = 0.9


@dataclass(frozen=True)
class Spread:
    """A variance between units, and how well it is known."""

    variance: float
    df: float = np.inf
    counting: float = np.inf  # units that bear on it, as many equal ones
    alone: float = np.nan  # the variance of as many independent cases (DeLong)


def between_units(each: Array, kind: Ints, unit: Ints, weight: Array) -> Spread:
    """Variance of a sum of means, one over each class, of what its cases add; between units.

    With s_j the sum of squares of what the cases of class j add, h_gj the share of that class in
    unit g: L = Σ_j s_j Σ_g h_gj² / Σ_j s_j, the variance Σ_g e_g²/(1 − L), but at least that of
    independent cases (DeLong), and (1 − L)(Σv)²/Σv² degrees of freedom, v_g = Σ_j s_j h_gj.
    """
    totals = np.bincount(kind, weight)
    mean = ratio(np.bincount(kind, weight * each), totals)
    added = weight * (each - mean[kind]) / totals[kind]
    return of_effects(added, kind, unit, weight)


def of_effects(added: Array, kind: Ints, unit: Ints, weight: Array) -> Spread:
    """The same of what each case adds to a number, as a share of it."""
    squares = np.bincount(kind, added**2)
    total = squares.sum()
    if not total > 0:
        return Spread(np.nan)

    shares = unit_shares(kind, unit, weight)
    share = squares / total
    leverage = float(np.clip(share @ (shares**2).sum(axis=0), 0.0, MOST_LEVERAGE))
    v = shares @ share  # adds to 1
    counting = 1 / float((v**2).sum())

    sizes = ratio(np.bincount(kind, weight) ** 2, np.bincount(kind, weight**2))
    alone = float((squares * np.where(sizes > 1, ratio(sizes, sizes - 1), 1.0)).sum())
    between = float((np.bincount(unit, added) ** 2).sum()) / (1 - leverage)
    return Spread(max(between, alone), max(1.0, (1 - leverage) * counting), counting, alone)


def unit_shares(kind: Ints, unit: Ints, weight: Array) -> Array:
    """What share of each class a unit holds, ``(units, classes)``."""
    classes, n = int(kind.max()) + 1, int(unit.max()) + 1
    held = np.bincount(unit * classes + kind, weight, minlength=n * classes).reshape(n, classes)
    return np.where(held > 0, ratio(held, held.sum(axis=0)), 0.0)
