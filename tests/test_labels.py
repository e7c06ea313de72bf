"""Labels: what one is, when two are the same, and how they are counted."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterator
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from informed.errors import LabelError
from informed.evidence import columns as _columns
from informed.evidence import counting
from informed.evidence import histogram as _histogram
from informed.evidence.columns import column, encoded
from informed.evidence.histogram import BLOCK
from informed.evidence.label_order import ordered
from informed.evidence.label_policy import LabelPolicy
from informed.evidence.labels import canonical, check_kinds, guess_positive, is_missing, native, text
from informed.evidence.table import Table

count = Table.from_labels


def tabulate(groups: Any, *, by: int = 0, weighted: bool = False, **policy: Any) -> Table:
    return Table(**counting.tabulate(groups, LabelPolicy(**policy), by=by, weighted=weighted))


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 0
    HIGH = 1


def as_dict(c: Table) -> dict[tuple[Hashable, Hashable], float]:
    """Filled cells by (real, predicted), and (real, None) for abstentions."""
    found = {
        (r, p): float(c.counts[i, j])
        for i, p in enumerate(c.predicted_labels)
        for j, r in enumerate(c.real_labels)
        if c.counts[i, j]
    }
    return found | {(r, None): float(a) for r, a in zip(c.real_labels, c.abstained, strict=True) if a}


def naive(real: Any, predicted: Any) -> dict[tuple[Any, Any], int]:
    return dict(Counter(zip(real, predicted, strict=True)))


# ---------------------------------------------------------------- one label


@pytest.mark.parametrize(
    "x",
    [
        None,
        float("nan"),
        np.float32("nan"),
        np.datetime64("NaT", "s"),
        np.timedelta64("NaT", "s"),
        pd.NaT,
        pd.NA,
        Decimal("NaN"),
        pa.scalar(None),
        np.ma.masked,
    ],
)
def test_nothing_in_any_spelling_is_missing(x: Any) -> None:
    assert is_missing(x)


@pytest.mark.parametrize("x", [0, False, "", "nan", "None", b"", (), 0.0, Colour.RED, pa.scalar(1), np.str_("NA")])
def test_falsy_and_textual_labels_are_not_missing(x: Any) -> None:
    assert not is_missing(x)


@pytest.mark.parametrize(
    ("x", "label"),
    [
        (1.0, 1),
        (np.float32(2.0), 2),
        (np.longdouble(3), 3),
        (np.int8(-4), -4),
        (np.uint64(2**64 - 1), 2**64 - 1),
        (np.str_("é"), "é"),
        (np.bytes_(b"x"), b"x"),
        (Decimal("5"), 5),
        (pa.scalar("a"), "a"),
        (pa.scalar(6.0), 6),
        (np.datetime64("2020-01-02"), dt.date(2020, 1, 2)),
        (np.datetime64("2020-01-02T00:00:01", "ns"), dt.datetime(2020, 1, 2, 0, 0, 1)),
        (Colour.RED, Colour.RED),
        (Level.HIGH, Level.HIGH),
        ((1, "a"), (1, "a")),
    ],
)
def test_a_label_is_held_as_plain_python(x: Any, label: Hashable) -> None:
    found = canonical(x)
    assert found == label
    assert type(found) is type(label)


def test_a_bool_stays_a_bool() -> None:
    assert canonical(np.True_) is True
    assert canonical(False) is False


def test_a_time_finer_than_python_can_hold_is_kept() -> None:
    fine = np.datetime64("2020-01-02T00:00:00.000000001", "ns")
    assert canonical(fine) == fine


@pytest.mark.parametrize("x", [0.37, np.float32(0.5), float("inf"), Decimal("1.5"), pa.scalar(0.1)])
def test_a_number_with_a_fraction_is_refused_as_a_score(x: Any) -> None:
    with pytest.raises(LabelError, match=r"looks like a score.*threshold.*informed\.roc"):
        canonical(x)


@pytest.mark.parametrize("x", [[1], {"a": 1}, {1}, np.array([1, 2])])
def test_what_cannot_be_hashed_is_no_label(x: Any) -> None:
    with pytest.raises(LabelError, match="cannot be a label"):
        canonical(x)


def test_a_long_label_is_cut_in_messages() -> None:
    assert len(text("x" * 1000)) == 40
    assert text("a") == "'a'"
    assert text(1) == "1"


# ---------------------------------------------------------------- two labels


@pytest.mark.parametrize(
    ("real", "predicted"),
    [
        ([1, 0], ["1", 0]),
        ([True, "x"], ["True"]),
        (["a", "b"], [b"a"]),
        ([dt.date(2020, 1, 1)], ["2020-01-01"]),
        ([1, "1"], [2, "b"]),
    ],
)
def test_labels_written_alike_but_unequal_are_refused(real: Any, predicted: Any) -> None:
    with pytest.raises(LabelError, match="written alike but not equal"):
        check_kinds(real, predicted)


@pytest.mark.parametrize(("real", "predicted"), [(["a", "b"], [0, 1]), ([True, False], ["yes", "no"])])
def test_text_against_numbers_is_refused(real: Any, predicted: Any) -> None:
    with pytest.raises(LabelError, match="no two can be equal"):
        check_kinds(real, predicted)
    with pytest.raises(LabelError, match="no two can be equal"):
        check_kinds(predicted, real)


@pytest.mark.parametrize(("real", "predicted"), [([True, False], [0, 2]), ([0, -1], [True])])
def test_bools_against_numbers_other_than_0_and_1_are_refused(real: Any, predicted: Any) -> None:
    with pytest.raises(LabelError, match="bools can only be compared"):
        check_kinds(real, predicted)


@pytest.mark.parametrize(
    ("real", "predicted"), [([0, 1], [True, False]), (["a", 1], ["a", 2]), ([Colour.RED], ["red"]), ([1, "a"], [])]
)
def test_other_mixtures_of_kinds_are_allowed(real: Any, predicted: Any) -> None:
    check_kinds(real, predicted)


def test_names_of_clusters_may_be_of_another_kind_than_those_of_classes() -> None:
    check_kinds(["0", "a"], [0, 1], square=False)
    check_kinds([True, False], [5, 6], square=False)
    with pytest.raises(LabelError, match="written alike"):
        check_kinds(["a"], [1, "1"], square=False)
    with pytest.raises(LabelError, match="bools"):
        check_kinds([True, 7], ["a"], square=False)


def test_order_is_sorted_else_by_type_and_text() -> None:
    assert ordered([10, 9, True]) == (True, 9, 10)
    assert ordered([True, False]) == (False, True)
    assert ordered(["b", 3, "a", 20]) == (20, 3, "a", "b")
    assert ordered([Colour.RED, Colour.BLUE]) == (Colour.BLUE, Colour.RED)
    sets = [frozenset({2}), frozenset({1}), frozenset({3})]
    assert ordered(sets) == ordered(sets[::-1]) == (sets[1], sets[0], sets[2])


@pytest.mark.parametrize(
    ("labels", "positive"),
    [
        ((0, 1), 1),
        ((-1, 1), 1),
        ((False, True), True),
        (("0", "1"), "1"),
        (("False", "TRUE"), "TRUE"),
        (("no", "Yes"), "Yes"),
        (("neg", "pos"), "pos"),
        (("Negative", "Positive"), "Positive"),
        (("+", "−"), "+"),
        (("ham", "spam"), None),
        (("t", "f"), None),
        (("y", "n"), None),
        (("yes", "positive"), None),
        ((0, 1, 2), None),
        ((1,), None),
    ],
)
def test_the_positive_class_is_guessed_from_its_name(labels: Any, positive: Any) -> None:
    assert guess_positive(labels) is positive


# ---------------------------------------------------------------- every container


def _text_kinds() -> Iterator[Any]:
    yield pytest.param(list, id="list")
    yield pytest.param(tuple, id="tuple")
    yield pytest.param(deque, id="deque")
    yield pytest.param(iter, id="iterator")
    yield pytest.param(lambda x: np.array(x, dtype=object), id="numpy-object")
    yield pytest.param(lambda x: pd.Series(x, dtype=object), id="pandas-object")
    yield pytest.param(lambda x: pd.Series(x, dtype="str"), id="pandas-str")
    yield pytest.param(lambda x: pd.Series(x, dtype="string[python]"), id="pandas-string")
    yield pytest.param(lambda x: pd.Series(x, dtype="string[pyarrow]"), id="pandas-pyarrow")
    yield pytest.param(lambda x: pd.Series(x, dtype=pd.ArrowDtype(pa.string())), id="ArrowDtype")
    yield pytest.param(lambda x: pd.Series(x, dtype="category"), id="pandas-category")
    yield pytest.param(lambda x: pd.Categorical(x), id="Categorical")
    yield pytest.param(lambda x: pd.Index(x, dtype=object), id="Index")
    yield pytest.param(lambda x: pl.Series(x, dtype=pl.String), id="polars")
    yield pytest.param(lambda x: pl.Series(x, dtype=pl.Categorical), id="polars-categorical")
    yield pytest.param(lambda x: pl.Series(x, dtype=pl.Enum(sorted({v for v in x if v is not None}))), id="polars-enum")
    yield pytest.param(lambda x: pa.array(x, pa.string()), id="arrow")
    yield pytest.param(lambda x: pa.array(x, pa.large_string()), id="arrow-large")
    yield pytest.param(lambda x: pa.array(x, pa.string_view()), id="arrow-view")
    yield pytest.param(lambda x: pa.array(x, pa.string()).dictionary_encode(), id="dictionary")
    yield pytest.param(_two_chunks, id="arrow-chunks")
    yield pytest.param(lambda x: _two_chunks(x).dictionary_encode(), id="dictionary-chunks")
    yield pytest.param(_unlike_dictionaries, id="unlike-dictionaries")
    yield pytest.param(lambda x: np.array(x, dtype=np.dtypes.StringDType(na_object=None)), id="StringDType")
    yield pytest.param(
        lambda x: np.ma.masked_array(np.array(["?" if v is None else v for v in x]), [v is None for v in x]),
        id="masked",
    )


def _two_chunks(x: list[Any]) -> Any:
    half = len(x) // 2
    return pa.chunked_array([pa.array(x[:half], pa.string()), pa.array(x[half:], pa.string())])


def _unlike_dictionaries(x: list[Any]) -> Any:
    half = len(x) // 2
    chunks = [pa.array(part, pa.string()).dictionary_encode() for part in (x[:half], x[half:])]
    return pa.chunked_array(chunks)


ALPHABET = ["spam", "ham", "é", "日本語", "", "a\u0301", "spam "]
TEXT_KINDS = list(_text_kinds())
some_text = st.sampled_from([*ALPHABET, None])
text_pairs = st.lists(st.tuples(some_text, some_text), min_size=1, max_size=30)


@pytest.mark.parametrize("make", TEXT_KINDS)
@given(pairs=text_pairs)
def test_every_container_of_text_agrees_with_a_loop(make: Callable[[Any], Any], pairs: list[tuple[Any, Any]]) -> None:
    complete = [(r, p) for r, p in pairs if r is not None]
    if not complete:
        return
    real, predicted = map(list, zip(*complete, strict=True))
    both = count(real=make(real), predicted=make(predicted), missing="abstain", normalize="none")
    assert as_dict(both) == naive(real, predicted)
    mixed = count(real=make(real), predicted=predicted, missing="abstain", normalize="none")
    assert as_dict(mixed) == naive(real, predicted)


@pytest.mark.parametrize("make", TEXT_KINDS)
def test_a_missing_label_in_any_container_is_found_with_its_position(make: Callable[[Any], Any]) -> None:
    real, predicted = ["a", "b", "b", "a"], ["a", None, "b", None]
    with pytest.raises(LabelError, match=r"`predicted` has 2 missing labels \(positions 1, 3, counted from 0\);"):
        count(real=make(real), predicted=make(predicted))
    dropped = count(real=make(real), predicted=make(predicted), missing="drop")
    assert as_dict(dropped) == {("a", "a"): 1, ("b", "b"): 1}
    assert (dropped.missing, dropped.rows) == (2, 4)


NUMBER_KINDS = [
    pytest.param(lambda x: np.array(x, np.int64), id="int64"),
    pytest.param(lambda x: np.array(x, np.int8), id="int8"),
    pytest.param(lambda x: np.array(x, ">i4"), id="big-endian"),
    pytest.param(lambda x: np.array(x, np.float64), id="float64"),
    pytest.param(lambda x: np.array(x, np.float16), id="float16"),
    pytest.param(lambda x: np.array(x * 2)[: len(x)], id="view"),
    pytest.param(lambda x: np.repeat(np.array(x), 3)[::3], id="strided"),
    pytest.param(lambda x: pd.Series(x), id="pandas"),
    pytest.param(lambda x: pd.Series(x, dtype="Int64"), id="Int64"),
    pytest.param(lambda x: pd.Series(x, dtype="Float64"), id="Float64"),
    pytest.param(lambda x: pd.Series(x, dtype="int64[pyarrow]"), id="pyarrow-int"),
    pytest.param(lambda x: pd.Series(x, dtype="category"), id="category"),
    pytest.param(lambda x: pl.Series(x), id="polars"),
    pytest.param(lambda x: pl.Series(x, dtype=pl.Float32), id="polars-float"),
    pytest.param(lambda x: pa.array(x), id="arrow"),
    pytest.param(lambda x: pa.chunked_array([x[:1], x[1:]], pa.int64()), id="arrow-chunks"),
    pytest.param(lambda x: _OnlyArray(np.array(x)), id="__array__"),
    pytest.param(lambda x: _OnlyDlpack(np.array(x)), id="__dlpack__"),
    pytest.param(lambda x: [float(v) for v in x], id="floats"),
    pytest.param(lambda x: [np.int32(v) for v in x], id="numpy-scalars"),
    pytest.param(lambda x: [Decimal(v) for v in x], id="decimals"),
    pytest.param(lambda x: [pa.scalar(v) for v in x], id="arrow-scalars"),
]


class _OnlyArray:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.x


class _OnlyDlpack:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __dlpack__(self, **kwargs: Any) -> Any:
        return self.x.__dlpack__(**kwargs)

    def __dlpack_device__(self) -> Any:
        return self.x.__dlpack_device__()


@pytest.mark.parametrize("make", NUMBER_KINDS)
@given(pairs=st.lists(st.tuples(st.integers(-2, 3), st.integers(-2, 3)), min_size=1))
def test_every_container_of_numbers_agrees_with_a_loop(
    make: Callable[[Any], Any], pairs: list[tuple[int, int]]
) -> None:
    real, predicted = map(list, zip(*pairs, strict=True))
    assert as_dict(count(real=make(real), predicted=make(predicted))) == naive(real, predicted)
    found = count(real=real, predicted=make(predicted))
    assert as_dict(found) == naive(real, predicted)
    assert all(type(label) is int for label in found.real_labels)


@pytest.mark.parametrize(
    "make",
    [
        lambda x: np.array([np.nan if v is None else v for v in x]),
        lambda x: np.array([np.nan if v is None else v for v in x], dtype=object),
        lambda x: np.ma.masked_invalid([np.nan if v is None else v for v in x]),
        lambda x: pd.Series(x, dtype="Int64"),
        lambda x: pd.Series(x, dtype="int64[pyarrow]"),
        lambda x: pd.Series(x, dtype="category"),
        lambda x: pl.Series(x),
        lambda x: pl.Series([np.nan if v is None else float(v) for v in x]),
        lambda x: pa.array(x),
        lambda x: [float("nan") if v is None else v for v in x],
        lambda x: pd.to_datetime(pd.Series([None if v is None else f"200{v}-01-01" for v in x])),
        lambda x: np.array(["NaT" if v is None else f"200{v}" for v in x], "datetime64[D]"),
    ],
)
def test_missing_numbers_and_dates_are_never_a_class(make: Callable[[Any], Any]) -> None:
    real, predicted = make([1, 2, None, 2]), make([1, None, 2, 2])
    with pytest.raises(
        LabelError,
        match=r"`real` has 1 missing label \(position 2, counted from 0\) and `predicted` has 1 .*position 1, counted",
    ):
        count(real=real, predicted=predicted)
    found = count(real=real, predicted=predicted, missing="drop")
    assert (found.missing, found.rows, len(found.real_labels)) == (2, 4, 2)
    assert found.counts.tolist() == [[1, 0], [0, 1]]


BOOL_KINDS = [
    lambda x: np.array(x),
    lambda x: pd.Series(x, dtype="boolean"),
    lambda x: pl.Series(x),
    lambda x: pa.array(x),
    list,
]


@pytest.mark.parametrize("make", BOOL_KINDS)
def test_bools_are_counted_and_stay_bools(make: Callable[[Any], Any]) -> None:
    found = count(real=make([True, False, True]), predicted=make([True, True, True]))
    assert found.real_labels == (False, True)
    assert all(type(label) is bool for label in found.real_labels)
    assert found.counts.tolist() == [[0, 0], [1, 2]]


def test_equal_numbers_are_one_label_in_the_spelling_of_the_real_side() -> None:
    found = count(real=[True, False], predicted=[1.0, 0])
    assert [type(x) for x in found.real_labels] == [bool, bool]
    found = count(real=np.array([1, 0]), predicted=np.array([True, False]))
    assert [type(x) for x in found.real_labels] == [int, int]
    assert found.counts.tolist() == [[1, 0], [0, 1]]


equal_numbers = st.sampled_from([0, 1, 1.0, True, False, np.int8(1), np.float64(0)])


@given(pairs=st.lists(st.tuples(equal_numbers, equal_numbers), min_size=1, max_size=20))
def test_1_and_1_point_0_and_true_are_one_label(pairs: list[tuple[Any, Any]]) -> None:
    real, predicted = map(list, zip(*pairs, strict=True))
    assert as_dict(count(real=real, predicted=predicted)) == naive(real, predicted)


@pytest.mark.parametrize(
    "labels",
    [
        [Colour.RED, Colour.BLUE],
        [Level.LOW, Level.HIGH],
        [(1, 2), (1, 3)],
        [dt.date(2020, 1, 1), dt.date(2021, 1, 1)],
        [b"x", b"y"],
        [frozenset({1}), frozenset()],
    ],
)
def test_any_hashable_can_be_a_label(labels: list[Any]) -> None:
    a, b = labels
    found = count(real=[a, b, b], predicted=[a, b, a])
    assert as_dict(found) == {(a, a): 1, (b, b): 1, (b, a): 1}


@pytest.mark.parametrize(
    "make",
    [
        lambda x: pd.MultiIndex.from_tuples([(1, v) for v in x]),
        lambda x: pd.Series(pd.arrays.SparseArray(x)),
        lambda x: pd.period_range("2020", periods=2, freq="D").take([v - 1 for v in x]),
        lambda x: pl.Series(x, dtype=pl.Int128),
        lambda x: pl.Series([f"{v}.0" for v in x]).cast(pl.Decimal(10, 2)),
        lambda x: pl.Series([Colour.RED if v == 1 else Colour.BLUE for v in x], dtype=pl.Object),
        lambda x: pl.Series([dt.date(2020, 1, v) for v in x]),
        lambda x: np.array([(v, v) for v in x], "i4,i4"),
        lambda x: np.array(x, np.longdouble),
        lambda x: range(x[0], x[0] + len(x)),
    ],
)
def test_rare_containers_are_counted_too(make: Callable[[Any], Any]) -> None:
    found = count(real=make([1, 2]), predicted=make([1, 2]))
    assert found.counts.tolist() == [[1, 0], [0, 1]]


def test_a_narwhals_series_is_counted_as_what_it_wraps() -> None:
    nw = pytest.importorskip("narwhals.stable.v2")
    x = nw.from_native(pl.Series(["a", "b"]), series_only=True)
    assert as_dict(count(real=x, predicted=["a", "a"])) == {("a", "a"): 1, ("b", "a"): 1}


def test_counting_imports_no_library_that_the_caller_has_not() -> None:
    code = (
        "import sys, informed; informed.Table.from_labels(real=['a'], predicted=['a']);"
        "print(*{'pandas', 'polars', 'pyarrow', 'narwhals', 'scipy'} & set(sys.modules))"
    )
    path = [p for p in sys.path if p]
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}; {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == ""


# ---------------------------------------------------------------- fast paths


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of 64 rows on three threads, so that short arrays cross every boundary."""
    monkeypatch.setattr(_histogram, "BLOCK", 64)
    monkeypatch.setattr(_columns, "BLOCK", 64)
    monkeypatch.setattr(_histogram, "cores", lambda: 3)
    monkeypatch.setattr(_columns, "cores", lambda: 3)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("rows", [1, 2, 63, 64, 65, 127, 128, 129, 600, 5003])
