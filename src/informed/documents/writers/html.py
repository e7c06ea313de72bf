"""One HTML page: no other file, no network, no script but its own.

A Content-Security-Policy allows exactly the style and the script of this page, by their hashes;
nothing is styled by attributes, so that labels can never become code.
"""

from __future__ import annotations

import base64
import hashlib
import unicodedata
from functools import cache
from html import escape as escaped
from itertools import groupby

import informed
from informed._numbers import unbroken
from informed.documents.assets import asset
from informed.documents.blocks import (
    PICTURE,
    Block,
    Card,
    Cell,
    Drawing,
    Grid,
    GridColumn,
    Listed,
    Range,
    Section,
    Spanned,
    Words,
)
from informed.documents.charts.inline import inline_range
from informed.documents.charts.style import colours
from informed.documents.document import Document
from informed.documents.writers import writer
from informed.evidence.shown import Cut, shown

OPEN_PARTS = 3  # parts of a section beyond this are folded
FRAMES = {"pictures": '<div class="pictures">{}</div>', "terms": "<dl>{}</dl>", "": "{}"}  # of neighbours of a kind
LONG = 60  # rows of a grid beyond this are folded

# How JupyterLab, VS Code, Colab and Sphinx say that they are light or dark, whatever the system is
LIGHT_HOSTS = ('[data-jp-theme-light="true"]', "body.vscode-light", 'html[theme="light"]', '[data-theme="light"]')
DARK_HOSTS = (
    '[data-jp-theme-light="false"]',
    "body.vscode-dark",
    "body.vscode-high-contrast:not(.vscode-high-contrast-light)",
    'html[theme="dark"]',
    '[data-theme="dark"]',
)
PAPER = "& { background: var(--paper); color: var(--ink); padding: .75rem 1rem; border-radius: 6px }"


def escape(said: str) -> str:
    """Words of a sentence: nothing in them is markup, and no line ends inside a number."""
    return escaped(unbroken(said))


@cache
def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


@writer("html", suffixes=(".html", ".htm"), media="text/html", title="Page")
def html(document: Document) -> str:
    """The whole page."""
    style, script = asset("style.css"), asset("script.js") + (asset(document.script) if document.script else "")
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    sections = document.body()
    links = "".join(f'<li><a href="#{s.key}">{escape(s.title)}</a></li>' for s in sections)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="generator" content="informed">\n'
        f"<title>{escape(document.title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<header>{_top(document)}<nav aria-label="Sections"><ul>{links}</ul></nav></header>\n'
        f"<main>{''.join(map(_section, sections))}</main>\n"
        f"<footer>Made with informed {escape(informed.__version__)}. This page works offline and sends "
        'nothing anywhere.</footer>\n<div id="tip" role="presentation" hidden></div>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def fragment(document: Document, key: str) -> str:
    """The answer, pictures and grids for a notebook, whose own style they keep out of."""
    said = f'<p class="answer">{escape(document.said)}</p>{_warned(document)}'
    inside = "".join(blocks(s.blocks, f"{key}-{s.key}") for s in document.sections)
    notes = "".join(f'<p class="note">{escape(x)}</p>' for x in document.remarks)
    return f'<style>{_notebook_style()}</style><div class="informed">{said}{inside}{notes}</div>'


@cache
def _notebook_style() -> str:
    """The style for what is in the fragment alone, on paper of its own, light or dark as the notebook is."""
    own = asset("style.css").replace(":root", "&")
    themes = []
    for dark, hosts in ((False, LIGHT_HOSTS), (True, DARK_HOSTS)):
        held = "; ".join(f"--{name}: {x}" for name, x in colours(dark=dark).items())
        these = ", ".join(f"{host} .informed" for host in hosts)
        themes.append(f"{these} {{ color-scheme: {'dark' if dark else 'light'}; {held} }}")
    return f".informed {{{own}{PAPER}}}\n" + "\n".join(themes)


def _top(document: Document) -> str:
    more = document.further
    rest = f'<p class="more-answer">{escape(more)}</p>' if more else ""
    cards = "".join(map(_card, document.cards))
    key = f'<ul class="key">{cards}</ul>' if cards else ""
    return (
        f'<h1>{escape(document.title)}</h1><p class="answer">{escape(document.answer)}</p>'
        f"{rest}{key}{_warned(document)}"
    )


def _warned(document: Document) -> str:
    return "".join(f'<p class="warning">{escape(x)}</p>' for x in document.warnings)


def _card(card: Card) -> str:
    drawn = "" if card.range is None else inline_range(card.range)
    return (
        f'<li><span class="name">{escape(card.name)}</span><b>{_number(card.value)}</b>'
        f'<span class="range">{_number(card.words)}</span>{drawn}</li>'
    )


# ---------------------------------------------------------------------- sections


def _section(section: Section) -> str:
    inside = blocks(section.blocks, section.key)
    shown = " open" if len(section.parts) <= OPEN_PARTS else ""
    inside += "".join(_part(part, shown) for part in section.parts)
    return (
        f'<section id="{section.key}" aria-labelledby="{section.key}-h">'
        f'<h2 id="{section.key}-h">{escape(section.title)}</h2>{inside}</section>\n'
    )


