"""Equivalence and non-inferiority: that a difference stays within a margin.

Not finding a difference shows nothing; two one-sided tests show that it is smaller than a margin.
They are the tests of the comparison itself, so that with the arc the margin is shown exactly when
the interval that leaves 1 − level out at either end lies within it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from informed._arrays import plain
from informed.systems.board import sign_of
from informed.systems.difference import Equivalence, level_within
from informed.systems.tails import ComparisonMethod, ComparisonOptions


def margin_test(
    s: Any,
    chosen: str,
    method: ComparisonMethod,
    options: ComparisonOptions,
    margin: float,
    level: float,
    *,
    both: bool,
) -> Equivalence:
    """One-sided test that a is worse than b by the margin: a − b ≤ −margin, or ≥ margin where less is
    better; with `both`, of the two of them."""
    reach, by, within = s.scale.reach(margin), s.scale.said(margin), level_within(level)
    less, more = method.tails(s, -reach, options)[0], method.tails(s, reach, options)[1]
    pvalue = np.maximum(less, more) if both else less if sign_of(s.m) > 0 else more
    null = f"the systems differ by {by} or more" if both else f"a is worse than b by {by} or more"

    low, high = method.limits(s, within, options)
    numbers = plain(s.scale.shown(s.estimate)), plain(s.scale.back(low)), plain(s.scale.back(high))
    return Equivalence(plain(pvalue), margin, *numbers, level, chosen, str(s.m), null, scale=s.scale.kind)
