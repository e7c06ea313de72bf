"""Forests: values below each other, an interval as a line, the value as a dot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from informed._numbers import rate, signed, span
from informed.documents.charts.chart import Chart
from informed.documents.charts.marks import Anchor, Axis, Cells, Dots, Mark, Ranges, Rules, Texts, around, names, scale
from informed.evidence.shown import shown, shown_all, whole
from informed.evidence.table_text import width as columns

if TYPE_CHECKING:
    from informed.summary.parts import Estimate

MOST_ROWS = 60
STEP, WIDE = 26.0, 340.0
NAMED = 26  # columns of the name of a row
ENOUGH = 1 / 3  # of an axis from 0, −½ or −1 to 1; with less intervals would be specks
TONES = {1: "more", 0: "even", -1: "less"}


@dataclass(frozen=True)
class Row:
    """A value with its interval; `good` is 1 where it is beyond chance, −1 where it is below."""

    name: str
    value: float
    low: float = math.nan
    high: float = math.nan
    good: int = 0
    chance: float = math.nan  # marked where it is known and not 0
    said: str = ""  # at the end of the row
    tip: str = ""

    @property
    def words(self) -> str:
        """The row in words."""
        return self.tip or f"{whole(self.name)}: {self.said} {span(self.low, self.high)}".strip()


def estimated(name: str, e: Estimate) -> Row:
    """The row of an estimate."""
    return standing(name, e.value, e.low, e.high, e.chance)


def standing(name: str, value: float, low: float, high: float, chance: float = 0.0) -> Row:
    """The row of a value with its interval, beyond chance or not."""
    return Row(name, value, low, high, int(low > chance) - int(high < chance), chance, rate(value))


def differing(name: str, value: float, low: float, high: float, good: int, said: str = "") -> Row:
    """The row of a difference; `said` stands beside it, such as its p-value."""
    tip = f"{whole(name)}: {signed(value)} {span(low, high)} {said}".strip()
    return Row(name, value, low, high, good, said=f"{signed(value)}\u2002{said}".rstrip(), tip=tip)


def forest(
    rows: Sequence[Row],
    title: str,
    *,
    axis: Axis | None = None,
    bars: bool = False,
    guide: Row | None = None,
    interval: str = "whisker",
    whole: bool = False,
    across: str = "",
) -> Chart | None:
    """Rows below each other, `guide` behind them all; None where no value is known. `across` names what they are.

    Rows without a value are left out, unless it is to be `whole`.
    """
    known = [r for r in rows if not math.isnan(r.value)]
    rows = (rows if whole else known)[:MOST_ROWS]
    if not any(math.isfinite(r.value) for r in known):
        return None
    x = axis or _axis(rows, across)
    named: list[str] = [r.name for r in rows]  # some are cut already
    named = named if max(map(columns, named)) <= NAMED else shown_all(named, NAMED)
    y = names(named, [r.said.replace("-", "−") for r in rows])
    marks: list[Mark] = []
    if guide is not None and math.isfinite(guide.value):
        marks = [_band(guide.low, guide.high, y), Rules([guide.value], "guide")]
    return Chart(
        title,
        "; ".join(r.words for r in rows[:12]) + ".",
        x,
        y,
        (*marks, *_marks(rows, x, bars, interval)),
        width=WIDE,
        height=STEP * len(rows),
        kind="forest",
    )


def differences(
    rows: Sequence[Row], title: str, *, ends: tuple[str, str] = ("", ""), margin: float | None = None
) -> Chart | None:
    """A forest around 0: `ends` say who is better at the left and at the right, within `margin` of
    0 nothing matters."""
    reach = [margin or 0.0, -(margin or 0.0)]
    reach += [x for r in rows for x in (r.low, r.value, r.high) if math.isfinite(x)]
    ticks = around(min(reach), max(reach))
    chart = forest(rows, title, axis=scale(ticks[0], ticks[-1], "" if any(ends) else "difference", at=ticks))
    if chart is None:
        return None

    more: list[Mark] = [] if margin is None else [_band(-margin, margin, chart.y)]
    if any(ends):
        sides: tuple[tuple[str, Anchor, float], ...] = (
            (f"← {shown(ends[0], 22)} better", "end", -8.0),
            (f"{shown(ends[1], 22)} better →", "start", 8.0),
        )
        more += [Texts([0.0], [chart.y.start], [said], "tiny", anchor, right, 34.0) for said, anchor, right in sides]
    return replace(chart, marks=(*more, *chart.marks))


def _axis(rows: Sequence[Row], title: str) -> Axis:
    """From 0, −½ or −1 to 1 where what is drawn lies there and fills enough of it, else as far as it reaches from 0."""
    known = [x for r in rows for x in (r.low, r.value, r.high, r.chance) if math.isfinite(x)]
    low, high = min([0.0, *known]), max([0.0, *known])
    start = 0.0 if low >= 0 else -1.0 if low < -0.5 else -0.5
    if not -1 <= low <= high <= 1 or 0 < high - low < ENOUGH * (1 - start):
        ticks = [x for x in around(low, high) if (low < 0 or x >= 0) and (high > 0 or x <= 0)]
        return scale(ticks[0], ticks[-1], title, at=ticks)
    return scale(start, 1.0, title, at=[t for t in (-1.0, -0.5, 0.0, 0.5, 1.0) if t >= start])


def _band(low: float, high: float, y: Axis) -> Cells:
    return Cells([low], [y.start], [high], [y.end], "band")


def _marks(rows: Sequence[Row], x: Axis, bars: bool, interval: str) -> list[Mark]:
    """Bars, intervals, levels of chance and values, the later ones above."""
    at = np.arange(float(len(rows)))
    tones = [TONES[r.good] for r in rows]
    limits = np.array([(r.low, r.value, r.high, r.chance) for r in rows]).T
    low, value, high, chance = limits.clip(x.start, x.end)  # an interval may be open
    value = np.where(np.isfinite(limits[1]), value, np.nan)  # what is infinite has no place

    marks: list[Mark] = []
    if bars:
        roles, depth = [f"{tone} bar" for tone in tones], [0.35] * len(rows)
        marks.append(Cells(0.0 * at, at - 0.27, limits[1], at + 0.27, roles, depth, corner=2))
    known = ~np.isnan(low) & ~np.isnan(value)
    roles = [f"{interval} {tone}-line" for tone, held in zip(tones, known, strict=True) if held]
    marks.append(Ranges(low[known], at[known], high[known], at[known], roles))

    other = np.nan_to_num(limits[3]) != 0
    if other.any():
        level, row = chance[other], at[other]
        marks.append(Ranges(level, row - 0.31, level, row + 0.31, "tickmark", name="chance"))
    marks.append(Dots(value, at, [f"{tone}-dot" for tone in tones], tips=[r.words for r in rows]))
    return marks
