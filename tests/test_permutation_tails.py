"""The default test against guessing: counted tables, laws, hand-overs, and sizes in the whole tail."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product
from math import comb, factorial, prod
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import error_rates
import informed
from informed import Table
from informed.evidence.cells import mixture
from informed.inference import hypergeometric_tails as hypergeometric
from informed.inference import listed_tails
from informed.inference.calibration import measured
from informed.inference.permutation import excess_and_variance, weights_for_tails, weights_of
from informed.inference.permutation_tails import found_tails
from informed.inference.possible_tables import drawn, tables
from informed.measures import find

MEASURES = ("informedness", "markedness", "matthews", "cohen_kappa", "accuracy")
B = find("informedness")

COUNTED = [  # table, two-sided, greater: all tables with the margins counted by another program
    ([[1, 1], [1, 117]], 0.016666667, 0.016666667),
    ([[3, 17], [7, 973]], 3.875416e-4, 3.875416e-4),
    ([[56, 20], [12, 12]], 0.033614854, 0.019111687),
    ([[2, 0], [1, 47]], 0.0012244898, 0.0012244898),
    ([[0, 6], [7, 27]], 0.1990225, 0.85572455),
    ([[8, 92], [12, 9888]], 4.3471913e-12, 4.3471913e-12),
    ([[2, 0, 1], [0, 2, 1], [1, 1, 22]], 5.2309376e-4, 5.2309376e-4),
    ([[1, 0, 3], [1, 1, 2], [2, 2, 108]], 0.0022667522, 0.0022667522),
]
SMOOTH = [  # table, two-sided, greater: the saddlepoint; and the two-sided value counted or drawn 10⁷ times
    ([[7, 4, 3], [3, 6, 4], [2, 4, 7]], 0.0279, 0.0166, 0.027477718),
    ([[50, 12, 9], [10, 14, 6], [8, 5, 16]], 2.881e-8, 2.764e-8, 2.7620e-8),
    ([[5, 2, 2, 1], [2, 4, 2, 2], [2, 2, 4, 2], [1, 2, 2, 5]], 0.004260, 0.003591, 0.0042151),
    ([[1, 0, 1, 11], [0, 1, 0, 12], [0, 1, 1, 9], [11, 10, 12, 931]], 0.004834, 0.004834, 0.003059),
]


def p_of(counts: Any, measure: str = "informedness", alternative: Any = "two-sided", **more: Any) -> Any:
    t = counts if isinstance(counts, Table) else Table.from_counts(counts, rows="predicted")
    return informed.test(t, measure, alternative=alternative, **more).pvalue


# ------------------------------------------------------------------ against other counts


@pytest.mark.parametrize(("counts", "two_sided", "greater"), COUNTED)
def test_golden_tables_that_are_counted(counts: Any, two_sided: float, greater: float) -> None:
    assert_allclose(p_of(counts), two_sided, rtol=1e-6)
    assert_allclose(p_of(counts, alternative="greater"), greater, rtol=1e-6)


@pytest.mark.parametrize(("counts", "two_sided", "greater", "counted"), SMOOTH)
def test_golden_tables_that_are_not_counted(counts: Any, two_sided: float, greater: float, counted: float) -> None:
    assert_allclose(p_of(counts), two_sided, rtol=0.01)
    assert_allclose(p_of(counts, alternative="greater"), greater, rtol=0.01)
    assert 0.4 < p_of(counts) / counted < 4


def test_golden_table_beyond_the_sums() -> None:
    """The far tail stands on whole numbers: read at a broken one it would be up to 15 % off."""
    counts = [[943, 2057], [2060, 4940]]
    assert_allclose(p_of(counts), 0.0443131650, rtol=2e-5)
    assert_allclose(p_of(counts, alternative="greater"), 0.0227524430, rtol=2e-5)


def by_fractions(counts: Any) -> tuple[Fraction, Fraction]:
    """Two-sided and greater mid-P of a table of two classes, in whole numbers."""
    (a, b), (c, d) = counts
    real, said, n = a + c, a + b, a + b + c + d
    ways = {x: comb(real, x) * comb(n - real, said - x) for x in range(max(0, real + said - n), min(real, said) + 1)}
    all_ways = comb(n, said)
    seen = abs(n * a - real * said)
    far = {x: abs(n * x - real * said) for x in ways}
    two = sum(w * (2 if far[x] > seen else int(far[x] == seen)) for x, w in ways.items())
    up = sum(w * (2 if x > a else int(x == a)) for x, w in ways.items())
    return Fraction(1) if seen == 0 else Fraction(two, 2 * all_ways), Fraction(up, 2 * all_ways)


def test_two_classes_in_fractions() -> None:
    """60 tables of 2 to 400 cases, sparse and dense, to ten digits."""
    rng = np.random.default_rng(5)
    for _ in range(60):
        n, (q, r) = int(rng.integers(2, 400)), rng.uniform(0.01, 0.6, 2)
        truth = mixture(rng.choice([0.0, 0.4]), np.array([q, 1 - q]), np.array([r, 1 - r]))
        counts = rng.multinomial(n, truth.ravel()).reshape(2, 2).tolist()
        two, up = by_fractions(counts)
        if min(len(set(np.sum(counts, axis=i)) - {0, n}) for i in (0, 1)) == 0:
            assert p_of(counts) == 1
            continue
        assert_allclose(p_of(counts), float(two), rtol=1e-10)
        assert_allclose(p_of(counts, alternative="greater"), float(up), rtol=1e-10)


def every_table(rows: tuple[int, ...], columns: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All tables with these margins, row by row."""
    if len(rows) == 1:
        yield (columns,)
        return
    for cells in product(*(range(c + 1) for c in columns)):
        if sum(cells) == rows[0]:
            left = tuple(c - x for c, x in zip(columns, cells, strict=True))
            yield from ((cells, *rest) for rest in every_table(rows[1:], left))


