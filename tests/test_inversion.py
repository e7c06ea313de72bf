"""Scores turned round, as a whole and across the hull: by the definition, by hand, and on cases not seen."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest

from informed._arrays import Array
from informed.decisions.curve import Curve
from informed.decisions.inversion import inverted, inverted_score, perverse
from informed.decisions.roc import roc
from informed.errors import InformedError
from informed.evidence.scores import Scores

DENTED: dict[str, Any] = {"real": [1, 1, 0, 0, 1, 1, 0, 0], "score": [8, 7, 6, 5, 4, 3, 2, 1]}


def same(a: Curve, b: Curve) -> None:
    for name in ("thresholds", "tp", "fp"):
        assert getattr(a, name) == pytest.approx(getattr(b, name), rel=1e-12, abs=1e-12)
    assert a.labels == b.labels
    assert a.positive == b.positive


def sample(n: int, seed: int, digits: int = 1) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    real = (rng.random(n) < 0.4).astype(np.float64)
    return real, np.round(rng.normal(0.7 * real), digits)


# ---------------------------------------------------------------------- as a whole


def test_a_perverse_curve_is_that_of_the_negated_score_for_every_small_sample() -> None:
    for real in ([0, 1, 0, 1], [1, 1, 0, 1]):
        for score in product(range(3), repeat=4):
            turned = perverse(roc(real=real, score=score))
            same(turned, roc(real=real, score=-np.array(score)))


def test_a_perverse_curve_keeps_weights_and_units() -> None:
    real, score = sample(120, 3)
    unit, weights = np.arange(120) // 4, np.random.default_rng(4).uniform(0.5, 2, 120)
    given: list[dict[str, Any]] = [{"weights": weights}, {"unit": unit}, {"unit": unit, "weights": weights}]
    for told in given:
        turned, asked = perverse(roc(real=real, score=score, **told)), roc(real=real, score=-score, **told)
        same(turned, asked)
        assert turned.sizes == pytest.approx(asked.sizes)
        assert float(turned.interval().low) == pytest.approx(float(asked.interval().low))


def test_turning_twice_changes_nothing_and_informedness_changes_its_sign() -> None:
    curve = roc(**DENTED)
    same(perverse(perverse(curve)), curve)
    assert [note.code for note in perverse(curve).notes] == ["reversed", "negated"]
    assert not perverse(perverse(curve)).notes
    assert perverse(curve).auc == 1 - curve.auc == 0.25
    assert perverse(curve).measure("informedness").tolist() == (-curve.measure("informedness")[::-1]).tolist()


# ---------------------------------------------------------------------- across the hull


def test_a_dent_by_hand() -> None:
    """Corners (0, ½) and (½, 1): the points (¼, ½), (½, ½), (½, ¾) are mirrored through (¼, ¾)."""
    curve = roc(**DENTED)
    assert curve.fallout.tolist() == [0, 0, 0, 0.25, 0.5, 0.5, 0.5, 0.75, 1]
    assert curve.recall.tolist() == [0, 0.25, 0.5, 0.5, 0.5, 0.75, 1, 1, 1]

    found = inverted(curve)
    assert found.fallout.tolist() == [0, 0, 0, 0, 0, 0.25, 0.5, 0.75, 1]
    assert found.recall.tolist() == [0, 0.25, 0.5, 0.75, 1, 1, 1, 1, 1]
    assert (curve.auc, curve.hull().auc, found.auc) == (0.75, 0.875, 1)
    assert [note.code for note in found.notes] == ["mirrored"]
    assert not curve.notes


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("told", ["", "weights", "unit"])
def test_an_inverted_curve_is_that_of_the_inverted_score(seed: int, told: str) -> None:
    real, score = sample(80, seed)
    more = {"weights": np.random.default_rng(seed).uniform(0.5, 2, 80), "unit": np.arange(80) // 4}
    given: dict[str, Any] = {told: more[told]} if told else {}
    curve = roc(real=real, score=score, **given)
    found, asked = inverted(curve), roc(real=real, score=inverted_score(curve, score), **given)

    same(found, asked)
    assert found.interval().low == pytest.approx(float(asked.interval().low))
    assert found.auc == pytest.approx(2 * curve.hull().auc - curve.auc)
    assert found.auc > curve.auc


@pytest.mark.parametrize("seed", range(6))
def test_points_lie_as_far_above_the_hull_as_they_lay_below(seed: int) -> None:
    real, score = sample(60, seed, 2)
    curve = roc(real=real, score=score)
    hull, found = curve.hull(), inverted(curve)
    corners = np.searchsorted(-curve.thresholds, -hull.thresholds)
    dents = 0
    for a, b in pairwise(corners):
        before, after = (np.array([c.fp[a : b + 1], c.tp[a : b + 1]]) for c in (curve, found))
        (x, y), (right, up) = before - before[:, :1], before[:, -1] - before[:, 0]
        below = x * up - y * right
        mirrored = before[:, :1] + before[:, -1:] - before[:, ::-1]
        assert (below >= 0).all()
        assert after.tolist() == (mirrored if below.any() else before).tolist()
        dents += bool(below.any())
    assert dents > 1


def test_a_curve_without_a_dent_stays_as_it_is() -> None:
    """The middle score's point lies on the chord, or the classes are separated, or every score is the same."""
    for real, score in (([1, 0, 1, 0, 1, 0], [3, 3, 2, 2, 1, 1]), ([1, 1, 0, 0], [4, 3, 2, 1]), ([1, 0], [1, 1])):
        curve = roc(real=real, score=score)
        same(inverted(curve), curve)
        assert inverted(curve).notes == curve.notes
        assert inverted_score(curve, score).tolist() == score


