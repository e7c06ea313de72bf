"""`slices`: the same systems in every part of the data, and whether the parts tell another story.

Pooling mixes what systems know with where the cases came from: a system may lead in every slice
and trail in the pool (Simpson). Stratified informedness compares like with like.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import InferenceError, one_of
from informed.evidence.marks import Marks
from informed.evidence.paired_marks import answers_of, shared
from informed.evidence.table import Table
from informed.inference.answers import Test
from informed.inference.given import checked_level, standard_normal
from informed.inference.heterogeneity import Heterogeneity, group_spread, heterogeneity
from informed.inference.intervals import interval
from informed.inference.marks_score import spread
from informed.inference.sample import Sample
from informed.measures import MeasureLike
from informed.measures.headline import COUNTS, Count, called, headline
from informed.results import Note, Records, Result, along, picked, plain_dict, warning
from informed.systems.board import sign_of


@dataclass(frozen=True, eq=False, repr=False)
class Slices(Result):
    """Systems by slices: pooled, stratified, and how much the slices differ."""

    page = "folds"

    systems: tuple[Hashable, ...]
    slices: tuple[Hashable, ...]
    measure: str
    called: str  # the measure in words that say of which cases it is
    level: float
    estimate: Array  # (systems, slices), NaN where undefined
    standard_error: Array
    low: Array  # limits of each slice by itself
    high: Array
    share: Array  # of the cases of each slice, all systems alike where they answered alike
    pooled: Array  # of all cases together
    stratified: Array  # mean over the slices, by their size
    stratified_low: Array
    stratified_high: Array
    heterogeneity: Test  # one statistic and p-value a system
    reversals: tuple[tuple[Hashable, Hashable], ...]  # (a, b): a leads the pool, b every slice
    notes: tuple[Note, ...] = ()

    def records(self) -> Records:
        """One row a system and slice."""
        where = along((("system", self.systems), ("slice", self.slices)))
        values = ("estimate", "standard_error", "low", "high", "share")
        return Records.beside(where | {name: ("number", getattr(self, name)) for name in values})

    def systems_records(self) -> Records:
        """One row a system: pooled, stratified, and whether its slices differ."""
        values = "system:label=systems pooled stratified low=stratified_low high=stratified_high"
        return Records.picked(self, f"{values} statistic=heterogeneity.statistic pvalue=heterogeneity.pvalue")

    def to_dict(self) -> dict[str, Any]:
        """The systems with their slices, and where the pool contradicts these."""
        systems = []
        for row, each in zip(self.systems_records(), self.estimate, strict=True):
            tested = {name: row.pop(name) for name in ("statistic", "pvalue")}
            systems.append({**row, "heterogeneity": tested, "each": each})
        held = picked(self, "measure slices reversals") | {"systems": systems, "notes": self.notes}
        return plain_dict(held)


def slices(
    t: Table | Marks | Mapping[Any, Marks],
    *,
    measure: MeasureLike = "informedness",
    level: float = 0.95,
    count: Count = "tool",
) -> Slices:
    """Compare systems within slices, and warn where the pool contradicts them.

    Parameters
    ----------
    t
        A stack of tables ``(systems, slices)``, or ``(slices,)`` for one system, such as
        `read(by=["system", "language"])` gives; or `Marks` with groups, of one system
        or by the names of several, whose scores are compared.
    measure
        Any measure of a table; a system leads where it is higher, or lower if that is better.
    level
        Of the intervals of the stratified values.
    count
        Where some cases got no answer, informedness and accuracy are those over all cases that count: no
        answer is no bet, and not right. "answered" asks for those of the answered cases, which other
        measures are always of.

    Notes
    -----
    Heterogeneity is Cochran's: the squared distances of the slices from their precision-weighted
    mean, in standard errors, against χ² with one degree less than there are slices; all after four
    pseudo-cases a slice, so that small slices without an error do not count as exact. Where cases
    belong to units, standard errors are those between units, and slices that share units vary together.
    A slice in which the measure is undefined takes no part, and is named.

    >>> t = Table.from_counts([[[8, 2], [2, 8]], [[6, 4], [4, 6]]], names=["en", "fr"])
    >>> found = slices(t)
    >>> found.estimate.round(2).tolist(), found.heterogeneity.pvalue.round(2).tolist()
    ([[0.6, 0.2]], [0.21])
    """
    checked_level(level)
    one_of("count", count, COUNTS, InferenceError)
    if isinstance(t, Marks | Mapping):
        return _of_marks({t.system or 0: t} if isinstance(t, Marks) else t, level)
    if len(t.shape) not in (1, 2) or t.shape[-1] < 2:
        raise InferenceError(f"The stack has shape {t.shape}; (systems, slices) with two slices at least is needed.")

    silent = bool(t.abstained.any())
    m = headline(measure, count, silent)
    t = t if m.facts.abstentions else t.answered
    systems = (0,) if len(t.shape) == 1 else tuple(t.axes[0] or range(t.shape[0]))
    parts = tuple(t.axes[-1] or range(t.shape[-1]))
    s = Sample(m, t, level)
    each, error = (np.atleast_2d(x) for x in (s.estimate, group_spread(s).standard_error))
    pooled = np.atleast_1d(np.asarray(m(t.sum(-1))))
    size = np.where(np.isnan(each), 0.0, np.atleast_2d(s.n))
    together = heterogeneity(t, m, level=level)

    notes = _undefined(each, parts)
    reversals = _reversals(sign_of(m) * each, sign_of(m) * pooled, systems)
    for a, b in reversals:
        said = f"{a!r} is ahead of {b!r} in the pool and behind in every slice (Simpson's paradox): "
        notes.append(warning(f"{said}compare them within slices, or stratified.", "simpson"))

    alone = interval(t, m, level=level)
    return Slices(
        systems=systems,
        slices=parts,
        measure=str(m),
        called=called(m, silent),
        level=level,
        estimate=each,
        standard_error=error,
        low=np.atleast_2d(alone.low),
        high=np.atleast_2d(alone.high),
        share=ratio(size, size.sum(axis=1, keepdims=True)),
        pooled=pooled,
        stratified=np.atleast_1d(together.estimate),
        stratified_low=np.atleast_1d(together.low),
        stratified_high=np.atleast_1d(together.high),
        heterogeneity=_tested(together, str(m)),
        reversals=reversals,
        notes=tuple(notes),
    )


def _of_marks(marks: Mapping[Hashable, Marks], level: float) -> Slices:
    """Scores of the groups of marks: accuracies where all are 0 or 1, else means of marks."""
    held = dict(zip(marks, shared(list(marks.values())), strict=True))
    lead = next(iter(held.values()))
    if lead.group is None:
        raise InferenceError("These marks have no groups; give `group`.")
    told = len(np.unique(lead.group))
    if told < 2:
        raise InferenceError(f"{told} of the groups have marks that count; two slices at least are needed.")
    if not all(m.whole for m in held.values()):
        return _stacked([_of_partial(name, m, level) for name, m in held.items()])

    p = answers_of(held)
    item = np.arange(len(p)) if p.item is None else p.item
    by = [lead.groups[i] for i in lead.group[item].tolist()]
    return replace(slices(p.tables_by(by), measure="accuracy", level=level), measure=lead.name, called=lead.name)


def _of_partial(system: Hashable, m: Marks, level: float) -> Slices:
    """Mean marks of the groups of one system, with Student's intervals."""
    parts = {name: own for name, own in m.by_groups().items() if own.n}
    each = [interval(own, level=level) for own in parts.values()]
    values, low, high = (np.array([[getattr(x, name) for x in each]]) for name in ("estimate", "low", "high"))
    size = np.array([[own.item_weight.sum() for own in parts.values()]])
    error = np.array([[spread(own.values[:, None], own.item_weight, own.unit)[1][0] for own in parts.values()]])
    share = size / size.sum()
    stratified = (share * values).sum(axis=1)
    half = standard_normal(level) * np.sqrt((share**2 * error**2).sum(axis=1))
    return Slices(
        systems=(system,),
        slices=tuple(parts),
        measure=m.name,
        called=m.name,
        level=level,
        estimate=values,
        standard_error=error,
        low=low,
        high=high,
        share=share,
        pooled=np.array([m.score]),
        stratified=stratified,
        stratified_low=stratified - half,
        stratified_high=stratified + half,
        heterogeneity=_of_groups(values[0], error[0], m.name),
        reversals=(),
        notes=tuple(dict.fromkeys(note for x in each for note in x.notes)),
    )


