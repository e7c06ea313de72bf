"""Logs of several systems on the same items, for a comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from informed.errors import LabelError, SourceError
from informed.evidence.labels import text
from informed.evidence.paired import Paired, paired, weighed
from informed.sources.logs.log import Case, Log
from informed.sources.opening import names_of_files

Key = tuple[str, int]  # an item, and which of its repeats


def joined(logs: Sequence[Log], chosen: Any = None, options: int | None = None, **how: Any) -> Paired:
    """The answers of each log to the items that any of them holds.

    An item that a log does not hold is an abstention of its system. Where items were asked more
    than once, the repeats are paired in their order, and the items are clusters.
    """
    real: dict[Key, Hashable] = {}
    answers: dict[Hashable, dict[Key, Hashable | None]] = {}
    for name, log in zip(_names(logs), logs, strict=True):
        cases = _keyed(log, log.selected((), options, chosen))
        for key, case in cases.items():
            known = real.setdefault(key, case.real)
            if known != case.real:
                raise SourceError(
                    f"The item {text(key[0])} is really {text(known)} in {logs[0].path} and "
                    f"{text(case.real)} in {log.path}; systems are compared on the same items."
                )
        answers[name] = {key: case.predicted for key, case in cases.items()}
    common = set.intersection(*(set(given) for given in answers.values()))
    if not common:
        raise SourceError(
            f"{logs[0].path} and {logs[1].path} have no item in common; systems are compared on the same items."
        )
    try:
        found = paired(real, answers, **how)
    except LabelError as error:
        raise SourceError(f"{logs[0].path} and {logs[1].path}: {error}") from None
    items = [item for item, _ in real]
    return weighed(found, None, items) if max(Counter(items).values()) > 1 else found


def _keyed(log: Log, cases: Sequence[Case]) -> Mapping[Key, Case]:
    seen: Counter[str] = Counter()
    found: dict[Key, Case] = {}
    for case in cases:
        if case.item is None:
            raise SourceError(
                f"{log.path} does not say which item an answer belongs to, so that answers "
                "cannot be paired; informed report takes several files as groups."
            )
        found[case.item, seen[case.item]] = case
        seen[case.item] += 1
    return found


def _names(logs: Sequence[Log]) -> list[Hashable]:
    """The models, where they differ; else the files."""
    models: list[Hashable] = [log.model for log in logs]
    return models if len({*models, None}) > len(logs) else names_of_files([log.path for log in logs])
