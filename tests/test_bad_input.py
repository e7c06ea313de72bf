"""Degenerate and wrong input: the stated policy or one clear sentence, and no silent wrong number.

The cases are those at which other packages print a perfect score, invent a class, drop rows or
crash inside themselves.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped,unused-ignore]  # its types are extra
import pytest

import informed
from informed import MEASURES, InformedError, Table, Tally, find, why
from informed.errors import LabelError

NAN = float("nan")
counted = Table.from_labels
given = Table.from_counts


def labels(real: Any, predicted: Any, **how: Any) -> Callable[[], Table]:
    return lambda: counted(real=real, predicted=predicted, **how)


def counts(held: Any, **how: Any) -> Callable[[], Table]:
    return lambda: given(held, **how)


AB: dict[str, Any] = {"labels": ["a", "b"]}
TWO = [[1, 2], [3, 4]]

REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    # labels
    "length": (labels([1, 0, 1], [1, 0]), "`real` has 3, `predicted` has 2 .* equally long"),
    "empty": (labels([], []), "empty; at least one case"),
    "NaN": (labels([1, 0, NAN, 1], [1, 0, 1, NAN]), "`real` has 1 missing label .position 2."),
    "None": (labels(["a", None], ["a", "b"]), "1 missing label .position 1."),
    "NaT": (labels([pd.Timestamp(2020, 1, 1), pd.NaT], ["a", "b"]), "missing label"),
    "NA": (labels(pd.Series(["a", pd.NA], dtype="string"), ["a", "b"]), "missing label"),
    "missing reality cannot abstain": (
        labels([1, None], [1, 1], missing="abstain"),
        "missing real label cannot; use `missing=.drop.`",
    ),
    "missing policy": (labels([1], [1], missing="ignore"), "`missing` is 'ignore'"),
    "mixed types": (labels([1, "1", 0], [1, 1, "0"]), "written alike but not equal"),
    "text against number": (labels(["1", "0"], [1, 0]), "written alike but not equal"),
    "other text against number": (labels(["x", "y"], [1, 0]), "no two can be equal"),
    "bools among numbers": (labels([True, False], [1, 2]), "bools can only be compared"),
    "scores": (labels([1, 0, 1], [0.3, 0.2, 0.5]), "looks like a score"),
    "decimal scores": (labels([1, 0], [Decimal("0.5"), Decimal(1)]), "looks like a score"),
    "lists as labels": (labels([[1], [1, 2]], [[1], [2]]), "cannot be a label"),
    "two axes": (labels(np.zeros((3, 2)), np.zeros((3, 2))), "one label per case"),
    "one text": (labels("abc", "abd"), "a sequence with one label per case"),
    "a number": (labels(3, 3), "a sequence with one label per case"),
    "outside labels": (labels([1, 0, 2], [1, 1, 0], labels=[0, 1]), "2 is not in `labels`"),
    "predicted outside": (labels([1, 0], [1, 3], labels=[0, 1]), "3 is not in `labels`"),
    "labels twice": (labels([1, 0], [1, 0], labels=[0, 1, 1]), "holds 1 twice"),
    "positive unknown": (labels(["a", "b"], ["a", "b"], positive="c"), "the classes are 'a', 'b'"),
    "positive of three": (labels([0, 1, 2], [0, 1, 2], positive=1), "only one of two"),
    # weights
    "weights length": (labels([1, 0], [1, 1], weights=[1]), "one number per case"),
    "weights negative": (labels([1, 0], [1, 1], weights=[1, -1]), "finite and not negative"),
    "weights NaN": (labels([1, 0], [1, 1], weights=[1, NAN]), "finite and not negative"),
    "weights infinite": (labels([1, 0], [1, 1], weights=[1, np.inf]), "finite and not negative"),
    "weights text": (labels([1, 0], [1, 1], weights=["a", "b"]), "`weights`"),
    # counts
    "negative": (counts([[1, -2], [0, 0]]), "`counts` holds -2; it must be finite and not negative"),
    "infinite": (counts([[1, np.inf], [0, 0]]), "must be finite"),
    "NaN count": (counts([[1, NAN], [0, 0]]), "must be finite"),
    "1 x 1": (counts([[3]]), "1 x 1"),
    "one axis": (counts([3, 4]), r"shape \(2,\)"),
    "no classes": (counts(np.zeros((0, 0))), r"shape \(0, 0\)"),
    "ragged": (counts([[3, 4], [1]]), "rows that are equally long"),
    "text counts": (counts([["a", "b"], ["c", "d"]]), "numbers are needed"),
    "too few labels": (counts(TWO, labels=["a"]), "1 predicted labels were given for 2"),
    "labels repeated": (counts(TWO, labels=["a", "a"]), "holds 'a' twice"),
    "labels alike": (counts(TWO, labels=["1", 1]), "written alike"),
    "labels given twice": (counts(TWO, labels=["a", "b"], real_labels=["a", "b"]), "either"),
    "orientation": (counts(TWO, rows="truth"), "`rows` is 'truth'; it can be None, 'predicted'"),
    "abstained shape": (counts(TWO, abstained=[1, 2, 3]), r"must be \(2,\)"),
    "abstained negative": (counts(TWO, abstained=[-1, 2]), "finite and not negative"),
    "abstained NaN": (counts(TWO, abstained=[NAN, 2]), "finite and not negative"),
    "abstained text": (counts(TWO, abstained=["a", 2]), "numbers are needed"),
    "names": (counts([TWO, TWO], names=["A"]), "1 different names for 2 tables"),
    "names twice": (counts([TWO, TWO], names=["A", "A"]), "1 different names for 2 tables"),
    "names of one": (counts(TWO, names=["A"]), "1 axes for a stack of shape"),
    # made tables
    "mixture range": (lambda: Table.mixture(2, prevalence=0.5), r"must lie in \[-1, 1\]"),
    "mixture NaN": (lambda: Table.mixture(NAN, prevalence=0.5), "must be finite"),
    "mixture of three": (lambda: Table.mixture(-0.2, prevalence=[0.2, 0.3, 0.5]), r"\[0, 1\]"),
    "mixture prevalence": (lambda: Table.mixture(0.2, prevalence=1.5), "must be a probability"),
    "mixture sum": (lambda: Table.mixture(0.2, prevalence=[0.5, 0.6]), "adds up to 1.1"),
    "mixture text": (lambda: Table.mixture(0.2, prevalence="half"), "numbers are needed"),
    "mixture guess": (lambda: Table.mixture(0.2, prevalence=0.5, guess=[0.2, 0.3, 0.5]), "3 classes"),
    "mixture n": (lambda: Table.mixture(0.2, prevalence=0.5, n=-4), "`n` is -4"),
    "prevalence length": (lambda: given(TWO).at_prevalence([0.2, 0.3, 0.5]), "3 numbers for 2"),
    "prevalence of nothing": (lambda: given([[0, 2], [0, 4]]).at_prevalence(0.2), "No case is really"),
    "prevalence of three": (lambda: given(np.ones((3, 3))).at_prevalence(0.2), "each of them"),
    "prevalence by label": (lambda: given(TWO, **AB).at_prevalence({"a": 1}), "every one of"),
    # what a table does not have
    "inverse of three": (lambda: given(np.ones((3, 3))).inverse, "Only two classes have an inverse"),
    "inverse of whom": (lambda: given(TWO, **AB).inverse, "Which of 'a', 'b' is positive"),
    "dual of abstentions": (lambda: given(TWO, abstained=[1, 2]).dual, "it has no dual"),
    "labels of a rectangle": (lambda: given(np.ones((2, 3))).labels, "rectangular"),
    "no such class": (lambda: given(TWO, **AB).one_vs_rest("c"), "no class 'c'"),
    "in two groups": (lambda: given(TWO, **AB).collapse({"x": ["a"], "y": ["a"]}), "two of the groups"),
    "group named as a class": (
        lambda: given(np.ones((3, 3)), labels=list("abc")).collapse({"c": ["a", "b"]}),
        "'c' is a class of the table that no group names",
    ),
    "select twice": (lambda: given(TWO, **AB).select(["a", "a"]), "names a class twice"),
    "no such table": (lambda: given([TWO, TWO], names=["A", "B"])["C"], "no table called 'C'"),
    "no names": (lambda: given([TWO, TWO])["C"], "which has no names"),
    "outside the stack": (lambda: given([TWO, TWO])[9], "outside this stack"),
    "too many indices": (lambda: given([TWO, TWO])[0, 0], "2 indices were given for 1"),
    "not a stack": (lambda: given(TWO)[0], "one table, not a stack"),
    "axis": (lambda: given([TWO, TWO]).sum(3), "`axis` is 3"),
    "adding unlabelled": (lambda: given(TWO) + given(TWO, **AB), "no labels of its own"),
    "adding lookalikes": (lambda: given(TWO, labels=[1, 2]) + given(TWO, labels=["1", "3"]), "written alike"),
    "adding positives": (
        lambda: given(TWO, **AB, positive="a") + given(TWO, **AB, positive="b"),
        "calls 'a' positive, the other 'b'",
    ),
    "adding stacks": (lambda: given([TWO] * 2) + given([TWO] * 3), "do not go together"),
    "adding names": (
        lambda: given([TWO] * 2, names=["A", "B"]) + given([TWO] * 2, names=["A", "C"]),
        "named differently",
    ),
    "JSON of nothing": (lambda: Table.from_json("{}"), "not a table that `to_json` wrote"),
    "JSON of text": (lambda: Table.from_json("nope"), "not a table that `to_json` wrote"),
    "JSON of a list": (lambda: Table.from_json("[1]"), "not a table that `to_json` wrote"),
    "JSON of tuples": (lambda: given(TWO, labels=[(1, 2), (3, 4)]).to_json(), "is a tuple; JSON"),
    "empty tally": (lambda: Tally().table(), "Nothing was counted yet"),
    "tally of a number": (lambda: Tally().update(real=3, predicted=4), "must be sequences"),
    "tally lengths": (lambda: Tally().update(real=[], predicted=[4]), "equally long"),
    # measures
    "recall of three": (lambda: informed.recall(given(np.ones((3, 3)))), "average=.*one_vs_rest"),
    "recall of whom": (lambda: informed.recall(given(TWO, **AB)), "which of 'a', 'b' is positive"),
    "kappa of a rectangle": (lambda: informed.cohen_kappa(given(np.ones((2, 3)))), "same labels"),
    "near miss": (lambda: find("mccc"), "Did you mean mcc"),
    "no measure": (lambda: find("zzzzzz"), "no measure called 'zzzzzz'"),
    "no parameter": (lambda: find("f_beta(alpha=2)"), "f_beta has no parameter 'alpha'"),
    "unreadable": (lambda: find("f_beta(beta=)"), "cannot be read"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_in_one_clear_sentence(case: str) -> None:
    make, message = REFUSED[case]
    with pytest.raises(InformedError, match=message) as caught:
        make()
    said = str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert len(said) < 400
    assert said.endswith((".", "?", ")"))
    assert "\n" not in said


# ---------------------------------------------------------------- what has a policy instead


def test_a_class_never_predicted() -> None:
    t = counted(real=[0, 0, 1, 1, 2, 2], predicted=[0, 0, 1, 1, 1, 0])
    assert t.k == 3
    each = find("precision").per_class(t)
    assert each.tolist()[:2] == [2 / 3, 2 / 3]
    assert math.isnan(each[2])
    assert why(t, "precision", label=2) == "no case was predicted 2"
    assert math.isnan(informed.precision(t, average="macro"))  # not .4444, not a warning
    assert why(t, "precision(average='macro')") == "no case was predicted 2"
    assert informed.recall(t, average="macro") == pytest.approx(2 / 3)
    assert informed.informedness(t) == pytest.approx(0.5)
    assert informed.cohen_kappa(t) == pytest.approx(0.5)
    assert informed.matthews(t) == pytest.approx(0.5773502691896258)
    assert informed.cramers_v(t) == pytest.approx(np.sqrt(4 / 12))  # chi² over N·(K − 1)
    assert informed.mutual_information(t, base="2") == pytest.approx(2 / 3)


def test_a_class_predicted_but_never_real() -> None:
    t = counted(real=[0, 0, 1, 1], predicted=[0, 2, 1, 1])
    assert math.isnan(informed.recall(t, average="macro"))
    assert why(t, "recall(average='macro')") == "no case is really 2"
    assert math.isnan(informed.balanced_accuracy(t))  # over three classes, one of them unknown
    assert why(t, "balanced_accuracy") == "no case is really 2"
    assert informed.informedness(t) == pytest.approx(0.75)  # defined: 1 − Σ fallout
    assert informed.recall(t, average="prevalence") == informed.accuracy(t) == 0.75


def test_one_label_everywhere() -> None:
    t = counted(real=[1, 1, 1], predicted=[1, 1, 1])
    assert t.labels == (1,)  # no class is invented
    assert informed.accuracy(t) == 1
    undefined = ["informedness", "markedness", "matthews", "correlation", "cohen_kappa"]
    for name in [*undefined, "informedness_trace", "adjusted_rand_index"]:
        assert math.isnan(MEASURES[name](t))
        assert why(t, name)
    assert informed.informedness(t, undefined="limit") == 0
    with pytest.raises(InformedError, match="this table has 1 "):
        informed.recall(t)


def test_reality_constant() -> None:
    t = counted(real=[1, 1, 1], predicted=[1, 0, 1])
    assert math.isnan(informed.informedness(t))
    assert why(t, "informedness") == "every case is really 1"
    assert math.isnan(informed.matthews(t))
    assert math.isnan(informed.informedness_trace(t))  # not minus infinity
    assert informed.markedness(t) == 0
    assert informed.cohen_kappa(t) == 0


def test_prediction_constant_is_a_guess() -> None:
    t = counted(real=[1, 0, 1], predicted=[1, 1, 1])
    assert informed.informedness(t) == 0
    assert informed.cohen_kappa(t) == 0
    assert informed.informedness_trace(t) == 0
    assert math.isnan(informed.matthews(t))  # not .408
    assert why(t, "matthews") == "every case was predicted 1"
    assert informed.matthews(t, undefined="limit") == 0


def test_missing_labels() -> None:
    real, predicted = [1, 0, NAN, 1, 0], [1, 0, 1, NAN, None]
    t = counted(real=real, predicted=predicted, missing="drop")
    assert (t.n, t.missing, t.rows) == (2, 3, 5)
    assert t.labels == (0, 1)  # never a class of its own
    u = counted(real=[1, 0, 1], predicted=[1, None, NAN], missing="abstain")
    assert (u.n, u.missing, u.rows) == (1, 0, 3)
    assert u.abstained.tolist() == [1, 1]


def test_numbers_that_are_equal_are_one_label() -> None:
    t = counted(real=[1, 0, 1], predicted=[1.0, 0.0, 0.0])
    assert t.labels == (0, 1)
    assert informed.accuracy(t) == pytest.approx(2 / 3)
    u = counted(real=[True, False, True], predicted=[1, 0, 0])
    assert u.labels == (False, True) == (0, 1)
    assert informed.accuracy(u) == pytest.approx(2 / 3)
    assert counted(real=np.array([1, 0], np.int8), predicted=np.array([1, 0], np.float32)).n == 2


@pytest.mark.parametrize("pair", [(-1, 1), (0, 5), (7, 100), ("no", "yes")])
def test_labels_with_gaps(pair: tuple[Any, Any]) -> None:
    low, high = pair
    t = counted(real=[low, high, high, low], predicted=[low, high, low, low])
    assert t.labels == pair
    assert t.counts.tolist() == [[2, 1], [0, 1]]
    expected = 1 if pair == (-1, 1) else "yes" if high == "yes" else None
    assert t.positive == expected


def test_all_zero() -> None:
    for t in (given([[0, 0], [0, 0]]), counted(real=[1, 0], predicted=[1, 1], weights=[0, 0])):
        assert t.n == 0
        assert all(math.isnan(m(t)) for m in MEASURES.values())
        assert all(why(t, m) for m in MEASURES.values())
    empty = Tally(labels=["a", "b"]).table()
    assert empty.n == 0
    assert math.isnan(informed.informedness(empty))


def test_a_small_n_and_a_large_one_are_alike() -> None:
    """No integer overflows and no count is too large to read."""
    small, large = given([[4, 1], [2, 3]]), given([[4 * 10**17, 10**17], [2 * 10**17, 3 * 10**17]])
    for m in MEASURES.values():
        scale = {"rand_index", "adjusted_rand_index", "fowlkes_mallows_pairs"}
        small_sample = {"krippendorff_alpha", "cramers_v_corrected", "adjusted_mutual_information"}
        if m.name not in scale | small_sample:
            assert m(large) == pytest.approx(m(small), rel=1e-9), m.name


def test_abstention_is_said_and_not_a_class() -> None:
    t = counted(real=["a", "b", "b"], predicted=["a", "?", "b"], abstain="?")
    assert t.labels == ("a", "b")
    assert (t.n, t.rows) == (2, 3)
    assert informed.coverage(t) == pytest.approx(2 / 3)
    silent = counted(real=["a", "b"], predicted=["?", "?"], abstain="?")
    assert silent.n == 0
    assert informed.coverage(silent) == 0
    assert informed.informedness_of_all(silent) == 0
    assert math.isnan(informed.informedness(silent))


def test_reasons_name_the_label() -> None:
    t = given([[90, 10], [0, 0]], labels=["ham", "spam"], positive="spam")
    assert why(t, "precision") == "no case was predicted 'spam'"
    assert why(t, "recall") is None
    assert why(t, "markedness") == "every case was predicted 'ham'"


def test_a_typo_in_python_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'informednes'"):
        _ = informed.informednes  # type: ignore[attr-defined]  # as meant


def test_unlike_things_do_not_add() -> None:
    with pytest.raises(TypeError):
        _ = given(TWO) + 3


def test_what_to_do_is_kept_where_a_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A surface that cannot do one of the ways must be able to leave it out."""

    def refused(*_: object) -> None:
        raise LabelError("Which?", "give `positive=`")

    (tmp_path / "x.csv").write_text("y,p\na,a\nb,b\n")
    monkeypatch.setattr("informed.sources.gather.table", refused)
    with pytest.raises(LabelError, match=r"x\.csv: Which\? Give") as seen:
        informed.read(tmp_path / "x.csv", real="y", predicted="p")
    assert seen.value.ways == ("give `positive=`",)
