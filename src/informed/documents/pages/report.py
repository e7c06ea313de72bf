"""A report arranged for reading: sections of sentences, grids and pictures, in their order.

Every format walks the same sections, so that no format says what another does not; a writer only
escapes and typesets.
"""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from informed._arrays import Array
from informed._numbers import bare_pvalue, count, decimals, percent, plural, pvalue, rate, signed, span
from informed.documents.blocks import (
    Block,
    Card,
    Cell,
    Drawing,
    Glance,
    Grid,
    Range,
    Section,
    Seen,
    Words,
    cross,
    drawing,
    label,
    place_of_positive,
    sentence,
    table,
    with_span,
)
from informed.documents.charts.matrix import matrix
from informed.documents.cited_methods import GROUPS, NEW_GROUP
from informed.documents.document import Document, Later
from informed.documents.pages import report_pictures as pictures
from informed.documents.pages.report_cases import as_drawn, cases, ids_by_place
from informed.documents.pages.report_glance import glance, in_clinic, too_many, wanted, without_limits
from informed.documents.pages.report_grades import grades
from informed.documents.pages.report_population import elsewhere, size
from informed.documents.paging import page_of
from informed.documents.references import methods_section
from informed.evidence.labels import Label
from informed.evidence.shown import shown_all
from informed.evidence.table_text import number
from informed.inference.method_names import INTERVALS, TESTS
from informed.measures.shown import CORE, IN_CLINIC, OF_ALL, TOLD_OF_CLASS
from informed.measures.titles import uncapitalised
from informed.results import warning
from informed.summary.design import CASE_CONTROL
from informed.summary.findings import MORE, guidance, next_steps
from informed.summary.parts import ClassRow, Confusion, Estimate, TestRow
from informed.summary.report import Report
from informed.summary.sentences import disagreement, listed, named

MOST_GROUPS = 200  # groups that are shown one by one
MANY_GROUPS = 12  # groups beyond this are written without pictures of their own
MOST_ON_PAGE = 1000  # rows of classes on a page; of more, the most telling
MOST_CLASSES = 40  # rows of classes that are read at a glance; a page and the full text show all
CLASS_TITLES = {"informedness": "B", "markedness": "M"}
OF_UNITS = ("few-units", "large-unit", "unseen-weight")  # notes that stand for each measure that has them
READ = ("recall", "precision")  # measures that read other cases than the first, and that weights change most
BESIDE = (
    "These are systems on the same items, so nothing is said of them together; `informed.compare` with this log "
    "compares them item by item."
)
POSITION_BIAS = (
    "The options of a multiple choice have no meaning of their own, so the bias margin is the model's position bias: "
    "how often it says each position, against how often each position is right."
)


@page_of(Report)
def report_page(report: Report, *, precision: int = 3) -> Document:
    """Everything that is said of a table."""
    parts: list[Section | None] = []
    if report.groups:
        parts.append(_groups(report, precision))
    if not report.systems:
        parts += [
            _table(report, precision),
            _measures(report, precision),
            _classes(report, precision),
            grades(report, _range, precision),
            _market(report),
            _significance(report, precision),
            size(report, precision),
            elsewhere(report, precision),
            _threshold(report),
        ]
    parts.append(_guidance(report))
    if report.groups:
        parts.append(_each_group(report, precision))
    parts.append(_cited(report))
    said = tuple(Words(x, "note") for x in _data_notes(report))
    parts.append(Section("notes", "Data notes", said))

    return Document(
        title=report.title,
        answer=report.answer[0],
        further=" ".join(report.answer[1:]),
        sections=tuple(p for p in parts if p is not None),
        notes=tuple(map(warning, report.warnings)),
        about="This page",
        command=report.command,
        data=Later(report.to_dict),
        records=report.records,
        cards=tuple(_card(e, precision) for e in _first(report)[:3]),
        gates=report.gates,
        glance=_glance(report, precision),
        steps=next_steps(report),
    )


def _cited(report: Report) -> Section | None:
    """The methods of a table by their published names, with references."""
    if report.systems:
        return None
    used = _titles_by("method", report.estimates)
    intervals = [(INTERVALS[name], [*map(uncapitalised, of)]) for name, of in used.items() if name in INTERVALS]
    done = [x for x in report.tests if x.method in TESTS and not x.why]
    tests = [(TESTS[x.method], (x.null.partition(":")[0],)) for x in done if x.null]
    groups = report.overview
    more = [] if groups is None or math.isnan(groups.pvalue) else [GROUPS]
    more += [NEW_GROUP] if groups is not None and groups.new is not None else []
    return methods_section(intervals, tests, percent(report.level), more=more)


