"""A curve with the threshold that was chosen on it, its costs, and when to give no answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._numbers import percent, rate, span
from informed.decisions.costs import CostCurve, DecisionCurve, cost_curve, decision_curve, expected_cost
from informed.decisions.curve import Curve
from informed.decisions.rejection import Reject, RejectCurve, chow, reject_curve
from informed.decisions.threshold import Choice, method_of, threshold
from informed.decisions.threshold_cost import ThresholdCost, threshold_cost
from informed.errors import InferenceError
from informed.evidence.labels import text
from informed.evidence.table import Table
from informed.measures import find
from informed.measures.shown import AT_POINT, AT_THRESHOLD
from informed.results import Kind, Note, Records, Result, picked, plain_dict

METHODS = ("informedness", "closest", "bias")  # shown beside the one that was asked for
STOPS = 160  # thresholds that are looked at, besides those of the methods


@dataclass(frozen=True)
class Stops:
    """Thresholds spread evenly over the cases, and what each makes of them."""

    positions: NDArray[np.intp]  # on the curve
    tables: Table
    records: Records  # threshold, measures, and what a case costs
    start: int  # where the choice is


@dataclass(frozen=True, eq=False, repr=False)
class Chosen(Result):
    """A curve with what was chosen on it."""

    page = "curve"

    curve: Curve
    choice: Choice
    cost: Any = None  # FN:FP
    prevalence: float | None = None  # of the positives where it will be used
    price: float | None = None  # of a case without an answer

    @property
    def notes(self) -> tuple[Note, ...]:
        """Those of the curve and of the choice."""
        return self.choice.notes

    @cached_property
    def others(self) -> dict[str, Choice]:
        """What other methods choose; their thresholds are wanted, not their intervals."""
        wanted = (name for name in METHODS if name != self.choice.method)
        return {name: threshold(self.curve, name, n_draws=20) for name in wanted}

    @cached_property
    def costs(self) -> ThresholdCost | None:
        """What the choice costs on new cases, where a cost or a prevalence is given."""
        if (self.cost, self.prevalence) == (None, None):
            return self.choice.cost
        how = {"cost": self.money, "prevalence": self.prevalence, "level": self.choice.level}
        return threshold_cost(self.curve, self.choice.table, self.choice.expected, **how)

    @property
    def money(self) -> Any:
        """FN:FP; where none is given, both cost the same."""
        return "1:1" if self.cost is None else self.cost

    @cached_property
    def reject(self) -> Reject | None:
        """When to give no answer, where that has a price."""
        if self.price is None:
            return None
        return chow(self.curve, cost=self.money, abstain=self.price, prevalence=self.prevalence)

    @cached_property
    def coverage(self) -> RejectCurve:
        """What leaving out the least sure cases brings."""
        return reject_curve(self.curve, cost=self.cost, prevalence=self.prevalence)

    @cached_property
    def cost_curve(self) -> CostCurve:
        """What a case costs for every weight of the positives."""
        return cost_curve(self.curve)

    @cached_property
    def decision_curve(self) -> DecisionCurve | None:
        """The net benefit, of scores that can be probabilities, which they are no longer when turned round."""
        if self.curve.mirrored or self.curve.negated:
            return None
        finite = self.curve.thresholds[np.isfinite(self.curve.thresholds)]
        likely = len(finite) and finite.min() >= 0 and finite.max() <= 1
        return decision_curve(self.curve, prevalence=self.prevalence) if likely else None

    # ------------------------------------------------------------------ other thresholds

    @cached_property
    def stops(self) -> Stops:
        """Thresholds from none called positive to all, those of the methods among them."""
        called = self.curve.tp + self.curve.fp
        spread = np.searchsorted(called, np.linspace(0, called[-1], STOPS))
        own = [_place(self.curve, each) for each in (self.choice, *self.others.values())]
        at = np.unique(np.concatenate([spread, own]))
        tables = self.curve.at_positions(at, units=False)

        held: dict[str, tuple[Kind, Any]] = {"threshold": ("amount", self.curve.thresholds[at])}
        held |= {name: ("number", find(name)(tables)) for name in AT_THRESHOLD}
        held["expected_cost"] = ("amount", expected_cost(tables, self.money, prevalence=self.prevalence).expected_cost)
        return Stops(at, tables, Records.beside(held), int(np.searchsorted(at, own[0])))

    @property
    def methods(self) -> Records:
        """A row for each method: its threshold, and what that looks like on these cases."""
        found = {self.choice.method: self.choice, **self.others}
        rows = [(name, each.threshold, *(each[x].apparent for x in AT_POINT)) for name, each in found.items()]
        return Records.of(f"method:words threshold:amount {' '.join(AT_POINT)}", rows)

    # ------------------------------------------------------------------ showing

    def records(self) -> Records:
        """A row for each threshold of the curve."""
        return self.curve.records()

    def metrics(self) -> dict[str, float]:
        """The area, the threshold, the measures there and the expected cost."""
        costs = {} if self.costs is None else self.costs.metrics()
        return {**self.curve.metrics(), **self.choice.metrics(), **costs}

    def to_dict(self) -> dict[str, Any]:
        """The area, the choice, its costs, and what abstaining would bring."""
        own = plain_dict(picked(self, "choice costs reject coverage notes"))
        return {**self.curve.summary(self.choice.level), **own}

    def sentence(self) -> str:
        """What the score is worth, and from which threshold on to act."""
        curve, choice = self.curve, self.choice
        area, b = curve.interval(choice.level), choice["informedness"]
        if self.costs is not None:
            limits = f"{span(float(area.low), float(area.high))} at {percent(choice.level)}"
            said = f"{self.costs.sentence()} By {choice.method}, {choice.words}; AUC {rate(curve.auc)}, {limits}"
            return (
                f"{said}; informedness {rate(b.corrected)} to be expected on new cases ({rate(b.apparent)} on these)."
            )
        return (
            f"A case of {text(curve.positive)} scores higher than one of {text(curve.negative)} "
            f"{percent(curve.auc, 1)} of the time (AUC {rate(curve.auc)}, {span(float(area.low), float(area.high))} at "
            f"{percent(choice.level)}); by {choice.method}, {choice.words}: informedness {rate(b.corrected)} to be "
            f"expected on new cases ({rate(b.apparent)} on these)."
        )


def chosen(
    curve: Curve,
    method: str | Choice | None = None,
    *,
    value: float | None = None,
    cost: Any = None,
    prevalence: float | None = None,
    price: float | None = None,
    level: float = 0.95,
) -> Chosen:
    """A curve with the threshold that a method chooses, or with a choice that was made.

    By default the method is "cost" where a cost or a prevalence is given, else "informedness". What another method
    chooses is not chosen by the cost; the page says what it costs. `price` is that of a case without an answer.
    """
    if not isinstance(method, Choice):
        name = method_of(method, cost, prevalence)
        by_cost = {"cost": cost, "prevalence": prevalence} if name == "cost" else {}
        method = threshold(curve, name, value=value, level=level, **by_cost)
    elif value is not None:
        raise InferenceError("The threshold was chosen already: `value` goes with the method that chooses it.")
    return Chosen(curve, method, cost, prevalence, price)


def _place(curve: Curve, choice: Choice) -> int:
    """Position of a choice; an infinite threshold calls nothing, or those with infinite scores."""
    first = int(np.searchsorted(-curve.thresholds, -choice.threshold))
    return 1 if first == 0 and float(choice.table.pp) > 0 else first
