"""Tags of items in any form as a matrix of 0 and 1 with its labels: the form is told by its shape."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from informed.errors import LabelError
from informed.evidence.label_order import ordered
from informed.evidence.labels import Labels, is_missing, native, package, some, text
from informed.evidence.tags_matrix import Matrix, is_sparse

SEPARATORS = (";", "|", ",")
PROBABILITIES = "looks like probabilities: give `threshold=`, or use `informed.probabilities`"


@dataclass(frozen=True)
class TagForm:
    """How tags are written: what separates them in text, which columns of a long frame they stand in."""

    separator: str | None = None
    item: Any = None
    tag: Any = None
    items: Any = None
    threshold: float | None = None


@dataclass(frozen=True)
class Ones:
    """Where the ones are: a matrix with the names of its columns (None: they have none), and rows that are missing."""

    held: Matrix
    labels: Labels | None
    missing: NDArray[np.bool_]
    fixed: bool = False  # a label without a column is a mistake, not a tag that nothing has


def ones_of(x: Any, name: str, form: TagForm) -> Ones:
    """Tags of items in any form."""
    if isinstance(x, (str, bytes, Mapping)) or x is None:
        raise LabelError(f"`{name}` is {text(x)}; the tags of one item after the other are needed.")
    if form.item is not None:
        return _from_long(x, name, form)
    if is_sparse(x):
        return _from_sparse(x, name)
    if hasattr(x, "columns"):
        return _from_frame(x, name, form)
    if len(getattr(x, "shape", ())) == 2:
        return rows_of(np.asarray(x), name, form)
    x = _listed(x)
    return _from_lists(x, name, form) if (rows := _number_rows(x, name)) is None else rows_of(rows, name, form)


def are_rows(x: Any) -> bool:
    """Whether something is items × labels, and not one label an item: an array of two columns at least, or lists.

    >>> are_rows([[0, 1], [1, 1]]), are_rows(np.zeros((3, 2))), are_rows([0, 1]), are_rows(np.zeros((3, 1)))
    (True, True, False, False)
    """
    if is_sparse(x):
        return True
    if isinstance(x, (list, tuple)):
        return bool(x) and isinstance(x[0], (list, set, np.ndarray))
    shape: tuple[int, ...] = getattr(x, "shape", ())
    return len(shape) == 2 and shape[1] > 1


def rows_of(x: NDArray[Any], name: str, form: TagForm) -> Ones:
    """An array of items × labels."""
    return _whole(_zero_one(x, name, form), None)


def _number_rows(x: Sequence[Any], name: str) -> NDArray[Any] | None:
    """Rows of 0 and 1, or of scores, that were typed as lists; None where they are lists of tags."""
    first = x[0] if len(x) else None
    if not isinstance(first, (list, tuple)) or not first or not isinstance(first[0], (bool, int, float, np.number)):
        return None
    if any(not isinstance(row, (list, tuple)) or len(row) != len(first) for row in x):
        return None
    held = np.asarray(x)
    if held.dtype.kind not in "biuf" or (held.dtype.kind != "b" and not ((held >= 0) & (held <= 1)).all()):
        return None
    if held.shape[1] > 1:
        return held
    raise LabelError(
        f"`{name}` holds lists of one number each, 0 or 1: one column, or one tag an item? Give an array for a column "
        "(`numpy.array`), or tags as text."
    )


def together(sides: Mapping[str, Ones], labels: Sequence[Hashable] | None) -> tuple[dict[str, Ones], Labels]:
    """All sides with the same labels in the same order, each column by its name."""
    first = next(iter(sides))
    rows = {name: side.held.shape[0] for name, side in sides.items()}
    for name, n in rows.items():
        if n != rows[first]:
            raise LabelError(f"`{name}` has {n:,} items and `{first}` {rows[first]:,}; both are of the same items.")
    _same_columns(sides)
    bare = [name for name, side in sides.items() if side.labels is None]
    if bare:
        widths = {name: side.held.shape[1] for name, side in sides.items()}
        known = next((side.labels for side in sides.values() if side.labels is not None), None)
        given = tuple(map(native, labels)) if labels is not None else known
        given = tuple(range(widths[bare[0]])) if given is None else given
        for name in bare:
            if widths[name] != len(given):
                raise LabelError(
                    f"`{name}` has {widths[name]} columns for {len(given)} labels; one column a label is needed."
                )
        sides = {name: replace(side, labels=given) if name in bare else side for name, side in sides.items()}
    whole = tuple(map(native, labels)) if labels is not None else _all_labels(sides)
    if len(set(whole)) < len(whole):
        raise LabelError(f"`labels` names {text(_twice(whole))} more than once.")
    return {name: _in_order(side, name, whole) for name, side in sides.items()}, whole


def _same_columns(sides: Mapping[str, Ones]) -> None:
    """Refuse frames whose columns are not the same labels."""
    fixed = {name: side.labels or () for name, side in sides.items() if side.fixed}
    for name, labels in fixed.items():
        for other, others in fixed.items():
            if lone := [x for x in labels if x not in set(others)]:
                raise LabelError(
                    f"`{name}` has a column {text(lone[0])} and `{other}` has none; both need one column a label."
                )


def _all_labels(sides: Mapping[str, Ones]) -> Labels:
    seen = dict.fromkeys(chain.from_iterable(side.labels or () for side in sides.values()))
    return next((side.labels for side in sides.values() if side.labels == tuple(seen)), None) or ordered(seen)


def _twice(labels: Sequence[Hashable]) -> Hashable:
    seen: set[Hashable] = set()
    return next(x for x in labels if x in seen or seen.add(x))  # type: ignore[func-returns-value]


def _in_order(side: Ones, name: str, labels: Labels) -> Ones:
    """The columns in the order of the labels; those that are not there are empty."""
    from scipy.sparse import csr_array

    assert side.labels is not None
    if side.labels == labels:
        return side
    place = {label: i for i, label in enumerate(labels)}
    strange = [x for x in side.labels if x not in place]
    if strange:
        raise LabelError(f"`{name}` holds the tag {text(strange[0])}, which is none of `labels` ({some(labels)}).")
    at = np.array([place[x] for x in side.labels], np.int64)
    if is_sparse(side.held):
        m = side.held
        moved = csr_array((m.data, at[m.indices], m.indptr), shape=(m.shape[0], len(labels)))
        moved.sort_indices()
        return replace(side, held=moved, labels=labels)
    found = np.zeros((len(side.held), len(labels)), np.bool_)
    found[:, at] = side.held
    return replace(side, held=found, labels=labels)


# ---------------------------------------------------------------- columns of 0 and 1


def _whole(held: Matrix, labels: Labels | None) -> Ones:
    return Ones(held, labels, np.zeros(held.shape[0], np.bool_))


def _zero_one(x: NDArray[Any], name: str, form: TagForm = TagForm()) -> NDArray[np.bool_]:
    """An array of 0 and 1 as one of bools; of scores only with a threshold."""
    if x.dtype.kind == "b":
        return np.ascontiguousarray(x)
    if x.dtype.kind == "O":
        try:
            x = x.astype(np.float64)
        except (TypeError, ValueError):
            raise LabelError(
                f"`{name}` is an array of objects that are not 0 or 1; give lists of tags instead."
            ) from None
    if x.dtype.kind not in "iuf":
        raise LabelError(f"`{name}` holds {text(x.ravel()[:1].tolist()[0])}; columns of tags hold 0 and 1.")
    if x.dtype.kind == "f" and np.isnan(x).any():
        raise LabelError(f"`{name}` holds NaN; columns of tags hold 0 and 1, and an item without tags has zeros.")
    if form.threshold is not None and name != "real":
        return np.asarray(x >= form.threshold)
    ones = x == 1
    if np.count_nonzero(ones) < np.count_nonzero(x):
        seen = x[~ones & (x != 0)][0]
        why = f"which {PROBABILITIES}" if 0 < seen < 1 else "and columns of tags hold 0 and 1"
        raise LabelError(f"`{name}` holds {seen:g}, {why}.")
    return np.asarray(ones)


def _from_sparse(x: Any, name: str) -> Ones:
    from scipy.sparse import csr_array

    m = csr_array(x)
    if m is x or np.shares_memory(m.data, x.data):
        m = m.copy()
    m.sum_duplicates()
    m.eliminate_zeros()
    if m.nnz and not (m.data == 1).all():
        seen = m.data[m.data != 1][0]
        why = f"which {PROBABILITIES}" if 0 < seen < 1 else "and columns of tags hold 0 and 1"
        raise LabelError(f"`{name}` holds {seen:g}, {why}.")
    m.sort_indices()
    m.data = np.ones(m.nnz, np.int8)
    return _whole(m, None)


def _from_frame(x: Any, name: str, form: TagForm) -> Ones:
    """A data frame with one column of 0 and 1 for each label."""
    columns = [native(c) for c in (x.column_names if package(x) == "pyarrow" else list(x.columns))]
    if not columns:
        raise LabelError(f"`{name}` has no columns; one a label is needed.")
    raw = x.column_names if package(x) == "pyarrow" else list(x.columns)
    held = [_zero_one(_numbers(x[c], name, label), name, form) for c, label in zip(raw, columns, strict=True)]
    return replace(_whole(np.stack(held, axis=1), tuple(columns)), fixed=True)


def _numbers(column: Any, name: str, label: Any) -> NDArray[Any]:
    found = np.asarray(column)
    if found.dtype.kind in "OUS":
        known = {"0": 0, "1": 1, "false": 0, "true": 1}
        values = [None if is_missing(v) else known.get(str(v).strip().lower(), v) for v in found.tolist()]
        if any(v is None for v in values):
            raise LabelError(f"The column {text(label)} of `{name}` has a missing value; 0 or 1 is needed.")
        if not all(isinstance(v, (bool, int, float, np.number)) for v in values):
            odd = next(v for v in values if not isinstance(v, (bool, int, float, np.number)))
            raise LabelError(f"The column {text(label)} of `{name}` holds {text(odd)}; columns of tags hold 0 and 1.")
        found = np.asarray(values)
    return found


# ---------------------------------------------------------------- lists of tags


def _listed(x: Any) -> Sequence[Any]:
    """One entry an item, lists as Python's own."""
    if package(x) == "pyarrow":
        return list(x.to_pylist())
    if package(x) == "polars":
        return list(x.to_list())
    if package(x) == "narwhals":
        return _listed(x.to_native())
    return x if isinstance(x, (list, tuple)) else list(x)


