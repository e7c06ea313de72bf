"""Tags: what they are made of, their measures against goldens, and the laws of these over all small cases."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

import informed
from informed import Table, Tags, interval
from informed.errors import InformedError, LabelError
from informed.measures.tag_scores import AVERAGES, FAIR, LabelCounts, chance, item_values, score

# scikit-learn's values (informed's are its recall less its fallout), from an independent implementation
GOLDENS: dict[str, dict[str, Any]] = {
    "A1": {
        "real": "111 000 100 100 010 110 110 000",
        "predicted": "011 011 000 100 011 110 111 011",
        "values": (0.542857, 0.485714, 0.509524, 0.526316, 0.371429, -0.057143),
        "usual": ((0.25, 0.109375), (0.333333, 0.541667), (0.479167, 0.315104)),
    },
    "A2": {
        "real": "1111 0000 1000 0010 1010 1100 1111 1100 0000 0000 1011 1100",
        "predicted": "0001 1000 1000 0010 1011 1100 1111 1110 1001 0010 0011 1101",
        "values": (0.503401, 0.479167, 0.557738, 0.558140, 0.550265, 0.042328),
        "usual": ((0.333333, 0.069444), (0.229167, 0.479167), (0.576389, 0.305556)),
    },
    "A3": {
        "real": "000 010 010 100 000 000 010 000 000 100",
        "predicted": "011 010 011 101 000 000 011 000 001 111",
        "values": (0.828571, 0.384615, np.nan, 0.837838, 0.68, -0.064),
        "usual": ((0.4, 0.18), (0.266667, 0.473333), (0.583333, 0.251667)),
        "occurring": 0.857143,
    },
    "A4": {
        "real": "10100 10010 01000 00000 11100 00010 00110 00100 00010 00110 11010 10110 00010 00100 10110",
        "predicted": "10100 11011 01001 00110 01100 00011 00110 00001 00110 01101 11010 11110 00011 00100 10010",
        "values": (0.671703, 0.521008, np.nan, 0.685, 0.601256, 0.063579),
        "usual": ((0.266667, 0.048889), (0.213333, 0.456889), (0.588889, 0.295852)),
        "occurring": 0.692460,
    },
}


def rows(text: str) -> np.ndarray[Any, Any]:
    return np.array([[int(c) for c in row] for row in text.split()])


def golden(name: str) -> Tags:
    return Tags.from_labels(real=rows(GOLDENS[name]["real"]), predicted=rows(GOLDENS[name]["predicted"]))


def drawn(n: int, labels: int, seed: int = 0, *, knows: float = 0.5) -> Tags:
    rng = np.random.default_rng(seed)
    y = rng.random((n, labels)) < np.linspace(0.1, 0.6, labels)
    z = np.where(rng.random((n, labels)) < knows, y, rng.random((n, labels)) < np.linspace(0.2, 0.5, labels))
    return Tags.from_labels(real=y, predicted=z)


# ---------------------------------------------------------------- goldens


@pytest.mark.parametrize("name", GOLDENS)
def test_goldens(name: str) -> None:
    t, wanted = golden(name), GOLDENS[name]
    asked = (
        ("informedness", "prevalence"),
        ("markedness", "prevalence"),
        ("informedness", "macro"),
        ("informedness", "within"),
        ("informedness", "micro"),
    )
    found = [*(score(t, m, a) for m, a in asked), chance(t, "informedness", "micro")]
    np.testing.assert_allclose(found, wanted["values"], atol=6e-7)
    usual = [(score(t, m), chance(t, m)) for m in ("subset_accuracy", "hamming_loss", "jaccard_samples")]
    np.testing.assert_allclose(usual, wanted["usual"], atol=6e-7)
    if "occurring" in wanted:
        assert score(t, "informedness", "occurring") == pytest.approx(wanted["occurring"], abs=6e-7)


def test_golden_intervals() -> None:
    """By another reading of the method: the lower limit of A3, both of A4."""
    assert interval(golden("A3")).low == pytest.approx(0.3987, abs=6e-5)
    found = interval(golden("A4"))
    assert (found.low, found.high) == pytest.approx((0.3230, 0.8884), abs=6e-5)
    assert found.method == "arc-items"


def test_scikit_learn_agrees() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    t = drawn(200, 6)
    y, z = t.real, t.codes[0]
    assert score(t, "f1_micro") == pytest.approx(metrics.f1_score(y, z, average="micro"))
    assert score(t, "hamming_loss") == pytest.approx(metrics.hamming_loss(y, z))
    assert score(t, "subset_accuracy") == pytest.approx(metrics.accuracy_score(y, z))
    both = y.any(axis=1) | z.any(axis=1)  # scikit-learn takes two empty sets as 0, here they are the same
    jaccard = metrics.jaccard_score(y[both], z[both], average="samples")
    assert item_values(t, "jaccard_samples")[both].mean() == pytest.approx(jaccard)
    each = metrics.multilabel_confusion_matrix(y, z)[:, ::-1, ::-1].transpose(0, 2, 1)
    np.testing.assert_array_equal(t.table.counts, each)


# ---------------------------------------------------------------- laws


def test_one_hot_rows_are_classes() -> None:
    """Of one tag an item, the default is the package's informedness (and markedness) of several classes."""
    rng = np.random.default_rng(1)
    for k in (2, 3, 5):
        real, predicted = rng.integers(0, k, 60), rng.integers(0, k, 60)
        t = Tags.from_labels(real=np.eye(k)[real], predicted=np.eye(k)[predicted])
        table = Table.from_labels(real=real, predicted=predicted)
        assert score(t) == pytest.approx(informed.informedness(table), abs=1e-12)
        assert score(t, "markedness") == pytest.approx(informed.markedness(table), abs=1e-12)


