"""An answer in one sentence, tables under it, and notes: as text, Markdown or JSON."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

Rows = list[list[str]]


@dataclass(frozen=True)
class Answer:
    """What a command found."""

    sentence: str
    tables: list[tuple[list[str], Rows]]  # heads and rows
    notes: tuple[str, ...]
    data: dict[str, Any]

    def shown(self, form: str) -> str:
        if form == "json":
            held = {"answer": self.sentence, **self.data, "notes": list(self.notes)}
            return json.dumps(plain(held), indent=2, ensure_ascii=False)
        if form == "markdown":
            parts = [f"**{_escaped(self.sentence)}**"]
            parts += [_markdown(head, rows) for head, rows in self.tables]
            parts += ["\n".join(f"- {_escaped(note)}" for note in self.notes)]
        else:
            parts = [self.sentence, *(_aligned(head, rows) for head, rows in self.tables)]
            parts += ["\n".join(self.notes)]
        return "\n\n".join(part for part in parts if part)


def number(x: float, *, sign: bool = False) -> str:
    if math.isnan(x):
        return "undefined"
    return f"{x:+.3f}" if sign else f"{x:.3f}"


def limits(low: float, high: float, *, sign: bool = False) -> str:
    return f"[{number(low, sign=sign)}, {number(high, sign=sign)}]"


def probability(p: float) -> str:
    from informed.systems.difference import pvalue_text

    said = pvalue_text(p)
    return f"p {said}" if said.startswith("<") else f"p = {said}"


def plain(x: Any) -> Any:
    """What JSON can hold; NaN and infinity are null."""
    if isinstance(x, dict):
        return {str(key): plain(value) for key, value in x.items()}
    if isinstance(x, (list, tuple)):
        return [plain(value) for value in x]
    if hasattr(x, "tolist"):
        return plain(x.tolist())
    if isinstance(x, float):
        return x if math.isfinite(x) else None
    return x if x is None or isinstance(x, (bool, int, str)) else str(x)


def _aligned(head: list[str], rows: Rows) -> str:
    """The first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]

    def line(row: list[str]) -> str:
        first, *others = zip(row, widths, strict=True)
        return "  ".join([first[0].ljust(first[1]), *(x.rjust(w) for x, w in others)]).rstrip()

    return "\n".join(map(line, [head, *rows]))


def _markdown(head: list[str], rows: Rows) -> str:
    rule = ["---", *("---:" for _ in head[1:])]
    return "\n".join(f"| {' | '.join(map(_escaped, row))} |" for row in [head, rule, *rows])


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
