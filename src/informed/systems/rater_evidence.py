"""What rated items say about a coefficient of agreement: its confidence limits, and the test of independent raters.

Two raters who agree or not are a table, and have its interval and its test. More raters, weights of disagreement and
items that one of two raters left out have the same arc over the ways to rate an item, and shuffles.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from informed.evidence.table import Table
from informed.evidence.units import sums
from informed.inference.given import Rng
from informed.inference.interval_methods import default
from informed.inference.intervals import interval
from informed.inference.sample import Sample
from informed.inference.tests import test
from informed.measures import find
from informed.systems.rated import RatedGroups
from informed.systems.rater_arcs import Counted
from informed.systems.rater_chance import COEFFICIENTS, Ratings
from informed.systems.rater_shuffles import Shuffled, shuffled

OF_TABLES = {  # the measure of a table that a coefficient of two raters is
    "percent": "accuracy",
    "cohen": "cohen_kappa",
    "scott": "scott_pi",
    "krippendorff": "krippendorff_alpha",
    "gwet_ac1": "gwet_ac1",
    "brennan_prediger": "bennett_s",
}
COVERING = ("arc", "mid-p")
ALL_ITEMS = ("gwet_ac1",)  # whose chance reads items that only one of two raters rated


@dataclass(frozen=True, eq=False)
class RaterEvidence:
    """Rated items, and the table of two raters where it says all."""

    ratings: Ratings
    groups: RatedGroups
    table: Table | None = None  # of two raters, where labels agree or do not

    def limits(self, name: str, level: float) -> tuple[float, float, str]:
        """Confidence limits of a coefficient, and their method."""
        if self._is_of_table(name):
            assert self.table is not None
            found = interval(self.table, OF_TABLES[name], level=level)
            return float(found.low), float(found.high), found.method
        way = COEFFICIENTS[name]
        counted = self._complete if way.two_raters else self._counted
        low, high = counted.limits(way, level)
        least = min(0.0, float(self.ratings.weight.min())) if name == "percent" else -1.0
        return max(least, low), min(1.0, high), "arc"

    def _is_of_table(self, name: str) -> bool:
        """Whether a coefficient is that of the table, and the table is not too large for limits that cover."""
        if self.table is None or name not in OF_TABLES:
            return False
        if name in ALL_ITEMS and (self.ratings.codes < 0).any():
            return False
        return default(Sample(find(OF_TABLES[name]), self.table, 0.95)) in COVERING

    @cached_property
    def _counted(self) -> Counted:
        return Counted.of(self.ratings, self.groups)

    @cached_property
    def _complete(self) -> Counted:
        """Of the items that everybody rated."""
        at = np.asarray((self.ratings.codes >= 0).all(axis=1))
        groups = self.groups.where(at)
        return Counted.of(Ratings(self.ratings.codes[at], self.ratings.weight, groups.times), groups)

    def test(self, rng: Rng, n_draws: int) -> Shuffled:
        """Test that raters rate independently of each other."""
        if self.table is None:
            return shuffled(*merged(self.ratings, self.groups), rng, n_draws)
        found = test(self.table, "cohen_kappa")
        return Shuffled(float(found.pvalue), f"the {found.method} test of their table")


def merged(r: Ratings, groups: RatedGroups) -> tuple[Ratings, RatedGroups]:
    """The same ratings, with rows of one item that are rated alike as one row."""
    if groups.item is None:
        return r, groups
    keys = np.column_stack([groups.item, groups.unit, r.codes])
    _, first, at = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    at = at.ravel()
    order = np.argsort(np.argsort(first))  # rows stay in their order
    times = sums(order[at], r.times, len(first))
    kept = np.sort(first)
    _, unit = np.unique(groups.unit[kept], return_inverse=True)
    rows = RatedGroups(unit, groups.item[kept], groups.name, times)
    return replace(r, codes=r.codes[kept], times=times), rows
