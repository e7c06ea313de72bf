"""Two systems on items that repeat or belong together: goldens, what changes nothing, and coverage."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from informed import InformedError, Table, compare, interval, leaderboard, report, risk_coverage, roc
from informed.evidence.paired import paired
from informed.measures import find
from informed.systems.paired_arc import PairedContrast, arc_limits
from informed.systems.tails import quantile

# (real, a, b): what a unit of each of four patterns holds; 4, 3, 2 and 5 units
CELLS = {"000": "3102", "001": "1020", "010": "0101", "011": "0010", "111": "4523", "110": "1002", "101": "0100"}
CELLS["100"] = "0011"
TIMES = (4, 3, 2, 5)


def golden() -> dict[str, Any]:
    rows = [
        (*map(int, cell), (pattern, unit))
        for pattern, times in enumerate(TIMES)
        for unit in range(times)
        for cell, counts in CELLS.items()
        for _ in range(int(counts[pattern]))
    ]
    return dict(zip(("real", "a", "b", "unit"), zip(*rows, strict=True), strict=True))


def numbers(d: Any) -> list[float]:
    return [float(x) for x in (d.estimate, d.low, d.high, d.pvalue)]


def data(items: int = 60, seed: int = 3) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    real = rng.integers(2, size=items)
    wrong = rng.random((2, items)) < [[0.1], [0.25]]
    a, b = np.where(wrong, 1 - real, real)
    return {"real": real, "a": a, "b": b}


def test_of_one_unit_there_is_a_wide_interval_and_that_it_is_a_guess() -> None:
    held = data()
    one = compare.paired(**held, unit=[1] * 60)["informedness"]
    assert one.high - one.low > 2
    assert [x.code for x in one.notes] == ["units", "few-units"]
    assert "the interval is a guess" in str(one.notes[1])
    board = leaderboard(real=held["real"], predictions={x: held[x] for x in "ab"}, unit=[1] * 60, n_draws=200)
    assert [board.high[0] - board.low[0], board.pairs.pvalue[0, 1] > 0.05] == [2, True]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("method", ["arc", "plus-four"])
def test_p_is_small_exactly_where_the_interval_of_any_level_excludes_the_null(method: str, seed: int) -> None:
    """Few units weigh less beside pseudo-cases the higher the level: p is of its own level, not of the page's."""
    rng = np.random.default_rng(seed)
    unit, luck = np.repeat(np.arange(9), 7), rng.random((2, 9))
    real = rng.random(63) < 0.45
    a, b = (np.where(luck[i, unit] * rng.random(63) ** 0.3 < q, real, ~real) for i, q in enumerate((0.9, 0.35)))
    tables = [Table.from_labels(real=real, predicted=x, unit=unit) for x in (a, b)]

    def at(level: float) -> Any:
        if method == "arc":
            return compare.paired(real=real, a=a, b=b, unit=unit, level=level)
        return compare(*tables, level=level, method=method)

    p = [float(at(level)["informedness"].pvalue) for level in (0.5, 0.95, 0.999)]
    assert p == pytest.approx([p[0]] * 3, rel=1e-6)
    for level, excluded in ((1 - 1.01 * p[0], True), (1 - 0.99 * p[0], False)):
        found = at(level)["informedness"]
        assert (found.low > 0 or found.high < 0) == excluded
    margins = [at(level).noninferiority("informedness", margin=0.1, level=0.9).pvalue for level in (0.6, 0.99)]
    assert margins[0] == pytest.approx(margins[1], rel=1e-6)


# ---------------------------------------------------------------------- known values


@pytest.mark.parametrize(
    ("measure", "estimate", "centre", "error", "df", "effective_n"),
    [
        ("informedness", 0.148649, 0.143187, 0.127118, 15.3552, 82.8954),
        ("accuracy", 0.094017, 0.089897, 0.056447, 14.5438, 87.2758),
    ],
)
def test_the_golden_joint(
    measure: str, estimate: float, centre: float, error: float, df: float, effective_n: float
) -> None:
    c = compare.paired(**golden(), method="smoothed-delta")
    assert c.joint is not None
    s = PairedContrast(find(measure), c.joint)
    assert [float(x) for x in (s.estimate, *s.closed_form)] == pytest.approx([estimate, centre, error], abs=5e-7)
    assert float(s.freedom) == pytest.approx(df, abs=5e-5)
    assert float(s.effective_n) == pytest.approx(effective_n, abs=5e-5)
    assert c[measure].standard_error == pytest.approx(error, abs=5e-7)


