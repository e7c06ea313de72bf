"""A report arranged for reading: sections of sentences, grids and pictures, in their order.

Every format walks the same sections, so that no format says what another does not; a writer only
escapes and typesets.
"""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Iterable, Sequence

from informed._numbers import (
    bare_pvalue,
    count,
    percent,
    plural,
    pvalue,
    rate,
    signed,
    span,
)
from informed.documents.blocks import (
    Block,
    Card,
    Cell,
    Drawing,
    Grid,
    Range,
    Section,
    Words,
    columns,
    drawing,
    label,
    sentence,
    with_span,
)
from informed.documents.document import Document
from informed.documents.pages import report_pictures as pictures
from informed.documents.pages.report_population import elsewhere, size
from informed.documents.paging import page_of
from informed.evidence.table_text import number
from informed.measures.shown import CORE, TOLD_OF_CLASS
from informed.results import warning
from informed.summary.parts import ClassRow, Estimate
from informed.summary.report import Report
from informed.summary.sentences import guidance, listed, named

MOST_CELLS = 12  # classes whose table is written out
MANY_GROUPS = 12  # groups beyond this are written without pictures of their own
MOST_CLASSES = 40  # rows of classes in text; a page shows all


@page_of(Report)
def report_page(report: Report, *, precision: int = 3) -> Document:
    """Everything that is said of a table."""
    parts: list[Section | None] = []
    if report.groups:
        parts.append(_groups(report, precision))
    parts += [
        _table(report),
        _measures(report, precision),
        _classes(report, precision),
        _market(report),
        _significance(report, precision),
        size(report, precision),
        elsewhere(report, precision),
        _threshold(report),
        _guidance(report),
    ]
    if report.groups:
        parts.append(_each_group(report, precision))
    parts.append(_notes(report))

    return Document(
        title=report.title,
        answer=report.answer[0],
        further=" ".join(report.answer[1:]),
        sections=tuple(p for p in parts if p is not None),
        notes=tuple(warning(x) for x in report.warnings),
        data=report.to_dict(),
        records=report.records(),
        cards=tuple(_card(e, precision) for e in report.estimates[:3]),
        gates=report.gates,
    )


def _card(e: Estimate, precision: int) -> Card:
    if math.isnan(e.value):
        return Card(e.title, rate(e.value, precision), e.why)
    words = "" if math.isnan(e.low) else f"{percent(e.level)} interval "
    words += span(e.low, e.high, precision)
    if not -1 <= e.value <= 1:
        return Card(e.title, rate(e.value, precision), words)
    start = -1.0 if min(e.low if e.low == e.low else e.value, e.value) < 0 else 0.0
    drawn = Range(e.low, e.value, e.high, e.chance, start)
    return Card(e.title, rate(e.value, precision), words, drawn)


def _market(report: Report) -> Section | None:
    """Where answering a label loses: the labels that are better not used."""
    if not any(c["informedness"].value < 0 for c in report.classes):
        return None
    from informed.documents.pages.decisions import label_section

    return label_section(report.table, level=report.level)


def _threshold(report: Report) -> Section | None:
    if report.curve is None:
        return None
    from informed.documents.pages.decisions import threshold_section

    e, c = report.elsewhere, report.costs
    field = None if e is None else dict(e.field).get(report.table.positive)
    cost = None if c is None else c.text if ":" in c.text else json.loads(c.text)
    return threshold_section(report.curve, cost=cost, prevalence=field)


# ---------------------------------------------------------------------- 2. the table


def _table(report: Report) -> Section | None:
    t = report.table
    title = "The table" if not report.groups else "The table, all groups together"
    if not t.n:
        return None
    if max(len(t.real_labels), len(t.predicted_labels)) > MOST_CELLS:
        said = Words(
            f"{len(t.predicted_labels)} predicted and {len(t.real_labels)} real classes are too "
            "many to write out; the confusions that cost most are listed below.",
            "note",
        )
        return Section("table", title, (*_pictures(report), said))
    counts, expected = t.counts, t.expected
    heads = columns("predicted \\ real", *(label(x) for x in t.real_labels), "total")
    rows = [
        (label(x), *map(number, counts[i]), number(float(counts[i].sum())))
        for i, x in enumerate(t.predicted_labels)
    ]
    rows.append(("total", *map(number, counts.sum(axis=0)), number(t.n)))
    beside = [
        (
            label(x),
            *(
                f"{e:.1f} {signed(float(n - e), 1).replace('+-', '-')}"
                for n, e in zip(counts[i], expected[i], strict=True)
            ),
        )
        for i, x in enumerate(t.predicted_labels)
    ]
    return Section(
        "table",
        title,
        (
            *_pictures(report),
            Grid("Counts (rows: predicted, columns: real)", heads, tuple(rows), "counts", 1, True),
            Grid(
                "Expected from guessing with the same margins, and the deviation from it",
                heads[:-1],
                tuple(beside),
                "expected",
                folded=True,
            ),
        ),
    )


