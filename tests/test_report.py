"""The report: what it says, in every format, of every kind of table."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
import time
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import numpy as np
import pytest

import informed
from informed import Report, Table
from informed._numbers import percent, percents, pvalue, rate
from informed.cli._pages import seen
from informed.documents import writers
from informed.documents.assets import schema
from informed.documents.writers.github import error_lines
from informed.errors import InformedError, LabelError, TableError
from informed.inference.answers import Interval
from informed.inference.heterogeneity import difference, heterogeneity
from informed.inference.sample import Sample
from informed.measures import find
from informed.summary import gates
from informed.summary.checks import check
from informed.summary.findings import guidance
from informed.testing import assert_informed

GOLD = Path(__file__).parent / "gold"
POWERS = Table.from_counts([[56, 20], [12, 12]])  # table 2 of the 2011 paper
PETS = Table.from_counts(
    [[50, 6, 2, 7], [4, 41, 3, 8], [3, 4, 38, 9], [5, 5, 4, 3]], labels=["cat", "dog", "hamster", "fish"]
)
SITES = Table.from_counts(
    [[[40, 9], [8, 43]], [[30, 12], [20, 38]], [[45, 3], [6, 46]]],
    labels=["spam", "ham"],
    positive="spam",
    names=["north", "south", "west"],
)
NASTY = [
    "<script>window.hacked=1</script>",
    "=cmd()",
    "quote \" and ' and `tick`",
    "$x_1^2$ & 100 % #1 {a} ~b~ \\input{/etc/passwd}",
    "😀 emoji",
    "שלום עולם",
    "two\nlines\r\nand a tab\t.",
    "long " + "x" * 300,
    "| pipe | *bold* _under_ [link](http://e.x) <b>",
    "+1",
]


def nasty() -> Table:
    counts = np.full((len(NASTY), len(NASTY)), 1) + np.diag(np.full(len(NASTY), 9))
    return Table.from_counts(counts, labels=NASTY, rows="predicted")


def scored(**how: Any) -> Report:
    """A report of predictions with the scores behind them."""
    rng = np.random.default_rng(11)
    real = rng.integers(0, 2, 80)
    curve = informed.roc(real=real, score=real + rng.normal(0, 1, 80).round(1))
    return informed.report(curve.table_at(0.5), scores=curve, **how)


def kinds() -> dict[str, Report]:
    """A report of every kind of table."""
    weighted = Table.from_labels(real=list("aabbc"), predicted=list("aabca"), weights=[0.5, 1, 2, 3, 0.25])
    return {
        "two": informed.report(POWERS, prevalence=0.1, cost="5:1", tests="all"),
        "pets": informed.report(PETS, context={"multiple_choice": True}),
        "groups": informed.report(SITES),
        "nasty": informed.report(nasty()),
        "empty": informed.report(Table.from_counts([[0, 0], [0, 0]])),
        "one class": informed.report(Table.from_counts([[10, 0], [0, 0]])),
        "perfect": informed.report(Table.from_counts(np.diag([5, 5, 5]), rows="predicted")),
        "worse": informed.report(Table.from_counts([[5, 40], [40, 5]])),
        "clusters": informed.report(
            Table.from_counts([[9, 1, 3, 1], [2, 8, 1, 1]], predicted_labels=["x", "y"], real_labels=list("abcd"))
        ),
        "weighted": informed.report(weighted),
        "abstained": informed.report(Table.from_counts([[6, 1], [1, 2]], abstained=[4, 6], labels=["a", "b"])),
        "derived": informed.report(Table.mixture(0.5, prevalence=0.2, n=100)),
        "all": informed.report(POWERS, all=True),
        "scored": scored(cost="5:1", prevalence=0.2),
    }


@pytest.fixture(scope="module")
def every() -> dict[str, Report]:
    return kinds()


class TestAnswer:
    def test_says_how_often_how_surely_and_whether_beyond_chance(self) -> None:
        r = informed.report(POWERS)
        b = informed.interval(POWERS, "informedness")
        p = informed.test(POWERS).pvalue
        said = " ".join(r.answer)
        assert said.startswith(
            "On 100 cases this classifier makes an informed decision 20 % of the time (95 % "
            f"interval {round(100 * b.low)}–{round(100 * b.high)} %); the rest is as good as "
            "guessing."
        )
        assert f"beyond chance (p = {p:.3f})" in said

    def test_of_many_classes_names_those_that_carry_it_and_those_that_are_guessed(self) -> None:
        said = " ".join(informed.report(PETS).answer)
        assert "“hamster”, “cat” and “dog” carry it." in said
        assert "“fish” is not told from guessing" in said

    def test_a_class_worse_than_guessed_is_named(self) -> None:
        t = Table.from_counts([[30, 1, 1], [1, 2, 28], [1, 27, 3]], labels=["a", "b", "c"])
        said = " ".join(informed.report(t).answer)
        assert "“a” carries it." in said
        assert "“c” and “b” do worse than guessing." in said or ("“b” and “c” do worse than guessing." in said)

    def test_luck_is_not_called_a_result(self) -> None:
        said = " ".join(informed.report(Table.from_counts([[11, 9], [9, 10]])).answer)
        assert "not told from guessing" in said
        assert "Chance alone could explain it" in said
        assert "makes an informed decision" not in said

    def test_wrong_way_round(self, every: dict[str, Report]) -> None:
        said = " ".join(every["worse"].answer)
        assert "worse than guessing" in said
        assert "says the opposite" in said or "says something else" in said

    def test_perfect_undefined_empty_and_clusters(self, every: dict[str, Report]) -> None:
        assert "made no error" in every["perfect"].answer[0]
        assert "every case is really '+'" in every["one class"].answer[0]
        assert every["empty"].answer == ("The table is empty: there is nothing to say.",)
        assert "informed assign" in every["clusters"].answer[0]

    def test_groups_answer_together_and_each(self) -> None:
        r = informed.report(SITES)
        assert r.answer[0].startswith("For a new group like these 3, the expected informedness is 0.614 (95 % interval")
        assert "these 3 groups together make an informed decision" in r.answer[1]
        assert "“north” makes an informed decision" in r.groups[0].answer[0]


class TestNumbers:
    """Of the model: each is what the measures and the inference say."""

    @pytest.mark.parametrize("measure", ["informedness", "accuracy", "recall", "f1"])
    def test_estimates(self, measure: str) -> None:
        e = informed.report(POWERS)[measure]
        i = informed.interval(POWERS, measure)
        assert (e.value, e.low, e.high, e.method) == (i.estimate, i.low, i.high, i.method)
        assert e.chance == pytest.approx(informed.find(measure)(POWERS.independent), abs=1e-15)

    def test_above_chance_is_kappa_for_accuracy(self) -> None:
        r = informed.report(POWERS)
        assert r["accuracy"].share == pytest.approx(informed.cohen_kappa(POWERS))
        assert r["accuracy"].above == pytest.approx(0.68 - 0.5936)

    def test_classes_are_one_against_the_rest(self) -> None:
        r = informed.report(PETS)
        for c in r.classes:
            alone = PETS.one_vs_rest(c.label)
            for m in ("recall", "precision", "informedness", "markedness", "prevalence", "bias"):
                assert c[m].value == pytest.approx(informed.find(m)(alone))
            i = informed.interval(alone, "informedness")
            assert (c["informedness"].low, c["informedness"].high) == pytest.approx((i.low, i.high))

    def test_confusions_add_up_to_what_is_missing_from_informedness(self) -> None:
        r = informed.report(PETS)
        assert sum(c.lost for c in r.confusions) == pytest.approx(1 - r["informedness"].value)
        assert [c.lost for c in r.confusions] == sorted((c.lost for c in r.confusions), reverse=True)
        assert (r.confusions[0].real, r.confusions[0].predicted) == ("fish", "hamster")

    def test_prevalence_curves_are_the_table_at_that_prevalence(self) -> None:
        e = informed.report(POWERS, prevalence=0.1).elsewhere
        assert e is not None
        curves = dict(e.curves)
        at = curves["prevalence"].index(0.2)
        moved = POWERS.at_prevalence(0.2)
        for m in ("precision", "f1", "accuracy", "informedness"):
            assert curves[m][at] == pytest.approx(informed.find(m)(moved))
        assert e.there[0].value == pytest.approx(informed.precision(POWERS.at_prevalence(0.1)))

    def test_prevalence_of_the_second_label(self) -> None:
        t = Table.from_counts([[12, 12], [20, 56]], labels=[0, 1])
        e = informed.report(t, prevalence=0.1).elsewhere
        assert e is not None
        at = dict(e.curves)["prevalence"].index(0.1)
        assert dict(e.curves)["precision"][at] == pytest.approx(e.there[0].value)

    def test_costs(self) -> None:
        c = informed.report(POWERS, cost="5:1").costs
        assert c is not None
        assert c.expected_cost == pytest.approx((12 * 5 + 20 * 1) / 100)
        assert dict(c.rivals) == pytest.approx({"+": 0.32, "−": 3.4})
        assert c.slope == pytest.approx((1 * 32) / (5 * 68))
        assert informed.report(POWERS, cost="5").costs == replace(c, text="5")
        same = informed.report(POWERS, cost=[[0, 1], [5, 0]]).costs
        assert same is not None
        assert same.expected_cost == c.expected_cost

    @pytest.mark.parametrize("cost", ["0:1", "a:b", [[1]], (1, 2, 3)])
    def test_bad_costs_are_one_sentence(self, cost: Any) -> None:
        with pytest.raises(InformedError, match="cost"):
            informed.report(POWERS, cost=cost)

    def test_size_is_asked_of_the_inference(self) -> None:
        s = informed.report(POWERS).size
        assert s is not None
        prevalence = [0.68, 0.32]
        assert dict(s.power)[0.3] == pytest.approx(informed.power(100, 0.3, prevalence=prevalence).power, abs=0.01)
        b = informed.informedness(POWERS)
        wanted = informed.sample_size(b, width=0.1, prevalence=prevalence, level=0.95).n
        assert dict(s.needed)[0.05] == pytest.approx(wanted)

    def test_level(self) -> None:
        wide, narrow = (informed.report(POWERS, level=x)["informedness"] for x in (0.99, 0.8))
        assert wide.low < narrow.low < narrow.high < wide.high

    def test_interval_method_where_there_is_one(self) -> None:
        r = informed.report(POWERS, method="wilson")
        assert r["recall"].method == "wilson"
        assert r["informedness"].method == informed.interval(POWERS, "informedness").method

    def test_no_interval_says_why(self, every: dict[str, Report]) -> None:
        text = " ".join(every["derived"].text(full=True).split())
        assert "No interval for any measure: This table was not observed" in text
        assert "On 100 cases" in text

    def test_measures_and_all(self) -> None:
        chosen = informed.report(POWERS, measures=["mcc", "f_beta(beta=2)"])
        assert [e.measure for e in chosen.estimates][3:] == ["matthews", "f_beta(beta=2)"]
        assert len(informed.report(POWERS, all=True).estimates) > 80
        with pytest.raises(InformedError, match="Did you mean informedness"):
            informed.report(POWERS, measures=["informednes"])

    def test_positive(self) -> None:
        t = Table.from_counts([[8, 3], [2, 7]], labels=["cat", "dog"])
        assert informed.report(t, positive="dog")["recall"].value == pytest.approx(0.7)
        assert "averaged over both" in informed.report(t).text(full=True)

    def test_a_stack_of_two_axes_is_refused(self) -> None:
        with pytest.raises(InformedError, match="one axis of groups"):
            informed.report(Table.from_counts(np.ones((2, 2, 2, 2))))


class TestWarnings:
    def test_accuracy_that_looks_good_and_is_not(self) -> None:
        said = informed.report(Table.from_counts([[1, 2], [5, 92]])).warnings[0]
        assert said.startswith("Accuracy looks good and is not: of 93 %")
        assert "always answering “−” gets 94 %" in said

    def test_f_that_looks_good_and_is_not(self) -> None:
        said = informed.report(POWERS).warnings[0]
        assert "always answering “+” would score 0.810, this system scores 0.778" in said

    def test_nothing_to_warn_of(self) -> None:
        assert informed.report(Table.from_counts([[80, 8], [9, 85]])).warnings == ()

    def test_a_rare_class_has_informedness_without_markedness(self) -> None:
        said = " ".join(informed.report(Table.from_counts([[9, 90], [1, 900]])).warnings)
        assert "far above markedness" in said

    def test_groups_that_f_and_informedness_rank_differently(self) -> None:
        t = Table.from_counts([[[85, 14], [1, 0]], [[60, 2], [26, 12]]], names=["often", "well"], positive="+")
        said = [x for x in informed.report(t).warnings if "other way round" in x]
        assert len(said) == 1
        assert said[0].startswith("F1 ranks “often”")
        assert "above “well”" in said[0]

    def test_few_absent_and_never_predicted_classes(self) -> None:
        t = Table.from_counts([[9, 1, 2], [1, 9, 1], [0, 0, 0]], labels=["a", "b", "c"])
        said = " ".join(informed.report(t).warnings)
        assert "“c”: 3" in said
        assert "“c” was never predicted." in said

    def test_unknown_negatives(self) -> None:
        said = " ".join(informed.report(Table.from_counts([[50, 10], [5, 0]])).warnings)
        assert "not one true negative" in said

    def test_abstentions_and_derived_tables(self, every: dict[str, Report]) -> None:
        said = " ".join(every["abstained"].answer)
        assert said.startswith("On 20 cases this classifier is not told from guessing: informedness is 30 %")
        assert "and 10 cases without an answer count as no bet." in said
        assert "Score 0.400 [0.206, 0.621]. Of the 10 answered cases: informedness 0.524, accuracy 0.800." in said
        t = every["abstained"].table
        alone = informed.report(t, count="answered")
        assert "On 10 answered cases" in alone.answer[0]
        assert "10 cases of 20 got no answer and are left out. Over all cases informedness is" in alone.warnings[-1]
        assert "cannot be tested" in " ".join(every["derived"].warnings)


class TestGuidance:
    def test_the_own_situation_comes_first(self) -> None:
        for key, word in (
            ("raters", "correlation"),
            ("markers", "markedness"),
            ("unknown_negatives", "precision and recall"),
        ):
            r = informed.report(POWERS, context={key: True})
            assert guidance(r)[0].text.startswith(f"Report {word}")
        assert guidance(informed.report(POWERS))[0].text.startswith("Report informedness")

    def test_position_bias_of_multiple_choice(self) -> None:
        r = informed.report(PETS, context={"multiple_choice": True})
        wanted = informed.test(PETS, "bias")
        assert (r.tests[1].method, r.tests[1].pvalue) == (wanted.method, wanted.pvalue)
        assert "position bias" in r.text(full=True)


class TestGroups:
    def test_sorted_pooled_and_stratified(self) -> None:
        r = informed.report(SITES)
        assert r.overview is not None
        assert [r.groups[i].name for i in r.overview.order] == ["west", "north", "south"]
        assert r.overview.pooled.value == pytest.approx(informed.informedness(SITES.sum()))
        each, n = informed.informedness(SITES), SITES.total
        assert r.overview.stratified.value == pytest.approx(np.average(each, weights=n))
        assert r["informedness"] == r.overview.pooled

    def test_groups_are_the_reports_of_their_tables(self) -> None:
        r = informed.report(SITES)
        alone = informed.report(SITES["south"])
        for a, b in zip(r.groups[1].estimates, alone.estimates, strict=True):
            assert a.measure == b.measure
            assert (a.value, a.low, a.high) == pytest.approx((b.value, b.low, b.high), rel=1e-12)

    def test_heterogeneity_is_cochrans(self) -> None:
        """Of independent groups: distances from the precision-weighted mean, after four pseudo-cases."""
        h = heterogeneity(SITES, "informedness")
        s = Sample(find("informedness"), SITES, 0.95)
        x, error = s.plus_four
        centre = (x / error**2).sum() / (1 / error**2).sum()
        q = float(((x - centre) ** 2 / error**2).sum())
        assert h.statistic == pytest.approx(q)
        assert h.df == 2
        assert h.pvalue == pytest.approx(math.exp(-q / 2))  # χ² with 2 df
        assert h.inconsistency == pytest.approx(max(0, 1 - 2 / q))
        share = SITES.total / SITES.total.sum()
        assert h.estimate == pytest.approx(float((share * s.estimate).sum()))
        pooled = informed.interval(SITES.sum(), "informedness")  # the groups have one size and one prevalence, nearly
        assert h.estimate - h.low == pytest.approx(pooled.estimate - pooled.low, rel=0.01)
        assert h.high - h.estimate == pytest.approx(pooled.high - pooled.estimate, rel=0.01)

    def test_slices_and_report_give_one_heterogeneity(self) -> None:
        overview = informed.report(SITES).overview
        assert overview is not None
        tested = informed.slices(SITES).heterogeneity
        assert (overview.statistic, overview.pvalue) == pytest.approx((tested.statistic[0], tested.pvalue[0]))

    def test_heterogeneity_is_calibrated(self) -> None:
        rng = np.random.default_rng(6)
        p = informed.Table.mixture(0.5, prevalence=0.4).counts.ravel()
        draws = rng.multinomial(150, p, size=(400, 5)).reshape(400, 5, 2, 2)
        rejected = np.asarray(heterogeneity(Table.from_counts(draws), "informedness").pvalue) < 0.05
        assert np.mean(rejected) == pytest.approx(0.05, abs=3 * math.sqrt(0.05 * 0.95 / 400))

    def test_one_group_has_no_heterogeneity(self) -> None:
        r = informed.report(Table.from_counts([[[9, 1], [2, 8]]], names=["only"]))
        assert r.overview is not None
        assert math.isnan(r.overview.pvalue)
        assert "only" in r.text(full=True)

    def test_difference_is_newcombes(self) -> None:
        # Newcombe 1998, method 10, example (a): 56/70 − 48/80 = 0.2, 95 % 0.0524 to 0.3339,
        # from the Wilson limits of both.
        a = Interval(0.8, 0.6918, 0.8769, 0.95, "")
        b = Interval(0.6, 0.4904, 0.7002, 0.95, "")
        d = difference(a, b)
        assert (d.estimate, d.low, d.high) == pytest.approx((0.2, 0.0524, 0.3339), abs=2e-4)


class TestMarket:
    def test_a_label_that_loses_is_better_not_used(self) -> None:
        t = Table.from_counts([[30, 3, 9], [4, 28, 9], [9, 8, 2]], labels=["a", "b", "c"])
        said = informed.report(t).text(full=True, width=120)
        assert "When to stay out of the market" in said
        all_of_it = informed.informedness_of_all
        silent = Table.from_counts([[30, 3, 9], [4, 28, 9], [0, 0, 0]], abstained=[9, 8, 2])
        assert f"{all_of_it(t):.4f} → {all_of_it(silent):.4f}" in said

    def test_nothing_is_said_where_every_label_pays(self) -> None:
        assert "market" not in informed.report(PETS).text(full=True)


class TestScores:
    def test_the_threshold_that_informedness_or_the_cost_would_choose(self) -> None:
        plain, dear = scored(), scored(cost="9:1")
        assert plain.curve is not None
        best = informed.threshold(plain.curve)
        assert f"Threshold {best.threshold:.6g} by the method informedness" in plain.markdown()
        low = informed.threshold(plain.curve, "cost", cost="9:1")
        assert f"Threshold {low.threshold:.6g} by the method cost" in dear.markdown()
        assert low.threshold < best.threshold

    def test_of_other_classes_or_more_than_two_they_are_refused(self) -> None:
        curve = scored().curve
        with pytest.raises(TableError, match=r"scores are of 0 and 1.*table is of \+ and −"):
            informed.report(POWERS, scores=curve)
        with pytest.raises(TableError, match="between two classes; this table has 4"):
            informed.report(PETS, scores=curve)


# ---------------------------------------------------------------------- formats


class TestJson:
    def test_schema_and_round_trip(self, every: dict[str, Report]) -> None:
        validator = jsonschema.Draft202012Validator(schema())
        validator.check_schema(schema())
        for name, r in every.items():
            text = r.json()
            problems = [f"{e.json_path}: {e.message}" for e in validator.iter_errors(json.loads(text))]
            assert not problems, (name, problems)
            again = Report.from_json(text)
            assert again.json() == text
            if name != "derived":  # its origin is not kept
                assert again.text(full=True) == r.text(full=True)

    def test_the_promised_fields(self) -> None:
        held = json.loads(informed.report(POWERS).json())
        assert held["informed"] == {"version": informed.__version__, "schema": 4}
        assert held["n"] == 100
        assert held["labels"] == ["+", "−"]
        assert held["counts"] == [[56, 20], [12, 12]]
        fields = {"value", "chance", "low", "high", "level", "method", "pvalue", "why"}
        assert fields <= held["measures"]["informedness"].keys()
        assert fields <= held["classes"]["+"]["recall"].keys()
        assert "permutation-midp" in held["tests"]
        assert list(json.loads(informed.report(SITES).json())["groups"]) == ["north", "south", "west"]

    @pytest.mark.parametrize("name", ["two", "weighted"])
    def test_a_report_of_0_1_0_is_read_and_is_a_baseline(self, name: str) -> None:
        text = (Path(__file__).parent / "samples" / "reports-0.1.0" / f"{name}.json").read_text(encoding="utf-8")
        old, held = Report.from_json(text), json.loads(text)
        assert (old.version, old.count, old.table.rows) == ("0.1.0", "answered", held["rows"])
        assert old["informedness"].low == held["measures"]["informedness"]["low"]
        new = informed.report(old.table)
        (gate,) = gates.regression(new, text)
        assert gate.passed, gate.sentence
        assert Report.from_json(old.json()).json() == old.json()

    def test_undefined_is_null_with_a_reason(self, every: dict[str, Report]) -> None:
        e = json.loads(every["one class"].json())["measures"]["informedness"]
        assert e["value"] is None
        assert e["why"] == "every case is really '+'"

    @pytest.mark.parametrize("text", ["", "{}", "[1]", '{"informed": {"schema": 4}}', "nonsense"])
    def test_not_a_report(self, text: str) -> None:
        with pytest.raises(InformedError):
            Report.from_json(text)


class TestText:
    @pytest.mark.parametrize("width", [60, 61, 80, 120])
    def test_no_line_is_wider(self, width: int, every: dict[str, Report]) -> None:
        from informed.evidence.table_text import width as columns

        for name, r in every.items():
            worst = max(r.text(full=True, width=width).splitlines(), key=columns)
            assert columns(worst) <= width, (name, worst)

    def test_colour_only_when_asked_and_the_same_words(self, every: dict[str, Report]) -> None:
        for r in every.values():
            assert "\x1b" not in r.text(full=True)
            coloured = r.text(full=True, colour=True, width=100)
            assert "\x1b[" in coloured
            plain = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
            for word in ("The measures", "Data notes"):
                assert word in plain

    def test_pipes_and_no_color(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Terminal(io.StringIO):
            def isatty(self) -> bool:
                return True

        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.delenv("COLUMNS", raising=False)
        r = informed.report(POWERS)
        monkeypatch.setattr("sys.stdout", Terminal())
        assert seen()["colour"]
        assert "\x1b[" in r.text(full=True, **seen())
        monkeypatch.setenv("NO_COLOR", "1")
        assert not seen()["colour"]
        monkeypatch.setattr("sys.stdout", io.StringIO())
        monkeypatch.delenv("NO_COLOR")
        assert seen() == {"width": 10_000, "colour": False}
        assert "\x1b" not in r.text(full=True, **seen())

    def test_one_line_a_measure(self) -> None:
        lines = [x for x in informed.report(POWERS).text(full=True).splitlines() if x.startswith("Accuracy ")]
        assert lines[0].split() == [
            "Accuracy", "0.680", "[0.584,", "0.766]", "0.594", "+0.086", "21", "%",
        ]  # fmt: skip

    def test_numbers_align(self) -> None:
        lines = informed.report(PETS).text(full=True, width=120).splitlines()
        at = lines.index("Counts (rows: predicted, columns: real):")
        assert len({len(x) for x in lines[at + 1 : at + 7]}) == 1

    def test_precision(self) -> None:
        assert "Informedness   0.19853" in informed.report(POWERS).text(full=True, precision=5)

    def test_nan_says_why(self, every: dict[str, Report]) -> None:
        text = " ".join(every["one class"].text(full=True).split())
        assert "n/a: Informedness" in text
        assert "every case is really '+'" in text


class TestWriting:
    def test_never_a_false_0_or_1(self) -> None:
        assert [rate(x) for x in (0.9999, 0.0001, 1.0, 0.0, -0.9999, -0.0001)] == [
            ">0.999", "<0.001", "1.000", "0.000", "<-0.999", ">-0.001",
        ]  # fmt: skip
        assert pvalue(0.0) == "< 0.001"
        assert pvalue(1e-30) == "< 0.001"
        assert percent(0.99999) == "99.999 %"
        assert percent(1 - 1e-9) == ">99.99 %"
        assert percents(0.004, 0.9996) == "0.4–99.96 %"
        assert percents(-0.03, 0.12) == "-3 to 12 %"

    def test_a_huge_sample_is_not_certain(self) -> None:
        r = informed.report(Table.from_counts([[10**6, 3], [2, 10**6]]))
        for how in ("text", "html", "markdown", "latex"):
            shown = r.write(how)
            assert "1.000" not in re.sub(r"\+?1\.000 ?%", "", _measure_rows(shown)), how
            assert "0.999" in shown


def _measure_rows(text: str) -> str:
    return "\n".join(x for x in text.splitlines() if "Informedness" in x and "expected" not in x)[:400]


class _Parts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


@pytest.fixture(scope="module")
def report() -> Report:
    return informed.report(nasty(), command="informed report '<b>' `x` $y")


class TestLabelsAreData:
    def test_html(self, report: Report) -> None:
        page = report.html()
        parts = _Parts()
        parts.feed(page)
        assert parts.tags.count("script") == 1
        assert "<script>window" not in page
        assert "b" not in parts.tags[: parts.tags.index("ul")]
        assert not [a for a, _ in parts.attributes if a.startswith("on") or a == "style"]

    def test_notebook(self, report: Report) -> None:
        assert "<script" not in report._repr_html_()
        assert "<script" not in report.table._repr_html_()

    def test_markdown(self, report: Report) -> None:
        text = report.markdown()
        assert "<script>" not in text.replace("\\<", "")
        rows = [x for x in text.splitlines() if x.startswith("|")]
        bars = [len(re.findall(r"(?<!\\)\|", x)) for x in rows]
        table = [b for x, b in zip(rows, bars, strict=True) if "pipe" in x]
        assert table
        assert set(table) <= set(bars)
        assert "](http" not in text
        assert "`` informed report '<b>' `x` $y ``" in text

    def test_latex(self, report: Report) -> None:
        text = report.latex()
        assert r"\input{" not in text
        assert r"\$x\_1\textasciicircum{}2\$ \&" in text
        assert "[U+1F600]" in text
        assert all(ord(c) < 256 for c in text)

    def test_csv(self, report: Report) -> None:
        rows = list(csv.DictReader(io.StringIO(report.csv())))
        labels = {row["class"] for row in rows} - {""}
        assert len(labels) == len(NASTY)
        assert "'=cmd()" in labels
        assert "'+1" in labels
        assert "two\nlines\r\nand a tab\t." in labels
        for row in rows:
            for name in ("group", "class", "measure", "method", "why"):
                assert not row[name].startswith(("=", "+", "-", "@"))

    def test_json(self, report: Report) -> None:
        assert json.loads(report.json())["labels"] == NASTY

    def test_text(self, report: Report) -> None:
        text = report.text(full=True)
        assert "😀 emoji" in text
        assert "two lines and a tab" in text
        assert max(map(len, text.splitlines())) <= 80

    def test_terminal(self, report: Report) -> None:
        t = Table.from_counts([[5, 1], [1, 5]], labels=["[bold]x[/bold]", "\x1b[31mred"])
        shown = informed.report(t).text(full=True, colour=True)
        assert "[bold]x" in shown
        assert "\x1b[31mred" not in shown
        assert "\x1b[31mred" not in informed.report(t).text(full=True)

    def test_github(self, report: Report) -> None:
        assert "<script>" not in report.github().replace("\\<", "")


class TestFiles:
    @pytest.mark.parametrize(
        ("suffix", "start"),
        [
            (".txt", "On 100 cases"),
            (".json", "{"),
            (".html", "<!doctype html>"),
            (".md", "# Informed report"),
            (".tex", "% informed"),
            (".csv", "group,class,measure"),
        ],
    )
    def test_save_by_suffix(self, suffix: str, start: str, tmp_path: Path) -> None:
        path = informed.report(POWERS).save(tmp_path / f"r{suffix}")
        assert path.read_text(encoding="utf-8").startswith(start)

    def test_unknown_suffix(self, tmp_path: Path) -> None:
        with pytest.raises(InformedError, match=r"'\.xyz' is no format"):
            informed.report(POWERS).save(tmp_path / "r.xyz")

    def test_step_summary(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        from informed.documents.writers.github import to_step_summary

        r = informed.report(POWERS)
        monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
        assert to_step_summary(r) is None
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
        to_step_summary(r)
        to_step_summary(r)
        assert (tmp_path / "summary.md").read_text("utf-8").count("## Informed report") >= 2

    def test_to_frame(self) -> None:
        frame = informed.report(SITES).to_frame()
        south = frame[(frame["group"] == "south") & (frame["measure"] == "informedness")]
        assert south[south["class"].isna()]["value"].item() == pytest.approx(informed.informedness(SITES["south"]))

    def test_every_format_of_every_kind(self, every: dict[str, Report]) -> None:
        for name, r in every.items():
            for how in writers.names():
                shown = re.sub(r"<script>.*?</script>", "", r.write(how), flags=re.DOTALL)
                assert not re.search(r"\bnan\b", shown, re.IGNORECASE), (name, how)

    def test_notebook_pictures_have_words(self) -> None:
        for held in (informed.report(POWERS), informed.interval(POWERS, "informedness"), informed.test(POWERS)):
            shown = held._repr_html_()
            assert shown.count('<svg class="chart') == shown.count("<desc")
            assert "informed" in shown


class TestGates:
    def test_value_and_limit(self) -> None:
        r = informed.report(POWERS)
        good, bad = check(r, ["informedness=0.19", "informedness.low=0.1"])
        assert good.passed
        assert good.sentence == "Informedness is 0.199 and clears 0.19 by 0.009."
        assert not bad
        low = informed.interval(POWERS, "informedness").low
        assert bad.seen == low
        assert f"misses 0.1 by {0.1 - low:.3f}" in bad.sentence

    def test_a_miss_by_little_is_not_by_0(self) -> None:
        (gate,) = check(POWERS, [gates.Bar("accuracy", "value", 0.68 + 1e-7)])
        assert not gate.passed
        assert "by 0.0000001" in gate.sentence

    def test_undefined_fails_and_says_why(self) -> None:
        (gate,) = check(Table.from_counts([[10, 0], [0, 0]]), ["informedness=0"])
        assert not gate.passed
        assert "every case is really '+'" in gate.sentence

    @pytest.mark.parametrize("text", ["informedness", "=1", "informedness=x", "nonsense=0.1", "a.b=1"])
    def test_bad_gates(self, text: str) -> None:
        with pytest.raises(InformedError):
            gates.bar(text)

    def test_measures_with_parameters(self) -> None:
        assert gates.bar("f_beta(beta=2).low=0.5") == gates.Bar("f_beta(beta=2)", "low", 0.5)

    def test_regression_beyond_the_noise(self) -> None:
        before = informed.report(Table.from_counts([[450, 50], [50, 450]])).json()
        worse = informed.report(Table.from_counts([[400, 100], [100, 400]]))
        (gate,) = gates.regression(worse, before)
        assert not gate.passed
        assert "fell by more than the noise" in gate.sentence
        slightly = informed.report(Table.from_counts([[446, 54], [52, 448]]))
        (gate,) = gates.regression(slightly, before)
        assert gate.passed
        assert "within the noise" in gate.sentence

    def test_gates_stand_in_every_format_that_has_them(self) -> None:
        r = informed.report(POWERS)
        r = r.with_gates(check(r, ["informedness=0.1", "informedness=0.3"]))
        held = json.loads(r.json())
        assert [g["passed"] for g in held["gates"]] == [True, False]
        assert "misses 0.3 by 0.101" in held["failed"][0]
        suite = ElementTree.fromstring(r.write("junit"))[0]
        assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
        assert "misses 0.3" in str(suite.findall("testcase/failure")[0].get("message"))
        assert "Gate failed: Informedness is" in r.text(full=True, width=500)
        assert next(error_lines(r.gates)).startswith("::error title=informedness::")
        assert repr(Report.from_json(r.json()).gates) == repr(r.gates)

    def test_assert_informed(self) -> None:
        assert_informed(POWERS)
        assert_informed(real=list("aabb") * 10, predicted=list("aabb") * 10, at_least=0.5)
        with pytest.raises(AssertionError, match=r"misses 0\.1 by 0\.0"):
            assert_informed(POWERS, at_least=0.1)
        with pytest.raises(AssertionError, match="Recall is"):
            assert_informed(POWERS, at_least=0.9, measure="recall", on="value")
        with pytest.raises(InformedError, match="Give a table"):
            assert_informed()


class TestSize:
    """In time and bytes."""

    def test_a_thousand_rows_take_little(self) -> None:
        informed.report(PETS)  # imports
        start = time.process_time()
        informed.report(PETS)
        assert time.process_time() - start < 0.4

    def test_a_thousand_classes_take_seconds(self) -> None:
        rng = np.random.default_rng(5)
        t = Table.from_counts(rng.poisson(0.1, (1000, 1000)) + np.diag(np.full(1000, 20)), rows="predicted")
        start = time.process_time()
        r = informed.report(t)
        page, text = r.html(), r.text(full=True)
        assert time.process_time() - start < 15
        assert len(page) < 1_000_000
        assert all(f"\n{i:<3} " in text for i in (0, 500, 999))
        assert "plus-four" in text

    def test_pages_stay_small(self) -> None:
        rng = np.random.default_rng(5)
        ten = Table.from_counts(rng.poisson(3, (10, 10)) + np.diag(np.full(10, 30)), rows="predicted")
        assert len(informed.report(ten, tests="all").html().encode()) < 200_000
        fifty = Table.from_counts(rng.poisson(9, (50, 3, 3)), names=[f"g{i}" for i in range(50)], rows="predicted")
        assert len(informed.report(fifty).html().encode()) < 1_000_000
        many = Table.from_counts(rng.poisson(0.1, (200, 200)) + np.diag(np.full(200, 30)), rows="predicted")
        assert len(informed.report(many).html().encode()) < 300_000

    def test_the_script_is_small(self) -> None:
        from informed.documents.assets import asset

        assert len(asset("script.js").encode()) < 6000


# ---------------------------------------------------------------------- design


class TestDesign:
    """Where class sizes were chosen, nothing that depends on the prevalence is said of the field."""

    def test_a_case_control_table_has_no_predictive_values(self) -> None:
        t = Table.from_counts([[80, 10], [20, 90]])
        plain, r = informed.report(t), informed.report(t, design="case-control")
        for measure in ("precision", "inverse_precision", "accuracy", "f1", "cohen_kappa", "markedness"):
            assert math.isfinite(plain[measure].value)
            assert math.isnan(r[measure].value)
            assert "give the prevalence of the field" in r[measure].why
        for measure in ("informedness", "recall", "inverse_recall", "balanced_accuracy"):
            assert (r[measure].value, r[measure].low) == (plain[measure].value, plain[measure].low)
        assert r.warnings[0].startswith("The class sizes were chosen (case-control design)")
        assert all(math.isnan(c["precision"].value) for c in r.classes)
        assert r.costs is None
        assert not any("Accuracy looks good" in x for x in r.warnings)

    def test_with_a_prevalence_they_are_those_there(self) -> None:
        t = Table.from_counts([[80, 10], [20, 90]])
        r = informed.report(t, design="case-control", prevalence=0.02)
        assert "they are shown at the prevalence that was given" in r.warnings[0]
        assert r.elsewhere is not None
        there = {e.measure: e for e in r.elsewhere.there}
        assert there["precision"].value == pytest.approx(0.02 * 0.8 / (0.02 * 0.8 + 0.98 * 0.1))
        assert there["precision"].low < there["precision"].value < there["precision"].high

    def test_gates_of_them_are_refused(self) -> None:
        r = informed.report(Table.from_counts([[80, 10], [20, 90]]), design="case-control")
        assert check(r, ["recall=0.7", "informedness.low=0.5"])[0].passed
        with pytest.raises(InformedError, match="precision cannot be a gate here"):
            check(r, ["precision=0.5"])
        with pytest.raises(InformedError, match="case-control"):
            informed.report(Table.from_counts([[80, 10], [20, 90]]), design="cohort")  # type: ignore[call-overload]

    def test_the_first_screen_shows_what_does_not_need_it(self) -> None:
        t = Table.from_counts([[9, 99], [1, 4891]])
        plain, clinical = (informed.report(t, design="case-control", terms=x) for x in ("informed", "clinical"))
        for said, rows in (
            (plain.text(), ("Informedness ", "Recall ", "Inverse recall ")),
            (clinical.text(), ("Youden's J", "Sensitivity", "Specificity", "LR+", "LR−")),
        ):
            assert all(row in said for row in rows)
            assert not any(row in said for row in ("n/a", "Markedness", "Correlation", "PPV  "))
        even = informed.report(Table.from_counts([[40, 10], [10, 40]]), design="case-control").text(full=True)
        assert "of about one size" not in even

    def test_groups_show_recalls_in_the_place_of_accuracy(self) -> None:
        stack = Table.from_counts([[[40, 8], [10, 42]], [[30, 8], [20, 42]]], names=["x", "y"])
        said = informed.report(stack, design="case-control").text()
        assert "Inverse recall" in said
        assert "Accuracy" not in said
        assert "n/a" not in said

    def test_more_classes_and_no_answers_say_what_depends_on_the_sizes(self) -> None:
        several = Table.from_counts([[20, 3, 4], [5, 30, 6], [5, 7, 20]], labels=["a", "b", "c"])
        assert "informedness_trace" in informed.report(several, design="case-control").warnings[1]
        t = Table.from_labels(
            real=["p", "p", "n", "n"] * 9, predicted=["p", "n", None, "n"] * 9, positive="p", missing="abstain"
        )
        with pytest.raises(InformedError, match="count='answered'"):
            informed.report(t, design="case-control")
        assert math.isfinite(informed.report(t, design="case-control", count="answered")["informedness"].value)


# ---------------------------------------------------------------------- gold

GOLDEN = {
    "two": lambda: informed.report(
        POWERS,
        prevalence=0.1,
        cost="5:1",
        tests="all",
        command="informed table 56 20 / 12 12 --cost 5:1 --prevalence 0.1",
    ),
    "pets": lambda: informed.report(PETS, command="informed report pets.csv", source=["Read from pets.csv."]),
    "sites": lambda: informed.report(SITES, command="informed report mail.csv --by site"),
}
ENDINGS = {
    "text": "txt",
    "json": "json",
    "html": "html",
    "markdown": "md",
    "latex": "tex",
    "csv": "csv",
    "github": "github.md",
}


@pytest.mark.parametrize("name", GOLDEN)
@pytest.mark.parametrize("how", ENDINGS)
def test_gold(name: str, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole outputs, read as prose when they change. UPDATE_GOLD=1 writes them anew."""
    from informed.documents.pages import report as document

    monkeypatch.setattr(document, "versions", lambda report: "Versions.")
    path = GOLD / f"{name}.{ENDINGS[how]}"
    got = GOLDEN[name]().write(how).replace(informed.__version__, "VERSION")
    if os.environ.get("UPDATE_GOLD"):
        path.write_text(got, encoding="utf-8", newline="")
    wanted = path.read_text(encoding="utf-8")
    if how in ("json", "csv"):  # full precision: the last digits are the machine's
        _alike(got, wanted)
    else:
        assert got == wanted


