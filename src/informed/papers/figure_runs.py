"""The papers' figures of simulated runs: 110 dots as they drew them, and small multiples of bands.

Under each run stands a table of the recipe that the papers name; the multiples show the same
curves one by one, over thousands of runs of that recipe and of honest sampling.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

from informed._arrays import Array, ratio
from informed.evidence.table import Table
from informed.inference.tests import test
from informed.measures import find
from informed.papers import plot as draw
from informed.papers.point_tests import continuity_pvalue, point_probability
from informed.simulation.experiment import LEVELS
from informed.simulation.generators import GENERATORS

RECIPE = "premarginal"  # "pre-marginalized … discretized absolute normal" (000)
HONEST = "multinomial"
RUNS = 10  # a level: 110 in all

Columns: TypeAlias = Mapping[str, Any]
Drawn: TypeAlias = tuple[Columns, str, str]  # data, the paper's layout, bands
Curves: TypeAlias = dict[str, tuple[Callable[[Table], Array], str, str, float]]
# what is measured, its colour, its mark ("dot", "line", a dash), by how much it is shifted

APART = "DBa − DB"
SLOW = "Fisher"  # takes one table at a time, so that it has no bands


def _value(measure: str) -> Callable[[Table], Array]:
    return lambda t: np.asarray(find(measure)(t), dtype=np.float64)


def _p(method: str) -> Callable[[Table], Array]:
    return lambda t: np.asarray(test(t, method=method).pvalue, dtype=np.float64)


def _fisher(t: Table) -> Array:
    return np.concatenate(
        [np.atleast_1d(_p("fisher")(t[i : i + 50])) for i in range(0, len(t), 50)]
    )


def _root_det(t: Table) -> Array:
    shares = ratio(t.counts, np.asarray(t.n)[..., None, None])
    return np.asarray(np.abs(np.linalg.det(shares)) ** (1 / t.k))


def _geometric(shares: Array) -> Array:
    return np.asarray(np.exp(np.log(np.maximum(shares, 1e-300)).mean(axis=-1)))


def _cramer_g(t: Table) -> Array:
    g = np.asarray(test(t, method="g").statistic, dtype=np.float64)
    return np.asarray(np.sqrt(ratio(g, np.asarray(t.n) * (t.k - 1))))


def _size_of_det(exponent: str, dual: bool = False) -> Callable[[Table], Array]:
    """|det|^e over the prevalences, or over the biases: estimates of B or of M."""
    inside = _value(f"informedness_det(exponent='{exponent}')")
    return lambda t: np.abs(inside(t.dual if dual else t))


def _apart(t: Table) -> Array:
    return np.asarray(_size_of_det("1/(3K-2)")(t) - _size_of_det("2/K")(t))


DEEP: Curves = {
    "B": (_value("informedness"), draw.RED, "dot", 0),
    "M": (_value("markedness"), draw.GREEN, "dot", 0),
    "C": (_value("correlation"), draw.BLUE, "dot", 0),
}
TRADITIONAL: Curves = {
    "kappa": (_value("cohen_kappa"), draw.INK, "5 3", 0),
    "Wav": (_value("accuracy"), draw.ORANGE, "line", 0),
    "Gav": (_value("av_g(weights='prevalence')"), draw.PURPLE, "line", 0),
    "Fav": (_value("av_f(weights='prevalence')"), draw.TEAL, "line", 0),
}
DETERMINANT: Curves = {
    "D": (_root_det, draw.BROWN, "line", 1),
    "gR": (lambda t: _geometric(t.prevalence), draw.GREY, "line", 1),
    "gP": (lambda t: _geometric(t.bias), draw.GREEN, "line", 1),
}
SIGNIFICANCE: Curves = {
    "p of G²": (_p("g"), draw.ORANGE, "line", 1),
    "p of χ²": (_p("pearson"), draw.PURPLE, "line", 1),
    "Fisher, point": (point_probability, draw.TEAL, "line", 1),
}
CORRECTED: Curves = {  # the figures with confidence bands need the author's own correction
    "p of G²": (_p("g"), draw.ORANGE, "line", 1),
    "p of χ², corrected": (continuity_pvalue, draw.PURPLE, "line", 1),
    "p of χ², plain": (_p("pearson"), draw.PURPLE, "2 2", 1),
    "Fisher, point": (point_probability, draw.TEAL, "line", 1),
}
CUMULATIVE: Curves = {SLOW: (_fisher, draw.INK, "line", 1)}
ESTIMATES: Curves = {
    "DB, 2/K": (_size_of_det("2/K"), draw.BROWN, "line", 0),
    "DM, 2/K": (_size_of_det("2/K", dual=True), draw.BROWN, "4 2", 0),
    "DBa, 1/(3K−2)": (_size_of_det("1/(3K-2)"), draw.GREY, "line", 0),
    "DMa, 1/(3K−2)": (_size_of_det("1/(3K-2)", dual=True), draw.GREY, "4 2", 0),
    APART: (_apart, "#999", "1 2", 0),
}
CRAMER: Curves = {
    "V from χ²": (_value("cramers_v"), draw.BROWN, "line", 0),
    "V from G²": (_cramer_g, draw.GREY, "line", 0),
}
PHI: Curves = {f"Phi{name[1:]}": curve for name, curve in CRAMER.items()}  # what 003 calls it


def shifted(curves: Curves, by: float) -> Curves:
    """The curves that the papers raise, raised by this instead."""
    return {
        name: (what, colour, mark, by if shift else 0.0)
        for name, (what, colour, mark, shift) in curves.items()
    }


def figure(
    rng: np.random.Generator,
    replicates: int,
    *,
    title: str,
    k: int,
    n: int,
    curves: Curves,
    confidence: float = 0.0,
) -> Drawn:
    """A figure of simulated runs in both layouts; `confidence` is X, where bands are drawn."""
    head = f"{title}: K = {k}, N = {n}"
    target, t = _simulated(rng, RUNS, k, n)
    values = {name: what(t) for name, (what, *_) in curves.items()}
    data = {"run": np.arange(len(target)), "target": target, **values}
    paper = _as_printed(head, target, t, n, curves, values, confidence)
    return data, paper, _bands(rng, replicates, head, k, n, curves, confidence)


def _simulated(rng: np.random.Generator, runs: int, k: int, n: int) -> tuple[Array, Table]:
    """Targets and tables, level after level, as along the papers' horizontal axis."""
    recipe = GENERATORS[RECIPE]
    tables = [recipe.draw(rng, level, k=k, n=n, size=runs).counts for level in LEVELS]
    return np.repeat(LEVELS, runs), Table.from_counts(np.concatenate(tables))


