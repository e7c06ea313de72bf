"""The papers' figures of simulated runs: 110 dots as they drew them, and small multiples of bands.

Under each run stands a table of the recipe that the papers name; the multiples show the same
curves one by one, over thousands of runs of that recipe and of honest sampling.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from informed._arrays import Array, ratio
from informed.documents.charts.chart import Chart, Panels
from informed.documents.charts.marks import Bands, Lines, Mark, scale
from informed.evidence.table import Table
from informed.inference.powers_intervals import SSE
from informed.papers import drawing as draw
from informed.papers.published import bands, geometric_mean, half_width, pvalues_of, root_of_determinant
from informed.papers.texts import texts
from informed.simulation.experiment import LEVELS
from informed.simulation.generators import GENERATORS
from informed.simulation.judging import statistics, values

RECIPE = "premarginal"  # "pre-marginalized … discretized absolute normal" (000)
HONEST = "multinomial"
RUNS = 10  # a level: 110 in all
QUANTILES = (0.025, 0.25, 0.5, 0.75, 0.975)

Columns: TypeAlias = Mapping[str, Any]
Drawn: TypeAlias = tuple[Columns, Chart, Chart | Panels]  # data, the paper's layout, bands


# ------------------------------------------------------------------ curves


@dataclass(frozen=True)
class FigureCurve:
    """What a figure draws of every table; one of `measure`, `size`, `test` and `own` is given."""

    name: str
    colour: str
    mark: str = ""  # "dot", or a line that may be "dashed" or "dotted"
    measure: str = ""
    size: str = ""  # of a measure: without its sign
    dual: bool = False
    test: str = ""
    own: str = ""
    raised: bool = False
    slow: bool = False
    aim: str = "level"  # what it should be, if it is no test; or "none"

    def __call__(self, t: Table) -> Array:
        """Its values for a stack of tables."""
        t = t.dual if self.dual else t
        if self.test:
            parts = [t[i : i + 50] for i in range(0, len(t), 50)] if self.slow else [t]
            return np.concatenate([np.atleast_1d(pvalues_of(part, self.test)) for part in parts])
        if self.own:
            return OWN[self.own](t)
        return np.abs(values(t, self.size)) if self.size else values(t, self.measure)


def _v_of_g(t: Table) -> Array:
    return np.asarray(np.sqrt(ratio(statistics(t, "g"), np.asarray(t.n) * (t.k - 1))))


def _difference(t: Table) -> Array:
    long, short = (np.abs(values(t, f"informedness_det(exponent='{e}')")) for e in ("1/(3K-2)", "2/K"))
    return np.asarray(long - short)


OWN: dict[str, Callable[[Table], Array]] = {
    "root of the determinant": root_of_determinant,
    "geometric prevalence": lambda t: geometric_mean(t.prevalence),
    "geometric bias": lambda t: geometric_mean(t.bias),
    "V of G": _v_of_g,
    "difference of the determinants": _difference,
}


# ------------------------------------------------------------------ figures


@dataclass(frozen=True)
class Simulated:
    """A figure of simulated runs: classes, cases, curves; `confidence` is X where bands are."""

    title: str
    k: int
    n: int
    curves: Sequence[FigureCurve]
    confidence: float = 0.0
    shift: float = 1.0  # of the curves that the papers raise

    @classmethod
    def of(cls, held: Mapping[str, Any]) -> Simulated:
        """From the data: it has the curves of its groups, in their order."""
        groups = [texts("figures")["curves"][group] for group in held["curves"]]
        return cls(
            **{
                **{name: x for name, x in held.items() if name not in ("of", "called")},
                "curves": [FigureCurve(name, **spec) for group in groups for name, spec in group.items()],
            }
        )

    @property
    def head(self) -> str:
        """The caption, with its parameters."""
        return f"{self.title}: K = {self.k}, N = {self.n}"

    def drawn(self, rng: np.random.Generator, replicates: int) -> Drawn:
        """The data of the runs, and both layouts."""
        t = Table.from_counts(np.concatenate([x.counts for x in self.tables(rng, RECIPE, RUNS)]))
        target = np.repeat(LEVELS, RUNS)
        values = {c.name: c(t) for c in self.curves}
        data = {"run": np.arange(len(target)), "target": target, **values}
        paper = _as_printed(self, target, t, values)
        return data, paper, _as_bands(self, rng, replicates)

    def tables(self, rng: np.random.Generator, recipe: str, runs: int) -> list[Table]:
        """Tables of each level, as along the papers' horizontal axis."""
        draw_one = GENERATORS[recipe].draw
        return [draw_one(rng, level, k=self.k, n=self.n, size=runs) for level in LEVELS]


