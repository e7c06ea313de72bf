"""Asking each item twice, with the same answer, changes nothing that any verb says.

Here gates, leaderboards and what a report says of size; one table in test_worth.py, the other verbs in
test_compare_units.py, test_roc_units.py, test_judge.py, test_folds.py and test_raters.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import informed
from informed import Paired, Table
from informed.evidence.paired import paired
from informed.summary.gates import check

N = 240
rng = np.random.default_rng(5)
ITEM = np.arange(N)
REAL = rng.integers(0, 2, N)


def answers(right: float) -> NDArray[Any]:
    return np.where(rng.random(N) < right, REAL, 1 - REAL)


SYSTEMS = np.stack([answers(0.8), answers(0.7), answers(0.68)], axis=1)
NAMES = ["a", "b", "c"]


def table(times: int, system: int = 0, word: str = "item") -> Table:
    told: dict[str, Any] = {word: np.repeat(ITEM, times)} if times > 1 else {}
    real, said = np.repeat(REAL, times), np.repeat(SYSTEMS[:, system], times)
    return Table.from_labels(real=real, predicted=said, positive=1, **told)


def together(times: int) -> Paired:
    """The three systems on the same items."""
    codes = np.repeat(SYSTEMS, times, axis=0)
    return paired(np.repeat(REAL, times), codes, names=NAMES, item=np.repeat(ITEM, times))


def alike(found: Any, wanted: Any) -> None:
    """The same estimates, and widths within 6 %; twice as many independent items would take 29 % off."""
    np.testing.assert_allclose(found.estimate, wanted.estimate, atol=1e-3)
    one, two = (np.asarray(x.high) - np.asarray(x.low) for x in (wanted, found))
    np.testing.assert_allclose(two, one, rtol=0.06)


@pytest.mark.parametrize("word", ["item", "unit"])
def test_gates(word: str) -> None:
    """A bar between the limits of the items and those of twice as many is passed by neither."""
    once, twice = table(1), table(2, word=word)
    doubled = Table.from_counts(2 * once.counts, labels=once.labels)
    low, narrow = (float(informed.interval(t, "informedness").low) for t in (once, doubled))
    bar = f"informedness.low={(low + narrow) / 2}"
    for t in (once, twice):
        (gate,) = check(t, [bar])
        assert not gate.passed
    (gate,) = check(doubled, [bar])
    assert gate.passed


def test_leaderboard() -> None:
    a, b = (informed.leaderboard(predictions=together(k)) for k in (1, 2))
    assert b.names == a.names
    alike(b, a)


@pytest.mark.parametrize("word", ["item", "unit"])
def test_power_and_size_in_a_report(word: str) -> None:
    once, twice = (informed.report(t).size for t in (table(1), table(2, word=word)))
    assert once is not None
    assert twice is not None
    assert twice.n == pytest.approx(once.n, rel=0.02)
    assert twice.half_width == pytest.approx(once.half_width, rel=0.03)
    assert dict(twice.needed) == pytest.approx(dict(once.needed), rel=0.02)
    np.testing.assert_allclose(twice.power, once.power, atol=0.02)
    assert twice.detectable == pytest.approx(once.detectable, rel=0.03)
