"""A table carries its units: what they hold adds up to its cells, whatever is done to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from informed import Paired, Table, Tally, interval
from informed.errors import LabelError, TableError
from informed.evidence.cells import flattened
from informed.evidence.joint import Joint
from informed.evidence.paired import paired
from informed.evidence.units import Units, singles

OPERATIONS: dict[str, Callable[[Table], Table]] = {
    "same": lambda t: t,
    "answered": lambda t: t.answered,
    "dual": lambda t: t.answered.dual,
    "one class": lambda t: t.one_vs_rest(1),
    "each class": lambda t: t.one_vs_rest(),
    "each class pooled": lambda t: t.one_vs_rest().sum(0),
    "select": lambda t: t.select([0, 2]),
    "collapse": lambda t: t.collapse({"low": [0, 1]}),
    "other order": lambda t: t.with_order([2, 0, 1]),
    "twice": lambda t: t + t,
    "with independent cases": lambda t: t + t.without_units(),
    "some classes": lambda t: t.one_vs_rest()[1:],
    "JSON": lambda t: Table.from_json(t.to_json()),
}


def flat(t: Table) -> NDArray[Any]:
    return flattened(t.cells, t.unanswered)


def assert_adds_up(t: Table) -> None:
    held = flat(t)
    assert t.units is not None
    np.testing.assert_allclose(t.units.cells(len(held)), held, rtol=1e-9, atol=1e-12)
    assert (np.diff(t.units.row) >= 0).all()
    assert (np.diff(t.units.table) >= 0).all()
    assert set(t.units.row) == set(range(len(t.units.mult)))


def assert_alike(a: Table, b: Table) -> None:
    assert a.real_labels == b.real_labels
    np.testing.assert_allclose(flat(a), flat(b), rtol=1e-12)
    assert a.units is not None
    assert a.units.same(b.units)


@st.composite
def rows(draw: st.DrawFn) -> dict[str, Any]:
    """Cases of three classes with abstentions, units, items within them, and perhaps weights."""
    n = draw(st.integers(6, 40))

    def column(low: int, high: int) -> NDArray[Any]:
        return np.asarray(draw(st.lists(st.integers(low, high), min_size=n, max_size=n)))

    item = column(0, draw(st.integers(1, 12)))
    held: dict[str, Any] = {"real": column(0, 2), "predicted": column(-1, 2), "abstain": -1, "labels": [0, 1, 2]}
    how = draw(st.sampled_from(["unit", "item", "both"]))
    if how != "unit":
        held["item"] = item
    if how != "item":
        held["unit"] = item // 3
    if draw(st.booleans()):
        held["weights"] = column(1, 4)
    return held


@settings(max_examples=60, deadline=None)
@given(rows(), st.sampled_from(sorted(OPERATIONS)))
def test_units_add_up_to_the_cells_after_every_operation(held: dict[str, Any], name: str) -> None:
    assert_adds_up(OPERATIONS[name](Table.from_labels(**held)))


@settings(max_examples=40, deadline=None)
@given(rows(), st.integers(2, 4))
def test_a_stack_knows_shared_units_and_its_sum_is_the_whole(held: dict[str, Any], groups: int) -> None:
    by = np.arange(len(held["real"])) % groups if "item" not in held else held["item"] % groups
    stack, whole = Table.from_labels(**held, by=by), Table.from_labels(**held)
    assert_adds_up(stack)
    for name in sorted(OPERATIONS):
        if name != "with independent cases":
            assert_adds_up(OPERATIONS[name](stack))
    for one in stack:
        assert_adds_up(one)
    assert_alike(stack.sum(), whole)


@settings(max_examples=40, deadline=None)
@given(rows())
def test_operations_commute_with_counting(held: dict[str, Any]) -> None:
    t = Table.from_labels(**held)
    merged = {side: np.where(held[side] == 1, 0, held[side]) for side in ("real", "predicted")}
    collapsed, counted = t.collapse({0: [0, 1]}), Table.from_labels(**{**held, **merged, "labels": [0, 2]})
    assert_alike(counted, collapsed)
    turned = {"real": np.where(held["predicted"] < 0, 0, held["predicted"]), "predicted": held["real"], "abstain": None}
    full = {**held, "predicted": turned["real"]}
    assert_alike(Table.from_labels(**full).dual, Table.from_labels(**{**full, **turned}))


def test_answers_to_an_item_share_its_weight() -> None:
    once = Table.from_labels(real=[0, 1, 1], predicted=[0, 1, 0], item=["x", "y", "z"])
    twice = Table.from_labels(real=[0, 1, 1] * 2, predicted=[0, 1, 0] * 2, item=["x", "y", "z"] * 2)
    assert np.array_equal(once.counts, twice.counts)
    assert once.units is not None
    assert twice.units is not None
    assert once.units.n == twice.units.n == 3
    assert (once.units.asked, twice.units.asked) == (False, False)
    assert once.units.answers is None
    assert twice.units.answers is not None
    assert twice.units.answers.tolist() == [2, 2]
    assert once.squares is None  # one answer each: nothing is weighted
    assert twice.squares is None  # nor where answers never differ
    assert twice.rows == 6
    assert (once + twice).rows == 9


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_how_often_items_were_asked_is_known_after_every_operation(name: str) -> None:
    item = np.repeat(np.arange(6), [1, 2, 3, 3, 3, 3])
    t = Table.from_labels(real=np.arange(15) % 3, predicted=np.arange(15) // 5, item=item)
    found = OPERATIONS[name](t)
    assert found.units is not None
    assert found.units.answers is not None
    want = [1, 2] if name == "select" else [1, 3]  # answers outside these classes are left out
    assert np.array_equal(np.unique(found.units.answers.reshape(2, -1), axis=1).T, [want])


def test_how_often_items_were_asked_is_known_of_each_table_of_a_stack() -> None:
    item = np.repeat(np.arange(6), [1, 2, 3, 3, 4, 5])
    t = Table.from_labels(real=np.arange(18) % 2, predicted=np.arange(18) % 3 % 2, item=item, by=item // 2)
    for one in (t, Table.from_json(t.to_json())):
        assert [x.units.answers.tolist() for x in one if x.units is not None and x.units.answers is not None] == [
            [1, 2],
            [3, 3],
            [4, 5],
        ]
        pooled = one.sum().units
        assert pooled is not None
        assert pooled.answers is not None
        assert pooled.answers.tolist() == [1, 5]
    again = Table.from_json(t.to_json())[0]
    assert "Each item counts once: 2 items, 1 to 2 answers each." in [x.text for x in interval(again, "accuracy").notes]


def test_the_weight_of_an_answer_is_its_own_over_the_answers_to_its_item() -> None:
    t = Table.from_labels(real=[0, 0, 1], predicted=[0, 1, 1], item=[5, 5, 6], weights=[3.0, 3.0, 2.0])
    assert t.counts.tolist() == [[1.5, 0], [1.5, 2]]
    assert t.squares is not None
    assert t.squares.tolist() == [[2.25, 0], [2.25, 4]]
    assert t.cases is not None
    assert t.cases.tolist() == [[1, 0], [1, 1]]


def test_missing_answers_share_nothing_and_abstentions_do() -> None:
    told: dict[str, Any] = {"real": [0, 0, 1], "predicted": [0, None, 1], "item": ["x", "x", "y"]}
    assert Table.from_labels(**told, missing="drop").counts.tolist() == [[1, 0], [0, 1]]
    t = Table.from_labels(**told, missing="abstain")
    assert t.counts.tolist() == [[0.5, 0], [0, 1]]
    assert t.abstained.tolist() == [0.5, 0]
    assert t.unanswered_squares is not None
    assert t.unanswered_squares.tolist() == [0.25, 0]


def test_units_are_called_as_their_column_is() -> None:
    pd = pytest.importorskip("pandas")
    document = pd.Series(["a", "a", "b"], name="document_id")
    t = Table.from_labels(real=[0, 1, 1], predicted=[0, 1, 0], unit=document)
    assert t.units is not None
    assert (t.units.name, t.units.n, t.units.of) == ("document", 2, "case")


def test_a_case_without_a_unit_is_refused() -> None:
    with pytest.raises(LabelError, match="1 case has no `unit` \\(the first at position 1, counted from 0\\)"):
        Table.from_labels(real=[0, 1], predicted=[0, 1], unit=["a", None], missing="drop")


def test_another_prevalence_leaves_the_units_with_the_origin() -> None:
    t = Table.from_labels(real=[0, 1, 0, 1], predicted=[0, 1, 1, 1], unit=[1, 1, 2, 2])
    moved = t.at_prevalence([0.2, 0.8])
    assert moved.units is None
    assert moved.origin is not None
    assert moved.origin.units is t.units
    assert t.without_units().units is None


def test_tables_that_were_added_say_that_their_units_are_taken_as_different() -> None:
    one = Table.from_labels(real=[1, 0, 1, 1], predicted=[1, 0, 0, 1], unit=[*"aabb"])
    both = one + one
    assert both.units is not None
    assert (both.units.n, both.units.apart) == (4.0, True)
    for t in (both, Table.from_json(both.to_json())):
        assert any(note.code == "units-apart" for note in interval(t, "recall").notes)
    assert not any(note.code == "units-apart" for note in interval(one, "recall").notes)


def test_equal_units_are_one_pattern() -> None:
    real, said = np.tile([0, 1, 1], 1000), np.tile([0, 1, 0], 1000)
    t = Table.from_labels(real=real, predicted=said, unit=np.repeat(np.arange(1000), 3))
    assert t.units is not None
    assert t.units.mult.tolist() == [1000]
    assert sorted(t.units.cell) == [0, 1, 3]


def test_singles_keep_the_first_two_sums_of_weights() -> None:
    found = singles(np.array([4.0, 0.0, 3.0]), np.array([8.0, 0.0, 3.0]))
    assert found.cell.tolist() == [0, 2]
    assert (found.mult * found.weight).tolist() == [4, 3]
    assert (found.mult * found.weight**2).tolist() == [8, 3]


def test_patterns_that_do_not_add_up_are_refused() -> None:
    t = Table.from_labels(real=[0, 1, 0, 1], predicted=[0, 1, 1, 1], unit=[1, 1, 2, 2])
    with pytest.raises(TableError, match="do not add up"):
        Table.from_json(t.to_json().replace('"patterns": [[1.0', '"patterns": [[2.0'))
    with pytest.raises(TableError, match="empty, or not in the order"):
        Table.from_json(t.to_json().replace('"patterns": [', '"patterns": [[1.0], '))
    stack = json.loads(Table.from_labels(real=[0, 1, 1], predicted=[0, 1, 0], unit=[1, 2, 3], by=[1, 2, 2]).to_json())
    stack["units"] |= {name: stack["units"][name][::-1] for name in ("patterns", "table")}
    with pytest.raises(TableError, match="not in the order of their tables"):
        Table.from_json(json.dumps(stack))
    asked = json.loads(Table.from_labels(real=[0, 0, 1], predicted=[0, 1, 1], item=[1, 1, 2]).to_json())
    asked["units"]["each"] = [0.5]
    with pytest.raises(TableError, match="one weight for each of its patterns"):
        Table.from_json(json.dumps(asked))


def test_long_form_in_any_order() -> None:
    rng = np.random.default_rng(3)
    unit, cell, weight = rng.integers(0, 50, 400), rng.integers(0, 9, 400), rng.integers(1, 4, 400) / 3
    order = rng.permutation(400)
    a = Units.gathered(unit, cell, weight)
    assert a.same(Units.gathered(unit[order], cell[order], weight[order]))
    assert a.same(Units.gathered(unit * 10**9, cell, weight))
    assert not a.same(Units.gathered(unit, cell, weight * 2))


# ---------------------------------------------------------------------- two systems and more


def joint_adds_up(both: Joint) -> None:
    assert both.units is not None
    held = both.cells.reshape(-1, *both.shape)
    np.testing.assert_allclose(both.units.cells(len(held)), held, rtol=1e-9, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(rows(), st.integers(0, 99))
def test_joints_carry_their_units(held: dict[str, Any], seed: int) -> None:
    if "item" in held:
        for name in {"real", "weights"} & {*held}:  # the same for all rows of an item
            held[name] = held[name].take(held["item"], mode="wrap")
    told = {name: x for name, x in held.items() if name not in ("predicted", "labels")}
    other = np.random.default_rng(seed).permutation(held["predicted"])
    both = Joint.from_labels(**told, a=held["predicted"], b=other, labels=[0, 1, 2])
    for one in (both, both.common, both.swapped, both.one_vs_rest()):
        joint_adds_up(one)
    for own, said in ((both.a, held["predicted"]), (both.b, other)):
        assert_alike(own, Table.from_labels(**{**held, "predicted": said}))


def epochs() -> Paired:
    """Three items: one system is asked twice, the other once, and the last item of neither's second run."""
    real = [0, 1, 1, 0, 1]
    codes = np.array([[0, 0], [1, 1], [0, 1], [1, -2], [-1, -2]])
    return paired(np.asarray(real), codes, names=["a", "b"], item=["x", "y", "z", "x", "y"])