def test_the_p_value_and_the_interval_agree() -> None:
    for level in (0.8, 0.9, 0.95, 0.99):
        for measure in ("informedness", "accuracy", "f1"):
            for method in ("arc", "smoothed-delta"):
                found = compare.paired(**golden(), level=level, method=method)[measure]
                assert (found.pvalue < 1 - level) == (0 not in found), (level, measure, method)


# ---------------------------------------------------------------------- what changes nothing


def test_units_of_one_item_change_nothing() -> None:
    given = data()
    assert numbers(compare.paired(**given, unit=range(60))["informedness"]) == pytest.approx(
        numbers(compare.paired(**given)["informedness"])
    )


@pytest.mark.parametrize("word", ["unit", "item"])
@pytest.mark.parametrize("measure", ["informedness", "accuracy", "markedness", "matthews"])
def test_asking_each_item_twice_with_the_same_answer_changes_nothing(word: str, measure: str) -> None:
    given = data()
    twice: dict[str, Any] = {name: np.tile(x, 2) for name, x in given.items()}
    held: dict[str, Any] = {**twice, word: np.tile(np.arange(60), 2)}
    one, two, naive = (compare.paired(**x)[measure] for x in (given, held, twice))
    assert two.estimate == pytest.approx(one.estimate)
    assert two.width == pytest.approx(one.width, rel=0.05)
    assert naive.width < 0.8 * one.width


@pytest.mark.parametrize("method", ["arc", "mover", "smoothed-delta", "delta"])
def test_what_units_leave_is_taken_once_and_equal_weights_change_nothing(method: str) -> None:
    rng = np.random.default_rng(5)
    real, unit = rng.integers(3, size=300), rng.integers(40, size=300)
    a, b = (np.where(rng.random(300) < share, real, rng.integers(3, size=300)) for share in (0.75, 0.6))
    held: dict[str, Any] = {"real": real, "a": a, "b": b, "unit": unit, "method": method}
    plain, heavy = (compare.paired(**held, weights=w)["matthews"] for w in (None, np.full(300, 7.0)))
    assert numbers(heavy) == pytest.approx(numbers(plain))
    if method == "mover":
        arc = compare.paired(**{**held, "method": "arc"})["matthews"]
        assert numbers(plain) == pytest.approx(numbers(arc), abs=0.002)


@pytest.mark.parametrize("measure", ["informedness", "accuracy", "lr", "odds_ratio"])
def test_different_items_with_units_have_the_limits_that_the_p_value_says(measure: str) -> None:
    rng = np.random.default_rng(5)
    real, unit = rng.integers(2, size=90), rng.integers(8, size=90)
    answers = [np.where(rng.random(90) < share, real, 1 - real) for share in (0.85, 0.6)]

    def found(level: float, weights: Any = None) -> Any:
        told: dict[str, Any] = {"real": real, "positive": 1, "unit": unit, "weights": weights}
        return compare(*(Table.from_labels(predicted=x, **told) for x in answers), level=level)[measure]

    d = found(0.95)
    assert d.pvalue == pytest.approx(found(0.99).pvalue)
    none = 1.0 if d.scale == "ratio" else 0.0
    limit = found(1 - d.pvalue)
    assert min(abs(limit.low - none), abs(limit.high - none)) < 1e-6
    assert numbers(found(0.99, np.full(90, 7.0))) == pytest.approx(numbers(found(0.99)))


def test_eight_epochs_against_one_of_the_same_answers_are_equal() -> None:
    given = data()
    codes = np.full((8 * 60, 2), -2)
    codes[:, 0] = np.tile(given["a"], 8)
    codes[:60, 1] = given["a"]
    p = paired(np.tile(given["real"], 8), codes, names=["eight", "one"], item=np.tile(np.arange(60), 8))
    found = compare.paired(p)
    for measure in found.measures:
        assert found[measure].estimate == pytest.approx(0)
        assert found[measure].pvalue > 0.9
    tables = p.tables
    assert tables["eight"].counts == pytest.approx(tables["one"].counts)


