"""What one screen shows of a report: its table, or its worst confusions, and the measures that matter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from informed._numbers import percent, rate, span
from informed.documents.blocks import Cell, Glance, Grid, Range, Seen, Words, cross, place_of_positive, table
from informed.evidence.shown import shown_all
from informed.evidence.table_text import number
from informed.inference.interval_methods import UNKNOWN
from informed.measures.lookup import find, needs_prevalence
from informed.measures.shown import CORE, IN_CLINIC, MATTER, OF_ALL, OF_TWO, RATIOS
from informed.summary.design import CASE_CONTROL
from informed.summary.estimates import chosen
from informed.summary.parts import Estimate
from informed.summary.report import Report

MOST_CELLS = 12  # classes whose table is written out
MOST_CROSSED = 10  # classes whose table is shown
SHORT = 9  # columns of a label over a column of a crowded table
FEW = 3  # measures where there is little room
FEW_UNKNOWN = 2  # measures without limits whose reasons have room
FEW_ASKED = 6  # that were asked for and are written in a line there
LESS = ("recall", "precision", "correlation")  # measures that others tell of
LESS_IN_CLINIC = ("precision", "inverse_precision")


def glance(
    report: Report,
    groups: Grid | None,
    confusions: Grid | None,
    asked: Sequence[Seen],
    drawn: Callable[[Estimate, float], Cell],
    precision: int = 3,
) -> Glance:
    """Groups if there are any, the table or what it confuses most, and measures with their chance level."""
    parts: list[Seen | tuple[Seen, ...]] = [] if groups is None else [groups]
    if report.systems:
        return tuple(parts)
    if report.table.n and groups is None and (crossed := _table(report, confusions)):
        parts.append(crossed)
    parts += asked
    parts.append(_measures(report, drawn, precision))
    if wanted(report) and (unknown := without_limits(report.estimates)):
        many = f"{UNKNOWN} {len(unknown)} of these measures is known to cover."
        parts.append(Words(many if len(unknown) > FEW_UNKNOWN else " ".join(unknown), "note"))
    return tuple(parts)


def without_limits(estimates: Sequence[Estimate]) -> tuple[str, ...]:
    """Why measures that were asked for have no limits: none is known to cover."""
    said = [str(e.notes[0]) for e in estimates if e.value == e.value and not e.method and e.notes]
    return tuple(dict.fromkeys(x for x in said if x.startswith(UNKNOWN)))


def in_clinic(report: Report) -> bool:
    """Whether it is of a test for a disease, of which sensitivity and specificity are looked for first."""
    return report.terms == "clinical" and report.table.positive is not None


def too_many(report: Report) -> Words | None:
    """What is said where there are too many classes for a table of every two."""
    t = report.table
    if max(len(t.real_labels), len(t.predicted_labels)) <= MOST_CELLS:
        return None
    said = f"{len(t.predicted_labels):,} predicted and {len(t.real_labels):,} real classes are too many to write out"
    return Words(f"{said}: of the cells these confusions cost most." if report.confusions else f"{said}.", "note")


def _table(report: Report, confusions: Grid | None) -> tuple[Seen, ...]:
    """The table in less and less room; in the end the confusions alone."""
    t = report.table
    shown: list[Seen] = []
    if max(len(t.real_labels), len(t.predicted_labels)) <= MOST_CROSSED:
        shown += [_crossed(report, 24, sums=True), _crossed(report, 24), _crossed(report, SHORT), _numbered(report)]
    if confusions is not None and too_many(report):
        cells = f"{len(t.predicted_labels):,} × {len(t.real_labels):,} cells are too many to show"
        confusions = replace(confusions, caption=f"{cells}; the confusions that cost most")
    return (*shown, confusions) if confusions is not None else tuple(shown)


def _crossed(report: Report, widest: int, *, sums: bool = False) -> Grid:
    t = report.table
    across, down, counts = [*t.real_labels], [*t.predicted_labels], t.counts
    if sums:
        across, down = [*across, "total"], [*down, "total"]
        counts = np.block([[counts, counts.sum(axis=1, keepdims=True)], [counts.sum(axis=0), np.array(t.n)]])
    short = shown_all(across, widest)
    if len(set(short)) < len(short):  # which no longer says which is which
        return _numbered(report)
    return cross("", "predicted \\ real", short, down, counts, number, sums=int(sums), positive=place_of_positive(t))


def _numbered(report: Report) -> Grid:
    """Columns in the order of the rows, where labels have no room over them."""
    t = report.table
    same = t.real_labels == t.predicted_labels
    held = shown_all(t.predicted_labels, 22)
    down = [f"{i} {x}" for i, x in enumerate(held, 1)] if same else t.predicted_labels
    across = range(1, len(t.real_labels) + 1) if same else shown_all(t.real_labels, SHORT)
    return cross("", "predicted \\ real", across, down, t.counts, number, positive=place_of_positive(t))


def wanted(report: Report) -> bool:
    """Whether measures were asked for that such a report does not have by itself."""
    measures = {e.measure for e in report.estimates}
    of_clinic = in_clinic(report) and measures >= {str(find(m)) for m in OF_TWO}
    usual = chosen(report.table, None, False, report.count, "clinical" if of_clinic else "informed")
    return not measures <= {str(m) for m in usual}


def _measures(report: Report, drawn: Callable[[Estimate, float], Cell], precision: int) -> tuple[Seen, ...]:
    """The measures that matter in a grid, fewer of them, or a line."""
    chosen_sizes = dict(report.context).get(CASE_CONTROL)  # a warning says what is not shown
    held = tuple(e for e in report.estimates if not (chosen_sizes and needs_prevalence(e.measure)))
    first, least = [*MATTER], [*OF_ALL[:2], *CORE[:2], "accuracy"]
    steps: list[tuple[str, ...]] = [LESS]
    if chosen_sizes:
        first, steps = [*first, "inverse_recall"], [()]
    if in_clinic(report):
        first, least = [*OF_ALL, *IN_CLINIC], [OF_ALL[0], *IN_CLINIC]
        steps = [RATIOS, (*RATIOS, *LESS_IN_CLINIC)]
    matter = {str(find(m)) for m in first}
    shown = list(held) if wanted(report) else [e for e in held if e.measure in matter]
    if wanted(report):  # what was asked for is shown, or how much more there is
        asked = [e for e in held if e.measure not in CORE[1:]]
        grids = (_grid(report, x, drawn, precision) for x in (shown, asked))
        more = f"; … {len(asked) - FEW_ASKED} more" if len(asked) > FEW_ASKED else ""
        return (*grids, Words(f"{_line(asked[:FEW_ASKED], precision)}{more}."))
    some = ([e for e in shown if e.measure not in less] for less in steps)
    few = [e for e in held if e.measure in least][:FEW]
    grids = (_grid(report, x, drawn, precision) for x in (shown, *some, few))
    return (*grids, Words(f"{_line(few, precision)}."))


def _line(estimates: Sequence[Estimate], precision: int) -> str:
    each = (f"{e.title} {rate(e.value, precision)} {span(e.low, e.high, precision)}" for e in estimates)
    return "; ".join(x.strip() for x in each)


def _grid(
    report: Report, estimates: Sequence[Estimate], drawn: Callable[[Estimate, float], Cell], precision: int
) -> Grid:
    start = -1.0 if any(e.low < 0 or e.value < 0 for e in estimates) else 0.0
    cells: dict[str, Callable[[Estimate], Cell]] = {
        "measure": lambda e: e.title,
        "value": lambda e: rate(e.value, precision),
        f"{percent(report.level)} interval": lambda e: span(e.low, e.high, precision),
        "chance": lambda e: rate(e.chance, precision),
        "picture|": lambda e: _clipped(drawn(e, start)),
    }
    return table("", estimates, cells)


def _clipped(cell: Cell) -> Cell:
    return cell if isinstance(cell, Range) else ""