def test_unequal_epochs_count_each_item_once() -> None:
    p = epochs()
    tables = p.tables
    assert tables.real_totals.sum(axis=0).tolist() == [2.5, 3]
    assert tables["a"].counts.tolist() == [[0.5, 1], [0.5, 0.5]]
    assert tables["a"].abstained.tolist() == [0, 0.5]
    both = p.joint("a", "b")
    joint_adds_up(both)
    assert_alike(both.a, tables["a"])
    np.testing.assert_allclose(flat(both.b.answered), flat(tables["b"].answered))
    assert both.units is not None
    assert (both.units.n, both.units.asked, both.units.of) == (3, True, "item")
    assert tables.units is not None
    assert tables.units.ids is not None
    assert tables.units.n.tolist() == [3, 3]


def test_asking_every_item_twice_with_the_same_answer_changes_no_count() -> None:
    real, codes = np.array([0, 1, 1, 0]), np.array([[0, 1], [1, 1], [0, 1], [0, 0]])
    once, twice = (
        paired(np.tile(real, k), np.tile(codes, (k, 1)), item=np.tile(np.arange(4), k)).joint(0, 1) for k in (1, 2)
    )
    assert np.array_equal(once.counts, twice.counts)
    assert once.units is None
    assert twice.squares is None
    assert twice.units is not None
    assert twice.units.single


