"""What inference returns: an interval, a test. Scalars for one table, arrays for a stack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from informed._arrays import Array, Floats, plain
from informed._numbers import percent, plural, probability, rate, span
from informed.errors import InferenceError
from informed.measures import MeasureLike, find
from informed.results import Axis, Kind, Note, Records, Result

AGAINST = "against the hypothesis that"


class Ranged(Result):
    """A result with limits."""

    low: Floats
    high: Floats

    def __iter__(self) -> Iterator[Floats]:
        """Its limits: ``low, high = interval(…)``."""
        return iter((self.low, self.high))

    def __contains__(self, value: float) -> bool:
        return bool(np.all((np.asarray(self.low) <= value) & (value <= np.asarray(self.high))))

    @property
    def width(self) -> Floats:
        """High minus low."""
        return self.high - self.low


@dataclass(frozen=True, repr=False)
class Interval(Ranged):
    """An estimate with the range of values that the data do not contradict."""

    page = "inference"
    kinds: ClassVar[Mapping[str, Kind]] = {"effective_n": "count"}

    estimate: Floats
    low: Floats
    high: Floats
    level: float
    method: str
    measure: str = ""
    sampling: str = "multinomial"
    notes: tuple[Note, ...] = ()  # what a careful reader should know
    effective_n: Floats | None = None  # independent, equally weighted cases worth as much
    simultaneous: str = ""  # how intervals were widened to hold together, if they were
    axes: tuple[Axis, ...] = ()  # of a stack: what its axes run over, and the names along them

    def sentence(self) -> str:
        """The estimate and its limits; of a stack, how many there are."""
        how = f"({percent(self.level)} interval, {self.method})"
        name = self.measure or "estimate"
        if self.method == "none":
            shown = "" if np.ndim(self.estimate) else f" {rate(float(self.estimate))}"
            return f"{name}{shown}: no confidence interval is known to cover"
        if np.ndim(self.estimate):
            each = "classes" if [x for x, _ in self.axes] == ["class"] else "tables"
            return f"{name} of {np.size(self.estimate):,} {each} {how}"
        if np.isnan(self.estimate):
            return f"{name} n/a, and so is its interval {how}"
        limits = span(float(self.low), float(self.high))
        return f"{name} {rate(float(self.estimate))} {limits} {how}"


@dataclass(frozen=True, repr=False)
class Intervals(Result):
    """Intervals of several measures of one table, each at its own level; ``found["f1"]`` is one of them."""

    page = "inference"

    each: tuple[Interval, ...]

    def __getitem__(self, measure: MeasureLike) -> Interval:
        wanted = str(find(measure))
        for one in self.each:
            if one.measure == wanted:
                return one
        raise InferenceError(f"{wanted} was not asked for; there are {', '.join(one.measure for one in self.each)}.")

    def __iter__(self) -> Iterator[Interval]:
        return iter(self.each)

    def __len__(self) -> int:
        return len(self.each)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What is said of any of them."""
        return tuple(dict.fromkeys(note for one in self.each for note in one.notes))

    def records(self) -> Records:
        """One row a measure; of a stack, one for each of its tables."""
        held = Records.together([one.records() for one in self.each])
        return held.select("measure", *(name for name in held.names if name != "measure"))

    def sentence(self) -> str:
        """How many there are."""
        return f"Intervals of {plural(len(self.each), 'measure')}."


@dataclass(frozen=True, repr=False)
class Posterior(Interval):
    """An interval of belief, with the draws that it is read from."""

    unlisted = ("draws",)

    draws: Array = field(default_factory=lambda: np.empty(0), repr=False)  # (draws, *stack)

    def probability(self, *, above: float) -> Floats:
        """Belief that the measure is above this value."""
        return plain((self.draws > above).mean(axis=0))


@dataclass(frozen=True, repr=False)
class Test(Result):
    """Evidence against a null hypothesis, which it names."""

    page = "inference"
    kinds: ClassVar[Mapping[str, Kind]] = {"df": "count"}

    __test__ = False  # for pytest's sake

    statistic: Floats
    pvalue: Floats
    df: Floats
    method: str
    hypothesis: str  # the null, in words
    measure: str = ""
    alternative: str = "two-sided"
    against: float | None = None  # the value that the measure was tested against; None: chance
    pvalue_low: Floats | None = None  # interval of a p-value found by simulation
    pvalue_high: Floats | None = None
    calibration: str = ""  # how often it really rejects, where that was measured
    notes: tuple[Note, ...] = ()
    axes: tuple[Axis, ...] = ()  # of a stack: what its axes run over, and the names along them

    def sentence(self) -> str:
        """The p-value, and what it is evidence against."""
        if np.ndim(self.pvalue):
            return f"{self.method} test of {np.size(self.pvalue):,} tables, {AGAINST} {self.hypothesis}"
        return f"{probability(float(self.pvalue))} ({self.method}) {AGAINST} {self.hypothesis}"