def _glance(report: Report, precision: int) -> Glance:
    """What one screen shows."""
    groups = replace(_groups_grid(report, precision), caption="") if report.overview is not None else None
    confusions = _confusions(report, precision) if report.confusions else None
    return glance(report, groups, confusions, _asked(report, precision), _range, precision)


def _asked(report: Report, precision: int) -> tuple[Seen, ...]:
    """What was asked for beside the report itself: another population, costs, a threshold, tests."""
    sections = (elsewhere(report, precision), _threshold(report))
    said: list[Seen] = [
        x for s in sections if s is not None for x in s.blocks if isinstance(x, Words) and x.kind == "plain"
    ]
    if report.grades is not None and report.grades.stated and not wanted(report):
        said.append(Words(report.grades.sentence))
    own = [x for x in report.tests[1:] if not x.why]
    return (*said, *(x for x in _tests(own, precision) if isinstance(x, Grid))) if own else tuple(said)


def _first(report: Report) -> Sequence[Estimate]:
    """What a page begins with: the first measures, or that of each system."""
    if not report.systems or report.overview is None:
        told = [e for e in report.estimates if e.measure in IN_CLINIC] if in_clinic(report) else []
        return told or report.estimates
    return [replace(report.groups[i].headline, title=label(report.groups[i].name)) for i in report.overview.order]


def _card(e: Estimate, precision: int) -> Card:
    limits = "" if math.isnan(e.low) else f"{percent(e.level)} interval {span(e.low, e.high, precision)}"
    drawn = _range(e, -1.0 if e.value < 0 or e.low < 0 else 0.0)
    return Card(e.title, rate(e.value, precision), e.why or limits, drawn if isinstance(drawn, Range) else None)


def _market(report: Report) -> Section | None:
    """Where answering a label loses: the labels that are better not used."""
    if not any(c["informedness"].value < 0 for c in report.classes):
        return None
    from informed.decisions.rejection import market
    from informed.documents.pages.decisions import label_section

    found = market(report.table, level=report.level)
    return None if found is None else label_section(found)


def _threshold(report: Report) -> Section | None:
    if report.curve is None:
        return None
    from informed.decisions.chosen import chosen
    from informed.documents.pages.decisions import threshold_section

    if report.curve.why:
        notes = tuple(Words(x.text, "note") for x in report.curve.notes)
        return Section("threshold", "The threshold", notes)
    e, c = report.elsewhere, report.costs
    field = None if e is None else dict(e.field).get(report.table.positive)
    cost = None if c is None else c.text if ":" in c.text else json.loads(c.text)
    return threshold_section(chosen(report.curve, cost=cost, prevalence=field, level=report.level))


# ---------------------------------------------------------------------- 2. the table


def _table(report: Report, precision: int) -> Section | None:
    t = report.table
    title = "The table" if not report.groups else "The table, all groups together"
    if not t.n:
        return None
    if told := too_many(report):
        worst = (_confusions(report, precision),) if report.confusions else ()
        return Section("table", title, (*_pictures(report), told, *worst, *cases(report)))

    what = {"weight": "Weights", "items": "Items"}.get(report.counted.unit, "Counts")
    if what == "Items" and report.counted.cases != report.counted.n:
        what += ", each once in each group" if report.counted.repeated else ", each shared by its answers"
    counts, corner, caption = t.counts, "predicted \\ real", f"{what} (rows: predicted, columns: real)"
    across, down = (*t.real_labels, "total"), (*t.predicted_labels, "total")
    totals = np.block([[counts, counts.sum(axis=1, keepdims=True)], [counts.sum(axis=0), np.array(t.n)]])
    place = place_of_positive(t)
    beside = np.stack([t.expected, counts - t.expected], axis=-1)
    away = "Expected from guessing with the same margins, and the deviation from it"
    grids = (
        cross(caption, corner, across, down, totals, number, sums=1, folded=True, positive=place),
        cross(away, corner, t.real_labels, t.predicted_labels, beside, _away, folded=True, positive=place),
    )
    return Section("table", title, (*_pictures(report), *grids, *cases(report)))