def _from_lists(x: Sequence[Any], name: str, form: TagForm) -> Ones:
    missing = np.fromiter((is_missing(v) for v in x), np.bool_, len(x))
    plain = [v for v in x if isinstance(v, (str, bytes))]
    if len(plain) == len(x) - int(missing.sum()) and plain:
        x = _split([() if gone else v for v, gone in zip(x, missing.tolist(), strict=True)], name, form.separator)
    elif plain:
        raise LabelError(f"`{name}` holds text ({text(plain[0])}) beside lists of tags; one form is needed.")
    odd = next((v for v, gone in zip(x, missing.tolist(), strict=True) if not gone and not _is_several(v)), None)
    if odd is not None:
        raise LabelError(
            f"`{name}` holds {text(odd)}, which is no list of tags: one set, list or tuple an item is needed, or text "
            "with `separator=`."
        )
    x = [() if gone else v for v, gone in zip(x, missing.tolist(), strict=True)]
    lengths = np.fromiter(map(len, x), np.int64, len(x))
    return replace(
        _coded(np.repeat(np.arange(len(x)), lengths), list(chain.from_iterable(x)), len(x), name), missing=missing
    )


def _is_several(v: Any) -> bool:
    return isinstance(v, (list, tuple, AbstractSet)) or (isinstance(v, np.ndarray) and v.ndim == 1)


