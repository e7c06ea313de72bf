"""The nasty data set: what every source must count alike, and files that must be refused."""

from __future__ import annotations

import datetime as dt
import gzip
import random
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

Columns = dict[str, list[Any]]

WORDS = [
    "plain",
    "01",
    "1",
    "1.0",
    "NA",
    "None",
    "null",
    "nan",
    "True",
    "true",
    "",
    "  two spaces  ",
    'with "quotes"',
    '"',
    "it's",
    "comma, semicolon; tab\there | pipe",
    "two\nlines",
    "Zürich",
    "日本語",
    "e\u0301 is not é",
    "🙂",
    "'; DROP TABLE cases; --",
    "%s %(x)s ? :name {0} $1",
    "\\N",
    "#comment",
]


def labels(seed: int = 1, n: int = 400) -> Columns:
    """Text labels with missing ones on both sides, groups, weights (some zero), and scores."""
    rng = random.Random(seed)
    words = [w for w in WORDS if w]
    real = [rng.choice(words) for _ in range(n)]
    predicted = [r if rng.random() < 0.6 else rng.choice(words) for r in real]
    return {
        "real": [None if rng.random() < 0.03 else r for r in real],
        "pre dicted": [None if rng.random() < 0.05 else p for p in predicted],
        "group": [rng.choice(["A", "b b", "Ç"]) for _ in range(n)],
        "weight": [rng.choice([0.0, 0.5, 1.0, 2.25]) for _ in range(n)],
        "score": [round(rng.random() * rng.random(), 3) for _ in range(n)],
    }


def many_labels(n: int = 10_000) -> Columns:
    """Ten thousand different predictions of two classes."""
    return {"real": ["yes" if i % 3 else "no" for i in range(n)], "predicted": [f"cluster {i}" for i in range(n)]}


def systems(seed: int = 4, n: int = 60) -> Columns:
    """Three systems on the same items; one row for each answer, in any order."""
    rng = random.Random(seed)
    rows = []
    for i in range(n):
        real = rng.choice("xyz")
        rows += [
            (f"item {i}", system, real, real if rng.random() < skill else rng.choice("xyz"))
            for system, skill in (("good", 0.9), ("fair", 0.5), ("guess", 0.0))
        ]
    rng.shuffle(rows)
    return dict(zip(("id", "system", "real", "answer"), map(list, zip(*rows, strict=True)), strict=True))


