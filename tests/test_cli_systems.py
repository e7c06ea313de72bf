"""`informed compare`, `agree` and `judge`: what is printed, exit codes, one-line errors."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import duckdb
import numpy as np
import pyarrow.feather
import pytest

from command_line import ROOT, ok, process, refused, run
from informed import (
    Table,
    agreement,
    compare,
    folds,
    informedness,
    intraclass_correlation,
    judge,
    leaderboard,
    read,
    risk_coverage,
)
from informed.documents.writers import markdown
from informed.errors import InformedError

DATA = "examples/breast-cancer.csv"
REAL = ["--real", "diagnosis"]
TWO = ["compare", DATA, *REAL, "--predicted", "logistic", "--predicted", "tree"]


def rows() -> list[dict[str, str]]:
    with (ROOT / DATA).open(newline="") as file:
        return list(csv.DictReader(file))


def column(name: str) -> list[str]:
    return [row[name] for row in rows()]


def write(path: Path, head: list[str], body: list[list[str]]) -> str:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([head, *body])
    return str(path)


# ---------------------------------------------------------------------- two systems


def test_the_answer_comes_first_and_is_the_library_s() -> None:
    done = process("-m", "informed", *TWO)
    d = compare.paired(real=column("diagnosis"), a=column("logistic"), b=column("tree"))["informedness"]
    assert done.stdout.splitlines()[0] == (
        f"logistic is better than tree: informedness {d.estimate:+.3f} "
        f"[{d.low:.3f}, {d.high:.3f}], p = {d.pvalue:.2g}, on the same 569 rows"
    )
    assert done.stdout == ok(*TWO)


def test_json_and_markdown_say_the_same() -> None:
    held = json.loads(ok(*TWO, "--format", "json"))
    b = held["measures"]["informedness"]
    assert b["estimate"] == pytest.approx(b["a"] - b["b"])
    assert b["low"] < b["estimate"] < b["high"]
    assert (held["n"], held["same_items"], held["systems"]) == (569, True, ["logistic", "tree"])
    said = ok(*TWO, "--format", "markdown").replace("\N{NO-BREAK SPACE}", " ")
    assert f"\n\n**{markdown.text(held['answer'])}**" in said
    assert f"| Informedness | {b['a']:.3f} | {b['b']:.3f} | {b['estimate']:+.3f} |" in said


def test_a_system_and_its_copy_cannot_be_told_apart(tmp_path: Path) -> None:
    body = [[row["diagnosis"], row["tree"], row["tree"]] for row in rows()]
    path = write(tmp_path / "same.csv", ["real", "a", "b"], body)
    held = json.loads(
        ok("compare", path, "--real", "real", "--predicted", "a", "--predicted", "b",
           "--format", "json")
    )  # fmt: skip
    assert "cannot be told apart" in held["answer"]
    assert held["measures"]["informedness"]["pvalue"] == 1
    assert held["measures"]["informedness"]["estimate"] == 0


def test_columns_a_long_file_and_two_files_give_the_same(tmp_path: Path) -> None:
    both = rows()
    long = write(
        tmp_path / "long.csv",
        ["id", "system", "real", "said"],
        [[r["case"], s, r["diagnosis"], r[s]] for r in both for s in ("logistic", "tree")],
    )
    each = [
        write(tmp_path / f"{s}.csv", ["id", "real", "said"], [[r["case"], r["diagnosis"], r[s]] for r in both])
        for s in ("logistic", "tree")
    ]
    wanted = json.loads(ok(*TWO, "--format", "json"))["measures"]
    how = ["--real", "real", "--predicted", "said", "--format", "json"]
    assert json.loads(ok("compare", long, *how, "--by", "system", "--item", "id"))[
        "measures"
    ] == wanted  # fmt: skip
    assert json.loads(ok("compare", *each, *how, "--on", "id"))["measures"] == wanted
    apart = json.loads(ok("compare", *each, *how))
    assert apart["same_items"] is False
    assert "different items (569 and 569)" in apart["answer"]
    ours, theirs = apart["measures"]["informedness"], wanted["informedness"]
    assert ours["estimate"] == pytest.approx(theirs["estimate"])
    assert ours["high"] - ours["low"] > theirs["high"] - theirs["low"], "pairing helps here"


def test_the_baseline_stands_second() -> None:
    held = json.loads(ok(*TWO, "--baseline", "logistic", "--format", "json"))
    assert held["systems"] == ["tree", "logistic"]
    assert "tree is worse than logistic" in held["answer"]


def test_an_error_rate_is_better_when_it_is_lower() -> None:
    assert "logistic is better than tree: error rate -0.0" in ok(*TWO, "--measure", "error_rate")


def test_missing_answers_are_refused_or_abstentions(tmp_path: Path) -> None:
    body = [[r["diagnosis"], r["logistic"], r["tree"]] for r in rows()]
    body[0][1] = ""
    path = write(tmp_path / "gap.csv", ["real", "a", "b"], body)
    how = ["compare", path, "--real", "real", "--predicted", "a", "--predicted", "b"]
    assert "gap.csv: `a` has 1 missing label (row 1 of the data); use --missing drop to leave" in refused(*how)
    said = ok(*how, "--missing", "abstain", "--full")
    assert "on the same 569 rows" in said
    assert "Of the 568 items that both answered" in said
    assert "No answer was given by a of 1 and b of 0 of 569 items" in said
    assert "1 missing answers count as abstentions." in said


@pytest.mark.parametrize("measure", ["informedness", "error_rate"])
def test_gates(measure: str) -> None:
    """logistic is about .106 better than tree (.047 by error rate)."""
    worse = [*TWO, "--baseline", "logistic", "--measure", measure]
    done = run(*worse, "--fail-worse", "0.02")
    assert done.returncode == 1
    assert "gate failed: tree is worse than logistic by more than 0.02" in done.stderr
    assert done.stdout, "the report is written all the same"
    assert run(*worse, "--fail-worse", "0.2").returncode == 0
    assert run(*worse, "--fail-unless", "0.2").returncode == 0
    assert run(*worse, "--fail-unless", "0.02").returncode == 1
    assert run(*TWO, "--measure", measure, "--fail-worse", "0").returncode == 0


def test_a_gate_is_one_sided_at_the_level() -> None:
    c = compare.paired(real=column("diagnosis"), a=column("tree"), b=column("logistic"))
    for margin in (0.02, 0.05, 0.07, 0.1):
        p = c.pvalue("informedness", against=-margin, alternative="less")
        code = run(*TWO, "--baseline", "logistic", "--fail-worse", str(margin)).returncode
        assert code == int(p <= 0.05), (margin, p)


# ---------------------------------------------------------------------- many systems

MANY = [*TWO, "--predicted", "guess", "--predicted", "majority"]


def test_more_systems_make_a_leaderboard() -> None:
    names = ["logistic", "tree", "guess", "majority"]
    board = leaderboard(real=column("diagnosis"), predictions={n: column(n) for n in names})
    held = json.loads(ok(*MANY, "--format", "json"))
    assert held["leaders"] == list(board.leaders) == ["logistic"]
    assert [s["system"] for s in held["systems"]] == [names[i] for i in board.order]
    assert [s["estimate"] for s in held["systems"]] == pytest.approx(board.estimate[board.order])
    assert len(held["pairs"]) == 6
    said = ok(*MANY, "--baseline", "guess", "--full")
    assert said.startswith("logistic is the best: informedness 0.949")
    assert "Cannot be told apart: guess, majority." in said
    assert run(*MANY, "--baseline", "tree", "--fail-worse", "0.02").returncode == 0


def test_a_gate_among_many_needs_a_baseline() -> None:
    assert "--baseline" in refused(*MANY, "--fail-worse", "0.02")
    worse = ["compare", DATA, *REAL]
    for name in ("guess", "tree", "logistic"):
        worse += ["--predicted", name]
    assert run(*worse, "--baseline", "tree", "--fail-worse", "0.02").returncode == 1


# ---------------------------------------------------------------------- other shapes of data


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The truth in one file, predictions in others, some of them missing, odd or twice."""
    folder = tmp_path_factory.mktemp("parts")
    both = rows()
    files = {
        "truth": (
            ["id", "label", "site", "w"],
            [[r["case"], r["diagnosis"], "AB"[i % 2], str(1 + i % 3)] for i, r in enumerate(both)],
        ),
        "long": (
            ["id", "system", "real", "said", "sure", "site"],
            [
                [r["case"], s, r["diagnosis"], r[s], f"{abs(float(r['score']) - 0.5):.3f}", "x"]
                for r in both
                for s in ("logistic", "tree")
            ],
        ),
    }
    for name in ("tree", "logistic"):
        files[name] = (["id", "answer"], [[r["case"], r[name]] for r in both])
        told = [[r["case"], r[name], f"{abs(float(r['score']) - 0.5):.3f}", r["diagnosis"]] for r in both[5:]]
        files[f"sure-{name}"] = (["id", "answer", "sure"], [row[:3] for row in told])
        files[f"own-{name}"] = (["id", "answer", "sure", "label"], told)
    files["shy"] = (["id", "answer"], files["tree"][1][20:])
    files["odd"] = (["id", "answer"], [["x99", "benign"], *files["tree"][1]])
    files["twice"] = (["id", "answer"], [["1", "benign"], *files["tree"][1]])
    return {name: write(folder / f"{name}.csv", *held) for name, held in files.items()}


