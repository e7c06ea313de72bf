"""Agreement of two raters beyond chance: kappa and its relatives differ in what chance is."""

from __future__ import annotations

from typing import Any

import numpy as np

from informed._arrays import Array, Floats, plain, ratio
from informed.errors import MeasureError
from informed.evidence.calls import explained
from informed.evidence.table import Table
from informed.measures import slopes
from informed.measures.registry import Facts

ALIKE = "a second label"  # chance agreement is 1 exactly where one label is used throughout


@Facts(
    title="Chance agreement", tex=r"\sum_l \mathrm{Bias}_l\,\mathrm{Prev}_l", margins="both",
    aka=("expected_accuracy", "random_accuracy"), refs=("cohen1960",),
)  # fmt: skip
def chance_agreement(t: Table) -> Array:
    """Accuracy that guessing with these margins would have.

    >>> chance_agreement(Table.from_counts([[20, 20], [30, 30]]))
    0.5
    """
    return ratio((t.predicted_totals * t.real_totals).sum(axis=0), t.total**2)


@Facts(
    title="Cohen's kappa",
    tex=r"\frac{\mathrm{accuracy} - \sum_l \mathrm{Bias}_l\mathrm{Prev}_l}"
    r"{1 - \sum_l \mathrm{Bias}_l\mathrm{Prev}_l}",
    bounds=(-1, 1), needs=("cases", ALIKE), best=1, chance=0, limit=0,
    fraction=lambda t: (2 * (t.tp * t.tn - t.fp * t.fn), t.pp * t.rn + t.pn * t.rp), slopes=slopes.cohen_kappa, hits=1,
    aka=("kappa", "cohens_kappa", "kap", "heidke_skill_score", "hss"), refs=("cohen1960", "powers2008"),
    asks="who agrees more with reality than its own habit of answering would",
)  # fmt: skip
def cohen_kappa(t: Table) -> Array:
    """Agreement beyond chance, of the agreement beyond chance that was possible.

    Chance is guessing with each side's own margin. Never larger in size than Matthews' R_K, and
    smaller the more bias departs from prevalence.

    >>> cohen_kappa(Table.from_counts([[20, 5], [10, 15]]))
    0.4
    """
    expected = (t.predicted_totals * t.real_rest).sum(axis=0)  # disagreement, times N²
    return 1 - ratio(t.total * t.false_alarms.sum(axis=0), expected)


@Facts(
    title="Weighted kappa",
    tex=r"1 - \frac{\sum_{lc} w_{lc}\,p_{lc}}{\sum_{lc} w_{lc}\,\mathrm{Bias}_l\mathrm{Prev}_c}", bounds=(-1, 1),
    needs=("cases", ALIKE), best=1, chance=0, limit=0, ordered=True, spaced=True, refs=("cohen1968",),
)  # fmt: skip
def weighted_kappa(t: Table, *, disagreement: Any = "linear") -> Array:
    """Kappa in which some disagreements are worse than others.

    `disagreement` is "linear" or "quadratic" in the distance of labels whose order is known (see
    `Table.order`), or a matrix of disagreements (predicted by real) with zeros on its diagonal.

    >>> t = Table.from_counts([[5, 1, 0], [1, 5, 1], [0, 1, 6]])
    >>> weighted_kappa(t, disagreement="quadratic") > weighted_kappa(t) > cohen_kappa(t)
    True
    """
    w = _disagreements(t.k, disagreement).reshape(t.k, t.k, *[1] * len(t.shape))
    expected = t.predicted_totals[:, None] * t.real_totals
    observed = t.total * (w * t.cells).sum(axis=(0, 1))
    return 1 - ratio(observed, (w * expected).sum(axis=(0, 1)))


def _disagreements(k: int, disagreement: Any) -> Array:
    if isinstance(disagreement, str):
        powers = {"linear": 1, "quadratic": 2}
        if disagreement not in powers:
            raise MeasureError(f'`disagreement` is {disagreement!r}; it must be "linear", "quadratic" or a matrix.')
        return np.abs(np.subtract.outer(np.arange(k), np.arange(k))) ** float(powers[disagreement])
    w = np.asarray(disagreement, dtype=np.float64)
    if w.shape != (k, k) or (w < 0).any() or not np.isfinite(w).all():
        raise MeasureError(f"`disagreement` has shape {w.shape}; it must be {k} x {k}, finite and not negative.")
    if np.diagonal(w).any():
        raise MeasureError("`disagreement` must be 0 on its diagonal; for weights of agreement `w` give `w.max() - w`.")
    return w