def test_one_label_is_two_classes() -> None:
    real, predicted = [[1], [1], [0], [0], [1], [0], [0]], [[1], [0], [0], [1], [1], [0], [0]]
    t = Tags.from_labels(real=np.array(real), predicted=np.array(predicted))
    table = Table.from_labels(real=np.ravel(real), predicted=np.ravel(predicted), positive=1)
    for name in ("informedness", "markedness", "correlation"):
        for average in ("prevalence", "within", "macro", "micro"):
            assert score(t, name, average) == pytest.approx(informed.MEASURES[name].function(table))
    one, other = interval(t), interval(table, "informedness")
    assert (one.low, one.high, one.method) == pytest.approx((other.low, other.high, other.method))


def shuffled(t: Tags, measure: str, average: str) -> float:
    z = t.codes[0]
    ways = permutations(range(len(t)))
    return float(np.mean([score(Tags(t.real, (z[list(o)],), t.labels), measure, average) for o in ways]))


@pytest.mark.parametrize("seed", range(6))
def test_chance_is_the_mean_over_all_shuffles(seed: int) -> None:
    rng = np.random.default_rng(seed)
    y, z = rng.random((5, 3)) < 0.5, rng.random((5, 3)) < 0.4
    y[0], y[1], z[0], z[1] = [1, 0, 0], [0, 1, 1], [1, 1, 0], [0, 0, 1]  # every label can be bet on, both ways
    t = Tags.from_labels(real=y, predicted=z)
    for average in AVERAGES:
        for measure in ("informedness", "markedness"):
            if np.isnan(score(t, measure, average)):
                continue
            assert shuffled(t, measure, average) == pytest.approx(chance(t, measure, average), abs=1e-12)
    assert shuffled(t, "correlation", "micro") == pytest.approx(chance(t, "correlation", "micro"), abs=1e-12)
    for measure in ("subset_accuracy", "hamming_loss", "jaccard_samples", "f1_micro"):
        assert shuffled(t, measure, "prevalence") == pytest.approx(chance(t, measure), abs=1e-12)


