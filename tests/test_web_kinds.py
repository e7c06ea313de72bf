"""Files of the lab that hold more than one answer a case: what is guessed of them, and the page that comes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import informed
from informed.web.looking import seen
from test_web import client, sent, streamed

__all__ = ["client"]  # a fixture

FILMS = "id,genre,answer,other\n" + "".join(
    f"{i},{real},{said},{other}\n"
    for i, (real, said, other) in enumerate(
        [
            ("drama;crime", "drama", "drama;crime"),
            ("comedy", "comedy;drama", "comedy"),
            ("crime;thriller", "crime", "crime;thriller"),
            ("", "comedy", ""),
            ("thriller", "crime;thriller", "thriller"),
        ]
        * 6
    )
)
STARS = "y_a,y_b,p_a,p_b\n" + "1,0,1,1\n0,1,0,1\n1,1,0,1\n0,0,0,0\n" * 5


def looked(tmp_path: Path, text: str) -> dict[str, Any]:
    path = tmp_path / "held.csv"
    path.write_text(text)
    return seen({"path": str(path), "name": "held.csv"})


def test_columns_of_tags_are_recognised(tmp_path: Path) -> None:
    found = looked(tmp_path, FILMS)
    assert found["tags"] == {"genre": ";", "answer": ";", "other": ";"}
    found = looked(tmp_path, STARS)
    assert (found["tags"], found["patterns"]) == ({}, {"y_*": "tags", "p_*": "tags"})
    found = looked(tmp_path, "real,said\n" + "a, b\n" * 3)  # a text with a comma is one label
    assert found["tags"] == {}


@pytest.mark.parametrize("systems", [["answer"], ["answer", "other"]])
def test_tags_are_reported_or_compared(client: TestClient, systems: list[str], tmp_path: Path) -> None:
    key = sent(client, "films.csv", FILMS.encode())
    asked = {"kind": "tags", "id": key, "real": "genre", "systems": systems, "separator": ";"}
    found = streamed(client, "/api/kind", asked)["result"]
    path = tmp_path / "films.csv"
    path.write_text(FILMS)
    held = informed.read(path, real="genre", predicted=systems, separator=";")
    ours = informed.report(held) if len(systems) == 1 else informed.compare.paired(held)
    assert found["answer"] == [ours.document().said]
    assert client.get(f"/results/{found['id']}/report.json").status_code == 200


def test_one_column_a_label(client: TestClient) -> None:
    key = sent(client, "stars.csv", STARS.encode())
    found = streamed(client, "/api/kind", {"kind": "tags", "id": key, "real": "y_*", "systems": ["p_*"]})["result"]
    assert "2 labels" in found["answer"][0]


def test_what_is_missing_is_said_in_the_words_of_the_form(client: TestClient) -> None:
    key = sent(client, "films.csv", FILMS.encode())
    lacking = client.post("/api/kind", json={"kind": "tags", "id": key, "systems": ["answer"]})
    assert lacking.status_code == 400
    assert lacking.json()["error"] == "“Real tags” is missing: which column is it?"
    assert client.post("/api/kind", json={"kind": "verses", "id": key}).status_code == 400
    assert client.post("/api/kind", json={"kind": "tags", "id": key, "real": "genre"}).status_code == 400


# ---------------------------------------------------------------------- a judge

GRADED = "id,judge,human\n" + "".join(
    f"{i},{judge},{human}\n"
    for i, (judge, human) in enumerate(
        [("good", "good"), ("bad", "bad"), ("good", ""), ("bad", ""), ("good", "bad"), ("good", "")] * 10
    )
)


def test_verdicts_and_some_gold_are_recognised(tmp_path: Path) -> None:
    found = looked(tmp_path, GRADED)
    assert (found["verdict"], found["gold"]) == ("judge", "human")
    found = looked(tmp_path, GRADED.replace("judge", "answer"))  # predictions, of which some have no truth
    assert (found["verdict"], found["gold"]) == (None, None)


def test_the_rate_behind_a_judge(client: TestClient) -> None:
    key = sent(client, "graded.csv", GRADED.encode())
    asked = {"kind": "judge", "id": key, "verdict": "judge", "gold": "human"}
    assert "“Whose rate”" in streamed(client, "/api/kind", asked)["error"]
    found = streamed(client, "/api/kind", {**asked, "positive": "good"})["result"]
    rows = [line.split(",") for line in GRADED.splitlines()[1:]]
    ours = informed.judge(verdict=[x[1] for x in rows], gold=[x[2] for x in rows], positive="good")
    assert found["answer"] == [ours.document().said]


# ---------------------------------------------------------------------- some were verified

SEEN = "id,filter,judge,human\n" + "".join(
    f"{i},{said},{judge},{human}\n"
    for i, (said, judge, human) in enumerate(
        [("ok", "ok", "ok"), ("bad", "bad", "bad"), ("ok", "bad", ""), ("bad", "ok", "ok"), ("ok", "ok", "")] * 20
    )
)


@pytest.mark.parametrize("judge", [None, "judge"])
def test_a_table_of_which_some_were_verified(client: TestClient, tmp_path: Path, judge: str | None) -> None:
    assert looked(tmp_path, SEEN)["gaps"] == ["human"]
    key = sent(client, "seen.csv", SEEN.encode())
    asked = {"kind": "verify", "id": key, "predicted": "filter", "gold": "human", "judge": judge, "positive": "bad"}
    found = streamed(client, "/api/kind", asked)["result"]
    _, said, judged, human = zip(*(line.split(",") for line in SEEN.splitlines()[1:]), strict=True)
    ours = informed.verified(predicted=said, gold=human, judge=judged if judge else None, positive="bad")
    assert found["answer"] == [ours.document().said]


# ---------------------------------------------------------------------- probabilities

RAIN = "rain,model,other\n" + "".join(
    f"{'yes' if i % 3 else 'no'},{0.2 + 0.01 * (i % 50) + 0.2 * (i % 3 > 0):.3f},{0.5 + 0.004 * (i % 40):.3f}\n"
    for i in range(120)
)


@pytest.mark.parametrize("systems", [["model"], ["model", "other"]])
def test_probabilities_are_reported_or_compared(client: TestClient, systems: list[str], tmp_path: Path) -> None:
    assert looked(tmp_path, RAIN)["scores"] == ["model", "other"]
    key = sent(client, "rain.csv", RAIN.encode())
    asked = {"kind": "probability", "id": key, "real": "rain", "systems": systems, "positive": "yes"}
    found = streamed(client, "/api/kind", asked)["result"]
    held = informed.read(tmp_path / "held.csv", real="rain", probability=systems)
    verb = informed.probabilities if len(systems) == 1 else informed.probabilities.compare
    assert found["answer"] == [verb(held, positive="yes").document().said]


def test_probabilities_of_several_systems_by_groups(client: TestClient) -> None:
    lines = RAIN.splitlines()
    text = f"{lines[0]},half\n" + "".join(f"{line},{'ab'[i > 60]}\n" for i, line in enumerate(lines[1:]))
    key = sent(client, "rain.csv", text.encode())
    asked = {"kind": "probability", "id": key, "real": "rain", "systems": ["model", "other"], "positive": "yes"}
    found = streamed(client, "/api/kind", {**asked, "by": "half"})["result"]
    page = client.get(f"/results/{found['id']}/report.html").text
    assert "By half" in page
    assert "log skill in each slice" in page


# ---------------------------------------------------------------------- watching


def test_a_watched_run(client: TestClient) -> None:
    """The bettor's looks are those of the library; a usual interval, looked at again and again, cries wolf."""
    found = client.post("/api/watch", json={"knows": 0.5, "seed": 3}).json()
    last = found["looks"][-1]
    assert last["n"] == found["n"] == 1000
    assert last["low"] <= 0.5 <= last["high"]
    assert found["stopped"] < 200
    again = client.post("/api/watch", json={"knows": 0.5, "seed": 3, "brief": True}).json()
    assert again == {name: value for name, value in found.items() if name != "looks"}

    guessing = [client.post("/api/watch", json={"knows": 0, "seed": s, "brief": True}).json() for s in range(4)]
    assert [x["stopped"] for x in guessing] == [None] * 4
    assert any(x["usual"] is not None for x in guessing)


