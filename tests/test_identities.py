"""Identities of the papers (spec B, F.1, F.2, F.4), and the tempting ones that are false (F.3)."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import informed as inf
from informed import Table
from informed._arrays import Array
from informed.inference.powers_intervals import null_variance
from informed.measures.association import chi_squared
from strategies import POWERS_A, POWERS_B, SMALL2, SMALL3, THREE, every_table, fractional, large, lopsided, many_classes

FULL2 = SMALL2[(SMALL2.real_totals > 0).all(axis=0) & (SMALL2.predicted_totals > 0).all(axis=0)]
FULL3 = SMALL3[(SMALL3.real_totals > 0).all(axis=0) & (SMALL3.predicted_totals > 0).all(axis=0)]
OPEN2 = FULL2[(FULL2.cells > 0).all(axis=(0, 1))]  # no cell empty: likelihood ratios are finite


def same(a: Any, b: Any, rtol: float = 1e-9, atol: float = 1e-12) -> None:
    np.testing.assert_allclose(a, b, rtol=rtol, atol=atol, equal_nan=True)


def each_class(t: Table) -> tuple[Array, Array, Array]:
    """B(l), M(l) and dtp(l) of the classes, on the last axis."""
    ovr = t.one_vs_rest()
    b, m, dtp = (np.asarray(f(ovr)) for f in (inf.informedness, inf.markedness, inf.delta_tp))
    return b, m, dtp


# ---------------------------------------------------------------- B.1 and B.2: surface and costs


def surface(t: Table) -> None:
    r, p, f, g, a = (np.asarray(f(t)) for f in (inf.recall, inf.precision, inf.f1, inf.g_measure, inf.a_measure))
    prev, bias = np.asarray(inf.prevalence(t)), np.asarray(inf.bias(t))
    b, m = np.asarray(inf.informedness(t)), np.asarray(inf.markedness(t))
    same(f * a, g**2)
    same(inf.jaccard(t), f / (2 - f))
    tiny = 1e-12
    assert (np.minimum(r, p) <= f + tiny).all()
    assert (f <= g + tiny).all()
    assert (g <= a + tiny).all()
    assert (np.asarray(inf.jaccard(t)) <= f + tiny).all()
    same(r, b * (1 - prev) + bias)
    same(p, m * (1 - bias) + prev)
    same(inf.accuracy(t), 2 * (b * prev * (1 - prev) + bias * prev) + 1 - (bias + prev))
    same(inf.accuracy(t), prev * r + (1 - prev) * np.asarray(inf.inverse_recall(t)))
    same(inf.accuracy(t), bias * p + (1 - bias) * np.asarray(inf.inverse_precision(t)))
    for one, other in ((inf.recall, inf.miss_rate), (inf.inverse_recall, inf.fallout)):
        same(one(t), 1 - np.asarray(other(t)))
    same(inf.precision(t), 1 - np.asarray(inf.false_positive_accuracy(t)))
    same(inf.inverse_precision(t), 1 - np.asarray(inf.false_negative_accuracy(t)))
    same(inf.error_rate(t), 1 - np.asarray(inf.accuracy(t)))
    same(inf.auc_single(t), (1 + b) / 2)
    same(inf.wracc(t), 4 * (r - bias) * prev)
    same(inf.bias_index(t), bias - prev)
    same(inf.lift(t), p / prev)


def test_surface_of_small_tables() -> None:
    surface(FULL2)


@settings(max_examples=25, deadline=None)
@given(large())
def test_surface_of_large_tables(t: Table) -> None:
    surface(t)


def test_equal_margins_make_the_measures_coincide() -> None:
    t = FULL2[np.asarray(inf.bias(FULL2) == inf.prevalence(FULL2))]
    for f in (inf.precision, inf.f1, inf.g_measure, inf.a_measure):
        same(f(t), inf.recall(t))
    same(inf.inverse_recall(t), inf.inverse_precision(t))
    for f in (inf.markedness, inf.correlation, inf.cohen_kappa, inf.scott_pi):
        same(f(t), inf.informedness(t))
    same(inf.miss_rate(t), inf.false_positive_accuracy(t))
    same(inf.fallout(t), inf.false_negative_accuracy(t))


def test_areas_of_the_roc_plane() -> None:
    """The parallelogram through the point and its mirror has the area |B| (shoelace)."""
    fpr, tpr = np.asarray(inf.fallout(FULL2)), np.asarray(inf.recall(FULL2))
    zero, one = np.zeros_like(fpr), np.ones_like(fpr)
    x = np.stack([zero, fpr, one, 1 - fpr])
    y = np.stack([zero, tpr, one, 1 - tpr])
    area = np.abs((x * np.roll(y, -1, 0) - y * np.roll(x, -1, 0)).sum(axis=0)) / 2
    same(area, np.abs(inf.informedness(FULL2)))
    same(inf.roc_distance(FULL2), np.hypot(fpr, 1 - tpr))
    same(inf.chance_distance(FULL2), (tpr - fpr) / np.sqrt(2))


def test_bias_equals_prevalence_on_its_line() -> None:
    tpr, fpr, skew = (np.asarray(f(FULL2)) for f in (inf.recall, inf.fallout, inf.skew))
    on_line = np.isclose(tpr + skew * fpr, 1)
    np.testing.assert_array_equal(on_line, np.isclose(inf.bias(FULL2), inf.prevalence(FULL2)))


# ---------------------------------------------------------------- B.3 and F.1: two classes


def deep(t: Table) -> None:
    b, m, c, kappa = (np.asarray(f(t)) for f in (inf.informedness, inf.markedness, inf.correlation, inf.cohen_kappa))
    dtp = np.asarray(inf.delta_tp(t))
    prev, bias = np.asarray(inf.prevalence(t)), np.asarray(inf.bias(t))
    r, s = np.asarray(inf.recall(t)), np.asarray(inf.inverse_recall(t))
    same(b, r + s - 1)
    same(b, dtp / (prev * (1 - prev)), rtol=1e-7)
    same(b, (r - bias) / (1 - prev), rtol=1e-6, atol=1e-9)
    same(m, np.asarray(inf.precision(t)) + np.asarray(inf.inverse_precision(t)) - 1)
    same(m, dtp / (bias * (1 - bias)), rtol=1e-7)
    same(c**2, b * m, atol=1e-9)
    same(c, inf.matthews(t))
    same(inf.determination(t), b * m, atol=1e-9)
    wrong = np.asarray(inf.error_rate(t))
    same(kappa, dtp / (dtp + wrong / 2), rtol=1e-7)
    same(kappa, b * prev * (1 - prev) / ((bias + prev) / 2 - bias * prev), rtol=1e-7)
    accuracy, chance = np.asarray(inf.accuracy(t)), np.asarray(inf.chance_agreement(t))
    same(inf.kappa_form(accuracy, chance), kappa, atol=1e-9)
    same(inf.kappa_form(r, bias, prev), b, atol=1e-9)
    same(inf.kappa_form(inf.precision(t), prev, bias), m, atol=1e-9)
    clear = np.abs(1 - kappa) > 1e-6
    same(np.asarray(inf.chance_from_kappa(accuracy, kappa))[clear], chance[clear], rtol=1e-6)
    slack = 1e-9
    size_b, size_m = np.abs(b), np.abs(m)
    harmonic = np.divide(2 * size_b * size_m, size_b + size_m, out=np.zeros_like(b), where=size_b + size_m > 0)
    assert (np.abs(kappa) <= harmonic + slack).all()
    assert (harmonic <= np.abs(c) + slack).all()
    assert (np.abs(c) <= (size_b + size_m) / 2 + slack).all()
    assert (np.asarray(inf.scott_pi(t)) <= kappa + slack).all()


def test_deep_measures_of_small_tables() -> None:
    deep(FULL2)


@settings(max_examples=25, deadline=None)
@given(large())
def test_deep_measures_of_large_tables(t: Table) -> None:
    deep(t)


@settings(max_examples=25, deadline=None)
@given(fractional())
def test_deep_measures_of_weighted_tables(t: Table) -> None:
    deep(t)


def test_likelihood_ratios() -> None:
    plus, minus = np.asarray(inf.lr(OPEN2)), np.asarray(inf.nlr(OPEN2))
    spec, b = np.asarray(inf.inverse_recall(OPEN2)), np.asarray(inf.informedness(OPEN2))
    same(plus / minus, inf.odds_ratio(OPEN2))
    same((plus - 1) * (1 - spec), b)
    same((1 - minus) * spec, b)
    informed = b != 0
    ratio = ((plus - 1) * (1 - minus))[informed] / (plus - minus)[informed]
    same(ratio, b[informed])
    odds = np.asarray(inf.odds_ratio(OPEN2))
    same(inf.yule_q(OPEN2), (odds - 1) / (odds + 1))
    same(inf.yule_y(OPEN2), (np.sqrt(odds) - 1) / (np.sqrt(odds) + 1))
    same(inf.lr(OPEN2.inverse), 1 / minus)
    dual = np.asarray(inf.precision(OPEN2)) / np.asarray(inf.false_negative_accuracy(OPEN2))
    same(inf.lr(OPEN2.dual), dual)


def test_all_have_one_sign() -> None:
    sign = np.sign(inf.delta_tp(FULL2))
    for f in (inf.informedness, inf.markedness, inf.correlation, inf.cohen_kappa, inf.matthews):
        np.testing.assert_array_equal(np.sign(np.round(f(FULL2), 12)), sign)
    open_sign = np.sign(inf.delta_tp(OPEN2))
    for value in (inf.lr(OPEN2) - 1, 1 - inf.nlr(OPEN2), np.log(inf.odds_ratio(OPEN2)), inf.yule_q(OPEN2)):
        np.testing.assert_array_equal(np.sign(np.round(value, 12)), open_sign)


@pytest.mark.parametrize("axis", [1, 2], ids=["rows", "columns"])
def test_perversion_of_two_classes(axis: int) -> None:
    perverse = Table.from_counts(np.flip(FULL2.counts, axis=axis))
    for f in (inf.informedness, inf.markedness, inf.correlation, inf.delta_tp):
        same(f(perverse), -np.asarray(f(FULL2)))
    same(inf.accuracy(perverse), 1 - np.asarray(inf.accuracy(FULL2)))


def test_chi_squared_and_information() -> None:
    b, m = np.asarray(inf.informedness(FULL2)), np.asarray(inf.markedness(FULL2))
    same(chi_squared(FULL2), FULL2.n * b * m, atol=1e-9)
    tenfold = Table.from_counts(FULL2.counts * 10)
    same(chi_squared(tenfold), 10 * chi_squared(FULL2))
    same(inf.cramers_v(FULL2), np.abs(inf.correlation(FULL2)), atol=1e-7)
    same(inf.contingency_coefficient(FULL2), np.sqrt(b * m / (1 + b * m)), atol=1e-7)


def test_information_adds_up() -> None:
    for t in (SMALL2[1:], SMALL3[1:]):
        mutual = np.asarray(inf.mutual_information(t))
        real, predicted = np.asarray(inf.entropy_real(t)), np.asarray(inf.entropy_predicted(t))
        same(real - inf.conditional_entropy(t), mutual, atol=1e-12)
        same(predicted - inf.conditional_entropy_predicted(t), mutual, atol=1e-12)
        same(real + predicted - inf.joint_entropy(t), mutual, atol=1e-12)
        same(inf.perplexity(t), np.exp(inf.conditional_entropy(t)))


# ---------------------------------------------------------------- B.4, B.9 and F.2: K classes


def many(t: Table) -> None:
    b, m, dtp = each_class(t)
    prev, bias = t.prevalence, t.bias
    same(b * prev * (1 - prev), dtp, atol=1e-9)
    same(m * bias * (1 - bias), dtp, atol=1e-9)
    accuracy, chance = np.asarray(inf.accuracy(t)), np.asarray(inf.chance_agreement(t))
    same(dtp.sum(axis=-1), accuracy - chance, atol=1e-9)
    same(inf.informedness(t), (prev * b).sum(axis=-1), atol=1e-9)
    same(inf.informedness(t), (dtp / (1 - prev)).sum(axis=-1), atol=1e-9)
    same(inf.informedness(t), 1 - np.asarray(inf.fallout(t.one_vs_rest())).sum(axis=-1), atol=1e-9)
    rates = np.asarray(inf.false_negative_accuracy(t.one_vs_rest()))
    same(inf.markedness(t), 1 - rates.sum(axis=-1), atol=1e-9)
    same(inf.markedness(t), (bias * m).sum(axis=-1), atol=1e-9)
    same(inf.informedness(t, weighting="bias"), (bias * b).sum(axis=-1), atol=1e-9)
    same(inf.markedness(t, weighting="prevalence"), (prev * m).sum(axis=-1), atol=1e-9)
    same(inf.informedness(t, weighting="uniform"), b.mean(axis=-1), atol=1e-9)
    even = dtp.sum(axis=-1) / (prev * (1 - prev)).sum(axis=-1)
    same(inf.informedness(t, weighting="evenness"), even, atol=1e-9)
    recalls = np.asarray(inf.recall(t.one_vs_rest()))
    same(inf.informedness_trace(t), (recalls.sum(axis=-1) - 1) / (t.k - 1), atol=1e-9)
    same(inf.balanced_accuracy(t), recalls.mean(axis=-1))
    same(inf.accuracy(t), (prev * recalls).sum(axis=-1))
    same(inf.accuracy(t), (bias * np.asarray(inf.precision(t.one_vs_rest()))).sum(axis=-1))
    slack = 1e-9
    assert (np.asarray(inf.informedness(t)) <= b.max(axis=-1) + slack).all()
    assert (np.asarray(inf.informedness(t)) >= b.min(axis=-1) - slack).all()
    p1, p2 = np.moveaxis(np.sort(prev, axis=-1)[..., :-3:-1], -1, 0)
    assert (np.asarray(inf.informedness(t)) >= -p1 / (1 - p2) - slack).all()
    r_k, kappa = np.asarray(inf.matthews(t)), np.asarray(inf.cohen_kappa(t))
    assert (np.asarray(inf.scott_pi(t)) <= kappa + slack).all()
    assert (np.abs(kappa) <= np.abs(r_k) + slack).all()
    b_even = np.asarray(inf.informedness(t, weighting="evenness"))
    m_even = np.asarray(inf.markedness(t, weighting="evenness"))
    same(b_even * m_even, r_k**2, atol=1e-9)
    same(np.sign(np.round(b_even, 9)), np.sign(np.round(m_even, 9)))


def test_many_classes_small() -> None:
    many(FULL3)


@settings(max_examples=20, deadline=None)
@given(many_classes())
def test_many_classes_any(t: Table) -> None:
    many(t)


def test_the_score_of_a_case() -> None:
    """B is the mean of 1 where right and −Prev/(1−Prev) of the label where wrong."""
    prev = FULL3.prevalence
    lost = -prev / (1 - prev)
    score = np.where(np.eye(3, dtype=bool), 1.0, lost[:, :, None])
    same((FULL3.counts * score).sum(axis=(1, 2)) / FULL3.n, inf.informedness(FULL3))


def test_gilbert_is_to_jaccard_what_kappa_is_to_accuracy() -> None:
    expected = FULL2.pp * FULL2.rp / FULL2.total  # hits by chance
    chance = expected / (FULL2.tp + FULL2.fp + FULL2.fn)
    same(inf.gilbert_skill_score(FULL2), inf.kappa_form(inf.jaccard(FULL2), chance))
    gilbert = inf.gilbert_skill_score(SMALL2)
    same(inf.cohen_kappa(SMALL2), 2 * gilbert / (1 + gilbert))


def test_f1_from_jaccard() -> None:
    j = np.asarray(inf.jaccard(FULL2))
    same(inf.f1(FULL2), 2 * j / (1 + j))


@pytest.mark.parametrize("order", list(permutations(range(3)))[1:])
def test_rows_alone_permuted(order: tuple[int, ...]) -> None:
    t = Table.from_counts(FULL3.counts[:, list(order)])
    same(chi_squared(t), chi_squared(FULL3), atol=1e-9)
    for f in (inf.mutual_information, inf.cramers_v, inf.adjusted_rand_index, inf.purity):
        same(f(t), f(FULL3), atol=1e-7)
    same(np.abs(inf.informedness_det(t)), np.abs(inf.informedness_det(FULL3)))


def test_independence_and_perfection() -> None:
    rng = np.random.default_rng(1)
    for k in (2, 3, 5):
        bias, prev = rng.dirichlet(np.ones(k), 2)
        guess, perfect = Table.from_counts(np.outer(bias, prev)), Table.from_counts(np.diag(prev))
        for weighting in ("prevalence", "bias", "uniform", "evenness"):
            for f in (inf.informedness, inf.markedness):
                assert f(guess, weighting=weighting) == pytest.approx(0, abs=1e-12)
                assert f(perfect, weighting=weighting) == pytest.approx(1)
        for f in (inf.cohen_kappa, inf.matthews, inf.mutual_information, inf.correlation):
            assert f(guess) == pytest.approx(0, abs=1e-12)
        assert chi_squared(guess) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("g", [0.0, 0.3, 0.8, 1.0])
def test_mixture_of_knowing_and_guessing(k: int, g: float) -> None:
    rng = np.random.default_rng(k)
    q, b = rng.dirichlet(np.ones(k), 2)
    t = Table.mixture(g, prevalence=q, guess=b, n=100)
    for weighting in ("prevalence", "bias", "uniform", "evenness"):
        assert inf.informedness(t, weighting=weighting) == pytest.approx(g, abs=1e-12)
    assert inf.informedness_trace(t) == pytest.approx(g, abs=1e-12)
    assert inf.informedness_det(t) == pytest.approx(g, abs=1e-6)
    two_k = inf.informedness_det(t, exponent="2/K")
    assert two_k == pytest.approx(g ** (2 * (k - 1) / k), abs=1e-6)
    share = g**2 * (q * (1 - q) / t.bias).sum()
    assert chi_squared(t) / t.n == pytest.approx(share, abs=1e-12)
    even = Table.mixture(g, prevalence=q, n=100)
    assert chi_squared(even) / even.n == pytest.approx((k - 1) * g**2, abs=1e-12)
    for f in (inf.cramers_v, inf.markedness, inf.cohen_kappa, inf.correlation, inf.matthews):
        assert f(even) == pytest.approx(g, abs=1e-7)


def test_perverse_mixture_of_two() -> None:
    t = Table.mixture(-0.4, prevalence=0.3, guess=0.6)
    assert inf.informedness(t) == pytest.approx(-0.4)


@pytest.mark.parametrize("x", [0.2, 0.5])
def test_guessing_dilutes(x: float) -> None:
    """Of prevalence weighting, macro, evenness and trace: linear at fixed prevalence."""
    guess = np.array([0.1, 0.7, 0.2])
    t = THREE.counts
    diluted = Table.from_counts((1 - x) * t + x * np.outer(guess, t.sum(axis=0)))
    for weighting in ("prevalence", "uniform", "evenness"):
        whole = inf.informedness(THREE, weighting=weighting)
        assert inf.informedness(diluted, weighting=weighting) == pytest.approx((1 - x) * whole)
    assert inf.informedness_trace(diluted) == pytest.approx((1 - x) * inf.informedness_trace(THREE))


def test_abstaining_on_a_label_takes_its_part_away() -> None:
    b, _, _ = each_class(THREE)
    for label in range(3):
        kept = THREE.counts.copy()
        kept[label] = 0
        t = Table.from_counts(kept, abstained=THREE.counts[label])
        expected = inf.informedness(THREE) - THREE.prevalence[label] * b[label]
        assert inf.informedness_of_all(t) == pytest.approx(expected)


def test_the_two_discounts_agree_when_abstention_ignores_the_class() -> None:
    t = Table.from_counts(THREE.counts, abstained=THREE.counts.sum(axis=0) / 2)
    assert inf.informedness_discounted(t) == pytest.approx(inf.informedness_of_all(t))
    other = Table.from_counts(THREE.counts, abstained=[30, 0, 0])
    assert inf.informedness_discounted(other) != pytest.approx(inf.informedness_of_all(other))


def test_resampling_of_classes() -> None:
    t = Table.from_counts(THREE.counts * [1, 5, 0.3])
    for f in (inf.informedness_trace, inf.informedness_det, inf.balanced_accuracy, inf.g_mean):
        assert f(t) == pytest.approx(f(THREE))
    assert inf.informedness_trace(THREE.at_prevalence([0.2, 0.2, 0.6])) == pytest.approx(inf.informedness_trace(THREE))


def test_k_class_forms_at_two_classes() -> None:
    b, m = np.asarray(inf.informedness(FULL2)), np.asarray(inf.markedness(FULL2))
    for f, x in ((inf.informedness, b), (inf.markedness, m)):
        for weighting in ("prevalence", "bias", "uniform", "evenness"):
            same(f(FULL2, weighting=weighting), x)
    for f, x in ((inf.informedness_trace, b), (inf.markedness_trace, m)):
        same(f(FULL2), x)
    for f, x in ((inf.informedness_det, b), (inf.markedness_det, m), (inf.correlation_det, inf.matthews(FULL2))):
        same(f(FULL2), x)
        same(f(FULL2, exponent="2/K"), x)
    same(inf.weighted_kappa(FULL2), inf.cohen_kappa(FULL2))
    same(inf.bennett_s(FULL2), 2 * np.asarray(inf.accuracy(FULL2)) - 1)
    same(inf.spearman(FULL2), inf.matthews(FULL2))


def test_padding_with_an_empty_class() -> None:
    padded = Table.from_counts(np.pad(SMALL3.counts, ((0, 0), (0, 1), (0, 1))))
    unmoved = [inf.informedness, inf.markedness, inf.mutual_information, inf.cohen_kappa, inf.scott_pi]
    for f in unmoved:
        same(f(padded), f(SMALL3))
    for f in (inf.cramers_v, inf.evenness_minus, inf.gwet_ac1, inf.bennett_s):
        assert not np.allclose(f(padded), f(SMALL3), equal_nan=True)
    for f in (inf.informedness_trace, inf.informedness_det, inf.balanced_accuracy):
        assert np.isnan(f(padded)).all()


def test_uniform_margins_make_all_coincide() -> None:
    t = Table.from_counts([[5, 2, 3], [3, 6, 1], [2, 2, 6]])
    b = inf.informedness(t)
    for weighting in ("bias", "uniform", "evenness"):
        assert inf.informedness(t, weighting=weighting) == pytest.approx(b)
        assert inf.markedness(t, weighting="prevalence") == pytest.approx(b)
    for f in (inf.informedness_trace, inf.cohen_kappa, inf.scott_pi, inf.matthews, inf.markedness):
        assert f(t) == pytest.approx(b)


def test_scott_is_fleiss_of_two_raters() -> None:
    """Fleiss' own formula: pairs that agree, pooled proportions."""
    n = THREE.n
    pooled = (THREE.counts.sum(axis=0) + THREE.counts.sum(axis=1)) / (2 * n)
    observed, chance = np.trace(THREE.counts) / n, (pooled**2).sum()
    assert inf.scott_pi(THREE) == pytest.approx((observed - chance) / (1 - chance))
    assert inf.find("fleiss_kappa").name == "scott_pi"


