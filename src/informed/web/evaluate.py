"""Everything that the Table panel shows of a table, by the same API that everybody calls.

`quick` takes a stack and answers in closed form, while something is dragged; `full` takes one table
and adds the intervals that cover best, the tests and the planning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from informed._arrays import Array, exact_zero
from informed.decisions.bookmaker import odds, payoffs
from informed.errors import InformedError
from informed.evidence.table import Table
from informed.inference.answers import Interval
from informed.inference.intervals import interval
from informed.inference.known_worlds import World
from informed.inference.tests import test
from informed.measures import Measure, find
from informed.measures.shown import CORE, IN_CLASS, OF_MANY, OF_TWO
from informed.measures.titles import title_of
from informed.results import picked, plain_dict
from informed.summary.analysis import report
from informed.summary.estimates import reasons
from informed.summary.parts import Estimate, Size
from informed.summary.population import size_of
from informed.summary.report import Report
from informed.web import Json
from informed.web.words import speaker

FRAME = "counts expected n prevalence bias"
TESTS = (
    ("informedness", "permutation-midp"),
    ("independence", "pearson-n1"),
    ("independence", "g-williams"),
    ("independence", "fisher-midp"),
    ("bias", "auto"),
)
SHOWN = ("title", "value", "chance", "low", "high", "method", "why")  # of an estimate
SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
SEEN = 0.1  # the least informedness whose power is shown


def full(t: Table) -> Json:
    """Everything about one table: the numbers of its report, tests, planning and bets."""
    return _told(t, report(_unordered(t)))


def fulls(tables: Sequence[Table]) -> list[Json]:
    """The same of tables with the same labels: one stack has all their reports, at little more than the cost of one."""
    if len(tables) == 1:
        return [full(tables[0])]
    first = tables[0]
    stack = Table.from_counts(np.stack([t.counts for t in tables]), labels=first.labels, positive=first.positive)
    made = [replace(group, name=None) for group in report(_unordered(stack)).groups]
    planned = [r if r.size else replace(r, size=size_of(r.table, r.estimates, r.level)) for r in made]
    return [_told(t, r) for t, r in zip(tables, planned, strict=True)]


def _unordered(t: Table) -> Table:
    """The same with labels that are only names, as the panel shows nothing of grades."""
    return replace(t, stated=None)


def _told(t: Table, made: Report) -> Json:
    asked = TESTS if t.k == 2 else [x for x in TESTS if x[1] != "fisher-midp"]  # slow beyond two
    found = {
        **picked(t, FRAME),
        "measures": [_shown(e) for e in made.estimates],
        "classes": [{m: _shown(row[m]) for m in IN_CLASS} for row in made.classes],
        "tests": [_tested(t, measure, method) for measure, method in asked],
        "size": _size(t, made.size),
        "answer": made.answer,
        "odds": _bets(t),
    }
    return plain_dict(found)


def _shown(e: Estimate) -> Json:
    return {"name": e.measure, **{name: getattr(e, name) for name in SHOWN}}


def quick(stack: Table) -> list[Json]:
    """The numbers of every table of a stack, with closed-form intervals."""
    names = (*CORE, *(OF_TWO if stack.k == 2 else OF_MANY))
    guessed = stack.independent  # of all measures, because each would make it anew
    measures = [_estimates(stack, guessed, _found(name)) for name in names]
    each = stack.one_vs_rest()
    guessed = each.independent
    classes = [_estimates(each, guessed, _found(x), x == "informedness") for x in IN_CLASS]
    k, frame = stack.k, {name: numbers(np.asarray(x)) for name, x in picked(stack, FRAME).items()}
    return [
        {
            **{name: column[i] for name, column in frame.items()},
            "measures": [column[i] for column in measures],
            "classes": [
                {name: column[i * k + c] for name, column in zip(IN_CLASS, classes, strict=True)} for c in range(k)
            ],
        }
        for i in range(len(stack))
    ]


def numbers(x: Array) -> Any:
    """An array as lists, with null for what is not finite."""
    held = x.astype(object)
    held[~np.isfinite(x)] = None
    return held.tolist()


@cache
def _found(name: str) -> Measure:
    return find(name)


def estimates(t: Table, names: Sequence[str]) -> list[Json]:
    """Measures of one table with the intervals that its report has."""
    made = report(t)
    known = {e.measure: e for e in made.estimates}
    return [_shown(known[name]) for name in names if name in known]


def _estimates(t: Table, guessed: Table, m: Measure, limits: bool = True) -> list[Json]:
    """One measure of every table: value, chance, interval, and why where there is none."""
    if limits:
        found = _closed(t, m)
        value, low, high = (np.ravel(x) for x in (found.estimate, found.low, found.high))
    else:
        value = np.ravel(m(t))
        low = high = np.full(value.size, np.nan)
    chance = np.ravel(exact_zero(m(guessed)))
    name, title, method = str(m), title_of(m), found.method if limits else ""
    rows = numbers(np.stack([value, chance, low, high], axis=1))
    return [
        {"name": name, "title": title, "value": v, "chance": c, "low": a, "high": b, "method": method, "why": why}
        for (v, c, a, b), why in zip(rows, reasons(t, m, value), strict=True)
    ]


def _closed(t: Table, m: Measure) -> Interval:
    """An interval that costs next to nothing; Wald's where plus-four is not for this measure."""
    try:
        return interval(t, m, method="plus-four")
    except InformedError:
        return interval(t, m, method="wald")


def _tested(t: Table, measure: str, method: str) -> Json:
    try:
        found = test(t, measure, method=method)
    except InformedError as error:
        return {"method": method, "null": "", "why": error.worded(speaker()), "pvalue": None}
    return {**picked(found, "method null=hypothesis statistic df pvalue notes"), "why": ""}


def _size(t: Table, size: Size | None) -> Json | None:
    """What a sample of this size can show, and how many cases others would need."""
    if size is None or not (t.prevalence > 0).all():
        return None
    shares = t.prevalence / t.prevalence.sum()
    known = dict(size.curve)  # of round numbers of cases
    more = [n for n in SIZES if n not in known]
    curve = known | dict(zip(more, World.checked(size.effect, shares).chances(np.array(more)), strict=True))
    return {
        "power": [[b, p] for b, p in size.power if b >= SEEN],
        "curve": [(n, curve[n]) for n in SIZES],
        "detectable": size.detectable,
    }


def _bets(t: Table) -> Json | None:
    """Fair odds on each class, and what the predictions win at them."""
    if not ((t.prevalence > 0) & (t.prevalence < 1)).all():
        return None
    return picked(odds(t), "fractional decimal") | picked(payoffs(t), "payoff won=rows gain verdicts total")


def plane(found: Json, focus: int, cost: tuple[float, float]) -> Json:
    """The ROC plane of one class against the rest: its point and the line of equal cost through it.

    A miss costs the first, a false alarm the second; the slope is FP/FN · negatives/positives. It
    is read off an answer of `quick` or `full`, which holds all that it needs.
    """
    one = found["classes"][focus]
    known = (one["recall"]["value"], one["fallout"]["value"], found["prevalence"][focus])
    recall, fallout, share = (np.nan if x is None else x for x in known)
    miss, alarm = cost
    drawn = {
        "recall": recall,
        "fallout": fallout,
        "slope": alarm / miss * (1 - share) / share if share > 0 else None,
        "expected_cost": share * (1 - recall) * miss + (1 - share) * fallout * alarm,
        "always": (1 - share) * alarm,
        "never": share * miss,
    }
    return plain_dict(drawn)
