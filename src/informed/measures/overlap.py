"""Means of recall and precision: what is right among all that is real or predicted."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from informed._arrays import Array, mean_over, ratio
from informed.errors import MeasureError, one_of
from informed.evidence.table import Table
from informed.measures.registry import Facts, Parts

Weights = Literal["bias", "uniform", "prevalence"]


def _harmonic(k: Any, n: Any, t: Table) -> tuple[Any, Any]:
    """F1 from the Jaccard index j = k/n: 2j/(1 + j)."""
    return 2 * k, n + k


@Facts(
    title="F1", tex=r"\frac{2\,TP}{PP + RP}", needs=("positives",), best=1, inverse="inverse_f1", classes="two",
    share=lambda t: (t.tp, t.tp + t.fp + t.fn), of_share=_harmonic,
    aka=("f1_score", "dice", "f_factor", "positive_specific_agreement", "ps_plus", "sorensen_dice"),
    refs=("powers2011 (6)",),
    asks="who has more true positives for its errors, the true negatives not counted",
)  # fmt: skip
def f1(t: Table) -> Array:
    """Harmonic mean of recall and precision, which ignores the correct negatives.

    >>> f1(Table.from_counts([[8, 2], [2, 88]]))
    0.8
    """
    return ratio(2 * t.tp, t.pp + t.rp)


@Facts(
    title="Inverse F1", tex=r"\frac{2\,TN}{PN + RN}", needs=("negatives",), best=1, inverse="f1", classes="two",
    share=lambda t: (t.tn, t.tn + t.fp + t.fn), of_share=_harmonic, aka=("negative_specific_agreement", "ps_minus"),
    refs=("powers2003",),
)  # fmt: skip
def inverse_f1(t: Table) -> Array:
    """Harmonic mean of inverse recall and inverse precision: F1 of the negative class.

    >>> inverse_f1(Table.from_counts([[88, 2], [2, 8]]))
    0.8
    """
    return ratio(2 * t.tn, t.pn + t.rn)


@Facts(
    title="F with weight alpha on recall", tex=r"\frac{TP}{\alpha RP + (1-\alpha) PP}", needs=("positives",), best=1,
    inverse=None, classes="two", share=lambda t: (t.tp, t.tp + t.fp + t.fn), of_share=_harmonic, aka=("f_alpha",),
    refs=("powers2003",),
)  # fmt: skip
def f_measure(t: Table, *, alpha: float = 0.5) -> Array:
    """Weighted harmonic mean of recall (weight alpha) and precision (the rest).

    Van Rijsbergen's own alpha weighs precision instead. alpha = 1/2 is F1; beta of `f_beta`
    is related by alpha = beta² / (1 + beta²).

    >>> f_measure(Table.from_counts([[6, 4], [2, 8]]), alpha=1.0)
    0.75
    """
    if not 0 <= alpha <= 1:
        raise MeasureError(f"`alpha` is {alpha}; it must lie between 0 and 1.")
    return ratio(t.tp, alpha * t.rp + (1 - alpha) * t.pp)


@Facts(
    title="F-beta", tex=r"\frac{(1+\beta^2)\,TP}{\beta^2 RP + PP}", needs=("positives",), best=1, inverse=None,
    classes="two", share=lambda t: (t.tp, t.tp + t.fp + t.fn), of_share=_harmonic, aka=("fbeta", "fbeta_score"),
    refs=("vanrijsbergen1979",),
)  # fmt: skip
def f_beta(t: Table, *, beta: float = 1.0) -> Array:
    """F for someone who cares beta times as much about recall as about precision.

    >>> f_beta(Table.from_counts([[8, 2], [2, 88]]), beta=2)
    0.8
    """
    if not beta > 0:
        raise MeasureError(f"`beta` is {beta}; it must be positive.")
    return ratio((1 + beta**2) * t.tp, beta**2 * t.rp + t.pp)


@Facts(
    title="A-measure", tex=r"\tfrac12\Bigl(\frac{TP}{RP} + \frac{TP}{PP}\Bigr)",
    needs=("real positives", "predicted positives"), best=1, inverse="inverse_a", classes="two",
    aka=("arithmetic_mean_of_recall_and_precision",), refs=("powers2011",),
)  # fmt: skip
def a_measure(t: Table) -> Array:
    """Arithmetic mean of recall and precision.

    >>> a_measure(Table.from_counts([[6, 6], [2, 6]]))
    0.625
    """
    return (ratio(t.tp, t.rp) + ratio(t.tp, t.pp)) / 2


@Facts(
    title="Inverse A-measure", tex=r"\tfrac12\Bigl(\frac{TN}{RN} + \frac{TN}{PN}\Bigr)",
    needs=("real negatives", "predicted negatives"), best=1, inverse="a_measure", classes="two", refs=("powers2011",),
)  # fmt: skip
def inverse_a(t: Table) -> Array:
    """Arithmetic mean of inverse recall and inverse precision.

    >>> inverse_a(Table.from_counts([[6, 2], [6, 6]]))
    0.625
    """
    return (ratio(t.tn, t.rn) + ratio(t.tn, t.pn)) / 2


@Facts(
    title="G-measure", tex=r"\frac{TP}{\sqrt{RP \cdot PP}}", needs=("real positives", "predicted positives"), best=1,
    inverse="inverse_g", classes="two", aka=("fowlkes_mallows", "cosine_similarity", "ochiai"),
    refs=("powers2011", "fowlkes1983"),
)  # fmt: skip
def g_measure(t: Table) -> Array:
    """Geometric mean of recall and precision.

    >>> round(g_measure(Table.from_counts([[6, 2], [3, 9]])) ** 2, 12)
    0.5
    """
    return ratio(t.tp, np.sqrt(t.rp) * np.sqrt(t.pp))


@Facts(
    title="Inverse G-measure", tex=r"\frac{TN}{\sqrt{RN \cdot PN}}", needs=("real negatives", "predicted negatives"),
    best=1, inverse="g_measure", classes="two", refs=("powers2003",),
)  # fmt: skip
def inverse_g(t: Table) -> Array:
    """Geometric mean of inverse recall and inverse precision.

    >>> round(inverse_g(Table.from_counts([[9, 2], [3, 6]])) ** 2, 12)
    0.5
    """
    return ratio(t.tn, np.sqrt(t.rn) * np.sqrt(t.pn))


@Facts(
    title="Jaccard index", tex=r"\frac{TP}{TP + FP + FN}", needs=("positives",), best=1, inverse="inverse_jaccard",
    classes="two", is_share=True, aka=("tanimoto", "critical_success_index", "csi", "threat_score", "iou"),
    refs=("powers2011 (7)", "jaccard1912"),
)  # fmt: skip
def jaccard(t: Table) -> Parts:
    """Share of the right ones among all cases that are positive in reality or prediction.

    >>> jaccard(Table.from_counts([[6, 1], [3, 90]]))
    0.6
    """
    return t.tp, t.tp + t.fp + t.fn


@Facts(
    title="Inverse Jaccard index", tex=r"\frac{TN}{TN + FP + FN}", needs=("negatives",), best=1, inverse="jaccard",
    classes="two", is_share=True, refs=("powers2011",),
)  # fmt: skip
def inverse_jaccard(t: Table) -> Parts:
    """Jaccard index of the negative class.

    >>> inverse_jaccard(Table.from_counts([[90, 1], [3, 6]]))
    0.6
    """
    return t.tn, t.tn + t.fp + t.fn


@Facts(
    title="Average F over classes", tex=r"\Bigl(\sum_l w_l / F_1(l)\Bigr)^{-1}", best=1, dual=None, aka=("fav",),
    refs=("powers2003", "powers2008"),
)  # fmt: skip
def av_f(t: Table, *, weights: Weights = "prevalence") -> Array:
    """Harmonic mean of the classes' F1: 0 as soon as one class is never found.

    The papers weigh it in three ways: by bias (the 2003 spreadsheet), uniformly (its table of
    twelve classes) and by prevalence (Fav of the Monte Carlo figures).

    >>> av_f(Table.from_counts([[56, 24], [14, 6]]), weights="bias")
    0.525
    """
    each = ratio(2 * t.hits, t.predicted_totals + t.real_totals)
    return ratio(1.0, mean_over(_class_weights(t, weights), ratio(1.0, each)))


@Facts(
    title="Average G over classes", tex=r"\prod_l G(l)^{w_l}", needs=("cases", "a prediction of every real class"),
    best=1, dual=None, aka=("gav",), refs=("powers2003", "powers2008"),
)  # fmt: skip
def av_g(t: Table, *, weights: Weights = "prevalence") -> Array:
    """Geometric mean of the classes' G: 0 as soon as one class is never found.

    Weights as for `av_f`.

    >>> round(av_g(Table.from_counts([[56, 24], [14, 6]]), weights="bias"), 4)
    0.5985
    """
    each = ratio(t.hits, np.sqrt(t.predicted_totals) * np.sqrt(t.real_totals))
    w = _class_weights(t, weights)
    return np.asarray(np.prod(np.where(w == 0, 1.0, each**w), axis=0))


def _class_weights(t: Table, weights: str) -> Array:
    one_of("weights", weights, ("bias", "uniform", "prevalence"), MeasureError)
    if weights == "uniform":
        return np.full(t.hits.shape, 1 / t.k)
    return ratio(t.predicted_totals if weights == "bias" else t.real_totals, t.total)
