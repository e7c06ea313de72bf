"""Neither refusing hard items nor leaving them out passes a gate, through any door.

A weak system misses each gate. It would clear it on its easy items alone, which every test shows,
and does not clear it by giving no answer to the hard ones or by not having been asked them.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import informed
from command_line import Done, run
from informed import Table
from informed.sklearn import score
from informed.testing import assert_informed
from informed.web.comparing import compared

N = 160
RNG = np.random.default_rng(5)
REAL = [f"{'AB'[x]}" for x in RNG.integers(0, 2, N)]
HARD = (np.arange(N) % 4 == 0).tolist()
WEAK = [
    ("B" if r == "A" else "A") if hard or i % 25 == 1 else r for i, (r, hard) in enumerate(zip(REAL, HARD, strict=True))
]
STRONG = [("B" if r == "A" else "A") if i % 12 == 2 else r for i, r in enumerate(REAL)]
SILENT = [None if hard else x for x, hard in zip(WEAK, HARD, strict=True)]
EASY = [i for i, hard in enumerate(HARD) if not hard]

Given = dict[str, str | None]
CHEATS: dict[str, Given] = {
    "honest": {str(i): x for i, x in enumerate(WEAK)},
    "refuses": {str(i): x for i, x in enumerate(SILENT)},
    "leaves out": {str(i): WEAK[i] for i in EASY},
}
BASE: Given = {str(i): x for i, x in enumerate(STRONG)}
THIRD: Given = {str(i): r if i % 3 else "A" for i, r in enumerate(REAL)}


def table(path: Path, *answers: Given, every: bool = True) -> str:
    """Items, real labels and a column for each system; rows of items that the first lacks too, if `every`."""
    with path.open("w", newline="") as out:
        to = csv.writer(out)
        to.writerow(["id", "real", *"abc"[: len(answers)]])
        to.writerows(
            [i, real, *(x.get(str(i)) for x in answers)] for i, real in enumerate(REAL) if every or str(i) in answers[0]
        )
    return str(path)


def samples(path: Path, answers: Given, task: str = "t", *, marks: bool = False, items: range = range(N)) -> str:
    """A log as lm-evaluation-harness writes it, of answers that are classes, or each another text."""
    path.mkdir(parents=True, exist_ok=True)
    rows = []
    for i in items:
        if (said := answers.get(str(i), "gone")) == "gone":
            continue
        gold = f"{REAL[i]}{i}" if marks else REAL[i]
        mine = "[invalid]" if said is None else f"{said}{i}" if marks else said
        about = {"doc_id": i, "doc": {"q": str(i)}, "target": gold, "doc_hash": str(i), "filter": "none"}
        told = {"resps": [[mine]], "filtered_resps": [mine], "metrics": ["exact_match"]}
        rows.append({**about, **told, "arguments": {}, "exact_match": float(mine == gold)})
    name = path / f"samples_{task}_2026-11-16T07-01-04.476462.jsonl"
    name.write_text("\n".join(map(json.dumps, rows)) + "\n")
    return str(name)


COLUMNS = ("--real", "real", "--predicted", "a")
TWO = (*COLUMNS, "--predicted", "b")
WORSE = ("--fail-worse", "0")
ONE, BOTH = ("--fail-under", "informedness=0.8"), (*WORSE, "--fail-under", "informedness=0.8")


def dropped(cheat: str) -> tuple[str, ...]:
    """A missing label is no answer, or for a system that leaves items out, dropped."""
    return ("--missing", "drop" if cheat == "leaves out" else "abstain")


def of_columns(folder: Path, cheat: str) -> tuple[str, ...]:
    return "compare", table(folder / "x.csv", CHEATS[cheat], BASE), *TWO, *dropped(cheat)


def of_three(folder: Path, cheat: str) -> tuple[str, ...]:
    third = ("--predicted", "c", "--item", "id", "--baseline", "b")
    return "compare", table(folder / "x.csv", CHEATS[cheat], BASE, THIRD), *TWO, *third, *dropped(cheat)


def of_joined(folder: Path, cheat: str) -> tuple[str, ...]:
    own = [table(folder / f"{n}.csv", x, every=False) for n, x in (("weak", CHEATS[cheat]), ("strong", BASE))]
    return "compare", *own, *COLUMNS, "--on", "id"


def of_different_items(folder: Path, cheat: str) -> tuple[str, ...]:
    own = [table(folder / f"{n}.csv", x) for n, x in (("weak", CHEATS[cheat]), ("strong", BASE))]
    return "compare", *own, *COLUMNS, *dropped(cheat)


def of_logs(folder: Path, cheat: str, *, marks: bool = False) -> tuple[str, ...]:
    return "compare", *(samples(folder / n, x, marks=marks) for n, x in (("weak", CHEATS[cheat]), ("strong", BASE)))


def of_marks(folder: Path, cheat: str) -> tuple[str, ...]:
    return of_logs(folder, cheat, marks=True)


def of_suite(tasks: int, *, marks: bool) -> Callable[[Path, str], tuple[str, ...]]:
    def made(folder: Path, cheat: str) -> tuple[str, ...]:
        for i in range(tasks):
            items = range(i * N // tasks, (i + 1) * N // tasks)
            for name, x in (("weak", CHEATS[cheat]), ("strong", BASE)):
                samples(folder / name, x, f"task{i}", marks=marks, items=items)
        return "compare", f"weak={folder / 'weak'}", f"strong={folder / 'strong'}"

    return made


def of_report(folder: Path, cheat: str) -> tuple[str, ...]:
    return "report", table(folder / "x.csv", CHEATS[cheat]), *COLUMNS, *dropped(cheat)


DOORS: dict[str, tuple[Callable[[Path, str], tuple[str, ...]], tuple[str, ...]]] = {
    "report": (of_report, ONE),
    "columns": (of_columns, BOTH),
    "three": (of_three, BOTH),
    "joined": (of_joined, BOTH),
    "different items": (of_different_items, BOTH),
    "logs": (of_logs, BOTH),
    "marks": (of_marks, (*WORSE, "--fail-under", "score=0.85")),
    **{f"suite of {n}": (of_suite(n, marks=False), BOTH) for n in (1, 2, 3)},
    **{f"suite of {n}, marks": (of_suite(n, marks=True), (*WORSE, "--fail-under", "score=0.85")) for n in (1, 2, 3)},
}


def asked(door: str, cheat: str, folder: Path, *more: str) -> Done:
    words, gates = DOORS[door]
    folder.mkdir(exist_ok=True)
    return run(*words(folder, cheat), *gates, *more)


@pytest.mark.parametrize("door", DOORS)
def test_a_cheat_passes_nowhere(door: str, tmp_path: Path) -> None:
    """Nor by one gate of two: each is missed, or none is checked."""
    n = sum(word.startswith("--fail") for word in DOORS[door][1])
    for cheat, code in (("honest", 1), ("refuses", 1)):
        done = asked(door, cheat, tmp_path / cheat)
        assert done.returncode == code, (cheat, done.stdout, done.stderr)
        assert done.stderr.count("gate failed: ") == n, (cheat, done.stderr)
    done = asked(door, "leaves out", tmp_path / "left")
    assert done.returncode == 3, (done.stdout, done.stderr)
    assert "40 of 160 cases" in done.stderr
    assert "were not run (25 %), more than 5 %: no gate was checked." in done.stderr
    # That it would pay is why it is guarded: on the easy items alone the gates are cleared.
    assert asked(door, "leaves out", tmp_path / "left", "--max-not-run", "1").returncode == 0
    alone = asked(door, "refuses", tmp_path / "refuses", "--count", "answered")
    assert alone.returncode == 0, alone.stderr
    assert "answered" in alone.stdout or "left out" in alone.stdout  # on one screen


@pytest.mark.parametrize("marks", [False, True])
@pytest.mark.parametrize("left", [1, 2])
def test_a_task_that_is_not_there_stops_the_gate(left: int, marks: bool, tmp_path: Path) -> None:
    """However many tasks remain, and whether the file is deleted or garbage."""
    words = of_suite(3, marks=marks)(tmp_path, "honest")
    hard = sorted((tmp_path / "weak").iterdir())[left:]
    for path in hard:
        path.write_text('{"doc_id": 1, "doc": {\n')
    for _ in range(2):
        done = run(*words, "--fail-worse", "0.9")
        assert done.returncode == 3, done.stderr
        assert "cases of weak were not run" in done.stderr
        for path in hard:
            path.unlink(missing_ok=True)


def test_labels_in_a_test_suite() -> None:
    for cheat, missing in ((WEAK, "error"), (SILENT, "abstain")):
        with pytest.raises(AssertionError, match=r"misses 0\.7"):
            assert_informed(real=REAL, predicted=cheat, missing=missing, at_least=0.7)
    with pytest.raises(AssertionError, match=r"40 of 160 cases were not run \(25 %\)"):
        assert_informed(real=REAL, predicted=SILENT, missing="drop", at_least=0.7)
    assert_informed(real=REAL, predicted=SILENT, missing="drop", at_least=0.7, max_not_run=0.3)


def test_a_scorer_over_all_cases() -> None:
    """What the page of scikit-learn tells to choose by where a model may abstain."""
    of_all, of_answered = (
        [score(name, REAL, said, missing="abstain") for said in (WEAK, SILENT)]
        for name in ("accuracy_of_all", "accuracy")
    )
    assert of_all[1] == of_all[0]
    assert of_answered[1] > of_answered[0]
    right = [x if x == r else None for x, r in zip(WEAK, REAL, strict=True)]
    assert score("informedness_of_all", REAL, [None, *right[1:]], missing="abstain") < 1


@pytest.mark.parametrize("marks", [False, True])
def test_the_lab_ranks_over_all_items(marks: bool, tmp_path: Path) -> None:
    def answer(cheat: str) -> dict[str, Any]:
        _, *paths = of_logs(tmp_path / cheat, cheat, marks=marks)
        files = [{"path": x, "name": Path(x).parent.name + ".jsonl"} for x in paths]
        return compared({"files": files, "given": {"layout": "logs"}, "id": "x", "folder": tmp_path}, lambda _: None)

    honest, refuses, left = map(answer, CHEATS)
    for found in (honest, refuses):
        assert [x["name"] for x in found["systems"]] == ["strong", "weak"]
        assert found["differences"][0]["pvalue"] < 0.05
    assert refuses["systems"][1]["coverage"] == pytest.approx(0.75)
    assert left["items"] == 120
    assert any("120 of 160 items count" in str(note) for note in left["notes"])


def test_a_leaderboard_says_what_it_left_out() -> None:
    real = dict(enumerate(REAL))
    said = {
        name: {int(i): x for i, x in held.items()} for name, held in (("weak", CHEATS["leaves out"]), ("strong", BASE))
    }
    board = informed.leaderboard(real=real, predictions=said)
    assert str(board.notes[0]).startswith("120 of 160 items count in both (not run: 40 of weak)")
    refuses = informed.leaderboard(real=REAL, predictions={"weak": SILENT, "strong": STRONG}, missing="abstain")
    assert refuses.leaders == ("strong",)
    whole = Table.from_labels(real=REAL, predicted=SILENT, missing="abstain")
    assert refuses.estimate[0] == pytest.approx(informed.informedness_of_all(whole))
