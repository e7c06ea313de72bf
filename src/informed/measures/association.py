"""Association without direction: V, T, odds ratio, Q, Y, lambda, pairs, ranks, latent normals."""

from __future__ import annotations

import numpy as np

from informed._arrays import Array, ratio
from informed.evidence.table import Table
from informed.measures.registry import Facts

VARIED = ("two real classes", "two predicted labels")
COUNTED = ("two cases", "whole counts")  # pairs of cases


def chi_squared(t: Table) -> Array:
    """Pearson's χ² of independence, over the rows and columns that hold anything."""
    expected = ratio(t.predicted_totals[:, None] * t.real_totals, t.total)
    terms = ratio((t.cells - expected) ** 2, expected)
    return np.asarray(np.where(expected > 0, terms, 0.0).sum(axis=(0, 1)))


@Facts(
    title="Cramér's V", tex=r"\sqrt{\frac{\chi^2}{N\,(\min(K_P, K_R) - 1)}}", needs=VARIED, best=1, chance=0, limit=0,
    square=False, aka=("cramer_v", "cramerv", "v"), covered=0.85, covers_up_to=2, refs=("cramer1946", "powers2011"),
)  # fmt: skip
def cramers_v(t: Table) -> Array:
    """Association of two nominal variables from 0 to 1; for two classes the size of phi.

    Classes are those of the table, empty or not, as in the papers.

    >>> cramers_v(Table.from_counts([[8, 2], [2, 8]]))
    0.6
    """
    smaller = min(len(t.predicted_labels), len(t.real_labels))
    return np.sqrt(ratio(chi_squared(t), t.total * (smaller - 1)))


@Facts(
    title="Cramér's V, corrected for bias",
    tex=r"\sqrt{\frac{\max(0, \phi^2 - \frac{(r-1)(c-1)}{N-1})}{\min(\tilde r, \tilde c) - 1}}",
    needs=(*VARIED, "more cases than freedoms"), best=1, chance=0, square=False, aka=("bergsma_v",),
    refs=("bergsma2013",),
)  # fmt: skip
def cramers_v_corrected(t: Table) -> Array:
    """Cramér's V without the association that chance alone would show in a small sample.

    >>> cramers_v_corrected(Table.from_counts([[3, 2], [2, 3]]))
    0.0
    """
    r, c = len(t.predicted_labels), len(t.real_labels)
    n1 = t.total - 1
    phi2 = ratio(chi_squared(t), t.total)
    beyond = phi2 - ratio((r - 1) * (c - 1), n1)
    beyond = np.where(beyond > 1e-14 * phi2, beyond, 0.0)  # a root would blow rounding up
    r_corrected, c_corrected = (m - ratio((m - 1) ** 2, n1) for m in (r, c))
    room = np.minimum(r_corrected, c_corrected) - 1
    return np.sqrt(ratio(beyond, np.where(n1 > max(r, c) - 1, room, np.nan)))


@Facts(
    title="Tschuprow's T", tex=r"\sqrt{\frac{\chi^2}{N\sqrt{(K_P-1)(K_R-1)}}}", needs=VARIED, best=1, chance=0, limit=0,
    square=False, aka=("tschuprow_t",), covered=0.85, covers_up_to=2, refs=("tschuprow1939",),
)  # fmt: skip
def tschuprows_t(t: Table) -> Array:
    """Association that is 1 only in a square table; there it is Cramér's V.

    >>> tschuprows_t(Table.from_counts([[8, 2], [2, 8]]))
    0.6
    """
    freedoms = (len(t.predicted_labels) - 1) * (len(t.real_labels) - 1)
    return np.sqrt(ratio(chi_squared(t), t.total * np.sqrt(freedoms)))


def _short_of_one(t: Table) -> tuple[float, float]:
    smaller = min(len(t.predicted_labels), len(t.real_labels))
    return 0.0, float(np.sqrt((smaller - 1) / smaller))


