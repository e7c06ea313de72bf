"""Abstention: what a system is worth that may stay silent, and where it should.

A bettor who stays out of a race neither wins nor loses: an abstention adds nothing to
informedness, and a label whose own informedness is negative is better not used at all.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import InferenceError
from informed.inference.intervals import interval
from informed.inference.results import Interval
from informed.measures import find
from informed.table import Table


@dataclass(frozen=True, eq=False)
class Abstention:
    """Coverage, informedness with and without its discount, and the labels that lose."""

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
    notes: tuple[str, ...] = ()

    def _repr_html_(self) -> str:
        import informed

        return informed.notebook_html(self)


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
    coverage, answered, discounted, of_all = (
        interval(t, name, level=level)
        for name in ("coverage", "informedness", "informedness_discounted", "informedness_of_all")
    )
    differ = not np.isclose(discounted.estimate, of_all.estimate, rtol=1e-9, atol=1e-12)
    each = t.answered.one_vs_rest()
    if len(t.labels) > 2:
        per_label = interval(each, "informedness", level=level, simultaneous=True)
    else:
        per_label = interval(each, "informedness", level=level)  # the two are the same number
    values, high = np.asarray(per_label.estimate), np.asarray(per_label.high)
    losing = [i for i, b in enumerate(values) if b < 0]
    notes = []
    if differ:
        notes.append(
            "The two discounts differ because abstaining depends on the class; the one over all "
            "cases is exact."
        )
    if len(t.labels) == 2 and losing:
        notes.append("With two classes both labels lose together: say the opposite instead.")
    elif losing:
        notes.append("A label was chosen after seeing it lose: check it on other cases.")
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


@dataclass(frozen=True, eq=False)
class RiskCoverage:
    """What is gained by answering only the surest cases, at every threshold of the score."""

    thresholds: Array  # answer where the score is at least this
    coverage: Array
    risk: Array  # share of wrong answers among the answered
    informedness: Array  # of the answered cases
    of_all: Array  # informedness over all cases, silence winning nothing
    area: float  # mean risk over the coverages (AURC); lower is better
    tables: Table

    def _repr_html_(self) -> str:
        import informed

        return informed.notebook_html(self)

    @property
    def best(self) -> float:
        """The threshold with the highest informedness over all cases."""
        return float(self.thresholds[np.nanargmax(self.of_all)])


def risk_coverage(*, real: Any, predicted: Any, score: Any) -> RiskCoverage:
    """The risk–coverage curve of a system that says how sure it is.

    `score` is higher where the system is surer. Cases with equal scores are answered together; a
    case without a prediction is answered at no threshold, and needs no score.
    """
    from informed.systems._answers import paired

    p = paired(real, {"system": predicted})
    sure = np.asarray(score, dtype=np.float64)
    if sure.shape != (len(p),):
        raise InferenceError(f"`score` has shape {sure.shape} for {len(p)} cases.")
    said = p.codes[:, 0] >= 0
    if not said.any():
        raise InferenceError("No case has a prediction; there is nothing to be sure of.")
    if not np.isfinite(sure[said]).all():
        raise InferenceError("`score` must be finite wherever there is a prediction.")
    thresholds, level = np.unique(-sure[said], return_inverse=True)
    k, steps = len(p.labels), len(thresholds)
    cell = (level * k + p.codes[said, 0]) * k + p.real_codes[said]
    each = np.bincount(cell, minlength=steps * k * k).reshape(steps, k, k)
    counts = each.cumsum(axis=0).astype(np.float64)
    reals = np.bincount(p.real_codes, minlength=k).astype(np.float64)
    tables = Table.from_counts(counts, labels=p.labels, abstained=reals - counts.sum(axis=1))
    answered = counts.sum(axis=(1, 2))
    wrong = answered - np.einsum("tll->t", counts)
    risk = ratio(wrong, answered)
    added = np.diff(answered, prepend=0.0)
    return RiskCoverage(
        thresholds=-thresholds,
        coverage=answered / len(p),
        risk=risk,
        informedness=np.asarray(find("informedness")(tables.answered)),
        of_all=np.asarray(find("informedness_of_all")(tables)),
        area=float((risk * added).sum() / answered[-1]),
        tables=tables,
    )
