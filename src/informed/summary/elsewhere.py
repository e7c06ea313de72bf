"""What the measures would be in another population."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from informed.decisions.costs import against_prevalence
from informed.evidence.table import Table
from informed.measures import find
from informed.measures.shown import ELSEWHERE, ELSEWHERE_OF_MANY
from informed.summary.estimates import Wanted, estimates, title_of
from informed.summary.parts import Elsewhere, Estimate


def elsewhere_of(t: Table, prevalence: Any, wanted: Wanted) -> Elsewhere | None:
    """Precision, F and accuracy against prevalence: the same recalls in another population."""
    if not t.is_square or not (t.real_totals > 0).all():
        return None
    shown = ELSEWHERE_OF_MANY if t.positive is None else ELSEWHERE
    measures = [find(m) for m in shown]

    curves: list[tuple[str, tuple[float, ...]]] = []
    if t.positive is not None:
        grid = np.r_[0.001, 0.005, np.arange(1, 100) / 100, 0.995, 0.999]
        curves = [("prevalence", tuple(grid.tolist()))]
        curves += [(str(m), tuple(against_prevalence(t, m, grid).tolist())) for m in measures]

    even = t.at_prevalence([1 / t.k] * t.k)
    found = Elsewhere(
        here=math.nan if t.positive is None else float(t.prevalence[t.labels.index(t.positive)]),
        curves=tuple(curves),
        even=tuple(Estimate(str(m), title_of(m), float(m(even))) for m in measures),
    )
    if prevalence is None:
        return found
    moved = t.at_prevalence(prevalence)
    field = tuple(zip(moved.real_labels, moved.prevalence.tolist(), strict=True))
    there = estimates(moved, measures, replace(wanted, clusters=None))
    return replace(found, field=field, there=tuple(column[0] for column in there))
