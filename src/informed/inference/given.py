"""What comes with every question: how sure to be, and where random numbers come from."""

from __future__ import annotations

from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from informed._arrays import Array, plain
from informed.errors import InferenceError

Rng: TypeAlias = int | np.random.Generator | None

LEAST_LEVEL = 1e-6  # at which quantiles can still be divided by each other
MOST_LEVEL = 1 - 1e-15  # beyond which limits are told no more from infinite ones
BETWEEN = "it must lie between 0 and 1"
SEED = 2011  # of all that is drawn and not told another, so that a call gives the same twice


def checked_level(level: float) -> float:
    """A level of confidence, refused where it is none."""
    if not is_number(level) or not 0 < level < 1:
        raise InferenceError(f"`level` is {level if is_number(level) else repr(level)}; {BETWEEN}, such as 0.95.")
    return level


def is_number(x: Any) -> bool:
    """Whether it is one real number, of Python or of numpy.

    >>> is_number(0.95), is_number("95%"), is_number([1, 2])
    (True, False, False)
    """
    return isinstance(x, Real) and not isinstance(x, bool)


def checked_draws(n_draws: Any, least: int = 1) -> None:
    """Refuse a number of draws that is too small, or none."""
    if n_draws is not None and not (isinstance(n_draws, int | np.integer) and n_draws >= least):
        raise InferenceError(f"`n_draws` is {n_draws!r}; at least {least} are needed, as a whole number.")


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


def shrink(df: Any, level: Any) -> Array:
    """What is left of cases whose spread is known by so few degrees of freedom: (z/t)², as many as make a normal
    interval as wide as Student's; at levels of 0 and 1, where both are 0 or infinite, what it comes to."""
    level = np.clip(level, LEAST_LEVEL, MOST_LEVEL)
    return np.asarray((standard_normal(level) / students(df, level)) ** 2)


def normal_errors(z: Any, df: Any) -> Array:
    """Normal standard errors that leave the same tails as so many of Student's."""
    from scipy.special import ndtri, stdtr

    known = np.isfinite(df)
    return np.asarray(np.where(known, -ndtri(stdtr(np.where(known, df, 1.0), -np.asarray(z))), z))


def generator(rng: Rng) -> np.random.Generator:
    """The generator given, one from the seed given, or one from the fixed seed.

    >>> bool(generator(None).random() == generator(SEED).random())
    True
    """
    try:
        return np.random.default_rng(SEED if rng is None else rng)
    except (TypeError, ValueError):
        raise InferenceError(f"`rng` is {rng!r}; it must be a whole number or a numpy Generator.") from None
