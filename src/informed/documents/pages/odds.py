"""The bookmaker arranged for reading: odds, payoffs, winnings, and a spreadsheet to play with."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape
from typing import Any

import numpy as np

from informed._numbers import MISSING, count, percent, rate, signed
from informed.decisions.bookmaker import Kind, Odds, Payoffs, expected_value, kelly, odds, payoffs
from informed.documents.blocks import Block, Drawing, Grid, Section, Words, columns, label
from informed.documents.document import Document, opened
from informed.documents.paging import page_of
from informed.evidence.labels import text as said_label
from informed.evidence.table import Table
from informed.measures import find

SCRIPT = "sheet.js"
MODELS = {  # of the 2003 paper's figure: what each knows of 100 races; the rest guessed 80 : 20
    "1. guesses": 0.0,
    "2. knows": 1.0,
    "3. knows 15 %, guesses the rest": 0.15,
    "4. knows 15 % and says the opposite": -0.15,
}
SHARES = {  # as the spreadsheet calls them: the measure
    "recall": "recall",
    "inverseRecall": "inverse_recall",
    "precision": "precision",
    "inversePrecision": "inverse_precision",
    "accuracy": "accuracy",
    "f": "f1",
    "inverseF": "inverse_f1",
    "avF": "av_f(weights='bias')",
    "g": "g_measure",
    "inverseG": "inverse_g",
    "avG": "av_g(weights='bias')",
    "informedness": "informedness",
    "markedness": "markedness",
}
KINDS: dict[Kind, str] = {
    "fixed-win": "right wins 1, wrong loses Prev/(1 − Prev)",
    "unit": "right wins 1/Prev, wrong loses 1/(1 − Prev)",
    "table": "right wins what the other class is worth in per cent, wrong loses its own",
}


def models() -> dict[str, Table]:
    """The four models of the 2003 paper's figure."""
    return {
        name: Table.mixture(known, prevalence=0.7, guess=0.8, n=100)
        for name, known in MODELS.items()
    }


# ---------------------------------------------------------------------- pages


@page_of(Odds)
def odds_page(held: Odds, *, title: str = "Fair odds") -> Document:
    """The page of fair odds."""
    return opened(title, odds_sections(held), odds_data(held))


@page_of(Payoffs)
def bets_page(
    won: Payoffs, *, stakes: Any = None, title: str = "What these predictions win"
) -> Document:
    """The page of what predictions win; `stakes` are those of a strategy, one a label."""
    t, kind = won.table, won.kind
    return opened(title, bets_sections(t, kind, stakes), bets_data(t, kind, stakes), SCRIPT)


def models_page() -> Document:
    """The page of the four models of 2003."""
    return opened("The four models of 2003", models_sections(), models_data(), SCRIPT)


# ---------------------------------------------------------------------- odds


def odds_grid(held: Odds) -> Grid:
    """Fair odds on each class in every notation."""
    rows = [
        (label(x), f"{p:.4g}", f"{win} : {risk}", _short(d), f, _american(a))
        for x, p, (win, risk), d, f, a in zip(
            held.labels,
            held.percent,
            held.reduced(),
            held.decimal,
            held.fractional,
            held.american,
            strict=True,
        )
    ]
    heads = columns("class", "per cent", "win : risk", "decimal", "fractional", "American")
    return Grid("Fair odds: a bet at these is worth nothing on average", heads, tuple(rows), "odds")


def _short(x: float) -> str:
    return "none" if not math.isfinite(x) else f"{x:.4g}"


def _american(x: float) -> str:
    return "none" if not math.isfinite(x) else f"{x:+.4g}"


def odds_sections(held: Odds) -> tuple[Section, ...]:
    """Odds without a system."""
    most = int(np.nanargmax(held.probability))
    said = (
        f"Fair odds on {said_label(held.labels[most])}, which comes "
        f"{percent(held.probability[most], 1)} of the time, are {held.fractional[most]}: at these "
        "a bet wins nothing on average."
    )
    return (
        Section("answer", "The answer", (Words(said, "answer"),)),
        Section("odds", "Odds", (odds_grid(held),)),
    )


# ---------------------------------------------------------------------- a system


def bets_sections(t: Table, kind: Kind = "fixed-win", stakes: Any = None) -> tuple[Section, ...]:
    """The answer, the odds, what each prediction pays and has won, labels, and guessing.

    `stakes` are those of a betting strategy, one a label."""
    won = payoffs(t, kind)
    parts = [
        Section("answer", "The answer", (Words(_answer(t, won), "answer"),)),
        Section("odds", "Odds", (odds_grid(odds(t)),)),
        winnings_section(won),
        Section("labels", "Labels", (labels_grid(t, won), *_labels_said(t, won, stakes))),
        Section("guessing", "Guessing earns nothing", (_guessing(t, won),)),
    ]
    if len(t.labels) == 2:
        parts.insert(1, sheet_section({"": t}, "spreadsheet", "The spreadsheet"))
    return tuple(parts)


def _answer(t: Table, won: Payoffs) -> str:
    fixed = payoffs(t)
    same = "the same predictions by guessing win 0"
    return (
        f"At fair odds these predictions win {rate(fixed.total)} a case, where knowing everything "
        f"wins 1 and {same}: informedness {rate(fixed.total)}."
    )


def winnings_section(won: Payoffs) -> Section:
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
            Grid(f"Payoffs ({won.kind}: {KINDS[won.kind]})", heads, tuple(paid), "payoffs"),
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


