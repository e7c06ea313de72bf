"""Measure how often each test rejects a true null, and write it where it is read: `make study`.

The study has parts, each with fixed parameters and a fixed seed, and a file of its own in
docs/data/sizes. A part whose file was measured with the same parameters by code that gives the same
p-values is kept, so that a study that was stopped goes on where it was, and one after a change measures
only what has changed; the p-values of a few tables of the part tell. From the parts come
src/informed/inference/sizes.json, from which a test's statement of calibration is made, and the figures
of docs/tests.md and docs/methods.md (sizes_pages.py).

`python docs/make_sizes.py two given` measures the parts whose names begin so, if need be;
`python docs/make_sizes.py pages` only writes what is made from them.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "docs"), str(ROOT / "benchmarks/studies")]
import sizes_pages  # noqa: E402
import unit_coverage  # noqa: E402
import unit_worlds  # noqa: E402

import error_rates  # noqa: E402  # found only now

RESULTS = ROOT / "docs/data/sizes"
DATA = ROOT / "src/informed/inference/sizes.json"
CASES, FEW, MANY = (20, 60, 120), 20, 1000
CLASSES = (3, 4, 6, 12)
BEYOND, BEYOND_DRAWS = 10_000, 1_000_000  # cases of two classes that are too many to enumerate, and tables drawn
DRAWS, UNIT_DRAWS, FIVE_DRAWS = 100_000, 50_000, 10_000  # tables drawn in other worlds, with units, and at 5 %
POWER = {32: [(0.3, 0.5, 0.5)], 64: [(0.3, 0.2, 0.2), (0.3, 0.5, 0.5)], 128: []}  # informedness, prevalence, guess rate
SIDES, TWO_SIDED, ONE_MORE = error_rates.SIDES, ("two-sided",), ("two-sided", "greater")
DRAWN: error_rates.SidesOf = {"permutation-midp": SIDES, "permutation-z": SIDES, "pearson": TWO_SIDED, "g": TWO_SIDED}
SHUFFLED = {method: DRAWN[method] for method in ("permutation-midp", "permutation-z")}
COUNTED = DRAWN | {"pearson-n1": TWO_SIDED, "fisher": ONE_MORE, "fisher-midp": TWO_SIDED}
Data = dict[str, Any]


@dataclass(frozen=True)
class Part:
    """One piece of the study."""

    name: str
    measure: Callable[..., Data]
    given: Data  # its parameters
    probe: Callable[[], Iterator[Any]]  # p-values of a few of its tables

    @property
    def file(self) -> Path:
        return RESULTS / f"{self.name}.json"

    @cached_property
    def version(self) -> Data:
        """What its figures follow from."""
        digits = " ".join(f"{x:.6g}" for p in self.probe() for x in np.ravel(p))
        return {"parameters": self.given, "pvalues": hashlib.sha256(digits.encode()).hexdigest()[:16]}

    def is_measured(self) -> bool:
        return self.file.exists() and json.loads(self.file.read_text("utf-8"))["version"] == self.version

    def run(self) -> None:
        version = self.version
        text = json.dumps({"version": version, "found": self.measure(**self.given)}, indent=1, sort_keys=True)
        self.file.write_text(text + "\n", "utf-8")


def parts() -> Iterator[Part]:
    """The whole study, what is quick first."""
    five: error_rates.SidesOf = dict.fromkeys(error_rates.TWO, TWO_SIDED)
    five_of_more: error_rates.SidesOf = dict.fromkeys(error_rates.SEVERAL, TWO_SIDED)
    midp: error_rates.SidesOf = {"permutation-midp": TWO_SIDED}
    for n in error_rates.TWO_CASES:
        yield Part(f"five-two-{n}", five_two, {"cases": n}, partial(probe, 2, n, five))
    for n in CASES:
        yield Part(f"two-{n}", two, {"cases": n, "methods": list(COUNTED)}, partial(probe, 2, n, COUNTED))
    for m in ("barnard", "boschloo"):
        yield Part(f"slow-{m}", slow, {"method": m, "cases": FEW}, partial(probe_slow, m, FEW))
    for i in range(len(error_rates.WEIGHTED)):
        yield Part(f"weighted-{i}", weighted, {"world": i, "draws": DRAWS, "seed": 17}, partial(probe_weighted, i))
    for i in range(len(unit_coverage.GUESSED)):
        yield Part(f"units-{i}", units, {"world": i, "draws": UNIT_DRAWS, "seed": 20}, partial(probe_units, i))
    for k in (3, 4):
        yield Part(f"given-{k}", given, {"k": k, "pairs": 4, "draws": DRAWS, "seed": 18}, partial(probe, k, 0, midp))
    for k in error_rates.FIVE_CLASSES:
        of_part = {"classes": k, "draws": FIVE_DRAWS, "seed": 1}
        yield Part(f"five-more-{k}", five_more, of_part, partial(probe, k, 0, five_of_more))
    for i in range(len(error_rates.MARGINS)):
        of_part = {"n": BEYOND, "world": i, "draws": BEYOND_DRAWS, "seed": 19}
        yield Part(f"beyond-{i}", beyond, of_part, partial(probe, 2, BEYOND, SHUFFLED, i))
    for k in CLASSES:
        yield Part(f"several-{k}", several, {"k": k, "draws": DRAWS, "seed": 16}, partial(probe, k, 0, DRAWN))
    yield Part(f"two-{MANY}", two, {"cases": MANY, "methods": list(DRAWN)}, partial(probe, 2, MANY, DRAWN))


# ------------------------------------------------------------------ whether it was measured


def probe(k: int, n: int, methods: error_rates.SidesOf, world: int | None = None) -> Iterator[Any]:
    """p-values of ten tables of each world, or of 50 of one."""
    worlds = list(error_rates.tail_worlds(k)) if k > 2 else list(error_rates.pair_worlds(n))
    for i, each in enumerate(worlds):
        if world in (None, i):
            t = error_rates.guessed(np.random.default_rng([k, n, i]), *each, 10 if world is None else 50)
            for method, sides in methods.items():
                yield from error_rates.pvalues_by_side(t, method, sides).values()


def probe_slow(method: str, n: int) -> Iterator[Any]:
    t = error_rates.guessed(np.random.default_rng(n), *list(error_rates.pair_worlds(n))[-1], 6)
    return (error_rates.pvalues(t[i], method) for i in range(6))


def probe_weighted(world: int) -> Iterator[Any]:
    t = error_rates.weighted_tables(np.random.default_rng(world), *error_rates.WEIGHTED[world], 50)
    return (error_rates.pvalues(t, method) for method in SHUFFLED)


def probe_units(world: int) -> Iterator[Any]:
    yield error_rates.pvalues(unit_tables(np.random.default_rng(world), world, 50), "permutation-units")


# ------------------------------------------------------------------ what is measured


def digits(rates: Any) -> list[float]:
    return [float(f"{x:.6g}") for x in np.asarray(rates)]


def times(rates: Any) -> list[float]:
    """Rates at each level as multiples of it, to three digits."""
    return [float(f"{x:.3g}") for x in np.asarray(rates) / error_rates.LEVELS]


def counted(tails: error_rates.Tails, p: Any) -> Data:
    worlds, given = tails.rates(p)
    return summary(worlds) | {"given": times(given.max(axis=1))}


def summary(rates: Any) -> Data:
    """Over worlds, ``(levels, worlds)``."""
    return {"most": times(rates.max(axis=1)), "mean": times(rates.mean(axis=1)), "least": times(rates.min(axis=1))}


def two(cases: int, methods: list[str]) -> Data:
    """Two classes, exactly: twelve worlds, and given the margins."""
    tails = error_rates.Tails(cases)
    found: Data = {}
    for method in methods:
        p = error_rates.pvalues_by_side(tails.tables, method, COUNTED[method])
        found[method] = {side: counted(tails, p[side]) for side in p}
    return found


def slow(method: str, cases: int) -> Data:
    """Tests that search over a rate, table by table: few cases only."""
    tails = error_rates.Tails(cases)
    p = np.array([error_rates.pvalues(tails.tables[i], method) for i in range(tails.of.size)])
    return {method: {"two-sided": counted(tails, p)}}


def several(k: int, **given: int) -> Data:
    """Eight worlds of more classes, simulated."""
    count = len(list(error_rates.tail_worlds(k)))
    worlds = [error_rates.drawn_sizes(k, i, DRAWN, **given) for i in range(count)]
    return {
        method: {side: summary(np.transpose([world[method][side] for world in worlds])) for side in sides}
        for method, sides in DRAWN.items()
    }


def beyond(**given: int) -> Data:
    """One world of two classes with more cases than can be enumerated, simulated."""
    rates = error_rates.drawn_pairs(methods=SHUFFLED, **given)
    return {method: {side: digits(of[side]) for side in of} for method, of in rates.items()}


def weighted(**given: int) -> Data:
    """One world of weighted cases, simulated."""
    rates = error_rates.weighted_sizes(**given)
    return {method: {side: digits(of[side]) for side in of} for method, of in rates.items()}


def unit_tables(rng: np.random.Generator, world: int, size: int) -> Any:
    """Guesses in documents, correlated .3 within them."""
    unit, shares, reality = list(unit_coverage.GUESSED.values())[world]
    real, said = (unit_worlds.classes(rng, size, unit, shares, rho) for rho in (reality, 0.3))
    return unit_worlds.stack_of(real, said, len(shares), unit=unit)


def units(world: int, draws: int, seed: int) -> Data:
    """One world of cases in units, simulated."""
    rng, at_once = np.random.default_rng([seed, world]), 5000
    found = {side: np.zeros(len(error_rates.LEVELS)) for side in SIDES}
    for _ in range(0, draws, at_once):
        t = unit_tables(rng, world, at_once)
        for side in SIDES:
            found[side] += error_rates.rejected(error_rates.pvalues(t, "permutation-units", side)).sum(axis=1) / draws
    return {side: digits(rates) for side, rates in found.items()}


def given(**given: int) -> Data:
    """More classes, given the margins: the worst of many pairs that are listed, and of some that are drawn."""
    return {
        how: {"pairs": len(rates), "most": times(rates.max(axis=0))}
        for how, rates in error_rates.given_margins(**given).items()
    }


def five_two(cases: int) -> Data:
    """Two classes at 5 %, the papers' methods with the others, exactly: sizes in each world, and powers."""
    sizes = error_rates.exact_sizes(error_rates.TWO, (cases,))
    powers = [error_rates.exact_power(cases, *world, error_rates.TWO) for world in POWER[cases]]
    return {m: {"sizes": digits(sizes[m]), "powers": digits([p[m] for p in powers])} for m in error_rates.TWO}


