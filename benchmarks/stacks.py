"""A million 2x2 tables: four measures at once, against a Python loop over scikit-learn.

scikit-learn takes one pair of label vectors at a time. It is timed on 1000 tables of 100 cases,
already expanded to label vectors, and scaled to a million; we are timed on the million counts.
"""

from __future__ import annotations

import time
import warnings

import numpy as np
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, matthews_corrcoef

from informed.evidence.table import Table
from informed.measures.agreement import cohen_kappa
from informed.measures.chance import correlation, informedness, markedness

TABLES, TIMED, CASES, TARGET = 1_000_000, 1000, 100, 5000


def main() -> None:
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.full(4, 2.0), TABLES)
    counts = rng.multinomial(CASES, shares).reshape(-1, 2, 2)
    some = counts[:TIMED]
    cells = np.array([[1, 0, 1, 0], [1, 1, 0, 0]])  # real and predicted of each cell
    vectors = [np.repeat(cells, c.ravel(), axis=1) for c in some]

    ours = []
    for _ in range(3):
        start = time.perf_counter()
        stack = Table.from_counts(counts)
        values = [m(stack) for m in (informedness, markedness, correlation, cohen_kappa)]
        ours.append(time.perf_counter() - start)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn warns of empty classes
        start = time.perf_counter()
        theirs = [
            (
                balanced_accuracy_score(real, predicted, adjusted=True),
                balanced_accuracy_score(predicted, real, adjusted=True),  # markedness is its dual
                matthews_corrcoef(real, predicted),
                cohen_kappa_score(real, predicted),
            )
            for real, predicted in vectors
        ]
        loop = (time.perf_counter() - start) * TABLES / TIMED

    whole = ((some.sum(axis=1) > 0) & (some.sum(axis=2) > 0)).all(axis=1)
    for mine, other in zip(values, np.array(theirs).T, strict=True):
        assert np.allclose(mine[:TIMED][whole], other[whole])
    ratio = loop / min(ours)
    print(f"{TABLES:,} tables, B, M, C and kappa: {min(ours):.3f} s")
    print(f"loop over scikit-learn: {loop:,.0f} s (scaled from {TIMED} tables of {CASES} cases)")
    print(f"ratio {ratio:,.0f}x, target {TARGET}x: {'ok' if ratio >= TARGET else 'MISSED'}")


if __name__ == "__main__":
    main()
