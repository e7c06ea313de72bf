"""Repeated measures: right and wrong on the same items, and scores over folds, seeds or data sets.

Cochran's Q and McNemar's tests are about accuracy alone; Friedman's and Nemenyi's about ranks over
folds; the corrected resampled t about mean scores over folds whose training sets overlap.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, plain, ratio
from informed.errors import InferenceError, one_of
from informed.evidence.paired import Paired
from informed.evidence.table import Table
from informed.inference.answers import Test
from informed.inference.given import checked_level
from informed.inference.mcnemar import sign_pvalue, sign_statistic
from informed.measures import MeasureLike, find
from informed.results import Note, Records, Result, picked, plain_dict
from informed.systems.board import MOST_SYSTEMS, sign_of
from informed.systems.multiplicity import adjusted, of_pairs
from informed.systems.ranks import mean_ranks, tie_groups

# ---------------------------------------------------------------------- right and wrong


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


# ---------------------------------------------------------------------- folds, seeds, data sets


@dataclass(frozen=True, eq=False, repr=False)
class Folds(Result):
    """Systems over the same folds (or seeds, or data sets): ranks, and what they are worth."""

    page = "folds"

    names: tuple[Hashable, ...]
    folds: tuple[Hashable, ...]
    measure: str
    level: float
    scores: Array  # (folds, systems)
    mean_rank: Array  # 1 is best
    friedman: Test  # corrected for ties
    iman_davenport: Test  # the F form of it, corrected for ties likewise
    critical_difference: float  # of mean ranks (Nemenyi)
    nemenyi: Array  # p-values of all pairs, adjusted by their joint distribution
    groups: tuple[tuple[Hashable, ...], ...]  # whose mean ranks are within the difference
    corrected_t: Array | None  # p-values of all pairs, adjusted; None without `test_share`
    notes: tuple[Note, ...] = ()

    @property
    def order(self) -> NDArray[np.int64]:
        """Systems from the best mean rank to the worst."""
        return np.argsort(self.mean_rank, kind="stable")

    @property
    def mean(self) -> Array:
        """Mean score of each system."""
        return np.asarray(self.scores.mean(axis=0))

    def records(self) -> Records:
        """One row a system, best mean rank first."""
        rows = [(self.names[s], self.mean_rank[s], self.mean[s]) for s in self.order]
        return Records.of("system:label mean_rank mean", rows)

    def folds_records(self) -> Records:
        """One row a system and fold, best mean rank first."""
        rows = [(self.names[s], fold, self.scores[i, s]) for s in self.order for i, fold in enumerate(self.folds)]
        return Records.of("system:label fold:label score", rows)

    def pairs_records(self, first: int | None = None) -> Records:
        """One row for every two systems, the better one first; or of so many systems only."""
        t = self.corrected_t
        columns = "a:label b:label ranks_apart nemenyi:p" + (" corrected_t:p" if t is not None else "")
        rows = [
            (self.names[a], self.names[b], self.mean_rank[b] - self.mean_rank[a], self.nemenyi[a, b])
            + (() if t is None else (t[a, b],))
            for a, b in combinations(self.order[:first].tolist(), 2)
        ]
        return Records.of(columns, rows)

    def to_dict(self) -> dict[str, Any]:
        """The tests, the systems by mean rank, and the pairs of the first of them."""
        tests = {name: picked(getattr(self, name), "statistic pvalue") for name in ("friedman", "iman_davenport")}
        held = {"measure": self.measure, "folds": len(self.folds), "level": self.level, **tests}
        held |= picked(self, "critical_difference groups") | {"systems": self.records()}
        return plain_dict({**held, "pairs": self.pairs_records(MOST_SYSTEMS), "notes": self.notes})


def folds(
    scores: Any,
    *,
    names: Sequence[Hashable] | None = None,
    measure: MeasureLike = "informedness",
    level: float = 0.95,
    test_share: float | None = None,
    adjust: str = "holm",
) -> Folds:
    """Compare systems over folds, seeds or data sets, each of which all systems saw.

    Parameters
    ----------
    scores
        One score for each fold and system, ``(folds, systems)``, higher better; or a stack of
        tables ``(systems, folds)``, which are measured, and ranked as good as the measure is high
        (or low, where it is best at its lower bound).
    test_share
        Share of the cases that each fold tests on, such as 0.1 for ten-fold cross-validation.
        Then the resampled t of Nadeau and Bengio (2003) is given, which allows for training sets
        that overlap; without it scores of folds pass for independent, and they are not.

    >>> folds([[3, 2, 1], [3, 1, 2], [3, 2, 1], [3, 2, 1]], names="abc").mean_rank.tolist()
    [1.0, 2.25, 2.75]
    """
    checked_level(level)
    called, sign, parts = "score", 1, None
    if isinstance(scores, Table):
        t, m = scores, find(measure)
        if len(t.shape) != 2:
            raise InferenceError(f"The stack has shape {t.shape}; (systems, folds) is needed.")
        called, sign, scores = str(m), sign_of(m), np.asarray(m(t)).T
        names, parts = names or t.axes[0], t.axes[1]
    x = _checked(scores)
    n, k = x.shape
    known = tuple(range(k)) if names is None else tuple(names)
    if len(known) != k:
        raise InferenceError(f"{len(known)} names were given for {k} systems.")

    friedman, iman_davenport = _rank_tests(sign * x, called)
    ranks = mean_ranks(sign * x)
    gaps = np.abs(np.subtract.outer(ranks, ranks))
    nemenyi, difference = _nemenyi(gaps, n, level)
    groups = tie_groups(np.argsort(ranks, kind="stable"), gaps > difference)

    corrected = None
    notes = []
    if test_share is None:
        notes.append(Note("No `test_share` was given, so there is no corrected resampled t.", code="no-test-share"))
    else:
        first, second = np.triu_indices(k, 1)
        each = corrected_t(x[:, first] - x[:, second], test_share=test_share)
        corrected = of_pairs(adjusted(each.pvalue, adjust), k)
    if n < 10:
        notes.append(Note(f"Friedman's χ² is rough with {n} folds; the F form is better.", code="few-folds"))

    return Folds(
        names=known,
        folds=tuple(range(n)) if parts is None else parts,
        measure=called,
        level=level,
        scores=x,
        mean_rank=ranks,
        friedman=friedman,
        iman_davenport=iman_davenport,
        critical_difference=difference,
        nemenyi=nemenyi,
        groups=tuple(tuple(known[s] for s in group) for group in groups),
        corrected_t=corrected,
        notes=tuple(notes),
    )


def _checked(scores: Any) -> Array:
    x = np.asarray(scores, dtype=np.float64)
    if x.ndim != 2 or x.shape[0] < 2 or x.shape[1] < 2:
        raise InferenceError(
            f"`scores` has shape {x.shape}; two folds and two systems at least are needed, as (folds, systems)."
        )
    if np.isnan(x).any():
        raise InferenceError(
            f"{int(np.isnan(x).any(axis=1).sum())} of {len(x)} folds have an undefined score; "
            "every system needs one on every fold."
        )
    return x


def _rank_tests(x: Array, called: str) -> tuple[Test, Test]:
    """Friedman's test with its correction for ties, and the F form of Iman and Davenport of that."""
    from scipy.special import chdtrc, fdtrc, gammaln

    n, k = x.shape
    chi = _friedman(x)
    room = n * (k - 1) - chi
    f = np.inf if room <= 1e-9 else (n - 1) * chi / room
    tail = float(fdtrc(k - 1, (k - 1) * (n - 1), f))
    if np.isinf(f):  # one order on every fold: as likely as that is, (1/k!)^(n - 1)
        tail = float(np.exp(-(n - 1) * gammaln(k + 1)))

    null = "every order of the systems is equally likely on a fold"
    tied = np.count_nonzero(np.diff(np.sort(x, axis=1), axis=1) == 0)
    said = "Corrected for ties: systems with the same score share their ranks, and χ² is divided by the ties' factor"
    notes = (Note(f"{said} ({tied:,} ties here).", code="corrected-for-ties"),)
    return (
        Test(chi, float(chdtrc(k - 1, chi)), k - 1, "friedman", null, called, notes=notes),
        Test(f, tail, k - 1, "iman-davenport", null, called, notes=notes),
    )


