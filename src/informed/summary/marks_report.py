"""The report of marks: the score over all cases that count, and what else right and wrong can say."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import informed
from informed._numbers import count, plural, rate, span
from informed.errors import InformedError
from informed.evidence.marks import Marks
from informed.evidence.states import SILENT, STATES
from informed.inference.intervals import interval
from informed.inference.proportions import mid_p
from informed.measures.agreement import cohen_kappa
from informed.measures.chance import informedness
from informed.results import Gate, Note, Records, Result, picked, plain_dict, warning
from informed.summary.gates import bar, judged
from informed.summary.parts import Score
from informed.systems.guards import guards

MISSING = (
    "Informedness needs what was answered and what was asked for, case by case: real and predicted labels of a closed "
    "set of classes."
)
MOST_ATTEMPTS = 10


@dataclass(frozen=True, repr=False)
class MarksReport(Result):
    """What marks say: a score, its states, attempts, groups and other scorers."""

    page = "marks"

    marks: Marks
    score: Score
    with_errors: float = math.nan  # the score if every error that is left out were a failure
    why: str = ""  # why there is no informedness
    states: Mapping[str, float] = field(default_factory=dict)  # how many cases are right, wrong, …
    centred: Records = field(default_factory=lambda: Records.of("measure:words estimate low high", ()))
    attempts: Records = field(default_factory=lambda: Records.of("k:count pass_at low high pass_hat", ()))
    groups: Records = field(default_factory=lambda: Records.of("group:label items:count score low high", ()))
    scorers: Records = field(default_factory=lambda: Records.of("scorer:label answers:count", ()))
    title: str = "Score"
    level: float = 0.95
    tool: str = ""
    source: tuple[str, ...] = ()
    command: str = ""
    gates: tuple[Gate, ...] = ()
    version: str = field(default_factory=lambda: informed.__version__)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What must not be overlooked, and where the marks came from."""
        found = [Note(x, code="source") for x in self.source]
        if self.score.differs:
            said = (
                f"The mean of the marks is {rate(self.score.value, 4)}, and {self.tool or 'its tool'} reports "
                f"{rate(self.score.reported, 4)} ({self.score.name})."
            )
            found.insert(0, warning(said, "score-differs"))
        return tuple(found)

    @property
    def coverage(self) -> float:
        """The share of the cases that count that got an answer."""
        held = self.marks.counted
        silent = np.isin(self.marks.state, [STATES.index(x) for x in SILENT])
        return float(np.average(~silent[held], weights=self.marks.weight[held]))

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
        s = self.score
        rows: list[tuple[Any, ...]] = [("score", s.value, s.low, s.high), ("coverage", self.coverage, None, None)]
        rows += list(self.centred.rows)
        rows += [(f"pass_at_{k}", x, low, high) for k, x, low, high, _ in self.attempts.rows]
        return Records.of("measure:words estimate low high", rows)

    def with_gates(self, gates: Iterable[Gate]) -> MarksReport:
        """The same report with conditions that were asked for."""
        return replace(self, gates=(*self.gates, *gates))

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data."""
        held = picked(self, "title command level tool answer why coverage centred attempts groups scorers")
        score = picked(self.score, "value low high reported name unscored_low unscored_high")
        more = {"score": score, "states": self.states, "items": self.marks.n, "epochs": self.marks.epochs}
        more |= {"with_errors": self.with_errors, "steadiness": self.steadiness, "gates": [vars(g) for g in self.gates]}
        return plain_dict({"informed": {"version": self.version, "kind": "marks"}, **held, **more, "notes": self.notes})


def report_marks(
    m: Marks,
    *,
    score: Score | None = None,
    states: Mapping[str, float] | None = None,
    why: str = "",
    others: Mapping[Any, Marks] | None = None,
    level: float = 0.95,
    tool: str = "",
    source: str | Iterable[str] | None = None,
    command: str = "",
    title: str = "Score",
) -> MarksReport:
    """The report of marks, which `informed.report` makes of them.

    `score` is the number beside that of the tool, `states` are those of the cases before they were
    reduced, `why` says why there is no table, and `others` are the marks of other scorers.

    >>> report_marks(Marks.from_columns(mark=[1, 1, 0, 1, 1, 0, 1, 1, 1, 1])).answer[0]
    'Score 0.800 [0.480, 0.965] on 10 items.'
    """
    found = interval(m, level=level)
    if score is None:
        low, high = m.bounds
        score = Score(float(found.estimate), float(found.low), float(found.high), name=m.name)
        score = replace(score, unscored_low=low, unscored_high=high) if low < high else score
    return MarksReport(
        marks=m,
        score=score,
        with_errors=_with_errors(m),
        states=m.states if states is None else states,
        why=why or "There are marks and no answers, so chance is not known.",
        centred=_centred(m, level),
        attempts=_attempts(m, level),
        groups=_groups(m, level),
        scorers=_scorers(m, others or {}),
        title=title,
        level=level,
        tool=tool,
        source=(f"Read from {source}.",) if isinstance(source, str) else tuple(source or ()),
        command=command,
    )


# ---------------------------------------------------------------------- parts


def _with_errors(m: Marks) -> float:
    """The score if errors that do not count were failures; NaN where there are none."""
    failed = (m.state == STATES.index("error")) & ~m.counted
    if not failed.any():
        return math.nan
    mark = np.where(failed, 0.0, m.mark)
    return Marks.from_columns(mark=mark, item=m.item, state=np.asarray(STATES)[m.state]).score


def _centred(m: Marks, level: float) -> Records:
    """What is above guessing, where what that gets is known."""
    rows = []
    known = m.knows_chance
    silent = bool(np.isin(m.state[m.counted], [STATES.index(x) for x in SILENT]).any())
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
            rows.append((k, float(x.estimate), float(x.low), float(x.high), m.pass_hat(k)))
    return Records.of("k:count pass_at low high pass_hat", rows)


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
    who = r.tool or "its tool"
    known = s.reported == s.reported
    own = f", as {who} reports" if known and not s.differs else f"; {who} reports {rate(s.reported)}" if known else ""
    named = f" ({s.name}{own})" if s.name != "score" or own else ""
    every = len(m.items)
    items = f"{count(m.n)} of {count(every)} items" if m.n < every else plural(m.n, "item")
    yield f"Score {rate(s.value)} {span(s.low, s.high)} on {items}{named}."

    if (lost := states.get("unscored", 0)) and s.unscored_low == s.unscored_low:
        between = f"between {rate(s.unscored_low)} and {rate(s.unscored_high)}"
        yield f"The grader failed on {count(lost)}: with {'it' if lost == 1 else 'them'} it is {between}."
    if r.with_errors == r.with_errors:
        out = states["error"]
        cases = plural(sum(states.values()), "case")
        verb = "ended in an error and is" if out == 1 else "ended in an error and are"
        yield (
            f"{count(out)} of {cases} {verb} left out, as {who} does; counted as failures, the score "
            f"is {rate(r.with_errors)} instead of {rate(s.value)}."
        )
    if part := states.get("partial", 0):
        yield f"Partial credit: {count(part)} of {plural(sum(states.values()), 'answer')} got some."
    if silent := states.get("abstained", 0):
        yield f"{plural(silent, 'case')} without an answer {'is' if silent == 1 else 'are'} not right."
    yield r.why if r.why.endswith(".") else f"{r.why}."


# ---------------------------------------------------------------------- gates


def check_marks(r: MarksReport, bars: Iterable[str], most: Mapping[str, float]) -> tuple[Gate, ...]:
    """Each bar against the score or the coverage; where a guard fails, the guards that do."""
    bars = tuple(bars)
    return (guards(r.states, most) or tuple(_gate(r, text) for text in bars)) if bars else ()


def _gate(r: MarksReport, text: str) -> Gate:
    b = bar(text)
    if b.measure == "coverage":
        held = r.marks.counted
        answered = r.coverage * float(held.sum())
        low, high = (float(x) for x in mid_p(np.asarray(answered), np.asarray(float(held.sum())), r.level))
        limits = {"value": r.coverage, "low": low, "high": high}
    elif b.measure in ("accuracy", "accuracy_of_all"):
        limits = {"value": r.score.value, "low": r.score.low, "high": r.score.high}
    else:
        raise InformedError(f"{b.measure} is no gate here: {r.why} Gate the score, as in score=0.6 or score.low=0.5.")
    if b.on not in limits:
        raise InformedError(f"{text!r}: marks are gated by a value or a limit, as in score.low=0.5.")
    named = "coverage" if b.measure == "coverage" else "score"
    return judged(b, named, limits[b.on])