@pytest.mark.parametrize("kinds", [1, 3, 10, 30])
def test_blocks_and_threads_lose_no_row(rows: int, kinds: int) -> None:
    rng = np.random.default_rng(rows)
    real, predicted = rng.integers(0, kinds, (2, rows))
    expected = naive(real.tolist(), predicted.tolist())
    for dtype in (np.int64, np.int8, np.uint8, np.uint32, np.float32):
        found = count(real=real.astype(dtype), predicted=predicted.astype(dtype))
        assert as_dict(found) == expected
    low = predicted - 7
    assert as_dict(count(real=real, predicted=low, normalize="none")) == naive(real.tolist(), low.tolist())


@pytest.mark.usefixtures("small_blocks")
def test_a_label_that_first_appears_late_widens_the_count() -> None:
    real = np.repeat([0, 3, -5, 200, 10**15], 1000)
    predicted = np.where(np.arange(len(real)) == len(real) - 1, 99, real)
    for rows in (3500, 5000):
        r, p = real[:rows], predicted[:rows]
        assert as_dict(count(real=r, predicted=p)) == naive(r.tolist(), p.tolist())


@pytest.mark.parametrize(
    ("dtype", "values"),
    [
        (np.int64, [-1, 10**12, 5, -(2**62), 2**62]),
        (np.int64, [-(2**63), 2**63 - 1]),
        (np.uint64, [2**64 - 1, 2**64 - 2]),
        (np.uint64, [0, 2**64 - 1, 2**63, 7]),
        (np.int8, [-128, 127, 0]),
        (np.uint8, [0, 255]),
        (np.uint16, [0, 65535]),
        (np.int32, [-(2**31), 2**31 - 1]),
    ],
)
@pytest.mark.parametrize("rows", [50, 1001])
@pytest.mark.usefixtures("small_blocks")
def test_integers_far_apart_are_counted_without_a_table_between_them(
    dtype: type[np.integer[Any]], values: list[int], rows: int
) -> None:
    rng = np.random.default_rng(0)
    real, predicted = np.array(values, dtype)[rng.integers(0, len(values), (2, rows))]
    expected = naive(real.tolist(), predicted.tolist())
    assert as_dict(count(real=real, predicted=predicted)) == expected


