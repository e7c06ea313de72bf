"""What a claim is: its text in ``data/claims_*.toml``, and a run that gives numbers and a verdict.

A run takes a `Trial` and returns estimates by name and a `Verdict`, by a rule that stands in the
code; a claim that is exact draws nothing and takes no trial.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, TypeAlias

from informed.papers.register import Register
from informed.papers.texts import texts
from informed.simulation.estimates import MonteCarlo


class Verdict(StrEnum):
    """What came out, in the words of the page."""

    HOLDS = "holds"
    ONLY = "holds only with the paper's generator"
    FAILS = "fails"
    CONTRADICTS = "contradicts itself"


Numbers: TypeAlias = dict[str, MonteCarlo]
Found: TypeAlias = tuple[Numbers, Verdict]

claim: Register[Callable[..., Found]] = Register(
    "claim",
    texts("claims_measures") | texts("claims_inference") | texts("claims_remarks"),
    full=10_000,
    quick=300,
    least=20,
)


def verdict(papers: bool, honest: bool = True) -> Verdict:
    """From whether it holds with the papers' recipe, and with honest sampling."""
    if papers:
        return Verdict.HOLDS if honest else Verdict.ONLY
    return Verdict.FAILS


def exact(values: Mapping[str, Any]) -> Numbers:
    """Numbers without a Monte Carlo error."""
    return {name: MonteCarlo(float(value)) for name, value in values.items()}
