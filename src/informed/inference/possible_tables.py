"""Tables that can occur, each with its probability, or random ones: of n cases from a known truth,
and with given margins.

Neither numpy nor scipy lists those with given margins (`scipy.stats.random_table` draws them). One real
class is filled at a time, for many partly filled tables at once; the last is what is left over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array
from informed.evidence.table import Table

Ints = NDArray[np.int64]
_BLOCK = 10_000  # partly filled tables that are continued together
_STEPS = 1_000_000  # about as many ways to continue are held at once
_DRAWN = 1 << 20  # cells of random tables held at once: many classes must not need much memory


# ---------------------------------------------------------------------- of a known truth


def every_two_by_two(n: int) -> Array:
    """All tables of n cases in two classes, cells (predicted, real, tables).

    >>> every_two_by_two(1).shape
    (2, 2, 4)
    """
    a, b, c = (x.ravel() for x in np.mgrid[: n + 1, : n + 1, : n + 1])
    room = a + b + c <= n
    a, b, c = a[room], b[room], c[room]
    return np.array([[a, b], [c, n - a - b - c]], dtype=np.float64)


def chance_of(cells: Array, truth: Array) -> Array:
    """Probability of each table when cases fall into cells with these probabilities."""
    from scipy.special import gammaln, xlogy

    n = cells[..., :1].sum(axis=(0, 1))
    log = gammaln(n + 1) - gammaln(cells + 1).sum(axis=(0, 1))
    return np.asarray(np.exp(log + xlogy(cells, truth[..., None]).sum(axis=(0, 1))))


def drawn(rng: np.random.Generator, n: int, truth: Array, size: int) -> Array:
    """Tables of n cases from this truth, cells (..., tables) in the truth's own layout."""
    flat = rng.multinomial(n, (truth / truth.sum()).ravel(), size=size)
    return np.moveaxis(flat, 0, -1).reshape(*truth.shape, size).astype(np.float64)


def tables(cells: Array) -> Table:
    """A stack of square tables from cells (predicted, real, tables)."""
    labels = ("+", "−") if len(cells) == 2 else tuple(range(len(cells)))
    return Table(cells, labels, labels, "+" if len(cells) == 2 else None, axes=(None,) * (cells.ndim - 2))


# ---------------------------------------------------------------------- with given margins


def possible_hits(a: Array, b: Array, c: Array, d: Array) -> tuple[Array, Array]:
    """Every value of the first cell that the margins of 2x2 tables allow, ``(tables, values)``.

    With the logarithm of its weight, the tables in all of them; −∞ where a table has fewer values
    than others, and its least one stands again.
    """
    from scipy.special import gammaln

    low, high = np.maximum(0, a - d)[:, None], np.minimum(a + b, a + c)[:, None]
    hits: Array = low + np.arange(int((high - low).max()) + 1)
    possible = hits <= high
    hits = np.where(possible, hits, low)
    cells = hits, (a + b)[:, None] - hits, (a + c)[:, None] - hits, (d - a)[:, None] + hits
    return hits, np.where(possible, -sum(gammaln(x + 1) for x in cells), -np.inf)


def number_of_tables(predicted: Any, real: Any, limit: int) -> int | None:
    """How many tables have these margins; None where there are more than the limit.

    >>> number_of_tables([2, 1], [1, 2], 100), number_of_tables([50] * 4, [50] * 4, 10**6)
    (2, None)
    """
    rooms, sizes = _sorted_margins(predicted, real)
    room: Ints = rooms[None, :]
    ways: Array = np.ones(1)
    radix = _radix(rooms)
    if radix is None or about(predicted, real) > 100 * limit:
        return None
    for size in sizes[:-1]:
        if _number_of_ways(room, int(size), radix).sum() > limit:
            return None
        parent, chosen = filled(room, int(size))
        left = room[parent] - chosen  # tables with the same room left go on alike: merge them
        room, _, ways = _merged(left, np.zeros(len(left)), ways[parent], radix)
        if ways.sum() > limit:
            return None
    return int(ways.sum())


def about(predicted: Any, real: Any) -> Array:
    """Roughly how many tables have these margins (Good's formula), at no cost; ``(classes, ...)``.

    >>> round(float(about([5, 5], [5, 5])))  # there are 6
    5
    """
    from scipy.special import gammaln

    rows, columns = np.asarray(predicted, dtype=float), np.asarray(real, dtype=float)
    r, c = (rows > 0).sum(axis=0), (columns > 0).sum(axis=0)

    def log_choose(n: Any, k: Any) -> Any:
        return gammaln(n + k) - gammaln(n + 1) - gammaln(k)

    each = log_choose(rows, c).sum(axis=0) + log_choose(columns, r).sum(axis=0)
    return np.asarray(np.exp(np.minimum(each - log_choose(rows.sum(axis=0), r * c), 700.0)))


