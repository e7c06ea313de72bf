"""Measures of ordered labels against their definitions, all small tables, scipy and scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import informed
from informed import MEASURES, InformedError, Table, find
from informed._arrays import Array
from informed.measures.grades import cuts_of
from test_laws import deals

THREE = ("informedness_ordinal", "markedness_ordinal", "correlation_ordinal")
FIVE = (*THREE, "somers_d", "somers_d_predicted")


def of_cases(k: int, n: int) -> NDArray[np.int64]:
    """All k x k tables of exactly n cases."""
    ends = np.array([c for c in product(range(n + 1), repeat=k * k - 1) if sum(c) <= n])
    return np.concatenate([ends, n - ends.sum(axis=1, keepdims=True)], axis=1).reshape(-1, k, k)


SIX = of_cases(3, 6)
USABLE = SIX[(SIX.sum(axis=1) > 0).sum(axis=1) >= 2]  # two real grades
BOTH = USABLE[(USABLE.sum(axis=2) > 0).sum(axis=1) >= 2]  # and two predicted ones


def value(measure: str, counts: Any) -> Array:
    return np.asarray(find(measure)(Table.from_counts(counts, rows="predicted")))


def nearer(counts: list[list[int]]) -> tuple[Fraction, Fraction, Fraction]:
    """What was gained over shuffled predictions, and the distance of two real and of two predicted grades: by pairs."""
    cases = [(z, y) for z, row in enumerate(counts) for y, n in enumerate(row) for _ in range(n)]
    said, real = zip(*cases, strict=True)
    own = Fraction(sum(abs(z - y) for z, y in cases), len(cases))

    def mean(a: Any, b: Any) -> Fraction:
        return Fraction(sum(abs(x - y) for x in a for y in b), len(a) * len(b))

    return mean(said, real) - own, mean(real, real), mean(said, said)


# ---------------------------------------------------------------- the definition, and who else has it


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("k", [2, 3, 5])
def test_it_is_how_much_nearer_than_shuffled_the_predictions_are(seed: int, k: int) -> None:
    counts = np.random.default_rng(seed).integers(1, 5, (k, k))
    gain, real, said = nearer(counts.tolist())
    assert value("informedness_ordinal", counts) == pytest.approx(float(gain / real), abs=1e-14)
    assert value("markedness_ordinal", counts) == pytest.approx(float(gain / said), abs=1e-14)
    assert value("correlation_ordinal", counts) == pytest.approx(float(gain) / float(real * said) ** 0.5, abs=1e-14)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (5, 5), (3, 5)])
def test_somers_d_is_that_of_scipy(seed: int, shape: tuple[int, int]) -> None:
    counts = np.random.default_rng(seed).integers(0, 6, shape)
    names = [f"{i}" for i in range(shape[0])], [f"{i}" for i in range(shape[1])]
    t = Table.from_counts(counts, predicted_labels=names[0], real_labels=names[1])
    assert informed.somers_d(t) == pytest.approx(stats.somersd(counts.T).statistic, abs=1e-14)
    assert informed.somers_d_predicted(t) == pytest.approx(stats.somersd(counts).statistic, abs=1e-14)


def test_of_scores_somers_d_is_twice_the_area_less_one() -> None:
    from sklearn.metrics import roc_auc_score  # type: ignore[import-untyped,unused-ignore]  # it has no types

    rng = np.random.default_rng(4)
    real = rng.integers(0, 2, 80)
    score = real + rng.integers(0, 4, 80)
    t = Table.from_labels(real=real, predicted=score, square=False)
    assert informed.somers_d(t) == pytest.approx(2 * roc_auc_score(real, score) - 1, abs=1e-14)


def test_linear_kappa_lies_between_and_is_equal_where_the_margins_agree() -> None:
    from sklearn.metrics import cohen_kappa_score

    t = Table.from_counts(BOTH)
    kappa, r = np.asarray(informed.weighted_kappa(t)), np.asarray(informed.correlation_ordinal(t))
    assert (np.abs(kappa) <= np.abs(r) + 1e-12).all()
    alike = (BOTH.sum(axis=1) == BOTH.sum(axis=2)).all(axis=1)
    assert alike.sum() > 100
    for name in THREE:
        np.testing.assert_allclose(value(name, BOTH[alike]), kappa[alike], atol=1e-12)
    one = BOTH[1234]
    said, real = np.repeat(np.indices((3, 3)).reshape(2, -1), one.ravel(), axis=1)
    assert kappa[1234] == pytest.approx(cohen_kappa_score(real, said, weights="linear"))


def test_two_grades_are_two_classes() -> None:
    counts = of_cases(2, 9)
    for ordinal, plain in zip(
        FIVE, ("informedness", "markedness", "matthews", "informedness", "markedness"), strict=True
    ):
        np.testing.assert_allclose(value(ordinal, counts), value(plain, counts), atol=1e-14)


# ---------------------------------------------------------------- all tables of three grades and six cases


def test_bounds_and_perfection_over_all_tables() -> None:
    assert len(USABLE) == 2919
    b = value("informedness_ordinal", USABLE)
    assert b.min() >= -1
    cuts = cuts_of(Table.from_counts(USABLE))
    odds = cuts.real_above * cuts.real_below > 0
    right = (~odds | (cuts.over + cuts.under == 0)).all(axis=0)
    np.testing.assert_array_equal(b == 1, right)
    assert right.any()


def moves() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every table, and the same with one prediction moved one grade towards reality."""
    before, after = [], []
    for z, y in product(range(3), repeat=2):
        if z == y:
            continue
        some = USABLE[USABLE[:, z, y] > 0]
        moved = some.copy()
        moved[:, z, y] -= 1
        moved[:, z + np.sign(y - z), y] += 1
        before.append(some)
        after.append(moved)
    return np.concatenate(before), np.concatenate(after)