BITS = [np.reshape(x, (3, 2)) for x in product([False, True], repeat=6)]  # all tags of three items
REAL = [y for y in BITS if (np.diff(y @ [2, 1]) >= 0).all()]  # all but for the order of the items


def of(y: Any, z: Any) -> LabelCounts:
    both, real, given = (np.asarray(m.sum(axis=0), np.float64) for m in (y & z, y, z))
    return LabelCounts(both, real, given, float(len(y)))


def test_laws_over_all_small_cases() -> None:
    """All pairs of real and predicted tags of two labels of three items."""
    for y, z in product(REAL, BITS):
        c = of(y, z)
        bet = (y.any(axis=0)) & ~y.all(axis=0)
        for average in FAIR:
            x = c.mean(average)
            if not bet.any() or (average == "macro" and not bet.all()):
                assert np.isnan(x)
                continue
            assert -1 <= x <= 1
            assert (x == 1) == bool((z == y)[:, bet].all())  # a label without odds neither wins nor loses
            if (z == z[0]).all():
                assert abs(x) < 1e-12
            assert of(y[::-1], z[::-1]).mean(average) == x
            assert of(y[:, ::-1], z[:, ::-1]).mean(average) == pytest.approx(x, abs=1e-15)
            assert of(y, ~z).mean(average) == pytest.approx(-x, abs=1e-15)  # the opposite loses as much
            dual = of(z, y).value("markedness", average)
            assert dual == pytest.approx(x, abs=1e-15)
        b, m, r = (c.value(name, "within") for name in ("informedness", "markedness", "correlation"))
        if not np.isnan(r):
            assert r == pytest.approx(np.sign(b) * np.sqrt(b * m))


def test_a_tag_set_right_never_lowers_informedness() -> None:
    for y, z in product(REAL, BITS):
        before = of(y, z)
        for at in zip(*np.nonzero(y != z), strict=True):
            better = z.copy()
            better[at] = y[at]
            for average in (*FAIR, "micro"):
                one, other = of(y, better).mean(average), before.mean(average)
                assert np.isnan(other) or one >= other - 1e-12


def test_all_small_one_hot_rows_are_classes() -> None:
    """Every way in which three items can be of three classes, and be called so."""
    eye, ways = np.eye(3, dtype=np.bool_), list(product(range(3), repeat=3))
    for real, predicted in product(ways, ways):
        c = of(eye[list(real)], eye[list(predicted)])
        table = Table.from_labels(real=real, predicted=predicted, labels=[0, 1, 2])
        wanted = informed.informedness(table)
        assert c.mean("prevalence") == pytest.approx(wanted, abs=1e-12, nan_ok=True)
        assert c.swapped.mean("prevalence") == pytest.approx(informed.markedness(table), abs=1e-12, nan_ok=True)


def test_dilution_by_guesses_is_exact() -> None:
    """Answers of which a share x is replaced by guesses (all shuffles) keep 1 − x of the score."""
    t = golden("A2")
    c, guess = t.counts(), t.counts()[1] * t.counts()[2] / len(t)
    for x in (0.0, 0.25, 1.0):
        mixed = LabelCounts((1 - x) * c[0] + x * guess, c[1], c[2], float(len(t)))
        for average in FAIR:
            assert mixed.mean(average) == pytest.approx((1 - x) * score(t, "informedness", average))


def test_the_same_frequent_tags_are_guessing() -> None:
    rng = np.random.default_rng(4)
    y = rng.random((200, 4)) < [0.8, 0.6, 0.1, 0.05]
    t = Tags.from_labels(real=y, predicted=np.tile([1, 1, 0, 0], (200, 1)))
    assert all(abs(score(t, "informedness", a)) < 1e-12 for a in FAIR)
    assert score(t, "informedness", "micro") > 0.5
    assert score(t, "informedness", "micro") == pytest.approx(chance(t, "informedness", "micro"))
    assert informed.test(t).pvalue == 1


# ---------------------------------------------------------------- forms


