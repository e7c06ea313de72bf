"""Pictures of probabilities: the reliability curve, what is known against what is lost, and the worth by cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from informed._arrays import Array
from informed._numbers import percent, rate
from informed.documents.charts.chart import Chart
from informed.documents.charts.curves import QUARTERS, reaching, shares
from informed.documents.charts.curves import curve as lines_over
from informed.documents.charts.marks import Bands, Dots, Lines, Mark, Numbers, Ranges, Texts, around, scale
from informed.documents.charts.plane import SIZE, SQUARE
from informed.documents.charts.svg import width
from informed.evidence.shown import shown

RUG = 0.1  # height of the most frequent probabilities, as a share of the frame
EQUAL = 5  # lines of equal skill, about


def reliability_diagram(
    blocks: tuple[Array, Array, Array],
    band: tuple[Array, Array, Array],
    rug: Array,
    *,
    level: float,
    positive: object,
    title: str = "Reliability diagram",
    words: str = "",
) -> Chart:
    """The share of positives by probability: `blocks` are their ends and shares, `band` its places and limits.

    On the diagonal the numbers are right; the rug below says where the cases are.
    """
    start, end, share = blocks
    x = np.column_stack([start, end]).ravel()
    marks: list[Mark] = []
    if np.isfinite(band[1]).any():
        marks.append(Bands(*band, name=f"{percent(level)} of right probabilities"))
    marks.append(Lines([0.0, 1.0], [0.0, 1.0], "chance", "right"))
    marks.append(Ranges(*_rug(rug), "whisker"))
    marks.append(Lines(x, np.repeat(share, 2), "curve s1", "share of positives"))
    marks.append(Dots((start + end) / 2, share, size=2.5))
    across = scale(0, 1, "probability", at=QUARTERS)
    up = scale(0, 1, f"share of {shown(positive, 14)}", at=QUARTERS)
    foot = "On the diagonal the numbers are right."
    return Chart(title, f"{words} {foot}".strip(), across, up, tuple(marks), head=title, **SQUARE)


def _rug(weight: Array) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Upright pieces at the bottom, as high as there are cases."""
    there = np.flatnonzero(weight > 0)
    x = (there + 0.5) / len(weight)
    return x, np.zeros(len(x)), x, RUG * weight[there] / weight.max()


LINE = 16.0  # pixels that a line of letters is high
NEAR = 0.12  # of the width, within which two names would cover each other


@dataclass(frozen=True)
class PartsPoint:
    """A system: the share that is known, and the share that is lost because its numbers are off."""

    name: str
    known: float
    lost: float


def parts_plane(points: Sequence[PartsPoint], title: str = "Known and lost", by: str = "") -> Chart | None:
    """What is lost against what is known, a point a system; on the lines skill, the difference, is equal."""
    held = [p for p in points if np.isfinite(p.known + p.lost)]
    if not held:
        return None
    right = around(0.0, max(max(p.known for p in held), 0.05), room=False)[-1]
    top = around(0.0, max(max(p.lost for p in held), 0.05), room=False)[-1]
    levels = [x for x in around(-top, right, room=False) if -top < x < right]
    ends = [(max(x, 0.0), max(-x, 0.0), min(right, x + top), min(top, right - x)) for x in levels]
    x, y, x2, y2 = (list(each) for each in zip(*ends, strict=True))
    called = Texts(*_named(held, right, top), down=-14.0)
    dots = Dots([p.known for p in held], [p.lost for p in held], tips=[_said(p) for p in held])
    taken = [*_boxes(called, right, top), *_boxes(Texts(dots.x, dots.y, ["·"] * len(held)), right, top)]
    written = (_clear(labels, taken, right, top) for labels in _levels(levels, x2, y2, right))
    marks: list[Mark] = [Ranges(x, y, x2, y2, "grid"), *written, dots, called]
    words = f"{'; '.join(_said(p) for p in held[:10])}. Along a line skill, what is known less what is lost, is equal."
    foot = "Slanted lines: skill, known less lost."
    axes = scale(0, right, f"known: discrimination{by}"), scale(0, top, f"lost: miscalibration{by}")
    return Chart(title, words, *axes, tuple(marks), head=title, foot=foot, **SQUARE)


