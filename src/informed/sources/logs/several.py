"""Logs of several systems on the same items, for a comparison."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from informed._numbers import plural
from informed.errors import LabelError, SourceError
from informed.evidence.label_policy import Places
from informed.evidence.labels import text
from informed.evidence.likeness import NONE
from informed.evidence.marks import Marks
from informed.evidence.paired import LEFT_OUT, Paired, paired, weighed, without
from informed.evidence.states import STATES
from informed.evidence.unit_counting import word_of
from informed.sources.logs.log import Log
from informed.sources.logs.names import Whose, names_of
from informed.sources.logs.selection import Count, Selection

Key = tuple[Hashable, int]  # an item (of a task), and which attempt at it
VERDICTS = ("right", "wrong")


def joined(
    logs: Sequence[Log],
    chosen: Any = None,
    options: int | None = None,
    *,
    unit: str | None = None,
    by: Sequence[str] = (),
    count: Count = "tool",
    classes: bool | None = None,
    labels: Sequence[Hashable] | None = None,
    abstain: Any = None,
    names: Sequence[Hashable] | None = None,
    verdicts: bool = False,
    **how: Any,
) -> Paired:
    """The answers of each log to the cases that any of them holds, by the `names` of the systems or those of the logs.

    A case that a log does not hold was not run, and one that its tool does not count is left out:
    `Paired.left_out` says why. The attempts at an item share its weight. `unit` is the field of what
    belongs together, and `by` are fields that are kept. With `verdicts` the answers are "right" and
    "wrong", whether they are classes or not.
    """
    asked: dict[str, Any] = {"count": count, "classes": classes, "labels": labels, "abstain": abstain}
    held = [log.selection(log.selected(None if verdicts else (), options, chosen), **asked) for log in logs]
    keyed = [_keyed(log, one) for log, one in zip(logs, held, strict=True)]
    golds = [{key: one.cases[i].real for key, i in at.items()} for one, at in zip(held, keyed, strict=True)]
    real = _real(logs, golds)
    keys = list(dict.fromkeys(key for at in keyed for key in at)) if verdicts else list(real)
    if not any(all(_inside(one, at, key) for one, at in zip(held, keyed, strict=True)) for key in keys):
        raise SourceError(
            f"{logs[0].path} and {logs[-1].path} have no item in common; systems are compared on the same items."
        )

    names = names_of_logs(logs) if names is None else names
    if verdicts:
        found = Paired(np.zeros(len(keys), np.int64), _verdicts(logs, held, keyed, keys), VERDICTS, tuple(names))
        found = replace(found, items=tuple(keys))
    else:
        found = _classes(logs, held, keyed, real, names, labels=labels, **how)
    kept: list[Key] = list(found.items or ())  # type: ignore[arg-type]  # as `real` has them
    lost = np.stack([_left_out(one, at, kept) for one, at in zip(held, keyed, strict=True)], axis=1)
    items = [item for item, _ in kept]
    plain = len(set(items)) == len(items)
    fields = {name: _field(name, logs, held, keyed, kept) for name in (*by, *([] if unit is None else [unit]))}
    own: dict[Hashable, Any] = {name: fields[name] for name in by}
    ends = {name: said for name, log, x in zip(names, logs, held, strict=True) if (said := log.said_of_run(x))}
    found = replace(without(found, lost), items=tuple(items) if plain else found.items, kept=own)
    found = replace(found, unfinished={name: " ".join(said) for name, said in ends.items()})
    sampled = None if unit is None else list(map(str, fields[unit]))
    found = weighed(found, None, sampled, None if plain else list(map(str, items)))
    return found if unit is None else replace(found, unit_name=word_of(unit, "unit"))


def _classes(
    logs: Sequence[Log],
    held: Sequence[Selection],
    keyed: Sequence[Mapping[Key, int]],
    real: Mapping[Key, Hashable],
    names: Sequence[Hashable],
    **how: Any,
) -> Paired:
    """The labels that each system gave, and the real ones."""
    for log, one in zip(logs, held, strict=True):
        if not one.closed:
            raise SourceError(f"{log.path}: {one.closed.why} Its marks can be compared.")
    answers = {
        name: {key: one.answers[at[key]] if one.inside[at[key]] else real[key] for key in real if key in at}
        for name, one, at in zip(names, held, keyed, strict=True)
    }
    try:
        return paired(real, answers, normalize=NONE, **how)
    except LabelError as error:
        raise SourceError(f"{logs[0].path} and {logs[-1].path}: {error.said}", *error.ways) from None


def _verdicts(
    logs: Sequence[Log], held: Sequence[Selection], keyed: Sequence[Mapping[Key, int]], keys: Sequence[Key]
) -> Places:
    """The place in VERDICTS of what each system got, -1 for no answer."""
    found = []
    for log, one, at in zip(logs, held, keyed, strict=True):
        if (one.inside & (one.state == STATES.index("partial"))).any():
            raise SourceError(f"{log.path}: some answers got partial credit, which is neither right nor wrong.")
        code = np.array([VERDICTS.index(x) if x in VERDICTS else -1 for x in STATES])
        found.append(np.append(code[one.state], -1)[[at.get(key, -1) for key in keys]])
    return np.stack(found, axis=1)


def joined_marks(logs: Sequence[Log], chosen: Any = None, **how: Any) -> dict[Hashable, Marks]:
    """The marks of each log, by the names of the systems; what `compare` and `leaderboard` take."""
    return dict(zip(names_of_logs(logs), [log.marks(chosen=chosen, **how) for log in logs], strict=True))


def _field(
    name: str, logs: Sequence[Log], held: Sequence[Selection], keyed: Sequence[Mapping[Key, int]], keys: Sequence[Key]
) -> tuple[Hashable, ...]:
    """What each case has in a field, in the first log that holds the case."""
    found: dict[Key, Hashable] = {}
    for log, one, at in zip(logs, held, keyed, strict=True):
        found |= {key: log.value_of(one.cases[place], name) for key, place in at.items() if key not in found}
    return tuple(found[key] for key in keys)


def check_items(logs: Sequence[Log]) -> None:
    """Refuse logs of several systems that do not name their items, or in which an item has different real labels."""
    if len(logs) < 2:
        return
    every: list[dict[Key, Hashable | None]] = []
    for log in logs:
        found: dict[Hashable, Any] = {}
        for place, case in enumerate(log.cases):
            if case.item is None:
                raise _nameless(log)
            if case.real is not None:
                found.setdefault(case.item_of(place), {})[case.real] = None
        every.append({(item, 0): " or ".join(map(str, golds)) for item, golds in found.items()})
    _real(logs, every)


def _nameless(log: Log) -> SourceError:
    return SourceError(
        f"{log.path} does not say which item an answer belongs to, so that answers cannot be paired; informed report "
        "takes several files as groups."
    )


def _keyed(log: Log, held: Selection) -> dict[Key, int]:
    """Where the case of each item and attempt stands."""
    seen: Counter[Hashable] = Counter()
    found: dict[Key, int] = {}
    for at, case in enumerate(held.cases):
        if case.item is None:
            raise _nameless(log)
        item = held.names[at]
        seen[item] += 1
        key = item, seen[item] if case.epoch is None else case.epoch
        if found.setdefault(key, at) != at:
            raise SourceError(f"{log.path}: attempt {key[1]} at the item {text(item)} is there twice.")
    return found


def _inside(held: Selection, at: Mapping[Key, int], key: Key) -> bool:
    return key in at and bool(held.inside[at[key]])


def _real(logs: Sequence[Log], golds: Sequence[Mapping[Key, Hashable | None]]) -> dict[Key, Hashable]:
    """The real label of every attempt in any log, which must be the same in all."""
    real: dict[Key, Hashable] = {}
    for log, own in zip(logs, golds, strict=True):
        for key, label in own.items():
            if label is not None and real.setdefault(key, label) != label:
                first = next(x for x, held in zip(logs, golds, strict=True) if held.get(key) is not None)
                raise SourceError(
                    f"The item {text(key[0])} is really {text(real[key])} in {first.path} and {text(label)} in "
                    f"{log.path}; systems are compared on the same items."
                )
    return real


def _left_out(held: Selection, at: Mapping[Key, int], keys: Sequence[Key]) -> Places:
    """Why each case of a system does not count, as `Paired.left_out` has it; 0 where it counts."""
    code = np.array([1 + LEFT_OUT.index(x) if x in LEFT_OUT else 1 + LEFT_OUT.index("unscored") for x in STATES])
    why = np.append(np.where(held.inside, 0, code[held.state]), 1 + LEFT_OUT.index("not-run"))
    return np.asarray(why[[at.get(key, -1) for key in keys]])


def names_of_logs(logs: Sequence[Log]) -> list[Hashable]:
    """The models, where they differ; else what else tells the logs apart."""
    seen: dict[tuple[str, str | None], Log] = {}
    for log in logs:
        first = seen.setdefault((os.path.realpath(log.path), log.model), log)
        if first is not log:
            both = f"{first.path} and {log.path} are one file"
            same = f"{log.path} is given twice" if first.path == log.path else both
            raise SourceError(f"{same}; each system needs a log of its own.")
    return list(names_of([whose(log, str(log.path)) for log in logs]))


def whose(log: Log, path: str) -> Whose:
    """What tells the system of a log from others."""
    epochs = max((case.epoch or 1 for case in log.cases), default=1)
    fields = (log.task or "", plural(epochs, "epoch", "epochs"), str(log.facts.get("run") or ""))
    return Whose(path, log.model, fields)