def test_a_prediction_that_moves_towards_reality_never_lowers_it() -> None:
    before, after = moves()
    assert len(before) == 7596
    drop = {m: value(m, after) < value(m, before) - 1e-12 for m in ("informedness_ordinal", "weighted_kappa")}
    assert not drop["informedness_ordinal"].any()
    assert drop["weighted_kappa"].sum() == 350
    assert (value("weighted_kappa", before)[drop["weighted_kappa"]] < 0).all()


def test_the_correlation_can_drop_where_informedness_stays() -> None:
    before, after = [[1, 0, 0], [0, 0, 0], [1, 2, 0]], [[1, 0, 0], [0, 1, 0], [1, 1, 0]]
    found = [[float(value(m, x)) for x in (before, after)] for m in ("correlation_ordinal", "informedness_ordinal")]
    assert found[0] == pytest.approx([0.408, 0.378], abs=5e-4)
    assert found[1] == pytest.approx([0.5, 0.5])


# ---------------------------------------------------------------- what it says of guessing, far errors and shifts


@pytest.mark.parametrize("share", [0.0, 0.25, 0.7, 1.0])
def test_a_share_of_knowledge_is_that_share_however_the_rest_is_guessed(share: float) -> None:
    rng = np.random.default_rng(9)
    for k in (3, 4, 6):
        prevalence, guess = rng.dirichlet(np.ones(k), (2, 200))
        cells = share * np.eye(k) * prevalence[:, None] + (1 - share) * guess[:, :, None] * prevalence[:, None]
        np.testing.assert_allclose(value("informedness_ordinal", cells * 1e4), share, atol=1e-12)
        counts = rng.integers(1, 9, (200, k, k)).astype(float)
        shuffled = guess[:, :, None] * counts.sum(axis=1, keepdims=True)
        diluted = (1 - share) * counts + share * shuffled
        kept = (1 - share) * value("informedness_ordinal", counts)
        np.testing.assert_allclose(value("informedness_ordinal", diluted), kept, atol=1e-12)


@pytest.mark.parametrize(
    ("wrong", "expected"), [((0, 1), 0.9375), ((1, 0), 0.875), ((2, 0), 0.8125)], ids=["middle", "end", "far"]
)
def test_far_errors_cost_more(wrong: tuple[int, int], expected: float) -> None:
    """Five of 60 cases; plain informedness does not tell them apart."""
    counts = np.eye(3, dtype=int) * 20
    z, y = wrong
    counts[y, y] -= 5
    counts[z, y] += 5
    assert value("informedness_ordinal", counts) == pytest.approx(expected)
    assert value("informedness", counts) == pytest.approx(0.875)


def test_somers_d_does_not_see_a_shift() -> None:
    counts = np.zeros((5, 5), dtype=int)
    for grade in range(5):
        counts[min(grade + 1, 4), grade] = 4
    found = [float(value(m, counts)) for m in ("somers_d", "informedness_ordinal", "weighted_kappa")]
    assert found == pytest.approx([0.9, 0.5, 0.5])


def test_exaggeration_does_not_pay() -> None:
    """The slope of the predicted on the real grade is 2 here."""
    assert value("informedness_ordinal", [[0, 1, 0], [0, 0, 0], [0, 0, 5]]) <= 1


def test_a_cut_beyond_all_real_grades_has_no_odds() -> None:
    t = Table.from_counts([[4, 2, 0], [1, 3, 0], [0, 5, 0]])
    cuts = cuts_of(t)
    assert cuts.real_above.tolist() == [10, 0]
    assert informed.informedness_ordinal(t) == pytest.approx(0.6)
    first = Table.from_counts([[4, 2], [1, 8]])
    assert informed.informedness_ordinal(t) == pytest.approx(informed.informedness(first))


