"""What one side tells about the other, in information: entropies and their shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from informed._arrays import Array, plogp, ratio
from informed.errors import MeasureError, one_of
from informed.evidence.cells import others
from informed.evidence.table import Table
from informed.measures.needs import where_met
from informed.measures.registry import Facts

Base = Literal["e", "2", "10"]
DEALT_OUT = ("whole counts", "pairs to tell apart", "fewer than 1e12 cases")


def _unit(base: str | float) -> float:
    """Nats in one unit of the logarithm's base."""
    units = {"e": 1.0, "2": np.log(2), "10": np.log(10)}
    one_of("base", str(base), units, MeasureError)
    return float(units[str(base)])


def _entropy(totals: Array, total: Array) -> Array:
    """Entropy of a margin; a share near 1 through what is left of it, which rounding spares."""
    share, rest = ratio(totals, total), ratio(others(totals), total)
    near_one = share * np.log1p(-np.where(share > 0.5, np.minimum(rest, 0.5), 0.0))
    return np.asarray(0.0 - np.where(share > 0.5, near_one, plogp(share)).sum(axis=0))


def _joint(t: Table) -> Array:
    return np.asarray(0.0 - plogp(ratio(t.cells, t.total)).sum(axis=(0, 1)))


def _up_to(states: Callable[[int, int], int]) -> Callable[..., tuple[float, float]]:
    """Bounds of an entropy: 0 to the logarithm of so many states of (predicted, real) labels."""

    def extent(t: Table, base: Base = "e") -> tuple[float, float]:
        most = states(len(t.predicted_labels), len(t.real_labels))
        return 0.0, float(np.log(most) / _unit(base))

    return extent


def _mutual(t: Table) -> Array:
    """Σ p log(p / expected), summed cell by cell so that independence gives 0 and nothing below."""
    expected = t.predicted_totals[:, None] * t.real_totals
    quotient = ratio(t.cells * t.total, np.where(t.cells > 0, expected, 1.0))
    terms = ratio(t.cells, t.total) * np.log(np.where(t.cells > 0, quotient, 1.0))
    most = np.minimum(_entropy(t.real_totals, t.total), _entropy(t.predicted_totals, t.total))
    return np.asarray(np.clip(terms.sum(axis=(0, 1)), 0.0, most))  # rounding alone leaves it


@Facts(
    title="Mutual information", tex=r"\sum_{lc} p_{lc} \log\frac{p_{lc}}{\mathrm{Bias}_l\mathrm{Prev}_c}",
    bounds=(0, np.log(2)), extent=_up_to(min), chance=0, square=False, aka=("mi", "information_gain"),
    covered=0.67, covers_up_to=2, refs=("powers2011 (39), sign corrected", "shannon1948"),
)  # fmt: skip
def mutual_information(t: Table, *, base: Base = "e") -> Array:
    """What knowing the prediction takes off the uncertainty about reality, in nats.

    It has no direction: a system that is always wrong tells as much as one that is always right.

    >>> round(mutual_information(Table.from_counts([[5, 0], [0, 5]]), base="2"), 12)
    1.0
    """
    return np.asarray(_mutual(t) / _unit(base))


@Facts(
    title="Entropy of reality", tex=r"-\sum_c \mathrm{Prev}_c \log \mathrm{Prev}_c", bounds=(0, np.log(2)),
    extent=_up_to(lambda predicted, real: real), dual="entropy_predicted", square=False, margins="real",
    aka=("reference_entropy",), covered=0.17, refs=("shannon1948",),
)  # fmt: skip
def entropy_real(t: Table, *, base: Base = "e") -> Array:
    """How uncertain reality is before any prediction.

    >>> round(entropy_real(Table.from_counts([[3, 1], [2, 4]]), base="2"), 12)
    1.0
    """
    return _entropy(t.real_totals, t.total) / _unit(base)


@Facts(
    title="Entropy of the predictions", tex=r"-\sum_l \mathrm{Bias}_l \log \mathrm{Bias}_l", bounds=(0, np.log(2)),
    extent=_up_to(lambda predicted, real: predicted), dual="entropy_real", square=False, margins="predicted",
    aka=("response_entropy",), covered=0.15, refs=("shannon1948",),
)  # fmt: skip
def entropy_predicted(t: Table, *, base: Base = "e") -> Array:
    """How uncertain the predictions are before reality is seen.

    >>> round(entropy_predicted(Table.from_counts([[3, 2], [1, 4]]), base="2"), 12)
    1.0
    """
    return _entropy(t.predicted_totals, t.total) / _unit(base)


