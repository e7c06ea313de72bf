"""Three verdicts on a bar: pass, fail, undecided, and how many would decide."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.stats import binom, norm

import informed
from command_line import ok, refused, run
from informed import Gate, Report, Table, decide
from informed.errors import InformedError
from informed.evidence.joint import Joint
from informed.evidence.marks import Marks
from informed.systems.verdicts import Evidence
from informed.testing import assert_informed

DATA = ["examples/breast-cancer.csv", "--real", "diagnosis", "--positive", "malignant"]
ONE = ["report", *DATA, "--predicted", "tree"]
TWO = ["compare", *DATA, "--predicted", "logistic", "--predicted", "tree"]
SAMPLES = Path("tests/samples")
A, B = (str(SAMPLES / "cases/lm_eval" / name) for name in ("org__model-a", "org__model-b"))
POWERS = Table.from_counts([[56, 20], [12, 12]])


class TestVerdicts:
    @pytest.mark.parametrize(
        ("bar", "verdict"), [(0.1, "pass"), (0.2, "pass"), (0.3, "undecided"), (0.4, "undecided"), (0.41, "fail")]
    )
    def test_more_is_better(self, bar: float, verdict: str) -> None:
        found = Evidence("informedness", "Informedness", 0.3, 0.2, 0.4, 0.95, n=100).decide(bar)
        assert (found.verdict, bool(found)) == (verdict, verdict == "pass")

    @pytest.mark.parametrize(
        ("bar", "verdict"), [(0.41, "pass"), (0.4, "pass"), (0.3, "undecided"), (0.2, "undecided"), (0.19, "fail")]
    )
    def test_less_is_better(self, bar: float, verdict: str) -> None:
        assert Evidence("fallout", "Fallout", 0.3, 0.2, 0.4, 0.95, n=100, sign=-1).decide(bar).verdict == verdict

    def test_it_is_the_interval_of_the_report(self) -> None:
        x = informed.interval(POWERS, "informedness")
        for found in (POWERS, informed.report(POWERS)):
            gate = decide(found, 0.1)
            assert (gate.low, gate.high, gate.seen, gate.wanted) == (x.low, x.high, x.estimate, 0.1)
        assert decide(POWERS, float(x.low)).verdict == "pass"
        assert decide(POWERS, float(x.high)).verdict == "undecided"
        assert decide(POWERS, float(np.nextafter(x.high, 1))).verdict == "fail"
        assert decide(POWERS, 0.1, level=0.5).verdict == "pass"

    def test_what_is_undefined_is_undecided(self) -> None:
        gate = decide(Table.from_counts([[10, 0], [0, 0]]), 0.1)
        assert gate.verdict == "undecided"
        assert "every case is really" in gate.sentence
        assert math.isnan(gate.enough)

    def test_two_verdicts(self) -> None:
        for settled in ("pass", "fail"):
            gate = decide(POWERS, 0.1, undecided=settled)
            assert (gate.verdict, gate.counts_as, bool(gate), gate.open) == (
                "undecided",
                settled,
                settled == "pass",
                False,
            )
            assert gate.sentence.endswith(f"it counts as a {settled}.")
        assert decide(POWERS, 0.9, undecided="pass").verdict == "fail"
        with pytest.raises(InformedError, match="undecided"):
            decide(POWERS, 0.1, undecided="maybe")  # type: ignore[arg-type]

    def test_other_evidence(self) -> None:
        right = Marks.from_columns(mark=[1] * 70 + [0] * 30)
        assert decide(right, 0.5, measure="score").verdict == "pass"
        assert decide(right, 0.5, measure="coverage").verdict == "pass"
        with pytest.raises(InformedError, match="Gate the score"):
            decide(right, 0.5)
        one, other = (Marks.from_columns(mark=x) for x in ([1] * 90 + [0] * 10, [0, 1] * 50))
        gate = decide(informed.compare(one, other), 0.1, measure="score")
        assert gate.verdict == "pass"
        with pytest.raises(InformedError, match="recall is not compared here"):
            decide(informed.compare(one, other), 0.1, measure="recall")
        with pytest.raises(InformedError, match="made at the level 0"):
            decide(informed.compare(one, other), 0.1, measure="score", level=0.9)

    @pytest.mark.parametrize("bar", [math.nan, math.inf])
    def test_a_bar_is_a_number(self, bar: float) -> None:
        with pytest.raises(InformedError, match="is no bar"):
            decide(POWERS, bar)

    def test_one_table_at_a_time(self) -> None:
        with pytest.raises(InformedError, match="a stack of 2 tables"):
            decide(Table.from_counts([[[1, 2], [3, 4]]] * 2), 0.1)
        with pytest.raises(InformedError, match="list has no bar to reach"):
            decide([1], 0.1)  # type: ignore[arg-type]


class TestEnough:
    def test_so_many_decide_with_the_chance_that_is_said(self) -> None:
        """Of a share that stays .8 against a bar of .75: the exact chance that its exact interval clears the bar."""
        gate = decide(Table.from_counts([[40, 10], [10, 40]]), 0.75, measure="accuracy")
        n = int(gate.enough)
        plain = 0.16 * (norm.ppf(0.975) + norm.ppf(0.8)) ** 2 / 0.05**2  # the textbook's formula
        assert n == pytest.approx(plain, rel=0.15)

        hits = np.arange(n + 1)
        p = binom.cdf(hits - 1, n, 0.75)  # mid-P of the test at the bar: its limit clears the bar where this is large
        clears = p + binom.pmf(hits, n, 0.75) / 2 >= 0.975
        assert binom.pmf(hits, n, 0.8)[clears].sum() == pytest.approx(0.8, abs=0.07)

    @pytest.mark.parametrize(
        ("counts", "bar", "measure"),
        [
            ([[56, 20], [12, 12]], 0.1, "informedness"),
            ([[16, 40], [4, 340]], 0.5, "informedness"),  # 20 positives
            ([[45, 3], [5, 47]], 0.75, "informedness"),
            ([[9, 99], [1, 891]], 0.6, "informedness"),  # 10 positives
            ([[90, 5], [3, 102]], 0.93, "accuracy"),
        ],
    )
    def test_so_many_cases_decide_four_times_in_five(self, counts: list[list[int]], bar: float, measure: str) -> None:
        """Drawn tables of that size, by other draws than the plan's: few positives are no exception."""
        gate = decide(Table.from_counts(counts), bar, measure=measure)
        share = np.array(counts, float) / np.sum(counts)
        cells = np.random.default_rng(77).multinomial(int(gate.enough), share.ravel(), 3000).reshape(-1, 2, 2)
        found = informed.interval(Table.from_counts(cells), measure)
        decided = np.mean((found.low >= bar) | (found.high < bar))
        error = np.sqrt(0.8 * 0.2 * (1 / 3000 + 1 / 6000))  # of these draws, and of the plan's
        assert -3 * error < decided - 0.8 < 3 * error + 0.015  # two digits of the number, rounded up
        assert "narrows" not in gate.sentence

    @pytest.mark.parametrize("measure", ["informedness", "accuracy"])
    def test_so_many_items_decide_between_two_systems(self, measure: str) -> None:
        cells = np.array([[[60, 8], [14, 5]], [[2, 8], [5, 40]]], float)
        seen = Joint.from_counts(cells, labels=[0, 1], positive=1)
        gate = decide(informed.compare.paired(joint=seen), measure=measure)
        drawn = np.random.default_rng(78).multinomial(int(gate.enough), cells.ravel() / cells.sum(), 3000)
        joint = Joint.from_counts(drawn.reshape(-1, 2, 2, 2), labels=[0, 1], positive=1)
        found = informed.compare.paired(joint=joint)[measure]
        assert -0.022 < np.mean((found.low >= 0) | (found.high < 0)) - 0.8 < 0.04

    def test_units_are_counted_where_cases_belong_to_them(self) -> None:
        real, item = np.repeat([0, 1, 0, 1] * 10, 5), np.repeat(np.arange(40), 5)
        predicted = np.where(item % 3 == 0, 1 - real, real)
        t = Table.from_labels(real=real, predicted=predicted, item=item)
        gate = decide(t, 0.25)
        assert "items in all" in gate.sentence
        assert gate.enough > 40

    def test_on_the_bar_nothing_decides(self) -> None:
        gate = decide(Table.from_counts([[40, 10], [10, 40]]), 0.8, measure="accuracy")
        assert math.isinf(gate.enough)
        assert "no number of cases" in gate.sentence

    def test_two_systems(self) -> None:
        """A ratio is decided on the scale of its logarithm."""
        ratio = Evidence("lr", "Ratio", 2.0, 1.0, 4.0, 0.95, n=100, scale="ratio").enough(math.sqrt(2))
        assert ratio == Evidence("x", "Difference", 2.0, 1.0, 3.0, 0.95, n=100, scale="difference").enough(1.5)