def test_answers_by_their_labels_or_as_numbers_are_the_same_joint_in_any_order() -> None:
    rng = np.random.default_rng(5)
    item = np.repeat(np.arange(20), 4)
    real = rng.integers(0, 2, 20)[item]
    codes = np.where(rng.random((80, 2)) < 0.7, real[:, None], 1 - real[:, None])
    joint = paired(real, codes, names=["a", "b"], item=item).joint("a", "b")
    turned = np.take_along_axis(codes[:, 1], np.lexsort((rng.random(80), item)), 0)  # b's epochs in another order
    for b in (codes[:, 1], turned):
        told = Joint.from_labels(real=real, a=codes[:, 0], b=b, item=item)
        np.testing.assert_allclose(told.cells, joint.cells)
        assert told.units is not None
        assert told.units.same(joint.units)


@pytest.mark.parametrize("door", ["labels", "paired", "joined again"])
def test_an_item_has_one_real_label_one_unit_and_one_weight(door: str) -> None:
    real, codes, item = np.array([0, 1, 0, 1]), np.array([[0, 1], [1, 1], [0, 0], [1, 0]]), [7, 7, 8, 8]

    def told(real: Any, unit: Any, weights: Any = None) -> Any:
        how: dict[str, Any] = {"unit": unit, "weights": weights}
        if door == "labels":
            return Joint.from_labels(real=real, a=codes[:, 0], b=codes[:, 1], item=item, **how)
        p = paired(real, codes, item=None if door == "joined again" else item, **how)
        return paired(None, p, item=item, **how)

    with pytest.raises(LabelError, match="An item has more than one real label"):
        told(real, None)
    with pytest.raises(LabelError, match="An item has more than one unit"):
        told(np.array([0, 0, 1, 1]), [1, 2, 3, 3])
    with pytest.raises(LabelError, match="An item has more than one weight"):
        told(np.array([0, 0, 1, 1]), None, [1, 2, 3, 3])


