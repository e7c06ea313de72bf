"""What a report says, as plain data. No layout.

`report(t)` asks the measures and the inference for every number once, for all groups of a stack
together, and freezes the answers; the writers only arrange them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, Protocol, cast, overload

import numpy as np

from informed.decisions.probabilities import probabilities
from informed.errors import InformedError, TableError, one_of
from informed.evidence.calls import explained, no_option
from informed.evidence.forecasts import Forecasts
from informed.evidence.labels import Label, written
from informed.evidence.labels_by_name import OPTIONS, table_of
from informed.evidence.marks import Marks
from informed.evidence.table import Table
from informed.evidence.tags import Tags
from informed.inference.given import checked_level
from informed.inference.heterogeneity import heterogeneity
from informed.inference.hypothesis import When
from informed.inference.intervals import interval as interval_of
from informed.inference.watch import Watch
from informed.measures import Measure
from informed.measures.headline import COUNTS, Count, headline
from informed.measures.terms import TERMS, Terms, errors_in
from informed.results import Result
from informed.summary.confusions import confusions, costs
from informed.summary.design import CASE_CONTROL, NO_ANSWERS, without_prevalence
from informed.summary.estimates import Wanted, chosen, class_rows, estimates, with_own_notes
from informed.summary.examples import errors_first
from informed.summary.gates import Bar, bar
from informed.summary.grades import grades_of
from informed.summary.marks_report import MarksReport, report_marks
from informed.summary.parts import CellCases, Overview, Score
from informed.summary.population import elsewhere_of, size_of
from informed.summary.report import Report
from informed.summary.significance import IN_FULL_UP_TO, significance
from informed.summary.states import score_of, states_of
from informed.summary.tags_report import TagsReport, report_tags
from informed.summary.titles import report_title

if TYPE_CHECKING:
    from informed.decisions.curve import Curve
    from informed.documents.document import Document

P = ParamSpec("P")
Progress = Callable[[float], None]  # told the share that is done

CLOSED_FORM_BEYOND = 200  # classes: above this the whole-table intervals are plus-four


NOT_POOLED: dict[str, Any] = {  # what is not said of systems together
    **dict.fromkeys(("estimates", "classes", "confusions", "tests", "examples"), ()),
    **dict.fromkeys(("size", "elsewhere", "costs", "score", "grades")),
}


class Reporting(Protocol[P]):
    """`report`: of a table or marks the analysis, of a result its page."""

    @overload
    def __call__(self, of: Table, /, *args: P.args, **options: P.kwargs) -> Report: ...

    @overload
    def __call__(self, *, real: Any, predicted: Any, **options: Any) -> Report: ...

    @overload
    def __call__(self, of: Marks, /, **options: Any) -> MarksReport: ...

    @overload
    def __call__(self, of: Tags, /, **options: Any) -> TagsReport: ...
    @overload
    def __call__(self, of: Forecasts, /, **options: Any) -> Document: ...

    @overload
    def __call__(self, of: Result | Watch, /, **options: Any) -> Document: ...


def of_results_too(function: Callable[Concatenate[Table, P], Report]) -> Reporting[P]:
    """Let the report of a table take marks and results as well."""

    @wraps(function)
    def reported(of: Any = None, /, **options: Any) -> Report | MarksReport | TagsReport | Document:
        with errors_in(options.get("terms", "informed")):
            return told(of, options)

    def told(of: Any, options: dict[str, Any]) -> Report | MarksReport | TagsReport | Document:
        if isinstance(of, Result | Watch):
            return cast("Document", of.document(**options))
        if isinstance(of, Forecasts):
            terms = options.pop("terms", "informed")
            return probabilities(of, **options).document(terms=terms)
        if isinstance(of, Marks | Tags):
            terms = options.pop("terms", "informed")
            made = report_marks(of, **options) if isinstance(of, Marks) else report_tags(of, **options)
            return made.in_terms(terms)
        for name in options:
            if name not in known:
                raise no_option("report", name, known)
        return function(table_of("report", of, options, keep=("positive",)), **options)  # type: ignore[call-arg]

    known = [*signature(function).parameters, *OPTIONS][1:]
    return cast("Reporting[P]", explained(reported))


@of_results_too
def report(
    t: Table,
    *,
    real: Any = None,
    predicted: Any = None,
    level: float = 0.95,
    method: str = "auto",
    measures: Iterable[str] | None = None,
    all: bool = False,
    prevalence: Any = None,
    cost: Any = None,
    scores: Any = None,
    positive: Label | None = None,
    tests: str | Sequence[str] = (),
    when: When = "small",
    against: Iterable[str | Bar] = (),
    count: Count = "tool",
    states: Mapping[str, float] | None = None,
    score: Score | None = None,
    tool: str = "",
    examples: Iterable[CellCases] = (),
    context: Mapping[str, Any] | None = None,
    design: Literal["cross-sectional", "case-control"] = "cross-sectional",
    source: str | Iterable[str] | None = None,
    command: str = "",
    title: str = "",
    terms: Terms = "informed",
    progress: Progress | None = None,
) -> Report:
    """Everything that a careful statistician would tell a colleague about a table, marks, tags or a result.

    Of a table it is a `Report`, of `Marks` a `MarksReport`, of `Tags` a `TagsReport`. Of any other result it is its
    page, a `Document`; the options are then those of that page, `source`, `title` and `terms`, and the other
    parameters below are of tables.

    Parameters
    ----------
    t
        One table, or a stack of one axis: its tables are groups, and an overview comes first.
    real, predicted
        Labels instead of a table, with the options of `Table.from_labels`.
    level, method
        Level and method of the intervals.
    measures, all
        Further measures by name, or every measure that this table determines.
    prevalence
        Of the field: a number for the positive class of two, else one number a class.
    cost
        "FN:FP" (5:1 = a miss costs five false alarms), a pair, or a matrix (predicted, real).
    scores
        Of the same cases, as `read(score=)` or `roc` gives them: a section about the threshold.
    positive
        Of two classes, the one that recall and precision are about.
    tests
        Other tests of independence, by method, or "all".
    when
        Where the test "yates" corrects, as in `informed.test`: "small", "cells", "all" or "never".
    against
        Measures to be tested against values: "informedness=0.7", or one-sided "informedness.greater=0.7".
    count
        Which cases the headline is of: all that count, where no answer is no bet, or only those
        "answered". What else a log can count is for its reader to say.
    states, score, tool
        Of a log: how many of its cases are right, wrong, without an answer, in error, unscored or
        not run; its score beside that of its own tool; and what wrote it.
    examples
        Ids of some cases of each cell, as `informed.examples` finds them; of a stack, of all its tables together.
    context
        What is known of the data: ``multiple_choice``, ``raters``, ``markers``,
        ``unknown_negatives``, and ``systems`` where the groups are systems, which are not pooled;
        each true or false.
    design
        "case-control" where the number of cases of each class was chosen. Measures that depend on the prevalence
        (precision, NPV, accuracy, F1 …) then describe the choice: they are not shown. With `prevalence`, they are
        shown as they are there.
    source, command, title
        Where the data came from (or sentences about them), the command that reproduces the page,
        and its heading, which names the source where none is given.
    terms
        Whose names of measures its pages show: "clinical" says sensitivity, specificity, PPV, NPV and Youden's J.
    progress
        Called with the share that is done: thousands of classes take seconds.

    >>> import informed
    >>> r = report(informed.Table.from_counts([[56, 20], [12, 12]]))
    >>> round(r["informedness"].value, 4)
    0.1985
    """
    if positive is not None:
        t = t.with_positive(positive)
    if len(t.shape) > 1:
        raise TableError(
            f"A report takes one table or one axis of groups; this stack has the shape {t.shape}. "
            "Select or sum its other axes first."
        )
    title = title or (report_title([source]) if isinstance(source, str) else "Informed report")
    shared: dict[str, Any] = {"level": level, "command": command, "title": title, "count": count, "tool": tool}
    one_of("count", count, COUNTS, TableError)
    one_of("terms", terms, TERMS, TableError)
    one_of("design", design, ("cross-sectional", "case-control"), TableError)
    if design == "case-control" and count != "answered" and bool(t.abstained.any()):
        raise TableError(NO_ANSWERS)
    known = {**(context or {}), **({CASE_CONTROL: True} if design == "case-control" else {})}
    shared["context"] = tuple(known.items())
    shared["source"] = (f"Read from {source}.",) if isinstance(source, str) else tuple(source or ())

    bars = tuple(bar(x) if isinstance(x, str) else x for x in against)
    asked = _Asked(Wanted(level, method), chosen(t, measures, all, count, terms), tests, when, bars, prevalence, cost)
    _check_interval(t.sum() if t.shape else t, asked)
    curve = None if scores is None else _curve(scores, t)
    done = progress or (lambda share: None)
    said: dict[str, Any] = {"curve": curve}
    said |= {} if states is None else {"states": tuple(states.items())}
    said |= {} if score is None else {"score": score}
    said["examples"] = errors_first(t.sum() if t.shape else t, examples)
    if not t.shape:
        return replace(_reports(t, asked, shared, done)[0], **said).in_terms(terms)
    whole = _reports(t.sum(), asked, shared, lambda share: done(share / 2))[0]
    groups = _reports(t, asked, shared, lambda share: done((1 + share) / 2))
    overview = _overview(t, groups, whole, asked)
    if dict(shared["context"]).get("systems"):
        said |= NOT_POOLED
    return replace(whole, **said, groups=groups, overview=overview).in_terms(terms)


def _curve(scores: Any, t: Table) -> Curve:
    """The curve of the scores, about the same two classes as the table."""
    from informed.decisions.curve import Curve
    from informed.decisions.roc import roc

    if not t.is_square or t.positive is None:
        raise TableError(f"`scores` decide between two classes; this table has {len(t.real_labels)}.")
    curve = scores if isinstance(scores, Curve) else roc(scores, positive=t.positive)
    if set(curve.labels) != set(t.labels) or curve.positive != t.positive:
        raise TableError(f"The scores are of {_classes_of(curve)}, the table is of {_classes_of(t)}.")
    return curve


def _classes_of(held: Curve | Table) -> str:
    return f"{' and '.join(map(written, held.labels))}, the positive one {written(held.positive)}"


@dataclass(frozen=True)
class _Asked:
    wanted: Wanted
    measures: tuple[Measure, ...]
    tests: str | Sequence[str]
    when: When
    against: tuple[Bar, ...]
    prevalence: Any
    cost: Any


def _reports(t: Table, asked: _Asked, shared: Mapping[str, Any], done: Progress) -> tuple[Report, ...]:
    """A report for each table, with every number computed for the whole stack at once."""
    tables = list(t) if t.shape else [t]
    names = (t.axes[0] or tuple(range(len(tables)))) if t.shape else (None,)
    wanted = asked.wanted
    closed = max(len(t.real_labels), len(t.predicted_labels)) > CLOSED_FORM_BEYOND
    of_whole = replace(wanted, method="plus-four") if closed and wanted.method == "auto" else wanted
    in_full = len(tables) <= IN_FULL_UP_TO
    columns = estimates(t, asked.measures, of_whole)
    if t.shape:
        leads = str(headline("informedness", shared["count"], bool(t.abstained.any()))) if in_full else ""
        columns = [with_own_notes(tables, column, of_whole, leads) for column in columns]
    done(0.3)
    classes = class_rows(t, wanted, columns) if t.is_square else [()] * len(tables)
    if dict(shared["context"]).get(CASE_CONTROL):
        columns = [[without_prevalence(e) for e in column] for column in columns]
        classes = [
            tuple(replace(c, estimates=tuple(map(without_prevalence, c.estimates))) for c in own) for own in classes
        ]
    done(0.9)
    choice = bool(dict(shared["context"]).get("multiple_choice"))
    grades = grades_of(t, tables, wanted, names_only=choice or not in_full)
    tests = significance(t, shared["count"], asked.tests, asked.when, asked.against, choice)

    return tuple(
        Report(
            table=one,
            estimates=tuple(found),
            classes=classes[i],
            confusions=confusions(one, asked.cost),
            tests=tests[i],
            size=size_of(one, found, wanted.level) if in_full else None,
            elsewhere=elsewhere_of(one, asked.prevalence, wanted) if in_full else None,
            costs=costs(one, asked.cost),
            grades=grades[i],
            score=score_of(one, found, wanted.level, shared["count"]),
            states=states_of(one),
            name=names[i],
            **shared,
        )
        for i, (one, *found) in enumerate(zip(tables, *columns, strict=True))
    )


def _check_interval(t: Table, asked: _Asked) -> None:
    """Refuse a level that is none, and a method that fits no measure of the report."""
    level, method = checked_level(asked.wanted.level), asked.wanted.method
    refusals = []
    for m in asked.measures if method != "auto" else ():
        try:
            interval_of(t, m, level=level, method=method)
            return
        except InformedError as error:
            refusals.append(error)
    if refusals:
        raise refusals[0]


def _overview(t: Table, groups: tuple[Report, ...], whole: Report, asked: _Asked) -> Overview | None:
    if not t.is_square:
        return None
    pooled = whole.headline
    between = heterogeneity(t, pooled.measure, level=asked.wanted.level)
    limits: dict[str, Any] = {"value": between.estimate, "low": between.low, "high": between.high, "pvalue": math.nan}
    stratified = replace(pooled, **limits, null="", method="size-weighted mean of the groups")
    order = np.argsort([-g.headline.value for g in groups], kind="stable")  # NaN last
    tested = {name: getattr(between, name) for name in ("statistic", "df", "pvalue", "inconsistency")}
    more: dict[str, Any] = {}
    if np.isfinite(between.new_estimate):
        limits |= {"value": between.new_estimate, "low": between.new_low, "high": between.new_high}
        more = {name: getattr(between, name) for name in ("predicted_low", "predicted_high", "tau")}
        more["new"] = replace(pooled, **limits, null="", method="hartung-knapp", notes=(), worth=math.nan)
    return Overview(pooled, stratified, **tested, order=tuple(order.tolist()), **more)
