"""The reliability curve: what share of cases is positive, by the probability that they were given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.decisions.curve import Curve
from informed.decisions.probability_draws import BAND, Drawn
from informed.results import Records, Result, plain_dict

RUG = 40  # bins of the probabilities that stand below the curve


@dataclass(frozen=True, eq=False, repr=False)
class Reliability(Result):
    """Blocks of probabilities with their share of positives, ascending (isotonic regression), and the band.

    The shares were fitted on these same cases: taken for the system's probabilities, they flatter it. The band is
    where the curve of right probabilities lies at each point, by itself.
    """

    page = "probabilities"
    kinds = dict.fromkeys(("cases",), "amount")

    start: Array  # the least probability of each block
    end: Array  # and the greatest
    share: Array  # of positives
    cases: Array
    at: Array  # probabilities where the band is known
    low: Array
    high: Array
    rug: Array  # weight of the cases in equal bins of the probability
    level: float = BAND  # of the band

    def records(self) -> Records:
        """A row for each block."""
        held = (self.start, self.end, self.share, self.cases)
        return Records.of("start end share cases:amount", zip(*(x.tolist() for x in held), strict=True))

    @property
    def band(self) -> Records:
        """A row for each point at which the band is known."""
        held = (self.at, self.low, self.high)
        return Records.of("probability low high", zip(*(x.tolist() for x in held), strict=True))

    def recalibrated(self, probability: Any) -> Array:
        """The fitted share at these probabilities, straight between blocks; for other cases than these."""
        p = np.asarray(probability, dtype=np.float64)
        x = np.column_stack([self.start, self.end]).ravel()
        return np.asarray(np.interp(p, x, np.repeat(self.share, 2)))

    def to_dict(self) -> dict[str, Any]:
        """Blocks and band."""
        return plain_dict({"blocks": self.records(), "band": self.band, "level": self.level})

    def sentence(self) -> str:
        return f"A reliability curve of {len(self.share)} blocks, from {self.start[0]:.3g} to {self.end[-1]:.3g}."


def reliability(curve: Curve, drawn: Drawn) -> Reliability:
    """The reliability curve of probabilities: the edges of the ROC hull, seen from the score."""
    p, weight = curve.thresholds[1:], np.diff(curve.tp) + np.diff(curve.fp)
    there = np.flatnonzero(weight > 0)
    corners = curve.hull()
    at = np.searchsorted(-curve.thresholds, -corners.thresholds)  # places of the corners on the curve
    own, other = np.diff(corners.tp), np.diff(corners.fp)
    kept = own + other > 0

    ends = p[there[np.searchsorted(there, at[:-1])]]  # the first step of each block is its greatest probability
    starts = p[at[1:] - 1]
    rug = np.histogram(p, bins=RUG, range=(0.0, 1.0), weights=weight)[0]
    return Reliability(
        start=starts[kept][::-1],
        end=ends[kept][::-1],
        share=ratio(own, own + other)[kept][::-1],
        cases=(own + other)[kept][::-1],
        at=drawn.at,
        low=drawn.low,
        high=drawn.high,
        rug=rug,
    )