def test_many_labels_far_apart_are_counted() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2**60, 400)
    real, predicted = labels[rng.integers(0, 400, (2, 5000))]
    expected = naive(real.tolist(), predicted.tolist())
    assert as_dict(count(real=real, predicted=predicted)) == expected


@pytest.mark.parametrize("kinds", [2, 300])
@pytest.mark.parametrize("style", ["U", "S"])
def test_fixed_width_text_agrees_with_a_loop(style: str, kinds: int) -> None:
    rng = np.random.default_rng(0)
    names = np.array([f"{'é' if style == 'U' else 'e'}{i % 7}-class {i}" for i in range(kinds)])
    real, predicted = names.astype(style)[rng.integers(0, kinds, (2, 3000))]
    expected = naive(real.tolist(), predicted.tolist())
    assert as_dict(count(real=real, predicted=predicted)) == expected
    assert as_dict(count(real=real, predicted=predicted.tolist())) == expected
    assert as_dict(count(real=real[::-1], predicted=predicted[::-1])) == expected


def test_very_wide_and_empty_fixed_width_text_is_counted() -> None:
    wide = np.array(["x" * 200, ""])
    assert as_dict(count(real=wide, predicted=wide)) == {("x" * 200,) * 2: 1, ("", ""): 1}
    empty = np.array(["", ""])
    assert as_dict(count(real=empty, predicted=empty)) == {("", ""): 2}