def by_listing(counts: Any, weights: list[Fraction], alternative: str) -> float:
    """Mid-P in fractions from every table with these margins."""
    rows, columns = tuple(map(sum, counts)), tuple(map(sum, zip(*counts, strict=True)))
    sums: dict[Fraction, Fraction] = {}
    for cells in every_table(rows, columns):
        s = sum((w * cells[i][i] for i, w in enumerate(weights)), Fraction(0))
        chance = Fraction(1, prod(factorial(x) for row in cells for x in row))
        sums[s] = sums.get(s, Fraction(0)) + chance
    mean = sum((w * r * c for w, r, c in zip(weights, rows, columns, strict=True)), Fraction(0)) / sum(rows)
    seen = sum((w * counts[i][i] for i, w in enumerate(weights)), Fraction(0))

    def more(s: Fraction) -> Any:
        if alternative == "two-sided":
            return abs(s - mean) - abs(seen - mean)
        return s - seen if alternative == "greater" else seen - s

    if alternative == "two-sided" and seen == mean:
        return 1.0
    share = sum(c * (1 if more(s) > 0 else Fraction(more(s) == 0, 2)) for s, c in sums.items())
    return float(share / sum(sums.values()))


def test_several_classes_in_fractions() -> None:
    """Every small table is listed, whatever the measure weighs its hits by."""
    rng = np.random.default_rng(7)
    seen = 0
    for _ in range(12):
        k = int(rng.integers(3, 5))
        counts = rng.multinomial(int(rng.integers(5, 10)), rng.dirichlet(np.full(k * k, 0.7))).reshape(k, k).tolist()
        n = int(np.sum(counts))
        real, said = np.sum(counts, axis=0).tolist(), np.sum(counts, axis=1).tolist()
        weights = {
            "informedness": [Fraction(n, n - r) if r < n else Fraction(0) for r in real],
            "markedness": [Fraction(n, n - p) if p < n else Fraction(0) for p in said],
            "accuracy": [Fraction(1)] * k,
        }
        for (measure, w), side in product(weights.items(), ("two-sided", "greater", "less")):
            t = Table.from_counts(counts)
            if found_tails(t, np.asarray(weights_of(find(measure), t)), side).fixed:
                continue
            assert_allclose(p_of(t, measure, side), by_listing(counts, w, side), rtol=1e-9)
            seen += 1
    assert seen > 60


# ------------------------------------------------------------------ laws


