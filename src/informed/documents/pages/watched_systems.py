"""Many systems that are watched together, as a page: limits, money, and who is found."""

from __future__ import annotations

from informed._numbers import percent
from informed.documents.blocks import Section, Words, drawing, grid_of, label
from informed.documents.charts.forest import forest, standing
from informed.documents.document import Document
from informed.documents.pages.watch import NEEDS
from informed.documents.paging import page_of
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
    title = f"{w.measure} with {percent(w.level)} intervals, valid at every look"
    heads = {"wealth": "wealth now", "best": "most so far", "found_bh": "found (e-BH)", "found_holm": "found (Holm)"}
    grid = grid_of(w.rows, title, titles=heads)
    drawn = drawing("Systems that are watched", forest(rows, title), caption=True)
    blocks = (drawn, grid, Words(SAID, "note"), Words(NEEDS, "note"))
    return Document.of(w, "Systems, watched", Section(f"{key}systems", "Systems", blocks), answer=w.sentence())
