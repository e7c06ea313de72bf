"""Intervals and tests of tags, whose units are the items.

"arc-items" is the arc of an even two-class table that has the same value and the same standard error, with
Student's quantile: its degrees of freedom are read from the tails of what the items add. Its coverage is measured
in docs/tags.md.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed._numbers import plural
from informed.errors import InferenceError, one_of
from informed.evidence.labels import some
from informed.evidence.tags import Tags
from informed.inference.answers import Interval
from informed.inference.given import Rng, checked_level, generator
from informed.inference.marks_score import as_proportion, spread, steadied, student
from informed.inference.tags_influence import (
    Coefficients,
    Spread,
    coefficients,
    correlations,
    effective_units,
    influence,
    number_of_units,
    spread_of,
)
from informed.measures.tag_scores import BETS, item_values, label_counts, named, score, why_undefined
from informed.results import Note

ARC = "arc-items"
DRAWS = 200_000
NUMBERS = 20_000_000  # normal numbers drawn at most
ONE_UNIT = "one unit shows no spread"
REAL = (("never occurs", "never occur"), ("is of every item", "are of every item"))
PREDICTED = (
    ("is never predicted", "are never predicted"),
    ("is predicted of every item", "are predicted of every item"),
)


@dataclass(frozen=True)
class Arc:
    """An estimate between −1 and 1 with its spread, as an even two-class table would have it."""

    estimate: float
    spread: Spread

    @property
    def middle(self) -> float:
        """The estimate, pulled in by one of the cases that it is worth."""
        pulled = self.estimate * self.spread.n / (self.spread.n + 1)
        worth = (1 - pulled**2) / self.spread.variance
        return self.estimate * worth / (worth + 1)

    @property
    def error(self) -> float:
        """The standard error on the arc."""
        return float(np.sqrt(self.spread.variance) / np.sqrt(max(1 - self.middle**2, 1e-300)))

    def limits(self, level: float) -> tuple[float, float]:
        """The ends of the arc, never inside the estimate."""
        from scipy.special import stdtrit

        reach = float(stdtrit(self.spread.df, (1 + level) / 2)) * self.error
        at = float(np.arcsin(self.middle))
        low, high = (float(np.sin(np.clip(x, -np.pi / 2, np.pi / 2))) for x in (at - reach, at + reach))
        return min(low, self.estimate), max(high, self.estimate)

    def distance(self, value: float) -> float:
        """How far a value is from the middle, in standard errors; 0 between the middle and the estimate."""
        if min(self.middle, self.estimate) <= value <= max(self.middle, self.estimate):
            return 0.0
        return float(np.arcsin(self.middle) - np.arcsin(np.clip(value, -1, 1))) / self.error


def arc_of(t: Tags, measure: str, average: str, *, system: Hashable = None) -> Arc:
    """The arc of informedness, markedness or correlation by an average of labels."""
    k = coefficients(t, measure, average, system=system)
    each = influence(t, k, system=system)
    return Arc(score(t, measure, average, system=system), spread_of(t, each, k.floor, stretched=True))


def interval_of_tags(
    t: Tags,
    measure: Any = None,
    *,
    average: str | None = "prevalence",
    level: float = 0.95,
    simultaneous: Any = False,
    rng: Rng = None,
    of_tables: Callable[..., Any],
) -> Interval:
    """A measure of tags with its interval; `of_tables` is `interval`, the verb for tables."""
    checked_level(level)
    asked = named("informedness" if measure is None else measure, average)
    if len(t.names) > 1:
        raise InferenceError(
            f"These are the tags of {len(t.names)} systems ({some(t.names)}); take one with `tags.among([…])`, or "
            "compare them: `informed.compare.paired(tags)`."
        )
    if average is None:
        return _of_each(t, asked, level, simultaneous, rng, of_tables)
    if simultaneous:
        raise InferenceError("`simultaneous` is of each label, with `average=None`; an average is one number.")
    if len(t.labels) == 1 and asked in BETS and average != "examples":
        alone: Interval = of_tables(t.table, asked, level=level)
        ends: dict[str, Any] = {name: float(np.ravel(getattr(alone, name))[0]) for name in ("estimate", "low", "high")}
        return replace(alone, **ends, effective_n=effective_units(t), axes=())

    estimate = score(t, asked, average)
    shown = f"{asked}(average={average!r})" if asked in BETS and average != "prevalence" else asked
    said: dict[str, Any] = {"level": level, "measure": shown, "effective_n": effective_units(t)}
    notes = notes_of(t, asked, average)
    if np.isnan(estimate) or number_of_units(t) < 2:
        why = why_undefined(t, asked, average) or ONE_UNIT
        notes = (Note(f"The estimate is undefined ({why}), and so is the interval.", code="undefined"), *notes)
        return Interval(estimate, np.nan, np.nan, method=ARC, notes=notes, **said)
    if asked in BETS and average != "examples":
        low, high = arc_of(t, asked, average).limits(level)
        return Interval(estimate, low, high, method=ARC, notes=notes, **said)
    if asked == "f1_micro":
        low, high = _of_f1(t, estimate, level)
        return Interval(estimate, low, high, method="mid-p", notes=notes, **said)
    return replace(_of_items(t, item_values(t, asked), level, asked), notes=notes, **said)


def notes_of(t: Tags, measure: str = "informedness", average: str = "prevalence") -> tuple[Note, ...]:
    """What a careful reader should know of these tags: labels that have no odds, items left out."""
    notes = _without_odds(t, measure) if measure in BETS and average in ("prevalence", "within", "occurring") else []
    if t.dropped:
        notes.append(Note(f"{plural(t.dropped, 'item')} without known tags left out.", code="missing"))
    if t.unsaid:
        notes.append(Note(f"{t.unsaid:,} missing answers count as no tags.", code="missing"))
    units = number_of_units(t)
    if t.unit is not None:
        said = f"Errors are measured between {units:,} units ({t.unit_name})."
        notes.append(Note(said, code="units"))
    if units < 10:
        word = t.unit_name if t.unit is not None else "item"
        notes.append(
            Note(f"There are {plural(units, word)}: they say little about their own spread.", code="few-units")
        )
    return tuple(notes)


def _without_odds(t: Tags, measure: str) -> list[Note]:
    """Labels that nobody can bet on: of markedness, and of correlation too, because of what a system predicts."""
    each = {name: label_counts(t, name) for name in t.names}
    whose = plural(len(t.labels), "label")
    sides = [] if measure == "markedness" else [("", next(iter(each.values())), REAL)]
    if measure != "informedness":
        sides += [(f"{name}: " if len(each) > 1 else "", c.swapped, PREDICTED) for name, c in each.items()]
    notes = []
    for who, c, verbs in sides:
        for which, (one, several) in zip((c.real == 0, c.real == c.n), verbs, strict=True):
            lost = [t.labels[i] for i in np.flatnonzero(which)]
            if lost:
                verb = f"{several} and have" if len(lost) > 1 else f"{one} and has"
                said = f"{who}{len(lost):,} of {whose} {verb} no weight: {some(lost)}."
                notes.append(Note(said, code="labels-without-odds"))
    return notes


def _of_items(t: Tags, values: Array, level: float, measure: str) -> Interval:
    """A mean over items: of a share mid-P, of as many trials as would vary as much; else Student's."""
    w = np.ones(len(t)) if t.weights is None else t.weights
    estimate, error, df = spread(values[:, None], w, t.unit)
    if measure in BETS:
        low, high, _ = student(float(estimate[0]), float(error[0]), df, level)
        return Interval(float(estimate[0]), max(low, -1.0), min(high, 1.0), level, "t")
    answers = float(len(t) if measure == "subset_accuracy" else len(t) * len(t.labels))
    known = steadied(values, w, t.unit) if measure == "subset_accuracy" else _steadied(values, w, t.unit, measure)
    ends = as_proportion(estimate, known, df, int(df) + 1, answers, level)
    return Interval(float(estimate[0]), float(ends[0][0]), float(ends[1][0]), level, "mid-p")


