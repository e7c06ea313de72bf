"""A difference of two systems by what items add to it, known as well as items or their units tell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from informed.inference.marks_score import student
from informed.systems.difference import Difference, Equivalence, level_within
from informed.systems.scale import DIFFERENCE


@dataclass(frozen=True, repr=False)
class StudentDifference(Difference):
    """A difference whose standard error is measured between items, or between units."""

    df: float = np.inf  # of Student's distribution

    @property
    def sign(self) -> int:
        """1 where more is better, −1 for a loss."""
        return 1

    def limits(self, level: float) -> tuple[float, float]:
        """The confidence limits of this difference at a level."""
        return student(float(self.estimate), float(np.asarray(self.standard_error)), self.df, level)[:2]

    def tails(self, against: float) -> tuple[float, float]:
        """One-sided p-values of this difference, against a greater and against a smaller one."""
        from scipy.special import stdtr

        error = float(np.asarray(self.standard_error))
        away = float(self.estimate) - against
        z = away / error if error > 0 else np.copysign(np.inf, away) if away else 0.0
        return float(stdtr(self.df, -z)), float(stdtr(self.df, z))

    def within(self, margin: float, level: float = 0.95, *, both: bool = True) -> Equivalence:
        """Whether the systems differ by less than the margin; or, of one side, whether a is worse by less."""
        reach = DIFFERENCE.reach(margin)
        low, high = self.limits(level_within(level))
        above, below = self.tails(-reach)[0], self.tails(reach)[1]
        null = f"the systems differ by {margin:g} or more" if both else f"a is worse than b by {margin:g} or more"
        p = max(above, below) if both else above if self.sign > 0 else below
        return Equivalence(p, margin, self.estimate, low, high, level, self.method, self.measure, null)
