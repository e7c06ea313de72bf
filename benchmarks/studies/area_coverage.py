"""How often intervals of an area hold it, and how honest the worth of a chosen threshold is.

Scores are normal and those of positives shifted, so that the truth is known; within units they share a part.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr, ndtri
from study import Part, Row, Study, bare

from informed.decisions.multiclass import multiclass
from informed.decisions.roc import roc
from informed.decisions.threshold import threshold

METHODS = {
    "default": "auto",
    "plain DeLong": "delong",
    "logit": "delong-logit",
    "arc": "delong-arc",
    "Newcombe": "newcombe",
}
PAGE = "roc.md"


def holds(found: Any, true: float) -> bool:
    return bool(found.low <= true <= found.high)


def areas(runs: int) -> Iterator[Row]:
    """Independent cases, by method."""
    for (positives, negatives), shift in product(((10, 30), (20, 40), (50, 150)), (1.0, 2.0)):
        rng = np.random.default_rng(1)
        true = float(ndtr(shift / np.sqrt(2)))
        real = np.arange(positives + negatives) < positives
        curves = (roc(real=real, score=rng.normal(size=len(real)) + shift * real) for _ in range(runs))
        held = [[holds(curve.interval(method=m), true) for m in METHODS.values()] for curve in curves]
        shares = zip(METHODS, map(float, np.mean(held, axis=0)), strict=True)
        yield {"positives": positives, "negatives": negatives, "area": true, **dict(shares)}


World = tuple[int, int, str, float]
WORLDS: tuple[World, ...] = (
    (20, 10, "both", 0.5),
    (10, 20, "both", 0.5),
    (20, 10, "one", 0.5),
    (50, 4, "one", 0.5),
    (100, 5, "one", 0.3),
    (40, 6, "an item", 0.8),
)


def scored(rng: np.random.Generator, world: World, area: float) -> dict[str, Any]:
    """Scores of one run: units × cases, the classes in a unit, and the correlation of scores within units."""
    units, size, kind, rho = world
    unit = np.repeat(np.arange(units), size)
    while True:
        real = (rng.random(len(unit)) if kind == "both" else rng.random(units)[unit]) < 0.4
        if 0 < real.sum() < len(real):
            break
    shared, own = rng.normal(size=units)[unit], rng.normal(size=len(unit))
    score = np.sqrt(rho) * shared + np.sqrt(1 - rho) * own + np.sqrt(2) * ndtri(area) * real
    return {"real": real, "score": score, "item" if kind == "an item" else "unit": unit}


def of_units(runs: int) -> Iterator[Row]:
    """Cases of units, and items scored several times."""
    for i, (area, world) in enumerate(product((0.8, 0.97, 0.99), WORLDS)):
        rng = np.random.default_rng([2, i])
        several = (scored(rng, world, area) for _ in range(runs))
        found = [
            (holds(roc(**one).interval(), area), holds(roc(real=one["real"], score=one["score"]).interval(), area))
            for one in several
        ]
        held, blind = map(float, np.mean(found, axis=0))
        said = {"area": bare(area), "units × cases": f"{world[0]} × {world[1]}"}
        said |= {"classes in a unit": world[2], "correlation": bare(world[3])}
        yield {**said, "units": held, "units not told": blind}


def parts(runs: int) -> Iterator[Row]:
    """Parts of the area, for three ranges."""
    ranges = ((0.2, 0.0, "fallout"), (0.5, 0.1, "fallout"), (1.0, 0.8, "recall"))
    true = [quad(lambda t: ndtr(ndtri(t) + 1), low, high)[0] for high, low, _ in ranges[:2]]
    true.append(quad(lambda r: 1 - ndtr(ndtri(r) - 1), 0.8, 1.0)[0])
    for positives, negatives in ((20, 40), (50, 150), (200, 300)):
        rng = np.random.default_rng(3)
        real = np.arange(positives + negatives) < positives
        curves = (roc(real=real, score=rng.normal(size=len(real)) + real) for _ in range(runs))
        held = [
            [
                holds(c.partial_interval(high, low, over=over), t)
                for (high, low, over), t in zip(ranges, true, strict=True)
            ]
            for c in curves
        ]
        names = ("fallout to .2", "fallout .1 to .5", "recall from .8")
        shares = zip(names, map(float, np.mean(held, axis=0)), strict=True)
        yield {"positives": positives, "negatives": negatives, **dict(shares)}


MEANS = {"mean over the classes": "macro", "weighted by prevalence": "weighted", "Hand and Till": "hand_till"}


def classes(runs: int) -> Iterator[Row]:
    """Means over three classes; their truth is that of a large sample."""

    def drawn(rng: np.random.Generator, cases: int) -> dict[str, Any]:
        real = rng.permutation(np.arange(cases) % 10).clip(0, 6) // 3  # shares .3, .3, .4
        return {"real": real, "score": rng.normal(size=(cases, 3)) + np.eye(3)[real] * (1.0, 1.5, 0.8)}

    large = multiclass(**drawn(np.random.default_rng(4), 300_000))
    for cases in (60, 200):
        rng = np.random.default_rng([4, cases])
        found = [multiclass(**drawn(rng, cases)) for _ in range(runs)]
        held = {
            said: float(np.mean([holds(x.interval(name), getattr(large, name)) for x in found]))
            for said, name in MEANS.items()
        }
        yield {"cases": cases, **held}


def worth(runs: int) -> Iterator[Row]:
    """Informedness at the chosen threshold as it looks, corrected, and true; how often the interval of the threshold
    holds the best one, which is 1/2."""
    for cases, positives in ((60, 25), (200, 80), (1000, 400)):
        real, found = np.arange(cases) < positives, []
        for seed in range(runs):
            score = np.random.default_rng(seed).normal(size=cases) + real
            choice = threshold(roc(real=real, score=score), n_draws=100, rng=seed)
            w, t = choice["informedness"], choice.threshold
            found.append((w.apparent, w.corrected, ndtr(1 - t) - ndtr(-t), choice.low <= 0.5 <= choice.high))
        names = ("looks like", "corrected", "true", "interval holds the best threshold")
        yield {"cases": cases, **dict(zip(names, map(float, np.mean(found, axis=0)), strict=True))}


AT_ONE = ("informedness", "recall", "fallout", "precision", "accuracy")
WAYS: dict[str, dict[str, Any]] = {
    "informedness": {}, "closest": {}, "bias": {}, "cost": {"cost": "5:1"}, "recall": {"value": 0.9},
    "precision": {"value": 0.6}, "f1": {},
}  # fmt: skip


def errors(runs: int) -> Iterator[Row]:
    """How far measures at the chosen threshold are from the truth there, as they look and corrected: 300 cases, 12 in a
    hundred positive, whose scores are uniform and .3 higher, so that recall − fallout is flat in between."""
    for method, how in WAYS.items():
        rng, found = np.random.default_rng(7), []
        for seed in range(runs):
            real = rng.random(300) < 0.12
            score = 0.3 * real + 0.7 * rng.random(300)
            choice = threshold(roc(real=real, score=score, positive=True), method, n_draws=100, rng=seed, **how)
            recall, fallout = np.clip(1 - (choice.threshold - np.array([0.3, 0.0])) / 0.7, 0, 1)
            called = 0.12 * recall + 0.88 * fallout
            right = 0.12 * recall + 0.88 * (1 - fallout)
            true = np.array([recall - fallout, recall, fallout, 0.12 * recall / called if called else np.nan, right])
            each = [choice[name] for name in AT_ONE]
            found.append([[w.apparent for w in each] - true, [w.corrected for w in each] - true])
        away = np.sqrt(np.nanmean(np.square(found), axis=0))
        for said, row in zip(("as they look", "corrected"), away, strict=True):
            yield {"method": method, "measures": said, **dict(zip(AT_ONE, map(float, row), strict=True))}


def costs(runs: int) -> Iterator[Row]:
    """The expected cost at the threshold that costs chose, on new cases: normal scores 1.2 apart, as many cases with
    labels as come; in clusters of five, half of the variance of the scores is shared."""
    worlds = [*product((60, 200, 1000), (0.1, 0.3), ("1:1", "5:1", "20:1"), (1,)), (500, 0.3, "5:1", 5)]
    for cases, prevalence, cost, size in worlds:
        rng, found = np.random.default_rng([5, cases]), list[Any]()
        miss, alarm = (float(x) for x in cost.split(":"))
        for seed in range(runs):
            real = rng.random(cases) < prevalence
            unit = np.arange(cases) // size
            shared = np.sqrt(0.5) * rng.normal(size=cases)[unit] if size > 1 else 0.0
            score = shared + np.sqrt(0.5 if size > 1 else 1.0) * rng.normal(size=cases) + 1.2 * real
            if min(real.sum(), (~real).sum()) < 3:
                continue
            curve = roc(real=real, score=score, positive=True, unit=unit if size > 1 else None)
            choice = threshold(curve, cost=cost, n_draws=100, rng=seed)
            assert choice.cost is not None
            misses, alarms = prevalence * ndtr(choice.threshold - 1.2), (1 - prevalence) * ndtr(-choice.threshold)
            true, held = miss * misses + alarm * alarms, choice.cost
            found.append((held.apparent, held.expected_cost, true, held.low <= true <= held.high))
        names = ("on these cases", "on new cases", "true", "interval holds the true one")
        shares = zip(names, map(float, np.mean(found, axis=0)), strict=True)
        world = {"cases": cases, "prevalence": bare(prevalence), "cost": cost, "clusters of": size}
        yield {**world, **dict(shares)}


STUDY = Study(
    "area_coverage",
    {
        "areas": Part(
            "Share of 95 % intervals that held the true area, samples of two normal scores each:", areas, PAGE
        ),
        "units": Part("Share of 95 % intervals that held the true area:", of_units, PAGE),
        "parts": Part("Share of 95 % intervals that held the true part:", parts, PAGE),
        "classes": Part(
            "Share of 95 % intervals of three classes that held the value of a large sample:", classes, PAGE
        ),
        "worth": Part(
            "Means over samples of two normal scores 1 apart, where the truth is known:", worth, PAGE, runs=200
        ),
        "errors": Part(
            "Root mean square errors of what is said of a chosen threshold, against the truth at that threshold, where "
            "recall − fallout is flat over a wide range (300 cases, 12 % positive, uniform scores):",
            errors,
            PAGE,
            runs=200,
            errors=(),
        ),
        "costs": Part(
            "Expected cost per case at the threshold that the costs chose, means over samples of two normal scores 1.2 "
            "apart, where the truth is known:",
            costs,
            PAGE,
            runs=400,
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
