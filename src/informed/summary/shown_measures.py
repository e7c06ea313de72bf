"""Which measures a report shows of a table."""

from __future__ import annotations

from collections.abc import Iterable

from informed.evidence.table import Table
from informed.measures import MEASURES, Measure, find
from informed.measures.shown import CORE, OF_ALL, OF_CLUSTERS, OF_MANY, OF_TWO


def chosen(t: Table, names: Iterable[str] | None, everything: bool) -> tuple[Measure, ...]:
    """B, M and C, the traditional measures of this kind of table, and what was asked for."""
    traditional = OF_TWO if t.is_square and t.positive is not None else OF_MANY
    usual: tuple[str, ...] = (*CORE, *traditional)
    if not t.is_square:
        usual = OF_CLUSTERS
    if t.unanswered is not None:
        usual = (*usual, *OF_ALL)
    if names is not None:
        names = tuple(names)
        for m in map(find, names):
            if "average" not in dict(m.bound):
                m.check(t)
        usual = (*CORE, *names)
    found = {str(m): m for m in map(find, usual)}
    if everything:
        found.update({m.name: m for m in MEASURES.values() if m.name not in found})
    return tuple(m for m in found.values() if _readable(m, t))


def _readable(m: Measure, t: Table) -> bool:
    if "average" in dict(m.bound):
        return t.is_square
    return m.reads(t)
