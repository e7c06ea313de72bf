"""What a probability costs where it was given, by the rules that a bettor may be judged by, and what it is made of.

A rule says what a real positive and a real negative cost that were given a probability, and what the forecaster
costs who gives all cases the prevalence. Scores are means of that over the distinct probabilities, so that a
million cases are one pass. Recalibrated by isotonic regression, which is the hull of the ROC curve, a score falls
into what is lost because the numbers are off, what is known, and what there was to know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from informed._arrays import Array, exact_zero, ratio
from informed._numbers import plural
from informed.decisions.hull import Steps
from informed.inference.answers import Test
from informed.inference.given import SEED, Rng
from informed.results import Result


@dataclass(frozen=True)
class Rule:
    """What cases cost by the probability that they were given; less is better."""

    name: str
    of_positive: Callable[[Array], Array]
    of_negative: Callable[[Array], Array]
    uncertainty: Callable[[float], float]  # what a case costs the forecaster who knows the prevalence only
    slope: Callable[[float], float]  # of that, by the prevalence


def _surprise(p: Array) -> Array:
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log(p))


def entropy(share: float) -> float:
    """Of two classes, in nats.

    >>> round(entropy(0.5), 4), entropy(1.0)
    (0.6931, 0.0)
    """
    p = np.array([share, 1 - share])
    return float(-(p * np.log(np.where(p > 0, p, 1.0))).sum()) + 0.0


BRIER = Rule(
    "brier",
    of_positive=lambda p: (1 - p) ** 2,
    of_negative=lambda p: p**2,
    uncertainty=lambda share: share * (1 - share),
    slope=lambda share: 1 - 2 * share,
)
LOG = Rule(
    "log",
    of_positive=_surprise,
    of_negative=lambda p: _surprise(1 - p),
    uncertainty=entropy,
    slope=lambda share: float(np.log((1 - share) / share)),
)


def acting_from(c: float) -> Rule:
    """Of who acts from the probability c on: a false alarm costs c, a miss 1 − c."""
    return Rule(
        f"cost at {c:g}",
        of_positive=lambda p: np.where(p < c, 1 - c, 0.0),
        of_negative=lambda p: np.where(p >= c, c, 0.0),
        uncertainty=lambda share: min(c * (1 - share), (1 - c) * share),
        slope=lambda share: -c if c * (1 - share) < (1 - c) * share else 1 - c,
    )


# ---------------------------------------------------------------------- of steps


def probabilities_of(steps: Steps) -> Array:
    """The distinct probabilities, descending."""
    return np.asarray(steps.thresholds[1:])


def weighed(weight: Array, each: Array) -> float:
    """Σ w·x, in which what has no weight takes no part, even infinite.

    >>> weighed(np.array([0.0, 2.0]), np.array([np.inf, 3.0]))
    6.0
    """
    if np.isfinite(each).all():
        return float(np.dot(weight, each))
    there = weight > 0
    return float(np.dot(weight[there], each[there]))


def mean_score(steps: Steps, rule: Rule) -> float:
    """What a case costs by a rule, on average."""
    p, positives, negatives = probabilities_of(steps), np.diff(steps.tp), np.diff(steps.fp)
    total = float(steps.tp[-1] + steps.fp[-1])
    return (weighed(positives, rule.of_positive(p)) + weighed(negatives, rule.of_negative(p))) / total


def recalibrated_scores(positives: Array, negatives: Array) -> dict[str, float]:
    """Sums of both scores where each block of cases is given its own share of positives."""
    size = positives + negatives
    parts = np.stack([positives, negatives])
    share = ratio(parts, size)
    surprise = -parts * np.log(np.where(parts > 0, share, 1.0))
    return {"brier": float((positives * share[1]).sum()), "log": float(surprise.sum())}


@dataclass(frozen=True, repr=False)
class Parts(Result):
    """A score and what it is made of: score = mcb − dsc + unc.

    The levels are of probabilities that are right (of mcb) and of such that were shuffled over the cases (of dsc):
    neither part is ever negative, and neither has an interval, for it has no slope where it is 0.
    """

    page = "probabilities"

    rule: str
    score: float
    mcb: float  # miscalibration: what is lost because the numbers are off
    dsc: float  # discrimination: what is known
    unc: float  # uncertainty: what there is to know
    mcb_chance: float = np.nan  # mean of right probabilities on so many cases
    mcb_low: float = np.nan  # range of 95 % of those
    mcb_high: float = np.nan
    dsc_chance: float = np.nan  # mean of shuffled ones
    pvalue: float = np.nan  # how often right ones lose as much

    @property
    def known(self) -> float:
        """dsc / unc: the share of what there is to know that is known."""
        return float(ratio(self.dsc, self.unc))

    @property
    def lost(self) -> float:
        """mcb / unc: the share that is lost because the numbers are off."""
        return float(ratio(self.mcb, self.unc))

    @property
    def skill(self) -> float:
        """1 − score / unc: what is known less what is lost."""
        return float(1 - ratio(self.score, self.unc))

    @classmethod
    def summed(cls, rule: str, each: Iterable[Parts]) -> Parts:
        """The parts of a sum of scores, which are the sums of their parts."""
        held = list(each)
        return cls(rule, *(float(sum(getattr(x, name) for x in held)) for name in ("score", "mcb", "dsc", "unc")))

    def beside(self, right: Array, dsc_chance: float) -> Parts:
        """The same beside its levels: what right probabilities lost in draws, and what shuffled ones know."""
        if not len(right):
            return self
        low, high = np.quantile(right, [0.025, 0.975])
        as_bad = int((right >= self.mcb - 1e-12).sum())
        levels: dict[str, Any] = {"mcb_chance": float(right.mean()), "mcb_low": float(low), "mcb_high": float(high)}
        return replace(self, **levels, dsc_chance=dsc_chance, pvalue=(1 + as_bad) / (1 + len(right)))

    def calibration(self, draws: int, rng: Rng, hypothesis: str) -> Test:
        """Whether the numbers may be right: how often right ones lose as much."""
        seed = SEED if rng is None else rng
        of = f" with the seed {seed}" if isinstance(seed, int) else ""
        return Test(
            statistic=self.mcb,
            pvalue=self.pvalue,
            df=np.nan,
            method=f"monte-carlo, {plural(draws, 'draw')}{of}",
            hypothesis=hypothesis,
            measure=f"{self.rule}_mcb",
            alternative="greater",
        )

    def sentence(self) -> str:
        return (
            f"{self.rule} {self.score:.4g} = {self.mcb:.4g} (off) − {self.dsc:.4g} (known) + {self.unc:.4g} (to know)."
        )


def parts_of(steps: Steps, corners: Steps, rule: Rule) -> Parts:
    """The parts of a score, given the corners of the hull."""
    total = float(steps.tp[-1] + steps.fp[-1])
    share = float(ratio(steps.tp[-1], total))
    score, unc = mean_score(steps, rule), rule.uncertainty(share)
    best = recalibrated_scores(np.diff(corners.tp), np.diff(corners.fp))[rule.name] / total
    return Parts(rule.name, score, float(exact_zero(score - best)), float(exact_zero(unc - best)), unc)
