"""How often intervals of differences hold them, for independent items: truths of tests/test_compare_coverage.py.

The runs of a scenario are tables a truth.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path

import numpy as np
from study import Part, Row, Study, shown

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

import test_compare_coverage as lab
from informed import Table, find
from informed._arrays import Array
from informed.evidence.joint import Joint
from informed.systems import mover, powers_rules
from informed.systems.paired_arc import PairedContrast, arc_limits
from informed.systems.paired_methods import METHODS as PAIRED
from informed.systems.tails import ComparisonOptions, quantile, two_sided
from informed.systems.unpaired import METHODS as UNPAIRED
from informed.systems.unpaired import UnpairedContrast

SEED = 7
Limits = tuple[Array, Array]
Draw = Callable[[lab.Truth, int, np.random.Generator], Joint]


def arc(s: PairedContrast, level: float = 0.95) -> Limits:
    return arc_limits(s, quantile(level), steps=lab.FAST)


def closed(s: PairedContrast) -> Limits:
    return PAIRED["smoothed-delta"].limits(s, 0.95, ComparisonOptions())


def by_mover(s: PairedContrast) -> Limits:
    return mover.paired_limits(s, np.full(s.estimate.shape, quantile(0.95)))


def summed(said: Row, held: Sequence[float], nulls: Sequence[float] = ()) -> Row:
    """Mean, least and 5th percentile over truths; the largest size of the test where there is no difference."""
    c = np.array(held)
    found: Row = {**said, "truths": len(c), "mean": float(c.mean()), "least": float(c.min())}
    found["5th percentile"] = float(np.quantile(c, 0.05))
    return {**found, "largest size": float(max(nulls))} if nulls else found


def collected(
    said: Row,
    measure: str,
    truths: Sequence[lab.Truth],
    tables: int,
    limits: Callable[[PairedContrast], Limits] = arc,
    draw: Draw = lab.drawn,
    fixed: bool = False,
) -> Row:
    """One row: a method on a family of truths."""
    rng = np.random.default_rng(SEED)
    held, nulls = [], []
    for t in truths:
        s = PairedContrast(find(measure), draw(t, tables, rng), fixed)
        low, high = limits(s)
        true = lab.true_difference(measure, t.p)
        defined = ~np.isnan(s.estimate)
        held.append(float(((low <= true + 1e-12) & (true - 1e-12 <= high))[defined].mean()))
        if abs(true) < 1e-12:
            nulls.append(1 - held[-1])
    return summed(said, held, nulls)


def core(tables: int) -> Iterator[Row]:
    several = lab.truths(5)
    for measure in (*lab.MEASURES, "recall", "inverse_recall", "precision", "f1", "balanced_accuracy"):
        yield collected({"measure": measure}, measure, several, tables)


def levels(tables: int) -> Iterator[Row]:
    for level in (0.9, 0.95, 0.99):
        said = {"level": f"{level:g}", "truths of": "all kinds"}
        yield collected(said, "informedness", lab.truths(3), tables, lambda s, level=level: arc(s, level))  # type: ignore[misc]
    said = {"level": "0.95", "truths of": "near-perfect against perverse, guessing or constant"}
    yield collected(said, "informedness", lab.extremes(3), tables)


def small(tables: int) -> Iterator[Row]:
    for n, measure in product((10, 16, 24), ("informedness", "matthews", "accuracy")):
        rng = np.random.default_rng(SEED)
        several = [lab.truth(f, n, rng) for f in lab.FAMILIES for _ in range(6)]
        several = [t for t in several if n * min(t.p.sum(axis=(1, 2))) >= 3]
        yield collected({"items": n, "measure": measure}, measure, several, tables)


def draw_fixed(t: lab.Truth, size: int, rng: np.random.Generator) -> Joint:
    """Class sizes are whole numbers that were chosen."""
    n = np.round(t.p.sum(axis=(1, 2)) * t.n).astype(int)
    cells = [
        rng.multinomial(m, p.ravel() / p.sum(), size=size).reshape(size, *p.shape) for m, p in zip(n, t.p, strict=True)
    ]
    return Joint.from_counts(np.stack(cells, axis=1), labels=range(len(n)))


def fixed(tables: int) -> Iterator[Row]:
    several = []
    for t in lab.truths(3):
        share = t.p.sum(axis=(1, 2))
        n = np.round(share * t.n)
        several.append(lab.Truth(t.family, t.p * (n / n.sum() / share)[:, None, None], int(n.sum())))
    for measure in lab.MEASURES:
        yield collected({"measure": measure}, measure, several, tables, draw=draw_fixed, fixed=True)


def classes(tables: int) -> Iterator[Row]:
    for k, each in ((3, 16), (4, 12), (5, 12), (10, 6)):
        several = lab.class_truths(k, (20 * k, 40 * k), each)
        for measure, (name, how) in product(("informedness", "matthews"), {"arc": arc, "closed form": closed}.items()):
            yield collected({"classes": k, "measure": measure, "method": name}, measure, several, tables, how)
    for k, (name, how) in product((3, 5), {"`mover`": by_mover, "arc": arc}.items()):
        if (k, name) != (5, "arc"):  # slopes by differences are slow for more
            several = lab.class_truths(k, (20 * k, 40 * k), 8)
            yield collected({"classes": k, "measure": "√(BM)", "method": name}, "correlation", several, tables, how)


def unpaired(tables: int) -> Iterator[Row]:
    for measure, name in product((*lab.MEASURES, "f1"), ("circle", "mover", "plus-four", "delta")):
        rng = np.random.default_rng(SEED)
        found = []
        for family, n, _ in product(lab.FAMILIES, (40, 120), range(3)):
            one, other = (lab.truth(family, n, rng) for _ in range(2))
            found.append(_apart(measure, name, one, one if family == "same law" else other, tables, rng))
        nulls = [1 - cover for cover, true in found if abs(true) < 1e-12]
        yield summed({"measure": measure, "method": f"`{name}`"}, [cover for cover, _ in found], nulls)


def _apart(
    measure: str, name: str, one: lab.Truth, other: lab.Truth, tables: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Coverage of a difference between different items, and the difference."""
    drawn, values = [], []
    for t, which in ((one, "a"), (other, "a" if one is other else "b")):
        p = getattr(Joint.from_counts(t.p, labels=[0, 1]), which)
        values.append(float(find(measure)(p)))
        cells = rng.multinomial(t.n, p.counts.ravel(), size=tables).reshape(-1, 2, 2)
        drawn.append(Table.from_counts(cells, labels=[0, 1]))
    s = UnpairedContrast(find(measure), drawn[0], drawn[1])
    low, high = UNPAIRED[name].limits(s, 0.95, ComparisonOptions())
    true = values[0] - values[1]
    held = (low <= true + 1e-12) & (true - 1e-12 <= high)
    return float(held[~np.isnan(s.estimate)].mean()), true


