"""Two systems on the same items, sorted by what a judge makes of their difference: what is true in each sort.

The judge only sorts the items (it called the first better, the second, or neither), and people's labels say what is
true in each sort: the difference is right however wrong the judge is, and the better the judge, the fewer labels are
needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed._numbers import plural
from informed.errors import InferenceError
from informed.evidence.label_policy import Mask
from informed.evidence.units import Ints, sums
from informed.inference.given import students
from informed.systems.row_units import RowGroups, design_effect, labelled_alike, row_effects

FEWEST = 3  # labels of a sort of items below which it is joined with those that the judge calls more even


@dataclass(frozen=True, eq=False)
class JudgedPair:
    """Judged and true answers of two systems on the same items, the true ones where both were labelled."""

    said: tuple[Array, Array]  # 1: the judge calls it good, 0: not; of a panel, the share of it that does
    real: tuple[Ints, Ints]  # of no meaning where they are not known
    known: Mask
    rows: RowGroups | None = None

    @cached_property
    def weight(self) -> Array:
        """What each row counts."""
        return np.ones(len(self.known)) if self.rows is None else self.rows.weight

    @cached_property
    def judged(self) -> Array:
        """What the judge says: the difference of each row."""
        return np.asarray(self.said[0] - self.said[1], float).round(9) + 0.0

    @cached_property
    def true(self) -> Ints:
        """What people say: −1, 0 or 1."""
        return self.real[0] - self.real[1]

    @cached_property
    def by_both(self) -> bool:
        """Whether items that the judge calls even were labelled more often where both are good, or neither."""
        even = self.judged == 0
        kinds = np.unique(self.said[0][even], return_inverse=True)[1]
        return not labelled_alike(kinds, self.known[even], self.weight[even])

    @cached_property
    def sort(self) -> Ints:
        """The stratum of each row, numbered from 0: the judged difference. One with few labels, not all of them, is
        joined with the next that is more even; the even ones are two sorts where they were labelled by verdict."""
        levels, at = np.unique(np.append(self.judged, 0.0), return_inverse=True)
        at, even = at[:-1], int(np.flatnonzero(levels == 0)[0])
        for one in (*range(even), *range(len(levels) - 1, even, -1)):
            own = at == one
            n = float(self.weight[own & self.known].sum())
            if own.any() and n < FEWEST and n < float(self.weight[own].sum()):
                at = np.where(own, one + int(np.sign(even - one)), at)
        if self.by_both:
            at = np.where(at == even, len(levels) + np.unique(self.said[0], return_inverse=True)[1], at)
        return np.asarray(np.unique(at, return_inverse=True)[1], np.int64)

    @cached_property
    def joined(self) -> list[int]:
        """Which judged differences, losses (−1) or wins (1), have items that are counted with more even ones."""
        least = np.full(int(self.sort.max()) + 1, np.inf)
        np.minimum.at(least, self.sort, np.abs(self.judged))
        return sorted({int(x) for x in np.sign(self.judged[np.abs(self.judged) > least[self.sort]])})


@dataclass(frozen=True)
class SortedPairs:
    """Counts of a judged pair by sort: all items, labelled ones, wins and losses of the first system."""

    cases: Array
    labelled: Array
    wins: Array
    losses: Array
    means: Array  # judged difference in each sort
    squares: Array  # and its mean square

    @classmethod
    def of(cls, p: JudgedPair) -> SortedPairs:
        at, w, several = p.sort, p.weight, int(p.sort.max()) + 1
        cases = sums(at, w, several)
        won = [sums(at, w * (p.known & (p.true == x)), several) for x in (1, -1)]
        said = [ratio(sums(at, w * p.judged**power, several), cases) for power in (1, 2)]
        return cls(cases, sums(at, w * p.known, several), *won, *said)

    @property
    def total(self) -> float:
        return float(self.cases.sum())

    @cached_property
    def weight(self) -> Array:
        return np.asarray(self.cases / self.total)

    @cached_property
    def helped(self) -> tuple[Array, Array, Array]:
        """Shares of wins and losses with half a win and half a loss more in all, and what stands below them."""
        k = self.weight / 2
        below = self.labelled + 2 * k
        return (self.wins + k) / below, (self.losses + k) / below, below

    @cached_property
    def mean(self) -> Array:
        """Helped difference of each sort."""
        return np.asarray(self.helped[0] - self.helped[1])

    @cached_property
    def within(self) -> float:
        """Variance that labelling all items would remove."""
        won, lost, below = self.helped
        return float((self.weight**2 * (won + lost - self.mean**2) / below).sum())

    @cached_property
    def difference(self) -> tuple[float, float, float]:
        """The estimate, the middle of its interval, and its variance."""
        w, m = self.weight, self.mean
        raw = np.where(self.labelled > 0, ratio(self.wins - self.losses, self.labelled), m)
        middle = float(w @ m)
        return float(w @ raw), middle, self.within + (float(w @ m**2) - middle**2) / self.total

    @cached_property
    def error(self) -> tuple[float, float]:
        """The middle of the interval of the judge's error, and its variance."""
        w, m = self.weight, self.mean
        middle = float(w @ (self.means - m))
        square = float(w @ (self.squares - 2 * self.means * m + m**2))
        return middle, self.within + (square - middle**2) / self.total

    @property
    def spread(self) -> tuple[float, float]:
        """Variance of the true difference of an item, and the share of it between sorts."""
        won, lost, _ = self.helped
        w, middle = self.weight, float(self.weight @ self.mean)
        whole = float(w @ (won + lost)) - middle**2
        return whole, (float(w @ self.mean**2) - middle**2) / whole


