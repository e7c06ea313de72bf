"""Items × labels of 0 and 1, dense or sparse: sums, products and rows, in blocks and without large copies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from informed._arrays import Array

Matrix: TypeAlias = Any  # a boolean array, or a sparse array of scipy in rows; both are (items, labels)
Ints: TypeAlias = NDArray[np.int64]

BYTES = 255  # rows whose sum fits a byte
NUMBERS = 1 << 18  # in work at once, so that they stay in the cache
SEED = 2003


def is_sparse(m: Matrix) -> bool:
    """Whether only the ones of a matrix are held."""
    return hasattr(m, "tocsr")


def blocks(m: Matrix, numbers: int = NUMBERS) -> Iterator[slice]:
    """Rows that are in work at once."""
    n, labels = m.shape
    rows = max(1, numbers // max(1, labels))
    return (slice(at, min(at + rows, n)) for at in range(0, n, rows))


def counts_of(y: Matrix, z: Matrix, w: Array | None = None) -> Array:
    """How often both, the first, and the second are 1 in each column: ``(3, labels)``; weighted where `w` is given."""
    if is_sparse(y) or is_sparse(z):
        y, z = sparse(y), sparse(z)
        return np.stack([_summed(m, w) for m in (y.multiply(z).tocsr(), y, z)])
    if w is None:
        return _counted(y.view(np.uint8), z.view(np.uint8))
    found = np.zeros((3, y.shape[1]))
    for part in blocks(y):
        a, b = y[part], z[part]
        found += [w[part] @ np.asarray(m, np.float64) for m in (a & b, a, b)]
    return found


def _summed(m: Matrix, w: Array | None) -> Array:
    return np.asarray(np.bincount(m.indices, minlength=m.shape[1]) if w is None else m.T @ w, np.float64)


def _counted(y: NDArray[np.uint8], z: NDArray[np.uint8]) -> Array:
    """Sums of bytes: those of 255 rows are bytes again, which are added many at once."""
    n, labels = y.shape
    found = np.zeros((3, labels), np.int64)
    step = BYTES * max(1, NUMBERS // (BYTES * max(1, labels)))
    both = np.empty((min(step, n), labels), np.uint8)
    for at in range(0, n, step):
        a, b = y[at : at + step], z[at : at + step]
        np.bitwise_and(a, b, out=both[: len(a)])
        for i, m in enumerate((both[: len(a)], a, b)):
            whole = len(m) // BYTES * BYTES
            in_bytes = np.add.reduce(m[:whole].reshape(-1, BYTES, labels), axis=1, dtype=np.uint8)
            found[i] += np.add.reduce(in_bytes, axis=0, dtype=np.int64)
            found[i] += np.add.reduce(m[whole:], axis=0, dtype=np.int64)
    return found.astype(np.float64)


def linear(y: Matrix, z: Matrix, both: Array, first: Array, second: Array) -> Array:
    """One number a row: the sum of what its labels add, where both, the first, or the second are 1."""
    if is_sparse(y) or is_sparse(z):
        y, z = sparse(y), sparse(z)
        return np.asarray(y.multiply(z).tocsr() @ both + y @ first + z @ second)
    found = np.empty(len(y))
    for part in blocks(y):
        a, b = y[part].astype(np.float64), z[part].astype(np.float64)
        found[part] = a @ first + b @ second
        np.multiply(a, b, out=a)
        found[part] += a @ both
    return found


def sparse(m: Matrix) -> Matrix:
    """The matrix in rows of its ones."""
    from scipy.sparse import csr_array

    return m if is_sparse(m) else csr_array(m.astype(np.int8))


def grams(y: Matrix, z: Matrix, both: Array, first: Array, second: Array, always: Array) -> Iterator[Any]:
    """What each row adds in each column, as `linear` adds them up, in blocks of rows; sparse without `always`."""
    if is_sparse(y) or is_sparse(z):
        from scipy.sparse import diags_array

        y, z = sparse(y), sparse(z)
        parts = ((y.multiply(z), both), (y, first), (z, second))
        yield sum(m @ diags_array(factor) for m, factor in parts if factor.any())
        return
    for part in blocks(y):
        a, b = y[part].astype(np.float64), z[part].astype(np.float64)
        yield a * b * both + a * first + b * second + always


def gram(m: Matrix) -> Array:
    """How often two columns are 1 together."""
    if is_sparse(m):
        ones = m.astype(np.float64)
        return np.asarray((ones.T @ ones).todense())
    found = np.zeros((m.shape[1],) * 2)
    for part in blocks(m):
        a = m[part].astype(np.float64)
        found += a.T @ a
    return found


def row_sums(m: Matrix) -> Array:
    """Ones in each row."""
    held = np.diff(m.indptr) if is_sparse(m) else np.count_nonzero(m, axis=1)
    return np.asarray(held, np.float64)


def hashes(m: Matrix) -> NDArray[np.uint64]:
    """A number for each row; those of different rows differ but for one chance in 2^64."""
    keys = np.random.default_rng(SEED).integers(0, 1 << 63, m.shape[1], dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    if not is_sparse(m):
        return np.concatenate([m[part].astype(np.uint64) @ keys for part in blocks(m)] or [np.zeros(0, np.uint64)])
    added = np.concatenate([np.zeros(1, np.uint64), np.cumsum(keys[m.indices], dtype=np.uint64)])
    return np.asarray(added[m.indptr[1:]] - added[m.indptr[:-1]])


def of_units(m: Matrix, unit: Ints, w: Array | None = None) -> Matrix:
    """Sums of the rows of each unit, which are numbered from 0, weighted where `w` is given."""
    from scipy.sparse import csr_array

    heavy = np.ones(len(unit)) if w is None else w
    which = csr_array((heavy, (unit, np.arange(len(unit)))), shape=(int(unit.max(initial=-1)) + 1, len(unit)))
    found = which @ (m if is_sparse(m) else m.astype(np.float64))
    return found.tocsr() if is_sparse(found) else np.asarray(found)


def squares(m: Matrix) -> Array:
    """Sums of the squares of each column."""
    if is_sparse(m):
        return np.asarray(np.bincount(m.indices, m.data.astype(np.float64) ** 2, minlength=m.shape[1]))
    return np.asarray(np.einsum("il,il->l", m, m), np.float64)


def same_ones(a: Matrix, b: Matrix) -> bool:
    """Whether two matrices hold the same."""
    if a.shape != b.shape:
        return False
    if is_sparse(a) or is_sparse(b):
        return bool((sparse(a) != sparse(b)).nnz == 0)
    return bool(np.array_equal(a, b))
