"""The default test against guessing: the share of shuffled predictions that does better, half of ties.

Both margins stay as they are, and S = Σ w_l·n_ll stands for the measure. "greater" is
P(S > s) + ½P(S = s), "less" P(S < s) + ½P(S = s), and two-sided goes by the distance from the mean:
P(|S − μ| > |s − μ|) + ½P(|S − μ| = |s − μ|). How the tails are found depends on the margins alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array, ratio
from informed.evidence.table import Table
from informed.inference import hypergeometric_tails as hypergeometric
from informed.inference.cautions import of_tables, smallest_margin
from informed.inference.hypothesis import Asked, Outcome
from informed.inference.listed_tails import listed
from informed.inference.permutation import Counted, excess_and_variance, weights_for_tails
from informed.inference.possible_tables import Ints
from informed.inference.smooth_tails import Law, of_classes, of_two_classes
from informed.measures import Measure
from informed.results import Note, warning

_BLOCK = 4000  # tables that are worked out together, fewer of many classes
_CELLS = 200_000  # about as many classes times tables
_ON_A_PAGE, _KEPT = 16, 64  # tables whose tails are remembered, at once and in all
_KNOWN: dict[Any, list[Any]] = {}
_LOCK = Lock()
_OTHER = {"greater": "less", "less": "greater", "two-sided": "two-sided"}
Mask = NDArray[np.bool_]
Sides = tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """p-values of a stack, and how each was found."""

    pvalue: Array  # (alternatives, *stack)
    exact: Mask  # summed as a hypergeometric tail
    smooth: Mask  # read off the saddlepoint
    listed: Ints  # tables that were listed for it, or 0
    normal: Mask  # where the saddlepoint was not found, and z was taken
    fixed: Mask  # shuffling changes nothing

    def __post_init__(self) -> None:
        assert not np.isnan(self.pvalue).any()


@dataclass(frozen=True)
class _Shuffled:
    """What shuffling needs of tables: margins, hits and weights, ``(classes, tables)``."""

    said: Array
    real: Array
    hits: Array
    weights: Array
    excess: Array  # of S over its mean
    variance: Array

    @property
    def n(self) -> Array:
        return np.asarray(self.said.sum(axis=0))

    def take(self, which: NDArray[np.int64]) -> _Shuffled:
        said, real, hits, weights = (x[:, which] for x in (self.said, self.real, self.hits, self.weights))
        return _Shuffled(said, real, hits, weights, self.excess[which], self.variance[which])

    def bytes(self, i: int) -> tuple[bytes, ...]:
        """All that one table is, by which it is known again."""
        return tuple(x[:, i].tobytes() for x in (self.said, self.real, self.hits, self.weights))


@np.errstate(divide="ignore", invalid="ignore")  # margins beside which others are lost by rounding
def pvalues_of_measures(t: Table, measures: Sequence[Measure]) -> Array:
    """Two-sided p-values of the default test, ``(measures, *stack)``: the tails of all measures are found at once."""
    weights = np.stack([weights_for_tails(t, m) for m in measures], axis=-1)
    held = (t.predicted_totals, t.real_totals, t.hits, t.total)
    beside = Counted(*(np.repeat(np.asarray(x)[..., None], len(measures), axis=-1) for x in held))
    return np.moveaxis(found_tails(beside, weights, "two-sided").pvalue[0], -1, 0)


@np.errstate(divide="ignore", invalid="ignore")  # margins beside which others are lost by rounding
def permutation_midp(t: Table, asked: Asked) -> Outcome:
    """The share of shufflings that are further from chance, and half of those as far."""
    assert asked.measure is not None
    weights = weights_for_tails(t, asked.measure)
    excess, variance = excess_and_variance(t, weights)
    found = found_tails(t, weights, asked.alternative)
    z = np.where(found.fixed, 0.0, ratio(excess, np.sqrt(np.where(found.fixed, 1.0, variance))))
    return Outcome(z, found.pvalue[0], np.ones(t.shape), tail_notes(t, found))


def found_tails(t: Table | Counted, weights: Array, *alternatives: str) -> Found:
    """The tails of each table of a stack, for weights that are all positive or all negative."""
    falls = bool((weights < 0).any())
    sides = tuple(_OTHER[side] for side in alternatives) if falls else alternatives
    weights = np.abs(weights)
    excess, variance = (x.ravel() for x in excess_and_variance(t, weights))
    wide = (t.predicted_totals, t.real_totals, t.hits, weights)
    said, real, hits, weights = (np.asarray(x).reshape(len(x), -1) for x in wide)
    tables = _Shuffled(said, real, hits, weights, excess, variance)
    moves = np.isfinite(variance) & (variance > 0) & (tables.n > 1)

    p = np.ones((len(sides), excess.size))
    exact, normal = (np.zeros(excess.shape, dtype=bool) for _ in range(2))
    lists = np.zeros(excess.shape, dtype=np.int64)
    at_once = max(1, min(_BLOCK, _CELLS // len(weights)))
    live = np.flatnonzero(moves)
    for start in range(0, live.size, at_once):
        which = live[start : start + at_once]
        some = tables.take(which)
        found = _block(some, sides) if which.size > _ON_A_PAGE else _remembered(some, sides)
        p[:, which], exact[which], lists[which], normal[which] = found
    smooth = moves & ~exact & (lists == 0)

    def shaped(x: Any) -> Any:
        return x.reshape((*x.shape[:-1], *t.shape))

    return Found(shaped(p), shaped(exact), shaped(smooth), shaped(lists), shaped(normal), shaped(~moves))


def _remembered(tables: _Shuffled, sides: Sides) -> tuple[Array, Mask, Ints, Mask]:
    """The same of few tables: a page asks of each of its measures, whose weights are often alike, and again of one."""
    keys = [(*tables.bytes(i), sides) for i in range(len(tables.excess))]
    with _LOCK:
        known = {key: _KNOWN[key] for key in keys if key in _KNOWN}
    if new := {key: i for i, key in enumerate(keys) if key not in known}:
        found = _block(tables.take(np.array(list(new.values()))), sides)
        known |= {key: [x[..., j] for x in found] for j, key in enumerate(new)}
        with _LOCK:
            _KNOWN.update((key, known[key]) for key in new)
            for key in list(_KNOWN)[:-_KEPT]:
                del _KNOWN[key]
    p, exact, lists, normal = (np.stack(x, axis=-1) for x in zip(*(known[key] for key in keys), strict=True))
    return p, exact, lists, normal


def _block(tables: _Shuffled, sides: Sides) -> tuple[Array, Mask, Ints, Mask]:
    """p-values; and whether summed, how many tables were listed, and whether only normal."""
    whole = _whole(tables)
    p = np.full((len(sides), whole.size), np.nan)
    exact, normal = np.zeros(whole.shape, dtype=bool), np.zeros(whole.shape, dtype=bool)
    lists = np.zeros(whole.shape, dtype=np.int64)

    two, which = _two_classes(tables)
    pair = np.flatnonzero(two & whole)
    if pair.size:
        p[:, pair], exact[pair] = _summed(tables.take(pair), which[pair], sides)
    several = np.flatnonzero(~two & whole)
    if several.size:
        some = tables.take(several)
        said, real, hits = np.rint(some.said), np.rint(some.real), np.rint(some.hits)
        p[:, several], lists[several] = listed(said, real, some.weights, hits, sides)

    rest = np.flatnonzero(np.isnan(p).any(axis=0))
    for of_two in (True, False):
        part = rest[two[rest] == of_two]
        if part.size:
            some = tables.take(part)
            p[:, part], normal[part] = _smoothed(some, which[part] if of_two else None, sides)
    return p, exact, lists, normal


def _whole(tables: _Shuffled) -> Mask:
    """Which tables are counts of cases, but for rounding."""
    parts = (tables.said, tables.real, tables.hits)
    return np.asarray(np.all([np.abs(x - np.rint(x)).max(axis=0) < hypergeometric.TIE for x in parts], axis=0))


def _two_classes(tables: _Shuffled) -> tuple[Mask, Ints]:
    """Where the hits of one class say all, and which one: two classes, or all but one never hit."""
    said, real = tables.said > 0, tables.real > 0
    both = said & real
    square = (both.sum(axis=0) == 2) & (said.sum(axis=0) == 2) & (real.sum(axis=0) == 2)
    return square | (both.sum(axis=0) == 1), np.argmax(both, axis=0)


def _one_class(tables: _Shuffled, which: Ints) -> tuple[Array, Array, Array, Array]:
    """Hits, real and predicted cases of one class, and all cases."""
    at = (which, np.arange(which.size))
    return tables.hits[at], tables.real[at], tables.said[at], tables.n


def _summed(tables: _Shuffled, which: Ints, sides: Sides) -> tuple[Array, Mask]:
    """Tails of whole counts of two classes: of the hits above the mean, of the misses below it."""
    x, real, said, n = (np.rint(v) for v in _one_class(tables, which))
    up = tables.excess > 0
    mirrored = 2 * (real * said / n) - x
    near = hypergeometric.outer(np.where(up, x, said - x), np.where(up, real, n - real), said, n)
    exact = hypergeometric.variance(real, said, n) <= hypergeometric.SUMMED_UP_TO
    far = np.zeros(near.shape)
    if "two-sided" in sides:
        far = hypergeometric.outer(np.where(up, said - mirrored, mirrored), np.where(up, n - real, real), said, n)
    central = np.abs(x - mirrored) < hypergeometric.TIE
    return _of_sides(near, far, up, central, sides), exact


def _of_sides(near: Array, far: Array, up: Mask, central: Mask, sides: Sides) -> Array:
    """p-values from the tail on the table's own side of the mean and the one as far on the other."""
    both = np.where(central, 1.0, np.minimum(near + far, 1.0))
    return np.array(
        [both if side == "two-sided" else np.where(up == (side == "greater"), near, 1 - near) for side in sides]
    )


