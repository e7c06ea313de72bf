"""`metrics()` of every class of results: a flat mapping of finite numbers, few, under the names that reports use."""

from __future__ import annotations

import importlib
import json
import math
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import informed
from informed import Marks, Result, Table, Tags
from informed.decisions import bookmaker, costs, rejection
from informed.decisions.chosen import chosen
from informed.decisions.multiclass import compare_curves, multiclass
from informed.decisions.several import of_groups
from informed.decisions.threshold import threshold
from informed.evidence.paired import paired
from informed.summary.watched_systems import watched_systems
from informed.systems.trainings import over_seeds
from test_results import ALL as OTHERS

N = 120
MOST = 300  # numbers of a result that is no comparison of many systems
RNG = np.random.default_rng(5)
REAL = RNG.integers(0, 2, N)
SKILLS = {"good": 0.9, "fair": 0.75, "coin": 0.5}
ANSWERS = {name: np.where(RNG.random(N) < skill, REAL, 1 - REAL) for name, skill in SKILLS.items()}
SCORE = np.clip(np.round(RNG.beta(2, 2, N) * 0.6 + 0.4 * REAL, 3), 0.01, 0.99)
TABLE = Table.from_labels(real=REAL, predicted=ANSWERS["good"])
THREE = Table.from_counts(np.eye(3) * 9 + RNG.integers(1, 4, (3, 3)), labels=["a", "b", "c"])
CLASSES = np.array(["a", "b", "c"])[(REAL + np.arange(N)) % 3]
EACH = {name: 0.2 + 0.4 * (name == CLASSES) for name in "abc"}
CURVE, OTHER = informed.roc(real=REAL, score=SCORE), informed.roc(real=REAL, score=RNG.random(N))
SILENT = Table.from_counts([[30, 10], [10, 30]], abstained=[10, 10])
PAIR = paired(REAL, {name: ANSWERS[name] for name in ("good", "fair")}, items=range(N))
THRICE = paired(np.tile(REAL, 3), {"good": np.concatenate(list(ANSWERS.values()))}, item=np.tile(np.arange(N), 3))
SEEDS = replace(THRICE, kept={"seed": tuple(np.repeat([0, 1, 2], N).tolist())})
RATED = {"sharp": SCORE, "flat": np.full(N, REAL.mean())}
TAGS = Tags.from_labels(
    real=[["x"] if a else ["y"] for a in REAL], predicted=[["x", "y"] if b else ["y"] for b in ANSWERS["fair"]]
)
MARKS = Marks.from_columns(item=range(40), mark=(REAL[:40] == ANSWERS["fair"][:40]).astype(float).tolist())
WATCH = informed.watch(labels=[0, 1])
WATCH.update(real=REAL.tolist(), predicted=ANSWERS["good"].tolist())
FORECAST: Any = informed.probabilities(real=REAL, probability=SCORE, n_draws=50)

FOUND: dict[str, Any] = {
    **OTHERS,
    "table": TABLE,
    "watch": WATCH,
    "watched": WATCH.result(),
    "watched systems": watched_systems({"a": WATCH}),
    "gate": informed.Gate("recall.low", True, "it holds", seen=0.6, wanted=0.5, low=0.6, high=0.8),
    "curve": CURVE,
    "curve of one class": informed.roc(real=[1, 1], score=[0.1, 0.2]),
    "hull": CURVE.hull(),
    "mixture": CURVE.hull().at(fallout=0.1),
    "point": CURVE.best(),
    "band": CURVE.band(),
    "choice": threshold(CURVE, n_draws=50),
    "choice by cost": threshold(CURVE, cost="5:1", n_draws=50),
    "chosen": chosen(CURVE, cost="5:1", price=0.2),
    "several": of_groups({"a": CURVE, "b": OTHER}, chosen),
    "expected cost": costs.expected_cost(TABLE, "5:1"),
    "cost curve": costs.cost_curve(CURVE),
    "decision curve": costs.decision_curve(CURVE),
    "reject": rejection.chow(CURVE, abstain=0.2),
    "reject curve": rejection.reject_curve(CURVE),
    "dropped": rejection.drop_superstitious(THREE),
    "areas": multiclass(real=CLASSES, score=np.column_stack(list(EACH.values())), labels=["a", "b", "c"]),
    "area difference": compare_curves(CURVE, OTHER),
    "odds": informed.odds(TABLE),
    "payoffs": informed.payoffs(TABLE),
    "models": bookmaker.models(),
    "assignment": informed.assign(THREE),
    "recovered": informed.recover(n=50, accuracy=0.8, recall=0.75),
    "probabilities": FORECAST,
    "worth": FORECAST.at_cost("5:1"),
    "class probabilities": informed.probabilities(real=CLASSES, probability=EACH, n_draws=50),
    "forecasters": informed.probabilities.compare(real=REAL, probabilities=RATED, n_draws=50),
    "folds of scores": informed.folds({"new": [0.7, 0.8, 0.6], "old": [0.6, 0.6, 0.65]}, repeat=1),
    "folds of data sets": informed.folds(RNG.normal(size=(8, 3)), design="data-sets"),
    "folds of answers": informed.folds(PAIR, fold=np.arange(N) % 5),
    "trainings": over_seeds(SEEDS),
    "marks": informed.report(MARKS),
    "tags": informed.report(TAGS),
}
POINTS = {
    "alpha and beta",
    "band",
    "decision curve",
    "reject curve",
    "models",
}  # which are points and tables, and have no number of all