def test_every_form_is_the_same_tags() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    pandas = pytest.importorskip("pandas")
    labels = ["cat", "dog", "fox"]
    real, predicted = rows("110 000 001 111 010"), rows("100 010 001 110 010")
    whole = Tags.from_labels(real=real, predicted=predicted, labels=labels)

    def sets(m: Any) -> list[set[str]]:
        return [{labels[i] for i in np.flatnonzero(row)} for row in m]

    def text(m: Any) -> list[str]:
        return [" ; ".join(sorted(x)) for x in sets(m)]

    def long(m: Any) -> Any:
        return pandas.DataFrame([(i, x) for i, row in enumerate(sets(m)) for x in row], columns=["id", "what"])

    frame = pandas.DataFrame(predicted, columns=labels)[["fox", "cat", "dog"]]
    ways = [
        Tags.from_labels(real=real.astype(bool), predicted=predicted.astype(float), labels=labels),
        Tags.from_labels(real=sparse.csr_matrix(real), predicted=sparse.coo_array(predicted), labels=labels),
        Tags.from_labels(real=pandas.DataFrame(real, columns=labels), predicted=frame),
        Tags.from_labels(real=sets(real), predicted=[tuple(x) for x in sets(predicted)]),
        Tags.from_labels(real=[list(x) for x in sets(real)], predicted=pandas.Series(sets(predicted))),
        Tags.from_labels(real=text(real), predicted=text(predicted), separator=";"),
        Tags.from_labels(real=real, predicted=predicted * 0.6 + 0.2, labels=labels, threshold=0.5),
        Tags.from_labels(real=real, predicted=sets(predicted), labels=labels),
        Tags.from_json(whole.to_json()),
    ]
    long_form = Tags.from_labels(real=long(real), predicted=long(predicted), item="id", tag="what", items=range(5))
    assert long_form.items == (0, 1, 2, 3, 4)
    for t in (*ways, long_form):
        assert t.labels == whole.labels
        np.testing.assert_array_equal(t.table.counts, whole.table.counts)
        for average in FAIR:
            one, other = (interval(x, average=average) for x in (t, whole))
            assert (one.low, one.high) == pytest.approx((other.low, other.high), nan_ok=True)
        assert informed.test(t).pvalue == pytest.approx(informed.test(whole).pvalue)
    assert ways[-1] == whole
    assert ways[0] == whole


def test_arrow_and_polars_lists() -> None:
    pl, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    lists = [["a"], [], ["a", "b"]]
    for x in (pl.Series(lists), pa.array(lists), pa.chunked_array([lists])):
        t = Tags.from_labels(real=x, predicted=lists)
        assert t.labels == ("a", "b")
        assert score(t) == 1


def test_rows_that_are_typed_as_lists_are_rows() -> None:
    """What scikit-learn's users type: not the tags 0 and 1."""
    t = Tags.from_labels(real=[[1, 0], [1, 1], [0, 0]], predicted=[[1, 0], [0.2, 0.9], [0, 0]], threshold=0.5)
    assert t.real.tolist() == [[True, False], [True, True], [False, False]]
    assert t.codes[0].tolist() == [[True, False], [False, True], [False, False]]
    named = Tags.from_labels(real=[[3, 7], [2, 5]], predicted=[[3], [0]])  # numbers of tags are tags
    assert named.labels == (0, 2, 3, 5, 7)
    with pytest.raises(LabelError, match="looks like probabilities"):
        Tags.from_labels(real=[[1, 0], [0, 1]], predicted=[[0.2, 0.7], [0.1, 0.3]])
    with pytest.raises(LabelError, match="one column, or one tag an item"):
        Tags.from_labels(real=[[1], [0]], predicted=[[1], [1]])


def test_tables_of_lists_point_to_tags() -> None:
    for x in ([["a"], ["b", "c"]], [{"a"}, {"b"}], np.eye(2)):
        with pytest.raises(LabelError, match=r"informed\.Tags\.from_labels"):
            Table.from_labels(real=x, predicted=x)


ONE = np.array([[1, 0], [0, 1]])