def test_a_run_that_cannot_be(client: TestClient) -> None:
    for bad in ({"knows": 1}, {"prevalence": 0}, {"expect": "much"}, {"seed": 1.5}):
        assert client.post("/api/watch", json=bad).status_code == 400


# ---------------------------------------------------------------------- a run of one's own

RUN = "q,real,new,old\n" + "".join(
    f"{i},{real},{new},{old}\n"
    for i, (real, new, old) in enumerate(
        [("y", "y", "n"), ("n", "n", "n"), ("y", "y", "y"), ("n", "n", "y"), ("n", "y", "n"), ("y", "", "y")] * 30
    )
)


@pytest.mark.parametrize(
    "how", [{}, {"other": "old", "item": "q"}, {"against": 0.2, "expect": 0.6, "labels": ["y", "n"]}]
)
def test_a_file_is_watched_in_its_order(client: TestClient, how: dict[str, Any]) -> None:
    key = sent(client, "run.csv", RUN.encode())
    asked = {"kind": "watch", "id": key, "real": "real", "predicted": "new", **how}
    found = streamed(client, "/api/kind", asked)["result"]
    _, real, new, old = zip(*(line.split(",") for line in RUN.splitlines()[1:]), strict=True)
    ours = informed.watch(
        paired="other" in how, **{k: v for k, v in how.items() if k in ("against", "expect", "labels")}
    )
    given: Any = {"real": list(real), "predicted": [x or None for x in new]}
    ours.update(**given, **({"other": list(old)} if "other" in how else {}))
    assert found["answer"] == [ours.document().said]

    held = client.get(f"/results/{found['id']}/report.json").json()
    assert held["looks"][-1]["n"] == ours.n
    page = client.get(f"/results/{found['id']}/report.html").text
    assert "Money over time" in page
    assert "in the order of the file" in page


