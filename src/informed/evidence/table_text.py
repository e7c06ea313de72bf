"""A table as a person likes to see it: aligned text, and a small HTML table for notebooks."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING
from unicodedata import category, east_asian_width

import numpy as np

from informed._arrays import ratio

if TYPE_CHECKING:
    from informed.evidence.table import Table

MOST = 12  # classes shown in full
WIDEST = 24  # columns of a label

_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")  # would reorder what stands beside them


def number(x: float) -> str:
    """A count: whole where it is whole, else up to four significant digits.

    >>> number(56.0), number(58.125), number(1e7)
    ('56', '58.12', '10,000,000')
    """
    if abs(x) >= 1e15:
        return f"{x:.4g}"
    if x == round(x):
        return f"{round(x):,}"
    return f"{x:,.4g}" if abs(x) < 1e4 else f"{x:,.1f}"


def harmless(text: str) -> str:
    """A text whose characters a terminal shows and does not obey: labels are data.

    >>> harmless("\\x1b[31mred"), harmless("a\\u202eb")
    ('�[31mred', 'ab')
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join("�" if category(c) in ("Cc", "Cs") else c for c in _TURNING.sub("", text))


def shortened(label: object, widest: int = WIDEST) -> str:
    """A label on one line, cut where it takes more columns than this.

    >>> shortened("two\\nlines"), shortened("x" * 30, 5), shortened("日本語", 5)
    ('two lines', 'xxxx…', '日本…')
    """
    flat = harmless(" ".join(str(label).split()))
    if width(flat) <= widest:
        return flat
    while width(flat) >= widest and flat:
        flat = flat[: min(len(flat) - 1, widest - 1)]
    return flat + "…"


def width(text: str) -> int:
    """Columns that a terminal gives to a text.

    >>> width("abc"), width("日本"), width("e\u0301")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(0 if category(c) in ("Mn", "Me", "Cf") else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def table_text(t: Table) -> str:
    if t.shape:
        named = "" if t.names is None else f", named {t.names!r}" if len(str(t.names)) < 60 else ", named"
        size = " x ".join(map(str, t.shape))
        return (
            f"Stack of {size} tables of {len(t.predicted_labels)} predicted x {len(t.real_labels)} real classes{named}"
        )
    head = f"Table of {number(t.n)} cases (rows: predicted, columns: real)"
    if t.derived:
        head = head.replace(" (", f", {t.derived} (", 1)
    if t.unanswered is not None:
        head += f"; {number(float(t.abstained.sum()))} abstained"
    if t.missing:
        head += f"; {number(t.missing)} missing"
    if max(len(t.predicted_labels), len(t.real_labels)) > MOST:
        return f"{head}\n{len(t.predicted_labels)} predicted x {len(t.real_labels)} real classes"
    return "\n".join([head, *aligned(_grid(t))])


def _grid(t: Table) -> list[list[str]]:
    counts = t.counts
    top = ["", *(shortened(x) for x in t.real_labels), "total"]
    body = [
        [shortened(label), *map(number, row), number(float(row.sum()))]
        for label, row in zip(t.predicted_labels, counts, strict=True)
    ]
    return [top, *body, ["total", *map(number, counts.sum(axis=0)), number(t.n)]]


def aligned(grid: list[list[str]]) -> list[str]:
    """Rows of cells as lines: the first column to the left, numbers to the right."""
    widths = [max(map(width, column)) for column in zip(*grid, strict=True)]
    lines = []
    for row in grid:
        first = row[0] + " " * (widths[0] - width(row[0]))
        rest = (" " * (w - width(x)) + x for x, w in zip(row[1:], widths[1:], strict=True))
        lines.append("  ".join([first, *rest]).rstrip())
    return lines


def table_html(t: Table) -> str:
    """The table as a notebook shows it: a cell is shaded by its share of the real class."""
    head, *lines = table_text(t).splitlines()
    if t.shape or len(lines) < 2:
        return f"<pre>{escape(table_text(t))}</pre>"

    share = np.nan_to_num(ratio(t.counts, t.counts.sum(axis=0))) / 2
    chance = t.independent.counts
    top, *body, totals = _grid(t)
    rows = ["".join(f"<th>{escape(x)}</th>" for x in top)]
    for i, (label, *cells, total) in enumerate(body):
        shown = "".join(
            f'<td title="{_beside(t.counts[i, j], chance[i, j])}" '
            f'style="background: rgb(70 130 180 / {share[i, j]:.2f})">{cell}</td>'
            for j, cell in enumerate(cells)
        )
        rows.append(f"<th>{escape(label)}</th>{shown}<td>{total}</td>")
    rows.append(f"<th>{totals[0]}</th>{''.join(f'<td>{x}</td>' for x in totals[1:])}")

    inside = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><caption>{escape(head)}</caption>{inside}</table>"


def _beside(seen: float, chance: float) -> str:
    """A cell in words, beside what guessing with the same margins would hold."""
    guessed = f", {chance:.1f} by chance ({seen - chance:+.1f})" if chance == chance else ""
    return f"{number(seen)} cases{guessed}"
