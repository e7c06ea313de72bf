"""Tables of 5 x 5 classes and 128 cases, drawn and measured (B, M, C, kappa), against a loop; and again with a
function of one's own among the measures.

The loop draws the same labels one table at a time and asks scikit-learn for the four numbers; it is
timed on a few hundred tables and scaled.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, confusion_matrix, matthews_corrcoef

from informed import Table
from informed.measures.shown import CORRECTED
from informed.simulation import Experiment, population

K, N, JOBS, AT_LEAST = 5, 128, 2, 500_000


def hits(t: Table) -> Any:
    """A measure of one's own."""
    return t.hits.sum(axis=0) / t.total


def ours(*more: Any, replicates: int = 200_000, tries: int = 5) -> tuple[float, float]:
    """Tables a second on two threads, and a CPU second: the best of some tries, as others work."""
    e = Experiment(k=K, n=N, levels=(0.3, 0.6), replicates=replicates, measures=(*CORRECTED, *more))
    best = (0.0, 0.0)
    for _ in range(tries):
        started, used = time.perf_counter(), time.process_time()
        e.run(jobs=JOBS)
        spent = time.perf_counter() - started, time.process_time() - used
        best = (max(best[0], 2 * replicates / spent[0]), max(best[1], 2 * replicates / spent[1]))
    return best


def loop(tables: int = 300) -> float:
    """Tables a CPU second with scikit-learn in a Python loop."""
    rng = np.random.default_rng(1)
    p = population(0.3, k=K).counts.ravel()
    labels = np.arange(K)

    def one() -> tuple[Any, ...]:
        predicted, real = np.divmod(rng.choice(K * K, size=N, p=p), K)
        confusion_matrix(real, predicted, labels=labels)
        return (
            balanced_accuracy_score(real, predicted, adjusted=True),
            balanced_accuracy_score(predicted, real, adjusted=True),
            matthews_corrcoef(real, predicted),
            cohen_kappa_score(real, predicted, labels=labels),
        )

    started = time.process_time()
    for _ in range(tables):
        one()
    return tables / (time.process_time() - started)


if __name__ == "__main__":
    (wall, mine), (own_wall, own), theirs = ours(), ours(hits), loop()
    print(f"informed      {wall:>12,.0f} tables a second on {JOBS} threads (wanted {AT_LEAST:,})")
    print(f"              {mine:>12,.0f} tables a CPU second (x {JOBS} cores: {JOBS * mine:,.0f})")
    print(f"with a function of one's own: {own_wall:,.0f} a second, {own:,.0f} a CPU second")
    print(f"scikit-learn  {theirs:>12,.0f} tables a CPU second in a loop")
    print(f"ratio         {mine / theirs:>12,.0f}")