def test_the_order_of_the_file_is_that_of_the_looks(client: TestClient) -> None:
    """Right answers first, then wrong ones: who looked early saw what is gone at the end."""
    rows = ["y,y", "n,n"] * 40 + ["y,n", "n,y"] * 40
    asked = {"kind": "watch", "real": "real", "predicted": "said"}
    found = {}
    for name, held in (("right", rows), ("wrong", rows[::-1])):
        key = sent(client, f"{name}.csv", ("real,said\n" + "\n".join(held) + "\n").encode())
        id_ = streamed(client, "/api/kind", {**asked, "id": key})["result"]["id"]
        looks = client.get(f"/results/{id_}/report.json").json()["looks"]
        found[name] = max(x["wealth"] for x in looks)
    assert found["right"] > 20
    assert found["wrong"] <= 1


WATCHED: dict[str, tuple[str, dict[str, Any], str]] = {  # what is wrong with a run, and how it is said
    "third label": ("y,y\nn,n\nz,y\n", {}, "“Classes, where there are more than two”"),
    "no truth": ("y,y\n,n\n", {}, "“A missing label: drops the row”"),
    "other label": ("y,y\nn,z\n", {"labels": ["y", "n"]}, "'z' in “Predictions”"),
    "no column": ("y,y\n", {"predicted": "answer"}, "answer"),
    "half a line": ("y,y\nn", {}, "line"),
}


