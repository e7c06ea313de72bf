"""Three verdicts on a bar: `decide` takes whatever has an estimate with its limits."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from informed.decisions.class_forecast import ClassProbabilities
from informed.decisions.forecast import Probabilities
from informed.decisions.probability_comparison import ProbabilityComparison
from informed.errors import InferenceError, InformedError
from informed.evidence.marks import Marks
from informed.evidence.shown import shown
from informed.evidence.table import Table
from informed.evidence.tags import Tags
from informed.inference.interval_methods import why_none
from informed.inference.intervals import interval
from informed.inference.watch import Watch
from informed.inference.watch_result import Watched
from informed.measures import MeasureLike, find, why
from informed.measures.headline import Count, headline
from informed.measures.tag_scores import BETS, why_undefined
from informed.measures.titles import titled, titled_tags
from informed.results import Gate
from informed.summary.counted import counted_of
from informed.summary.marks_report import MarksReport, report_marks
from informed.summary.probability_gates import evidence_of, evidence_of_difference
from informed.summary.report import Report
from informed.summary.tags_report import TagsReport, report_tags
from informed.systems.board import sign_of
from informed.systems.comparison import Comparison
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


def decide(
    found: Decidable,
    at_least: float = 0.0,
    *,
    measure: str = "informedness",
    level: float | None = None,
    count: Count = "tool",
    undecided: Settled | None = None,
) -> Gate:
    """Does it reach a bar? Pass, fail, or undecided, and how many more cases would decide.

    It passes where the whole interval reaches the bar, fails where all of it misses it, and is undecided where the
    bar lies inside; for a measure of which less is better, mirrored. Each verdict is wrong at most once in forty
    samples at the level of 0.95. Of two systems the difference (or the ratio) of the first and the second has the
    bar. It is for data that were gathered as planned: to decide while they come in, use `watch`.

    Parameters
    ----------
    found
        A table, a report, marks, a comparison of two systems, or what `verified` and `compare.judged` give.
    at_least
        The bar; of a measure of which less is better, what it must not exceed.
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
    >>> found = decide(Table.from_counts([[56, 20], [12, 12]]), 0.1)
    >>> found.verdict, found.enough
    ('undecided', 740.0)
    """
    return _evidence(found, measure, level, count).decide(at_least, undecided)


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


def decide_each(
    found: Report | MarksReport | TagsReport | Probabilities | ClassProbabilities,
    bars: Iterable[str],
    undecided: Settled | None = None,
) -> tuple[Gate, ...]:
    """Each bar against a report; of systems, against each."""
    asked = [decided(text) for text in bars]
    if isinstance(found, Report) and found.systems:
        from informed.systems.gates import of_system

        return tuple(
            gate
            for g in found.groups
            for gate in of_system(g.name, [decide(g, x, measure=m, undecided=undecided) for m, x in asked])
        )
    return tuple(decide(found, x, measure=m, undecided=undecided) for m, x in asked)


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
        return evidence_of(found if level is None else replace(found, level=level), str(measure))
    if isinstance(found, ProbabilityComparison):
        return evidence_of_difference(found if level is None else replace(found, level=level), str(measure))
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
    return Evidence(str(m), titled(m, silent), *limits, level, n, what, sign_of(m), why_not, redrawn=redrawn)


def _of_tags(found: Tags | TagsReport | TagsDifference, measure: str, level: float) -> Evidence:
    if isinstance(found, TagsDifference):
        return of_tags(found, measure)
    r = report_tags(found, level=level) if isinstance(found, Tags) else found
    return _of_tagged(r, measure)


def _of_tagged(r: TagsReport, measure: str) -> Evidence:
    t = r.tags
    found = interval(t, measure, average=r.average, level=r.level)
    sign = -1 if found.measure == "hamming_loss" else 1
    n, what = (float(len(t)), "item") if t.unit is None else (float(len(np.unique(t.unit))), t.unit_name)
    limits = float(found.estimate), float(found.low), float(found.high)
    why = why_undefined(t, measure, r.average) if measure in BETS else ""
    said = titled_tags(found.measure, r.average)
    return Evidence(found.measure, said, *limits, r.level, n, what, sign, why)


def _of_marks(r: MarksReport, measure: str) -> Evidence:
    name = str(find(measure))
    unit = r.marks.unit
    n, what = (float(r.marks.n), "item") if unit is None else (float(len(np.unique(unit))), "unit")
    if name == "coverage":
        c = r.coverage
        return Evidence("coverage", "Coverage", float(c.estimate), float(c.low), float(c.high), r.level, n, what)
    if name in ("accuracy", "accuracy_of_all"):
        return Evidence("score", "Score", r.score.value, r.score.low, r.score.high, r.level, n, what)
    raise InformedError(f"{name} cannot be decided here: {r.why} Decide the score, as in score=0.6.")