def test_evenness() -> None:
    prev = np.array([0.5, 0.3, 0.2])
    t = Table.from_counts(np.outer([0.2, 0.4, 0.4], prev))
    spread = prev * (1 - prev)
    assert inf.evenness_plus(t) == pytest.approx(prev.prod() ** (2 / 3))
    assert inf.evenness_minus(t) == pytest.approx(spread.mean())
    assert inf.evenness_harmonic(t) == pytest.approx(3 / (1 / spread).sum())
    assert inf.evenness_minus(t) * inf.evenness_harmonic(t) == pytest.approx(0.0413, abs=1e-4)
    assert inf.evenness_plus(t) ** 2 == pytest.approx(0.0093, abs=1e-4)  # not the same at K = 3
    even = Table.from_counts(np.ones((3, 3)))
    assert inf.evenness_plus(even) == pytest.approx(1 / 9)
    assert inf.evenness_minus(even) == pytest.approx(2 / 9) == inf.evenness_harmonic(even)
    assert inf.evenness_factor(even) == pytest.approx(1)
    same(inf.evenness_plus(FULL2) ** 2, inf.evenness_minus(FULL2) * inf.evenness_harmonic(FULL2))
    same(inf.evenness_minus(FULL2), inf.prevalence(FULL2) * inf.inverse_prevalence(FULL2))


