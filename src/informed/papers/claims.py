"""What the papers say happens, each claim with an experiment and a verdict.

`run_claims` runs them; ``docs/data/claims.json`` holds a run, from which `pages` writes
``docs/claims.md``. Importing this module loads every run.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

from informed.papers import claims_inference, claims_measures, claims_remarks  # noqa: F401  # each registers its runs
from informed.papers.claim import Numbers, claim
from informed.papers.register import Trial
from informed.papers.texts import estimate, told


def run_claims(
    names: Iterable[str] | None = None, *, quick: bool = False, size: int | None = None, seed: int = 2011
) -> dict[str, Any]:
    """Run the claims (all by default): ``{"rows": […], "run": {…}}``, as JSON would hold it.

    Each claim has a random stream of its own, from the seed and its name, so that one alone gives
    what it gives in the whole run.
    """
    wanted, tables = claim.wanted(names), claim.tables(size, quick)
    started = time.perf_counter()

    rows = []
    for name in wanted:
        run, drawn = claim.runs[name], not claim.texts[name].get("exact", False)
        found, verdict = run(Trial.of(name, seed, tables)) if drawn else run()
        rows.append(row(name, found, verdict))

    seconds = round(time.perf_counter() - started, 1)
    return {"rows": rows, "run": {"seed": seed, "tables": tables, "seconds": seconds}}


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
