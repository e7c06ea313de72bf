"""Many systems that gave probabilities: places on a board, and slices of the cases."""

from __future__ import annotations

import csv
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import informed
from command_line import ok, run
from informed.decisions.probability_cases import cases_of
from informed.decisions.skill import skill
from informed.evidence.forecasts import Forecasts

MEASURES = ("log_skill", "brier_skill", "growth")


def logistic(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def world(n: int = 300, seed: int = 3) -> tuple[NDArray[Any], dict[Any, NDArray[Any]]]:
    """Classes and the probabilities of systems, the first of which is right."""
    rng = np.random.default_rng(seed)
    z = rng.normal(0, 1.5, n)
    real = (rng.random(n) < logistic(z)).astype(int)
    noisy = {f"noisy {i}": logistic(z + rng.normal(0, 1, n)) for i in (1, 2)}
    return real, {"right": logistic(z), "sharp": logistic(3 * z), **noisy}


def forecasts(n: int = 300, **more: Any) -> Forecasts:
    real, systems = world(n)
    return Forecasts(real.tolist(), systems, **more)


def thirds(n: int = 300) -> Any:
    return np.array(["a", "b", "c"])[np.arange(n) * 3 // n].tolist()


# ---------------------------------------------------------------------- the error of a gain


@pytest.mark.parametrize("measure", MEASURES)
def test_what_cases_add_is_the_slope_of_the_gain(measure: str) -> None:
    """Each case with a little more weight moves the gain by what it is said to add."""
    rng = np.random.default_rng(1)
    real = rng.integers(0, 3, 40)
    p = rng.dirichlet(np.ones(3), 40)
    held = cases_of(real, p, labels=[0, 1, 2])
    found = skill(held, measure)
    for case in range(0, 40, 7):
        w = np.ones(40)
        w[case] += 1e-6
        moved = skill(cases_of(real, p, labels=[0, 1, 2], weights=w), measure)
        assert (moved.value - found.value) / 1e-6 * 40 == pytest.approx(found.each[case], abs=1e-4)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("unit", [None, np.arange(300) // 3])
def test_differences_on_a_board_are_those_of_two_systems(measure: str, unit: Any) -> None:
    held = forecasts(unit=unit)
    board = informed.leaderboard(held, measure=measure, adjust="none")
    c = informed.probabilities.compare(held, measure=measure, n_draws=0)
    for a, b in (("right", "sharp"), ("noisy 1", "noisy 2")):
        gap, alone = board[a, b], c.difference(a, b, measure)
        assert gap.estimate == pytest.approx(alone.estimate, abs=1e-12)
        assert gap.standard_error == pytest.approx(alone.standard_error)
        assert gap.pvalue == pytest.approx(alone.pvalue)
        assert gap.low <= alone.low
        assert alone.high <= gap.high
    np.testing.assert_allclose(board.estimate, [getattr(x, measure).estimate for x in c.systems.values()])
    assert c.board.leaders == board.leaders


def test_the_spread_of_a_board_is_that_of_a_bootstrap() -> None:
    held = forecasts(200)
    board = informed.leaderboard(held, measure="brier_skill")
    rng, drawn = np.random.default_rng(2), []
    real = np.array(held.real)
    stacked = np.column_stack(list(held.probabilities.values()))
    for _ in range(1500):
        at = rng.integers(0, 200, 200)
        y, p = real[at], stacked[at]
        drawn.append(1 - ((p - y[:, None]) ** 2).mean(axis=0) / (y.mean() * (1 - y.mean())))
    np.testing.assert_allclose(board.standard_error, np.std(drawn, axis=0), rtol=0.12)
    np.testing.assert_allclose(board.covariance[0], np.cov(np.array(drawn).T)[0], rtol=0.25)


def test_a_board_says_who_may_be_the_best() -> None:
    board = informed.leaderboard(forecasts(2000))
    assert board.leaders == ("right",)
    assert board.method == "t by cases"
    assert board.rank_low.tolist() == [1, 4, 2, 2]
    assert board.beyond_guessing.tolist()[0]
    assert "log skill" in board.text()
    alone = informed.probabilities(
        real=board_real(2000), probability=world(2000)[1]["right"], level=0.95, n_draws=0
    ).log_skill
    assert board.low[0] < alone.low < alone.high < board.high[0]  # they hold together
    assert board.tables.names == tuple(world()[1])


def board_real(n: int) -> Any:
    return world(n)[0]


def test_a_ruined_system_is_last_and_said() -> None:
    real, systems = world()
    gone = systems["right"].copy()
    gone[np.flatnonzero(real == 1)[0]] = 0.0
    held = Forecasts(real.tolist(), {"gone": gone, **systems})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        board = informed.leaderboard(held)
        page = board.document()
    assert board.estimate[0] == -np.inf
    assert board.rank_low[0] == board.rank_high[0] == 5
    assert max(board.rank_high[1:]) == 4
    assert "gone" not in board.leaders
    assert np.isnan(board["gone", "right"].pvalue)
    assert board.notes[0].code == "ruined"
    assert "∞" in page.text(full=True)
    assert informed.leaderboard(held, measure="brier_skill").rank_low[0] < 5
    c = informed.probabilities.compare(held, n_draws=0)
    assert c.board.rank_low[0] == 5
    assert "differences" in c.sentence()
    assert "gone" not in c.sentence()


def test_an_undefined_system_cannot_lead_any_board() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    good = np.where(rng.random(60) < 0.8, y, 1 - y)
    board = informed.leaderboard(real=y, predictions={"good": good, "constant": np.ones(60, int)}, measure="markedness")
    assert np.isnan(board.estimate[1])
    assert board.leaders == ("good",)
    assert board.groups == (("good",), ("constant",))


def test_cases_that_all_cost_the_same_are_not_beyond_doubt() -> None:
    """Ten of each class, always .2 and .8: no spread is seen, and some may be hidden."""
    real = np.tile([0, 1], 10)
    p = np.where(real == 1, 0.8, 0.2)
    one = informed.probabilities(real=real, probability=p, n_draws=0)
    many = informed.probabilities.compare(
        real=real, probabilities={"a": p, "b": np.where(real == 1, 0.7, 0.3)}, measure="brier_skill", n_draws=0
    )
    for name in ("log_skill", "brier_skill", "growth", "soft_informedness"):
        x = getattr(one, name)
        assert x.low < x.estimate
        assert x.estimate <= x.high
    d = many.difference("a", "b", "brier_skill")
    assert d.pvalue == pytest.approx(2 * 0.5**20)  # that of signs
    assert d.low < d.estimate < d.high
    assert many.board["a", "b"].pvalue == pytest.approx(d.pvalue)
    flat = informed.probabilities(real=real, probability=np.full(20, 0.5), n_draws=0)
    assert flat.brier_skill.low < 0 == flat.brier_skill.high  # where the prevalence is another, it loses


def test_no_spread_is_alike_for_two_classes_and_columns() -> None:
    from informed.decisions.class_forecast import ClassProbabilities

    real = np.tile([0, 1], 10)
    for p in (np.where(real == 1, 0.8, 0.2), real.astype(float)):
        one = informed.probabilities(real=real, probability=p, n_draws=0)
        whole = ClassProbabilities(cases_of(real, np.column_stack([1 - p, p])), n_draws=0)
        for name in MEASURES:
            x, y = getattr(one, name), getattr(whole, name)
            assert [x.low, x.high] == pytest.approx([y.low, y.high])


def test_systems_of_equal_worth_are_seldom_told_apart() -> None:
    """Four systems with noise of one size: any false difference at .05, in Monte Carlo errors."""
    false = 0
    for seed in range(200):
        rng = np.random.default_rng([8, seed])
        z = rng.normal(0, 1.5, 150)
        real = (rng.random(150) < logistic(z)).astype(int)
        systems = {i: logistic(z + rng.normal(0, 0.8, 150)) for i in range(4)}
        board = informed.leaderboard(Forecasts(real.tolist(), systems), n_draws=1000)
        false += bool((board.pairs.adjusted[np.triu_indices(4, 1)] <= 0.05).any())
    assert false / 200 < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"measure": "auc"}, "`measure` is 'auc'; it can be"),
        ({"baseline": "x"}, "There is no system 'x'"),
        ({"unit": [1]}, "`unit` is for labels"),
        ({"average": "macro"}, "`average` is for labels"),
        ({"count": "answered"}, "`count` is for labels"),
    ],
)
def test_what_a_board_of_probabilities_does_not_take(given: dict[str, Any], said: str) -> None:
    with pytest.raises(informed.InformedError) as error:
        informed.leaderboard(forecasts(), **given)
    assert said in str(error.value)


