"""Suites: systems on many tasks, each task by its own chance, and the mean over them.

The suite's number is the plain mean over the tasks, which are taken as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Literal

import numpy as np

from informed._arrays import Array, ratio
from informed._numbers import count, plural, rate, signed
from informed.errors import InferenceError, one_of
from informed.inference.given import checked_level, standard_normal, students
from informed.measures.headline import Count
from informed.results import Gate, Note, Records, Result, plain_dict
from informed.systems import board
from informed.systems.gates import MarginTest
from informed.systems.multiplicity import adjusted
from informed.systems.suite_tasks import NUMBERS, Task, TaskGaps, TaskNumbers, numbers_of
from informed.systems.tails import tails, two_sided

__all__ = ["Suite", "Task", "suite"]

GAP = f"{board.GAP} df"
OWN = "system:label name:words value"
BY_TASK = "task:label kind:words estimate:signed low:signed high:signed pvalue:p adjusted:p"


NAMES = {"informedness": "informedness", "centred": "centred accuracy", "score": "score"}  # of kinds of numbers


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
    gaps: Records  # means of every two systems, the better first
    by_task: Records  # of two systems: the difference on each task
    notes: tuple[Note, ...] = ()
    sampling: Literal["fixed", "random"] = "fixed"
    weighed: Literal["tasks", "items"] = "tasks"
    count: Count = "tool"
    own: Records = field(default_factory=lambda: Records.of(OWN, ()))  # means that the tools themselves report
    states: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # cases of each system by their state

    @property
    def order(self) -> list[int]:
        """Systems from the best to the worst."""
        return [int(i) for i in np.argsort(-np.nan_to_num(self.mean, nan=-np.inf), kind="stable")]

    @property
    def centred(self) -> Array:
        """DCLM's centred accuracy of each system, mean over the tasks where it exists; free answers are not guessed."""
        known = np.isfinite(self.each["centred"])
        return ratio(np.where(known, self.each["centred"], 0.0) @ self.weight, known @ self.weight)

    @property
    def averaged(self) -> dict[str, int]:
        """Of how many tasks the mean takes each kind of number: informedness, centred accuracy, score."""
        return {NAMES[kind]: n for kind in NAMES if (n := self.values.count(kind))}

    @property
    def called(self) -> str:
        """What the mean is of: "informedness", or where tasks differ, "informedness (18 tasks) and score (2)"."""
        if len(self.averaged) == 1:
            return next(iter(self.averaged))
        (first, n), *others = self.averaged.items()
        told = [f"{first} ({plural(n, 'task')})", *(f"{name} ({count(x)})" for name, x in others)]
        return f"{', '.join(told[:-1])} and {told[-1]}"

    @property
    def leads(self) -> str:
        """What a gate calls the mean: "informedness", "centred", "score", or "mean" of numbers of several kinds."""
        return next(iter(self.averaged)).partition(" ")[0] if len(self.averaged) == 1 else "mean"

    def of_kind(self, name: str) -> tuple[Array, Array, Array]:
        """The mean of each system over the tasks whose numbers are of one kind, such as informedness; its limits."""
        at = np.array([NAMES[kind] == name for kind in self.values])
        w = self.weight[at] / self.weight[at].sum()
        value, low, high = (self.each[x][:, at] for x in ("estimate", "low", "high"))
        if at.sum() == 1:
            return value[:, 0], low[:, 0], high[:, 0]
        error = (high - low) / (2 * standard_normal(self.level))
        means = _mean_of(value, error**2, np.inf, w, random=self.sampling == "random")
        return (means.estimate, *means.limits(self.level, -1.0, 1.0))

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
        more = {
            "mean_of": self.averaged,
            "systems": self.systems_records(),
            "differences": self.gaps,
            "by_task": self.by_task,
        }
        more |= {"reported": self.own, "each": self.records()}
        said = {"count": self.count, "states": self.states, "notes": self.notes}
        return plain_dict({**held, **said, **more})


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
    checked_level(level)
    one_of("sampling", sampling, ("fixed", "random"), InferenceError)
    one_of("weight", weight, ("tasks", "items"), InferenceError)
    if not tasks:
        raise InferenceError("There is no task that all systems have; there is nothing to compare.")
    if sampling == "random" and len(tasks) < 2:
        raise InferenceError('One task says nothing of others like it; `sampling="random"` takes two at least.')
    names = tuple(tasks[0].marks)
    if baseline is not None:
        one_of("baseline", baseline, names, InferenceError)
        names = (*(name for name in names if name != baseline), baseline)
    last = len(names) - 1
    pairs = list(combinations(range(len(names)), 2)) if baseline is None else [(i, last) for i in range(last)]

    held = [numbers_of(task, names, pairs, level) for task in tasks]
    each = {x: np.stack([h.numbers[x] for h in held], axis=1) for x in NUMBERS}
    items = np.asarray([h.items for h in held], np.float64)
    w = items / items.sum() if weight == "items" else np.full(len(held), 1 / len(held))
    bottom, top = (np.asarray([h.bounds[side] for h in held]) for side in (0, 1))

    z, width = standard_normal(level), each["high"] - each["low"]
    means = _mean_of(each["estimate"], (width / (2 * z)) ** 2, np.inf, w, random=sampling == "random")
    low, high = means.limits(level, float(w @ bottom), float(w @ top))
    if len(held) == 1:  # the mean of one task is that task
        low, high = each["low"][:, 0], each["high"][:, 0]
    gaps = _gaps_of([h.gaps for h in held], w, random=sampling == "random")
    by_task = _by_task(tasks, held, level) if len(names) == 2 else Records.of(BY_TASK, ())
    return Suite(
        systems=names,
        tasks=tuple(task.name for task in tasks),
        values=tuple(h.kind for h in held),
        items=items,
        weight=w,
        level=level,
        each=each,
        mean=means.estimate,
        low=low,
        high=high,
        gaps=_shown(names, pairs, gaps, level, float(w @ (top - bottom)), by_task, ordered=baseline is None),
        by_task=by_task,
        notes=tuple(notes),
        sampling=sampling,
        weighed=weight,
        count=count,
        own=Records.of(OWN, own),
        states=states_of(tasks),
    )


