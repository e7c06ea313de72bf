"""Curves of a report as inline SVG: measures against prevalence, power against cases."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from informed._numbers import count, percent, rate
from informed.documents.charts.pieces import attributes, label, line, n, path, picture, text
from informed.summary.report import Report

SERIES = ("s1", "s2", "s3", "s4")


def prevalence(report: Report, key: str = "prevalence") -> str:
    """Precision, F and accuracy against the prevalence; informedness stays where it is."""
    e = report.elsewhere
    if e is None or not e.curves:
        return ""
    curves = dict(e.curves)
    xs = curves.pop("prevalence")
    titles = {x.measure: x.title for x in e.even}
    wide, high, left, top = 460.0, 240.0, 44.0, 14.0

    def at(x: float, y: float) -> tuple[float, float]:
        return left + wide * x, top + high * (1 - y)

    least = min((v for values in curves.values() for v in values if v == v), default=0.0)
    floor = 0.0 if least >= 0 else -1.0

    def point(x: float, y: float) -> tuple[float, float]:
        return at(x, (y - floor) / (1 - floor))

    body = []
    for y in (0, 0.25, 0.5, 0.75, 1) if floor == 0 else (-1, -0.5, 0, 0.5, 1):
        body.append(line(*point(0, y), *point(1, y), "grid"))
        body.append(text(left - 8, point(0, y)[1] + 4, f"{y:g}", "tick", text_anchor="end"))
    for x in (0, 0.25, 0.5, 0.75, 1):
        px, py = point(x, floor)
        body.append(text(px, py + 17, f"{percent(x)}", "tick", text_anchor="middle"))
    body.append(line(*point(e.here, floor), *point(e.here, 1), "here"))
    body.append(text(point(e.here, 1)[0] + 4, top + 10, "here", "tiny"))
    field = dict(e.field).get(report.table.positive) if e.field else None
    if field is not None:
        body.append(line(*point(field, floor), *point(field, 1), "there"))
        body.append(text(point(field, 1)[0] + 4, top + 22, "there", "tiny"))
    ends = []
    for (name, values), series in zip(curves.items(), SERIES, strict=False):
        body.append(path((point(x, y) for x, y in zip(xs, values, strict=True)), f"curve {series}"))
        ends.append((name, values, series))
    along = " ".join(n(point(x, 1)[0]) for x in xs)
    ends_of = (*point(e.here, floor), *point(e.here, 1))
    body.append(line(*ends_of, "cursor", data_follows=f"{key}-range", data_x=along))
    for i, (name, _, series) in enumerate(ends):
        x = left + 118.0 * i
        body.append(line(x, top + high + 50, x + 20, top + high + 50, f"curve {series}"))
        body.append(text(x + 26, top + high + 54, label(titles[name], 14), "tiny"))
    body.append(
        text(
            left + wide / 2,
            top + high + 34,
            f"prevalence of {label(report.table.positive, 20)}",
            "axis",
            text_anchor="middle",
        )
    )
    drawn = picture(
        key,
        left + wide + 20,
        top + high + 66,
        "Measures against prevalence",
        "Precision and F rise with prevalence although the system stays the same; informedness "
        "does not change. The same numbers stand in the table that follows.",
        "".join(body),
        "curves",
    )
    return drawn + _slider(key, xs, ends, titles, e.here)


def _slider(
    key: str,
    xs: Sequence[float],
    ends: Sequence[tuple[str, Sequence[float], str]],
    titles: dict[str, str],
    here: float,
) -> str:
    """A range input that moves the cursor; the numbers were all computed before."""
    nearest = min(range(len(xs)), key=lambda i: abs(xs[i] - here))
    readout = {titles[name]: [rate(v) for v in values] for name, values, _ in ends}
    return slider(f"{key}-range", "Prevalence", [percent(x, 1) for x in xs], nearest, readout)


def slider(
    id_: str,
    name: str,
    said: Sequence[str],
    start: int,
    readout: Mapping[str, Sequence[str]],
    more: str = "",
) -> str:
    """A range input over steps that `said` names; numbers beside it and marks in pictures with
    `data-follows` move along. All was computed before; `more` is markup below it."""
    outputs = "".join(
        f"<span><b>{escape(title)}</b> {moving(id_, values, start)}</span>"
        for title, values in readout.items()
    )
    return (
        f'<div class="slider"{attributes(data_said="|".join(said))}><label for="{id_}">'
        f"{escape(name)} <output>{escape(said[start])}</output></label>"
        f'<input type="range" id="{id_}" min="0" max="{len(said) - 1}" value="{start}" step="1">'
        f'<div class="readout">{outputs}</div>{more}</div>'
    )


def moving(id_: str, values: Sequence[str], start: int) -> str:
    """A number that a slider moves."""
    held = attributes(for_=id_, data_y=" ".join(v.replace(" ", "") for v in values))
    return f"<output{held}>{escape(values[start])}</output>"


def power(report: Report, key: str = "power") -> str:
    """Power against the number of cases, for the informedness that would be worth finding."""
    s = report.size
    if s is None or len(s.curve) < 2:
        return ""
    wide, high, left, top = 460.0, 200.0, 44.0, 14.0
    first, last = math.log(s.curve[0][0]), math.log(s.curve[-1][0])

    def at(cases: float, y: float) -> tuple[float, float]:
        x = (math.log(max(cases, 1)) - first) / (last - first)
        return left + wide * min(max(x, 0), 1), top + high * (1 - y)

    body = []
    for y in (0, 0.2, 0.4, 0.6, 0.8, 1):
        body.append(
            line(left, at(1, y)[1], left + wide, at(1, y)[1], "guide" if y == 0.8 else "grid")
        )
        body.append(text(left - 8, at(1, y)[1] + 4, f"{y:g}", "tick", text_anchor="end"))
    for cases, _ in s.curve[:: max(1, len(s.curve) // 6)]:
        body.append(
            text(at(cases, 0)[0], top + high + 17, count(cases), "tick", text_anchor="middle")
        )
    body.append(path((at(c, p) for c, p in s.curve), "curve s1"))
    if s.curve[0][0] <= s.n <= s.curve[-1][0]:
        body.append(line(*at(s.n, 0), *at(s.n, 1), "here"))
        body.append(text(at(s.n, 1)[0] + 4, top + 10, "here", "tiny"))
    said = f"cases, and the power to show an informedness of {rate(s.effect, 1)}"
    body.append(text(left + wide / 2, top + high + 36, said, "axis", text_anchor="middle"))
    return picture(
        key,
        left + wide + 24,
        top + high + 46,
        f"Power to show an informedness of {rate(s.effect, 2)}",
        "; ".join(f"{count(c)} cases {percent(p)}" for c, p in s.curve[::4]) + ".",
        "".join(body),
        "curves",
    )