# ---------------------------------------------------------------- spacing


def test_spacing_weighs_the_cuts() -> None:
    t = Table.from_counts([[9, 2, 0], [3, 2, 2], [2, 0, 2]])
    low, high = (t.collapse(x) for x in ({"above": [1, 2]}, {"below": [0, 1]}))
    for name, plain in zip(THREE, ("informedness", "markedness", "matthews"), strict=True):
        for spacing, of in (((1, 0), low), ((0, 3), high)):
            assert find(name)(t, spacing=spacing) == pytest.approx(find(plain)(of))
        assert find(name)(t, spacing=[2, 2]) == pytest.approx(find(name)(t))
    between = informed.informedness_ordinal(t, spacing=[1, 2])
    assert informed.interval(t, "informedness_ordinal(spacing=[1, 2])").estimate == pytest.approx(between)


@pytest.mark.parametrize("spacing", [[1], [1, 1, 1], [1, -1], [0, 0], [1, float("nan")]])
def test_a_spacing_that_does_not_fit_is_refused(spacing: list[float]) -> None:
    with pytest.raises(InformedError, match=r"`spacing`.*must be a number for each cut.* 2 in all"):
        informed.informedness_ordinal(Table.from_counts(np.eye(3)), spacing=spacing)


# ---------------------------------------------------------------- slopes, intervals, tests


@pytest.mark.parametrize("name", FIVE)
def test_slopes_of_cells_are_those_of_the_measure(name: str) -> None:
    rng = np.random.default_rng(8)
    m = MEASURES[name]
    assert m.cell_slopes is not None
    for k in (2, 3, 5):
        p = rng.dirichlet(np.ones(k * k), 12).T
        stated = m.cell_slopes(p.reshape(k, k, -1)).reshape(k * k, -1)
        for i in range(k * k):
            step = 1e-6 * (np.eye(k * k)[:, [i]] - p)
            up, down = (value(name, np.moveaxis((p + s).reshape(k, k, -1), -1, 0)) for s in (step, -step))
            np.testing.assert_allclose(stated[i] - (p * stated).sum(axis=0), (up - down) / 2e-6, rtol=1e-5, atol=1e-7)


def test_slopes_follow_the_spacing() -> None:
    p = np.random.default_rng(2).dirichlet(np.ones(9))[:, None]
    slopes = find("correlation_ordinal(spacing=[1, 3])").cell_slopes
    assert slopes is not None
    stated = slopes(p.reshape(3, 3, 1)).ravel()
    t = [Table.from_counts((p + 1e-6 * s * (np.eye(9)[:, [4]] - p)).reshape(3, 3)) for s in (1, -1)]
    up, down = (informed.correlation_ordinal(x, spacing=[1, 3]) for x in t)
    assert stated[4] - (p[:, 0] * stated).sum() == pytest.approx((up - down) / 2e-6, rel=1e-5)


@pytest.mark.parametrize("name", FIVE)
def test_intervals_hold_the_estimate_and_stay_within_bounds(name: str) -> None:
    t = Table.from_counts(BOTH[::40])
    found = informed.interval(t, name)
    assert found.method == "arc"
    assert ((found.low <= found.estimate) & (found.estimate <= found.high)).all()
    assert (np.min(found.low) >= -1) & (np.max(found.high) <= 1)


@pytest.mark.parametrize("name", FIVE)
def test_units_of_one_case_change_nothing_and_repeated_cases_do(name: str) -> None:
    rng = np.random.default_rng(3)
    real = rng.integers(0, 4, 60)
    said = np.clip(real + rng.integers(-1, 2, 60), 0, 3)
    plain = Table.from_labels(real=real, predicted=said)
    alone = Table.from_labels(real=real, predicted=said, unit=np.arange(60))
    twice = Table.from_labels(real=np.tile(real, 4), predicted=np.tile(said, 4), unit=np.tile(np.arange(60), 4))
    a, b, c = (informed.interval(t, name) for t in (plain, alone, twice))
    assert (a.low, a.high) == pytest.approx((b.low, b.high))
    assert (c.high - c.low) == pytest.approx(a.high - a.low, rel=0.15)
    once, again = (informed.test(t, name, method=how) for t, how in ((plain, "permutation-z"), (twice, "auto")))
    assert again.method == "permutation-units"
    assert again.statistic == pytest.approx(once.statistic, rel=0.15)


MARGINS = [([3, 2, 2], [1, 4, 2]), ([4, 3, 3], [3, 3, 4])]