def _law(tables: _Shuffled, which: Ints | None) -> tuple[Law, Array, Array]:
    """The distribution of the sum of hits, in hits of the lightest class; the sum, and its mean."""
    if which is not None:
        x, real, said, n = _one_class(tables, which)
        law = of_two_classes(real, said, n)
        return law, x, law.mean
    hit = (tables.said > 0) & (tables.real > 0)
    unit = np.where(hit, tables.weights, np.inf).min(axis=0)
    law = of_classes(tables.said, tables.real, tables.weights / unit, tables.variance / unit**2)
    return law, law.mean + tables.excess / unit, law.mean


def _smoothed(tables: _Shuffled, which: Ints | None, sides: Sides) -> tuple[Array, Mask]:
    """p-values off the saddlepoint, and where it was not found; both tails are asked for at once."""
    count = tables.excess.size
    tails = 2 if "two-sided" in sides else 1
    each = np.tile(np.arange(count), tails)
    law, s, mean = _law(tables.take(each), None if which is None else which[each])
    found, lost = (x.reshape(tails, count) for x in law.outer(np.r_[s[:count], (2 * mean - s)[count:]]))
    far = found[1] if tails == 2 else np.zeros(count)
    off = (s - mean)[:count]
    central = np.abs(off) <= 1e-9 * law.high[:count]
    return _of_sides(found[0], far, off >= 0, central, sides), np.asarray(lost.any(axis=0))


