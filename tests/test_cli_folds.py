"""`informed compare --fold`: whatever the folds are, headline and gate come from their design."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command_line import ok, refused, run

SYSTEMS = ["--real", "y", "--predicted", "a", "--predicted", "b"]


def written(path: Path, apart: float, *, folds: int = 1, repeats: int = 4, moved: float = 0.0) -> str:
    """Items that two systems answer again in every repeat, better by so much, and as each training turns out."""
    rng = np.random.default_rng(7)
    items = 60
    real = rng.integers(2, size=items)
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["id", "fold", "repeat", "y", "a", "b"])
        for repeat in range(repeats):
            fold = rng.permutation(items) % folds
            luck = moved * (-1) ** repeat * np.array([1, -1])
            right = rng.random((items, 2)) < np.clip(luck + np.array([0.7 + apart, 0.7]), 0, 1)
            answers = np.where(right, real[:, None], 1 - real[:, None])
            out.writerows([i, fold[i], repeat, real[i], *answers[i]] for i in range(items))
    return str(path)


def told(*words: str) -> dict[str, Any]:
    return dict(json.loads(ok("compare", *words, *SYSTEMS, "--format", "json")))


DESIGNS = {
    "training-seeds": (["--fold", "repeat", "--design", "training-seeds"], {"folds": 1}, "crossed"),
    "decoding-seeds": (["--fold", "repeat", "--design", "decoding-seeds"], {"folds": 1}, "items"),
    "repeated": (["--fold", "fold", "--repeat", "repeat"], {"folds": 5}, "corrected-t"),
    "partition": (["--fold", "fold"], {"folds": 5, "repeats": 1}, "items"),
}


@pytest.mark.parametrize("design", list(DESIGNS))
@pytest.mark.parametrize(("apart", "found"), [(0.0, False), (0.28, True)])
def test_repeated_items_tell_systems_apart_where_they_differ(
    design: str, apart: float, found: bool, tmp_path: Path
) -> None:
    words, how, method = DESIGNS[design]
    file = written(tmp_path / "f.csv", apart, **how)
    held = told(file, *words, "--item", "id")["folds"]
    assert (held["design"], held["method"]) == (design, method)
    pair = held["pairs"][0]
    assert (pair["adjusted"] < 0.05) == found
    assert (pair["low"] > 0) == found


def test_seeds_of_training_lead_the_page_and_the_gate(tmp_path: Path) -> None:
    """One good and one bad training of each system: their answers alone would tell the systems apart."""
    file = written(tmp_path / "f.csv", 0.14, moved=0.14)
    asked = ["compare", file, *SYSTEMS, "--fold", "repeat", "--item", "id", "--fail-unless", "0.02"]
    assert "--design training-seeds" in refused(*asked)
    done = run(*asked, "--design", "training-seeds")
    assert done.returncode == 1
    assert done.stdout.startswith("a is not shown to be ahead of b over 4 seeds of training")
    assert "is better than" not in done.stdout
    decoding = run(*asked, "--design", "decoding-seeds")
    assert decoding.returncode == 0
    assert decoding.stdout.startswith("a is better than b")
    seeds = [*asked[:-2], "--design", "training-seeds"]
    assert "--margin is of a comparison on items" in refused(*seeds, "--margin", "0.1")
    assert "no margin can be tested" in refused(*asked, "--design", "data-sets")


def test_what_the_folds_are_is_asked_where_the_items_do_not_show_it(tmp_path: Path) -> None:
    file = written(tmp_path / "f.csv", 0.1)
    asked = ["compare", file, *SYSTEMS, "--fold", "repeat"]
    assert "Every id has the same rows in each of the 4 folds" in refused(*asked, "--unit", "id")
    assert "seeds of training" in ok(*asked, "--unit", "id", "--design", "training-seeds")
    rows = Path(file).read_text().splitlines()
    uneven = tmp_path / "uneven.csv"
    uneven.write_text("\n".join(rows[:1] + [x for x in rows[1:] if int(x.split(",")[0]) < 9 or x.split(",")[2] != "3"]))
    said = refused("compare", str(uneven), *SYSTEMS, "--fold", "repeat", "--item", "id")
    assert "9 items are in 4 folds, 51 items are in 3 folds; say by --design" in said
    assert "lr is a ratio" in refused(*asked, "--item", "id", "--measure", "lr")


# ---------------------------------------------------------------------- items once, and units by their name


def test_slices_of_repeated_items_pool_each_once(tmp_path: Path) -> None:
    """An item whose repeats fall into several slices counts once in the pool, however many they are."""
    uneven = Path(written(tmp_path / "f.csv", 0.2, repeats=3))
    rows = uneven.read_text().splitlines()
    uneven.write_text(
        "\n".join(rows[:1] + [x for x in rows[1:] if int(x.split(",")[0]) < 20 or x.split(",")[2] == "0"])
    )
    held = told(str(uneven), "--item", "id", "--by", "repeat")
    pooled = [x["pooled"] for x in held["by repeat"]["systems"]]
    assert pooled == pytest.approx([held["measures"]["informedness"][x] for x in "ab"])


def test_units_are_called_as_their_column(tmp_path: Path) -> None:
    file = written(tmp_path / "f.csv", 0.2, repeats=3)
    patients = tmp_path / "g.csv"
    patients.write_text(Path(file).read_text().replace("id,", "patient_id,", 1).replace(",fold,", ",score,", 1))
    named = [str(patients), "--unit", "patient_id"]
    said = ok("compare", "--full", *SYSTEMS, *named)
    assert "on the same 180 cases of 60 patients" in said
    assert "patients needed" in said
    curve = ok("roc", "--full", *named, "--real", "y", "--score", "a", "--positive", "1")
    assert "60 patients with 180 scored cases" in curve
    assert "resamples of the patients" in curve
    elsewhere = ["--design", "elsewhere", "--apparent", ".4", "--reach", ".2"]
    judged = ok("judge", *named, "--real", "y", "--predicted", "a", "--positive", "1", *elsewhere)
    assert " patients, are needed" in judged
    assert "on 180 items of 60 patients" in ok("agree", "--full", *named, "--raters", "a,b")
    assert "on 60 items" in ok("agree", "--full", str(patients), "--item", "patient_id", "--raters", "a,b")


# ---------------------------------------------------------------------- what the page says


def test_what_is_said_of_folds_needs_their_column(tmp_path: Path) -> None:
    file = written(tmp_path / "f.csv", 0.2)
    for option, value in (("--repeat", "repeat"), ("--design", "partition"), ("--test-share", "0.1")):
        said = refused("compare", file, *SYSTEMS, "--item", "id", option, value)
        assert f"{option} is of folds; name their column with --fold" in said


def test_repeats_that_are_not_named_are_noticed(tmp_path: Path) -> None:
    file = written(tmp_path / "f.csv", 0.2, folds=5, repeats=2)
    merged = ok("compare", "--full", file, *SYSTEMS, "--item", "id", "--fold", "fold")
    many = written(tmp_path / "many.csv", 0.2, folds=5, repeats=4)
    assert "of several repeats, name these" in refused("compare", many, *SYSTEMS, "--item", "id", "--fold", "fold")
    assert "are more than once in the same fold" in merged
    named = ok("compare", "--full", file, *SYSTEMS, "--item", "id", "--fold", "fold", "--repeat", "repeat")
    assert "more than once" not in named
    assert "take them for independent find a difference half of the time" in " ".join(named.split())


def test_folds_that_are_taken_for_seeds_say_so(tmp_path: Path) -> None:
    file = Path(written(tmp_path / "f.csv", 0.2))
    file.write_text(file.read_text().replace("repeat", "seed", 1))
    asked = ["compare", str(file), *SYSTEMS, "--item", "id", "--fold", "seed"]
    assert "taken for seeds of training" in " ".join(ok(*asked, "--full").split())
    assert "taken for" not in " ".join(ok(*asked, "--design", "training-seeds").split())


def test_readers_of_the_same_cases_are_no_seeds(tmp_path: Path) -> None:
    file = Path(written(tmp_path / "f.csv", 0.2))
    file.write_text(file.read_text().replace("repeat", "reader", 1))
    asked = ["compare", str(file), *SYSTEMS, "--item", "id", "--fold", "reader"]
    for more in ((), ("--design", "training-seeds")):
        assert "Obuchowski" in refused(*asked, *more)
    assert "seeds of decoding" in ok(*asked, "--design", "decoding-seeds", "--full")
