"""The papers' figures again: their parameters and layout, then the same as distribution bands.

`reproduce("fig-3")` gives the data, an SVG in the paper's layout (110 runs, eleven levels, the
target a red staircase, p-values raised by 1) and one that shows the distribution over many runs.
"""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import InferenceError
from informed.inference.tests import test
from informed.measures import find
from informed.simulation import _svg as draw
from informed.simulation._point import point_probability
from informed.simulation.experiment import LEVELS
from informed.simulation.generators import GENERATORS, population
from informed.table import Table

RECIPE = "premarginal"  # "pre-marginalized … discretized absolute normal" (000)
RUNS = 10  # a level: 110 in all
Columns = Mapping[str, Any]


@dataclass(frozen=True)
class Figure:
    """Data and drawings of a figure; `save` writes CSV, SVG and, with a browser there, PNG."""

    name: str
    title: str
    data: Columns
    paper: str  # SVG
    modern: str  # SVG
    seed: int

    def csv(self) -> str:
        """The data of the figure, a row a line."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.data)
        writer.writerows(zip(*(_written(c) for c in self.data.values()), strict=True))
        return out.getvalue()

    def save(self, folder: str | Path, *, png: bool = False) -> list[Path]:
        """Write CSV, both drawings as SVG and, if wanted, as PNG; gives the files."""
        folder = Path(folder)
        if not folder.is_dir():
            raise InferenceError(f"The folder {str(folder)!r} does not exist.")
        files = {
            f"{self.name}.csv": self.csv(),
            f"{self.name}.svg": self.paper,
            f"{self.name}-bands.svg": self.modern,
        }
        written = []
        for name, text in files.items():
            path = folder / name
            path.write_text(text, encoding="utf-8")
            written.append(path)
            if png and name.endswith(".svg"):
                written.append(to_png(path))
        return written


def reproduce(name: str, *, seed: int = 2011, replicates: int = 2000) -> Figure:
    """A figure of the papers by its name (`FIGURES`); `replicates` runs a level for the bands."""
    if name not in FIGURES:
        raise InferenceError(f"There is no figure {name!r}; there are {', '.join(FIGURES)}.")
    if replicates < 20:
        raise InferenceError(f"`replicates` is {replicates}; the bands need 20 at least.")
    title, make = FIGURES[name]
    stream = np.random.default_rng(np.random.SeedSequence(seed))
    data, paper, modern = make(stream, replicates)
    return Figure(name, title, data, paper, modern, seed)


def to_png(svg: Path) -> Path:
    """The drawing as PNG, by the browser of the system."""
    known = ("chromium", "chromium-browser", "google-chrome")
    browser = next(filter(None, map(shutil.which, known)), None)
    if browser is None:
        raise InferenceError("A PNG needs Chromium or Chrome on the path; the SVG needs nothing.")
    out = svg.with_suffix(".png")
    head = svg.read_text(encoding="utf-8")[:400]
    wide, tall = (head.split(f'{side}="')[1].split('"')[0] for side in ("width", "height"))
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             f"--user-data-dir={profile}", f"--window-size={wide},{tall}",
             f"--screenshot={out.resolve()}", svg.resolve().as_uri()],
            check=True, capture_output=True, timeout=120,
        )  # fmt: skip
    return out


# ------------------------------------------------------------------ the simulated figures


def _simulated(rng: np.random.Generator, runs: int, k: int, n: int) -> tuple[Array, Table]:
    """Targets and tables, level after level, as along the papers' horizontal axis."""
    recipe = GENERATORS[RECIPE]
    tables = [recipe.draw(rng, level, k=k, n=n, size=runs).counts for level in LEVELS]
    return np.repeat(LEVELS, runs), Table.from_counts(np.concatenate(tables))


def _value(measure: str) -> Callable[[Table], Array]:
    return lambda t: np.asarray(find(measure)(t), dtype=np.float64)


def _p(method: str) -> Callable[[Table], Array]:
    return lambda t: np.asarray(test(t, method=method).pvalue, dtype=np.float64)


def _root_det(t: Table) -> Array:
    shares = ratio(t.counts, np.asarray(t.n)[..., None, None])
    return np.asarray(np.abs(np.linalg.det(shares)) ** (1 / t.k))


def _geometric(shares: Array) -> Array:
    return np.asarray(np.exp(np.log(np.maximum(shares, 1e-300)).mean(axis=-1)))


