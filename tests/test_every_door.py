"""The same columns through every door of `read`: the same table as `Table.from_labels`, or the same refusal.

Labels are of every type that a column may have, and nasty. What a door cannot hold is listed, so that nothing is left
out unseen. Spark has its own file, `test_spark.py`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import informed
import nasty
from backends import EVERY, OF_SPARK, TEXT, Places
from informed import InformedError, Table

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
SEEDS = (1,)
DOORS = [
    "csv", "tsv.gz with BOM", "json lines", "json array", "parquet", "feather", "excel", "pandas", "polars",
    "polars lazy", "pyarrow", "dask", "duckdb relation", "duckdb connection", "sqlite", "postgres",
]  # fmt: skip
ZEROS, CONTROL = "text with zeros", "text with control characters"
UNTYPED = ("mixed", "lookalikes")  # columns of several types
LARGE = ("integers beyond 63 bits", "integers beyond 64 bits")
FINE, ZONED = "times to the nanosecond", "times with a zone"
MOMENTS = ("days", "times", FINE, ZONED)
# What a door has no type for, or what its library changes before we see it.
CANNOT: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("csv", "tsv.gz with BOM"), (ZEROS,)),
    **dict.fromkeys(("parquet", "feather", "polars", "polars lazy", "pyarrow"), UNTYPED),
    **dict.fromkeys(("duckdb relation", "duckdb connection"), UNTYPED),
    "excel": (ZEROS, CONTROL, "integers beyond floats", *LARGE, "infinity", *MOMENTS, "bytes"),
    "sqlite": (*LARGE, "decimals", "decimals with fractions", "bools and numbers", *MOMENTS),
    "postgres": (ZEROS, FINE, *UNTYPED),
    "spark": (FINE, *UNTYPED),
}
# Doors that are read by the code of another, which is given every kind: these are given few.
ALIKE = {"tsv.gz with BOM": "csv", "json array": "json lines", "feather": "parquet", "dask": "pandas"}
FEW = (
    "text",
    CONTROL,
    "text and none",
    "integers beyond floats",
    "floats and NaN",
    "bools and numbers",
    ZONED,
    "mixed",
)
POLICIES: tuple[dict[str, Any], ...] = (
    {},
    {"missing": "drop"},
    {"missing": "abstain"},
    {"missing": "drop", "abstain": "b"},
    {"missing": "drop", "labels": ["b", "a"]},
    {"missing": "drop", "labels": ["a"]},
)


def told(real: list[Any], predicted: list[Any], policy: dict[str, Any]) -> Any:
    return said(lambda: Table.from_labels(real=real, predicted=predicted, **policy))


def said(make: Any) -> Any:
    """The table, or what is refused: the sentence without the source, its columns, and the example that it names."""
    try:
        t = make()
    except InformedError as error:
        short = re.sub(r"^.*?(the \w+ (frame|relation)|the database|cases\.[\w.]+|postgres|cases): ", "", str(error))
        short = re.sub(r" \((positions?|rows?) [^)]*\)", "", short)
        short = re.sub(r"\((text|a number)\)", "", short)  # of two that are alike either may come first
        return re.sub(r"`\w+`|'[^']*'|\"[^\"]*\"|[-\d.]+|inf", "…", short)
    return t.labels, t.counts.tolist(), t.abstained.tolist(), int(t.missing)


def spelled(door: str, x: Any) -> str | None:
    """A label as a text file has it; the empty text is missing."""
    if x is None or x == "":
        return None
    if "json" not in door or not isinstance(x, bool | int | float):
        return str(x)
    return None if x != x else json.dumps(x)


def as_held(door: str, side: list[Any]) -> list[Any]:
    """The labels as the door holds them: text, or what they are."""
    if door in TEXT:
        return [spelled(door, x) for x in side]
    return [None if x == "" else x for x in side] if door == "excel" else side


def check(door: str, kind: str, columns: tuple[list[Any], list[Any]], places: Places) -> None:
    real, predicted = columns
    source, options = EVERY[door]({"row": list(range(len(real))), "real": real, "predicted": predicted}, places)
    policies = POLICIES if kind == "text and none" else POLICIES[: 1 + nasty.lacks(columns)]
    for policy in policies:
        expected = told(as_held(door, real), as_held(door, predicted), policy)
        got = said(lambda how=policy: informed.read(source, real="real", predicted="predicted", **how, **options))
        assert got == expected, (door, kind, policy, got, expected)


@pytest.mark.parametrize("backend", DOORS)
def test_same_table_or_same_refusal(backend: str, places: Places) -> None:
    for seed in SEEDS:
        for kind, columns in nasty.every_kind(seed).items():
            if kind not in CANNOT.get(backend, ()) and (backend not in ALIKE or kind in FEW):
                check(backend, kind, columns, places)


def test_every_door_is_tried() -> None:
    others = {"semicolons", "shards", "fsspec", "pandas with arrow", "sqlite connection", "ibis"}  # test_sources.py
    assert {*DOORS, *OF_SPARK, *others} == set(EVERY)
    assert all(kind in nasty.KINDS for kinds in (*CANNOT.values(), FEW) for kind in kinds)
    assert {*ALIKE, *ALIKE.values()} <= {*DOORS}


def test_what_a_door_cannot_hold_is_refused(tmp_path: Path) -> None:
    places = Places(tmp_path)
    for door, kind, says in (
        ("csv", ZEROS, "holds zero bytes"),
        ("excel", "integers beyond floats", "of which not all digits are kept"),
        ("excel", "integers beyond 64 bits", "of which not all digits are kept"),
    ):
        real, predicted = nasty.every_kind(1)[kind]
        source, options = EVERY[door]({"real": real, "predicted": predicted}, places)
        with pytest.raises(InformedError, match=says):
            informed.read(source, real="real", predicted="predicted", **options)