@Facts(
    title="Joint entropy", tex=r"-\sum_{lc} p_{lc} \log p_{lc}", bounds=(0, np.log(4)),
    extent=_up_to(lambda predicted, real: predicted * real), square=False, covered=0.0, refs=("shannon1948",),
)  # fmt: skip
def joint_entropy(t: Table, *, base: Base = "e") -> Array:
    """How uncertain prediction and reality are together.

    >>> round(joint_entropy(Table.from_counts([[1, 1], [1, 1]]), base="2"), 12)
    2.0
    """
    return _joint(t) / _unit(base)


@Facts(
    title="Conditional entropy of reality", tex=r"-\sum_{lc} p_{lc} \log P(c \mid l)", bounds=(0, np.log(2)),
    extent=_up_to(lambda predicted, real: real), best=0, chance="entropy_real", dual="conditional_entropy_predicted",
    square=False, aka=("equivocation",), covered=0.0, refs=("powers2011 (40)", "powers2003"),
)  # fmt: skip
def conditional_entropy(t: Table, *, base: Base = "e") -> Array:
    """How uncertain reality still is once the prediction is known.

    >>> round(conditional_entropy(Table.from_counts([[2, 2], [0, 4]]), base="2"), 12)
    0.5
    """
    rest = _entropy(t.real_totals, t.total) - _mutual(t)
    return np.maximum(rest, 0.0) / _unit(base)


@Facts(
    title="Conditional entropy of the predictions", tex=r"-\sum_{lc} p_{lc} \log P(l \mid c)", bounds=(0, np.log(2)),
    extent=_up_to(lambda predicted, real: predicted), best=0, chance="entropy_predicted", dual="conditional_entropy",
    square=False, covered=0.0, refs=("powers2011 (40)",),
)  # fmt: skip
def conditional_entropy_predicted(t: Table, *, base: Base = "e") -> Array:
    """How uncertain the prediction still is once reality is known.

    >>> round(conditional_entropy_predicted(Table.from_counts([[2, 0], [2, 4]]), base="2"), 12)
    0.5
    """
    rest = _entropy(t.predicted_totals, t.total) - _mutual(t)
    return np.maximum(rest, 0.0) / _unit(base)


@Facts(
    title="Perplexity", tex=r"\exp\bigl(-\sum_{lc} p_{lc} \log P(c \mid l)\bigr)", bounds=(1, 2),
    extent=lambda t: (1.0, float(len(t.real_labels))), best=1, dual=None, square=False,
    covered=0.0, refs=("powers2003",),
)  # fmt: skip
def perplexity(t: Table) -> Array:
    """Number of equally likely classes that the prediction still leaves open.

    >>> round(perplexity(Table.from_counts([[1, 1], [1, 1]])), 12)
    2.0
    """
    return np.asarray(np.exp(np.asarray(conditional_entropy(t))))


@Facts(
    title="Uncertainty coefficient of reality", tex=r"\frac{I(P;R)}{H(R)}", needs=("two real classes",), best=1,
    chance=0, dual="uncertainty_predicted", limit=0, square=False,
    aka=("theils_u", "uncertainty_coefficient", "homogeneity"),
    covered=0.64, covers_up_to=2, refs=("theil1972", "rosenberg2007"),
)  # fmt: skip
def uncertainty(t: Table) -> Array:
    """Share of the uncertainty about reality that the prediction removes.

    >>> round(uncertainty(Table.from_counts([[5, 0], [0, 5]])), 12)
    1.0
    """
    return ratio(_mutual(t), _entropy(t.real_totals, t.total))


@Facts(
    title="Uncertainty coefficient of the predictions", tex=r"\frac{I(P;R)}{H(P)}", needs=("two predicted labels",),
    best=1, chance=0, dual="uncertainty", limit=0, square=False, aka=("completeness",),
    covered=0.65, covers_up_to=2, refs=("theil1972", "rosenberg2007"),
)  # fmt: skip
def uncertainty_predicted(t: Table) -> Array:
    """Share of the uncertainty about the prediction that reality removes.

    >>> round(uncertainty_predicted(Table.from_counts([[5, 0], [0, 5]])), 12)
    1.0
    """
    return ratio(_mutual(t), _entropy(t.predicted_totals, t.total))


@Facts(
    title="Normalized mutual information", tex=r"\frac{2\,I(P;R)}{H(P)+H(R)}", needs=("cases", "either side varies"),
    best=1, chance=0, limit=0, square=False, aka=("nmi", "v_measure", "symmetric_uncertainty"),
    covered=0.63, covers_up_to=2, refs=("vinh2010",),
)  # fmt: skip
def normalized_mutual_information(
    t: Table, *, mean: Literal["arithmetic", "geometric", "min", "max"] = "arithmetic"
) -> Array:
    """Mutual information as a share of what the two sides hold on average.

    >>> round(normalized_mutual_information(Table.from_counts([[5, 0], [0, 5]])), 12)
    1.0
    """
    return ratio(_mutual(t), _average(t, mean))


