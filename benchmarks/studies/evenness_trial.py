"""Readings of the papers' evenness, tried where the papers need one: in χ² (47)–(52) and in error bars (63)–(68)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
from scipy.stats import chi2
from study import Part, Row, Study, shown, table

import informed
from informed import Table
from informed._arrays import Array
from informed.inference.powers_intervals import SSE, null_variance
from informed.simulation.generators import multinomial, population
from informed.simulation.judging import judged

SEED = 47
CLASSES, EACH = (2, 3, 5, 10), (8, 32, 128)
X = 1.959963984540054
NEAR = 0.03, 0.07  # misses, or rejections, at a nominal .05
LEAST = 5  # cases expected in each class and label, where a verdict is given
BY_NULL, OWN = "V₀", "V₀ and its sse"
MARGINS: dict[str, dict[str, Any]] = {
    "even": {},
    "long-tailed": {"prevalence": "long-tailed"},
    "10:1": {"prevalence": "geometric"},
    "10:1, guessed evenly": {"prevalence": "geometric", "guess": "even"},
    "even, guessed 10:1": {"guess": "geometric"},
}
FORMS: dict[str, Callable[..., Any]] = {
    "+": informed.evenness_plus,
    "−": informed.evenness_minus,
    "#": informed.evenness_harmonic,
    "det": informed.evenness_det,
}


def worlds(seed: int, level: float, runs: int) -> Iterator[tuple[Row, Table]]:
    """Tables without an empty margin, of which all readings have a value."""
    for i, (k, margins, each) in enumerate(product(CLASSES, MARGINS, EACH)):
        rng, n, how = np.random.default_rng([SEED, seed, i]), each * k, MARGINS[margins]
        t = multinomial(rng, level, k=k, n=n, size=runs, **how)
        truth = population(level, k=k, **how)
        rarest = min(float(np.min(x)) for x in (truth.real_totals, truth.predicted_totals)) / float(truth.total) * n
        said = {"K": k, "margins": margins, "N/K": each, "enough": rarest >= LEAST}
        yield said, t[np.asarray(informed.evenness_factor(t)) > 0]


def span(found: list[float]) -> str:
    """Least and most."""
    return f"{shown(min(found))} to {shown(max(found))}" if found else "–"


def verdict(right: list[str]) -> str:
    low, high = map(shown, NEAR)
    where = f"in every world with {LEAST} or more cases expected of each class and label"
    return f"Wrong between {low} and {high} of the time {where}: {', '.join(right) or 'none'}."


# ---------------------------------------------------------------------- (47)–(52)


def statistics(runs: int) -> Iterator[Row]:
    """How often each χ² rejects at .05 what is chance."""
    for said, t in worlds(1, 0.0, runs):
        k, n = int(said["K"]), t.total
        b, m = np.asarray(informed.informedness(t)), np.asarray(informed.markedness(t))
        squares = {"real": b * b, "predicted": m * m, "both": np.maximum(b * m, 0)}
        nulls = {"real": null_variance(t), "predicted": null_variance(t.dual)}
        nulls["both"] = np.sqrt(nulls["real"] * nulls["predicted"])
        for reading in (*FORMS, BY_NULL):
            found = {}
            for number, side in enumerate(squares):
                even = 1 / (k * nulls[side]) if reading == BY_NULL else np.asarray(FORMS[reading](t, of=side))
                x, df = k * n * squares[side] * even, 1 if reading == BY_NULL else k - 1
                found[f"({47 + number})"] = float(np.mean(chi2.sf(x, df) < 0.05))
                if reading != BY_NULL:
                    found[f"({50 + number})"] = float(np.mean(chi2.sf((k - 1) * x, (k - 1) ** 2) < 0.05))
            yield {**said, "evenness": reading, **found}


def sizes(rows: list[Row]) -> str:
    """Least and most over margins and sizes, by classes and reading."""
    names, listed, right = [f"({n})" for n in range(47, 53)], [], []
    for k, reading in product(CLASSES, (*FORMS, BY_NULL)):
        mine = [row for row in rows if (row["K"], row["evenness"]) == (k, reading)]
        listed.append({"K": k, "evenness": reading, **{n: span([row[n] for row in mine if n in row]) for n in names}})
    for reading in (*FORMS, BY_NULL):
        mine = [row for row in rows if row["evenness"] == reading and row["enough"]]
        found = [row[n] for row in mine for n in names if n in row]
        right += [reading] if all(NEAR[0] <= x <= NEAR[1] for x in found) else []
    return f"{table(listed)}\n\n{verdict(right)}"


# ---------------------------------------------------------------------- (63)–(68)


def readings(t: Table) -> dict[str, Array]:
    """Each as the papers' E, which is 1 where all classes and labels are equally frequent."""
    k = t.k
    most = {"+": k**-2.0, "−": (k - 1) / k**2, "#": (k - 1) / k**2, "det": k ** (-k / (k - 1))}
    found = {"E": np.asarray(informed.evenness_factor(t))}
    found |= {name: np.asarray(form(t)) / most[name] for name, form in FORMS.items()}
    found["det, both sides"] = np.asarray(informed.evenness_det(t, of="both")) / most["det"]
    return {**found, "1": np.ones(t.shape), BY_NULL: 1 / ((k - 1) * null_variance(t))}


