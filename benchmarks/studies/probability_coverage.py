"""How often intervals of skill hold the truth, how often right probabilities are called wrong, and what ECE measures.

The log odds of a case are normal; a forecaster gives them stretched (slope) or shifted, so that he knows the same and
his numbers are off. The truth of each number is that of endless cases, by quadrature.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from study import Part, Row, Study

import informed
from informed.decisions.probability_draws import Bins, drawn
from informed.evidence.forecasts import Forecasts

SEED = 23
PREVALENCES, SIZES = (0.5, 0.2, 0.05, 0.02), (50, 120, 200, 1000)
FORECASTS = {"right": (1.0, 0.0), "flat": (0.5, 0.0), "sharp": (2.0, 0.0), "shifted": (1.0, 1.0)}
SKILLS = ("log_skill", "brier_skill", "growth", "informedness")
SPREAD = 1.5  # of the log odds
LEVELS = (".05", ".01", ".001")
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(121)
WEIGHTS = WEIGHTS / WEIGHTS.sum()


def logistic(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


@dataclass(frozen=True)
class World:
    """Normal log odds around a middle, and a forecaster who stretches and shifts them."""

    middle: float
    slope: float = 1.0
    shift: float = 0.0

    @classmethod
    def of(cls, prevalence: float, slope: float = 1.0, shift: float = 0.0) -> World:
        from scipy.optimize import brentq

        middle = brentq(lambda m: WEIGHTS @ logistic(m + SPREAD * NODES) - prevalence, -30, 30)
        return cls(float(middle), slope, shift)

    def forecast(self, x: Any) -> Any:
        return logistic(self.slope * (self.middle + SPREAD * x) + self.shift)

    def chance(self, x: Any) -> Any:
        return logistic(self.middle + SPREAD * x)

    def truth(self) -> dict[str, float]:
        """Skills of endless cases."""
        q, p = self.chance(NODES), self.forecast(NODES)
        share = float(WEIGHTS @ q)
        entropy = -share * np.log(share) - (1 - share) * np.log(1 - share)
        odds = self.slope * (self.middle + SPREAD * NODES) + self.shift
        log = float(WEIGHTS @ (q * np.logaddexp(0, -odds) + (1 - q) * np.logaddexp(0, odds)))
        brier = float(WEIGHTS @ (q * (1 - p) ** 2 + (1 - q) * p**2))
        return {
            "log_skill": 1 - log / entropy,
            "brier_skill": 1 - brier / (share * (1 - share)),
            "growth": entropy - log,
        }

    def informedness(self) -> Any:
        """Of endless cases, by the probability from which one acts: a function of it."""
        x = np.linspace(-8, 8, 4001)
        mass, own = np.exp(-(x**2) / 2), self.chance(x)
        sides = [np.cumsum((mass * side)[::-1])[::-1] / (mass * side).sum() for side in (own, 1 - own)]
        return lambda p: float(np.interp(p, self.forecast(x), sides[0] - sides[1]))


def judged(real: Any, p: Any, **more: Any) -> Any:
    return informed.probabilities(real=real, probability=p, positive=1, **{"n_draws": 0, **more})


def summed(found: dict[Any, list[tuple[float, str]]], head: str) -> Iterator[Row]:
    for (name, kind), every in found.items():
        share, where = min(every)
        mean = float(np.mean([x for x, _ in every]))
        yield {"measure": name, head: kind, "mean": mean, "least": share, "where": where, "settings": len(every)}


def skills(runs: int) -> Iterator[Row]:
    """By how many of the rarer class are expected."""
    found: dict[tuple[str, str], list[tuple[float, str]]] = defaultdict(list)
    for i, (prevalence, n, (kind, how)) in enumerate(product(PREVALENCES, SIZES, FORECASTS.items())):
        world, rng = World.of(prevalence, *how), np.random.default_rng([SEED, i])
        truth, informedness, held = world.truth(), world.informedness(), defaultdict(list)
        for run in range(runs):
            x = rng.standard_normal(n)
            real = (rng.random(n) < world.chance(x)).astype(int)
            if 0 < real.sum() < n:
                f = judged(real, world.forecast(x))
                truth["informedness"] = informedness(f.prevalence)
                for name in SKILLS if run % 4 == 0 else SKILLS[:3]:  # that of a table is the dearest
                    held[name].append(truth[name] in getattr(f, name))
        rarer = prevalence * n
        class_ = "10 or more" if rarer >= 10 else "5 to 10" if rarer >= 5 else "below 5"
        for name, each in held.items():
            found[name, class_].append((float(np.mean(each)), f"{kind}, prevalence {prevalence:g}, {n} cases"))
    order = ("10 or more", "5 to 10", "below 5")
    kept = {(name, few): found[name, few] for name in SKILLS for few in order}
    yield from summed(kept, "of the rarer class")


def units(runs: int) -> Iterator[Row]:
    """Cases in clusters that share much of their log odds; and cases with weights."""
    found: dict[tuple[str, str], list[tuple[float, str]]] = defaultdict(list)
    kinds = ("40 units of 5", "25 units of 1 to 19", "weights")
    for i, (what, prevalence, (kind, how)) in enumerate(product(kinds, (0.5, 0.2), FORECASTS.items())):
        world, rng = World.of(prevalence, *how), np.random.default_rng([SEED, 1, i])
        truth, held = world.truth(), defaultdict(list)
        for _ in range(runs):
            sizes = rng.integers(1, 20, 25) if "19" in what else np.full(40, 5)
            unit = np.repeat(np.arange(len(sizes)), sizes)
            n, more = len(unit), {"unit": unit} if what != "weights" else {"weights": rng.exponential(1, len(unit))}
            shared = np.sqrt(0.5) * rng.standard_normal(len(sizes))[unit] if "unit" in more else 0.0
            x = shared + np.sqrt(0.5 if "unit" in more else 1.0) * rng.standard_normal(n)
            real = (rng.random(n) < world.chance(x)).astype(int)
            f = judged(real, world.forecast(x), **more)
            for name in SKILLS[:3]:
                held[name].append(truth[name] in getattr(f, name))
        for name, each in held.items():
            found[name, what].append((float(np.mean(each)), f"{kind}, prevalence {prevalence:g}"))
    yield from summed(dict(sorted(found.items(), key=lambda x: SKILLS.index(x[0][0]))), "cases")


PAIRS = (("right", "sharp"), ("right", "flat"), ("sharp", "shifted"))


def pairs(runs: int) -> Iterator[Row]:
    """Two forecasters on the same cases."""
    found: dict[tuple[str, str], list[tuple[float, str]]] = defaultdict(list)
    for i, (prevalence, n, (a, b)) in enumerate(product((0.5, 0.2, 0.05), (100, 300, 1000), PAIRS)):
        if prevalence * n < 10:
            continue
        worlds = {name: World.of(prevalence, *FORECASTS[name]) for name in (a, b)}
        truth = {name: world.truth() for name, world in worlds.items()}
        rng, held = np.random.default_rng([SEED, 2, i]), defaultdict(list)
        for _ in range(runs):
            x = rng.standard_normal(n)
            real = (rng.random(n) < worlds[a].chance(x)).astype(int)
            if not 0 < real.sum() < n:
                continue
            given = {name: world.forecast(x) for name, world in worlds.items()}
            c = informed.probabilities.compare(real=real, probabilities=given, positive=1, n_draws=0)
            for name in SKILLS[:3]:
                d = c.difference(a, b, name)
                held[name].append(d.low <= truth[a][name] - truth[b][name] <= d.high)
        for name, each in held.items():
            where = f"{a} and {b}, prevalence {prevalence:g}, {n} cases"
            found[name, "10 or more"].append((float(np.mean(each)), where))
    yield from summed(found, "of the rarer class")


NOISE = 0.8  # that systems of equal worth add to the log odds, each its own


def noisy_truth(world: World) -> dict[str, float]:
    """Skills of endless cases of a forecaster with noise."""
    q = world.chance(NODES)
    odds = world.middle + SPREAD * NODES[:, None] + NOISE * NODES
    share = float(WEIGHTS @ q)
    entropy = -share * np.log(share) - (1 - share) * np.log(1 - share)
    cost = q[:, None] * np.logaddexp(0, -odds) + (1 - q)[:, None] * np.logaddexp(0, odds)
    brier = q[:, None] * (1 - logistic(odds)) ** 2 + (1 - q)[:, None] * logistic(odds) ** 2
    log, square = (float(WEIGHTS @ x @ WEIGHTS) for x in (cost, brier))
    return {"log_skill": 1 - log / entropy, "brier_skill": 1 - square / (share * (1 - share)), "growth": entropy - log}


def boards(runs: int) -> Iterator[Row]:
    """Systems of equal worth: how often all intervals hold the truth, and any two are told apart."""
    for i, (k, n, prevalence) in enumerate(product((3, 10), (100, 400), (0.5, 0.2))):
        world, rng = World.of(prevalence), np.random.default_rng([SEED, 6, i])
        truth = noisy_truth(world)
        inside: dict[str, list[bool]] = defaultdict(list)
        least: dict[str, list[float]] = defaultdict(list)
        for _ in range(runs):
            x = rng.standard_normal(n)
            real = (rng.random(n) < world.chance(x)).astype(int)
            p = {s: logistic(world.middle + SPREAD * x + NOISE * rng.standard_normal(n)) for s in range(k)}
            held = Forecasts(real.tolist(), p, positive=1)
            for name in SKILLS[:2]:
                board = informed.leaderboard(held, measure=name, n_draws=2000, rng=rng)
                inside[name].append(bool(((board.low <= truth[name]) & (truth[name] <= board.high)).all()))
                least[name].append(float(board.pairs.adjusted[np.triu_indices(k, 1)].min()))
        for name, each in inside.items():
            row: Row = {"measure": name, "systems": k, "cases": n, "prevalence": prevalence, "all hold": np.mean(each)}
            yield row | {f"apart, {a}": float((np.array(least[name]) <= float(a)).mean()) for a in LEVELS}


CUTS = ((3, 60), (3, 200), (10, 40), (10, 100), (30, 60))  # slices, and cases in each


def slices(runs: int) -> Iterator[Row]:
    """Slices that do not differ: how often they are said to, and how often the stratified interval holds the truth."""
    for i, (parts, n) in enumerate(CUTS):
        pvalues, inside = defaultdict(list), defaultdict(list)
        for j, (prevalence, kind) in enumerate(product((0.5, 0.2), ("right", "sharp"))):
            world, rng = World.of(prevalence, *FORECASTS[kind]), np.random.default_rng([SEED, 7, i, j])
            truth, by = world.truth(), np.repeat(np.arange(parts), n).tolist()
            for _ in range(runs):
                x = rng.standard_normal(parts * n)
                real = (rng.random(parts * n) < world.chance(x)).astype(int)
                held = Forecasts(real.tolist(), {kind: world.forecast(x)}, positive=1, by=by)
                for name in SKILLS[:3]:
                    found = informed.slices(held, measure=name)
                    pvalues[name].append(float(found.heterogeneity.pvalue[0]))
                    inside[name].append(bool(found.stratified_low[0] <= truth[name] <= found.stratified_high[0]))
        for name, each in pvalues.items():
            p = np.array(each)
            row: Row = {"measure": name, "slices": parts, "cases in each": n, "tested": float((~np.isnan(p)).mean())}
            row |= {f"differ, {a}": float((p[~np.isnan(p)] < float(a)).mean()) for a in LEVELS}
            yield row | {"stratified holds": float(np.mean(inside[name]))}


def curve_of(world: World, rng: np.random.Generator, n: int, places: int | None) -> tuple[Any, Any]:
    """Right probabilities, and the curve of some classes drawn from them."""
    p = world.chance(rng.standard_normal(n))
    p = p if places is None else np.clip(np.round(p, places), 0.1**places, 1 - 0.1**places)
    while True:
        real = (rng.random(n) < p).astype(int)
        if 0 < real.sum() < n:
            return p, judged(real, p).roc


def calibration(runs: int) -> Iterator[Row]:
    """How often right probabilities are called wrong; each of some forecasts with as many draws as there are cases."""
    often = 1000  # data sets for each of the forecasts
    for i, (n, prevalence, places) in enumerate(product((100, 1000), (0.5, 0.1), (None, 1))):
        world, rng = World.of(prevalence), np.random.default_rng([SEED, 3, i])
        rates: dict[str, list[Any]] = {"log": [], "brier": []}
        for _ in range(max(runs // often, 2)):
            _, curve = curve_of(world, rng, n, places)
            held = drawn(curve, 999 + often, rng).mcb
            for rule, mcb in held.items():
                first, seen = np.sort(mcb[:999]), mcb[999:]
                p = (1 + 999 - np.searchsorted(first, seen - 1e-12)) / 1000
                rates[rule].append([(p <= level).mean() for level in (0.05, 0.01, 0.001)])
        row: Row = {
            "cases": n,
            "prevalence": prevalence,
            "probabilities": "all distinct" if places is None else "tenths",
        }
        for rule in ("log", "brier"):
            row |= {f"{rule}, .05": 0.0, f"{rule}, .01": 0.0, f"{rule}, .001": 0.0}
            mean = np.mean(rates[rule], axis=0)
            row |= {f"{rule}, {level}": float(x) for level, x in zip((".05", ".01", ".001"), mean, strict=True)}
        yield row


def band(runs: int) -> Iterator[Row]:
    """How often the curve of right probabilities lies in its band of 90 %, over the points and at the worst of them."""
    for i, (n, prevalence) in enumerate(product((100, 500, 2000), (0.5, 0.1))):
        world, rng = World.of(prevalence), np.random.default_rng([SEED, 4, i])
        each = []
        for _ in range(max(runs // 50, 2)):
            p, curve = curve_of(world, rng, n, None)
            held = drawn(curve, 499, rng)
            inside = []
            for _ in range(50):
                real = (rng.random(n) < p).astype(int)
                if 0 < real.sum() < n:
                    fit = judged(real, p).curve.recalibrated(held.at)
                    inside.append((held.low - 1e-9 <= fit) & (fit <= held.high + 1e-9))
            ten = np.linspace(0, len(held.at) - 1, 12).astype(int)[1:-1]
            each.append(np.mean(inside, axis=0)[ten])
        share = np.mean(each, axis=0)
        yield {
            "cases": n,
            "prevalence": prevalence,
            "mean of ten points": float(share.mean()),
            "least": float(share.min()),
        }


def ece(runs: int) -> Iterator[Row]:
    """What is measured of right probabilities, whose error is 0."""
    world, bins = World.of(0.5), (Bins("15", 15), Bins("50", 50))
    for i, n in enumerate((100, 500, 2000, 10_000)):
        rng = np.random.default_rng([SEED, 5, i])
        found = []
        for _ in range(10):
            _, curve = curve_of(world, rng, n, None)
            held = drawn(curve, max(runs // 10, 2), rng, bins)
            share = curve.prevalence * (1 - curve.prevalence)
            found.append([held.ece["15"].mean(), held.ece["50"].mean(), held.mcb["brier"].mean() / share])
        a, b, mcb = (float(x) for x in np.mean(found, axis=0))
        yield {"cases": n, "ECE, 15 bins": a, "ECE, 50 bins": b, "lost (MCB/UNC, Brier)": mcb}


PAGE = "probabilities.md"
STUDY = Study(
    "probability_coverage",
    {
        "skills": Part(
            "How often intervals of 95 % hold the truth: forecasts that are right, flat (slope .5), sharp (slope 2) "
            "and shifted by 1 on the log odds; prevalences .5, .2, .05, .02; 50, 120, 200 and 1000 cases. Informedness "
            "is that of acting from the prevalence of the sample on, in every fourth run.",
            skills,
            PAGE,
            runs=400,
            run="runs a setting",
        ),
        "units": Part(
            "Cases of a unit that share half the variance of their log odds, and cases of unequal weight.",
            units,
            PAGE,
            runs=400,
            run="runs a setting",
        ),
        "pairs": Part(
            "Differences of two forecasters on the same 100, 300 or 1000 cases.",
            pairs,
            PAGE,
            runs=800,
            run="runs a setting",
        ),
        "boards": Part(
            "Systems of equal worth, whose noise is their own: how often all intervals of 95 % hold the truth, "
            "and how often any two systems are told apart at .05, .01 and .001.",
            boards,
            PAGE,
            runs=1000,
            errors=((0.05, 1.0), (0.01, 1.0)),
            run="runs a row",
        ),
        "slices": Part(
            "Slices that do not differ, of forecasts that are right or sharp at the prevalences .5 and .2: how often "
            "they are said to differ, and how often the stratified interval of 95 % holds the truth.",
            slices,
            PAGE,
            runs=300,
            errors=((0.05, 4.0), (0.01, 4.0)),
            run="data sets a row",
        ),
        "calibration": Part(
            "How often right probabilities are called wrong, at the levels .05, .01 and .001.",
            calibration,
            PAGE,
            runs=20_000,
            errors=((0.05, 0.5), (0.01, 0.5)),
            run="independent data sets' worth a row",
        ),
        "band": Part(
            "How often the reliability curve of right probabilities lies in its band of 90 % (each point by itself).",
            band,
            PAGE,
            runs=1000,
            errors=((0.9, 1.0),),
            run="data sets a row",
        ),
        "ece": Part(
            "Mean of the expected calibration error of probabilities that are right, whose error is 0.",
            ece,
            PAGE,
            runs=500,
            errors=(),
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
