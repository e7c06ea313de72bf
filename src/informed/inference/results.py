"""What inference returns: an interval, a test. Scalars for one table, arrays for a stack."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from informed._arrays import Array, Floats, plain


@dataclass(frozen=True)
class Interval:
    """An estimate with the range of values that the data do not contradict."""

    estimate: Floats
    low: Floats
    high: Floats
    level: float
    method: str
    measure: str = ""
    sampling: str = "multinomial"
    notes: tuple[str, ...] = ()  # what a careful reader should know, in words
    effective_n: Floats | None = None  # independent, equally weighted cases worth as much
    simultaneous: str = ""  # how intervals were widened to hold together, if they were

    def __contains__(self, value: float) -> bool:
        return bool(np.all((np.asarray(self.low) <= value) & (value <= np.asarray(self.high))))

    @property
    def width(self) -> Floats:
        """High minus low."""
        return self.high - self.low

    def to_frame(self) -> Any:
        """One row, or a row for each table of a stack."""
        return _frame(self)

    def _repr_html_(self) -> str:
        import informed

        return informed.notebook_html(self)


@dataclass(frozen=True)
class Posterior(Interval):
    """An interval of belief, with the draws that it is read from."""

    draws: Array = field(default_factory=lambda: np.empty(0), repr=False)  # (draws, *stack)

    def probability(self, *, above: float) -> Floats:
        """Belief that the measure is above this value."""
        return plain((self.draws > above).mean(axis=0))


@dataclass(frozen=True)
class Test:
    """Evidence against a null hypothesis, which it names."""

    __test__ = False  # for pytest's sake

    statistic: Floats
    pvalue: Floats
    df: Floats
    method: str
    null: str  # the hypothesis, in words
    measure: str = ""
    alternative: str = "two-sided"
    pvalue_low: Floats | None = None  # interval of a p-value found by simulation
    pvalue_high: Floats | None = None
    calibration: str = ""  # how often it really rejects, where that was measured
    notes: tuple[str, ...] = ()

    def to_frame(self) -> Any:
        """One row, or a row for each table of a stack."""
        return _frame(self)

    def _repr_html_(self) -> str:
        import informed

        return informed.notebook_html(self)


def _frame(result: Interval | Test) -> Any:
    """One row a table of the stack."""
    from informed.evidence.frames import frame

    held = {
        f.name: getattr(result, f.name) for f in fields(result) if f.name not in ("notes", "draws")
    }
    shape = np.broadcast_shapes(*(np.shape(v) for v in held.values()))
    return frame(
        {
            name: np.broadcast_to(np.asarray(v, dtype=object), shape).ravel().tolist()
            for name, v in held.items()
            if v is not None
        }
    )
