"""Several scorers of the same answers: which of them can be read as marks, and repeats of an item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import isnan
from typing import Any

from informed.evidence.labels import some
from informed.sources.logs.bounded_files import Problem, number
from informed.sources.logs.log import Case, Reported

WORDS = {"true": 1.0, "yes": 1.0, "pass": 1.0, "false": 0.0, "no": 0.0, "fail": 0.0}


def grade(value: Any, words: Mapping[str, float] = WORDS) -> float | None:
    """What a scorer wrote, as a number: a truth value, a number, "yes" or "no"; None for anything else and for NaN.

    >>> [grade(x) for x in (True, 0.5, "yes", "False", "0.25", "", None, "good")]
    [1.0, 0.5, 1.0, 0.0, 0.25, None, None, None]
    """
    found = number(value)
    if isinstance(value, str):
        word = value.strip().casefold()
        try:
            found = words[word] if word in words else float(word)
        except ValueError:
            return None
    return None if found is None or isnan(found) else found


def graded(case: Case, scorer: str, value: float | None) -> Case:
    """The case as one scorer marked it; without a mark it is unscored, unless the system failed."""
    case = case._replace(mark=value, fields={**case.fields, "scorer": scorer})
    return case._replace(state="unscored") if value is None and case.state is None else case


def answered_unseen(case: Case) -> Case:
    """The case without an answer to show, although there was one: without credit it is wrong, and no abstention."""
    lost = case.state is None and case.mark == 0
    return case._replace(predicted=None, state="wrong" if lost else case.state)


def marks_only(cases: Iterable[Case]) -> tuple[list[Case], tuple[str, ...]]:
    """The cases of the scorers whose marks are between 0 and 1, and a note on the others."""
    held = list(cases)
    beyond = {case.fields["scorer"] for case in held if case.mark is not None and not 0 <= case.mark <= 1}
    kept = [case for case in held if case.fields["scorer"] not in beyond]
    if held and not kept:
        raise Problem(f"the numbers of {some(sorted(beyond), 8)} go beyond 0 and 1; marks from 0 to 1 are needed.")
    return kept, tuple(no_marks(beyond))


def no_marks(beyond: Collection[str]) -> list[str]:
    """A note on the scorers whose numbers are no marks, where there are any."""
    return [f"left out, for their numbers go beyond 0 and 1: {', '.join(sorted(beyond))}."] if beyond else []


def in_epochs(cases: Sequence[Case]) -> list[Case]:
    """The cases with the number of their attempt at the item, in the order of the log."""
    seen: Counter[tuple[Any, ...]] = Counter()
    numbered = []
    for case in cases:
        key = (case.system, case.task, case.item, case.fields.get("scorer"))
        seen[key] += 1
        numbered.append(case._replace(epoch=seen[key]))
    return numbered if any(count > 1 for count in seen.values()) else list(cases)


def reported(values: Mapping[str, Any], **of: Any) -> list[Reported]:
    """The numbers among some values, as what the tool reports."""
    found = {str(name): number(value) for name, value in values.items()}
    return [Reported(value, name, **of) for name, value in found.items() if value is not None and not isnan(value)]
