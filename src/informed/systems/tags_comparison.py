"""Two or more systems that tagged the same items: differences, and places on a board."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from informed._arrays import Array
from informed._numbers import probability, signed
from informed._wording import listed
from informed.errors import InferenceError
from informed.evidence.labels import some
from informed.evidence.shown import system_name
from informed.evidence.tags import Tags
from informed.inference.given import checked_level
from informed.inference.marks_score import as_signs, student
from informed.inference.tags_hypothesis import tags_test
from informed.inference.tags_influence import (
    between_units,
    by_units,
    coefficients,
    freedom,
    influence,
    number_of_units,
    spread_of,
)
from informed.inference.tags_interval import ONE_UNIT, arc_of, notes_of
from informed.measures import Measure, find
from informed.measures.tag_scores import (
    BETS,
    FAIR,
    USUAL,
    chance,
    item_values,
    label_counts,
    named,
    score,
    why_undefined,
)
from informed.measures.titles import spoken_tags
from informed.results import Note, Records, warning
from informed.systems.board import Leaderboard, place_of
from informed.systems.class_differences import LABELS, never_of_labels, of_labels
from informed.systems.joint_estimates import JointEstimates, of_gaps
from informed.systems.ranking import Asked, Ranking
from informed.systems.student_difference import StudentDifference

FEW = 2  # measures that a warning names for each system
BASIS = "all items, each with all its labels"
MEASURES = "measure:words average:words a b chance_a chance_b estimate:signed low:signed high:signed pvalue:p"


@dataclass(frozen=True, repr=False)
class TagsDifference(StudentDifference):
    """How much more the first system knows of the tags than the second, on the same items."""

    page = "tags_comparison"
    unlisted: ClassVar[tuple[str, ...]] = ("tags", "others", "by_label")

    average: str = "prevalence"
    others: Records = field(default_factory=lambda: Records.of(MEASURES, ()))  # other measures of the same tags
    by_label: Records = field(default_factory=lambda: Records.of(LABELS, ()))  # the most frequent first
    tags: Tags | None = None

    @property
    def sign(self) -> int:
        """1 where more is better, −1 for a loss."""
        return -1 if self.measure == "hamming_loss" else 1

    def to_dict(self) -> dict[str, Any]:
        """Its numbers, those of other measures, and those of each label."""
        more = {"others": self.others.dicts(), "labels": self.by_label.dicts()}
        return {**super().to_dict(), "average": self.average, **more}


def compare_tags(
    t: Tags,
    a: Hashable = None,
    b: Hashable = None,
    *,
    measure: Any = "informedness",
    average: str = "prevalence",
    level: float = 0.95,
    further: bool = True,
) -> TagsDifference:
    """The difference of two systems on the same items, between which errors are measured.

    >>> y = np.array([[1, 0], [1, 1], [0, 1], [0, 0]] * 5)
    >>> found = compare_tags(Tags.from_labels(real=y, predicted={"same": y, "none": y * 0}))
    >>> found.estimate, found.pvalue < 0.001
    (1.0, True)
    """
    checked_level(level)
    asked = named(measure, average)
    if a is None and b is None and len(t.names) == 2:
        a, b = t.names
    if a is None or b is None:
        raise InferenceError(
            f"Two systems are compared, and there are {some(t.names)}: choose `a` and `b` among them; "
            "`informed.leaderboard` compares all of them."
        )
    t = t.among([a, b])
    first, second = (score(t, asked, average, system=name) for name in (a, b))
    undefined = bool(np.isnan(first - second)) or number_of_units(t) < 2
    error = df = low = high = pvalue = np.nan
    if not undefined:
        each = _added(t, asked, average, a) - _added(t, asked, average, b)
        spread = spread_of(t, each)
        df = spread.df
        error = float(as_signs(np.asarray(first - second), np.sqrt(spread.variance), df))
        low, high, pvalue = student(first - second, error, df, level)
    notes, most = list(notes_of(t, asked, average)), 2.0 if asked in BETS else 1.0
    if undefined:
        why = next((x for name in (a, b) if (x := why_undefined(t, asked, average, system=name))), ONE_UNIT)
        what = "The difference" if np.isnan(first - second) else "The interval of the difference"
        notes.insert(0, Note(f"{what} is undefined ({why}).", code="undefined"))
    elif error == 0:
        notes.append(Note("Both systems gave the same tags, so far as this measure reads them.", code="same"))
    notes += never_of_labels(t) if further else ()
    found = TagsDifference(
        estimate=first - second,
        low=float(np.clip(low, -most, most)),
        high=float(np.clip(high, -most, most)),
        pvalue=pvalue,
        a=first,
        b=second,
        method="t by items" if t.unit is None else "t by units",
        level=level,
        measure=asked,
        n=float(len(t)),
        standard_error=error,
        names=(a, b),
        notes=tuple(notes),
        average=average,
        df=df,
        tags=t,
    )
    if not further:
        return found
    found = replace(found, others=_others(t, a, b, level), by_label=of_labels(t, level))
    return replace(found, notes=(*_disagreeing(found), *found.notes))


def _disagreeing(d: TagsDifference) -> Iterator[Note]:
    """A warning where measures find a difference beyond luck, and do not agree which system is better."""
    told: dict[int, list[str]] = {}
    asked = [(d.measure, d.average, float(d.estimate), float(d.pvalue))]
    asked += [(m, a or "prevalence", x, p) for m, a, *_, x, _, _, p in d.others.rows]
    for measure, average, estimate, p in dict.fromkeys(asked):
        if p < 1 - d.level and estimate:
            better = int(np.sign(estimate)) * (-1 if measure == "hamming_loss" else 1)
            by = spoken_tags(measure) if average == "prevalence" else f"{average} {spoken_tags(measure)}"
            told.setdefault(better, []).append(f"{by} ({signed(estimate)}, {probability(p)})")
    if len(told) > 1:
        first = d.sign * int(np.sign(d.estimate)) if d.pvalue < 1 - d.level else 1
        few = {x: [*held[:FEW], f"{len(held) - FEW} more"] if len(held) > FEW + 1 else held for x, held in told.items()}
        said = [f"{system_name(d.names[0 if x > 0 else 1])} is better by {listed(few[x])}" for x in (first, -first)]
        why = "They weigh the labels differently: the table of labels shows which of them each system finds."
        yield warning(f"The measures disagree: {'; '.join(said)}. {why}", "disagreement")


def _added(t: Tags, measure: str, average: str, system: Hashable) -> Array:
    """What each unit adds to the error of a system's measure."""
    if measure in BETS and average != "examples":
        return influence(t, coefficients(t, measure, average, system=system), system=system)
    if measure != "f1_micro":
        x = item_values(t, measure, system=system)
        return by_units(t, x - score(t, measure, average, system=system))
    from informed.inference.tags_influence import Coefficients

    c, f1 = label_counts(t, system), score(t, measure, system=system)
    part = np.ones(len(t.labels)) / float((c.prevalence + c.bias).sum())
    return influence(t, Coefficients(2 * part, -f1 * part, -f1 * part, 0.0), system=system)


