"""ROC and PN curves: what a score is worth at every threshold, exactly, ties included.

A curve is two cumulated counts: real positives and real negatives with at least this score. Each
point is a table, so that every measure of the catalogue can be drawn against the threshold.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed import _building as build
from informed._arrays import Array, plain, ratio
from informed._columns import column, floats
from informed._labels import canonical, guess_positive, is_missing, ordered, some, text
from informed.decisions import _auc
from informed.decisions.hull import Hull, hull
from informed.decisions.scores import Scores
from informed.errors import InferenceError, LabelError, TableError
from informed.inference.results import Interval
from informed.measures import Measure, find
from informed.measures._registry import Function
from informed.table import Table

__all__ = ["Band", "Curve", "Point", "curves", "roc"]

BLOCK = 1 << 18  # tables at a time in `Curve.measure`


@dataclass(frozen=True)
class Point:
    """A threshold of a curve, and the table that it makes."""

    threshold: float
    recall: float
    fallout: float
    table: Table
    c: float  # slope of the lines of equal cost that it is best for: c_v · c_s

    @property
    def informedness(self) -> float:
        return self.recall - self.fallout

    @property
    def distance(self) -> float:
        """To the perfect corner (0, 1) of the ROC plane."""
        return float(np.hypot(self.fallout, 1 - self.recall))

    def text(self) -> str:
        return (
            f"Score ≥ {self.threshold:g}: recall {self.recall:.4g}, fallout {self.fallout:.4g}, "
            f"informedness {self.informedness:.4g} (best for c = {self.c:.4g})."
        )


@dataclass(frozen=True, eq=False)
class Band:
    """Where the whole curve lies, with this confidence: recall between two limits."""

    fallout: Array
    low: Array
    high: Array
    level: float
    method: str


@dataclass(frozen=True, eq=False, repr=False)
class Curve:
    """Real positives and negatives at or above each threshold.

    Thresholds descend; the first is +inf, where nothing is called positive.
    """

    thresholds: Array
    tp: Array
    fp: Array
    labels: tuple[Hashable, Hashable]  # in order, one of them positive
    positive: Hashable
    exact: bool = True  # every distinct score is a threshold
    auc_error: float = 0.0  # most that the area can be off where it is not exact
    squares: tuple[Array, Array] | None = None  # Σw², cumulated as tp and fp
    missing: int = 0

    @property
    def positives(self) -> float:
        """Weight of the real positives."""
        return float(self.tp[-1])

    @property
    def negatives(self) -> float:
        return float(self.fp[-1])

    @property
    def prevalence(self) -> float:
        return float(ratio(self.positives, self.positives + self.negatives))

    @property
    def skew(self) -> float:
        """Real negatives for each positive: c_s."""
        return float(ratio(self.negatives, self.positives))

    @property
    def recall(self) -> Array:
        return ratio(self.tp, self.tp[-1])

    @property
    def fallout(self) -> Array:
        return ratio(self.fp, self.fp[-1])

    @property
    def _sizes(self) -> tuple[float, float]:
        """Equally weighted positives and negatives worth as much."""
        if self.squares is None:
            return self.positives, self.negatives
        p2, n2 = (float(s[-1]) for s in self.squares)
        return float(ratio(self.positives**2, p2)), float(ratio(self.negatives**2, n2))

    @cached_property
    def auc(self) -> float:
        """Probability that a real positive scores higher than a real negative; a tie is half."""
        return float(ratio(_auc.area(self.tp, self.fp), self.positives * self.negatives))

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

    @property
    def notes(self) -> tuple[str, ...]:
        """What a careful reader should know, in words."""
        said = []
        if self.why:
            said.append(f"The area is undefined: {self.why}.")
        elif len(self.thresholds) == 2:
            said.append("Every score is the same, so no threshold tells anything.")
        elif self.auc < 0.5:
            said.append(
                f"The area is {self.auc:.4g}, below 1/2: higher scores mean "
                f"{text(self._negative)}. Reverse the labels (or the score)."
            )
        if not self.exact:
            said.append(
                f"Scores were counted in {len(self.thresholds) - 1:,} bins: each table is exact "
                f"at its threshold, and the area is within ±{self.auc_error:.2g}."
            )
        if self.missing:
            said.append(f"{self.missing:,} rows without a label or a score were left out.")
        return tuple(said)

    @property
    def _negative(self) -> Hashable:
        a, b = self.labels
        return b if a == self.positive else a

    # ------------------------------------------------------------------ tables

    def _table(self, where: Any) -> Table:
        """The tables at these positions (one, or a slice)."""
        tp, fp = self.tp[where], self.fp[where]
        cells = np.array([[tp, fp], [self.tp[-1] - tp, self.fp[-1] - fp]])
        if self.positive != self.labels[0]:
            cells = cells[::-1, ::-1]
        squares = None
        if self.squares is not None:
            p2, n2 = self.squares
            held = np.array([[p2[where], n2[where]], [p2[-1] - p2[where], n2[-1] - n2[where]]])
            squares = build.frozen(held[::-1, ::-1] if self.positive != self.labels[0] else held)
        return Table(
            build.frozen(cells),
            self.labels,
            self.labels,
            positive=self.positive,
            squares=squares,
            axes=(None,) * np.ndim(tp),
        )

    @cached_property
    def tables(self) -> Table:
        """One table a threshold, a stack: made when first asked for."""
        return self._table(slice(None))

    def table_at(self, threshold: float) -> Table:
        """The table when score ≥ threshold is called positive."""
        return self._table(self._position(threshold))

    def _position(self, threshold: float) -> int:
        if np.isnan(threshold):
            raise TableError("`threshold` is NaN; it must be a number or infinite.")
        return int(np.searchsorted(-self.thresholds, -threshold, "right")) - 1

    def measure(self, name: str | Measure | Function, **parameters: Any) -> Array:
        """Any measure of the catalogue at every threshold.

        >>> curve = roc(real=[0, 1, 0, 1], score=[0.1, 0.4, 0.4, 0.8])
        >>> curve.measure("informedness").tolist()
        [0.0, 0.5, 0.5, 0.0]
        """
        m = find(name)
        parts = [
            np.asarray(m(self._table(slice(start, start + BLOCK)), **parameters))
            for start in range(0, len(self.tp), BLOCK)
        ]
        return np.concatenate(parts)

    # ------------------------------------------------------------------ areas and bands

    def interval(self, level: float = 0.95, method: str = "auto") -> Interval:
        """Interval of the area.

        "delong-logit" (the default from 20 cases in each class on), "delong", "delong-arc" or
        "newcombe", which also holds where the classes are separated and DeLong sees no spread.
        """
        _checked(level)
        p, n = self._sizes
        spread = _auc.variance(self.tp, self.fp, self.squares)
        low, high, used = _auc.limits(self.auc, spread, p, n, level, method)
        return Interval(self.auc, low, high, level, used, "auc", "fixed-reals", self.notes)

    def partial_auc(
        self,
        high: float = 1.0,
        low: float = 0.0,
        *,
        over: str = "fallout",
        standardised: bool = False,
    ) -> float:
        """Area over a range of fallouts or recalls; standardised (McClish), chance is 1/2."""
        return _auc.partial(self.tp, self.fp, low, high, standardised, over)

    def band(self, level: float = 0.95) -> Band:
        """Limits that hold for the whole curve at once.

        Kolmogorov's limits for both score distributions (Campbell, 1994): they hold for any
        distributions and any number of cases, and are rather wide than narrow.
        """
        _checked(level)
        if self.why:
            raise InferenceError(f"There is no band: {self.why}.")
        each = float(np.sqrt(level))
        up, along = (_auc.kolmogorov(each, max(1, int(x))) for x in self._sizes)
        x, y = self.fallout, self.recall
        low = np.interp(x - along, x, y, left=0.0)
        high = np.interp(x + along, x, y, right=1.0)
        # at a vertical step the lower limit takes its foot, the upper one its head
        foot = y[np.maximum(np.searchsorted(x, x - along, "left") - 1, 0)]
        low = np.where(x - along <= 0, 0.0, np.minimum(low, np.maximum(foot, 0.0)))
        head = y[np.minimum(np.searchsorted(x, x + along, "right"), len(x) - 1)]
        high = np.maximum(high, head)
        return Band(x, np.maximum(low - up, 0.0), np.minimum(high + up, 1.0), level, "kolmogorov")

    # ------------------------------------------------------------------ choosing

    def hull(self) -> Hull:
        """Corners of the upper convex hull, and the classifiers between them."""
        return hull(self.thresholds, self.tp, self.fp)

    def best(self, cost: Any = None, prevalence: Any = None) -> Point:
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
        from informed.decisions.costs import isocost_slope

        if self.why:
            raise TableError(f"There is no best threshold: {self.why}.")
        c = isocost_slope(cost, prevalence, self.prevalence)
        worth = self.recall - c * self.fallout
        return self.point(int(np.argmax(worth)), c)

    def point(self, position: int, c: float = 1.0) -> Point:
        """One point of the curve."""
        return Point(
            threshold=float(self.thresholds[position]),
            recall=float(ratio(self.tp[position], self.tp[-1])),
            fallout=float(ratio(self.fp[position], self.fp[-1])),
            table=self._table(position),
            c=c,
        )

    # ------------------------------------------------------------------ other pictures of it

    def precision_recall(self) -> tuple[Array, Array]:
        """Precision and recall at each threshold but +inf, where precision is undefined."""
        return ratio(self.tp[1:], self.tp[1:] + self.fp[1:]), self.recall[1:]

    def precision_recall_gain(self) -> tuple[Array, Array]:
        """Precision and recall on the scale where always saying "positive" has gain 0
        (Flach and Kull, 2015); a gain below 0 is worse than that."""
        precision, recall = self.precision_recall()
        share = self.prevalence
        scale = 1 - share
        gained = [ratio(ratio(x - share, scale), x) for x in (precision, recall)]
        return gained[0], gained[1]

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

    def __repr__(self) -> str:
        return (
            f"Curve: {self.positives:g} {self.positive} and {self.negatives:g} {self._negative}, "
            f"{len(self.thresholds) - 1:,} thresholds, AUC {self.auc:.4f}"
        )

    def text(self, level: float = 0.95) -> str:
        """The curve in a few lines."""
        lines = [repr(self)]
        if not self.why:
            i = self.interval(level)
            lines.append(f"AUC {i.low:.4f} to {i.high:.4f} ({level:.0%}, {i.method})")
            lines.append("Greatest informedness: " + self.best().text())
        return "\n".join([*lines, *self.notes])

    def to_frame(self) -> Any:
        from informed._frames import frame

        return frame(
            {
                "threshold": self.thresholds.tolist(),
                "tp": self.tp.tolist(),
                "fp": self.fp.tolist(),
                "recall": self.recall.tolist(),
                "fallout": self.fallout.tolist(),
            }
        )


def roc(
    histogram: Scores | None = None,
    *,
    real: Any = None,
    score: Any = None,
    positive: Any = None,
    weights: Any = None,
) -> Curve:
    """The ROC curve of a score: one table for each distinct score.

    Parameters
    ----------
    histogram
        What `informed.read(..., score=)` gives, instead of `real` and `score`.
    real, score
        Labels of two classes and one number a case; positive where score ≥ threshold.
    positive
        The class that high scores stand for. Of more than two classes, this one against the rest.
    weights
        One non-negative weight a case.

    >>> roc(real=["n", "y", "n", "y"], score=[0.1, 0.4, 0.35, 0.8], positive="y").auc
    1.0
    """
    if histogram is not None:
        if real is not None or score is not None or weights is not None:
            raise LabelError("Give either a histogram of scores or `real` and `score`.")
        return _of_histogram(histogram, positive)
    if real is None or score is None:
        raise LabelError("`real` and `score` are both needed, one of each for every case.")
    labels, plus, is_positive = _two(real, positive)
    values = _numbers(score, len(is_positive))
    if weights is None:
        thresholds, tp, fp = _counted(values, is_positive)
        return Curve(thresholds, tp, fp, labels, plus)
    w = floats(weights, "weights", len(values))
    thresholds, (tp, fp), squares = _weighted(values, is_positive, w)
    return Curve(thresholds, tp, fp, labels, plus, squares=squares)


def curves(histogram: Scores, positive: Any = None) -> dict[Any, Curve]:
    """A curve for each group of a histogram that was read `by` something."""
    if len(histogram.axes) != 1:
        raise LabelError(f"The scores have {len(histogram.axes)} axes of groups; 1 is needed.")
    return {
        name: _of_counts(histogram, histogram.counts[i], i, positive)
        for i, name in enumerate(histogram.axes[0])
    }


# ---------------------------------------------------------------------- from cases


def _two(real: Any, positive: Any) -> tuple[tuple[Hashable, Hashable], Hashable, NDArray[np.bool_]]:
    """The two labels, the positive one, and who has it."""
    held = column(real, "real")
    if not len(held):
        raise LabelError("`real` is empty; at least one case is needed.")
    low, high = int(held.codes.min()), int(held.codes.max())
    if high - low == 1 or high == low:  # no need to number the labels first
        keys = np.unique([low, high])
        codes = held.codes
    else:
        dense = held.dense()
        keys, codes, held = np.arange(len(dense.names or ())), dense.codes, dense
    raw = [(held.names[k] if k >= 0 else None) if held.names is not None else k for k in keys]
    if held.names is not None and (gone := [i for i, x in enumerate(raw) if is_missing(x)]):
        n = int(np.isin(codes, keys[gone]).sum())
        raise LabelError(f"`real` lacks {n:,} of {len(held):,} labels; drop those cases first.")
    names = [canonical(x) for x in raw]
    labels = ordered(dict.fromkeys(names))
    plus = _positive(labels, positive)
    mine = keys[[name == plus for name in names]]
    is_positive = codes == mine[0] if len(mine) == 1 else np.isin(codes, mine)
    if len(labels) == 2:
        return (labels[0], labels[1]), plus, is_positive
    rest = f"not {plus}" if len(labels) > 2 or plus in labels else labels[0]
    return (plus, rest), plus, is_positive


def _positive(labels: tuple[Hashable, ...], positive: Any) -> Hashable:
    if positive is not None:
        for label in labels:
            if label == canonical(positive) or str(label) == str(positive):
                return label
        if len(labels) == 1:
            return canonical(positive)
        raise LabelError(f"`positive` is {text(positive)}; the classes are {some(labels)}.")
    if len(labels) > 2:
        raise LabelError(
            f"There are the classes {some(labels)}: give `positive=` for one against the rest, or "
            "use `informed.decisions.multiclass.multiclass` for all."
        )
    if len(labels) == 1:
        named = guess_positive((labels[0], ""))
        return "+" if named is None else named
    found = guess_positive(labels)
    if found is None:
        raise LabelError(f"Which of {some(labels)} do high scores stand for? Give `positive=`.")
    return found


def _numbers(score: Any, length: int) -> Array:
    if isinstance(score, (str, bytes, Mapping)):
        raise LabelError(f"`score` is {text(score)}; one number a case is needed.")
    held = score if hasattr(score, "__array__") or hasattr(score, "__len__") else list(score)
    array = np.asarray(held)
    if array.ndim == 2 and array.shape[1] == 2:
        raise LabelError(
            "`score` has two columns; give the one of the positive class, as in score[:, 1]."
        )
    if array.shape != (length,):
        raise LabelError(f"`score` has shape {array.shape} for {length} cases; one each is needed.")
    if array.dtype.kind not in "biuf":
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError):
            raise LabelError(f"`score` holds {text(array[0])}; numbers are needed.") from None
    if array.dtype.kind in "iu" and max(-int(array.min()), int(array.max())) > 2**53:
        raise LabelError("`score` holds whole numbers beyond 2^53, which floats cannot tell apart.")
    return np.asarray(array, dtype=np.float64)


def _no_nan(largest: float, values: Array) -> None:
    if np.isnan(largest):
        at = np.flatnonzero(np.isnan(values))
        raise LabelError(
            f"`score` is NaN for {len(at):,} cases, the first at position {at[0]}; every case "
            "needs a score. Drop those cases, or give them the score that they deserve."
        )


def _counted(values: Array, is_positive: NDArray[np.bool_]) -> tuple[Array, Array, Array]:
    """Thresholds, true and false positives. Two sorts of numbers, both in vector instructions,
    are several times faster than one sort that carries the labels along."""
    ranked = np.sort(values)
    _no_nan(ranked[-1], values)
    above = np.sort(values[is_positive])
    n, p = len(ranked), len(above)
    starts = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
    if len(starts) < n:
        ranked = ranked[starts]
    size = len(starts) + 1
    tp, fp, thresholds = np.empty(size), np.empty(size), np.empty(size)
    tp[0], fp[0], thresholds[0] = 0.0, 0.0, np.inf
    thresholds[1:] = ranked[::-1]
    np.subtract(p, np.searchsorted(above, ranked)[::-1], out=tp[1:])
    np.subtract(n, starts[::-1], out=fp[1:])
    fp -= tp
    return build.frozen(thresholds), build.frozen(tp), build.frozen(fp)


def _weighted(
    values: Array, is_positive: NDArray[np.bool_], weights: Array
) -> tuple[Array, tuple[Array, Array], tuple[Array, Array]]:
    order = np.argsort(-values, kind="stable")
    ranked = values[order]
    _no_nan(ranked[-1], values)
    ends = np.flatnonzero(np.concatenate([ranked[1:] != ranked[:-1], [True]]))

    def cumulated(held: Array) -> Array:
        return build.frozen(np.concatenate([[0.0], np.cumsum(held[order])[ends]]))

    sums = [
        cumulated(np.where(own, w, 0.0))
        for w in (weights, weights**2)
        for own in (is_positive, ~is_positive)
    ]
    thresholds = build.frozen(np.concatenate([[np.inf], ranked[ends]]))
    return thresholds, (sums[0], sums[1]), (sums[2], sums[3])


# ---------------------------------------------------------------------- from histograms


def _of_histogram(histogram: Scores, positive: Any) -> Curve:
    if not isinstance(histogram, Scores):
        raise LabelError(
            f"A {type(histogram).__name__} was given; give `real=` and `score=` by name, or the "
            "histogram that `informed.read(..., score=)` makes."
        )
    if histogram.counts.ndim != 2:
        raise LabelError("These scores are in groups: use `informed.decisions.roc.curves`.")
    return _of_counts(histogram, histogram.counts, ..., positive)


def _of_counts(histogram: Scores, counts: Array, where: Any, positive: Any) -> Curve:
    labels = tuple(histogram.labels)
    plus = _positive(labels, histogram.positive if positive is None else positive)
    own = np.array([label == plus for label in labels])

    def cumulated(held: Array) -> tuple[Array, Array]:
        ranked = np.asarray(held)[::-1]
        sides = (ranked[:, own].sum(axis=1), ranked[:, ~own].sum(axis=1))
        a, b = (build.frozen(np.concatenate([[0.0], np.cumsum(x)])) for x in sides)
        return a, b

    tp, fp = cumulated(counts)
    tied = float(np.dot(np.diff(tp), np.diff(fp)))
    two = labels if len(labels) == 2 else (plus, f"not {plus}")
    return Curve(
        thresholds=build.frozen(np.concatenate([[np.inf], histogram.thresholds[::-1]])),
        tp=tp,
        fp=fp,
        labels=(two[0], two[1]),
        positive=plus,
        exact=histogram.exact,
        auc_error=0.0 if histogram.exact else float(ratio(tied, 2 * tp[-1] * fp[-1])),
        squares=None if histogram.squares is None else cumulated(histogram.squares[where]),
        missing=histogram.missing,
    )


def _checked(level: float) -> None:
    if not 0 < level < 1:
        raise InferenceError(f"`level` is {plain(level)!r}; it must lie between 0 and 1.")