CLAIMS = ("significant", "mutual", "directed")


def powers(tables: int) -> Iterator[Row]:
    """How often the papers' rules claim a difference where there is none: mean (largest) over 40 truths."""
    for kind, items in product(("powers-0", "powers-1", "powers-2"), ("same", "different")):
        rng = np.random.default_rng(SEED)
        found = []
        for family, n, _ in product(lab.NULLS, (40, 120), range(10)):
            t = lab.truth(family, n, rng)
            joint = lab.drawn(t, tables, rng)
            informedness = find("informedness")
            same = PairedContrast(informedness, joint)
            s = same if items == "same" else UnpairedContrast(informedness, joint.a, lab.drawn(t, tables, rng).b)
            known = ~np.isnan(s.estimate)
            said = powers_rules.claims(s, kind, 0.95)
            p = two_sided(powers_rules.METHODS[kind].tails(s, 0.0, ComparisonOptions()))
            found.append([*(np.mean(said[x][known]) for x in CLAIMS), np.mean(p[known] < 0.05)])
        each = np.array(found)
        shares = [f"{shown(float(a))} ({shown(float(b))})" for a, b in zip(each.mean(0), each.max(0), strict=True)]
        names = (*CLAIMS, "p < .05 of (a − b)/√(SE² + SE²)")
        yield {"interval": f"`{kind}`", "items": items, **dict(zip(names, shares, strict=True))}


PAGE, EACH = "comparing.md", "tables a truth"
OVER = "mean, least and 5th percentile over truths, and the largest size of the test where there is no difference"
STUDY = Study(
    "compare_coverage",
    {
        "core": Part(f"Two classes, 40 and 120 items; {OVER}:", core, PAGE, runs=2000, run=EACH),
        "levels": Part(
            "Informedness at other levels, and where one system is nearly perfect:", levels, PAGE, runs=1000, run=EACH
        ),
        "small": Part("Few items:", small, PAGE, runs=1000, run=EACH),
        "fixed": Part('Class sizes fixed beforehand (`sampling="fixed-reals"`):', fixed, PAGE, runs=1000, run=EACH),
        "classes": Part("More classes, 20 and 40 items for each:", classes, PAGE, runs=400, run=EACH),
        "unpaired": Part("Different items, 40 and 120 of each system:", unpaired, PAGE, runs=800, run=EACH),
        "powers": Part(
            "How often the papers' rules claim a difference of informedness where there is none (nominal .05), mean "
            "(largest) over 40 truths:",
            powers,
            PAGE,
            runs=500,
            run=EACH,
            errors=((0.05, 1.0),),
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
