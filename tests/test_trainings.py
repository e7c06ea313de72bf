"""Seeds of a training: logs of systems that were trained several times, which are no epochs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import informed
from command_line import ok, refused, run
from informed.errors import InformedError, SourceError
from informed.evidence.paired import Paired, paired
from informed.sources.logs import Case, Log, load
from informed.sources.logs.seeds import trained
from informed.systems.trainings import over_seeds

N, SEEDS = 60, 4
GOLD = np.random.default_rng(0).integers(0, 3, N)


def answers(seed: int, skill: float) -> np.ndarray[Any, np.dtype[np.int64]]:
    """What one training says: how much it knows differs by training."""
    rng = np.random.default_rng(seed)
    knows = rng.random(N) < np.clip(skill + rng.normal(0, 0.08), 0, 1)
    return np.where(knows, GOLD, rng.integers(0, 3, N))


def rows(said: Any, **more: Any) -> list[dict[str, Any]]:
    return [
        {
            "doc_id": i,
            "doc": {"q": i, **more},
            "target": "abc"[real],
            "filtered_resps": ["abc"[answer]],
            "filter": "none",
            "metrics": ["exact_match"],
            "exact_match": float(real == answer),
        }
        for i, (real, answer) in enumerate(zip(GOLD.tolist(), said.tolist(), strict=True))
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A file for each training of two systems."""
    for i, name in enumerate(("new", "old")):
        for seed in range(SEEDS):
            path = tmp_path / f"{name}-{seed}.jsonl"
            path.write_text("\n".join(map(json.dumps, rows(answers(10 * i + seed, 0.8 - 0.3 * i)))))
    return tmp_path


def by_hand() -> Paired:
    """The same answers without logs: a row for each item and seed."""
    said = {
        name: np.concatenate([answers(10 * i + s, 0.8 - 0.3 * i) for s in range(SEEDS)])
        for i, name in enumerate(("new", "old"))
    }
    found = paired(np.tile(GOLD, SEEDS), said, item=np.tile(np.arange(N), SEEDS).tolist())
    return replace(found, kept={"seed": tuple(np.repeat(np.arange(SEEDS), N).tolist())})


def test_trainings_are_compared_as_folds_of_columns_are(folder: Path) -> None:
    found = trained({"new": [folder / "new-*"], "old": sorted(folder.glob("old-*"))})
    assert len(found) == N * SEEDS
    over, told = (informed.folds(x, fold="seed", design="training-seeds") for x in (found, by_hand()))
    assert over.method == "crossed"
    assert over.scores == pytest.approx(told.scores)
    assert over.pairs is not None
    assert told.pairs is not None
    for part in ("estimate", "standard_error", "low", "high"):
        assert getattr(over.pairs, part) == pytest.approx(getattr(told.pairs, part))
    held = json.loads(ok("compare", f"new={folder}/new-*", f"old={folder}/old-*", "--seed", "file", "--format", "json"))
    (pair,) = held["folds"]["pairs"]
    assert pair["estimate"] == pytest.approx(over.pairs.estimate[0, 1])
    assert (held["folds"]["design"], held["folds"]["folds"]) == ("training-seeds", SEEDS)


def test_a_training_is_no_epoch(folder: Path) -> None:
    """Merged as attempts at items, what varies between trainings would be left out."""
    found = trained({"new": [folder / "new-*"]})
    held = over_seeds(found)
    assert held.scores == pytest.approx(
        [float(informed.informedness(load(x).table())) for x in sorted(folder.glob("new*"))]
    )
    assert held.estimate == pytest.approx(float(informed.informedness(found.tables["new"])))
    merged = informed.interval(found.tables["new"], "informedness")
    assert held.low < merged.low < merged.high < held.high
    assert [note.code for note in held.notes] == ["few-seeds"]
    said = ok("report", f"new={folder}/new-*", "--seed", "file")
    assert said.startswith(f"new: informedness {held.estimate:.3f} [")
    assert f"over {SEEDS} seeds of training on {N} items" in said


def test_the_interval_over_seeds_by_hand() -> None:
    """The variance between items and that between trainings, less that of single answers."""
    right = np.array([[1, 1, 1, 0] * 100, [1, 1, 0, 0] * 100, [1, 1, 1, 1] * 100], bool)  # (seeds, items)
    real = ["ab"[i % 2] for i in range(400)]
    other = {"a": "b", "b": "a"}
    logs = [
        Log(
            Path(f"s{s}"),
            [Case(x, x if good else other[x], item=str(i)) for i, (x, good) in enumerate(zip(real, row, strict=True))],
        )
        for s, row in enumerate(right)
    ]
    held = over_seeds(trained({"x": logs}), measure="accuracy")
    assert held.scores == pytest.approx(right.mean(axis=1))
    assert held.estimate == pytest.approx(right.mean())
    effect = (right - right.mean()) / right.size
    items, seeds, alone = (effect.sum(axis=0), 400), (effect.sum(axis=1), 3), (effect**2).sum()
    crossed = sum((x**2).sum() * n / (n - 1) for x, n in (items, seeds)) - alone
    assert held.standard_error == pytest.approx(np.sqrt(crossed), rel=0.02), "but for the pseudo-cases"


