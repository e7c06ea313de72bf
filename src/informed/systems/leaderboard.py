"""`leaderboard`: many systems on the same items, with ranks that the data support and no more."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from informed._arrays import Array, ratio
from informed._numbers import rate
from informed.decisions.class_forecast import judged
from informed.decisions.forecast_board import board_of_forecasts
from informed.decisions.probability_input import of_systems
from informed.decisions.skill import gain
from informed.errors import InferenceError, one_of
from informed.evidence.calls import explained
from informed.evidence.forecasts import Forecasts
from informed.evidence.label_policy import Missing
from informed.evidence.labels import Label, some
from informed.evidence.likeness import Normalize, said_respelled
from informed.evidence.marks import Marks
from informed.evidence.paired import Paired, paired
from informed.evidence.paired_epochs import ABSENT
from informed.evidence.paired_marks import answers_of
from informed.evidence.shown import system_name
from informed.evidence.table import Table
from informed.evidence.tags import Tags
from informed.inference.given import Rng, checked_draws, checked_level, shrink
from informed.inference.grade_notes import are_grades
from informed.inference.influence import cells_of
from informed.inference.interval_methods import why_none
from informed.inference.intervals import interval
from informed.inference.sample import scaled
from informed.inference.worth_notes import difference_notes
from informed.measures import Measure, MeasureLike, find
from informed.measures.headline import COUNTS, OVER_ALL, Count, headline
from informed.results import Note, warning
from informed.systems.board import Gap, Leaderboard, Pairs, Versus, place_of
from informed.systems.guards import answered_by_all, left_out_notes
from informed.systems.joint_estimates import Smoothing, joint_estimates
from informed.systems.marks_board import MARKS, SHARED, MarksBoard, board_of_marks, no_labels, shared_marks
from informed.systems.ranking import Asked, Ranking, unranked
from informed.systems.right_answers import cochran_q
from informed.systems.scale import subtracted
from informed.systems.tags_comparison import board_of_tags, ranked_by

__all__ = ["Gap", "Leaderboard", "Pairs", "Versus", "leaderboard"]

ALL, COMMON, SILENT = (
    "all items, which every system answered",
    "common items, those that every system answered",
    "all items that count in every system, where no answer is no bet: it wins nothing",
)
SHARES_RIGHT = ("accuracy", "accuracy_of_all")  # to these, right answers of all classes are alike
_FEW = 10  # common items below which they decide nothing


@explained
def leaderboard(
    answers: Paired | Mapping[Any, Marks] | Tags | Forecasts | None = None,
    /,
    *,
    real: Any = None,
    predictions: Any = None,
    measure: MeasureLike | None = None,
    level: float = 0.95,
    adjust: str = "auto",
    baseline: Hashable | None = None,
    method: Smoothing = "smoothed",
    names: Sequence[Hashable] | None = None,
    items: Any = None,
    abstain: Any = None,
    missing: Missing | None = None,
    normalize: Normalize = None,
    labels: Sequence[Label] | None = None,
    positive: Label | None = None,
    weights: ArrayLike | None = None,
    unit: Any = None,
    item: Any = None,
    rng: Rng = None,
    n_draws: int | None = None,
    count: Count = "tool",
    average: str = "prevalence",
) -> Leaderboard:
    """Compare many systems on the same items, and say what the order is worth.

    Parameters
    ----------
    answers
        What `read(item=…)` gives, a mapping from each system's name to its `Marks`, `Tags` of several systems, or
        probabilities of several, which `read(probability=…)` gives.
    real
        The real labels, one for each item; or a mapping from item to label.
    predictions
        A mapping from each system's name to its labels (or to a mapping from item to label), a
        data frame with a column for each system, an array of integers (items x systems) in which
        -1 is no answer, or what `read(item=…)` gives. Or a mapping to `Marks`, whose items are
        joined: then `real` is not needed, and the board is of their scores.
    measure
        Any measure of a table, by name or function, by default informedness; of marks a reducer, such as "pass_at(2)";
        of probabilities "log_skill" (the default), "brier_skill" or "growth".
    level
        Share of repetitions in which *all* intervals of one kind hold the truth together.
    adjust
        For the p-values of all pairs: "auto" (as "max-t"), "holm", "hochberg", "hommel", "bonferroni", "sidak",
        "bh", "by" or "none". "max-t" takes the joint distribution of the differences, as their simultaneous
        intervals do: an adjusted p-value is at most 1 − level exactly where the interval does not hold 0. Ranks and
        groups follow these intervals, whatever is asked for.
    baseline
        A system to compare all others with.
    method
        Differences and standard errors after four pseudo-cases ("smoothed", which covers) or at
        the bare counts ("delta", as other packages do).
    abstain, missing, normalize, labels, positive
        As for `Table.from_labels`. Mappings from item to label are joined: there an empty answer is
        "abstain" unless you say otherwise, and an item that some system lacks is left out.
    weights, unit, item
        A weight for each item; the unit (document, patient) that each belongs to; or which rows are the
        same item, asked several times, whose answers share its weight. Errors are measured between them.
    rng, n_draws
        Generator or seed, and draws of the largest of many errors; the default seed is fixed.
    count
        Which cases count where some system gave no answer. By default all of them, and no answer
        is no bet: informedness is `informedness_of_all`, accuracy the score, any other measure is
        that of the answered cases times coverage. "answered" compares the items that every system
        answered. `basis` says which.
    average
        Of tags: how their labels are averaged.

    >>> board = leaderboard(
    ...     real=[1, 0] * 30, predictions={"good": [1, 0] * 30, "coin": [1, 1, 0, 0] * 15})
    >>> board.leaders, board.beyond_guessing.tolist()
    (('good',), [True, False])
    """
    checked_level(level)
    predictions = _given(answers, predictions)
    checked_draws(n_draws)
    how: dict[str, Any] = {"level": level, "adjust": adjust, "baseline": baseline, "rng": rng, "n_draws": n_draws}
    usual: dict[str, tuple[Any, Any]] = {"method": (method, "smoothed"), "count": (count, "tool")}
    read = {"real": real, "names": names, "items": items, "abstain": abstain, "normalize": normalize}
    usual |= {name: (x, None) for name, x in {**read, "weights": weights, "unit": unit, "item": item}.items()}
    known = {"positive": positive, "labels": labels, "missing": missing}
    if isinstance(predictions, Forecasts):
        no_labels("probabilities have what was read with them", **usual, average=(average, "prevalence"))
        return _of_forecasts(predictions, gain(measure), {k: x for k, x in known.items() if x is not None}, how)
    usual |= {name: (x, None) for name, x in known.items()}
    measure = "informedness" if measure is None else measure
    if isinstance(predictions, Tags):
        no_labels("tags have what was read with them", **usual)
        asked = Asked(ranked_by(measure, average), method="t", coverage=np.ones(len(predictions.names)), **how)
        return board_of_tags(predictions, asked, average)
    if isinstance(predictions, Mapping) and any(isinstance(x, Marks) for x in predictions.values()):
        no_labels(MARKS, **usual, average=(average, "prevalence"))
        return _of_marks(predictions, measure, **how)
    if average != "prevalence":
        raise InferenceError(
            "`average` is of tags; of classes a measure has its own: measure=\"recall(average='macro')\"."
        )
    one_of("method", method, ("smoothed", "delta"), InferenceError)
    if real is None and not isinstance(predictions, Paired):
        raise InferenceError("`real` is missing; the real label of each item is needed.")

    p = paired(
        real,
        predictions,
        names=names,
        items=items,
        abstain=abstain,
        labels=labels,
        positive=positive,
        missing=missing,
        normalize=normalize,
        weights=weights,
        unit=unit,
        item=item,
    )
    if len(p.names) < 2:
        raise InferenceError("There is one system; `interval` is for it, a leaderboard takes two.")
    if baseline is not None:
        place_of(p.names, baseline)

    one_of("count", count, COUNTS, InferenceError)
    notes = left_out_notes(p)
    p = p.counted
    if not len(p):
        raise InferenceError("No item counts in every system; there is nothing to compare.")

    silent = p.codes == -1
    m = subtracted(headline(measure, count, bool(silent.any())), "leaderboards")
    coverage = np.asarray(find("coverage")(p.tables)) if silent.any() else np.ones(len(p.names))
    asked = Asked(m, level, adjust, baseline, method, rng, n_draws, coverage)
    notes += _constant_notes(p)
    if not silent.any():
        return _board(p, asked, ALL, notes)
    if count != "answered":
        return _board(p, asked, SILENT, notes)
    common, said = _common(p)
    return _board(common, asked, COMMON, (*notes, said))


def _given(answers: Any, predictions: Any) -> Any:
    """What systems said: paired answers or marks by place, labels by name."""
    if answers is None and predictions is None:
        raise InferenceError("Which systems? Give `predictions=` with `real=`, or what `read(item=…)` gives.")
    if answers is None:
        return predictions
    if predictions is not None:
        raise InferenceError("Give either answers, as `read(item=…)` makes them, or `predictions=`.")
    marks = isinstance(answers, Mapping) and answers and all(isinstance(x, Marks) for x in answers.values())
    if isinstance(answers, Mapping) and any(isinstance(x, Table) for x in answers.values()):
        raise InferenceError(
            "Tables do not say what two systems said of the same item; give the labels by name: leaderboard(real=…, "
            "predictions=…). Two tables of different items go to compare(a, b)."
        )
    if not isinstance(answers, Paired | Tags | Forecasts) and not marks:
        raise InferenceError(
            f"A {type(answers).__name__} was given by place, where what `read(item=…)` gives belongs; labels go by "
            "name: leaderboard(real=…, predictions=…)."
        )
    return answers


def _of_forecasts(forecasts: Forecasts, measure: str, known: Mapping[str, Any], how: Mapping[str, Any]) -> Leaderboard:
    """What the probabilities of each system gain."""
    held = of_systems(forecasts, **known)
    each = {name: judged(x, level=how["level"], n_draws=0) for name, x in held.items()}
    asked = Asked(find("informedness"), method="t", coverage=np.ones(len(held)), **how)
    return board_of_forecasts(held, each, asked, measure)


def _of_marks(marks: Mapping[Hashable, Marks], measure: MeasureLike, **how: Any) -> MarksBoard:
    """Scores of marks: accuracies where all are 0 or 1, else means with Student's intervals."""
    held, notes = shared_marks(marks, str(measure))
    coverage = np.array([m.coverage for m in held.values()])
    asked = Asked(find("accuracy"), method="smoothed", coverage=coverage, **how)
    if asked.baseline is not None:
        place_of(tuple(held), asked.baseline)
    if not all(m.whole for m in held.values()):
        return board_of_marks(held, asked, notes)
    p = answers_of(held)
    return MarksBoard.of_accuracies(_board(p, asked, SHARED, notes), next(iter(held.values())).name)


