"""Two systems whose answers are only marked: is one better on the items that count in both?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from informed._arrays import Array
from informed.errors import InferenceError
from informed.evidence.columns import first_rows
from informed.evidence.marks import Marks, Places
from informed.evidence.paired_marks import joint_of, shared
from informed.evidence.shown import system_name
from informed.evidence.states import RIGHT, STATES, WRONG
from informed.evidence.table import Table
from informed.inference import bounded_mean
from informed.inference.bounded_mean import BoundedMean
from informed.inference.given import checked_level
from informed.inference.marks_score import mean_of
from informed.inference.mcnemar import sign_pvalue
from informed.inference.resampling import DRAWS
from informed.results import Kind, Note, warning
from informed.systems.comparison import Comparison
from informed.systems.difference import Difference, Equivalence
from informed.systems.guards import unfinished_notes
from informed.systems.student_difference import StudentDifference
from informed.systems.tails import ComparisonOptions

FEW = 10  # items below which their own spread is hardly known


@dataclass(frozen=True, repr=False)
class MarksDifference(StudentDifference):
    """How much better the first system scores than the second, on the items that count in both."""

    page = "marks_comparison"
    kinds: ClassVar[Mapping[str, Kind]] = {**Difference.kinds, "mcnemar": "p"}
    unlisted = ("accuracies", "marks", "both", "mean")

    mcnemar: float | None = None  # exact p-value, where every item was marked once, right or wrong
    both: Table | None = None  # who was right where: b real, a predicted; agreement, and where they differ
    left_out: Mapping[Any, Mapping[str, int]] = field(default_factory=dict)  # items of each, by their state
    states: Mapping[Any, Mapping[str, int]] = field(default_factory=dict)  # cases of each, by their state
    accuracies: Comparison | None = None  # the comparison that the numbers are of, where marks are 0 and 1
    marks: tuple[Marks, Marks] | None = None  # of the shared items
    mean: BoundedMean | None = None  # of the differences of the items

    def to_dict(self) -> dict[str, Any]:
        """Its numbers, the exact test beside them, the states, and what was left out."""
        counts = None if self.both is None else self.both.counts.tolist()
        return {
            **super().to_dict(),
            "mcnemar": self.mcnemar,
            "right_and_wrong": counts,
            "states": {str(name): dict(held) for name, held in self.states.items()},
            "left_out": {str(name): dict(held) for name, held in self.left_out.items()},
        }

    def limits(self, level: float) -> tuple[float, float]:
        """The confidence limits of this difference at a level."""
        assert self.mean is not None
        (low,), (high,) = self.mean.limits(level)
        return float(low), float(high)

    def tails(self, against: float) -> tuple[float, float]:
        """One-sided p-values of this difference, against a greater and against a smaller one."""
        if self.accuracies is not None:
            found = [self.accuracies.pvalue("accuracy", against=against, alternative=x) for x in ("greater", "less")]
            return float(found[0]), float(found[1])
        assert self.mean is not None
        greater, less = self.mean.tails(against)
        return float(greater[0]), float(less[0])

    def within(self, margin: float, level: float = 0.95, *, both: bool = True) -> Equivalence:
        """Whether the scores differ by less than the margin; or, of one side, whether a is worse by less."""
        if self.accuracies is not None:
            way = self.accuracies.equivalence if both else self.accuracies.noninferiority
            return way("accuracy", margin=margin, level=level)
        return super().within(margin, level, both=both)


def compare_marks(
    a: Marks, b: Marks, *, names: tuple[Any, Any] | None = None, level: float = 0.95, measure: str = "score"
) -> MarksDifference:
    """The difference of two scores, paired by items; `measure` may be a reducer ("pass_at(2)").

    Scores of 0 and 1 are compared as accuracies are, however often an item was asked. Partial ones are
    compared by the interval of a mean that is bounded by −1 and 1, between items or between the clusters
    that these were sampled in. The standard error is that between them in either case.

    >>> one, other = (Marks.from_columns(mark=x) for x in ([1, 1, 1, 0, 1, 1], [1, 0, 0, 0, 1, 0]))
    >>> found = compare_marks(one, other)
    >>> round(found.estimate, 2), round(found.standard_error, 3), found.mcnemar
    (0.5, 0.224, 0.25)
    """
    checked_level(level)
    names = names or (a.system or "a", b.system or "b")
    runs = unfinished_notes({name: m.unfinished for name, m in zip(names, (a, b), strict=True)})
    lost, states = _left_out(a, b, names), {name: m.states for name, m in zip(names, (a, b), strict=True)}
    if measure not in ("score", "mean"):
        a, b = a.reduce(measure), b.reduce(measure)
    one, other = shared([a, b])
    x, y, w = one.values, other.values, one.item_weight
    if len(x) < 2:
        raise InferenceError("One item counts in both systems; how items differ takes two at least.")
    mean = mean_of((x - y)[:, None], w, one.unit, (-1.0, 1.0))
    estimate, df = float(mean.means[0]), mean.df
    once = all(m.whole and m.epochs == 1 for m in (one, other))

    more: dict[str, Any] = {"effective_n": df + 1, "df": df, "notes": (*runs, *_notes(df, lost))}
    if one.whole and other.whole:
        accuracies = _accuracies(one, other, names, level)
        found = accuracies["accuracy"]
        low, high, pvalue, method = float(found.low), float(found.high), float(found.pvalue), found.method
        more = {
            "accuracies": accuracies,
            "effective_n": found.effective_n,
            "notes": (*runs, *_notes(np.inf, lost), *found.notes),
        }
    else:
        low, high, pvalue = *(float(x[0]) for x in mean.limits(level)), float(mean.pvalue()[0])
        method = f"{bounded_mean.NAMED}, by {'items' if one.unit is None else 'clusters'}"
    return MarksDifference(
        estimate=estimate,
        low=low,
        high=high,
        pvalue=pvalue,
        a=one.score,
        b=other.score,
        method=method,
        level=level,
        measure=one.name if one.name == other.name else measure,
        n=float(len(x)),
        standard_error=float(mean.standard_error[0]),
        names=names,
        mcnemar=_mcnemar(x, y) if once else None,
        both=_both(x, y) if once else None,
        left_out=lost,
        states=states,
        marks=(one, other),
        mean=mean,
        **more,
    )


def _accuracies(one: Marks, other: Marks, names: tuple[Any, Any], level: float) -> Comparison:
    """The paired comparison of which the difference of accuracies is that of the scores."""
    joint = joint_of(one, other)
    return Comparison(joint, (joint.a, joint.b), names, level, "auto", "multinomial", ComparisonOptions(None, DRAWS))


def _mcnemar(x: Array, y: Array) -> float:
    one, other = ((x > y).sum(), (y > x).sum())
    return float(sign_pvalue(np.asarray(float(one)), np.asarray(float(other)), mid=False))


def _both(x: Array, y: Array) -> Table:
    real, predicted = (np.where(held >= 1, RIGHT, WRONG) for held in (y, x))
    return Table.from_labels(real=real, predicted=predicted, labels=[RIGHT, WRONG], positive=RIGHT)


def _left_out(a: Marks, b: Marks, names: tuple[Any, Any]) -> dict[Any, dict[str, int]]:
    """Items of either system that do not count in one of them, by their state there."""
    every = dict.fromkeys((*a.items, *b.items))
    found: dict[Any, dict[str, int]] = {}
    for name, m in zip(names, (a, b), strict=True):
        often = np.bincount(_states_of(m)[m.item_weight == 0], minlength=len(STATES))
        often[STATES.index("not-run")] += len(every) - len(m.items)
        found[name] = {state: int(n) for state, n in zip(STATES, often, strict=True) if n}
    return found


def _states_of(m: Marks) -> Places:
    """The state of an item is that of its first case; of one without a case, that it was not run."""
    return np.append(m.state, STATES.index("not-run"))[first_rows(m.item, len(m.items))]


def _notes(df: float, lost: Mapping[Any, Mapping[str, int]]) -> tuple[Note, ...]:
    notes = []
    for name, held in lost.items():
        if held:
            said = ", ".join(f"{n:,} {state}" for state, n in held.items())
            notes.append(warning(f"Items that do not count in {system_name(name)} are left out: {said}.", "left-out"))
    if df + 1 < FEW:
        said = f"There are {int(df) + 1} items or units: they say little about their own spread."
        notes.append(Note(said, code="few-units"))
    return tuple(notes)
