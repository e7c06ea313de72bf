"""`probabilities`: what would a bettor gain who trusted them, and are they right?"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from informed.decisions.class_forecast import ClassProbabilities, judged
from informed.decisions.forecast import Probabilities
from informed.decisions.probability_cases import Cases, cases_of, is_matrix
from informed.decisions.probability_comparison import ProbabilityComparison
from informed.decisions.probability_draws import Told
from informed.decisions.probability_input import (
    bins_of,
    checked_clip,
    clipped,
    clipped_rows,
    costs_asked,
    groups_of,
    positive_column,
    refuse_scores,
    spelled,
    together,
)
from informed.decisions.roc import curve_of_cases, scored_cases
from informed.decisions.skill import gain
from informed.errors import InferenceError, LabelError
from informed.evidence.calls import explained
from informed.evidence.forecasts import Forecasts
from informed.evidence.label_order import order_of
from informed.evidence.label_policy import Missing
from informed.evidence.labels import Label, some, text
from informed.evidence.likeness import Normalize
from informed.inference.given import Rng, checked_draws, checked_level


class _Probabilities:
    """Probabilities judged by what a bettor gains: `probabilities(…)`, and several with `.compare`."""

    @explained
    def __call__(
        self,
        forecasts: Forecasts | None = None,
        *,
        real: Any = None,
        probability: Any = None,
        positive: Label | None = None,
        labels: Sequence[Hashable] | None = None,
        weights: ArrayLike | None = None,
        unit: Any = None,
        item: Any = None,
        by: Any = None,
        level: float = 0.95,
        missing: Missing = "error",
        normalize: Normalize = None,
        clip: float | None = None,
        cost: Any = (),
        also: Sequence[str] | str = (),
        n_draws: int | None = None,
        rng: Rng = None,
        progress: Told | None = None,
    ) -> Probabilities | ClassProbabilities:
        """What would a bettor gain at fair odds who trusted these probabilities, and are they right?

        Parameters
        ----------
        forecasts
            What `informed.read(..., probability=)` gives, instead of columns.
        real, probability
            Labels of two classes, and the probability of the positive one for each case; or of several, and a column
            of probabilities for each (a matrix, a frame, a dict by class), which add up to 1.
        positive
            Of two classes, the one that the probabilities are of.
        labels
            The classes that the columns are of; by default their names, or the classes in their order.
        weights
            One non-negative weight a case.
        unit, item
            What each case belongs to, or the item that was asked several times: errors are measured between these.
        by
            The group of each case: `found.groups` has the same of each.
        level
            Of the intervals.
        missing
            What a missing label or probability does: raise, or "drop" the case.
        normalize
            Take real classes as the same that differ only by "case", "space", …; "none" takes them as they are written.
        clip
            Move probabilities that are nearer to 0 or 1 than this; nothing is moved unless it is asked for.
        cost
            FN:FP, or several: what the probabilities are worth there, "5:1" for a miss that costs five false alarms.
        also
            "ece(bins=15)": the expected calibration error, beside its level where the probabilities are right.
        n_draws, rng
            Draws of right probabilities, by default 999 and fewer of many cases, and where they come from; with 0
            there are no levels, no test and no band.
        progress
            Called with the share of the draws that is done.

        Returns
        -------
        Probabilities
            Or `ClassProbabilities` where there is a column for each of three or more classes.

        >>> p = [0.89, 0.84, 0.17, 0.76, 0.66, 0.43, 0.07, 0.2]
        >>> found = probabilities(real=[1, 0, 0, 1, 0, 1, 0, 0], probability=p)
        >>> round(found.brier_skill.estimate, 4), round(found.brier.dsc, 4), round(found.brier.mcb, 4)
        (0.1415, 0.1094, 0.0762)
        """
        checked_level(level)
        checked_draws(n_draws, 0)
        asked: dict[str, Any] = {
            "level": level,
            "rng": rng,
            "clip": checked_clip(clip),
            "n_draws": n_draws,
            "told": progress,
        }
        two: dict[str, Any] = {"bins": bins_of(also), "costs": costs_asked(cost)}
        given = {"real": real, "probability": probability, "weights": weights, "unit": unit, "item": item, "by": by}
        if forecasts is not None:
            given = _told(forecasts, given)
            positive, missing, normalize = _as_read(forecasts, positive, missing, normalize)
        if given["real"] is not None:
            given["real"], positive = spelled(given["real"], normalize, positive)
        if is_matrix(given["probability"]):
            return _of_columns(given, labels, positive, missing, asked, two)
        held, known = _given(given, positive, missing)
        held["values"], moved = clipped(held["values"], clip)
        groups = {} if given["by"] is None else _groups(held, given["by"], known, {**asked, **two})
        return Probabilities(curve_of_cases(**held), clipped=moved, groups=groups, **asked, **two)

    @explained
    def compare(
        self,
        forecasts: Forecasts | None = None,
        *,
        real: Any = None,
        probabilities: Mapping[Any, Any] | None = None,
        positive: Label | None = None,
        labels: Sequence[Hashable] | None = None,
        weights: ArrayLike | None = None,
        unit: Any = None,
        item: Any = None,
        by: Any = None,
        level: float = 0.95,
        measure: str = "log_skill",
        adjust: str = "auto",
        baseline: Hashable = None,
        missing: Missing = "error",
        normalize: Normalize = None,
        clip: float | None = None,
        n_draws: int | None = None,
        rng: Rng = None,
    ) -> ProbabilityComparison:
        """Systems that gave probabilities to the same cases: whose are worth more, or is it luck?

        Parameters
        ----------
        real, probabilities
            Labels, and the probabilities of each system by its name, as `probabilities` takes those of one.
        measure
            What the systems are ranked by: "log_skill", "brier_skill" or "growth"; all are compared.
        adjust
            For asking about all pairs; "none" leaves p-values as they are.
        baseline
            The system that the others are compared with, instead of every two.
        by
            The slice of each case, for `found.slices()`.

        The other parameters are those of `informed.probabilities`. Of what is returned, `board` has the places that
        the systems may have.

        >>> y, p = [1, 0, 0, 1, 0, 1, 0, 0], [0.89, 0.84, 0.17, 0.76, 0.66, 0.43, 0.07, 0.2]
        >>> found = probabilities.compare(real=y, probabilities={"a": p, "flat": [0.375] * 8})
        >>> round(found.difference("a", "flat", "brier_skill").estimate, 4)
        0.1415
        """
        checked_level(level)
        checked_draws(n_draws, 0)
        given = {"real": real, "probabilities": probabilities, "weights": weights, "unit": unit, "item": item}
        if forecasts is not None:
            given = _told_several(forecasts, given)
            positive, missing, normalize = _as_read(forecasts, positive, missing, normalize)
            by = forecasts.by if by is None else by
        systems = given.pop("probabilities")
        if given["real"] is None or not isinstance(systems, Mapping) or len(systems) < 2:
            raise LabelError("Give `real=` and `probabilities={'a': …, 'b': …}`, two systems or more by name.")
        how = {"level": level, "rng": rng, "clip": checked_clip(clip), "n_draws": n_draws}
        given["real"], positive = spelled(given["real"], normalize, positive)
        held = together(systems, given, positive, labels, missing, clip)
        if baseline is not None and baseline not in held:
            raise InferenceError(f"There is no system {text(baseline)}; there are {some(list(held))}.")
        asked = gain(measure)
        each = {name: judged(cases, moved, **how) for name, (cases, moved) in held.items()}
        cases = {name: x for name, (x, _) in held.items()}
        return ProbabilityComparison(each, cases, level, asked, adjust, baseline, by)


probabilities = _Probabilities()


def _told(forecasts: Forecasts, given: dict[str, Any], name: str = "probability") -> dict[str, Any]:
    """What was read, instead of columns."""
    if not isinstance(forecasts, Forecasts):
        raise LabelError(
            f"A {type(forecasts).__name__} was given; give `real=` and `{name}=` by name, or what "
            "`informed.read(..., probability=)` makes."
        )
    if any(x is not None for x in given.values()):
        raise LabelError(f"Give either what was read or `real` and `{name}`.")
    if len(forecasts.probabilities) > 1 and name == "probability":
        raise LabelError(
            f"These are the probabilities of {len(forecasts.probabilities)} systems: compare them with "
            "`informed.probabilities.compare`."
        )
    held = {"real": forecasts.real, "weights": forecasts.weights, "unit": forecasts.unit, "item": forecasts.item}
    return {**held, "probability": next(iter(forecasts.columns().values())), "by": forecasts.by}


def _as_read(
    forecasts: Forecasts, positive: Label | None, missing: Missing, normalize: Normalize
) -> tuple[Label | None, Missing, Normalize]:
    """What was asked for when it was read, unless it is asked for now."""
    return (
        forecasts.positive if positive is None else positive,
        forecasts.missing if missing == "error" else missing,
        forecasts.normalize if normalize is None else normalize,
    )


def _told_several(forecasts: Forecasts, given: dict[str, Any]) -> dict[str, Any]:
    held = _told(forecasts, given, "probabilities")
    del held["probability"], held["by"]
    return {**held, "probabilities": forecasts.columns()}


def _given(given: Mapping[str, Any], positive: Label | None, missing: Missing) -> tuple[dict[str, Any], Any]:
    """The cases, refused where they have no probabilities, and which of those given they are."""
    if given["real"] is None or given["probability"] is None:
        raise LabelError("`real` and `probability` are both needed, one of each for every case.")
    weights, unit, item = (given[x] for x in ("weights", "unit", "item"))
    values = given["probability"]
    held, known = scored_cases(given["real"], values, positive, weights, unit, item, missing, "probability")
    refuse_scores(held["values"])
    if positive is not None and known is None and not held["own"].any():
        there = [x for x in held["labels"] if x != held["positive"]]
        raise LabelError(f"`positive` is {text(positive)}; the only class is {some(there)}.")
    return held, known


def _of_columns(
    given: Mapping[str, Any], labels: Any, positive: Any, missing: Missing, asked: dict[str, Any], two: dict[str, Any]
) -> Probabilities | ClassProbabilities:
    """A column for each class; of two classes that of the positive one says all."""
    columns = {x: given[x] for x in ("real", "probability", "weights", "unit", "item")}
    held = cases_of(**columns, labels=labels, missing=missing)
    if len(held.labels) == 2:
        plus = positive_column(held, positive)
        real = np.array([str(x) for x in held.labels], dtype=object)[held.codes]
        w = held.weight if held.told is None else held.told
        again = {**given, "real": real, "probability": held.p[:, plus], "weights": None if (w == 1).all() else w}
        again |= {"unit": held.units, "item": None}
        values, _ = _given(again, str(held.labels[plus]), "error")
        values["missing"] = held.missing
        values["values"], moved = clipped(values["values"], asked["clip"])
        groups = {} if given["by"] is None else _groups(values, given["by"], held.known, {**asked, **two})
        return Probabilities(curve_of_cases(**values), clipped=moved, groups=groups, **asked, **two)
    if any(two.values()):
        raise InferenceError("`cost` and `also` are of two classes; `found.classes` has each class against the rest.")
    if positive is not None:
        raise LabelError("`positive` is of two classes; here each has a column of its own.")
    held, moved = clipped_rows(held, asked["clip"])
    asked["ordered"] = order_of(held.labels, None if labels is None else "given") is not None
    parts = {} if given["by"] is None else _class_groups(held, given["by"], asked)
    return ClassProbabilities(held, clipped=moved, groups=parts, **asked)


def _class_groups(held: Cases, by: Any, asked: Mapping[str, Any]) -> dict[Any, ClassProbabilities]:
    """The same of the cases of each group, for several classes."""
    found = {}
    for name, own in groups_of(by, len(held.codes), held.known).items():
        found[name] = ClassProbabilities(held.where(own), **{**asked, "told": None})
    return found


def _groups(given: Mapping[str, Any], by: Any, known: Any, shared: Mapping[str, Any]) -> dict[Any, Probabilities]:
    """The same of the cases of each group."""
    found = {}
    for name, own in groups_of(by, len(given["values"]), known).items():
        part: dict[str, Any] = {x: None if given[x] is None else given[x][own] for x in ("values", "own", "w")}
        units = None if given["given"] is None else given["given"].where(own)
        rest = {x: given[x] for x in ("labels", "positive")}
        found[name] = Probabilities(curve_of_cases(**part, given=units, **rest), **{**shared, "told": None})
    return found
