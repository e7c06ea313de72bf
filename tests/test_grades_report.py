"""Reports, comparisons, gates and scorers of ordered labels: all take the measures, and none makes up an order."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import informed
from command_line import ok, refused, run
from informed import InformedError, Table
from informed.documents.pages.report_grades import cuts_chart, distance_chart
from informed.summary.report import Report

FILE = str(Path(__file__).parents[1] / "examples" / "triage.csv")
GRADES = ["none", "low", "high", "acute"]
TRIAGE = ("report", FILE, "--real", "urgency", "--predicted", "new")
LABELS = ("--labels", ",".join(GRADES))
B1 = Table.from_counts([[9, 2, 0], [3, 2, 2], [2, 0, 2]], labels=["low", "medium", "high"])


def triage(**more: Any) -> Table:
    t: Table = informed.read(FILE, real="urgency", predicted="new", labels=GRADES, **more)
    return t


# ---------------------------------------------------------------- what the report says


def test_the_sentence_of_a_known_table() -> None:
    held = informed.report(B1).grades
    assert held is not None
    assert held.sentence == (
        "Counted by cuts between grades, 0.391 [0.047, 0.682] of the distance is known; predictions lie 0.50 grades "
        "off on average, shuffled ones 0.80."
    )


def test_cuts_add_up_to_the_informedness_of_grades() -> None:
    for t in (B1, triage()):
        held = informed.report(t).grades
        assert held is not None
        assert sum(c.weight for c in held.cuts) == pytest.approx(1)
        assert sum(c.weight * c.value for c in held.cuts) == pytest.approx(informed.informedness_ordinal(t))
        for i, c in enumerate(held.cuts):
            two = t.collapse({"below": t.labels[: i + 1], "above": t.labels[i + 1 :]})
            assert c.value == pytest.approx(informed.informedness(two))
            assert c.low < c.value < c.high


def test_distances_are_counted_both_ways_and_their_means_give_the_measure() -> None:
    t = triage()
    held = informed.report(t).grades
    assert held is not None
    apart = np.subtract.outer(range(4), range(4))
    for d in held.distances:
        assert d.cases == t.counts[apart == d.away].sum()
        assert d.shuffled == pytest.approx(t.expected[apart == d.away].sum())
    shares = t.prevalence
    two_real = (np.outer(shares, shares) * np.abs(apart)).sum()
    assert (held.shuffled - held.off) / two_real == pytest.approx(informed.informedness_ordinal(t))


def test_the_headline_stays_and_the_measures_are_held() -> None:
    known, unknown = (informed.report(x) for x in (triage(), informed.read(FILE, real="urgency", predicted="new")))
    assert known.answer[0] == unknown.answer[0]
    assert known["informedness_ordinal"].value == informed.informedness_ordinal(triage())
    assert unknown.grades is None
    with pytest.raises(InformedError, match="does not hold"):
        unknown["informedness_ordinal"]
    rows = [row[2] for row in known.records().rows]
    assert rows.count("informedness_ordinal") == rows.count("somers_d") == 1


def test_the_page_has_the_section_its_pictures_and_the_advice() -> None:
    r = informed.report(triage())
    page = r.html()
    for said in ("Near and far misses", "Informedness of grades", "0 (right)", "The labels are ordinal"):
        assert said in page
    assert r.grades is not None
    for chart in (cuts_chart(r.grades), distance_chart(r.grades, float(triage().total))):
        assert chart is not None
        assert chart.words in page.replace("&#x27;", "'")
    unknown = informed.report(informed.read(FILE, real="urgency", predicted="new")).html()
    assert "Near and far misses" not in unknown
    assert "If the labels are ordinal" in unknown


def test_two_classes_clusters_choices_and_names_that_are_numbers_have_no_grades() -> None:
    rng = np.random.default_rng(2)
    ids = rng.integers(0, 30, (2, 400))
    many = Table.from_labels(real=ids[0], predicted=ids[1])
    assert many.order == "numbers"
    assert informed.report(many).grades is None
    assert informed.report(many.with_order(many.labels)).grades is not None
    assert informed.report(Table.from_counts([[4, 1], [2, 3]], labels=["lo", "hi"])).grades is None
    assert informed.report(B1, context={"multiple_choice": True}).grades is None
    one = Table.from_counts([[4, 0, 0], [2, 0, 0], [0, 0, 0]], labels=["a", "b", "c"])
    assert informed.report(one).grades is None


def test_numbers_are_taken_for_grades_and_it_is_said() -> None:
    numbers = Table.from_labels(real=[1, 2, 4, 1, 2, 4], predicted=[1, 2, 2, 1, 4, 4])
    held = informed.report(numbers).grades
    assert held is not None
    assert [x.code for x in held.notes] == ["order-of-numbers", "grade-left-out"]
    text = Table.from_labels(real=list("124124"), predicted=list("122144"))
    held = informed.report(text).grades
    assert held is not None
    assert [x.code for x in held.notes] == ["order-of-numerals", "grade-left-out"]
    assert "numerals read as text" in informed.report(text).text(full=True)


def test_groups_have_their_own_and_units_are_heeded() -> None:
    r = informed.report(triage(by="site"))
    assert [g.grades is not None for g in r.groups] == [True, True]
    one = informed.report(informed.read(FILE, real="urgency", predicted="new", labels=GRADES, where="site == 'north'"))
    (north,) = (g for g in r.groups if g.name == "north")
    assert north["informedness_ordinal"].low == pytest.approx(one["informedness_ordinal"].low)
    assert north.grades is not None
    assert one.grades is not None
    assert [c.low for c in north.grades.cuts] == pytest.approx([c.low for c in one.grades.cuts])
    in_shifts = informed.report(triage(unit="shift"))
    assert in_shifts["informedness_ordinal"].worth < 240
    assert in_shifts["informedness_ordinal"].low != informed.report(triage())["informedness_ordinal"].low


def test_json_keeps_it_and_fits_the_schema() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((Path(informed.__file__).parent / "documents/assets/schema.json").read_text("utf-8"))
    for t in (B1, triage(by="site"), Table.from_counts([[4, 2, 0], [1, 3, 0], [0, 5, 0]])):
        r = informed.report(t)
        held = json.loads(r.json())
        jsonschema.validate(held, schema)
        back = Report.from_json(r.json())
        assert back.table.order == r.table.order
        assert back.grades is not None
        assert r.grades is not None
        assert back.grades.cuts[0] == r.grades.cuts[0]
        assert back.grades.sentence == r.grades.sentence == held["grades"]["sentence"]
        assert back.text() == r.text()


# ---------------------------------------------------------------- the command line


def test_the_screen_tells_it_where_an_order_was_given() -> None:
    said = ok(*TRIAGE, *LABELS)
    assert "Counted by cuts between grades, 0.783 [0.717, 0.836] of the distance is known" in said
    assert "Counted by cuts" not in ok(*TRIAGE)
    assert "Near and far misses" in ok(*TRIAGE, *LABELS, "--full")


def test_measures_and_gates_by_name() -> None:
    assert "Somers' D" in ok(*TRIAGE, *LABELS, "--measures", "somers_d")
    assert "Informedness of grades, spacing (1, 1, 4)" in ok(
        *TRIAGE, *LABELS, "--measures", "informedness_ordinal(spacing=[1, 1, 4])"
    )
    assert run(*TRIAGE, *LABELS, "--fail-under", "informedness_ordinal.low=0.2").returncode == 0
    failed = run(*TRIAGE, *LABELS, "--fail-under", "informedness_ordinal.low=0.9")
    assert failed.returncode == 1
    assert "The lower limit of informedness of grades is 0.717 and misses 0.9" in failed.stdout + failed.stderr


@pytest.mark.parametrize(
    "more", [("--measures", "somers_d"), ("--fail-under", "informedness_ordinal=0.2"), ("--against", "somers_d=0.1")]
)
def test_an_unknown_order_is_refused_in_one_sentence(more: tuple[str, ...]) -> None:
    said = refused(*TRIAGE, *more)
    assert "needs the order of the labels, and only the alphabet orders 'acute', 'high', 'low', 'none'" in said


def test_systems_are_compared_and_ranked_by_it() -> None:
    both = ("compare", FILE, "--real", "urgency", "--predicted", "new", "--predicted", "old")
    said = ok(*both, *LABELS, "--measure", "informedness_ordinal")
    assert "informedness_ordinal" in said or "Informedness of grades" in said
    assert "needs the order" in refused(*both, "--measure", "informedness_ordinal")
    p = informed.read(FILE, real="urgency", predicted=["new", "old"], labels=GRADES)
    found = informed.compare.paired(p)["informedness_ordinal"]
    values = [float(informed.informedness_ordinal(t)) for t in p.tables]
    assert found.estimate == pytest.approx(values[0] - values[1])
    board = informed.leaderboard(p, measure="somers_d")
    assert board.estimate.tolist() == pytest.approx([float(informed.somers_d(t)) for t in p.tables])
    sliced = informed.slices(triage(by="site"), measure="informedness_ordinal")
    assert sliced is not None


# ---------------------------------------------------------------- raters, scikit-learn, types that declare an order


def test_raters_are_refused_an_order_of_the_alphabet() -> None:
    a, b = ["low", "high", "medium", "high"], ["low", "medium", "medium", "high"]
    with pytest.raises(InformedError, match="needs the order of the labels"):
        informed.agreement({"a": a, "b": b}, disagreement="ordinal")
    labels = ["low", "medium", "high"]
    assert informed.agreement({"a": a, "b": b}, disagreement="ordinal", labels=labels)["krippendorff"].estimate > 0


def test_scikit_learn_functions_and_scorers_take_the_order_of_labels() -> None:
    import informed.sklearn as scored

    real, said = ["low", "high", "medium", "high", "low"], ["low", "medium", "medium", "high", "medium"]
    with pytest.raises(InformedError, match=r"needs the order of the labels.*`labels=`"):
        scored.informedness_ordinal_score(real, said)
    order = ["low", "medium", "high"]
    t = Table.from_labels(real=real, predicted=said, labels=order)
    assert scored.informedness_ordinal_score(real, said, labels=order) == informed.informedness_ordinal(t)
    numbers = [[order.index(x) for x in side] for side in (real, said)]
    assert scored.somers_d_score(*numbers) == informed.somers_d(t)


def test_scorers_refuse_text_without_labels_and_take_them_by_name() -> None:
    from sklearn.dummy import DummyClassifier  # type: ignore[import-untyped,unused-ignore]  # it has no types

    from informed.sklearn import scorer

    order = ["low", "medium", "high"]
    real = np.array(order * 8)
    model = DummyClassifier(strategy="stratified", random_state=1).fit(real[:, None], real)
    said = model.predict(real[:, None])
    with pytest.raises(InformedError, match="needs the order of the labels"):
        scorer("informedness_ordinal")(model, real[:, None], real)
    t = Table.from_labels(real=real, predicted=said, labels=order)
    assert scorer("informedness_ordinal", labels=order)(model, real[:, None], real) == informed.informedness_ordinal(t)


def test_an_enum_of_duckdb_declares_its_order(tmp_path: Path) -> None:
    import duckdb

    path = tmp_path / "grades.duckdb"
    with duckdb.connect(path) as con:
        con.execute("CREATE TYPE grade AS ENUM ('low', 'medium', 'high', 'top')")
        con.execute("CREATE TABLE cases (r grade, p grade, u INTEGER)")
        con.execute("INSERT INTO cases VALUES ('low', 'low', 1), ('high', 'medium', 1), ('medium', 'high', 2)")
        of_relation = informed.read(con.table("cases"), real="r", predicted="p")
    of_file = informed.read(path, table="cases", real="r", predicted="p")
    in_units = informed.read(path, table="cases", real="r", predicted="p", unit="u")
    for t in (of_relation, of_file, in_units):
        assert (t.labels, t.order) == (("low", "medium", "high", "top"), "declared")


@pytest.mark.parametrize("writer", ["parquet", "feather", "polars.parquet", "polars.arrow", "stream.arrow"])
def test_files_keep_the_order_that_a_type_declares(writer: str, tmp_path: Path) -> None:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    order = ["none", "low", "medium", "high"]
    held = {"real": ["medium", "low", "high", "low"], "said": ["medium", "high", "high", "low"]}
    path = tmp_path / f"grades.{writer}"
    frame = pd.DataFrame({k: pd.Categorical(x, order, ordered=True) for k, x in held.items()})
    enums = pl.DataFrame({k: pl.Series(x, dtype=pl.Enum(order)) for k, x in held.items()})
    if writer == "stream.arrow":
        table = pa.Table.from_pandas(frame)
        with pa.ipc.new_stream(path, table.schema) as stream:
            stream.write_table(table)
    else:
        write = {
            "parquet": frame.to_parquet,
            "feather": frame.to_feather,
            "polars.parquet": enums.write_parquet,
            "polars.arrow": enums.write_ipc,
        }
        write[writer](path)
    t = informed.read(path, real="real", predicted="said")
    assert (t.labels, t.order) == (tuple(order), "declared")
    assert t.counts.sum() == 4
    found = run("report", str(path), "--real", "real", "--predicted", "said", "--measures", "informedness_ordinal")
    assert found.returncode == 0, found.stderr
    other = shutil.copy(path, tmp_path / f"other.{writer}")
    two = informed.read({"a": path, "b": other}, real="real", predicted="said")
    assert (two.labels, two.order) == (tuple(order), "declared")


def test_an_order_that_a_file_lost_is_not_made_up(tmp_path: Path) -> None:
    """Plain text is numbered as it is read, and other writers number a dictionary as its values come."""
    import pandas as pd
    import polars as pl

    values = ["medium", "low", "high"]
    frame = pd.DataFrame({k: pd.Categorical(values, ["low", "medium", "high"], ordered=True) for k in "rp"})
    plain, loose, other = (tmp_path / f"{name}.parquet" for name in ("plain", "loose", "other"))
    frame.to_parquet(plain, use_dictionary=False)
    frame.apply(lambda x: x.cat.as_unordered()).to_parquet(loose)
    pl.DataFrame({k: pl.Series(values, dtype=pl.Categorical) for k in "rp"}).write_parquet(other)
    for path in (plain, loose, other):
        assert informed.read(path, real="r", predicted="p").order is None


def test_systems_of_one_file_are_cut_into_slices_by_the_call_that_the_error_names() -> None:
    asked: dict[str, Any] = {"real": "urgency", "predicted": ["new", "old"], "labels": ["none", "low", "high", "acute"]}
    with pytest.raises(InformedError, match=r"`by` has no place\. For slices keep") as refusal:
        informed.read(FILE, **asked, by="site")
    assert "`informed.slices(informed.read(…, keep=['site']), by='site')`" in str(refusal.value)
    held = informed.read(FILE, **asked, keep=["site"])
    found = informed.slices(held, by="site", measure="informedness_ordinal")
    parts = [informed.read(FILE, **{**asked, "predicted": "new"}, where=f"site = '{x}'") for x in found.slices]
    assert found.estimate[0].tolist() == pytest.approx([informed.informedness_ordinal(t) for t in parts])


def test_pages_and_gates_call_a_measure_by_its_title() -> None:
    words = ("compare", FILE, "--real", "urgency", "--predicted", "new", "--predicted", "old", *LABELS)
    asked = (
        "--measure",
        "informedness_ordinal",
        "--by",
        "site",
        "--fail-worse",
        "0.1",
        "--fail-under",
        "cohen_kappa=.9",
    )
    found = run(*words, *asked, "--full")
    assert "No difference of informedness of grades between the 2 slices of site is shown" in found.stdout
    assert "informedness of grades in each slice" in found.stdout
    assert "informedness_ordinal" not in found.stdout.replace("--measure informedness_ordinal", "")
    assert "new: Cohen's kappa is 0.698 and misses 0.9" in found.stderr
    failed = run(*TRIAGE, *LABELS, "--fail-under", "f1(average='macro')=0.99", "--output", os.devnull)
    assert "F1, macro average is" in failed.stderr


def test_predictions_between_two_grades(tmp_path: Path) -> None:
    """Some of them are counted with a warning, most of them are a score; "3.0" is a matter of writing."""
    gold = ["1", "2", "3", "4"] * 6
    half = [x if i % 3 else f"{x}.5" for i, x in enumerate(gold)]
    means = [f"{float(x) * 0.9 + 0.37:.2f}" for x in gold]
    written = [f"{float(x)}" for x in half]
    path = tmp_path / "grades.csv"
    rows = zip(gold, half, written, means, strict=True)
    path.write_text("gold,half,written,mean\n" + "\n".join(map(",".join, rows)) + "\n", encoding="utf-8")
    words = ("report", str(path), "--real", "gold", "--measures", "informedness_ordinal", "--predicted")

    assert "round such predictions first" in ok(*words, "half")
    assert "give --normalize number to take them as the same" in refused(*words, "written")
    assert "as a score looks" in refused(*words, "mean")
    assert "where they lie between grades, round them first" in refused(*words, "mean")

    t = informed.read(path, real="gold", predicted="written", normalize="number")
    assert (t.labels, t.order) == ((1, "1.5", 2, "2.5", 3, "3.5", 4, "4.5"), "numerals")
    plain = informed.read(path, real="gold", predicted="half")
    assert informed.informedness_ordinal(t) == informed.informedness_ordinal(plain)
    assert "round such predictions first" in ok(*words, "written", "--normalize", "number")


def test_a_crosstab_has_the_order_of_the_alphabet_which_is_none() -> None:
    import pandas as pd

    real, said = ["low", "medium", "high", "high"], ["low", "high", "medium", "high"]
    crossed = pd.crosstab(pd.Series(said, name="predicted"), pd.Series(real, name="real"))
    assert Table.from_counts(crossed).order is None
    grades = pd.CategoricalDtype(["low", "medium", "high"], ordered=True)
    sides = [pd.Series(x, name=name, dtype=grades) for x, name in ((said, "predicted"), (real, "real"))]
    t = Table.from_counts(pd.crosstab(*sides))
    assert (t.labels, t.order) == (("low", "medium", "high"), "declared")
