"""Watching a stream: cases a second, asked at the end and on the way, and what a state weighs.

    python benchmarks/watch.py

The bars are 200 000 cases a second over a million and 30 000 over 100 000, and 5 000 of a benchmark of known size.
Where `confseq` is installed, its betting sequence for one mean is timed on the same values.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import informed


def stream(n: int) -> tuple[Any, Any, Any]:
    """A system that is right in 70 %, and one in 60 %, of cases of two classes."""
    rng = np.random.default_rng(0)
    real = rng.integers(0, 2, n)
    return real, np.where(rng.random(n) < 0.7, real, 1 - real), np.where(rng.random(n) < 0.6, real, 1 - real)


def timed(n: int, batch: int, *, ask: bool = False, **how: Any) -> tuple[float, informed.Watch]:
    """Seconds that a watch takes for a stream in batches, looked at by itself, and by the user after each (`ask`)."""
    real, a, b = stream(n)
    w = informed.watch(**how)
    start = time.perf_counter()
    for i in range(0, n, batch):
        at = slice(i, i + batch)
        w.update(real=real[at], predicted=a[at], other=b[at] if w.settings.paired else None)
        if ask:
            w.decided("informedness.low > 0.9")
    assert w.interval.low < w.interval.high
    return time.perf_counter() - start, w


def main() -> None:
    informed.watch().update(real=[0, 1], predicted=[0, 1])
    planned = {"labels": [0, 1], "prevalence": [0.5, 0.5], "expect": 0.3}
    print("cases a second, with all looks of the watch itself (bars: 200 000 over a million, 30 000 over 100 000)")
    for n in (10_000, 100_000, 1_000_000):
        for said, how in (("two classes", {}), ("planned", planned), ("two systems", {"paired": True})):
            whole, w = timed(n, n, **how)
            parts, _ = timed(n, 1000, **how)
            asked, _ = timed(n, 10_000, ask=True, **how)
            rates = (f"{n / x:12,.0f}" for x in (whole, parts, asked))
            print(f"  {n:9,d} {said:12s}", *rates, f"  state {len(w.to_json()):,} bytes")
    print("            (in one batch, in batches of 1000, asked after every 10 000)")

    real, a, _ = stream(20_000)
    start = time.perf_counter()
    w = informed.watch()
    for truth, answer in zip(real.tolist(), a.tolist(), strict=True):
        w.update(real=truth, predicted=answer)
    assert w.interval.low > 0
    print(f"  one by one   {20_000 / (time.perf_counter() - start):12,.0f}")

    print("a benchmark of known size (bar: 5 000)")
    for n in (500, 2000, 10_000):
        real, a, _ = stream(n)
        start = time.perf_counter()
        w = informed.watch(labels=[0, 1], benchmark=real)
        w.update(real=real, predicted=a)
        assert w.interval.low <= w.interval.high
        print(f"  {n:9,d} {n / (time.perf_counter() - start):12,.0f}")
    peer()


def peer() -> None:
    """The betting sequence of `confseq` for one mean, at the last case alone and after each."""
    try:
        from confseq.betting import betting_cs  # type: ignore[import-not-found]
    except ImportError:
        print("confseq is not installed: pip install confseq")
        return
    real, a, _ = stream(2000)
    x = (real == a).astype(float)
    start = time.perf_counter()
    low, high = betting_cs(x, running_intersection=True)
    theirs = time.perf_counter() - start
    start = time.perf_counter()
    w = informed.watch(against=0.5, measure="accuracy")
    w.update(real=real, predicted=a)
    mine = w.interval
    ours = time.perf_counter() - start
    print(f"accuracy of 2000 cases, limits and cases a second: confseq, which looks at each case, {low[-1]:.3f} to")
    print(f"  {high[-1]:.3f} at {2000 / theirs:,.0f}; informed {mine.low:.3f} to {mine.high:.3f} at {2000 / ours:,.0f}")


if __name__ == "__main__":
    main()
