"""Abstention: what a system is worth that may stay silent, and where it should.

A bettor who stays out of a race neither wins nor loses: an abstention adds nothing to
informedness, and a label whose own informedness is negative is better not used at all. What to do
about it is in `informed.decisions.rejection`: a table without such labels, and Chow's thresholds.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, ratio
from informed.errors import InferenceError
from informed.evidence.label_policy import Missing
from informed.evidence.labels import Label
from informed.evidence.paired import paired
from informed.evidence.table import Table
from informed.inference.answers import Interval
from informed.inference.intervals import interval
from informed.measures import find
from informed.measures.shown import WITH_ABSTENTIONS
from informed.results import Note, Records, Result, picked, plain_dict


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


def abstention(t: Table, *, level: float = 0.95) -> Abstention:
    """What a system with abstentions is worth, and which labels it should stop using.

    Turning the predictions of label l into abstentions changes informedness B to B − Prev(l)·B(l),
    so a label with B(l) < 0 costs; but a small negative number may be luck, and `harmful` lists
    those beyond it.

    >>> t = Table.from_counts([[30, 10], [10, 30]], abstained=[10, 10])
    >>> found = abstention(t)
    >>> round(found.coverage.estimate, 3), round(found.of_all.estimate, 3)
    (0.8, 0.4)
    """
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
    area: float  # mean risk over the coverages (AURC); lower is better
    tables: Table

    def records(self) -> Records:
        """One row a threshold, from the surest cases to all."""
        return Records.picked(self, "threshold=thresholds coverage risk informedness of_all")

    def to_dict(self) -> dict[str, Any]:
        """The area, the best threshold, and up to a thousand points of the curve."""
        held = self.records().select("coverage", "risk", "informedness", "of_all")
        few = Records(held.columns, held.rows[:: 1 + len(held) // 1000])
        return plain_dict({"area": self.area, "best": self.best, "curve": few})

    @property
    def best(self) -> float:
        """The threshold with the highest informedness over all cases."""
        return float(self.thresholds[np.nanargmax(self.of_all)])


def risk_coverage(
    *,
    real: Any,
    predicted: Any,
    score: Any,
    labels: Sequence[Label] | None = None,
    abstain: Any = None,
    missing: Missing = "error",
    steps: int | None = None,
) -> RiskCoverage:
    """The risk–coverage curve of a system that says how sure it is.

    `score` is higher where the system is surer. Cases with equal scores are answered together; a
    case without an answer (see `abstain` and `missing`, as for `Table.from_labels`) is answered at
    no threshold, and needs no score. With `steps` there are at most so many points, spread evenly
    over the answers; the area is that of all.
    """
    try:
        sure = np.asarray(score, dtype=np.float64)
    except (TypeError, ValueError):
        raise InferenceError("`score` holds what is no number; one for every case is needed.") from None

    places = range(len(sure)) if missing == "drop" and sure.ndim == 1 else None
    p = paired(real, {"system": predicted}, items=places, labels=labels, abstain=abstain, missing=missing)
    sure = sure if p.items is None else sure[np.asarray(p.items)]
    if sure.shape != (len(p),):
        raise InferenceError(f"`score` has shape {sure.shape} for {len(p)} cases.")

    said = p.codes[:, 0] >= 0
    if not said.any():
        raise InferenceError("No case has a prediction; there is nothing to be sure of.")
    if not np.isfinite(sure[said]).all():
        raise InferenceError("`score` must be finite wherever there is a prediction.")
    sure, codes, real_codes = sure[said], p.codes[said, 0], p.real_codes[said]

    thresholds, level = _points(sure, steps)
    k, points = len(p.labels), len(thresholds)
    cell = (level * k + codes) * k + real_codes
    each = np.bincount(cell, minlength=points * k * k).reshape(points, k, k)
    counts = each.cumsum(axis=0).astype(np.float64)
    reals = np.bincount(p.real_codes, minlength=k).astype(np.float64)
    tables = Table.from_counts(counts, labels=p.labels, abstained=reals - counts.sum(axis=1))
    tables = replace(tables, stated=p.stated)

    answered = counts.sum(axis=(1, 2))
    wrong = answered - np.einsum("tll->t", counts)
    return RiskCoverage(
        thresholds=thresholds,
        coverage=answered / len(p),
        risk=ratio(wrong, answered),
        informedness=np.asarray(find("informedness")(tables.answered)),
        of_all=np.asarray(find("informedness_of_all")(tables)),
        area=_mean_risk(sure, codes == real_codes),
        tables=tables,
    )


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


def _mean_risk(sure: Array, right: NDArray[np.bool_]) -> float:
    """Risk averaged over the coverages at every distinct score (AURC)."""
    _, level = _points(sure, None)
    answered = np.bincount(level).astype(np.float64)
    wrong = answered - np.bincount(level, weights=right)
    return float((ratio(wrong.cumsum(), answered.cumsum()) * answered).sum() / len(sure))
