"""Labels in memory to counts, against scikit-learn and against reading the arrays once.

    python benchmarks/labels.py [--quick]

Each case is repeated and the fastest run of each side is kept. scikit-learn is timed on a tenth
of the rows and scaled linearly, which flatters it: it sorts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from sklearn.metrics import confusion_matrix

from informed import Table

PART = 10  # scikit-learn gets one row in this many


def fastest(work: Callable[[], object], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def raced(real: Any, predicted: Any, repeats: int) -> tuple[float, float, float]:
    """Fastest times of ours, scikit-learn and reading, in turns, so that noise hits all."""
    few = len(real) // PART

    def reading() -> None:
        for x in (real, predicted):
            if isinstance(x, np.ndarray) and x.dtype.kind == "i":
                x.sum()

    times = [
        (
            fastest(lambda: Table.from_labels(real=real, predicted=predicted), 2),
            fastest(lambda: confusion_matrix(real[:few], predicted[:few]), 1) * PART,
            fastest(reading, 2),
        )
        for _ in range(repeats)
    ]
    ours, peer, limit = map(min, zip(*times, strict=True))
    return ours, peer, limit


def line(case: str, ours: float, peer: float, target: float = 0, *, limit: bool = False) -> None:
    ratio = ours / peer if limit else peer / ours
    ok = ratio <= target if limit else ratio >= target
    times, sign = ("× reading once", "≤") if limit else ("× faster", "≥")
    goal, verdict = (f"{sign} {target:g}", "ok" if ok else "NO") if target else ("–", "")
    print(f"{case:<36}{ours:>9.3f}{peer:>10.3f}{ratio:>9.1f}{times:<14}{goal:>6}  {verdict}")


def drawn(rows: int, seed: int = 1) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    real = rng.integers(0, 10, rows)
    return real, np.where(rng.random(rows) < 0.7, real, rng.integers(0, 10, rows))


def text(rows: int, repeats: int) -> None:
    names = np.array([f"class_{i}" for i in range(10)], dtype=object)
    real, predicted = (names[codes] for codes in drawn(rows))
    arrow = pd.ArrowDtype(pa.string())
    kinds: list[tuple[str, Callable[[Any], Any], float]] = [
        ("pandas, Arrow text", lambda x: pd.Series(x, dtype=arrow), 50),
        ("pandas, categorical", lambda x: pd.Series(x, dtype="category"), 50),
        ("Polars text", lambda x: pl.Series(x.tolist()), 50),
        ("numpy, Python objects", lambda x: x, 20),
        ("lists of text", lambda x: x.tolist(), 0),
        ("numpy, fixed-width text", lambda x: x.astype(str), 0),
    ]
    for name, make, target in kinds:
        a, b = make(real), make(predicted)
        ours, peer, _ = raced(a, b, repeats)
        line(f"{rows:,} {name}", ours, peer, target)


def integers(rows: int, repeats: int) -> None:
    real, predicted = drawn(rows)
    ours, peer, limit = raced(real, predicted, repeats)
    line(f"{rows:,} int64", ours, limit, 5, limit=True)
    line(f"{rows:,} int64", ours, peer, 25)
    far = np.array([-1, 10**12, 5, 77, -(2**60), 8, 123456789, 2**60, 3, 4])
    for name, make in (
        ("int32", lambda x: x.astype(np.int32)),
        ("int8", lambda x: x.astype(np.int8)),
        ("uint8", lambda x: x.astype(np.uint8)),
        ("bool", lambda x: x > 4),
        ("int64, far apart", lambda x: far[x]),
        ("float64", lambda x: x.astype(float)),
    ):
        ours, peer, _ = raced(make(real), make(predicted), repeats)
        line(f"{rows:,} {name}", ours, peer)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows")
    quick = parser.parse_args().quick
    print(f"{'case':<36}{'ours s':>9}{'peer s':>10}{'ratio':>9}{'':<14}{'target':>6}  ok")
    text(500_000 if quick else 5_000_000, 2 if quick else 3)
    integers(5_000_000 if quick else 50_000_000, 2 if quick else 3)


if __name__ == "__main__":
    main()
