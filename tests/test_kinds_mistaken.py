"""Grades, tags and labels that are taken for one another: what is said before a number is wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import informed
from informed import InformedError, Table


def test_predictions_between_two_grades_are_named() -> None:
    t = Table.from_labels(real=["1", "2", "3", "1", "2", "3"], predicted=["1", "2.5", "3", "2.5", "2", "3"])
    page = informed.report(t).text()
    assert "a grade of its own: round such predictions first" in " ".join(page.split())
    notes = informed.interval(t, "informedness_ordinal").notes
    assert [x.severity for x in notes if x.code == "between-grades"] == ["warning"]
    halves = Table.from_labels(real=["1", "1.5", "2", "2.5"], predicted=["1", "2", "2.5", "1.5"])
    assert not [x for x in informed.interval(halves, "informedness_ordinal").notes if x.code == "between-grades"]


def test_a_column_of_tags_has_one_pair_of_words(tmp_path: Path) -> None:
    path = tmp_path / "y.csv"
    path.write_text("y_a,y_b,p_a,p_b\n1,0,1,0\n0,1,yes,1\n1,1,0,0\n", encoding="utf-8")
    with pytest.raises(InformedError, match="The column 'p_a' holds '0', '1', 'yes': give 0 and 1, or true and false"):
        informed.read(path, real="y_*", predicted="p_*")
    path.write_text("y_a,y_b,p_a,p_b\n1,0,no,0.0\n0,1,yes,1\n1,1,no,0\n", encoding="utf-8")
    assert len(informed.read(path, real="y_*", predicted="p_*").labels) == 2


def test_several_labels_in_one_ask_for_a_separator_before_they_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "tags.csv"
    path.write_text("real,said\nred;blue,red\n,green\ngreen;blue,green;blue\nred,red;blue\n", encoding="utf-8")
    with pytest.raises(InformedError) as error:
        informed.read(path, real="real", predicted="said")
    said = str(error.value)
    assert "labels such as 'red;blue' look like several in one: give `separator=';'`" in said
    assert said.index("separator") < said.index("missing=")


def test_rows_of_zero_and_one_are_told_how_systems_are_named() -> None:
    rows = np.eye(3, dtype=int)
    with pytest.raises(InformedError, match="predicted=\\{'a': …, 'b': …\\}"):
        informed.compare.paired(real=rows, a=rows, b=rows)
