"""The bookmaker as pages: odds, payoffs, winnings, and a spreadsheet to play with."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import partial
from html import escape
from typing import Any

import numpy as np

from informed._numbers import MISSING, count, signed
from informed.decisions.bookmaker import Method, Models, Odds, Payoffs, odds, payoffs, shares
from informed.documents.blocks import (
    Block,
    Drawing,
    Grid,
    GridColumn,
    Section,
    Words,
    columns,
    cross,
    grid_of,
    label,
    named_by,
    rows_of,
)
from informed.documents.document import Document
from informed.documents.paging import page_of
from informed.evidence.labels import text as said_label
from informed.evidence.table import Table
from informed.measures import find
from informed.measures.shown import IN_SPREADSHEET

SCRIPT = "sheet.js"
LINES = {"plus": ("pp", "tp", "fp"), "minus": ("pn", "fn", "tn")}  # of the spreadsheet: their total and cells
LABELS = "The gain of a label is the share of its decisions that is informed; the rest is guessed."
METHODS: dict[Method, str] = {
    "fixed-win": "right wins 1, wrong loses Prev/(1 − Prev)",
    "unit": "right wins 1/Prev, wrong loses 1/(1 − Prev)",
    "table": "right wins what the other class is worth in per cent, wrong loses its own",
}


@page_of(Odds)
def odds_page(held: Odds, *, title: str = "Fair odds") -> Document:
    """Fair odds in every notation."""
    return Document.of(held, title, _odds_section(held))


@page_of(Payoffs)
def bets_page(won: Payoffs, *, title: str = "What these predictions win") -> Document:
    """The odds, what each prediction pays and has won, labels, and guessing."""
    lost = _lost(won)
    parts = [
        _odds_section(odds(won.table)),
        _winnings_section(won),
        Section("labels", "Labels", (_labels_grid(won), Words(f"{LABELS} {lost}".strip(), "note"))),
        Section("guessing", "Guessing earns nothing", (_guessing(won),)),
    ]
    if won.table.positive is not None:
        parts.insert(0, sheet_section({"": won}, "spreadsheet", "The spreadsheet"))
    told: dict[str, Any] = {"further": _staked(won), "steps": (lost,) if lost else ()}
    return Document.of(won, title, *parts, script=SCRIPT, **told)


@page_of(Models)
def models_page(found: Models) -> Document:
    """The four models of the 2003 paper's figure, every legible cell of it."""
    sheets = sheet_section(found.won, "models", "The four models")
    return Document.of(found, "The four models of 2003", sheets, script=SCRIPT)


# ---------------------------------------------------------------------- odds and bets


def _odds_section(held: Odds) -> Section:
    heads = {"percent": "per cent", "american": "American"}
    caption = "Fair odds: a bet at these is worth nothing on average"
    return Section("odds", "Odds", (grid_of(held.records(), caption, titles=heads),))


def _winnings_section(won: Payoffs) -> Section:
    """Payoffs and winnings of each cell, row and column."""
    corner, names = "predicted \\ real", won.labels
    paid = f"Payoffs ({won.method}: {METHODS[won.method]})"
    caption = "Won a case, by cell, prediction (right) and real class (below)"
    cells = np.block([[won.winnings, won.rows[:, None]], [won.columns, np.array(won.total)]])
    won_ = cross(caption, corner, [*names, "won"], [*names, "all"], cells, _money, sums=1)
    return Section("winnings", "Winnings", (cross(paid, corner, names, names, won.payoff, _money), won_))


def _money(x: float) -> str:
    return MISSING if math.isnan(x) else signed(round(x, 12), 3)  # sums leave a few 1e-17


def _labels_grid(won: Payoffs) -> Grid:
    heads = {"gain": "gain G(l)", "weighted": "bias · G(l)", "kelly": "Kelly fraction"}
    names = ("label", "bias", "gain", "weighted", "kelly", "verdict")
    caption = "What the decisions for each label are worth"
    return grid_of(won.records(), caption, *names, titles=heads)


def _lost(won: Payoffs) -> str:
    """Labels that are better not bet on."""
    bad = [said_label(x) for x, v in zip(won.labels, won.verdicts, strict=True) if v == "superstitious"]
    return f"Bets on {', '.join(bad[:10])} lose at fair odds: better stay out of that market." if bad else ""


def _staked(won: Payoffs) -> str:
    """What the stakes of a strategy win."""
    if won.stakes is None or won.expected_value is None:
        return ""
    shown = ", ".join(f"{s:g} on {label(x)}" for s, x in zip(won.stakes, won.labels, strict=True))
    return f"With stakes of {shown}, a case wins {_money(won.expected_value)}."


def _guessing(won: Payoffs) -> Grid:
    rows = [
        ("these predictions", *map(_money, won.rows), _money(won.total)),
        ("guessed with the same margins", *map(_money, won.guessed.rows), _money(won.guessed.total)),
        ("perfect", *[""] * len(won.labels), _money(won.perfect)),
    ]
    heads = columns("who", *named_by(won.labels), "in all")
    return rows_of("Won a case, by predicted label", heads, rows)


# ---------------------------------------------------------------------- the spreadsheet


