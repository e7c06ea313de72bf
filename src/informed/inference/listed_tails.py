"""Tails of Σ w_l·n_ll under shuffling where few tables have the margins: they are all listed.

Tables of a stack with the same margins, in whatever order of the classes, share one list, and all
lists are made together.
"""

from __future__ import annotations

import numpy as np

from informed._arrays import Array
from informed.inference.possible_tables import Ints, about, filled

LISTED_UP_TO = 2000  # tables with the same margins
_SAME = 1e-9  # of the largest sum: two sums that differ by less are the same
_AT_ONCE = 2_000_000  # pairs of a table seen and a listed one that are compared together
_PAIRS = 100  # of margins whose tables are listed together
_GUESS = 4  # times as many tables as there are is the most that the rough number says of so many
_FIRST = 8  # one partly filled table in so many is continued before the others
_MANY = 1e12  # ways, and more: nobody asks how many
_WIDE = 4_000_000  # numbers of ways that are held at once


def listed(said: Array, real: Array, weights: Array, hits: Array, sides: tuple[str, ...]) -> tuple[Array, Ints]:
    """The mid-P of each table, ``(classes, tables)``, on each side, and how many tables were listed for it.

    Where they are too many the number is 0, and p is NaN.
    """
    p, counted = np.full((len(sides), hits.shape[1]), np.nan), np.zeros(hits.shape[1], dtype=np.int64)
    least = ((said > 0).sum(axis=0) - 1) * ((real > 0).sum(axis=0) - 1) + 1  # corners of what is possible
    few = np.flatnonzero((least <= LISTED_UP_TO) & (about(said, real) <= _GUESS * LISTED_UP_TO))
    if not few.size:
        return p, counted

    order = np.lexsort((said[:, few], real[:, few]), axis=0)
    order = np.concatenate([order[-2::-1], order[-1:]])  # large classes show soonest that there are too many
    said, real, weights, hits = (np.take_along_axis(x[:, few], order, axis=0) for x in (said, real, weights, hits))
    key = np.concatenate([said, real, np.round(weights, 12)])
    _, first, group = np.unique(key, axis=1, return_index=True, return_inverse=True)
    group = np.ravel(group)
    s = (weights * hits).sum(axis=0)

    by_group = np.argsort(group, kind="stable")
    bounds = np.searchsorted(group[by_group], np.arange(0, first.size + _PAIRS, _PAIRS))
    for begin, start, stop in zip(range(0, first.size, _PAIRS), bounds[:-1], bounds[1:], strict=True):
        some = first[begin : begin + _PAIRS]
        which = by_group[start:stop]
        of = group[which] - begin
        size, sums, chances = _lists(*(x[:, some] for x in (said, real, weights)))
        p[:, few[which]] = _compared(size, sums, chances, of, s[which], sides)
        counted[few[which]] = size[of]
    return p, counted


def _lists(said: Array, real: Array, weights: Array) -> tuple[Ints, Array, Array]:
    """Of each pair of margins the number of tables, 0 if too many; their sums and chances, pair by pair."""
    from scipy.special import gammaln

    pairs = said.shape[1]
    size = np.ones(pairs, dtype=np.int64)
    of: Ints = np.arange(pairs)
    room: Ints = np.rint(said.T).astype(np.int64)
    columns: Ints = np.rint(real).astype(np.int64)
    log: Array = np.zeros(pairs)
    total: Array = np.zeros(pairs)
    for k, column in enumerate(columns):
        if not column.any() or not of.size:
            continue
        last = k == len(columns) - 1
        if not last:  # never more tables than in the end, so that too many are seen before they are made
            for every in (_FIRST, 1):
                ways = np.bincount(of[::every], _ways(room[::every], column[of[::every]]), minlength=pairs)
                size = np.where(ways > LISTED_UP_TO, 0, ways).astype(np.int64)
                kept = ways[of] <= LISTED_UP_TO
                of, room, log, total = of[kept], room[kept], log[kept], total[kept]
        parent, chosen = (np.arange(of.size), room) if last else filled(room, column[of])
        of, room = of[parent], room[parent] - chosen
        log = log[parent] - gammaln(chosen + 1.0).sum(axis=1)
        total = total[parent] + weights[k, of] * chosen[:, k]

    largest = np.full(pairs, -np.inf)
    np.maximum.at(largest, of, log)
    chance = np.exp(log - largest[of])
    whole = np.bincount(of, chance, minlength=pairs)
    return size, total, chance / whole[of]


def _ways(room: Ints, size: Ints) -> Array:
    """How many ways there are to put `size` cases into rows with this much room, without making them."""
    found = np.empty(size.size)
    most = int(size.max(initial=0))
    at_once = max(1, _WIDE // (most + 1))
    for start in range(0, size.size, at_once):
        part = slice(start, start + at_once)
        ways = np.zeros((room[part].shape[0], most + 1))
        ways[:, 0] = 1.0
        for row in room[part].T:  # put 0, 1, ... up to the room into one row more
            total = np.concatenate([np.zeros((len(ways), 1)), ways.cumsum(axis=1)], axis=1)
            since = np.maximum(np.arange(most + 1) - row[:, None], 0)
            ways = np.minimum(total[:, 1:] - np.take_along_axis(total, since, axis=1), _MANY)
        found[part] = ways[np.arange(len(ways)), size[part]]
    return found


def _compared(size: Ints, sums: Array, chances: Array, of: Ints, s: Array, sides: tuple[str, ...]) -> Array:
    """The share of each table's list that is more extreme than it, and half of what is as extreme."""
    starts = np.cumsum(size) - size
    mean = np.bincount(np.repeat(np.arange(size.size), size), sums * chances, minlength=size.size)
    slack = _SAME * np.maximum.reduceat(np.append(np.abs(sums), 0.0), np.minimum(starts, sums.size))
    _, first, back = np.unique(np.stack([of, s], axis=1), axis=0, return_index=True, return_inverse=True)

    found = np.full((len(sides), first.size), np.nan)
    work = np.cumsum(size[of[first]] + 1)
    for begin in range(0, int(work[-1]) + 1, _AT_ONCE):
        some = np.flatnonzero((work > begin) & (work <= begin + _AT_ONCE))
        seen = first[some]
        many = size[of[seen]]
        which = np.repeat(np.arange(seen.size), many)
        at = np.arange(which.size) - np.repeat(np.cumsum(many) - many, many) + np.repeat(starts[of[seen]], many)
        middle, tie = mean[of[seen]], slack[of[seen]]
        ahead = sums[at] - s[seen][which]
        for side, p in zip(sides, found, strict=True):
            more = -ahead if side == "less" else ahead
            if side == "two-sided":
                more = np.abs(sums[at] - middle[which]) - np.abs(s[seen] - middle)[which]
            share = np.where(more > tie[which], 1.0, np.where(more < -tie[which], 0.0, 0.5))
            beyond = np.bincount(which, share * chances[at], minlength=seen.size)
            central = (np.abs(s[seen] - middle) <= tie) & (side == "two-sided")
            p[some] = np.where(many > 0, np.where(central, 1.0, beyond), np.nan)
    return np.asarray(found[:, np.ravel(back)])
