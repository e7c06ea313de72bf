"""A watched run as a page: the bettor's money over time, the interval that closes, and what this needs to hold."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from informed._numbers import percent, plural, pvalue_text, rate, signed, span
from informed.documents.blocks import (
    Block,
    Grid,
    GridColumn,
    Section,
    Words,
    cross,
    drawing,
    label,
    place_of_positive,
    rows_of,
)
from informed.documents.charts.chart import Chart
from informed.documents.charts.watching import closing, money
from informed.documents.document import Document
from informed.documents.paging import charts_of, page_of
from informed.inference.stop_rules import parse
from informed.inference.watch_result import Watched
from informed.inference.watch_words import amount, name_of

MOST_LOOKS = 12  # in a grid that is read at a glance
NEEDS = (
    "It holds if the order of the items was fixed before the run, and the answers have no say in it: shuffled once, "
    "counted as scheduled, not as they come back; what timed out counted as decided beforehand, never dropped; the "
    "epochs of an item counted as one; the same system throughout; nothing declared anew on the way."
)


@page_of(Watched)
def watch_page(w: Watched, *, stop: str = "", key: str = "") -> Document:
    """Where the bettor stands, his money and the limits over time, the looks and the table."""
    met = (w.n, stop) if stop else w.stopped
    w = replace(w, stopped=met)
    now, needs = _now(w), Words(NEEDS, "note")
    return Document.of(
        w,
        "A watched run" if not w.settings.paired else "Two systems, watched",
        Section(f"{key}now", "Now", (now, needs)),
        *_over_time(w, met, key),
        *_tables(w, key),
        further=f"The rule {met[1]!r} is met after {plural(met[0], 'item')}." if met else "",
        glance=(now, needs),
    )


def _now(w: Watched) -> Grid:
    number = signed if w.settings.paired else rate
    held = w.interval
    limits = span(float(held.low), float(held.high)) or "not yet"
    rows = [
        ("items", f"{w.n:,}"),
        (f"{name_of(w.settings)}, found", number(float(held.estimate))),
        (f"{percent(w.settings.level)} interval, valid at every look", limits),
    ]
    if w.settings.tested:
        rows += [
            (f"the bettor against {w.settings.against:g} has", _last(w, "log_wealth")),
            ("the most that he has had", _last(w, "log_best")),
            ("p-value, valid at every look", pvalue_text(w.pvalue)),
        ]
    if w.settings.barred:
        rows.append((f"verdict on the bar {w.settings.against:g}", w.verdict))
    if w.settings.expect is not None:
        rows.append((f"the {w.settings.expect:g} that was expected is out of reach", "yes" if w.futile else "no"))
    return rows_of("At this look", ("what", "value|"), rows)


def _over_time(w: Watched, met: tuple[int, str] | None, key: str) -> list[Section]:
    if not w.n:
        return []
    drawn = (drawing(chart.title, chart, caption=True) for chart in _drawn(w, met))
    return [Section(f"{key}time", "Over time", (*drawn, _looks(w)))]


@charts_of(Watched)
def watch_charts(w: Watched) -> tuple[Chart, ...]:
    """Money, where there is any, and the interval."""
    return _drawn(w, w.stopped)


def _drawn(w: Watched, met: tuple[int, str] | None) -> tuple[Chart, ...]:
    held, stop = w.looks, float(met[0]) if met else None
    low, high = (np.where(np.isfinite(x), x, math.nan) for x in (held["low"], held["high"]))
    told: dict[str, Any] = {"bounds": w.settings.bounds, "what": name_of(w.settings), "stop": stop}
    shut = closing(held["n"], low, held["estimate"], high, bar=_bar(w, met), **told)
    if not w.settings.tested:
        return (shut,)
    enough = 1 / (1 - w.settings.level)
    return money(held["n"], held["log_wealth"], enough=enough, stop=stop, title="Money over time"), shut


def _bar(w: Watched, met: tuple[int, str] | None) -> float:
    """The bar of the rule that was met, where it is of a limit; otherwise that of the bets."""
    clause = parse(met[1]).clauses[0] if met else None
    return clause.bar if clause is not None and clause.what in ("low", "high") else w.settings.against


def _looks(w: Watched) -> Grid:
    """The looks, of which a glance sees a few, evenly spaced and the last."""
    titles: list[str | GridColumn] = [
        GridColumn("items"),
        "estimate",
        "low",
        "high",
        *(["wealth"] if w.settings.tested else []),
    ]
    number, size = signed if w.settings.paired else rate, len(w.looks)
    cut = tuple(sorted({round(i) for i in np.linspace(0, size - 1, min(size, MOST_LOOKS))}))
    rows = []
    for x in w.looks:
        limits = (number(v) if math.isfinite(v) else "" for v in (x["estimate"], x["low"], x["high"]))
        rows.append((f"{x['n']:,}", *limits, *([amount(x["log_wealth"])] if w.settings.tested else [])))
    return rows_of("Looks", titles, rows, folded=True, cut=cut, cut_words=f"{len(cut)}")


def _tables(w: Watched, key: str) -> list[Section]:
    if w.table is None:
        return []
    tables = [("", w.table)] if not w.table.shape else [(f", {name}", w.table[i]) for i, name in enumerate(_NAMES)]
    blocks: list[Block] = []
    for name, t in tables:
        names = [label(x, 16) for x in t.labels]
        caption = f"Answers so far{name} (rows: predicted, columns: real)"
        blocks.append(
            cross(caption, "predicted", names, names, t.counts, lambda x: f"{x:,.4g}", positive=place_of_positive(t))
        )
    return [Section(f"{key}table", "The table", tuple(blocks))]


_NAMES = ("the first system", "the second")


def _last(w: Watched, column: str) -> str:
    """An amount of money at the last look, by its logarithm."""
    return amount(w.looks[column][-1]) if w.n else "1"
