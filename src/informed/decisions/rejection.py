"""Staying out of the market: which labels, and which cases, are better left without an answer.

`informed.abstention` says what a system is worth that stays silent already; this is what to do.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from informed._arrays import Array, exact_zero, ratio
from informed._numbers import percent, rate
from informed.decisions.costs import costs_of, share_of
from informed.decisions.curve import Curve
from informed.decisions.hull import Steps
from informed.errors import TableError
from informed.evidence import checks as build
from informed.evidence.labels import Labels, some, written
from informed.evidence.shown import shown
from informed.evidence.table import Table
from informed.measures.chance import informedness
from informed.measures.diagnosis import informedness_of_all
from informed.results import Note, Records, Result, plain, plain_dict
from informed.systems.risk_coverage import Abstention, abstention


@dataclass(frozen=True, repr=False)
class Dropped(Result):
    """Labels that are better not predicted, and what that brings."""

    labels: tuple[Hashable, ...]
    table: Table  # their predictions are abstentions now
    before: float  # informedness over all cases
    after: float
    coverage: float

    def records(self) -> Records:
        """One row."""
        named = ", ".join(map(written, self.labels))
        return Records.of("labels:words before after coverage", [(named, self.before, self.after, self.coverage)])

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "labels": plain(self.labels)}

    def sentence(self) -> str:
        """Which labels, and what leaving them without an answer brings."""
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
    bad = exact_zero(np.nan_to_num(gain)) < 0
    kept = ~bad[:, None]
    left = unanswered + (t.cells * ~kept).sum(axis=0)
    made = replace(
        t,
        cells=build.frozen(t.cells * kept),
        squares=None if t.squares is None else build.frozen(t.squares * kept),
        unanswered=build.frozen(left) if left.any() else None,
    )
    return Dropped(
        labels=tuple(x for x, b in zip(t.labels, bad, strict=True) if b),
        table=made,
        before=float(informedness_of_all(t)),
        after=float(informedness_of_all(made)),
        coverage=float(ratio(made.total, n)),
    )


@dataclass(frozen=True, eq=False, repr=False)
class Market(Result):
    """Whether each label pays: its informedness with an interval, and what to drop."""

    dropped: Dropped
    silence: Abstention
    level: float

    @property
    def notes(self) -> tuple[Note, ...]:
        """How sure it is that the dropped labels lose."""
        if not self.dropped.labels:
            return ()
        sure = tuple(map(shown, self.silence.harmful))
        said = f"{', '.join(sure)} beyond luck" if sure else "none beyond luck"
        return (Note(f"Of these, {said}.", code="harmful"), *self.silence.notes)

    def records(self) -> Records:
        """A row for each label, the least informed first."""
        found, each = self.silence, self.silence.per_label
        verdicts = dict.fromkeys(found.labels, "pays")
        verdicts |= dict.fromkeys(self.dropped.labels, "loses") | dict.fromkeys(found.harmful, "harmful")
        rows = zip(found.labels, each.estimate, each.low, each.high, verdicts.values(), strict=True)
        return Records.of("label:label informedness low high verdict:words", sorted(rows, key=lambda row: row[1]))

    def sentence(self) -> str:
        return self.dropped.sentence()


def market(t: Table, *, level: float = 0.95) -> Market | None:
    """Which labels of three or more are better not used; None where nothing is to be said.

    Two classes share one informedness, so that both or neither would be dropped: that is said as
    "reverse the labels" elsewhere.
    """
    if t.shape or not t.is_square or len(t.labels) < 3 or not t.n:
        return None
    return Market(drop_superstitious(t), abstention(t, level=level), level)


# ---------------------------------------------------------------------- Chow's rule


@dataclass(frozen=True, repr=False)
class Reject(Result):
    """Two thresholds: positive from `upper` on, negative below `lower`, no answer between."""

    kinds = dict.fromkeys(("upper", "lower", "expected_cost", "without"), "amount")

    upper: float
    lower: float
    table: Table  # with the abstentions
    expected_cost: float  # per case, unanswered ones included, in the units of the cost
    without: float  # the same when all must be answered
    coverage: float

    def sentence(self) -> str:
        """Where an answer is given, and what that saves."""
        if self.upper == self.lower:
            return (
                f"Abstaining does not pay: score ≥ {self.upper:g} costs {self.expected_cost:.4g} a case on these cases."
            )
        return (
            f"Positive where score ≥ {self.upper:g}, negative where < {self.lower:g}, else no answer: "
            f"{self.expected_cost:.4g} a case instead of {self.without:.4g}, coverage {self.coverage:.1%}, on these "
            "cases, which chose the thresholds."
        )


def chow(curve: Curve, *, cost: Any = "1:1", abstain: float, prevalence: ArrayLike | None = None) -> Reject:
    """The thresholds of least cost when a case without an answer costs `abstain` (Chow, 1970).

    The cost is a sum of a part for each threshold, so both are found exactly, in one pass.

    Parameters
    ----------
    cost
        FN:FP, in the same money as `abstain`.
    prevalence
        Of the population where the system will work; by default that of these cases.
    """
    curve.refuse_one_class("threshold to choose")
    miss, alarm = costs_of(cost)
    if not abstain >= 0:
        raise TableError(f"`abstain` is {abstain!r}; what no answer costs must not be negative.")
    share = share_of(prevalence, curve.prevalence)
    tp, fp = share * curve.recall, (1 - share) * curve.fallout
    single = alarm * fp + miss * (share - tp)
    above = alarm * fp - abstain * (tp + fp)
    below = miss * (share - tp) + abstain * (tp + fp)
    upper, lower, alone = (int(cost.argmin()) for cost in (above, below, single))
    together = float(above[upper] + below[lower])
    if upper >= lower or together >= single[alone] - 1e-15:  # no room between them
        upper = lower = alone
        together = float(single[alone])

    return Reject(
        upper=float(curve.thresholds[upper]),
        lower=float(curve.thresholds[lower]),
        table=_between(curve, upper, lower, (curve.positive, curve.negative)).with_order(curve.labels),
        expected_cost=together,
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
    expected_cost: Array  # per case, of the answers alone: a case without an answer adds nothing

    def at(self, coverage: float) -> int:
        """Position of the largest coverage up to this one, or of the least there is."""
        return max(int(np.searchsorted(self.coverage, coverage + 1e-12)) - 1, 0)

    def records(self) -> Records:
        """A row for each choice."""
        shares = "coverage informedness informedness_of_all=of_all"
        return Records.picked(self, f"{shares} lower:amount upper:amount price:amount=prices expected_cost:amount")

    def to_dict(self) -> dict[str, Any]:
        """The choices as lists."""
        return plain_dict(self.records().lists())

    def sentence(self) -> str:
        """What the answers are worth where all are given, and where only the surest are."""
        said = [
            f"{rate(float(self.informedness[i]))} where {percent(self.coverage[i], 1)} are answered"
            for i in dict.fromkeys(map(self.at, (1.0, 0.8, 0.5)))
        ]
        return f"Informedness of the answers: {', '.join(said)}."


def reject_curve(curve: Curve, *, cost: Any = None, prevalence: ArrayLike | None = None) -> RejectCurve:
    """Informedness against coverage when Chow's rule leaves the least sure cases out.

    The cases of an edge of the hull are equally sure; edges are answered in the order of what an
    answer to them costs, so that these are all the choices of `chow` for any price of no answer.

    Parameters
    ----------
    cost
        FN:FP; without a cost and a prevalence the classes count the same whatever their sizes, as in informedness.
    prevalence
        Of the population where the system will work; by default that of these cases. Without a cost, a miss and a
        false alarm cost the same there, as in `Curve.best`.

    >>> from informed.decisions.roc import roc
    >>> curve = roc(real=[0, 0, 1, 0, 1, 0, 1, 1], score=[1, 2, 3, 4, 5, 6, 7, 8])
    >>> reject_curve(curve)
    Informedness of the answers: 0.500 where 100 % are answered, 1.000 where 50 % are answered.
    coverage  informedness  informedness of all  lower  upper  price  expected cost
       0.250           n/a                0.250      1      7      0              0
       0.500         1.000                0.500      3      7      0              0
       1.000         0.500                0.500      7      7    0.5           0.25
    """
    curve.refuse_one_class("threshold to choose")
    share = share_of(prevalence, curve.prevalence)
    balanced = cost is None and prevalence is None
    miss, alarm = (0.5 / share, 0.5 / (1 - share)) if balanced else costs_of("1:1" if cost is None else cost)
    corners = curve.hull()
    tp, fp = share * corners.recall, (1 - share) * corners.fallout
    alone = int((alarm * fp + miss * (share - tp)).argmin())  # when all must be answered
    hits, alarms = np.diff(tp), np.diff(fp)
    above = np.arange(len(hits)) < alone
    price = ratio(np.where(above, alarm * alarms, miss * hits), hits + alarms)
    order = np.argsort(price, kind="stable")
    upper = np.cumsum(above[order])
    lower = len(hits) - np.cumsum(~above[order])
    made = _between(corners, upper, lower)

    return RejectCurve(
        prices=price[order],
        upper=corners.thresholds[upper],
        lower=corners.thresholds[lower],
        coverage=1 - (tp[lower] + fp[lower] - tp[upper] - fp[upper]),
        informedness=np.asarray(informedness(made.answered)),
        of_all=np.asarray(informedness_of_all(made)),
        expected_cost=alarm * fp[upper] + miss * (share - tp[lower]),
    )


def _between(held: Steps, upper: Any, lower: Any, labels: Labels = build.UNLABELLED) -> Table:
    """Positive from an upper position on, negative below a lower one, no answer between them."""
    high, low, all_of_them = (np.stack([held.tp[at], held.fp[at]], axis=-1) for at in (upper, lower, -1))
    left = low - high
    return Table.from_counts(
        np.stack([high, all_of_them - low], axis=-2), labels=labels, abstained=left if left.any() else None
    )