def test_an_average_is_of_tags() -> None:
    y = [0, 1] * 10
    with pytest.raises(informed.InformedError, match="`average` is of tags"):
        informed.leaderboard(real=y, predictions={"a": y, "b": y[::-1]}, average="macro")


def test_one_system_and_one_class_make_no_board() -> None:
    real, systems = world()
    with pytest.raises(informed.InformedError, match="There is one system"):
        informed.leaderboard(Forecasts(real.tolist(), {"right": systems["right"]}))
    with pytest.raises(informed.InformedError, match="no odds to bet at"):
        informed.leaderboard(Forecasts([1] * 300, systems))


def test_tags_refuse_what_is_of_labels() -> None:
    y = np.array([[1, 0], [1, 1], [0, 1], [0, 0]] * 5)
    tags = informed.Tags.from_labels(real=y, predicted={"same": y, "none": y * 0})
    with pytest.raises(informed.InformedError, match="`weights` is for labels; tags have"):
        informed.leaderboard(tags, weights=[1] * 20)
    assert informed.leaderboard(tags).leaders == ("same",)


# ---------------------------------------------------------------------- slices


@pytest.mark.parametrize("measure", MEASURES)
def test_slices_are_those_of_their_cases(measure: str) -> None:
    real, systems = world()
    by = np.array(thirds())
    found = informed.slices(forecasts(by=thirds()), measure=measure)
    for i, part in enumerate("abc"):
        own = by == part
        alone = informed.probabilities(real=real[own], probability=systems["sharp"][own], n_draws=0)
        value = getattr(alone, measure)
        assert found.estimate[1, i] == pytest.approx(value.estimate, abs=1e-12)
        assert [found.low[1, i], found.high[1, i]] == pytest.approx([value.low, value.high])
    whole = informed.probabilities(real=real, probability=systems["sharp"], n_draws=0)
    assert found.pooled[1] == pytest.approx(getattr(whole, measure).estimate)
    np.testing.assert_allclose(found.stratified, found.estimate.mean(axis=1))
    assert (found.stratified_low < found.stratified).all()
    assert (found.stratified < found.stratified_high).all()
    assert found.systems == tuple(systems)


