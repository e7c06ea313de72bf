"""Over what we divide: refusing does not pay, and leaving cases out is seen."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import informed
from command_line import ROOT, ok, refused, run
from informed import Table, compare
from informed.evidence.joint import Joint
from informed.evidence.paired import paired
from informed.inference.silence import silence_as_label
from informed.measures.headline import called, headline
from informed.summary import gates
from informed.summary.checks import check
from informed.systems.guards import guards

ITEMS = 400
RNG = np.random.default_rng(11)
REAL = RNG.integers(0, 2, ITEMS)
HARD = RNG.random(ITEMS) < 0.3
ANSWER = np.where(RNG.random(ITEMS) < np.where(HARD, 0.65, 0.9), REAL, 1 - REAL)
HONEST = [str(x) for x in ANSWER]
REFUSES = ["" if hard else x for x, hard in zip(HONEST, HARD.tolist(), strict=True)]
BETTER = [str(x) for x in np.where(RNG.random(ITEMS) < 0.87, REAL, 1 - REAL)]


def written(path: Path, rows: list[list[Any]], header: list[str]) -> str:
    with path.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([header, *rows])
    return str(path)


def table(answers: list[str], **how: Any) -> Table:
    said = [None if x == "" else int(x) for x in answers]
    return Table.from_labels(real=REAL, predicted=said, missing="abstain", **how)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """One file a system, one with the truth; `cut` lacks the rows of the hard items."""
    ids = [f"q{i}" for i in range(ITEMS)]
    each = {"honest": HONEST, "refuses": REFUSES, "better": BETTER}
    held = {
        name: written(
            tmp_path / f"{name}.csv",
            [[i, r, x] for i, r, x in zip(ids, REAL.tolist(), answers, strict=True)],
            ["id", "real", "said"],
        )
        for name, answers in each.items()
    }
    kept = [[i, x] for i, x, hard in zip(ids, HONEST, HARD.tolist(), strict=True) if not hard]
    held["cut"] = written(tmp_path / "cut.csv", kept, ["id", "said"])
    held["other"] = written(tmp_path / "other.csv", [[i, x] for i, x in zip(ids, BETTER, strict=True)], ["id", "said"])
    held["truth"] = written(
        tmp_path / "truth.csv", [[i, r] for i, r in zip(ids, REAL.tolist(), strict=True)], ["id", "real"]
    )
    return held


COLUMNS = ("--real", "real", "--predicted", "said", "--missing", "abstain")


class TestGates:
    def test_refusing_does_not_pass_and_would_among_the_answered(self, files: dict[str, str]) -> None:
        """Both ways: over all cases the cheat fails its gate, of those answered it clears it."""
        for gate in ("informedness=0.62", "accuracy=0.8", "score=0.8"):
            done = run("report", files["refuses"], *COLUMNS, "--fail-under", gate)
            assert done.returncode == 1, gate
        assert (
            "gate failed: Informedness over all cases is"
            in run("report", files["refuses"], *COLUMNS, "--fail-under", "informedness=0.62").stderr
        )
        alone = ("--count", "answered", "--fail-under", "informedness=0.62")
        assert run("report", files["refuses"], *COLUMNS, *alone).returncode == 0
        honest = run("report", files["honest"], *COLUMNS, "--fail-under", "score=0.7", "--fail-under", "coverage=1")
        assert honest.returncode == 0

    def test_refusing_right_answers_lowers_the_headline_and_the_score(self) -> None:
        before, after = table(HONEST), table(REFUSES)
        for name in ("informedness", "accuracy"):
            assert float(headline(name)(after)) < float(headline(name)(before))
            assert float(informed.find(name)(after.answered)) > float(informed.find(name)(before))

    def test_deleting_rows_stops_the_gate(self, files: dict[str, str]) -> None:
        join = ("--on", "id", "--real", "real", "--predicted", "said")
        done = run("report", files["truth"], files["cut"], *join, "--fail-under", "informedness=0.62")
        out = int(HARD.sum())
        assert done.returncode == 3
        assert f"{out} of 400 cases were not run ({out / 4:.0f} %), more than 5 %: no gate was checked." in done.stderr
        loose = ("--max-not-run", "0.4", "--fail-under", "informedness=0.62")
        assert run("report", files["truth"], files["cut"], *join, *loose).returncode == 0
        assert run("report", files["truth"], files["cut"], *join).returncode == 0, "no gate, no guard"

    def test_a_comparison_does_not_pass_by_refusing_or_deleting(self, files: dict[str, str]) -> None:
        join = ("--on", "id", "--real", "real", "--predicted", "said")
        gate = ("--fail-worse", "0")
        refused = run("compare", files["refuses"], files["better"], *join, *gate)
        assert refused.returncode == 1
        assert "refuses is worse than better by more than 0: informedness over all cases -" in refused.stderr
        alone = run("compare", files["refuses"], files["better"], *join, *gate, "--count", "answered")
        assert alone.returncode == 0
        deleted = run("compare", files["truth"], files["cut"], files["other"], *join, *gate)
        assert deleted.returncode == 3
        assert "of 400 cases of cut were not run" in deleted.stderr

    def test_guards_say_what_is_missing(self) -> None:
        states = {"right": 30.0, "wrong": 15.0, "unscored": 9.0, "error": 6.0}
        assert [g.sentence for g in guards(states)] == [
            "9 of 60 cases have no mark (15 %), more than 5 %: no gate was checked."
        ]
        assert [g.name for g in guards(states, {"unscored": 0.2, "error": 0.05})] == ["max-errors"]
        assert all(g.guard and not g for g in guards(states))
        assert guards({"right": 20, "abstained": 80}) == ()

    def test_the_line_says_of_which_cases(self) -> None:
        (whole, one) = check(table(REFUSES), ["informedness=0.1", "recall(average='macro')=0.1"])
        assert whole.sentence.startswith("Informedness over all cases is")
        assert one.sentence.startswith("Recall, macro average of the answered cases is")
        (plain,) = check(table(HONEST), ["informedness=0.1"])
        assert plain.sentence.startswith("Informedness is")
        assert called("score", silent=False) == "score"

    def test_a_baseline_is_compared_over_all_cases(self) -> None:
        before, after = (informed.report(table(x)) for x in (BETTER, REFUSES))
        assert not gates.regression(after, before)[0]
        assert gates.regression(before, after)[0]


class TestReport:
    def test_json_holds_the_score_and_the_states(self, files: dict[str, str]) -> None:
        held = json.loads(ok("report", files["refuses"], *COLUMNS, "--format", "json"))
        silent = int(HARD.sum())
        right = int((ANSWER == REAL)[~HARD].sum())
        assert held["states"] == {"right": right, "wrong": ITEMS - silent - right, "abstained": silent}
        assert held["score"]["value"] == pytest.approx(right / ITEMS)
        assert held["score"]["low"] < held["score"]["value"] < held["score"]["high"]
        assert (held["score"]["reported"], held["score"]["name"]) == (None, "accuracy")
        assert next(iter(held["measures"])) == "informedness_of_all"
        assert held["measures"]["informedness_of_all"]["pvalue"] < 1e-3
        whole = json.loads(ok("report", files["honest"], *COLUMNS, "--format", "json"))
        assert next(iter(whole["measures"])) == "informedness"
        assert whole["score"]["value"] == whole["measures"]["accuracy"]["value"]
        alone = json.loads(ok("report", files["refuses"], *COLUMNS, "--format", "json", "--count", "answered"))
        assert next(iter(alone["measures"])) == "informedness"
        assert alone["score"]["value"] == pytest.approx(right / (ITEMS - silent))

    def test_groups_are_ranked_and_pooled_over_all_cases(self) -> None:
        both = np.concatenate([REAL, REAL])
        said = [None if x == "" else int(x) for x in (*REFUSES, *BETTER)]
        by = ["refuses"] * ITEMS + ["better"] * ITEMS
        made = informed.report(Table.from_labels(real=both, predicted=said, by=by, missing="abstain"))
        assert [made.groups[i].name for i in made.overview.order] == ["better", "refuses"]  # type: ignore[union-attr]
        assert made.overview is not None
        assert made.overview.pooled.measure == "informedness_of_all"
        refuses = next(g for g in made.groups if g.name == "refuses")
        assert refuses.headline.value == pytest.approx(informed.informedness_of_all(table(REFUSES)))

    def test_unscored_cases_are_between_two_scores(self) -> None:
        from informed.summary.parts import Score

        score = Score(0.588, 0.45, 0.72, 0.588, "model_graded_qa", 0.5, 0.65)
        states = {"right": 30, "wrong": 21, "unscored": 9}
        t = Table.from_counts([[15, 10], [11, 15]])
        made = informed.report(t, states=states, score=score, tool="Inspect")
        said = " ".join(made.answer)
        assert "Score 0.588 [0.450, 0.720], as Inspect reports (model_graded_qa)." in said
        assert "The grader failed on 9: with them it is between 0.500 and 0.650." in said
        other = informed.report(t, score=Score(0.588, 0.45, 0.72, 0.62, "acc"), tool="Inspect")
        assert "; Inspect reports 0.620 (acc)." in " ".join(other.answer)
        assert "The mean of the marks is 0.5880, and Inspect reports 0.6200 (acc)." in other.warnings


class TestSilence:
    def test_no_answer_is_a_label_that_wins_nothing(self) -> None:
        t = Table.from_counts([[30, 5, 2], [4, 20, 3], [1, 2, 12]], abstained=[3, 9, 1])
        whole = silence_as_label(t)
        assert informed.informedness(whole) == pytest.approx(informed.informedness_of_all(t))
        assert informed.accuracy(whole) == pytest.approx(informed.accuracy_of_all(t))
        assert informed.test(t, "informedness_of_all").pvalue == informed.test(whole, "informedness").pvalue

    def test_silence_about_one_class_is_information(self) -> None:
        """Silent on all negatives, always right on positives: no confusion, and yet beyond chance."""
        t = Table.from_counts([[20, 0], [0, 0]], abstained=[0, 20])
        assert informed.informedness_of_all(t) == pytest.approx(0.5)
        assert informed.test(t, "informedness_of_all").pvalue < 1e-6

    def test_the_test_keeps_its_level_where_silence_is_guessing(self) -> None:
        rng = np.random.default_rng(3)
        real = rng.random((2000, 80)) < 0.3
        said = rng.choice(3, (2000, 80), p=[0.5, 0.3, 0.2])
        cells = np.stack([[((said == p) & (real == r)).sum(axis=1) for r in (0, 1)] for p in (0, 1, 2)])
        t = Table.from_counts(np.moveaxis(cells[:2], -1, 0), abstained=np.moveaxis(cells[2], -1, 0))
        p = np.asarray(informed.test(t, "informedness_of_all").pvalue)
        assert 0.03 < (p < 0.05).mean() < 0.066

    def test_paired_intervals_over_all_items_hold_the_difference(self) -> None:
        """Two systems that refuse more on one class than on the other: 95 % intervals of the difference."""
        rng = np.random.default_rng(8)
        k, shape = 2, (2, 3, 3)
        one, other = ([[0.7, 0.2, 0.1], [0.2, 0.5, 0.3]], [[0.6, 0.25, 0.15], [0.15, 0.8, 0.05]])
        p = np.einsum("r,ra,rb->rab", [0.4, 0.6], one, other)
        truth = [np.array(x) * np.array([[0.4], [0.6]]) for x in (one, other)]
        t = [Table.from_counts(1e6 * x[:, :k].T, abstained=1e6 * x[:, k]) for x in truth]
        gap = float(informed.informedness_of_all(t[0])) - float(informed.informedness_of_all(t[1]))
        for n in (40, 150):
            drawn = rng.multinomial(n, p.ravel(), 1500).reshape(-1, *shape)
            held = compare.paired(joint=Joint(np.moveaxis(drawn.astype(float), 0, -1), (0, 1), axes=(None,)))
            d = held["informedness"]
            assert d.measure == "informedness_of_all"
            inside = ((d.low <= gap) & (gap <= d.high)).mean()
            assert 0.935 < inside < 0.985, (n, inside)


class TestPairs:
    def test_an_item_without_a_row_was_not_run(self) -> None:
        real = {f"q{i}": int(x) for i, x in enumerate(REAL)}
        a = {q: x for q, x in real.items() if q != "q7"}
        b = {q: None if q == "q9" else 1 - x for q, x in real.items()}
        p = paired(real, {"a": a, "b": b})
        assert p.states()["a"]["not-run"] == 1
        assert p.states()["b"]["abstained"] == 1
        found = compare.paired(p)
        assert found.n == ITEMS - 1
        assert str(found.notes[0]) == "399 of 400 items count in both (not run: 1 of a); the others are left out."
        assert p.tables["b"].abstained.sum() == 1
        assert p.tables["a"].n == ITEMS - 1


def _reader(answers: np.ndarray, real: np.ndarray) -> Any:
    """Two systems on the same items, -1 for no answer, with a slice and a fold of each item."""
    said = {name: [None if x < 0 else int(x) for x in column] for name, column in zip("ab", answers.T, strict=True)}
    return paired(real.tolist(), said, missing="abstain")


def _headlines(answers: np.ndarray, real: np.ndarray, count: Any = "tool") -> dict[str, float]:
    """What "informedness" of the first system is, everywhere that a user can name it."""
    from informed.systems.suite import Task, suite

    p = _reader(answers, real)
    half, part = np.arange(len(real)) % 2, np.arange(len(real)) % 3
    whole = p.tables["a"]
    cut = p.tables_by(half.tolist())
    made = informed.report(whole, count=count, against=["informedness=0.25"])
    found = {"report": made.headline.value, "gate": check(made, ["informedness=0.1"])[0].seen}
    found["lower limit"] = check(made, ["informedness.low=0.1"])[0].seen
    silent = bool((answers[:, 0] < 0).any())
    assert any(x.method.startswith(f"{called(headline('informedness', count), silent)} ≠") for x in made.tests)
    found["baseline"] = gates.regression(made, informed.report(p.tables["b"], count=count))[0].seen
    groups = informed.report(cut["a"], count=count)
    assert groups.overview is not None
    found |= {"report by": groups.overview.pooled.value, "stratified": groups.overview.stratified.value}
    found["compare"] = float(compare.paired(p, count=count)["informedness"].estimate)
    found["different items"] = float(compare(whole, p.tables["b"], count=count)["informedness"].estimate)
    found["leaderboard"] = float(informed.leaderboard(predictions=p, count=count).estimate[0])
    sliced = informed.slices(cut, count=count)
    found |= {"pooled": float(sliced.pooled[0]), "slices": float(sliced.stratified[0])}
    folded = informed.folds(p, fold=part.tolist(), count=count)
    assert folded.pairs is not None
    assert folded.pooled is not None
    found |= {"folds": float(folded.mean[0]), "folds pooled": float(np.asarray(folded.pooled.estimate)[0])}
    found["folds paired"] = float(folded.pairs.estimate[0, 1])
    stacked = informed.folds(p.tables_by(part.tolist()), count=count)
    found["folds of tables"] = float(stacked.mean[0])
    twice = _reader(np.tile(answers, (2, 1)), np.tile(real, 2))
    seeds = informed.folds(twice, fold=np.repeat([0, 1], len(real)).tolist(), design="training-seeds", count=count)
    assert seeds.pairs is not None
    found["seeds"] = float(seeds.pairs.estimate[0, 1])
    if count == "tool":
        marks = {
            name: informed.Marks.from_columns(
                item=range(len(real)),
                mark=np.asarray(x == real, float).tolist(),
                state=[
                    "abstained" if y < 0 else "right" if ok_ else "wrong" for y, ok_ in zip(x, x == real, strict=True)
                ],
            )
            for name, x in zip("ab", answers.T, strict=True)
        }
        found["suite"] = float(suite([Task("one", marks, p)]).mean[0])
    return found


class TestOneMeaning:
    @pytest.mark.parametrize(("seed", "silence"), [(0, 0.0), (1, 0.1), (2, 0.3)])
    def test_refusing_a_right_answer_lowers_it_everywhere(self, seed: int, silence: float) -> None:
        rng = np.random.default_rng(seed)
        real = rng.integers(0, 3, 90)
        answers = np.where(rng.random((90, 2)) < 0.75, real[:, None], rng.integers(0, 3, (90, 2)))
        answers[rng.random((90, 2)) < silence] = -1
        before = _headlines(answers, real)
        refused_ = answers.copy()
        refused_[np.flatnonzero(answers[:, 0] == real)[:4], 0] = -1
        after = _headlines(refused_, real)
        assert before.keys() == after.keys()
        assert not {name for name in before if not after[name] < before[name]}
        same = ("report", "gate", "report by", "leaderboard", "pooled", "folds pooled", "suite")
        for held in (before, after):
            assert np.ptp([held[name] for name in same]) < 1e-12
            assert np.ptp([held[name] for name in ("compare", "different items", "folds paired", "seeds")]) < 1e-12

    def test_the_answered_can_be_asked_for_everywhere(self) -> None:
        """Refusing what is wrong raises it, everywhere."""
        rng = np.random.default_rng(5)
        real = rng.integers(0, 2, 80)
        answers = np.where(rng.random((80, 2)) < 0.75, real[:, None], 1 - real[:, None])
        refused_ = answers.copy()
        refused_[np.flatnonzero(answers[:, 0] != real)[:6], 0] = -1
        before, after = (_headlines(x, real, "answered") for x in (answers, refused_))
        assert not {name for name in before if not after[name] > before[name]}

    def test_slices_and_folds_say_of_which_cases(self) -> None:
        real = REAL.tolist()
        p = paired(
            real,
            {"a": [None if x == "" else int(x) for x in REFUSES], "b": [int(x) for x in BETTER]},
            missing="abstain",
        )
        by = (np.arange(ITEMS) % 4).tolist()
        for count, called_ in (
            ("tool", "informedness over all cases"),
            ("answered", "informedness of the answered cases"),
        ):
            sliced = informed.slices(p.tables_by(by), count=count)  # type: ignore[arg-type]
            folded = informed.folds(p, fold=by, count=count)  # type: ignore[arg-type]
            assert sliced.called == folded.called == called_
            assert called_ in informed.report(sliced).answer
            assert called_ in informed.report(folded).answer


INSPECT = ROOT / "tests/samples/cases/inspect"


def inspect_log(name: str) -> str:
    return str(next(INSPECT.glob(f"*_{name}*.eval")))


class TestLogs:
    def test_a_log_with_classes_leads_with_all_cases(self) -> None:
        said = ok("report", inspect_log("mc_"))
        assert said.startswith("On 14 questions this model makes an informed decision 59 % of the time")
        assert "and 2 questions without an answer count as no bet." in said
        assert "as Inspect reports (accuracy, choice)." in said
        held = json.loads(ok("report", inspect_log("mc_"), "--format", "json"))
        assert held["states"] == {"right": 9, "wrong": 3, "abstained": 2}
        assert held["score"]["reported"] == pytest.approx(held["score"]["value"], abs=5e-4)
        assert (held["score"]["name"], held["tool"]) == ("accuracy, choice", "Inspect")

    def test_marks_have_a_score_and_no_informedness(self) -> None:
        said = ok("report", inspect_log("agent_96"))
        assert said.startswith("Score 0.524 [0.358, 0.686] on 14 items (accuracy, solved, as Inspect reports).")
        assert "The log has marks and no answers, so chance is not known." in said
        assert "Of 14 items right: 2 always, 11 sometimes, 1 never." in said
        held = json.loads(ok("report", inspect_log("agent_96"), "--format", "json"))
        assert [x["pass_at"] for x in held["attempts"]] == pytest.approx([0.5238, 0.7857, 0.9286], abs=1e-4)
        assert "informedness" not in held["score"]

    def test_errors_and_unscored_cases_are_said(self) -> None:
        assert (
            "4 of 28 cases ended in an error and are left out, as Inspect does; counted as failures, the score is "
            "0.393 instead of 0.464."
        ) in ok("report", inspect_log("flaky"))
        said = ok("report", inspect_log("graded_c"), "--full")
        assert "The grader failed on 3: with them it is between 0.429 and 0.643." in said
        assert "judge is shown; there is also match (--scorer match)." in said
        done = run("report", inspect_log("graded_c"), "--fail-under", "score=0.5")
        assert done.returncode == 3
        assert "3 of 14 cases have no mark (21 %), more than 5 %: no gate was checked." in done.stderr

    def test_choices_of_a_log(self) -> None:
        assert ok("report", inspect_log("graded_c"), "--scorer", "match").startswith("Score 0.571")
        assert ok("report", inspect_log("agent_96"), "--reducer", "pass_at_2").startswith("Score 0.786")
        assert ok("report", inspect_log("mc_"), "--marks").startswith("Score 0.643")
        assert "has no option 'filter'; it has 'accepted', 'scale', 'scorer', 'system', 'task'." in refused(
            "report", inspect_log("mc_"), "--filter", "x"
        )
        assert "--scorer is of an evaluation log" in refused("report", "examples/digits.csv", "--scorer", "x")
        assert "--cost is for a table" in refused("report", inspect_log("agent_96"), "--cost", "5:1")

    def test_gates_of_marks(self) -> None:
        path = inspect_log("agent_96")
        assert run("report", path, "--fail-under", "score=0.5", "--fail-under", "coverage=1").returncode == 0
        assert run("report", path, "--fail-under", "score.low=0.4").returncode == 1
        assert "informedness is no gate here: The log has marks" in refused(
            "report", path, "--fail-under", "informedness=0.1"
        )
