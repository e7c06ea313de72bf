"""Tally: counting a stream in any batches gives the table of the whole."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from informed import InformedError, Table, Tally

LABELS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abcd")), min_size=1)


@settings(max_examples=50, deadline=None)
@given(LABELS, st.lists(st.integers(1, 7), min_size=1, max_size=8))
def test_any_batches_give_the_same_table(pairs: list[tuple[str, str]], sizes: list[int]) -> None:
    tally, at, turn = Tally(), 0, 0
    while at < len(pairs):
        size = sizes[turn % len(sizes)]
        batch = pairs[at : at + size]
        tally.update(real=[r for r, _ in batch], predicted=[p for _, p in batch])
        at, turn = at + size, turn + 1
    whole = Table.from_labels(real=[r for r, _ in pairs], predicted=[p for _, p in pairs])
    assert tally.table() == whole


@settings(max_examples=30, deadline=None)
@given(LABELS, st.integers(0, 20))
def test_workers_merge(pairs: list[tuple[str, str]], cut: int) -> None:
    workers = []
    for part in (pairs[:cut], pairs[cut:]):
        tally = Tally()
        tally.update(real=[r for r, _ in part], predicted=[p for _, p in part])
        workers.append(pickle.loads(pickle.dumps(tally)))
    workers[0].merge(workers[1])
    whole = Table.from_labels(real=[r for r, _ in pairs], predicted=[p for _, p in pairs])
    assert workers[0].table() == whole


def test_a_merge_adds_what_the_other_has_counted() -> None:
    one, other = Tally(), Tally()
    one.update(real=["a", "b"], predicted=["a", "b"])
    other.update(real=["b", "b", "c"], predicted=["a", "b", "c"])
    one.merge(other)
    assert one.table().labels == ("a", "b", "c")
    assert one.table().counts.tolist() == [[1, 1, 0], [0, 2, 0], [0, 0, 1]]
    assert other.table().n == 3  # what is added stays as it was


def test_the_order_of_labels_does_not_depend_on_the_batches() -> None:
    tally = Tally()
    for label in ["c", "a", "b"]:
        tally.update(real=[label], predicted=[label])
    assert tally.table().labels == ("a", "b", "c")


def test_weights_abstentions_and_missing_go_along() -> None:
    how = {"abstain": "?", "missing": "drop"}
    real = np.array(["a", "b", None, "b", "a"], dtype=object)
    predicted = np.array(["a", "?", "a", "a", "b"], dtype=object)
    weights = np.array([1, 2, 3, 0.5, 1])
    tally = Tally(abstain="?", missing="drop")
    for part in (slice(0, 2), slice(2, 5)):
        tally.update(real=real[part], predicted=predicted[part], weights=weights[part])
    whole = Table.from_labels(real=real, predicted=predicted, weights=weights, **how)  # type: ignore[arg-type]  # a literal
    got = tally.table()
    assert got == whole
    assert (got.n, got.rows, got.missing) == (whole.n, 5, whole.missing)
    assert got.abstained.tolist() == whole.abstained.tolist()


def test_labels_and_positive() -> None:
    tally = Tally(labels=["ham", "spam"], positive="spam")
    assert tally.table().n == 0
    tally.update(real=[], predicted=[])
    tally.update(real=["ham", "spam"], predicted=["spam", "spam"])
    assert tally.table().positive == "spam"
    assert tally.table().counts.tolist() == [[0, 0], [1, 1]]
    with pytest.raises(InformedError, match="not in `labels`"):
        tally.update(real=["egg"], predicted=["ham"])
    assert tally.table().n == 2  # a refused batch leaves nothing behind


def test_clusters_against_classes() -> None:
    tally = Tally(square=False)
    tally.update(real=["a", "b"], predicted=[0, 1])
    tally.update(real=["a", "b"], predicted=[2, 1])
    t = tally.table()
    assert t.predicted_labels == (0, 1, 2)
    assert t.counts.tolist() == [[1, 0], [0, 2], [1, 0]]


def test_repr() -> None:
    tally = Tally()
    assert repr(tally) == "Tally of nothing"
    tally.update(real=[1, 0], predicted=[1, 1])
    assert repr(tally).startswith("Tally: Table of 2 cases")


def test_lookalikes_in_another_batch_are_refused() -> None:
    tally = Tally()
    tally.update(real=[1, 2], predicted=[1, 1])
    with pytest.raises(InformedError, match="written alike"):
        tally.update(real=["1", "2"], predicted=["1", "2"])


def test_merging_nothing() -> None:
    tally = Tally()
    tally.merge(Tally())
    with pytest.raises(InformedError, match="Nothing was counted"):
        tally.table()
