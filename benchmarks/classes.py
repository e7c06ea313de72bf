"""Many classes: every measure of one table, and a whole report, with others beside them.

At 300 and 1000 classes all measures of the catalogue, with PyCM beside them where it is installed
(at 1000 only if 300 leave hope of less than a minute). At 300, 1000 and 5000 classes a report from
labels to HTML, in a process of its own: seconds, peak memory, and the ratio to the time that
scikit-learn's `classification_report` takes, which gives three numbers a class and no interval. Then
the same of many sparse classes, up to 20,000 with three cases each.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from typing import Any

import numpy as np

TARGET = 10.0  # seconds: "in seconds, not minutes"
SIZES = (300, 1000, 5000)
ROWS = 40  # cases a class
SPARSE, FEW = (300, 20_000), 3  # classes, and cases of each
SPARSE_TARGET, SPARSE_MEMORY = 60.0, 2048.0  # seconds, megabytes


def cases(k: int, rows: int = ROWS) -> tuple[Any, Any]:
    """Real and predicted classes: 70 % are known, the rest is guessed."""
    rng = np.random.default_rng(1)
    real = rng.integers(0, k, rows * k) if rows == ROWS else np.repeat(np.arange(k), rows)
    guess = rng.integers(0, k, rows * k)
    return real, np.where(rng.random(rows * k) < 0.7, real, guess)


def everything(k: int) -> tuple[float, list[tuple[float, str]]]:
    """Seconds for all measures: overall, or for each class against the rest and their mean."""
    from informed.evidence.table import Table
    from informed.measures import MEASURES

    real, predicted = cases(k)
    t = Table.from_labels(real=real, predicted=predicted)
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


def pycm(k: int) -> float | None:
    try:
        from pycm import ConfusionMatrix
    except ImportError:
        return None
    real, predicted = cases(k)
    start = time.perf_counter()
    made = ConfusionMatrix(actual_vector=real, predict_vector=predicted)
    made.overall_stat, made.class_stat  # noqa: B018  # computed when asked for, in newer versions
    return time.perf_counter() - start


def measures() -> None:
    other = 0.0
    for k in SIZES[:2]:
        seconds, slow = everything(k)
        names = ", ".join(f"{name} {part:.2f} s" for part, name in slow)
        print(f"K = {k}: all measures in {seconds:.2f} s (slowest: {names})")
        if other * (1000 / 300) ** 2 > 60:
            print(f"K = {k}: PyCM left out: {other:.0f} s at K = 300 would be more than a minute")
            continue
        found = pycm(k)
        if found is None:
            print("PyCM is not installed (pip install pycm)")
        else:
            other = found
            print(f"K = {k}: PyCM {other:.1f} s, ratio {other / seconds:.1f}x")


def one_report(k: int, rows: int) -> None:
    """Print seconds and megabytes of a report of k classes, from labels to HTML."""
    import informed

    real, predicted = cases(k, rows)
    start = time.perf_counter()
    informed.report(informed.Table.from_labels(real=real, predicted=predicted)).html()
    print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def peer(k: int, rows: int) -> float | None:
    try:
        from sklearn.metrics import classification_report
    except ImportError:
        return None
    real, predicted = cases(k, rows)
    start = time.perf_counter()
    classification_report(real, predicted, zero_division=0)
    return time.perf_counter() - start


def reported(k: int, rows: int) -> tuple[float, float]:
    """Seconds and megabytes of a report, with scikit-learn beside it."""
    command = [sys.executable, __file__, str(k), str(rows)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    seconds, megabytes = map(float, done.stdout.split())
    other = peer(k, rows)
    beside = "" if other is None else f", ratio to scikit-learn {seconds / other:.1f}x"
    print(f"K = {k}, {rows} cases a class: report to HTML in {seconds:.2f} s, {megabytes:.0f} MB{beside}")
    return seconds, megabytes


def main() -> None:
    if len(sys.argv) > 1:
        one_report(*map(int, sys.argv[1:]))
        return
    measures()
    for k in SIZES:
        seconds, _ = reported(k, ROWS)
    verdict = "ok" if seconds <= TARGET else "MISSED"
    print(f"{seconds:.2f} s for {SIZES[-1]} classes, target {TARGET:.0f} s: {verdict}")
    for k in SPARSE:
        seconds, megabytes = reported(k, FEW)
    verdict = "ok" if seconds <= SPARSE_TARGET and megabytes <= SPARSE_MEMORY else "MISSED"
    target = f"target {SPARSE_TARGET:.0f} s and {SPARSE_MEMORY:.0f} MB"
    print(f"{seconds:.2f} s and {megabytes:.0f} MB for {SPARSE[-1]:,} sparse classes, {target}: {verdict}")


if __name__ == "__main__":
    main()