# ------------------------------------------------------------------ as the papers drew them


def _as_printed(f: Simulated, target: Array, t: Table, values: Mapping[str, Array]) -> Chart:
    """Runs along the axis, the target a red staircase, what the papers raise by 1 raised."""
    middle = np.arange(len(target)) + 0.5
    stairs = np.repeat(np.arange(len(LEVELS) + 1.0) * RUNS, 2)[1:-1]
    marks: list[Mark] = [draw.line(stairs, np.repeat(LEVELS, 2), draw.RED, "target")]
    if f.confidence:
        marks += _confidence(middle, target, t, f)

    seen = [m.y for m in marks if isinstance(m, Lines)]
    for c in f.curves:
        label = f"{c.name} {'+' if f.shift > 0 else '−'} 1" if c.raised else c.name
        y = values[c.name] + (f.shift if c.raised else 0)
        seen.append(y)
        if c.mark == "dot":
            marks.append(draw.dots(middle, y, draw.PALETTE[c.colour], label))
        else:
            style = f"thin {c.mark}".rstrip()
            marks.append(draw.line(middle, y, draw.PALETTE[c.colour], label, style))

    held = np.concatenate(seen)
    moved = f", some {'raised' if f.shift > 0 else 'lowered'} by 1" if any(c.raised for c in f.curves) else ""
    y_axis = scale(np.nanmin(held) - 0.05, np.nanmax(held) + 0.05, f"value{moved}")
    return draw.chart(f.head, scale(0, len(target), "run"), y_axis, marks, wide=780, tall=470)


def _confidence(run: Any, target: Array, t: Table, f: Simulated) -> list[Mark]:
    """The papers' bands around the target and around B = 0 and B = 1."""
    wide = half_width(t, f.n, f.confidence)
    one, two = bands(t, target, f.n, f.confidence)
    return [
        draw.line(run, target + one, draw.RED, "target ± CI_B1", "thin dashed"),
        draw.line(run, target - one, draw.RED, "", "thin dashed"),
        draw.line(run, target - two, draw.ORANGE, "target − CI_B2", "thin dashed"),
        draw.line(run, wide, draw.GREY, "0 + CI and 1 − CI", "thin dotted"),
        draw.line(run, 1 - wide, draw.GREY, "", "thin dotted"),
    ]


# ------------------------------------------------------------------ as distributions


def _as_bands(f: Simulated, rng: np.random.Generator, replicates: int) -> Panels:
    """A panel for each curve: median, central half and central 95 % at each level."""
    words = texts("figures")["words"]
    drawn = [f.tables(rng, recipe, replicates) for recipe in (RECIPE, HONEST)]
    plots = [_panel(f, c, drawn) for c in f.curves if not c.slow]
    foot = words["bands"].format(tables=replicates * len(LEVELS))
    if f.confidence:
        foot += " " + words["confidence"]
    columns = min((4, 3), key=lambda wide: -len(plots) % wide)  # that leave the fewest places empty
    return draw.panels(plots, columns, f.head, foot)


def _panel(f: Simulated, c: FigureCurve, drawn: Sequence[Sequence[Table]]) -> Chart:
    both = [np.array([np.nanquantile(c(t), QUANTILES) for t in tables]) for tables in drawn]
    low, high = min(0.0, *(q[:, 0].min() for q in both)), max(1.0, *(q[:, -1].max() for q in both))
    marks: list[Mark] = []
    for quantiles, colour in zip(both, (draw.RED, draw.BLUE), strict=True):
        least, lower, middle, upper, most = quantiles.T
        marks.append(Bands(LEVELS, least, most, f"wash {colour}"))
        marks.append(Bands(LEVELS, lower, upper, f"wash {colour}"))
        marks.append(draw.line(LEVELS, middle, colour, style="thin"))

    if c.test:
        marks.append(draw.level(0.05))
    elif c.aim == "level":
        marks.append(draw.line([0, 1], [0, 1], "", style="thin dashed"))
    if f.confidence and c.measure == "informedness":
        aim = np.array(LEVELS)
        wide = f.confidence / np.sqrt(2 * (f.n - 1)) * SSE["weighted"](aim)
        both_ends = (aim - wide, aim + wide)
        marks += [draw.line(aim, end, draw.ORANGE, style="thin dashed") for end in both_ends]
    x = scale(0, 1, "level", at=(0, 0.25, 0.5, 0.75, 1))
    return draw.chart(c.name, x, scale(low - 0.04, high + 0.04), marks, wide=200, tall=150)
