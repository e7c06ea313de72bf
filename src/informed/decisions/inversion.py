"""Scores that know better than they say: turned round as a whole, or where their curve runs below its hull.

A perverse score has its order backwards. A concavity is perverse locally: between two corners of the hull higher scores
mean fewer positives. Turning the order round between them mirrors that part of the curve through the middle of the
chord, so that what lay below the hull lies as far above it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.decisions.curve import Curve
from informed.decisions.roc import numbers
from informed.errors import TableError
from informed.evidence import checks as build
from informed.evidence.cells import Places

__all__ = ["inverted", "inverted_score", "perverse"]

ROUNDING = 1e-12  # share of the plane below which a dent is none


def perverse(curve: Curve) -> Curve:
    """The curve of the negated score: its area is 1 − that of the other.

    >>> from informed.decisions.roc import roc
    >>> curve = roc(real=[1, 1, 0, 1, 0], score=[1, 2, 3, 4, 5])
    >>> round(curve.auc, 4), round(perverse(curve).auc, 4)
    (0.1667, 0.8333)
    """
    _refuse_bins(curve)
    turned = np.concatenate([curve.thresholds[:1], 0.0 - curve.thresholds[:0:-1]])
    return replace(_reordered(curve, np.arange(len(turned) - 1)[::-1], turned), negated=not curve.negated)


def inverted(curve: Curve) -> Curve:
    """The curve with each concavity mirrored across the hull: its area is twice the hull's less its own.

    That is its area on the cases that showed the concavities, as a note says; on others it is worth less, and where the
    concavities were chance, less than before.

    >>> from informed.decisions.roc import roc
    >>> curve = roc(real=[1, 0, 1, 0], score=[4, 3, 2, 1])
    >>> curve.auc, curve.hull().auc, inverted(curve).auc
    (0.75, 0.875, 1.0)
    """
    order = np.arange(len(curve.thresholds) - 1)
    found = _concavities(curve)
    for first, last in found:
        order[first:last] = order[first:last][::-1]
    return replace(_reordered(curve, order, curve.thresholds), mirrored=curve.mirrored + len(found))


def inverted_score(curve: Curve, score: Any) -> Array:
    """Scores of any cases, mirrored where this curve has a concavity; between the scores that it has seen, linearly.

    >>> from informed.decisions.roc import roc
    >>> curve = roc(real=[1, 0, 1, 0], score=[4, 3, 2, 1])
    >>> inverted_score(curve, [5, 4, 3, 2.5, 2, 1]).tolist()
    [5.0, 4.0, 2.0, 2.5, 3.0, 1.0]
    """
    given = numbers(np.atleast_1d(score), np.size(score))
    found = given.copy()
    for first, last in _concavities(curve):
        seen = curve.thresholds[first + 1 : last + 1]
        inside = (given >= seen[-1]) & (given < curve.thresholds[first])
        found[inside] = np.interp(given[inside], seen[::-1], seen)
    return found


def _concavities(curve: Curve) -> list[tuple[int, int]]:
    """Positions of the corners of the hull between which the curve runs below it."""
    _refuse_bins(curve)
    curve.refuse_one_class("concavity")
    if np.isinf(curve.thresholds[1:]).any():
        raise TableError("A score is infinite, which cannot be mirrored; give finite scores.")

    x, y = curve.fallout, curve.recall
    corners = np.searchsorted(-curve.thresholds, -curve.hull().thresholds)

    first, last = corners[:-1], corners[1:]
    edge = np.clip(np.searchsorted(corners, np.arange(len(x)), "right") - 1, 0, len(first) - 1)
    a, b = first[edge], last[edge]
    below = (x - x[a]) * (y[b] - y[a]) - (y - y[a]) * (x[b] - x[a]) > ROUNDING
    return [(int(first[e]), int(last[e])) for e in np.unique(edge[below])]


def _reordered(curve: Curve, order: Places, thresholds: Array) -> Curve:
    """The curve whose steps come in another order, in which each that changes place does so with another."""

    def climbed(x: Array) -> Array:
        return build.frozen(np.concatenate([x[:1], np.cumsum(np.diff(x)[order])]))

    squares = None if curve.squares is None else (climbed(curve.squares[0]), climbed(curve.squares[1]))
    units = None if curve.units is None else replace(curve.units, step=order[curve.units.step])
    tp, fp = climbed(curve.tp), climbed(curve.fp)
    return replace(curve, thresholds=build.frozen(thresholds), tp=tp, fp=fp, squares=squares, units=units)


def _refuse_bins(curve: Curve) -> None:
    if not curve.exact:
        raise TableError(
            "The scores were counted in bins, whose order inside is lost.",
            "count them in at least as many `bins` as there are different scores",
        )
