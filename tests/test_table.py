"""Table: what it holds, how tables are made, changed, stacked, added, written and shown."""

from __future__ import annotations

import enum
import json
import pickle
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped,unused-ignore]  # its types are extra
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]  # it has no types
import pytest
from hypothesis import given, settings
from sklearn.metrics import confusion_matrix

import informed
from informed import Table
from informed.errors import TableError
from strategies import fractional, many_classes

A, B = [[56, 20], [12, 12]], [[30, 12], [30, 28]]
ABC = ["a", "b", "c"]
COUNTS3 = [[4, 1, 0], [1, 3, 0], [0, 1, 5]]


class Colour(enum.Enum):
    RED = "r"
    BLUE = "b"


def three() -> Table:
    return Table.from_counts(COUNTS3, labels=ABC)


# ---------------------------------------------------------------- orientation


def test_rows_are_predictions_and_columns_reality() -> None:
    t = Table.from_labels(real=["a", "a", "a", "b"], predicted=["a", "b", "b", "b"])
    assert t.counts.tolist() == [[1, 0], [2, 1]]
    assert t.prevalence.tolist() == [0.75, 0.25]
    assert t.bias.tolist() == [0.25, 0.75]
    assert t.expected.tolist() == [[0.75, 0.25], [2.25, 0.75]]
    assert (t.n, t.k, t.shape, t.labels) == (4, 2, (), ("a", "b"))


def test_either_orientation_of_counts() -> None:
    turned = Table.from_counts(np.transpose(A), rows="real", labels=["+", "−"])
    assert turned == Table.from_counts(A)
    assert np.array_equal(Table.from_counts(np.transpose(A), rows="real").counts, A)


def test_the_four_cells() -> None:
    t = Table.from_counts(A)
    assert [float(x) for x in (t.tp, t.fp, t.fn, t.tn)] == [56, 20, 12, 12]
    assert [float(x) for x in (t.rp, t.rn, t.pp, t.pn)] == [68, 32, 76, 24]
    u = t.inverse
    assert [float(x) for x in (u.tp, u.fp, u.fn, u.tn)] == [12, 12, 20, 56]


def test_labels_of_rows_follow_those_of_columns() -> None:
    t = Table.from_counts([[1, 9], [7, 2]], predicted_labels=["b", "a"], real_labels=["a", "b"])
    assert t.labels == ("a", "b")
    assert t.counts.tolist() == [[7, 2], [1, 9]]


def test_a_crosstab_brings_its_labels() -> None:
    real = pd.Series(["x", "y", "y", "y"], name="real")
    predicted = pd.Series(["x", "x", "y", "y"], name="predicted")
    expected = Table.from_labels(real=real, predicted=predicted)
    assert Table.from_counts(pd.crosstab(predicted, real)) == expected
    assert Table.from_counts(pd.crosstab(real, predicted), rows="real") == expected


def test_unlabelled_counts() -> None:
    assert Table.from_counts(A).labels == ("+", "−")
    assert Table.from_counts(A).positive == "+"
    assert Table.from_counts(COUNTS3).labels == (0, 1, 2)
    assert Table.from_counts(COUNTS3).positive is None


@pytest.mark.parametrize(
    ("labels", "positive"),
    [
        ([0, 1], 1),
        ([False, True], True),
        (["0", "1"], "1"),
        (["no", "yes"], "yes"),
        (["Negative", "Positive"], "Positive"),
        (["true", "false"], "true"),
        (["cat", "dog"], None),
        (["pos", "positive"], None),
    ],
)
def test_the_positive_class(labels: list[Any], positive: Any) -> None:
    t = Table.from_counts(A, labels=labels)
    assert t.positive == positive
    assert t.with_positive(labels[0]).positive == labels[0]
    assert Table.from_counts(A, labels=labels, positive=str(labels[1])).positive == labels[1]


# ---------------------------------------------------------------- labels


