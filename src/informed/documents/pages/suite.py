"""Systems on many tasks as a page: who is better on the mean, and task by task."""

from __future__ import annotations

import math

from informed._numbers import count, percent, plural, probability, rate, signed, span
from informed.documents.blocks import Block, Section, Words, drawing, grid_of, label, rows_of
from informed.documents.charts.forest import Row, differences, differing, forest, standing
from informed.documents.document import Document
from informed.documents.paging import page_of
from informed.evidence.shown import system_name
from informed.evidence.states import STATES
from informed.systems.suite import Suite

MOST_SYSTEMS = 2  # of which the answer says the means over the tasks of one kind
KINDS = {
    "informedness": "over all items that count: no answer is no bet",
    "centred": "score above guessing: 0 for what guessing gets, 1 for all right",
    "score": "the score itself: nothing says what guessing would get",
}


@page_of(Suite)
def suite_page(s: Suite, *, key: str = "") -> Document:
    """The mean over tasks, the tasks, and what differs."""
    sections = [_means(s, key), _tasks(s, key)]
    if len(s.by_task):
        sections.insert(1, _by_task(s, key))
    elif len(s.gaps):
        sections.insert(1, _gaps(s, key))
    if s.states:
        sections.append(_states(s, key))
    if len(s.own):
        sections.append(Section(f"{key}own", "As the tools report", (_own(s),)))
    title = f"{plural(len(s.systems), 'system')} on {plural(len(s.tasks), 'task')}"
    parts = _parts(s)
    return Document.of(s, title, *sections, answer=_answer(s) + "." * bool(parts), further=parts)


def _parts(s: Suite) -> str:
    """The means over the tasks of one kind, where the mean is of several kinds of numbers."""
    if len(s.averaged) == 1 or len(s.systems) > MOST_SYSTEMS:
        return ""
    told = []
    for name, n in s.averaged.items():
        found = zip(s.systems, *(x.tolist() for x in s.of_kind(name)), strict=True)
        each = [
            (f"{system_name(x)} " if len(s.systems) > 1 else "") + f"{rate(v)} {span(a, b)}" for x, v, a, b in found
        ]
        told.append(f"{name[:1].upper()}{name[1:]} alone, {plural(n, 'task')}: {', '.join(each)}.")
    return " ".join(told)


def _answer(s: Suite) -> str:
    weighed = " weighed by their items" if s.weighed == "items" else ""
    of_those = " answered by all" if s.count == "answered" else ""
    where = f"mean of {plural(len(s.tasks), 'task')}{weighed}, {count(float(s.items.sum()))} shared items{of_those}"
    best = s.order[0]
    value = f"{rate(s.mean[best])} {span(s.low[best], s.high[best])}"
    if len(s.systems) == 1:
        return f"{system_name(s.systems[0])}: {s.called} {value}, {where.replace('shared ', '')}"
    first = s.gaps.dicts()
    if len(s.systems) == 2:
        (d,) = first
        a, b = system_name(d["a"]), system_name(d["b"])
        found = f"{signed(d['estimate'])} {span(d['low'], d['high'])} {s.called}, {where}, {probability(d['pvalue'])}"
        if d["pvalue"] < 1 - s.level:
            return f"{a} is {'better' if d['estimate'] > 0 else 'worse'} than {b}: {found}"
        return f"{a} and {b} cannot be told apart: {found}"
    name = s.systems[best]
    over = [d["a"] if d["estimate"] > 0 else d["b"] for d in first if d["adjusted"] < 1 - s.level]
    ahead = f"better than {over.count(name)} of the others beyond luck"
    return f"{system_name(name)} is first of {len(s.systems)}: {s.called} {value}, {where}; {ahead}"


