"""The report of tags, their sources and the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import informed
from command_line import run
from informed import Tags, read, report
from informed.errors import InformedError
from informed.measures.tag_scores import score

FILMS = """film,tags,answer,other,studio,y_war,y_love,p_war,p_love
1,war;love,war; love,love,a,1,1,1,1
2,love,love,love,a,0,1,0,1
3,,war,war,b,0,0,1,0
4,war,war,love,b,1,0,1,0
5,love,,love,c,0,1,0,0
6,war,war,war,c,1,0,1,0
7,,,love,d,0,0,0,0
8,love;war,love;war,war,d,1,1,1,1
"""


@pytest.fixture
def films(tmp_path: Path) -> str:
    path = tmp_path / "films.csv"
    path.write_text(FILMS, encoding="utf-8")
    return str(path)


def test_the_sentence() -> None:
    """The sentence of the method page, of its golden A2."""
    from test_tags import golden

    made = report(golden("A2"))
    said = made.sentence()
    assert said.startswith("The tags are informed: 0.503 [")
    assert "of what perfect tagging would win at fair odds; guessing wins 0 (12 items, 4 labels)." in said
    assert said.endswith("Micro would say 0.550, and 0.042 with the predictions shuffled over the items.")
    assert "1 of 3 labels never occurs and has no weight." in report(golden("A3")).sentence()
    for form in ("text", "html", "markdown", "latex", "csv", "json", "github"):
        assert made.write(form)
    assert json.loads(made.json())["items"] == 12


def test_many_labels_are_folded() -> None:
    rng = np.random.default_rng(0)
    y = rng.random((60, 40)) < 0.2
    made = report(Tags.from_labels(real=y, predicted=y ^ (rng.random(y.shape) < 0.1)))
    assert len(made.labels) == 40
    assert np.isfinite(made.labels["low"][:30]).all()
    assert np.isnan(made.labels["low"][30:]).all()
    assert "10 rarer labels follow" in made.markdown()


def test_sources_give_the_same_tags(films: str) -> None:
    t = read(films, real="tags", predicted="answer", separator=";")
    wide = read(films, real="y_*", predicted="p_*", separator=None)
    assert t.labels == ("love", "war")
    assert wide.labels == t.labels
    np.testing.assert_array_equal(t.table.counts, wide.table.counts)
    both = read(films, real="tags", predicted=["answer", "other"], separator=";", unit="studio", by="studio")
    assert both.names == ("answer", "other")
    assert both.unit_name == "studio"
    assert set(both.kept["studio"]) == set("abcd")


def test_long_files(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("id,real,said\n1,a,a\n1,b,\n2,,b\n3,,\n4,b,b\n", encoding="utf-8")
    t = read(str(path), real="real", predicted="said", item="id", separator=None)
    assert len(t) == 4
    assert t.counts().tolist() == [[1, 1], [1, 2], [1, 2]]
    found = run("report", str(path), "--real", "real", "--predicted", "said", "--item", "id", "--average", "prevalence")
    assert "(4 items, 2 labels)" in found.stdout


def test_an_item_does_not_undo_the_other_forms(films: str, tmp_path: Path) -> None:
    """With a separator, patterns or lists a row is an item, and `item` names it."""
    split: dict[str, Any] = {"real": "tags", "predicted": "answer", "separator": ";"}
    for asked in (split, {"real": "y_*", "predicted": "p_*", "separator": None}):
        assert read(films, **asked, item="film") == read(films, **asked)
        with pytest.raises(InformedError, match=r"The item 'a' has several rows \('studio'\)"):
            read(films, **asked, item="studio")
    words = ("report", films, "--real", "tags", "--predicted", "answer", "--separator", ";")
    told = run(*words, "--item", "film")
    assert "(8 items, 2 labels)" in told.stdout
    assert told.stdout.replace(" --item film", "") == run(*words).stdout
    assert "leave --item out if rows are items" in run(*words, "--item", "studio").stderr
    lists = tmp_path / "lists.jsonl"
    lists.write_text('{"i": 1, "y": ["a", "b"], "p": []}\n{"i": 2, "y": [], "p": ["b"]}\n', encoding="utf-8")
    held = read(lists, real="y", predicted="p", item="i", separator=None)
    assert held == read(lists, real="y", predicted="p", separator=None)


def test_systems_of_patterns_are_called_without_the_star(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    rows = ["1,0,1,0,1,0,1,0", "0,1,0,1,0,0,0,1", "1,1,1,0,0,1,1,1", "0,0,0,0,1,0,0,0"]
    path.write_text("y_a,y_b,new_a,new_b,old_a,old_b,old.a,old.b\n" + "\n".join(rows) + "\n", encoding="utf-8")
    asked: dict[str, Any] = {"real": "y_*", "separator": None}
    assert read(path, **asked, predicted=["new_*", "old_*"]).names == ("new", "old")
    assert read(path, **asked, predicted=["old_*", "old.*"]).names == ("old_*", "old.*")
    told = run(
        "compare", str(path), "--real", "y_*", "--predicted", "new_*", "--predicted", "old_*", "--baseline", "old"
    )
    assert told.stdout.startswith("new and old cannot be told apart")
    assert "_*" not in told.stdout


def test_lists_in_json_and_empty_cells_of_a_sheet(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "lists.jsonl"
    path.write_text('{"y": ["a", "b"], "p": ["a"]}\n{"y": [], "p": ["b"]}\n{"y": ["b"], "p": []}\n', encoding="utf-8")
    t = read(path, real="y", predicted="p", separator=None)
    assert t.counts().tolist() == [[1, 0], [1, 2], [1, 1]]
    assert run("report", str(path), "--real", "y", "--predicted", "p", "--average", "within").returncode == 0
    assert "--average" in run("report", str(path), "--real", "y", "--predicted", "p").stderr
    sheet = tmp_path / "tags.xlsx"
    pandas.DataFrame({"y": ["a;b", "", "b"], "p": ["a", "b", ""]}).to_excel(sheet, index=False)
    assert read(sheet, real="y", predicted="p", separator=";").table == t.table


def test_scores_of_a_file_with_a_threshold(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("y_a,y_b,p_a,p_b\n1,0,0.9,0.4\n0,1,0.3,0.6\n0,0,0.1,0.2\n", encoding="utf-8")
    t = read(path, real="y_*", predicted="p_*", separator=None, threshold=0.5)
    assert t.counts().tolist() == [[1, 1], [1, 1], [1, 1]]
    words = ("report", str(path), "--real", "y_*", "--predicted", "p_*")
    assert "give --threshold" in run(*words).stderr
    assert "1.000" in run(*words, "--threshold", "0.5").stdout
    with pytest.raises(InformedError, match="is of scores"):
        read(path, real="y_a", predicted="p_a", separator=";", threshold=0.5)


def test_lists_of_a_frame_are_not_empty_where_they_are_missing() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"y": ["a;b", None, "b"], "p": ["a", "b", "b"]})
    with pytest.raises(InformedError, match="missing"):
        read(frame, real="y", predicted="p", separator=";")
    assert len(read(frame, real="y", predicted="p", separator=";", missing="drop")) == 2


def test_command_line(films: str, tmp_path: Path) -> None:
    base = ("report", films, "--real", "tags", "--predicted", "answer", "--separator", ";")
    found = run(*base)
    assert found.returncode == 0, found.stdout
    t = read(films, real="tags", predicted="answer", separator=";")
    assert f"{score(t):.3f}" in found.stdout
    assert run(*base, "--fail-under", "informedness.low=0.99").returncode == 1
    assert run(*base, "--fail-under", "subset_accuracy=0.1").returncode == 0
    assert run(*base, "--fail-under", "informedness.greater=0.99").returncode == 1
    assert run(*base, "--decide", "informedness=0.7").returncode == 3
    assert run(*base, "--decide", "informedness=-0.9").returncode == 0
    assert run("report", films, "--real", "y_*", "--predicted", "p_*", "--average", "within").returncode == 0
    page = tmp_path / "page.html"
    assert run(*base, "--by", "studio", "--unit", "studio", "-o", str(page)).returncode == 0
    assert "Informedness of each label" in page.read_text("utf-8")

    both = ("compare", films, "--real", "tags", "--predicted", "answer", "--predicted", "other", "--separator", ";")
    assert "answer" in run(*both).stdout
    assert run(*both, "--margin", "0.5").returncode == 0
    more = run(*both, "--predicted", "tags")
    assert more.returncode == 0, more.stdout
    assert run(*both, "--baseline", "answer").stdout.startswith("other")


def test_gates_of_a_comparison() -> None:
    films = ["examples/films.csv", "--real", "tags", "--separator", ";"]
    two = ["compare", *films, "--predicted", "new", "--predicted", "old"]
    for words, code in (
        (("--fail-worse", "0.02"), 0),
        (("--fail-worse", "0.02", "--baseline", "new"), 1),
        (("--fail-unless", "0.02"), 0),
        (("--fail-unless", "0.02", "--measure", "hamming_loss"), 0),
        (("--fail-worse", "0.02", "--measure", "hamming_loss", "--baseline", "new"), 1),
        (("--decide", "informedness=0.01"), 0),
        (("--decide", "informedness=0.1"), 3),
        (("--decide", "markedness=0.5"), 1),
        (("--fail-under", "informedness.low=0.7"), 1),
        (("--fail-under", "informedness.low=0.6"), 0),
    ):
        found = run(*two, *words)
        assert found.returncode == code, (words, found.stdout, found.stderr)
    more = (*two, "--predicted", "common", "--fail-worse", "0.1")
    assert "needs --baseline" in run(*more).stderr
    assert run(*more, "--baseline", "old").returncode == 0
    assert run(*two, "--predicted", "common", "--margin", "0.1").returncode == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--predicted", "answer"), "Give --real and --predicted"),
        (("--real", "tags", "--predicted", "nothing"), "nothing"),
        (("--real", "y_*", "--predicted", "answer"), "Give a pattern such as 'y_*' for both sides"),
        (("--real", "y_*", "--predicted", "q_*"), "No column is like 'q_*'"),
        (("--real", "tags", "--predicted", "answer", "--positive", "war"), "--positive"),
        (("--real", "tags", "--predicted", "answer", "--fail-under", "kappa=1"), "kappa"),
        (("--real", "tags", "--predicted", "answer", "--all"), "--all is not for items of several labels."),
        (("--real", "tags", "--predicted", "answer", "--by", "film", "--by", "studio"), "cut by one column"),
    ],
)
def test_refused_on_the_command_line(films: str, words: tuple[str, ...], said: str) -> None:
    found = run("report", films, *words, "--separator", ";")
    assert found.returncode not in (0, 1), found.stderr
    assert said in found.stderr
    assert "Traceback" not in found.stderr


def test_refused_by_read(films: str) -> None:
    for options in ({"positive": "war"}, {"score": "p_war"}, {"nonsense": 1}, {"by": ["film", "studio"]}):
        with pytest.raises(InformedError):
            read(films, real="tags", predicted="answer", separator=";", **options)
    with pytest.raises(InformedError, match="looks like probabilities"):
        read_probabilities()


def read_probabilities() -> Tags:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"y_a": [0, 1], "p_a": [0.2, 0.7]})
    return informed.read(frame, real="y_*", predicted="p_*", separator=None)
