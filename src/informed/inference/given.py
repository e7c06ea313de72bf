"""What comes with every question: how sure to be, and where random numbers come from."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from informed._arrays import Array, plain
from informed.errors import InferenceError

Rng: TypeAlias = int | np.random.Generator | None

SEED = 2011  # of all that is drawn and not told another, so that a call gives the same twice


def checked_level(level: float) -> float:
    """A level of confidence, refused where it is none."""
    if not 0 < level < 1:
        raise InferenceError(f"`level` is {level}; it must lie between 0 and 1, such as 0.95.")
    return level


def standard_normal(level: Any) -> Any:
    """Standard errors to go each way for this level, or for each of several."""
    from scipy.special import ndtri

    return plain(ndtri((1 + level) / 2))


def students(df: Any, level: Any) -> Array:
    """The same with so many degrees of freedom of the standard error; infinitely many are the normal ones."""
    from scipy.special import stdtrit

    known = np.isfinite(df)
    found = stdtrit(np.where(known, df, 1.0), (1 + level) / 2)
    return np.asarray(np.where(known, found, standard_normal(level)))


def generator(rng: Rng) -> np.random.Generator:
    """The generator given, one from the seed given, or one from the fixed seed.

    >>> bool(generator(None).random() == generator(SEED).random())
    True
    """
    try:
        return np.random.default_rng(SEED if rng is None else rng)
    except (TypeError, ValueError):
        raise InferenceError(f"`rng` is {rng!r}; it must be a whole number or a numpy Generator.") from None