@pytest.mark.parametrize(
    ("real", "predicted", "options", "said"),
    [
        (ONE, ONE * 0.7, {}, "looks like probabilities: give `threshold=`, or use `informed.probabilities`"),
        (ONE, ONE * 3, {}, "`predicted` holds 3, and columns of tags hold 0 and 1."),
        (ONE, [["a"], None], {"labels": ["a", "b"]}, "tags of 1 item are missing"),
        ([["a"], ["b"]], [["a"], ["z"]], {"labels": ["a", "b"]}, "holds the tag 'z', which is none of `labels`"),
        (["a;b", "a"], ["a", "b"], {}, "give `separator=';'`"),
        (["a", "a"], ["a", "b"], {}, "of one label an item make a Table"),
        (["a;b", "a"], ["a", "b"], {"separator": ","}, "No text has the separator ',', and ';' stands in some"),
        (["a;b", "a"], ["a", "b"], {"separator": ""}, "`separator` is empty"),
        (ONE, ONE[:1], {}, "`predicted` has 1 items and `real` 2"),
        (ONE, np.zeros((2, 3)), {}, "`predicted` has 3 columns for 2 labels"),
        ([["a"], 3], [["a"], ["b"]], {}, "holds 3, which is no list of tags"),
        ([["a"], ["b"]], "ab", {}, "`predicted` is 'ab'"),
        (ONE, ONE, {"weights": [1, -1]}, "not negative"),
        (ONE, ONE, {"unit": [1]}, "`unit` has 1 entries"),
        ([[], []], [[], []], {}, "No item has a tag"),
        ([["a"], ["b"]], [["a"], [None]], {}, "missing tag inside a list"),
        ([["a"], ["b"]], [["a"], [["b"]]], {}, "cannot be a label"),
    ],
)
def test_refusals(real: Any, predicted: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(LabelError) as error:
        Tags.from_labels(real=real, predicted=predicted, **options)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_frames_need_the_same_labels() -> None:
    pandas = pytest.importorskip("pandas")
    one, other = (pandas.DataFrame({"cat": [0, 1], x: [1, 0]}) for x in ("dog", "fox"))
    with pytest.raises(LabelError, match="has a column 'dog' and `predicted` has none"):
        Tags.from_labels(real=one, predicted=other)


def test_missing_is_not_empty() -> None:
    real, predicted = [["a"], ["b"], None, []], [["a"], None, ["a"], []]
    dropped = Tags.from_labels(real=real, predicted=predicted, missing="drop")
    assert (len(dropped), dropped.dropped) == (2, 2)
    with pytest.raises(LabelError, match="empty list"):
        Tags.from_labels(real=real, predicted=predicted, missing="abstain")
    silent = Tags.from_labels(real=real[:2], predicted=predicted[:2], missing="abstain")
    assert silent.unsaid == 1


def test_labels_without_odds_are_named() -> None:
    t = golden("A3")
    found = interval(t)
    assert "1 of 3 labels never occurs and has no weight: 2." in [str(x) for x in found.notes]
    lost = interval(t, average="macro")
    assert np.isnan(lost.estimate)
    assert np.isnan(lost.low)
    assert "1 of 3 labels are really of no item or of all: 2" in str(lost.notes[0])
    assert np.isnan(chance(t, average="macro"))


def test_correlation_is_the_geometric_mean_of_its_factors() -> None:
    """Of every average but macro, which is the mean of the labels'; 0 where the factors differ in sign."""
    for name in GOLDENS:
        t = golden(name)
        for average in ("prevalence", "within", "occurring", "micro"):
            b, m, r = (score(t, x, average) for x in ("informedness", "markedness", "correlation"))
            assert r == pytest.approx(np.sqrt(b * m))
    t = golden("A2")
    phi = [np.corrcoef(t.real[:, i], t.codes[0][:, i])[0, 1] for i in range(4)]
    assert score(t, "correlation", "macro") == pytest.approx(np.mean(phi))
    opposed = Tags.from_labels(real=rows("01 10 00 10 11 10"), predicted=rows("01 00 11 01 01 01"))
    found = [score(opposed, x) for x in ("informedness", "markedness", "correlation")]
    assert found == pytest.approx([-0.25, 0.2, 0.0])


def test_labels_without_odds_are_told_of_the_side_and_the_system_that_leave_them_out() -> None:
    y = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 0]] * 6)
    a, b = y.copy(), y.copy()
    a[:, 1], b[:, 0], b[:, 2] = 0, 1, 1
    t = Tags.from_labels(real=y, predicted={"a": a, "b": b})

    def told(found: Any) -> list[str]:
        return [str(x) for x in found.notes if x.code == "labels-without-odds"]

    assert told(interval(t.among(["a"]), "markedness")) == ["1 of 3 labels is never predicted and has no weight: 1."]
    both = [
        "a: 1 of 3 labels is never predicted and has no weight: 1.",
        "b: 2 of 3 labels are predicted of every item and have no weight: 0, 2.",
    ]
    for measure in ("markedness", "correlation"):
        assert told(informed.compare.paired(t, measure=measure)) == both
    assert told(informed.compare.paired(t)) == []


