"""A chart: axes, marks and words as data, drawn as SVG or by matplotlib."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Literal

from informed.documents.charts import figure, svg
from informed.documents.charts.marks import Axis, Mark, Moving, Texts


class Picture(ABC):
    """What can be drawn as SVG."""

    @abstractmethod
    def svg(self, key: str) -> str:
        """Inline SVG for a page; `key` begins the ids in it."""

    def file(self) -> str:
        """SVG as a file of its own, light or dark as its reader is."""
        return svg.standalone(self.svg("chart"))


@dataclass(frozen=True, eq=False)
class Chart(Picture):
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

    @property
    def named(self) -> list[Any]:
        """The marks of its legend."""
        return [m for m in self.marks if self.legend and not isinstance(m, (Texts, Moving)) and m.name]

    def svg(self, key: str) -> str:
        return svg.inline(Panels(self.title, self.words, (self,), 1, kind=self.kind), key)

    def plot(self, ax: Any) -> None:
        """Draw on the axes of matplotlib."""
        figure.draw(self, ax)

    def inches(self) -> tuple[float, float]:
        """How large a figure with nothing but this is well drawn."""
        wide, tall = svg.size(self)
        return wide / 84 + 0.4, tall / 84 + 0.4


@dataclass(frozen=True, eq=False)
class Panels(Picture):
    """Charts side by side and below each other, as one picture."""

    title: str
    words: str
    charts: tuple[Chart, ...]
    columns: int
    head: str = ""
    foot: str = ""
    kind: str = "panels"

    def svg(self, key: str) -> str:
        return svg.inline(self, key)
