"""10 M rows: `informed.read` and `informed report` beside the bare engine's GROUP BY.

    python benchmarks/sources.py [--rows 10000000] [--folder DIR] [--spark] [--memory 100000000]

Prints seconds (best of five, each in a process of its own), their ratio, and the largest
resident memory. `--memory N` counts N rows of Parquet once and prints the memory. `--spark`
counts the same rows in a cluster of two executor processes.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

MAKE = """
COPY (
    SELECT 'class ' || (hash(i) % 10) AS real,
           CASE WHEN hash(i + 7) % 97 = 0 THEN NULL
                WHEN hash(i + 1) % 3 > 0 THEN 'class ' || (hash(i) % 10)
                ELSE 'class ' || (hash(i + 2) % 10) END AS predicted,
           'system ' || (hash(i + 3) % 20) AS system,
           (hash(i + 4) % 1000) / 8.0 AS weight,
           (hash(i + 5) % 1000003) / 1000003.0 AS score
    FROM range({rows}) AS r(i)
) TO '{path}' ({options})
"""
READ = {"csv": "read_csv('{}', all_varchar=true, header=true)", "parquet": "read_parquet('{}')"}

BARE = """
import duckdb
connection = duckdb.connect()
connection.execute("SET enable_progress_bar = false")
rows = connection.execute("SELECT {keys}, {sums} FROM {source} GROUP BY {keys}").fetchall()
"""
OURS = """
import informed
got = informed.read({path!r}, real="real", {asked})
"""
REPORT = """
import contextlib, io, sys
from informed.cli import main
sys.argv = ["informed", "report", {path!r}, "--missing", "abstain"]
sys.argv += ["--real", "real", "--predicted", "predicted"]
with contextlib.redirect_stdout(io.StringIO()) as shown, contextlib.suppress(SystemExit):
    main()
assert "informed decision" in shown.getvalue()
"""
FOOTER = """
import json, resource, time
print(json.dumps([time.perf_counter() - START, time.perf_counter() - READY,
                  resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""
CASES = {
    "table": ("real, predicted", "COUNT(*)", 'missing="abstain", predicted="predicted"'),
    "20 systems, weights": (
        "system, real, predicted",
        "COUNT(*), SUM(weight::DOUBLE), SUM(weight::DOUBLE * weight::DOUBLE)",
        'missing="abstain", predicted="predicted", by="system", weights="weight"',
    ),
}


def timed(*codes: str, times: int = 5) -> list[tuple[float, float, float]]:
    """Of each code, in new processes that take turns: best seconds, with and without its first
    line, which imports, and most memory in MB."""
    results: list[list[list[float]]] = [[] for _ in codes]
    for _ in range(times):
        for found, code in zip(results, codes, strict=True):
            imports, _, rest = code.strip().partition("\n")
            script = "import time\nSTART = time.perf_counter()\n"
            script += f"{imports}\nREADY = time.perf_counter()\n{rest}\n{FOOTER}"
            found.append(json.loads(subprocess.check_output([sys.executable, "-c", script])))
    columns = [list(zip(*found, strict=True)) for found in results]
    return [(min(whole), min(inner), max(memory)) for whole, inner, memory in columns]


def make(folder: Path, kind: str, rows: int) -> Path:
    import duckdb

    path = folder / f"cases-{rows}.{kind}"
    if not path.exists():
        options = "FORMAT parquet, COMPRESSION zstd" if kind == "parquet" else "FORMAT csv, HEADER"
        with duckdb.connect() as connection:
            connection.execute(MAKE.format(rows=rows, path=path, options=options))
    return path


def compare(folder: Path, rows: int) -> None:
    print(f"{rows:,} rows; seconds of a whole process, best of five; memory in MB")
    print(f"{'':38}{'engine':>9}{'read':>9}{'ratio':>8}{'+ s':>8}{'MB':>7}{'MB':>7}")
    for kind in ("parquet", "csv"):
        path = make(folder, kind, rows)
        for name, (keys, sums, asked) in CASES.items():
            source = READ[kind].format(path)
            bare, ours, report = timed(
                BARE.format(keys=keys, sums=sums, source=source),
                OURS.format(path=str(path), asked=asked),
                REPORT.format(path=str(path)),
            )
            show(f"{kind}, {name}", bare, ours)
            if name == "table":
                show(f"{kind}, informed report", bare, report)
        [ours] = timed(OURS.format(path=str(path), asked='score="score"'))
        print(f"{kind + ', scores in 4096 bins':38}{'':9}{ours[0]:9.2f}{'':16}{'':7}{ours[2]:7.0f}")


def show(name: str, bare: tuple[float, ...], ours: tuple[float, ...]) -> None:
    """The bar: 1.3 times the query of the bare engine, without its start, and a second."""
    allowed = 1.3 * bare[1] + 1
    print(
        f"{name:38}{bare[0]:9.2f}{ours[0]:9.2f}{ours[0] / bare[0]:8.2f}"
        f"{ours[0] - bare[0]:8.2f}{bare[2]:7.0f}{ours[2]:7.0f}"
        f"   {'ok' if ours[0] <= allowed else 'TOO SLOW'} (allowed {allowed:.2f})"
    )


def memory(folder: Path, rows: int) -> None:
    path = make(folder, "parquet", rows)
    for name, (_, _, asked) in CASES.items():
        [(whole, _, most)] = timed(OURS.format(path=str(path), asked=asked), times=1)
        print(f"{rows:,} rows of Parquet, {name}: {whole:.2f} s, {most:.0f} MB")
    path.unlink()


def spark(folder: Path, rows: int) -> None:
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
    import informed
    from backends import spark_sessions

    path = make(folder, "parquet", rows)
    asked: dict[str, Any] = {"real": "real", "predicted": "predicted", "missing": "abstain"}
    expected = informed.read(path, **asked)
    start = time.perf_counter()
    with spark_sessions() as sessions:
        print(f"Spark: session {time.perf_counter() - start:.1f} s")
        for name, session in zip(("classic", "Connect"), sessions, strict=True):
            seconds = []
            for _ in range(3):
                start = time.perf_counter()
                got = informed.read(session.read.parquet(str(path)), **asked)
                seconds.append(time.perf_counter() - start)
                assert got == expected, "Spark and DuckDB disagree"
            print(f"Spark {name}: first {seconds[0]:.2f} s, best {min(seconds):.2f} s; same table")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--memory", type=int)
    parser.add_argument("--spark", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        compare(folder, given.rows)
        if given.memory:
            memory(folder, given.memory)
        if given.spark:
            spark(folder, given.rows)


if __name__ == "__main__":
    main()