def labels_grid(t: Table, won: Payoffs) -> Grid:
    rows = [
        (label(x), rate(b), rate(g), rate(w), rate(k), verdict)
        for x, b, g, w, k, verdict in zip(
            won.labels, won.bias, won.gain, won.weighted, kelly(t), won.verdicts, strict=True
        )
    ]
    heads = columns("label", "bias", "gain G(l)", "bias · G(l)", "Kelly fraction", "verdict|")
    return Grid("What the decisions for each label are worth", heads, tuple(rows), "gains")


def _labels_said(t: Table, won: Payoffs, stakes: Any) -> list[Block]:
    bad = [x for x, v in zip(won.labels, won.verdicts, strict=True) if v == "superstitious"]
    said = (
        "The gain of a label is the share of its decisions that is informed; the rest is guessed."
    )
    if bad:
        shown = ", ".join(map(said_label, bad[:10]))
        said += f" Bets on {shown} lose at fair odds: better stay out of that market."
    if stakes is None:
        return [Words(said, "note")]
    shown = ", ".join(f"{s:g} on {label(x)}" for s, x in zip(stakes, won.labels, strict=False))
    value = expected_value(t, stakes, won.kind)
    return [Words(said, "note"), Words(f"With stakes of {shown}, a case wins {_money(value)}.")]


def _guessing(t: Table, won: Payoffs) -> Grid:
    guessed = payoffs(t.independent, won.kind)
    rows = [
        ("these predictions", *map(_money, won.rows), _money(won.total)),
        ("guessed with the same margins", *map(_money, guessed.rows), _money(guessed.total)),
        ("perfect", *[""] * len(won.labels), _money(won.perfect)),
    ]
    heads = columns("who", *(label(x) for x in won.labels), "in all")
    return Grid("Won a case, by predicted label", heads, tuple(rows), "guessing")


def bets_data(t: Table, kind: Kind = "fixed-win", stakes: Any = None) -> dict[str, Any]:
    """The same as plain data."""
    won = payoffs(t, kind)
    staked = None if stakes is None else float(expected_value(t, stakes, kind))
    return {
        **odds_data(odds(t)),
        "kind": won.kind,
        "counts": t.counts,
        "payoff": won.payoff,
        "winnings": won.winnings,
        "rows": won.rows,
        "columns": won.columns,
        "total": won.total,
        "guessing": won.guessing,
        "perfect": won.perfect,
        "informedness": float(find("informedness")(t)),
        "gain": won.gain,
        "bias": won.bias,
        "weighted": won.weighted,
        "verdicts": won.verdicts,
        "kelly": kelly(t),
        "stakes": stakes,
        "expected_value": staked,
    }


def odds_data(held: Odds) -> dict[str, Any]:
    return {
        "labels": held.labels,
        "odds": {
            "percent": held.percent,
            "reduced": held.reduced(),
            "decimal": held.decimal,
            "fractional": held.fractional,
            "american": held.american,
        },
    }


# ---------------------------------------------------------------------- the spreadsheet


def models_sections() -> tuple[Section, ...]:
    """The four models of the 2003 paper's figure, every legible cell of it."""
    said = (
        "Four models bet on 100 races of two horses, one of which wins 70 of them: accuracy and F "
        "praise the guesser, the bookmaker pays only for what is known."
    )
    return (
        Section("answer", "The answer", (Words(said, "answer"),)),
        sheet_section(models(), "models", "The four models"),
    )


def models_data() -> dict[str, Any]:
    return {name: {**bets_data(t, "unit"), "measures": _shares(t)} for name, t in models().items()}


def sheet_section(tables: Mapping[str, Table], key: str, title: str) -> Section:
    """Tables of two classes as spreadsheets: in a page, cells can be changed."""
    blocks: list[Block] = [
        Words(
            "Odds are out of 10 as in the 2003 paper, so that knowing everything wins 10 on each "
            "class; weighted is that by how often it is predicted. Measures are in per cent.",
            "note",
        )
    ]
    for i, (name, t) in enumerate(tables.items()):
        blocks.append(Drawing(name or "The spreadsheet", _drawn(t, name, f"{key}-{i}")))
        blocks += _written(t, name)
    return Section(key, title, tuple(blocks))


def _drawn(t: Table, name: str, id_: str) -> Any:
    return lambda _: sheet(t, name, id_)


def _shares(t: Table) -> dict[str, float]:
    return {name: float(find(measure)(t)) for name, measure in SHARES.items()}


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
        **{f"share.{k}": _fixed(100 * v) for k, v in _shares(t).items()},
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
        return [
            (title, *map(count, row), *ends),
            ("  won", *(v[f"won.{x}"] for x in won), "", "", "", ""),
        ]

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
    return {x: find(m.partition("(")[0]).facts.title for x, m in SHARES.items()}


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
    sums = "".join(
        f'<td class="r">{out("count." + x)}<small>won {out("won." + x)}</small></td>'
        for x in ("rp", "rn")
    )
    body = (
        row(plus, entry(0, 0, "tp") + entry(0, 1, "fp"), out("count.pp"), out("odds.plus"),
            out("won.plus"), out("won.wplus")),
        row(minus, entry(1, 0, "fn") + entry(1, 1, "tn"), out("count.pn"), out("odds.minus"),
            out("won.minus"), out("won.wminus")),
        row("total", sums, out("count.n"), "", out("won.all"), out("won.wall")),
    )  # fmt: skip
    measures = "".join(
        f"<span><b>{escape(title)}</b> {out(f'share.{x}')}</span>" for x, title in _titles().items()
    )
    return (
        f'<div class="sheet" id="{id_}">{f"<h3>{escape(name)}</h3>" if name else ""}'
        '<p class="note">Change a count and see what is won.</p>'
        f'<table aria-label="{escape(name or "Counts")}"><thead><tr>{head}</tr></thead><tbody>'
        f'{"".join(body)}</tbody></table><div class="readout">{measures}</div></div>'
    )
