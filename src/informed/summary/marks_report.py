"""The report of marks: the score over all cases that count, and what else right and wrong can say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

import informed
from informed._numbers import count, plural, rate, span
from informed.errors import InformedError
from informed.evidence.marks import Marks
from informed.evidence.states import STATES
from informed.inference.answers import Interval
from informed.inference.intervals import interval
from informed.measures.agreement import cohen_kappa
from informed.measures.chance import informedness
from informed.measures.headline import Count
from informed.results import Gate, Note, Records, Result, picked, plain_dict, warning
from informed.summary.parts import Score
from informed.summary.score_words import another_number, gaps, own_number
from informed.summary.states import left_out
from informed.summary.titles import report_title

MISSING = (
    "Informedness needs what was answered and what was asked for, case by case: real and predicted labels of a closed "
    "set of classes."
)
MOST_ATTEMPTS = 10
ATTEMPTS = "k:count items:count pass_at low high pass_hat"  # items: those with k attempts at least


@dataclass(frozen=True, repr=False)
class MarksReport(Result):
    """What marks say: a score, its states, attempts, groups and other scorers."""

    page = "marks"

    marks: Marks
    score: Score
    why: str = ""  # why there is no informedness
    states: Mapping[str, float] = field(default_factory=dict)  # how many cases are right, wrong, …
    centred: Records = field(default_factory=lambda: Records.of("measure:words estimate low high", ()))
    attempts: Records = field(default_factory=lambda: Records.of(ATTEMPTS, ()))
    groups: Records = field(default_factory=lambda: Records.of("group:label items:count score low high", ()))
    scorers: Records = field(default_factory=lambda: Records.of("scorer:label answers:count", ()))
    title: str = "Score"
    level: float = 0.95
    count: Count = "tool"
    tool: str = ""
    source: tuple[str, ...] = ()
    command: str = ""
    gates: tuple[Gate, ...] = ()
    version: str = field(default_factory=lambda: informed.__version__)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What must not be overlooked, and where the marks came from."""
        found = [*map(warning, self.marks.remarks), *(Note(x, code="source") for x in self.source)]
        if another := another_number(self.score, self.tool, self.count):
            found.insert(0, warning(another, "score-differs"))
        return tuple(found)

    @cached_property
    def coverage(self) -> Interval:
        """The share of the cases that count that got an answer, each item once."""
        m = self.marks
        inside = np.flatnonzero(m.counted)
        answered = 1.0 - m.silent[inside]
        item = m.item[inside]
        unit = None if m.unit is None else m.unit[item]
        held = Marks.from_columns(mark=answered, item=item, weights=m.item_weight[item], unit=unit)
        return interval(held, level=self.level)

    def coverage_at(self, level: float) -> tuple[float, float]:
        """The limits of the coverage at another level."""
        found = replace(self, level=level).coverage
        return float(found.low), float(found.high)

    @property
    def steadiness(self) -> dict[str, int]:
        """How many items are always, sometimes and never right."""
        v = self.marks.values[self.marks.item_weight > 0]
        return {
            "always": int((v >= 1).sum()),
            "sometimes": int(((v > 0) & (v < 1)).sum()),
            "never": int((v <= 0).sum()),
        }

    def sentence(self) -> str:
        """The score with its interval, what is left out, and why there is no informedness."""
        return " ".join(self.answer)

    @property
    def answer(self) -> tuple[str, ...]:
        """The same, sentence by sentence."""
        return tuple(_answer(self))

    def records(self) -> Records:
        """The score, the states, and what else is known."""
        s, c = self.score, self.coverage
        rows: list[tuple[Any, ...]] = [("score", s.value, s.low, s.high), ("coverage", c.estimate, c.low, c.high)]
        rows += list(self.centred.rows)
        rows += [(f"pass_at_{k}", x, low, high) for k, _, x, low, high, _ in self.attempts.rows]
        return Records.of("measure:words estimate low high", rows)

    @cached_property
    def parts(self) -> dict[Any, MarksReport]:
        """The same of each group."""
        groups = {} if self.marks.group is None else self.marks.by_groups()
        return {
            name: report_marks(part, level=self.level, count=self.count, why=self.why) for name, part in groups.items()
        }

    def with_gates(self, gates: Iterable[Gate]) -> MarksReport:
        """The same report with conditions that were asked for."""
        return replace(self, gates=(*self.gates, *gates))

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data."""
        held = picked(self, "title command level count tool why centred attempts groups scorers")
        more = {
            "answer": self.sentence(),
            "score": vars(self.score),
            "coverage": picked(self.coverage, "estimate low high"),
            "states": self.states,
            "items": self.marks.n,
            **({"unfinished": self.marks.unfinished} if self.marks.unfinished else {}),
            "epochs": self.marks.epochs,
        }
        more |= {"steadiness": self.steadiness, "gates": [vars(g) for g in self.gates]}
        return plain_dict({"informed": {"version": self.version, "kind": "marks"}, **held, **more, "notes": self.notes})


def report_marks(
    m: Marks,
    *,
    score: Score | None = None,
    states: Mapping[str, float] | None = None,
    why: str = "",
    others: Mapping[Any, Marks] | None = None,
    level: float = 0.95,
    count: Count = "tool",
    tool: str = "",
    source: str | Iterable[str] | None = None,
    command: str = "",
    title: str = "",
) -> MarksReport:
    """The report of marks, which `informed.report` makes of them.

    `score` is the number beside that of the tool, `states` are those of the cases before they were
    reduced, `count` says which of them count, `why` says why there is no table, and `others` are the
    marks of other scorers.

    >>> report_marks(Marks.from_columns(mark=[1, 1, 0, 1, 1, 0, 1, 1, 1, 1])).answer[0]
    'Score 0.800 [0.480, 0.965] on 10 items.'
    """
    found = interval(m, level=level)
    if score is None:
        low, high = m.bounds
        score = Score(float(found.estimate), float(found.low), float(found.high), name=m.name)
        score = replace(score, unscored_low=low, unscored_high=high) if low < high else score
        out, with_out = left_out(m)
        score = replace(score, left_out=out, with_left_out=with_out)
    return MarksReport(
        marks=m,
        score=score,
        states=m.states if states is None else states,
        why=why or "There are marks and no answers, so chance is not known.",
        centred=_centred(m, level),
        attempts=_attempts(m, level),
        groups=_groups(m, level),
        scorers=_scorers(m, others or {}),
        title=title or (report_title([source]) if isinstance(source, str) else "Score"),
        level=level,
        count=count,
        tool=tool,
        source=(f"Read from {source}.",) if isinstance(source, str) else tuple(source or ()),
        command=command,
    )


# ---------------------------------------------------------------------- parts


def _centred(m: Marks, level: float) -> Records:
    """What is above guessing, where what that gets is known."""
    rows = []
    known = m.knows_chance
    silent = bool(m.silent[m.counted].any())
    for name in ("centred", "centred_of_all") if known and silent else ("centred",) if known else ():
        x = interval(m, name, level=level)
        rows.append((name, float(x.estimate), float(x.low), float(x.high)))
    return Records.of("measure:words estimate low high", rows)


def _attempts(m: Marks, level: float) -> Records:
    """The chance that one of k attempts is right, and that all are, for marks of 0 and 1."""
    rows: list[tuple[Any, ...]] = []
    if m.epochs > 1:
        for k in range(1, min(m.epochs, MOST_ATTEMPTS) + 1):
            x = interval(m, f"pass_at_{k}", level=level)
            enough = int((m.attempts.n[m.item_weight > 0] >= k).sum())
            rows.append((k, enough, float(x.estimate), float(x.low), float(x.high), m.pass_hat(k)))
    return Records.of(ATTEMPTS, rows)


def _groups(m: Marks, level: float) -> Records:
    rows = []
    for name, part in (m.by_groups() if m.group is not None else {}).items():
        if part.n:
            x = interval(part, level=level)
            rows.append((name, part.n, float(x.estimate), float(x.low), float(x.high)))
    return Records.of("group:label items:count score low high", rows)


def _scorers(m: Marks, others: Mapping[Any, Marks]) -> Records:
    """How far each other scorer gives the same verdicts, and what it knows of these."""
    rows = []
    for name, other in others.items():
        try:
            t = m.agree(other)
        except InformedError:
            continue
        same = float(t.hits.sum() / t.n)
        rows.append((name, float(t.rows), other.score, same, float(informedness(t)), float(cohen_kappa(t))))
    return Records.of("scorer:label answers:count score agree informedness kappa", rows)


def _answer(r: MarksReport) -> Iterator[str]:
    s, m, states = r.score, r.marks, r.states
    yield from m.unfinished
    own = own_number(s, r.tool)
    named = f" ({s.name}{own})" if s.name != "score" or own else ""
    every = len(m.items)
    items = f"{count(m.n)} of {count(every)} items" if m.n < every else plural(m.n, "item")
    yield f"Score {rate(s.value)} {span(s.low, s.high)} on {items}{named}."
    yield from gaps(s, states, r.tool, r.count)

    if part := states.get("partial", 0):
        answers = plural(sum(states.get(x, 0) for x in ("right", "wrong", "partial")), "answer")
        values = np.unique(m.mark[(m.mark > 0) & (m.mark < 1)])
        some = rate(float(values[0]), 1 if values[0] == 0.5 else 3) if len(values) == 1 else "some"
        yield f"Partial credit: {count(part)} of {answers} got {some}; the score is a mean of marks."
    unsaid = {"abstained": "without an answer", "error": "that ended in an error", "not-run": "that had not been run"}
    for state, how in unsaid.items() if r.count != "answered" else ():
        silent = states.get(state, 0) - (s.left_out if state == "error" else 0)
        if state == "not-run":  # which is left out but where its tool counts it
            silent = float((m.counted & (m.state == STATES.index(state))).sum())
        if silent > 0:
            yield f"{plural(silent, 'case')} {how} {'is' if silent == 1 else 'are'} not right."
    yield r.why if r.why.endswith(".") else f"{r.why}."
