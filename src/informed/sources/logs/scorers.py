"""Several scorers of the same answers: which of them can be read as marks, and repeats of an item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import isnan
from typing import Any

from informed.errors import SourceError
from informed.evidence.labels import some, text
from informed.evidence.states import State
from informed.sources.logs.bounded_files import Problem, number
from informed.sources.logs.case import scale_hint
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


Scales = Mapping[str, tuple[float, float]]  # the lowest and the highest number of a scorer


def scales_of(scale: str | Mapping[str, Sequence[float]] | None) -> Scales:
    """The scale of each scorer that is named, such as "fluency:1:5,tone:0:10".

    >>> scales_of("fluency:1:5,tone:0:10")
    {'fluency': (1.0, 5.0), 'tone': (0.0, 10.0)}
    """
    if isinstance(scale, Mapping):
        parts: list[Sequence[Any]] = [(str(name), *ends) for name, ends in scale.items()]
    else:
        parts = [part.rsplit(":", 2) for part in (scale or "").split(",") if part.strip()]
    found = {}
    for part in parts:
        try:
            _, low, high = part
            ends = float(low), float(high)
        except (TypeError, ValueError):
            ends = 0.0, 0.0
        if not ends[0] < ends[1]:
            raise SourceError(
                f"`scale` is {text(scale)}; name a scorer with its lowest and its highest number, as in fluency:1:5."
            )
        found[str(part[0]).strip()] = ends
    return found


def scaled(cases: Sequence[Case], scales: Scales) -> list[Case]:
    """The cases whose marks on a scale are given on 0 to 1: the lowest number is 0, the highest is 1."""
    there = {case.fields["scorer"] for case in cases}
    for name in scales:
        if name not in there:
            raise SourceError(f"`scale` names the scorer {text(name)}; there is {some(sorted(there), 8)}.")
    written = {case.fields["scorer"] for case in cases if case.predicted is not None}  # others wrote no answer at all
    found = []
    for case in cases:
        ends = scales.get(case.fields["scorer"])
        if ends is not None and case.mark is not None:
            low, high = ends
            if not low <= case.mark <= high:
                which = case.fields["scorer"]
                raise SourceError(
                    f"{text(which)} has the number {case.mark:g}, outside of its scale {low:g} to {high:g}."
                )
            mark = (case.mark - low) / (high - low)
            state: State | None = (
                None if case.state == "wrong" else case.state
            )  # which a 0 was that is not the lowest number
            if state is None and mark == 0 and case.fields["scorer"] not in written:
                state = "wrong"  # nobody wrote an answer, so that none was refused
            case = case._replace(mark=mark, state=state)
        found.append(case)
    return found


def marks_only(cases: Iterable[Case]) -> tuple[list[Case], tuple[str, ...]]:
    """The cases of the scorers whose marks are between 0 and 1, and a note on the others."""
    held = list(cases)
    beyond = {case.fields["scorer"] for case in held if case.mark is not None and not 0 <= case.mark <= 1}
    kept = [case for case in held if case.fields["scorer"] not in beyond]
    if held and not kept:
        said = f"the numbers of {some(sorted(beyond), 8)} go beyond 0 and 1; marks from 0 to 1 are needed."
        raise Problem(f"{said} {scale_hint(min(beyond))}")
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
