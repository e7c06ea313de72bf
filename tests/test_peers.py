"""Agreement with scikit-learn and scipy, wherever they define the same thing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from sklearn import metrics  # type: ignore[import-untyped,unused-ignore]  # it has no types

import informed
from informed import Table

Labels = NDArray[np.int64]
SEEDS = range(6)


def drawn(seed: int, k: int = 4, n: int = 300) -> tuple[Labels, Labels, Table]:
    """Real and predicted labels that are right about half of the time, every class among them."""
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.full(k, 3.0))
    real = rng.choice(k, n, p=weights)
    guess = rng.choice(k, n, p=rng.dirichlet(np.full(k, 3.0)))
    predicted = np.where(rng.random(n) < 0.5, real, guess)
    real[:k], predicted[:k] = np.arange(k), np.roll(np.arange(k), 1)
    return real, predicted, Table.from_labels(real=real, predicted=predicted)


def is_(ours: Any, theirs: Any, tolerance: float = 1e-10) -> None:
    np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("k", [2, 3, 6])
def test_confusion_matrix(seed: int, k: int) -> None:
    real, predicted, t = drawn(seed, k)
    theirs = metrics.confusion_matrix(real, predicted)
    assert (t.counts == theirs.T).all()
    assert Table.from_counts(theirs, labels=range(k), rows="real") == t
    is_(t.one_vs_rest().counts[:, ::-1, ::-1], np.swapaxes(metrics.multilabel_confusion_matrix(real, predicted), 1, 2))


AVERAGES = {"macro": "macro", "micro": "micro", "prevalence": "weighted"}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("average", AVERAGES)
def test_averages(seed: int, average: Any) -> None:
    real, predicted, t = drawn(seed)
    theirs = {"average": AVERAGES[average]}
    is_(informed.recall(t, average=average), metrics.recall_score(real, predicted, **theirs))
    is_(informed.precision(t, average=average), metrics.precision_score(real, predicted, **theirs))
    is_(informed.f1(t, average=average), metrics.f1_score(real, predicted, **theirs))
    is_(informed.jaccard(t, average=average), metrics.jaccard_score(real, predicted, **theirs))
    for beta in (0.5, 2.0):
        score = metrics.fbeta_score(real, predicted, beta=beta, **theirs)
        is_(informed.f_beta(t, beta=beta, average=average), score)


@pytest.mark.parametrize("seed", SEEDS)
def test_each_class(seed: int) -> None:
    real, predicted, t = drawn(seed)
    p, r, f, n = metrics.precision_recall_fscore_support(real, predicted)
    for name, theirs in (("precision", p), ("recall", r), ("f1", f)):
        is_(informed.find(name).per_class(t), theirs)
    is_(t.real_totals, n)
    is_(informed.find("jaccard").per_class(t), metrics.jaccard_score(real, predicted, average=None))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("k", [2, 5])
def test_overall(seed: int, k: int) -> None:
    real, predicted, t = drawn(seed, k)
    is_(informed.accuracy(t), metrics.accuracy_score(real, predicted))
    is_(informed.error_rate(t), metrics.hamming_loss(real, predicted))
    is_(informed.error_rate(t), metrics.zero_one_loss(real, predicted))
    is_(informed.balanced_accuracy(t), metrics.balanced_accuracy_score(real, predicted))
    adjusted = metrics.balanced_accuracy_score(real, predicted, adjusted=True)
    is_(informed.informedness_trace(t), adjusted)
    is_(informed.matthews(t), metrics.matthews_corrcoef(real, predicted))
    is_(informed.cohen_kappa(t), metrics.cohen_kappa_score(real, predicted))
    for weights in ("linear", "quadratic"):
        theirs = metrics.cohen_kappa_score(real, predicted, weights=weights)
        is_(informed.weighted_kappa(t, disagreement=weights), theirs)


@pytest.mark.parametrize("seed", SEEDS)
def test_two_classes(seed: int) -> None:
    real, predicted, t = drawn(seed, 2)
    assert t.positive == 1
    plus, minus = metrics.class_likelihood_ratios(real, predicted)
    is_(informed.lr(t), plus)
    is_(informed.nlr(t), minus)
    is_(informed.auc_single(t), metrics.roc_auc_score(real, predicted))
    is_(informed.informedness(t), 2 * metrics.roc_auc_score(real, predicted) - 1)
    is_(informed.correlation(t), stats.pearsonr(real, predicted).statistic)
    is_(informed.informedness(t), stats.linregress(real, predicted).slope)
    is_(informed.markedness(t), stats.linregress(predicted, real).slope)
    is_(informed.odds_ratio(t), stats.contingency.odds_ratio(t.counts.astype(int), kind="sample").statistic)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("k", [2, 5])
def test_clusterings(seed: int, k: int) -> None:
    real, predicted, t = drawn(seed, k)
    is_(informed.mutual_information(t), metrics.mutual_info_score(real, predicted))
    for mean in ("arithmetic", "geometric", "min", "max"):
        theirs = metrics.normalized_mutual_info_score(real, predicted, average_method=mean)
        is_(informed.normalized_mutual_information(t, mean=mean), theirs)
        theirs = metrics.adjusted_mutual_info_score(real, predicted, average_method=mean)
        is_(informed.adjusted_mutual_information(t, mean=mean), theirs)
    is_(informed.adjusted_rand_index(t), metrics.adjusted_rand_score(real, predicted))
    is_(informed.rand_index(t), metrics.rand_score(real, predicted))
    is_(informed.fowlkes_mallows_pairs(t), metrics.fowlkes_mallows_score(real, predicted))
    is_(informed.uncertainty(t), metrics.homogeneity_score(real, predicted))
    is_(informed.uncertainty_predicted(t), metrics.completeness_score(real, predicted))
    is_(informed.normalized_mutual_information(t), metrics.v_measure_score(real, predicted))
    is_(informed.entropy_real(t), stats.entropy(t.prevalence))
    is_(informed.joint_entropy(t), stats.entropy(t.counts.ravel()))


@pytest.mark.parametrize(("rows", "columns"), [(3, 5), (6, 2), (4, 4)])
def test_rectangular(rows: int, columns: int) -> None:
    rng = np.random.default_rng(rows)
    real, predicted = rng.integers(0, columns, 200), rng.integers(0, rows, 200)
    predicted = np.where(rng.random(200) < 0.4, real % rows, predicted)
    t = Table.from_labels(real=real, predicted=predicted, square=False)
    is_(informed.adjusted_mutual_information(t), metrics.adjusted_mutual_info_score(real, predicted))
    is_(informed.adjusted_rand_index(t), metrics.adjusted_rand_score(real, predicted))
    is_(informed.mutual_information(t), metrics.mutual_info_score(real, predicted))
    counts = t.counts.astype(int)
    is_(informed.cramers_v(t), stats.contingency.association(counts, method="cramer"))
    is_(informed.tschuprows_t(t), stats.contingency.association(counts, method="tschuprow"))
    is_(informed.contingency_coefficient(t), stats.contingency.association(counts, method="pearson"))
    is_(informed.spearman(t), stats.spearmanr(real, predicted).statistic)
    is_(t.expected, stats.contingency.expected_freq(counts))


@pytest.mark.parametrize("seed", SEEDS)
def test_ranks_and_chi_squared(seed: int) -> None:
    from informed.measures.association import chi_squared

    real, predicted, t = drawn(seed, 5)
    is_(informed.spearman(t), stats.spearmanr(real, predicted).statistic)
    is_(chi_squared(t), stats.chi2_contingency(t.counts, correction=False).statistic)


@pytest.mark.parametrize("n", [2_000, 200_000])
def test_adjusted_information_of_many_cases(n: int) -> None:
    """Wide distributions are summed in steps; the answer must not show it."""
    rng = np.random.default_rng(n)
    counts = rng.multinomial(n, rng.dirichlet(np.ones(9))).reshape(3, 3)
    theirs = metrics.cluster.expected_mutual_information(counts, n)
    from informed.measures.information import expected_mutual_information

    is_(expected_mutual_information(Table.from_counts(counts, rows="predicted")), theirs, 1e-8)


@pytest.mark.parametrize("seed", SEEDS)
def test_weighted_cases(seed: int) -> None:
    real, predicted, _ = drawn(seed, 3)
    weights = np.random.default_rng(seed).exponential(size=len(real))
    t = Table.from_labels(real=real, predicted=predicted, weights=weights)
    given = {"sample_weight": weights}
    is_(t.counts, metrics.confusion_matrix(real, predicted, **given).T)
    is_(informed.accuracy(t), metrics.accuracy_score(real, predicted, **given))
    is_(informed.balanced_accuracy(t), metrics.balanced_accuracy_score(real, predicted, **given))
    is_(informed.matthews(t), metrics.matthews_corrcoef(real, predicted, **given))
    is_(informed.cohen_kappa(t), metrics.cohen_kappa_score(real, predicted, **given))
    score = metrics.f1_score(real, predicted, average="macro", **given)
    is_(informed.f1(t, average="macro"), score)
    assert t.squares is not None
    assert t.squares.sum() == pytest.approx((weights**2).sum())


def test_tetrachoric_against_the_bivariate_normal() -> None:
    """At the found correlation, scipy's bivariate normal puts tp into the quadrant."""
    rng = np.random.default_rng(8)
    t = Table.from_counts(rng.integers(1, 60, (25, 2, 2)))
    rho = np.asarray(informed.tetrachoric(t))
    h, k = (np.asarray(stats.norm.ppf(f(t))) for f in (informed.bias, informed.prevalence))
    for i in range(len(t)):
        normal = stats.multivariate_normal(cov=[[1, rho[i]], [rho[i], 1]])
        assert normal.cdf([h[i], k[i]]) == pytest.approx(t.counts[i, 0, 0] / t.total[i], abs=1e-7)