def mixtures(k: int, n: int = 40) -> list[tuple[float, Table]]:
    """Systems that know a share of the cases and guess the others, in any way."""
    rng = np.random.default_rng(k)
    known, (real, guess) = rng.uniform(0.05, 0.95, n), rng.dirichlet(np.full(k, 2.0), (2, n))
    return [(b, Table.mixture(b, prevalence=p, guess=g)) for b, p, g in zip(known, real, guess, strict=True)]


def root_of_determinant(t: Table) -> float:
    return float(np.linalg.det(t.counts / t.n) ** (1 / (t.k - 1)))


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6])
def test_the_evenness_of_informedness(k: int) -> None:
    """Where a system knows or guesses: det(p)^(1/(K−1)) = B·(∏ Prev)^(1/(K−1)), by numpy's determinant."""
    for b, t in mixtures(k):
        assert inf.informedness(t) == pytest.approx(b, rel=1e-9)
        assert root_of_determinant(t) / inf.evenness_det(t) == pytest.approx(b, rel=1e-9)


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6])
def test_markedness_has_no_such_evenness_beyond_two_classes(k: int) -> None:
    off = [root_of_determinant(t) / inf.evenness_det(t, of="predicted") - inf.markedness(t) for _, t in mixtures(k)]
    if k == 2:
        assert np.abs(off).max() < 1e-9
    else:
        assert np.median(np.abs(off)) > 1e-3


