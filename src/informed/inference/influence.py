"""How a measure answers to a small change of the cells: the ground of every large-sample interval.

Cells stand first, as everywhere: an array of proportions has the shape ``(cells, *stack)``. The
cells are those of a table, of a table with its abstentions, or of a joint table of two systems;
nothing here or in `arc` knows which.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.evidence.cells import flattened
from informed.evidence.checks import frozen
from informed.evidence.table import Table
from informed.measures import Measure
from informed.measures.slopes import Slopes, Stated, diagonal, parts

Gradient = Callable[[Array, Array], Array]
STEP = 1e-4  # relative step of a derivative: small cells keep their digits, cells of 0 have none


@dataclass(frozen=True)
class Functional:
    """A number of a distribution over cells, and its slopes.

    Both functions take proportions ``(cells, *stack)`` that add up to 1 and the number of cases
    ``(*stack)``, which most measures ignore. A gradient may be off by a constant: it is centred
    before use.
    """

    value: Callable[[Array, Array], Array]
    gradient: Callable[[Array, Array], Array]
    exact: bool = True  # slopes in closed form, cheap for many cells, and nowhere all zero
    stated: Stated | None = None  # the same slopes by hits and margins


def side_by_side(several: Sequence[Functional], sizes: Sequence[int], classes: int | None) -> Functional:
    """Several functionals as one, each of so many tables along the last axis of the cells, which
    are those of so many classes and nothing else (or None)."""
    if len(several) == 1:
        return several[0]
    ends = np.cumsum(sizes)
    cuts = [slice(end - size, end) for end, size in zip(ends, sizes, strict=True)]

    def joined(functions: Sequence[Callable[[Array, Array], Array]]) -> Any:
        each = list(zip(functions, cuts, strict=True))
        return lambda p, n: np.concatenate([g(p[..., at], n[..., at]) for g, at in each], axis=-1)

    stated = [f.stated for f in several if f.stated is not None]
    if classes is not None and len(stated) == len(several):
        gradient: Gradient = _closed(_stated_beside(stated, cuts), classes)
    else:
        gradient = joined([f.gradient for f in several])
    exact = all(f.exact for f in several)
    return Functional(joined([f.value for f in several]), gradient, exact)


def _stated_beside(stated: Sequence[Stated], cuts: Sequence[slice]) -> Stated:
    """Closed slopes of several measures, each of its tables; hits and margins are found once."""

    def slopes(*held: Array) -> Slopes:
        hit, predicted, real = (np.empty(held[0].shape) for _ in range(3))
        for f, at in zip(stated, cuts, strict=True):
            one = f(*(x[..., at] for x in held))
            hit[..., at], predicted[..., at], real[..., at] = one.hit, one.predicted, one.real
        return Slopes(hit, predicted, real)

    return slopes


def influence(p: Array, gradient: Array, groups: Any = None) -> tuple[Array, Array]:
    """Centred slopes and their mean square V: the estimate has variance V/N.

    With groups (one number a cell), the size of each group is fixed by design, and the slopes are
    centred within it.
    """
    if groups is None:
        u = gradient - (p * gradient).sum(axis=0)
    else:
        u = gradient - ratio(group_sums(p * gradient, groups), group_sums(p, groups))
        u = np.where(p > 0, u, 0.0)
    spread = p * u
    spread *= u
    return u, np.asarray(spread.sum(axis=0))


def group_sums(x: Array, groups: Any) -> Array:
    """The sum over each cell's group, at each cell."""
    sums = np.zeros((int(groups.max()) + 1, *x.shape[1:]))
    np.add.at(sums, groups, x)
    return np.asarray(sums[groups])


def over_cells(x: Array) -> Array:
    """Sum over the first axis: four times as fast as `sum` for many cells of few tables."""
    return np.asarray(np.einsum("i...->...", x))


# ---------------------------------------------------------------------- measures of a table


def functional(m: Measure, t: Table, through: Callable[[Table], Table] | None = None) -> Functional:
    """The measure as a function of the cells of tables like this one, with its slopes.

    `through` is what is done to a table before it is measured, such as another prevalence.
    """
    value, k = _value(m, t, through), len(t.real_labels)
    if t.is_square and through is None:
        slopes = m.slopes(k)
        if slopes is not None and not m.facts.abstentions:
            return Functional(value, _answered(_closed(slopes, k), t), stated=slopes)
        if slopes is not None:
            stated = _of_answered(slopes) if t.unanswered is None else slopes
            return Functional(value, _closed(stated, k), stated=stated)
        if dict(m.bound).get("average") == "macro":
            return _macro(m, t)
    if m.cell_slopes is not None and through is None:
        return Functional(value, _answered(_by_cells(m.cell_slopes, t), t))

    return Functional(value, lambda p, n: differences(value, p, n), exact=False)