# ---------------------------------------------------------------- units, weights, tables


def test_the_table_of_units_and_weights() -> None:
    t = drawn(40, 3)
    unit, w = np.repeat(np.arange(10), 4), np.arange(1.0, 41)
    held = Tags.from_labels(real=t.real, predicted=t.codes[0], unit=unit, weights=w, labels=["a", "b", "c"])
    for i, label in enumerate(held.labels):
        own = Table.from_labels(
            real=t.real[:, i], predicted=t.codes[0][:, i], unit=unit, weights=w, labels=[True, False]
        )
        assert held.table[label] == own.with_positive(True)
        one, other = (interval(x, "informedness") for x in (held.table[label], own.with_positive(True)))
        assert (one.low, one.high) == pytest.approx((other.low, other.high))


def test_weights_are_repeats_in_estimates() -> None:
    t = drawn(30, 3)
    w = np.arange(30) % 3 + 1
    heavy = Tags.from_labels(real=t.real, predicted=t.codes[0], weights=w)
    again = t.where(np.repeat(np.arange(30), w))
    for average in AVERAGES[:5]:
        for measure in ("informedness", "markedness", "correlation"):
            assert score(heavy, measure, average) == pytest.approx(score(again, measure, average))
    for measure in ("subset_accuracy", "hamming_loss", "jaccard_samples", "f1_micro"):
        assert score(heavy, measure) == pytest.approx(score(again, measure))
        assert chance(heavy, measure) == pytest.approx(chance(again, measure))


@pytest.mark.parametrize("sparse", [False, True])
def test_a_label_of_every_item_has_no_odds_whatever_the_weights_add_up_to(sparse: bool) -> None:
    from scipy.sparse import csr_array

    for seed in range(20):
        rng, t = np.random.default_rng(seed), drawn(200 + 11 * seed, 4, seed)
        y, z = np.array(t.real), np.array(t.codes[0])
        y[:, 2], z[:, 1] = True, True
        w = np.where(rng.random(len(t)) < 0.1, 0.0, rng.random(len(t)))
        real, predicted = (csr_array(x.astype(int)) if sparse else x for x in (y, z))
        held = Tags.from_labels(real=real, predicted=predicted, weights=w)
        assert score(held) == pytest.approx(score(held.of_labels([0, 1, 3])))
        assert score(held, "markedness") == pytest.approx(score(held.of_labels([0, 2, 3]), "markedness"))
        assert np.isnan(score(held, average="macro"))
        assert np.isnan(informed.informedness(held.table)).tolist() == [False, False, True, False]
        cells = np.asarray(held.table.cells)
        assert (cells >= 0).all()
        assert (cells[:, 1, 2] == 0).all()
        assert (cells[1, :, 1] == 0).all()


