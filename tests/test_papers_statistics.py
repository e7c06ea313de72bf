"""Statistics that the papers print and nobody else has: Yates cell by cell, the χ² of the other labels, their X."""

from __future__ import annotations

import json

import numpy as np
import pytest

import informed
from command_line import ok, refused
from informed import InformedError, Table
from informed.inference.powers_intervals import multiplier
from informed.inference.powers_tests import chi_squared_of_others
from informed.simulation import population
from informed.simulation.generators import shares

FIRST, SECOND = (Table.from_counts(c) for c in ([[56, 20], [12, 12]], [[30, 12], [30, 28]]))


def test_yates_only_for_cells_under_5() -> None:
    """ "Applied only for cell values under 5 is to subtract 0.5 from the absolute dp value for that cell.\""""
    t = Table.from_counts([[9, 3], [2, 6]])
    expected = np.outer([12, 8], [11, 9]) / 20
    gap = np.abs(np.array([[9, 3], [2, 6]]) - expected) - [[0, 0.5], [0.5, 0]]
    found = informed.test(t, "independence", method="yates", when="cells")
    assert found.statistic == pytest.approx((gap**2 / expected).sum())
    plain, every = (informed.test(t, "independence", method="yates", when=x).statistic for x in ("never", "all"))
    assert every < found.statistic < plain

    for large in (FIRST, SECOND):  # no cell under 5
        none, cells = (informed.test(large, "independence", method="yates", when=x) for x in ("never", "cells"))
        assert none.statistic == cells.statistic
        assert any("was not made" in str(note) for note in cells.notes)
    with pytest.raises(InformedError, match="`when` is 'some'"):
        informed.test(t, "independence", method="yates", when="some")  # type: ignore[arg-type]


def test_yates_of_a_report_and_of_the_command_line() -> None:
    """[[3, 2], [2, 9]]: |O − E| = 1.4375 in each cell, less 1/2 where fewer than 5 are; E is 25/16, 55/16, 121/16."""
    typed = ("table", "3 2 / 2 9", "--test", "yates", "--format", "json")
    wanted = 0.9375**2 * (16 / 25 + 2 * 16 / 55) + 1.4375**2 * 16 / 121
    found = json.loads(ok(*typed, "--when", "cells"))["tests"]["yates"]
    assert found["statistic"] == pytest.approx(wanted)
    assert not found["calibration"]  # measured as it is by default
    assert json.loads(ok(*typed))["tests"]["yates"]["calibration"]
    assert "--when is for the test yates, which is not among the --test." in refused(
        "table", "3 2 / 2 9", "--when", "all"
    )
    assert "'few' is not one of 'small', 'cells', 'all', 'never'" in refused(*typed, "--when", "few")
    with pytest.raises(InformedError, match="`when` is 'few'"):
        informed.report(Table.from_counts([[3, 2], [2, 9]]), tests="yates", when="few")  # type: ignore[call-overload]


def test_yates_of_a_stack_is_that_of_each_table() -> None:
    counts = np.random.default_rng(3).poisson(5, (20, 3, 3)) + 1
    whole = informed.test(
        Table.from_counts(counts, rows="predicted"), "independence", method="yates", when="cells"
    ).statistic
    each = [
        informed.test(Table.from_counts(c, rows="predicted"), "independence", method="yates", when="cells").statistic
        for c in counts
    ]
    assert whole == pytest.approx(each)


@pytest.mark.parametrize(("t", "minus"), [(FIRST, 3.5735), (SECOND, 1.6552)])
def test_the_others_of_two_labels_are_the_other(t: Table, minus: float) -> None:
    """χ² of the negative predictions of Table 2, computed apart from us."""
    assert chi_squared_of_others(t)[0] == pytest.approx(minus, abs=5e-5)
    assert chi_squared_of_others(t)[0] == pytest.approx(informed.test(t, method="minus-p").statistic)
    assert chi_squared_of_others(t)[1] == pytest.approx(informed.test(t, method="plus-p").statistic)


def test_weighed_by_bias_the_others_are_the_statistic_of_all() -> None:
    """(57), for systems that know or guess, whose B is the same for all labels, if predictions are even."""
    q = shares("geometric", 4)
    for guess, holds in (((0.25 - 0.4 * q) / 0.6, True), (q, False)):
        t = Table.from_counts(500 * population(0.4, k=4, prevalence=q, guess=guess).counts)
        summed, whole = float(np.sum(t.bias * chi_squared_of_others(t))), informed.test(t, method="xb").statistic
        assert (summed == pytest.approx(float(whole))) == holds
    uneven = Table.from_counts([[9, 1, 4], [2, 8, 1], [3, 2, 7]])
    assert chi_squared_of_others(uneven).shape == (3,)


def test_the_multiplier() -> None:
    """ "X = 1.96 gives .05 ... X = 1.65 is appropriate for a one-tailed hypothesis." Poisson from its sums."""
    from math import exp, factorial

    assert multiplier() == pytest.approx(1.96, abs=5e-4)
    assert multiplier(tails=1) == pytest.approx(1.645, abs=5e-4)
    below = np.cumsum([exp(-16) * 16**i / factorial(i) for i in range(60)])
    assert multiplier(mean=16) == (np.argmax(below >= 0.975) - 16) / 4
    wide, usual = (
        informed.interval(FIRST, "informedness", method="powers-1", x=x) for x in (multiplier(mean=16), multiplier())
    )
    assert wide.high - wide.low == pytest.approx((usual.high - usual.low) * multiplier(mean=16) / multiplier())
    for how in ({"mean": 0}, {"tails": 3}, {"level": 2}):
        with pytest.raises(InformedError):
            multiplier(**how)  # type: ignore[arg-type]
