"""ROC and PN curves: what a score is worth at every threshold, exactly, ties included.

A curve is two cumulated counts: real positives and real negatives with at least this score. Each
point is a table, so that every measure of the catalogue can be drawn against the threshold.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from informed._arrays import Array, ratio
from informed._numbers import count, percent, plural, rate, span
from informed.decisions import auc as _auc
from informed.decisions import partial_auc as _partial
from informed.decisions.costs import isocost_slope
from informed.decisions.hull import Hull, Steps, hull
from informed.decisions.scored_units import ScoredUnits
from informed.errors import InferenceError, TableError
from informed.evidence import checks as build
from informed.evidence.labels import text
from informed.evidence.table import Table
from informed.evidence.units import MOST_ENTRIES
from informed.inference.answers import Interval
from informed.inference.given import checked_level
from informed.inference.unit_spread import Spread
from informed.measures import Measure, find
from informed.measures.registry import Function
from informed.results import Note, Result, finite, picked, plain_dict, warning

__all__ = ["Band", "Curve", "Point"]

BLOCK = 1 << 18  # tables at a time in `Curve.measure`


@dataclass(frozen=True, repr=False)
class Point(Result):
    """A threshold of a curve, and the table that it makes."""

    kinds = dict.fromkeys(("threshold", "c"), "amount")

    threshold: float
    recall: float
    fallout: float
    table: Table
    c: float  # slope of the lines of equal cost that it is best for: c_v · c_s

    @property
    def informedness(self) -> float:
        """Recall minus fallout."""
        return self.recall - self.fallout

    @property
    def distance(self) -> float:
        """To the perfect corner (0, 1) of the ROC plane."""
        return float(np.hypot(self.fallout, 1 - self.recall))

    def metrics(self) -> dict[str, float]:
        """The threshold, and the measures there."""
        held = {name: getattr(self, name) for name in ("threshold", "recall", "fallout", "informedness", "c")}
        return finite(held)

    def sentence(self) -> str:
        """The threshold and what it does, in a sentence."""
        return (
            f"Score ≥ {self.threshold:g}: recall {self.recall:.4g}, fallout {self.fallout:.4g}, "
            f"informedness {self.informedness:.4g} (best for c = {self.c:.4g})."
        )


@dataclass(frozen=True, eq=False, repr=False)
class Band(Result):
    """Where the whole curve lies, with this confidence: recall between two limits."""

    fallout: Array
    low: Array
    high: Array
    level: float
    method: str

    def sentence(self) -> str:
        return (
            f"The whole curve lies between these recalls at {len(self.fallout):,} fallouts "
            f"({percent(self.level)}, {self.method})."
        )


@dataclass(frozen=True, eq=False, repr=False)
class Curve(Steps):
    """Real positives and negatives at or above each threshold.

    Thresholds descend; the first is +inf, where nothing is called positive.
    """

    page = "curve"

    labels: tuple[Hashable, Hashable]  # in order, one of them positive
    positive: Hashable
    exact: bool = True  # every distinct score is a threshold
    auc_error: float = 0.0  # most that the area can be off where it is not exact
    squares: tuple[Array, Array] | None = None  # Σw², cumulated as tp and fp
    missing: int = 0
    units: ScoredUnits | None = None  # None: every case is a unit of its own
    mirrored: int = 0  # concavities that were turned round because these cases showed them
    negated: bool = False  # thresholds are of the negated score

    @property
    def positives(self) -> float:
        """Weight of the real positives."""
        return float(self.tp[-1])

    @property
    def negatives(self) -> float:
        """Weight of the real negatives."""
        return float(self.fp[-1])

    @property
    def prevalence(self) -> float:
        """Share of the real positives."""
        return float(ratio(self.positives, self.positives + self.negatives))

    @property
    def skew(self) -> float:
        """Real negatives for each positive: c_s."""
        return float(ratio(self.negatives, self.positives))

    @property
    def sizes(self) -> tuple[float, float]:
        """Equally weighted positives and negatives worth as much."""
        if self.squares is None:
            return self.positives, self.negatives
        p2, n2 = (float(s[-1]) for s in self.squares)
        return float(ratio(self.positives**2, p2)), float(ratio(self.negatives**2, n2))

    @property
    def gini(self) -> float:
        """2·AUC − 1: 0 for a score that knows nothing."""
        return 2 * self.auc - 1

    @property
    def why(self) -> str | None:
        """Why the area is undefined, where it is."""
        if self.positives and self.negatives:
            return None
        gone = "positive" if not self.positives else "negative"
        return f"no case is really {gone}, so there is nothing to tell apart"

    def refuse_one_class(self, what: str) -> None:
        """Refuse what cannot be had where a class has no cases."""
        if self.why:
            raise InferenceError(f"There is no {what}: {self.why}.")

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a careful reader should know."""
        return tuple(self._notes())

    def _notes(self) -> Iterator[Note]:
        if self.why:
            yield warning(f"The area is undefined: {self.why}.", "one-class")
        elif len(self.thresholds) == 2:
            yield warning("Every score is the same, so no threshold tells anything.", "one-score")
        elif self.auc < 0.5:
            turned = f"The area is {self.auc:.4g}, below 1/2: higher scores mean {text(self.negative)}."
            yield warning(f"{turned} Reverse the labels (or the score).", "reversed")

        if self.mirrored:
            turned = f"The score was turned round in {plural(self.mirrored, 'dent')} that these same cases showed"
            unseen = "neither intervals nor what is expected of new cases allow for it"
            yield warning(f"{turned}: {unseen}, and thresholds are of the turned score.", "mirrored")
        if self.negated:
            yield warning(
                "The score was negated: where score ≥ -2 is called positive, a score of 2 or less is.", "negated"
            )
        if not self.exact:
            bins = f"Scores were counted in {len(self.thresholds) - 1:,} bins: each table is exact at its threshold"
            yield Note(f"{bins}, and the area is within ±{self.auc_error:.2g}.", code="binned")
        if self.missing:
            yield Note(f"{self.missing:,} rows without a label or a score were left out.", code="left-out")
        if self.units is not None and not self.why:
            yield from self.units.notes(self.spread)

    def metrics(self) -> dict[str, float]:
        """The area with its limits (95%), and how many cases there are of each class."""
        held = {"positives": self.positives, "negatives": self.negatives}
        if not self.why:
            area = self.interval()
            held |= {"auc": self.auc, "auc_low": float(area.low), "auc_high": float(area.high)}
        return finite(held)

    @property
    def negative(self) -> Hashable:
        """The label that is not positive."""
        a, b = self.labels
        return b if a == self.positive else a

    @property
    def thing(self) -> str:
        """What is counted: cases, or items whose answers share their weight."""
        return "case" if self.units is None or self.units.given.item is None else "item"

    # ------------------------------------------------------------------ tables

    def at_positions(self, where: Any, *, units: bool = True) -> Table:
        """The tables at these positions of the curve (one, several or a slice), with the units of their cases, as
        far as tables times cases are not beyond five million."""

        def cells(positives: Array, negatives: Array) -> Array:
            tp, fp = positives[where], negatives[where]
            held = np.array([[tp, fp], [positives[-1] - tp, negatives[-1] - fp]])
            return build.frozen(held if self.positive == self.labels[0] else held[::-1, ::-1])

        at = np.arange(len(self.tp))[where]
        if units and self.units is not None:
            if np.size(at) * len(self.units.step) > MOST_ENTRIES:
                raise TableError(
                    f"{np.size(at):,} tables of {len(self.units.step):,} cases with units are too many; ask for fewer "
                    "(`table_at`), or for a measure at every threshold (`measure`)."
                )
            held = self.units.of_tables(at, self.labels, self.positive)
        else:
            held = {"cells": cells(self.tp, self.fp), "squares": self.squares and cells(*self.squares)}
        axes = (None,) * np.ndim(at)
        return Table(**held, predicted_labels=self.labels, real_labels=self.labels, positive=self.positive, axes=axes)

    @cached_property
    def tables(self) -> Table:
        """One table a threshold, a stack: made when first asked for."""
        return self.at_positions(slice(None))

    def table_at(self, threshold: Any) -> Table:
        """The table when score ≥ threshold is called positive; of several, a stack of tables."""
        wanted = np.asarray(threshold, dtype=np.float64)
        if np.isnan(wanted).any():
            raise TableError("`threshold` is NaN; it must be a number or infinite.")
        return self.at_positions(np.searchsorted(-self.thresholds, -wanted, "right") - 1)

    def measure(self, name: str | Measure | Function, **parameters: Any) -> Array:
        """Any measure of the catalogue at every threshold.

        >>> from informed.decisions.roc import roc
        >>> curve = roc(real=[0, 1, 0, 1], score=[0.1, 0.4, 0.4, 0.8])
        >>> curve.measure("informedness").tolist()
        [0.0, 0.5, 0.5, 0.0]
        """
        m = find(name)
        blocks = (slice(start, start + BLOCK) for start in range(0, len(self.tp), BLOCK))
        return np.concatenate([np.asarray(m(self.at_positions(block, units=False), **parameters)) for block in blocks])

    # ------------------------------------------------------------------ areas and bands

    def interval(self, level: float = 0.95, method: str = "auto") -> Interval:
        """Interval of the area.

        "delong-logit" (the default from 20 cases in each class on), "delong", "delong-arc" or
        "newcombe", which also holds where the classes are separated and DeLong sees no spread.
        Where cases come in units, the variance is between these (Obuchowski).
        """
        checked_level(level)
        sizes, found = self.sizes, self.spread
        variance = found.variance
        if self.units is not None and not self.units.single:
            sizes, variance = self.units.held(), self.units.steadied(found, self.auc)
        low, high, used = _auc.limits(self.auc, variance, *sizes, level, method, found.df)
        return Interval(self.auc, low, high, level, used, "auc", "fixed-reals", self.notes)

    @cached_property
    def spread(self) -> Spread:
        """Variance of the area, and its degrees of freedom where cases come in units."""
        return self.spread_of(*_auc.placements(self.tp, self.fp))

    def spread_of(self, of_positives: Array, of_negatives: Array) -> Spread:
        """The same of any sum of two means over the classes of what a case of each step adds."""
        if self.units is None or self.units.single:
            return Spread(_auc.variance_of((self.tp, self.fp), self.squares, (of_positives, of_negatives)))
        return self.units.spread(of_positives, of_negatives)

    def partial_auc(
        self, high: float = 1.0, low: float = 0.0, *, over: str = "fallout", standardised: bool = False
    ) -> float:
        """Area over a range of fallouts or recalls; standardised (McClish), chance is 1/2."""
        return _partial.partial(self, low, high, over, standardised)

    def partial_interval(
        self,
        high: float = 1.0,
        low: float = 0.0,
        *,
        over: str = "fallout",
        standardised: bool = False,
        level: float = 0.95,
    ) -> Interval:
        """Interval of a partial area; over the whole range it is that of DeLong on the logit."""
        checked_level(level)
        return _partial.partial_interval(self, low, high, over, standardised, level)

    def band(self, level: float = 0.95) -> Band:
        """Limits that hold for the whole curve at once.

        Kolmogorov's limits for both score distributions (Campbell, 1994): they hold for any
        distributions and any number of cases, and are rather wide than narrow.
        """
        checked_level(level)
        self.refuse_one_class("band")
        sizes = self.sizes if self.units is None else self.units.held()  # at worst, a unit is one case
        up, along = (_auc.kolmogorov(float(np.sqrt(level)), max(1, int(size))) for size in sizes)
        x, y = self.fallout, self.recall
        # from the last point further left, to the first further right
        low = np.where(x <= along, 0.0, y[np.maximum(np.searchsorted(x, x - along, "left") - 1, 0)])
        high = y[np.minimum(np.searchsorted(x, x + along, "right"), len(x) - 1)]
        return Band(x, np.maximum(low - up, 0.0), np.minimum(high + up, 1.0), level, "kolmogorov")

    # ------------------------------------------------------------------ choosing

    def hull(self) -> Hull:
        """Corners of the upper convex hull, and the classifiers between them."""
        return self._hull

    @cached_property
    def _hull(self) -> Hull:
        return hull(self.thresholds, self.tp, self.fp)

    def best(self, cost: Any = None, prevalence: ArrayLike | None = None) -> Point:
        """The threshold of least cost: the first that an isocost line of slope c meets.

        c = c_v·c_s: what a false alarm costs for each miss, times negatives for each positive.

        Parameters
        ----------
        cost
            FN:FP: "5:1", (5, 1) or 5 is a miss that costs five false alarms.
        prevalence
            Of the positive class where the system will work. With a cost and no prevalence, that
            of these cases; with neither, c = 1: greatest informedness, whatever cost and skew.
        """
        self.refuse_one_class("best threshold")
        c = isocost_slope(cost, prevalence, self.prevalence)
        return self.point(int(np.argmax(self.recall - c * self.fallout)), c)

    def point(self, position: int, c: float = 1.0) -> Point:
        """One point of the curve."""
        threshold, recall, fallout = (float(x[position]) for x in (self.thresholds, self.recall, self.fallout))
        return Point(threshold, recall, fallout, self.at_positions(position), c)

    # ------------------------------------------------------------------ other pictures of it

    def precision_recall(self) -> tuple[Array, Array]:
        """Precision and recall at each threshold but +inf, where precision is undefined."""
        return ratio(self.tp[1:], self.tp[1:] + self.fp[1:]), self.recall[1:]

    def precision_recall_gain(self) -> tuple[Array, Array]:
        """Precision and recall on the scale where always saying "positive" has gain 0
        (Flach and Kull, 2015); a gain below 0 is worse than that."""
        share = self.prevalence
        precision, recall = (ratio(ratio(x - share, 1 - share), x) for x in self.precision_recall())
        return precision, recall

    def average_precision(self) -> float:
        """Precision averaged over the steps of recall."""
        precision, recall = self.precision_recall()
        return float(np.sum(np.diff(recall, prepend=0.0) * precision)) if self.positives else np.nan

    def gains(self) -> tuple[Array, Array]:
        """Share of the cases called positive, and share of the real positives among them."""
        return ratio(self.tp + self.fp, self.positives + self.negatives), self.recall

    def lift(self) -> tuple[Array, Array]:
        """Share of the cases called positive, and how much denser the positives are in it."""
        called, recall = self.gains()
        return called, ratio(recall, called)

    def det(self) -> tuple[Array, Array]:
        """Normal deviates of fallout and miss rate: a straight line for two normal scores."""
        from scipy.special import ndtri

        return ndtri(self.fallout), ndtri(1 - self.recall)

    # ------------------------------------------------------------------ showing

    def to_dict(self) -> dict[str, Any]:
        """Its sizes, its area and its hull; the points are its records."""
        return self.summary()

    def summary(self, level: float = 0.95) -> dict[str, Any]:
        """The same with the interval of the area at this level."""
        area = picked(self.interval(level), "estimate low high level method") | {"error": self.auc_error}
        sizes = picked(self, "positive positives negatives exact mirrored negated")
        return plain_dict({**sizes, "auc": area, "hull": self.hull(), "notes": self.notes})

    def sentence(self, level: float = 0.95) -> str:
        """Its area and its best threshold."""
        cases = (
            f"{count(self.positives)} of {text(self.positive)} and {count(self.negatives)} of "
            f"{text(self.negative)}, {len(self.thresholds) - 1:,} thresholds"
        )
        if self.why:
            return f"Curve: {cases}, no area."
        i = self.interval(level)
        area = f"AUC {rate(self.auc)} {span(float(i.low), float(i.high))}".strip()
        return (
            f"Curve: {cases}, {area} ({percent(level)}, {i.method}).\nGreatest informedness: {self.best().sentence()}"
        )
