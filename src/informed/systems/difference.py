"""What a comparison returns: a difference with its interval and its p-value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from informed._arrays import Floats
from informed.evidence.frames import Framed


@dataclass(frozen=True)
class Difference:
    """How much more the first system scores than the second: a − b.

    Numbers for one comparison, arrays for a stack.
    """

    estimate: Floats
    low: Floats
    high: Floats
    pvalue: Floats  # of no difference, two-sided
    a: Floats  # the measure of each system
    b: Floats
    method: str
    level: float = 0.95
    measure: str = ""
    null: str = "no difference"
    sampling: str = "multinomial"
    n: Floats | None = None  # items; a pair of numbers for different items
    effective_n: Floats | None = None
    standard_error: Floats | None = None  # large-sample, after four pseudo-cases
    names: tuple[Any, Any] = ("a", "b")
    claims: Mapping[str, Any] = field(default_factory=dict)  # the papers' rules, method="powers"
    notes: tuple[str, ...] = ()

    def __contains__(self, value: float) -> bool:
        return bool(np.all((np.asarray(self.low) <= value) & (value <= np.asarray(self.high))))

    @property
    def width(self) -> Floats:
        """High minus low."""
        return self.high - self.low

    def to_frame(self) -> Any:
        """One row a comparison."""
        return rows([self])

    def __repr__(self) -> str:
        if np.ndim(self.estimate):
            return f"Difference of {self.measure}: a stack of {np.shape(self.estimate)}"
        first, second = self.names
        return (
            f"{self.measure}: {first} {_number(self.a)}, {second} {_number(self.b)}, difference "
            f"{_number(self.estimate, sign=True)} [{_number(self.low, sign=True)}, "
            f"{_number(self.high, sign=True)}], p {pvalue_text(self.pvalue)} ({self.method})"
        )


@dataclass(frozen=True)
class Equivalence(Framed):
    """Whether a difference is shown to stay within a margin.

    `low` and `high` are the interval whose limits the margin is compared with.
    """

    pvalue: Floats
    margin: float
    estimate: Floats
    low: Floats
    high: Floats
    alpha: float
    method: str
    measure: str
    null: str  # what is rejected where p is small
    notes: tuple[str, ...] = ()

    @property
    def shown(self) -> Any:
        """Whether the margin holds at this alpha."""
        found = np.asarray(self.pvalue) < self.alpha
        return bool(found) if found.ndim == 0 else found


def rows(found: list[Difference]) -> Any:
    """A data frame with one row for each comparison and measure."""
    from informed.evidence.frames import frame

    left_out = ("notes", "claims", "names", "n", "effective_n")
    held = [f.name for f in fields(Difference) if f.name not in left_out]
    columns: dict[str, list[Any]] = {name: [] for name in ["measure", *held]}
    for one in found:
        shape = np.shape(one.estimate)
        for name in columns:
            value = np.asarray(getattr(one, name), dtype=object)
            columns[name] += np.broadcast_to(value, shape).ravel().tolist()
    return frame(columns)


def _number(x: float, sign: bool = False) -> str:
    return "undefined" if np.isnan(x) else f"{x:+.3f}" if sign else f"{x:.3f}"


def pvalue_text(p: float) -> str:
    """A p-value with two digits, and a bound for the very small."""
    if np.isnan(p):
        return "undefined"
    return "< 1e-12" if p < 1e-12 else f"{p:.2g}"
