"""The report as one HTML page: no other file, no network, no script but its own.

A Content-Security-Policy allows exactly the style and the script of this page, by their hashes;
nothing is styled by attributes, so that labels can never become code.
"""

from __future__ import annotations

import base64
import hashlib
import math
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache
from html import escape

from informed._numbers import percent, rate, span
from informed.documents.blocks import (
    Block,
    Cell,
    Column,
    Drawing,
    Grid,
    Picture,
    Range,
    Section,
    Words,
)
from informed.documents.charts.chart import Chart, Panels
from informed.documents.charts.inline import inline_range
from informed.documents.charts.style import asset
from informed.documents.pages import report_pictures as pictures_of
from informed.documents.pages.report import document
from informed.summary.report import Estimate, Report

BEHIND = {"counts", "expected", "prevalence", "power"}  # grids that a picture already shows
OPEN_GROUPS = 3


@cache
def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def html(report: Report, *, precision: int = 3) -> str:
    """The whole page."""
    sections = [s for s in document(report, precision=precision, whole=True) if s.key != "answer"]
    body = "".join(_section(s, report) for s in sections)
    return shell(report.title, _top(report, precision), sections, body, report.version)


def shell(
    title: str, top: str, sections: Sequence[Section], body: str, version: str, more: str = ""
) -> str:
    """What every page has around its body: policy, style, links to its sections, script."""
    style, script = asset("style.css"), asset("script.js") + more
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    links = "".join(f'<li><a href="#{s.key}">{escape(s.title)}</a></li>' for s in sections)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="generator" content="informed">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f"<header>{top}"
        f'<nav aria-label="Sections"><ul>{links}</ul></nav></header>\n'
        f"<main>{body}</main>\n"
        f"<footer>Made with informed {escape(version)}. This page works offline and sends "
        'nothing anywhere.</footer>\n<div id="tip" role="presentation" hidden></div>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _top(report: Report, precision: int) -> str:
    answer = report.answer
    rest = f'<p class="more-answer">{escape(" ".join(answer[1:]))}</p>' if answer[1:] else ""
    warned = "".join(f'<p class="warning">{escape(x)}</p>' for x in report.warnings)
    return (
        f'<h1>{escape(report.title)}</h1><p class="answer">{escape(answer[0])}</p>{rest}'
        f"{_key_numbers(report.estimates[:3], precision)}{warned}"
    )


def _key_numbers(estimates: tuple[Estimate, ...], precision: int) -> str:
    cards = "".join(
        f'<li><span class="name">{escape(e.title)}</span><b>{_number(rate(e.value, precision))}</b>'
        f'<span class="range">{_range_words(e, precision)}</span>'
        f"{_inline(e)}</li>"
        for e in estimates
    )
    return f'<ul class="key">{cards}</ul>'


def _range_words(e: Estimate, precision: int) -> str:
    if math.isnan(e.value):
        return escape(e.why)
    if math.isnan(e.low):
        return ""
    return f"{percent(e.level)} interval {_number(span(e.low, e.high, precision))}"


def _inline(e: Estimate) -> str:
    if math.isnan(e.value) or not -1 <= e.value <= 1:
        return ""
    start = -1.0 if min(e.low if e.low == e.low else e.value, e.value) < 0 else 0.0
    return inline_range(Range(e.low, e.value, e.high, e.chance, start))


# ---------------------------------------------------------------------- sections


def _section(section: Section, report: Report | None) -> str:
    inside = blocks(section.blocks, report, section.key)
    if section.key == "each" and report is not None:
        inside += "".join(_group(part, report) for part in section.parts)
    return (
        f'<section id="{section.key}" aria-labelledby="{section.key}-h">'
        f'<h2 id="{section.key}-h">{escape(section.title)}</h2>{inside}</section>\n'
    )


def _group(part: Section, report: Report) -> str:
    group = report.groups[int(part.key.removeprefix("group-"))]
    shown = " open" if len(report.groups) <= OPEN_GROUPS else ""
    b = group["informedness"]
    brief = f" {rate(b.value)} {span(b.low, b.high)}" if not math.isnan(b.value) else ""
    return (
        f'<details class="group" id="{part.key}"{shown}><summary><h3>{escape(part.title)}</h3>'
        f'<span class="note"> informedness{_number(brief)}</span></summary>'
        f"{blocks(part.blocks, group, part.key)}</details>"
    )