def test_scores_not_seen_are_turned_round_between_the_corners_only() -> None:
    """The dent holds the scores 6, 5, 4, 3; between 6 and the corner 7 a score is taken as 6."""
    assert inverted_score(roc(**DENTED), [9, 7, 6.5, 5.5, 3.25, 3, 2.9, 0]).tolist() == [9, 7, 3, 3.5, 5.75, 6, 2.9, 0]


def bumpy(n: int, rng: np.random.Generator) -> tuple[Any, Array]:
    """Positives at both ends, negatives in the middle: a dent that is really there."""
    real = rng.random(n) < 0.5
    return real, rng.normal(np.where(real, np.where(rng.random(n) < 0.5, 3, -1), 1.0), 0.7)


def smooth(n: int, rng: np.random.Generator) -> tuple[Any, Array]:
    """Two normal scores 1 apart: every dent is chance."""
    real = rng.random(n) < 0.5
    return real, rng.normal(real.astype(np.float64))


@pytest.mark.parametrize(("draw", "gains"), [(bumpy, True), (smooth, False)])
def test_on_cases_not_seen_a_real_dent_gains_and_chance_loses(draw: Any, gains: bool) -> None:
    rng = np.random.default_rng(7)
    for _ in range(5):
        real, score = draw(100, rng)
        curve = roc(real=real, score=score)
        real, score = draw(20_000, rng)
        before, after = roc(real=real, score=score), roc(real=real, score=inverted_score(curve, score))
        assert (after.auc > before.auc) is gains


# ---------------------------------------------------------------------- what is refused


def test_what_cannot_be_turned_is_refused_in_a_sentence() -> None:
    alone = roc(real=[1, 1], score=[1, 2])
    assert np.isnan(perverse(alone).auc)
    with pytest.raises(InformedError, match="There is no concavity: no case is really negative"):
        inverted(alone)
    binned = roc(
        Scores(np.array([0.1, 0.4, 0.8]), np.array([[3.0, 1], [1, 2], [1, 3]]), (0, 1), exact=False, positive=1)
    )
    for turn in (perverse, inverted):
        with pytest.raises(InformedError, match="counted in bins"):
            turn(binned)
    with pytest.raises(InformedError, match="A score is infinite"):
        inverted(roc(real=[1, 0, 1, 0], score=[np.inf, 3, 2, 1]))