def _as_printed(
    head: str,
    target: Array,
    t: Table,
    n: int,
    curves: Curves,
    values: Mapping[str, Array],
    confidence: float,
) -> str:
    """Runs along the axis, the target a red staircase, what the papers raise by 1 raised."""
    shifts = [shift for *_, shift in curves.values()]
    low = -1.1 if min(shifts) < 0 else -0.75 if n < 32 else -0.35
    p = draw.Plot(head, (0, len(target)), (low, 2.05 if max(shifts) > 0 else 1.1), "run",
                  "value, some raised by 1" if max(shifts) > 0 else "value, some lowered by 1",
                  width=1000, height=560, legend_room=150)  # fmt: skip
    middle = np.arange(len(target)) + 0.5
    stairs = np.repeat(np.arange(len(LEVELS) + 1.0) * RUNS, 2)[1:-1]
    p.line(stairs, np.repeat(LEVELS, 2), draw.RED, "target", thick=2)
    if confidence:
        _confidence(p, middle, target, t, n, confidence)
    for name, (_, colour, mark, shift) in curves.items():
        label = f"{name} {'+' if shift > 0 else '−'} 1" if shift else name
        if mark == "dot":
            p.dots(middle, values[name] + shift, colour, label)
        else:
            dash = "" if mark == "line" else mark
            p.line(middle, values[name] + shift, colour, label, dash, 1.1)
    return p.svg()


