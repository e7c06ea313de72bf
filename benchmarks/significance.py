"""Print the speed of the default test of a table, in stacks, and of one that draws."""

from __future__ import annotations

import time

import numpy as np

import informed
from informed import Table


def main() -> None:
    rng = np.random.default_rng(0)
    for k, tables in ((2, 1_000_000), (10, 20_000)):
        counts = rng.multinomial(50 * k, np.full(k * k, 1 / k**2), size=tables)
        stack = Table.from_counts(counts.reshape(-1, k, k))
        for method in ("permutation-midp", "permutation-z"):
            start = time.perf_counter()
            informed.test(stack, method=method)
            print(f"{method} of {tables} tables of {k} classes: {time.perf_counter() - start:.2f} s")
    big = Table.from_counts(rng.multinomial(10_000, np.full(16, 1 / 16)).reshape(4, 4), rows="predicted")
    start = time.perf_counter()
    informed.test(big, method="permutation")
    print(f"permutation of one table, 20 000 draws: {time.perf_counter() - start:.2f} s")


if __name__ == "__main__":
    main()
