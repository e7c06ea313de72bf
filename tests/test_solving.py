"""A table from three measures: found, found twice, or refused with the reason."""

from __future__ import annotations

from itertools import combinations, cycle
from typing import Any

import numpy as np
import pytest

from informed.errors import InformedError, TableError
from informed.evidence.table import Table
from informed.measures import MEASURES, find
from informed.measures.solving import solve

COMMON = (
    "recall",
    "fallout",
    "precision",
    "inverse_precision",
    "prevalence",
    "bias",
    "accuracy",
    "informedness",
    "markedness",
    "matthews",
    "cohen_kappa",
    "f1",
)
# by algebra: B = recall − fallout, M = precision + npv − 1, C² = BM, 2/F = 1/recall + 1/precision
DEPENDENT = {
    frozenset({"recall", "fallout", "informedness"}),
    frozenset({"precision", "inverse_precision", "markedness"}),
    frozenset({"informedness", "markedness", "matthews"}),
    frozenset({"recall", "precision", "f1"}),
}


def test_rates_give_the_counts_that_anyone_can_check() -> None:
    t = solve(recall=0.8, fallout=0.3, prevalence=0.2, n=100)
    assert t.counts.tolist() == [[16, 24], [4, 56]]
    assert t.labels == ("+", "−")
    assert t.positive == "+"
    assert t.derived == "solved from recall=0.8, fallout=0.3, prevalence=0.2"


def test_any_name_of_a_measure_will_do() -> None:
    a = solve(tpr=0.8, fpr=0.3, base_rate=0.2, n=100)
    assert a == solve(recall=0.8, fallout=0.3, prevalence=0.2, n=100)


def test_a_measure_with_parameters_is_written_as_elsewhere() -> None:
    asked: dict[str, float] = {"f_beta(beta=2)": 0.6, "accuracy": 0.8, "prevalence": 0.2}
    t = solve(**asked)
    assert find("f_beta(beta=2)")(t) == pytest.approx(0.6, abs=1e-12)


@pytest.mark.parametrize(
    "asked",
    [
        {"informedness": 0.5, "markedness": 0.45, "bias": 0.3},
        {"f1": 0.6, "accuracy": 0.8, "prevalence": 0.2},
        {"kappa": 0.4, "bias": 0.3, "prevalence": 0.25},
        {"odds_ratio": 6, "prevalence": 0.3, "bias": 0.2},
        {"mutual_information": 0.1, "prevalence": 0.3, "bias": 0.3},
        {"lr": 4.5, "nlr": 0.2, "skew": 9},
    ],
)
def test_the_solution_has_the_measures_it_was_asked_for(asked: dict[str, float]) -> None:
    t = solve(**asked)
    for name, value in asked.items():
        assert np.asarray(find(name)(t)) == pytest.approx(value, abs=1e-11)


@pytest.mark.slow
def test_every_triple_of_a_dozen_measures_finds_the_table_or_is_dependent() -> None:
    """Of one of two tables, in turn."""
    given = [Table.from_counts(np.random.default_rng(i).dirichlet(np.ones(4)).reshape(2, 2)) for i in (1, 2)]
    refused: set[tuple[frozenset[str], bool]] = set()
    lost = []
    for triple, t in zip(combinations(COMMON, 3), cycle(given), strict=False):
        try:
            found = solve(**{name: MEASURES[name](t) for name in triple})
        except TableError as error:
            refused.add((frozenset(triple), "dependent" in str(error)))
        else:
            distance = np.abs(found.counts.reshape(-1, 4) - t.counts.ravel()).max(axis=1)
            if distance.min() > 1e-8:
                lost.append(triple)
    assert not lost
    assert refused == {(triple, True) for triple in DEPENDENT}


def test_two_solutions_are_both_given_with_names() -> None:
    t = solve(determination=0.1, prevalence=0.3, bias=0.4)
    away = np.sqrt(0.1 * 0.3 * 0.7 * 0.4 * 0.6)  # phi² = dtp² / (the product of the margins)
    assert t.names == ("solution 1", "solution 2")
    assert t.tp == pytest.approx([0.12 + away, 0.12 - away], abs=1e-12)
    assert t["solution 1"].derived is not None