def test_the_error_of_informedness_is_no_function_of_evenness() -> None:
    """Labels exchanged: every evenness is the same, and the variance over all shufflings of six cases is not."""
    real, said = [0, 0, 0, 1, 1, 2], ([0, 0, 0, 1, 1, 2], [2, 2, 2, 1, 1, 0])
    spread = []
    for predicted in said:
        shuffled = Table.from_counts([np.eye(3)[:, list(p)] @ np.eye(3)[real] for p in set(permutations(predicted))])
        variance = float(np.var(inf.informedness(shuffled)))
        same(null_variance(shuffled), 5 * variance)
        forms = inf.evenness_plus, inf.evenness_minus, inf.evenness_harmonic, inf.evenness_det
        spread.append((variance, *(float(np.ravel(f(shuffled, of="both"))[0]) for f in forms)))
    (alike, *even), (apart, *as_even) = spread
    same(even, as_even)
    assert alike > 1.4 * apart


def test_evenness_of_one_class_and_of_an_empty_class() -> None:
    alone = Table.from_labels(real=["a", "a"], predicted=["a", "a"])
    assert np.isnan(inf.evenness_det(alone))
    assert inf.why(alone, "evenness_det") == "there is only one class, 'a'"
    assert inf.evenness_det(Table.from_counts([[3, 1, 0], [2, 4, 0], [0, 0, 0]])) == 0
    assert inf.evenness_det(Table.from_counts(np.ones((3, 3)))) == pytest.approx(3**-1.5)


