"""Agreement: against R and a peer, against defining equations, and what it promises in words."""

from __future__ import annotations

import itertools
import json
import tracemalloc
from pathlib import Path
from typing import Any, Literal

import krippendorff
import numpy as np
import pytest
from scipy import stats

import informed
from informed import InformedError, Table
from informed.systems import rater_pairs
from informed.systems.rated import RatedGroups
from informed.systems.rater_chance import COEFFICIENTS, Ratings
from informed.systems.rater_evidence import RaterEvidence
from informed.systems.rater_shuffles import _agreements, _by_labels, _by_pairs, _fitted
from informed.systems.raters import agreement

ORACLE: dict[str, Any] = json.loads((Path(__file__).parent / "oracles" / "r01_raters.json").read_text())
NAMES = {
    "conger.kappa.raw": "conger",
    "fleiss.kappa.raw": "fleiss",
    "gwet.ac1.raw": "gwet_ac1",
    "krippen.alpha.raw": "krippendorff",
    "bp.coeff.raw": "brennan_prediger",
    "pa.coeff.raw": "percent",
}


def ratings(name: str) -> dict[str, list[int | None]]:
    held = ORACLE[name]["data"]
    return {who: [None if x == "NA" else int(x) for x in given] for who, given in held.items()}


def random_ratings(seed: int, items: int = 40, raters: int = 4, labels: int = 4) -> Any:
    """Ratings that agree somewhat, some of them missing; every item has one at least."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, labels + 1, items)
    given = np.where(
        rng.random((items, raters)) < 0.6, truth[:, None], rng.integers(1, labels + 1, (items, raters))
    ).astype(float)
    lost = rng.random((items, raters)) < 0.2
    lost[:, 0] = False
    given[lost] = np.nan
    return given


# ---------------------------------------------------------------------- against R and a peer


@pytest.mark.parametrize(
    ("data", "weights", "block"),
    [
        ("fleiss1971_diagnoses", "nominal", "irrCAC"),
        ("gwet_raw4raters", "nominal", "irrCAC"),
        ("gwet_raw4raters", "quadratic", "irrCAC_quadratic"),
    ],
)
def test_coefficients_and_their_errors_are_irrcac_s(data: str, weights: str, block: str) -> None:
    found = agreement(ratings(data), disagreement=weights, missing="abstain", method="linearised", n_draws=100)
    for theirs, ours in NAMES.items():
        held = ORACLE[data][block][theirs]
        if weights != "nominal":
            ours = {"gwet_ac1": "gwet_ac2", "percent": "weighted_agreement"}.get(ours, ours)
        c = found[ours]
        assert c.estimate == pytest.approx(held["est"], abs=6e-6)  # they round to five digits
        assert c.standard_error == pytest.approx(held["se"], abs=6e-6)
        assert c.observed == pytest.approx(held["pa"], rel=1e-12)
        assert c.chance == pytest.approx(held["pe"], rel=1e-12, abs=1e-15)
        low, high = map(float, held["ci"].strip("()").split(","))
        assert c.low == pytest.approx(low, abs=6e-4)
        assert c.high == pytest.approx(high, abs=6e-4)


def test_fleiss_and_conger_are_irr_s() -> None:
    held = ORACLE["fleiss1971_diagnoses"]
    found = agreement(ratings("fleiss1971_diagnoses"), missing="abstain")
    assert found["fleiss"].estimate == pytest.approx(held["fleiss"]["kappa"], rel=1e-12)
    assert found["conger"].estimate == pytest.approx(held["conger_exact"]["kappa"], rel=1e-12)
    pairs = found.tables
    kappas = np.asarray(informed.cohen_kappa(pairs))[np.triu_indices(6, 1)]
    assert kappas.mean() == pytest.approx(held["light"]["kappa"], rel=1e-12)


@pytest.mark.parametrize("weights", ["nominal", "ordinal", "interval", "ratio"])
def test_krippendorff_s_alpha_is_irr_s(weights: str) -> None:
    found = agreement(ratings("gwet_raw4raters"), missing="abstain", disagreement=weights)
    wanted = ORACLE["gwet_raw4raters"]["kripp_alpha"][weights]
    assert found["krippendorff"].estimate == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("weights", ["nominal", "ordinal", "interval", "ratio"])
def test_krippendorff_s_alpha_is_the_peer_s(
    seed: int, weights: Literal["nominal", "ordinal", "interval", "ratio"]
) -> None:
    given = random_ratings(seed)
    wanted = krippendorff.alpha(reliability_data=given.T, level_of_measurement=weights)
    assert agreement(given, missing="abstain", disagreement=weights)["krippendorff"].estimate == pytest.approx(
        wanted, rel=1e-10
    )


# ---------------------------------------------------------------------- defining equations


def test_two_raters_are_the_measures_of_their_table() -> None:
    rng = np.random.default_rng(1)
    a = rng.integers(0, 3, 50)
    b = np.where(rng.random(50) < 0.6, a, rng.integers(0, 3, 50))
    found = agreement({"a": a, "b": b})
    t = Table.from_labels(predicted=a, real=b)
    assert found["cohen"].estimate == pytest.approx(informed.cohen_kappa(t))
    assert found["scott"].estimate == pytest.approx(informed.scott_pi(t))
    assert found["gwet_ac1"].estimate == pytest.approx(informed.gwet_ac1(t))
    assert found["krippendorff"].estimate == pytest.approx(informed.krippendorff_alpha(t))
    assert found["brennan_prediger"].estimate == pytest.approx(informed.bennett_s(t))
    assert found["percent"].estimate == pytest.approx(informed.accuracy(t))
    # With Wald's: the same slopes, over n − 1 rather than n items.
    wald = informed.interval(t, "cohen_kappa", method="wald")
    z = stats.norm.ppf(0.975)
    assert found["cohen"].standard_error == pytest.approx(wald.width / 2 / z * np.sqrt(50 / 49), rel=1e-9)
    assert found.informedness.estimate[0, 1] == pytest.approx(informed.informedness(t))
    assert found.markedness.estimate[0, 1] == pytest.approx(informed.markedness(t))
    assert found.against_rest["a"].estimate == pytest.approx(informed.informedness(t))
    assert found.markedness_against_rest["a"].estimate == pytest.approx(informed.markedness(t))
    informed_error = informed.interval(t, "informedness", method="wald").width / 2 / z
    assert found.against_rest["a"].standard_error == pytest.approx(informed_error * np.sqrt(50 / 49))
    assert found["cohen"].pvalue < 0.001


TABLES = {
    "percent": "accuracy",
    "cohen": "cohen_kappa",
    "scott": "scott_pi",
    "krippendorff": "krippendorff_alpha",
    "gwet_ac1": "gwet_ac1",
    "brennan_prediger": "bennett_s",
}


@pytest.mark.parametrize(
    "cells",
    [[[0, 5], [5, 40]], [[3, 0], [0, 17]], [[1, 4], [5, 40]], [[20, 0], [5, 25]], [[5, 2, 0], [1, 7, 3], [0, 1, 4]]],
    ids=str,
)
def test_two_raters_have_the_interval_and_the_test_of_their_table(cells: list[list[int]]) -> None:
    t = Table.from_counts(cells)
    a, b = (np.repeat(x.ravel(), np.ravel(cells)) for x in np.indices((t.k, t.k)))
    found = agreement({"a": a, "b": b})
    wanted = informed.test(t, "cohen_kappa").pvalue
    for name, measure in TABLES.items():
        c, limits = found[name], informed.interval(t, measure)
        assert (c.low, c.high) == pytest.approx((limits.low, limits.high)), name
        assert np.isnan(c.pvalue) if name == "percent" else c.pvalue == pytest.approx(wanted)
    own = informed.interval(t, "informedness")
    assert (found.against_rest["a"].low, found.against_rest["a"].high) == pytest.approx((own.low, own.high))
    assert found.pvalue == pytest.approx(wanted)


@pytest.mark.parametrize("cells", [[[0, 5], [5, 40]], [[3, 0], [0, 17]], [[5, 2, 0], [1, 7, 3], [0, 1, 4]]], ids=str)
def test_the_arc_of_ratings_is_the_arc_of_their_table(cells: list[list[int]]) -> None:
    """Two raters by the way that more raters go; with units, too."""
    k = len(cells)
    codes = np.stack([np.repeat(x.ravel(), np.ravel(cells)) for x in np.indices((k, k))], axis=1)
    for unit in (None, np.arange(len(codes)) // 3):
        t = Table.from_labels(predicted=codes[:, 0], real=codes[:, 1], unit=unit)
        groups = RatedGroups(np.arange(len(codes))) if unit is None else RatedGroups(unit, name="unit")
        evidence = RaterEvidence(Ratings(codes, np.eye(k), np.ones(len(codes))), groups)
        for name, measure in TABLES.items():
            wanted = informed.interval(t, measure, method="arc")
            low, high, _ = evidence.limits(name, 0.95)
            assert (low, high) == pytest.approx((wanted.low, wanted.high), abs=1e-9), name


@pytest.mark.parametrize("name", list(COEFFICIENTS))
@pytest.mark.parametrize("missing", [False, True])
def test_slopes_of_coefficients_are_their_differences(name: str, missing: bool) -> None:
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 3, (15, 3))
    codes[:4, 2] = -1 if missing else codes[:4, 2]
    weight = 1 - np.abs(np.subtract.outer(range(3), range(3))) / 2
    r, w = Ratings(codes, weight, np.ones(15)), rng.random(15) + 0.5
    way, read = COEFFICIENTS[name], COEFFICIENTS[name].read(r)
    slopes = way.gradient(read.sums(w), weight)
    ours = slopes.agreement * read.agreement + slopes.weight * read.weight + read.labels @ slopes.labels
    step = 1e-6 * np.eye(15)
    theirs = (way.estimate(r, w + step) - way.estimate(r, w - step)) / 2e-6
    np.testing.assert_allclose(ours, theirs, atol=1e-8)


@pytest.mark.parametrize("name", [n for n, way in COEFFICIENTS.items() if not way.two_raters])
def test_effects_are_the_slopes_in_the_items_weights(name: str) -> None:
    """On complete ratings, where Gwet's linearisation has nothing left out."""
    codes = np.random.default_rng(2).integers(0, 3, (15, 3))
    r = Ratings(codes, np.eye(3), np.ones(len(codes)))
    way, step = COEFFICIENTS[name], 1e-6
    w = np.ones(15)
    units = np.eye(15) * step

    def value(weights: Any) -> Any:
        if name == "krippendorff":  # its effects are those without the small-sample term
            observed, chance = way.parts(r, weights)
            small = 1 / (weights @ r.number)
            return ((observed - small) / (1 - small) - chance) / (1 - chance)
        return way.estimate(r, weights)

    slopes = (value(w + units) - value(w - units)) / (2 * step)
    np.testing.assert_allclose(way.effects(r), slopes * 15, atol=1e-6)


