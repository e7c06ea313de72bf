"""Ten million scores: the curve and its area, against scikit-learn's, in one run.

scikit-learn needs two calls, `roc_curve` and `roc_auc_score`; ours gives both, keeps every
threshold, and both areas must agree. Memory is the peak above what the data themselves take.
"""

from __future__ import annotations

import resource
import sys
import time
import tracemalloc

import numpy as np
from sklearn.metrics import roc_auc_score, roc_curve

from informed.decisions.roc import roc

SCORES, TARGET, REPEATS = 10_000_000, 5, 2


def main() -> None:
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else SCORES
    rng = np.random.default_rng(0)
    real = rng.random(cases) < 0.3
    score = rng.normal(size=cases) + real

    ours, others, areas = [], [], []
    for _ in range(REPEATS):
        start = time.perf_counter()
        areas.append(roc(real=real, score=score).auc)
        ours.append(time.perf_counter() - start)
        start = time.perf_counter()
        roc_curve(real, score)
        areas.append(roc_auc_score(real, score))
        others.append(time.perf_counter() - start)
    theirs = min(others)
    assert np.ptp(areas) < 1e-12, areas

    tracemalloc.start()
    curve = roc(real=real, score=score)
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    ratio = theirs / min(ours)
    print(f"{cases:,} scores, {len(curve.thresholds) - 1:,} thresholds, AUC {curve.auc:.6f}")
    print(f"ours {min(ours):.2f} s, scikit-learn {theirs:.2f} s")
    print(f"memory: {held / 2**20:,.0f} MiB held, {peak / 2**20:,.0f} MiB at the peak")
    print(f"whole process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10:,.0f} MiB")
    print(f"ratio {ratio:.1f}x, target {TARGET}x: {'ok' if ratio >= TARGET else 'MISSED'}")


if __name__ == "__main__":
    main()