def _closed(slopes: Stated, k: int) -> Gradient:
    """Slopes in closed form, at cells that stand in one row, abstentions last if they are read."""

    def gradient(p: Array, n: Array) -> Array:
        silent = [p[k * k :]] if len(p) > k * k else []
        with np.errstate(divide="ignore", invalid="ignore"):  # where one class is all, no slope is known
            found = slopes(*parts(p[: k * k].reshape(k, k, *p.shape[1:])), *silent)
            cells = found.cells().reshape(k * k, *p.shape[1:])
        return np.concatenate([cells, found.silent]) if silent else cells

    return gradient


def _by_cells(slopes: Callable[[Array], Array], t: Table) -> Gradient:
    """Slopes that read every cell, at cells that stand in one row."""
    shape = len(t.predicted_labels), len(t.real_labels)
    return lambda p, n: slopes(p.reshape(*shape, *p.shape[1:])).reshape(p.shape)


def _of_answered(slopes: Stated) -> Stated:
    """Slopes of a measure that reads abstentions, of tables that have none."""
    return lambda *held: slopes(*held, np.zeros_like(held[0]))._replace(silent=None)


def differences(value: Callable[[Array, Array], Array], p: Array, n: Array) -> Array:
    """Slopes of any smooth function by central differences; one call for the whole stack.

    Each cell is raised and lowered by a relative step and the rest rescaled, so that the total
    stays; a cell of 0 gets a slope of 0, which nothing that is weighted by cells can see.
    """
    cells = len(p)
    up = np.broadcast_to(p[:, None], (cells, cells, *p.shape[1:])).copy()
    down = up.copy()
    at = np.arange(cells)
    up[at, at] *= 1 + STEP
    down[at, at] *= 1 - STEP
    both = np.concatenate([up, down], axis=1)
    both /= both.sum(axis=0)
    ends = value(both, np.broadcast_to(n, both.shape[1:]))
    slopes = ratio(ends[:cells] - ends[cells:], 2 * STEP * p)
    return np.where(p > 0, slopes, 0.0)


def of_logarithm(f: Functional) -> Functional:
    """The logarithm of a number that is no less than 0: its path is the same, without infinite slopes."""

    def logarithm(p: Array, n: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.log(f.value(p, n)))

    return Functional(logarithm, lambda p, n: differences(logarithm, p, n), exact=False)


def cells_of(t: Table) -> Array:
    """Counts as ``(cells, *stack)``: the table's, and after them the abstentions if there are."""
    return flattened(t.cells, t.unanswered)


def weighed_cells_of(t: Table) -> tuple[Array | None, Array | None]:
    """Squared weights, and rows read, of each cell as `cells_of` has the counts; None where a case counts one."""
    if t.squares is None:
        return None, None
    rows = None if t.cases is None else flattened(t.cases, t.unanswered_cases)
    return flattened(t.squares, t.unanswered_squares), rows


def half_right(k: int) -> Array:
    """Shares of pseudo-cases: half on the diagonal of k classes, half off it."""
    right = np.eye(k)
    return np.asarray(right / (2 * k) + (1 - right) / (2 * k * (k - 1)))


def pattern_of(t: Table) -> Array:
    """Where pseudo-cases go: half on the diagonal, half off it; evenly where there is none."""
    shape = len(t.predicted_labels), len(t.real_labels)
    even = not t.is_square or shape[0] == 1
    w = (np.full(shape, 1 / np.prod(shape)) if even else half_right(shape[0])).ravel()
    return w if t.unanswered is None else np.concatenate([w, np.zeros(shape[1])])


def table_of(p: Array, t: Table) -> Table:
    """A table like this one with these cells."""
    shape = len(t.predicted_labels), len(t.real_labels)
    size = shape[0] * shape[1]
    cells = frozen(p[:size].reshape(*shape, *p.shape[1:]))
    silent = None if t.unanswered is None else frozen(p[size:])
    labels, axes = (t.predicted_labels, t.real_labels), (None,) * (p.ndim - 1)
    return Table(cells, *labels, t.positive, unanswered=silent, axes=axes, stated=t.stated)


def at_shares(t: Table, shares: Array) -> Table:
    """The table with its class sizes changed to these shares; recalls stay."""
    share = shares.reshape(-1, *[1] * len(t.shape))
    scale = np.where(share == 0, 0.0, ratio(share * t.total, t.real_totals))
    return replace(t, cells=frozen(t.cells * scale))