def _pictures(report: Report) -> tuple[Block, ...]:
    return (
        drawing("Heat map of the table", lambda: pictures.table(report.table)),
        drawing("ROC plane", lambda: pictures.roc(report)),
    )


# ---------------------------------------------------------------------- 3. the measures


def _measures(report: Report, precision: int) -> Section:
    core = [e for e in report.estimates if e.measure in CORE or (e.chance == 0 and e.best == 1)]
    rest = [e for e in report.estimates if e not in core]
    blocks: list[Block] = []
    heads = columns("measure", "value", f"{percent(report.level)} interval", "p", "picture|")
    if core:
        start = -1.0 if any(e.low < 0 or e.value < 0 for e in core) else 0.0
        rows = [
            (
                e.title,
                rate(e.value, precision),
                span(e.low, e.high, precision),
                bare_pvalue(e.pvalue, precision) if not math.isnan(e.pvalue) else "",
                _range(e, start),
            )
            for e in core
        ]
        blocks.append(Grid("Corrected for chance (0 is guessing)", heads, tuple(rows), "corrected"))
    if rest:
        heads = columns(
            "measure",
            "value",
            f"{percent(report.level)} interval",
            "chance",
            "above it",
            "of possible",
            "picture|",
        )
        rows2 = [
            (
                e.title,
                rate(e.value, precision),
                span(e.low, e.high, precision),
                rate(e.chance, precision),
                signed(e.above, precision),
                "" if math.isnan(e.share) else percent(e.share),
                _range(e, 0.0),
            )
            for e in rest
        ]
        blocks.append(
            Grid(
                "Traditional measures, the chance level of guessing with the same margins, and "
                "what is left above it",
                heads,
                tuple(rows2),
                "traditional",
            )
        )
    blocks += _reasons(report.estimates)
    if any(e.method for e in report.estimates):
        blocks.append(Words(_methods(report.estimates), "note"))
    cautions = dict.fromkeys(x for e in core[:1] if e.method for x in e.notes)
    blocks += [Words(sentence(x), "note") for x in cautions]
    return Section("measures", "The measures", tuple(blocks))


def _range(e: Estimate, start: float) -> Cell:
    if math.isnan(e.value) or not -1 <= e.value <= 1:
        return ""
    return Range(e.low, e.value, e.high, e.chance, start)


def _reasons(estimates: Sequence[Estimate]) -> list[Block]:
    """Why numbers are not there."""
    why: dict[str, list[str]] = {}
    for e in estimates:
        if e.why:
            why.setdefault(e.why, []).append(e.title)
    said = [f"n/a: {', '.join(titles)}: {reason}." for reason, titles in why.items()]
    bare = [e for e in estimates if e.value == e.value and not e.method and e.notes]
    if bare:
        titles = "any measure" if len(bare) == len(estimates) else ", ".join(e.title for e in bare)
        said.append(f"No interval for {titles}: {sentence(bare[0].notes[0])}")
    return [Words(x, "note") for x in said]


def _methods(estimates: Iterable[Estimate]) -> str:
    used: dict[str, list[str]] = {}
    for e in estimates:
        if e.method:
            used.setdefault(e.method, []).append(e.title)
    most = max(used, key=lambda m: len(used[m]))
    others = "; ".join(f"{m} for {', '.join(x)}" for m, x in used.items() if m != most)
    start = f"Intervals: {most}"
    return f"{start}{f', but {others}' if others else ''}."


# ---------------------------------------------------------------------- 4. the classes


