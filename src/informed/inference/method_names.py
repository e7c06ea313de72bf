"""Methods of intervals and tests by the names under which they are published, with the works that describe them.

The keys are those of `references.bib`. Methods of informed itself cite its documentation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class NamedMethod:
    """A method as a paper names it: a noun, and what to cite."""

    title: str
    refs: tuple[str, ...] = ()


OWN = "informed2026"
_BOOTSTRAP = "bootstrap of the counts"
_MID_P = "Fisher's exact test with Lancaster's mid-P"

INTERVALS: Mapping[str, NamedMethod] = {
    "arc": NamedMethod("Fisher-arc hull (a generalised arcsine interval)", (OWN, "anscombe1948")),
    "plus-four": NamedMethod("delta-method interval after four pseudo-cases", ("agresti1998", "agresti2000")),
    "wald": NamedMethod("Wald interval by the delta method"),
    "mid-p": NamedMethod("mid-P interval", ("lancaster1961", "brown2001")),
    "wilson": NamedMethod("Wilson score interval", ("wilson1927",)),
    "agresti-coull": NamedMethod("Agresti–Coull interval", ("agresti1998",)),
    "clopper-pearson": NamedMethod("Clopper–Pearson interval", ("clopper1934",)),
    "jeffreys": NamedMethod("Jeffreys interval", ("brown2001",)),
    "newcombe": NamedMethod("Newcombe/Wilson hybrid score interval", ("newcombe1998", "wilson1927")),
    "mover-jeffreys": NamedMethod("MOVER interval of Jeffreys limits", ("zou2008", "brown2001")),
    "miettinen-nurminen": NamedMethod("Miettinen–Nurminen score interval", ("miettinen1985",)),
    "score": NamedMethod("score interval without Miettinen and Nurminen's correction", ("miettinen1985",)),
    "agresti-caffo": NamedMethod("Agresti–Caffo interval", ("agresti2000",)),
    "score-exact": NamedMethod(
        "unconditional interval by the score statistic at the likeliest proportions", ("miettinen1985",)
    ),
    "mover-ratio": NamedMethod("MOVER interval of a ratio", ("zou2008",)),
    "log": NamedMethod("log-transformed delta-method interval"),
    "conditional-exact": NamedMethod("exact conditional interval of the odds ratio"),
    "dirichlet": NamedMethod("posterior quantiles under a Dirichlet prior", (OWN,)),
    "bootstrap-centred": NamedMethod(f"{_BOOTSTRAP}, percentiles centred at the estimate"),
    "bootstrap-percentile": NamedMethod(f"{_BOOTSTRAP}, percentiles"),
    "bootstrap-bca": NamedMethod(f"{_BOOTSTRAP}, bias-corrected and accelerated"),
    "bootstrap-t": NamedMethod(f"studentised {_BOOTSTRAP}"),
    **dict.fromkeys(("powers-0", "powers-1", "powers-2"), NamedMethod("error bars of Powers", ("powers2011",))),
    "powers-fitted": NamedMethod("error bars of Powers, calibrated", ("powers2011", OWN)),
}
TESTS: Mapping[str, NamedMethod] = {
    "permutation-midp": NamedMethod("mid-P permutation test, conditional on both margins", ("lancaster1961",)),
    "permutation": NamedMethod("permutation test, conditional on both margins"),
    "permutation-z": NamedMethod("normal approximation to the permutation test"),
    "permutation-units": NamedMethod("permutation test of clustered cases"),
    "pearson": NamedMethod("Pearson's χ² test", ("pearson1900chi",)),
    "pearson-n1": NamedMethod("Pearson's χ² test with the factor (N − 1)/N", ("pearson1900chi", "campbell2007")),
    "fisher": NamedMethod("Fisher's exact test"),
    "fisher-midp": NamedMethod(_MID_P, ("lancaster1961",)),
}
COMPARISONS: Mapping[str, NamedMethod] = {
    "arc": NamedMethod("paired Fisher-arc interval", (OWN, "anscombe1948")),
    "circle": NamedMethod("interval of a difference from the Fisher arcs of both samples", (OWN, "anscombe1948")),
    "circle-score": NamedMethod(
        "interval from the Fisher arcs of both samples, guarded by the exact unconditional score test",
        (OWN, "farrington1990", "chan1999"),
    ),
    "mover": NamedMethod("MOVER interval of two Fisher arcs", ("zou2008", OWN)),
    "plus-four": NamedMethod("delta-method interval after four pseudo-cases", ("agresti2000",)),
    "smoothed-delta": NamedMethod("delta-method interval after four pseudo-cases", ("agresti2000",)),
    "delta": NamedMethod("Wald interval by the delta method"),
    "arc-tango": NamedMethod("Fisher-arc interval guarded by Tango's score test", (OWN, "tango1998")),
    "tango": NamedMethod("Tango's score interval of paired proportions", ("tango1998",)),
    "mcnemar": NamedMethod("Tango's score interval, with McNemar's test", ("fagerland2013", "tango1998")),
    "mcnemar-exact": NamedMethod("Tango's score interval, with the exact McNemar test", ("fagerland2013", "tango1998")),
    "mcnemar-midp": NamedMethod("Tango's score interval, with the mid-P McNemar test", ("fagerland2013", "tango1998")),
    "bootstrap": NamedMethod("bootstrap of the joint counts, percentiles"),
}
