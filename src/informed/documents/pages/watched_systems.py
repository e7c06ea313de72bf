"""Many systems that are watched together, as a page: limits, money, and who is found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from informed._numbers import percent, pvalue_text, rate
from informed.documents.blocks import Cell, Section, Words, drawing, label, table
from informed.documents.charts.forest import forest, standing
from informed.documents.document import Document
from informed.documents.pages.watch import NEEDS
from informed.documents.paging import page_of
from informed.inference.watch_words import amount, words_of
from informed.summary.watched_systems import WatchedSystems

SAID = (
    "By e-BH some of those that are found may be wrong, on average as few as the level leaves, at this one look for "
    "all. By Holm none of them is, in as many runs as the level says, at all looks together. Each interval holds by "
    "itself."
)


@page_of(WatchedSystems)
def watched_systems_page(w: WatchedSystems, *, key: str = "") -> Document:
    """The systems with their limits, what their bettors have, and which are found."""
    rows = [standing(label(x["system"]), x["estimate"], x["low"], x["high"]) for x in w.rows]
    measure = words_of(w.measure)
    title = f"{measure[:1].upper()}{measure[1:]} with {percent(w.level)} intervals, valid at every look"
    cells: dict[str, Callable[[dict[str, Any]], Cell]] = {
        "system": lambda x: label(x["system"], 40),
        "estimate": lambda x: rate(x["estimate"]),
        "low": lambda x: rate(x["low"]),
        "high": lambda x: rate(x["high"]),
        "wealth now": lambda x: amount(x["log_wealth"]),
        "found (e-BH)|": lambda x: "yes" if x["found_bh"] else "no",
        "found (Holm)|": lambda x: "yes" if x["found_holm"] else "no",
        "most so far": lambda x: amount(x["log_best"]),
        "p": lambda x: pvalue_text(x["pvalue"]),
    }
    grid = table(title, w.rows, cells)
    drawn = drawing("Systems that are watched", forest(rows, title, across=measure), caption=True)
    blocks = (drawn, grid, Words(SAID, "note"), Words(NEEDS, "note"))
    return Document.of(w, "Systems, watched", Section(f"{key}systems", "Systems", blocks), answer=w.sentence())
