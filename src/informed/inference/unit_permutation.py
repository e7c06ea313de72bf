"""A measure against guessing where cases belong together: the default test, of what the cases are worth to it.

Were the cases independent, shuffled predictions would tell how far the hits go from chance by luck. Cases of one
unit are worth fewer: how many, the spread of the units tells, around tables in which both sides are independent. The
table is scaled to that number and shuffled as any other, and the tail is Student's with the degrees of freedom of the
units. Units of one case each give the default test itself.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, ratio
from informed._numbers import of_many, plural
from informed.evidence.table import Table
from informed.evidence.units import Ints
from informed.inference.hypothesis import Asked, Outcome, between
from informed.inference.influence import Functional, cells_of, group_sums, pattern_of, weighed_cells_of
from informed.inference.linear_shuffling import shuffled_z, worth_under_shuffling
from informed.inference.permutation import by_slopes, excess_and_variance, weights_for_tails
from informed.inference.permutation_tails import found_tails, tail_notes
from informed.inference.sample import scaled
from informed.inference.sides import places
from informed.inference.worth import Cells, Worth, worth
from informed.measures import Measure
from informed.results import Note, warning

FEW = 10  # degrees of freedom below which units are called few
SMALLEST = 1e-300  # of a p-value whose normal quantile can be told
TOLD = ("normal-tail", "p-is-1")  # notes of the default test that hold for scaled counts too


def permutation_units(t: Table, asked: Asked) -> Outcome:
    """`permutation-midp` of the independent cases that these are worth under shuffling, with Student's tail.

    The normal quantile of its p-value is taken as Student's t with the degrees of freedom of the units.
    """
    assert asked.measure is not None
    t = t.answered
    if by_slopes(t, asked.measure):
        return _by_slopes(t, asked.measure, asked.alternative)
    weights = weights_for_tails(t, asked.measure)
    w = worth_of_hits(t, weights)
    held = scaled(t, np.where(t.total > 0, ratio(w.effective_n, t.total), 1.0))

    found = found_tails(held, weights, asked.alternative)
    excess, variance = excess_and_variance(held, weights)
    several = np.full(t.shape, np.inf) if t.units is None else np.asarray(t.units.n)
    usable = ~found.fixed & (several > 1)
    z = np.where(usable, ratio(excess, np.sqrt(np.where(usable, variance, 1.0))), 0.0)
    p = np.where(usable, _students_tail(found.pvalue[0], w.df, asked.alternative), 1.0)

    notes = [note for note in tail_notes(held, found) if note.code in TOLD]
    return Outcome(z, p, w.df, (*_notes(t, w, usable), *notes))


def _by_slopes(t: Table, m: Measure, alternative: str) -> Outcome:
    """The same where hits do not stand for the measure: the normal tail of its slopes at independence."""
    w = worth_under_shuffling(t, m)
    found = shuffled_z(t, m, w.effective_n, alternative)
    several = np.full(t.shape, np.inf) if t.units is None else np.asarray(t.units.n)
    usable = np.asarray((several > 1) & (found.pvalue < 1))
    p = np.where(usable, _students_tail(found.pvalue, w.df, alternative), 1.0)
    return Outcome(np.where(usable, found.statistic, 0.0), p, w.df, tuple(_notes(t, w, usable)))


def worth_of_hits(t: Table, weights: Array) -> Worth:
    """What the cases are worth to the weighted hits above chance, around tables whose two sides are independent."""
    predicted, real = places(t)
    of_label = weights.reshape(len(weights), -1)
    w_p, w_r, hit = of_label[predicted], of_label[real], (predicted == real)[:, None]

    def gradient(p: Array, _: Array) -> Array:
        expected = w_p * _shares(p, real, predicted) + w_r * _shares(p, predicted, real)
        return np.where(hit, w_p, 0.0) - expected

    squares, cases = weighed_cells_of(t)
    cells = Cells((real, predicted), (predicted, real), pattern_of(t))
    counts = cells_of(t)
    f = Functional(lambda p, _: np.full(p.shape[1:], np.nan), gradient)  # only its slopes are asked for
    return worth(f, counts, cells, squares=squares, rows=cases, units=t.units)


def _shares(p: Array, groups: Ints, at: Ints) -> Array:
    """The share of the group of one side that has the number of the group of the other, at each cell."""
    first = np.unique(groups, return_index=True)[1]
    return np.asarray(group_sums(p, groups)[first][at])


def _students_tail(p: Array, df: Array, alternative: str) -> Array:
    """The p-value of which the normal quantile is that of Student's t; the same with infinitely many degrees."""
    from scipy.special import ndtri, stdtr

    sides = 2 if alternative == "two-sided" else 1
    known = np.isfinite(df)
    found = sides * stdtr(np.where(known, df, 1.0), ndtri(np.maximum(p / sides, SMALLEST)))
    return np.where(known, found, p)


def _notes(t: Table, w: Worth, usable: NDArray[np.bool_]) -> list[Note]:
    """What the units are, how many cases they are worth, and where that says little."""
    if t.units is None:
        return []
    several, name = np.asarray(t.units.n), t.units.name
    said = (
        f"{between(several)} {of_many(name)} of {between(np.asarray(t.rows))} cases in all; under shuffling they are "
    )
    said += f"worth {_rounded(w.effective_n)} independent ones"
    known = np.isfinite(w.df)
    notes = [Note(f"{said} with {_rounded(w.df)} degrees of freedom" if known.all() else said, code="units")]
    if (usable & (w.df < FEW)).any():
        fewest = max(1, round(float(np.where(usable, w.counting, np.inf).min())))
        notes.append(warning(f"few or uneven {of_many(name)}: worth about {plural(fewest, 'even one')}", "few-units"))
    if (several < 2).any():
        notes.append(Note(f"fewer than two {of_many(name)}, so that p is 1", code="p-is-1"))
    return notes


def _rounded(x: Array) -> str:
    return between(np.round(x))
