"""Many systems whose answers are only marked, on the items that count in all of them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import InferenceError
from informed.evidence.marks import Marks
from informed.evidence.paired_marks import shared
from informed.evidence.states import RIGHT, WRONG
from informed.evidence.table import Table
from informed.inference.given import Rng, checked_level
from informed.inference.marks_score import spread, summed
from informed.measures import Measure, find
from informed.results import Note, Records
from informed.systems.board import Leaderboard, Pairs, Versus, place_of
from informed.systems.max_t import largest_of_each, largest_of_pairs, normal_draws
from informed.systems.multiplicity import FAMILYWISE, adjusted_pairs
from informed.systems.ranks import rank_intervals, tie_groups
from informed.systems.tails import tails, two_sided

SHARED = "items that count in every system; the score is the mean of their marks"
DRAWS = 20_000


@dataclass(frozen=True, eq=False, repr=False)
class MarksBoard(Leaderboard):
    """Systems by their scores on the same items. Nothing is known of guessing."""

    @classmethod
    def of_accuracies(cls, board: Leaderboard, name: str) -> MarksBoard:
        """The board of accuracies as one of scores of this name."""
        held = {one.name: getattr(board, one.name) for one in fields(board)}
        return cls(**{**held, "measure": name})

    @property
    def of(self) -> Measure:
        """A score is ranked as accuracy is."""
        return find("accuracy")

    def records(self) -> Records:
        """One row a system, best first."""
        names = "system:label=names rank rank_low rank_high estimate standard_error low high coverage"
        if self.versus is not None:
            names += " versus_baseline:signed=versus.estimate adjusted:p=versus.adjusted"
        held = Records.picked(self, names)
        return Records(held.columns, tuple(held.rows[s] for s in self.order))

    def sentence(self) -> str:
        """Who may be the best, on how many items."""
        who = ", ".join(map(str, self.leaders))
        return f"Of {len(self)} systems on {self.items:,} shared items, the best may be: {who}."


def shared_marks(
    marks: Mapping[Hashable, Marks], measure: str = "score"
) -> tuple[dict[Hashable, Marks], tuple[Note, ...]]:
    """The marks of the items that count in every system, reduced where that is asked; and what was left out."""
    if len(marks) < 2:
        raise InferenceError("There is one system; `interval` is for it, a leaderboard takes two.")
    every = len(dict.fromkeys(item for m in marks.values() for item in m.items))
    if measure not in ("score", "mean", "accuracy", "informedness"):
        marks = {name: m.reduce(measure) for name, m in marks.items()}
    held = dict(zip(marks, shared(list(marks.values())), strict=True))
    kept = next(iter(held.values())).n
    if kept < 2:
        raise InferenceError("One item counts in every system; how items differ takes two at least.")
    if every == kept:
        return held, ()
    said = f"{kept:,} of {every:,} items count in every system; the others are left out."
    return held, (Note(said, code="left-out"),)


def board_of_marks(
    marks: Mapping[Hashable, Marks],
    notes: tuple[Note, ...] = (),
    *,
    level: float = 0.95,
    adjust: str = "holm",
    baseline: Hashable | None = None,
    rng: Rng = None,
    n_draws: int | None = None,
) -> MarksBoard:
    """Scores of many systems on the same items, whose marks are partial, with intervals that hold together.

    >>> a, b = (Marks.from_columns(mark=x) for x in ([0.9] * 30, [1, 0.2] * 15))
    >>> board_of_marks({"a": a, "b": b}).leaders
    ('a',)
    """
    checked_level(level)
    names = tuple(marks)
    lead = next(iter(marks.values()))
    x, w, unit = np.stack([m.values for m in marks.values()], axis=1), lead.item_weight, lead.unit
    mean, error, df = spread(x, w, unit)
    apart = (w / w.sum())[:, None] * (x - mean)
    apart = apart if unit is None else summed(apart, unit)
    covariance = apart.T @ apart * ratio(len(apart), len(apart) - 1)
    drawn = normal_draws(covariance, n_draws or DRAWS, rng, df)

    critical = float(np.quantile(largest_of_each(drawn, error), level))
    between = _pairs(mean, covariance, drawn, df, level, adjust)
    strict = between.adjusted if adjust in FAMILYWISE else adjusted_pairs(between.pvalue, "holm")
    told = strict <= 1 - level
    rank_low, rank_high = rank_intervals(told & (between.estimate > 0))
    groups = tie_groups(np.argsort(-mean, kind="stable"), told)
    return MarksBoard(
        names=names,
        measure=lead.name,
        basis=SHARED,
        items=len(x),
        level=level,
        adjust=adjust,
        method="t by items" if unit is None else "t by units",
        estimate=mean,
        standard_error=error,
        low=np.clip(mean - critical * error, min(0.0, x.min()), None),
        high=np.clip(mean + critical * error, None, max(1.0, x.max())),
        covariance=covariance,
        critical=critical,
        pairs=between,
        versus=None if baseline is None else _versus(between, place_of(names, baseline), baseline),
        rank=1 + (mean[:, None] < mean).sum(axis=1),
        rank_low=rank_low,
        rank_high=rank_high,
        groups=tuple(tuple(names[s] for s in group) for group in groups),
        beyond_guessing=np.zeros(len(names), np.bool_),
        coverage=np.array([m.coverage for m in marks.values()]),
        tables=_tables(mean, float(len(x)), names),
        notes=notes,
    )


def _pairs(mean: Array, covariance: Array, drawn: Array, df: float, level: float, adjust: str) -> Pairs:
    variance = np.diagonal(covariance)
    square = variance[:, None] + variance - 2 * covariance
    error = np.sqrt(np.where(square > 1e-12 * (variance[:, None] + variance), square, 0.0))
    gap = np.subtract.outer(mean, mean)
    critical = float(np.quantile(largest_of_pairs(drawn, error), level))
    z = np.where(error > 0, np.abs(gap) / np.where(error > 0, error, 1.0), 0.0)
    pvalue = np.asarray(two_sided(tails((z, -z), df)))
    adjusted = adjusted_pairs(pvalue, adjust if adjust != "max-t" else "holm")
    return Pairs(gap, error, gap - critical * error, gap + critical * error, pvalue, adjusted, critical)


def _versus(between: Pairs, base: int, baseline: Hashable) -> Versus:
    """Of all pairs, those with the baseline."""
    names = ("estimate", "standard_error", "low", "high", "pvalue", "adjusted")
    itself = np.arange(len(between.estimate)) == base
    held: dict[str, Any] = {name: np.where(itself, np.nan, getattr(between, name)[:, base]) for name in names}
    return Versus(**held, critical=between.critical, baseline=baseline)


def _tables(mean: Array, n: float, names: tuple[Hashable, ...]) -> Table:
    """What was right and wrong of each system, whose accuracy is the score."""
    zero = np.zeros_like(mean)
    counts = np.stack([np.stack([n * mean, zero], axis=-1), np.stack([n * (1 - mean), zero], axis=-1)], axis=-2)
    return Table.from_counts(np.clip(counts, 0, None), labels=[RIGHT, WRONG], positive=RIGHT, names=list(names))
