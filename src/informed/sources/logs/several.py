"""Logs of several systems on the same items, for a comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from informed.errors import InformedError, LabelError, SourceError
from informed.evidence.label_policy import Places
from informed.evidence.labels import text
from informed.evidence.marks import Marks
from informed.evidence.paired import LEFT_OUT, Paired, paired, weighed, without
from informed.evidence.states import STATES
from informed.evidence.unit_counting import word_of
from informed.sources.logs.log import Log
from informed.sources.logs.selection import Count, Selection
from informed.sources.opening import names_of_files

Key = tuple[Hashable, int]  # an item (of a task), and which attempt at it


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
    **how: Any,
) -> Paired:
    """The answers of each log to the cases that any of them holds.

    A case that a log does not hold was not run, and one that its tool does not count is left out:
    `Paired.left_out` says why. The attempts at an item share its weight. `unit` is the field of what
    belongs together, and `by` are fields that are kept.
    """
    asked: dict[str, Any] = {"count": count, "classes": classes, "labels": labels, "abstain": abstain}
    held = [log.selection(log.selected((), options, chosen), **asked) for log in logs]
    for log, one in zip(logs, held, strict=True):
        if not one.closed:
            raise SourceError(f"{log.path}: {one.closed.why} Its marks can be compared.")
    keyed = [_keyed(log, one) for log, one in zip(logs, held, strict=True)]
    real = _real(logs, held, keyed)
    if not any(all(_inside(one, at, key) for one, at in zip(held, keyed, strict=True)) for key in real):
        raise SourceError(
            f"{logs[0].path} and {logs[1].path} have no item in common; systems are compared on the same items."
        )

    names = names_of_logs(logs)
    answers = {
        name: {key: one.answers[at[key]] if one.inside[at[key]] else real[key] for key in real if key in at}
        for name, one, at in zip(names, held, keyed, strict=True)
    }
    try:
        found = paired(real, answers, labels=labels, **how)
    except LabelError as error:
        raise SourceError(f"{logs[0].path} and {logs[1].path}: {error}") from None
    kept: list[Key] = list(found.items or ())  # type: ignore[arg-type]  # as `real` has them
    lost = np.stack([_left_out(one, at, kept) for one, at in zip(held, keyed, strict=True)], axis=1)
    items = [item for item, _ in kept]
    plain = len(set(items)) == len(items)
    fields = {name: _field(name, logs, held, keyed, kept) for name in (*by, *([] if unit is None else [unit]))}
    own: dict[Hashable, Any] = {name: fields[name] for name in by}
    found = replace(without(found, lost), items=tuple(items) if plain else found.items, kept=own)
    sampled = None if unit is None else list(map(str, fields[unit]))
    found = weighed(found, None, sampled, None if plain else list(map(str, items)))
    return found if unit is None else replace(found, unit_name=word_of(unit, "unit"))


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


def _keyed(log: Log, held: Selection) -> dict[Key, int]:
    """Where the case of each item and attempt stands."""
    seen: Counter[Hashable] = Counter()
    found: dict[Key, int] = {}
    for at, case in enumerate(held.cases):
        if case.item is None:
            raise SourceError(
                f"{log.path} does not say which item an answer belongs to, so that answers "
                "cannot be paired; informed report takes several files as groups."
            )
        item = case.item if case.task is None else (case.task, case.item)
        seen[item] += 1
        found[item, seen[item] if case.epoch is None else case.epoch] = at
    return found


def _inside(held: Selection, at: Mapping[Key, int], key: Key) -> bool:
    return key in at and bool(held.inside[at[key]])


def _real(logs: Sequence[Log], held: Sequence[Selection], keyed: Sequence[Mapping[Key, int]]) -> dict[Key, Hashable]:
    """The real label of every case that any log holds, which must be the same in all."""
    real: dict[Key, Hashable | None] = {}
    for log, one, at in zip(logs, held, keyed, strict=True):
        for key, place in at.items():
            own = one.cases[place].real
            known = real.setdefault(key, own)
            if known is None:
                real[key] = own
            elif own is not None and known != own:
                raise SourceError(
                    f"The item {text(key[0])} is really {text(known)} in {logs[0].path} and "
                    f"{text(own)} in {log.path}; systems are compared on the same items."
                )
    return {key: label for key, label in real.items() if label is not None}


def _left_out(held: Selection, at: Mapping[Key, int], keys: Sequence[Key]) -> Places:
    """Why each case of a system does not count, as `Paired.left_out` has it; 0 where it counts."""
    code = np.array([1 + LEFT_OUT.index(x) if x in LEFT_OUT else 1 + LEFT_OUT.index("unscored") for x in STATES])
    why = np.append(np.where(held.inside, 0, code[held.state]), 1 + LEFT_OUT.index("not-run"))
    return np.asarray(why[[at.get(key, -1) for key in keys]])


def names_of_logs(logs: Sequence[Log]) -> list[Hashable]:
    """The models, where they differ; else the files."""
    models: list[Hashable] = [log.model for log in logs]
    try:
        return models if len({*models, None}) > len(logs) else names_of_files([log.path for log in logs])
    except InformedError as error:
        raise SourceError(str(error)) from None
