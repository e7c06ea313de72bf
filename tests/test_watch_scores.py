"""Watched item scores: bets on bounded means, by their defining product, by simulation, and from logs."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command_line import run
from informed import InformedError, Watch, compare, interval, watch
from informed.inference.betting import SHARES
from informed.inference.watch_looks import GRID, on_grid
from informed.sources import logs

Draw = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]


def wealth(x: np.ndarray, price: float) -> float:
    """The mean over shares of Π (1 − c + c x / price): what a bettor on one arm has, by its definition."""
    return float(np.mean([np.prod(1 - c + c * x / price) for c in SHARES]))


def test_wealth_and_limits_are_those_of_the_product() -> None:
    x = np.random.default_rng(1).choice([0, 0.25, 0.5, 1.0, 0.9], 40)
    w = watch(measure="score", against=0.4)
    w.update(score=x)
    assert w.wealth == pytest.approx(wealth(x, 0.4))
    assert w.current.estimate == pytest.approx(x.mean())
    assert wealth(x, w.current.low) == pytest.approx(2 / 0.05, rel=1e-6)
    assert wealth(1 - x, 1 - w.current.high) == pytest.approx(2 / 0.05, rel=1e-6)


def test_a_paired_difference_is_a_bounded_mean_too() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.beta(4, 2, 60), rng.beta(3, 2, 60)
    w = watch(measure="score", paired=True)
    w.update(score=a, other=b)
    assert w.wealth == pytest.approx(wealth((a - b + 1) / 2, 0.5))
    assert w.current.estimate == pytest.approx((a - b).mean())
    assert -1 <= w.interval.low < (a - b).mean() < w.interval.high <= 1


LUMPY: dict[str, tuple[Draw, float]] = {
    "97 % 0.9, else 0": (lambda rng, n: np.where(rng.random(n) < 0.97, 0.9, 0.0), 0.873),
    "rubric": (lambda rng, n: rng.choice([0, 0.25, 0.5, 0.75, 1], n, p=[0.05, 0.1, 0.2, 0.4, 0.25]), 0.675),
    "Beta(0.3, 1.5)": (lambda rng, n: rng.beta(0.3, 1.5, n), 0.3 / 1.8),
    "differences, 90 % 0": (lambda rng, n: (rng.choice([0, 0.5, -0.5], n, p=[0.9, 0.05, 0.05]) + 1) / 2, 0.5),
}


@pytest.mark.parametrize("name", LUMPY)
def test_no_look_errs_more_often_than_promised(name: str) -> None:
    """3,000 streams of 300 items, looked at after every item, at the true mean, from both sides."""
    draw, true = LUMPY[name]
    rng, streams = np.random.default_rng(3), 3000
    most = np.zeros((2, streams))
    for part in np.array_split(np.arange(streams), 10):
        x = draw(rng, (len(part), 300))
        for side, (value, price) in enumerate(((x, true), (1 - x, 1 - true))):
            logs_ = np.cumsum(np.log(1 - SHARES + SHARES * value[..., None] / price), axis=1)
            most[side, part] = np.exp(logs_).mean(axis=-1).max(axis=1)
    for alpha in (0.05, 0.01, 0.001):
        slack = 3 * math.sqrt(alpha * (1 - alpha) / streams)
        assert (most >= 1 / alpha).mean(axis=1).max() <= alpha + slack
        assert (most.max(axis=0) >= 2 / alpha).mean() <= alpha + slack


def test_scores_between_the_steps_make_nobody_richer() -> None:
    x = np.random.default_rng(4).beta(4, 2, 2 * GRID)
    w = watch(measure="score", against=0.65)
    w.update(score=x)
    assert w.wealth <= wealth(x, 0.65) * (1 + 1e-9)
    assert w.wealth == pytest.approx(wealth(x, 0.65), rel=1e-3)
    held = on_grid(np.ones((1, len(x)), np.int64), x)
    assert held.h.shape[-1] == GRID + 1
    assert float(held.means()[0, 0]) == pytest.approx(x.mean())


def test_epochs_are_one_item_and_a_state_goes_on() -> None:
    w, again = watch(measure="score", against=0.5), watch(measure="score", against=0.5)
    w.update(score=[[0.5, 1.0], 0.25, 1])
    again.update(score=[0.75, 0.25])
    again.update(score=1.0)
    assert w.n == 3
    assert w.wealth == pytest.approx(again.wealth)
    back = Watch.from_json(w.to_json(), like=again)
    assert (back.n, back.wealth, back.interval.low) == (3, w.wealth, w.interval.low)
    other = watch(measure="score", against=0.5)
    other.update(score=[0.1])
    back.merge(other)
    assert back.n == 4
    assert back.current.estimate == pytest.approx((0.75 + 0.25 + 1 + 0.1) / 4)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: watch(measure="score").update(real="a", predicted="a"), "Scores are watched here"),
        (lambda: watch().update(score=[1]), "informedness is of labels"),
        (lambda: watch().update(), "`real` and `predicted` are missing"),
        (lambda: watch(measure="score").update(score=[0.5, 1.5]), "`score` holds 1.5 at position 1"),
        (lambda: watch(measure="score").update(score=[0.5, None]), "needs a score from 0 to 1"),
        (lambda: watch(measure="score", paired=True).update(score=[1], other=[0, 1]), "2 scores for 1 items"),
        (lambda: watch(measure="score", labels=["a", "b"]), "Item scores have no classes"),
        (lambda: watch(measure="score", stop="wealth >= 20"), "there is no threshold to be tested"),
        (lambda: watch(measure="score", stop="recall.low > 0.5"), "what is watched is score"),
    ],
)
def test_what_cannot_be_watched_is_said_in_a_sentence(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(InformedError, match=said):
        call()


# ---------------------------------------------------------------------- thresholds


@pytest.mark.parametrize("measure", ["accuracy", "recall", "score"])
def test_without_a_threshold_nothing_is_bet(measure: str) -> None:
    w = watch(measure=measure, labels=None if measure == "score" else ["yes", "no"])
    if measure == "score":
        w.update(score=[0.5] * 30)
    else:
        w.update(real=["yes", "no"] * 15, predicted=["yes", "yes"] * 15)
    assert w.verdict == "undecided"
    assert math.isnan(w.wealth)
    assert math.isnan(w.pvalue)
    assert w.sentence.startswith(f"After 30 items: {measure} ")
    assert "no-threshold" in {note.code for note in w.notes}
    assert "wealth" not in w.result().write("text")


def test_balanced_accuracy_has_the_chance_level_by_default() -> None:
    assert watch(measure="balanced_accuracy").against == 0.5
    assert watch(measure="balanced_accuracy", labels=list("abcd")).against == 0.25
    assert watch(measure="balanced_accuracy", paired=True).against == 0


# ---------------------------------------------------------------------- logs


def graded(path: Path, scores: Any, name: str = "GEval") -> Path:
    cases = [
        {
            "name": f"case_{i}",
            "input": f"q{i}",
            "actualOutput": "text",
            "success": bool(s >= 0.9),
            "metricsData": [{"name": name, "threshold": 0.9, "success": bool(s >= 0.9), "score": float(s)}],
        }
        for i, s in enumerate(scores)
    ]
    path.write_text(json.dumps({"testCases": cases}))
    return path


@pytest.fixture
def log(tmp_path: Path) -> Path:
    scores = np.random.default_rng(5).choice([0.4, 0.6, 0.8, 1.0], 120, p=[0.25, 0.4, 0.27, 0.08])
    return graded(tmp_path / "test_run_1.json", scores)


def found(*words: Any) -> dict[str, Any]:
    done = run(*map(str, words), "--format", "json")
    assert done.returncode in (0, 1, 3), done.stderr
    return dict(json.loads(done.stdout))


def test_partial_credit_of_a_log_is_watched_as_it_is_reported(log: Path) -> None:
    """Partial credit was counted as missing answers: a mean of 0.63 was watched as an accuracy of 0.08."""
    told = interval(logs.read_marks(str(log)))
    for measure in ("score", "accuracy"):
        held = found("watch", log, "--measure", measure, "--against", 0.5)
        assert held["estimate"] == pytest.approx(told.estimate)
        assert held["low"] < told.low < told.high < held["high"]
        assert held["verdict"] == "pass"
    assert found("watch", log, "--decide", "score=0.5")["verdict"] == "pass"
    assert found("watch", log, "--measure", "score", "--stop", "accuracy.low > 0.5")["stopped"] is not None
    seen = found("report", log, "--any-time")["any_time"]
    assert (seen["measure"], seen["estimate"]) == ("score", pytest.approx(told.estimate))
    assert run("report", str(log), "--any-time", "--decide", "score=0.5").returncode == 0
    assert run("watch", str(log), "--measure", "score", "--against", "0.9").returncode == 1


def test_two_graded_logs_are_watched_by_their_difference(log: Path, tmp_path: Path) -> None:
    better = logs.read_marks(str(log))
    other = graded(tmp_path / "test_run_2.json", np.clip(better.values - 0.2, 0, 1))
    told = compare(better, logs.read_marks(str(other)))
    held = found("watch", log, "--other", other, "--measure", "score")
    assert held["estimate"] == pytest.approx(told.estimate)
    assert 0 < held["low"] <= told.estimate <= held["high"]
    assert held["verdict"] == "pass"
    done = run("compare", str(log), str(other), "--any-time")
    assert (done.returncode, done.stderr) == (2, "error: --any-time is not for logs of which marks are compared.\n")


def test_a_threshold_is_asked_for_where_none_is_known(log: Path) -> None:
    done = run("watch", str(log), "--measure", "accuracy")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "Give one, as in --against 0.5" in done.stderr
    done = run("watch", "examples/run.jsonl", "--real", "diagnosis", "--predicted", "logistic", "--measure", "score")
    assert "Item scores are watched from an evaluation log" in done.stderr
