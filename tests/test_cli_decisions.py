"""`informed roc`, `informed assign` and `informed sample-size` as a person or a pipe uses them."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix, roc_auc_score

from command_line import ROOT, ok, process, refused
from informed import detectable, power, sample_size
from informed.decisions.multiclass import compare_areas

DATA = "examples/breast-cancer.csv"
ASKED = ["roc", DATA, "--real", "diagnosis", "--score", "score", "--positive", "malignant"]
CLUSTERS = ["assign", "examples/digits.csv", "--real", "digit", "--predicted", "predicted"]


def asked_json(*words: str) -> dict[str, Any]:
    held: dict[str, Any] = json.loads(ok(*words, "--format", "json"))
    return held


@pytest.fixture(scope="module")
def cases() -> tuple[list[bool], list[float]]:
    with (ROOT / DATA).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [r["diagnosis"] == "malignant" for r in rows], [float(r["score"]) for r in rows]


def test_a_curve_begins_with_the_answer() -> None:
    done = process("-m", "informed", *ASKED, "--full")
    said = done.stdout
    assert said == ok(*ASKED, "--full")
    assert " ".join(said.split()).startswith("A case of 'malignant' scores higher than one of")
    for part in ("The threshold\n---", "optimism", "Other methods", "convex hull"):
        assert part in said


def test_the_numbers_are_those_of_scikit_learn(cases: tuple[list[bool], list[float]]) -> None:
    real, score = cases
    held = asked_json(*ASKED)
    assert held["auc"]["estimate"] == pytest.approx(roc_auc_score(real, score))
    assert held["auc"]["low"] < held["auc"]["estimate"] < held["auc"]["high"]
    cut = held["choice"]["threshold"]
    matrix = confusion_matrix(real, [s >= cut for s in score])
    assert held["choice"]["labels"] == ["benign", "malignant"]
    assert held["choice"]["counts"] == matrix.T.tolist()


def test_costs_choose_the_cheapest_threshold(cases: tuple[list[bool], list[float]]) -> None:
    real, score = cases
    held = asked_json(*ASKED, "--cost", "5:1", "--prevalence", ".01")
    assert held["choice"]["method"] == "cost"
    assert held["choice"]["c"] == pytest.approx(0.99 / 0.01 / 5)

    def cost(cut: float) -> float:
        p, n = sum(real), len(real) - sum(real)
        misses = sum(r and s < cut for r, s in zip(real, score, strict=True)) / p
        alarms = sum(not r and s >= cut for r, s in zip(real, score, strict=True)) / n
        return 5 * 0.01 * misses + 0.99 * alarms

    cheapest = min(cost(x) for x in {*score, 2.0})
    assert held["costs"]["apparent"] == pytest.approx(cheapest)
    assert held["costs"]["apparent"] < held["costs"]["expected_cost"] < held["costs"]["high"]
    assert cost(held["choice"]["threshold"]) == pytest.approx(cheapest)
    assert held["costs"]["constant"] == pytest.approx(0.05)


def test_what_a_rule_must_keep_is_kept() -> None:
    held = asked_json(*ASKED, "--method", "recall", "--value", ".99")
    assert held["choice"]["measures"]["recall"]["apparent"] >= 0.99
    assert "needs a --value" in refused(*ASKED, "--method", "recall")
    assert "nonsense" in refused(*ASKED, "--method", "nonsense")


def test_a_price_of_no_answer_makes_two_thresholds() -> None:
    held = asked_json(*ASKED, "--cost", "5:1", "--reject", ".2")["reject"]
    assert held["lower"] < held["upper"]
    assert held["expected_cost"] < held["without"]
    assert 0 < held["coverage"] < 1


def test_groups_have_a_curve_each_and_their_areas_are_compared(cases: tuple[list[bool], list[float]]) -> None:
    held = asked_json(*ASKED, "--by", "fold")
    with (ROOT / DATA).open(encoding="utf-8", newline="") as file:
        folds = [r["fold"] for r in csv.DictReader(file)]
    assert len(held["curves"]) == len(set(folds))
    for one in held["curves"]:
        mine = [i for i, x in enumerate(folds) if x == one["name"]]
        area = roc_auc_score([cases[0][i] for i in mine], [cases[1][i] for i in mine])
        assert one["auc"]["estimate"] == pytest.approx(area)
    assert len(held["differences"]) == len(set(folds)) * (len(set(folds)) - 1) // 2
    assert all(d["adjusted"] is None or d["adjusted"] >= d["pvalue"] for d in held["differences"])
    assert not held["paired"]


def test_several_scores_are_compared_on_the_same_cases(cases: tuple[list[bool], list[float]], tmp_path: Path) -> None:
    rows = [f"{int(r)},{s},{round(s, 1)},{s > 0.5:d}" for r, s in zip(*cases, strict=True)]
    file = tmp_path / "two.csv"
    file.write_text("\n".join(["y,fine,coarse,cut", *rows, *rows]) + "\n", encoding="utf-8")
    words = ("roc", str(file), "--real", "y", "--score", "fine", "--score", "coarse")
    costs = asked_json(*words, "--cost", "5:1")
    assert "has the least expected cost. At costs of 5:1" in costs["answer"]
    assert all(x["costs"]["apparent"] < x["costs"]["expected_cost"] < x["costs"]["high"] for x in costs["curves"])
    held = asked_json(*words, "--score", "cut")
    assert held["paired"]
    real, fine = (list(x) * 2 for x in cases)
    expected = compare_areas(real=real, scores={"a": fine, "b": [round(s, 1) for s in fine]})
    found, d = held["differences"][0], expected["a", "b"]
    assert (found["a"], found["b"]) == ("fine", "coarse")
    assert (found["estimate"], found["pvalue"]) == pytest.approx((d.estimate, d.pvalue))
    said = ok(*words)
    assert "Of 2 scores of the same cases" in said
    assert "paired: the same cases" in said
    ok(*words, "-o", str(tmp_path / "curves.svg"))
    drawn = (tmp_path / "curves.svg").read_text(encoding="utf-8")
    assert drawn.count('<path class="curve o') == 2
    said = ok(*words[:6], "--by", "cut")
    assert said.startswith("Of 2 groups, ")
    assert "unpaired: different cases" in said


def test_markdown_and_a_picture_are_written(tmp_path: Path) -> None:
    said = ok(*ASKED, "--format", "markdown")
    assert "\n\n**A case of 'malignant'" in said
    assert "| measure | on these cases |" in said
    ok(*ASKED, "--cost", "5:1", "-o", str(tmp_path / "curve.svg"))
    drawn = ElementTree.fromstring((tmp_path / "curve.svg").read_text(encoding="utf-8"))
    space = "{http://www.w3.org/2000/svg}"
    assert drawn.tag == f"{space}svg"
    drawn_as = [(x.tag.removeprefix(space), x.get("class")) for x in drawn.iter()]
    for wanted in (("path", "curve s1"), ("path", "hull"), ("path", "band"), ("circle", "dot")):
        assert drawn_as.count(wanted) == 1
    assert drawn_as.count(("line", "cost")) == 2  # one of them in the legend


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["roc", DATA, "--real", "diagnosis", "--score", "score"], "stand for"),
        (["roc", DATA, "--score", "score"], "--real"),
        (["roc", DATA, "--real", "diagnosis"], "--score"),
        (["roc", DATA, "--real", "fold", "--score", "score"], "positive"),
        (["roc", DATA, "--real", "fold", "--score", "diagnosis"], "holds 'benign', which is no"),
        ([*ASKED, "--cost", "cheap"], "FN:FP"),
        ([*ASKED, "--prevalence", "2"], "prevalence"),
        ([*ASKED, "--level", "95"], "level"),
        ([*ASKED, "--by", "fold", "--by", "case"], "one --by"),
        ([*ASKED, "--score", "fold", "--by", "case"], "one --score"),
        ([*ASKED, "--score", "score"], "given twice"),
        ([*ASKED, "--score", "tree"], "'tree' of examples/breast-cancer.csv holds"),
        ([*ASKED, "--by", "fold", "--reject", "1"], "one curve"),
        ([*ASKED, "--by", "fold", "--invert", "hull"], "--invert is for one curve."),
        ([*ASKED, "--score", "case", "--invert", "perverse"], "--invert is for one curve."),
        ([*ASKED, "--invert", "dents"], "'dents' is not one of 'perverse', 'hull'"),
        (
            [*ASKED, "--invert", "hull", "--option", "bins=10"],
            "as many --option 'bins=…' as there are different scores.",
        ),
        ([*ASKED, "--predicted", "tree"], "--predicted"),
        (["roc", "nowhere.csv", "--real", "a", "--score", "b"], "nowhere.csv"),
        ([*CLUSTERS, "--by", "digit"], "--by"),
    ],
)
def test_a_bad_call_is_one_sentence(words: list[str], said: str) -> None:
    assert said in refused(*words)


def test_a_score_the_wrong_way_round_is_told() -> None:
    said = ok("roc", DATA, "--real", "diagnosis", "--score", "score", "--positive", "benign")
    assert "! The area is 0.005219, below 1/2" in said
    assert "Reverse the labels" in " ".join(said.split())


def test_a_score_is_turned_round_as_a_whole(cases: tuple[list[bool], list[float]]) -> None:
    real, score = cases
    wrong = ["benign" if word == "malignant" else word for word in ASKED]
    held = asked_json(*wrong, "--invert", "perverse")
    assert (held["mirrored"], held["negated"]) == (0, True)
    assert held["auc"]["estimate"] == pytest.approx(roc_auc_score(real, score))
    cut = held["choice"]["threshold"]
    assert held["choice"]["counts"] == confusion_matrix(real, [-s < cut for s in score]).T.tolist()
    said = ok(*wrong, "--invert", "perverse")
    assert "! The score was negated: where score ≥ -2 is called positive" in said
    assert "below 1/2" not in said


def test_a_score_is_turned_round_across_the_hull(tmp_path: Path) -> None:
    """By hand: the curve dips from (0, ½) over (½, ½) to (½, 1), and mirrored it passes (0, 1); see test_inversion."""
    file, page = tmp_path / "dented.csv", tmp_path / "dented.html"
    rows = [f"{real},{score / 10}" for real, score in zip("yynnyynn", range(8, 0, -1), strict=True)]
    file.write_text("\n".join(["y,p", *rows]), encoding="utf-8")
    words = ("roc", str(file), "--real", "y", "--score", "p", "--positive", "y", "--invert", "hull")

    held = asked_json(*words)
    assert held["auc"]["estimate"] == 1
    assert (held["mirrored"], held["negated"]) == (1, False)
    assert held["choice"]["threshold"] == pytest.approx(0.5)
    assert "! The score was turned round in 1 dent that these same cases showed" in ok(*words)
    ok(*words, "-o", str(page))
    written = page.read_text(encoding="utf-8")
    assert "The score was turned round in 1 dent" in written
    assert "ROC plane" in written
    assert "Decision curve" not in written  # a mirrored probability is none


def test_clusters_get_names_and_a_chance_level() -> None:
    said = " ".join(ok(*CLUSTERS, "--full").split())
    assert said.startswith("Named one-to-one for the greatest informedness, 10 clusters have")
    assert "random clusters named as well get" in said
    assert "Adjusted Rand index" in said
    held = asked_json(*CLUSTERS, "--method", "many-to-one", "--draws", "99", "--seed", "1")
    assert [x["class"] for x in held["mapping"]] == [str(i) for i in range(10)]
    assert held["pvalue"] == pytest.approx(1 / 100)
    chance = held["chance"]
    assert held["corrected"] == pytest.approx((held["informedness"] - chance) / (1 - chance))
    assert "| cluster | class |" in ok(*CLUSTERS, "--format", "markdown", "--draws", "9")


@pytest.mark.parametrize("name", ["roc", "assign"])
def test_help_shows_an_example(name: str) -> None:
    assert f"  informed {name} examples/" in ok(name, "--help")


# ---------------------------------------------------------------------- how many cases


@pytest.fixture
def pilot(tmp_path: Path) -> list[str]:
    """40 questions asked 6 times, of two classes; every other one is known, mostly."""
    file = tmp_path / "pilot.csv"
    cases = [(q, q % 4 // 2, t) for q in range(40) for t in range(6)]
    rows = [f"{q},{real},{real if q % 2 or (q + t) % 4 else 1 - real}" for q, real, t in cases]
    file.write_text("\n".join(["question,truth,answer", *rows]), encoding="utf-8")
    return ["--like", str(file), "--real", "truth", "--predicted", "answer"]


def test_sample_size_is_that_of_the_library() -> None:
    plan = sample_size(0.3, prevalence=0.2, guess=0.4, level=0.9, power=0.7)
    words = ["sample-size", "0.3", "--prevalence", "0.2", "--guess", "0.4", "--level", "0.9", "--power", "0.7"]
    held = asked_json(*words)
    assert (held["n"], held["power"]) == (plan.n, pytest.approx(plan.power))
    assert ok(*words).startswith(f"{plan.n:g} cases: informedness 0.3 told from chance with a power of 7")
    assert asked_json("sample-size", ".6", "--width", ".2")["n"] == sample_size(0.6, width=0.2).n
    two = sample_size(0.6, against=0.5, paired=True, shared=0.5).n
    assert asked_json("sample-size", ".6", "--against", ".5", "--paired", "--shared", ".5")["n"] == two
    three = sample_size(0.3, prevalence=[0.5, 0.3, 0.2]).n
    assert asked_json("sample-size", ".3", "--prevalence", ".5,.3,.2")["n"] == three


def test_so_many_cases_have_a_power_or_show_something() -> None:
    held = asked_json("sample-size", "0.3", "--n", "25,50")
    wanted = np.asarray(power([25, 50], 0.3).power)
    assert [row["power"] for row in held["rows"]] == pytest.approx(wanted.tolist())
    assert asked_json("sample-size", "--n", "100")["informedness"] == pytest.approx(detectable(100).informedness)


def test_items_are_planned_like_those_of_a_pilot(pilot: list[str]) -> None:
    assert "48 units of 6 cases" in ok("sample-size", "0.3", "--unit-size", "6", "--icc", "0.4")
    by_item = asked_json("sample-size", "0.3", *pilot, "--item", "question")
    by_unit = asked_json("sample-size", "0.3", *pilot, "--unit", "question")
    assert by_item["unit_size"] == pytest.approx(6)
    assert by_item["n"] == pytest.approx(6 * by_item["units"])
    assert by_item["units"] == pytest.approx(by_unit["units"], rel=0.1)  # both have six answers in each
    said = ok("sample-size", "0.3", *pilot, "--item", "question")
    assert said.startswith(f"{by_item['units']:g} {by_item['unit']}s of 6 answers: informedness 0.3")


@pytest.mark.parametrize("form", ["markdown", "csv", "html"])
def test_a_plan_in_other_formats(form: str) -> None:
    assert "87" in ok("sample-size", "0.3", "--format", form)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "Which informedness"),
        (["0.3", "--real", "y"], "--like"),
        (["0.3", "--n", "many"], "no number"),
        (["0.3", "--n", "40", "--width", ".2"], "--n says how many"),
        (["0.3", "--n", "40", "--unit-size", "6"], "give both"),
        (["0.3", "--icc", ".4"], "give both"),
        (["0.3", "--unit-size", "6", "--icc", "2"], "between 0 and 1"),
        (["0.3", "--like", DATA, "--real", "diagnosis", "--predicted", "tree"], "with units"),
        (["1.3"], "between 0 and 1"),
    ],
)
def test_plans_that_make_no_sense_are_one_line(words: list[str], said: str) -> None:
    assert said in refused("sample-size", *words)