def test_against_the_rest_is_a_random_other_rater() -> None:
    """The table of rater 0 and of every choice of another, written out."""
    given = random_ratings(5, items=20, raters=3, labels=3)
    counts = np.zeros((3, 3))
    for row in given:
        others = [x for x in row[1:] if not np.isnan(x)]
        for other in others:
            counts[int(row[0]) - 1, int(other) - 1] += 1 / len(others)
    wanted = informed.informedness(Table.from_counts(counts))
    assert agreement(given, missing="abstain").against_rest[0].estimate == pytest.approx(wanted)


def test_comparing_two_kappas_on_the_same_items() -> None:
    rng = np.random.default_rng(7)
    truth = rng.integers(0, 2, 300)

    def pair(noise: float) -> dict[str, Any]:
        return {name: np.where(rng.random(300) < noise, 1 - truth, truth) for name in ("one", "two")}

    careful, hasty = agreement(pair(0.05)), agreement(pair(0.25))
    gap = careful.minus(hasty, "cohen")
    assert gap.estimate == careful["cohen"].estimate - hasty["cohen"].estimate
    assert gap.low > 0
    assert gap.pvalue < 1e-6
    back = hasty.minus(careful, "cohen")
    assert (back.low, back.high) == (-gap.high, -gap.low)
    same = careful.minus(careful, "cohen")
    assert (same.estimate, same.standard_error, same.pvalue) == (0, 0, 1)
    with pytest.raises(InformedError, match="the same items"):
        careful.minus(agreement({"a": [1, 0, 1], "b": [1, 0, 0]}), "cohen")
    # as many items on both sides, and not the same: item 0 here, item 3 there
    first = agreement({"a": [None, 0, 1, 1, 0], "b": [None, 0, 1, 0, 0]}, missing="abstain")
    other = agreement({"a": [1, 0, 1, None, 0], "b": [1, 0, 0, None, 0]}, missing="abstain")
    with pytest.raises(InformedError, match="2 on one side only"):
        first.minus(other, "cohen")