JOIN = ["--on", "id", "--real", "label", "--predicted", "answer"]


@pytest.mark.parametrize("suffix", ["parquet", "json", "arrow"])
def test_real_labels_may_be_in_a_file_of_another_kind(parts: dict[str, str], suffix: str, tmp_path: Path) -> None:
    names = ("truth", "tree", "logistic")
    others = [tmp_path / f"{name}.{suffix}" for name in names]
    for name, path in zip(names, others, strict=True):
        held = duckdb.read_csv(parts[name], all_varchar=True)
        if suffix == "arrow":
            pyarrow.feather.write_feather(held.to_arrow_table(), path)
        else:
            held.query("held", f"COPY held TO '{path}'")
    found = json.loads(ok("compare", *map(str, others), *JOIN, "--format", "json"))
    wanted = ok("compare", *(parts[name] for name in names), *JOIN, "--format", "json")
    assert found["measures"] == json.loads(wanted)["measures"]


def test_a_file_of_real_labels_beside_files_of_predictions(parts: dict[str, str]) -> None:
    held = json.loads(
        ok("compare", "--full", parts["truth"], parts["tree"], parts["logistic"], *JOIN, "--format", "json")
    )
    assert held["systems"] == ["tree", "logistic"], "in the order of the files"
    wanted = json.loads(ok(*TWO, "--format", "json"))["measures"]["informedness"]
    assert held["measures"]["informedness"]["estimate"] == pytest.approx(-wanted["estimate"])
    assert held["measures"]["informedness"]["pvalue"] == pytest.approx(wanted["pvalue"])
    shy = ok("compare", "--full", parts["truth"], parts["shy"], parts["logistic"], *JOIN)
    assert "549 of 569 items count in both (not run: 20 of shy); the others are left out." in shy
    empty = write(
        Path(parts["truth"]).parent / "empty.csv",
        ["id", "answer"],
        [[r["case"], "" if i < 20 else r["tree"]] for i, r in enumerate(rows())],
    )
    shy = ok("compare", "--full", parts["truth"], empty, parts["logistic"], *JOIN)
    assert "No answer was given by empty of 20 and logistic of 0 of 569 items" in shy
    assert "Abstention of empty" in shy
    assert "'x99'" in refused("compare", parts["truth"], parts["tree"], parts["odd"], *JOIN)
    assert "rows with the 'id' '1'" in refused("compare", parts["truth"], parts["tree"], parts["twice"], *JOIN)
    assert "one system" in refused("compare", parts["truth"], parts["tree"], *JOIN)
    own = write(
        Path(parts["truth"]).parent / "own.csv",
        ["id", "label", "answer"],
        [[r["case"], r["diagnosis"], r["logistic"]] for r in rows()],
    )
    held = json.loads(ok("compare", "--full", own, parts["tree"], *JOIN, "--format", "json"))
    assert held["systems"] == ["own", "tree"], "the file of the real labels has answers too"
    assert held["measures"]["informedness"]["pvalue"] == pytest.approx(wanted["pvalue"])
    assert "no column 'label'" in refused("compare", parts["tree"], parts["logistic"], *JOIN)
    mixed = ["compare", parts["truth"], parts["truth"].replace("truth", "tree")]
    copy = write(Path(parts["truth"]).parent / "again.csv", ["id", "label"], [["1", "benign"]])
    assert "2 files have the column 'label'" in refused(*mixed, copy, *JOIN)