def _common(p: Paired) -> tuple[Paired, Note]:
    """The items that every system answered, if they can decide anything."""
    found, said = answered_by_all(p)
    one = "" if len(np.unique(found.real_codes)) != 1 else ", all of one real class"
    if found.n_items < _FEW or one:
        raise InferenceError(
            f"Only {found.n_items:,} of {p.n_items:,} items were answered by every system{one}; they decide nothing. "
            "By default all items are compared, and no answer is no bet."
        )
    return found, said


def _board(p: Paired, asked: Asked, basis: str, notes: tuple[Note, ...]) -> Leaderboard:
    over_all = basis == SILENT
    t = p.tables if over_all else p.tables.answered
    read, held = p, t
    if asked.m.name in SHARES_RIGHT:
        read = p.right_or_wrong
        held = read.tables
    method: Smoothing = "smoothed" if asked.smoothed else "delta"
    ranking = Ranking(joint_estimates(read, held, asked.m, method=method, discounted=over_all), p.names, asked)

    if ranking.found.worth is not None:
        answers = np.count_nonzero(p.codes != ABSENT, axis=0)
        notes = (*notes, *difference_notes(ranking.found.worth, held.units, answers, str(asked.m)))
    low, high = _intervals(held, ranking, by_arc=not over_all or asked.m.facts.abstentions)
    if asked.m.name == "informedness" and not asked.m.bound:
        notes = (*notes, *_on_order(t, p.names))
    told = ranking.fields(notes)
    if reason := why_none(asked.m, len(held.real_labels)):
        told = unranked(told, reason)
    return Leaderboard(
        **told,
        measure=str(asked.m),
        basis=basis,
        items=p.n_items,
        low=low,
        high=high,
        beyond_guessing=_beyond_guessing(t, asked, ranking.quantiles[0], low),
        answered=_answered(t, asked.m) if over_all else None,
        tables=t,
        cochran_q=cochran_q(p) if p.weights is None and not p.groups else None,
    )


