"""How often the default interval of every measure covers, in one broad grid: which measures may show an interval.

A measure without slopes has resampled intervals only. None of them covers, so that such a measure is shown without
limits, and says how little they covered (`Facts.covered`, which a test compares with these rows).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from study import Part, Row, Study

from informed import Table, interval
from informed._arrays import Array
from informed.inference.interval_methods import default
from informed.inference.sample import Sample
from informed.measures import MEASURES, Measure

SEED = 83
PREVALENCES = {2: (0.8, 0.2), 3: (0.6, 0.25, 0.15), 5: (0.4, 0.25, 0.15, 0.1, 0.1)}
CASES = (16, 40)  # per class
SKILLS = (0.0, 0.4, 0.8)
DRAWS = 1000  # resamples of an interval
SLOW = {"adjusted_mutual_information"}  # measured with two classes only
MANY = 10**7  # cases of the table that stands for the population


def scenarios() -> Iterator[tuple[str, int, Array]]:
    """Name, cases and cells (predicted, real) of systems that guess, know, or know some classes better."""
    for k, each in product(PREVALENCES, CASES):
        for name, real in (("even", np.full(k, 1 / k)), ("skewed", np.array(PREVALENCES[k]))):
            for skill in SKILLS:
                for guess in ("prevalence", "even") if skill < 0.5 else ("prevalence",):
                    said = real if guess == "prevalence" else np.full(k, 1 / k)
                    p = real * (skill * np.eye(k) + (1 - skill) * said[:, None])
                    yield f"{k} {name} classes, {each * k} cases, informedness {skill:g}", each * k, p
            recalls = np.linspace(0.95, 0.4, k)
            p = real * np.where(np.eye(k, dtype=bool), recalls, (1 - recalls) / (k - 1))
            yield f"{k} {name} classes, {each * k} cases, uneven recalls", each * k, p


def table_of(cells: Any) -> Table:
    """A table, or a stack, whose classes are in order."""
    k = cells.shape[-1]
    t = Table.from_counts(cells, labels=list(range(k)), positive=0 if k == 2 else None)
    return t.with_order(list(range(k)))


@cache
def drawn(at: int, runs: int) -> tuple[str, Table, Table]:
    """The scenario's name, its tables and its population."""
    name, n, p = list(scenarios())[at]
    cells = np.random.default_rng([SEED, at]).multinomial(n, p.ravel(), runs).reshape(runs, *p.shape)
    return name, table_of(cells), table_of(np.rint(p * MANY))


def coverage(m: Measure, at: int, runs: int) -> float:
    """The share of tables with a defined estimate whose interval covers; NaN where the measure is of other tables."""
    _, tables, population = drawn(at, runs)
    if not m.reads(population):
        return float("nan")
    true = float(m(population))
    if not np.isfinite(true):
        return float("nan")
    options: dict[str, Any] = {} if m.facts.covered is None else {"method": "arc"}
    if is_resampled(m, population):
        options = {"method": "bootstrap-centred", "n_draws": DRAWS}
    found = interval(tables, m, **options)
    low, high, known = (np.asarray(x) for x in (found.low, found.high, np.isfinite(found.estimate)))
    tiny = 1e-6 * max(1.0, abs(true))
    with np.errstate(invalid="ignore"):
        covered = (low <= true + tiny) & (true - tiny <= high)
    return float(covered[known].mean()) if known.mean() > 0.5 else float("nan")


def is_resampled(m: Measure, t: Table) -> bool:
    return not m.smooth(len(t.real_labels)) and m.facts.factors is None


def measured(measures: list[Measure], runs: int) -> Iterator[Row]:
    for m in measures:
        every = [i for i, (_, _, p) in enumerate(scenarios()) if len(p) == 2 or m.name not in SLOW]
        found = {at: coverage(m, at, runs) for at in every}
        found = {at: share for at, share in found.items() if np.isfinite(share)}
        if not found:
            continue
        least = min(found, key=lambda at: found[at])
        shares = np.array(list(found.values()))
        name, tables, _ = drawn(least, runs)
        s = Sample(m, tables, 0.95)
        yield {
            "measure": f"`{m.name}`",
            "method": f"`{'bootstrap-centred' if is_resampled(m, tables) else default(s)}`",
            "scenarios": len(found),
            "mean": float(shares.mean()),
            "least": float(shares.min()),
            "in": name,
        }


def without_slopes(runs: int) -> Iterator[Row]:
    """Measures whose only intervals are resampled."""
    t = drawn(0, runs)[2]
    yield from measured([m for m in MEASURES.values() if is_resampled(m, t)], runs)


STRIDE = 2  # scenarios of the others: every second


def entropies(runs: int) -> Iterator[Row]:
    """Measures with slopes whose default interval fails: near the largest value that an entropy can have."""
    every = list(enumerate(scenarios()))[::STRIDE]
    for m in (m for m in MEASURES.values() if m.facts.covered is not None and not is_resampled(m, drawn(0, runs)[2])):
        found = {at: coverage(m, at, runs) for at, _ in every}
        least: Row = {}
        for k in PREVALENCES:
            shares = [found[at] for at, (_, _, p) in every if len(p) == k and np.isfinite(found[at])]
            least[f"least, {k} classes"] = min(shares) if shares else "–"
        known = {at: share for at, share in found.items() if np.isfinite(share)}
        worst = min(known, key=lambda at: known[at])
        yield {
            "measure": f"`{m.name}`",
            "scenarios": len(known),
            "mean": float(np.mean(list(known.values()))),
            "least": known[worst],
            "in": every[worst // STRIDE][1][0],
            **least,
        }


STUDY = Study(
    "default_coverage",
    {
        "without": Part(
            "Measures whose only intervals are resampled (`bootstrap-centred`, 1,000 resamples):",
            without_slopes,
            "intervals.md",
            runs=200,
            run="tables per scenario",
        ),
        "entropies": Part(
            "Measures of information and evenness by their default interval (`arc`). What depends on both sides covers "
            "with two classes, and with more it does not:",
            entropies,
            "intervals.md",
            runs=200,
            run="tables per scenario",
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