@settings(max_examples=15, deadline=None)
@given(lopsided(3))
def test_weightings_stay_in_order_however_lopsided(t: Table) -> None:
    assert -1 <= inf.informedness(t) <= 1 + 1e-12
    assert abs(inf.cohen_kappa(t)) <= abs(inf.matthews(t)) + 1e-5
    assert inf.scott_pi(t) <= inf.cohen_kappa(t) + 1e-9


# ---------------------------------------------------------------- F.3: tempting but false


def test_fallout_is_not_the_miss_rate_where_bias_is_prevalence() -> None:
    t = Table.from_counts([[8, 2], [2, 88]])
    assert inf.bias(t) == inf.prevalence(t)
    assert inf.fallout(t) == pytest.approx(0.022, abs=5e-4)
    assert inf.miss_rate(t) == pytest.approx(0.2)


def test_informedness_may_equal_markedness_though_bias_is_not_prevalence() -> None:
    t = Table.from_counts([[25, 45], [5, 25]])
    assert inf.bias(t) != inf.prevalence(t)
    assert inf.informedness(t) == pytest.approx(inf.markedness(t)) == pytest.approx(0.190, abs=5e-4)


def test_41_is_not_42() -> None:
    t = Table.from_counts([[32, 0, 34], [8, 9, 8], [37, 0, 16]])
    assert inf.informedness(t) == pytest.approx(-0.056, abs=5e-4)
    assert inf.informedness(t, weighting="bias") == pytest.approx(0.054, abs=5e-4)
    p, prev, bias = t.counts / t.n, t.prevalence, t.bias
    printed = sum(  # equation (41) with its bracket as printed
        bias[label] * p[label, c] / (prev[label] - (c != label)) for label in range(3) for c in range(3)
    )
    assert printed == pytest.approx(inf.informedness(t, weighting="bias"))
    corrected = sum(prev[label] * p[label, c] / (prev[label] - (c != label)) for label in range(3) for c in range(3))
    assert corrected == pytest.approx(inf.informedness(t))


