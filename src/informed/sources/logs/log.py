"""What every reader of a log gives: its cases, and what is known about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan, prod
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

from informed.errors import InformedError, SourceError
from informed.evidence.counting import MOST, tabulate
from informed.evidence.label_order import ordered
from informed.evidence.label_policy import LabelPolicy, Missing
from informed.evidence.labels import Label, native, some, text
from informed.evidence.table import Table
from informed.sources.logs.bounded_files import letters

NOTHING: Mapping[str, Any] = MappingProxyType({})


State = Literal["right", "wrong", "partial", "abstained", "error", "unscored", "not-run"]
STATES: tuple[State, ...] = get_args(State)
LEFT_OUT = ("unscored", "not-run")  # no tool counts them, unless it says so of a case


class Case(NamedTuple):
    """One answer to one item (or, in a matrix, a number of them).

    A case without a `state` has the one that follows from its mark and its answer: no answer is
    "abstained", unless it has credit; an answer without a mark is right where it is the real label.
    Where a log has marks and no answers, its reader says the state.
    """

    real: Hashable | None
    predicted: Hashable | None  # None: no usable answer
    times: float = 1
    item: str | None = None  # cases of one item are repeats of it
    options: int | None = None  # how many answers the item offers
    mark: float | None = None  # as the tool itself scored it, 0 … 1; None or NaN: it did not
    fields: Mapping[str, Any] = NOTHING  # what it can be grouped by
    state: State | None = None
    counts: bool | None = None  # whether its tool counts it; None: by state, an error if it has a mark
    epoch: int | None = None  # which attempt at the item, from 1; None: in the order of the log
    task: str | None = None  # where a log holds several
    system: str | None = None  # where a log holds several


class Reported(NamedTuple):
    """A number that the tool itself reports, and of what."""

    value: float
    name: str  # of the metric: accuracy, exact_match
    scorer: str | None = None
    filter: str | None = None
    reducer: str | None = None  # of the epochs; None: their mean, or there is one
    task: str | None = None
    system: str | None = None


def state_of(case: Case) -> State:
    """The state of a case, as its reader gave it or as it follows from mark and answer.

    >>> [state_of(Case("a", x, mark=m)) for x, m in (("a", 1), ("b", 0), ("b", 0.5), (None, 0), ("a", None))]
    ['right', 'wrong', 'partial', 'abstained', 'right']
    """
    if case.state is not None:
        return case.state
    mark = case.mark
    if mark is not None and isnan(mark):
        return "unscored"
    if mark is None or mark <= 0:
        if case.predicted is None:
            return "abstained"
        if case.real is None and mark is None:
            return "unscored"
        return "right" if mark is None and case.predicted == case.real else "wrong"
    return "right" if mark >= 1 else "partial"


def counts(case: Case) -> bool:
    """Whether the tool of a case counts it in its own number."""
    if case.counts is not None:
        return case.counts
    state = state_of(case)
    return case.mark is not None if state == "error" else state not in LEFT_OUT


def name_options(cases: Iterable[Case]) -> bool:
    """Whether every real label is the letter of an option, so that labels are places."""
    return all(case.options is not None and case.real in letters(min(case.options, 26)) for case in cases)


@dataclass(frozen=True)
class Log:
    """An evaluation log that has been read: make a `table` of it, or `describe` it."""

    path: Path
    cases: Sequence[Case]
    format: str = ""  # as it is registered
    model: str | None = None
    task: str | None = None
    choose: str | None = None  # the field that tells apart several scorings of the same answers
    labels: tuple[Hashable, ...] | None = None  # their order, where the log has one
    multiple_choice: bool = False  # labels are places of options: the bias is a position bias
    positive: Hashable | None = None
    reported: Sequence[Reported] = ()  # every number of the tool, its own headline first
    facts: Mapping[str, Any] = field(default_factory=dict)  # more for `describe`
    notes: tuple[str, ...] = ()

    def table(
        self,
        *,
        by: str | Sequence[str] | None = None,
        missing: Missing = "abstain",
        positive: Label = None,
        labels: Sequence[Label] | None = None,
        abstain: Any = None,
        options: int | None = None,
        units: bool = True,
        chosen: Any = None,
    ) -> Table:
        """The table of the log, or a stack of tables.

        Parameters
        ----------
        by
            Field or fields to group by: each is a leading axis of the stack, with its names.
        missing
            An unanswered case is an abstention; "drop" leaves it out, "error" refuses it.
        labels
            The classes and their order; another label is an error. By default those of the log.
        abstain
            An answer (or a list of them) that means "no answer", besides the empty one.
        options
            Only the items with this number of options.
        units
            Where items were asked more than once, the last axis of the stack is the items, for
            ``interval(…, unit_axis=…)``. False pools the repeats as if they were independent.
        chosen
            Which filter, scorer or section, where there are several.
        """
        cases, columns, repeated = self._grouped(by, options, chosen)
        if not cases:
            raise self._problem("there are no cases to count.")
        if units and repeated:
            columns.append([case.item for case in cases])
        self._check_size(columns, cases)
        rows = zip(*columns, *zip(*(case[:3] for case in cases), strict=True), strict=True)
        try:
            known = self._labels(cases) if labels is None else labels
            policy = LabelPolicy(known, abstain, missing)
            table = Table(**tabulate(rows, policy, by=len(columns)))
            if positive is None and self.positive in table.real_labels:
                positive = self.positive
            if positive is not None:
                table = table.with_positive(positive)
            # The order in which a log lists its labels need not mean anything.
            return table if labels is not None else replace(table, stated=None)
        except InformedError as error:
            raise type(error)(f"{self.path}: {error}") from None

    def unit_axis(
        self, *, by: str | Sequence[str] | None = None, options: int | None = None, chosen: Any = None
    ) -> int | None:
        """Which axis of the stack is the items that were asked more than once; None without."""
        _, columns, repeated = self._grouped(by, options, chosen)
        return len(columns) if repeated else None

    def describe(self, *, chosen: Any = None) -> dict[str, Any]:
        """What the log holds: for a report to say beside the table.

        Numbers are of the chosen filter, scorer or section, or else of all of them.
        """
        several = len(self._scorings()) > 1 and chosen is None
        held = self.cases
        if self.choose is not None and not several:
            held = self._one_scoring(list(held), self.choose, chosen)
        repeats = Counter((case.item, case.fields.get(self.choose or "")) for case in held)
        offered = Counter(case.options for case in held if case.options is not None)
        marked = [case for case in held if case.mark in (0, 1)]
        outside = self._outside(held)
        known = any(case.item is not None for case in held)

        # What does not count as it stands is said.
        notes = list(self.notes)
        unanswered = sum(case.times for case in held if case.predicted is None)
        if unanswered:
            notes.append(
                f"{unanswered:,g} answers are missing or could not be parsed; they count as "
                "abstentions unless `missing` says otherwise."
            )
        if outside:
            notes.append(f"{outside:,} answers are no real label; they are predicted labels of their own.")
        differ = sum((case.real == case.predicted) != bool(case.mark) for case in marked)
        if differ:
            notes.append(
                f"{differ:,} of {len(marked):,} cases are scored differently by the tool than by "
                "comparing the answer with the real label."
            )

        return {
            "format": self.format,
            "file": str(self.path),
            "model": self.model,
            "task": self.task,
            "rows": sum(case.times for case in held),
            "unanswered": unanswered,
            "items": len({item for item, _ in repeats}) if known else None,
            "repeats": max(repeats.values()) if known else 1,
            "options": dict(sorted(offered.items())),
            "multiple_choice": self.multiple_choice,
            "choose": self.choose,
            "choices": self._scorings(),
            "fields": self._fields(),
            "reported": [{k: v for k, v in told._asdict().items() if v is not None} for told in self.reported],
            "differently_scored": differ,
            **self.facts,
            "notes": notes,
        }

    # ------------------------------------------------------------------ parts

    def _problem(self, message: str) -> SourceError:
        return SourceError(f"{self.path}: {message}")

    def _grouped(
        self, by: str | Sequence[str] | None, options: int | None, chosen: Any
    ) -> tuple[list[Case], list[list[Hashable]], bool]:
        """The cases, a column of each group, and whether any item has more than one case within its group."""
        keys = [] if by is None else [by] if isinstance(by, str) else list(by)
        cases = self.selected(keys, options, chosen)
        columns = [[self._value(case, key) for case in cases] for key in keys]
        named = all(case.item is not None for case in cases)
        distinct = set(zip(*columns, (case.item for case in cases), strict=True))
        return cases, columns, named and len(distinct) < len(cases)

    def selected(self, keys: Sequence[str], options: int | None, chosen: Any) -> list[Case]:
        cases = list(self.cases)
        if self.choose is not None and self.choose not in keys:
            cases = self._one_scoring(cases, self.choose, chosen)
        elif chosen is not None and self.choose is not None:
            raise SourceError(f"`{self.choose}` is given twice: as a choice and in `by`.")
        if options is not None:
            cases = [case for case in cases if case.options == options]
            if not cases:
                raise self._problem(f"no item has {text(options)} options.")
        offered = Counter(case.options for case in cases if case.options is not None)
        if len(offered) > 1 and "options" not in keys:
            seen = ", ".join(f"{n:,} with {k}" for k, n in sorted(offered.items()))
            raise self._problem(
                f"items differ in their number of options ({seen}), and chance is different for each; give "
                f'options={offered.most_common(1)[0][0]}, or by="options".'
            )
        return cases

    def _one_scoring(self, cases: list[Case], field: str, chosen: Any) -> list[Case]:
        names = self._scorings()
        if chosen is None and len(names) > 1:
            one = f"choose one with {field}={text(names[-1])}"
            raise self._problem(f"each answer is there once for each {field} ({some(names, 8)}); {one}.")
        alike = {str(name).casefold(): name for name in names}
        name = names[0] if chosen is None and names else alike.get(str(chosen).casefold())
        if chosen is not None and name is None:
            raise self._problem(f"there is no {field} {text(chosen)}; there is {some(names, 8)}.")
        return [case for case in cases if case.fields.get(field) == name]

    def _scorings(self) -> list[Hashable]:
        if self.choose is None:
            return []
        return list(dict.fromkeys(case.fields.get(self.choose) for case in self.cases))

    def _value(self, case: Case, key: str) -> Hashable:
        if key == "options" and case.options is not None:
            return case.options
        value = case.fields.get(key)
        if value is None and key in ("model", "task"):
            value = getattr(self, key)
        if value is None:
            some_have = any(key in other.fields for other in self.cases)
            seen = "is missing in some cases" if some_have else "is no field of this log"
            raise self._problem(f"{text(key)} {seen}; group by one of {some(self._fields(), 12)}.")
        return native(value)

    def _fields(self) -> list[str]:
        """The fields that every case has."""
        common: set[str] | None = None
        for case in self.cases:
            held = {key for key, value in case.fields.items() if value is not None}
            common = held if common is None else common & held
        common = common or set()
        common |= {name for name in ("model", "task") if getattr(self, name) is not None}
        if self.cases and all(case.options is not None for case in self.cases):
            common.add("options")
        return sorted(common)

    def _labels(self, cases: Sequence[Case]) -> tuple[Hashable, ...] | None:
        """The order of the labels: as the log has them, then any others that were seen."""
        first = self._labels_first(cases)
        if not first:
            return None
        seen = dict.fromkeys(label for case in cases for label in case[:2] if label is not None and label not in first)
        return (*first, *ordered(seen))

    def _labels_first(self, cases: Sequence[Case]) -> tuple[Hashable, ...]:
        if not self.multiple_choice:
            return self.labels or ()
        most = max((case.options or 0 for case in cases), default=0)
        return self.labels[:most] if self.labels else letters(most)

    def _outside(self, cases: Sequence[Case]) -> int:
        """How many answers are no real label and no option."""
        known = {case.real for case in cases} | set(self._labels_first(cases))
        return sum(case.predicted is not None and case.predicted not in known for case in cases)

    def _check_size(self, columns: Sequence[Sequence[Hashable]], cases: Sequence[Case]) -> None:
        shape = [len(set(column)) for column in columns]
        classes = len({x for case in cases for x in case[:2]})
        if columns and prod([*shape, classes, classes]) > MOST:
            seen = " × ".join(f"{x:,}" for x in shape)
            raise self._problem(
                f"a stack of {seen} tables of {classes:,} labels is too large; group by less, or pool the repeats with "
                "units=False."
            )
