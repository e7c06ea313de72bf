"""Which measures a report shows: the only lists of them."""

from __future__ import annotations

from collections.abc import Iterable

from informed.evidence.table import Table
from informed.measures import MEASURES, Measure, find

CORE = ("informedness", "markedness", "correlation")
TWO = (
    "accuracy",
    "balanced_accuracy",
    "recall",
    "inverse_recall",
    "precision",
    "inverse_precision",
    "f1",
    "cohen_kappa",
)
MANY = (
    "accuracy",
    'recall(average="macro")',
    'precision(average="macro")',
    'f1(average="macro")',
    "cohen_kappa",
    "matthews",
)
CLUSTERED = (
    "normalized_mutual_information",
    "adjusted_rand_index",
    "cramers_v",
    "lambda_real",
    "purity",
)  # of tables whose sides have labels of their own
TESTED = ("informedness", "markedness", "correlation", "matthews", "accuracy", "cohen_kappa")
OF_CLASS = ("prevalence", "bias", "recall", "fallout", "precision", "informedness", "markedness")


def chosen(t: Table, names: Iterable[str] | None, everything: bool) -> tuple[Measure, ...]:
    """B, M and C, the traditional measures of this kind of table, and what was asked for."""
    usual: tuple[str, ...] = (*CORE, *(TWO if t.is_square and t.positive is not None else MANY))
    if not t.is_square:
        usual = CLUSTERED
    if t.unanswered is not None:
        usual = (*usual, "coverage", "informedness_discounted", "informedness_of_all")
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
