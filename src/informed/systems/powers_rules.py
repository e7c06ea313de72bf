"""The papers' own rules for comparing two systems, kept to reproduce them.

A difference is called significant when the other system's value lies outside my interval, and to
have power when mine lies outside the other's; a directed claim goes 1.65 instead of 1.96 standard
errors. p-values between systems are those of z = (a − b)/√(SE² + SE²), SE = half-width/X.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from informed._arrays import Limits
from informed.inference import powers_intervals as _powers
from informed.inference.sample import Sample
from informed.results import warning
from informed.systems.tails import ComparisonMethod, of_error, quantile

DIRECTED = 1.65
RATES = {  # 40 null truths of 40 and 120 items, benchmarks/studies/compare_coverage.py
    "powers-0": "on the same items .15 of the time on average, up to .34; on different items .26, up to .47",
    "powers-1": "on the same items .36 of the time on average, up to .58; on different items .50, up to .70",
    "powers-2": "on the same items .45 of the time on average, up to .76; on different items .55, up to .73",
}
MEASURES_OF_TWO = ("informedness", "markedness", "matthews")  # that the papers give an interval for
MEASURES = (*MEASURES_OF_TWO, "correlation")  # which of two classes is the Matthews correlation, too
KINDS = {"powers": "powers-1", "powers-0": "powers-0", "powers-1": "powers-1", "powers-2": "powers-2"}


NOTE = "The papers' own rule, kept to reproduce them. Where there is no difference it claims one, at a nominal .05, {}."


def errors(s: Any, kind: str) -> Limits:
    """The papers' standard error of each system: half-width over X."""
    found = []
    for t in s.tables:
        sample = Sample(s.m, t, 0.95)
        low, high = _powers.limits(sample, kind, x=1.0)
        found.append((high - low) / 2)
    return found[0], found[1]


def claims(s: Any, method: str, level: float) -> dict[str, Any]:
    """What the papers' rules say of two systems."""
    a, b = s.values
    of_a, of_b = errors(s, KINDS[method])
    x, away = quantile(level), np.abs(a - b)

    def said(x: float) -> tuple[Any, Any]:
        return away > x * of_a, away > x * of_b

    significant, power = said(x)
    directed, directed_power = said(DIRECTED)
    held = {
        "significant": significant,
        "power": power,
        "mutual": significant & power,
        "directed": directed,
        "directed_mutual": directed & directed_power,
    }
    return {k: bool(v) if np.ndim(v) == 0 else v for k, v in held.items()}


def _applies(s: Any) -> bool:
    return s.scale.kind == "difference" and s.m.facts.powers and not s.m.bound and not s.fixed


def _method(kind: str) -> ComparisonMethod:
    note = warning(NOTE.format(RATES[kind]), "papers-rule")
    return of_error(lambda s: (s.estimate, np.hypot(*errors(s, kind))), _applies, note, student=False)


METHODS: Mapping[str, ComparisonMethod] = {name: _method(kind) for name, kind in KINDS.items()}
