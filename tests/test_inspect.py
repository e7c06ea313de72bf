"""The plug-in for Inspect without Inspect: order, epochs, failures, and what a score stands for."""

from __future__ import annotations

import asyncio
import random
import sys
from types import SimpleNamespace
from typing import Any

import pytest

import informed
from informed.errors import InferenceError, MissingExtra
from informed.evidence.table import Table
from informed.inference.intervals import interval
from informed.inspect import PREDICTED, REAL, Stopping, answer_of, measured, table_of


class Bettor:
    """Keeps what it is told; the rule is a number of items."""

    wealth = float("inf")
    verdict = "pass"

    def __init__(self) -> None:
        self.seen: list[tuple[str, Any]] = []

    def update(self, *, real: Any, predicted: Any) -> None:
        self.seen += zip(real, predicted, strict=True)

    def decided(self, stop: str) -> bool:
        return len(self.seen) >= int(stop)


def said(answer: str | None, value: Any = "I", **metadata: Any) -> Any:
    return SimpleNamespace(value=value, answer=answer, metadata=metadata)


def run(
    stopping: Stopping, targets: str, told: list[tuple[int, int, str]], epochs: int = 1
) -> tuple[list[Any], dict[str, Any]]:
    """Results in the order in which they come; what was counted after each, and the summary."""

    async def all_of_it() -> tuple[list[Any], dict[str, Any]]:
        samples = [SimpleNamespace(id=i, target=x) for i, x in enumerate(targets)]
        assert await stopping.start_task(None, samples, epochs) == "informed"
        counted = []
        for id, epoch, answer in told:
            await stopping.complete_sample(id, epoch, {"one": SimpleNamespace(score=said(answer))})
            counted.append(len(stopping.watch.seen))  # type: ignore[attr-defined]
        return counted, await stopping.complete_task()

    return asyncio.run(all_of_it())


def test_results_are_held_back_until_those_before_are_in() -> None:
    stopping = Stopping(Bettor, "99")
    counted, summary = run(stopping, "ABAB", [(2, 1, "B"), (1, 1, "A"), (0, 1, "B"), (3, 1, "A")])
    assert counted == [0, 0, 3, 4]
    assert stopping.watch.seen == [("A", "B"), ("B", "A"), ("A", "B"), ("B", "A")]  # type: ignore[attr-defined]
    assert summary == {"rule": "99", "met": False, "items": 4, "wealth": "inf", "verdict": "pass"}


def test_what_comes_after_the_stop_is_no_bet(monkeypatch: pytest.MonkeyPatch) -> None:
    stopping = Stopping(Bettor, "2")
    counted, summary = run(stopping, "ABAB", [(0, 1, "B"), (2, 1, "B"), (1, 1, "A"), (3, 1, "A")])
    assert counted == [1, 1, 2, 2]
    assert summary["met"]
    assert summary["items"] == 2
    monkeypatch.setitem(sys.modules, "inspect_ai.util", SimpleNamespace(EarlyStop=SimpleNamespace))
    order = asyncio.run(stopping.schedule_sample(3, 1))
    assert (order.id, order.epoch, order.reason) == (3, 1, "2: met after 2 items")


def by_watch(stop: str, *, epochs: int = 1, seed: int = 7) -> tuple[list[tuple[str, str]], dict[str, Any]]:
    """A bettor of `informed.watch` in a task whose results come back in disorder, and the cases as scheduled."""
    rng = random.Random(seed)
    cases = [(x, x if rng.random() < 0.85 else "BA"["AB".index(x)]) for x in rng.choices("AB", k=120)]
    stopping = Stopping(lambda: informed.watch(labels=["A", "B"]), stop)
    places = [(i, epoch) for epoch in range(1, epochs + 1) for i in range(120)]
    order = sorted(places, key=lambda x: (x[1], x[0] + rng.random() * 15))

    async def all_of_it() -> dict[str, Any]:
        await stopping.start_task(None, [SimpleNamespace(id=i, target=x) for i, (x, _) in enumerate(cases)], epochs)
        for i, epoch in order:
            real, answer = cases[i]
            score = said(answer, "C" if answer == real else "I")
            await stopping.complete_sample(i, epoch, {"one": SimpleNamespace(score=score)})
        return await stopping.complete_task()

    return cases, asyncio.run(all_of_it())


@pytest.mark.parametrize("epochs", [1, 3])
def test_the_bettor_of_this_package_bets_in_scheduled_order(epochs: int) -> None:
    cases, summary = by_watch("informedness.low > 0.2", epochs=epochs)
    w = informed.watch(labels=["A", "B"])
    for real, predicted in cases:
        w.update(real=real, predicted=predicted)
        if w.decided("informedness.low > 0.2"):
            break
    assert summary["met"]
    assert summary["items"] == w.n < 120
    assert summary["low"] == pytest.approx(w.interval.low)
    assert summary["sentence"] == w.sentence
    assert summary["verdict"] == "pass"