def _away(cell: Array) -> str:
    """What is expected, and the deviation from it."""
    expected, away = cell.tolist()
    return f"{expected:.1f} {signed(away, 1).replace('+-', '-')}"


def _pictures(report: Report) -> tuple[Block, ...]:
    return (
        drawing("Heat map of the table", lambda: matrix(as_drawn(report, report.table), ids=ids_by_place(report))),
        drawing("ROC plane", lambda: pictures.roc(report)),
    )


# ---------------------------------------------------------------------- 3. the measures


def _measures(report: Report, precision: int) -> Section:
    first = [e for e in report.estimates if e.measure in OF_ALL]
    others = [e for e in report.estimates if e not in first]
    core = [e for e in others if e.measure in CORE or (e.chance == 0 and e.best == 1)]
    rest = [e for e in others if e not in core]
    start = -1.0 if any(e.low < 0 or e.value < 0 for e in core) else 0.0
    values: dict[str, Callable[[Estimate], Cell]] = {
        "measure": lambda e: e.title,
        "value": lambda e: rate(e.value, precision),
        f"{percent(report.level)} interval": lambda e: span(e.low, e.high, precision),
    }
    if any(abs(e.worth - report.counted.n) > 0.5 for e in report.estimates):
        values["worth"] = lambda e: f"{e.worth:.0f}" if e.worth == e.worth else ""
    corrected = values | {
        "p": lambda e: "" if math.isnan(e.pvalue) else bare_pvalue(e.pvalue, precision),
        "picture|": lambda e: _range(e, start),
    }
    traditional = values | {
        "chance": lambda e: rate(e.chance, precision),
        "above it": lambda e: signed(e.above, precision),
        "of possible": lambda e: "" if math.isnan(e.share) else percent(e.share),
        "picture|": lambda e: _range(e, 0.0),
    }

    blocks: list[Block] = []
    of = ""
    if first:
        blocks.append(table("Over all cases: no answer is no bet, and not right", first, corrected))
        of = f"Of the {report.counted.those_answered}: "
    if core:
        caption = f"{of}{_begun('Corrected for chance (0 is guessing)', of)}"
        blocks.append(table(caption, core, corrected))
    if rest:
        caption = "Traditional measures, the chance level of guessing with the same margins, and what is left above it"
        blocks.append(table(f"{of}{_begun(caption, of)}", rest, traditional))

    said = _reasons(report.estimates)
    if any(e.method for e in report.estimates):
        said.append(_methods(report.estimates))
    leading = (first or core)[:1]
    told = [x for e in leading if e.method for x in e.notes]
    told += [x for e in report.estimates if e not in leading for x in e.notes if x.code in OF_UNITS]
    told += [x for e in rest if e.measure in READ for x in e.notes if x.code == "weighted"]
    said += dict.fromkeys(sentence(str(x)) for x in told if str(x) not in report.warnings)
    blocks += [Words(x, "note") for x in said]
    return Section("measures", "The measures", tuple(blocks))


def _begun(caption: str, of: str) -> str:
    """A caption, small where something comes before it."""
    return caption[0].lower() + caption[1:] if of else caption


def _range(e: Estimate, start: float) -> Cell:
    if math.isnan(e.value) or not -1 <= e.value <= 1:
        return ""
    return Range(e.low, e.value, e.high, e.chance, start)


def _reasons(estimates: Sequence[Estimate]) -> list[str]:
    """Why numbers are not there."""
    said = [f"n/a: {', '.join(titles)}: {reason}." for reason, titles in _titles_by("why", estimates).items()]
    unknown = without_limits(estimates)
    said += map(sentence, unknown)
    bare = [e for e in estimates if e.value == e.value and not e.method and e.notes and str(e.notes[0]) not in unknown]
    if bare:
        titles = "any measure" if len(bare) == len(estimates) else ", ".join(e.title for e in bare)
        said.append(f"No interval for {titles}: {sentence(str(bare[0].notes[0]))}")
    return said


def _methods(estimates: Iterable[Estimate]) -> str:
    used = _titles_by("method", estimates)
    most = max(used, key=lambda m: len(used[m]))
    others = "; ".join(f"{m} for {', '.join(x)}" for m, x in used.items() if m != most)
    return f"Intervals: {most}{f', but {others}' if others else ''}."


