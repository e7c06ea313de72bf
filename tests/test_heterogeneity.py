"""Heterogeneity of many groups: the whole matrix of covariances against what is computed without it."""

from __future__ import annotations

import tracemalloc
from itertools import combinations
from math import comb
from time import process_time
from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.linalg import block_diag

import informed
from informed import Table
from informed.inference import heterogeneity as module
from informed.inference.heterogeneity import GroupSpread, group_spread, heterogeneity
from informed.inference.sample import Sample
from informed.measures import find
from informed.summary.sentences import _swapped as swapped


def grouped(groups: int, n: int, seed: int, **more: Any) -> Table:
    rng = np.random.default_rng(seed)
    real = rng.integers(0, 2, n)
    predicted = np.where(rng.random(n) < 0.8, real, 1 - real)
    return Table.from_labels(real=real, predicted=predicted, by=np.arange(n) % groups, positive=1, **more)


def matrix(spread: GroupSpread) -> Any:
    """The covariances of all groups."""
    if not spread.shared:
        return np.diag(spread.variance)
    factor = spread.shared[0].toarray()
    found = factor.T @ factor
    np.fill_diagonal(found, spread.variance)
    return found


def whole(spread: GroupSpread) -> float:
    """Cochran's Q by its definition, (Cx)ᵀ(CΣCᵀ)⁻Cx."""
    k = spread.centre.size
    contrasts = np.eye(k)[:-1] - np.eye(k)[1:]
    off = contrasts @ spread.centre
    return float(off @ np.linalg.solve(contrasts @ matrix(spread) @ contrasts.T, off))


