"""What a comparison returns: a difference with its interval and its p-value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from informed._arrays import Floats, plain
from informed._numbers import percent, probability, rate, signed, span
from informed.errors import InferenceError
from informed.evidence.shown import system_name
from informed.inference.answers import Ranged
from informed.results import Axis, Field, Note, Records, Result, along, nothing_beside_undefined
from informed.results import Kind as FieldKind
from informed.systems.scale import SCALES, Kind


@dataclass(frozen=True, repr=False)
class Difference(Ranged):
    """How much more the first system scores than the second: a − b, or a / b of a measure that is a ratio.

    Numbers for one comparison, arrays for a stack. The standard error of a ratio is that of its logarithm.
    """

    kinds: ClassVar[Mapping[str, FieldKind]] = dict.fromkeys(("estimate", "low", "high"), "signed")

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
    axes: tuple[Axis, ...] = ()  # of a stack: what its axes run over, and the names along them
    scale: Kind = "difference"  # or "ratio"

    def __post_init__(self) -> None:
        """A ratio of values that are 0 or infinite is undefined, but they are not: its limits and its test stand."""
        nothing_beside_undefined(self, *(("a", "b") if self.scale == "ratio" else ("estimate",)))

    @property
    def lead(self) -> Floats:
        """The difference, or the logarithm of the ratio: positive where the first has more."""
        return plain(SCALES[self.scale].into(self.estimate))

    def shown(self) -> str:
        """The estimate as it is read: a difference with its sign, a ratio without."""
        return read_as(float(self.estimate), self.scale)

    def records(self) -> Records:
        """One row a comparison."""
        return differences([self])

    def to_dict(self) -> dict[str, Any]:
        """Its numbers, and what the papers' rules claim where they were asked."""
        held = super().to_dict()
        return {**held, "claims": dict(self.claims)} if self.claims else held

    def sentence(self) -> str:
        """Both values, the difference with its interval, and its p-value."""
        first, second = map(system_name, self.names)
        if np.ndim(self.estimate):
            return f"{self.measure} of {first} {SCALES[self.scale].sign} {second}: a stack of {np.shape(self.estimate)}"
        if np.isnan(self.estimate):
            return f"{self.measure}: {first} {rate(self.a)}, {second} {rate(self.b)}, {self.scale} n/a ({self.method})"
        if self.method == "none":
            return (
                f"{self.measure}: {first} {rate(self.a)}, {second} {rate(self.b)}, {self.scale} {self.shown()}: no "
                "confidence interval is known to cover"
            )
        return (
            f"{self.measure}: {first} {rate(self.a)}, {second} {rate(self.b)}, {self.scale} {self.shown()} "
            f"{span(self.low, self.high)}, {probability(self.pvalue)} ({self.method})"
        )


@dataclass(frozen=True, repr=False)
class Equivalence(Result):
    """Whether a difference is shown to stay within a margin.

    `low` and `high` are the interval whose limits the margin is compared with: its level is `interval_level`, 0.9
    where that of the one-sided tests is 0.95.
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
    axes: tuple[Axis, ...] = ()
    scale: Kind = "difference"  # or "ratio", and the margin a factor

    @property
    def shown(self) -> Any:
        """Whether the margin holds at this level."""
        found = np.asarray(self.pvalue) < round(1 - self.level, 12)
        return bool(found) if found.ndim == 0 else found

    @property
    def interval_level(self) -> float:
        """Confidence level of the interval that goes with one-sided tests at this level."""
        return level_within(self.level)

    def records(self) -> Records:
        """Its fields, whether it is shown, and the level of the interval."""
        held = super().records()
        shown, level = np.ravel(self.shown).tolist(), self.interval_level
        columns = (*held.columns, Field("shown", "flag"), Field("interval_level"))
        return Records(columns, tuple((*row, x, level) for row, x in zip(held.rows, shown, strict=True)))

    def sentence(self) -> str:
        """Whether the margin is shown to hold, and the p-value."""
        if np.ndim(self.pvalue):
            return f"Rejected or not: {self.hypothesis}, a stack of {np.shape(self.pvalue)}"
        return (
            f"{self.measure} {read_as(float(self.estimate), self.scale)} "
            f"({percent(self.interval_level)} CI {span(self.low, self.high)}); "
            f"{'rejected' if self.shown else 'not rejected'}: {self.hypothesis}, "
            f"{probability(float(self.pvalue))} ({self.method})"
        )


def level_within(level: float) -> float:
    """The level of the interval that goes with two one-sided tests; refused where there is none."""
    if not 0.5 < level < 1:
        raise InferenceError(f"`level` is {level}; it must lie between 0.5 and 1, such as 0.95.")
    return round(2 * level - 1, 12)


def read_as(estimate: float, scale: Kind) -> str:
    """A difference with its sign, a ratio without."""
    return rate(estimate) if scale == "ratio" else signed(estimate)


COLUMNS = "measure a b estimate low high pvalue standard_error level method hypothesis sampling"


def differences(found: Sequence[Difference]) -> Records:
    """A row for each measure and each table of a stack."""
    axes = dict.fromkeys(name for one in found for name, _ in one.axes)
    rows: list[tuple[Any, ...]] = []
    for one in found:
        held = Records.picked(one, COLUMNS)
        places = along(one.axes)
        where = [places[name][1] if name in places else [""] * len(held) for name in axes]
        rows += [(*at, *row) for *at, row in zip(*where, held.rows, strict=True)]
    columns = held.columns
    if all(one.scale == "ratio" for one in found):
        columns = tuple(replace(x, kind="number") if x.kind == "signed" else x for x in columns)
    return Records((*(Field(name, "label") for name in axes), *columns), tuple(rows))
