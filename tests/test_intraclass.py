"""Intraclass correlations: against printed values of R, defining equations, and what they promise in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import informed
from informed import InformedError, intraclass_correlation

# Shrout and Fleiss (1979), table 2: six targets by four judges
TARGETS = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])
# as psych::ICC prints them (lmer = FALSE): estimate, F, df1, df2, p, lower, upper
PSYCH = {
    "ICC(1,1)": ("0.17", "1.8", 5, 18, 0.16477, -0.133, "0.72"),
    "ICC(2,1)": ("0.29", "11.0", 5, 15, 0.00013, 0.019, "0.76"),
    "ICC(3,1)": ("0.71", "11.0", 5, 15, 0.00013, 0.342, "0.95"),
    "ICC(1,k)": ("0.44", "1.8", 5, 18, 0.16477, -0.884, "0.91"),
    "ICC(2,k)": ("0.62", "11.0", 5, 15, 0.00013, 0.071, "0.93"),
    "ICC(3,k)": ("0.91", "11.0", 5, 15, 0.00013, 0.676, "0.99"),
}
# irr::anxiety: 20 subjects by 3 raters, of which irr::icc prints ICC(A,1) = 0.198, F = 1.83, -0.039 < ICC < 0.494
ANXIETY = np.array(
    [
        [3, 3, 3, 4, 5, 5, 2, 3, 5, 2, 2, 6, 1, 5, 2, 2, 1, 2, 4, 3],
        [3, 6, 4, 6, 2, 4, 2, 4, 3, 3, 2, 3, 3, 3, 2, 2, 1, 3, 3, 4],
        [2, 1, 4, 4, 3, 2, 1, 6, 1, 1, 1, 2, 3, 3, 1, 1, 3, 3, 2, 2],
    ]
).T


def test_shrout_and_fleiss_as_psych_prints_them() -> None:
    found = intraclass_correlation(TARGETS)
    assert list(found.coefficients) == list(PSYCH)
    for name, (estimate, f, df1, df2, p, low, high) in PSYCH.items():
        c = found[name]
        assert (f"{c.estimate:.2f}", f"{c.f:.1f}", c.df1, c.df2) == (estimate, f, df1, df2)
        assert c.pvalue == pytest.approx(p, abs=5e-6)
        assert c.low == pytest.approx(low, abs=6e-4)
        assert f"{c.high:.2f}" == high
    squares = {"between": 11.24, "within": 6.26, "raters": 32.49, "error": 1.02}  # the paper's table 3
    assert {name: round(x, 2) for name, x in found.mean_squares.items()} == squares


def test_agreement_of_single_ratings_as_irr_prints_it() -> None:
    c = intraclass_correlation(ANXIETY)["ICC(A,1)"]  # by McGraw and Wong's name
    assert c.name == "ICC(2,1)"
    assert (round(c.estimate, 3), round(c.f, 2)) == (0.198, 1.83)
    assert (round(c.low, 3), round(c.high, 3)) == (-0.039, 0.494)


def test_two_raters_by_defining_equations() -> None:
    rng = np.random.default_rng(1)
    y = rng.normal(size=(30, 1)) + 0.5 * rng.normal(size=(30, 2)) + [0, 1]
    found = intraclass_correlation(y)
    a, b = y.T
    consistency = 2 * np.cov(a, b)[0, 1] / (a.var(ddof=1) + b.var(ddof=1))
    assert found["ICC(3,1)"].estimate == pytest.approx(consistency)
    cronbach = 2 * (1 - (a.var(ddof=1) + b.var(ddof=1)) / (a + b).var(ddof=1))
    assert found["ICC(3,k)"].estimate == pytest.approx(cronbach)
    both = np.concatenate([[a, b], [b, a]], axis=1)  # Fisher's: each pair in both orders
    fisher = np.corrcoef(both)[0, 1]
    assert found["ICC(1,1)"].estimate == pytest.approx(fisher, abs=0.03)  # which has n for n - 1
    assert found["ICC(2,1)"].estimate < found["ICC(3,1)"].estimate  # the raters differ by 1


def test_a_constant_lowers_agreement_and_leaves_consistency() -> None:
    base = intraclass_correlation(TARGETS)
    moved = intraclass_correlation(TARGETS + np.array([0, 0, 0, 5]))
    scaled = intraclass_correlation(1e6 + 7.5 * TARGETS)
    for name in ("ICC(3,1)", "ICC(3,k)"):
        assert moved[name].estimate == pytest.approx(base[name].estimate)
        assert (moved[name].low, moved[name].high) == pytest.approx((base[name].low, base[name].high))
    assert moved["ICC(2,1)"].estimate < base["ICC(2,1)"].estimate
    for name in PSYCH:
        assert scaled[name].estimate == pytest.approx(base[name].estimate, rel=1e-6)


@pytest.mark.parametrize(("items", "value"), [(10, 0.3), (30, 0.8)])
def test_limits_cover_and_guesses_are_rejected_as_often_as_told(items: int, value: float) -> None:
    """The distribution of the ratio of mean squares is F exactly."""
    rng, runs = np.random.default_rng(3), 400
    held, rejected = 0, 0
    for _ in range(runs):
        y = np.sqrt(value) * rng.normal(size=(items, 1)) + np.sqrt(1 - value) * rng.normal(size=(items, 3))
        c = intraclass_correlation(y)["ICC(3,1)"]
        held += c.low <= value <= c.high
        rejected += intraclass_correlation(rng.normal(size=(items, 3)))["ICC(3,1)"].pvalue <= 0.05
    error = np.sqrt(0.05 * 0.95 / runs)
    assert held / runs == pytest.approx(0.95, abs=3.5 * error)
    assert rejected / runs == pytest.approx(0.05, abs=3.5 * error)


def test_what_is_undefined_has_its_reason() -> None:
    same = intraclass_correlation([[1.5, 1.5], [2.5, 2.5], [3.0, 3.0]])
    assert same["ICC(2,1)"].estimate == 1
    assert np.isnan(same["ICC(2,1)"].low)
    assert "never differ" in same["ICC(2,1)"].why
    shifted = intraclass_correlation([[1.5, 2.5], [2.5, 3.5], [3.0, 4.0]])  # consistent, and not in agreement
    assert shifted["ICC(3,1)"].estimate == 1
    assert 0 < shifted["ICC(2,1)"].estimate < 1
    one = intraclass_correlation([[2.0, 2.0], [2.0, 2.0]])
    assert np.isnan(one["ICC(1,1)"].estimate)
    assert one["ICC(1,1)"].why == "all ratings are the same number"
    for found in (same, shifted, one):
        assert informed.report(found).text(full=True)
        assert found.to_dict()["coefficients"]["ICC(2,1)"]["why"]


def test_missing_ratings_are_refused_or_left_out() -> None:
    given: dict[str, Any] = {"a": [1.5, None, 3.0, 4.5], "b": [1.0, 2.0, 3.5, 5.0]}
    with pytest.raises(InformedError, match=r"missing in 1 of 4 items \(the first at position 1, counted from 0\)"):
        intraclass_correlation(given)
    found = intraclass_correlation(given, missing="drop")
    assert found.items == 3
    assert [note.text for note in found.notes] == ["1 item with a missing rating was left out."]
    whole = intraclass_correlation({"a": [1.5, 3.0, 4.5], "b": [1.0, 3.5, 5.0]})
    assert found["ICC(2,1)"].estimate == whole["ICC(2,1)"].estimate


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"a": [1.5, 2.5]}, "takes two or more"),
        ({"a": [1.5], "b": [2.5]}, "Every rater rated 1 item"),
        ({"a": [1.5, 2.5], "b": [1.5]}, "equally many"),
        ({"a": [1.5, "high"], "b": [1.5, 2]}, "gave 'high'"),
        ({"a": [1.5, float("inf")], "b": [1.5, 2]}, "finite numbers"),
        ({"a": [True, False], "b": [True, True]}, "Names of classes are for `agreement`"),
        ([1, 2, 3], "(items, raters) is needed"),
    ],
)
def test_bad_ratings_are_one_clear_sentence(given: Any, said: str) -> None:
    with pytest.raises(InformedError) as caught:
        intraclass_correlation(given)
    assert said in str(caught.value)


def test_frames_and_names() -> None:
    import polars as pl

    frame = pl.DataFrame(dict(zip("abcd", TARGETS.T.astype(float), strict=True)))
    found = intraclass_correlation(frame)
    assert found.raters == ("a", "b", "c", "d")
    assert list(found.to_frame()["coefficient"]) == list(PSYCH)
    with pytest.raises(InformedError, match="no coefficient 'ICC4'"):
        found["ICC4"]
    assert "0.290 [0.019, 0.761]" in str(found)
