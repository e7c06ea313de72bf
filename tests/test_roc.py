"""Curves against scikit-learn, brute force over pairs, and the definitions."""

from __future__ import annotations

import csv
import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

import informed
from informed._arrays import Array
from informed.decisions import auc as _auc
from informed.decisions import partial_auc as _partial
from informed.decisions.costs import (
    against_cost,
    against_prevalence,
    cost_curve,
    cost_matrix,
    costs_of,
    decision_curve,
    expected_cost,
    interval_against_prevalence,
    net_benefit,
)
from informed.decisions.curve import Curve
from informed.decisions.multiclass import compare_areas, compare_curves, multiclass
from informed.decisions.roc import curves, roc
from informed.errors import InformedError, LabelError
from informed.evidence.scores import Scores
from informed.evidence.table import Table
from informed.inference.intervals import interval
from informed.measures import MEASURES, find


def brute_auc(real: Array, score: Array) -> float:
    """Over all pairs of a positive and a negative; a tie is half."""
    above, below = score[real == 1][:, None], score[real == 0][None, :]
    return float(np.mean((above > below) + 0.5 * (above == below)))


def sample(n: int = 200, seed: int = 1, ties: bool = True) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    real = (rng.random(n) < 0.3).astype(float)
    score = rng.normal(size=n) + real
    return real, np.round(score, 1) if ties else score


# ---------------------------------------------------------------------- the curve


def test_every_small_vector_of_scores_with_ties_agrees_with_scikit_learn() -> None:
    for n in (2, 3, 4):
        for score in product(range(3), repeat=n):
            for real in product((0, 1), repeat=n):
                if len(set(real)) < 2:
                    continue
                curve = roc(real=list(real), score=list(score))
                fpr, tpr, thresholds = metrics.roc_curve(real, score, drop_intermediate=False)
                assert curve.fallout.tolist() == fpr.tolist()
                assert curve.recall.tolist() == tpr.tolist()
                assert curve.thresholds.tolist() == thresholds.tolist()
                assert curve.auc == pytest.approx(brute_auc(np.array(real), np.array(score)), abs=1e-15)


def test_a_larger_sample_agrees_with_scikit_learn_in_every_picture() -> None:
    real, score = sample()
    curve = roc(real=real, score=score)
    assert curve.auc == pytest.approx(metrics.roc_auc_score(real, score), abs=1e-14)
    assert curve.average_precision() == pytest.approx(metrics.average_precision_score(real, score), abs=1e-14)
    precision, recall, _ = metrics.precision_recall_curve(real, score)
    ours = curve.precision_recall()
    shared = len(precision) - 1
    assert ours[0][:shared] == pytest.approx(precision[:-1][::-1])
    assert ours[1][:shared] == pytest.approx(recall[:-1][::-1])
    from scipy.stats import norm

    fpr, fnr, _ = metrics.det_curve(real, score)
    ours_pairs = set(zip(curve.fallout.round(9), (1 - curve.recall).round(9), strict=True))
    assert set(zip(fpr.round(9), fnr.round(9), strict=True)) <= ours_pairs
    assert curve.det()[1][3] == pytest.approx(norm.ppf(1 - curve.recall[3]))
    called, lift = curve.lift()
    assert lift[1:] == pytest.approx(find("lift")(curve.tables)[1:])
    assert called == pytest.approx(curve.measure("bias"))


def test_weights_agree_with_scikit_learn_and_with_repeated_cases() -> None:
    real, score = sample(80)
    weights = np.random.default_rng(2).integers(0, 4, 80).astype(float)
    curve = roc(real=real, score=score, weights=weights)
    assert curve.auc == pytest.approx(metrics.roc_auc_score(real, score, sample_weight=weights), abs=1e-13)
    times = weights.astype(int)
    repeated = roc(real=np.repeat(real, times), score=np.repeat(score, times))
    assert curve.auc == pytest.approx(repeated.auc, abs=1e-14)
    assert curve.table_at(0.5).counts.tolist() == repeated.table_at(0.5).counts.tolist()
    assert curve.tables.squares is not None


def test_equal_weights_change_no_interval() -> None:
    real, score = sample(150)
    plain = roc(real=real, score=score).interval()
    weighted = roc(real=real, score=score, weights=np.full(150, 2.5)).interval()
    assert (weighted.low, weighted.high) == pytest.approx((plain.low, plain.high), abs=1e-12)


