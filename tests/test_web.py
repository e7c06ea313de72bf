"""The lab's server: the same numbers as the library, and nobody gets in who should not."""

from __future__ import annotations

import asyncio
import bz2
import gzip
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

import informed
from command_line import PACKAGES
from informed import Table
from informed.errors import InformedError
from informed.evidence.likeness import KINDS
from informed.papers.figures import FIGURES, STILL, reproduce
from informed.simulation import Experiment
from informed.simulation.generators import population
from informed.sources.logs import FORMATS
from informed.web import comparing, limits, moves, routes_data, work
from informed.web.app import STATIC, create_app
from informed.web.comparing import compared
from informed.web.evaluation_logs import paths_of
from informed.web.examples import FOLDER
from informed.web.lab import ending
from informed.web.looking import seen
from informed.web.security import TOKEN, _measured
from informed.web.words import speaker
from informed.web.worker import Worker

SECRET = "a token of this run"
KEY = {TOKEN: SECRET}
A = [[56, 20], [12, 12]]
ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    app = create_app(token=SECRET, file=ROOT / "examples" / "breast-cancer.csv")
    with TestClient(app, base_url="http://127.0.0.1:8421", headers=KEY) as made:
        yield made


def table(client: TestClient, **asked: Any) -> dict[str, Any]:
    response = client.post("/api/table", json={"counts": A, **asked})
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


# ---------------------------------------------------------------------- numbers


def test_the_numbers_are_those_of_the_library(client: TestClient) -> None:
    found, t = table(client), Table.from_counts(A)
    for shown in found["measures"]:
        m = informed.find(shown["name"])
        interval = informed.interval(t, m)
        assert shown["value"] == pytest.approx(m(t), abs=1e-12)
        assert shown["chance"] == pytest.approx(m.chance(t), abs=1e-12)
        assert (shown["low"], shown["high"]) == pytest.approx((interval.low, interval.high))
    assert found["measures"][0]["method"] == "arc"
    assert found["tests"][0]["pvalue"] == pytest.approx(informed.test(t).pvalue)
    assert found["size"]["detectable"] == pytest.approx(
        informed.detectable(100, prevalence=t.prevalence).informedness, abs=0.005
    )
    assert found["answer"] == list(informed.report(t).answer)


@pytest.mark.parametrize("k", [2, 3, 12])
def test_while_dragging_the_closed_form_is_used(client: TestClient, k: int) -> None:
    counts = np.random.default_rng(k).poisson(8, (k, k)) + 5 * np.eye(k)
    found = table(client, counts=counts.tolist(), quick=True)
    interval = informed.interval(Table.from_counts(counts), "informedness", method="plus-four")
    assert found["measures"][0]["method"] == "plus-four"
    assert found["measures"][0]["low"] == pytest.approx(interval.low)
    assert "tests" not in found
    each = informed.informedness(Table.from_counts(counts).one_vs_rest())
    assert [c["informedness"]["value"] for c in found["classes"]] == pytest.approx(each.tolist())


def test_those_who_guess_know_as_much_as_they_know_however_they_guess(client: TestClient) -> None:
    found = client.post("/api/guessing", json={"prevalence": 0.02, "knows": 0.3}).json()
    assert found["informedness"] == pytest.approx([0.3] * 101)
    assert found["accuracy"] == sorted(found["accuracy"], reverse=True)
    assert found["accuracy"][0] == pytest.approx(0.98 * 0.7 + 0.3)  # never a guess of "ill"
    for i in (0, 50, 100):
        counts = found["counts"][i]
        assert np.sum(counts) == pytest.approx(1000)
        assert np.sum(counts, axis=0) == pytest.approx([20, 980])
        t = Table.from_counts(counts, labels=["ill", "well"], positive="ill")
        assert found["f1"][i] == pytest.approx(informed.f1(t))
    assert client.post("/api/guessing", json={"prevalence": 0}).status_code == 400


def test_undefined_is_null_with_a_reason(client: TestClient) -> None:
    for quick in (True, False):
        found = table(client, counts=[[90, 10], [0, 0]], quick=quick)
        by_name = {m["name"]: m for m in found["measures"]}
        assert by_name["informedness"]["value"] == 0
        assert by_name["inverse_precision"]["value"] is None
        assert "no case was predicted" in by_name["inverse_precision"]["why"]
        nothing = table(client, counts=[[0, 0], [0, 0]], quick=quick)
        assert nothing["measures"][0]["value"] is None
        assert nothing["plane"]["recall"] is None


def test_the_line_of_equal_cost_is_that_of_the_report(client: TestClient) -> None:
    found = table(client, miss=5, alarm=1)["plane"]
    costs = informed.report(Table.from_counts(A), cost="5:1").costs
    assert costs is not None
    assert found["slope"] == pytest.approx(costs.slope)
    assert found["expected_cost"] == pytest.approx(costs.expected_cost)
    rivals = dict(costs.rivals)
    assert (found["always"], found["never"]) == pytest.approx((rivals["+"], rivals["−"]))


# ---------------------------------------------------------------------- moves

CELLS = st.integers(1, 200)
TWO = st.tuples(CELLS, CELLS, CELLS, CELLS).map(lambda x: np.array(x, float).reshape(2, 2))
SHARE = st.floats(0.02, 0.98)


@given(TWO, SHARE, SHARE, st.sampled_from(["nothing", "n", "real"]))
@settings(max_examples=60, deadline=None)
def test_a_dragged_point_keeps_the_real_totals(counts: Any, recall: float, fallout: float, keep: str) -> None:
    made = moves.drag(counts, 0, recall, fallout, keep)
    real = counts.sum(axis=0)
    assert made.sum(axis=0) == pytest.approx(real)
    assert abs(made[0, 0] / real[0] - recall) <= 0.5 / real[0] + 1e-9  # the nearest whole count
    assert abs(made[0, 1] / real[1] - fallout) <= 0.5 / real[1] + 1e-9
    assert (made == np.rint(made)).all()


@given(TWO, SHARE, SHARE)
@settings(max_examples=60, deadline=None)
def test_a_dragged_point_keeps_informedness(counts: Any, recall: float, fallout: float) -> None:
    made = Table.from_counts(moves.drag(counts, 0, recall, fallout, "informedness"))
    before = Table.from_counts(counts)
    assert informed.informedness(made) == pytest.approx(informed.informedness(before), abs=1e-9)
    assert made.n == pytest.approx(before.n)


@given(TWO, SHARE, SHARE)
@settings(max_examples=60, deadline=None)
def test_a_dragged_point_keeps_the_predicted_totals_or_says_why(counts: Any, recall: float, fallout: float) -> None:
    t = Table.from_counts(counts)
    bias = float(t.bias[0])
    if not min(recall, fallout) < bias < max(recall, fallout):
        with pytest.raises(InformedError, match="no prevalence keeps"):
            moves.drag(counts, 0, recall, fallout, "predicted")
        return
    made = Table.from_counts(moves.drag(counts, 0, recall, fallout, "predicted"))
    assert made.bias == pytest.approx(t.bias)
    assert informed.recall(made) == pytest.approx(recall)
    assert informed.fallout(made) == pytest.approx(fallout)


@pytest.mark.parametrize("name", ["bias", "informedness"])
def test_three_ratios_determine_the_table_as_solve_does(name: str) -> None:
    t = Table.from_counts(A)
    ratios = {
        "prevalence": float(t.prevalence[0]),
        "bias": float(t.bias[0]),
        "informedness": informed.informedness(t),
        name: 0.55 if name == "bias" else 0.4,
    }
    made = moves.set_ratio(t.counts, 0, name, ratios[name], "nothing")
    assert made == pytest.approx(informed.solve(n=100, **ratios).counts)


def test_another_prevalence_is_the_same_system() -> None:
    t = Table.from_counts([[50, 3, 2], [4, 45, 6], [1, 7, 32]])
    made = Table.from_counts(moves.set_ratio(t.counts, 1, "prevalence", 0.1, "nothing"))
    assert made.prevalence[1] == pytest.approx(0.1)
    assert informed.recall(made.one_vs_rest()) == pytest.approx(informed.recall(t.one_vs_rest()))
    two = Table.from_counts(A)
    kept = Table.from_counts(moves.set_ratio(two.counts, 0, "prevalence", 0.5, "predicted"))
    assert kept.bias == pytest.approx(two.bias)
    assert informed.informedness(kept) == pytest.approx(informed.informedness(two))