def with_four(counts: Array, pattern: Array) -> Array:
    """Proportions after four pseudo-cases, where no class is without spread."""
    w = pattern.reshape(-1, *[1] * (counts.ndim - 1))
    return np.asarray((counts + 4 * w) / (counts.sum(axis=0) + 4))


def measured(m: Measure, t: Table, through: Callable[[Table], Table] | None = None) -> Array:
    """The measure of a table, after what is done to it first."""
    with np.errstate(all="ignore"):  # an undefined measure is NaN, not a warning
        return np.asarray(m(t if through is None else through(t)))


def _value(m: Measure, t: Table, through: Callable[[Table], Table] | None) -> Callable[[Array, Array], Array]:
    def value(p: Array, n: Array) -> Array:
        return measured(m, table_of(p * n, t), through)

    return value


def _answered(gradient: Gradient, t: Table) -> Gradient:
    """Slopes of a measure that does not look at abstentions, for cells that end in them."""
    if t.unanswered is None:
        return gradient
    size = len(t.predicted_labels) * len(t.real_labels)

    def slopes(p: Array, n: Array) -> Array:
        share = p[:size].sum(axis=0)
        held = p[:size] / share
        found = gradient(held, n * share)
        found = (found - (held * found).sum(axis=0)) / share
        return np.concatenate([found, np.zeros_like(p[size:])])

    return slopes


def _macro(m: Measure, t: Table) -> Functional:
    """A mean over the classes: each class has four cells, however many the table has."""
    as_stated = all(key == "average" or m.parameters.get(key) == value for key, value in m.bound)
    fraction = _linear_fraction(replace(m, bound=())) if as_stated else None
    if fraction is not None:
        value, slopes = _mean_of_fractions(*fraction, len(t.labels))
        return Functional(value, _answered(_closed(slopes, len(t.labels)), t), False, slopes)
    return Functional(_value(m, t, None), _answered(_slopes_of_classes(m, t.answered), t), exact=False)


@cache
def _linear_fraction(m: Measure) -> tuple[Array, Array] | None:
    """What hits, predictions, real cases and all cases of a class add to the numerator and to the
    denominator of a measure that is a quotient of two sums; None where it is not."""
    units = np.eye(4).reshape(4, 2, 2)
    probe = np.array([[3.0, 5.0], [7.0, 11.0]])
    found = m.fraction(Table.from_counts(np.concatenate([units, probe[None]]), positive="+"))
    if found is None:
        return None
    sides = []
    for side in found:
        *each, sum_ = np.broadcast_to(np.asarray(side, dtype=np.float64), 5)
        if not np.isclose(sum_, np.dot(each, probe.ravel())):
            return None
        hit, false_alarm, miss, rest = each
        sides.append([hit - false_alarm - miss + rest, false_alarm - rest, miss - rest, rest])
    return np.array(sides[0]), np.array(sides[1])


def _mean_of_fractions(above: Array, below: Array, k: int) -> tuple[Callable[[Array, Array], Array], Stated]:
    """The mean over classes of quotients of hits, margins and 1, and its slopes."""

    def quotient(held: Sequence[Array]) -> tuple[Array, Array]:
        top, bottom = (side[0] * held[0] + side[1] * held[1] + side[2] * held[2] + side[3] for side in (above, below))
        with np.errstate(divide="ignore", invalid="ignore"):  # undefined is NaN
            return top / bottom, bottom

    def value(p: Array, n: Array) -> Array:
        answered = p if len(p) == k * k else p[: k * k] / p[: k * k].sum(axis=0)
        found, _ = quotient(parts(answered.reshape(k, k, *p.shape[1:])))
        return np.asarray(found.mean(axis=0))

    def slopes(*held: Array) -> Slopes:
        found, bottom = quotient(held)
        scale = 1 / (bottom * k)
        return Slopes(*((above[i] - found * below[i]) * scale for i in range(3)))

    return value, slopes


def _slopes_of_classes(m: Measure, t: Table) -> Gradient:
    k, own = len(t.labels), {key: v for key, v in m.bound if key != "average"}

    def value(four: Array, n: Array) -> Array:
        with np.errstate(all="ignore"):
            return np.asarray(m.function(table_of(four * n, pairs), **own))

    pairs = t.one_vs_rest()

    def gradient(p: Array, n: Array) -> Array:
        each = table_of(p, t).one_vs_rest().cells  # (2, 2, *stack, class)
        four = differences(value, each.reshape(4, *each.shape[2:]), np.asarray(n)[..., None])
        hit, false_alarm, miss, rest = np.moveaxis(four, -1, 1) / k
        slopes = (false_alarm - rest)[:, None] + (miss - rest)
        diagonal(slopes)[...] = hit - rest
        return np.asarray((slopes + rest.sum(axis=0)).reshape(p.shape))

    return gradient
