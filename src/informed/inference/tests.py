"""Tests of a table: is it better than guessing, are its sides related, is it even-handed?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Unpack, get_args

import numpy as np

from informed._arrays import Floats, plain
from informed._numbers import plural
from informed.errors import InferenceError, InformedError, one_of
from informed.evidence.calls import explained
from informed.evidence.labels_by_name import LabelOptions, counted_for
from informed.evidence.table import Table
from informed.evidence.tags import Tags
from informed.inference.answers import Test
from informed.inference.calibration import calibration_of
from informed.inference.cautions import warnings_of
from informed.inference.chi_squared_tests import CHI_SQUARED, chi_squared_test
from informed.inference.exact_tests import fisher, unconditional
from informed.inference.given import Rng, checked_draws
from informed.inference.hypothesis import SIDES, Asked, Outcome, When, between, is_whole, normal_tail, refuse_parts
from informed.inference.intervals import distance_from
from informed.inference.mcnemar import bowker, mcnemar, sign_test, stuart_maxwell
from informed.inference.permutation import MANY, by_slopes, permutation, permutation_z, weights_of
from informed.inference.permutation_tails import permutation_midp, pvalues_of_measures
from informed.inference.powers_tests import FAMILY, powers_test
from informed.inference.resampling import DRAWS
from informed.inference.sample import as_independent, repeated
from informed.inference.silence import silence_as_label
from informed.inference.tags_hypothesis import tags_test
from informed.inference.unit_permutation import permutation_units
from informed.measures import Measure, MeasureLike, find
from informed.measures.titles import in_words
from informed.results import Note, axes_of

TINY = float(np.finfo(np.float64).tiny)
N_DRAWS = 20_000  # tables, where a p-value is simulated
UNEVEN = 1.5  # cases to one that they are worth: beyond that the tail is only roughly known
QUESTIONS = {
    "independence": "predictions and reality are independent",
    "bias": "each label is predicted as often as it is real (bias equals prevalence)",
    "symmetry": "each confusion of two classes is as frequent as its opposite",
}

OF_INTERVAL = {
    "two-sided": "p is below 1 − level exactly where the interval of that level does not hold the value",
    "greater": "p is below (1 − level)/2 exactly where the interval of that level lies above the value",
    "less": "p is below (1 − level)/2 exactly where the interval of that level lies below the value",
}


@dataclass(frozen=True)
class HypothesisTest:
    """A way to test: the question it answers, and how."""

    question: str  # "measure", or one of QUESTIONS
    answer: Callable[[Table, Asked], Outcome]
    directed: bool = False  # whether it can look for one direction only
    counts: bool = False  # whether it counts tables, so that it needs whole, unweighted cases
    weights: bool = False  # whether it takes weighted cases as they are; others take what they are worth
    units: bool = False  # whether it takes cases that belong together as they are; others refuse them


METHODS: dict[str, HypothesisTest] = {
    "permutation-midp": HypothesisTest("measure", permutation_midp, directed=True),
    "permutation-z": HypothesisTest("measure", permutation_z, directed=True),
    "permutation-units": HypothesisTest("measure", permutation_units, directed=True, weights=True, units=True),
    "permutation": HypothesisTest("measure", permutation, directed=True, counts=True),
    **dict.fromkeys(CHI_SQUARED, HypothesisTest("independence", chi_squared_test, directed=True)),
    "fisher": HypothesisTest("independence", fisher, directed=True, counts=True),
    "fisher-midp": HypothesisTest("independence", fisher, directed=True, counts=True),
    "fisher-midp-minlike": HypothesisTest("independence", fisher, directed=True, counts=True),
    "fisher-point": HypothesisTest("independence", fisher, counts=True),
    **dict.fromkeys(("barnard", "boschloo"), HypothesisTest("independence", unconditional, directed=True, counts=True)),
    "mcnemar": HypothesisTest("bias", mcnemar, weights=True, units=True),
    **dict.fromkeys(("mcnemar-exact", "mcnemar-midp"), HypothesisTest("bias", sign_test, counts=True)),
    "stuart-maxwell": HypothesisTest("bias", stuart_maxwell, weights=True, units=True),
    "bowker": HypothesisTest("symmetry", bowker, weights=True),
    **dict.fromkeys(FAMILY, HypothesisTest("independence", powers_test)),
}


@explained
def test(
    t: Table | Tags | None = None,
    measure: MeasureLike = "informedness",
    *,
    real: Any = None,
    predicted: Any = None,
    average: str = "prevalence",
    method: str = "auto",
    against: float | None = None,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    rng: Rng = None,
    n_draws: int | None = None,
    when: When = "small",
    **counting: Unpack[LabelOptions],
) -> Test:
    """How surprising a table is if there were nothing in it, or not more than a value; for one table or a stack.

    Parameters
    ----------
    t
        A table, or a stack of them: then the result holds arrays. Or `Tags`, by an `average` of their labels.
    measure
        A measure, tested against guessing with the same margins; or "independence" of the two
        sides, "bias" (is a label predicted as often as it is real?), or "symmetry" of confusions.
    real, predicted
        Labels instead of a table, with the options of `Table.from_labels`.
    method
        "auto" is the share of all shufflings of the predictions that are further from chance, and
        half of those as far ("permutation-midp"), for a measure, of what the cases are worth where they
        belong to units ("permutation-units"); "pearson-n1" for independence,
        "mcnemar-midp" or "stuart-maxwell" for bias, "bowker" for symmetry. All are in `METHODS`
        and documented with the error rates that were measured. Against a value, the method of an
        interval.
    against
        A value that the measure is tested against: p is below 1 − level exactly where the interval
        of that level does not hold the value. By default chance, and at its chance level the same.
    alternative
        "greater" looks only for values above what it is tested against, "less" only for those below.
    rng, n_draws
        Seed or generator, and number of draws, where a p-value is simulated: 20,000 by default, or as many as the
        interval that is inverted.
    when
        Where Yates' correction is made: in tables with an expected cell below 5; only in the "cells" that
        hold fewer than 5, as the papers print it; in all; or in none.

    >>> result = test(Table.from_counts([[56, 20], [12, 12]]))
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (2.1575, 0.0336)
    >>> round(test(Table.from_counts([[56, 20], [12, 12]]), against=0.1, alternative="greater").pvalue, 3)
    0.154
    """
    if isinstance(t, Tags):
        if method != "auto":
            raise InferenceError("`method` is not of tags, which are tested by shuffling them over the items.")
        return tags_test(t, measure, average=average, against=against, alternative=alternative)
    if average != "prevalence":
        raise InferenceError(
            "`average` is of tags; of a table it stands in the measure, as in \"recall(average='macro')\"."
        )
    t = counted_for(test, t, real, predicted, counting)
    _refuse(t, alternative, when, n_draws)
    asked_measure = None if measure in QUESTIONS and (against is None or measure != "bias") else find(measure)
    question = "measure" if asked_measure is not None else str(measure)
    if against is not None:
        if asked_measure is None:
            raise InferenceError(f"`against` is a value of a measure, and {measure!r} is none.")
        if against != asked_measure.facts.chance or method not in ("auto", *METHODS):
            asked = Asked(method, asked_measure, alternative, rng, n_draws or DRAWS, when)
            return _against(t, asked, float(against))
    if asked_measure is not None and asked_measure.facts.as_label is not None:
        same: dict[str, Any] = {"rng": rng, "n_draws": n_draws, "when": when}
        same |= {"method": method, "alternative": alternative}
        spoken = test(silence_as_label(t), asked_measure.facts.as_label, **same)
        return replace(spoken, measure=str(asked_measure), hypothesis=_hypothesis(question, asked_measure))

    t = replace(t, units=repeated(t.answered))
    name = _chosen(method, question, t, asked_measure)
    known = METHODS[name]
    notes: list[Note] = []
    if known.question != question and not (name == "permutation" and question == "independence"):
        if (question, known.question) != ("measure", "independence"):
            raise InferenceError(
                f"{name!r} tests whether {QUESTIONS.get(known.question, 'a measure is chance')}, "
                f"which is not what was asked ({measure!r})."
            )
        if len(t.real_labels) > 2:
            said = f"{name} tests independence, which is more than {measure} being chance"
            notes.append(Note(said, code="tests-more"))
        question = "independence"

    if alternative != "two-sided" and not known.directed:
        raise InferenceError(f"{name!r} has no direction: alternative must be 'two-sided'.")
    if t.units is not None and not known.units:
        raise InferenceError(
            f"{name!r} takes every case as independent, and these belong to {plural(float(t.units.n), t.units.name)}.",
            "test informedness or bias with `method='auto'`",
            "take `t.without_units()`",
        )
    weighted = t.squares is not None
    if known.counts:
        refuse_parts(t, name)
    elif t.squares is not None and not known.weights:
        t, said_of_weights = _effective(t, asked_measure)
        notes.extend(said_of_weights)

    of = asked_measure if question == "measure" else None
    asked = Asked(name, of, alternative, rng, n_draws or N_DRAWS, when)
    return _result(t, known.answer(t, asked), question, asked, notes, weighted=weighted)


test.__test__ = False  # type: ignore[attr-defined]  # for pytest's sake


def against_guessing(t: Table, measures: Sequence[Measure]) -> list[tuple[Any, str]]:
    """The p-value of each measure and what it tests, by the default test in closed form; NaN where there is none.

    Those of plain cases come from one stack of tables.
    """
    held = t.answered
    plain_cases = t.derived is None and t.units is None and t.squares is None
    together = [m for m in measures if plain_cases and m.facts.as_label is None and _is_closed(held, m)]
    stacked = pvalues_of_measures(held, together) if together else ()
    found = dict(zip(map(str, together), stacked, strict=True))

    def one(m: Measure) -> tuple[Any, str]:
        if (p := found.get(str(m))) is not None:
            return np.maximum(p, TINY), _hypothesis("measure", m)
        try:
            alone = test(t, m, method="permutation-midp" if repeated(t.answered) is None else "auto")
        except InformedError:
            return np.nan, ""
        return alone.pvalue, alone.hypothesis

    return [one(m) for m in measures]


def _is_closed(t: Table, m: Measure) -> bool:
    try:
        return weights_of(m, t) is not None
    except InformedError:
        return False


def _against(t: Table, asked: Asked, value: float) -> Test:
    """A measure against a value: its interval, inverted."""
    if asked.method in METHODS:
        raise InferenceError(f"{asked.method!r} tests a table against chance; against a value, name an interval.")
    assert asked.measure is not None
    how: dict[str, Any] = {"method": asked.method, "rng": asked.rng, "n_draws": asked.n_draws}
    z, found, least = distance_from(t, asked.measure, value, **how)
    least = least if asked.alternative == "two-sided" else least / 2
    p = np.maximum(normal_tail(z, asked.alternative), least)
    p = np.where(z == 0, 1.0 if asked.alternative == "two-sided" else 0.5, p)

    notes = list(found.notes)
    if np.any(p <= least):
        said = f"a p-value below {least:.2g} is shown as that: an interval can tell no smaller one"
        notes.append(Note(said, code="smallest-number"))
    is_ = {"two-sided": "is", "greater": "is at most", "less": "is at least"}[asked.alternative]
    return Test(
        statistic=plain(z),
        pvalue=plain(p),
        df=plain(np.full(np.shape(z), np.nan)),
        method=found.method,
        hypothesis=f"{in_words(asked.measure)} {is_} {value:g}",
        measure=found.measure,
        alternative=asked.alternative,
        against=value,
        calibration=f"{OF_INTERVAL[asked.alternative]}, and errs as rarely",
        notes=tuple(notes),
        axes=found.axes,
    )


def _refuse(t: Table, alternative: str, when: str, n_draws: int | None) -> None:
    if t.derived is not None:
        raise InferenceError(
            f"This table was computed ({t.derived}), not observed, so that there is nothing to "
            "test; test the table that it came from."
        )
    one_of("alternative", alternative, SIDES, InferenceError)
    one_of("when", when, get_args(When), InferenceError)
    checked_draws(n_draws)


def _chosen(method: str, question: str, t: Table, measure: Measure | None) -> str:
    if method == "auto":
        if measure is not None:
            if t.units is not None:
                return "permutation-units"
            if weights_of(measure, t) is not None:
                return "permutation-midp"
            drawn = is_whole(t) and np.prod(t.shape) <= MANY
            return "permutation" if drawn or not by_slopes(t, measure) else "permutation-z"
        if question == "bias":
            if not t.is_square or t.k != 2:
                return "stuart-maxwell"
            return "mcnemar-midp" if is_whole(t) and t.units is None else "mcnemar"
        return {"independence": "pearson-n1", "symmetry": "bowker"}[question]
    if method not in METHODS:
        raise InferenceError(f"There is no method {method!r}; there are {', '.join(METHODS)}.")
    return method


def _effective(t: Table, measure: Measure | None) -> tuple[Table, list[Note]]:
    """Counts scaled to the number of equally weighted cases that they are worth to what is tested."""
    scaled, worth = as_independent(t, measure)
    said = f"weighted cases: worth {between(worth)} equally weighted ones, which the test uses"
    notes = [Note(said, code="weighted")]
    if t.cases is not None and np.any(t.cases.sum(axis=(0, 1)) > UNEVEN * worth):
        notes.append(Note("weights this uneven: p below .01 is approximate", code="uneven-weights"))
    return scaled, notes


def _result(t: Table, answer: Outcome, question: str, asked: Asked, notes: list[Note], *, weighted: bool) -> Test:
    name = asked.method
    p = np.asarray(answer.pvalue, dtype=np.float64)
    if (p < TINY).any():
        p = np.maximum(p, TINY)
        said = f"a p-value below {TINY:.2g} is shown as that, the smallest number held"
        notes.append(Note(said, code="smallest-number"))
    if alone := _alone(t, question):
        notes.append(Note(alone, code="p-is-1"))

    def shaped(value: Any) -> Floats:
        return None if value is None else plain(np.broadcast_to(np.asarray(value, dtype=np.float64), t.shape).copy())

    return Test(
        statistic=shaped(answer.statistic),
        pvalue=shaped(p),
        df=shaped(answer.df),
        method=name,
        hypothesis=_hypothesis(question, asked.measure),
        measure=str(asked.measure) if asked.measure is not None else question,
        alternative=asked.alternative,
        pvalue_low=shaped(answer.low),
        pvalue_high=shaped(answer.high),
        axes=axes_of(t),
        calibration=""
        if asked.when != "small" or _by_slopes(t, asked)  # measured as it is by default, and of hits
        else calibration_of(
            name, max(len(t.predicted_labels), len(t.real_labels)), asked.alternative, weighted=weighted
        ),
        notes=(*notes, *answer.notes, *warnings_of(t, name, counted=name in METHODS and METHODS[name].counts)),
    )


def _by_slopes(t: Table, asked: Asked) -> bool:
    return asked.measure is not None and by_slopes(t, asked.measure)


def _hypothesis(question: str, measure: Measure | None) -> str:
    if measure is None:
        return QUESTIONS[question]
    chance = measure.facts.chance
    level = f"{chance:g}" if isinstance(chance, (int, float)) else "what guessing would score"
    return f"{in_words(measure)} is {level}: the predictions are shuffled, both margins as they are"


def _alone(t: Table, question: str) -> str:
    """Why p is 1 by necessity, where it is."""
    if question in ("bias", "symmetry"):
        forced = t.hits.sum(axis=0) == t.total if t.is_square else np.zeros(t.shape, dtype=bool)
        why = "nothing is off the diagonal, so that p is 1"
    else:
        rows = (t.predicted_totals > 0).sum(axis=0) < 2
        forced = rows | ((t.real_totals > 0).sum(axis=0) < 2) | (t.total < 2)
        why = "only one table has these margins, so that p is 1"
    if not np.any(forced):
        return ""
    return why if np.ndim(forced) == 0 else f"in {np.count_nonzero(forced)} tables {why}"