SOURCES = {
    "lists": (["b", "a", "b"], ["b", "b", "a"]),
    "numpy": (np.array(["b", "a", "b"]), np.array(["b", "b", "a"])),
    "objects": (np.array(["b", "a", "b"], object), np.array(["b", "b", "a"], object)),
    "pandas": (pd.Series(["b", "a", "b"]), pd.Series(["b", "b", "a"])),
    "categorical": (pd.Categorical(["b", "a", "b"]), pd.Categorical(["b", "b", "a"])),
    "polars": (pl.Series(["b", "a", "b"]), pl.Series(["b", "b", "a"])),
    "arrow": (pa.array(["b", "a", "b"]), pa.chunked_array([["b"], ["b", "a"]])),
    "tuple": (("b", "a", "b"), ("b", "b", "a")),
    "mixed": (pl.Series(["b", "a", "b"]), ["b", "b", "a"]),
}


@pytest.mark.parametrize("source", SOURCES)
def test_labels_of_every_source(source: str) -> None:
    real, predicted = SOURCES[source]
    t = Table.from_labels(real=real, predicted=predicted)
    assert t.labels == ("a", "b")
    assert t.counts.tolist() == [[0, 1], [1, 1]]


@pytest.mark.parametrize(
    "pair",
    [
        (1, 2),
        (False, True),
        (np.int64(3), np.int64(7)),
        (np.str_("a"), np.str_("b")),
        ((0, "x"), (1, "y")),
        (Colour.BLUE, Colour.RED),
        (pd.Timestamp(2020, 1, 1), pd.Timestamp(2021, 1, 1)),
        (1.0, 2.0),
        (b"a", b"b"),
        (frozenset({1}), frozenset({2})),
    ],
    ids=str,
)
def test_labels_of_every_kind(pair: tuple[Any, Any]) -> None:
    one, other = pair
    t = Table.from_labels(real=[one, other, other], predicted=[one, other, one])
    assert sorted(t.counts.ravel().tolist()) == [0, 1, 1, 1]
    assert set(t.labels) == {one, other}
    assert t.one_vs_rest(other).counts.tolist() == [[1, 0], [1, 1]]
    assert informed.accuracy(t) == pytest.approx(2 / 3)
    assert len(repr(t).splitlines()) == 5
    assert t._repr_html_().count("<td") == 9


def test_order() -> None:
    assert Table.from_labels(real=[10, 9, 1], predicted=[10, 9, 1]).labels == (1, 9, 10)
    given_order = Table.from_labels(real=["a", "b"], predicted=["a", "a"], labels=["b", "a", "c"])
    assert given_order.labels == ("b", "a", "c")
    assert given_order.counts.tolist() == [[0, 0, 0], [1, 1, 0], [0, 0, 0]]


# ---------------------------------------------------------------- weights and abstention


def test_weights_keep_their_squares_and_rows() -> None:
    t = Table.from_labels(real=[1, 0, 1], predicted=[1, 0, 0], weights=[2, 1, 0.5])
    assert t.n == 3.5
    assert t.rows == 3
    assert t.squares is not None
    assert np.moveaxis(t.squares, (0, 1), (-2, -1)).tolist() == [[1, 0.25], [0, 4]]
    assert t.effective_n("accuracy") == pytest.approx(3 / t.design_effect("accuracy"))
    assert 1 < t.effective_n("accuracy") < 3.5
    counts = Table.from_labels(real=[1, 0, 1], predicted=[1, 0, 0], weights=[2, 1, 3], frequency=True)
    assert counts.squares is None
    assert counts.effective_n("accuracy") == counts.rows == counts.n == 6


def test_independent_cases_have_no_design_effect_whatever_the_measure_is_about() -> None:
    rng = np.random.default_rng(3)
    real, said = rng.integers(0, 3, (2, 90))
    t = Table.from_labels(real=real, predicted=np.where(rng.random(90) < 0.4, -1, said), abstain=-1)
    for measure in ("informedness", "informedness_of_all", "coverage", "accuracy"):
        assert t.design_effect(measure) == pytest.approx(1)
    for groups in (2, 3):
        stack = Table.from_labels(real=real, predicted=said, by=np.arange(90) % groups)
        assert np.asarray(stack.design_effect("recall")) == pytest.approx(np.ones((groups, 3)))


