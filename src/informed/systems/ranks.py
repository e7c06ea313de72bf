"""Ranks that say what the data say: from which place to which, and who cannot be told apart."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array

Places = NDArray[np.int64]


def rank_intervals(better: NDArray[np.bool_]) -> tuple[Places, Places]:
    """Best and worst place that each system may have.

    `better[a, b]` says that a is better than b beyond doubt. A system cannot stand above those
    that beat it, nor below those that it beats. Where the chance of any false `better` is held
    down, all these intervals hold together.

    >>> [x.tolist() for x in rank_intervals(np.array([[0, 0, 1], [0, 0, 0], [0, 0, 0]], bool))]
    [[1, 1, 2], [2, 3, 3]]
    """
    beaten_by = better.sum(axis=0)
    beats = better.sum(axis=1)
    return 1 + beaten_by, len(better) - beats


def tie_groups(order: Any, separated: NDArray[np.bool_]) -> list[list[int]]:
    """Runs of neighbours in this order in which no two can be told apart, each as long as can be.

    Groups overlap: that a is not told from b, nor b from c, does not make a equal to c.

    >>> apart = np.zeros((3, 3), bool)
    >>> apart[0, 2] = apart[2, 0] = True
    >>> tie_groups([0, 1, 2], apart)
    [[0, 1], [1, 2]]
    """
    order = np.asarray(order)
    size = len(order)
    apart = np.triu(separated[np.ix_(order, order)], 1)
    first = np.where(apart.any(axis=1), apart.argmax(axis=1), size)
    end = np.minimum.accumulate(first[::-1])[::-1]  # one past the last of the run from here
    starts = [i for i in range(size) if i == 0 or end[i] > end[i - 1]]
    return [order[i : end[i]].tolist() for i in starts]


def mean_ranks(scores: Array) -> Array:
    """Mean place of each column over the rows; 1 is the highest, ties share their places."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(-scores, axis=1).mean(axis=0))
