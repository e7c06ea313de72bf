"""Tests of tags: whether a system knows more of them than shuffled predictions would, or than a value."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from informed._arrays import ratio
from informed.errors import InferenceError, one_of
from informed.evidence.tags import Tags
from informed.inference.answers import Test
from informed.inference.hypothesis import SIDES, normal_tail
from informed.inference.tags_influence import null_variance, number_of_units
from informed.inference.tags_interval import ARC, ONE_UNIT, arc_of, notes_of
from informed.measures.tag_scores import BETS, label_counts, named, score, why_undefined
from informed.results import Note

TINY = float(np.finfo(np.float64).tiny)


def tags_test(
    t: Tags,
    measure: Any = "informedness",
    *,
    average: str = "prevalence",
    against: float | None = None,
    alternative: str = "two-sided",
    system: Hashable = None,
) -> Test:
    """Whether a system knows more of the tags than guessing does, or than a value."""
    from scipy.special import stdtr

    asked = named(measure, average)
    one_of("alternative", alternative, SIDES, InferenceError)
    if asked not in BETS or average == "examples":
        raise InferenceError("Of tags informedness, markedness and correlation are tested, by an average of labels.")
    system = t.names[0] if system is None and len(t.names) == 1 else system
    estimate = score(t, asked, average, system=system)
    fair, known = against is None, np.isfinite(estimate) and number_of_units(t) > 1
    if fair:
        z, df = _against_guessing(t, asked, average, system) if known else (np.nan, np.inf)
        method = "shuffles-z" if np.isinf(df) else "shuffles-t"
        null = "the predictions are shuffled over the items: guessing with the same frequencies"
    else:
        z, df, method = np.nan, np.inf, ARC
        if known:
            arc = arc_of(t, asked, average, system=system)
            z, df = arc.distance(float(against or 0.0)), arc.spread.df
        null = (
            f"{asked} {({'two-sided': 'is', 'greater': 'is at most', 'less': 'is at least'})[alternative]} {against:g}"
        )
    if np.isnan(z):
        p = float("nan")
    elif np.isinf(df):
        p = float(np.maximum(normal_tail(np.asarray(z), alternative), TINY))
    else:
        both = {"two-sided": 2 * stdtr(df, -abs(z)), "greater": stdtr(df, -z), "less": stdtr(df, z)}
        p = float(min(1.0, max(float(both[alternative]), TINY)))
    why = why_undefined(t, asked, average, system=system)
    notes = (Note(f"{asked} is undefined ({why}).", code="undefined"),) if why else ()
    if not why and not known:
        notes = (Note(f"There is no p-value: {ONE_UNIT}.", code="undefined"),)
    return Test(
        statistic=z,
        pvalue=p,
        df=df if np.isfinite(df) else float("nan"),
        method=method,
        hypothesis=null,
        measure=asked,
        alternative=alternative,
        notes=(*notes, *notes_of(t, asked, average)),
        against=against,
    )


def _against_guessing(t: Tags, measure: str, average: str, system: Hashable) -> tuple[float, float]:
    """Σ v·covariance in standard deviations of its shuffles, and degrees of freedom."""
    c = label_counts(t, system)
    c_ = c.swapped if measure == "markedness" else c
    if average == "micro":
        v = np.full(len(c.real), float(ratio(1.0, c_.prevalence.sum()) + ratio(1.0, (1 - c_.prevalence).sum())))
    else:
        w, p = c_.shares(average), c_.prevalence
        v = np.where(c_.usable, ratio(w, p * (1 - p)), 0.0)
        if np.isnan(w).any():
            return float("nan"), np.inf
    found = null_variance(t, v, system=system)
    if not found.variance > 0:
        return 0.0, np.inf
    return float((v * c.covariance).sum() / np.sqrt(found.variance)), found.df