def bars(level: float, sse: str, seed: int) -> Callable[[int], Iterator[Row]]:
    """How often 95 % bars hold the truth, for each reading, with the papers' factor and with K − 1 in its place."""

    def rows(runs: int) -> Iterator[Row]:
        for said, t in worlds(seed, level, runs):
            b, k = np.asarray(informed.informedness(t)), int(said["K"])
            fitted = judged(t, "informedness", level, method="powers-fitted").covered
            for name, factor in (("2", 2), ("K − 1", k - 1)):
                found = {}
                for reading, e in readings(t).items():
                    reach = X * SSE[sse](np.abs(b)) / np.sqrt(factor * e * (t.total - 1))
                    found[reading] = float(np.mean((np.abs(b - level) <= reach)[np.isfinite(b)]))
                own = {} if name == "2" else {OWN: float(np.mean(fitted))}
                yield {**said, "factor": name, **found, **own}

    return rows


def by_margins(rows: list[Row]) -> str:
    """With K − 1: least and most over sizes; below, all worlds with either factor."""
    listed = []
    for k, margins in product(CLASSES, MARGINS):
        mine = [row for row in rows if (row["K"], row["margins"], row["factor"]) == (k, margins, "K − 1")]
        listed.append({"K": k, "margins": margins, **{n: span([row[n] for row in mine]) for n in _names(mine)}})
    return f"{table(listed)}\n\n{by_factor(rows)}"


def by_factor(rows: list[Row]) -> str:
    """Least and most over all worlds, with either factor; how far they are off on average; and the verdict."""
    listed: list[Row] = []
    right: list[str] = []
    for factor in ("2", "K − 1"):
        mine = [row for row in rows if row["factor"] == factor]
        names, enough = _names(mine), [row for row in mine if row["enough"]]
        listed.append({"factor": factor, **{n: span([row[n] for row in mine]) for n in names}})
        away = {n: float(np.mean([abs(row[n] - 0.95) for row in mine])) for n in names}
        listed.append({"factor": f"{factor}, mean distance from .95", **away})
        right += [f"{n} with {factor}" for n in names if all(NEAR[0] <= 1 - row[n] <= NEAR[1] for row in enough)]
    return f"{table(listed)}\n\n{verdict(right)}"


def _names(rows: list[Row]) -> list[str]:
    return [name for name in rows[0] if name not in ("K", "margins", "N/K", "enough", "factor")]


PAGE = "evenness.md"
EVERY = f"with N/K = {', '.join(map(str, EACH))} (least to most)"
STUDY = Study(
    "evenness_trial",
    {
        "statistics": Part(
            "How often (47)–(49) and (50)–(52) reject at .05 where nothing is known, over five kinds of margins "
            f"{EVERY}; in the row V₀ the evenness is 1/(K·V₀), and there is one degree of freedom:",
            statistics,
            PAGE,
            runs=4000,
            errors=((0.05, 1.0),),
            run="tables a world",
            text=sizes,
        ),
        "null": Part(
            "CI_B0, √sse = 1, right where nothing is known: how often 95 % bars X/√((K − 1)·E·(N − 1)) hold 0, "
            f"{EVERY}; below, over all worlds, with the papers' 2 and with K − 1:",
            bars(0.0, "null", 2),
            PAGE,
            runs=4000,
            run="tables a world",
            text=by_margins,
        ),
        "alternate": Part(
            "CI_B1 (66), √sse = 1 − 2B + 2B², where half is known:",
            bars(0.5, "weighted", 3),
            PAGE,
            runs=4000,
            run="tables a world",
            text=by_factor,
        ),
        "full": Part(
            "CI_B2 (63), √sse = 1 − B, where half is known:",
            bars(0.5, "complement", 4),
            PAGE,
            runs=4000,
            run="tables a world",
            text=by_factor,
        ),
    },
)

if __name__ == "__main__":
    STUDY.main()