def tail_notes(t: Table, found: Found) -> tuple[Note, ...]:
    """How the p-values were found, in words."""
    fewest = ratio(smallest_margin(t.predicted_totals) * smallest_margin(t.real_totals), t.total)
    sparse = found.smooth & (fewest < 1)
    some = found.listed[found.listed > 0]
    count = f"all {some.min():.0f}" if some.size and some.min() == some.max() else "all"
    off = (found.fixed & (t.total > 1) & (np.minimum(_live(t.predicted_totals), _live(t.real_totals)) > 1)).astype(bool)
    told = [
        (found.exact, Note("mid-P over all tables with these margins: the table itself counts half", code="exact")),
        (found.listed > 0, Note(f"exact: {count} tables with these margins were counted", code="counted")),
        (
            sparse,
            Note(
                "sparse margins: p is smooth where the counted one has steps, and may be off by a factor of 2; "
                "`method='permutation'` counts or draws",
                code="sparse-margins",
            ),
        ),
        (found.normal, warning("no saddlepoint was found, so that p is the normal one of z", "normal-tail")),
        (off, Note("shuffling changes nothing that the measure reads, so that p is 1", code="p-is-1")),
    ]
    return tuple(
        replace(note, text=f"{'' if np.all(where) else share}{note.text}")
        for where, note in told
        if (share := of_tables(where)) is not None
    )


def _live(totals: Array) -> Array:
    return np.asarray((totals > 0).sum(axis=0))
