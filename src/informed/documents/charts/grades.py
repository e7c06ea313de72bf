"""Pictures of ordered labels: informedness by cuts between grades, and predictions by how far off they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from informed._arrays import Array
from informed._numbers import percent, rate, span
from informed.documents.charts.chart import Chart
from informed.documents.charts.marks import Axis, Cells, Dots, Mark, Ranges, Rules, Tick, around, scale
from informed.evidence.shown import shown

WIDE, TALL = 460.0, 220.0
UPRIGHT = 5  # names of cuts that stand level below the frame; more are slanted
NARROW = 0.03  # share of the frame below which a cut has no room for its name


@dataclass(frozen=True)
class Bar:
    """A cut: its name, its weight, and informedness with limits."""

    name: str
    weight: float
    value: float
    low: float
    high: float

    @property
    def words(self) -> str:
        return (
            f"{self.name}: {rate(self.value)} {span(self.low, self.high)}, {percent(self.weight)} of the weight".strip()
        )


def by_cuts(bars: Sequence[Bar], whole: float, *, title: str) -> Chart | None:
    """Bars as wide as the cuts weigh and as high as they are informed, so that their area is the whole."""
    bars = [b for b in bars if b.weight > 0]
    if not bars:
        return None
    ends = np.cumsum([0.0, *(b.weight for b in bars)])
    middle = (ends[:-1] + ends[1:]) / 2
    value, low, high = np.array([(b.value, b.low, b.high) for b in bars]).T
    tones = ["more" if b.low > 0 else "less" if b.high < 0 else "even" for b in bars]

    known = np.isfinite(low)
    marks: list[Mark] = [
        Cells(ends[:-1], 0 * value, ends[1:], value, [f"{x} bar" for x in tones], [0.35] * len(bars), gap=1.0),
        Rules([whole], "guide", upright=False),
        Ranges(
            middle[known],
            low[known],
            middle[known],
            high[known],
            [f"whisker {x}-line" for x, k in zip(tones, known, strict=True) if k],
        ),
        Dots(middle, value, [f"{x}-dot" for x in tones], tips=[b.words for b in bars]),
    ]
    ticks = tuple(
        Tick(float(x), shown(b.name, 18), role="") for x, b in zip(middle, bars, strict=True) if b.weight >= NARROW
    )
    up = _up(low, high, value)
    up = replace(up, ticks=(*up.ticks, Tick(whole, "", f"all {rate(whole)}", "")))
    x = Axis(0.0, 1.0, "cuts between grades, as wide as they weigh", ticks, words="lab", slanted=len(ticks) > UPRIGHT)
    return Chart(title, "; ".join(b.words for b in bars[:12]) + ".", x, up, tuple(marks), WIDE, TALL)


def _up(*held: Array) -> Axis:
    least = min(float(np.nanmin(x)) for x in held)
    start = 0.0 if least >= 0 else -1.0 if least < -0.5 else -0.5
    return scale(start, 1.0, "informedness", at=[t for t in (-1.0, -0.5, 0.0, 0.5, 1.0) if t >= start])


def by_distance(away: Sequence[int], seen: Sequence[float], shuffled: Sequence[float], *, title: str) -> Chart | None:
    """The share of predictions so many grades off, and beside it that of the same predictions shuffled."""
    kept = [i for i in range(len(away)) if seen[i] > 0 or shuffled[i] > 0.005]
    if not kept:
        return None
    first, last = kept[0], kept[-1] + 1
    at = np.asarray(away[first:last], dtype=np.float64)
    own, other = (np.asarray(x[first:last], dtype=np.float64) for x in (seen, shuffled))
    most = around(0.0, float(max(own.max(), other.max())), room=False)[-1]

    def tips(what: str, shares: Array) -> list[str]:
        return [f"{off(int(a))}: {percent(float(x))} of {what}" for a, x in zip(at, shares, strict=True)]

    marks: list[Mark] = [
        Cells(
            at - 0.38, 0 * own, at - 0.02, own, "more bar", [0.6] * len(at), tips("the predictions", own), "predictions"
        ),
        Cells(
            at + 0.02, 0 * own, at + 0.38, other, "even bar", [0.35] * len(at), tips("shuffled ones", other), "shuffled"
        ),
    ]
    said = [
        f"{off(int(a))}: {percent(float(x))}, shuffled {percent(float(y))}"
        for a, x, y in zip(at, own, other, strict=True)
    ]
    ticks = tuple(Tick(float(a), f"{int(a):+d}".replace("+0", "0").replace("-", "−"), role="") for a in at)
    x = Axis(at[0] - 0.5, at[-1] + 0.5, "grades off: too low (−), too high (+)", ticks)
    return Chart(
        title, "; ".join(said[:12]) + ".", x, scale(0.0, most, "share", said=percent), tuple(marks), WIDE, TALL
    )


def off(away: int) -> str:
    """A distance in words.

    >>> off(0), off(-1), off(3)
    ('right', '1 grade too low', '3 grades too high')
    """
    if away == 0:
        return "right"
    return f"{abs(away)} {'grade' if abs(away) == 1 else 'grades'} too {'high' if away > 0 else 'low'}"