def _cramer_g(t: Table) -> Array:
    g = np.asarray(test(t, method="g").statistic, dtype=np.float64)
    return np.asarray(np.sqrt(ratio(g, np.asarray(t.n) * (t.k - 1))))


def _size_of_det(exponent: str) -> Callable[[Table], Array]:
    inside = _value(f"informedness_det(exponent='{exponent}')")
    return lambda t: np.abs(inside(t))


Curves = dict[str, tuple[Callable[[Table], Array], str, str, float]]  # what, colour, mark, shift

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
    "Fisher (point)": (point_probability, draw.TEAL, "line", 1),
}
ESTIMATES: Curves = {
    "DB (2/K)": (_size_of_det("2/K"), draw.BROWN, "line", 0),
    "DBa (1/(3K−2))": (_size_of_det("1/(3K-2)"), draw.GREY, "line", 0),
    "difference": (
        lambda t: _size_of_det("1/(3K-2)")(t) - _size_of_det("2/K")(t), "#bbb", "2 2", 0),
}  # fmt: skip
CRAMER: Curves = {
    "V from χ²": (_value("cramers_v"), draw.BROWN, "line", 0),
    "V from G²": (_cramer_g, draw.GREY, "line", 0),
}


def _shifted(curves: Curves, by: float) -> Curves:
    return {
        name: (what, colour, mark, by if shift else 0.0)
        for name, (what, colour, mark, shift) in curves.items()
    }


def _runs(
    rng: np.random.Generator,
    replicates: int,
    *,
    title: str,
    k: int,
    n: int,
    curves: Curves,
    confidence: float = 0.0,
    low: float = -0.35,
) -> tuple[Columns, str, str]:
    """A figure of simulated runs in both layouts; `confidence` is X, where bands are drawn."""
    target, t = _simulated(rng, RUNS, k, n)
    values = {name: what(t) for name, (what, *_) in curves.items()}
    raised = any(shift > 0 for *_, shift in curves.values())
    lowered = any(shift < 0 for *_, shift in curves.values())
    span = (-1.1 if lowered else low, 2.05 if raised else 1.1)
    head = f"{title}: K = {k}, N = {n}"
    p = draw.Plot(head, (0, len(target)), span, "run", "value (some +1)" if raised else "value",
                  width=900, height=560, legend_right=True)  # fmt: skip
    run = np.arange(float(len(target)))
    p.line(run, target, draw.RED, "target", thick=2)
    if confidence:
        _bands(p, run, target, t, n, confidence)
    for name, (_, colour, mark, shift) in curves.items():
        label = f"{name}{shift:+.0f}" if shift else name
        if mark == "dot":
            p.dots(run, values[name] + shift, colour, label)
        else:
            p.line(run, values[name] + shift, colour, label, "" if mark == "line" else mark, 1.1)
    data = {"run": run.astype(int), "target": target, **values}
    return data, p.svg(), _distribution(rng, replicates, head, k, n, curves, confidence)


def _bands(p: draw.Plot, run: Array, target: Array, t: Table, n: int, x: float) -> None:
    """The papers' bands around the target and around B = 0 and B = 1."""
    e = np.asarray(find("evenness_factor")(t))
    scale = x / np.sqrt(2 * np.maximum(e, 1e-9) * (n - 1))
    one, two = scale * (1 - 2 * target + 2 * target**2), scale * (1 - target)
    p.line(run, target + one, draw.RED, "target ± CI_B1", "4 3", 0.9)
    p.line(run, target - one, draw.RED, "", "4 3", 0.9)
    p.line(run, target - two, draw.ORANGE, "target − CI_B2", "2 3", 0.9)
    p.line(run, scale, draw.GREY, "around 0 and 1", "1 2", 0.9)
    p.line(run, 1 - scale, draw.GREY, "", "1 2", 0.9)


