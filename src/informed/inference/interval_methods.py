"""Which interval methods there are, which measures each is for, and which is the default."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._arrays import Limits
from informed.inference import delta as _delta
from informed.inference import powers_intervals as _powers
from informed.inference import proportion_differences as _differences
from informed.inference import proportion_ratios as _ratios
from informed.inference import proportions as _proportions
from informed.inference import resampling as _resampling
from informed.inference.proportion_differences import is_difference
from informed.inference.proportions import proportion_of
from informed.inference.sample import Sample

ANALYTIC_CELLS = 40_000  # cells up to which an arc with closed slopes takes about a second
NUMERIC_CELLS = 400  # the same for slopes by differences, whose cost is the square
SLOPE_CELLS = 3_600  # cells up to which slopes by differences can be had once
DRAWN_CELLS = 25_000  # cells up to which posterior draws fit


@dataclass(frozen=True)
class IntervalOptions:
    """What only some methods read."""

    rng: Any = None
    n_draws: int = _resampling.DRAWS
    mass: float = 1.0
    powers: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class IntervalMethod:
    """A way to an interval: what it computes, and the measures that it is for.

    It takes several measures of a table, because what they share is then found once.
    """

    limits: Callable[[Sequence[Sample], IntervalOptions], list[Limits]]
    applies: Callable[[Sample], bool]


def _each(limits: Callable[[Sample, IntervalOptions], Limits]) -> Callable[..., list[Limits]]:
    """A way that takes one measure at a time."""
    return lambda samples, options: [limits(s, options) for s in samples]


def has_slopes(s: Sample) -> bool:
    """Whether the measure, or what it is the geometric mean of, has slopes."""
    return s.m.facts.factors is not None or s.m.smooth(len(s.t.real_labels))


def smooth(s: Sample) -> bool:
    """Whether the measure has slopes, at a cost that can be paid."""
    return has_slopes(s) and (s.f.stated is not None or s.f.exact or s.cells <= SLOPE_CELLS)


def binomial(s: Sample) -> bool:
    """Whether it is one proportion of a number of trials that does not depend on the outcome."""
    form = proportion_of(s.m)
    return form is not None and s.through is None and (not s.fixed or form.given)


def _difference(s: Sample) -> bool:
    observed = s.through is None and (not s.fixed or s.m.side == "real")
    return observed and is_difference(s.m, s.t)


def _of_odds(s: Sample) -> bool:
    return s.m.facts.of_odds is not None and s.through is None


def _proportion_method(method: str) -> IntervalMethod:
    def limits(samples: Sequence[Sample], _: IntervalOptions) -> list[Limits]:
        forms = [proportion_of(s.m) for s in samples]
        asked = [(f, s.effective) for f, s in zip(forms, samples, strict=True) if f is not None]
        found = iter(_proportions.limits(asked, method, samples[0].level) if asked else ())
        odds = _ratios.conditional(mid=True)
        return [odds(s) if f is None else next(found) for f, s in zip(forms, samples, strict=True)]

    def applies(s: Sample) -> bool:
        return binomial(s) or (method == "mid-p" and _of_odds(s))

    return IntervalMethod(limits, applies)


def _difference_method(method: str) -> IntervalMethod:
    def limits(s: Sample, _: IntervalOptions) -> Limits:
        if not is_difference(s.m, s.t):
            return _ratios.ratio_limits(method == "miettinen-nurminen")(s)
        return _differences.limits(s.m, s.effective, method, s.level)

    def applies(s: Sample) -> bool:
        scores = method in ("miettinen-nurminen", "score")
        quotient = s.m.facts.quotient is not None and s.through is None
        return _difference(s) or (scores and quotient)

    return IntervalMethod(_each(limits), applies)


def _log_applies(s: Sample) -> bool:
    return s.m.facts.bounds == (0, np.inf) and smooth(s)


def _bootstrap_method(kind: str) -> IntervalMethod:
    def limits(s: Sample, options: IntervalOptions) -> Limits:
        return _resampling.bootstrap(kind)(s, options.rng, options.n_draws)

    def applies(s: Sample) -> bool:
        return (kind == "bootstrap-percentile" or has_slopes(s)) and (
            kind != "bootstrap-t" or (smooth(s) and s.units is None)
        )

    return IntervalMethod(_each(limits), applies)


def _powers_method(method: str) -> IntervalMethod:
    return IntervalMethod(
        _each(lambda s, options: _powers.limits(s, method, **dict(options.powers))),
        lambda s: s.m.facts.powers and not s.m.bound and s.through is None,
    )


def _arc_applies(s: Sample) -> bool:
    return smooth(s) and s.cells <= (10 * ANALYTIC_CELLS if s.f.exact else 4 * NUMERIC_CELLS)


METHODS: Mapping[str, IntervalMethod] = {
    "arc": IntervalMethod(lambda samples, _: _delta.arcs(samples), _arc_applies),
    "plus-four": IntervalMethod(
        _each(lambda s, _: _delta.plus_four(s)),
        lambda s: smooth(s) and s.m.smooth(len(s.t.real_labels)),
    ),
    "wald": IntervalMethod(_each(lambda s, _: _delta.wald(s)), smooth),
    **{name: _proportion_method(name) for name in _proportions.METHODS},
    **{name: _difference_method(name) for name in _differences.METHODS},
    "log": IntervalMethod(_each(lambda s, _: _ratios.log(s)), _log_applies),
    "conditional-exact": IntervalMethod(
        _each(lambda s, _: _ratios.conditional(mid=False)(s)),
        _of_odds,
    ),
    "dirichlet": IntervalMethod(
        _each(lambda s, o: _resampling.posterior_limits(s, o.rng, o.n_draws, o.mass)),
        lambda s: "whole counts" not in s.m.facts.needs and s.cells <= DRAWN_CELLS,
    ),
    **{
        name: _bootstrap_method(name)
        for name in ("bootstrap-percentile", "bootstrap-bca", "bootstrap-t")
    },
    **{name: _powers_method(name) for name in _powers.OWN},
}


def default(s: Sample) -> str:
    """The method that measurably covers for this measure, at a cost that fits the table."""
    if not has_slopes(s):
        return "bootstrap-percentile"
    if binomial(s):
        return "mid-p"
    if dict(s.m.bound).get("average") == "macro" and s.m.facts.of_share is not None:
        return "plus-four"
    cells = s.cells
    if cells <= (ANALYTIC_CELLS if s.f.exact else NUMERIC_CELLS):
        return "arc"
    return "plus-four" if smooth(s) else "dirichlet"