@given(values=st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3), min_size=1, max_size=600))
def test_encoding_can_be_undone(values: list[int]) -> None:
    array = np.array(values, np.int64)
    codes, keys = encoded(array)
    assert keys[codes].tolist() == values
    assert len(set(keys.tolist())) == len(keys)


def test_more_than_256_labels_in_a_list_are_counted() -> None:
    labels = [f"c{i}" for i in range(1000)]
    found = count(real=labels, predicted=labels)
    assert found.counts.sum() == np.trace(found.counts) == 1000


def test_rows_are_counted_in_pairs_exactly_as_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    real, predicted = rng.integers(0, 11, (2, 3 * BLOCK + 5))
    paired = count(real=real, predicted=predicted)
    monkeypatch.setattr(_histogram, "PAIRED", 0)
    assert np.array_equal(count(real=real, predicted=predicted).counts, paired.counts)


def test_floats_beyond_the_integers_of_the_machine_are_labels_too() -> None:
    found = count(real=np.array([1e300, 1.0]), predicted=np.array([1e300, 1e300]))
    assert found.real_labels == (1, int(1e300))


# ---------------------------------------------------------------- abstaining and missing


def test_an_abstention_is_counted_for_its_real_class_and_is_no_label() -> None:
    found = count(real=["a", "b", "b"], predicted=["a", "?", "b"], abstain="?")
    assert found.real_labels == ("a", "b") == found.predicted_labels
    assert found.counts.tolist() == [[1, 0], [0, 1]]
    assert found.abstained.tolist() == [0, 1]
    assert (found.rows, found.missing) == (3, 0)


