"""A report of the breast-cancer example, from its table to HTML, and the lab's full answer.

Modules are loaded and warm, tables are not: each call has one that was never asked about, as in the lab,
where every keystroke makes a new one.

Given the `src` of an older checkout, each run of this code alternates with one of that, and the
ratio is printed: 0.1.0 is the commit 10b9677. Without it, scikit-learn's text report and bootstrap
intervals of as many numbers are timed beside it. Processor time, the smallest of several runs.

    git worktree add /tmp/informed-0.1.0 10b9677
    python benchmarks/report.py /tmp/informed-0.1.0/src
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

RUNS, CALLS = 5, 8
ROOT = Path(__file__).parents[1]
DATA = ROOT / "examples" / "breast-cancer.csv"
TARGET = 0.45  # of the time of 0.1.0
LAB_TARGET = 25.0  # milliseconds for everything that the lab shows of a table
FIVE = [[24, 2, 3, 1, 0], [1, 19, 2, 4, 3], [3, 2, 22, 0, 2], [0, 5, 1, 18, 2], [2, 1, 2, 3, 21]]


def fastest(call: Callable[[int], object]) -> float:
    """Milliseconds of processor time, the smallest of several calls after a warm-up; each has a number of its own."""
    taken = []
    for i in range(CALLS + 1):
        start = time.process_time()
        call(i)
        taken.append(time.process_time() - start)
    return min(taken[1:]) * 1000


def own() -> None:
    """Print the times of the `informed` that is on the path: the report, and the lab's answer for
    tables like it and for some of five classes."""
    import informed
    from informed.web.evaluate import full

    held = informed.read(DATA, real="diagnosis", predicted="logistic", positive="malignant")

    def fresh(i: int) -> informed.Table:
        """A table with other margins than all before."""
        counts = held.counts.copy()
        counts[0, 0] += i
        counts[0, 1] += i % 3
        return informed.Table.from_counts(counts, labels=held.labels, positive=held.positive)

    def of_five(i: int) -> informed.Table:
        counts = [row.copy() for row in FIVE]
        counts[0][0] += i
        counts[1][2] += i % 3
        return informed.Table.from_counts(counts)

    report = fastest(lambda i: informed.report(fresh(i)).html())
    print(report, fastest(lambda i: full(fresh(i + 100))), fastest(lambda i: full(of_five(i))))


def timed(src: Path) -> tuple[float, ...]:
    """The times of the code below this folder, in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, "--own"],
        env={**os.environ, "PYTHONPATH": str(src)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return tuple(map(float, done.stdout.split()))


def peer() -> float | None:
    """scikit-learn's report of the same cases, with bootstrap intervals of three numbers."""
    try:
        import numpy as np
        from sklearn import metrics
    except ImportError:
        return None
    import informed

    t = informed.read(DATA, real="diagnosis", predicted="logistic", positive="malignant")
    cells = t.counts.astype(int)
    predicted = np.repeat([0, 0, 1, 1], cells.ravel())
    real = np.repeat([0, 1, 0, 1], cells.ravel())
    measures = (metrics.balanced_accuracy_score, metrics.matthews_corrcoef, metrics.accuracy_score)

    def bootstrapped(_: int, draws: int = 200) -> None:
        metrics.classification_report(real, predicted)
        rng = np.random.default_rng(1)
        for _ in range(draws):
            at = rng.integers(0, len(real), len(real))
            for measure in measures:
                measure(real[at], predicted[at])

    return fastest(bootstrapped)


def main() -> None:
    if "--own" in sys.argv:
        return own()
    older = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    runs: dict[Path, list[tuple[float, ...]]] = {}
    for _ in range(RUNS):
        for src in filter(None, (ROOT / "src", older)):
            runs.setdefault(src, []).append(timed(src))
    report, lab, of_five = (min(side) for side in zip(*runs[ROOT / "src"], strict=True))
    print(f"report to HTML: {report:.1f} ms")
    print(
        f"the lab's full answer: {lab:.1f} ms, of five classes {of_five:.1f} ms, target {LAB_TARGET:g} ms: "
        f"{'ok' if max(lab, of_five) <= LAB_TARGET else 'MISSED'}"
    )
    if older is not None:
        before, lab_before, five_before = (min(side) for side in zip(*runs[older], strict=True))
        ratio = report / before
        print(
            f"older code: {before:.1f} ms, ratio {ratio:.2f}x, target {TARGET:g}x: "
            f"{'ok' if ratio <= TARGET else 'MISSED'}; its lab {lab_before:.1f} ms, ratio {lab / lab_before:.2f}x, "
            f"of five classes {five_before:.1f} ms, ratio {of_five / five_before:.2f}x"
        )
        return None
    other = peer()
    if other is None:
        print("scikit-learn is not installed (pip install scikit-learn)")
    else:
        print(
            f"scikit-learn's report with 200 bootstrap samples of three numbers: {other:.1f} ms, "
            f"ratio {report / other:.2f}x"
        )
    return None


if __name__ == "__main__":
    main()
