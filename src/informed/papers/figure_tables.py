"""The papers' figures and tables in which nothing is random."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from informed.documents.charts.chart import Chart
from informed.documents.charts.marks import Axis, Cells, Dots, Mark, Ranges, Tick, scale
from informed.evidence.table import Table
from informed.measures import find
from informed.papers import drawing as draw
from informed.papers.drawing import BAD, GOOD, HEAD
from informed.papers.examples import (
    MEASURES_2,
    NAMES_2,
    PRINTED,
    SPREADSHEET,
    STATISTICS_2,
    TABLE_2,
    twelve_classes,
)
from informed.papers.figure_runs import Drawn
from informed.simulation.judging import statistics, values

Words = Mapping[str, str]  # captions: "paper" and "modern"


def chi_against_df(words: Words) -> Drawn:
    """Figure 4: contours of p/α over χ² and its degrees of freedom, the boundary p = α in black."""
    from scipy.special import chdtrc, chdtri

    df = np.arange(1.0, 26.0)
    shares = (1e-4, 1e-3, 1e-2, 1e-1, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0)  # p/α
    found = {share: np.asarray(chdtri(df, min(0.05 * share, 1 - 1e-9))) for share in shares}
    step = 0.5
    x, y = (a.ravel() for a in np.meshgrid(np.arange(1, 25, step), np.arange(0, 60, 2 * step)))
    depth = np.log10(chdtrc(x + step / 2, y + step) / 0.05) / 4  # full colour at p/α = 10⁻⁴
    marks: list[Mark] = [
        Cells(
            x[these], y[these], x[these] + step, y[these] + 2 * step, f"mark {colour} crisp",
            np.abs(np.clip(depth[these], -1, 1)),
        )
        for colour, these in ((draw.BLUE, depth < 0), (draw.ORANGE, depth >= 0))
    ]  # fmt: skip
    marks += [
        draw.line(df, chi, "", f"p/α = {share:g}", "thick" if share == 1 else "thin dashed")
        for share, chi in found.items()
    ]
    across = scale(1, 25, "degrees of freedom r", at=range(1, 26, 4))
    paper = draw.chart(words["paper"], across, scale(0, 60, "χ²"), marks, tall=370)
    falls = [
        draw.line(df, found[share] / df, colour, f"p/α = {share:g}")
        for share, colour in zip((0.01, 0.1, 1.0), draw.COLOURS, strict=False)
    ]
    modern = draw.chart(words["modern"], across, scale(0, 10, "χ²/r"), falls)
    data = {"df": df.astype(int), **{f"p/alpha = {share:g}": chi for share, chi in found.items()}}
    return data, paper, modern


# ------------------------------------------------------------------ Table 2 of 000


def table_2(words: Words) -> Drawn:
    """Counts, measures and statistics of the two examples, right and wrong decisions coloured."""
    rows: list[list[draw.Cell]] = []
    for t in TABLE_2.values():
        (a, b), (c, d) = t.counts
        counts = ((f"{a:g}", GOOD), (f"{b:g}", BAD), (f"{a + b:g}", ""), ("+P", HEAD))
        below = ((f"{c:g}", BAD), (f"{d:g}", GOOD), (f"{c + d:g}", ""), ("−P", HEAD))
        totals = ((f"{a + c:g}", ""), (f"{b + d:g}", ""), ("100", ""), ("", ""))
        one = [(f"{name}  {100 * values(t, m):.2f} %", "") for name, m in NAMES_2.items()]
        two = [(f"{name}  {statistics(t, m):.2f}", "") for name, m in STATISTICS_2.items()]
        two.append(("α = .05: 3.84", HEAD))
        blocks = [*one, *two]
        rows.append([("+R", HEAD), ("−R", HEAD), ("N", HEAD), ("", HEAD), *[("", HEAD)] * 5])
        for i, line in enumerate((counts, below, totals)):
            rows.append([*line, *blocks[5 * i : 5 * i + 5]])
    paper = draw.sheet(rows, [48, 48, 48, 40, 140, 140, 140, 140, 140], words["paper"])
    data, modern = _against_chance(TABLE_2, MEASURES_2, words["modern"])
    return data, paper, modern


# ------------------------------------------------------------------ the spreadsheet of 002

MEASURES_1 = ("accuracy", "f1", "inverse_f1", "g_measure", "informedness", "markedness",
              "cohen_kappa")  # fmt: skip


def spreadsheet(words: Words) -> Drawn:
    """The four models: cells of 100, recalls, precisions, F and G, and what a bet of $10 wins."""
    rows: list[list[draw.Cell]] = []
    for name, t in SPREADSHEET.items():
        rows += _model(name, t)
    paper = draw.sheet(rows[:-1], [150, 84, 84, 84, 110, 84, 84, 84], words["paper"])
    data, modern = _against_chance(SPREADSHEET, MEASURES_1, words["modern"])
    return data, paper, modern


def _model(name: str, t: Table) -> list[list[draw.Cell]]:
    cells = 100 * t.counts
    (a, b), (c, d) = cells
    real, said = cells.sum(axis=0), cells.sum(axis=1)
    weights = said / 100
    pays = np.array([[1, -1], [-1, 1]]) * cells / real * 10
    won = pays.sum(axis=1)
    blank: draw.Cell = ("", "")

    def of(measure: str, digits: int = 0) -> draw.Cell:
        return percent(float(values(t, measure)), digits)

    def percent(x: float, digits: int = 0) -> draw.Cell:
        return f"{_half_up(100 * x, digits):.{digits}f} %".replace("-", "−"), ""

    def money(x: float) -> draw.Cell:
        return ("−" if x < -0.005 else "") + f"${abs(x):.2f}", GOOD if x > 0.005 else (
            BAD if x < -0.005 else "")  # fmt: skip

    return [
        [(f"Model {name}", HEAD), ("70 %", HEAD), ("30 %", HEAD), ("predicted", HEAD),
         ("", HEAD), ("Precision", HEAD), ("IPrecision", HEAD), ("", HEAD)],
        [percent(said[0] / 100), (f"{a:.1f}", GOOD), (f"{b:.1f}", BAD), (f"{said[0]:.1f}", ""),
         blank, of("precision"), blank, blank],
        [percent(said[1] / 100), (f"{c:.1f}", BAD), (f"{d:.1f}", GOOD), (f"{said[1]:.1f}", ""),
         blank, blank, of("inverse_precision"), blank],
        [("actual", ""), ("70", ""), ("30", ""), ("100", ""), ("Accuracy", HEAD),
         ("F", HEAD), ("IF", HEAD), ("AvF", HEAD)],
        [("recalls", ""), of("recall"), of("inverse_recall"), blank, of("accuracy"),
         of("f1", 2), of("inverse_f1", 2), of("av_f(weights='bias')", 2)],
        [("odds", HEAD), ("7", HEAD), ("3", HEAD), ("won", HEAD), ("Bookmaker", HEAD),
         ("G", HEAD), ("IG", HEAD), ("AvG", HEAD)],
        [money(won[0] * weights[0]), money(pays[0, 0]), money(pays[0, 1]), money(won[0]),
         percent(float(won @ weights) / 10), of("g_measure", 2), of("inverse_g", 2),
         of("av_g(weights='bias')", 2)],
        [money(won[1] * weights[1]), money(pays[1, 0]), money(pays[1, 1]), money(won[1]),
         blank, blank, blank, blank],
        [blank] * 8,
    ]  # fmt: skip


def _half_up(x: float, digits: int = 0) -> float:
    """Rounded as a spreadsheet does, 12.5 to 13; and not 12.499999, which is 12.5 computed."""
    scale = 10.0**digits
    return float(np.floor(x * scale + 0.5 + 1e-9) / scale)


def _against_chance(
    tables: Mapping[str, Table], measures: tuple[str, ...], title: str
) -> tuple[dict[str, Any], Chart]:
    """Each measure of each table as a dot, beside what guessing with the same margins would get."""
    found = {name: [float(find(m)(t)) for m in measures] for name, t in tables.items()}
    chance = {name: [float(find(m).chance(t)) for m in measures] for name, t in tables.items()}
    each = len(tables)
    marks: list[Mark] = []
    for i, (name, colour) in enumerate(zip(tables, draw.COLOURS, strict=False)):
        rows = [float(each * j + i) for j in range(len(measures))]
        marks += [
            Ranges(chance[name], rows, found[name], rows, f"curve thin {colour}"),
            Dots(chance[name], rows, "even-dot", 4.5),
            Dots(found[name], rows, f"mark {colour}", 4.0, name=name),
        ]
    rows = [each * (j + 0.5) - 0.5 for j in range(len(measures))]
    ticks = [Tick(at, m.replace("_", " "), role="") for at, m in zip(rows, measures, strict=True)]
    between = [Tick(each * j - 0.5) for j in range(1, len(measures))]
    count = each * len(measures)
    y = Axis(count - 0.5, -0.5, ticks=(*ticks, *between), words="lab")
    data: dict[str, Any] = {"measure": list(measures)}
    for name in found:
        data |= {name: found[name], f"{name}, chance": chance[name]}
    x = scale(-0.25, 1.05, "value", at=(-0.25, 0, 0.25, 0.5, 0.75, 1))
    return data, draw.chart(title, x, y, marks, tall=17.0 * count)


# ------------------------------------------------------------------ the 12 classes of 002


def twelve(words: Words) -> Drawn:
    """The table as printed, the same again from the counts that it implies, and B as defined."""
    data = twelve_classes()
    names, right, slipped = data["class"], data["B"], data["B as printed"]
    hits, predicted, real = data["hits"], data["cluster size"], data["class size"]
    again = {"r": hits / predicted, "p": hits / real, "B": slipped,
             "F": 2 * hits / (predicted + real), "G": hits / np.sqrt(predicted * real)}  # fmt: skip
    rows: list[list[draw.Cell]] = [[(x, HEAD) for x in ("%", *names, "wav")]]
    for row, printed in PRINTED.items():
        found = [int(_half_up(100 * float(v))) for v in again[row]]
        colours = [GOOD if v == w else BAD for v, w in zip(found, printed, strict=False)]
        rows.append([(f"{row}, printed", HEAD), *((str(w), "") for w in printed)])
        cells = ((str(v), colour) for v, colour in zip(found, colours, strict=True))
        rows.append([(f"{row}, again", HEAD), *cells, ("", "")])
    mean = float(right @ data["prevalence"])
    rows.append([("B as defined", HEAD), *((f"{100 * v:.0f}", "") for v in right),
                 (f"{100 * mean:.0f}", GOOD)])  # fmt: skip
    paper = draw.sheet(rows, [110, *[52] * 13], words["paper"])
    marks = [
        *draw.bars({"B as printed": slipped, "B as defined": right}, (draw.ORANGE, draw.BLUE)),
        draw.line([0, 12], [mean] * 2, draw.BLUE, f"mean, as defined: {mean:.2f}", "dashed"),
        draw.line([0, 12], [0.86] * 2, draw.ORANGE, "mean, as printed: 0.86", "dashed"),
    ]
    x = draw.kinds(names, "class, in the order of the table")
    y = scale(-0.4, 1.05, "B of the class")
    return data, paper, draw.chart(words["modern"], x, y, marks, wide=680)


STILL: dict[str, Callable[[Words], Drawn]] = {
    "fig-4": chi_against_df,
    "iccs-1": spreadsheet,
    "table-2": table_2,
    "twelve-class": twelve,
}