def test_slices_of_one_system_and_of_classes() -> None:
    real, systems = world()
    two = informed.slices(Forecasts(real.tolist(), {"right": systems["right"]}), by=thirds())
    p = systems["right"]
    columns = np.column_stack([1 - p, p])
    several = informed.slices(Forecasts(real.tolist(), {"right": columns}, labels=(0, 1), by=thirds()))
    np.testing.assert_allclose(two.estimate, several.estimate)
    assert two.heterogeneity.pvalue.tolist() == pytest.approx(several.heterogeneity.pvalue.tolist())


def test_slices_that_differ_are_told_and_equal_ones_seldom() -> None:
    """Sharp in one slice, right in the others; and right everywhere, at .05 in Monte Carlo errors."""
    told = false = 0
    for seed in range(150):
        rng = np.random.default_rng([9, seed])
        z = rng.normal(0, 1.5, 360)
        real = (rng.random(360) < logistic(z)).astype(int)
        by = np.repeat(["a", "b", "c"], 120)
        p = {"even": logistic(z), "uneven": logistic(np.where(by == "a", 4.0, 1.0) * z)}
        found = informed.slices(Forecasts(real.tolist(), p, by=by.tolist()))
        even, uneven = found.heterogeneity.pvalue < 0.05
        told, false = told + int(uneven), false + int(even)
    assert false / 150 < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 150)
    assert told > 75