@Facts(
    title="Contingency coefficient", tex=r"\sqrt{\frac{\chi^2}{N + \chi^2}}", bounds=(0, np.sqrt(0.5)),
    extent=_short_of_one, chance=0, square=False, aka=("pearson_contingency",),
    covered=0.85, covers_up_to=2, refs=("pearson1904",),
)  # fmt: skip
def contingency_coefficient(t: Table) -> Array:
    """Pearson's coefficient of association, which cannot reach 1.

    >>> round(contingency_coefficient(Table.from_counts([[8, 2], [2, 8]])), 4)
    0.5145
    """
    chi2 = chi_squared(t)
    return np.sqrt(ratio(chi2, t.total + chi2))


@Facts(
    title="Odds ratio", clinical="Diagnostic odds ratio",
    tex=r"\frac{TP\cdot TN}{FP\cdot FN}", bounds=(0, np.inf), needs=("both diagonals not empty",),
    best=np.inf, chance=1, ignores=("prevalence", "bias"), classes="two", of_odds=lambda r: r, scale="log",
    aka=("dor", "diagnostic_odds_ratio", "cross_product_ratio"), refs=("powers2008",),
)  # fmt: skip
def odds_ratio(t: Table) -> Array:
    """Odds of a positive prediction where reality is positive, against where it is negative.

    >>> odds_ratio(Table.from_counts([[8, 2], [2, 8]]))
    16.0
    """
    (a, b), (c, d) = t.cells
    return ratio(a * d, b * c)


@Facts(
    title="Yule's Q", tex=r"\frac{TP\cdot TN - FP\cdot FN}{TP\cdot TN + FP\cdot FN}", bounds=(-1, 1),
    needs=("both diagonals not empty",), best=1, chance=0, ignores=("prevalence", "bias"), classes="two",
    of_odds=lambda r: 1 - ratio(2, r + 1), aka=("odds_ratio_skill_score", "goodman_kruskal_gamma_2x2"),
    refs=("yule1900",),
)  # fmt: skip
def yule_q(t: Table) -> Array:
    """The odds ratio on a scale from −1 to 1.

    >>> yule_q(Table.from_counts([[3, 1], [1, 1]]))
    0.5
    """
    (a, b), (c, d) = t.cells
    return ratio(a * d - b * c, a * d + b * c)


@Facts(
    title="Yule's Y", tex=r"\frac{\sqrt{TP\cdot TN} - \sqrt{FP\cdot FN}}{\sqrt{TP\cdot TN} + \sqrt{FP\cdot FN}}",
    bounds=(-1, 1), needs=("both diagonals not empty",), best=1, chance=0, ignores=("prevalence", "bias"),
    classes="two", of_odds=lambda r: 1 - ratio(2, np.sqrt(r) + 1), aka=("coefficient_of_colligation",),
    refs=("yule1912",),
)  # fmt: skip
def yule_y(t: Table) -> Array:
    """The phi coefficient that the table would have with even margins.

    >>> yule_y(Table.from_counts([[9, 1], [1, 1]]))
    0.5
    """
    (a, b), (c, d) = t.cells
    with_, against = np.sqrt(a) * np.sqrt(d), np.sqrt(b) * np.sqrt(c)
    return ratio(with_ - against, with_ + against)


@Facts(
    title="Goodman and Kruskal's lambda for reality", tex=r"\frac{\sum_l \max_c n_{lc} - \max_c R_c}{N - \max_c R_c}",
    needs=("two real classes",), best=1, chance=0, dual="lambda_predicted", limit=0, square=False, largest=True,
    aka=("goodman_kruskal_lambda", "lambda_"), covered=0.49, refs=("goodman1954",),
)  # fmt: skip
def lambda_real(t: Table) -> Array:
    """Share of the errors that the prediction saves someone who names the likeliest class.

    >>> lambda_real(Table.from_counts([[8, 2], [2, 8]]))
    0.6
    """
    return 1 - ratio(_not_modal(t.cells), t.real_rest.min(axis=0))


def _not_modal(cells: Array) -> Array:
    """Cases outside the largest cell of their row."""
    return np.asarray(np.sort(cells, axis=1)[:, :-1].sum(axis=(0, 1)))


