"""A judged batch that people labelled in part: golden cases of R and independent code, equations, promises."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import informed
from informed import InformedError, Table
from informed.systems.judge_both import BothPlaces
from informed.systems.judge_planning import allocated, gold_needed
from informed.systems.judge_strata import carried, worth

judge: Any = informed.judge
ROOT = Path(__file__).parents[1]
# x11, x10, x01, x00 (verdict, gold) of the labelled cases and u1, u0 verdicts without a label; the rate and its limits
# by R 4 and by independent code.
GOLDEN = {
    "A, random": ((170, 14, 32, 84), (1043, 657), (0.673441, 0.630799, 0.714662)),
    "B, by verdict": ((138, 12, 21, 129), (1350, 350), (0.725, 0.681512, 0.759500)),
    "C, few": ((24, 1, 2, 3), (250, 50), (0.866667, 0.734585, 0.946382)),
    "D, no error seen": ((40, 0, 0, 10), (160, 40), (0.8, 0.723903, 0.871687)),
    "E, no fail labelled": ((28, 2, 0, 0), (280, 20), (0.933333, 0.793127, 0.985471)),
    "F, rare": ((3, 27, 1, 269), (100, 1600), (0.009963, 0.004047, 0.026581)),
}
A, A_BATCH = [[170, 14], [32, 84]], {"good": 1227, "bad": 773}


def table(counts: Any) -> Table:
    return Table.from_counts(np.reshape(counts, (2, 2)), labels=["good", "bad"], positive="good", rows="predicted")


def same_batch(labelled: Any, left: Any, **how: Any) -> Any:
    t = table(labelled)
    whole = np.asarray(t.cells.sum(axis=1)) + left
    return judge(t, whole, design="same batch", **how)


def rows(labelled: Any, left: Any) -> dict[str, list[Any]]:
    """The same as columns, labelled ones first."""
    cells = [("good", "good"), ("good", "bad"), ("bad", "good"), ("bad", "bad"), ("good", None), ("bad", "")]
    each = [pair for pair, n in zip(cells, (*labelled, *left), strict=True) for _ in range(n)]
    return {"verdict": [v for v, _ in each], "gold": [g for _, g in each]}


def limits(found: Any) -> tuple[float, float, float]:
    return found.estimate, found.low, found.high


# ---------------------------------------------------------------------- golden cases


@pytest.mark.parametrize("name", GOLDEN)
def test_rates_are_those_of_r(name: str) -> None:
    labelled, left, wanted = GOLDEN[name]
    found = same_batch(labelled, left)
    assert limits(found) == pytest.approx(wanted, abs=6e-7)
    assert found.design == "same batch"
    columns = judge(**rows(labelled, left), positive="good")
    assert limits(columns) == pytest.approx(limits(found))
    assert columns.judge.keys() == found.judge.keys()


def test_what_the_judge_is_worth() -> None:
    labelled, left, _ = GOLDEN["A, random"]
    found = same_batch(labelled, left)
    assert (found.saving, found.n_eff) == (pytest.approx(0.446488, abs=6e-7), pytest.approx(483.568, abs=6e-4))
    assert (found.people_low, found.people_high) == pytest.approx((0.6187, 0.7246), abs=6e-5)
    assert "300 labels did the work of 484" in found.sentence()
    for name, error in (("A, random", 0.02129), ("B, by verdict", 0.01963)):  # of R's survey::twophase
        other = same_batch(*GOLDEN[name][:2])
        assert (other.high - other.low) / 2 / stats.norm.ppf(0.975) == pytest.approx(error, rel=0.02)
    batch = same_batch(labelled, left, target="batch")
    assert (batch.low, batch.high) == pytest.approx((0.636253, 0.709241), abs=6e-7)
    elsewhere = judge(table(labelled), A_BATCH, design="elsewhere")
    assert (elsewhere.low, elsewhere.high) == pytest.approx((0.6058, 0.7410), abs=6e-5)


def test_saving_is_informedness_times_markedness() -> None:
    found = same_batch((17000, 1400, 3200, 8400), (104300, 65700))  # so many that half a case is nothing
    product = found.judge["informedness"].estimate * found.judge["markedness"].estimate
    assert found.saving == pytest.approx(product, rel=1e-3)
    random = (1 - found.saving) / 30000 + found.saving / 200000  # of θ(1 − θ), the variance by n random labels of T
    assert found.n_eff == pytest.approx(1 / random, rel=2e-3)


def test_labels_by_verdict_are_weighted_and_the_judge_is_corrected() -> None:
    labelled, left, _ = GOLDEN["B, by verdict"]
    found = same_batch(labelled, left)
    wanted = {
        "recall": (0.951724, 0.929996, 0.968159, 680.433),
        "fallout": (0.218182, 0.134964, 0.323210, 267.526),
        "informedness": (0.733542, 0.622617, 0.822530, 264.761),
    }
    for name, (*ends, n_eff) in wanted.items():
        own = found.judge[name]
        assert limits(own) == pytest.approx(ends, abs=6e-7)
        assert own.effective_n == pytest.approx(n_eff, abs=6e-4)
    assert found.people == pytest.approx(0.53)
    [note] = [x for x in found.notes if x.code == "by-verdict"]
    assert (note.severity, "would say 0.530" in note.text) == ("warning", True)
    assert not any(x.code == "by-verdict" for x in same_batch(*GOLDEN["A, random"][:2]).notes)


def test_three_classes_add_up() -> None:
    t = Table.from_counts([[50, 6, 4], [8, 40, 12], [2, 9, 49]], labels=["a", "b", "c"])
    found = judge(t, {"a": 360, "b": 480, "c": 660}, design="same batch")
    assert found.estimate == pytest.approx([0.257333, 0.303333, 0.439333], abs=6e-7)
    assert found.low == pytest.approx([0.217128, 0.248094, 0.378909], abs=6e-7)
    assert found.high == pytest.approx([0.309848, 0.367941, 0.497766], abs=6e-7)
    assert found.estimate.sum() == pytest.approx(1)
    assert list(found.to_dict()["rates"]) == ["a", "b", "c"]


def test_labels_here_and_elsewhere_and_the_drift_between_them() -> None:
    there = table((270, 40, 30, 160))
    found = judge(table(A), A_BATCH, design="both", elsewhere=there)
    drift = found.drift
    assert drift is not None
    assert (drift.estimate, drift.low, drift.high) == pytest.approx((0.644587, 0.608069, 0.680910), abs=6e-7)
    assert (drift.statistic, drift.pvalue) == pytest.approx((7.18644, 0.027510), abs=6e-6)
    assert drift.elsewhere == pytest.approx(0.590714, abs=6e-7)
    assert limits(found) == pytest.approx(GOLDEN["A, random"][2], abs=6e-7)  # it has drifted
    assert (found.design, [x.code for x in found.notes if x.severity == "warning"]) == ("same batch", ["drifted"])

    same = judge(table(A), A_BATCH, elsewhere=table((168, 14, 33, 85)))  # the judge of here
    assert same.design == "both"
    assert same.drift is not None
    assert same.drift.pvalue > 0.5
    assert same.estimate == same.drift.estimate
    assert same.high - same.low < found.high - found.low
    columns = judge(**rows(*GOLDEN["A, random"][:2]), positive="good", elsewhere=there)
    assert columns.drift.pvalue == pytest.approx(drift.pvalue)


def test_the_likelihood_of_both_places_is_at_its_top() -> None:
    """Beside every rate, recall and fallout near those that were found, the likelihood is less."""
    p = BothPlaces(np.array([[17.0, 2], [3, 9]]), np.array([104.0, 66]), np.array([[27.0, 4], [3, 16]]))
    theta, most = p.best
    recall, fallout = p._rates(theta)

    def likelihood(t: float, r: float, f: float) -> float:
        own, (x1, x0), s = p.here + p.there, p.here.sum(axis=0), t * r + (1 - t) * f
        judged = stats.binom.logpmf(104, 170, s) - stats.binom.logpmf(104, 170, 0.5) + 170 * np.log(0.5)
        rates = own[0, 0] * np.log(r) + own[1, 0] * np.log(1 - r) + own[0, 1] * np.log(f) + own[1, 1] * np.log(1 - f)
        return float(x1 * np.log(t) + x0 * np.log(1 - t) + rates + judged)

    assert likelihood(float(theta), float(recall), float(fallout)) == pytest.approx(float(most), abs=1e-6)
    for step in np.eye(3) * 0.003:
        for sign in (1, -1):
            t, r, f = np.array([theta, recall, fallout]) + sign * step
            assert likelihood(t, r, f) < most
    low, high = p.limits(0.95)
    for end in (low, high):
        assert 2 * (most - p.at(end)[0]) == pytest.approx(stats.chi2.ppf(0.95, 1), abs=1e-6)


# ---------------------------------------------------------------------- planning


def test_labels_needed_are_those_of_the_formula() -> None:
    needed = [gold_needed(h, rate=0.7, saving=0.48, batch=2000) for h in (0.05, 0.04, 0.03, 0.02)]
    assert needed == [182, 299, 594, None]
    found = same_batch(*GOLDEN["A, random"][:2])
    wanted = found.labels_needed(0.03)
    assert (wanted.more, wanted.needed) == (wanted.needed - 300, wanted.needed)
    share = wanted.needed / 300
    more = carried(np.array([170, 32]) * share, np.array([184, 116]) * share, np.array([1227, 773]), 0.95)
    assert (more[2] - more[1]) / 2 == pytest.approx(0.03, rel=0.02)
    assert found.labels_needed(0.02).more is None
    assert "judge more cases" in found.labels_needed(0.02).sentence()
    assert found.labels_needed(0.2).more == 0
    batch = same_batch(*GOLDEN["A, random"][:2], target="batch").labels_needed(0.02)
    assert 300 < batch.needed < 2000


def test_the_next_labels_are_where_they_tell_most() -> None:
    a, b = (same_batch(*GOLDEN[name][:2]) for name in ("A, random", "B, by verdict"))
    assert a.next_labels(100).more == (11, 89)
    assert b.next_labels(200).more == (200, 0)
    assert same_batch(*GOLDEN["C, few"][:2]).next_labels(33).more == pytest.approx((27, 6), abs=1)  # a pilot: by shares
    everything = allocated(np.array([5.0, 9]), np.array([1.0, 2]), np.array([0.1, 0.5]), 100)
    assert everything.tolist() == [4, 7]


def test_allocated_labels_leave_the_least_variance() -> None:
    """Among all ways to give 12 labels to three verdicts (enumerated), none is better, rounding apart."""
    cases, n, s = np.array([300.0, 120, 60]), np.array([10.0, 10, 10]), np.array([0.3, 0.5, 0.2])

    def variance(more: Any) -> float:
        return float(((cases * s) ** 2 / (n + more)).sum())

    best = min(variance((i, j, 12 - i - j)) for i in range(13) for j in range(13 - i))
    assert variance(allocated(cases, n, s, 12)) == pytest.approx(best, rel=2e-3)


def test_drawn_answers_have_no_label_and_the_same_seed_draws_them_again() -> None:
    given = rows(*GOLDEN["A, random"][:2])
    found = judge(**given, positive="good")
    first = found.next_labels(100, rng=4)
    assert first.rows == found.next_labels(100, rng=4).rows != found.next_labels(100, rng=5).rows
    assert Counter(given["verdict"][i] for i in first.rows) == {"good": 11, "bad": 89}
    assert not any(given["gold"][i] for i in first.rows)


# ---------------------------------------------------------------------- units


def test_clusters_are_those_of_the_method() -> None:
    v = [1, 1, 0, 1, 1, 0, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 0, 1, 0, 0] * 6
    g = [1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 1, 0, 1] * 6
    blank = [None if i % 3 == 0 else x for i, x in enumerate(g)]
    found = judge(verdict=v, gold=blank, unit=np.arange(120) // 4)
    assert limits(found) == pytest.approx((0.6, 0.457167, 0.736626), abs=6e-7)
    student = stats.t.ppf(0.975, 29) / stats.norm.ppf(0.975)
    assert found._stretch == pytest.approx(np.sqrt(1.728977) * student, abs=6e-7)
    bare = judge(verdict=v, gold=blank)
    assert found.n_eff == pytest.approx(bare.n_eff / found._stretch**2)
    assert any(x.code == "units" for x in found.notes)


def test_answers_that_were_given_twice_say_no_more() -> None:
    given = rows(*GOLDEN["A, random"][:2])
    once = judge(**given, positive="good")
    twice = {name: x * 2 for name, x in given.items()}
    told = judge(**twice, positive="good", unit=list(range(2000)) * 2)
    assert told.estimate == pytest.approx(once.estimate)
    assert told.high - told.low == pytest.approx(once.high - once.low, rel=0.02)
    assert judge(**twice, positive="good").high < told.high
    assert told.people_high - told.people_low == pytest.approx(once.people_high - once.people_low, rel=0.02)
    assert told.apparent_high - told.apparent_low == pytest.approx(once.apparent_high - once.apparent_low, rel=0.02)


# ---------------------------------------------------------------------- grades and panels


def graded(seed: int = 3, n: int = 900) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    good = rng.random(n) < 0.7
    gold = [("pass" if x else "fail") if seen else None for x, seen in zip(good, rng.random(n) < 0.3, strict=True)]
    return rng, good, gold


def test_grades_sort_cases_and_few_labels_are_joined_in_order() -> None:
    rng, good, gold = graded()
    grade = np.clip(np.round(2.5 + 1.5 * good + rng.normal(0, 0.8, len(good))), 1, 5).astype(int)
    found = judge(verdict=grade, gold=gold, positive="pass")
    assert found.batch.verdicts == (1, 2, 3, 4, 5)
    assert np.isnan(found.apparent)
    assert found.judge == {}
    assert any(x.code == "verdicts-sort" for x in found.notes)
    assert judge(verdict=grade.astype(str).tolist(), gold=gold, positive="pass").low == found.low

    rare = np.where(np.arange(len(grade)) < 4, 0, grade)
    joined = judge(verdict=rare, gold=[None] * 4 + gold[4:], positive="pass")
    assert joined.batch.verdicts == ("0 or 1", 2, 3, 4, 5)
    assert any(x.code == "merged" for x in joined.notes)
    assert joined.batch.cases.sum() == len(grade)


def test_gold_labels_that_are_all_good_need_no_other_name() -> None:
    found = judge(verdict=[1, 2, 3, 4] * 5, gold=G, positive="good")
    assert (found.estimate, found.high, found.labels) == (1, 1, ("good", "not good"))
    named = judge(verdict=[1, 2, 3, 4] * 5, gold=G, positive="good", labels=["good", "bad"])
    assert limits(named) == pytest.approx(limits(found))


def test_one_of_three_grades_is_counted_against_the_others() -> None:
    v = ["good", "fair", "bad", "good"] * 30
    g = ["good", "fair", "bad", None, "good", "bad", "bad", None] * 15
    found = judge(verdict=v, gold=g, positive="good")
    every = judge(verdict=v, gold=g)
    assert limits(found) == pytest.approx((every.estimate[2], every.low[2], every.high[2]))  # bad, fair, good
    assert found.positive == "good"
    assert every.positive is None
    assert found.judge.keys() == {"recall", "fallout", "informedness", "markedness"}


def test_a_panel_is_sorted_by_its_passes() -> None:
    rng, good, gold = graded()
    said = {name: np.where(rng.random(len(good)) < np.where(good, 0.85, 0.25), "pass", "fail") for name in "abc"}
    found = judge(verdict=said, gold=gold, positive="pass")
    passes = sum((x == "pass").astype(int) for x in said.values())
    assert found.batch.cases.tolist() == np.bincount(passes, minlength=4).tolist()
    by_hand = judge(verdict=passes, gold=gold, positive="pass")
    assert limits(found) == pytest.approx(limits(by_hand))
    each = found.panel_records()
    assert found.saving > max(each["saving"])
    for name, x in said.items():
        alone = judge(verdict=x, gold=gold, positive="pass")
        assert each.by("judge")[name]["saving"] == pytest.approx(alone.saving)
    assert found.apparent == pytest.approx(np.mean(passes >= 2))
    frame = pytest.importorskip("pandas").DataFrame(said)
    assert limits(judge(verdict=frame, gold=gold, positive="pass")) == limits(found)


def test_a_case_without_a_verdict_is_not_left_out() -> None:
    given = rows(*GOLDEN["A, random"][:2])
    silent = [None if i % 10 == 0 else x for i, x in enumerate(given["verdict"])]
    found = judge(verdict=silent, gold=given["gold"], positive="good")
    assert (found.n, found.labelled) == (2000, 300)
    assert None in found.batch.verdicts
    assert any(x.code == "no-verdict" for x in found.notes)
    assert found.verdict_records()["verdict"] == ("bad", "good", "no verdict")


# ---------------------------------------------------------------------- promises


@pytest.mark.parametrize(("by_verdict", "target"), [(False, "system"), (True, "system"), (False, "batch")])
def test_the_rate_is_held(by_verdict: bool, target: str) -> None:
    """4000 batches of 1500 (θ = .8, recall .9, fallout .3), 90 labels; 95 % of the intervals hold the rate."""
    rng, runs, theta = np.random.default_rng(9), 4000, 0.8
    cells = rng.multinomial(1500, [theta * 0.9, (1 - theta) * 0.3, theta * 0.1, (1 - theta) * 0.7], runs)
    cells = cells.reshape(runs, 2, 2)
    cases = cells.sum(axis=2)
    first = np.full(runs, 45) if by_verdict else rng.hypergeometric(cases[:, 0], cases[:, 1], 90)
    part = np.stack([first, 90 - first], axis=1)
    x = rng.hypergeometric(cells[..., 0], cells[..., 1], part)
    truth = cells[..., 0].sum(axis=1) / 1500 if target == "batch" else theta
    _, low, high = carried(x.astype(float), part, cases, 0.95, target)
    held = float(np.mean((low <= truth) & (truth <= high)))
    assert held == pytest.approx(0.955, abs=0.0125)  # 3.5 standard errors around the middle of .943 and .967


def test_the_study_holds_the_rate_often_enough() -> None:
    """Mean .94 and least .92 over its grid, labels at random and by verdict; narrower than labels alone."""
    rows = json.loads((ROOT / "docs/data/judge_coverage.json").read_text("utf-8"))["rates"]["rows"]
    assert len(rows) == 6
    for row in rows:
        assert row["judge: mean"] >= 0.94
        assert row["judge: least"] >= 0.92
        assert row.get("judge: width", 0.9) < 0.95


def test_a_judge_that_says_one_thing_tells_nothing() -> None:
    gold = (["good"] * 8 + ["bad"] * 2 + [None] * 15) * 2
    for verdict in (["good"] * 50, [None] * 50):
        found = judge(verdict=verdict, gold=gold, positive="good")
        assert limits(found) == pytest.approx((found.people, found.people_low, found.people_high))
        assert (found.judge, found.saving) == ({}, 0)
    assert limits(found) == pytest.approx((0.8, 0.585142, 0.933028), abs=1e-6)  # mid-P of 16 of 20
    missing = np.where([x is None for x in gold], np.nan, [x == "good" for x in gold])
    assert judge(verdict=[1.0, 0.0] * 25, gold=missing).estimate == pytest.approx(0.8)


def test_a_useless_judge_costs_little_and_is_said() -> None:
    rng, good, gold = graded()
    coin = rng.choice(["pass", "fail"], len(good))
    found = judge(verdict=coin, gold=gold, positive="pass")
    assert any(x.code == "saves-nothing" for x in found.notes)
    assert (found.high - found.low) / (found.people_high - found.people_low) < 1.05


def test_every_number_of_the_page_is_in_the_json() -> None:
    found = judge(**rows(*GOLDEN["A, random"][:2]), positive="good", elsewhere=table((270, 40, 30, 160)))
    page = informed.report(found, reach=0.03, more=20, ids=[f"a{i}" for i in range(2000)], rng=1)
    data = json.loads(page.json())
    assert data["rates"]["good"].keys() >= {"estimate", "apparent_low", "people_high", "saving", "n_eff"}
    assert data["judge"].keys() == {"recall", "fallout", "informedness", "markedness"}
    assert [x["labelled"] for x in data["verdicts"]] == [116, 184]
    assert data["drift"]["pvalue"] == pytest.approx(0.02751, abs=1e-5)
    assert data["labels_needed"]["reach"] == 0.03
    assert sum(x["more"] for x in data["next_labels"]) == len(data["label_next"]) == 20
    for x in data["label_next"]:
        assert x in page.html()


def test_worth_of_a_verdict_without_labels_is_finite() -> None:
    found = worth(np.array([28.0, 0]), np.array([30.0, 0]), np.array([310.0, 20]))
    assert np.isfinite(found).all()
    noted = {x.code for x in same_batch(*GOLDEN["E, no fail labelled"][:2]).notes}
    assert "unlabelled-verdict" in noted
    assert any(x.code == "few" for x in same_batch((40, 2, 1, 2), (400, 100)).notes)


# ---------------------------------------------------------------------- refused


V, G = ["good", "bad"] * 10, ["good", None] * 10


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: judge(table(A), A_BATCH), 'design="same batch"'),
        (lambda: judge(table(A), 0.6, 100), 'design="elsewhere"'),
        (lambda: judge(table(A), 0.6, design="same batch"), "have each verdict, labelled ones included"),
        (lambda: judge(table(A), {"good": 100, "bad": 900}, design="same batch"), "184 cases called 'good'"),
        (lambda: judge(table(A), A_BATCH, design="somewhere"), "somewhere"),
        (lambda: judge(table(A), A_BATCH, design="both"), "`elsewhere=`"),
        (lambda: judge(table(A), A_BATCH, design="elsewhere", target="batch"), "same batch"),
        (lambda: judge(table(A), A_BATCH, design="same batch", known=True), "`known`"),
        (lambda: judge(table(A), A_BATCH, design="same batch", unit=[1]), "for columns"),
        (lambda: judge(verdict=V, gold=G, design="elsewhere"), "of the same batch"),
        (lambda: judge(verdict=V, gold=G, n=100), "`n`"),
        (lambda: judge(table(A), verdict=V, gold=G), "not both"),
        (lambda: judge(verdict=V, gold=[None] * 20), "from verdicts alone the true rate cannot be known"),
        (lambda: judge(verdict=V), "from verdicts alone"),
        (lambda: judge(gold=V), "`verdict` is missing"),
        (lambda: judge(verdict=V, gold=["good"] + [""] * 19), "has one label"),
        (lambda: judge(verdict=V, gold=G[:-1]), "20"),
        (lambda: judge(verdict=V, gold=G, positive="fine"), "fine"),
        (lambda: judge(verdict=[1, 2, 3, 4] * 5, gold=G), "name the other class"),
        (lambda: judge(verdict=V, gold=["a", "b"] * 10), "positive"),
        (lambda: judge(verdict=V, gold=V, unit=[1] * 20, positive="good"), "one unit"),
        (lambda: judge(verdict=V, gold=G, positive="good", target="world"), "world"),
        (lambda: judge(verdict=V, gold=G, positive="good").labels_needed(0), "above 0"),
        (lambda: judge(verdict=V, gold=G, positive="good").next_labels(0), "such as 50"),
        (lambda: judge(verdict=np.random.default_rng(1).random(300), gold=["x"] * 300), "different values"),
    ],
)
def test_what_cannot_be_meant_is_one_sentence(call: Any, said: str) -> None:
    with pytest.raises(InformedError) as caught:
        call()
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_judges_without_gold_have_one_sure_thing() -> None:
    """Who disagree on a share d are not both better than 1 − d/2: shown by all truths of eight cases."""
    a, b = ["yes", "yes", "no", "no", "yes", "no", "yes", "yes"], ["yes", "no", "no", "yes", "yes", "no", "yes", "no"]
    with pytest.raises(InformedError, match=r"'a' and 'b', who disagree on 38 % of the cases") as caught:
        judge(verdict={"a": a, "b": b}, gold=[None] * 8)
    assert "not both more than 0.812 accurate" in str(caught.value)
    best = 0.0
    for bits in range(256):
        truth = ["yes" if bits >> i & 1 else "no" for i in range(8)]
        best = max(best, min(float(np.mean([x == t for x, t in zip(said, truth, strict=True)])) for said in (a, b)))
    assert best <= 1 - 3 / 16


def test_a_table_with_units_wants_columns() -> None:
    t = Table.from_labels(real=["a", "b"] * 9, predicted=["a", "b", "b"] * 6, unit=list(range(9)) * 2)
    with pytest.raises(InformedError, match="has units, which counts of the batch do not tell"):
        judge(t, [20, 20], design="same batch")


def test_labels_that_are_worth_fewer_plain_ones_are_not_said_to_be_saved() -> None:
    verdict, gold = [1] * 1000 + [0] * 1000, [1, 1, 1, 1, 0] * 20 + [None] * 900 + [0] * 9 + [1] + [None] * 990
    found = informed.judge(verdict=verdict, gold=gold)
    assert found.n_eff < found.labelled
    (note,) = (str(x) for x in found.notes if x.code == "saving")
    assert note == "Of labels spread as the cases are, the judge saves 44 %; these 110 are worth 73 plain ones."


def test_labels_elsewhere_leave_fewer_to_be_labelled_here() -> None:
    here = Table.from_counts([[60, 5], [8, 27]], labels=["good", "bad"], positive="good", rows="predicted")
    away = Table.from_counts([[885, 74], [118, 400]], labels=["good", "bad"], positive="good", rows="predicted")
    apparent = {"good": 1300, "bad": 700}
    alone = informed.judge(here, apparent, design="same batch")
    both = informed.judge(here, apparent, design="both", elsewhere=away)
    assert both.design == "both"
    reach = (both.high - both.low) / 2
    assert reach < 0.04

    def needed(found: Any, reach: float) -> int:
        n = found.labels_needed(reach).needed
        assert n is not None
        return int(n)

    assert both.labels_needed(0.04).more == 0  # it reaches no farther already
    assert needed(alone, 0.04) == 310
    assert needed(both, reach) == pytest.approx(100, abs=5)
    assert 100 < needed(both, 0.03) < needed(alone, 0.03)
    assert both.labels_needed(0.001).needed is None
