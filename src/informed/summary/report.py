"""What a report holds, as plain frozen data; every format reads it and none computes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import informed
from informed._arrays import ratio
from informed.errors import InformedError
from informed.evidence.table import Table
from informed.measures import find

if TYPE_CHECKING:
    from informed.decisions.curve import Curve


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
    notes: tuple[str, ...] = ()

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
class ClassRow:
    """One class against the rest."""

    label: Any
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
class TestRow:
    """A test of significance as a report shows it."""

    __test__ = False

    method: str
    null: str
    statistic: float
    df: float
    pvalue: float
    pvalue_low: float = math.nan
    pvalue_high: float = math.nan
    calibration: str = ""
    notes: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class Size:
    """Whether the sample was big enough, and how big it should be."""

    n: float
    half_width: float  # of the interval of informedness that this sample gave
    needed: tuple[tuple[float, float], ...] = ()  # (half-width, cases needed)
    power: tuple[tuple[float, float], ...] = ()  # (true informedness, power at this n)
    curve: tuple[tuple[float, float], ...] = ()  # (cases, power) for the useful effect
    effect: float = math.nan  # the informedness of `curve`
    detectable: float = math.nan  # the smallest informedness that this n shows, with power 0.8
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Elsewhere:
    """What the measures would be in another population."""

    here: float = math.nan  # prevalence of the positive class in the sample
    field: tuple[tuple[Any, float], ...] = ()  # the prevalence that was asked for
    curves: tuple[tuple[str, tuple[float, ...]], ...] = ()  # "prevalence" and each measure
    there: tuple[Estimate, ...] = ()  # measures at the field prevalence
    even: tuple[Estimate, ...] = ()  # measures with all classes equally common
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Costs:
    """Cost a case of the system and of its rivals that look at nothing."""

    text: str
    system: float
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


@dataclass(frozen=True)
class Report:
    """The whole report: everything that any format shows."""

    table: Table
    estimates: tuple[Estimate, ...]
    classes: tuple[ClassRow, ...] = ()
    confusions: tuple[Confusion, ...] = ()
    tests: tuple[TestRow, ...] = ()
    size: Size | None = None
    elsewhere: Elsewhere | None = None
    costs: Costs | None = None
    curve: Curve | None = None  # of the scores behind the predictions
    groups: tuple[Report, ...] = ()
    overview: Overview | None = None
    name: Any = None
    title: str = "Informed report"
    level: float = 0.95
    context: tuple[tuple[str, Any], ...] = ()
    source: tuple[str, ...] = ()  # data notes from whoever read the data
    command: str = ""
    version: str = field(default_factory=lambda: informed.__version__)

    def __getitem__(self, measure: str) -> Estimate:
        wanted = str(find(measure))
        for e in self.estimates:
            if e.measure == wanted:
                return e
        raise InformedError(
            f"This report does not hold {measure!r}; it holds "
            f"{', '.join(e.measure for e in self.estimates)}."
        )

    @cached_property
    def answer(self) -> tuple[str, ...]:
        """The answer in plain words, with its uncertainty."""
        from informed.summary.sentences import answer

        return answer(self)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What a careful reader must not overlook."""
        from informed.summary.sentences import warnings

        return warnings(self)

    def text(self, *, width: int = 80, precision: int = 3, colour: bool = False) -> str:
        """For a terminal or a pipe; plain and greppable unless in `colour`."""
        from informed.documents.writers.text import text

        return text(self, width=width, precision=precision, colour=colour)

    def json(self, *, indent: int | None = 2) -> str:
        """Schema 1: see `informed/documents/assets/schema.json`."""
        from informed.documents.writers.json import dumps

        return dumps(self, indent=indent)

    @classmethod
    def from_json(cls, text: str) -> Report:
        """The report that `json` wrote."""
        from informed.documents.writers.json import loads

        return loads(text)

    def html(self, *, precision: int = 3) -> str:
        """One page that needs no other file and no network."""
        from informed.documents.writers.html import html

        return html(self, precision=precision)

    def markdown(self, *, precision: int = 3) -> str:
        """For a repository, an issue, a chat."""
        from informed.documents.writers.markdown import markdown

        return markdown(self, precision=precision)

    def latex(self, *, precision: int = 3) -> str:
        """Sections and booktabs tables, to \\input into a paper."""
        from informed.documents.writers.latex import latex

        return latex(self, precision=precision)

    def csv(self) -> str:
        """One row a number, at full precision."""
        from informed.documents.writers.csv import csv

        return csv(self)

    def github(self, *, precision: int = 3) -> str:
        """Markdown for the step summary of a GitHub action."""
        from informed.documents.writers.github import summary

        return summary(self, precision=precision)

    def to_frame(self) -> Any:
        """One row a number: group, class, measure, value, chance, low, high, …"""
        from informed.documents.writers.csv import COLUMNS, rows
        from informed.evidence.frames import frame

        held = list(rows(self))
        return frame({name: [row[i] for row in held] for i, name in enumerate(COLUMNS)})

    def save(self, path: str | Path, *, precision: int = 3) -> Path:
        """Write the report in the format that the suffix names."""
        from informed.documents.formats import written_as

        path = Path(path)
        path.write_text(
            written_as(self, path.suffix.lower(), precision=precision),
            encoding="utf-8",
            newline="",
        )
        return path

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        from informed.documents.notebook import report_html

        return report_html(self)