def _steadied(values: Array, w: Array, unit: Any, measure: str) -> Array:
    """The standard error with one more item, as wrong as those that are, and half wrong where none is."""
    right = 0.0 if measure == "hamming_loss" else 1.0
    off = (values - right)[values != right]
    further = right + (off.sum() + 0.5 - right) / (len(off) + 1)
    units = None if unit is None else np.append(unit, unit.max() + 1)
    error = spread(np.append(values, further)[:, None], np.append(w, w.mean()), units)[1]
    return np.asarray(error * np.sqrt((len(values) + 1) / len(values)))


def _of_f1(t: Tags, estimate: float, level: float) -> tuple[float, float]:
    """F1 of all labels pooled is a share of tags: mid-P of as many as would vary as much."""
    from informed.inference.given import shrink
    from informed.inference.proportions import mid_p

    c = label_counts(t)
    size = float((c.prevalence + c.bias).sum())
    ones = np.ones(len(t.labels))
    found = spread_of(
        t, influence(t, Coefficients(2 * ones / size, -estimate * ones / size, -estimate * ones / size, 0.0))
    )
    units = float(number_of_units(t))
    tags = size * units / 2
    worth = ratio(estimate * (1 - estimate), found.variance)
    worth = np.clip(worth if np.isfinite(worth) else units, min(units, tags), max(units, tags))
    n = np.atleast_1d(worth * shrink(max(found.df, 1.0), level))
    low, high = mid_p(n * estimate, n, level)
    return float(low[0]), float(high[0])


# ---------------------------------------------------------------------- each label


def _of_each(
    t: Tags, measure: str, level: float, simultaneous: Any, rng: Rng, of_tables: Callable[..., Any]
) -> Interval:
    """Any measure of each label's table; labels that cannot be bet on get no interval, and do not count."""
    one_of("simultaneous", simultaneous, (False, True, "max-t", "bonferroni"), InferenceError)
    known = label_counts(t).usable
    at, joint = level, ""
    if simultaneous and known.sum() > 1:
        joint = f"bonferroni over {known.sum()}"
        at = 1 - (1 - level) / float(known.sum())
        if simultaneous != "bonferroni":
            joint = f"max-t over {known.sum()}, joint covariance"
            at = joint_level(correlations(t)[np.ix_(known, known)], level, rng)
    found: Interval = of_tables(t.table, measure, level=at)
    notes = (
        []
        if not joint
        else [Note(f"The intervals hold together at the level {level:g} ({joint}).", code="simultaneous")]
    )
    axes = (("label", t.labels), *found.axes[1:])
    return replace(found, level=level, simultaneous=joint, notes=(*notes, *found.notes), axes=axes)


def joint_level(correlation: Array, level: float, rng: Rng = None) -> float:
    """The level of each of several intervals that hold together, whose errors are correlated so."""
    from scipy.special import ndtr

    values, vectors = np.linalg.eigh(correlation)
    factor = vectors * np.sqrt(np.maximum(values, 0))
    k, source = len(correlation), generator(rng)
    draws = int(np.clip(NUMBERS // k, 10_000, DRAWS))
    largest = np.empty(draws)
    for at in range(0, draws, 5000):
        part = source.standard_normal((min(5000, draws - at), k)) @ factor.T
        largest[at : at + len(part)] = np.abs(part).max(axis=1)
    return float(2 * ndtr(np.quantile(largest, level)) - 1)
