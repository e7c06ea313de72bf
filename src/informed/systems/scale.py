"""The scale on which two systems are compared: most measures are subtracted, ratios are divided.

A ratio of odds or of rates is compared by its logarithm, on which its errors are even; what is shown is the ratio
of the two, which is 1 where they do not differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from informed._arrays import Array, Limits, ratio
from informed.errors import InferenceError
from informed.inference.influence import Functional, of_logarithm
from informed.measures import Measure
from informed.results import Note

Kind = Literal["difference", "ratio"]


def _logarithm(x: Any) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(np.asarray(x, dtype=np.float64))


def _as_is(x: Any) -> Array:
    return np.asarray(x, dtype=np.float64)


@dataclass(frozen=True)
class Scale:
    """How values become what is subtracted, and how a difference of those is shown."""

    kind: Kind
    into: Callable[[Any], Array]
    back: Callable[[Any], Array]
    equal: float  # what is shown of equal systems
    hypothesis: str
    planned: tuple[float, ...]  # true differences, or ratios, whose power is told
    sign: str  # between the names of the two

    def apart(self, values: Limits) -> Array:
        """What is estimated of two values; infinite where one of them is 0 or infinite on the scale of a ratio."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.into(values[0]) - self.into(values[1]))

    def of(self, f: Functional) -> Functional:
        """A measure on this scale."""
        return of_logarithm(f) if self.kind == "ratio" else f

    def error(self, value: Array, error: Array) -> Array:
        """A standard error of the measure as one on this scale."""
        return ratio(error, value) if self.kind == "ratio" else error

    def shown(self, estimate: Array) -> Array:
        """An estimate as it is shown: no ratio where one of the two is 0 or infinite."""
        return self.back(np.where(np.isfinite(estimate), estimate, np.nan))

    def undefined(self, what: str, value: Array) -> Iterator[Note]:
        """Where one of the two is 0 or infinite there is no ratio of them."""
        if self.kind == "difference":
            return
        for seen, there in (("0", value == 0), ("infinite", np.isinf(value))):
            if there.any():
                where = f" in {there.sum()} of {there.size} tables" if there.ndim else ""
                said = f"{what} is {seen}{where}, so that there is no ratio; the interval rests on pseudo-cases."
                yield Note(said, code="undefined")

    def reach(self, margin: float) -> float:
        """A margin on this scale: a difference of 0 or more, or a factor of 1 or more."""
        if self.kind == "ratio":
            if not 1 <= margin < np.inf:
                raise InferenceError(
                    f"`margin` is {margin}; of a ratio it must be a factor of 1 or more, such as 1.25."
                )
        elif not 0 <= margin < 2:
            raise InferenceError(f"`margin` is {margin}; it must be a difference of 0 or more.")
        return float(self.into(margin))

    def said(self, margin: float) -> str:
        """A margin in words."""
        return f"a factor of {margin:g}" if self.kind == "ratio" else f"{margin:g}"


DIFFERENCE = Scale("difference", _as_is, _as_is, 0.0, "no difference", (0.02, 0.05, 0.1, 0.2), "−")
RATIO = Scale("ratio", _logarithm, np.exp, 1.0, "a ratio of 1", (1.25, 1.5, 2.0, 4.0), "/")
OF_SHARES = replace(RATIO, planned=(1.02, 1.05, 1.1, 1.25))  # which have a most
SCALES = {scale.kind: scale for scale in (DIFFERENCE, RATIO)}


def scale_of(m: Measure, relative: bool = False) -> Scale:
    """The scale on which a measure of two systems is compared; `relative` asks for ratios, which need no sign."""
    if relative and m.facts.bounds[0] < 0:
        raise InferenceError(
            f"{m} can be negative, so that a ratio of two says nothing; recall, inverse_recall, precision and the "
            "likelihood ratios have one, and `compare` gives the difference."
        )
    if relative and np.isfinite(m.facts.bounds[1]):
        return OF_SHARES
    return RATIO if relative or m.facts.scale == "log" else DIFFERENCE


def subtracted(m: Measure, what: str) -> Measure:
    """A measure whose values are subtracted; a ratio is refused where there are only differences."""
    if scale_of(m).kind == "ratio":
        raise InferenceError(
            f"{m} is a ratio, and {what} compare by differences; `compare` gives the ratio of two systems, and "
            "informedness has differences."
        )
    return m