def test_a_rule_that_can_never_be_met_is_told_before_the_run() -> None:
    with pytest.raises(InferenceError, match="can never be met"):
        Stopping(lambda: informed.watch(labels=["A", "B"]), "informedness.low > 1")
    with pytest.raises(InferenceError, match="is no rule"):
        Stopping(informed.watch, "enough")
    with pytest.raises(InferenceError, match="watches answers, and no scores"):
        Stopping(lambda: informed.watch(measure="score"), "score.low > 0.5")


def test_what_is_none_of_the_declared_labels_is_no_answer() -> None:
    stopping = Stopping(lambda: informed.watch(labels=["A", "B"]), "n >= 9")

    async def all_of_it() -> None:
        await stopping.start_task(None, [SimpleNamespace(id=i, target=x) for i, x in enumerate("AB")], 1)
        for i, answer in enumerate(("C", "B")):
            await stopping.complete_sample(i, 1, {"one": SimpleNamespace(score=said(answer, "I" if i == 0 else "C"))})

    asyncio.run(all_of_it())
    assert stopping.watch.n == 2  # type: ignore[attr-defined]
    assert stopping.watch.table.abstained.sum() == 1  # type: ignore[attr-defined]


def test_epochs_are_one_item_and_come_together() -> None:
    stopping = Stopping(Bettor, "99")
    told = [(0, 1, "B"), (1, 1, "A"), (1, 2, ""), (0, 2, "B")]
    assert run(stopping, "AB", told, epochs=2)[0] == [0, 0, 0, 2]
    assert stopping.watch.seen == [("A", ["B", "B"]), ("B", ["A", None])]  # type: ignore[attr-defined]


def test_a_failure_holds_back_and_is_no_answer_at_the_end() -> None:
    stopping = Stopping(Bettor, "99")
    counted, summary = run(stopping, "ABAB", [(0, 1, "B"), (2, 1, "B")])
    assert counted == [1, 1]
    assert stopping.watch.seen == [("A", "B"), ("B", None), ("A", "B")]  # type: ignore[attr-defined]
    assert summary["items"] == 3  # the last was never asked


def test_each_task_has_a_new_bettor_and_two_at_once_are_refused() -> None:
    stopping = Stopping(Bettor, "1")
    run(stopping, "AB", [(0, 1, "B")])
    assert run(stopping, "AB", [(0, 1, "B")])[1]["items"] == 1
    asyncio.run(stopping.start_task(None, [], 1))
    with pytest.raises(InferenceError, match="give each task"):
        asyncio.run(stopping.start_task(None, [], 1))
    with pytest.raises(InferenceError, match="give a function"):
        Stopping(Bettor(), "1")  # type: ignore[arg-type]


def test_several_scorers_need_a_name() -> None:
    two = {name: SimpleNamespace(score=said("A")) for name in ("one", "two")}
    stopping = Stopping(Bettor, "9")
    asyncio.run(stopping.start_task(None, [SimpleNamespace(id=1, target=["A"])], 1))
    with pytest.raises(InferenceError, match="scorers one, two"):
        asyncio.run(stopping.complete_sample(1, 1, two))


@pytest.mark.parametrize(
    ("score", "answer"),
    [
        (said("It is a!", "C"), "A"),
        (said("It is a!", 1.0), "A"),
        (said("B"), "B"),
        (said(""), None),
        (said(None), None),
        (said("B", "N"), None),
        (said("Z"), None),
        (said("A"), None),
        (said("B", **{PREDICTED: None}), None),
    ],
)
def test_what_a_score_stands_for(score: Any, answer: str | None) -> None:
    assert answer_of(score, "A", ["A", "B"]) == answer


def test_metrics_are_those_of_the_table() -> None:
    real, predicted = list("AABBABAB") * 4, ["A", "B", "B", "A", "A", None, "A", "B"] * 4
    scores = [
        SimpleNamespace(score=said("", **{REAL: r, PREDICTED: p}), sample_id=i)
        for i, (r, p) in enumerate(zip(real, predicted, strict=True))
    ]
    t = Table.from_labels(real=real, predicted=predicted, missing="abstain")
    wanted = interval(t, "informedness_of_all")
    found = measured(scores, "informedness", 0.95)
    assert found == pytest.approx(
        {"informedness": wanted.estimate, "informedness_low": wanted.low, "informedness_high": wanted.high}
    )
    assert measured(scores, "markedness", 0.9)["markedness_low"] == pytest.approx(
        interval(t, "markedness", level=0.9).low
    )
    again = table_of([*scores, *scores])  # two epochs
    assert again.units is not None
    assert again.n == pytest.approx(t.n)
    assert str(measured(scores[:1], "informedness", 0.95)["informedness"]) == "nan"
    assert str(measured([], "informedness", 0.95)["informedness"]) == "nan"


def test_without_inspect_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import informed.inspect as plugin

    monkeypatch.setitem(sys.modules, "inspect_ai.scorer", None)
    monkeypatch.delitem(vars(plugin), "scored", raising=False)
    with pytest.raises(MissingExtra, match=r"pip install 'informed\[inspect\]'"):
        plugin.scored  # noqa: B018
    with pytest.raises(AttributeError):
        plugin.nothing  # noqa: B018