def hard_tables(rng: np.random.Generator, k: int, size: int) -> Table:
    """Even, sparse, dominated, matching and contrary margins, some classes empty, some systems skilled."""
    parts = []
    for spread in (0.2, 1.0, 10.0):
        for n in (8 * k, 40 * k):
            real, said = rng.dirichlet(np.full(k, spread), 2)
            truth = mixture(float(rng.choice([-0.02, 0.0, 0.3])), real, said)
            parts.append(drawn(rng, n, np.maximum(truth, 0), size))
    return tables(np.concatenate(parts, axis=-1))


@pytest.mark.parametrize("k", [2, 3, 4, 7])
@pytest.mark.parametrize("measure", MEASURES)
def test_greater_and_less_make_one(k: int, measure: str) -> None:
    t = hard_tables(np.random.default_rng(k), k, 30)
    up, down = p_of(t, measure, "greater"), p_of(t, measure, "less")
    alone = found_tails(t, np.asarray(weights_of(find(measure), t)), "greater").fixed
    assert_allclose((up + down)[~alone], 1.0, rtol=1e-12)
    assert (up[alone] == 1).all()
    assert (down[alone] == 1).all()
    two = p_of(t, measure)
    assert ((two > 0) & (two <= 1)).all()
    assert (two >= np.minimum(up, down) * (1 - 1e-12)).all()


@pytest.mark.parametrize("k", [2, 3, 5])
def test_a_stack_is_its_tables(k: int) -> None:
    t = hard_tables(np.random.default_rng(10 + k), k, 6)
    for measure, side in (("informedness", "two-sided"), ("accuracy", "less")):
        together = p_of(t, measure, side)
        assert_allclose(together, [p_of(t[i], measure, side) for i in range(t.shape[0])], rtol=1e-9)


@pytest.mark.parametrize("measure", MEASURES)
def test_the_order_of_the_classes_says_nothing(measure: str) -> None:
    t = hard_tables(np.random.default_rng(3), 4, 40)
    for side in ("two-sided", "greater"):
        p = p_of(t, measure, side)
        for order in ([3, 1, 0, 2], [1, 2, 3, 0]):
            turned = tables(t.cells[order][:, order])
            assert_allclose(p_of(turned, measure, side), p, rtol=1e-7)


def test_an_empty_class_says_nothing() -> None:
    t = hard_tables(np.random.default_rng(4), 3, 40)
    wide = np.zeros((5, 5, *t.shape))
    wide[np.ix_([0, 2, 4], [0, 2, 4])] = t.cells
    assert_allclose(p_of(tables(wide)), p_of(t), rtol=1e-7)
    pair = hard_tables(np.random.default_rng(4), 2, 40)
    wide = np.zeros((4, 4, *pair.shape))
    wide[np.ix_([3, 1], [3, 1])] = pair.cells
    assert_allclose(p_of(tables(wide)), p_of(pair), rtol=1e-12)


def test_informedness_of_a_table_is_markedness_of_its_dual() -> None:
    for k in (2, 3, 5):
        t = hard_tables(np.random.default_rng(6), k, 40)
        assert_allclose(p_of(t.dual, "markedness"), p_of(t), rtol=1e-7)


def test_measures_of_two_classes_share_one_p_value_and_errors_turn_it_round() -> None:
    t = hard_tables(np.random.default_rng(8), 2, 40)
    for side, other in (("greater", "less"), ("less", "greater"), ("two-sided", "two-sided")):
        for measure in MEASURES:
            assert_allclose(p_of(t, measure, side), p_of(t, alternative=side), rtol=1e-13)
        assert_allclose(p_of(t, "error_rate", other), p_of(t, alternative=side), rtol=1e-13)
    many = hard_tables(np.random.default_rng(8), 4, 40)
    assert_allclose(p_of(many, "error_rate", "less"), p_of(many, "accuracy", "greater"), rtol=1e-13)


def test_classes_against_the_rest_are_tables_of_two() -> None:
    t = Table.from_counts([[5, 1, 2], [2, 6, 1], [0, 2, 7]], labels=["a", "b", "c"])
    (a, b), (c, d) = t.one_vs_rest("b").cells.astype(int).tolist()
    assert_allclose(p_of(t.one_vs_rest())[1], float(by_fractions([[a, b], [c, d]])[0]), rtol=1e-12)


def test_chance_itself_has_p_one() -> None:
    for counts in ([[4, 4], [4, 4]], [[200, 400], [300, 600]], np.full((3, 3), 2), np.full((3, 3), 50)):
        assert p_of(counts) == 1
        assert_allclose(p_of(counts, alternative="greater"), 0.5, atol=0.02)