def test_difference_of_kappas_is_calibrated() -> None:
    """Two pairs of raters of equal skill on shared items: 5 % of differences at 5 %."""
    rng = np.random.default_rng(17)
    runs, wrong = 300, 0
    for _ in range(runs):
        truth = rng.integers(0, 2, 100)
        noise = np.where(rng.random(100) < 0.3, 0.4, 0.05)  # hard items are hard for all
        given = np.where(rng.random((4, 100)) < noise, 1 - truth, truth)
        one = _cohen(given[:2])
        other = _cohen(given[2:])
        wrong += abs(one[0] - other[0]) > stats.t.ppf(0.975, 99) * np.sqrt(
            ((one[1] - other[1]) ** 2).sum() / (100 * 99)
        )
    assert wrong == pytest.approx(0.05 * runs, abs=3.5 * np.sqrt(runs * 0.05 * 0.95))


def _cohen(given: Any) -> tuple[float, Any]:
    r, way = Ratings(given.T, np.eye(2), np.ones(len(given.T))), COEFFICIENTS["cohen"]
    return way.estimate(r, np.ones(len(r.codes))), way.effects(r)


# ---------------------------------------------------------------------- promises


def test_resampled_intervals_are_near_the_linearised() -> None:
    given = random_ratings(9, items=120)
    straight = agreement(given, missing="abstain")
    jack = agreement(given, missing="abstain", method="jackknife")
    boot = agreement(given, missing="abstain", method="bootstrap", n_draws=2000)
    for name, c in straight.coefficients.items():
        assert jack[name].standard_error == pytest.approx(c.standard_error, rel=0.1)
        assert boot[name].standard_error == pytest.approx(c.standard_error, rel=0.12)
        assert jack[name].estimate == boot[name].estimate == c.estimate
    assert {c.method for c in boot.coefficients.values()} == {"bootstrap"}


