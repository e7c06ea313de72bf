"""Two systems compared, as a page: the verdict, the differences, margins and gates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from informed._numbers import percent, probability, pvalue_text, rate, signed, span
from informed.documents.blocks import Block, Grid, Range, Section, Words, columns, drawing, label
from informed.documents.charts.forest import differences, differing
from informed.documents.charts.marks import around
from informed.documents.document import Document
from informed.documents.paging import page_of, plain_page
from informed.measures import find
from informed.systems.board import sign_of
from informed.systems.comparison import Comparison
from informed.systems.difference import Difference, Equivalence
from informed.systems.difference import differences as differences_of
from informed.systems.gates import scalar

GAPS = (0.02, 0.05, 0.1, 0.2)  # differences whose power is shown
RULES = {
    "significant": "{b}'s value lies outside {a}'s interval",
    "power": "{a}'s value lies outside {b}'s interval",
    "mutual": "both",
    "directed": "{b}'s value lies outside {a}'s interval at X = 1.65 (a directed claim)",
    "directed_mutual": "both, at X = 1.65",
}


@page_of(Comparison)
def comparison_page(
    c: Comparison,
    *,
    measure: Any = "informedness",
    margin: float | None = None,
    key: str = "",
) -> Document:
    """Two systems: what differs, by how much, and whether that may be luck."""
    if c._stacked:
        return plain_page(c)
    first = scalar(c, measure)
    shown = [first]
    if c.method == "auto":
        shown += [c[m] for m in c.measures if m != first.measure]
    a, b = (label(name, 40) for name in c.names)
    sections = [_differences(shown, c, f"{key}differences", margin)]
    if first.claims:
        sections.append(_rules(first, a, b, key))
    data = {
        "systems": list(c.names),
        "same_items": c.paired,
        "n": c.n,
        "level": c.level,
        "measures": {d.measure: d.to_dict() for d in shown},
    }
    if margin is not None:
        tests = [way(measure, margin=margin) for way in (c.equivalence, c.noninferiority)]
        sections.append(_margins(tests, a, b, margin, key))
        data |= {
            name: {"margin": margin, "shown": t.shown, **t.to_dict()}
            for name, t in zip(("equivalence", "noninferiority"), tests, strict=True)
        }
    if planned := _power(c, first, key):
        sections.append(planned[0])
        data["power"] = planned[1]
    items = "the same items" if c.paired else "different items"
    said = [*(() if first.claims else first.notes), *c.notes]
    return Document(
        title=f"{a} and {b} on {items}",
        answer=verdict(first, c),
        sections=tuple(sections),
        notes=tuple(dict.fromkeys(said)),
        data=data,
        records=differences_of(shown),
    )


def verdict(d: Difference, c: Comparison) -> str:
    """Who is better, in one sentence."""
    a, b = (label(name, 60) for name in c.names)
    weighted = any(t.squares is not None for t in c.tables)
    if c.paired:
        same = f"items, of weight {c.n:,g}" if weighted else f"{c.n:,g} items"
        items = f"on the same {same}"
    else:
        items = f"on different items ({c.n[0]:,g} and {c.n[1]:,g})"
    value = f"{d.measure} {signed(d.estimate)} {span(d.low, d.high)}".strip()
    found = f"{value}, {probability(d.pvalue)}, {items}"
    if d.hypothesis != "no difference":
        found += f" (the test is of another null: {d.hypothesis})"
    if math.isnan(d.estimate):
        return f"{a} and {b} cannot be compared by {d.measure}, which is undefined for one of them"
    if not d.pvalue < 1 - d.level:
        return f"{a} and {b} cannot be told apart: {found}"
    return f"{a} is {'better' if good(d) > 0 else 'worse'} than {b}: {found}"


def good(d: Difference) -> int:
    """1 where the difference speaks for the first beyond luck, −1 for the second, else 0."""
    if math.isnan(d.estimate) or not d.pvalue < 1 - d.level:
        return 0
    return int(np.sign(d.estimate) * sign_of(find(d.measure)))


# ---------------------------------------------------------------------- sections


def gap_range(low: float, value: float, high: float, ticks: list[float]) -> Range | str:
    return "" if math.isnan(value) else Range(low, value, high, 0.0, ticks[0], ticks[-1])


def spread(held: Sequence[tuple[float, float, float]]) -> list[float]:
    """Ticks of an axis that all these intervals fit on, 0 among them."""
    known = [x for each in held for x in each if not math.isnan(x)]
    return around(min([0.0, *known]), max([0.0, *known]))


def _differences(
    shown: Sequence[Difference], c: Comparison, key: str, margin: float | None
) -> Section:
    a, b = (label(name) for name in c.names)
    ticks = spread([(d.low, d.estimate, d.high) for d in shown])
    rows = tuple(
        (
            d.measure,
            rate(d.a),
            rate(d.b),
            signed(d.estimate),
            signed(d.low),
            signed(d.high),
            pvalue_text(d.pvalue),
            gap_range(d.low, d.estimate, d.high, ticks),
        )
        for d in shown
    )
    head = columns("measure", a, b, "difference", "low", "high", "p", "picture")
    gaps = [
        differing(d.measure, d.estimate, d.low, d.high, good(d), probability(d.pvalue))
        for d in shown
    ]
    ends = _ends(shown, a, b)
    title = f"Differences, {a} − {b}"
    methods = ", ".join(dict.fromkeys(d.method for d in shown))
    caption = f"{a} − {b}, with {percent(c.level)} intervals ({methods})"
    blocks: tuple[Block, ...] = (
        drawing(title, differences(gaps, title, ends=ends, margin=margin), caption=True),
        Grid(caption, head, rows, "differences"),
    )
    return Section(key, "Differences", blocks)


def _ends(shown: Sequence[Difference], a: str, b: str) -> tuple[str, str]:
    """Who is better to the left and to the right of 0, where all measures agree on that."""
    signs = {sign_of(find(d.measure)) for d in shown}
    if len(signs) > 1:
        return "", ""
    return (b, a) if 1 in signs else (a, b)


def _power(c: Comparison, d: Difference, key: str) -> tuple[Section, list[dict[str, float]]] | None:
    """What as many items would show, and how many items it takes."""
    error = math.nan if d.standard_error is None else float(d.standard_error)
    if not math.isfinite(error) or error <= 0 or math.isnan(d.estimate):
        return None
    plans = [
        {
            "difference": x,
            "power": float(c.power(d.measure, difference=x)),
            "items": float(c.sample_size(d.measure, difference=x)),
        }
        for x in GAPS
    ]
    again = float(c.power(d.measure))
    said = (
        f"As many items again would show the difference that was found ({signed(d.estimate)}) with "
        f"a chance of {percent(again)}: a plan for a repetition, no evidence on these items."
    )
    grid = Grid(
        f"Power of these items for a true difference of {d.measure}, and items for a power of 80 %",
        columns("true difference", "power", "items needed"),
        tuple((f"{p['difference']:g}", rate(p["power"]), f"{p['items']:,.0f}") for p in plans),
        "power-of",
    )
    return Section(f"{key}power", "Power", (grid, Words(said, "note"))), plans


def _margins(tests: Sequence[Equivalence], a: str, b: str, margin: float, key: str) -> Section:
    claims = (
        f"they differ by less than {margin:g}",
        f"{a} is worse than {b} by less than {margin:g}",
    )
    rows = tuple(
        (
            claim,
            "shown" if t.shown else "not shown",
            pvalue_text(float(t.pvalue)),
            span(float(t.low), float(t.high)),
        )
        for claim, t in zip(claims, tests, strict=True)
    )
    grid = Grid(
        f"{tests[0].measure}, one-sided tests at {1 - tests[0].level:g} ({tests[0].method})",
        columns("claim", "verdict|", "p", "interval"),
        rows,
        "margin",
    )
    return Section(f"{key}margin", f"Within a margin of {margin:g}", (grid,))


def _rules(d: Difference, a: str, b: str, key: str) -> Section:
    rows = tuple(
        (name.replace("_", ", "), RULES[name].format(a=a, b=b), "yes" if held else "no")
        for name, held in d.claims.items()
    )
    grid = Grid(
        f"What the papers' rules claim of {d.measure}",
        columns("claim", "because|", "holds|"),
        rows,
        "rules",
    )
    error = tuple(Words(str(note), "warning") for note in d.notes[:1])
    return Section(f"{key}rules", "The papers' rules", (*error, grid))