GOOD = "real,predicted\n" + "a,b\nb,b\n" * 2000
ZIPPED = gzip.compress(GOOD.encode())
# What must be refused: name of the file, content, and a part of the sentence that says why.
BROKEN: dict[str, tuple[str, bytes, str]] = {
    "empty": ("empty.csv", b"", "is empty"),
    "blank": ("blank.csv", b"\n\n  \n", "is empty"),
    "header only": ("header.csv", b"real,predicted\n", "no rows"),
    "missing column": ("missing.csv", b"real,predict\na,b\n", "Did you mean 'predict'"),
    "two alike": ("twice.csv", b"real,predicted,real\na,b,c\n", "2 columns called 'real'"),
    "latin-1": ("latin.csv", (GOOD + "é,b\n").encode("latin-1"), "is not in utf-8 (line 4,002)"),
    "late latin-1": (
        "late.csv",
        (GOOD * 100 + "é,b\n").encode("latin-1").replace(b"\nreal,predicted", b""),
        "line 400,002: this is not in the encoding",
    ),
    "latin-1 header": ("latin2.csv", "réal,predicted\na,b\n".encode("latin-1"), "line 1"),
    "short row": ("short.csv", (GOOD + "a\n").encode(), "line 4,002: this row has 1 fields"),
    "long row": ("long.csv", b"real,predicted\na,b\na,b,c\n", "line 3: this row has 3"),
    "open quote": ("quote.csv", b'real,predicted\n"a,b\na,b\n', "line 2"),
    "truncated gz": ("cut.csv.gz", ZIPPED[: len(ZIPPED) // 2], "incomplete gzip"),
    "rubbish gz": ("rubbish.csv.gz", b"\x1f\x8b" + bytes(range(200)), "incomplete gzip"),
    "rubbish": ("rubbish.csv", bytes(range(256)) * 40, "no text file"),
    "rubbish parquet": ("rubbish.parquet", b"PAR1" + bytes(range(256)), "Parquet"),
    "no parquet": ("no.parquet", b"real,predicted\na,b\n", "Parquet"),
    "rubbish arrow": ("rubbish.arrow", b"ARROW1" + bytes(range(256)), "Arrow"),
    "rubbish excel": ("rubbish.xlsx", b"PK\x03\x04" + bytes(range(256)), "Excel"),
    "rubbish sqlite": ("rubbish.db", b"SQLite format 3\x00" + bytes(range(256)), "give either `table=` or `query=`"),
    "bad json": ("bad.jsonl", b'{"real": "a", "predicted": "b"}\n{"real": \n', "line"),
    "json without": ("other.jsonl", b'{"real": "a", "guess": "b"}\n', "no column 'predicted'"),
    "one long line": ("huge.csv", b"real,predicted\na," + b"x" * 3_000_000 + b"\n", "longer than 2 MB"),
    "long header": ("header2.csv", b"x" * 3_000_000, "header line"),
}


# ---------------------------------------------------------------- labels of every type

UTC = dt.UTC
VIENNA = ZoneInfo("Europe/Vienna")
DAY = dt.datetime(2024, 2, 29, 23, 59, 59, 999999)
FINE = np.datetime64("2024-02-29T23:59:59.999999001", "ns")
NANO = np.timedelta64(1, "ns")
TEXTS = [
    *WORDS,
    " ",
    "Plain",
    "PLAIN",
    "plain ",
    "\u00e9",  # the same letter in two forms
    "e\u0301",
    "stra\u00dfe",
    "STRASSE",
    "\u200b",  # a space without width
    "\u202eback",
    "x" * 5000,
    "x" * 5000 + "y",
    "0",
    "-0",
    "1e3",
    "1_000",
    "18446744073709551617",
    "NaN",
    "NULL",
    "N/A",
    "<NA>",
    "inf",
    "false",
    "2024-02-29",
    "{}",
    "[1]",
    "= 1 + 1",
    "@x",
    "a,b\r\nc",
]
# What a column may hold: the labels of the real side, and of the predicted side.
KINDS: dict[str, tuple[list[Any], list[Any]]] = {
    "text": (TEXTS, TEXTS),
    "text with control characters": (["a", "a\x01", "a\x7f", "\x1b[31m"], ["a", "a\x01", "\x1b[31m"]),
    "text with zeros": (["a", "a\x00", "a\x00b"], ["a", "a\x00", "a\x00b"]),
    "text and none": (["a", "b", None], ["a", "b", None]),
    "integers": ([0, 1, -1, 7], [0, 1, -1, 7]),
    "integers beyond floats": ([2**53, 2**53 + 1, -(2**63), 2**63 - 1], [2**53, 2**53 + 1, 2**63 - 1]),
    "integers beyond 63 bits": ([2**63, 2**64 - 1, 2**64 - 2], [2**63, 2**64 - 1, 2**64 - 2]),
    "integers beyond 64 bits": ([2**64, 2**64 + 1, 2**100], [2**64, 2**64 + 1, 2**100]),
    "integers and none": ([1, 2, None], [1, 2, None]),
    "integers and whole floats": ([1, 2, 3], [1.0, 2.0, 3.0]),
    "floats and NaN": ([1.0, 2.0], [1.0, 2.0, float("nan")]),
    "fractions": ([0, 1], [0.25, 0.5, 1.0]),
    "infinity": ([0.0, 1.0], [0.0, float("inf")]),
    "decimals": ([Decimal("1.00"), Decimal("2.00")], [Decimal("1.00"), Decimal("2.00"), Decimal("3.00")]),
    "decimals with fractions": ([Decimal("1.50"), Decimal("2.25")], [Decimal("1.50"), Decimal("2.25")]),
    "bools": ([True, False], [True, False]),
    "bools and 0/1": ([True, False], [0, 1]),
    "bools and numbers": ([True, False], [0, 1, 2]),
    "text and numbers": (["a", "b"], [1, 2]),
    "numerals and numbers": (["1", "2"], [1, 2]),
    "days": ([dt.date(2024, 2, 29), dt.date(1, 1, 1)], [dt.date(2024, 2, 29), dt.date(9999, 12, 31)]),
    "times": ([DAY, DAY.replace(microsecond=0)], [DAY, DAY.replace(microsecond=999998), None]),
    "times to the nanosecond": ([FINE, FINE + NANO], [FINE, FINE + NANO, FINE + 2 * NANO]),
    "times with a zone": ([DAY.replace(tzinfo=UTC)], [DAY.replace(tzinfo=UTC), DAY.replace(tzinfo=VIENNA)]),
    "bytes": ([b"a", b"\x00", b"\xff\xfe"], [b"a", b"\x00", b"\xff\xfe"]),
    "mixed": (["a", 3, "b", None], ["a", 3, "b"]),
    "lookalikes": ([1, "1", 2], [1, "1", 2]),
}


def every_kind(seed: int, n: int = 40) -> dict[str, tuple[list[Any], list[Any]]]:
    """Columns of each kind, `n` labels a side; the first ones are all that the kind has."""
    rng = random.Random(seed)
    found = {}
    for kind, (real, predicted) in KINDS.items():
        drawn = [[*rng.sample(side, min(len(side), n)), *rng.choices(side, k=n)][:n] for side in (real, predicted)]
        found[kind] = (drawn[0], drawn[1])
    return found


def lacks(columns: tuple[list[Any], list[Any]]) -> bool:
    """Whether a label is missing, or is where the empty text is."""
    return any(x is None or x != x or x == "" for side in columns for x in side)