def _alike(got: str, wanted: str) -> None:
    number = re.compile(r"-?\d+\.\d+(?:e-?\d+)?|-?\d+e-\d+")
    assert number.sub("#", got) == number.sub("#", wanted)
    a, b = ([float(x) for x in number.findall(text)] for text in (got, wanted))
    np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    ("counts", "rejects"), [([[5, 3], [1, 7]], False), ([[3, 1], [1, 6]], True), ([[4, 1], [1, 5]], True)]
)
def test_a_p_value_and_an_interval_that_disagree_say_why_on_the_first_screen(
    counts: list[list[int]], rejects: bool
) -> None:
    """Both directions: the interval excludes 0 and the test does not reject, and the other way round."""
    made = informed.report(Table.from_counts(counts))
    b = made["informedness"]
    assert (b.pvalue < 0.05, b.low > 0) == (rejects, not rejects)
    said = " ".join(made.text().split())
    assert "conditional on both margins" in said
    assert ("the interval reaches 0" in said) == rejects
    assert ("does not reject (p = 0.063), although the interval excludes 0" in said) != rejects


@pytest.mark.parametrize("counts", [[[50, 3], [1, 70]], [[5, 5], [5, 5]]])
def test_a_p_value_and_an_interval_that_agree_need_no_explanation(counts: list[list[int]]) -> None:
    assert "conditional on both margins" not in informed.report(Table.from_counts(counts)).text()


def test_rows_that_are_left_out_are_said_on_the_first_screen() -> None:
    """265 of 650 cases without a real label went unsaid; a few go into the data notes alone."""
    real: list[str | None] = ["a", "b"] * 20
    for lost, said in ((10, True), (1, False)):
        given = [*[None] * lost, *real[lost:]]
        table = Table.from_labels(real=given, predicted=["a", "b"] * 20, missing="drop")
        found = [x for x in informed.report(table).warnings if "are left out because a label" in x]
        assert bool(found) == said
        assert all("10 of 40 rows (25 %)" in x and "`informed verify`" in x for x in found)
    with pytest.raises(LabelError, match=r"missing='drop'.* `informed verify` corrects for how these were chosen"):
        Table.from_labels(real=[None, "a"], predicted=["a", "b"])
    with pytest.raises(LabelError) as error:
        Table.from_labels(real=["b", "a"], predicted=["a", None])
    assert "verify" not in str(error.value)
