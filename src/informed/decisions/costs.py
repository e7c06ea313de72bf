"""Costs: of misses and false alarms, of any confusion, of chance; net benefit and cost curves.

Costs of two classes are named FN:FP, so that 5:1 is a miss that costs five false alarms. Their
ratio the other way round is c_v = FP/FN, and c = c_v·c_s with the skew c_s = negatives/positives
is the slope of the lines of equal cost in the ROC plane.

There is one scale: an expected cost is the mean per case in the units of the cost that was given. At 5:1 a miss costs 5
and a false alarm 1, so that `expected_cost` is the same number in every result that has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from informed._arrays import Array, Floats, plain, ratio
from informed._numbers import rate
from informed.decisions.auc import area
from informed.errors import TableError
from informed.evidence.labels import Label
from informed.evidence.table import Table
from informed.inference.answers import Interval
from informed.inference.intervals import interval
from informed.inference.possible_tables import tables
from informed.measures import Measure, find
from informed.measures.registry import Function
from informed.results import Kind, Result, finite

if TYPE_CHECKING:
    from informed.decisions.curve import Curve


def costs_of(cost: Any) -> tuple[float, float]:
    """What a miss and a false alarm cost: of "5:1", (5, 1) or 5.

    >>> costs_of("5:1"), costs_of(5), costs_of((1, 2))
    ((5.0, 1.0), (5.0, 1.0), (1.0, 2.0))
    """
    given = cost.split(":") if isinstance(cost, str) else cost
    try:
        parts = [float(x) for x in np.atleast_1d(np.asarray(given, dtype=object))]
    except (TypeError, ValueError):
        parts = []
    if len(parts) == 1:
        parts.append(1.0)
    if len(parts) != 2 or not all(np.isfinite(x) and x > 0 for x in parts):
        raise TableError(
            f"The cost is {cost!r}; it must be FN:FP, two positive numbers: 5:1 is a miss that costs five false alarms."
        )
    return parts[0], parts[1]


def isocost_slope(cost: Any, prevalence: Any, own: float) -> float:
    """c = c_v·c_s; without a prevalence it is that of the data, without both c = 1."""
    if cost is None and prevalence is None:
        return 1.0
    miss, alarm = (1.0, 1.0) if cost is None else costs_of(cost)
    share = share_of(prevalence, own)
    return alarm / miss * (1 - share) / share


def share_of(prevalence: Any, own: float) -> float:
    """The prevalence that is given, else that of the data."""
    share = own if prevalence is None else float(prevalence)
    if not 0 < share < 1:
        raise TableError(f"The prevalence is {share:g}; it must lie between 0 and 1.")
    return share


def cost_matrix(t: Table, cost: Any) -> Array:
    """Costs as a matrix (predicted, real), in the order of the table's labels."""
    if np.ndim(cost) == 2:
        matrix, shape = np.asarray(cost, dtype=np.float64), t.cells.shape[:2]
        if matrix.shape != shape:
            raise TableError(f"The costs have shape {matrix.shape}; the table has {shape}: rows are predictions.")
        if not np.isfinite(matrix).all():
            raise TableError("The costs hold NaN or infinity; they must be finite.")
        return matrix
    miss, alarm = costs_of(cost)
    if t.positive is None:
        needed = f"A cost FN:FP needs a positive class, and the classes are {t.real_labels}"
        raise TableError(f"{needed}: give `positive=`, or a matrix of costs.")
    matrix = np.array([[0.0, alarm], [miss, 0.0]])
    return matrix if t.labels.index(t.positive) == 0 else matrix[::-1, ::-1]


COSTS = ("expected_cost", "chance", "constant", "perfect")


@dataclass(frozen=True, repr=False)
class ExpectedCost(Result):
    """Expected cost per case of the system, and of answers that do not look at the case, in the units of the cost.

    Negative costs are gains.
    """

    kinds: ClassVar[Mapping[str, Kind]] = {"label": "label", **dict.fromkeys(COSTS, "amount")}

    expected_cost: Floats  # of the system
    chance: Floats  # guessing with the system's own margins
    constant: Floats  # the best of always saying one label
    label: Label  # which one that is
    perfect: Floats

    @property
    def saved(self) -> Floats:
        """Share of what can be saved over the best of guessing and constancy; 1 is perfect."""
        rival = np.minimum(self.chance, self.constant)
        return plain(ratio(rival - self.expected_cost, rival - self.perfect))

    def metrics(self) -> dict[str, float]:
        """The expected cost, and beside it those of the rivals; of a stack there are none."""
        if np.ndim(self.expected_cost):
            return {}
        held = {"expected_cost": self.expected_cost}
        return finite(
            held | {f"expected_cost_{name}": getattr(self, name) for name in ("chance", "constant", "perfect")}
        )

    def sentence(self) -> str:
        """What a case costs beside what it would cost those that do not look."""
        if np.ndim(self.expected_cost):
            return f"Costs of a case in a stack of the shape {np.shape(self.expected_cost)}."
        return (
            f"A case costs {self.expected_cost:.4g}; guessing with the same margins {self.chance:.4g}; "
            f"always saying {self.label!r}: {self.constant:.4g}; a perfect system "
            f"{self.perfect:.4g}. Saved: {self.saved:.1%} of what can be saved."
        )


