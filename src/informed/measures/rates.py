"""One cell over one margin: what is right or wrong among the real, among the predicted, in all."""

from __future__ import annotations

import numpy as np

from informed._arrays import Array, ratio
from informed.evidence.table import Table
from informed.measures import slopes
from informed.measures.registry import Facts, Parts


@Facts(
    title="Recall", clinical="Sensitivity",
    tex=r"\frac{TP}{RP}", needs=("real positives",), best=1, chance="bias", ignores=("prevalence",),
    dual="precision", inverse="inverse_recall", classes="two", is_share=True,
    aka=("sensitivity", "tpr", "true_positive_rate", "hit_rate", "probability_of_detection"), refs=("powers2011 (1)",),
    asks="who finds more of the positive class",
)  # fmt: skip
def recall(t: Table) -> Parts:
    """Share of the real positives that were predicted positive.

    >>> recall(Table.from_counts([[8, 1], [2, 9]]))
    0.8
    """
    return t.tp, t.rp


@Facts(
    title="Precision", clinical="PPV",
    tex=r"\frac{TP}{PP}", needs=("predicted positives",), best=1, chance="prevalence",
    ignores=("bias",), dual="recall", inverse="inverse_precision", classes="two", is_share=True,
    aka=("confidence", "success_ratio", "tpa", "true_positive_accuracy", "ppv", "positive_predictive_value"),
    refs=("powers2011 (2)",),
    asks="whose positive answers are right more often",
)  # fmt: skip
def precision(t: Table) -> Parts:
    """Share of the predicted positives that really are positive.

    >>> precision(Table.from_counts([[8, 2], [1, 9]]))
    0.8
    """
    return t.tp, t.pp


@Facts(
    title="Inverse recall", clinical="Specificity",
    tex=r"\frac{TN}{RN}", needs=("real negatives",), best=1, chance="inverse_bias",
    ignores=("prevalence",), dual="inverse_precision", inverse="recall", classes="two", is_share=True,
    aka=("specificity", "tnr", "true_negative_rate", "selectivity", "irecall"), refs=("powers2011 (3)",),
    asks="who gives fewer false alarms",
)  # fmt: skip
def inverse_recall(t: Table) -> Parts:
    """Share of the real negatives that were predicted negative.

    >>> inverse_recall(Table.from_counts([[8, 1], [2, 9]]))
    0.9
    """
    return t.tn, t.rn


@Facts(
    title="Inverse precision", clinical="NPV", tex=r"\frac{TN}{PN}", needs=("predicted negatives",), best=1,
    chance="inverse_prevalence", ignores=("bias",), dual="inverse_recall", inverse="precision", classes="two",
    is_share=True, aka=("npv", "negative_predictive_value", "tna", "true_negative_accuracy", "iprecision"),
    refs=("powers2011 (4)",),
)  # fmt: skip
def inverse_precision(t: Table) -> Parts:
    """Share of the predicted negatives that really are negative.

    >>> inverse_precision(Table.from_counts([[8, 2], [1, 9]]))
    0.9
    """
    return t.tn, t.pn


@Facts(
    title="Fallout", clinical="False positive rate",
    tex=r"\frac{FP}{RN}", needs=("real negatives",), best=0, chance="bias", ignores=("prevalence",),
    dual="false_negative_accuracy", inverse="miss_rate", classes="two", is_share=True,
    aka=("fpr", "false_positive_rate", "false_alarm_rate", "probability_of_false_detection"),
    refs=("powers2011 (8), denominator corrected",),
)  # fmt: skip
def fallout(t: Table) -> Parts:
    """Share of the real negatives that were predicted positive.

    >>> fallout(Table.from_counts([[8, 1], [2, 9]]))
    0.1
    """
    return t.fp, t.rn


@Facts(
    title="Miss rate", clinical="False negative rate",
    tex=r"\frac{FN}{RP}", needs=("real positives",), best=0, chance="inverse_bias",
    ignores=("prevalence",), dual="false_positive_accuracy", inverse="fallout", classes="two", is_share=True,
    aka=("fnr", "false_negative_rate"), refs=("powers2011 (9), denominator corrected",),
)  # fmt: skip
def miss_rate(t: Table) -> Parts:
    """Share of the real positives that were predicted negative.

    >>> miss_rate(Table.from_counts([[8, 1], [2, 9]]))
    0.2
    """
    return t.fn, t.rp


