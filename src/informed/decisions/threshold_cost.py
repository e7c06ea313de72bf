"""Expected cost per case at a threshold that was chosen on these cases, corrected for the choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from informed._arrays import Array, ratio
from informed._numbers import percent
from informed.decisions.costs import COSTS, ExpectedCost, costs_of, expected_cost, share_of
from informed.decisions.curve import Curve
from informed.evidence.labels import text
from informed.evidence.table import Table
from informed.inference.given import shrink
from informed.inference.proportions import wilson
from informed.results import Kind, finite

Rates = tuple[float, float]  # recall and fallout


@dataclass(frozen=True, repr=False)
class ThresholdCost(ExpectedCost):
    """Expected cost per case on new cases, beside that on the cases that chose the threshold."""

    kinds: ClassVar[dict[str, Kind]] = {
        "label": "label",
        "cost": "words",
        **dict.fromkeys((*COSTS, "apparent", "low", "high"), "amount"),
    }

    cost: str  # FN:FP
    prevalence: float  # of the positives, where the system will work
    apparent: float  # on the cases that chose the threshold: too low
    low: float
    high: float
    level: float

    def metrics(self) -> dict[str, float]:
        """The expected cost on new cases with its limits, and beside it that on these cases and the rivals'."""
        more = {f"expected_cost_{name}": getattr(self, name) for name in ("low", "high", "apparent")}
        return {**super().metrics(), **finite(more)}

    def sentence(self) -> str:
        """The cost on new cases with its confidence interval, and beside it what needs no system."""
        found, seen, low, high = (f"{x:.3g}" for x in (self.expected_cost, self.apparent, self.low, self.high))
        if np.isnan(self.expected_cost):
            return f"The expected cost on new cases is not known; on these cases it is {seen} per case at {self.cost}."
        interval = f"{percent(self.level)} CI {low} to {high}"
        return (
            f"At costs of {self.cost} the expected cost is {found} per case on new cases ({interval}; {seen} on these "
            f"cases, which chose the threshold); always saying {text(self.label)} costs {self.constant:.3g}."
        )


def threshold_cost(
    curve: Curve, table: Table, expected: Table | None, *, cost: Any, prevalence: Any = None, level: float
) -> ThresholdCost:
    """Compute the expected cost at a chosen threshold with its confidence interval.

    `table` is that of these cases, `expected` what new cases are expected to give; None where that is not known. The
    limits combine Wilson's for the miss rate, the fallout and, where it is estimated, the prevalence (MOVER). The
    lower limit is the lower one of both tables, because the correction is estimated, too.
    """
    miss, alarm = costs_of(cost)
    seen = expected_cost(table, (miss, alarm), prevalence=prevalence)
    held = {name: getattr(seen, name) for name in COSTS}
    low = high = np.nan
    if expected is None:
        held |= {"expected_cost": np.nan, "chance": np.nan}
    else:
        corrected = expected_cost(expected, (miss, alarm), prevalence=prevalence)
        held |= {"expected_cost": corrected.expected_cost, "chance": corrected.chance}
        both = [_limits(curve, table, x, (miss, alarm), prevalence, level) for x in (table, expected)]
        low, high = min(x[0] for x in both), both[1][1]
    return ThresholdCost(
        **held,
        label=seen.label,
        cost=f"{miss:g}:{alarm:g}",
        prevalence=share_of(prevalence, curve.prevalence),
        apparent=float(seen.expected_cost),
        low=float(low),
        high=float(high),
        level=level,
    )


def _limits(
    curve: Curve, table: Table, judged: Table, costs: tuple[float, float], prevalence: Any, level: float
) -> tuple[float, float]:
    """Limits of the cost at the rates of a table, with the sampling error of the curve's cases at this threshold."""
    miss, alarm = costs
    share = share_of(prevalence, curve.prevalence)
    missed, called = (float(ratio(a, b)) for a, b in ((judged.fn, judged.rp), (judged.fp, judged.rn)))
    weights = np.array([miss * share, alarm * (1 - share), miss * missed - alarm * called])
    sizes = _sizes(curve, table, weights, level)
    parts = np.array([missed, called, share])
    low, high = wilson(parts * sizes, sizes, level)
    below, above = np.where(weights > 0, parts - low, high - parts), np.where(weights > 0, high - parts, parts - low)
    own = np.array([True, True, prevalence is None])
    down, up = (float(np.sqrt(((weights * x)[own] ** 2).sum())) for x in (below, above))
    cost = float(weights[:2] @ parts[:2])
    return max(cost - down, 0.0), cost + up


def _sizes(curve: Curve, table: Table, weights: Array, level: float) -> Array:
    """Effective numbers of positives, of negatives and of cases; with clusters by the spread between them."""
    cases = np.array(curve.sizes)
    if curve.units is not None and not curve.units.single:
        steps, at = np.arange(len(curve.thresholds)), float(table.pp)
        position = int(np.searchsorted(curve.tp + curve.fp, at, "left"))
        spread = curve.spread_of(weights[0] * (steps >= position), weights[1] * (steps < position))
        if spread.variance > 0 and spread.alone > 0:
            cases = cases * min(1.0, spread.alone / spread.variance) * float(shrink(spread.df, level))
        else:  # no spread is seen: at worst, a cluster is one case
            cases = np.array(curve.units.held())
    return np.array([*cases, cases.sum()])
