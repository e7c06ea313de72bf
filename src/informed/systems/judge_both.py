"""Gold labels here and elsewhere: one likelihood of both, and whether the judge was the same there.

Here people labelled a part of the batch; elsewhere the same judge met the truth, at another prevalence. If its
recall and fallout are the same in both places, all labels tell them. Counts are x[verdict, gold] with the positive
class first; everything takes stacks, whose axes come before those of a table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from informed._arrays import Array
from informed._numbers import probability, rate, span
from informed.inference.roots import root
from informed.results import Result

LEAST = 1e-9  # added to counts, so that no rate is 0 or 1
STEPS = 60  # of Newton's method, of which a few are enough
DRIFTED = 0.05  # below this p-value the labels elsewhere are left out


@dataclass(frozen=True, repr=False)
class Drift(Result):
    """Whether the judge here is the judge of the labels elsewhere, and what all labels say if it is."""

    statistic: float
    pvalue: float
    estimate: float  # the rate by all labels, if the judge is the same
    low: float
    high: float
    elsewhere: float  # the rate by the labels elsewhere alone (Rogan and Gladen)
    level: float = 0.95
    df: int = 2

    @property
    def found(self) -> bool:
        """Whether the judge has changed, as far as it can be told."""
        return self.pvalue < DRIFTED

    def sentence(self) -> str:
        """The test, and what follows from it."""
        test = f"χ² = {self.statistic:.2f} with {self.df} degrees of freedom, {probability(self.pvalue)}"
        both = f"{rate(self.estimate)} {span(self.low, self.high)}"
        if self.found:
            return f"The judge has drifted ({test}): the labels elsewhere are left out, with which it would be {both}"
        return (
            f"No drift of the judge is seen ({test}), which excludes none; all labels together say {both}, those "
            f"elsewhere alone {rate(self.elsewhere)}"
        )


@dataclass(frozen=True, eq=False)
class BothPlaces:
    """Counts here and elsewhere, (…, verdict, gold), and verdicts without gold here, (…, verdict)."""

    here: Array
    unlabelled: Array
    there: Array

    @cached_property
    def judge(self) -> Array:
        """Labels that tell the judge's rates."""
        return self.here + self.there + LEAST

    @cached_property
    def classes(self) -> Array:
        """Gold classes here, (…, gold)."""
        return np.asarray(self.here.sum(axis=-2)) + LEAST

    def at(self, theta: Array) -> tuple[Array, Array]:
        """The largest log-likelihood at a rate, and its slope there."""
        recall, fallout = self._rates(theta)
        (u1, u0), s = self._loose, theta * recall + (1 - theta) * fallout
        own = self.judge
        value = self.classes[..., 0] * np.log(theta) + self.classes[..., 1] * np.log1p(-theta)
        value = value + own[..., 0, 0] * np.log(recall) + own[..., 1, 0] * np.log1p(-recall)
        value = value + own[..., 0, 1] * np.log(fallout) + own[..., 1, 1] * np.log1p(-fallout)
        value = value + u1 * np.log(s) + u0 * np.log1p(-s)
        slope = self.classes[..., 0] / theta - self.classes[..., 1] / (1 - theta)
        return value, slope + (u1 / s - u0 / (1 - s)) * (recall - fallout)

    @property
    def _loose(self) -> tuple[Array, Array]:
        u = self.unlabelled + LEAST
        return u[..., 0], u[..., 1]

    def _rates(self, theta: Array) -> tuple[Array, Array]:
        """Recall and fallout that make the verdicts likeliest at a rate: concave, by damped Newton steps."""
        own, (u1, u0) = self.judge, self._loose
        shape = np.broadcast_shapes(theta.shape, u1.shape)
        r = np.broadcast_to((own[..., 0, 0] + 0.5) / (own[..., 0, 0] + own[..., 1, 0] + 1), shape)
        f = np.broadcast_to((own[..., 0, 1] + 0.5) / (own[..., 0, 1] + own[..., 1, 1] + 1), shape)
        a, b = theta, 1 - theta

        for _ in range(STEPS):
            s = a * r + b * f
            pull, bend = u1 / s - u0 / (1 - s), u1 / s**2 + u0 / (1 - s) ** 2
            slope_r = own[..., 0, 0] / r - own[..., 1, 0] / (1 - r) + a * pull
            slope_f = own[..., 0, 1] / f - own[..., 1, 1] / (1 - f) + b * pull
            rr = own[..., 0, 0] / r**2 + own[..., 1, 0] / (1 - r) ** 2 + a * a * bend
            ff = own[..., 0, 1] / f**2 + own[..., 1, 1] / (1 - f) ** 2 + b * b * bend
            rf = a * b * bend
            under = rr * ff - rf**2
            step_r, step_f = (ff * slope_r - rf * slope_f) / under, (rr * slope_f - rf * slope_r) / under
            share = np.minimum(1.0, 0.9 * np.fmin(_room(r, step_r), _room(f, step_f)))
            r, f = r + share * step_r, f + share * step_f
            if max(np.abs(step_r).max(), np.abs(step_f).max()) < 1e-12:
                break
        return r, f

    @cached_property
    def best(self) -> tuple[Array, Array]:
        """The likeliest rate, and the log-likelihood there."""
        low = np.full(self.unlabelled.shape[:-1], 1e-9)
        theta = root(lambda x: self.at(x)[1], low, 1 - low, tolerance=1e-10)
        return theta, self.at(theta)[0]

    def limits(self, level: float) -> tuple[Array, Array]:
        """Rates whose likelihood is not much less."""
        from scipy.special import chdtri

        theta, most = self.best
        reach = float(chdtri(1, 1 - level))
        off = np.full(theta.shape, 1e-9)

        def over(x: Array) -> Array:
            return np.asarray(2 * (most - self.at(x)[0]) - reach)

        low = root(over, off, theta, tolerance=1e-9)
        high = root(over, theta, 1 - off, tolerance=1e-9)
        return np.where(over(off) < 0, 0.0, low), np.where(over(1 - off) < 0, 1.0, high)

    def drift(self) -> tuple[Array, Array]:
        """Twice the likelihood that a judge of each place would gain, and its p-value (two degrees of freedom)."""
        from scipy.special import chdtrc, xlogy

        labelled = self.here.sum(axis=-1)
        cases = labelled + self.unlabelled
        own = xlogy(cases, cases / cases.sum(axis=-1, keepdims=True)).sum(axis=-1)
        own = own + xlogy(self.here, self.here / np.fmax(labelled, LEAST)[..., None]).sum(axis=(-2, -1))
        other = self.there.sum(axis=-2, keepdims=True)
        away = xlogy(self.there, self.there / np.fmax(other, LEAST)).sum(axis=(-2, -1))
        statistic = np.fmax(2 * (own + away - self.best[1]), 0.0)
        return statistic, chdtrc(2, statistic)

    def found(self, level: float) -> Drift:
        """Of one batch: the test, and the rate by all labels."""
        theta, (low, high) = self.best[0], self.limits(level)
        statistic, pvalue = self.drift()
        recall, fallout = (float(self.there[0, g] / self.there[:, g].sum()) for g in (0, 1))
        cases = self.here.sum(axis=-1) + self.unlabelled
        away = float((cases[0] / cases.sum() - fallout) / (recall - fallout)) if recall != fallout else np.nan
        return Drift(
            statistic=float(statistic),
            pvalue=float(pvalue),
            estimate=float(theta),
            low=float(np.fmin(low, theta)),
            high=float(np.fmax(high, theta)),
            elsewhere=min(max(away, 0.0), 1.0),
            level=level,
        )


def _room(x: Array, step: Array) -> Array:
    """How many steps lead to 0 or 1."""
    with np.errstate(divide="ignore"):
        return np.where(step > 0, (1 - x) / np.where(step > 0, step, 1), x / np.where(step < 0, -step, 1e-300))
