"""Two systems on different items, graded by one judge: each has a true rate with its own limits, which are combined."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from informed._arrays import Array
from informed._numbers import plural
from informed.errors import InferenceError
from informed.evidence.label_policy import Mask
from informed.evidence.units import Ints, sums
from informed.inference.given import shrink, standard_normal
from informed.inference.proportions import mid_p
from informed.inference.two_proportions import recovered
from informed.systems.judge_strata import carried, shares_of
from informed.systems.judged_favour import Cells, unpaired_favour
from informed.systems.row_units import RowGroups, design_effect, row_effects, stretched

Limits = tuple[float, float, float]  # an estimate, its low and its high limit


@dataclass(frozen=True, eq=False)
class JudgedRate:
    """One system's verdicts and gold labels."""

    said: Array  # 1: the judge calls it good, 0: not; of a panel, the share of it that does
    real: Ints  # 1 or 0, of no meaning where it is not known
    known: Mask
    rows: RowGroups | None = None

    @property
    def weight(self) -> Array:
        """What each row counts."""
        return np.ones(len(self.known)) if self.rows is None else self.rows.weight

    @property
    def judged(self) -> float:
        """The rate that the judge says."""
        return float(self.weight @ self.said / self.weight.sum())

    @property
    def alone(self) -> float:
        """The rate of the labelled rows, as if they were a random part."""
        w = self.weight[self.known]
        return float(w @ self.real[self.known] / w.sum())

    @cached_property
    def cells(self) -> tuple[Array, Cells]:
        """Verdicts, and the truth of labelled rows by them."""
        verdict, at = np.unique(self.said, return_inverse=True)
        return verdict, Cells(np.asarray(at, np.int64), self.real, self.known, self.rows, self.weight, 2)

    @cached_property
    def good(self) -> Array:
        """Labelled rows of each verdict that are good."""
        c = self.cells[1]
        found = sums(c.stratum, self.weight * (self.known & (self.real == 1)), c.several)
        return np.fmin(found, c.labelled)

    def limits(self, level: float, *, off: bool = False) -> Limits:
        """The true rate by verdict and its limits; `off`: of the judged rate minus it."""
        verdict, c = self.cells
        found = carried(self.good, c.labelled, c.cases, level, said=verdict if off else None)
        middle, low, high = (float(end) for end in found)
        root, df = self._designs[off]
        k = float(root / np.sqrt(shrink(df, level)))
        least = -1.0 if off else 0.0
        return middle, max(middle - k * (middle - low), least), min(middle + k * (high - middle), 1.0)

    @cached_property
    def _designs(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Design effects of units: of the rate, and of how far the judged one is off."""
        if self.rows is None:
            return (1.0, np.inf), (1.0, np.inf)
        c = self.cells[1]
        phi = row_effects(self.real, shares_of(self.good, c.labelled), c.stratum, self.known, c.cases, c.labelled)
        rate, off = (design_effect(x, self.rows.unit, self.known, self.rows.weight) for x in (phi, self.said - phi))
        return rate, off

    def naive(self, rows: Mask, values: Any, level: float) -> Limits:
        """The share of good ones among some rows, as if they were a random part and their values true."""
        w, x = self.weight[rows], np.asarray(values, float)[rows]
        n, good = float(w.sum()), float(w @ x)
        low, high = mid_p(np.asarray(good), np.asarray(n), level)
        if self.rows is None:
            return good / n, float(low), float(high)
        unit = np.asarray(np.unique(self.rows.unit[rows], return_inverse=True)[1], np.int64)
        k, p = stretched(x, unit, np.ones(len(x), bool), level, w), good / n
        return p, max(p - k * (p - float(low)), 0.0), min(p + k * (float(high) - p), 1.0)


def unpaired_difference(a: JudgedRate, b: JudgedRate, level: float) -> dict[str, Any]:
    """The fields of a difference of two systems on different items: limits of each, combined."""
    for x in (a, b):
        if x.known.sum() < 2:
            raise InferenceError(f"{plural(int(x.known.sum()), 'gold label')} of one system; two at least are needed.")
    found = _ends(a, b, level, off=False)
    naive = combined(*(x.naive(np.ones(len(x.known), bool), x.said, level) for x in (a, b)))
    alone = combined(*(x.naive(x.known, x.real, level) for x in (a, b)))

    n = [float(x.weight[x.known].sum()) for x in (a, b)]
    whole = [p * (1 - p) for p, _, _ in (x.limits(level) for x in (a, b))]
    variance = ((found["high"] - found["low"]) / (2 * standard_normal(level))) ** 2
    plain_variance = sum(v / m for v, m in zip(whole, n, strict=True))
    return {
        **found,
        "judged": a.judged - b.judged,
        "judged_low": naive[0],
        "judged_high": naive[1],
        "error": _ends(a, b, level, off=True),
        "favour": unpaired_favour([a.cells, b.cells], level),
        "labels_alone": a.alone - b.alone,
        "labels_alone_low": alone[0],
        "labels_alone_high": alone[1],
        "saving": max(0.0, 1 - variance / plain_variance) if plain_variance > 0 else 0.0,
        "n_eff": sum(n) * plain_variance / variance if variance > 0 else float(sum(n)),
        "level": level,
        "method": "mover",
    }


def _ends(a: JudgedRate, b: JudgedRate, level: float, *, off: bool) -> dict[str, float]:
    held = [x.limits(level, off=off) for x in (a, b)]
    low, high = combined(held[0], held[1], most=1.0 + off)
    return {"estimate": held[0][0] - held[1][0], "low": low, "high": high, "pvalue": _pvalue(a, b, off=off)}


def combined(a: Limits, b: Limits, *, most: float = 1.0) -> tuple[float, float]:
    """Limits of the difference of two numbers, from the limits of each, neither beyond `most`."""
    (x, *of_a), (y, *of_b) = a, b
    values, one, two = ((np.asarray(v[0]), np.asarray(v[1])) for v in ((x, y), of_a, of_b))
    ends = recovered(values, one, two)
    return max(float(ends[0]), -most), min(float(ends[1]), most)


def _pvalue(a: JudgedRate, b: JudgedRate, *, off: bool) -> float:
    """One minus the level at which the interval of the difference ends at 0."""

    def holds(p: float) -> bool:
        low, high = combined(a.limits(1 - p, off=off), b.limits(1 - p, off=off))
        return low <= 0 <= high

    least, most = -30.0, 0.0  # of its logarithm
    if not holds(np.exp(least)):
        return float(np.exp(least))
    if holds(1 - 1e-9):
        return 1.0
    for _ in range(40):
        middle = (least + most) / 2
        least, most = (middle, most) if holds(float(np.exp(middle))) else (least, middle)
    return float(np.exp(least))
