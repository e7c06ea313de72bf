"""A measure against guessing where cases belong together: each unit is left out once.

The excess of hits over chance of the whole table is measured in standard errors that come from how much
it moves when a unit is gone. Nothing is assumed of the cases within a unit.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import InferenceError
from informed.evidence.margins import PLAIN
from informed.evidence.table import Table
from informed.evidence.units import Ints, Units, singles
from informed.inference.hypothesis import Asked, Outcome, between, tail
from informed.inference.permutation import excess_and_variance, weights_of
from informed.inference.sample import Sample
from informed.inference.sides import places
from informed.inference.unit_sums import compact
from informed.measures import Measure
from informed.results import Note, warning

FEW = 10  # degrees of freedom below which units are called few


def unit_jackknife(t: Table, asked: Asked) -> Outcome:
    """Student's t of the excess of hits over chance, by the delete-one-unit jackknife.

    D = Σ w(hits − P·R/N)/N and D_g without unit g; the variance is (G−1)/G·Σ(D_g − D)², but not less than
    that of as many independent cases, and the degrees of freedom are one less than the even units of the
    same number of cases.
    """
    from scipy.special import stdtr

    assert asked.measure is not None
    weights = weights_of(asked.measure, t)
    if weights is None:
        raise InferenceError(
            f"{asked.measure} has no closed form under shuffling, which units need; test informedness, "
            "markedness, matthews, kappa or accuracy."
        )
    units = t.units or _cases(t)
    whole, left, cases = _excesses(t, units, weights)

    several = np.asarray(units.n)
    moved = left - whole.reshape(-1)[units.table]
    variance = np.where(several > 1, ratio(several - 1, several), 0.0) * units.per_table(np.nan_to_num(moved) ** 2)
    variance = np.where(variance > 0, np.fmax(variance, _of_cases(t, asked.measure, weights)), 0.0)
    usable = (several > 1) & (variance > 0)
    statistic = np.where(usable, ratio(whole, np.sqrt(np.where(usable, variance, 1.0))), 0.0)
    even = ratio(t.total**2, units.per_table(cases**2))
    df = np.fmax(even - 1, 1.0)
    p = np.where(usable, tail(lambda x: stdtr(df, x), statistic, asked.alternative), 1.0)

    said = f"{between(several)} {units.name}s of {between(t.total)} cases in all; each was left out once"
    notes = [Note(said, code="units")]
    if (usable & (df < FEW)).any():
        fewest = float(np.where(usable, df, np.inf).min()) + 1
        notes.append(warning(f"few or uneven {units.name}s: worth about {fewest:.1f} even ones", "few-units"))
    if not usable.all():
        notes.append(Note(f"fewer than two {units.name}s differ, so that p is 1", code="p-is-1"))
    return Outcome(statistic, p, df, tuple(notes))


def _of_cases(t: Table, measure: Measure, weights: Array) -> Array:
    """The variance over all shufflings, were the cases independent: few hits say little of their own spread."""
    answered = t if measure.facts.abstentions else t.answered
    found = Sample(measure, answered, 0.95)
    alone = t.total if found.worth is None else found.worth.effective_n * found.worth.repetition
    scale = ratio(alone, t.total)
    _, variance = excess_and_variance(replace(t, cells=t.cells * scale, **PLAIN), weights)
    return ratio(variance, alone**2)


def _cases(t: Table) -> Units:
    """Each case of a table as a unit of its own, called so."""
    cells = t.cells.reshape(-1, *t.shape)
    squares = cells if t.squares is None else t.squares.reshape(cells.shape)
    return singles(cells, squares, name="case")


def _excesses(t: Table, units: Units, weights: Array) -> tuple[Array, Array, Array]:
    """The excess of hits of each table, that without each row's unit, and the cases of the unit."""
    predicted, real = places(t)
    w_p, w_r = weights[predicted], weights[real]
    own = (predicted == real).reshape(-1, *[1] * len(t.shape))
    hits = (weights * t.hits).sum(axis=0)
    chance = (weights * t.predicted_totals * t.real_totals).sum(axis=0)

    lost = units.read(np.where(own, w_p, 0.0))
    linear = units.read(w_r * t.predicted_totals[real] + w_p * t.real_totals[predicted])
    cases = units.read(np.ones_like(w_p))

    at = units.table
    rest = t.total.reshape(-1)[at] - cases
    squared = _products(units, predicted, real, weights.reshape(len(weights), -1))
    without = hits.reshape(-1)[at] - lost - ratio(chance.reshape(-1)[at] - linear + squared, rest)
    return ratio(hits - ratio(chance, t.total), t.total), ratio(without, rest), cases


def _products(units: Units, predicted: Ints, real: Ints, weights: Array) -> Array:
    """Σ w·p·r over labels of each row, p and r what it holds of the label on both sides."""
    k = len(weights)
    sides = [units.row * k + groups[units.cell] for groups in (predicted, real)]
    pairs, at = compact(np.concatenate(sides), len(units.mult) * k)
    size = len(units.row)
    p, r = (np.bincount(x, units.weight, minlength=len(pairs)) for x in (at[:size], at[size:]))
    row, label = np.divmod(pairs, k)
    found = weights[label, units.table[row]] * p * r
    return np.bincount(row, found, minlength=len(units.mult)).astype(np.float64, copy=False)