def _average(t: Table, mean: str) -> Array:
    h_real, h_predicted = (_entropy(t.real_totals, t.total), _entropy(t.predicted_totals, t.total))
    means = {
        "arithmetic": (h_real + h_predicted) / 2,
        "geometric": np.sqrt(h_real) * np.sqrt(h_predicted),
        "min": np.minimum(h_real, h_predicted),
        "max": np.maximum(h_real, h_predicted),
    }
    one_of("mean", mean, means, MeasureError)
    return np.asarray(means[mean])


@Facts(
    title="Adjusted mutual information", tex=r"\frac{I - \mathrm{E}\,I}{\tfrac12(H(P)+H(R)) - \mathrm{E}\,I}",
    bounds=(-1, 1), extent=lambda t, mean="arithmetic": (-np.inf if mean == "min" else -1, 1),
    needs=("cases", *DEALT_OUT), best=1, chance=0, square=False, aka=("ami",), covered=0.87, refs=("vinh2010",),
)  # fmt: skip
def adjusted_mutual_information(
    t: Table, *, mean: Literal["arithmetic", "geometric", "min", "max"] = "arithmetic"
) -> Array:
    """Mutual information beyond what random groupings of these sizes would share.

    The expectation is over all ways to deal the cases out with both margins fixed, so counts must
    be whole.

    >>> round(adjusted_mutual_information(Table.from_counts([[5, 0], [0, 5]])), 12)
    1.0
    """
    average, expected = _average(t, mean), expected_mutual_information(t)
    gain, room = (_snapped(x - expected, average) for x in (_mutual(t), average))
    return where_met(t, DEALT_OUT, ratio(gain, room))


def _snapped(difference: Array, scale: Array) -> Array:
    """A difference that is rounding alone is 0: groupings whose information cannot vary."""
    return np.where(np.abs(difference) <= 1e-11 * scale, 0.0, difference)


def expected_mutual_information(t: Table) -> Array:
    """Mean mutual information over all tables with these margins (hypergeometric), in nats.

    Sums over the values of a cell around its mode, as far as they have any weight, for all cells
    and tables at once. A wide distribution is smooth and taken in steps of its spread / 64, for
    which the trapezoid rule is exact to rounding. scipy has the distribution but not this sum.
    """
    from scipy.special import gammaln

    a, b, times = t.predicted_totals[:, None], t.real_totals[None, :], np.ones((1, 1))
    if not t.shape:  # many classes of one table have the same size: sum each pair of sizes once
        (one, often), (other, as_often) = (np.unique(m, return_counts=True) for m in (a, b))
        a, b, times = one[:, None], other[None, :], np.outer(often, as_often).astype(float)
    n = np.where(t.total < 1e12, t.total, np.nan)  # beyond, log Γ has no digits left
    low, high = np.maximum(a + b - n, 0.0), np.minimum(a, b)
    mode = np.floor(ratio((a + 1) * (b + 1), n + 2))
    spread = np.sqrt(np.maximum(ratio(a * b * (n - a) * (n - b), n**2 * np.maximum(n - 1, 1)), 0))
    step = np.maximum(1.0, np.floor(spread / 64))
    width = float(np.nanmax(np.minimum(high - low, 12 * spread + 12) / step, initial=0.0))
    constant = gammaln(a + 1) + gammaln(b + 1) + gammaln(n - a + 1) + gammaln(n - b + 1)
    constant = constant - gammaln(n + 1)
    total = np.zeros(t.shape)
    for offset in np.arange(-np.ceil(width), np.ceil(width) + 1):
        k = mode + offset * step
        inside = (k >= np.maximum(low, 1)) & (k <= high)
        k = np.where(inside, k, 1.0)
        log_p = constant - gammaln(k + 1) - gammaln(np.maximum(a - k, 0) + 1)
        log_p = log_p - gammaln(np.maximum(b - k, 0) + 1) - gammaln(np.maximum(n - a - b + k, 0) + 1)
        gain = ratio(k, n) * np.log(np.maximum(ratio(n * k, np.maximum(a * b, 1e-300)), 1e-300))
        each = np.where(inside, step * np.exp(log_p) * gain, 0.0)
        total = total + (times.reshape(*times.shape, *[1] * len(t.shape)) * each).sum(axis=(0, 1))
    return np.asarray(total)
