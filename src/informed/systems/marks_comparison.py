"""Two systems whose answers are only marked: is one better on the items that count in both?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from informed._arrays import Array
from informed.errors import InferenceError
from informed.evidence.joint import Joint
from informed.evidence.labels import Label
from informed.evidence.marks import RIGHT, WRONG, Marks, Places
from informed.evidence.states import STATES
from informed.evidence.table import Table
from informed.inference.given import checked_level
from informed.inference.marks_score import spread, student
from informed.inference.mcnemar import sign_pvalue
from informed.inference.resampling import DRAWS
from informed.results import Kind, Note, warning
from informed.systems.comparison import Comparison
from informed.systems.difference import Difference
from informed.systems.tails import ComparisonOptions

FEW = 10  # items below which their own spread is hardly known


@dataclass(frozen=True, repr=False)
class MarksDifference(Difference):
    """How much better the first system scores than the second, on the items that count in both."""

    kinds: ClassVar[Mapping[str, Kind]] = {**Difference.kinds, "mcnemar": "p"}

    mcnemar: float | None = None  # exact p-value, where every item was marked once, right or wrong
    both: Table | None = None  # who was right where: b real, a predicted; agreement, and where they differ
    left_out: Mapping[Any, Mapping[str, int]] = field(default_factory=dict)  # items of each, by their state

    def to_dict(self) -> dict[str, Any]:
        """Its numbers, the exact test beside them, and what was left out."""
        counts = None if self.both is None else self.both.counts.tolist()
        return {
            **super().to_dict(),
            "mcnemar": self.mcnemar,
            "right_and_wrong": counts,
            "left_out": {str(name): dict(held) for name, held in self.left_out.items()},
        }


def compare_marks(
    a: Marks, b: Marks, *, names: tuple[Any, Any] | None = None, level: float = 0.95, measure: str = "score"
) -> MarksDifference:
    """The difference of two scores, paired by items; `measure` may be a reducer ("pass_at(2)").

    Marks of 0 and 1, one to an item, are compared as accuracies are; others by Student's interval
    between items, or between the units that these were sampled in.

    >>> one, other = (Marks.from_columns(mark=x) for x in ([1, 1, 1, 0, 1, 1], [1, 0, 0, 0, 1, 0]))
    >>> found = compare_marks(one, other)
    >>> round(found.estimate, 2), round(found.standard_error, 3), found.mcnemar
    (0.5, 0.224, 0.25)
    """
    checked_level(level)
    names = names or (a.system or "a", b.system or "b")
    lost = _left_out(a, b, names)
    if measure not in ("score", "mean"):
        a, b = a.reduce(measure), b.reduce(measure)
    one, other = a.shared(b)
    x, y, w = one.values, other.values, one.item_weight
    if len(x) < 2:
        raise InferenceError("One item counts in both systems; how items differ takes two at least.")
    estimate, error, df = spread((x - y)[:, None], w, one.unit)

    plain = all(m.whole and m.epochs == 1 for m in (one, other))
    if plain and one.unit is None and bool((w == w[0]).all()):
        low, high, pvalue, method = _as_accuracies(x, y, level)
    else:
        low, high, pvalue = student(float(estimate[0]), float(error[0]), df, level)
        method = "t by items" if one.unit is None else "t by units"
    return MarksDifference(
        estimate=float(estimate[0]),
        low=low,
        high=high,
        pvalue=pvalue,
        a=one.score,
        b=other.score,
        method=method,
        level=level,
        measure=one.name if one.name == other.name else measure,
        n=float(len(x)),
        effective_n=df + 1,
        standard_error=float(error[0]),
        names=names,
        notes=_notes(df, lost),
        mcnemar=_mcnemar(x, y) if plain else None,
        both=_both(x, y) if plain else None,
        left_out=lost,
    )


def _as_accuracies(x: Array, y: Array, level: float) -> tuple[float, float, float, str]:
    """The limits and the p-value that a paired comparison of accuracies has."""
    labels: list[Label] = [RIGHT, WRONG]
    said = [np.where(values >= 1, RIGHT, WRONG) for values in (x, y)]
    joint = Joint.from_labels(real=np.full(len(x), RIGHT), a=said[0], b=said[1], labels=labels)
    options = ComparisonOptions(None, DRAWS)
    found = Comparison(joint, (joint.a, joint.b), ("a", "b"), level, "auto", "multinomial", options)["accuracy"]
    return float(found.low), float(found.high), float(found.pvalue), found.method


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
    found = np.full(len(m.items), STATES.index("not-run"), np.int64)
    found[m.item[::-1]] = m.state[::-1]
    return found


def _notes(df: float, lost: Mapping[Any, Mapping[str, int]]) -> tuple[Note, ...]:
    notes = []
    for name, held in lost.items():
        if held:
            said = ", ".join(f"{n:,} {state}" for state, n in held.items())
            notes.append(warning(f"Items that do not count in {name} are left out: {said}.", "left-out"))
    if df + 1 < FEW:
        said = f"There are {int(df) + 1} items or units: they say little about their own spread."
        notes.append(Note(said, code="few-units"))
    return tuple(notes)