def test_order_of_raters_and_items_does_not_matter() -> None:
    given = random_ratings(3)
    one, other = (agreement(given, missing="abstain"), agreement(given[::-1, ::-1], missing="abstain"))
    for name, c in one.coefficients.items():
        assert other[name].estimate == pytest.approx(c.estimate, rel=1e-12)
        assert other[name].standard_error == pytest.approx(c.standard_error, rel=1e-9)


def test_frames_and_missing_ratings() -> None:
    import polars as pl

    frame = pl.DataFrame({"a": ["x", "y", None, None, "x"], "b": ["x", "y", "y", None, "y"]})
    found = agreement(frame, missing="abstain")
    assert found.items == 4
    assert "1 item(s) without any rating were left out." in map(str, found.notes)
    assert found["cohen"].estimate == pytest.approx(
        informed.cohen_kappa(Table.from_labels(predicted=["x", "y", "x"], real=["x", "y", "y"]))
    )
    assert list(found.to_frame()["coefficient"])[:3] == ["percent", "cohen", "scott"]


def test_raters_who_share_nothing_are_said_so() -> None:
    found = agreement(
        {"a": [1, 0, 1, None, None], "b": [1, 0, 0, 1, 0], "c": [None, None, None, 1, 0]}, missing="abstain"
    )
    assert np.isnan(found.informedness.estimate[0, 2])
    assert any("share no item (such as 'a' and 'c')" in str(note) for note in found.notes)


