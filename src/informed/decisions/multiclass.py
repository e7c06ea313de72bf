"""Several areas: of two curves, of several scores on the same cases, of many classes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, plain, ratio
from informed._numbers import percent, plural, probability, rate, signed, span
from informed.decisions import auc as _auc
from informed.decisions.curve import Curve
from informed.decisions.roc import numbers, roc, two_classes
from informed.decisions.scored_units import Mask, UnitColumn, unit_column
from informed.errors import InferenceError, LabelError, one_of
from informed.evidence.calls import explained
from informed.evidence.cells import Places
from informed.evidence.columns import column
from informed.evidence.label_policy import LabelPolicy, Missing, encode
from informed.evidence.labels import Label, some
from informed.inference.answers import Interval
from informed.inference.given import checked_level
from informed.inference.unit_spread import Spread, between_units, of_effects
from informed.results import Note, Records, Result, finite, picked, plain_dict, warning
from informed.systems.tails import quantile, tails, two_sided

__all__ = ["AreaDifference", "Areas", "compare_areas", "compare_curves", "multiclass"]


@dataclass(frozen=True, repr=False)
class AreaDifference(Result):
    """Area of a less area of b."""

    kinds = dict.fromkeys(("estimate", "low", "high"), "signed")

    estimate: float
    low: float
    high: float
    pvalue: float
    a: float
    b: float
    level: float
    method: str
    notes: tuple[Note, ...] = ()

    def metrics(self) -> dict[str, float]:
        """Both areas, and their difference with its limits."""
        held = {"auc_a": self.a, "auc_b": self.b, "auc_difference": self.estimate}
        return finite(held | {f"auc_difference_{name}": getattr(self, name) for name in ("low", "high", "pvalue")})

    def sentence(self) -> str:
        """Both areas, their difference with its interval, and its p-value."""
        found = f"{signed(self.estimate)} {span(self.low, self.high)}".strip()
        return (
            f"AUC {rate(self.a)} − {rate(self.b)} = {found} ({percent(self.level)}), "
            f"{probability(self.pvalue)} ({self.method})."
        )


def compare_curves(a: Curve, b: Curve, level: float = 0.95) -> AreaDifference:
    """Difference of two areas from different cases (DeLong, unpaired); units are taken as different."""
    each = [c.spread for c in (a, b)]
    variance = sum(x.variance for x in each)
    df = ratio(variance**2, sum(x.variance**2 / x.df for x in each)) if any(np.isfinite(x.df) for x in each) else np.inf
    notes = tuple(note for c in (a, b) if c.units is not None for note in c.units.notes(c.spread))
    return _difference(a.auc, b.auc, Spread(variance, float(df)), level, f"{_rule(a.units, b.units)}, unpaired", notes)


def _rule(*units: Any) -> str:
    """Whose variance it is: DeLong's of independent cases, Obuchowski's where cases come in clusters."""
    return "obuchowski" if any(x is not None and not x.single for x in units) else "delong"


def compare_areas(
    *,
    real: Any,
    scores: Mapping[Any, Any],
    positive: Label | None = None,
    level: float = 0.95,
    unit: Any = None,
    item: Any = None,
    missing: Missing = "error",
) -> dict[tuple[Any, Any], AreaDifference]:
    """Differences of the areas of several scores of the same cases (DeLong, paired).

    One for each pair of names, in their order. ``missing="drop"`` leaves out the cases that lack
    a label or any of the scores. `unit` and `item` as for `roc`.

    >>> found = compare_areas(
    ...     real=[0, 0, 0, 1, 1, 1],
    ...     scores={"old": [1, 2, 5, 3, 4, 6], "new": [1, 2, 3, 4, 6, 5]},
    ... )
    >>> round(found["old", "new"].estimate, 4)
    -0.2222
    """
    _, _, is_positive, there = two_classes(real, positive, missing)
    names = list(scores)
    if len(names) < 2:
        raise InferenceError("Two or more scores are needed, by name.")
    held = [numbers(scores[name], len(is_positive)) for name in names]
    units = unit_column(unit, item, len(is_positive))
    if missing == "drop":
        there = np.logical_and.reduce([there, *(~np.isnan(x) for x in held)])
        is_positive, held = is_positive[there], [x[there] for x in held]
        units = None if units is None else units.where(there)

    curves = [roc(real=is_positive, score=values, unit=units) for values in held]
    if why := curves[0].why:
        raise InferenceError(f"There is nothing to compare: {why}.")
    spread = _paired_spreads(curves, held, is_positive)
    shared = curves[0].units

    def difference(i: int, j: int) -> AreaDifference:
        own = spread(i, j)
        notes = () if shared is None else shared.notes(own, "the difference")
        return _difference(curves[i].auc, curves[j].auc, own, level, f"{_rule(shared)}, paired", notes)

    return {(names[i], names[j]): difference(i, j) for i, j in combinations(range(len(names)), 2)}


def _paired_spreads(curves: Sequence[Curve], held: Sequence[Array], own: Mask) -> Callable[[int, int], Spread]:
    """The spread of the difference of any two areas on the same cases."""
    units = [c.units for c in curves if c.units is not None]
    if not units:
        placed = [_auc.placed(values[own], values[~own]) for values in held]
        above, below = (np.array(shares) for shares in zip(*placed, strict=True))
        between = _auc.covariance(above, below)
        return lambda i, j: Spread(float(between[i, i] + between[j, j] - 2 * between[i, j]))

    sides = [_auc.placements(c.tp, c.fp) for c in curves]
    each = [np.where(own, p[u.step], n[u.step]) for (p, n), u in zip(sides, units, strict=True)]
    first = units[0]
    if not all(u.single for u in units):

        def apart(i: int, j: int) -> Spread:
            weight = units[j if units[i].repeated else i].weight  # of answers that differ, where those of one do
            return between_units(each[i] - each[j], first.kind, first.unit, weight)

        return apart

    # Units that are one case several times: each counts once, with the weight that it has.
    at = np.unique(first.unit, return_index=True)[1]
    once = np.arange(len(at))

    def alone(i: int, j: int) -> Spread:
        found = between_units((each[i] - each[j])[at], first.kind[at], once, first.size)
        return replace(found, variance=found.alone, df=np.inf)

    return alone


def _difference(
    a: float, b: float, spread: Spread, level: float, method: str, notes: tuple[Note, ...] = ()
) -> AreaDifference:
    checked_level(level)
    estimate = a - b
    if not spread.variance > 1e-20:  # rounding leaves a few 1e-33 of equal scores
        why = "The data show no spread of this difference (equal or perfect rankings, or too few cases)"
        said = warning(f"{why}, so it has no interval and no p-value.", "no-spread")
        return AreaDifference(estimate, np.nan, np.nan, np.nan, a, b, level, method, (said, *notes))
    error = np.sqrt(spread.variance)
    half = quantile(level, spread.df) * error
    low, high = max(estimate - half, -1.0), min(estimate + half, 1.0)
    away = np.asarray(abs(estimate) / error)
    pvalue = float(two_sided(tails((away, -away), spread.df)))
    return AreaDifference(estimate, float(low), float(high), pvalue, a, b, level, method, notes)


MEANS = {
    "macro": "mean over the classes",
    "weighted": "weighted by prevalence",
    "hand_till": "over pairs of classes (Hand and Till)",
}


@dataclass(frozen=True, eq=False, repr=False)
class Areas(Result):
    """Areas of many classes, each by the score of its own column."""

    labels: tuple[Hashable, ...]
    one_vs_rest: Array  # each class against all others
    prevalence: Array
    pairs: Array  # Hand and Till's A(i, j), symmetric
    variances: Mapping[str, float]  # of macro, weighted and hand_till
    one_vs_rest_variance: Array
    freedom: Mapping[str, Any] = field(default_factory=dict)  # degrees of freedom, where cases come in units
    notes: tuple[Note, ...] = ()

    @property
    def macro(self) -> float:
        """Mean over the classes."""
        return float(np.mean(self.one_vs_rest))

    @property
    def weighted(self) -> float:
        """Mean over the classes, weighted by prevalence."""
        return float(np.dot(self.prevalence, self.one_vs_rest))

    @property
    def hand_till(self) -> float:
        """Mean over the pairs of classes: it does not depend on prevalence."""
        k = len(self.labels)
        return float(np.mean(self.pairs[np.triu_indices(k, 1)]))

    def interval(self, which: str = "macro", level: float = 0.95) -> Interval:
        """Interval of "macro", "weighted" or "hand_till", or of "one_vs_rest": one for each class.

        DeLong's variance, carried over to the means case by case and taken on the logit scale. For
        "weighted" the prevalences are estimates too.
        """
        checked_level(level)
        one_of("which", which, ("one_vs_rest", *self.variances), InferenceError)
        value = getattr(self, which)
        spread = self.one_vs_rest_variance if which == "one_vs_rest" else self.variances[which]
        low, high = np.vectorize(_auc.logit_limits, otypes="dd")(value, spread, level, self.freedom.get(which, np.inf))
        none = Note("Where the data show no spread of an area, it has no interval.", code="no-spread")
        said = (*self.notes, none) if np.isnan(low).any() else self.notes
        return Interval(value, plain(low), plain(high), level, "delong-logit", f"auc {which}", "multinomial", said)

    def records(self, level: float = 0.95) -> Records:
        """A row for each class: its area against the rest, with its interval."""
        each = self.interval("one_vs_rest", level)
        numbers = (x.tolist() for x in (each.estimate, each.low, each.high, self.prevalence))
        return Records.of("class:label auc low high prevalence", zip(self.labels, *numbers, strict=True))

    def means(self, level: float = 0.95) -> Records:
        """A row for each mean over the classes or their pairs, with its interval."""
        found = {title: self.interval(which, level) for which, title in MEANS.items()}
        return Records.of("mean:words auc low high", [(title, i.estimate, i.low, i.high) for title, i in found.items()])

    def to_dict(self) -> dict[str, Any]:
        """Each class, the means by name, and Hand and Till's areas of all pairs."""
        means = {which: picked(self.interval(which), "estimate low high") for which in MEANS}
        return plain_dict({"classes": self.records(), **means, "labels": self.labels, "pairs": self.pairs})

    def sentence(self, level: float = 0.95) -> str:
        """The three means with their intervals."""
        means = self.means(level).rows
        said = "; ".join(f"{title} {rate(auc)} {span(low, high)}".strip() for title, auc, low, high in means)
        return f"AUC of {len(self.labels)} classes ({percent(level)}): {said}."