def test_tables_of_different_items_know_their_units() -> None:
    given, other = data(), data(50, seed=8)

    def table(x: dict[str, Any], times: int, **words: Any) -> Table:
        return Table.from_labels(real=np.tile(x["real"], times), predicted=np.tile(x["a"], times), **words)

    one = compare(table(given, 1), table(other, 1))
    two = compare(table(given, 2, unit=np.tile(np.arange(60), 2)), table(other, 2, unit=np.tile(np.arange(50), 2)))
    naive = compare(table(given, 2), table(other, 2))
    for method in ("mover", "plus-four", "delta"):
        for measure in ("informedness", "accuracy"):
            first, second, third = (c.at(method=method)[measure] for c in (one, two, naive))
            assert second.estimate == pytest.approx(first.estimate)
            assert second.width == pytest.approx(first.width, rel=0.05)
            assert third.width < 0.8 * first.width
    assert "units" in {note.code for note in two["informedness"].notes}


# ---------------------------------------------------------------------- coverage


@pytest.mark.parametrize("sizes", [[10] * 20, [max(1, round(60 / i)) for i in range(1, 21)]])
def test_differences_of_clustered_items_hold_the_truth(sizes: list[int]) -> None:
    """By the limits alone: the p-value of units takes twenty times as long, and agrees with them (above)."""
    rng, runs = np.random.default_rng(4), 150
    unit = np.repeat(np.arange(len(sizes)), sizes)
    skill = np.array([[0.85], [0.75]])
    held = {"informedness": 0, "accuracy": 0}
    for run in range(runs):
        real = rng.integers(2, size=len(unit))
        alike = rng.random((2, len(unit))) < 0.4
        luck = np.where(alike, rng.random((2, len(sizes)))[:, unit], rng.random((2, len(unit))))
        a, b = np.where(luck < skill, real, 1 - real)
        found = compare.paired(real=real, a=a, b=b, unit=unit)
        assert found.joint is not None
        for measure, truth in (("informedness", 0.2), ("accuracy", 0.1)):
            s = PairedContrast(find(measure), found.joint)
            low, high = arc_limits(s, quantile(0.95, s.freedom))
            held[measure] += bool(low <= truth <= high)
            if run == 0:
                assert [found[measure].low, found[measure].high] == pytest.approx([float(low), float(high)])
    for times in held.values():
        assert times / runs >= 0.95 - 2 * np.sqrt(0.95 * 0.05 / runs)


# ---------------------------------------------------------------------- risk and coverage


def scored(units: int, cases: int, rng: np.random.Generator) -> dict[str, Any]:
    """Cases of units that are sure and wrong together."""
    unit = np.repeat(np.arange(units), cases)
    hard = (rng.normal(size=units)[unit] + rng.normal(size=len(unit))) / np.sqrt(2)
    real = rng.integers(2, size=len(unit))
    wrong = hard + rng.normal(size=len(unit)) > 0.8
    return {"real": real, "predicted": np.where(wrong, 1 - real, real), "score": -hard, "unit": unit}


def test_asking_twice_changes_no_risk() -> None:
    given = scored(60, 1, np.random.default_rng(2))
    unit = given.pop("unit")
    twice: dict[str, Any] = {name: np.tile(x, 2) for name, x in given.items()}
    one, naive = risk_coverage(**given), risk_coverage(**twice)
    for word in ("unit", "item"):
        two = risk_coverage(**{**twice, word: np.tile(unit, 2)})
        assert two.area.estimate == pytest.approx(one.area.estimate)
        assert two.area.width == pytest.approx(one.area.width, rel=0.05)
        np.testing.assert_allclose(two.coverage, one.coverage)
        np.testing.assert_allclose(two.risk, one.risk)
        risk, same = (interval(x.tables[-1], "error_rate") for x in (one, two))
        assert same.width == pytest.approx(risk.width, rel=0.1)
        labels = {"real": twice["real"], "predicted": twice["predicted"], word: np.tile(unit, 2)}
        counted = interval(Table.from_labels(**labels), "error_rate")
        assert (same.low, same.high) == pytest.approx((counted.low, counted.high))
    assert naive.area.width < 0.8 * one.area.width