def test_slices_that_share_units_vary_together() -> None:
    """Each unit in both slices, with like cases: the difference is surer than of slices of other units."""
    rng = np.random.default_rng(4)
    z = rng.normal(0, 1.5, 150)
    real = np.tile((rng.random(150) < logistic(z)).astype(int), 2)
    p = np.tile(logistic(z), 2)
    p[150:] = logistic(1.3 * z)
    by = ["a"] * 150 + ["b"] * 150
    shared = informed.slices(Forecasts(real.tolist(), {"x": p}, unit=np.tile(np.arange(150), 2).tolist(), by=by))
    apart = informed.slices(Forecasts(real.tolist(), {"x": p}, unit=np.arange(300).tolist(), by=by))
    assert shared.estimate.tolist() == apart.estimate.tolist()
    assert shared.heterogeneity.statistic[0] > 2 * apart.heterogeneity.statistic[0]


def test_items_asked_several_times_share_their_weight_in_each_slice() -> None:
    real, systems = world(120)
    p = systems["right"]
    item = np.repeat(np.arange(120), 2)
    by = np.repeat(thirds(120), 2).tolist()
    twice = informed.slices(Forecasts(np.repeat(real, 2).tolist(), {"x": np.repeat(p, 2)}, item=item.tolist(), by=by))
    once = informed.slices(Forecasts(real.tolist(), {"x": p}, by=thirds(120)))
    np.testing.assert_allclose(twice.estimate, once.estimate)
    assert twice.heterogeneity.pvalue.tolist() == pytest.approx(once.heterogeneity.pvalue.tolist())


def test_answers_to_one_item_in_two_slices_have_its_weight_in_each() -> None:
    real, systems = world(120)
    p, item = systems["right"], np.repeat(np.arange(120), 2).tolist()
    held = Forecasts(np.repeat(real, 2).tolist(), {"x": np.repeat(p, 2)}, item=item, by=["first", "again"] * 120)
    found = informed.slices(held)
    whole = informed.probabilities(real=real, probability=p, n_draws=0).log_skill
    np.testing.assert_allclose(found.estimate, whole.estimate)
    np.testing.assert_allclose(found.low, whole.low)
    assert found.heterogeneity.pvalue[0] == pytest.approx(1)


def test_ruin_and_one_class_in_a_slice() -> None:
    real, systems = world()
    p = systems["right"].copy()
    p[np.flatnonzero(real == 1)[0]] = 0.0
    real[200:] = 1
    found = informed.slices(Forecasts(real.tolist(), {"x": p, "y": systems["right"]}, by=thirds()))
    assert found.estimate[0, 0] == -np.inf
    assert found.stratified[0] == found.stratified_high[0] == -np.inf
    assert np.isnan(found.heterogeneity.pvalue[0])
    assert np.isnan(found.estimate[:, 2]).all()
    assert np.isfinite(found.heterogeneity.pvalue[1])
    codes = {note.code for note in found.notes}
    assert {"ruined", "undefined-slices"} <= codes
    assert "∞" in found.text(full=True)


def test_a_perfect_slice_is_told_from_a_poor_one() -> None:
    rng = np.random.default_rng(6)
    real = rng.integers(0, 2, 200)
    p = np.where(np.arange(200) < 100, real, 0.3 + 0.4 * rng.random(200))
    found = informed.slices(Forecasts(real.tolist(), {"x": p}, by=np.repeat(["a", "b"], 100).tolist()))
    assert found.estimate[0, 0] == 1
    assert found.heterogeneity.pvalue[0] < 0.001