@pytest.mark.parametrize(
    ("given", "options", "said"),
    [
        ({"a": [1, None], "b": [None, 0]}, {"missing": "abstain"}, "No item was rated by two raters"),
        ({"a": [1, None], "b": [1, 0]}, {}, "`ratings['a']` has 1 missing label (position 1, counted from 0)"),
        ({"a": [True, False], "b": [2, 1]}, {}, "bools can only be compared with 0 and 1"),
        (
            {"a": ["low", "mid", "top"], "b": ["mid", "mid", "top"]},
            {"disagreement": "ordinal"},
            "needs the order of the labels",
        ),
        ({"a": [1, 0]}, {}, "two at least"),
        ({"a": [1, 0], "b": [1]}, {}, "must be equally long"),
        ({"a": [1, 1], "b": [1, 1]}, {}, "Every rating is 1"),
        ([1, 2, 3], {}, "(items, raters) is needed"),
        ({"a": ["x", "y"], "b": ["x", "y"]}, {"disagreement": "interval"}, "there is 'x'"),
        ({"a": [-1, 1], "b": [1, 1]}, {"disagreement": "ratio"}, "not negative"),
        ({"a": [0, 1], "b": [1, 1]}, {"disagreement": "cubic"}, "`disagreement` is 'cubic'"),
        ({"a": [0, 1], "b": [1, 1]}, {"disagreement": np.ones((3, 3))}, "it must be 2 x 2"),
        ({"a": [0, 1], "b": [1, 1]}, {"disagreement": [[1, 0.5], [0, 1]]}, "symmetric"),
        ({"a": [0, 1], "b": [1, 1]}, {"labels": [1, 2]}, "not in `labels`"),
        ({"a": [0, 1], "b": [1, 1]}, {"level": 2}, "between 0 and 1"),
        ({"a": [0, 1], "b": [1, 1]}, {"method": "exact"}, "`method` is 'exact'"),
        ({"a": [1, "1"], "b": [1, 1]}, {}, "written alike"),
    ],
)
def test_bad_input_is_one_clear_sentence(given: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(InformedError) as caught:
        agreement(given, **options)
    assert said in str(caught.value)


# ---------------------------------------------------------------------- the test and the interval


def test_no_p_value_is_smaller_than_what_shuffles_can_give() -> None:
    given = np.zeros((20, 3), int)
    given[:3] = 1
    found = agreement(given)
    assert found["fleiss"].estimate == 1
    assert found["fleiss"].low < 0.8
    assert found["fleiss"].high == 1
    assert found.pvalue == pytest.approx(1 / 1140)
    assert {c.pvalue for name, c in found.coefficients.items() if name != "percent"} == {found.pvalue}


def test_the_p_value_of_three_raters_is_that_of_all_shuffles() -> None:
    """All shuffles of two of the raters, written out."""
    codes = np.array([[0, 0, 1], [1, 1, 1], [0, 1, 1], [1, 0, 0], [2, 2, 2]])
    orders = [np.array(x) for x in itertools.permutations(range(5))]

    def agreed(b: Any, c: Any) -> int:
        a = codes[:, 0]
        return int((a == b).sum() + (a == c).sum() + (b == c).sum())

    every = np.array([agreed(codes[i, 1], codes[j, 2]) for i in orders for j in orders])
    far = np.abs(every - every.mean()) >= abs(agreed(codes[:, 1], codes[:, 2]) - every.mean()) - 1e-9
    wanted = float(far.mean())
    found = agreement(codes, n_draws=20_000).pvalue
    assert found == pytest.approx(wanted, abs=4 * np.sqrt(wanted * (1 - wanted) / 20_000))
    weighted = agreement(codes, n_draws=20_000, disagreement="linear").pvalue
    assert 0 < weighted <= 1


def test_shuffles_by_labels_and_by_pairs_are_the_same() -> None:
    rng = np.random.default_rng(1)
    given = rng.integers(0, 3, (4, 30, 5)).astype(np.int16)
    given[rng.random(given.shape) < 0.2] = -1
    weight, scale = 1 - np.abs(np.subtract.outer(range(3), range(3))) / 2, rng.random(30)
    for w, nominal in ((np.eye(3), True), (weight, False)):
        by_rater = np.moveaxis(given, 2, 0)
        np.testing.assert_allclose(_by_labels(by_rater, w, scale), _by_pairs(by_rater, w, scale, nominal))


def test_a_fitted_tail_is_near_the_share_of_shuffles() -> None:
    given = np.asarray(random_ratings(9, items=300, raters=3, labels=2))
    rng = np.random.default_rng(4)
    given = np.where(rng.random(given.shape) < 0.85, rng.integers(1, 3, given.shape), 1)
    r = Ratings((given - 1).astype(np.int64), np.eye(2), np.ones(300))
    values = np.concatenate(list(_agreements(r, rng, 4000)))
    for share in (0.2, 0.05, 0.01):
        distance = float(np.quantile(np.abs(values - values.mean()), 1 - share))
        assert _fitted(values, distance) == pytest.approx(share, rel=0.25)


def evidence_of(codes: Any, labels: int, unit: Any = None) -> RaterEvidence:
    """What ratings say, without the other results of `agreement`; two raters as their table."""
    r = Ratings(codes, np.eye(labels), np.ones(len(codes)))
    groups = RatedGroups(np.arange(len(codes))) if unit is None else RatedGroups(unit, name="document")
    order = list(range(labels))
    table = Table.from_labels(predicted=codes[:, 0], real=codes[:, 1], labels=order) if codes.shape[1] == 2 else None
    return RaterEvidence(r, groups, table)


@pytest.mark.parametrize("raters", [2, 3])
def test_guessing_raters_are_seldom_found_to_agree(raters: int) -> None:
    """Prevalence 0.1 and 50 items: Gwet's error rejected .479 of the time at 0.05 before."""
    rng, runs = np.random.default_rng(8), 500
    given = ((rng.random((50, raters)) < 0.1).astype(int) for _ in range(runs))
    p = np.array([evidence_of(codes, 2).test(None, 400).pvalue for codes in given])
    for alpha in (0.05, 0.01):
        assert (p <= alpha).mean() <= 1.2 * alpha + 3 * np.sqrt(alpha * (1 - alpha) / runs)


def test_guessing_clusters_are_seldom_found_to_agree() -> None:
    """Three raters whose guesses are the same within documents of five items."""
    rng, runs, unit = np.random.default_rng(9), 300, np.repeat(np.arange(30), 5)
    given = [(rng.random((30, 3)) < 0.3)[unit].astype(int) for _ in range(runs)]
    told, blind = (
        np.array([evidence_of(codes, 2, known).test(None, 400).pvalue for codes in given]) for known in (unit, None)
    )
    assert (told <= 0.05).mean() <= 0.06 + 3 * np.sqrt(0.05 * 0.95 / runs)
    assert (blind <= 0.05).mean() > 0.25


@pytest.mark.parametrize(("raters", "labels"), [(2, 3), (3, 2), (4, 3)])
def test_limits_of_nearly_perfect_agreement_cover_it(raters: int, labels: int) -> None:
    """Kappa .9 and 20 items: Gwet's limits held it less than .7 of the time."""
    rng, held, runs = np.random.default_rng(5), 0, 300
    shares = np.array([0.2, *[0.8 / (labels - 1)] * (labels - 1)])
    for _ in range(runs):
        truth = rng.choice(labels, 20, p=shares)
        guess = rng.choice(labels, (20, raters), p=shares)
        given = np.where(rng.random((20, raters)) < np.sqrt(0.9), truth[:, None], guess)
        low, high, _ = evidence_of(given, labels).limits("scott" if raters == 2 else "fleiss", 0.95)
        held += low <= 0.9 <= high + 1e-9
    assert held / runs > 0.93 - 2 * np.sqrt(0.05 * 0.95 / runs)


def test_percent_agreement_has_no_p_value_and_weights_are_named() -> None:
    grades = {"a": [1, 2, 3, 4, 1, 2, 3, 2, 5, 5], "b": [2, 2, 3, 3, 1, 3, 2, 2, 4, 5]}
    found = agreement(grades, disagreement="ordinal")
    assert found["percent"].estimate == 0.5  # as seen
    assert found["weighted_agreement"].estimate > 0.9
    assert np.isnan(found["percent"].pvalue)
    assert np.isnan(found["weighted_agreement"].pvalue)
    assert "cohen" not in found.coefficients
    assert found["cohen"] is found["weighted_kappa"]
    said = informed.report(found).text(full=True)
    assert "Cohen's kappa" not in said
    for title in ("Percent agreement ", "Weighted agreement ", "Weighted kappa ", "Gwet's AC2 ", "ordinal weights"):
        assert title in said
    sentence = found["percent"].sentence()
    assert sentence.startswith("Percent agreement 0.500 [")
    assert "p " not in sentence.partition("]")[2]


def test_coefficients_that_are_one_number_stand_once() -> None:
    found = agreement({"a": list("xxyyxy"), "b": list("xxyyyy")})
    assert list(found.coefficients) == ["percent", "cohen", "scott", "krippendorff", "gwet_ac1", "brennan_prediger"]
    assert found["fleiss"] is found["scott"]
    assert found["conger"] is found["cohen"]
    with pytest.raises(InformedError, match="no coefficient 'kappa'"):
        found["kappa"]
    third = agreement({"a": list("xxyyxy"), "b": list("xxyyyy"), "c": list("xxxyyy")})
    assert "fleiss" in third.versus_records(found)["coefficient"]


@pytest.mark.parametrize(
    ("given", "refused"),
    [
        ({"a": [1.5, 2.25, 3.0], "b": [1.25, 2.5, 3.5]}, True),
        ({"a": ["1.5", "2.25"], "b": ["1.25", "3"]}, True),
        ({"a": [1.0, 2.0, 3.0], "b": [1.0, 2.0, 2.0]}, False),
        ({"a": ["v1.5", "v2"], "b": ["v1.5", "v1.5"]}, False),
        ({"a": [True, False], "b": [True, True]}, False),
    ],
)
def test_measurements_are_no_names(given: Any, refused: bool) -> None:
    if not refused:
        assert agreement(given).disagreement == "nominal"
        return
    with pytest.raises(InformedError, match="takes every number for the name of a class"):
        agreement(given)
    values = sorted({x for own in given.values() for x in own}, key=float)
    assert agreement(given, labels=values).labels == tuple(values)
    if not isinstance(values[0], str):
        assert agreement(given, disagreement="interval").disagreement == "interval"


def test_many_whole_numbers_are_asked_about() -> None:
    rng = np.random.default_rng(1)
    scores = {"a": rng.integers(0, 100, 60), "b": rng.integers(0, 100, 60)}
    assert "many-values" in {note.code for note in agreement(scores).notes}
    assert "many-values" not in {note.code for note in agreement(scores, disagreement="interval").notes}


def test_one_label_and_few_items_are_said_so() -> None:
    found = agreement({"a": ["x"] * 5, "b": ["x"] * 5}, labels=["x", "y"])
    assert found["cohen"].why == "chance alone agrees always"
    assert found["gwet_ac1"].estimate == 1
    assert found["gwet_ac1"].low < 0.5
    assert found.pvalue == 1
    assert "undefined: chance alone agrees always" in str(informed.report(found).answer)
    two = agreement({"a": [0, 1], "b": [0, 1]})
    assert two["cohen"].low < 0
    assert two["cohen"].pvalue == pytest.approx(0.5)


def test_many_labels_take_little_memory() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 600, 800)
    given = {name: np.where(rng.random(800) < 0.8, truth, rng.integers(0, 600, 800)) for name in "abc"}
    tracemalloc.start()
    found = agreement(given, n_draws=200)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found["fleiss"].low < found["fleiss"].estimate < found["fleiss"].high
    assert (
        most < 30 * 600**2 * 8
    )  # a dense array of items, raters and labels is 4 tables, and each coefficient had many


