"""Probabilities of several classes, systems that are compared by theirs, and both from files and the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import informed
from command_line import ok, run
from informed.decisions.probability_cases import cases_of
from informed.errors import LabelError

LABELS = ["cat", "dog", "fox"]


def world(n: int = 240, seed: int = 2, power: float = 1.0) -> tuple[NDArray[Any], NDArray[Any]]:
    rng = np.random.default_rng(seed)
    p = np.exp(rng.normal(0, 1.2, (n, 3)))
    p /= p.sum(axis=1)[:, None]
    real = np.array(LABELS)[(rng.random(n)[:, None] > np.cumsum(p, axis=1)[:, :-1]).sum(axis=1)]
    p = p**power
    return real, p / p.sum(axis=1)[:, None]


def several(**more: Any) -> Any:
    real, p = world()
    return informed.probabilities(**{"real": real, "probability": p, "n_draws": 0, **more})


def test_parts_of_the_classes_add_up_exactly() -> None:
    f = several()
    b = f.brier
    assert b.score == pytest.approx(b.mcb - b.dsc + b.unc, abs=1e-12)
    for name in ("score", "mcb", "dsc", "unc"):
        assert getattr(b, name) == pytest.approx(sum(getattr(x.brier, name) for x in f.classes.values()), abs=1e-12)
    assert b.skill == pytest.approx(f.brier_skill.estimate, abs=1e-12)
    real, p = world()
    one_hot = (real[:, None] == np.array(LABELS)).astype(float)
    assert b.score == pytest.approx(((p - one_hot) ** 2).sum(axis=1).mean())


def test_scikit_learn_agrees_on_several_classes() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    real, p = world()
    f = several()
    assert f.records().by("measure")["log_score"]["estimate"] == pytest.approx(metrics.log_loss(real, p))
    if hasattr(metrics, "d2_log_loss_score"):
        assert f.log_skill.estimate == pytest.approx(metrics.d2_log_loss_score(real, p))
    if hasattr(metrics, "d2_brier_score"):
        assert f.brier_skill.estimate == pytest.approx(metrics.d2_brier_score(real, p))


def test_two_columns_are_one() -> None:
    rng = np.random.default_rng(7)
    p = rng.random(90)
    real = (rng.random(90) < p).astype(int)
    one = informed.probabilities(real=real, probability=p, n_draws=99)
    two = informed.probabilities(real=real, probability=np.column_stack([1 - p, p]), n_draws=99)
    np.testing.assert_allclose([r[1:] for r in two.records().rows], [r[1:] for r in one.records().rows], atol=1e-12)
    from informed.decisions.class_forecast import ClassProbabilities

    whole = ClassProbabilities(cases_of(real, np.column_stack([1 - p, p])), n_draws=0)
    for name in ("growth", "log_skill", "brier_skill", "informedness"):
        for end in ("estimate", "low", "high"):
            assert getattr(getattr(whole, name), end) == pytest.approx(getattr(getattr(one, name), end), abs=1e-9)


def test_columns_are_matched_by_name() -> None:
    _, p = world()
    turned = {label: p[:, LABELS.index(label)] for label in ("fox", "cat", "dog")}
    assert several(probability=turned).brier.score == pytest.approx(several().brier.score)
    assert several(probability=p[:, ::-1], labels=LABELS[::-1]).log_skill.estimate == pytest.approx(
        several().log_skill.estimate
    )
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(turned)
    assert several(probability=frame).brier.score == pytest.approx(several().brier.score)


def test_the_ranked_score_of_ordered_classes() -> None:
    real, p = world()
    f = several(labels=LABELS)
    y = np.array([LABELS.index(x) for x in real])
    cuts = np.cumsum(p, axis=1)[:, :-1] - (y[:, None] <= np.arange(2))
    assert f.ranked.score == pytest.approx((cuts**2).sum(axis=1).mean())
    assert f.ranked.score == pytest.approx(f.ranked.mcb - f.ranked.dsc + f.ranked.unc, abs=1e-12)
    assert f.ranked_skill.estimate == pytest.approx(f.ranked.skill)
    assert f.ranked_skill.low < f.ranked_skill.estimate < f.ranked_skill.high
    sure = np.eye(3)[(y + 1) % 3]  # certain forecasts cost the mean distance
    wrong = several(probability=sure, labels=LABELS)
    assert wrong.ranked.score == pytest.approx(np.abs((y + 1) % 3 - y).mean())
    with pytest.raises(informed.InformedError, match="needs the order of the labels"):
        several().ranked_skill  # noqa: B018
    turned = several(probability={x: p[:, LABELS.index(x)] for x in ("fox", "cat", "dog")}, labels=LABELS)
    assert turned.ranked.score == pytest.approx(f.ranked.score)


def test_the_surest_label_is_judged_by_whether_it_is_right() -> None:
    real, p = world()
    f = several()
    right = np.array(LABELS)[p.argmax(axis=1)] == real
    alone = informed.probabilities(real=right, probability=p.max(axis=1), positive=True, n_draws=0)
    assert f.top.brier.score == pytest.approx(alone.brier.score)
    assert f.top.prevalence == pytest.approx(right.mean())


def test_miscalibration_of_several_classes_is_seen() -> None:
    real, sharp = world(400, power=2.5)
    off = informed.probabilities(real=real, probability=sharp, n_draws=199)
    fine = informed.probabilities(real=real, probability=world(400)[1], n_draws=199)
    assert off.calibration.pvalue == 1 / 200
    assert fine.calibration.pvalue > 0.05
    assert "not calibrated" in off.sentence()


def test_an_item_that_was_asked_often_has_one_class_in_the_draws() -> None:
    """Right probabilities, each asked six times with other noise: seldom called wrong."""
    found = []
    for seed in range(40):
        rng = np.random.default_rng([5, seed])
        p = np.exp(rng.normal(0, 1.2, (60, 3)))
        p /= p.sum(axis=1)[:, None]
        real = (rng.random(60)[:, None] > np.cumsum(p, axis=1)[:, :-1]).sum(axis=1)
        again = np.repeat(p, 6, axis=0) + np.tile([-1e-6, 0, 1e-6], (360, 1)) * rng.random(360)[:, None]
        item = np.repeat(np.arange(60), 6)
        f = informed.probabilities(real=np.repeat(real, 6), probability=again, item=item, labels=[0, 1, 2], n_draws=99)
        found.append(f.calibration.pvalue)
    assert np.mean(np.array(found) <= 0.05) < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 40)


def test_a_class_is_rare_by_its_cases_and_not_by_their_weight() -> None:
    real, _ = world()
    codes = {note.code for note in several(weights=np.full(240, 0.01)).notes}
    assert "few-a-class" not in codes
    few = np.where(real == "fox", "dog", real)
    few[:4] = "fox"
    heavy = several(real=few, weights=np.where(few == "fox", 1000.0, 1.0))
    assert "few-a-class" in {note.code for note in heavy.notes}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"probability": world()[1] * 0.9}, "240 of 240 cases do not, the worst at position"),
        ({"probability": world()[1][:, :2]}, "`probability` has 2 columns, and the classes are"),
        ({"probability": world()[1] - 0.3}, "these are scores, and no probabilities"),
        ({"labels": ["cat", "dog", "owl"]}, "'fox' is a real class and has no column"),
        ({"positive": "cat"}, "`positive` is of two classes"),
        ({"cost": "5:1"}, "`cost` and `also` are of two classes"),
    ],
)
def test_what_is_no_matrix_of_probabilities_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(informed.InformedError) as error:
        several(**given)
    assert said in str(error.value)


def test_ruin_and_one_class() -> None:
    real, p = world()
    p = p.copy()
    at = int(np.flatnonzero(real == "cat")[0])
    p[at] = [0, 0.5, 0.5]
    f = several(probability=p)
    assert f.growth.estimate == -np.inf
    assert "ruined by 1 case" in f.sentence()
    assert np.isfinite(several(probability=p, clip=1e-6).growth.estimate)
    alone = informed.probabilities(real=["cat"] * 5, probability=p[:5], labels=LABELS, n_draws=0)
    assert np.isnan(alone.growth.estimate)
    assert alone.text()


# ---------------------------------------------------------------------- compare


def compared(**more: Any) -> Any:
    real, p = world()
    systems = {"right": p, "sharp": world(power=2)[1], "flat": np.full_like(p, 1 / 3)}
    return informed.probabilities.compare(**{"real": real, "probabilities": systems, "n_draws": 0, **more})


def test_differences_are_those_of_the_skills_and_holm_over_pairs() -> None:
    c = compared()
    for d in c.pairs.values():
        a, b = (getattr(c.systems[name], d.measure).estimate for name in d.names)
        assert d.estimate == pytest.approx(a - b, abs=1e-12)
        assert d.low <= d.estimate <= d.high
    rows = c.differences.where(measure="log_skill")
    p = sorted(rows["pvalue"])
    assert sorted(rows["adjusted"])[0] == pytest.approx(min(1, 3 * p[0]))
    assert c.ranked[0] == "right"


def test_a_paired_difference_is_the_t_test_where_prevalence_is_known() -> None:
    """Where the tilt of the prevalence is left out, a difference of growth is a mean of differences."""
    from scipy.stats import ttest_1samp

    c = compared()
    d = c.difference("right", "sharp", "growth")
    one, other = (c.held[name].score("log") for name in ("right", "sharp"))
    gap = other - one
    assert d.standard_error == pytest.approx(gap.std() / np.sqrt(len(gap)))
    assert 1 > d.pvalue > ttest_1samp(gap, 0).pvalue  # heavy tails leave fewer degrees of freedom


def test_the_same_probabilities_do_not_differ() -> None:
    real, p = world()
    c = informed.probabilities.compare(real=real, probabilities={"a": p, "b": p}, n_draws=0)
    assert [(d.estimate, d.pvalue) for d in c.pairs.values()] == [(0, 1)] * 3


def test_systems_of_one_column_and_units() -> None:
    real, p = world(300)
    systems = {"a": p[:, 0], "b": 0.1 + 0.8 * p[:, 0]}
    alone = informed.probabilities.compare(real=real == "cat", probabilities=systems, n_draws=0)
    one = informed.probabilities(real=real == "cat", probability=p[:, 0], n_draws=0)
    assert alone.systems["a"].log_skill.low == pytest.approx(one.log_skill.low)
    twice = informed.probabilities.compare(
        real=np.repeat(real == "cat", 2),
        probabilities={name: np.repeat(x, 2) for name, x in systems.items()},
        item=np.repeat(np.arange(300), 2),
        n_draws=0,
    )
    for key, d in alone.pairs.items():
        again = twice.pairs[key]
        assert [again.estimate, again.low, again.pvalue] == pytest.approx([d.estimate, d.low, d.pvalue])


def test_what_cannot_be_compared_is_refused() -> None:
    real, p = world()
    for given, said in (
        ({"probabilities": {"a": p}}, "two systems or more"),
        ({"baseline": "x"}, "There is no system 'x'"),
        ({"measure": "auc"}, "`measure` is 'auc'; it can be"),
        ({"probabilities": {"a": p, "b": p[:, 0]}}, "give all alike"),
    ):
        with pytest.raises(informed.InformedError) as error:
            compared(**given)
        assert said in str(error.value)
    assert len(real) == 240


# ---------------------------------------------------------------------- files


@pytest.fixture
def file(tmp_path: Path) -> Path:
    real, p = world()
    _, q = world(power=2)
    path = tmp_path / "forecasts.csv"
    with path.open("w", newline="") as held:
        out = csv.writer(held)
        out.writerow(["y", *(f"p_{x}" for x in LABELS), *(f"q_{x}" for x in LABELS), "cat", "p", "q", "half", "pet"])
        for i, (y, a, b) in enumerate(zip(real, p, q, strict=True)):
            rest = [int(y == "cat"), a[0], b[0], "first" if i < 120 else "second", i // 4]
            out.writerow([y, *a.tolist(), *b.tolist(), *rest])
    return path


def test_read_gives_what_the_verb_takes(file: Path) -> None:
    real, p = world()
    held = informed.read(file, real="y", probability="p_*", unit="pet", by="half")
    found = informed.probabilities(held, n_draws=0)
    assert informed.report(held, n_draws=0).said == found.sentence()
    assert found.brier.score == pytest.approx(several().brier.score)
    assert list(found.groups) == ["first", "second"]
    assert len(held) == 240
    first = informed.probabilities(real=real[:120], probability=p[:120], n_draws=0)
    assert found.groups["first"].log_skill.estimate == pytest.approx(first.log_skill.estimate)
    read: Any = informed.read
    with pytest.raises(informed.InformedError, match="not for probabilities"):
        read(file, real="y", probability="p_*", predicted="p")
    with pytest.raises(informed.InformedError, match="No column is like"):
        informed.read(file, real="y", probability="z_*")


def test_groups_of_cases_of_which_some_are_dropped() -> None:
    real, p = world()
    half = np.repeat(["a", "b"], 120)
    gone = np.arange(240) % 7 == 0
    holes = np.where(gone[:, None], np.nan, p)
    kept = ~gone & (half == "a")
    for given, whole in ((holes, p), (holes[:, 0], p[:, 0])):
        y = real if given.ndim == 2 else real == "cat"
        f = informed.probabilities(real=y, probability=given, by=half, missing="drop", n_draws=0)
        alone = informed.probabilities(real=y[kept], probability=whole[kept], n_draws=0)
        assert f.groups["a"].brier_skill.estimate == pytest.approx(alone.brier_skill.estimate)
        assert any(note.code == "left-out" for note in f.notes)


def test_report_on_the_command_line(file: Path, tmp_path: Path) -> None:
    real, p = world()
    words = ("report", str(file), "--real", "cat", "--probability", "p")
    said = ok(*words, "--cost", "5:1", "--by", "half", "--unit", "pet", "--also", "ece(bins=10)", "--full")
    assert "A bettor who trusted these probabilities would grow" in said
    assert "It ranks" in said
    assert "calibrated" in said
    assert "At 5:1 for misses and false alarms" in said
    assert "ece(bins=10)" in said
    data = json.loads(ok(*words, "--format", "json"))
    assert data["brier_skill"]["estimate"] == pytest.approx(
        informed.probabilities(real=real == "cat", probability=p[:, 0], n_draws=0).brier_skill.estimate
    )
    ok(*words, "-o", str(tmp_path / "page.html"))
    assert "Reliability diagram" in (tmp_path / "page.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--fail-under", "brier_skill.low=0.1"), 0),
        (("--fail-under", "d2_brier_score=0.9"), 1),
        (("--fail-under", "log_skill.greater=0"), 0),
        (("--fail-under", "calibration=0.01"), 0),
        (("--decide", "log_skill=.1"), 0),
        (("--decide", "log_skill=.9"), 1),
        (("--decide", "log_skill=.22"), 3),
        (("--fail-under", "recall=0.1"), 2),
        (("--threshold", "0.5"), 2),
        (("--probability", "q"), 2),
    ],
)
def test_gates(file: Path, words: tuple[str, ...], code: int) -> None:
    done = run("report", str(file), "--real", "cat", "--probability", "p", *words)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr


def test_a_report_with_scores_says_a_line_of_probabilities(file: Path) -> None:
    words = ("report", str(file), "--real", "cat", "--threshold", "0.4", "--full")
    real, p = world()
    skill = informed.probabilities(real=real == "cat", probability=p[:, 0], n_draws=0).log_skill.estimate
    said = " ".join(ok(*words, "--score", "p").split())
    assert "If scores are probabilities: a bettor who trusted them would grow by" in said
    assert f"{100 * skill:.0f} % of what perfect knowledge would bring" in said
    assert "If scores are probabilities" not in ok(
        "report", str(file), "--real", "cat", "--threshold", "4", "--score", "pet"
    )


def test_compare_on_the_command_line(file: Path) -> None:
    said = ok("compare", str(file), "--real", "y", "--probability", "p_*", "--probability", "q_*", "--unit", "pet")
    assert said.startswith("p is better than q: log skill")
    two = ("compare", str(file), "--real", "cat", "--probability", "q", "--probability", "p")
    assert run(*two, "--fail-worse", "0.01").returncode == 1
    assert run(*two, "--fail-unless", "0.01").returncode == 1
    assert run(*two, "--decide", "log_skill=0").returncode == 1
    assert run(*two, "--by", "half").returncode == 0
    assert run(*two, "--baseline", "p", "--measure", "brier_skill").returncode == 0


# ---------------------------------------------------------------------- scikit-learn


def test_scores_and_scorers_of_scikit_learn() -> None:
    pytest.importorskip("sklearn")
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import log_loss
    from sklearn.model_selection import cross_validate

    import informed.sklearn as sk

    rng = np.random.default_rng(1)
    X = rng.normal(size=(150, 2))
    three = np.array(LABELS)[np.digitize(X[:, 0] + rng.normal(size=150), [-0.5, 0.7])]
    two = three == "fox"
    scoring = {name: sk.scorers[name] for name in ("brier_skill", "log_skill", "growth")}
    for y in (two, three):
        found = cross_validate(LogisticRegression(), X, y, scoring=scoring, cv=3)
        assert (found["test_brier_skill"] > 0).all()
        model = LogisticRegression().fit(X, y)
        p = model.predict_proba(X)
        share = np.unique(y, return_counts=True)[1] / 150
        entropy = -(share * np.log(share)).sum()
        assert sk.log_skill_scorer(model, X, y) == pytest.approx(1 - log_loss(y, p) / entropy)
    assert sk.growth_score(two, model.predict_proba(X)[:, 2]) == pytest.approx(
        informed.probabilities(real=two, probability=p[:, 2], n_draws=0).growth.estimate
    )
    with pytest.raises(informed.InformedError, match="`y_prob` runs from"):
        sk.brier_skill_score([0, 1], [2.0, 3.0])
    with pytest.raises(informed.InformedError, match="`measure` is 'recall'"):
        sk.ProbabilityScorer("recall")


def test_the_reliability_curve_is_drawn() -> None:
    pytest.importorskip("matplotlib")
    from informed.plotting import ReliabilityDisplay

    real, p = world()
    shown = ReliabilityDisplay.from_predictions(real == "cat", p[:, 0], n_draws=99)
    assert shown.ax_.get_xlabel() == "probability"
    with pytest.raises(informed.InformedError, match="these are scores"):
        ReliabilityDisplay.from_predictions(real == "cat", 3 * p[:, 0] - 2, n_draws=0)


def test_rows_that_are_off_by_rounding_are_taken_and_told() -> None:
    real, p, *_ = world()
    found = informed.probabilities(real=real, probability=np.round(p, 2), labels=LABELS, n_draws=0)
    off = int((np.abs(np.round(p, 2).sum(axis=1) - 1) > 1e-6).sum())
    assert off > 0
    said = [x.text for x in found.notes if x.code == "rounded"]
    assert said == [
        f"The probabilities of {off} cases add up to 1 but for rounding to 2 digits; they are used as they stand."
    ]
    exact = informed.probabilities(real=real, probability=p, labels=LABELS, n_draws=0)
    assert not [x for x in exact.notes if x.code == "rounded"]
    assert found.brier_skill.estimate == pytest.approx(exact.brier_skill.estimate, abs=0.01)


def test_more_than_rounding_explains_is_refused_with_its_sum() -> None:
    real, p, *_ = world()
    p = np.round(p, 2)
    p[7] = [0.4, 0.3, 0.32]
    with pytest.raises(LabelError, match=r"those of 1 of 240 cases do not, the worst at position 7 .* sum is 1\.02"):
        informed.probabilities(real=real, probability=p, labels=LABELS)
    with pytest.raises(LabelError, match="ivide them by 100, if these are percentages"):
        informed.probabilities(real=real, probability=np.round(p * 100), labels=LABELS)


def test_the_ruined_are_not_called_calibrated_by_a_test_that_passes() -> None:
    real, p, *_ = world()
    own = [LABELS.index(x) for x in real]
    p = p.copy()
    p[0] = 0.5
    p[0, own[0]] = 0.0
    said = informed.probabilities(real=real, probability=p, labels=LABELS).sentence()
    assert "ruined by 1 case" in said
    assert "They are not calibrated all the same, because what they called impossible happened." in said