@pytest.mark.parametrize("several", [["?", "-"], {"?", "-"}, frozenset("?-"), np.array(["?", "-"])])
def test_several_answers_can_mean_no_answer(several: Any) -> None:
    found = count(real=["a", "b", "b"], predicted=["-", "?", "b"], abstain=several)
    assert found.abstained.tolist() == [1, 1]


def test_a_tuple_given_as_abstain_is_one_label() -> None:
    found = count(real=[(1, 2), (3, 4)], predicted=[(1, 2), (0, 0)], abstain=(0, 0))
    assert found.abstained.tolist() == [0, 1]


def test_a_real_class_may_bear_the_name_of_the_abstention() -> None:
    found = count(real=["a", "?"], predicted=["?", "a"], abstain="?")
    assert found.real_labels == ("?", "a")
    assert found.counts.tolist() == [[0, 0], [1, 0]]
    assert found.abstained.tolist() == [0, 1]


def test_an_abstention_of_another_type_than_the_predictions_is_refused() -> None:
    with pytest.raises(LabelError, match="written alike"):
        count(real=[0, 1], predicted=[0, -1], abstain="-1")


def test_a_missing_value_is_not_an_abstention_by_name() -> None:
    with pytest.raises(LabelError, match="missing='abstain'"):
        count(real=["a"], predicted=["a"], abstain=[None])


