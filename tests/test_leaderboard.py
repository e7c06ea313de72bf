"""Many systems: against R, against their defining equations, and what they promise in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtr

import informed
from informed import InformedError, Table
from informed._arrays import Array
from informed.evidence.paired import paired
from informed.inference.influence import cells_of, differences
from informed.measures import find
from informed.systems.fold_pairs import corrected_t
from informed.systems.folds import folds
from informed.systems.joint_estimates import Smoothing, _discounted, joint_estimates
from informed.systems.leaderboard import Leaderboard, leaderboard
from informed.systems.multiplicity import adjusted
from informed.systems.rank_tests import rank_tests
from informed.systems.ranks import rank_intervals, tie_groups
from informed.systems.right_answers import cochran_q, mcnemar
from informed.systems.slices import slices

ORACLES = Path(__file__).parent / "oracles"
FIVE: dict[str, Any] = json.loads((ORACLES / "m01_five_systems.json").read_text())
PADJUST: dict[str, Any] = json.loads((ORACLES / "padjust.json").read_text())
PAIRED = paired(FIVE["ref"], FIVE["systems"])
LETTERS = "ABCDE"
UPPER = np.triu_indices(5, 1)


def answers(rng: np.random.Generator, real: Any, skill: Any, k: int) -> Array:
    """Codes (items x systems) of systems that know with this probability, and else guess."""
    knows = rng.random((len(real), len(skill))) < np.asarray(skill)
    guess = rng.integers(0, k, knows.shape)
    return np.asarray(np.where(knows, np.asarray(real)[:, None], guess))


# ---------------------------------------------------------------------- against R


@pytest.mark.parametrize("case", ["bh1995", "ties", "single", "unsorted"])
def test_adjusted_pvalues_are_r_s(case: str) -> None:
    held = PADJUST["cases"][case]
    p = np.atleast_1d(held["p"])
    for name, wanted in held["adjusted"].items():
        np.testing.assert_allclose(adjusted(p, name), np.atleast_1d(wanted), rtol=1e-13)
    singlestep = held["sidak_singlestep_mutoss"]
    np.testing.assert_allclose(adjusted(p, "sidak"), np.atleast_1d(singlestep), rtol=1e-12)
    stepdown = held["sidak_stepdown_mutoss"]
    if not isinstance(stepdown, dict):
        np.testing.assert_allclose(adjusted(p, "holm-sidak"), stepdown, rtol=1e-12)


def test_mcnemar_and_its_adjustments_are_r_s() -> None:
    for ours, theirs in (("asymptotic", "mcnemar"), ("corrected", "mcnemar_cc"), ("exact", "exact"), ("mid-p", "midp")):
        wanted = [row[theirs] for row in FIVE["pairwise"]]
        np.testing.assert_allclose(mcnemar(PAIRED, ours)[UPPER], wanted, rtol=1e-9)  # type: ignore[arg-type]
    exact = mcnemar(PAIRED, "exact")[UPPER]
    for name, values in FIVE["padjust_of_exact"].items():
        np.testing.assert_allclose(adjusted(exact, name), values, rtol=1e-9)


def test_cochran_q_is_r_s() -> None:
    found = cochran_q(PAIRED)
    assert found.statistic == pytest.approx(FIVE["cochranQ"]["statistic"], rel=1e-13)
    assert found.pvalue == pytest.approx(FIVE["cochranQ"]["p"], rel=1e-9)
    assert found.df == 4


def test_joint_covariance_is_r_s() -> None:
    board = leaderboard(real=FIVE["ref"], predictions=FIVE["systems"], method="delta")
    joint = FIVE["informedness_joint"]
    wanted = np.array([list(row.values()) for row in joint["cov"].values()])
    np.testing.assert_allclose(board.estimate, list(joint["est"].values()), atol=1e-12)
    np.testing.assert_allclose(board.covariance, wanted, rtol=1e-8)
    for row in FIVE["pairwise_delta"]:
        gap = board[row["b"], row["a"]]
        assert gap.estimate == pytest.approx(row["delta_informedness_b_minus_a"], abs=1e-12)
        assert gap.pvalue == pytest.approx(row["p"], rel=1e-6)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("accuracy", "accuracy"),
        ("markedness", "markedness"),
        ("matthews", "mcc"),
        ("cohen_kappa", "kappa"),
        ("f1", "f1"),
    ],
)
def test_standard_errors_of_other_measures_are_r_s(ours: str, theirs: str) -> None:
    board = leaderboard(real=FIVE["ref"], predictions=FIVE["systems"], measure=ours, method="delta", n_draws=2000)
    held = [FIVE["per_system"][name][theirs] for name in LETTERS]
    np.testing.assert_allclose(board.estimate, [x["est"] for x in held], atol=1e-12)
    np.testing.assert_allclose(board.standard_error, [x["se"] for x in held], rtol=1e-6)


def test_max_t_of_all_pairs_is_multcomp_s() -> None:
    held = FIVE["informedness_tukey_maxt_multcomp"]
    board = leaderboard(real=FIVE["ref"], predictions=FIVE["systems"], method="delta", adjust="max-t", n_draws=200_000)
    pairs = board.pairs
    np.testing.assert_allclose(-pairs.estimate[UPPER], list(held["est"].values()), atol=1e-12)
    np.testing.assert_allclose(pairs.standard_error[UPPER], list(held["se"].values()), rtol=1e-8)
    # 200 000 draws: the standard error of a p-value is at most .0011, that of the quantile .004.
    np.testing.assert_allclose(pairs.adjusted[UPPER], held["p_adj"], atol=0.004)
    assert pairs.critical == pytest.approx(held["crit"], abs=0.015)
    np.testing.assert_allclose(-pairs.high[UPPER], held["lower"], atol=0.002)
    np.testing.assert_allclose(-pairs.low[UPPER], held["upper"], atol=0.002)


# ---------------------------------------------------------------------- defining equations


def test_smoothed_covariance_is_that_of_the_enumerated_pseudo_cases() -> None:
    """Every pseudo-case written out with its weight, for three classes and three systems."""
    rng = np.random.default_rng(4)
    k, real = 3, rng.integers(0, 3, 40)
    p = paired(real, answers(rng, real, [0.3, 0.6, 0.9], k))
    t = p.tables.answered
    found = joint_estimates(p, t, find("informedness"), method="smoothed", discounted=False)
    rows, weights = [], []
    for c in range(k):
        for labels in np.ndindex(k, k, k):
            chances = [0.5 if label == c else 0.5 / (k - 1) for label in labels]
            rows.append((c, *labels))
            weights.append(4 / k * np.prod(chances))
    every = np.concatenate([np.column_stack([real, p.codes]), rows])
    weight = np.concatenate([np.ones(len(real)), weights])

    def value(w: Array) -> Array:
        return np.array(
            [
                informed.informedness(
                    Table.from_counts(
                        np.array(
                            [[w[(every[:, 0] == c) & (every[:, 1 + s] == m)].sum() for c in range(k)] for m in range(k)]
                        )
                    )
                )
                for s in range(3)
            ]
        )

    total, step = weight.sum(), 1e-5
    assert total == pytest.approx(44)
    np.testing.assert_allclose(found.centres, value(weight), atol=1e-12)
    slopes = np.array(
        [
            (value(weight + step * unit) - value(weight - step * unit)) / (2 * step) * total
            for unit in np.eye(len(every))
        ]
    )
    wanted = (slopes * weight[:, None]).T @ slopes / total**2
    np.testing.assert_allclose(found.covariance, wanted, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("measure", ["informedness_of_all", "accuracy_of_all", "matthews", "f1"])
def test_slopes_with_a_coverage_discount(measure: str) -> None:
    k = 2 if measure == "f1" else 3
    rng = np.random.default_rng(3)
    t = Table.from_counts(
        rng.integers(1, 9, (k, k)), abstained=rng.integers(1, 5, k), labels=range(k), rows="predicted"
    )
    f = _discounted(find(measure), t)
    counts = cells_of(t)
    p, n = counts / counts.sum(), np.asarray(counts.sum())
    exact, tried = f.gradient(p, n), differences(f.value, p, n)
    np.testing.assert_allclose(exact - p @ exact, tried - p @ tried, atol=1e-6)
    m = find(measure)
    wanted = m(t) if m.facts.abstentions else m(t.answered) * informed.coverage(t)
    assert f.value(p, n) == pytest.approx(wanted, abs=1e-12)


def test_rank_intervals_and_groups_of_a_known_order() -> None:
    better = np.zeros((4, 4), bool)
    better[0, 2] = better[0, 3] = better[1, 3] = True
    low, high = rank_intervals(better)
    assert low.tolist() == [1, 1, 2, 3]
    assert high.tolist() == [2, 3, 4, 4]
    assert tie_groups([0, 1, 2, 3], better | better.T) == [[0, 1], [1, 2], [2, 3]]
    assert tie_groups([2, 1, 0], np.zeros((3, 3), bool)) == [[2, 1, 0]]


def test_folds_of_a_measure_that_is_best_at_0_show_its_own_values() -> None:
    t = Table.from_counts(
        [[[[9, 1], [1, 9]], [[8, 2], [2, 8]]], [[[6, 4], [4, 6]], [[5, 5], [5, 5]]]], names=["ab", (1, 2)]
    )
    how: dict[str, Any] = {"design": "data-sets"}
    found, right = folds(t, measure="error_rate", **how), folds(t, measure="accuracy", **how)
    np.testing.assert_allclose(found.mean, [0.15, 0.45])
    assert found.records()["system"] == right.records()["system"] == ("a", "b")
    np.testing.assert_array_equal(found.mean_rank, right.mean_rank)
    assert found.ranks is not None
    assert right.ranks is not None
    assert found.ranks.friedman.pvalue == right.ranks.friedman.pvalue


def test_friedman_and_nemenyi_follow_demsar() -> None:
    """Demšar (2006): critical differences of 1.25 and 1.12 for four systems on 14 data sets."""
    x = np.random.default_rng(6).random((14, 4))
    found = rank_tests(x, 0.95, "score")
    assert found.critical_difference == pytest.approx(1.25, abs=0.005)
    assert rank_tests(x, 0.9, "score").critical_difference == pytest.approx(1.12, abs=0.005)
    ranks = folds(x, names="abcd", design="data-sets").mean_rank
    chi = 12 * 14 / (4 * 5) * ((ranks**2).sum() - 4 * 5**2 / 4)
    assert found.friedman.statistic == pytest.approx(chi, rel=1e-12)
    assert found.friedman.pvalue == pytest.approx(stats.chi2.sf(chi, 3), rel=1e-12)
    f = 13 * chi / (14 * 3 - chi)
    assert found.iman_davenport.pvalue == pytest.approx(stats.f.sf(f, 3, 39), rel=1e-12)
    z = abs(ranks[0] - ranks[1]) / np.sqrt(4 * 5 / (6 * 14))
    wanted = stats.studentized_range.sf(z * np.sqrt(2), 4, np.inf)
    assert found.nemenyi[0, 1] == pytest.approx(wanted, rel=1e-6)


def test_folds_of_tables_are_measured() -> None:
    rng = np.random.default_rng(5)
    t = Table.from_counts(rng.integers(1, 30, (3, 6, 2, 2)), names=[["a", "b", "c"], None])
    found = folds(t, test_share=1 / 6)
    np.testing.assert_allclose(found.mean, np.asarray(informed.informedness(t)).mean(axis=1))
    assert found.names == ("a", "b", "c")
    assert found.pairs is not None
    assert found.method == "corrected-t"
    d = np.asarray(informed.informedness(t))
    each = [corrected_t(d[i] - d[j], test_share=1 / 6).pvalue for i, j in ((0, 1), (0, 2), (1, 2))]
    np.testing.assert_allclose(found.pairs.adjusted[np.triu_indices(3, 1)], adjusted(each, "holm"), rtol=1e-12)
    for bad in (t[0], np.ones((3, 1)), np.ones((1, 3)), [[1, 2, np.nan], [1, 2, 3]]):
        with pytest.raises(InformedError):
            folds(bad)


def test_corrected_t_without_a_test_share_to_speak_of_is_the_paired_t() -> None:
    d = np.random.default_rng(1).normal(0.3, 1, 10)
    assert corrected_t(d, test_share=1e-9).pvalue == pytest.approx(stats.ttest_1samp(d, 0).pvalue, rel=1e-6)
    wide = corrected_t(d, test_share=0.1)
    wanted = d.mean() / np.sqrt((1 / 10 + 1 / 9) * d.var(ddof=1))
    assert wide.statistic == pytest.approx(wanted, rel=1e-12)


# ---------------------------------------------------------------------- what it promises


def test_identical_systems_are_never_told_apart() -> None:
    rng = np.random.default_rng(8)
    real = rng.integers(0, 2, 60)
    one = answers(rng, real, [0.5], 2)[:, 0]
    held = {"a": one, "b": one, "c": real}
    methods: tuple[Smoothing, ...] = ("smoothed", "delta")
    for method in methods:
        board = leaderboard(real=real, predictions=held, method=method)
        gap = board["a", "b"]
        assert (gap.estimate, gap.pvalue, gap.adjusted) == (0, 1, 1)
        assert gap.low == pytest.approx(-gap.high)
        assert board.rank.tolist() == [2, 2, 1]
        assert board["c", "a"].estimate == pytest.approx(-board["a", "c"].estimate)
    assert board.leaders == ("c",)


def test_order_of_systems_and_of_items_does_not_matter() -> None:
    board = leaderboard(real=FIVE["ref"], predictions=FIVE["systems"], baseline="A")
    turned = leaderboard(
        real=FIVE["ref"][::-1], predictions={name: FIVE["systems"][name][::-1] for name in "EDCBA"}, baseline="A"
    )
    np.testing.assert_allclose(board.estimate, turned.estimate[::-1])
    np.testing.assert_allclose(board.covariance, turned.covariance[::-1, ::-1])
    assert board.groups == turned.groups == (("A", "C", "B"), ("B", "D", "E"))
    assert board.versus is not None
    assert turned.versus is not None
    np.testing.assert_allclose(board.versus.estimate, turned.versus.estimate[::-1])
    assert np.isnan(board.versus.estimate[0])
    # A comparison with one system asks fewer questions than all pairs do.
    assert board.versus.critical < board.pairs.critical
    assert board.beyond_guessing.tolist() == [True, True, True, False, False]
    assert list(board.to_frame()["system"]) == ["A", "C", "B", "D", "E"]
    assert len(board.pairs_records()) == 10


def test_abstentions_are_said_and_counted_both_ways() -> None:
    rng = np.random.default_rng(2)
    real = rng.integers(0, 2, 200)
    codes = answers(rng, real, [0.8, 0.5], 2)
    codes[:80, 0] = -1
    whole = leaderboard(real=real, predictions=codes, names=["shy", "bold"])
    assert whole.items == 200
    assert whole.measure == "informedness_of_all"
    assert "no answer is no bet" in whole.basis
    board = leaderboard(real=real, predictions=codes, names=["shy", "bold"], count="answered")
    assert board.basis.startswith("common items")
    assert board.items == 120
    assert board.coverage.tolist() == whole.coverage.tolist() == [0.6, 1.0]
    t = Table.from_labels(real=real[80:], predicted=codes[80:, 0])
    assert board.estimate[0] == pytest.approx(informed.informedness(t))
    everything = Table.from_labels(
        real=real, predicted=[None if x < 0 else int(x) for x in codes[:, 0]], missing="abstain"
    )
    assert whole.estimate[0] == pytest.approx(informed.informedness_of_all(everything))
    assert whole.answered is not None
    assert whole.answered[0] == pytest.approx(board.estimate[0])
    assert board.estimate[0] > board.estimate[1]
    assert whole.estimate[0] < board.estimate[0]
    alone = board_limit(everything, whole)
    assert alone - 0.01 < whole.low[0] < alone  # Student's of the classes takes it a little further
    assert any("120 of 200" in str(note) for note in board.notes)


def board_limit(t: Table, board: Leaderboard) -> float:
    """The lower limit by itself, at the level at which all hold together."""
    return float(informed.interval(t, "informedness_of_all", level=float(2 * ndtr(board.critical) - 1)).low)


def test_thirty_models_with_refusals_are_ranked_on_all_items() -> None:
    """6 % refusals each leave about 62 of 400 items that all thirty answered."""
    rng = np.random.default_rng(5)
    real = rng.integers(0, 4, 400)
    codes = answers(rng, real, np.linspace(0.3, 0.8, 30).tolist(), 4)
    codes[rng.random(codes.shape) < 0.06] = -1
    board = leaderboard(real=real, predictions=codes)
    assert board.items == 400
    assert leaderboard(real=real, predictions=codes, count="answered").items < 90
    everything = Table.from_labels(
        real=real, predicted=[None if x < 0 else int(x) for x in codes[:, 7]], missing="abstain"
    )
    assert board.estimate[7] == pytest.approx(informed.informedness_of_all(everything))


def test_refusing_the_hard_items_does_not_climb() -> None:
    """A system that withdraws its wrong answers gains among those answered, and nothing over all that rivals lose."""
    rng = np.random.default_rng(6)
    real = rng.integers(0, 2, 300)
    codes = answers(rng, real, [0.6, 0.6], 2)
    right = codes[:, 0] == real
    shy = codes.copy()
    shy[np.flatnonzero(right)[:60], 0] = -1  # right answers that are withheld
    before, after = (leaderboard(real=real, predictions=x) for x in (codes, shy))
    assert after.estimate[0] < before.estimate[0]
    gone = leaderboard(
        real=dict(enumerate(real.tolist())),
        predictions={
            "cut": {i: x for i, x in enumerate(codes[:, 0].tolist()) if right[i]},
            "b": dict(enumerate(codes[:, 1].tolist())),
        },
    )
    assert gone.items == right.sum()
    assert [str(x) for x in gone.notes if x.code == "left-out"] == [
        f"{right.sum()} of 300 items count in both (not run: {300 - right.sum()} of cut); the others are left out."
    ]


def test_no_common_items_are_no_hindrance() -> None:
    real = [0, 1] * 10
    given: dict[str, Any] = {"a": [*real[:10], *[None] * 10], "b": [*[None] * 10, *real[10:]]}
    board = leaderboard(real=real, predictions=given, missing="abstain")
    assert "20 missing answers count as abstentions." in map(str, board.notes)
    assert board.items == 20
    assert board.estimate.tolist() == [0.5, 0.5]
    with pytest.raises(InformedError, match="Only 0 of 20 items were answered by every system"):
        leaderboard(real=real, predictions=given, missing="abstain", count="answered")


def test_false_discoveries_under_the_null_are_as_rare_as_promised() -> None:
    """Six systems of one skill, 300 times: any pair called different in 5 % of them at most."""
    rng = np.random.default_rng(11)
    runs, wrong, wrong_bh, missed, rank_missed = 300, 0, 0, 0, 0
    for _ in range(runs):
        real = rng.permutation(np.repeat([0, 1], [60, 90]))
        difficulty = rng.random(150) < 0.5  # items that all know: systems err together
        codes = answers(rng, real, [0.3] * 6, 2)
        codes[difficulty] = real[difficulty, None]
        board = leaderboard(real=real, predictions=codes, n_draws=1000, adjust="holm")
        wrong += bool((board.pairs.adjusted < 0.05).any())
        upper = board.pairs.pvalue[np.triu_indices(6, 1)]
        wrong_bh += bool((adjusted(upper, "bh") < 0.05).any())
        missed += bool(((board.pairs.low > 0) | (board.pairs.high < 0)).any())
        rank_missed += bool((board.rank_low > 1).any() or (board.rank_high < 6).any())
    allowed = stats.binom.ppf(0.999, runs, 0.05)
    assert wrong <= allowed
    assert wrong_bh <= allowed  # where all are null, every discovery is a false one
    assert missed <= allowed
    assert rank_missed <= allowed
    assert missed >= 1  # neither is it so wide that nothing is ever found


def test_intervals_hold_together_and_find_true_differences() -> None:
    rng = np.random.default_rng(12)
    skill = np.array([0.2, 0.45, 0.5, 0.85])
    runs, held, ranked, separated = 200, 0, 0, 0
    for _ in range(runs):
        real = rng.permutation(np.repeat([0, 1, 2], [40, 60, 80]))
        board = leaderboard(real=real, predictions=answers(rng, real, skill, 3), n_draws=1000)
        held += bool(((board.low <= skill) & (skill <= board.high)).all())
        ranks = np.array([4, 3, 2, 1])
        ranked += bool(((board.rank_low <= ranks) & (ranks <= board.rank_high)).all())
        separated += bool(board.rank_high[3] == 1)
    enough = stats.binom.ppf(0.001, runs, 0.95)
    assert held >= enough
    assert ranked >= enough
    assert separated > 0.9 * runs


def test_a_thousand_systems_are_comfortable() -> None:
    rng = np.random.default_rng(0)
    real = rng.integers(0, 2, 500)
    skill = np.linspace(0, 0.9, 1000)
    board = leaderboard(real=real, predictions=answers(rng, real, skill, 2), n_draws=300)
    assert board.pairs.estimate.shape == (1000, 1000)
    assert board.rank_low[-1] == 1
    assert not board.beyond_guessing[0]
    assert board.beyond_guessing[-1]


def test_an_error_rate_is_ranked_from_below() -> None:
    board = leaderboard(real=FIVE["ref"], predictions=FIVE["systems"], measure="error_rate")
    right = leaderboard(real=FIVE["ref"], predictions=FIVE["systems"], measure="accuracy")
    assert board.rank.tolist() == right.rank.tolist()
    assert board.leaders == right.leaders


# ---------------------------------------------------------------------- slices


def test_slices_of_one_story_agree_with_their_pool() -> None:
    t = Table.from_counts(np.tile([[80.0, 20], [20, 80]], (2, 3, 1, 1)), names=["ab", "xyz"])
    found = slices(t)
    np.testing.assert_allclose(found.pooled, 0.6)
    np.testing.assert_allclose(found.stratified, 0.6)
    np.testing.assert_allclose(found.heterogeneity.statistic, 0, atol=1e-12)
    np.testing.assert_allclose(found.heterogeneity.pvalue, 1)
    assert found.reversals == ()
    whole = informed.interval(t["a"].sum(0), "informedness", method="wald")
    assert found.stratified_low[0] == pytest.approx(whole.low, abs=0.006)
    assert len(found.to_frame()) == 6


def test_simpson_s_paradox_is_said() -> None:
    """The better system saw the harder slice more often; accuracy makes it look worse."""

    def table(n: int, accuracy: float) -> list[list[float]]:
        right = n * accuracy / 2
        return [[right, n / 2 - right], [n / 2 - right, right]]

    careful = [table(100, 0.95), table(900, 0.65)]
    lucky = [table(900, 0.90), table(100, 0.60)]
    t = Table.from_counts([careful, lucky], names=[["careful", "lucky"], ["easy", "hard"]])
    found = slices(t)
    assert found.reversals == (("lucky", "careful"),)
    assert slices(t, measure="accuracy").reversals == slices(t, measure="error_rate").reversals == found.reversals
    assert any("Simpson" in str(note) for note in found.notes)
    assert found.pooled[1] > found.pooled[0]
    assert (found.estimate[0] > found.estimate[1]).all()
    assert (found.heterogeneity.pvalue < 1e-6).all()
    even = slices(Table.from_counts([careful, [table(100, 0.9), table(900, 0.6)]]))
    assert even.reversals == ()


@pytest.mark.parametrize(("size", "least"), [(100, 0.03), (12, 0.005)])
def test_heterogeneity_of_equal_slices_is_calibrated(size: int, least: float) -> None:
    rng = np.random.default_rng(13)
    recall = rng.binomial(size, 0.8, (2000, 4))
    fallout = rng.binomial(size, 0.3, (2000, 4))
    cells = np.stack([recall, fallout, size - recall, size - fallout], -1)
    found = slices(Table.from_counts(cells.reshape(2000, 4, 2, 2)))
    rejected = int((found.heterogeneity.pvalue < 0.05).sum())
    assert stats.binom.ppf(0.001, 2000, least) <= rejected <= stats.binom.ppf(0.999, 2000, 0.05)


def test_a_slice_without_both_classes_is_named() -> None:
    found = slices(Table.from_counts([[[8, 2], [2, 8]], [[5, 0], [5, 0]]], names=["en", "fr"]))
    assert found.stratified == pytest.approx(0.6)
    assert "'fr'" in str(found.notes[0])
    with pytest.raises(InformedError, match="two slices at least"):
        slices(Table.from_counts([[8, 2], [2, 8]]))
    one = paired(real=[0, 1, 0], predictions={"a": [0, 1, 1], "b": [0, 0, 1]})
    with pytest.raises(InformedError, match="All cases are of one slice \\('en'\\)"):
        slices(one, by=["en"] * 3)


# ---------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"predictions": {"a": [1, 0], "b": [0, 1, 1]}}, "must be equally long"),
        ({"predictions": {"a": [1, 0]}}, "one system"),
        ({"predictions": {}}, "names no system"),
        ({"predictions": [1, 0]}, "a mapping from each system's name"),
        ({"predictions": {"a": [1, 0], "b": [0, 1]}, "items": ["x", "x"]}, "'x' appears more"),
        ({"predictions": {"a": [1, 0], "b": [0, 1]}, "items": ["x"]}, "1 ids for 2"),
        ({"predictions": {"a": [1, 0], "b": ["0", "1"]}}, "written alike but not equal"),
        ({"predictions": {"a": [1, 0], "b": [0, 1]}, "real": [1, 1]}, "one real class"),
        ({"predictions": {"a": [1, 0], "b": [0, 1]}, "real": [1, None]}, "`real` has 1 missing label"),
        ({"predictions": {"a": [1, 0], "b": [0, 1]}, "real": None}, "`real` is missing"),
        ({"predictions": {"a": [1, 0], "b": [0, 1]}, "baseline": "c"}, "no system 'c'"),
        ({"predictions": {"a": [1, 0], "b": [0, 1]}, "adjust": "tukey"}, "`adjust` is 'tukey'"),
        ({"predictions": {"a": [1, 0], "b": [0, 1]}, "method": "exact"}, "`method` is 'exact'"),
        ({"predictions": {"a": [1, 0], "b": [0, 1]}, "level": 95}, "between 0 and 1"),
        ({"predictions": np.array([[0, 1], [1, -2]])}, "-1 for no answer"),
        ({"predictions": np.array([[0.5, 1], [1, 0]])}, "must hold integers"),
        ({"predictions": np.array([[0, 1]])}, "1 rows for 2 real labels"),
        ({"predictions": {"a": {"x": 1, "z": 0}, "b": {}}, "real": {"x": 1, "y": 0}}, "that have no real label ('z')"),
    ],
)
def test_bad_input_is_one_clear_sentence(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InformedError) as caught:
        leaderboard(**{"real": [1, 0], **given})
    assert said in str(caught.value)


def test_a_system_with_one_label_is_said_to_guess() -> None:
    board = leaderboard(real=[0, 1] * 20, predictions={"always": [1] * 40, "right": [0, 1] * 20}, rng=3)
    assert board.estimate.tolist() == [0, 1]
    assert board.beyond_guessing.tolist() == [False, True]
    assert any("'always' gave one label only" in str(note) for note in board.notes)


def test_items_that_a_system_lacks_were_not_run() -> None:
    real = {f"q{i}": i % 2 for i in range(40)}
    shy = {q: label for q, label in real.items() if q not in ("q3", "q4")}
    board = leaderboard(real=real, predictions={"shy": shy, "all": dict(real)})
    assert board.coverage.tolist() == [1, 1]
    assert board.items == 38
    empty = {**real, "q3": None, "q4": None}
    board = leaderboard(real=real, predictions={"shy": empty, "all": dict(real)})
    assert board.coverage.tolist() == [0.95, 1]
    assert board.items == 40


# ---------------------------------------------------------------------- weights and units


def weighed_data() -> tuple[Any, Any]:
    rng = np.random.default_rng(3)
    real = rng.integers(0, 2, 120)
    right = rng.random((120, 3)) < [0.9, 0.8, 0.55]
    return real, np.where(right, real[:, None], 1 - real[:, None])


def test_equal_weights_are_none_and_repeated_items_are_their_units() -> None:
    real, codes = weighed_data()
    plain = leaderboard(real=real, predictions=codes)
    same = leaderboard(real=real, predictions=codes, weights=np.full(120, 2.5))
    np.testing.assert_allclose(same.covariance, plain.covariance, rtol=1e-9)
    np.testing.assert_allclose(same.low, plain.low, atol=1e-9)
    thrice = np.repeat(np.arange(120), 3)
    alone = leaderboard(real=real[thrice], predictions=codes[thrice])
    together = leaderboard(real=real[thrice], predictions=codes[thrice], unit=thrice)
    np.testing.assert_allclose(together.estimate, plain.estimate)
    np.testing.assert_allclose(together.standard_error, plain.standard_error, rtol=0.05)
    assert (alone.standard_error < 0.62 * plain.standard_error).all()
    assert any(note.code == "units" and "120 units" in str(note) for note in together.notes)
    assert together.cochran_q is None
    assert plain.cochran_q is not None


def test_tables_of_weighted_answers_are_those_of_weighted_labels() -> None:
    rng = np.random.default_rng(11)
    real, first, second = rng.integers(0, 3, (3, 90))
    w = rng.random(90)
    tables = paired(real.tolist(), {"a": first.tolist(), "b": second.tolist()}, weights=w).tables
    for name, answers in (("a", first), ("b", second)):
        assert tables[name] == Table.from_labels(real=real, predicted=answers, weights=w)
    assert tables["a"].rows == 90


def test_weights_are_those_of_a_weighted_table() -> None:
    real, codes = weighed_data()
    w = np.random.default_rng(1).uniform(0.5, 3, 120)
    board = leaderboard(real=real, predictions=codes, weights=w)
    for s in range(3):
        t = Table.from_labels(real=real, predicted=codes[:, s], weights=w)
        assert board.estimate[s] == pytest.approx(informed.informedness(t))
        own = board.tables[s].squares
        assert own is not None
        assert t.squares is not None
        assert own.sum() == pytest.approx(t.squares.sum())
    pair = informed.compare.paired(real=real, a=codes[:, 0], b=codes[:, 1], weights=w, method="smoothed-delta")[
        "informedness"
    ]
    # Kish's effective number takes weights for unrelated to the answers; the board does not.
    assert pair.standard_error == pytest.approx(board.pairs.standard_error[0, 1], rel=0.1)


def test_intervals_of_items_in_units_hold_the_truth() -> None:
    """Luck that the items of a unit share: without the units, the intervals hold the truth half of the time."""
    rng = np.random.default_rng(2)
    unit = np.repeat(np.arange(30), 6)
    truth = np.array([0.8, 0.6, 0.2])

    def held(runs: int, known: bool) -> float:
        found = 0
        for _ in range(runs):
            real = rng.integers(0, 2, 180)
            luck = np.where(rng.random((180, 3)) < 0.7, rng.random((30, 3))[unit], rng.random((180, 3)))
            codes = np.where(luck < (1 + truth) / 2, real[:, None], 1 - real[:, None])
            b = leaderboard(real=real, predictions=codes, unit=unit if known else None, n_draws=1000)
            found += bool(((b.low <= truth) & (truth <= b.high)).all())
        return found / runs

    assert held(150, known=True) > 0.95 - 2 * np.sqrt(0.95 * 0.05 / 150)
    assert held(50, known=False) < 0.7


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"weights": [1.0]}, "120 cases"),
        ({"weights": np.zeros(120)}, "all 0"),
        ({"weights": np.full(120, -1)}, "not negative"),
        ({"unit": ["a", None] * 60}, "no `unit`"),
        ({"unit": ["a"] * 7}, "7 entries for 120"),
    ],
)
def test_bad_weights_and_units(how: dict[str, Any], said: str) -> None:
    real, codes = weighed_data()
    with pytest.raises(InformedError, match=said):
        leaderboard(real=real, predictions=codes, **how)


def test_two_systems_over_folds_are_the_sign_test() -> None:
    x = np.array([[3.0, 1], [2, 1], [5, 4], [1, 2], [7, 3], [4, 0]])
    found = rank_tests(x, 0.95, "score")
    assert found.friedman.statistic == pytest.approx((5 - 1) ** 2 / 6)  # McNemar's of 5 and 1
    three = np.column_stack([x, [9, 1, 4, 0, 2, 8]])
    assert rank_tests(three, 0.95, "score").friedman.pvalue == pytest.approx(stats.friedmanchisquare(*three.T).pvalue)
    ties = np.array([[3.0, 1, 1], [2, 2, 2], [5, 4, 4], [1, 2, 2], [7, 3, 7]])
    found = rank_tests(ties, 0.95, "score")
    assert found.friedman.statistic == pytest.approx(stats.friedmanchisquare(*ties.T).statistic)  # scipy corrects too
    (note,) = found.iman_davenport.notes
    assert note.code == "corrected-for-ties"
    assert "6 ties" in str(note)
    always = rank_tests(np.array([[2.0, 1.0]] * 10), 0.95, "score")
    assert always.iman_davenport.pvalue == pytest.approx(2.0**-9)


# ---------------------------------------------------------------------- units


@pytest.mark.parametrize("word", ["unit", "item"])
@pytest.mark.parametrize("measure", ["informedness", "accuracy", "markedness"])
def test_asking_each_item_twice_with_the_same_answer_changes_nothing(word: str, measure: str) -> None:
    real, codes = weighed_data()
    twice = np.tile(np.arange(120), 2)
    held: dict[str, Any] = {"real": real[twice], "predictions": codes[twice], word: twice, "measure": measure}
    one, two = leaderboard(real=real, predictions=codes, measure=measure), leaderboard(**held)
    np.testing.assert_allclose(two.estimate, one.estimate)
    np.testing.assert_allclose(two.high - two.low, one.high - one.low, rtol=0.06)
    wide, same = (x.pairs.high[0, 1:] - x.pairs.low[0, 1:] for x in (one, two))
    np.testing.assert_allclose(same, wide, rtol=0.06)
    assert two.items == (240 if word == "unit" else 120)


def test_unequal_epochs_of_the_same_answers_are_equal_systems() -> None:
    real, codes = weighed_data()
    rows = np.tile(np.arange(120), 8)
    eight = np.full((len(rows), 3), -2)
    eight[:, 0], eight[:120, 1], eight[:, 2] = codes[rows, 0], codes[:, 0], codes[rows, 2]
    board = leaderboard(real=real[rows], predictions=eight, item=rows, names=["eight", "one", "other"])
    assert board.estimate[0] == pytest.approx(board.estimate[1])
    assert board["eight", "one"].estimate == pytest.approx(0)
    assert board["eight", "one"].adjusted > 0.99
    assert board.coverage.tolist() == [1, 1, 1]
    assert board["eight", "other"].estimate == pytest.approx(board["one", "other"].estimate)


@pytest.mark.parametrize("words", [{"unit": np.repeat(np.arange(30), 4)}, {"weights": np.tile([1.0, 2.0, 3.0], 40)}])
def test_a_difference_on_a_board_is_that_of_two_systems(words: dict[str, Any]) -> None:
    real, codes = weighed_data()
    two = leaderboard(real=real, predictions=codes[:, :2], **words).pairs
    pair = informed.compare.paired(real=real, a=codes[:, 0], b=codes[:, 1], method="smoothed-delta", **words)
    found = pair["informedness"]
    assert two.estimate[0, 1] == pytest.approx(found.estimate)
    assert two.standard_error[0, 1] == pytest.approx(found.standard_error, rel=0.03)


def test_two_units_and_an_undefined_system_leave_finite_limits() -> None:
    real, codes = weighed_data()
    board = leaderboard(real=real, predictions=codes, unit=np.repeat(["x", "y"], 60))
    assert np.isfinite(board.critical)
    assert np.isfinite(board.low).all()
    assert (board.low < board.estimate).all()
    assert any(note.code == "few-units" for note in board.notes)
    constant = np.column_stack([codes, np.ones(120, int)])
    for method in ("smoothed", "delta"):
        held = leaderboard(real=real, predictions=constant, measure="markedness", method=method)
        assert np.isnan(held.estimate[3])
        assert np.isfinite(held.critical)
        assert np.isfinite(held.low[:3]).all()
        assert np.isfinite(held.pairs.critical)


def test_the_spread_of_a_rare_class_is_known_by_its_cases() -> None:
    """Two real classes of 10 and 90 cases, 6 and 9 of them called positive."""
    real = np.repeat([0, 1], [10, 90])
    said = np.repeat([0, 1, 0, 1], [6, 4, 9, 81])
    p = paired(real, np.column_stack([said, said]))
    found = joint_estimates(p, p.tables.answered, find("informedness"), method="smoothed", discounted=False)
    assert found.class_df == pytest.approx([22.1270, 22.1270], abs=5e-5)


def test_intervals_of_systems_hold_together_where_a_class_is_rare() -> None:
    rng = np.random.default_rng(1)
    runs, held = 300, []
    for _ in range(runs):
        real = (rng.random(100) < 0.1).astype(int)
        codes = (rng.random((100, 8)) < np.where(real, 0.6, 0.1)[:, None]).astype(int)
        b = leaderboard(real=real, predictions=codes, n_draws=1000)
        held.append(bool(((b.low <= 0.5) & (b.high >= 0.5)).all()))
    assert np.mean(held) >= 0.95 - np.sqrt(0.95 * 0.05 / runs)


def test_coverage_counts_each_item_once() -> None:
    """An item asked four times and not answered once is a quarter of an item without an answer."""
    codes = np.array([[0, 0], [0, 0], [0, 0], [-1, 0], [1, 1], [1, 0], [0, 0], [1, 1]])
    board = leaderboard(
        real=np.array([0, 0, 0, 0, 1, 1, 0, 1]), predictions=codes, item=np.array([0, 0, 0, 0, 1, 2, 3, 4])
    )
    assert board.coverage.tolist() == pytest.approx([1 - 0.25 / 5, 1])


@pytest.mark.parametrize("measure", ["lr", "nlr", "odds_ratio"])
def test_ratios_are_not_subtracted(measure: str) -> None:
    """Where systems are compared by differences, a ratio is refused and not subtracted."""
    p = PAIRED.among(PAIRED.names[:3])
    t = Table.from_counts(np.full((2, 2, 2, 2), 9.0))
    for ask in (
        lambda: leaderboard(predictions=p, measure=measure),
        lambda: slices(t, measure=measure),
        lambda: folds(t, measure=measure),
    ):
        with pytest.raises(InformedError, match="is a ratio"):
            ask()
