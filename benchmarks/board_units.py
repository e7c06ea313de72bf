"""Do a leaderboard's intervals cover when items come in units, and what if that is ignored?

Four systems (informedness .8, .6, .6, .2) on units of items; with the probability "alike" an
answer is right or wrong as its unit is. Shares of runs in which *all* intervals hold the truth.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from informed import leaderboard

SKILLS = np.array([0.9, 0.8, 0.8, 0.6])
TRUTH = 2 * SKILLS - 1
GAPS = (TRUTH[:, None] - TRUTH)[np.triu_indices(4, 1)]


def drawn(rng: np.random.Generator, units: int, size: int, alike: float) -> tuple[Any, Any, Any]:
    unit = np.repeat(np.arange(units), size)
    n = len(unit)
    real = rng.integers(0, 2, n)
    shared = rng.random((units, len(SKILLS)))[unit]
    luck = np.where(rng.random((n, len(SKILLS))) < alike, shared, rng.random((n, len(SKILLS))))
    return real, np.where(luck < SKILLS, real[:, None], 1 - real[:, None]), unit


def held(board: Any) -> tuple[bool, bool]:
    """Whether all differences, and all systems, lie in their intervals."""
    upper = np.triu_indices(len(SKILLS), 1)
    d = board.pairs
    return (
        bool(((d.low[upper] <= GAPS) & (d.high[upper] >= GAPS)).all()),
        bool(((board.low <= TRUTH) & (board.high >= TRUTH)).all()),
    )


def main(runs: int = 150) -> None:
    start = time.perf_counter()
    print("units x items, alike: differences, systems; differences with units ignored")
    for units, size in ((10, 10), (20, 5), (40, 5), (80, 5)):
        for alike in (0.0, 0.3, 0.7):
            rng = np.random.default_rng(0)
            found = []
            for _ in range(runs):
                real, codes, unit = drawn(rng, units, size, alike)
                how = {"real": real, "predictions": codes, "n_draws": 2000}
                found.append((*held(leaderboard(**how, unit=unit)), held(leaderboard(**how))[0]))
            pairs, each, ignored = np.mean(found, axis=0)
            print(f"{units} x {size}, {alike:g}: {pairs:.3f}, {each:.3f}; {ignored:.3f}")
    print(f"{runs} runs a value, {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 150)