def test_guessing_may_pay_under_bias_weighting() -> None:
    t = np.array([[32, 0, 34], [8, 9, 8], [37, 0, 16]])
    half = Table.from_counts(0.5 * t + 0.5 * np.outer([0, 1, 0], t.sum(axis=0)), rows="predicted")
    assert inf.informedness(half, weighting="bias") == pytest.approx(0.234, abs=5e-4)
    u = np.array([[30, 1, 1], [1, 20, 24], [1, 24, 20]])
    before = inf.informedness(Table.from_counts(u, rows="predicted"), weighting="bias")
    best = max(
        inf.informedness(Table.from_counts(0.8 * u + 0.2 * np.outer(np.eye(3)[i], u.sum(axis=0))), weighting="bias")
        for i in range(3)
    )
    assert (before, best) == (pytest.approx(0.328, abs=5e-4), pytest.approx(0.357, abs=5e-4))


def test_42_depends_on_prevalence_for_three_classes() -> None:
    assert inf.informedness(THREE) == pytest.approx(0.440, abs=5e-4)
    resampled = Table.from_counts(THREE.counts * [1, 5, 0.3])
    assert inf.informedness(resampled) == pytest.approx(0.364, abs=5e-4)


def test_perversion_does_not_negate_for_three_classes_nor_kappa_for_two() -> None:
    perverse = [inf.informedness(Table.from_counts(THREE.counts[list(order)])) for order in permutations(range(3))]
    assert any(x == pytest.approx(-0.195, abs=5e-4) for x in perverse)
    assert not any(x == pytest.approx(-0.440, abs=5e-3) for x in perverse)
    assert inf.cohen_kappa(POWERS_A) == pytest.approx(0.2126, abs=5e-5)
    swapped = Table.from_counts(POWERS_A.counts[::-1])
    assert inf.cohen_kappa(swapped) == pytest.approx(-0.1456, abs=5e-5)


