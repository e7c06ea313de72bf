"""1000 classes: every measure of the catalogue from one table, with PyCM beside it.

PyCM is not needed to run this; where it is installed it is timed on the same table at 300 classes
and, if that leaves hope of less than a minute, at 1000.
"""

from __future__ import annotations

import time

import numpy as np

from informed.evidence.table import Table
from informed.measures import MEASURES

TARGET = 10.0  # seconds: "in seconds, not minutes"


def table(k: int) -> Table:
    rng = np.random.default_rng(0)
    counts = rng.poisson(0.2, (k, k)) + np.diag(rng.poisson(80, k))
    return Table.from_counts(counts)


def everything(t: Table) -> tuple[float, list[tuple[float, str]]]:
    """Seconds for all measures: overall, or for each class against the rest and their mean."""
    slow = []
    start = time.perf_counter()
    for m in MEASURES.values():
        before = time.perf_counter()
        if m.facts.classes == "two":
            m.per_class(t)
            m(t, average="macro")
        else:
            m(t)
        slow.append((time.perf_counter() - before, m.name))
    return time.perf_counter() - start, sorted(slow, reverse=True)[:3]


def peer(t: Table) -> float | None:
    try:
        from pycm import ConfusionMatrix
    except ImportError:
        return None
    counts = t.counts.astype(int)
    matrix = {str(real): {str(p): int(counts[p, real]) for p in range(t.k)} for real in range(t.k)}
    start = time.perf_counter()
    made = ConfusionMatrix(matrix=matrix)
    made.overall_stat, made.class_stat  # noqa: B018  # computed when asked for, in newer versions
    return time.perf_counter() - start


def main() -> None:
    worst = 0.0
    other = 0.0
    for k in (300, 1000):
        seconds, slow = everything(table(k))
        worst = max(worst, seconds)
        names = ", ".join(f"{name} {part:.2f} s" for part, name in slow)
        print(f"K = {k}: all {len(MEASURES)} measures in {seconds:.2f} s (slowest: {names})")
        if other * (1000 / 300) ** 2 > 60:
            print(f"K = {k}: PyCM left out: {other:.0f} s at K = 300 would be more than a minute")
            continue
        found = peer(table(k))
        if found is None:
            print("PyCM is not installed (pip install pycm)")
        else:
            other = found
            print(f"K = {k}: PyCM {other:.1f} s, ratio {other / seconds:.1f}x")
    print(f"{worst:.2f} s, target {TARGET:.0f} s: {'ok' if worst <= TARGET else 'MISSED'}")


if __name__ == "__main__":
    main()
