"""The open question about the lab itself: what depends on how tables are drawn?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from informed.evidence.table import Table
from informed.papers.published import bands, rejects
from informed.papers.questions import COARSE, Row, Rows, condensed, distinct, question, span
from informed.papers.register import Trial
from informed.papers.texts import chosen, estimate, texts
from informed.simulation.estimates import MonteCarlo, correlation, mean, quotient, rms, share, spread
from informed.simulation.generators import GENERATORS
from informed.simulation.judging import judged, values


@dataclass(frozen=True)
class Finding:
    """A column of the answer, what is said of it, and from or up to where it is so."""

    column: str
    says: str
    above: float = -np.inf
    below: float = np.inf
    times: str = ""  # the column of which `above` is a multiple

    def holds(self, row: Row) -> bool:
        """Whether it is so in this row."""
        unit = estimate(row[self.times]).value if self.times else 1.0
        return self.above * unit < estimate(row[self.column]).value < self.below


_HELD = texts("generators")
WAYS: dict[str, dict[str, Any]] = _HELD["ways"]
FINDINGS = [Finding(**held) for held in _HELD["findings"]]
KINDS: dict[str, list[int]] = _HELD["kinds"]
LEVELS = (0.0, 0.3, 0.5, 0.7, 0.9)


@condensed("generators")
def _by_finding(rows: Rows) -> Rows:
    """Least to greatest over the honest ways and over the papers', for each finding."""
    ways, out = list(WAYS), []
    for finding in FINDINGS:
        for k in distinct(rows, "K"):
            of = {r["way"]: r[finding.column] for r in chosen(rows, K=k)}
            kinds = {kind: span([of[w] for w in ways[first - 1 : last]]) for kind, (first, last) in KINDS.items()}
            out.append({"finding": finding.column, "K": k} | kinds)
    return out


@question("generators")
def generators(trial: Trial) -> Iterator[Row]:
    worlds = [(4, 128, 1.0, 1 / 4), (30, 960, 1 / 10, 1 / 20), (102, 3264, 1 / 20, 1 / 100)]
    for k, n, part, of_arc in worlds[: 1 if trial.size < COARSE else 3]:
        for way, options in WAYS.items():
            found = _found(trial, options, k, n, trial.part(part), trial.part(of_arc))
            yield {"way": way, "K": k, **found}


def _found(trial: Trial, way: dict[str, Any], k: int, n: int, many: int, few: int) -> dict[str, MonteCarlo]:
    """Every finding for one way of drawing."""
    options = dict(way)
    recipe = GENERATORS[options.pop("recipe")]

    def drawn(level: float) -> tuple[Table, float]:
        t = recipe.draw(trial.rng, level, k=k, n=n, size=many, **options)
        truth = recipe.truth(level, k=k, n=n, **options)
        return t, level if truth is None else float(values(truth, "informedness"))

    tables = {level: drawn(level) for level in LEVELS}
    zero, half, top = (tables[x][0] for x in (0.0, 0.5, 0.9))

    def off(measure: str) -> MonteCarlo:
        return rms(np.concatenate([values(t, measure) - aim for t, aim in tables.values()]))

    def band(level: float, which: int) -> MonteCarlo:
        t, aim = tables[level]
        return share(np.abs(values(t, "informedness") - aim) <= bands(t, level, n)[which - 1])

    def arc(level: float) -> MonteCarlo:
        t, aim = tables[level]
        sampling = "fixed-reals" if recipe.name == "fixed-classes" else "multinomial"
        return share(judged(t[:few], "informedness", aim, method="arc", sampling=sampling).covered)

    found = [
        *(off(m) for m in ("informedness", "cohen_kappa", "accuracy")),
        quotient(*(spread(values(t, "informedness")) for t in (top, zero))),
        band(0.5, 1), band(0.9, 2), arc(0.5), arc(0.9),
        *(rejects(zero, m) for m in ("permutation-z", "pearson", "g", "kb")),
        correlation(values(half, "informedness"), values(half, "markedness")),
        mean(np.abs(values(half, "informedness_det(exponent='2/K')"))),
        mean(values(zero, "cramers_v")),
    ]  # fmt: skip
    return {f.column: e for f, e in zip(FINDINGS, found, strict=True)}
