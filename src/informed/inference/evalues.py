"""Many watches at once: which of many systems are better, by what their bettors have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.errors import InferenceError
from informed.evidence.calls import explained
from informed.evidence.checks import numbers
from informed.inference.watch import Watch


@explained
def e_bh(wealth: Iterable[Any], *, level: float = 0.95) -> tuple[int, ...]:
    """Which are found, of whom at most 1 − level are false on average, however they depend on each other.

    Give watches, or what the bettor of each has *now*: with the most that they have had there is no such promise
    (Wang and Ramdas 2022; Tavyrikov, Goeman and de Heide 2025). All are looked at together.

    >>> e_bh([100, 50, 30, 1])
    (0, 1, 2)
    """
    e, alpha = _wealth(wealth, "wealth"), _alpha(level)
    order = np.argsort(-e, kind="stable")
    m, k = len(e), np.arange(1, len(e) + 1)
    enough = np.flatnonzero(e[order] >= m / (k * alpha) * (1 - 1e-12))
    found = order[: enough[-1] + 1] if len(enough) else order[:0]
    return tuple(sorted(found.tolist()))


@explained
def e_holm(best: Iterable[Any], *, level: float = 0.95) -> tuple[int, ...]:
    """Which are found without any false one in a share `level` of all runs, at all times together.

    Give watches, or the most that the bettor of each has *had*.

    >>> e_holm([100, 50, 30, 1])
    (0,)
    """
    e, alpha = _wealth(best, "best"), _alpha(level)
    order = np.argsort(-e, kind="stable")
    enough = e[order] >= (len(e) - np.arange(len(e))) / alpha * (1 - 1e-12)
    return tuple(sorted(order[: len(e) if enough.all() else int(enough.argmin())].tolist()))


def _alpha(level: float) -> float:
    if not 0 < level < 1:
        raise InferenceError(f"`level` is {level:g}; it must lie between 0 and 1, such as 0.95.")
    return 1 - level


def _wealth(given: Iterable[Any], name: str) -> Array:
    held = list(given)
    several = [getattr(x, name) if isinstance(x, Watch) else x for x in held]
    if not several:
        return np.zeros(0)
    if any(isinstance(x, float) and np.isnan(x) for x in several):
        raise InferenceError("One of the watches has no bettor: its limits are approximate.")
    capped = [min(x, 1e300) if isinstance(x, float) else x for x in several]
    return numbers(capped, name)
