"""Tags: from rows of 0 and 1 to tables, and their interval, against numpy's own counting and scikit-learn's.

    python benchmarks/tags.py [items, default 1 000 000] [--labels 50]

numpy counts what a table needs and no more: how often a label is real and given, real, and given. The goals are
1.3 times that for the tables and 10 times for the interval of informedness, whose units are the items; the script
fails where they are missed. Times are the shortest of three, of all cores together.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from informed import Tags, interval, report

TABLES, INTERVAL = 1.3, 10.0


def timed(work: Callable[[], Any], times: int = 3) -> float:
    """Seconds of computing, of the shortest of a few runs."""
    found = np.inf
    for _ in range(times):
        start = process_time()
        work()
        found = min(found, process_time() - start)
    return float(found)


def drawn(items: int, labels: int) -> tuple[Any, Any]:
    """Labels of a tenth of the items, of which one in twenty is said wrongly."""
    rng = np.random.default_rng(0)
    y = rng.random((items, labels), np.float32) < 0.1
    return y, y ^ (rng.random((items, labels), np.float32) < 0.05)


def counted(y: Any, z: Any) -> Any:
    return (y & z).sum(axis=0), y.sum(axis=0), z.sum(axis=0)


def tagged(y: Any, z: Any) -> Tags:
    return Tags.from_labels(real=y, predicted=z)


def main(items: int, labels: int) -> int:
    y, z = drawn(items, labels)
    interval(tagged(y[:100], z[:100]))
    bare = timed(lambda: counted(y, z))
    tables, whole = timed(lambda: tagged(y, z).table), timed(lambda: interval(tagged(y, z)))
    print(f"{items:,} items × {labels} labels; numpy counts them in {bare:.3f} s")
    print(f"tables    {tables:.3f} s, {tables / bare:5.2f} × numpy (goal {TABLES:g})")
    print(f"interval  {whole:.3f} s, {whole / bare:5.2f} × numpy (goal {INTERVAL:g})")
    further(y, z, bare)
    return int(tables > TABLES * bare or whole > INTERVAL * bare)


def further(y: Any, z: Any, bare: float) -> None:
    """What has no goal: other forms, a report, and scikit-learn."""
    a, b = y.astype(np.int64), z.astype(np.int64)
    ones, given = csr_array(y, dtype=np.int8), csr_array(z, dtype=np.int8)
    for name, work in {
        "64-bit numbers": lambda: tagged(a, b).table,
        "sparse tables": lambda: tagged(ones, given).table,
        "sparse interval": lambda: interval(tagged(ones, given)),
        "a report of 10 000 items": lambda: report(tagged(y[:10_000], z[:10_000])),
    }.items():
        found = timed(work, 1)
        print(f"{name:24}  {found:.3f} s, {found / bare:5.2f} ×")
    try:
        from sklearn.metrics import multilabel_confusion_matrix
    except ImportError:
        return
    found = timed(lambda: multilabel_confusion_matrix(y, z), 1)
    print(f"{'scikit-learn, tables':24}  {found:.3f} s, {found / bare:5.2f} ×")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Tags against numpy's own counting.")
    parser.add_argument("items", nargs="?", type=int, default=1_000_000)
    parser.add_argument("--labels", type=int, default=50)
    sys.exit(main(**vars(parser.parse_args())))