def test_tables_one_after_the_other_are_all_tables_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    given = random_ratings(6, items=40, raters=4, labels=3)
    at_once = agreement(given, missing="abstain", n_draws=100)
    monkeypatch.setattr(rater_pairs, "_CELLS", 0)
    in_turn = agreement(given, missing="abstain", n_draws=100)
    for name in ("informedness", "markedness"):
        one, other = getattr(at_once, name), getattr(in_turn, name)
        for part in ("estimate", "low", "high", "effective_n"):
            np.testing.assert_allclose(getattr(other, part), getattr(one, part), rtol=1e-9)
        assert other.axes == one.axes
    assert in_turn.tables == at_once.tables


# ---------------------------------------------------------------------- units and items


def _correlated(rng: np.random.Generator, units: int, size: int, noise: float = 0.25) -> tuple[Any, Any]:
    """Two raters of a coin; where they err is shared within units."""
    unit = np.repeat(np.arange(units), size)
    truth = rng.random(len(unit)) < 0.5
    slips = rng.random((units, 2))[unit] < noise
    return {name: np.where(slips[:, i], ~truth, truth).astype(int) for i, name in enumerate("ab")}, unit


@pytest.mark.parametrize("method", ["arc", "linearised", "jackknife"])
def test_items_rated_twice_alike_say_no_more(method: Any) -> None:
    given = random_ratings(4)
    names = {f"r{i}": list(column) for i, column in enumerate(np.asarray(given).T)}
    twice = {name: x * 2 for name, x in names.items()}
    item = list(range(len(given))) * 2
    how: dict[str, Any] = {"missing": "abstain", "method": method}
    once, again, naive = agreement(names, **how), agreement(twice, item=item, **how), agreement(twice, **how)
    for name, c in once.coefficients.items():
        found = again[name]
        seen, same = ((x.estimate, x.low, x.high, x.standard_error, x.pvalue) for x in (c, found))
        assert same == pytest.approx(seen, rel=1e-6, abs=1e-12, nan_ok=True), name
        assert naive[name].standard_error < 0.75 * c.standard_error
    for rater, c in once.against_rest.items():
        assert (again.against_rest[rater].low, again.against_rest[rater].high) == pytest.approx((c.low, c.high))
    assert np.asarray(again.informedness.estimate) == pytest.approx(np.asarray(once.informedness.estimate))
    widths = [np.asarray(x.informedness.high) - np.asarray(x.informedness.low) for x in (once, again, naive)]
    off = ~np.eye(len(names), dtype=bool)
    assert (
        np.abs(widths[1] / widths[0] - 1)[off] < 0.15
    ).all()  # the quantile is Student's where units tell the spread
    assert (widths[2] < 0.8 * widths[0])[off].all()