@pytest.mark.parametrize("case", WATCHED)
def test_what_is_wrong_with_a_run_is_said_in_the_words_of_the_form(client: TestClient, case: str) -> None:
    rows, how, words = WATCHED[case]
    key = sent(client, "run.csv", f"real,said\n{rows}".encode())
    asked = {"kind": "watch", "id": key, "real": "real", "predicted": "said", **how}
    found = streamed(client, "/api/kind", asked)
    said = found["error"] if "error" in found else " ".join(found["result"]["warnings"])
    assert words in said
    assert "`" not in said
    assert "--" not in said
    assert "upload" not in said  # no path


# ---------------------------------------------------------------------- labels in an order


def test_an_order_of_the_labels_gives_near_and_far_misses(client: TestClient) -> None:
    grades, key = ["none", "low", "high", "acute"], "example-triage"
    asked = {"id": key, "real": "urgency", "predicted": "new"}
    plain = streamed(client, "/api/count", asked)["result"]
    assert "far misses" not in client.get(f"/results/{plain['id']}/report.html").text
    found = streamed(client, "/api/count", {**asked, "labels": grades, "named": "id"})["result"]
    assert found["labels"] == grades
    assert "far misses" in client.get(f"/results/{found['id']}/report.html").text

    lacking = streamed(client, "/api/count", {**asked, "labels": grades[:3]})["error"]
    assert lacking == "triage.csv: 'acute' is not in “Order of the labels” (34 rows); add what is meant to be counted."
    twice = streamed(client, "/api/count", {**asked, "labels": ["none", *grades]})["error"]
    assert "“Order of the labels” holds 'none' twice" in twice


# ---------------------------------------------------------------------- questions that are none

COLUMNS: dict[str, dict[str, Any]] = {
    "tags": {"real": "genre", "systems": ["answer"]},
    "probability": {"real": "genre", "systems": ["answer"]},
    "judge": {"verdict": "answer", "gold": "genre"},
    "verify": {"predicted": "answer", "gold": "genre"},
    "watch": {"real": "genre", "predicted": "answer"},
}
STRANGE: list[Any] = [3, True, ["a", "b"], {"a": 1}, "x" * 1001]


@pytest.mark.parametrize("kind", COLUMNS)
def test_a_malformed_question_about_a_file_is_one_sentence(client: TestClient, kind: str) -> None:
    key, fine = sent(client, "films.csv", FILMS.encode()), COLUMNS[kind]
    bad: list[dict[str, Any]] = [{name: x} for name in fine for x in (None, "", *STRANGE) if name != "systems"]
    if "systems" in fine:
        bad += [{"systems": x} for x in (None, [], "answer", [1], ["a", "a"], [f"c{i}" for i in range(31)])]
    if kind == "watch":
        bad += [{"labels": x} for x in ("y,n", ["y"], [1, 2], ["y", ""], ["y", "x" * 1001], ["y"] * 1001)]
        bad += [{name: x} for name in ("against", "expect") for x in ("much", True, 2, [0])]
        bad += [{"missing": "error"}, {"other": 3}, {"other": "answer"}, {"predicted": "genre"}]
    bad += [{"unit": x} for x in STRANGE] if kind != "watch" else []
    for x in bad:
        response = client.post("/api/kind", json={"kind": kind, "id": key, **fine, **x})
        assert response.status_code == 400, x
        assert response.json()["error"].endswith((".", "?")), x
    for forged in ("/etc/passwd", "../x", None, 3, ["x"]):
        assert client.post("/api/kind", json={"kind": kind, **fine, "id": forged}).status_code == 404
    for name in (None, 3, ["tags"], "count", "look"):  # no other work is reached by it
        assert client.post("/api/kind", json={**fine, "id": key, "kind": name}).status_code == 400


def test_a_malformed_order_is_one_sentence(client: TestClient) -> None:
    for bad in ("a,b", ["a"], [1, 2], ["a", ""], {"a": 1}, ["x" * 1001, "y"]):
        response = client.post("/api/count", json={"id": "example-triage", "real": "urgency", "labels": bad})
        assert response.status_code == 400
        assert response.json()["error"].startswith("“Order of the labels” must be 2 to 1000 texts")
