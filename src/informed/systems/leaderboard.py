"""`leaderboard`: many systems on the same items, with ranks that the data support and no more."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from informed._arrays import Array, ratio
from informed.errors import InferenceError, one_of
from informed.evidence.checks import frozen
from informed.evidence.label_policy import Missing
from informed.evidence.labels import Label, some
from informed.evidence.margins import PLAIN
from informed.evidence.marks import Marks
from informed.evidence.paired import Paired, paired
from informed.evidence.paired_marks import answers_of
from informed.evidence.table import Table
from informed.inference.given import Rng, checked_level, standard_normal, students
from informed.inference.influence import cells_of
from informed.inference.intervals import interval
from informed.inference.worth_notes import difference_notes
from informed.measures import Measure, MeasureLike, find
from informed.measures.headline import COUNTS, OVER_ALL, Count, headline
from informed.results import Note
from informed.systems.board import Gap, Leaderboard, Pairs, Versus, goodness, place_of, sign_of
from informed.systems.guards import left_out_notes
from informed.systems.joint_estimates import JointEstimates, Smoothing, joint_estimates, of_gaps
from informed.systems.marks_board import SHARED, MarksBoard, board_of_marks, shared_marks
from informed.systems.max_t import exceeding, largest_of_each, largest_of_pairs, normal_draws
from informed.systems.multiplicity import FAMILYWISE, adjusted_pairs, of_pairs
from informed.systems.ranks import rank_intervals, tie_groups
from informed.systems.right_answers import cochran_q
from informed.systems.tails import tails, two_sided

__all__ = ["Gap", "Leaderboard", "Pairs", "Versus", "leaderboard"]

ALL, COMMON, SILENT = (
    "all items, which every system answered",
    "common items, those that every system answered",
    "all items that count in every system, where no answer is no bet: it wins nothing",
)
SHARES_RIGHT = ("accuracy", "accuracy_of_all")  # to these, right answers of all classes are alike
_FEW = 10  # common items below which they decide nothing


def leaderboard(
    *,
    real: Any = None,
    predictions: Any,
    measure: MeasureLike = "informedness",
    level: float = 0.95,
    adjust: str = "holm",
    baseline: Hashable | None = None,
    method: Smoothing = "smoothed",
    names: Sequence[Hashable] | None = None,
    items: Any = None,
    abstain: Any = None,
    missing: Missing | None = None,
    labels: Sequence[Label] | None = None,
    positive: Label | None = None,
    weights: ArrayLike | None = None,
    unit: Any = None,
    item: Any = None,
    rng: Rng = None,
    n_draws: int | None = None,
    count: Count = "tool",
) -> Leaderboard:
    """Compare many systems on the same items, and say what the order is worth.

    Parameters
    ----------
    real
        The real labels, one for each item; or a mapping from item to label.
    predictions
        A mapping from each system's name to its labels (or to a mapping from item to label), a
        data frame with a column for each system, an array of integers (items x systems) in which
        -1 is no answer, or what `read(item=…)` gives. Or a mapping to `Marks`, whose items are
        joined: then `real` is not needed, and the board is of their scores.
    measure
        Any measure of a table, by name or function; of marks a reducer, such as "pass_at(2)".
    level
        Share of repetitions in which *all* intervals of one kind hold the truth together.
    adjust
        For the p-values of all pairs: "holm", "hochberg", "hommel", "bonferroni", "sidak",
        "max-t", "bh", "by" or "none". Ranks and groups need the chance of *any* error held down:
        with "bh", "by" and "none" they are made with Holm's.
    baseline
        A system to compare all others with.
    method
        Differences and standard errors after four pseudo-cases ("smoothed", which covers) or at
        the bare counts ("delta", as other packages do).
    abstain, missing, labels, positive
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

    >>> board = leaderboard(
    ...     real=[1, 0] * 30, predictions={"good": [1, 0] * 30, "coin": [1, 1, 0, 0] * 15})
    >>> board.leaders, board.beyond_guessing.tolist()
    (('good',), [True, False])
    """
    checked_level(level)
    if isinstance(predictions, Mapping) and any(isinstance(x, Marks) for x in predictions.values()):
        how = {"level": level, "adjust": adjust, "baseline": baseline, "rng": rng, "n_draws": n_draws}
        return _of_marks(predictions, measure, **how)
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
    m = headline(measure, count, bool(silent.any()))
    asked = _Asked(
        m, level, adjust, baseline, method, rng, n_draws, 1 - silent.sum(axis=0) / (p.codes >= -1).sum(axis=0)
    )
    notes += _constant_notes(p)
    if not silent.any():
        return _board(p, asked, ALL, notes)
    if count != "answered":
        return _board(p, asked, SILENT, notes)
    common = _common(p)
    said = f"Compared on the {len(common):,} of {len(p):,} items that every system answered."
    return _board(common, asked, COMMON, (*notes, Note(said, code="common-items")))


def _of_marks(marks: Mapping[Hashable, Marks], measure: MeasureLike, **how: Any) -> MarksBoard:
    """Scores of marks: accuracies where all are 0 or 1, else means with Student's intervals."""
    held, notes = shared_marks(marks, str(measure))
    if not all(m.whole for m in held.values()):
        return board_of_marks(held, notes, **how)
    p = answers_of(held)
    coverage = np.array([m.coverage for m in held.values()])
    asked = _Asked(find("accuracy"), method="smoothed", coverage=coverage, **how)
    if asked.baseline is not None:
        place_of(p.names, asked.baseline)
    return MarksBoard.of_accuracies(_board(p, asked, SHARED, notes), next(iter(held.values())).name)