def test_answered_abstained_and_missing_make_the_rows() -> None:
    real = ["a", "b", "b", "a", None, "a"]
    predicted = ["a", "b", "?", "?", "a", "b"]
    t = Table.from_labels(real=real, predicted=predicted, abstain="?", missing="drop")
    assert (t.n, t.abstained.tolist(), t.missing, t.rows) == (3, [1, 1], 1, 6)
    assert t.n + t.abstained.sum() + t.missing == t.rows
    assert t.answered.rows == 3
    assert informed.informedness(t) == informed.informedness(t.answered)
    several = Table.from_labels(real=["a"] * 3, predicted=["a", "?", "-"], abstain=["?", "-"])
    assert several.abstained.sum() == 2


def test_abstentions_go_along() -> None:
    t = Table.from_counts(COUNTS3, labels=ABC, abstained=[1, 2, 3])
    assert t.one_vs_rest().abstained.tolist() == [[1, 5], [2, 4], [3, 3]]
    assert t.collapse({"ab": ["a", "b"]}).abstained.tolist() == [3, 3]
    assert t.select(["c", "a"]).abstained.tolist() == [3, 1]
    assert (t + t).abstained.tolist() == [2, 4, 6]
    assert t.answered.abstained.tolist() == [0, 0, 0]
    moved = t.at_prevalence([0.2, 0.3, 0.5])
    assert (moved.abstained / moved.counts.sum(axis=0)).tolist() == pytest.approx([0.2, 0.4, 0.6])
    stack = Table.from_counts([COUNTS3, COUNTS3], abstained=[[1, 2, 3], [0, 0, 1]])
    assert stack[1].abstained.tolist() == [0, 0, 1]
    assert stack.sum().abstained.tolist() == [1, 2, 4]


def test_clusters_are_a_named_stack() -> None:
    t = Table.from_labels(real=[1, 0, 1, 0], predicted=[1, 1, 1, 0], by=["x", "x", "y", "y"])
    assert t.names == ("x", "y")
    assert t["x"].counts.tolist() == [[0, 0], [1, 1]]
    assert t.sum() == Table.from_labels(real=[1, 0, 1, 0], predicted=[1, 1, 1, 0])


# ---------------------------------------------------------------- transformations


def test_dual_and_inverse_undo_themselves() -> None:
    t = Table.from_counts(A)
    assert t.dual.counts.tolist() == [[56, 12], [20, 12]]
    assert t.dual.dual == t == t.inverse.inverse
    assert t.inverse.positive == "−"
    r = Table.from_counts(np.ones((2, 3)), predicted_labels="xy", real_labels=ABC)
    assert r.dual.real_labels == ("x", "y")
    assert r.dual.counts.shape == (3, 2)


def test_one_vs_rest() -> None:
    t = three()
    stack = t.one_vs_rest()
    assert (stack.shape, stack.names) == ((3,), ("a", "b", "c"))
    assert stack["a"].counts.tolist() == [[4, 1], [1, 9]]
    assert t.one_vs_rest("a").labels == ("a", "not a")
    assert t.one_vs_rest("a").positive == "a"
    both = Table.from_counts([COUNTS3, COUNTS3], names=["A", "B"], labels=ABC).one_vs_rest()
    assert both.names == (("A", "B"), ("a", "b", "c"))
    assert both["B", "c"].counts.tolist() == [[5, 1], [0, 9]]


@settings(max_examples=20, deadline=None)
@given(fractional(3))
def test_one_vs_rest_never_leaves_dust(t: Table) -> None:
    ovr = t.one_vs_rest()
    assert (ovr.counts >= 0).all()
    np.testing.assert_allclose(ovr.total, t.n)
    diagonal = Table.from_counts(np.diag(np.diagonal(t.counts)))
    assert (diagonal.one_vs_rest().counts[:, [0, 1], [1, 0]] == 0).all()


def test_one_vs_rest_of_many_classes() -> None:
    k = 70
    t = Table.from_counts(np.random.default_rng(0).integers(0, 5, (k, k)), rows="predicted")
    ovr = t.one_vs_rest()
    rest = t.n - t.real_totals - t.predicted_totals + t.hits
    np.testing.assert_allclose(ovr.counts[:, 1, 1], rest)


