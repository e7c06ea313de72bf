"""What the papers say happens, each claim with an experiment and a verdict.

The text of a claim stands in ``data/claims_*.toml``. A run draws from a `Trial` (a claim that is
exact draws nothing), adds its estimates by name to `found`, and gives a `Verdict` by a rule that
stands in the code. ``docs/data/claims.json`` holds a run of `run_claims`, from which `pages` writes
``docs/claims.md``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any, TypeAlias

from informed.papers.register import Register, Trial
from informed.papers.texts import estimate, texts, told
from informed.simulation.estimates import MonteCarlo


class Verdict(StrEnum):
    """What came out, in the words of the page."""

    HOLDS = "holds"
    ONLY = "holds only with the paper's generator"
    FAILS = "fails"
    CONTRADICTS = "contradicts itself"


Numbers: TypeAlias = dict[str, MonteCarlo]

_TEXTS = texts("claims_measures") | texts("claims_inference") | texts("claims_remarks")
claim: Register[Callable[[Trial, Numbers], Verdict]] = Register("claim", _TEXTS, full=10_000, quick=300, least=20)


def verdict(papers: bool, honest: bool = True) -> Verdict:
    """From whether it holds with the papers' recipe, and with honest sampling."""
    if papers:
        return Verdict.HOLDS if honest else Verdict.ONLY
    return Verdict.FAILS


def exact(values: Mapping[str, Any]) -> Numbers:
    """Numbers without a Monte Carlo error."""
    return {name: MonteCarlo(float(value)) for name, value in values.items()}


# ------------------------------------------------------------------ running them


def run_claims(
    names: Iterable[str] | None = None, *, quick: bool = False, size: int | None = None, seed: int = 2011
) -> dict[str, Any]:
    """Run the claims (all by default): ``{"rows": […], "run": {…}}``, as JSON would hold it.

    Each claim has a random stream of its own, from the seed and its name, so that one alone gives
    what it gives in the whole run.
    """
    started = time.perf_counter()
    rows = []
    for name, trial in claim.trials(names, size, quick, seed):
        found: Numbers = {}
        verdict = claim.runs[name](trial, found)
        rows.append(row(name, found, verdict))
    seconds = round(time.perf_counter() - started, 1)
    return {"rows": rows, "run": {"seed": seed, "tables": claim.tables(size, quick), "seconds": seconds}}


def row(name: str, found: Numbers, verdict: str) -> dict[str, Any]:
    """A claim with its results; the numbers of its comment are those that were found."""
    text = claim.texts[name]
    return {
        "claim": name,
        "says": text["says"],
        "where": text["where"],
        "ran": text["ran"],
        "results": [{"name": label, **e.rounded()} for label, e in found.items()],
        "verdict": str(verdict),
        "comment": told(text["comment"], text.get("numbers", {}), [found]),
    }


def retold(run: Mapping[str, Any]) -> dict[str, Any]:
    """A run that was kept, with the texts as they are now; nothing is run."""
    rows = [row(r["claim"], {x["name"]: estimate(x) for x in r["results"]}, r["verdict"]) for r in run["rows"]]
    return {"rows": rows, "run": run["run"]}