def _classes(report: Report, precision: int) -> Section | None:
    if not report.classes:
        return None
    rows: Sequence[ClassRow] = report.classes
    blocks: list[Block] = []
    if len(rows) == 2:
        blocks.append(
            Words(
                "Two classes share one informedness and one markedness: what is known of one is "
                "known of the other.",
                "note",
            )
        )
    blocks.append(drawing("Picture of classes", lambda: pictures.classes(report)))
    heads = columns(
        "class",
        "cases",
        "prevalence",
        "bias",
        "recall",
        "precision",
        "B",
        "M",
        "verdict|",
    )
    found = []
    for c in rows:
        cells: list[Cell] = [label(c.label), count(c.real)]
        cells += [rate(c[m].value, precision) for m in ("prevalence", "bias")]
        cells += [with_span(c[m], precision) for m in TOLD_OF_CLASS]
        found.append((*cells, c.verdict))
    blocks.append(
        Grid(
            f"Each class against the rest, with {percent(report.level)} intervals "
            "(B informedness, M markedness)",
            heads,
            tuple(found),
            "classes",
            sortable=True,
            cut=_largest(rows),
            cut_words=f"The {MOST_CLASSES} classes with most cases",
        )
    )
    if len(report.classes) > 5:
        blocks.append(
            Words(
                f"Each interval holds by itself: of {len(report.classes)} classes about "
                f"{count(round((1 - report.level) * len(report.classes), 1))} may lie outside "
                "their own.",
                "note",
            )
        )
    reasons = dict.fromkeys(e.why for c in rows for e in c.estimates if e.why)
    if reasons:
        shown = list(reasons)[:3]
        more = f" and {len(reasons) - 3} more reasons" if len(reasons) > 3 else ""
        blocks.append(Words(f"n/a: {'; '.join(shown)}{more}.", "note"))
    if report.confusions:
        blocks.append(_confusions(report, precision))
    return Section("classes", "Class by class", tuple(blocks))


def _largest(rows: Sequence[ClassRow]) -> tuple[int, ...]:
    """Of many classes, those with most cases."""
    if len(rows) <= MOST_CLASSES:
        return ()
    return tuple(sorted(range(len(rows)), key=lambda i: -rows[i].real)[:MOST_CLASSES])


def _confusions(report: Report, precision: int) -> Grid:
    costed = report.costs is not None
    heads = columns(
        "really",
        "called|",
        "cases",
        "by chance",
        "of the class",
        "informedness lost",
        *(["cost a case"] if costed else []),
    )
    rows = [
        (
            label(c.real),
            label(c.predicted),
            count(c.cases),
            f"{c.expected:.1f}",
            percent(c.share),
            rate(c.lost, precision),
            *([rate(c.cost, precision)] if costed else []),
        )
        for c in report.confusions[:10]
    ]
    return Grid("The confusions that cost most", heads, tuple(rows), "confusions")


# ---------------------------------------------------------------------- 5. significance


def _significance(report: Report, precision: int) -> Section | None:
    done = [x for x in report.tests if not x.why]
    refused = [x for x in report.tests if x.why]
    if not report.tests or not report.table.n:
        return None
    blocks: list[Block] = []
    if done:
        first = done[0]
        if not math.isnan(first.pvalue):
            blocks.append(
                Words(
                    f"If there were nothing but chance, a result at least this far from it would "
                    f"come up with probability p {pvalue(first.pvalue)}."
                )
            )
        some = any(not math.isnan(x.df) for x in done)
        rows = [
            (
                x.method,
                "" if math.isnan(x.statistic) else f"{x.statistic:.{precision}f}",
                *(["" if math.isnan(x.df) else count(x.df)] if some else []),
                bare_pvalue(x.pvalue, precision),
            )
            for x in done
        ]
        heads = columns("test", "statistic", *(["df"] if some else []), "p")
        blocks.append(Grid("Tests", heads, tuple(rows), "tests"))
        blocks += [
            Words(
                f"The null hypothesis: {x.null.rstrip('.')}. "
                + " ".join(sentence(y) for y in (x.calibration, *x.notes) if y),
                "term",
                x.method,
            )
            for x in done
        ]
    blocks += [Words(f"{x.method}: {x.why}", "note") for x in refused]
    if dict(report.context).get("multiple_choice"):
        blocks.append(
            Words(
                "The options of a multiple choice have no meaning of their own, so the bias margin "
                "is the model's position bias: how often it says each position, against how often "
                "each position is right."
            )
        )
    return Section("significance", "Significance", tuple(blocks))


# ---------------------------------------------------------------------- guidance, groups, notes


def _guidance(report: Report) -> Section:
    return Section(
        "guidance",
        "Which measure should I report?",
        tuple(Words(text, "term", when) for when, text in guidance(report)),
    )