def test_a_missing_prediction_can_be_an_abstention() -> None:
    found = count(real=["a", "b", "b"], predicted=["a", None, "b"], missing="abstain")
    assert found.abstained.tolist() == [0, 1]
    assert (found.missing, found.rows) == (0, 3)


def test_a_missing_real_label_is_never_an_abstention() -> None:
    with pytest.raises(LabelError, match=r"`real` has 1 missing label .*a missing real label cannot"):
        count(real=["a", None], predicted=["a", None], missing="abstain")


def test_dropped_pairs_leave_no_label_behind() -> None:
    real, predicted = ["a", None, "b", "y"], ["a", "z", "b", None]
    found = count(real=real, predicted=predicted, missing="drop")
    assert found.real_labels == ("a", "b")
    assert (found.missing, found.rows) == (2, 4)


def test_an_abstention_without_a_real_label_is_dropped_not_given_to_a_class() -> None:
    found = count(real=["a", "b", None], predicted=["a", "b", "?"], abstain="?", missing="drop")
    assert found.abstained.tolist() == [0, 0]
    assert (found.missing, found.rows) == (1, 3)


def test_nothing_but_missing_pairs_is_refused() -> None:
    with pytest.raises(LabelError, match="Every case has a missing label"):
        count(real=[None, "a"], predicted=["a", None], missing="drop")


def test_nothing_but_abstentions_is_a_table_of_zeros() -> None:
    found = count(real=["a", "b"], predicted=["?", "?"], abstain="?")
    assert found.counts.tolist() == [[0, 0], [0, 0]]
    assert found.abstained.tolist() == [1, 1]


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(LabelError, match="'error', 'drop' or 'abstain'"):
        count(real=["a"], predicted=["a"], missing="ignore")  # type: ignore[arg-type]  # meant


# ---------------------------------------------------------------- labels=


def test_given_labels_set_the_order_and_keep_empty_classes() -> None:
    found = count(real=["b", "a"], predicted=["b", "b"], labels=["b", "c", "a"])
    assert found.real_labels == ("b", "c", "a")
    assert found.counts.tolist() == [[1, 0, 1], [0, 0, 0], [0, 0, 0]]


def test_given_labels_set_the_spelling() -> None:
    classes: Any = np.array([True, False])
    found = count(real=[1, 0], predicted=[1.0, 0.0], labels=classes)
    assert [type(x) for x in found.real_labels] == [bool, bool]
    assert found.counts.tolist() == [[1, 0], [0, 1]]


def test_labels_outside_the_given_ones_are_named_and_counted() -> None:
    with pytest.raises(LabelError, match=r"'spma', 'x', 'y' and 1 more are not in `labels` \(3 rows\).*'spam'"):
        count(real=["spam", "spma", "x", "spam"], predicted=["spam", "spam", "y", "z"], labels=["spam", "ham"])


def test_labels_given_in_another_type_are_refused_with_the_reason() -> None:
    with pytest.raises(LabelError, match="'1' in `labels` is of another type"):
        count(real=[1, 1], predicted=[1, 1], labels=["0", "1"])


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["a", "a"], "twice"),
        ([1, True], "twice"),
        ([], "empty"),
        ("ab", "a sequence of labels is needed"),
        (["a", None], "missing"),
        ([1, "1"], "written alike"),
    ],
)
def test_given_labels_must_be_a_list_of_different_ones(labels: Any, message: str) -> None:
    with pytest.raises(LabelError, match=message):
        count(real=["a"], predicted=["a"], labels=labels)


def test_a_prediction_that_is_never_real_joins_the_square_table() -> None:
    found = count(real=[0, 0, 1], predicted=[0, 2, 1])
    assert found.real_labels == found.predicted_labels == (0, 1, 2)
    assert found.counts.tolist() == [[1, 0, 0], [0, 1, 0], [1, 0, 0]]