@given(
    st.integers(2, 6).flatmap(
        lambda k: st.tuples(
            st.lists(CELLS, min_size=k * k, max_size=k * k).map(lambda x: np.array(x, float).reshape(k, k)),
            st.integers(0, k - 1),
            st.integers(0, k - 1),
        )
    ),
    st.integers(0, 150),
)
@settings(max_examples=60, deadline=None)
def test_a_typed_cell_keeps_what_is_to_be_kept(asked: Any, value: int) -> None:
    counts, i, j = asked
    free = moves.set_cell(counts, i, j, value, "nothing")
    assert free[i, j] == value
    assert (free != counts).sum() <= 1
    for keep, total in (("n", None), ("real", 0), ("predicted", 1)):
        made = moves.set_cell(counts, i, j, value, keep)
        assert made.sum(axis=total) == pytest.approx(counts.sum(axis=total))
        assert (made >= 0).all()
        most = {"n": counts.sum(), "real": counts[:, j].sum(), "predicted": counts[i].sum()}[keep]
        assert made[i, j] == pytest.approx(min(value, most))


def test_a_typed_cell_keeps_informedness(client: TestClient) -> None:
    move = {"kind": "cell", "row": 0, "column": 0, "value": 60}
    found = table(client, move=move, keep="informedness")
    assert found["counts"][0][0] == 60
    assert found["measures"][0]["value"] == pytest.approx(informed.informedness(Table.from_counts(A)))
    refused = client.post(
        "/api/table", json={"counts": A, "keep": "informedness", "move": {**move, "row": 1, "value": 5000}}
    )
    assert refused.status_code == 400
    assert "No table with that count" in refused.json()["error"]


def test_the_point_of_one_of_many_classes_can_be_dragged() -> None:
    counts = np.array([[50.0, 3, 2], [4, 45, 6], [1, 7, 32]])
    for recall, fallout in ((0.5, 0.3), (0.95, 0.01), (0, 1), (1, 0)):
        made = moves.drag(counts + 0.25, 2, recall, fallout, "real")  # no whole counts to keep
        one = Table.from_counts(made).one_vs_rest()[2]
        assert made.sum(axis=0) == pytest.approx((counts + 0.25).sum(axis=0))
        assert (made >= 0).all()
        assert informed.recall(one) == pytest.approx(recall)
        assert informed.fallout(one) == pytest.approx(fallout)


def test_solving_gives_every_table(client: TestClient) -> None:
    asked = {"n": 100, "three": {"recall": 0.8, "fallout": 0.3, "prevalence": 0.2}}
    found = client.post("/api/solve", json=asked).json()["tables"]
    assert np.allclose(found, [[[16, 24], [4, 56]]])
    bad = client.post("/api/solve", json={"three": {"recall": 0.8, "miss_rate": 0.3}})
    assert bad.status_code == 400
    dependent = {"recall": 0.8, "fallout": 0.3, "informedness": 0.5}
    assert client.post("/api/solve", json={"three": dependent}).status_code == 400


# ---------------------------------------------------------------------- files


class Ended(dict[str, Any]):
    """What a job said last; who wants a result, and there is none, is shown what came in its place."""

    def __missing__(self, wanted: str) -> Any:
        raise AssertionError(f"no {wanted}: {dict(self)}")


def streamed(client: TestClient, path: str, asked: dict[str, Any]) -> Ended:
    """The last line of a job: its result or its error."""
    response = client.post(path, json=asked)
    assert response.status_code == 200, response.text
    return Ended(json.loads(response.text.strip().splitlines()[-1]))


def sent(client: TestClient, name: str, content: bytes) -> str:
    response = client.post("/api/upload", params={"name": name}, content=content)
    assert response.status_code == 200, response.text
    return str(response.json()["id"])


def test_a_file_is_counted_and_reported(client: TestClient) -> None:
    rows = "truth,answer,site\n" + "a,a,x\nb,b,x\na,b,y\nb,b,y\n" * 10
    key = sent(client, "C:\\data\\<b>run.csv", rows.encode())
    seen = streamed(client, "/api/look", {"id": key})["result"]["files"][0]
    assert seen["columns"] == ["truth", "answer", "site"]
    assert (seen["real"], seen["predicted"]) == ("truth", "answer")
    asked = {"id": key, "real": "truth", "predicted": "answer", "by": "site"}
    found = streamed(client, "/api/count", asked)["result"]
    assert found["counts"] == [[10, 0], [10, 20]]
    assert (found["n"], found["groups"], found["labels"]) == (40, 2, ["a", "b"])
    page = client.get(f"/results/{found['id']}/report.html")
    assert page.headers["content-security-policy"].startswith("sandbox allow-scripts;")
    assert "&lt;b&gt;run.csv" in page.text
    data = client.get(f"/results/{found['id']}/report.json")
    stem = "report-of-answer-on-b-run-csv"  # as `save` calls it
    assert data.headers["content-disposition"] == f'attachment; filename="{stem}.json"'
    assert page.headers["content-disposition"] == f'inline; filename="{stem}.html"'
    assert found["stem"] == stem
    assert data.json()["n"] == 40
    for ending_ in ("csv", "md", "tex", "txt"):
        assert client.get(f"/results/{found['id']}/report.{ending_}").status_code == 200
    wrong = streamed(client, "/api/count", {**asked, "real": "nothing"})
    assert "has no column 'nothing'" in wrong["error"]
    assert str(client.app.state.lab.folder) not in wrong["error"]  # type: ignore[attr-defined]  # Starlette


def test_cases_of_a_file_belong_to_units_and_items(client: TestClient) -> None:
    held = [f"q{i},{i // 4},{'ab'[i % 2]},{'ab'[i % 3 % 2]},{'ab'[i % 5 % 2]},{'xy'[i % 2]}" for i in range(24)]
    rows = "\n".join(["question,passage,truth,one,two,site", *held * 3])
    key = sent(client, "epochs.csv", rows.encode())
    asked = {"id": key, "real": "truth", "predicted": "one"}
    once = streamed(client, "/api/count", {**asked, "item": "question"})["result"]
    assert once["answer"][0].startswith("On 24 items (72 answers)")
    groups = streamed(client, "/api/count", {**asked, "item": "question", "by": "site"})["result"]
    assert (groups["groups"], groups["n"]) == (2, 24)
    unit = streamed(client, "/api/count", {**asked, "unit": "passage"})["result"]
    said = client.get(f"/results/{unit['id']}/report.txt").text
    assert "6 passages with 72 cases" in said
    both = {"id": key, "real": "truth", "systems": ["one", "two"], "item": "question", "unit": "passage"}
    assert streamed(client, "/api/compare", both)["result"]["items"] == 24


def test_a_report_leads_from_a_cell_to_the_ids_of_a_column(client: TestClient) -> None:
    rows = "case,truth,answer,none\n" + "".join(f"c{i},{'ab'[i % 2]},{'ab'[i % 3 % 2]},\n" for i in range(12))
    asked = {"id": sent(client, "run.csv", rows.encode()), "real": "truth", "predicted": "answer"}

    found = streamed(client, "/api/count", {**asked, "named": "case"})["result"]
    held = client.get(f"/results/{found['id']}/report.json").json()["examples"]
    ids = {(x["real"], x["predicted"]): x["ids"] for x in held}
    assert ids["b", "a"] == ["c3", "c5", "c9", "c11"]
    assert ids["a", "b"] == ["c4", "c10"]

    more = rows.replace("c", "d").replace("dase", "case")
    both = {**asked, "ids": [asked["id"], sent(client, "more.csv", more.encode())], "named": "case"}
    found = streamed(client, "/api/count", both)["result"]
    held = client.get(f"/results/{found['id']}/report.json").json()["examples"]
    assert {x[0] for cell in held for x in cell["ids"]} == {"c", "d"}

    plain = streamed(client, "/api/count", {**asked, "named": ""})["result"]
    assert "examples" not in client.get(f"/results/{plain['id']}/report.json").json()
    assert "has no column 'nothing'" in streamed(client, "/api/count", {**asked, "named": "nothing"})["error"]
    assert "every one is missing" in streamed(client, "/api/count", {**asked, "named": "none"})["error"]


