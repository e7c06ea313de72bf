"""Measure how often each test rejects a true null, and write it where it is read: `make study`.

The figures go to src/informed/inference/sizes.json, from which a test's statement of calibration is
made, and into docs/tests.md between two marks. Two classes are exact, more are simulated. Parts can
be measured alone: `python docs/make_sizes.py two several slow weighted given worlds`; `page` only writes
the page again.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
import error_rates  # noqa: E402  # found only now

DATA = ROOT / "src/informed/inference/sizes.json"
PAGE = ROOT / "docs/tests.md"
BEGIN, END = "<!-- measured by make study: begin -->", "<!-- measured by make study: end -->"
SIDES = ("two-sided", "greater", "less")
FAST = {
    "two-sided": ["permutation-midp", "permutation-z", "pearson", "pearson-n1", "g", "fisher", "fisher-midp"],
    "greater": ["permutation-midp", "permutation-z", "fisher"],
    "less": ["permutation-midp", "permutation-z"],  # 1 − greater
}
SEVERAL = {
    "two-sided": ["permutation-midp", "permutation-z", "pearson", "g"],
    "greater": ["permutation-midp", "permutation-z"],
    "less": ["permutation-midp", "permutation-z"],  # 1 − greater
}
SLOW = ["barnard", "boschloo"]
CASES, FEW = (20, 60, 120, 1000), 20
MANY, OF_MANY = 1000, ("permutation-midp", "permutation-z", "pearson", "g")  # the others take too long
CLASSES = (3, 4, 6, 12)
DRAWS = 20_000
LEVELS = np.array(error_rates.LEVELS)
Data = dict[str, Any]


def times(rates: Any) -> list[float]:
    """Rates at each level as multiples of it, to three digits."""
    return [float(f"{x:.3g}") for x in np.asarray(rates) / LEVELS]


def summary(rates: Any) -> Data:
    """Over worlds, ``(levels, worlds)``."""
    return {"most": times(rates.max(axis=1)), "mean": times(rates.mean(axis=1)), "least": times(rates.min(axis=1))}


# ------------------------------------------------------------------ what is measured


def two(found: Data) -> None:
    """Two classes, exactly: twelve worlds at each number of cases, and given the margins."""
    for n in CASES:
        tails = error_rates.Tails(n)
        for side in ("two-sided", "greater"):
            for method in FAST[side]:
                if n >= MANY and method not in OF_MANY:
                    continue
                p = error_rates.pvalues(tails.tables, method, side)
                store(found, method, side, n, tails.rates(p))
                if side == "greater" and method in OF_MANY:
                    store(found, method, "less", n, tails.rates(np.where(p == 1, 1, 1 - p)))


def store(found: Data, method: str, side: str, n: int, rates: Any) -> None:
    worlds, given = rates
    at = found.setdefault(method, {}).setdefault(side, {})
    at[str(n)] = summary(worlds) | {"given": times(given.max(axis=1))}


def slow(found: Data) -> None:
    """Tests that search over a rate, table by table: few cases only."""
    tails = error_rates.Tails(FEW)
    for method in SLOW:
        p = np.array([error_rates.pvalues(tails.tables[i], method) for i in range(tails.of.size)])
        store(found, method, "two-sided", FEW, tails.rates(p))


def several(found: Data) -> None:
    """More classes: eight worlds each, simulated."""
    for k in CLASSES:
        for (method, side), rates in error_rates.drawn_sizes(k, SEVERAL, DRAWS, seed=16).items():
            found.setdefault(method, {}).setdefault(side, {})[str(k)] = summary(rates)


def worlds(found: Data) -> None:
    """At 5 %, the papers' methods with the others: percent, in worlds where each margin expects 5 cases."""
    exact = error_rates.exact_sizes(error_rates.TWO)
    drawn = error_rates.simulated_sizes(error_rates.SEVERAL, 4000, seed=1)
    for method, rates in exact.items():
        both = [rates, *([drawn[method]] if method in drawn else [])]
        found[method] = [[round(100 * float(x), 2) for x in (r.mean(), r.min(), r.max())] for r in both]


def weighted(found: Data) -> None:
    """Two classes of weighted cases: one row a world, simulated."""
    for name, row in error_rates.weighted_sizes(20_000, seed=17).items():
        found[name] = {method: times(rates) for method, rates in row.items()}


