"""Systems that one judge graded: the specification's case, a judge that favours one, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import informed
from informed.errors import InformedError

judged: Any = informed.compare.judged
PASS = {1: "good", 0: "bad", None: ""}
SORTS = ((-1, 3, 14, 30, 210), (0, 15, 8, 228, 1488), (1, 22, 2, 42, 302))  # judged, wins, losses, labelled, all


def case_9() -> dict[str, Any]:
    """Case 9 of the specification as columns."""
    said: list[tuple[int, int]] = []
    real: list[tuple[int | None, int | None]] = []
    for d, wins, losses, n, cases in SORTS:
        said += [(int(d >= 0), int(d <= 0))] * cases
        even = n - wins - losses
        real += [(1, 0)] * wins + [(0, 1)] * losses + [(1, 1)] * even + [(None, None)] * (cases - n)
    names = ("a", "b")
    verdict = {name: [PASS[x[i]] for x in said] for i, name in enumerate(names)}
    return {"verdict": verdict, "gold": {name: [PASS[x[i]] for x in real] for i, name in enumerate(names)}}


def drawn(seed: int = 1, n: int = 2000, labelled: int = 300, systems: str = "ab") -> dict[str, Any]:
    """Equally good systems; the judge lets more bad answers of the first pass."""
    rng = np.random.default_rng(seed)
    verdict, gold = {}, {}
    for name, fallout in zip(systems, (0.3, 0.1, 0.1), strict=False):
        real = rng.random(n) < 0.7
        verdict[name] = np.where(rng.random(n) < np.where(real, 0.9, fallout), 1, 0)
        gold[name] = np.where(np.arange(n) < labelled, real.astype(float), np.nan)
    return {"verdict": verdict, "gold": gold}


def test_the_case_of_the_specification() -> None:
    d = judged(**case_9(), positive="good")
    assert (d.estimate, d.low, d.high) == pytest.approx((0.056247, 0.007284, 0.104814), abs=6e-7)
    assert d.judged == pytest.approx(0.046)
    error = d.error  # which the specification calls favour
    assert (error.estimate, error.low, error.high) == pytest.approx((-0.010247, -0.059577, 0.039478), abs=6e-7)
    assert not error.found
    assert 0.02 < d.pvalue < 0.03
    assert d.n_eff > d.labelled[0] == 300


def test_a_judge_that_favours_a_system_is_found_and_corrected() -> None:
    d = judged(**drawn())
    assert d.judged_low > 0 > d.low
    assert d.favour.found
    assert d.favour.estimate > 0
    assert "favours a:" in d.favour_sentence()


def test_items_are_matched_by_their_names() -> None:
    given = drawn()
    turned = {key: {"a": x["a"], "b": x["b"][::-1]} for key, x in given.items()}
    items = {"a": np.arange(2000), "b": np.arange(2000)[::-1]}
    one, two = judged(**given), judged(**turned, item=items)
    assert (one.estimate, one.low, one.high) == pytest.approx((two.estimate, two.low, two.high))


def test_different_items_combine_their_own_limits() -> None:
    given = drawn()
    d = judged(**given, paired=False)
    assert not d.paired
    assert d.low < 0 < d.high
    assert d.favour.found
    apart = judged(**given, item={"a": np.arange(2000), "b": np.arange(2000) + 5000})
    assert (apart.low, apart.high) == (d.low, d.high)


def test_different_items_have_the_rates_of_the_specification() -> None:
    """Case 1 (A) as one of the systems: its rate and limits are those of the stratified estimate."""
    x = [(1, 1, 170), (1, 0, 14), (0, 1, 32), (0, 0, 84), (1, None, 1043), (0, None, 657)]
    v = [said for said, _, n in x for _ in range(n)]
    g = [real for _, real, n in x for _ in range(n)]
    both = judged(verdict={"a": v, "b": v}, gold={"a": g, "b": g}, paired=False)
    assert both.rates == pytest.approx((0.673441, 0.673441), abs=6e-7)
    below, above = 0.673441 - 0.630799, 0.714662 - 0.673441
    assert both.high == pytest.approx(float(np.hypot(below, above)), abs=2e-6)


def test_many_systems_hold_together() -> None:
    found = judged(**drawn(systems="abc"))
    assert len(found.differences) == 3
    alone = judged(**{k: {s: x[s] for s in "ab"} for k, x in drawn(systems="abc").items()})
    assert found["a", "b"].low < alone.low
    assert all(one.adjusted >= one.pvalue for one in found.differences)
    against = judged(**drawn(systems="abc"), against="c")
    assert [one.names for one in against.differences] == [("a", "c"), ("b", "c")]


def test_rows_of_units_widen_the_interval() -> None:
    given = drawn(n=200, labelled=200)
    four = {key: {s: np.repeat(x[s], 4) for s in x} for key, x in given.items()}
    rows, units = judged(**four), judged(**four, unit=np.repeat(np.arange(200), 4))
    assert units.high - units.low > 1.9 * (rows.high - rows.low)


def test_pages_and_json_have_every_number() -> None:
    for found in (judged(**drawn()), judged(**drawn(systems="abc"))):
        assert "<svg" in found.html()
        assert json.loads(found.json())["notes"]
        assert len(informed.report(found).text()) > 100


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"verdict": [1, 0]}, "mapping"),
        ({"gold": {"a": [None, None], "b": [1, 0]}}, "blank"),
        ({"verdict": {"a": [1, None], "b": [1, 0]}}, "missing"),
        ({"verdict": {"a": [1, 0, 1], "b": [1, 0]}}, "paired=False"),
        ({"positive": "excellent"}, "positive"),
        ({"against": "z"}, "against"),
        ({"gold": {"a": [1, None], "b": [None, 0]}}, "two at least"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_a_sentence(change: dict[str, Any], said: str) -> None:
    given = {"verdict": {"a": [1, 0], "b": [1, 0]}, "gold": {"a": [1, 0], "b": [1, 0]}}
    with pytest.raises(InformedError, match=said):
        judged(**(given | change))


# ---------------------------------------------------------------------- favour and blur


def test_the_favour_is_what_the_identity_leaves_where_all_is_labelled() -> None:
    """judged = B·Δ + favour, with rates counted by hand; half a case is added to each sort."""
    given = drawn(n=4000, labelled=4000)
    v, g = ([np.asarray(given[x][s]) for s in "ab"] for x in ("verdict", "gold"))
    recall, fallout = ([float(x[y == real].mean()) for x, y in zip(v, g, strict=True)] for real in (1, 0))
    blurred = (sum(recall) - sum(fallout)) / 2 * float(g[0].mean() - g[1].mean())
    d = judged(**given)
    assert d.favour.estimate == pytest.approx(float(v[0].mean() - v[1].mean()) - blurred, abs=1e-3)
    apart = judged(**given, paired=False)
    assert apart.favour.estimate == pytest.approx(d.favour.estimate, abs=1e-3)


def test_a_judge_that_errs_alike_is_off_and_favours_nobody() -> None:
    rng = np.random.default_rng(4)
    real = {"a": rng.random(3000) < 0.9, "b": rng.random(3000) < 0.5}
    verdict = {s: np.where(rng.random(3000) < 0.3, rng.random(3000) < 0.5, x).astype(int) for s, x in real.items()}
    gold = {s: np.where(np.arange(3000) < 900, x.astype(float), np.nan) for s, x in real.items()}
    d = judged(verdict=verdict, gold=gold)
    assert d.error.found
    assert d.error.high < 0
    assert not d.favour.found
    assert "blurs" in d.favour_sentence()


# ---------------------------------------------------------------------- how items were labelled


def test_labels_by_both_verdicts_are_weighted_by_both() -> None:
    """Even items that the judge calls good twice were all labelled, the others a tenth: four sorts, by hand."""
    sorts = {(1, 1): (600, 600, 120), (0, 0): (600, 60, 0), (1, 0): (60, 60, 60), (0, 1): (60, 60, 0)}
    v: dict[str, list[Any]] = {"a": [], "b": []}
    g: dict[str, list[Any]] = {"a": [], "b": []}
    for (x, y), (cases, n, wins) in sorts.items():
        v["a"] += [x] * cases
        v["b"] += [y] * cases
        g["a"] += [1] * wins + [0] * (n - wins) + [None] * (cases - n)
        g["b"] += [0] * n + [None] * (cases - n)
    d = judged(verdict=v, gold=g)
    by_hand = sum(cases * wins / n for cases, n, wins in sorts.values()) / 1320
    assert d.estimate == pytest.approx(by_hand)
    assert d.labels_alone == pytest.approx(180 / 780)
    assert "by-verdict" in [note.code for note in d.notes]


def test_labels_on_one_of_two_answers_are_said() -> None:
    given = drawn()
    given["gold"]["a"][:50] = np.nan
    d = judged(**given)
    assert "50 items with a gold label of one system only" in " ".join(str(x) for x in d.notes)


def test_outcomes_with_few_labels_count_with_the_even_ones() -> None:
    given = drawn(labelled=12)
    d = judged(**given)
    assert "joined" in [note.code for note in d.notes]
    assert -1 <= d.low < d.estimate < d.high <= 1


# ---------------------------------------------------------------------- epochs and panels


def epochs(seed: int = 3, items: int = 150, times: int = 3) -> tuple[dict[str, Any], Any]:
    given = drawn(seed, n=items * times, labelled=items * times // 3)
    return given, np.repeat(np.arange(items), times)


def test_epochs_below_each_other_are_those_beside_each_other() -> None:
    given, item = epochs()
    beside = judged(**given, item=item)
    order = np.argsort(np.tile(np.arange(3), 150), kind="stable")  # all first answers, then all second ones
    below = {key: {"a": x["a"], "b": np.asarray(x["b"])[order]} for key, x in given.items()}
    other = judged(**below, item={"a": item, "b": item[order]})
    assert (beside.estimate, beside.low, beside.high) == pytest.approx((other.estimate, other.low, other.high))
    assert "150 items" in " ".join(str(x) for x in beside.notes)


def test_a_system_that_was_asked_once_stands_beside_each_answer_of_the_other() -> None:
    given, item = epochs()
    once = {key: {"a": x["a"], "b": np.asarray(x["b"])[::3]} for key, x in given.items()}
    thrice = {key: {"a": x["a"], "b": np.repeat(np.asarray(x["b"])[::3], 3)} for key, x in given.items()}
    one = judged(**once, item={"a": item, "b": np.arange(150)})
    two = judged(**thrice, item=item)
    assert (one.estimate, one.low, one.high) == pytest.approx((two.estimate, two.low, two.high))


def test_epochs_of_different_items() -> None:
    given, item = epochs()
    rows = judged(**given, paired=False)
    items = judged(**given, paired=False, item={"a": item, "b": item})
    assert items.rates == pytest.approx(rows.rates)
    assert not items.paired


def test_a_panel_of_one_opinion_is_one_judge() -> None:
    given = drawn()
    panel = {s: {"x": v, "y": v, "z": v} for s, v in given["verdict"].items()}
    one, three = judged(**given), judged(verdict=panel, gold=given["gold"])
    assert (three.estimate, three.low, three.high) == pytest.approx((one.estimate, one.low, one.high))


def test_a_panel_tells_more_than_its_judge() -> None:
    rng = np.random.default_rng(8)
    real = {s: rng.random(2000) < p for s, p in (("a", 0.7), ("b", 0.6))}
    panel = {s: {j: (rng.random(2000) < np.where(x, 0.8, 0.3)).astype(int) for j in "xyz"} for s, x in real.items()}
    gold = {s: np.where(np.arange(2000) < 300, x.astype(float), np.nan) for s, x in real.items()}
    one = judged(verdict={s: x["x"] for s, x in panel.items()}, gold=gold)
    three = judged(verdict=panel, gold=gold)
    assert three.saving > one.saving + 0.1
    assert three.high - three.low < one.high - one.low


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"verdict": {"a": [1, 0]}}, "nothing of 'b'"),
        ({"verdict": {"a": {"x": [1, 0]}, "b": {"y": [1, 0]}}}, "same judges"),
        ({"gold": {"a": [7, 8], "b": [1, 0]}}, "same labels"),
        ({name: {i: [1, 0] for i in range(99)} for name in ("verdict", "gold")}, "99 systems"),
        ({"item": {"a": [1, 2]}}, "mapping from each"),
        ({"item": {"a": [1, 2], "b": [1, None]}}, "missing in 1"),
        ({"item": [1, 2], "paired": False}, "mapping"),
        ({"unit": {"a": [1, 2], "b": [1, 2]}}, "one `unit`"),
    ],
)
def test_what_else_is_refused(change: dict[str, Any], said: str) -> None:
    given = {"verdict": {"a": [1, 0], "b": [1, 0]}, "gold": {"a": [1, 0], "b": [1, 0]}}
    with pytest.raises(InformedError, match=said):
        judged(**(given | change))


def test_a_difference_is_decided() -> None:
    d = judged(**case_9(), positive="good")
    verdicts = [informed.decide(d, x, measure="rate").verdict for x in (-0.01, 0.05, 0.2)]
    assert verdicts == ["pass", "undecided", "fail"]
    with pytest.raises(InformedError, match="rate"):
        informed.decide(d, 0.1)


def test_as_many_labels_as_are_needed_make_the_interval_so_short() -> None:
    d = judged(**drawn())
    needed = d.labels_needed(0.03)
    assert d.labels_needed((d.high - d.low) / 2).needed == pytest.approx(300, abs=1)
    assert needed.more == needed.needed - 300
    more = [judged(**drawn(seed, labelled=needed.needed)) for seed in range(2, 12)]
    assert np.mean([x.high - x.low for x in more]) == pytest.approx(0.06, rel=0.04)
    assert d.labels_needed(0.001).needed is None
    apart = drawn(labelled=600)
    apart["gold"]["a"][:300] = apart["gold"]["b"][500:] = np.nan  # 200 items have both
    one = judged(**apart)
    assert (one.labelled, one.pairs, one.to_dict()["pairs"]) == ((300, 500), 200, 200)
    assert one.labels_needed((one.high - one.low) / 2).needed == pytest.approx(200, abs=1)
    with pytest.raises(InformedError, match="different items"):
        judged(**drawn(), paired=False).labels_needed()


@pytest.mark.parametrize("paired", [True, False])
def test_a_judge_that_says_the_same_of_all_answers_is_not_sure_to_favour(paired: bool) -> None:
    right, wrong = [1] * 60, [0] * 60

    def found(verdict: tuple[Any, Any], gold: tuple[Any, Any]) -> Any:
        sides = ({"a": x[0], "b": x[1]} for x in (verdict, gold))
        return judged(**dict(zip(("verdict", "gold"), sides, strict=True)), positive=1, labels=[0, 1], paired=paired)

    fair = found((right, wrong), (right, wrong))  # and every verdict is true
    assert fair.estimate == 1
    assert not fair.favour.found
    assert fair.favour.pvalue > 0.05
    none = found((right, right), (right, right))
    assert none.favour.low < 0 < none.favour.high
    passes = found((right, [1, 0] * 30), ([1, 0] * 30, [1, 0] * 30))  # all of a's answers, only the good ones of b
    assert passes.favour.found
    assert passes.favour.low < 0.5 < passes.favour.high


@pytest.mark.parametrize("paired", [True, False])
def test_a_judge_can_be_off_by_more_than_all(paired: bool) -> None:
    said, real = ([0] * 60, [1] * 60), ([1] * 20 + [None] * 40, [0] * 20 + [None] * 40)
    verdict, gold = ({"a": x[0], "b": x[1]} for x in (said, real))
    d = judged(verdict=verdict, gold=gold, positive=1, paired=paired)
    assert d.error.estimate == -2
    assert -2 <= d.error.low <= d.error.estimate < d.error.high < -1.5
