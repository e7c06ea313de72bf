"""`slices`: the same systems in every part of the data, and whether the parts tell another story.

Pooling mixes what systems know with where the cases came from: a system may lead in every slice
and trail in the pool (Simpson). Stratified informedness compares like with like.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import InferenceError, TableError, one_of
from informed.evidence.calls import explained
from informed.evidence.forecasts import no_forecasts
from informed.evidence.labels import some
from informed.evidence.marks import Marks
from informed.evidence.paired import Paired
from informed.evidence.paired_marks import answers_of
from informed.evidence.table import Table
from informed.evidence.tags import Tags
from informed.inference.answers import Interval, Test
from informed.inference.given import checked_level
from informed.inference.heterogeneity import GroupSpread, Heterogeneity, differing, group_spread, heterogeneity
from informed.inference.intervals import interval
from informed.inference.marks_groups import spread_of_groups
from informed.inference.sample import Sample
from informed.measures import MeasureLike
from informed.measures.headline import COUNTS, Count, called, headline
from informed.results import Note, Records, Result, along, picked, plain_dict, warning
from informed.systems.board import sign_of
from informed.systems.fold_designs import values_of
from informed.systems.marks_board import no_labels, shared_marks
from informed.systems.scale import subtracted
from informed.systems.tags_slices import tags_by_slices


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


@explained
def slices(
    t: Table | Paired | Marks | Mapping[Any, Marks] | Tags,
    *,
    by: Any = None,
    measure: MeasureLike = "informedness",
    level: float = 0.95,
    count: Count = "tool",
    average: str = "prevalence",
) -> Slices:
    """Compare systems within slices, and warn where the pool contradicts them.

    Parameters
    ----------
    t
        A stack of tables ``(systems, slices)``, or ``(slices,)`` for one system, such as
        `read(by=["system", "language"])` gives; or `Marks` with groups, of one system
        or by the names of several, whose scores are compared. Or the answers of several systems to the
        same items, what `read(item=, keep=)` gives, with `by`. Or `Tags`, with `by` and an `average` of their labels.
    by
        Of answers: the slice of each, values or the name of a column that was kept.
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
    no_forecasts(t, "informed.probabilities(…, by=…) has them group by group")
    one_of("count", count, COUNTS, InferenceError)
    if isinstance(t, Marks) or (isinstance(t, Mapping) and all(isinstance(x, Marks) for x in t.values())):
        no_labels(count=(count, "tool"))
        return _of_marks({t.system or 0: t} if isinstance(t, Marks) else t, str(measure), level)
    if isinstance(t, (Paired, Tags)) and by is None:
        raise InferenceError("`by` is missing; it says which slice each answer belongs to.")
    if isinstance(t, Tags):
        return _sliced(*tags_by_slices(t, by, str(measure), average, level))
    if isinstance(t, Paired):
        p = replace(t, kept={**t.kept, "by": tuple(values_of(t, by, "by"))}).counted
        if len(there := set(p.kept["by"])) < 2:
            raise InferenceError(f"All cases are of one slice ({some(list(there))}); two at least are needed.")
        return _of_tables(p.tables_by(p.kept["by"]), p.tables, measure, level, count)
    if by is not None:
        raise InferenceError("`by` goes with the answers of systems; tables and marks are in slices already.")
    if not isinstance(t, Table):
        raise TableError(
            f"A {type(t).__name__} is no Table; `slices` needs one for each slice: "
            "t = informed.read(source, real=…, predicted=…, by=…)."
        )
    return _of_tables(t, t.sum(-1) if t.shape else t, measure, level, count)


def _of_tables(t: Table, whole: Table, measure: MeasureLike, level: float, count: Count) -> Slices:
    """Tables of slices, and of all of them together, in which an item counts once whatever slices it is in."""
    if len(t.shape) not in (1, 2) or t.shape[-1] < 2:
        raise InferenceError(f"The stack has shape {t.shape}; (systems, slices) with two slices at least is needed.")

    silent = bool(t.abstained.any())
    m = subtracted(headline(measure, count, silent), "slices")
    t, whole = (x if m.facts.abstentions else x.answered for x in (t, whole))
    s = Sample(m, t, level)
    systems = (0,) if len(t.shape) == 1 else tuple(t.axes[0] or range(t.shape[0]))
    return _sliced(
        (systems, tuple(t.axes[-1] or range(t.shape[-1]))),
        (str(m), called(m, silent)),
        level,
        [interval(t, m, level=level)],
        (group_spread(s).standard_error, s.n, m(whole)),
        heterogeneity(t, m, level=level),
        sign_of(m),
    )


