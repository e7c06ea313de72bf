"""Heterogeneity of many groups: the whole matrix of covariances against what is computed without it."""

from __future__ import annotations

import tracemalloc
from time import process_time
from typing import Any

import numpy as np
import pytest
from scipy.linalg import block_diag

import informed
from informed import Table
from informed.inference import heterogeneity as module
from informed.inference.heterogeneity import GroupSpread, group_spread, heterogeneity
from informed.inference.sample import Sample
from informed.measures import find


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
    assert found.statistic == pytest.approx(whole(spread), rel=1e-7)
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