def expected_cost(t: Table, cost: Any, *, prevalence: ArrayLike | None = None) -> ExpectedCost:
    """Compute the expected cost per case, with the cost of chance beside it.

    Parameters
    ----------
    cost
        FN:FP for two classes, or a matrix (predicted, real). The expected cost is in these units: at "5:1" a miss
        costs 5 and a false alarm 1; at "10:2" the same decisions cost twice as much.
    prevalence
        Of the population where the system will work; by default that of the table.

    >>> expected_cost(Table.from_counts([[8, 3], [2, 7]]), "5:1").expected_cost
    0.65
    """
    matrix = cost_matrix(t, cost).reshape(t.cells.shape[:2] + (1,) * len(t.shape))
    there = t if prevalence is None else t.at_prevalence(prevalence)
    system, chance = ((matrix * ratio(x.cells, x.total)).sum(axis=(0, 1)) for x in (there, there.independent))
    real = ratio(there.cells, there.total).sum(axis=0)
    each = (matrix * real).sum(axis=1)  # of always saying this label
    best, perfect = each.argmin(axis=0), (matrix.min(axis=0) * real).sum(axis=0)
    label = best if t.shape else t.predicted_labels[int(best)]
    return ExpectedCost(plain(system), plain(chance), plain(each.min(axis=0)), label, plain(perfect))


# ---------------------------------------------------------------------- against prevalence, cost


def against_prevalence(t: Table, measure: str | Measure | Function, prevalences: Any, **parameters: Any) -> Array:
    """A measure of the same two-class system at each of these prevalences, in one pass.

    >>> t = Table.from_counts([[80, 10], [20, 90]])
    >>> against_prevalence(t, "precision", [0.5, 0.01]).round(3).tolist()
    [0.889, 0.075]
    """
    share = _shares(prevalences, "The prevalences")
    tpr, fpr = float(ratio(t.tp, t.rp)), float(ratio(t.fp, t.rn))
    cells = float(t.total) * np.array([[share * tpr, (1 - share) * fpr], [share * (1 - tpr), (1 - share) * (1 - fpr)]])
    return np.asarray(find(measure)(tables(cells), **parameters))


def _shares(given: Any, what: str) -> Array:
    shares = np.asarray(given, dtype=np.float64)
    if shares.ndim != 1 or not shares.size or not ((shares >= 0) & (shares <= 1)).all():
        raise TableError(f"{what} must be a list of numbers between 0 and 1.")
    return shares


def interval_against_prevalence(
    t: Table, measure: str | Measure | Function, prevalences: Any, *, level: float = 0.95
) -> Interval:
    """The same with intervals: what the sample says of the system at each of these prevalences.

    The recalls carry their sampling error; the prevalences are taken as known.

    >>> t = Table.from_counts([[80, 10], [20, 90]])
    >>> i = interval_against_prevalence(t, "precision", [0.5, 0.01])
    >>> i.low.round(3).tolist(), i.high.round(3).tolist()
    ([0.823, 0.045], [0.941, 0.138])
    """
    each = [interval(t.at_prevalence(float(p)), measure, level=level) for p in _shares(prevalences, "The prevalences")]
    values, low, high = np.array([(i.estimate, i.low, i.high) for i in each]).T
    said = tuple(dict.fromkeys(note for i in each for note in i.notes))
    return replace(each[0], estimate=values, low=low, high=high, notes=said, effective_n=None)


def against_cost(t: Table, measure: str | Measure | Function, c: Any) -> Array:
    """A cost-sensitive form (accuracy_c, precision_c, f1_c, wracc_c) at each ratio c = c_v·c_s.

    >>> against_cost(Table.from_counts([[8, 3], [2, 7]]), "accuracy_c", [1, 2]).round(4).tolist()
    [0.75, 0.7333]
    """
    m = find(measure)
    if "c" not in m.parameters:
        raise TableError(f"{m} takes no cost; accuracy_c, precision_c, f1_c and wracc_c do.")
    return np.asarray(m(t, c=np.asarray(c, dtype=np.float64)))


