"""Cases with a probability for each class: what each costs by a rule, and how far means of that may be off."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from informed._arrays import Array, ratio
from informed.decisions.scored_units import UnitColumn, unit_column
from informed.errors import LabelError
from informed.evidence.cells import Places
from informed.evidence.columns import column, first_rows, floats
from informed.evidence.label_policy import LabelPolicy, Missing, encode
from informed.evidence.labels import canonical, some, text
from informed.evidence.unit_counting import alike, shares
from informed.evidence.units import sums
from informed.inference.tags_influence import freedom
from informed.inference.unit_spread import Spread

ADDS_UP = 1e-6  # how far the probabilities of a case may be from adding up to 1
SAME = 1e-9
FEWEST, MOST = 2, 6  # digits that probabilities may be rounded to


@dataclass(frozen=True, eq=False)
class Cases:
    """Real classes and a row of probabilities for each case, with weights and units."""

    codes: Places  # the real class of each case, by its place among the labels
    p: Array  # (cases, classes)
    labels: tuple[Hashable, ...]
    weight: Array
    units: UnitColumn | None = None
    missing: int = 0
    known: Any = None  # which of the given cases these are, where some were dropped
    told: Array | None = None  # weights as they were given, before answers to one item shared theirs

    @cached_property
    def rounded(self) -> tuple[int, int]:
        """How many cases have probabilities that add up to 1 but for rounding, and to how many digits that was."""
        return int((np.abs(self.p.sum(axis=1) - 1) > ADDS_UP).sum()), digits_of(self.p) or 0

    @cached_property
    def total(self) -> float:
        """Weight of all cases."""
        return float(self.weight.sum())

    @cached_property
    def share(self) -> Array:
        """Prevalence of each class."""
        return np.asarray(np.bincount(self.codes, self.weight, minlength=len(self.labels)) / self.total)

    @cached_property
    def single(self) -> bool:
        """Whether each unit is one case, or one case several times."""
        return self.units is None or alike(self.units.unit, self.codes, *self.p.T)

    @property
    def above(self) -> Array:
        """The probability of a class above each cut between two of them, in their order."""
        return np.clip(1 - np.cumsum(self.p, axis=1)[:, :-1], 0, 1)

    def score(self, rule: str, codes: Places | None = None) -> Array:
        """What each case costs by the log or the Brier score, or by the ranked one of classes in an order; or what it
        would cost if it were of these classes."""
        codes = self.codes if codes is None else codes
        own = self.p[np.arange(len(codes)), codes]
        if rule == "ranked":
            cuts = np.arange(len(self.labels) - 1)
            return np.asarray(((self.above - (codes[:, None] > cuts)) ** 2).sum(axis=1))
        if rule == "log":
            with np.errstate(divide="ignore"):
                return np.asarray(-np.log(own))
        return np.asarray((self.p**2).sum(axis=1) - 2 * own + 1)

    def uncertainty(self, rule: str, share: Array | None = None) -> tuple[float, Array]:
        """What the forecaster costs who knows the prevalences only, and what each class adds to that."""
        share = self.share if share is None else share
        if rule == "ranked":
            over = 1 - np.cumsum(share)[:-1]  # of classes above each cut
            real = np.arange(len(share))[:, None] > np.arange(len(over))
            return float((over * (1 - over)).sum()), ((1 - 2 * over) * (real - over)).sum(axis=1)
        if rule == "log":
            surprise = -np.log(np.where(share > 0, share, 1.0))
            unc = float(np.dot(share, surprise))
            return unc, surprise - unc
        squares = float((share**2).sum())
        return 1 - squares, 2 * (squares - share)

    def mean(self, each: Array) -> float:
        """Mean over the cases, in which what has no weight takes no part."""
        there = self.weight > 0
        return float(np.dot(self.weight[there], each[there])) / self.total

    @cached_property
    def size(self) -> float:
        """How many cases of equal weight, or units, errors are measured between."""
        if self.units is not None:
            return float(int(self.units.unit.max()) + 1)
        return float(ratio(self.total**2, (self.weight**2).sum()))

    def added(self, each: Array) -> Array:
        """What each case, or unit, adds to a mean of what each case has."""
        own = np.where(self.weight > 0, self.weight * each, 0.0) / self.total
        return own if self.units is None else np.bincount(self.units.unit, own).astype(np.float64)

    def spread(self, each: Array) -> Spread:
        """The variance of a mean, from what each case has, around 0; between units where there are any."""
        return self.spread_of(self.added(each), self.single)

    def spread_of(self, added: Array, single: bool) -> Spread:
        """The same from what cases or units add; of several systems, all of whose units may be one case each."""
        return Spread(float((added**2).sum()) * self.scale(single), self.freedom(added), self.size)

    def scale(self, single: bool) -> float:
        """What makes sums of squares between units variances."""
        return 1.0 if single or self.units is None else float(ratio(self.size, self.size - 1))

    def freedom(self, added: Array) -> float:
        """Degrees of freedom of a variance, from what cases or units add."""
        return freedom(added[self.weight > 0] if self.units is None else added, self.size)

    def where(self, own: Any) -> Cases:
        """Some of the cases, among which the answers to one item share its weight again."""
        weight = self.weight if self.told is None else self.told
        units = None if self.units is None else self.units.where(own)
        part = Cases(self.codes[own], self.p[own], self.labels, weight[own], units)
        return shared(part)

    def of(self, p: Array) -> Cases:
        """The same cases with other probabilities."""
        return shared(replace(self, p=p, weight=self.weight if self.told is None else self.told))


def shared(held: Cases) -> Cases:
    """The answers to one item share its weight, or the first has all of it where they are the same."""
    item = None if held.units is None else held.units.item
    if item is None:
        return held
    w = held.weight * shares(np.ones(len(held.codes)), item)[0]
    if alike(item, held.codes, *held.p.T):
        of_item = sums(item, w, int(item.max()) + 1)
        w = sums(first_rows(item, len(of_item)), of_item, len(w))
    return replace(held, weight=np.asarray(w), told=held.weight)


# ---------------------------------------------------------------------- from what is given


def is_matrix(probability: Any) -> bool:
    """Whether there is a probability for each class: a matrix, a frame, or columns by name."""
    if isinstance(probability, Mapping):
        return True
    shape = getattr(probability, "shape", None)
    if isinstance(shape, tuple):
        return len(shape) == 2
    first = probability[0] if isinstance(probability, (list, tuple)) and probability else None
    return isinstance(first, (list, tuple)) or getattr(first, "ndim", 0) == 1


def matrix_of(probability: Any, labels: Any = None) -> tuple[Array, tuple[Hashable, ...] | None]:
    """Columns of probabilities, and the classes that they are of where they or `labels` say so.

    Columns with the names of `labels` are put into that order; others are `labels` one after the other.

    >>> p, labels = matrix_of({"b": [0.1], "a": [0.9]}, ["a", "b"])
    >>> p.tolist(), labels
    ([[0.9, 0.1]], ('a', 'b'))
    """
    asked = None if labels is None else tuple(map(canonical, labels))
    named = tuple(map(canonical, probability)) if isinstance(probability, Mapping) else _column_names(probability)
    try:
        if isinstance(probability, Mapping):
            each = [np.asarray(x, dtype=np.float64) for x in probability.values()]
            if len({len(x) for x in each}) > 1:
                raise LabelError("The columns of `probability` have different lengths; each case has one in each.")
            held = np.column_stack(each)
        else:
            held = np.asarray(probability, dtype=np.float64)
    except (TypeError, ValueError) as error:
        if isinstance(error, LabelError):
            raise
        raise LabelError("`probability` holds what is no number, or rows of different lengths.") from None
    if named is None or asked is None:
        return held, named if asked is None else asked
    place = {str(x): i for i, x in enumerate(named)}
    if {*place} == {str(x) for x in asked}:
        return held[:, [place[str(x)] for x in asked]], asked
    if isinstance(probability, Mapping):
        raise LabelError(f"`labels` are {some(asked)}, and the columns of `probability` {some(named)}.")
    return held, asked


def _column_names(probability: Any) -> tuple[Hashable, ...] | None:
    """The names of the columns of a frame; None of what has none."""
    named = getattr(probability, "columns", None)
    return None if named is None else tuple(canonical(x) for x in named)


def cases_of(
    real: Any,
    probability: Any,
    labels: Any = None,
    weights: ArrayLike | None = None,
    unit: Any = None,
    item: Any = None,
    missing: Missing = "error",
) -> Cases:
    """Cases with a column of probabilities for each class; by default columns are the classes in their order."""
    if missing == "abstain":
        raise LabelError("A probability cannot abstain: use `missing='error'` or `missing='drop'`.")
    p, named = matrix_of(probability, labels)
    found = encode([column(real, "real").side()], LabelPolicy(missing=missing), names=["real"])
    order, codes = _ordered(found.labels, np.asarray(found.places[0], np.int64), named, p.shape)
    w = np.ones(len(codes)) if weights is None else floats(weights, "weights", len(codes))
    units = unit_column(unit, item, len(codes))
    lost, known = 0, None
    if missing == "drop":
        known = ~found.lost & ~np.isnan(p).any(axis=1)
        lost = int(len(known) - known.sum())
        codes, p, w = codes[known], p[known], w[known]
        units = None if units is None else units.where(known)
    _refuse(p)
    return shared(Cases(codes, p, order, w, units, lost, known))


def _ordered(
    seen: tuple[Hashable, ...], codes: Places, named: tuple[Hashable, ...] | None, shape: tuple[int, ...]
) -> tuple[tuple[Hashable, ...], Places]:
    """The classes in the order of the columns, and the real ones by their places in it."""
    if len(shape) != 2 or shape[0] != len(codes):
        raise LabelError(f"`probability` has shape {shape} for {len(codes)} cases; a row each is needed.")
    order = seen if named is None else named
    if shape[1] == 1:
        raise LabelError(
            f"`probability` has shape {shape}; a number a case is needed, or a column a class. A single column becomes "
            "numbers with `ravel()`."
        )
    if shape[1] != len(order):
        raise LabelError(
            f"`probability` has {shape[1]} columns, and the classes are {some(order)}: give `labels=`, one for each "
            "column."
        )
    if len(set(map(str, order))) < len(order):
        raise LabelError(f"Two columns of `probability` are of one class; there are {some(order)}.")
    place = {str(x): i for i, x in enumerate(order)}
    if strange := [x for x in seen if str(x) not in place]:
        raise LabelError(f"{text(strange[0])} is a real class and has no column; there are {some(order)}.")
    return order, np.array([place[str(x)] for x in seen], np.int64)[codes]


def _refuse(p: Array) -> None:
    """Refuse rows that are no probabilities."""
    if not len(p):
        raise LabelError("Every case lacks a label or a probability; nothing is left.")
    gone = np.asarray(np.isnan(p).any(axis=1))
    if gone.any():
        raise LabelError(
            f"`probability` is NaN for {int(gone.sum()):,} of {len(p):,} cases, the first at position "
            f"{int(np.flatnonzero(gone)[0])} (counted from 0); every case needs one for every class."
        )
    low, high = float(p.min()), float(p.max())
    if low < 0 or high > 1 + ADDS_UP:
        raise LabelError(
            f"`probability` runs from {low:g} to {high:g}: these are scores, and no probabilities.",
            *in_percent(low, high),
            "take the softmax that the model was trained with",
            "use `informed.decisions.multiclass.multiclass`, which takes any score",
        )
    digits = digits_of(p)
    most = ADDS_UP if digits is None else max(ADDS_UP, p.shape[1] * 0.5 * 10.0**-digits + SAME)
    off = np.abs(p.sum(axis=1) - 1)
    if off.max() > most:
        at = int(off.argmax())
        raise LabelError(
            f"The probabilities of a case must add up to 1; those of {int((off > most).sum()):,} of {len(p):,} cases "
            f"do not, the worst at position {at} (counted from 0), where the sum is {p[at].sum():.10g}.",
            "divide each row by its sum",
            "write more digits, if they were rounded",
        )


def digits_of(p: Array) -> int | None:
    """The digits after the point that all were rounded to; None where they have more than a few.

    >>> digits_of(np.array([[0.333, 0.667]])), digits_of(np.array([[1 / 3, 2 / 3]]))
    (3, None)
    """
    for digits in range(FEWEST, MOST + 1):
        moved = p * 10.0**digits
        if (np.abs(moved - np.round(moved)) < SAME * 10.0**digits).all():
            return digits
    return None


def in_percent(low: float, high: float) -> tuple[str, ...]:
    """What to do with numbers that look like percentages."""
    return ("divide them by 100, if these are percentages",) if low >= 0 and 1 < high <= 100 else ()
