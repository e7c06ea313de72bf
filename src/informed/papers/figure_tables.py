"""The papers' figures and tables in which nothing is random."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from informed.documents.charts.chart import Chart
from informed.documents.charts.marks import Axis, Cells, Dots, Mark, Ranges, Tick, scale
from informed.evidence.table import Table
from informed.measures import find
from informed.measures.titles import titled
from informed.papers import drawing as draw
from informed.papers.drawing import BAD, GOOD, HEAD
from informed.papers.examples import (
    MEASURES,
    NOTATION,
    PRINTED,
    PRINTED_2,
    SENSES,
    SIX,
    SMALL,
    SPREADSHEET,
    STATISTICS,
    TABLE_2,
    twelve_averages,
    twelve_classes,
)
from informed.papers.figure_runs import Drawn
from informed.papers.texts import templates
from informed.simulation.judging import pvalues, statistics, values

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
    modern = draw.chart(words["modern"], across, scale(0, 12.5, "χ²/r"), falls)
    data = {"df": df.astype(int), **{f"p/alpha = {share:g}": chi for share, chi in found.items()}}
    return data, paper, modern


# ------------------------------------------------------------------ Table 2 of 000, the spreadsheet


class Share(float):
    """Written in percent and rounded as a spreadsheet does; the format is the digits."""

    def __format__(self, digits: str) -> str:
        return f"{half_up(100 * self, int(digits or 0)):.{digits or 0}f} %".replace("-", "−")


class Money(float):
    """Written in dollars, after the mark of its cell: what is won is right, what is lost wrong."""

    def __format__(self, _: str) -> str:
        mark = "+" if self > 0.005 else "-−" if self < -0.005 else ""
        return f"{mark}${abs(self):.2f}"


class Shown(dict[str, Any]):
    """What a sheet says of a table, by name: measures, and all that is given."""

    def __init__(self, t: Table, **given: Any) -> None:
        super().__init__(given)
        self.table = t

    def __missing__(self, measure: str) -> Share:
        return Share(values(self.table, measure))


def half_up(x: float, digits: int = 0) -> float:
    """Rounded as a spreadsheet does, 12.5 to 13; and not 12.499999, which is 12.5 computed."""
    scale = 10.0**digits
    return float(np.floor(x * scale + 0.5 + 1e-9) / scale)


def whole(x: int) -> str:
    """With the minus of the other cells."""
    return str(x).replace("-", "−")


def printed(name: str, tables: Mapping[str, Table], title: str) -> Chart:
    """The sheet of a figure, its rows for each table below each other."""
    held = templates("examples")["sheets"][name]
    rows = []
    for model, t in tables.items():
        found = _bets(t) | {x: statistics(t, m) for x, m in held["statistics"].items()}
        shown = Shown(t, name=model, **found)
        rows += [draw.row(line.format_map(shown)) for line in held["rows"].strip().split("\n")]
    return draw.sheet(rows, held["widths"], title)


def _bets(t: Table) -> dict[str, Any]:
    """Cells of 100 and their totals, and what $10 win at fair odds."""
    cells = 100 * t.counts / t.total
    real, predicted = cells.sum(axis=0), cells.sum(axis=1)
    pays = np.array([[1, -1], [-1, 1]]) * cells / real * 10
    won, bias = pays.sum(axis=1), predicted / 100
    return {
        "cells": cells, "real": real, "predicted": predicted, "bias": [Share(x) for x in bias],
        "pays": [[Money(x) for x in row] for row in pays], "won": [Money(x) for x in won],
        "weighted": [Money(x) for x in won * bias], "wins": Share(won @ bias / 10),
    }  # fmt: skip


def examples(name: str, tables: Mapping[str, Table], words: Words) -> Drawn:
    """Tables as they are printed, and their measures beside what guessing would get."""
    data, modern = _against_chance(tables, MEASURES[name], words["modern"])
    return data, printed(name, tables, words["paper"]), modern


def table_2(words: Words) -> Drawn:
    """Both examples, and everything that is said of them: as printed, as it is, by guessing, and its p."""
    from scipy.special import chdtri

    data, paper, modern = examples("table-2", TABLE_2, words)
    nothing = [None] * len(data["measure"])
    said: dict[str, Any] = {"what": [*data["measure"], *STATISTICS, "χ² at p = .05"]}
    for name, t in TABLE_2.items():
        found, p = ([float(of(t, m)) for m in STATISTICS.values()] for of in (statistics, pvalues))
        said |= {
            f"{name}, printed": [PRINTED_2[name].get(x) for x in said["what"]],
            name: [*data[name], *found, float(chdtri(1, 0.05))],
            f"{name}, chance": [*data[f"{name}, chance"], *(None for _ in found), None],
            f"{name}, p": [*nothing, *p, 0.05],
        }
    return said, paper, modern


def _against_chance(tables: Mapping[str, Table], measures: list[str], title: str) -> tuple[dict[str, Any], Chart]:
    """Each measure of each table as a dot, beside what guessing with the same margins would get."""
    each = len(tables)
    marks: list[Mark] = []
    data: dict[str, Any] = {"measure": measures}
    for i, (name, t) in enumerate(tables.items()):
        found, chance = [float(find(m)(t)) for m in measures], [float(find(m).chance(t)) for m in measures]
        data |= {name: found, f"{name}, chance": chance}
        rows, colour = [float(each * j + i) for j in range(len(measures))], draw.COLOURS[i]
        marks += [
            Ranges(chance, rows, found, rows, f"curve thin {colour}"),
            Dots(chance, rows, "even-dot", 5.5),
            Dots(found, rows, f"mark {colour}", 4.0, name=name),
        ]
    rows = [each * (j + 0.5) - 0.5 for j in range(len(measures))]
    ticks = [Tick(at, titled(m), role="") for at, m in zip(rows, measures, strict=True)]
    between = [Tick(each * j - 0.5) for j in range(1, len(measures))]
    count = each * len(measures)
    y = Axis(count - 0.5, -0.5, ticks=(*ticks, *between), words="lab")
    x = scale(-0.25, 1.05, "value", at=(-0.25, 0, 0.25, 0.5, 0.75, 1))
    return data, draw.chart(title, x, y, marks, tall=17.0 * count)


# ------------------------------------------------------------------ the 12 classes of 002


def twelve(words: Words) -> Drawn:
    """The table as printed, the same again from the counts that it implies, and B as defined."""
    data = twelve_classes()
    names, right, slipped = data["class"], data["B"], data["B as printed"]
    again = {row: data[row] for row in ("r", "p", "F", "G")} | {"B": slipped}
    averages = twelve_averages(data)
    rows: list[list[draw.Cell]] = [[(x, HEAD) for x in ("%", *names, "wav")]]
    for row, printed in PRINTED.items():
        found = [int(half_up(100 * float(v))) for v in again[row]]
        colours = [GOOD if v == w else BAD for v, w in zip(found, printed, strict=False)]
        rows.append([(f"{row}, printed", HEAD), *((whole(w), "") for w in printed)])
        cells = [(whole(v), colour) for v, colour in zip(found, colours, strict=True)]
        wav = int(half_up(100 * averages[row]))
        rows.append([(f"{row}, again", HEAD), *cells, (str(wav), GOOD if wav == printed[-1] else BAD)])
    mean = averages["B as defined"]
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
    last: dict[str, Any] = {"class": "wav"} | averages | {"B as printed": averages["B"], "B": mean}
    columns = {c: [*held, last.get(c)] for c, held in data.items()}
    return columns, paper, draw.chart(words["modern"], x, y, marks, wide=680)


# ------------------------------------------------------------------ tables of words


def senses(words: Words) -> Drawn:
    """Table 1 of 2003: how often each sense occurs, and how many of those cases were classified.

    Six reconstructions of the 12 classes fit what is printed; they differ in the sizes of A, M and N.
    """
    names, meant = [row[0] for row in SENSES], [row[1] for row in SENSES]
    occurs, documents = [row[2] for row in SENSES], [row[3] for row in SENSES]
    twelve = twelve_classes()
    kept = {str(name): int(n) for name, n in zip(twelve["class"], twelve["class size"], strict=True)}
    classified = [kept.get(name, 0) for name in names]
    least, most = ([SIX[name][i] if name in SIX else kept.get(name, 0) for name in names] for i in (0, -1))
    data: dict[str, Any] = {
        "class": names, "meaning": meant, "occurrences": occurs, "documents": documents,
        "classified, one of six": classified, "classified, least": least, "classified, most": most,
    }  # fmt: skip
    heads: list[list[draw.Cell]] = [[(x, HEAD) for x in ("", "sense", "occurrences", "documents")]]
    body = [[(str(x), "") for x in row] for row in SENSES]
    total: list[draw.Cell] = [("", HEAD), ("all", HEAD), (str(sum(occurs)), HEAD), ("", HEAD)]
    paper = draw.sheet([*heads, *body, total], [30, 230, 90, 90], words["paper"])
    series = {"occurrences": [float(x) for x in occurs], "classified": [float(x) for x in classified]}
    at = [names.index(name) + 0.68 for name in SIX]  # the middle of the second bar
    ends = [float(sizes[0]) for sizes in SIX.values()], [float(sizes[-1]) for sizes in SIX.values()]
    marks = [*draw.bars(series), Ranges(at, ends[0], at, ends[1], "curve", "classified, by all six")]
    y = scale(0, 250, "cases")
    return data, paper, draw.chart(words["modern"], draw.kinds(names, "sense"), y, marks, wide=680)


def notation(words: Words) -> Drawn:
    """Table 1 of the later papers: a contingency table in both notations, and with Table 2's first counts."""
    paper = draw.sheet([draw.row(line) for line in NOTATION], [44.0] * 9, words["paper"])
    (a, b), (c, d) = TABLE_2["first"].counts.tolist()
    n = a + b + c + d
    cells = {"tp": a, "fp": b, "pp": a + b, "fn": c, "tn": d, "pn": c + d, "rp": a + c, "rn": b + d, "1": n}
    letters = ("A", "B", "A+B", "C", "D", "C+D", "A+C", "B+D", "N")
    data = {
        "systematic": list(cells), "traditional": list(letters),
        "example": [float(x) for x in cells.values()], "share": [float(x / n) for x in cells.values()],
    }  # fmt: skip
    return data, paper, printed("table-2", {"first": TABLE_2["first"]}, words["modern"])


STILL: dict[str, Callable[[Words], Drawn]] = {
    "fig-4": chi_against_df,
    "iccs-1": partial(examples, "iccs-1", SPREADSHEET),
    "table-2": table_2,
    "small": partial(examples, "small", SMALL),
    "table-1": senses,
    "twelve-class": twelve,
    "notation": notation,
}
