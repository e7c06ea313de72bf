"""One task of a suite: what each system gets there, and what every two of them differ by.

A task whose answers are classes gives informedness over all items that count; one that only marks
them gives what is above guessing among its options, or, where nothing says how many there are, its
score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from informed._arrays import Array, ratio
from informed.evidence.marks import Marks
from informed.evidence.paired import Paired
from informed.evidence.paired_marks import answers_of, shared
from informed.evidence.table import Table
from informed.inference.intervals import interval
from informed.inference.marks_score import spread
from informed.measures import Measure, find
from informed.systems.compare import compare
from informed.systems.difference import Difference
from informed.systems.paired_arc import PairedContrast

NUMBERS = ("estimate", "low", "high", "score", "reported", "coverage", "centred")
PSEUDO = 4  # cases that the whole suite is helped by, each task by its share
Pairs = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Task:
    """What the systems did on one task: their answers where these are classes, and always their marks."""

    name: str
    marks: Mapping[str, Marks]  # by system
    answers: Paired | Table | None = None  # of several systems, or of one
    reported: Mapping[str, float] | None = None  # the tool's own numbers


@dataclass(frozen=True)
class TaskGaps:
    """Differences of every two systems on a task, their variances, and what four pseudo-cases add to these."""

    estimate: Array
    variance: Array
    extra: Array
    df: Array  # of the variance

    @classmethod
    def of(cls, rows: Sequence[tuple[float, ...]]) -> TaskGaps:
        """From a row for each two systems."""
        return cls(*np.asarray(rows, np.float64).reshape(-1, 4).T)


@dataclass(frozen=True)
class TaskNumbers:
    """The numbers of each system on a task, and the differences of every two."""

    kind: str  # "informedness", "centred" or "score"
    numbers: Mapping[str, Array]  # NUMBERS
    gaps: TaskGaps
    bounds: tuple[float, float]  # that no system can pass
    items: int = 0
    alone: tuple[float, float, float] | None = None  # of two systems: limits and p-value of their difference here


def numbers_of(task: Task, names: Sequence[str], pairs: Pairs, level: float) -> TaskNumbers:
    """What the systems get on the items that count in all of them."""
    marks = shared([task.marks[name] for name in names], task.name)
    reported = task.reported or {}
    own = {
        "score": np.asarray([m.score for m in marks]),
        "reported": np.asarray([reported.get(name, np.nan) for name in names]),
        "coverage": np.asarray([m.coverage for m in marks]),
        "centred": np.asarray([_centred(m) for m in marks]),
    }
    found = _of_classes(task.answers, names, pairs, level) if task.answers is not None else None
    found = found or _of_marks(marks, pairs, level)
    alone = _alone(task.answers, marks, names, found.kind, level) if len(names) == 2 else None
    return TaskNumbers(found.kind, {**own, **found.numbers}, found.gaps, found.bounds, marks[0].n, alone)


def _centred(m: Marks) -> float:
    """DCLM's centred accuracy; free answers are not guessed, and of classes nobody knows how many were offered."""
    return m.centred() if m.knows_chance else m.score if m.real is None else np.nan


def _alone(
    answers: Paired | Table | None, marks: Sequence[Marks], names: Sequence[str], kind: str, level: float
) -> tuple[float, float, float] | None:
    """Limits and p-value of the difference of two systems, as `compare` finds them; None where it cannot."""
    stretch = 1.0
    if kind == "informedness" and isinstance(answers, Paired):
        found: Difference = compare.paired(answers, a=names[0], b=names[1], level=level)["informedness_of_all"]
    elif kind == "informedness" or marks[0].n < 2:
        return None
    else:
        guessed = marks[0].guessing[marks[0].item_weight > 0] if kind == "centred" else np.zeros(1)
        if np.ptp(guessed) > 0:
            return None
        found, stretch = compare(*marks, level=level), 1 / (1 - float(guessed[0]))
    low, high, p = (float(np.asarray(getattr(found, x))) for x in ("low", "high", "pvalue"))
    return low * stretch, high * stretch, p


def _of_classes(answers: Paired | Table, names: Sequence[str], pairs: Pairs, level: float) -> TaskNumbers | None:
    """Informedness over all items; None where it is undefined for one of the systems."""
    p = answers.among(names).counted if isinstance(answers, Paired) else None
    t = answers if isinstance(answers, Table) else p.tables if p is not None else None
    assert t is not None
    m = find("informedness_of_all")
    found = interval(t, m, level=level)
    numbers = {x: np.atleast_1d(np.asarray(getattr(found, x), np.float64)) for x in ("estimate", "low", "high")}
    if np.isnan(numbers["estimate"]).any():
        return None
    numbers["coverage"] = np.atleast_1d(np.asarray(find("coverage")(t)))
    rows = [_contrast(p, m, names[a], names[b]) for a, b in pairs if p is not None]
    return TaskNumbers("informedness", numbers, TaskGaps.of(rows), (-1.0, 1.0))


def _contrast(p: Paired, m: Measure, a: Any, b: Any) -> tuple[float, float, float, float]:
    """A difference, its variance at the counts, what four pseudo-cases add to that, and its degrees of freedom."""
    s = PairedContrast(m, p.joint(a, b))
    n, steadied = float(s.effective_n), float(s.closed_form[1])
    classes = float((s.joint.a.real_totals + s.joint.a.abstained > 0).sum())
    df = max(n - classes, 1.0) if s.worth is None else float(s.freedom)
    seen = float(np.nan_to_num(s.standard_error())) ** 2
    seen *= n / df if s.worth is None else 1.0
    whole = (steadied * (n + PSEUDO) / n) ** 2
    return float(s.estimate), seen, max(whole - seen, 0.0), df


def _of_marks(marks: Sequence[Marks], pairs: Pairs, level: float) -> TaskNumbers:
    """What is above guessing where what that gets is known, else the score."""
    kind = "centred" if all(m.knows_chance for m in marks) else "score"
    found = [interval(m, kind, level=level) for m in marks]
    numbers = {x: np.asarray([float(getattr(f, x)) for f in found]) for x in ("estimate", "low", "high")}
    values = [m.centred_values() if kind == "centred" else m.values for m in marks]
    lead, whole = marks[0], all(m.whole for m in marks)
    w, guessed = lead.item_weight, lead.guessing if kind == "centred" else np.zeros(len(lead.items))
    stretch = float(np.sqrt(np.average((1 - guessed) ** -2, weights=w)))
    p = answers_of(dict(enumerate(marks))) if whole else None

    rows = []
    for a, b in pairs:
        estimate, error, df = spread((values[a] - values[b])[:, None], w, lead.unit)
        extra = 0.0
        if p is not None:
            *_, extra, df_ = _contrast(p, find("accuracy"), a, b)
            df = min(df, df_)
        else:
            extra = 1 / (df + 2) ** 2  # an item more, at either end of the scale
        rows.append((float(estimate[0]), float(np.nan_to_num(error[0])) ** 2, extra * stretch**2, df))
    every = np.concatenate(values)
    low = float(np.average(ratio(-guessed, 1 - guessed), weights=w))
    return TaskNumbers(kind, numbers, TaskGaps.of(rows), (min(low, float(every.min())), max(1.0, float(every.max()))))
