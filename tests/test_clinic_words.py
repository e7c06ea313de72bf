"""What a clinician reads of goals, gates and plans: words, and which of them is the hypothesis."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pandas as pd

import informed
from command_line import ok, refused
from informed.documents.pages.report_cases import as_drawn, ids_by_place
from informed.measures.terms import spoken_in

T = informed.Table.from_counts([[187, 14], [25, 343]], labels=["malignant", "benign"], positive="malignant")
FILE = ("report", "examples/breast-cancer.csv", "--real", "diagnosis", "--predicted", "tree", "--positive", "malignant")


def test_a_test_says_that_it_is_against_the_hypothesis() -> None:
    found = informed.test(T, "specificity", against=0.9, alternative="greater")
    assert found.sentence().endswith("(mid-p) against the hypothesis that inverse recall is at most 0.9")
    assert "specificity is at most 0.9" in repr(found.in_terms("clinical"))


def test_a_plan_names_its_measure_and_both_errors() -> None:
    said = informed.sample_size(0.7, measure="cohen_kappa", goal=0.4, level=0.99).sentence()
    assert "Cohen's kappa 0.7 told from 0.4 with a power of 80 % at a significance level of 1 %" in said
    assert "the 99 % interval is expected to be" in said
    assert "interval of the difference" in informed.sample_size(0.6, against=0.5).sentence()
    assert "difference" not in informed.sample_size(0.8, goal=0.7).sentence()


def test_a_plan_says_how_many_are_positive_and_nothing_that_it_does_not_use() -> None:
    plan = informed.sample_size(0.9, measure="sensitivity", width=0.1, prevalence=0.2)
    assert plan.sentence().startswith(f"{plan.n:g} cases (about {round(plan.n * 0.2)} real positives): ")
    assert "prevalence" in plan.records().names
    assert not {"power", "against", "alternative"} & set(plan.records().names)
    alone = informed.sample_size(0.9, measure="sensitivity", width=0.1)
    assert "prevalence" not in alone.records().names
    assert alone.sentence().startswith(f"{alone.n:g} real positives: ")


def test_a_decided_gate_is_seen_where_it_passes() -> None:
    said = ok(*FILE, "--decide", "specificity=0.9")
    assert "Inverse recall is 0.961 [0.937, 0.978], all of it at or above 0.9: pass." in said
    gates = ("--decide", "specificity=0.9", "--decide", "recall=0.7")
    said = ok(*FILE, *gates, "--terms", "clinical")
    assert said.count(": pass.") == 2
    said = ok(*FILE, *gates, "--decide", "accuracy=0.7", "--terms", "clinical")
    assert "3 gates passed; they are in the full text." in said


def test_what_is_asked_for_by_name_is_shown_or_counted() -> None:
    asked = (*FILE, "--measures", "sensitivity,specificity,LR+,LR-,youden_j", "--terms", "clinical")
    said = ok(*asked, "--decide", "specificity=0.9", "--against", "sensitivity.greater=0.8")
    assert "LR+ 22.493 [13.857, 39.266]" in said
    assert "LR− 0.123 [0.083, 0.174]" in said
    many = "recall,inverse_recall,lr,nlr,f1,g_mean,jaccard,cohen_kappa,odds_ratio,accuracy"
    said = ok(*FILE, "--measures", many, "--decide", "specificity=0.9", "--against", "sensitivity.greater=0.8")
    assert re.search(r"; … \d more\.", said)


def test_another_prevalence_tells_both_predictive_values() -> None:
    said = ok(*FILE, "--prevalence", "0.01", "--terms", "clinical", "--full")
    assert "19 % of the cases called “malignant” would be right, and 99.9 % of the others." in said
    moved = T.at_prevalence([0.01, 0.99])
    assert f"{informed.interval(moved, 'inverse_precision').estimate:.3f}" in said.split("\nNPV")[2].splitlines()[0]


def test_specificity_and_npv_stand_beside_sensitivity_and_ppv() -> None:
    source = ("examples/breast-cancer.csv", "--real", "diagnosis", "--positive", "malignant", "--terms", "clinical")
    assert "\nSpecificity " in ok("roc", *source, "--score", "score")
    assert "\nNPV " in ok("compare", *source, "--predicted", "tree", "--predicted", "bayes")


def test_ratios_without_a_positive_class_say_what_they_lack() -> None:
    both = ("examples/breast-cancer.csv", "--real", "diagnosis", "--predicted", "tree", "--predicted", "bayes")
    said = ok("compare", *both, "--relative", "--terms", "clinical")
    assert "sensitivity, PPV and likelihood ratios need a positive class: --positive" in " ".join(said.split())
    assert "need a positive class" not in ok("compare", *both, "--relative", "--positive", "malignant")


def test_what_is_misspelt_is_met_with_what_can_be_said() -> None:
    assert "'bigger'; what can stand there is value, low, high, greater, less" in refused(
        *FILE, "--against", "recall.bigger=0.8"
    )
    assert "Did you mean sensitivity" in refused(*FILE, "--measures", "sens")


def test_an_axis_says_a_rate_once() -> None:
    assert spoken_in("clinical")("fallout (false alarms)") == "false positive rate (1 − specificity)"


def crossed(said: str) -> list[list[str]]:
    """The first table of tests against diseases: its heading, and two rows."""
    lines = said.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("test \\ disease"))
    return [line.split() for line in lines[at : at + 3]]


def test_the_disease_stands_first_where_a_table_is_read() -> None:
    wanted = [["malignant", "187", "14"], ["benign", "25", "343"]]
    for words in ((*FILE, "--terms", "clinical"), (*FILE, "--terms", "clinical", "--full")):
        head, *rows = crossed(ok(*words))
        assert head[-3:-1] == ["malignant", "benign"]
        assert [x[:3] for x in rows] == wanted
    as_before = ok(*FILE)
    assert as_before.index("\nbenign ") < as_before.index("\nmalignant ")
    ours, clinical = (ok(*FILE, *more, "--format", "csv").splitlines() for more in ((), ("--terms", "clinical")))
    assert [x for x in clinical if x.split(",")[2] not in ("lr", "nlr")] == ours
    ours, theirs = (json.loads(ok(*FILE, *x, "--format", "json")) for x in ((), ("--terms", "clinical")))
    assert ours["counts"] == theirs["counts"] == [[343, 25], [14, 187]]


def test_the_picture_and_its_cases_have_the_disease_first() -> None:
    real, predicted = ["no", "no", "yes", "yes", "yes"] * 4, ["no", "yes", "yes", "yes", "no"] * 4
    frame = pd.DataFrame({"real": real, "predicted": predicted, "id": [f"c{i}" for i in range(20)]})
    examples = informed.examples(frame, id="id", real="real", predicted="predicted")
    t = informed.read(frame, real="real", predicted="predicted")
    found = informed.report(t, examples=examples, terms="clinical")
    drawn = as_drawn(found, found.table)
    assert drawn.real_labels == ("yes", "no")
    assert drawn.counts.tolist() == [[8, 4], [4, 4]]
    missed = next(x.ids for x in found.examples if (x.real, x.predicted) == ("yes", "no"))
    assert ids_by_place(found)[1, 0] == missed
    page = found.html()
    assert page.count("cell-1-0") >= 2, "the cell of the picture, and the cases that it leads to"


def test_other_tables_have_it_first_as_well() -> None:
    said = ok("roc", *FILE[1:4], "--score", "score", "--positive", "malignant", "--terms", "clinical", "--full")
    assert crossed(said[said.index("Counts at") :])[0][-2:] == ["malignant", "benign"]
    real, answer = ["yes", "no", "no", "yes"] * 20, ["yes", "no", "yes", "yes"] * 20
    gold = [x if i % 3 else None for i, x in enumerate(real)]
    text = informed.verified(predicted=answer, gold=gold, positive="yes").in_terms("clinical").text(full=True)
    assert text.index("\nyes ") < text.index("\nno ")


def test_the_first_screen_has_likelihood_ratios() -> None:
    said = ok(*FILE, "--terms", "clinical")
    limits = informed.interval(T, "lr")
    assert f"LR+          {limits.estimate:.3f}  [{limits.low:.3f}, {limits.high:.3f}]" in said
    assert "LR−" in said
    assert "LR+" not in ok(*FILE)


def test_the_first_screen_keeps_sensitivity_where_some_cases_have_no_answer(tmp_path: Path) -> None:
    cases = pd.read_csv("examples/breast-cancer.csv", dtype=str)[["diagnosis", "tree"]]
    cases.loc[::7, "tree"] = "unclear"
    cases.to_csv(tmp_path / "cases.csv", index=False)
    said = ok("report", str(tmp_path / "cases.csv"), *FILE[2:], "--abstain", "unclear", "--terms", "clinical")
    answered = informed.read(cases, real="diagnosis", predicted="tree", positive="malignant", abstain="unclear")
    for word, measure in (("Sensitivity", "recall"), ("Specificity", "inverse_recall")):
        limits = informed.interval(answered, measure)
        assert re.search(rf"{word} +{limits.estimate:.3f}  \[{limits.low:.3f}, {limits.high:.3f}\]", said)
