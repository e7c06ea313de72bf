"""Names for clusters: brute force, the paper's counter-example, and what naming itself wins."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn import metrics

from informed._arrays import Array
from informed.decisions.assignment import assign, gains
from informed.errors import InformedError
from informed.evidence.table import Table
from informed.measures import find


def value(cells: Array, chosen: tuple[int, ...]) -> float:
    """Informedness over all cases when cluster l is called chosen[l]; −1 is no name."""
    n, real = cells.sum(), cells.sum(axis=0)
    total = 0.0
    for row, c in zip(cells, chosen, strict=True):
        if c >= 0:
            total += (row[c] / n - row.sum() * real[c] / n**2) / (1 - real[c] / n)
    return total


def best_one_to_one(cells: Array) -> float:
    rows, columns = cells.shape
    if rows <= columns:
        return max(value(cells, p) for p in permutations(range(columns), rows))
    best = -np.inf
    for places in permutations(range(rows), columns):
        chosen = [-1] * rows
        for c, at in enumerate(places):
            chosen[at] = c
        best = max(best, value(cells, tuple(chosen)))
    return best


def test_every_small_table_agrees_with_brute_force() -> None:
    checked = 0
    for shape in ((2, 2), (2, 3), (3, 2)):
        for filled in product(range(3), repeat=shape[0] * shape[1]):
            cells = np.array(filled, float).reshape(shape)
            if (cells.sum(axis=0) > 0).sum() < 2:
                continue
            t = Table.from_counts(cells, predicted_labels=list("xyz")[: shape[0]], real_labels=[*range(shape[1])])
            one = assign(t, n_draws=0)
            assert one.informedness == pytest.approx(best_one_to_one(cells), abs=1e-12)
            many = assign(t, "many-to-one", n_draws=0)
            every = product(range(shape[1]), repeat=shape[0])
            assert many.informedness == pytest.approx(max(value(cells, c) for c in every), abs=1e-12)
            assert many.informedness >= -1e-12
            checked += 1
    assert checked > 1300


@settings(max_examples=40, deadline=None)
@given(
    st.tuples(st.integers(2, 5), st.integers(2, 4)).flatmap(
        lambda s: arrays(float, s, elements=st.integers(0, 9).map(float))
    )
)
def test_larger_tables_agree_with_brute_force(cells: Array) -> None:
    if (cells.sum(axis=0) > 0).sum() < 2:
        return
    t = Table.from_counts(
        cells, predicted_labels=[f"c{i}" for i in range(len(cells))], real_labels=[*range(cells.shape[1])]
    )
    found = assign(t, n_draws=0)
    assert found.informedness == pytest.approx(best_one_to_one(cells), abs=1e-12)
    assert found.informedness == pytest.approx(find("informedness_of_all")(found.table), abs=1e-12)


def test_the_largest_diagonal_is_not_the_largest_informedness() -> None:
    """Spec B.5: diagonal-optimal −0.229, informedness-optimal +0.271."""
    t = Table.from_counts([[2, 9, 3], [0, 5, 0], [0, 3, 1]], labels=["a", "b", "c"])
    best, diagonal = assign(t), assign(t, aim="diagonal")
    assert best.informedness == pytest.approx(0.271, abs=5e-4)
    assert diagonal.informedness == pytest.approx(-0.229, abs=5e-4)
    assert diagonal.table.hits.sum() > best.table.hits.sum()


def test_clusters_that_say_little_stay_without_a_name() -> None:
    t = Table.from_counts([[20, 1], [1, 20], [10, 11]], predicted_labels=["x", "y", "z"], real_labels=["a", "b"])
    found = assign(t, "many-to-one", ignore=0.2)
    assert found.mapping == {"x": "a", "y": "b", "z": None}
    assert found.table.abstained.tolist() == [10, 11]
    assert find("coverage")(found.table) == pytest.approx(42 / 63)
    assert "coverage" in found.sentence()
    assert assign(t, "many-to-one").mapping["z"] == "b"


def test_what_users_of_clustering_know_stands_beside_it() -> None:
    rng = np.random.default_rng(1)
    real, cluster = rng.integers(0, 4, 300), rng.integers(0, 6, 300)
    cluster = np.where(rng.random(300) < 0.5, real, cluster)
    t = Table.from_labels(real=real, predicted=cluster, square=False)
    beside = assign(t, n_draws=19).beside
    assert beside["adjusted_rand_index"] == pytest.approx(metrics.adjusted_rand_score(real, cluster))
    assert beside["adjusted_mutual_information"] == pytest.approx(metrics.adjusted_mutual_info_score(real, cluster))
    assert beside["v_measure"] == pytest.approx(metrics.v_measure_score(real, cluster))
    assert beside["fowlkes_mallows_pairs"] == pytest.approx(metrics.fowlkes_mallows_score(real, cluster))
    matrix = metrics.cluster.contingency_matrix(real, cluster)
    assert beside["purity"] == pytest.approx(matrix.max(axis=0).sum() / 300)


def test_chance_level_is_that_of_shuffled_labels() -> None:
    """Against plain shuffling and naming again, which shares no code with the random tables."""
    rng = np.random.default_rng(2)
    real, cluster = np.repeat([0, 1, 2], [30, 20, 10]), np.tile([0, 1, 2, 3], 15)
    t = Table.from_labels(real=real, predicted=cluster, square=False)
    found = assign(t, "many-to-one", n_draws=999)
    shuffled = []
    for _ in range(600):
        mixed = rng.permutation(real)
        cells = np.zeros((4, 3))
        np.add.at(cells, (cluster, mixed), 1)
        shuffled.append(gains(cells[..., None])[..., 0].max(axis=1).sum())
    wanted, spread = np.mean(shuffled), np.std(shuffled)
    error = spread * np.sqrt(1 / 600 + 1 / 999)
    assert abs(found.chance - wanted) < 4 * error
    assert found.chance_sd == pytest.approx(spread, rel=0.15)


def test_naming_random_clusters_wins_and_the_correction_takes_it_back() -> None:
    rng = np.random.default_rng(3)
    raw, corrected, pvalues = [], [], []
    for _ in range(60):
        real, cluster = rng.integers(0, 3, 60), rng.integers(0, 6, 60)
        t = Table.from_labels(real=real, predicted=cluster, square=False)
        found = assign(t, "many-to-one", n_draws=99)
        raw.append(found.informedness)
        corrected.append(found.corrected)
        pvalues.append(found.pvalue)
    assert np.mean(raw) > 0.1  # although the clusters know nothing
    assert abs(np.mean(corrected)) < 4 * np.std(corrected) / np.sqrt(60)
    assert np.mean(np.array(pvalues) <= 0.1) < 0.1 + 4 * np.sqrt(0.09 / 60)


def test_perfect_clusters_stay_perfect() -> None:
    t = Table.from_counts(np.diag([5, 6, 7])[[2, 0, 1]], predicted_labels=list("xyz"), real_labels=list("abc"))
    found = assign(t)
    assert found.informedness == pytest.approx(1)
    assert found.corrected == pytest.approx(1)
    assert found.pvalue == pytest.approx(1 / 1000)
    assert len(found.to_frame()) == 3


@pytest.mark.parametrize(
    ("t", "options", "said"),
    [
        (Table.from_counts([[[1, 2], [3, 4]]]), {}, "stack"),
        (Table.from_counts([[1, 0], [2, 0]]), {}, "one real class"),
        (Table.from_counts([[1, 2], [3, 4]], abstained=[1, 0]), {}, "abstentions"),
        (Table.from_counts([[1, 2], [3, 4]]), {"method": "all"}, "one-to-one"),
        (Table.from_counts([[1, 2], [3, 4]]), {"aim": "all"}, "diagonal"),
    ],
)
def test_what_cannot_be_named_is_refused(t: Table, options: dict[str, str], said: str) -> None:
    with pytest.raises(InformedError, match=said):
        assign(t, **options)  # type: ignore[arg-type]  # wrong on purpose


def test_fractional_counts_have_no_chance_level_and_no_error() -> None:
    found = assign(Table.from_counts([[1.5, 0.2], [0.3, 2.5]]))
    assert np.isnan(found.chance)
    assert np.isnan(found.pvalue)
