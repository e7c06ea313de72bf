"""Three verdicts on a bar: it is cleared, it is missed, or these data do not decide."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from informed._arrays import Array, Limits
from informed._numbers import digits_beside, of_many, percent, plural, rate, span
from informed.errors import InferenceError, one_of
from informed.evidence.checks import frozen
from informed.evidence.shown import system_name
from informed.evidence.table import Table
from informed.inference.given import SEED, checked_level, students
from informed.inference.influence import cells_of, table_of
from informed.inference.intervals import interval
from informed.inference.tags_influence import number_of_units
from informed.measures import Measure, MeasureLike, find
from informed.measures.titles import spoken, title_of, titled_tags, uncapitalised
from informed.results import Gate
from informed.systems.board import place_of, sign_of
from informed.systems.comparison import Comparison
from informed.systems.difference import read_as
from informed.systems.fold_designs import DESIGN_WORDS
from informed.systems.folds import Folds
from informed.systems.gates import scalar
from informed.systems.judged_difference import JudgedDifference
from informed.systems.marks_comparison import MarksDifference
from informed.systems.scale import SCALES, Kind
from informed.systems.suite import Suite
from informed.systems.tags_comparison import TagsDifference, compare_tags
from informed.systems.verified import Verified
from informed.systems.verified_difference import VerifiedDifference

Settled = Literal["pass", "fail"]  # what an undecided one counts as, for those who must have two verdicts
POWER = 0.8  # the chance with which so many would decide
MOST = 1e9  # more than this nobody gathers
Redrawn = Callable[[int, int], Limits]  # limits of drawn samples of so many, with a seed
DRAWN, TURNS, KEPT = 1000, 8, 6  # samples of each number that is tried, such numbers, and those that the answer is from
CHECKED, RAISED = 6, 12  # times as many samples of the number that is named, and how often it is raised at the most
MOST_DRAWN, MOST_CELLS = 1e7, 100  # cases of a sample that is drawn, and its cells
CLOSED = ("arc", "circle", "mover", "plus-four", "smoothed-delta", "tango")  # comparisons that are quick in stacks


@dataclass(frozen=True)
class Evidence:
    """What is known of a number that has a bar: its estimate and limits, and how many they rest on."""

    measure: str
    said: str  # the number in a sentence
    estimate: float
    low: float
    high: float
    level: float
    n: float = (
        math.nan
    )  # what was sampled, and how many; NaN where more of it does not narrow the limits in a known way
    what: str = "case"
    sign: int = 1  # −1 where less is better
    why: str = ""  # why it is undefined
    scale: Kind | None = None  # of two systems
    redrawn: Redrawn | None = None  # limits of samples of another size, where they can be drawn
    directed: bool = True  # whether it is stated that a higher, or a lower, value is better
    limits: Callable[[float], tuple[float, float]] | None = None  # at another confidence level
    tested: Callable[[float, str], tuple[float, str]] | None = None  # p-value against a value on one side, its method
    groups: int = 1  # that the level of the limits is corrected for

    @property
    def called(self) -> str:
        """The number inside a sentence."""
        return uncapitalised(self.said)

    def at(self, level: float, groups: int = 1) -> Evidence:
        """The same with limits at another level."""
        if self.limits is None:
            raise InferenceError(f"{self.measure} has limits at the level {self.level:g} only.")
        low, high = self.limits(level)
        return replace(self, low=low, high=high, level=level, groups=groups, redrawn=None)

    def corrected(self, groups: int) -> Evidence:
        """The same with limits that are simultaneous over so many groups (Bonferroni)."""
        return self if groups < 2 else self.at(1 - (1 - self.level) / groups, groups)

    @property
    def correction(self) -> str:
        """What the limits are corrected for, in a sentence."""
        if self.groups < 2:
            return ""
        return f" ({100 * self.level:.4g}% CI, corrected for {self.groups:,} groups)"

    def decide_group(self, bar: float, undecided: Settled | None, groups: int) -> Gate:
        """The verdict on one group of several: all of them have to pass, which needs no correction, and the limits by
        which one fails are corrected for their number."""
        if groups < 2:
            return self.decide(bar, undecided)
        gate = replace(self, redrawn=None).decide(bar, undecided)
        return gate if gate.verdict == "pass" or math.isnan(self.low) else self.corrected(groups).decide(bar, undecided)

    def decide(self, bar: float, undecided: Settled | None = None) -> Gate:
        """Pass where all of the interval reaches the bar, fail where none of it does, and undecided otherwise."""
        if not math.isfinite(bar):
            raise InferenceError(f"{bar} is no bar; {self.measure} is decided at a finite number.")
        told: dict[str, Any] = {"seen": self.estimate, "wanted": bar, "low": self.low, "high": self.high}
        told |= {"level": self.level, "at_most": self.sign < 0}
        name = f"decide {self.measure}={bar:g}"
        if math.isnan(self.low) or math.isnan(self.high):
            reason = self.why or "its interval could not be computed"
            return _open(Gate(name, False, f"{self.said} has no interval: {reason}: undecided.", **told), undecided)

        found = f"{self.said} is {self._shown(self.estimate)} {self._limits_beside(bar)}{self.correction}"
        reached, missed = (self.low >= bar, self.high < bar) if self.sign > 0 else (self.high <= bar, self.low > bar)
        if reached or missed:
            side = "above" if (self.sign > 0) == reached else "below"
            at = "at or " if reached else ""
            verdict = "pass" if reached else "fail"
            said = f"{found}, all of it {at}{side} {bar:g}: {verdict}."
            return Gate(name, bool(reached), said, **told, verdict=verdict)

        enough = self.enough(bar)
        said = f"{found}, on both sides of {bar:g}: undecided; {self._more(enough, bar)}."
        return _open(Gate(name, False, said, **told, enough=enough), undecided)

    def enough(self, bar: float) -> float:
        """How many would decide with a chance of 80 %, if the truth is what was found; NaN where that is not known,
        infinite where what was found is the bar itself.

        Samples of that truth are drawn where that can be done; else the limits are taken to narrow with the root of
        the number.

        >>> Evidence("informedness", "Informedness", 0.3, 0.1, 0.5, 0.95, n=100).enough(0.2)
        820.0
        """
        from scipy.special import ndtri

        into = SCALES[self.scale or "difference"].into
        x, low, high, at = (float(into(v)) for v in (self.estimate, self.low, self.high, bar))
        gap, half = x - at, (high - low) / 2
        if not (math.isfinite(gap) and math.isfinite(half) and self.n > 0):
            return math.nan
        if gap == 0:
            return math.inf
        z = float(ndtri((1 + checked_level(self.level)) / 2))
        n = self.n * (half / gap * (1 + float(ndtri(POWER)) / z)) ** 2
        if self.redrawn is not None and n <= MOST_DRAWN:
            n = self._by_draws(n, bar, z)
        if n > MOST:
            return math.inf
        digits = 10 ** max(0, math.floor(math.log10(n)) - 1)
        n = max(float(math.ceil(n / digits) * digits), self.n + 1)
        if self.redrawn is not None and n <= MOST_DRAWN:
            n = self._reached(n, digits, bar)
        return n

    def _reached(self, n: float, step: float, bar: float) -> float:
        """The number, raised until so many samples decide: with whole counts their share goes up and down."""
        for _ in range(RAISED):
            chance = np.mean([self._chance(n, bar, TURNS + turn) for turn in range(CHECKED)])
            if chance >= POWER:
                break
            n += step
        return n

    def _chance(self, n: float, bar: float, seed: int) -> float:
        """The share of drawn samples of this size whose limits are on one side of the bar."""
        assert self.redrawn is not None
        low, high = self.redrawn(max(round(n), 2), seed)
        above, below = (low >= bar, high < bar) if self.sign > 0 else (low > bar, high <= bar)
        return float(np.count_nonzero(above | below) + 0.5) / (len(low) + 1)

    def _by_draws(self, first: float, bar: float, z: float) -> float:
        """The number of which as many drawn samples decide as are wanted, from some that are tried around it.

        The quantile of the chance rises with the root of the number.
        """
        from scipy.special import ndtri

        n, slopes = first, []
        for turn in range(TURNS):
            slopes.append((float(ndtri(self._chance(n, bar, turn))) + z) / math.sqrt(n))
            steady = float(np.mean(slopes[-KEPT:] if turn >= KEPT else slopes[-1:]))
            wanted = ((z + float(ndtri(POWER))) / max(steady, 1e-9)) ** 2
            n = min(max(wanted, n / 3), 3 * n)
        return n

    def _limits_beside(self, bar: float) -> str:
        return span(self.low, self.high, digits_beside(self.low, self.high, bar))

    def _shown(self, x: float) -> str:
        return rate(x) if self.scale is None else read_as(x, self.scale)

    def _more(self, n: float, bar: float) -> str:
        """How many would decide, and what that assumes."""
        if math.isnan(n):
            return "how much more would decide is not known"
        if math.isinf(n):
            many = of_many(self.what)
            return f"no number of {many} that can be gathered tells {self._shown(self.estimate)} from {bar:g}"
        narrows = "" if self.redrawn is not None else " and the interval narrows with the root of their number"
        kept = f"if it stays {self._shown(self.estimate)}{narrows}"
        return f"about {n:,.0f} {of_many(self.what)} in all would decide with a chance of {percent(POWER)}, {kept}"


def _open(gate: Gate, undecided: Settled | None) -> Gate:
    """An undecided gate, and what it counts as."""
    if undecided is None:
        return replace(gate, verdict="undecided")
    one_of("undecided", undecided, get_args(Settled), InferenceError)
    said = f"{gate.sentence[:-1]}; it counts as a {undecided}."
    return replace(gate, sentence=said, passed=undecided == "pass", verdict="undecided", counts_as=undecided)


# ---------------------------------------------------------------------- two systems


def of_comparison(c: Comparison, measure: MeasureLike) -> Evidence:
    """The difference, or the ratio, of two systems."""
    d = scalar(c, measure)
    m = c.meant(measure)
    n = float(c.n_sampled(measure))
    said = _of_two(c.names, spoken(d.measure, c.silent), d.scale)
    limits = float(d.estimate), float(d.low), float(d.high)
    at: dict[str, Any] = {"limits": lambda level: _ends(scalar(c.at(level=level), measure))}
    redrawn = _redrawn_comparison(c, measure) if d.method in CLOSED else None
    return Evidence(str(m), said, *limits, c.level, n, c.sampled, sign_of(m), scale=d.scale, redrawn=redrawn, **at)


def redrawn_table(t: Table, m: Measure, level: float) -> Redrawn | None:
    """Intervals of drawn tables of another size; None where cases are weighted, belong together or have many cells."""
    cells = cells_of(t)
    if t.units is not None or t.squares is not None or not _drawable(cells):
        return None

    def limits(n: int, seed: int) -> Limits:
        found = interval(table_of(np.moveaxis(_drawn(cells, n, seed), -1, 0), t), m, level=level)
        return np.asarray(found.low), np.asarray(found.high)

    return limits


def _redrawn_comparison(c: Comparison, measure: MeasureLike) -> Redrawn | None:
    """The same of two systems."""
    pair = (c.joint,) if c.joint is not None else c.tables
    plain = all(x.units is None and x.squares is None and _drawable(x.cells) for x in pair)
    silent = c.joint is None and any(t.unanswered is not None for t in c.tables)
    if not plain or silent:
        return None
    whole = sum(float(x.cells.sum()) for x in pair)
    quick = replace(c, method="mover", _kept={}) if c[measure].method == "circle" else c  # nearly as wide

    def limits(n: int, seed: int) -> Limits:
        def drawn(x: Any, at: int) -> Any:
            cells = x.cells
            many = max(round(n * float(cells.sum()) / whole), 1)
            found = _drawn(cells.ravel(), many, 2 * seed + at).reshape(-1, *cells.shape)
            return replace(x, cells=frozen(np.moveaxis(found, 0, -1)), axes=(None,), cases=None)

        found = [drawn(x, i) for i, x in enumerate(pair)]
        if c.joint is None:
            held = replace(quick, tables=(found[0], found[1]), _kept={})
        else:
            held = replace(c, joint=found[0], tables=(found[0].a, found[0].b), _kept={})
        d = held[measure]
        return np.asarray(d.low), np.asarray(d.high)

    return limits


def _drawable(cells: Array) -> bool:
    return cells.size <= MOST_CELLS and float(cells.sum()) > 0


def _drawn(cells: Array, n: int, seed: int) -> Array:
    """Drawn samples of n, ``(samples, cells)``, in the shares of these cells."""
    rng = np.random.default_rng([SEED, seed])
    return rng.multinomial(n, cells / cells.sum(), DRAWN).astype(np.float64)


def _ends(found: Any) -> tuple[float, float]:
    return float(found.low), float(found.high)


def of_verified(v: Verified, measure: MeasureLike, level: float) -> Evidence:
    """A measure of a partly verified table; more verified cases narrow it only as far as all cases let them."""
    m, found = find(measure), v.interval(measure, level=level)
    if np.ndim(found.estimate):
        raise InferenceError(f"{m} is one number for each class here; one number is decided.")
    limits = float(found.estimate), float(found.low), float(found.high)
    at: dict[str, Any] = {"limits": lambda other: _ends(v.interval(measure, level=other))}
    return Evidence(str(m), title_of(m), *limits, level, sign=sign_of(m), **at)


def of_judged(d: JudgedDifference | VerifiedDifference, measure: str) -> Evidence:
    """The difference of two systems that a judge graded, or whose cases were partly verified."""
    leads = "rate" if isinstance(d, JudgedDifference) else d.measure
    if measure != leads:
        raise InferenceError(f"{measure} is not compared here; {leads} is, as in {leads}=0.05.")
    said = _of_two(d.names, "true rate" if leads == "rate" else spoken(leads))
    sign = 1 if leads == "rate" else sign_of(find(leads))
    return Evidence(leads, said, d.estimate, d.low, d.high, d.level, sign=sign, scale="difference")


def of_marks(d: MarksDifference, measure: str = "score") -> Evidence:
    """The difference of two scores."""
    if measure not in ("score", d.measure, "accuracy", "accuracy_of_all"):
        raise InferenceError(f"{measure} is not compared here; of marks {d.measure} is, as in {d.measure}=0.05.")
    held = None if d.marks is None else d.marks[0]
    n = float("nan") if held is None else float(held.n if held.unit is None else len(set(held.unit.tolist())))
    what = "item" if held is None or held.unit is None else "unit"
    limits = float(d.estimate), float(d.low), float(d.high)
    said = _of_two(d.names, "score" if d.measure == "score" else f"score ({d.measure})")
    held_by = d.accuracies
    at: dict[str, Any] = {
        "limits": d.limits if held_by is None else lambda level: _ends(held_by.at(level=level)["accuracy"])
    }
    return Evidence(d.measure, said, *limits, d.level, n, what, scale="difference", **at)


def of_tags(d: TagsDifference, measure: str) -> Evidence:
    """The difference of two systems that tagged the same items, by this measure."""
    if d.tags is None:
        raise InferenceError("These differences hold no tags; compare them again: `informed.compare.paired(tags)`.")
    how: dict[str, Any] = {"measure": measure, "average": d.average, "level": d.level, "further": False}
    found = compare_tags(d.tags, *d.names, **how)
    t = d.tags
    n, what = (float(len(t)), "item") if t.unit is None else (float(number_of_units(t)), t.unit_name)
    limits = float(found.estimate), float(found.low), float(found.high)
    said = _of_two(d.names, titled_tags(found.measure, d.average))
    at: dict[str, Any] = {"limits": found.limits}
    return Evidence(found.measure, said, *limits, d.level, n, what, sign=found.sign, scale="difference", **at)


def of_folds(found: Folds, names: tuple[Any, Any], measure: str) -> Evidence:
    """The mean difference over folds or seeds; how it narrows with more of them is the design's, and not told."""
    if found.pairs is None:
        raise InferenceError("Over data sets systems are compared by their ranks, of which no bar can be decided.")
    if measure != found.measure:
        raise InferenceError(f"Over folds {found.measure} is compared; {measure} has no bar here.")
    a, b = (place_of(found.names, name) for name in names)
    estimate, _, low, high = found.pairs.at((a, b))[:4]
    limits = float(estimate), float(low), float(high)
    said = f"{_of_two(names, found.called)} over {len(found.folds)} {DESIGN_WORDS[found.design]}"
    pairs, at = found.pairs, (a, b)

    def limits_at(level: float) -> tuple[float, float]:
        _, error, low, high = pairs.at(at)[:4]
        reach, middle = float(students(pairs.df, level) * error), float(low + high) / 2
        return middle - reach, middle + reach

    return Evidence(measure, said, *limits, found.level, sign=found.sign, scale="difference", limits=limits_at)


