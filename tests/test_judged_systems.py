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
    assert "favours 'a'" in d.favour_sentence()


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