# ---------------------------------------------------------------------- net benefit


def net_benefit(t: Table, probability: Any) -> Floats:
    """True positives less false ones at the exchange rate of this threshold probability, a case.

    Whoever acts from a probability p on takes p/(1 − p) as the price of a false positive.

    >>> net_benefit(Table.from_counts([[8, 3], [2, 7]]), 0.25)
    0.35
    """
    p = _acted_from(probability)
    return plain(ratio(t.tp - t.fp * p / (1 - p), t.total))


def _acted_from(probability: Any) -> Array:
    p = np.asarray(probability, dtype=np.float64)
    if not ((p >= 0) & (p < 1)).all():
        raise TableError(f"The threshold probability is {probability}; it must be in [0, 1).")
    return p


@dataclass(frozen=True, eq=False, repr=False)
class DecisionCurve(Result):
    """Net benefit of the model, of treating all and of treating none."""

    page = "decisions"

    probabilities: Array
    model: Array
    everyone: Array
    nobody: Array

    @property
    def useful(self) -> Array:
        """Where the model is better than both."""
        return np.asarray(self.model > np.maximum(self.everyone, self.nobody))

    def sentence(self) -> str:
        if not self.useful.any():
            return "At no threshold probability is the model better than treating all or none."
        inside = self.probabilities[self.useful]
        return (
            f"Better than treating all or none at {int(self.useful.sum())} of "
            f"{len(self.useful)} threshold probabilities, from {inside[0]:.3g} to {inside[-1]:.3g}."
        )


def decision_curve(curve: Curve, probabilities: Any = None, *, prevalence: float | None = None) -> DecisionCurve:
    """Net benefit of acting where score ≥ p, for scores that are probabilities."""
    p = _acted_from(np.linspace(0.01, 0.99, 99) if probabilities is None else probabilities)
    finite = curve.thresholds[np.isfinite(curve.thresholds)]
    if len(finite) and not (finite.min() >= 0 and finite.max() <= 1):
        seen = f"Scores run from {finite.min():g} to {finite.max():g}"
        raise TableError(f"{seen}: a decision curve needs probabilities, between 0 and 1.")
    at = np.searchsorted(-curve.thresholds, -p, "right") - 1
    share = share_of(prevalence, curve.prevalence)
    price = p / (1 - p)
    return DecisionCurve(
        probabilities=p,
        model=share * curve.recall[at] - (1 - share) * curve.fallout[at] * price,
        everyone=share - (1 - share) * price,
        nobody=np.zeros_like(p),
    )


# ---------------------------------------------------------------------- cost curves


@dataclass(frozen=True, eq=False, repr=False)
class CostCurve(Result):
    """Normalised expected cost over all thresholds: a share of the most that a case can cost (Drummond and Holte).

    Neither the costs nor the prevalence are fixed here, so that there are no units of cost.
    """

    page = "decisions"
    kinds = dict.fromkeys(("thresholds",), "amount")

    weight: Array  # of the positives: p·FN / (p·FN + (1 − p)·FP), that is 1 / (1 + c)
    normalised_cost: Array  # at the threshold that is best for this weight
    trivial: Array  # of the better constant: always or never
    thresholds: Array  # the best for each weight

    @property
    def area(self) -> float:
        """Mean cost if every weight is as likely; guessing has 1/4."""
        return area(self.normalised_cost, self.weight)

    def metrics(self) -> dict[str, float]:
        """The area below it."""
        return finite({"cost_curve_area": self.area})

    def sentence(self) -> str:
        return (
            f"Over all costs and prevalences alike, a case costs {rate(self.area)} of the most "
            "that it can; always giving the cheaper answer costs 0.250."
        )


def cost_curve(curve: Curve, weights: ArrayLike | None = None) -> CostCurve:
    """Miss rate·w + fallout·(1 − w) at the threshold that is best for each weight w."""
    w = _shares(np.linspace(0, 1, 101) if weights is None else weights, "The weights of the positives")
    curve.refuse_one_class("cost curve")
    corners = curve.hull()
    each = np.outer(1 - corners.recall, w) + np.outer(corners.fallout, 1 - w)
    return CostCurve(w, each.min(axis=0), np.minimum(w, 1 - w), corners.thresholds[each.argmin(axis=0)])
