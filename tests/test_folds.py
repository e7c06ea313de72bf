"""Folds, seeds and data sets: each design with its headline, goldens, and what it finds where there is nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import t as t_distribution

import informed
from informed.errors import InferenceError
from informed.evidence.paired import paired, weighed
from informed.systems.fold_designs import Design
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
    found = folds(replace(p, kept={"seed": tuple(repeat.tolist())}), fold="seed")
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


# ---------------------------------------------------------------------- what is asked about


def learnt(n: int, seed: int = 4) -> dict[str, Any]:
    """Scores of two systems over so many folds."""
    rng = np.random.default_rng(seed)
    return {name: rng.normal(0.7, 0.05, n) for name in ("new", "old")}


def test_more_scores_than_one_partition_has_are_asked_about() -> None:
    """Fifty scores of 5 x 10 folds passed for one partition into 50: p was far too small."""
    scores = learnt(50)
    with pytest.raises(InferenceError, match=r"50 scores for each system .*`folds\(scores, repeat=10\)` for 10"):
        folds(scores)
    stack = informed.Table.from_counts(np.full((2, 50, 2, 2), 5.0))
    with pytest.raises(InferenceError, match="50 scores"):
        folds(stack)
    real, said, fold = [0, 1] * 60, np.array([[0, 1], [1, 0], [0, 0]] * 40), np.arange(120) // 2 % 30
    p = paired(real, said)
    with pytest.raises(InferenceError, match=r"30 folds .* name the item"):
        folds(p, fold=fold)
    assert folds(p, fold=fold, design="partition").design == "partition"
    assert folds(paired(real, said, items=range(120)), fold=fold).design == "partition"  # its items show it

    known = folds(scores, repeat=10)
    assert known.pairs is not None
    d = scores["new"] - scores["old"]
    error = np.sqrt((1 / 50 + 1 / 4) * d.var(ddof=1))  # Nadeau and Bengio: a fifth is tested on
    p_value = 2 * t_distribution.sf(abs(d.mean() / error), 49)
    assert known.pairs.pvalue[0, 1] == pytest.approx(p_value)
    assert folds(scores, repeat=1).design == folds(scores, design="partition").design == "partition"
    assert folds(scores, design="data-sets").method == "friedman"


def test_repeats_need_their_number_or_the_share_that_is_tested() -> None:
    scores = learnt(50)
    with pytest.raises(InferenceError, match="How often was the cross-validation repeated"):
        folds(scores, design="repeated")
    one, other = folds(scores, design="repeated", test_share=0.2), folds(scores, repeat=10)
    assert one.pairs is not None
    assert other.pairs is not None
    assert one.pairs.pvalue[0, 1] == other.pairs.pvalue[0, 1]


def test_few_scores_alone_say_what_they_are_taken_for() -> None:
    assert "taken-for-partition" in codes(folds(learnt(10)))
    assert "taken-for-partition" not in codes(folds(learnt(10), repeat=2)) | codes(folds(learnt(10), repeat=1))
    assert "repeat" in informed.report(folds(learnt(10))).text()


def test_tables_of_repeats_and_folds_say_which_is_which() -> None:
    flat = learnt(50)
    scores = {name: x.reshape(10, 5) for name, x in flat.items()}
    with pytest.raises(InferenceError, match=r"shape \(10, 5\).*repeat=10.*repeat=5"):
        folds(scores)
    one, other = folds(scores, repeat=10), folds(flat, repeat=10)
    assert one.pairs is not None
    assert other.pairs is not None
    assert one.pairs.low[0, 1] == other.pairs.low[0, 1]
    with pytest.raises(InferenceError, match=r"shape \(10, 5\)"):
        folds(scores, repeat=25)
    with pytest.raises(InferenceError, match=r"reshape\(-1"):
        folds(np.zeros((10, 5, 2)))
    with pytest.raises(InferenceError, match=r"2 rows \(folds\) and 50 columns .*scores\.T"):
        folds(np.array(list(flat.values())))


def test_splitters_say_how_often_they_repeat() -> None:
    from sklearn.model_selection import KFold, LeaveOneOut, RepeatedStratifiedKFold, ShuffleSplit, TimeSeriesSplit

    scores, cv = learnt(50), RepeatedStratifiedKFold(n_splits=5, n_repeats=10, random_state=0)
    known = folds(scores, repeat=10)
    assert known.pairs is not None
    for how in ({"repeat": cv}, {"fold": cv}, {"repeat": ShuffleSplit(50, test_size=0.2)}):
        found = folds(scores, **how)
        assert found.pairs is not None
        assert found.design == "repeated"
        assert found.pairs.pvalue[0, 1] == known.pairs.pvalue[0, 1]
    assert folds(scores, repeat=LeaveOneOut()).design == "partition"
    with pytest.raises(InferenceError, match="KFold makes 5 folds, and each system has 50"):
        folds(scores, repeat=KFold(5))
    with pytest.raises(InferenceError, match="test_share"):
        folds(scores, repeat=ShuffleSplit(50, test_size=20))
    with pytest.raises(InferenceError, match="TimeSeriesSplit"):
        folds(scores, repeat=TimeSeriesSplit(50))
    p, fold, _ = answers()
    for how in ({"fold": cv}, {"fold": fold, "repeat": 10}):
        with pytest.raises(InferenceError, match="a value for each answer"):
            folds(p, **how)


def test_results_of_cross_validate_are_read_by_their_test_scores() -> None:
    from sklearn.datasets import make_classification
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold, ShuffleSplit, cross_validate
    from sklearn.naive_bayes import GaussianNB

    x, y = make_classification(80, random_state=0)
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)
    models = {"line": LogisticRegression(), "bayes": GaussianNB()}
    runs = {name: cross_validate(model, x, y, cv=cv, return_indices=True) for name, model in models.items()}
    scores = {name: run["test_score"] for name, run in runs.items()}
    for one in (runs["line"], GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1e-3]}).fit(x, y).cv_results_):
        with pytest.raises(InferenceError, match=r"for one system|a search kept"):
            folds(one)
    told, shown = folds(scores, repeat=cv), folds(runs)  # the indices show the repeats
    assert told.pairs is not None
    assert shown.pairs is not None
    assert shown.names == ("line", "bayes")
    assert (shown.design, shown.pairs.pvalue[0, 1]) == ("repeated", pytest.approx(told.pairs.pvalue[0, 1]))
    bare = {name: {"test_score": run["test_score"][:10]} for name, run in runs.items()}
    assert "taken-for-partition" in codes(folds(bare))
    other = cross_validate(GaussianNB(), x, y, cv=ShuffleSplit(15, random_state=1), return_indices=True)
    with pytest.raises(InferenceError, match="different folds"):
        folds({**runs, "bayes": other})
    several = cross_validate(GaussianNB(), x, y, cv=cv, scoring=["accuracy", "f1"])
    with pytest.raises(InferenceError, match="test_accuracy, test_f1: one test score is needed"):
        folds({"line": several, "bayes": several})


def test_items_in_every_fold_are_asked_about_and_readers_are_no_seeds() -> None:
    p, _, again = answers(repeats=5)
    with pytest.raises(InferenceError, match=r"design='training-seeds'.*Obuchowski"):
        folds(p, fold=again)
    read = replace(p, kept={"reader": tuple(again.tolist())})
    designs: tuple[Design | None, ...] = (None, "training-seeds")
    for design in designs:
        with pytest.raises(InferenceError, match=r"reader names readers.*Obuchowski.*MRMC"):
            folds(read, fold="reader", design=design)
    assert folds(read, fold="reader", design="decoding-seeds").method == "items"  # for these readers alone


# ---------------------------------------------------------------------- what changes nothing


def test_crossed_seeds_do_not_depend_on_the_scale_of_weights() -> None:
    p, _, seed = answers(repeats=3)
    w = np.tile(np.random.default_rng(4).choice([1.0, 5.0], 80), 3)
    how: dict[str, Any] = {"fold": seed, "design": "training-seeds"}
    one, other = (folds(weighed(p, w * scale, None), **how).pairs for scale in (1.0, 0.01))
    assert one is not None
    assert other is not None
    assert other.low == pytest.approx(one.low)
    plain, even = (folds(x, **how).pairs for x in (p, weighed(p, np.full(240, 7.0), None)))
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