def paired_difference(p: JudgedPair, level: float) -> dict[str, Any]:
    """The fields of a difference on the same items, with those of the judge's error as "error"."""
    n = int(p.weight[p.known].sum())
    if n < 2:
        raise InferenceError(f"{plural(n, 'item')} with the gold labels of both systems; two at least are needed.")
    s = SortedPairs.of(p)
    estimate, middle, variance = s.difference
    off, off_variance = s.error
    phi = row_effects(p.true, s.mean, p.sort, p.known, s.cases, s.labelled)
    judged = float(p.weight @ p.judged / p.weight.sum())
    whole, saving = s.spread
    own = 1.0 if p.rows is None else design_effect(phi, p.rows.unit, p.known, p.weight)[0]
    naive = bonett_price(p, p.judged, np.ones(len(p.known), bool), level)
    alone = bonett_price(p, p.true, p.known, level)
    return {
        **around(estimate, middle, variance, phi, p, level),
        "judged": judged,
        "judged_low": naive[1],
        "judged_high": naive[2],
        "error": around(judged - estimate, off, off_variance, p.judged - phi, p, level, most=2.0),
        "labels_alone": alone[0],
        "labels_alone_low": alone[1],
        "labels_alone_high": alone[2],
        "saving": saving,
        "n_eff": whole / (variance * own**2),
        "level": level,
    }


def around(
    estimate: float, middle: float, variance: float, phi: Array, p: JudgedPair, level: float, most: float = 1.0
) -> dict[str, float]:
    """Limits around a helped middle that hold the estimate, neither beyond `most`, and the p-value of 0."""
    error, df = float(np.sqrt(variance)), np.inf
    if p.rows is not None:
        root, df = design_effect(phi, p.rows.unit, p.known, p.weight)
        error *= root
    reach = float(students(df, level)) * error
    low, high = min(middle - reach, estimate), max(middle + reach, estimate)
    pvalue = two_sided(middle, error, df)
    return {"estimate": estimate, "low": max(low, -most), "high": min(high, most), "pvalue": pvalue}


def two_sided(value: float, error: float, df: float) -> float:
    """The p-value of 0, of a value with its standard error and degrees of freedom."""
    from scipy.special import ndtr, stdtr

    far = -abs(value) / error if error > 0 else 0.0
    return float(2 * (ndtr(far) if np.isinf(df) else stdtr(df, far)))


def bonett_price(p: JudgedPair, said: Array | Ints, rows: Mask, level: float) -> tuple[float, float, float]:
    """The mean of what these rows say and its limits, as if they were a random part and it were true (Bonett and
    Price 2012)."""
    d, w = np.asarray(said[rows], float), p.weight[rows]
    n, mean = float(w.sum()), float(w @ d / w.sum())
    middle = float(w @ d) / (n + 2)
    error, df = float(np.sqrt(((w @ d**2 + 2) / (n + 2) - middle**2) / (n + 2))), np.inf
    if p.rows is not None:
        unit = np.asarray(np.unique(p.rows.unit[rows], return_inverse=True)[1], np.int64)
        root, df = design_effect(d, unit, np.ones(len(d), bool), w)
        error *= root
    reach = float(students(df, level)) * error
    return mean, max(min(middle - reach, mean), -1.0), min(max(middle + reach, mean), 1.0)
