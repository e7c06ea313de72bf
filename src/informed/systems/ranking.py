"""Systems in order: their differences, intervals that hold together, and the ranks that follow.

Whatever the estimates are of, what is known is their values, how their errors vary together, and how well.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.inference.given import Rng, students
from informed.measures import Measure
from informed.results import Note, warning
from informed.systems.board import Pairs, Versus, goodness, place_of, sign_of
from informed.systems.joint_estimates import GapTests, JointEstimates, of_gaps
from informed.systems.max_t import critical_value, exceeding, largest_of_each, largest_of_pairs, normal_draws
from informed.systems.multiplicity import adjusted_pairs, of_pairs
from informed.systems.ranks import rank_intervals, tie_groups
from informed.systems.tails import tails, two_sided


@dataclass(frozen=True)
class Asked:
    """What a leaderboard was asked for."""

    m: Measure
    level: float
    adjust: str
    baseline: Hashable | None
    method: str
    rng: Rng
    n_draws: int | None
    coverage: Array  # of each system, over all items that count

    @property
    def jointly(self) -> bool:
        """Whether p-values are adjusted by the joint distribution of the differences, as the intervals are."""
        return self.adjust in ("auto", "max-t")

    @property
    def smoothed(self) -> bool:
        return self.method == "smoothed"

    @property
    def by_own_df(self) -> bool:
        """Whether each estimate and difference has its own degrees of freedom, and not the fewest of all."""
        return self.method != "delta"


@dataclass(frozen=True, eq=False)
class Ranking:
    """Estimates of named systems, and draws of their errors."""

    found: JointEstimates
    names: tuple[Hashable, ...]
    asked: Asked

    @cached_property
    def drawn(self) -> Array:
        """Errors of all systems together."""
        draws = self.asked.n_draws or int(np.clip(5e6 / len(self.names), 5_000, 20_000))
        return normal_draws(self.found.covariance, draws, self.asked.rng, self.found.least_df)

    @cached_property
    def critical(self) -> float:
        """Standard errors to go, so that the intervals of all systems hold together."""
        largest = largest_of_each(self.drawn, self.found.errors)
        return critical_value(largest, self.asked.level, len(self.names), self.found.least_df)

    @property
    def quantiles(self) -> tuple[float, Array]:
        """The level of each system by itself, and how many standard errors that is."""
        level, each = _quantiles(self.critical, self.found.least_df, self.found.all_df)
        return level, each if self.asked.by_own_df else np.asarray(self.critical)

    @property
    def limits(self) -> tuple[Array, Array]:
        """Of all systems, in standard errors."""
        return _limits(self.found.values, self.found.centres, self.found.errors, self.quantiles[1])

    def fields(self, notes: tuple[Note, ...]) -> dict[str, Any]:
        """What a board holds of the estimates, the differences and the order."""
        found, asked, names = self.found, self.asked, self.names
        pairs = self._pairs()
        beyond = (pairs.low > 0) | (pairs.high < 0)  # all these intervals hold together
        if np.any(beyond != (pairs.adjusted <= round(1 - asked.level, 12))):
            said = (
                f"Ranks and groups follow the simultaneous intervals of the differences. The p-values adjusted by "
                f"{asked.adjust} answer another question, and disagree with some of these intervals."
            )
            notes = (*notes, Note(said, code="ranks-by-intervals"))

        known = ~np.isnan(found.values)
        last = known[:, None] & ~known  # undefined systems stand below all that have a value
        apart = beyond | last | last.T
        rank_low, rank_high = rank_intervals(last | (apart & (sign_of(asked.m) * pairs.estimate > 0)))
        good = goodness(found.values, asked.m)
        groups = tie_groups(np.argsort(-good, kind="stable"), apart)
        return {
            **{name: getattr(asked, name) for name in ("level", "method", "coverage")},
            "adjust": "max-t" if asked.jointly else asked.adjust,
            "names": names,
            "estimate": found.values,
            "standard_error": found.errors,
            "covariance": found.covariance,
            "critical": self.critical,
            "pairs": pairs,
            "versus": None if asked.baseline is None else self._versus(),
            "rank": 1 + (good[:, None] < good).sum(axis=1),
            "rank_low": rank_low,
            "rank_high": rank_high,
            "groups": tuple(tuple(names[s] for s in group) for group in groups),
            "notes": notes,
        }

    def _pairs(self) -> Pairs:
        found, asked, systems = self.found, self.asked, len(self.names)
        gaps, centres, errors = _gaps(found)
        draws = asked.n_draws or int(np.clip(2e9 / systems**2, 2000, 20_000))
        largest = largest_of_pairs(self.drawn[:draws], np.where(errors > 0, np.sqrt(of_gaps(found.covariance)), 0.0))
        upper = np.triu_indices(systems, 1)
        held = self._together(gaps, centres, errors, largest, found.all_gap_df, len(upper[0]), found.gap_tests)

        if not asked.jointly:
            return Pairs(**held, adjusted=adjusted_pairs(held["pvalue"], asked.adjust))
        return Pairs(**held, adjusted=of_pairs(exceeding(largest, held["pvalue"][upper], found.least_df), systems))

    def _versus(self) -> Versus:
        """Comparisons with one system: fewer questions than all pairs, so sharper answers."""
        base = place_of(self.names, self.asked.baseline)
        itself = np.arange(len(self.names)) == base
        gaps, centres, errors = (np.where(itself, np.nan, x[:, base]) for x in _gaps(self.found))
        implied = np.sqrt(of_gaps(self.found.covariance))[:, base]
        largest = largest_of_each(self.drawn - self.drawn[:, [base]], np.where(errors > 0, implied, 0.0))
        tests = None if self.found.gap_tests is None else self.found.gap_tests.of(np.s_[:, base])
        of_others = self.found.all_gap_df[:, base], len(self.names) - 1
        held = self._together(gaps, centres, errors, largest, *of_others, tests)
        adjusted = exceeding(largest, held["pvalue"], self.found.least_df)
        return Versus(**held, adjusted=adjusted, baseline=self.asked.baseline)

    def _together(
        self,
        gaps: Array,
        centres: Array,
        errors: Array,
        largest: Array,
        df: Array,
        questions: int,
        tests: GapTests | None = None,
    ) -> dict[str, Any]:
        """Differences of so many pairs with intervals that hold together, and their single p-values."""
        least, own = self.found.least_df, self.asked.by_own_df
        critical = critical_value(largest, self.asked.level, questions, least)
        reach = errors if tests is None else tests.error
        low, high = _limits(gaps, centres, reach, _quantiles(critical, least, df)[1] if own else critical)

        # No difference as counted is no evidence: p = 1.
        z = np.where((errors > 0) & (gaps * centres > 0), centres / np.where(errors > 0, errors, 1.0), 0.0)
        z = np.where(np.isnan(gaps), np.nan, z if tests is None else students(df, 1 - tests.pvalue))
        pvalue = two_sided(tails((np.abs(z), -np.abs(z)), df if own else least))
        names = ("estimate", "standard_error", "low", "high", "pvalue", "critical")
        return dict(zip(names, (gaps, errors, low, high, pvalue, critical), strict=True))


def unranked(held: dict[str, Any], reason: str) -> dict[str, Any]:
    """What a board holds of a measure of which no interval is known to cover: values, and no error, limit or test."""

    def bare(x: Any) -> Any:
        return np.full(np.shape(x), np.nan)

    told = dict(held, **{name: bare(held[name]) for name in ("standard_error", "covariance", "critical")})
    for name in ("pairs", "versus"):
        if (found := held[name]) is not None:
            unknown = ("standard_error", "low", "high", "pvalue", "adjusted", "critical")
            told[name] = replace(found, **{field: bare(getattr(found, field)) for field in unknown})
    systems = len(held["names"])
    told["rank_low"], told["rank_high"] = np.ones(systems, np.int64), np.full(systems, systems)
    told["groups"] = (tuple(held["names"]),)
    told["notes"] = (
        *held["notes"],
        warning(f"{reason} So the order is that of the numbers alone.", "no-known-coverage"),
    )
    return told


def _limits(values: Array, centres: Array, errors: Array, critical: Any) -> tuple[Array, Array]:
    """Around the smoothed estimate, wide enough for the one as counted."""
    return (np.fmin(values, centres - critical * errors), np.fmax(values, centres + critical * errors))


def _quantiles(critical: float, drawn_df: float, df: Array) -> tuple[float, Array]:
    """The level of one interval by itself, and the quantiles of Student's distribution with that tail."""
    level = 1 - 2 * float(tails((np.asarray(critical), np.asarray(critical)), drawn_df)[0])
    return level, students(df, level)


def _gaps(found: JointEstimates) -> tuple[Array, Array, Array]:
    """Differences as counted and smoothed, and their standard errors, of every two systems."""
    return (
        np.subtract.outer(found.values, found.values),
        np.subtract.outer(found.centres, found.centres),
        np.sqrt(found.gap_variance),
    )
