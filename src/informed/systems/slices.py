"""`slices`: the same systems in every part of the data, and whether the parts tell another story.

Pooling mixes what systems know with where the cases came from: a system may lead in every slice
and trail in the pool (Simpson). Stratified informedness compares like with like.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from informed.decisions.probability_comparison import ProbabilityComparison
from informed.decisions.probability_input import of_systems
from informed.decisions.skill import gain
from informed.errors import InferenceError, TableError, one_of
from informed.evidence.calls import explained
from informed.evidence.forecasts import Forecasts
from informed.evidence.label_order import ordered
from informed.evidence.labels import some
from informed.evidence.marks import Marks
from informed.evidence.paired import Paired
from informed.evidence.paired_marks import answers_of
from informed.evidence.table import Table
from informed.evidence.tags import Tags
from informed.inference.given import checked_level
from informed.inference.heterogeneity import GroupSpread, differing, group_spread, heterogeneity
from informed.inference.interval_methods import why_none
from informed.inference.intervals import interval
from informed.inference.marks_groups import spread_of_groups
from informed.inference.sample import Sample
from informed.measures import MeasureLike
from informed.measures.headline import COUNTS, Count, headline
from informed.measures.titles import spoken
from informed.systems.board import sign_of
from informed.systems.compare import compare
from informed.systems.fold_designs import values_of
from informed.systems.gates import scalar
from informed.systems.marks_board import MARKS, no_labels, shared_marks
from informed.systems.marks_comparison import compare_marks
from informed.systems.scale import subtracted
from informed.systems.sliced import Slices, compared_in_slices, sliced
from informed.systems.tags_comparison import compare_tags
from informed.systems.tags_slices import tags_by_slices


@explained
def slices(
    t: Table | Paired | Marks | Mapping[Any, Marks] | Tags | Forecasts,
    *,
    by: Any = None,
    measure: MeasureLike | None = None,
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
        Or probabilities, what `read(probability=, by=)` gives, which gain in each slice over its own prevalence.
    by
        Of answers: the slice of each, values or the name of a column that was kept.
    measure
        Any measure of a table, by default informedness; a system leads where it is higher, or lower if that is better.
        Of probabilities "log_skill" (the default), "brier_skill" or "growth".
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
    A slice in which the measure is undefined takes no part, and is named. Rates (accuracy, recall and other shares) of
    cases that count once each have an exact test, given the number of successes in all slices.

    >>> t = Table.from_counts([[[8, 2], [2, 8]], [[6, 4], [4, 6]]], names=["en", "fr"])
    >>> found = slices(t)
    >>> found.estimate.round(2).tolist(), found.heterogeneity.pvalue.round(2).tolist()
    ([[0.6, 0.2]], [0.21])
    """
    checked_level(level)
    one_of("count", count, COUNTS, InferenceError)
    if isinstance(t, Marks) or (isinstance(t, Mapping) and all(isinstance(x, Marks) for x in t.values())):
        no_labels(MARKS, count=(count, "tool"))
        return _of_marks({t.system or 0: t} if isinstance(t, Marks) else t, str(measure or "informedness"), level)
    if isinstance(t, Forecasts):
        no_labels(
            "probabilities are compared by what they gain", count=(count, "tool"), average=(average, "prevalence")
        )
        by = t.by if by is None else by
    if isinstance(t, (Paired, Tags, Forecasts)) and by is None:
        raise InferenceError("`by` is missing; it says which slice each answer belongs to.")
    if isinstance(t, Forecasts):
        return ProbabilityComparison({}, of_systems(t), level, gain(measure), by=by).slices()
    measure = "informedness" if measure is None else measure
    if isinstance(t, Tags):
        found = tags_by_slices(t, by, str(measure), average, level)
        if len(t.names) != 2:
            return found
        how: dict[str, Any] = {"measure": str(measure), "average": average, "level": level, "further": False}
        return found.with_differences(
            compared_in_slices(t.by_groups(by), lambda part: compare_tags(part, *t.names, **how))
        )
    if isinstance(t, Paired):
        p = replace(t, kept={**t.kept, "by": tuple(values_of(t, by, "by"))}).counted
        if len(there := set(p.kept["by"])) < 2:
            raise InferenceError(f"All cases are of one slice ({some(list(there))}); two at least are needed.")
        found = _of_tables(p.tables_by(p.kept["by"]), p.tables, measure, level, count)
        if len(p.names) != 2:
            return found
        told: dict[str, Any] = {"a": p.names[0], "b": p.names[1], "level": level, "count": count}
        return found.with_differences(
            compared_in_slices(paired_parts(p, "by"), lambda part: scalar(compare.paired(part, **told), measure))
        )
    if by is not None:
        raise InferenceError("`by` goes with the answers of systems; tables and marks are in slices already.")
    if not isinstance(t, Table):
        raise TableError(
            f"A {type(t).__name__} is no Table; `slices` needs one for each slice: "
            "t = informed.read(source, real=…, predicted=…, by=…)."
        )
    return _of_tables(t, t.sum(-1) if t.shape else t, measure, level, count)


