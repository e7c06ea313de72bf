"""Three verdicts on a bar: `decide` takes whatever has an estimate with its limits."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from informed.decisions.class_forecast import ClassProbabilities
from informed.decisions.forecast import Probabilities
from informed.decisions.probability_comparison import ProbabilityComparison
from informed.errors import InferenceError, InformedError
from informed.evidence.calls import explained
from informed.evidence.marks import Marks
from informed.evidence.shown import shown
from informed.evidence.table import Table
from informed.evidence.tags import Tags
from informed.inference.answers import Interval
from informed.inference.interval_methods import why_none
from informed.inference.intervals import interval
from informed.inference.tags_hypothesis import tags_test
from informed.inference.tests import test
from informed.inference.watch import Watch
from informed.inference.watch_result import Watched
from informed.measures import MeasureLike, find, why
from informed.measures.headline import Count, headline
from informed.measures.lookup import needs_prevalence
from informed.measures.tag_scores import BETS, why_undefined
from informed.measures.titles import titled, titled_tags
from informed.results import Gate
from informed.summary.counted import counted_of
from informed.summary.design import CASE_CONTROL, WHY
from informed.summary.gates import side_of
from informed.summary.marks_report import MarksReport, report_marks
from informed.summary.probability_gates import of_probabilities, of_probability_difference
from informed.summary.report import Report
from informed.summary.tags_report import TagsReport, report_tags
from informed.systems.board import sign_of
from informed.systems.comparison import Comparison
from informed.systems.gates import of_group, uncompared
from informed.systems.judged_difference import JudgedDifference
from informed.systems.marks_comparison import MarksDifference
from informed.systems.suite import Suite
from informed.systems.tags_comparison import TagsDifference
from informed.systems.verdicts import (
    Evidence,
    Settled,
    of_comparison,
    of_judged,
    of_marks,
    of_suite,
    of_suites,
    of_tags,
    of_verified,
    redrawn_table,
)
from informed.systems.verified import Verified
from informed.systems.verified_difference import VerifiedDifference

Decidable: TypeAlias = (
    Probabilities
    | ClassProbabilities
    | ProbabilityComparison
    | Table
    | Report
    | Comparison
    | Marks
    | MarksReport
    | MarksDifference
    | TagsDifference
    | Suite
    | Tags
    | TagsReport
    | Verified
    | VerifiedDifference
    | JudgedDifference
)
HOW = "write a measure and a number, as in informedness=0.2"


@explained
def decide(
    found: Decidable,
    at_least: float | None = None,
    *,
    at_most: float | None = None,
    measure: str = "informedness",
    level: float | None = None,
    count: Count = "tool",
    undecided: Settled | None = None,
) -> Gate:
    """Does it reach a bar? Pass, fail, or undecided, and how many more cases would decide.

    It passes where the whole interval reaches the bar, fails where all of it misses it, and is undecided where the
    bar lies inside; with `at_most`, mirrored. Each verdict is wrong at most once in forty samples at the level of
    0.95. Of two systems the difference (or the ratio) of the first and the second has the bar. A report with groups
    passes where the total and every group pass, and fails where one of them does. It is for data that were gathered as
    planned: to decide while they come in, use `watch`.

    Parameters
    ----------
    found
        A table, a report, marks, a comparison of two systems, or what `verified` and `compare.judged` give.
    at_least
        The bar of a measure of which more is better; by default 0.
    at_most
        The bar of a measure of which less is better, such as "fallout", which must not exceed it.
    measure
        What must reach it; of marks "score" or "coverage", of judged systems "rate".
    level
        Of the interval; by default that of the report or comparison, or 0.95.
    count
        Of a table: which cases count where some got no answer, as in `report`.
    undecided
        What an undecided one counts as, "pass" or "fail", for those who must have two verdicts.

    >>> decide(Table.from_counts([[40, 10], [10, 40]]), 0.2).verdict
    'pass'
    >>> decide(Table.from_counts([[40, 10], [10, 40]]), at_most=0.1, measure="fallout").verdict
    'fail'
    >>> found = decide(Table.from_counts([[56, 20], [12, 12]]), 0.1)
    >>> found.verdict, found.enough
    ('undecided', 770.0)
    """
    e = evidence_of(found, measure, level, count)
    over, bar = side_of(e.said, e.sign if e.directed else 0, at_least, at_most)
    parts = parts_of(found)
    if not parts:
        return replace(e, sign=-1 if over else 1).decide(bar, undecided)
    each = decide_parts(found, [(measure, bar)], undecided, level=level, count=count, over=over)
    return _worst(each)


def _worst(gates: tuple[Gate, ...]) -> Gate:
    """One gate for all: that which fails, or is undecided, or of those that pass the first."""
    for verdict in ("fail", "undecided"):
        for gate in gates:
            if gate.verdict == verdict:
                return gate
    first = gates[0]
    said = f"{first.sentence[:-1]}; the total and all {len(gates) - 1:,} groups pass."
    if first.group:
        said = f"All {len(gates):,} systems pass; {first.sentence}"
    return replace(first, sentence=said, group="")


def decided(text: str) -> tuple[str, float]:
    """A measure and its bar as the command line writes them.

    >>> decided("informedness=0.2")
    ('informedness', 0.2)
    """
    name, sign, wanted = text.rpartition("=")
    try:
        at_least = float(wanted)
    except ValueError:
        at_least = math.nan
    if not sign or not name or not math.isfinite(at_least):
        raise InformedError(f"{text!r} cannot be decided; {HOW}.")
    if name.rpartition(".")[2] in ("low", "high", "greater", "less", "value"):
        raise InformedError(f"{text!r}: a decision looks at both limits of the interval; {HOW}.")
    return name, at_least


def decide_parts(
    found: Any,
    bars: Iterable[tuple[str, float]],
    undecided: Settled | None = None,
    *,
    level: float | None = None,
    count: Count = "tool",
    over: bool | None = None,
    parts: Mapping[Any, Any] | None = None,
    evidence: Callable[[Any, str], Evidence] | None = None,
) -> tuple[Gate, ...]:
    """The verdicts on the total and on every group, of systems on each; `over` says that bars must not be exceeded,
    `parts` are the groups where these are not its own, and `evidence` is the number of one of them."""
    read = evidence or partial(evidence_of, level=level, count=count)
    bars = tuple(bars)
    parts = parts_of(found) if parts is None or is_of_systems(found) else parts
    asked = [] if is_of_systems(found) else [(None, found)]
    gates: list[Gate] = []
    for name, part in (*asked, *parts.items()):
        each = []
        for measure, bar in bars:
            if isinstance(part, InformedError):
                each.append(uncompared(f"decide {measure}={bar:g}", part))
                continue
            e = read(part, measure)
            e = e if over is None else replace(e, sign=-1 if over else 1)
            each.append(e.decide(bar, undecided) if name is None else e.decide_group(bar, undecided, len(parts)))
        gates += each if name is None else of_group(name, each)
    return tuple(gates)


def is_of_systems(found: Any) -> bool:
    """Whether its groups are systems, of which there is no total."""
    return isinstance(found, Report) and found.systems


def parts_of(found: Any) -> dict[Any, Any]:
    """The groups of a report, each of the same kind, by their names; none where there are none."""
    if isinstance(found, Report):
        return {g.name: g for g in found.groups}
    if isinstance(found, MarksReport | TagsReport):
        return found.parts
    if isinstance(found, Probabilities | ClassProbabilities):
        return dict(found.groups)
    return {}


def evidence_of(
    found: Any, measure: MeasureLike, level: float | None = None, count: Count = "tool", *, limits: bool = True
) -> Evidence:
    """A number of anything that has gates: its estimate, its limits at any level, and its test. Without `limits` a
    measure of a table may have no interval."""
    if isinstance(found, Report) and dict(found.context).get(CASE_CONTROL) and needs_prevalence(measure):
        raise InformedError(f"{measure} cannot be a gate here: {WHY}; recall and informedness can be gates.")
    try:
        e = _evidence(found, measure, level, count)
    except InferenceError:
        if limits or not isinstance(found, Table | Report):
            raise
        t = found.table if isinstance(found, Report) else found
        m = headline(measure, found.count if isinstance(found, Report) else count, bool(t.abstained.any()))
        e = Evidence(str(m), titled(m, bool(t.abstained.any())), float(m(t)), math.nan, math.nan, 0.95, sign=sign_of(m))
    if isinstance(found, Table | Report | Comparison | Verified):
        return replace(e, directed=find(e.measure).direction != 0)
    return e


def _evidence(found: Any, measure: MeasureLike, level: float | None, count: Count) -> Evidence:
    if isinstance(found, Watch | Watched):
        raise InferenceError(
            "A watch bets against a bar that is fixed before the first item: make it as `informed.watch(against=0.2)`, "
            "and its verdict is `w.verdict`."
        )
    if isinstance(found, Verified | JudgedDifference | VerifiedDifference):
        return _of_judged(found, measure, level)
    if isinstance(found, Tags | TagsReport | TagsDifference):
        return _of_tags(found, str(measure), 0.95 if level is None else level)
    if isinstance(found, Probabilities | ClassProbabilities):
        return of_probabilities(found if level is None else replace(found, level=level), str(measure))
    if isinstance(found, ProbabilityComparison):
        return of_probability_difference(found if level is None else replace(found, level=level), str(measure))
    if isinstance(found, Comparison):
        return of_comparison(found if level is None else found.at(level=level), measure)
    if isinstance(found, Table):
        return _of_table(found, measure, 0.95 if level is None else level, count, {})
    if isinstance(found, Marks):
        found = report_marks(found, level=0.95 if level is None else level)
    elif level not in (None, getattr(found, "level", None)) and isinstance(
        found, MarksReport | MarksDifference | Suite
    ):
        raise InferenceError(f"This was made at the level {found.level:g}; make it again at {level:g}.")
    if isinstance(found, Report):
        if found.systems:
            raise InferenceError("This report is of several systems; decide each of its groups.")
        level = found.level if level is None else level
        known = {e.measure: e for e in found.estimates} if level == found.level else {}
        return _of_table(found.table, measure, level, found.count, known)
    if isinstance(found, MarksReport):
        return _of_marks(found, str(measure))
    if isinstance(found, MarksDifference):
        return of_marks(found, str(measure))
    if isinstance(found, Suite):
        return (
            of_suite(found, found.systems[0], str(measure))
            if len(found.systems) == 1
            else of_suites(found, str(measure))
        )
    raise InferenceError(f"{shown(type(found).__name__)} has no bar to reach; give a table, a report or a comparison.")


def _of_judged(
    found: Verified | JudgedDifference | VerifiedDifference, measure: MeasureLike, level: float | None
) -> Evidence:
    if isinstance(found, Verified):
        return of_verified(found, measure, found.level if level is None else level)
    return of_judged(found, str(measure))


def _of_table(t: Table, measure: MeasureLike, level: float, count: Count, known: dict[str, Any]) -> Evidence:
    """The interval of a table, which a report may hold already, and what was sampled."""
    if t.shape:
        raise InferenceError(f"This is a stack of {np.prod(t.shape):,} tables; decide each of them.")
    silent = bool(t.abstained.any())
    m = headline(measure, count, silent)
    float(m(t))  # refused where the measure is of one class
    x = known.get(str(m)) or interval(t, m, level=level)
    value = float(getattr(x, "value", math.nan) if str(m) in known else x.estimate)
    if t.units is None:
        n, what = counted_of(t).n, "case"
    else:
        n, what = float(t.units.n), t.units.name
    why_not = str(why(t, m) or "") if math.isnan(value) else why_none(m, len(t.real_labels)).removesuffix(".")
    limits = value, float(x.low), float(x.high)
    redrawn = redrawn_table(t if m.facts.abstentions else t.answered, m, level) if n == float(t.total) else None

    def at(other: float) -> tuple[float, float]:
        found = interval(t, m, level=other)
        return float(found.low), float(found.high)

    def tested(against: float, alternative: Any) -> tuple[float, str]:
        found = test(t, m, against=against, alternative=alternative)
        return float(found.pvalue), found.method

    more: dict[str, Any] = {"limits": at, "tested": tested, "redrawn": redrawn}
    return Evidence(str(m), titled(m, silent), *limits, level, n, what, sign_of(m), why_not, **more)


def _of_tags(found: Tags | TagsReport | TagsDifference, measure: str, level: float) -> Evidence:
    if isinstance(found, TagsDifference):
        return of_tags(found, measure)
    r = report_tags(found, level=level) if isinstance(found, Tags) else found
    return _of_tagged(r, measure)


def _of_tagged(r: TagsReport, measure: str) -> Evidence:
    t = r.tags

    def at(level: float) -> Interval:
        return interval(t, measure, average=r.average, level=level)

    def tested(against: float, alternative: Any) -> tuple[float, str]:
        found = tags_test(t, measure, average=r.average, against=against, alternative=alternative)
        return float(found.pvalue), found.method

    found = at(r.level)
    sign = -1 if found.measure == "hamming_loss" else 1
    n, what = (float(len(t)), "item") if t.unit is None else (float(len(np.unique(t.unit))), t.unit_name)
    limits = float(found.estimate), float(found.low), float(found.high)
    why = why_undefined(t, measure, r.average) if measure in BETS else ""
    said = titled_tags(found.measure, r.average)
    told = tested if found.measure in BETS and r.average != "examples" else None
    more: dict[str, Any] = {"limits": lambda level: _ends(at(level)), "tested": told}
    return Evidence(found.measure, said, *limits, r.level, n, what, sign, why, **more)


def _ends(found: Interval) -> tuple[float, float]:
    return float(found.low), float(found.high)


def _of_marks(r: MarksReport, measure: str) -> Evidence:
    name = str(find(measure))
    unit = r.marks.unit
    n, what = (float(r.marks.n), "item") if unit is None else (float(len(np.unique(unit))), "unit")
    if name == "coverage":
        c = r.coverage
        limits = float(c.estimate), float(c.low), float(c.high)
        return Evidence("coverage", "Coverage", *limits, r.level, n, what, limits=r.coverage_at)
    if name in ("accuracy", "accuracy_of_all"):
        at: dict[str, Any] = {"limits": lambda level: _ends(interval(r.marks, level=level))}
        why = "" if r.marks.n else "no item counts"
        return Evidence("score", "Score", r.score.value, r.score.low, r.score.high, r.level, n, what, why=why, **at)
    raise InformedError(f"{name} is no gate here: {r.why} Gate the score, as in score=0.6 or score.low=0.5.")
