"""The items of a log in the order in which they were scheduled, with all answers to each: what a bettor counts."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from informed.evidence.states import STATES
from informed.sources.logs.selection import Selection

Said = tuple[Hashable, list[Hashable | None], bool]  # the real label, the answers, whether these are all


@dataclass(frozen=True)
class Items:
    """What is known of each item: its real label and the answers to it, None where there was none; or its scores."""

    names: tuple[str, ...]
    real: tuple[Hashable, ...]
    answers: tuple[tuple[Hashable | None, ...], ...]
    whole: tuple[bool, ...]  # whether all attempts at it are there
    left_out: int = 0  # cases that have no mark
    waiting: int = 0  # items that wait for one that was scheduled before them
    coming: frozenset[str] = frozenset()  # those that wait, and those that they wait for
    cut: bool = False  # whether a line without its end was left out


def items_in(held: Selection, order: Sequence[str], *, marks: bool, cut: bool = False) -> Items:
    """The items of a selection; with `marks`, the score of each answer from 0 to 1, and 0 where there was none."""
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
            answers.append(float(held.mark[i]))
        else:
            answers.append(held.answers[i])
    known = {name: x for name, x in said.items() if x[1] or not x[2]}
    now = _in_order(known, order)
    coming = frozenset(known).difference(now) if order else frozenset()
    waiting = sum(known[name][2] for name in coming)
    kept = {name: known[name] for name in now if known[name][1]}
    reals = tuple("score" if marks else real for real, _, _ in kept.values())
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
