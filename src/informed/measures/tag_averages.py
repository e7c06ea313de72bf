"""Any measure of tags, by the averages that scikit-learn knows: of each label, of labels pooled, of items."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from informed._arrays import Array, mean_over, ratio
from informed.errors import MeasureError
from informed.evidence.checks import frozen
from informed.evidence.table import Table
from informed.evidence.tags import Tags
from informed.evidence.tags_matrix import linear, row_sums
from informed.measures.registry import Measure
from informed.measures.tag_scores import BETS, FAIR, named, score

AVERAGES = ("macro", "micro", "weighted", "prevalence", "bias", "samples")
OF_BETS = (*FAIR, "examples")  # of informedness, markedness and correlation, whose own averages these are


def averaged(
    m: Measure,
    t: Tags,
    average: str | None = "binary",
    *,
    undefined: Literal["nan", "limit"] = "nan",
    system: Hashable = None,
    **parameters: Any,
) -> Array:
    """A measure of tags: of each label with None, else one number.

    "binary" is what there is without an average: the bookmaker's of informedness, markedness and correlation, and
    the share of items with all tags right of accuracy.
    """
    of = t if system is None else t.among([system])
    if (own := _own(m, average)) is not None and not parameters:
        value = score(of, *own)
        return np.asarray(m.facts.limit if undefined == "limit" and np.isnan(value) else value, np.float64)
    if average is not None and average not in AVERAGES:
        raise MeasureError(_needed(m, average))

    told = {**parameters, "undefined": undefined}
    if average == "samples":
        each = np.asarray(m(item_tables(of), **told))
        return np.asarray(np.average(each, weights=of.weights))
    if average == "micro":
        return np.asarray(m(of.table.sum(-1), **told))
    each = np.asarray(m(of.table, **told))
    if average is None or average == "macro":
        return each if average is None else np.asarray(each.mean())
    _, real, given = of.counts()
    heavy = given if average == "bias" else real
    return mean_over(ratio(heavy, heavy.sum()), each)


def _own(m: Measure, average: str | None) -> tuple[str, str] | None:
    """The measure of tags, and its average, that this is; None where it is any measure of tables."""
    if m.name in BETS and (average in ("binary", "samples") or average in OF_BETS):
        how = {"binary": "prevalence", "samples": "examples"}.get(str(average), str(average))
        return named(m.name, how), how
    items = {("accuracy", "binary"): "subset_accuracy", ("jaccard", "samples"): "jaccard_samples"}
    held = items.get((m.name, str(average)))
    return None if held is None else (held, "prevalence")


def asked_of_tags(m: Measure, average: str) -> tuple[str, str]:
    """The same as `interval` of tags takes it; refused where there is none."""
    if m.name in BETS and average in ("macro", "micro"):
        return m.name, average
    if (own := _own(m, average)) is not None:
        return own
    if (m.name, average) == ("f1", "micro"):
        return "f1_micro", "prevalence"
    raise MeasureError(
        f"{m.name} of items of several labels has no interval by the average {average!r}; informedness, markedness and "
        "correlation have: leave the others out, or give `interval=False`."
    )


def _needed(m: Measure, average: str) -> str:
    known = ", ".join(f'"{x}"' for x in (*AVERAGES, *(OF_BETS if m.name in BETS else ())))
    if average == "binary":
        said = f"{m.name} is of two classes, and here are items of several labels"
        return f"{said}: give `average=`, one of {known} or None."
    return f"`average` is {average!r}; of tags it can be {known} or None."


def item_tables(t: Tags) -> Table:
    """The stack of the two-class tables of the items, each of all its labels."""
    y, z = t.real, t.codes[0]
    ones, none = np.ones(len(t.labels)), np.zeros(len(t.labels))
    both, real, given = linear(y, z, ones, none, none), row_sums(y), row_sums(z)
    cells = np.array([[both, given - both], [real - both, len(ones) - real - given + both]])
    whole = t.table
    return replace(whole, cells=frozen(cells), axes=(None,), units=None, squares=None, cases=None)