def _titles_by(name: str, estimates: Iterable[Estimate]) -> dict[str, list[str]]:
    """Titles of measures by what they share, where they have it."""
    found: dict[str, list[str]] = {}
    for e in estimates:
        if held := getattr(e, name):
            found.setdefault(held, []).append(e.title)
    return found


# ---------------------------------------------------------------------- 4. the classes


def _classes(report: Report, precision: int) -> Section | None:
    rows, many = report.classes, len(report.classes)
    if not rows:
        return None

    def value(m: str) -> Callable[[ClassRow], Cell]:
        needed = decimals((c[m].value for c in rows), precision)
        return lambda c: rate(c[m].value, needed)

    def spanned(m: str) -> Callable[[ClassRow], Cell]:
        return lambda c: with_span(c[m], precision)

    among = 0
    words = "Each class against the rest"
    if many > MOST_ON_PAGE:
        rows, among = _most_telling(rows), many
        words = (
            f"{len(rows)} of {many:,} classes against the rest: those with most cases, those "
            "recognised best and those recognised least (JSON and CSV hold all)"
        )
    names = _names([c.label for c in rows])
    grid = table(
        f"{words}, with {percent(report.level)} intervals (B informedness, M markedness)",
        rows,
        {
            "class": lambda c: names[c.label],
            report.counted.unit: lambda c: count(c.real),
            "prevalence": value("prevalence"),
            "bias": value("bias"),
            **{CLASS_TITLES.get(m, m): spanned(m) for m in TOLD_OF_CLASS},
            "verdict|": lambda c: c.verdict,
        },
        sortable=True,
        cut=_largest(rows),
        cut_words=f"The {MOST_CLASSES} classes with most cases",
        among=among,
    )
    drawn = drawing("Picture of classes", lambda: pictures.classes(report))
    blocks: list[Block] = [drawn, grid, *(Words(x, "note") for x in _about_classes(report))]

    if many == 2:
        said = "Two classes share one informedness and one markedness: what is known of one is "
        blocks.insert(0, Words(f"{said}known of the other.", "note"))
    if report.confusions and not too_many(report):
        blocks.append(_confusions(report, precision))
    return Section("classes", "Class by class", tuple(blocks))


def _names(labels: Sequence[Label]) -> dict[Label, str]:
    """Labels as they stand beside each other."""
    return dict(zip(labels, shown_all(labels), strict=True))


def _about_classes(report: Report) -> Iterator[str]:
    many = len(report.classes)
    if many > 5:
        outside = count(round((1 - report.level) * many, 1))
        yield (f"Each interval holds by itself: of {many} classes about {outside} may lie outside their own.")
    reasons = list(dict.fromkeys(e.why for c in report.classes for e in c.estimates if e.why))
    if reasons:
        more = f" and {len(reasons) - 3} more reasons" if len(reasons) > 3 else ""
        yield f"n/a: {'; '.join(reasons[:3])}{more}."


def _most_telling(rows: Sequence[ClassRow]) -> tuple[ClassRow, ...]:
    """Of very many classes those with most cases, and those with most and least informedness."""
    part = MOST_ON_PAGE // 5
    known = [i for i, c in enumerate(rows) if not math.isnan(c["informedness"].value)]
    ranked = sorted(known, key=lambda i: rows[i]["informedness"].value)
    common = sorted(range(len(rows)), key=lambda i: -rows[i].real)
    kept = {*common[:part], *ranked[:part], *ranked[-part:]}
    return tuple(rows[i] for i in sorted(kept))


def _largest(rows: Sequence[ClassRow]) -> tuple[int, ...]:
    """Of many classes, those with most cases."""
    if len(rows) <= MOST_CLASSES:
        return ()
    return tuple(sorted(range(len(rows)), key=lambda i: -rows[i].real)[:MOST_CLASSES])


def _confusions(report: Report, precision: int) -> Grid:
    held = report.confusions if too_many(report) else report.confusions[:10]
    lost = decimals((c.lost for c in held), precision)
    names = _names([x for c in held for x in (c.real, c.predicted)])
    cells: dict[str, Callable[[Confusion], Cell]] = {
        "really": lambda c: names[c.real],
        "called|": lambda c: names[c.predicted],
        report.counted.unit: lambda c: count(c.cases),
        "by chance": lambda c: f"{c.expected:.1f}",
        "of the class": lambda c: percent(c.share),
        "informedness lost": lambda c: rate(c.lost, lost),
    }
    if report.costs is not None:
        cells["cost a case"] = lambda c: rate(c.cost, precision)
    return table("The confusions that cost most", held, cells, sortable=True)


