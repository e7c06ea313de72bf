"""1000 systems on 10 000 items: every difference, interval and rank, beside a loop over pairs.

The peer is what people write today: for every two systems, McNemar's test by scipy. A thousand
pairs are timed and scaled to all of them.
"""

from __future__ import annotations

import time

import numpy as np
from scipy import stats

from informed.systems.leaderboard import leaderboard

ITEMS, SYSTEMS, TIMED = 10_000, 1_000, 1_000


def main() -> None:
    rng = np.random.default_rng(1)
    real = rng.integers(0, 2, ITEMS)
    knows = rng.random((ITEMS, SYSTEMS)) < np.linspace(0.5, 0.9, SYSTEMS)
    codes = np.where(knows, real[:, None], 1 - real[:, None])

    start = time.perf_counter()
    board = leaderboard(real=real, predictions=codes)
    ours = time.perf_counter() - start

    right = codes == real[:, None]
    start = time.perf_counter()
    for pair in range(TIMED):
        a, b = right[:, pair % SYSTEMS], right[:, (7 * pair + 1) % SYSTEMS]
        one, other = int((a & ~b).sum()), int((b & ~a).sum())
        stats.binomtest(min(one, other), max(one + other, 1))
    pairs = SYSTEMS * (SYSTEMS - 1) // 2
    peer = (time.perf_counter() - start) * pairs / TIMED

    print(f"{SYSTEMS} systems x {ITEMS} items, {pairs} pairs: {ours:.1f} s")
    print(f"loop over pairs with scipy.stats.binomtest, scaled: {peer:.0f} s, {peer / ours:.0f} x")
    print(f"may lead: {len(board.leaders)}; beyond guessing: {int(board.beyond_guessing.sum())}")


if __name__ == "__main__":
    main()
