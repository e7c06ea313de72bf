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

    labels: Array  # (classes,): how many there are: cases, or items that were asked, whatever they weigh
    totals: Array  # (classes,): independent cases worth as many
    df: Array  # (classes,): of the spread between units; infinite where every case is its own
    between: Array | None  # (classes, verdicts, classes, verdicts): covariance between units of the verdicts' shares


def judge_rates(t: Table) -> JudgeRates:
    """Of a table of verdicts against the truth.

    The recall of each class says what its cases are worth. Units that hold several classes let their
    rates vary together, which sums over units tell.
    """
    totals = np.asarray(t.real_totals, dtype=np.float64)
    if t.squares is None and repeated(t) is None:
        return JudgeRates(totals, totals, np.full(len(totals), np.inf), None)
    found = Sample(find("recall"), t.one_vs_rest(), 0.95)
    df = np.full(len(totals), np.inf) if found.worth is None else found.worth.df
    return JudgeRates(_labels(t), totals * ratio(found.effective_n, found.n), np.asarray(df), _between(t))


def _labels(t: Table) -> Array:
    totals = np.asarray(t.real_totals, dtype=np.float64)
    if t.units is None or t.units.of != "item":
        return totals if t.cases is None else np.asarray(t.cases.sum(axis=0))
    return totals * (t.units.n / t.n) if t.units.name == "item" else totals


def _between(t: Table) -> Array | None:
    units = repeated(t)
    if units is None:
        return None
    one, n = np.eye(len(t.labels)), units.n
    totals = np.asarray(t.real_totals)
    share = (t.cells / totals).T[None, None]  # (verdict, real) of a case, by the class and the verdict that it moves
    slopes = one[None, :, :, None] * (one[:, None, None] - share) / totals[:, None]
    held = units.products(slopes.reshape(one.size, one.size))
    return np.asarray(held * ratio(n, n - 1)).reshape(one.shape * 2)