def _stacked(found: Sequence[Slices]) -> Slices:
    """The slices of several systems, which have the same groups, as one."""
    first = found[0]
    limits = ("low", "high", "stratified_low", "stratified_high")
    named = ("estimate", "standard_error", "share", "pooled", "stratified", *limits)
    held: dict[str, Any] = {name: np.concatenate([getattr(x, name) for x in found]) for name in named}
    tests: dict[str, Any] = {
        x: np.concatenate([getattr(one.heterogeneity, x) for one in found]) for x in ("statistic", "pvalue", "df")
    }
    held["systems"] = tuple(name for x in found for name in x.systems)
    held["reversals"] = _reversals(held["estimate"], held["pooled"], held["systems"])
    held["notes"] = tuple(dict.fromkeys(note for x in found for note in x.notes))
    return replace(first, **held, heterogeneity=replace(first.heterogeneity, **tests))


def _of_groups(value: Array, error: Array, called: str) -> Test:
    """Cochran's Q of scores: whether groups of items differ by more than chance."""
    from scipy.special import chdtrc

    inside = error > 0
    precision = np.where(inside, ratio(1.0, error**2), 0.0)
    mean = ratio((precision * value).sum(), precision.sum())
    statistic, df = float((precision * (value - mean) ** 2).sum()), float(inside.sum() - 1)
    pvalue = float(chdtrc(df, statistic)) if df > 0 else np.nan
    null = "the score is the same in every group"
    found = np.array([[statistic], [pvalue], [df]])
    return Test(found[0], found[1], found[2], "cochran-heterogeneity", null, called)


def _tested(found: Heterogeneity, called: str) -> Test:
    """Whether the slices of each system differ by more than chance."""
    null = "the measure is the same in every slice"
    statistic, pvalue, df = (np.atleast_1d(x) for x in (found.statistic, found.pvalue, found.df))
    return Test(statistic, pvalue, df, "cochran-heterogeneity", null, called)


def _undefined(each: Array, parts: tuple[Hashable, ...]) -> list[Note]:
    lost = np.isnan(each).any(axis=0)
    if not lost.any():
        return []
    named = ", ".join(repr(parts[i]) for i in np.flatnonzero(lost))
    return [Note(f"Undefined, and left out, in the slice(s) {named}.", code="undefined-slices")]


def _reversals(each: Array, pooled: Array, systems: tuple[Hashable, ...]) -> tuple[tuple[Hashable, Hashable], ...]:
    """Pairs (a, b) in which a leads the pool although b leads every slice."""
    shared = ~np.isnan(each)
    both = shared[:, None] & shared[None]
    behind = ((each[:, None] < each[None]) | ~both).all(axis=-1) & both.any(axis=-1)
    found = np.argwhere((pooled[:, None] > pooled) & behind)
    return tuple((systems[a], systems[b]) for a, b in found)
