"""Staying out of the market: which labels, and which cases, are better left without an answer.

`informed.abstention` says what a system is worth that stays silent already; this is what to do.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.decisions.costs import costs_of
from informed.decisions.curve import Curve
from informed.decisions.hull import Hull
from informed.errors import TableError
from informed.evidence import checks as build
from informed.evidence.labels import some
from informed.evidence.table import Table
from informed.measures.chance import informedness
from informed.measures.diagnosis import informedness_of_all
from informed.results import Result
from informed.systems.risk_coverage import risk_coverage


@dataclass(frozen=True)
class Dropped:
    """Labels that are better not predicted, and what that brings."""

    labels: tuple[Hashable, ...]
    table: Table  # their predictions are abstentions now
    before: float  # informedness over all cases
    after: float
    coverage: float

    def sentence(self) -> str:
        if not self.labels:
            return f"Every label is informed: nothing to drop (informedness {self.before:.4f})."
        return (
            f"Without an answer instead of {some(self.labels)}: informedness over all cases "
            f"{self.before:.4f} → {self.after:.4f}, coverage {self.coverage:.1%}."
        )


def drop_superstitious(t: Table) -> Dropped:
    """Abstain from each label l with B(l) < 0.

    Abstaining from l changes informedness over all cases by −Prev(l)·B(l), exactly and for each
    label on its own, so dropping those below 0, and no others, is best.

    >>> t = Table.from_counts([[8, 1, 4], [1, 9, 4], [3, 2, 1]], labels=["a", "b", "c"])
    >>> drop_superstitious(t).labels
    ('c',)
    """
    if t.shape or not t.is_square:
        raise TableError("One square table at a time: labels are dropped from its predictions.")
    # over all cases, so that prevalence counts those already without an answer
    unanswered = np.zeros(t.k) if t.unanswered is None else t.unanswered
    real = t.real_totals + unanswered
    n = real.sum()
    gain = ratio(t.hits, real) - ratio(t.predicted_totals - t.hits, n - real)
    bad = np.nan_to_num(gain) < -1e-12
    cells = t.cells * ~bad[:, None]
    left = unanswered + (t.cells * bad[:, None]).sum(axis=0)
    made = replace(
        t,
        cells=build.frozen(cells),
        squares=None if t.squares is None else build.frozen(t.squares * ~bad[:, None]),
        unanswered=build.frozen(left) if left.any() else None,
    )
    return Dropped(
        labels=tuple(x for x, b in zip(t.labels, bad, strict=True) if b),
        table=made,
        before=float(informedness_of_all(t)),
        after=float(informedness_of_all(made)),
        coverage=float(ratio(made.total, n)),
    )


# ---------------------------------------------------------------------- coverage


@dataclass(frozen=True, eq=False)
class CoverageCurve(Result):
    """What the answered cases, the surest first, are worth at each coverage."""

    confidence: Array  # the least that is answered, descending
    coverage: Array
    informedness: Array  # of the answered cases
    of_all: Array  # over all cases: an abstention wins nothing
    accuracy: Array

    @property
    def best(self) -> int:
        """Position of the greatest informedness over all cases."""
        return int(np.nanargmax(self.of_all))

    def sentence(self) -> str:
        i = self.best
        return (
            f"Greatest informedness over all cases {self.of_all[i]:.4f}, answering from a "
            f"confidence of {self.confidence[i]:.4g} on: coverage {self.coverage[i]:.1%}, "
            f"informedness of the answers {self.informedness[i]:.4f}. All answered: "
            f"{self.of_all[-1]:.4f}."
        )


def coverage_curve(
    *, real: Any, predicted: Any, confidence: Any, steps: int = 100
) -> CoverageCurve:
    """Informedness against coverage: the least confident cases are left without an answer.

    Cases of equal confidence are answered together; there are at most `steps` points.
    """
    found = risk_coverage(real=real, predicted=predicted, score=confidence, steps=steps)
    return CoverageCurve(
        confidence=found.thresholds,
        coverage=found.coverage,
        informedness=found.informedness,
        of_all=found.of_all,
        accuracy=1 - found.risk,
    )


# ---------------------------------------------------------------------- Chow's rule


@dataclass(frozen=True)
class Reject(Result):
    """Two thresholds: positive from `upper` on, negative below `lower`, no answer between."""

    upper: float
    lower: float
    table: Table  # with the abstentions
    cost: float  # a case
    without: float  # a case, when all must be answered
    coverage: float

    def sentence(self) -> str:
        if self.upper == self.lower:
            return f"Abstaining does not pay: score ≥ {self.upper:g} costs {self.cost:.4g} a case."
        return (
            f"Positive where score ≥ {self.upper:g}, negative where < {self.lower:g}, else no "
            f"answer: {self.cost:.4g} a case instead of {self.without:.4g}, coverage "
            f"{self.coverage:.1%}."
        )


def chow(curve: Curve, *, cost: Any = "1:1", abstain: float, prevalence: Any = None) -> Reject:
    """The thresholds of least cost when a case without an answer costs `abstain` (Chow, 1970).

    The cost is a sum of a part for each threshold, so both are found exactly, in one pass.

    Parameters
    ----------
    cost
        FN:FP, in the same money as `abstain`.
    prevalence
        Of the population where the system will work; by default that of these cases.
    """
    if curve.why:
        raise TableError(f"There is no threshold to choose: {curve.why}.")
    miss, alarm = costs_of(cost)
    if not abstain >= 0:
        raise TableError(f"`abstain` is {abstain!r}; what no answer costs must not be negative.")
    share = _share(curve, prevalence)
    tp, fp = share * curve.recall, (1 - share) * curve.fallout
    single = alarm * fp + miss * (share - tp)
    above = alarm * fp - abstain * (tp + fp)
    below = miss * (share - tp) + abstain * (tp + fp)
    upper, lower = int(above.argmin()), int(below.argmin())
    alone = int(single.argmin())
    together = float(above[upper] + below[lower])
    if upper >= lower or together >= single[alone] - 1e-15:  # no room between them
        upper = lower = alone
        together = float(single[alone])
    high, low = curve.point(upper).table, curve.point(lower).table
    plus = high.labels.index(curve.positive)
    cells = np.empty((2, 2))
    cells[plus], cells[1 - plus] = high.cells[plus], low.cells[1 - plus]
    left = low.cells[plus] - high.cells[plus]
    return Reject(
        upper=float(curve.thresholds[upper]),
        lower=float(curve.thresholds[lower]),
        table=Table.from_counts(
            cells,
            labels=curve.labels,
            positive=curve.positive,
            abstained=left if left.any() else None,
        ),
        cost=together,
        without=float(single[alone]),
        coverage=float(1 - (tp[lower] + fp[lower] - tp[upper] - fp[upper])),
    )


@dataclass(frozen=True, eq=False, repr=False)
class RejectCurve(Result):
    """Every choice that Chow's rule makes, from the dearest answers left out to all answered.

    `of_all` counts a case without an answer as winning nothing.
    """

    page = "decisions"

    prices: Array  # of no answer, a case: from here on the cases of this point are answered
    upper: Array  # positive from here on
    lower: Array  # negative below
    coverage: Array  # ascending to 1
    informedness: Array  # of the answered cases
    of_all: Array
    cost: Array  # a case, of the answers

    def at(self, coverage: float) -> int:
        """Position of the largest coverage up to this one, or of the least there is."""
        return max(int(np.searchsorted(self.coverage, coverage + 1e-12)) - 1, 0)

    def __repr__(self) -> str:
        return f"RejectCurve: {len(self.coverage)} choices, coverage from {self.coverage[0]:.1%}"

    def sentence(self) -> str:
        lines = ["coverage  informedness of the answers  of all cases  answered where score is"]
        for wanted in (1.0, 0.9, 0.8, 0.7, 0.5):
            i = self.at(wanted)
            lines.append(
                f"{self.coverage[i]:8.1%}  {self.informedness[i]:27.4f}  {self.of_all[i]:12.4f}  "
                f"< {self.lower[i]:.6g} or ≥ {self.upper[i]:.6g}"
            )
        return "\n".join(dict.fromkeys(lines))


def reject_curve(curve: Curve, *, cost: Any = None, prevalence: Any = None) -> RejectCurve:
    """Informedness against coverage when Chow's rule leaves the least sure cases out.

    The cases of an edge of the hull are equally sure; edges are answered in the order of what an
    answer to them costs, so that these are all the choices of `chow` for any price of no answer.

    Parameters
    ----------
    cost
        FN:FP; by default the classes count the same whatever their sizes, as in informedness.
    prevalence
        Of the population where the system will work; by default that of these cases.

    >>> from informed.decisions.roc import roc
    >>> curve = roc(real=[0, 0, 1, 0, 1, 0, 1, 1], score=[1, 2, 3, 4, 5, 6, 7, 8])
    >>> print(reject_curve(curve).sentence())
    coverage  informedness of the answers  of all cases  answered where score is
      100.0%                       0.5000        0.5000  < 7 or ≥ 7
       50.0%                       1.0000        0.5000  < 3 or ≥ 7
    """
    if curve.why:
        raise TableError(f"There is no threshold to choose: {curve.why}.")
    share = _share(curve, prevalence)
    miss, alarm = (0.5 / share, 0.5 / (1 - share)) if cost is None else costs_of(cost)
    corners = curve.hull()
    tp, fp = share * corners.recall, (1 - share) * corners.fallout
    alone = int((alarm * fp + miss * (share - tp)).argmin())  # when all must be answered
    hits, alarms = np.diff(tp), np.diff(fp)
    above = np.arange(len(hits)) < alone
    price = ratio(np.where(above, alarm * alarms, miss * hits), hits + alarms)
    order = np.argsort(price, kind="stable")
    upper = np.cumsum(above[order])
    lower = len(hits) - np.cumsum(~above[order])
    return RejectCurve(
        prices=price[order],
        upper=corners.thresholds[upper],
        lower=corners.thresholds[lower],
        coverage=1 - (tp[lower] + fp[lower] - tp[upper] - fp[upper]),
        cost=alarm * fp[upper] + miss * (share - tp[lower]),
        **_answered(corners, upper, lower),
    )


def _answered(corners: Hull, upper: Any, lower: Any) -> dict[str, Array]:
    """Informedness of what is answered at these pairs of corners, and over all cases."""
    tp, fp = corners.tp, corners.fp
    cells = [[tp[upper], fp[upper]], [tp[-1] - tp[lower], fp[-1] - fp[lower]]]
    made = Table(
        build.frozen(cells),
        build.UNLABELLED,
        build.UNLABELLED,
        positive=build.UNLABELLED[0],
        axes=(None,),
        unanswered=build.frozen([tp[lower] - tp[upper], fp[lower] - fp[upper]]),
    )
    return {
        "informedness": np.asarray(informedness(made.answered)),
        "of_all": np.asarray(informedness_of_all(made)),
    }


def _share(curve: Curve, prevalence: Any) -> float:
    share = curve.prevalence if prevalence is None else float(prevalence)
    if not 0 < share < 1:
        raise TableError(f"The prevalence is {share:g}; it must lie between 0 and 1.")
    return share