def numbered(name: str) -> str:
    """The name without the number at its end."""
    return re.sub(r"_\d+$", "", name)


@pytest.mark.parametrize("name", FOUND)
def test_metrics_are_a_few_finite_numbers_by_name(name: str) -> None:
    held = FOUND[name].metrics()
    assert json.loads(json.dumps(held, allow_nan=False)) == held
    assert len(held) <= MOST
    assert bool(held) != (name in POINTS)
    for key, x in held.items():
        assert re.fullmatch(r"[\w\- /]+", key), key  # what MLflow takes; W&B takes anything
        assert type(x) is float
        assert math.isfinite(x)
    rows = [key for key in held if numbered(key) != key and numbered(key) in held]
    assert not rows, "rows without a name"
    for key in held:  # a limit stands beside what it is a limit of
        of = key.removesuffix("_low")
        assert of == key or f"{of}_high" in held, key


def test_limits_are_of_what_they_are_called_after() -> None:
    """`informedness_low` of a choice was the lower limit of its threshold."""
    choice = FOUND["choice by cost"]
    held = choice.metrics()
    assert (held["threshold_low"], held["threshold"], held["threshold_high"]) == (
        choice.low, choice.threshold, choice.high,
    )  # fmt: skip
    assert "informedness_low" not in held
    assert held["informedness"] == choice["informedness"].corrected
    assert held["expected_cost_low"] < held["expected_cost"] < held["expected_cost_high"]


def test_a_curve_has_its_area_and_no_points() -> None:
    rng = np.random.default_rng(1)
    real = rng.integers(0, 2, 20_000)
    held = informed.roc(real=real, score=rng.normal(size=20_000) + real).metrics()
    assert set(held) == {"auc", "auc_low", "auc_high", "positives", "negatives"}
    assert held["auc_low"] < held["auc"] < held["auc_high"]
    assert set(FOUND["curve of one class"].metrics()) == {"positives", "negatives"}


def test_folds_have_their_difference() -> None:
    found = FOUND["folds of scores"]
    held = found.metrics()
    assert held["score_difference"] == found.pairs.estimate[0, 1] > 0
    assert held["score_difference_low"] == found.pairs.low[0, 1]
    assert held["score_difference_pvalue"] == found.pairs.pvalue[0, 1]
    assert {"new_mean", "old_mean"} <= set(held)
    assert "informedness_difference_low" in FOUND["folds of answers"].metrics()
    assert "friedman_pvalue" in FOUND["folds of data sets"].metrics()


def test_tables_watches_and_gates_have_metrics() -> None:
    assert TABLE.metrics() == informed.report(TABLE).metrics()
    assert WATCH.metrics()["informedness_low"] == WATCH.interval.low
    gate = informed.Gate("informedness.low", True, "it holds", seen=0.6, wanted=0.5)
    assert gate.metrics() == {
        "gate/informedness_low_passed": 1.0, "gate/informedness_low_seen": 0.6, "gate/informedness_low_wanted": 0.5,
    }  # fmt: skip


# Classes of results without an example here: what papers and simulations print, results that need files or judges, and
# bases of others.
ELSEWHERE = re.findall(
    r"\w+",
    "Errata Figure Results Tryout Plotted Ranged Steps Judged JudgedDifference JudgeError JudgedSystems MarksBoard "
    "MarksDifference StudentDifference Suite TagsBoard TagsDifference Verified VerifiedDifference Market Parts "
    "Reliability ForecastBoard SkillDifference ThresholdCost",
)


def test_every_class_of_results_has_an_example() -> None:
    for module in pkgutil.walk_packages(informed.__path__, "informed."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)

    def below(kind: type[Result]) -> Iterator[type[Result]]:
        for one in kind.__subclasses__():
            yield one
            yield from below(one)

    known = {kind.__name__ for kind in below(Result) if kind.__module__.startswith("informed.")}
    assert known - {type(x).__name__ for x in FOUND.values()} == set(ELSEWHERE)