def test_each_point_is_the_table_of_its_threshold() -> None:
    real, score = sample(60)
    curve = roc(real=real.astype(int), score=score)
    for threshold in (-np.inf, *curve.thresholds, 0.333):
        wanted = Table.from_labels(real=real.astype(int), predicted=(score >= threshold).astype(int), labels=[0, 1])
        assert curve.table_at(float(threshold)) == wanted
    assert curve.tables.shape == curve.thresholds.shape
    assert curve.thresholds[0] == np.inf
    assert (np.diff(curve.thresholds) < 0).all()


def test_any_measure_is_read_against_the_threshold() -> None:
    real, score = sample(60)
    curve = roc(real=real, score=score)
    for name, m in MEASURES.items():
        if m.reads(curve.tables):
            one = m(curve.table_at(0.0))
            at = int(np.flatnonzero(curve.thresholds >= 0.0)[-1])
            assert curve.measure(name)[at] == pytest.approx(one, nan_ok=True), name


def test_precision_recall_gain_by_its_definition() -> None:
    real, score = sample()
    curve = roc(real=real, score=score)
    share = real.mean()
    precision, recall = curve.precision_recall()
    gain = curve.precision_recall_gain()
    seen = precision > 0
    wanted = (1 / share - 1 / precision[seen]) / (1 / share - 1)  # a harmonic scale
    assert gain[0][seen] == pytest.approx(wanted)
    assert gain[1][-1] == 1
    always = (precision[-1], recall[-1])
    assert always == pytest.approx((share, 1.0))
    assert gain[0][-1] == pytest.approx(0.0)


# ---------------------------------------------------------------------- what is given


def test_nan_scores_are_refused_and_infinite_ones_are_not() -> None:
    with pytest.raises(LabelError, match="NaN for 1 case, at position 1"):
        roc(real=[0, 1], score=[0.1, np.nan])
    with pytest.raises(LabelError, match="NaN"):
        roc(real=[0, 1], score=[0.1, np.nan], weights=[1, 1])
    curve = roc(real=[0, 1, 1], score=[-np.inf, np.inf, 0.5])
    assert curve.auc == 1
    assert curve.thresholds.tolist() == [np.inf, np.inf, 0.5, -np.inf]


def test_constant_scores_tell_nothing_and_say_so() -> None:
    curve = roc(real=[0, 1, 1], score=[2, 2, 2])
    assert curve.auc == 0.5
    assert curve.notes[0].code == "one-score"


def test_a_single_class_has_no_area_and_says_why() -> None:
    curve = roc(real=[1, 1, 1], score=[1, 2, 3])
    assert np.isnan(curve.auc)
    assert np.isnan(curve.interval().low)
    assert "no case is really negative" in repr(curve)
    assert roc(real=["a", "a"], score=[1, 2], positive="b").why == (
        "no case is really positive, so there is nothing to tell apart"
    )
    with pytest.raises(InformedError, match="no case is really negative"):
        curve.best()
    with pytest.raises(InformedError, match="no case is really negative"):
        curve.band()


def test_a_score_the_wrong_way_round_says_reverse_the_labels() -> None:
    curve = roc(real=[1, 1, 0, 0], score=[1, 2, 2, 4])
    assert curve.auc == 0.125
    assert "Reverse the labels" in repr(curve)
    assert curve.gini == -0.75


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"real": [0, 1], "score": [1]}, "shape"),
        ({"real": ["a", "b"], "score": [1, 2]}, "Give `positive="),
        ({"real": ["a", "b", "c"], "score": [1, 2, 3]}, "one against the rest"),
        ({"real": ["a", "b"], "score": [1, 2], "positive": "x"}, "the classes are"),
        ({"real": [0, None], "score": [1, 2]}, "`real` has 1 missing label"),
        ({"real": [], "score": []}, "empty"),
        ({"real": [0, 1], "score": ["x", "y"]}, "numbers are needed"),
        ({"real": [0, 1], "score": np.eye(2)}, "two columns"),
        ({"real": [0, 1], "score": np.array([2**53 + 1, 1])}, "2\\^53"),
        ({"real": [0, 1]}, "both needed"),
        ({"histogram": [1, 2]}, "by name"),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InformedError, match=said):
        roc(**given)


def test_one_class_of_many_against_the_rest() -> None:
    real, score = ["a", "b", "c", "a"], [3.0, 1.0, 2.0, 4.0]
    curve = roc(real=real, score=score, positive="a")
    assert curve.auc == 1
    assert set(curve.labels) == {"a", "not a"}


