"""What the errata come to: by name, a number as the papers print it and as it is.

What is printed wrong is typed as it stands; what is right the library computes. Where a sentence is wrong, its
number is what it says of a table that contradicts it. Numbers are of the examples of Table 2 unless they say so.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import sqrt
from typing import TypeAlias

import numpy as np

from informed.evidence.table import Table
from informed.inference.powers_intervals import SSE
from informed.inference.powers_tests import chi_squared_of_others
from informed.measures import find
from informed.papers.examples import PRINTED_2, SPREADSHEET, TABLE_2, twelve_averages, twelve_classes
from informed.papers.published import bands
from informed.simulation.generators import population
from informed.simulation.judging import pvalues, statistics, values
from informed.systems.tails import quantile

Pairs: TypeAlias = dict[str, tuple[float, float]]  # as printed, as it is

NUMBERS: dict[int, Callable[[], Pairs]] = {}
FIRST, SECOND = TABLE_2.values()
PREVALENCE, BIAS = float(FIRST.prevalence[0]), float(FIRST.bias[0])
EVEN = PREVALENCE * (1 - PREVALENCE)  # EvR of the first example


def numbers(erratum: int) -> Callable[[Callable[[], Pairs]], Callable[[], Pairs]]:
    """Registers what an erratum comes to."""

    def add(found: Callable[[], Pairs]) -> Callable[[], Pairs]:
        assert erratum not in NUMBERS, f"erratum {erratum} has numbers already"
        NUMBERS[erratum] = found
        return found

    return add


def _of(t: Table, measure: str) -> float:
    return float(values(t, measure))


def _statistic(t: Table, method: str) -> float:
    return float(statistics(t, method))


def _p(t: Table, method: str, **options: str) -> float:
    return float(pvalues(t, method, **options))


# ------------------------------------------------------------------ formulas


@numbers(1)
def rates() -> Pairs:
    fallout, miss = float(FIRST.fp / FIRST.rp), float(FIRST.fn / FIRST.rn)
    return {"fallout": (fallout, _of(FIRST, "fallout")), "miss rate": (miss, _of(FIRST, "miss_rate"))}


@numbers(2)
def negative_likelihood_ratio() -> Pairs:
    return {"NLR": (_of(FIRST, "inverse_recall") / _of(FIRST, "miss_rate"), _of(FIRST, "nlr"))}


@numbers(3)
def scott() -> Pairs:
    both = FIRST.prevalence + FIRST.bias
    wrong, chance = float((both**2).sum()), float(((both / 2) ** 2).sum())
    pi = (_of(FIRST, "accuracy") - wrong) / (1 - wrong)
    return {"chance agreement": (wrong, chance), "π": (pi, _of(FIRST, "scott_pi"))}


@numbers(4)
def information() -> Pairs:
    joint, expected = FIRST.counts / FIRST.n, FIRST.expected / FIRST.n
    return {"MI": (-float((joint * np.log(joint / expected)).sum()), _of(FIRST, "mutual_information"))}


@numbers(5)
def likelihood_ratio() -> Pairs:
    return {"G²": (float(FIRST.n) * _of(FIRST, "mutual_information"), _statistic(FIRST, "g"))}


@numbers(6)
def of_real_positives() -> Pairs:
    def hybrid(t: Table, share: float) -> float:
        return float(t.n * _of(t, "markedness") ** 2 * t.prevalence.prod() / share)

    found = {f"χ²+R, {x}": (hybrid(t, t.bias[0]), _statistic(t, "plus-r")) for x, t in TABLE_2.items()}
    return found | {"χ²−R, first": (hybrid(FIRST, FIRST.bias[1]), _statistic(FIRST, "minus-r"))}


@numbers(7)
def of_predicted_positives() -> Pairs:
    found = {x: (2 * _statistic(t, "plus-p"), _statistic(t, "g-plus-p")) for x, t in TABLE_2.items()}
    return {f"G²+P, {name}": pair for name, pair in found.items()}


@numbers(8)
def half_widths() -> Pairs:
    said = bands(FIRST, abs(_of(FIRST, "informedness")), 100)
    found: Pairs = {}
    for short, measure, equations in (("M", "markedness", (67, 64)), ("C", "correlation", (68, 65))):
        own = bands(FIRST, abs(_of(FIRST, measure)), 100)
        for i, equation in enumerate(equations):
            found[f"half-width CI_{short}{i + 1} ({equation})"] = float(said[i]), float(own[i])
    return found


@numbers(9)
def f_measure() -> Pairs:
    return {"F with β = 1": (_of(FIRST, "f_measure(alpha=1)"), _of(FIRST, "f_beta(beta=1)"))}


@numbers(10)
def harmonic_error() -> Pairs:
    return {"√sse at B = ½": (0.5 - 0.5**2, float(SSE["harmonic"](np.array(0.5))))}


@numbers(11)
def area() -> Pairs:
    both = [_of(t, "auc_single") for t in TABLE_2.values()]
    return {"AUC of the better example": (min(both), max(both))}


@numbers(12)
def deviations() -> Pairs:
    dp, off = _of(FIRST, "delta_tp"), (FIRST.counts - FIRST.expected) / FIRST.n
    return {"dtn": (-dp, float(off[1, 1])), "absolute deviation, four cells": (2 * dp, float(np.abs(off).sum()))}


@numbers(13)
def harmonic_prevalence() -> Pairs:
    etp, dtp = PREVALENCE * BIAS, _of(FIRST, "delta_tp")
    wrong = (etp + dtp) / PREVALENCE - (etp - dtp) / (1 - PREVALENCE)
    return {"rh (25)": (PREVALENCE**2 / 0.5**2, 2 * EVEN), "B (26)": (wrong, _of(FIRST, "informedness"))}


@numbers(14)
def kappa() -> Pairs:
    below = 1 - BIAS * PREVALENCE - (BIAS + PREVALENCE) / 2
    return {"kappa": (_of(FIRST, "informedness") * EVEN / below, _of(FIRST, "cohen_kappa"))}


@numbers(15)
def regression() -> Pairs:
    b, m = _of(FIRST, "informedness"), _of(FIRST, "markedness")
    return {
        "χ²+P (30), r_P of (17)": (100 * m**2 * EVEN / BIAS, _statistic(FIRST, "plus-p")),
        "χ²KM (33), r_R of (18)": (2 * 100 * b**2 * BIAS * (1 - BIAS), _statistic(FIRST, "km")),
    }


@numbers(16)
def where_bars_meet() -> Pairs:
    x = 2.0
    return {"N at which (63) to (68) meet, even margins, X = 2": (16, 1 + x**2 / (2 * 0.5**2))}


@numbers(17)
def weighting() -> Pairs:
    w = Table.from_counts([[32, 0, 34], [8, 9, 8], [37, 0, 16]])
    found = _of(w, "informedness(weighting='bias')"), _of(w, "informedness")
    return {"B of [[32, 0, 34], [8, 9, 8], [37, 0, 16]]": found}


@numbers(18)
def others() -> Pairs:
    t = population(0.5, k=4, guess=(0.1, 0.2, 0.3, 0.4))
    xb = float(t.bias @ chi_squared_of_others(t))
    return {"χ²XB/χ²KB, four even classes, B = .5, guesses .1 to .4": (4 - 1, xb / _statistic(t, "kb"))}


@numbers(19)
def geometric_means() -> Pairs:
    det, b = _of(FIRST, "delta_tp"), BIAS * (1 - BIAS)
    return {
        "B (44)": (det / sqrt(EVEN), _of(FIRST, "informedness_det")),
        "C (46), squares": (det / (EVEN * b), _of(FIRST, "correlation")),
    }


@numbers(20)
def exponent() -> Pairs:
    t = population(0.5, k=3, prevalence=(0.5, 0.3, 0.2), guess=(0.2, 0.2, 0.6))
    found = _of(t, "informedness_det(exponent='1/(3K-2)')"), _of(t, "informedness_det")
    return {"exponent for K = 2": (1, 1 / (3 * 2 - 2)), "a system of three classes, B = .5": found}


@numbers(21)
def determinant_statistics() -> Pairs:
    det, harmonic = _of(FIRST, "delta_tp"), _of(FIRST, "evenness_harmonic")
    return {
        "χ²KB (58)": (2 * 100 * det / harmonic, _statistic(FIRST, "kb-det")),
        "Ev− (62)": (_of(FIRST, "evenness_plus") / harmonic, _of(FIRST, "evenness_minus")),
    }


@numbers(22)
def most_evenness() -> Pairs:
    t = population(0.5, k=4)
    evenness, unit = _of(t, "evenness_minus"), 4 * 3 * 0.5**2
    return {
        "Ev− of four even classes": (1 / 4**2, evenness),
        "χ²XB/N of them (50), B = .5, where (53) is .75": (unit / 4**2, _statistic(t, "xb")),
    }


@numbers(23)
def williams() -> Pairs:
    squared = float((1 / FIRST.prevalence).sum())  # K/PrevH
    return {"a": (squared, sqrt(squared)), "K/PrevH of two even classes": (2, 2 / 0.5)}


@numbers(24)
def usual_tests() -> Pairs:
    found = {
        f"p of Fisher, {x}: one-sided, two-sided": (_p(t, "fisher", alternative="greater"), _p(t, "fisher"))
        for x, t in TABLE_2.items()
    }
    chi = {f"χ², {x}: +P, Pearson": (_statistic(t, "plus-p"), _statistic(t, "pearson")) for x, t in TABLE_2.items()}
    return found | chi


# ------------------------------------------------------------------ statements


@numbers(25)
def misses() -> Pairs:
    t = Table.from_counts([[8, 2], [2, 88]])
    return {"miss rate of [[8, 2], [2, 88]]": (_of(t, "fallout"), _of(t, "miss_rate"))}


@numbers(26)
def alike() -> Pairs:
    t = Table.from_counts([[25, 45], [5, 25]])
    assert abs(_of(t, "informedness") - _of(t, "markedness")) < 1e-12
    return {"bias of [[25, 45], [5, 25]], where B = M": (_of(t, "prevalence"), _of(t, "bias"))}


@numbers(27)
def one_class() -> Pairs:
    t = Table.from_counts([[7, 0], [3, 0]])
    return {"B of [[7, 0], [3, 0]], in the limit": (1, float(find("informedness")(t, undefined="limit")))}


@numbers(28)
def caption() -> Pairs:
    return {
        "WRAcc": (_of(FIRST, "informedness"), _of(FIRST, "wracc")),
        "markedness": (_of(FIRST, "correlation"), _of(FIRST, "markedness")),
    }


@numbers(29)
def critical_values() -> Pairs:
    from scipy.special import chdtri

    printed = PRINTED_2["first"]["χ² at p = .05"]
    return {"χ² at p = .05": (printed, float(chdtri(1, 0.05))), "standard errors": (1.95, quantile(0.95))}


@numbers(30)
def free() -> Pairs:
    more = Table.from_counts([[56, 20], [24, 12]])
    return {"Jaccard with twice the false negatives": (_of(FIRST, "jaccard"), _of(more, "jaccard"))}


@numbers(32)
def limits() -> Pairs:
    t = Table.from_counts([[80, 45], [20, 855]])  # recall .8, fallout .05
    return {"precision at prevalence .1": (0.95, _of(t, "precision"))}


@numbers(33)
def spreadsheet() -> Pairs:
    one, two, three, _ = SPREADSHEET.values()
    entropy = -float((FIRST.prevalence * np.log(FIRST.prevalence)).sum())
    unweighted = sqrt(_of(three, "g_measure") * _of(three, "inverse_g"))
    return {
        "B of perfect play": (_of(one, "informedness"), _of(two, "informedness")),
        "chance of a horse at 1:2": (1 / 3, 2 / 3),
        "expected information": (entropy, _of(FIRST, "conditional_entropy")),
        "accuracy": (float(FIRST.tp + FIRST.tn / FIRST.n), _of(FIRST, "accuracy")),
        "AvG of model three": (unweighted, _of(three, "av_g(weights='bias')")),
    }


@numbers(34)
def poster() -> Pairs:
    at_0 = 4 * 0 * _of(FIRST, "informedness") / (1 + 0) ** 2  # (14)
    return {"Bias": (PREVALENCE, _of(FIRST, "bias")), "WRAcc that is B": (at_0, _of(FIRST, "wracc_c(c=1)"))}


@numbers(35)
def full_hypothesis() -> Pairs:
    one = np.array(1.0)
    return {"√sse_B2 at B = 1": (float(SSE["value"](one)), float(SSE["complement"](one)))}


@numbers(36)
def rand() -> Pairs:
    return {"Rand index": (_of(FIRST, "accuracy"), _of(FIRST, "rand_index"))}


@numbers(37)
def families() -> Pairs:
    from scipy.special import chdtrc

    return {"p of χ²X where χ²K = 8, K = 4": (float(chdtrc(3, 8)), float(chdtrc(9, 3 * 8)))}


@numbers(38)
def larger_determinant() -> Pairs:
    unused = Table.from_counts([[40, 2, 8], [3, 38, 9], [0, 0, 0]])  # a label that is never said
    other = Table.mixture(0.3, prevalence=unused.prevalence)
    assert np.linalg.det(other.counts / other.n) > np.linalg.det(unused.counts / unused.n)
    found = _of(other, "informedness"), _of(unused, "informedness")
    return {"B by the larger determinant, and of [[40, 2, 8], [3, 38, 9], [0, 0, 0]]": found}


@numbers(39)
def resampled() -> Pairs:
    t = Table.from_counts([[40, 10, 5], [8, 20, 9], [2, 10, 16]])
    other = Table.from_counts(t.counts * [1, 5, 0.3])
    name = "B of [[40, 10, 5], [8, 20, 9], [2, 10, 16]] with classes 1, 5 and 0.3 times"
    return {name: (_of(t, "informedness"), _of(other, "informedness"))}


@numbers(41)
def twelve() -> Pairs:
    held = twelve_averages(twelve_classes())
    return {"B of the twelve classes": (held["B"], held["B as defined"])}


@numbers(42)
def largest_correlation() -> Pairs:
    even, rare = (population(0.5, k=2, prevalence=0.3, guess=guess) for guess in (0.3, 0.01))
    return {
        "C at guesses of .3 and of .01, B = .5, prevalence .3": (_of(even, "correlation"), _of(rare, "correlation")),
        "kappa at guesses of .01, which should be below B": (_of(rare, "informedness"), _of(rare, "cohen_kappa")),
    }


@numbers(43)
def coverage() -> Pairs:
    """By enumeration: every table of 16 cases with its probability."""
    from scipy.special import gammaln

    truth, n, level = population(0.5, k=2), 16, 0.5
    counts = np.array([(a, b, c, n - a - b - c) for a, b, c in product(range(n + 1), repeat=3) if a + b + c <= n])
    t = Table.from_counts(counts.reshape(-1, 2, 2))
    inside = np.abs(values(t, "informedness") - level) <= bands(t, level, n)[0]  # not where B has no value
    orders = gammaln(n + 1) - gammaln(counts + 1).sum(axis=1)
    likely = np.exp(orders + counts @ np.log(truth.counts.ravel()))
    return {"coverage of CI_B1, two even classes, B = .5, N = 16": (0.95, float(likely[inside].sum()))}
