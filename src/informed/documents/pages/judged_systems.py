"""Systems graded by one judge as a page: the true difference, the judge's own, and whom it favours."""

from __future__ import annotations

from informed._numbers import count, percent, rate, signed, span
from informed.documents.blocks import Section, Spanned, Words, drawing, grid_of, label, rows_of
from informed.documents.charts.forest import Row, differences, differing
from informed.documents.document import Document
from informed.documents.paging import page_of
from informed.evidence.shown import shown_pairs
from informed.systems.judged_difference import REACH, JudgedDifference
from informed.systems.judged_systems import JudgedSystems


def _good(low: float, high: float) -> int:
    return int(low > 0) - int(high < 0)


def _row(name: str, value: float, low: float, high: float) -> Row:
    return differing(name, value, low, high, _good(low, high))


@page_of(JudgedDifference)
def judged_difference_page(d: JudgedDifference, *, reach: float = REACH, key: str = "") -> Document:
    """The difference, what the judge made of it, and what its labels were worth; `reach` is how far its interval
    should reach each way."""
    a, b = (label(name, 30) for name in d.names)
    title = f"{a} minus {b}: what is true, and what the judge says"
    spread = {
        "true difference": (d.estimate, d.low, d.high),
        "what the judge says": (d.judged, d.judged_low, d.judged_high),
        "by how much it is off": (d.error.estimate, d.error.low, d.error.high),
        f"of that, favour for {label(d.names[0], 8)}": (d.favour.estimate, d.favour.low, d.favour.high),
        "the labelled items alone": (d.labels_alone, d.labels_alone_low, d.labels_alone_high),
    }
    rows = [_row(name, *limits) for name, limits in spread.items()]
    facts: list[tuple[str, str | Spanned]] = [
        (name, Spanned(signed(x), span(low, high))) for name, (x, low, high) in spread.items()
    ]
    for x, true, said in zip((a, b), d.rates, d.judged_rates, strict=True):
        facts.append((f"true rate of {x}, by its own verdicts (judged)", f"{rate(true)} ({rate(said)})"))
    facts += [
        ("rows, labelled", ", ".join(f"{m:,} of {n:,}" for m, n in dict.fromkeys(zip(d.labelled, d.n, strict=True)))),
        ("share of labels that the judge saves", percent(d.saving)),
        ("labels without a judge that would tell as much", count(round(d.n_eff))),
    ]
    drawn = drawing(title, differences(rows, title, ends=(b, a)), caption=True)
    grid = rows_of(f"{a} minus {b}, with {percent(d.level)} intervals", ("what", "value"), facts)
    sections = [
        Section(f"{key}difference", "Difference", (drawn, grid)),
        Section(f"{key}favour", "Does the judge favour one of them?", (Words(d.favour_sentence()),)),
    ]
    data = d.to_dict()
    steps: tuple[str, ...] = ()
    if d.paired:
        needed = d.labels_needed(reach)
        data["labels_needed"] = needed.to_dict()
        steps = (needed.sentence(),)
        both = Words(f"{needed.sentence()} Label both answers to an item.")
        sections.append(Section(f"{key}next", "How many labels?", (both,)))
    title = f"{a} and {b}, graded by one judge"
    return Document.of(d, title, *sections, answer=d.sentence(), data=data, steps=steps)


@page_of(JudgedSystems)
def judged_systems_page(found: JudgedSystems, *, key: str = "") -> Document:
    """Every difference beside the judge's, and the systems' rates."""
    title = "True differences"
    said = shown_pairs(d.names for d in found.differences)
    rows = [_row(name, d.estimate, d.low, d.high) for name, d in zip(said, found.differences, strict=True)]
    columns = (
        "a",
        "b",
        "estimate",
        "low",
        "high",
        "adjusted",
        "judged",
        "error",
        "favour",
        "favour_low",
        "favour_high",
    )
    heads = {"estimate": "difference", "adjusted": "p, adjusted", "error": "off by", "favour": "favour for a"}
    heads |= {"favour_low": "low", "favour_high": "high"}
    grid = grid_of(found.records(), "Differences, and whom the judge favours", *columns, titles=heads)
    drawn = drawing(title, differences(rows, title), caption=True)
    own = grid_of(found.board, "True rates, and those that the judge says", titles={"judged_place": "judged place"})
    sections = [Section(f"{key}rates", "Board", (own,)), Section(f"{key}pairs", "Differences", (drawn, grid))]
    several = f"{len(found.names)} systems, graded by one judge"
    return Document.of(found, several, *sections, answer=found.sentence(), data=found.to_dict())
