"""What published figures imply, arranged for reading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from informed._numbers import count, plural, rate
from informed.decisions.recover import KEPT, Recovered
from informed.documents.blocks import Block, Grid, Section, Words, columns
from informed.documents.document import Document, opened
from informed.documents.paging import page_of
from informed.measures import find
from informed.measures.shown import RECOVERED

SHOWN = 10  # tables that are written out


@page_of(Recovered)
def recovered_page(
    found: Recovered,
    *,
    ranges: Sequence[str] = (),
    title: str = "What the published figures imply",
) -> Document:
    """The page of recovered tables; `ranges` are of further measures."""
    return opened(title, sections(found, ranges), data(found, ranges))


def sections(found: Recovered, also: Sequence[str] = ()) -> tuple[Section, ...]:
    """The answer, what the tables allow and the first of them; or what contradicts what."""
    answer = Section("answer", "The answer", (Words(_answer(found), "answer"),))
    if not found.count:
        return answer, Section("none", "Which figure is wrong?", tuple(_culprits(found)))
    return answer, _ranges(found, also), _tables(found)


def given(found: Recovered) -> str:
    parts = [f"n = {found.n}", *(f"{k} = {v}" for k, v in found.known.items())]
    return ", ".join([*parts, *map(str, found.figures)])


def _answer(found: Recovered) -> str:
    if not found.count:
        return f"No table of whole counts agrees with {given(found)}; all were searched."
    many = f"{plural(found.count, 'table')} {'agrees' if found.count == 1 else 'agree'}"
    if found.low != found.low:
        worth = "informedness is undefined in all of them"
    elif rate(found.low) == rate(found.high):
        worth = f"informedness is {rate(found.low)}"
    else:
        worth = f"informedness lies between {rate(found.low)} and {rate(found.high)}"
    return f"{many} with {given(found)}: {worth}."


def _culprits(found: Recovered) -> list[Block]:
    rows = tuple(
        (name, "many" if fit is None else count(fit) if fit else "none")
        for name, fit in found.without.items()
    )
    said = "The figures contradict each other. Where leaving one out makes the others fit, it is "
    return [
        Words(said + "the one to doubt first.", "note"),
        Grid("Tables that agree with the others", columns("without", "tables"), rows, "without"),
    ]


def _ranges(found: Recovered, also: Sequence[str]) -> Section:
    rows = tuple(
        (find(name).facts.title, rate(low), rate(high))
        for name, (low, high) in _allowed(found, also).items()
    )
    heads = columns("measure", "least", "most")
    blocks: list[Block] = [Grid("Least and greatest values", heads, rows, "ranges")]
    if len(found.tables.counts) < found.count:
        said = f"Other measures have a range where at most {count(KEPT)} tables agree: give more."
        blocks.append(Words(said, "note"))
    return Section("ranges", "What they allow", tuple(blocks))


def _allowed(found: Recovered, also: Sequence[str]) -> dict[str, tuple[float, float]]:
    """What measures may be; only informedness is known over more tables than are held."""
    wanted = dict.fromkeys(find(x).name for x in (*RECOVERED, *also))
    if len(found.tables.counts) < found.count:
        return {"informedness": (found.low, found.high)}
    return {name: found.range(name) for name in wanted}


def _tables(found: Recovered) -> Section:
    first = found.tables.counts[:SHOWN]
    worth = np.atleast_1d(np.asarray(find("informedness")(found.tables)))[:SHOWN]
    rows = tuple(
        (str(i + 1), *(count(x) for x in (c[0, 0], c[0, 1], c[1, 0], c[1, 1])), rate(float(b)))
        for i, (c, b) in enumerate(zip(first, worth, strict=True))
    )
    caption = "All of them" if found.count <= SHOWN else f"The first {SHOWN}"
    heads = columns("table", "tp", "fp", "fn", "tn", "informedness")
    return Section("tables", "The tables", (Grid(caption, heads, rows, "tables"),))


def data(found: Recovered, also: Sequence[str] = ()) -> dict[str, Any]:
    """The same as plain data, with the first thousand tables."""
    return {
        "n": found.n,
        "known": found.known,
        "figures": {f.measure.name: f.printed for f in found.figures},
        "count": found.count,
        "informedness": {"low": found.low, "high": found.high},
        "ranges": {
            name: {"low": low, "high": high} for name, (low, high) in _allowed(found, also).items()
        },
        "tables": found.tables.counts[:1000],
        "without": found.without,
    }
