"""An interval in a cell of a table: the numbers stand beside it, so it is only a picture."""

from __future__ import annotations

import math

from informed.documents.blocks import Range
from informed.documents.charts.forest import TONES
from informed.documents.charts.svg import Canvas, n

WIDE, HIGH, EDGE = 150.0, 18.0, 4.0


def inline_range(r: Range) -> str:
    """The interval as a line, the value as a dot, chance as a tick."""

    def at(x: float) -> float:
        share = (min(max(x, r.start), r.end) - r.start) / (r.end - r.start)
        return EDGE + (WIDE - 2 * EDGE) * share

    middle = HIGH / 2
    tone = TONES[r.beyond]
    c = Canvas()
    c.line(EDGE, middle, WIDE - EDGE, middle, "grid")
    if not math.isnan(r.chance):
        c.line(at(r.chance), 1, at(r.chance), HIGH - 1, "tickmark")
    if not math.isnan(r.low):
        c.line(at(r.low), middle, at(r.high), middle, f"whisker {tone}-line")
    c.circle(at(r.value), middle, 4, f"{tone}-dot")
    return (
        f'<svg class="inline" viewBox="0 0 {n(WIDE)} {n(HIGH)}" width="{n(WIDE)}" '
        f'height="{n(HIGH)}" aria-hidden="true" focusable="false">{"".join(c.parts)}</svg>'
    )