def test_collapse_and_select() -> None:
    t = three()
    merged = t.collapse({"ab": ["a", "b"]})
    assert merged.labels == ("ab", "c")
    assert merged.counts.tolist() == [[9, 0], [1, 5]]
    assert t.collapse({"c": ["b", "c"]}).counts.tolist() == [[4, 1], [1, 9]]
    assert t.collapse({"yes": ["a"], "no": ["b", "c"]}).positive == "yes"
    assert t.collapse({"rest": ["b", "c"]}, positive="a").positive == "a"
    assert t.collapse({"x": "a"}).labels == ("x", "b", "c")
    part = t.select(["c", "a"])
    assert part.labels == ("c", "a")
    assert part.counts.tolist() == [[5, 0], [0, 4]]
    assert part.rows == 9


@settings(max_examples=15, deadline=None)
@given(many_classes(3, 6))
def test_collapse_keeps_the_total(t: Table) -> None:
    assert t.collapse({"first": [0, 1]}).n == pytest.approx(t.n)


def test_at_prevalence() -> None:
    t = Table.from_counts(A)
    moved = t.at_prevalence(0.01)
    assert moved.prevalence.tolist() == pytest.approx([0.01, 0.99])
    for f in (informed.recall, informed.fallout, informed.informedness, informed.lr):
        assert f(moved) == pytest.approx(f(t))
    assert moved.n == pytest.approx(100)
    assert moved.derived
    assert moved.origin is t
    by_label = three().at_prevalence({"c": 0.5, "a": 0.2, "b": 0.3})
    assert by_label.prevalence.tolist() == pytest.approx([0.2, 0.3, 0.5])
    zero_one = Table.from_counts(A, labels=[0, 1]).at_prevalence(0.01)
    assert zero_one.prevalence.tolist() == pytest.approx([0.99, 0.01])
    stack = Table.from_counts([A, B]).at_prevalence(0.3)
    assert stack.prevalence.tolist() == [pytest.approx([0.3, 0.7])] * 2
    first = stack[0].origin
    assert first is not None
    assert first.counts.tolist() == A
    gone = three().at_prevalence([0.5, 0.5, 0])
    assert gone.prevalence.tolist() == pytest.approx([0.5, 0.5, 0])


def test_mixture() -> None:
    t = Table.mixture(0.15, prevalence=0.7, guess=0.8, n=100)
    assert t.counts.ravel().tolist() == pytest.approx([58.1, 20.4, 11.9, 9.6])
    assert t.derived == "a mixture of knowing and guessing"
    many = Table.mixture([0, 0.5, 1], prevalence=[0.2, 0.3, 0.5], labels=ABC)
    assert many.shape == (3,)
    assert informed.informedness(many).tolist() == pytest.approx([0, 0.5, 1])


def test_independent_has_the_same_margins() -> None:
    t = three()
    assert t.independent.prevalence.tolist() == t.prevalence.tolist()
    assert t.independent.bias.tolist() == pytest.approx(t.bias.tolist())
    assert t.independent.origin is t


# ---------------------------------------------------------------- stacks


def test_named_stacks() -> None:
    t = Table.from_counts([A, B], names=["A", "B"])
    assert (len(t), t.shape, t.names) == (2, (2,), ("A", "B"))
    assert t["B"] == Table.from_counts(B) == t[1] == t[-1]
    assert [u.n for u in t] == [100, 100]
    assert t[[1, 0]].names == ("B", "A")
    assert t[np.array([True, False])].names == ("A",)
    assert t[1:].names == ("B",)
    assert t.sum().counts.tolist() == np.add(A, B).tolist()
    assert t.n.tolist() == [100, 100]


