"""What a comparison returns: a difference with its interval and its p-value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from informed._arrays import Floats
from informed._numbers import pvalue_text
from informed.results import Kind, Note, Records, Result


@dataclass(frozen=True, repr=False)
class Difference(Result):
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
    hypothesis: str = "no difference"
    sampling: str = "multinomial"
    n: Floats | None = None  # items; a pair of numbers for different items
    effective_n: Floats | None = None
    standard_error: Floats | None = None  # large-sample, after four pseudo-cases
    names: tuple[Any, Any] = ("a", "b")
    claims: Mapping[str, Any] = field(default_factory=dict)  # the papers' rules, method="powers"
    notes: tuple[Note, ...] = ()

    def __contains__(self, value: float) -> bool:
        return bool(np.all((np.asarray(self.low) <= value) & (value <= np.asarray(self.high))))

    @property
    def width(self) -> Floats:
        """High minus low."""
        return self.high - self.low

    def records(self) -> Records:
        """One row a comparison."""
        return differences([self])

    def to_dict(self) -> dict[str, Any]:
        """Its numbers, and what the papers' rules claim where they were asked."""
        held = super().to_dict()
        return {**held, "claims": dict(self.claims)} if self.claims else held

    def sentence(self) -> str:
        """Both values, the difference with its interval, and its p-value."""
        if np.ndim(self.estimate):
            return f"Difference of {self.measure}: a stack of {np.shape(self.estimate)}"
        first, second = self.names
        return (
            f"{self.measure}: {first} {_number(self.a)}, {second} {_number(self.b)}, difference "
            f"{_number(self.estimate, sign=True)} [{_number(self.low, sign=True)}, "
            f"{_number(self.high, sign=True)}], p {pvalue_text(self.pvalue)} ({self.method})"
        )


@dataclass(frozen=True)
class Equivalence(Result):
    """Whether a difference is shown to stay within a margin.

    `low` and `high` are the interval whose limits the margin is compared with.
    """

    pvalue: Floats
    margin: float
    estimate: Floats
    low: Floats
    high: Floats
    level: float
    method: str
    measure: str
    hypothesis: str  # what is rejected where p is small
    notes: tuple[Note, ...] = ()

    @property
    def shown(self) -> Any:
        """Whether the margin holds at this level."""
        found = np.asarray(self.pvalue) < round(1 - self.level, 12)
        return bool(found) if found.ndim == 0 else found


KINDS: dict[str, Kind] = {
    "measure": "words",
    "a": "number",
    "b": "number",
    "estimate": "signed",
    "low": "signed",
    "high": "signed",
    "pvalue": "p",
    "standard_error": "number",
    "level": "number",
    "method": "words",
    "hypothesis": "words",
    "sampling": "words",
}


def differences(found: Sequence[Difference]) -> Records:
    """A row for each measure and each table of a stack."""
    rows: list[tuple[Any, ...]] = []
    for one in found:
        held = np.broadcast_arrays(
            *(np.asarray(getattr(one, name), dtype=object) for name in KINDS)
        )
        rows += zip(*(x.ravel().tolist() for x in held), strict=True)
    return Records.of(KINDS, rows)


def _number(x: float, sign: bool = False) -> str:
    return "undefined" if np.isnan(x) else f"{x:+.3f}" if sign else f"{x:.3f}"