def _part(part: Section, shown: str) -> str:
    return (
        f'<details class="group" id="{part.key}"{shown}><summary><h3>{escape(part.title)}</h3>'
        f'<span class="note"> {_number(part.brief)}</span></summary>'
        f"{blocks(part.blocks, part.key)}</details>"
    )


def blocks(held: tuple[Block, ...], key: str) -> str:
    """Sentences, grids and pictures in their order; neighbours of a kind stand together."""
    drawn = any(isinstance(block, Drawing) for block in held)
    out: list[str] = []
    for kind, group in groupby(enumerate(held), lambda x: _together(x[1])):
        inside = "".join(_block(block, f"{key}-{i}", drawn) for i, block in group)
        out.append(FRAMES[kind].format(inside) if inside else "")
    return "".join(out)


def _together(block: Block) -> str:
    """What stands in one frame with its neighbours."""
    if isinstance(block, Drawing):
        return "pictures"
    listed = isinstance(block, Words) and block.kind in ("term", "command")
    return "terms" if listed else ""


def _block(block: Block, key: str, drawn: bool) -> str:
    if isinstance(block, Drawing):
        return _figure(block, key)
    if isinstance(block, Grid):  # beside a picture, intervals are not drawn again
        return _grid(block.without_pictures() if drawn else block, key)
    if block.kind in ("term", "command"):
        return _term(block)
    kind = f' class="{block.kind}"' if block.kind != "plain" else ""
    return f"<p{kind}>{escape(block.text)}</p>"


def _figure(block: Drawing, key: str) -> str:
    drawn = block.draw(key)
    if not drawn:
        return ""
    below = f"<figcaption>{escape(block.title)}</figcaption>" if block.caption else ""
    return (
        f'<figure class="scroll" tabindex="0" role="group" aria-label="{escape(block.title)}">{drawn}{below}</figure>'
    )


def _term(block: Words) -> str:
    text = escape(block.text)
    if block.kind == "command":
        text = f"<pre><code>{escaped(block.text)}</code></pre>"
    return f"<dt>{escape(block.term)}</dt><dd>{text}</dd>"


def _grid(grid: Grid, key: str) -> str:
    sortable = " data-sort" if grid.sortable and len(grid.rows) > 4 else ""
    heads = "".join(f'<th scope="col"{_right(c)}>{_head(c.title)}</th>' for c in grid.columns)
    section = key.rpartition("-")[0]
    to = [f' id="{section}-{x}" tabindex="-1"' for x in grid.anchors] or [""] * len(grid.rows)
    rows = [_row(row, grid.columns, own) for row, own in zip(grid.rows, to, strict=True)]
    cut = len(rows) - grid.sums
    foot = f"<tfoot>{''.join(rows[cut:])}</tfoot>" if grid.sums else ""
    table = (
        f'<table{sortable} aria-label="{escape(grid.caption)}">'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(rows[:cut])}</tbody>{foot}</table>"
    )
    scroll = f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(grid.caption)}">{table}</div>'
    scroll = f'<div class="wide">{scroll}</div>'
    if grid.folded or len(grid.rows) > LONG:
        said = "" if grid.anchors else ": the numbers"
        return f"<details><summary>{escape(grid.caption)}{said}</summary>{scroll}</details>"
    return f'<div class="grid-of" id="{key}"><p class="cap">{escape(grid.caption)}</p>{scroll}</div>'


def _row(row: tuple[Cell, ...], columns: tuple[GridColumn, ...], own: str = "") -> str:
    cells = "".join(f"<td{_right(c)}>{_cell(x, c)}</td>" for x, c in zip(row[1:], columns[1:], strict=True))
    return f'<tr{own}><th scope="row">{_cell(row[0], columns[0])}</th>{cells}</tr>'


def _head(title: str) -> str:
    if isinstance(title, Cut):
        return _abbreviated(title)
    return '<span class="sr">picture of the interval</span>' if title == PICTURE else escape(title)


def _right(column: GridColumn) -> str:
    return ' class="r"' if column.numeric else ""


def _cell(cell: Cell, column: GridColumn) -> str:
    if isinstance(cell, Range):
        return inline_range(cell)
    if isinstance(cell, Listed):
        return ", ".join(f'<span class="one">{_cell(shown(x), column)}</span>' for x in cell.items)
    if isinstance(cell, Spanned):
        return _number(cell.value) + (f"<small>{_number(cell.span)}</small>" if cell.span else "")
    if column.numeric:
        return _number(cell)
    if isinstance(cell, Cut):
        return _abbreviated(cell)
    right_to_left = any(unicodedata.bidirectional(c) in ("R", "AL") for c in cell)
    return f"<bdi>{escaped(cell)}</bdi>" if right_to_left else escaped(cell)


def _abbreviated(cut: Cut) -> str:
    return f'<abbr title="{escaped(cut.whole)}">{escaped(cut)}</abbr>'


def _number(said: str) -> str:
    """A real minus sign before digits."""
    return escape(said).replace("-", "−")