def _named(points: Sequence[PartsPoint], right: float, top: float) -> tuple[list[float], list[float], list[str]]:
    """Where the names of points stand; those that would cover each other stand together."""
    lead: list[list[PartsPoint]] = []
    for p in points:
        near = (
            x for x in lead if abs(x[0].known - p.known) < NEAR * right and abs(x[0].lost - p.lost) < NEAR / 2 * top
        )
        own = next(near, None)
        if own is None:
            lead.append([p])
        else:
            own.append(p)
    said = [", ".join(shown(p.name, 18) for p in own[:3]) + (", …" if len(own) > 3 else "") for own in lead]
    return [own[0].known for own in lead], [own[0].lost for own in lead], said


def _levels(levels: Sequence[float], x: Sequence[float], y: Sequence[float], right: float) -> Iterator[Texts]:
    """The skill of each line at its end: below the top of the frame, or left of its right side."""
    for side in (False, True):
        own = [i for i, end in enumerate(x) if (end >= right) == side]
        place = [x[i] for i in own], [y[i] for i in own], [f"{levels[i]:.10g}" for i in own]
        if own and side:
            yield Texts(*place, "tick", "end", right=-3, down=-4)
        elif own:
            yield Texts(*place, "tick", "start", right=4, down=12)


def _boxes(texts: Texts, right: float, top: float) -> list[tuple[float, float, float, float]]:
    """About where each of the words stands in the frame: from left to right and from top to bottom, in pixels."""
    begins = {"start": 0.0, "middle": 0.5, "end": 1.0}[texts.anchor]
    found = []
    for x, y, word in zip(texts.x, texts.y, texts.words, strict=True):
        wide, middle = width(word, texts.role), SIZE * (1 - y / top) + texts.down
        left = SIZE * x / right + texts.right - begins * wide
        found.append((left, left + wide, middle - LINE / 2, middle + LINE / 2))
    return found


def _clear(texts: Texts, taken: Sequence[tuple[float, float, float, float]], right: float, top: float) -> Texts:
    """Those of the words that cover none of the places that are taken."""
    free = [
        i
        for i, (left, end, above, below) in enumerate(_boxes(texts, right, top))
        if not any(left < b and a < end and above < d and c < below for a, b, c, d in taken)
    ]
    x, y = ([float(at[i]) for i in free] for at in (texts.x, texts.y))
    return replace(texts, x=x, y=y, words=[texts.words[i] for i in free])


def _said(p: PartsPoint) -> str:
    return f"{shown(p.name)}: {rate(p.known)} known, {rate(p.lost)} lost, skill {rate(p.known - p.lost)}"


def worth_by_cost(
    c: Array, series: Sequence[tuple[str, Array]], prevalence: float, title: str = "Worth by cost"
) -> Chart | None:
    """The share of what can be saved, by the probability from which one acts."""
    roles = ("curve s1", "curve s3", "curve s2", "curve s4")
    drawn = [np.maximum(y, -0.25) for _, y in series]
    names = [shown(name, 24) for name, _ in series]
    lines = [Lines(c, y, roles[i % 4], name) for i, (name, y) in enumerate(zip(names, drawn, strict=True))]
    low = min(0.0, *(float(y.min()) for y in drawn))
    at = int(np.argmin(np.abs(c - prevalence)))
    said = "; ".join(f"{shown(name)}: {rate(float(y[at]))}" for name, y in series)
    return lines_over(
        lines,
        title=title,
        words=f"Near the prevalence, {rate(prevalence)}: {said}. Below 0 the better of always and never saves more.",
        across=shares("act from this probability on: cost of a false alarm, of 1"),
        up=reaching(lines, title="share of what can be saved", low=low, high=1.0),
        here={"prevalence": prevalence},
        head=title,
    )
