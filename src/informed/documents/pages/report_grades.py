"""The section of a report on ordered labels: cuts between grades, near misses and far misses."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from informed._numbers import count, percent, rate, span
from informed.documents.blocks import Block, Cell, Grid, Section, Words, drawing, sentence, table
from informed.documents.charts.chart import Chart
from informed.documents.charts.grades import Bar, by_cuts, by_distance
from informed.evidence.shown import shown
from informed.summary.grades import Cut, Distance, Grades
from informed.summary.parts import Estimate
from informed.summary.report import Report

MOST_CUTS = 40  # rows of cuts in text; a page shows all


class Both(NamedTuple):
    """What is so many grades too low, and as many too high."""

    low: Distance
    high: Distance

    @property
    def cases(self) -> float:
        return self.high.cases + (self.low.cases if self.high.away else 0.0)

    @property
    def shuffled(self) -> float:
        return self.high.shuffled + (self.low.shuffled if self.high.away else 0.0)


def grades(report: Report, drawn: Callable[[Estimate, float], Cell], precision: int) -> Section | None:
    """What the order of the labels adds; None where it is not known, or there are two."""
    held = report.grades
    if held is None:
        return None
    n = float(report.table.total)
    blocks: list[Block] = [
        Words(held.sentence),
        drawing("Informedness by cuts", lambda: cuts_chart(held)),
        _measures(held, drawn, report.level, precision),
        _cuts(held, report.level, precision),
        drawing("Predictions by distance", lambda: distance_chart(held, n)),
        _distances(held, n, report.counted.unit),
    ]
    blocks += [Words(sentence(str(x)), "note") for x in held.notes]
    return Section("grades", "Near and far misses", tuple(blocks))


def cuts_chart(held: Grades) -> Chart | None:
    bars = [Bar(_named(c), c.weight, c.value, c.low, c.high) for c in held.cuts]
    return by_cuts(bars, held.leading.value, title="Informedness of each cut between grades; the area is that of all")


def distance_chart(held: Grades, n: float) -> Chart | None:
    away, seen, shuffled = zip(*((d.away, d.cases / n, d.shuffled / n) for d in held.distances), strict=True)
    return by_distance(away, seen, shuffled, title="How many grades predictions are off, and shuffled ones")


def _named(c: Cut) -> str:
    return f"above {shown(c.below, 18)}"


def _measures(held: Grades, drawn: Callable[[Estimate, float], Cell], level: float, precision: int) -> Grid:
    start = -1.0 if any(e.low < 0 or e.value < 0 for e in held.estimates) else 0.0
    cells: dict[str, Callable[[Estimate], Cell]] = {
        "measure": lambda e: e.title,
        "value": lambda e: rate(e.value, precision),
        f"{percent(level)} interval": lambda e: span(e.low, e.high, precision),
        "picture|": lambda e: drawn(e, start),
    }
    return table("Of the order of the grades (0 is guessing)", held.estimates, cells)


def _cuts(held: Grades, level: float, precision: int) -> Grid:
    cells: dict[str, Callable[[Cut], Cell]] = {
        "really": _named,
        "share": lambda c: rate(c.prevalence, precision),
        "weight": lambda c: percent(c.weight),
        "informedness": lambda c: rate(c.value, precision),
        f"{percent(level)} interval": lambda c: span(c.low, c.high, precision),
    }
    weight = "Each cut is a bet on two classes; it weighs π(1 − π), where π is the share of cases above it"
    return table(weight, held.cuts, cells, cut=tuple(range(MOST_CUTS)) if len(held.cuts) > MOST_CUTS else ())


def _distances(held: Grades, n: float, unit: str) -> Grid:
    """By distance, both ways together."""
    by = {d.away: d for d in held.distances}
    rows = [Both(by[-a], by[a]) for a in range(max(by) + 1)]
    while len(rows) > 2 and not rows[-1].cases and rows[-1].shuffled < 0.05:
        rows.pop()
    cells: dict[str, Callable[[Both], Cell]] = {
        "grades off": lambda r: str(r.high.away) if r.high.away else "0 (right)",
        unit: lambda r: count(r.cases),
        "share": lambda r: percent(r.cases / n),
        "too low": lambda r: count(r.low.cases) if r.high.away else "",
        "too high": lambda r: count(r.high.cases) if r.high.away else "",
        "shuffled": lambda r: percent(r.shuffled / n),
    }
    return table("Near misses and far misses, beside the same predictions shuffled over the cases", rows, cells)
