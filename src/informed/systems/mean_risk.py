"""The mean risk over all coverages (AURC), and how far it may be off by the units of its cases."""

from __future__ import annotations

import numpy as np

from informed._arrays import Array, ratio
from informed.evidence.units import Ints
from informed.inference.answers import Interval
from informed.inference.given import students
from informed.inference.unit_spread import of_effects
from informed.results import Note


def mean_risk(sure: Array, wrong: Array, weight: Array | None = None) -> float:
    """Risk averaged over the coverages at every distinct score."""
    w = np.ones(len(sure)) if weight is None else weight
    _, level = np.unique(-sure, return_inverse=True)
    answered, missed = np.bincount(level, w), np.bincount(level, w * wrong)
    return float((ratio(missed.cumsum(), answered.cumsum()) * answered).sum() / w.sum())


def mean_risk_interval(
    sure: Array, wrong: Array, level: float, weight: Array | None = None, unit: Ints | None = None
) -> Interval:
    """Interval of the mean risk: the area is the mean of −y·ln c, c the share at least as sure as a case.

    What a case adds is ψ = −y·ln c − A − (Σ_{less sure} y/c / n − ȳ), and a unit adds the sum of its cases.
    """
    w = np.ones(len(sure)) if weight is None else weight
    w = w / w.sum()
    area = mean_risk(sure, wrong, weight)
    _, at = np.unique(-sure, return_inverse=True)
    covered = np.cumsum(np.bincount(at, w))[at]
    below = np.cumsum(np.bincount(at, w * wrong / covered)[::-1])[::-1][at]  # of those as sure, and less
    own = -wrong * np.log(covered)
    psi = w * (own - float(w @ own) - (below - float(w @ wrong)))

    group = np.arange(len(sure)) if unit is None else unit
    found = of_effects(psi, np.zeros(len(psi), np.int64), group, w)
    if not found.variance > 0:
        said = Note("The data show no spread of the mean risk, so it has no interval.", code="no-spread")
        return Interval(area, np.nan, np.nan, level, "delta", "mean risk", notes=(said,))
    df = found.df if len(np.unique(group)) < len(sure) else np.inf
    arm = float(students(df, level)) * np.sqrt(found.variance)
    return Interval(area, max(area - arm, 0.0), min(area + arm, 1.0), level, "delta", "mean risk")