def _confidence(p: draw.Plot, run: Any, target: Array, t: Table, n: int, x: float) -> None:
    """The papers' bands around the target and around B = 0 and B = 1."""
    e = np.asarray(find("evenness_factor")(t))
    scale = x / np.sqrt(2 * np.maximum(e, 1e-9) * (n - 1))
    one, two = scale * (1 - 2 * target + 2 * target**2), scale * (1 - target)
    p.line(run, target + one, draw.RED, "target ± CI_B1", "4 3", 0.9)
    p.line(run, target - one, draw.RED, "", "4 3", 0.9)
    p.line(run, target - two, draw.ORANGE, "target − CI_B2", "2 3", 0.9)
    p.line(run, scale, draw.GREY, "0 + CI and 1 − CI", "1 2", 0.9)
    p.line(run, 1 - scale, draw.GREY, "", "1 2", 0.9)


# ------------------------------------------------------------------ as distributions

QUANTILES = (0.025, 0.25, 0.5, 0.75, 0.975)


def _bands(
    rng: np.random.Generator,
    replicates: int,
    head: str,
    k: int,
    n: int,
    curves: Curves,
    confidence: float,
) -> str:
    """A panel for each curve: median, central half and central 95 % at each level."""
    fast = {name: what for name, (what, *_) in curves.items() if name != SLOW}
    found = {recipe: _quantiles(rng, recipe, replicates, k, n, fast) for recipe in (RECIPE, HONEST)}
    plots = []
    for name in fast:
        tops = [max(q[:, -1].max() for q in (found[r][name] for r in found)), 1.0]
        lows = [min(q[:, 0].min() for q in (found[r][name] for r in found)), 0.0]
        p = draw.Plot(name, (0, 1), (min(lows) - 0.04, max(tops) + 0.04), "level", width=268,
                      height=226, x_ticks=[0, 0.25, 0.5, 0.75, 1])  # fmt: skip
        if name.startswith(("p of", "Fisher")):
            p.line([0, 1], [0.05, 0.05], draw.INK, "", "3 3", 1)
        elif name not in (*DETERMINANT, APART):
            p.line([0, 1], [0, 1], draw.INK, "", "3 3", 1)
        for recipe, colour in ((RECIPE, draw.RED), (HONEST, draw.BLUE)):
            low, lower, middle, upper, high = found[recipe][name].T
            p.band(LEVELS, low, high, colour, opacity=0.13)
            p.band(LEVELS, lower, upper, colour, opacity=0.22)
            p.line(LEVELS, middle, colour)
        if confidence and name == "B":
            aim = np.array(LEVELS)
            wide = confidence / np.sqrt(2 * (n - 1)) * (1 - 2 * aim + 2 * aim**2)
            for sign in (-1, 1):
                p.line(LEVELS, aim + sign * wide, draw.ORANGE, "", "4 3", 1.4)
        plots.append(p)
    foot = (
        f"Median, central half and central 95 % of {replicates * len(LEVELS):,} tables. Red: the "
        "papers' recipe, noise in its chance part only. Blue: honest sampling, every case drawn. "
        "Dashed: the level, or p = .05."
    )
    if confidence:
        foot += " Orange: the level ± CI_B1 for even margins."
    return draw.grid(plots, 4, title=head, foot=foot)


def _quantiles(
    rng: np.random.Generator,
    recipe: str,
    replicates: int,
    k: int,
    n: int,
    curves: Mapping[str, Callable[[Table], Array]],
) -> dict[str, Array]:
    out: dict[str, list[Array]] = {name: [] for name in curves}
    for level in LEVELS:
        t = GENERATORS[recipe].draw(rng, level, k=k, n=n, size=replicates)
        for name, what in curves.items():
            out[name].append(np.nanquantile(what(t), QUANTILES))
    return {name: np.array(rows) for name, rows in out.items()}