def _on_order(t: Table, names: tuple[Hashable, ...]) -> Iterator[Note]:
    """Where labels may be ordinal, that this ranks systems without their order, and who is first with it."""
    if not are_grades(t):
        return
    ordinal, plain_ = (np.asarray(find(m)(t)) for m in ("informedness_ordinal", "informedness"))
    if np.isnan(ordinal).any() or np.isnan(plain_).any():
        return
    kind = "The labels are ordinal:" if t.stated is not None else f"If the labels ({some(t.real_labels)}) are ordinal,"
    best, here = int(np.argmax(ordinal)), int(np.argmax(plain_))
    first = f"{system_name(names[best])} is first by it with {rate(float(ordinal[best]))}"
    said = f"{kind} rank the systems by ordinal informedness, which counts how far off an error is: {first}"
    other = ordinal[best] > ordinal[here]
    said += f", {system_name(names[here])} has {rate(float(ordinal[here]))}" if other else ""
    said += " (`measure='informedness_ordinal'`)."
    yield warning(said, "ordinal") if other else Note(said, code="ordinal")


def _intervals(t: Table, ranking: Ranking, *, by_arc: bool) -> tuple[Array, Array]:
    """Limits of all systems that hold together.

    Each goes to the quantile with the same tail of Student's distribution, whose degrees of freedom are
    those of its units and those of its classes together: the tail of a rare class is no normal one.
    """
    found, asked = ranking.found, ranking.asked
    if asked.smoothed and by_arc:
        level, _ = ranking.quantiles
        scale = shrink(found.all_df, level)
        if found.worth is not None:
            scale = scale * ratio(found.worth.effective_n, cells_of(t).sum(axis=0))
        alone = interval(scaled(t, scale), asked.m, level=level, rng=asked.rng)
        return np.asarray(alone.low), np.asarray(alone.high)
    low, high = (np.clip(x, *asked.m.facts.bounds) for x in ranking.limits)
    return low, high