@pytest.mark.parametrize("groups", [2, 7, 40, 330])
@pytest.mark.parametrize("units", ["none", "nested", "shared"])
@pytest.mark.parametrize("measure", ["informedness", "recall"])
def test_q_is_that_of_the_whole_matrix(groups: int, units: str, measure: str) -> None:
    n = 60 * groups
    rng = np.random.default_rng(groups)
    nested = [f"{i % groups}-{i // groups % 9}" for i in range(n)]
    held: dict[str, Any] = {"nested": nested, "shared": rng.integers(0, n // 4, n)}
    more = {"unit": held[units]} if units in held else {}
    t = grouped(groups, n, groups, **more)
    spread = group_spread(Sample(find(measure), t, 0.95))
    assert bool(spread.shared) == (units == "shared")
    found = heterogeneity(t, measure)
    exact = found.method == "exact-rates"
    assert exact == (measure == "recall" and units == "none")
    statistic = spread.contrasted(np.ones(groups, bool)) if exact else found.statistic
    assert statistic == pytest.approx(whole(spread), rel=1e-7)
    weights = np.asarray(t.n) / np.asarray(t.n).sum()
    assert spread.variance_of(weights) == pytest.approx(weights @ matrix(spread) @ weights, rel=1e-9)


def test_many_groups_that_share_units_agree_with_the_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    """The way of many groups, on groups that are few enough for the matrix."""
    t = grouped(60, 6000, 3, unit=np.random.default_rng(3).integers(0, 400, 6000))
    dense = heterogeneity(t, "informedness").statistic
    monkeypatch.setattr(module, "DENSE", 1)
    assert heterogeneity(t, "informedness").statistic == pytest.approx(dense, rel=1e-8)


def test_groups_of_which_one_is_unknown_take_no_part() -> None:
    some = Table.from_counts([[[40, 10], [10, 40]], [[30, 5], [15, 50]], [[0, 7], [0, 3]]])
    both = Table.from_counts([[[40, 10], [10, 40]], [[30, 5], [15, 50]]])
    assert heterogeneity(some, "informedness").statistic == pytest.approx(heterogeneity(both, "informedness").statistic)


@pytest.mark.parametrize("shared", [False, True])
def test_twenty_thousand_groups_take_no_matrix(shared: bool) -> None:
    """A matrix of 20,000 × 20,000 takes 3.2 GB and hours."""
    n = 100_000
    more = {"unit": np.random.default_rng(1).integers(0, n // 4, n)} if shared else {}
    t = grouped(20_000, n, 1, **more)
    tracemalloc.start()
    begun = process_time()
    found = heterogeneity(t, "informedness")
    seconds, (_, peak) = process_time() - begun, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert np.isfinite(found.statistic)
    assert seconds < 30
    assert peak < 400e6


def test_six_thousand_groups_are_reported_in_part() -> None:
    """A page shows some of many groups one by one and says so; its data has all of them."""
    page = informed.report(grouped(400, 4000, 2)).document()
    (section,) = [x for x in page.sections if x.key == "each"]
    assert len(section.parts) == 200
    assert "Of 400 groups, the first 100 and the last 100 are shown one by one." in page.write("text", full=True)
    assert len(page.data["groups"]) == 400


def test_independent_blocks_are_the_sum_of_their_parts() -> None:
    """Q of two groups is the squared difference over the sum of the variances."""
    t = grouped(2, 400, 5)
    spread = group_spread(Sample(find("informedness"), t, 0.95))
    gap = spread.centre[0] - spread.centre[1]
    assert heterogeneity(t, "informedness").statistic == pytest.approx(gap**2 / spread.variance.sum())
    assert np.allclose(block_diag(*spread.variance[:, None, None]), matrix(spread))


def with_accuracies(right: Any, n: Any) -> Table:
    """Tables of these groups, ``(*stack, groups)``, right in so many cases of n."""
    right, n = np.asarray(right, float), np.asarray(n, float)
    hit, miss = right // 2, (n - right) // 2
    cells = np.array([[hit, n - right - miss], [miss, right - hit]])
    return Table.from_counts(np.moveaxis(cells, (0, 1), (-2, -1)), labels=[0, 1], positive=1)


class TestRates:
    """That groups share one rate is tested given all successes: no approximation, however few errors there are."""

    def test_two_groups_are_fishers(self) -> None:
        for right, n in (((9, 30), (10, 40)), ((38, 39), (40, 80)), ((12, 15), (20, 20)), ((29, 12), (30, 30))):
            p = heterogeneity(with_accuracies(right, n), "accuracy").pvalue
            k = np.array([right, np.subtract(n, right)])
            assert p == pytest.approx(stats.fisher_exact(k).pvalue, abs=0.02)

    def test_three_groups_are_those_of_every_table(self) -> None:
        right, n = np.array([9, 12, 5]), np.array([10, 12, 9])
        ways = [(a, b, 26 - a - b) for a in range(11) for b in range(13) if 0 <= 26 - a - b <= 9]
        chance = np.array([np.prod([comb(m, k) for m, k in zip(n, way, strict=True)]) for way in ways], float)
        far = np.array([sum(np.square(way) / n) for way in ways]) >= sum(right**2 / n) - 1e-9
        p = heterogeneity(with_accuracies(right, n), "accuracy").pvalue
        assert p == pytest.approx(chance[far].sum() / chance.sum(), abs=0.01)

    def test_many_cases_have_pearsons_chi_squared(self) -> None:
        right, n = np.array([620, 600, 655, 631]), np.array([800, 800, 800, 800])
        found = heterogeneity(with_accuracies(right, n), "accuracy")
        want = stats.chi2_contingency([right, n - right], correction=False)
        assert (found.statistic, found.pvalue) == pytest.approx((want.statistic, want.pvalue))
        assert found.method == "exact-rates"
        assert found.inconsistency == pytest.approx(max(0, 1 - 3 / want.statistic))

    @pytest.mark.parametrize("rate", [0.98, 0.9])
    def test_equal_rates_differ_no_more_often_than_said(self, rate: float) -> None:
        n = np.array([20, 20, 40, 100])
        right = np.random.default_rng(46).binomial(n, rate, (2000, 4))
        p = np.asarray(heterogeneity(with_accuracies(right, n), "accuracy").pvalue)
        assert (p <= 0.05).mean() <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 2000)
        assert (p <= 0.01).mean() <= 0.01 + 3 * np.sqrt(0.01 * 0.99 / 2000)

    def test_a_group_with_more_errors_is_found(self) -> None:
        """Cochran's Q of rates near 1, after four pseudo-cases, found 0 to 9% of these."""
        for rates, n, least in (([0.98] * 9 + [0.8], 20, 0.5), ([0.99] * 4 + [0.85], 40, 0.75)):
            right = np.random.default_rng(47).binomial(n, rates, (300, len(rates)))
            p = np.asarray(heterogeneity(with_accuracies(right, np.full(right.shape, n)), "accuracy").pvalue)
            assert (p <= 0.05).mean() > least

    def test_rates_without_an_error_are_one_rate(self) -> None:
        found = heterogeneity(with_accuracies([20, 30, 5], [20, 30, 5]), "accuracy")
        assert (found.statistic, found.pvalue, found.inconsistency) == (0, 1, 0)

    def test_weights_and_units_keep_cochrans_q(self) -> None:
        t = grouped(4, 200, 1, unit=np.arange(200) // 2)
        assert heterogeneity(t, "accuracy").method == "cochran-q"
        assert heterogeneity(grouped(4, 200, 1, weights=np.linspace(0.5, 1.5, 200)), "accuracy").method == "cochran-q"

    def test_slices_name_their_test(self) -> None:
        t = with_accuracies([38, 39, 34], [40, 40, 40])
        assert informed.slices(t, measure="accuracy").heterogeneity.method == "exact-rates"
        assert "an exact test of rates" in informed.slices(t, measure="accuracy").text(full=True)
        assert informed.slices(t).heterogeneity.method == "cochran-heterogeneity"


def test_pairs_that_two_measures_rank_apart_are_all_pairs() -> None:
    """Thousands of groups have millions of pairs, which are counted without a list of them."""
    rng = np.random.default_rng(4)
    for n in rng.integers(2, 12, 300):
        held = rng.choice([0.1, 0.2, 0.3, 0.4, np.nan], (n, 2)).tolist()
        ordered = [(i, j) if held[i][0] > held[j][0] else (j, i) for i, j in combinations(range(n), 2)]
        apart = [(i, j) for i, j in ordered if (held[i][0] - held[j][0]) * (held[i][1] - held[j][1]) < 0]
        several, pair = swapped(held)
        assert several == len(apart)
        assert (pair in apart) if apart else (pair is None)
        if pair is not None:
            assert held[pair[1]][1] - held[pair[0]][1] == max(held[j][1] - held[i][1] for i, j in apart)
    begun = process_time()
    assert swapped(rng.random((20_000, 2)).tolist())[0] == pytest.approx(1e8, rel=0.05)
    assert process_time() - begun < 5