def test_an_item_of_weight_0_is_as_one_that_is_left_out() -> None:
    real, item = np.repeat([0, 1, 0, 1, 1], 2), np.repeat(np.arange(5), 2)
    codes = np.array([[0, 1], [1, 1], [0, 0], [1, 0], [1, 1]] * 2)
    p = paired(real, codes, item=item, weights=np.repeat([0, 1, 2, 1, 1], 2))
    one, other = p.joint(0, 1), p.where(item > 0).joint(0, 1)
    for name in ("cells", "squares", "cases"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name))
    assert one.units is not None
    assert one.units.same(other.units)


# ---------------------------------------------------------------------- tallies


@settings(max_examples=40, deadline=None)
@given(rows(), st.integers(1, 7), st.booleans())
def test_tallies_know_units_again(held: dict[str, Any], size: int, written: bool) -> None:
    if "unit" in held:
        held.pop("item", None)
    else:
        held.pop("weights", None)
    how = {name: held.pop(name) for name in ("abstain", "labels")}
    workers = [Tally(**how), Tally(**how)]
    for i, at in enumerate(range(0, len(held["real"]), size)):
        workers[i % 2].update(**{name: x[at : at + size] for name, x in held.items()})
    if written:
        workers = [Tally.from_json(one.to_json()) for one in workers]
    workers[0].merge(workers[1])
    found, wanted = workers[0].table(), Table.from_labels(**held, **how)
    assert_alike(found, wanted)
    for name in ("squares", "cases", "unanswered_squares"):
        a, b = getattr(found, name), getattr(wanted, name)
        assert (a is None) == (b is None)
        if a is not None:
            np.testing.assert_allclose(a, b)


