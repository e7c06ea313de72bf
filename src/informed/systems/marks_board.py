"""Many systems whose answers are only marked, on the items that count in all of them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import InferenceError
from informed.evidence.marks import Marks, Places
from informed.evidence.paired_marks import shared
from informed.evidence.states import RIGHT, WRONG
from informed.evidence.table import Table
from informed.inference import bounded_mean
from informed.inference.given import students
from informed.inference.marks_score import mean_of, spread, summed
from informed.measures import Measure, find
from informed.results import Note
from informed.systems.board import Leaderboard
from informed.systems.guards import unfinished_notes
from informed.systems.joint_estimates import GapTests, JointEstimates, of_gaps
from informed.systems.ranking import Asked, Ranking

MARKS = "marks are compared by their scores alone"
CLEAR = 0.5  # p-values below which limits and tests agree on every simultaneous level
MOST_NUMBERS = 2_000_000  # differences of items that are tested at once
SHARED = "items that count in every system; the score is the mean of their marks"


@dataclass(frozen=True, eq=False, repr=False)
class MarksBoard(Leaderboard):
    """Systems by their scores on the same items. Nothing is known of guessing."""

    told_from_guessing = False

    @classmethod
    def of_accuracies(cls, board: Leaderboard, name: str) -> MarksBoard:
        """The board of accuracies as one of scores of this name."""
        held = {one.name: getattr(board, one.name) for one in fields(board)}
        return cls(**{**held, "measure": name})

    @property
    def of(self) -> Measure:
        """A score is ranked as accuracy is."""
        return find("accuracy")

    @property
    def called(self) -> str:
        """The name that their tool has for it."""
        return self.measure

    def sentence(self) -> str:
        """Who may be the best, on how many items."""
        who = ", ".join(map(str, self.leaders))
        return f"Of {len(self)} systems on {self.items:,} shared items, the best may be: {who}."


def no_labels(because: str, **given: tuple[Any, Any]) -> None:
    """Refuse what is of labels and not as it is by default, where other evidence is compared."""
    for name, (value, usual) in given.items():
        if not (value is usual or (isinstance(value, str) and value == usual)):
            raise InferenceError(f"`{name}` is for labels; {because}.")


def shared_marks(
    marks: Mapping[Hashable, Marks], measure: str = "score", least: int = 2
) -> tuple[dict[Hashable, Marks], tuple[Note, ...]]:
    """The marks of the items that count in every system, reduced where that is asked; and what was left out."""
    if len(marks) < least:
        raise InferenceError("There is one system; `interval` is for it, a leaderboard takes two.")
    every = len(dict.fromkeys(item for m in marks.values() for item in m.items))
    if measure not in ("score", "mean", "accuracy", "informedness"):
        marks = {name: m.reduce(measure) for name, m in marks.items()}
    held = dict(zip(marks, shared(list(marks.values())), strict=True))
    kept = next(iter(held.values())).n
    if kept < 2:
        raise InferenceError("One item counts in every system; how items differ takes two at least.")
    runs = unfinished_notes({name: m.unfinished for name, m in marks.items()})
    if every == kept:
        return held, runs
    said = f"{kept:,} of {every:,} items count in every system; the others are left out."
    return held, (*runs, Note(said, code="left-out"))


def board_of_marks(marks: Mapping[Hashable, Marks], asked: Asked, notes: tuple[Note, ...] = ()) -> MarksBoard:
    """Partial scores of many systems on the same items, with simultaneous confidence intervals."""
    names, lead = tuple(marks), next(iter(marks.values()))
    x, w, unit = np.stack([m.values for m in marks.values()], axis=1), lead.item_weight, lead.unit
    asked = replace(asked, method=f"{bounded_mean.NAMED}, by {'items' if unit is None else 'clusters'}")
    ranking = Ranking(_estimates(x, w, unit), names, asked)
    low, high = mean_of(x, w, unit, (0.0, 1.0)).limits(ranking.quantiles[0])
    mean = ranking.found.values
    return MarksBoard(
        **ranking.fields(notes),
        measure=lead.name,
        basis=SHARED,
        items=len(x),
        low=low,
        high=high,
        beyond_guessing=np.zeros(len(names), np.bool_),
        tables=_tables(mean, float(len(x)), names),
    )


def _estimates(x: Array, w: Array, unit: Places | None) -> JointEstimates:
    """Means of the values of items ``(items, systems)``, and how they vary together between items or clusters.

    Differences have the p-values of `BoundedMean`, and limits that agree with them; those of differences near 0 are
    helped by one item at either end of the scale.
    """
    mean, _, df = spread(x, w, unit)
    apart = (w / w.sum())[:, None] * (x - mean)
    apart = apart if unit is None else summed(apart, unit)
    size = len(apart)
    covariance = apart.T @ apart * ratio(size, size - 1)
    variance, helped = of_gaps(covariance), covariance + np.eye(len(mean)) / (2 * (size + 1) ** 2)
    pvalue = _pvalues(x, w, unit)
    with np.errstate(divide="ignore", invalid="ignore"):
        tested = np.abs(np.subtract.outer(mean, mean)) / students(df, 1 - pvalue)
    tests = GapTests(pvalue, np.where(pvalue < CLEAR, tested, np.sqrt(of_gaps(helped))))
    many = np.full(covariance.shape, np.inf)
    return JointEstimates(
        mean, mean, helped, variance, np.full(many.shape, df), np.full(len(mean), df), many, gap_tests=tests
    )


def _pvalues(x: Array, w: Array, unit: Places | None) -> Array:
    """Two-sided p-values of no difference, of every two systems."""
    first, second = np.triu_indices(x.shape[1], 1)
    step = max(MOST_NUMBERS // len(x), 1)
    found = np.ones((x.shape[1],) * 2)
    for a in range(0, len(first), step):
        one, other = first[a : a + step], second[a : a + step]
        found[one, other] = mean_of(x[:, one] - x[:, other], w, unit, (-1.0, 1.0)).pvalue()
        found[other, one] = found[one, other]
    return found


def _tables(mean: Array, n: float, names: tuple[Hashable, ...]) -> Table:
    """What was right and wrong of each system, whose accuracy is the score."""
    zero = np.zeros_like(mean)
    counts = np.stack([np.stack([n * mean, zero], axis=-1), np.stack([n * (1 - mean), zero], axis=-1)], axis=-2)
    return Table.from_counts(np.clip(counts, 0, None), labels=[RIGHT, WRONG], positive=RIGHT, names=list(names))
