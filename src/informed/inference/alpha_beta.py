"""What a p-value is worth as a probability."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._arrays import Floats, plain
from informed.errors import InferenceError
from informed.results import Result


@dataclass(frozen=True, repr=False)
class AlphaBeta(Result):
    """Least probability of the null hypothesis, and the rest, given even odds before."""

    alpha: Floats
    beta: Floats


def posterior_alpha_beta(p: Any) -> AlphaBeta:
    """At least this probable is the null after a p-value, if it was even odds before it.

    Sellke, Bayarri and Berger's bound, equations (36)-(38) of Powers (2011): with
    L = −e·p·ln p below p = 1/e and 1 above, alpha = L/(1 + L) and beta = 1/(1 + L).

    >>> found = posterior_alpha_beta(0.05)
    >>> round(found.alpha, 4), round(found.beta, 4)
    (0.2893, 0.7107)
    """
    p = np.asarray(p, dtype=np.float64)
    if not np.all((p > 0) & (p <= 1)):
        raise InferenceError("a p-value must lie above 0 and be at most 1.")
    odds = np.where(p < np.exp(-1), -math.e * p * np.log(p), 1.0)
    return AlphaBeta(plain(odds / (1 + odds)), plain(1 / (1 + odds)))
