"""The table of twelve classes of the 2003 paper, reconstructed from its printed percentages.

Prints counts that fit, what follows from them, and what the paper should have said.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from informed._arrays import ratio
from informed.decisions.recover import recover

CASES, ALL = 170, 500  # classified, and in all
PRINTED = {  # class: r, p, B, F, G in per cent, as printed
    "A": (100, 35, 100, 52, 60),
    "B": (3, 100, -24, 5, 16),
    "E": (33, 100, 32, 50, 58),
    "G": (7, 33, -2, 11, 15),
    "H": (13, 25, 5, 17, 18),
    "I": (10, 100, 4, 18, 32),
    "K": (33, 25, 32, 29, 29),
    "M": (100, 33, 100, 50, 58),
    "N": (100, 24, 100, 39, 49),
    "O": (8, 25, 1, 13, 14),
    "P": (13, 100, -2, 22, 35),
    "Z": (20, 100, 18, 33, 45),
}
Triple = tuple[int, int, int]  # hits, denominator of row r, denominator of row p


def triples(label: str) -> list[Triple]:
    """Whole counts that agree with all five rows of a class."""
    r, p, b, f, g = PRINTED[label]
    t = recover(n=CASES, recall=f"{r} %", precision=f"{p} %", f1=f"{f} %", g_measure=f"{g} %").tables
    hits, x, y = t.tp, t.rp, t.pp
    row_b = 100 * (ratio(hits, x) - ratio(x - hits, CASES - x))  # the formula that was used
    fits = np.abs(row_b - b) <= 0.5 + 1e-9
    return [(int(a), int(b), int(c)) for a, b, c in np.array([hits, x, y]).T[fits]]


def reconstructions() -> list[dict[str, Triple]]:
    """Choices of one triple a class with which both margins add up to the number of cases."""
    found = {label: triples(label) for label in PRINTED}
    joint = [dict(zip(found, choice, strict=True)) for choice in product(*found.values())]
    return [c for c in joint if sum(x for _, x, _ in c.values()) == CASES and sum(y for _, _, y in c.values()) == CASES]


def informedness(choice: dict[str, Triple], weights: str = "prevalence") -> float:
    """With Y the classes and X the clusters: Σ Prev(l)·B(l), or Σ Bias(l)·B(l)."""
    hits, x, y = np.array(list(choice.values()), dtype=float).T
    each = hits / y - (x - hits) / (CASES - y)
    return float(np.sum((y if weights == "prevalence" else x) / CASES * each))


def main() -> None:
    found = reconstructions()
    print(f"{len(found)} reconstructions; the first, as (hits, cluster size, class size):")
    for label, (hits, x, y) in found[0].items():
        each = 100 * (hits / y - (x - hits) / (CASES - y))
        print(f"  {label}: {hits:3d} {x:3d} {y:3d}   true B {each:3.0f}, printed {PRINTED[label][2]}")
    for weights, printed in (("prevalence", ""), ("bias", " (printed: 86 %, 29 %)")):
        values = [100 * informedness(c, weights) for c in found]
        low, high = min(values), max(values)
        discount = CASES / ALL
        print(
            f"informedness, weighted by {weights}: {low:.1f} to {high:.1f} %; after coverage "
            f"{low * discount:.1f} to {high * discount:.1f} %{printed}"
        )


if __name__ == "__main__":
    main()
