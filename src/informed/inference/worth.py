"""What weighted cases and cases that belong together are worth to one measure.

Cases of one document, answers to one question and weighted cases say less than as many independent ones,
and how much less depends on the measure: recall rests on the real positives, precision on the predicted
ones. `worth` turns the units and weights of a table into two numbers that every interval, test and
posterior takes: the effective number of cases, and the degrees of freedom of their spread.

In the formulas N are the counts of a table, S its sums of squared weights, u the centred slopes of the
measure after a few pseudo-cases, and s what u² is expected to be, knowing only the side that the measure
takes as given. All arrays are ``(cells, tables)`` inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.evidence.units import Ints, Units
from informed.inference.influence import Functional, group_sums, influence
from informed.inference.unit_spread import MOST_LEVERAGE
from informed.inference.unit_sums import Seen, UnitSums, unit_sums

PSEUDO = 2.0  # pseudo-cases that steady the slopes, and stand for what was not seen
PSEUDO_WEIGHTED = 4.0  # the same in the variance, where cases are weighted
RHO = 0.5  # correlation that pseudo-cases of one unit are taken to have ...
RHO_ASKED = 0.75  # ... where a unit is one item asked several times
_STEADY = 10.0  # rows of a cell that say as much of its weights as the rest of the table does
ONE = 1 + 1e-9  # a unit size that is one case but for rounding


@dataclass(frozen=True)
class Cells:
    """How the cells of a table hang together, for the measure and for the weights."""

    sides: Sequence[Ints]  # what the measure takes as given: group of each cell, one array a side; -1: not read
    lines: Sequence[Ints]  # rows and columns: where an empty cell looks for the weight of a case
    pattern: Array  # where pseudo-cases go, one share a cell


@dataclass(frozen=True)
class Worth:
    """What the cases of a table are worth to one measure; arrays of the shape of the stack."""

    effective_n: Array
    df: Array  # of the spread between units; infinite where every case is its own
    weighting: Array  # design effect of the weights
    repetition: Array  # design effect of the units, 1 at least
    uncapped: Array  # the same as it was found
    size: Array  # informative cases of a unit
    leverage: Array
    rho: Array  # correlation within units, as the degrees of freedom take it
    counting: Array  # even units that would count as much
    correlated: Array  # the same, with their correlation
    largest: Array  # share of the largest unit in what the measure rests on
    unseen: Array  # weight of a case of the heaviest empty cell, where that outweighs all that were seen; else 0


def worth(
    f: Functional,
    counts: Array,
    cells: Cells,
    *,
    squares: Array | None = None,
    rows: Array | None = None,
    units: Units | None = None,
    mass: float = PSEUDO,
    extra: Any = None,
    rho: float | None = None,
    fixed: Any = None,
) -> Worth:
    """The effective number of cases of a measure, and the degrees of freedom of their spread.

    Parameters
    ----------
    counts, squares, rows
        Weights, squared weights and cases of each cell, ``(cells, *stack)``; without squares each
        case weighs one.
    mass, extra
        Pseudo-cases in the slopes, and in the variance.
    rho
        Correlation that is taken for what was not seen.
    fixed
        The group of each cell whose size is fixed by design.
    """
    stack, n = counts.shape[1:], _flat(counts)
    s = n if squares is None else _flat(squares)
    if squares is not None and rows is not None and units is None:
        s = _steadied(n, s, _flat(rows), cells.lines)
    if extra is None:
        weighted = _varied(n, s) | (units is not None and units.asked)
        extra = np.where(weighted, PSEUDO_WEIGHTED, mass)

    # the slopes, and Kish's scale over what this measure reads
    one = _weight_of_one(n, s, cells.lines)
    w = cells.pattern.reshape(-1, 1)
    p = n + mass * w * one
    p /= p.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):  # one class may be all of the weight but for rounding
        u, _ = influence(p, f.gradient(p, np.maximum(n.sum(axis=0), 1.0)), fixed)
    u = np.where(np.isfinite(u), u, 0.0)
    expected = working(u, p, cells.sides)
    read = (n * expected).sum(axis=0)
    scale = np.where(read > 0, ratio(read, (s * expected).sum(axis=0)), 1.0)
    heaviest = _heaviest_unseen(n, one, expected > 0)
    n, s, one = n * scale, s * scale**2, one * scale

    # variances of the measure: of equal cases, of these cases, and of the pseudo-cases
    plain, cases = (n * u**2).sum(axis=0), (s * u**2).sum(axis=0)
    pseudo, pseudo_plain = (extra * (w * x * u**2).sum(axis=0) for x in (one**2, one))
    weighting = np.where(read > 0, ratio(cases + pseudo, plain + pseudo_plain), 1.0)

    found = dict(SINGLE)
    if units is not None:
        informative = expected * np.where(n > 0, ratio(s, n), 0.0)
        typical = ratio((s * informative**2).sum(axis=0), (n * informative).sum(axis=0))
        seen = Seen(n, u, informative, typical, cells.sides)
        sums = unit_sums(units, seen, scale)
        if rho is None:
            rho = RHO_ASKED if units.asked else RHO
        several = (read > 0) & (sums.size > ONE)
        found = {name: np.where(several, x, SINGLE[name]) for name, x in of_units(sums, cases, pseudo, rho).items()}

    effective_n = n.sum(axis=0) / weighting / found["repetition"]
    found |= {"effective_n": effective_n, "weighting": weighting, "unseen": heaviest}
    return Worth(**{x.name: np.broadcast_to(found[x.name], n.shape[1]).reshape(stack) for x in fields(Worth)})


def single_worth(effective_n: Array, **known: Any) -> Worth:
    """That of cases of which only this is known."""
    found = {**SINGLE, "weighting": 1.0, "unseen": 0.0, **known, "effective_n": effective_n}
    return Worth(**{x.name: np.broadcast_to(found[x.name], np.shape(effective_n)) for x in fields(Worth)})


SINGLE: dict[str, Any] = {  # of units, where every case is its own
    **dict.fromkeys(("df", "counting", "correlated"), np.inf),
    **dict.fromkeys(("repetition", "uncapped", "size"), 1.0),
    **dict.fromkeys(("leverage", "rho", "largest"), 0.0),
}


def of_units(sums: UnitSums, cases: Array, pseudo: Array, rho0: float) -> dict[str, Array]:
    """Design effect and degrees of freedom, by two passes over the correlation within units."""
    size = sums.size
    rho = np.zeros_like(size)
    for _ in range(2):
        inside = rho
        leverage = np.clip(np.nan_to_num(sums.leverage(inside)), 0, MOST_LEVERAGE)
        spread = sums.spread * (1 - leverage / size) / (1 - leverage)
        uncapped = ratio(spread + (1 + (size - 1) * rho0) * pseudo, cases + pseudo)
        rho = np.clip(np.where(size > ONE, ratio(uncapped - 1, size - 1), 0.0), 0, 1)

    counting, correlated = sums.counting(np.zeros_like(size)), sums.counting(inside)
    df = (1 - leverage) * ratio(np.sqrt(counting * correlated), 1 - 1 / size)
    return {
        "df": np.fmax(df, 1.0),
        "repetition": np.fmax(uncapped, 1.0),
        "uncapped": uncapped,
        "size": size,
        "leverage": leverage,
        "rho": inside,
        "counting": counting,
        "correlated": correlated,
        "largest": sums.largest,
    }


def working(u: Array, p: Array, sides: Sequence[Ints]) -> Array:
    """The mean of u² within the groups of a side, at each cell; of two sides, the mean of both."""

    def mean(groups: Ints) -> Array:
        read = groups >= 0
        found = np.zeros_like(u)
        found[read] = ratio(group_sums(p[read] * u[read] ** 2, groups[read]), group_sums(p[read], groups[read]))
        return np.nan_to_num(found)

    return np.asarray(sum(mean(groups) for groups in sides) / len(sides))


# ---------------------------------------------------------------------- weights


def _steadied(n: Array, s: Array, rows: Array, lines: Sequence[Ints]) -> Array:
    """Squared weights of cells with few rows, leaning on the row and the column where weights vary within cells."""
    even = np.where(rows > 0, ratio(n**2, rows), 0.0)
    varied = np.fmax(ratio((s - even).sum(axis=0), even.sum(axis=0)), 0.0)
    lean = np.where(varied > 0, ratio(varied, varied + rows / _STEADY), 0.0)
    own = ratio(s, n)
    most = np.fmax.reduce([own, *(_of_line(n, s, groups) for groups in lines)])
    return np.where(n > 0, n * ((1 - lean) * own + lean * most), 0.0)


def _varied(n: Array, s: Array) -> Any:
    """Whether cases of one cell weigh more than those of another, of each table."""
    own = np.where(n > 0, ratio(s, n), np.nan)
    with np.errstate(invalid="ignore"):  # an empty table
        return np.fmax.reduce(own) > np.fmin.reduce(own) * ONE


def _weight_of_one(n: Array, s: Array, lines: Sequence[Ints]) -> Array:
    """What a case of each cell weighs; in an empty cell, the more of what one does in its row and in its column."""
    near = np.fmax.reduce([_of_line(n, s, groups) for groups in lines])
    anywhere = ratio(s.sum(axis=0), n.sum(axis=0))
    near = np.where(np.isnan(near), np.where(np.isnan(anywhere), 1.0, anywhere), near)
    return np.where(n > 0, ratio(s, n), near)


def _of_line(n: Array, s: Array, groups: Ints) -> Array:
    return ratio(group_sums(s, groups), group_sums(n, groups))


def _heaviest_unseen(n: Array, one: Array, reads: Any) -> Array:
    """The weight of a case in the heaviest empty cell that the measure reads, where it outweighs all that were seen."""
    unseen, seen = (np.where(where & reads, one, 0.0).max(axis=0) for where in (n <= 0, n > 0))
    return np.where(unseen > seen * ONE, unseen, 0.0)


def _flat(x: Any) -> Array:
    return np.asarray(x, dtype=np.float64).reshape(len(x), -1)
