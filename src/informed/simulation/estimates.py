"""Monte Carlo estimates with their standard errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Estimate:
    """A number with its Monte Carlo standard error; 0 where it is exact."""

    value: float
    error: float = 0.0

    def __str__(self) -> str:
        if not self.error:
            return f"{self.value:.4g}"
        digits = int(np.clip(1 - np.floor(np.log10(self.error)), 2, 5))
        return f"{self.value:.{digits}f} ± {self.error:.{digits}f}"


def mean(x: Any) -> Estimate:
    x = np.asarray(x, dtype=np.float64).ravel()
    x = x[~np.isnan(x)]
    return Estimate(float(x.mean()), float(x.std(ddof=1) / np.sqrt(len(x))))


def share(x: Any) -> Estimate:
    """A share of yes; where all or none said so, the error is that of one who did not."""
    x = np.asarray(x, dtype=bool).ravel()
    p, count = float(x.mean()), len(x)
    kept = min(max(p, 1 / (count + 1)), count / (count + 1))
    return Estimate(p, float(np.sqrt(kept * (1 - kept) / count)))


def rms(x: Any) -> Estimate:
    square = mean(np.asarray(x, dtype=np.float64) ** 2)
    root = float(np.sqrt(square.value))
    return Estimate(root, square.error / (2 * root) if root else 0.0)


def spread(x: Any) -> Estimate:
    """Standard deviation, with the error that its fourth moment gives."""
    x = np.asarray(x, dtype=np.float64).ravel()
    x = x[~np.isnan(x)]
    centred = x - x.mean()
    variance = float((centred**2).mean())
    if not variance:
        return Estimate(0.0)
    error = float(np.sqrt(((centred**4).mean() - variance**2) / len(x)))
    return Estimate(float(np.sqrt(variance)), error / (2 * float(np.sqrt(variance))))


def correlation(x: Any, y: Any) -> Estimate:
    """Pearson's r; its error by the influence of each pair, so that no normality is assumed."""
    x, y = (np.asarray(v, dtype=np.float64).ravel() for v in (x, y))
    known = ~(np.isnan(x) | np.isnan(y))
    x, y = ((v[known] - v[known].mean()) / v[known].std() for v in (x, y))
    r = float((x * y).mean())
    influence = x * y - r * (x**2 + y**2) / 2
    return Estimate(r, float(influence.std() / np.sqrt(len(x))))


def quotient(a: Estimate, b: Estimate) -> Estimate:
    """a/b of independent estimates, to first order."""
    value = a.value / b.value
    return Estimate(value, abs(value) * float(np.hypot(a.error / a.value, b.error / b.value)))
