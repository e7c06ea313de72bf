"""What units and weights are worth to a measure: golden cases, and laws that hold for any table."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import informed
from informed import MEASURES, Table, find
from informed._arrays import Array
from informed.evidence.unit_gram import GramUnits
from informed.evidence.units import Units
from informed.inference.heterogeneity import group_spread, heterogeneity
from informed.inference.influence import cells_of, functional
from informed.inference.proportions import mid_p, mid_p_tail
from informed.inference.sample import Sample
from informed.inference.sides import cells_given
from informed.inference.worth import Worth, worth
from repeats import of_units

PATTERNS = np.array([[3, 0, 1, 4], [2, 1, 0, 5], [0, 0, 3, 2], [4, 2, 0, 1], [0, 1, 0, 7], [1, 3, 2, 2]], dtype=float)
MULT = np.array([3, 2, 1, 2, 3, 1], dtype=float)
ITEMS = [(1, 6, 6), (1, 5, 6), (1, 0, 6), (1, 3, 3), (1, 1, 2), (0, 6, 6), (0, 6, 6), (0, 2, 6), (0, 1, 1), (0, 4, 4)]
ITEMS += [(0, 0, 3), (0, 6, 6)]  # real, right, asked


def with_units(patterns: Array, mult: Array, **said: Any) -> Table:
    """A table of two classes of units that hold these cells (tp, fp, fn, tn)."""
    row, cell = np.nonzero(patterns)
    units = Units(row, cell, patterns[row, cell], np.zeros(len(mult), dtype=np.int64), mult, **said)
    return replace(Table.from_counts((mult @ patterns).reshape(2, 2)), units=units)


U = with_units(PATTERNS, MULT, name="document")


def asked_items() -> Table:
    """Items of which each counts once, whatever the number of its answers."""
    held, squares, cases = np.zeros((len(ITEMS), 4)), np.zeros(4), np.zeros(4)
    for i, (real, right, asked) in enumerate(ITEMS):
        for cell, answers in zip((0, 2) if real else (3, 1), (right, asked - right), strict=True):
            held[i, cell] += answers / asked
            squares[cell] += answers / asked**2
            cases[cell] += answers
    found = with_units(held, np.ones(len(ITEMS)), of="item", name="item", asked=True)
    return replace(found, squares=squares.reshape(2, 2), cases=cases.reshape(2, 2))


def worth_of(t: Table, measure: str, **given: Any) -> Worth:
    m = find(measure)
    held = {"units": t.units, **given}
    return worth(functional(m, t), cells_of(t), cells_given(m, t), **held)


@pytest.mark.parametrize(
    ("measure", "effective_n", "df"),
    [
        ("informedness", 59.8804, 11.3177),
        ("markedness", 72.9065, 10.9155),
        ("matthews", 64.9510, 11.7737),
        ("cohen_kappa", 67.0219, 11.7599),
        ("accuracy", 62.9080, 12.4168),
        ("recall", 52.2568, 10.0831),
        ("precision", 85.1023, 9.8236),
        ("f1", 68.5188, 10.4215),
    ],
)
def test_units_are_worth_what_the_rule_says(measure: str, effective_n: float, df: float) -> None:
    found = worth_of(U, measure)
    assert found.effective_n == pytest.approx(effective_n, abs=5e-5)
    assert found.df == pytest.approx(df, abs=5e-5)


def test_the_steps_of_the_rule_for_recall() -> None:
    found = worth_of(U, "recall")
    steps = (found.size, found.leverage, found.rho, found.repetition)
    assert steps == pytest.approx((3.5333, 0.1235, 0.2895, 1.7414), abs=5e-5)
    assert (found.counting, found.correlated) == pytest.approx((8.491, 8.013), abs=5e-4)


def test_units_of_one_case_are_the_cases() -> None:
    singles = with_units(np.eye(4), MULT @ PATTERNS)
    for measure in ("informedness", "recall", "f1", "cohen_kappa"):
        found = worth_of(singles, measure)
        assert found.effective_n == 91
        assert np.isinf(found.df)


def test_weights_are_worth_something_else_to_each_measure() -> None:
    t = Table.from_counts([[48, 17], [20, 300]])
    weighted = {"squares": np.array([48.0, 17, 200, 3000]), "rows": np.array([48.0, 17, 2, 30])}
    wanted = {"precision": 385, "recall": 52.912, "informedness": 54.8805, "f1": 92.6987}
    for measure, effective_n in wanted.items():
        found = worth_of(t, measure, **weighted)
        assert found.effective_n == pytest.approx(effective_n, abs=5e-4), measure
        assert np.isinf(found.df)


def test_items_asked_several_times() -> None:
    t = asked_items()
    assert t.squares is not None
    wanted = {"accuracy": (15.3089, 15.4037), "informedness": (14.5687, 11.0711)}
    for measure, both in wanted.items():
        found = worth_of(t, measure, squares=t.squares.reshape(4))
        assert (found.effective_n, found.df) == pytest.approx(both, abs=5e-5)


def test_the_gram_of_units_says_nearly_the_same() -> None:
    gram = (PATTERNS * MULT[:, None]).T @ PATTERNS
    sizes = np.array([(MULT * PATTERNS.sum(axis=1) ** power).sum() for power in (1, 2, 3, 4)])
    for measure in ("informedness", "accuracy", "recall", "f1", "matthews"):
        by_rows, by_gram = worth_of(U, measure), worth_of(U, measure, units=GramUnits(gram, sizes, 12))
        assert by_gram.size == pytest.approx(by_rows.size)
        assert by_gram.counting == pytest.approx(by_rows.counting)
        assert by_gram.effective_n == pytest.approx(by_rows.effective_n, rel=0.01)
        assert by_gram.df == pytest.approx(by_rows.df, rel=0.06)


def test_weighted_singles_as_units_are_worth_what_the_weights_are() -> None:
    patterns = np.array([[2, 0, 0, 0], [0, 3, 0, 0], [0, 0, 2, 0], [0, 0, 0, 1], [0, 0, 0, 4]], dtype=float)
    mult = np.array([20.0, 4, 6, 30, 5])
    t = with_units(patterns, mult)
    squares = mult @ patterns**2
    for measure in ("recall", "informedness", "accuracy"):
        with_, without = (worth_of(t, measure, squares=squares, units=u) for u in (t.units, None))
        assert with_.effective_n == pytest.approx(float(without.effective_n))
        assert np.isinf(with_.df)


def test_a_stack_is_worth_what_its_tables_are() -> None:
    other = with_units(PATTERNS[::-1] + 1, MULT)
    both = [U, other]
    stack = Table.from_counts(np.stack([t.counts for t in both]))
    held = [t.units for t in both if t.units is not None]
    rows = np.cumsum([0, *(len(u.mult) for u in held)])
    joined = Units(
        np.concatenate([u.row + at for u, at in zip(held, rows, strict=False)]),
        np.concatenate([u.cell for u in held]),
        np.concatenate([u.weight for u in held]),
        np.repeat([0, 1], [len(u.mult) for u in held]),
        np.concatenate([u.mult for u in held]),
        (2,),
    )
    for measure in ("informedness", "precision", "cohen_kappa"):
        found = worth_of(replace(stack, units=joined), measure)
        each = [worth_of(t, measure) for t in both]
        for name in ("effective_n", "df", "leverage", "largest"):
            assert getattr(found, name).tolist() == pytest.approx([float(getattr(one, name)) for one in each])


# ---------------------------------------------------------------------- intervals, errors, groups


@pytest.mark.parametrize(
    ("measure", "error", "low", "high"),
    [
        ("informedness", 0.114088, 0.2407, 0.7546),  # errors of the first five: R survey, to 6 digits
        ("accuracy", 0.050225, 0.6519, 0.8776),
        ("recall", 0.105243, 0.4580, 0.9163),
        ("precision", 0.082295, 0.4460, 0.8151),
        ("f1", 0.074745, 0.4962, 0.8320),
        ("markedness", 0.100675, 0.2519, 0.7123),
        ("matthews", 0.105384, 0.2475, 0.7297),
        ("cohen_kappa", 0.103823, 0.2506, 0.7258),
    ],
)
def test_intervals_and_sandwiches_over_units(measure: str, error: float, low: float, high: float) -> None:
    found = informed.interval(U, measure)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)
    assert Sample(find(measure), U, 0.95).standard_error() == pytest.approx(error, abs=5e-7)


def test_two_phase_precision_is_that_of_its_own_cases() -> None:
    """All predicted positives were verified and a tenth of the rest: precision knows nothing of the weights."""
    squares, cases = np.array([[48.0, 17], [200, 3000]]), np.array([[48.0, 17], [2, 30]])
    t = replace(Table.from_counts([[48, 17], [20, 300]]), squares=squares, cases=cases)
    plain = informed.interval(Table.from_counts([[48, 17], [0, 0]]), "precision")
    found = informed.interval(t, "precision")
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high))
    recall = informed.interval(t, "recall")
    assert (recall.low, recall.high) == pytest.approx((0.3744, 0.9254), abs=5e-5)
    assert "worth 9.35 equally weighted ones for recall" in str(recall.notes[0])


def test_a_weight_that_was_not_seen_is_spoken_of() -> None:
    squares, cases = np.array([[48.0, 17], [0, 3000]]), np.array([[48.0, 17], [0, 30]])
    t = replace(Table.from_counts([[48, 17], [0, 300]]), squares=squares, cases=cases)
    found = informed.interval(t, "recall")
    assert any(note.code == "unseen-weight" and "weigh 10" in str(note) for note in found.notes)
    assert found.low < informed.interval(Table.from_counts([[48, 17], [0, 300]]), "recall").low - 0.1


def test_what_is_said_of_units() -> None:
    said = [str(note) for note in informed.interval(U, "recall").notes]
    assert said[0] == (
        "12 documents with 91 cases; for recall they are worth 52 independent cases (design effect 1.7) "
        "with 10 degrees of freedom."
    )
    assert said[1] == "Only 8 documents bear on recall; their spread is poorly known, and the interval is wide."
    giant = with_units(np.array([[30.0, 5, 10, 40], [1, 0, 0, 1]]), np.array([1.0, 9]), name="document")
    codes = {note.code for note in informed.interval(giant, "accuracy").notes}
    assert {"units", "few-units", "large-unit"} <= codes
    items = informed.interval(asked_items(), "accuracy")
    assert "Each item counts once: 12 items, 55 answers." in [str(note) for note in items.notes]


def test_a_report_says_of_each_measure_what_its_units_are_worth() -> None:
    report = informed.report(U)
    assert {e.measure: round(e.worth) for e in report.estimates if e.measure in ("informedness", "recall", "f1")} == {
        "informedness": 60, "recall": 52, "f1": 69,
    }  # fmt: skip
    said = report.text(full=True)
    assert re.search(r"Recall +0.733 +\[0.458, 0.916\] +52 ", said)
    assert "Only 8 documents bear on recall" in said
    again = informed.Report.from_json(report.json())
    assert again["recall"].worth == report["recall"].worth
    alone = informed.report(U.without_units())
    assert " worth " not in alone.text(full=True)
    assert "worth" not in alone.to_dict()["measures"]["recall"]


def test_the_least_and_most_answers_of_an_item_are_told() -> None:
    item = np.repeat(np.arange(5), [1, 3, 8, 2, 2])
    real = item % 2
    said = np.where(np.arange(16) % 3 == 0, 1 - real, real)
    t = Table.from_labels(real=real, predicted=said, item=item, positive=1)
    assert "Each item counts once: 5 items, 1 to 8 answers each." in [
        str(x) for x in informed.interval(t, "accuracy").notes
    ]
    silent = Table.from_labels(real=real, predicted=np.where(item == 2, -1, said), item=item, positive=1, abstain=-1)
    notes = [str(x) for x in informed.interval(silent, "accuracy").notes if x.code == "items"]
    assert notes
    assert "to 8" not in notes[0]  # those were no answers


@pytest.mark.parametrize(
    ("groups", "statistic", "within", "pvalue"), [(2, 1.460556, 9.8517, 0.255049), (3, 2.186096, 7.8478, 0.420458)]
)
def test_groups_over_units(groups: int, statistic: float, within: float, pvalue: float) -> None:
    units = np.repeat(PATTERNS, MULT.astype(int), axis=0).reshape(-1, 2, 2)
    place = np.arange(len(units)) % groups
    t = of_units(np.stack([np.where((place == g)[:, None, None], units, 0) for g in range(groups)]))
    for nested in (
        t,
        of_units(np.stack([np.where((place == g)[:, None, None], units, 0) for g in range(groups)]), linked=True),
    ):
        found = heterogeneity(nested, "informedness")
        assert (found.statistic, found.df, found.pvalue) == pytest.approx((statistic, groups - 1, pvalue), abs=5e-7)
        assert found.df_within == pytest.approx(within, abs=5e-5)
    if groups == 2:
        assert found.estimate == pytest.approx(0.545764, abs=5e-7)
        s = Sample(find("informedness"), t, 0.95)
        assert group_spread(s).variance_of(s.n / s.n.sum()) == pytest.approx(0.121318**2, abs=5e-7)
        whole = informed.interval(t.sum(-1), "informedness")
        assert found.high - found.low == pytest.approx(whole.high - whole.low, rel=0.05)


def test_groups_that_share_units_vary_together() -> None:
    """The same answers in both groups: they differ by nothing, and are known to."""
    units = np.repeat(PATTERNS, MULT.astype(int), axis=0).reshape(-1, 2, 2)
    shared = heterogeneity(of_units(np.stack([units, units]), linked=True), "informedness")
    assert shared.statistic == pytest.approx(0, abs=1e-9)
    apart = heterogeneity(of_units(np.stack([units, units])), "informedness")
    assert shared.df_within < apart.df_within


def test_a_surer_interval_of_few_units_does_not_lose_chance() -> None:
    """One unit holds half of the cases, so that hardly a degree of freedom is left, and four classes are guessed."""
    rng = np.random.default_rng(8)
    held = np.concatenate(
        [rng.multinomial(100, np.full(16, 1 / 16), (200, 1)), rng.multinomial(5, np.full(16, 1 / 16), (200, 20))],
        axis=1,
    )
    stack = of_units(held.reshape(200, 21, 4, 4))
    for measure in ("informedness", "markedness"):
        for level in (0.99, 0.999):
            found = informed.interval(stack, measure, level=level)
            off = (np.asarray(found.low) > 0) | (np.asarray(found.high) < 0)
            assert off.mean() <= 2 * (1 - level)


def test_mid_p_limits_are_where_the_tail_is_small() -> None:
    rng = np.random.default_rng(2)
    trials = np.concatenate([rng.uniform(0.5, 500, 300), 10 ** rng.uniform(1, 7, 100), np.arange(1.0, 50)])
    seen = trials * np.concatenate([rng.uniform(0.01, 1, 400), np.ones(49)])
    for level in (0.5, 0.95, 0.9999):
        low, high = mid_p(seen, trials, level)
        assert mid_p_tail(low, seen, trials) == pytest.approx(np.full(449, (1 - level) / 2), rel=1e-8)
        inside = seen < trials
        upper = 1 - mid_p_tail(high, seen, trials)[inside]
        assert upper == pytest.approx(np.full(inside.sum(), (1 - level) / 2), abs=1e-7)


def test_measures_without_slopes_draw_whole_units() -> None:
    units = 4 * np.eye(9).reshape(9, 3, 3).repeat([9, 2, 1, 3, 8, 4, 1, 0, 7], axis=0)
    how: dict[str, Any] = {"method": "bootstrap-centred"}
    drawn = informed.interval(of_units(units), "lambda_real", **how)
    plain = informed.interval(Table.from_counts(units.sum(axis=0)), "lambda_real", **how)
    assert drawn.width == pytest.approx(2 * plain.width, rel=0.25)
    both = informed.interval(of_units(np.stack([units, units])), "lambda_real", **how)
    assert both.low == pytest.approx([drawn.low] * 2, abs=0.05)


# ---------------------------------------------------------------------- asking twice changes nothing


@pytest.fixture(scope="module", params=[(2, "item"), (3, "item"), (2, "both"), (3, "both")], ids=str)
def once_and_again(request: pytest.FixtureRequest) -> tuple[Table, Table]:
    """Items asked once, in documents or not, and each as often as one likes with the same answer; some abstain."""
    classes, words = request.param
    rng = np.random.default_rng(classes)
    n = 60
    real = rng.integers(0, classes, n)
    said = np.where(rng.random(n) < 0.6, real, rng.integers(-1, classes, n))
    again = rng.permutation(np.repeat(np.arange(n), rng.integers(1, 50, n)))
    how: dict[str, Any] = {"abstain": -1, "labels": list(range(classes))}
    if words == "item":
        once = Table.from_labels(real=real, predicted=said, **how)
    else:
        once = Table.from_labels(real=real, predicted=said, unit=np.arange(n) // 5, **how)
        how["unit"] = again // 5
    return once, Table.from_labels(real=real[again], predicted=said[again], item=again, **how)


def test_the_same_answer_again_changes_no_interval(once_and_again: tuple[Table, Table]) -> None:
    once, again = once_and_again
    assert again.rows > 10 * once.rows
    assert once.cells.tolist() == again.cells.tolist()
    some = slice(len(once.labels) - 2 + 2 * (once.units is None), None, 4)  # each measure in one of the four
    smooth = [name for name, m in MEASURES.items() if m.smooth(2) or m.smooth(3)]  # others are drawn, slowly
    for measure in ("informedness", "recall", *smooth[some]):
        try:
            a, b = (informed.interval(t, measure) for t in (once, again))
        except informed.InformedError:
            continue
        np.testing.assert_array_equal(b.low, a.low, measure)
        np.testing.assert_array_equal(b.high, a.high, measure)
        np.testing.assert_array_equal(again.effective_n(measure), once.effective_n(measure), measure)
    w, v = (Sample(find("informedness"), t.answered, 0.95).worth for t in (once, again))
    assert (w is None) == (v is None)
    assert w is None or v is None or w.df == v.df < np.inf


@pytest.mark.parametrize("measure", ["informedness", "accuracy", "matthews", "bias"])
def test_the_same_answer_again_changes_no_pvalue(once_and_again: tuple[Table, Table], measure: str) -> None:
    a, b = (informed.test(t, measure) for t in once_and_again)
    assert (b.pvalue, b.method) == (a.pvalue, a.method)
    if measure != "bias":
        c, d = (informed.test(t, measure, against=0.4) for t in once_and_again)
        assert c.pvalue == d.pvalue


def test_answers_that_hardly_differ_are_worth_hardly_more_than_one() -> None:
    """Of 100 items in 20 documents, asked 4 times: each answer as the first, all but one, or each drawn anew."""
    rng = np.random.default_rng(4)
    item = np.repeat(np.arange(100), 4)
    real = item % 2
    right = np.repeat(rng.random(100) < 0.75, 4)
    once = Table.from_labels(real=real[::4], predicted=np.where(right, real, 1 - real)[::4], unit=item[::4] % 20)
    differs = right.copy()
    differs[0] = not differs[0]
    found = []
    for answers in (right, differs, rng.random(400) < 0.75):
        said = np.where(answers, real, 1 - real)
        t = Table.from_labels(real=real, predicted=said, item=item, unit=item % 20)
        found.append(float(t.effective_n("accuracy")))
    assert found[0] == once.effective_n("accuracy") <= 100
    assert found[1] == pytest.approx(found[0], rel=0.05)
    assert 250 < found[2] <= 400


def test_equal_weights_are_none() -> None:
    rng = np.random.default_rng(6)
    real, said, unit = rng.integers(0, 2, 90), rng.integers(0, 2, 90), rng.integers(0, 12, 90)
    plain, heavy = (
        Table.from_labels(real=real, predicted=said, unit=unit, weights=w) for w in (None, np.full(90, 7.0))
    )
    for measure in ("informedness", "recall", "f1"):
        assert heavy.effective_n(measure) == pytest.approx(plain.effective_n(measure))
        assert heavy.design_effect(measure) == pytest.approx(plain.design_effect(measure))
        a, b = (informed.interval(t, measure) for t in (plain, heavy))
        assert (a.low, a.high) == pytest.approx((b.low, b.high))
        assert [str(x) for x in a.notes if x.code == "units"] == [str(x) for x in b.notes if x.code == "units"]


def asked_twice(real: Any, said: Any, **how: Any) -> Table:
    """The table of items that are asked twice, with the same answer."""
    both: dict[str, Any] = {"real": np.repeat(real, 2), "predicted": np.repeat(said, 2), "positive": 1}
    both |= {name: np.repeat(x, 2) for name, x in how.items()}
    return Table.from_labels(**both)


@pytest.fixture(scope="module", params=["item", "unit"])
def once_and_twice(request: pytest.FixtureRequest) -> tuple[Table, Table]:
    rng = np.random.default_rng(9)
    real = rng.integers(0, 2, 150)
    said = np.where(rng.random(150) < 0.6, real, 1 - real)
    part = np.arange(150) % 3
    once = Table.from_labels(real=real, predicted=said, positive=1, by=part)
    return once, asked_twice(real, said, by=part, **{request.param: np.arange(150)})


@pytest.mark.parametrize("measure", ["informedness", "recall", "precision", "f1", "matthews", "accuracy"])
def test_asking_twice_changes_no_interval(once_and_twice: tuple[Table, Table], measure: str) -> None:
    once, twice = (t.sum(-1) for t in once_and_twice)
    for ask in (informed.interval, informed.posterior):
        a, b = ask(once, measure), ask(twice, measure)
        assert (b.low, b.high) == pytest.approx((a.low, a.high), abs=0.02)
    assert twice.effective_n(measure) == pytest.approx(150, rel=0.06)


def test_asking_twice_changes_no_test(once_and_twice: tuple[Table, Table]) -> None:
    once, twice = (t.sum(-1) for t in once_and_twice)
    a, b = (informed.test(t) for t in (once, twice))
    assert b.statistic == pytest.approx(a.statistic, rel=0.1)
    a, b = (informed.test(t, "bias", method="mcnemar") for t in (once, twice))
    assert b.statistic == pytest.approx(a.statistic)
    a, b = (informed.test(t, "informedness", against=0.1) for t in (once, twice))
    assert b.pvalue == pytest.approx(a.pvalue, abs=0.03)


def test_asking_twice_changes_no_groups(once_and_twice: tuple[Table, Table]) -> None:
    once, twice = once_and_twice
    a, b = (informed.slices(t) for t in (once, twice))
    assert b.heterogeneity.pvalue == pytest.approx(a.heterogeneity.pvalue, abs=0.05)
    assert b.standard_error == pytest.approx(a.standard_error, rel=0.06)
    one, two = (informed.report(t).overview for t in (once, twice))
    assert one is not None
    assert two is not None
    assert two.pvalue == pytest.approx(one.pvalue, abs=0.05)
    assert (two.stratified.low, two.stratified.high) == pytest.approx(
        (one.stratified.low, one.stratified.high), abs=0.02
    )


@pytest.mark.parametrize("told", [("unit",), ("item",), ()], ids=lambda told: told[0] if told else "cases")
def test_groups_do_not_depend_on_the_scale_of_weights(told: tuple[str, ...]) -> None:
    rng = np.random.default_rng(5)
    own = np.repeat(np.arange(100), 3)
    group, real, w = (
        x[own] for x in (rng.integers(3, size=100), rng.integers(2, size=100), rng.choice([1.0, 3.0], 100))
    )
    said = np.where(rng.random(300) < 0.7 + 0.08 * group, real, 1 - real)
    how: dict[str, Any] = dict.fromkeys(told, own) | {"real": real, "predicted": said, "by": group}
    one, other = (heterogeneity(Table.from_labels(weights=w * scale, **how), "informedness") for scale in (1, 0.01))
    for name in ("low", "high", "pvalue"):
        assert getattr(other, name) == pytest.approx(getattr(one, name))
    plain, even = (
        heterogeneity(Table.from_labels(weights=x, **how), "informedness") for x in (None, np.full(300, 7.0))
    )
    assert (even.low, even.pvalue) == pytest.approx((plain.low, plain.pvalue))


@pytest.mark.parametrize("each", [2, 8, 40])
def test_degrees_of_freedom_are_named_only_where_they_are_fewer_than_the_units_less_one(each: int) -> None:
    """On reports and in comparisons alike, of units of any size."""
    rng = np.random.default_rng(each)
    unit = np.repeat(np.arange(40), rng.integers(1, each + 1, 40))
    real = rng.integers(0, 2, len(unit))
    hard = rng.random(40)[unit]
    a, b = (np.where(rng.random(len(unit)) < 0.55 + 0.4 * hard**power, real, 1 - real) for power in (1, 3))
    pages = [
        informed.report(Table.from_labels(real=real, predicted=a, unit=unit)),
        informed.compare.paired(real=real, a=a, b=b, unit=unit),
    ]
    for page in pages:
        for named in re.findall(r"with (\d+) degrees of freedom", " ".join(page.text(full=True).split())):
            assert int(named) < 40 - 1
