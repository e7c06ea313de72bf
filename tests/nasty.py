"""The nasty data set: what every source must count alike, and files that must be refused."""

from __future__ import annotations

import gzip
import random
from typing import Any

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


def numbers(seed: int = 2, n: int = 100) -> Columns:
    """Whole numbers on one side, the same as floats on the other."""
    rng = random.Random(seed)
    real = [rng.randrange(3) for _ in range(n)]
    return {"real": real, "predicted": [float(rng.choice([r, 0, 1, 2])) for r in real]}


def truths(seed: int = 3, n: int = 100) -> Columns:
    """Booleans on one side, 0 and 1 on the other."""
    rng = random.Random(seed)
    return {"real": [rng.random() < 0.4 for _ in range(n)], "predicted": [rng.randrange(2) for _ in range(n)]}


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
