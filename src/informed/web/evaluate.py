"""Everything that the Table panel shows of a table, by the same API that everybody calls.

`quick` takes a stack and answers in closed form, while something is dragged; `full` takes one table
and adds the intervals that cover best, the tests and the planning.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from informed._arrays import Array
from informed.decisions.bookmaker import odds, payoffs
from informed.errors import InformedError
from informed.evidence.table import Table
from informed.inference.answers import Interval
from informed.inference.intervals import interval
from informed.inference.power import power
from informed.inference.tests import test
from informed.measures import Measure, find, why
from informed.measures.shown import CORE, IN_CLASS, OF_MANY, OF_TWO
from informed.summary.analysis import report
from informed.summary.parts import Estimate, Size
from informed.web.numbers import Json, number, numbers

FRAME = ("counts", "expected", "n", "prevalence", "bias")
POINT = ("recall", "fallout")
TESTS = (
    ("informedness", "permutation-z"),
    ("independence", "pearson-n1"),
    ("independence", "g-williams"),
    ("independence", "fisher-midp"),
    ("bias", "auto"),
)
SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
SEEN = 0.1  # the least informedness whose power is shown


def full(t: Table) -> Json:
    """Everything about one table: the numbers of its report, tests, planning and bets."""
    made = report(t)
    found = _frame(t)
    found["measures"] = [_shown(e) for e in made.estimates]
    found["classes"] = [{m: _shown(row[m]) for m in IN_CLASS} for row in made.classes]
    asked = TESTS if t.k == 2 else [x for x in TESTS if x[1] != "fisher-midp"]  # slow beyond two
    found["tests"] = [_tested(t, measure, method) for measure, method in asked]
    found["size"] = _size(t, made.size)
    found["answer"] = list(made.answer)
    found["odds"] = _bets(t)
    return found


def _frame(t: Table) -> Json:
    """What a table is; of a stack, with the tables first in each part."""
    parts = (t.counts, t.expected, np.asarray(t.n), t.prevalence, t.bias)
    return dict(zip(FRAME, map(numbers, parts), strict=True))


def _shown(e: Estimate) -> Json:
    return {
        "name": e.measure,
        "title": e.title,
        "value": number(e.value),
        "chance": number(e.chance),
        "low": number(e.low),
        "high": number(e.high),
        "method": e.method,
        "why": e.why,
    }


def quick(stack: Table) -> list[Json]:
    """The numbers of every table of a stack, with closed-form intervals."""
    names = (*CORE, *(OF_TWO if stack.k == 2 else OF_MANY))
    guessed = stack.independent  # of all measures, because each would make it anew
    measures = [_estimates(stack, guessed, _found(name)) for name in names]
    each = stack.one_vs_rest()
    guessed = each.independent
    classes = [_estimates(each, guessed, _found(x), x == "informedness") for x in IN_CLASS]
    k = stack.k
    return [
        {
            **dict(zip(FRAME, frame, strict=True)),
            "measures": [column[i] for column in measures],
            "classes": [
                {name: column[i * k + c] for name, column in zip(IN_CLASS, classes, strict=True)} for c in range(k)
            ],
        }
        for i, frame in enumerate(zip(*_frame(stack).values(), strict=True))
    ]


@cache
def _found(name: str) -> Measure:
    return find(name)


def _estimates(t: Table, guessed: Table, m: Measure, limits: bool = True) -> list[Json]:
    """One measure of every table: value, chance, interval, and why where there is none."""
    if limits:
        found = _closed(t, m)
        value, low, high = (np.ravel(x) for x in (found.estimate, found.low, found.high))
    else:
        value = np.ravel(m(t))
        low = high = np.full(value.size, np.nan)
    chance = np.ravel(m(guessed))
    chance = np.where(np.abs(chance) > 1e-12, chance, np.where(np.isnan(chance), chance, 0.0))
    name, title, method = str(m), _title(m), found.method if limits else ""
    rows = numbers(np.stack([value, chance, low, high], axis=1))
    return [
        {"name": name, "title": title, "value": v, "chance": c, "low": a, "high": b, "method": method, "why": why}
        for (v, c, a, b), why in zip(rows, _reasons(t, m, value), strict=True)
    ]


def _closed(t: Table, m: Measure) -> Interval:
    """An interval that costs next to nothing; Wald's where plus-four is not for this measure."""
    try:
        return interval(t, m, method="plus-four")
    except InformedError:
        return interval(t, m, method="wald")


def _reasons(t: Table, m: Measure, value: Array) -> list[str]:
    if not np.isnan(value).any():
        return [""] * value.size
    if dict(m.bound):
        return ["" if x == x else "undefined for one of the classes" for x in value]
    return [x or "" for x in np.ravel(np.asarray(why(t, m), dtype=object))]


def _title(m: Measure) -> str:
    average = dict(m.bound).get("average")
    return f"{m.title}, {average} average" if average else m.title


def _tested(t: Table, measure: str, method: str) -> Json:
    try:
        found = test(t, measure, method=method)
    except InformedError as error:
        return {"method": method, "null": "", "why": str(error), "pvalue": None}
    return {
        "method": found.method,
        "null": found.hypothesis,
        "statistic": number(found.statistic),
        "df": number(found.df),
        "pvalue": number(found.pvalue),
        "why": "",
        "notes": list(map(str, found.notes)),
    }


def _size(t: Table, size: Size | None) -> Json | None:
    """What a sample of this size can show, and how many cases others would need."""
    if size is None or not (t.prevalence > 0).all():
        return None
    shares = t.prevalence / t.prevalence.sum()
    curve = np.asarray(power(np.array(SIZES), size.effect, prevalence=shares).power)
    return {
        "power": [[b, number(p)] for b, p in size.power if b >= SEEN],
        "curve": [[n, number(p)] for n, p in zip(SIZES, curve, strict=True)],
        "detectable": number(size.detectable),
    }


def _bets(t: Table) -> Json | None:
    """Fair odds on each class, and what the predictions win at them."""
    if not ((t.prevalence > 0) & (t.prevalence < 1)).all():
        return None
    board, won = odds(t), payoffs(t)
    return {
        "fractional": list(board.fractional),
        "decimal": numbers(board.decimal),
        "payoff": numbers(won.payoff),
        "won": numbers(won.rows),
        "gain": numbers(won.gain),
        "verdicts": list(won.verdicts),
        "total": number(won.total),
    }


def plane(found: Json, focus: int, cost: tuple[float, float]) -> Json:
    """The ROC plane of one class against the rest: its point and the line of equal cost through it.

    A miss costs the first, a false alarm the second; the slope is FP/FN · negatives/positives. It
    is read off an answer of `quick` or `full`, which holds all that it needs.
    """
    one = found["classes"][focus]
    recall, fallout = (np.nan if one[m]["value"] is None else one[m]["value"] for m in POINT)
    share = found["prevalence"][focus]
    share = np.nan if share is None else share
    miss, alarm = cost
    return {
        "recall": number(recall),
        "fallout": number(fallout),
        "slope": number(alarm / miss * (1 - share) / share) if share > 0 else None,
        "cost": number(share * (1 - recall) * miss + (1 - share) * fallout * alarm),
        "always": number((1 - share) * alarm),
        "never": number(share * miss),
    }
