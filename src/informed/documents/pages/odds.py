"""The bookmaker as pages: odds, payoffs, winnings, and a spreadsheet to play with."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape
from typing import Any

from informed._numbers import MISSING, count, signed
from informed.decisions.bookmaker import Method, Models, Odds, Payoffs, odds, payoffs, shares
from informed.documents.blocks import Block, Drawing, Grid, Section, Words, columns, grid_of, label
from informed.documents.document import Document
from informed.documents.paging import page_of
from informed.evidence.labels import text as said_label
from informed.evidence.table import Table
from informed.measures import find
from informed.measures.shown import IN_SPREADSHEET

SCRIPT = "sheet.js"
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
    parts = [
        _odds_section(odds(won.table)),
        _winnings_section(won),
        Section("labels", "Labels", (_labels_grid(won), *_labels_said(won))),
        Section("guessing", "Guessing earns nothing", (_guessing(won),)),
    ]
    if len(won.labels) == 2:
        parts.insert(0, sheet_section({"": won}, "spreadsheet", "The spreadsheet"))
    return Document.of(won, title, *parts, script=SCRIPT)


@page_of(Models)
def models_page(found: Models) -> Document:
    """The four models of the 2003 paper's figure, every legible cell of it."""
    sheets = sheet_section(found.won, "models", "The four models")
    return Document.of(found, "The four models of 2003", sheets, script=SCRIPT)


# ---------------------------------------------------------------------- odds and bets


def _odds_section(held: Odds) -> Section:
    heads = {"percent": "per cent", "american": "American"}
    caption = "Fair odds: a bet at these is worth nothing on average"
    return Section("odds", "Odds", (grid_of(held.records(), caption, titles=heads, key="odds"),))


def _winnings_section(won: Payoffs) -> Section:
    """Payoffs and winnings of each cell, row and column."""
    names = [label(x) for x in won.labels]
    heads = columns("predicted \\ real", *names)
    paid = [(x, *(_money(y) for y in row)) for x, row in zip(names, won.payoff, strict=True)]
    cells = [
        (x, *(_money(y) for y in row), _money(total))
        for x, row, total in zip(names, won.winnings, won.rows, strict=True)
    ]
    cells.append(("all", *map(_money, won.columns), _money(won.total)))
    return Section(
        "winnings",
        "Winnings",
        (
            Grid(f"Payoffs ({won.method}: {METHODS[won.method]})", heads, tuple(paid), "payoffs"),
            Grid(
                "Won a case, by cell, prediction (right) and real class (below)",
                (*heads, *columns("", "won")[1:]),
                tuple(cells),
                "winnings",
                1,
            ),
        ),
    )


def _money(x: float) -> str:
    return MISSING if math.isnan(x) else signed(round(x, 12), 3)  # sums leave a few 1e-17


def _labels_grid(won: Payoffs) -> Grid:
    heads = {"gain": "gain G(l)", "weighted": "bias · G(l)", "kelly": "Kelly fraction"}
    names = ("label", "bias", "gain", "weighted", "kelly", "verdict")
    caption = "What the decisions for each label are worth"
    return grid_of(won.records(), caption, *names, titles=heads, key="gains")


def _labels_said(won: Payoffs) -> list[Block]:
    bad = [x for x, v in zip(won.labels, won.verdicts, strict=True) if v == "superstitious"]
    said = "The gain of a label is the share of its decisions that is informed; the rest is guessed."
    if bad:
        shown = ", ".join(map(said_label, bad[:10]))
        said += f" Bets on {shown} lose at fair odds: better stay out of that market."
    if won.stakes is None or won.expected_value is None:
        return [Words(said, "note")]
    shown = ", ".join(f"{s:g} on {label(x)}" for s, x in zip(won.stakes, won.labels, strict=True))
    value = _money(won.expected_value)
    return [Words(said, "note"), Words(f"With stakes of {shown}, a case wins {value}.")]


def _guessing(won: Payoffs) -> Grid:
    guessed = won.guessed
    rows = [
        ("these predictions", *map(_money, won.rows), _money(won.total)),
        ("guessed with the same margins", *map(_money, guessed.rows), _money(guessed.total)),
        ("perfect", *[""] * len(won.labels), _money(won.perfect)),
    ]
    heads = columns("who", *(label(x) for x in won.labels), "in all")
    return Grid("Won a case, by predicted label", heads, tuple(rows), "guessing")


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
        t = won.table
        blocks.append(Drawing(name or "The spreadsheet", _drawn(t, name, f"{key}-{i}")))
        blocks += _written(t, name)
    return Section(key, title, tuple(blocks))


def _drawn(t: Table, name: str, id_: str) -> Any:
    return lambda _: sheet(t, name, id_)


