"""Print the error rates and powers of every test, and the speed of the default.

python benchmarks/significance.py            # everything (about a minute)
python benchmarks/significance.py --speed    # the speed alone
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

import informed
from informed import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import error_rates


def percent(rates: object) -> str:
    x = 100 * np.asarray(rates, dtype=np.float64)
    return f"{x.mean():.1f} | {x.min():.1f} to {x.max():.1f}"


def two_classes() -> None:
    sizes = error_rates.exact_sizes(error_rates.TWO)
    few = error_rates.exact_power(32, 0.3, 0.5, 0.5, error_rates.TWO)
    rare = error_rates.exact_power(64, 0.3, 0.2, 0.2, error_rates.TWO)
    more = error_rates.exact_power(64, 0.3, 0.5, 0.5, error_rates.TWO)
    print("\n| method | rejects a true null, % | range | N=32 | N=64, 20 % | N=64 |")
    print("|---|---|---|---|---|---|")
    for name in error_rates.TWO:
        power = " | ".join(f"{100 * p[name]:.1f}" for p in (few, rare, more))
        print(f"| `{name}` | {percent(sizes[name])} | {power} |")


def several_classes() -> None:
    names = error_rates.SEVERAL
    sizes = error_rates.simulated_sizes(names, 4000, seed=1)
    powers = [error_rates.simulated_power(k, 8 * k, 0.2, names, 4000, seed=2) for k in (3, 5, 10)]
    odd = error_rates.uninformed_but_dependent(5, 160, 4000, seed=3)
    print("\n| method | rejects a true null, % | range | K=3 | K=5 | K=10 | B = 0, dependent |")
    print("|---|---|---|---|---|---|---|")
    for name in names:
        power = " | ".join(f"{100 * p[name]:.1f}" for p in powers)
        wrong = 100 * (error_rates.pvalues(odd, name) <= 0.05).mean()
        print(f"| `{name}` | {percent(sizes[name])} | {power} | {wrong:.1f} |")


def speed() -> None:
    rng = np.random.default_rng(0)
    for k, tables in ((2, 1_000_000), (10, 20_000)):
        counts = rng.multinomial(50 * k, np.full(k * k, 1 / k**2), size=tables)
        stack = Table.from_counts(counts.reshape(-1, k, k))
        best = np.inf
        for _ in range(3):
            start = time.perf_counter()
            informed.test(stack)
            best = min(best, time.perf_counter() - start)
        print(f"permutation z of {tables} tables of {k} classes: {best:.2f} s")
    big = Table.from_counts(rng.multinomial(10_000, np.full(16, 1 / 16)).reshape(4, 4))
    start = time.perf_counter()
    informed.test(big, method="permutation")
    print(f"permutation of one table, 20 000 draws: {time.perf_counter() - start:.2f} s")


if __name__ == "__main__":
    if "--speed" not in sys.argv:
        two_classes()
        several_classes()
    speed()
