"""The papers' own intervals (63)–(68), kept to reproduce them: their coverage is in the result.

Half-width X·s/√(2E(N − 1)), with s the root of what the papers call sse, E the evenness of both
margins. The subscripts are 0 for the null, 1 for the alternate and 2 for the full hypothesis.

Beside them their error bars calibrated: V₀, N times the variance of the measure under chance with these margins, in the
place of 1/2E, and the sse that belongs to it (`fitted`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from informed._arrays import Array, Limits, ratio
from informed.errors import InferenceError, one_of
from informed.evidence.table import Table
from informed.inference.given import checked_level
from informed.inference.permutation import excess_and_variance
from informed.inference.sample import Sample
from informed.measures import find

SSE: dict[str, Callable[[Array], Array]] = {  # the root of sse, from the size of the measure
    "null": np.ones_like,  # |1 − B| at B = 0, and |B| at B = 1
    "full": np.zeros_like,  # |1 − B| at B = 1
    "arithmetic": lambda s: np.full_like(s, 0.5),
    "weighted": lambda s: s**2 + (1 - s) ** 2,
    "complement": lambda s: 1 - s,
    "value": lambda s: s,
    "geometric": lambda s: np.sqrt(s * (1 - s)),
    "harmonic": lambda s: 2 * s * (1 - s),
    "max": lambda s: np.maximum(s, 1 - s),
    "min": lambda s: np.minimum(s, 1 - s),
}
RATES = "rates"  # √(fallout² + miss rate²), for two classes

OWN = {"powers-0": "null", "powers-1": "weighted", "powers-2": "complement"}

FITTED = "powers-fitted"
PULL = 0.7  # fitted by benchmarks/studies/powers_fit.py, which measures coverage in other worlds

COVERAGE = {  # two classes, 32 to 128 cases, 5 or more expected in each; docs/intervals.md
    "powers-0": "measured coverage of a 95 % interval .93 on average, down to .62",
    "powers-1": "measured coverage of a 95 % interval .82 on average, down to .43",
    "powers-2": "measured coverage of a 95 % interval .47 on average, down to 0",
    FITTED: "measured coverage of a 95 % interval .96 on average, down to .84 where a class is rare",
}


def multiplier(level: float = 0.95, *, mean: float | None = None, tails: Literal[1, 2] = 2) -> float:
    """The papers' X: standard deviations from the mean to a quantile of a normal distribution, or of a Poisson
    distribution with this mean; give it to an interval as ``x=``.

    The papers name both distributions and not the mean: take the number of cases that is expected.

    >>> round(multiplier(), 2), round(multiplier(tails=1), 2), multiplier(mean=16), round(multiplier(mean=10**8), 2)
    (1.96, 1.64, 2.0, 1.96)
    """
    from scipy.stats import norm, poisson

    one_of("tails", str(tails), ("1", "2"), InferenceError)
    share = 1 - (1 - checked_level(level)) / tails
    if mean is None:
        return float(norm.ppf(share))
    if not mean > 0:
        raise InferenceError(f"`mean` is {mean!r}; it must be above 0.")
    return float((poisson.ppf(share, mean) - mean) / np.sqrt(mean))


def limits(
    s: Sample,
    method: str,
    *,
    x: float | None = None,
    sse: str | float | tuple[Any, Any] | None = None,
    evenness: Literal["margins", "even"] = "margins",
    factor: float = 2.0,
) -> Limits:
    """The papers' limits; E and the factor 2 can be set to 1 to match the text on N = 16."""
    chosen = OWN[method] if sse is None else sse
    below, above = chosen if isinstance(chosen, tuple) else (chosen, chosen)
    one_of("evenness", evenness, ("margins", "even"), InferenceError)
    e = np.asarray(find("evenness_factor")(s.t)) if evenness == "margins" else 1.0
    scale = (s.z if x is None else x) * np.sqrt(ratio(1, factor * e * np.maximum(s.effective_n - 1, 0)))
    endless = np.isinf(scale)  # an empty margin: E is 0
    reach = [np.where(endless, np.inf, np.where(endless, 0, scale) * _root(s, side)) for side in (below, above)]
    return s.estimate - reach[0], s.estimate + reach[1]


def fitted(s: Sample, *, x: float | None = None, pull: float = PULL) -> Limits:
    """The papers' error bars X·√(V₀·sse/(N − 1)), with sse = (1 − u)(1 − u + u·V₁/V₀) and u = |B|/(1 + pull·X²/N).

    Of a system that knows or guesses, N times the variance of B is (1 − B)((1 − B)·V₀ + B·V₁), where V₀ is that under
    chance, V₁ = Σ Bias/(1 − Prev), and Bias is that of the guesses; here it is that of all predictions. Where all
    classes and labels are equally frequent V₀ is 1/(K − 1) and V₁/V₀ is K. Markedness is taken as informedness with
    both sides exchanged.
    """
    t = s.t if s.m.side == "real" else s.t.dual
    z, n = s.z if x is None else x, s.effective_n
    null = null_variance(t)
    said = t.predicted_totals
    if len(said) == 2:  # below 0 a system knows and says the opposite
        said = np.where(s.estimate < 0, said[::-1], said)
    full = (said * _of_others(t)).sum(axis=0)

    u = ratio(np.abs(s.estimate), 1 + pull * ratio(z**2, n))
    sse = (1 - u) * ((1 - u) * null + u * full)  # times V₀
    reach = np.where(null > 0, z * np.sqrt(ratio(sse, np.maximum(n - 1, 0))), np.inf)  # one label: nothing is known
    return s.estimate - reach, s.estimate + reach


def null_variance(t: Table) -> Array:
    """V₀: the variance of informedness over all shufflings of the predictions, times N − 1.

    For two classes it is Bias·IBias/(Prev·IPrev).

    >>> round(float(null_variance(Table.from_counts([[28, 12], [42, 18]]))), 4), round(0.4 * 0.6 / (0.7 * 0.3), 4)
    (1.1429, 1.1429)
    """
    return np.asarray(excess_and_variance(t, _of_others(t))[1] * (t.total - 1))


def _of_others(t: Table) -> Array:
    """1/(N − R), by class; 0 where there is no other class, and informedness is undefined."""
    return np.nan_to_num(ratio(1, t.real_rest), posinf=0)


def _root(s: Sample, choice: Any) -> Array:
    size = np.abs(s.estimate)
    if choice == RATES:
        if len(s.t.real_labels) != 2 or not s.m.facts.difference:
            raise InferenceError(f'`sse="rates"` is for informedness and markedness of two classes, not {s.m.name}.')
        t = s.t if s.m.side == "real" else s.t.dual
        wrong = ratio(t.predicted_totals - t.hits, t.total - t.real_totals)
        return np.asarray(np.hypot(wrong[0], wrong[1]))
    if isinstance(choice, (int, float)):
        return np.full(size.shape, float(choice))
    if choice not in SSE:
        raise InferenceError(
            f"`sse` is {choice!r}; it must be a number, one of {', '.join([*SSE, RATES])}, or a "
            "pair of these for below and above."
        )
    return np.asarray(SSE[choice](size))