def _numbers(t: Table) -> dict[str, str]:
    """Every cell of the spreadsheet as its script writes it, by kind and name."""
    plus, minus = (list(t.labels).index(x) for x in (_positive(t), _negative(t)))
    won = payoffs(t, "unit")
    ten = 10 * won.winnings
    tp, fp, fn, tn = ten[plus, plus], ten[plus, minus], ten[minus, plus], ten[minus, minus]
    real, predicted, reduced = t.real_totals, t.predicted_totals, odds(t).reduced()
    money = {"tp": tp, "fp": fp, "fn": fn, "tn": tn, "plus": tp + fp, "minus": fn + tn,
             "rp": tp + fn, "rn": fp + tn, "all": ten.sum(), "wplus": 10 * won.weighted[plus],
             "wminus": 10 * won.weighted[minus], "wall": 10 * won.weighted.sum()}  # fmt: skip
    counts = {"n": t.n, "pp": predicted[plus], "pn": predicted[minus], "rp": real[plus],
              "rn": real[minus]}  # fmt: skip
    return {
        **{f"count.{k}": f"{float(v):.10g}" for k, v in counts.items()},
        "odds.plus": "{} : {}".format(*reduced[plus]),
        "odds.minus": "{} : {}".format(*reduced[minus]),
        **{f"won.{k}": _fixed(float(v)) for k, v in money.items()},
        **{f"share.{k}": _fixed(100 * v) for k, v in shares(t).items()},
    }


def _fixed(x: float) -> str:
    return MISSING if not math.isfinite(x) else f"{round(x, 2) + 0.0:.2f}".replace("-", "−")


def _positive(t: Table) -> Any:
    return t.labels[0] if t.positive is None else t.positive


def _negative(t: Table) -> Any:
    return t.labels[1] if _positive(t) == t.labels[0] else t.labels[0]


def _written(t: Table, name: str) -> list[Block]:
    """The spreadsheet as grids, for formats without pictures."""
    v = _numbers(t)
    plus, minus = label(_positive(t)), label(_negative(t))
    heads = columns("predicted \\ real", plus, minus, "total", "win : risk", "won", "weighted")
    cells = t.counts if _positive(t) == t.labels[0] else t.counts[::-1, ::-1]

    def both(title: str, row: Any, kind: str, won: tuple[str, str]) -> list[tuple[str, ...]]:
        total = v["count.pp" if kind == "plus" else "count.pn"]
        ends = (total, v[f"odds.{kind}"], v[f"won.{kind}"], v[f"won.w{kind}"])
        return [(title, *map(count, row), *ends), ("  won", *(v[f"won.{x}"] for x in won), "", "", "", "")]

    rows = (
        *both(plus, cells[0], "plus", ("tp", "fp")),
        *both(minus, cells[1], "minus", ("fn", "tn")),
        ("total", v["count.rp"], v["count.rn"], v["count.n"], "", v["won.all"], v["won.wall"]),
        ("  won", v["won.rp"], v["won.rn"], "", "", "", ""),
    )
    shares = tuple((title, v[f"share.{x}"]) for x, title in _titles().items())
    return [
        Grid(f"{name or 'Counts'}: counts and what they won", heads, rows, "counts", 2),
        Grid(f"{name or 'Measures'}: in per cent", columns("measure", "%"), shares, "counts"),
    ]


def _titles() -> dict[str, str]:
    return {x: find(m.partition("(")[0]).facts.title for m, x in IN_SPREADSHEET.items()}


def sheet(t: Table, name: str, id_: str) -> str:
    """A spreadsheet with four cells to change; sheet.js computes the others again."""
    v = _numbers(t)
    plus, minus = label(_positive(t)), label(_negative(t))
    cells = t.counts if _positive(t) == t.labels[0] else t.counts[::-1, ::-1]

    def out(what: str) -> str:
        return f'<output data-is="{what}">{escape(v[what])}</output>'

    def entry(i: int, j: int, won: str) -> str:
        said = f"predicted {(plus, minus)[i]}, really {(plus, minus)[j]}"
        return (
            f'<td class="r"><input type="number" min="0" step="any" value="{cells[i, j]:.10g}" '
            f'aria-label="{escape(f"{name} {said}".strip())}"><small>won {out("won." + won)}'
            "</small></td>"
        )

    def row(title: str, inside: str, *others: str) -> str:
        held = "".join(f'<td class="r">{x}</td>' for x in others)
        return f'<tr><th scope="row">{escape(title)}</th>{inside}{held}</tr>'

    heads = ("predicted \\ real", plus, minus, "total", "win : risk", "won", "weighted")
    head = "".join(f'<th scope="col" class="r">{escape(x)}</th>' for x in heads)
    sums = "".join(f'<td class="r">{out("count." + x)}<small>won {out("won." + x)}</small></td>' for x in ("rp", "rn"))
    body = (
        row(plus, entry(0, 0, "tp") + entry(0, 1, "fp"), out("count.pp"), out("odds.plus"),
            out("won.plus"), out("won.wplus")),
        row(minus, entry(1, 0, "fn") + entry(1, 1, "tn"), out("count.pn"), out("odds.minus"),
            out("won.minus"), out("won.wminus")),
        row("total", sums, out("count.n"), "", out("won.all"), out("won.wall")),
    )  # fmt: skip
    measures = "".join(f"<span><b>{escape(title)}</b> {out(f'share.{x}')}</span>" for x, title in _titles().items())
    return (
        f'<div class="sheet" id="{id_}">{f"<h3>{escape(name)}</h3>" if name else ""}'
        '<p class="note">Change a count and see what is won.</p>'
        f'<table aria-label="{escape(name or "Counts")}"><thead><tr>{head}</tr></thead><tbody>'
        f'{"".join(body)}</tbody></table><div class="readout">{measures}</div></div>'
    )
