"""The report of a table: everything that any format shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import informed
from informed.errors import InformedError
from informed.evidence.table import Table
from informed.measures import find
from informed.measures.headline import Count
from informed.measures.shown import OF_ALL
from informed.results import Gate, Kind, Records, Result
from informed.summary import report_json, sentences
from informed.summary.counted import Counted, counted
from informed.summary.grades import Grades
from informed.summary.parts import (
    CellCases,
    ClassRow,
    Confusion,
    Costs,
    Elsewhere,
    Estimate,
    Overview,
    Score,
    Size,
    TestRow,
)

if TYPE_CHECKING:
    from informed.decisions.curve import Curve


@dataclass(frozen=True, repr=False)
class Report(Result):
    """The whole report: everything that any format shows."""

    page = "report"

    table: Table
    estimates: tuple[Estimate, ...]
    classes: tuple[ClassRow, ...] = ()
    confusions: tuple[Confusion, ...] = ()
    tests: tuple[TestRow, ...] = ()
    size: Size | None = None
    elsewhere: Elsewhere | None = None
    costs: Costs | None = None
    grades: Grades | None = None  # of labels whose order is known, more than two
    curve: Curve | None = None  # of the scores behind the predictions
    groups: tuple[Report, ...] = ()
    overview: Overview | None = None
    name: Any = None
    title: str = "Informed report"
    level: float = 0.95
    context: tuple[tuple[str, Any], ...] = ()
    source: tuple[str, ...] = ()  # data notes from whoever read the data
    command: str = ""
    gates: tuple[Gate, ...] = ()
    score: Score | None = None  # of tables whose predictions can be right
    examples: tuple[CellCases, ...] = ()  # ids of some cases of each cell, errors first
    states: tuple[tuple[str, float], ...] = ()  # how many cases are right, wrong, without an answer, …
    count: Count = "tool"
    tool: str = ""  # what wrote the log
    version: str = field(default_factory=lambda: informed.__version__)

    def __getitem__(self, measure: str) -> Estimate:
        wanted = str(find(measure))
        held = (*self.estimates, *(self.grades.estimates if self.grades else ()))
        for e in held:
            if e.measure == wanted:
                return e
        raise InformedError(f"This report does not hold {measure!r}; it holds {', '.join(e.measure for e in held)}.")

    @property
    def over_all(self) -> bool:
        """Whether the headline is over all cases, though some got no answer."""
        return self.count != "answered" and any(e.measure == OF_ALL[0] for e in self.estimates)

    @property
    def systems(self) -> bool:
        """Whether the groups are systems, of which nothing is said together."""
        return bool(dict(self.context).get("systems")) and bool(self.groups)

    @property
    def headline(self) -> Estimate:
        """Informedness; where some cases got no answer, that over all cases that count."""
        return self[OF_ALL[0] if self.over_all else "informedness"]

    @cached_property
    def counted(self) -> Counted:
        """What the headline is of: so many cases, or items with their answers."""
        return counted(self)

    @cached_property
    def answer(self) -> tuple[str, ...]:
        """The answer in plain words, with its uncertainty."""
        return sentences.answer(self)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What a careful reader must not overlook."""
        return sentences.warnings(self)

    def with_gates(self, gates: Iterable[Gate]) -> Report:
        """The same report with conditions that were asked for."""
        return replace(self, gates=(*self.gates, *gates)).in_terms(self.terms)

    def records(self) -> Records:
        """A row for each number: overall first, then class by class, then the groups alike."""
        return Records.of(COLUMNS, (row for r in (replace(self, name=None), *self.groups) for row in _rows(r)))

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data: see `informed/documents/assets/schema.json`."""
        return report_json.data(self)

    @classmethod
    def from_json(cls, text: str) -> Report:
        """The report that `json` wrote."""
        return report_json.loads(text, cls)


NUMBERS: dict[str, Kind] = dict.fromkeys(("value", "chance", "above_chance", "low", "high", "level"), "number")
COLUMNS: dict[str, Kind] = {"group": "label", "class": "label", "measure": "words", **NUMBERS}
COLUMNS |= {"above_chance": "signed", "method": "words", "pvalue": "p", "why": "words"}


def _rows(report: Report) -> Iterator[tuple[Any, ...]]:
    ordered = report.grades.estimates if report.grades else ()
    known = {e.measure for e in report.estimates}
    whole = [(None, e) for e in (*report.estimates, *(e for e in ordered if e.measure not in known))]
    of_classes = [(c.label, e) for c in report.classes for e in c.estimates]
    for label, e in [*whole, *of_classes]:
        limits = (e.value, e.chance, e.above, e.low, e.high, e.level)
        yield report.name, label, e.measure, *limits, e.method, e.pvalue, e.why