def _split(x: Sequence[Any], name: str, separator: str | None) -> list[Any]:
    """Tags of text: each stripped of blanks, and empty text is none."""
    if separator is None:
        hint = next((s for s in SEPARATORS if any(isinstance(v, str) and s in v for v in x)), None)
        if hint is None:
            raise LabelError(
                f"`{name}` is one column of text; of one label an item make a Table, or give `separator=`."
            )
        raise LabelError(f"`{name}` is text with {hint!r} in it; give `separator={hint!r}` if it stands between tags.")
    if not isinstance(separator, str):
        raise LabelError(f"`separator` is {text(separator)}; it is the text between the tags of an item, such as ';'.")
    if not separator:
        raise LabelError("`separator` is empty; it is what stands between the tags of a text, such as ';'.")
    held = (v.decode("utf-8", "replace") if isinstance(v, bytes) else v for v in x)
    return [[tag for part in v.split(separator) if (tag := part.strip())] if isinstance(v, str) else v for v in held]


def several_in_one(labels: Iterable[Any]) -> tuple[str, str] | None:
    """What stands between the parts of labels whose parts come again in other combinations, and one of them.

    >>> several_in_one(["a;b", "b;c", "a", "c"]), several_in_one(["New York, NY", "Rome"])
    ((';', 'a;b'), None)
    """
    held = [x for x in labels if isinstance(x, str)]
    for mark in SEPARATORS:
        parts = [[part.strip() for part in x.split(mark) if part.strip()] for x in held]
        if sum(len(x) > 1 for x in parts) > 1 and len({y for x in parts for y in x}) < len(held):
            return mark, next(x for x in held if mark in x)
    return None