def test_stacks_of_two_axes() -> None:
    counts = np.arange(24, dtype=float).reshape(2, 3, 2, 2)
    t = Table.from_counts(counts, names=[["A", "B"], ["x", "y", "z"]])
    assert t["B", "y"].counts.tolist() == counts[1, 1].tolist()
    assert t["B"].names == ("x", "y", "z")
    assert t[..., "z"].names == ("A", "B")
    assert t[:, 1].counts.tolist() == counts[:, 1].tolist()
    assert t.sum(-1).names == ("A", "B")
    assert t.sum(0).names == ("x", "y", "z")
    assert t.sum(0).counts.tolist() == counts.sum(axis=0).tolist()
    assert informed.informedness(t).shape == (2, 3)
    half = Table.from_counts(counts, names=[None, ["x", "y", "z"]])
    assert half.names == (None, ("x", "y", "z"))
    assert half[1, "x"].counts.tolist() == counts[1, 0].tolist()


def test_names_that_are_numbers_or_tuples() -> None:
    t = Table.from_counts([A, B], names=[10, 20])
    assert t[20].counts.tolist() == B
    u = Table.from_counts([A, B], names=[("x", 1), ("y", 2)])
    assert u["y", 2].counts.tolist() == B


def test_one_table_is_no_stack() -> None:
    with pytest.raises(TypeError, match="no length"):
        len(Table.from_counts(A))
    with pytest.raises(TypeError, match="cannot be iterated"):
        iter(Table.from_counts(A))


def test_several_labels_a_case_are_a_stack() -> None:
    """One 2x2 table a label; micro and macro over the stack."""
    real = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 1]])
    predicted = np.array([[1, 0, 0], [0, 1, 0], [1, 0, 0], [1, 0, 1]])
    t = Table.from_counts(
        [
            Table.from_labels(real=r, predicted=p, labels=[1, 0]).counts
            for r, p in zip(real.T, predicted.T, strict=True)
        ],
        names=["news", "sport", "art"],
    )
    from sklearn.metrics import f1_score  # type: ignore[import-untyped,unused-ignore]  # it has no types

    each = informed.f1(t)
    assert each.tolist() == pytest.approx(f1_score(real, predicted, average=None).tolist())
    assert each.mean() == pytest.approx(f1_score(real, predicted, average="macro"))
    assert informed.f1(t.sum()) == pytest.approx(f1_score(real, predicted, average="micro"))


# ---------------------------------------------------------------- adding and comparing


def test_labels_are_aligned_by_name() -> None:
    t = Table.from_counts([[1, 2], [3, 4]], labels=["b", "a"])
    u = Table.from_counts([[10, 20], [30, 40]], labels=["a", "c"])
    total = t + u
    assert total.labels == ("a", "b", "c")
    assert total.counts.tolist() == [[14, 3, 20], [2, 1, 0], [30, 0, 40]]
    assert (u + t).counts.tolist() == total.counts.tolist()
    same = Table.from_counts([[4, 3], [2, 1]], labels=["a", "b"])
    assert (t + same).counts.tolist() == [[2, 4], [6, 8]]
    assert sum([t, u, t]).n == t.n * 2 + u.n  # type: ignore[union-attr]  # sum starts at 0


def test_sums_keep_what_is_known() -> None:
    t = Table.from_labels(real=[1, 0, None], predicted=[1, 0, 1], missing="drop")
    u = Table.from_labels(real=[1, 0], predicted=[1, 1], weights=[0.5, 2])
    total = t + u
    assert (total.n, total.rows, total.missing, total.positive) == (4.5, 5, 1, 1)
    assert total.squares is not None
    assert total.squares.sum() == 1 + 1 + 0.25 + 4
    assert (Table.mixture(0.2, prevalence=0.5) + Table.from_counts(A)).derived


def test_sums_broadcast() -> None:
    stack = Table.from_counts([A, B], names=["A", "B"])
    total = stack + Table.from_counts(A)
    assert total.names == ("A", "B")
    assert total["B"].counts.tolist() == np.add(A, B).tolist()
    grid = Table.from_counts([[A], [B]]) + Table.from_counts([[A, B, A]])
    assert grid.shape == (2, 3)
    assert grid[1, 0].counts.tolist() == np.add(A, B).tolist()
    silent = Table.from_counts(A, abstained=[1, 2]) + Table.from_counts([A, B, B])
    assert silent.abstained.tolist() == [[1, 2]] * 3
    assert silent.rows.tolist() == [203] * 3


