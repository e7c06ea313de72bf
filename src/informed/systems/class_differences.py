"""Two systems class by class, or label by label: which of them finds which, and what is never predicted.

An average may hide that one system finds nothing of a rare class. Limits and p-values are simultaneous over the rows
that are shown (Bonferroni), so that a row is picked without luck.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, ratio
from informed._numbers import plural
from informed.evidence.labels import some
from informed.evidence.paired import Paired
from informed.evidence.shown import system_name
from informed.evidence.tags import Tags
from informed.evidence.tags_matrix import is_sparse
from informed.inference.resampling import DRAWS
from informed.inference.tags_influence import number_of_units
from informed.measures.tag_scores import LabelCounts, label_counts
from informed.results import Note, Records, warning
from informed.systems.comparison import Comparison
from informed.systems.tails import ComparisonOptions

MOST = 30  # classes or labels that are shown, the most frequent ones
DIFFERENCE = "a b estimate:signed low:signed high:signed pvalue:p"
CLASSES = f"class:label real:count {DIFFERENCE} predicted_a:count predicted_b:count"
LABELS = f"label:label real:count {DIFFERENCE} recall_a recall_b predicted_a:count predicted_b:count"


def shown_level(level: float, rows: int) -> float:
    """The level of each row, so that all of them hold with this level together."""
    return 1 - (1 - level) / max(rows, 1)


def of_classes(c: Comparison) -> Records:
    """The recall of each of three or more classes, the most frequent first; none of two, whose rates are shown."""
    t = c.tables[0]
    if c.stacked or c.relative_only or c.method != "auto" or not 2 < len(t.labels) <= MOST:
        return Records.of(CLASSES, ())
    real = np.asarray(t.real_totals + t.abstained)
    usable = int((real > 0).sum())
    d: Any = c.at(level=shown_level(c.level, usable))["recall"]
    given = [np.asarray(x.predicted_totals) for x in c.tables]
    rows = []
    for i in np.argsort(-real, kind="stable").tolist():
        numbers = (float(np.asarray(x)[i]) for x in (d.a, d.b, d.estimate, d.low, d.high))
        p = min(1.0, float(np.asarray(d.pvalue)[i]) * usable)
        rows.append((t.labels[i], float(real[i]), *numbers, p, *(float(x[i]) for x in given)))
    return Records.of(CLASSES, rows)


def of_labels(t: Tags, level: float) -> Records:
    """The informedness of each label of two systems, with their recalls, the most frequent first."""
    one, other = (label_counts(t, name) for name in t.names)
    shown = [int(i) for i in np.argsort(-one.real, kind="stable")[:MOST]]
    usable = int(one.usable[shown].sum())
    rows = []
    for i in shown:
        found = (np.nan,) * 4
        if one.usable[i] and number_of_units(t) > 1:
            d: Any = _of_label(t, i, shown_level(level, usable))["informedness"]
            found = (float(d.estimate), float(d.low), float(d.high), min(1.0, float(d.pvalue) * usable))
        recalls = (float(ratio(x.both[i], x.real[i])) for x in (one, other))
        own = (float(one.real[i]), float(one.each[i]), float(other.each[i]))
        rows.append((t.labels[i], *own, *found, *recalls, float(one.given[i]), float(other.given[i])))
    return Records.of(LABELS, rows)


def _of_label(t: Tags, place: int, level: float) -> Comparison:
    """The paired comparison of two systems by one label, which an item has or has not."""
    real, *said = (_column(m, place) for m in (t.real, *t.codes))
    p = Paired(
        real_codes=np.where(real, 0, 1),
        codes=np.stack([np.where(x, 0, 1) for x in said], axis=1),
        labels=(True, False),
        names=t.names,
        positive=True,
        weights=t.weights,
        unit=t.unit,
    )
    names = (t.names[0], t.names[1])
    joint = p.joint(*names)
    return Comparison(joint, (joint.a, joint.b), names, level, "auto", "multinomial", ComparisonOptions(None, DRAWS))


def _column(m: Any, place: int) -> NDArray[np.bool_]:
    held = m[:, [place]].toarray() if is_sparse(m) else m[:, place]
    return np.asarray(np.ravel(np.asarray(held)) > 0)


# ---------------------------------------------------------------------- what is never predicted, or never occurs


def never_of_labels(t: Tags) -> Iterator[Note]:
    """Warnings of labels that occur and that a system never predicts."""
    for name in t.names:
        c: LabelCounts = label_counts(t, name)
        yield from _unpredicted(name if len(t.names) > 1 else None, t.labels, c.real, c.given)


def never_of_classes(c: Comparison) -> Iterator[Note]:
    """Warnings of classes that a system never predicts, or that never occur."""
    if c.stacked or len(c.tables[0].labels) < 3 or c.tables[0].real_labels != c.tables[0].predicted_labels:
        return
    for name, t in zip(c.names, c.tables, strict=True):
        real = np.asarray(t.real_totals + t.abstained)
        yield from _unpredicted(name, t.labels, real, np.asarray(t.predicted_totals))
    t = c.tables[0]
    lost = [x for x, n in zip(t.labels, np.asarray(t.real_totals + t.abstained).tolist(), strict=True) if not n]
    if lost:
        are = "occurs" if len(lost) == 1 else "occur"
        yield warning(f"{some(lost)} never {are}: how well it is recognised is not known.", "never-occurs")


def _unpredicted(name: Hashable | None, labels: Sequence[Hashable], real: Array, given: Array) -> Iterator[Note]:
    lost = np.flatnonzero((real > 0) & (given == 0)).tolist()
    if not lost:
        return
    who, which = "The system" if name is None else system_name(name), some([labels[i] for i in lost])
    occur, them = ("occurs", "it") if len(lost) == 1 else ("occur", "them")
    often = plural(float(real[lost].sum()), "time")
    said = f"{who} never predicts {which}, which {occur} {often}: its recall of {them} is 0."
    yield warning(said, "never-predicted")
