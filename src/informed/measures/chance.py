"""How much better than chance: informedness, markedness, correlation, and their determinants.

For label l of K, B(l) = recall(l) − fallout(l) and M(l) = precision(l) − false omission(l).
Informedness is Σ Prev(l)·B(l), which is 1 − Σ fallout(l); markedness is its exact dual. In that
form an empty class or label needs no special case, and nothing cancels near 1.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from informed._arrays import Array, difference, ratio
from informed.errors import MeasureError, one_of
from informed.evidence.table import Table
from informed.measures import slopes
from informed.measures.registry import Facts

Weighting = Literal["prevalence", "bias", "uniform", "evenness"]
Exponent = Literal["exact", "2/K", "1/(3K-2)", "4/(3K-2)"]
_DUAL = {"prevalence": "bias", "bias": "prevalence", "uniform": "uniform", "evenness": "evenness"}


@Facts(
    title="Informedness", clinical="Youden's J",
    tex=r"\sum_l \mathrm{Prev}_l B_l = 1 - \sum_l \frac{P_l - n_{ll}}{N - R_l}", bounds=(-1, 1),
    needs=("two real classes",), best=1, chance=0, ignores=("prevalence",), ignores_for_two=True, dual="markedness",
    limit=0, difference=True, slopes=slopes.informedness,
    hits=lambda t, weighting="prevalence": _weights_of_hits(t, weighting), powers=True,
    aka=("bookmaker", "bookmaker_informedness", "bm", "youden_j", "youden", "j_index", "deltap_prime",
        "peirce_skill_score", "hanssen_kuipers", "true_skill_statistic", "tss", "gini", "kappa_of_recall"),
    refs=("powers2003", "powers2011 (15), (42)", "peirce1884", "youden1950"),
    asks="who tells the classes apart more often, whatever their sizes",
)  # fmt: skip
def informedness(t: Table, *, weighting: Weighting = "prevalence") -> Array:
    """Probability that a prediction is informed about reality rather than guessed.

    For two classes it is recall + inverse recall − 1, whatever the prevalence; for more it is the
    gain per case of a bettor at fair odds. `weighting="bias"` is the 2003 paper and the author's
    scripts, "uniform" the plain mean of the classes, "evenness" the form whose geometric mean
    with its dual is Matthews' R_K.

    >>> informedness(Table.from_counts([[8, 3], [2, 7]]))
    0.5
    """
    if weighting == "prevalence":
        missed = ratio(t.false_alarms, t.real_rest)
        return difference(1, missed.sum(axis=0), terms=t.k)
    return _weighted(t, weighting)


@Facts(
    title="Markedness", clinical="PSI",
    tex=r"\sum_l \mathrm{Bias}_l M_l = 1 - \sum_l \frac{R_l - n_{ll}}{N - P_l}", bounds=(-1, 1),
    needs=("two predicted labels",), best=1, chance=0, ignores=("bias",), ignores_for_two=True, dual="informedness",
    limit=0, difference=True, slopes=slopes.markedness,
    hits=lambda t, weighting="bias": _weights_of_hits(t.answered.dual, _DUAL[weighting]), powers=True,
    aka=("deltap", "mk", "kappa_of_precision", "clayton_skill_score"), refs=("powers2011 (15), (43)",),
    asks="whose answers can be trusted further",
)  # fmt: skip
def markedness(t: Table, *, weighting: Weighting = "bias") -> Array:
    """Probability that reality is marked by the prediction rather than by chance.

    The dual of informedness: how far a prediction can be trusted, where informedness says how far
    reality was recognised. For two classes, precision + inverse precision − 1.

    >>> markedness(Table.from_counts([[8, 2], [3, 7]]))
    0.5
    """
    if weighting == "bias":
        missed = ratio(t.misses, t.predicted_rest)
        return difference(1, missed.sum(axis=0), terms=t.k)
    return _weighted(t.answered.dual, _DUAL.get(weighting, weighting))


def _weighted(t: Table, weighting: str) -> Array:
    """Informedness with the classes' B(l) = recall(l) − fallout(l) weighted another way."""
    one_of("weighting", weighting, _DUAL, MeasureError)
    if weighting == "evenness":
        return ratio(_covariance(t), (t.real_totals * t.real_rest).sum(axis=0))
    each = ratio(t.hits, t.real_totals) - ratio(t.false_alarms, t.real_rest)
    if weighting == "uniform":
        return np.asarray(each.mean(axis=0))
    return np.asarray((ratio(t.predicted_totals, t.total) * each).sum(axis=0))