def test_clusters_against_classes_make_a_rectangle() -> None:
    found = count(real=["a", "b", "b"], predicted=[2, 0, 1], square=False)
    assert (found.real_labels, found.predicted_labels) == (("a", "b"), (0, 1, 2))
    assert found.counts.tolist() == [[0, 1], [0, 1], [1, 0]]
    found = count(real=["a", "b"], predicted=[2, 0], square=False, labels=["b", "a"])
    assert (found.real_labels, found.predicted_labels) == (("b", "a"), (0, 2))


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("real", "predicted", "message"),
    [
        (["a", "b"], ["a"], "`real` has 2, `predicted` has 1 labels"),
        (pl.Series(["a", "b"]), pl.Series(["a"]), "`real` has 2, `predicted` has 1 labels"),
        ([], [], "are empty"),
        (pl.Series([], dtype=pl.String), pl.Series([], dtype=pl.String), "are empty"),
        (pa.array([], pa.string()), pa.chunked_array([], pa.string()), "are empty"),
        ("abc", "abd", "`real` is 'abc'; a sequence"),
        (["a"], None, "`predicted` is None; a sequence"),
        (np.array(3), np.array(3), "single value 3"),
        (np.eye(3), np.eye(3), r"shape \(3, 3\).*argmax.*Tags.from_labels"),
        (pd.DataFrame({"a": [1]}), [1], r"shape \(1, 1\)"),
        (pl.DataFrame({"a": [1]}), [1], r"shape \(1, 1\)"),
        (pa.table({"a": [1]}), [1], r"shape \(1, 1\)"),
        ([["a"], ["b"]], ["a", "b"], r"cannot be a label.*Tags\.from_labels"),
        ({"a": 1}, ["a"], "no order"),
        ({"a"}, ["a"], "no order"),
        (3, [1], "is a int; a sequence"),
        ([0, 1], ["a", "b"], "no two can be equal"),
        (["1", "0"], [1, 0], "written alike|no two can be equal"),
        ([1, "1", 0], [1, 1, "0"], "written alike"),
        ([True, False], [2, 0], "bools"),
        ([0, 1], [0.2, 0.9], "looks like a score"),
        (np.array([0, 1]), np.array([0.2, 0.9]), "looks like a score"),
        (np.array([0, 1]), np.array([np.nan, 0.9]), "looks like a score"),
        (np.array([0, 1]), np.array([np.inf, 1]), "looks like a score"),
        (pl.Series([[1], [2]]), pl.Series([[1], [2]]), "cannot be a label"),
    ],
)
def test_what_cannot_be_counted_says_what_was_seen(real: Any, predicted: Any, message: str) -> None:
    with pytest.raises(LabelError, match=message):
        count(real=real, predicted=predicted)


def test_a_tensor_that_numpy_cannot_read_is_refused() -> None:
    class OnTheMoon:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            raise TypeError("can't convert moon tensor")

    with pytest.raises(LabelError, match="move it to the CPU"):
        count(real=OnTheMoon(), predicted=[1])


def test_columns_of_identifiers_are_refused_before_the_memory_is_gone() -> None:
    ids = np.arange(40_000) * 10**6
    with pytest.raises(LabelError, match=r"40,000 × 40,000 different labels.*identifier"):
        count(real=ids, predicted=ids)
    with pytest.raises(LabelError, match=r"40,000 × 40,000 different labels"):
        tabulate((str(i), str(i), 1) for i in ids.tolist())


# ---------------------------------------------------------------- weights


@pytest.mark.parametrize("make", [list, np.array, pl.Series, pd.Series, pa.array])
def test_weights_and_their_squares_are_summed_per_cell(make: Callable[[Any], Any]) -> None:
    found = count(
        real=make(["a", "a", "b", "b"]),
        predicted=make(["a", "a", "b", "?"]),
        weights=make([0.5, 2.0, 3.0, 7.0]),
        abstain="?",
    )
    assert found.squares is not None
    assert found.counts.tolist() == [[2.5, 0], [0, 3]]
    assert found.squares.tolist() == [[4.25, 0], [0, 9]]
    assert found.abstained.tolist() == [0, 7]
    assert found.rows == 4


@pytest.mark.usefixtures("small_blocks")
def test_weights_agree_with_a_loop_across_blocks() -> None:
    rng = np.random.default_rng(3)
    real, predicted = rng.integers(0, 3, (2, 2009))
    weights = rng.integers(0, 5, len(real))
    found = count(real=real, predicted=predicted, weights=weights)
    assert found.squares is not None
    for i in range(3):
        for j in range(3):
            here = weights[(predicted == i) & (real == j)]
            assert found.counts[i, j] == here.sum()
            assert found.squares[i, j] == (here**2).sum()


def test_without_weights_there_are_no_squares() -> None:
    assert count(real=["a"], predicted=["a"]).squares is None


def test_a_label_of_weight_zero_is_still_a_label() -> None:
    assert count(real=["a", "b"], predicted=["a", "b"], weights=[1, 0]).real_labels == ("a", "b")


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], r"shape \(1,\) for 2 cases"),
        ([[1.0, 2.0]], r"shape \(1, 2\) for 2 cases"),
        ([1, np.nan], "holds nan at position 1"),
        ([1, -2], "holds -2.0 at position 1"),
        ([np.inf, 1], "holds inf at position 0"),
        (["1", "2"], "holds '1'; one number"),
        (["1", 2.0], "one number"),
        (np.array(["1", 2], dtype=object), "one number"),
        ([None, 1.0], "holds nan at position 0"),
        ("counts", "`weights` is 'counts'"),
        (3.0, "`weights` is 3.0"),
    ],
)
def test_weights_that_are_none_are_refused(weights: Any, message: str) -> None:
    with pytest.raises(LabelError, match=message):
        count(real=["a", "b"], predicted=["a", "b"], weights=weights)
    with pytest.raises(LabelError, match=message):
        count(real=pl.Series(["a", "b"]), predicted=pl.Series(["a", "b"]), weights=weights)