def _common(p: Paired) -> Paired:
    """The items that every system answered, if they can decide anything."""
    found = p.where(np.asarray((p.codes >= 0).all(axis=1)))
    one = "" if len(np.unique(found.real_codes)) != 1 else ", all of one real class"
    if len(found) < _FEW or one:
        raise InferenceError(
            f"Only {len(found):,} of {len(p):,} items were answered by every system{one}; they decide nothing. "
            "By default all items are compared, and no answer is no bet."
        )
    return found


@dataclass(frozen=True)
class _Asked:
    m: Measure
    level: float
    adjust: str
    baseline: Hashable | None
    method: Smoothing
    rng: Rng
    n_draws: int | None
    coverage: Array  # of each system, over all items that count


def _board(p: Paired, asked: _Asked, basis: str, notes: tuple[Note, ...]) -> Leaderboard:
    over_all = basis == SILENT
    t = p.tables if over_all else p.tables.answered
    read, held = p, t
    if asked.m.name in SHARES_RIGHT:
        read = p.right_or_wrong
        held = read.tables
    found = joint_estimates(read, held, asked.m, method=asked.method, discounted=over_all)
    draws = asked.n_draws or int(np.clip(5e6 / len(p.names), 5_000, 20_000))
    drawn = normal_draws(found.covariance, draws, asked.rng, found.least_df)

    if found.worth is not None:
        notes = (*notes, *difference_notes(found.worth, held.units, len(p), str(asked.m)))
    critical, level, low, high = _intervals(held, found, drawn, asked, basis)

    pairs = _pairs(found, drawn, asked)
    strict = pairs.adjusted
    if asked.adjust not in FAMILYWISE:
        strict = adjusted_pairs(pairs.pvalue, "holm")
        said = f"{asked.adjust} does not hold down the chance of any error, so ranks and groups are made with Holm's "
        notes = (*notes, Note(said + "adjustment.", code="ranks-by-holm"))

    apart = strict <= 1 - asked.level
    rank_low, rank_high = rank_intervals(apart & (sign_of(asked.m) * pairs.estimate > 0))
    good = goodness(found.values, asked.m)
    groups = tie_groups(np.argsort(-good, kind="stable"), apart)

    return Leaderboard(
        names=p.names,
        measure=str(asked.m),
        basis=basis,
        items=p.n_items,
        level=asked.level,
        adjust=asked.adjust,
        method=asked.method,
        estimate=found.values,
        standard_error=found.errors,
        low=low,
        high=high,
        covariance=found.covariance,
        critical=critical,
        pairs=pairs,
        versus=None if asked.baseline is None else _versus(found, drawn, p.names, asked),
        rank=1 + (good[:, None] < good).sum(axis=1),
        rank_low=rank_low,
        rank_high=rank_high,
        groups=tuple(tuple(p.names[s] for s in group) for group in groups),
        beyond_guessing=_beyond_guessing(t, asked, level, low),
        coverage=asked.coverage,
        answered=_answered(t, asked.m) if over_all else None,
        tables=t,
        cochran_q=cochran_q(p) if p.weights is None and not p.groups else None,
        notes=notes,
    )


