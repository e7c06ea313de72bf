"""A chart: axes, marks and words as data, drawn as SVG or by matplotlib."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from informed.documents.charts import figure, svg
from informed.documents.charts.marks import Axis, Mark


@dataclass(frozen=True, eq=False)
class Chart:
    """What is drawn, and the same in words; width and height are those of the frame, in pixels."""

    title: str  # for those who do not see it
    words: str  # for those who do not see it: what is to be seen
    x: Axis
    y: Axis
    marks: tuple[Mark, ...]
    width: float = 430.0
    height: float = 210.0
    kind: str = "curves"  # a class of the whole: curves, roc, forest, ranks, heat, mini
    head: str = ""  # what is written above
    foot: str = ""  # and below
    legend: Literal["below", "right", ""] = "below"
    framed: bool = False

    def svg(self, key: str) -> str:
        """Inline SVG for a page; `key` begins the ids in it."""
        return svg.inline([self], key, self.title, self.words, self.kind)

    def file(self) -> str:
        """SVG as a file of its own, light or dark as its reader is."""
        return svg.standalone(self.svg("chart"))

    def plot(self, ax: Any) -> None:
        """Draw on the axes of matplotlib."""
        figure.draw(self, ax)

    def inches(self) -> tuple[float, float]:
        """How large a figure with nothing but this is well drawn."""
        wide, tall = svg.size(self)
        return wide / 84 + 0.4, tall / 84 + 0.4


@dataclass(frozen=True, eq=False)
class Panels:
    """Charts side by side and below each other, as one picture."""

    title: str
    words: str
    charts: tuple[Chart, ...]
    columns: int
    head: str = ""
    foot: str = ""
    kind: str = "panels"

    def svg(self, key: str) -> str:
        """Inline SVG for a page; `key` begins the ids in it."""
        return svg.inline(self.charts, key, self.title, self.words, self.kind, self.columns, self.head, self.foot)

    def file(self) -> str:
        """SVG as a file of its own, light or dark as its reader is."""
        return svg.standalone(self.svg("chart"))