def test_the_standard_error_of_the_mean_risk_is_that_of_repetitions() -> None:
    rng = np.random.default_rng(3)
    found = [risk_coverage(**scored(60, 5, rng), steps=5).area for _ in range(300)]
    seen = np.std([float(x.estimate) for x in found])
    told = np.sqrt(np.mean([(x.width / 2 / quantile(0.95, 59)) ** 2 for x in found]))
    assert told == pytest.approx(seen, rel=0.12)
    truth = float(np.mean([float(x.estimate) for x in found]))
    held = np.mean([truth in x for x in found])
    assert held >= 0.95 - 2 * np.sqrt(0.95 * 0.05 / 300)


def test_no_error_among_few_answers_is_no_certainty() -> None:
    area = risk_coverage(real=[0, 1, 0, 1, 1], predicted=[0, 1, 0, 1, 1], score=[1, 2, 3, 4, 5]).area
    assert area.estimate == 0
    assert np.isnan([area.low, area.high]).all()
    assert [note.code for note in area.notes] == ["no-spread"]


def test_many_points_with_units_are_thinned_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """One limit: a curve of risks has fewer points, and tables that would lose their units are refused."""
    monkeypatch.setattr("informed.systems.risk_coverage.MOST_ENTRIES", 2000)
    monkeypatch.setattr("informed.decisions.curve.MOST_ENTRIES", 2000)
    given = scored(20, 5, np.random.default_rng(4))
    found = risk_coverage(**given)
    assert len(found.thresholds) == 20
    assert [note.code for note in found.notes] == ["steps"]
    assert found.tables.units is not None
    curve = roc(real=given["real"], score=given["score"], unit=given["unit"])
    with pytest.raises(InformedError, match="with units are too many"):
        _ = curve.tables
    assert curve.table_at(0.0).units is not None


def test_plans_are_in_units_and_not_in_weights() -> None:
    """Sixty patients of three lesions: plans count patients, and what a case weighs changes no plan."""
    rng = np.random.default_rng(1)
    unit, real = np.repeat(np.arange(60), 3), rng.integers(2, size=180)
    a, b = (np.where(rng.random(180) < x, 1 - real, real) for x in (0.1, 0.2))
    by_unit = compare.paired(real=real, a=a, b=b, unit=unit)
    cases = compare.paired(real=real, a=a, b=b)
    assert by_unit.power(n=60) == pytest.approx(by_unit.power())
    assert by_unit.sample_size(difference=0.1) <= cases.sample_size(difference=0.1)
    assert "180 cases of 60 units" in report(by_unit).answer
    assert by_unit.plans().names == ("difference", "power", "units")
    w = rng.integers(1, 4, 180)
    one, ten = (compare.paired(real=real, a=a, b=b, weights=w * x).sample_size(difference=0.1) for x in (1, 10))
    assert one == ten


def test_the_standard_error_between_units_divides_by_one_less() -> None:
    """Accuracies of two systems: a mean of differences, summed within eight units, by statsmodels' cluster formula."""
    rng = np.random.default_rng(4)
    unit = np.repeat(np.arange(8), [3, 5, 2, 6, 4, 4, 1, 7])
    real = rng.integers(0, 2, len(unit))
    a, b = (np.where(rng.random(len(unit)) < p, real, 1 - real) for p in (0.8, 0.6))
    gap = (a == real) * 1.0 - (b == real)
    found = compare.paired(real=real, a=a, b=b, unit=unit)
    sums = np.bincount(unit, gap - gap.mean())
    want = np.sqrt((sums**2).sum() * 8 / 7) / len(gap)
    assert found.joint is not None
    assert float(PairedContrast(find("accuracy"), found.joint).standard_error()) == pytest.approx(want)
    assert found["accuracy"].estimate == pytest.approx(gap.mean())
