"""Tables from rounded figures: against plain enumeration, and the twelve classes of 2003."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from informed._arrays import ratio
from informed.decisions.recover import recover
from informed.errors import InformedError, TableError
from informed.evidence.table import Table
from informed.measures import MEASURES, Measure, find
from informed.papers.examples import SIX


def every_table(n: int) -> Table:
    """All tables of n cases."""
    cells = [(a, b, c) for a, b, c in product(range(n + 1), repeat=3) if a + b + c <= n]
    return Table.from_counts([[[a, b], [c, n - a - b - c]] for a, b, c in cells])


EVERY = every_table(14)
NAMES = [name for name, m in MEASURES.items() if m.reads(EVERY) and not m.parameters and m.facts.bounds[1] <= 1]


def brute(figures: dict[str, str]) -> set[tuple[float, ...]]:
    fits = np.ones(len(EVERY), dtype=bool)
    for name, printed in figures.items():
        digits = len(printed.partition(".")[2])
        values = np.asarray(find(name)(EVERY))
        half = 0.5 * 10.0**-digits + 1e-9
        with np.errstate(invalid="ignore"):
            fits &= np.abs(values - float(printed)) <= half
    return {tuple(c.ravel()) for c in EVERY.counts[fits]}


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, len(EVERY) - 1),
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True),
    st.integers(0, 3),
)
def test_every_table_that_agrees_is_found_and_no_other(which: int, names: list[str], digits: int) -> None:
    t = EVERY[which]
    values = {name: float(find(name)(t)) for name in names}
    figures: dict[str, Any] = {name: f"{v:.{digits}f}" for name, v in values.items() if np.isfinite(v)}
    if not figures:
        return
    found = recover(n=14, **figures)
    assert {tuple(c.ravel()) for c in found.tables.counts} == brute(figures)
    assert tuple(t.counts.ravel()) in {tuple(c.ravel()) for c in found.tables.counts}
    assert found.count == len(found.tables)
    b = np.asarray(find("informedness")(found.tables))
    if not np.isnan(b).all():
        assert (found.low, found.high) == (np.nanmin(b), np.nanmax(b))


def test_the_papers_table_comes_back_from_its_rounded_figures() -> None:
    found = recover(n=100, recall="82.35 %", precision="73.68%", accuracy="68.00 %")
    assert found.tables.counts.tolist() == [[[56, 20], [12, 12]]]
    assert found.range("cohen_kappa")[0] == pytest.approx(0.2126, abs=5e-5)
    assert "[[56, 20], [12, 12]]" in found.sentence()


def test_figures_that_no_table_has_are_proved_impossible() -> None:
    found = recover(n=200, recall="0.82", precision="0.74", f1="0.90")
    assert not found.possible
    assert np.isnan(found.low)
    assert "all were searched" in found.sentence()
    assert found.without["recall = 0.82"] == 0  # even a recall of 1 gives F1 = 0.85
    assert (found.without["f1 = 0.90"] or 0) > 0
    # 0.82 of 7 positives is impossible: 5/7 = 0.71, 6/7 = 0.86
    assert not recover(n=20, positives=7, recall="0.82").possible


def test_digits_are_kept_as_printed() -> None:
    assert recover(n=10, positives=4, recall="0.5").count == 7  # any specificity
    short, long = (recover(n=300, positives=70, recall="0.8"), recover(n=300, positives=70, recall="0.80"))
    assert short.count == 7 * 231  # 53 … 59 of 70
    assert long.count == 1 * 231  # 56 of 70
    cut = recover(n=300, positives=70, recall="0.8", rounding="down")
    assert cut.count == 8 * 231  # 56 … 63: 0.9 itself is at the edge
    assert recover(n=300, positives=70, recall=0.8).count == short.count


def test_whole_numbers_are_exact() -> None:
    found = recover(positives=68, negatives=32, tp=56, called=76)
    assert found.tables.counts.tolist() == [[[56, 20], [12, 12]]]
    assert recover(n=100, fn=12, tn=12, fp=20).tables.counts.tolist() == [[[56, 20], [12, 12]]]


@pytest.mark.parametrize(
    ("given_", "said"),
    [
        ({"recall": "0.8"}, "number of cases"),
        ({"n": 10}, "Too little"),
        ({"n": 10_000, "mcc": "0.2"}, "Too little"),
        ({"n": 10, "recall": "82"}, "82 %"),
        ({"n": 10, "recall": "high"}, "as printed"),
        ({"n": 10, "recal": "0.8"}, "Did you mean recall"),
        ({"n": 10.5, "recall": "0.8"}, "whole number"),
        ({"n": 100_000, "recall": "0.8"}, "10,000"),
        ({"n": 10, "positives": 4, "negatives": 5, "recall": "0.8"}, "but there are 9"),
        ({"n": 10, "recall": "0.8", "rounding": "up"}, "rounding"),
    ],
)
def test_what_cannot_be_searched_is_refused(given_: dict[str, Any], said: str) -> None:
    with pytest.raises(InformedError, match=said):
        recover(**given_)


def test_ten_thousand_cases_are_searched_quickly() -> None:
    import time

    start = time.process_time()
    found = recover(n=10_000, recall="0.823", precision="0.741", f1="0.780", accuracy="0.681")
    assert found.count > 1000
    assert time.process_time() - start < 2
    t = found.tables
    assert np.round(find("recall")(t), 3) == pytest.approx(0.823, abs=1.1e-3)


# ---------------------------------------------------------------------- the 2003 paper

CLASSES = ["A", "B", "E", "G", "H", "I", "K", "M", "N", "O", "P", "Z"]
PRINTED = {
    "r": (100, 3, 33, 7, 13, 10, 33, 100, 100, 8, 13, 20),
    "p": (35, 100, 100, 33, 25, 100, 25, 33, 24, 25, 100, 100),
    "B": (100, -24, 32, -2, 5, 4, 32, 100, 100, 1, -2, 18),
    "F": (52, 5, 50, 11, 17, 18, 29, 50, 39, 13, 22, 33),
    "G": (60, 16, 58, 15, 18, 32, 29, 58, 49, 14, 35, 45),
}
SMALL = {
    "B": (1, 37, 1),
    "E": (1, 3, 1),
    "G": (1, 15, 3),
    "H": (2, 15, 8),
    "I": (1, 10, 1),
    "K": (1, 3, 4),
    "O": (1, 12, 4),
    "P": (3, 24, 3),
    "Z": (1, 5, 1),
}


def triples(label: str) -> list[tuple[int, int, int]]:
    """(tp, X, Y) of a class: X the denominator of row r, Y of row p, as printed in per cent."""
    i = CLASSES.index(label)
    found = recover(
        n=170,
        recall=f"{PRINTED['r'][i]} %",
        precision=f"{PRINTED['p'][i]} %",
        f1=f"{PRINTED['F'][i]} %",
        g_measure=f"{PRINTED['G'][i]} %",
    )
    t = found.tables
    tp, x, y = t.tp, t.rp, t.pp
    b = 100 * (ratio(tp, x) - ratio(x - tp, 170 - x))  # the margins interchanged
    fits = np.abs(b - PRINTED["B"][i]) <= 0.5 + 1e-9
    return [tuple(int(v) for v in row) for row in np.array([tp, x, y]).T[fits]]  # type: ignore[misc]  # three of them


@pytest.mark.parametrize("label", SMALL)
def test_each_small_class_of_2003_has_one_triple(label: str) -> None:
    assert triples(label) == [SMALL[label]]


def test_six_choices_for_the_large_classes_of_2003_fit_both_margins() -> None:
    tp, x, y = (sum(t[i] for t in SMALL.values()) for i in range(3))
    joint = [
        (a, m, n)
        for a, m, n in product(triples("A"), triples("M"), triples("N"))
        if a[1] + m[1] + n[1] + x == 170 and a[2] + m[2] + n[2] + y == 170
    ]
    assert len(joint) == 6
    joint.sort()
    assert joint[3] == ((28, 28, 79), (8, 8, 24), (10, 10, 41))  # the one that is shown
    assert {x: sorted(choice[i][2] for choice in joint) for i, x in enumerate("AMN")} == SIX
    for a, m, n in joint:
        assert tp + a[0] + m[0] + n[0] == 58
        every = [*SMALL.values(), a, m, n]
        # Y are the classes, X the clusters: informedness is Σ dtp/(1 − Prev)
        right = sum((Fraction(h, 170) - Fraction(x * y, 170**2)) / (1 - Fraction(y, 170)) for h, x, y in every)
        assert float(right) == pytest.approx(0.330, abs=5e-4)
        assert float(right) * 170 / 501 == pytest.approx(0.112, abs=5e-4)


def test_the_papers_own_formula_does_not_give_its_row() -> None:
    """Class B: r = 3, p = 100 leaves no false positives, so B is about +3, and −24 is printed."""
    found = recover(n=170, recall="3 %", precision="100 %")
    assert found.range("informedness")[0] > 0.02
    with pytest.raises(TableError, match="outside"):
        recover(n=170, informedness="-124 %")


@pytest.mark.parametrize("name", [m.name for m in MEASURES.values() if m.fraction(EVERY) is not None])
def test_fractions_only_shorten_the_search(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All tables that agree are found as well without looking at the parts of the measure."""
    rng = np.random.default_rng(6)
    for _ in range(25):
        n = int(rng.integers(5, 30))
        cells = rng.multinomial(n, rng.dirichlet([1] * 4)).reshape(2, 2)
        value = float(find(name)(Table.from_counts(cells, rows="predicted")))
        if not np.isfinite(value):
            continue
        asked: dict[str, Any] = {name: f"{value + 0.0:.2f}"}
        found = recover(n=n, **asked)
        with monkeypatch.context() as patched:
            patched.setattr(Measure, "fraction", lambda self, t: None)
            every = recover(n=n, **asked)
        assert found.count == every.count > 0
        assert (found.low, found.high) == pytest.approx((every.low, every.high), nan_ok=True)