def test_kappa_is_not_the_harmonic_mean() -> None:
    b, m = inf.informedness(POWERS_A), inf.markedness(POWERS_A)
    assert 2 * b * m / (b + m) == pytest.approx(0.2160, abs=5e-5)
    assert inf.cohen_kappa(POWERS_A) == pytest.approx(0.2126, abs=5e-5)


def test_a_higher_kappa_correlation_or_f_is_no_higher_informedness() -> None:
    assert inf.informedness(POWERS_A) < inf.informedness(POWERS_B)
    for f in (inf.cohen_kappa, inf.correlation, inf.f1, inf.markedness, inf.accuracy):
        assert f(POWERS_A) > f(POWERS_B)


def test_informedness_and_markedness_may_differ_in_sign() -> None:
    t = Table.from_counts([[8, 1, 15], [1, 0, 12], [0, 3, 1]])
    assert inf.informedness(t) == pytest.approx(-0.082, abs=5e-4)
    assert inf.markedness(t) == pytest.approx(0.069, abs=5e-4)
    assert inf.correlation(t) == 0


def test_a_larger_determinant_is_no_higher_informedness() -> None:
    """Two tables of one prevalence, found among all 3x3 tables with 2 cases a class."""
    t = every_table(3, 3, 6)
    t = t[(t.real_totals == 2).all(axis=0)]
    b, det = np.asarray(inf.informedness(t)), np.abs(np.linalg.det(t.counts))
    better = b[:, None] > b + 0.1
    assert (better & (det[:, None] < det - 0.1)).any()
    unused = Table.from_counts([[10, 0, 0], [0, 10, 10], [0, 0, 0]])
    assert inf.informedness_det(unused) == 0
    assert inf.informedness(unused) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("counts", "before", "after"),
    [([[30, 5, 1], [5, 30, 1], [1, 1, 10]], 0.722, 0.806), ([[28, 3, 21], [13, 29, 28], [3, 0, 11]], 0.305, 0.144)],
)
def test_merging_classes_is_not_monotone(counts: list[list[int]], before: float, after: float) -> None:
    t = Table.from_counts(counts)
    assert inf.informedness(t) == pytest.approx(before, abs=5e-4)
    merged = [inf.informedness(t.collapse({"both": pair})) for pair in ([0, 1], [0, 2], [1, 2])]
    assert any(x == pytest.approx(after, abs=5e-4) for x in merged)