def test_texts_booleans_and_numbers_are_the_same_labels() -> None:
    real, score = sample(50)
    wanted = roc(real=real, score=score)
    for other in (real.astype(bool), real.astype(int), [["no", "yes"][int(x)] for x in real]):
        curve = roc(real=other, score=score)
        assert curve.tp.tolist() == wanted.tp.tolist()
        assert curve.fp.tolist() == wanted.fp.tolist()


# ---------------------------------------------------------------------- histograms


def histogram(real: Array, score: Array, bins: int | None) -> Scores:
    """As a source makes one: the threshold of a bin is its smallest score."""
    place = score if bins is None else np.floor(score * bins)
    keys = np.unique(place)
    counts = np.array([[np.sum((place == k) & (real == c)) for c in (0, 1)] for k in keys], float)
    lowest = np.array([score[place == k].min() for k in keys])
    return Scores(lowest, counts, (0, 1), exact=bins is None, positive=1, rows=len(real))


def test_a_histogram_of_distinct_scores_is_the_curve_itself() -> None:
    real, score = sample()
    ours, wanted = roc(histogram(real, score, None)), roc(real=real, score=score)
    assert ours.auc == wanted.auc
    assert ours.interval() == wanted.interval()
    assert ours.tables.counts.tolist() == wanted.tables.counts.tolist()


@pytest.mark.parametrize("bins", [1, 2, 5, 20])
def test_a_binned_area_is_within_its_stated_error(bins: int) -> None:
    real, score = sample(ties=False)
    binned, exact = roc(histogram(real, score, bins)), roc(real=real, score=score)
    assert 0 < abs(binned.auc - exact.auc) <= binned.auc_error
    assert binned.notes[-1].code == "binned"
    for threshold in binned.thresholds[1:]:  # tables are exact at its thresholds
        assert binned.table_at(threshold) == exact.table_at(threshold)


def test_groups_of_scores_are_curves_by_name() -> None:
    real, score = sample()
    one = histogram(real, score, None)
    two = Scores(one.thresholds, np.stack([one.counts, one.counts]), (0, 1), True, axes=(("a", "b"),))
    assert curves(two)["b"].auc == roc(one).auc
    with pytest.raises(LabelError, match="groups"):
        roc(two)


# ---------------------------------------------------------------------- areas


def brute_variance(real: Array, *scores: Array) -> Array:
    """DeLong, DeLong and Clarke-Pearson (1988) as printed: over all pairs."""
    above, below = [], []
    for score in scores:
        x, y = score[real == 1][:, None], score[real == 0][None, :]
        kernel = (x > y) + 0.5 * (x == y)
        above.append(kernel.mean(axis=1))
        below.append(kernel.mean(axis=0))
    return np.asarray(np.atleast_2d(np.cov(above)) / len(above[0]) + np.atleast_2d(np.cov(below)) / len(below[0]))


def test_the_variance_of_an_area_agrees_with_brute_force() -> None:
    for seed in range(5):
        real, score = sample(70, seed)
        curve = roc(real=real, score=score)
        assert _auc.variance(curve.tp, curve.fp) == pytest.approx(brute_variance(real, score)[0, 0], rel=1e-10)


def test_blocks_of_a_long_curve_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    real, score = sample()
    curve = roc(real=real, score=score)
    wanted = curve.measure("f1")
    monkeypatch.setattr("informed.decisions.curve.BLOCK", 7)
    assert curve.measure("f1") == pytest.approx(wanted, nan_ok=True)


def test_two_scores_of_the_same_cases_are_compared_as_by_brute_force() -> None:
    from scipy.stats import norm

    real, a = sample(90, 3)
    b = np.round(a + np.random.default_rng(4).normal(size=90), 1)
    found = compare_areas(real=real, scores={"a": a, "b": b})["a", "b"]
    spread = brute_variance(real, a, b)
    var = spread[0, 0] + spread[1, 1] - 2 * spread[0, 1]
    assert found.estimate == pytest.approx(brute_auc(real, a) - brute_auc(real, b))
    assert found.pvalue == pytest.approx(2 * norm.sf(abs(found.estimate) / np.sqrt(var)))
    unpaired = compare_curves(roc(real=real, score=a), roc(real=real, score=b))
    wide = np.sqrt(spread[0, 0] + spread[1, 1]) * norm.ppf(0.975)
    assert unpaired.high - unpaired.estimate == pytest.approx(wide)
    assert unpaired.low < found.low < found.high < unpaired.high