@Facts(
    title="False positive accuracy", clinical="False discovery rate",
    tex=r"\frac{FP}{PP}", needs=("predicted positives",), best=0,
    chance="inverse_prevalence", ignores=("bias",), dual="miss_rate", inverse="false_negative_accuracy", classes="two",
    is_share=True, aka=("fpa", "fdr", "false_discovery_rate", "false_alarm_ratio"), refs=("powers2011 (15)",),
)  # fmt: skip
def false_positive_accuracy(t: Table) -> Parts:
    """Share of the predicted positives that really are negative.

    >>> false_positive_accuracy(Table.from_counts([[8, 2], [1, 9]]))
    0.2
    """
    return t.fp, t.pp


@Facts(
    title="False negative accuracy", clinical="False omission rate",
    tex=r"\frac{FN}{PN}", needs=("predicted negatives",), best=0, chance="prevalence",
    ignores=("bias",), dual="fallout", inverse="false_positive_accuracy", classes="two", is_share=True,
    aka=("fna", "false_omission_rate"), refs=("powers2011 (15)",),
)  # fmt: skip
def false_negative_accuracy(t: Table) -> Parts:
    """Share of the predicted negatives that really are positive.

    >>> false_negative_accuracy(Table.from_counts([[8, 2], [1, 9]]))
    0.1
    """
    return t.fn, t.pn


@Facts(
    title="Accuracy", tex=r"\frac{1}{N}\sum_l n_{ll}", best=1, chance="chance_agreement", is_share=True,
    slopes=slopes.accuracy, hits=1,
    aka=("rand_accuracy", "tca", "tcr", "av_recall", "av_precision", "wav", "proportion_correct"),
    refs=("powers2011 (5)",),
    asks="who is right more often, so that the largest class counts most",
)  # fmt: skip
def accuracy(t: Table) -> Parts:
    """Share of the cases whose prediction is right.

    It is the prevalence-weighted mean of the recalls and the bias-weighted mean of the
    precisions of the classes. It is not the Rand *index*, which counts pairs.

    >>> accuracy(Table.from_counts([[8, 2], [1, 9]]))
    0.85
    """
    return t.hits.sum(axis=0), t.total


@Facts(
    title="Error rate", tex=r"1 - \frac{1}{N}\sum_l n_{ll}", best=0, is_share=True, hits=-1,
    aka=("hamming_loss", "zero_one_loss", "misclassification_rate"), refs=("powers2011",),
)  # fmt: skip
def error_rate(t: Table) -> Parts:
    """Share of the cases whose prediction is wrong.

    >>> error_rate(Table.from_counts([[8, 2], [1, 9]]))
    0.15
    """
    return t.total - t.hits.sum(axis=0), t.total


@Facts(
    title="Balanced accuracy", tex=r"\frac{1}{K}\sum_l \frac{n_{ll}}{R_l}", needs=("every real class",), best=1,
    ignores=("prevalence",), dual="balanced_precision", difference=True, hits=lambda t: ratio(1, t.real_totals),
    aka=("mean_recall", "macro_recall", "unweighted_average_recall"), refs=("brodersen2010",),
)  # fmt: skip
def balanced_accuracy(t: Table) -> Array:
    """Mean recall of the classes, each counted alike however rare it is.

    Guessing scores 1/K, so that it must not be read beside an accuracy; its version corrected
    for chance is `informedness_trace`.

    >>> round(balanced_accuracy(Table.from_counts([[8, 1], [2, 9]])), 12)
    0.85
    """
    return np.asarray(ratio(t.hits, t.real_totals).mean(axis=0))


@Facts(
    title="Balanced precision", tex=r"\frac{1}{K}\sum_l \frac{n_{ll}}{P_l}", needs=("every predicted label",), best=1,
    ignores=("bias",), dual="balanced_accuracy", difference=True, hits=lambda t: ratio(1, t.predicted_totals),
    aka=("mean_precision", "macro_precision"), refs=("powers2011",),
)  # fmt: skip
def balanced_precision(t: Table) -> Array:
    """Mean precision of the labels, each counted alike however seldom it is used.

    >>> round(balanced_precision(Table.from_counts([[8, 2], [1, 9]])), 12)
    0.85
    """
    return np.asarray(ratio(t.hits, t.predicted_totals).mean(axis=0))


@Facts(
    title="G-mean", tex=r"\Bigl(\prod_l \frac{n_{ll}}{R_l}\Bigr)^{1/K}", needs=("every real class",), best=1,
    ignores=("prevalence",), dual=None, aka=("geometric_mean_score",), refs=("kubat1997",),
)  # fmt: skip
def g_mean(t: Table) -> Array:
    """Geometric mean of the recalls: 0 as soon as one class is never found.

    >>> g_mean(Table.from_counts([[9, 6], [1, 4]]))
    0.6
    """
    recalls = ratio(t.hits, t.real_totals)
    return np.asarray(np.prod(recalls ** (1 / len(recalls)), axis=0))
