"""How often intervals of scores with several attempts hold the truth: pass@k, all of k, reducers, differences.

python benchmarks/marks_coverage.py [worlds]      # prints shares of 95 % intervals that hold what they are of

Items have a difficulty of their own, drawn from a beta distribution, and attempts at one are alike. The truth
of each number is that of new items from the same distribution.
"""

from __future__ import annotations

import sys
from itertools import product
from typing import Any

import numpy as np
from scipy.special import betaln
from scipy.stats import betabinom

from informed import Marks, compare, interval

WORLDS = 400
SHAPES = ((0.5, 0.5), (2.0, 2.0), (0.3, 1.5), (4.0, 0.6))  # of difficulty: two heaps, middling, hard, easy
SIZES = tuple(product((30, 100, 200), (4, 10)))  # items, attempts


def truth(measure: str, k: int, shape: tuple[float, float], attempts: int) -> float:
    """The number for endless items of this distribution."""
    a, b = shape
    if measure == "pass_at":
        return 1 - float(np.exp(betaln(a, b + k) - betaln(a, b)))
    if measure == "pass_hat":
        return float(np.exp(betaln(a + k, b) - betaln(a, b)))
    right = np.arange(attempts + 1)
    chance = betabinom.pmf(right, attempts, a, b)
    held = {"score": right / attempts, "majority": right > attempts / 2, "all": right == attempts, "any": right > 0}
    return float((chance * held[measure]).sum())


def held(measure: str, k: int, shape: tuple[float, float], size: tuple[int, int], worlds: int, rng: Any) -> list[float]:
    """Shares of intervals that hold the truth, that lie above it and below; and their mean width."""
    items, attempts = size
    true = truth(measure, k, shape, attempts)
    name = f"{measure}({k})" if measure.startswith("pass") else measure
    item = np.repeat(np.arange(items), attempts)
    found = []
    for _ in range(worlds):
        right = rng.random(items * attempts) < rng.beta(*shape, items)[item]
        x = interval(Marks.from_columns(mark=right, item=item), name)
        found.append((x.low <= true <= x.high, x.low > true, x.high < true, x.high - x.low))
    return list(np.mean(found, axis=0))


def differences(shape: tuple[float, float], size: tuple[int, int], worlds: int, rng: Any) -> float:
    """The share of intervals of a difference that hold it: two systems with items of their own difficulty in common."""
    items, attempts = size
    item = np.repeat(np.arange(items), attempts)
    a, b = shape
    true = 0.1 * a / (a + b)
    inside = 0
    for _ in range(worlds):
        easy = rng.beta(a, b, items)[item]
        one, other = (Marks.from_columns(mark=rng.random(len(item)) < c * easy, item=item) for c in (1.0, 0.9))
        found = compare(one, other)
        inside += found.low <= true <= found.high
    return inside / worlds


def main() -> None:
    worlds = int(sys.argv[1]) if len(sys.argv) > 1 else WORLDS
    rng = np.random.default_rng(20)
    asked = [
        ("pass_at", 2),
        ("pass_at", 4),
        ("pass_hat", 2),
        ("pass_hat", 4),
        ("majority", 1),
        ("all", 1),
        ("score", 1),
    ]
    print("measure      difficulty   items  attempts   holds   above   below   width")
    for (measure, k), shape, size in product(asked, SHAPES, SIZES):
        inside, above, below, wide = held(measure, k, shape, size, worlds, rng)
        name = f"{measure}({k})" if measure.startswith("pass") else measure
        shares = "   ".join(f"{x:.3f}" for x in (inside, above, below, wide))
        print(f"{name:<12} {shape!s:<12} {size[0]:>5} {size[1]:>9}   {shares}")
    for shape, size in product(SHAPES, SIZES[:4]):
        print(
            f"difference   {shape!s:<12} {size[0]:>5} {size[1]:>9}   {differences(shape, size, worlds // 4, rng):.3f}"
        )


if __name__ == "__main__":
    main()
