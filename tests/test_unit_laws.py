"""Laws of units (clusters) that hold for every kind of evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import informed
from informed import Marks, Table, Tags, compare, interval

N = 90
RNG = np.random.default_rng(11)
REAL = (RNG.random(N) < 0.4).astype(int)
A, B = (np.where(RNG.random(N) < q, REAL, 1 - REAL) for q in (0.85, 0.75))
P = np.clip(0.15 + 0.6 * REAL + 0.15 * RNG.standard_normal(N), 0.02, 0.98)
SCORE = np.round(np.clip(0.3 + 0.5 * REAL + 0.2 * RNG.standard_normal(N), 0, 1), 2)
GOLD = [int(x) if k else None for x, k in zip(REAL, RNG.random(N) < 0.5, strict=True)]
THREE = RNG.integers(0, 3, N)
SAID = np.where(RNG.random(N) < 0.7, THREE, RNG.integers(0, 3, N))
TAGS = (RNG.random((N, 3)) < 0.4).astype(int)
TAGGED, OTHER = (np.where(RNG.random((N, 3)) < q, TAGS, 1 - TAGS) for q in (0.8, 0.7))


def of_judged(**told: Any) -> Any:
    verdict = {"a": A.tolist(), "b": B.tolist()}
    other = [None if x is None else 1 - x if i % 7 == 0 else x for i, x in enumerate(GOLD)]
    return compare.judged(verdict=verdict, gold={"a": GOLD, "b": other}, positive=1, **told)


def verified(said: Any, **told: Any) -> Any:
    return informed.verified(predicted=said, gold=GOLD, positive=1, **told)


def tagged(said: Any, **told: Any) -> Tags:
    return Tags.from_labels(real=TAGS, predicted=said, **told)


KINDS: dict[str, Callable[..., Any]] = {
    "table": lambda **told: interval(Table.from_labels(real=REAL, predicted=A, **told), "informedness"),
    "three classes": lambda **told: interval(Table.from_labels(real=THREE, predicted=SAID, **told), "matthews"),
    "test": lambda **told: informed.test(Table.from_labels(real=REAL, predicted=A, **told), "informedness"),
    "report": lambda **told: informed.report(Table.from_labels(real=THREE, predicted=SAID, **told)),
    "several raters": lambda **told: informed.agreement({"a": THREE, "b": SAID, "c": np.roll(SAID, 1)}, **told),
    "tags": lambda **told: interval(tagged(TAGGED, **told), "informedness"),
    "each tag": lambda **told: interval(tagged(TAGGED, **told), "informedness", average=None),
    "test of tags": lambda **told: informed.test(tagged(TAGGED, **told), "informedness"),
    "report of tags": lambda **told: informed.report(tagged(TAGGED, **told)),
    "tags of two systems": lambda **told: compare.paired(tagged({"a": TAGGED, "b": OTHER}, **told)),
    "same items": lambda **told: compare.paired(real=REAL, a=A, b=B, **told)["informedness"],
    "scores": lambda **told: interval(Marks.from_columns(mark=SCORE, **told)),
    "probabilities": lambda **told: informed.probabilities(real=REAL, probability=P, positive=1, n_draws=200, **told),
    "ranking scores": lambda **told: informed.roc(real=REAL, score=P, positive=1, **told).interval(),
    "verified in part": lambda **told: informed.verified(predicted=A, gold=GOLD, positive=1, **told),
    "two systems verified in part": lambda **told: verified(A, **told).minus(verified(B, **told)),
    "judge": lambda **told: informed.judge(verdict=A, gold=GOLD, positive=1, **told),
    "judge of a batch": lambda **told: informed.judge(verdict=A, gold=GOLD, positive=1, target="batch", **told),
    "judged systems": of_judged,
}


def numbers(x: Any) -> Iterator[tuple[str, float]]:
    """Estimates, limits and p-values of a result, by where they stand."""
    held = x.to_dict() if hasattr(x, "to_dict") else x

    def below(value: Any, at: str) -> Iterator[tuple[str, float]]:
        if isinstance(value, dict):
            for name, one in value.items():
                yield from below(one, f"{at}.{name}")
        elif isinstance(value, list):
            for i, one in enumerate(value):
                yield from below(one, f"{at}.{i}")
        elif isinstance(value, float) and at.rpartition(".")[2] in {"estimate", "value", "low", "high", "pvalue"}:
            yield at, value

    return below(held, "")


@pytest.mark.parametrize("kind", KINDS)
def test_units_of_one_row_each_change_nothing(kind: str) -> None:
    """Each row a cluster of its own is the same as no clusters, to the last digit that matters."""
    alone, told = (dict(numbers(KINDS[kind](**more))) for more in ({}, {"unit": np.arange(N)}))
    assert alone
    assert alone.keys() == told.keys()
    for name, value in alone.items():
        assert told[name] == pytest.approx(value, rel=1e-9, abs=1e-12, nan_ok=True), name
    even = dict(numbers(KINDS[kind](unit=np.arange(N) // 3)))
    assert any(even[name] != value for name, value in alone.items() if name.endswith((".low", ".pvalue")))


LEVELS = (0.2, 0.5, 0.8, 0.9, 0.95, 0.975, 0.99, 0.999)


@pytest.mark.parametrize("measure", ["informedness", "markedness", "matthews", "accuracy"])
def test_limits_of_few_units_are_wider_at_higher_levels(measure: str) -> None:
    """So are those of one to six units and up to four classes; only one unit, or none with spread, has no limits."""
    rng = np.random.default_rng(7)
    first: dict[str, Any] = {"real": list("acbccb"), "predicted": list("acacab"), "unit": [1, 0, 1, 1, 1, 0]}
    drawn: list[dict[str, Any]] = []
    for _ in range(25):
        n, k, units = rng.integers(4, 30), rng.integers(2, 5), rng.integers(2, 7)
        real = rng.integers(0, k, n)
        said = np.where(rng.random(n) < rng.choice([0.3, 0.6, 0.9]), real, rng.integers(0, k, n))
        drawn.append({"real": real, "predicted": said, "unit": rng.integers(0, units, n), "labels": list(range(k))})
    for columns in (first, *drawn):
        t = Table.from_labels(**columns)
        ends = np.array([[x.low, x.high] for x in (interval(t, measure, level=level) for level in LEVELS)])
        if np.isnan(ends).any():
            continue
        assert (np.diff(ends[:, 0]) <= 1e-9).all(), (columns, ends)
        assert (np.diff(ends[:, 1]) >= -1e-9).all(), (columns, ends)


@pytest.mark.parametrize("null", [0.0, -0.9, 0.5])
def test_pvalue_of_few_units_agrees_with_the_intervals(null: float) -> None:
    t = Table.from_labels(real=list("acbccb"), predicted=list("acacab"), unit=[1, 0, 1, 1, 1, 0])
    p = float(informed.test(t, "informedness", against=null, method="arc").pvalue)
    for level in LEVELS:
        inside = null in interval(t, "informedness", level=level)
        assert inside == (p >= 1 - level) or abs(p - (1 - level)) < 1e-6
