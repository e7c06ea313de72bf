"""Experiments behind docs/comparing.md: what intervals.md had left open, and error rates.

    python benchmarks/compare_coverage.py [part …] [--tables 1000]

Parts: bar, small, fixed, classes, correlation, clusters, shares, unpaired, powers. Every part is
seeded and prints a Markdown table: mean, least and 5th percentile of the coverage over truths, and
the largest size of the test where there is no difference.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import test_compare_coverage as lab
from informed import Table, compare, find
from informed._arrays import Array
from informed.evidence.joint import Joint
from informed.systems import mover as _mover
from informed.systems.paired_arc import PairedContrast, arc_limits
from informed.systems.paired_methods import METHODS as PAIRED
from informed.systems.tails import ComparisonOptions, quantile
from informed.systems.unpaired import METHODS as UNPAIRED
from informed.systems.unpaired import UnpairedContrast

SEED = 7
Limits = tuple[Array, Array]
Z = quantile(0.95)


def arc(s: PairedContrast) -> Limits:
    return arc_limits(s, Z, steps=lab.FAST)


def closed(s: PairedContrast) -> Limits:
    return PAIRED["smoothed-delta"].limits(s, 0.95, ComparisonOptions())


def mover(s: PairedContrast) -> Limits:
    return _mover.paired_limits(s, np.full(s.estimate.shape, Z))


def collect(
    name: str,
    measure: str,
    truths: Sequence[lab.Truth],
    tables: int,
    limits: Callable[[PairedContrast], Limits],
    draw: Callable[[lab.Truth, int, np.random.Generator], Joint] = lab.drawn,
    fixed: bool = False,
) -> None:
    """One line: a method on a family of truths."""
    rng = np.random.default_rng(SEED)
    coverages, sizes, widths, gone = [], [], [], 0
    for t in truths:
        s = PairedContrast(find(measure), draw(t, tables, rng), fixed)
        low, high = limits(s)
        true = lab.true_difference(measure, t.p)
        defined = ~np.isnan(s.estimate)
        held = ((low <= true + 1e-12) & (true - 1e-12 <= high))[defined]
        gone += int(np.isnan(low + high)[defined].sum())
        coverages.append(held.mean())
        widths.append(np.nanmean(high - low))
        if abs(true) < 1e-12:
            sizes.append(1 - held.mean())
    c = np.array(coverages)
    size = f"{np.mean(sizes):.3f}, {np.max(sizes):.3f}" if sizes else "–"
    print(
        f"| {name} | {measure} | {len(c)} | {c.mean():.3f} / {c.min():.3f} / "
        f"{np.quantile(c, 0.05):.3f} | {size} | {np.mean(widths):.3f} | {gone} |",
        flush=True,
    )


def head(title: str) -> None:
    print(
        f"\n{title}\n\n| what | measure | truths | mean / least / 5th pct | size: mean, largest |"
        " width | NaN |\n|---|---|---|---|---|---|---|",
        flush=True,
    )


def bar(tables: int) -> None:
    head("Acceptance bar")
    for measure in lab.MEASURES:
        print(lab.study(measure, lab.truths(10), tables).line(), flush=True)


def small(tables: int) -> None:
    head("Few items")
    for n in (10, 16, 24):
        rng = np.random.default_rng(SEED)
        chosen = [
            t
            for t in (lab.truth(f, n, rng) for f in lab.FAMILIES for _ in range(10))
            if n * min(t.p.sum(axis=(1, 2))) >= 3
        ]
        for measure in ("informedness", "matthews", "accuracy"):
            for name, how in (("arc", arc), ("smoothed-delta", closed)):
                collect(f"{name}, N = {n}", measure, chosen, tables, how)


def draw_fixed(t: lab.Truth, size: int, rng: np.random.Generator) -> Joint:
    """Class sizes as near to the prevalence as whole numbers come."""
    share = t.p.sum(axis=(1, 2))
    n = np.round(share * t.n).astype(int)
    cells = np.stack(
        [
            rng.multinomial(m, p.ravel() / p.sum(), size=size).reshape(size, *p.shape)
            for m, p in zip(n, t.p, strict=True)
        ],
        axis=1,
    )
    return Joint.from_counts(cells, labels=range(len(share)))


def even_sizes(truths: Sequence[lab.Truth]) -> list[lab.Truth]:
    """The same systems, at the prevalence that whole class sizes have."""
    found = []
    for t in truths:
        share = t.p.sum(axis=(1, 2))
        n = np.round(share * t.n)
        p = t.p * (n / n.sum() / share)[:, None, None]
        found.append(lab.Truth(t.family, p, int(n.sum())))
    return found


def fixed(tables: int) -> None:
    head("Class sizes fixed beforehand")
    chosen = even_sizes(lab.truths(6))
    for measure in ("informedness", "markedness", "matthews", "cohen_kappa", "accuracy"):
        collect("centred within classes", measure, chosen, tables, arc, draw_fixed, fixed=True)
        collect("as if found", measure, chosen, tables, arc, draw_fixed)


def classes(tables: int) -> None:
    head("More classes")
    for k, each in ((3, 32), (4, 24), (5, 24), (10, 12)):
        for measure in ("informedness", "matthews"):
            chosen = lab.class_truths(k, (20 * k, 40 * k), each)
            collect(f"arc, K = {k}", measure, chosen, tables, arc)
            collect(f"smoothed-delta, K = {k}", measure, chosen, tables, closed)
    for k in (4, 10):
        collect(f"arc, K = {k}, N/K = 8", "informedness", lab.class_truths(k, (8 * k,), 16), tables, arc)


def correlation(tables: int) -> None:
    head("√(BM) of more than two classes")
    for k in (3, 5):
        chosen = lab.class_truths(k, (20 * k, 40 * k), 24)
        collect(f"mover, K = {k}", "correlation", chosen, tables, mover)
        if k == 3:  # slopes by differences are slow for more
            collect(f"arc on √(BM) itself, K = {k}", "correlation", chosen, tables, arc)


def clusters(tables: int) -> None:
    """Clusters of items that are answered alike; one comparison at a time."""
    print(
        "\nClustered items (informedness)\n\n| clusters × items | alike | ignored | sandwich, t |"
        " delta, sandwich, t | width ratio |\n|---|---|---|---|---|---|",
        flush=True,
    )
    for count, items in ((10, 10), (20, 5), (40, 5), (80, 5)):
        for alike in (0.0, 0.3, 0.7):
            rng = np.random.default_rng(SEED)
            chosen = [
                lab.truth(f, count * items, rng)
                for f in ("mixtures", "same law", "difficulty", "opposite biases")
                for _ in range(2)
            ]
            held, wide, done = np.zeros(3), np.zeros(2), 0
            runs = max(20, tables // 10)
            for t in chosen:
                true = lab.true_difference("informedness", t.p)
                for _ in range(runs):
                    first = rng.choice(8, size=(count, 1), p=t.p.ravel())
                    own = rng.choice(8, size=(count, items), p=t.p.ravel())
                    cell = np.where(rng.random((count, items)) < np.sqrt(alike), first, own)
                    real, a, b = np.unravel_index(cell, (2, 2, 2))
                    if len(np.unique(real)) < 2:
                        continue
                    given: dict[str, Any] = {"real": real.ravel(), "a": a.ravel(), "b": b.ravel(), "labels": [0, 1]}
                    c = compare.paired(**given, unit=np.repeat(np.arange(count), items))
                    s = c._contrast(find("informedness"))
                    found = [
                        arc(PairedContrast(find("informedness"), Joint.from_labels(**given))),
                        c._methods["arc"].limits(s, 0.95, ComparisonOptions()),
                        c._methods["delta"].limits(s, 0.95, ComparisonOptions()),
                    ]
                    held += [low <= true <= high for low, high in found]
                    done += 1
                    wide += [high - low for low, high in found[:2]]
            shown = " | ".join(f"{x / done:.3f}" for x in held)
            print(f"| {count} × {items} | {alike} | {shown} | {wide[1] / wide[0]:.2f} |", flush=True)


def shares(tables: int) -> None:
    head("Measures of one class, and others by differences")
    chosen = lab.truths(4)
    for measure in ("recall", "inverse_recall", "precision", "f1", "balanced_accuracy"):
        collect("arc", measure, chosen, tables, arc)
        collect("smoothed-delta", measure, chosen, tables, closed)


def unpaired(tables: int) -> None:
    print(
        "\nDifferent items\n\n| method | measure | truths | mean / least / 5th pct |"
        " size: mean, largest | width |\n|---|---|---|---|---|---|",
        flush=True,
    )
    for measure in ("informedness", "markedness", "matthews", "cohen_kappa", "accuracy", "f1"):
        for name in ("mover", "plus-four", "delta"):
            rng = np.random.default_rng(SEED)
            coverages, sizes, widths = [], [], []
            for family in lab.FAMILIES:
                for n in (40, 120):
                    for _ in range(4):
                        one, other = (lab.truth(family, n, rng) for _ in range(2))
                        if family == "same law":
                            other = one
                        cover, width, true = apart(measure, name, one, other, tables, rng)
                        coverages.append(cover)
                        widths.append(width)
                        if abs(true) < 1e-12:
                            sizes.append(1 - cover)
            c = np.array(coverages)
            size = f"{np.mean(sizes):.3f}, {np.max(sizes):.3f}" if sizes else "–"
            print(
                f"| {name} | {measure} | {len(c)} | {c.mean():.3f} / {c.min():.3f} / "
                f"{np.quantile(c, 0.05):.3f} | {size} | {np.mean(widths):.3f} |",
                flush=True,
            )


def apart(
    measure: str, name: str, one: lab.Truth, other: lab.Truth, tables: int, rng: np.random.Generator
) -> tuple[float, float, float]:
    def table(t: lab.Truth, which: str) -> tuple[Table, float]:
        joint = Joint.from_counts(t.p, labels=[0, 1])
        p = getattr(joint, which)
        true = float(find(measure)(p))
        cells = rng.multinomial(t.n, p.counts.ravel(), size=tables).reshape(-1, 2, 2)
        return Table.from_counts(cells, labels=[0, 1]), true

    (a, value_a), (b, value_b) = table(one, "a"), table(other, "a" if one is other else "b")
    s = UnpairedContrast(find(measure), a, b)
    low, high = UNPAIRED[name].limits(s, 0.95, ComparisonOptions())
    true = value_a - value_b
    defined = ~np.isnan(s.estimate)
    held = ((low <= true + 1e-12) & (true - 1e-12 <= high))[defined]
    return float(held.mean()), float(np.nanmean(high - low)), true


def powers(tables: int) -> None:
    """How often the papers' rules claim a difference where there is none."""
    print(
        "\nThe papers' rules where there is no difference of informedness (nominal .05)\n\n"
        "| interval | items | significant | mutual | directed | p < .05 |\n"
        "|---|---|---|---|---|---|",
        flush=True,
    )
    from informed.systems import powers_rules as _powers_rules
    from informed.systems.tails import two_sided

    for kind in ("powers-0", "powers-1", "powers-2"):
        for same in (True, False):
            rng = np.random.default_rng(SEED)
            found = []
            for family in lab.NULLS:
                for n in (40, 120):
                    for _ in range(10):
                        t = lab.truth(family, n, rng)
                        joint = lab.drawn(t, tables, rng)
                        again = joint if same else lab.drawn(t, tables, rng)
                        s = (
                            PairedContrast(find("informedness"), joint)
                            if same
                            else UnpairedContrast(find("informedness"), joint.a, again.b)
                        )
                        ok = ~np.isnan(s.estimate)
                        said = _powers_rules.claims(s, kind, 0.95)
                        p = two_sided(_powers_rules.METHODS[kind].tails(s, 0.0, ComparisonOptions()))
                        found.append(
                            [np.mean(said[x][ok]) for x in ("significant", "mutual", "directed")]
                            + [np.mean(p[ok] < 0.05)]
                        )
            each: Array = np.array(found)
            shown = " | ".join(
                f"{m:.3f} ({low:.3f}–{high:.3f})"
                for m, low, high in zip(each.mean(0), each.min(0), each.max(0), strict=True)
            )
            print(f"| {kind} | {'same' if same else 'different'} | {shown} |", flush=True)


PARTS = {f.__name__: f for f in (bar, small, fixed, classes, correlation, clusters, shares, unpaired, powers)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=list(PARTS))
    parser.add_argument("--tables", type=int, default=1000)
    given = parser.parse_args()
    for part in given.parts:
        PARTS[part](given.tables)


if __name__ == "__main__":
    main()