def chances(predicted: Any, real: Any, budget: int) -> tuple[Array, Array] | None:
    """Logarithms of the chances of all tables with these margins, and how many have each.

    Partly filled tables with the same room left and the same chance so far go on alike, so that
    they are counted together; None where that still takes more steps than the budget.
    """
    from scipy.special import gammaln

    rooms, sizes = _sorted_margins(predicted, real)
    radix = _radix(rooms)
    if radix is None or about(predicted, real) > 100 * budget:
        return None
    log_factorial, constant = _log_factorials(rooms, sizes)
    room: Ints = rooms[None, :]
    ways: Array = np.ones(1)
    log = np.full(1, constant)
    for size in sizes[:-1]:
        most = float(np.exp(gammaln(size + len(rooms)) - gammaln(size + 1) - gammaln(len(rooms))))
        block = max(1, int(_STEPS / most))  # tables continued at a time, to bound the memory
        budget -= int(_number_of_ways(room, int(size), radix).sum())
        if budget < 0:
            return None
        parts = []
        for start in range(0, len(room), block):
            part = slice(start, start + block)
            parent, chosen = filled(room[part], int(size))
            left = room[part][parent] - chosen
            so_far = log[part][parent] - log_factorial[chosen].sum(axis=1)
            parts.append(_merged(left, so_far, ways[part][parent], radix))
        room, log, ways = (np.concatenate(x) for x in zip(*parts, strict=True))
        room, log, ways = _merged(room, log, ways, radix)
    return log - log_factorial[room].sum(axis=1), ways


def _merged(room: Ints, log: Array, ways: Array, radix: Ints) -> tuple[Ints, Array, Array]:
    """Partly filled tables with the same room and the same chance, counted together."""
    both = (room @ radix) + 1j * np.round(log, 9)  # two numbers in one that sorts by both
    _, first, which = np.unique(both, return_index=True, return_inverse=True)
    return room[first], log[first], np.bincount(which, weights=ways).astype(np.float64)


def tables_with_margins(predicted: Any, real: Any) -> Iterator[tuple[Array, Array]]:
    """Blocks of tables, cells (predicted, real, tables), with the logarithms of their chances."""
    rooms, sizes = _sorted_margins(predicted, real)
    back = np.argsort(np.argsort(np.asarray(real), kind="stable"))
    log_factorial, constant = _log_factorials(rooms, sizes)

    def walk(room: Ints, done: list[Ints], weight: Array, step: int) -> Iterator[Any]:
        if step == len(sizes) - 1:
            cells = np.stack([*done, room])[back]
            yield cells.transpose(2, 0, 1).astype(np.float64), weight - log_factorial[room].sum(1)
            return
        for start in range(0, len(room), _BLOCK):
            part = slice(start, start + _BLOCK)
            parent, chosen = filled(room[part], int(sizes[step]))
            yield from walk(
                room[part][parent] - chosen,
                [*(column[part][parent] for column in done), chosen],
                weight[part][parent] - log_factorial[chosen].sum(axis=1),
                step + 1,
            )

    yield from walk(rooms[None, :], [], np.full(1, constant), 0)


def _sorted_margins(predicted: Any, real: Any) -> tuple[Ints, Ints]:
    return np.asarray(predicted, dtype=np.int64), np.sort(np.asarray(real, dtype=np.int64))


def _log_factorials(rooms: Ints, sizes: Ints) -> tuple[Array, float]:
    """Of all numbers up to N; and the logarithm of the margins' share in a table's chance."""
    from scipy.special import gammaln

    log = gammaln(np.arange(int(sizes.sum()) + 1) + 1.0)
    return log, float(log[rooms].sum() + log[sizes].sum() - log[-1])


def _radix(rooms: Ints) -> Ints | None:
    """Weights that turn the room left in each row into one number of its own."""
    radix = np.cumprod(np.concatenate([[1.0], rooms + 1.0]))
    return None if radix[-1] > 2**52 else np.asarray(radix[:-1], dtype=np.int64)


def _number_of_ways(room: Ints, size: int, radix: Ints) -> Array:
    """How many ways there are to put `size` cases into rows with this much room, uncounted."""
    _, first, which = np.unique(room @ radix, return_index=True, return_inverse=True)
    rooms = room[first]
    ways = np.zeros((len(rooms), size + 1))
    ways[:, 0] = 1.0
    for row in range(rooms.shape[1]):  # put 0, 1, ... up to the room into one row more
        total = np.concatenate([np.zeros((len(rooms), 1)), ways.cumsum(axis=1)], axis=1)
        since = np.maximum(np.arange(size + 1) - rooms[:, row : row + 1], 0)
        ways = total[:, 1:] - np.take_along_axis(total, since, axis=1)
    return np.asarray(ways[which, size])


def filled(room: Ints, size: int | Ints) -> tuple[Ints, Ints]:
    """Every way to put `size` cases into rows with this much room, for each of many tables.

    Gives the table each way continues, and the numbers put into its rows."""
    tables, rows = room.shape
    later = np.zeros((tables, rows + 1), dtype=np.int64)
    later[:, :-1] = room[:, ::-1].cumsum(axis=1)[:, ::-1]
    parent, left = np.arange(tables), np.full(tables, size, dtype=np.int64)
    chosen: list[Ints] = []
    for row in range(rows):
        low = np.maximum(0, left - later[parent, row + 1])
        ways = np.minimum(room[parent, row], left) - low + 1
        at = np.repeat(np.arange(len(parent)), ways)
        value = low[at] + np.arange(len(at)) - np.repeat(np.cumsum(ways) - ways, ways)
        parent, left = parent[at], left[at] - value
        chosen = [*(c[at] for c in chosen), value]
    return parent, np.stack(chosen, axis=1)


def random_tables(rows: Array, columns: Array, n_draws: int, generator: np.random.Generator) -> Iterator[Array]:
    """Random tables with these margins, (predicted, real, draws), some at a time."""
    from scipy.stats import random_table

    law = random_table(rows.astype(int), columns.astype(int))
    at_once = max(1, _DRAWN // (len(rows) * len(columns)))
    for start in range(0, n_draws, at_once):
        drawn = law.rvs(min(at_once, n_draws - start), random_state=generator)
        yield np.moveaxis(drawn, 0, -1).astype(np.float64)