def test_units_of_one_item_are_no_units() -> None:
    given = np.asarray(random_ratings(5))
    plain, told = (agreement(given, missing="abstain", unit=u) for u in (None, np.arange(len(given))))
    for name, c in plain.coefficients.items():
        seen, same = ((x.low, x.high, x.pvalue) for x in (c, told[name]))
        assert same == pytest.approx(seen, nan_ok=True), name
    assert np.asarray(told.informedness.low) == pytest.approx(np.asarray(plain.informedness.low), nan_ok=True)


@pytest.mark.slow
def test_agreement_over_units_holds_the_truth() -> None:
    """Errors shared by six items each: without their units, kappa is held far too seldom."""
    rng = np.random.default_rng(5)
    truth = 2 * (0.75**2 + 0.25**2) - 1

    def held(runs: int, known: bool) -> float:
        found = 0
        for _ in range(runs):
            given, unit = _correlated(rng, 40, 6)
            c = agreement(given, unit=unit if known else None)["cohen"]
            found += c.low <= truth <= c.high
        return found / runs

    assert held(150, known=True) > 0.95 - 2 * np.sqrt(0.95 * 0.05 / 150)
    assert held(60, known=False) < 0.8


def test_units_are_named_and_few_ones_are_said_so() -> None:
    given, unit = _correlated(np.random.default_rng(1), 6, 5)
    found = agreement({**given, "document_id": unit.tolist()}, unit="document_id")
    assert found.raters == ("a", "b")
    said = {note.code: note.text for note in found.notes}
    assert "6 documents with 30 rows of ratings" in said["units"]
    assert "few-units" in said
    assert found["cohen"].standard_error > agreement(given)["cohen"].standard_error
    resampled = agreement(given, unit=unit, method="bootstrap", n_draws=500)["cohen"]
    assert resampled.standard_error > agreement(given)["cohen"].standard_error