def test_the_pool_cannot_contradict_slices_of_the_same_cases() -> None:
    """Costs add up over slices, so who costs less in each of them costs less in all."""
    found = informed.slices(forecasts(), by=thirds())
    assert found.reversals == ()
    ahead = (found.estimate[:, None] > found.estimate).all(axis=-1)
    assert ahead.any()
    assert (found.pooled[:, None] > found.pooled)[ahead].all()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "`by` is missing"),
        ({"by": ["x"] * 300}, "All cases are of one slice"),
        ({"by": ["x", "y"]}, "`by` has 2 entries for 300 cases"),
        ({"by": thirds(), "measure": "recall"}, "`measure` is 'recall'; it can be"),
        ({"by": thirds(), "count": "answered"}, "`count` is for labels"),
    ],
)
def test_what_cannot_be_cut_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(informed.InformedError) as error:
        informed.slices(forecasts(), **given)
    assert said in str(error.value)


def test_small_slices_are_warned_of() -> None:
    by = np.where(np.arange(300) < 8, "few", "many").tolist()
    assert "few-a-class" in {note.code for note in informed.slices(forecasts(), by=by).notes}
    assert "few-a-class" not in {note.code for note in informed.slices(forecasts(), by=thirds()).notes}


# ---------------------------------------------------------------------- files


@pytest.fixture
def file(tmp_path: Path) -> Path:
    real, systems = world()
    path = tmp_path / "forecasts.csv"
    with path.open("w", newline="") as held:
        out = csv.writer(held)
        out.writerow(["wet", "right", "sharp", "noisy", "third"])
        for y, part, *p in zip(real, thirds(), *list(systems.values())[:3], strict=True):
            out.writerow(["wet" if y else "dry", *p, part])
    return path


def test_read_keeps_what_the_verbs_need(file: Path) -> None:
    names = ["right", "sharp", "noisy"]
    held = informed.read(file, real="wet", probability=names, by="third", positive="wet")
    board, found = informed.leaderboard(held), informed.slices(held)
    assert board.leaders[0] == "right"
    assert found.slices == ("a", "b", "c")
    text = file.read_text().replace("dry,", ",", 1)
    file.write_text(text)
    with pytest.raises(informed.InformedError):
        informed.slices(informed.read(file, real="wet", probability=names, by="third", positive="wet"))
    dropped = informed.read(file, real="wet", probability=names, by="third", positive="wet", missing="drop")
    assert informed.slices(dropped).share.sum() == pytest.approx(3)
    assert informed.leaderboard(dropped).items == 299
    assert informed.probabilities.compare(dropped, n_draws=0).slices().slices == ("a", "b", "c")


def test_compare_by_slices_on_the_command_line(file: Path) -> None:
    words = ("compare", str(file), "--real", "wet", "--positive", "wet")
    systems = [word for name in ("right", "sharp", "noisy") for word in ("--probability", name)]
    said = ok(*words, *systems, "--by", "third", "--full")
    assert "By third" in said
    assert "log skill in each slice" in said
    data = json.loads(ok(*words, *systems, "--by", "third", "--measure", "brier_skill", "--format", "json"))
    assert data["by third"]["measure"] == "brier_skill"
    assert data["by third"]["slices"] == ["a", "b", "c"]
    assert run(*words, *systems, "--by", "third", "--by", "wet").returncode == 2
    first = ok(*words, *systems)
    assert first.startswith("Of 3 systems on the same 300 cases, ")


@pytest.fixture
def ruined(file: Path) -> Path:
    """The same with a system that called impossible what happened, in both halves."""
    rows = list(csv.reader(file.read_text().splitlines()))
    for i, row in enumerate(rows):
        row.append("gone" if i == 0 else "0.0" if row[0] == "wet" and i % 25 == 0 else row[1])
    with file.open("w", newline="") as held:
        csv.writer(held).writerows(rows)
    return file


@pytest.mark.parametrize(
    ("first", "second", "gate", "code"),
    [
        ("gone", "right", ("--fail-worse", "0.02"), 1),
        ("right", "gone", ("--fail-worse", "0.02"), 0),
        ("right", "gone", ("--fail-unless", "0.02"), 0),
        ("gone", "right", ("--fail-unless", "0.02"), 1),
        ("gone", "right", ("--decide", "log_skill=0"), 1),
        ("right", "gone", ("--decide", "log_skill=0"), 0),
        ("right", "sharp", ("--decide", "informedness=0.2"), 2),
        ("right", "sharp", ("--measure", "informedness"), 2),
        ("right", "sharp", ("--fail-under", "log_skill=0.9"), 1),
        ("right", "sharp", ("--fail-under", "log_skill=0.05"), 0),
    ],
)
def test_gates_of_what_is_ruined_and_of_what_is_asked(
    ruined: Path, first: str, second: str, gate: tuple[str, ...], code: int
) -> None:
    words = ("compare", str(ruined), "--real", "wet", "--positive", "wet")
    done = run(*words, "--probability", first, "--probability", second, *gate)
    assert done.returncode == code, done.stderr


