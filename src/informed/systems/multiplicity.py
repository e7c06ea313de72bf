"""p-values of many questions asked at once, adjusted so that a few luck hits do not count.

`bonferroni`, `sidak`, `holm`, `holm-sidak`, `hochberg` and `hommel` hold down the chance of any
false discovery; `bh` and `by` hold down the expected share of false ones among the discoveries.
scipy has `bh` and `by` only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.errors import InferenceError

_MOST_HOMMEL = 20_000
FAMILYWISE = ("bonferroni", "sidak", "holm", "holm-sidak", "hochberg", "hommel", "max-t")


def adjusted(pvalues: Any, method: str = "holm") -> Array:
    """Adjusted p-values: reject where they are at most the wanted error rate.

    NaN stays NaN and is not counted among the questions.

    >>> adjusted([0.01, 0.04, 0.03], "holm").tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(pvalues, dtype=np.float64)
    known = ~np.isnan(p)
    if ((p[known] < 0) | (p[known] > 1)).any():
        raise InferenceError("A p-value lies outside [0, 1].")
    way = _WAYS.get(method.lower())
    if way is None:
        raise InferenceError(
            f"`adjust` is {method!r}; it can be {', '.join(_WAYS)}, or max-t where the joint distribution is known."
        )
    order = np.argsort(p, axis=None, kind="stable")[: known.sum()]  # NaN last
    result = np.full(p.shape, np.nan)
    if len(order):
        result.flat[order] = np.clip(way(p.flat[order]), 0, 1)
    return result


def of_pairs(values: Any, k: int) -> Array:
    """Values of every two of k things, as a symmetric matrix with ones on its diagonal."""
    square = np.ones((k, k))
    upper = np.triu_indices(k, 1)
    square[upper] = square.T[upper] = values
    return square


def adjusted_pairs(pvalues: Array, method: str) -> Array:
    """A symmetric matrix of p-values, adjusted for its pairs."""
    k = len(pvalues)
    return of_pairs(adjusted(pvalues[np.triu_indices(k, 1)], method), k)


# ---------------------------------------------------------------------- p in ascending order


def _step_down(p: Array) -> Array:
    return np.asarray(np.maximum.accumulate(p))


def _step_up(p: Array) -> Array:
    return np.asarray(np.minimum.accumulate(p[::-1])[::-1])


def _remaining(p: Array) -> Array:
    """Questions not yet answered at each step: m, m − 1, …, 1."""
    return np.arange(len(p), 0, -1, dtype=np.float64)


def _power_of_complement(p: Array, times: Any) -> Array:
    """1 − (1 − p)^times, with the digits of a small p."""
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(times * np.log1p(-p)))


def _bh(p: Array) -> Array:
    return _step_up(p * len(p) / np.arange(1, len(p) + 1))


def _by(p: Array) -> Array:
    return _step_up(p * len(p) / np.arange(1, len(p) + 1) * (1 / np.arange(1, len(p) + 1)).sum())


def _hommel(p: Array) -> Array:
    """Hommel's closure of Simes' test, one subset size at a time."""
    m = len(p)
    if m > _MOST_HOMMEL:
        raise InferenceError(
            f"Hommel's method takes time as the square of the {m:,} p-values; "
            f"up to {_MOST_HOMMEL:,} are reasonable. Hochberg's is nearly as strong."
        )
    i = np.arange(1, m + 1)
    found = np.full(m, (m * p / i).min())
    largest = found.copy()
    for size in range(m - 1, 1, -1):
        first = m - size + 1
        simes = (size * p[first:] / np.arange(2, size + 1)).min()
        largest[:first] = np.minimum(size * p[:first], simes)
        largest[first:] = largest[first - 1]
        found = np.maximum(found, largest)
    return np.asarray(np.maximum(found, p))


_WAYS: dict[str, Callable[[Array], Array]] = {
    "auto": lambda p: _step_down(p * _remaining(p)),  # Holm's
    "none": lambda p: p,
    "bonferroni": lambda p: p * len(p),
    "sidak": lambda p: _power_of_complement(p, len(p)),
    "holm": lambda p: _step_down(p * _remaining(p)),
    "holm-sidak": lambda p: _step_down(_power_of_complement(p, _remaining(p))),
    "hochberg": lambda p: _step_up(p * _remaining(p)),
    "hommel": _hommel,
    "bh": _bh,
    "fdr": _bh,
    "by": _by,
}