def test_slices_weights_and_clusters_come_from_columns(parts: dict[str, str]) -> None:
    how = ["compare", parts["truth"], parts["tree"], parts["logistic"], *JOIN]
    held = json.loads(ok(*how, "--by", "site", "--weights", "w", "--format", "json"))
    site = np.array([i % 2 for i in range(569)])
    w = np.array([1 + i % 3 for i in range(569)], dtype=float)
    real, tree, logistic = (np.array(column(x)) for x in ("diagnosis", "tree", "logistic"))
    c = compare.paired(real=real, a=tree, b=logistic, weights=w)
    assert held["measures"]["informedness"]["low"] == pytest.approx(c["informedness"].low)
    table = Table.from_labels(real=real[site == 0], predicted=tree[site == 0], weights=w[site == 0])
    assert held["by site"]["systems"][0]["each"][0] == pytest.approx(informedness(table))
    found = json.loads(ok(*how, "--unit", "site", "--format", "json"))
    c = compare.paired(real=real, a=tree, b=logistic, unit=site)
    assert found["measures"]["informedness"]["pvalue"] == pytest.approx(c["informedness"].pvalue)
    assert "2 sites" in " ".join(found["notes"])


def test_folds_are_repeated_measures() -> None:
    held = json.loads(ok(*MANY[:-2], "--fold", "fold", "--format", "json"))["folds"]
    fold = np.array(column("fold"))
    real = np.array(column("diagnosis"))
    b = np.array(
        [
            [
                informedness(Table.from_labels(real=real[fold == f], predicted=np.array(column(s))[fold == f]))
                for s in ("logistic", "tree", "guess")
            ]
            for f in np.unique(fold)
        ]
    )
    found = folds(b, test_share=0.1)
    assert found.pairs is not None
    assert held["method"] == "items"  # each item is in one fold
    assert "friedman" not in held
    pair = next(p for p in held["pairs"] if {p["a"], p["b"]} == {"logistic", "tree"})
    assert pair["corrected_t"] == pytest.approx(found.pairs.adjusted[0, 1])
    apart = json.loads(ok(*MANY[:-2], "--fold", "fold", "--design", "data-sets", "--format", "json"))["folds"]
    tests = folds(b, design="data-sets").ranks
    assert tests is not None
    assert apart["friedman"]["pvalue"] == pytest.approx(tests.friedman.pvalue)
    two = ok(*TWO, "--fold", "fold", "--test-share", "0.2", "--full")
    assert "Over 10 folds" in two


