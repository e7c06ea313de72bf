"""The score of a log: the mean of its marks, beside what its own tool reports."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from informed.evidence.marks import Marks
from informed.inference.intervals import interval
from informed.results import Note, picked, plain_dict, warning
from informed.sources.logs.case import Reported
from informed.summary.parts import CLOSE


@dataclass(frozen=True)
class Score:
    """The mean of the marks of the cases that count, each item once."""

    value: float
    low: float
    high: float
    level: float
    n: int  # items that count
    name: str  # of the metric and the scorer
    reported: float | None  # the tool's own number
    bounds: tuple[float, float]  # if every unscored case were wrong, and if it were right
    states: dict[str, int]
    method: str
    notes: tuple[Note, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether the tool reports another number."""
        return self.reported is not None and not abs(self.reported - self.value) <= CLOSE

    def to_dict(self) -> dict[str, Any]:
        """As plain data: what JSON holds of it."""
        return plain_dict(picked(self, "value low high reported name n bounds"))


def scored(marks: Marks, own: Reported | None, reducer: str | None, level: float) -> Score:
    """The score of marks, reduced as the tool does, beside its own number."""
    how = reducer or "mean"
    found = interval(marks, "score" if how == "mean" else how, level=level)
    value = float(found.estimate)
    score = Score(
        value=value,
        low=float(found.low),
        high=float(found.high),
        level=level,
        n=marks.n,
        name=marks.name if how == "mean" else marks.reduce(how).name,
        reported=None if own is None else own.value,
        bounds=marks.reduce(how).bounds,
        states=marks.states,
        method=found.method,
        notes=found.notes,
    )
    if own is None or not score.differs:
        return score
    said = f"The tool itself reports {own.value:.4f} ({own.name}); the mean of its marks is {value:.4f}."
    return replace(score, notes=(*score.notes, warning(said, "score-differs")))