def test_equal_scores_have_no_difference_to_test() -> None:
    real, a = sample(50)
    found = compare_areas(real=real, scores={"a": a, "b": 2 * a})["a", "b"]
    assert found.estimate == 0
    assert np.isnan(found.pvalue)
    assert "no spread" in repr(found)


@pytest.mark.parametrize("high", [0.1, 0.35, 1.0])
def test_partial_areas_agree_with_scikit_learn(high: float) -> None:
    real, score = sample()
    curve = roc(real=real, score=score)
    wanted = metrics.roc_auc_score(real, score, max_fpr=high)
    if high < 1:
        assert curve.partial_auc(high, standardised=True) == pytest.approx(wanted, abs=1e-12)
    parts = curve.partial_auc(high) + (curve.partial_auc(1.0, high) if high < 1 else 0)
    assert parts == pytest.approx(curve.auc, abs=1e-12)
    left = curve.partial_auc(high, over="recall")
    rest = curve.partial_auc(1.0, high, over="recall") if high < 1 else 0
    assert left + rest == pytest.approx(curve.auc, abs=1e-12)
    with pytest.raises(InformedError, match="between 0 and 1"):
        curve.partial_auc(0.1, 0.2)


def test_areas_intervals_and_comparisons_agree_with_proc() -> None:
    """R's pROC on examples/breast-cancer.csv: tests/oracles/c01_roc.R made the file."""
    folder = Path(__file__).parent
    held = json.loads((folder / "oracles" / "c01_roc.json").read_text(encoding="utf-8"))
    file = (folder.parent / "examples" / "breast-cancer.csv").open(encoding="utf-8", newline="")
    with file:
        rows = list(csv.DictReader(file))
    real = np.array([row["diagnosis"] == "malignant" for row in rows])
    score = np.array([float(row["score"]) for row in rows])
    place = np.arange(1, len(score) + 1)
    scores = {"score": score, "coarse": score.round(1), "noisy": score + np.sin(place)}
    for name, values in scores.items():
        curve = roc(real=real, score=values)
        i = curve.interval(method="delong")
        found = (curve.auc, _auc.variance(curve.tp, curve.fp), i.low, i.high)
        assert found == pytest.approx([held[name][x] for x in ("auc", "var", "low", "high")])
    compared = compare_areas(real=real, scores=scores)
    for other in ("coarse", "noisy"):
        assert compared["score", other].pvalue == pytest.approx(held[f"paired_score_{other}"]["p"])
    parts = held["unpaired_noisy_odd_even"]
    halves = [roc(real=real[x], score=scores["noisy"][x]) for x in (place % 2 == 1, place % 2 == 0)]
    difference = compare_curves(halves[0], halves[1])
    assert (difference.a, difference.b) == pytest.approx((parts["a"], parts["b"]))
    error = (difference.high - difference.low) / (2 * 1.959963984540054)
    assert difference.estimate / error == pytest.approx(parts["d"])  # t there, normal here
    noisy = roc(real=real, score=scores["noisy"])
    for key, found_area in {
        "partial_fallout_0_0.2": noisy.partial_auc(0.2),
        "partial_fallout_0_0.2_corrected": noisy.partial_auc(0.2, standardised=True),
        "partial_recall_0.6_0.9": noisy.partial_auc(0.9, 0.6, over="recall"),
    }.items():
        assert found_area == pytest.approx(held[key])
    spread = _partial.partial_variance(noisy.tp, noisy.fp, 0, 0.2)
    assert spread == pytest.approx(held["partial_fallout_0_0.2_var_bootstrap_20000"], rel=0.05)
    for rule in ("youden", "closest"):
        t = informed.threshold(noisy, rule, n_draws=20).table
        found_point = (find("recall")(t), find("inverse_recall")(t))
        assert found_point == pytest.approx(tuple(held[rule].values()))
    kind = np.where(real, "a", np.array(["a", "b", "c"])[(place - 1) % 3])
    three = np.array([scores["noisy"], np.cos(place), np.sin(2 * place)]).T
    three += (kind[:, None] == ["b"]) * [0, 1, 0] + (kind[:, None] == ["c"]) * [0, 0, 1]
    assert multiclass(real=kind, score=three).hand_till == pytest.approx(held["hand_till"])