def test_rectangles_add() -> None:
    t = Table.from_counts([[1, 2, 3], [4, 5, 6]], predicted_labels=["x", "y"], real_labels=ABC)
    assert (t + t).counts.tolist() == (2 * t.counts).tolist()
    assert not t.is_square
    assert informed.purity(t) == pytest.approx(9 / 21)


def test_equality_is_by_value() -> None:
    t = Table.from_counts(A)
    assert t == Table.from_counts(A)
    assert t != Table.from_counts(B)
    assert t != Table.from_counts(A, labels=["x", "y"])
    assert t != t.inverse
    assert t != Table.from_counts(A, abstained=[1, 0])
    assert Table.from_counts([A], names=["A"]) != Table.from_counts([A])
    assert t != Table.mixture(0.2, prevalence=0.5)
    assert t != "a table"
    weighted = Table.from_labels(real=[1, 0], predicted=[1, 0], weights=[1, 1])
    assert weighted != Table.from_labels(real=[1, 0], predicted=[1, 0])
    with pytest.raises(TypeError):
        hash(t)


def test_nobody_can_change_a_table() -> None:
    t = Table.from_counts(A)
    with pytest.raises(ValueError, match="read-only"):
        t.counts[0, 0] = 1
    with pytest.raises(FrozenInstanceError):
        t.positive = "−"  # type: ignore[misc]  # that is the point
    held = np.array(A, dtype=float)
    u = Table.from_counts(held)
    held[0, 0] = 999
    assert u.counts[0, 0] == 56
    silent = np.array([1.0, 2.0])
    v = Table.from_counts(A, abstained=silent)
    silent[0] = 999
    assert v.abstained[0] == 1


# ---------------------------------------------------------------- in and out


def tables() -> dict[str, Table]:
    return {
        "plain": Table.from_counts(A),
        "labels": three(),
        "bools": Table.from_counts(A, labels=[False, True]),
        "inverse": Table.from_counts(A).inverse,
        "weighted": Table.from_labels(real=[1, 0, 1], predicted=[1, 0, 0], weights=[0.5, 1, 2]),
        "abstained": Table.from_counts(COUNTS3, abstained=[1, 2, 3]),
        "missing": Table.from_labels(real=[1, 0, None], predicted=[1, 0, 1], missing="drop"),
        "stacked": Table.from_counts([A, B], names=["A", "B"], abstained=[[1, 2], [0, 0]]),
        "two axes": Table.from_counts(np.ones((2, 1, 2, 2)), names=[["A", "B"], None]),
        "clusters": Table.from_labels(real=[1, 0, 1], predicted=[1, 1, 0], by=["x", "y", "y"], weights=[1, 2, 3]),
        "one label": Table.from_labels(real=["a", "a"], predicted=["a", "a"]),
        "rectangular": Table.from_counts(np.ones((2, 3)), predicted_labels=["x", "y"], real_labels=ABC),
        "mixture": Table.mixture(0.3, prevalence=0.2),
        "accents": Table.from_counts(A, labels=["été", '"\\\n']),
    }


@pytest.mark.parametrize("name", tables())
def test_json_round_trip(name: str) -> None:
    t = tables()[name]
    text = t.to_json()
    assert json.loads(text)["informed"] == {"schema": 2, "kind": "table"}
    back = Table.from_json(text)
    assert back == t
    assert (back.rows == np.asarray(t.rows)).all()
    assert back.positive == t.positive


@pytest.mark.parametrize("name", tables())
def test_pickle_round_trip(name: str) -> None:
    t = tables()[name]
    assert pickle.loads(pickle.dumps(t)) == t


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("counts", [[1, 2], [3, -4]]),
        ("counts", [[1, 2]]),
        ("real_labels", ["a"]),
        ("positive", "x"),
        ("abstained", [1]),
    ],
)
def test_json_that_was_tampered_with(field: str, value: Any) -> None:
    held = json.loads(Table.from_counts(A).to_json())
    held[field] = value
    with pytest.raises(informed.InformedError, match=f"`{field}`|labels"):
        Table.from_json(json.dumps(held))


