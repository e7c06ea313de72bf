"""How well a judge's rates are known: in each real class, by cases that are weighted or belong together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from informed._arrays import Array, ratio
from informed.evidence.table import Table
from informed.inference.sample import Sample, repeated
from informed.measures import find


@dataclass(frozen=True, eq=False)
class JudgeRates:
    """What a judge says of each real class, from so many independent cases of it."""

    totals: Array  # (classes,): independent cases worth as many as there are
    df: Array  # (classes,): of the spread between units; infinite where every case is its own
    between: Array | None  # (classes, verdicts, classes, verdicts): covariance between units of the verdicts' shares


def judge_rates(t: Table) -> JudgeRates:
    """Of a table of verdicts against the truth.

    The recall of each class says what its cases are worth. Units that hold several classes let their
    rates vary together, which sums over units tell.
    """
    totals = np.asarray(t.real_totals, dtype=np.float64)
    if t.squares is None and repeated(t) is None:
        return JudgeRates(totals, np.full(len(totals), np.inf), None)
    found = Sample(find("recall"), t.one_vs_rest(), 0.95)
    df = np.full(len(totals), np.inf) if found.worth is None else found.worth.df
    return JudgeRates(totals * ratio(found.effective_n, found.n), np.asarray(df), _between(t))


def _between(t: Table) -> Array | None:
    units = repeated(t)
    if units is None:
        return None
    k, rows = len(t.labels), len(units.mult)
    at = units.row * k * k + units.cell
    held = np.bincount(at, units.weight, minlength=rows * k * k).reshape(rows, k, k)  # verdict, real
    totals = np.asarray(t.real_totals)
    moved = (held - t.cells / totals * held.sum(axis=1, keepdims=True)) / totals
    moved = moved.transpose(0, 2, 1).reshape(rows, k * k)
    n = units.mult.sum()
    return np.asarray((moved * units.mult[:, None]).T @ moved * n / (n - 1)).reshape(k, k, k, k)
