"""Groups of marked items: their mean marks, and how these vary together between items or units."""

from __future__ import annotations

import numpy as np

from informed._arrays import Array, ratio
from informed.evidence.marks import Places
from informed.inference.heterogeneity import GroupSpread

PSEUDO = 4.0  # items that every group is helped by, half of them at either end of the marks
RHO = 0.25  # how much pseudo-items of a unit are alike


def spread_of_groups(
    x: Array, w: Array, group: Places, groups: int, unit: Places | None, ends: tuple[float, float]
) -> GroupSpread:
    """How the means of groups of items vary, whose marks lie between these ends."""
    from scipy.sparse import csr_array

    w = w * (len(w) / w.sum())
    n = np.bincount(group, w, minlength=groups)
    low, high = ends
    centre = (np.bincount(group, w * x, minlength=groups) + PSEUDO * (low + high) / 2) / (n + PSEUDO)
    off = w * (x - centre[group])

    # What each unit adds to each group, less its share of what all add.
    at = np.arange(len(x)) if unit is None else np.unique(unit, return_inverse=True)[1]
    key, place = np.unique(at * groups + group, return_inverse=True)
    own_units, of = np.divmod(key, groups)
    share = np.bincount(place, w) / n[of]
    squared = np.bincount(of, share**2, minlength=groups)
    added = np.bincount(place, off) - share * np.bincount(group, off, minlength=groups)[of]
    added *= np.sqrt(ratio(1.0, np.fmax(1 - squared, 1 / len(x))))[of]
    alike = 1 + (squared * n - 1).clip(0) * RHO
    extra = PSEUDO * alike * ((low - centre) ** 2 + (high - centre) ** 2) / 2
    alone = np.bincount(group, off**2, minlength=groups)
    own = np.maximum(np.bincount(of, added**2, minlength=groups), alone) + extra
    nested = len(key) == len(np.unique(own_units))
    scale = 1 / (n + PSEUDO)
    held = csr_array((added * scale[of], (own_units, of)), shape=(int(at.max()) + 1, groups))
    shared = () if nested else (held,)
    return GroupSpread(centre, own * scale**2, ratio(1.0, squared) - 1, np.asarray(nested), shared)
