"""The true rate behind the verdicts of a judge that was calibrated elsewhere, with both uncertainties.

A judge that calls a share `a` of new cases positive has seen recall·θ + fallout·(1 − θ), so that
the true rate is θ = (a − fallout)/B (Rogan and Gladen 1978): whatever the judge gets wrong is
magnified by 1/B. The interval carries the uncertainty of `a` and of the judge's two rates.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Any

import numpy as np

from informed._arrays import Array, plain, ratio
from informed._numbers import percent, plural
from informed.errors import InferenceError, one_of
from informed.evidence.table import Table
from informed.inference import proportions
from informed.inference.answers import Interval
from informed.inference.given import standard_normal, students
from informed.inference.intervals import interval
from informed.inference.sample import Sample
from informed.inference.worth_notes import worth_notes
from informed.measures import find
from informed.results import Note, Records, Result, picked, plain_dict, warning
from informed.systems.judge_input import apparent_shares, check_calibration
from informed.systems.judge_rates import JudgeRates, judge_rates
from informed.systems.judge_result import Judged

SHIFT = Note(
    "Another prevalence in the new cases is allowed and is what is estimated; another recall or "
    "fallout of the judge there is not, and no number here would show it.",
    code="rates-may-shift",
)
CARRIED = ("wilson", "clopper-pearson", "mid-p")
RATES = ("label", "apparent", "estimate", "low", "high")


@dataclass(frozen=True, repr=False)
class Needed(Result):
    """Calibration labels for an interval of a wanted reach."""

    same_mix: int  # with the classes in the shares that the calibration has now
    best_mix: int  # with the best shares
    best_positive_share: float
    units: int | None = None  # that hold so many in this mix, where labels belong to units
    unit: str = "unit"  # what one is called

    def sentence(self) -> str:
        """How many labels, in both mixes."""
        held = "" if self.units is None else f", those of {plural(self.units, self.unit)},"
        return (
            f"{self.same_mix:,} calibration labels in this mix{held} are needed, or {self.best_mix:,} "
            f"with {percent(self.best_positive_share)} positive ones"
        )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class JudgedElsewhere(Judged):
    """The rate behind the verdicts of a judge whose recall and fallout were measured on other cases."""

    page = "raters"

    informedness: Interval  # of the judge, on the calibration
    raw: Any  # before clipping to [0, 1]
    condition: float  # of the matrix that is inverted; 1/B is its two-class relative
    _spreads: tuple[float, float, float] | None = None  # of apparent, positives, negatives
    _shares: tuple[float, float] | None = None  # of positives and negatives in the calibration
    _unit: tuple[str, float] | None = None  # what a unit of the calibration is called, and how many labels it has

    def records(self) -> Records:
        """One row a label whose rate it is: of two classes, the positive one."""
        own = "informedness=informedness.estimate informedness_low=informedness.low informedness_high=informedness.high"
        return Records.picked(
            self, f"label:label=_rated apparent estimate low high raw {own} condition level method design:words"
        )

    def to_dict(self) -> dict[str, Any]:
        """The rates by label, and what is known of the judge."""
        held = {"rates": self.records().select(*RATES).by("label"), **picked(self, "design n level method")}
        held["informedness"] = picked(self.informedness, "estimate low high")
        return plain_dict({**held, **picked(self, "condition notes")})

    @property
    def amplification(self) -> float:
        """How much the judge magnifies noise: 1/B for two classes."""
        return float(1 / abs(self.informedness.estimate))

    def labels_needed(self, reach: float) -> Needed:
        """Calibration labels with which the interval reaches this far each way.

        The new cases are taken as they are: what they leave uncertain no calibration removes.
        """
        if self._spreads is None or self._shares is None:
            raise InferenceError("The number of labels needed is worked out for two classes only.")
        if not reach > 0:
            raise InferenceError(f"`reach` is {reach}; it must be above 0, such as 0.05.")
        new, positive, negative = self._spreads
        z = standard_normal(self.level)
        b = float(self.informedness.estimate)
        room = (reach * b / z) ** 2 - new
        if room <= 0:
            least = z * np.sqrt(new) / abs(b)
            raise InferenceError(
                f"With these new cases the interval reaches {least:.3g} even if the judge were "
                f"known exactly, so no number of labels brings it to {reach:g}; judge more cases."
            )
        share, rest = self._shares
        roots = np.sqrt(positive) + np.sqrt(negative)
        same = ceil((positive / share + negative / rest) / room)
        name, size = self._unit or ("unit", 0.0)
        return Needed(
            units=ceil(same / size - 1e-9) if size else None,
            unit=name,
            same_mix=same,
            best_mix=ceil(roots**2 / room),
            best_positive_share=float(np.sqrt(positive) / roots) if roots > 0 else 0.5,
        )


def judged_elsewhere(
    calibration: Table, apparent: Any, n: float | None, level: float, known: bool, method: str
) -> JudgedElsewhere:
    """The rate in cases that only the judge saw, from its recall and fallout elsewhere.

    Two classes: the score interval solves (a − f − θB)² = z²·V(θ), a quadratic; V holds the
    binomial variance of `a` at θ and those of recall and fallout, each helped by one success and
    one failure. More classes: π = C⁻¹a with the linearised covariance. With units, each rate has its own
    effective number of cases and degrees of freedom, and rates vary together as sums over units do.
    """
    check_calibration(calibration, level)
    one_of("method", method, ("score", *CARRIED), InferenceError)
    t = calibration.answered
    shares, total = apparent_shares(t, apparent, n)
    notes = [SHIFT]
    if np.isinf(total):
        said = "No number of new cases was given: the apparent rate passes for exact."
        notes.append(Note(said, code="taken-as-exact"))
    notes += worth_notes(Sample(find("informedness"), t, level))
    if calibration.unanswered is not None:
        said = (
            f"The judge left {calibration.abstained.sum():g} calibration cases unanswered; the rate is that among "
            "cases which it answers."
        )
        notes.append(Note(said, code="unanswered"))

    own = interval(t, "informedness", level=level)
    seen = _Seen(t, judge_rates(t), shares, total, level, own, tuple(notes))
    if len(t.labels) == 2:
        return _two(seen, known, method)
    if known or method != "score":
        raise InferenceError("With more than two classes the method is the default one only.")
    return _many(seen)


@dataclass(frozen=True)
class _Seen:
    """The calibration, and what the judge said of the new cases."""

    t: Table
    rates: JudgeRates
    shares: Array  # of its labels in the new cases
    n: float  # new cases; infinite where the shares are exact
    level: float
    own: Interval  # the judge's informedness
    notes: tuple[Note, ...]

    @cached_property
    def verdicts(self) -> Array:
        """What the judge says (rows) of each real class."""
        return self.t.cells / self.t.real_totals

    @property
    def condition(self) -> float:
        return float(np.linalg.cond(self.verdicts))

    def judged(self, low: Any, high: Any, **found: Any) -> JudgedElsewhere:
        """The limits within [0, 1], and whatever else was found."""
        return JudgedElsewhere(
            design="elsewhere",
            low=plain(np.clip(low, 0, 1)),
            high=plain(np.clip(high, 0, 1)),
            level=self.level,
            labels=self.t.labels,
            n=None if np.isinf(self.n) else self.n,
            informedness=self.own,
            condition=self.condition,
            _unit=None if self.t.units is None else (self.t.units.name, self.rates.labels.sum() / self.t.units.n),
            **found,
        )


# ---------------------------------------------------------------------- two classes


def _two(seen: _Seen, known: bool, method: str) -> JudgedElsewhere:
    t, n = seen.t, seen.n
    recall, fallout = float(t.tp / t.rp), float(t.fp / t.rn)
    b, a = recall - fallout, float(seen.shares[t.plus])
    if (b == 0) if known else (0.0 in seen.own):
        raise InferenceError(_guessing(seen.own, known))
    raw = (a - fallout) / b

    if method != "score":
        if not known or np.isinf(n):
            raise InferenceError(
                f"{method} is for a judge whose rates are known exactly (`known=True`) and for a number of new cases; "
                "score carries the uncertainty of the calibration too."
            )
        ends = proportions.METHODS[method](np.asarray(a * n), np.asarray(n), seen.level)
        low, high = sorted((float(x) - fallout) / b for x in ends)
    else:
        r, f, spreads = (recall, fallout, (0.0, 0.0, 0.0)) if known else _helped(seen, recall, fallout)
        z = standard_normal(seen.level) if known else _quantile(seen, a * (1 - a) / n, spreads, raw)
        low, high = _quadratic(a, r, f, spreads, n, float(z))

    low, high = min(low, raw), max(high, raw)
    notes = (*seen.notes, *_clipping(raw, low, high))
    if np.isinf(high):
        notes += (warning("The judge is so near to guessing that no rate can be excluded.", "near-guessing"),)
    both = [t.plus, 1 - t.plus]
    more, less = seen.rates.labels[both] / seen.rates.totals[both]  # labels for one independent
    of_recall, of_fallout = raw**2 * recall * (1 - recall) * more, (1 - raw) ** 2 * fallout * (1 - fallout) * less
    return seen.judged(
        low,
        high,
        estimate=float(np.clip(raw, 0, 1)),
        method=method,
        apparent=a,
        raw=raw,
        positive=t.labels[t.plus],
        notes=notes,
        _spreads=(a * (1 - a) / n, of_recall, of_fallout),
        _shares=tuple(seen.rates.labels[both] / seen.rates.labels.sum()),
    )


def _guessing(own: Interval, known: bool) -> str:
    if known:
        return "This judge has informedness 0: its verdicts say nothing of the truth."
    return (
        f"The judge may be guessing: its informedness is {own.estimate:.3f}, and the "
        f"{100 * own.level:g} % interval [{own.low:.3f}, {own.high:.3f}] holds 0. A rate corrected "
        "by it could be anything; label more calibration cases or take a better judge."
    )


Spreads = tuple[float, float, float]  # variances of recall and of fallout, and their covariance


def _helped(seen: _Seen, recall: float, fallout: float) -> tuple[float, float, Spreads]:
    """Both rates with one success and one failure more, and how they vary."""
    plus = seen.t.plus
    n = np.array([seen.rates.totals[plus], seen.rates.totals[1 - plus]])
    r, f = (float((x * m + 1) / (m + 2)) for x, m in zip((recall, fallout), n, strict=True))
    vr, vf = (float(x * (1 - x) / (m + 2)) for x, m in zip((r, f), n, strict=True))
    if seen.rates.between is None:
        return r, f, (vr, vf, 0.0)
    held = seen.rates.between[:, plus, :, plus]  # of the shares called positive in each class
    alike = float(np.nan_to_num(ratio(held[plus, 1 - plus], np.sqrt(held[0, 0] * held[1, 1]))))
    return r, f, (vr, vf, alike * float(np.sqrt(vr * vf)))


def _quantile(seen: _Seen, new: float, spreads: Spreads, raw: float) -> float:
    """Standard errors to go each way: Student's where units tell some of the variances (Satterthwaite)."""
    theta = min(max(raw, 0.0), 1.0)
    plus = seen.t.plus
    parts = np.array([theta**2 * spreads[0], (1 - theta) ** 2 * spreads[1]])
    unsure = float((parts**2 / seen.rates.df[[plus, 1 - plus]]).sum())
    total = new + parts.sum() + 2 * theta * (1 - theta) * spreads[2]
    df = max(total**2 / unsure, 1.0) if unsure > 0 else np.inf
    return float(students(df, seen.level))