# ---------------------------------------------------------------------- 5. significance


def _significance(report: Report, precision: int) -> Section | None:
    if not report.tests or not report.table.n:
        return None
    done = [x for x in report.tests if not x.why]
    blocks: list[Block] = _tests(done, precision) if done else []
    blocks += [Words(f"{x.method}: {x.why}", "note") for x in report.tests if x.why]
    if apart := disagreement(report):
        blocks.append(Words(apart, "note"))
    if dict(report.context).get("multiple_choice"):
        blocks.append(Words(POSITION_BIAS))
    return Section("significance", "Significance", tuple(blocks))


def _tests(done: Sequence[TestRow], precision: int) -> list[Block]:
    """The p-value in words, all tests in a grid, and what each is a test of."""
    blocks: list[Block] = []
    if not math.isnan(done[0].pvalue):
        said = "If there were nothing but chance, a result at least this far from it would come up "
        blocks.append(Words(f"{said}with probability p {pvalue(done[0].pvalue)}."))

    cells: dict[str, Callable[[TestRow], Cell]] = {
        "test": lambda x: x.method,
        "statistic": lambda x: "" if math.isnan(x.statistic) else f"{x.statistic:.{precision}f}",
        "df": lambda x: "" if math.isnan(x.df) else count(x.df),
        "p": lambda x: bare_pvalue(x.pvalue, precision),
    }
    if all(math.isnan(x.df) for x in done):
        del cells["df"]
    blocks.append(table("Tests", done, cells))

    for x in done:
        more = " ".join(sentence(str(y)) for y in (x.calibration, *x.notes) if y)
        blocks.append(Words(f"The null hypothesis: {x.null.rstrip('.')}. {more}", "term", x.method))
    return blocks


# ---------------------------------------------------------------------- guidance, groups, notes


def _guidance(report: Report) -> Section:
    said = tuple(Words(a.text, "term", a.when) for a in guidance(report))
    return Section("guidance", "Which measure should I report?", (*said, Words(MORE, "note")))


def _groups(report: Report, precision: int) -> Section:
    blocks: list[Block] = [
        drawing("Picture of groups", lambda: pictures.groups(report)),
        drawing("Tables of the groups", lambda: pictures.small_tables(report)),
    ]
    if report.overview is not None:
        said = BESIDE if report.systems else _together(report, precision)
        blocks += [Words(said), _groups_grid(report, precision)]
        undefined = [g.name for g in report.groups if math.isnan(g.headline.value)]
        if undefined:
            blocks.append(Words(f"n/a: {listed(undefined)}: informedness is undefined.", "note"))
    return Section("groups", "The systems" if report.systems else "The groups", tuple(blocks))


def _groups_grid(report: Report, precision: int) -> Grid:
    """A row for each group, and two for all of them together."""
    o = report.overview
    assert o is not None
    ordered = [report.groups[i] for i in o.order]
    rows = [(label(g.name), g.counted.n, g.headline, g.estimates) for g in ordered]
    together = () if report.systems else (("pooled", o.pooled), ("stratified", o.stratified))
    if o.new is not None and not report.systems:
        together = (*together, ("new group, mean", o.new))
    rows += [(name, report.counted.n, e, ()) for name, e in together]
    cells: dict[str, Callable[[tuple[str, float, Estimate, Sequence[Estimate]]], Cell]] = {
        "system" if report.systems else "group": lambda r: r[0],
        f"{ordered[0].counted.what}s": lambda r: count(r[1]),
        "informedness": lambda r: rate(r[2].value, precision),
        f"{percent(report.level)} interval": lambda r: span(r[2].low, r[2].high, precision),
    }

    beside = ("accuracy_of_all", "coverage") if ordered[0].over_all else ("accuracy", "f1")
    beside = ("recall", "inverse_recall") if dict(report.context).get(CASE_CONTROL) else beside
    for e in report.groups[0].estimates:
        if e.measure in beside:
            cells[e.title] = lambda r, m=e.measure: next(  # type: ignore[misc]
                (rate(x.value, precision) for x in r[3] if x.measure == m), ""
            )
    cells["picture|"] = lambda r: _range(r[2], -1.0)
    caption = f"Informedness of each {'system' if report.systems else 'group'}, the most informed first"
    return table(caption, rows, cells, sums=len(together), sortable=True)


