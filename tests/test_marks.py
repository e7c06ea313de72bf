"""Marks: scores by items, attempts, chance, comparisons; and what must never change a number."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import special, stats

import informed
from informed import Marks, Table
from informed.errors import InformedError
from informed.evidence.paired import paired
from informed.sources import logs
from informed.sources.logs import Case, Log
from informed.sources.logs.several import joined

AGENT = Path(__file__).parent / "samples" / "cases" / "inspect"
RNG = np.random.default_rng(7)


def agents() -> tuple[Marks, Marks]:
    a, b = sorted(AGENT.glob("*_agent_*"))
    return logs.load(a).marks(), logs.load(b).marks()


def expected() -> dict[str, Any]:
    entries: list[dict[str, Any]] = json.loads((AGENT / "expected.json").read_text())
    (found,) = [entry["comparison_of_agents"] for entry in entries if "comparison_of_agents" in entry]
    return dict(found)


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_pass_rates_are_those_of_all_subsets(k: int) -> None:
    right = RNG.random((6, 5)) < 0.5
    m = Marks.from_columns(mark=right.ravel(), item=np.repeat(np.arange(6), 5))
    subsets = list(combinations(range(5), k))
    assert m.pass_at(k) == pytest.approx(np.mean([right[:, list(x)].any(axis=1) for x in subsets]))
    assert m.pass_hat(k) == pytest.approx(np.mean([right[:, list(x)].all(axis=1) for x in subsets]))


@pytest.mark.parametrize(
    ("how", "values"),
    [
        ("mean", [2 / 3, 0.25, 1.0]),
        ("median", [1.0, 0.25, 1.0]),
        ("mode", [1.0, 0.5, 1.0]),
        ("max", [1.0, 0.5, 1.0]),
        ("majority", [1.0, 0.0, 1.0]),
        ("first", [0.0, 0.5, 1.0]),
        ("any", [1.0, 0.0, 1.0]),
        ("all", [0.0, 0.0, 1.0]),
        ("at_least_2", [1.0, 0.0, 0.0]),
        ("pass_at_1", [2 / 3, 0.0, 1.0]),
    ],
)
def test_reducers(how: str, values: list[float]) -> None:
    m = Marks.from_columns(mark=[0, 1, 1, 0.5, 0, 1], item=list("aaabbc"))
    assert m.reduce(how).values == pytest.approx(values)


def test_reducing_leaves_no_answer_no_answer_and_the_gap_of_the_grader() -> None:
    """One attempt an item: every reducer but "mean" of nothing is the log itself, states and all."""
    states = ["right", "abstained", "wrong", "error", "unscored", "error"]
    m = Marks.from_columns(mark=[1, 0, 0, 0, None, None], state=states, options=4)
    for how in ("mean", "median", "mode", "max", "majority", "first", "any", "all", "at_least_1", "pass_at_1"):
        found = m.reduce(how)
        assert (found.states, found.n, found.coverage) == (m.states, m.n, m.coverage)
        assert found.bounds == m.bounds == pytest.approx((1 / 5, 2 / 5))
        assert found.centred(abstained="no bet") == pytest.approx(m.centred(abstained="no bet"))


def test_several_attempts_are_no_answer_where_none_is_one_or_no_verdict_has_the_majority() -> None:
    states = ["right wrong", "abstained wrong", "abstained abstained", "right right wrong", "right wrong abstained"]
    said = [(i, x) for i, held in enumerate(states) for x in held.split()]
    item, state = [i for i, _ in said], [x for _, x in said]
    m = Marks.from_columns(mark=[float(x == "right") for x in state], item=item, state=state)

    def told(how: str) -> list[str]:
        return list(m.reduce(how).to_frame()["state"])

    assert told("majority") == ["abstained", "abstained", "abstained", "right", "abstained"]
    assert told("first") == ["right", "abstained", "abstained", "right", "right"]
    assert told("max") == ["right", "wrong", "abstained", "right", "right"]
    assert m.reduce("majority").coverage == pytest.approx(1 / 5)


def test_bounds_of_reduced_marks_reduce_what_was_not_graded() -> None:
    m = Marks.from_columns(mark=[None, 1, 0, None, None], item=list("aabbc"))
    assert m.bounds == pytest.approx((1 / 6, 5 / 6))
    assert m.reduce("first").bounds == pytest.approx((0, 2 / 3))
    assert m.reduce("max").bounds == pytest.approx((1 / 3, 1))
    assert m.reduce("max").score == 0.5
    assert m.where(np.array([0])).reduce("first").bounds == m.reduce("first").where(np.array([0])).bounds == (0, 1)


def test_pass_rates_of_more_attempts_than_there_are_are_not_counted_up() -> None:
    m = Marks.from_columns(mark=np.arange(1000) % 2)
    assert np.isnan(m.pass_at(999_999))


def test_items_with_too_few_attempts_are_left_out_and_said() -> None:
    m = Marks.from_columns(mark=[0, 1, 1, 0, 1], item=list("aabbc"))
    found = informed.interval(m, "pass_at(2)")
    assert found.estimate == 1.0
    assert [note.code for note in found.notes] == ["too-few-attempts", "few-cases"]
    with pytest.raises(InformedError, match="There is no reducer 'best'; there is mean, median"):
        m.reduce("best")


def test_the_score_has_the_interval_of_accuracy() -> None:
    """One log, one number: marks and table of the same answers give the same interval."""
    real, said = RNG.integers(0, 3, 80), RNG.integers(0, 3, 80)
    t = Table.from_labels(real=real, predicted=said)
    m = Marks.from_columns(mark=real == said)
    one, other = informed.interval(t, "accuracy"), informed.interval(m)
    assert (one.estimate, one.low, one.high) == pytest.approx((other.estimate, other.low, other.high), abs=1e-12)
    assert other.method == "mid-p"


def test_partial_scores_have_an_interval_no_narrower_than_students() -> None:
    x = np.array([0.5, 0.25, 1, 0, 0.75, 0.5, 1, 0.25, 0.5, 0.75])
    m = Marks.from_columns(mark=x)
    found, students = informed.interval(m), informed.interval(m, method="t")
    want = stats.t.interval(0.95, 9, x.mean(), stats.sem(x))
    assert (students.low, students.high) == pytest.approx(want)
    assert found.low <= students.low < students.high <= found.high
    assert found.high - found.low < 1.1 * (students.high - students.low)
    assert (found.method, students.method) == ("bounded mean", "t")
    by_units = informed.interval(Marks.from_columns(mark=x, unit=np.repeat(np.arange(5), 2)), method="t")
    means = x.reshape(5, 2).mean(axis=1)
    assert (by_units.low, by_units.high) == pytest.approx(
        np.clip(stats.t.interval(0.95, 4, means.mean(), stats.sem(means)), 0, 1)
    )
    with pytest.raises(InformedError, match="`method` is 'arc'; item scores have"):
        informed.interval(m, method="arc")
    with pytest.raises(InformedError, match="`simultaneous` is for tables"):
        informed.interval(m, simultaneous=True)


def test_equal_scores_leave_an_interval_with_a_width() -> None:
    """Twenty scores of 0.5: with one more item of 0 or 1 of weight D, a beta variable of 1 and 20."""
    found = informed.interval(Marks.from_columns(mark=[0.5] * 20))
    half = 0.5 * stats.beta.ppf(0.95, 1, 20)  # twice the tail of 0.025, since only one end of two pulls down
    assert (found.low, found.high) == pytest.approx((0.5 - half, 0.5 + half), rel=5e-3)
    same = informed.compare(Marks.from_columns(mark=[0.5] * 20), Marks.from_columns(mark=[0.5] * 20))
    assert (same.low, same.high) == pytest.approx((-2 * half, 2 * half), rel=5e-3)
    assert same.pvalue == 1


@pytest.mark.parametrize("n", [10, 30, 60, 100, 200])
def test_intervals_cover_where_scores_cluster_at_one_value(n: int) -> None:
    """Scores of 0.9, and of 0 with this chance: the coverage by enumeration, without simulation."""
    of = [informed.interval(Marks.from_columns(mark=[0.9] * k + [0.0] * (n - k))) for k in range(max(n - 60, 0), n + 1)]
    for lost in (0.03, 0.1, 0.22):
        true, kept = 0.9 * (1 - lost), np.arange(max(n - 60, 0), n + 1)
        held = np.array([x.low <= true <= x.high for x in of])
        assert (stats.binom.pmf(kept, n, 1 - lost) * held).sum() > 0.93 - 1e-4


def test_one_attempt_is_the_score_by_another_name() -> None:
    m = Marks.from_columns(
        mark=RNG.random(120) < 0.4, item=np.repeat(np.arange(30), 4), unit=np.repeat(np.arange(10), 12)
    )
    score = informed.interval(m)
    for name in ("mean", "pass_at(1)", "pass_hat_1", "pass_1"):
        found = informed.interval(m, name)
        assert (found.estimate, found.low, found.high) == (score.estimate, score.low, score.high)
    shown = informed.report(m)
    assert shown.attempts.rows[0][3:5] == (shown.score.low, shown.score.high) == (score.low, score.high)
    first = informed.interval(m.reduce("first"))
    again = informed.interval(m, "first")
    assert (again.low, again.high) == (first.low, first.high)


def test_shares_that_add_up_to_an_item_do_not_make_it_weighted() -> None:
    """Six sixths are not one to the last digit; the marks of a log that asks one item six times are unweighted."""
    item = np.append(np.zeros(6, np.int64), np.arange(1, 40))
    often = Marks.from_columns(mark=np.arange(45) % 2, item=item).reduce("majority")
    once, other = Marks.from_columns(mark=often.mark), Marks.from_columns(mark=RNG.random(40) < 0.7)
    for m in (often, once):
        assert not m.weighted
        assert m.right_or_wrong.squares is None
    found, want = (informed.compare(m, other) for m in (often, once))
    assert (found.low, found.high, found.mcnemar) == pytest.approx((want.low, want.high, want.mcnemar), abs=1e-12)
    assert [x.text for x in found.notes] == [x.text for x in want.notes]


def test_marks_of_nothing_are_refused_in_a_sentence() -> None:
    with pytest.raises(InformedError, match="No item has a value of 'score'; there is nothing to estimate"):
        informed.interval(Marks.from_columns(mark=[None, None]))


def test_attempts_at_an_item_widen_the_interval() -> None:
    once = informed.interval(Marks.from_columns(mark=[1, 0] * 20))
    same = Marks.from_columns(mark=np.repeat([1, 0] * 20, 5), item=np.repeat(np.arange(40), 5))
    again = informed.interval(same)
    assert again.estimate == once.estimate
    assert again.high - again.low == pytest.approx(once.high - once.low, rel=0.06)  # not that of 200 cases


@pytest.mark.parametrize("m", [2, 3, 5])
def test_centred_with_no_bet_is_informedness_of_all_where_options_are_even(m: int) -> None:
    real = np.tile(np.arange(m), 40)
    said = np.where(RNG.random(len(real)) < 0.4, real, RNG.integers(0, m, len(real))).astype(object)
    said[RNG.random(len(real)) < 0.15] = None
    even = Table.from_labels(real=real, predicted=said, missing="abstain")
    states = ["abstained" if x is None else "right" if x == y else "wrong" for x, y in zip(said, real, strict=True)]
    marks = Marks.from_columns(mark=[float(x == "right") for x in states], state=states, options=m)
    assert marks.centred(abstained="no bet") == pytest.approx(informed.informedness_of_all(even), abs=1e-12)
    assert marks.centred() == pytest.approx((marks.score - 1 / m) / (1 - 1 / m))
    with pytest.raises(InformedError, match="number of options is not known"):
        Marks.from_columns(mark=[1, 0]).centred()


def test_all_of_four_attempts_holds_the_truth_where_few_items_are_ever_solved() -> None:
    """Nearly all items alike: their own spread said 80 % of the time what it should say 95 % of it."""
    rng, item = np.random.default_rng(11), np.repeat(np.arange(30), 10)
    true = float(np.exp(special.betaln(4.3, 1.5) - special.betaln(0.3, 1.5)))
    held = [
        true in informed.interval(Marks.from_columns(mark=rng.random(300) < p[item], item=item), "pass_hat(4)")
        for p in rng.beta(0.3, 1.5, (300, 30))
    ]
    assert np.mean(held) > 0.93


# ---------------------------------------------------------------- comparisons


def test_two_agents_differ_as_written_down() -> None:
    a, b = agents()
    want = expected()["difference"]
    found = informed.compare(a, b)
    assert found.n == want["items"]
    assert found.estimate == pytest.approx(want["mean"], abs=1e-12)
    assert found.standard_error == pytest.approx(want["se_by_items"], abs=1e-12)
    assert found.names == ("mockllm/agent-a", "mockllm/agent-b")
    assert 0 < found.low < found.estimate < found.high
    back = informed.compare(b, a)
    assert (back.estimate, back.low, back.high) == pytest.approx((-found.estimate, -found.high, -found.low))


def test_partial_scores_differ_by_p_values_that_agree_with_their_limits() -> None:
    x, y = RNG.choice([0, 0.25, 0.5, 1], (2, 24))
    one, other = (Marks.from_columns(mark=held) for held in (x, y))
    found = informed.compare(one, other)
    assert found.pvalue >= stats.ttest_rel(x, y).pvalue
    assert found.standard_error == pytest.approx(stats.sem(x - y))
    students = stats.t.interval(0.95, 23, (x - y).mean(), stats.sem(x - y))
    assert found.low <= students[0] < students[1] <= found.high
    for level in (0.9, 0.95, 0.99):
        low, high = found.limits(level)
        ends = [2 * min(found.tails(at)) for at in (low, high)]
        assert ends == pytest.approx([1 - level] * 2, rel=1e-6)
    greater = found.tails(-0.1)[0]
    assert greater >= stats.ttest_rel(x, y - 0.1, alternative="greater").pvalue - 1e-12
    assert found.within(0.1).pvalue == pytest.approx(max(greater, found.tails(0.1)[1]))
    board = informed.leaderboard(predictions={"a": one, "b": other})
    assert board["a", "b"].pvalue == pytest.approx(found.pvalue, rel=1e-9)
    assert found.mcnemar is None


@pytest.mark.parametrize(("items", "epochs", "classes", "lost"), [(40, 1, 3, 0), (30, 4, 2, 0), (25, 3, 4, 20)])
def test_marks_and_classes_of_one_log_give_the_same_differences(
    items: int, epochs: int, classes: int, lost: int
) -> None:
    """Score and accuracy of one log never differ, nor do boards and slices of them."""
    item = np.repeat(np.arange(items), epochs)
    real = RNG.integers(0, classes, items)[item]
    skill = RNG.beta(1, 1, items)[item]
    said = np.where(RNG.random((3, len(real))) < skill, real, RNG.integers(0, classes, (3, len(real)))).T
    said[RNG.permutation(said.size)[:lost] // 3, RNG.integers(0, 3, lost)] = -1
    names, group = ("a", "b", "c"), np.where(np.arange(items) % 2, "odd", "even")
    p = paired(real, said, names=names, item=item if epochs > 1 else None)
    marks = {
        name: Marks.from_columns(mark=said[:, s] == real, item=item, group=group[item], real=real)
        for s, name in enumerate(names)
    }

    one, other = informed.compare(marks["a"], marks["b"]), informed.compare.paired(p, a="a", b="b")["accuracy"]
    assert one.estimate == pytest.approx(other.estimate, abs=1e-12)
    assert (one.low, one.high, one.pvalue) == pytest.approx((other.low, other.high, other.pvalue), abs=1e-12)
    shown, told = informed.leaderboard(predictions=marks), informed.leaderboard(predictions=p, measure="accuracy")
    for name in ("estimate", "low", "high", "standard_error"):
        assert getattr(shown, name) == pytest.approx(getattr(told, name), abs=1e-9)
        assert getattr(shown.pairs, name) == pytest.approx(getattr(told.pairs, name), abs=1e-9)
    if not lost:
        cut, by = informed.slices(marks), informed.slices(p.tables_by(group[item].tolist()), measure="accuracy")
        for name in ("estimate", "low", "high", "stratified_low"):
            assert getattr(cut, name) == pytest.approx(getattr(by, name), abs=1e-9)


def test_marks_of_a_log_of_classes_know_them_and_are_compared_as_its_tables_are() -> None:
    def asked(seed: int) -> Log:
        rng = np.random.default_rng(seed)
        said = [(i % 15, "xyz"[i % 15 % 3], "xyz"[int(rng.integers(0, 3))]) for i in range(45)]
        return log_of([Case(real, answer, item=str(i), epoch=e // 15) for e, (i, real, answer) in enumerate(said)])

    one, other = asked(1), asked(2)
    a, b = one.marks(), other.marks()
    assert a.reals == ("x", "y", "z")
    p = joined([replace(one, model="a"), replace(other, model="b")])
    found, want = informed.compare(a, b), informed.compare.paired(p)["accuracy"]
    assert (found.low, found.high) == pytest.approx((want.low, want.high), abs=1e-12)
    wrong = replace(b, reals=("y", "z", "x"))
    with pytest.raises(InformedError, match="more than one real label"):
        informed.compare(a, wrong)


def test_marks_of_one_attempt_have_the_exact_test_beside() -> None:
    x, y = RNG.random(60) < 0.7, RNG.random(60) < 0.5
    found = informed.compare(Marks.from_columns(mark=x), Marks.from_columns(mark=y))
    better, worse = int((x & ~y).sum()), int((y & ~x).sum())
    assert found.mcnemar == pytest.approx(stats.binomtest(better, better + worse).pvalue)
    assert found.both is not None
    assert found.both.counts.tolist() == [[(x & y).sum(), better], [worse, (~x & ~y).sum()]]
    labels: Any = ["right", "wrong"]
    said = {"a": np.where(x, *labels), "b": np.where(y, *labels)}
    table = informed.compare.paired(real=["right"] * 60, **said, labels=labels)["accuracy"]
    assert (found.low, found.high) == pytest.approx((table.low, table.high))


def test_items_that_do_not_count_in_both_are_left_out_by_their_reason() -> None:
    a = Marks.from_columns(mark=[1, 0, 1, None, 1], item=list("abcde"))
    b = Marks.from_columns(mark=[0, 0, 1, 1], item=list("abcd"))
    found = informed.compare(a, b, names=("new", "old"))
    assert found.n == 3
    assert found.left_out == {"new": {"unscored": 1}, "old": {"not-run": 1}}


def test_a_leaderboard_of_marks_is_on_the_items_of_all() -> None:
    skill = {"best": 0.9, "middle": 0.6, "last": 0.3}
    board = informed.leaderboard(
        predictions={name: Marks.from_columns(mark=RNG.random(200) < p) for name, p in skill.items()}
    )
    assert [row["system"] for row in board.records()] == list(skill)
    assert board.leaders == ("best",)
    assert board["best", "last"].low > 0
    a, b = agents()
    both = informed.leaderboard(predictions={"a": a, "b": b})
    assert both["a", "b"].estimate == pytest.approx(expected()["difference"]["mean"])
    partial = {name: Marks.from_columns(mark=RNG.random(50) ** power) for name, power in (("x", 1), ("y", 9))}
    graded = informed.leaderboard(predictions=partial)
    assert graded.leaders == ("x",)
    gap = partial["x"].values - partial["y"].values
    assert graded["x", "y"].standard_error == pytest.approx(stats.sem(gap))
    assert graded["x", "y"].pvalue == pytest.approx(informed.compare(partial["x"], partial["y"]).pvalue)
    attempts = informed.leaderboard(predictions={"a": a, "b": b}, measure="pass_at(2)")
    assert attempts.estimate == pytest.approx([a.pass_at(2), b.pass_at(2)])


def test_slices_of_marks() -> None:
    group = np.repeat(["hard", "easy"], 50)
    mark = np.where(group == "easy", RNG.random(100) < 0.9, RNG.random(100) < 0.3).astype(float)
    m = Marks.from_columns(mark=mark, group=group)
    found = informed.slices(m)
    assert found.slices == ("easy", "hard")
    assert found.estimate[0] == pytest.approx([mark[50:].mean(), mark[:50].mean()])
    assert found.stratified == pytest.approx([m.score])
    assert found.heterogeneity.pvalue[0] < 1e-5


def test_two_scorers_agree_in_a_table() -> None:
    judge = Marks.from_columns(mark=[1, 1, 0, 0, 1, None])
    match = Marks.from_columns(mark=[1, 0, 0, 0, 1, 1])
    t = judge.agree(match)
    assert t.n == 5
    assert informed.informedness(t) == pytest.approx(1 - 1 / 3)


# ---------------------------------------------------------------- in and out


def test_scorers_agree_by_items_however_often_each_was_asked() -> None:
    x = RNG.random(40) < 0.6
    verdicts = x, x ^ (np.arange(40) % 5 == 0)
    once = Marks.from_columns(mark=verdicts[0]).agree(Marks.from_columns(mark=verdicts[1]))
    item = np.tile(np.arange(40), 8)
    often = [Marks.from_columns(mark=np.tile(y, 8), item=item, unit=item // 2) for y in verdicts]
    t = often[0].agree(often[1].where(np.arange(40)[::-1]))  # in any order
    assert t.counts == pytest.approx(once.counts)
    assert t.units is not None
    assert t.units.n == 20
    again = replace(often[0], unit=None).agree(often[1])
    assert again.units is not None
    assert (again.units.n, again.units.name) == (40, "item")
    one, other = informed.interval(once, "informedness"), informed.interval(again, "informedness")
    assert other.high - other.low == pytest.approx(one.high - one.low, rel=0.1)
    twice = Marks.from_columns(mark=[1, 0], item=["a", "a"], epoch=[1, 1])
    with pytest.raises(InformedError, match="Item 'a' has two marks of epoch 1"):
        twice.agree(twice)


def test_marks_survive_json_and_frames() -> None:
    m = Marks.from_columns(
        mark=[1, 0.5, None, 0], item=list("aabc"), group=["x", "x", "y", "y"], options=4, name="judge"
    )
    again = Marks.from_json(m.to_json())
    assert again == m
    assert again.score == m.score
    assert m.to_frame()["state"].tolist() == ["right", "partial", "unscored", "wrong"]
    assert Marks.from_json(m.reduce("max").to_json()) == m.reduce("max")
    with pytest.raises(InformedError, match="no JSON of marks"):
        Marks.from_json("{}")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"item": [0, 1, 9]}, "a place in `item` outside the 3"),
        ({"group": [0, 1, 9]}, "a place in `group` outside the 2"),
        ({"state": [0, 1, 99]}, "a place in `state` outside the 7"),
        ({"state": [0, 1, 999]}, "no JSON of marks|outside the 7"),
        ({"weight": [1, -1, 1]}, "weights of these marks"),
        ({"mark": [1, 0, 7]}, "`mark` holds 7 at position 2"),
        ({"options": [1, 2]}, "not as long as they are"),
        ({"foo": 1}, "no field 'foo'"),
    ],
)
def test_json_that_is_no_marks_is_refused_in_a_sentence(changed: dict[str, Any], message: str) -> None:
    written = json.loads(Marks.from_columns(mark=[1, 0, 1], item=list("abc"), group=list("xxy")).to_json())
    with pytest.raises(InformedError, match=message):
        Marks.from_json(json.dumps(written | changed))


@pytest.mark.parametrize("items", [[(1, 2), (3, 4)], np.array(["2020-01-01", "2020-01-02"], "M8[D]")])
def test_items_that_json_cannot_hold_are_refused(items: Any) -> None:
    with pytest.raises(InformedError, match="JSON holds text, numbers and booleans"):
        Marks.from_columns(mark=[1, 0], item=items).to_json()


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"mark": ["good"]}, "`mark` does not hold numbers"),
        ({"mark": [1, 0], "item": ["a"]}, "`item` has 1 entries for 2 marks"),
        ({"mark": [1, 0], "item": ["a", None]}, "A case has no `item`"),
        ({"mark": [1], "state": ["good"]}, "There is no state 'good'"),
        ({"mark": [1, 0], "item": ["a", "a"], "group": ["x", "y"]}, "more than one `group`"),
        ({"mark": [np.inf]}, "infinite"),
        (
            {"mark": [1, 5]},
            r"`mark` holds 5 at position 1, counted from 0; a mark goes from 0 \(wrong\) to 1 \(right\)",
        ),
        ({"mark": [-1]}, "`mark` holds -1 at position 0"),
        ({"mark": [1, 0], "item": ["a", "a"], "weights": [1, 5]}, "more than one `weights`"),
        ({"mark": [1, 0], "item": ["a", "a"], "options": [4, 2]}, "more than one `options`"),
        ({"mark": [1, 0], "counts": [True]}, r"`counts` has shape \(1,\) for 2 cases"),
        ({"mark": [1, 0], "counts": ["false", "true"]}, "`counts` holds 'false'"),
    ],
)
def test_columns_that_are_no_marks_are_refused(columns: dict[str, Any], message: str) -> None:
    with pytest.raises(InformedError, match=message):
        Marks.from_columns(**columns)


# ---------------------------------------------------------------- what must never change a number


def log_of(cases: list[Case]) -> Log:
    return Log(Path("made"), cases)


def some_cases(n: int = 30) -> list[Case]:
    reals, answers = RNG.integers(0, 3, n), RNG.integers(0, 3, n)
    pairs = zip("abc" * 10, map(int, answers), map(int, reals), strict=False)
    return [
        Case("xyz"[real], "xyz"[said if place == "a" else real], item=str(i), mark=None)
        for i, (place, said, real) in enumerate(pairs)
    ]


def test_a_refusal_in_the_place_of_a_right_answer_lowers_both_numbers() -> None:
    cases = some_cases()
    right = next(i for i, case in enumerate(cases) if case.real == case.predicted)
    refused = [case._replace(predicted=None) if i == right else case for i, case in enumerate(cases)]
    before, after = log_of(cases), log_of(refused)
    assert informed.informedness_of_all(after.table()) < informed.informedness_of_all(before.table())
    assert after.score().value < before.score().value
    assert after.states()["abstained"] == 1


def test_an_unscored_case_counts_nobody_wrong() -> None:
    cases = [case._replace(mark=float(case.real == case.predicted)) for case in some_cases()]
    wrong = next(i for i, case in enumerate(cases) if case.mark == 0)
    lost = [case._replace(mark=float("nan")) if i == wrong else case for i, case in enumerate(cases)]
    before, after = log_of(cases), log_of(lost)
    assert after.states()["wrong"] == before.states()["wrong"] - 1
    assert after.marks().n == before.marks().n - 1
    assert after.score().value > before.score().value
    low, high = after.score().bounds
    assert low == pytest.approx(before.score().value)
    assert low < after.score().value < high


def test_the_order_of_the_rows_changes_nothing() -> None:
    a, b = sorted(AGENT.glob("*_agent_*"))
    log, other = logs.load(a), logs.load(b).marks()
    turned = Log(**{**vars(log), "cases": list(log.cases)[::-1], "reported": list(log.reported)[::-1]})
    assert turned.states() == log.states()
    assert turned.score().value == pytest.approx(log.score().value, abs=1e-15)
    assert turned.score().reported == log.score().reported
    for how in ("mode", "first", "pass_at_2"):
        assert turned.marks().reduce(how).score == pytest.approx(log.marks().reduce(how).score)
    one, two = informed.compare(log.marks(), other), informed.compare(turned.marks(), other)
    assert (one.estimate, one.low, one.high) == pytest.approx((two.estimate, two.low, two.high))


def test_more_attempts_at_an_item_do_not_give_it_more_weight() -> None:
    cases = [case._replace(mark=float(case.real == case.predicted)) for case in some_cases()]
    doubled = [*cases, cases[0], cases[0]]
    before, after = log_of(cases), log_of(doubled)
    assert after.score().value == pytest.approx(before.score().value, abs=1e-15)
    one, two = before.table(), after.table()
    assert np.allclose(one.counts, two.counts)
    assert informed.informedness_of_all(two) == pytest.approx(informed.informedness_of_all(one))


# ---------------------------------------------------------------- classes or not


@pytest.mark.parametrize(
    ("reals", "closed"),
    [
        ([f"city{i % 30}" for i in range(60)], False),
        ([str(i * 7) for i in range(200)], False),
        (["good", "bad", "so"] * 7, True),
        ([f"class{i % 100}" for i in range(5000)], True),
        ([f"target{i}" for i in range(14)], False),
        (["yes", "no"], True),
        ([str(i % 20) for i in range(400)], False),  # twenty numbers
    ],
)
def test_few_labels_that_are_asked_for_often_are_classes(reals: list[str], closed: bool) -> None:
    log = log_of([Case(real, real, item=str(i), mark=1.0) for i, real in enumerate(reals)])
    assert bool(log.closed()) == closed
    assert log.score().value == 1
    if not closed:
        with pytest.raises(InformedError, match=r"different answers are asked for.*classes=True"):
            log.table()
        assert log.table(classes=True).n == len(reals)


def test_an_answer_that_is_no_class_is_no_answer_and_said() -> None:
    said = ["good", "bad", "I'm sorry", "so", "I'm sorry", "dunno"]
    real = ["good", "bad", "so", "so", "bad", "good"]
    log = log_of([Case(r, s, item=str(i)) for i, (r, s) in enumerate(zip(real, said, strict=True))])
    assert log.states() == {"right": 3, "abstained": 3}
    assert log.table().abstained.sum() == 3
    (note,) = log.describe()["notes"]
    assert note == "3 answers are none of the 3 classes and count as no answer: \"I'm sorry\" (2), 'dunno' (1)."
    assert log.states(abstain="/o/") == {"right": 1, "abstained": 5}


def test_the_commonest_free_answer_is_said() -> None:
    log = log_of([Case(f"City{i % 30}", f"City{i}", item=str(i), mark=float(i < 30)) for i in range(60)])
    assert log.closed().why == (
        "30 different answers are asked for, so there are no classes: answers are right or wrong. Always answering "
        "'City0' would get 3 %."
    )
    assert not any("scored differently" in note for note in log.describe()["notes"]), "it may be right in other words"


def test_an_attempt_is_right_from_a_mark_on() -> None:
    m = Marks.from_columns(mark=[0.5, 0, 1, 0.5, 0.4, 0], item=["a", "a", "b", "b", "c", "c"])
    assert (m.pass_at(2), m.pass_at(2, right_at=0.5), m.pass_hat(2, right_at=0.5)) == pytest.approx(
        (1 / 3, 2 / 3, 1 / 3)
    )
    assert m.pass_at(1, right_at=0.4) == pytest.approx((1 / 2 + 1 + 1 / 2) / 3)
    with pytest.raises(InformedError, match="`right_at` is 2"):
        m.pass_at(1, right_at=2)


def test_a_log_without_marks_and_classes_says_what_is_missing() -> None:
    log = log_of([Case(f"q{i}", f"a{i}", item=str(i)) for i in range(30)])
    with pytest.raises(InformedError, match="no marks either: a metric is needed, or real labels"):
        log.marks()


def test_read_gives_marks_of_any_log() -> None:
    a, _ = sorted(AGENT.glob("*_agent_*"))
    assert informed.read(a, marks=True).n == 14
    with pytest.raises(InformedError, match="The log has marks and no answers, so chance is not known"):
        informed.read(a)
