"""The difference of two systems whose answers one judge graded, and people some of them.

A judge's own difference is B·Δ and, where it errs differently for the two, whatever it favours one of them
by. Here the judge only sorts the items (it called the first better, the second, or neither), and people's
labels say what is true in each sort: the difference is right however wrong the judge is, and the better the
judge, the fewer labels are needed.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from informed._arrays import Array, ratio
from informed._numbers import count, percent, plural, probability, rate, signed, span
from informed.errors import InferenceError
from informed.evidence.label_policy import Mask
from informed.evidence.labels import text
from informed.evidence.units import Ints, sums
from informed.inference.given import standard_normal, students
from informed.inference.proportions import mid_p
from informed.inference.two_proportions import recovered
from informed.results import Note, Records, Result, picked, plain_dict, warning
from informed.systems.verification import design_effect

FEWEST = 3  # labels of a sort of items below which it is joined with those that the judge calls even
RANDOM = Note(
    "The labelled items must be a random part of all, or random among those of each judged outcome; hand-picked "
    "ones make the difference wrong.",
    code="random-labels",
)


@dataclass(frozen=True, repr=False)
class Favour(Result):
    """What the judge adds to the first of two systems: the judged difference minus the true one."""

    estimate: float
    low: float
    high: float
    pvalue: float  # of a judge whose difference is the true one
    level: float = 0.95

    @property
    def found(self) -> bool:
        """Whether its interval leaves 0 out."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, eq=False, repr=False)
class JudgedDifference(Result):
    """The difference of two systems' true rates, that of a judge, and what it favours one of them by."""

    page = "judged_systems"
    kinds: ClassVar[Any] = {"estimate": "signed", "low": "signed", "high": "signed", "judged": "signed"}

    names: tuple[Hashable, Hashable]
    estimate: float
    low: float
    high: float
    pvalue: float
    judged: float  # the difference of what the judge says
    judged_low: float  # its interval, as if the judge were right
    judged_high: float
    favour: Favour
    rates: tuple[float, float]  # the true rates
    judged_rates: tuple[float, float]
    positive: Hashable
    n: tuple[int, int]  # items of each; the same ones where they are paired
    labelled: tuple[int, int]
    labels_alone: float  # the difference on the labelled items, as if they were a random part
    saving: float  # share of the labels that the judge saves
    n_eff: float  # labels without a judge that would tell as much
    paired: bool = True
    level: float = 0.95
    method: str = "stratified"
    adjusted: float | None = None  # the p-value adjusted for several systems
    notes: tuple[Note, ...] = field(default=())

    def records(self) -> Records:
        """One row: the difference, and what the judge says."""
        own = "favour:signed=favour.estimate favour_low:signed=favour.low favour_high:signed=favour.high"
        wanted = "estimate:signed low:signed high:signed pvalue:p judged:signed judged_low:signed judged_high:signed"
        return Records.picked(
            self,
            f"a:label=_a b:label=_b {wanted} {own} favour_pvalue:p=favour.pvalue labels_alone:signed saving "
            "n_eff:count level method:words",
        )

    @property
    def _a(self) -> Hashable:
        return self.names[0]

    @property
    def _b(self) -> Hashable:
        return self.names[1]

    def to_dict(self) -> dict[str, Any]:
        """The difference, the favour of the judge, and what each system has."""
        held = picked(self, "names positive estimate low high pvalue adjusted judged judged_low judged_high")
        held["favour"] = picked(self.favour, "estimate low high pvalue")
        more = "rates judged_rates n labelled labels_alone saving n_eff paired level method notes"
        return plain_dict({**held, **picked(self, more)})

    def sentence(self) -> str:
        """Who is better by how much, and what the judge would have said."""
        a, b = (text(x) for x in self.names)
        limits = f"{signed(self.estimate)} {span(self.low, self.high)}"
        if self.low <= 0 <= self.high:
            who = f"{a} and {b} are not told apart: their true rates differ by {limits}"
        else:
            better, worse = (a, b) if self.estimate > 0 else (b, a)
            who = f"{better} is better than {worse}: {limits} ({a} minus {b})"
        return f"{who}, {probability(self.pvalue)}; the judge says {signed(self.judged)}"

    def favour_sentence(self) -> str:
        """Whether the judge favours one of them."""
        f, (a, b) = self.favour, (text(x) for x in self.names)
        limits = f"{span(f.low, f.high)}, {probability(f.pvalue)}"
        if not f.found:
            return f"That the judge favours {a} or {b} is not seen: {signed(f.estimate)} {limits}."
        who = a if f.estimate > 0 else b
        return f"The judge favours {who} by {rate(abs(f.estimate))}: it adds {signed(f.estimate)} {limits}."


# ---------------------------------------------------------------------- the same items


