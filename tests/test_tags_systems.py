"""Two or more systems that tagged the same items: differences, boards, slices."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import informed
from informed import Tags, compare, interval, leaderboard, slices
from informed.errors import InformedError
from informed.measures.tag_scores import score
from informed.systems.tags_comparison import TagsBoard


def several(n: int = 120, labels: int = 5, seed: int = 1, **options: object) -> Tags:
    rng = np.random.default_rng(seed)
    y = rng.random((n, labels)) < np.linspace(0.15, 0.5, labels)
    said = {
        k: np.where(rng.random(y.shape) < b, y, rng.random(y.shape) < 0.3) for k, b in (("good", 0.8), ("fair", 0.5))
    }
    said["coin"] = rng.random(y.shape) < 0.3
    return Tags.from_labels(real=y, predicted=said, **options)  # type: ignore[arg-type]


def test_paired_difference() -> None:
    t = several()
    found = compare.paired(t, a="good", b="fair")
    assert found.estimate == pytest.approx(score(t, system="good") - score(t, system="fair"))
    assert found.low < found.estimate < found.high
    assert found.pvalue < 0.001
    assert found.tails(found.low)[0] == pytest.approx(0.025)
    back = compare.paired(t, a="fair", b="good")
    assert (back.estimate, back.low) == pytest.approx((-found.estimate, -found.high))
    rows = found.others.by("measure")
    assert rows["hamming_loss"]["chance_a"] > rows["hamming_loss"]["a"]


def test_equal_answers_do_not_differ() -> None:
    t = several().among(["good"])
    same = Tags(t.real, (t.codes[0], t.codes[0]), t.labels, ("a", "b"))
    found = compare.paired(same)
    assert (found.estimate, found.low, found.high, found.pvalue) == (0, 0, 0, 1)


def test_a_board_of_tags() -> None:
    board = leaderboard(several(), baseline="coin")
    assert board.leaders == ("good",)
    assert board.beyond_guessing.tolist() == [True, True, False]
    assert board["good", "fair"].adjusted < 0.05
    alone = interval(several().among(["good"]))
    assert board.low[0] <= alone.low  # the intervals hold together
    assert "good is the best" in board.text()
    assert isinstance(board, TagsBoard)
    assert board.average == "prevalence"


def test_slices_of_tags() -> None:
    t = several(kept={"language": ["en", "fr"] * 60})
    found = slices(t, by="language")
    assert found.systems == ("good", "fair", "coin")
    assert found.slices == ("en", "fr")
    part = t.by_groups("language")["fr"].among(["good"])
    assert found.estimate[0, 1] == pytest.approx(score(part))
    assert found.low[0, 1] == pytest.approx(interval(part).low)
    assert (np.asarray(found.heterogeneity.pvalue) > 0.001).all()
    assert "good" in found.text()


def test_units_of_pairs() -> None:
    unit = np.arange(120) // 4
    found = compare.paired(several(unit=unit), a="good", b="fair")
    assert found.method == "t by units"
    assert found.df <= 29


def test_refused() -> None:
    t = several()
    for call in (
        lambda: compare.paired(t),
        lambda: compare.paired(t, a="good", b="nobody"),
        lambda: leaderboard(t.among(["good"])),
        lambda: leaderboard(t, measure="accuracy"),
        lambda: leaderboard(t, baseline="nobody"),
        lambda: slices(t),
        lambda: slices(t, by=["x"] * 120),
        lambda: slices(t, by="language"),
        lambda: interval(t),
        lambda: informed.test(t),
    ):
        with pytest.raises(InformedError):
            call()


def test_boards_say_which_measures_they_are_by() -> None:
    """Measures of tags that have no board are known, and not looked for among those of tables."""
    t = several()
    for asked, said in (("subset_accuracy", "subset accuracy"), ("hamming_loss", "Hamming loss")):
        with pytest.raises(InformedError, match=f"Boards of tags are by informedness.*; {said} compares two systems"):
            leaderboard(t, measure=asked)
    with pytest.raises(InformedError, match="'recall' is no measure of tags"):
        leaderboard(t, measure="recall")
    with pytest.raises(InformedError, match="informedness by examples compares two systems"):
        leaderboard(t, average="examples")
    assert leaderboard(t, measure="bookmaker_informedness").measure == "informedness"


def test_items_that_all_differ_alike_are_no_proof_beyond_their_number() -> None:
    y = np.eye(4, dtype=int)[[0, 1, 2, 3, 0, 1]]
    z = y.copy()
    z[:, 0] = 1 - z[:, 0]
    t = Tags.from_labels(real=y, predicted={"right": y, "wrong": z})
    for measure, value in (("hamming_loss", -0.25), ("subset_accuracy", 1.0)):
        d = informed.compare.paired(t, measure=measure)
        assert (d.estimate, d.pvalue) == (pytest.approx(value), pytest.approx(2 / 2**6))  # the sign test of six items
        assert -1 <= d.low <= d.estimate <= d.high <= 1
        assert d.low < d.high
        assert "same" not in {x.code for x in d.notes}
    same = informed.compare.paired(Tags.from_labels(real=y, predicted={"a": z, "b": z}), measure="hamming_loss")
    assert (same.estimate, same.pvalue, "same" in {x.code for x in same.notes}) == (0.0, 1.0, True)


def test_a_greater_loss_is_worse() -> None:
    rng = np.random.default_rng(4)
    y = rng.random((200, 4)) < 0.4
    a, b = (np.where(rng.random(y.shape) < share, y, ~y) for share in (0.95, 0.7))
    d = informed.compare.paired(Tags.from_labels(real=y, predicted={"a": a, "b": b}), measure="hamming_loss")
    assert d.estimate < -0.2
    assert d.within(0.02, both=False).pvalue < 0.001  # a, which loses less, is not worse
    turned = informed.compare.paired(Tags.from_labels(real=y, predicted={"b": b, "a": a}), measure="hamming_loss")
    assert turned.within(0.02, both=False).pvalue > 0.999


def test_what_is_undefined_has_no_p_value_and_a_reason() -> None:
    y = np.array([[1, 0], [1, 1], [0, 1], [0, 0]] * 5)
    none = Tags.from_labels(real=y, predicted=y * 0)
    for against in (None, 0.1):
        for measure in ("markedness", "correlation"):
            for average in ("prevalence", "macro", "occurring", "micro"):
                found = informed.test(none, measure, average=average, against=against)
                assert np.isnan(found.pvalue)
                assert found.notes[0].code == "undefined"
    unit = ["u"] * 20
    one = Tags.from_labels(real=y, predicted={"a": y, "b": 1 - y}, unit=unit)
    d = informed.compare.paired(one)
    assert (d.estimate, np.isnan(d.low), np.isnan(d.pvalue)) == (2.0, True, True)
    assert str(d.notes[0]) == "The interval of the difference is undefined (one unit shows no spread)."
    assert np.isnan(informed.test(one.among(["a"])).pvalue)
    with pytest.raises(InformedError, match="one unit shows no spread"):
        leaderboard(one)


# ---------------------------------------------------------------- n − 1, with units or without


@pytest.mark.parametrize("measure", ["hamming_loss", "subset_accuracy"])
def test_differences_of_item_means_are_the_paired_t_test(measure: str) -> None:
    t = several(12)
    right = {name: t.codes[i] == t.real for i, name in enumerate(t.names)}
    a, b = (
        (1 - right[x].mean(axis=1)) if measure == "hamming_loss" else right[x].all(axis=1) * 1.0
        for x in ("good", "fair")
    )
    want = stats.ttest_rel(a, b)
    found = compare.paired(t, a="good", b="fair", measure=measure)
    assert found.standard_error == pytest.approx(stats.sem(a - b))
    assert abs(found.estimate / found.standard_error) == pytest.approx(abs(want.statistic))


@pytest.mark.parametrize("measure", ["informedness", "markedness", "correlation", "hamming_loss", "f1_micro"])
@pytest.mark.parametrize("weights", [None, "random"])
def test_units_of_one_item_change_nothing(measure: str, weights: str | None) -> None:
    w = None if weights is None else np.random.default_rng(3).uniform(0.5, 2, 14)
    plain, single = several(14, weights=w), several(14, weights=w, unit=list("abcdefghijklmn"))
    one, other = (compare.paired(t, a="good", b="fair", measure=measure) for t in (plain, single))
    for name in ("estimate", "low", "high", "pvalue", "standard_error", "df"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-12), name
    alone, same = (interval(t.among(["fair"]), measure) for t in (plain, single))
    assert (alone.low, alone.high) == pytest.approx((same.low, same.high), abs=1e-12)
    if measure in ("informedness", "markedness", "correlation"):
        p = [informed.test(t.among(["fair"]), measure).pvalue for t in (plain, single)]
        assert p[0] == pytest.approx(p[1], rel=1e-9)
        boards = [leaderboard(t, measure=measure) for t in (plain, single)]
        for name in ("low", "high", "standard_error"):
            assert getattr(boards[0], name) == pytest.approx(getattr(boards[1], name), abs=1e-12)
        assert boards[0].pairs.pvalue == pytest.approx(boards[1].pairs.pvalue, rel=1e-9)
    slices_ = [slices(t, by=["x"] * 7 + ["y"] * 7) for t in (plain, single)]
    assert slices_[0].low == pytest.approx(slices_[1].low, abs=1e-12)


def test_a_board_has_the_p_values_of_its_comparisons() -> None:
    t = several(12).among(["good", "fair"])
    found, board = compare.paired(t), leaderboard(t)
    assert board["good", "fair"].standard_error == pytest.approx(found.standard_error)
    assert board["good", "fair"].pvalue == pytest.approx(found.pvalue)


# ---------------------------------------------------------------- label by label


def guards() -> Tags:
    """One system finds more of the frequent labels and nothing of a rare one, which it never predicts."""
    rng, n = np.random.default_rng(0), 400
    y = rng.random((n, 3)) < [0.5, 0.3, 17 / 400]
    flips = rng.random((2, n, 3))
    a, b = np.where(flips[0] < [0.02, 0.1, 0], ~y, y), np.where(flips[1] < [0.12, 0.14, 0.03], ~y, y)
    a[:, 2] = False
    return Tags.from_labels(real=y, predicted={"guard_a": a, "guard_b": b}, labels=["toxic", "spam", "self-harm"])


def test_a_verdict_says_that_other_measures_disagree() -> None:
    found = compare.paired(guards())
    assert found.estimate > 0
    assert found.pvalue < 0.05
    (note,) = [x for x in found.notes if x.code == "disagreement"]
    assert note.severity == "warning"
    assert "guard_a is better by informedness (+" in note.text
    assert "guard_b is better by macro informedness (-" in note.text
    assert "The measures disagree" in str(found)
    assert "guard_b is better by macro informedness" in " ".join(str(found).split())  # on the first screen, uncut
    assert "disagreement" not in {x.code for x in compare.paired(several(), a="good", b="fair").notes}


def test_each_label_has_the_comparison_of_its_own_table() -> None:
    t = guards()
    rows = {x["label"]: x for x in compare.paired(t).by_label.dicts()}
    assert list(rows) == ["toxic", "spam", "self-harm"]
    alone = compare.paired(
        real=t.real[:, 1], a=t.codes[0][:, 1], b=t.codes[1][:, 1], labels=[True, False], level=1 - 0.05 / 3
    )["informedness"]
    row = rows["spam"]
    for name in ("estimate", "low", "high", "a", "b"):
        assert row[name] == pytest.approx(float(getattr(alone, name)))
    assert row["pvalue"] == pytest.approx(min(1.0, 3 * float(alone.pvalue)))
    assert (rows["self-harm"]["predicted_a"], rows["self-harm"]["recall_a"]) == (0, 0)
    assert rows["self-harm"]["high"] < 0
    text = compare.paired(t).text(full=True)
    assert "Informedness of each label, guard_a" in text
    assert "hold for all 3 labels together" in text


def test_labels_that_are_never_predicted_are_warned_of() -> None:
    t = guards()
    (note,) = [x for x in compare.paired(t).notes if x.code == "never-predicted"]
    assert note.text == "guard_a never predicts 'self-harm', which occurs 19 times: its recall of it is 0."
    alone = informed.report(t.among(["guard_a"]))
    assert "never-predicted" in {x.code for x in alone.notes}
    assert "never-predicted" not in {x.code for x in informed.report(t.among(["guard_b"])).notes}


def test_comparisons_of_three_classes_show_each_of_them() -> None:
    rng = np.random.default_rng(1)
    real = rng.choice(list("abc"), 300, p=[0.6, 0.3, 0.1])
    a = np.where(rng.random(300) < 0.8, real, rng.choice(list("abc"), 300))
    b = np.where(real == "c", "a", a)
    found = compare.paired(real=real, a=a, b=np.where(b == "c", "b", b))
    page = found.document()
    rows = {x["class"]: x for x in page.data["classes"]}
    alone = compare.paired(real=real == "c", a=a == "c", b=np.zeros(300, bool), labels=[True, False])
    want = alone.at(level=1 - 0.05 / 3)["recall"]
    for name in ("estimate", "low", "high"):
        assert rows["c"][name] == pytest.approx(float(getattr(want, name)))
    assert rows["c"]["predicted_b"] == 0
    assert "b never predicts 'c', which occurs" in page.write("text")
    two = compare.paired(real=real == "c", a=a == "c", b=a == "a").document()
    assert "classes" not in two.data
