"""The pictures of a report as inline SVG. Colours come from style.css, words from the report."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from informed._numbers import count, rate, span
from informed.documents.blocks import Range
from informed.documents.charts.pieces import circle, label, line, n, picture, rect, text
from informed.evidence.table import Table
from informed.evidence.table_text import number
from informed.summary.report import Estimate, Report

MOST_CELLS = 40  # classes drawn cell by cell
MOST_ROWS = 60  # rows of a forest
CELL = ((3, 96, 64), (6, 78, 54), (12, 58, 42), (MOST_CELLS, 30, 22))


# ---------------------------------------------------------------------- the table


def heatmap(t: Table, key: str = "table") -> str:
    """Counts, margins, what chance would give (small), and the deviation as colour."""
    rows, columns = len(t.predicted_labels), len(t.real_labels)
    most = max(rows, columns)
    if most > MOST_CELLS or not t.n:
        return ""
    w, h = next((w, h) for size, w, h in CELL if most <= size)
    roomy = h >= 42
    widest = 14 if roomy else 12
    names = [label(x, widest) for x in t.predicted_labels]
    heads = [label(x, widest) for x in t.real_labels]
    turned = not roomy or max(len(x) for x in heads) * 7.5 > w
    left = 30 + 7.2 * max(len(x) for x in names)
    top = 30 + (6.0 * max(len(x) for x in heads) if turned else 18)
    counts, expected = t.counts, t.expected
    deviation = counts - expected
    strongest = float(np.abs(deviation).max()) or 1.0
    body = [
        text(left + columns * w / 2, 13, "real", "axis", text_anchor="middle"),
        text(
            12,
            top + rows * h / 2,
            "predicted",
            "axis",
            text_anchor="middle",
            transform=f"rotate(-90 12 {n(top + rows * h / 2)})",
        ),
    ]
    for j, head in enumerate(heads):
        x = left + (j + 0.5) * w
        if turned:
            body.append(
                text(x + 4, top - 8, head, "lab", transform=f"rotate(-45 {n(x + 4)} {n(top - 8)})")
            )
        else:
            body.append(text(x, top - 10, head, "lab", text_anchor="middle"))
    for i, name in enumerate(names):
        y = top + i * h
        body.append(text(left - 8, y + h / 2 + 4, name, "lab", text_anchor="end"))
        for j in range(columns):
            x = left + j * w
            d = float(deviation[i, j])
            depth = abs(d) / strongest
            tip = (
                f"predicted {names[i]}, really {heads[j]}: {number(float(counts[i, j]))} cases, "
                f"{expected[i, j]:.1f} by chance ({d:+.1f})"
            )
            body.append(
                rect(
                    x + 1,
                    y + 1,
                    w - 2,
                    h - 2,
                    "more" if d >= 0 else "less",
                    rx=3 if roomy else None,
                    fill_opacity=f"{0.06 + 0.5 * depth:.2f}",
                    data_tip=tip if roomy or counts[i, j] else None,
                )
            )
            if roomy:
                body.append(
                    text(
                        x + w / 2,
                        y + h / 2 + 1,
                        number(float(counts[i, j])),
                        "num b" if i == j else "num",
                        text_anchor="middle",
                    )
                )
                body.append(
                    text(
                        x + w / 2,
                        y + h / 2 + 15,
                        f"{expected[i, j]:.1f}",
                        "tiny ink soft",
                        text_anchor="middle",
                    )
                )
            elif counts[i, j]:
                body.append(
                    text(
                        x + w / 2,
                        y + h / 2 + 3.5,
                        number(float(counts[i, j])),
                        "tiny ink",
                        text_anchor="middle",
                    )
                )
    for i, total in enumerate(counts.sum(axis=1)):
        y = top + (i + 0.5) * h + 4
        body.append(text(left + columns * w + 10, y, number(float(total)), "tot"))
    for j, total in enumerate(counts.sum(axis=0)):
        x = left + (j + 0.5) * w
        size = "tot" if roomy else "tiny"
        body.append(text(x, top + rows * h + 18, number(float(total)), size, text_anchor="middle"))
    body.append(text(left + columns * w + 10, top + rows * h + 18, number(t.n), "tot b"))
    foot = top + rows * h + 42
    body += [
        rect(left, foot - 9, 10, 10, "more", rx=2, fill_opacity="0.5"),
        text(left + 15, foot, "more than chance", "tiny"),
        rect(left + 118, foot - 9, 10, 10, "less", rx=2, fill_opacity="0.5"),
        text(left + 133, foot, "fewer" + (" (small: by chance)" if roomy else ""), "tiny"),
    ]
    width = max(left + columns * w + 20 + 8 * len(number(t.n)), left + 270)
    return picture(
        key,
        width,
        foot + 10,
        "The table of predictions against reality",
        f"{count(float(np.trace(counts)) if t.is_square else 0)} of {count(t.n)} cases lie on the "
        "diagonal. Blue cells hold more cases than guessing with the same margins would give, "
        "orange cells fewer. The same numbers stand in the table that follows.",
        "".join(body),
        "heat",
    )


def small_table(t: Table, key: str, title: str, size: float = 96) -> str:
    """A table as a small multiple: shares of the real class as shade, no text inside."""
    rows, columns = len(t.predicted_labels), len(t.real_labels)
    counts, expected = t.counts, t.expected
    deviation = counts - expected
    strongest = float(np.abs(deviation).max()) or 1.0
    cell = size / max(rows, columns)
    body = []
    for i in range(rows):
        for j in range(columns):
            d = float(deviation[i, j])
            body.append(
                rect(
                    j * cell + 0.5,
                    i * cell + 0.5,
                    cell - 1,
                    cell - 1,
                    "more" if d >= 0 else "less",
                    fill_opacity=f"{0.06 + 0.5 * abs(d) / strongest:.2f}",
                )
            )
            if cell >= 24:
                body.append(
                    text(
                        (j + 0.5) * cell,
                        (i + 0.5) * cell + 4,
                        number(float(counts[i, j])),
                        "tiny ink",
                        text_anchor="middle",
                    )
                )
    return picture(
        key,
        columns * cell,
        rows * cell,
        f"Table of {title}",
        "Predictions in rows, reality in columns, as in the large table.",
        "".join(body),
        "mini",
    )


# ---------------------------------------------------------------------- ROC and PN plane


def roc(report: Report, key: str = "roc") -> str:
    """Recall against fallout with the chance line, lines of equal informedness and of equal cost.

    With more than two classes, a point for each class against the rest."""
    t = report.table
    if not report.classes or not t.n:
        return ""
    size, left, top = 300.0, 58.0, 40.0

    def at(fallout: float, recall: float) -> tuple[float, float]:
        return left + size * fallout, top + size * (1 - recall)

    body = [rect(left, top, size, size, "frame")]
    for b in (0.25, 0.5, 0.75):
        x1, y1 = at(0, b)
        x2, y2 = at(1 - b, 1)
        body.append(line(x1, y1, x2, y2, "iso"))
        body.append(text(x2 + 3, y2 - 5, f"B {b:g}", "tiny", text_anchor="middle"))
    body.append(line(*at(0, 0), *at(1, 1), "chance"))
    mx, my = at(0.74, 0.74)
    body.append(
        text(
            mx, my + 14, "guessing", "tiny less-ink", transform=f"rotate(-45 {n(mx)} {n(my + 14)})"
        )
    )
    two = t.positive is not None
    shown = [c for c in report.classes if c.real and c.real < t.n]
    if two:
        shown = [c for c in shown if c.label == t.positive]
    elif len(shown) == 2:
        shown = shown[:1]
    for c in shown:
        fall = _fallout(report, c.label)
        recall = c["recall"]
        if two:
            slope = report.costs.slope if report.costs else math.nan
            named = f"equal cost ({report.costs.text})" if report.costs else "equal accuracy"
            if math.isnan(slope):
                slope = (t.n - c.real) / c.real
            body.append(isocost(fall.value, recall.value, slope, at))
            if not math.isnan(fall.low + recall.low):
                body += [
                    line(*at(fall.low, recall.value), *at(fall.high, recall.value), "whisker"),
                    line(*at(fall.value, recall.low), *at(fall.value, recall.high), "whisker"),
                ]
            body.append(line(left, top + size + 58, left + 22, top + size + 58, "cost"))
            body.append(text(left + 28, top + size + 62, named, "tiny"))
        x, y = at(fall.value, recall.value)
        tip = f"{label(c.label)}: recall {rate(recall.value)}, fallout {rate(fall.value)}"
        body.append(circle(x, y, 5 if two else 4, "dot", data_tip=tip))
    if not two:
        body += _point_names(report, shown, at)
    for tick in (0, 0.5, 1):
        x, y = at(tick, tick)
        body.append(text(x, top + size + 17, f"{tick:g}", "tick", text_anchor="middle"))
        body.append(text(left - 8, y + 4, f"{tick:g}", "tick", text_anchor="end"))
    positive = label(t.positive, 14) if two else "the class"
    body.append(
        text(
            left + size / 2, top + size + 37, "fallout (false alarms)", "axis", text_anchor="middle"
        )
    )
    body.append(
        text(
            16,
            top + size / 2,
            f"recall of {positive}",
            "axis",
            text_anchor="middle",
            transform=f"rotate(-90 16 {n(top + size / 2)})",
        )
    )
    if two:  # the PN plane: the same axes in cases
        c = shown[0] if shown else report.classes[0]
        body.append(
            text(
                left + size,
                top + size + 32,
                f"= {count(t.n - c.real)} cases",
                "tiny",
                text_anchor="end",
            )
        )
        body.append(text(left - 8, top - 10, f"{count(c.real)} cases", "tiny", text_anchor="end"))
    said = "; ".join(
        f"{label(c.label)}: recall {rate(c['recall'].value)}, fallout "
        f"{rate(_fallout(report, c.label).value)}"
        for c in shown[:10]
    )
    return picture(
        key,
        left + size + 30,
        top + size + 72,
        "Recall against fallout (the ROC plane)",
        f"{said}. The diagonal is guessing; the height above it is informedness.",
        "".join(body),
        "roc",
    )


def _fallout(report: Report, name: Any) -> Estimate:
    """1 − the inverse recall of a class: the share of the others that is called so."""
    c = next(x for x in report.classes if x.label == name)
    return c["fallout"]


def isocost(fallout: float, recall: float, slope: float, at: Any) -> str:
    """The line of this slope through a point, inside the unit square."""
    ends: list[float] = []
    for x in (0.0, 1.0):
        y = recall + slope * (x - fallout)
        if y < 0 or y > 1:
            y = min(max(y, 0.0), 1.0)
            x = fallout + (y - recall) / slope if slope else x
        ends += at(x, y)
    x1, y1, x2, y2 = ends
    return line(x1, y1, x2, y2, "cost")


def _point_names(report: Report, shown: Sequence[Any], at: Any) -> list[str]:
    """Names beside the points, the most spread out first; crowded ones stay tooltips."""
    placed: list[tuple[float, float]] = []
    found = []
    for c in sorted(shown, key=lambda c: c["recall"].value):
        x, y = at(_fallout(report, c.label).value, c["recall"].value)
        if len(placed) < 12 and all(abs(y - b) > 13 or abs(x - a) > 90 for a, b in placed):
            placed.append((x, y))
            found.append(text(x + 9, y + 4, label(c.label, 14), "lab"))
    return found


# ---------------------------------------------------------------------- forests


def forest(
    rows: Sequence[tuple[str, Estimate]],
    key: str,
    title: str,
    *,
    bars: bool = False,
    guide: Estimate | None = None,
) -> str:
    """Estimates below each other: interval as a line, value as a dot, chance as a tick."""
    rows = [(name, e) for name, e in rows if not math.isnan(e.value)][:MOST_ROWS]
    if not rows:
        return ""
    lows = [e.low if not math.isnan(e.low) else e.value for _, e in rows]
    start = 0.0 if min(lows) >= 0 else -1.0 if min(lows) < -0.5 else -0.5
    names = [label(x, 22) for x, _ in rows]
    left = 16 + 7.2 * max(len(x) for x in names)
    wide, step, top = 340.0, 26.0, 12.0

    def at(x: float) -> float:
        return left + wide * (min(max(x, start), 1) - start) / (1 - start)

    height = top + step * len(rows)
    ticks = [x for x in (-1, -0.5, 0, 0.5, 1) if x >= start]
    body = [line(at(x), top, at(x), height, "zero" if x == 0 else "grid") for x in ticks]
    body += [text(at(x), height + 16, f"{x:g}", "tick", text_anchor="middle") for x in ticks]
    if guide is not None and not math.isnan(guide.value):
        body.append(rect(at(guide.low), top, at(guide.high) - at(guide.low), height - top, "band"))
        body.append(line(at(guide.value), top, at(guide.value), height, "guide"))
    for i, (name, e) in enumerate(rows):
        y = top + step * (i + 0.5)
        tone = {1: "more", 0: "even", -1: "less"}[e.beyond_chance]
        body.append(text(left - 10, y + 4, names[i], "lab", text_anchor="end"))
        if bars:
            a, b = sorted((at(0), at(e.value)))
            body.append(rect(a, y - 7, b - a, 14, f"{tone} bar", rx=2, fill_opacity="0.35"))
        if not math.isnan(e.low):
            body.append(line(at(e.low), y, at(e.high), y, f"whisker {tone}-line"))
        if not math.isnan(e.chance) and e.chance != 0:
            body.append(line(at(e.chance), y - 8, at(e.chance), y + 8, "tickmark"))
        tip = f"{name}: {rate(e.value)} {span(e.low, e.high)}"
        body.append(circle(at(e.value), y, 4.5, f"{tone}-dot", data_tip=tip))
        body.append(text(left + wide + 12, y + 4, rate(e.value), "tot"))
    said = "; ".join(f"{name} {rate(e.value)} {span(e.low, e.high)}" for name, e in rows[:12])
    return picture(key, left + wide + 62, height + 24, title, f"{said}.", "".join(body), "forest")


def measures(report: Report, key: str = "forest") -> str:
    """All measures of a report with their chance levels."""
    shown = [(e.title, e) for e in report.estimates if -1 <= e.value <= 1][:20]
    return forest(shown, key, "Measures with their intervals; orange ticks are chance")


def classes(report: Report, key: str = "classes") -> str:
    """Informedness of each class as bars with intervals, the best first."""
    if len(report.classes) < 3:
        return ""
    ranked = sorted(
        (c for c in report.classes if not math.isnan(c["informedness"].value)),
        key=lambda c: -c["informedness"].value,
    )
    if len(ranked) > MOST_CELLS:
        half = MOST_CELLS // 2
        ranked = ranked[:half] + ranked[-half:]
    rows = [(label(c.label, 22), c["informedness"]) for c in ranked]
    return forest(rows, key, "Informedness of each class against the rest", bars=True)


def groups(report: Report, key: str = "groups") -> str:
    """Informedness of each group, with the pooled value as a band."""
    o = report.overview
    if o is None:
        return ""
    rows = [(label(report.groups[i].name, 22), report.groups[i]["informedness"]) for i in o.order]
    drawn = forest(
        rows, key, "Informedness of each group; the band is the pooled value", guide=o.pooled
    )
    t = report.table
    if len(t.real_labels) > 6:
        return drawn
    small = []
    for i in o.order[:24]:
        g = report.groups[i]
        name = label(g.name, 16)
        one = small_table(g.table, f"{key}-{i}", name)
        small.append(f"<figure>{one}<figcaption>{escape(name)}</figcaption></figure>")
    return f'{drawn}<div class="multiples">{"".join(small)}</div>'


def inline_range(r: Range, key: str = "") -> str:
    """An interval in a table cell; the numbers stand beside it, so it is only a picture."""
    wide, high = 150.0, 18.0

    def at(x: float) -> float:
        return 4 + (wide - 8) * (min(max(x, r.start), r.end) - r.start) / (r.end - r.start)

    y = high / 2
    ahead = not math.isnan(r.low) and r.low > r.chance
    behind = not math.isnan(r.high) and r.high < r.chance
    tone = "more" if ahead else "less" if behind else "even"
    body = [line(4, y, wide - 4, y, "grid")]
    if not math.isnan(r.chance):
        body.append(line(at(r.chance), 1, at(r.chance), high - 1, "tickmark"))
    if not math.isnan(r.low):
        body.append(line(at(r.low), y, at(r.high), y, f"whisker {tone}-line"))
    body.append(circle(at(r.value), y, 4, f"{tone}-dot"))
    return (
        f'<svg class="inline" viewBox="0 0 {n(wide)} {n(high)}" width="{n(wide)}" '
        f'height="{n(high)}" aria-hidden="true" focusable="false">{"".join(body)}</svg>'
    )
