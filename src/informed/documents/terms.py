"""Blocks of a page with measures by the names of others: words, grids and pictures, whose data are the same."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from html import escape, unescape
from typing import Any, TypeVar

from informed.documents.blocks import Block, Cell, Drawing, Grid, Section, Seen, drawing
from informed.documents.charts.chart import Chart, Panels
from informed.documents.charts.marks import Axis, Mark
from informed.measures.terms import Say

T = TypeVar("T")
SAID = ("name", "words", "tips")  # what marks say
_IN_MARKUP = re.compile(r"""(?<=>)[^<>]+(?=<)|(?<=aria-label=")[^"]*|(?<=data-tip=")[^"]*|(?<=title=")[^"]*""")


@dataclass(frozen=True)
class Spoken:
    """How blocks are said."""

    say: Say

    def section(self, held: Section) -> Section:
        blocks, parts = tuple(map(self.block, held.blocks)), tuple(map(self.section, held.parts))
        return replace(held, title=self.say(held.title), blocks=blocks, parts=parts, brief=self.say(held.brief))

    def block(self, held: Block) -> Block:
        return self.drawing(held) if isinstance(held, Drawing) else self.one(held)

    def seen(self, held: Seen | tuple[Seen, ...]) -> Seen | tuple[Seen, ...]:
        """What one screen shows, or alternatives of it."""
        return tuple(map(self.one, held)) if isinstance(held, tuple) else self.one(held)

    def one(self, held: Seen) -> Seen:
        if isinstance(held, Grid):
            return self.grid(held)
        said = held.text if held.kind == "command" else self.say(held.text)
        return replace(held, text=said, term=self.say(held.term))

    def grid(self, held: Grid) -> Grid:
        heads = tuple(replace(c, title=self.say(c.title)) for c in held.columns)
        rows = tuple(
            tuple(x if c.numeric else self.cell(x) for x, c in zip(row, held.columns, strict=True)) for row in held.rows
        )
        if held.positive:
            heads, rows = _swapped(heads, 1), _swapped(tuple(_swapped(row, 1) for row in rows), 0)
        caption, cut = self.say(held.caption), self.say(held.cut_words)
        return replace(held, caption=caption, columns=heads, rows=rows, cut_words=cut, positive=0)

    def cell(self, held: Cell) -> Cell:
        return self.say(held) if isinstance(held, str) else held

    # ---------------------------------------------------------------------- pictures

    def drawing(self, held: Drawing) -> Drawing:
        title = self.say(held.title)
        if held.chart is None:
            return Drawing(title, lambda key: self.markup(held.draw(key)), held.caption)
        make = held.chart
        return drawing(title, lambda: self.chart(make()), caption=held.caption)

    def chart(self, held: Chart | Panels | None) -> Chart | Panels | None:
        if held is None:
            return None
        same: dict[str, Any] = {name: self.say(getattr(held, name)) for name in ("title", "words", "head", "foot")}
        if isinstance(held, Panels):
            return replace(held, **same, charts=tuple(self.chart(x) for x in held.charts))  # type: ignore[misc]
        return replace(held, **same, x=self.axis(held.x), y=self.axis(held.y), marks=tuple(map(self.mark, held.marks)))

    def axis(self, held: Axis) -> Axis:
        ticks = tuple(replace(x, near=self.say(x.near), far=self.say(x.far)) for x in held.ticks)
        return replace(held, title=self.say(held.title), ticks=ticks)

    def mark(self, held: Mark) -> Mark:
        own = {f.name for f in fields(held)}
        said = {name: getattr(held, name) for name in SAID if name in own}
        made: dict[str, Any] = {
            name: self.say(x) if isinstance(x, str) else tuple(map(self.say, x)) for name, x in said.items()
        }
        return replace(held, **made)

    def markup(self, held: str) -> str:
        """What a person reads of a picture that is more than a chart."""
        return _IN_MARKUP.sub(lambda found: escape(self.say(unescape(found[0]))), held)


def _swapped(held: tuple[T, ...], at: int) -> tuple[T, ...]:
    """Two neighbours in the place of each other."""
    return (*held[:at], held[at + 1], held[at], *held[at + 2 :])
