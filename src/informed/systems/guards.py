"""What must hold before any gate is asked: nearly all cases were run, scored and without error.

A system must not pass because its hard cases are not there. Shares are of all cases that there
are, whether they count or not.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping

import numpy as np

from informed._numbers import percent, plural
from informed.evidence.paired import LEFT_OUT, Paired
from informed.evidence.paired_epochs import ABSENT
from informed.evidence.shown import system_name
from informed.inference.hypothesis import between
from informed.results import UNFINISHED, Gate, Note, warning

States = Mapping[str, float]  # how many cases are right, wrong, …
MOST: Mapping[str, float] = {"unscored": 0.05, "error": 0.1, "not-run": 0.05}  # share, by state
ALLOWED = "allow-unfinished"  # the guard, and the option, of a run that is not whole
OPTIONS = {"unscored": "max-unscored", "error": "max-errors", "not-run": "max-not-run"}
SAID = {  # of so many of so many cases
    "unscored": "{} of {} cases{} have no mark",
    "error": "{} of {} cases{} ended in an error",
    "not-run": "{} of {} cases{} were not run",
}


def guards(
    states: States, most: Mapping[str, float] = MOST, of: str = "", unfinished: Iterable[str] = ()
) -> tuple[Gate, ...]:
    """The guards that fail, each with the sentence why no gate was checked.

    A run that is `unfinished` fails its guard unless `most` allows it ("unfinished": 1).

    >>> [found] = guards({"right": 30, "wrong": 21, "unscored": 9})
    >>> found.sentence
    '9 of 60 cases have no mark (15 %), more than 5 %: no gate was checked.'
    """
    return (*_not_whole(unfinished, most, of), *_failed(states, {**MOST, **most}, of))


def _not_whole(unfinished: Iterable[str], most: Mapping[str, float], of: str) -> Iterator[Gate]:
    """A gate of a run that did not answer all that it was asked is not checked unless that is allowed."""
    for said in () if most.get("unfinished") else unfinished:
        who = f"{of}: " if of and not said.startswith(f"{of}: ") else ""
        text = f"{who}{first_sentence(said)} No gate was checked; --allow-unfinished checks the gates of such a run."
        yield Gate(ALLOWED, False, text, 1.0, 0.0, guard=True)


def first_sentence(said: str) -> str:
    """How a run ended, without what follows from it."""
    return said.partition(". ")[0].rstrip(".") + "."


def _failed(states: States, most: Mapping[str, float], of: str) -> Iterator[Gate]:
    total = sum(states.values())
    for state, name in OPTIONS.items():
        held = states.get(state, 0)
        if held > most[state] * total:
            seen = SAID[state].format(f"{held:,g}", f"{total:,g}", f" of {of}" if of else "")
            said = f"{seen} ({percent(held / total)}), more than {percent(most[state])}: no gate was checked."
            yield Gate(name, False, said, held / total, most[state], guard=True)


def guards_of(p: Paired, names: tuple[Hashable, ...], most: Mapping[str, float] = MOST) -> tuple[Gate, ...]:
    """The guards that fail for any of these systems; an item that was dropped for a missing label was not run."""
    held = p.states()
    for name in names:
        held[name]["not-run"] += p.missing
    each = ((name, (p.unfinished[name],) if name in p.unfinished else ()) for name in names)
    return tuple(gate for name, said in each for gate in guards(held[name], most, system_name(name), said))


def answered_by_all(p: Paired) -> tuple[Paired, Note]:
    """The items that every system answered, and how many these are."""
    found = p.where(np.asarray((p.codes >= 0).all(axis=1)))
    said = f"Compared on the {found.n_items:,} of {p.n_items:,} items that every system answered."
    return found, Note(said, code="common-items")


def left_out_notes(p: Paired) -> tuple[Note, ...]:
    """Which items are compared where some do not count in every system, and why; and who was asked how often."""
    remarks = tuple(Note(said, code="read") for said in p.remarks)
    remarks = (*unfinished_notes({name: (said,) for name, said in p.unfinished.items() if name in p.names}), *remarks)
    if p.counted is p:
        return remarks
    held, kept = p.lost(), p.counted.n_items
    parts = []
    for state, how in zip(LEFT_OUT, ("not run", "without a mark", "ended in an error", "no answer"), strict=True):
        seen = [f"{n:,} of {system_name(name)}" for name, x in held.items() if (n := x[state])]
        if seen:
            more = f" and {len(seen) - 6} more systems" if len(seen) > 6 else ""
            parts.append(f"{how}: {', '.join(seen[:6])}{more}")
    every = "both" if len(p.names) == 2 else "every system"
    why = f" ({'; '.join(parts)})" if parts else ""
    said = f"{kept:,} of {p.n_items:,} items count in {every}{why}"
    if kept < p.n_items:  # leaving hard items out may pay: it is not overlooked
        out = [warning(f"{said}; the others are left out.", "left-out")]
    else:
        out = [Note(f"{said}, with the answers that count.", code="left-out")] if parts else []
    return (*remarks, *out, *_asked(p.counted))


def unfinished_notes(of: Mapping[Hashable, Iterable[str]]) -> tuple[Note, ...]:
    """How the runs of systems ended that are not whole, which their page says first."""
    each = ((name, said) for name, sentences in of.items() for said in sentences)
    return tuple(warning(f"{system_name(name)}: {said}", UNFINISHED) for name, said in each)


def _asked(p: Paired) -> list[Note]:
    """How often each system was asked the same items, where that is not equally often."""
    if p.item is None:
        return []
    times = np.zeros((int(p.item.max(initial=-1)) + 1, len(p.names)))
    np.add.at(times, p.item, p.codes != ABSENT)
    times = times[np.unique(p.item)]
    if (times == times[:, :1]).all():
        return []
    each = [f"{between(x)} of {system_name(name)}" for name, x in zip(p.names, times.T, strict=True)]
    more = f" and of {len(each) - 6} more systems" if len(each) > 6 else ""
    said = f"Each item counts once: {plural(len(times), 'item')}; answers to each: {', '.join(each[:6])}{more}."
    return [Note(said, code="items")]