def _groups(report: Report, precision: int) -> Section:
    o = report.overview
    blocks: list[Block] = [
        drawing("Picture of groups", lambda: pictures.groups(report)),
        drawing("Tables of the groups", lambda: pictures.small_tables(report)),
    ]
    order = o.order if o is not None else range(len(report.groups))
    if o is not None:
        blocks.append(Words(_together(report, precision)))
        rows = []
        for i in order:
            g = report.groups[i]
            b = g["informedness"]
            second = [x for x in g.estimates if x.measure in ("accuracy", "f1")]
            rows.append(
                (
                    label(g.name),
                    count(g.table.n),
                    rate(b.value, precision),
                    span(b.low, b.high, precision),
                    *(rate(x.value, precision) for x in second),
                    _range(b, -1.0),
                )
            )
        titles = [x.title for x in report.groups[0].estimates if x.measure in ("accuracy", "f1")]
        for name, x in (("pooled", o.pooled), ("stratified", o.stratified)):
            rows.append(
                (
                    name,
                    count(report.table.n),
                    rate(x.value, precision),
                    span(x.low, x.high, precision),
                    *[""] * len(titles),
                    _range(x, -1.0),
                )
            )
        blocks.append(
            Grid(
                "Informedness of each group, the most informed first",
                columns(
                    "group",
                    "cases",
                    "informedness",
                    f"{percent(report.level)} interval",
                    *titles,
                    "picture|",
                ),
                tuple(rows),
                "groups",
                2,
                sortable=True,
            )
        )
        undefined = [g.name for g in report.groups if math.isnan(g["informedness"].value)]
        if undefined:
            blocks.append(Words(f"n/a: {listed(undefined)}: informedness is undefined.", "note"))
    return Section("groups", "The groups", tuple(blocks))


def _together(report: Report, precision: int) -> str:
    o = report.overview
    assert o is not None
    said = (
        f"Pooled into one table, informedness is {rate(o.pooled.value, precision)} "
        f"{span(o.pooled.low, o.pooled.high, precision)}; within groups, weighted by size, it is "
        f"{rate(o.stratified.value, precision)} "
        f"{span(o.stratified.low, o.stratified.high, precision)}."
    )
    if math.isnan(o.pvalue):
        return said
    test = f"Q = {o.statistic:.1f}, df {count(o.df)}, p {pvalue(o.pvalue)}"
    if o.pvalue < 1 - report.level:
        return (
            f"{said} The groups differ by more than sampling explains ({test}; "
            f"{percent(o.inconsistency)} of the spread)."
        )
    return f"{said} The groups do not differ by more than sampling explains ({test})."


def _each_group(report: Report, precision: int) -> Section:
    order = report.overview.order if report.overview else range(len(report.groups))
    many = len(report.groups) > MANY_GROUPS
    parts = [_group(report.groups[i], i, precision, light=many) for i in order]
    return Section("each", "Group by group", (), tuple(parts))


def _group(g: Report, i: int, precision: int, *, light: bool) -> Section:
    """A group by itself; of many groups without its pictures."""
    inner = [_table(g), _measures(g, precision), _classes(g, precision)]
    inner.append(_significance(g, precision))
    said: list[Block] = [Words(" ".join(g.answer))]
    said += [Words(x, "warning") for x in g.warnings]
    said += [block for s in inner if s is not None for block in s.blocks]

    if light:
        said = [
            b.without_pictures() if isinstance(b, Grid) else b
            for b in said
            if not isinstance(b, Drawing)
        ]
    b = g["informedness"]
    known = not math.isnan(b.value)
    brief = f"informedness {rate(b.value)} {span(b.low, b.high)}" if known else ""
    return Section(f"group-{i}", label(g.name, 60), tuple(said), brief=brief)


def _notes(report: Report) -> Section:
    t = report.table
    abstained = float(t.abstained.sum())
    said = [
        f"{plural(t.rows, 'row')} given: {count(t.n)} "
        f"{'total weight' if t.squares is not None else 'answered'}, {count(abstained)} abstained, "
        f"{count(t.missing)} missing."
    ]
    if t.squares is not None:
        said.append(
            f"Cases are weighted; they are worth {count(round(t.effective_n, 1))} equally weighted "
            "ones, which the intervals use."
        )
    if report.groups:
        said.append(f"{plural(len(report.groups), 'group')}.")
    if t.positive is not None:
        said.append(f"The positive class is {named(t.positive)}.")
    elif t.is_square and len(t.real_labels) == 2:
        said.append(
            f"Neither {listed(t.real_labels)} is known to be positive, so that recall and "
            "precision are averaged over both; name one with `positive`."
        )
    said += report.source
    said.append(versions(report))
    blocks: list[Block] = [Words(x, "note") for x in said]
    if report.command:
        blocks.append(Words(report.command, "command", "This page again"))
    return Section("notes", "Data notes", tuple(blocks))


def versions(report: Report) -> str:
    """What made the numbers."""
    import numpy as np
    import scipy

    return (
        f"informed {report.version}, Python {platform.python_version()}, NumPy {np.__version__}, "
        f"SciPy {scipy.__version__}."
    )