def check_separator(columns: Iterable[Any], separator: str | None) -> None:
    """Refuse a separator that no text has, where they have another one."""
    if separator is None:
        return
    texts = [[v for v in _listed(x) if isinstance(v, str)] for x in columns if len(getattr(x, "shape", (0,))) == 1]
    held = list(chain.from_iterable(texts))
    if separator in SEPARATORS and not any(separator in v for v in held):
        other = next((s for s in SEPARATORS if any(s in v for v in held)), None)
        if other is not None:
            seen = next(v for v in held if other in v)
            raise LabelError(
                f"No text has the separator {separator!r}, and {other!r} stands in some ({text(seen)}): give "
                f"`separator={other!r}`, or lists if the tags themselves hold it."
            )


def _coded(rows: NDArray[np.int64], tags: list[Any], n: int, name: str) -> Ones:
    """The matrix of tags by the rows that they belong to; a tag that is there twice is there."""
    from scipy.sparse import csr_array

    try:
        seen = dict.fromkeys(tags)
    except TypeError:
        odd = next(v for v in tags if getattr(type(v), "__hash__", None) is None)
        raise LabelError(f"`{name}` holds the tag {text(odd)}, which cannot be a label.") from None
    if any(is_missing(tag) for tag in seen):
        raise LabelError(f"`{name}` holds a missing tag inside a list; leave it out, or name it.")
    named = {raw: native(raw) for raw in seen}
    labels = ordered(dict.fromkeys(named.values()))
    place = {label: i for i, label in enumerate(labels)}
    codes = {raw: place[label] for raw, label in named.items()}
    at = np.fromiter(map(codes.__getitem__, tags), np.int64, len(tags))
    m = csr_array((np.ones(len(at), np.int64), (rows, at)), shape=(n, len(labels)))
    m.sum_duplicates()
    m.sort_indices()
    return _whole(csr_array((np.ones(m.nnz, np.int8), m.indices, m.indptr), shape=m.shape), labels)


def _from_long(x: Any, name: str, form: TagForm) -> Ones:
    """A long frame: one row a tag of an item."""
    if not (hasattr(x, "columns") or hasattr(x, "column_names")):
        raise LabelError(
            f"`item=` names a column of a long frame with a row for each tag, and `{name}` is no frame; what belongs "
            "together has a `unit=`."
        )
    for column in (form.item, form.tag):
        if column is None or column not in list(x.columns if package(x) != "pyarrow" else x.column_names):
            raise LabelError(f"`{name}` has no column {text(column)}; `item=` and `tag=` name two of its columns.")
    if form.items is None:
        raise LabelError(
            "`items=` is missing: a long frame has no row for an item without tags, so all items are named."
        )
    items = _listed(form.items)
    place = {native(item): i for i, item in enumerate(items)}
    if len(place) < len(items):
        raise LabelError(f"`items` names {text(_twice([native(i) for i in items]))} more than once.")
    ids, tags = (_listed(x[column]) for column in (form.item, form.tag))
    strange = next((i for i in ids if native(i) not in place), None)
    if strange is not None:
        raise LabelError(f"`{name}` has tags of the item {text(strange)}, which is none of `items`.")
    at = np.fromiter((place[native(i)] for i in ids), np.int64, len(ids))
    return _coded(at, list(tags), len(items), name)


def columns_like(names: Iterable[str], pattern: str) -> dict[str, str]:
    """The columns that a pattern such as "y_*" means, by what stands in place of the star.

    >>> columns_like(["id", "y_cat", "y_dog", "p_cat"], "y_*")
    {'cat': 'y_cat', 'dog': 'y_dog'}
    """
    before, _, after = pattern.partition("*")
    long = len(before) + len(after)
    found = (x for x in names if x.startswith(before) and x.endswith(after) and len(x) > long)
    return {x[len(before) : len(x) - len(after)]: x for x in found}