class TestCommandLine:
    @pytest.mark.parametrize(
        ("words", "code"),
        [
            (["--decide", "informedness=0.5"], 0),
            (["--decide", "informedness=0.95"], 1),
            (["--decide", "informedness=0.8"], 3),
            (["--decide", "informedness=0.8", "--undecided", "pass"], 0),
            (["--decide", "informedness=0.8", "--undecided", "fail"], 1),
            (["--decide", "informedness=0.8", "--decide", "informedness=0.95"], 1),
            (["--decide", "informedness=0.8", "--fail-under", "informedness=0.8"], 3),
            (["--decide", "informedness=0.5", "--fail-under", "informedness=0.9"], 1),
            (["--decide", "fallout=0.2"], 0),
            (["--decide", "fallout=0.01"], 1),
        ],
    )
    def test_exit_codes_of_a_report(self, words: list[str], code: int) -> None:
        assert run(*ONE, *words).returncode == code

    @pytest.mark.parametrize(
        ("words", "code"),
        [
            (["--decide", "informedness=0.02"], 0),
            (["--decide", "informedness=0.5"], 1),
            (["--decide", "informedness=0.1"], 3),
            (["--decide", "informedness=0.1", "--undecided", "fail"], 1),
            (["--decide", "fallout=0.01"], 0),
            (["--decide", "fallout=-0.3"], 1),
            (["--decide", "informedness=0.5", "--fold", "fold"], 1),
        ],
    )
    def test_exit_codes_of_a_comparison(self, words: list[str], code: int) -> None:
        assert run(*TWO, *words).returncode == code

    def test_sentences(self) -> None:
        done = run(*ONE, "--decide", "informedness=0.8", "-o", "/dev/null")
        assert (
            "gate undecided: Informedness is 0.843 [0.789, 0.886], on both sides of 0.8: undecided; about "
            in done.stderr
        )
        assert "cases in all would decide with a chance of 80 %" in done.stderr
        more = run(*TWO, "--predicted", "bayes", "--baseline", "bayes", "--decide", "informedness=0.05")
        assert "Informedness of logistic − bayes is +0.093" in more.stderr

    def test_formats(self) -> None:
        words = ["--decide", "informedness=0.8", "--decide", "informedness=0.5"]
        held = json.loads(run(*ONE, *words, "--format", "json").stdout)
        assert [x["verdict"] for x in held["gates"]] == ["undecided", "pass"]
        assert held["gates"][0]["enough"] > 569
        assert held["failed"] == []  # what is undecided has not failed, unless it counts as that
        settled = json.loads(run(*ONE, *words, "--undecided", "fail", "--format", "json").stdout)
        assert settled["failed"] == [settled["gates"][0]["sentence"]]
        again = Report.from_json(run(*ONE, *words, "--format", "json").stdout).gates
        assert [(x.verdict, x.open) for x in again] == [("undecided", True), ("pass", False)]
        case = ElementTree.fromstring(run(*ONE, *words, "--format", "junit").stdout)[0][0]
        assert case[0].attrib["type"] == "undecided"
        assert "undecided" in run(*ONE, *words, "--full").stdout
        assert "Gate undecided" in run(*ONE, *words, "--format", "html").stdout
        assert run(*ONE, *words, "--annotate", "-o", "/dev/null").stderr.count("::warning") == 1
        assert "::error" not in run(*ONE, *words, "--annotate", "-o", "/dev/null").stderr

    def test_gates_of_two_verdicts_have_one_too(self) -> None:
        assert [Gate("x", x, "").verdict for x in (True, False)] == ["pass", "fail"]
        assert Gate("x", False, "", guard=True).verdict == "unchecked"

    def test_logs_marks_and_suites(self) -> None:
        agents = sorted(map(str, (SAMPLES / "cases/inspect").glob("*_agent_*")))
        assert run("report", agents[0], "--decide", "score=0.05").returncode == 0
        assert run("report", agents[0], "--decide", "score=0.5").returncode == 3
        assert run("compare", *agents, "--decide", "score=0.9").returncode == 1
        assert run("report", A, "--decide", "informedness=0.05").returncode == 0
        done = run("report", A, "--decide", "informedness=0.6")
        assert done.returncode == 3
        assert "mean informedness" in done.stderr
        assert "items in all" in done.stderr
        assert run("compare", A, B, "--decide", "mean=0.99").returncode == 1
        assert "mean has, as in mean=0.2." in refused("compare", A, B, "--decide", "informedness=0.99")
        assert "recall has no interval over this suite" in refused("report", A, "--decide", "recall=0.5")
        graded = next((SAMPLES / "cases/inspect").glob("*_graded_*"))
        assert "no gate was checked" in run("report", str(graded), "--decide", "score=0.5").stderr

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["--decide", "informedness"], "cannot be decided; write a measure and a number"),
            (["--decide", "=1"], "cannot be decided"),
            (["--decide", "informedness=nan"], "cannot be decided"),
            (["--decide", "informedness.low=0.1"], "looks at both limits"),
            (["--decide", "nonsense=0.1"], "nonsense"),
            (["--undecided", "pass"], "give --decide MEASURE=VALUE"),
        ],
    )
    def test_bad_words(self, words: list[str], said: str) -> None:
        assert said in refused(*ONE, *words)
        assert said in refused(*TWO, *words)

    def test_more_systems_need_a_baseline(self) -> None:
        assert "needs --baseline" in refused(*TWO, "--predicted", "bayes", "--decide", "informedness=0")

    def test_a_table_that_is_typed(self) -> None:
        assert "passed" in ok("table", "56 20 / 12 12", "--decide", "informedness=0.01", "--full")