@dataclass(frozen=True, eq=False)
class JudgedPair:
    """Judged and true differences on the same items: −1, 0 or 1, the true one where both were labelled."""

    said: Ints
    real: Ints  # of no meaning where it is not known
    known: Mask
    unit: Ints | None = None

    @cached_property
    def sort(self) -> Ints:
        """The stratum of each item: a sort with few labels, not all of them, is joined with the even one."""
        n = sums(self.said + 1, self.known.astype(float), 3)
        held = sums(self.said + 1, None, 3)
        few = (n < FEWEST) & (n < held) & (held > 0)
        few[1] = False
        return np.where(few[self.said + 1], 0, self.said)

    @cached_property
    def joined(self) -> list[int]:
        """Judged differences whose items are counted with the even ones."""
        return sorted(set(self.said[self.sort != self.said].tolist()))


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
        at, known = p.sort + 1, p.known
        cases = sums(at, None, 3)
        count_ = [sums(at[known & (p.real == x)], None, 3) for x in (1, -1)]
        said = [ratio(sums(at, p.said.astype(float) ** power, 3), cases) for power in (1, 2)]
        held = [cases, sums(at[known], None, 3), *count_, *said]
        return cls(*(x[cases > 0] for x in held))

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
        raw = np.where(self.labelled > 0, (self.wins - self.losses) / np.fmax(self.labelled, 1), m)
        middle = float(w @ m)
        return float(w @ raw), middle, self.within + (float(w @ m**2) - middle**2) / self.total

    @cached_property
    def favour(self) -> tuple[float, float]:
        """The middle of the interval of the judge's favour, and its variance."""
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
    """The fields of a difference on the same items."""
    n = int(p.known.sum())
    if n < 2:
        raise InferenceError(f"{plural(n, 'item')} with the gold labels of both systems; two at least are needed.")
    s = SortedPairs.of(p)
    estimate, middle, variance = s.difference
    off, off_variance = s.favour
    m = np.zeros(3)
    m[np.unique(p.sort + 1)] = s.mean
    phi = _effects(p, s, m)
    found = _around(estimate, middle, variance, phi, p, level)
    judged = float(p.said.mean())
    favour = _around(judged - estimate, off, off_variance, p.said - phi, p, level)
    (naive, reach) = _bonett_price(p.said, level)
    whole, saving = s.spread
    own = design_effect(phi, p.unit, p.known)[0] if p.unit is not None else 1.0
    return {
        **found,
        "judged": judged,
        "judged_low": max(naive - reach, -1.0),
        "judged_high": min(naive + reach, 1.0),
        "favour": Favour(**favour, level=level),
        "labels_alone": float(p.real[p.known].mean()),
        "saving": saving,
        "n_eff": whole / (variance * own**2),
        "level": level,
    }


def _effects(p: JudgedPair, s: SortedPairs, mean: Array) -> Array:
    """What each item adds to the difference."""
    at = p.sort + 1
    share = np.ones(3)
    share[np.unique(at)] = s.cases / np.fmax(s.labelled, 1)
    return np.asarray(mean[at] + np.where(p.known, share[at] * (p.real - mean[at]), 0.0))


def _around(
    estimate: float, middle: float, variance: float, phi: Array, p: JudgedPair, level: float
) -> dict[str, float]:
    """Limits around a helped middle that hold the estimate, and the p-value of 0."""
    from scipy.special import ndtr, stdtr

    error, df = np.sqrt(variance), np.inf
    if p.unit is not None:
        root, df = design_effect(phi, p.unit, p.known)
        error *= root
    reach = float(students(df, level)) * error
    low, high = min(middle - reach, estimate), max(middle + reach, estimate)
    far = -abs(middle) / error
    tail = ndtr(far) if np.isinf(df) else stdtr(df, far)
    return {"estimate": estimate, "low": max(low, -1.0), "high": min(high, 1.0), "pvalue": float(2 * tail)}


def _bonett_price(d: Ints, level: float) -> tuple[float, float]:
    """The middle and the reach of a difference of paired shares (Bonett and Price 2012)."""
    n = len(d)
    won, lost = (float((d == 1).sum() + 1) / (n + 2), float((d == -1).sum() + 1) / (n + 2))
    middle = won - lost
    return middle, standard_normal(level) * float(np.sqrt((won + lost - middle**2) / (n + 2)))


def pair_notes(p: JudgedPair, found: dict[str, Any], one_only: int) -> list[Note]:
    """What must be known of a difference on the same items."""
    notes = [RANDOM, saved_note(int(p.known.sum()), found["saving"], found["n_eff"])]
    if one_only:
        said = f"{plural(one_only, 'item')} with a gold label of one system only count as not labelled."
        notes.append(Note(said, code="one-labelled"))
    if p.joined:
        calls = " and ".join({-1: "a loss", 1: "a win"}[x] for x in p.joined)
        said = (
            f"Fewer than {FEWEST} items that the judge calls {calls} are labelled: they count with those it calls even."
        )
        notes.append(warning(said, "joined"))
    return notes


def saved_note(n: int, saving: float, n_eff: float) -> Note:
    """What the judge is worth."""
    if saving < 0.05:
        said = (
            f"The judge saves almost none of the labels ({percent(saving)}): a better judge, not more verdicts, helps."
        )
        return Note(said, code="saves-nothing")
    said = f"The judge saves {percent(saving)} of the labels: these {count(n)} do the work of {count(round(n_eff))}."
    return Note(said, code="saving")


# ---------------------------------------------------------------------- different items


