"""Columns of a file or a frame come in its own order, so that a row that is named is the one that is meant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import informed
from informed.errors import LabelError
from informed.sources.columns import columns

N = 5000


@pytest.fixture
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    return pd.DataFrame({"place": np.arange(N)[::-1], "b": rng.integers(0, 3, N)})


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl", "pandas", "polars"])
def test_rows_stay_in_their_order(tmp_path: Path, frame: pd.DataFrame, kind: str) -> None:
    path = tmp_path / f"cases.{kind}"
    if kind == "csv":
        frame.to_csv(path, index=False)
    elif kind == "parquet":
        frame.to_parquet(path)
    elif kind == "jsonl":
        frame.to_json(path, orient="records", lines=True)
    source: Any = {"pandas": frame, "polars": pl.from_pandas(frame)}.get(kind, path)

    found = columns(source, ["place", "b"])

    assert [int(x) for x in found["place"]] == frame["place"].tolist()
    assert [int(x) for x in found["b"]] == frame["b"].tolist()


def test_an_empty_probability_is_named_by_its_row(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    rows = [f"{'yes' if i % 2 else 'no'},{i / 150:.3f}" for i in range(150)]
    rows[1] = "yes,"
    path.write_text("\n".join(["real,p", *rows]), encoding="utf-8")
    with pytest.raises(LabelError, match=r"NaN for 1 case, at position 1 \(counted from 0\)"):
        informed.probabilities(informed.read(path, real="real", probability="p"), positive="yes")