def _distribution(
    rng: np.random.Generator,
    replicates: int,
    head: str,
    k: int,
    n: int,
    curves: Curves,
    confidence: float,
) -> str:
    """Median and central 95 % at each level, the papers' recipe beside honest sampling."""
    plots = []
    for recipe in (RECIPE, "multinomial"):
        p = draw.Plot(f"{head}, {recipe}", (0, 1), (-0.3, 1.15), "true informedness",
                      f"median and central 95 % of {replicates:,} tables a level",
                      width=560, height=430)  # fmt: skip
        p.line([0, 1], [0, 1], draw.FAINT, "", "3 3")
        quantiles: dict[str, list[Array]] = {name: [] for name in curves}
        for level in LEVELS:
            t = GENERATORS[recipe].draw(rng, level, k=k, n=n, size=replicates)
            for name, (what, *_) in curves.items():
                quantiles[name].append(np.nanquantile(what(t), [0.025, 0.5, 0.975]))
        for name, (_, colour, mark, _) in curves.items():
            low, middle, high = np.array(quantiles[name]).T
            if name == "B":
                p.band(LEVELS, low, high, colour, "B, central 95 %", opacity=0.15)
            p.line(LEVELS, middle, colour, name, "5 3" if mark == "5 3" else "")
        if confidence:
            aim = np.array(LEVELS)
            wide = confidence / np.sqrt(2 * (n - 1)) * (1 - 2 * aim + 2 * aim**2)
            p.line(LEVELS, aim - wide, draw.RED, "level ± CI_B1, even margins", "4 3", 1)
            p.line(LEVELS, aim + wide, draw.RED, "", "4 3", 1)
        plots.append(p)
    return draw.grid(plots, 2)


# ------------------------------------------------------------------ figures that need no chance


def _chi_against_df(rng: np.random.Generator, replicates: int) -> tuple[Columns, str, str]:
    """Figure 4: curves of equal p over χ² and its degrees of freedom."""
    from scipy.special import chdtri

    del rng, replicates
    df = np.arange(1, 26)
    shares = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)  # p/α
    p = draw.Plot("χ² at which p/α is constant, α = .05", (1, 25), (0, 60), "degrees of freedom r",
                  "χ²", width=640, height=430)  # fmt: skip
    m = draw.Plot("The same divided by r: far from constant", (1, 25), (0, 10),
                  "degrees of freedom r", "χ²/r", width=640, height=430)  # fmt: skip
    data: dict[str, Any] = {"df": df}
    for share, colour in zip(shares, (*draw.COLOURS,), strict=False):
        chi = np.asarray(chdtri(df, 0.05 * share))
        data[f"p/alpha = {share:g}"] = chi
        p.line(df, chi, colour, f"p/α = {share:g}")
        m.line(df, chi / df, colour, f"p/α = {share:g}")
    return data, p.svg(), m.svg()


def _bars(
    rng: np.random.Generator,
    replicates: int,
    *,
    title: str,
    tables: Mapping[str, Table],
    measures: tuple[str, ...],
) -> tuple[Columns, str, str]:
    """A table of measures: bars in the order of the paper, then a dot plot against chance."""
    del rng, replicates
    values = {name: [float(find(m)(t)) for m in measures] for name, t in tables.items()}
    chance = {name: [float(find(m).chance(t)) for m in measures] for name, t in tables.items()}
    p = draw.Plot(title, (0, len(measures)), (-0.25, 1.35), width=760, height=420,
                  x_ticks=[i + 0.5 for i in range(len(measures))],
                  x_names=list(measures))  # fmt: skip
    m = draw.Plot(f"{title} (grey: guessing)", (-0.25, 1.05),
                  (0, len(measures) * len(tables)), "value", width=760,
                  height=80 + 17 * len(measures) * len(tables), y_ticks=[], y_names=[])  # fmt: skip
    slot = 0.8 / len(tables)
    for i, (name, found) in enumerate(values.items()):
        colour = draw.COLOURS[i]
        p.legend.append((name, colour, "band"))
        m.legend.append((name, colour, "dot"))
        for j, v in enumerate(found):
            left = j + 0.1 + i * slot
            if np.isfinite(v):
                p.box(left, left + slot * 0.9, min(v, 0), max(v, 0), colour)
            row = (len(measures) - j - 1) * len(tables) + len(tables) - i - 0.5
            m.dots([chance[name][j]], [row], "#bbb", r=5)
            m.dots([v], [row], colour, r=4)
            if i == 0:
                m.text(1.04, row - 0.2, measures[j], anchor="end")
    data: dict[str, Any] = {"measure": list(measures)}
    for name in values:
        data |= {name: values[name], f"{name}, chance": chance[name]}
    return data, p.svg(), m.svg()