def _weights_of_hits(t: Table, weighting: str) -> Array:
    """What a hit of each class adds to informedness where both margins are given."""
    real, rest = t.real_totals, t.real_rest
    weights: Array = {
        "prevalence": ratio(1, rest),
        "bias": ratio(t.predicted_totals, real * rest),
        "uniform": ratio(1, real * rest),
        "evenness": np.ones_like(real),
    }[weighting]
    return weights


@Facts(
    title="Correlation", tex=r"\mathrm{sign}(B+M)\sqrt{\max(B M, 0)}", bounds=(-1, 1),
    needs=("two real classes", "two predicted labels"), best=1, chance=0, limit=0,
    factors=("informedness", "markedness"), near="matthews", powers=True,
    aka=("bmg", "bookmarkg", "r_g", "bookmark_correlation", "phi", "pearson_rho"), refs=("powers2011 (19), (22)",),
)  # fmt: skip
def correlation(t: Table) -> Array:
    """Geometric mean of informedness and markedness: how well each side tells the other.

    For two classes it is Pearson's, Matthews' or the phi coefficient. For more, informedness and
    markedness may disagree in sign; the correlation is then 0.

    >>> round(correlation(Table.from_counts([[8, 3], [2, 7]])), 4)
    0.5025
    """
    if t.k == 2:
        return np.asarray(matthews(t))
    b, m = np.asarray(informedness(t)), np.asarray(markedness(t))
    return np.asarray(np.sign(b + m) * np.sqrt(np.maximum(b * m, 0)))


@Facts(
    title="Matthews correlation, R_K",
    tex=r"\frac{N\sum_l n_{ll} - \sum_l P_l R_l}{\sqrt{(N^2-\sum_l P_l^2)(N^2-\sum_l R_l^2)}}", bounds=(-1, 1),
    needs=("two real classes", "two predicted labels"), best=1, chance=0, limit=0,
    fraction=lambda t: ((t.tp * t.tn - t.fp * t.fn) ** 2, t.pp * t.pn * t.rp * t.rn), squared=True,
    factors=("informedness(weighting='evenness')", "markedness(weighting='evenness')"), slopes=slopes.matthews, hits=1,
    powers=True, refs=("matthews1975", "gorodkin2004"),
    aka=("mcc", "matthews_corrcoef", "matthews_correlation_coefficient", "matthews_correlation", "r_k", "gorodkin"),
    asks="both at once, who tells the classes apart and whose answers can be trusted",
)  # fmt: skip
def matthews(t: Table) -> Array:
    """Correlation of predicted and real class over all K indicator variables.

    For two classes the same number as `correlation`.

    >>> round(matthews(Table.from_counts([[8, 3], [2, 7]])), 4)
    0.5025
    """
    predicted = (t.predicted_totals * t.predicted_rest).sum(axis=0)
    real = (t.real_totals * t.real_rest).sum(axis=0)
    return ratio(_covariance(t), np.sqrt(predicted) * np.sqrt(real))


def _covariance(t: Table) -> Array:
    """N² times the sum over classes of the covariance of predicted and real."""
    if t.k == 2:
        (a, b), (c, d) = t.cells
        return np.asarray(2 * (a * d - b * c))
    apart = (t.predicted_totals * t.real_rest).sum(axis=0)
    return difference(apart, t.total * t.false_alarms.sum(axis=0), terms=t.k)


@Facts(
    title="Determination", tex=r"B \cdot M", needs=("two real classes", "two predicted labels"), best=1, chance=0,
    limit=0, classes="two", aka=("bookmark", "coefficient_of_determination", "phi_squared", "inertia"),
    refs=("powers2011",),
)  # fmt: skip
def determination(t: Table) -> Array:
    """Share of the variance of one side that the other explains: correlation squared.

    >>> round(determination(Table.from_counts([[8, 3], [2, 7]])), 4)
    0.2525
    """
    return np.asarray(np.asarray(matthews(t)) ** 2)


@Facts(
    title="Delta TP, the determinant of contingency", tex=r"tp - rp\cdot pp = tp\cdot tn - fp\cdot fn",
    bounds=(-0.25, 0.25), chance=0, classes="two", aka=("dtp", "dp", "determinant", "leverage", "delta_p_determinant"),
    refs=("powers2011 (24)",),
)  # fmt: skip
def delta_tp(t: Table) -> Array:
    """Share of the cases that are true positives beyond what chance would give.

    >>> delta_tp(Table.from_counts([[8, 3], [2, 7]]))
    0.125
    """
    (a, b), (c, d) = t.cells
    return ratio(a * d - b * c, t.total**2)