def test_scores_give_risk_and_coverage(parts: dict[str, str]) -> None:
    how = ["compare", parts["long"], "--real", "real", "--predicted", "said", "--by", "system"]
    held = json.loads(ok(*how, "--item", "id", "--score", "sure", "--format", "json"))
    sure = np.round(np.abs(np.array(column("score"), dtype=float) - 0.5), 3)
    found = risk_coverage(real=column("diagnosis"), predicted=column("tree"), score=sure)
    assert held["risk of tree"]["area"]["estimate"] == pytest.approx(found.area.estimate, abs=1e-4)
    assert held["risk of tree"]["area"]["estimate"] > held["risk of logistic"]["area"]["estimate"]
    assert "risk of logistic" in json.loads(ok(*TWO, "--score", "logistic=score", "--format", "json"))
    apart = json.loads(ok(*how, "--score", "sure", "--format", "json"))  # different items
    assert apart["risk of tree"]["area"] == held["risk of tree"]["area"]
    assert "NAME=COL" in refused(*TWO, "--score", "score")
    assert "no number" in refused(*TWO, "--score", "tree=diagnosis")


@pytest.mark.parametrize(("first", "each"), [([], "own"), (["truth"], "sure")])
def test_scores_may_be_in_the_files_of_the_systems(parts: dict[str, str], first: list[str], each: str) -> None:
    """Each with the real labels, or joined to them: then five items have neither answer nor score."""
    files = [parts[name] for name in (*first, f"{each}-tree", f"{each}-logistic")]
    held = json.loads(ok("compare", *files, *JOIN, "--score", "sure", "--format", "json"))
    sure = np.round(np.abs(np.array(column("score"), dtype=float) - 0.5), 3)
    said, cut = [None] * 5 + column("tree")[5:], slice(0 if first else 5, None)
    sure[:5] = np.nan
    found = risk_coverage(real=column("diagnosis")[cut], predicted=said[cut], score=sure[cut], missing="abstain")
    assert held[f"risk of {each}-tree"]["area"]["estimate"] == pytest.approx(found.area.estimate, abs=1e-4)


def test_report_joins_the_answers_to_the_truth(parts: dict[str, str]) -> None:
    found = json.loads(ok("report", parts["truth"], parts["tree"], *JOIN, "--format", "json"))
    wanted = read(parts["truth"], real="label", predicted="answer", join=parts["tree"], on="id")
    assert found["counts"] == wanted.counts.tolist()
    assert "one file was given" in refused("report", parts["truth"], *JOIN)