def of_suites(s: Suite, measure: str) -> Evidence:
    """The difference of the means of the first system and the last."""
    leads = s.leads
    _only_mean(leads, measure)
    a, b = s.systems[0], s.systems[-1]
    row = next(x for x in s.gaps.dicts() if {x["a"], x["b"]} == {a, b})
    low, high = (row["low"], row["high"]) if row["a"] == a else (-row["high"], -row["low"])
    n, what = _sampled(s)
    estimate = float(s.mean[0] - s.mean[-1])
    said = f"{_of_two((a, b), _mean_of(leads))} over {plural(len(s.tasks), 'task')}"
    return Evidence(leads, said, estimate, low, high, s.level, n, what, scale="difference")


def of_suite(s: Suite, system: str, measure: str) -> Evidence:
    """The mean of one system over its tasks."""
    leads, i = s.leads, s.systems.index(system)
    limits = float(s.mean[i]), float(s.low[i]), float(s.high[i])
    said = f"{system_name(system)}: {_mean_of(leads)} over {plural(len(s.tasks), 'task')}"
    if leads == "mean" and measure == "informedness" in s.averaged:
        value, low, high = (float(x[i]) for x in s.of_kind(measure))
        n = s.averaged[measure]
        said = f"{system_name(system)}: mean informedness over {n:,} of {plural(len(s.tasks), 'task')}"
        return Evidence(measure, said, value, low, high, s.level, *_sampled(s))
    _only_mean(leads, measure)
    return Evidence(leads, said, *limits, s.level, *_sampled(s))


def _mean_of(leads: str) -> str:
    return "mean" if leads == "mean" else f"mean {leads}"


def _only_mean(leads: str, measure: str) -> None:
    if measure != leads and not (leads == "score" and measure.startswith("accuracy")):
        raise InferenceError(f"{measure} has no interval over this suite; {leads} has, as in {leads}=0.2.")


def _sampled(s: Suite) -> tuple[float, str]:
    """What the tasks' mean narrows with: items of these tasks, or tasks that stand for others."""
    return (float(len(s.tasks)), "task") if s.sampling == "random" else (float(s.items.sum()), "item")


def _of_two(names: tuple[Any, Any], measure: str, kind: Kind = "difference") -> str:
    a, b = (system_name(name) for name in names)
    return f"{measure[:1].upper()}{measure[1:]} of {a} {SCALES[kind].sign} {b}"
