"""The gates that were asked for of a result: of its total and of every group, whatever kind of evidence it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from informed.decisions.class_forecast import ClassProbabilities
from informed.decisions.forecast import Probabilities
from informed.errors import InformedError
from informed.evidence.table import Table
from informed.measures.headline import Count
from informed.measures.tag_scores import BETS, OTHERS, USUAL
from informed.results import Gate, Note, warning
from informed.summary.decide import decide_parts, decided, evidence_of, is_of_systems, parts_of
from informed.summary.gates import Bar, bars_of, gate_of, regression
from informed.summary.probability_gates import NAMES
from informed.summary.report import Report
from informed.summary.tags_report import TagsReport
from informed.systems.gates import of_group, uncompared
from informed.systems.guards import guards
from informed.systems.verdicts import Settled

PROBABILITIES = frozenset({*NAMES, "calibration"})
TAGS = frozenset({*BETS, *USUAL, *OTHERS})


@dataclass(frozen=True)
class Asked:
    """The gates that were asked for, and whether of every group or of the total alone."""

    under: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    decide: tuple[str, ...] = ()
    undecided: Settled | None = None
    baseline: str | None = None  # a report as JSON
    groups: bool = True
    most: Mapping[str, float] = field(default_factory=dict)  # shares that guard the gates, by state

    def __bool__(self) -> bool:
        return bool(self.under or self.over or self.decide or self.baseline is not None)


def total_only(asked: Asked, groups: int, *, margins: bool = False) -> tuple[Note, ...]:
    """What is to be said where groups are not gated; refused where there are no groups, or no gates."""
    if asked.groups:
        return ()
    if not asked and not margins:
        raise InformedError("`gates='total'` says what gates are of, and no gate was asked for.")
    if not groups:
        raise InformedError("`gates='total'` leaves groups out of the gates, and there are no groups here.")
    return (warning("Only the total is gated: any group may miss the bar.", "total-gated"),)


def gates_of(
    found: Any, asked: Asked, states: Mapping[str, float] | None = None, unfinished: Iterable[str] = ()
) -> tuple[Gate, ...]:
    """All gates of a report; where a guard of its states fails, or its run is `unfinished`, the guards that do, and
    no gate is checked."""
    if not asked:
        return ()
    if states is not None and (failed := guards(states, asked.most, unfinished=unfinished)):
        return failed
    fallen: tuple[Gate, ...] = ()
    if asked.baseline is not None and isinstance(found, Report):
        fallen = regression(found, asked.baseline, groups=asked.groups)
    parts: dict[Any, Any] | None = None if asked.groups else {}
    verdicts = decide_parts(found, [decided(x) for x in asked.decide], asked.undecided, parts=parts)
    return (*check(found, asked.under, asked.over, parts=parts), *fallen, *verdicts)


def check(
    found: Any,
    under: Iterable[str | Bar] = (),
    over: Iterable[str | Bar] = (),
    *,
    level: float | None = None,
    count: Count = "tool",
    parts: Mapping[Any, Any] | None = None,
) -> tuple[Gate, ...]:
    """Each bar against the total and against every group; of systems, against each.

    `parts` are the groups where these are not its own. All of them have to pass, which needs no correction. A limit
    by which a group can only fail is one that is simultaneous over the groups (Bonferroni).
    """
    known = _known(found)
    bars = [x for x in (*under, *over) if isinstance(x, Bar)]
    bars += bars_of([x for x in under if isinstance(x, str)], [x for x in over if isinstance(x, str)], known)
    parts = _parts(found) if parts is None or is_of_systems(found) else parts
    whole = () if is_of_systems(found) else tuple(gate_of(_of_bar(_total(found), b, level, count), b) for b in bars)
    each = [
        gate
        for name, part in parts.items()
        for gate in of_group(name, (_of_part(part, b, level, count, len(parts)) for b in bars))
    ]
    return (*whole, *each)


def _of_part(part: Any, b: Bar, level: float | None, count: Count, groups: int) -> Gate:
    if isinstance(part, InformedError):
        return uncompared(b.name, part)
    e = _of_bar(part, b, level, count)
    return gate_of(e.corrected(groups) if b.shows_failure and e.low == e.low else e, b)


def _of_bar(part: Any, b: Bar, level: float | None, count: Count) -> Any:
    measure = OTHERS.get(b.measure, b.measure) if isinstance(part, TagsReport) else b.measure
    return evidence_of(part, measure, level, count, limits=b.on != "value")


def _total(found: Any) -> Any:
    return found.sum() if isinstance(found, Table) and found.shape else found


def _parts(found: Any) -> dict[Any, Any]:
    """The groups; those of a stack of tables are its tables."""
    if not isinstance(found, Table):
        return parts_of(found)
    if not found.shape:
        return {}
    if len(found.shape) > 1:
        raise InformedError(f"This stack has the shape {found.shape}; gates take one table, or one axis of groups.")
    return dict(zip(found.axes[0] or range(found.shape[0]), found, strict=True))


def _known(found: Any) -> frozenset[str]:
    """Names of measures that are of no table."""
    if isinstance(found, TagsReport):
        return TAGS
    return PROBABILITIES if isinstance(found, Probabilities | ClassProbabilities) else frozenset()
