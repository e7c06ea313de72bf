"""The margins and what follows: prevalence, bias, skew, likelihood ratios, evenness, coverage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import MeasureError, one_of
from informed.evidence.cells import others
from informed.evidence.table import Table
from informed.measures import slopes
from informed.measures.chance import informedness
from informed.measures.registry import Facts, Parts

Side = Literal["real", "predicted", "both"]


@Facts(
    title="Prevalence", tex=r"\frac{RP}{N}", chance="prevalence", dual="bias", inverse="inverse_prevalence",
    classes="two", is_share=True, margins="real", aka=("base_rate", "pre_test_probability", "prev"),
    refs=("powers2011",),
)  # fmt: skip
def prevalence(t: Table) -> Parts:
    """Share of the cases that really are positive.

    >>> prevalence(Table.from_counts([[8, 2], [2, 28]]))
    0.25
    """
    return t.rp, t.total


@Facts(
    title="Inverse prevalence", clinical="Share without the disease",
    tex=r"\frac{RN}{N}", chance="inverse_prevalence", dual="inverse_bias",
    inverse="prevalence", classes="two", is_share=True, margins="real", aka=("iprev",), refs=("powers2011",),
)  # fmt: skip
def inverse_prevalence(t: Table) -> Parts:
    """Share of the cases that really are negative.

    >>> inverse_prevalence(Table.from_counts([[8, 2], [2, 28]]))
    0.75
    """
    return t.rn, t.total


@Facts(
    title="Bias", clinical="Apparent prevalence",
    tex=r"\frac{PP}{N}", chance="bias", dual="prevalence", inverse="inverse_bias", classes="two",
    is_share=True, margins="predicted", aka=("predicted_rate", "detection_prevalence", "label_bias"),
    refs=("powers2011",),
)  # fmt: skip
def bias(t: Table) -> Parts:
    """Share of the cases that were predicted positive.

    >>> bias(Table.from_counts([[8, 2], [2, 28]]))
    0.25
    """
    return t.pp, t.total


@Facts(
    title="Inverse bias", clinical="Share of negative tests",
    tex=r"\frac{PN}{N}", chance="inverse_bias", dual="inverse_prevalence", inverse="bias",
    classes="two", is_share=True, margins="predicted", aka=("ibias",), refs=("powers2011",),
)  # fmt: skip
def inverse_bias(t: Table) -> Parts:
    """Share of the cases that were predicted negative.

    >>> inverse_bias(Table.from_counts([[8, 2], [2, 28]]))
    0.75
    """
    return t.pn, t.total


@Facts(
    title="Skew", tex=r"\frac{RN}{RP}", bounds=(0, np.inf), chance="skew", dual="predicted_skew", inverse=None,
    classes="two", share=lambda t: (t.rp, t.total), of_share=lambda k, n, t: (n - k, k), margins="real",
    aka=("class_ratio", "odds_against"), refs=("powers2011",),
)  # fmt: skip
def skew(t: Table) -> Array:
    """Real negatives for each real positive: the odds against a positive.

    >>> skew(Table.from_counts([[8, 2], [2, 28]]))
    3.0
    """
    return ratio(t.rn, t.rp)


@Facts(
    title="Predicted skew", tex=r"\frac{PN}{PP}", bounds=(0, np.inf), chance="predicted_skew", dual="skew",
    inverse=None, classes="two", share=lambda t: (t.pp, t.total), of_share=lambda k, n, t: (n - k, k),
    margins="predicted", refs=("powers2011",),
)  # fmt: skip
def predicted_skew(t: Table) -> Array:
    """Predicted negatives for each predicted positive.

    >>> predicted_skew(Table.from_counts([[8, 2], [2, 28]]))
    3.0
    """
    return ratio(t.pn, t.pp)


@Facts(
    title="No-information rate", tex=r"\max_c \mathrm{Prev}_c", bounds=(0.5, 1),
    extent=lambda t: (1 / len(t.real_labels), 1.0), dual=None, square=False, largest=True, margins="real",
    aka=("nir", "accuracy_of_the_largest_class"), covered=0.38, refs=("kuhn2008",),
)  # fmt: skip
def no_information_rate(t: Table) -> Array:
    """Accuracy of always naming the most frequent class.

    >>> no_information_rate(Table.from_counts([[8, 2], [2, 28]]))
    0.75
    """
    return ratio(t.real_totals.max(axis=0), t.total)


@Facts(
    title="Prevalence index", tex=r"\frac{TP - TN}{N}", bounds=(-1, 1), inverse=None, classes="two", margins="both",
    refs=("byrt1993",),
)  # fmt: skip
def prevalence_index(t: Table) -> Array:
    """How much more often both say positive than both say negative.

    >>> prevalence_index(Table.from_counts([[8, 2], [2, 28]]))
    -0.5
    """
    return ratio(t.tp - t.tn, t.total)


@Facts(
    title="Bias index", tex=r"\frac{FP - FN}{N} = \mathrm{Bias} - \mathrm{Prev}", bounds=(-1, 1), best=0, dual=None,
    inverse=None, classes="two", margins="both", refs=("byrt1993",),
)  # fmt: skip
def bias_index(t: Table) -> Array:
    """How much more often a positive is predicted than there is one.

    >>> bias_index(Table.from_counts([[8, 6], [2, 24]]))
    0.1
    """
    return ratio(t.fp - t.fn, t.total)


@Facts(
    title="Positive likelihood ratio", clinical="LR+",
    tex=r"\frac{\mathrm{recall}}{\mathrm{fallout}}", bounds=(0, np.inf),
    needs=("real positives", "real negatives", "predicted positives"), best=np.inf, chance=1, ignores=("prevalence",),
    dual=None, inverse=None, classes="two", quotient=lambda t: (t.tp, t.rp, t.fp, t.rn), scale="log",
    aka=("positive_likelihood_ratio", "lr_plus", "plr"), refs=("powers2011",),
)  # fmt: skip
def lr(t: Table) -> Array:
    """How much a positive prediction raises the odds of a real positive.

    >>> round(lr(Table.from_counts([[8, 2], [2, 8]])), 12)
    4.0
    """
    return ratio(ratio(t.tp, t.rp), ratio(t.fp, t.rn))


@Facts(
    title="Negative likelihood ratio", clinical="LR−",
    tex=r"\frac{\mathrm{miss\ rate}}{\mathrm{inverse\ recall}}", bounds=(0, np.inf),
    needs=("real positives", "real negatives", "predicted negatives"), best=0, chance=1, ignores=("prevalence",),
    dual=None, inverse=None, classes="two", quotient=lambda t: (t.fn, t.rp, t.tn, t.rn), scale="log",
    aka=("negative_likelihood_ratio", "lr_minus"), refs=("powers2011, text after (21), corrected",),
)  # fmt: skip
def nlr(t: Table) -> Array:
    """How much a negative prediction lowers the odds of a real positive.

    >>> round(nlr(Table.from_counts([[8, 2], [2, 8]])), 12)
    0.25
    """
    return ratio(ratio(t.fn, t.rp), ratio(t.tn, t.rn))


@Facts(
    title="Lift", tex=r"\frac{\mathrm{precision}}{\mathrm{Prev}}", bounds=(0, np.inf),
    needs=("real positives", "predicted positives"), chance=1, inverse=None, classes="two", refs=("brin1997",),
)  # fmt: skip
def lift(t: Table) -> Array:
    """How many times likelier a real positive is among the predicted positives.

    >>> lift(Table.from_counts([[8, 2], [2, 8]]))
    1.6
    """
    return ratio(t.tp * t.total, t.pp * t.rp)


@Facts(
    title="Evenness, geometric (+)", tex=r"\Bigl(\prod_l \mathrm{Prev}_l\Bigr)^{2/K}", bounds=(0, 0.25), dual=None,
    square=False, margins=lambda of="real": of, covered=0.2, refs=("powers2011 (61)",),
)  # fmt: skip
def evenness_plus(t: Table, *, of: Side = "real") -> Array:
    """Squared geometric mean of a margin; largest, 1/K², when its classes are alike.

    `of` is "real", "predicted", or "both" for the geometric mean of the two.

    >>> round(evenness_plus(Table.from_counts([[3, 1], [2, 4]])), 12)
    0.25
    """
    return _of_margins(t, of, lambda p: np.prod(p ** (2 / len(p)), axis=0))


@Facts(
    title="Evenness, arithmetic (−)", tex=r"\frac1K\sum_l \mathrm{Prev}_l (1 - \mathrm{Prev}_l)", bounds=(0, 0.25),
    dual=None, square=False, margins=lambda of="real": of, covered=0.2, refs=("powers2011 (57)",),
)  # fmt: skip
def evenness_minus(t: Table, *, of: Side = "real") -> Array:
    """Mean variance of the classes' indicators; largest, (K−1)/K², when they are alike.

    >>> evenness_minus(Table.from_counts([[3, 1], [2, 4]]))
    0.25
    """
    return _of_margins(t, of, lambda p: np.mean(p * (1 - p), axis=0))


@Facts(
    title="Evenness, harmonic (#)", tex=r"K\Bigl(\sum_l \frac{1}{\mathrm{Prev}_l (1 - \mathrm{Prev}_l)}\Bigr)^{-1}",
    bounds=(0, 0.25), dual=None, square=False, margins=lambda of="real": of,
    covered=0.2, refs=("powers2011 (58)-(60)",),
)  # fmt: skip
def evenness_harmonic(t: Table, *, of: Side = "real") -> Array:
    """Harmonic mean of the variances of the classes' indicators; 0 when a class is empty.

    >>> evenness_harmonic(Table.from_counts([[3, 1], [2, 4]]))
    0.25
    """
    return _of_margins(t, of, lambda p: ratio(len(p), ratio(1.0, p * (1 - p)).sum(axis=0)))


@Facts(
    title="Evenness, determinant form", tex=r"\Bigl(\prod_l \mathrm{Prev}_l\Bigr)^{1/(K-1)}", bounds=(0, 0.25),
    needs=("cases", "a second class"), dual=None, margins=lambda of="real": of,
    covered=0.2, refs=("powers2011 (44), corrected",),
)  # fmt: skip
def evenness_det(t: Table, *, of: Side = "real") -> Array:
    """The evenness that belongs to informedness: where a system knows or guesses, a root of the determinant over it.

    Largest, K^(−K/(K−1)), when the classes are alike; 0 when one is empty.

    >>> round(evenness_det(Table.mixture(0.5, prevalence=[0.5, 0.3, 0.2])), 4)
    0.1732
    """
    return _of_margins(t, of, _product_root)


def _product_root(p: Array) -> Array:
    k = len(p)
    return np.asarray(np.prod(p ** (1 / (k - 1)), axis=0) if k > 1 else np.full(p.shape[1:], np.nan))


@Facts(
    title="Evenness factor E", tex=r"K^2 \Bigl(\prod_l \mathrm{Prev}_l \mathrm{Bias}_l\Bigr)^{1/K}", margins="both",
    covered=0.0, refs=("powers2011 (63)-(68)",),
)  # fmt: skip
def evenness_factor(t: Table) -> Array:
    """How even both margins are, from 0 to 1: the E of the papers' confidence intervals.

    >>> round(evenness_factor(Table.from_counts([[1, 1], [1, 1]])), 12)
    1.0
    """
    means = [np.prod(ratio(m, t.total) ** (1 / t.k), axis=0) for m in (t.real_totals, t.predicted_totals)]
    return np.asarray(t.k**2 * means[0] * means[1])


def _of_margins(t: Table, of: str, form: Callable[[Array], Any]) -> Array:
    real, predicted = (np.asarray(form(ratio(m, t.total))) for m in (t.real_totals, t.predicted_totals))
    sides = {"real": real, "predicted": predicted, "both": np.sqrt(real) * np.sqrt(predicted)}
    one_of("of", of, sides, MeasureError)
    return np.asarray(sides[of])


@Facts(
    title="Coverage", tex=r"\frac{n_{\mathrm{answered}}}{N}", needs=("cases in all",), dual=None, square=False,
    is_share=True, margins="predicted", abstentions=True, aka=("reportable_rate",), refs=("powers2003",),
)  # fmt: skip
def coverage(t: Table) -> Parts:
    """Share of the cases that got an answer rather than an abstention.

    >>> coverage(Table.from_counts([[6, 1], [1, 2]], abstained=[4, 6]))
    0.5
    """
    return t.total, _in_all(t).sum(axis=0)


@Facts(
    title="Informedness discounted by coverage", clinical="Youden's J discounted by coverage",
    tex=r"\frac{n_{\mathrm{answered}}}{N} \cdot B", bounds=(-1, 1),
    needs=("two real classes",), best=1, chance=0, dual=None, limit=0, slopes=slopes.informedness_discounted,
    abstentions=True, refs=("powers2003",),
)  # fmt: skip
def informedness_discounted(t: Table) -> Array:
    """Informedness of the answered cases times coverage: an abstention wins nothing.

    Exact where abstaining does not depend on the class; `informedness_of_all` is exact always.

    >>> informedness_discounted(Table.from_counts([[5, 0], [0, 5]], abstained=[5, 5]))
    0.5
    """
    return np.asarray(informedness(t) * coverage(t))


@Facts(
    title="Informedness over all cases", clinical="Youden's J over all cases",
    tex=r"\sum_l \frac{n_{ll}/N - \mathrm{Bias}_l\mathrm{Prev}_l}{1 - \mathrm{Prev}_l}", bounds=(-1, 1),
    needs=("two real classes in all",), best=1, chance=0, dual=None, limit=0, slopes=slopes.informedness_of_all,
    abstentions=True, as_label="informedness", refs=("powers2003",),
    asks="who tells the classes apart more often, no answer being no bet",
)  # fmt: skip
def informedness_of_all(t: Table) -> Array:
    """Gain per case of a bettor who stays out of the market when the system abstains.

    >>> informedness_of_all(Table.from_counts([[5, 0], [0, 5]], abstained=[5, 5]))
    0.5
    """
    real = _in_all(t)
    gain = t.hits - real * ratio(t.false_alarms, others(real))
    return ratio(gain.sum(axis=0), real.sum(axis=0))


@Facts(
    title="Score, accuracy over all cases", tex=r"\frac{1}{N}\sum_l n_{ll}",
    needs=("cases in all",), best=1, dual=None, is_share=True, slopes=slopes.accuracy_of_all, abstentions=True,
    as_label="accuracy", aka=("score",), refs=("powers2011 (5)",),
    asks="who is right more often, so that the largest class counts most",
)  # fmt: skip
def accuracy_of_all(t: Table) -> Parts:
    """Share of all cases whose answer is right; no answer is not right.

    >>> accuracy_of_all(Table.from_counts([[5, 0], [0, 5]], abstained=[5, 5]))
    0.5
    """
    return t.hits.sum(axis=0), _in_all(t).sum(axis=0)


def _in_all(t: Table) -> Array:
    return t.real_totals if t.unanswered is None else t.real_totals + t.unanswered