def test_a_quadratic_in_the_cells_has_both_its_roots() -> None:
    t = solve(delta_tp=0.08, recall=0.6, accuracy=0.66, n=100)  # 0.16 = 0.92q − 1.2q(1 − q) …
    assert t.counts.tolist() == [[[48, 2], [32, 18]], [[30, 14], [20, 36]]]
    assert pytest.approx((30 * 36 - 14 * 20) / 100**2) == (48 * 18 - 2 * 32) / 100**2


def test_measures_that_cannot_tell_sides_apart_give_every_mirror_image() -> None:
    t = Table.from_counts([[30, 14], [6, 50]])  # 8 ways to mirror a table with four unequal cells
    names = ("mutual_information", "joint_entropy", "cramers_v")
    found = solve(n=100, **{name: MEASURES[name](t) for name in names})
    mirrored = [np.rot90(x, k) for x in (t.counts, t.counts.T) for k in range(4)]
    for image in mirrored:
        assert np.abs(found.counts - image).max(axis=(1, 2)).min() < 1e-6
    for name in names:
        assert MEASURES[name](found) == pytest.approx(MEASURES[name](t), abs=1e-9)


@pytest.mark.parametrize(
    ("asked", "counts"),
    [
        ({"recall": 1, "precision": 1, "prevalence": 0.3}, [[3, 0], [0, 7]]),
        ({"recall": 0, "fallout": 0, "prevalence": 0.3}, [[0, 0], [3, 7]]),
        ({"odds_ratio": np.inf, "prevalence": 0.3, "bias": 0.3}, [[3, 0], [0, 7]]),
        ({"g_mean": 0, "prevalence": 0.3, "bias": 0.3}, [[0, 3], [3, 4]]),
        ({"prevalence": 0, "bias": 0.3, "accuracy": 0.7}, [[0, 3], [0, 7]]),
    ],
)
def test_empty_cells_are_empty(asked: dict[str, float], counts: list[list[int]]) -> None:
    assert solve(n=10, **asked).counts.tolist() == counts


def test_rare_classes_are_found() -> None:
    t = solve(prevalence=1e-6, recall=0.9, precision=0.05, n=10**8)
    assert t.counts == pytest.approx(np.array([[90, 1710], [10, 99_998_190]]), rel=1e-9)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"recall": 0.8, "miss_rate": 0.2, "prevalence": 0.2}, "recall and miss_rate are dep"),
        ({"recall": 0.5, "precision": 0.5, "f1": 0.5}, "recall, precision and f1 are dep"),
        ({"coverage": 1, "recall": 0.5, "precision": 0.5}, "coverage says nothing"),
        ({"informedness": 0, "markedness": 0, "bias": 0.3}, "Many tables .* informedness and m"),
        ({"lambda_real": 0, "prevalence": 0.3, "bias": 0.3}, "Many tables have lambda_real=0"),
        (  # b(1−b) would have to be 0.5 · 0.3 · 0.7 / 0.4 = 0.2625 > 1/4
            {"informedness": 0.5, "markedness": 0.4, "prevalence": 0.3},
            "No two-class table has .*; the nearest found has informedness=0.49",
        ),
        ({"recall": 0.5, "tpr": 0.5, "bias": 0.3}, "two names of recall"),
        ({"recall": 0.5, "bias": 0.3}, r"three measures; 2 were given \(recall, bias\)"),
        ({}, r"0 were given \(none\)"),
        ({"recall": 1.2, "bias": 0.3, "f1": 0.2}, r"`recall` is 1.2; .* \[0, 1\]"),
        ({"recall": float("nan"), "bias": 0.3, "f1": 0.2}, "`recall` is nan"),
        ({"recall": "0.5", "bias": 0.3, "f1": 0.2}, "`recall` is '0.5'"),
        ({"ari": 0.5, "bias": 0.3, "f1": 0.2}, "adjusted_rand_index is only defined for whole"),
        ({"recal": 0.5, "bias": 0.3, "f1": 0.2}, "Did you mean"),
        ({"recall": 0.5, "bias": 0.3, "f1": 0.2, "n": 0}, "`n` is 0; it must be one positive"),
    ],
)
def test_what_determines_no_table_is_refused_in_a_sentence(asked: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InformedError, match=sentence):
        solve(**asked)
