"""A leaderboard agrees with itself: ranks, leaders, simultaneous intervals and adjusted p-values are one procedure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import informed
from informed.evidence.marks import Marks
from informed.evidence.tags import Tags
from informed.systems.board import Leaderboard
from informed.systems.max_t import critical_value, exceeding

KINDS = ("labels", "units", "baseline", "delta", "marks", "scores", "tags", "probabilities")


def board_of(kind: str, seed: int) -> Leaderboard:
    """A board of four systems whose last is a little worse: near the border of what is shown."""
    rng = np.random.default_rng(seed)
    n, skills = 150, (0.75, 0.72, 0.7, 0.6)
    real = rng.integers(0, 2, n)
    known = rng.random((n, 4)) < np.array(skills)
    answers = np.where(known, real[:, None], 1 - real[:, None])
    names = ["a", "b", "c", "d"]
    if kind == "tags":
        true = rng.random((n, 3)) < 0.4
        keeps = (rng.random((n, 3)) < share for share in skills)
        said = {x: np.where(kept, true, rng.random((n, 3)) < 0.4) for x, kept in zip(names, keeps, strict=True)}
        return informed.leaderboard(Tags.from_labels(real=true, predicted=said))
    if kind == "probabilities":
        given = {x: np.clip(np.where(known[:, i], real, 1 - real) * 0.4 + 0.3, 0, 1) for i, x in enumerate(names)}
        return informed.probabilities.compare(real=real, probabilities=given, n_draws=0).board
    if kind in ("marks", "scores"):
        part = known.astype(float) if kind == "marks" else np.clip(known * 0.7 + rng.normal(0, 0.2, (n, 4)), 0, 1)
        return informed.leaderboard({x: Marks.from_columns(mark=part[:, i]) for i, x in enumerate(names)})
    how: dict[str, Any] = {"real": real, "predictions": dict(zip(names, answers.T.tolist(), strict=True))}
    how |= {"unit": np.arange(n) // 3} if kind == "units" else {}
    how |= {"baseline": "a"} if kind == "baseline" else {}
    how |= {"method": "delta"} if kind == "delta" else {}
    return informed.leaderboard(**how)


@pytest.mark.parametrize("kind", KINDS)
def test_p_values_ranks_and_intervals_are_one_procedure(kind: str) -> None:
    decided = 0
    for seed in range(12):
        board = board_of(kind, seed)
        pairs, alpha = board.pairs, round(1 - board.level, 12)
        beyond = (pairs.low > 0) | (pairs.high < 0)
        upper = np.triu_indices(len(board), 1)
        assert np.array_equal(beyond[upper], (pairs.adjusted <= alpha)[upper])
        better = beyond & (pairs.estimate > 0)
        assert board.rank_low.tolist() == (1 + better.sum(axis=0)).tolist()
        assert board.rank_high.tolist() == (len(board) - better.sum(axis=1)).tolist()
        if len(board.leaders) == 1:
            best = board.names.index(board.leaders[0])
            assert all(pairs.low[best, other] > 0 for other in range(len(board)) if other != best)
        if board.versus is not None:
            apart = (board.versus.low > 0) | (board.versus.high < 0)
            assert np.array_equal(apart, np.nan_to_num(board.versus.adjusted, nan=1.0) <= alpha)
        decided += int(beyond[upper].sum())
    assert 0 < decided < 12 * 6


def test_another_adjustment_leaves_the_ranks_and_says_that_it_disagrees() -> None:
    rng, told = np.random.default_rng(5), 0
    for _ in range(30):
        real = rng.integers(0, 2, 200)
        answers = {x: np.where(rng.random(200) < s, real, 1 - real) for x, s in (("a", 0.8), ("b", 0.7), ("c", 0.6))}
        same, holm = (informed.leaderboard(real=real, predictions=answers, adjust=x) for x in ("auto", "holm"))
        assert (same.adjust, holm.adjust) == ("max-t", "holm")
        assert same.rank_low.tolist() == holm.rank_low.tolist()
        upper = np.triu_indices(3, 1)
        differ = (holm.pairs.adjusted[upper] <= 0.05) != (holm.pairs.low[upper] > 0) | (holm.pairs.high[upper] < 0)
        assert ("ranks-by-intervals" in [x.code for x in holm.notes]) == bool(differ.any())
        assert "ranks-by-intervals" not in [x.code for x in same.notes]
        told += int(differ.any())
    assert told > 0


@pytest.mark.parametrize("freedom", [np.inf, 7.0])
def test_the_critical_value_is_where_the_p_value_is_alpha(freedom: float) -> None:
    from scipy import stats

    rng = np.random.default_rng(2)
    law = stats.norm if np.isinf(freedom) else stats.t(freedom)
    largest = np.abs(rng.standard_normal((1999, 6))).max(axis=1)
    for level in (0.9, 0.95, 0.99):
        critical = critical_value(largest, level, 6, freedom)
        for z in critical + np.array([-1e-3, -1e-9, 1e-9, 1e-3]):
            single = np.full(6, np.nan)
            single[:] = 2 * law.sf(z)
            p = exceeding(largest, single, freedom)[0]
            assert (p <= 1 - level + 1e-12) == (z > critical)
    alone = critical_value(np.abs(rng.standard_normal(999)), 0.95, 1, freedom)
    assert alone == pytest.approx(law.ppf(0.975))


@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_the_chance_of_any_false_difference_is_held_down(alpha: float) -> None:
    """Four equal systems: in how many boards does any pair differ?"""
    rng, runs, found = np.random.default_rng(8), 400, 0
    for _ in range(runs):
        real = rng.integers(0, 2, 120)
        answers = {str(i): np.where(rng.random(120) < 0.7, real, 1 - real) for i in range(4)}
        board = informed.leaderboard(real=real, predictions=answers, level=1 - alpha, n_draws=2000)
        found += int(len(board.leaders) < 4 or (board.rank_high < 4).any())
    assert found / runs <= alpha + 3 * np.sqrt(alpha * (1 - alpha) / runs)
