"""What the papers say happens: each claim with its sentence, an experiment, a rule and a verdict.

Sentence and rule stand in ``data/claims_*.toml``. A run draws from a `Trial` (a claim that is exact
draws nothing) and gives its estimates by name; `verdicts.judged` gives the verdict from them alone.
``docs/data/claims.json`` holds a run of `run_claims`, from which `pages` writes ``docs/claims.md``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeAlias

from informed.papers.register import PAPERS, READINGS, Register, Trial
from informed.papers.texts import estimate, texts, told
from informed.papers.verdicts import judged
from informed.simulation.estimates import MonteCarlo

Numbers: TypeAlias = dict[str, MonteCarlo]

_GROUPS = {"all": list(READINGS), "papers": list(PAPERS)}


def _with_readings(text: Mapping[str, Any]) -> dict[str, Any]:
    """A text whose readings are a list: its own, or a group by its name."""
    readings = text.get("readings", [])
    return {**text, "readings": _GROUPS[readings] if isinstance(readings, str) else readings}


_TEXTS = {
    name: _with_readings(text)
    for part in ("claims_measures", "claims_recipes", "claims_inference", "claims_remarks")
    for name, text in texts(part).items()
}
claim: Register[Callable[[Trial], Numbers]] = Register("claim", _TEXTS, full=10_000, quick=2_000, least=20)


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
    rows = [row(name, claim.runs[name](trial)) for name, trial in claim.trials(names, size, quick, seed)]
    seconds = round(time.perf_counter() - started, 1)
    return {"rows": rows, "run": {"seed": seed, "tables": claim.tables(size, quick), "seconds": seconds}}


def run_seeds(
    seeds: Iterable[int], names: Iterable[str] | None = None, *, quick: bool = False, size: int | None = None
) -> dict[str, Any]:
    """The verdict of every claim (all by default) with each of these seeds: whether a verdict is one of chance."""
    wanted, found = None if names is None else list(names), dict[str, dict[str, str]]()
    for seed in seeds:
        for r in run_claims(wanted, quick=quick, size=size, seed=seed)["rows"]:
            found.setdefault(r["claim"], {})[str(seed)] = r["verdict"]
    return {"tables": claim.tables(size, quick), "verdicts": found}


def row(name: str, found: Numbers) -> dict[str, Any]:
    """A claim with its results; verdict and numbers of its comment follow from what was found."""
    text = claim.texts[name]
    verdict, parts = judged(text, found)
    return {
        "claim": name,
        **{field: text[field] for field in ("says", "quote", "where", "ran")},
        "rule": [p.data() for p in parts],
        "results": [{"name": label, **e.rounded()} for label, e in found.items()],
        "verdict": str(verdict),
        "comment": told(text["comment"], text.get("numbers", {}), [found]),
    }


def results_of(held: Mapping[str, Any]) -> Numbers:
    """What was found, of a row that was kept."""
    return {x["name"]: estimate(x) for x in held["results"]}


def retold(run: Mapping[str, Any], only: Collection[str] | None = None) -> dict[str, Any]:
    """A run that was kept, with the texts and rules as they are now; nothing is run."""
    kept = [r for r in run["rows"] if only is None or r["claim"] in only]
    return {"rows": [row(r["claim"], results_of(r)) for r in kept], "run": run["run"]}
