"""Tables with units: against the bare SQL of the same two GROUP BYs, and in memory from arrays.

    python benchmarks/units.py [items, default 1 000 000] [--memory]

A million items of five answers each, two classes, in Parquet: a report of the table with its units beside
the SQL alone, in one run; and the same rows as arrays. Times are of the clock, and in brackets of all cores
together, which a busy machine changes less. Modules are loaded before. `--memory` reads the rows once in a process of
its own, by default 20 000 000 items, and prints the most memory that it held.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
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

READ = """
import resource
import informed
t = informed.read({path!r}, real="real", predicted="pred", unit="unit")
print(t.units.n, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
MOST = 1500  # MB


def timed(work: Callable[[], Any], times: int = 3) -> tuple[str, float, Any]:
    """The shortest of a few runs as text, its seconds of computing, and what was found."""
    clock, core, found = np.inf, np.inf, None
    for _ in range(times):
        start, busy = perf_counter(), process_time()
        found = work()
        clock, core = min(clock, perf_counter() - start), min(core, process_time() - busy)
    return f"{clock:.2f} s ({core:.2f} s)", core, found


def told(path: Path, asked: Any) -> Any:
    return informed.report(informed.read(path, **asked))


def main(items: int) -> None:
    informed.report(Table.from_counts([[3, 1], [2, 4]]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        duckdb.execute(ROWS.format(n=5 * items, path=path))
        shown, bare, _ = timed(lambda: duckdb.execute(BARE.format(path=path)).fetchall())
        where: Any = {"real": "real", "predicted": "pred"}
        plain, _, _ = timed(lambda: informed.read(path, **where))
        print(f"bare SQL {shown}, a table without units {plain}")
        for what in ("unit", "item"):
            asked: Any = {**where, what: "unit"}
            read, _, t = timed(partial(informed.read, path, **asked))
            whole, core, _ = timed(partial(told, path, asked))
            print(
                f"{what}: read {read}, report {whole}, {(core - 0.2) / bare:.2f} × the bare SQL and 0.2 s; "
                f"{t.units.n:,.0f} units in {len(t.units.mult):,} patterns"
            )
        held = duckdb.execute(f"SELECT * FROM read_parquet('{path}')").fetchnumpy()
        arrays = {"real": held["real"], "predicted": held["pred"]}
        for what in ("unit", "item"):
            given: Any = {**arrays, what: held["unit"]}
            took, _, again = timed(partial(Table.from_labels, **given), 2)
            print(f"{what}: from arrays {took}")
        assert again.units.same(t.units)


def memory(items: int) -> None:
    """Rows of Parquet to a table with units, in a new process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        duckdb.execute(ROWS.format(n=5 * items, path=path))
        start = perf_counter()
        found = subprocess.check_output([sys.executable, "-c", READ.format(path=str(path))], text=True).split()
        units, most = (float(x) for x in found)
        assert units == items
        print(f"{5 * items:,} rows in {items:,} units: {perf_counter() - start:.1f} s, {most:.0f} MB (at most {MOST})")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("items", type=int, nargs="?")
    parser.add_argument("--memory", action="store_true")
    asked = parser.parse_args()
    (memory if asked.memory else main)(asked.items or (20_000_000 if asked.memory else 1_000_000))