def test_the_file_of_the_command_line_is_offered_by_id(client: TestClient) -> None:
    start = client.post("/api/start").json()
    assert [held["name"] for held in start["files"]] == ["breast-cancer.csv"]
    asked: Any = {"real": "diagnosis", "predicted": "tree", "positive": "malignant"}
    found = streamed(client, "/api/count", {"id": start["files"][0]["id"], **asked})["result"]
    path = ROOT / "examples" / "breast-cancer.csv"
    t = informed.read(path, **asked)
    assert np.array_equal(found["counts"], t.counts)
    assert found["answer"] == list(informed.report(t).answer)


def test_the_examples_of_the_lab_come_with_it_and_answer(client: TestClient) -> None:
    for held in FOLDER.iterdir():  # small copies, so that an installed lab has them
        assert held.read_bytes() == (ROOT / "examples" / held.name).read_bytes()
    offered = client.post("/api/start").json()
    assert [x["name"] for x in offered["files"]] == ["breast-cancer.csv"]  # of the command line, and no example
    for example in offered["examples"]:
        asked = {k: v for k, v in example["asked"].items() if k not in ("file", "as", "go")}
        ids = example["asked"]["file"]
        kind = example["asked"].get("as", "")
        path = {"": "/api/count", "compare": "/api/compare"}.get(kind, "/api/kind")
        asked |= {"kind": kind} if path == "/api/kind" else {}
        asked |= {"labels": asked["labels"].split(", ")} if "labels" in asked else {}  # as the form sends them
        found = streamed(client, path, {"id": ids[0], **asked} if len(ids) == 1 else {"ids": ids, **asked})
        words = {"probability": "A bettor who trusted", "judge": "rate"}
        assert words.get(kind, "informed") in str(found["result"]["answer"])


LOOKS = {  # what a file holds, and which columns are meant by it: real, predicted, score, item
    "id,fold,diagnosis,tree,guess,p\n": (("diagnosis", "tree", "p", "id"), "{i},{f},{a},{b},{c},0.{s}"),
    "guess,truth\n": (("truth", None, None, None), "{b},{a}"),
    "digit,predicted\n": (("digit", "predicted", None, None), "{f},{f}"),
    "Label,Prediction,Score\n": (("Label", "Prediction", "Score", None), "{a},{b},0.{s}"),
    "was,says\n": (("was", "says", None, None), "{f}.0,{f}"),
    "text,number\n": ((None, None, None, "text"), "t{i},{i}"),
}


@pytest.mark.parametrize("header", LOOKS)
def test_columns_are_guessed_by_name_and_by_what_they_hold(header: str, tmp_path: Path) -> None:
    meant, line = LOOKS[header]
    path = tmp_path / "rows.csv"
    rows = [
        line.format(i=i, f=i % 5, a="ill" if i % 3 else "well", b="ill" if i % 4 else "well", c="ill", s=i + 100)
        for i in range(40)
    ]
    path.write_text(header + "\n".join(rows) + "\n", encoding="utf-8")
    found = seen({"path": str(path), "name": "rows.csv"})
    assert tuple(found[x] for x in ("real", "predicted", "score", "item")) == meant
    assert found["rows"][0] == rows[0].split(",")
    assert len(found["rows"]) == 6