def test_information_does_not_order_like_correlation() -> None:
    t, u = Table.from_counts([[2, 183], [118, 93]]), Table.from_counts([[114, 2], [2, 11]])
    assert abs(inf.correlation(t)) == pytest.approx(0.595, abs=5e-4)
    assert abs(inf.correlation(u)) == pytest.approx(0.829, abs=5e-4)
    assert inf.mutual_information(t) == pytest.approx(0.220, abs=5e-4)
    assert inf.mutual_information(u) == pytest.approx(0.205, abs=5e-4)


def test_the_largest_diagonal_is_not_the_most_informed_labelling() -> None:
    t = np.array([[2, 9, 3], [0, 5, 0], [0, 3, 1]])
    ways = [Table.from_counts(t[list(order)], rows="predicted") for order in permutations(range(3))]
    hits = [np.trace(w.counts) for w in ways]
    informed = [inf.informedness(w) for w in ways]
    assert informed[int(np.argmax(hits))] == pytest.approx(-0.229, abs=5e-4)
    assert max(informed) == pytest.approx(0.271, abs=5e-4)


def test_the_rand_index_is_not_accuracy() -> None:
    assert inf.rand_index(POWERS_A) == pytest.approx(0.5604, abs=5e-5)
    assert inf.accuracy(POWERS_A) == pytest.approx(0.68)


# ---------------------------------------------------------------- F.4


def test_the_nearest_corner_is_not_the_most_informed_point() -> None:
    one = Table.from_counts([[60, 0], [40, 100]])  # (fpr, tpr) = (0, .6)
    other = Table.from_counts([[80, 25], [20, 75]])  # (.25, .8)
    assert inf.informedness(one) == pytest.approx(0.60)
    assert inf.informedness(other) == pytest.approx(0.55)
    assert inf.roc_distance(one) == pytest.approx(0.40)
    assert inf.roc_distance(other) == pytest.approx(0.32, abs=5e-3)
