"""Means of bounded scores: against binomial mid-P limits, Dirichlet draws and Student's test."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, stats

from informed.inference.bounded_mean import BoundedMean, dirichlet_tails
from informed.inference.marks_score import mean_of


def bounded(x: np.ndarray, ends: tuple[float, float] = (0.0, 1.0)) -> BoundedMean:
    return mean_of(np.asarray(x, np.float64)[:, None], np.ones(len(x)), None, ends)


@pytest.mark.parametrize(("n", "right"), [(10, 3), (30, 29), (30, 30), (100, 4), (400, 200)])
def test_scores_of_0_and_1_have_mid_p_tails(n: int, right: int) -> None:
    """P(X > k) + P(X = k)/2 of a binomial variable: what mid-P is."""
    x = np.r_[np.ones(right), np.zeros(n - right)]
    for p in (0.02, 0.3, 0.5, 0.9, 0.99):
        seen = dirichlet_tails(x[None], np.ones(n), np.ones(n), (0, 1), p)
        of = stats.binom(n, p)
        want = of.sf(right) + of.pmf(right) / 2, of.cdf(right) - of.pmf(right) / 2
        assert [float(y[0]) for y in seen] == pytest.approx(want, rel=0.05)


def test_mid_p_limits_where_students_are_narrower() -> None:
    (low,), (high,) = bounded(np.ones(30)).limits(0.95)
    exact = optimize.brentq(lambda p: p**30 / 2 - 0.025, 0.5, 1)
    assert (low, high) == (pytest.approx(exact, abs=5e-4), 1)


def test_tails_are_those_of_dirichlet_draws() -> None:
    rng = np.random.default_rng(5)
    x = rng.random(12)
    drawn = rng.dirichlet(np.ones(13), 400_000)
    for value in (0.25, 0.4, 0.6, 0.75):
        want = np.mean([(drawn @ np.append(x, end) <= value).mean() for end in (0, 1)])
        found = dirichlet_tails(x[None], np.ones(12), np.ones(12), (0, 1), value)
        assert found[0][0] == pytest.approx(want, abs=4 * np.sqrt(0.25 / 400_000) + 0.002)
        assert found[0][0] + found[1][0] == pytest.approx(1)


@pytest.mark.parametrize("n", [2, 3, 10, 60])
@pytest.mark.parametrize("seed", range(5))
def test_limits_and_p_values_agree(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.choice([0, 0.25, 0.5, 0.9, 1], n) if seed % 2 else rng.beta(8, 0.5, n)
    mean = bounded(x)
    for level in (0.5, 0.9, 0.99):
        for at in (float(y[0]) for y in mean.limits(level)):
            p = float(mean.pvalue(at)[0])
            assert p >= 1 - level - 1e-6
            assert p == pytest.approx(1 - level, abs=1e-5) or at in (0, 1)
    widths = [float(np.subtract(*mean.limits(level)[::-1])[0]) for level in (0.5, 0.9, 0.99)]
    assert widths == sorted(widths)


def test_the_scale_may_be_any() -> None:
    x = np.random.default_rng(1).random(25)
    one, other = bounded(x).limits(0.95), bounded(4 * x - 3, (-3, 1)).limits(0.95)
    assert np.ravel(other) == pytest.approx(4 * np.ravel(one) - 3, abs=1e-8)


def test_single_clusters_and_even_weights_change_nothing() -> None:
    x = np.random.default_rng(2).random(25)[:, None]
    plain = mean_of(x, np.ones(25), None, (0, 1)).limits(0.95)
    for w, unit in ((np.ones(25), np.arange(25)), (np.full(25, 3.0), None)):
        assert np.ravel(mean_of(x, w, unit, (0, 1)).limits(0.95)) == pytest.approx(np.ravel(plain), abs=1e-8)


def test_many_different_scores_are_counted_in_classes() -> None:
    x = np.random.default_rng(3).beta(2, 5, 100_000)
    (low,), (high,) = bounded(x).limits(0.95)
    students = stats.t.interval(0.95, len(x) - 1, x.mean(), stats.sem(x))
    assert low <= students[0]
    assert high >= students[1]
    assert high - low < 1.01 * (students[1] - students[0])