def _beyond_guessing(t: Table, asked: Asked, level: float, low: Array) -> NDArray[np.bool_]:
    """Whether the simultaneous interval of informedness lies above 0."""
    if not t.real_totals[..., 1:].any():  # all of one real class: of guessing nothing is known
        return np.zeros(t.shape, np.bool_)
    if asked.m.name not in ("informedness", "informedness_of_all") or asked.m.bound:
        m = headline("informedness", silent=t.unanswered is not None)
        low = np.asarray(interval(t, m, level=level).low)
    return np.asarray(low > 0)


def _answered(t: Table, m: Measure) -> Array:
    """The measure of what each system answered."""
    alone = {of_all: name for name, of_all in OVER_ALL.items()}.get(m.name, m)
    return np.asarray(find(alone)(t.answered))


def _constant_notes(p: Paired) -> tuple[Note, ...]:
    """Systems that always say the same, or nothing."""
    first = p.codes.max(axis=0)
    constant = ((p.codes == first) | (p.codes < 0)).all(axis=0)
    notes = []

    def say(which: NDArray[np.bool_], code: str, what: str) -> None:
        named = [p.names[s] for s in np.flatnonzero(which)]
        if named:
            notes.append(Note(f"{'System' if len(named) == 1 else 'Systems'} {some(named)} {what}.", code=code))

    say(constant & (first >= 0), "one-label", "gave one label only, which is guessing: informedness 0")
    say(first < 0, "no-answers", "answered nothing")
    if p.unsaid:
        notes.append(Note(f"{p.unsaid:,} missing answers count as abstentions.", code="missing"))
    if p.respelled:
        notes.append(Note(said_respelled(p.respelled), code="respelled"))
    return tuple(notes)