def sheet_section(held: Mapping[str, Payoffs], key: str, title: str) -> Section:
    """Tables of two classes as spreadsheets: in a page, cells can be changed."""
    blocks: list[Block] = [
        Words(
            "Odds are out of 10 as in the 2003 paper, so that knowing everything wins 10 on each "
            "class; weighted is that by how often it is predicted. Measures are in per cent.",
            "note",
        )
    ]
    for i, (name, won) in enumerate(held.items()):
        t = _ordered(won.table)
        blocks.append(Drawing(name or "The spreadsheet", partial(_sheet, t, name, f"{key}-{i}")))
        blocks += _written(t, name)
    return Section(key, title, tuple(blocks))


def _ordered(t: Table) -> Table:
    """With the positive class first."""
    return t if t.positive is None else t.with_order(sorted(t.labels, key=lambda x: x != t.positive))


def _numbers(t: Table) -> dict[str, str]:
    """Every cell of the spreadsheet as its script writes it, by kind and name."""
    won = payoffs(t, "unit")
    ten, weighted = 10 * won.winnings, 10 * won.weighted
    counts = zip(["pp", "pn", "rp", "rn", "n"], (*t.predicted_totals, *t.real_totals, t.n), strict=True)
    money = zip(
        ["tp", "fp", "fn", "tn", "plus", "minus", "rp", "rn", "all", "wplus", "wminus", "wall"],
        (*ten.ravel(), *ten.sum(axis=1), *ten.sum(axis=0), ten.sum(), *weighted, weighted.sum()),
        strict=True,
    )
    return {
        **{f"count.{name}": f"{float(x):.10g}" for name, x in counts},
        **{f"odds.{name}": "{} : {}".format(*x) for name, x in zip(LINES, odds(t).reduced(), strict=True)},
        **{f"won.{name}": _fixed(float(x)) for name, x in money},
        **{f"share.{name}": _fixed(100 * x) for name, x in shares(t).items()},
    }


def _fixed(x: float) -> str:
    return MISSING if not math.isfinite(x) else f"{round(x, 2) + 0.0:.2f}".replace("-", "−")


def _heads(t: Table) -> tuple[GridColumn, ...]:
    return columns("predicted \\ real", *named_by(t.labels), "total", "win : risk", "won", "weighted")


def _written(t: Table, name: str) -> list[Block]:
    """The spreadsheet as grids, for formats without pictures; a page folds them."""
    v = _numbers(t)
    rows: list[tuple[str, ...]] = []
    for x, cells, (kind, (total, *won)) in zip(t.labels, t.counts, LINES.items(), strict=True):
        ends = (f"count.{total}", f"odds.{kind}", f"won.{kind}", f"won.w{kind}")
        rows.append((label(x), *map(count, cells), *(v[what] for what in ends)))
        rows.append(("  won", *(v[f"won.{what}"] for what in won), *[""] * 4))
    rows.append(("total", v["count.rp"], v["count.rn"], v["count.n"], "", v["won.all"], v["won.wall"]))
    rows.append(("  won", v["won.rp"], v["won.rn"], *[""] * 4))

    measures = [(title, v[f"share.{x}"]) for x, title in _titles().items()]
    return [
        rows_of(f"{name or 'Counts'}: counts and what they won", _heads(t), rows, sums=2, folded=True),
        rows_of(f"{name or 'Measures'}: in per cent", ("measure", "%"), measures, folded=True),
    ]


def _titles() -> dict[str, str]:
    return {x: find(m.partition("(")[0]).facts.title for m, x in IN_SPREADSHEET.items()}


def _sheet(t: Table, name: str, id_: str, _: str) -> str:
    """A spreadsheet with four cells to change; sheet.js computes the others again."""
    v = _numbers(t)
    names = [label(x) for x in t.labels]

    def out(what: str) -> str:
        return f'<output data-is="{what}">{escape(v[what])}</output>' if what else ""

    def cell(inside: str, won: str) -> str:
        return f'<td class="r">{inside}<small>won {out("won." + won)}</small></td>'

    def entry(i: int, j: int) -> str:
        said = f"{name} predicted {names[i]}, really {names[j]}".strip()
        count = f'value="{t.counts[i, j]:.10g}" aria-label="{escape(said)}"'
        return f'<input type="number" min="0" step="any" {count}>'

    def row(title: str, cells: Iterable[str], *others: str) -> str:
        held = "".join(f'<td class="r">{out(x)}</td>' for x in others)
        return f'<tr><th scope="row">{escape(title)}</th>{"".join(cells)}{held}</tr>'

    body = ""
    for i, (kind, (total, *won)) in enumerate(LINES.items()):
        cells = (cell(entry(i, j), what) for j, what in enumerate(won))
        body += row(names[i], cells, f"count.{total}", f"odds.{kind}", f"won.{kind}", f"won.w{kind}")
    sums = (cell(out(f"count.{what}"), what) for what in ("rp", "rn"))
    body += row("total", sums, "count.n", "", "won.all", "won.wall")

    head = "".join(f'<th scope="col" class="r">{escape(x.title)}</th>' for x in _heads(t))
    measures = "".join(f"<span><b>{escape(title)}</b> {out(f'share.{x}')}</span>" for x, title in _titles().items())
    return (
        f'<div class="sheet" id="{id_}">{f"<h3>{escape(name)}</h3>" if name else ""}'
        '<p class="note">Change a count and see what is won.</p>'
        f'<table aria-label="{escape(name or "Counts")}"><thead><tr>{head}</tr></thead><tbody>'
        f'{body}</tbody></table><div class="readout">{measures}</div></div>'
    )