def blocks(held: tuple[Block, ...], report: Report | None, key: str) -> str:
    """Sentences, grids and pictures in their order; neighbours of a kind stand together."""
    out: list[str] = []
    pictures: list[str] = []
    terms: list[str] = []

    def flush() -> None:
        if pictures:
            out.append(f'<div class="pictures">{"".join(pictures)}</div>')
            pictures.clear()
        if terms:
            out.append(f"<dl>{''.join(terms)}</dl>")
            terms.clear()

    for i, block in enumerate(held):
        if isinstance(block, (Picture, Drawing)):
            if isinstance(block, Drawing):
                drawn, name, caption = block.draw(f"{key}-{i}"), block.title, block.caption
            else:
                drawn = _picture(block.name, report, f"{key}-{block.name}") if report else ""
                name, caption = _named(block.name), False
            if drawn:
                below = f"<figcaption>{escape(name)}</figcaption>" if caption else ""
                pictures.append(
                    f'<figure class="scroll" tabindex="0" role="group" aria-label="{escape(name)}">'
                    f"{drawn}{below}</figure>"
                )
        elif isinstance(block, Words) and block.kind == "term":
            terms.append(_term(block))
        else:
            flush()
            if isinstance(block, Words):
                kind = f' class="{block.kind}"' if block.kind != "plain" else ""
                out.append(f"<p{kind}>{escape(block.text)}</p>")
            else:
                out.append(_grid(block, f"{key}-grid-{i}"))
    flush()
    return "".join(out)


def _named(picture: str) -> str:
    names = {"table": "Heat map of the table", "roc": "ROC plane", "power": "Power curve"}
    return names.get(picture, f"Picture of {picture}")


def _picture(name: str, report: Report, key: str) -> str:
    if name == "prevalence":
        slider = f"{key}-range"
        return _drawn(pictures_of.prevalence(report, slider), key) + pictures_of.prevalence_slider(
            report, slider
        )
    if name == "groups":
        both = pictures_of.groups(report), pictures_of.small_tables(report)
        return "".join(_drawn(x, f"{key}{i or ''}") for i, x in enumerate(both))
    draw: dict[str, Callable[[], Chart | None]] = {
        "table": lambda: pictures_of.table(report.table),
        "roc": lambda: pictures_of.roc(report),
        "classes": lambda: pictures_of.classes(report),
        "power": lambda: pictures_of.power(report),
    }
    return _drawn(draw[name](), key) if name in draw else ""


def _drawn(chart: Chart | Panels | None, key: str) -> str:
    return chart.svg(key) if chart else ""


def _term(block: Words) -> str:
    text = escape(block.text)
    if block.term == "This page again":
        text = f"<pre><code>{text}</code></pre>"
    return f"<dt>{escape(block.term)}</dt><dd>{text}</dd>"


def _grid(grid: Grid, key: str) -> str:
    sortable = " data-sort" if grid.key in ("classes", "groups") and len(grid.rows) > 4 else ""
    heads = "".join(f'<th scope="col"{_right(c)}>{_head(c.title)}</th>' for c in grid.columns)
    rows = [_row(row, grid.columns) for row in grid.rows]
    cut = len(rows) - grid.sums
    foot = f"<tfoot>{''.join(rows[cut:])}</tfoot>" if grid.sums else ""
    table = (
        f'<table{sortable} aria-label="{escape(grid.caption)}">'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(rows[:cut])}</tbody>{foot}</table>"
    )
    scroll = (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(grid.caption)}">'
        f"{table}</div>"
    )
    if grid.key in BEHIND or len(grid.rows) > 60:
        return f"<details><summary>{escape(grid.caption)}: the numbers</summary>{scroll}</details>"
    return (
        f'<div class="grid-of" id="{key}"><p class="cap">{escape(grid.caption)}</p>{scroll}</div>'
    )


def _row(row: tuple[Cell, ...], columns: tuple[Column, ...]) -> str:
    cells = "".join(
        f"<td{_right(c)}>{_cell(x, c)}</td>" for x, c in zip(row[1:], columns[1:], strict=True)
    )
    return f'<tr><th scope="row">{_cell(row[0], columns[0])}</th>{cells}</tr>'


def _head(title: str) -> str:
    return (
        '<span class="sr">picture of the interval</span>' if title == "picture" else escape(title)
    )


def _right(column: Column) -> str:
    return ' class="r"' if column.numeric else ""


def _cell(cell: str | Range, column: Column) -> str:
    if isinstance(cell, Range):
        return inline_range(cell)
    if not column.numeric:
        return f"<bdi>{escape(cell)}</bdi>" if any(map(_right_to_left, cell)) else escape(cell)
    value, bracket, inside = cell.partition(" [")
    return _number(value) + (f"<small>{_number('[' + inside)}</small>" if bracket else "")


def _right_to_left(c: str) -> bool:
    return unicodedata.bidirectional(c) in ("R", "AL")


def _number(said: str) -> str:
    """A real minus sign before digits."""
    return escape(said).replace("-", "−")
