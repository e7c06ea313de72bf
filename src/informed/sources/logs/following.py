"""Items of an evaluation log that may still be written: those that have all their attempts, in the order of the log."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from informed.errors import SourceError
from informed.evidence.states import STATES
from informed.sources.logs import FORMATS, kind_of, load
from informed.sources.logs.log import Log
from informed.sources.logs.selection import Selection

RIGHT = ("right", "wrong")  # of answers that are only marked
Said = tuple[Hashable, list[Hashable | None], bool]  # the real label, the answers, whether these are all


@dataclass(frozen=True)
class Items:
    """What is known of each item: its real label and the answers to it, None where there was none."""

    names: tuple[str, ...]
    real: tuple[Hashable, ...]
    answers: tuple[tuple[Hashable | None, ...], ...]
    whole: tuple[bool, ...]  # whether all attempts at it are there
    left_out: int = 0  # cases that have no mark
    waiting: int = 0  # items that wait for one that was scheduled before them
    coming: frozenset[str] = frozenset()  # those that wait, and those that they wait for
    cut: bool = False  # whether a line without its end was left out


def items_of(
    path: str,
    kind: str | None = None,
    *,
    marks: bool = False,
    labels: Sequence[Hashable] | None = None,
    abstain: Any = None,
    **choices: Any,
) -> Items:
    """The items of a log that is there now; with `marks`, whether each was right, of any log.

    What ended in an error is no answer, and what has no mark is left out. A last line without its end is left out.
    Of a log that knows the order in which items were scheduled, an item is there when all before it are: quick
    answers are more often right.
    """
    kind = kind or kind_of([path])
    if kind is None:
        raise SourceError(f"{path}: this is no evaluation log that is known.")
    chosen = choices.pop(FORMATS[kind].choose or "", None)
    log, cut = _loaded(path, kind, choices)
    cases = log.selected(None, None, chosen)
    held = log.selection(cases, count="errors", labels=labels, abstain=abstain)
    if not held.closed and not marks:
        raise SourceError(f"{path}: {held.closed.why} Watch its score: --measure accuracy.")
    return _items(held, log.order, marks=marks, cut=cut)


def _items(held: Selection, order: Sequence[str], *, marks: bool, cut: bool) -> Items:
    state, inside = np.asarray(STATES)[held.state], held.inside
    said: dict[str, Said] = {}
    lost = 0
    for i, name in enumerate(map(str, held.names)):
        real, answers, _ = said.setdefault(name, (held.cases[i].real, [], True))
        if state[i] == "not-run":
            said[name] = (real, answers, False)
        elif not inside[i]:
            lost += 1
        elif marks:
            answers.append(str(state[i]) if state[i] in RIGHT else None)
        else:
            answers.append(held.answers[i])
    known = {name: x for name, x in said.items() if x[1] or not x[2]}
    now = _in_order(known, order)
    coming = frozenset(known).difference(now) if order else frozenset()
    waiting = sum(known[name][2] for name in coming)
    kept = {name: known[name] for name in now if known[name][1]}
    reals = tuple("right" if marks else real for real, _, _ in kept.values())
    answers_ = tuple(tuple(answers) for _, answers, _ in kept.values())
    whole = tuple(whole for _, _, whole in kept.values())
    return Items(tuple(kept), reals, answers_, whole, lost, waiting, coming, cut)


def _in_order(said: dict[str, Said], order: Sequence[str]) -> list[str]:
    """The items as they were scheduled, up to the first that is not there; as they come where nobody knows."""
    places = {name: i for i, name in enumerate(order)}
    if not places.keys() >= said.keys():
        return list(said)
    names = sorted(said, key=places.__getitem__)
    return names[: next((i for i, name in enumerate(names) if not said[name][2]), len(names))]


def _loaded(path: str, kind: str, choices: dict[str, Any]) -> tuple[Log, bool]:
    """The log; of one whose last line has no end, its whole lines."""
    try:
        return load(path, kind, **choices), False
    except SourceError:
        with Path(path).open("rb") as file:
            raw = file.read()
        whole = raw[: raw.rfind(b"\n") + 1]
        if not whole or len(whole) == len(raw) or b"\0" in raw[:1000]:
            raise
        with TemporaryDirectory() as folder:
            beside = Path(folder) / Path(path).name
            beside.write_bytes(whole)
            return load(beside, kind, **choices), True
