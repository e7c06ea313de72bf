"""Right and wrong answers of several systems to the same items: Cochran's Q and McNemar's tests.

Both are about accuracy alone.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from informed._arrays import Array
from informed.errors import InferenceError, one_of
from informed.evidence.paired import Paired
from informed.inference.answers import Test
from informed.inference.mcnemar import sign_pvalue, sign_statistic
from informed.results import Note


def correctness(p: Paired) -> Array:
    """1 where a system is right on an item, else 0; no answer is not right."""
    return np.asarray(p.codes == p.real_codes[:, None], dtype=np.float64)


def cochran_q(p: Paired) -> Test:
    """Cochran's Q: whether all systems are equally often right on the same items."""
    from scipy.special import chdtrc

    right = correctness(p)
    k = right.shape[1]
    by_system, by_item = right.sum(axis=0), right.sum(axis=1)
    spread = k * by_item.sum() - (by_item**2).sum()
    centred = by_system - by_system.mean()
    null = "all systems have the same accuracy"
    if spread <= 0:
        said = Note("No item tells any two systems apart.", code="p-is-1")
        return Test(0.0, 1.0, k - 1, "cochran-q", null, "accuracy", notes=(said,))
    statistic = float(k * (k - 1) * (centred**2).sum() / spread)
    return Test(statistic, float(chdtrc(k - 1, statistic)), k - 1, "cochran-q", null, "accuracy")


def mcnemar(p: Paired, method: Literal["mid-p", "exact", "asymptotic", "corrected"] = "mid-p") -> Array:
    """McNemar's p-values of every two systems: are they equally often right?

    Systems that are never told apart have p = 1.
    """
    from scipy.special import chdtrc

    right = correctness(p)
    both = right.T @ right
    only = np.diagonal(both)[:, None] - both  # right where the other is wrong
    one_of("method", method, ("mid-p", "exact", "asymptotic", "corrected"), InferenceError)
    if method in ("mid-p", "exact"):
        return sign_pvalue(only, only.T, mid=method == "mid-p")
    return np.asarray(chdtrc(1, sign_statistic(only, only.T, corrected=method == "corrected")))
