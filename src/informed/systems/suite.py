"""Suites: systems on many tasks, each task by its own chance, and the mean over them.

A task whose answers are classes gives informedness over all items that count; one that only marks
them gives what is above guessing among its options, or, where nothing says how many there are, its
score. The suite's number is the plain mean over the tasks, which are taken as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Literal

import numpy as np

from informed._arrays import Array, ratio
from informed._numbers import probability, rate, signed
from informed.errors import InferenceError, one_of
from informed.evidence.marks import Marks
from informed.evidence.paired import Paired
from informed.evidence.paired_marks import shared
from informed.evidence.table import Table
from informed.inference.given import checked_level, standard_normal
from informed.inference.intervals import interval
from informed.inference.marks_score import spread
from informed.measures import find
from informed.measures.headline import Count
from informed.results import Gate, Note, Records, Result, plain_dict
from informed.systems.compare import compare
from informed.systems.gates import judged
from informed.systems.multiplicity import adjusted

GAP = "a:label b:label estimate:signed low:signed high:signed pvalue:p adjusted:p"
OWN = "system:label name:words value"
NUMBERS = ("estimate", "low", "high", "score", "reported", "coverage", "centred")


@dataclass(frozen=True)
class Task:
    """What the systems did on one task: their answers where these are classes, and always their marks."""

    name: str
    marks: Mapping[str, Marks]  # by system
    answers: Paired | Table | None = None  # of several systems, or of one
    reported: Mapping[str, float] | None = None  # the tool's own numbers


@dataclass(frozen=True, eq=False, repr=False)
class Suite(Result):
    """Systems on many tasks: the mean over them, each task, and the differences."""

    page = "suite"

    systems: tuple[str, ...]
    tasks: tuple[str, ...]
    values: tuple[str, ...]  # of each task: "informedness", "centred" or "score"
    items: Array  # of each task, that count in every system
    weight: Array  # of each task in the means
    level: float
    each: Mapping[str, Array]  # NUMBERS, (systems, tasks)
    mean: Array  # (systems,), with its limits
    low: Array
    high: Array
    centred: Array  # DCLM's centred accuracy, mean over tasks
    gaps: Records  # means of every two systems, the better first
    by_task: Records  # of two systems: the difference on each task
    notes: tuple[Note, ...] = ()
    sampling: Literal["fixed", "random"] = "fixed"
    weighed: Literal["tasks", "items"] = "tasks"
    count: Count = "tool"
    own: Records = field(default_factory=lambda: Records.of(OWN, ()))  # means that the tools themselves report

    @property
    def order(self) -> list[int]:
        """Systems from the best to the worst."""
        return [int(i) for i in np.argsort(-np.nan_to_num(self.mean, nan=-np.inf), kind="stable")]

    @property
    def called(self) -> str:
        """What the mean is of: informedness, unless no task has classes, or none knows of chance."""
        if "informedness" in self.values:
            return "informedness"
        return "centred accuracy" if "centred" in self.values else "score"

    def records(self) -> Records:
        """One row for each system and task."""
        names = "system:label task:label kind:words items:count " + " ".join(NUMBERS)
        rows = [
            (name, task, kind, int(n), *(float(self.each[x][s, t]) for x in NUMBERS))
            for s, name in enumerate(self.systems)
            for t, (task, kind, n) in enumerate(zip(self.tasks, self.values, self.items, strict=True))
        ]
        return Records.of(names, rows)

    def systems_records(self) -> Records:
        """One row for each system, the best first: means over the tasks."""
        held = (
            self.mean,
            self.low,
            self.high,
            self.centred,
            *(self.each[x] @ self.weight for x in ("score", "coverage")),
        )
        rows = [(self.systems[s], *(float(x[s]) for x in held)) for s in self.order]
        return Records.of("system:label mean low high centred score coverage", rows)

    def to_dict(self) -> dict[str, Any]:
        """The means, the differences, and every task."""
        held = {"level": self.level, "tasks": len(self.tasks), "items": int(self.items.sum())}
        more = {"systems": self.systems_records(), "differences": self.gaps, "by_task": self.by_task}
        more |= {"reported": self.own}
        return plain_dict({**held, "count": self.count, **more, "each": self.records(), "notes": self.notes})


def suite(
    tasks: Sequence[Task],
    *,
    level: float = 0.95,
    sampling: Literal["fixed", "random"] = "fixed",
    weight: Literal["tasks", "items"] = "tasks",
    baseline: str | None = None,
    count: Count = "tool",
    own: Sequence[tuple[str, str, float]] = (),
    notes: Sequence[Note] = (),
) -> Suite:
    """Systems on many tasks, paired over the items that count in all of them.

    Parameters
    ----------
    tasks
        Of the same systems, each with the marks of all.
    level
        Of the intervals.
    sampling
        "fixed" tasks are these tasks, and only their items vary; "random" ones stand for others.
    weight
        Every task counts once, or by its "items".
    baseline
        The system that all others are compared with; by default every two are.
    count, own
        Which cases the marks were read to count; and means that the tools report: system, name, number.
    """
    z = standard_normal(checked_level(level))
    one_of("sampling", sampling, ("fixed", "random"), InferenceError)
    one_of("weight", weight, ("tasks", "items"), InferenceError)
    if not tasks:
        raise InferenceError("There is no task that all systems have; there is nothing to compare.")
    names = tuple(tasks[0].marks)
    if baseline is not None:
        one_of("baseline", baseline, names, InferenceError)
        names = (*(name for name in names if name != baseline), baseline)
    last = len(names) - 1
    pairs = list(combinations(range(len(names)), 2)) if baseline is None else [(i, last) for i in range(last)]

    held = [_of_task(task, names, pairs, level) for task in tasks]
    each = {x: np.stack([h.numbers[x] for h in held], axis=1) for x in NUMBERS}
    items = np.asarray([h.items for h in held], np.float64)
    w = items / items.sum() if weight == "items" else np.full(len(held), 1 / len(held))

    def mean_of(values: Array, errors: Array) -> tuple[Array, Array]:
        mean = values @ w
        if sampling == "random" and len(w) > 1:
            return mean, np.sqrt(((values - mean[:, None]) ** 2 @ w) * len(w) / (len(w) - 1) / len(w))
        return mean, np.sqrt(errors**2 @ w**2)

    mean, error = mean_of(each["estimate"], (each["high"] - each["low"]) / (2 * z))
    gap, gap_error = mean_of(*(np.stack([getattr(h, x) for h in held], axis=1) for x in ("gap", "gap_error")))
    return Suite(
        systems=names,
        tasks=tuple(task.name for task in tasks),
        values=tuple(h.kind for h in held),
        items=items,
        weight=w,
        level=level,
        each=each,
        mean=mean,
        low=np.maximum(mean - z * error, -1),
        high=np.minimum(mean + z * error, 1),
        centred=each["centred"] @ w,
        gaps=_gaps(names, pairs, gap, gap_error, z, ordered=baseline is None),
        by_task=_by_task(tasks, held, z) if len(names) == 2 else Records.of(GAP, ()),
        notes=tuple(notes),
        sampling=sampling,
        weighed=weight,
        count=count,
        own=Records.of(OWN, own),
    )


# ---------------------------------------------------------------------- one task


@dataclass(frozen=True)
class _Held:
    """The numbers of a task, and the difference of every two systems with its standard error."""

    kind: str
    items: int
    numbers: Mapping[str, Array]
    gap: Array
    gap_error: Array


def _of_task(task: Task, names: Sequence[str], pairs: Sequence[tuple[int, int]], level: float) -> _Held:
    marks = shared([task.marks[name] for name in names])
    reported = task.reported or {}
    own = {
        "score": np.asarray([m.score for m in marks]),
        "reported": np.asarray([reported.get(name, np.nan) for name in names]),
        "coverage": np.asarray([m.coverage for m in marks]),
        "centred": np.asarray([m.centred() if m.knows_chance else m.score for m in marks]),
    }
    found = _of_classes(task.answers, names, pairs, level) if task.answers is not None else None
    if found is None:
        found = _of_marks(marks, pairs, level)
    return _Held(found.kind, marks[0].n, {**own, **found.numbers}, found.gap, found.gap_error)


def _of_classes(answers: Paired | Table, names: Sequence[str], pairs: Any, level: float) -> _Held | None:
    """Informedness over all items; None where it is undefined for one of the systems."""
    p = answers.among(names).counted if isinstance(answers, Paired) else None
    t = answers if isinstance(answers, Table) else p.tables if p is not None else None
    assert t is not None
    found = interval(t, "informedness_of_all", level=level)
    numbers = {x: np.atleast_1d(np.asarray(getattr(found, x), np.float64)) for x in ("estimate", "low", "high")}
    if np.isnan(numbers["estimate"]).any():
        return None
    numbers["coverage"] = np.atleast_1d(np.asarray(find("coverage")(t)))
    closed = "smoothed-delta"  # only the standard error is asked for
    differ = [compare.paired(p, a=names[a], b=names[b], method=closed)["informedness"] for a, b in pairs]
    gap, error = (np.asarray([float(getattr(d, x)) for d in differ]) for x in ("estimate", "standard_error"))
    return _Held("informedness", 0, numbers, gap, error)


def _of_marks(marks: Sequence[Marks], pairs: Sequence[tuple[int, int]], level: float) -> _Held:
    """What is above guessing where what that gets is known, else the score."""
    kind = "centred" if all(m.knows_chance for m in marks) else "score"
    found = [interval(m, kind, level=level) for m in marks]
    numbers = {x: np.asarray([float(getattr(f, x)) for f in found]) for x in ("estimate", "low", "high")}
    values = [m.centred_values() if kind == "centred" else m.values for m in marks]
    gap, error = np.zeros(len(pairs)), np.zeros(len(pairs))
    for i, (a, b) in enumerate(pairs):
        estimate, spreads, _ = spread((values[a] - values[b])[:, None], marks[a].item_weight, marks[a].unit)
        gap[i], error[i] = float(estimate[0]), float(spreads[0])
    return _Held(kind, 0, numbers, gap, error)


# ---------------------------------------------------------------------- differences


def _gaps(
    names: Sequence[str], pairs: Sequence[tuple[int, int]], gap: Array, error: Array, z: float, *, ordered: bool
) -> Records:
    """Means of every two systems, the better first or a baseline last, adjusted for all of them (Holm)."""
    p = _pvalue(gap, error)
    rows = []
    for (a, b), d, e, one, all_of_them in zip(pairs, gap, error, p, adjusted(p), strict=True):
        first, second, sign = (a, b, 1) if d >= 0 or not ordered else (b, a, -1)
        rows.append((names[first], names[second], sign * d, sign * d - z * e, sign * d + z * e, one, all_of_them))
    return Records.of(GAP, rows)


def _by_task(tasks: Sequence[Task], held: Sequence[_Held], z: float) -> Records:
    """The difference on each task, adjusted for all tasks (Holm)."""
    gap, error = (np.asarray([getattr(h, x)[0] for h in held]) for x in ("gap", "gap_error"))
    p = _pvalue(gap, error)
    numbers = zip(gap, gap - z * error, gap + z * error, p, adjusted(p), strict=True)
    rows = [(task.name, h.kind, *map(float, x)) for task, h, x in zip(tasks, held, numbers, strict=True)]
    return Records.of("task:label kind:words estimate:signed low:signed high:signed pvalue:p adjusted:p", rows)


def _pvalue(gap: Array, error: Array) -> Array:
    from scipy.special import ndtr

    return np.where(
        error > 0, 2 * ndtr(-np.abs(ratio(gap, np.where(error > 0, error, 1.0)))), np.where(gap == 0, 1.0, 0.0)
    )


# ---------------------------------------------------------------------- gates


def states_of(tasks: Sequence[Task]) -> dict[str, dict[str, float]]:
    """How many cases of each system are in which state, over all tasks; what others were asked was not run."""
    found: dict[str, dict[str, float]] = {}
    for task in tasks:
        every = set().union(*(m.items for m in task.marks.values()))
        for name, m in task.marks.items():
            held = found.setdefault(name, {})
            for state, n in (*m.states.items(), ("not-run", len(every) - len(m.items))):
                held[state] = held.get(state, 0) + n
    return found


def not_worse_on_mean(s: Suite, margin: float, *, shown_to_be: bool) -> Gate:
    """Whether the first system is worse than the last on the mean by more than the margin, one-sided."""
    from scipy.special import ndtr

    a, b = s.systems[0], s.systems[-1]
    found = next(x for x in s.gaps.dicts() if {x["a"], x["b"]} == {a, b})
    error = (found["high"] - found["low"]) / (2 * standard_normal(s.level))
    d = float(s.mean[0] - s.mean[-1])
    less = float(ndtr((d + margin) / error)) if error > 0 else float(d >= -margin)
    p = 1 - less if shown_to_be else less
    said = f"mean {s.called} {signed(d)}, one-sided {probability(p)}"
    return judged((a, b), -margin, p, s.level, said, d, shown_to_be=shown_to_be)


def suite_gates(s: Suite, bars: Sequence[str], systems: Sequence[str]) -> tuple[Gate, ...]:
    """Each bar against the means of these systems: informedness and its limits, score, centred, coverage."""
    return tuple(_mean_gate(s, s.systems.index(name), text) for text in bars for name in systems)


def _mean_gate(s: Suite, i: int, text: str) -> Gate:
    measure, _, wanted = text.rpartition("=")
    name, _, side = measure.partition(".")
    means = {
        "score": s.each["score"][i] @ s.weight,
        "centred": s.centred[i],
        "coverage": s.each["coverage"][i] @ s.weight,
    }
    held = {name: {"": float(x)} for name, x in means.items()}
    limits = {"": float(s.mean[i]), "value": float(s.mean[i]), "low": float(s.low[i]), "high": float(s.high[i])}
    leads = s.called.partition(" ")[0]
    held[leads] = limits
    try:
        bar, seen = float(wanted), held[name][side]
    except (KeyError, ValueError):
        ways = ", ".join((f"{leads}=0.5", f"{leads}.low=0.4", *(f"{x}=0.5" for x in means if x != leads)))
        raise InferenceError(f"{text!r} is no gate of a suite; there are {ways}.") from None
    gap = seen - bar
    side_of = {"low": "the lower limit of ", "high": "the upper limit of "}.get(side, "")
    verb = "clears" if gap >= 0 else "misses"
    said = f"{s.systems[i]}: {side_of}mean {name} is {rate(seen)} and {verb} {bar:g} by {rate(abs(gap))}."
    return Gate(measure, gap >= 0, said, seen, bar)