def paired_parts(p: Paired, by: Any) -> dict[Hashable, Paired]:
    """The answers in each slice, by values or by the name of a column that was kept."""
    values = values_of(p, by, "by")
    rows: dict[Hashable, list[int]] = {}
    for i, value in enumerate(values):
        rows.setdefault(value, []).append(i)
    return {name: p.where(np.asarray(rows[name])) for name in ordered(list(rows))}


def _of_tables(t: Table, whole: Table, measure: MeasureLike, level: float, count: Count) -> Slices:
    """Tables of slices, and of all of them together, in which an item counts once whatever slices it is in."""
    if len(t.shape) not in (1, 2) or t.shape[-1] < 2:
        raise InferenceError(f"The stack has shape {t.shape}; (systems, slices) with two slices at least is needed.")

    silent = bool(t.abstained.any())
    m = subtracted(headline(measure, count, silent), "slices")
    t, whole = (x if m.facts.abstentions else x.answered for x in (t, whole))
    s = Sample(m, t, level)
    systems = (0,) if len(t.shape) == 1 else tuple(t.axes[0] or range(t.shape[0]))
    alone = interval(t, m, level=level)
    error, together = np.full(s.n.shape, np.nan), heterogeneity(t, m, level=level)
    if not why_none(m, len(t.real_labels)):
        error = group_spread(s).standard_error
    return sliced(
        (systems, tuple(t.axes[-1] or range(t.shape[-1]))),
        (str(m), spoken(m, silent)),
        level,
        [alone],
        (error, s.n, m(whole)),
        together,
        sign_of(m),
    )


def _of_marks(marks: Mapping[Hashable, Marks], measure: str, level: float) -> Slices:
    """Scores of the groups of marks, and of two systems their difference in each group."""
    found = _of_groups(marks, measure, level)
    if len(marks) != 2:
        return found
    told: dict[str, Any] = {"names": tuple(marks), "level": level, "measure": found.measure}
    parts = marks_parts(marks)
    return found.with_differences(compared_in_slices(parts, lambda part: compare_marks(*part.values(), **told)))


def marks_parts(marks: Mapping[Hashable, Marks]) -> dict[Hashable, dict[Hashable, Marks]]:
    """The marks of each group, by the names of their systems; of groups that all of these have."""
    each = {name: m.by_groups() for name, m in marks.items()}
    lead, *others = each.values()
    return {
        group: {name: held[group] for name, held in each.items()} for group in lead if all(group in x for x in others)
    }


def _of_groups(marks: Mapping[Hashable, Marks], measure: str, level: float) -> Slices:
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
    alike = {x: np.stack([getattr(one, x) for one in each]) for x in ("centre", "variance", "even", "nested")}
    spread = GroupSpread(**alike, shared=tuple(factor for one in each for factor in one.shared))

    size = np.broadcast_to(np.bincount(at, w).astype(np.float64), (len(x), len(parts)))
    alone = [interval(m.where(at == i), level=level) for m in marks.values() for i in range(len(parts))]
    values = np.reshape([one.estimate for one in alone], size.shape)
    whole = [interval(m, level=level) for m in marks.values()]
    below, above = (np.array([x.estimate - x.low for x in whole]), np.array([x.high - x.estimate for x in whole]))
    together = differing(values, size, spread, level, ends, (below, above))
    numbers = (spread.standard_error, size, [m.score for m in marks.values()])
    return sliced((tuple(marks), parts), (lead.name, lead.name), level, alone, numbers, together)
