"""Any container of labels as a column of integers, at the speed of its own library.

Nothing is imported that the caller has not imported: an object is recognised by the package of
its class.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed._numbers import position
from informed.errors import LabelError
from informed.evidence.checks import in_reach
from informed.evidence.histogram import BLOCK, Codes, cores
from informed.evidence.label_policy import Side
from informed.evidence.labels import Labels, canonical, is_missing, native, package, text, too_fine

FEW = 256  # distinct values up to which `encoded` keeps its collision-free table
WORDS = 16  # fixed-width text up to this many 8-byte words is read as numbers


@dataclass(frozen=True)
class Column:
    """Case i has the label `names[codes[i]]`, or `codes[i]` itself where there are no names.

    A negative code into names is a missing label; so is a name that is missing.
    """

    codes: Codes
    names: list[Any] | None = None
    levels: Labels | None = None  # in order, where the type of the column declares one

    def __len__(self) -> int:
        return len(self.codes)

    def dense(self) -> Column:
        """The same labels, numbered without gaps."""
        codes, keys = encoded(self.codes)
        return Column(codes, self._raw(keys), self.levels)

    def side(self, codes: Codes | None = None) -> Side:
        """The labels of all cases, or those that these codes stand for, for the label policy."""
        if codes is None:
            dense = self if self.names is not None else self.dense()
            return Side(dense.codes, dense.names or [], self.levels)
        inverse, keys = renumbered(codes)
        return Side(inverse, self._raw(keys), self.levels)

    def missing(self) -> list[int]:
        """Where the first missing labels are."""
        if self.names is None:
            return []
        absent = [i for i, name in enumerate(self.names) if is_missing(name)]
        gone = (self.codes < 0) | np.isin(self.codes, absent)
        return [int(i) for i in np.flatnonzero(gone)[:3]]

    def _raw(self, keys: Codes) -> list[Any]:
        raw: list[Any] = keys.tolist()
        if self.names is None:
            return raw
        return [self.names[k] if k >= 0 else None for k in raw]


def column(x: Any, name: str) -> Column:
    """Labels in any container as a column; `name` is what messages call it."""
    if x is None or isinstance(x, (str, bytes)):
        raise LabelError(f"`{name}` is {text(x)}; a sequence with one label per case is needed.")
    if isinstance(x, (Mapping, Set)):
        raise LabelError(
            f"`{name}` is a {type(x).__name__}, which has no order of cases; "
            "a sequence with one label per case is needed."
        )
    _check_shape(x, name)
    if isinstance(x, (list, tuple)):
        return _by_hash(x, name)
    if isinstance(x, np.ma.MaskedArray):
        return _masked(np.asarray(x.data), np.ma.getmaskarray(x), name)
    if isinstance(x, np.ndarray):
        return _from_numpy(np.asarray(x), name)
    if reader := READERS.get(package(x)):
        return reader(x, name)
    if hasattr(x, "__array__") or hasattr(x, "__dlpack__"):
        return _from_numpy(_as_numpy(x, name), name)
    if isinstance(x, range):
        return _from_numpy(np.asarray(x), name)
    if isinstance(x, Iterable):
        return _by_hash(list(x), name)
    raise LabelError(f"`{name}` is a {type(x).__name__}; a sequence with one label per case is needed.")


def _check_shape(x: Any, name: str) -> None:
    shape = getattr(x, "shape", None)
    if not isinstance(shape, tuple) or len(shape) == 1:
        return
    if len(shape) == 0:
        raise LabelError(f"`{name}` is the single value {text(x)}; a sequence with one label per case is needed.")
    if len(shape) == 2 and shape[1] == 1:
        raise LabelError(
            f"`{name}` has shape {tuple(map(int, shape))}; one label per case is needed. A single column becomes "
            "labels with `ravel()`."
        )
    if len(shape) == 2 and _are_shares(x):
        raise LabelError(
            f"`{name}` has shape {tuple(map(int, shape))} and holds shares; one label per case is needed. What "
            f"`predict_proba` gives becomes labels with `model.classes_[{name}.argmax(axis=1)]`; "
            "`informed.probabilities` judges it as it is."
        )
    raise LabelError(
        f"`{name}` has shape {tuple(map(int, shape))}; one label per case is needed. One-hot columns become labels "
        "with `argmax(axis=1)`; items of several labels each are tags: informed.Tags.from_labels(real=…, predicted=…), "
        "of two systems or more with predicted={'a': …, 'b': …}."
    )


def _are_shares(x: Any) -> bool:
    """Whether these are numbers from 0 to 1, some of them between."""
    try:
        held = np.asarray(x)
        return held.dtype.kind == "f" and bool(held.min() >= 0 and held.max() <= 1 and (held != np.rint(held)).any())
    except (TypeError, ValueError, RuntimeError):
        return False


def _as_numpy(x: Any, name: str) -> NDArray[Any]:
    try:
        array = np.asarray(x) if hasattr(x, "__array__") else np.from_dlpack(x)
    except (TypeError, RuntimeError, BufferError) as error:
        raise LabelError(
            f"`{name}` is a {type(x).__name__} that numpy cannot read ({error}); "
            "move it to the CPU and detach it first."
        ) from error
    _check_shape(array, name)
    return array


# ---------------------------------------------------------------- Python objects


def _by_hash(values: Any, name: str) -> Column:
    """Labels numbered by a dict, in a loop that runs in C."""
    index: defaultdict[Hashable, int] = defaultdict()
    index.default_factory = index.__len__
    try:
        try:
            codes = np.frombuffer(bytes(map(index.__getitem__, values)), np.uint8)
        except ValueError:  # more than 256 labels
            codes = np.fromiter(map(index.__getitem__, values), np.int32, len(values))
    except TypeError:
        for value in values:
            if not is_missing(value):
                canonical(value)  # says which one cannot be hashed
        if not any(map(is_missing, values)):
            raise
        return _by_hash([None if is_missing(value) else value for value in values], name)
    return Column(codes, list(index))


# ---------------------------------------------------------------- numpy


def _from_numpy(x: NDArray[Any], name: str) -> Column:
    kind = x.dtype.kind
    if not x.dtype.isnative:
        x = x.astype(x.dtype.newbyteorder("="))
    if kind in "iu":
        return Column(x)
    if kind == "b":
        return Column(x.view(np.uint8), [False, True])
    if kind == "f":
        return _from_floats(x, name)
    if kind in "mM":
        codes, keys = encoded(x.view(np.int64))
        return Column(codes, list(keys.view(x.dtype)))
    if kind in "US":
        return _from_words(x) or _by_hash(x.tolist(), name)
    return _by_hash(x.tolist(), name)


def _from_floats(x: NDArray[Any], name: str) -> Column:
    whole = np.empty(len(x), np.int64)
    for at in range(0, len(x), BLOCK):
        part, block = whole[at : at + BLOCK], x[at : at + BLOCK]
        with np.errstate(invalid="ignore"):
            np.copyto(part, block, casting="unsafe")
        if not np.array_equal(part, block):
            break
    else:
        return Column(whole)
    nan = np.isnan(x)
    if nan.any():
        return _masked(x, nan, name)
    canonical(block[part != block][0])  # a score, unless it is whole and beyond an int64
    return _by_hash(x.tolist(), name)


def _masked(x: NDArray[Any], mask: NDArray[np.bool_], name: str) -> Column:
    """Labels of which some are missing, whatever lies under the mask."""
    if not mask.any():
        return _from_numpy(x, name)
    if mask.all():
        return Column(np.full(len(x), -1), [])
    filled = x.copy()
    filled[mask] = x[~mask][0]
    dense = _from_numpy(filled, name).dense()
    return Column(np.where(mask, -1, dense.codes), dense.names)


def _from_words(x: NDArray[Any]) -> Column | None:
    """Fixed-width text, read as 8-byte numbers; None where that would be slow."""
    width, unit = x.dtype.itemsize, 4 if x.dtype.kind == "U" else 1
    words = -(-width // 8)
    if not 0 < words <= WORDS:
        return None
    x = np.ascontiguousarray(x.astype(f"{x.dtype.kind}{words * 8 // unit}", copy=False))
    codes, kinds = np.zeros(len(x), np.int64), 1
    for word in x.view(np.uint64).reshape(len(x), words).T:
        part, keys = encoded(word)
        if len(keys) == 1:
            continue
        codes, found = encoded(codes * len(keys) + part) if kinds > 1 else (part, keys)
        kinds = len(found)
        if kinds > FEW:
            return None
        codes = codes.astype(np.int64)
    return Column(codes, x[first_rows(codes, kinds)].tolist())


def first_rows(codes: Codes, kinds: int) -> NDArray[np.int64]:
    """The first row of each of so many kinds; of one without a row, how many rows there are.

    >>> first_rows(np.array([1, 0, 1]), 3).tolist()
    [1, 0, 3]
    """
    first = np.full(kinds, len(codes), np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # the first row of each is written last
    return first


def renumbered(codes: Codes) -> tuple[Codes, Codes]:
    """Places among the distinct ones, which are sorted; near each other they are counted, not sorted.

    >>> [x.tolist() for x in renumbered(np.array([7, -1, 9, 7]))]
    [[1, 0, 2, 1], [-1, 7, 9]]
    """
    low, high = (int(codes.min()), int(codes.max())) if len(codes) else (0, -1)
    span = high - low + 1  # of Python's integers, which do not overflow
    if span > len(codes) or codes.dtype == np.uint64:
        keys, inverse = np.unique(codes, return_inverse=True)
        return inverse, keys
    seen = np.bincount(codes - low, minlength=span) > 0
    return (np.cumsum(seen) - 1)[codes - low], np.flatnonzero(seen) + low


def encoded(values: Codes) -> tuple[Codes, Codes]:
    """Integers of any size as positions in an array of the distinct ones.

    A few values are found by a multiplication that happens to send them to different places of
    a small table: several times faster than sorting.

    >>> codes, keys = encoded(np.array([7, -1, 10**12, 7]))
    >>> keys[codes].tolist()
    [7, -1, 1000000000000, 7]
    """
    wide = values.astype(np.int64, copy=False) if values.dtype.kind == "i" else values
    bits = wide.astype(np.uint64, copy=False) if wide.dtype.kind == "u" else wide.view(np.uint64)
    keys = np.unique(bits[:: max(1, len(bits) // 1024)])
    codes = np.empty(len(bits), np.int16)
    table, at = None, 0
    while at < len(bits):
        if len(keys) > FEW:
            found, inverse = np.unique(values, return_inverse=True)
            return inverse, found
        table = table or _places(keys)
        numbers, factor, shift = table
        block = bits[at : at + BLOCK]
        if len(keys) == 1:
            part: Codes = np.zeros(len(block), np.int16)
            unknown = block != keys[0]
        else:
            part = numbers[(block * factor) >> shift]
            unknown = keys[part] != block
        if unknown.any():
            keys, table = np.append(keys, np.unique(block[unknown])), None
            continue
        codes[at : at + BLOCK] = part
        at += BLOCK
    return codes, keys.astype(values.dtype) if wide.dtype.kind == "u" else keys.view(np.int64)


def _places(keys: NDArray[np.uint64]) -> tuple[NDArray[np.int16], np.uint64, np.uint64]:
    """A table in which each key, times the factor and shifted, finds its number."""
    rng = np.random.default_rng(0)
    size = 2 * max(1, (len(keys) - 1).bit_length()) + 2  # a birthday problem won at first sight
    shift = np.uint64(64 - size)
    while True:
        factor = rng.integers(0, 1 << 63, dtype=np.uint64) << np.uint64(1) | np.uint64(1)
        places = (keys * factor) >> shift
        if len(np.unique(places)) == len(keys):
            numbers = np.zeros(1 << size, np.int16)
            numbers[places] = np.arange(len(keys))
            return numbers, factor, shift


# ---------------------------------------------------------------- other libraries


def _from_pandas(x: Any, name: str) -> Column:
    if hasattr(x, "levels"):  # MultiIndex: labels are tuples
        return _by_hash(list(x), name)
    array = getattr(x, "array", x)
    if hasattr(array, "categories"):
        names = array.categories.tolist()
        return Column(array.codes, names, _declared(names) if array.ordered else None)
    dtype = array.dtype
    if isinstance(dtype, np.dtype):
        return _from_numpy(np.asarray(x), name)
    if _in_arrow(dtype):
        return _from_pyarrow(array.__arrow_array__(), name)
    if numpy_dtype := getattr(dtype, "numpy_dtype", None):  # Int64, boolean, Float64
        values = array.to_numpy(dtype=numpy_dtype, na_value=0)
        return _masked(values, np.asarray(array.isna()), name)
    return _by_hash(list(array), name)


def _in_arrow(dtype: Any) -> bool:
    """Whether pandas holds a column of this type as an Arrow array."""
    return type(dtype).__name__ == "ArrowDtype" or getattr(dtype, "storage", "") == "pyarrow"


def _from_pyarrow(x: Any, name: str) -> Column:
    pa: Any = sys.modules["pyarrow"]

    kinds = pa.types
    if not isinstance(x, (pa.Array, pa.ChunkedArray)):
        raise LabelError(f"`{name}` is a pyarrow {type(x).__name__}; one column of labels is needed.")
    plain = kinds.is_integer(x.type) or kinds.is_boolean(x.type) or kinds.is_floating(x.type)
    if plain and not x.null_count:
        array = x if isinstance(x, pa.ChunkedArray) else pa.chunked_array([x])
        return _from_numpy(array.to_numpy(), name)
    if not kinds.is_dictionary(x.type):
        try:
            x = _numbered_by_arrow(x)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):  # nested labels
            return _by_hash(x.to_pylist(), name)
    if str(x.type.value_type) == "time64[ns]":
        _refuse_finer_times(x)
    chunks = x.unify_dictionaries().chunks if isinstance(x, pa.ChunkedArray) else [x]
    if not chunks:
        return Column(np.empty(0, np.int64), [])
    codes = [_indices(c) for c in chunks]
    held = chunks[-1].dictionary
    whole = kinds.is_duration(held.type) or (kinds.is_timestamp(held.type) and held.type.tz is None)
    names = list(held.to_numpy(zero_copy_only=False)) if whole else held.to_pylist()
    levels = _declared(names) if x.type.ordered else None
    return Column(codes[0] if len(codes) == 1 else np.concatenate(codes), names, levels)


def _refuse_finer_times(x: Any) -> None:
    """Refuse times of the day that Python would cut to microseconds."""
    pa: Any = sys.modules["pyarrow"]

    for chunk in x.chunks if isinstance(x, pa.ChunkedArray) else [x]:
        held = chunk.dictionary.drop_null().cast(pa.int64())
        if (np.asarray(held) % 1000).any():
            raise too_fine("a time of the day")


def arrow_text(x: Any) -> Any:
    """The Arrow column behind an Arrow array or pandas Series of text; None of anything else."""
    if package(x) == "narwhals":
        return arrow_text(x.to_native())
    if package(x) == "pandas":
        if not _in_arrow(getattr(x, "dtype", None)):
            return None
        x = getattr(x, "array", x).__arrow_array__()
    if package(x) != "pyarrow" or type(x).__name__ not in ("ChunkedArray", "StringArray"):
        return None
    return x if str(x.type) in ("string", "large_string") else None


def _numbered_by_arrow(x: Any) -> Any:
    """Labels with a dictionary; long columns in parts, on all cores as Arrow's own grouping."""
    pa: Any = sys.modules["pyarrow"]

    parts = min(cores(), 1 + len(x) // (2 * BLOCK))
    if parts == 1:
        return x.dictionary_encode()
    ends = np.linspace(0, len(x), parts + 1).astype(int).tolist()
    with ThreadPoolExecutor(parts) as pool:
        found = list(pool.map(lambda a, b: x[a:b].dictionary_encode(), ends[:-1], ends[1:]))
    return pa.chunked_array([c for part in found for c in getattr(part, "chunks", [part])])


def _indices(chunk: Any) -> Codes:
    """Numbers into the dictionary of a chunk, -1 where a label is missing."""
    pa: Any = sys.modules["pyarrow"]

    held = chunk.indices
    return np.asarray(held.cast(pa.int32()).fill_null(-1) if held.null_count else held)


def _from_polars(x: Any, name: str) -> Column:
    pl: Any = sys.modules["polars"]

    if is_plain(x):
        return _from_numpy(x.to_numpy(), name)
    if x.dtype == pl.Enum:
        levels = x.dtype.categories.to_list()
        codes = x.to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
        return Column(codes, levels, _declared(levels))
    if x.dtype in (pl.Datetime("ns"), pl.Duration("ns")):
        return _from_numpy(x.to_numpy(), name)
    if (x.dtype == pl.Time or str(x.dtype).startswith("Datetime(time_unit='ns'")) and bool(
        (x.dt.nanosecond() % 1000 != 0).any()
    ):
        raise too_fine("a time of the day" if x.dtype == pl.Time else "a time with a zone")
    if x.dtype not in (pl.String, pl.Categorical):
        return _by_hash(x.to_list(), name)
    names = x.unique().drop_nulls().cast(pl.String)
    codes = x.cast(pl.String).cast(pl.Enum(names)).to_physical().cast(pl.Int32).fill_null(-1)
    return Column(codes.to_numpy(), names.to_list())


def _declared(levels: list[Any]) -> Labels | None:
    """The levels of an ordered type, as labels."""
    return None if any(map(is_missing, levels)) else tuple(map(native, levels))


def is_plain(x: Any) -> bool:
    """Polars numbers or bools without a null: numpy reads them as they lie."""
    pl: Any = sys.modules["polars"]

    numeric = x.dtype.is_numeric() and not str(x.dtype).endswith("128")
    return bool((numeric or x.dtype == pl.Boolean) and not x.null_count())


READERS: dict[str, Callable[[Any, str], Column]] = {
    "pandas": _from_pandas,
    "pyarrow": _from_pyarrow,
    "polars": _from_polars,
    "narwhals": lambda x, name: column(x.to_native(), name),
}


def floats(x: Any, name: str, length: int) -> NDArray[np.float64]:
    """Weights: finite, non-negative, one per case."""
    if isinstance(x, (str, bytes, Mapping, Set)) or not isinstance(x, Iterable):
        raise LabelError(f"`{name}` is {text(x)}; one number per case is needed.")
    if np.ma.is_masked(x):
        raise LabelError(f"`{name}` holds masked numbers; one number per case is needed.")
    array = np.asarray(x if hasattr(x, "__array__") or hasattr(x, "__len__") else list(x))
    if array.ndim != 1 or len(array) != length:
        raise LabelError(f"`{name}` has shape {array.shape} for {length} cases; one number per case is needed.")
    if array.dtype.kind == "O" and not any(isinstance(v, (str, bytes)) for v in array):
        with suppress(TypeError, ValueError):
            array = array.astype(np.float64)
    if array.dtype.kind not in "biuf":
        raise LabelError(f"`{name}` holds {text(array[0])}; one number per case is needed.")
    array = np.asarray(array, dtype=np.float64)
    if not (array.min(initial=0) >= 0 and array.max(initial=0) < np.inf):
        at = int(np.flatnonzero(~((array >= 0) & (array < np.inf)))[0])
        raise LabelError(f"`{name}` holds {array[at]} at {position(at)}; weights must be finite and not negative.")
    return in_reach(array, name)