# ---------------------------------------------------------------------- means over tasks


@dataclass(frozen=True)
class _Means:
    """Means over tasks, their standard errors, and the degrees of freedom of these."""

    estimate: Array
    error: Array
    df: Array

    def limits(self, level: float, bottom: Any, top: Any) -> tuple[Array, Array]:
        reach = students(self.df, level) * self.error
        return np.maximum(self.estimate - reach, bottom), np.minimum(self.estimate + reach, top)

    @property
    def pvalue(self) -> Array:
        away = np.where(self.estimate == 0, 0.0, ratio(self.estimate, self.error))
        return two_sided(tails((away, -away), self.df))


def _mean_of(values: Array, variance: Array, df: Any, w: Array, extra: Any = 0.0, *, random: bool = False) -> _Means:
    """The mean over tasks ``(systems, tasks)`` and its error: from that of the items of each, whose degrees of freedom
    go together (Satterthwaite); of tasks that stand for others, from how these differ, and no less than that."""
    mean, own = values @ w, variance * w**2 + extra * w**3
    within, doubt = own.sum(axis=-1), (own**2 / df).sum(axis=-1)
    if not random:
        return _Means(mean, np.sqrt(within), np.where(doubt > 0, ratio(within**2, doubt), np.inf))
    square = (w**2).sum()
    between = ((values - mean[:, None]) ** 2 @ w) / (1 - square) * square
    return _Means(mean, np.sqrt(np.maximum(between, within)), np.full(len(mean), len(w) - 1.0))


def _gaps_of(held: Sequence[TaskGaps], w: Array, *, random: bool = False) -> _Means:
    """Differences of the means, with four pseudo-cases for the whole suite."""
    estimate, variance, extra, df = (
        np.stack([getattr(x, name) for x in held], axis=-1) for name in ("estimate", "variance", "extra", "df")
    )
    return _mean_of(estimate, variance, df, w, extra, random=random)


def _shown(
    names: Sequence[str],
    pairs: Sequence[tuple[int, int]],
    gaps: _Means,
    level: float,
    reach: float,
    by_task: Records,
    *,
    ordered: bool,
) -> Records:
    """Means of every two systems, the better first or a baseline last, adjusted for all of them (Holm)."""
    sign = np.where((gaps.estimate < 0) & ordered, -1, 1)
    low, high = _Means(gaps.estimate * sign, gaps.error, gaps.df).limits(level, -reach, reach)
    p = gaps.pvalue
    if len(by_task) == 1:
        ends = np.asarray([by_task["low"], by_task["high"]])
        low, high = np.sort(ends * sign, axis=0)
        p = np.asarray(by_task["pvalue"])
    who = [(names[b], names[a]) if x < 0 else (names[a], names[b]) for (a, b), x in zip(pairs, sign, strict=True)]
    numbers = (gaps.estimate * sign, gaps.error, low, high, p, adjusted(p), gaps.df)
    return Records.of(GAP, [(*two, *map(float, x)) for two, *x in zip(who, *numbers, strict=True)])


