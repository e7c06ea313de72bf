"""`interval`: an estimate with the range of values that the data do not contradict.

Which method for which measure is decided in `interval_methods`, and nowhere else; the methods live in
the modules beside it. The evidence for the defaults is in docs/intervals.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from inspect import signature
from typing import Any, Literal, TypeAlias, Unpack, overload

import numpy as np

from informed._arrays import Array, Limits, plain, ratio
from informed.errors import InferenceError, InformedError, one_of
from informed.evidence.calls import explained, no_option
from informed.evidence.checks import frozen
from informed.evidence.labels import Label
from informed.evidence.labels_by_name import OPTIONS, LabelOptions, counted_for
from informed.evidence.marks import Marks
from informed.evidence.table import AT_PREVALENCE, Table
from informed.evidence.tags import Tags
from informed.inference import powers_intervals as _powers
from informed.inference.answers import Interval, Intervals, Posterior
from informed.inference.cautions import cautions, outside
from informed.inference.chi_squared_tests import freedoms
from informed.inference.given import SEED, Rng, checked_level
from informed.inference.grade_notes import grade_notes
from informed.inference.hypothesis import chi2_tail
from informed.inference.influence import at_shares
from informed.inference.interval_methods import (
    METHODS,
    NONE,
    IntervalOptions,
    applies,
    default,
    has_slopes,
    has_spread,
    why_none,
)
from informed.inference.inversion import distance
from informed.inference.marks_score import interval_of_marks
from informed.inference.resampling import DRAWS, dirichlet, quantiles
from informed.inference.sample import Sample, is_per_class
from informed.inference.simultaneous import single_level
from informed.inference.tags_interval import interval_of_tags
from informed.inference.worth_notes import worth_notes
from informed.measures import Measure, MeasureLike, find, why
from informed.measures.association import chi_squared
from informed.measures.titles import in_words
from informed.results import Note, axes_of, warning

Several: TypeAlias = list[Any] | tuple[Any, ...]  # measures
Chosen = tuple[Sample, str]  # a sample and the method of its interval
SMALLEST = 1e-12  # of a p-value that is read from intervals, whose levels are then too near to 1 to be told
TINIEST = 1e-9  # standard errors: a level above 0
HAIR = 1e-6  # of a cell, by which a table of even classes is moved where slopes vanish


@overload
def interval(
    t: Table | Marks | Tags,
    measure: MeasureLike | None = None,
    *,
    level: float = ...,
    average: str | None = ...,
    method: str = ...,
    sampling: Literal["multinomial", "fixed-reals"] = ...,
    simultaneous: bool | Literal["bonferroni", "max-t"] = ...,
    rng: Rng = ...,
    n_draws: int = ...,
    mass: float = ...,
    **powers: Any,
) -> Interval: ...
@overload
def interval(t: Table, measure: Several, **options: Any) -> Intervals: ...
@overload
def interval(*, real: Any, predicted: Any, measure: MeasureLike, **options: Any) -> Interval: ...
@overload
def interval(*, real: Any, predicted: Any, measure: Several, **options: Any) -> Intervals: ...
@explained
def interval(
    t: Table | Marks | Tags | None = None,
    measure: MeasureLike | Several | None = None,
    *,
    real: Any = None,
    predicted: Any = None,
    level: float = 0.95,
    average: str | None = "prevalence",
    method: str = "auto",
    sampling: Literal["multinomial", "fixed-reals"] = "multinomial",
    simultaneous: bool | Literal["bonferroni", "max-t"] = False,
    rng: Rng = None,
    n_draws: int = DRAWS,
    mass: float = 1.0,
    **powers: Any,
) -> Interval | Intervals:
    """The values of a measure that this table does not contradict; ``low, high = interval(…)``.

    Parameters
    ----------
    t
        A table, or a stack of them: then the result holds arrays. Or `Marks`: then `measure` is
        their score, "centred", "centred_of_all", or a reducer such as "pass_at(2)". Or `Tags`.
    measure
        Any measure, by name (``"f_beta(beta=2)"``, ``"recall(average='macro')"``) or function. A
        measure of one class of a table of more than two is taken for each class against the rest.
        A list of measures gives an interval for each, `Intervals`, each at the level of its own.
    real, predicted
        Labels instead of a table, with the options of `Table.from_labels`.
    level
        Share of repetitions in which such intervals hold the truth.
    average
        Of tags: "prevalence" (the bookmaker's), "within", "macro", "occurring", "micro", "examples"; None gives an
        interval for each label.
    method
        "auto" is the one that measurably covers: mid-P for proportions, the Fisher-arc hull for
        most others; a measure without an interval that is known to cover (purity, lambda, the Rand indices …) gets
        no limits. One that makes no sense for the measure is refused, with those that do. Item scores
        (`Marks`) have "auto", which covers where scores cluster at one value, too, and "t", Student's interval alone.
    sampling
        "fixed-reals" where the number of cases of each real class was chosen beforehand.
    simultaneous
        Intervals along the last axis (the classes, or the last of the stack) that hold together:
        "bonferroni", "max-t", or True for the sharper one that applies.
    rng, n_draws
        Generator or seed, and number of draws, of what is resampled; the default seed is fixed.
    mass
        Cases that the prior of "dirichlet" is worth.
    **powers
        Of "powers-0", "powers-1" and "powers-2": `x` (standard errors to go), `sse` ("null",
        "full", "arithmetic", "weighted", "complement", "value", "geometric", "harmonic", "max",
        "min", "rates", a number, or a pair for below and above), `evenness` ("margins" or
        "even") and `factor` (2 in the papers' formulas). Of "powers-fitted", their error bars calibrated: `x`.

    >>> from informed import Table
    >>> found = interval(Table.from_counts([[56, 20], [12, 12]]), "informedness")
    >>> round(found.low, 3), round(found.high, 3), found.method
    (0.012, 0.39, 'arc')
    """
    if isinstance(t, Marks):
        of_accuracy = partial(interval, measure="accuracy", level=level)
        _only_of_marks(method, {"sampling": sampling != "multinomial", "simultaneous": bool(simultaneous), **powers})
        named = "score" if measure is None else str(measure)
        return interval_of_marks(t, named, level=level, of_accuracy=of_accuracy, students=method == "t")
    if isinstance(t, Tags):
        _only_of_tags(
            {"method": method != "auto", "sampling": sampling != "multinomial", **dict.fromkeys(powers, True)}
        )
        told: dict[str, Any] = {"average": average, "level": level, "simultaneous": simultaneous, "rng": rng}
        told["of_tables"] = interval
        if isinstance(measure, (list, tuple)):
            return Intervals(tuple(interval_of_tags(t, m, **told) for m in measure))
        return interval_of_tags(t, measure, **told)
    if average != "prevalence":
        raise InferenceError(
            "`average` is of tags; of a table it stands in the measure, as in \"recall(average='macro')\"."
        )
    t = counted_for(interval, t, real, predicted, _taken(powers))
    if measure is None:
        raise InferenceError("Which measure of the table? Give `measure`, such as 'informedness'.")
    _check_powers(powers, method)
    if isinstance(measure, (list, tuple)):
        same: dict[str, Any] = {"level": level, "method": method, "sampling": sampling, "simultaneous": simultaneous}
        same |= {"rng": rng, "n_draws": n_draws, "mass": mass, **powers}
        return Intervals(tuple(interval(t, m, **same) for m in measure))
    options = IntervalOptions(rng, n_draws, mass, tuple(powers.items()))
    samples, notes, whole = _samples(t, measure, level, sampling)
    joint = ""
    if simultaneous:
        adjusted, joint = single_level(samples, simultaneous, whole, rng)
        samples = [replace(s, level=adjusted) for s in samples]
        said = f"The intervals hold together at the level {level:g} ({joint})."
        notes.append(Note(said, code="simultaneous"))
    found = _found([_chosen(s, method) for s in samples], options)
    return replace(_joined(found, samples[0], notes), level=level, simultaneous=joint)


def intervals(
    t: Table, measures: Sequence[Measure], *, level: float = 0.95, method: str = "auto"
) -> list[Interval | InformedError]:
    """`interval` of several measures at once; where there is none, the error that says why.

    What the measures share is found once: one search for the limits of all proportions, one walk
    along all arcs. A measure that has no interval of the wanted method gets its default one.
    """
    asked: list[tuple[list[Chosen], list[Note]] | InformedError] = []
    for m in measures:
        try:
            samples, notes, _ = _samples(t, m, level, "multinomial")
            asked.append(([_chosen(s, method, or_default=True) for s in samples], notes))
        except InformedError as error:
            asked.append(error)

    every = [pair for one in asked if not isinstance(one, InformedError) for pair in one[0]]
    found = iter(_found(every, IntervalOptions()))

    def answer(pairs: list[Chosen], notes: list[Note]) -> Interval:
        return _joined([next(found) for _ in pairs], pairs[0][0], notes)

    return [one if isinstance(one, InformedError) else answer(*one) for one in asked]


def distance_from(
    t: Table, measure: MeasureLike, value: float, *, method: str, rng: Rng, n_draws: int
) -> tuple[Array, Interval, float]:
    """How far the intervals of a measure must be stretched until they hold a value, in standard errors and with a
    sign; the interval whose level is 95 %; and the least p-value that can be told."""
    from scipy.special import ndtr, ndtri

    samples, notes, _ = _samples(t, measure, 0.95, "multinomial")
    low, high = map(float, samples[0].m.bounds(samples[0].t))
    if not low <= value <= high:
        raise InferenceError(f"`against` is {value:g}, and {samples[0].m.name} lies between {low:g} and {high:g}.")
    if isinstance(rng, np.random.Generator):
        rng = int(rng.integers(2**32))  # the same draws at every level
    options = IntervalOptions(rng, n_draws)
    asked = [_chosen(s, method) for s in samples]
    if asked[0][1] == NONE:
        m = samples[0].m
        raise InferenceError(f"{_why_none(samples[0])} So {in_words(m)} is not tested against a value.")
    if asked[0][1] == "score-exact":
        raise InferenceError("score-exact lists every table at every level tried; take miettinen-nurminen.")
    least = max(SMALLEST, 1 / (n_draws + 1) if METHODS[asked[0][1]].drawn else 0.0)

    def limits(s: Sample, chosen: str, z: Array) -> Limits:
        stretched = replace(s, level=1 - 2 * ndtr(-np.maximum(z, TINIEST)))
        ((low, high),) = _limits([stretched], chosen, options)
        return _within(stretched, low, high)

    far = float(-ndtri(least / 2))
    each = [distance(partial(limits, *one), value, far) for one in asked]
    found = _joined(_found(asked, options), samples[0], notes)
    return each[0] if len(each) == 1 else np.stack(each, axis=-1), found, least


@explained
def posterior(
    t: Table | None = None,
    measure: MeasureLike = "informedness",
    *,
    real: Any = None,
    predicted: Any = None,
    level: float = 0.95,
    sampling: Literal["multinomial", "fixed-reals"] = "multinomial",
    rng: Rng = None,
    n_draws: int = DRAWS,
    mass: float = 1.0,
    **counting: Unpack[LabelOptions],
) -> Posterior:
    """What to believe of a measure after this table, from a prior worth one case.

    Instead of a table, labels can be given as `real` and `predicted`, with the options of `Table.from_labels`.

    The prior is a Dirichlet distribution of total mass 1, half of it on the diagonal and half off
    it: the Bayesian choice that covers best (docs/intervals.md). The result holds the draws.

    >>> from informed import Table
    >>> found = posterior(Table.from_counts([[56, 20], [12, 12]]), "informedness")
    >>> found.probability(above=0) > 0.95
    True
    """
    t = counted_for(posterior, t, real, predicted, counting)
    samples, notes, _ = _samples(t, measure, level, sampling)
    options = IntervalOptions(rng, n_draws, mass)
    draws = [dirichlet(_chosen(s, "dirichlet")[0], rng, n_draws, mass) for s in samples]
    limits = [quantiles(drawn, *s.tails) for s, drawn in zip(samples, draws, strict=True)]
    found = [_finished(s, "dirichlet", *ends, options) for s, ends in zip(samples, limits, strict=True)]
    together = draws[0] if len(draws) == 1 else np.stack(draws, axis=-1)
    return Posterior(**vars(_joined(found, samples[0], notes)), draws=together)


# ---------------------------------------------------------------------- what is asked


def _samples(
    t: Table, measure: MeasureLike, level: float, sampling: str
) -> tuple[list[Sample], list[Note], Table | None]:
    """The sample, or one for each class where they cannot be one stack; notes; and the table
    whose classes make the last axis, where they do."""
    checked_level(level)
    one_of("sampling", sampling, ("multinomial", "fixed-reals"), InferenceError)
    m, fixed = find(measure), sampling == "fixed-reals"
    t, shares = _observed(t)
    if not m.facts.abstentions:
        t = t.answered

    notes: list[Note] = []
    per_class = is_per_class(m, t)
    if shares is not None:
        said = "Propagated from the sample that the table at another prevalence came from."
        notes.append(Note(said, code="propagated"))
        if "prevalence" in m.facts.ignores and (per_class or len(shares) == 2):
            shares = None  # the same number at any prevalence
    if per_class:
        notes.append(Note("One interval for each class against the rest.", code="per-class"))
    if fixed and m.margins == "real":
        raise InferenceError(
            f"{m.name} is a matter of choice where the class sizes were fixed beforehand: it has no sampling error."
        )

    if shares is None:
        whole = t if per_class else None
        return [Sample(m, t.one_vs_rest() if per_class else t, level, fixed, None, per_class)], notes, whole

    def moved(x: Table, label: Label = None) -> Table:
        return at_shares(x, shares) if label is None else at_shares(x, shares).one_vs_rest(label)

    ways: list[Callable[[Table], Table]] = [partial(moved, label=x) for x in t.labels] if per_class else [moved]
    return [Sample(m, t, level, fixed, way) for way in ways], notes, None


def _check_powers(powers: dict[str, Any], method: str) -> None:
    known = {**dict.fromkeys(("sse", "evenness", "factor"), (*_powers.OWN,)), "x": (*_powers.OWN, _powers.FITTED)}
    for name in powers:
        if name not in known:
            raise no_option("interval", name, [*signature(interval).parameters][1:-1])
        if method not in known[name]:
            raise InferenceError(f"`{name}` is for the methods {', '.join(known[name])}, and the method is {method!r}.")


def _only_of_tags(given: dict[str, bool]) -> None:
    """Refuse options that tags have no use for."""
    for name, asked in given.items():
        if asked:
            raise InferenceError(f"`{name}` is not of tags, whose intervals are measured between their items.")


def _only_of_marks(method: str, given: dict[str, Any]) -> None:
    """Refuse options that item scores have no use for."""
    if name := next((name for name, asked in given.items() if asked), None):
        raise InferenceError(f"`{name}` is for tables; intervals of item scores are measured between the items.")
    if method not in ("auto", "t"):
        raise InferenceError(f'`method` is {method!r}; item scores have "auto" and "t", Student\'s interval.')


def _taken(given: dict[str, Any]) -> dict[str, Any]:
    """The options of labels, taken out of all that were given."""
    return {name: given.pop(name) for name in OPTIONS if name in given}


def _observed(t: Table) -> tuple[Table, Array | None]:
    """The sample behind a table, and the prevalence that it was carried to, if it was."""
    if t.derived is None:
        return t, None
    base = t
    while base.derived == AT_PREVALENCE and base.origin is not None:
        base = base.origin
    if base.derived is not None:
        raise InferenceError(
            f"This table was not observed (it is {base.derived}), so it has no sampling error: "
            "take the interval of the table that was counted."
        )
    share = ratio(t.real_totals, t.total).reshape(len(t.real_labels), -1)
    return base, share[:, 0]


# ---------------------------------------------------------------------- what is found


def _chosen(s: Sample, method: str, *, or_default: bool = False) -> Chosen:
    """The sample with the name of its method, refused where there is no such interval of it."""
    _ = s.estimate  # refused first where the measure itself is
    chosen = default(s) if method == "auto" else method
    if applies(chosen, s) or (method == "auto" and chosen == NONE):
        return s, chosen
    if or_default and method != "auto":
        return _chosen(s, "auto")
    raise _refusal(s, method)


def _found(asked: Sequence[Chosen], options: IntervalOptions) -> list[Interval]:
    """The intervals of several samples, those of one method together."""
    limits: dict[int, Limits] = {}
    for method in dict.fromkeys(chosen for _, chosen in asked):
        at = [i for i, (_, chosen) in enumerate(asked) if chosen == method]
        limits.update(zip(at, _limits([asked[i][0] for i in at], method, options), strict=True))
    return [_finished(*pair, *limits[i], options) for i, pair in enumerate(asked)]


def _limits(samples: Sequence[Sample], method: str, options: IntervalOptions) -> list[Limits]:
    """The ends of several samples by one method, whatever range the measure has."""
    if method == NONE:
        return [(np.full(s.estimate.shape, np.nan),) * 2 for s in samples]
    return METHODS[method].limits([_off_balance(s) for s in samples], method, options)


def _finished(s: Sample, chosen: str, low: Array, high: Array, options: IntervalOptions) -> Interval:
    """Limits within the range of the measure, and what must be known of them."""
    low, high = _within(s, low, high) if chosen != NONE else (low, high)
    undefined = np.isnan(s.estimate)
    notes = []
    if undefined.any():
        notes.append(_undefined_note(s, undefined))
    if not has_spread(s):
        said = "With one label nothing else can be seen, and there is no spread to go by."
        notes.append(Note(said, code="one-label"))
    if chosen == NONE:
        notes.append(Note(_why_none(s), code="no-known-coverage"))
    else:
        notes += worth_notes(s)
        notes += grade_notes(s.t, s.m)
        notes += _method_notes(s, chosen, options)
        notes += outside(s.estimate, chosen, low, high)
        notes += cautions(s.effective, chosen)
    ends, axes = (plain(s.estimate), plain(low), plain(high)), axes_of(s.t, classes=s.per_class)
    sampling = "fixed-reals" if s.fixed else "multinomial"
    return Interval(*ends, s.level, chosen, str(s.m), sampling, tuple(notes), plain(s.effective_n), axes=axes)


def _within(s: Sample, low: Array, high: Array) -> Limits:
    """Limits within the range of the measure; none where there is nothing to go by."""
    known = (s.n > 0) & ~np.isnan(s.estimate) & has_spread(s)
    low, high = (np.where(known, np.clip(x, *s.m.bounds(s.t)), np.nan) for x in (_with_zero(s, low), high))
    return low, high


def _refusal(s: Sample, method: str) -> InferenceError:
    applicable = [name for name in METHODS if applies(name, s)]
    listed = ", ".join(applicable)
    if method == "auto" or not applicable:
        said = f"{len(s.t.real_labels)} classes are too many for an interval of {s.m.name} whose slopes are found by "
        return InferenceError(
            f"{said}trying every cell.", *(f"take `method={x!r}`, which is slow" for x in applicable[:1])
        )
    if method not in METHODS:
        return InferenceError(f"There is no interval method {method!r}; for {s.m.name} there are {listed}.")
    return InferenceError(f"{method} is no interval for {s.m.name}{_as_asked(s)}; what applies is {listed}.")


def _joined(found: list[Interval], s: Sample, notes: list[Note]) -> Interval:
    """One result from those of each class, or the only one, with what is said of them all."""
    together: dict[str, Any] = {}
    if len(found) > 1:
        names = ("estimate", "low", "high", "effective_n")
        together = {name: np.stack([getattr(one, name) for one in found], axis=-1) for name in names}
        together["axes"] = (*found[0].axes, ("class", s.t.real_labels))
    said = dict.fromkeys(note for one in found for note in one.notes)
    return replace(found[0], **together, notes=(*notes, *said))


def _with_zero(s: Sample, low: Array) -> Array:
    """A lower limit of 0 where independence is not rejected, for measures that are 0 there only.

    They cannot be negative, so that their estimates lie above 0 even where there is nothing, and
    no interval around the estimate would hold 0 as often as it should.
    """
    if not _zero_at_independence(s):
        return low
    pvalue = chi2_tail(chi_squared(s.effective), freedoms(s.effective))
    return np.where(pvalue > 1 - s.level, np.fmin(low, 0.0), low)


def _off_balance(s: Sample) -> Sample:
    """The sample a hair off where such a measure is 0: of even classes all its slopes vanish there, and no limit is
    found."""
    if not _zero_at_independence(s) or not (s.estimate == 0).any():
        return s
    cells = s.t.cells.copy()
    cells[0, 0] *= np.where(s.estimate == 0, 1 + HAIR, 1.0)
    return replace(s, t=replace(s.t, cells=frozen(cells)))


def _zero_at_independence(s: Sample) -> bool:
    facts = s.m.facts
    return facts.bounds[0] == 0 and facts.chance == 0 and has_slopes(s) and s.through is None


def _method_notes(s: Sample, method: str, options: IntervalOptions) -> list[Note]:
    notes = []
    if method in _powers.OWN and "sse" not in dict(options.powers):
        said = f"The papers' own interval, kept to reproduce them: {_powers.COVERAGE[method]}."
        notes.append(warning(said, "papers-interval"))
    if method == _powers.FITTED:
        notes.append(warning(f"The papers' error bars, fitted: {_powers.COVERAGE[method]}.", "papers-interval"))
    if (method.startswith("bootstrap") or method == "dirichlet") and options.rng is None:
        said = f"{options.n_draws} draws from the fixed seed {SEED}."
        notes.append(Note(said, code="fixed-seed"))
    if reason := _why_none(s):
        what = "These limits" if has_slopes(s) else "These limits describe resampled tables, and"
        said = f"{reason} {what} cover the true value less often than their level says."
        notes.append(warning(said, "no-known-coverage" if has_slopes(s) else "no-slopes"))
    if _zero_at_independence(s):
        said = "It cannot be negative, so the lower limit is 0 where Pearson's χ² does not reject independence."
        notes.append(Note(said, code="zero-at-independence"))
    return notes


def _why_none(s: Sample) -> str:
    return why_none(s.m, len(s.t.real_labels))


def _as_asked(s: Sample) -> str:
    if s.through is not None:
        return " at another prevalence"
    return " with fixed class sizes" if s.fixed else f" with {len(s.t.real_labels)} classes"


def _undefined_note(s: Sample, undefined: Array) -> Note:
    t = s.t if s.through is None else s.through(s.t)
    which = f"{int(undefined.sum())} of {undefined.size} estimates are undefined"
    if undefined.ndim == 0:
        which = f"The estimate is undefined ({why(t, s.m)})"
    return Note(f"{which}, and so is the interval.", code="undefined")