def test_the_spread_of_a_partial_area_is_delongs_over_the_whole_range() -> None:
    for seed in range(5):
        real, score = sample(70, seed)
        for curve in (roc(real=real, score=score), roc(real=real, score=score, weights=1 + np.arange(70) % 3)):
            own = _auc.variance(curve.tp, curve.fp, curve.squares)
            assert _partial.partial_variance(curve.tp, curve.fp, 0, 1, curve.squares) == pytest.approx(own)
            for over in ("fallout", "recall"):
                part = curve.partial_interval(over=over)
                whole = curve.interval(method="delong-logit")
                assert (part.estimate, part.low, part.high) == pytest.approx((whole.estimate, whole.low, whole.high))


def test_the_spread_of_a_partial_area_agrees_with_resampling() -> None:
    rng = np.random.default_rng(8)
    real, score = sample(400, 2)
    curve = roc(real=real, score=score)
    sides = [score[real == c] for c in (0, 1)]
    for over, ends in (("fallout", (0.1, 0.4)), ("recall", (0.5, 0.9))):
        again = []
        for _ in range(400):
            low, high = (rng.choice(x, len(x)) for x in sides)
            labels = np.repeat([0, 1], [len(low), len(high)])
            drawn = roc(real=labels, score=np.concatenate([low, high]))
            again.append(drawn.partial_auc(ends[1], ends[0], over=over))
        i = curve.partial_interval(ends[1], ends[0], over=over, level=0.6827)
        assert (i.high - i.low) / 2 == pytest.approx(np.std(again), rel=0.15)  # 4 errors of it


def test_intervals_of_partial_areas_cover_and_are_standardised() -> None:
    from scipy.integrate import quad
    from scipy.special import ndtr, ndtri

    true = quad(lambda t: ndtr(ndtri(t) + 1), 0, 0.3)[0]
    rng, held = np.random.default_rng(12), 0
    real = np.arange(200) < 60
    for _ in range(300):
        i = roc(real=real, score=rng.normal(size=200) + real).partial_interval(0.3)
        held += i.low <= true <= i.high
    assert abs(held / 300 - 0.95) < 4 * np.sqrt(0.95 * 0.05 / 300)
    curve = roc(real=real, score=rng.normal(size=200) + real)
    i = curve.partial_interval(0.3, standardised=True)
    assert i.estimate == curve.partial_auc(0.3, standardised=True)
    assert i.low < i.estimate < i.high < 1
    few = curve.partial_interval(0.05)
    assert "About 7 cases" in str(few.notes[-1])
    perfect = roc(real=[0, 0, 0, 1, 1, 1], score=[1, 2, 3, 4, 5, 6]).partial_interval(0.5)
    assert np.isnan(perfect.low)
    assert "no spread" in str(perfect.notes[-1])


def test_intervals_of_many_classes() -> None:
    """One class against the rest is DeLong's; means cover the truth of a large sample."""

    def drawn(n: int, seed: int) -> tuple[Any, Array]:
        rng = np.random.default_rng(seed)
        codes = rng.choice(3, size=n, p=[0.5, 0.3, 0.2])
        score = rng.normal(size=(n, 3))
        score[np.arange(n), codes] += 1
        return codes, score

    codes, score = drawn(90, 1)
    each = multiclass(real=codes, score=score).interval("one_vs_rest")
    for k in range(3):
        one = roc(real=codes == k, score=score[:, k]).interval(method="delong-logit")
        got = (np.asarray(each.low)[k], np.asarray(each.high)[k])
        assert got == pytest.approx((one.low, one.high))
    codes, score = drawn(100_000, 2)
    large = multiclass(real=codes, score=score)
    names = ("macro", "weighted", "hand_till")
    held = dict.fromkeys(names, 0)
    for seed in range(300):
        codes, score = drawn(80, 100 + seed)
        found = multiclass(real=codes, score=score)
        for name in names:
            i = found.interval(name)
            held[name] += i.low <= getattr(large, name) <= i.high
    error = np.sqrt(0.95 * 0.05 / 300)
    assert all(abs(n / 300 - 0.95) < 4 * error for n in held.values()), held
    assert "(Hand and Till) 0." in found.sentence()
    with pytest.raises(InformedError, match="it can be 'one_vs_rest', 'macro'"):
        found.interval("micro")
    apart = multiclass(real=[0, 0, 1, 1], score=np.eye(2)[[0, 0, 1, 1]])
    assert np.isnan(apart.interval("macro").low)


