"""Several intervals that hold together: the level that each must have."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from informed._arrays import Array, ratio
from informed.errors import InferenceError, one_of
from informed.evidence.table import Table
from informed.inference.given import Rng, generator
from informed.inference.influence import cells_of, influence, pattern_of, table_of, with_four
from informed.inference.sample import Sample, repeated

_DRAWS = 200_000


def single_level(samples: Sequence[Sample], how: bool | str, whole: Table | None, rng: Rng = None) -> tuple[float, str]:
    """Level of each interval along the last axis, or of each sample, and how it was found.

    `whole` is the table whose classes, each against the rest, make the last axis of the sample;
    their joint law is known. Of other stacks it is not, and Šidák's bound takes its place.
    """
    one_of("simultaneous", how, (True, "bonferroni", "max-t"), InferenceError)
    s, several = samples[0], len(samples) > 1
    if not s.t.shape and not several:
        raise InferenceError(
            "There is one interval here, and nothing to hold together with it; `simultaneous` is "
            "for the classes of a table, or for a stack."
        )
    size = len(samples) if several else s.t.shape[-1]
    if how == "bonferroni" or several or (how is True and whole is None):
        return 1 - (1 - s.level) / size, f"bonferroni over {size}"
    if whole is None:
        return s.level ** (1 / size), f"max-t over {size}, as if independent (Šidák)"
    return _max_t_level(s, whole, rng), f"max-t over {size}, joint covariance"


def _max_t_level(s: Sample, whole: Table, rng: Rng) -> float:
    """The level whose quantile the largest of the classes stays below as often as wanted, in every table.

    Of units the spread is known with the fewest degrees of freedom that a class has, and their quantile is Student's.
    """
    from scipy.special import ndtr, stdtr

    k = len(whole.labels)
    correlations = joint_correlation(s, whole).reshape(-1, k, k)
    drawn = generator(rng)
    normal = drawn.standard_normal((_DRAWS, k))
    w = s.worth
    df = np.full(len(correlations), np.inf) if w is None else w.df.reshape(-1, k).min(axis=1)
    each = []
    for correlation, freedoms in zip(correlations, df, strict=True):
        values, vectors = np.linalg.eigh(correlation)
        factor = vectors * np.sqrt(np.maximum(values, 0))
        spread = np.abs(normal @ factor.T).max(axis=1)
        if np.isfinite(freedoms):
            spread /= np.sqrt(drawn.chisquare(freedoms, _DRAWS) / freedoms)
        farthest = float(np.quantile(spread, s.level))
        each.append(2 * stdtr(freedoms, farthest) - 1 if np.isfinite(freedoms) else 2 * ndtr(farthest) - 1)
    return float(max(each))


def joint_correlation(s: Sample, whole: Table) -> Array:
    """Correlations of the classes' estimates, ``(*stack, class, class)``, from their slopes.

    At the table with four pseudo-cases, where no class is without spread. Where cases belong to units, what these add
    to the classes varies together, and the pseudo-cases are as they are.
    """
    k = len(whole.labels)
    counts = cells_of(whole)
    n = counts.sum(axis=0)
    p = with_four(counts, pattern_of(whole))
    sides = cells_of(table_of(p, whole).one_vs_rest())
    u, _ = influence(sides, s.f.gradient(sides, np.asarray(n[..., None] * np.ones(k))))
    predicted, real, own = np.meshgrid(*[np.arange(k)] * 3, indexing="ij")
    at = 2 * (predicted != own) + (real != own)  # the cell of each one-against-rest table
    u = np.moveaxis(u, (0, -1), (0, 1))  # (side, class, *stack)
    mapped = u[at.reshape(-1, k), np.arange(k)]  # (cells, class, *stack)
    units = repeated(whole)
    if units is None:
        covariance = np.einsum("c...,ci...,cj...->...ij", p, mapped, mapped)
    else:
        pseudo = 4 * np.einsum("c,ci...,cj...->...ij", pattern_of(whole), mapped, mapped)
        mean = ratio(np.einsum("c...,ci...->i...", counts, mapped), n)
        covariance = units.products(mapped - mean) + pseudo
    spread = np.sqrt(np.einsum("...ii->...i", covariance))
    return np.nan_to_num(ratio(covariance, spread[..., None] * spread[..., None, :]))