def test_groups_and_systems() -> None:
    words: list[Any] = [*DATA, "--predicted", "tree", "--by", "fold", "--decide", "informedness=0.7"]
    assert run("report", *words).returncode == 3, "two folds are too small to pass"
    assert run("report", *words, "--gates", "total").returncode == 0


class TestWordsOfEachKind:
    """The sentence names what is decided as pages of its kind do."""

    FILMS = ("examples/films.csv", "--real", "tags", "--separator", ";", "--unit", "director")

    def said(self, *words: str) -> str:
        """The sentences of the gates."""
        done = run(*words, "--format", "json")
        return " ".join(x["sentence"] for x in json.loads(done.stdout)["gates"])

    def test_tags_have_titles_an_average_and_units_by_name(self) -> None:
        bars = ("--decide", "informedness=0.1", "--decide", "hamming_loss=0.1")
        one = self.said("report", *self.FILMS, "--predicted", "new", *bars)
        assert one.startswith("Informedness (prevalence average) is 0.725 [")
        assert " Hamming loss is 0.094 [" in one
        assert "directors in all would decide" in one
        two = self.said("compare", *self.FILMS, "--predicted", "new", "--predicted", "old", *bars)
        assert "Informedness (prevalence average) of new − old is +0.127" in two
        assert "Hamming loss of new − old is" in two

    def test_marks_have_a_score(self) -> None:
        agents = [str(SAMPLES / "swe_bench" / f"org__agent-{x}.r1.json") for x in "ab"]
        allowed = ("--max-errors", "1", "--max-not-run", "1")
        assert "Score (resolved) of agent-a − agent-b is" in self.said(
            "compare", *agents, *allowed, "--decide", "score=0"
        )

    def test_seeds_and_tasks_are_what_it_is_over(self) -> None:
        seeds = ("--fold", "fold", "--design", "training-seeds", "--decide", "informedness=0")
        assert "Informedness of logistic − tree over 10 seeds of training is" in self.said(*TWO, *seeds)
        said = self.said("report", A, "--decide", "informedness=0.2")
        assert "model-a: mean informedness over 3 of 4 tasks is" in said
        assert "model-a − model-b over 4 tasks is" in self.said("compare", A, B, "--decide", "mean=0")


def test_a_measure_in_the_place_of_the_threshold_is_refused_in_a_sentence() -> None:
    t, word = Table.from_counts([[20, 5], [5, 20]]), "recall"
    untyped: Any = decide
    with pytest.raises(InformedError, match=r"`at_least` is 'recall', which is not a number.*`measure='recall'`"):
        untyped(t, word)
    with pytest.raises(InformedError, match=r"`decide` was given 3 arguments by place"):
        untyped(t, 0.2, word)
    with pytest.raises(InformedError, match=r"`decide` has no option `threshold`"):
        untyped(t, threshold=0.2)
    asserted: Any = assert_informed
    with pytest.raises(InformedError, match=r"`assert_informed` was given 2 arguments by place; name them: at_least="):
        asserted(t, word)
