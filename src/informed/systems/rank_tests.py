"""Ranks of systems over several data sets: Friedman's and Nemenyi's tests.

Data sets are independent of each other; folds of one data set are not, and over repeated folds these tests find a
difference between equal systems about half of the time (docs/leaderboards.md).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from informed._arrays import Array
from informed.inference.answers import Test
from informed.results import Note
from informed.systems.multiplicity import of_pairs
from informed.systems.ranks import mean_ranks


@dataclass(frozen=True, eq=False)
class RankTests:
    """Whether mean ranks over data sets differ by more than luck, and which of them."""

    friedman: Test  # corrected for ties
    iman_davenport: Test  # the F form of it, corrected for ties likewise
    critical_difference: float  # of mean ranks (Nemenyi)
    nemenyi: Array  # p-values of all pairs, adjusted by their joint distribution


def rank_tests(x: Array, level: float, called: str) -> RankTests:
    """Scores ``(data sets, systems)``, higher better."""
    friedman, iman_davenport = _friedman_tests(x, called)
    ranks = mean_ranks(x)
    nemenyi, difference = _nemenyi(np.abs(np.subtract.outer(ranks, ranks)), len(x), level)
    return RankTests(friedman, iman_davenport, difference, nemenyi)


def _friedman_tests(x: Array, called: str) -> tuple[Test, Test]:
    """Friedman's test with its correction for ties, and the F form of Iman and Davenport of that."""
    from scipy.special import chdtrc, fdtrc, gammaln

    n, k = x.shape
    chi = _chi_square(x)
    room = n * (k - 1) - chi
    f = np.inf if room <= 1e-9 else (n - 1) * chi / room
    tail = float(fdtrc(k - 1, (k - 1) * (n - 1), f))
    if np.isinf(f):  # one order on every fold: as likely as that is, (1/k!)^(n - 1)
        tail = float(np.exp(-(n - 1) * gammaln(k + 1)))

    null = "every order of the systems is equally likely on a data set"
    tied = np.count_nonzero(np.diff(np.sort(x, axis=1), axis=1) == 0)
    said = "Corrected for ties: systems with the same score share their ranks, and χ² is divided by the ties' factor"
    notes = (Note(f"{said} ({tied:,} ties here).", code="corrected-for-ties"),)
    return (
        Test(chi, float(chdtrc(k - 1, chi)), k - 1, "friedman", null, called, notes=notes),
        Test(f, tail, k - 1, "iman-davenport", null, called, notes=notes),
    )


def _nemenyi(gaps: Array, n: int, level: float) -> tuple[Array, float]:
    """P-values of all pairs of mean ranks over n data sets, and their critical difference."""
    from scipy.stats import studentized_range

    k = len(gaps)
    unit = float(np.sqrt(k * (k + 1) / (6 * n)))
    pvalues = studentized_range.sf(gaps[np.triu_indices(k, 1)] / unit * np.sqrt(2), k, np.inf)
    difference = float(studentized_range.ppf(level, k, np.inf) / np.sqrt(2) * unit)
    return of_pairs(pvalues, k), difference


def _chi_square(x: Array) -> float:
    """Friedman's χ² with ties; scipy refuses two systems, of which it is the sign test."""
    from scipy.stats import rankdata

    n, k = x.shape
    ranks = rankdata(x, axis=1)
    spread = float((ranks**2).sum() - n * k * (k + 1) ** 2 / 4)
    between = float(((ranks.sum(axis=0) - n * (k + 1) / 2) ** 2).sum())
    return (k - 1) * between / spread if spread > 1e-9 else 0.0
