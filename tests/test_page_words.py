"""What pages call things: titles, labels, measures; and what they say where measures disagree."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import informed
from command_line import ok, run
from informed import Table
from informed.documents.blocks import Grid
from informed.documents.charts.chart import Chart
from informed.documents.charts.ranks import critical_difference
from informed.documents.document import Document
from informed.documents.pages import report_pictures
from informed.evidence.shown import Cut, shown, shown_all
from informed.results import Result
from informed.summary.findings import MORE, guidance, next_steps
from informed.summary.report import Report

CANCER = ["examples/breast-cancer.csv", "--real", "diagnosis"]
NO_BREAK = "\N{NO-BREAK SPACE}"


def grids(document: Document, key: str) -> list[Grid]:
    return [b for s in document.sections if s.key == key for b in s.blocks if isinstance(b, Grid)]


# ---------------------------------------------------------------------- titles


def test_title_and_heading_and_json_name_the_data_and_the_system() -> None:
    page = run("report", *CANCER, "--predicted", "tree", "--format", "html").stdout
    assert "<title>Report of tree on breast-cancer.csv</title>" in page
    assert "<h1>Report of tree on breast-cancer.csv</h1>" in page
    held = json.loads(run("compare", *CANCER, "--predicted", "tree", "--predicted", "bayes", "--format", "json").stdout)
    assert held["title"] == "tree and bayes on the same items (breast-cancer.csv)"


def test_a_report_is_called_by_its_source_and_a_file_by_its_title(tmp_path: Path) -> None:
    t = Table.from_counts([[5, 1], [2, 4]])
    assert informed.report(t).title == "Informed report"
    assert informed.report(t, source="data/run.csv").title == "Report of run.csv"
    assert informed.report(t, source="data/run.csv", title="Mine").save(tmp_path) == tmp_path / "mine.html"
    assert (tmp_path / "mine.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    two = informed.compare.paired(real=[0, 1] * 9, a=[0, 1] * 9, b=[0, 1, 1] * 6)
    assert informed.report(two, source="data/run.csv").title == "a and b on the same items (run.csv)"
    assert json.loads(two.write("json", title="Mine", source="run.csv"))["title"] == "Mine (run.csv)"


def test_what_a_report_points_to_is_there_in_an_installation() -> None:
    calls = [x.split()[1:] for x in re.findall(r"`(informed [^`]+)`", MORE)]
    assert [len(call) for call in calls] == [1, 2]
    assert "recall" in ok(*calls[0])
    assert "TP" in ok(calls[1][0], "recall")
    page = informed.report(Table.from_counts([[45, 5], [5, 45]])).html()
    assert MORE.partition("`")[2].partition("`")[0] in page
    assert "docs/" not in page
    assert ".md" not in page


# ---------------------------------------------------------------------- labels


def test_a_difference_of_long_names_shows_both() -> None:
    """Each name loses its own middle, and not the first all but its end; the tip has both as they are."""
    a = "organisation/very-long-model-name-instruct-2026-11-preview-70b"
    rng = np.random.default_rng(1)
    real = rng.integers(0, 2, 90)
    said = {x: np.where(rng.random(90) < q, real, 1 - real) for x, q in ((a, 0.9), (f"{a}-v2", 0.8), ("other", 0.7))}
    page = informed.report(informed.leaderboard(real=real, predictions=said)).html()
    assert f"<title>{a} − {a}-v2</title>organ…w-70b − organ…0b-v2<" in page
    assert f"<title>{a} − other</title>organ…w-70b − other<" in page


def test_labels_lose_what_they_share_or_their_middle_and_stay_apart() -> None:
    assert shown_all(["a/b/one", "a/b/two"], 24) == ["a/b/one", "a/b/two"]  # nothing is long
    shared = [f"a long project name/{x}" for x in ("cat", "dog")]
    assert shown_all(shared, 20) == ["…cat", "…dog"]
    numbered = [f"experiment{i}-with-a-long-common-middle-{i}" for i in range(40)]
    cut = shown_all(numbered, 16)
    assert len(set(cut)) == 40
    assert max(map(len, cut)) == 16
    assert [x.whole for x in cut if isinstance(x, Cut)] == numbered
    assert shown(cut[3], 60) == numbered[3]  # a cut label knows its whole


@pytest.mark.parametrize("label", ["x" * 60, "<b>" + "y" * 60])
def test_a_cut_label_has_its_whole_in_a_tooltip(label: str) -> None:
    t = Table.from_counts([[9, 1, 1], [2, 8, 0], [1, 1, 7]], labels=[label, "b", "c"])
    page = informed.report(t).html()
    whole = label.replace("<", "&lt;").replace(">", "&gt;")
    assert f'<abbr title="{whole}">' in page  # of grids
    assert f"<title>{whole}</title>" in page  # of pictures
    assert f"predicted {whole}, really b" in page  # of cells
    assert label not in page or label == whole


# ---------------------------------------------------------------------- lines


@pytest.mark.parametrize(("form", "space"), [("html", NO_BREAK), ("markdown", NO_BREAK), ("latex", "~"), ("text", " ")])
def test_no_line_ends_inside_a_number(form: str, space: str) -> None:
    said = informed.report(Table.from_counts([[56, 20], [12, 12]])).write(form)
    sign = r"\%" if form == "latex" else "%"
    assert f"20{space}{sign} of the time" in said
    if form == "html":
        answer = re.findall(r'class="answer">([^<]*)<', said)[0]
        assert not re.search(r"\d %", answer)


# ---------------------------------------------------------------------- many classes


@pytest.fixture(scope="module")
def many() -> Report:
    rng = np.random.default_rng(3)
    counts = np.diag(rng.integers(40, 60, 200)) + rng.poisson(0.05, (200, 200))
    return informed.report(Table.from_counts(counts, labels=[f"species-{i}" for i in range(200)], rows="predicted"))


def test_many_classes_have_a_table_of_confusions_and_digits_to_tell_them_apart(many: Report) -> None:
    [grid] = grids(many.document(), "table")
    assert grid.sortable
    assert len(grid.rows) == 20
    assert not any("<0.001" in str(cell) for row in grid.rows for cell in row)
    [classes] = grids(many.document(), "classes")
    prevalences = [str(row[2]) for row in classes.rows]
    assert not any("<" in x for x in prevalences)


def test_the_plane_of_many_classes_shows_them_and_no_more(many: Report) -> None:
    plane = report_pictures.roc(many)
    assert isinstance(plane, Chart)
    fallouts = [c["fallout"].value for c in many.classes]
    assert max(fallouts) <= plane.x.end < 3 * max(fallouts)
    assert 0.5 < plane.y.start <= min(c["recall"].value for c in many.classes)
    whole = report_pictures.roc(informed.report(Table.from_counts(np.eye(4) * 9 + 1)))
    assert isinstance(whole, Chart)
    assert (whole.x.end, whole.y.start) == (1, 0)


def test_pictures_of_numbers_name_their_axes(many: Report) -> None:
    two = informed.report(Table.from_counts([[56, 20], [12, 12]]))
    made = [
        report_pictures.roc(many),
        report_pictures.classes(many),
        report_pictures.roc(two),
        report_pictures.power(two),
    ]
    for chart in made:
        assert isinstance(chart, Chart)
        assert chart.x.title
        assert chart.y.title or chart.kind == "forest"


# ---------------------------------------------------------------------- comparisons


def compared(a: Any, b: Any) -> str:
    """What is said of two systems on 12 positive and 188 negative items, of which they get so many right."""
    real = np.repeat([1, 0], [12, 188])

    def answers(positive: int, negative: int) -> Any:
        right = np.r_[np.arange(12) < positive, np.arange(188) < negative]
        return np.where(right, real, 1 - real)

    return informed.report(informed.compare.paired(real=real, a=answers(*a), b=answers(*b), positive=1)).text(
        full=True, width=999
    )


def test_measures_that_disagree_are_explained_and_others_are_not() -> None:
    said = compared((11, 150), (8, 180))
    assert "The measures disagree: informedness shows no difference (p = " in said
    assert "accuracy finds b better (p " in said
    assert "informedness asks who tells the classes apart more often" in said
    assert "The headline is informedness" in said
    assert "disagree" not in compared((11, 180), (2, 100))
    assert "disagree" not in compared((11, 180), (11, 179))


def test_measures_have_their_proper_names() -> None:
    said = compared((11, 150), (8, 180))
    assert "Cohen's kappa" in said
    assert "cohen_kappa" not in said


def test_two_systems_need_no_diagram_of_critical_differences() -> None:
    assert critical_difference({"a": 1.2, "b": 1.8}, [[1.2, 1.8]], 0.6, "Ranks") is None
    assert critical_difference({"a": 1.2, "b": 1.8, "c": 3.0}, [[1.2, 1.8]], 0.6, "Ranks") is not None
    scores = np.random.default_rng(1).normal(size=(2, 12))
    found: Result = informed.folds(scores.T, design="data-sets")
    assert "critical difference" in informed.report(found).answer
    assert '<svg class="chart' not in informed.report(found).html()


# ---------------------------------------------------------------------- another population


def test_the_slider_of_prevalence_starts_at_the_data() -> None:
    r = informed.report(Table.from_counts([[30, 7], [11, 89]]))
    page = r.html()
    assert "Prevalence <output>29.9 %</output>" in page
    assert r.elsewhere is not None
    curves = dict(r.elsewhere.curves)
    at = curves["prevalence"].index(41 / 137)
    assert curves["precision"][at] == pytest.approx(30 / 37)


# ---------------------------------------------------------------------- which measure

SHOWS: dict[
    str, tuple[Any, dict[str, Any]]
] = {  # a table that shows it; what is said of the even table below it is not
    "perverse": ([[5, 45], [45, 5]], {}),
    "imbalance": ([[80, 4], [10, 6]], {}),
    "bias": ([[45, 30], [5, 20]], {}),
    "many-classes": (np.eye(3) * 20 + 3, {}),
    "costs": ([[45, 5], [5, 45]], {"cost": "5:1"}),
    "field": ([[45, 5], [5, 45]], {"prevalence": 0.1}),
    "one-class": ([[45, 0], [5, 0]], {}),
    "raters": ([[45, 5], [5, 45]], {"context": {"raters": True}}),
}


def codes(r: Report) -> list[str]:
    return [a.code for a in guidance(r)]


def test_which_measure_to_report_follows_from_the_table() -> None:
    even = informed.report(Table.from_counts([[45, 5], [5, 45]]))
    assert codes(even) == ["gold", "even"]
    for code, (counts, how) in SHOWS.items():
        assert code in codes(informed.report(Table.from_counts(counts, rows="predicted"), **how)), code
        assert code not in codes(even)
    silent = informed.report(Table.from_counts([[45, 5], [5, 45]], abstained=[3, 4]))
    assert "abstentions" in codes(silent)
    clusters = Table.from_counts([[9, 1], [2, 8], [3, 3]], predicted_labels=list("xyz"), real_labels=list("ab"))
    assert codes(informed.report(clusters)) == ["clusters"]
    several = informed.report(real=["a;b", "a", "b;c", "a;c", "b"], predicted=["a", "a", "b;c", "a;b;c", "b"])
    assert "several-labels" in codes(several)
    assert "`separator=';'`" in "".join(next_steps(several))


def test_labels_are_called_ordinal_only_where_somebody_said_so() -> None:
    counts = [[9, 2, 0], [3, 2, 2], [2, 0, 2]]
    for labels, declared, known in (([1, 2, 3], False, True), ([1, 2, 3], True, True), (list("abc"), False, False)):
        t = Table.from_labels(
            real=[x for row in counts for x, n in zip(labels, row, strict=True) for _ in range(n)],
            predicted=[x for x, row in zip(labels, counts, strict=True) for _ in range(sum(row))],
            labels=labels if declared else None,
        )
        (said,) = (x for x in guidance(informed.report(t)) if x.code == "grades")
        assert said.when == ("The labels are ordinal" if declared else "If the labels are ordinal")
        assert ("Give their order" in said.text) is not known


def test_where_informedness_is_not_known_it_is_not_recommended() -> None:
    assert "gold" not in codes(informed.report(Table.from_counts([[45, 0], [5, 0]])))
    own = informed.report(Table.from_counts([[45, 5], [5, 45]]), context={"unknown_negatives": True})
    assert codes(own)[0] == "unknown_negatives"
    assert "gold" not in codes(own)


def test_a_log_has_a_model_and_questions() -> None:
    said = run("report", "tests/samples/inspect_ai/mcq.eval").stdout
    assert said.startswith("On 12 questions this model ")
    assert "1 question without an answer counts as no bet" in said
    assert run("table", "56 20 / 12 12").stdout.startswith("On 100 cases this classifier ")


def test_a_threshold_is_never_minus_zero() -> None:
    """Scores that were rounded may be −0.0, which is 0."""
    real, score = np.repeat([0, 1], 30), np.r_[np.linspace(-1, -0.1, 30), np.full(30, -0.0)]
    choice = informed.threshold(informed.roc(real=real, score=score))
    assert "where score ≥ 0 " in choice.sentence()
    assert "-0 " not in informed.report(choice).text(full=True)


def test_only_of_two_classes_the_opposite_is_known_as_well() -> None:
    """Two classes: B of the swapped labels is −B. Three in a circle: no order of the labels gives −B."""
    two, three = Table.from_counts([[5, 30], [30, 5]]), Table.from_counts([[5, 30, 0], [0, 5, 30], [30, 0, 5]])
    said = [next(a.text for a in guidance(informed.report(t)) if a.code == "perverse") for t in (two, three)]
    assert "knows as much, 0.714, once it is turned round" in said[0]
    assert said[1].endswith("labels that change places.")
    right = informed.informedness(Table.from_counts(three.counts[[2, 0, 1]]))
    assert abs(right + informed.informedness(three)) > 0.3


# ---------------------------------------------------------------------- names of systems


def by_every_verb(a: Any, b: Any) -> dict[str, Result]:
    """Two systems of these names by every verb that compares them."""
    rng = np.random.default_rng(4)
    n = 120
    real = rng.integers(0, 2, n)
    good, bad = (np.where(rng.random(n) < wrong, 1 - real, real) for wrong in (0.1, 0.35))
    gold = np.where(rng.random(n) < 0.5, real, -1)
    people = [None if x < 0 else int(x) for x in gold]
    rows = rng.integers(0, 2, (n, 3))
    tags = informed.Tags.from_labels(real=rows, predicted={a: rows, b: np.where(rng.random((n, 3)) < 0.3, 1, rows)})
    marks = [informed.Marks.from_columns(item=range(n), mark=(x == real).astype(float)) for x in (good, bad)]
    one, other = (informed.verified(predicted=x, gold=people, positive=1) for x in (good, bad))
    right = {a: [None if x < 0 else int(x == y) for x, y in zip(gold, good, strict=True)]}
    right[b] = [None if x < 0 else int(x == y) for x, y in zip(gold, bad, strict=True)]
    verdict = {a: (good == real).astype(int), b: (bad == real).astype(int)}
    return {
        "paired": informed.compare.paired(real=real, a=good, b=bad, names=(a, b)),
        "tags": informed.compare.paired(tags),
        "marks": informed.compare(*marks, names=(a, b)),
        "judged": informed.compare.judged(verdict=verdict, gold=right, positive=1),
        "verified": one.minus(other, names=(a, b)),
    }


def test_names_of_systems_stand_without_quotes_in_every_comparison() -> None:
    for kind, found in by_every_verb("new model", "old").items():
        page = informed.report(found)
        assert "new model" in page.answer, kind
        assert "old" in page.answer, kind
        assert not re.search("['\"](new model|old)['\"]", page.text(full=True)), kind


def test_a_name_that_is_a_number_stands_in_quotes() -> None:
    for kind, found in by_every_verb(3, "4.5").items():
        answer = informed.report(found).answer
        assert "'3'" in answer, kind
        assert "'4.5'" in answer, kind


# ---------------------------------------------------------------------- numbers

PLAIN = re.compile(r"(?<![\w.,:/#-])[1-9]\d{3,}(?![\w.,:-])")


@pytest.mark.parametrize(
    "words",
    [
        ["watch", "{}", "--real", "y", "--predicted", "p"],
        ["report", "{}", "--real", "y", "--predicted", "p"],
        ["report", "{}", "--real", "y", "--predicted", "p", "--by", "g"],
        ["compare", "{}", "--real", "y", "--predicted", "p", "--predicted", "q"],
        ["roc", "{}", "--real", "y", "--score", "s", "--positive", "yes"],
        ["judge", "{}", "--verdict", "p", "--gold", "h", "--positive", "yes"],
        ["verify", "{}", "--predicted", "p", "--judge", "q", "--gold", "h", "--positive", "yes"],
    ],
)
def test_thousands_are_written_one_way(words: list[str], tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    rows = ["y,p,q,s,h,g"]
    for i in range(6000):
        real, s = rng.random() < 0.3, round(rng.random(), 2)
        y, p, q = ("yes" if (rng.random() < 0.8) == real else "no" for _ in range(3))
        rows.append(f"{y},{p},{q},{s},{y if i % 4 == 0 else ''},{'ab'[i % 2]}")
    path = tmp_path / "cases.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")

    said = run(*(x.format(path) for x in words), "--full").stdout
    said = re.sub(r"(?s)\nMethods, to cite\n.*?(?=\n[^\n]+\n---|\Z)", "", said)  # with years and pages
    told = "\n".join(x for x in said.splitlines() if "This page again" not in x and "2 classes, 20 to" not in x)
    assert re.search(r"\d,\d{3}\b", told)
    assert not PLAIN.findall(told)


# ---------------------------------------------------------------------- names of code

FILMS = ["examples/films.csv", "--real", "tags", "--predicted", "new", "--separator", ";"]
FORUM = ["examples/comments.csv", "--predicted", "filter", "--judge", "judge", "--gold", "human", "--positive", "toxic"]
TWO = [
    "examples/comments.csv",
    "--predicted",
    "filter",
    "--predicted",
    "judge",
    "--gold",
    "human",
    "--positive",
    "toxic",
]
RUN = ["examples/run.jsonl", "--real", "diagnosis", "--predicted", "logistic"]


@pytest.mark.parametrize(
    "words",
    [
        ["report", *FILMS],
        ["report", *FILMS, "--fail-over", "hamming_loss=0.5", "--decide", "subset_accuracy=0.5"],
        ["compare", *FILMS, "--predicted", "old", "--measure", "hamming_loss", "--margin", "0.1"],
        ["compare", *FILMS, "--predicted", "old", "--measure", "subset_accuracy", "--margin", "0.1"],
        ["compare", *FILMS, "--predicted", "old", "--measure", "f1_micro", "--fail-worse", "0.1"],
        ["compare", *FILMS, "--predicted", "old", "--decide", "hamming_loss=0"],
        ["roc", *CANCER, "--score", "score", "--positive", "malignant"],
        ["verify", *FORUM],
        ["verify", *TWO, "--measure", "inverse_recall"],
        ["sample-size", "0.9", "--measure", "inverse_recall", "--goal", "0.8"],
        ["watch", *RUN, "--measure", "balanced_accuracy"],
        ["watch", *RUN, "--predicted", "tree", "--measure", "balanced_accuracy"],
    ],
)
def test_no_name_of_code_stands_on_a_page(words: list[str]) -> None:
    done = run(*words, "--full")
    assert done.returncode in (0, 1, 3), done.stderr
    said = "\n".join(x for x in (done.stdout + done.stderr).splitlines() if "This page again" not in x)
    assert not re.findall(r"\b[a-z]+[a-z0-9]*_[a-z_]+\b", said)
    assert "matthews " not in said


def test_a_plan_speaks_of_what_it_counts() -> None:
    shown = grids(informed.report(informed.sample_size(0.9, measure="recall", goal=0.8)), "plan")[0]
    assert [row[0] for row in shown.rows][:2] == ["real positives", "power"]
    assert not {"n", "counted", "goal", "width"} & {row[0] for row in shown.rows}


def test_watched_systems_have_money_as_one_system_has() -> None:
    said = run("watch", *RUN, "--predicted", "guess", "--full").stdout
    alone = run("watch", *RUN, "--full").stdout
    assert "1e133" in said
    assert "1e133" in alone


def test_groups_of_tags_that_were_asked_for_come_first() -> None:
    said = run("report", *FILMS, "--by", "decade").stdout
    assert said.index("1990s") < said.index("By every average")


def test_a_difference_names_its_systems_once() -> None:
    of = [x for s in ("atlas", "birch", "cedar") for x in ("--verdict", f"{s}_judge", "--gold", f"{s}_human")]
    done = run("verify", "examples/graded-systems.csv", *of, "--positive", "good", "--decide", "rate=0")
    assert done.stderr.startswith("gate undecided: True rate of atlas − birch is")


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (["watch", *RUN], "A watched run (run.jsonl)"),
        (["watch", *RUN, "--predicted", "guess"], "Systems, watched (run.jsonl)"),
        (["verify", *FORUM], "A partly verified table (comments.csv)"),
        (
            ["judge", "examples/graded-answers.csv", "--verdict", "judge", "--gold", "human", "--positive", "good"],
            "The rate of a partly labelled batch (graded-answers.csv)",
        ),
    ],
)
def test_titles_of_watches_and_judges_name_the_file(words: list[str], title: str) -> None:
    assert f"<title>{title}</title>" in run(*words, "--format", "html").stdout


def test_averages_of_tags_are_terms_each_on_a_line_of_its_own() -> None:
    said = run("report", *FILMS, "--full").stdout
    assert "\nwithin: each label weighs as much as it varies" in said
    assert "\nInformedness (examples) is undefined: " in said
