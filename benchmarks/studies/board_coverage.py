"""How often all intervals of a leaderboard hold the truth together: items in units, and rare classes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from study import Part, Row, Study, bare

from informed import leaderboard

SEED = 2026
SKILLS = np.array([0.9, 0.8, 0.8, 0.6])


def held(board: Any, truth: Any) -> tuple[bool, bool]:
    """Whether all differences, and all systems, lie in their intervals."""
    upper = np.triu_indices(len(truth), 1)
    gaps, d = (truth[:, None] - truth)[upper], board.pairs
    apart = (d.low[upper] <= gaps) & (gaps <= d.high[upper])
    return bool(apart.all()), bool(((board.low <= truth) & (truth <= board.high)).all())


def by_units(runs: int) -> Iterator[Row]:
    """With the probability `alike` an answer is right or wrong as its unit is."""
    for (units, size), alike in product(((10, 10), (20, 5), (40, 5), (80, 5)), (0.0, 0.3, 0.7)):
        rng, found = np.random.default_rng([SEED, units, round(10 * alike)]), []
        unit = np.repeat(np.arange(units), size)
        for _ in range(runs):
            real = rng.integers(0, 2, len(unit))
            shared, own = rng.random((units, len(SKILLS)))[unit], rng.random((len(unit), len(SKILLS)))
            luck = np.where(rng.random(own.shape) < alike, shared, own)
            said = np.where(luck < SKILLS, real[:, None], 1 - real[:, None])
            given: dict[str, Any] = {"real": real, "predictions": said, "n_draws": 2000}
            told, blind = leaderboard(**given, unit=unit), leaderboard(**given)
            found.append((*held(told, 2 * SKILLS - 1), held(blind, 2 * SKILLS - 1)[0]))
        names = ("all differences", "all systems", "all differences, units not told")
        shares = dict(zip(names, map(float, np.mean(found, axis=0)), strict=True))
        yield {"units × items": f"{units} × {size}", "alike": bare(alike), **shares}


def rare(runs: int) -> Iterator[Row]:
    """Eight equal systems, single items."""
    for n, share, recall, fallout in (
        (100, 0.1, 0.6, 0.1),
        (200, 0.1, 0.6, 0.1),
        (300, 0.1, 0.6, 0.1),
        (100, 0.5, 0.8, 0.2),
    ):
        rng, found = np.random.default_rng([SEED, n, round(10 * share)]), []
        truth = np.full(8, recall - fallout)
        for _ in range(runs):
            real = (rng.random(n) < share).astype(int)
            said = (rng.random((n, 8)) < np.where(real, recall, fallout)[:, None]).astype(int)
            if real.any():
                found.append(held(leaderboard(real=real, predictions=said), truth))
        pairs, each = map(float, np.mean(found, axis=0))
        yield {
            "items": n, "positive": bare(share), "recall": bare(recall), "fallout": bare(fallout),
            "all systems": each, "all differences": pairs,
        }  # fmt: skip


PAGE = "leaderboards.md"
STUDY = Study(
    "board_coverage",
    {
        "units": Part(
            "Four systems (informedness .8, .6, .6, .2) on items of units, shares of runs in which all 95 % intervals "
            'together held the truth; "alike" is the share of answers that a unit decides:',
            by_units,
            PAGE,
            runs=1000,
        ),
        "rare": Part(
            "Eight equal systems, shares of runs in which all 95 % intervals together held the truth:",
            rare,
            PAGE,
            runs=1000,
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