@Facts(
    title="Weighted relative accuracy", tex=r"4\,(tp - rp\cdot pp)", bounds=(-1, 1), chance=0, classes="two",
    aka=("weighted_relative_accuracy",), refs=("powers2011 (14)", "lavrac1999"),
)  # fmt: skip
def wracc(t: Table) -> Array:
    """Delta TP rescaled to [−1, 1], which even margins alone can reach.

    >>> wracc(Table.from_counts([[8, 3], [2, 7]]))
    0.5
    """
    return 4 * np.asarray(delta_tp(t))


@Facts(
    title="Gilbert skill score", tex=r"\frac{TP - E}{TP + FP + FN - E},\ E = \frac{PP \cdot RP}{N}", bounds=(-1 / 3, 1),
    needs=("cases", "a second label"), best=1, chance=0, limit=0, classes="two",
    aka=("equitable_threat_score", "ets", "gss"), refs=("gilbert1884", "schaefer1990"),
)  # fmt: skip
def gilbert_skill_score(t: Table) -> Array:
    """Jaccard index corrected for the hits that chance would give.

    It is to the Jaccard index what kappa is to accuracy, and rises with kappa alone.

    >>> gilbert_skill_score(Table.from_counts([[4, 2], [2, 4]]))
    0.2
    """
    (a, b), (c, d) = t.cells
    gain = a * d - b * c
    return ratio(gain, gain + t.total * (b + c))


@Facts(
    title="AUC of a single point", tex=r"\tfrac12 (1 + \mathrm{recall} - \mathrm{fallout})",
    needs=("two real classes",), best=1, chance=0.5, ignores=("prevalence",), dual="balanced_precision", limit=0.5,
    classes="two", difference=True, refs=("powers2011 (10)",),
)  # fmt: skip
def auc_single(t: Table) -> Array:
    """Area under the ROC curve of this one operating point: (1 + informedness) / 2.

    >>> auc_single(Table.from_counts([[8, 3], [2, 7]]))
    0.75
    """
    return (1 + np.asarray(informedness(t))) / 2


@Facts(
    title="Distance to perfection in ROC space", tex=r"\sqrt{\mathrm{fallout}^2 + \mathrm{miss\ rate}^2}",
    bounds=(0, np.sqrt(2)), needs=("two real classes",), best=0, ignores=("prevalence",), dual=None, classes="two",
    aka=("distance_to_corner",), refs=("powers2011",),
)  # fmt: skip
def roc_distance(t: Table) -> Array:
    """Distance of the operating point from the corner (0, 1) of the ROC plane.

    To minimise it is not to maximise informedness.

    >>> roc_distance(Table.from_counts([[6, 3], [4, 7]]))
    0.5
    """
    wrong = ratio(t.false_alarms, t.real_rest)
    return np.asarray(np.hypot(wrong[0], wrong[1]))


@Facts(
    title="Distance from the chance line in ROC space", tex=r"B / \sqrt{2}", bounds=(-np.sqrt(0.5), np.sqrt(0.5)),
    needs=("two real classes",), best=np.sqrt(0.5), chance=0, ignores=("prevalence",), dual=None, limit=0,
    classes="two", difference=True, refs=("powers2008",),
)  # fmt: skip
def chance_distance(t: Table) -> Array:
    """Distance of the operating point from the diagonal of the ROC plane, below it negative.

    >>> round(chance_distance(Table.from_counts([[8, 3], [2, 7]])), 4)
    0.3536
    """
    return np.asarray(informedness(t) / np.sqrt(2))


@Facts(
    title="Informedness, trace form", tex=r"\frac{\sum_l \mathrm{recall}_l - 1}{K - 1}", bounds=(-1, 1),
    needs=("every real class", "a second class"), best=1, chance=0, ignores=("prevalence",), dual="markedness_trace",
    difference=True, hits=lambda t: ratio(1, t.real_totals), aka=("adjusted_balanced_accuracy",), refs=("powers2011",),
)  # fmt: skip
def informedness_trace(t: Table) -> Array:
    """Mean recall corrected for chance: informedness that ignores prevalence for any K.

    >>> informedness_trace(Table.from_counts([[8, 3], [2, 7]]))
    0.5
    """
    return ratio(ratio(t.hits, t.real_totals).sum(axis=0) - 1, t.k - 1)


