"""A page of what was found: an answer in one sentence, sections under it, in every format."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any

from informed.documents.blocks import Block, Drawing, Grid, Section, Words
from informed.documents.charts.style import asset
from informed.documents.charts.svg import standalone
from informed.documents.writers import markdown, text
from informed.documents.writers.html import blocks, shell
from informed.errors import InformedError

FORMATS = ("text", "json", "markdown", "html")
SUFFIXES = {
    ".txt": "text",
    ".json": "json",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
}


@dataclass(frozen=True)
class Page:
    """What a comparison, a leaderboard, raters or a judge gave, for people and programs."""

    title: str
    answer: str
    sections: tuple[Section, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    command: str = ""
    script: str = ""  # the name of a script of its own, beside that of every page

    def and_(self, other: Page, name: str) -> Page:
        """This page with the sections of another under it, and its data by that name."""
        first, *rest = other.sections
        first = replace(first, blocks=(Words(f"{other.answer}."), *first.blocks))
        return replace(
            self,
            sections=(*self.sections, first, *rest),
            warnings=tuple(dict.fromkeys((*self.warnings, *other.warnings))),
            notes=tuple(dict.fromkeys((*self.notes, *other.notes))),
            data={**self.data, name: {"answer": other.answer, **other.data}},
        )

    def text(self, *, width: int = 100) -> str:
        """For a terminal or a pipe; the answer is the first line."""
        lines = [self.answer, "", *(f"! {warning}" for warning in self.warnings)]
        lines += [""] if self.warnings else []
        for section in self.sections:
            lines += text.section_lines(section, width, "-")
        for note in self.notes:
            lines += text._wrapped(note, width, "  ")
        return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"

    def markdown(self) -> str:
        """For a repository, an issue, a chat."""
        lines = [f"**{markdown.text(self.answer)}**", ""]
        for warning in self.warnings:
            lines += ["> [!WARNING]", f"> {markdown.text(warning)}", ""]
        for section in self.sections:
            lines += markdown.section_lines(section, 2)
        lines += [f"- {markdown.text(note)}" for note in self.notes]
        return "\n".join(lines).rstrip() + "\n"

    def json(self) -> str:
        """Numbers at full precision; what is undefined is null."""
        held = {
            "answer": self.answer,
            **self.data,
            "warnings": list(self.warnings),
            "notes": list(self.notes),
        }
        return json.dumps(plain(held), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def html(self) -> str:
        """One page that needs no other file and no network."""
        import informed

        warned = "".join(f'<p class="warning">{escape(x)}</p>' for x in self.warnings)
        top = f'<h1>{escape(self.title)}</h1><p class="answer">{escape(self.answer)}</p>{warned}'
        sections = [*self.sections, *self._about()]
        body = "".join(
            f'<section id="{s.key}" aria-labelledby="{s.key}-h"><h2 id="{s.key}-h">'
            f"{escape(s.title)}</h2>{blocks(_drawn(s.blocks), None, s.key)}</section>\n"
            for s in sections
        )
        more = asset(self.script) if self.script else ""
        return shell(self.title, top, sections, body, informed.__version__, more)

    def _about(self) -> list[Section]:
        held: list[Block] = [Words(note, "note") for note in self.notes]
        if self.command:
            held.append(Words(self.command, "term", "This page again"))
        return [Section("about", "What to know", tuple(held))] if held else []

    def written_as(self, form: str) -> str:
        """In the format of this name, or of this suffix of a file."""
        name = SUFFIXES.get(form, form)
        if name not in FORMATS:
            raise InformedError(
                f"{form!r} is no format of this page; there are {', '.join(FORMATS)}, and the "
                f"suffixes {', '.join(SUFFIXES)}."
            )
        done: str = getattr(self, name)()
        return done

    def save(self, path: str | Path) -> Path:
        """Write the page in the format that the suffix names."""
        path = Path(path)
        path.write_text(self.written_as(path.suffix.lower()), encoding="utf-8", newline="")
        return path

    def pictures(self) -> dict[str, str]:
        """Its pictures as SVG files of their own, each by its section and its title."""
        drawn = {
            f"{s.key}/{block.title}": block.draw(f"{s.key}-{i}")
            for s in self.sections
            for i, block in enumerate(s.blocks)
            if isinstance(block, Drawing)
        }
        return {name: standalone(x) for name, x in drawn.items() if x.startswith("<svg")}

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        import informed

        return str(informed.notebook_html(self))

    def inside(self, key: str) -> str:
        """The pictures and grids alone, for a notebook; `key` keeps their names apart."""
        return "".join(blocks(_drawn(s.blocks), None, f"{key}-{s.key}") for s in self.sections)


def paged(
    title: str, sections: tuple[Section, ...], data: Mapping[str, Any], script: str = ""
) -> Page:
    """A page of sections, the first of which holds the answer and its warnings."""
    first, *rest = sections

    def said(kind: str) -> tuple[str, ...]:
        return tuple(x.text for x in first.blocks if isinstance(x, Words) and x.kind == kind)

    answer = " ".join(said("answer"))
    return Page(title, answer, tuple(rest), said("warning"), data=data, script=script)


def _drawn(held: tuple[Block, ...]) -> tuple[Block, ...]:
    """Where a picture stands, its intervals are not drawn in the grid again."""
    if not any(isinstance(block, Drawing) for block in held):
        return held
    return tuple(_bare(block) if isinstance(block, Grid) else block for block in held)


def _bare(grid: Grid) -> Grid:
    keep = [i for i, c in enumerate(grid.columns) if c.title != "picture"]
    return replace(
        grid,
        columns=tuple(grid.columns[i] for i in keep),
        rows=tuple(tuple(row[i] for i in keep) for row in grid.rows),
    )


def plain(x: Any) -> Any:
    """What JSON can hold; NaN and infinity are null."""
    if isinstance(x, Mapping):
        return {str(key): plain(value) for key, value in x.items()}
    if isinstance(x, (list, tuple)):
        return [plain(value) for value in x]
    if hasattr(x, "tolist"):
        return plain(x.tolist())
    if isinstance(x, float):
        return x if math.isfinite(x) else None
    return x if x is None or isinstance(x, (bool, int, str)) else str(x)