@pytest.mark.parametrize(("predicted", "real"), MARGINS)
def test_the_variance_over_shufflings_is_that_of_all_deals(predicted: list[int], real: list[int]) -> None:
    t, weight = deals(predicted, real)
    for name in THREE:
        each = np.asarray(find(name)(t))
        assert weight @ each == pytest.approx(0, abs=1e-12)
        z = np.asarray(informed.test(t, name, method="permutation-z").statistic)
        assert weight @ z**2 == pytest.approx(1)
        np.testing.assert_allclose(z * np.sqrt(weight @ each**2), each, atol=1e-12)


def test_the_default_test_counts_all_deals() -> None:
    counts = [[3, 1, 0], [1, 2, 1], [0, 1, 3]]
    t, weight = deals([4, 4, 4], [4, 4, 4])
    own, each = float(value("informedness_ordinal", counts)), np.asarray(informed.informedness_ordinal(t))
    found = informed.test(Table.from_counts(counts), "informedness_ordinal")
    assert found.pvalue == pytest.approx(weight[np.abs(each) > abs(own) - 1e-9].sum())


def test_weighted_cases_are_tested_by_what_they_are_worth() -> None:
    rng = np.random.default_rng(5)
    real = rng.integers(0, 3, 90)
    said = np.where(rng.random(90) < 0.5, real, rng.integers(0, 3, 90))
    t = Table.from_labels(real=real, predicted=said, weights=rng.uniform(0.5, 2, 90))
    found = informed.test(t, "informedness_ordinal")
    plain = informed.test(Table.from_labels(real=real, predicted=said), "informedness_ordinal", method="permutation-z")
    assert found.method == "permutation-z"
    assert found.pvalue == pytest.approx(plain.pvalue, abs=0.01)
    with pytest.raises(InformedError, match="counts cases"):
        informed.test(t, "informedness_ordinal", method="permutation")


# ---------------------------------------------------------------- order


@pytest.mark.parametrize("name", FIVE)
def test_an_unknown_order_is_refused(name: str) -> None:
    t = Table.from_labels(real=["T1", "T2", "T10"], predicted=["T1", "T10", "T2"])
    asks: list[Callable[[Table], Any]] = [find(name), lambda t: informed.interval(t, name)]
    asks += [lambda t: informed.test(t, name), lambda t: informed.report(t, measures=[name])]
    for ask in asks:
        with pytest.raises(InformedError, match=rf"{name} needs the order of the labels.*'T1', 'T2', 'T10'.*`labels="):
            ask(t)
    assert np.isfinite(find(name)(t.with_order(["T1", "T2", "T10"])))


def test_a_grade_that_is_left_out_is_noted() -> None:
    real, said = [1, 2, 4, 1, 2, 4], [1, 2, 2, 1, 4, 4]
    t = Table.from_labels(real=real, predicted=said)
    for name in (*THREE, "weighted_kappa"):
        (note,) = (x for x in informed.interval(t, name).notes if x.code == "grade-left-out")
        assert note.text.startswith("3 never occurs, and the grades beside are counted as neighbours; give `labels=`")
    kept = Table.from_labels(real=real, predicted=said, labels=[1, 2, 3, 4])
    assert informed.informedness_ordinal(kept) != pytest.approx(informed.informedness_ordinal(t))
    for quiet, name in ((kept, "informedness_ordinal"), (t, "somers_d"), (t, "informedness")):
        assert "grade-left-out" not in [x.code for x in informed.interval(quiet, name).notes]


def test_a_cut_without_odds_is_noted() -> None:
    t = Table.from_counts([[4, 2, 0], [1, 3, 0], [0, 5, 0]], labels=["low", "mid", "high"])
    (note,) = (x for x in informed.interval(t, "informedness_ordinal").notes if x.code == "cut-without-odds")
    assert note.text == "no case is really above 'mid', so that the cut there has no odds and weighs nothing"
    assert "cut-without-odds" not in [x.code for x in informed.interval(t, "markedness_ordinal").notes]
    stack = Table.from_counts([t.counts, np.eye(3)])
    (note,) = (x for x in informed.interval(stack, "informedness_ordinal").notes if x.code == "cut-without-odds")
    assert note.text.startswith("1 of 2 tables: no case is really above 1")


def test_many_grades_are_counted_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of very many grades hold only what is occupied, and give the same number."""
    rng = np.random.default_rng(7)
    counts = rng.integers(0, 3, (9, 9))
    dense = [float(value(name, counts)) for name in FIVE]
    monkeypatch.setattr("informed.evidence.cells.DENSE_UP_TO", 4)
    said, real = np.repeat(np.indices((9, 9)).reshape(2, -1), counts.ravel(), axis=1)
    t = Table.from_labels(real=real, predicted=said)
    assert type(t.cells).__name__ == "Occupied"
    assert [float(find(name)(t)) for name in FIVE] == pytest.approx(dense, abs=1e-14)