@Facts(
    title="Goodman and Kruskal's lambda for the predictions",
    tex=r"\frac{\sum_c \max_l n_{lc} - \max_l P_l}{N - \max_l P_l}", needs=("two predicted labels",), best=1, chance=0,
    dual="lambda_real", limit=0, square=False, largest=True, covered=0.48, refs=("goodman1954",),
)  # fmt: skip
def lambda_predicted(t: Table) -> Array:
    """Share of the errors that reality saves someone who names the likeliest prediction.

    >>> lambda_predicted(Table.from_counts([[8, 2], [2, 8]]))
    0.6
    """
    return 1 - ratio(_not_modal(t.cells.swapaxes(0, 1)), t.predicted_rest.min(axis=0))


@Facts(
    title="Goodman and Kruskal's lambda, symmetric",
    tex=r"\frac{\sum_l \max_c n_{lc} + \sum_c \max_l n_{lc} - \max_c R_c - \max_l P_l}"
    r"{2N - \max_c R_c - \max_l P_l}",
    needs=("cases", "either side varies"), best=1, chance=0, limit=0, square=False, largest=True,
    covered=0.27, refs=("goodman1954",),
)  # fmt: skip
def lambda_symmetric(t: Table) -> Array:
    """The two lambdas in one: errors saved on either side.

    >>> lambda_symmetric(Table.from_counts([[8, 2], [2, 8]]))
    0.6
    """
    errors = _not_modal(t.cells) + _not_modal(t.cells.swapaxes(0, 1))
    return 1 - ratio(errors, t.real_rest.min(axis=0) + t.predicted_rest.min(axis=0))


def _pairs(totals: Array) -> Array:
    return totals * (totals - 1) / 2


@Facts(
    title="Rand index", tex=r"\binom{N}{2}^{-1} \#\{\text{pairs together in both or apart in both}\}", needs=COUNTED,
    best=1, square=False, covered=0.86, refs=("rand1971",),
)  # fmt: skip
def rand_index(t: Table) -> Array:
    """Share of the pairs of cases that both groupings treat alike; not the Rand *accuracy*.

    >>> round(rand_index(Table.from_counts([[56, 20], [12, 12]])), 4)
    0.5604
    """
    both = _pairs(t.cells).sum(axis=(0, 1))
    real, predicted = _pairs(t.real_totals).sum(axis=0), _pairs(t.predicted_totals).sum(axis=0)
    everything = _pairs(t.total)
    return ratio(everything + 2 * both - real - predicted, everything)


@Facts(
    title="Adjusted Rand index",
    tex=r"\frac{\sum\binom{n_{lc}}{2} - e}{\tfrac12(\sum\binom{P_l}{2}+\sum\binom{R_c}{2}) - e},\ "
    r"e = \frac{\sum\binom{P_l}{2}\sum\binom{R_c}{2}}{\binom{N}{2}}",
    bounds=(-0.5, 1), needs=(*COUNTED, "pairs to tell apart"), best=1, chance=0, square=False, aka=("ari",),
    covered=0.71, refs=("hubert1985",),
)  # fmt: skip
def adjusted_rand_index(t: Table) -> Array:
    """Agreement of two groupings on pairs of cases, beyond chance.

    >>> adjusted_rand_index(Table.from_counts([[5, 0], [0, 5]]))
    1.0
    """
    both = _pairs(t.cells).sum(axis=(0, 1))
    real, predicted = _pairs(t.real_totals).sum(axis=0), _pairs(t.predicted_totals).sum(axis=0)
    expected = ratio(real * predicted, _pairs(t.total))
    return ratio(both - expected, (real + predicted) / 2 - expected)


@Facts(
    title="Fowlkes–Mallows index of pairs",
    tex=r"\frac{\sum\binom{n_{lc}}{2}}{\sqrt{\sum\binom{P_l}{2}\sum\binom{R_c}{2}}}",
    needs=("whole counts", "pairs on both sides"), best=1, square=False, covered=0.88, refs=("fowlkes1983",),
)  # fmt: skip
def fowlkes_mallows_pairs(t: Table) -> Array:
    """Geometric mean of the precision and recall of *pairs*, for clusterings.

    >>> round(fowlkes_mallows_pairs(Table.from_counts([[5, 0], [0, 5]])), 12)
    1.0
    """
    real, predicted = _pairs(t.real_totals).sum(axis=0), _pairs(t.predicted_totals).sum(axis=0)
    both = _pairs(t.cells).sum(axis=(0, 1))
    return ratio(both, np.sqrt(np.maximum(real, 0)) * np.sqrt(np.maximum(predicted, 0)))


