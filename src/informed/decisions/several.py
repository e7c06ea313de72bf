"""Several curves beside each other: groups of cases, or several scores of the same cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from informed._numbers import percent, plural, rate
from informed.decisions.chosen import Chosen
from informed.decisions.curve import Curve
from informed.decisions.multiclass import AreaDifference, compare_areas, compare_curves
from informed.decisions.roc import roc
from informed.evidence.labels import Label
from informed.evidence.shown import shown
from informed.results import Note, Records, Result, picked, plain_dict, warning
from informed.systems.multiplicity import adjusted

Choose = Callable[[Curve], Chosen]
AREAS = "name:label cases:count prevalence auc low high threshold:amount informedness corrected"
COSTS = "cost_apparent:amount expected_cost:amount expected_cost_low:amount expected_cost_high:amount"
DIFFERENCES = "a:label b:label estimate:signed low:signed high:signed pvalue:p adjusted:p method:words"


@dataclass(frozen=True, eq=False, repr=False)
class Several(Result):
    """Curves by name, what was chosen on each, and how their areas differ."""

    page = "several_curves"

    curves: Mapping[Any, Curve]
    chosen: Mapping[Any, Chosen]  # of the curves that have an area
    found: Mapping[tuple[Any, Any], AreaDifference]
    paired: bool
    level: float
    shared: int = 0  # units that are in several groups

    @cached_property
    def ranked(self) -> list[Any]:
        """Names of the curves with an area, the largest first."""
        return sorted(self.chosen, key=lambda name: -self.curves[name].auc)

    @property
    def notes(self) -> tuple[Note, ...]:
        """Curves without an area or below 1/2, and what the differences need to say."""
        return tuple(self._notes())

    def _notes(self) -> Iterator[Note]:
        if low := [x for x in self.ranked if self.curves[x].interval(self.level).high < 0.5]:
            named = ", ".join(map(shown, low[:10]))
            yield warning(f"Below 1/2: {named}. Reverse the labels or the score.", "reversed")
        if gone := [x for x in self.curves if x not in self.chosen]:
            why = "; ".join(f"{shown(x)}: {self.curves[x].why}" for x in gone[:10])
            yield Note(f"Without an area: {why}.", code="one-class")
        if self.shared:
            said = f"{plural(self.shared, 'unit')} shared by several groups are taken as different: "
            yield warning(f"{said}what groups share is not seen in their differences.", "shared-units")
        for note in dict.fromkeys(note for d in self.found.values() for note in d.notes):
            yield Note(note.text, code=note.code)
        if len(self.found) > 1:
            yield Note(f"p-values are adjusted for {len(self.found)} tests (Holm).", code="adjusted")

    def records(self) -> Records:
        """A row for each curve with an area: the area and the threshold chosen on it."""
        rows = []
        for name in self.ranked:
            curve, choice = self.curves[name], self.chosen[name].choice
            i, b = curve.interval(self.level), choice["informedness"]
            cases = (curve.positives + curve.negatives, curve.prevalence)
            row = (name, *cases, curve.auc, i.low, i.high, choice.threshold, b.apparent, b.corrected)
            cost = self.chosen[name].costs
            rows.append(row if cost is None else (*row, cost.apparent, cost.expected_cost, cost.low, cost.high))
        costs = any(made.costs is not None for made in self.chosen.values())
        return Records.of(f"{AREAS} {COSTS}" if costs else AREAS, rows)

    @cached_property
    def differences(self) -> Records:
        """A row for each pair of curves, with p-values as they are and adjusted (Holm)."""
        p = adjusted([d.pvalue for d in self.found.values()]).tolist() if self.found else []
        each = zip(self.found.items(), p, strict=True)
        rows = [(a, b, d.estimate, d.low, d.high, d.pvalue, x, d.method) for ((a, b), d), x in each]
        return Records.of(DIFFERENCES, rows)

    def to_dict(self) -> dict[str, Any]:
        """Each curve, and each difference."""
        curves = {"curves": [self._one(name) for name in self.curves]}
        return plain_dict(picked(self, "paired level") | curves | picked(self, "differences notes"))

    def _one(self, name: Any) -> dict[str, Any]:
        curve, made = self.curves[name], self.chosen.get(name)
        held = {"name": name, **picked(curve, "positives negatives")}
        if made is None:
            return {**held, "auc": None, "why": curve.why}
        area = picked(curve.interval(self.level), "estimate low high method")
        worth = picked(made.choice["informedness"], "apparent corrected")
        costs = {} if made.costs is None else {"costs": made.costs}
        return {**held, "auc": area, "threshold": made.choice.threshold, "informedness": worth, **costs}

    def sentence(self) -> str:
        """The largest and the smallest area, and how many differences are beyond luck."""
        if not self.ranked:
            return f"None of {plural(len(self.curves), 'curve')} has an area: a class is missing."
        what = "scores of the same cases" if self.paired else "groups"
        first, last = self.ranked[0], self.ranked[-1]
        said = f"Of {len(self.curves)} {what}, {shown(first)} has the largest area, {rate(self.curves[first].auc)}"
        costs = {name: made.costs for name, made in self.chosen.items() if made.costs is not None}
        known = [name for name, cost in costs.items() if not np.isnan(cost.expected_cost)]
        if known:
            least = min(known, key=lambda name: float(costs[name].expected_cost))
            said = f"{shown(least)} has the least expected cost. {costs[least].sentence()} {said}"
        if first == last:
            return f"{said}."
        p = np.array(self.differences["adjusted"])
        sure = int((p < 1 - self.level).sum())
        return (
            f"{said}, and {shown(last)} the smallest, {rate(self.curves[last].auc)}; {sure} of "
            f"{len(p)} differences {'is' if sure == 1 else 'are'} beyond luck at "
            f"{percent(self.level)}, all tests together."
        )


def of_groups(curves: Mapping[Any, Curve], choose: Choose, level: float = 0.95, shared: int = 0) -> Several:
    """Curves of different cases, compared as such; `shared` units are in several groups."""
    good = {name: curve for name, curve in curves.items() if not curve.why}
    found = {(a, b): compare_curves(good[a], good[b], level) for a, b in combinations(good, 2)}
    return Several(curves, {x: choose(c) for x, c in good.items()}, found, False, level, shared)


def of_scores(
    *,
    real: Any,
    scores: Mapping[Any, Any],
    choose: Choose,
    positive: Label | None = None,
    level: float = 0.95,
    unit: Any = None,
    item: Any = None,
) -> Several:
    """Several scores of the same cases, compared in pairs."""
    told: dict[str, Any] = {"real": real, "positive": positive, "unit": unit, "item": item}
    found = compare_areas(scores=scores, level=level, **told)
    curves = {x: roc(score=held, **told) for x, held in scores.items()}
    return Several(curves, {x: choose(c) for x, c in curves.items()}, found, True, level)