def test_a_tally_keeps_the_name_of_its_units_and_counts_equal_answers() -> None:
    tally = Tally()
    tally.update(real=[0, 1], predicted=[0, 1], unit=pd.Series(["a", "b"], name="document_id"))
    tally.update(real=[0, 1], predicted=[0, 1], unit=["a", "c"])
    units = tally.table().units
    assert units is not None
    assert (units.n, units.name) == (3, "document")
    often = Tally(frequency=True)
    often.update(real=[0, 0, 1], predicted=[0, 1, 1], item=["a", "a", "b"], weights=[2, 1, 2])
    written: dict[str, Any] = {"real": [0, 0, 0, 1, 1], "predicted": [0, 0, 1, 1, 1], "item": ["a", "a", "a", "b", "b"]}
    assert_alike(often.table(), Table.from_labels(**written))


def test_cases_of_their_own_added_to_a_stack_leave_shared_units_shared() -> None:
    rng = np.random.default_rng(1)
    unit, by, real, said = rng.integers(0, 5, 40), np.arange(40) % 2, rng.integers(0, 2, 40), rng.integers(0, 2, 40)
    stack = Table.from_labels(real=real, predicted=said, unit=unit, by=by)
    for both in (stack + stack.without_units(), stack.without_units() + stack):
        whole = both.sum()
        assert_adds_up(whole)
        assert whole.units is not None
        assert whole.units.n == 45


def test_a_tally_has_units_or_not() -> None:
    tally = Tally()
    tally.update(real=[0, 1], predicted=[0, 1], unit=["a", "b"])
    with pytest.raises(LabelError, match="all must have the same"):
        tally.update(real=[0, 1], predicted=[0, 1])
    with pytest.raises(LabelError, match="1 case has no `unit`"):
        tally.update(real=[0, 1], predicted=[0, 1], unit=["a", None])
