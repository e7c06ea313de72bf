"""The pictures of a report: which of its numbers are drawn, and how they are called."""

from __future__ import annotations

import math
from collections.abc import Sequence

from informed._numbers import count, of_many, percent, rate
from informed.documents.charts.chart import Chart, Panels
from informed.documents.charts.curves import curve, shares, unit
from informed.documents.charts.forest import estimated, forest
from informed.documents.charts.marks import Lines, Moving, scale
from informed.documents.charts.matrix import MOST_CELLS, away_from_chance, small_matrix
from informed.documents.charts.plane import PlanePoint, roc_plane
from informed.documents.charts.slider import slider
from informed.documents.pages.report_cases import as_drawn
from informed.evidence.shown import shown
from informed.summary.parts import ClassRow
from informed.summary.report import Report

ROLES = ("curve s1", "curve s2", "curve s3", "curve s4")
MOST_SMALL = 24  # tables of groups
MANY_POINTS = 12  # classes from which on the plane is zoomed to them
MOST_POINTS = 1000  # classes in the ROC plane; of more, those with most cases


def roc(report: Report) -> Chart | None:
    """The point of the positive class with its intervals; of more classes, a point each."""
    t = report.table
    if not report.classes or not t.n:
        return None
    two = t.positive is not None
    held = [c for c in report.classes if c.real and c.real < t.n]
    if two:
        held = [c for c in held if c.label == t.positive]
    elif len(held) == 2:
        held = held[:1]
    held = sorted(held, key=lambda c: -c.real)[:MOST_POINTS] if len(held) > MOST_POINTS else held
    return roc_plane(
        "Recall against fallout (the ROC plane)",
        points=[_point(c, spread=two) for c in held],
        equal_cost=_equal_cost(report, held[0]) if two and held else None,
        named=not two,
        zoom=len(held) > MANY_POINTS,
        of=t.positive if two else "the class",
        sizes=(t.n - held[0].real, held[0].real) if two and held else None,
    )


def _point(c: ClassRow, *, spread: bool) -> PlanePoint:
    fall, recall = c["fallout"], c["recall"]
    name = shown(c.label, 18)
    if not spread:
        return PlanePoint(name, fall.value, recall.value)
    across, up = (fall.low, fall.high), (recall.low, recall.high)
    return PlanePoint(name, fall.value, recall.value, across, up)


def _equal_cost(report: Report, c: ClassRow) -> tuple[float, str]:
    if report.costs and not math.isnan(report.costs.slope):
        return report.costs.slope, f"equal cost ({report.costs.text})"
    return (report.table.n - c.real) / c.real, "equal accuracy"


def classes(report: Report) -> Chart | None:
    """Informedness of each class as bars with intervals, the best first."""
    if len(report.classes) < 3:
        return None
    ranked = sorted(
        (c for c in report.classes if not math.isnan(c["informedness"].value)), key=lambda c: -c["informedness"].value
    )
    if len(ranked) > MOST_CELLS:
        half = MOST_CELLS // 2
        ranked = ranked[:half] + ranked[-half:]
    rows = [estimated(shown(c.label, 22), c["informedness"]) for c in ranked]
    return forest(rows, "Informedness of each class against the rest", bars=True, across="informedness")


def groups(report: Report) -> Chart | None:
    """Informedness of each group, with the pooled value as a band."""
    o = report.overview
    if o is None:
        return None
    rows = [estimated(shown(report.groups[i].name, 22), report.groups[i].headline) for i in o.order]
    if report.systems:
        return forest(rows, "Informedness of each system", across="informedness")
    title = "Informedness of each group; the band is the pooled value"
    return forest(rows, title, guide=estimated("pooled", o.pooled), across="informedness")


def small_tables(report: Report) -> Panels | None:
    """The table of each group as a small multiple."""
    o = report.overview
    if o is None or len(report.table.real_labels) > 6:
        return None
    held = [report.groups[i] for i in o.order[:MOST_SMALL]]
    drawn = [(g.name, as_drawn(report, g.table)) for g in held]
    small = [small_matrix(t.counts, away_from_chance(t), shown(name, 16)) for name, t in drawn]
    said = "Predictions in rows, reality in columns, as in the large table; the best group first."
    return Panels("The tables of the groups", said, tuple(small), min(len(small), 6))


def prevalence(report: Report, key: str) -> str:
    """Precision, F and accuracy against the prevalence, and a slider along it; informedness stays where it is."""
    e, slider_id = report.elsewhere, f"{key}-range"
    if e is None or not e.curves:
        return ""
    held = dict(e.curves)
    x = held.pop("prevalence")
    titles = {each.measure: each.title for each in e.even}
    start = min(range(len(x)), key=lambda i: abs(x[i] - e.here))
    lines = [Lines(x, y, role, shown(titles[name], 14)) for (name, y), role in zip(held.items(), ROLES, strict=False)]
    field = dict(e.field).get(report.table.positive) if e.field else None
    chart = curve(
        lines,
        title="Measures against prevalence",
        words="Precision and F rise with prevalence although the system stays the same; "
        "informedness does not change. The same numbers stand in the table that follows.",
        across=shares(f"prevalence of {shown(report.table.positive, 20)}", percent),
        up=unit(*held.values(), title="measure"),
        here={"here": e.here},
        there=None if field is None else {"there": field},
        follows=Moving(slider_id, x, start),
    )

    readout = {titles[name]: [rate(v) for v in values] for (name, values), _ in zip(held.items(), ROLES, strict=False)}
    moved = slider(slider_id, "Prevalence", [percent(value, 1) for value in x], start, readout)
    return (chart.svg(key) if chart else "") + moved


def power(report: Report) -> Chart | None:
    """Power against the number of cases, for the informedness that would be worth finding."""
    s = report.size
    if s is None or len(s.curve) < 2:
        return None
    cases, power = zip(*s.curve, strict=True)
    first, last = cases[0], cases[-1]
    across = scale(
        first, last, of_many(s.unit),
        at=_apart(cases), said=count, role="", log=True,
    )  # fmt: skip
    return curve(
        [Lines(cases, power)],
        title=f"Power to show an informedness of {rate(s.effect, 2)}",
        words="; ".join(f"{count(round(c))} {of_many(s.unit)} {percent(p)}" for c, p in s.curve[::4]) + ".",
        across=across,
        up=scale(0, 1, "power", at=(0, 0.2, 0.4, 0.6, 0.8, 1)),
        here={"here": s.n} if first <= s.n <= last else None,
        wanted=0.8,
    )


def _apart(places: Sequence[float], most: int = 10) -> list[float]:
    """Of places on an axis of powers, those whose numbers do not run into each other."""
    found = [places[0]]
    least = (places[-1] / places[0]) ** (1 / most)
    for x in places[1:]:
        if x / found[-1] >= least:
            found.append(x)
    return found
