"""Systems graded by one judge as a page: the true difference, the judge's own, and whom it favours."""

from __future__ import annotations

from informed._numbers import percent, rate, signed, span
from informed.documents.blocks import Section, Spanned, Words, drawing, grid_of, label, rows_of
from informed.documents.charts.forest import Row, differences, differing
from informed.documents.document import Document
from informed.documents.paging import page_of
from informed.systems.judged_difference import JudgedDifference
from informed.systems.judged_systems import JudgedSystems


def _good(low: float, high: float) -> int:
    return int(low > 0) - int(high < 0)


def _row(name: str, value: float, low: float, high: float) -> Row:
    return differing(name, value, low, high, _good(low, high))


@page_of(JudgedDifference)
def judged_difference_page(d: JudgedDifference, *, key: str = "") -> Document:
    """The difference, what the judge made of it, and what its labels were worth."""
    a, b = (label(name, 30) for name in d.names)
    title = f"{a} minus {b}: what is true, and what the judge says"
    rows = [
        _row("true difference", d.estimate, d.low, d.high),
        _row("the judge's difference", d.judged, d.judged_low, d.judged_high),
        _row("what the judge adds", d.favour.estimate, d.favour.low, d.favour.high),
    ]
    facts: tuple[tuple[str, str | Spanned], ...] = (
        ("true difference", Spanned(signed(d.estimate), span(d.low, d.high))),
        ("the judge's difference, taken for true", Spanned(signed(d.judged), span(d.judged_low, d.judged_high))),
        (f"what the judge adds to {a}", Spanned(signed(d.favour.estimate), span(d.favour.low, d.favour.high))),
        ("difference on the labelled alone", signed(d.labels_alone)),
        *(
            (f"true rate of {x} (judged)", f"{rate(p)} ({rate(q)})")
            for x, p, q in zip((a, b), d.rates, d.judged_rates, strict=True)
        ),
        ("items, labelled", ", ".join(f"{m:,} of {n:,}" for m, n in dict.fromkeys(zip(d.labelled, d.n, strict=True)))),
        ("share of labels that the judge saves", percent(d.saving)),
    )
    drawn = drawing(title, differences(rows, title, ends=(b, a)), caption=True)
    grid = rows_of(f"Differences with {percent(d.level)} intervals", ("what", "value"), facts)
    sections = [
        Section(f"{key}difference", "Difference", (drawn, grid)),
        Section(f"{key}favour", "Does the judge favour one of them?", (Words(d.favour_sentence()),)),
    ]
    return Document.of(d, f"{a} and {b}, graded by one judge", *sections, answer=d.sentence(), data=d.to_dict())


@page_of(JudgedSystems)
def judged_systems_page(found: JudgedSystems, *, key: str = "") -> Document:
    """Every difference beside the judge's, and the systems' rates."""
    title = "True differences"
    rows = [_row(" − ".join(label(x, 12) for x in d.names), d.estimate, d.low, d.high) for d in found.differences]
    columns = ("a", "b", "estimate", "low", "high", "adjusted", "judged", "favour", "favour_low", "favour_high")
    heads = {"estimate": "difference", "adjusted": "p, Holm", "favour": "judge adds", "favour_low": "low"}
    grid = grid_of(found.records(), "Differences, and what the judge adds", *columns, titles=heads)
    drawn = drawing(title, differences(rows, title), caption=True)
    own = grid_of(found.rates(), "True rates, and those that the judge says")
    sections = [Section(f"{key}pairs", "Differences", (drawn, grid)), Section(f"{key}rates", "Rates", (own,))]
    several = f"{len(found.names)} systems, graded by one judge"
    return Document.of(found, several, *sections, answer=found.sentence(), data=found.to_dict())
