"""Text in Arrow columns to a Table, beside Arrow's own grouping of the same two columns.

    python benchmarks/arrow_labels.py [--rows 5000000]

The runs take turns, so that a busy machine hits all alike; the fastest of each is kept. Processor
time is of all threads together, and steadier than the clock.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import pyarrow as pa

import informed
from informed import Table

AT_MOST = 1.2  # times Arrow's group_by
CLASSES = (2, 10, 100, 1000)
ROUNDS = 5


def columns(rows: int, classes: int) -> tuple[pa.Array, pa.Array]:
    rng = np.random.default_rng(classes)
    names = pa.array([f"class_{i}" for i in range(classes)])
    real = rng.integers(0, classes, rows)
    said = np.where(rng.random(rows) < 0.7, real, rng.integers(0, classes, rows))
    return names.take(pa.array(real)), names.take(pa.array(said))


def grouped(table: pa.Table) -> pa.Table:
    return table.group_by(["real", "said"]).aggregate([([], "count_all")])


def fastest(work: dict[str, Callable[[], object]]) -> dict[str, tuple[float, float]]:
    """Seconds by the clock and of the processors, the least of some rounds."""
    best = dict.fromkeys(work, (np.inf, np.inf))
    for _ in range(ROUNDS):
        for name, run in work.items():
            clock, processors = time.perf_counter(), time.process_time()
            run()
            spent = time.perf_counter() - clock, time.process_time() - processors
            best[name] = (min(best[name][0], spent[0]), min(best[name][1], spent[1]))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000)
    rows = parser.parse_args().rows
    print(f"{rows:,} rows{'':14}{'seconds':>9}{'ratio':>8}{'CPU s':>9}{'ratio':>8}")
    for classes in CLASSES:
        real, said = columns(rows, classes)
        table = pa.table({"real": real, "said": said})
        found = fastest(
            {
                "Arrow's group_by": partial(grouped, table),
                "from_labels": partial(Table.from_labels, real=real, predicted=said),
                "read": partial(informed.read, table, real="real", predicted="said"),
            }
        )
        clock, processors = found["Arrow's group_by"]
        for name, (wall, cpu) in found.items():
            ratios = wall / clock, cpu / processors
            verdict = "" if name.startswith("Arrow") else "ok" if ratios[0] <= AT_MOST else "NO"
            print(
                f"{classes:>5} classes, {name:<18}{wall:>7.3f}{ratios[0]:>8.2f}{cpu:>9.3f}{ratios[1]:>8.2f}  {verdict}"
            )


if __name__ == "__main__":
    main()