def test_a_suffix_that_no_format_has_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.pdf"
    with pytest.raises(InformedError) as saved:
        compare(*[Table.from_counts([[30, 10], [10, 30]])] * 2).save(path)
    said = refused("report", "absent.csv", "-o", str(path))
    assert said == f"error: {saved.value}\n"
    assert not path.exists()
    ok("table", "3 1 / 1 3", "-o", str(path), "--format", "csv")
    assert path.read_text().count("\n") > 3
    assert "text or json" in refused("claims", "--quick", "-o", str(tmp_path / "claims.html"))


def test_the_suffix_says_the_format(tmp_path: Path) -> None:
    for words in (
        [*TWO, "--margin", "0.05"],
        MANY,
        ["agree", DATA, "--raters", "tree,bayes"],
        ["judge", DATA, *REAL, "--predicted", "tree", "--positive", "malignant",
         "--design", "elsewhere", "--apparent", ".3", "--n", "100"],
    ):  # fmt: skip
        page = tmp_path / "page.html"
        ok(*words, "-o", str(page))
        text = page.read_text(encoding="utf-8")
        assert text.startswith("<!doctype html>")
        assert "<svg" in text
        assert "This page again" in text
    assert "--margin is for two systems" in refused(*MANY, "--margin", "0.05")


# ---------------------------------------------------------------------- raters and judges


def test_agree_is_the_library_s(tmp_path: Path) -> None:
    names = ["logistic", "tree", "bayes"]
    found = agreement({n: column(n) for n in names})
    held = json.loads(ok("agree", "--full", DATA, "--raters", ",".join(names), "--format", "json"))
    for name, c in held["coefficients"].items():
        assert (c["estimate"], c["low"], c["high"]) == pytest.approx(
            (found[name].estimate, found[name].low, found[name].high)
        )
    assert "3 raters agree 0.867" in ok("agree", "--full", DATA, "--raters", ",".join(names))
    grades = [["1", "1"], ["2", "3"], ["3", "3"], ["10", "9"], ["", "2"], ["9", "10"]]
    path = write(tmp_path / "grades.csv", ["a", "b"], grades)
    how = ["agree", path, "--raters", "a,b", "--disagreement", "interval", "--format", "json"]
    assert "grades.csv: `a` has 1 missing label (row 5 of the data); use" in refused(*how)
    held = json.loads(ok(*how, "--missing", "abstain"))
    numbers = [[float(x) if x else np.nan for x in row] for row in grades]
    found = agreement(np.array(numbers), disagreement="interval", missing="abstain")
    wanted = found["krippendorff"].estimate
    assert held["coefficients"]["krippendorff"]["estimate"] == pytest.approx(wanted)


def test_agree_on_measurements_is_the_intraclass_correlation(tmp_path: Path) -> None:
    numbers = [["1.5", "2"], ["2.5", "2.75"], ["4", "3.5"], ["5.5", "6"]]
    path = write(tmp_path / "measured.csv", ["a", "b"], numbers)
    said = refused("agree", path, "--raters", "a,b")
    assert "such as '1.5', and would be taken for names of classes" in said
    assert "--icc" in said
    held = json.loads(ok("agree", path, "--raters", "a,b", "--icc", "--format", "json"))
    wanted = intraclass_correlation([[float(x) for x in row] for row in numbers])
    assert held["coefficients"]["ICC(2,1)"]["low"] == pytest.approx(wanted["ICC(2,1)"].low)
    assert ok("agree", path, "--raters", "a,b", "--icc").startswith(
        "The intraclass correlation of 2 raters of 4 items is "
    )
    assert "2 raters agree" in ok("agree", path, "--raters", "a,b", "--disagreement", "interval")
    for option in (["--versus", "b,a"], ["--disagreement", "linear"], ["--unit", "a"], ["--method", "jackknife"]):
        beside = refused("agree", path, "--raters", "a,b", "--icc", *option)
        assert f"{option[0]} has no effect beside it" in beside
    gap = write(tmp_path / "gap.csv", ["a", "b"], [*numbers, ["", "7"]])
    assert "missing in 1 of 5 items" in refused("agree", gap, "--raters", "a,b", "--icc")
    assert " of 4 items is " in ok("agree", gap, "--raters", "a,b", "--icc", "--missing", "drop")