@explained
def multiclass(
    *, real: Any, score: Any, labels: Any = None, unit: Any = None, item: Any = None, missing: Missing = "error"
) -> Areas:
    """Areas of a score with a column for each class.

    `labels` names the columns; by default they are the classes in the order of `Table.labels`.
    `unit` is what each case belongs to, or `item` what was scored, equally often each: errors are then measured
    between these.
    ``missing="drop"`` leaves out the cases that lack a label or any of their scores.
    """
    if missing == "abstain":
        raise LabelError("A score cannot abstain: use `missing='error'` or `missing='drop'`.")
    side = column(real, "real").side()
    found = encode([side], LabelPolicy(labels, missing=missing), names=["real"])
    order, codes = found.labels, found.places[0]
    values = np.asarray(score, dtype=np.float64)
    units = unit_column(unit, item, len(codes))

    if values.shape != (len(codes), len(order)):
        raise LabelError(
            f"`score` has shape {values.shape}; {(len(codes), len(order))} is needed, a column for "
            f"each of {some(order)}."
        )
    if missing == "drop":
        known = ~found.lost & ~np.isnan(values).any(axis=1)
        codes, values = codes[known], values[known]
        units = None if units is None else units.where(known)

    if np.isnan(values).any():
        raise LabelError("`score` holds NaN; every case needs a score for every class.")
    if units is not None and units.item is not None and np.ptp(often := np.bincount(units.item)):
        said = f"Items were scored {often.min()} to {often.max()} times, and each score counts one here."
        raise LabelError(said, "give them as `unit`", "take one score of each")
    k = len(order)
    each, added = _auc.one_vs_rest(values, codes, k)
    pairs, paired = _auc.hand_till(values, codes, k)
    sizes = np.bincount(codes, minlength=k)
    share = ratio(sizes, len(codes))
    # what each case adds to the weighted mean by its class alone: the weights are shares
    by_class = (each[codes] - np.dot(share, each)) / len(codes)
    parts = {"macro": added.mean(axis=0), "weighted": share @ added + by_class, "hand_till": paired}

    if units is not None:
        return _areas_of_units(Areas(order, each, share, pairs, {}, np.zeros(k)), parts, added, codes, units)
    spare = ratio(sizes, sizes - 1.0)[codes]  # a class's own mean was taken off
    return Areas(
        labels=order,
        one_vs_rest=each,
        prevalence=share,
        pairs=pairs,
        variances={name: float(np.dot(x**2, spare)) for name, x in parts.items()},
        one_vs_rest_variance=np.array([_one_variance(added[i], codes == i) for i in range(k)]),
    )


def _areas_of_units(held: Areas, parts: Mapping[str, Array], added: Array, codes: Places, units: UnitColumn) -> Areas:
    """The same areas, with variances between units."""
    one = np.ones(len(codes))
    found = {name: of_effects(x, codes, units.unit, one) for name, x in parts.items()}
    each = [of_effects(x, (codes == i).astype(np.int64), units.unit, one) for i, x in enumerate(added)]
    freedom: dict[str, Any] = {name: x.df for name, x in found.items()}
    said = (
        f"{plural(int(units.unit.max()) + 1, units.name)} with {len(codes):,} cases: errors are measured between them."
    )
    return replace(
        held,
        variances={name: x.variance for name, x in found.items()},
        one_vs_rest_variance=np.array([x.variance for x in each]),
        freedom=freedom | {"one_vs_rest": np.array([x.df for x in each])},
        notes=(Note(said, code="units"),),
    )


def _one_variance(added: Array, own: NDArray[np.bool_]) -> float:
    """DeLong's variance of a class against the rest."""
    sizes = np.array([own.sum(), (~own).sum()])
    if sizes.min() < 2:
        return np.nan
    spare = np.where(own, *(sizes / (sizes - 1)))
    return float(np.dot(added**2, spare))
