"""How often tests of a difference of two shares reject a true null, by listing every outcome.

No outcome is drawn: the size of a test is the largest probability of rejecting over the nuisance values that are tried,
and stands as a multiple of its nominal level. The runs of a part are these nuisance values.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from study import Part, Row, Study

from informed import Table, compare
from informed._arrays import Array
from informed.evidence.joint import Joint
from informed.systems.comparison import Comparison

LEVELS = (0.05, 0.025, 0.01, 0.001)
MARGINS = (0.02, 0.05, 0.1, 0.2)
SIZES = ((20, 20), (20, 60), (10, 100))
NULLS = (0.0, 0.05, -0.05, 0.1, -0.1, 0.4, -0.4)


def chances(n: int, *shares: Any) -> Any:
    """Probabilities of counts of so many kinds, of n items; the last kind is the rest."""
    from scipy.special import gammaln, xlogy

    *counts, p = shares
    counts = [*counts, n - sum(counts)]
    p = [*p, np.maximum(1 - sum(p), 0.0)]
    log = gammaln(n + 1) - sum(gammaln(x + 1) for x in counts)
    return np.exp(log + sum(xlogy(x, q) for x, q in zip(counts, p, strict=True)))


def paired(nuisances: int) -> Iterator[Row]:
    """Non-inferiority of accuracy, one-sided: sizes at the margin."""
    for n in (20, 50, 100):
        b, c = (x.ravel() for x in np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij"))
        b, c = b[b + c <= n], c[b + c <= n]
        both = (n - b - c + 1) // 2
        cells = np.zeros((len(b), 2, 2, 2))
        cells[:, 1, 1, 0], cells[:, 1, 0, 1], cells[:, 1, 1, 1], cells[:, 1, 0, 0] = b, c, both, n - b - c - both
        joint = Joint.from_counts(cells)
        found = {name: dict.fromkeys(LEVELS, 0.0) for name in ("arc", "tango", "auto")}
        for name, margin in ((x, y) for x in found for y in MARGINS):
            tested = Comparison(joint, (joint.a, joint.b), method=name)
            p = np.asarray(tested.pvalue("accuracy", against=-margin, alternative="greater"))
            worse = np.linspace(margin, (1 + margin) / 2, nuisances, endpoint=False)[:, None]
            probability = chances(n, b, c, (worse - margin, worse))
            for level in LEVELS:
                size = float((probability @ (p <= level)).max())
                found[name][level] = max(found[name][level], size / level)
        for name, sizes in found.items():
            called = "`arc-tango` (default)" if name == "auto" else f"`{name}`"
            yield {"items": n, "test": called, **{f"at {x:g}": y for x, y in sizes.items()}}


@cache
def shares(n: int) -> Table:
    """Every number of right answers of n, as tables."""
    k = np.arange(n + 1)
    cells = [[(k + 1) // 2, (n - k + 1) // 2], [(n - k) // 2, k // 2]]
    return Table.from_counts(np.moveaxis(np.array(cells, dtype=float), -1, 0))


def unpaired(nuisances: int) -> Iterator[Row]:
    """Differences of the accuracy on different items, two-sided and one-sided: the largest size over nulls."""
    for method in ("mover", "circle", "auto"):
        found: dict[tuple[str, float], float] = {}
        for n, m in SIZES:
            i, j = (x.ravel() for x in np.meshgrid(np.arange(n + 1), np.arange(m + 1), indexing="ij"))
            tested = compare(shares(n)[i], shares(m)[j], method=method)
            for null in NULLS:
                q = np.linspace(max(0.0, -null), min(1.0, 1 - null), nuisances)
                one, other = (chances(s, np.arange(s + 1)[:, None], (x,)) for s, x in ((n, q + null), (m, q)))
                for side, p in _pvalues(tested, null, method).items():
                    for level in LEVELS:
                        rejected = np.asarray(p).reshape(n + 1, m + 1) <= level
                        found[side, level] = max(found.get((side, level), 0.0), _size(one, rejected, other) / level)
        called = {"mover": "`mover`", "circle": "`circle` (default of intervals)"}
        called |= {"auto": "`circle-score` (default of one-sided tests)"}
        for side in ("two-sided", "one-sided"):
            if (side, LEVELS[0]) in found:
                yield {"test": called[method], "sides": side, **{f"at {x:g}": found[side, x] for x in LEVELS}}


def _pvalues(tested: Comparison, null: float, method: str) -> dict[str, Any]:
    """Two-sided p-values and those against a smaller difference; the default has a test of its own for one side."""
    if method == "auto":
        return {"one-sided": tested.pvalue("accuracy", against=null, alternative="greater")}
    both = np.asarray(tested.pvalue("accuracy", against=null))
    above = np.asarray(tested["accuracy"].estimate) > null
    return {"two-sided": both, "one-sided": np.where(above, both / 2, 1.0)}


def _size(one: Array, rejected: Any, other: Array) -> float:
    return float(np.einsum("iq,ij,jq->q", one, rejected.astype(float), other).max())


STUDY = Study(
    "margin_sizes",
    {
        "paired": Part(
            "Non-inferiority of the accuracy of two systems on the same items, one-sided. The largest Type I error as "
            "a multiple of the nominal level, over margins of 0.02, 0.05, 0.1 and 0.2 and 400 shares of items on which "
            "the systems differ. Every outcome is listed, so that the figures have no Monte Carlo error.",
            paired,
            "comparing.md",
            runs=400,
            errors=(),
        ),
        "unpaired": Part(
            "Difference of the accuracy of two systems on different items. The largest Type I error as a multiple of "
            "the nominal level, over three pairs of sizes from 10 to 100 items, seven null differences from −0.4 to "
            "0.4 and 101 accuracies. Every outcome is listed.",
            unpaired,
            "comparing.md",
            runs=101,
            errors=(),
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