def test_two_agreements_are_compared_between_units() -> None:
    rng = np.random.default_rng(2)
    first, unit = _correlated(rng, 30, 4)
    second, _ = _correlated(rng, 30, 4, noise=0.1)
    one, other = (agreement(x, unit=unit) for x in (first, second))
    gap, naive = one.minus(other, "cohen"), agreement(first).minus(agreement(second), "cohen")
    assert gap.estimate == pytest.approx(naive.estimate)
    assert gap.standard_error > 1.3 * naive.standard_error
    with pytest.raises(InformedError, match="different units"):
        one.minus(agreement(second), "cohen")


@pytest.mark.parametrize("groups", [("item",), ("unit",), ("unit", "item")], ids="+".join)
@pytest.mark.parametrize("alike", [False, True], ids=["answers differ", "always the same answer"])
def test_the_table_of_two_raters_is_that_of_their_labels(groups: tuple[str, ...], alike: bool) -> None:
    rng = np.random.default_rng(2)
    item = np.repeat(np.arange(40), 3)
    truth = rng.integers(3, size=40)[item]
    a, b = (np.where(rng.random(120) < 0.75, truth, rng.integers(3, size=120)) for _ in range(2))
    a, b = (x[3 * item] if alike else x for x in (a, b))
    told: dict[str, Any] = {name: x for name, x in (("item", item), ("unit", item // 4)) if name in groups}
    found = agreement({"a": a, "b": b}, **told).tables["a"]["b"]
    t = Table.from_labels(real=b, predicted=a, **told)
    assert found == t
    for measure in ("informedness", "accuracy"):
        one, other = (informed.interval(x, measure) for x in (found, t))
        assert (one.low, one.high) == pytest.approx((other.low, other.high))


def test_a_page_calls_coefficients_by_their_proper_names_and_data_by_ours() -> None:
    found = agreement({"a": list("xxyyxy"), "b": list("xxyyyy")})
    said = informed.report(found).text(full=True)
    assert "Gwet's AC1" in said
    assert "Brennan–Prediger kappa" in said
    assert not [name for name in found.coefficients if f"\n{name} " in said]
    assert found["gwet_ac1"].sentence().startswith("Gwet's AC1 ")
    assert list(found.records()["coefficient"]) == list(found.coefficients)
