"""Mistakes that everybody makes once: each is told, and what may be meant still works."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import math
import re
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import informed
from command_line import run
from informed import MEASURES, InformedError, Table, Tally, interval, report
from informed.errors import LabelError, SourceError, TableError
from informed.evidence.joint import Joint
from informed.evidence.likeness import KINDS, differ_by, doubt, kinds_of, normal
from informed.evidence.paired import paired
from informed.inference.answers import Interval
from informed.inference.interval_methods import METHODS
from informed.inference.intervals import intervals
from informed.results import BESIDE
from informed.sklearn import informedness_scorer, matthews_scorer, score
from informed.sources.logs.log import Case, Log
from informed.summary.estimates import Wanted, chosen, estimates
from strategies import every_table

SMALL = every_table(2, 2, 2)
DAY, NIGHT = dt.datetime(2024, 5, 1), dt.datetime(2024, 5, 2)
ALIKE: dict[str, tuple[list[Any], list[Any], str]] = {  # real, predicted, what makes them the same
    "a hole in a column of pandas": (["1", "0"], ["1.0", "0.0"], "number"),
    "case": (["Yes", "No"], ["yes", "no"], "case"),
    "a trailing space": (["yes", "no"], ["yes ", "no "], "space"),
    "both": (["Yes", "No"], ["yes ", "no "], "case,space"),
    "one class only": (["sick", "healthy"], ["Sick", "healthy"], "case"),
    "no-break space": (["a b", "c"], ["a\u00a0b", "c"], "space"),
    "a byte order mark": (["a", "b"], ["\ufeffa", "b"], "space"),
    "Unicode form": (["caf\u00e9", "tea"], ["cafe\u0301", "tea"], "unicode"),
    "text and numbers": ([1, 0], ["1", "0"], "number"),
    "text with a fraction and numbers": ([1, 0], ["1.0", "0.0"], "number"),
    "leading zeros": (["01", "02"], ["1", "2"], "number"),
    "words for bools": (["True", "False"], ["1", "0"], "number,bool"),
    "spelled bools": ([True, False], ["true", "false"], "bool"),
    "a date as a timestamp": (["2024-05-01", "2024-05-02"], ["2024-05-01 00:00:00", "2024-05-02 00:00:00"], "date"),
    "dates of Python": ([DAY.date(), NIGHT.date()], [DAY, NIGHT], "date"),
}


def in_memory(real: Any, predicted: Any, **how: Any) -> Table:
    return Table.from_labels(real=real, predicted=predicted, **how)


def with_units(real: Any, predicted: Any, **how: Any) -> Table:
    return Table.from_labels(real=real, predicted=predicted, unit=list(range(len(real))), **how)


def tallied(real: Any, predicted: Any, **how: Any) -> Table:
    tally = Tally(**how)
    for r, p in zip(real, predicted, strict=True):  # one case alone says nothing
        tally.update(real=[r], predicted=[p])
    return Tally.from_json(tally.to_json()).table() if all(isinstance(x, str) for x in real) else tally.table()


def joint(real: Any, predicted: Any, **how: Any) -> Table:
    return Joint.from_labels(real=real, a=predicted, b=predicted, **how).a


def of_systems(real: Any, predicted: Any, **how: Any) -> Table:
    return paired(real, {"s": predicted}, **how).tables["s"]


def of_frame(real: Any, predicted: Any, **how: Any) -> Table:
    found = informed.read(pd.DataFrame({"r": real, "p": predicted}), real="r", predicted="p", **how)
    assert isinstance(found, Table)
    return found


DOORS = [in_memory, with_units, tallied, joint, of_systems, of_frame]


# ---------------------------------------------------------------- labels that cannot match


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("mistake", ALIKE)
def test_labels_that_differ_by_their_spelling_are_refused_and_made_the_same(door: Any, mistake: str) -> None:
    real, predicted, kinds = ALIKE[mistake]
    real, predicted = real * 6, predicted * 5 + predicted[::-1]
    with pytest.raises(InformedError) as told:
        door(real, predicted)
    assert "normalize=" in str(told.value)
    found = door(real, predicted, normalize=kinds)
    assert found.k == 2
    assert float(MEASURES["accuracy"](found)) == pytest.approx(10 / 12)


def test_what_is_asked_for_is_what_the_refusal_names() -> None:
    real, predicted, _ = ALIKE["both"]
    with pytest.raises(
        LabelError, match=r'differ only by upper and lower case and white space.*normalize="case,space"'
    ):
        in_memory(real, predicted)
    found = in_memory(real, predicted, normalize=["space", "case"], positive="YES")
    assert (found.labels, found.positive, np.sum(found.respelled or 0)) == (("no", "yes"), "yes", 2)
    assert Table.from_json(found.to_json()) == found
    assert "In 2 cases a label was taken for one that is written otherwise" in " ".join(report(found).warnings)
    assert np.sum((found + found).respelled or 0) == 4


def test_meant_as_they_are() -> None:
    real, predicted, _ = ALIKE["case"]
    assert in_memory(real, predicted, normalize="none").k == 4
    assert in_memory(real, predicted, labels=["Yes", "No", "yes", "no"]).k == 4
    assert in_memory(real, predicted, square=False).counts.shape == (2, 2)  # clusters have names of their own


@pytest.mark.parametrize(
    ("real", "predicted"),
    [
        (["a", "b"] * 20, ["a"] * 40),  # a class is never predicted
        (["a", "b"] * 20, ["b", "a"] * 20),  # always wrong
        (["a", "b"] * 20, ["a", "b", "c", "d"] * 10),  # labels that are only predicted
        (["a", "b"] * 20, ["c"] * 40),  # always another label
        ([1] * 8, [0] * 8),
        ([0, 1, 2], [7, 8, 9]),  # three cases show nothing
        (["42", "7", "3.5", "12"] * 5, ["42", "7", "3", "0.5"] * 5),  # answers that are numbers
        (["yes", "no"] * 20, ["yes", "I think so", "no", "it depends"] * 10),  # free text, half of it fits
        (list("aAbB") * 9, list("aAbc") * 9),  # upper and lower case are told apart in reality
        (list(range(30)), [x + 1 for x in range(30)]),
        (["0.5", "1.5"] * 20, ["0.5", "1.5", "2.5", "0.5"] * 10),  # classes with a fraction
    ],
)
def test_what_may_be_meant_is_counted(real: list[Any], predicted: list[Any]) -> None:
    for door in (in_memory, tallied):
        assert door(real, predicted).n == len(real)


def test_a_few_answers_in_another_case_are_a_note() -> None:
    found = in_memory(["A", "B"] * 20, ["A", "B", "A", "b"] * 10)
    assert "'b' differ only by upper and lower case, and 10 cases are counted as wrong" in " ".join(
        report(found).warnings
    )
    assert not in_memory(["A", "B"] * 20, ["A", "B"] * 20).doubt


@pytest.mark.parametrize(
    ("real", "predicted", "said"),
    [
        (["0", "1"] * 20, [f"0.{i}" for i in range(10, 50)], "40 different numbers .* as a score looks"),
        (["spam", "ham"] * 20, [f"{i / 40:.3f}" for i in range(40)], "as a score looks"),
        ([0, 1] * 20, list(range(100, 140)), "as an id or a score looks"),
        (["a", "b"] * 20, ["c", "d"] * 20, "None of the (predicted labels|labels of a) is ever a real one"),
        (["yes", "no"] * 20, [f"answer {i}" for i in range(40)], "Free text needs a scorer"),
    ],
)
def test_a_score_an_id_or_other_words_are_no_predictions(real: list[Any], predicted: list[Any], said: str) -> None:
    for door in DOORS:
        with pytest.raises(InformedError, match=said):
            door(real, predicted)


def test_a_score_is_refused_from_text_as_from_numbers(tmp_path: Path) -> None:
    frame = pd.DataFrame({"real": [0, 1] * 20, "p": np.linspace(0.01, 0.99, 40)})
    frame.to_csv(tmp_path / "s.csv", index=False)
    frame.to_parquet(tmp_path / "s.parquet")
    for name in ("s.csv", "s.parquet"):
        with pytest.raises(LabelError, match="score"):
            informed.read(tmp_path / name, real="real", predicted="p")


def test_the_command_line_names_its_own_options(tmp_path: Path) -> None:
    file = tmp_path / "p.csv"
    file.write_text("real,p,s\n" + "Yes,yes ,0.9\nNo,no,0.2\n" * 8, encoding="utf-8")
    told = run("report", str(file), "--real", "real", "--predicted", "p")
    assert told.returncode == 2
    assert "--normalize case,space" in told.stderr
    fine = run("report", str(file), "--real", "real", "--predicted", "p", "--normalize", "case,space")
    assert fine.returncode == 0
    assert "made no error" in fine.stdout
    assert "taken for one that is written otherwise" in fine.stdout
    score = run("report", str(file), "--real", "real", "--predicted", "s")
    assert score.returncode == 2
    assert "--score" in score.stderr
    wrong = run("report", str(file), "--real", "real", "--predicted", "p", "--normalize", "cases")
    assert "--normalize is 'cases'; it can be 'case'" in wrong.stderr


def test_systems_and_raters() -> None:
    real = ["Yes", "No"] * 20
    systems = {"good": real, "small": [x.lower() for x in real]}
    with pytest.raises(LabelError, match=r"labels of predictions\['small'\] 'no', 'yes' differ only by upper"):
        informed.leaderboard(real=real, predictions=systems)
    board = informed.leaderboard(real=real, predictions=systems, normalize="case")
    assert "written otherwise" in " ".join(map(str, board.notes))
    both = informed.compare.paired(real=real, a=real, b=systems["small"], normalize="case")
    assert "written otherwise" in " ".join(map(str, both.notes))

    with pytest.raises(LabelError, match="differ only by upper and lower case"):
        informed.agreement(systems)
    agreed = informed.agreement(systems, normalize="case")
    assert agreed["cohen"].estimate == 1
    assert "written otherwise" in str(agreed.notes[0])
    assert informed.agreement({"a": [1, 2] * 9, "b": [3, 4] * 9}).labels == (1, 2, 3, 4)  # raters may differ


def test_a_log_has_its_own_scorer() -> None:
    found = Log(Path("x"), [Case("Yes", "yes"), Case("No", "No")] * 9).table()
    assert found.n + found.abstained.sum() == 18
    with pytest.raises(SourceError, match="A log has its own scorer"):
        informed.read("somewhere.json", normalize="case")


def test_kinds_by_their_definition() -> None:
    assert kinds_of("space,case") == ("case", "space")
    with pytest.raises(LabelError, match="`normalize` is 'cases'; it can be 'case'"):
        kinds_of("cases")
    with pytest.raises(LabelError, match="'none' stands alone"):
        kinds_of("none,case")
    for one, other, by in [("1e0", "1", "number"), ("Straße", "STRASSE", "case"), ("a", "b", "")]:
        assert ",".join(differ_by(one, other)) == by
    assert normal("  ", ("space",)) is None
    assert normal("9" * 30, tuple(KINDS)) == "9" * 30  # an id, and no number to compute with
    assert doubt({}, {"a": 1}) is None


def test_white_space_alone_is_a_missing_label() -> None:
    with pytest.raises(LabelError, match="1 missing label"):
        in_memory(["a", "b"], ["a", " "], normalize="space")
    assert in_memory(["a", "b"], ["a", " "], normalize="space", missing="abstain").abstained.sum() == 1


# ---------------------------------------------------------------- counts in another orientation


def test_scikit_learns_orientation_has_its_classes() -> None:
    from sklearn.metrics import confusion_matrix, recall_score

    real, predicted = [0] * 100 + [1] * 10, [0] * 90 + [1] * 10 + [1] * 5 + [0] * 5
    counts = confusion_matrix(real, predicted)
    for given in (counts, pd.DataFrame(counts), counts.astype(np.uint8)):  # it was transposed without a word
        with pytest.raises(informed.InformedError, match=r"rows='real'.*rows='predicted'"):
            Table.from_counts(given)
    assert Table.from_counts(counts.tolist()).positive == "+"  # typed lists are as in the papers
    t = Table.from_counts(counts, rows="real")
    assert (t.labels, t.positive) == ((0, 1), 1)
    assert float(informed.recall(t)) == recall_score(real, predicted) == 0.5
    assert Table.from_counts(np.eye(3), rows="real").labels == (0, 1, 2)
    assert Table.from_counts(np.eye(2)).positive == "+"  # as in the papers


@pytest.mark.parametrize("margins", [False, True])
@pytest.mark.parametrize(
    ("real", "predicted"),
    [("real", "predicted"), ("actual", "pred"), ("y_true", "y_pred"), ("True label", "Prediction")],
)
def test_a_crosstab_is_read_by_the_names_of_its_axes(real: str, predicted: str, margins: bool) -> None:
    r, p = pd.Series(list("aaabbc"), name=real), pd.Series(list("aabbab"), name=predicted)
    wanted = Table.from_labels(real=r, predicted=p)
    for sides in ((r, p), (p, r)):
        found = Table.from_counts(pd.crosstab(*sides, margins=margins))
        assert np.array_equal(found.onto(wanted.labels, wanted.labels).counts, wanted.counts)
        assert bool(found.remarks) == margins
    with pytest.raises(TableError, match='so that its rows are real, but `rows` is "predicted"'):
        Table.from_counts(pd.crosstab(r, p), rows="predicted")


def test_sums_are_left_out_and_that_is_said(tmp_path: Path) -> None:
    r, p = pd.Series(list("aaabb"), name="real"), pd.Series(list("aabbb"), name="predicted")
    file = tmp_path / "m.csv"
    held = pd.crosstab(r, p, margins=True, margins_name="Total")
    held.rename_axis(index="real / predicted").to_csv(file)
    found = informed.read(file)
    assert np.array_equal(found.counts, Table.from_counts(pd.crosstab(r, p)).counts)
    assert "The row and the column 'Total' are sums of the others" in " ".join(report(found).warnings)
    assert Table.from_json(found.to_json()).remarks == found.remarks
    named_so = pd.DataFrame([[4, 1], [2, 3]], index=["Some", "All"], columns=["Some", "All"])
    assert Table.from_counts(named_so).labels == ("Some", "All")  # a class that is called so, and is no sum


def test_a_forgotten_slash_is_asked_for() -> None:
    told = run("table", "56", "20", "12", "12")
    assert told.returncode == 2
    assert "Did you mean 56 20 / 12 12?" in told.stderr
    assert run("table", "56", "20", "12").returncode == 2
    assert run("table", "56", "20", "/", "12", "12").returncode == 0


# ---------------------------------------------------------------- one class, and nothing beside what is undefined


def test_a_fold_of_one_class_shows_nothing() -> None:
    from sklearn.dummy import DummyClassifier

    right = DummyClassifier().fit(np.ones((5, 1)), np.ones(5))
    for scorer in (informedness_scorer, matthews_scorer):
        assert math.isnan(scorer(right, np.ones((5, 1)), np.ones(5)))
    assert score("matthews", [0, 1], [1, 1], undefined="guess") == 0  # it guessed, and that was tried
    assert math.isnan(score("matthews", [1, 1], [1, 1], undefined="guess"))


def limits(method: str) -> list[Interval | InformedError]:
    """Those of all measures of all small tables by a method."""
    if method == "arc":  # the default of most: one walk along all arcs
        return intervals(SMALL, list(MEASURES.values()))
    found: list[Interval | InformedError] = []
    for m in MEASURES.values():
        with suppress(InformedError):  # no method of this measure
            found.append(interval(SMALL, m, method=method, n_draws=100))
    return found


@pytest.mark.parametrize("method", METHODS)
def test_beside_what_is_undefined_stands_nothing(method: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = [x for x in limits(method) if isinstance(x, Interval)]
    assert found
    for one in found:
        assert np.isnan(np.asarray(one.low)[np.isnan(one.estimate)]).all(), one.measure
        assert np.array_equal(np.isnan(one.low), np.isnan(one.high)), one.measure


def test_one_class_in_every_format() -> None:
    t = Table.from_labels(real=[1] * 8, predicted=[1] * 5 + [0] * 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = report(t)
        for e in found.estimates:
            if math.isnan(e.value):
                assert all(math.isnan(x) for x in (e.low, e.high, e.pvalue)), e.measure
        held = found.to_dict()["measures"]
        empty = [row for row in held.values() if row["value"] is None]
        assert empty
        assert all(row[name] is None for row in empty for name in ("low", "high", "pvalue"))
        for form in ("text", "html", "markdown", "latex", "csv", "json"):
            assert "nan [" not in found.write(form)
        assert "-0.7" not in found.text(full=True)
        assert "nothing to test, since all cases are of one real class" in found.text(full=True)


SPARSE = [(3, 4), (12, 20), (30, 60), (205, 210)]  # classes and cases: some class is never said


def sparse(k: int, n: int) -> Table:
    rng = np.random.default_rng(k)
    real = rng.integers(0, k, n)
    said = np.where(rng.random(n) < 0.6, real, rng.integers(0, k, n))
    return in_memory([*(f"c{i}" for i in real), "never said"], [*(f"c{i}" for i in said), "c0"])


def held_by(x: Any) -> Iterator[dict[str, Any]]:
    """Every mapping in plain data."""
    if isinstance(x, dict):
        yield x
    for inner in x.values() if isinstance(x, dict) else x if isinstance(x, list) else ():
        yield from held_by(inner)


@pytest.mark.parametrize(("k", "n"), SPARSE)
def test_beside_n_a_stands_nothing_in_any_format(k: int, n: int) -> None:
    found = report(sparse(k, n))
    macro = found["precision(average='macro')"]
    assert math.isnan(macro.value), "an average over a class that was never predicted"
    empty = [row for row in held_by(json.loads(found.json())) if row.get("value", 0) is None]
    assert len(empty) >= 2
    assert all(row[name] is None for row in empty for name in BESIDE if name in row)
    rows = [row for row in csv.DictReader(io.StringIO(found.csv())) if not row["value"]]
    assert rows
    assert not any(row[name] for row in rows for name in ("low", "high", "pvalue"))
    plain = re.sub(r"<[^>]+>", " ", found.html())
    for said in (found.text(full=True), found.markdown(), plain):
        assert "n/a" in said
        assert not re.search(r"n/a[\s|\\]*[\[(<]?-?[01]\.\d+,", said)


@pytest.mark.parametrize("tables", [every_table(2, 2, 5), every_table(3, 3, 3)], ids=["two classes", "three"])
def test_beside_an_undefined_estimate_of_a_report_stands_nothing(tables: Table) -> None:
    tables = replace(tables, positive=None)
    columns = estimates(tables, chosen(tables, None, everything=False), Wanted(0.95))
    undefined = [e for column in columns for e in column if math.isnan(e.value)]
    assert {"informedness", "f1(average='macro')", "precision(average='macro')"} <= {e.measure for e in undefined}
    assert all(math.isnan(x) for e in undefined for x in (e.low, e.high, e.pvalue, e.above))


@pytest.mark.parametrize("counts", [[[0, 0], [0, 3]], [[3, 0], [2, 0]], [[3, 1], [0, 0]], [[0, 0], [0, 0]]])
def test_every_measure_of_what_has_an_empty_margin_says_why(counts: list[list[int]]) -> None:
    found = report(Table.from_counts(counts, labels=["cat", "dog"]), all=True)  # neither is positive
    undefined = [e for e in found.estimates if math.isnan(e.value)]
    assert undefined
    assert all(e.why and math.isnan(e.low) and math.isnan(e.pvalue) for e in undefined)


def test_one_label_is_no_certainty() -> None:
    t = Table.from_labels(real=["a"] * 3, predicted=["a"] * 3)
    found = interval(t, "accuracy")
    assert found.low == pytest.approx(0.05 ** (1 / 3), abs=1e-9), "mid-p: half of p³ is .025"
    for name, m in MEASURES.items():
        if m.reads(t):
            assert interval(t, m, n_draws=100).width != 0, name
    macro = interval(t, 'f1(average="macro")')
    assert macro.estimate == 1
    assert math.isnan(macro.low)
    assert "one-label" in {note.code for note in macro.notes}
    assert "No interval for Recall, macro average" in report(t).text(full=True)


def test_who_answers_nothing_is_not_perhaps_perfect() -> None:
    real = ["a", "b"] * 50
    for answered, most in ((0, 0.06), (12, 0.3)):
        said = [*real[:answered], *[None] * (100 - answered)]
        t = Table.from_labels(real=real, predicted=said, missing="abstain")
        found = interval(t, "informedness_of_all")
        assert found.estimate == answered / 100
        assert answered / 100 < found.high < most
        assert abs(found.high - interval(t, "accuracy_of_all").high) < 0.04, "of classes alike, no more than the score"


def test_the_base_of_results_keeps_it() -> None:
    one = Interval(math.nan, 0.1, 0.9, 0.95, "x")
    assert math.isnan(one.low)
    assert math.isnan(one.high)
    half = Interval(0.5, math.nan, 0.9, 0.95, "x")
    assert math.isnan(half.high)
    stack = Interval(np.array([0.5, np.nan]), np.array([0.1, 0.1]), np.array([0.9, 0.9]), 0.95, "x")
    assert np.isnan(stack.low).tolist() == np.isnan(stack.high).tolist() == [False, True]
    assert {"low", "high", "pvalue"} <= set(BESIDE)


# ---------------------------------------------------------------- it knows, and says the opposite


def test_the_opposite_is_called_so() -> None:
    found = report(Table.from_counts([[5, 45], [45, 5]], labels=["ill", "well"]))
    said = " ".join(found.answer)
    assert "it knows, and says the opposite. Swap its labels (“ill” for “well”" in said
    assert "informedness is 80 %" in said
    assert not any("accuracy rewards" in x for x in found.warnings)

    unlucky = report(Table.from_counts([[9, 11], [11, 9]]))
    assert "opposite" not in " ".join(unlucky.answer)
    poor = report(Table.from_counts([[20, 30], [10, 40]], labels=["ill", "well"]))
    assert any("accuracy rewards" in x for x in poor.warnings)
    three = report(Table.from_counts([[1, 30, 1], [1, 1, 30], [30, 1, 1]]))
    assert "it knows, and says something else" in " ".join(three.answer)


def test_dates_as_text_and_times_of_python_are_the_same_if_asked() -> None:
    real, predicted = [str(DAY.date()), str(NIGHT.date())] * 6, [DAY, NIGHT] * 6
    with pytest.raises(LabelError, match='normalize="date"'):
        Table.from_labels(real=real, predicted=predicted)
    assert informed.accuracy(Table.from_labels(real=real, predicted=predicted, normalize="date")) == 1


def test_a_label_that_is_said_to_abstain_and_never_occurs_is_named() -> None:
    """A misspelled one would change nothing; one that occurs says nothing, and parts of a count are not judged."""
    real, said, other = ["a", "b"] * 20, ["a", "b", "b", "unsure"] * 10, ["a", "b"] * 20
    told = "None of 40 answers is 'unshure', which `abstain` names as no answer."
    t = Table.from_labels(real=real, predicted=other, abstain="unshure")
    assert t.remarks == (told,)
    assert told in informed.report(t).text()
    assert Table.from_json(t.to_json()).remarks == (told,)
    assert Table.from_labels(real=real, predicted=said, abstain="unsure").remarks == ()
    both = {"one": said, "two": other}
    for held in (
        informed.compare.paired(real=real, a=said, b=other, abstain=["unsure", "skipped"]),
        informed.leaderboard(real=real, predictions=both, abstain=["unsure", "skipped"]),
    ):
        notes = [str(note) for note in held.notes if "as no answer" in str(note)]
        assert notes == ["None of 80 answers is 'skipped', which `abstain` names as no answer."]
    tally = informed.Tally(abstain="unsure")
    tally.update(real=real, predicted=other)
    tally.update(real=real, predicted=said)
    assert tally.table().remarks == ()