def _others(t: Tags, a: Hashable, b: Hashable, level: float) -> Records:
    """The difference by every average, of the dual, and of the usual measures beside their chance levels."""
    asked = [("informedness", x) for x in (*FAIR, "micro")] + [
        ("markedness", "prevalence"),
        ("correlation", "prevalence"),
    ]
    rows = []
    for measure, average in [*asked, *((x, "") for x in USUAL)]:
        how = average or "prevalence"
        x = compare_tags(t, a, b, measure=measure, average=how, level=level, further=False)
        levels = [chance(t, measure, how, system=name) for name in (a, b)]
        rows.append((measure, average, x.a, x.b, *levels, x.estimate, x.low, x.high, x.pvalue))
    return Records.of(MEASURES, rows)


# ---------------------------------------------------------------------- many


@dataclass(frozen=True, eq=False, repr=False)
class TagsBoard(Leaderboard):
    """Systems by what they know of the tags of the same items."""

    average: str = "prevalence"

    @property
    def of(self) -> Measure:
        """The measure that the systems are ranked by."""
        return find(self.measure)


def ranked_by(measure: Any, average: str = "prevalence") -> Measure:
    """The measure that a board of tags is by; refused where boards have none of that name.

    >>> str(ranked_by("bookmaker_informedness"))
    'informedness'
    """
    asked = named(measure, average)
    if asked not in BETS or average == "examples":
        other = spoken_tags(asked) if asked not in BETS else f"{asked} by {average}"
        raise InferenceError(
            f"Boards of tags are by informedness, markedness or correlation, and an average of labels; {other} "
            "compares two systems."
        )
    return find(asked)


def board_of_tags(t: Tags, asked: Asked, average: str = "prevalence") -> TagsBoard:
    """Many systems on the same items, with intervals that hold together."""
    if len(t.names) < 2:
        raise InferenceError("There is one system; `interval` is for it, a leaderboard takes two.")
    measure = str(asked.m)
    if asked.baseline is not None:
        place_of(t.names, asked.baseline)
    values = np.array([score(t, measure, average, system=name) for name in t.names])
    if np.isnan(values).any():
        lost = t.names[int(np.flatnonzero(np.isnan(values))[0])]
        why = why_undefined(t, measure, average, system=lost)
        raise InferenceError(f"{measure} of {lost!r} is undefined ({why}); the default average leaves such labels out.")
    if number_of_units(t) < 2:
        raise InferenceError(f"How the systems vary together takes two units at least: {ONE_UNIT}.")
    asked = replace(asked, method="t by items" if t.unit is None else "t by units")
    each = np.stack([_added(t, measure, average, name) for name in t.names], axis=1)
    ranking = Ranking(_estimates(t, values, each), t.names, asked)
    level, _ = ranking.quantiles
    arcs = [arc_of(t, measure, average, system=name).limits(level) for name in t.names]
    guessing = [tags_test(t, measure, average=average, system=name, alternative="greater") for name in t.names]
    few = (1 - asked.level) / len(t.names)
    return TagsBoard(
        **ranking.fields((*never_of_labels(t), *notes_of(t, measure, average))),
        measure=measure,
        basis=BASIS,
        items=len(t),
        low=np.array([low for low, _ in arcs]),
        high=np.array([high for _, high in arcs]),
        beyond_guessing=np.array([x.pvalue < few for x in guessing]),
        tables=t.table,
        average=average,
    )


def _estimates(t: Tags, values: Array, each: Array) -> JointEstimates:
    """How the systems vary together between units, and how well that is known."""
    units = number_of_units(t)
    covariance = between_units(t, each.T @ each)
    k = len(values)
    gaps = np.array([[freedom(each[:, i] - each[:, j], units) for j in range(k)] for i in range(k)])
    own = np.array([freedom(each[:, i], units) for i in range(k)])
    return JointEstimates(values, values, covariance, of_gaps(covariance), gaps, own, np.full((k, k), np.inf))
