"""How often intervals of tags hold the truth: averages, measures, clusters of items, weights, differences.

Each label is known with a chance of its own and guessed otherwise; who knows one label of an item may know the others
(errors of an item correlated by .5), or not. The truth of each number is that of endless items.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from scipy.special import ndtri
from study import Part, Row, Study

from informed import Tags, interval, test
from informed.measures.tag_scores import LabelCounts
from informed.systems.tags_comparison import compare_tags

SEED = 22
LABELS, SIZES = (2, 5, 20, 200), (50, 300, 1000)
KNOWN = (0.0, 0.3, 0.6, 0.9, 0.98)
ASKED = (
    ("informedness", "prevalence"),
    ("informedness", "within"),
    ("informedness", "occurring"),
    ("informedness", "micro"),
    ("markedness", "prevalence"),
    ("markedness", "within"),
    ("correlation", "prevalence"),
    ("correlation", "within"),
    ("correlation", "occurring"),
    ("hamming_loss", "prevalence"),
    ("f1_micro", "prevalence"),
)


IN_UNITS = (
    ("informedness", "prevalence"),
    ("informedness", "within"),
    ("informedness", "micro"),
    ("markedness", "prevalence"),
    ("correlation", "prevalence"),
)


@dataclass(frozen=True)
class World:
    """Labels with their prevalence, how well each is known, and how often it is guessed."""

    prevalence: Any
    known: Any
    guess: Any
    alike: float  # correlation of knowing two labels of an item

    @classmethod
    def of(cls, labels: int, known: float, rare: bool, alike: float) -> World:
        rank = np.arange(1, labels + 1)
        prevalence = np.maximum(0.5 / rank, 0.01) if rare else np.linspace(0.1, 0.5, labels)
        spread = 1 + 0.4 * np.cos(rank) * min(1, 2 * (1 - known))
        return cls(prevalence, np.clip(known * spread, 0, 1), np.roll(prevalence, 1), alike)

    def counts(self) -> LabelCounts:
        """The truth, as the counts of endless items."""
        real = self.prevalence
        given = self.known * real + (1 - self.known) * self.guess
        return LabelCounts(self.known * real + (1 - self.known) * self.guess * real, real, given, 1.0)

    def draw(self, rng: np.random.Generator, n: int, unit: Any = None, alike: float = 0.0, known: Any = None) -> Any:
        """Real tags and answers; items of a unit are alike in both by so much."""

        def latent(rho: float, shared: bool) -> Any:
            own = rng.standard_normal((n, len(self.prevalence)))
            if shared:
                own = np.sqrt(self.alike) * rng.standard_normal((n, 1)) + np.sqrt(1 - self.alike) * own
            if unit is None:
                return own
            return np.sqrt(rho) * rng.standard_normal((unit.max() + 1, own.shape[1]))[unit] + np.sqrt(1 - rho) * own

        y = latent(alike, False) < ndtri(self.prevalence)
        knows = latent(alike, True) < ndtri(self.known if known is None else known)
        return y, np.where(knows, y, rng.random(y.shape) < self.guess)


def truth(c: LabelCounts, measure: str, average: str, t: Tags) -> float:
    """The value for endless items; of "occurring", that of the labels that did occur."""
    if measure == "hamming_loss":
        return float((c.real + c.given - 2 * c.both).mean())
    if measure == "f1_micro":
        return c.f1()
    if average != "occurring":
        return c.value(measure, average)
    _, real, given = t.counts()
    there = {"informedness": (real,), "markedness": (given,), "correlation": (real, given)}[measure]
    found = []
    for side, own in zip(there, (c, c.swapped) if measure != "markedness" else (c.swapped,), strict=False):
        kept = (side > 0) & (side < t.total)
        found.append(LabelCounts(own.both[kept], own.real[kept], own.given[kept], 1.0).mean(average))
    return found[0] if len(found) == 1 else float(np.sqrt(max(found[0] * found[1], 0.0)))


def worlds(labels: tuple[int, ...] = LABELS, known: tuple[float, ...] = KNOWN) -> Iterator[tuple[str, World]]:
    for size, knows, rare, alike in product(labels, known, (False, True), (0.0, 0.5)):
        yield f"{size} labels", World.of(size, knows, rare, alike)


def averages(runs: int) -> Iterator[Row]:
    """Mean and least over all worlds and sizes."""
    found: dict[tuple[str, str], list[tuple[float, float, str]]] = defaultdict(list)
    for i, ((labels, world), n) in enumerate(product(list(worlds()), SIZES)):
        if len(world.prevalence) * n > 60_000 and i % 2:
            continue  # the largest are many alike
        rng, c = np.random.default_rng([SEED, i]), world.counts()
        held: dict[tuple[str, str], list[tuple[bool, float]]] = defaultdict(list)
        for _ in range(runs):
            y, z = world.draw(rng, n)
            t = Tags.from_labels(real=y, predicted=z)
            for asked in ASKED:
                x = interval(t, asked[0], average=asked[1])
                if x.low == x.low:
                    held[asked].append((x.low - 1e-9 <= truth(c, *asked, t) <= x.high + 1e-9, x.high - x.low))
        for asked, each in held.items():
            share, width = np.mean(each, axis=0)
            found[asked].append((float(share), float(width), f"{labels}, {n} items"))
    for (measure, average), every in found.items():
        least = min(every)
        mean, width = (float(np.mean([x[k] for x in every])) for k in (0, 1))
        row = {"measure": measure, "average": average, "mean": mean, "least": least[0], "where": least[2]}
        yield {**row, "width": width, "settings": len(every)}


KINDS = (("40 units of 5", 0.0), ("40 units of 5", 0.4), ("25 units of 1 to 19", 0.4), ("weights", 0.0))


def units(runs: int) -> Iterator[Row]:
    """Items in clusters, alike or not; and items with weights."""
    for kind, alike in KINDS:
        found: dict[tuple[str, str], list[Any]] = defaultdict(list)
        for i, (_, world) in enumerate(worlds((5, 20), (0.0, 0.6, 0.9))):
            rng, c = np.random.default_rng([SEED, 1, i, len(kind)]), world.counts()
            held: dict[tuple[str, str], list[Any]] = defaultdict(list)
            for _ in range(runs):
                sizes = rng.integers(1, 20, 25) if "19" in kind else np.full(40, 5)
                unit = None if kind == "weights" else np.repeat(np.arange(len(sizes)), sizes)
                n = 200 if unit is None else len(unit)
                w = rng.exponential(1, n) if unit is None else None
                y, z = world.draw(rng, n, unit, alike)
                t = Tags.from_labels(real=y, predicted=z, unit=unit, weights=w)
                bare = Tags.from_labels(real=y, predicted=z)
                for asked in IN_UNITS:
                    ends = (interval(x, asked[0], average=asked[1]) for x in (t, bare))
                    held[asked].append([x.low <= c.value(*asked) <= x.high for x in ends])
            for asked, each in held.items():
                found[asked].append(np.mean(each, axis=0))
        for (measure, average), each in found.items():
            share = np.array(each)
            row = {"items": kind, "alike": alike, "measure": measure, "average": average}
            row |= {"mean": float(share[:, 0].mean()), "least": float(share[:, 0].min())}
            yield {**row, "without them": float(share[:, 1].mean()), "settings": len(share)}


def pairs(runs: int) -> Iterator[Row]:
    """Two systems on the same items, and a system that guesses, tested."""
    for average in ("prevalence", "within", "occurring"):
        found, size = [], []
        for i, (_, world) in enumerate(worlds((5, 20), (0.0, 0.3, 0.6, 0.9))):
            rng, c = np.random.default_rng([SEED, 2, i]), world.counts()
            held, rejected = [], []
            for _ in range(runs):
                y, z = world.draw(rng, 100)
                knows = rng.random(y.shape) < 0.8
                other = np.where(knows, z, rng.random(y.shape) < world.guess)
                t = Tags.from_labels(real=y, predicted={"a": z, "b": other})
                x = compare_tags(t, average=average, further=False)
                true = 0.2 * truth(c, "informedness", average, t.among(["a"]))
                held.append(x.low <= true <= x.high)
                guessed = Tags.from_labels(real=y, predicted=z[rng.permutation(len(z))])
                rejected.append(test(guessed, average=average).pvalue < 0.05)
            found.append(float(np.mean(held)))
            size.append(float(np.mean(rejected)))
        row = {"average": average, "difference, mean": float(np.mean(found)), "least": min(found)}
        yield {**row, "test, mean size": float(np.mean(size)), "most": max(size), "settings": len(found)}


def together(runs: int) -> Iterator[Row]:
    """All labels at once."""
    for labels, n in product((5, 20), (100, 300)):
        for alike in (0.0, 0.5):
            world = World.of(labels, 0.6, False, alike)
            rng, held = np.random.default_rng([SEED, 3, labels, n]), []
            for _ in range(runs):
                y, z = world.draw(rng, n)
                x = interval(Tags.from_labels(real=y, predicted=z), average=None, simultaneous=True)
                known = np.isfinite(x.low)
                held.append(bool(((x.low <= world.known) & (world.known <= x.high))[known].all()))
            yield {"labels": labels, "items": n, "alike": alike, "holds": float(np.mean(held))}


PAGE = "tags.md"
STUDY = Study(
    "tags_coverage",
    {
        "averages": Part(
            "How often 95 % intervals hold the value of endless items: 2, 5, 20 and 200 labels of 50, 300 and 1000 "
            "items, prevalences of .1 to .5 or falling to .01, informedness 0 to .98, errors of an item alone or "
            "together; the least of these settings, and where it is:",
            averages,
            PAGE,
            runs=150,
            run="runs a setting",
        ),
        "units": Part(
            "The same of items that come in units or have weights, by their intervals, and by "
            "those that would take the items as they are:",
            units,
            PAGE,
            runs=300,
            run="runs a setting",
        ),
        "pairs": Part(
            "How often 95 % intervals hold the difference of two systems on the same 100 items, and how often "
            "shuffled predictions are called better than guessing at .05:",
            pairs,
            PAGE,
            runs=400,
            errors=((0.95, 1.0), (0.05, 1.0)),
            run="runs a setting",
        ),
        "together": Part("How often the intervals of all labels hold together, at 95 %:", together, PAGE, runs=200),
    },
)

if __name__ == "__main__":
    STUDY.main()