def _by_task(tasks: Sequence[Task], held: Sequence[TaskNumbers], level: float) -> Records:
    """The difference on each task by itself, adjusted for all tasks (Holm)."""
    found = []
    for h in held:
        one, reach = _gaps_of([h.gaps], np.ones(1)), h.bounds[1] - h.bounds[0]
        ends = [*one.limits(level, -reach, reach), one.pvalue] if h.alone is None else h.alone
        found.append([float(np.squeeze(x)) for x in (one.estimate, *ends)])
    p = adjusted(np.asarray(found)[:, -1])
    rows = [(task.name, h.kind, *x, float(y)) for task, h, x, y in zip(tasks, held, found, p, strict=True)]
    return Records.of(BY_TASK, rows)


# ---------------------------------------------------------------------- gates


def states_of(tasks: Sequence[Task]) -> dict[str, dict[str, float]]:
    """How many cases of each system are in which state, over all tasks; what others were asked was not run."""
    found: dict[str, dict[str, float]] = {}
    for task in tasks:
        often: dict[Any, int] = {}
        for m in task.marks.values():
            for item, n in zip(m.items, np.bincount(m.item, minlength=len(m.items)).tolist(), strict=True):
                often[item] = max(often.get(item, 0), n)
        for name, m in task.marks.items():
            held, there = found.setdefault(name, {}), set(m.items)
            missing = sum(n for item, n in often.items() if item not in there)
            for state, n in (*m.states.items(), ("not-run", missing)):
                held[state] = held.get(state, 0) + n
    return {name: {state: n for state, n in held.items() if n} for name, held in found.items()}


def _mean_named(s: Suite, name: str) -> str:
    """What a gate's mean is of, where that is not of all tasks alike."""
    if s.leads != "mean" or name not in ("mean", "informedness"):
        return f"mean {name}"
    if name == "mean":
        return f"the mean of {s.called}"
    return f"mean informedness of {s.averaged['informedness']} of {plural(len(s.tasks), 'task')}"


def not_worse_on_mean(s: Suite, margin: float, *, shown_to_be: bool) -> Gate:
    """Whether the first system is worse than the last on the mean by more than the margin, one-sided."""
    a, b = s.systems[0], s.systems[-1]
    found = next(x for x in s.gaps.dicts() if {x["a"], x["b"]} == {a, b})
    d, error = float(s.mean[0] - s.mean[-1]), found["standard_error"]
    away = ratio(d + margin, error)
    p = float(tails((away, -away), found["df"])[0 if shown_to_be else 1])
    test = MarginTest(s.level, shown_to_be)
    reach = float(students(found["df"], test.within) * error)
    return test.gate((a, b), -margin, f"mean {s.called}", signed(d), (d, d - reach, d + reach, p))


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
    leads = s.leads
    if leads == "mean" and "informedness" in s.averaged:
        own = (float(x[i]) for x in s.of_kind("informedness"))
        held["informedness"] = dict(zip(("value", "low", "high"), own, strict=True))
        held["informedness"][""] = held["informedness"]["value"]
    held[leads] = limits
    try:
        bar, seen = float(wanted), held[name][side]
    except (KeyError, ValueError):
        first = "informedness" if "informedness" in held else leads
        ways = ", ".join((f"{first}=0.5", f"{first}.low=0.4", *(f"{x}=0.5" for x in held if x != first)))
        raise InferenceError(f"{text!r} is no gate of a suite; there are {ways}.") from None
    if np.isnan(seen):
        raise InferenceError(f"{text!r}: {name} is not known of {s.systems[i]}; no task says what guessing gets.")
    gap = 0.0 if abs(seen - bar) <= 1e-12 else seen - bar
    side_of = {"low": "the lower limit of ", "high": "the upper limit of "}.get(side, "")
    verb = "clears" if gap >= 0 else "misses"
    said = f"{s.systems[i]}: {side_of}{_mean_named(s, name)} is {rate(seen)} and {verb} {bar:g} by {rate(abs(gap))}."
    ends: dict[str, Any] = (
        {"low": limits["low"], "high": limits["high"], "level": s.level} if side in ("low", "high") else {}
    )
    return Gate(measure, gap >= 0, said, seen, bar, **ends)