def _together(report: Report, precision: int) -> str:
    o = report.overview
    assert o is not None
    said = (
        f"Pooled into one table, informedness is {with_span(o.pooled, precision)}; within groups, weighted by size, "
        f"it is {with_span(o.stratified, precision)}. Both are about these groups."
    )
    if o.new is not None:
        said += (
            f" The mean over groups like these is {with_span(o.new, precision)} (random effects, Hartung–Knapp–Sidik–"
            "Jonkman interval)."
        )
        if not math.isnan(o.predicted_low):
            ends = f"{rate(o.predicted_low, precision)} and {rate(o.predicted_high, precision)}"
            said += f" One new group is expected between {ends} (prediction interval)."
    elif not math.isnan(o.pvalue):
        said += " Two groups do not show how others would vary."
    if math.isnan(o.pvalue):
        return said
    test = f"Q = {o.statistic:.1f}, df {count(o.df)}, p {pvalue(o.pvalue)}"
    if o.pvalue < 1 - report.level:
        spread = f"{percent(o.inconsistency)} of the spread"
        return f"{said} The groups differ by more than sampling explains ({test}; {spread})."
    return f"{said} The groups do not differ by more than sampling explains ({test})."


def _each_group(report: Report, precision: int) -> Section:
    order = tuple(report.overview.order if report.overview else range(len(report.groups)))
    many = len(report.groups) > MANY_GROUPS
    said: tuple[Block, ...] = ()
    if len(order) > MOST_GROUPS:
        half = MOST_GROUPS // 2
        said = (
            Words(
                f"Of {len(order):,} groups, the first {half} and the last {half} are shown one by one. "
                "JSON and CSV hold every group.",
                "note",
            ),
        )
        order = (*order[:half], *order[-half:])
    parts = [_group(report.groups[i], i, precision, light=many) for i in order]
    return Section("each", "System by system" if report.systems else "Group by group", said, tuple(parts))


def _group(g: Report, i: int, precision: int, *, light: bool) -> Section:
    """A group by itself; of many groups without its pictures."""
    inner = [_table(g, precision), _measures(g, precision), _classes(g, precision), grades(g, _range, precision)]
    inner.append(_significance(g, precision))
    said: list[Block] = [Words(" ".join(g.answer))]
    said += [Words(x, "warning") for x in g.warnings]
    said += [block for s in inner if s is not None for block in s.blocks]

    if light:
        said = [b.without_pictures() if isinstance(b, Grid) else b for b in said if not isinstance(b, Drawing)]
    b = g.headline
    brief = "" if math.isnan(b.value) else f"informedness {with_span(b)}"
    return Section(f"group-{i}", label(g.name, 60), tuple(said), brief=brief)


def _data_notes(report: Report) -> Iterator[str]:
    """What was read, what it is worth, and what made the numbers."""
    t = report.table
    held = report.counted
    lost = f", {count(t.unlabelled)} without a real label" if t.unlabelled else ""
    yield (
        f"{plural(t.rows + t.unlabelled, 'row')} given: {count(held.given)} answered, {count(held.silent)} abstained, "
        f"{count(t.missing)} missing{lost}."
    )
    if held.weighted:
        every = count(float(t.n) + float(t.abstained.sum()))
        yield f"Weights add up to {every}; each interval uses what the cases are worth for its measure."

    if report.groups:
        yield f"{plural(len(report.groups), 'system' if report.systems else 'group')}."
    if t.positive is not None:
        yield f"The positive class is {named(t.positive)}."
    elif t.is_square and len(t.real_labels) == 2:
        yield (
            f"Neither {' nor '.join(map(named, t.real_labels))} is known to be positive, so that recall and "
            "precision are averaged over both; name one with `positive`."
        )

    if report.tool:
        yield f"Cases of the log: {', '.join(f'{count(n)} {state}' for state, n in report.states)}."
    yield from report.source
    yield versions(report)


def versions(report: Report) -> str:
    """What made the numbers."""
    import scipy

    return (
        f"informed {report.version}, Python {platform.python_version()}, NumPy {np.__version__}, "
        f"SciPy {scipy.__version__}."
    )
