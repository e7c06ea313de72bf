"""What a report is made of, as plain frozen data; every format reads it and none computes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from informed._arrays import ratio
from informed.evidence.labels import Label
from informed.results import Note, nothing_beside_undefined

CLOSE = 5e-4  # the tool's own number may be rounded


@dataclass(frozen=True)
class Estimate:
    """A measure of a table with its chance level, its interval and what is known about it."""

    measure: str
    title: str
    value: float
    chance: float = math.nan
    low: float = math.nan
    high: float = math.nan
    level: float = 0.95
    method: str = ""
    pvalue: float = math.nan
    null: str = ""
    why: str = ""  # why the value is undefined, in words
    best: float = math.nan
    notes: tuple[Note, ...] = ()
    worth: float = math.nan  # independent cases that units are worth to it; NaN where there are none

    def __post_init__(self) -> None:
        nothing_beside_undefined(self, "value")

    @property
    def above(self) -> float:
        """What is left above chance."""
        return self.value - self.chance

    @property
    def share(self) -> float:
        """What is left above chance, as a share of what was to be won."""
        if not math.isfinite(self.best) or abs(self.best - self.chance) < 1e-12:
            return math.nan
        return float(ratio(self.value - self.chance, self.best - self.chance))

    @property
    def beyond_chance(self) -> int:
        """1 where the whole interval is above chance, −1 below, 0 where chance is inside."""
        if math.isnan(self.low) or math.isnan(self.chance):
            return 0
        return int(self.low > self.chance) - int(self.high < self.chance)


@dataclass(frozen=True)
class Score:
    """The share of right answers among all cases that count, and what the tool itself says of it."""

    value: float
    low: float = math.nan
    high: float = math.nan
    reported: float = math.nan  # the tool's own number
    name: str = "accuracy"  # what the tool calls it
    unscored_low: float = math.nan  # if every case that its grader failed on were wrong, ...
    unscored_high: float = math.nan  # ... and if it were right
    left_out: float = 0.0  # cases without an answer, or in error, that do not count ...
    with_left_out: float = math.nan  # ... and the score if each of them were a failure

    @property
    def differs(self) -> bool:
        """Whether the tool reports another number."""
        return abs(self.reported - self.value) > CLOSE


@dataclass(frozen=True)
class ClassRow:
    """One class against the rest."""

    label: Label
    real: float
    predicted: float
    hits: float
    estimates: tuple[Estimate, ...]

    def __getitem__(self, measure: str) -> Estimate:
        return next(e for e in self.estimates if e.measure == measure)

    @property
    def verdict(self) -> str:
        """Whether the class is recognised, guessed, or worse than guessed."""
        b = self["informedness"]
        if math.isnan(b.value):
            return "undefined"
        if math.isnan(b.low):
            return "unsure"
        return {1: "informed", 0: "guessed", -1: "worse than guessed"}[b.beyond_chance]


@dataclass(frozen=True)
class Confusion:
    """Cases of one class that were called another."""

    real: Any
    predicted: Any
    cases: float
    expected: float
    share: float  # of the real class
    lost: float  # informedness lost to it: n / (N − real cases of the predicted label), eq. 42
    cost: float = math.nan


@dataclass(frozen=True)
class CellCases:
    """Ids of some cases of a cell, to look at."""

    real: Any
    predicted: Any  # None: they got no answer
    ids: tuple[str, ...]


@dataclass(frozen=True)
class TestRow:
    """A test of significance as a report shows it."""

    __test__ = False

    method: str
    null: str = ""
    statistic: float = math.nan
    df: float = math.nan
    pvalue: float = math.nan
    pvalue_low: float = math.nan
    pvalue_high: float = math.nan
    calibration: str = ""
    notes: tuple[Note, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class Size:
    """Whether the sample was big enough, and how big it should be."""

    n: float  # of what was sampled: cases, or units; weighted cases, as many as they are worth
    half_width: float  # of the interval of informedness that this sample gave
    unit: str = "case"  # what is counted here
    needed: tuple[tuple[float, float], ...] = ()  # (half-width, how many are needed)
    power: tuple[tuple[float, float], ...] = ()  # (true informedness, power at this n)
    curve: tuple[tuple[float, float], ...] = ()  # (how many, power) for the useful effect
    effect: float = math.nan  # the informedness of `curve`
    detectable: float = math.nan  # the smallest informedness that this n shows, with power 0.8
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Elsewhere:
    """What the measures would be in another population."""

    here: float = math.nan  # prevalence of the positive class in the sample
    field: tuple[tuple[Any, float], ...] = ()  # the prevalence that was asked for
    curves: tuple[tuple[str, tuple[float, ...]], ...] = ()  # "prevalence" and each measure
    there: tuple[Estimate, ...] = ()  # measures at the field prevalence
    even: tuple[Estimate, ...] = ()  # measures with all classes equally common
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Costs:
    """Expected cost per case of the system and of answers that look at nothing, in the units of the cost."""

    text: str
    expected_cost: float
    rivals: tuple[tuple[Any, float], ...]  # always answering this label
    guessing: float  # with the system's own margins
    slope: float = math.nan  # of the lines of equal cost in the ROC plane, for two classes


@dataclass(frozen=True)
class Overview:
    """All groups together: how much they differ and what they share."""

    pooled: Estimate
    stratified: Estimate
    statistic: float
    df: float
    pvalue: float
    inconsistency: float  # I²: share of the spread that sampling does not explain
    order: tuple[int, ...]  # groups from the most to the least informed
    new: Estimate | None = None  # mean over groups like these, of three or more (random effects)
    predicted_low: float = math.nan  # where one new group may lie
    predicted_high: float = math.nan
    tau: float = math.nan  # standard deviation between groups
