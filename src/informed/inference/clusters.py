"""Cases that come in clusters (one document, one patient) are not independent of each other.

Each cluster gives one number, its share of the excess of hits over chance; the clusters, not the
cases, are then the sample (a sandwich, or score, test).
"""

from __future__ import annotations

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import InferenceError
from informed.evidence.table import Table
from informed.inference.hypothesis import Asked, Outcome, between, tail
from informed.inference.permutation import excess_and_variance, weights_of
from informed.inference.sample import unit_axis_of
from informed.results import Note


def cluster_t(t: Table, axis: int, asked: Asked) -> tuple[Table, Outcome]:
    """The pooled table, and Student's t of the clusters' contributions to its excess of hits."""
    from scipy.special import stdtr

    assert asked.measure is not None
    axis = unit_axis_of(t, axis)
    pooled = t.sum(axis)
    weights = weights_of(asked.measure, pooled)
    if weights is None:
        raise InferenceError(
            f"{asked.measure} has no closed form under shuffling, which clusters need; test "
            "informedness, markedness, matthews, kappa or accuracy."
        )
    share = np.moveaxis(_contributions(t, pooled, weights, axis), axis, 0)
    held = np.moveaxis(t.total, axis, 0) > 0
    clusters = held.sum(axis=0).astype(np.float64)
    total = share.sum(axis=0)
    spread = (np.where(held, share - ratio(total, clusters), 0.0) ** 2).sum(axis=0)
    variance = np.where(clusters > 1, ratio(spread * clusters, clusters - 1), 0.0)
    usable = (clusters > 1) & (variance > 0)
    statistic = np.where(usable, ratio(total, np.sqrt(np.where(usable, variance, 1.0))), 0.0)
    df = np.maximum(clusters - 1, 1)
    p = tail(lambda x: stdtr(df, x), statistic, asked.alternative)
    _, alone = excess_and_variance(pooled, weights)
    worth = np.where(usable, pooled.total * ratio(alone, np.where(usable, variance, 1.0)), 0.0)
    said = (
        f"{between(clusters)} clusters of {between(pooled.total)} cases in all, worth about "
        f"{between(worth)} independent cases"
    )
    notes = [Note(said, code="clusters")]
    if not usable.all():
        notes.append(Note("fewer than two clusters differ, so that p is 1", code="p-is-1"))
    return pooled, Outcome(statistic, np.where(usable, p, 1.0), df, tuple(notes))


def _contributions(t: Table, pooled: Table, weights: Array, axis: int) -> Array:
    """What each cluster adds to the pooled excess of hits; they sum to it exactly."""

    def wide(x: Array) -> Array:
        return np.expand_dims(x, axis + 1)

    n = np.expand_dims(pooled.total, axis)
    w, real, predicted = wide(weights), wide(pooled.real_totals), wide(pooled.predicted_totals)
    hits = (w * t.hits).sum(axis=0)
    by_prediction = ratio((w * real * t.predicted_totals).sum(axis=0), n)
    by_reality = ratio((w * predicted * t.real_totals).sum(axis=0), n)
    overall = t.total * ratio((w * real * predicted).sum(axis=0), n**2)
    return np.asarray(np.nan_to_num(hits - by_prediction - by_reality + overall))
