"""What every reader of a log gives: its cases, and what is known about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from informed._arrays import Array
from informed.errors import InformedError, SourceError
from informed.evidence.columns import column as column_of
from informed.evidence.counting import MOST
from informed.evidence.label_order import ordered
from informed.evidence.label_policy import LabelPolicy, Missing, Places, encode
from informed.evidence.labels import Label, native, some, text
from informed.evidence.likeness import NONE
from informed.evidence.marks import Marks
from informed.evidence.table import Table
from informed.evidence.unit_counting import word_of
from informed.sources.cell_cases import MOST_IDS, gathered
from informed.sources.logs.bounded_files import in_file, letters
from informed.sources.logs.case import Case, Reported, name_options, scale_hint
from informed.sources.logs.score import Score, scored
from informed.sources.logs.selection import Closed, Count, Selection, selection
from informed.sources.logs.stopped import at_any_time
from informed.summary.parts import CellCases

__all__ = ["Case", "Log", "Reported", "name_options"]

PLAIN = (None, "mean")  # reducers that are the mean over the attempts at an item
OF_CASES = ("options", "epoch", "task", "system")  # fields of every case that it can be grouped by
MARKED_BY = ("scorer", "filter")  # of several, the first is the tool's; others are different data
MOST_CASES = 10_000_000


@dataclass(frozen=True)
class Log:
    """An evaluation log that has been read: make a `table` or `marks` of it, or `describe` it."""

    path: Path
    cases: Sequence[Case]
    format: str = ""  # as it is registered
    model: str | None = None  # or whatever system it is
    task: str | None = None
    choose: str | None = None  # the field that tells apart several scorings of the same answers
    headline: Hashable | None = None  # of several scorings, the one that the tool shows first
    metric: str | None = None  # which of the reported numbers is the mean of the marks; None: the first
    reducer: str | None = None  # how the tool makes one value of the attempts at an item
    labels: tuple[Hashable, ...] | None = None  # their order, where the log has one
    foreign: bool = False  # answers that are no real label are labels of their own
    multiple_choice: bool = False  # labels are places of options: the bias is a position bias
    positive: Hashable | None = None
    reported: Sequence[Reported] = ()  # every number of the tool, its own headline first
    facts: Mapping[str, Any] = field(default_factory=dict)  # more for `describe`
    notes: tuple[str, ...] = ()
    unfinished: str = ""  # how a run ended that did not answer all that it was asked, as a sentence
    stopped: bool = False  # whether a rule ended it that looked at the answers in the order of the items
    remarks: tuple[str, ...] = ()  # what a reader must not overlook, such as that only a part was asked for
    order: tuple[str, ...] = ()  # in which items were scheduled, where the log says it: answers may come in another one

    def table(
        self,
        *,
        by: str | Sequence[str] | None = None,
        missing: Missing = "abstain",
        positive: Label = None,
        labels: Sequence[Label] | None = None,
        abstain: Any = None,
        options: int | None = None,
        unit: str | None = None,
        chosen: Any = None,
        count: Count = "tool",
        classes: bool | None = None,
    ) -> Table:
        """The table of the log, or a stack of tables, of the cases that count.

        Where items were asked more than once, the answers to an item share its weight.

        Parameters
        ----------
        by
            Field or fields to group by: each is a leading axis of the stack, with its names.
        missing
            An unanswered case is an abstention; "drop" leaves it out, "error" refuses it.
        labels
            The classes and their order; an answer that is none of them is no answer.
        abstain
            An answer (or a list of them) that means "no answer", besides the empty one; a
            /pattern/ means every answer in which it is found.
        options
            Only the items with this number of options.
        unit
            The field that says what the items were sampled in (a passage, a repository).
        chosen
            Which filter, scorer or section, where there are several.
        count
            Which cases count: those that the "tool" counts, "errors" too, or only the "answered".
        classes
            True makes a table of free-form answers, too.
        """
        self._check_cases()
        keys = _several(self.apart if by is None else by)
        cases = self.selected(keys, options, chosen)
        held = self.selection(cases, count=count, labels=labels, abstain=abstain, classes=classes)
        if not held.inside.any():
            told = ", ".join(f"{n:,g} {state}" for state, n in held.states().items()) or "there are none"
            raise self._problem(f"none of its cases counts ({told}).")
        if not held.closed:
            ways = ("take its marks (`marks=True`)", "force a table (`classes=True`)")
            raise SourceError(f"{self.path}: {held.closed.why}", *ways)
        at = np.flatnonzero(held.inside)
        pair = [[cases[i].real for i in at.tolist()], [held.answers[i] for i in at.tolist()]]
        columns = [[self.value_of(cases[i], key) for i in at.tolist()] for key in keys]
        sampled = None if unit is None else [self.value_of(cases[i], unit) for i in at.tolist()]
        self._check_size(columns, pair)

        times = np.array([cases[i].times for i in at.tolist()], np.float64)
        plain = bool((times == 1).all())
        items = held.item[at]
        try:
            table = Table.from_labels(
                real=pair[0],
                predicted=pair[1],
                labels=self._labels(pair, cases) if labels is None else labels,
                missing=missing,
                normalize=NONE,  # the scorer of the log has decided what is the same
                by=dict(zip(keys, columns, strict=True)) or None,
                item=items if plain and len(np.unique(items)) < len(items) else None,
                unit=sampled,
                weights=None if plain else times,
                frequency=not plain,
            )
            if unit is not None and table.units is not None:
                table = replace(table, units=replace(table.units, name=word_of(unit, "unit")))
            positive = self.positive if positive is None and self.positive in table.real_labels else positive
            table = table if positive is None else table.with_positive(positive)
            table = replace(table, unfinished=self.said_of_run(held), remarks=(*table.remarks, *self.remarks))
            # The order in which a log lists its labels need not mean anything.
            return table if labels is not None else replace(table, stated=None)
        except InformedError as error:
            raise type(error)(f"{self.path}: {error}") from None

    def examples(
        self,
        *,
        missing: Missing = "abstain",
        labels: Sequence[Label] | None = None,
        abstain: Any = None,
        options: int | None = None,
        chosen: Any = None,
        count: Count = "tool",
        classes: bool | None = None,
        most: int = MOST_IDS,
        **others: Any,
    ) -> tuple[CellCases, ...]:
        """Ids of some cases of each cell of `table`, which takes the same; of a log that names no items, none."""
        cases = self.selected(None, options, chosen)
        held = self.selection(cases, count=count, labels=labels, abstain=abstain, classes=classes)
        at = [i for i in np.flatnonzero(held.inside).tolist() if cases[i].item is not None]
        if not at or not held.closed:
            return ()
        pair = [[cases[i].real for i in at], [held.answers[i] for i in at]]
        known = self._labels(pair, cases) if labels is None else labels
        policy = LabelPolicy(known, missing=missing, normalize=NONE, part=True)
        with in_file(self.path):
            encoded = encode([column_of(x, "answer").side() for x in pair], policy)
        return gathered(encoded, [str(cases[i].item) for i in at], most)

    def marks(
        self,
        *,
        by: str | None = None,
        unit: str | None = None,
        labels: Sequence[Label] | None = None,
        abstain: Any = None,
        options: int | None = None,
        chosen: Any = None,
        count: Count = "tool",
        classes: bool | None = None,
    ) -> Marks:
        """The marks of the log: of every log, whether its answers are classes or not.

        `by` names the field that the items can be sliced by, `unit` the one they were sampled in;
        the rest is as for `table`.
        """
        self._check_cases()
        by = self.apart if by is None else by
        cases = self.selected(None, options, chosen)
        held = self.selection(cases, count=count, labels=labels, abstain=abstain, classes=classes)
        if all(case.mark is None for case in cases) and not held.closed:
            raise self._problem(f"{held.closed.why} The log has no marks either: a metric is needed, or real labels.")
        times = np.array([case.times for case in cases], np.float64)
        every = np.repeat(np.arange(len(cases)), _whole(times, self)).tolist()
        epochs = [case.epoch for case in cases]

        def column(name: str) -> list[Hashable]:
            return [self.value_of(cases[i], name) for i in every]

        found = Marks.from_columns(
            mark=held.mark[every],
            item=held.names if (times == 1).all() else None,
            epoch=None if None in epochs else [epochs[i] for i in every],
            state=held.named[every],
            counts=held.inside[every],
            unit=None if unit is None else column(unit),
            group=None if by is None else column(by),
            options=[cases[i].options for i in every] if any(case.options for case in cases) else None,
            chance=[cases[i].chance for i in every] if any(case.chance is not None for case in cases) else None,
            real=None if held.reals is None else [held.reals[i] for i in every],
            name=self._called(chosen),
            system=self.model,
        )
        return replace(found, unfinished=self.said_of_run(held), remarks=self.remarks)

    def said_of_run(self, held: Selection) -> tuple[str, ...]:
        """How the run ended if it is not whole; with the limits that hold at any time where a rule ended it."""
        if not self.stopped:
            return (self.unfinished,) if self.unfinished else ()
        return (f"{self.unfinished} {at_any_time(held, self.order)}".strip(),)

    @property
    def apart(self) -> str | None:
        """What the cases are grouped by where nothing else is said: several systems are never pooled."""
        return "system" if len({case.system for case in self.cases}) > 1 else None

    def states(self, *, chosen: Any = None, options: int | None = None, **how: Any) -> dict[str, int | float]:
        """How many cases are in each state that occurs; what is asked for is as for `marks`, here and below."""
        return self.selection(self.selected(None, options, chosen), **how).states()

    def closed(self, *, chosen: Any = None, options: int | None = None, **how: Any) -> Closed:
        """Whether the answers are classes, so that there is a table; and why."""
        return self.selection(self.selected(None, options, chosen), **how).closed

    def score(self, *, chosen: Any = None, level: float = 0.95, **how: Any) -> Score:
        """The mean of the marks with its interval, beside the number that the tool itself reports."""
        return self.scored(self.marks(chosen=chosen, **how), chosen, level, of_all=how.get("options") is None)

    def scored(self, marks: Marks, chosen: Any = None, level: float = 0.95, *, of_all: bool = True) -> Score:
        """The score of marks of this log; of a part of its items the tool reports nothing."""
        return scored(marks, self.own(chosen) if of_all else None, self.reducer, level)

    def agree(self, scorer: Any, other: Any) -> Table:
        """The verdicts of two scorers (filters) on the same answers: `other` real, `scorer` predicted."""
        return self.marks(chosen=scorer).agree(self.marks(chosen=other))

    def own(self, chosen: Any = None) -> Reported | None:
        """The number that the tool itself reports of these marks; None where the log does not hold it."""
        scoring = self.scoring(chosen)
        mine = [
            told
            for told in self.reported
            if (told.filter if self.choose == "filter" else told.scorer) in (None, scoring)
            and (told.task or self.task) == self.task
            and (told.system or self.model) == self.model
            and ((told.reducer in PLAIN) if self.reducer in PLAIN else told.reducer == self.reducer)
        ]
        return next((told for told in mine if told.name == self.metric), mine[0] if mine else None)

    def describe(self, *, chosen: Any = None, options: int | None = None, **how: Any) -> dict[str, Any]:
        """What the log holds: for a report to say beside the table.

        Numbers are of the chosen filter, scorer or section, or else of the tool's first.
        """
        held = self.selection(self.selected(None, options, chosen), **how)
        cases = held.cases
        repeats = Counter(held.item.tolist())
        offered = Counter(case.options for case in cases if case.options is not None)
        known = any(case.item is not None for case in cases)
        states = held.states()
        notes, differ = [*self.remarks, *self.notes, *held.notes], held.differently_scored
        unanswered = states.get("abstained", 0)
        if unsaid := unanswered - held.outside:
            are = "answer is missing, could not be parsed or is a refusal"
            are = are if unsaid == 1 else "answers are missing, could not be parsed or are refusals"
            notes.append(f"{unsaid:,} {are}: no answer.")
        if differ and held.closed:  # a free answer may be right in other words
            notes.append(
                f"{differ:,} of {len(cases):,} cases are scored differently by the tool than by comparing the answer "
                "with the real label."
            )

        return {
            "format": self.format,
            "file": str(self.path),
            "model": self.model,
            "task": self.task,
            "rows": sum(case.times for case in cases),
            "unanswered": unanswered,
            "states": states,
            "closed": held.closed.classes,
            "why": held.closed.why,
            "items": len(repeats) if known else None,
            "repeats": max(repeats.values()) if known else 1,
            "options": dict(sorted(offered.items())),
            "multiple_choice": self.multiple_choice,
            "choose": self.choose,
            "chosen": self.scoring(chosen),
            "choices": self.scorings(),
            "fields": self._fields(),
            "reported": [{k: v for k, v in told._asdict().items() if v is not None} for told in self.reported],
            "differently_scored": differ,
            **self.facts,
            "unfinished": self.unfinished,
            "notes": notes,
        }

    # ------------------------------------------------------------------ parts

    def selection(
        self,
        cases: Sequence[Case],
        *,
        count: Count = "tool",
        labels: Sequence[Label] | None = None,
        abstain: Any = None,
        classes: bool | None = None,
    ) -> Selection:
        """The states of these cases, and who of them counts."""
        known = self._labels_first(cases)
        asked: dict[str, Any] = {"count": count, "labels": labels, "abstain": abstain, "classes": classes}
        with in_file(self.path):
            return selection(cases, **asked, known=known, foreign=self.foreign)

    def selected(self, keys: Sequence[str] | None, options: int | None, chosen: Any) -> list[Case]:
        """The cases of one scoring; with `keys`, to be counted in tables by these fields."""
        cases = list(self.cases)
        if self.choose is not None and self.choose not in (keys or ()):
            name = self.scoring(chosen)
            cases = [case for case in cases if case.fields.get(self.choose) == name]
        elif chosen is not None and self.choose is not None:
            raise SourceError(f"`{self.choose}` is given twice: as a choice and in `by`.")
        if options is not None:
            cases = [case for case in cases if case.options == options]
            if not cases:
                raise self._problem(f"no item has {text(options)} options.")
        offered = Counter(case.options for case in cases if case.options is not None)
        if keys is not None and len(offered) > 1 and "options" not in keys:
            seen = ", ".join(f"{n:,} with {k}" for k, n in sorted(offered.items()))
            raise self._problem(
                f"items differ in their number of options ({seen}), and chance is different for each; give "
                f"`options={offered.most_common(1)[0][0]}`, or `by='options'`."
            )
        return cases

    def scoring(self, chosen: Any) -> Hashable | None:
        """Which of several scorings is meant: the chosen one, or the tool's own headline."""
        names = self.scorings()
        if chosen is None:
            if self.headline in names:
                return self.headline
            if len(names) < 2 or self.choose in MARKED_BY:
                return names[0] if names else None
            one = f"choose one with `{self.choose}={str(names[-1])!r}`"
            raise self._problem(f"each answer is there once for each {self.choose} ({some(names, 8)}); {one}.")
        name = {str(name).casefold(): name for name in names}.get(str(chosen).casefold())
        if name is None:
            hint = (
                f" Its numbers go beyond 0 and 1. {scale_hint(chosen)}"
                if chosen in self.facts.get("beyond", ())
                else ""
            )
            raise self._problem(f"there is no {self.choose} {text(chosen)}; there is {some(names, 8)}.{hint}")
        return name

    def _check_cases(self) -> None:
        if not self.cases:  # a reader that finds totals only says so first
            raise self._problem(next(iter(self.notes), "there are no cases to count."))

    def _problem(self, message: str) -> SourceError:
        return SourceError(f"{self.path}: {message}")

    def _called(self, chosen: Any) -> str:
        own = self.own(chosen)
        scoring = self.scoring(chosen)
        name = self.metric if own is None else own.name
        of = None if scoring == "none" else scoring
        return ", ".join(dict.fromkeys(str(x) for x in (name, of) if x is not None)) or "score"

    def scorings(self) -> list[Hashable]:
        """The filters, scorers or sections of the same answers, in their order; none where there is no such choice."""
        if self.choose is None:
            return []
        return list(dict.fromkeys(case.fields.get(self.choose) for case in self.cases))

    def value_of(self, case: Case, key: str) -> Hashable:
        """What a case has in a field, which is refused with those that there are where it has none."""
        value = getattr(case, key) if key in OF_CASES else None
        if value is None:
            value = case.fields.get(key)
        if value is None and key in ("model", "system", "task"):
            value = self.task if key == "task" else self.model
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
        if self.cases:
            common |= {key for key in OF_CASES if all(getattr(case, key) is not None for case in self.cases)}
        return sorted(common)

    def _labels(self, pair: Sequence[Sequence[Hashable]], cases: Sequence[Case]) -> tuple[Hashable, ...] | None:
        """The order of the labels: as the log has them, then any others that were seen."""
        first = self._labels_first(cases)
        if not first:
            return None
        seen = dict.fromkeys(x for side in pair for x in side if x is not None and x not in first)
        return (*first, *ordered(seen))

    def _labels_first(self, cases: Sequence[Case]) -> tuple[Hashable, ...]:
        if not self.multiple_choice:
            return self.labels or ()
        most = max((case.options or 0 for case in cases), default=0)
        return self.labels[:most] if self.labels else letters(most)

    def _check_size(self, columns: Sequence[Sequence[Hashable]], pair: Sequence[Sequence[Hashable]]) -> None:
        shape = [len(set(column)) for column in columns]
        classes = len({x for side in pair for x in side})
        if columns and prod([*shape, classes, classes]) > MOST:
            seen = " × ".join(f"{x:,}" for x in shape)
            raise self._problem(f"a stack of {seen} tables of {classes:,} labels is too large; group by less.")


def _several(by: str | Sequence[str] | None) -> list[str]:
    return [] if by is None else [by] if isinstance(by, str) else list(by)


def _whole(times: Array, log: Log) -> Places:
    """How often each case is there, which must be whole and not too many."""
    if (times != np.round(times)).any() or times.sum() > MOST_CASES:
        raise SourceError(f"{log.path}: it holds weights or more than {MOST_CASES:,} cases; marks are of single cases.")
    return times.astype(np.int64)