@Facts(
    title="Scott's pi",
    tex=r"\frac{\mathrm{accuracy} - \sum_l \pi_l^2}{1 - \sum_l \pi_l^2},\ "
    r"\pi_l = \tfrac12(\mathrm{Bias}_l + \mathrm{Prev}_l)",
    bounds=(-1, 1), needs=("cases", ALIKE), best=1, limit=0, hits=1, aka=("fleiss_kappa", "kappa_unbiased"),
    refs=("scott1955", "powers2008, halves restored"),
)  # fmt: skip
def scott_pi(t: Table) -> Array:
    """Agreement beyond chance, where chance is one margin that both raters share.

    For two raters it is Fleiss' kappa. Guessing with unequal margins scores below 0.

    >>> round(scott_pi(Table.from_counts([[20, 5], [5, 20]])), 12)
    0.6
    """
    return 1 - ratio(ratio(t.false_alarms.sum(axis=0), t.total), _apart(t))


def _apart(t: Table) -> Array:
    """Chance disagreement with the margin that both raters share."""
    pi = ratio(t.predicted_totals + t.real_totals, 2 * t.total)
    rest = ratio(t.predicted_rest + t.real_rest, 2 * t.total)
    return np.asarray((pi * rest).sum(axis=0))


@Facts(
    title="Krippendorff's alpha (nominal, two raters)", tex=r"1 - (1 - \pi)\,\frac{2N - 1}{2N}", bounds=(-1, 1),
    needs=("cases", ALIKE, "one case"), best=1, limit=0, hits=1, aka=("alpha",), refs=("krippendorff2004",),
)  # fmt: skip
def krippendorff_alpha(t: Table) -> Array:
    """Scott's pi with the correction for a small number of ratings.

    For more raters, missing ratings and ordered categories see `informed.agreement`.

    >>> round(krippendorff_alpha(Table.from_counts([[20, 5], [5, 20]])), 6)
    0.604
    """
    disagreement = 1 - np.asarray(scott_pi(t))
    value = 1 - disagreement * ratio(2 * t.total - 1, 2 * t.total)
    return np.where(t.total >= 1, value, np.nan)


@Facts(
    title="Gwet's AC1", tex=r"\frac{\mathrm{accuracy} - e}{1 - e},\ e = \frac{1}{K-1}\sum_l \pi_l(1-\pi_l)",
    bounds=(-1, 1), needs=("cases", "a second class"), best=1, hits=1, aka=("ac1",), refs=("gwet2008",),
)  # fmt: skip
def gwet_ac1(t: Table) -> Array:
    """Agreement beyond the chance that raters guess at random only when they do not know.

    >>> round(gwet_ac1(Table.from_counts([[20, 5], [5, 20]])), 12)
    0.6
    """
    chance = ratio(_apart(t), t.k - 1)
    return ratio(ratio(t.hits.sum(axis=0), t.total) - chance, 1 - chance)


@Facts(
    title="Bennett's S", tex=r"\frac{K\cdot\mathrm{accuracy} - 1}{K - 1}", bounds=(-1, 1),
    needs=("cases", "a second class"), best=1, share=lambda t: (t.hits.sum(axis=0), t.total),
    of_share=lambda k, n, t: (t.k * k - n, (t.k - 1) * n), hits=1,
    aka=("brennan_prediger", "pabak", "prevalence_adjusted_bias_adjusted_kappa"), refs=("bennett1954", "byrt1993"),
)  # fmt: skip
def bennett_s(t: Table) -> Array:
    """Agreement beyond uniform guessing; for two classes 2·accuracy − 1, known as PABAK.

    It calls accuracy on a rare class good: its chance level ignores the margins.

    >>> round(bennett_s(Table.from_counts([[20, 5], [5, 20]])), 12)
    0.6
    """
    return ratio(t.k * ratio(t.hits.sum(axis=0), t.total) - 1, t.k - 1)


@explained
def kappa_form(statistic: Any, chance: Any, ceiling: Any = None) -> Floats:
    """(statistic − chance) / (1 − ceiling): the form that all of these share.

    `ceiling` is the chance in the denominator, by default the same. Recall with (bias, prevalence)
    gives informedness, precision with (prevalence, bias) markedness.

    >>> kappa_form(0.8, 0.55, 0.5)
    0.5
    """
    ceiling = chance if ceiling is None else ceiling
    return plain(ratio(np.subtract(statistic, chance), np.subtract(1, ceiling)))


@explained
def chance_from_kappa(accuracy: Any, kappa: Any) -> Floats:
    """The chance agreement that an accuracy and a kappa imply; NaN at kappa = 1.

    >>> round(chance_from_kappa(0.7, 0.4), 12)
    0.5
    """
    return kappa_form(accuracy, kappa)
