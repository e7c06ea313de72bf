"""Whether the number of cases that would decide does so, and whether the power of a rare class is what was planned."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import stats
from study import Part, Row, Study, bare

import informed
from informed import Table
from informed.evidence.cells import mixture
from informed.evidence.joint import Joint

SEED = 2032
TABLES = (
    ("informedness", "100 cases, 68 of them positive", [[56, 20], [12, 12]], 0.1),
    ("informedness", "100 cases, half of them positive", [[45, 3], [5, 47]], 0.75),
    ("informedness", "420 cases, 20 of them positive", [[16, 40], [4, 360]], 0.5),
    ("informedness", "1,000 cases, 10 of them positive", [[9, 99], [1, 891]], 0.6),
    ("accuracy", "200 cases", [[90, 5], [3, 102]], 0.93),
    ("cohen_kappa", "200 cases", [[90, 12], [8, 90]], 0.75),
)
BOTH = [[[60, 8], [14, 5]], [[2, 8], [5, 40]]]  # answers of two systems to 142 items, by class


def decided(runs: int) -> Iterator[Row]:
    """Samples of the size that a gate names, from the table that was seen."""
    for place, (measure, of, counts, bar) in enumerate(TABLES):
        gate = informed.decide(Table.from_counts(counts), bar, measure=measure)
        cells = _samples(place, int(gate.enough), np.array(counts, float), runs)
        found = informed.interval(Table.from_counts(cells, rows="predicted"), measure)
        share = float(np.mean((found.low >= bar) | (found.high < bar)))
        yield {"table": of, "measure": measure, "bar": bare(bar), "would decide": int(gate.enough), "decide": share}
    for place, measure in enumerate(("informedness", "accuracy"), len(TABLES)):
        gate = informed.decide(informed.compare.paired(joint=_joint(np.array(BOTH))), measure=measure)
        joint = _joint(_samples(place, int(gate.enough), np.array(BOTH, float), runs))
        d = informed.compare.paired(joint=joint)[measure]
        share = float(np.mean((np.asarray(d.low) >= 0) | (np.asarray(d.high) < 0)))
        said = {"table": "142 items, two systems", "measure": measure, "bar": "0 (difference)"}
        yield said | {"would decide": int(gate.enough), "decide": share}


def _samples(place: int, n: int, counts: np.ndarray, runs: int) -> np.ndarray:
    return (
        np.random.default_rng([SEED, place])
        .multinomial(n, counts.ravel() / counts.sum(), runs)
        .reshape(runs, *counts.shape)
    )


def _joint(counts: np.ndarray) -> Joint:
    return Joint.from_counts(counts, labels=[0, 1], positive=1)


def rare(runs: int) -> Iterator[Row]:
    """Drawn tables of a rare class, whose p-values are those of scipy's hypergeometric distribution."""
    for n, prevalence, informedness in (
        (5_000, 0.002, 0.05),
        (5_001, 0.002, 0.05),
        (10_000, 0.001, 0.05),
        (10_000, 0.001, 0.2),
        (100_000, 0.0001, 0.1),
        (1_000_000, 0.00001, 0.05),
    ):
        even = np.array([prevalence, 1 - prevalence])
        rng = np.random.default_rng([SEED, n, round(1 / prevalence)])
        p = _pvalues(rng.multinomial(n, mixture(informedness, even, even).ravel(), runs), n)
        said: Row = {
            "cases": f"{n:,}",
            "prevalence": f"{prevalence:.5f}".rstrip("0"),
            "informedness": bare(informedness),
        }
        for alpha in (0.05, 0.001):
            planned = informed.power(n, informedness, prevalence=prevalence, guess=prevalence, level=1 - alpha).power
            said |= {
                f"power at {alpha:g}": float(planned),
                f"drawn at {alpha:g}": float((p < alpha * (1 - 1e-9)).mean()),
            }
        yield said


def _pvalues(cells: np.ndarray, n: int) -> np.ndarray:
    """Mid-P values, both tails as far from the mean."""
    hits, rows, columns = cells[:, 0], cells[:, 0] + cells[:, 1], cells[:, 0] + cells[:, 2]
    mean = rows * columns / n
    off, law = np.abs(hits - mean), stats.hypergeom(n, rows, columns)
    upper, lower = np.ceil(mean + off - 1e-9), np.floor(mean - off + 1e-9)
    whole = [np.abs(x - np.rint(x)) < 1e-9 for x in (mean + off, mean - off)]
    as_far = law.pmf(np.rint(mean + off)) * whole[0] + law.pmf(np.rint(mean - off)) * whole[1]
    return np.asarray(np.where(off < 1e-9, 1.0, law.sf(upper - 1) + law.cdf(lower) - as_far / 2))


STUDY = Study(
    "planned_decisions",
    {
        "decided": Part(
            "Cases that `--decide` names for a chance of 80 %, and the share of samples of that size that decide:",
            decided,
            "how-to/gates.md",
            runs=20_000,
            errors=((0.8, 1.0),),
        ),
        "rare": Part(
            "Power to find a system that knows something of a rare class, as planned and in drawn tables:",
            rare,
            "power.md",
            runs=20_000,
            errors=((0.4, 1.0),),
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