def five_more(classes: int, draws: int, seed: int) -> Data:
    """More classes at 5 %, simulated; and how often B = 0 is rejected where predictions depend on reality."""
    names = error_rates.SEVERAL
    sizes = error_rates.simulated_sizes(names, draws, seed, (classes,))
    power = error_rates.simulated_power(classes, 8 * classes, 0.2, names, draws, seed + 1)
    found: Data = {m: {"sizes": digits(sizes[m]), "powers": digits([power[m]])} for m in names}
    if classes == 5:
        odd = error_rates.at_five(error_rates.uninformed_but_dependent(5, 160, draws, seed + 2), names)
        for m in names:
            found[m]["dependent"] = digits([odd[m]])
    return found


# ------------------------------------------------------------------ what is made of it


def results() -> Data:
    """What was found, by part, with the number of tables drawn; a part that was not measured yet is an error."""
    held = {part.name: json.loads(part.file.read_text("utf-8")) for part in parts()}
    return {name: each["found"] for name, each in held.items()} | {
        "draws": {name: each["version"]["parameters"].get("draws") for name, each in held.items()}
    }


def main(asked: list[str]) -> None:
    RESULTS.mkdir(exist_ok=True)
    todo = [p for p in parts() if not asked or p.name.startswith(tuple(asked))]
    for i, part in enumerate(todo):
        if part.is_measured():
            print(f"{i + 1}/{len(todo)} {part.name}: kept")
            continue
        print(f"{i + 1}/{len(todo)} {part.name} ...", end=" ", flush=True)
        start = time.perf_counter()
        part.run()
        print(f"{time.perf_counter() - start:.0f} s", flush=True)
    missing = [p.name for p in parts() if not p.file.exists()]
    if missing:
        print(f"not measured yet: {', '.join(missing)}")
        return
    sizes_pages.write(results(), DATA)


if __name__ == "__main__":
    main(sys.argv[1:])