@Facts(
    title="Purity", tex=r"\frac1N \sum_l \max_c n_{lc}", bounds=(0.5, 1),
    extent=lambda t: (1 / len(t.real_labels), 1.0), best=1, chance="no_information_rate", dual=None, square=False,
    largest=True, covered=0.0, refs=("manning2008",),
)  # fmt: skip
def purity(t: Table) -> Array:
    """Accuracy of naming each cluster after its most frequent class; never below the largest class.

    >>> purity(Table.from_counts([[8, 2], [1, 9]]))
    0.85
    """
    return ratio(t.cells.max(axis=1).sum(axis=0), t.total)


@Facts(
    title="Spearman's rank correlation", tex=r"\rho(\text{midranks of labels})", bounds=(-1, 1), needs=VARIED, best=1,
    chance=0, limit=0, ordered=True, square=False, aka=("spearman_rho",), refs=("spearman1904",),
)  # fmt: skip
def spearman(t: Table) -> Array:
    """Correlation of the ranks of ordered labels, in the order that the table lists them.

    For two classes it is the phi coefficient. Labels that only the alphabet orders are refused
    (see `Table.order`).

    >>> round(spearman(Table.from_counts([[5, 0, 0], [0, 5, 0], [0, 0, 5]])), 12)
    1.0
    """
    x, y = (_midranks(m, t.total) for m in (t.predicted_totals, t.real_totals))
    covariance = (t.cells * x[:, None] * y).sum(axis=(0, 1))
    spread_x, spread_y = ((t.predicted_totals * x**2).sum(axis=0), (t.real_totals * y**2).sum(axis=0))
    return ratio(covariance, np.sqrt(spread_x) * np.sqrt(spread_y))


def _midranks(totals: Array, total: Array) -> Array:
    """Ranks shared by the cases of each label, measured from the mean rank."""
    return np.cumsum(totals, axis=0) - totals / 2 - total / 2


@Facts(
    title="Tetrachoric correlation", tex=r"\rho:\ \Phi_2(z_{pp}, z_{rp}; \rho) = tp", bounds=(-1, 1), needs=VARIED,
    best=1, chance=0, limit=0, classes="two", aka=("tetrachoric_correlation",), refs=("pearson1900",),
)  # fmt: skip
def tetrachoric(t: Table) -> Array:
    """Correlation of two normal variables that were cut into yes and no.

    It *assumes* that such variables lie beneath both margins; nothing in a 2x2 table can check
    that. An empty cell makes it −1 or 1.

    >>> round(tetrachoric(Table.from_counts([[25, 0], [0, 25]])), 6)
    1.0
    """
    from scipy.special import ndtri

    (a, b), (c, d) = t.cells
    total = np.where(t.total > 0, t.total, np.nan)
    h, k, joint = ndtri((a + b) / total), ndtri((a + c) / total), a / total
    low, high = np.full(t.shape, -1.0), np.full(t.shape, 1.0)
    for _ in range(60):  # bisection: monotone in rho, and every table of the stack at once
        middle = (low + high) / 2
        below = _bivariate_normal(h, k, middle) < joint
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    value = np.where(a * d == 0, -1.0, np.where(b * c == 0, 1.0, (low + high) / 2))
    value = np.where((a * d == 0) & (b * c == 0), np.where(a + d > 0, 1.0, -1.0), value)
    even = a * d == b * c
    return np.where(even & (a * d > 0), 0.0, value)


def _bivariate_normal(h: Array, k: Array, rho: Array) -> Array:
    """P(X < h, Y < k) of a standard bivariate normal, through Owen's T."""
    from scipy.special import ndtr, owens_t

    scale = np.sqrt(np.maximum(1 - rho**2, 1e-300))
    h, k = (np.where(x == 0, 1e-300, x) for x in (h, k))
    with np.errstate(all="ignore"):
        t_h = owens_t(h, (k / h - rho) / scale)
        t_k = owens_t(k, (h / k - rho) / scale)
    apart = np.where(h * k < 0, 0.5, 0.0)
    return np.asarray((ndtr(h) + ndtr(k)) / 2 - t_h - t_k - apart)
