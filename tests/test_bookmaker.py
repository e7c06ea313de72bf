"""The bookmaker: the four models of the 2003 paper, and that guessing earns nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from informed._arrays import Array
from informed.decisions.bookmaker import kelly, odds, payoffs
from informed.errors import InformedError
from informed.evidence.table import Table
from informed.measures import find

MODELS: dict[int, tuple[str, float, list[list[float]]]] = {
    1: ("guessing", 0.0, [[56, 24], [14, 6]]),
    2: ("knowing", 1.0, [[70, 0], [0, 30]]),
    3: ("knowing 15 %", 0.15, [[58.1, 20.4], [11.9, 9.6]]),
    4: ("knowing 15 % and saying the opposite", -0.15, [[47.6, 24.9], [22.4, 5.1]]),
}
# every legible cell of Figure 1, in per cent as printed (whole where it was printed whole)
PRINTED: dict[int, dict[str, float]] = {
    1: {"accuracy": 62, "f1": 74.67, "inverse_f1": 24.00, "av_f": 52.50, "g_measure": 74.83,
        "inverse_g": 24.49, "av_g": 59.85, "informedness": 0, "recall": 80, "inverse_recall": 20,
        "precision": 70, "inverse_precision": 30},
    2: {"accuracy": 100, "f1": 100, "inverse_f1": 100, "av_f": 100, "g_measure": 100,
        "inverse_g": 100, "av_g": 100, "informedness": 100},
    3: {"accuracy": 68, "f1": 78.25, "inverse_f1": 37.28, "av_f": 63.30, "g_measure": 78.38,
        "inverse_g": 37.80, "av_g": 67.00, "informedness": 15, "recall": 83, "inverse_recall": 32,
        "precision": 74, "inverse_precision": 45},
    4: {"accuracy": 53, "f1": 66.81, "inverse_f1": 17.74, "av_f": 37.94, "inverse_g": 17.76,
        "informedness": -15, "recall": 68, "inverse_recall": 17, "precision": 66,
        "inverse_precision": 19},
}  # fmt: skip
# winnings of the cells in order (TP, FP, FN, TN), of the columns; won by each row and weighted
WON = {
    1: ([8, -8, -2, 2], [6, -6], [0, 0], [0, 0]),
    2: ([10, 0, 0, 10], [10, 10], [10, 10], [7, 3]),
    3: ([8.3, -6.8, -1.7, 3.2], [6.6, -3.6], [1.5, 1.5], [1.18, 0.32]),
    4: ([6.8, -8.3, -3.2, 1.7], [3.6, -6.6], [-1.5, -1.5], [-1.0875, -0.4125]),
}


def model(i: int) -> Table:
    return Table.mixture(MODELS[i][1], prevalence=0.7, guess=0.8, n=100)


@pytest.mark.parametrize("i", MODELS)
def test_the_four_models_have_the_cells_of_the_figure(i: int) -> None:
    assert model(i).counts == pytest.approx(np.array(MODELS[i][2]))


@pytest.mark.parametrize(("i", "name"), [(i, name) for i in PRINTED for name in PRINTED[i]])
def test_every_legible_measure_of_the_figure(i: int, name: str) -> None:
    printed = PRINTED[i][name]
    digits = 0 if isinstance(printed, int) else 2
    weighed = f"{name}(weights='bias')" if name.startswith("av_") else name
    ours = 100 * float(find(weighed)(model(i)))
    assert abs(ours - printed) <= 0.5 * 10**-digits + 1e-9


@pytest.mark.parametrize("i", WON)
def test_every_legible_winning_of_the_figure(i: int) -> None:
    """Odds were reduced to a sum of 10, so that winnings are ten times those of unit payoffs."""
    cells, columns, rows, weighted = WON[i]
    found = payoffs(model(i), "unit")
    assert 10 * found.winnings.ravel() == pytest.approx(cells)
    assert 10 * found.columns == pytest.approx(columns)
    assert 10 * found.rows == pytest.approx(rows)
    assert 10 * found.weighted == pytest.approx(weighted, abs=0.005)
    assert found.guessing == pytest.approx(0, abs=1e-12)


def test_odds_are_written_in_every_way() -> None:
    o = odds(model(1))
    assert o.reduced() == ((3, 7), (7, 3))  # win 3 on the favourite, risk 7
    assert o.percent == pytest.approx([70, 30])
    assert o.decimal == pytest.approx([1 / 0.7, 1 / 0.3])
    assert o.fractional == ("3/7", "7/3")
    assert o.american == pytest.approx([-700 / 3, 700 / 3])
    assert odds(0.5).fractional == ("evens", "evens")
    assert len(o.to_frame()) == 2
    with pytest.raises(InformedError, match="add up to 1"):
        odds([0.5, 0.6])


def test_odds_on_a_rare_class_are_not_infinite() -> None:
    rare = odds(Table.from_counts([[9, 99], [1, 9891]], labels=["ill", "well"]))
    assert rare.fractional == ("999/1", "1/999")
    assert odds(0.004).reduced() == ((249, 1), (1, 249))


def test_fair_odds_are_fair() -> None:
    """A bet of the risk on a class wins the other number when it comes: nothing on average."""
    for p in (0.1, 0.25, 0.7):
        for (win, risk), q in zip(odds(p).reduced(), (p, 1 - p), strict=True):
            assert q * win - (1 - q) * risk == pytest.approx(0, abs=1e-12)


def test_the_table_of_two_horses_pays_in_per_cent() -> None:
    found = payoffs(model(1), "table")
    assert found.payoff == pytest.approx(np.array([[30, -70], [-30, 70]]))
    assert found.total == pytest.approx(0, abs=1e-9)
    with pytest.raises(InformedError, match="two classes"):
        payoffs(Table.from_counts(np.eye(3)), "table")


Probabilities = st.integers(2, 6).flatmap(lambda k: st.tuples(*[arrays(float, k, elements=st.floats(0.01, 1))] * 2))


@given(Probabilities)
def test_guessing_earns_nothing_whatever_is_guessed(pair: tuple[Array, Array]) -> None:
    guess, real = (x / x.sum() for x in pair)
    t = Table.from_counts(1000 * np.outer(guess, real))
    kinds = ("fixed-win", "unit", "table") if len(real) == 2 else ("fixed-win", "unit")
    for kind in kinds:
        found = payoffs(t, kind)  # type: ignore[arg-type]  # one of them
        assert found.total == pytest.approx(0, abs=1e-9)
        assert found.rows == pytest.approx(np.zeros(len(real)), abs=1e-9)
        assert set(found.verdicts) == {"guessed"}
    assert kelly(t) == pytest.approx(np.zeros(len(real)), abs=1e-9)
    stakes = np.arange(1.0, len(real) + 1)
    assert payoffs(t, stakes=stakes).expected_value == pytest.approx(0, abs=1e-9)


@given(st.integers(2, 5).flatmap(lambda k: arrays(float, (k, k), elements=st.integers(1, 40).map(float))))
def test_winnings_are_informedness(counts: Array) -> None:
    t = Table.from_counts(counts)
    fixed, unit = payoffs(t), payoffs(t, "unit")
    assert fixed.total == pytest.approx(find("informedness")(t))
    assert fixed.perfect == pytest.approx(1)
    each = np.asarray(find("informedness").per_class(t))
    assert unit.rows == pytest.approx(each)
    assert unit.weighted.sum() == pytest.approx(find("informedness(weighting='bias')")(t))
    assert fixed.rows == pytest.approx(t.prevalence * each)
    assert fixed.rows.sum() == pytest.approx(fixed.columns.sum())


def test_what_never_occurs_costs_nothing_and_one_class_has_no_payoffs() -> None:
    t = Table.from_counts([[8, 2, 0], [1, 9, 0], [1, 0, 0]])
    assert np.isfinite(payoffs(t, "unit").winnings).all()  # 0 cases at infinite odds
    assert payoffs(t).guessing == pytest.approx(0, abs=1e-12)
    with pytest.raises(InformedError, match="no fair odds"):
        payoffs(Table.from_counts([[10, 0], [5, 0]]))
    with pytest.raises(InformedError, match="empty"):
        odds(Table.from_counts(np.zeros((2, 2))))


def test_labels_are_informed_guessed_or_superstitious() -> None:
    t = Table.from_counts([[8, 1, 4], [1, 9, 4], [3, 2, 1]], labels=["a", "b", "c"])
    assert payoffs(t).verdicts == ("informed", "informed", "superstitious")
    assert len(payoffs(t).to_frame()) == 3
    with pytest.raises(InformedError, match="one number a label"):
        payoffs(t, stakes=[1, 0])


def test_kelly_by_its_definition() -> None:
    """f = (b·p − q)/b with b = (1 − Prev)/Prev to 1 and p the precision."""
    t = Table.from_counts([[8, 3], [2, 7]])
    precision, prevalence = np.array([8 / 11, 7 / 9]), t.prevalence
    b = (1 - prevalence) / prevalence
    assert kelly(t) == pytest.approx((b * precision - (1 - precision)) / b)
