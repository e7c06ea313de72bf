"""Ten million probabilities: their isotonic fit and the parts of both scores, against scikit-learn's `roc_curve`.

The levels, the test and the band are draws on top (`n_draws`), and are timed apart, a draw at a time.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
from sklearn.metrics import brier_score_loss, roc_curve

import informed
from informed.decisions.probability_draws import drawn
from informed.decisions.probability_rules import BRIER, LOG

CASES, TARGET, REPEATS, DRAWS = 10_000_000, 2, 2, 5


def main() -> None:
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else CASES
    rng = np.random.default_rng(0)
    odds = rng.normal(0, 1.5, cases)
    real = rng.random(cases) < 1 / (1 + np.exp(-odds))
    p = 1 / (1 + np.exp(-2 * odds))

    ours, theirs = [], []
    for _ in range(REPEATS):
        start = time.perf_counter()
        found: Any = informed.probabilities(real=real, probability=p, n_draws=0)
        parts = [found.parts(rule) for rule in (BRIER, LOG)]
        ours.append(time.perf_counter() - start)
        start = time.perf_counter()
        roc_curve(real, p)
        theirs.append(time.perf_counter() - start)
    assert abs(parts[0].score - brier_score_loss(real, p)) < 1e-12

    start = time.perf_counter()
    skills = [found.log_skill, found.brier_skill, found.growth]
    limits = time.perf_counter() - start
    start = time.perf_counter()
    drawn(found.roc, DRAWS)
    draw = (time.perf_counter() - start) / (2 * DRAWS)

    ratio = min(ours) / min(theirs)
    print(f"{cases:,} probabilities, log skill {skills[0].estimate:.4f}, off {parts[1].lost:.4f}")
    print(f"fit and parts {min(ours):.2f} s, roc_curve {min(theirs):.2f} s; three intervals {limits:.2f} s")
    print(f"a draw with its fit {draw:.2f} s")
    print(f"ratio {ratio:.2f}x, target at most {TARGET}x: {'ok' if ratio <= TARGET else 'MISSED'}")


if __name__ == "__main__":
    main()