def test_a_page_of_systems_of_which_one_is_ruined_everywhere(ruined: Path) -> None:
    words = ("compare", str(ruined), "--real", "wet", "--positive", "wet", "--by", "third", "--full")
    said = ok(*words, *(x for name in ("right", "sharp", "gone") for x in ("--probability", name)))
    assert "Places that the data support" in said
    assert "1 of 1 differences is beyond luck" in said
    assert "infinite" in said
    data = json.loads(ok(*words[:-1], "--probability", "right", "--probability", "gone", "--format", "json"))
    assert {"log_low", "brier_low", "calibration"} <= {*data["systems"][0]}


def test_informedness_is_no_other_name_of_log_skill() -> None:
    for verb in (informed.leaderboard, informed.slices):
        with pytest.raises(informed.InformedError, match="`measure` is 'informedness'"):
            verb(forecasts(by=thirds()), measure="informedness")


def test_classes_of_two_spellings(tmp_path: Path) -> None:
    real, systems = world(60)
    words = np.where(real == 1, "Yes", "no").astype(object)
    words[np.flatnonzero(real == 1)[:3]] = "yes"
    p = systems["right"]
    given: dict[str, Any] = {"real": words, "probability": p, "n_draws": 0}
    with pytest.raises(informed.InformedError, match="differ only by upper and lower case"):
        informed.probabilities(**given, positive="Yes")
    alike: Any = informed.probabilities(**given, positive="Yes", normalize="case")
    assert alike.roc.positives == real.sum()
    apart: Any = informed.probabilities(**given, positive="Yes", normalize="none")
    assert apart.roc.positives == real.sum() - 3
    path = tmp_path / "spelled.csv"
    path.write_text("y,a,b\n" + "".join(f"{y},{x:.4f},{x / 2:.4f}\n" for y, x in zip(words, p, strict=True)))
    held = informed.read(path, real="y", probability=["a", "b"], positive="yes", normalize="case")
    assert informed.leaderboard(held).items == 60
    compared: Any = informed.probabilities.compare(held, n_draws=0)
    assert compared.systems["a"].prevalence == pytest.approx(real.mean())
    assert run("report", str(path), "--real", "y", "--probability", "a", "--positive", "yes").returncode == 2
    ok("report", str(path), "--real", "y", "--probability", "a", "--positive", "yes", "--normalize", "case")


def test_groups_of_a_report_stand_on_its_first_screen(file: Path) -> None:
    words = ("report", str(file), "--real", "wet", "--positive", "wet", "--probability", "right")
    assert "Groups:" in ok(*words, "--by", "third")
    text = file.read_text().replace("dry,", ",", 1)
    file.write_text(text)
    assert "1 rows without a label or a probability were left out" in ok(*words, "--missing", "drop")


def test_a_pattern_that_is_like_the_real_column_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "modes.csv"
    path.write_text("mode,m_bus,m_car\nbus,0.4,0.6\ncar,0.3,0.7\n")
    with pytest.raises(informed.InformedError, match=r"'m.' is also like 'mode'"):
        informed.read(path, real="mode", probability="m*")


def test_patterns_that_strip_to_one_name_are_two_systems(tmp_path: Path) -> None:
    path = tmp_path / "two.csv"
    path.write_text("y,p_a,p_b,p.a,p.b\na,0.6,0.4,0.7,0.3\nb,0.3,0.7,0.4,0.6\n")
    held = informed.read(path, real="y", probability=["p_*", "p.*"])
    assert tuple(held.probabilities) == ("p_*", "p.*")
