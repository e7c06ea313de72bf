"""Tags in slices: what systems know of the tags in each part of the items, and how the parts differ."""

from __future__ import annotations

from typing import Any

import numpy as np

from informed.errors import InferenceError
from informed.evidence.labels import some
from informed.evidence.tags import Tags
from informed.inference.answers import Interval
from informed.inference.heterogeneity import GroupSpread, differing
from informed.inference.intervals import interval
from informed.inference.tags_interval import arc_of
from informed.measures.tag_scores import BETS, named, score
from informed.measures.titles import spoken_tags
from informed.systems.sliced import Slices, sliced


def tags_by_slices(t: Tags, by: Any, measure: str, average: str, level: float) -> Slices:
    """What the systems know of the tags of each slice, and of all items."""
    asked = named(measure, average)
    if asked not in BETS or average == "examples":
        raise InferenceError("Slices of tags are of informedness, markedness or correlation, by an average of labels.")
    parts = t.by_groups(by)
    if len(parts) < 2:
        raise InferenceError(f"All items are of one slice ({some(list(parts))}); two at least are needed.")
    inside = [0 if part.unit is None else int(part.unit.max()) + 1 for part in parts.values()]
    if t.unit is not None and sum(inside) > len(np.unique(t.unit)):
        raise InferenceError(f"Some {t.unit_name} has items in two slices; slices of tags are made of whole units.")

    shape = (len(t.names), len(parts))
    alone: list[Interval] = []
    centre, variance, df = np.full(shape, np.nan), np.zeros(shape), np.full(shape, np.inf)
    for s, name in enumerate(t.names):
        for i, part in enumerate(parts.values()):
            own = part.among([name])
            found = interval(own, asked, average=average, level=level)
            alone.append(found)
            if np.isfinite(found.low):
                arc = arc_of(own, asked, average)
                centre[s, i], variance[s, i], df[s, i] = arc.middle, arc.spread.variance, arc.spread.df
    spread = GroupSpread(centre, variance, df, np.ones(len(t.names), np.bool_))
    each = np.reshape([float(x.estimate) for x in alone], shape)
    size = np.broadcast_to([part.total for part in parts.values()], shape).astype(np.float64)
    together = differing(each, size, spread, level, (-1.0, 1.0))
    pooled = [score(t, asked, average, system=name) for name in t.names]
    called = spoken_tags(asked) if average == "prevalence" else f"{spoken_tags(asked)} ({average})"
    numbers = (spread.standard_error, size, pooled)
    return sliced((t.names, tuple(parts)), (asked, called), level, alone, numbers, together)