def test_p_rises_towards_chance_in_every_way_of_finding_it() -> None:
    """Along the hits with fixed margins, through ends, middle, and mean."""
    for scale in (1, 3, 40, 1.37):
        hits = np.arange(0.0, 11.0) * scale
        cells = np.array([[hits, 12 * scale - hits], [10 * scale - hits, 18 * scale + hits]])
        up = p_of(tables(cells), alternative="greater")
        assert (np.diff(up)[up[1:] < 0.999] < 0).all()
        assert (np.diff(up) <= 0).all()
    margins = np.array([12.0, 9.0, 9.0])
    hits = np.arange(0.0, 10.0)
    off = (margins[:, None] - hits) / 2
    three = np.zeros((3, 3, hits.size))
    for i in range(3):
        three[i, i] = hits
        three[i, (i + 1) % 3] = three[i, (i + 2) % 3] = off[i]
    up = p_of(tables(three), "accuracy", "greater")
    assert (np.diff(up[1:]) < 0).all()


# ------------------------------------------------------------------ hand-overs


def test_sums_hand_over_to_the_saddlepoint(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the variance where one takes over from the other, p changes by less than 2e-5 of itself."""
    rng = np.random.default_rng(2)
    cells = []
    for real, said in ((0.5, 0.5), (0.3, 0.4), (0.1, 0.1), (0.05, 0.5), (0.02, 0.02)):
        n = round(400 / (real * (1 - real) * said * (1 - said)))
        cells.append(drawn(rng, n, mixture(0.0, np.array([real, 1 - real]), np.array([said, 1 - said])), 200))
    t = tables(np.concatenate(cells, axis=-1))
    for side in ("two-sided", "greater", "less"):
        monkeypatch.setattr(hypergeometric, "SUMMED_UP_TO", 1e9)
        summed = p_of(t, alternative=side)
        monkeypatch.setattr(hypergeometric, "SUMMED_UP_TO", 0.0)
        smooth = p_of(t, alternative=side)
        assert np.abs(smooth / summed - 1).max() < 2e-5
        assert (smooth != summed).mean() > 0.9


@pytest.mark.parametrize(
    ("n", "real", "said"), [(1_000_000, 30_000, 13_958), (200_000, 2000, 56_655), (20_000, 6000, 2145)]
)
def test_the_hand_over_holds_out_to_six_deviations(
    monkeypatch: pytest.MonkeyPatch, n: int, real: int, said: int
) -> None:
    """Two-sided within 2e-5, one-sided within 6e-5, on both sides of the mean."""
    spread = np.sqrt(real * said * (n - real) * (n - said) / n**2 / (n - 1))
    assert 400 < spread**2 < 420
    x = np.rint(real * said / n + spread * np.linspace(-6, 6, 121))
    t = tables(np.array([[x, said - x], [real - x, n - real - said + x]]))
    smooth = {side: p_of(t, alternative=side) for side in ("two-sided", "greater", "less")}
    monkeypatch.setattr(hypergeometric, "SUMMED_UP_TO", 1e9)
    for side, bound in (("two-sided", 2e-5), ("greater", 6e-5), ("less", 6e-5)):
        off = np.abs(smooth[side] / p_of(t, alternative=side) - 1)
        assert 0 < off.max() < bound


def test_lists_hand_over_to_the_saddlepoint(monkeypatch: pytest.MonkeyPatch) -> None:
    """Median within 15 %; single tables within 0.4 to 4 times the counted value."""
    rng = np.random.default_rng(3)
    even = np.full(3, 1 / 3)
    uneven = np.array([0.7, 0.2, 0.1])
    for real, said, n in ((even, even, 18), (uneven, uneven, 40), (even, uneven, 24)):
        t = tables(drawn(rng, n, mixture(0.2, real, said), 300))
        counted = found_tails(t, np.asarray(weights_of(B, t)), "two-sided")
        some = (counted.listed > 200) & (counted.pvalue[0] > 1e-6)
        with monkeypatch.context() as patch:
            patch.setattr(listed_tails, "LISTED_UP_TO", 0)
            (smooth,) = found_tails(t, weights_for_tails(t, B), "two-sided").pvalue
        share = (smooth / counted.pvalue[0])[some]
        assert some.sum() > 20
        assert abs(np.median(share) - 1) < 0.15
        assert share.min() > 0.4
        assert share.max() < 4


def test_the_normal_tail_of_a_hundred_million_cases() -> None:
    real, said = np.array([0.5, 0.3, 0.2]), np.array([0.4, 0.4, 0.2])
    cells = np.rint(1e8 * mixture(2e-4, real, said))
    t = tables(cells[..., None])
    excess, variance = excess_and_variance(t, np.asarray(weights_of(B, t)))
    z = excess / np.sqrt(variance)
    assert 2 < z < 4
    assert_allclose(p_of(t), p_of(t, method="permutation-z"), rtol=1e-3)


# ------------------------------------------------------------------ weights


def test_broken_counts_lie_between_whole_ones() -> None:
    """Smooth in the counts: near a whole table p is near its own."""
    whole = np.array([[30.0, 12.0], [14.0, 44.0]])
    for shift in (1e-3, -1e-3):
        assert_allclose(p_of(whole + shift, alternative="greater"), p_of(whole, alternative="greater"), rtol=0.02)
    weights = [p_of(whole * s, alternative="greater") for s in (0.93, 0.97, 1.0, 1.03)]
    assert all(b < a for a, b in pairwise(weights))


def test_weights_count_as_their_effective_number() -> None:
    """Equal weights change nothing; uneven ones keep the size that was measured, where z does not."""
    rng = np.random.default_rng(8)
    real, said = rng.integers(0, 2, 200), rng.integers(0, 2, 200)
    same = Table.from_labels(real=real, predicted=said, weights=np.full(200, 3.0))
    assert_allclose(p_of(same), p_of(Table.from_labels(real=real, predicted=said)), rtol=1e-9)
    t = error_rates.weighted_tables(rng, 200, ((0.05,), (0.1,)), False, 6000)
    for level, most in ((0.05, 1.0), (0.01, 1.3)):
        error = np.sqrt(level * (1 - level) / 6000)
        assert (p_of(t) <= level).mean() <= most * level + 3 * error
    assert (p_of(t, method="permutation-z") <= 0.01).mean() > 0.015


# ------------------------------------------------------------------ sizes in the whole tail


def worst(n: int, method: str, side: str, margins: Any = error_rates.MARGINS) -> Any:
    """Rates over levels, as multiples: the worst of the worlds, and given the margins."""
    worlds, given = error_rates.Tails(n, margins).sizes(method, side)
    return worlds.max(axis=1) / error_rates.LEVELS, given.max(axis=1) / error_rates.LEVELS


@pytest.mark.parametrize("n", [20, 60, 120])
@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_exact_sizes_of_two_classes(n: int, side: str) -> None:
    """All tables of twelve worlds: never above the level, as stated; 2 at most given the margins."""
    found, given = worst(n, "permutation-midp", side)
    assert found.max() <= 1.0
    assert given.max() <= 2.0 + 1e-9
    stated = measured()["two"]["permutation-midp"][side][str(n)]
    assert_allclose(found, stated["most"], rtol=0.006)
    assert_allclose(given, stated["given"], rtol=0.006)


def test_rules_that_are_not_the_default_show_in_the_sizes() -> None:
    """z rejects far too often; counting ties in full, or the smaller tail twice, too seldom."""
    default, _ = worst(60, "permutation-midp", "two-sided")
    z, _ = worst(60, "permutation-z", "two-sided")
    full, _ = worst(60, "fisher", "two-sided")
    twice, _ = worst(60, "fisher-midp", "two-sided")
    assert (z[1:] > 3).all()
    assert z[2] > 20
    assert (full < 0.9 * default).all()
    assert (twice < default).all()


@pytest.mark.parametrize(("k", "world"), [(3, 0), (3, 4), (4, 1), (6, 5), (12, 0)])
def test_sizes_of_more_classes(k: int, world: int) -> None:
    """8000 tables a world: at most 1.2 times 5, 1 and .1 %, and not far below 5 where margins are even."""
    draws = 8000
    n, prevalence, guess = list(error_rates.tail_worlds(k))[world]
    t = tables(drawn(np.random.default_rng([9, k, world]), n, mixture(0.0, prevalence, guess), draws))
    p = p_of(t)
    for level in (0.05, 0.01, 0.001):
        assert (p <= level).mean() <= 1.2 * level + 3 * np.sqrt(level / draws)
    if world < 2:
        assert (p <= 0.05).mean() >= 0.7 * 0.05
    if world == 4:
        assert (p_of(t, method="permutation-z") <= 0.001).mean() > 0.003


# ------------------------------------------------------------------ what is said


def test_notes_say_how_p_was_found() -> None:
    def codes(counts: Any, **more: Any) -> list[str]:
        return [note.code for note in informed.test(Table.from_counts(counts, rows="predicted"), **more).notes]

    assert codes([[56, 20], [12, 12]]) == ["exact"]
    assert codes([[943, 2057], [2060, 4940]]) == []
    assert codes([[2, 0, 1], [0, 2, 1], [1, 1, 22]])[0] == "counted"
    assert "all 70 tables" in str(informed.test(Table.from_counts([[2, 0, 1], [0, 2, 1], [1, 1, 22]])).notes[0])
    assert codes(SMOOTH[3][0])[0] == "sparse-margins"
    assert codes(SMOOTH[1][0]) == []
    assert "p-is-1" in codes([[0, 0, 3], [0, 0, 4], [0, 0, 0]])
    assert codes(np.array([[0, 0, 3, 2], [0, 0, 4, 1], [0, 0, 0, 0], [0, 0, 0, 0]]))[0] == "p-is-1"
    stack = informed.test(Table.from_counts([np.array(SMOOTH[1][0]), np.array([[2, 0, 1], [0, 2, 1], [1, 1, 22]])]))
    assert str(stack.notes[0]).startswith("1 of 2 tables: exact: all 70 tables")


def test_the_calibration_names_level_and_side_as_measured() -> None:
    data = measured()
    for side in ("two-sided", "greater", "less"):
        said = informed.test(Table.from_counts([[56, 20], [12, 12]]), alternative=side).calibration
        rates = data["two"]["permutation-midp"][side].values()
        most = [max(at["most"][i] for at in rates) for i in range(4)]
        assert f"({side}; 2 classes, 20 to 1000 cases" in said
        assert f"at 5, 1, 0.1 and 0.01 % it rejects at most {', '.join(f'{x:.2f}' for x in most[:3])} and" in said
        assert max(most) < 1.05
    more = informed.test(Table.from_counts(SMOOTH[1][0]))
    assert "at 5, 1 and 0.1 % it rejects at most" in more.calibration
    assert "3 to 12 classes, simulated" in more.calibration
    z = informed.test(Table.from_counts([[56, 20], [12, 12]]), method="permutation-z").calibration
    worst_z = max(at["most"][3] for at in data["two"]["permutation-z"]["two-sided"].values())
    assert worst_z > 50
    assert f"and {worst_z:.0f} times" in z


def test_the_calibration_of_weighted_cases_and_units_is_their_own() -> None:
    rng = np.random.default_rng(4)
    real, said = rng.integers(0, 3, (2, 120))
    for k, (truth, answer) in {2: (real > 0, said > 0), 3: (real, said)}.items():
        for side in ("two-sided", "greater", "less"):
            for kind, words, method, more in (
                ("weighted", "weighted cases", "permutation-midp", {"weights": rng.uniform(1, 2, 120)}),
                ("units", "cases in units", "permutation-units", {"unit": np.arange(120) // 4}),
            ):
                t = Table.from_labels(real=truth, predicted=answer, **more)
                found = informed.test(t, alternative=side)
                assert found.method == method
                counted, rates = next(
                    (c, x) for c, x in measured()[kind][method][side].items() if (c == "2") == (k == 2)
                )
                worst = " and ".join([", ".join(f"{x:.2f}" for x in rates["most"][:2]), f"{rates['most'][2]:.2f}"])
                assert found.calibration == (
                    f"at 5, 1 and 0.1 % it rejects at most {worst} times as often as it should "
                    f"({side}; {words}, {counted} classes, simulated)"
                )
    assert not informed.test(t.without_units(), "independence", method="g").calibration.startswith("at 5")
    weighted = Table.from_labels(real=real, predicted=said, weights=rng.uniform(1, 2, 120))
    assert informed.test(weighted, "independence").calibration == ""  # measured for equal cases only