def _sliced(
    names: tuple[tuple[Hashable, ...], tuple[Hashable, ...]],
    measure: tuple[str, str],
    level: float,
    alone: Sequence[Interval],
    numbers: tuple[Any, Any, Any],
    together: Heterogeneity,
    sign: int = 1,
) -> Slices:
    """Systems and slices, the measure and what it is called, intervals of the slices by themselves; their errors,
    sizes and the pooled values; and what they are together."""
    systems, parts = names
    shape = (len(systems), len(parts))
    each, low, high = (
        np.reshape([getattr(x, name) for x in alone], shape).astype(np.float64) for name in ("estimate", "low", "high")
    )
    error, n, pooled = np.reshape(numbers[0], shape), np.reshape(numbers[1], shape), np.atleast_1d(numbers[2])
    size = np.where(np.isnan(each), 0.0, n)
    reversals = _reversals(sign * each, sign * pooled, systems)
    notes = [*_undefined(each, parts), *(note for x in alone for note in x.notes if len(alone) > 1)]
    for a, b in reversals:
        said = f"{a!r} is ahead of {b!r} in the pool and behind in every slice (Simpson's paradox): "
        notes.append(warning(f"{said}compare them within slices, or stratified.", "simpson"))

    statistic, pvalue, df = (np.atleast_1d(x) for x in (together.statistic, together.pvalue, together.df))
    null = "the measure is the same in every slice"
    return Slices(
        systems=systems,
        slices=parts,
        measure=measure[0],
        called=measure[1],
        level=level,
        estimate=each,
        standard_error=error,
        low=low,
        high=high,
        share=ratio(size, size.sum(axis=1, keepdims=True)),
        pooled=pooled,
        stratified=np.atleast_1d(together.estimate),
        stratified_low=np.atleast_1d(together.low),
        stratified_high=np.atleast_1d(together.high),
        heterogeneity=Test(statistic, pvalue, df, "cochran-heterogeneity", null, measure[0]),
        reversals=reversals,
        notes=tuple(dict.fromkeys(notes)),
    )


def _of_marks(marks: Mapping[Hashable, Marks], measure: str, level: float) -> Slices:
    """Scores of the groups of marks: accuracies where all are 0 or 1, else means of marks."""
    held = shared_marks(marks, measure, least=1)[0]
    lead = next(iter(held.values()))
    if lead.group is None:
        raise InferenceError("These marks have no groups; give `group`.")
    told = len(np.unique(lead.group))
    if told < 2:
        raise InferenceError(f"{told} of the groups have marks that count; two slices at least are needed.")
    if not all(m.whole for m in held.values()):
        return _of_partial(held, lead, level)

    p = answers_of(held)
    item = np.arange(len(p)) if p.item is None else p.item
    by = [lead.groups[i] for i in lead.group[item].tolist()]
    return replace(slices(p.tables_by(by), measure="accuracy", level=level), measure=lead.name, called=lead.name)


def _of_partial(marks: Mapping[Hashable, Marks], lead: Marks, level: float) -> Slices:
    """Mean marks of the groups, with Student's intervals."""
    assert lead.group is not None
    places, at = np.unique(lead.group, return_inverse=True)
    parts, w, unit = tuple(lead.groups[i] for i in places), lead.item_weight, lead.unit
    x = np.stack([m.values for m in marks.values()])
    ends = (min(0.0, float(x.min())), max(1.0, float(x.max())))
    each = [spread_of_groups(own, w, at, len(parts), unit, ends) for own in x]
    spread = GroupSpread(*(np.stack([getattr(one, name.name) for one in each]) for name in fields(GroupSpread)))

    size = np.broadcast_to(np.bincount(at, w).astype(np.float64), (len(x), len(parts)))
    alone = [interval(m.where(at == i), level=level) for m in marks.values() for i in range(len(parts))]
    values = np.reshape([one.estimate for one in alone], size.shape)
    together = differing(values, size, spread, level, ends)
    numbers = (spread.standard_error, size, [m.score for m in marks.values()])
    return _sliced((tuple(marks), parts), (lead.name, lead.name), level, alone, numbers, together)


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
