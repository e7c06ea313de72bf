"""Laws over the registry: each measure must keep what its facts state, and no more than that.

All 2x2 tables with at most 12 cases and all 3x3 tables with at most 5 are read as two stacks.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from informed import MEASURES, InformedError, Measure, Table, Tally, decide, find, report, why
from informed._arrays import Array, ratio
from informed.measures.needs import NEEDS
from informed.measures.slopes import parts
from informed.summary.checks import check
from informed.summary.gates import bar
from strategies import SMALL2, SMALL3, SMALL23, every_table, fractional, large, lopsided, many_classes, rectangular

EVERY = list(MEASURES.values())
ANY_K = [m for m in EVERY if m.facts.classes == "any"]
RECTANGULAR = [m for m in ANY_K if not m.facts.square]
ORDINAL = {m.name for m in EVERY if m.facts.ordered}  # the order is part of the question
COSTS = {"accuracy_c", "precision_c", "f1_c", "wracc_c"}  # by default at the table's own skew
DEALT = {"adjusted_rand_index", "adjusted_mutual_information"}  # chance is a mean over deals

# Bounds that no table of SMALL2 shows: approached as counts grow, or by abstaining.
ELSEWHERE = {
    ("krippendorff_alpha", 0): Table.from_counts([[0, 1e12], [1e12, 0]]),
    ("lift", 1): Table.from_counts([[1e-50, 0], [0, 1e50]]),
    ("coverage", 0): Table.from_counts([[0, 0], [0, 0]], abstained=[1, 1]),
}
NOT_KNOWN_TO_BE_REACHED = {("adjusted_mutual_information", 0)}  # nobody has its least value


def of(measures: list[Measure]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("m", measures, ids=str)


def values(m: Measure, t: Table) -> Array:
    return np.asarray(m(t), dtype=np.float64)


def defined(m: Measure, t: Table) -> NDArray[np.bool_]:
    met = [np.asarray(NEEDS[name].met(t)) for name in m.facts.needs]
    return np.asarray(np.all(np.broadcast_arrays(*met), axis=0))


def same(a: Any, b: Any, rtol: float = 1e-9, atol: float = 1e-12) -> None:
    np.testing.assert_allclose(a, b, rtol=rtol, atol=atol, equal_nan=True)


def stacks(m: Measure) -> list[Table]:
    if m.facts.classes == "two":
        return [SMALL2]
    return [SMALL2, SMALL3] if m.facts.square else [SMALL2, SMALL3, SMALL23]


# ---------------------------------------------------------------- bounds, and where undefined


@of(EVERY)
def test_bounds_are_kept(m: Measure) -> None:
    for t in stacks(m):
        low, high = m.bounds(t)
        got = values(m, t)
        got = got[~np.isnan(got)]
        assert len(got)
        assert got.min() >= low - 1e-14  # a few units in the last place
        assert got.max() <= high + 1e-14 * max(1, abs(high) if np.isfinite(high) else 1)


@of(EVERY)
@pytest.mark.parametrize("end", [0, 1], ids=["low", "high"])
def test_bounds_are_reached(m: Measure, end: int) -> None:
    bound = m.facts.bounds[end]
    assert m.bounds(SMALL2)[end] == pytest.approx(bound)
    if (m.name, end) in NOT_KNOWN_TO_BE_REACHED:
        extreme = np.nanmin(values(m, every_table(3, 3, 5)))
        assert bound < extreme < -0.5  # no less than -1, and less than the adjusted Rand index
        return
    t = ELSEWHERE.get((m.name, end), SMALL2)
    got = values(m, t)
    extreme = np.nanmin(got) if end == 0 else np.nanmax(got)
    if (m.name, end) == ("lift", 1):
        assert extreme > 1e99  # grows as far as counts may
    else:
        assert extreme == pytest.approx(bound, abs=1e-12)


@of(EVERY)
def test_nan_exactly_where_a_need_fails(m: Measure) -> None:
    for t in stacks(m):
        np.testing.assert_array_equal(~np.isnan(values(m, t)), defined(m, t))


@of(EVERY)
def test_nothing_is_known_of_an_empty_table(m: Measure) -> None:
    empty = Table.from_counts(np.zeros((2, 2)))
    assert np.isnan(m(empty))
    assert np.isnan(m(empty, undefined="limit"))
    assert why(empty, m)


@of(EVERY)
def test_each_nan_has_its_reason_and_no_other_value_has_one(m: Measure) -> None:
    t = every_table(2, 2, 3)
    reasons = why(t, m)
    assert reasons.shape == t.shape
    for value, reason in zip(values(m, t), reasons, strict=True):
        assert (reason is None) == (not np.isnan(value))
        assert reason is None or "0/0" not in reason  # a sentence about the table


@of(EVERY)
def test_limit_replaces_nan_and_nothing_else(m: Measure) -> None:
    for t in stacks(m):
        plain, limit = values(m, t), np.asarray(m(t, undefined="limit"))
        known = ~np.isnan(plain)
        np.testing.assert_array_equal(limit[known], plain[known])
        filled = np.nan if m.facts.limit is None else m.facts.limit
        rest = limit[~known & np.asarray(t.total > 0)]
        np.testing.assert_array_equal(rest, np.full(rest.shape, filled))


def test_the_papers_limit_is_zero_where_nothing_departs_from_chance() -> None:
    no_gain = np.asarray(find("delta_tp")(SMALL2)) == 0
    for name in ("informedness", "markedness", "correlation", "matthews", "cohen_kappa"):
        got = np.asarray(MEASURES[name](SMALL2, undefined="limit"))
        assert (got[no_gain] == 0).all()


# ---------------------------------------------------------------- dual and inverse


@of([m for m in EVERY if m.facts.dual])
def test_dual(m: Measure) -> None:
    for t in stacks(m):
        same(values(MEASURES[str(m.facts.dual)], t.dual), values(m, t))


@of([m for m in EVERY if m.facts.inverse])
def test_inverse(m: Measure) -> None:
    same(values(MEASURES[str(m.facts.inverse)], SMALL2.inverse), values(m, SMALL2))


def test_a_missing_dual_or_inverse_is_really_missing() -> None:
    """Without the statement, no measure of the registry is it."""
    dual = {name: values(m, SMALL2.dual) for name, m in MEASURES.items()}
    inverse = {name: values(m, SMALL2.inverse) for name, m in MEASURES.items()}
    by_parameter = {"f_measure", "f_beta", "accuracy_c"}  # only at their default
    for m in EVERY:
        own = values(m, SMALL2)
        if m.facts.dual is None and not m.facts.abstentions:  # see Table.dual
            assert not [n for n, v in dual.items() if np.allclose(v, own, equal_nan=True)], m.name
        if m.facts.inverse is None and m.name not in by_parameter:
            assert not [n for n, v in inverse.items() if np.allclose(v, own, equal_nan=True)], m


@of([m for m in EVERY if m.facts.dual])
def test_dual_of_the_dual_is_the_same_number(m: Measure) -> None:
    back = MEASURES[str(m.facts.dual)].facts.dual
    same(values(MEASURES[str(back)], SMALL2), values(m, SMALL2))


@of([m for m in EVERY if m.facts.classes == "two"])
def test_sided_is_what_changes_with_the_positive_class(m: Measure) -> None:
    """A measure that is its own inverse needs no positive class, and any other one does."""
    given: list[dict[str, Any]] = [{}, {"c": 2.0}] if m.name in COSTS else [{}]
    unmoved = [np.allclose(m(SMALL2.inverse, **asked), m(SMALL2, **asked), equal_nan=True) for asked in given]
    assert m.sided == (not all(unmoved))


# ---------------------------------------------------------------- chance


@of([m for m in EVERY if m.facts.chance is not None and m.name not in DEALT])
def test_chance_is_the_value_of_the_independent_table(m: Measure) -> None:
    for t in stacks(m):
        guessed = values(m, t.independent)
        stated = m.facts.chance
        expected = values(MEASURES[stated], t) if isinstance(stated, str) else stated
        expected = np.broadcast_to(np.asarray(expected, dtype=np.float64), guessed.shape)
        known = ~np.isnan(guessed)
        assert known.any()
        same(guessed[known], expected[known], atol=1e-9)
        same(np.asarray(m.chance(t)), guessed, atol=0)


def deals(predicted: list[int], real: list[int]) -> tuple[Table, Array]:
    """Every 3x3 table with these margins, and how often dealing at random gives it."""
    from scipy.special import gammaln

    n = sum(real)
    cells = np.array(
        [
            (a, b, predicted[0] - a - b, c, d, predicted[1] - c - d)
            for a, b, c, d in product(range(n + 1), repeat=4)
            if a + b <= predicted[0] and c + d <= predicted[1]
        ]
    ).reshape(-1, 2, 3)
    last = np.array(real) - cells.sum(axis=1)
    tables = np.concatenate([cells, last[:, None]], axis=1)[(last >= 0).all(axis=1)]
    margins = gammaln(np.add([*predicted, *real], 1)).sum() - gammaln(n + 1)
    weight = np.exp(margins - gammaln(tables + 1.0).sum(axis=(1, 2)))
    return Table.from_counts(tables), np.asarray(weight)


MARGINS = [([3, 2, 2], [1, 4, 2]), ([2, 2, 2], [2, 2, 2]), ([5, 1, 1], [1, 1, 5]), ([4, 2, 0], [3, 3, 0])]


@pytest.mark.parametrize(("predicted", "real"), MARGINS)
def test_chance_is_the_mean_over_all_deals(predicted: list[int], real: list[int]) -> None:
    """For what is linear in the diagonal, and what is adjusted by that very mean."""
    t, weight = deals(predicted, real)
    assert weight.sum() == pytest.approx(1)
    linear = ["accuracy", "error_rate", "informedness", "markedness", "matthews", "cohen_kappa"]
    linear += ["scott_pi", "bennett_s", "gwet_ac1", "krippendorff_alpha"]
    for m in [find(name) for name in [*linear, *sorted(DEALT)]]:
        mean = float((weight * values(m, t)).sum())
        assert mean == pytest.approx(float(np.asarray(m.chance(t))[0]), abs=1e-12), m.name
    for text in ("informedness(weighting='bias')", "informedness(weighting='evenness')"):
        if 0 not in real:
            assert (weight * values(find(text), t)).sum() == pytest.approx(0, abs=1e-12)
    for mean_of in ("geometric", "min", "max"):
        adjusted = find(f"adjusted_mutual_information(mean={mean_of!r})")
        assert (weight * values(adjusted, t)).sum() == pytest.approx(0, abs=1e-12)


def test_each_class_scores_its_bias_by_chance() -> None:
    t, weight = deals([3, 2, 2], [1, 4, 2])
    recalls = np.asarray(find("recall").per_class(t))
    same((weight[:, None] * recalls).sum(axis=0), t.bias[0])
    precisions = np.asarray(find("precision").per_class(t))
    same((weight[:, None] * precisions).sum(axis=0), t.prevalence[0])


# ---------------------------------------------------------------- best


@of(EVERY)
def test_best_is_what_perfection_scores(m: Measure) -> None:
    found = []
    for t in stacks(m)[:2]:
        wrong = t.total - t.hits.sum(axis=0)
        complete = (t.real_totals > 0).all(axis=0)
        perfect = values(m, t)[(wrong == 0) & complete]
        found.append(perfect[~np.isnan(perfect)])
        assert len(found[-1])
    perfect = np.concatenate(found)
    if m.facts.best is not None:
        same(perfect, np.full(perfect.shape, m.facts.best), atol=1e-9)
    elif m.name not in {"coverage", "contingency_coefficient", "delta_tp", "wracc"}:
        assert len(np.unique(perfect.round(9))) > 1, "this measure has a best value"


# ---------------------------------------------------------------- what is ignored


@of([m for m in EVERY if m.name not in COSTS])
@pytest.mark.parametrize("k", [2, 3])
def test_what_is_ignored_and_nothing_else_is(m: Measure, k: int) -> None:
    if k == 3 and m.facts.classes == "two":
        k = 2
    rng = np.random.default_rng(20)
    counts, unanswered = rng.integers(1, 40, (20, k, k)), rng.integers(1, 40, (20, k))
    columns, rows = rng.integers(1, 6, (20, 1, k)), rng.integers(1, 6, (20, k, 1))
    plain = values(m, Table.from_counts(counts, abstained=unanswered))
    resampled = {
        "prevalence": Table.from_counts(counts * columns, abstained=unanswered * columns[:, 0]),
        "bias": Table.from_counts(counts * rows, abstained=unanswered),
    }
    ignored = () if k > 2 and m.facts.ignores_for_two else m.facts.ignores
    for what, t in resampled.items():
        unmoved = np.isclose(values(m, t), plain, rtol=1e-9, atol=1e-12)
        assert unmoved.all() if what in ignored else not unmoved.all(), what


@of([m for m in EVERY if "whole counts" not in m.facts.needs])
def test_scale_does_not_matter_except_to_what_corrects_for_it(m: Measure) -> None:
    t = every_table(2, 2, 6)
    tenfold = Table.from_counts(t.counts * 10)
    unmoved = np.isclose(values(m, tenfold), values(m, t), rtol=1e-9, atol=1e-12, equal_nan=True)
    counts_pairs = {"rand_index", "fowlkes_mallows_pairs"}
    small_sample = {"krippendorff_alpha", "cramers_v_corrected"}
    assert unmoved.all() == (m.name not in counts_pairs | small_sample)


# ---------------------------------------------------------------- what it is made of


def in_units(m: Measure, t: Table) -> Array:
    """Shares of `m.side`, subtracted and scaled to the bounds of the measure."""
    x1, n1, x0, n0 = m.two_shares(t)
    low, high = m.facts.bounds
    return np.asarray((low + high) / 2 + (high - low) / 2 * (ratio(x1, n1) - ratio(x0, n0)))


@of([m for m in EVERY if m.facts.share])
def test_share(m: Measure) -> None:
    silent = np.random.default_rng(4).integers(0, 9, (len(SMALL2), 2))
    tables = [*stacks(m), Table.from_counts(SMALL2.counts, abstained=silent)]
    for t in tables:
        assert m.facts.share is not None
        k, n = m.facts.share(t)
        assert ((k >= 0) & (k <= n)).all()
        quotient = (k, n) if m.facts.of_share is None else m.facts.of_share(k, n, t)
        known = np.asarray(n > 0)
        same(ratio(*quotient)[known], values(m, t)[known])


def test_what_is_a_share_says_so() -> None:
    """No other measure is the number of cases in some cells over that in these and others."""
    cells = SMALL2.cells.reshape(4, -1)
    chosen = [list(c) for size in (1, 2, 3) for c in combinations(range(4), size)]
    shares = {
        (*some, "of", *every): ratio(cells[some].sum(axis=0), cells[every].sum(axis=0))
        for some in chosen
        for every in [*chosen, [0, 1, 2, 3]]
        if set(some) < set(every)
    }
    for m in [m for m in EVERY if m.facts.share is None and m.name not in COSTS]:
        own = values(m, SMALL2)
        assert not [s for s, v in shares.items() if np.allclose(v, own, equal_nan=True)], m.name


@of([m for m in EVERY if m.side and not m.facts.abstentions])
def test_difference_of_two_shares(m: Measure) -> None:
    with np.errstate(invalid="ignore"):  # bounds that are infinite
        got, own = in_units(m, SMALL2), values(m, SMALL2)
    known = ~np.isnan(own)
    is_difference = np.allclose(got[known], own[known], equal_nan=True)
    assert is_difference == m.facts.difference


@of([m for m in EVERY if m.facts.classes == "two"])
def test_quotient_of_two_shares(m: Measure) -> None:
    t, own = SMALL2, values(m, SMALL2)
    rates = [(t.tp, t.rp, t.fp, t.rn), (t.fn, t.rp, t.tn, t.rn), (t.tp, t.pp, t.fn, t.pn)]
    found = [np.allclose(_over(*x), own, equal_nan=True) for x in rates]
    assert any(found) == (m.facts.quotient is not None)
    if m.facts.quotient is not None:
        same(_over(*m.facts.quotient(t)), own)


def _over(x1: Any, n1: Any, x0: Any, n0: Any) -> Array:
    return ratio(ratio(x1, n1), ratio(x0, n0))


@of([m for m in EVERY if m.facts.classes == "two"])
def test_functions_of_the_odds_ratio(m: Measure) -> None:
    odds, own = values(find("odds_ratio"), SMALL2), values(m, SMALL2)
    known = ~np.isnan(odds) & ~np.isnan(own)
    if m.facts.of_odds is not None:
        same(np.where(np.isinf(odds), own, m.facts.of_odds(odds))[known], own[known])
        ends = m.facts.of_odds(np.array([0.0, np.inf]))
        assert tuple(ends) == m.facts.bounds
    _, group = np.unique(odds[known], return_inverse=True)
    spread = [np.ptp(own[known][group == g]) for g in range(group.max()) if (group == g).sum() > 1]
    assert (max(spread) < 1e-9) == (m.facts.of_odds is not None)


@of([m for m in EVERY if m.fraction(SMALL2) is not None])
def test_fraction(m: Measure) -> None:
    """It is the measure, and polynomials in the false positives of the second degree at most;
    of the second only where the measure falls with them."""
    above, below = m.fraction(SMALL2) or (None, None)
    own = values(m, SMALL2)
    known = np.isfinite(own)
    assert (np.asarray(below) >= 0).all()
    size = ratio(above, below)[known]
    same(np.sqrt(size) if m.facts.squared else size, np.abs(own[known]) if m.facts.squared else own[known])

    (a, b), (c, d) = SMALL2.cells
    moved = [Table.from_counts(np.moveaxis(np.array([[a, b + x], [c, d + 8 - x]]), -1, 0)) for x in range(9)]
    each = np.array([np.broadcast_arrays(*(m.fraction(t) or ()), a)[:2] for t in moved])
    degree = max(np.abs(np.diff(each, order, axis=0)).max() > 1e-6 and order for order in (1, 2, 3))
    assert degree <= 2
    if degree == 2:
        steps = np.diff(np.array([values(m, t) for t in moved]), axis=0)
        assert (steps[~np.isnan(steps)] < 1e-12).all()


@of([m for m in ANY_K if m.facts.bounds[0] < 0 and m.facts.chance == 0 and m.facts.square])
def test_geometric_means(m: Measure) -> None:
    """A correlation is what its factors say, and states them if they are measures of their own."""
    pairs = [(a.name, a.facts.dual) for a in EVERY if a.side == "real" and a.facts.dual]
    if m.facts.factors is not None:
        for t in stacks(m):
            same(_geometric(*m.facts.factors, t), values(m, t), atol=1e-7)
        return
    for one, other in pairs:
        found = [_geometric(one, str(other), t) for t in stacks(m)] if m.reads(SMALL3) else []
        assert not all(np.allclose(f, values(m, t), equal_nan=True) for f, t in zip(found, stacks(m), strict=True)), (
            one,
            other,
        )


def _geometric(one: str, other: str, t: Table) -> Array:
    if not all(find(name).reads(t) for name in (one, other)):
        return np.full(t.shape, np.inf)
    a, b = values(find(one), t), values(find(other), t)
    return np.asarray(np.sign(a + b) * np.sqrt(np.maximum(a * b, 0)))


@of([m for m in EVERY if m.facts.near])
def test_near(m: Measure) -> None:
    near = find(str(m.facts.near))
    same(values(near, SMALL2), values(m, SMALL2))
    assert not np.allclose(values(near, SMALL3), values(m, SMALL3), equal_nan=True)
    assert near.smooth(3)
    assert m.smooth(2)
    assert not m.smooth(3)


@of([m for m in EVERY if "whole counts" not in m.facts.needs])
def test_largest_has_kinks_and_no_other_has(m: Measure) -> None:
    """Slopes from the left and from the right, at tables without empty cells and not at chance."""
    cells = SMALL2.cells[:, :, (SMALL2.cells > 0).all(axis=(0, 1))]
    cells = cells[:, :, np.abs(cells[0, 0] * cells[1, 1] - cells[0, 1] * cells[1, 0]) > 0]
    kinks = np.zeros(cells.shape[-1], dtype=bool)
    for at in ((0, 0), (0, 1), (1, 0), (1, 1)):
        steps = []
        for step in (-1e-5, 0.0, 1e-5):
            moved = cells.copy()
            moved[at] += step
            steps.append(values(m, Table.from_counts(np.moveaxis(moved, -1, 0))))
        kinks |= np.abs(steps[0] - 2 * steps[1] + steps[2]) > 1e-7
    assert (kinks.mean() > 0.02) == m.facts.largest


@of([m for m in EVERY if m.facts.slopes])
def test_slopes_are_those_of_the_measure(m: Measure) -> None:
    rng = np.random.default_rng(8)
    for k in (2, 3, 4):
        p = rng.dirichlet(np.ones(k * k + k), 20).T
        cells, silent = p[: k * k].reshape(k, k, -1), p[k * k :]
        if not m.facts.abstentions:
            cells, silent = cells / cells.sum(axis=(0, 1)), np.zeros((0, 20))
        assert m.facts.slopes is not None
        found = m.facts.slopes(*parts(cells), *([silent] if m.facts.abstentions else []))
        gone = found.silent if m.facts.abstentions else silent
        stated = np.concatenate([found.cells().reshape(-1, 20), gone])
        each = np.concatenate([cells.reshape(-1, 20), silent])

        def value(p: Array, k: int = k, stops: int = len(silent)) -> Array:
            shape = p[: k * k].reshape(k, k, -1)
            abstained = np.moveaxis(p[k * k :], 0, -1) if stops else None
            return values(m, Table.from_counts(np.moveaxis(shape, -1, 0), abstained=abstained))

        for i in range(len(each)):
            change = 1e-6 * (np.eye(len(each))[:, [i]] - each)  # a little more of one cell
            seen = (value(each + change) - value(each - change)) / 2e-6
            same((stated[i] - (stated * each).sum(axis=0)), seen, rtol=1e-5, atol=1e-7)


@of([m for m in ANY_K if m.facts.square and not m.facts.abstentions])
def test_hits_with_given_margins(m: Measure) -> None:
    """Of all tables with the same margins: as the stated sum of hits rises, so does the measure;
    one that states none does not rise or fall with the hits themselves."""
    asked = [m]
    if "weighting" in m.parameters:
        asked += [find(f"{m.name}(weighting={w!r})") for w in ("bias", "prevalence", "uniform")]
    for each in asked:
        rising = True
        for predicted, real in MARGINS[:3]:
            t, _ = deals(predicted, real)
            weights = each.hits(t)
            stated = weights is not None
            total = ((1.0 if weights is None else weights) * t.hits).sum(axis=0)
            order = np.argsort(total, kind="stable")
            steps, change = np.diff(total[order]), np.diff(values(each, t)[order])
            equal = steps < 1e-12
            rising &= bool((np.abs(change[equal]) < 1e-9).all() and (change[~equal] > 1e-12).all())
        assert rising == stated, str(each)


@of(EVERY)
def test_functions_of_the_margins(m: Measure) -> None:
    """The same wherever these totals are the same, and not so for fewer totals."""
    rng = np.random.default_rng(5)
    k = 2 if m.facts.classes == "two" else 3
    counts, silent = rng.integers(2, 9, (40, k, k)), rng.integers(2, 9, (40, k))
    first = np.eye(k, dtype=int)[0]
    step = first - np.eye(k, dtype=int)[1]
    moves = {  # of cells, and of abstentions
        "real": [(np.outer(step, first), 0)],
        "predicted": [(np.outer(first, step), 0)],
        "both": [(np.outer(step, step), 0)],
    }
    if m.facts.abstentions:  # the classes have their sizes in all
        moves["real"].append((-np.outer(first, first), first))

    def unmoved(side: str) -> bool:
        own = values(m, Table.from_counts(counts, abstained=silent))
        moved = [values(m, Table.from_counts(counts + c, abstained=silent + s)) for c, s in moves[side]]
        return all(np.allclose(x, own) for x in moved)

    found = [side for side in ("real", "predicted", "both") if unmoved(side) and unmoved("both")]
    assert m.margins == (found[0] if found else None)


@pytest.mark.parametrize("of_side", ["real", "predicted", "both"])
@pytest.mark.parametrize("name", ["evenness_plus", "evenness_minus", "evenness_harmonic", "evenness_det"])
def test_margins_of_evenness(name: str, of_side: str) -> None:
    assert find(f"{name}(of={of_side!r})").margins == of_side


@of(EVERY)
def test_abstentions_matter_to_what_reads_them(m: Measure) -> None:
    counts = SMALL2.counts[-400:]
    silent = np.random.default_rng(4).integers(1, 9, (400, 2))
    answered = values(m, Table.from_counts(counts))
    with_silent = values(m, Table.from_counts(counts, abstained=silent))
    assert np.allclose(answered, with_silent, equal_nan=True) != m.facts.abstentions


@of([m for m in EVERY if m.facts.powers])
def test_the_papers_intervals_are_of_what_is_corrected_for_chance(m: Measure) -> None:
    assert (m.facts.chance, m.facts.best, m.facts.bounds) == (0, 1, (-1, 1))


# ---------------------------------------------------------------- stacks, weights, merging


@of(EVERY)
def test_batch_equals_loop(m: Measure) -> None:
    t = SMALL2[::37]
    same(values(m, t), [m(one) for one in t], rtol=1e-13, atol=1e-15)
    grid = Table.from_counts(t.counts[:48].reshape(6, 8, 2, 2))
    same(values(m, grid), values(m, t[:48]).reshape(6, 8), rtol=1e-13, atol=1e-15)
    assert isinstance(m(t[0]), float)


@of(ANY_K)
def test_batch_equals_loop_for_three_classes(m: Measure) -> None:
    t = SMALL3[::97]
    same(values(m, t), [m(one) for one in t], rtol=1e-13, atol=1e-15)


@of(EVERY)
def test_weights_equal_repetition(m: Measure) -> None:
    rng = np.random.default_rng(3)
    real, predicted = rng.integers(0, 2, (2, 30))
    times = rng.integers(0, 4, 30)
    weighted = Table.from_labels(real=real, predicted=predicted, weights=times)
    repeated = Table.from_labels(real=np.repeat(real, times), predicted=np.repeat(predicted, times))
    same(m(weighted), m(repeated))


@of(EVERY)
def test_merging_equals_concatenation(m: Measure) -> None:
    rng = np.random.default_rng(4)
    real, predicted = rng.integers(0, 2, (2, 40))
    parts = [
        Table.from_labels(real=real[i : i + 8], predicted=predicted[i : i + 8], labels=[0, 1]) for i in range(0, 40, 8)
    ]
    whole = Table.from_labels(real=real, predicted=predicted)
    tally = Tally()
    for i in range(0, 40, 8):
        tally.update(real=real[i : i + 8], predicted=predicted[i : i + 8])
    merged = sum(parts[1:], parts[0])
    assert merged == sum(parts) == whole == tally.table()
    same(m(merged), m(whole), rtol=0, atol=0)


# ---------------------------------------------------------------- order of the classes


@of([m for m in ANY_K if m.name not in ORDINAL])
def test_the_order_of_classes_does_not_matter(m: Measure) -> None:
    for order in ([1, 2, 0], [0, 2, 1]):
        permuted = Table.from_counts(SMALL3.counts[:, order][:, :, order])
        same(values(m, permuted), values(m, SMALL3), atol=1e-9)


@pytest.mark.parametrize("name", sorted(ORDINAL))
def test_the_order_matters_to_ordinal_measures(name: str) -> None:
    m = find(name)
    order = [1, 0, 2]
    permuted = values(m, Table.from_counts(SMALL3.counts[:, order][:, :, order]))
    assert not np.allclose(permuted, values(m, SMALL3), equal_nan=True)
    reverse = [2, 1, 0]
    reversed_ = values(m, Table.from_counts(SMALL3.counts[:, reverse][:, :, reverse]))
    same(reversed_, values(m, SMALL3), atol=1e-9)


# ---------------------------------------------------------------- parameters


@pytest.mark.parametrize("beta", [0.2, 0.5, 1.0, 2.0, 7.0])
def test_f_beta_and_f_measure(beta: float) -> None:
    f_beta, f_measure = MEASURES["f_beta"], MEASURES["f_measure"]
    alpha = beta**2 / (1 + beta**2)
    same(f_beta(SMALL2, beta=beta), f_measure(SMALL2, alpha=alpha))
    same(f_beta(SMALL2.dual, beta=1 / beta), f_beta(SMALL2, beta=beta))
    same(f_measure(SMALL2.dual, alpha=1 - alpha), f_measure(SMALL2, alpha=alpha))
    recall, precision = find("recall")(SMALL2), find("precision")(SMALL2)
    both = (recall > 0) & (precision > 0)
    harmonic = 1 / (alpha / recall[both] + (1 - alpha) / precision[both])
    same(np.asarray(f_beta(SMALL2, beta=beta))[both], harmonic)


def test_f_measure_runs_from_precision_to_recall() -> None:
    known = defined(find("a_measure"), SMALL2)
    for alpha, name in ((0.0, "precision"), (0.5, "f1"), (1.0, "recall")):
        got = np.asarray(find("f_measure")(SMALL2, alpha=alpha))
        same(got[known], np.asarray(find(name)(SMALL2))[known])


def test_cost_forms_at_the_tables_own_skew_are_the_plain_measures() -> None:
    skew = np.asarray(find("skew")(SMALL2))
    inside = (skew > 0) & np.isfinite(skew)
    t = SMALL2[inside]
    for name in ("accuracy", "precision", "f1", "wracc"):
        form = MEASURES[f"{name}_c"]
        same(form(t, c=skew[inside]), find(name)(t))
        same(form(t), find(name)(t))
    same(find("accuracy_c")(t, c=1), find("auc_single")(t))
    same(find("wracc_c")(t, c=1), find("informedness")(t))


@pytest.mark.parametrize("name", sorted(COSTS))
@pytest.mark.parametrize("c", [0.25, 3.0])
def test_cost_forms_read_the_rates_alone(name: str, c: float) -> None:
    m = MEASURES[name]
    rng = np.random.default_rng(5)
    counts, columns = rng.integers(1, 40, (20, 2, 2)), rng.integers(1, 6, (20, 1, 2))
    plain = m(Table.from_counts(counts), c=c)
    same(m(Table.from_counts(counts * columns), c=c), plain)
    rows = np.swapaxes(columns, 1, 2)
    assert not np.allclose(m(Table.from_counts(counts * rows), c=c), plain)
    low, high = m.facts.bounds
    got = np.asarray(m(SMALL2, c=c))
    assert np.nanmin(got) >= low
    assert np.nanmax(got) <= high


@pytest.mark.parametrize("name", ["accuracy_c", "wracc_c"])
def test_the_inverse_of_a_cost_form_turns_the_costs_round(name: str) -> None:
    m = MEASURES[name]
    same(m(SMALL2.inverse, c=1 / 3), m(SMALL2, c=3))


WEIGHTINGS = {"prevalence": "bias", "bias": "prevalence", "uniform": "uniform", "evenness": "evenness"}


@pytest.mark.parametrize(("weighting", "dual"), WEIGHTINGS.items())
def test_weightings_of_informedness(weighting: str, dual: str) -> None:
    b, m = MEASURES["informedness"], MEASURES["markedness"]
    for t in (SMALL2, SMALL3):
        same(m(t.dual, weighting=dual), b(t, weighting=weighting))
        got = np.asarray(b(t, weighting=weighting))
        known = got[~np.isnan(got)]
        assert known.min() >= -1 - 1e-14
        assert known.max() <= 1 + 1e-14
        guessed = np.asarray(b(t.independent, weighting=weighting))
        same(guessed[~np.isnan(guessed)], 0 * guessed[~np.isnan(guessed)])
    known = defined(b, SMALL2)
    same(np.asarray(b(SMALL2, weighting=weighting))[known], np.asarray(b(SMALL2))[known])


@pytest.mark.parametrize("exponent", ["exact", "2/K", "1/(3K-2)", "4/(3K-2)"])
def test_exponents_of_the_determinant(exponent: str) -> None:
    b, m, c = (MEASURES[f"{x}_det"] for x in ("informedness", "markedness", "correlation"))
    for t in (SMALL2, SMALL3):
        same(m(t.dual, exponent=exponent), b(t, exponent=exponent))
        both = defined(c, t)
        one, other = (np.asarray(x(t, exponent=exponent))[both] for x in (b, m))
        mean = np.sign(one) * np.sqrt(np.abs(one * other))
        same(np.asarray(c(t, exponent=exponent))[both], mean)
    power = {"exact": 1.0, "2/K": 1.0, "1/(3K-2)": 0.25, "4/(3K-2)": 1.0}[exponent]
    plain = np.asarray(find("informedness")(SMALL2))
    same(b(SMALL2, exponent=exponent), np.sign(plain) * np.abs(plain) ** power)


@pytest.mark.parametrize(("base", "unit"), [("e", 1.0), ("2", np.log(2)), ("10", np.log(10))])
def test_bases_of_information(base: str, unit: float) -> None:
    names = ["mutual_information", "entropy_real", "entropy_predicted", "joint_entropy"]
    for name in [*names, "conditional_entropy", "conditional_entropy_predicted"]:
        m = find(f"{name}(base={base!r})")
        same(m(SMALL3), np.asarray(find(name)(SMALL3)) / unit)
        assert np.nanmax(m(SMALL3)) <= m.bounds(SMALL3)[1] + 1e-12


@pytest.mark.parametrize("mean", ["arithmetic", "geometric", "min", "max"])
def test_means_of_normalised_information(mean: str) -> None:
    h, g = find("entropy_real")(SMALL3), find("entropy_predicted")(SMALL3)
    average = {"arithmetic": (h + g) / 2, "geometric": np.sqrt(h * g), "min": np.minimum(h, g)}
    average["max"] = np.maximum(h, g)
    nmi = find(f"normalized_mutual_information(mean={mean!r})")
    got, information = np.asarray(nmi(SMALL3)), np.asarray(find("mutual_information")(SMALL3))
    there = average[mean] > 0
    same(got[there], information[there] / average[mean][there])
    assert np.isnan(got[~there]).all()
    ami = np.asarray(find("adjusted_mutual_information")(SMALL3, mean=mean))
    settled = ~np.isnan(ami)
    low, high = find(f"adjusted_mutual_information(mean={mean!r})").bounds(SMALL3)
    assert settled.any()
    assert ami[settled].min() >= low
    assert ami[settled].max() <= high + 1e-9


def test_adjusted_information_that_cannot_vary_is_undefined_not_noise() -> None:
    """Every real case on its own: information is the entropy of the predictions, whatever."""
    t = Table.from_counts([[1, 1, 0], [0, 0, 1]])
    m = find("adjusted_mutual_information")
    assert np.isnan(m(t, mean="min"))
    assert m(t) == 0


@pytest.mark.parametrize("name", ["linear", "quadratic"])
def test_weights_of_kappa(name: str) -> None:
    kappa = MEASURES["weighted_kappa"]
    same(kappa(SMALL2, disagreement=name), find("cohen_kappa")(SMALL2))
    power = {"linear": 1, "quadratic": 2}[name]
    apart = np.abs(np.subtract.outer(range(3), range(3))) ** power
    same(kappa(SMALL3, disagreement=apart), kappa(SMALL3, disagreement=name))
    same(kappa(SMALL3, disagreement=5 * apart), kappa(SMALL3, disagreement=name))
    same(kappa(SMALL3, disagreement=1 - np.eye(3)), find("cohen_kappa")(SMALL3))
    skewed = np.array([[0, 1, 5], [2, 0, 1], [1, 3, 0]])
    same(kappa(SMALL3.dual, disagreement=skewed.T), kappa(SMALL3, disagreement=skewed))


@pytest.mark.parametrize("weights", ["bias", "uniform", "prevalence"])
def test_weights_of_averages(weights: str) -> None:
    dual = {"bias": "prevalence", "prevalence": "bias", "uniform": "uniform"}[weights]
    for name in ("av_f", "av_g"):
        m = MEASURES[name]
        same(m(SMALL3.dual, weights=dual), m(SMALL3, weights=weights))
        got = np.asarray(m(SMALL3, weights=weights))
        assert np.nanmin(got) == 0
        assert np.nanmax(got) == pytest.approx(1)


@pytest.mark.parametrize("form", ["evenness_plus", "evenness_minus", "evenness_harmonic", "evenness_det"])
def test_sides_of_evenness(form: str) -> None:
    m = MEASURES[form]
    same(m(SMALL3.dual, of="real"), m(SMALL3, of="predicted"))
    both = np.sqrt(np.asarray(m(SMALL3)) * np.asarray(m(SMALL3, of="predicted")))
    same(m(SMALL3, of="both"), both)


@pytest.mark.parametrize(
    "text",
    [
        "informedness(weighting='fair')",
        "markedness(weighting='fair')",
        "informedness_det(exponent='3')",
        "f_beta(beta=0)",
        "f_beta(beta=-1)",
        "f_measure(alpha=1.5)",
        "accuracy_c(c=0)",
        "wracc_c(c=-2)",
        "mutual_information(base='7')",
        "normalized_mutual_information(mean='median')",
        "weighted_kappa(disagreement='cubic')",
        "weighted_kappa(disagreement=[[0, 1], [1, 1]])",
        "weighted_kappa(disagreement=[[0, 1, 1], [1, 0, 1]])",
        "av_f(weights='none')",
        "evenness_plus(of='neither')",
        "recall(average='mean')",
        "accuracy(average='macro')",
        "recall(undefined='zero')",
    ],
)
def test_a_wrong_parameter_is_said_in_one_sentence(text: str) -> None:
    parameter = text.partition("(")[2].partition("=")[0]
    with pytest.raises(InformedError, match=f"`{parameter}`.*(must|can be|is for)"):
        find(text)(Table.from_counts([[5, 1], [2, 4]]))


# ---------------------------------------------------------------- averages

TWO = [m for m in EVERY if m.facts.classes == "two"]


@of(TWO)
def test_averages_over_classes(m: Measure) -> None:
    t = Table.from_counts([[9, 2, 1], [3, 8, 2], [1, 1, 5]])
    each = np.asarray(m.per_class(t))
    assert each.shape == (3,)
    assert m(t, average="macro") == pytest.approx(each.mean())
    assert m(t, average="prevalence") == pytest.approx((t.prevalence * each).sum())
    assert m(t, average="weighted") == m(t, average="prevalence")
    assert m(t, average="bias") == pytest.approx((t.bias * each).sum())
    assert m(t, average="micro") == pytest.approx(m(t.one_vs_rest().sum()))
    stack = Table.from_counts([t.counts, t.counts.T + 1])
    for average in ("macro", "micro", "prevalence", "bias"):
        same(m(stack, average=average), [m(one, average=average) for one in stack])


# ---------------------------------------------------------------- large, lopsided, fractional, many


def within_bounds(t: Table, measures: list[Measure], slack: float) -> None:
    for m in measures:
        value = m(t)
        low, high = m.bounds(t)
        assert np.isnan(value) or low - slack <= value <= high + slack, (m.name, value, t.counts)


@settings(max_examples=20, deadline=None)
@given(large())
def test_large_tables_keep_the_bounds(t: Table) -> None:
    within_bounds(t, EVERY, 1e-9)


@settings(max_examples=20, deadline=None)
@given(lopsided())
def test_lopsided_tables_keep_the_bounds(t: Table) -> None:
    within_bounds(t, EVERY, 1e-9)


@settings(max_examples=20, deadline=None)
@given(fractional())
def test_fractional_tables_keep_bounds_and_duals(t: Table) -> None:
    within_bounds(t, EVERY, 1e-9)
    for m in EVERY:
        if m.facts.dual:
            same(MEASURES[m.facts.dual](t.dual), m(t), atol=1e-7)
        if m.facts.inverse:
            same(MEASURES[m.facts.inverse](t.inverse), m(t), atol=1e-7)


@settings(max_examples=15, deadline=None)
@given(many_classes())
def test_many_classes_keep_bounds_duals_and_order(t: Table) -> None:
    within_bounds(t, ANY_K, 1e-9)
    order = np.random.default_rng(t.k).permutation(t.k)
    permuted = Table.from_counts(t.counts[order][:, order])
    for m in ANY_K:
        if m.facts.dual:
            same(MEASURES[m.facts.dual](t.dual), m(t), atol=1e-7)
        if m.name not in ORDINAL:
            same(m(permuted), m(t), atol=1e-7)


@settings(max_examples=20, deadline=None)
@given(rectangular())
def test_rectangular_tables_keep_bounds_and_duals(t: Table) -> None:
    within_bounds(t, RECTANGULAR, 1e-9)
    for m in RECTANGULAR:
        assert np.isnan(m(t)) == (not defined(m, t))
        if m.facts.dual:
            same(MEASURES[m.facts.dual](t.dual), m(t), atol=1e-9)


@settings(max_examples=30, deadline=None)
@given(lopsided())
def test_nothing_is_lost_where_one_cell_dwarfs_the_others(t: Table) -> None:
    """Against exact fractions: a million million million to one costs no digits."""
    from fractions import Fraction

    (a, b), (c, d) = ([Fraction(float(x)) for x in row] for row in t.counts)
    n, wrong, gain = a + b + c + d, b + c, a * d - b * c
    chance = (a + b) * (b + d) + (c + d) * (a + c)
    shared = (2 * a + b + c) * (2 * d + b + c)
    exact = {
        "informedness": gain / ((a + c) * (b + d)),
        "markedness": gain / ((a + b) * (c + d)),
        "cohen_kappa": 1 - n * wrong / chance,
        "scott_pi": 1 - 2 * n * wrong / shared,
        "determination": gain**2 / ((a + c) * (b + d) * (a + b) * (c + d)),
        "lambda_real": 1 - (min(a, b) + min(c, d)) / min(a + c, b + d),
        "f1": 2 * a / (2 * a + b + c),
    }
    for name, value in exact.items():
        assert MEASURES[name](t) == pytest.approx(float(value), rel=1e-9, abs=1e-12), name


# ---------------------------------------------------------------- counts that are not whole


def with_empty_classes(k: int) -> Table:
    """Tables of small counts of which some have one class, one label, an empty class or independent sides."""
    rng = np.random.default_rng(31 + k)
    counts = rng.integers(1, 30, (60, k, k))
    counts[:10, 1:] = 0
    counts[10:20, :, 1:] = 0
    counts[20:30, 0] = 0
    counts[30:40] = rng.integers(1, 6, (10, k, 1)) * rng.integers(1, 6, (10, 1, k))
    counts[40:50] *= np.eye(k, dtype=int)
    return Table.from_counts(counts.astype(float), labels=list("abcd")[:k], positive="a" if k == 2 else None)


IN_PAIRS = {"rand_index", "adjusted_rand_index", "fowlkes_mallows_pairs", "adjusted_mutual_information"}
OF_SMALL_SAMPLES = {"krippendorff_alpha", "cramers_v_corrected"}
FREE_OF_SCALE = [m for m in EVERY if m.name not in IN_PAIRS | OF_SMALL_SAMPLES]
EVENLY = [find(f"{name}(weighting='evenness')") for name in ("informedness", "markedness")]


@of([*FREE_OF_SCALE, *EVENLY])
@pytest.mark.parametrize("scale", [0.1, 1 / 3, 1e-9, 1e6])
def test_a_measure_of_scaled_counts_is_that_of_the_counts_defined_or_not(m: Measure, scale: float) -> None:
    for k in (2, 3, 4):
        t = with_empty_classes(k)
        if m.reads(t):
            scaled = Table.from_counts(t.counts * scale, labels=t.labels, positive=t.positive)
            same(values(m, scaled), values(m, t))


@of([m for m in (*EVERY, *EVENLY) if m.name not in ORDINAL])
def test_the_order_of_the_classes_does_not_matter_to_decimal_counts(m: Measure) -> None:
    for k in (2, 3, 4):
        t = with_empty_classes(k)
        order = np.random.default_rng(k).permutation(k)
        if not m.reads(t):
            continue
        tenths = t.counts * 0.1
        permuted = tenths[:, order][:, :, order]
        named = [t.labels[i] for i in order]
        again = Table.from_counts(permuted, labels=named, positive=t.positive)
        same(values(m, again), values(m, Table.from_counts(tenths, labels=t.labels, positive=t.positive)))


def test_a_classifier_that_always_answers_alike_has_no_correlation_and_passes_no_gate() -> None:
    t = Table.from_counts([[1.5, 1.7, 0.1, 1.9], *[[0.0] * 4] * 3], labels=list("abcd"))
    assert np.isnan(find("matthews")(t))
    assert find("informedness")(t) == 0
    (gate,) = check(report(t, measures=["matthews"]), [bar("matthews=0.5")])
    assert not gate.passed
    assert not decide(t, 0.5, measure="matthews").passed
