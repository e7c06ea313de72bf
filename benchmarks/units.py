"""Tables with units: against the bare SQL of the same two GROUP BYs, and in memory from arrays.

    python benchmarks/units.py [items, default 1 000 000]

A million items of five answers each, two classes, in Parquet: reading the table with its units beside the
SQL alone, in one run; the same rows as arrays; and a report of the table.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import duckdb
import numpy as np

import informed
from informed import Table

BARE = """
SELECT c00, c01, c10, c11, count(*) AS mult FROM (
  SELECT unit, count(*) FILTER (pred = 0 AND real = 0) AS c00, count(*) FILTER (pred = 0 AND real = 1) AS c01,
    count(*) FILTER (pred = 1 AND real = 0) AS c10, count(*) FILTER (pred = 1 AND real = 1) AS c11
  FROM read_parquet('{path}') GROUP BY unit)
GROUP BY ALL
"""
ROWS = """
COPY (SELECT i // 5 AS unit, (hash(i // 5) % 3 = 0)::INT AS real,
  (CASE WHEN hash(i, 7) % 10 < 8 THEN hash(i // 5) % 3 = 0 ELSE hash(i, 8) % 2 = 0 END)::INT AS pred
  FROM range({n}) AS rows(i)) TO '{path}' (FORMAT parquet)
"""


def timed(work: Callable[[], Any], times: int = 3) -> tuple[float, Any]:
    """The shortest of a few runs, in seconds, and what was found."""
    best, found = np.inf, None
    for _ in range(times):
        start = perf_counter()
        found = work()
        best = min(best, perf_counter() - start)
    return best, found


def main(items: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        duckdb.execute(ROWS.format(n=5 * items, path=path))
        bare, _ = timed(lambda: duckdb.execute(BARE.format(path=path)).fetchall())
        where: Any = {"real": "real", "predicted": "pred"}
        plain, _ = timed(lambda: informed.read(path, **where))
        for what in ("unit", "item"):
            took, t = timed(partial(informed.read, path, **where, **{what: "unit"}))
            print(
                f"{what}: read {took:.2f} s, bare SQL {bare:.2f} s, without units {plain:.2f} s; "
                f"{t.units.n:,.0f} units in {len(t.units.mult):,} patterns (goal {1.3 * bare + 0.2:.2f} s)"
            )
        told, _ = timed(lambda: informed.report(t), 1)
        print(f"report of the table: {told:.2f} s")
        held = duckdb.execute(f"SELECT * FROM read_parquet('{path}')").fetchnumpy()
        arrays = {"real": held["real"], "predicted": held["pred"]}
        for what in ("unit", "item"):
            given: Any = {**arrays, what: held["unit"]}
            took, again = timed(partial(Table.from_labels, **given), 2)
            print(f"{what}: from arrays {took:.2f} s")
        assert again.units.same(t.units)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