def given(found: Data) -> None:
    """More classes, given the margins: the worst of many pairs that are listed, and of some that are drawn."""
    found |= {name: times(rates) for name, rates in error_rates.given_margins(5000, seed=18).items()}


PARTS: dict[str, Callable[[Data], None]] = {f.__name__: f for f in (two, slow, several, weighted, given, worlds)}


# ------------------------------------------------------------------ the page


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def shown(values: list[float]) -> list[str]:
    return [f"{x:.2f}" if x < 10 else f"{x:.0f}" for x in values]


def of_two(data: Data) -> Iterator[str]:
    yield row("cases", "side", "method", "5 %", "1 %", ".1 %", ".01 %", "given the margins")
    yield row(*["---"] * 8)
    for n in map(str, CASES):
        for side in SIDES:
            for method in (*FAST[side], *SLOW):
                at = data["slow" if method in SLOW else "two"][method].get(side, {}).get(n)
                if at:
                    both = zip(shown(at["most"]), shown(at["mean"]), strict=True)
                    yield row(n, side, f"`{method}`", *(f"{a} ({b})" for a, b in both), " ".join(shown(at["given"])))


def of_more(data: Data) -> Iterator[str]:
    yield row("classes", "side", "method", "5 %", "1 %", ".1 %", ".01 %")
    yield row(*["---"] * 7)
    for k in map(str, CLASSES):
        for side in SIDES:
            for method in SEVERAL[side]:
                yield row(k, side, f"`{method}`", *shown(data["several"][method][side][k]["most"]))


def of_weights(data: Data) -> Iterator[str]:
    yield row("weights, cases, prevalence and guess rate", "method", "5 %", "1 %", ".1 %")
    yield row(*["---"] * 5)
    for name, methods in data["weighted"].items():
        for method, values in methods.items():
            yield row(name, f"`{method}`", *shown(values[:3]))


def page(data: Data) -> str:
    """What stands in docs/tests.md between the marks."""
    parts = [
        "How often a true null is rejected, as a multiple of the nominal level: 1 is right, more is too often. Two "
        f"classes, exact over all tables: the worst (and the mean) of {len(error_rates.MARGINS)} worlds of guessing, "
        "with prevalence and guess rate from .01 to .5. The last column is the worst given the margins, at the four "
        "levels: a mid-P can reach 2 there, because a single table can be half rejected. "
        f"{' and '.join(f'`{m}`' for m in SLOW)} search over a rate, table by table, and are measured with "
        f"{FEW} cases only; methods that list all tables not with {MANY}.",
        "\n".join(of_two(data)),
        f"More classes, informedness: the worst of eight worlds of guessing, {DRAWS:,} tables drawn in each (even "
        "margins with 4 and 16 cases a class; a class of .9 on both sides with 120 and 1000 cases, or of .98; a real "
        "class of .9 guessed evenly; classes of .8 that are not the same; one class of .02). Standard errors of one "
        f"world are {', '.join(f'{x:.2g}' for x in np.sqrt((1 - LEVELS) / LEVELS / DRAWS))}, so that the worst of "
        "eight lies above the truth. Fisher's test of more classes takes too long for so many tables.",
        "\n".join(of_more(data)),
        "Given the margins, more classes: at most "
        f"{', '.join(shown(data['given']['listed']))} times the four levels where all tables were listed, and "
        f"{', '.join(shown(data['given']['drawn'][:3]))} times the first three where they were drawn.",
        "Weighted cases of two classes, at their effective number, two-sided:",
        "\n".join(of_weights(data)),
    ]
    return "\n\n".join(parts)


def written(text: str, data: Data) -> str:
    """The page with the measured part replaced."""
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n\n{page(data)}\n\n{END}{rest.split(END)[1]}"


def main(asked: list[str]) -> None:
    data: Data = json.loads(DATA.read_text("utf-8")) if DATA.exists() else {}
    for name in asked or PARTS:
        if name in PARTS:
            PARTS[name](data.setdefault(name, {}))
            DATA.write_text(json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n", "utf-8")
    PAGE.write_text(written(PAGE.read_text("utf-8"), data), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
