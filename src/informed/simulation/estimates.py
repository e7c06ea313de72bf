"""Monte Carlo estimates with their standard errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._arrays import Array


@dataclass(frozen=True)
class MonteCarlo:
    """A number with its Monte Carlo standard error; 0 where it is exact."""

    value: float
    standard_error: float = 0.0

    def __str__(self) -> str:
        error = self.standard_error
        if not error:
            return f"{self.value:.4g}"
        digits = int(np.clip(1 - np.floor(np.log10(error)), 2, 5))
        return f"{self.value:.{digits}f} ± {error:.{digits}f}"

    def times(self, by: float) -> MonteCarlo:
        """A multiple of it."""
        return MonteCarlo(self.value * by, self.standard_error * by)

    def rounded(self) -> dict[str, float]:
        """As JSON holds it."""
        return {"value": round(self.value, 6), "error": round(self.standard_error, 6)}


def mean(x: Any) -> MonteCarlo:
    """The mean of what is defined."""
    x = _defined(x)
    return MonteCarlo(float(x.mean()), float(x.std(ddof=1) / np.sqrt(len(x))))


def share(x: Any) -> MonteCarlo:
    """A share of yes."""
    x = np.asarray(x, dtype=bool).ravel()
    return share_of(float(x.sum()), len(x))


def share_of(hits: float, count: float) -> MonteCarlo:
    """A share of so many; where all or none were hits, the error is that of one who was not.

    >>> share_of(0, 9)
    MonteCarlo(value=0.0, standard_error=0.1)
    """
    if not count:
        return MonteCarlo(np.nan, np.nan)
    p = hits / count
    kept = min(max(p, 1 / (count + 1)), count / (count + 1))
    return MonteCarlo(p, float(np.sqrt(kept * (1 - kept) / count)))


def rms(x: Any) -> MonteCarlo:
    """The root of the mean square."""
    square = mean(np.asarray(x, dtype=np.float64) ** 2)
    root = float(np.sqrt(square.value))
    return MonteCarlo(root, square.standard_error / (2 * root) if root else 0.0)


def spread(x: Any) -> MonteCarlo:
    """Standard deviation, with the error that its fourth moment gives."""
    x = _defined(x)
    centred = x - x.mean()
    variance = float((centred**2).mean())
    if not variance:
        return MonteCarlo(0.0)
    error = float(np.sqrt(((centred**4).mean() - variance**2) / len(x)))
    return MonteCarlo(float(np.sqrt(variance)), error / (2 * float(np.sqrt(variance))))


def correlation(x: Any, y: Any) -> MonteCarlo:
    """Pearson's r; its error by the influence of each pair, so that no normality is assumed."""
    x, y = (np.asarray(v, dtype=np.float64).ravel() for v in (x, y))
    known = ~(np.isnan(x) | np.isnan(y))
    x, y = ((v[known] - v[known].mean()) / v[known].std() for v in (x, y))
    r = float((x * y).mean())
    influence = x * y - r * (x**2 + y**2) / 2
    return MonteCarlo(r, float(influence.std() / np.sqrt(len(x))))


def quotient(a: MonteCarlo, b: MonteCarlo) -> MonteCarlo:
    """a/b of independent estimates, to first order."""
    value = a.value / b.value
    relative = np.hypot(a.standard_error / a.value, b.standard_error / b.value)
    return MonteCarlo(value, abs(value) * float(relative))


def _defined(x: Any) -> Array:
    x = np.asarray(x, dtype=np.float64).ravel()
    return np.asarray(x[~np.isnan(x)])