def _quadratic(a: float, recall: float, fallout: float, spreads: Spreads, n: float, z: float) -> tuple[float, float]:
    """Rates θ at which a − f − θB is within z standard errors of 0."""
    b, (vr, vf, both), z2 = recall - fallout, spreads, z * z
    square = b * b * (1 + z2 / n) - z2 * (vr + vf - 2 * both)
    slope = -2 * (a - fallout) * b - z2 * (b * (1 - 2 * fallout) / n - 2 * vf + 2 * both)
    level = (a - fallout) ** 2 - z2 * (fallout * (1 - fallout) / n + vf)
    if square <= 0:  # the difference of the rates is not sure to differ from 0
        return -np.inf, np.inf
    root = np.sqrt(max(slope * slope - 4 * square * level, 0.0))
    return (-slope - root) / (2 * square), (-slope + root) / (2 * square)


def _clipping(raw: Any, low: Any, high: Any) -> list[Note]:
    if np.any(raw < 0) or np.any(raw > 1):
        said = (
            f"The corrected rate is {np.round(raw, 4).tolist()}, outside [0, 1], and was clipped: the judge's verdicts "
            "on the new cases hardly fit its calibration, by chance or because its rates shifted."
        )
        return [warning(said, "clipped")]
    if np.any(low < 0) or np.any(high > 1):
        return [Note("The interval was clipped to [0, 1].", code="clipped-interval")]
    return []


