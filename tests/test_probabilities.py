"""Probabilities: published numbers, the laws that tie the scores to costs and to informedness, and what is refused."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import informed
from informed.decisions.probability_rules import BRIER, LOG, acting_from, mean_score
from informed.documents.charts.marks import Ranges, Texts
from informed.documents.charts.reliability import PartsPoint, parts_plane

# scikit-learn and model-diagnostics: skills, parts of Brier and log, best informedness, at the prevalence, soft
GOLD: dict[str, tuple[str, str, str]] = {
    "C1": (
        "10010100",
        ".89 .84 .17 .76 .66 .43 .07 .2",
        ".141547 .125485 .0762 .109375 .234375 .231973 .314990 .661563 .6 .6 .305333",
    ),
    "C2": (
        "100111110010",
        ".34 .7 .34 .67 .53 .85 .71 .42 .49 .47 .83 .17",
        ".200183 .167266 .038844 .0875 .243056 .126037 .239643 .679193 .514286 .371429 .187429",
    ),
    "C3": (
        "1010111111110001",
        ".9 .9 .9 .1 .8 .9 .9 .7 .7 .7 .6 .8 .5 .3 .1 .9",
        ".496727 .384439 .050833 .157552 .214844 .167190 .405959 .621086 .8 .709091 .42",
    ),
    "C4": (
        "10001011011111110111",
        ".5 .5 .2 .4 .8 .4 .5 .9 .3 .7 .5 .8 .4 .5 .4 .8 .9 .6 .9 .7",
        ".116667 .074533 .051056 .075556 .21 .144630 .190160 .610864 .523810 .333333 .192857",
    ),
}
RNG = np.random.default_rng(22)


def world(n: int, *, slope: float = 1.0, shift: float = 0.0, seed: int = 1) -> tuple[NDArray[Any], NDArray[Any]]:
    """Classes, and forecasts whose log odds are that many times the right ones."""
    rng = np.random.default_rng(seed)
    x = rng.normal(0, 1.5, n)
    real = (rng.random(n) < 1 / (1 + np.exp(-x))).astype(int)
    return real, 1 / (1 + np.exp(-slope * x - shift))


def judged(real: Any, p: Any, **more: Any) -> Any:
    return informed.probabilities(real=real, probability=p, **{"n_draws": 0, "positive": 1, **more})


@pytest.mark.parametrize("name", GOLD)
def test_published_numbers(name: str) -> None:
    real, p, wanted = GOLD[name]
    f = judged([int(x) for x in real], [float(x) for x in p.split()])
    parts = [getattr(x, part) for x in (f.brier, f.log) for part in ("mcb", "dsc", "unc")]
    found = [f.brier_skill.estimate, f.log_skill.estimate, *parts, f.roc.best().informedness]
    found += [f.informedness.estimate, f.soft_informedness.estimate]
    np.testing.assert_allclose(found, [float(x) for x in wanted.split()], atol=6e-7)


def test_scikit_learn_agrees() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    real, p = world(300, slope=2, shift=0.4)
    weights = RNG.random(300)
    for w in (None, weights):
        f = judged(real, p, weights=w)
        assert f.brier.score == pytest.approx(metrics.brier_score_loss(real, p, sample_weight=w))
        assert f.log.score == pytest.approx(metrics.log_loss(real, p, sample_weight=w))
        assert f.auc.estimate == pytest.approx(metrics.roc_auc_score(real, p, sample_weight=w))
        for theirs, ours in (("d2_brier_score", f.brier_skill), ("d2_log_loss_score", f.log_skill)):
            if hasattr(metrics, theirs):
                found = getattr(metrics, theirs)(real, p, sample_weight=w)
                assert ours.estimate == pytest.approx(found)


def test_recalibrated_values_are_those_of_scikit_learns_isotonic_regression() -> None:
    isotonic = pytest.importorskip("sklearn.isotonic")
    real, p = world(200, slope=2)
    p = np.round(p, 2)
    theirs = isotonic.IsotonicRegression().fit(p, real).predict(p)
    np.testing.assert_allclose(judged(real, p).curve.recalibrated(p), theirs, atol=1e-12)


# ---------------------------------------------------------------------- laws


def test_scores_are_costs_over_all_decisions() -> None:
    """BS = 2∫e dc and LL = ∫e/(c(1 − c)) dc, e the cost of acting from c on."""
    f = judged(*world(60, slope=2))
    c = (np.arange(20_000) + 0.5) / 20_000
    e = np.array([mean_score(f.roc, acting_from(float(x))) for x in c[::10]])
    each = c[::10]
    assert 2 * e.mean() == pytest.approx(f.brier.score, abs=1e-3)
    assert (e / (each * (1 - each))).mean() == pytest.approx(f.log.score, abs=5e-3)


def small_worlds() -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """All classes of four cases with both, for some forecasts with ties and certainties."""
    forecasts = ([0.1, 0.2, 0.5, 0.9], [0.3, 0.6, 0.6, 0.6], [0.0, 0.4, 0.4, 1.0], [0.5] * 4)
    reals = [np.array(y) for y in product((0, 1), repeat=4) if 0 < sum(y) < 4]
    return [(y, np.array(p)) for y in reals for p in forecasts]


def test_the_laws_of_all_small_cases() -> None:
    for real, p in small_worlds():
        f = judged(real, p)
        share = real.mean()
        cost = mean_score(f.roc, acting_from(float(share)))
        assert 1 - cost / (share * (1 - share)) == pytest.approx(f.informedness.estimate, abs=1e-12)
        for parts in (f.brier, f.log):
            assert parts.mcb >= 0
            assert parts.dsc >= 0
            if np.isfinite(parts.score):
                assert parts.score == pytest.approx(parts.mcb - parts.dsc + parts.unc, abs=1e-12)
                assert parts.skill == pytest.approx(parts.known - parts.lost, abs=1e-12)
        again = judged(real, f.curve.recalibrated(p))
        assert again.informedness.estimate == pytest.approx(f.roc.best().informedness, abs=1e-12)
        assert again.brier.mcb == pytest.approx(0, abs=1e-12)
        assert f.growth.estimate == pytest.approx(f.log.unc - f.log.score)
        _, value = f.value_by_cost([share])
        assert value[0] == pytest.approx(f.informedness.estimate, abs=1e-12)
        assert f.decision_curve.probabilities.shape == (99,)
        called = p >= share
        assert f.soft_informedness.estimate == pytest.approx(p[real == 1].mean() - p[real == 0].mean())
        assert f.at_cost((1 - share, share)).net_benefit.estimate == pytest.approx(
            share * (called[real == 1].mean() - called[real == 0].mean()), abs=1e-12
        )


def test_the_prevalence_and_a_coin_gain_nothing_and_perfection_all() -> None:
    real, _ = world(80)
    flat = judged(real, np.full(80, real.mean()))
    assert [flat.growth.estimate, flat.brier_skill.estimate] == pytest.approx([0, 0], abs=1e-12)
    perfect = judged(real, real)
    assert [perfect.log_skill.estimate, perfect.brier_skill.estimate] == [1, 1]
    assert perfect.brier_skill.low < 1
    assert perfect.log_skill.low == -np.inf  # one that is wrong would be ruin
    assert {note.code for note in perfect.notes} >= {"decisions", "certain"}


def test_shuffled_probabilities_know_what_chance_knows() -> None:
    """Without ties the mean discrimination over all shuffles is π(1 − π)(H_n − 1)/(n − 1): blocks of the fit are as
    long as the cycles of a random permutation (Spitzer)."""
    real, p = world(120)
    f: Any = informed.probabilities(real=real, probability=p, n_draws=199, rng=3)
    share, n = real.mean(), 120
    exact = share * (1 - share) * ((1 / np.arange(1, n + 1)).sum() - 1) / (n - 1)
    error = f.drawn.dsc["brier"].std() / np.sqrt(199)
    assert f.brier.dsc_chance == pytest.approx(exact, abs=4 * error)


def test_few_cases_enumerate_the_level_of_right_probabilities() -> None:
    """The mean miscalibration of right numbers, over all classes that six cases can have."""
    p = np.array([0.1, 0.3, 0.4, 0.6, 0.8, 0.9])
    exact = 0.0
    for y in product((0, 1), repeat=6):
        chance = np.where(y, p, 1 - p).prod()
        f = judged(np.array(y), p) if 0 < sum(y) < 6 else None
        mcb = f.brier.mcb if f is not None else float(((np.array(y) - p) ** 2).mean())
        exact += chance * mcb
    found: Any = informed.probabilities(real=[0, 0, 1, 0, 1, 1], probability=p, n_draws=999, rng=5)
    error = found.drawn.mcb["brier"].std() / np.sqrt(999)
    assert found.brier.mcb_chance == pytest.approx(exact, abs=4 * error)


def test_weights_that_are_counts_are_cases() -> None:
    real, p = world(40, seed=6)
    p = np.round(p, 1)
    times = RNG.integers(1, 4, 40)
    weighted, repeated = judged(real, p, weights=times), judged(np.repeat(real, times), np.repeat(p, times))
    for name in ("growth", "log_skill", "brier_skill", "soft_informedness"):
        assert getattr(weighted, name).estimate == pytest.approx(getattr(repeated, name).estimate)
    assert weighted.brier.mcb == pytest.approx(repeated.brier.mcb)
    assert weighted.brier_skill.width > repeated.brier_skill.width  # it is not as many cases


def test_units_are_the_spread_of_what_they_hold() -> None:
    """Each case three times in its unit says as much as once, and three times as many cases more."""
    real, p = world(150, slope=2, seed=8)
    once, thrice = judged(real, p), judged(*(np.repeat(x, 3) for x in (real, p)), unit=np.repeat(np.arange(150), 3))
    alone = judged(*(np.repeat(x, 3) for x in (real, p)))
    for name in ("growth", "log_skill", "brier_skill"):
        one, three, more = (getattr(f, name) for f in (once, thrice, alone))
        assert three.estimate == pytest.approx(one.estimate)
        assert three.width == pytest.approx(one.width, rel=0.03)
        assert more.width < 0.65 * one.width


# ---------------------------------------------------------------------- what is said and refused


def test_ruin_is_said_and_never_clipped_in_silence() -> None:
    real, p = world(60, seed=3)
    p = p.copy()
    p[np.flatnonzero(real == 1)[:3]] = 0.0
    f = judged(real, p)
    assert f.growth.estimate == f.log_skill.high == -np.inf
    assert f.log.mcb == np.inf
    assert np.isfinite(f.brier_skill.estimate)
    assert "ruined by 3 cases" in f.sentence()
    drawn = informed.probabilities(real=real, probability=p, n_draws=99)
    assert drawn.calibration.pvalue == 0.01
    assert "They are not calibrated" in drawn.sentence()
    assert "ruined" in {note.code for note in f.notes}
    moved = judged(real, p, clip=1e-6)
    assert np.isfinite(moved.growth.estimate)
    assert any("3 probabilities nearer to 0 or 1 than 1e-06 were moved" in note.text for note in moved.notes)
    assert moved.to_dict()["clip"] == 1e-6


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"probability": [0.2, 1.3, 0.4]}, "runs from 0.2 to 1.3: these are scores, and no probabilities"),
        ({"probability": [0.2, float("nan"), 0.4]}, "NaN for 1 case, at position 1"),
        ({"probability": [0.2, 0.4]}, "`probability` has shape (2,) for 3 cases"),
        ({"clip": 0.7}, "`clip` is 0.7; it must lie between 0 and 0.5"),
        ({"also": ["mce"]}, "`also` holds 'mce'; it can be 'ece(bins=15)'"),
        ({"level": 95}, "`level` is 95"),
        ({"n_draws": -1}, "`n_draws` is -1"),
        ({"by": [1, 2]}, "`by` has 2 entries for 3 cases"),
        ({"y_prob": [1]}, "`probabilities` has no option `y_prob`; here it is `probability=`"),
    ],
)
def test_bad_input_gets_a_sentence(given: dict[str, Any], said: str) -> None:
    with pytest.raises(informed.InformedError) as error:
        informed.probabilities(**{"real": [0, 1, 1], "probability": [0.1, 0.2, 0.3], **given})
    assert said in str(error.value)


def test_one_class_has_no_odds() -> None:
    f = judged([1, 1, 1], [0.2, 0.4, 0.9])
    assert np.isnan(f.growth.estimate)
    assert np.isnan(f.brier_skill.low)
    assert "no case is really negative" in f.sentence()
    assert f.text()


def test_what_a_careful_reader_should_know() -> None:
    real, p = world(40, seed=4)
    codes = {note.code for note in judged(real, np.round(p)).notes}
    assert "decisions" in codes
    fitted = judged(real, judged(real, p).curve.recalibrated(p))
    assert "recalibrated" in {note.code for note in fitted.notes}
    assert "few-a-class" in {note.code for note in judged(real[:12], p[:12]).notes}
    assert any("Sharpening" in note.text for note in judged(real, p).soft_informedness.notes)


def test_the_error_of_bins_stands_beside_its_level() -> None:
    real, p = world(200, seed=9)
    f: Any = informed.probabilities(real=real, probability=p, also="ece", n_draws=199)
    (row,) = f.also.dicts()
    bins = np.minimum((p * 15).astype(int), 14)
    direct = sum(abs((real - p)[bins == b].sum()) for b in range(15)) / 200
    assert row["measure"] == "ece(bins=15)"
    assert row["estimate"] == pytest.approx(direct)
    assert row["chance"] > 0.02  # of right numbers
    assert "ece" in {note.code for note in f.notes}


def test_right_and_wrong_numbers_are_told_apart_and_the_seed_is_printed() -> None:
    real, p = world(500, seed=12)
    right: Any = informed.probabilities(real=real, probability=p, rng=7)
    off = informed.probabilities(real=real, probability=world(500, slope=2.5, seed=12)[1], rng=7)
    assert right.calibration.pvalue > 0.05
    assert off.calibration.pvalue == 0.001
    assert "999 draws with the seed 7" in right.calibration.method
    again = informed.probabilities(real=real, probability=p, rng=7)
    assert again.calibration.pvalue == right.calibration.pvalue
    assert "not calibrated" in off.sentence()
    assert BRIER.name != LOG.name
    inside = (right.curve.low <= right.curve.at) & (right.curve.at <= right.curve.high)
    assert inside.mean() > 0.9


def test_one_class_is_named_and_another_positive_refused() -> None:
    p = [0.2, 0.4, 0.3]
    said = informed.probabilities(real=["a", "a", "a"], probability=p).sentence()
    assert "(3 cases, all of them 'a')" in said
    with pytest.raises(informed.InformedError, match="`positive` is 'zzz'; the only class is 'a'"):
        informed.probabilities(real=["a", "a", "a"], probability=p, positive="zzz")


def test_percentages_are_recognised(tmp_path: Path) -> None:
    with pytest.raises(informed.InformedError, match="ivide them by 100, if these are percentages"):
        informed.probabilities(real=[0, 1, 1], probability=[20, 70, 65])
    path = tmp_path / "p.csv"
    path.write_text("real,p\nno,20%\nyes,70%\n", encoding="utf-8")
    with pytest.raises(informed.InformedError, match="holds '20%', which is no number: write 20% as 0"):
        informed.read(path, real="real", probability="p")


def test_what_was_asked_for_is_on_the_screen() -> None:
    rng = np.random.default_rng(4)
    p = rng.random(300)
    real = (rng.random(300) < p).astype(int)
    found = informed.probabilities(real=real, probability=p, cost="5:1", also="ece(bins=15)")
    screen = " ".join(informed.report(found).write("text", full=False).split())
    assert "At 5:1 for misses and false alarms, act from 0.167 on" in screen
    assert "ece(bins=15) is 0." in screen
    assert "would be expected of right ones" in screen.partition("ece(bins=15) is")[2]
    decided = informed.probabilities(real=real, probability=np.round(p))
    assert "These are decisions, 0 or 1" in " ".join(informed.report(decided).write("text", full=False).split())


def test_pictures_have_titles_and_say_what_their_lines_are() -> None:
    chart = parts_plane([PartsPoint("a", 0.28, 0.12), PartsPoint("b", 0.25, 0.2)])
    assert chart is not None
    assert (chart.head, chart.foot) == ("Known and lost", "Slanted lines: skill, known less lost.")
    written = [x for mark in chart.marks if isinstance(mark, Texts) and mark.role == "tick" for x in mark.words]
    lines = next(mark for mark in chart.marks if isinstance(mark, Ranges))
    assert sorted(map(float, written)) == pytest.approx(np.subtract(lines.x, lines.y))
    html = informed.report(informed.probabilities(real=[0, 1, 1, 0], probability=[0.2, 0.7, 0.4, 0.6])).html()
    assert html.count(">Reliability diagram</text>") == 1
