"""Which interval methods there are, which measures each is for, and which is the default."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._arrays import Limits
from informed.errors import InferenceError
from informed.inference import delta as _delta
from informed.inference import powers_intervals as _powers
from informed.inference import proportions as _proportions
from informed.inference import resampling as _resampling
from informed.inference import two_proportions as _two
from informed.inference.given import Rng
from informed.inference.proportions import proportion_of
from informed.inference.sample import SLOPE_CELLS, Sample
from informed.measures import Measure
from informed.measures.titles import in_words

ANALYTIC_CELLS = 40_000  # cells up to which an arc with closed slopes takes about a second
NUMERIC_CELLS = 400  # the same for slopes by differences, whose cost is the square
DRAWN_CELLS = 25_000  # cells up to which posterior draws fit
UNKNOWN = "No confidence interval of"  # how the reason of such a measure begins
NONE = "none"  # the method of a measure of which no interval is known to cover


@dataclass(frozen=True)
class IntervalOptions:
    """What only some methods read."""

    rng: Rng = None
    n_draws: int = _resampling.DRAWS
    mass: float = 1.0
    powers: tuple[tuple[str, Any], ...] = ()

    def __post_init__(self) -> None:
        if self.n_draws < 100:
            raise InferenceError(f"`n_draws` is {self.n_draws}; limits in the tails take 100 at least.")


@dataclass(frozen=True)
class IntervalMethod:
    """A way to an interval: what it computes, and the measures that it is for.

    Both are told the name of the method. A way may take several measures of a table together, and
    find what they share once.
    """

    way: Callable[[Any, str, IntervalOptions], Any]
    applies: Callable[[Sample, str], bool]
    together: bool = False
    drawn: bool = False  # whether its limits are quantiles of random draws

    def limits(self, samples: Sequence[Sample], method: str, options: IntervalOptions) -> list[Limits]:
        """Those of several measures of a table."""
        if self.together:
            return list(self.way(samples, method, options))
        return [self.way(s, method, options) for s in samples]


def has_slopes(s: Sample) -> bool:
    """Whether the measure, or what it is the geometric mean of, has slopes."""
    return s.m.facts.factors is not None or s.is_smooth


def why_none(m: Measure, classes: int) -> str:
    """Why no limits of a measure are shown; empty where an interval is known to cover."""
    slopes = m.facts.factors is not None or m.smooth(classes)
    if slopes and (m.facts.covered is None or classes <= m.facts.covers_up_to):
        return ""
    said = f"{UNKNOWN} {in_words(m)} is known to cover."
    if m.facts.covered is None:
        return said
    which = "Its" if slopes else "Resampled"
    return f"{said} {which} 95% intervals covered as little as {m.facts.covered:.0%} in simulations."


def smooth(s: Sample) -> bool:
    """Whether the measure has slopes, at a cost that can be paid."""
    return has_slopes(s) and (s.f.stated is not None or s.f.exact or s.cells <= SLOPE_CELLS)


def binomial(s: Sample) -> bool:
    """Whether it is one proportion of a number of trials that does not depend on the outcome."""
    form = proportion_of(s.m)
    return form is not None and s.through is None and (not s.fixed or form.given)


def has_spread(s: Sample) -> bool:
    """Whether a sample could have come out otherwise: of one label only a proportion could."""
    return s.cells > 1 or binomial(s)


def _of_odds(s: Sample) -> bool:
    return s.m.facts.of_odds is not None and s.through is None


def _proportions_limits(samples: Sequence[Sample], method: str, _: IntervalOptions) -> list[Limits]:
    """Those of proportions in one search; mid-P of the odds ratio is a way of its own."""
    forms = [proportion_of(s.m) for s in samples]
    asked = [(f, s.effective) for f, s in zip(forms, samples, strict=True) if f is not None]
    found = iter(_proportions.limits(asked, method, samples[0].level) if asked else ())
    return [_two.conditional(s, mid=True) if f is None else next(found) for f, s in zip(forms, samples, strict=True)]


def _is_proportion(s: Sample, method: str) -> bool:
    return binomial(s) or (method == "mid-p" and _of_odds(s))


def _difference_limits(s: Sample, method: str, _: IntervalOptions) -> Limits:
    if _two.is_difference(s.m, s.t):
        return _two.difference_limits(s.m, s.effective, method, s.level)
    return _two.ratio_limits(s, corrected=method == "miettinen-nurminen")


def _is_difference(s: Sample, method: str) -> bool:
    """Whether it is a difference of two shares; for scores, or a ratio of them."""
    if s.through is not None:
        return False
    observed = _two.is_difference(s.m, s.t) and (not s.fixed or s.m.side == "real")
    return observed or (method in ("miettinen-nurminen", "score") and _is_ratio(s))


def _is_ratio(s: Sample) -> bool:
    """Whether it is a ratio of two proportions, those of the real classes."""
    return s.m.facts.quotient is not None and s.through is None


def _can_be_resampled(s: Sample, method: str) -> bool:
    if method == "bootstrap-t":
        return smooth(s) and s.units is None
    return method in ("bootstrap-percentile", "bootstrap-centred") or has_slopes(s)


def _arc_applies(s: Sample, _: str) -> bool:
    return all(
        smooth(one) and one.cells <= (10 * ANALYTIC_CELLS if one.f.exact else 4 * NUMERIC_CELLS) for one in s.walked
    )


def _plus_four_applies(s: Sample, _: str) -> bool:
    return all(smooth(one) and one.is_smooth for one in s.walked)


def _is_of_the_papers(s: Sample) -> bool:
    return s.m.facts.powers and not s.m.bound and s.through is None


METHODS: Mapping[str, IntervalMethod] = {
    "arc": IntervalMethod(lambda samples, *_: _delta.arcs(samples), _arc_applies, together=True),
    "plus-four": IntervalMethod(lambda s, *_: _delta.plus_four(s), _plus_four_applies),
    "wald": IntervalMethod(lambda s, *_: _delta.wald(s), lambda s, _: smooth(s)),
    **dict.fromkeys(_proportions.METHODS, IntervalMethod(_proportions_limits, _is_proportion, together=True)),
    **dict.fromkeys(_two.OF_DIFFERENCES, IntervalMethod(_difference_limits, _is_difference)),
    "mover-ratio": IntervalMethod(lambda s, *_: _two.mover_ratio(s), lambda s, _: _is_ratio(s)),
    "log": IntervalMethod(lambda s, *_: _two.log(s), lambda s, _: s.m.facts.bounds == (0, np.inf) and smooth(s)),
    "conditional-exact": IntervalMethod(lambda s, *_: _two.conditional(s, mid=False), lambda s, _: _of_odds(s)),
    "dirichlet": IntervalMethod(
        lambda s, _, o: _resampling.quantiles(_resampling.dirichlet(s, o.rng, o.n_draws, o.mass), *s.tails),
        lambda s, _: "whole counts" not in s.m.facts.needs and s.cells <= DRAWN_CELLS,
        drawn=True,
    ),
    **dict.fromkeys(
        ("bootstrap-centred", "bootstrap-percentile", "bootstrap-bca", "bootstrap-t"),
        IntervalMethod(
            lambda s, method, o: _resampling.bootstrap(s, method, o.rng, o.n_draws), _can_be_resampled, drawn=True
        ),
    ),
    **dict.fromkeys(
        _powers.OWN,
        IntervalMethod(
            lambda s, method, o: _powers.limits(s, method, **dict(o.powers)), lambda s, _: _is_of_the_papers(s)
        ),
    ),
    _powers.FITTED: IntervalMethod(
        lambda s, _, o: _powers.fitted(s, **dict(o.powers)),
        lambda s, _: _is_of_the_papers(s) and s.m.facts.difference and s.t.unanswered is None,
    ),
}


def applies(method: str, s: Sample) -> bool:
    """Whether there is such a method, and it is for this measure of this table."""
    return method in METHODS and METHODS[method].applies(s, method)


def default(s: Sample) -> str:
    """The method that measurably covers for this measure, at a cost that fits the table."""
    if why_none(s.m, len(s.t.real_labels)):
        return NONE
    if binomial(s):
        return "mid-p"
    if _is_ratio(s):
        return "mover-ratio"
    if dict(s.m.bound).get("average") == "macro" and s.m.facts.of_share is not None:
        return "plus-four"
    if s.cells <= (ANALYTIC_CELLS if all(one.f.exact for one in s.walked) else NUMERIC_CELLS):
        return "arc"
    return "plus-four" if applies("plus-four", s) else "dirichlet"