def test_tiny_weights_of_units_are_not_lost() -> None:
    t, unit, w = drawn(40, 3), np.repeat(np.arange(10), 4), np.arange(1.0, 41)
    small, large = (
        interval(Tags.from_labels(real=t.real, predicted=t.codes[0], unit=unit, weights=w * x), average=None)
        for x in (1e-14, 1.0)
    )
    assert np.asarray(small.low) == pytest.approx(np.asarray(large.low))


def test_units_of_one_item_change_nothing() -> None:
    t = drawn(60, 4)
    alone = Tags.from_labels(real=t.real, predicted=t.codes[0], unit=np.arange(60))
    even = Tags.from_labels(real=t.real, predicted=t.codes[0], weights=np.full(60, 2.5))
    plain = interval(t)
    assert (interval(even).low, interval(even).high) == pytest.approx((plain.low, plain.high))
    assert interval(alone).low == pytest.approx(plain.low, abs=1e-12)
    doubled = t.where(np.repeat(np.arange(60), 2))
    twice = Tags(doubled.real, doubled.codes, t.labels, unit=np.repeat(np.arange(60), 2))
    assert interval(twice).low == pytest.approx(interval(alone).low, abs=0.002)  # an item twice is one unit, and n − 1


def test_each_label_together() -> None:
    t = drawn(80, 5)
    alone, joint = interval(t, average=None), interval(t, average=None, simultaneous=True)
    even = interval(t, average=None, simultaneous="bonferroni")
    assert (np.asarray(joint.low) <= alone.low).all()
    assert (np.asarray(even.low) <= joint.low).all()
    np.testing.assert_allclose(alone.estimate, informed.informedness(t.table))
    assert joint.simultaneous.startswith("max-t over 5")
    assert interval(t, "recall", average=None).measure == "recall"


def test_sparse_and_dense_have_the_same_correlations() -> None:
    from informed.evidence.tags_matrix import sparse
    from informed.inference.tags_influence import correlations

    t = drawn(50, 4)
    unit = np.arange(50) // 3
    for kind in (None, unit):
        one = Tags(t.real, t.codes, t.labels, unit=kind)
        other = Tags(sparse(t.real), (sparse(t.codes[0]),), t.labels, unit=kind)
        np.testing.assert_allclose(correlations(one), correlations(other), atol=1e-12)
        assert interval(one).low == pytest.approx(interval(other).low)
        for measure in ("subset_accuracy", "jaccard_samples"):
            assert chance(one, measure) == pytest.approx(chance(other, measure))


def test_the_null_variance_is_that_of_all_shuffles() -> None:
    from informed.inference.tags_influence import null_variance

    t = Tags.from_labels(real=rows("110 001 100 011 010"), predicted=rows("110 000 101 011 110"))
    v = np.array([1.0, 0.5, 2.0])
    z = t.codes[0].astype(float)
    y = t.real - t.real.mean(axis=0)
    all_ = [(v * (y * z[list(o)]).mean(axis=0)).sum() for o in permutations(range(5))]
    assert null_variance(t, v).variance == pytest.approx(np.var(all_))


def test_against_a_value_is_the_interval() -> None:
    t = drawn(80, 4)
    low, high = interval(t)
    for end in (low, high):
        assert informed.test(t, against=end).pvalue == pytest.approx(0.05)
    assert informed.test(t, against=low, alternative="greater").pvalue == pytest.approx(0.025)


def test_refused_of_tags() -> None:
    t = drawn(20, 3)
    for call in (
        lambda: interval(t, "accuracy"),
        lambda: interval(t, average="weighted"),
        lambda: interval(t, method="delta"),
        lambda: interval(t, simultaneous=True),
        lambda: interval(t, "correlation", average="examples"),
        lambda: interval(t.table, "informedness", average="macro"),
        lambda: informed.test(t, method="fisher"),
        lambda: informed.test(t, "subset_accuracy"),
        lambda: Tags.from_json("{}"),
    ):
        with pytest.raises(InformedError):
            call()
