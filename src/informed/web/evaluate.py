"""Everything that the Table panel shows of a table, by the same API that everybody calls.

`quick` takes a stack and answers in closed form, while something is dragged; `full` takes one table
and adds the intervals that cover best, the tests and the planning.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import informed
from informed._arrays import Array, ratio
from informed.errors import InformedError
from informed.measures import Measure, find, why
from informed.table import Table
from informed.web.answers import number

CORE = ("informedness", "markedness", "correlation")
TWO = (
    *CORE,
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
    *CORE,
    "accuracy",
    'recall(average="macro")',
    'precision(average="macro")',
    'f1(average="macro")',
    "cohen_kappa",
    "matthews",
)
OF_CLASS = ("recall", "fallout", "precision", "informedness", "markedness")
TESTS = (
    ("informedness", "permutation-z"),
    ("independence", "pearson-n1"),
    ("independence", "g-williams"),
    ("independence", "fisher-midp"),
    ("bias", "auto"),
)
SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
EFFECTS = (0.1, 0.2, 0.3, 0.5)

Answer = dict[str, Any]


def has(name: str) -> bool:
    """Whether this build of the library has it."""
    return name in informed.__all__


def quick(stack: Table) -> list[Answer]:
    """The numbers of every table of a stack, with closed-form intervals."""
    return _numbers(stack, "plus-four")


def full(t: Table) -> Answer:
    """Everything about one table."""
    one = Table.from_counts(t.counts[None], labels=t.labels, positive=t.positive)
    found = _numbers(one, "auto")[0]
    found["tests"] = [_tested(t, measure, method) for measure, method in TESTS]
    found["size"] = _size(t)
    found["answer"] = _answer(t)
    found["odds"] = _bets(t)
    return found


def _numbers(t: Table, method: str) -> list[Answer]:
    names = TWO if t.k == 2 else MANY
    measures = [_estimates(t, find(name), method) for name in names]
    each = t.one_vs_rest()
    classes = [  # while something is dragged only informedness has its interval
        _estimates(each, find(name), method if method == "auto" or name == "informedness" else "")
        for name in OF_CLASS
    ]
    expected, counts = t.expected, t.counts
    return [
        {
            "counts": counts[i].tolist(),
            "expected": [[number(x) for x in row] for row in expected[i]],
            "n": float(counts[i].sum()),
            "prevalence": [number(x) for x in t.prevalence[i]],
            "bias": [number(x) for x in t.bias[i]],
            "measures": [column[i] for column in measures],
            "classes": [
                {
                    str(name): column[i * t.k + c]
                    for name, column in zip(OF_CLASS, classes, strict=True)
                }
                for c in range(t.k)
            ],
        }
        for i in range(t.shape[0])
    ]


def _estimates(t: Table, m: Measure, method: str) -> list[Answer]:
    """One measure of every table: value, chance, interval, and why where there is none."""
    value = np.ravel(m(t))
    chance = np.ravel(m.chance(t))
    low, high, used, note = _limits(t, m, method, value.size)
    reasons = _reasons(t, m, value)
    return [
        {
            "name": str(m),
            "title": _title(m),
            "value": number(value[i]),
            "chance": number(chance[i] if abs(chance[i]) > 1e-12 else 0.0),
            "low": number(low[i]),
            "high": number(high[i]),
            "method": used,
            "why": reasons[i] or note,
        }
        for i in range(value.size)
    ]


def _limits(t: Table, m: Measure, method: str, size: int) -> tuple[Array, Array, str, str]:
    nothing, note = np.full(size, np.nan), ""
    for way in dict.fromkeys((method, "auto") if method else ()):
        try:
            found = informed.interval(t, m, method=way)
        except InformedError as error:
            note = str(error)
            continue
        return np.ravel(found.low), np.ravel(found.high), found.method, ""
    return nothing, nothing, "", note


def _reasons(t: Table, m: Measure, value: Array) -> list[str]:
    if not np.isnan(value).any():
        return [""] * value.size
    if dict(m.bound):
        return ["" if x == x else "undefined for one of the classes" for x in value]
    return [x or "" for x in np.ravel(np.asarray(why(t, m), dtype=object))]


def _title(m: Measure) -> str:
    average = dict(m.bound).get("average")
    return f"{m.title}, {average} average" if average else m.title


def _tested(t: Table, measure: str, method: str) -> Answer:
    try:
        found = informed.test(t, measure, method=method)
    except InformedError as error:
        return {"method": method, "null": "", "why": str(error), "pvalue": None}
    return {
        "method": found.method,
        "null": found.null,
        "statistic": number(found.statistic),
        "df": number(found.df),
        "pvalue": number(found.pvalue),
        "why": "",
        "notes": list(found.notes),
    }


def _size(t: Table) -> Answer | None:
    """What a sample of this size can show, and how many cases others would need."""
    if float(t.n) < 2 or not (t.prevalence > 0).all():
        return None
    shares = t.prevalence / t.prevalence.sum()
    try:
        at_n = [number(informed.power(t.n, b, prevalence=shares).power) for b in EFFECTS]
        curve = np.asarray(informed.power(np.array(SIZES), 0.2, prevalence=shares).power)
        least = informed.detectable(t.n, prevalence=shares).informedness
    except InformedError:
        return None
    return {
        "power": [list(pair) for pair in zip(EFFECTS, at_n, strict=True)],
        "curve": [[n, number(p)] for n, p in zip(SIZES, curve, strict=True)],
        "detectable": number(least),
    }


def _answer(t: Table) -> list[str]:
    """The report's own first sentences."""
    return list(informed.report(t).answer)


def _bets(t: Table) -> Answer | None:
    """Fair odds on each class, and what the predictions win at them."""
    if not has("payoffs") or not ((t.prevalence > 0) & (t.prevalence < 1)).all():
        return None
    board, won = informed.odds(t), informed.payoffs(t)
    return {
        "fractional": list(board.fractional),
        "decimal": [number(x) for x in board.decimal],
        "payoff": [[number(x) for x in row] for row in won.payoff],
        "won": [number(x) for x in won.rows],
        "gain": [number(x) for x in won.gain],
        "verdicts": list(won.verdicts),
        "total": number(won.total),
    }


def plane(t: Table, focus: int, cost: tuple[float, float]) -> Answer:
    """The ROC plane of one class against the rest: its point and the line of equal cost through it.

    A miss costs the first, a false alarm the second; the slope is FP/FN · negatives/positives.
    """
    one = t.one_vs_rest()[focus]
    recall, fallout = float(informed.recall(one)), float(informed.fallout(one))
    skew = float(ratio(one.rn, one.rp))
    miss, alarm = cost
    slope = alarm / miss * skew
    share = float(ratio(one.rp, one.total))
    return {
        "recall": number(recall),
        "fallout": number(fallout),
        "slope": number(slope),
        "cost": number(share * (1 - recall) * miss + (1 - share) * fallout * alarm),
        "always": number((1 - share) * alarm),
        "never": number(share * miss),
    }
