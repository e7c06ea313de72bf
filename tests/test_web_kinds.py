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