# ---------------------------------------------------------------- clusters and groups


@pytest.mark.parametrize("make", [list, np.array, pl.Series, pd.Series, pa.array])
def test_clusters_are_a_leading_axis_in_order(make: Callable[[Any], Any]) -> None:
    found = count(
        real=make(["a", "b", "b", "a"]),
        predicted=make(["a", "b", "a", None]),
        by=make(["y", "x", "x", "y"]),
        missing="drop",
    )
    assert found.names == ("x", "y")
    assert found.counts.tolist() == [[[0, 1], [0, 1]], [[1, 0], [0, 0]]]
    assert found.abstained.shape == (2, 2)
    assert np.asarray(found.missing).tolist() == [0, 1]
    assert np.asarray(found.rows).tolist() == [2, 2]


def test_clusters_add_up_to_the_table_without_them() -> None:
    rng = np.random.default_rng(0)
    real, predicted = rng.integers(0, 4, (2, 10_000))
    cluster = rng.integers(0, 3000, 10_000) * 10**10
    weights = rng.integers(0, 4, 10_000)
    stack = count(real=real, predicted=predicted, by=cluster, weights=weights)
    whole = count(real=real, predicted=predicted, weights=weights)
    assert stack.squares is not None
    assert whole.squares is not None
    assert np.array_equal(stack.counts.sum(axis=0), whole.counts)
    assert np.array_equal(stack.squares.sum(axis=2), whole.squares)
    assert stack.names == tuple(np.unique(cluster).tolist())
    one = np.unique(cluster)[7]
    here = cluster == one
    alone = count(real=real[here], predicted=predicted[here], weights=weights[here], labels=range(4))
    assert np.array_equal(stack.counts[7], alone.counts)


def test_a_cluster_may_have_a_fraction_for_a_name() -> None:
    found = count(real=["a", "b"], predicted=["a", "b"], by=[0.5, 1.0])
    assert found.names == (0.5, 1)
    assert native(0.5) == 0.5


def test_a_case_without_a_cluster_is_refused() -> None:
    with pytest.raises(LabelError, match="Some cases belong to no group"):
        count(real=["a", "b"], predicted=["a", "b"], by=["x", None])


def test_clusters_of_another_length_are_refused() -> None:
    with pytest.raises(LabelError, match="`by` has 1"):
        count(real=["a", "b"], predicted=["a", "b"], by=["x"])


def test_groups_of_an_engine_are_held_to_the_same_policies() -> None:
    found = tabulate(
        [("a", 1.0, 2), ("a", Decimal(1), 3), ("b", "?", 4), ("b", None, 5)], abstain="?", missing="drop", square=False
    )
    assert found.predicted_labels == (1,)
    assert found.counts.tolist() == [[5, 0]]
    assert found.abstained.tolist() == [0, 4]
    assert (found.missing, found.rows) == (5, 14)


def test_missing_labels_of_groups_are_counted_in_rows() -> None:
    with pytest.raises(LabelError, match="`real` has 1,200 missing labels; use"):
        tabulate([(None, "a", 1200), ("a", "a", 1)])


def test_groups_with_keys_are_a_named_stack() -> None:
    found = tabulate([("A", 1, "x", "x", 3, 1.5, 0.75), ("B", 2, "x", "y", 1, 2.0, 4.0)], by=2, weighted=True)
    assert found.names == (("A", "B"), (1, 2))
    assert found.counts.shape == (2, 2, 2, 2)
    assert found.counts[0, 0].tolist() == [[1.5, 0], [0, 0]]
    assert found.counts[1, 1].tolist() == [[0, 0], [2, 0]]
    assert found.squares is not None
    assert found.squares[:, :, 1, 1].tolist() == [[0, 0], [4, 0]]
    assert np.sum(found.rows) == 4


def test_groups_without_a_row_or_a_sum_are_refused() -> None:
    with pytest.raises(LabelError, match="no rows"):
        tabulate([])
    with pytest.raises(LabelError, match="no count or weight"):
        tabulate([("a", "a", None)])
    with pytest.raises(LabelError, match="negative or infinite"):
        tabulate([("a", "a", 1, float("nan"), 1)], weighted=True)


@given(pairs=text_pairs)
def test_groups_and_cases_give_the_same_table(pairs: list[tuple[Any, Any]]) -> None:
    complete = [(r, p) for r, p in pairs if r is not None]
    if not complete:
        return
    real, predicted = map(list, zip(*complete, strict=True))
    one = count(real=real, predicted=predicted, missing="abstain", normalize="none")
    two = tabulate([(*k, n) for k, n in naive(real, predicted).items()], missing="abstain", normalize="none")
    assert one.real_labels == two.real_labels
    assert np.array_equal(one.counts, two.counts)
    assert np.array_equal(one.abstained, two.abstained)


def test_a_column_knows_its_length() -> None:
    assert len(column(range(5), "real")) == 5