def _nemenyi(gaps: Array, n: int, level: float) -> tuple[Array, float]:
    """P-values of all pairs of mean ranks over n folds, and their critical difference."""
    from scipy.stats import studentized_range

    k = len(gaps)
    unit = float(np.sqrt(k * (k + 1) / (6 * n)))
    pvalues = studentized_range.sf(gaps[np.triu_indices(k, 1)] / unit * np.sqrt(2), k, np.inf)
    difference = float(studentized_range.ppf(level, k, np.inf) / np.sqrt(2) * unit)
    return of_pairs(pvalues, k), difference


def _friedman(x: Array) -> float:
    """Friedman's χ² with ties; scipy refuses two systems, of which it is the sign test."""
    from scipy.stats import rankdata

    n, k = x.shape
    ranks = rankdata(x, axis=1)
    spread = float((ranks**2).sum() - n * k * (k + 1) ** 2 / 4)
    between = float(((ranks.sum(axis=0) - n * (k + 1) / 2) ** 2).sum())
    return (k - 1) * between / spread if spread > 1e-9 else 0.0


def corrected_t(differences: Any, *, test_share: float) -> Test:
    """Resampled t with the variance that overlapping training sets call for.

    Differences of two systems over folds, ``(folds, ...)``. The variance of their mean is
    (1/J + n_test/n_train)·s² rather than s²/J (Nadeau and Bengio 2003).
    """
    from scipy.special import stdtr

    d = np.asarray(differences, dtype=np.float64)
    if not 0 < test_share < 1:
        raise InferenceError(
            f"`test_share` is {test_share}; it is the share of cases that a fold tests on, such as 0.1."
        )
    if d.ndim == 0 or len(d) < 2:
        raise InferenceError("Two folds at least are needed.")
    factor = 1 / len(d) + test_share / (1 - test_share)
    mean, spread = d.mean(axis=0), d.std(axis=0, ddof=1)
    t = np.where(mean == 0, 0.0, ratio(mean, np.sqrt(factor) * spread))
    p = 2 * stdtr(len(d) - 1, -np.abs(t))
    return Test(plain(t), plain(p), len(d) - 1, "corrected-t", "the mean scores are equal")
