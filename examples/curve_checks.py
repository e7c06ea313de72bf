"""How often intervals of an area hold it, and how honest the worth of a chosen threshold is.

Two normal scores, one shifted, so that the truth is known. The tables of docs/roc.md.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr, ndtri

from informed.decisions.roc import roc
from informed.decisions.threshold import threshold

METHODS = ("auto", "delong", "delong-logit", "delong-arc", "newcombe")


def coverage(positives: int, negatives: int, shift: float, repeats: int = 1000) -> list[float]:
    """Share of 95 % intervals that hold the true area, for each method."""
    rng = np.random.default_rng(1)
    true = ndtr(shift / np.sqrt(2))
    held = np.zeros(len(METHODS))
    real = np.arange(positives + negatives) < positives
    for _ in range(repeats):
        curve = roc(real=real, score=rng.normal(size=len(real)) + shift * real)
        limits = [curve.interval(method=m) for m in METHODS]
        held += [i.low <= true <= i.high for i in limits]
    return list(held / repeats)


def worth(cases: int, positives: int, repeats: int = 200) -> tuple[float, float, float, float]:
    """Mean informedness as it looks, corrected, and true; how often the interval of the
    threshold holds the best one, which is 1/2."""
    found = []
    real = np.arange(cases) < positives
    for seed in range(repeats):
        score = np.random.default_rng(seed).normal(size=cases) + real
        choice = threshold(roc(real=real, score=score), n_draws=100, rng=seed)
        w, t = choice["informedness"], choice.threshold
        true = ndtr(1 - t) - ndtr(-t)
        found.append((w.apparent, w.corrected, true, choice.low <= 0.5 <= choice.high))
    a, b, c, d = np.mean(found, axis=0)
    return float(a), float(b), float(c), float(d)


def partial_coverage(positives: int, negatives: int, repeats: int = 1500) -> list[float]:
    """Share of 95 % intervals that hold the true part of the area, for three ranges."""
    rng = np.random.default_rng(3)
    ranges = ((0.2, 0.0, "fallout"), (0.5, 0.1, "fallout"), (1.0, 0.8, "recall"))
    true = [quad(lambda t: ndtr(ndtri(t) + 1), low, high)[0] for high, low, _ in ranges[:2]]
    true.append(quad(lambda r: 1 - ndtr(ndtri(r) - 1), 0.8, 1.0)[0])
    held = np.zeros(3)
    real = np.arange(positives + negatives) < positives
    for _ in range(repeats):
        curve = roc(real=real, score=rng.normal(size=len(real)) + real)
        limits = [curve.partial_interval(high, low, over=over) for high, low, over in ranges]
        held += [i.low <= t <= i.high for i, t in zip(limits, true, strict=True)]
    return list(held / repeats)


def main() -> None:
    print("positives negatives area", *METHODS)
    for p, n in ((10, 30), (20, 40), (50, 150)):
        for shift in (1.0, 2.0):
            area = ndtr(shift / np.sqrt(2))
            print(p, n, f"{area:.3f}", *(f"{x:.3f}" for x in coverage(p, n, shift)))
    print("positives negatives; fallout to 0.2, from 0.1 to 0.5, recall from 0.8")
    for p, n in ((20, 40), (50, 150), (200, 300)):
        print(p, n, *(f"{x:.3f}" for x in partial_coverage(p, n)))
    print("cases looks corrected true held")
    for cases, positives in ((60, 25), (200, 80), (1000, 400)):
        print(cases, *(f"{x:.3f}" for x in worth(cases, positives)))


if __name__ == "__main__":
    main()