def _intervals(
    t: Table, found: JointEstimates, drawn: Array, asked: _Asked, basis: str
) -> tuple[float, float, Array, Array]:
    """Standard errors to go, the level of each system by itself, and limits of all that hold together.

    Each goes to the quantile with the same tail of Student's distribution, whose degrees of freedom are
    those of its units and those of its classes together: the tail of a rare class is no normal one.
    """
    critical = float(np.quantile(largest_of_each(drawn, found.errors), asked.level))
    level, each = _quantiles(critical, found.least_df, found.all_df)
    each = each if asked.method == "smoothed" else np.asarray(critical)
    if asked.method == "smoothed" and (basis != SILENT or asked.m.facts.abstentions):
        scale = (standard_normal(level) / each) ** 2
        if found.worth is not None:
            scale = scale * ratio(found.worth.effective_n, cells_of(t).sum(axis=0))
        alone = interval(scaled(t, scale), asked.m, level=level, rng=asked.rng)
        return critical, level, np.asarray(alone.low), np.asarray(alone.high)
    low, high = _limits(found.values, found.centres, found.errors, each)
    bottom, top = asked.m.facts.bounds
    return critical, level, np.clip(low, bottom, top), np.clip(high, bottom, top)


def scaled(t: Table, scale: Array) -> Table:
    """The table of so many times as many independent cases."""
    silent = None if t.unanswered is None else frozen(t.unanswered * scale)
    return replace(t, cells=frozen(t.cells * scale), unanswered=silent, **PLAIN)


def _limits(values: Array, centres: Array, errors: Array, critical: Any) -> tuple[Array, Array]:
    """Around the smoothed estimate, wide enough for the one as counted."""
    return (np.fmin(values, centres - critical * errors), np.fmax(values, centres + critical * errors))


def _pairs(found: JointEstimates, drawn: Array, asked: _Asked) -> Pairs:
    systems = len(found.values)
    gaps, centres, errors = _gaps(found)
    draws = asked.n_draws or int(np.clip(2e9 / systems**2, 2000, 20_000))
    largest = largest_of_pairs(drawn[:draws], np.where(errors > 0, np.sqrt(of_gaps(found.covariance)), 0.0))
    held, z = _together(gaps, centres, errors, largest, asked, found.least_df, found.all_gap_df)

    if asked.adjust != "max-t":
        return Pairs(**held, adjusted=adjusted_pairs(held["pvalue"], asked.adjust))
    upper = np.triu_indices(systems, 1)
    return Pairs(**held, adjusted=of_pairs(exceeding(z[upper], largest, held["pvalue"][upper]), systems))


def _versus(found: JointEstimates, drawn: Array, names: tuple[Hashable, ...], asked: _Asked) -> Versus:
    """Comparisons with one system: fewer questions than all pairs, so sharper answers."""
    base = place_of(names, asked.baseline)
    itself = np.arange(len(names)) == base
    gaps, centres, errors = (np.where(itself, np.nan, x[:, base]) for x in _gaps(found))
    apart = drawn - drawn[:, [base]]
    largest = largest_of_each(apart, np.where(errors > 0, np.sqrt(of_gaps(found.covariance))[:, base], 0.0))
    held, z = _together(gaps, centres, errors, largest, asked, found.least_df, found.all_gap_df[:, base])
    return Versus(**held, adjusted=exceeding(z, largest, held["pvalue"]), baseline=asked.baseline)


def _together(
    gaps: Array, centres: Array, errors: Array, largest: Array, asked: _Asked, least_df: float, df: Array
) -> tuple[dict[str, Any], Array]:
    """Differences with intervals that hold together and their single p-values; and z."""
    critical = float(np.quantile(largest, asked.level))
    each = _quantiles(critical, least_df, df)[1] if asked.method == "smoothed" else critical
    low, high = _limits(gaps, centres, errors, each)

    # No difference as counted is no evidence: p = 1.
    z = np.where((errors > 0) & (gaps * centres > 0), centres / np.where(errors > 0, errors, 1.0), 0.0)
    z = np.where(np.isnan(gaps), np.nan, z)
    pvalue = two_sided(tails((np.abs(z), -np.abs(z)), df if asked.method == "smoothed" else least_df))
    names = ("estimate", "standard_error", "low", "high", "pvalue", "critical")
    return dict(zip(names, (gaps, errors, low, high, pvalue, critical), strict=True)), z


def _quantiles(critical: float, drawn_df: float, df: Array) -> tuple[float, Array]:
    """The level of one interval by itself, and the quantiles of Student's distribution with that tail."""
    level = 1 - 2 * float(tails((np.asarray(critical), np.asarray(critical)), drawn_df)[0])
    return level, students(df, level)


def _gaps(found: JointEstimates) -> tuple[Array, Array, Array]:
    """Differences as counted and smoothed, and their standard errors, of every two systems."""
    return (
        np.subtract.outer(found.values, found.values),
        np.subtract.outer(found.centres, found.centres),
        np.sqrt(found.gap_variance),
    )


def _beyond_guessing(t: Table, asked: _Asked, level: float, low: Array) -> NDArray[np.bool_]:
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
    return tuple(notes)