def test_answers_that_are_left_out_over_seeds_are_said() -> None:
    logs = [
        Log(
            Path(f"run-{i}"),
            [Case(x, y or None, item=str(j)) for j, (x, y) in enumerate(zip("aabbaabb", said, strict=True))],
        )
        for i, said in enumerate((["a"] * 7 + [""], ["b"] * 8))
    ]
    found = over_seeds(trained({"new": logs}), count="answered")
    assert "1 of 16 cases got no answer" in " ".join(map(str, found.notes))


def test_seeds_by_model_and_by_field(folder: Path, tmp_path: Path) -> None:
    plain = over_seeds(trained({"new": [folder / "new-*"]}))
    named = [load(x) for x in sorted(folder.glob("new-*"))]
    models = [Log(log.path, log.cases, model=f"new-s{i}", choose="filter") for i, log in enumerate(named)]
    by_model = over_seeds(trained({"new": models}, seed="model"))
    assert by_model.seeds == tuple(f"new-s{i}" for i in range(SEEDS))
    every = [row for seed in range(SEEDS) for row in rows(answers(seed, 0.8), training=seed)]
    (tmp_path / "all.jsonl").write_text("\n".join(map(json.dumps, reversed(every))))
    by_field = over_seeds(trained({"new": [tmp_path / "all.jsonl"]}, seed="training"))
    assert by_field.seeds == tuple(range(SEEDS))
    for held in (by_model, by_field):
        assert (held.estimate, held.low, held.high) == pytest.approx((plain.estimate, plain.low, plain.high))


def test_answers_that_are_only_marked_are_right_or_wrong(tmp_path: Path) -> None:
    for i, name in enumerate(("new", "old")):
        for seed in range(3):
            held = [{**row, "target": f"x{row['doc_id']}"} for row in rows(answers(10 * i + seed, 0.8 - 0.3 * i))]
            (tmp_path / f"{name}-{seed}.jsonl").write_text("\n".join(map(json.dumps, held)))
    found = trained({name: [tmp_path / f"{name}-*"] for name in ("new", "old")})
    assert found.labels == ("right", "wrong")
    means = [np.mean([load(x).score().value for x in tmp_path.glob(f"{name}-*")]) for name in ("new", "old")]
    over = informed.folds(found, fold="seed", design="training-seeds", measure="accuracy")
    assert over.mean == pytest.approx(means)
    said = ok("compare", f"new={tmp_path}/new-*", f"old={tmp_path}/old-*", "--seed", "file")
    assert "accuracy" in said.splitlines()[0]
    assert ok("report", f"{tmp_path}/new-*", "--seed", "file").startswith("new-*: accuracy ")


def test_what_is_no_set_of_trainings_is_refused(folder: Path) -> None:
    with pytest.raises(SourceError, match="Each system needs as many trainings: new has 4, old has 2"):
        trained({"new": [folder / "new-*"], "old": sorted(folder.glob("old-*"))[:2]})
    with pytest.raises(SourceError, match="old has one training; two at least"):
        trained({"new": [folder / "new-*"], "old": [folder / "old-0.jsonl"]})
    with pytest.raises(SourceError, match="are not the models of one training each"):
        trained({"new": [folder / "new-*"]}, seed="model")
    with pytest.raises(InformedError, match="folds"):
        over_seeds(trained({name: [folder / f"{name}-*"] for name in ("new", "old")}))
    lm_eval = Path(__file__).parent / "samples/cases/lm_eval/org__model-a"
    assert "trainings are of one task at a time" in refused("report", str(lm_eval), "--seed", "file")
    assert "--reducer is not for them" in refused("report", f"{folder}/new-*", "--seed", "file", "--reducer", "max")


def test_a_gate_over_seeds(folder: Path) -> None:
    pair = (f"old={folder}/old-*", f"new={folder}/new-*", "--seed", "file")
    assert run("compare", *pair, "--fail-worse", "0").returncode == 1
    assert run("compare", *reversed(pair[:2]), *pair[2:], "--fail-worse", "0").returncode == 0
