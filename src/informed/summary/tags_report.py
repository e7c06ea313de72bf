"""The report of tags: what is known of them, each label, and the usual scores beside what guessing gets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

import informed
from informed._arrays import ratio
from informed._numbers import plural, rate, span
from informed._wording import listed
from informed.errors import InferenceError
from informed.evidence.tags import Tags
from informed.inference.answers import Interval, Test
from informed.inference.intervals import interval
from informed.inference.tags_hypothesis import tags_test
from informed.inference.tags_interval import notes_of
from informed.measures.tag_scores import BETS, FAIR, USUAL, chance, drawn_shuffles, label_counts, score, why_undefined
from informed.measures.titles import spoken_tags
from informed.results import Gate, Note, Records, Result, picked, plain_dict
from informed.summary.titles import report_title
from informed.systems.class_differences import never_of_labels

MOST_LABELS = 30  # that are drawn; the others are folded
LISTED = 1000  # that are listed at all
MEASURES = "measure:words average:words estimate low high chance"
LABELS = "label:label real:count predicted:count informedness low high recall fallout markedness"
GROUPS = "group:label items:count informedness low high"


@dataclass(frozen=True, repr=False)
class TagsReport(Result):
    """What tags say: how much of them is known, label by label, beside what guessing would get."""

    page = "tags"

    tags: Tags
    headline: Interval
    tested: Test
    measures: Records  # by every average, and the usual ones, with their chance levels
    labels: Records  # one row a label, the most frequent first
    groups: Records = field(default_factory=lambda: Records.of(GROUPS, ()))
    average: str = "prevalence"
    title: str = "Tags"
    level: float = 0.95
    source: tuple[str, ...] = ()
    command: str = ""
    gates: tuple[Gate, ...] = ()
    simulated: tuple[Note, ...] = ()  # what is not computed exactly
    by: Any = None  # what the groups are by
    version: str = field(default_factory=lambda: informed.__version__)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What must not be overlooked, and where the tags came from."""
        known = notes_of(self.tags, "informedness", self.average)
        told = (Note(x, code="source") for x in self.source)
        return (*never_of_labels(self.tags), *known, *_undefined(self), *self.simulated, *told)

    @property
    def answer(self) -> tuple[str, ...]:
        """What is known, sentence by sentence."""
        return tuple(_answer(self))

    def sentence(self) -> str:
        """How much is known of the tags, and what micro would say."""
        return " ".join(self.answer)

    def records(self) -> Records:
        """One row a measure, by each average."""
        rows = [(f"{m}_{a}" if a else m, x, low, high, c) for m, a, x, low, high, c in self.measures.rows]
        return Records.of("measure:words estimate low high chance", rows)

    @cached_property
    def parts(self) -> dict[Any, TagsReport]:
        """The same of each group."""
        groups = {} if self.by is None else self.tags.by_groups(self.by)
        return {name: report_tags(part, average=self.average, level=self.level) for name, part in groups.items()}

    def with_gates(self, gates: Iterable[Gate]) -> TagsReport:
        """The same report with conditions that were asked for."""
        return replace(self, gates=(*self.gates, *gates))

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data."""
        held = {"answer": self.sentence()} | picked(self, "title command level average measures labels groups")
        more = {"items": len(self.tags), "pvalue": self.tested.pvalue, "gates": [vars(g) for g in self.gates]}
        head = picked(self.headline, "estimate low high method")
        said = {"version": self.version, "kind": "tags-report"}
        return plain_dict({"informed": said, **held, "informedness": head, **more, "notes": self.notes})


def report_tags(
    t: Tags,
    *,
    average: str = "prevalence",
    level: float = 0.95,
    by: Any = None,
    source: str | Iterable[str] | None = None,
    command: str = "",
    title: str = "",
) -> TagsReport:
    """The report of tags, which `informed.report` makes of them.

    >>> y = np.array([[1, 0], [1, 1], [0, 1], [0, 0]] * 5)
    >>> report_tags(Tags.from_labels(real=y, predicted=y)).answer[0][:29]
    'The tags are informed: 1.000 '
    """
    if len(t.names) > 1:
        raise InferenceError(
            f"These are the tags of {len(t.names)} systems: report one, `tags.among([…])`, or compare them with "
            "`informed.leaderboard(tags)`."
        )
    if average not in FAIR:
        raise InferenceError(
            f"`average` is {average!r}; a report leads with one that is 0 for guessing: {', '.join(FAIR)}."
        )
    return TagsReport(
        tags=t,
        headline=interval(t, average=average, level=level),
        tested=tags_test(t, average=average),
        measures=_measures(t, average, level),
        labels=_labels(t, level),
        groups=_groups(t, by, average, level),
        average=average,
        by=by,
        title=title or (report_title([source]) if isinstance(source, str) else "Tags"),
        level=level,
        source=(f"Read from {source}.",) if isinstance(source, str) else tuple(source or ()),
        command=command,
        simulated=_simulated(t),
    )


def _simulated(t: Tags) -> tuple[Note, ...]:
    shuffles = drawn_shuffles(t)
    said = f"What guessing gets of the Jaccard index is the mean of {shuffles} shuffles: all of them are too many."
    return (Note(said, code="simulated"),) if shuffles else ()


def _measures(t: Tags, average: str, level: float) -> Records:
    asked = [(m, average) for m in BETS]
    asked += [("informedness", x) for x in (*FAIR, "micro", "examples") if x != average]
    rows: list[tuple[Any, ...]] = []
    for m, a in [*asked, *((x, "") for x in USUAL)]:
        found = interval(t, m, average=a or "prevalence", level=level)
        rows.append((m, a, found.estimate, found.low, found.high, chance(t, m, a or "prevalence")))
    return Records.of(MEASURES, rows)


def _labels(t: Tags, level: float) -> Records:
    """Each label with its intervals, which hold together for those that are drawn."""
    c = label_counts(t)
    order = np.argsort(-c.real, kind="stable")
    drawn = [int(i) for i in order[:MOST_LABELS]]
    part = t.of_labels([t.labels[i] for i in drawn])
    held = interval(part, average=None, level=level, simultaneous=bool(label_counts(part).usable.sum() > 1))
    low, high = (np.full(len(c.real), np.nan) for _ in range(2))
    low[drawn], high[drawn] = held.low, held.high
    recall, fallout = ratio(c.both, c.real), ratio(c.given - c.both, c.n - c.real)
    numbers = (c.real, c.given, c.each, low, high, recall, fallout, c.swapped.each)
    return Records.of(LABELS, [(t.labels[i], *(float(x[i]) for x in numbers)) for i in order[:LISTED]])


def _undefined(r: TagsReport) -> Iterator[Note]:
    """Why measures of the report have no value, those of one reason together."""
    found: dict[str, list[str]] = {}
    for measure, average, value, *_ in r.measures.rows:
        if np.isnan(value):
            why = why_undefined(r.tags, measure, average or "prevalence")
            found.setdefault(why, []).append(f"{spoken_tags(measure)} ({average})" if average else spoken_tags(measure))
    for why, names in found.items():
        told = f"{listed(names)} {'is' if len(names) == 1 else 'are'} undefined: {why}."
        yield Note(f"{told[:1].upper()}{told[1:]}", code="undefined")


def _groups(t: Tags, by: Any, average: str, level: float) -> Records:
    rows = []
    for name, part in ({} if by is None else t.by_groups(by)).items():
        x = interval(part, average=average, level=level)
        rows.append((name, len(part), x.estimate, x.low, x.high))
    return Records.of(GROUPS, rows)


def _answer(r: TagsReport) -> Iterator[str]:
    t, x = r.tags, r.headline
    size = f"{plural(len(t), 'item')}, {plural(len(t.labels), 'label')}"
    value, low, high = float(x.estimate), float(x.low), float(x.high)
    if np.isnan(value):
        yield f"What is known of the tags is undefined: {why_undefined(t, 'informedness', r.average)} ({size})."
    else:
        known = "informed" if low > 0 else "worse than guessing" if high < 0 else "not told from guessing"
        how = "" if r.average == "prevalence" else f", {r.average} average"
        yield (
            f"The tags are {known}: {rate(value)} {span(low, high)} of what perfect tagging would win at fair "
            f"odds{how}; guessing wins 0 ({size})."
        )
    lost = int((label_counts(t).real == 0).sum())
    if lost:
        verbs = "occurs and has" if lost == 1 else "occur and have"
        yield f"{lost:,} of {len(t.labels):,} labels never {verbs} no weight."
    micro, guessed = score(t, "informedness", "micro"), chance(t, "informedness", "micro")
    if not np.isnan(micro):
        yield f"Micro would say {rate(micro)}, and {rate(guessed)} with the predictions shuffled over the items."