def test_a_measure_elsewhere_has_an_interval() -> None:
    from scipy.stats import binom

    rng = np.random.default_rng(3)
    true = 0.1 * 0.8 / (0.1 * 0.8 + 0.9 * 0.15)
    tp, fp = (binom.rvs(*x, size=1000, random_state=rng) for x in ((80, 0.8), (120, 0.15)))
    many = np.moveaxis(np.array([[tp, fp], [80 - tp, 120 - fp]]), 2, 0)
    every = interval(Table.from_counts(many, rows="predicted").at_prevalence(0.1), "precision")
    held = float(np.mean((every.low <= true) & (true <= every.high)))
    assert abs(held - 0.95) < 4 * np.sqrt(0.95 * 0.05 / 1000)
    t = Table.from_counts(many[0], rows="predicted")
    one = interval_against_prevalence(t, "precision", [0.5, 0.1])
    assert np.asarray(one.low)[1] == pytest.approx(np.asarray(every.low)[0])
    b = interval_against_prevalence(t, "informedness", [0.5, 0.01])
    assert np.ptp(np.asarray(b.low)) == pytest.approx(0, abs=1e-9)  # it ignores prevalence
    assert against_prevalence(t, "f1", [0.2]) == pytest.approx(interval_against_prevalence(t, "f1", [0.2]).estimate)
    with pytest.raises(InformedError, match="between 0 and 1"):
        interval_against_prevalence(t, "f1", [2])


def test_many_classes_agree_with_scikit_learn() -> None:
    rng = np.random.default_rng(5)
    real = rng.integers(0, 4, 300)
    score = rng.random((300, 4)).round(2) + 0.3 * np.eye(4)[real]
    score /= score.sum(axis=1, keepdims=True)
    found = multiclass(real=real, score=score)

    def theirs(how: str, average: str) -> float:
        return float(metrics.roc_auc_score(real, score, multi_class=how, average=average))

    assert found.macro == pytest.approx(theirs("ovr", "macro"), abs=1e-12)
    assert found.weighted == pytest.approx(theirs("ovr", "weighted"), abs=1e-12)
    assert found.hand_till == pytest.approx(theirs("ovo", "macro"), abs=1e-12)
    assert "Hand and Till" in found.sentence()
    with pytest.raises(LabelError, match="shape"):
        multiclass(real=real, score=score[:, :3])


# ---------------------------------------------------------------------- intervals and bands


@pytest.mark.parametrize("method", ["delong-logit", "delong", "delong-arc", "newcombe"])
def test_intervals_of_an_area_hold_the_estimate_and_agree_in_large_samples(method: str) -> None:
    real, score = sample(20_000, 6)
    curve = roc(real=real, score=score)
    i, wald = curve.interval(method=method), curve.interval(method="delong")
    assert i.low < curve.auc < i.high
    assert i.width == pytest.approx(wald.width, rel=0.05)


def test_separated_classes_still_have_an_interval() -> None:
    curve = roc(real=[0] * 10 + [1] * 8, score=list(range(18)))
    i = curve.interval(method="delong-logit")
    assert curve.auc == 1
    assert i.method == "newcombe"
    assert 0.7 < i.low < i.high == 1
    turned = roc(real=[1] * 10 + [0] * 8, score=list(range(18))).interval()
    assert turned.high == pytest.approx(1 - i.low, abs=0.03)  # nearly: sizes are exchanged


def test_newcombe_by_its_defining_equation() -> None:
    low, high = _auc._newcombe(0.8, 15, 25, 1.96)
    for x in (low, high):
        q1, q2 = x / (2 - x), 2 * x**2 / (1 + x)  # Hanley and McNeil's, sizes averaged
        half = (15 + 25) / 2 - 1
        spread = (x * (1 - x) + half * (q1 - x**2) + half * (q2 - x**2)) / (15 * 25)
        assert (0.8 - x) ** 2 == pytest.approx(1.96**2 * spread, rel=1e-8)


@pytest.mark.slow
def test_intervals_of_an_area_cover_it() -> None:
    """Two normal scores 1 apart: the true area is Φ(1/√2)."""
    from scipy.stats import norm

    rng, draws, true = np.random.default_rng(7), 1500, float(norm.cdf(np.sqrt(0.5)))
    covered = 0
    for _ in range(draws):
        score = rng.normal(size=60)
        score[:20] += 1
        i = roc(real=np.arange(60) < 20, score=score).interval(0.9)
        covered += i.low <= true <= i.high
    assert covered / draws > 0.9 - 4 * np.sqrt(0.09 / draws)
    assert covered / draws < 0.95


