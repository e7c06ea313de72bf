"""`watch`: golden streams of an independent implementation, and what must hold of every stream."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import informed
from informed import Watch, watch
from informed.errors import InformedError

Stream = list[tuple[int, Any, Any]]  # real, answer, and that of the other system


def uniform(seed: int) -> Iterator[list[float]]:
    """Four numbers a case, of a generator that anyone can write."""
    s = seed
    while True:
        case = []
        for _ in range(4):
            s = (1103515245 * s + 12345) % 2**31
            case.append(s / 2**31)
        yield case


def two_classes(seed: int, n: int, share: float, tpr: float, fpr: float) -> Stream:
    found: Stream = []
    for u, _ in zip(uniform(seed), range(n), strict=False):
        real = int(u[0] < share)
        found.append((real, real if u[1] < (tpr if real else 1 - fpr) else 1 - real, None))
    return found


def two_systems(seed: int, n: int) -> Stream:
    found: Stream = []
    for u, _ in zip(uniform(seed), range(n), strict=False):
        real, own = int(u[0] < 0.5), u[1] if u[2] < 0.7 else u[3]
        found.append((real, real if u[1] < 0.85 else 1 - real, real if own < 0.7 else 1 - real))
    return found


def in_epochs(seed: int, n: int) -> Stream:
    found: Stream = []
    for u, _ in zip(uniform(seed), range(n), strict=False):
        real = int(u[0] < 0.5)
        said = [None if x < 0.1 else real if x < 0.8 else 1 - real for x in u[1:]]
        found.append((real, said, None))
    return found


def of_benchmark(seed: int) -> Stream:
    found: Stream = []
    left = [100, 100]
    for u, _ in zip(uniform(seed), range(200), strict=False):
        real = int(u[0] * sum(left) < left[1])
        left[real] -= 1
        found.append((real, real if u[1] < 0.8 else 1 - real, None))
    return found


def fed(w: Watch, cases: Stream) -> Watch:
    if cases:
        real, predicted, other = (list(x) for x in zip(*cases, strict=True))
        w.update(real=real, predicted=predicted, other=other if w.settings.paired else None)
    return w


EVEN = {"labels": [0, 1], "prevalence": [0.5, 0.5]}
GOLDEN: dict[str, tuple[dict[str, Any], Stream, dict[int, tuple[float, float, float]]]] = {
    "G1": (
        {},
        two_classes(1, 200, 0.5, 0.75, 0.25),
        {
            20: (-0.465414, 0.849699, 0.246224),
            100: (0.098253, 0.732948, 7.033590),
            200: (0.182250, 0.643550, 14.798129),
        },
    ),
    "G2": (
        {**EVEN, "expect": 0.3},
        two_classes(1, 200, 0.5, 0.75, 0.25),
        {
            20: (-0.439857, 0.844030, 0.630586),
            100: (0.119462, 0.721639, 9.498912),
            200: (0.196412, 0.634214, 17.479458),
        },
    ),
    "G3": (
        {},
        two_classes(3, 1000, 0.1, 0.3, 0.3),
        {100: (-0.365818, 0.670281, -0.571480), 1000: (-0.178525, 0.171984, -1.934771)},
    ),
    "G4": (
        {"labels": [0, 1], "prevalence": [0.98, 0.02]},
        two_classes(4, 1000, 0.02, 0.9, 0.05),
        {100: (-0.095993, 0.996041, 1.788704), 1000: (0.450859, 0.977825, 28.512390)},
    ),
    "G5": (
        {**EVEN, "expect": 0.3, "disagree": 0.25, "paired": True},
        two_systems(5, 400),
        {50: (-0.174523, 0.826905, 2.292302), 400: (0.208390, 0.520890, 27.427416)},
    ),
    "G6": (
        {"labels": [0, 1], "benchmark": [100, 100]},
        of_benchmark(6),
        {50: (0.20, 0.85, 9.263761), 100: (0.38, 0.76, 33.272103), 200: (0.57, 0.57, math.inf)},
    ),
    "G8": (EVEN, in_epochs(8, 150), {30: (0.161930, 0.744931, 7.585774), 150: (0.352269, 0.598990, 43.629738)}),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_streams(name: str) -> None:
    how, cases, wanted = GOLDEN[name]
    w, seen = watch(**how), 0
    for n, (low, high, wealth) in wanted.items():
        fed(w, cases[seen:n])
        seen = n
        assert (w.current.low, w.current.high) == pytest.approx((low, high), abs=1e-5)
        assert w.path["log_wealth"][-1] == pytest.approx(wealth, abs=1e-4)


def test_the_golden_stream_of_four_classes_with_one_arm() -> None:
    from informed.inference.betting import Counts
    from informed.inference.betting_plan import pooled, unplanned

    right = np.array([u[1] < 0.6 for u, _ in zip(uniform(7), range(300), strict=False)])
    game = pooled(np.full(4, 0.25))
    for n, wanted in {30: (0.238956, 0.904444, 12.627446), 300: (0.351362, 0.600953, 82.436429)}.items():
        k = float(right[:n].sum())
        counts, bettor = Counts(np.array([[0.0, 1.0]]), np.array([[[n - k, k]]])), unplanned(game)
        low = game.const + bettor.lowest(counts, math.log(40)).log[0]
        high = game.bounds[1] - bettor.lowest(counts.mirrored(), math.log(40)).log[0]
        assert (low, high) == pytest.approx(wanted[:2], abs=1e-5)
        assert bettor.least(counts, np.array([-game.const])).log[0] == pytest.approx(wanted[2], abs=1e-4)


CONFSEQ = {  # log of the mean over the shares of `betting_mart` of confseq 0.0.11 with λ = c/m: (size, mean, cases)
    (None, 0.4, 40): 5.239249986915283,
    (None, 0.4, 120): 26.308006460189702,
    (None, 0.6, 40): 0.2288090679574474,
    (None, 0.6, 120): 3.3201486095894994,
    (None, 0.7, 120): -0.00710996040179151,
    (200, 0.4, 40): 6.960604917927481,
    (200, 0.4, 120): math.inf,
    (200, 0.6, 40): 0.32652877465403446,
    (200, 0.6, 120): 9.196723383132625,
    (200, 0.7, 120): 0.2468663973054365,
}


@pytest.mark.parametrize(("size", "mean", "n"), CONFSEQ)
def test_one_arm_is_what_confseq_has(size: int | None, mean: float, n: int) -> None:
    """With replacement, and without it from a benchmark of 200."""
    right = [int(u[1] < 0.75) for u, _ in zip(uniform(1), range(n), strict=False)]
    how: dict[str, Any] = {} if size is None else {"benchmark": {1: size - 1, 0: 1}}
    w = watch(against=mean, labels=[1, 0], measure="accuracy", **how)
    w.update(real=[1] * n, predicted=right)
    assert w.path["log_wealth"][-1] == pytest.approx(CONFSEQ[size, mean, n], abs=1e-9)


# ---------------------------------------------------------------------- laws


def test_the_order_and_the_batches_change_nothing_of_the_last_look() -> None:
    cases = GOLDEN["G1"][1]
    whole, mixed = fed(watch(), cases), watch()
    order = np.random.default_rng(1).permutation(len(cases))
    for part in np.array_split(order, 7):
        fed(mixed, [cases[i] for i in part])
    assert mixed.current.low == pytest.approx(whole.current.low, abs=1e-9)
    assert mixed.wealth == pytest.approx(whole.wealth, rel=1e-9)


def test_batches_change_nothing_of_any_look() -> None:
    cases = GOLDEN["G1"][1]
    whole, single = fed(watch(), cases), watch()
    for case in cases:
        single.update(real=case[0], predicted=case[1])
    np.testing.assert_allclose(np.array(whole.path.rows), np.array(single.path.rows), rtol=1e-7)


def test_classes_may_change_names() -> None:
    cases = [(real, said, None) for real, said, _ in GOLDEN["G4"][1][:300]]
    one = fed(watch(labels=[0, 1], prevalence=[0.98, 0.02]), cases)
    two = fed(watch(labels=[1, 0], prevalence=[0.02, 0.98]), cases)
    assert (one.current.low, one.current.high) == pytest.approx((two.current.low, two.current.high), abs=1e-8)
    assert one.wealth == pytest.approx(two.wealth, rel=1e-6)


def test_nothing_is_won_on_one_class_alone() -> None:
    w = watch(labels=["a", "b"])
    for _ in range(30):
        w.update(real="a", predicted="a")
        assert w.wealth <= 1 + 1e-9
    assert math.isnan(w.interval.estimate)
    assert "one-class" in {note.code for note in w.notes}


def test_wealth_falls_in_the_bar_and_meets_the_limit_of_the_interval() -> None:
    cases = GOLDEN["G1"][1]
    low = fed(watch(), cases).current.low
    logs = [fed(watch(against=b), cases).path["log_wealth"][-1] for b in (-0.5, 0.0, low, 0.3, 0.6)]
    assert logs == sorted(logs, reverse=True)
    assert logs[2] == pytest.approx(math.log(40), abs=1e-6)
    assert all(math.isfinite(x) for x in logs)


def test_a_one_sided_limit_passes_the_bar_when_the_wealth_is_enough() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        n = int(rng.integers(20, 150))
        real = rng.integers(0, 2, n)
        said = np.where(rng.random(n) < 0.68, real, 1 - real)
        w = watch(alternative="greater", labels=[0, 1], prevalence=[0.5, 0.5], expect=0.4)
        w.update(real=real, predicted=said)
        assert (w.current.low > 0) is (w.wealth >= 20)
        assert w.current.high == 1


def test_no_answer_is_no_bet() -> None:
    asked = watch(labels=["a", "b"], prevalence=[0.7, 0.3])
    asked.update(real=["a", "b", "a", "b"], predicted=["a", None, None, "b"])
    t = asked.table
    assert t.abstained.tolist() == [1, 1]
    payoff = {("a", "a"): 1, ("b", "b"): 1}
    gain = {"a": (payoff["a", "a"] + 0) / 2, "b": (payoff["b", "b"] + 0) / 2}
    assert asked.interval.estimate == pytest.approx(0.7 * gain["a"] + 0.3 * gain["b"])


def test_epochs_are_one_item() -> None:
    once, thrice = watch(labels=[0, 1]), watch(labels=[0, 1])
    cases = GOLDEN["G1"][1][:80]
    fed(once, cases)
    fed(thrice, [(real, [said] * 3, None) for real, said, _ in cases])
    assert thrice.n == once.n
    np.testing.assert_allclose(np.array(thrice.path.rows), np.array(once.path.rows), rtol=1e-12)


def test_two_solvers_agree_on_two_classes() -> None:
    """Pairs of shares with even weights are a product: the search over rates must find the same.

    Counts have many zeros, so that the least is often at an end: where all are right, or none.
    """
    from informed.inference.betting import Counts, Pair
    from informed.inference.betting_classes import Separate
    from informed.inference.betting_plan import EVEN as EACH

    rng = np.random.default_rng(4)
    h = rng.integers(0, 4, (500, 2, 3)) * rng.integers(0, 2, (500, 2, 3)) * rng.choice([1, 7, 900], (500, 1, 1))
    counts = Counts(np.array([[0.0, 0.3, 1.0]] * 2), h.astype(float))
    a = np.array([1.0, 1.0])
    one, two = Pair(a, EACH), Separate(a, np.full((2, 12), 1 / 12))
    np.testing.assert_allclose(one.lowest(counts, 3.0).log, two.lowest(counts, 3.0).log, atol=1e-7)
    total = rng.uniform(0.05, 2, 500)
    np.testing.assert_allclose(one.least(counts, total).log, two.least(counts, total).log, rtol=1e-7, atol=1e-7)


def test_newton_does_not_go_to_and_fro() -> None:
    """Planned weights make two bends; between these the steps of a plain Newton repeat for ever."""
    from informed.inference.betting import Counts

    settings = watch(labels=[0, 1], prevalence=[0.9, 0.1], expect=0.2).settings
    counts = Counts(np.array([[0.0, 1.0]] * 2), np.array([[[217.0, 463.0], [42.0, 52.0]]]))
    assert settings.bettors[1].least(counts, np.ones(1)).log[0] == pytest.approx(7.795637, abs=1e-6)


def test_limits_are_where_a_grid_finds_them() -> None:
    """The least wealth over all prices, by brute force."""
    from informed.inference.betting import SHARES, Counts, Pair
    from informed.inference.betting_plan import EVEN as EACH

    rng = np.random.default_rng(5)
    mu = np.linspace(1e-6, 1 - 1e-6, 4001)
    for _ in range(20):
        (l0, r0), (l1, r1) = rng.integers(0, 30, (2, 2))
        total = float(rng.uniform(0.1, 1.9))
        at = mu[(total - mu > 0) & (total - mu < 1)]

        def grown(lost: float, won: float, price: Any) -> Any:
            return lost * np.log(1 - SHARES) + won * np.log(1 - SHARES + SHARES / price[:, None])

        e, f = grown(l0, r0, at), grown(l1, r1, total - at)
        logs = np.logaddexp.reduce((e[:, :, None] + f[:, None, :]).reshape(len(at), -1), axis=1) - math.log(144)
        counts = Counts(np.array([[0.0, 1.0]] * 2), np.array([[[l0, r0], [l1, r1]]], float))
        found = Pair(np.ones(2), EACH).least(counts, np.array([total])).log[0]
        assert found <= logs.min() + 1e-9
        assert found == pytest.approx(logs.min(), abs=2e-3)


# ---------------------------------------------------------------------- state


@pytest.mark.parametrize("name", GOLDEN)
def test_a_state_goes_on_where_it_was(name: str) -> None:
    how, cases, _ = GOLDEN[name]
    whole, half = fed(watch(**how), cases[:150]), fed(watch(**how), cases[:70])
    again = Watch.from_json(half.to_json())
    fed(again, cases[70:150])
    assert again.table == whole.table
    held = [np.array(w.path.rows, float) for w in (again, whole)]
    kept = np.isin(held[0][:, 0], held[1][:, 0])  # a state is a look
    np.testing.assert_allclose(held[0][kept][:, [0, 1, 4, 5, 8]], held[1][:, [0, 1, 4, 5, 8]], rtol=1e-9)


def test_parts_of_a_run_are_merged_once() -> None:
    cases = GOLDEN["G1"][1]
    whole, one, two = fed(watch(), cases), fed(watch(), cases[:90]), fed(watch(), cases[90:])
    before = one.interval
    one.merge(Watch.from_json(two.to_json()))
    assert one.n == 200
    assert one.current.low == pytest.approx(whole.current.low, abs=1e-9)
    assert one.interval.low >= before.low
    with pytest.raises(InformedError, match="in already"):
        one.merge(two)
    with pytest.raises(InformedError, match="in already"):
        two.merge(one)
    with pytest.raises(InformedError, match=r"against=0\.0, and against=0\.1"):
        one.merge(watch(against=0.1))
    with pytest.raises(InformedError, match="benchmark cannot be merged"):
        watch(benchmark={"a": 5, "b": 5}).merge(watch(benchmark={"a": 5, "b": 5}))


def test_results_wait_for_those_scheduled_before() -> None:
    cases = GOLDEN["G1"][1][:60]
    w = watch()
    order = np.random.default_rng(2).permutation(60)
    for i in order[:30]:
        w.update(real=cases[i][0], predicted=cases[i][1], index=int(i))
    assert w.n + w.held == 30
    assert "wait" in w.sentence
    w = Watch.from_json(w.to_json())
    rest = order[30:]
    w.update(real=[cases[i][0] for i in rest], predicted=[cases[i][1] for i in rest], index=rest)
    assert (w.n, w.held) == (60, 0)
    assert w.path["log_wealth"][-1] == pytest.approx(fed(watch(), cases).path["log_wealth"][-1], abs=1e-9)


# ---------------------------------------------------------------------- bad input


def test_an_item_twice_is_refused_and_nothing_is_lost() -> None:
    w = watch()
    w.update(real=["a", "b"], predicted=["a", "a"], item=["q1", "q2"])
    with pytest.raises(InformedError, match="'q2' was counted already"):
        w.update(real=["a", "b"], predicted=["a", "a"], item=["q3", "q2"])
    assert w.n == 2
    w.update(real="a", predicted="a", item="q3")
    assert w.n == 3
    w = Watch.from_json(w.to_json())
    with pytest.raises(InformedError, match="'q3' was counted already"):
        w.update(real="a", predicted="a", item="q3")
    by_place = watch()
    by_place.update(real="a", predicted="a", index=0)
    with pytest.raises(InformedError, match="place 0 of the schedule"):
        by_place.update(real="a", predicted="a", index=0)
    with pytest.raises(InformedError, match="counts by `index`"):
        by_place.update(real="a", predicted="a")
    with pytest.raises(InformedError, match="without `index`"):
        w.update(real="a", predicted="a", index=0)


@pytest.mark.parametrize(
    ("real", "predicted", "labels", "said"),
    [
        (["0", "1"], ["0.0", "1.0"], None, "'0' and '0.0' differ only by how a number is written: write both alike."),
        (["true", "false"], ["true", "False"], None, "'false' and 'False' differ only by upper and lower case"),
        (["a", "b"], ["a", "b "], ["a", "b"], "'b ' and 'b' differ only by white space"),
        (["a", "b"], ["a", "c"], None, "before the first case, or give None for no answer."),
        (["a", "b"], ["a", "c"], ["a", "b"], "before the first case, or give None for no answer."),
    ],
)
def test_one_label_too_many_may_be_a_spelling(
    real: list[str], predicted: list[str], labels: list[str] | None, said: str
) -> None:
    with pytest.raises(InformedError) as error:
        watch(labels=labels).update(real=real, predicted=predicted)
    assert said in str(error.value)


def test_a_watch_has_its_page_and_its_own_verdict() -> None:
    w = watch(against=0.2)
    w.update(real=["yes", "no"] * 30, predicted=["yes", "no"] * 30)
    page = informed.report(w)
    assert page.answer == w.sentence
    assert page.write("json") == w.write("json")
    for held in (w, w.result()):
        with pytest.raises(InformedError, match=r"`informed.watch\(against=0.2\)`, and its verdict is `w.verdict`"):
            informed.decide(held, 0.2)  # type: ignore[arg-type]


def test_a_label_never_seen_before_is_refused_and_nothing_is_lost() -> None:
    w = watch()
    w.update(real=["yes", "no"], predicted=["yes", "yes"])
    with pytest.raises(InformedError, match="'maybe' in `predicted` is a third label after 'yes', 'no'"):
        w.update(real=["yes", "no"], predicted=["no", "maybe"])
    assert w.n == 2
    w = watch(labels=["yes", "no"])
    with pytest.raises(InformedError, match="'maybe' in `real` is none of the labels"):
        w.update(real="maybe", predicted="no")
    with pytest.raises(InformedError, match="no label at position 1"):
        w.update(real=["yes", None], predicted=["no", "no"])
    assert w.n == 0


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"expect": 0.0}, "`expect` is 0; it must be above 0"),
        ({"against": 0.5, "expect": 0.3}, "above 0.5"),
        ({"labels": ["a", "b"], "prevalence": [0.5, 0.6]}, "adds up to 1.1"),
        ({"prevalence": [0.5, 0.5]}, "whose shares"),
        ({"labels": ["a", "b", "c"], "prevalence": [0.5, 0.5]}, "2 shares for 3 labels"),
        ({"labels": ["a", "b"], "prevalence": {"a": 1.0, "b": 0.0}}, "each class must be possible"),
        ({"benchmark": {"a": 3, "b": 4}, "prevalence": {"a": 0.5, "b": 0.5}}, "not both"),
        ({"benchmark": {"a": 3, "b": 0}}, "0 items of 'b'"),
        ({"benchmark": {"a": 3, "b": math.nan}}, "nan items of 'b'"),
        ({"benchmark": {"a": 3, "b": "4"}}, "4 items of 'b'"),
        ({"benchmark": ["a", "b", None]}, "no label at position 2"),
        ({"labels": ["a"]}, "two classes at least"),
        ({"level": 95}, "`level` is 95"),
        ({"against": 3}, "between -1 and 1"),
        ({"alternative": "up"}, "`alternative` is 'up'"),
        ({"stop": "informedness.low > 2"}, "can never be met"),
        ({"measure": "recall"}, "positive class"),
        ({"expect": "much"}, "`expect` is 'much'; a number is needed"),
        ({"benchmark": "labels.csv"}, "labels of all its items"),
        ({"measure": "markedness", "expect": 0.2}, "has no bet to plan"),
        ({"measure": "markedness", "benchmark": {"a": 3, "b": 4}}, "not for markedness"),
    ],
)
def test_settings_that_cannot_be_meant(how: dict[str, Any], said: str) -> None:
    with pytest.raises(InformedError, match=said):
        watch(**how)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"item": ["q1"]}, "`item` has 1 name for 2 items"),
        ({"item": "ab"}, "`item` is 'ab'; the name of each item"),
        ({"index": [0, "first"]}, "has the place first"),
        ({"index": [math.nan, 0]}, "has the place nan"),
        ({"index": [0, math.inf]}, "has the place inf"),
    ],
)
def test_names_and_places_are_of_every_item(how: dict[str, Any], said: str) -> None:
    w = watch()
    with pytest.raises(InformedError, match=said):
        w.update(real=["a", "b"], predicted=["a", "b"], **how)
    assert w.n == w.held == 0


def test_who_bets_on_less_is_not_refuted_by_winning() -> None:
    from informed.inference.stop_rules import parse

    cases = two_classes(1, 200, 0.5, 0.75, 0.25)  # informedness of about .4
    real, said = [x for x, _, _ in cases], [x for _, x, _ in cases]
    below, above = (watch(bar, alternative="less") for bar in (0.9, 0.05))
    for w in (below, above):
        w.update(real=real, predicted=said)
    assert (below.verdict, above.verdict) == ("fail", "pass")
    rule = parse("wealth >= 1e300 or p < 1e-300")
    assert not rule.opposed(below)
    assert rule.opposed(above)


def test_settings_may_not_change_on_resume() -> None:
    text = fed(watch(), GOLDEN["G1"][1][:10]).to_json()
    assert Watch.from_json(text, like=watch(stop="n >= 5")).n == 10
    with pytest.raises(InformedError, match=r"begun with against=0\.0, and against=0\.2"):
        Watch.from_json(text, like=watch(against=0.2))
    with pytest.raises(InformedError, match="not a watch"):
        Watch.from_json("{}")
    with pytest.raises(InformedError, match="not a watch that `to_json` wrote: it was changed since"):
        Watch.from_json(text.replace('"n": 10', '"n": 11'))


def test_a_benchmark_has_no_more_items_than_it_was_said_to_have() -> None:
    w = watch(benchmark=["a", "b", "b"])
    w.update(real=["a", "b"], predicted=["a", "b"])
    with pytest.raises(InformedError, match="1 item of 'a', and this is one more"):
        w.update(real="a", predicted="a")
    w.update(real="b", predicted="a")
    assert (w.interval.low, w.interval.high) == (0.5, 0.5)


def test_prevalences_that_the_stream_contradicts_are_told() -> None:
    w = watch(labels=["a", "b"], prevalence=[0.5, 0.5])
    w.update(real=["a"] * 30 + ["b"] * 5, predicted=["a"] * 35)
    (note,) = [note for note in w.notes if note.code == "prevalence"]
    assert note.severity == "warning"
    assert "14 % of the items are 'b', and 50 % was declared" in note.text


# ---------------------------------------------------------------------- what it says


def test_a_rule_is_met_at_a_look_inside_a_batch() -> None:
    w = fed(watch(stop="wealth >= 20"), GOLDEN["G1"][1])
    n = w.path["n"][next(i for i, x in enumerate(w.path["wealth"]) if x >= 20)]
    assert w.decided()
    assert w.stopped == (n, "wealth >= 20")
    assert w.decided("informedness.low > 0.1")
    assert not w.decided("informedness.low > 0.5")


def test_verdicts_and_words() -> None:
    w = fed(watch(), GOLDEN["G1"][1])
    assert w.verdict == "pass"
    assert "Had the system only guessed" in w.sentence
    assert repr(w) == w.sentence
    poor = fed(watch(), GOLDEN["G3"][1])
    assert poor.verdict == "undecided"
    assert "no sign of knowledge so far" in poor.sentence
    assert fed(watch(against=0.8), GOLDEN["G1"][1]).verdict == "fail"
    hopeless = fed(watch(expect=0.6), GOLDEN["G3"][1])
    assert hopeless.futile
    assert w.result().to_dict()["verdict"] == "pass"
    assert len(w.to_frame()) == len(w.path)
    assert informed.watch().sentence.startswith("Nothing was counted yet")


# ---------------------------------------------------------------------- other designs


def several_classes(n: int, k: int, right: float, seed: int, shares: Any = None) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    real = rng.choice(k, n, p=shares)
    return real, np.where(rng.random(n) < right, real, (real + rng.integers(1, k, n)) % k)


def test_arms_by_class_estimate_informedness_at_the_declared_prevalences() -> None:
    shares = [0.4, 0.3, 0.2, 0.1]
    real, said = several_classes(600, 4, 0.6, 1, [0.25] * 4)
    w = watch(labels=range(4), prevalence=shares)
    w.update(real=real, predicted=said)
    table = informed.Table.from_labels(real=real, predicted=said).at_prevalence(shares)
    assert w.interval.estimate == pytest.approx(float(informed.informedness(table)), abs=1e-12)
    assert w.interval.low > 0
    assert w.verdict == "pass"
    assert "prevalence" in {note.code for note in w.notes}


def test_one_arm_of_a_benchmark_closes_on_its_informedness() -> None:
    real, said = several_classes(120, 3, 0.7, 2, [0.5, 0.3, 0.2])
    w = watch(labels=range(3), benchmark=real)
    w.update(real=real[:60], predicted=said[:60])
    assert w.interval.width > 0.05
    w.update(real=real[60:], predicted=said[60:])
    truth = float(informed.informedness(informed.Table.from_labels(real=real, predicted=said)))
    assert w.current.low <= truth + 1e-9
    assert (w.current.low, w.current.high) == pytest.approx((truth, truth), abs=1e-9)


def test_a_benchmark_with_unanswered_items_closes_on_their_value() -> None:
    rng = np.random.default_rng(6)
    real = rng.integers(0, 2, 80)
    said: list[Any] = np.where(rng.random(80) < 0.8, real, 1 - real).tolist()
    for i in range(30, 80, 9):
        said[i] = None
    w = watch(labels=[0, 1], benchmark=real)
    for i in range(0, 80, 20):
        w.update(real=real[i : i + 20], predicted=said[i : i + 20])
    truth = float(informed.informedness_of_all(w.table))
    assert (w.current.low, w.current.high) == pytest.approx((truth, truth), abs=1e-9)
    assert 0 <= w.interval.width < 1e-9
    assert "contradiction" not in {note.code for note in w.notes}
    once = watch(labels=[0, 1], benchmark=real)
    once.update(real=real, predicted=said)
    assert once.path["low"] == pytest.approx(w.path["low"], abs=1e-12)


@pytest.mark.parametrize("measure", ["accuracy", "balanced_accuracy", "recall", "specificity"])
def test_shares_of_right_answers_are_watched_exactly(measure: str) -> None:
    real, said = several_classes(300, 2, 0.75, 3)
    w = watch(against=0.5, labels=[0, 1], measure=measure)
    w.update(real=real, predicted=said)
    table = informed.Table.from_labels(real=real, predicted=said, positive=1)
    assert w.interval.estimate == pytest.approx(float(informed.find(measure)(table)), abs=1e-12)
    assert w.interval.low < w.interval.estimate < w.interval.high
    assert w.verdict == "pass"
    assert w.interval.method == "betting"


def test_balanced_accuracy_is_informedness_on_another_scale() -> None:
    cases = GOLDEN["G1"][1]
    b, a = fed(watch(), cases), fed(watch(against=0.5, labels=[0, 1], measure="balanced_accuracy"), cases)
    assert a.current.low == pytest.approx((b.current.low + 1) / 2, abs=1e-9)
    assert a.wealth == pytest.approx(b.wealth, rel=1e-8)


def test_less_is_greater_of_the_mirror() -> None:
    cases = GOLDEN["G1"][1]
    turned = [(real, 1 - said, None) for real, said, _ in cases]
    up, down = fed(watch(alternative="greater"), cases), fed(watch(alternative="less"), turned)
    assert down.wealth == pytest.approx(up.wealth, rel=1e-9)
    assert down.interval.high == pytest.approx(-up.interval.low, abs=1e-9)
    assert (up.verdict, down.verdict) == ("pass", "fail")


def test_two_sided_evidence_has_half_on_each_side() -> None:
    w = fed(watch(), GOLDEN["G1"][1])
    both = [(a + b) / 2 for a, b in zip(w.path["wealth"], w.path["below"], strict=True)]
    assert w.pvalue_two_sided == pytest.approx(1 / max(both), rel=1e-9)


def test_approximate_limits_are_shown_when_there_are_enough_cases() -> None:
    from informed.inference.asymptotic_sequence import reach

    real, said = several_classes(2000, 3, 0.7, 4)
    w = watch(labels=range(3), measure="markedness")
    w.update(real=real[:120], predicted=said[:120])
    assert math.isnan(w.interval.low)
    assert "too-few" in {note.code for note in w.notes}
    w.update(real=real[120:], predicted=said[120:])
    table = informed.Table.from_labels(real=real, predicted=said)
    wald = informed.interval(table, "markedness", method="wald")
    se = float(wald.high - wald.estimate) / 1.959964
    assert w.interval.estimate == pytest.approx(float(wald.estimate), abs=1e-12)
    half = float(reach(np.array(se**2 * 2000), np.array(2000.0), 0.05))
    assert (w.current.high - w.current.low) / 2 == pytest.approx(half, rel=0.02)
    assert math.isnan(w.wealth)
    assert "approximate" in {note.code for note in w.notes}


def test_no_answer_is_the_same_bet_with_and_without_declared_prevalences() -> None:
    rng = np.random.default_rng(0)
    real = rng.integers(0, 3, 1500).tolist()
    said = [None if rng.random() < 0.3 else x if rng.random() < 0.7 else (x + 1) % 3 for x in real]
    w = watch(labels=[0, 1, 2])
    w.update(real=real, predicted=said)
    assert w.interval.method == "asymptotic sequence"
    assert w.interval.estimate == pytest.approx(informed.informedness_of_all(w.table))
    declared = watch(labels=[0, 1, 2], prevalence=np.asarray(w.table.real_totals + w.table.abstained) / 1500)
    declared.update(real=real, predicted=said)
    assert declared.interval.estimate == pytest.approx(w.interval.estimate)

    def told(measure: str) -> list[str]:
        one = watch(labels=[0, 1, 2], measure=measure)
        one.update(real=real, predicted=said)
        return [str(x) for x in one.notes if x.code == "no-answer"]

    silent = said.count(None)
    assert told("informedness") == [f"{silent} missing answers are no bets, which neither win nor lose."]
    assert told("accuracy") == [f"{silent} missing answers count as not right."]
    assert told("markedness") == [f"{silent} missing answers take no part."]


def test_an_approximate_sequence_has_no_money_at_any_look() -> None:
    w = watch(measure="accuracy_of_all", labels=["a", "b"], against=0.2)
    approximate = watch(measure="markedness", labels=["a", "b"])
    for one in (w, approximate):
        one.update(real=["a", "b"] * 40, predicted=["a", "b", "b", "b"] * 20)
    held = approximate.path
    assert all(math.isnan(x) for name in ("wealth", "best", "log_wealth", "log_best", "below") for x in held[name])
    assert math.isnan(approximate.best)
    assert w.path["best"][-1] == w.best > 1


def test_the_approximate_difference_of_two_systems_knows_that_items_are_the_same() -> None:
    rng = np.random.default_rng(5)
    real = rng.integers(0, 2, 1500)
    a = np.where(rng.random(1500) < 0.8, real, 1 - real)
    b = np.where(rng.random(1500) < 0.1, 1 - a, a)
    w = watch(labels=[0, 1], measure="matthews", paired=True)
    w.update(real=real, predicted=a, other=b)
    alone = watch(labels=[0, 1], measure="matthews")
    alone.update(real=real, predicted=a)
    own = informed.compare.paired(real=real, a=a, b=b)
    assert w.interval.estimate == pytest.approx(float(own["matthews"].estimate), abs=1e-9)
    assert w.interval.width < alone.interval.width


def test_many_systems() -> None:
    from informed import e_bh, e_holm

    assert e_bh([100, 50, 30, 1]) == (0, 1, 2)
    assert e_holm([100, 50, 30, 1]) == (0,)
    assert e_bh([]) == e_holm([]) == ()
    assert e_bh([math.inf, 1]) == (0,)
    watches = [fed(watch(), GOLDEN[name][1]) for name in ("G1", "G3")]
    assert e_bh(watches) == e_holm(watches) == (0,)
    with pytest.raises(InformedError, match="no bettor"):
        e_bh([watch(labels=range(3), measure="markedness")])


def test_an_item_that_waits_is_refused_when_it_comes_not_when_it_counts() -> None:
    w = watch(labels=["a", "b"])
    w.update(real="a", predicted="a", index=2)
    with pytest.raises(InformedError, match="none of the labels"):
        w.update(real="a", predicted="?", index=1)
    w.update(real=["b", "b"], predicted=["b", None], index=[0, 1])
    assert (w.n, w.held) == (3, 0)


def test_evidence_against_declared_prevalences_is_that_of_a_bettor() -> None:
    """One case after the other: each is bet on at the share that those before it had, and half a case of each."""
    from informed.inference.watch_words import log_evidence

    rng = np.random.default_rng(7)
    shares, seen, log = np.array([0.2, 0.3, 0.5]), np.zeros(3), 0.0
    for label in rng.integers(0, 3, 60).tolist():
        log += math.log((seen[label] + 0.5) / (seen.sum() + 1.5) / shares[label])
        seen[label] += 1
    assert log_evidence(seen, shares) == pytest.approx(log, abs=1e-9)


def test_the_study_found_what_is_promised() -> None:
    """No more alarms than allowed, by two standard errors of its own runs, in any design."""
    held = json.loads((Path(__file__).parents[1] / "docs/data/watch_coverage.json").read_text("utf-8"))
    runs = held["alarms"]["runs"]
    for row in held["alarms"]["rows"]:
        for name, alpha in (("wealth 20", 0.05), ("wealth 100", 0.01), ("wealth 1000", 0.001), ("limits miss", 0.05)):
            n = 200 if "200 runs" in row["declared"] else runs
            assert row[name] <= alpha + 2 * math.sqrt(alpha * (1 - alpha) / n), row
