"""Variances under a known truth, and the power that follows from them for a difference of two systems.

The truth is the papers' mixture of knowing and guessing. Cells are (predicted, real, *stack); the
joint cells of two systems on the same cases are (real, a, b, *stack).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.inference.influence import half_right
from informed.measures import slopes

PLUS = 4.0  # pseudo-cases of the closed-form interval and of the tests of a difference


def informedness_of(cells: Array) -> Array:
    """Informedness of proportions or counts."""
    n, at = cells.sum(axis=(0, 1)), np.arange(len(cells))
    real, predicted = cells.sum(axis=0), cells.sum(axis=1)
    return np.asarray(1 - ratio(predicted - cells[at, at], n - real).sum(axis=0))


def influence(cells: Array) -> Array:
    """What one case in each cell adds to informedness, to first order and up to a constant.

    Of proportions p: −[l≠c]/(1−Prev_l) − e_c/(1−Prev_c)², e_c the false alarms of label c."""
    return slopes.informedness(*slopes.parts(cells / cells.sum(axis=(0, 1)))).cells()


def variance_of(p: Array, u: Array, classes: int = 2) -> Array:
    """Variance of one case's influence; divided by N, that of the estimate."""
    axes = tuple(range(classes))
    p = p / p.sum(axis=axes)
    return np.asarray((p * u**2).sum(axis=axes) - (p * u).sum(axis=axes) ** 2)


def joint_mixture(first: float, second: float, prevalence: Array, guess: Array, shared: float) -> Array:
    """Two systems on the same cases, (real, a, b): what each knows may overlap more than by chance.

    With shared = 0 they know independently; with 1, all that the worse one knows the other knows.
    """
    both = first * second + shared * (min(first, second) - first * second)
    known = np.eye(len(prevalence))
    guessed = np.broadcast_to(guess, known.shape)
    cases = [
        (both, known, known),
        (first - both, known, guessed),
        (second - both, guessed, known),
        (1 - first - second + both, guessed, guessed),
    ]
    total = sum(share * a[:, :, None] * b[:, None, :] for share, a, b in cases)
    return np.asarray(prevalence[:, None, None] * total)


def tables_of_joint(joint: Array) -> tuple[Array, Array]:
    """The two ordinary tables (predicted, real, *stack) of a joint one."""
    return np.swapaxes(joint.sum(axis=2), 0, 1), np.swapaxes(joint.sum(axis=1), 0, 1)


def joint_variance(joint: Array) -> Array:
    """Variance of one case's influence on the difference of the two informednesses."""
    a, b = (np.swapaxes(influence(cells), 0, 1) for cells in tables_of_joint(joint))
    return variance_of(joint, a[:, :, None] - b[:, None, :], classes=3)


def spread_jointly(k: int) -> Array:
    """The same for two systems: ⅙ both right, ⅓ only one, ⅓ only the other, ⅙ both wrong."""
    right = np.eye(k)
    wrong = 1 - right
    kinds = [(right, right, 1 / 6), (right, wrong, 1 / 3), (wrong, right, 1 / 3), (wrong, wrong, 1 / 6)]
    each = [(share, a[:, :, None] * b[:, None, :]) for a, b, share in kinds]
    return np.asarray(sum(share * cells / cells.sum() for share, cells in each))


def plus_four(cells: Array) -> tuple[Array, Array]:
    """Informedness with four pseudo-cases, and the variance of that estimate."""
    w = half_right(len(cells)).reshape(*cells.shape[:2], *[1] * (cells.ndim - 2))
    padded = cells + PLUS * w
    n = padded.sum(axis=(0, 1))
    return informedness_of(padded), variance_of(padded, influence(padded)) / n


def plus_four_jointly(joint: Array) -> tuple[Array, Array]:
    """Difference of two informednesses with four pseudo-cases, and its variance."""
    w = spread_jointly(len(joint)).reshape(*joint.shape[:3], *[1] * (joint.ndim - 3))
    padded = joint + PLUS * w
    a, b = tables_of_joint(padded)
    n = padded.sum(axis=(0, 1, 2))
    return informedness_of(a) - informedness_of(b), joint_variance(padded) / n


def normal_power(shift: Any, spread: Any, alpha: float, alternative: str) -> Array:
    """Chance that a normal statistic with this mean and spread passes its critical value."""
    from scipy.special import ndtr, ndtri

    spread = np.maximum(spread, 1e-12)
    if alternative == "two-sided":
        z = -ndtri(alpha / 2)
        return np.asarray(ndtr((shift - z) / spread) + ndtr((-shift - z) / spread))
    z = -ndtri(alpha)
    return np.asarray(ndtr(((shift if alternative == "greater" else -shift) - z) / spread))
