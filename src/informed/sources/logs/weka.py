"""WEKA: predictions (`-p`), or the confusion matrices of a summary, whose rows are real.

Predictions print `3:virginic`: the index of the class, and its name cut to eight characters.
Both together are the label, in the order of the index, so that names cut alike stay apart.
"""

from __future__ import annotations

import re
from collections.abc import Container
from itertools import count
from pathlib import Path
from typing import NamedTuple

from informed.evidence.labels import text
from informed.sources.logs.bounded_files import Problem, lines
from informed.sources.logs.formats import Format
from informed.sources.logs.log import Case, Log, Reported

TABLE = re.compile(r"inst#[\s,]+actual[\s,]+predicted[\s,]+error")
MATRIX = "=== Confusion Matrix ==="
SECTION = re.compile(r"=== (.+?) ===")
CLASS = re.compile(r"(\d+|\?):(.*)")
CERTAINTY = re.compile(r"\+|\*?[\d.]+")
STATISTICS = {
    "accuracy": re.compile(r"Correctly Classified Instances\s+[\d.]+\s+([\d.]+)\s+%"),
    "kappa": re.compile(r"Kappa statistic\s+(-?[\d.]+)"),
    "instances": re.compile(r"Total Number of Instances\s+([\d.]+)"),
}

Row = tuple[int, str, list[float]]  # of a matrix: its line, its class, its counts


def recognise(head: str) -> bool:
    """Whether predictions or a confusion matrix of WEKA are in the text."""
    return MATRIX in head or bool(TABLE.search(head))


def matrix_at_end(head: bytes, tail: bytes) -> bool:
    """Whether a confusion matrix comes after a long printed model."""
    return b"\0" not in head and MATRIX.encode() in tail


@Format("weka", "WEKA output", recognise, certain=False, ends=matrix_at_end, choose="section")
def read(path: Path) -> Log:
    """The cases of the predictions if there are any, else of the confusion matrices."""
    predictions: list[_Prediction] = []
    rows: list[Row] = []
    matrices: dict[str, list[Row]] = {}
    reported: dict[str, dict[str, float]] = {}

    section, inside = "summary", ""
    for number, line in lines(path):
        title = SECTION.fullmatch(line.strip())
        if line.strip() == MATRIX:
            inside = "matrix"
            rows = matrices[_unused(section, matrices)] = []
        elif title:
            section, inside = title.group(1), ""
        elif TABLE.match(line.lstrip()):
            inside = "predictions"
        elif inside == "predictions" and line.strip():
            predictions.append(_prediction(line, number))
        elif inside == "matrix" and "|" in line:
            rows.append(_counts(line, number))
        elif inside == "matrix" and line.strip() and "<-- classified as" not in line:
            inside = ""  # more of the summary

        for name, pattern in STATISTICS.items():
            if found := pattern.match(line):
                value = _decimal(found.group(1), number)
                reported.setdefault(section, {})[name] = value / (100 if name == "accuracy" else 1)

    if predictions:
        return _from_predictions(predictions, path)
    return _from_matrices(matrices, reported, path)


# ---------------------------------------------------------------- predictions


class _Prediction(NamedTuple):
    line: int
    instance: int
    real: tuple[int, str] | None
    predicted: tuple[int, str] | None
    error: bool


def _prediction(line: str, number: int) -> _Prediction:
    """One line, word by word: a pattern for names with spaces would be slow on hostile lines."""
    words = re.split(r"[\s,]+", line.strip())
    starts = [i for i, word in enumerate(words) if CLASS.fullmatch(word)][:2]
    if len(starts) < 2 or starts[0] != 1 or not words[0].isdecimal():
        seen = "this is no prediction of a class (`1 3:virginic 2:versicol + 0.9`)"
        raise Problem(f"{seen}; a numeric class has no contingency table.", number)
    after = starts[1] + 1
    end = next((i for i in range(after, len(words)) if CERTAINTY.fullmatch(words[i])), len(words))
    return _Prediction(
        line=number,
        instance=_whole(words[0]),
        real=_class(words[1 : starts[1]]),
        predicted=_class(words[starts[1] : end]),
        error="+" in words[end : end + 1],
    )


def _class(words: list[str]) -> tuple[int, str] | None:
    index, _, name = " ".join(words).partition(":")
    return None if "?" in (index, name) else (_whole(index), name)


def _whole(digits: str) -> int:
    return int(digits[-18:])  # no index is longer, and int() of thousands of digits is refused


def _from_predictions(rows: list[_Prediction], path: Path) -> Log:
    classes: dict[int, str] = {}
    cases, fold, before = [], 1, 0
    for row in rows:
        for held in (row.real, row.predicted):
            if held is not None and classes.setdefault(*held) != held[1]:
                above = text(classes[held[0]])
                raise Problem(f"class {held[0]} is called {text(held[1])} here and {above} above.", row.line)

        fold += row.instance <= before  # instances are numbered anew in each fold
        before = row.instance
        mark = None if row.real is None else float(row.predicted is not None and not row.error)
        cases.append(Case(_name(row.real), _name(row.predicted), mark=mark, fields={"fold": fold}))

    return Log(path=path, cases=cases, labels=tuple(map(_name, sorted(classes.items()))))


def _name(held: tuple[int, str] | None) -> str | None:
    return None if held is None else f"{held[0]}:{held[1]}"


# ---------------------------------------------------------------- matrices


def _counts(line: str, number: int) -> Row:
    counts, _, after = line.partition("|")
    letter, equals, name = after.partition(" = ")
    if not equals or not letter.strip().isalpha() or not name.strip():
        raise Problem("this is no row of a confusion matrix (`48  2 |  a = name`).", number)
    return number, name.strip(), [_decimal(x, number) for x in counts.split()]


def _decimal(digits: str, number: int) -> float:
    if not re.fullmatch(r"-?\d{1,18}(\.\d*)?", digits):
        raise Problem(f"{text(digits)} is not a number.", number)
    return float(digits)


def _unused(section: str, used: Container[str]) -> str:
    """The name of a section, with a number where it is not the first of that name."""
    return next(name for i in count(1) if (name := section if i == 1 else f"{section} {i}") not in used)


def _from_matrices(matrices: dict[str, list[Row]], reported: dict[str, dict[str, float]], path: Path) -> Log:
    cases = []
    labels: tuple[str, ...] | None = None
    for section, rows in matrices.items():
        names = tuple(name for _, name, _ in rows)
        if labels not in (None, names):
            raise Problem("the confusion matrices of this file have different classes.")
        labels = names

        for number, real, counts in rows:
            if len(counts) != len(names) or len(set(names)) != len(names):
                seen = f"the row has {len(counts)} counts for {len(set(names))} classes"
                raise Problem(f"{seen}; a square matrix of different classes is needed.", number)
            pairs = zip(names, counts, strict=True)
            cases += [Case(real, predicted, times, fields={"section": section}) for predicted, times in pairs]

    if not cases:
        raise Problem("there is neither a prediction nor a confusion matrix in this file.")
    told = [Reported(x, name, scorer=section) for section, held in reported.items() for name, x in held.items()]
    return Log(path=path, cases=cases, choose="section", labels=labels, reported=told)