@dataclass(frozen=True, eq=False)
class JudgedRate:
    """One system's verdicts and gold labels as good (1) or not (0)."""

    said: Ints
    real: Ints  # of no meaning where it is not known
    known: Mask
    unit: Ints | None = None

    def limits(self, level: float, *, off: bool = False) -> tuple[float, float, float]:
        """The true rate by verdict and its limits (mid-P, carried over); `off`: of the judged rate minus it."""
        cases, n = sums(self.said, None, 2), sums(self.said[self.known], None, 2)
        x = sums(self.said[self.known & (self.real == 1)], None, 2)
        here = cases > 0
        cases, n, x, verdict = cases[here], n[here], x[here], np.arange(2.0)[here]
        w, total = cases / cases.sum(), float(cases.sum())
        p = np.where(n > 0, x / np.fmax(n, 1), x.sum() / n.sum())
        low, high = mid_p(x, np.fmax(n, 1e-9), level)
        low, high = np.where(n > 0, low, 0.0), np.where(n > 0, high, 1.0)
        of = verdict - p if off else p
        middle = float(w @ of)
        z = standard_normal(level)
        between = z**2 * (float(w @ of**2) - middle**2) / total
        below, above = (np.sqrt(((w * reach) ** 2).sum() + between) for reach in (p - low, high - p))
        if off:
            below, above = above, below
        k = self._stretch(p, cases, n, here, level, off=off)
        return middle, middle - k * float(below), middle + k * float(above)

    def _stretch(self, p: Array, cases: Array, n: Array, here: Mask, level: float, *, off: bool) -> float:
        if self.unit is None:
            return 1.0
        mean, share = np.zeros(2), np.ones(2)
        mean[here], share[here] = p, cases / np.fmax(n, 1)
        at = self.said
        phi = mean[at] + np.where(self.known, share[at] * (self.real - mean[at]), 0.0)
        root, df = design_effect(self.said - phi if off else phi, self.unit, self.known)
        return float(root * students(df, level) / standard_normal(level))


def unpaired_difference(a: JudgedRate, b: JudgedRate, level: float) -> dict[str, Any]:
    """The fields of a difference of two systems on different items: limits of each, combined."""
    for x in (a, b):
        if x.known.sum() < 2:
            raise InferenceError(f"{plural(int(x.known.sum()), 'gold label')} of one system; two at least are needed.")
    judged = float(a.said.mean() - b.said.mean())
    found = _combined(a, b, level, off=False)
    naive = _recovered(_naive(a, level), _naive(b, level))
    alone = [float(x.real[x.known].mean()) for x in (a, b)]
    whole = [p * (1 - p) for p, _, _ in (x.limits(level) for x in (a, b))]
    z = standard_normal(level)
    variance = ((found["high"] - found["low"]) / (2 * z)) ** 2
    n = [int(x.known.sum()) for x in (a, b)]
    plain_variance = sum(v / m for v, m in zip(whole, n, strict=True))
    return {
        **found,
        "judged": judged,
        "judged_low": naive[0],
        "judged_high": naive[1],
        "favour": Favour(**_combined(a, b, level, off=True), level=level),
        "labels_alone": alone[0] - alone[1],
        "saving": max(0.0, 1 - variance / plain_variance) if plain_variance > 0 else 0.0,
        "n_eff": sum(n) * plain_variance / variance if variance > 0 else float(sum(n)),
        "level": level,
        "method": "mover",
    }


def _combined(a: JudgedRate, b: JudgedRate, level: float, *, off: bool) -> dict[str, float]:
    held = [x.limits(level, off=off) for x in (a, b)]
    low, high = _recovered(held[0], held[1])
    return {"estimate": held[0][0] - held[1][0], "low": low, "high": high, "pvalue": _pvalue(a, b, off=off)}


def _naive(x: JudgedRate, level: float) -> tuple[float, float, float]:
    """The judged rate, as if the judge were right."""
    low, high = mid_p(np.asarray(float(x.said.sum())), np.asarray(float(len(x.said))), level)
    return float(x.said.mean()), float(low), float(high)


def _recovered(a: tuple[float, float, float], b: tuple[float, float, float]) -> tuple[float, float]:
    (x, *of_a), (y, *of_b) = a, b
    values, one, two = ((np.asarray(v[0]), np.asarray(v[1])) for v in ((x, y), of_a, of_b))
    ends = recovered(values, one, two)
    return max(float(ends[0]), -1.0), min(float(ends[1]), 1.0)


def _pvalue(a: JudgedRate, b: JudgedRate, *, off: bool) -> float:
    """One minus the level at which the interval of the difference ends at 0."""

    def holds(p: float) -> bool:
        low, high = _recovered(a.limits(1 - p, off=off), b.limits(1 - p, off=off))
        return low <= 0 <= high

    least, most = -30.0, 0.0  # of its logarithm
    if not holds(np.exp(least)):
        return float(np.exp(least))
    if holds(1 - 1e-9):
        return 1.0
    for _ in range(40):
        middle = (least + most) / 2
        least, most = (middle, most) if holds(float(np.exp(middle))) else (least, middle)
    return float(np.exp(least))