@pytest.mark.slow
def test_bands_hold_the_whole_curve_at_once() -> None:
    from scipy.stats import norm

    rng, draws, held = np.random.default_rng(8), 300, 0
    for _ in range(draws):
        score = rng.normal(size=100)
        score[:40] += 1
        band = roc(real=np.arange(100) < 40, score=score).band(0.8)
        true = norm.sf(norm.isf(band.fallout) - 1)
        held += bool(((band.low <= true + 1e-12) & (true - 1e-12 <= band.high)).all())
    assert held / draws > 0.8 - 4 * np.sqrt(0.16 / draws)


# ---------------------------------------------------------------------- hull


def brute_hull(x: Array, y: Array, at: float) -> float:
    """Highest point above `at` of any segment between two points of the curve."""
    best = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            if x[i] <= at <= x[j]:
                share = 0.0 if x[j] == x[i] else (at - x[i]) / (x[j] - x[i])
                best = max(best, y[i] + share * (y[j] - y[i]), y[j] if x[j] == at else 0.0)
    return best


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=2, max_size=14))
def test_hulls_agree_with_brute_force(cases: list[tuple[bool, int]]) -> None:
    real = [a for a, _ in cases]
    if len(set(real)) < 2:
        return
    curve = roc(real=real, score=[b for _, b in cases])
    found = curve.hull()
    assert (np.diff(found.slopes[np.isfinite(found.slopes)]) <= 1e-12).all()
    assert found.auc >= curve.auc - 1e-12
    for at in (0.0, 0.2, 0.5, 0.77, 1.0):
        mixed = found.at(fallout=at)
        assert mixed.recall == pytest.approx(brute_hull(curve.fallout, curve.recall, at))
        assert sum(mixed.probabilities) == pytest.approx(1)
        assert found.at(recall=mixed.recall).fallout <= at + 1e-12


def test_a_mixture_on_the_hull_is_what_tossing_a_coin_gives() -> None:
    real, score = sample()
    mixed = roc(real=real, score=score).hull().at(fallout=0.05)
    rng, (a, b) = np.random.default_rng(9), mixed.thresholds
    first = rng.random((4000, len(score))) < mixed.probabilities[0]
    called = score >= np.where(first, a, b)
    assert called[:, real == 0].mean() == pytest.approx(0.05, abs=0.005)
    assert called[:, real == 1].mean() == pytest.approx(mixed.recall, abs=0.005)
    assert "probability" in mixed.sentence()


# ---------------------------------------------------------------------- costs


def test_the_best_threshold_has_the_least_cost_by_brute_force() -> None:
    real, score = sample()
    curve = roc(real=real, score=score)

    def cost(threshold: float, miss: float, alarm: float, share: float) -> float:
        called = score >= threshold
        fnr, fpr = 1 - called[real == 1].mean(), called[real == 0].mean()
        return float(share * miss * fnr + (1 - share) * alarm * fpr)

    for miss, alarm, share in product((1, 5), (1, 3), (0.01, 0.3, 0.7)):
        best = curve.best(cost=(miss, alarm), prevalence=share)
        costs = [cost(t, miss, alarm, share) for t in curve.thresholds]
        assert cost(best.threshold, miss, alarm, share) == pytest.approx(min(costs))
        own = curve.best(cost=(miss, alarm))  # at the prevalence of the sample
        assert own.c == pytest.approx(alarm / miss * (real == 0).sum() / (real == 1).sum())
    plain = curve.best()
    assert plain.c == 1
    assert plain.informedness == pytest.approx(np.nanmax(curve.measure("informedness")))
    accuracy = curve.best(cost="1:1").table
    assert find("accuracy")(accuracy) == pytest.approx(np.max(curve.measure("accuracy")))


def test_distance_and_informedness_disagree() -> None:
    """F.4 of the specification: (0, .6) has J .60, distance .40; (.25, .8) has J .55, .32."""
    points = Curve(
        np.array([np.inf, 2, 1, 0]), np.array([0, 60, 80, 100.0]), np.array([0, 0, 25, 100.0]), ("+", "−"), "+"
    )
    a, b = points.point(1), points.point(2)
    assert (a.informedness, a.distance) == pytest.approx((0.60, 0.40))
    assert (b.informedness, b.distance) == pytest.approx((0.55, 0.3202), abs=1e-4)
    assert points.best().threshold == 2


