"""What a report says, as plain data. No layout.

`report(t)` asks the measures and the inference for every number once, for all groups of a stack
together, and freezes the answers; the writers only arrange them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

import informed
from informed._arrays import Array
from informed.errors import InferenceError, InformedError, TableError
from informed.evidence.labels import written
from informed.evidence.table import Table
from informed.measures import MEASURES, Measure, find, why
from informed.summary.confusions import confusions, costs
from informed.summary.report import (
    ClassRow,
    Elsewhere,
    Estimate,
    Overview,
    Report,
    Size,
    TestRow,
)

if TYPE_CHECKING:
    from informed.decisions.curve import Curve

CORE = ("informedness", "markedness", "correlation")
TWO = (
    "accuracy",
    "balanced_accuracy",
    "recall",
    "inverse_recall",
    "precision",
    "inverse_precision",
    "f1",
    "cohen_kappa",
)
MANY = (
    "accuracy",
    'recall(average="macro")',
    'precision(average="macro")',
    'f1(average="macro")',
    "cohen_kappa",
    "matthews",
)
CLUSTERED = (
    "normalized_mutual_information",
    "adjusted_rand_index",
    "cramers_v",
    "lambda_real",
    "purity",
)  # of tables whose sides have labels of their own
TESTED = ("informedness", "markedness", "correlation", "matthews", "accuracy", "cohen_kappa")
OF_CLASS = ("prevalence", "bias", "recall", "fallout", "precision", "informedness", "markedness")
ON_REQUEST = (
    "permutation-z",
    "pearson",
    "pearson-n1",
    "yates",
    "g",
    "g-williams",
    "fisher",
    "fisher-midp",
    "kb",
    "km",
    "kbm",
)
CLOSED_FORM_BEYOND = 200  # classes: above this the whole-table intervals are plus-four
PLANNED_UP_TO = 100  # classes: above this no power and size, whose search would take seconds
EFFECTS = (0.05, 0.1, 0.2, 0.3, 0.5)
EFFECT = 0.2  # the informedness of the power curve


def report(
    t: Table,
    *,
    level: float = 0.95,
    interval: str = "auto",
    measures: Iterable[str] | None = None,
    all: bool = False,
    prevalence: Any = None,
    cost: Any = None,
    scores: Any = None,
    positive: Any = None,
    tests: str | Sequence[str] = (),
    cluster_axis: int | None = None,
    context: Mapping[str, Any] | None = None,
    source: str | Iterable[str] | None = None,
    command: str = "",
    title: str = "Informed report",
) -> Report:
    """Everything that a careful statistician would tell a colleague about a table.

    Parameters
    ----------
    t
        One table, or a stack of one axis: its tables are groups, and an overview comes first.
    level, interval
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
    cluster_axis
        The axis of a stack whose tables are clusters of one sample (repeats of an item, questions
        about one document): the report is of their sum, and its intervals and its test allow for
        cases that belong together.
    context
        What is known of the data: ``multiple_choice``, ``raters``, ``markers`` and
        ``unknown_negatives``, each true or false.
    source, command, title
        Where the data came from (or sentences about them), the command that reproduces the page,
        and its heading.

    >>> import informed
    >>> r = report(informed.Table.from_counts([[56, 20], [12, 12]]))
    >>> round(r["informedness"].value, 4)
    0.1985
    """
    clusters = None
    if cluster_axis is not None:
        if len(t.shape) != 1 or cluster_axis not in (0, -1):
            raise TableError(
                f"`cluster_axis` is {cluster_axis} and the stack has the shape {t.shape}; a "
                "clustered report takes one axis, of clusters. Report groups one at a time."
            )
        clusters = t if positive is None else t.with_positive(positive)
        t = clusters.sum(0)
    if len(t.shape) > 1:
        raise TableError(
            f"A report takes one table or one axis of groups; this stack has the shape {t.shape}. "
            "Select or sum its other axes first."
        )
    if positive is not None:
        t = t.with_positive(positive)
    shared: dict[str, Any] = {
        "level": level,
        "context": tuple((context or {}).items()),
        "source": (f"Read from {source}.",) if isinstance(source, str) else tuple(source or ()),
        "command": command,
        "title": title,
    }
    asked = _Asked(level, interval, _chosen(t, measures, all), tests, prevalence, cost, clusters)
    _check_interval(t.sum() if t.shape else t, asked)
    curve = None if scores is None else _curve(scores, t)
    if not t.shape:
        return replace(_reports(t, asked, shared)[0], curve=curve)
    whole = _reports(t.sum(), asked, shared)[0]
    groups = _reports(t, asked, shared)
    return replace(whole, curve=curve, groups=groups, overview=_overview(t, groups, whole, asked))


def _curve(scores: Any, t: Table) -> Curve:
    """The curve of the scores, about the same two classes as the table."""
    from informed.decisions.curve import Curve
    from informed.decisions.roc import roc

    if not t.is_square or t.positive is None:
        raise TableError(
            f"`scores` decide between two classes; this table has {len(t.real_labels)}."
        )
    curve = scores if isinstance(scores, Curve) else roc(scores, positive=t.positive)
    if set(curve.labels) != set(t.labels) or curve.positive != t.positive:
        raise TableError(
            f"The scores are of {_classes_of(curve)}, the table is of {_classes_of(t)}."
        )
    return curve


def _classes_of(held: Curve | Table) -> str:
    return f"{' and '.join(map(written, held.labels))}, the positive one {written(held.positive)}"


@dataclass(frozen=True)
class _Asked:
    level: float
    interval: str
    measures: tuple[Measure, ...]
    tests: str | Sequence[str]
    prevalence: Any
    cost: Any
    clusters: Table | None = None  # the same cases, a table for each cluster


def _chosen(t: Table, names: Iterable[str] | None, everything: bool) -> tuple[Measure, ...]:
    """B, M and C, the traditional measures of this kind of table, and what was asked for."""
    usual: tuple[str, ...] = (*CORE, *(TWO if t.is_square and t.positive is not None else MANY))
    if not t.is_square:
        usual = CLUSTERED
    if t.unanswered is not None:
        usual = (*usual, "coverage", "informedness_discounted", "informedness_of_all")
    if names is not None:
        names = tuple(names)
        for m in map(find, names):
            if "average" not in dict(m.bound):
                m.check(t)
        usual = (*CORE, *names)
    found = {str(m): m for m in map(find, usual)}
    if everything:
        found.update({m.name: m for m in MEASURES.values() if m.name not in found})
    return tuple(m for m in found.values() if _readable(m, t))


def _readable(m: Measure, t: Table) -> bool:
    if "average" in dict(m.bound):
        return t.is_square
    return m.reads(t)


def _reports(t: Table, asked: _Asked, shared: Mapping[str, Any]) -> tuple[Report, ...]:
    """A report for each table, with every number computed for the whole stack at once."""
    tables = list(t) if t.shape else [t]
    names = (t.axes[0] or tuple(range(len(tables)))) if t.shape else (None,)
    closed = max(len(t.real_labels), len(t.predicted_labels)) > CLOSED_FORM_BEYOND
    method = "plus-four" if closed and asked.interval == "auto" else asked.interval
    columns = [_estimates(t, m, asked.level, method, asked.clusters) for m in asked.measures]
    classes = _classes(t, asked) if t.is_square else [()] * len(tables)
    choice = bool(dict(shared["context"]).get("multiple_choice"))
    tests = _tests(t, asked.tests, choice, asked.clusters)
    parts = []
    for i, (one, name) in enumerate(zip(tables, names, strict=True)):
        estimates = tuple(column[i] for column in columns)
        parts.append(
            Report(
                table=one,
                estimates=estimates,
                classes=classes[i],
                confusions=confusions(one, asked.cost),
                tests=tests[i],
                size=_size(one, estimates, asked) if len(tables) <= 12 else None,
                elsewhere=_elsewhere(one, asked) if len(tables) <= 12 else None,
                costs=costs(one, asked.cost),
                name=name,
                **shared,
            )
        )
    return tuple(parts)


# ---------------------------------------------------------------------- numbers of a stack


def _estimates(
    t: Table, m: Measure, level: float, method: str, clusters: Table | None = None
) -> list[Estimate]:
    """One measure of every table of a stack."""
    shape = t.shape or (1,)
    value = _flat(m(t), shape)
    try:
        chance = _flat(m.chance(t), shape)
        chance = np.where(np.abs(chance) < 1e-12, 0.0, chance)  # 0 but for rounding
    except InformedError:
        chance = np.full(value.shape, np.nan)
    low = high = np.full(value.shape, np.nan)
    used = ""
    notes: tuple[str, ...] = ()
    try:
        found = _interval(t, m, level, method, clusters)
        low, high = _flat(found.low, shape), _flat(found.high, shape)
        used, notes = found.method, found.notes
    except InformedError as error:
        notes = (str(error),)
    p, null = np.full(value.shape, np.nan), ""
    if m.name in TESTED and not m.bound:
        try:
            test = (
                informed.test(t, m.name, method="permutation-z")  # closed form
                if clusters is None
                else informed.test(clusters, m.name, cluster_axis=0)
            )
            p, null = _flat(test.pvalue, shape), test.null
        except InformedError:
            pass
    reasons = _flat_reasons(t, m, value)
    best = m.facts.best
    return [
        Estimate(
            measure=str(m),
            title=_title(m),
            value=float(value[i]),
            chance=float(chance[i]),
            low=float(low[i]),
            high=float(high[i]),
            level=level,
            method=used if math.isfinite(low[i]) else "",
            pvalue=float(p[i]),
            null=null,
            why=reasons[i],
            best=math.nan if best is None else float(best),
            notes=tuple(notes),
        )
        for i in range(value.size)
    ]


def _check_interval(t: Table, asked: _Asked) -> None:
    """Refuse a level that is none, and a method that fits no measure of the report."""
    if not 0 < asked.level < 1:
        raise InferenceError(f"`level` is {asked.level:g}; it must lie between 0 and 1.")
    refusal: InformedError | None = None
    for m in asked.measures if asked.interval != "auto" else ():
        try:
            informed.interval(t, m, level=asked.level, method=asked.interval)
            return
        except InformedError as error:
            refusal = refusal or error
    if refusal is not None:
        raise refusal


def _interval(
    t: Table, m: Measure, level: float, method: str, clusters: Table | None = None
) -> Any:
    """The wanted interval; the default one where a measure has none of that name."""
    sample, axis = (t, None) if clusters is None else (clusters, 0)
    try:
        return informed.interval(sample, m, level=level, method=method, cluster_axis=axis)
    except InformedError:
        if method == "auto":
            raise
        return informed.interval(sample, m, level=level, cluster_axis=axis)


def _flat(x: Any, shape: tuple[int, ...]) -> Array:
    return np.broadcast_to(np.asarray(x, dtype=np.float64), shape).ravel()


def _flat_reasons(t: Table, m: Measure, value: Array) -> list[str]:
    if not np.isnan(value).any():
        return [""] * value.size
    if "average" in dict(m.bound):
        return ["" if v == v else "it is undefined for one of the classes" for v in value]
    reasons = np.atleast_1d(np.asarray(why(t, m), dtype=object)).ravel()
    return [r or "" for r in reasons]


def _title(m: Measure) -> str:
    bound = dict(m.bound)
    average = bound.pop("average", None)
    inside = ", ".join(f"{key} {value}" for key, value in bound.items())
    ends = [f"{average} average"] if average else []
    return ", ".join([m.title, *([inside] if inside else []), *ends])


def _classes(t: Table, asked: _Asked) -> list[tuple[ClassRow, ...]]:
    """Each class of each table against the rest; a stack of 2x2 tables, closed forms."""
    each = t.one_vs_rest()
    k, groups = t.k, (t.shape or (1,))[0]
    clusters = None if asked.clusters is None else asked.clusters.one_vs_rest()
    columns = [
        _estimates(each, MEASURES[m], asked.level, asked.interval, clusters) for m in OF_CLASS
    ]
    real = t.real_totals.reshape(k, groups)
    predicted = t.predicted_totals.reshape(k, groups)
    hits = t.hits.reshape(k, groups)
    found = []
    for g in range(groups):
        rows = [
            ClassRow(
                label=label,
                real=float(real[c, g]),
                predicted=float(predicted[c, g]),
                hits=float(hits[c, g]),
                estimates=tuple(_about(column[g * k + c], label) for column in columns),
            )
            for c, label in enumerate(t.labels)
        ]
        found.append(tuple(rows))
    return found


def _about(e: Estimate, label: Any) -> Estimate:
    """A class is called by its name, not "+", in the reason."""
    if not e.why:
        return e
    named = e.why.replace("'+'", repr(written(label))).replace("'−'", "any other class")
    return replace(e, why=named)


def _tests(
    t: Table, asked: str | Sequence[str], multiple_choice: bool, clusters: Table | None
) -> list[tuple[TestRow, ...]]:
    """The default test, that of position bias for a multiple choice, and those asked for."""
    wanted = ON_REQUEST[1:] if asked == "all" else (asked,) if isinstance(asked, str) else asked
    groups = (t.shape or (1,))[0]
    found: list[list[TestRow]] = [[] for _ in range(groups)]
    if clusters is not None:
        found = [[row] for row in _test_rows(clusters, "informedness", "auto", groups, 0)]
    questions = [("informedness" if t.is_square else "independence", "auto")]
    questions = questions if clusters is None else []
    questions += [("bias", "auto")] if multiple_choice else []
    questions += [("independence", m) for m in wanted]
    for measure, method in questions:
        for g, row in enumerate(_test_rows(t, measure, method, groups)):
            if row.method not in {x.method for x in found[g]}:
                found[g].append(row)
    return [tuple(rows) for rows in found]


def _test_rows(
    t: Table, measure: str, method: str, groups: int, cluster_axis: int | None = None
) -> list[TestRow]:
    nan = math.nan
    try:
        test = informed.test(t, measure, method=method, cluster_axis=cluster_axis)
    except InformedError as error:
        return [TestRow(method, "", nan, nan, nan, why=str(error))] * groups
    flat = {
        name: _flat(nan if getattr(test, name) is None else getattr(test, name), (groups,))
        for name in ("statistic", "df", "pvalue", "pvalue_low", "pvalue_high")
    }
    return [
        TestRow(
            test.method,
            test.null,
            statistic=float(flat["statistic"][g]),
            df=float(flat["df"][g]),
            pvalue=float(flat["pvalue"][g]),
            pvalue_low=float(flat["pvalue_low"][g]),
            pvalue_high=float(flat["pvalue_high"][g]),
            calibration=test.calibration,
            notes=tuple(test.notes),
        )
        for g in range(groups)
    ]


# ---------------------------------------------------------------------- parts of one table


def _elsewhere(t: Table, asked: _Asked) -> Elsewhere | None:
    """Precision, F and accuracy against prevalence: the same recalls in another population."""
    if not t.is_square or not (t.real_totals > 0).all():
        return None
    notes: list[str] = []
    shown = ("precision", "f1", "accuracy", "informedness")
    if t.positive is None:
        shown = ("accuracy", 'precision(average="macro")', 'f1(average="macro")', "informedness")
    measures = [find(m) for m in shown]
    curves: list[tuple[str, tuple[float, ...]]] = []
    if t.positive is not None:
        grid = np.r_[0.001, 0.005, np.arange(1, 100) / 100, 0.995, 0.999]
        plus = t.labels.index(t.positive)
        share = np.stack([grid, 1 - grid] if plus == 0 else [1 - grid, grid], axis=-1)
        moved = t.cells / t.real_totals * share[:, None, :] * t.n
        stack = Table.from_counts(moved, labels=t.labels, positive=t.positive)
        curves = [("prevalence", tuple(grid.tolist()))]
        curves += [(str(m), tuple(np.asarray(m(stack)).tolist())) for m in measures]
    even = t.at_prevalence([1 / t.k] * t.k)
    at: tuple[Estimate, ...] = ()
    asked_for: tuple[tuple[Any, float], ...] = ()
    if asked.prevalence is not None:
        moved = t.at_prevalence(asked.prevalence)
        asked_for = tuple(zip(moved.real_labels, moved.prevalence.tolist(), strict=True))
        at = tuple(_estimates(moved, m, asked.level, asked.interval)[0] for m in measures)
    return Elsewhere(
        here=float(t.prevalence[t.labels.index(t.positive)])
        if t.positive is not None
        else math.nan,
        field=asked_for,
        curves=tuple(curves),
        there=at,
        even=tuple(Estimate(str(m), _title(m), float(m(even))) for m in measures),
        notes=tuple(notes),
    )


def _size(t: Table, estimates: Sequence[Estimate], asked: _Asked) -> Size | None:
    """Power and sample size, asked of the inference."""
    b = next((e for e in estimates if e.measure == "informedness"), None)
    there = t.real_totals > 0
    if b is None or math.isnan(b.value) or t.n < 2 or there.sum() > PLANNED_UP_TO:
        return None
    n = float(t.effective_n)
    world: dict[str, Any] = {
        "prevalence": (t.real_totals[there] / t.n).tolist(),
        "alpha": 1 - asked.level,
    }
    note = (
        "Power and size are those of a system that knows so often and otherwise guesses, at this "
        "prevalence."
    )
    needed = []
    for half in (0.1, 0.05, 0.02):
        value = min(max(b.value, 0.0), 1.0)
        found = informed.sample_size(value, width=2 * half, **world)
        needed.append((half, float(found.n)))
    most = max(4 * n, 100.0)
    cases = np.unique(np.geomspace(10, most, 25).round())
    curve = informed.power(cases, EFFECT, **world)
    return Size(
        n=n,
        half_width=(b.high - b.low) / 2,
        needed=tuple(needed),
        power=tuple((x, float(informed.power(n, x, **world).power)) for x in EFFECTS),
        curve=tuple(zip(cases.tolist(), np.asarray(curve.power).tolist(), strict=True)),
        effect=EFFECT,
        detectable=float(informed.detectable(n, **world).informedness),
        notes=(note,),
    )


def _overview(
    t: Table, groups: tuple[Report, ...], whole: Report, asked: _Asked
) -> Overview | None:
    if not t.is_square:
        return None
    from informed.inference.heterogeneity import heterogeneity

    found = informed.interval(t, "informedness", level=asked.level, method="plus-four")
    between = heterogeneity(found, weights=t.total)
    pooled = whole["informedness"]
    b = [g["informedness"].value for g in groups]
    order = sorted(range(len(b)), key=lambda i: (math.isnan(b[i]), -b[i] if b[i] == b[i] else 0))
    return Overview(
        pooled=pooled,
        stratified=replace(
            pooled,
            value=between.estimate,
            low=between.low,
            high=between.high,
            pvalue=math.nan,
            null="",
            method="size-weighted mean of the groups",
        ),
        statistic=between.statistic,
        df=between.df,
        pvalue=between.pvalue,
        inconsistency=between.inconsistency,
        order=tuple(order),
    )