def test_measures_are_plain_functions() -> None:
    for m in informed.MEASURES.values():
        assert pickle.loads(pickle.dumps(m.function)) is m.function
    assert pickle.loads(pickle.dumps(informed.find("f_beta(beta=2)"))) == informed.find("f_beta(beta=2)")


def test_to_frame() -> None:
    frame = three().to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == ["predicted", "real", "count"]
    assert len(frame) == 9
    assert frame.query("predicted == 'a' and real == 'b'")["count"].tolist() == [1]
    again = frame.pivot(index="predicted", columns="real", values="count")
    assert Table.from_counts(again) == three()
    stack = Table.from_counts([A, B], names=["A", "B"]).to_frame()
    assert list(stack.columns) == ["table", "predicted", "real", "count"]
    assert stack["table"].tolist() == ["A"] * 4 + ["B"] * 4
    assert stack["count"].tolist() == [*np.ravel(A), *np.ravel(B)]
    assert "axis 1" in Table.from_counts(np.ones((2, 2, 2, 2))).to_frame()


# ---------------------------------------------------------------- how it looks


def test_repr() -> None:
    assert repr(three()).splitlines() == [
        "Table of 15 cases (rows: predicted, columns: real)",
        "       a  b  c  total",
        "a      4  1  0      5",
        "b      1  3  0      4",
        "c      0  1  5      6",
        "total  5  5  5     15",
    ]
    assert repr(Table.from_counts([A, B], names=["A", "B"])) == (
        "Stack of 2 tables of 2 predicted x 2 real classes, named ('A', 'B')"
    )
    said = repr(Table.from_counts(A, abstained=[1, 2])).splitlines()[0]
    assert said == "Table of 100 cases (rows: predicted, columns: real); 3 abstained"
    assert "a mixture of knowing and guessing" in repr(Table.mixture(0.1, prevalence=0.5))
    assert "58.1" in repr(Table.mixture(0.15, prevalence=0.7, guess=0.8, n=100))
    wide = repr(Table.from_counts(np.eye(40)))
    assert len(wide.splitlines()) <= 3
    assert "40 predicted x 40 real" in wide
    assert "1e+18" in repr(Table.from_counts([[1e18, 1], [1, 1]]))


def test_repr_lines_up_with_wide_letters() -> None:
    lines = repr(Table.from_counts(A, labels=["猫", "dog"])).splitlines()
    assert lines[2].startswith("猫   ")
    long = repr(Table.from_counts(A, labels=["x" * 100, "a\nb"]))
    assert len(long.splitlines()) == 5
    assert "…" in long


def test_html() -> None:
    html = Table.from_counts(A, labels=["<script>", "a & b"])._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "a &amp; b" in html
    assert html.count("title=") == 4
    assert "56 cases, 51.7 by chance (+4.3)" in html
    assert "<caption>Table of 100 cases" in html
    assert Table.from_counts([A, B])._repr_html_().startswith("<pre>Stack of 2 tables")
    assert "nan" not in Table.from_counts([[0, 0], [0, 0]])._repr_html_()


def test_an_array_of_counts_says_what_its_rows_are() -> None:
    """scikit-learn has the real classes there, and the papers the predictions: a guess may be another informedness."""
    real, predicted = np.array([0, 0, 0, 1, 1, 1, 1, 1] * 4), np.array([0, 1, 1, 1, 1, 1, 1, 0] * 4)
    counts = confusion_matrix(real, predicted)
    wanted = informed.informedness(Table.from_labels(real=real, predicted=predicted))
    for held in (counts, pd.DataFrame(counts), counts.astype(np.uint8)):
        with pytest.raises(TableError, match=r"does not say what its rows are.*rows='real'.*rows='predicted'"):
            Table.from_counts(held)
        with pytest.raises(TableError, match="does not say what its rows are"):
            Table.from_counts(held, labels=["no", "yes"])
        assert informed.informedness(Table.from_counts(held, rows="real")) == pytest.approx(wanted)
    turned = Table.from_counts(counts, rows="predicted")
    assert informed.informedness(turned) != pytest.approx(wanted)
    assert Table.from_counts(counts.tolist()).counts.tolist() == turned.counts.tolist()  # typed as the papers print it