def test_costs_are_named_miss_to_false_alarm() -> None:
    t = Table.from_counts([[8, 3], [2, 7]])
    assert cost_matrix(t, "5:1").tolist() == [[0, 1], [5, 0]]
    assert cost_matrix(t.inverse, "5:1").tolist() == [[0, 5], [1, 0]]
    for wrong in ("5", "a:b", "5:0", (1, 2, 3), "-1:2", None):
        if wrong == "5":
            assert costs_of(wrong) == (5, 1)
            continue
        with pytest.raises(InformedError, match="FN:FP"):
            costs_of(wrong)


def test_expected_costs_of_any_matrix_by_hand() -> None:
    t = Table.from_counts([[4, 1, 0], [1, 3, 1], [0, 1, 5]], labels=["a", "b", "c"])
    matrix = np.array([[0, 2, 3], [1, 0, 4], [6, 5, 0]])
    found = expected_cost(t, matrix)
    assert found.expected_cost == pytest.approx((1 * 2 + 1 * 1 + 1 * 4 + 1 * 5) / 16)
    assert found.chance == pytest.approx(float((matrix * t.expected).sum()) / 16)
    each = matrix @ t.prevalence
    assert found.constant == pytest.approx(each.min())
    assert found.label == t.labels[int(each.argmin())]
    assert found.perfect == 0
    assert found.saved < 1
    assert "guessing" in found.sentence()
    guess = expected_cost(t.independent, matrix)
    assert guess.expected_cost == pytest.approx(guess.chance)
    with pytest.raises(InformedError, match="shape"):
        expected_cost(t, np.eye(2))


def test_costs_at_another_prevalence_and_of_a_stack() -> None:
    t = Table.from_counts([[80, 10], [20, 90]])
    there = expected_cost(t, "5:1", prevalence=0.01)
    assert there.expected_cost == pytest.approx(0.01 * 0.2 * 5 + 0.99 * 0.1)
    assert there.constant == pytest.approx(0.05)
    stack = Table.from_counts([[[80, 10], [20, 90]], [[50, 50], [50, 50]]])
    assert expected_cost(stack, "5:1").expected_cost == pytest.approx([0.55, 1.5])


def test_measures_against_prevalence_and_cost() -> None:
    t = Table.from_counts([[80, 10], [20, 90]])
    shares = [0.01, 0.3, 0.5]
    for name in ("precision", "f1", "informedness", "accuracy", "cohen_kappa"):
        wanted = [find(name)(t.at_prevalence(p)) for p in shares]
        assert against_prevalence(t, name, shares) == pytest.approx(wanted)
    assert against_cost(t, "accuracy_c", [1.0])[0] == pytest.approx(0.85)
    with pytest.raises(InformedError, match="takes no cost"):
        against_cost(t, "recall", [1.0])


def test_net_benefit_and_decision_curves_by_definition() -> None:
    real, score = sample()
    score = 1 / (1 + np.exp(-score))
    found = decision_curve(roc(real=real, score=score), [0.2, 0.5])
    for p, ours, everyone in zip((0.2, 0.5), found.model, found.everyone, strict=True):
        called = score >= p
        tp, fp = (called & (real == 1)).mean(), (called & (real == 0)).mean()
        assert ours == pytest.approx(tp - fp * p / (1 - p))
        assert everyone == pytest.approx(real.mean() - (1 - real.mean()) * p / (1 - p))
        t = Table.from_labels(real=real.astype(int), predicted=called.astype(int))
        assert net_benefit(t, p) == pytest.approx(ours)
    assert "threshold probabilities" in found.sentence()
    with pytest.raises(InformedError, match="probabilities"):
        decision_curve(roc(real=[0, 1], score=[1, 7]))


def test_cost_curves_are_the_least_cost_of_all_thresholds() -> None:
    real, score = sample()
    curve = roc(real=real, score=score)
    found = cost_curve(curve)
    every = np.outer(1 - curve.recall, found.weight) + np.outer(curve.fallout, 1 - found.weight)
    assert found.normalised_cost == pytest.approx(every.min(axis=0))
    assert (found.normalised_cost <= found.trivial + 1e-12).all()
    guess = cost_curve(roc(real=[0, 1], score=[1, 1]))
    assert guess.normalised_cost == pytest.approx(guess.trivial)
    assert guess.area == pytest.approx(0.25, abs=1e-3)