def test_two_agreements_on_the_same_items() -> None:
    how = ["agree", DATA, "--raters", "logistic,neighbours", "--versus", "tree,guess"]
    held = json.loads(ok(*how, "--format", "json"))["versus"]
    first, other = (
        agreement({n: column(n) for n in names}) for names in (("logistic", "neighbours"), ("tree", "guess"))
    )
    wanted = first.minus(other, "cohen")
    assert (held["cohen"]["estimate"], held["cohen"]["pvalue"]) == pytest.approx((wanted.estimate, wanted.pvalue))
    assert "more than tree and guess do" in ok(*how)
    assert "--versus takes two" in refused(*how[:-1], "tree")


def test_judge_is_the_library_s() -> None:
    how = ["judge", DATA, *REAL, "--predicted", "tree", "--design", "elsewhere"]
    t = read(ROOT / DATA, real="diagnosis", predicted="tree", positive="malignant")
    found = judge(t, 0.31, 2000, design="elsewhere")
    words = [*how, "--positive", "malignant", "--apparent", "0.31", "--n", "2000"]
    held = json.loads(ok(*words, "--format", "json"))["rates"]["malignant"]
    assert (held["estimate"], held["low"], held["high"]) == pytest.approx((found.estimate, found.low, found.high))
    counts = ok(*how, "--positive", "malignant", "--apparent", "malignant=620,benign=1380")
    assert counts.startswith("The true rate of malignant is 0.321")
    needed = found.labels_needed(0.04)
    assert f"{needed.same_mix:,} calibration labels" in ok(*words, "--reach", "0.04")