def _twelve(rng: np.random.Generator, replicates: int) -> tuple[Columns, str, str]:
    """The 12-class table of 2003: printed B beside B of the counts that the print implies."""
    del rng, replicates
    names = list("ABEGHIKMNOPZ")
    triples = [(28, 28, 79), (1, 37, 1), (1, 3, 1), (1, 15, 3), (2, 15, 8), (1, 10, 1), (1, 3, 4),
               (8, 8, 24), (10, 10, 41), (1, 12, 4), (3, 24, 3), (1, 5, 1)]  # fmt: skip
    hits, predicted, real = np.array(triples, dtype=float).T
    n = 170.0
    right = (hits / n - predicted * real / n**2) / (real / n * (1 - real / n))
    slipped = hits / predicted - (predicted - hits) / (n - predicted)
    p = draw.Plot("12 classes of 2003, as printed (margins interchanged)", (0, 12), (-0.4, 1.05),
                  "class", "B of the class", width=640, height=380,
                  x_ticks=[i + 0.5 for i in range(12)], x_names=names)  # fmt: skip
    m = draw.Plot("The same counts, informedness as defined", (0, 12), (-0.4, 1.05), "class",
                  "B of the class", width=640, height=380,
                  x_ticks=[i + 0.5 for i in range(12)], x_names=names)  # fmt: skip
    for i in range(12):
        p.box(i + 0.15, i + 0.85, min(slipped[i], 0), max(slipped[i], 0), draw.ORANGE)
        m.box(i + 0.15, i + 0.85, min(right[i], 0), max(right[i], 0), draw.BLUE)
    data = {"class": names, "hits": hits, "cluster size": predicted, "class size": real,
            "B as printed": slipped, "B": right, "prevalence": real / n}  # fmt: skip
    return data, p.svg(), m.svg()


TABLE_2 = {
    "first": Table.from_counts([[56, 20], [12, 12]]),
    "second": Table.from_counts([[30, 12], [30, 28]]),
}
SPREADSHEET = {
    "1 guessing": population(0, k=2, prevalence=0.7, guess=0.8),
    "2 perfect": population(1, k=2, prevalence=0.7, guess=0.8),
    "3 informed 15 %": population(0.15, k=2, prevalence=0.7, guess=0.8),
    "4 perverse 15 %": population(-0.15, k=2, prevalence=0.7, guess=0.8),
}

Make = Callable[[np.random.Generator, int], tuple[Columns, str, str]]


def _figure(
    title: str, make: Callable[..., tuple[Columns, str, str]], **how: Any
) -> tuple[str, Make]:
    return title, partial(make, **({"title": title} | how if how else {}))


FIGURES: dict[str, tuple[str, Make]] = {
    "fig-2": _figure("Accuracy of traditional measures", _runs, k=4, n=128,
                     curves=DEEP | TRADITIONAL | DETERMINANT),
    "fig-3": _figure("Determinant-based estimates of correlation", _runs, k=4, n=128,
                     curves=DEEP | ESTIMATES | SIGNIFICANCE),
    "fig-4": _figure("χ² against degrees of freedom", _chi_against_df),
    "fig-5": _figure("Significance and Cramér's V", _runs, k=4, n=128,
                     curves=DEEP | CRAMER | SIGNIFICANCE),
    "fig-6": _figure("Significance and confidence", _runs, k=4, n=16, confidence=1.96,
                     curves=DEEP | SIGNIFICANCE),
    "fig-7": _figure("Significance and confidence", _runs, k=5, n=128, confidence=1.96,
                     curves=DEEP | SIGNIFICANCE),
    "sig-2": _figure("Accuracy of significance and confidence measures", _runs, k=4, n=16,
                     confidence=2.0, curves=DEEP | CRAMER | SIGNIFICANCE),
    "poster": _figure("Weighted, harmonic and geometric averages, and kappas", _runs, k=4, n=128,
                      curves=DEEP | TRADITIONAL | _shifted(DETERMINANT, -1)),
    "iccs-1": _figure("The spreadsheet of 2003", _bars, tables=SPREADSHEET,
                      measures=("accuracy", "f1", "inverse_f1", "g_measure", "informedness",
                                "markedness", "cohen_kappa")),
    "table-2": _figure("Table 2: all but B rise from the second to the first", _bars,
                       tables=TABLE_2,
                       measures=("informedness", "markedness", "matthews", "recall", "precision",
                                 "accuracy", "f1", "g_measure", "cohen_kappa")),
    "twelve-class": _figure("The 12 classes of 2003", _twelve),
}  # fmt: skip


def _written(column: Any) -> list[Any]:
    values = np.asarray(column).tolist()
    return [f"{v:.6g}" if isinstance(v, float) else v for v in values]