@Facts(
    title="Markedness, trace form", tex=r"\frac{\sum_l \mathrm{precision}_l - 1}{K - 1}", bounds=(-1, 1),
    needs=("every predicted label", "a second class"), best=1, chance=0, ignores=("bias",), dual="informedness_trace",
    difference=True, hits=lambda t: ratio(1, t.predicted_totals), refs=("powers2011",),
)  # fmt: skip
def markedness_trace(t: Table) -> Array:
    """Mean precision corrected for chance.

    >>> markedness_trace(Table.from_counts([[8, 2], [3, 7]]))
    0.5
    """
    return ratio(ratio(t.hits, t.predicted_totals).sum(axis=0) - 1, t.k - 1)


@Facts(
    title="Informedness, determinant form",
    tex=r"\mathrm{sign}(r)\,|r|^{1/(K-1)},\ r = \det(p) / \textstyle\prod_l \mathrm{Prev}_l", bounds=(-1, 1),
    needs=("every real class", "a second class"), best=1, chance=0, ignores=("prevalence",), dual="markedness_det",
    difference=True, aka=("determinant_informedness",), refs=("powers2011 (44)",),
)  # fmt: skip
def informedness_det(t: Table, *, exponent: Exponent = "exact") -> Array:
    """Informedness from the volume that the recalls span; exact where every class is known alike.

    The papers' exponents 2/K and 1/(3K−2) are kept; 1/(K−1) is the one that follows from the
    mixture of knowing and guessing. It is 0 when a label is never used, however good the rest.

    >>> round(informedness_det(Table.from_counts([[8, 3], [2, 7]])), 12)
    0.5
    """
    return _root_of_determinant(ratio(t.cells, t.real_totals), exponent)


@Facts(
    title="Markedness, determinant form",
    tex=r"\mathrm{sign}(r)\,|r|^{1/(K-1)},\ r = \det(p) / \textstyle\prod_l \mathrm{Bias}_l", bounds=(-1, 1),
    needs=("every predicted label", "a second class"), best=1, chance=0, ignores=("bias",), dual="informedness_det",
    difference=True, aka=("determinant_markedness",), refs=("powers2011 (45)",),
)  # fmt: skip
def markedness_det(t: Table, *, exponent: Exponent = "exact") -> Array:
    """Markedness from the volume that the precisions span.

    >>> round(markedness_det(Table.from_counts([[8, 2], [3, 7]])), 12)
    0.5
    """
    return _root_of_determinant(ratio(t.cells, t.predicted_totals[:, None]), exponent)


@Facts(
    title="Correlation, determinant form",
    tex=r"\mathrm{sign}(d)\,"
    r"|d / \sqrt{\textstyle\prod_l \mathrm{Prev}_l \mathrm{Bias}_l}|^{1/(K-1)}",
    bounds=(-1, 1), needs=("every real class", "every predicted label", "a second class"), best=1, chance=0,
    factors=("informedness_det", "markedness_det"), aka=("determinant_correlation",), refs=("powers2011 (46)",),
)  # fmt: skip
def correlation_det(t: Table, *, exponent: Exponent = "exact") -> Array:
    """Geometric mean of the two determinant forms.

    >>> round(correlation_det(Table.from_counts([[8, 3], [2, 7]])), 4)
    0.5025
    """
    scale = np.sqrt(t.predicted_totals[:, None]) * np.sqrt(t.real_totals)
    return _root_of_determinant(ratio(t.cells, scale), exponent)


def _root_of_determinant(cells: Array, exponent: str) -> Array:
    k = len(cells)
    exponents = {
        "exact": 1 / (k - 1) if k > 1 else np.nan,
        "2/K": 2 / k,
        "1/(3K-2)": 1 / (3 * k - 2),
        "4/(3K-2)": 4 / (3 * k - 2),
    }
    one_of("exponent", exponent, exponents, MeasureError)
    matrices = np.moveaxis(cells, (0, 1), (-2, -1))
    undefined = np.asarray(np.isnan(matrices).any(axis=(-2, -1)))
    safe = np.where(undefined[..., None, None], np.eye(k), matrices)
    sign, log = np.linalg.slogdet(safe)
    with np.errstate(divide="ignore"):  # a root would blow the rounding of a singular table up
        largest = np.log(np.linalg.norm(safe, axis=-1)).sum(axis=-1)
    sign = np.where(log <= largest + np.log(k * np.finfo(float).eps), 0.0, sign)
    return np.where(undefined, np.nan, sign * np.exp(log * exponents[exponent]))