def test_a_look_shows_what_is_missing_and_shortens_what_is_long(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(f"real,predicted,text\na,,{'x' * 200}\nb,a,y\na,b,<b>z</b>\nb,b,\n", encoding="utf-8")
    found = seen({"path": str(path), "name": "rows.csv"})
    assert found["rows"][0] == ["a", None, "x" * 59 + "…"]
    assert found["rows"][2][2] == "<b>z</b>"  # as it stands: the page shows it as text
    assert found["values"]["real"] == ["a", "b"]
    assert found["whole"]
    path.write_text('real,predicted\na,b\n"a,b\n', encoding="utf-8")  # a row that cannot be read is said when counted
    assert seen({"path": str(path), "name": "rows.csv"})["columns"] == ["real", "predicted"]


FORM = {"real": "real", "predicted": "predicted"}
WORDED: dict[
    str, tuple[str, Mapping[str, object], str]
] = {  # what is asked of a small file, and what the page says to it
    "missing": ("/api/count", FORM, "“A missing label: drops the row”"),
    "unknown class": ("/api/count", {**FORM, "missing": "drop", "positive": "z"}, "“Positive class” is 'z'"),
    "own unit": ("/api/count", {**FORM, "unit": "real"}, "“Cases belong together by” and “Real classes”"),
    "two classes": ("/api/score", {"real": "real", "score": "score"}, "“Class of high scores”"),
    "no system": ("/api/compare", {**FORM, "layout": "rows"}, "“Name of the system”"),
    "scores": ("/api/count", {"real": "real", "predicted": "score"}, "the Threshold panel"),
    "many classes": ("/api/score", {"real": "three", "score": "score"}, "Give “Class of high scores” for one against"),
    "few cases": ("/api/simulate", {"generator": "premarginal", "k": 9, "n": 4}, "premarginal needs at least 18."),
}


@pytest.mark.parametrize("case", WORDED)
def test_messages_speak_of_the_fields_of_the_page(client: TestClient, case: str) -> None:
    path, asked, words = WORDED[case]
    key = sent(client, "a.csv", b"real,predicted,score,three\na,b,.1,x\nb,,.2,y\na,a,.9,z\nb,b,.4,x\n")
    response = client.post(path, json={"id": key, **asked})
    said = json.loads(response.text.strip().splitlines()[-1])["error"]
    assert words in said
    assert not re.search(r"`|\w=['\"]|--\w|informed\.|\b[nk] ", said), said


def test_chosen_class_sizes_are_a_field_of_the_form(client: TestClient) -> None:
    rows = b"a,a,a\na,b,a\nb,b,b\nb,b,a\na,a,b\nb,a,b\n" * 10
    key = sent(client, "a.csv", b"real,predicted,other\n" + rows)
    for path, asked in (
        ("/api/count", FORM),
        ("/api/compare", {"layout": "columns", "real": "real", "systems": ["predicted", "other"]}),
    ):
        plain, chosen = (
            streamed(client, path, {"id": key, **asked, **more})["result"] for more in ({}, {"design": "case-control"})
        )
        pages = [client.get(f"/results/{x['id']}/report.txt").text for x in (plain, chosen)]
        assert ["case-control design" in page for page in pages] == [False, True], path
    assert client.post("/api/count", json={"id": key, **FORM, "design": "cohort"}).status_code == 400


def test_labels_that_differ_only_in_spelling_are_refused_or_taken_as_the_form_says(client: TestClient) -> None:
    key = sent(client, "a.csv", b"real,predicted\n" + b"Yes,yes\nNo,no \n" * 10)
    said = streamed(client, "/api/count", {"id": key, **FORM})["error"]
    assert "“Labels that differ only in spelling: in case and white space are the same”" in said
    found = streamed(client, "/api/count", {"id": key, **FORM, "normalize": "case,space"})["result"]
    assert sorted(map(sorted, found["counts"])) == [[0, 10], [0, 10]]
    assert client.post("/api/count", json={"id": key, **FORM, "normalize": "all"}).status_code == 400
    offered = dict(client.post("/api/start").json()["spellings"])
    assert {kind for x in offered if x not in ("", "none") for kind in x.split(",")} == set(KINDS)


def test_a_table_of_counts_needs_no_columns(client: TestClient) -> None:
    key = sent(client, "counts.csv", b"real,predicted,count\na,a,5\na,b,2\nb,b,9\n")
    assert streamed(client, "/api/look", {"id": key})["result"]["files"][0]["recognised"]
    assert streamed(client, "/api/count", {"id": key})["result"]["n"] == 16


def test_uploads_are_private_and_go_with_the_lab() -> None:
    app = create_app(token=SECRET)
    with TestClient(app, base_url="http://127.0.0.1", headers=KEY) as client:
        folder: Path = app.state.lab.folder
        assert folder.stat().st_mode & 0o077 == 0
        sent(client, "x.csv", b"a,b\n1,1\n")
        assert len(list(folder.glob("upload-*"))) == 1
    assert not folder.exists()


def test_what_a_killed_lab_left_is_removed_at_the_next_start(lab: Start, tmp_path: Path) -> None:
    foreign = tmp_path / "informed-lab-other"  # without a lock nobody knows whether it is in use
    foreign.mkdir()

    def labs() -> set[Path]:
        return {x.parent for x in tmp_path.glob("*/.lock")}

    first = lab("--port", "0", TMPDIR=str(tmp_path))
    assert wait_for(lambda: len(labs()) == 1)
    (left,) = labs()
    second = lab("--port", "0", TMPDIR=str(tmp_path))
    assert wait_for(lambda: len(labs()) == 2)  # labs that run leave each other alone
    first.kill()
    first.wait(20)
    assert left.exists()
    third = lab("--port", "0", TMPDIR=str(tmp_path))
    assert wait_for(lambda: len(labs()) == 2 and not left.exists())
    for process in (second, third):
        process.terminate()
        process.wait(20)
    assert list(tmp_path.iterdir()) == [foreign]


def test_old_uploads_make_room(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "UPLOADS", 2)
    keys = [sent(client, "x.csv", b"a,b\n1,1\n") for _ in range(3)]
    assert client.post("/api/look", json={"id": keys[0]}).status_code == 404
    assert streamed(client, "/api/look", {"id": keys[2]})["result"]["files"][0]["columns"] == ["a", "b"]


def test_systems_are_compared_as_the_leaderboard_does(client: TestClient) -> None:
    path = ROOT / "examples" / "breast-cancer.csv"
    key = client.post("/api/start").json()["files"][0]["id"]
    systems = ["tree", "bayes", "majority"]
    asked = {"id": key, "real": "diagnosis", "systems": systems}
    found = streamed(client, "/api/compare", asked)["result"]
    read = informed.read(path, real="diagnosis", predicted=systems, missing="abstain")
    board = informed.leaderboard(predictions=read)
    assert [x["name"] for x in found["systems"]] == [board.names[s] for s in board.order]
    for row, s in zip(found["systems"], board.order, strict=True):
        assert row["value"] == pytest.approx(float(board.estimate[s]))
        assert (row["rank_low"], row["rank_high"]) == (board.rank_low[s], board.rank_high[s])
    assert found["systems"][0]["groups"] == found["systems"][1]["groups"]  # tied
    page = informed.report(board, source="breast-cancer.csv")
    assert found["answer"] == page.answer
    for ending_, text in (("html", page.html()), ("json", page.json()), ("txt", page.text(full=True))):
        assert client.get(f"/results/{found['id']}/report.{ending_}").text == text
    gap = board["bayes", "tree"]
    shown = next(x for x in found["pairs"] if {x["a"], x["b"]} == {"tree", "bayes"})
    assert abs(shown["value"]) == pytest.approx(abs(gap.estimate))
    assert shown["pvalue"] == pytest.approx(gap.adjusted)
    for bad in (["tree"], ["tree", "tree"], "tree", [1, 2], ["x"] * 40, ["diagnosis", "tree"]):
        assert client.post("/api/compare", json={**asked, "systems": bad}).status_code == 400
    rows = {"layout": "rows", "id": key, "real": "diagnosis", "predicted": "tree"}
    assert "“Name of the system” is missing" in client.post("/api/compare", json=rows).json()["error"]
    for ids in ([key], [key, key], [key, "/etc/passwd"], "x"):
        files = {"layout": "files", "ids": ids, "real": "a", "predicted": "b", "item": "c"}
        assert client.post("/api/compare", json=files).status_code in (400, 404)


def three_systems(folder: Path) -> dict[str, list[dict[str, str]]]:
    """The same answers of three systems in every layout."""
    real = list("aabb") * 15
    said = {"good": list("aabb") * 15, "fair": list("aaba") * 15, "bad": list("abab") * 15}
    head: dict[str, Any] = {"id": range(60), "truth": real}
    held: dict[str, dict[str, Any]] = {
        "wide": {**head, **said},
        "long": {
            "id": [*range(60)] * 3,
            "truth": real * 3,
            "model": [name for name in said for _ in real],
            "answer": [x for answers in said.values() for x in answers],
        },
        **{name: {**head, "answer": answers} for name, answers in said.items()},
        "gold": head,
        **{f"{name}-only": {"id": range(60), "truth": x} for name, x in said.items()},
    }
    for name, columns in held.items():
        rows = [columns, *zip(*columns.values(), strict=True)]
        text = "\n".join(",".join(map(str, row)) for row in rows)
        (folder / f"{name}.csv").write_text(text + "\n")
    layouts = {
        "columns": ["wide"],
        "rows": ["long"],
        "files": list(said),
        "truth": ["gold", *(f"{name}-only" for name in said)],
    }
    return {
        layout: [{"path": str(folder / f"{n}.csv"), "name": f"{n}.csv"} for n in names]
        for layout, names in layouts.items()
    }


def quiet(share: float) -> None:
    """Progress that nobody watches."""


def test_systems_in_columns_rows_and_files_are_the_same_systems(tmp_path: Path) -> None:
    files = three_systems(tmp_path)
    column = {"real": "truth", "predicted": "answer"}
    given: dict[str, dict[str, Any]] = {
        "columns": {"real": "truth", "predicted": ["good", "fair", "bad"]},
        "rows": {**column, "by": "model", "item": "id"},
        "files": {**column, "item": "id"},
        "truth": {"real": "truth", "predicted": "truth", "item": "id", "truth": 0},
    }
    found = {
        layout: compared({"files": files[layout], "given": told, "id": "x", "folder": tmp_path}, quiet)
        for layout, told in given.items()
    }
    each = {
        layout: {x["name"].removesuffix("-only"): (x["value"], x["rank_low"], x["rank_high"])
                 for x in board["systems"]}
        for layout, board in found.items()
    }  # fmt: skip
    assert set(each["columns"]) == {"good", "fair", "bad"}
    assert each["columns"] == each["rows"] == each["files"] == each["truth"]
    assert found["files"]["answer"].startswith("good is the best")
    two: dict[str, Any] = {"files": files["files"][1:], "given": given["files"], "id": "x", "folder": tmp_path}
    difference = compared(two, quiet)["differences"][0]
    paired = informed.compare.paired(comparing.systems(two["files"], two["given"], quiet))
    assert difference["value"] == pytest.approx(abs(paired["informedness"].estimate))
    assert difference["pvalue"] == pytest.approx(paired["informedness"].pvalue)
    for bad, said in (
        ({**given["files"], "item": "nothing"}, "nothing"),
        ({**given["files"], "item": None}, "Which column names the item"),
    ):
        with pytest.raises(InformedError, match=said):
            compared({**two, "given": bad}, quiet)


CASES = ROOT / "tests" / "samples" / "cases"
TWO_LOGS = {  # what is compared of two logs, and its answer
    "informedness": [next((CASES / "lm_eval" / f"org__model-{x}").glob("*toy_yn*")) for x in "ab"],
    "score": sorted((CASES / "inspect").glob("*_agent_*")),
}


@pytest.mark.parametrize("called", TWO_LOGS)
def test_two_logs_are_compared(client: TestClient, called: str) -> None:
    """Answers that are classes, or marks; as `informed compare` says it, under the names that were sent."""
    from command_line import ok

    paths = TWO_LOGS[called]
    ids = [sent(client, path.name, path.read_bytes()) for path in paths]
    found = streamed(client, "/api/compare", {"layout": "logs", "ids": ids})["result"]
    assert found["called"] == called
    said = ok("compare", *map(str, paths)).splitlines()[0]
    assert found["answer"].split(": ")[1] == said.split(": ")[1]
    (first, *_) = found["differences"]
    assert first["value"] == pytest.approx(found["systems"][0]["value"] - found["systems"][1]["value"])
    assert [x["beyond"] is None for x in found["systems"]] == [called == "score"] * 2
    assert len(client.get(f"/results/{found['id']}/report.html").text) > 10_000


def test_logs_that_cannot_be_compared_are_refused_in_the_words_of_the_lab(tmp_path: Path) -> None:
    yes, agents = TWO_LOGS.values()
    law = next((CASES / "lm_eval" / "org__model-b").glob("*toy_law*"))
    for paths, more, said in (
        (
            [yes[0], agents[0]],
            {},
            "different kinds \\(lm-evaluation-harness samples, Inspect.*; logs of one tool are compared",
        ),
        ([yes[0], law], {}, "different tasks \\('toy_yn', 'toy_law'\\); a task at a time"),
        ([yes[0]], {}, "a comparison takes two systems"),
        (yes, {"choices": {"filter": "strict"}}, "a.jsonl: there is no filter 'strict'; there is 'none'"),
        (yes, {"choices": {"colour": "1"}}, "has no option 'colour'"),
    ):
        files = [{"path": str(path), "name": f"{x}.jsonl"} for x, path in zip("ab", paths, strict=False)]
        job = {"files": files, "given": {"layout": "logs", **more}, "id": "x", "folder": tmp_path}
        with pytest.raises(InformedError, match=said):
            compared(job, quiet)
    job = {"files": [{"path": str(x), "name": "a.eval"} for x in agents], "given": {}, "id": "x", "folder": tmp_path}
    with pytest.raises(InformedError, match=r"^a.eval: The log has marks .* Compare the systems instead"):
        work.count(job)


def test_several_files_are_groups_of_one_report(client: TestClient) -> None:
    ids = [sent(client, f"{x}.csv", b"real,predicted,count\na,a,5\nb,a,1\nb,b,9\n") for x in "xy"]
    found = streamed(client, "/api/count", {"ids": ids})["result"]
    assert (found["n"], found["groups"]) == (30, 2)
    same = {"id": ids[0], "real": "real", "predicted": "real"}
    assert "real classes and as predictions" in client.post("/api/count", json=same).json()["error"]


@pytest.mark.parametrize(
    ("name", "first", "states"),
    [
        ("_mc_", "On 14 questions", {"right": 9, "wrong": 3, "abstained": 2}),
        ("_graded_c", "Score 0.545", {"right": 6, "wrong": 3, "abstained": 2, "unscored": 3}),
    ],
)
def test_a_log_has_its_headline_states_and_score(name: str, first: str, states: dict[str, int], tmp_path: Path) -> None:
    (path,) = (Path(__file__).parent / "samples/cases/inspect").glob(f"*{name}*")
    job = {"files": [{"path": str(path), "name": path.name}], "given": {}, "id": "x", "folder": str(tmp_path)}
    found = work.count(job)
    assert found["answer"][0].startswith(first)
    assert found["states"] == states
    score = json.loads((tmp_path / "report.json").read_text())["score"]
    assert score["reported"] == pytest.approx(score["value"], abs=5e-4)
    assert (tmp_path / "report.html").stat().st_size > 10_000


def test_a_log_is_recognised_and_asks_for_a_choice(tmp_path: Path) -> None:
    matrix = "=== Confusion Matrix ===\n\n a b   <-- classified as\n 9 1 |  a = x\n 2 8 |  b = y\n"
    log = f"=== Error on training data ===\n\n{matrix}\n=== Error on test data ===\n\n{matrix}"
    (tmp_path / "weka.txt").write_text(log)
    files = [{"path": str(tmp_path / "weka.txt"), "name": "weka.txt"}]
    job: dict[str, Any] = {"files": files, "given": {}, "id": "x", "folder": str(tmp_path)}
    looked = work.look(job)["files"][0]
    assert looked["log"] == "weka"
    sections = ["Error on training data", "Error on test data"]
    assert looked["choices"] == [
        {"name": "section", "label": "Section of the log", "values": sections, "required": True}
    ]
    assert looked["values"] == {"": ["x", "y"]}  # of two classes one can be the positive one
    with pytest.raises(InformedError, match="choose one") as refused:
        work.count(job)
    assert "“Section of the log: Error on test data”" in refused.value.worded(speaker("count"))
    assert work.count({**job, "given": {"choices": {"section": sections[1]}, "positive": "y"}})["n"] == 20


OF_SEVERAL = {  # what is chosen of a log of several tasks or systems, its first word, and how many cases are right
    "tasks": ("nanochat/base_model_000500_examples.jsonl", {}, "mean of 4 tasks, 80 items", 37),
    "a task": ("nanochat/base_model_000500_examples.jsonl", {"task": "boolq"}, "Score 0.600 [0.379, 0.794] on 20", 12),
    "systems": ("promptfoo/sentiment13.csv", {}, "model-a is better than model-b: +0.615", 12),
    "a system": ("promptfoo/sentiment13.csv", {"system": "model-b"}, "Score 0.154 [0.027, 0.422] on 13 items", 2),
    "a scorer": ("promptfoo/sentiment.json", {"system": "model-a", "scorer": "exact"}, "On 5 questions this model", 3),
}


@pytest.mark.parametrize("what", OF_SEVERAL)
def test_tasks_and_systems_of_a_log_are_chosen_and_never_pooled(what: str, tmp_path: Path) -> None:
    name, chosen, said, right = OF_SEVERAL[what]
    file = {"path": str(ROOT / "tests" / "samples" / name), "name": Path(name).name}
    job: dict[str, Any] = {"files": [file], "given": {"choices": chosen}, "id": "x", "folder": str(tmp_path)}
    (looked,) = work.look(job)["files"]
    offered = {x["name"]: x["values"] for x in looked["choices"]}
    assert all(value in offered[field] for field, value in chosen.items())
    found = work.count(job)
    assert said in found["answer"][0]
    assert found["states"]["right"] == right
    if "scorer" in chosen:  # what is taken along speaks of the fields of the page
        assert "there is also passed (“Scorer: passed”)." in (tmp_path / "report.txt").read_text(encoding="utf-8")


def test_a_score_has_its_curve_and_its_best_threshold(client: TestClient) -> None:
    path = ROOT / "examples" / "breast-cancer.csv"
    key = client.post("/api/start").json()["files"][0]["id"]
    columns: Any = {"real": "diagnosis", "score": "score", "positive": "malignant"}
    made = streamed(client, "/api/score", {"id": key, **columns})["result"]["id"]
    asked = {"id": made, "whole": True, "miss": 5, "alarm": 1, "abstain": 0.1}
    found = client.post("/api/curve", json=asked).json()
    curve = informed.roc(informed.read(path, **columns))
    best = curve.best(cost=(5, 1))
    assert found["curve"]["auc"]["value"] == pytest.approx(curve.auc)
    assert found["best"]["threshold"] == pytest.approx(best.threshold)
    assert found["cost"]["low"] < found["cost"]["apparent"] < found["cost"]["expected_cost"] < found["cost"]["high"]
    assert found["best"]["recall"] == pytest.approx(best.recall)
    assert found["curve"]["tp"][-1] == curve.positives
    for t, tp in zip(found["curve"]["thresholds"][1:], found["curve"]["tp"][1:], strict=True):
        assert tp == curve.table_at(t).tp  # each point that is shown is exact
    assert 0 < found["reject"]["coverage"] <= 1
    assert found["reject"]["expected_cost"] <= found["reject"]["without"] + 1e-12
    assert client.post("/api/curve", json={"id": "x"}).status_code == 404
    assert client.post("/api/curve", json={"miss": 0}).status_code == 400
    assert client.post("/api/curve", json={"whole": True}).json()["curve"]["labels"][0] == "ill"


@pytest.mark.parametrize(
    "groups", [{"unit": "document"}, {"item": "question"}, {"unit": "document", "item": "question"}]
)
def test_scores_of_units_have_intervals_between_them(client: TestClient, groups: dict[str, str]) -> None:
    rng = np.random.default_rng(11)
    real = np.repeat(rng.random(60) < 0.5, 2)  # each question twice, five to a document
    score = rng.normal(real, 1).round(2)
    columns = {"document": np.arange(120) // 10, "question": np.arange(120) // 2}
    lines = [f"{'ab'[int(r)]},{s},{d},{q}" for r, s, d, q in zip(real, score, *columns.values(), strict=True)]
    key = sent(client, "scores.csv", "\n".join(["real,score,document,question", *lines, ""]).encode())
    done = streamed(client, "/api/score", {"id": key, "real": "real", "score": "score", "positive": "b", **groups})

    given: Any = {name: columns[column] for name, column in groups.items()}
    curve = informed.roc(real=np.where(real, "b", "a"), score=score, positive="b", **given)
    area = curve.interval()
    key = done["result"]["id"]
    found = client.post("/api/curve", json={"id": key, "whole": True}).json()["curve"]
    assert (found["auc"]["low"], found["auc"]["high"]) == pytest.approx((area.low, area.high))
    assert found["unit"] == groups.get("unit", "item")

    at = 0.5
    shown = client.post("/api/threshold", json={"id": key, "at": at}).json()["measures"][0]
    limits = informed.interval(curve.table_at(at), "informedness")
    assert (shown["low"], shown["high"]) == pytest.approx((limits.low, limits.high))
    assert client.post("/api/threshold", json={"id": key, "at": None}).json()["measures"][0]["value"] == 0


def test_simulated_tables_stream_and_are_those_of_the_library(client: TestClient) -> None:
    asked = {"generator": "multinomial", "k": 3, "n": 60, "levels": "0,0.5", "replicates": 100}
    response = client.post("/api/simulate", json={**asked, "seed": 11})
    lines = [json.loads(line) for line in response.text.splitlines()]
    assert [line["done"] for line in lines] == [8 * (i + 1) for i in range(25)]
    result = Experiment(k=3, n=60, levels=(0, 0.5), replicates=100, measures=("informedness",), seed=11, chunk=4).run()
    row = next(r for r in lines[-1]["rows"] if r["measure"] == "informedness" and r["level"] == 0.5)
    assert row["mean"] == pytest.approx(result.value("informedness", "mean", level=0.5))
    variance = result.value("informedness", "variance", level=0.5)
    assert row["sd"] == pytest.approx(variance**0.5)
    margins = {"prevalence": "rare", "guess": "even"}
    response = client.post("/api/simulate", json={"k": 2, "n": 400, "levels": "0.6", "replicates": 400, **margins})
    means = {r["measure"]: r["mean"] for r in json.loads(response.text.splitlines()[-1])["rows"]}
    world = population(0.6, k=2, **margins)
    for name in ("informedness", "markedness", "cohen_kappa", "accuracy"):  # lines that differ
        assert means[name] == pytest.approx(float(informed.find(name)(world)), abs=0.02)


def test_a_figure_of_the_papers_builds_and_is_that_of_reproduce(client: TestClient) -> None:
    response = client.post("/api/figure", json={"name": "fig-6", "replicates": 60})
    lines = [json.loads(line) for line in response.text.splitlines()]
    assert [line["done"] for line in lines] == [20, 50, 60]
    made = reproduce("fig-6", replicates=60)
    assert lines[0]["paper"] == made.paper
    assert lines[-1]["modern"] == made.modern
    key = lines[-1]["id"]
    assert client.get(f"/results/{key}/figure.csv").text == made.csv()
    assert client.get(f"/results/{key}/figure.svg").headers["content-type"] == "image/svg+xml"
    still = client.post("/api/figure", json={"name": "iccs-1"}).text.splitlines()
    assert json.loads(still[0])["paper"] == reproduce("iccs-1").paper
    assert len(still) == 1
    assert [n for n, held in FIGURES.items() if "curves" not in held] == list(STILL)
    for bad in ({"name": "fig-99"}, {"name": "fig-2", "replicates": 1_000_000}, {}):
        assert client.post("/api/figure", json=bad).status_code == 400


@pytest.mark.parametrize(
    "asked",
    [
        {"replicates": 1_000_000},
        {"replicates": limits.TABLES, "levels": "0,1"},
        {"k": 11},
        {"k": 2.5},
        {"n": 10**9},
        {"n": 1},
        {"generator": "nothing"},
        {"levels": "0:1:0.000000001"},
        {"levels": "0:1:0"},
        {"levels": "x"},
        {"levels": 3},
        {"levels": "0," * 99},
        {"levels": "2"},
        {"seed": -1},
    ],
)
def test_an_experiment_has_its_limits(client: TestClient, asked: dict[str, Any]) -> None:
    response = client.post("/api/simulate", json=asked)
    assert response.status_code == 400
    assert response.json()["error"]


def test_a_long_simulation_is_stopped(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SIMULATION", 0.0)
    lines = client.post("/api/simulate", json={"replicates": 100}).text.splitlines()
    assert [json.loads(line) for line in lines] == [{"error": "That took too long and was stopped here."}]


# ---------------------------------------------------------------------- who may ask


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example:8421", "evil.example:8421", "", "[::1", "a b"]
)
def test_a_foreign_host_is_refused_everywhere(client: TestClient, host: str) -> None:
    for path in ("/", "/static/app.js", "/results/x/report.html"):
        assert client.get(path, headers={"host": host}).status_code == 400
    assert client.post("/api/start", headers={"host": host}).status_code == 400


@pytest.mark.parametrize("host", ["localhost:8421", "127.0.0.1", "[::1]:8421"])
def test_the_names_of_this_machine_are_taken(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 200


API = (
    *("/api/start", "/api/table", "/api/solve", "/api/report", "/api/upload", "/api/look"),
    *("/api/compare", "/api/score", "/api/curve", "/api/simulate", "/api/figure", "/api/kind", "/api/watch"),
)


@pytest.mark.parametrize("path", [*API, "/api/count", "/api/unknown"])
def test_everything_that_computes_needs_the_token(client: TestClient, path: str) -> None:
    for token in ("", "wrong", SECRET + "x", SECRET[:-1], "é"):
        response = client.post(path, json={"counts": A}, headers={TOKEN.encode(): token.encode()})
        assert response.status_code == 403
        assert "token" in response.json()["error"]


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "https://127.0.0.1:8421"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_other_sites_are_refused_even_with_the_token(client: TestClient, headers: dict[str, str]) -> None:
    assert client.post("/api/table", json={"counts": A}, headers=headers).status_code == 403


def test_no_site_is_given_leave(client: TestClient) -> None:
    asked = {"origin": "http://evil.example", "access-control-request-method": "POST"}
    answer = client.options("/api/table", headers=asked)
    assert answer.status_code == 403
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_every_answer_is_sealed(client: TestClient) -> None:
    answers = [
        client.get("/"),
        client.get("/static/app.js"),
        client.get("/nothing"),
        client.post("/api/start"),
        client.get("/", headers={"host": "evil.example"}),
    ]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert SECRET not in answer.text  # the token is never in a page


def test_the_page_has_no_inline_script_and_asks_nobody_else() -> None:
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    assert page.count("<script") == 1
    assert '<script type="module" src="/static/app.js"></script>' in page
    for path in STATIC.rglob("*"):
        if path.suffix in (".js", ".css", ".html") and "vendor" not in path.parts:
            text = path.read_text(encoding="utf-8")
            assert "http://" not in text
            assert "https://" not in text
            assert "innerHTML" not in text
            assert "dangerouslySetInnerHTML" not in text


@pytest.mark.parametrize(
    "path",
    [
        "/results/../upload/report.html",
        "/results/x/../../etc/passwd",
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
    ],
)
def test_no_path_leads_out(client: TestClient, path: str) -> None:
    assert client.get(path).status_code in (400, 404)


def test_no_reader_opens_a_path_that_was_sent(client: TestClient) -> None:
    samples = ROOT / "tests" / "samples" / "trec"
    run = sent(client, "run.txt", (samples / "results.test").read_bytes())
    for name in ("qrels", "run"):
        asked = {"id": run, "choices": {name: str(samples / "qrels.test")}}
        said = streamed(client, "/api/count", asked)["error"]
        assert said == f"`{name}` names a file of the machine; the lab reads only files that were given to it."
    opened = {kind: paths_of(kind)[1:] for kind in FORMATS if paths_of(kind)[1:]}
    assert opened == {"trec": ["qrels", "run"]}


def test_a_worker_imports_nothing_from_where_the_lab_was_started(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gzip.py").write_text("raise SystemExit(1)\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert streamed(client, "/api/look", {"id": "example-digits"})["result"]


def test_of_a_name_only_letters_and_the_ending_are_used(client: TestClient) -> None:
    assert ending("../../x/.ssh/KEYS.CSV.gz") == ".csv.gz"
    for name in ("passwd", "x.py", "x.sqlite", "x.csv/../../y", "x.gz", "", ".csv"):
        response = client.post("/api/upload", params={"name": name}, content=b"a,b\n")
        assert response.status_code == 400
    key = sent(client, "../../../tmp/evil.csv", b"a,b\n1,1\n")
    held = client.app.state.lab.files[key]  # type: ignore[attr-defined]  # Starlette
    folder: Path = client.app.state.lab.folder  # type: ignore[attr-defined]  # Starlette
    assert held.path == folder / f"upload-{key}" / "evil.csv"
    assert held.name == "evil.csv"
    for forged in ("/etc/passwd", "../x", key + "x", None, 3, ["x"]):
        assert client.post("/api/look", json={"id": forged}).status_code == 404


# ---------------------------------------------------------------------- how much


@pytest.mark.parametrize(
    "asked",
    [
        {"counts": [[1] * 13] * 13},
        {"counts": [[1]]},
        {"counts": [[1, 2], [3]]},
        {"counts": [[1, 2, 3], [4, 5, 6]]},
        {"counts": [[1, -2], [3, 4]]},
        {"counts": [[1, 1e300], [3, 4]]},
        {"counts": [["x", 1], [2, 3]]},
        {"counts": "x"},
        {},
        {"counts": A, "labels": ["a", "a"]},
        {"counts": A, "labels": ["a", "x" * 300]},
        {"counts": A, "labels": [1, 2]},
        {"counts": A, "focus": 2},
        {"counts": A, "focus": 0.5},
        {"counts": A, "miss": 0},
        {"counts": A, "miss": True},
        {"counts": A, "keep": "everything"},
        {"counts": A, "move": 3},
        {"counts": A, "move": {"kind": "jump"}},
        {"counts": A, "move": {"kind": "cell", "row": 2, "column": 0, "value": 1}},
        {"counts": A, "move": {"kind": "point", "recall": 2, "fallout": 0}},
        {"counts": A, "move": {"kind": "ratio", "name": "n", "value": 1}},
    ],
)
def test_a_bad_question_is_one_sentence(client: TestClient, asked: dict[str, Any]) -> None:
    for quick in (True, False):
        response = client.post("/api/table", json={**asked, "quick": quick})
        assert response.status_code == 400
        assert response.json()["error"].endswith(".")


def test_what_is_no_json_is_refused(client: TestClient) -> None:
    for content in (b"", b"{", b"[1]", b"\xff", b"[" * 60_000, b'{"counts": [[NaN, 1], [1, 1]]}'):
        assert client.post("/api/table", content=content).status_code == 400


@pytest.mark.parametrize("half", [rb"\ud800", b"\xed\xa0\x80"])
def test_half_a_character_is_refused(client: TestClient, half: bytes) -> None:
    named = b'{"counts": [[5, 2], [1, 4]], "labels": ["%s", "b"]}' % half
    assert client.post("/api/report", content=named).status_code == 400
    column = b'{"id": "example-digits", "real": "%s", "predicted": "%s"}' % (half, half)
    assert client.post("/api/count", content=column).status_code == 400


def test_a_large_body_is_refused_whatever_it_claims(client: TestClient) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(20):
            yield b"x" * 8192

    assert client.post("/api/table", content=b"x" * (limits.BODY + 1)).status_code == 413
    assert client.post("/api/table", content=chunks()).status_code == 413
    lying = {"content-length": "minus one"}
    assert client.post("/api/start", headers=lying).status_code == 413


def test_a_file_beyond_the_limit_is_refused_and_removed(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "UPLOAD", 100_000)
    folder: Path = client.app.state.lab.folder  # type: ignore[attr-defined]  # Starlette
    before = set(folder.iterdir())

    def chunks() -> Iterator[bytes]:
        for _ in range(20):
            yield b"x" * 10_000

    response = client.post("/api/upload", params={"name": "x.csv"}, content=chunks())
    assert response.status_code == 413
    assert set(folder.iterdir()) == before


def test_a_full_disk_is_one_sentence(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    held: Any = client.app.state.lab  # type: ignore[attr-defined]  # Starlette
    path = held.folder / "full"
    path.symlink_to("/dev/full")
    monkeypatch.setattr(held, "place", lambda name: (name, path))
    monkeypatch.setattr(routes_data, "MODE", "wb")
    response = client.post("/api/upload", params={"name": "x.csv"}, content=b"x" * (1 << 20))
    assert response.status_code == 507
    assert "No space left" in response.json()["error"]
    assert not path.is_symlink()


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "UNPACKED", 1 << 20)
    packed = tmp_path / "bomb.csv"  # its name does not say that it is packed
    packed.write_bytes(gzip.compress(b"0" * (4 << 20)))
    with pytest.raises(InformedError, match="unpacks to more than"):
        work.check_unpacked(packed)
    for name, bomb in (("bz2", bz2.compress(b"0" * (4 << 20))), ("zst", zstandard.compress(b"0" * (4 << 20)))):
        (tmp_path / f"{name}.csv").write_bytes(bomb)
        with pytest.raises(InformedError, match="unpacks to more than"):
            work.check_unpacked(tmp_path / f"{name}.csv")
        (tmp_path / f"cut-{name}.csv").write_bytes(bomb[: len(bomb) // 2])
        with pytest.raises(InformedError, match="damaged"):
            work.check_unpacked(tmp_path / f"cut-{name}.csv")
    archive = tmp_path / "bomb.eval"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as held:
        held.writestr("x", b"0" * (4 << 20))
    with pytest.raises(InformedError, match="unpacks to more than"):
        work.check_unpacked(archive)
    (tmp_path / "fine.csv.gz").write_bytes(gzip.compress(b"a,b\n"))
    work.check_unpacked(tmp_path / "fine.csv.gz")
    (tmp_path / "cut.csv.gz").write_bytes(gzip.compress(os.urandom(1000))[:500])
    with pytest.raises(InformedError, match="damaged"):
        work.check_unpacked(tmp_path / "cut.csv.gz")


def test_a_question_that_takes_too_long_is_given_up(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ANSWER", 0.0)
    for path, asked in (
        ("/api/table", {"counts": A}),
        ("/api/table", {"counts": A, "quick": True}),
        ("/api/solve", {"three": {"recall": 0.8, "fallout": 0.3, "prevalence": 0.2}}),
        ("/api/curve", {}),
        ("/api/report", {"counts": A}),
    ):
        response = client.post(path, json=asked)
        assert response.status_code == 503
        assert "too long" in response.json()["error"]


def test_a_body_that_stalls_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STALLED", 0.01)

    async def never() -> Any:
        await asyncio.sleep(60)

    async def read() -> Any:
        return await _measured(never, 100)()

    with pytest.raises(HTTPException) as error:
        asyncio.run(read())
    assert error.value.status_code == 408


def test_an_id_is_no_class(client: TestClient) -> None:
    rows = "truth,answer\n" + "".join(f"{i},{i}\n" for i in range(limits.FILE_CLASSES + 1))
    key = sent(client, "ids.csv", rows.encode())
    said = streamed(client, "/api/count", {"id": key, "real": "truth", "predicted": "answer"})
    assert "different labels" in said["error"]


def test_work_that_takes_too_long_is_given_up(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    key = sent(client, "x.csv", b"a,b\n1,1\n")
    monkeypatch.setattr(limits, "WORK", 0.0)
    assert "too long" in streamed(client, "/api/look", {"id": key})["error"]


def test_nothing_is_said_after_a_result(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is slow to end, on a busy machine, is not working any more."""

    class SlowToEnd(Worker):
        async def line(self, seconds: float) -> bytes | None:
            return await super().line(seconds) or None  # never seen to end

    monkeypatch.setattr(routes_data, "Worker", SlowToEnd)
    monkeypatch.setattr(limits, "WORK", 60.0)
    key = sent(client, "x.csv", b"a,b\n1,1\n")
    assert "files" in streamed(client, "/api/look", {"id": key})["result"]
    assert "no column" in streamed(client, "/api/count", {"id": key, "real": "c", "predicted": "b"})["error"]


def test_workers_that_are_ended_at_any_moment_leave_nothing(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("real,predicted,count\na,a,5\nb,a,1\n")
    job = {"task": "look", "files": [{"path": str(path), "name": "x.csv"}]}

    async def one(patience: float) -> Worker:
        worker = Worker(job)
        end = time.monotonic() + patience
        while time.monotonic() < end and await worker.line(0.01) != b"":
            pass
        worker.end()
        worker.end()  # ending twice is ending
        return worker

    async def all_() -> list[Worker]:
        rounds = [await asyncio.gather(*(one(t), one(t + 0.3))) for t in (0.0, 0.05, 0.6, 20.0)]
        return [worker for done in rounds for worker in done]

    made = asyncio.run(all_())
    assert wait_for(lambda: all(w.process.returncode is not None for w in made))
    assert [w.process.returncode for w in made[-2:]] == [0, 0]
    assert made[0].process.returncode == -signal.SIGKILL
    assert not caplog.records


def test_temporary_files_of_a_job_go_with_it(tmp_path: Path) -> None:
    """Files that are unpacked or kept beside are in the folder of the job, and go when it is ended halfway."""
    path, scratch = tmp_path / "x.csv", tmp_path / "job"
    rows = b"real,predicted\n" + b"a,a\nb,b\na,b\n" * 4_000_000
    path.write_bytes(bz2.compress(rows, 1))
    job = {"task": "look", "files": [{"path": str(path), "name": "x.csv"}], "given": {}}

    async def one() -> Worker:
        scratch.mkdir()
        worker = Worker(job, scratch)
        for _ in range(1200):
            await worker.line(0.05)
            if [x for x in scratch.rglob("*") if x.is_file()]:
                break
        else:
            raise AssertionError("nothing was unpacked")
        worker.end()
        return worker

    asyncio.run(one())
    assert wait_for(lambda: not scratch.exists())


# ---------------------------------------------------------------------- the command


Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def lab() -> Iterator[Start]:
    """Starts the command; whatever a test comes to, nothing that it started stays."""
    started: list[subprocess.Popen[str]] = []

    def start(*words: str, **more: str) -> subprocess.Popen[str]:
        here = {"PYTHONPATH": PACKAGES, "PYTHONUNBUFFERED": "1"}
        process = subprocess.Popen(
            [sys.executable, "-m", "informed", "lab", "--no-browser", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, **here, **more},
        )
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--host", "0.0.0.0"), "give a --token"),
        (("--host", "0.0.0.0", "--token", "short"), "at least 8"),
        (("no-such-file.csv",), "does not exist"),
        (("--port", "99999"), "99999"),
    ],
)
def test_the_command_refuses(lab: Start, words: tuple[str, ...], said: str) -> None:
    process = lab(*words)
    output, _ = process.communicate(timeout=30)
    assert process.returncode == 2
    assert said in output
    assert "Traceback" not in output


def test_others_are_let_in_only_with_a_warning(lab: Start) -> None:
    process = lab("--host", "0.0.0.0", "--token", "long enough", "--port", "0")
    assert process.stdout is not None
    assert "warning: everybody who reaches this machine" in process.stdout.readline()
    process.terminate()
    process.communicate(timeout=20)


LONGER = "a longer token"


def port_of(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    return int(process.stdout.readline().split("/#")[0].rpartition(":")[2])


def ask(port: int, path: str, body: Any, more: int = 0) -> socket.socket:
    """Send a question, or blocks of a file, to a lab that may still be starting.

    `more` bytes are promised and never sent.
    """
    deadline = time.monotonic() + 20
    while True:
        try:
            stream = socket.create_connection(("127.0.0.1", port))
            break
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.05)
    blocks = body if isinstance(body, list) else [json.dumps(body).encode()]
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{TOKEN}: {LONGER}\r\n"
    stream.sendall(f"{head}Content-Length: {sum(map(len, blocks)) + more}\r\n\r\n".encode())
    for block in blocks:
        stream.sendall(block)
    stream.settimeout(30)
    return stream


def test_a_file_is_never_held_in_memory_and_goes_when_the_lab_is_ended(lab: Start, tmp_path: Path) -> None:
    process = lab("--port", "0", "--token", LONGER, TMPDIR=str(tmp_path))
    port = port_of(process)

    def most_after(megabytes: int) -> int:
        """Kilobytes that the lab held at most, once it has taken a file of this size."""
        blocks = [b"a,b\n" * (1 << 18)] * megabytes
        with ask(port, "/api/upload?name=x.csv", blocks) as stream:
            assert b" 200 " in stream.recv(65536)
        held = Path(f"/proc/{process.pid}/status").read_text()
        return int(held.split("VmHWM:")[1].split()[0])

    with ask(port, "/api/table", {"counts": A}) as stream:  # imports what is imported on first use
        assert b" 200 " in stream.recv(65536)
    before = most_after(1)
    assert most_after(64) - before < 8 * 1024
    with ask(port, "/api/upload?name=x.csv", [b"a,b\n"], more=1 << 20):
        pass  # the browser is closed before the end of its file
    assert listening(port) == {"0100007F"}  # 127.0.0.1, and nowhere else
    (folder,) = tmp_path.iterdir()
    assert wait_for(lambda: len(list(folder.glob("upload-*"))) == 2)
    assert sorted(x.stat().st_size >> 20 for x in folder.glob("*/x.csv")) == [1, 64]
    process.terminate()
    assert process.wait(20) in (0, -signal.SIGTERM)
    assert not list(tmp_path.iterdir())


def test_a_client_that_leaves_leaves_no_work_and_the_lab_nothing_at_all(lab: Start, tmp_path: Path) -> None:
    big = tmp_path / "big.csv"
    with big.open("w") as out:
        out.write("truth,answer\n")
        block = "".join(f"{i % 7},{i % 5}\n" for i in range(100_000))
        for _ in range(60):
            out.write(block)
    private = tmp_path / "private"
    private.mkdir()
    process = lab(str(big), "--port", "0", "--token", LONGER, TMPDIR=str(private))
    port = port_of(process)
    with ask(port, "/api/start", {}) as stream:
        held = stream.recv(65536).decode()
        while '"ratios"' not in held:
            held += stream.recv(65536).decode()
    key = json.loads(held[held.index("{") :])["files"][0]["id"]
    stream = ask(port, "/api/count", {"id": key, "real": "truth", "predicted": "answer"})
    stream.recv(65536)
    assert wait_for(lambda: workers(process.pid) == 1)
    stream.close()  # the browser is gone
    assert wait_for(lambda: workers(process.pid) == 0)
    many = {"k": 10, "n": 100_000, "replicates": 5000, "levels": "0:1:0.1"}
    with ask(port, "/api/simulate", many) as stream:
        stream.recv(65536)
    assert wait_for(lambda: idle(process.pid))
    process.send_signal(signal.SIGHUP)  # the terminal is closed
    assert process.wait(20) == 0
    assert not list(private.iterdir())
    assert big.exists()  # a file of the command line stays


def test_fifty_who_drag_lose_nothing_and_cost_little() -> None:
    spec = spec_from_file_location("lab_load", ROOT / "benchmarks" / "lab_load.py")
    assert spec is not None
    assert spec.loader is not None
    lab_load = module_from_spec(spec)
    spec.loader.exec_module(lab_load)
    times, lost, cost = lab_load.measured(1)
    assert lost == 0
    assert len(times) == 200
    assert cost < 0.01  # seconds of processor time; half a core for fifty would be 2.5 ms


def idle(pid: int) -> bool:
    """Whether a process does next to nothing for a third of a second."""

    def ticks() -> int:
        held = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return int(held[11]) + int(held[12])

    before = ticks()
    time.sleep(0.33)
    return ticks() - before <= 2


def listening(port: int) -> set[str]:
    """The addresses at which this port is listened to, as the kernel writes them."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {row[1][:8] for row in rows if row[1][9:] == f"{port:04X}" and row[3] == "0A"}


def workers(parent: int) -> int:
    """Processes that this one started and that still run."""
    path = Path(f"/proc/{parent}/task")
    return sum(len((task / "children").read_text().split()) for task in path.iterdir())


def wait_for(what: Any, seconds: float = 15) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.05)
    return False