@pytest.mark.parametrize("word", ["unit", "item"])
def test_agree_and_judge_take_units(word: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    real = rng.choice(["no", "yes"], 60).tolist()
    slip = {"no": "yes", "yes": "no"}
    said, other = ([slip[x] if rng.random() < 0.2 else x for x in real] for _ in range(2))
    rows = [[str(i), *row] for i, row in enumerate(zip(real, said, other, strict=True))]
    once = write(tmp_path / "once.csv", ["passage_id", "real", "said", "other"], rows)
    twice = write(tmp_path / "twice.csv", ["passage_id", "real", "said", "other"], rows * 2)
    asked: Any = (once, []), (twice, [f"--{word}", "passage_id"]), (twice, [])
    told = "passage" if word == "unit" else "item"

    agree = ["--raters", "real,said", "--versus", "real,other", "--format", "json"]
    one, two, naive = (json.loads(ok("agree", path, *agree, *more)) for path, more in asked)
    for part in ("coefficients", "versus"):
        a, b, c = (x[part]["cohen"] for x in (one, two, naive))
        near: Any = {"rel": 1e-6} if word == "item" else {"abs": 0.01}  # as `report` has clusters of two equal cases
        assert (b["low"], b["high"]) == pytest.approx((a["low"], a["high"]), **near)
        assert b["pvalue"] == pytest.approx(a["pvalue"], **near)
        assert c["high"] - c["low"] < 0.8 * (a["high"] - a["low"])
    many = f"60 {told}s with 120 rows" if word == "unit" else "60 items, 120 rows"
    assert any(many in str(note) for note in two["notes"])

    judged = ["--real", "real", "--predicted", "said", "--positive", "yes", "--apparent", "yes=500,no=700"]
    judged += ["--design", "elsewhere"]
    one, two, naive = (
        json.loads(ok("judge", path, *judged, *more, "--format", "json"))["rates"]["yes"] for path, more in asked
    )
    assert two["estimate"] == pytest.approx(one["estimate"])
    widths = [x["high"] - x["low"] for x in (one, two, naive)]
    assert widths[1] == pytest.approx(widths[0], rel=0.06)
    assert widths[2] < 0.8 * widths[0]


def test_judge_takes_more_than_two_outcomes(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    real = rng.integers(0, 3, 300)
    said = np.where(rng.random(300) < 0.8, real, rng.integers(0, 3, 300))
    body = [["abc"[r], "abc"[s]] for r, s in zip(real, said, strict=True)]
    path = write(tmp_path / "three.csv", ["real", "said"], body)
    how = ["judge", path, "--real", "real", "--predicted", "said", "--design", "elsewhere"]
    held = json.loads(ok(*how, "--apparent", "a=50,b=30,c=20", "--format", "json"))
    assert sum(r["estimate"] for r in held["rates"].values()) == pytest.approx(1)
    assert "count of each" in refused(*how, "--apparent", "0.3")


# ---------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["compare", DATA, "--predicted", "tree", "--predicted", "bayes"], "--real"),
        (["compare", DATA, *REAL], "--predicted"),
        (["compare", DATA, *REAL, "--predicted", "tree"], "one system"),
        (["compare", DATA, *REAL, "--predicted", "tree", "--predicted", "tree"], "twice"),
        (["compare", DATA, *REAL, "--predicted", "tree", "--predicted", "oak"], "oak"),
        (["compare", DATA, "examples/digits.csv", *REAL, "--predicted", "tree"], "diagnosis"),
        ([*TWO, "--on", "case"], "--on joins several files"),
        ([*TWO, "--baseline", "oak"], "no system 'oak'"),
        ([*TWO, "--level", "95"], "between 0 and 1"),
        ([*TWO, "--method", "magic"], "'magic' is no method"),
        ([*TWO, "--measure", "magic"], "magic"),
        ([*TWO, "--measure", "recall"], "--positive"),
        ([*TWO, "--fail-worse", "2"], "--fail-worse"),
        ([*MANY, "--method", "arc"], "--method is 'arc'"),
        (["compare", DATA, *REAL, "--predicted", "tree", "--by", "fold"], "same items"),
        (
            ["compare", DATA, *REAL, "--predicted", "tree", "--by", "guess", "--item", "fold"],
            "more than one real label",
        ),
        (["compare", "nowhere.csv", *TWO[2:]], "nowhere.csv"),
        (["agree", DATA, "--raters", "tree"], "two or more"),
        (["agree", DATA, "--raters", "tree,oak"], "oak"),
        (["agree", DATA, "--raters", "tree,bayes", "--disagreement", "interval"], "number"),
        (["agree", DATA, "--raters", "tree,bayes", "--level", "2"], "between 0 and 1"),
        (["judge", DATA, *REAL, "--predicted", "tree", "--apparent", "0.3"], "--positive"),
        (["judge", DATA, *REAL, "--predicted", "tree", "--apparent", "much"], "'much'"),
        (["judge", DATA, *REAL, "--predicted", "tree", "--positive", "malignant", "--apparent", ".3"], "--design"),
        (
            ["judge", DATA, *REAL, "--predicted", "guess", "--positive", "malignant",
             "--design", "elsewhere", "--apparent", ".3", "--n", "100"],
            "may be guessing",
        ),
        (
            ["judge", DATA, *REAL, "--predicted", "tree", "--positive", "malignant",
             "--design", "elsewhere", "--apparent", "31"],
            "between 0 and 1",
        ),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(words: list[str], said: str) -> None:
    assert said in refused(*words)


# ---------------------------------------------------------------------- logs


def test_logs_of_two_models_are_compared_item_by_item(tmp_path: Path) -> None:
    from test_logs import answering

    new = str(answering(tmp_path / "samples_new.jsonl", {0}))
    old = str(answering(tmp_path / "samples_old.jsonl", {0, 1, 2, 3, 4, 5, 6, 7, 8}))
    said = ok("compare", new, old)
    assert said.startswith("samples_new is better than samples_old: informedness")
    assert "on the same 20 items" in said
    assert "they take no --item" in refused("compare", new, old, "--item", "language")
    assert "'language' is no field of this log; group by one of" in refused("compare", new, old, "--by", "language")
    assert "they take no --weights" in refused("compare", new, old, "--weights", "w")


@pytest.mark.parametrize(
    ("words", "gate", "fails", "holds"),
    [
        (
            ["report", DATA, "--real", "diagnosis", "--predicted", "tree"],
            "informedness.low",
            ["--fail-under", "informedness.low=0.9"],
            ["--fail-under", "informedness.low=0.5"],
        ),
        (
            ["compare", DATA, "--real", "diagnosis", "--predicted", "tree", "--predicted", "logistic"],
            "fail-worse",
            ["--fail-worse", "0.02"],
            ["--fail-worse", "0.5"],
        ),
    ],
)
def test_gates_stand_in_json_in_junit_and_as_annotations(
    words: list[str], gate: str, fails: list[str], holds: list[str]
) -> None:
    for asked, passed in ((fails, False), (holds, True)):
        done = run(*words, *asked, "--format", "json", "--annotate")
        assert done.returncode == (0 if passed else 1)
        [found] = json.loads(done.stdout)["gates"]
        assert (found["name"], found["passed"]) == (gate, passed)
        annotated = [line for line in done.stderr.splitlines() if line.startswith("::")]
        wanted = [] if passed else [f"::error title={gate}::{found['sentence'].replace('%', '%25')}"]
        assert annotated == wanted
        suite = ElementTree.fromstring(run(*words, *asked, "--format", "junit").stdout.encode())
        assert (suite.get("tests"), suite.get("failures")) == ("1", "0" if passed else "1")
        assert suite[0][0].get("name") == gate
        assert "::error" not in run(*words, *asked).stderr  # only on request


# ---------------------------------------------------------------------- units, in the words of the command line


def lesions(path: Path) -> str:
    """Three lesions of each of 20 patients, with a score and a weight."""
    rows = [(f"p{i // 3}", "yn"[i % 2], "yn"[i % 2 ^ (i % 7 == 0)], "yn"[i % 2 ^ (i % 5 == 0)]) for i in range(60)]
    lines = [",".join((*row, f"{i / 60:.2f}", str(1 + i % 3))) for i, row in enumerate(rows)]
    path.write_text("\n".join(["patient,real,new,old,score,weight", *lines]))
    return str(path)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["report", "--predicted", "new", "--unit", "real"], "--unit and --real are both 'real'"),
        (["roc", "--score", "score", "--unit", "score"], "--unit and --score are both 'score'"),
        (
            ["compare", "--predicted", "new", "--predicted", "old", "--item", "patient"],
            "('n' and 'y'); answers to an item share its truth, and cases that only belong together have a --unit.",
        ),
    ],
)
def test_a_wrong_unit_is_refused_in_the_words_of_the_options(words: list[str], said: str, tmp_path: Path) -> None:
    file = lesions(tmp_path / "f.csv")
    assert said in refused(words[0], file, "--real", "real", *words[1:])


