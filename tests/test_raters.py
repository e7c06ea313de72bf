"""Agreement: against R and a peer, against defining equations, and what it promises in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import krippendorff
import numpy as np
import pytest
from scipy import stats

import informed
from informed import InformedError, Table
from informed.systems.rater_chance import COEFFICIENTS, Ratings
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
    found = agreement(ratings(data), disagreement=weights, missing="abstain")
    for theirs, ours in NAMES.items():
        held = ORACLE[data][block][theirs]
        if ours == "gwet_ac1" and weights != "nominal":
            ours = "gwet_ac2"
        c = found[ours]
        assert c.estimate == pytest.approx(held["est"], abs=6e-6)  # they round to five digits
        assert c.standard_error == pytest.approx(held["se"], abs=6e-6)
        assert c.observed == pytest.approx(held["pa"], rel=1e-12)
        assert c.chance == pytest.approx(held["pe"], rel=1e-12, abs=1e-15)
        assert c.pvalue == pytest.approx(held["p"], rel=2e-3)
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
        ({"a": [1, None], "b": [1, 0]}, {}, "`ratings['a']` has 1 missing label (position 1)"),
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


# ---------------------------------------------------------------------- units and items


def _correlated(rng: np.random.Generator, units: int, size: int, noise: float = 0.25) -> tuple[Any, Any]:
    """Two raters of a coin; where they err is shared within units."""
    unit = np.repeat(np.arange(units), size)
    truth = rng.random(len(unit)) < 0.5
    slips = rng.random((units, 2))[unit] < noise
    return {name: np.where(slips[:, i], ~truth, truth).astype(int) for i, name in enumerate("ab")}, unit


@pytest.mark.parametrize("method", ["linearised", "jackknife"])
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
        assert same == pytest.approx(seen, rel=1e-6, abs=1e-12), name
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
        assert (told[name].low, told[name].high, told[name].pvalue) == pytest.approx((c.low, c.high, c.pvalue))
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
