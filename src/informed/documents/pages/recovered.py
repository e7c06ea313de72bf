"""What published figures imply, as a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from informed._numbers import count
from informed.decisions.recover import KEPT, Recovered
from informed.documents.blocks import Block, Section, Words, grid_of, rows_of
from informed.documents.document import Document
from informed.documents.paging import page_of
from informed.measures import find
from informed.results import Records

SHOWN = 10  # tables that are written out


@page_of(Recovered)
def recovered_page(
    found: Recovered, *, ranges: Sequence[str] = (), title: str = "What the published figures imply"
) -> Document:
    """What the tables allow and the first of them, or what contradicts what; `ranges` are of
    further measures."""
    held, allowed, data = found.records(), found.ranges(*ranges), found.to_dict()
    sections: tuple[Section, ...]
    if found.count:
        sections = (_ranges(found, allowed), _tables(found, held))
        data["ranges"] = allowed.by("measure")
    else:
        sections = (Section("none", "Which figure is wrong?", _culprits(found)),)
    return Document.of(found, title, *sections, data=data)


def _culprits(found: Recovered) -> tuple[Block, ...]:
    rows = ((name, "many" if fit is None else count(fit) if fit else "none") for name, fit in found.without.items())
    said = "The figures contradict each other. Where leaving one out makes the others fit, it is "
    return (
        Words(said + "the one to doubt first.", "note"),
        rows_of("Tables that agree with the others", ("without", "tables"), rows),
    )


def _ranges(found: Recovered, allowed: Records) -> Section:
    titled = tuple((find(name).facts.title, *ends) for name, *ends in allowed.rows)
    heads = {"low": "least", "high": "most"}
    grid = grid_of(replace(allowed, rows=titled), "Least and greatest values", titles=heads)
    blocks: list[Block] = [grid]
    if len(found.tables.counts) < found.count:
        said = f"Other measures have a range where at most {count(KEPT)} tables agree: give more."
        blocks.append(Words(said, "note"))
    return Section("ranges", "What they allow", tuple(blocks))


def _tables(found: Recovered, held: Records) -> Section:
    caption = "All of them" if found.count <= SHOWN else f"The first {SHOWN}"
    first = replace(held, rows=held.rows[:SHOWN])
    return Section("tables", "The tables", (grid_of(first, caption),))