def test_cases_without_a_unit_are_counted_by_the_name_of_the_column(tmp_path: Path) -> None:
    file = Path(lesions(tmp_path / "f.csv"))
    file.write_text(file.read_text().replace("p3,", ","))
    for predicted in (["new"], ["new", "old"]):
        asked = [x for name in predicted for x in ("--predicted", name)]
        said = refused("compare" if asked[2:] else "report", str(file), "--real", "real", *asked, "--unit", "patient")
        assert "3 cases have no `patient`; each must belong to one" in said


def test_a_weighted_comparison_counts_cases_and_units(tmp_path: Path) -> None:
    file = lesions(tmp_path / "f.csv")
    systems = ["--real", "real", "--predicted", "new", "--predicted", "old", "--unit", "patient"]
    assert "on the same 60 cases (weighted) of 20 patients" in ok(
        "compare", "--full", file, *systems, "--weights", "weight"
    )
    said = " ".join(ok("compare", "--full", file, *systems).split())
    assert re.search(
        r"20 patients with 60 cases; for the difference of informedness they are worth \d+ independent", said
    )


def test_systems_asked_unequally_often_are_counted_by_items(tmp_path: Path) -> None:
    """No half answers: the page counts items, and no number of answers that is of neither system."""
    rows = [("a", i, e) for i in range(20) for e in range(4)] + [
        ("b", i, e) for i in range(20) for e in range(1 + i % 3)
    ]
    lines = [f"{s},{i},{'yn'[i % 2]},{'yn'[i % 2 ^ ((i + e) % 4 == 0)] if (i + e) % 7 else ''}" for s, i, e in rows]
    file = tmp_path / "f.csv"
    file.write_text("\n".join(["model,question,y,said", *lines]))
    asked = ["compare", str(file), "--real", "y", "--predicted", "said", "--by", "model", "--item", "question"]
    said = " ".join(ok(*asked, "--missing", "abstain", "--full").split())
    assert "on the same 20 items" in said
    assert "Of what both answered" in said
    assert re.search(r"20 items; for the difference of \w+ they are worth \d+ items asked once", said)
    alone = ok(*asked, "--missing", "abstain", "--count", "answered")
    assert re.search(r"on the\s+same\s+20\s+items\s+\(weight\s+1\d\.\d+\)", alone)


def test_units_of_any_name_have_a_plural(tmp_path: Path) -> None:
    file = Path(lesions(tmp_path / "f.csv"))
    file.write_text(file.read_text().replace("patient,", "study_id,", 1))
    named = [str(file), "--real", "real", "--unit", "study_id"]
    pages = [
        ok("report", "--full", *named, "--predicted", "new"),
        ok("compare", "--full", *named, "--predicted", "new", "--predicted", "old"),
        ok("roc", "--full", *named, "--score", "score", "--positive", "y"),
        ok("sample-size", "0.3", "--like", *named, "--predicted", "new"),
    ]
    for page in pages:
        assert re.search(r"\d+\s+studies\s", page)
        assert "studys" not in page