def _means(s: Suite, key: str) -> Section:
    held = s.systems_records()
    shown = [x for x in ("system", "mean", "low", "high", "centred", "score", "coverage") if x not in _twice(s)]
    rows = [standing(label(x["system"], 22), x["mean"], x["low"], x["high"]) for x in held]
    title = "Mean over the tasks"
    tasks = "these tasks" if s.sampling == "fixed" else "tasks that stand for others"
    caption = f"Means over {tasks}, with {percent(s.level)} intervals"
    caption += "; centred accuracy is DCLM's" if "centred" in shown or s.called == "centred accuracy" else ""
    titles = {
        "mean": s.called if len(s.averaged) == 1 else "mean",
        "centred": "centred accuracy",
        "coverage": "answered",
    }
    return Section(
        f"{key}means",
        title,
        (
            drawing(title, forest(rows, title, across=s.called if len(s.averaged) == 1 else "mean"), caption=True),
            grid_of(held, caption, *shown, titles=titles),
        ),
    )


def _twice(s: Suite) -> tuple[str, ...]:
    """Columns that the mean itself is, or that no task knows."""
    unknown = ("centred",) if math.isnan(s.centred[0]) else ()
    return {"centred accuracy": ("centred",), "score": ("centred", "score")}.get(s.called, unknown)


def _states(s: Suite, key: str) -> Section:
    """Cases of each system by their state, over all tasks."""
    seen = [state for state in STATES if any(state in held for held in s.states.values())]
    rows = [(label(x, 40), *(count(held.get(state, 0)) for state in seen)) for x, held in s.states.items()]
    grid = rows_of("What became of the cases of these tasks", ("system", *seen), rows)
    return Section(f"{key}states", "States", (grid,))


def _own(s: Suite) -> Block:
    return grid_of(s.own, "Means over several tasks that the tools themselves report, over the items of each system")


def _by_task(s: Suite, key: str) -> Section:
    """Two systems: the difference on each task."""
    a, b = (label(x, 22) for x in s.systems)
    rows: list[Row] = []
    for x in s.by_task:
        good = 0 if x["adjusted"] >= 1 - s.level else 1 if x["estimate"] > 0 else -1
        rows.append(
            differing(label(x["task"], 26), x["estimate"], x["low"], x["high"], good, probability(x["adjusted"]))
        )
    title = f"Differences, {a} − {b}, with p-values adjusted for all tasks (Holm)"
    ahead = sum(x["estimate"] > 0 for x in s.by_task)
    said = f"{a} is ahead on {ahead} of {len(s.tasks)} tasks, which is a description and no test."
    caption = f"{a} − {b} on each task; p-values adjusted for all tasks (Holm)"
    blocks: tuple[Block, ...] = (
        drawing(title, differences(rows, title, ends=(b, a)), caption=True),
        grid_of(s.by_task, caption, titles={"estimate": "difference", "pvalue": "p", "adjusted": "p, adjusted"}),
        Words(said, "note"),
    )
    return Section(f"{key}differences", "Task by task", blocks)


def _gaps(s: Suite, key: str) -> Section:
    titles = {"estimate": "difference", "pvalue": "p", "adjusted": "p, adjusted"}
    shown = ("a", "b", "estimate", "low", "high", "pvalue", "adjusted")
    grid = grid_of(s.gaps, "Differences of the means; p-values adjusted for all pairs (Holm)", *shown, titles=titles)
    return Section(f"{key}differences", "Differences", (grid,))


def _tasks(s: Suite, key: str) -> Section:
    rows = []
    for x in s.records():
        own, centred = ("" if math.isnan(x[name]) else rate(x[name]) for name in ("reported", "centred"))
        limits = span(x["low"], x["high"])
        numbers = (count(x["items"]), rate(x["estimate"]), limits, rate(x["score"]), own, centred)
        rows.append((label(x["task"], 26), label(x["system"], 22), *numbers, rate(x["coverage"]), x["kind"]))
    head = ("task", "system|", "items", "value", "interval", "score", "own", "centred", "answered", "value is|")
    rows.sort(key=lambda r: str(r[0]))
    asked = s.count == "answered"
    kinds = KINDS | ({"informedness": "of the items that all answered"} if asked else {})
    told = tuple(Words(kinds[k], "term", k) for k in dict.fromkeys(s.values))
    return Section(
        f"{key}tasks",
        "The tasks",
        (rows_of("Every task and system, on the items that count in all; own is the tool's number", head, rows), *told),
    )
