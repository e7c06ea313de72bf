"""Folds, seeds and data sets: each design with its headline, goldens, and what it finds where there is nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import informed
from informed.errors import InferenceError
from informed.evidence.paired import paired, weighed
from informed.systems.fold_pairs import corrected_pairs, corrected_t
from informed.systems.folds import Folds, folds

GOLDEN = [0.02, 0.05, -0.01, 0.03, 0.04, 0.00, 0.02, 0.06, -0.02, 0.03]


def answers(items: int = 80, repeats: int = 1, seed: int = 3) -> Any:
    """Three systems on items that are predicted so often, with the item and the fold of each answer."""
    rng = np.random.default_rng(seed)
    real = rng.integers(2, size=items)
    at = np.tile(np.arange(items), repeats)
    wrong = rng.random((len(at), 3)) < [0.1, 0.2, 0.4]
    codes = np.where(wrong, 1 - real[at, None], real[at, None])
    fold = np.concatenate([rng.permutation(items) % 5 for _ in range(repeats)])
    p = paired(real[at], codes, names=["a", "b", "c"], item=at)
    return p, fold, np.repeat(np.arange(repeats), items)


def codes(found: Folds) -> set[str]:
    return {note.code for note in found.notes}


# ---------------------------------------------------------------------- known values


def test_the_golden_corrected_t() -> None:
    found = corrected_t(GOLDEN, test_share=0.1)
    assert [found.statistic, found.pvalue] == pytest.approx([1.860652, 0.095714], abs=5e-7)
    scores = np.column_stack([GOLDEN, np.zeros(10)])
    pairs = corrected_pairs(scores, test_share=0.1, level=0.95, adjust="holm")
    limits = [pairs.low[0, 1], pairs.high[0, 1]]
    assert limits == pytest.approx([-0.004747, 0.048747], abs=5e-7)
    held = folds(scores).pairs  # ten folds of one partition test on a tenth each
    assert held is not None
    assert [held.low[0, 1], held.high[0, 1]] == limits


# ---------------------------------------------------------------------- designs and their headlines


def test_one_partition_leads_with_its_items_and_shows_the_cautious_t() -> None:
    p, fold, _ = answers()
    found = folds(p, fold=fold)
    assert (found.design, found.method) == ("partition", "items")
    assert found.pairs is not None
    assert found.cautious is not None
    board = informed.leaderboard(predictions=p)
    np.testing.assert_allclose(found.pairs.low, board.pairs.low)
    assert {"no-retraining", "cautious-t"} <= codes(found)
    assert found.ranks is None
    assert "nemenyi" not in found.pairs_records().names


def test_two_systems_of_one_partition_have_the_paired_arc() -> None:
    p, fold, _ = answers()
    two = p.among(["a", "b"])
    found, arc = folds(two, fold=fold).pairs, informed.compare.paired(two)["informedness"]
    assert found is not None
    assert [found.low[0, 1], found.high[0, 1], found.pvalue[0, 1]] == pytest.approx([arc.low, arc.high, arc.pvalue])
    assert found.low[1, 0] == -found.high[0, 1]


def test_repeated_folds_lead_with_the_corrected_t_and_never_with_ranks() -> None:
    p, fold, repeat = answers(repeats=4)
    found = folds(p, fold=fold, repeat=repeat)
    assert (found.design, found.method, len(found.folds)) == ("repeated", "corrected-t", 20)
    assert "overlapping-folds" in codes(found)
    assert found.pairs is not None
    expected = corrected_pairs(found.scores, test_share=0.2, level=0.95, adjust="holm")
    np.testing.assert_allclose(found.pairs.high, expected.high)
    assert "Friedman" not in informed.report(found).text(full=True)
    for how in ({"fold": fold, "repeat": repeat}, {"fold": fold, "repeat": repeat, "design": "repeated"}):
        with pytest.raises(InferenceError, match="overlap"):
            folds(p, method="friedman", **how)


def test_repeats_of_scores_are_a_number_or_one_for_each_fold() -> None:
    scores = np.random.default_rng(1).normal(size=(20, 2))
    one, other = folds(scores, repeat=4), folds(scores, repeat=np.repeat([1, 2, 3, 4], 5))
    assert one.design == other.design == "repeated"
    assert one.pairs is not None
    assert other.pairs is not None
    assert one.pairs.low[0, 1] == other.pairs.low[0, 1]
    with pytest.raises(InferenceError, match="part 20 folds"):
        folds(scores, repeat=3)
    with pytest.raises(InferenceError, match="no partition"):
        folds(scores, repeat=4, design="partition")


def test_every_item_in_every_fold_is_a_seed() -> None:
    p, _, repeat = answers(repeats=5)
    found = folds(p, fold=repeat)
    assert (found.design, found.method) == ("training-seeds", "crossed")
    decoding = folds(p, fold=repeat, design="decoding-seeds")
    assert decoding.method == "items"
    assert found.pairs is not None
    assert decoding.pairs is not None
    assert found.pairs.estimate == pytest.approx(decoding.pairs.estimate)


def test_data_sets_alone_have_ranks() -> None:
    scores = np.random.default_rng(2).normal([0.3, 0.2, 0], 0.1, (12, 3))
    found = folds(scores, design="data-sets")
    assert found.method == "friedman"
    assert found.ranks is not None
    assert found.pairs is None
    assert "Friedman" in informed.report(found).text(full=True)
    for design in ("partition", "training-seeds"):
        with pytest.raises(InferenceError, match="data sets"):
            folds(scores, design=design, method="friedman")


def test_the_pooled_table_counts_each_item_once() -> None:
    p, fold, repeat = answers(repeats=3)
    alone = p.where(np.arange(len(p)) < 80)
    many, one = folds(p, fold=fold, repeat=repeat).pooled, folds(alone, fold=fold[:80]).pooled
    assert many is not None
    assert one is not None
    widths = [float(np.asarray(x.high - x.low)[0]) for x in (many, one)]
    assert widths[0] == pytest.approx(widths[1], rel=0.35)  # other answers of the same 80 items
    t = informed.Table.from_counts(np.full((2, 6, 2, 2), 20.0))
    tripled, single = folds(t, repeat=3).pooled, folds(t[:, :2]).pooled
    assert tripled is not None
    assert single is not None
    assert np.asarray(tripled.low) == pytest.approx(np.asarray(single.low))


def test_scores_of_weighted_items_are_those_of_weighted_tables() -> None:
    p, fold, _ = answers()
    w = np.random.default_rng(4).choice([1.0, 10.0], len(p))
    found = folds(weighed(p, w, None), fold=fold)
    at = {i: (fold == i) for i in range(5)}
    alone = [
        informed.Table.from_labels(real=p.real_codes[held], predicted=p.codes[held, 0], weights=w[held])
        for held in at.values()
    ]
    assert found.scores[:, 0] == pytest.approx([float(informed.informedness(t)) for t in alone])


# ---------------------------------------------------------------------- what changes nothing


def test_crossed_seeds_do_not_depend_on_the_scale_of_weights() -> None:
    p, _, seed = answers(repeats=3)
    w = np.tile(np.random.default_rng(4).choice([1.0, 5.0], 80), 3)
    one, other = (folds(weighed(p, w * scale, None), fold=seed).pairs for scale in (1.0, 0.01))
    assert one is not None
    assert other is not None
    assert other.low == pytest.approx(one.low)
    plain, even = (folds(x, fold=seed).pairs for x in (p, weighed(p, np.full(240, 7.0), None)))
    assert plain is not None
    assert even is not None
    assert even.low == pytest.approx(plain.low)


def test_asking_each_item_twice_with_the_same_answer_changes_nothing() -> None:
    p, fold, _ = answers()
    twice = weighed(p.where(np.tile(np.arange(80), 2)), None, None, np.tile(np.arange(80), 2))
    one, two = folds(p, fold=fold), folds(twice, fold=np.tile(fold, 2))
    assert two.design == "partition"
    np.testing.assert_allclose(two.scores, one.scores)
    assert one.pairs is not None
    assert two.pairs is not None
    assert two.pairs.estimate == pytest.approx(one.pairs.estimate)
    widths = [x.high[0, 2] - x.low[0, 2] for x in (one.pairs, two.pairs)]
    assert widths[1] == pytest.approx(widths[0], rel=0.06)
    pooled = [x.pooled for x in (one, two) if x.pooled is not None]
    assert pooled[1].estimate == pytest.approx(pooled[0].estimate)
    assert pooled[1].high - pooled[1].low == pytest.approx(pooled[0].high - pooled[0].low, rel=0.06)


# ---------------------------------------------------------------------- sizes


def test_crossed_seeds_hold_the_truth_where_seeds_vary() -> None:
    """Two learners of equal skill: training moves all answers of a seed, decoding of them alone does not."""
    rng = np.random.default_rng(5)
    items, seeds, runs = 60, 6, 150
    real = np.tile(np.arange(items) % 2, seeds)
    item, seed = np.tile(np.arange(items), seeds), np.repeat(np.arange(seeds), items)
    times = {"training-seeds": runs, "decoding-seeds": 30}  # the second costs ten times as much, and is far off
    found = dict.fromkeys(times, 0)
    for run in range(runs):
        easy, skill = rng.normal(size=items), rng.normal(0.5, 0.5, (seeds, 2))
        right = easy[item, None] + skill[seed] + rng.normal(size=(len(item), 2)) > 0
        p = paired(real, np.where(right, real[:, None], 1 - real[:, None]), item=item)
        for design in times:
            if run >= times[design]:
                continue
            pairs = folds(p, fold=seed, design=design).pairs  # type: ignore[arg-type]
            assert pairs is not None
            found[design] += bool(pairs.pvalue[0, 1] < 0.05)
    slack = 2 * np.sqrt(0.05 * 0.95 / runs)
    assert found["training-seeds"] / runs <= 0.05 + slack
    assert found["decoding-seeds"] / times["decoding-seeds"] > 0.2, found


# ---------------------------------------------------------------------- the picture


def test_the_picture_shows_the_p_values_of_its_intervals() -> None:
    """Not those of the cautious t, which stand in the last column of the grid."""
    p, fold, _ = answers()
    found = folds(p, fold=fold)
    assert found.pairs is not None
    assert found.cautious is not None
    a, b = found.order[:2]
    beside = [f"p = {x.adjusted[a, b]:.2g}" for x in (found.pairs, found.cautious)]
    assert beside[0] != beside[1]
    page = informed.report(found)
    picture = next(iter(page.pictures().values()))
    assert beside[0].split()[-1] in picture
    assert beside[1].split()[-1] not in picture
    assert "intervals hold together, p-values adjusted for all pairs" in " ".join(page.text(full=True).split())
    alone = informed.report(folds(found.scores))  # by the corrected t
    assert "each interval by itself, p-values adjusted for all pairs" in " ".join(alone.text(full=True).split())
