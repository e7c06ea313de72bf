"""Abstention: what a system is worth that may stay silent, and where it should.

A bettor who stays out of a race neither wins nor loses: an abstention adds nothing to
informedness, and a label whose own informedness is negative is better not used at all. What to do
about it is in `informed.decisions.rejection`: a table without such labels, and Chow's thresholds.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import InferenceError
from informed.evidence.calls import explained
from informed.evidence.label_policy import Missing
from informed.evidence.labels import Label
from informed.evidence.labels_by_name import LabelOptions, counted_for
from informed.evidence.likeness import Normalize
from informed.evidence.paired import Paired, answer_weights, paired
from informed.evidence.table import Table
from informed.evidence.unit_counting import alike
from informed.evidence.units import MOST_ENTRIES
from informed.inference.answers import Interval
from informed.inference.given import checked_level
from informed.inference.intervals import interval
from informed.measures import find
from informed.measures.shown import WITH_ABSTENTIONS
from informed.results import Note, Records, Result, finite, picked, plain_dict
from informed.systems.mean_risk import mean_risk_interval


@dataclass(frozen=True, eq=False, repr=False)
class Abstention(Result):
    """Coverage, informedness with and without its discount, and the labels that lose."""

    page = "abstention"

    coverage: Interval
    answered: Interval  # informedness of the answered cases
    discounted: Interval  # times coverage: exact where silence does not depend on the class
    of_all: Interval  # silence as a label that wins nothing: exact always
    differ: bool  # whether the two rules give different numbers
    per_label: Interval  # informedness of each label against the rest, intervals together
    labels: tuple[Hashable, ...]
    stop: tuple[Hashable, ...]  # labels with a negative informedness as counted
    harmful: tuple[Hashable, ...]  # those of them whose whole interval is negative
    without: dict[Hashable, float]  # informedness if a label of `stop` were an abstention
    notes: tuple[Note, ...] = ()

    def records(self) -> Records:
        """Coverage, and informedness with and without its discount."""
        held = {
            "coverage": self.coverage,
            "informedness of the answered": self.answered,
            "times coverage": self.discounted,
            "over all cases": self.of_all,
        }
        rows = [(name, x.estimate, x.low, x.high, x.method) for name, x in held.items()]
        return Records.of("measure:words estimate low high method:words", rows)

    def labels_records(self) -> Records:
        """One row a label against the rest: whether it loses, and beyond luck."""
        held = Records.picked(
            self, "label:label=labels estimate=per_label.estimate low=per_label.low high=per_label.high"
        )
        rows = [(*row, row[0] in self.stop, row[0] in self.harmful, self.without.get(row[0])) for row in held.rows]
        return Records.of("label:label estimate low high loses:flag harmful:flag without", rows)

    def to_dict(self) -> dict[str, Any]:
        """Coverage and informedness by name, and the labels that lose."""
        held = self.records().select("measure", "estimate", "low", "high").by("measure")
        return plain_dict(held | picked(self, "stop harmful notes"))


@explained
def abstention(
    t: Table | None = None,
    *,
    real: Any = None,
    predicted: Any = None,
    level: float = 0.95,
    **counting: Unpack[LabelOptions],
) -> Abstention:
    """What a system with abstentions is worth, and which labels it should stop using.

    Turning the predictions of label l into abstentions changes informedness B to B − Prev(l)·B(l),
    so a label with B(l) < 0 costs; but a small negative number may be luck, and `harmful` lists
    those beyond it. Labels can be given instead of a table, with the options of `Table.from_labels`.

    >>> t = Table.from_counts([[30, 10], [10, 30]], abstained=[10, 10])
    >>> found = abstention(t)
    >>> round(found.coverage.estimate, 3), round(found.of_all.estimate, 3)
    (0.8, 0.4)
    """
    t = counted_for(abstention, t, real, predicted, counting)
    if t.shape:
        raise InferenceError(f"This is a stack of shape {t.shape}; one table is needed.")
    coverage, answered, discounted, of_all = (interval(t, name, level=level) for name in WITH_ABSTENTIONS)
    differ = not np.isclose(discounted.estimate, of_all.estimate, rtol=1e-9, atol=1e-12)

    many = len(t.labels) > 2  # of two, both have the same number
    per_label = interval(t.answered.one_vs_rest(), "informedness", level=level, simultaneous=many)
    values, high = np.asarray(per_label.estimate), np.asarray(per_label.high)
    losing = [i for i, b in enumerate(values) if b < 0]

    notes = []
    if differ:
        said = "The two discounts differ because abstaining depends on the class; the one over all cases is exact."
        notes.append(Note(said, code="discounts-differ"))
    if losing and many:
        notes.append(Note("A label was chosen after seeing it lose: check it on other cases.", code="chosen-after"))
    elif losing:
        said = "With two classes both labels lose together: say the opposite instead."
        notes.append(Note(said, code="say-the-opposite"))

    prevalence = t.answered.prevalence
    return Abstention(
        coverage=coverage,
        answered=answered,
        discounted=discounted,
        of_all=of_all,
        differ=differ,
        per_label=per_label,
        labels=t.labels,
        stop=tuple(t.labels[i] for i in losing),
        harmful=tuple(t.labels[i] for i in losing if high[i] < 0),
        without={t.labels[i]: float(answered.estimate - prevalence[i] * values[i]) for i in losing},
        notes=tuple(notes),
    )


@dataclass(frozen=True, eq=False, repr=False)
class RiskCoverage(Result):
    """What is gained by answering only the surest cases, at every threshold of the score."""

    page = "abstention"

    thresholds: Array  # answer where the score is at least this
    coverage: Array
    risk: Array  # share of wrong answers among the answered
    informedness: Array  # of the answered cases
    of_all: Array  # informedness over all cases, silence winning nothing
    area: Interval  # mean risk over the coverages (AURC); lower is better
    tables: Table
    notes: tuple[Note, ...] = ()

    def records(self) -> Records:
        """One row a threshold, from the surest cases to all."""
        return Records.picked(self, "threshold=thresholds coverage risk informedness of_all")

    def to_dict(self) -> dict[str, Any]:
        """The area, the best threshold, and up to a thousand points of the curve."""
        held = self.records().select("coverage", "risk", "informedness", "of_all")
        few = Records(held.columns, held.rows[:: 1 + len(held) // 1000])
        area = picked(self.area, "estimate low high level")
        return plain_dict({"area": area, "best": self.best, "curve": few})

    def metrics(self) -> dict[str, float]:
        """The area (mean risk over the coverages) with its limits."""
        return finite({"aurc": self.area.estimate, "aurc_low": self.area.low, "aurc_high": self.area.high})

    @property
    def best(self) -> float:
        """The threshold with the highest informedness over all cases."""
        return float(self.thresholds[np.nanargmax(self.of_all)])


@explained
def risk_coverage(
    *,
    real: Any,
    predicted: Any,
    score: Any,
    labels: Sequence[Label] | None = None,
    abstain: Any = None,
    missing: Missing = "error",
    normalize: Normalize = None,
    unit: Any = None,
    item: Any = None,
    level: float = 0.95,
    steps: int | None = None,
) -> RiskCoverage:
    """The risk–coverage curve of a system that says how sure it is.

    `score` is higher where the system is surer. Cases with equal scores are answered together; a
    case without an answer (see `abstain`, `missing` and `normalize`, as for `Table.from_labels`) is answered at
    no threshold, and needs no score. With `steps` there are at most so many points, spread evenly
    over the answers; the area is that of all. Of more than five million cases times points, whose units
    are kept, there are fewer points. Cases that belong together (`unit`), or answers to one
    item, which share its weight (`item`), are one thing to the interval of the area at `level`, and to
    the tables.
    """
    checked_level(level)
    try:
        sure = np.asarray(score, dtype=np.float64)
    except (TypeError, ValueError):
        raise InferenceError("`score` holds what is no number; one for every case is needed.") from None

    places = range(len(sure)) if missing == "drop" and sure.ndim == 1 else None
    how: dict[str, Any] = {"items": places, "labels": labels, "abstain": abstain, "missing": missing}
    how["normalize"] = normalize
    p = paired(real, {"system": predicted}, unit=unit, item=item, **how)
    sure = sure if p.items is None else sure[np.asarray(p.items)]
    if sure.shape != (len(p),):
        raise InferenceError(f"`score` has shape {sure.shape} for {len(p)} cases.")

    said = p.codes[:, 0] >= 0
    if not said.any():
        raise InferenceError("No case has a prediction; there is nothing to be sure of.")
    if not np.isfinite(sure[said]).all():
        raise InferenceError("`score` must be finite wherever there is a prediction.")
    notes: tuple[Note, ...] = ()
    thresholds, at = _points(sure[said], steps)
    if p.groups and len(p) * len(thresholds) > MOST_ENTRIES:
        thresholds, at = _points(sure[said], max(1, MOST_ENTRIES // len(p)))
        many = f"{len(p):,} cases with units at every score are too many"
        notes = (Note(f"{many}; the curve has {len(thresholds):,} points, and the area is that of all.", code="steps"),)
    point = np.full(len(p), len(thresholds))
    point[said] = at
    tables = _tables(p, point, len(thresholds))

    w = answer_weights(p)
    area = _area(p, sure, w, level)
    answered = np.asarray(tables.total)
    wrong = answered - np.asarray(tables.hits.sum(axis=0))
    return RiskCoverage(
        thresholds=thresholds,
        coverage=answered / w.sum(),
        risk=ratio(wrong, answered),
        informedness=np.asarray(find("informedness")(tables.answered)),
        of_all=np.asarray(find("informedness_of_all")(tables)),
        area=area,
        tables=tables,
        notes=(*notes, *area.notes),
    )


def _area(p: Paired, sure: Array, w: Array, level: float) -> Interval:
    """The mean risk of what was answered, between the units or items of the answers."""
    group, rows, said = p.unit if p.unit is not None else p.item, np.arange(len(p)), p.codes[:, 0]
    if p.item is not None and alike(p.item, np.where(said < 0, 0.0, sure), said):  # each item is as asked once
        rows, w = np.unique(p.item, return_index=True)[1], np.ones(len(p))
    rows = rows[said[rows] >= 0]
    wrong = (said[rows] != p.real_codes[rows]).astype(np.float64)
    units = None if group is None else np.unique(group[rows], return_inverse=True)[1]
    return mean_risk_interval(sure[rows], wrong, level, w[rows], units)


def _tables(p: Paired, point: Any, points: int) -> Table:
    """The table at each point, where cases of later points are not answered; with their units."""
    if p.groups:
        rows, table = np.tile(np.arange(len(p)), points), np.repeat(np.arange(points), len(p))
        every = replace(p, items=None, kept={}).where(rows)
        held = replace(every, codes=np.where((table >= point[rows])[:, None], every.codes, -1))
        return replace(held.tables_by(table)[0], axes=(None,))

    k, said = len(p.labels), point < points
    cell = (np.minimum(point, points - 1) * k + np.where(said, p.codes[:, 0], 0)) * k + p.real_codes
    each = np.bincount(cell, said, minlength=points * k * k).reshape(points, k, k)
    counts = each.cumsum(axis=0).astype(np.float64)
    silent = np.bincount(p.real_codes, minlength=k) - counts.sum(axis=1)
    return replace(Table.from_counts(counts, labels=p.labels, abstained=silent), stated=p.stated)


def _points(sure: Array, steps: int | None) -> tuple[Array, Any]:
    """The scores from which on cases are answered, descending, and the point of each case."""
    if steps is None:
        thresholds, level = np.unique(-sure, return_inverse=True)
        return -thresholds, level
    if steps < 1:
        raise InferenceError(f"`steps` is {steps}; at least 1 point is needed.")
    ranked = np.sort(sure)[::-1]
    ends = np.unique(np.round(np.linspace(1, len(sure), min(steps, len(sure)))).astype(int))
    thresholds = np.unique(ranked[ends - 1])[::-1]
    return thresholds, np.searchsorted(-thresholds, -sure)