# ---------------------------------------------------------------------- more classes


def _many(seen: _Seen) -> JudgedElsewhere:
    t, n, shares, verdicts = seen.t, seen.n, seen.shares, seen.verdicts
    k, totals = len(t.labels), seen.rates.totals
    z = float(students(seen.rates.df.min(), seen.level))
    smooth = (verdicts * totals + 1 / k) / (totals + 1)
    each = [_spread(smooth[:, c]) / (totals[c] + 1) for c in range(k)]

    left, values, right = np.linalg.svd(verdicts)
    u, v = left[:, -1], right[-1]
    wobble = float(np.sqrt(sum(v[c] ** 2 * u @ each[c] @ u for c in range(k))))
    if values[-1] - z * wobble <= 0:
        raise InferenceError(
            "The judge's verdicts may not tell the classes apart: the smallest singular value of its confusion matrix "
            f"is {values[-1]:.3f} ± {z * wobble:.3f} (condition number {seen.condition:.3g}), so that inverting it "
            "could give anything. Merge classes that it confuses (`collapse`), label more calibration cases or take a "
            "better judge."
        )

    inverse = np.linalg.inv(verdicts)
    raw = inverse @ shares
    helped = (shares * n + 1 / k) / (n + 1) if np.isfinite(n) else shares
    noise = _spread(helped) / (n + 1) + sum(raw[c] ** 2 * each[c] for c in range(k))
    square = np.diagonal(inverse @ noise @ inverse.T)
    if seen.rates.between is not None:  # classes of one unit vary together
        mixed = np.einsum("c,cpdq,d->pq", raw, seen.rates.between, raw)
        mixed -= sum(raw[c] ** 2 * seen.rates.between[c, :, c] for c in range(k))
        square = square + np.maximum(np.diagonal(inverse @ mixed @ inverse.T), 0.0)
    reach = z * np.sqrt(square)
    said = f"The judge's confusion matrix was inverted; its condition number is {seen.condition:.3g}, by which errors "
    inverted = Note(f"{said}may grow.", code="inverted")

    inside = np.clip(raw, 0, None)
    estimate = inside / inside.sum()  # what was cut off the others is missing here: within its own limits
    return seen.judged(
        np.minimum(raw - reach, estimate),
        np.maximum(raw + reach, estimate),
        estimate=estimate,
        method="inverse",
        apparent=shares,
        raw=raw,
        notes=(*seen.notes, inverted, *_clipping(raw, raw - reach, raw + reach)),
    )


def _spread(shares: Array) -> Array:
    """Covariance of one draw from these shares."""
    return np.diag(shares) - np.outer(shares, shares)
